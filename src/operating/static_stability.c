/* Is an equilibrium that was found stable? Of a closed loop its eigenvalues tell; of forces without
 * a potential the motion about it (circulatory.c); of all others the smallest eigenvalue of the
 * reduced stiffness (stable.c, softest.c). */
#include <float.h>
#include <math.h>

#include "base/kept_memory.h"
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

/* What bodies take part in the softest direction x, which is 1 long. */
typedef struct soft_body {
    double force, rounding; /* the largest on it, and what rounding makes of its forces */
    bool moves, rotates;
} soft_body;

static void soft_bodies_find(const rt_search *s, soft_body *bodies)
{
    static const double PART = 1e-6;
    for (int c = 0; c < s->m->n_u; c++) {
        int body;
        bool angle;
        double per_radian;
        rt_column(s->m, c, &body, &angle, &per_radian);
        soft_body *b = &bodies[body];
        const bool moves = fabs(s->x[c]) / s->unit[c] > PART;
        b->force = fmax(b->force, s->w->scale[c] * s->unit[c]);
        b->rounding = fmax(b->rounding, s->z[c] * s->unit[c]);
        b->moves = b->moves || moves;
        b->rotates = b->rotates || (moves && angle);
    }
}

/* x'M x */
static double soft_mass(const rt_search *s)
{
    const rt_pattern *M = &s->m->pattern_M;
    double sum = 0;
    for (int c = 0; c < s->m->n_u; c++)
        for (int e = M->start[c]; e < M->start[c + 1]; e++)
            sum += s->x[M->row[e]] * s->w->M[e] * s->x[c];
    return sum;
}

/* |x|'|K| |x| */
static double soft_stiffness(const rt_search *s)
{
    const rt_pattern *K = &s->m->pattern_K;
    double sum = 0;
    for (int c = 0; c < s->m->n_u; c++)
        for (int e = K->start[c]; e < K->start[c + 1]; e++)
            sum += fabs(s->x[K->row[e]] * s->w->K[e] * s->x[c]);
    return sum;
}

/* What rounding makes of mu = x'K x / x'M x: that of the entries of K,
 *
 *     4 eps |x|'|K| |x| / x'M x,
 *
 * and where no body that x moves bears more than rounding, forces that are rounding make rounding
 * of the stiffness of what rotates them:
 *
 *     |x|'|K|d / (L x'M x)        over the bodies that x rotates. */
static routh_status soft_noise(rt_search *s, double *noise, bool *bears, routh_error *error)
{
    soft_body *bodies = rt_kept_calloc(s->m->analyses, (size_t)s->m->n_bodies + 1, sizeof *bodies);
    double sum = 0;
    bool strained = false;
    *noise = 0;
    if (!bodies) return rt_fail_memory(error);
    (void)rt_rounding_force(s); /* z */
    soft_bodies_find(s, bodies);
    for (int b = 0; b < s->m->n_bodies; b++)
        strained = strained || (bodies[b].moves && bodies[b].force > bodies[b].rounding);
    for (int c = 0; c < s->m->n_u; c++) {
        int body;
        bool angle;
        double per_radian;
        rt_column(s->m, c, &body, &angle, &per_radian);
        if (bodies[body].rotates) sum += fabs(s->x[c]) * s->z[c];
    }
    rt_kept_free(bodies);
    const double mass = soft_mass(s), entries = 4 * DBL_EPSILON * soft_stiffness(s);
    *bears = strained;
    if (mass > 0) *noise = (entries + (strained ? 0 : sum / s->m->length)) / mass;
    return ROUTH_OK;
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
    const double least = -(s->m->n_nonholonomic ? 1e-6 : 1e-9) * fmax(1, a / s->m->length);
    /* where rows are redundant only here, R'KR depends on the multipliers met on the way */
    routh_status status = rt_smallest_multipliers(s, error);
    if (!status && s->rank->rank < s->m->n_rows)
        status = rt_evaluate(s->m, s->w, s->state, WHAT, error);
    if (!status && s->m->n_nonholonomic == 0 && rt_is_circulatory(s))
        return examine_motion(s, large, stable, growth, error);
    if (!status && s->m->n_nonholonomic == 0)
        status = large ? examine_large(s, &above, error)
                       : rt_softest_above(s, least, &above, &mu, error);
    s->stable_unknown = large && !above;
    if (status || above || large) return status;
    status = rt_softest_direction(s, &mu, error);
    *stable = status || mu >= least;
    if (*stable) return status;
    double noise;
    bool strained = false;
    status = soft_noise(s, &noise, &strained, error);
    *stable = status || mu >= -noise;
    s->stable_unknown = *stable && strained;
    return status;
}
