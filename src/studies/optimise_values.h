/* What goals are made of, with derivatives: a value for each mode or piece of a band. */
#ifndef RT_STUDIES_OPTIMISE_VALUES_H
#define RT_STUDIES_OPTIMISE_VALUES_H

#include "studies/optimise_iterate.h"

typedef struct rt_member {
    int goal;
    int branch, partner; /* of modes: partner is the conjugate at the start, or the same */
    int piece;           /* of a band */
} rt_member;

typedef struct rt_members {
    int n, n_branches, n_x;
    rt_member *all;
    int *first;    /* n_goals + 1: members of goal g are first[g] .. first[g + 1] - 1 */
    bool *watched; /* n_branches */
    rt_arena arena;
} rt_members;

/* Counted at the start. MODEL_ERROR with the place for modes, outputs and such that are not there.
 * To be freed in any case. */
routh_status rt_members_make(rt_members *members, const rt_optimise_task *task,
                             const rt_iterate *start, routh_error *error);
void rt_members_free(rt_members *members);

/* value (n), by (n x n_x, row-major: by the variables), hz (n: where a piece is largest, else
 * NAN). */
routh_status rt_members_evaluate(const rt_members *members, const rt_optimise_task *task,
                                 const rt_iterate *iterate, double *value, double *by, double *hz,
                                 routh_error *error);

/* An expression of parameters with its derivatives by some of them, others that are written in
 * terms of these going along. */
routh_status rt_expression_by(const routh_model *model, const char *text, const int *parameters,
                              int n, double *value, double *by, routh_error *error);

#endif
