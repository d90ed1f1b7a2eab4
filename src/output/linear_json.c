#include "output/results.h"

static void signals(rt_json *json, const char *key, const routh_signal_name *names, int n)
{
    rt_json_flat_array(json, key);
    for (int i = 0; i < n; i++) rt_json_string(json, NULL, names[i].name);
    rt_json_end(json);
}

static void names(rt_json *json, const routh_linear *linear)
{
    rt_json_array(json, "states");
    for (int i = 0; i < linear->n_states; i++) rt_json_string(json, NULL, linear->states[i].name);
    rt_json_end(json);
    rt_json_flat_array(json, "units");
    for (int i = 0; i < linear->n_states; i++) rt_json_string(json, NULL, linear->states[i].unit);
    rt_json_end(json);
    rt_json_flat_array(json, "frames");
    for (int i = 0; i < linear->n_states; i++) rt_json_string(json, NULL, linear->states[i].frame);
    rt_json_end(json);
    signals(json, "inputs", linear->inputs, linear->n_inputs);
    signals(json, "outputs", linear->outputs, linear->n_outputs);
}

static void matrix_or_null(rt_json *json, const char *key, const double *matrix, int n_rows,
                           int n_columns)
{
    if (matrix)
        rt_json_matrix(json, key, matrix, n_rows, n_columns);
    else
        rt_json_null(json, key);
}

/* by in, in', in'' */
static void by_rates(rt_json *json, const char *const keys[3], const double *const matrices[3],
                     int n_rows, int n_columns)
{
    rt_json_matrix(json, keys[0], matrices[0], n_rows, matrices[0] ? n_columns : 0);
    for (int k = 1; k < 3; k++) matrix_or_null(json, keys[k], matrices[k], n_rows, n_columns);
}

/* y' = A y + B in + .. + a0, out = C y + D in + .. */
static void state_space(rt_json *json, const routh_linear *l)
{
    rt_json_matrix(json, "A", l->A, l->n_states, l->n_states);
    by_rates(json, (const char *const[]){"B", "B1", "B2"},
             (const double *const[]){l->B, l->B1, l->B2}, l->n_states, l->n_inputs);
    rt_json_matrix(json, "C", l->C, l->C ? l->n_outputs : 0, l->n_states);
    by_rates(json, (const char *const[]){"D", "D1", "D2"},
             (const double *const[]){l->D, l->D1, l->D2}, l->D ? l->n_outputs : 0, l->n_inputs);
    if (l->affine) rt_json_reals(json, "affine", l->affine, l->n_states);
}

/* mass W' + damping W + stiffness S = coupling X + force in + .. */
static void second_order(rt_json *json, const routh_linear *l)
{
    const int n = l->n_velocity;
    matrix_or_null(json, "mass", l->mass, n, n);
    matrix_or_null(json, "damping", l->damping, n, n);
    matrix_or_null(json, "stiffness", l->stiffness, n, l->n_position);
    matrix_or_null(json, "coupling", l->n_control > 0 ? l->coupling : NULL, n, l->n_control);
    matrix_or_null(json, "force", l->n_inputs > 0 ? l->force : NULL, n, l->n_inputs);
    matrix_or_null(json, "force1", l->n_inputs > 0 ? l->force1 : NULL, n, l->n_inputs);
    matrix_or_null(json, "force2", l->n_inputs > 0 ? l->force2 : NULL, n, l->n_inputs);
}

static void write(rt_json *json, const routh_results *results)
{
    const routh_linear *linear = results->linear;
    rt_json_object(json, NULL);
    rt_json_origin(json, results);
    rt_json_method(json, results);
    rt_json_int(json, "infinite_eigenvalues", linear->n_infinite);
    rt_json_real(json, "residual", linear->residual);
    rt_json_bool(json, "at_rest", linear->at_rest);
    rt_json_bool(json, "steady", linear->steady);
    rt_json_real(json, "drift", linear->drift);
    rt_json_warnings(json, results, NULL);
    names(json, linear);
    state_space(json, linear);
    second_order(json, linear);
    rt_json_end(json);
}

routh_status routh_linear_json(const routh_results *results, routh_text *text, routh_error *error)
{
    *text = (routh_text){0};
    routh_status status = rt_results_check(results, RT_NEED_LINEAR, error);
    if (status) return status;
    rt_json json = {0};
    write(&json, results);
    status = rt_json_finish(&json, error);
    return status ? status : rt_results_hand_over(&json.text, text, error);
}
