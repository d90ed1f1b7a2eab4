/* The problem in numbers: variables between 0 and 1, an objective, constraints c <= 0 or c = 0.
 *
 *     minimise    sum of   w q / |q_0|           where q is to be small, one member
 *                          w t,  q_j / |q_0| <= t  where it has several: the largest (epigraph)
 *                         -w q / |q_0|, likewise t  where it is to be large
 *                          w ((q - target) / |target|)^2   near
 *     or, where nothing of this is asked for, |x - x_0|^2
 *     subject to  (low - q) / s <= 0, (q - high) / s <= 0, (q - at) / s = 0,  s = |bound|
 *
 * q_0: at the start. Where q_0 or a bound is 0, 1 stands for it (for the bound: |q_0|). */
#ifndef RT_STUDIES_OPTIMISE_PROBLEM_H
#define RT_STUDIES_OPTIMISE_PROBLEM_H

#include "studies/optimise_log.h"
#include "studies/optimise_values.h"

typedef enum rt_constraint_side {
    RT_SIDE_AT,
    RT_SIDE_LOW,
    RT_SIDE_HIGH,
    RT_SIDE_EPIGRAPH
} rt_constraint_side;

typedef struct rt_condition {
    rt_constraint_side side;
    int goal, member;
    int t;        /* EPIGRAPH: which t */
    double sign;  /* of q in it */
    double scale; /* s */
} rt_condition;

typedef struct rt_problem {
    rt_optimise_task task;
    rt_members members;
    int n_x, n_t, n;        /* variables, ts, both */
    double *start;          /* n_x: between 0 and 1 */
    double *asked;          /* n_x: values, for a while */
    int *t_of_goal;         /* n_goals; -1: none */
    double *size;           /* n_goals: |q_0| or |target| */
    int n_conditions, n_at; /* those that are placed come first */
    rt_condition *conditions;
    bool least_change;

    int n_records, room;
    rt_evaluation *records; /* of all evaluations, those of a log taken up first */
    int n_replayed;         /* how many a log has; they are given out again in their order */
    int n_given;            /* how many have been asked for */
    int current;            /* the record of the last that was asked for */
    int last_good;          /* the last with values, -1 */
    rt_iterate begin, last; /* the start; the last that was solved */
    rt_logbook log;
    double until; /* clock, s */
    int most;     /* evaluations */

    bool stop; /* set with: */
    routh_optimum_end end;
    routh_status status; /* other than OK: the run is lost */
    routh_error error;
    rt_arena arena;
} rt_problem;

/* Evaluates the start. To be freed in any case. */
routh_status rt_problem_make(rt_problem *problem, const rt_optimise_task *task, routh_error *error);
void rt_problem_free(rt_problem *problem);

/* The evaluation at X (n): what was computed there before, or is in the log, or is computed now.
 * NULL where the run has to stop. A record without values has a message. */
const rt_evaluation *rt_problem_at(rt_problem *problem, const double *X);

/* The record with values to go by where that at X has none. */
const rt_evaluation *rt_problem_stand_in(const rt_problem *problem, const rt_evaluation *record);

/* gradient (n) may be NULL. */
double rt_problem_objective(const rt_problem *problem, const rt_evaluation *record, const double *X,
                            double *gradient);
double rt_problem_condition(const rt_problem *problem, int k, const rt_evaluation *record,
                            const double *X, double *gradient);

/* X (n) of the record, each t as small as it may be. */
void rt_problem_point(const rt_problem *problem, const rt_evaluation *record, double *X);

/* The same with those t. */
double rt_problem_merit(const rt_problem *problem, const rt_evaluation *record);
double rt_problem_violation(const rt_problem *problem, const rt_evaluation *record);

/* The variable between 0 and 1 as a value, with its derivative; and back. */
double rt_variable_value(const rt_study_variable *variable, double part, double *slope);
double rt_variable_part(const rt_study_variable *variable, double value);

/* The best record so far: of those that violate nothing by more than the tolerance the one with the
 * least objective; else the one that violates least. -1: none has values. */
int rt_problem_best(const rt_problem *problem);

/* How much of a bound may be missed, relative. */
#define RT_OPTIMISE_MISS 1e-7

#endif
