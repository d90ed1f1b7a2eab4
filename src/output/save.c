#include "base/save.h"
#include "routh/output.h"

routh_status routh_text_save(const routh_text *text, const char *path, routh_error *error)
{
    if (!text || !path)
        return rt_fail(error, ROUTH_BAD_ARGUMENT, "routh_text_save needs a text and a path");
    return rt_save_bytes(path, text->bytes, text->length, error);
}
