/* What is kept for who does the same again and again; private to base. Each list holds what a
 * function gave for its arguments, so that it may be given again: nothing depends on what is
 * kept. */
#ifndef RT_BASE_ANALYSES_H
#define RT_BASE_ANALYSES_H

#include <stdatomic.h>

#include "base/elimination.h"
#include "base/factor_parts.h"
#include "base/kept_memory.h"

enum {
    RT_MOST_ANALYSES = 32,
    RT_MOST_IDLE = 4,
    RT_MOST_PATTERNS = 32,
    RT_MOST_ELIMINATIONS = 8,
    RT_MOST_LDL = 4
};

typedef struct rt_kept_analysis {
    int n, *start, *row; /* row: after start, in one block */
    rt_ordering ordering;
    klu_common common;
    klu_symbolic *symbolic;
    rt_factor *idle[RT_MOST_IDLE];
    int n_idle;
} rt_kept_analysis;

/* Of rt_pattern_build. */
typedef struct rt_kept_pattern {
    int n_rows, n_columns, *rows, *columns, *position, *start, *row; /* in one block */
    size_t n_entries;
} rt_kept_pattern;

/* Of rt_eliminate: its arguments one after another, and the result. */
typedef struct rt_kept_elimination {
    unsigned char *bytes;
    size_t room;
    int n_rows, n_columns, path;
    double tolerance;
    bool row_weights, column_weights;
} rt_kept_elimination;

struct rt_analyses {
    atomic_flag busy; /* a thread looks at the lists; another one does without them */
    int n;
    rt_kept_analysis list[RT_MOST_ANALYSES];
    int n_patterns;
    rt_kept_pattern pattern[RT_MOST_PATTERNS];
    int oldest;
    rt_kept_elimination elimination[RT_MOST_ELIMINATIONS];
    int n_ldl;
    struct rt_ldl *ldl[RT_MOST_LDL]; /* that are not in use, the last one last */
    rt_kept_memory *memory;          /* blocks that were given back */
};

/* False: there are none (NULL), or another thread has them. */
static inline bool rt_analyses_begin(rt_analyses *a)
{
    return a && !atomic_flag_test_and_set(&a->busy);
}

static inline void rt_analyses_end(rt_analyses *a) { atomic_flag_clear(&a->busy); }

#endif
