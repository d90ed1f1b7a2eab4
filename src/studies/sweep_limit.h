/* Limits: values of the parameter where the number of eigenvalues on one side of a border changes.
 *
 *     stability        g = Re lambda
 *     damping ratio    g = Re lambda + zeta |lambda|
 *     critical speed   g = |Im lambda| - order |speed|
 *
 * The g of all eigenvalues of one value, sorted, are continuous functions of the parameter,
 * whatever their modes do: where the number of positive ones changes, the g of a rank is zero. */
#ifndef RT_STUDIES_SWEEP_LIMIT_H
#define RT_STUDIES_SWEEP_LIMIT_H

#include "studies/sweep_predict.h"
#include "studies/sweep_wanted.h"
#include "studies/sweep_zero.h"

/* The g of a solution's eigenvalues, those above zero first. */
typedef struct rt_limit_point {
    const rt_solution *s;
    rt_solution own;   /* s, where it has been solved for here */
    bool there;        /* false: no solution, or another number of eigenvalues; nothing below */
    int n, plus, zero; /* certainly above zero; not to be told from it */
    int rigid;         /* exactly zero */
    double *g, *noise; /* n: of eigenvalue k */
    double split;      /* of every noise: what zeros that were split off may have moved */
    int *order;        /* n: eigenvalue of rank k, largest first */
    double *room;
} rt_limit_point;

/* One step of a sweep. */
typedef struct rt_limit_step {
    const rt_sweep_task *task;
    const rt_solution *a, *b;
    const rt_match *match; /* from a to b */
    const int *branch;     /* of the eigenvalues of a */
    rt_sweep_store *store;
    rt_event_list *list;
    rt_predictor *slopes;
    const double *before; /* A of the value before a, in the same states; NULL: not known */
    double before_value;
    double finest;    /* how near to a value its two sides are looked at */
    bool first, last; /* a is where the piece begins, b is the last value of the sweep */
    bool begins;      /* a is the first value of the sweep */
    unsigned sides;   /* a bit for every limit: what is beside a has been looked at */
    int left;         /* solutions that may still be asked for */
    bool undone;      /* more would have been */
    int meetings;     /* of the list: where those of the step begin */
    rt_wanted wanted; /* the limit that is looked for now */
} rt_limit_step;

/* ---- sweep_limit_point.c --------------------------------------------------------------------- */

/* Of a solution that is there and stays there. */
routh_status rt_limit_measure(const rt_limit_step *step, const rt_solution *s,
                              rt_limit_point *point, routh_error *error);

/* At a value of its own, from the nearer of two. */
routh_status rt_limit_solve(rt_limit_step *step, double value, const rt_limit_point *lo,
                            const rt_limit_point *hi, bool slope, rt_limit_point *point,
                            routh_error *error);
/* The same in extended precision: bounds know what rounding makes of the model. */
routh_status rt_limit_solve_surely(rt_limit_step *step, double value, const rt_limit_point *lo,
                                   const rt_limit_point *hi, rt_limit_point *point,
                                   routh_error *error);
void rt_limit_release(rt_limit_point *point);

/* Real parts of a solution that are certainly above zero. */
int rt_limit_count_unstable(const rt_solution *s);

/* 1, 0, -1: certainly above, not to be told from, certainly below zero. */
int rt_limit_side(const rt_limit_point *point, int k);

/* The eigenvalue of a rank, when `zeros` of those nearest to zero are left out. */
int rt_limit_pick(const rt_limit_point *point, int zeros, int rank);

/* dg of eigenvalue k, of which dlambda is known, where |speed| changes by d_speed. */
double rt_limit_slope(const rt_limit_step *step, double _Complex lambda, double _Complex by,
                      double d_speed);

/* ---- sweep_limit_solve.c --------------------------------------------------------------------- */

/* A limit in an interval as small as can be told. */
typedef struct rt_limit_found {
    rt_limit_point before, after; /* on both sides, beyond what bounds leave open */
    rt_limit_point at;
    bool ok;     /* false: only that it is between before and after */
    double open; /* on a side that is zero all along: how far it may reach unseen */
    int evaluations;
    bool derivatives;
} rt_limit_found;

/* Of lo and hi, which have different numbers above zero. */
routh_status rt_limit_close(rt_limit_step *step, const rt_limit_point *lo, const rt_limit_point *hi,
                            rt_limit_found *found, routh_error *error);
void rt_limit_found_release(rt_limit_found *found);

/* ---- sweep_limit_island.c -------------------------------------------------------------------- */

/* Both have the same number above zero. The part of the way where a value between is wanted, since
 * one may go to the other side and return, or two may change places; -1: none. certain: it is not
 * only that it may. */
routh_status rt_limit_doubt(rt_limit_step *step, const rt_limit_point *lo, const rt_limit_point *hi,
                            double *part, bool *certain, routh_error *error);

/* ---- sweep_limit.c --------------------------------------------------------------------------- */

/* Adds all limits from a to b to the list. */
routh_status rt_limits_between(rt_limit_step *step, routh_error *error);

#endif
