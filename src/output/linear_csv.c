#include <stdio.h>

#include "base/csv.h"
#include "output/results.h"

/* Rows of one matrix; the columns after its last are left empty, so that all lines have as many
 * fields. */
static void matrix(rt_csv *csv, const routh_linear *linear, const char *name, const double *values,
                   int n)
{
    for (int i = 0; values && i < n; i++) {
        char what[64];
        snprintf(what, sizeof what, "an element of %s", name);
        rt_csv_text(csv, name);
        rt_csv_text(csv, linear->states[i].name);
        for (int j = 0; j < n; j++)
            rt_csv_real(csv, what, values[(size_t)i * (size_t)n + (size_t)j]);
        for (int j = n; j < linear->n_states; j++) rt_csv_text(csv, NULL);
        rt_csv_line(csv);
    }
}

/* One rectangular table: the matrix's name, the row's state, then a column for each state. */
routh_status routh_linear_csv(const routh_results *results, routh_text *text, routh_error *error)
{
    *text = (routh_text){0};
    routh_status status = rt_results_check(results, RT_NEED_LINEAR, error);
    if (status) return status;
    const routh_linear *linear = results->linear;
    rt_csv csv = {0};
    rt_csv_text(&csv, "matrix");
    rt_csv_text(&csv, "row");
    for (int i = 0; i < linear->n_states; i++) rt_csv_text(&csv, linear->states[i].name);
    rt_csv_line(&csv);
    matrix(&csv, linear, "A", linear->A, linear->n_states);
    matrix(&csv, linear, "mass", linear->mass, linear->n_position);
    matrix(&csv, linear, "damping", linear->damping, linear->n_position);
    matrix(&csv, linear, "stiffness", linear->stiffness, linear->n_position);
    status = rt_csv_finish(&csv, error);
    return status ? status : rt_results_hand_over(&csv.text, text, error);
}
