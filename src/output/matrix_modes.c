/* Modes of matrices as a table, JSON and CSV. */
#include <stdio.h>

#include "base/csv.h"
#include "base/number.h"
#include "output/heading.h"
#include "output/table.h"

enum { DIGITS = 10 };

static void matrix_modes_heading(rt_text *text, const routh_matrix_modes *m,
                                 const char *const names[3])
{
    static const char *const labels[] = {"mass", "stiffness", "damping"};
    for (int k = 0; k < 3; k++)
        if (names[k]) rt_heading_line(text, labels[k], "%s", names[k]);
    rt_heading_line(text, "unknowns", "%d", m->order);
    rt_heading_line(text, "modes",
                    m->counted == ROUTH_COUNT_ALL ? "%d, these are all there are"
                    : m->counted                  ? "%d, counted by %s: there are no others among "
                                                    "them"
                                                  : "%d, not counted: equal ones may be missing",
                    m->n, routh_count_name((routh_count)m->counted));
    if (m->n_factors > 0)
        rt_heading_line(text, "work", "%d factorizations of %.3g MB, %d solves", m->n_factors,
                        m->factor_bytes / 1e6, m->n_solves);
    else
        rt_heading_line(text, "work", "%d solves", m->n_solves);
    rt_text_append(text, "\n");
}

routh_status routh_matrix_modes_table(const routh_matrix_modes *m, const char *const names[3],
                                      routh_text *text, routh_error *error)
{
    static const char *const heads[] = {
        "mode", "real part", "imaginary", "frequency", "damping", "error at most", "",
        "",     "1/s",       "rad/s",     "Hz",        "%",       "rad/s",         ""};
    rt_text out = {0};
    rt_table table = {.align = "rrrrrrl"};
    *text = (routh_text){0};
    matrix_modes_heading(&out, m, names);
    rt_table_heads(&table, heads);
    rt_table_heads(&table, heads + 7);
    for (int k = 0; k < m->n; k++) {
        const routh_matrix_mode *mode = &m->modes[k];
        rt_table_format(&table, "%d", k + 1);
        rt_table_real(&table, mode->eigenvalue[0], DIGITS);
        rt_table_real(&table, mode->eigenvalue[1], DIGITS);
        rt_table_real(&table, mode->frequency_hz, DIGITS);
        rt_table_real(&table, 100 * mode->damping_ratio, 4);
        rt_table_real(&table, mode->error_bound, 2);
        rt_table_cell(&table, mode->rigid               ? "rigid-body mode"
                              : mode->eigenvalue[0] > 0 ? "UNSTABLE"
                                                        : "");
    }
    rt_table_write(&table, &out);
    return rt_results_hand_over(&out, text, error);
}

static void matrix_modes_one_mode(rt_json *json, const routh_matrix_mode *mode)
{
    rt_json_flat_object(json, NULL);
    rt_json_reals(json, "eigenvalue", mode->eigenvalue, 2);
    rt_json_real(json, "frequency_hz", mode->frequency_hz);
    rt_json_real(json, "damping_ratio", mode->damping_ratio);
    rt_json_bool(json, "rigid", mode->rigid);
    rt_json_real_or_null(json, "error_bound", mode->error_bound);
    rt_json_end(json);
}

routh_status routh_matrix_modes_json(const routh_matrix_modes *m, const char *const names[3],
                                     routh_text *text, routh_error *error)
{
    static const char *const keys[] = {"mass", "stiffness", "damping"};
    rt_json json = {0};
    *text = (routh_text){0};
    rt_json_object(&json, NULL);
    for (int k = 0; k < 3; k++) {
        if (names[k])
            rt_json_string(&json, keys[k], names[k]);
        else
            rt_json_null(&json, keys[k]);
    }
    rt_json_int(&json, "unknowns", m->order);
    rt_json_bool(&json, "counted", m->counted);
    rt_json_string(&json, "counted_by", routh_count_name((routh_count)m->counted));
    rt_json_real(&json, "shift", m->shift);
    rt_json_int(&json, "factorizations", m->n_factors);
    rt_json_int(&json, "solves", m->n_solves);
    rt_json_real(&json, "factor_bytes", m->factor_bytes);
    rt_json_array(&json, "modes");
    for (int k = 0; k < m->n; k++) matrix_modes_one_mode(&json, &m->modes[k]);
    rt_json_end(&json);
    rt_json_end(&json);
    const routh_status status = rt_json_finish(&json, error);
    return status ? status : rt_results_hand_over(&json.text, text, error);
}

routh_status routh_matrix_modes_csv(const routh_matrix_modes *m, const char *const names[3],
                                    routh_text *text, routh_error *error)
{
    static const char *const heads[] = {"index",         "real",  "imaginary",  "frequency_hz",
                                        "damping_ratio", "rigid", "error_bound"};
    rt_csv csv = {0};
    (void)names;
    *text = (routh_text){0};
    rt_csv_heads(&csv, heads, (int)(sizeof heads / sizeof *heads));
    for (int k = 0; k < m->n; k++) {
        const routh_matrix_mode *mode = &m->modes[k];
        rt_csv_int(&csv, k);
        rt_csv_real(&csv, "the real part of an eigenvalue", mode->eigenvalue[0]);
        rt_csv_real(&csv, "the imaginary part of an eigenvalue", mode->eigenvalue[1]);
        rt_csv_real(&csv, "a frequency", mode->frequency_hz);
        rt_csv_real(&csv, "a damping ratio", mode->damping_ratio);
        rt_csv_int(&csv, mode->rigid != 0);
        rt_csv_real_or_empty(&csv, mode->error_bound);
        rt_csv_line(&csv);
    }
    const routh_status status = rt_csv_finish(&csv, error);
    return status ? status : rt_results_hand_over(&csv.text, text, error);
}
