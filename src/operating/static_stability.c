/* Is an equilibrium that was found stable? Of a closed loop its eigenvalues tell; of forces without
 * a potential the motion about it (circulatory.c); of all others the smallest eigenvalue of the
 * reduced stiffness (stable.c, softest.c). */
#include <math.h>

#include "operating/static_signals.h"

enum {
    WHAT = RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN | RT_EVALUATE_RESIDUAL | RT_EVALUATE_MASS |
           RT_EVALUATE_TANGENT,
    MOST_STATES_FOR_STABILITY = 400
};

/* By the eigenvalues of the closed loop; a loop that cannot be solved with accelerations has
 * none. */
static routh_status examine_loop(rt_search *s, int z, bool *stable, double *growth,
                                 routh_error *error)
{
    double rounding;
    routh_status status = rt_evaluate_once(s->m, s->w, s->state, WHAT, error);
    if (!status) status = rt_signals_evaluate(s, true, error);
    if (status) return status;
    status = rt_closed_loop(s, z, growth, &rounding, &s->oscillates, error);
    if (status == ROUTH_SINGULAR) {
        s->stable_unknown = true;
        return ROUTH_OK;
    }
    *stable = status || *growth <= rounding;
    return status;
}

/* Stable for certain: nothing below what rounding may make of zero. */
static routh_status examine_large(rt_search *s, bool *stable, routh_error *error)
{
    double rounding, unused;
    const routh_status status = rt_softest_above(s, 0, stable, &rounding, error);
    return status || !*stable ? status : rt_softest_above(s, rounding, stable, &unused, error);
}

/* Of forces without a potential, by the linear motion; dense matrices, so of small mechanisms. */
static routh_status examine_motion(rt_search *s, bool large, bool *stable, double *growth,
                                   routh_error *error)
{
    rt_growth found;
    s->stable_unknown = large;
    if (large) return ROUTH_OK;
    const routh_status status = rt_find_growth(s, &found, error);
    if (status) return status;
    *stable = found.stable;
    *growth = found.rate;
    s->oscillates = found.oscillates;
    return ROUTH_OK;
}

/* Where all forces are rounding, what they make of the stiffness is too: of the mu of K - mu M that
 * it may be, the largest z_c / (L M_cc). */
static double unstrained_noise(rt_search *s)
{
    const rt_pattern *M = &s->m->pattern_M;
    double worst = 0;
    if (rt_largest_force(s) > rt_rounding_force(s)) return 0;
    for (int c = 0; c < s->m->n_u; c++)
        for (int e = M->start[c]; e < M->start[c + 1]; e++)
            if (M->row[e] == c && s->w->M[e] > 0)
                worst = fmax(worst, s->z[c] / (s->w->M[e] * s->unit[c] * s->m->length));
    return worst;
}

routh_status rt_examine_equilibrium(rt_search *s, bool *stable, double *growth, routh_error *error)
{
    *stable = true;
    s->oscillates = false;
    const int z = s->m->n_u - s->rank->rank;
    if (s->signals && z + s->signals->n_x <= MOST_STATES_FOR_STABILITY)
        return z + s->signals->n_x ? examine_loop(s, z, stable, growth, error) : ROUTH_OK;
    if (z == 0) return ROUTH_OK;
    const bool large = z > MOST_STATES_FOR_STABILITY;
    s->stable_unknown = s->signals || (large && s->m->n_nonholonomic);
    if (s->stable_unknown) return ROUTH_OK;
    double mu = 0, a = 0;
    bool above = false;
    for (int k = 0; k < 3; k++) a = fmax(a, fabs(s->m->gravity[k]));
    /* double zeros, which only a K that is not symmetric has, come out at the root of rounding */
    double least = -(s->m->n_nonholonomic ? 1e-6 : 1e-9) * fmax(1, a / s->m->length);
    /* where rows are redundant only here, R'KR depends on the multipliers met on the way */
    routh_status status = rt_smallest_multipliers(s, error);
    if (!status && s->rank->rank < s->m->n_rows)
        status = rt_evaluate(s->m, s->w, s->state, WHAT, error);
    least = fmin(least, -unstrained_noise(s));
    if (!status && s->m->n_nonholonomic == 0 && rt_is_circulatory(s))
        return examine_motion(s, large, stable, growth, error);
    if (!status && s->m->n_nonholonomic == 0)
        status = large ? examine_large(s, &above, error)
                       : rt_softest_above(s, least, &above, &mu, error);
    s->stable_unknown = large && !above;
    if (status || above || large) return status;
    status = rt_softest_direction(s, &mu, error);
    *stable = status || mu >= least;
    return status;
}
