#include "answers/response_stationary.h"

#include <math.h>
#include <stdio.h>

/* A mode whose part is below this beside the largest part of any mode is hidden. */
static const double HIDDEN = 1e-10;

static bool decays(const routh_mode *mode) { return mode->eigenvalue[0] < -mode->error_bound; }

/* As tables count: a pair once. */
static int row_in_tables(const routh_modes *modes, int k)
{
    int number = 0;
    for (int i = 0; i <= k; i++) number += modes->modes[i].conjugate >= i;
    return number;
}

static double driven_by(const rt_random_task *t, int k)
{
    double most = 0;
    const int in = t->modal->transfer.n_in;
    for (int name = 0; name < rt_spectrum_names(t->spectrum); name++)
        for (int d = 0; d < 3; d++)
            most = fmax(most, cabs(t->modal->b[d][(size_t)k * (size_t)in + t->place[name]]));
    return most;
}

static double observed_in(const rt_random_task *t, int k)
{
    double most = 0;
    for (int i = 0; i < t->modal->transfer.n_out; i++)
        most = fmax(most, cabs(t->modal->c[(size_t)i * (size_t)t->modal->n + (size_t)k]));
    return most;
}

static bool is_hidden(const rt_random_task *t, int k,
                      double (*part)(const rt_random_task *t, int k))
{
    double most = 0;
    for (int i = 0; i < t->modal->n; i++) most = fmax(most, part(t, i));
    return part(t, k) <= HIDDEN * most;
}

/* "", or why it does not show in the outputs. */
static const char *hidden_words(const rt_random_task *t, int k)
{
    if (!t->modal) return "";
    const bool undriven = is_hidden(t, k, driven_by), unseen = is_hidden(t, k, observed_in);
    return undriven && unseen ? ", although no random input drives it and no output observes it"
           : undriven         ? ", although no random input drives it: whatever moves it stays"
           : unseen           ? ", although no output observes it"
                              : "";
}

/* "mode 3 (eigenvalue 0.1 +- 6.3i 1/s)" */
static void name_mode(const routh_modes *modes, int k, char *text, size_t size)
{
    const double *s = modes->modes[k].eigenvalue;
    if (s[1] != 0)
        snprintf(text, size, "mode %d (eigenvalue %.6g +- %.6gi 1/s)", row_in_tables(modes, k),
                 s[0], fabs(s[1]));
    else
        snprintf(text, size, "mode %d (eigenvalue %.6g 1/s)", row_in_tables(modes, k), s[0]);
}

static routh_status refuse_mode(const rt_random_task *t, int k, routh_error *error)
{
    const routh_mode *mode = &t->modes->modes[k];
    char name[96];
    name_mode(t->modes, k, name, sizeof name);
    if (mode->eigenvalue[0] > mode->error_bound)
        return rt_fail(error, ROUTH_NUMERIC_ERROR,
                       "the response to random inputs is not stationary: %s grows%s; make the "
                       "operating point stable",
                       name, hidden_words(t, k));
    return rt_fail(error, ROUTH_NUMERIC_ERROR,
                   "the response to random inputs is not stationary: %s does not decay, its real "
                   "part is known to %.2g 1/s%s; damp it, or hold it by a joint",
                   name, mode->error_bound, hidden_words(t, k));
}

/* A rigid-body motion, driven and observed, is a random walk. Of motions given by their velocity or
 * acceleration the poles at 0 are the inputs' own. */
static routh_status refuse_drift(const rt_random_task *t, const routh_response *r,
                                 routh_error *error)
{
    for (int name = 0; name < rt_spectrum_names(t->spectrum); name++)
        for (int i = 0; i < r->n_outputs; i++) {
            const int in = t->place[name];
            const routh_response_channel *c = &r->channels[i * r->n_inputs + in];
            if (t->power[in] || !isinf(c->static_gain)) continue;
            return rt_fail(
                error, ROUTH_NUMERIC_ERROR,
                "the response to random inputs is not stationary: %s drives a rigid-body "
                "motion that %s observes, a random walk; observe its acceleration "
                "instead, or hold it",
                r->inputs[in], r->outputs[i]);
        }
    return ROUTH_OK;
}

routh_status rt_random_is_stationary(const rt_random_task *t, const routh_response *r,
                                     routh_error *error)
{
    for (int k = 0; t->modes && k < t->modes->n; k++) {
        const routh_mode *mode = &t->modes->modes[k];
        if (mode->rigid || decays(mode)) continue;
        return refuse_mode(t, k, error);
    }
    return refuse_drift(t, r, error);
}
