/* The frequency response: channels, grid, peaks, superposition beside. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pi.h"
#include "answers/response_stationary.h"
#include "answers/scaling.h"
#include "answers/zero_dynamics_check.h"

enum { MOST_STATES_ZEROS = 200 };
static const double MOST_WORK_ZEROS = 64e6;

routh_response_options routh_response_defaults(void)
{
    return (routh_response_options){.error = 1e-2};
}

void routh_response_free(routh_response *response)
{
    if (!response) return;
    rt_response_holder *h = (rt_response_holder *)(void *)response;
    rt_arena_free(&h->arena);
    free(h);
}

/* ---- motions by velocity or acceleration ----------------------------------------------------- */

static routh_status evaluate_referenced(rt_transfer *transfer, double _Complex s,
                                        double _Complex *H, double _Complex *dH, routh_error *error)
{
    rt_referenced *r = (rt_referenced *)(void *)transfer;
    const routh_status status = r->inner->evaluate(r->inner, s, H, dH, error);
    transfer->n_solves = r->inner->n_solves;
    for (int i = 0; i < transfer->n_out && !status; i++)
        for (int j = 0; j < transfer->n_in; j++) {
            const int at = i * transfer->n_in + j;
            for (int k = 0; k < r->power[j]; k++) {
                if (dH) dH[at] = (dH[at] - H[at] / s) / s;
                H[at] /= s;
            }
        }
    return status;
}

routh_status rt_referenced_create(rt_referenced *r, rt_transfer *inner, const int *power,
                                  rt_arena *arena, routh_error *error)
{
    *r = (rt_referenced){
        .transfer = {.n_in = inner->n_in, .n_out = inner->n_out, .evaluate = evaluate_referenced},
        .inner = inner};
    r->power = RT_TAKE(arena, int, inner->n_in);
    if (!r->power) return rt_fail_memory(error);
    memcpy(r->power, power, (size_t)inner->n_in * sizeof *power);
    return ROUTH_OK;
}

/* ---- one after the other --------------------------------------------------------------------- */

typedef struct response_task {
    rt_response_holder *h;
    rt_arena scratch;
    const routh_linear *linear;
    const routh_modes *modes;
    routh_response_options options;
    rt_channels channels;
    rt_system system, seen;
    rt_loads loads;
    rt_direct direct;
    rt_modal modal;
    rt_referenced referenced, referenced_modal;
    rt_grid grid;
    int *power;
} response_task;

static bool is_motion(const response_task *t, int j)
{
    const int n_in = t->channels.n_in;
    if (t->channels.in[j].kind != RT_CHANNEL_OWN) return t->channels.in[j].kind == RT_CHANNEL_BASE;
    for (int k = 1; k < 3; k++) {
        for (int i = 0; i < t->linear->n_velocity; i++)
            if (t->loads.force[k][(size_t)i * n_in + j] != 0) return true;
        for (int i = 0; i < t->linear->n_states; i++)
            if (t->loads.rate[k][(size_t)i * n_in + j] != 0) return true;
        for (int i = 0; i < t->channels.n_out; i++)
            if (t->seen.D[k][(size_t)i * n_in + j] != 0) return true;
    }
    return false;
}

static routh_status keep_poles(response_task *t, routh_error *error)
{
    routh_response *r = &t->h->response;
    r->poles = RT_TAKE(&t->h->arena, double, 2 * (size_t)t->modes->n);
    if (!r->poles) return rt_fail_memory(error);
    r->n_poles = t->modes->n;
    for (int k = 0; k < r->n_poles; k++)
        memcpy(r->poles + 2 * k, t->modes->modes[k].eigenvalue, 2 * sizeof *r->poles);
    return ROUTH_OK;
}

static routh_status response_find_power(response_task *t, bool sparse, routh_error *error)
{
    t->power = RT_TAKE(&t->scratch, int, t->channels.n_in);
    if (!t->power) return rt_fail_memory(error);
    for (int j = 0; j < t->channels.n_in && !sparse; j++)
        if (is_motion(t, j)) t->power[j] = (int)t->options.reference;
    return ROUTH_OK;
}

/* "m/s" of "m" */
static char *rate_unit(rt_arena *arena, const char *unit, int power)
{
    static const char *const ends[3] = {"", "/s", "/s^2"};
    const size_t n = strlen(unit), m = strlen(ends[power]);
    char *text = RT_TAKE(arena, char, n + m + 1);
    if (!text) return NULL;
    memcpy(text, unit, n);
    memcpy(text + n, ends[power], m + 1);
    return text;
}

static routh_status name_channels(response_task *t, routh_error *error)
{
    routh_response *r = &t->h->response;
    rt_arena *a = &t->h->arena;
    const rt_channels *c = &t->channels;
    r->n_inputs = c->n_in, r->n_outputs = c->n_out, r->n_channels = c->n_in * c->n_out;
    r->inputs = RT_TAKE(a, char *, c->n_in);
    r->input_units = RT_TAKE(a, char *, c->n_in);
    r->outputs = RT_TAKE(a, char *, c->n_out);
    r->output_units = RT_TAKE(a, char *, c->n_out);
    r->channels = RT_TAKE(a, routh_response_channel, r->n_channels);
    if (!r->inputs || !r->input_units || !r->outputs || !r->output_units || !r->channels)
        return rt_fail_memory(error);
    for (int j = 0; j < c->n_in; j++) {
        r->inputs[j] = c->in[j].name;
        r->input_units[j] = rate_unit(a, c->in[j].unit, t->power[j]);
        if (!r->input_units[j]) return rt_fail_memory(error);
    }
    for (int i = 0; i < c->n_out; i++)
        r->outputs[i] = c->out[i].name, r->output_units[i] = c->out[i].unit;
    for (int k = 0; k < r->n_channels; k++)
        r->channels[k] = (routh_response_channel){.input = k % c->n_in,
                                                  .output = k / c->n_in,
                                                  .static_gain = NAN,
                                                  .n_zeros = -1,
                                                  .modal_difference = NAN};
    return ROUTH_OK;
}

static routh_status keep_grid(response_task *t, routh_error *error)
{
    routh_response *r = &t->h->response;
    const rt_grid *g = &t->grid;
    const size_t n = (size_t)g->n, all = n * (size_t)r->n_channels;
    r->hz = RT_TAKE(&t->h->arena, double, n);
    r->re = RT_TAKE(&t->h->arena, double, all);
    r->im = RT_TAKE(&t->h->arena, double, all);
    if (!r->hz || !r->re || !r->im) return rt_fail_memory(error);
    r->n = g->n, r->error = g->error, r->limited = g->limited;
    memcpy(r->hz, g->hz, n * sizeof *r->hz);
    for (size_t k = 0; k < all; k++) r->re[k] = creal(g->H[k]), r->im[k] = cimag(g->H[k]);
    return ROUTH_OK;
}

/* H(0) of motions by velocity or acceleration: the term of s or s^2, infinite where one before it
 * is not zero. */
static routh_status static_gains(response_task *t, bool modal, routh_error *error)
{
    routh_response *r = &t->h->response;
    double _Complex *H[3];
    for (int k = 0; k < 3; k++) {
        H[k] = RT_TAKE(&t->scratch, double _Complex, r->n_channels);
        if (!H[k]) return rt_fail_memory(error);
    }
    if (t->modes && t->modes->n_zero > 0) {
        for (int k = 0; k < r->n_channels && modal; k++)
            if (t->power[r->channels[k].input] == 0)
                r->channels[k].static_gain =
                    rt_modal_static(&t->modal, r->channels[k].output, r->channels[k].input);
        return ROUTH_OK;
    }
    const routh_status status = rt_direct_taylor(&t->direct, 3, H, &t->scratch, error);
    if (status == ROUTH_SINGULAR) return ROUTH_OK;
    for (int k = 0; k < r->n_channels && !status; k++) {
        const int power = t->power[r->channels[k].input];
        double gain = creal(H[power][k]);
        for (int p = 0; p < power; p++)
            if (H[p][k] != 0) gain = INFINITY;
        r->channels[k].static_gain = gain;
    }
    return status;
}

static routh_status response_peaks(response_task *t, routh_error *error)
{
    routh_response *r = &t->h->response;
    routh_status status = ROUTH_OK;
    for (int k = 0; k < r->n_channels && !status; k++)
        status = rt_peaks_find(&r->channels[k], &t->referenced.transfer, &t->grid, t->modes,
                               &t->h->arena, error);
    return status;
}

/* The superposition at every frequency of the grid. */
static routh_status compare_modal(response_task *t, routh_error *error)
{
    routh_response *r = &t->h->response;
    const int n = r->n_channels;
    double _Complex *H = RT_TAKE(&t->scratch, double _Complex, n);
    double *off = RT_TAKE(&t->scratch, double, n), *size = RT_TAKE(&t->scratch, double, n);
    if (!H || !off || !size) return rt_fail_memory(error);
    rt_transfer *m = &t->referenced_modal.transfer;
    for (int k = 0; k < r->n; k++) {
        const routh_status status = m->evaluate(m, I * RT_TWO_PI * r->hz[k], H, NULL, error);
        if (status == ROUTH_SINGULAR) continue;
        if (status) return status;
        for (int c = 0; c < n; c++) {
            const double _Complex direct = t->grid.H[(size_t)k * n + c];
            off[c] = fmax(off[c], cabs(H[c] - direct));
            size[c] = fmax(size[c], cabs(direct));
        }
    }
    for (int c = 0; c < n; c++) {
        r->channels[c].modal_difference = size[c] > 0 ? off[c] / size[c] : off[c];
        r->modal_difference = fmax(r->modal_difference, r->channels[c].modal_difference);
    }
    return ROUTH_OK;
}

static routh_status response_zeros(response_task *t, routh_error *error)
{
    routh_response *r = &t->h->response;
    const routh_linear *l = t->linear;
    const int n_in = t->channels.n_in;
    rt_arena *a = &t->scratch;
    rt_zero_point points[RT_ZERO_POINTS];
    double *B[3], *scale = RT_TAKE(a, double, l->n_states + 1);
    for (int k = 0; k < 3; k++) {
        B[k] = RT_TAKE(a, double, (size_t)l->n_states *(size_t)n_in);
        if (!B[k] || !scale) return rt_fail_memory(error);
    }
    rt_scale_states(l, scale);
    routh_status status = rt_rates_find(B, l, &t->loads, n_in, a, error);
    if (!status)
        status = rt_zero_points_make(points, RT_TWO_PI * t->grid.hz[0],
                                     RT_TWO_PI * t->grid.hz[t->grid.n - 1], l, B, &t->seen, scale,
                                     a, error);
    for (int k = 0; k < r->n_channels && !status; k++) {
        routh_response_channel *c = &r->channels[k];
        status = rt_zeros_of_channel(c, k, l, B, &t->seen, scale, points, &t->h->arena, error);
        if (!status) rt_zeros_settle(c, t->power[c->input]);
    }
    return status;
}

/* Their work grows with the third power of the states, for every channel. */
static bool has_few_states(response_task *t)
{
    const double n = t->linear->n_states;
    routh_response *r = &t->h->response;
    if (n <= MOST_STATES_ZEROS && n * n * n * r->n_channels <= MOST_WORK_ZEROS) return true;
    for (int k = 0; k < r->n_channels; k++)
        r->channels[k].zeros_why = "there are too many states and channels";
    return false;
}

static routh_status with_modes(response_task *t, routh_error *error)
{
    routh_response *r = &t->h->response;
    routh_status status = rt_modal_create(&t->modal, t->linear, t->modes, &t->channels, &t->seen,
                                          t->options.modal_high, &r->modal_why, &t->scratch, error);
    const bool modal = !status && !r->modal_why;
    r->n_modal = modal ? t->modal.n_kept : -1;
    if (modal) {
        status = rt_referenced_create(&t->referenced_modal, &t->modal.transfer, t->power,
                                      &t->scratch, error);
        if (!status) status = compare_modal(t, error);
    } else {
        r->modal_difference = NAN;
    }
    if (!status) status = static_gains(t, modal, error);
    if (!status && has_few_states(t)) status = response_zeros(t, error);
    return status;
}

/* By the superposition where it is as good, as that is faster. */
static routh_status with_spectrum(response_task *t, routh_error *error)
{
    routh_response *r = &t->h->response;
    const bool modal = r->n_modal >= 0, good = modal && r->modal_difference <= 1e-10;
    int *place = RT_TAKE(&t->scratch, int, rt_spectrum_names(t->options.spectrum));
    if (!place) return rt_fail_memory(error);
    routh_status status = rt_spectrum_bind(t->options.spectrum, &t->channels, place, error);
    rt_random_task random = {.transfer =
                                 good ? &t->referenced_modal.transfer : &t->referenced.transfer,
                             .modal = modal ? &t->modal : NULL,
                             .modes = t->modes,
                             .power = t->power,
                             .spectrum = t->options.spectrum,
                             .place = place};
    if (!status) status = rt_random_is_stationary(&random, r, error);
    if (!status) status = rt_random_compute(&random, r, &t->h->arena, &t->scratch, error);
    if (!status) r->random->by_modes = good;
    return status;
}

static routh_status response_compute(response_task *t, const routh_descriptor *sparse,
                                     routh_error *error)
{
    routh_response *r = &t->h->response;
    rt_arena *a = &t->scratch;
    routh_status status =
        rt_channels_find(&t->channels, t->linear, &t->options, !sparse, &t->h->arena, error);
    if (!status)
        status = sparse ? rt_system_make_sparse(&t->system, sparse, &t->channels, a, error)
                        : rt_system_make(&t->system, t->linear, &t->channels, a, error);
    if (!status && !sparse) status = rt_loads_find(&t->loads, t->linear, &t->channels, a, error);
    if (!status && !sparse) status = rt_outputs_find(&t->seen, t->linear, &t->channels, a, error);
    if (!status) status = response_find_power(t, sparse != NULL, error);
    if (!status) status = name_channels(t, error);
    if (!status) status = rt_direct_create(&t->direct, &t->system, a, error);
    if (!status)
        status = rt_referenced_create(&t->referenced, &t->direct.transfer, t->power, a, error);
    if (!status)
        status = rt_grid_make(&t->grid, &t->referenced.transfer, t->modes, &t->options, error);
    if (!status) status = keep_grid(t, error);
    if (!status) status = response_peaks(t, error);
    r->order = t->system.n;
    r->sparse = sparse != NULL;
    r->n_modal = -1;
    r->modal_difference = NAN;
    if (!status && sparse) {
        r->modal_why = "the equations were solved without eliminating anything";
        status = static_gains(t, false, error);
    } else if (!status) {
        r->modal_difference = 0;
        status = keep_poles(t, error);
        if (!status) status = with_modes(t, error);
    }
    if (!status && t->options.spectrum) status = with_spectrum(t, error);
    r->n_solves = t->direct.transfer.n_solves;
    return status;
}

static routh_status response_run(routh_response **response, const routh_linear *linear,
                                 const routh_descriptor *sparse, const routh_modes *modes,
                                 const routh_response_options *options, routh_error *error)
{
    *response = NULL;
    response_task t = {.linear = linear,
                       .modes = modes,
                       .options = options ? *options : routh_response_defaults()};
    if (t.options.error <= 0) t.options.error = 1e-2;
    if (t.options.reference < ROUTH_DISPLACEMENT || t.options.reference > ROUTH_ACCELERATION)
        return rt_fail(error, ROUTH_BAD_ARGUMENT, "the reference of motions is none of the three");
    t.h = calloc(1, sizeof *t.h);
    if (!t.h) return rt_fail_memory(error);
    const routh_status status = response_compute(&t, sparse, error);
    rt_direct_release(&t.direct);
    rt_grid_release(&t.grid);
    rt_arena_free(&t.scratch);
    if (status)
        routh_response_free(&t.h->response);
    else
        *response = &t.h->response;
    return status;
}

routh_status routh_response_compute(routh_response **response, const routh_linear *linear,
                                    const routh_modes *modes, const routh_response_options *options,
                                    routh_error *error)
{
    *response = NULL;
    if (!linear || !modes || modes->n != linear->n_states || !linear->A)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "a frequency response needs a linear model and all of its modes");
    return response_run(response, linear, NULL, modes, options, error);
}

routh_status routh_response_compute_sparse(routh_response **response,
                                           const routh_descriptor *descriptor,
                                           const routh_modes *modes,
                                           const routh_response_options *options,
                                           routh_error *error)
{
    *response = NULL;
    if (!descriptor) return rt_fail(error, ROUTH_BAD_ARGUMENT, "descriptor is NULL");
    if (options && options->base != ROUTH_BASE_NONE)
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "a sparse frequency response has no base motion; leave out the number of "
                       "modes (--wanted) or the base motion (--base)");
    if (descriptor->n_differential)
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "a sparse frequency response is about a state of rest and without "
                       "controllers, variables or joints that hold velocities only; leave out the "
                       "number of modes (--wanted)");
    return response_run(response, descriptor->linear, descriptor, modes, options, error);
}
