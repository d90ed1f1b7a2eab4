/* What routh confirm found, for the terminal. */
#include <math.h>

#include "base/number.h"
#include "output/confirm_words.h"
#include "output/heading.h"
#include "output/table.h"

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

/* "+-x", "" where there is none */
static void bar(rt_table *table, double x)
{
    char number[RT_NUMBER_SIZE];
    if (isnan(x)) {
        rt_table_cell(table, "");
        return;
    }
    rt_number_text(number, x, 2);
    rt_table_format(table, "+-%s", number);
}

static void confirm_table_real(rt_table *table, double x, int digits)
{
    if (isnan(x))
        rt_table_cell(table, "");
    else
        rt_table_real(table, x, digits);
}

static void confirm_table_one(rt_table *table, const routh_verified_mode *mode,
                              const routh_mode *eigen)
{
    const double none[2] = {0, 0};
    const rt_confirm_figures e = rt_confirm_figures_of(mode->eigenvalue, none);
    const rt_confirm_figures f = rt_confirm_figures_of(mode->found, mode->bar);
    rt_table_real(table, e.hertz, 8);
    confirm_table_real(table, f.hertz, 8);
    bar(table, f.hertz_bar);
    confirm_table_real(table, mode->peak_hz, 5);
    rt_table_real(table, rt_eigenvalue_part(eigen, 0), 8);
    confirm_table_real(table, mode->found[0], 8);
    bar(table, mode->bar[0]);
    confirm_table_real(table, mode->distance, 2);
    rt_table_cell(table, routh_verification_verdict_name(mode->verdict));
    rt_table_cell(table, mode->why ? mode->why : "");
}

static void confirm_table_modes(rt_text *text, const routh_results *results)
{
    static const char *const heads[] = {"frequency", "found", "",         "peak",    "real part",
                                        "found",     "",      "distance", "verdict", ""};
    static const char *const units[] = {"Hz", "Hz",           "", "Hz", "1/s", "1/s",
                                        "",   "of 1 allowed", "", ""};
    const routh_verification *c = results->verification;
    rt_table table = {.align = "rrlrrrlrll"};
    rt_text_append(text, "\n");
    rt_table_heads(&table, heads);
    rt_table_heads(&table, units);
    for (int k = 0; k < c->n_modes; k++)
        confirm_table_one(&table, &c->modes[k], &results->modes->modes[c->modes[k].mode]);
    rt_table_write(&table, text);
}

static void unexplained(rt_text *text, const routh_verification *c)
{
    static const char *const heads[] = {"frequency", "", "real part", "", "size"};
    static const char *const units[] = {"Hz", "", "1/s", "", "of largest"};
    rt_table table = {.align = "rlrlr"};
    if (c->n_unexplained == 0) return;
    rt_text_append(text, "\nIn the response, and no eigenvalue explains it\n");
    rt_table_heads(&table, heads);
    rt_table_heads(&table, units);
    for (int k = 0; k < c->n_unexplained; k++) {
        const routh_unexplained *u = &c->unexplained[k];
        const rt_confirm_figures f = rt_confirm_figures_of(u->found, u->bar);
        rt_table_real(&table, f.hertz, 8);
        bar(&table, f.hertz_bar);
        rt_table_real(&table, u->found[0], 8);
        bar(&table, u->bar[0]);
        rt_table_real(&table, u->size, 2);
    }
    rt_table_write(&table, text);
}

routh_status routh_verification_table(const routh_results *results, routh_text *text,
                                      routh_error *error)
{
    *text = (routh_text){0};
    const routh_status status =
        rt_results_check(results, RT_NEED_CONFIRMATION | RT_NEED_LINEAR | RT_NEED_MODES, error);
    if (status) return status;
    const routh_verification *c = results->verification;
    rt_text out = {0};
    rt_heading(&out, results, NAMED_ROWS);
    if (c->n_samples) confirm_table_experiment(&out, c);
    rt_heading_warnings(&out, results);
    if (c->n_modes) confirm_table_modes(&out, results);
    unexplained(&out, c);
    rt_text_append(&out, "\n%d confirmed, %d not seen, %d contradicted.\n", c->n_confirmed,
                   c->n_not_seen, c->n_contradicted);
    return rt_results_hand_over(&out, text, error);
}
