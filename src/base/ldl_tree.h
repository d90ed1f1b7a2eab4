/* Which unknowns are eliminated together, in which order, and what each front holds. */
#ifndef RT_BASE_LDL_TREE_H
#define RT_BASE_LDL_TREE_H

#include "base/sparse.h"

/* Place: where an unknown stands in the elimination. Front f eliminates the places first[f] ..
 * first[f + 1] - 1; children have lower numbers than their parents. */
typedef struct rt_ldl_tree {
    int n, n_fronts;
    int *place;    /* n: of each unknown */
    int *unknown;  /* n: at each place */
    int *first;    /* n_fronts + 1 */
    int *parent;   /* n_fronts; -1 at a root */
    size_t *start; /* n_fronts + 1: into row */
    int *row;      /* ascending places beyond the front's own, that its elimination changes */
} rt_ldl_tree;

/* What the pattern holds on and below its diagonal counts. All from the arena. */
routh_status rt_ldl_tree_build(rt_ldl_tree *tree, const rt_pattern *pattern, rt_arena *arena,
                               routh_error *error);

#endif
