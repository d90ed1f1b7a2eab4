/* The tables of what routh verify found; its JSON and CSV. */
#include "output/verify_fields.h"

#include <math.h>

#include "base/csv.h"
#include "output/confirm_words.h"

/* ---- the experiment -------------------------------------------------------------------------- */

static const routh_verification *experiment_of(const rt_result_row *row) { return row->of; }

static void experiment_write_steps(rt_json *json, const char *key, const rt_result_row *row)
{
    rt_json_int(json, key, experiment_of(row)->n_steps);
}

static void experiment_write_seed(rt_json *json, const char *key, const rt_result_row *row)
{
    rt_json_int(json, key, experiment_of(row)->seed);
}

static double experiment_below(const rt_result_row *row)
{
    return experiment_of(row)->n_faster ? experiment_of(row)->below : NAN;
}

static const rt_result_field experiment_fields[] = {
    {.key = "integrator", .type = RT_RESULT_TEXT, RT_AT(routh_verification, integrator),
     .meaning = "that was used"},
    {.key = "tolerance", .type = RT_RESULT_REAL, RT_AT(routh_verification, tolerance),
     .nullable = true, .meaning = "of a step, of the amplitude; `null` with fixed steps"},
    {.key = "fixed_step", .type = RT_RESULT_REAL, RT_AT(routh_verification, fixed_step),
     .unit = "s", .meaning = "0: controlled by the tolerance"},
    {.key = "duration", .type = RT_RESULT_REAL, RT_AT(routh_verification, duration), .unit = "s",
     .meaning = "of the record"},
    {.key = "step", .type = RT_RESULT_REAL, RT_AT(routh_verification, step), .unit = "s",
     .meaning = "between samples"},
    {.key = "samples", .type = RT_RESULT_COUNT, RT_AT(routh_verification, n_samples),
     .meaning = "of the record"},
    {.key = "channels", .type = RT_RESULT_COUNT, RT_AT(routh_verification, n_channels),
     .meaning = "numbers in each sample"},
    {.key = "runs", .type = RT_RESULT_COUNT, RT_AT(routh_verification, n_runs),
     .meaning = "starts: as many as the most repeated eigenvalue has copies, up to 3"},
    {.key = "simulations", .type = RT_RESULT_COUNT, RT_AT(routh_verification, n_simulations),
     .meaning = "all, with those at twice the amplitude and with coarser steps"},
    {.key = "steps", .type = RT_RESULT_COUNT, .write = experiment_write_steps,
     .meaning = "of integration, of all simulations"},
    {.key = "amplitude", .type = RT_RESULT_REAL, RT_AT(routh_verification, amplitude),
     .meaning = "of each mode, in typical lengths or radians"},
    {.key = "seed", .type = RT_RESULT_COUNT, .write = experiment_write_seed,
     .meaning = "of the random phases"},
    {.key = "below_hz", .type = RT_RESULT_REAL, .real = experiment_below, .nullable = true,
     .unit = "Hz", .meaning = "no faster eigenvalues take part; `null`: all do"},
    {.key = "faster", .type = RT_RESULT_COUNT, RT_AT(routh_verification, n_faster),
     .meaning = "how many eigenvalues are faster, one of each pair"},
    {.key = "even", .type = RT_RESULT_REAL, RT_AT(routh_verification, even),
     .meaning = "part of the response that does not change its sign with the start, over the "
                "response; taken out"},
    {.key = "odd", .type = RT_RESULT_REAL, RT_AT(routh_verification, odd),
     .meaning = "how much the response over the amplitude changes with twice the amplitude"},
    {.key = "residual", .type = RT_RESULT_REAL, RT_AT(routh_verification, residual),
     .meaning = "root mean square of what the fit leaves, of each channel's largest value"},
    {.key = "resolution_hz", .type = RT_RESULT_REAL, RT_AT(routh_verification, resolution),
     .unit = "Hz", .meaning = "distance of the lines of the spectrum"},
    {.key = "transform", .type = RT_RESULT_TEXT, RT_AT(routh_verification, transform),
     .meaning = "`own` or `fftw`: what computed the spectrum"},
};
static const rt_result_table experiment_table = {"experiment", "Simulated experiment", "",
                                                 RT_FIELDS(experiment_fields)};

/* ---- modes ----------------------------------------------------------------------------------- */

static const char *const verdicts[] = {"confirmed", "not seen", "contradicted", NULL};

static const routh_verified_mode *verified_at(const rt_result_row *row) { return row->of; }

static const char *verified_verdict(const rt_result_row *row)
{
    return routh_verification_verdict_name(verified_at(row)->verdict);
}

static double verified_re_shown(const rt_result_row *row)
{
    return rt_eigenvalue_part(&row->results->modes->modes[verified_at(row)->mode], 0);
}

static rt_confirm_figures figures_of_mode(const rt_result_row *row)
{
    return rt_confirm_figures_of(verified_at(row)->eigenvalue, (const double[2]){0, 0});
}

static rt_confirm_figures figures_of_found(const rt_result_row *row)
{
    return rt_confirm_figures_of(verified_at(row)->found, verified_at(row)->bar);
}

static double verified_hertz(const rt_result_row *row) { return figures_of_mode(row).hertz; }

static double verified_ratio(const rt_result_row *row) { return figures_of_mode(row).ratio; }

static double verified_found_hertz(const rt_result_row *row) { return figures_of_found(row).hertz; }

static double verified_hertz_bar(const rt_result_row *row)
{
    return figures_of_found(row).hertz_bar;
}

static double verified_found_ratio(const rt_result_row *row) { return figures_of_found(row).ratio; }

static double verified_ratio_bar(const rt_result_row *row)
{
    return figures_of_found(row).ratio_bar;
}

static const rt_result_field verified_fields[] = {
    {.key = "mode", .csv = "mode", .type = RT_RESULT_COUNT, RT_AT(routh_verified_mode, mode),
     .meaning = "place in the `modes` of `routh modes --json`, from 0"},
    {.key = "eigenvalue", .type = RT_RESULT_COMPLEX, RT_AT(routh_verified_mode, eigenvalue),
     .unit = "1/s", .meaning = "`[re, im]`, 1/s and rad/s"},
    {.csv = "real", .member = "eigenvalue", .type = RT_RESULT_REAL,
     RT_AT(routh_verified_mode, eigenvalue), .out_of = 2, .shown = verified_re_shown, .unit = "1/s",
     .meaning = "real part of the eigenvalue", .head = "real part", .head_rank = 5},
    {.csv = "imaginary", .member = "eigenvalue", .part_of = 1, .type = RT_RESULT_REAL,
     RT_AT(routh_verified_mode, eigenvalue), .out_of = 2, .unit = "rad/s", .circular = true,
     .meaning = "imaginary part of the eigenvalue"},
    {.key = "verdict", .csv = "verdict", .csv_rank = 2, .type = RT_RESULT_TEXT,
     .text = verified_verdict, .words = verdicts, .meaning = "what the response says of it",
     .head = "verdict", .head_rank = 9, .align = 'l'},
    {.key = "why", .csv = "why", .csv_rank = 2, .type = RT_RESULT_TEXT,
     RT_AT(routh_verified_mode, why), .nullable = true,
     .meaning = "a remark; `null` where confirmed",
     .head = "", .head_rank = 10, .align = 'l'},
    {.key = "found", .type = RT_RESULT_COMPLEX, RT_AT(routh_verified_mode, found),
     .nullable = true, .unit = "1/s",
     .meaning = "eigenvalue found in the motion, `[re, im]`; `null` where nothing was found"},
    {.csv = "found_real", .member = "found", .type = RT_RESULT_REAL,
     RT_AT(routh_verified_mode, found), .out_of = 2, .nullable = true, .unit = "1/s",
     .meaning = "real part found", .head = "found", .head_rank = 6},
    {.csv = "found_imaginary", .member = "found", .part_of = 1, .type = RT_RESULT_REAL,
     RT_AT(routh_verified_mode, found), .out_of = 2, .nullable = true, .unit = "rad/s",
     .circular = true,
     .meaning = "imaginary part found"},
    {.key = "bar", .type = RT_RESULT_COMPLEX, RT_AT(routh_verified_mode, bar), .nullable = true,
     .unit = "1/s", .meaning = "what `found` may be off, `[re, im]`"},
    {.csv = "bar_real", .member = "bar", .type = RT_RESULT_REAL, RT_AT(routh_verified_mode, bar),
     .out_of = 2, .nullable = true, .unit = "1/s", .meaning = "what the real part may be off",
     .head = "", .head_unit = "", .head_rank = 7, .align = 'l', .digits = 2, .before = "+-"},
    {.csv = "bar_imaginary", .member = "bar", .part_of = 1, .type = RT_RESULT_REAL,
     RT_AT(routh_verified_mode, bar), .out_of = 2, .nullable = true, .unit = "rad/s",
     .circular = true,
     .meaning = "what the imaginary part may be off"},
    {.key = "noise", .type = RT_RESULT_COMPLEX, RT_AT(routh_verified_mode, noise),
     .nullable = true, .unit = "1/s",
     .meaning = "part of the bar: one standard deviation of the fit, `[re, im]`"},
    {.key = "spread", .type = RT_RESULT_COMPLEX, RT_AT(routh_verified_mode, spread),
     .nullable = true, .unit = "1/s",
     .meaning = "part of the bar: what changes in the other experiments, `[re, im]`"},
    {.key = "distance", .csv = "distance", .csv_rank = 1, .type = RT_RESULT_REAL,
     RT_AT(routh_verified_mode, distance), .nullable = true,
     .meaning = "of what was found from the eigenvalue, over what is allowed", .head = "distance",
     .head_unit = "of 1 allowed", .head_rank = 8, .digits = 2},
    {.key = "size", .csv = "size", .csv_rank = 1, .type = RT_RESULT_REAL,
     RT_AT(routh_verified_mode, size),
     .meaning = "amplitude found, over the largest value of its channel"},
    {.key = "damped_frequency_hz", .type = RT_RESULT_REAL, .real = verified_hertz, .unit = "Hz",
     .meaning = "damped natural frequency, |Im s| / 2 pi", .head = "frequency", .head_rank = 1},
    {.key = "found_frequency_hz", .type = RT_RESULT_REAL, .real = verified_found_hertz,
     .nullable = true, .unit = "Hz", .meaning = "the same of what was found", .head = "found",
     .head_rank = 2},
    {.key = "frequency_bar_hz", .type = RT_RESULT_REAL, .real = verified_hertz_bar,
     .nullable = true, .unit = "Hz", .meaning = "what that may be off", .head = "",
     .head_unit = "", .head_rank = 3, .align = 'l', .digits = 2, .before = "+-"},
    {.key = "peak_hz", .csv = "peak_hz", .type = RT_RESULT_REAL,
     RT_AT(routh_verified_mode, peak_hz), .nullable = true, .unit = "Hz",
     .meaning = "nearest peak of the spectrum; `null` where there is none within two lines",
     .head = "peak", .head_rank = 4, .digits = 5},
    {.key = "damping_ratio", .type = RT_RESULT_REAL, .real = verified_ratio,
     .meaning = "damping ratio, -Re s / |s|"},
    {.key = "found_damping_ratio", .type = RT_RESULT_REAL, .real = verified_found_ratio,
     .nullable = true, .meaning = "the same of what was found"},
    {.key = "damping_ratio_bar", .type = RT_RESULT_REAL, .real = verified_ratio_bar,
     .nullable = true, .meaning = "what that may be off"},
};
const rt_result_table rt_verified_mode_table = {
    "verified_mode", "Eigenvalue compared with a motion", "", RT_FIELDS(verified_fields)};

/* ---- what no eigenvalue explains ------------------------------------------------------------- */

static const routh_unexplained *unexplained_at(const rt_result_row *row) { return row->of; }

static rt_confirm_figures unexplained_figures(const rt_result_row *row)
{
    return rt_confirm_figures_of(unexplained_at(row)->found, unexplained_at(row)->bar);
}

static double unexplained_hertz(const rt_result_row *row) { return unexplained_figures(row).hertz; }

static double unexplained_hertz_bar(const rt_result_row *row)
{
    return unexplained_figures(row).hertz_bar;
}

static const rt_result_field unexplained_fields[] = {
    {.type = RT_RESULT_REAL, .real = unexplained_hertz, .unit = "Hz", .meaning = "its frequency",
     .head = "frequency"},
    {.type = RT_RESULT_REAL, .real = unexplained_hertz_bar, .meaning = "what that may be off",
     .head = "", .align = 'l', .digits = 2, .before = "+-"},
    {.key = "found", .type = RT_RESULT_COMPLEX, RT_AT(routh_unexplained, found), .unit = "1/s",
     .meaning = "an eigenvalue that no mode has, `[re, im]`"},
    {.type = RT_RESULT_REAL, RT_AT(routh_unexplained, found), .out_of = 2, .unit = "1/s",
     .meaning = "its real part", .head = "real part"},
    {.key = "bar", .type = RT_RESULT_COMPLEX, RT_AT(routh_unexplained, bar), .unit = "1/s",
     .meaning = "what it may be off, `[re, im]`"},
    {.type = RT_RESULT_REAL, RT_AT(routh_unexplained, bar), .out_of = 2,
     .meaning = "what the real part may be off", .head = "", .align = 'l', .digits = 2,
     .before = "+-"},
    {.key = "size", .type = RT_RESULT_REAL, RT_AT(routh_unexplained, size),
     .meaning = "amplitude, over the largest value of its channel", .head = "size",
     .head_unit = "of largest", .digits = 2},
};
const rt_result_table rt_unexplained_table = {"unexplained", "Unexplained part of the response", "",
                                              RT_FIELDS(unexplained_fields)};

/* ---- the spectrum ---------------------------------------------------------------------------- */

/* A line of the picture holds the largest of so many lines of the spectrum that there are at most
 * as many as row->number says; 0: all of them. */
static int spectrum_each(const rt_result_row *row)
{
    const int n = experiment_of(row)->n_lines, most = row->number;
    return most > 0 && n > most ? (n + most - 1) / most : 1;
}

static double spectrum_step(const rt_result_row *row)
{
    return experiment_of(row)->resolution * spectrum_each(row);
}

static void spectrum_write_amplitude(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_verification *c = row->of;
    const int each = spectrum_each(row);
    rt_json_flat_array(json, key);
    for (int k = 0; k < c->n_lines; k += each) {
        double largest = 0;
        for (int i = k; i < k + each && i < c->n_lines; i++)
            largest = fmax(largest, c->spectrum[i]);
        rt_json_real(json, NULL, largest);
    }
    rt_json_end(json);
}

static const rt_result_field spectrum_fields[] = {
    {.key = "step_hz", .type = RT_RESULT_REAL, .real = spectrum_step, .unit = "Hz",
     .meaning = "distance of the lines"},
    {.key = "amplitude", .type = RT_RESULT_REALS, .write = spectrum_write_amplitude,
     .meaning = "of the lines, from 0 Hz on"},
};
static const rt_result_table spectrum_table = {"spectrum", "Spectrum of the response", "",
                                               RT_FIELDS(spectrum_fields)};

/* ---- the document ---------------------------------------------------------------------------- */

static bool verification_has_experiment(const rt_result_row *row)
{
    return experiment_of(row)->n_samples > 0;
}

static bool verification_has_spectrum(const rt_result_row *row)
{
    return experiment_of(row)->n_lines > 0;
}

static const rt_result_field verification_fields[] = {
    {.key = "experiment", .type = RT_RESULT_OBJECT, .items = &experiment_table,
     .there = verification_has_experiment, .open = true,
     .meaning = "absent where there are no states"},
    {.key = "confirmed", .type = RT_RESULT_COUNT, RT_AT(routh_verification, n_confirmed),
     .meaning = "how many eigenvalues are found in the motion"},
    {.key = "not_seen", .type = RT_RESULT_COUNT, RT_AT(routh_verification, n_not_seen),
     .meaning = "how many it does not show, or not well enough to decide"},
    {.key = "contradicted", .type = RT_RESULT_COUNT, RT_AT(routh_verification, n_contradicted),
     .meaning = "how many are found elsewhere, or not where they should be plain to see"},
    {.key = "modes", .type = RT_RESULT_LIST, .items = &rt_verified_mode_table,
     RT_AT(routh_verification, modes), .n_at = RT_PLACE(routh_verification, n_modes),
     .size = sizeof(routh_verified_mode), .open = true,
     .meaning = "one of each pair, and the real ones; those of the experiment's band"},
    {.key = "unexplained", .type = RT_RESULT_LIST, .items = &rt_unexplained_table,
     RT_AT(routh_verification, unexplained), .n_at = RT_PLACE(routh_verification, n_unexplained),
     .size = sizeof(routh_unexplained),
     .meaning = "in the response, and no eigenvalue explains it"},
    {.key = "spectrum", .type = RT_RESULT_OBJECT, .items = &spectrum_table,
     .there = verification_has_spectrum, .open = true,
     .meaning = "of the response, Hann window; absent where there are no states"},
};
static const rt_result_table verification_table = {"verification", "", "",
                                                   RT_FIELDS(verification_fields)};

static const void *verify_linear(const rt_result_row *row) { return row->results->linear; }

static const rt_result_field document_fields[] = {
    {.type = RT_RESULT_PART, .items = &rt_origin_table},
    {.type = RT_RESULT_PART, .items = &rt_method_table, .part = verify_linear},
    {.key = "warnings", .type = RT_RESULT_VALUES, .each = RT_RESULT_TEXT,
     .write = rt_result_write_warnings, .meaning = "sentences"},
    {.type = RT_RESULT_PART, .items = &verification_table},
};
const rt_result_table rt_verify_document = {
    "verify", "routh verify --json", "The [guide](../guide/verify.md) says what the figures mean.",
    RT_FIELDS(document_fields)};

void rt_json_confirmation(rt_json *json, const routh_verification *c, int most_lines)
{
    rt_result_json(json, &verification_table, &(rt_result_row){.of = c, .number = most_lines});
}

routh_status routh_verification_json(const routh_results *results, routh_text *text,
                                     routh_error *error)
{
    *text = (routh_text){0};
    const routh_status status =
        rt_results_check(results, RT_NEED_CONFIRMATION | RT_NEED_LINEAR | RT_NEED_MODES, error);
    if (status) return status;
    return rt_result_document_json(
        &rt_verify_document, &(rt_result_row){.results = results, .of = results->verification},
        text, error);
}

/* One line for each pair and each real eigenvalue. */
routh_status routh_verification_csv(const routh_results *results, routh_text *text,
                                    routh_error *error)
{
    *text = (routh_text){0};
    const routh_status status = rt_results_check(results, RT_NEED_CONFIRMATION, error);
    if (status) return status;
    const routh_verification *c = results->verification;
    return rt_result_list_csv(&rt_verified_mode_table,
                              &(rt_result_row){.results = results, .of = c}, c->modes, c->n_modes,
                              sizeof *c->modes, text, error);
}
