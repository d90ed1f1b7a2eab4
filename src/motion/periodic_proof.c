/* Is the model itself periodic with the period, along the motion? */
#include <stdlib.h>

#include "base/pi.h"
#include "motion/periodic.h"

/* Y at all samples of a round. */
typedef struct periodic_proof {
    size_t n, n_samples;
    double *samples;
} periodic_proof;

/* The largest entry of diag(1/size) Y diag(size), or of a difference of two. */
static double largest_variation(const periodic_proof *p, const double *Y, const double *other,
                                const double *size)
{
    double most = 0;
    for (size_t k = 0; k < p->n_samples; k++)
        for (size_t i = 0; i < p->n; i++)
            for (size_t j = 0; j < p->n; j++) {
                const size_t at = (k * p->n + i) * p->n + j;
                const double y = other ? Y[at] - other[at] : Y[at];
                most = fmax(most, fabs(y) * size[j] / size[i]);
            }
    return most;
}

/* One more round, from where the last one ended and at that time. */
static routh_status next_round(rt_shooting *s, double period, int steps, routh_error *error)
{
    rt_orbit *o = s->o;
    rt_state_copy(o->m, o->start, o->run.now);
    return rt_orbit_round(o, period, steps, error);
}

static routh_status compare_rounds(rt_shooting *s, double period, periodic_proof *p,
                                   double *difference, routh_error *error)
{
    rt_orbit *o = s->o;
    const size_t all = p->n_samples * p->n * p->n;
    memcpy(p->samples, o->sample, all * sizeof *p->samples);
    routh_status status = next_round(s, period, o->steps, error);
    if (status) return status;
    const double size = largest_variation(p, p->samples, NULL, s->size);
    *difference = largest_variation(p, p->samples, o->sample, s->size) / fmax(1, size);
    rt_shooting_compare(s);
    *difference = fmax(*difference, s->closure / fmax(1, size));
    return ROUTH_OK;
}

/* Has an angle that counts turns gone on, though all bodies came back? */
static bool winds(const rt_orbit *o)
{
    for (int k = 0; k < o->m->model->n_angles; k++)
        if (fabs(o->run.now->near[k] - o->start->near[k]) > RT_PI) return true;
    return false;
}

static routh_status fail_proof(bool driven, double period, double difference, routh_error *error)
{
    if (!driven)
        return rt_fail(error, ROUTH_NUMERIC_ERROR,
                       "the motion is not periodic with %.10g s: all bodies come back, but an "
                       "angle that counts turns has gone on, and the motion or the linear model "
                       "along it differs by %.2g in the next period; make the forces periodic in "
                       "the angle, or give a period after which they are the same (--period)",
                       period, difference);
    return rt_fail(error, ROUTH_NUMERIC_ERROR,
                   "the model is not periodic with %.10g s: the motion and the linear model along "
                   "it are not the same in the next period, they differ by %.2g; give the period "
                   "of the model's functions of time",
                   period, difference);
}

routh_status rt_prove_period(rt_shooting *s, double period, double tolerance, routh_error *error)
{
    rt_orbit *o = s->o;
    const bool driven = rt_orbit_is_driven(o);
    if (!driven && !winds(o)) return ROUTH_OK;
    periodic_proof p = {.n = (size_t)o->n, .n_samples = RT_ORBIT_SAMPLES};
    rt_state *from = NULL;
    p.samples = calloc(p.n_samples * p.n * p.n + 1, sizeof *p.samples);
    routh_status status = p.samples ? ROUTH_OK : rt_fail_memory(error);
    const double closure = s->closure;
    const int steps = o->steps;
    double difference = 0;
    if (!status) status = rt_state_create(&from, o->m, error);
    if (!status) rt_state_copy(o->m, from, o->start);
    if (!status) status = compare_rounds(s, period, &p, &difference, error);
    if (!status && !(difference <= fmax(tolerance, 1e3 * closure)))
        status = fail_proof(driven, period, difference, error);
    /* the round of before, whose results are told */
    if (!status) rt_state_copy(o->m, o->start, from);
    if (!status) status = rt_shooting_find(s, &period, false, false, steps, 0, error);
    rt_state_free(from);
    free(p.samples);
    return status;
}
