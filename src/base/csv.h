/* Comma-separated values as in RFC 4180, but with plain line feeds. */
#ifndef RT_BASE_CSV_H
#define RT_BASE_CSV_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

typedef struct rt_csv {
    rt_text text;
    bool inside; /* a field of this line is written */
    int line;    /* lines ended so far */
    bool refused;
    char where[128];
} rt_csv;

void rt_csv_text(rt_csv *csv,
                 const char *field); /* quoted where it has to be; NULL is an empty field */
void rt_csv_int(rt_csv *csv, long value);
/* 17 digits; one that is not finite makes rt_csv_finish refuse, naming it by `what` and the line.
 */
void rt_csv_real(rt_csv *csv, const char *what, double value);
void rt_csv_real_or_empty(rt_csv *csv, double value); /* not finite: an empty field, and no error */
void rt_csv_line(rt_csv *csv);                        /* ends the line */
void rt_csv_heads(rt_csv *csv, const char *const *heads, int n); /* one line of fields */

/* OUT_OF_MEMORY or NUMERIC_ERROR; the text is then freed. */
routh_status rt_csv_finish(rt_csv *csv, routh_error *error);

#endif
