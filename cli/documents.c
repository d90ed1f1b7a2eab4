/* Texts made from the library's own tables. */
#include "commands.h"
#include "say.h"
#include "write.h"

static int write_document(routh_status (*make)(routh_text *, routh_error *), const options *given)
{
    routh_text text;
    routh_error error = {0};
    if (make(&text, &error)) return fault(&error);
    return write_text(&text, given->output);
}

int run_schema(const options *given) { return write_document(routh_model_schema, given); }

int run_reference(const options *given) { return write_document(routh_model_reference, given); }
