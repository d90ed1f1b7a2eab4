/* The Newton matrix of a step of an implicit integrator, exact from neck 2. Unknowns are the
 * accelerations, multipliers, rates of controllers and variables at the end of the step,
 *     dxi = c_x du',   du = c_u du',   dx = c_u dx',
 *     [M + c_u D + c_x K      G'+L     c_u R_x + R_x'   R_v ] [du'    ]     [r        ]
 *     [G                                                    ] [dlambda] = - [Phi / c_x]
 *     [G + c_x/c_u V_x                                      ] [dx'    ]     [Phi'/ c_u]
 *     [g_a + c_u g_u + c_x g_x  g_l  c_u g_x + g_x'     g_v ] [dv     ]     [g        ]
 * with the third row of nonholonomic joints. The pattern and its order of elimination
 * are made once. */
#ifndef RT_MOTION_NEWTON_H
#define RT_MOTION_NEWTON_H

#include "motion/motion.h"
#include "system/sensor.h"

typedef struct rt_newton rt_newton;

/* For the rows that run->search.rank keeps. */
routh_status rt_newton_create(rt_newton **newton, const rt_run *run, routh_error *error);
void rt_newton_free(rt_newton *newton); /* NULL is allowed */

/* Is it made for the rows that are kept now? */
bool rt_newton_fits(const rt_newton *newton, const rt_run *run);

/* What rt_evaluate must have been asked for before rt_newton_factor, and before a residual. */
int rt_newton_needs(const rt_newton *newton);

/* The equations of controllers and variables in the evaluated state (partials: their rows too). */
routh_status rt_newton_sensors(rt_newton *newton, rt_run *run, bool partials, routh_error *error);

/* Factors the matrix of the evaluated state. */
routh_status rt_newton_factor(rt_newton *newton, rt_run *run, double c_u, double c_x,
                              routh_error *error);

/* The next factorization chooses its pivots anew. */
void rt_newton_forget(rt_newton *newton);

/* The change of the unknowns from the evaluated residuals, by the factors there are. c_u, c_x are
 * those of the factors. */
typedef struct rt_newton_step {
    const double *udot;   /* n_u */
    const double *lambda; /* n_rows; rows left out: 0 */
    const double *rate;   /* n_x */
    const double *variable;
    double push; /* the largest acceleration that the change of lambda is worth (rt_run_norm) */
} rt_newton_step;

routh_status rt_newton_solve(rt_newton *newton, const rt_run *run, rt_newton_step *step,
                             routh_error *error);

/* Residuals of position in the evaluated state (PHI) over typical lengths, as rt_run_open has them,
 * but with the sizes that rows had when the matrix was factored. */
double rt_newton_open(const rt_newton *newton, const rt_run *run);

/* The change of least size (in the metric of the matrix) that closes Phi alone: dxi = c_x u'. */
routh_status rt_newton_close(rt_newton *newton, const rt_run *run, rt_newton_step *step,
                             routh_error *error);

#endif
