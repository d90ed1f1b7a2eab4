/* What routh floquet found, as JSON (docs/reference/json.md) and as CSV. */
#include <math.h>

#include "base/csv.h"
#include "output/results.h"

static void floquet_json_names(rt_json *json, const char *key, char *const *names, int n)
{
    rt_json_flat_array(json, key);
    for (int k = 0; k < n; k++) rt_json_string(json, NULL, names[k]);
    rt_json_end(json);
}

static void floquet_json_matrix(rt_json *json, const char *key, const double *a, int n)
{
    rt_json_array(json, key);
    for (int i = 0; i < n; i++) rt_json_reals(json, NULL, a + (size_t)i * (size_t)n, n);
    rt_json_end(json);
}

static void floquet_json_numbers(rt_json *json, const routh_floquet *f)
{
    rt_json_string(json, "coordinates", f->coordinates);
    rt_json_real(json, "time", f->time);
    rt_json_real(json, "period", f->period);
    rt_json_bool(json, "autonomous", f->autonomous);
    rt_json_real(json, "closure", f->closure);
    rt_json_int(json, "iterations", f->iterations);
    rt_json_int(json, "steps", f->steps);
    rt_json_int(json, "choices_of_states", f->n_choices);
    rt_json_real(json, "error", f->error);
    rt_json_real(json, "trace", f->trace);
    rt_json_real_or_null(json, "log_determinant", f->log_determinant);
    rt_json_real_or_null(json, "liouville", f->liouville);
    rt_json_real_or_null(json, "pairs", f->pairs);
    rt_json_real(json, "largest", f->largest);
    rt_json_string(json, "verdict",
                   f->stable == 1   ? "stable"
                   : f->stable == 0 ? "unstable"
                                    : "neither");
}

static void floquet_json_bodies(rt_json *json, const routh_floquet *f)
{
    rt_json_array(json, "bodies");
    for (int b = 0; b < f->n_bodies; b++) {
        const routh_body_pose *x = &f->bodies[b];
        rt_json_body(json, x->name, x->position, x->orientation, x->velocity, x->angular_velocity);
    }
    rt_json_end(json);
}

static void floquet_json_switches(rt_json *json, const routh_floquet *f)
{
    rt_json_array(json, "switches");
    for (int k = 0; k < f->n_switches; k++) {
        const routh_floquet_switch *x = &f->switches[k];
        rt_json_flat_object(json, NULL);
        rt_json_string(json, "element", x->element);
        rt_json_string(json, "what", x->what);
        rt_json_int(json, "times", x->times);
        rt_json_real(json, "time", x->time);
        rt_json_end(json);
    }
    rt_json_end(json);
}

static void harmonics(rt_json *json, const routh_floquet_mode *mode, int n)
{
    rt_json_array(json, "harmonics");
    for (int k = 0; k < mode->n_harmonics; k++) {
        const routh_harmonic *h = &mode->harmonics[k];
        rt_json_object(json, NULL);
        rt_json_int(json, "n", h->n);
        rt_json_real(json, "share", h->share);
        rt_json_flat_array(json, "shape");
        for (int i = 0; i < n; i++) rt_json_reals(json, NULL, h->shape + 2 * i, 2);
        rt_json_end(json);
        rt_json_end(json);
    }
    rt_json_end(json);
}

static void numbers_of(rt_json *json, const routh_floquet_mode *mode)
{
    rt_json_reals(json, "multiplier", mode->multiplier, 2);
    rt_json_bool(json, "pair", mode->pair);
    rt_json_bool(json, "trivial", mode->trivial);
    rt_json_real(json, "modulus", mode->modulus);
    rt_json_real(json, "error", mode->error);
    rt_json_real_or_null(json, "condition", mode->condition);
    rt_json_flat_array(json, "exponent");
    for (int i = 0; i < 2; i++) rt_json_real_or_null(json, NULL, mode->exponent[i]);
    rt_json_end(json);
    rt_json_real(json, "principal", mode->principal);
    rt_json_int(json, "harmonic", mode->harmonic);
    rt_json_real(json, "share", mode->share);
    rt_json_real(json, "damped_frequency_hz", mode->damped_frequency_hz);
    rt_json_real_or_null(json, "undamped_frequency_hz", mode->undamped_frequency_hz);
    rt_json_real(json, "damping_ratio", mode->damping_ratio);
}

static void floquet_json_one(rt_json *json, const routh_floquet *f, const routh_floquet_mode *mode)
{
    rt_json_object(json, NULL);
    numbers_of(json, mode);
    harmonics(json, mode, f->n_states);
    rt_json_end(json);
}

static void floquet_json_multiblade(rt_json *json, const routh_multiblade *m)
{
    if (!m) return;
    rt_json_object(json, "multiblade");
    rt_json_int(json, "blades", m->n_blades);
    rt_json_int(json, "states_each", m->n_states_each);
    rt_json_int(json, "sense", m->sense);
    rt_json_bool(json, "constant", m->constant);
    rt_json_real(json, "variation", m->variation);
    rt_json_real(json, "variation_before", m->before);
    rt_json_real(json, "difference", m->difference);
    rt_json_real(json, "relative", m->relative);
    floquet_json_names(json, "states", m->names, m->n_states);
    floquet_json_matrix(json, "A", m->A, m->n_states);
    rt_json_array(json, "eigenvalues");
    for (int k = 0; k < m->n_states; k++) rt_json_reals(json, NULL, m->eigenvalues + 2 * k, 2);
    rt_json_end(json);
    rt_json_end(json);
}

void rt_json_report_floquet(rt_json *json, const routh_floquet *f)
{
    floquet_json_numbers(json, f);
    floquet_json_switches(json, f);
    rt_json_array(json, "modes");
    for (int k = 0; k < f->n_modes; k++) {
        rt_json_object(json, NULL);
        numbers_of(json, &f->modes[k]);
        rt_json_end(json);
    }
    rt_json_end(json);
}

routh_status routh_floquet_json(const routh_results *results, routh_text *text, routh_error *error)
{
    *text = (routh_text){0};
    routh_status status = rt_results_check(results, RT_NEED_FLOQUET | RT_NEED_POINT, error);
    if (status) return status;
    const routh_floquet *f = results->floquet;
    rt_json json = {0};
    rt_json_object(&json, NULL);
    rt_json_origin(&json, results);
    floquet_json_numbers(&json, f);
    rt_json_warnings(&json, results, NULL);
    floquet_json_names(&json, "states", f->names, f->n_states);
    floquet_json_names(&json, "units", f->units, f->n_states);
    floquet_json_bodies(&json, f);
    floquet_json_switches(&json, f);
    rt_json_array(&json, "modes");
    for (int k = 0; k < f->n_modes; k++) floquet_json_one(&json, f, &f->modes[k]);
    rt_json_end(&json);
    floquet_json_matrix(&json, "monodromy", f->monodromy, f->n_states);
    floquet_json_multiblade(&json, f->multiblade);
    rt_json_end(&json);
    status = rt_json_finish(&json, error);
    return status ? status : rt_results_hand_over(&json.text, text, error);
}

/* A line for each multiplier, one of each pair. */
routh_status routh_floquet_csv(const routh_results *results, routh_text *text, routh_error *error)
{
    static const char *const heads[] = {
        "mode",          "multiplier_real",    "multiplier_imaginary", "modulus",       "error",
        "exponent_real", "exponent_imaginary", "damped_frequency_hz",  "damping_ratio", "harmonic",
        "share"};
    *text = (routh_text){0};
    routh_status status = rt_results_check(results, RT_NEED_FLOQUET, error);
    if (status) return status;
    const routh_floquet *f = results->floquet;
    rt_csv csv = {0};
    rt_csv_heads(&csv, heads, sizeof heads / sizeof *heads);
    for (int k = 0; k < f->n_modes; k++) {
        const routh_floquet_mode *x = &f->modes[k];
        const double values[] = {
            x->multiplier[0], x->multiplier[1],       x->modulus,      x->error, x->exponent[0],
            x->exponent[1],   x->damped_frequency_hz, x->damping_ratio};
        rt_csv_int(&csv, k);
        for (size_t i = 0; i < sizeof values / sizeof *values; i++)
            rt_csv_real_or_empty(&csv, isfinite(values[i]) ? values[i] : NAN);
        rt_csv_int(&csv, x->harmonic);
        rt_csv_real(&csv, "a share", x->share);
        rt_csv_line(&csv);
    }
    status = rt_csv_finish(&csv, error);
    return status ? status : rt_results_hand_over(&csv.text, text, error);
}
