/* What a symmetric factorization holds; for base/ldl*.c alone. */
#ifndef RT_BASE_LDL_PARTS_H
#define RT_BASE_LDL_PARTS_H

#include <stdbool.h>

#include "base/ldl.h"
#include "base/ldl_front.h"
#include "base/ldl_tree.h"

/* What a front leaves to its parent: rows of the places, lower triangle of order n. */
typedef struct rt_ldl_rest {
    int n;
    int *place;
    double *value;
} rt_ldl_rest;

struct rt_ldl {
    const rt_pattern *pattern;
    rt_ldl_tree tree;
    rt_arena arena;
    int *entry_start;   /* n + 1: by places */
    int *entry;         /* in values of the pattern, by the place of their column */
    int *entry_row;     /* place, not before the column's */
    double *scale;      /* n, by unknowns */
    rt_front *fronts;   /* of the last factorization; place, full and pivot are theirs */
    rt_ldl_rest *rests; /* n_fronts: while it goes on */
    int *position;      /* n places: row in the present front */
    double *work;       /* of the present front */
    size_t n_work, n_entries, n_bytes;
    int largest_front;
    bool done;       /* there is a factorization */
    bool count_only; /* fronts are given back as soon as their pivots are counted */
    rt_front_count count;

    /* of one that is kept: */
    rt_analyses *analyses; /* to which it goes back; or NULL */
    rt_pattern own;        /* a copy of its pattern */
};

void rt_ldl_release(rt_ldl *ldl);

/* ---- ldl_kept.c ------------------------------------------------------------------------------ */

/* One that was given back, for a pattern like its own; NULL: there is none. */
rt_ldl *rt_ldl_take_kept(rt_analyses *analyses, const rt_pattern *pattern);

/* Back to where it came from, in place of the oldest; false: to nobody. */
bool rt_ldl_give_kept(rt_ldl *ldl);

#endif
