/* What routh confirm found, as JSON (docs/reference/json.md) and as CSV. */
#include <math.h>

#include "base/csv.h"
#include "output/confirm_words.h"
#include "output/results.h"

static void confirm_json_reals(rt_json *json, const char *key, const double x[2])
{
    rt_json_flat_array(json, key);
    rt_json_real_or_null(json, NULL, x[0]);
    rt_json_real_or_null(json, NULL, x[1]);
    rt_json_end(json);
}

static void confirm_json_experiment(rt_json *json, const routh_verification *c)
{
    rt_json_object(json, "experiment");
    rt_json_string(json, "integrator", c->integrator);
    rt_json_real_or_null(json, "tolerance", c->tolerance);
    rt_json_real(json, "fixed_step", c->fixed_step);
    rt_json_real(json, "duration", c->duration);
    rt_json_real(json, "step", c->step);
    rt_json_int(json, "samples", c->n_samples);
    rt_json_int(json, "channels", c->n_channels);
    rt_json_int(json, "runs", c->n_runs);
    rt_json_int(json, "simulations", c->n_simulations);
    rt_json_int(json, "steps", c->n_steps);
    rt_json_real(json, "amplitude", c->amplitude);
    rt_json_int(json, "seed", c->seed);
    if (c->n_faster)
        rt_json_real(json, "below_hz", c->below);
    else
        rt_json_null(json, "below_hz");
    rt_json_int(json, "faster", c->n_faster);
    rt_json_real(json, "even", c->even);
    rt_json_real(json, "odd", c->odd);
    rt_json_real(json, "residual", c->residual);
    rt_json_real(json, "resolution_hz", c->resolution);
    rt_json_string(json, "transform", c->transform);
    rt_json_end(json);
}

static void confirm_json_one(rt_json *json, const routh_verified_mode *mode)
{
    const double none[2] = {0, 0};
    const rt_confirm_figures e = rt_confirm_figures_of(mode->eigenvalue, none);
    const rt_confirm_figures f = rt_confirm_figures_of(mode->found, mode->bar);
    rt_json_object(json, NULL);
    rt_json_int(json, "mode", mode->mode);
    rt_json_reals(json, "eigenvalue", mode->eigenvalue, 2);
    rt_json_string(json, "verdict", routh_verification_verdict_name(mode->verdict));
    rt_json_string(json, "why", mode->why);
    confirm_json_reals(json, "found", mode->found);
    confirm_json_reals(json, "bar", mode->bar);
    confirm_json_reals(json, "noise", mode->noise);
    confirm_json_reals(json, "spread", mode->spread);
    rt_json_real_or_null(json, "distance", mode->distance);
    rt_json_real(json, "size", mode->size);
    rt_json_real(json, "damped_frequency_hz", e.hertz);
    rt_json_real_or_null(json, "found_frequency_hz", f.hertz);
    rt_json_real_or_null(json, "frequency_bar_hz", f.hertz_bar);
    rt_json_real_or_null(json, "peak_hz", mode->peak_hz);
    rt_json_real(json, "damping_ratio", e.ratio);
    rt_json_real_or_null(json, "found_damping_ratio", f.ratio);
    rt_json_real_or_null(json, "damping_ratio_bar", f.ratio_bar);
    rt_json_end(json);
}

/* A line of the picture holds the largest of so many lines of the spectrum that there are at most
 * `most` of them. */
static void confirm_json_spectrum(rt_json *json, const routh_verification *c, int most)
{
    const int each = most > 0 ? (c->n_lines + most - 1) / most : 1;
    rt_json_object(json, "spectrum");
    rt_json_real(json, "step_hz", c->resolution * (each > 1 ? each : 1));
    rt_json_flat_array(json, "amplitude");
    for (int k = 0; k < c->n_lines; k += each) {
        double largest = 0;
        for (int i = k; i < k + each && i < c->n_lines; i++)
            largest = fmax(largest, c->spectrum[i]);
        rt_json_real(json, NULL, largest);
    }
    rt_json_end(json);
    rt_json_end(json);
}

void rt_json_confirmation(rt_json *json, const routh_verification *c, int most_lines)
{
    if (c->n_samples) confirm_json_experiment(json, c);
    rt_json_int(json, "confirmed", c->n_confirmed);
    rt_json_int(json, "not_seen", c->n_not_seen);
    rt_json_int(json, "contradicted", c->n_contradicted);
    rt_json_array(json, "modes");
    for (int k = 0; k < c->n_modes; k++) confirm_json_one(json, &c->modes[k]);
    rt_json_end(json);
    rt_json_array(json, "unexplained");
    for (int k = 0; k < c->n_unexplained; k++) {
        rt_json_flat_object(json, NULL);
        rt_json_reals(json, "found", c->unexplained[k].found, 2);
        rt_json_reals(json, "bar", c->unexplained[k].bar, 2);
        rt_json_real(json, "size", c->unexplained[k].size);
        rt_json_end(json);
    }
    rt_json_end(json);
    if (c->n_lines) confirm_json_spectrum(json, c, most_lines);
}

routh_status routh_verification_json(const routh_results *results, routh_text *text,
                                     routh_error *error)
{
    *text = (routh_text){0};
    routh_status status =
        rt_results_check(results, RT_NEED_CONFIRMATION | RT_NEED_LINEAR | RT_NEED_MODES, error);
    if (status) return status;
    rt_json json = {0};
    rt_json_object(&json, NULL);
    rt_json_origin(&json, results);
    rt_json_method(&json, results);
    rt_json_warnings(&json, results, NULL);
    rt_json_confirmation(&json, results->verification, 0);
    rt_json_end(&json);
    status = rt_json_finish(&json, error);
    return status ? status : rt_results_hand_over(&json.text, text, error);
}

/* One line for each pair and each real eigenvalue; mode counts from 0 as in the JSON. */
routh_status routh_verification_csv(const routh_results *results, routh_text *text,
                                    routh_error *error)
{
    static const char *const heads[] = {
        "mode",          "real",    "imaginary", "found_real", "found_imaginary", "bar_real",
        "bar_imaginary", "peak_hz", "distance",  "size",       "verdict",         "why",
    };
    *text = (routh_text){0};
    routh_status status = rt_results_check(results, RT_NEED_CONFIRMATION, error);
    if (status) return status;
    rt_csv csv = {0};
    rt_csv_heads(&csv, heads, sizeof heads / sizeof *heads);
    for (int k = 0; k < results->verification->n_modes; k++) {
        const routh_verified_mode *mode = &results->verification->modes[k];
        rt_csv_int(&csv, mode->mode);
        rt_csv_real(&csv, "the real part of an eigenvalue", mode->eigenvalue[0]);
        rt_csv_real(&csv, "the imaginary part of an eigenvalue", mode->eigenvalue[1]);
        for (int i = 0; i < 2; i++) rt_csv_real_or_empty(&csv, mode->found[i]);
        for (int i = 0; i < 2; i++) rt_csv_real_or_empty(&csv, mode->bar[i]);
        rt_csv_real_or_empty(&csv, mode->peak_hz);
        rt_csv_real_or_empty(&csv, mode->distance);
        rt_csv_real(&csv, "a size", mode->size);
        rt_csv_text(&csv, routh_verification_verdict_name(mode->verdict));
        rt_csv_text(&csv, mode->why);
        rt_csv_line(&csv);
    }
    status = rt_csv_finish(&csv, error);
    return status ? status : rt_results_hand_over(&csv.text, text, error);
}
