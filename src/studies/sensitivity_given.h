/* How a point as written moves with a parameter: every step by which assembly and the search for
 * velocities came to it is taken again with its derivative, then the level of accelerations. */
#ifndef RT_STUDIES_SENSITIVITY_GIVEN_H
#define RT_STUDIES_SENSITIVITY_GIVEN_H

#include "studies/sensitivity_pencil.h"

/* One linear system [X G'; G -delta I] [x; y] = [X z; -Phi] that was solved. */
typedef struct rt_replay {
    rt_kkt *kkt;
    double *q, *u;     /* where: n_q, n_u */
    double *near;      /* ... and by what turns */
    double *x, *y, *z; /* n_u, n_rows, n_u */
    bool led;          /* motions were held back, at `gone` of the longest way */
    double gone;
    double scale;      /* so much of x was taken */
    bool limited;      /* ... since its longest displacement counts: `longest` of x */
    int longest;
} rt_replay;

enum { RT_VELOCITY_PASSES = 3 };

typedef struct rt_change_given {
    const rt_levels_pencil *p;
    rt_search own; /* from where the file has the mechanism */
    rt_assembly_path path;
    double *way, *dway; /* path.n_led: what each motion that was led had to go, and its change */
    int n_steps;
    rt_replay *step;
    rt_replay pass[RT_VELOCITY_PASSES];
    rt_kkt *closing;       /* [W G'; G 0] at the end */
    bool still;            /* velocities that were written are not allowed */
    double *weight;        /* n_u: 1 of velocities that are written, else those that follow */
    int n_placed, *placed; /* states of controllers that were placed where x' = 0 */
    double *response, *lu, *step_placed;
    int *pivots;
    double *written_u, *phi, *force, *rhs, *x, *y, *dG, *dM, *q;
} rt_change_given;

/* NOT_SUPPORTED where the point is not the one that the file leads to. */
routh_status rt_given_create(rt_change_given *given, const rt_levels_pencil *pencil,
                             const routh_operating_point *point, rt_arena *arena,
                             routh_error *error);
/* The part of their way by which motions that were led are held back in a step; the longest. */
double rt_held_back(const rt_change_given *given, const rt_replay *step, int *longest);
void rt_given_release(rt_change_given *given);

/* Along the variation's parameter: `moved->xi` and `moved->u` come as what is written changes. */
routh_status rt_given_find(rt_change_given *given, rt_variation *variation, const rt_moved *moved,
                           routh_error *error);

#endif
