/* Sensors (of rt_scalar) from the model's equations of controllers, variables, outputs, kinks and
 * events. */
#include "system/sensors.h"

static int compile_sensors_count_of(const routh_model *model, rt_sensor_kind kind)
{
    switch (kind) {
    case RT_SENSOR_STATE: return model->n_control_states;
    case RT_SENSOR_VARIABLE: return model->n_variables;
    case RT_SENSOR_OUTPUT: return model->n_outputs;
    case RT_SENSOR_PRESCRIBED: return model->steady.n_prescribed;
    case RT_SENSOR_KINK:
    case RT_SENSOR_JUMP:
    case RT_SENSOR_STEP: return model->n_kinks;
    case RT_SENSOR_ARGUMENT: return model->n_function_arguments;
    default: return model->n_events;
    }
}

/* RT_NO_EXPR for jumps that are always there, and events that set nothing. */
static rt_expr compile_sensors_function_of(const routh_model *model, rt_sensor_kind kind, int k)
{
    switch (kind) {
    case RT_SENSOR_STATE: return model->control_states[k].equation.expr;
    case RT_SENSOR_VARIABLE: return model->variables[k].value.expr;
    case RT_SENSOR_OUTPUT: return model->outputs[k].value.expr;
    case RT_SENSOR_PRESCRIBED: return model->steady.prescribed[k].measure.expr;
    case RT_SENSOR_KINK: return model->kinks[k].distance;
    case RT_SENSOR_JUMP: return model->kinks[k].weighed ? model->kinks[k].jump : RT_NO_EXPR;
    case RT_SENSOR_STEP: return model->kinks[k].weighed ? model->kinks[k].step : RT_NO_EXPR;
    case RT_SENSOR_ARGUMENT: return model->function_arguments[k];
    case RT_SENSOR_EVENT: return model->events[k].when.expr;
    default: return model->events[k].value.expr;
    }
}

/* A variable's own place is among those of its sensor, v - value(...). */
static routh_status add_itself(routh_mechanism *m, rt_load_block *sensor, int k, int *lambda,
                               routh_error *error)
{
    const rt_quantity itself = {.kind = RT_QUANTITY_VARIABLE, .index = k};
    const int place = m->n_rows + rt_signal_place(m->model, &itself);
    int n = sensor->n_lambda;
    memcpy(lambda, sensor->lambda, (size_t)n * sizeof *lambda);
    for (int i = 0; i < n; i++)
        if (lambda[i] == place) return ROUTH_OK;
    if (n == RT_LOAD_LAMBDA)
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                       "its expression touches more than %d joint forces and signals; split it",
                       RT_LOAD_LAMBDA - 1);
    lambda[n++] = place;
    return rt_set_lambda(m, sensor, lambda, n, error);
}

static routh_status compile_one(routh_mechanism *m, rt_sensor_kind kind, int k,
                                rt_load_block *sensor, routh_error *error)
{
    int frames[RT_LOAD_FRAMES], lambda[RT_LOAD_LAMBDA], n = 0;
    rt_expr e = compile_sensors_function_of(m->model, kind, k);
    if (e < 0) e = rt_constant(m->graph, 1);
    if (e < 0) return rt_fail_memory(error);
    sensor->load = -1;
    sensor->n_programs = 1;
    routh_status status =
        rt_compile_function(m, &sensor->program[0], e, kind < RT_SENSOR_KINK, error);
    if (!status) status = rt_add_dependencies(m, sensor, frames, &n, lambda, error);
    if (!status && kind == RT_SENSOR_VARIABLE) status = add_itself(m, sensor, k, lambda, error);
    if (status) return status;
    int *copy = RT_TAKE(&m->arena, int, n);
    if (!copy) return rt_fail_memory(error);
    memcpy(copy, frames, (size_t)n * sizeof *copy);
    sensor->block.n_frames = n;
    sensor->block.frames = copy;
    return ROUTH_OK;
}

/* Adds the element and its place to an error made deeper down. */
static routh_status compile_sensors_blame(const routh_mechanism *m, rt_sensor_kind kind, int k,
                                          routh_status status, routh_error *error)
{
    if (!error || status == ROUTH_OUT_OF_MEMORY) return status;
    char element[192], message[sizeof error->message];
    rt_place place;
    memcpy(message, error->message, sizeof message);
    rt_sensor_describe(m, kind, k, element, &place);
    return rt_fail_at(error, status, m->model->file, place, element, "%s", message);
}

routh_status rt_compile_sensors(routh_mechanism *m, routh_error *error)
{
    m->sensors = RT_TAKE(&m->arena, rt_sensors, 1);
    if (!m->sensors) return rt_fail_memory(error);
    for (int kind = 0; kind < RT_SENSOR_N_KINDS; kind++) {
        const int n = m->sensors->count[kind] =
            compile_sensors_count_of(m->model, (rt_sensor_kind)kind);
        rt_load_block *list = m->sensors->sensors[kind] = RT_TAKE(&m->arena, rt_load_block, n);
        if (!list) return rt_fail_memory(error);
        for (int k = 0; k < n; k++) {
            const routh_status status = compile_one(m, (rt_sensor_kind)kind, k, &list[k], error);
            if (status) return compile_sensors_blame(m, (rt_sensor_kind)kind, k, status, error);
        }
    }
    return ROUTH_OK;
}
