/* Eigenvalues near a number, of pencils that are no symmetric ones: found, counted by the winding
 * number, and sought again where some are missing. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "answers/wanted_parts.h"
#include "answers/winding.h"

/* The circle of the count lies in the widest gap, at least so wide, relative to the distance. */
static const double GAP = 1e-5;

/* One that is known to few digits is no answer, but there is one. */
static const double WORST_KNOWN = 1e-5;

/* Whole systems of so many states, whose eigenvalues are all computed where a search leaves them
 * uncounted. */
enum { MOST_DENSE = 600 };

enum { MOST_RENEWALS = 8, FEWEST = 6, A_FEW = 2, POINTS = 64, MOST_POINTS = 256 };

/* ---- what there is -------------------------------------------------------------------------- */

static int values_among(const rt_wanted_search *q, int n)
{
    int values = 0;
    for (int k = 0; k < n; k++) values += rt_values_of(&q->found[k]);
    return values;
}

/* Leading ones that solve the equations so far: to be accepted, or to be counted. */
static int n_good(const rt_wanted_search *q, double worst)
{
    int n = 0;
    while (n < q->n_found && q->found[n].errors.residual <= worst) n++;
    return n;
}

/* ---- the count ------------------------------------------------------------------------------ */

/* After which of them the way to the next is widest; 0: nowhere. */
static int wanted_count_choose_gap(const rt_wanted_search *q, int enough, int good)
{
    int best = 0;
    double widest = GAP;
    for (int k = enough; k > 0 && k < good; k++) {
        const double far = q->found[k].distance, gap = (far - q->found[k - 1].distance) / far;
        if (gap > widest) widest = gap, best = k;
    }
    return best;
}

static routh_status count_disc(rt_wanted_search *q, rt_wanted_complex *w, int good, double radius,
                               int most_points, rt_winding *winding, routh_error *error)
{
    double _Complex *known = malloc(2 * ((size_t)good + 1) * sizeof *known);
    int n = 0;
    if (!known) return rt_fail_memory(error);
    for (int k = 0; k < good; k++) {
        const rt_candidate *c = &q->found[k];
        const double _Complex lambda = c->rigid ? 0 : c->lambda[0] + I * c->lambda[1];
        known[n++] = lambda;
        if (rt_values_of(c) == 2) known[n++] = conj(lambda);
    }
    *winding = (rt_winding){.middle = q->near[0] + I * q->near[1],
                            .radius = radius,
                            .most_points = most_points,
                            .known = known,
                            .n_known = n};
    const routh_status status = rt_winding_count(winding, &w->shifted, error);
    winding->known = NULL;
    free(known);
    return status;
}

/* Either all is done, or *missing more are to be sought: some too where det turns too fast, as it
 * does beside one that is missing near the circle. */
static routh_status wanted_count(rt_wanted_search *q, rt_wanted_complex *w, bool last, int *missing,
                                 bool *done, routh_error *error)
{
    const int n_states = q->pencil->descriptor->linear->n_states;
    const int enough = rt_wanted_enough(q), good = n_good(q, WORST_KNOWN),
              gap = wanted_count_choose_gap(q, enough, good);
    rt_winding winding;
    *missing = 0;
    *done = true;
    if (n_good(q, RT_WORST_RESIDUAL) < enough) return ROUTH_OK; /* refused later */
    if (values_among(q, good) >= n_states) {
        q->counted = ROUTH_COUNT_ALL;
        q->radius = rt_wanted_radius(q, enough);
        return ROUTH_OK;
    }
    *done = false;
    *missing = values_among(q, good) < q->count ? q->count - values_among(q, good) : A_FEW;
    if (!gap) return ROUTH_OK; /* as yet they all lie together */
    const double radius = 0.5 * (q->found[gap - 1].distance + q->found[gap].distance);
    const routh_status status =
        count_disc(q, w, good, radius, last ? MOST_POINTS : POINTS, &winding, error);
    if (status) return status;
    *done = winding.told ? winding.missing == 0 : last;
    *missing = winding.told ? winding.missing : last ? 0 : A_FEW;
    if (!winding.told || winding.missing) return ROUTH_OK;
    q->counted = ROUTH_COUNT_WINDING;
    q->radius = rt_wanted_radius(q, enough);
    return ROUTH_OK;
}

static routh_status wanted_count_miscounted(const rt_wanted_search *q, int missing,
                                            routh_error *error)
{
    const double rate = q->pencil->rate;
    return rt_fail(error, ROUTH_NUMERIC_ERROR,
                   "near %g %+gi 1/s there are %d %s eigenvalues by the winding number of the "
                   "determinant than the %d that were found in %d solves; request more or fewer "
                   "(--wanted), or give another number (--near)",
                   q->near[0] * rate, q->near[1] * rate, abs(missing),
                   missing > 0 ? "more" : "fewer", values_among(q, q->n_found), q->n_solves);
}

static routh_status find_and_count(rt_wanted_search *q, rt_wanted_complex *w, bool uncounted,
                                   routh_error *error)
{
    int missing = 0, untold = 0;
    bool done = uncounted;
    const bool real = q->near[1] == 0 && (q->solver || q->pencil->n >= FEWEST);
    routh_status status =
        real ? rt_wanted_real(q, error) : rt_wanted_complex_run(q, w, missing, error);
    for (int k = 0; k < MOST_RENEWALS && !status && !done; k++) {
        status = wanted_count(q, w, k + 1 == MOST_RENEWALS || untold > 1, &missing, &done, error);
        untold += missing == A_FEW;
        if (status || done) break;
        if (missing < 0) return wanted_count_miscounted(q, missing, error);
        status = rt_wanted_complex_run(q, w, missing, error);
    }
    if (status || done || missing == 0) return status;
    return wanted_count_miscounted(q, missing, error);
}

routh_status rt_wanted_general(rt_wanted_search *q, bool uncounted, routh_error *error)
{
    rt_wanted_complex w = {0};
    routh_status status = ROUTH_OK;
    bool small = false;
    status = rt_wanted_is_small(q, &small, error);
    if (status || small) return status ? status : rt_wanted_small(q, error);
    if (q->solver) uncounted = true;
    if (!uncounted || q->near[1] != 0 || q->pencil->n < FEWEST)
        status = rt_shifted_complex_create(&w.shifted, q->pencil, error);
    if (!status) status = find_and_count(q, &w, uncounted, error);
    const int enough = rt_wanted_enough(q);
    for (int k = 0; k < enough && q->pencil->whole && w.shifted.factor && !status; k++)
        if (!q->found[k].rigid) status = rt_wanted_bound(q, &w.shifted, &q->found[k], error);
    rt_wanted_complex_free(&w);
    const bool open = !uncounted && q->counted == ROUTH_COUNT_NONE;
    if (!q->pencil->whole || q->pencil->n > MOST_DENSE ||
        (status != ROUTH_NUMERIC_ERROR && (status || !open)))
        return status;
    return rt_wanted_small(q, error); /* slower, and sure */
}
