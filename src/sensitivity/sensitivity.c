/* Derivatives of eigenvalues by parameters: the steps, and the object that is given back. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "routh/sensitivity.h"

#include <complex.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/suggest.h"
#include "sensitivity/change.h"
#include "sensitivity/spectrum.h"

routh_sensitivity_options routh_sensitivity_defaults(void)
{
    return (routh_sensitivity_options){0};
}

void routh_sensitivities_free(routh_sensitivities *s)
{
    if (!s) return;
    for (int k = 0; k < s->n_warnings; k++) free(s->warnings[k]);
    free(s->warnings);
    free(s->parameters);
    free(s->values);
    free(s->number);
    free(s->eigenvalues);
    free(s->multiplicity);
    free(s->eigenvalue_by);
    free(s->frequency_by);
    free(s->damping_by);
    free(s->frequency_effect);
    free(s->damping_effect);
    free(s);
}

/* The work on one object. */
typedef struct job {
    routh_sensitivities *out;
    const routh_mechanism *m; /* in absolute coordinates */
    routh_operating_point point;
    rt_arena arena;
    rt_linear_holder *holder;
    rt_linear_task task;
    rt_method_task work;
    rt_levels_pencil pencil;
    rt_spectrum spectrum;
    rt_variation *variation;
    rt_change change;
    int *parameter; /* which of the model's */
    int *of_mode;   /* which of the spectrum's a mode is; -1: rigid, or none */
    double _Complex *by;
} job;

static routh_status warn(job *j, routh_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static routh_status warn(job *j, routh_error *error, const char *format, ...)
{
    char text[600];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    routh_sensitivities *s = j->out;
    char **more = realloc(s->warnings, (size_t)(s->n_warnings + 1) * sizeof *more);
    if (!more) return rt_fail_memory(error);
    s->warnings = more;
    s->warnings[s->n_warnings] = strdup(text);
    if (!s->warnings[s->n_warnings]) return rt_fail_memory(error);
    s->n_warnings++;
    return ROUTH_OK;
}

/* ---- which parameters ----------------------------------------------------------------------- */

static int find_parameter(const routh_model *model, const char *name)
{
    for (int k = 0; k < model->n_parameters; k++)
        if (strcmp(model->parameters[k].name, name) == 0) return k;
    return -1;
}

static routh_status unknown(const routh_model *model, const char *name, routh_error *error)
{
    const char **names = calloc((size_t)model->n_parameters + 1, sizeof *names);
    if (!names) return rt_fail_memory(error);
    for (int k = 0; k < model->n_parameters; k++) names[k] = model->parameters[k].name;
    const char *near = rt_suggest(name, names);
    const routh_status status =
        rt_fail(error, ROUTH_BAD_ARGUMENT, "the model has no parameter '%.80s'%s%.80s%s", name,
                near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
    free(names);
    return status;
}

/* A number that depends on the parameter and keeps its value only. */
static const rt_fixed *find_fixed(const job *j)
{
    for (int k = 0; k < j->m->model->n_fixed; k++)
        if (rt_variation_uses(j->variation, j->m->model->fixed[k].expr))
            return &j->m->model->fixed[k];
    return NULL;
}

/* Refused where it was asked for, else left out with a warning. */
static routh_status refuse(job *j, int parameter, bool asked, bool *refused, routh_error *error)
{
    routh_status status = rt_variation_along(j->variation, parameter, NULL, NULL, error);
    const rt_fixed *fixed = status ? NULL : find_fixed(j);
    *refused = fixed != NULL;
    if (!fixed) return status;
    const char *name = j->m->model->parameters[parameter].name;
    if (!asked)
        return warn(j, error,
                    "the parameter %s was left out: it acts through %s of %s, which is not "
                    "differentiated",
                    name, fixed->what, fixed->element);
    return rt_fail_at(error, ROUTH_NOT_SUPPORTED, j->m->model->file, fixed->place, fixed->element,
                      "the parameter %s acts through %s, which is not differentiated; ask for "
                      "other parameters, or write numbers there",
                      name, fixed->what);
}

static routh_status choose_parameters(job *j, const char *const *names, routh_error *error)
{
    const routh_model *model = j->m->model;
    const int n = model->n_parameters;
    int wanted = 0;
    while (names && names[wanted]) wanted++;
    if (!names) wanted = n;
    j->parameter = RT_TAKE(&j->arena, int, wanted);
    j->out->parameters = calloc((size_t)wanted + 1, sizeof *j->out->parameters);
    j->out->values = calloc((size_t)wanted + 1, sizeof *j->out->values);
    if (!j->parameter || !j->out->parameters || !j->out->values) return rt_fail_memory(error);
    for (int k = 0; k < wanted; k++) {
        bool refused;
        const int parameter = names ? find_parameter(model, names[k]) : k;
        if (parameter < 0) return unknown(model, names[k], error);
        const routh_status status = refuse(j, parameter, names != NULL, &refused, error);
        if (status) return status;
        if (refused) continue;
        const int to = j->out->n_parameters++;
        j->parameter[to] = parameter;
        j->out->parameters[to] = model->parameters[parameter].name;
        j->out->values[to] = model->parameters[parameter].number.value;
    }
    return ROUTH_OK;
}

/* ---- the point ------------------------------------------------------------------------------ */

static routh_status linearize(job *j, const routh_sensitivity_options *options, routh_error *error)
{
    routh_linearize_options o = routh_linearize_defaults();
    o.states = options->states;
    o.reference = options->reference;
    j->holder = calloc(1, sizeof *j->holder);
    if (!j->holder) return rt_fail_memory(error);
    routh_status status = rt_linear_prepare(j->holder, &j->task, j->m, &j->point, &o, error);
    if (status) return status;
    j->work = (rt_method_task){.search = &j->task.search,
                               .observer = &j->task.observer,
                               .states = &j->task.states,
                               .threads = 1,
                               .whole = true};
    status = rt_task_sensors_take(&j->work, &j->arena, error);
    if (!status) status = rt_linear_find_undetermined(j->holder, &j->work, &j->arena, error);
    if (!status) status = rt_pencil_create(&j->pencil, &j->work, &j->arena, error);
    return status ? status : rt_spectrum_create(&j->spectrum, &j->pencil, &j->arena, error);
}

static routh_status vary(job *j, routh_error *error)
{
    const rt_state *state = j->task.search.state;
    const rt_varied_state at = {.t = state->t,
                                .q = state->q,
                                .u = state->u,
                                .udot = state->udot,
                                .lambda = state->lambda,
                                .signal = state->signal};
    routh_status status = rt_variation_create(&j->variation, j->m->model, error);
    if (status) return status;
    rt_variation_place(j->variation, &at, j->point.type != ROUTH_OPERATING_GIVEN);
    return rt_change_create(&j->change, &j->pencil, &j->point, &j->arena, error);
}

/* ---- modes ---------------------------------------------------------------------------------- */

/* Each mode that is not rigid with the nearest eigenvalue of the pencil that is free. */
static routh_status match_modes(job *j, const routh_modes *modes, routh_error *error)
{
    const rt_spectrum *s = &j->spectrum;
    bool *taken = RT_TAKE(&j->arena, bool, s->n);
    j->of_mode = RT_TAKE(&j->arena, int, modes->n);
    j->by = RT_TAKE(&j->arena, double _Complex, s->n);
    if (!taken || !j->of_mode || !j->by) return rt_fail_memory(error);
    for (int i = 0; i < modes->n; i++) j->of_mode[i] = -1;
    for (int i = 0; i < modes->n; i++) {
        const routh_mode *mode = &modes->modes[i];
        const double _Complex value = mode->eigenvalue[0] + I * mode->eigenvalue[1];
        int best = -1;
        if (mode->rigid || mode->eigenvalue[1] < 0) continue;
        for (int k = 0; k < s->n; k++)
            if (!taken[k] &&
                (best < 0 || cabs(s->value[k] - value) < cabs(s->value[best] - value)))
                best = k;
        if (best < 0 || cabs(s->value[best] - value) > 1e-5 * cabs(value) + 10 * mode->error_bound)
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "mode %d, %.6g%+.6gi, is no eigenvalue of this mechanism at this point; "
                           "give the modes that belong to it",
                           i + 1, mode->eigenvalue[0], mode->eigenvalue[1]);
        taken[best] = true;
        j->of_mode[i] = best;
    }
    return ROUTH_OK;
}

static bool take_arrays(routh_sensitivities *s)
{
    const size_t n = (size_t)s->n_modes, all = n * (size_t)s->n_parameters + 1;
    s->number = calloc(n + 1, sizeof *s->number);
    s->eigenvalues = calloc(n + 1, sizeof *s->eigenvalues);
    s->multiplicity = calloc(n + 1, sizeof *s->multiplicity);
    s->eigenvalue_by = calloc(all, sizeof *s->eigenvalue_by);
    s->frequency_by = calloc(all, sizeof(double));
    s->damping_by = calloc(all, sizeof(double));
    s->frequency_effect = calloc(all, sizeof(double));
    s->damping_effect = calloc(all, sizeof(double));
    return s->number && s->eigenvalues && s->multiplicity && s->eigenvalue_by && s->frequency_by &&
           s->damping_by && s->frequency_effect && s->damping_effect;
}

/* Below this |w^H v| of unit vectors an eigenvalue is taken for defective. */
static const double defective = 1e-7;

static bool is_listed(const routh_sensitivity_options *o, int number)
{
    for (int k = 0; k < o->n_numbers; k++)
        if (o->numbers[k] == number) return true;
    return o->n_numbers == 0;
}

/* A pair counts once, by the one with im > 0. */
static routh_status number_modes(routh_sensitivities *s, const routh_modes *modes,
                                 const routh_sensitivity_options *o, routh_error *error)
{
    int n = 0;
    for (int i = 0; i < modes->n; i++) {
        const routh_mode *mode = &modes->modes[i];
        if (mode->eigenvalue[1] < 0 && mode->conjugate != i) continue;
        n++;
        s->number[i] = is_listed(o, n) ? n : 0;
    }
    for (int k = 0; k < o->n_numbers; k++)
        if (o->numbers[k] < 1 || o->numbers[k] > n)
            return rt_fail(error, ROUTH_BAD_ARGUMENT, "there is no mode %d; there are %d",
                           o->numbers[k], n);
    return ROUTH_OK;
}

static routh_status take_modes(job *j, const routh_modes *modes,
                               const routh_sensitivity_options *o, routh_error *error)
{
    routh_sensitivities *s = j->out;
    s->n_modes = modes->n;
    if (!take_arrays(s)) return rt_fail_memory(error);
    const routh_status numbered = number_modes(s, modes, o, error);
    if (numbered) return numbered;
    for (int i = 0; i < modes->n; i++) {
        const int k = j->of_mode[i];
        memcpy(s->eigenvalues[i], modes->modes[i].eigenvalue, sizeof s->eigenvalues[i]);
        s->multiplicity[i] = k < 0 ? modes->modes[i].multiplicity : j->spectrum.cluster[k];
        if (k < 0 || j->spectrum.condition[k] >= defective) continue;
        const routh_status status =
            warn(j, error,
                 "the eigenvalue of mode %d is so nearly defective that it has no derivative",
                 i + 1);
        if (status) return status;
    }
    return ROUTH_OK;
}

/* With s = |lambda|: ds = Re(conj(lambda) dlambda) / s, zeta = -Re lambda / s */
static void put(routh_sensitivities *s, int p, int i, double _Complex by)
{
    const size_t at = (size_t)p * (size_t)s->n_modes + (size_t)i;
    const double re = s->eigenvalues[i][0], im = s->eigenvalues[i][1], size = hypot(re, im);
    const double along = (re * creal(by) + im * cimag(by)) / size;
    s->eigenvalue_by[at][0] = creal(by), s->eigenvalue_by[at][1] = cimag(by);
    s->frequency_by[at] = along / (2 * 3.14159265358979323846);
    s->damping_by[at] = (-creal(by) + re * along / size) / size;
    s->frequency_effect[at] = s->values[p] * along / size;
    s->damping_effect[at] = s->values[p] * s->damping_by[at];
}

static void put_all(const job *j, const routh_modes *modes, int p)
{
    const double _Complex none = (double)NAN + I * (double)NAN;
    for (int i = 0; i < modes->n; i++) {
        const int partner = modes->modes[i].conjugate;
        const bool mirrored = j->of_mode[i] < 0 && partner != i && j->of_mode[partner] >= 0;
        const int k = j->of_mode[mirrored ? partner : i];
        const double _Complex by =
            k < 0 || j->spectrum.condition[k] < defective ? none : j->by[k];
        put(j->out, p, i, mirrored ? conj(by) : by);
    }
}

static routh_status find_derivatives(job *j, const routh_modes *modes, routh_error *error)
{
    for (int p = 0; p < j->out->n_parameters; p++) {
        routh_status status = rt_change_find(&j->change, j->variation, j->parameter[p], error);
        if (!status) status = rt_variation_evaluate(j->variation, RT_EVALUATE_ALL, error);
        if (!status) status = rt_pencil_vary(&j->pencil, j->variation, error);
        if (!status) status = rt_spectrum_vary(&j->spectrum, j->by, error);
        if (status) return status;
        put_all(j, modes, p);
    }
    return ROUTH_OK;
}

static routh_status compute(job *j, const routh_modes *modes,
                            const routh_sensitivity_options *options, routh_error *error)
{
    routh_status status = linearize(j, options, error);
    if (!status) status = vary(j, error);
    if (!status) status = match_modes(j, modes, error);
    if (!status) status = choose_parameters(j, options->parameters, error);
    if (!status) status = take_modes(j, modes, options, error);
    return status ? status : find_derivatives(j, modes, error);
}

routh_status routh_sensitivities_compute(routh_sensitivities **sensitivities,
                                         const routh_mechanism *mechanism,
                                         const routh_operating_point *point,
                                         const routh_modes *modes,
                                         const routh_sensitivity_options *options,
                                         routh_error *error)
{
    *sensitivities = NULL;
    const routh_sensitivity_options o = options ? *options : routh_sensitivity_defaults();
    job j = {.m = mechanism->base ? mechanism->base : mechanism, .point = *point};
    if (mechanism->base) j.point.state = point->base_state, j.point.base_state = NULL;
    j.out = calloc(1, sizeof *j.out);
    if (!j.out) return rt_fail_memory(error);
    const routh_status status = compute(&j, modes, &o, error);
    rt_change_release(&j.change);
    rt_pencil_release(&j.pencil);
    rt_variation_free(j.variation);
    rt_linear_task_release(&j.task);
    if (j.holder) routh_linear_free(&j.holder->linear);
    rt_arena_free(&j.arena);
    if (status) {
        routh_sensitivities_free(j.out);
        return status;
    }
    *sensitivities = j.out;
    return ROUTH_OK;
}
