#include <math.h>
#include <stdbool.h>

#include "output/descriptor.h"
#include "output/exchange_fields.h"
#include "output/heading.h"
#include "output/matrix_changes.h"

/* Larger matrices do not fit on a screen. */
enum { LARGEST_SHOWN = 24, NAMED_ROWS = 5, DIGITS = 6 };

/* A smaller value of a state is what rounding left of 0, and so is one of an output, whatever its
 * unit. */
static const double NO_VALUE = 1e-14, NO_OUTPUT = 1e-20, NO_RATE = 1e-12;

/* a0 of a state; 0 for what rounding left. */
static double linear_table_rate(const routh_linear *linear, int i)
{
    double most = 0;
    for (int k = 0; k < linear->n_states; k++) most = fmax(most, fabs(linear->affine[k]));
    const double a0 = linear->affine[i];
    return linear->at_rest || fabs(a0) <= fmax(NO_RATE, NO_VALUE * most) ? 0 : a0;
}

/* How the operating point itself moves, where it does. */
static bool has_rates(const routh_linear *linear)
{
    for (int i = 0; linear->affine && i < linear->n_states; i++)
        if (linear_table_rate(linear, i) != 0) return true;
    return false;
}

/* ---- states: row->of is a state, index its place; work: the linear model --------------------- */

static int place_number(const rt_result_row *row) { return row->index + 1; }

static bool shown_state_has_rate(const rt_result_row *row) { return has_rates(row->work); }

static double shown_state_value(const rt_result_row *row)
{
    const double value = ((const routh_state_name *)row->of)->value;
    return fabs(value) < NO_VALUE ? 0 : value;
}

static double shown_state_rate(const rt_result_row *row)
{
    return linear_table_rate(row->work, row->index);
}

static const char *state_line_unit(const rt_result_row *row, char room[RT_UNIT_SIZE])
{
    (void)room;
    return ((const routh_state_name *)row->of)->unit;
}

static const rt_result_field state_line_fields[] = {
    {.type = RT_RESULT_COUNT, .count = place_number, .meaning = "its place, from 1",
     .head = "no."},
    {.type = RT_RESULT_TEXT, RT_AT(routh_state_name, name), .meaning = "its name", .head = "state",
     .align = 'l'},
    {.type = RT_RESULT_TEXT, RT_AT(routh_state_name, unit), .meaning = "its unit", .head = "unit",
     .unit_of = state_line_unit, .names_unit = true,
     .align = 'l'},
    {.type = RT_RESULT_TEXT, RT_AT(routh_state_name, frame),
     .meaning = "marker whose axes it is in", .head = "axes of", .align = 'l'},
    {.type = RT_RESULT_REAL, .real = shown_state_value, .meaning = "at the operating point",
     .head = "value", .unit_of = state_line_unit, .digits = 6},
    {.type = RT_RESULT_REAL, .real = shown_state_rate, .there = shown_state_has_rate,
     .meaning = "how the operating point moves, per second", .head = "rate a0",
     .unit_of = state_line_unit,
     .digits = 6},
};
static const rt_result_table state_line_table = {"state_line", "", "",
                                                 RT_FIELDS(state_line_fields)};

static void linear_table_states(rt_text *text, const routh_linear *linear)
{
    rt_text_append(text, "\nStates%s\n",
                   has_rates(linear)
                       ? " (y' = a0 + A y: a0, per second, is how the operating point moves)"
                       : "");
    rt_result_print(text, &state_line_table, &(rt_result_row){.work = (void *)linear},
                    linear->states, linear->n_states, sizeof *linear->states);
}

/* ---- signals: row->of is one, index its place; work: what they are --------------------------- */

typedef struct signal_kind_of {
    const char *head;
    double least; /* a smaller value is what rounding left of 0 */
} signal_kind_of;

static const char *signal_head(const rt_result_row *row)
{
    return ((const signal_kind_of *)row->work)->head;
}

static double signal_shown(const rt_result_row *row)
{
    const double value = ((const routh_signal_name *)row->of)->value;
    return fabs(value) < ((const signal_kind_of *)row->work)->least ? 0 : value;
}

static const char *signal_line_unit(const rt_result_row *row, char room[RT_UNIT_SIZE])
{
    (void)room;
    return ((const routh_signal_name *)row->of)->unit;
}

static const rt_result_field signal_line_fields[] = {
    {.type = RT_RESULT_COUNT, .count = place_number, .meaning = "its place, from 1",
     .head = "no."},
    {.type = RT_RESULT_TEXT, RT_AT(routh_signal_name, name), .meaning = "its name",
     .head_of = signal_head, .align = 'l'},
    {.type = RT_RESULT_TEXT, RT_AT(routh_signal_name, unit), .meaning = "its unit", .head = "unit",
     .unit_of = signal_line_unit, .names_unit = true,
     .align = 'l'},
    {.type = RT_RESULT_REAL, .real = signal_shown, .meaning = "at the operating point",
     .head = "value", .unit_of = signal_line_unit, .digits = 6},
};
static const rt_result_table signal_line_table = {"signal_line", "", "",
                                                  RT_FIELDS(signal_line_fields)};

static void linear_table_signals(rt_text *text, const char *title, signal_kind_of kind,
                                 const routh_signal_name *names, int n)
{
    if (n == 0) return;
    rt_text_append(text, "\n%s\n", title);
    rt_result_print(text, &signal_line_table, &(rt_result_row){.work = &kind}, names, n,
                    sizeof *names);
}

/* ---- matrices -------------------------------------------------------------------------------- */

/* Names of rows or columns: those of states from `first` on, or of signals. */
typedef struct labels {
    int n;
    const routh_state_name *states;
    const routh_signal_name *signals;
} labels;

static labels states_from(const routh_linear *linear, int first, int n)
{
    return (labels){n, linear->states + first, NULL};
}

static labels inputs_of(const routh_linear *linear)
{
    return (labels){linear->n_inputs, NULL, linear->inputs};
}

static labels outputs_of(const routh_linear *linear)
{
    return (labels){linear->n_outputs, NULL, linear->outputs};
}

static const char *linear_table_label(const labels *of, int i)
{
    return of->signals ? of->signals[i].name : of->states[i].name;
}

static double linear_table_largest(const double *row, int n)
{
    double most = 0;
    for (int j = 0; j < n; j++) most = fmax(most, fabs(row[j]));
    return most;
}

/* The matrices beside one another in one equation: a row of all has one unit, but for those of
 * the columns. */
typedef struct linear_table_equation {
    int n, n_forces; /* matrices; rows, if they are forces and torques */
    struct {
        const double *values;
        int columns;
    } all[7];
} linear_table_equation;

static double linear_table_largest_of_row(const linear_table_equation *of, int i)
{
    double most = 0;
    for (int k = 0; k < of->n; k++)
        if (of->all[k].values)
            most = fmax(most, linear_table_largest(of->all[k].values +
                                                       (size_t)i * (size_t)of->all[k].columns,
                                                   of->all[k].columns));
    return most;
}

static double largest_of_column(const double *values, int rows, int columns, int j)
{
    double most = 0;
    for (int i = 0; i < rows; i++)
        most = fmax(most, fabs(values[(size_t)i * (size_t)columns + (size_t)j]));
    return most;
}

/* Entry (i, j), or 0 for what is rounding beside the largest of its row; beside that of its column
 * where all rows are forces and torques, which differ by a length; or nothing beside the other
 * matrices, whatever the units of the columns. */
static double shown(const linear_table_equation *of, const double *values, int columns, int i,
                    int j)
{
    const double *row = values + (size_t)i * (size_t)columns;
    double least = fmax(1e-14 * linear_table_largest(row, columns),
                        1e-30 * linear_table_largest_of_row(of, i));
    if (of->n_forces > 0)
        least = fmax(least, 1e-15 * largest_of_column(values, of->n_forces, columns, j));
    return fabs(row[j]) <= least ? 0 : row[j];
}

/* The columns of square matrices are those of their rows, and have no heads. */
static void linear_table_matrix(rt_text *text, const linear_table_equation *of, const char *name,
                                const double *values, labels rows, labels columns)
{
    char align[LARGEST_SHOWN + 2] = "l";
    const int n = columns.n;
    const bool heads = columns.signals != rows.signals || columns.states != rows.states;
    if (!values || rows.n == 0 || n == 0) return;
    for (int j = 0; j < n; j++) align[1 + j] = 'r';
    align[1 + n] = '\0';
    rt_table table = {.align = align};
    rt_text_append(text, "\n%s\n", name);
    if (heads) rt_table_cell(&table, "");
    for (int j = 0; heads && j < n; j++) rt_table_cell(&table, linear_table_label(&columns, j));
    for (int i = 0; i < rows.n; i++) {
        rt_table_cell(&table, linear_table_label(&rows, i));
        for (int j = 0; j < n; j++) rt_table_real(&table, shown(of, values, n, i, j), DIGITS);
    }
    rt_table_write(&table, text);
}

static bool linear_table_is_zero(const linear_table_equation *of, const double *values, int rows,
                                 int columns)
{
    for (int i = 0; values && i < rows; i++)
        for (int j = 0; j < columns; j++)
            if (shown(of, values, columns, i, j) != 0) return false;
    return true;
}

/* One that is mostly zero: shown where it is not, else named in `zero`. */
static void unless_zero(rt_text *text, const linear_table_equation *of, const char *name,
                        const char *title, const double *values, labels rows, labels columns,
                        rt_text *zero)
{
    if (rows.n == 0 || columns.n == 0) return;
    if (!linear_table_is_zero(of, values, rows.n, columns.n))
        linear_table_matrix(text, of, title, values, rows, columns);
    else if (name)
        rt_text_append(zero, "%s%s", zero->length > 0 ? ", " : "", name);
}

static void say_zero(rt_text *text, rt_text *zero, const char *remark)
{
    if (zero->length > 0)
        rt_text_append(text, "\nZero, and not shown: %s%s.\n", zero->bytes, remark);
    text->failed = text->failed || zero->failed;
    rt_text_free(zero);
}

/* mass W' + damping W + stiffness S = coupling X + force in + force1 in' + force2 in'' */
static void linear_table_second_order(rt_text *text, const routh_linear *l)
{
    const int z0 = l->n_position, z1 = l->n_velocity, n_x = l->n_control, n_in = l->n_inputs;
    const labels S = states_from(l, 0, z0), W = z0 == z1 ? S : states_from(l, z0, z1);
    const labels X = states_from(l, z0 + z1, n_x), in = inputs_of(l);
    const linear_table_equation of = {7,
                                      z1,
                                      {{l->mass, z1},
                                       {l->damping, z1},
                                       {l->stiffness, z0},
                                       {l->coupling, n_x},
                                       {l->force, n_in},
                                       {l->force1, n_in},
                                       {l->force2, n_in}}};
    rt_text zero = {0};
    linear_table_matrix(text, &of, "Mass M", l->mass, W, W);
    linear_table_matrix(text, &of, "Damping C", l->damping, W, W);
    linear_table_matrix(text, &of, "Stiffness K", l->stiffness, W, S);
    unless_zero(text, &of, "forces of the controllers",
                "Forces of the controllers (M W' + C W + K S = .. X)", l->coupling, W, X, &zero);
    unless_zero(text, &of, "forces of the inputs",
                "Forces of the inputs (M W' + C W + K S = .. in)", l->force, W, in, &zero);
    unless_zero(text, &of, NULL, "Forces of the inputs' rates (M W' + C W + K S = .. in')",
                l->force1, W, in, &zero);
    unless_zero(text, &of, NULL, "Forces of the inputs' accelerations (M W' + C W + K S = .. in'')",
                l->force2, W, in, &zero);
    say_zero(text, &zero, "");
}

/* y' = A y + B in + B1 in' + B2 in'',  out = C y + D in + D1 in' + D2 in'' */
static void linear_table_state_space(rt_text *text, const routh_linear *l)
{
    const int n = l->n_states, m = l->n_inputs;
    const labels y = states_from(l, 0, n), in = inputs_of(l), out = outputs_of(l);
    const linear_table_equation rates = {4, 0, {{l->A, n}, {l->B, m}, {l->B1, m}, {l->B2, m}}};
    const linear_table_equation seen = {4, 0, {{l->C, n}, {l->D, m}, {l->D1, m}, {l->D2, m}}};
    rt_text zero = {0};
    linear_table_matrix(text, &rates, "A (y' = A y)", l->A, y, y);
    linear_table_matrix(text, &rates, "B (y' = .. + B in)", l->B, y, in);
    unless_zero(text, &rates, "B1", "B1 (y' = .. + B1 in')", l->B1, y, in, &zero);
    unless_zero(text, &rates, "B2", "B2 (y' = .. + B2 in'')", l->B2, y, in, &zero);
    linear_table_matrix(text, &seen, "C (out = C y)", l->C, out, y);
    linear_table_matrix(text, &seen, "D (out = .. + D in)", l->D, out, in);
    unless_zero(text, &seen, "D1", "D1 (out = .. + D1 in')", l->D1, out, in, &zero);
    unless_zero(text, &seen, "D2", "D2 (out = .. + D2 in'')", l->D2, out, in, &zero);
    say_zero(text, &zero, " (rates of the inputs)");
}

static int most(int a, int b) { return a > b ? a : b; }

static void linear_table_matrices(rt_text *text, const routh_linear *l)
{
    /* of M W' + C W + K S = 0 alone A says nothing more */
    const bool plain = l->mass && l->n_position == l->n_velocity && l->n_control == 0 &&
                       l->n_inputs == 0 && l->n_outputs == 0;
    const int rows = plain ? l->n_position : most(l->n_states, l->n_outputs);
    const int n = most(rows, l->n_inputs);
    if (n > LARGEST_SHOWN) {
        rt_text_append(text,
                       "\nThe matrices have %d %s, too many to show here; --json and --csv write "
                       "them.\n",
                       n, n == rows ? "rows" : "columns");
        return;
    }
    if (text->units)
        rt_text_append(text,
                       "\nThe matrices are in SI units: m, rad, kg, s and what these make.\n");
    if (l->n_states > 0 && l->mass) linear_table_second_order(text, l);
    if (!plain) linear_table_state_space(text, l);
}

/* Those matrices of one parameter that are not zero. */
static void linear_table_change(rt_text *text, const routh_linear *l)
{
    const int z0 = l->n_position, z1 = l->n_velocity;
    const labels S = states_from(l, 0, z0), W = z0 == z1 ? S : states_from(l, z0, z1);
    const labels X = states_from(l, z0 + z1, l->n_control), y = states_from(l, 0, l->n_states);
    const labels in = inputs_of(l), out = outputs_of(l);
    const struct {
        const char *name;
        const double *values;
        labels rows, columns;
    } all[] = {{"mass M", l->mass, W, W},
               {"damping C", l->damping, W, W},
               {"stiffness K", l->stiffness, W, S},
               {"forces of the controllers", l->coupling, W, X},
               {"A", l->A, y, y},
               {"B", l->B, y, in},
               {"B1", l->B1, y, in},
               {"B2", l->B2, y, in},
               {"output matrix C", l->C, out, y},
               {"D", l->D, out, in},
               {"D1", l->D1, out, in},
               {"D2", l->D2, out, in}};
    rt_text zero = {0};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const linear_table_equation alone = {1, 0, {{all[k].values, all[k].columns.n}}};
        unless_zero(text, &alone, all[k].name, all[k].name, all[k].values, all[k].rows,
                    all[k].columns, &zero);
    }
    say_zero(text, &zero, "");
}

static void linear_table_changes(rt_text *text, const routh_results *results)
{
    const routh_matrix_sensitivity *s = results->matrix_sensitivities;
    const int n = s ? most(most(s->n_states, s->n_outputs), s->n_inputs) : 0;
    if (n > LARGEST_SHOWN) return; /* as the matrices themselves */
    for (int k = 0; s && k < s->n_parameters; k++) {
        const routh_matrix_change *by = &s->by[k];
        const routh_linear l = rt_matrix_change_as_linear(results->linear, by);
        rt_text_append(text, "\nDerivatives by %s, per unit of it, at %s = %.6g\n", by->parameter,
                       by->parameter, by->value);
        linear_table_change(text, &l);
    }
}

static routh_status linear_table_check(const routh_linear *l, routh_error *error)
{
    const rt_exchange_field *f;
    for (int k = 0; (f = rt_field_at(k)); k++) {
        if (f->owner != RT_OF_MODEL || f->store != RT_BEHIND || f->columns == RT_ONE) continue;
        const double *values = rt_field_reals(f, l);
        const size_t rows = rt_axis_size(l, f->rows), columns = rt_axis_size(l, f->columns);
        for (size_t i = 0; values && i < rows * columns; i++)
            if (!isfinite(values[i]))
                return rt_fail(error, ROUTH_NUMERIC_ERROR, "%s[%zu][%zu] is not a finite number",
                               f->name, i / columns, i % columns);
    }
    return ROUTH_OK;
}

routh_status routh_linear_table(const routh_results *results, routh_text *text, routh_error *error)
{
    *text = (routh_text){0};
    routh_status status = rt_results_check(results, RT_NEED_LINEAR, error);
    if (!status) status = linear_table_check(results->linear, error);
    if (status) return status;
    rt_text out = {.units = results->units};
    rt_heading(&out, results, NAMED_ROWS);
    rt_heading_warnings(&out, results);
    const routh_matrix_sensitivity *s = results->matrix_sensitivities;
    for (int k = 0; s && k < s->n_warnings; k++)
        rt_heading_line(&out, "warning", "%s", s->warnings[k]);
    if (results->linear->n_states == 0)
        rt_text_append(&out, "\nThe mechanism has no degree of freedom left. %s\n",
                       rt_words_without_states(results->linear));
    if (results->linear->n_states > 0) linear_table_states(&out, results->linear);
    linear_table_signals(&out, "Inputs", (signal_kind_of){"input", 0}, results->linear->inputs,
                         results->linear->n_inputs);
    linear_table_signals(&out, "Outputs", (signal_kind_of){"output", NO_OUTPUT},
                         results->linear->outputs, results->linear->n_outputs);
    linear_table_matrices(&out, results->linear);
    linear_table_changes(&out, results);
    return rt_results_hand_over(&out, text, error);
}
