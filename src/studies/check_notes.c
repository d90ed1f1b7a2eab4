/* Findings of the check, and their texts. */
#include "studies/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_FINDINGS = 16 };

static bool check_is_digit(char c) { return c >= '0' && c <= '9'; }

/* Numbers with a point, whatever the decimal sign of the locale is. */
static void set_points(char *text)
{
    char half[16];
    snprintf(half, sizeof half, "%.1f", 0.5);
    const size_t length = strlen(half) - 2;
    half[length + 1] = '\0'; /* what stands between 0 and 5 */
    if (length == 0 || strcmp(half + 1, ".") == 0) return;
    for (char *at = strstr(text, half + 1); at; at = strstr(at + 1, half + 1)) {
        if (at == text || !check_is_digit(at[-1]) || !check_is_digit(at[length])) continue;
        *at = '.';
        memmove(at + 1, at + length, strlen(at + length) + 1);
    }
}

static char *check_print(rt_check_holder *h, const char *format, va_list arguments)
{
    char *text = rt_arena_print(&h->arena, format, arguments);
    if (text) set_points(text);
    return text;
}

char *rt_check_text(rt_check_holder *h, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = check_print(h, format, arguments);
    va_end(arguments);
    return text;
}

routh_status rt_check_find(rt_check_holder *h, const char *name, routh_verdict verdict,
                           double margin, routh_error *error, const char *format, ...)
{
    routh_check *c = &h->check;
    va_list arguments;
    va_start(arguments, format);
    char *text = check_print(h, format, arguments);
    va_end(arguments);
    if (!c->findings) c->findings = RT_TAKE(&h->arena, routh_finding, MOST_FINDINGS);
    if (!text || !c->findings || c->n_findings == MOST_FINDINGS) return rt_fail_memory(error);
    c->findings[c->n_findings++] = (routh_finding){name, verdict, margin, text};
    return ROUTH_OK;
}
