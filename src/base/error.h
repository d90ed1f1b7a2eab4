/* Making errors: one call that fills a routh_error and returns its status. */
#ifndef RT_BASE_ERROR_H
#define RT_BASE_ERROR_H

#include <stddef.h>

#include "routh/status.h"

/* A place in the file that is being read; zero where there is none. A program that builds a model
 * has no columns, and may be spread over several files: then each place names its own. */
typedef struct rt_place {
    int line;
    int column;
    const char *file; /* NULL: the file that is read; lives as long as what the place is kept in */
} rt_place;

static inline rt_place rt_place_at(int line, int column) { return (rt_place){line, column, NULL}; }

/* The place n characters on in the same line; where there are no columns, the place itself. */
static inline rt_place rt_place_after(rt_place place, int n)
{
    if (place.column > 0) place.column += n;
    return place;
}

/* Fills *error (when not NULL) with status and the formatted message, clears the place, returns
 * status. */
routh_status rt_fail(routh_error *error, routh_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same, with a place and the element's name ("joint bearing"); file and element may be NULL. A
 * place that has a file of its own is in that. */
routh_status rt_fail_at(routh_error *error, routh_status status, const char *file, rt_place place,
                        const char *element, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* The element of an error for a reader, the name in quotes: "joint 'bearing'"; "" where there is
 * none. Returns text. */
const char *rt_error_element(const routh_error *error, char *text, size_t size);

/* rt_fail with the standard text for a failed allocation. */
routh_status rt_fail_memory(routh_error *error);

#endif
