#include "output/results.h"

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
    rt_json_flat_array(json, "inputs");
    rt_json_end(json);
    rt_json_flat_array(json, "outputs");
    rt_json_end(json);
}

static void second_order(rt_json *json, const char *key, const double *matrix, int n)
{
    if (matrix)
        rt_json_matrix(json, key, matrix, n, n);
    else
        rt_json_null(json, key);
}

static void write(rt_json *json, const routh_results *results)
{
    const routh_linear *linear = results->linear;
    const int n = linear->n_states;
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
    rt_json_matrix(json, "A", linear->A, n, n);
    rt_json_matrix(json, "B", NULL, n, 0);
    rt_json_matrix(json, "C", NULL, 0, n);
    rt_json_matrix(json, "D", NULL, 0, 0);
    if (linear->affine) rt_json_reals(json, "affine", linear->affine, n);
    second_order(json, "mass", linear->mass, linear->n_position);
    second_order(json, "damping", linear->damping, linear->n_position);
    second_order(json, "stiffness", linear->stiffness, linear->n_position);
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
