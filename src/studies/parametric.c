/* A model with parameters that are set again and again (routh/parametric.h). */
#include "routh/parametric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answers/modes_kept.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/number.h"
#include "model/retake.h"
#include "operating/point.h"
#include "system/refill.h"

typedef struct parametric_sizes {
    int n_bodies, n_u, n_rows, n_loads;
} parametric_sizes;

struct routh_parametric {
    rt_arena arena;
    const routh_model *base; /* the caller's */
    int n;
    const char **name;
    int *index; /* by parameter here: in the model */
    double *value;
    double *taken; /* those that model and mechanism have */
    bool *shapes;  /* what is read follows from the value: of the model that was read last */
    routh_setting *settings;
    char (*text)[RT_NUMBER_SIZE];
    const char *coordinates;
    routh_operating_point_options find;
    routh_linear_options how;

    routh_model *model;
    rt_retake *retake;
    routh_mechanism *mechanism;
    rt_refill *refill; /* NULL: it has to be compiled again */
    rt_analyses *analyses;
    parametric_sizes sizes; /* of the mechanism before */
    bool numbers_taken, mechanism_taken;
    routh_operating_point *point;
    routh_linear *linear;
    routh_modes *modes;
};

/* ---- what is kept of the arguments ----------------------------------------------------------- */

static const char *parametric_text(routh_parametric *p, const char *text, bool *good)
{
    const char *copy = text ? rt_arena_text(&p->arena, text, strlen(text)) : NULL;
    if (text && !copy) *good = false;
    return copy;
}

static const char *const *parametric_list(routh_parametric *p, const char *const *list, bool *good)
{
    int n = 0;
    while (list && list[n]) n++;
    const char **copy = list ? RT_TAKE(&p->arena, const char *, n + 1) : NULL;
    if (list && !copy) *good = false;
    for (int k = 0; copy && k < n; k++) copy[k] = parametric_text(p, list[k], good);
    return copy;
}

static routh_status keep_options(routh_parametric *p, const char *coordinates,
                                 const routh_operating_point_options *find,
                                 const routh_linear_options *how, routh_error *error)
{
    bool good = true;
    p->find = find ? *find : routh_operating_point_defaults();
    p->how = how ? *how : routh_linear_defaults();
    p->coordinates = parametric_text(p, coordinates, &good);
    p->how.method = parametric_text(p, p->how.method, &good);
    p->how.reference = parametric_text(p, p->how.reference, &good);
    p->how.states = parametric_list(p, p->how.states, &good);
    p->how.blades = parametric_list(p, p->how.blades, &good);
    return good ? ROUTH_OK : rt_fail_memory(error);
}

static int parameter_named(const routh_model *model, const char *name)
{
    for (int k = 0; k < model->n_parameters; k++)
        if (!strcmp(model->parameters[k].name, name)) return k;
    return -1;
}

static routh_status check_name(const routh_parametric *p, int k, routh_error *error)
{
    const routh_model *m = p->base;
    if (p->index[k] < 0)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "'%.60s' is not a parameter of the model; name one of its section "
                       "`parameters`",
                       p->name[k]);
    for (int i = 0; i < k; i++)
        if (p->index[i] == p->index[k])
            return rt_fail(error, ROUTH_BAD_ARGUMENT, "the parameter '%.60s' is named twice",
                           p->name[k]);
    for (int i = 0; i < m->n_inputs; i++)
        if (!strcmp(m->inputs[i].name, m->parameters[p->index[k]].name))
            return rt_fail(
                error, ROUTH_BAD_ARGUMENT,
                "the parameter '%.60s' is free in the steady motion, which finds it; set "
                "another one",
                p->name[k]);
    return ROUTH_OK;
}

static routh_status keep_names(routh_parametric *p, const char *const *names, routh_error *error)
{
    while (names[p->n]) p->n++;
    const size_t n = (size_t)p->n;
    bool good = true;
    p->name = RT_TAKE(&p->arena, const char *, n);
    p->index = RT_TAKE(&p->arena, int, n);
    p->value = RT_TAKE(&p->arena, double, n);
    p->taken = RT_TAKE(&p->arena, double, n);
    p->shapes = RT_TAKE(&p->arena, bool, n);
    p->settings = RT_TAKE(&p->arena, routh_setting, n);
    p->text = rt_arena_take(&p->arena, n, sizeof *p->text);
    if (!p->name || !p->index || !p->value || !p->taken || !p->shapes || !p->settings || !p->text)
        return rt_fail_memory(error);
    for (int k = 0; k < p->n; k++) {
        p->name[k] = parametric_text(p, names[k], &good);
        if (!good) return rt_fail_memory(error);
        p->index[k] = parameter_named(p->base, p->name[k]);
        const routh_status status = check_name(p, k, error);
        if (status) return status;
        p->value[k] = p->base->parameters[p->index[k]].number.value;
        p->settings[k] = (routh_setting){p->name[k], p->text[k]};
    }
    return ROUTH_OK;
}

routh_status routh_parametric_create(routh_parametric **parametric, const routh_model *model,
                                     const char *const *parameters, const char *coordinates,
                                     const routh_operating_point_options *point_options,
                                     const routh_linear_options *linear_options, routh_error *error)
{
    *parametric = NULL;
    routh_parametric *p = calloc(1, sizeof *p);
    if (!p) return rt_fail_memory(error);
    p->base = model;
    p->analyses = rt_analyses_create();
    if (!p->analyses) {
        routh_parametric_free(p);
        return rt_fail_memory(error);
    }
    routh_status status = keep_names(p, parameters, error);
    if (!status) status = keep_options(p, coordinates, point_options, linear_options, error);
    const routh_mechanism *mechanism;
    if (!status) status = routh_parametric_mechanism(p, &mechanism, error);
    if (status) {
        routh_parametric_free(p);
        return status;
    }
    *parametric = p;
    return ROUTH_OK;
}

/* ---- what was computed ----------------------------------------------------------------------- */

static void drop_results(routh_parametric *p)
{
    routh_modes_free(p->modes);
    routh_linear_free(p->linear);
    routh_operating_point_free(p->point);
    p->modes = NULL, p->linear = NULL, p->point = NULL;
}

static void drop_mechanism(routh_parametric *p)
{
    drop_results(p);
    rt_refill_free(p->refill);
    routh_mechanism_free(p->mechanism);
    p->refill = NULL, p->mechanism = NULL;
    p->mechanism_taken = false;
}

static void drop_model(routh_parametric *p)
{
    drop_mechanism(p);
    rt_retake_free(p->retake);
    routh_model_free(p->model);
    p->retake = NULL, p->model = NULL;
    p->numbers_taken = false;
}

void routh_parametric_free(routh_parametric *p)
{
    if (!p) return;
    drop_model(p);
    rt_analyses_free(p->analyses);
    rt_arena_free(&p->arena);
    free(p);
}

/* ---- the model and the mechanism ------------------------------------------------------------- */

static bool same_bits(const double *a, const double *b) { return memcmp(a, b, sizeof *a) == 0; }

static bool may_retake(const routh_parametric *p)
{
    if (!p->retake) return false;
    for (int k = 0; k < p->n; k++)
        if (p->shapes[k] && !same_bits(&p->value[k], &p->taken[k])) return false;
    return true;
}

static routh_status read_again(routh_parametric *p, routh_error *error)
{
    drop_model(p);
    for (int k = 0; k < p->n; k++) rt_number_text(p->text[k], p->value[k], RT_NUMBER_EXACT);
    routh_status status = rt_model_again(&p->model, p->base, p->settings, (size_t)p->n, error);
    if (!status) status = rt_retake_create(&p->retake, p->model, p->index, p->n, error);
    if (status) drop_model(p);
    for (int k = 0; k < p->n && !status; k++) p->shapes[k] = rt_retake_shapes(p->retake, k);
    return status;
}

static routh_status take_numbers(routh_parametric *p, routh_error *error)
{
    if (p->numbers_taken) return ROUTH_OK;
    drop_results(p);
    p->mechanism_taken = false;
    if (!may_retake(p) || !rt_retake_run(p->retake, p->value)) {
        const routh_status status = read_again(p, error);
        if (status) return status;
    }
    memcpy(p->taken, p->value, (size_t)p->n * sizeof *p->taken);
    p->numbers_taken = true;
    return ROUTH_OK;
}

/* To all that belong to it. */
static void give_analyses(routh_mechanism *m, rt_analyses *analyses)
{
    if (!m) return;
    m->analyses = analyses;
    give_analyses(m->inner, analyses);
    give_analyses(m->base, analyses);
    give_analyses(m->auxiliary, analyses);
}

/* Memory of a model of other sizes is of no use any more. */
static void mind_sizes(routh_parametric *p)
{
    const routh_mechanism *m = p->mechanism;
    const parametric_sizes sizes = {m->n_bodies, m->n_u, m->n_rows, m->n_loads};
    if (memcmp(&sizes, &p->sizes, sizeof sizes) != 0) rt_analyses_trim(p->analyses);
    p->sizes = sizes;
}

static routh_status compile_again(routh_parametric *p, routh_error *error)
{
    drop_mechanism(p);
    routh_status status = routh_mechanism_compile(&p->mechanism, p->model, p->coordinates, error);
    if (!status) mind_sizes(p);
    if (!status) status = rt_refill_create(&p->refill, p->mechanism, error);
    if (!status) give_analyses(p->mechanism, p->analyses);
    if (status) drop_mechanism(p);
    return status;
}

static routh_status take_mechanism(routh_parametric *p, routh_error *error)
{
    routh_status status = take_numbers(p, error);
    if (status || p->mechanism_taken) return status;
    bool again = !p->refill;
    if (!again) status = rt_refill_run(p->refill, &again, error);
    if (!status && again) status = compile_again(p, error);
    p->mechanism_taken = !status;
    return status;
}

routh_status routh_parametric_model(routh_parametric *p, const routh_model **model,
                                    routh_error *error)
{
    const routh_status status = take_numbers(p, error);
    *model = status ? NULL : p->model;
    return status;
}

routh_status routh_parametric_mechanism(routh_parametric *p, const routh_mechanism **mechanism,
                                        routh_error *error)
{
    const routh_status status = take_mechanism(p, error);
    *mechanism = status ? NULL : p->mechanism;
    return status;
}

/* ---- operating point, linear model, modes ---------------------------------------------------- */

/* The rotor brought into balance, in place of the point. */
static routh_status balance_blades(routh_parametric *p, routh_error *error)
{
    routh_operating_point *point;
    const routh_status status =
        routh_rotor_point_find(&point, p->mechanism, p->point, p->how.blades, error);
    routh_operating_point_free(p->point);
    p->point = point;
    return status;
}

routh_status routh_parametric_point(routh_parametric *p, const routh_operating_point **point,
                                    routh_error *error)
{
    routh_status status = take_mechanism(p, error);
    *point = NULL;
    if (!status && !p->point) {
        status = routh_operating_point_find(&p->point, p->mechanism, &p->find, error);
        if (!status && p->how.blades) status = balance_blades(p, error);
    }
    if (!status) *point = p->point;
    return status;
}

routh_status routh_parametric_linear(routh_parametric *p, const routh_linear **linear,
                                     routh_error *error)
{
    const routh_operating_point *point;
    routh_status status = routh_parametric_point(p, &point, error);
    *linear = NULL;
    if (!status && !p->linear)
        status = routh_linear_compute(&p->linear, p->mechanism, point, &p->how, error);
    if (!status) *linear = p->linear;
    return status;
}

routh_status routh_parametric_modes(routh_parametric *p, const routh_modes **modes,
                                    routh_error *error)
{
    const routh_linear *linear;
    routh_status status = routh_parametric_linear(p, &linear, error);
    *modes = NULL;
    if (!status && !p->modes) status = rt_modes_compute_kept(&p->modes, linear, p->analyses, error);
    if (!status) *modes = p->modes;
    return status;
}

/* ---- the parameters -------------------------------------------------------------------------- */

static bool is_index(const routh_parametric *p, int index)
{
    return p && index >= 0 && index < p->n;
}

int routh_parametric_count(const routh_parametric *p) { return p ? p->n : 0; }

int routh_parametric_index(const routh_parametric *p, const char *name)
{
    for (int k = 0; p && name && k < p->n; k++)
        if (!strcmp(p->name[k], name)) return k;
    return -1;
}

double routh_parametric_value(const routh_parametric *p, int index)
{
    return is_index(p, index) ? p->value[index] : NAN;
}

int routh_parametric_is_number(const routh_parametric *p, int index)
{
    return is_index(p, index) && !p->shapes[index];
}

routh_status routh_parametric_set(routh_parametric *p, int index, double value, routh_error *error)
{
    if (!is_index(p, index))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "index of routh_parametric_set is %d; there are %d parameters, counted from "
                       "0",
                       index, p->n);
    if (!isfinite(value))
        return rt_fail(
            error, ROUTH_BAD_ARGUMENT,
            "value of routh_parametric_set is not finite, that of the parameter '%.60s'; "
            "a finite number is needed",
            p->name[index]);
    value = value == 0 ? 0 : value; /* as the reader has it, without a sign */
    if (same_bits(&p->value[index], &value)) return ROUTH_OK;
    p->value[index] = value;
    p->numbers_taken = false;
    return ROUTH_OK;
}
