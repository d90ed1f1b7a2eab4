/* The linear model as named values, which is what every format writes and reads. */
#ifndef RT_OUTPUT_EXCHANGE_RECORD_H
#define RT_OUTPUT_EXCHANGE_RECORD_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

#define RT_SCHEMA "routh-linear/1"

typedef enum rt_value_kind {
    RT_REALS,
    RT_INTEGERS, /* whole numbers, kept as doubles */
    RT_FLAGS,    /* 0 or 1, kept as doubles */
    RT_TEXTS
} rt_value_kind;

/* One value, a list or a matrix. */
typedef struct rt_value {
    const char *name; /* "A", "operating_point.time": of a group and in it */
    rt_value_kind kind;
    int rank;             /* 0: one value, 1: a list, 2: a matrix by rows */
    size_t rows, columns; /* 1 where there is no such dimension */
    double *reals;        /* rows * columns, but of texts; not to be written to by formats */
    char **texts;         /* rows * columns, of texts */
    char *const *row_names, *const
                                *column_names; /* of a matrix, where they have names; else NULL */
} rt_value;

enum { RT_MOST_VALUES = 128 };

typedef struct rt_record {
    rt_arena arena; /* of all that it does not borrow */
    int n;
    rt_value values[RT_MOST_VALUES];
} rt_record;

void rt_record_free(rt_record *record);

static inline size_t rt_value_count(const rt_value *value) { return value->rows * value->columns; }

/* A further value with room for all its entries, zero or NULL; NULL with *error told when there is
 * no memory, when there are too many or when there is one of that name. */
rt_value *rt_record_add(rt_record *record, const char *name, rt_value_kind kind, int rank,
                        size_t rows, size_t columns, routh_error *error);

/* A point and an underscore are the same, since some formats do not take points. */
bool rt_same_name(const char *a, const char *b);

/* The value of that name, or NULL. */
const rt_value *rt_record_find(const rt_record *record, const char *name);

/* One text as it is, terminated; OUT_OF_MEMORY. */
routh_status rt_record_text(rt_record *record, rt_value *value, size_t k, const char *text,
                            size_t length, routh_error *error);

/* A value that breaks off or does not fit: SYNTAX_ERROR naming it. */
routh_status rt_value_broken(const char *name, routh_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
