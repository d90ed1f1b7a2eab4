/* See matrix_changes.h. */
#include "output/matrix_changes.h"

#include "output/exchange_fields.h"

routh_linear rt_matrix_change_as_linear(const routh_linear *linear, const routh_matrix_change *d)
{
    routh_linear l = *linear;
    l.A = d->A, l.B = d->B, l.B1 = d->B1, l.B2 = d->B2;
    l.C = d->C, l.D = d->D, l.D1 = d->D1, l.D2 = d->D2;
    l.mass = d->mass, l.damping = d->damping, l.stiffness = d->stiffness, l.coupling = d->coupling;
    l.force = d->force, l.force1 = d->force1, l.force2 = d->force2;
    return l;
}

/* ---- the tables ------------------------------------------------------------------------------ */

/* By rows, those of the linear model's matrix of that name. */
static void matrix_change_write(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_linear l = rt_matrix_change_as_linear(row->results->linear, row->of);
    const rt_exchange_field *field = rt_field_find(key);
    const size_t rows = rt_axis_size(&l, field->rows), columns = rt_axis_size(&l, field->columns);
    const double *values = rt_field_reals(field, &l);
    rt_json_matrix(json, key, values, (int)rows, (int)columns);
}

#define CHANGE_OF(name, meaning_)                                                                  \
    {                                                                                              \
        .key = #name, .type = RT_RESULT_MATRIX, .write = matrix_change_write,                      \
        .meaning = (meaning_)                                                                      \
    }

static const rt_result_field matrix_change_fields[] = {
    {.key = "parameter",
     .type = RT_RESULT_TEXT,
     RT_AT(routh_matrix_change, parameter),
     .meaning = "name of the parameter"},
    {.key = "value",
     .type = RT_RESULT_REAL,
     RT_AT(routh_matrix_change, value),
     .meaning = "its value"},
    CHANGE_OF(A, "of A, per unit of the parameter, as all that follow"),
    CHANGE_OF(B, "of B; of `rates.B` where the JSON has `rates`, and so on"),
    CHANGE_OF(B1, "of B1"),
    CHANGE_OF(B2, "of B2"),
    CHANGE_OF(C, "of C"),
    CHANGE_OF(D, "of D"),
    CHANGE_OF(D1, "of D1"),
    CHANGE_OF(D2, "of D2"),
    CHANGE_OF(mass, "of `mass`"),
    CHANGE_OF(damping, "of `damping`"),
    CHANGE_OF(stiffness, "of `stiffness`"),
    CHANGE_OF(coupling, "of `coupling`"),
    CHANGE_OF(force, "of `force`"),
    CHANGE_OF(force1, "of `force1`"),
    CHANGE_OF(force2, "of `force2`"),
};
static const rt_result_table matrix_change_table = {"matrix_derivative",
                                                    "Derivatives of the matrices by a parameter",
                                                    "", RT_FIELDS(matrix_change_fields)};

static void matrix_changes_write_warnings(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_matrix_sensitivity *s = row->of;
    rt_json_array(json, key);
    for (int k = 0; k < s->n_warnings; k++) rt_json_string(json, NULL, s->warnings[k]);
    rt_json_end(json);
}

static const rt_result_field matrix_changes_fields[] = {
    {.key = "warnings",
     .type = RT_RESULT_VALUES,
     .each = RT_RESULT_TEXT,
     .write = matrix_changes_write_warnings,
     .meaning = "parameters that are left out, and why"},
    {.key = "parameters",
     .type = RT_RESULT_LIST,
     .items = &matrix_change_table,
     .open = true,
     RT_AT(routh_matrix_sensitivity, by),
     .n_at = RT_PLACE(routh_matrix_sensitivity, n_parameters),
     .size = sizeof(routh_matrix_change),
     .meaning = "in the order asked for, or of the model"},
};
const rt_result_table rt_matrix_changes_list = {"matrix_derivatives", "Derivatives of the matrices",
                                                "", RT_FIELDS(matrix_changes_fields)};

void rt_matrix_changes_json(rt_json *json, const char *key, const routh_results *results)
{
    if (!results->matrix_sensitivities) return;
    rt_json_object(json, key);
    rt_result_json(json, &rt_matrix_changes_list,
                   &(rt_result_row){.results = results, .of = results->matrix_sensitivities});
    rt_json_end(json);
}
