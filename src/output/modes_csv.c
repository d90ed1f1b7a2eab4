#include "base/csv.h"
#include "output/results.h"

static void modes_csv_one_mode(rt_csv *csv, int index, const routh_mode *mode, bool control)
{
    rt_csv_int(csv, index);
    rt_csv_real(csv, "the real part of an eigenvalue", mode->eigenvalue[0]);
    rt_csv_real(csv, "the imaginary part of an eigenvalue", mode->eigenvalue[1]);
    rt_csv_real(csv, "an undamped frequency", mode->undamped_frequency_hz);
    rt_csv_real(csv, "a damped frequency", mode->damped_frequency_hz);
    rt_csv_real(csv, "a damping ratio", mode->damping_ratio);
    rt_csv_int(csv, mode->rigid != 0);
    rt_csv_int(csv, mode->multiplicity);
    rt_csv_int(csv, mode->conjugate);
    rt_csv_real_or_empty(csv, mode->condition);
    rt_csv_real_or_empty(csv, mode->error_bound);
    if (control) rt_csv_real(csv, "the share of controllers", mode->control);
    rt_csv_line(csv);
}

/* One line for each eigenvalue, conjugates too; index and conjugate count from 0 as in the JSON. */
routh_status routh_modes_csv(const routh_results *results, routh_text *text, routh_error *error)
{
    static const char *const heads[] = {
        "index",
        "real",
        "imaginary",
        "undamped_frequency_hz",
        "damped_frequency_hz",
        "damping_ratio",
        "rigid",
        "multiplicity",
        "conjugate",
        "condition",
        "error_bound",
        "control", /* with controllers alone */
    };
    *text = (routh_text){0};
    routh_status status = rt_results_check(results, RT_NEED_MODES, error);
    if (status) return status;
    rt_csv csv = {0};
    const bool control = rt_shows_control(results);
    rt_csv_heads(&csv, heads, (int)(sizeof heads / sizeof *heads) - !control);
    for (int i = 0; i < results->modes->n; i++)
        modes_csv_one_mode(&csv, i, &results->modes->modes[i], control);
    status = rt_csv_finish(&csv, error);
    return status ? status : rt_results_hand_over(&csv.text, text, error);
}
