/* The generalized-alpha method on the index-3 equations, on the group that the coordinates form
 * (Arnold and Bruels 2007; Bruels, Cardona and Arnold 2012), and with it the HHT method of the
 * Adams solver (Hilber, Hughes, Taylor 1977; Negrut, Rampalli, Ottarsson, Sajdak 2007), which is
 * its member alpha_m = 0, alpha_f = -alpha. One step from n to n+1 of length h:
 *
 *     (1 - alpha_m) a+ + alpha_m a = (1 - alpha_f) u'+ + alpha_f u'
 *     q+ = q o exp(h u + h^2 ((1/2 - beta) a + beta a+)),    u+ = u + h ((1 - gamma) a + gamma a+)
 *     r(q+, u+, u'+, lambda+) = 0,   Phi(q+) = 0
 *     gamma = 1/2 - delta,   beta = (1 - delta)^2 / 4,   delta = alpha_m - alpha_f  (<= 0)
 *
 * a is u' at t + delta h to first order. States of controllers go by the same rule for first-order
 * equations, x+ = x + h ((1 - gamma) w + gamma w+). Nonholonomic rows are met at velocity level.
 * Local error of position: (delta/2 + beta - 1/6) h^2 (a+ - a). */
#ifndef RT_MOTION_ALPHA_H
#define RT_MOTION_ALPHA_H

#include "motion/newton.h"

typedef struct rt_alpha {
    double alpha_m, alpha_f, beta, gamma;
    double kappa; /* da+/du'+ = (1 - alpha_f) / (1 - alpha_m) */
    double error_factor;
    rt_newton *newton;
    bool factored;
    double factor_step; /* the step that the factors are for */
    double rate;        /* at which Newton's steps became smaller last */
    bool rate_known;    /* by these factors, since the integrator began */
    int n_fresh, extra; /* Newton's steps when the factors were new; those they cost since */
    double rest;        /* what rounding took of the time at run->now */
    double last_step;   /* 0: none since the beginning */
    double *a, *w;      /* n_u, n_x: at run->now, for last_step */
    double *a0, *w0;    /* the same for the step at hand */
    double *a1, *w1;    /* at its end */
    double *xi;         /* n_u: the way from q to q+ */
    double *way;        /* n_u: that of the last step, for dense output */
    double *x_predicted;
} rt_alpha;

/* x' of a state. */
static inline double *rt_alpha_rates(const rt_run *run, const rt_state *s)
{
    return s->signal + run->m->model->n_control_states;
}

/* a0, w0 and what the unknowns will be, for a step of length h from run->now. */
routh_status rt_alpha_predict(rt_run *run, rt_alpha *k, double h, routh_error *error);

/* Newton on the equations of the step from what is predicted, into run->search.state, a1, w1 and
 * xi. *converged false: it went astray, or too slowly. */
routh_status rt_alpha_iterate(rt_run *run, rt_alpha *k, double h, bool *converged,
                              routh_error *error);

/* q+ onto Phi = 0 to the last digits, by the factors of the step. u+ stays: a step that began with
 * velocities brought onto Phi' = 0 would be of first order only, as what it brings there is of
 * second order in every step. States that are shown are brought there. */
routh_status rt_alpha_close(rt_run *run, rt_alpha *k, bool *closed, routh_error *error);

#endif
