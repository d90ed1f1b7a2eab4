#include <stdio.h>

#include "base/csv.h"
#include "output/exchange_fields.h"
#include "output/matrix_changes.h"
#include "output/results.h"

/* The first column of an axis of the model, and how many there are; n = -1: no such axis. States
 * and inputs stand side by side. */
typedef struct linear_csv_columns {
    int first, n;
} linear_csv_columns;

static linear_csv_columns linear_csv_columns_of(const routh_linear *l, rt_exchange_axis axis)
{
    const int z0 = l->n_position, z1 = l->n_velocity;
    switch (axis) {
    case RT_STATES:
    case RT_SAMPLE_ROWS: return (linear_csv_columns){0, l->n_states};
    case RT_POSITION: return (linear_csv_columns){0, z0};
    /* where S'' = W', accelerations stand under the positions */
    case RT_VELOCITY: return (linear_csv_columns){z0 == z1 ? 0 : z0, z1};
    case RT_CONTROL: return (linear_csv_columns){z0 + z1, l->n_control};
    case RT_INPUTS: return (linear_csv_columns){l->n_states, l->n_inputs};
    default: return (linear_csv_columns){0, -1};
    }
}

/* Rows of one matrix, named after states or outputs; the other columns are left empty, so that all
 * lines have as many fields. */
static void linear_csv_matrix(rt_csv *csv, const routh_linear *l, const rt_exchange_field *f,
                              const double *values, const char *name)
{
    const linear_csv_columns rows = linear_csv_columns_of(l, f->rows),
                             columns = linear_csv_columns_of(l, f->columns);
    const int all = l->n_states + l->n_inputs, n_rows = (int)rt_axis_size(l, f->rows);
    for (int i = 0; values && columns.n > 0 && i < n_rows; i++) {
        char what[64];
        snprintf(what, sizeof what, "an element of %s", f->name);
        rt_csv_text(csv, name);
        rt_csv_text(csv, f->rows == RT_OUTPUTS ? l->outputs[i].name
                                               : l->states[rows.first + i % rows.n].name);
        for (int j = 0; j < all; j++)
            if (j < columns.first || j >= columns.first + columns.n)
                rt_csv_text(csv, NULL);
            else
                rt_csv_real(csv, what, values[i * columns.n + j - columns.first]);
        rt_csv_line(csv);
    }
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

/* Those of derivatives are named dA/dk. */
static void linear_csv_changes(rt_csv *csv, const routh_results *results)
{
    const routh_matrix_sensitivity *s = results->matrix_sensitivities;
    const rt_exchange_field *f;
    for (int p = 0; s && p < s->n_parameters; p++) {
        const routh_linear l = rt_matrix_change_as_linear(results->linear, &s->by[p]);
        for (int k = 0; (f = rt_field_at(k)); k++) {
            const double *values = f->owner == RT_OF_MODEL && f->store == RT_BEHIND &&
                                           f->kind == RT_REALS && f->columns != RT_ONE
                                       ? rt_field_reals(f, &l)
                                       : NULL;
            char name[200];
            snprintf(name, sizeof name, "d%s/d%.120s", f->name, s->by[p].parameter);
            if (values && !(f->need & RT_WITH_RATES) &&
                values != rt_field_reals(f, results->linear))
                linear_csv_matrix(csv, &l, f, values, name);
        }
    }
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
    const rt_exchange_field *f;
    for (int k = 0; (f = rt_field_at(k)); k++) {
        if (f->owner != RT_OF_MODEL || f->store != RT_BEHIND || f->kind != RT_REALS ||
            (f->need & RT_WITH_RATES))
            continue;
        if (f->rows == RT_STATES && f->columns == RT_ONE)
            affine(&csv, linear);
        else if (f->columns != RT_ONE)
            linear_csv_matrix(&csv, linear, f, rt_field_reals(f, linear), f->name);
    }
    linear_csv_changes(&csv, results);
    status = rt_csv_finish(&csv, error);
    return status ? status : rt_results_hand_over(&csv.text, text, error);
}
