#include <math.h>

#include "output/heading.h"
#include "output/table.h"

/* Larger matrices do not fit on a screen. */
enum { LARGEST_SHOWN = 24, NAMED_ROWS = 5, DIGITS = 6 };

static void states(rt_text *text, const routh_linear *linear)
{
    static const char *const heads[] = {"no.", "state", "unit", "axes of"};
    rt_table table = {.align = "rlll"};
    rt_text_append(text, "\nStates\n");
    rt_table_heads(&table, heads);
    for (int i = 0; i < linear->n_states; i++) {
        rt_table_format(&table, "%d", i + 1);
        rt_table_cell(&table, linear->states[i].name);
        rt_table_cell(&table, linear->states[i].unit);
        rt_table_cell(&table, linear->states[i].frame);
    }
    rt_table_write(&table, text);
}

static double largest(const double *row, int n)
{
    double most = 0;
    for (int j = 0; j < n; j++) most = fmax(most, fabs(row[j]));
    return most;
}

/* What is below the rounding of the largest entry of its row is shown as 0. */
static void matrix(rt_text *text, const routh_linear *linear, const char *name,
                   const double *values, int n)
{
    char align[LARGEST_SHOWN + 2] = "l";
    for (int j = 0; j < n; j++) align[1 + j] = 'r';
    align[1 + n] = '\0';
    rt_table table = {.align = align};
    rt_text_append(text, "\n%s\n", name);
    for (int i = 0; i < n; i++) {
        rt_table_cell(&table, linear->states[i].name);
        const double *row = values + (size_t)i * (size_t)n, least = 1e-14 * largest(row, n);
        for (int j = 0; j < n; j++)
            rt_table_real(&table, fabs(row[j]) <= least ? 0 : row[j], DIGITS);
    }
    rt_table_write(&table, text);
}

static void matrices(rt_text *text, const routh_linear *linear)
{
    const int n = linear->mass ? linear->n_position : linear->n_states;
    if (n > LARGEST_SHOWN) {
        rt_text_append(
            text,
            "\nThe matrices have %d rows, too many to show here; --json and --csv write them.\n",
            n);
        return;
    }
    if (n == 0) return;
    if (linear->mass) {
        matrix(text, linear, "Mass M", linear->mass, n);
        matrix(text, linear, "Damping C", linear->damping, n);
        matrix(text, linear, "Stiffness K", linear->stiffness, n);
    } else {
        matrix(text, linear, "A (y' = A y)", linear->A, n);
    }
}

static routh_status check(const routh_linear *linear, routh_error *error)
{
    const size_t n = (size_t)linear->n_states * (size_t)linear->n_states;
    for (size_t i = 0; i < n; i++)
        if (!isfinite(linear->A[i]))
            return rt_fail(error, ROUTH_NUMERIC_ERROR, "A[%zu][%zu] is not a finite number",
                           i / (size_t)linear->n_states, i % (size_t)linear->n_states);
    return ROUTH_OK;
}

routh_status routh_linear_table(const routh_results *results, routh_text *text, routh_error *error)
{
    *text = (routh_text){0};
    routh_status status = rt_results_check(results, RT_NEED_POINT | RT_NEED_LINEAR, error);
    if (!status) status = check(results->linear, error);
    if (status) return status;
    rt_text out = {0};
    rt_heading(&out, results, NAMED_ROWS);
    rt_heading_warnings(&out, results);
    if (results->linear->n_states == 0)
        rt_text_append(&out, "\nThe mechanism has no degree of freedom left.\n");
    if (results->linear->n_states > 0) states(&out, results->linear);
    matrices(&out, results->linear);
    return rt_results_hand_over(&out, text, error);
}
