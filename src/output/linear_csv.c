#include <stdio.h>

#include "base/csv.h"
#include "output/results.h"

/* Where a matrix stands: its rows are named after states or outputs, its columns lie under those
 * of all states and inputs from `first` on. */
typedef struct linear_csv_place {
    int n_rows;
    const routh_state_name *states;
    const routh_signal_name *outputs; /* in place of states where not NULL */
    int first, n;
} linear_csv_place;

/* Rows of one matrix; the other columns are left empty, so that all lines have as many fields. */
static void linear_csv_matrix(rt_csv *csv, const routh_linear *linear, const char *name,
                              const double *values, linear_csv_place p)
{
    const int all = linear->n_states + linear->n_inputs;
    for (int i = 0; values && p.n > 0 && i < p.n_rows; i++) {
        char what[64];
        snprintf(what, sizeof what, "an element of %s", name);
        rt_csv_text(csv, name);
        rt_csv_text(csv, p.outputs ? p.outputs[i].name : p.states[i].name);
        for (int j = 0; j < all; j++)
            if (j < p.first || j >= p.first + p.n)
                rt_csv_text(csv, NULL);
            else
                rt_csv_real(csv, what, values[(size_t)i * (size_t)p.n + (size_t)(j - p.first)]);
        rt_csv_line(csv);
    }
}

/* The equations of motion are named after the positions, where S'' = W', else after W. */
static void linear_csv_second_order(rt_csv *csv, const routh_linear *l)
{
    const int z0 = l->n_position, z1 = l->n_velocity, first = z0 == z1 ? 0 : z0;
    const routh_state_name *rows = l->states + first;
    const linear_csv_place W = {z1, rows, NULL, first, z1}, S = {z1, rows, NULL, 0, z0};
    const linear_csv_place X = {z1, rows, NULL, z0 + z1, l->n_control};
    const linear_csv_place in = {z1, rows, NULL, l->n_states, l->n_inputs};
    linear_csv_matrix(csv, l, "mass", l->mass, W);
    linear_csv_matrix(csv, l, "damping", l->damping, W);
    linear_csv_matrix(csv, l, "stiffness", l->stiffness, S);
    linear_csv_matrix(csv, l, "coupling", l->coupling, X);
    linear_csv_matrix(csv, l, "force", l->force, in);
    linear_csv_matrix(csv, l, "force1", l->force1, in);
    linear_csv_matrix(csv, l, "force2", l->force2, in);
}

static void linear_csv_state_space(rt_csv *csv, const routh_linear *l)
{
    const int n = l->n_states, n_out = l->n_outputs;
    const linear_csv_place y = {n, l->states, NULL, 0, n},
                           y_in = {n, l->states, NULL, n, l->n_inputs};
    const linear_csv_place out = {n_out, NULL, l->outputs, 0, n},
                           out_in = {n_out, NULL, l->outputs, n, l->n_inputs};
    linear_csv_matrix(csv, l, "A", l->A, y);
    linear_csv_matrix(csv, l, "B", l->B, y_in);
    linear_csv_matrix(csv, l, "B1", l->B1, y_in);
    linear_csv_matrix(csv, l, "B2", l->B2, y_in);
    linear_csv_matrix(csv, l, "C", l->C, out);
    linear_csv_matrix(csv, l, "D", l->D, out_in);
    linear_csv_matrix(csv, l, "D1", l->D1, out_in);
    linear_csv_matrix(csv, l, "D2", l->D2, out_in);
}

/* a0 as one row under the states, where the operating point moves. */
static void affine(rt_csv *csv, const routh_linear *l)
{
    bool moves = false;
    for (int i = 0; l->affine && i < l->n_states; i++) moves = moves || l->affine[i] != 0;
    if (!moves) return;
    rt_csv_text(csv, "affine");
    rt_csv_text(csv, NULL);
    for (int i = 0; i < l->n_states; i++) rt_csv_real(csv, "an element of affine", l->affine[i]);
    for (int i = 0; i < l->n_inputs; i++) rt_csv_text(csv, NULL);
    rt_csv_line(csv);
}

/* One rectangular table: the matrix's name, the row's state or output, then a column for each state
 * and each input. */
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
    for (int i = 0; i < linear->n_inputs; i++) rt_csv_text(&csv, linear->inputs[i].name);
    rt_csv_line(&csv);
    linear_csv_state_space(&csv, linear);
    affine(&csv, linear);
    linear_csv_second_order(&csv, linear);
    status = rt_csv_finish(&csv, error);
    return status ? status : rt_results_hand_over(&csv.text, text, error);
}
