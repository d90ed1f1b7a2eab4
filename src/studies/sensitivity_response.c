/* Derivatives of the frequency response by parameters. All numbers of the equations are varied
 * once along every parameter; then each frequency costs a factorization, and each parameter a sum
 * over the numbers that it changes. */
#include "base/pi.h"
#include "routh/sensitivity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "operating/massless.h"
#include "studies/sensitivity_job.h"
#include "studies/sensitivity_paths.h"

typedef struct sensitivity_response_holder {
    routh_response_sensitivity out; /* first */
    rt_arena arena;
} sensitivity_response_holder;

void routh_response_sensitivity_free(routh_response_sensitivity *s)
{
    if (!s) return;
    sensitivity_response_holder *h = (sensitivity_response_holder *)(void *)s;
    rt_job_free_taken(s->parameters, s->values, s->warnings, s->n_warnings);
    rt_arena_free(&h->arena);
    free(h);
}

/* The numbers that change along a parameter. */
typedef struct sensitivity_response_slopes {
    int n;
    int *number;
    double *slope;
} sensitivity_response_slopes;

typedef struct sensitivity_response_task {
    sensitivity_response_holder *h;
    rt_sensitivity_job job;
    const routh_linear *linear;
    const routh_response *response;
    const routh_response_options *asked;
    rt_channels channels;
    rt_paths paths;
    sensitivity_response_slopes *along; /* n_parameters */
    int *power; /* n_in: H over so many s, of motions by velocity or acceleration */
    double _Complex *z[3], *a[2], *G; /* z[0]: n_in columns, a[0]: n_out */
    double _Complex *by[2];           /* n_parameters: of H and of H' at a peak */
} sensitivity_response_task;

/* ---- what was asked for ---------------------------------------------------------------------- */

static bool same_names(char *const *a, const rt_channel *b, int n)
{
    for (int k = 0; k < n; k++)
        if (strcmp(a[k], b[k].name) != 0) return false;
    return true;
}

static routh_status find_channels(sensitivity_response_task *t, routh_error *error)
{
    const routh_response *r = t->response;
    if (r->sparse)
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "a sparse frequency response has no derivatives by parameters; compute the "
                       "response of the linear model (without --wanted)");
    const routh_status status =
        rt_channels_find(&t->channels, t->linear, t->asked, true, &t->h->arena, error);
    if (status) return status;
    const rt_channels *c = &t->channels;
    if (c->n_in != r->n_inputs || c->n_out != r->n_outputs ||
        !same_names(r->inputs, c->in, c->n_in) || !same_names(r->outputs, c->out, c->n_out))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the response has other inputs or outputs than these options; give the "
                       "options of the response");
    return ROUTH_OK;
}

static routh_status sensitivity_response_begin(sensitivity_response_task *t,
                                               const routh_mechanism *mechanism,
                                               const routh_operating_point *point,
                                               routh_error *error)
{
    const routh_linear *l = t->linear;
    const routh_status status = rt_job_begin_like(&t->job, mechanism, point, l, error);
    if (status) return status;
    return rt_paths_create(&t->paths, &t->job.pencil, &t->job.holder->linear, l, &t->channels,
                           &t->job.arena, error);
}

/* ---- numbers that change --------------------------------------------------------------------- */

static routh_status keep_slopes(sensitivity_response_task *t, sensitivity_response_slopes *s,
                                routh_error *error)
{
    const double *x = t->paths.varied;
    for (int k = 0; k < t->paths.n_varied; k++) s->n += x[k] != 0;
    s->number = RT_TAKE(&t->job.arena, int, s->n);
    s->slope = RT_TAKE(&t->job.arena, double, s->n);
    if (!s->number || !s->slope) return rt_fail_memory(error);
    for (int k = 0, n = 0; k < t->paths.n_varied; k++)
        if (x[k] != 0) s->number[n] = k, s->slope[n++] = x[k];
    return ROUTH_OK;
}

static routh_status sensitivity_response_find_slopes(sensitivity_response_task *t,
                                                     routh_error *error)
{
    const int n = t->job.n_parameters;
    t->along = RT_TAKE(&t->job.arena, sensitivity_response_slopes, n);
    if (!t->along) return rt_fail_memory(error);
    routh_status status = ROUTH_OK;
    for (int p = 0; p < n && !status; p++) {
        status = rt_job_vary(&t->job, p, error);
        if (!status) status = rt_paths_vary(&t->paths, t->job.variation, error);
        if (!status) status = keep_slopes(t, &t->along[p], error);
    }
    return status;
}

static double _Complex sum_of(const sensitivity_response_slopes *s, const double _Complex *G)
{
    double _Complex sum = 0;
    for (int k = 0; k < s->n; k++) sum += s->slope[k] * G[s->number[k]];
    return sum;
}

/* ---- room ------------------------------------------------------------------------------------ */

static bool sensitivity_response_take_work(sensitivity_response_task *t)
{
    rt_arena *a = &t->job.arena;
    const size_t n = (size_t)t->paths.n;
    t->z[0] = RT_TAKE(a, double _Complex, n *(size_t)t->channels.n_in);
    t->a[0] = RT_TAKE(a, double _Complex, n *(size_t)t->channels.n_out);
    t->z[1] = RT_TAKE(a, double _Complex, n), t->z[2] = RT_TAKE(a, double _Complex, n);
    t->a[1] = RT_TAKE(a, double _Complex, n);
    t->G = RT_TAKE(a, double _Complex, t->paths.n_varied);
    t->by[0] = RT_TAKE(a, double _Complex, t->job.n_parameters);
    t->by[1] = RT_TAKE(a, double _Complex, t->job.n_parameters);
    return t->z[0] && t->z[1] && t->z[2] && t->a[0] && t->a[1] && t->G && t->by[0] && t->by[1];
}

static bool copy_texts(rt_arena *arena, char ***to, char *const *from, int n)
{
    *to = RT_TAKE(arena, char *, n);
    for (int k = 0; *to && k < n; k++)
        if (!((*to)[k] = rt_arena_text(arena, from[k], strlen(from[k])))) return false;
    return *to != NULL;
}

static bool sensitivity_response_take_arrays(routh_response_sensitivity *s, rt_arena *a)
{
    const size_t points = (size_t)s->n * (size_t)s->n_channels;
    const size_t all = points * (size_t)s->n_parameters;
    s->hz = RT_TAKE(a, double, s->n);
    s->H = (double(*)[2])RT_TAKE(a, double, 2 * points);
    s->by = (double(*)[2])RT_TAKE(a, double, 2 * all);
    s->magnitude_by = RT_TAKE(a, double, all), s->phase_by = RT_TAKE(a, double, all);
    s->magnitude_effect = RT_TAKE(a, double, all);
    return s->hz && s->H && s->by && s->magnitude_by && s->phase_by && s->magnitude_effect;
}

static bool take_peaks(routh_response_sensitivity *s, const routh_response *r, rt_arena *a)
{
    const int n = s->n_parameters;
    for (int c = 0; c < r->n_channels; c++) s->n_peaks += r->channels[c].n_peaks;
    s->peaks = RT_TAKE(a, routh_peak_sensitivity, s->n_peaks);
    for (int c = 0, to = 0; s->peaks && c < r->n_channels; c++)
        for (int k = 0; k < r->channels[c].n_peaks; k++) {
            const routh_response_peak *from = &r->channels[c].peaks[k];
            routh_peak_sensitivity *x = &s->peaks[to++];
            *x = (routh_peak_sensitivity){.input = r->channels[c].input,
                                          .output = r->channels[c].output,
                                          .minimum = from->minimum,
                                          .hz = from->hz,
                                          .magnitude = from->magnitude,
                                          .hz_by = RT_TAKE(a, double, n),
                                          .magnitude_by = RT_TAKE(a, double, n),
                                          .hz_effect = RT_TAKE(a, double, n),
                                          .magnitude_effect = RT_TAKE(a, double, n)};
            if (!x->hz_by || !x->magnitude_by || !x->hz_effect || !x->magnitude_effect)
                return false;
        }
    return s->peaks != NULL;
}

static routh_status sensitivity_response_take_out(sensitivity_response_task *t,
                                                  const routh_response_sensitivity_options *o,
                                                  routh_error *error)
{
    routh_response_sensitivity *s = &t->h->out;
    const routh_response *r = t->response;
    rt_arena *a = &t->h->arena;
    const double *hz = o->hz ? o->hz : r->hz;
    s->n_parameters = t->job.n_parameters;
    s->parameters = t->job.names, s->values = t->job.values;
    t->job.names = NULL, t->job.values = NULL;
    s->n = o->hz ? o->n_hz : r->n;
    s->n_inputs = r->n_inputs, s->n_outputs = r->n_outputs, s->n_channels = r->n_channels;
    if (!copy_texts(a, &s->inputs, r->inputs, s->n_inputs) ||
        !copy_texts(a, &s->input_units, r->input_units, s->n_inputs) ||
        !copy_texts(a, &s->outputs, r->outputs, s->n_outputs) ||
        !copy_texts(a, &s->output_units, r->output_units, s->n_outputs) ||
        !sensitivity_response_take_arrays(s, a) || !take_peaks(s, r, a) ||
        !sensitivity_response_take_work(t))
        return rt_fail_memory(error);
    for (int k = 0; k < s->n; k++) {
        if (!(hz[k] >= 0 && isfinite(hz[k])))
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "the frequency is %g Hz, but it must be 0 or more "
                           "(--frequencies)",
                           hz[k]);
        s->hz[k] = hz[k];
    }
    return ROUTH_OK;
}

/* Which inputs count by velocity or acceleration: those whose unit the response changed so. */
static routh_status sensitivity_response_find_power(sensitivity_response_task *t,
                                                    routh_error *error)
{
    t->power = RT_TAKE(&t->job.arena, int, t->channels.n_in);
    if (!t->power) return rt_fail_memory(error);
    for (int j = 0; j < t->channels.n_in; j++)
        if (strcmp(t->response->input_units[j], t->channels.in[j].unit) != 0)
            t->power[j] = (int)t->asked->reference;
    return ROUTH_OK;
}

/* ---- at a frequency -------------------------------------------------------------------------- */

static void no_derivative(routh_response_sensitivity *s, int p, int k, int c)
{
    const size_t at = ((size_t)p * (size_t)s->n + (size_t)k) * (size_t)s->n_channels + (size_t)c;
    s->by[at][0] = s->by[at][1] = NAN;
    s->magnitude_by[at] = s->phase_by[at] = s->magnitude_effect[at] = NAN;
}

/* d log H = dH / H */
static void sensitivity_response_put(routh_response_sensitivity *s, int p, int k, int c,
                                     double _Complex by)
{
    const size_t point = (size_t)k * (size_t)s->n_channels + (size_t)c;
    const size_t at = (size_t)p * (size_t)s->n * (size_t)s->n_channels + point;
    const double _Complex H = s->H[point][0] + I * s->H[point][1];
    const double _Complex relative = H == 0 ? (double)NAN : by / H;
    s->by[at][0] = creal(by), s->by[at][1] = cimag(by);
    s->magnitude_by[at] = creal(relative) * cabs(H);
    s->phase_by[at] = cimag(relative);
    s->magnitude_effect[at] = s->values[p] * creal(relative);
}

static routh_status solve_all(sensitivity_response_task *t, double _Complex s, routh_error *error)
{
    const size_t n = (size_t)t->paths.n;
    routh_status status = rt_paths_factor(&t->paths, s, error);
    for (int j = 0; j < t->channels.n_in && !status; j++)
        status = rt_paths_right(&t->paths, s, 0, j, NULL, t->z[0] + n * (size_t)j, error);
    for (int i = 0; i < t->channels.n_out && !status; i++)
        status = rt_paths_left(&t->paths, 0, i, NULL, t->a[0] + n * (size_t)i, error);
    return status;
}

static void find_gradient(sensitivity_response_task *t, double _Complex s, int order, int input,
                          int output)
{
    const size_t n = (size_t)t->paths.n;
    memset(t->G, 0, (size_t)t->paths.n_varied * sizeof *t->G);
    rt_paths_gradient(&t->paths, s, order, input, output, t->a[0] + n * (size_t)output,
                      t->z[0] + n * (size_t)input, t->a[1], t->z[1], t->G);
}

static routh_status at_frequency(sensitivity_response_task *t, int k, routh_error *error)
{
    routh_response_sensitivity *out = &t->h->out;
    const double _Complex s = I * RT_TWO_PI * out->hz[k];
    const routh_status status = solve_all(t, s, error);
    if (status && status != ROUTH_SINGULAR) return status;
    for (int c = 0; c < out->n_channels; c++) {
        const int input = c % out->n_inputs, output = c / out->n_inputs;
        double *H = out->H[(size_t)k * (size_t)out->n_channels + (size_t)c];
        double _Complex scale = 1;
        for (int e = 0; e < t->power[input]; e++) scale /= s;
        if (status || !isfinite(creal(scale)) || !isfinite(cimag(scale))) {
            H[0] = H[1] = NAN;
            for (int p = 0; p < out->n_parameters; p++) no_derivative(out, p, k, c);
            continue;
        }
        const double _Complex h =
            scale * rt_paths_value(&t->paths, s, 0, input, output,
                                   t->z[0] + (size_t)t->paths.n * (size_t)input);
        H[0] = creal(h), H[1] = cimag(h);
        find_gradient(t, s, 0, input, output);
        for (int p = 0; p < out->n_parameters; p++)
            sensitivity_response_put(out, p, k, c, scale * sum_of(&t->along[p], t->G));
    }
    return ROUTH_OK;
}

/* ---- at a peak ------------------------------------------------------------------------------- */

/* H and its derivatives by s of H / s, from those of H */
static void over_s(double _Complex s, double _Complex H[3])
{
    H[0] /= s;
    H[1] = (H[1] - H[0]) / s;
    H[2] = (H[2] - 2 * H[1]) / s;
}

/* H and its first two derivatives, with z and a at hand and z', z'', a' found; NAN at a pole. */
static routh_status solve_peak(sensitivity_response_task *t, double _Complex s,
                               const routh_peak_sensitivity *x, double _Complex H[3],
                               routh_error *error)
{
    const size_t n = (size_t)t->paths.n;
    const double _Complex *z = t->z[0] + n * (size_t)x->input;
    const double _Complex *a = t->a[0] + n * (size_t)x->output;
    routh_status status = isfinite(x->magnitude) ? solve_all(t, s, error) : ROUTH_SINGULAR;
    if (!status) status = rt_paths_right(&t->paths, s, 1, x->input, z, t->z[1], error);
    if (!status) status = rt_paths_right(&t->paths, s, 2, x->input, t->z[1], t->z[2], error);
    if (!status) status = rt_paths_left(&t->paths, 1, x->output, a, t->a[1], error);
    if (status) return status;
    for (int k = 0; k < 3; k++)
        H[k] = rt_paths_value(&t->paths, s, k, x->input, x->output, k ? t->z[k] : z);
    for (int e = 0; e < t->power[x->input]; e++) over_s(s, H);
    return ROUTH_OK;
}

/* H_p of all parameters and H'_p, of H over s^power. */
static void sensitivity_response_find_mixed(sensitivity_response_task *t, double _Complex s,
                                            const routh_peak_sensitivity *x)
{
    const int n = t->h->out.n_parameters;
    find_gradient(t, s, 0, x->input, x->output);
    for (int p = 0; p < n; p++) t->by[0][p] = sum_of(&t->along[p], t->G);
    find_gradient(t, s, 1, x->input, x->output);
    for (int p = 0; p < n; p++) t->by[1][p] = sum_of(&t->along[p], t->G);
    for (int p = 0; p < n; p++)
        for (int e = 0; e < t->power[x->input]; e++) {
            t->by[0][p] /= s;
            t->by[1][p] = (t->by[1][p] - t->by[0][p]) / s;
        }
}

/* With w = -i s and ' = d/ds: d|H|^2/dw = 2 Re(conj(H) i H') = 0, whose derivatives are
 *     by w   2 (|H'|^2 - Re(conj(H) H''))
 *     by p   2 Re(conj(H_p) i H' + conj(H) i H'_p) */
static routh_status at_peak(sensitivity_response_task *t, routh_peak_sensitivity *x,
                            routh_error *error)
{
    const double _Complex s = I * RT_TWO_PI * x->hz;
    double _Complex H[3];
    const routh_status status = solve_peak(t, s, x, H, error);
    if (status && status != ROUTH_SINGULAR) return status;
    if (status)
        H[0] = H[1] = H[2] = (double)NAN;
    else
        sensitivity_response_find_mixed(t, s, x);
    const double size = cabs(H[0]), bend = creal(H[1] * conj(H[1]) - conj(H[0]) * H[2]);
    for (int p = 0; p < t->h->out.n_parameters; p++) {
        const double _Complex by = t->by[0][p], mixed = t->by[1][p];
        const double turn = creal(I * (conj(by) * H[1] + conj(H[0]) * mixed));
        x->magnitude_by[p] = creal(conj(H[0]) * by) / size;
        x->hz_by[p] = -turn / bend / RT_TWO_PI;
        x->magnitude_effect[p] = t->h->out.values[p] * x->magnitude_by[p] / size;
        x->hz_effect[p] = t->h->out.values[p] * x->hz_by[p] / x->hz;
    }
    return ROUTH_OK;
}

/* ---- all ------------------------------------------------------------------------------------- */

static routh_status sensitivity_response_compute(sensitivity_response_task *t,
                                                 const routh_mechanism *mechanism,
                                                 const routh_operating_point *point,
                                                 const routh_response_sensitivity_options *o,
                                                 routh_error *error)
{
    routh_response_sensitivity *out = &t->h->out;
    routh_status status = find_channels(t, error);
    if (!status) status = sensitivity_response_begin(t, mechanism, point, error);
    if (!status) status = rt_job_choose(&t->job, o->parameters, error);
    if (!status) status = sensitivity_response_take_out(t, o, error);
    if (!status) status = sensitivity_response_find_power(t, error);
    if (!status) status = sensitivity_response_find_slopes(t, error);
    for (int k = 0; k < out->n && !status; k++) status = at_frequency(t, k, error);
    for (int k = 0; k < out->n_peaks && !status; k++) status = at_peak(t, &out->peaks[k], error);
    out->n_warnings = t->job.n_warnings, out->warnings = t->job.warnings;
    t->job.n_warnings = 0, t->job.warnings = NULL;
    return status;
}

routh_status routh_response_sensitivity_compute(
    routh_response_sensitivity **sensitivities, const routh_mechanism *mechanism,
    const routh_operating_point *point, const routh_linear *linear, const routh_response *response,
    const routh_response_options *response_options,
    const routh_response_sensitivity_options *options, routh_error *error)
{
    const routh_response_options usual = routh_response_defaults();
    const routh_response_sensitivity_options all = {0};
    *sensitivities = NULL;
    if (!mechanism || !point)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "sensitivities need the mechanism and its operating point; a linear model "
                       "alone has no parameters");
    const routh_status refused = rt_refuse_massless_point(mechanism, point, "a sensitivity", error);
    if (refused) return refused;
    sensitivity_response_task t = {.h = calloc(1, sizeof *t.h),
                                   .linear = linear,
                                   .response = response,
                                   .asked = response_options ? response_options : &usual};
    if (!t.h) return rt_fail_memory(error);
    const routh_status status =
        sensitivity_response_compute(&t, mechanism, point, options ? options : &all, error);
    rt_paths_release(&t.paths);
    rt_job_release(&t.job);
    if (status)
        routh_response_sensitivity_free(&t.h->out);
    else
        *sensitivities = &t.h->out;
    return status;
}
