/* One value of the parameter: the model with it, the operating point next to the neighbour's, the
 * linear model, the modes.
 *
 * The value is put into a parametric mechanism; where that cannot be, the model is read again. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "routh/sensitivity.h"
#include "studies/sweep_ending.h"

static routh_status sweep_solution_read_model(const rt_sweep_task *t, double value,
                                              routh_model **model, routh_error *error)
{
    const size_t n = t->options.n_settings;
    char text[2][RT_NUMBER_SIZE];
    routh_setting *settings = malloc((n + 2) * sizeof *settings);
    if (!settings) return rt_fail_memory(error);
    if (n) memcpy(settings, t->options.settings, n * sizeof *settings);
    const double values[2] = {value, t->second};
    for (int k = 0; k < t->n_axes; k++) {
        rt_number_text(text[k], values[k], RT_NUMBER_EXACT);
        settings[n + (size_t)k] = (routh_setting){t->parameter[k], text[k]};
    }
    const routh_status status =
        rt_model_again(model, t->model, settings, n + (size_t)t->n_axes, error);
    free(settings);
    return status;
}

/* What a solution is of: a source's, or its own. */
typedef struct sweep_solution_mechanism {
    routh_parametric *source;
    routh_model *own;
    routh_mechanism *compiled;
    const routh_model *model;
    const routh_mechanism *m;
} sweep_solution_mechanism;

static routh_status take_source(const rt_sweep_task *t, routh_parametric **source,
                                routh_error *error)
{
    const routh_sweep_options *o = &t->options;
    const char *const names[] = {t->parameter[0], t->n_axes > 1 ? t->parameter[1] : NULL, NULL};
    *source = NULL;
    return t->sources ? rt_sweep_source_take(t->sources, t->model, o->settings, o->n_settings,
                                             names, o->coordinates, source, error)
                      : ROUTH_OK;
}

static routh_status sweep_solution_mechanism_at(const rt_sweep_task *t, double value,
                                                sweep_solution_mechanism *x, routh_error *error)
{
    *x = (sweep_solution_mechanism){0};
    routh_status status = take_source(t, &x->source, error);
    if (status) return status;
    if (!x->source) {
        status = sweep_solution_read_model(t, value, &x->own, error);
        if (!status)
            status = routh_mechanism_compile(&x->compiled, x->own, t->options.coordinates, error);
        x->model = x->own, x->m = x->compiled;
        return status;
    }
    status = routh_parametric_set(x->source, 0, value, error);
    if (!status && t->n_axes > 1) status = routh_parametric_set(x->source, 1, t->second, error);
    if (!status) status = routh_parametric_model(x->source, &x->model, error);
    return status ? status : routh_parametric_mechanism(x->source, &x->m, error);
}

static void sweep_solution_mechanism_release(const rt_sweep_task *t, sweep_solution_mechanism *x)
{
    routh_mechanism_free(x->compiled);
    routh_model_free(x->own);
    if (x->source) rt_sweep_source_give(t->sources, x->source);
}

/* The rotor brought into balance, in place of the point. */
static routh_status sweep_solution_balance(const routh_sweep_options *o, rt_solution *s,
                                           const routh_mechanism *m, routh_error *error)
{
    routh_operating_point *point;
    const routh_status status = routh_rotor_point_find(&point, m, s->point, o->blades, error);
    if (status) return status;
    routh_operating_point_free(s->point);
    s->point = point;
    return ROUTH_OK;
}

/* Beyond so many times the way between the two that a line goes through it says nothing. */
static const double MOST_BEYOND = 2;

static rt_branch_start start_of(const rt_solution *s, const rt_solution *from,
                                const rt_solution_way *way)
{
    const rt_solution *other = way->other;
    rt_branch_start start = {
        .sizes = from->sizes, .state = from->state, .motion = from->point->steady};
    if (!other || !other->state || other->value == from->value) return start;
    if (!way->line && !rt_ending_is_known(from) && !rt_ending_is_known(other)) return start;
    const double part =
        way->part != 0 ? way->part : (s->value - from->value) / (other->value - from->value);
    if (fabs(part) > MOST_BEYOND || memcmp(&from->sizes, &other->sizes, sizeof from->sizes) != 0)
        return start;
    start.other = other->state;
    start.other_motion = other->point->steady;
    start.part = part;
    return start;
}

static bool has_failed(routh_status status)
{
    return status && status != ROUTH_OUT_OF_MEMORY && status != ROUTH_STOPPED;
}

static routh_status find_point(const routh_sweep_options *o, rt_solution *s,
                               const routh_mechanism *m, const rt_solution *from,
                               const rt_solution_way *way, routh_error *error)
{
    routh_operating_point_options how = routh_operating_point_defaults();
    how.type = o->type;
    how.on_progress = o->on_progress, how.data = o->data;
    rt_branch_start start = {.state = NULL};
    const bool follow = from && from->state;
    if (follow) start = start_of(s, from, way);
    start.undetermined = &s->undetermined;
    s->followed = follow;
    s->length = m->length;
    routh_status status = rt_operating_point_follow(&s->point, m, &how, &start, error);
    if (has_failed(status) && start.other) {
        start.other = NULL;
        status = rt_operating_point_follow(&s->point, m, &how, &start, error);
    }
    if (follow && !way->followed && has_failed(status)) {
        s->followed = false;
        s->undetermined = 0;
        status = routh_operating_point_find(&s->point, m, &how, error);
    }
    if (!status && o->blades) status = sweep_solution_balance(o, s, m, error);
    if (status) return status;
    const routh_mechanism *of = m->base ? m->base : m;
    s->state = s->point->base_state ? s->point->base_state : s->point->state;
    s->sizes = (rt_state_sizes){of->n_q, of->n_u, of->n_rows, of->n_signals, m->model->n_inputs};
    return ROUTH_OK;
}

/* In the neighbour's states, so that vectors can be compared. */
static routh_status sweep_solution_make_linear(const routh_sweep_options *o, const rt_solution *s,
                                               const routh_mechanism *m, const rt_solution *from,
                                               int extended, routh_linear **linear,
                                               routh_error *error)
{
    routh_linear_options how = routh_linear_defaults();
    how.method = o->method ? o->method : "auto";
    how.reference = o->reference;
    how.threads = 1;
    how.on_progress = o->on_progress, how.data = o->data;
    how.extended = extended;
    how.blades = o->blades;
    how.shares = how.markers = 0;
    const char **names = NULL;
    if (from && from->linear) {
        const int n = from->linear->n_position + from->linear->n_velocity; /* these end in ' */
        names = calloc((size_t)n + 1, sizeof *names);
        if (!names) return rt_fail_memory(error);
        for (int k = 0; k < n; k++) names[k] = from->linear->states[k].name;
        how.states = names;
    }
    routh_status status = routh_linear_compute(linear, m, s->point, &how, error);
    if (names && status && status != ROUTH_OUT_OF_MEMORY && status != ROUTH_STOPPED) {
        how.states = NULL;
        status = routh_linear_compute(linear, m, s->point, &how, error);
    }
    free(names);
    return status;
}

static routh_status sweep_solution_take_modes(rt_solution *s, const routh_modes *modes,
                                              routh_error *error)
{
    const size_t n = (size_t)modes->n;
    s->n = modes->n;
    s->zero_margin = s->linear->A_rest ? 0 : modes->zero_margin; /* else bounds know of it */
    s->lambda = calloc(n + 1, sizeof *s->lambda);
    s->V = calloc(n * n + 1, sizeof *s->V);
    s->bound = calloc(n + 1, sizeof *s->bound);
    s->conjugate = calloc(2 * n + 1, sizeof *s->conjugate);
    s->rigid = calloc(n + 1, sizeof *s->rigid);
    if (!s->lambda || !s->V || !s->bound || !s->conjugate || !s->rigid)
        return rt_fail_memory(error);
    s->multiplicity = s->conjugate + n;
    for (size_t k = 0; k < n; k++) {
        const routh_mode *mode = &modes->modes[k];
        s->lambda[k] = mode->eigenvalue[0] + mode->eigenvalue[1] * I;
        s->bound[k] = mode->error_bound;
        s->conjugate[k] = mode->conjugate;
        s->multiplicity[k] = mode->multiplicity;
        s->rigid[k] = mode->rigid;
        for (size_t i = 0; i < n; i++) s->V[i + n * k] = mode->shape[i] + mode->shape[n + i] * I;
    }
    return ROUTH_OK;
}

/* The derivatives of the modes (n) by parameter 0 or 1; NAN of multiple ones. */
static routh_status sweep_solution_slopes_of(const rt_sweep_task *t, const routh_mechanism *m,
                                             const routh_operating_point *point,
                                             const routh_modes *modes, int which,
                                             double _Complex *slope, routh_error *error)
{
    if (t->options.blades)
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "eigenvalues in multi-blade coordinates have no exact derivatives yet");
    const char *const names[] = {t->parameter[which], NULL};
    routh_sensitivity_options how = routh_sensitivity_defaults();
    how.parameters = names;
    how.reference = t->options.reference;
    routh_sensitivity *found;
    const routh_status status = routh_sensitivity_compute(&found, m, point, modes, &how, error);
    if (status) return status;
    for (int k = 0; k < modes->n; k++) {
        const double *by = found->eigenvalue_by[k];
        slope[k] = found->multiplicity[k] > 1 ? NAN : by[0] + by[1] * I;
    }
    routh_sensitivity_free(found);
    return ROUTH_OK;
}

/* A parameter that is refused leaves none, and is no failure. */
static routh_status sweep_solution_find_slopes(const rt_sweep_task *t, rt_solution *s,
                                               const routh_mechanism *m, const routh_modes *modes,
                                               int which, routh_error *error)
{
    routh_error refused = {0};
    s->slope[which] = calloc((size_t)s->n + 1, sizeof **s->slope);
    if (!s->slope[which]) return rt_fail_memory(error);
    const routh_status status =
        sweep_solution_slopes_of(t, m, s->point, modes, which, s->slope[which], &refused);
    if (status == ROUTH_OUT_OF_MEMORY) return rt_fail_memory(error);
    if (status) {
        routh_error_text(&refused, s->message, sizeof s->message);
        free(s->slope[which]);
        s->slope[which] = NULL;
    }
    return ROUTH_OK;
}

static void sweep_solution_exchange(rt_solution *s, routh_linear **linear, routh_modes **modes,
                                    routh_modes **other)
{
    routh_linear *const l = s->linear;
    routh_modes *const m = *modes;
    s->linear = *linear, *linear = l;
    *modes = *other, *other = m;
}

/* Slow modes beside very stiff parts, which doubles do not tell from zeros: in extended precision,
 * and where that does not either in balance with all digits; taken where it leaves no doubt. */
static routh_status sweep_solution_resolve(const routh_sweep_options *o, rt_solution *s,
                                           const routh_mechanism *m, const rt_solution *from,
                                           routh_modes **modes, routh_error *error)
{
    routh_status status = ROUTH_OK;
    for (int extended = 1; extended <= 2 && !status && routh_modes_in_doubt(*modes); extended++) {
        routh_linear *linear = NULL;
        routh_modes *other = NULL;
        status = sweep_solution_make_linear(o, s, m, from, extended, &linear, error);
        if (!status && !linear->A_rest) extended = 2;
        if (!status && linear->A_rest) status = routh_modes_compute(&other, linear, error);
        if (!status && other && !routh_modes_in_doubt(other))
            sweep_solution_exchange(s, &linear, modes, &other);
        routh_modes_free(other);
        routh_linear_free(linear);
    }
    return status;
}

static routh_status solution_of(const routh_sweep_options *o, const routh_mechanism *m,
                                const rt_solution *from, const rt_solution_way *way, rt_solution *s,
                                routh_modes **modes, routh_error *error)
{
    *modes = NULL;
    routh_status status = find_point(o, s, m, from, way, error);
    if (!status)
        status = sweep_solution_make_linear(o, s, m, from, way->extended, &s->linear, error);
    if (!status) status = routh_modes_compute(modes, s->linear, error);
    if (!status && !way->extended && !way->doubles)
        status = sweep_solution_resolve(o, s, m, from, modes, error);
    return status ? status : sweep_solution_take_modes(s, *modes, error);
}

routh_status rt_solution_of(const routh_sweep_options *o, const routh_mechanism *m,
                            const rt_solution *from, rt_solution *s, routh_modes **modes,
                            routh_error *error)
{
    return solution_of(o, m, from, &(rt_solution_way){0}, s, modes, error);
}

static routh_status sweep_solution_find(const rt_sweep_task *t, rt_solution *s,
                                        const rt_solution *from, const rt_solution_way *way,
                                        routh_error *error)
{
    sweep_solution_mechanism x;
    routh_status status = sweep_solution_mechanism_at(t, s->value, &x, error);
    const routh_mechanism *m = x.m;
    routh_modes *modes = NULL;
    routh_sweep_options o = t->options;
    if (o.on_progress) o.on_progress = rt_sweep_within, o.data = (void *)t;
    if (!status) status = solution_of(&o, m, from, way, s, &modes, error);
    for (int k = 0; k < way->n_slopes && !status; k++)
        status = sweep_solution_find_slopes(t, s, m, modes, k, error);
    routh_modes_free(modes);
    if (!status && t->speed >= 0) s->speed = x.model->parameters[t->speed].number.value;
    sweep_solution_mechanism_release(t, &x);
    return status;
}

/* May the motion a part of a step away, on either side, change into others too? */
static routh_status ways_beside(const rt_sweep_task *t, const rt_solution *s, double by, int *ways,
                                routh_error *error)
{
    routh_error unheard = {0};
    rt_solution beside = {.value = s->value + by, .speed = NAN};
    const routh_status status =
        sweep_solution_find(t, &beside, s, &(rt_solution_way){.followed = true}, &unheard);
    if (!status && beside.undetermined > *ways) *ways = beside.undetermined;
    rt_solution_free(&beside);
    rt_sweep_tell(t, 0);
    return status == ROUTH_OUT_OF_MEMORY ? rt_fail_memory(error) : ROUTH_OK;
}

/* A motion that is followed may change into others at a limit of stability, which is one value
 * alone. Where it may on one side of that value too, it is one of many in a range, and which of
 * them it is says the way alone. Limits of high order are as good as open nearby, and so is any
 * limit within the rounding of ranks: what is beside is looked at some way off. */
static routh_status refuse_one_of_many(const rt_sweep_task *t, const rt_solution *s,
                                       routh_error *error)
{
    static const double PART = 1.0 / 16, LEAST = 1e-5; /* of a step, of the values */
    const double by =
        fmax(PART * t->step, LEAST * fmax(fabs(s->value), fmax(fabs(t->low), fabs(t->high))));
    int n = 0;
    routh_status status = ways_beside(t, s, by, &n, error);
    if (!status && n == 0) status = ways_beside(t, s, -by, &n, error);
    if (status || n == 0) return status;
    return rt_fail(error, ROUTH_NO_EQUILIBRIUM,
                   "the steady motion is not unique in a range of the parameter: it can change in "
                   "%d independent way%s; prescribe %s under `steady`, or leave fewer inputs free",
                   n, n == 1 ? "" : "s", n == 1 ? "one of them" : "as many");
}

routh_status rt_solution_find_by(const rt_sweep_task *t, double value, const rt_solution *from,
                                 const rt_solution_way *way, rt_solution *s, routh_error *error)
{
    routh_error problem = {0};
    *s = (rt_solution){.value = value, .speed = NAN, .status = ROUTH_STOPPED};
    if (rt_sweep_stopped(t)) return ROUTH_OK;
    s->status = ROUTH_OK;
    routh_status status = sweep_solution_find(t, s, from, way, &problem);
    if (!status && s->undetermined > 0 && from) status = refuse_one_of_many(t, s, &problem);
    if (!status) return ROUTH_OK;
    rt_solution_free(s);
    *s = (rt_solution){.value = value, .status = status, .speed = NAN};
    routh_error_text(&problem, s->message, sizeof s->message);
    if (status != ROUTH_OUT_OF_MEMORY) return ROUTH_OK;
    return rt_fail_memory(error);
}

routh_status rt_solution_find_slopes(const rt_sweep_task *t, double value, const rt_solution *from,
                                     int n_slopes, rt_solution *s, routh_error *error)
{
    return rt_solution_find_by(t, value, from, &(rt_solution_way){.n_slopes = n_slopes}, s, error);
}

routh_status rt_solution_find(const rt_sweep_task *t, double value, const rt_solution *from,
                              rt_solution *s, routh_error *error)
{
    return rt_solution_find_slopes(t, value, from, 0, s, error);
}

/* Of a solution whose mechanism is gone: its point with the names of another one like it. */
static routh_status slopes_with(const rt_sweep_task *t, const rt_solution *s,
                                const routh_model *model, const routh_mechanism *m,
                                double _Complex *by, routh_error *error)
{
    routh_operating_point point = *s->point;
    routh_modes *modes = NULL;
    point.bodies = calloc((size_t)point.n_bodies + 1, sizeof *point.bodies);
    if (!point.bodies) return rt_fail_memory(error);
    for (int b = 0; b < point.n_bodies; b++) {
        point.bodies[b] = s->point->bodies[b];
        point.bodies[b].name = model->bodies[b].name;
    }
    routh_status status = routh_modes_compute(&modes, s->linear, error);
    if (!status) status = sweep_solution_slopes_of(t, m, &point, modes, 0, by, error);
    routh_modes_free(modes);
    free(point.bodies);
    return status;
}

routh_status rt_solution_slopes(const rt_sweep_task *t, const rt_solution *s, double _Complex *by,
                                routh_error *error)
{
    sweep_solution_mechanism x;
    routh_error refused = {0};
    for (int k = 0; k < s->n; k++) by[k] = NAN;
    if (rt_sweep_stopped(t)) return ROUTH_OK;
    routh_status status = sweep_solution_mechanism_at(t, s->value, &x, &refused);
    if (!status) status = slopes_with(t, s, x.model, x.m, by, &refused);
    sweep_solution_mechanism_release(t, &x);
    return status == ROUTH_OUT_OF_MEMORY ? rt_fail_memory(error) : ROUTH_OK;
}

void rt_solution_free(rt_solution *s)
{
    routh_operating_point_free(s->point);
    routh_linear_free(s->linear);
    free(s->lambda);
    free(s->V);
    free(s->bound);
    free(s->conjugate);
    free(s->rigid);
    free(s->slope[0]);
    free(s->slope[1]);
    *s = (rt_solution){0};
}

bool rt_solutions_compare(const rt_solution *a, const rt_solution *b)
{
    if (a->status || b->status || a->n != b->n) return false;
    for (int k = 0; k < a->n; k++)
        if (strcmp(a->linear->states[k].name, b->linear->states[k].name) != 0) return false;
    return true;
}
