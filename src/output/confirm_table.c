/* What routh verify found, for the terminal. */
#include "base/number.h"
#include "output/heading.h"
#include "output/verify_fields.h"

enum { NAMED_ROWS = 5 };

static void confirm_table_experiment(rt_text *text, const routh_verification *c)
{
    char a[RT_NUMBER_SIZE], b[RT_NUMBER_SIZE], d[RT_NUMBER_SIZE];
    rt_number_text(a, c->duration, 5);
    rt_number_text(b, c->step, 4);
    rt_heading_line(text, "record", "%s s, %d samples every %s s of %d channel%s, from %d start%s",
                    a, c->n_samples, b, c->n_channels, c->n_channels == 1 ? "" : "s", c->n_runs,
                    c->n_runs == 1 ? "" : "s");
    if (c->n_faster) {
        rt_number_text(a, c->below, 4);
        rt_heading_line(text, "band",
                        "below %s Hz; %d faster eigenvalue%s left out of the experiment (--below)",
                        a, c->n_faster, c->n_faster == 1 ? " is" : "s are");
    }
    rt_number_text(a, c->amplitude, 3);
    rt_number_text(b, c->even, 2);
    rt_number_text(d, c->odd, 2);
    rt_heading_line(text, "amplitude",
                    "%s of the typical length or rad for each mode, seed %u; not linear: %s (even "
                    "part, taken out), %s (change with twice the amplitude)",
                    a, c->seed, b, d);
    if (c->fixed_step > 0)
        rt_number_text(a, c->fixed_step, 3);
    else
        rt_number_text(a, c->tolerance, 2);
    rt_heading_line(text, "integration", "%s, %s %s%s, %d simulations, %ld steps", c->integrator,
                    c->fixed_step > 0 ? "steps of" : "to", a,
                    c->fixed_step > 0 ? " s" : " of the amplitude", c->n_simulations, c->n_steps);
    rt_number_text(a, c->resolution, 4);
    rt_number_text(b, c->residual, 2);
    rt_heading_line(text, "spectrum", "resolution %s Hz, Hann window; the fit leaves %s", a, b);
}

static void confirm_table_modes(rt_text *text, const routh_results *results)
{
    const routh_verification *c = results->verification;
    rt_text_append(text, "\n");
    rt_result_print(text, &rt_verified_mode_table, &(rt_result_row){.results = results, .of = c},
                    c->modes, c->n_modes, sizeof *c->modes);
}

static void unexplained(rt_text *text, const routh_verification *c)
{
    if (c->n_unexplained == 0) return;
    rt_text_append(text, "\nIn the response, and no eigenvalue explains it\n");
    rt_result_print(text, &rt_unexplained_table, &(rt_result_row){.of = c}, c->unexplained,
                    c->n_unexplained, sizeof *c->unexplained);
}

routh_status routh_verification_table(const routh_results *results, routh_text *text,
                                      routh_error *error)
{
    *text = (routh_text){0};
    const routh_status status =
        rt_results_check(results, RT_NEED_CONFIRMATION | RT_NEED_LINEAR | RT_NEED_MODES, error);
    if (status) return status;
    const routh_verification *c = results->verification;
    rt_text out = {.units = results->units};
    rt_heading(&out, results, NAMED_ROWS);
    if (c->n_samples) confirm_table_experiment(&out, c);
    rt_heading_warnings(&out, results);
    if (c->n_modes) confirm_table_modes(&out, results);
    unexplained(&out, c);
    rt_text_append(&out, "\n%d confirmed, %d not seen, %d contradicted.\n", c->n_confirmed,
                   c->n_not_seen, c->n_contradicted);
    return rt_results_hand_over(&out, text, error);
}
