/* The band is cut into pieces of equal ratio. What |H| is at most in a piece, it is at one of its
 * ends or at a peak in it, and its derivative by a parameter is that of |H| at this frequency as it
 * stands, also while a peak passes from one piece to the next: so a piece with one peak is smooth
 * in the parameters, as the largest of a whole band is not. */
#include "studies/optimise_peaks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "routh/sensitivity.h"

typedef struct optimise_peaks_found {
    routh_linear *linear; /* own, where the ground moves */
    routh_response *response;
    routh_response_sensitivity *by;
    double *hz; /* pieces + 1 ends, then peaks */
    int n;
    const char **names;
} optimise_peaks_found;

static routh_status optimise_peaks_fail_goal(const rt_optimise_task *t, const rt_study_goal *g,
                                             routh_status status, const char *why,
                                             routh_error *error)
{
    char element[100];
    snprintf(element, sizeof element, "goal %.80s", g->name);
    return rt_fail_at(error, status, t->study->file, g->text_place, element, "%s", why);
}

static double end_of_piece(const rt_study_goal *g, int k)
{
    if (k == 0 || k == g->pieces) return g->band[k > 0];
    return g->band[0] * pow(g->band[1] / g->band[0], (double)k / g->pieces);
}

/* What the ground does is told by the energy shares. */
static routh_status optimise_peaks_find_linear(optimise_peaks_found *f, const rt_optimise_task *t,
                                               const rt_iterate *it, routh_error *error)
{
    const routh_linear *like = it->solution.linear;
    routh_linear_options how = routh_linear_defaults();
    how.method = t->options->method;
    how.reference = t->options->reference;
    how.threads = 1;
    how.markers = 0;
    const char **names = calloc((size_t)like->n_position + 1, sizeof *names);
    if (!names) return rt_fail_memory(error);
    for (int k = 0; k < like->n_position; k++) names[k] = like->states[k].name;
    how.states = names;
    const routh_status status =
        routh_linear_compute(&f->linear, it->mechanism, it->solution.point, &how, error);
    free(names);
    return status;
}

static routh_status find_frequencies(optimise_peaks_found *f, const rt_study_goal *g,
                                     routh_error *error)
{
    const routh_response_channel *c = &f->response->channels[0];
    f->hz = calloc((size_t)(g->pieces + 1 + c->n_peaks), sizeof *f->hz);
    if (!f->hz) return rt_fail_memory(error);
    for (; f->n <= g->pieces; f->n++) f->hz[f->n] = end_of_piece(g, f->n);
    for (int k = 0; k < c->n_peaks; k++) {
        const routh_response_peak *peak = &c->peaks[k];
        if (!peak->minimum && !isfinite(peak->magnitude))
            return rt_fail(error, ROUTH_NUMERIC_ERROR,
                           "the response is infinite at %g Hz, because of an undamped mode; add "
                           "damping, or change `over`",
                           peak->hz);
        if (!peak->minimum) f->hz[f->n++] = peak->hz;
    }
    return ROUTH_OK;
}

static routh_status optimise_peaks_find(optimise_peaks_found *f, const rt_optimise_task *t,
                                        const rt_study_goal *g, const rt_iterate *it,
                                        routh_error *error)
{
    routh_response_options how = routh_response_defaults();
    how.inputs = g->input;
    how.outputs = g->text;
    how.base = g->base;
    how.reference = g->reference;
    how.low = g->band[0], how.high = g->band[1];
    const int n = t->study->n_variables;
    f->names = calloc((size_t)n + 1, sizeof *f->names);
    if (!f->names) return rt_fail_memory(error);
    for (int k = 0; k < n; k++) f->names[k] = t->study->variables[k].name;
    routh_status status = g->base ? optimise_peaks_find_linear(f, t, it, error) : ROUTH_OK;
    const routh_linear *linear = f->linear ? f->linear : it->solution.linear;
    if (!status) status = routh_response_compute(&f->response, linear, it->modes, &how, error);
    if (!status && f->response->n_channels != 1)
        status = rt_fail(error, ROUTH_BAD_ARGUMENT,
                         "a peak needs one output and one input; give "
                         "one `input`, or `base`");
    if (!status) status = find_frequencies(f, g, error);
    const routh_response_sensitivity_options by = {
        .parameters = f->names, .hz = f->hz, .n_hz = f->n};
    return status ? status
                  : routh_response_sensitivity_compute(&f->by, it->mechanism, it->solution.point,
                                                       linear, f->response, &how, &by, error);
}

/* At which of the frequencies |H| is largest in piece k. */
static int optimise_peaks_largest(const optimise_peaks_found *f, const rt_study_goal *g, int k)
{
    int best = k;
    double most = -1;
    for (int i = 0; i < f->n; i++) {
        const bool inside = i <= g->pieces ? i == k || i == k + 1
                                           : f->hz[i] >= f->hz[k] && f->hz[i] <= f->hz[k + 1];
        const double size = hypot(f->by->H[i][0], f->by->H[i][1]);
        if (inside && size > most) most = size, best = i;
    }
    return best;
}

/* Where H is 0 throughout a piece, so is its derivative taken. */
static routh_status optimise_peaks_take(const optimise_peaks_found *f, const rt_study_goal *g,
                                        int n_x, double *value, double *by, double *hz,
                                        routh_error *error)
{
    for (int k = 0; k < g->pieces; k++) {
        const int i = optimise_peaks_largest(f, g, k);
        value[k] = hypot(f->by->H[i][0], f->by->H[i][1]);
        hz[k] = f->hz[i];
        for (int p = 0; p < n_x; p++) {
            const double slope = f->by->magnitude_by[p * f->n + i];
            by[k * n_x + p] = value[k] > 0 ? slope : 0;
            if (!isfinite(value[k]) || !isfinite(by[k * n_x + p]))
                return rt_fail(error, ROUTH_NUMERIC_ERROR,
                               "the response has no derivative at %g Hz; change `over` or "
                               "`subbands`",
                               hz[k]);
        }
    }
    return ROUTH_OK;
}

routh_status rt_peaks_evaluate(const rt_optimise_task *t, int goal, const rt_iterate *it,
                               double *value, double *by, double *hz, routh_error *error)
{
    const rt_study_goal *g = &t->study->goals[goal];
    optimise_peaks_found f = {0};
    routh_error problem = {0};
    routh_status status = optimise_peaks_find(&f, t, g, it, &problem);
    if (!status)
        status = optimise_peaks_take(&f, g, t->study->n_variables, value, by, hz, &problem);
    routh_response_sensitivity_free(f.by);
    routh_response_free(f.response);
    routh_linear_free(f.linear);
    free(f.hz);
    free(f.names);
    if (status == ROUTH_OUT_OF_MEMORY) return rt_fail_memory(error);
    if (status == ROUTH_BAD_ARGUMENT) status = ROUTH_MODEL_ERROR;
    return status ? optimise_peaks_fail_goal(t, g, status, problem.message, error) : ROUTH_OK;
}
