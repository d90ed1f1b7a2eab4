/* The pieces of a linearization. */
#ifndef RT_LINEAR_AUGMENTED_H
#define RT_LINEAR_AUGMENTED_H

#include "operating/operating.h"

/* The observer: axes e_k fixed in the reference marker, with their time derivatives along the
 * nominal motion. */
typedef struct rt_observer {
    int marker;        /* -1 ground */
    double e[3][3][3]; /* [derivative][axis k][component] */
} rt_observer;

void rt_observer_set(rt_observer *observer, const rt_workspace *w, int marker);

/* Chosen states: columns of u seen in the observer's axes. State k is component (0..2
 * displacement, 3..5 rotation) of body, so S_k = p . xi_body with p the axis, and S_k', S_k''
 * follow from its jets. */
typedef struct rt_states {
    int z;
    int *column; /* z: the column of u that the state stands for */
    int *body, *component;
} rt_states;

/* What a linearization method gives back. Column-major, n = n_u rows, z columns. */
typedef struct rt_sensitivity {
    int n, z;
    double *X;    /* dxi/dS = du/dW: n x z */
    double *U;    /* du/dS: n x z */
    double *A_SS; /* d S''/dS : z x z, row-major */
    double *A_SW; /* d S''/dW : z x z, row-major */
    double *Mhat; /* X' M X, row-major */
} rt_sensitivity;

/* Chooses z states by elimination of the Jacobian in the observer's axes; preferred[n_preferred]
 * (columns of u) stay if they can; they come first, in the order given. Uses search->w
 * (everything evaluated) and search->unit. The rank found replaces search->rank. */
routh_status rt_choose_states(rt_search *search, const rt_observer *observer, const int *preferred,
                              int n_preferred, rt_arena *arena, rt_states *states,
                              routh_error *error);

/* The augmented method of Negrut and Ortiz (2006), Table 1, for holonomic systems. */
routh_status rt_augmented(rt_search *search, const rt_observer *observer, const rt_states *states,
                          int threads, rt_arena *arena, rt_sensitivity *out, routh_error *error);

/* How much A changes along the motion, relative, per radian of the fastest motion. Moves
 * search->state. */
routh_status rt_linear_drift(rt_search *search, const rt_observer *observer,
                             const rt_states *states, const rt_sensitivity *x, int threads,
                             double *drift, routh_error *error);

#endif
