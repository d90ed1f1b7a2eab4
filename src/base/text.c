#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for more bytes and the terminator; doubles, so appending n bytes costs O(n) in all. */
static bool text_reserve(rt_text *text, size_t more)
{
    if (text->failed) return false;
    if (more < text->capacity - text->length) return true;
    if (more > SIZE_MAX / 4 - text->length) return !(text->failed = true);
    size_t capacity = text->capacity ? text->capacity : 256;
    while (capacity - text->length <= more) capacity *= 2;
    char *bytes = realloc(text->bytes, capacity);
    if (!bytes) return !(text->failed = true);
    if (!text->bytes) bytes[0] = '\0';
    text->bytes = bytes;
    text->capacity = capacity;
    return true;
}

void rt_text_append(rt_text *text, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int need = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (need < 0) text->failed = true;
    if (need >= 0 && text_reserve(text, (size_t)need)) {
        vsnprintf(text->bytes + text->length, (size_t)need + 1, format, again);
        text->length += (size_t)need;
    }
    va_end(again);
}

void rt_text_bytes(rt_text *text, const char *bytes, size_t length)
{
    if (!text_reserve(text, length)) return;
    if (length) memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

void rt_text_digits(rt_text *text, double x, int digits)
{
    char number[64];
    if (isnan(x)) {
        rt_text_bytes(text, "nan", 3);
        return;
    }
    snprintf(number, sizeof number, "%.*g", digits, x);
    /* the decimal point of the locale is the only thing that is not a digit, a sign or a letter */
    const size_t whole = strspn(number, "+-0123456789");
    const size_t point = strcspn(number + whole, "0123456789einf");
    rt_text_bytes(text, number, whole);
    if (point) rt_text_bytes(text, ".", 1);
    rt_text_bytes(text, number + whole + point, strlen(number + whole + point));
}

void rt_text_real(rt_text *text, double x)
{
    rt_text_digits(text, x, 17);
}

const char *rt_text_string(const rt_text *text)
{
    return text->bytes ? text->bytes : "";
}

char *rt_text_take(rt_text *text)
{
    char *bytes = text_reserve(text, 0) ? text->bytes : NULL;
    if (!bytes) free(text->bytes);
    *text = (rt_text){0};
    return bytes;
}

void rt_text_free(rt_text *text)
{
    free(text->bytes);
    *text = (rt_text){0};
}

void rt_list_names(char *text, size_t size, const char *(*name)(int k))
{
    size_t used = 0;
    text[0] = '\0';
    for (int k = 0; name(k); k++) {
        const char *before = k ? ", " : "";
        if (used + strlen(before) + strlen(name(k)) >= size) return;
        used += (size_t)snprintf(text + used, size - used, "%s%s", before, name(k));
    }
}
