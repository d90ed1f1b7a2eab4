/* Which modes take part. A mesh has modes far faster than what it was made for; a record of eight
 * periods of the slowest mode that samples them all has
 *
 *     n = 2 |s_fastest| T
 *
 * samples, and the integration several steps for each. Where that is too many, and flexible bodies
 * or beams are what brings them, the experiment is one of the slow modes: as many as a record of
 * BAND_SAMPLES holds. The band ends halfway to the next, in logarithms. */
#include <math.h>
#include <stdlib.h>

#include "base/pi.h"
#include "model/load_class.h"
#include "studies/confirm.h"

enum { BAND_SAMPLES = 2000 };

bool rt_confirm_has(const rt_confirm_holder *h, const routh_mode *mode)
{
    return mode->rigid || hypot(mode->eigenvalue[0], mode->eigenvalue[1]) <= h->band;
}

/* Eight periods, or until it is gone. */
double rt_confirm_wanted(const routh_mode *mode)
{
    const double decay = -mode->eigenvalue[0];
    const double periods = 8 * RT_TWO_PI / hypot(mode->eigenvalue[0], mode->eigenvalue[1]);
    return decay > 0 ? fmin(periods, 14 / decay) : periods;
}

static bool is_mesh(const routh_mechanism *m)
{
    for (int k = 0; k < m->n_loads; k++)
        if (rt_load_class_of(m->model->loads[k].type)->mesh) return true;
    return m->n_elastic > 0;
}

typedef struct pace {
    double modulus, wanted;
} pace;

static int slower(const void *a, const void *b)
{
    const double x = ((const pace *)a)->modulus, y = ((const pace *)b)->modulus;
    return (x > y) - (x < y);
}

/* After the n slowest of the paces. */
static double band_after(const pace *paces, int n)
{
    return sqrt(paces[n - 1].modulus * paces[n].modulus);
}

static double confirm_band_choose(const rt_confirm_holder *h, const pace *paces, int n)
{
    double longest = h->options.duration;
    int in = 0;
    for (int k = 0; k < n; k++) {
        if (!(h->options.duration > 0)) longest = fmax(longest, paces[k].wanted);
        if (2 * paces[k].modulus * longest <= BAND_SAMPLES || k == 0) in = k + 1;
        if (k == n - 1 && 2 * paces[k].modulus * longest <= RT_CONFIRM_SAMPLES) return INFINITY;
    }
    while (in < n && !(paces[in].modulus > paces[in - 1].modulus * (1 + 1e-6))) in++;
    return in < n ? band_after(paces, in) : INFINITY;
}

static void count_faster(rt_confirm_holder *h)
{
    for (int k = 0; k < h->modes->n; k++) {
        const routh_mode *mode = &h->modes->modes[k];
        h->result.n_faster += mode->eigenvalue[1] >= 0 && !rt_confirm_has(h, mode);
    }
    h->result.below = h->result.n_faster > 0 ? h->band / RT_TWO_PI : 0;
    if (h->result.n_faster == 0) h->band = INFINITY;
}

routh_status rt_confirm_band(rt_confirm_holder *h, routh_error *error)
{
    pace *paces = RT_TAKE(&h->arena, pace, h->modes->n);
    int n = 0;
    if (!paces) return rt_fail_memory(error);
    for (int k = 0; k < h->modes->n; k++) {
        const routh_mode *mode = &h->modes->modes[k];
        if (!mode->rigid)
            paces[n++] =
                (pace){hypot(mode->eigenvalue[0], mode->eigenvalue[1]), rt_confirm_wanted(mode)};
    }
    qsort(paces, (size_t)n, sizeof *paces, slower);
    h->band = h->options.below > 0 ? RT_TWO_PI * h->options.below : INFINITY;
    if (n > 0 && h->band < paces[0].modulus)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "no eigenvalue is below %.9g Hz, because the slowest has %.9g Hz; give a "
                       "higher limit (--below)",
                       h->options.below, paces[0].modulus / RT_TWO_PI);
    if (n > 0 && !(h->options.below > 0) && is_mesh(h->m))
        h->band = confirm_band_choose(h, paces, n);
    count_faster(h);
    return ROUTH_OK;
}
