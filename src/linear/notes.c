/* Texts of the linear model: names, and warnings for who reads it. */
#include <stdarg.h>
#include <string.h>

#include "linear/holder.h"

char *rt_linear_text(rt_linear_holder *h, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text;
    if (strcmp(format, "%s") == 0) {
        const char *given = va_arg(arguments, const char *);
        text = rt_arena_text(&h->arena, given, strlen(given));
    } else {
        text = rt_arena_print(&h->arena, format, arguments);
    }
    va_end(arguments);
    return text;
}

routh_status rt_linear_warn(rt_linear_holder *h, routh_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = rt_arena_print(&h->arena, format, arguments);
    va_end(arguments);
    char **list = RT_TAKE(&h->arena, char *, h->linear.n_warnings + 1);
    if (!text || !list) return rt_fail_memory(error);
    for (int k = 0; k < h->linear.n_warnings; k++) list[k] = h->linear.warnings[k];
    list[h->linear.n_warnings++] = text;
    h->linear.warnings = list;
    return ROUTH_OK;
}
