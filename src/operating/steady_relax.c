/* Relaxation to a steady motion: the mechanism moves with so much dissipation that of its inertia
 * only the motion's own is left,
 *     r + M (w xi' + U y') = 0,   Phi = 0,   g(x') = 0,   p' / w + p = 0,
 * where xi are the configuration in the moving frame, w a rate, U y' the accelerations by changes
 * of the motion, p what is left of what is prescribed, and forces r as in steady motion; at the
 * later time too, which tells places from speeds. It goes down to what is stable rather than to
 * what is near in numbers, in implicit Euler steps h that grow as it comes to rest: with large ones
 * they are Newton's (pseudo-transient continuation; Kelley, Keyes, SIAM J. Numer. Anal. 35,
 * 1998). */
#include "operating/steady.h"
#include "operating/twists.h"

/* In all, and without coming nearer. */
enum { STEPS = 300, WAIT = 60 };

/* What counts as near: Newton's method goes on from there. */
static const double NEAR = 1e-4;

/* One step; *moved: it was no longer than it may be, and what there is can be evaluated. */
static routh_status relax_step(rt_steady_search *k, bool *moved, double *length, routh_error *error)
{
    static const double LONGEST = 0.2;
    *moved = false;
    routh_status status = rt_steady_prepare_step(k, error);
    if (status) return status;
    status = rt_steady_make_step(k, 0, error);
    if (status) return status == ROUTH_SINGULAR ? ROUTH_OK : status;
    *length = rt_steady_step_length(k);
    if (!(*length <= LONGEST)) return ROUTH_OK;
    rt_steady_move(k);
    status = rt_steady_evaluate(k, false, error);
    *moved = !status && !rt_step_winds(k->s);
    if (*moved) rt_angles_settle(k->s->m, k->s->w, k->s->state, true);
    return status == ROUTH_NUMERIC_ERROR ? ROUTH_OK : status;
}

static routh_status relax_steps(rt_steady_search *k, double *reached, routh_error *error)
{
    static const double SHORT = 0.05, LEAST = 1e-9, MOST = 1e9;
    double h = 0.01, length = 0, best = INFINITY; /* h: in 1/rate */
    int waited = 0;
    for (int i = 0; i < STEPS && waited < WAIT && *reached > NEAR; i++, waited++) {
        bool moved;
        k->damping = k->rate;
        k->per_step = k->rate / h;
        routh_status status = rt_progress_ask(k->s->progress, 1, error);
        if (!status) status = relax_step(k, &moved, &length, error);
        if (status) return status;
        if (moved) {
            *reached = rt_steady_error(k);
            if (*reached < 0.7 * best) best = *reached, waited = 0;
            h = length <= SHORT ? fmin(2 * h, MOST) : h;
        } else {
            rt_steady_restore(k, RT_STEADY_STEP);
            h /= 4;
            if (h < LEAST) return ROUTH_OK;
        }
    }
    return ROUTH_OK;
}

routh_status rt_steady_relax(rt_steady_search *k, double *reached, routh_error *error)
{
    *reached = INFINITY;
    routh_status status = rt_steady_evaluate(k, false, error);
    if (!status) status = relax_steps(k, reached, error);
    k->per_step = 0;
    return status == ROUTH_NUMERIC_ERROR ? ROUTH_OK : status;
}
