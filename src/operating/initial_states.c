/* States of controllers that have no initial value, at a given motion of the mechanism: where their
 * rates are zero, if there is such a place.
 *
 * Unknowns are those x in place of their x' (held at zero), with v, u' and lambda. An integrator
 * leaves its x open: of all steps the smallest is taken, J^+ for J^-1. Where the equations cannot
 * be met, the state whose own stands most against it (in what J does not reach) keeps its value, x'
 * is its unknown again, and the search begins anew. */
#include <stdlib.h>

#include "operating/signals.h"

/* States whose place is still looked for. */
static void set_unknowns(rt_search *s, const bool *free_x)
{
    rt_signals *k = s->signals;
    for (int i = 0; i < k->n_x; i++) {
        k->place[i] = free_x[i] ? i : k->n_x + i;
        if (free_x[i]) s->state->signal[k->n_x + i] = 0;
    }
}

/* Of the equations as they stand: what J does not reach. The free state with most of that, or with
 * the largest error; -1 where there is none. */
static int most_against(const rt_search *s, const bool *free_x)
{
    const rt_signals *k = s->signals;
    const rt_least_norm *svd = k->least_norm;
    const size_t n = (size_t)k->n;
    double most = -1;
    int at = -1;
    for (int i = 0; i < k->n_x; i++) {
        double part = 0;
        for (size_t l = 0; l < n; l++) {
            if (svd->sigma[l] > RT_LEAST_SINGULAR * svd->sigma[0]) continue;
            double along = 0;
            for (size_t r = 0; r < n; r++)
                along += svd->u[r + n * l] * k->rows[r].value / k->row_scale[r];
            part += along * svd->u[(size_t)i + n * l];
        }
        const double error = fabs(k->rows[i].value) / k->row_scale[i];
        const double size = fabs(part) + 1e-6 * error;
        if (free_x[i] && size > most) most = size, at = i;
    }
    return at;
}

static routh_status place_states(rt_search *s, bool *free_x, const double *written,
                                 routh_error *error)
{
    rt_signals *k = s->signals;
    for (int left = k->n_x; left >= 0; left--) {
        set_unknowns(s, free_x);
        k->least_norm->steps = 0;
        const routh_status status = rt_find_signals(s, !rt_small_exists(s->m), error);
        if (status != ROUTH_NUMERIC_ERROR) return status;
        const int against = most_against(s, free_x);
        if (against < 0) return ROUTH_OK;
        free_x[against] = false;
        k->lost[against] = k->least_norm->steps > 0;
        memcpy(s->state->signal, written, (size_t)s->m->n_signals * sizeof *written);
        set_unknowns(s, free_x);
        memset(s->state->signal + k->n_x, 0, (size_t)k->n_x * sizeof *written);
        const routh_status again = rt_find_motion(s, error);
        if (again) return again;
    }
    return ROUTH_OK;
}

static void use_places(rt_signals *k, const bool *free_x)
{
    k->least_norm = NULL;
    for (int i = 0; i < k->n_x; i++) {
        k->place[i] = k->n_x + i;
        k->placed[i] = free_x[i];
    }
}

routh_status rt_find_initial_states(rt_search *s, routh_error *error)
{
    rt_signals *k = s->signals;
    const rt_control_state *states = s->m->model->control_states;
    rt_arena arena = {.kept = s->m->analyses};
    int n_free = 0;
    for (int i = 0; k && i < k->n_x; i++) k->lost[i] = false;
    for (int i = 0; k && i < k->n_x; i++) n_free += !states[i].initial_given;
    if (n_free == 0) return ROUTH_OK;
    const size_t n = (size_t)k->n;
    rt_least_norm svd = {.u = RT_TAKE(&arena, double, n *n),
                         .vt = RT_TAKE(&arena, double, n *n),
                         .sigma = RT_TAKE(&arena, double, n),
                         .work = RT_TAKE(&arena, double, n)};
    bool *free_x = RT_TAKE(&arena, bool, k->n_x);
    double *written = RT_TAKE(&arena, double, s->m->n_signals);
    routh_status status = svd.u && svd.vt && svd.sigma && svd.work && free_x && written
                              ? rt_find_motion(s, error)
                              : rt_fail_memory(error);
    if (!status) {
        for (int i = 0; i < k->n_x; i++) free_x[i] = !states[i].initial_given;
        memcpy(written, s->state->signal, (size_t)s->m->n_signals * sizeof *written);
        k->least_norm = &svd;
        status = place_states(s, free_x, written, error);
        use_places(k, free_x);
    }
    rt_arena_free(&arena);
    return status;
}
