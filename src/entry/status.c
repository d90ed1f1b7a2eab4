#include "entry/inner.h"

int routh_error_text(const routh_error *error, char *text, size_t size)
{
    static const routh_error none = {0};
    return ri_error_text(error ? error : &none, text, text ? size : 0);
}
