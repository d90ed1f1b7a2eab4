/* The algorithms, by NLopt; and the multipliers, which NLopt does not give. */
#ifndef RT_STUDIES_OPTIMISE_SOLVE_H
#define RT_STUDIES_OPTIMISE_SOLVE_H

#include "studies/optimise_problem.h"

/* What an algorithm reached. */
typedef struct rt_solved {
    int record; /* which one; -1: none has values */
    routh_optimum_end end;
    char message[256];
} rt_solved;

/* NOT_SUPPORTED without NLopt, BAD_ARGUMENT for an unknown algorithm, MODEL_ERROR for a goal that
 * it cannot place. */
routh_status rt_optimise_check(const rt_study *study, const char *algorithm, routh_error *error);

routh_status rt_optimise_solve(rt_problem *problem, const char *algorithm, rt_solved *solved,
                               routh_error *error);

/* From the best record on, which violates something: to a least of the largest violation.
 * *converged: the algorithm says so. */
routh_status rt_optimise_least_miss(rt_problem *problem, bool *converged, routh_error *error);

/* Multipliers at a record: of conditions (n_conditions; of those that are placed of either sign)
 * and of the variables' bounds (n_x; positive: of the upper one, negative: of the lower one), the
 * best that make the gradient of the Lagrangian small; *optimality: what is left of it, over the
 * gradient of the objective, where nothing is active over that at the start. */
routh_status rt_optimum_multipliers(const rt_problem *problem, const rt_evaluation *record,
                                    double *conditions, double *bounds, double *optimality,
                                    routh_error *error);

#endif
