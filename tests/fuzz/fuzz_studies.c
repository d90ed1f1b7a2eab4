/* Any bytes as a line of options, a form feed and a small model file: the model is swept over what
 * the line says, or its response or its derivatives are computed, or it is refused with a message.
 * The first byte says which study, and its options. */
#define _GNU_SOURCE /* memfd_create: sweeps read files */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "model/model.h"
#include "routh/routh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    MOST_BYTES = 4000,
    MOST_BODIES = 3,
    MOST_ELEMENTS = 6,
    MOST_PARAMETERS = 8,
    MOST_VALUES = 6
};

static bool is_small(const routh_model *m)
{
    return m->n_bodies <= MOST_BODIES && m->n_joints <= MOST_ELEMENTS &&
           m->n_loads <= MOST_ELEMENTS && m->n_parameters <= MOST_PARAMETERS &&
           m->n_control_states <= MOST_ELEMENTS;
}

/* ---- sweeps ---------------------------------------------------------------------------------- */

static void check_sweep(const routh_sweep *s)
{
    assert(s->n_lines >= 1);
    for (int i = 0; i < s->n_lines; i++)
        for (int k = 0; k < s->lines[i].n_points; k++) {
            const routh_sweep_point *p = &s->lines[i].points[k];
            assert(p->message || p->n <= s->lines[i].n_branches);
        }
}

static routh_status sweep(const char *line, const char *text, size_t length, unsigned what,
                          routh_error *error)
{
    routh_sweep_axis axis = {0};
    routh_sweep_options o = routh_sweep_defaults();
    routh_sweep *result = NULL;
    char path[40];
    o.halvings = 2;
    o.threads = 1;
    o.solve = what & 8 ? 1 : 0;
    o.derivatives = what & 16 ? 1 : 0;
    routh_status status = routh_sweep_axis_parse(&axis, line, NULL, error);
    if (status || axis.n > MOST_VALUES) {
        routh_sweep_axis_free(&axis);
        return status;
    }
    if (what & 32) o.speed = axis.parameter;
    const int file = memfd_create("model", 0);
    assert(file >= 0 && write(file, text, length) == (ssize_t)length);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    status = routh_sweep_run(&result, path, &axis, 1, &o, error);
    assert((status == ROUTH_OK) == (result != NULL));
    if (result) check_sweep(result);
    routh_sweep_free(result);
    routh_sweep_axis_free(&axis);
    close(file);
    return status;
}

/* ---- response and derivatives ---------------------------------------------------------------- */

typedef struct chain {
    routh_mechanism *mechanism;
    routh_operating_point *point;
    routh_linear *linear;
    routh_modes *modes;
} chain;

static routh_status open_chain(chain *c, const routh_model *model, routh_error *error)
{
    routh_operating_point_options options = routh_operating_point_defaults();
    options.max_iterations = 10;
    routh_status status = routh_mechanism_compile(&c->mechanism, model, NULL, error);
    if (!status) status = routh_operating_point_find(&c->point, c->mechanism, &options, error);
    if (!status) status = routh_linear_compute(&c->linear, c->mechanism, c->point, NULL, error);
    return status ? status : routh_modes_compute(&c->modes, c->linear, error);
}

static void close_chain(chain *c)
{
    routh_modes_free(c->modes);
    routh_linear_free(c->linear);
    routh_operating_point_free(c->point);
    routh_mechanism_free(c->mechanism);
}

static routh_status response(const chain *c, const char *line, unsigned what, routh_error *error)
{
    routh_response_options o = routh_response_defaults();
    routh_response *r = NULL;
    routh_response_sensitivity *by = NULL;
    o.inputs = *line ? line : NULL;
    o.base = (routh_base_axis)(what >> 3 & 3);
    o.reference = (routh_motion_reference)(what >> 5 & 1);
    o.n_points = 7;
    routh_status status = routh_response_compute(&r, c->linear, c->modes, &o, error);
    assert((status == ROUTH_OK) == (r != NULL));
    for (int k = 0; r && k < r->n; k++)
        assert(isfinite(r->hz[k]) && (k == 0 || r->hz[k] > r->hz[k - 1]));
    if (r && what & 64) {
        status = routh_response_sensitivity_compute(&by, c->mechanism, c->point, c->linear, r, &o,
                                                    NULL, error);
        assert((status == ROUTH_OK) == (by != NULL));
    }
    routh_response_sensitivity_free(by);
    routh_response_free(r);
    return status;
}

static routh_status sensitivities(const chain *c, const char *line, unsigned what,
                                  routh_error *error)
{
    const char *const names[] = {line, NULL};
    const routh_sensitivity_options o = {.parameters = *line ? names : NULL};
    routh_sensitivity *values = NULL;
    routh_shape_sensitivity *shapes = NULL;
    const routh_status status =
        what & 8 ? routh_shape_sensitivity_compute(&shapes, c->mechanism, c->point, c->linear,
                                                   c->modes, &o, error)
                 : routh_sensitivity_compute(&values, c->mechanism, c->point, c->modes, &o, error);
    assert((status == ROUTH_OK) == (values != NULL || shapes != NULL));
    assert(!values || values->n_modes == c->modes->n);
    assert(!shapes || shapes->n_modes <= c->modes->n);
    routh_shape_sensitivity_free(shapes);
    routh_sensitivity_free(values);
    return status;
}

static routh_status study(const routh_model *model, const char *line, unsigned what,
                          routh_error *error)
{
    chain c = {0};
    routh_status status = open_chain(&c, model, error);
    if (!status)
        status =
            what % 3 == 1 ? response(&c, line, what, error) : sensitivities(&c, line, what, error);
    close_chain(&c);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *text = size > 1 && size <= MOST_BYTES ? memchr(data + 1, '\f', size - 1) : NULL;
    if (!text) return 0;
    const size_t length = size - (size_t)(++text - data);
    char *line = calloc(1, size);
    routh_error error = {0};
    routh_model *model = NULL;
    assert(line);
    memcpy(line, data + 1, (size_t)(text - data) - 2);
    routh_status status =
        routh_model_parse(&model, (const char *)text, length, "fuzz.yaml", NULL, 0, &error);
    if (model && is_small(model))
        status = data[0] % 3 == 0 ? sweep(line, (const char *)text, length, data[0], &error)
                                  : study(model, line, data[0], &error);
    assert(status == ROUTH_OK || (status == error.status && error.message[0]));
    routh_model_free(model);
    free(line);
    return 0;
}
