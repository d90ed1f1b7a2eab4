#define _POSIX_C_SOURCE 200809L
#include "flexible/fem_text.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/number.h"

routh_status rt_fe_open(rt_fe_text *t, const char *path, routh_error *error)
{
    *t = (rt_fe_text){.path = path};
    const routh_status status = rt_file_read(path, &t->file, error);
    if (status) return status;
    rt_fe_rewind(t);
    return ROUTH_OK;
}

void rt_fe_close(rt_fe_text *t)
{
    free(t->file.bytes);
    *t = (rt_fe_text){0};
}

void rt_fe_rewind(rt_fe_text *t)
{
    t->next = t->begin = t->end = t->at = t->file.bytes;
    t->line = 0;
}

bool rt_fe_next(rt_fe_text *t)
{
    const char *const last = t->file.bytes + t->file.length;
    if (t->next >= last) return false;
    const char *end = memchr(t->next, '\n', (size_t)(last - t->next));
    t->begin = t->at = t->next;
    t->next = end ? end + 1 : last;
    t->end = end ? end : last;
    if (t->end > t->begin && t->end[-1] == '\r') t->end--;
    t->line++;
    return true;
}

void rt_fe_back(rt_fe_text *t)
{
    t->next = t->begin;
    t->line--;
}

routh_status rt_fe_wrong(const rt_fe_text *t, routh_error *error, const char *format, ...)
{
    char text[700];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return rt_fail_at(error, ROUTH_SYNTAX_ERROR, t->path, rt_place_at(t->line, 1), NULL, "%s",
                      text);
}

static bool fem_text_parts(char c) { return c == ' ' || c == '\t' || c == ','; }

bool rt_fe_blank(const rt_fe_text *t)
{
    const char *at = t->at;
    while (at < t->end && fem_text_parts(*at)) at++;
    return at == t->end;
}

bool rt_fe_word(rt_fe_text *t, const char **word, size_t *length)
{
    while (t->at < t->end && fem_text_parts(*t->at)) t->at++;
    *word = t->at;
    while (t->at < t->end && !fem_text_parts(*t->at)) t->at++;
    *length = (size_t)(t->at - *word);
    return *length > 0;
}

bool rt_fe_take_int(rt_fe_text *t, int *value)
{
    const char *word;
    size_t length;
    return rt_fe_word(t, &word, &length) && rt_fe_int(word, length, value);
}

bool rt_fe_take_real(rt_fe_text *t, double *value)
{
    const char *word;
    size_t length;
    return rt_fe_word(t, &word, &length) && rt_fe_real(word, length, value);
}

static void fem_text_trim(const char **word, size_t *length)
{
    while (*length && fem_text_parts((*word)[*length - 1])) --*length;
    while (*length && fem_text_parts(**word)) ++*word, --*length;
}

bool rt_fe_int(const char *word, size_t length, int *value)
{
    fem_text_trim(&word, &length);
    if (!length || length > 20) return false;
    const bool minus = *word == '-';
    size_t k = minus || *word == '+';
    if (k == length) return false;
    long x = 0;
    for (; k < length; k++) {
        if (word[k] < '0' || word[k] > '9') return false;
        x = 10 * x + (word[k] - '0');
        if (x > INT_MAX) return false;
    }
    *value = (int)(minus ? -x : x);
    return true;
}

bool rt_fe_real(const char *word, size_t length, double *value)
{
    char text[80];
    size_t n = 0;
    bool exponent = false;
    fem_text_trim(&word, &length);
    if (!length || length > 60) return false;
    for (size_t k = 0; k < length; k++) {
        char c = word[k];
        if (c == 'D' || c == 'd' || c == 'e') c = 'E';
        if ((c == '+' || c == '-') && k > 0 && !exponent) text[n++] = 'E', exponent = true;
        if (c == 'E') exponent = true;
        text[n++] = c;
    }
    return rt_number_read(text, n, value) && isfinite(*value);
}

bool rt_fe_begins(const rt_fe_text *t, const char *word)
{
    const size_t n = strlen(word);
    return (size_t)(t->end - t->begin) >= n && strncasecmp(t->begin, word, n) == 0;
}
