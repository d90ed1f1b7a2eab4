/* A sweep as comma-separated values: a line for each branch at each point. */
#include <math.h>

#include "base/csv.h"
#include "output/results.h"
#include "output/sweep_words.h"

static void sweep_csv_one(rt_csv *csv, const routh_sweep *s, const routh_sweep_line *line,
                          const routh_sweep_point *p, int b)
{
    const rt_sweep_figures f = rt_sweep_figures_of(p->eigenvalues[b]);
    rt_csv_real(csv, "a value of the parameter", p->value);
    if (s->second) rt_csv_real(csv, "a value of the second parameter", line->second);
    rt_csv_text(csv, line->names[b]);
    rt_csv_real(csv, "the real part of an eigenvalue", p->eigenvalues[b][0]);
    rt_csv_real(csv, "the imaginary part of an eigenvalue", p->eigenvalues[b][1]);
    rt_csv_real(csv, "a frequency", f.hertz);
    rt_csv_real(csv, "a damping ratio", f.ratio);
    rt_csv_real_or_empty(csv, p->bounds[b]);
    rt_csv_int(csv, p->on_grid);
    rt_csv_real(csv, "a certainty", p->certainty);
    rt_csv_line(csv);
}

static void sweep_csv_heads(rt_csv *csv, const routh_sweep *s)
{
    static const char *const others[] = {"branch",       "real",          "imaginary",
                                         "frequency_hz", "damping_ratio", "error_bound",
                                         "on_grid",      "certainty"};
    rt_csv_text(csv, s->parameter);
    if (s->second) rt_csv_text(csv, s->second);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) rt_csv_text(csv, others[k]);
    rt_csv_line(csv);
}

routh_status routh_sweep_csv(const routh_sweep *s, routh_text *text, routh_error *error)
{
    rt_csv csv = {0};
    *text = (routh_text){0};
    sweep_csv_heads(&csv, s);
    for (int l = 0; l < s->n_lines; l++) {
        const routh_sweep_line *line = &s->lines[l];
        for (int k = 0; k < line->n_points; k++)
            for (int b = 0; b < line->n_branches; b++)
                if (line->points[k].partner[b] >= 0)
                    sweep_csv_one(&csv, s, line, &line->points[k], b);
    }
    const routh_status status = rt_csv_finish(&csv, error);
    return status ? status : rt_results_hand_over(&csv.text, text, error);
}
