/* A growable text: append piece by piece, look for failure once at the end. */
#ifndef RT_BASE_TEXT_H
#define RT_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Start with rt_text t = {0}. Once an allocation fails, failed stays true and every later append
 * does nothing; what was appended before stays. */
typedef struct rt_text {
    char *bytes; /* always terminated; NULL until the first append */
    size_t length;
    size_t capacity;
    bool failed;
    /* of results: the units that numbers are shown in, NULL: SI; which of these were, by bits */
    const struct routh_units *units;
    unsigned units_shown;
} rt_text;

/* Appends as printf formats. Decimal points follow the locale: write numbers with rt_text_real. */
void rt_text_append(rt_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends length bytes as they are. */
void rt_text_bytes(rt_text *text, const char *bytes, size_t length);

/* Appends x so that it reads back exactly (%.17g), with a point whatever the locale; "nan", "inf",
 * "-inf". */
void rt_text_real(rt_text *text, double x);

/* The same with at most so many digits (%.<digits>g), no more than 17. */
void rt_text_digits(rt_text *text, double x, int digits);

/* The text so far, "" when nothing was appended; owned by the buffer, valid until the next append.
 */
const char *rt_text_string(const rt_text *text);

/* "first, second, third" of the names that name(0), name(1), .. give until NULL, always terminated;
 * names that do not fit are left out. */
void rt_list_names(char *text, size_t size, const char *(*name)(int k));

/* Hands the text to the caller, who frees it with free(), and leaves the buffer empty; NULL when
 * failed. */
char *rt_text_take(rt_text *text);

/* Gives the memory back; the buffer is then empty and may be used again. */
void rt_text_free(rt_text *text);

#endif
