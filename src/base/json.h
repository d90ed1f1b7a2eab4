/* Writes JSON into a text as it goes, without building a tree (docs/adr has the reasons).
 *
 * key is the member's name inside an object and NULL inside an array. Strings that are not UTF-8
 * are mended with U+FFFD. A number that is not finite is written as null and remembered:
 * rt_json_finish then refuses, naming it.
 * '<', '>', '&', U+2028 and U+2029 are always escaped, so that the text may stand inside a script
 * element. */
#ifndef RT_BASE_JSON_H
#define RT_BASE_JSON_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

enum { RT_JSON_DEPTH = 12 };

typedef struct rt_json_level {
    const char *key; /* of the container itself; NULL in an array and at the top */
    int count;       /* members so far */
    bool object;
    bool flat; /* all on one line */
} rt_json_level;

typedef struct rt_json {
    rt_text text;
    int depth;
    rt_json_level levels[RT_JSON_DEPTH];
    bool refused;
    char where[256]; /* path of the first number that is not finite: "modes[3].eigenvalue[0]" */
} rt_json;

/* Start with rt_json j = {0}; containers may nest RT_JSON_DEPTH deep. */
void rt_json_object(rt_json *json, const char *key);
void rt_json_array(rt_json *json, const char *key);
/* The same, with all that is inside on one line. */
void rt_json_flat_object(rt_json *json, const char *key);
void rt_json_flat_array(rt_json *json, const char *key);
void rt_json_end(rt_json *json); /* closes the innermost container */

void rt_json_string(rt_json *json, const char *key,
                    const char *value); /* NULL is written as null */
void rt_json_bool(rt_json *json, const char *key, bool value);
void rt_json_int(rt_json *json, const char *key, long value);
void rt_json_null(rt_json *json, const char *key);
void rt_json_real(rt_json *json, const char *key, double value); /* 17 digits */
void rt_json_real_or_null(rt_json *json, const char *key,
                          double value); /* not finite: null, and no error */
void rt_json_real_short(rt_json *json, const char *key, double value, int digits);
void rt_json_reals(rt_json *json, const char *key, const double *values,
                   int n); /* [..] on one line */
void rt_json_reals_short(rt_json *json, const char *key, const double *values, int n, int digits);
/* Array of rows, each on a line; row-major. */
void rt_json_matrix(rt_json *json, const char *key, const double *values, int n_rows,
                    int n_columns);

/* OUT_OF_MEMORY, or NUMERIC_ERROR naming the number that is not finite; the text is then freed. */
routh_status rt_json_finish(rt_json *json, routh_error *error);

#endif
