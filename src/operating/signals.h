/* What the search for rates of controllers and variables keeps; private to the room.
 *
 * The unknowns p are a rate x' (or, while initial states are looked for, x itself) for each state
 * and a value for each variable; their equations g(u', lambda, p) = 0 are the sensors of states and
 * of variables, in that order. */
#ifndef RT_OPERATING_SIGNALS_H
#define RT_OPERATING_SIGNALS_H

#include "operating/operating.h"
#include "system/sensor.h"

/* J = U diag(sigma) V' as equilibrated, for steps of smallest norm; those below the least singular
 * value, over the largest, count as zero. */
typedef struct rt_least_norm {
    double *u, *vt, *sigma, *work; /* n x n, n x n, n, n */
    int steps;                     /* taken; 0: to first order there is nowhere to go */
} rt_least_norm;

static const double RT_LEAST_SINGULAR = 1e-10;

struct rt_signals {
    rt_arena arena;
    int n_x, n_v, n;     /* n = n_x + n_v */
    rt_sensor_row *rows; /* n: of the equations, as last evaluated */
    int *place;          /* n: which signal each unknown is */
    int n_explicit;      /* unknowns that are in no loop, each after those it uses */
    int *explicit_order;
    bool *feels;       /* n: the equation depends on accelerations or joint forces */
    bool *pushes;      /* 2 n_x + n_v: the equations of motion depend on the signal */
    double *J, *terms; /* n x n, column-major; terms: sums of absolute values */
    double *lu, *row_scale, *column_scale;
    int *pivots;
    double *step, *step_udot, *step_lambda;    /* Newton's */
    double *start, *start_udot, *start_lambda; /* where it begins */
    double *weight;                            /* n: sizes of the equations' terms there */
    double *g;                                 /* n: values of the equations */
    rt_least_norm *least_norm; /* steps are taken by it where it is there; else NULL */
    bool *placed;              /* n_x: the state was placed where its rate is zero */
    bool *lost;                /* n_x: the search for such a place ended before it was there */
    double *acceleration;      /* n_u: what the largest single force on the column would make */
    double force;              /* the largest single one */
    double *magnitude;         /* 2 n_x + n_v: of signals, at least: what their equations add up */
};

/* The matrix of (u', lambda, p) at the state that is evaluated, rows of signals too. `whole`: as
 * rt_factor_accelerations. SINGULAR names the elements of a loop without solution. */
routh_status rt_signals_factor(rt_search *search, bool whole, routh_error *error);

/* -[M G'+L R; G 0 0; g_a g_lambda g_p]^-1 [r; phi; g], r n_u, phi n_rows (NULL: zero), g n, into
 * signals->step_udot, step_lambda and step. */
routh_status rt_signals_solve(rt_search *search, bool whole, const double *r, const double *phi,
                              const double *g, routh_error *error);

/* Says that the search ended before the equations held, and which of them is worst. */
routh_status rt_signals_fail(const rt_search *search, routh_error *error);

/* The kind and number of equation k. */
rt_sensor_kind rt_signals_kind(const rt_signals *signals, int k, int *number);

/* Rows of all equations at the state that is evaluated in search->w. */
routh_status rt_signals_evaluate(rt_search *search, bool partials, routh_error *error);

/* The size of what equation k adds up, as evaluated: sum |dg/dy| |y| over all it depends on, where
 * |y| of a signal is no less than what its own equation adds up, and accelerations and joint forces
 * no less than single forces make: a difference that vanishes counts as what it is of. */
double rt_signals_size(const rt_search *search, int k);

/* The largest |g| over that size, and the equation where it is; 0 where there are none. */
double rt_signals_error(const rt_search *search, int *equation);

/* The part that rates x' have in the equation of a state, over its size; the largest of all. */
double rt_signals_rate_part(const rt_search *search, int state);
double rt_signals_motion(const rt_search *search);

/* Unknown j of the state. */
static inline double *rt_signals_unknown(const rt_search *s, const rt_signals *k, int j)
{
    return &s->state->signal[k->place[j]];
}

/* Names of the equations in the list, "a", "a and b", "a, b and 3 more". */
void rt_signals_name(const rt_search *search, const int *equations, int n, char *text, size_t room);

#endif
