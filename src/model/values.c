/* Values that are numbers: alone, in lists and in matrices. */
#include "model/read_values.h"
#include "model/scope.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers --------------------------------------------------------------------------------- */

static bool digits(const char **p)
{
    const char *start = *p;
    while (**p >= '0' && **p <= '9') ++*p;
    return *p > start;
}

/* A plain decimal number, the whole text. Anything else goes to the expression parser. */
static bool read_literal(const char *text, double *value)
{
    const char *p = text;
    if (*p == '+' || *p == '-') p++;
    const bool whole = digits(&p);
    if (*p == '.') p++;
    const bool fraction = digits(&p);
    if (!whole && !fraction) return false;
    if (*p == 'e' || *p == 'E') {
        p++;
        if (*p == '+' || *p == '-') p++;
        if (!digits(&p)) return false;
    }
    if (*p) return false;
    char *end = NULL;
    *value = strtod(text, &end);
    return end == p;
}

static routh_status values_check_range(rt_reader *r, const rt_yaml *node, const char *what,
                                       rt_range range, double value)
{
    if (!isfinite(value))
        return rt_reader_fail(r, node->place, "%s: '%.60s' is %s; a finite number is needed", what,
                              node->text, isnan(value) ? "not a number" : "infinite");
    if (range == RT_POSITIVE && !(value > 0))
        return rt_reader_fail(r, node->place, "%s is %.6g; it must be positive", what, value);
    if (range == RT_NOT_NEGATIVE && value < 0)
        return rt_reader_fail(r, node->place, "%s is %.6g; it must not be negative", what, value);
    if (range == RT_NOT_ZERO && value == 0)
        return rt_reader_fail(r, node->place, "%s is zero; it must not be", what);
    return ROUTH_OK;
}

/* .nan, -.inf, .Inf, ... */
static bool is_yaml_special(const char *text)
{
    static const char *const words[] = {".nan", ".inf"};
    if (*text == '+' || *text == '-') text++;
    for (int k = 0; k < 2; k++) {
        int n = 0;
        while (text[n] && tolower((unsigned char)text[n]) == words[k][n]) n++;
        if (n == 4 && !text[n]) return true;
    }
    return false;
}

/* An error of the expression parser, moved to its place in the file. */
static routh_status fail_expression(rt_reader *r, const rt_yaml *node, const char *what,
                                    const routh_error *problem)
{
    if (problem->status == ROUTH_OUT_OF_MEMORY) return rt_fail_memory(r->error);
    rt_place place = node->place;
    if (problem->column > 0 && !strchr(node->text, '\n'))
        place = rt_place_after(place, problem->column - 1 + node->quoted);
    const routh_status status = rt_reader_fail(r, place, "%s: %.800s", what, problem->message);
    return status;
}

static routh_status read_expression(rt_reader *r, const rt_yaml *node, const char *what,
                                    rt_number *out)
{
    routh_error problem = {0};
    double index;
    const int parameter =
        rt_scope_index(r, node->text, &index)
            ? -1
            : rt_names_find(&r->index->parameters, rt_full_name_or_none(r, node->text));
    if (parameter >= 0 && rt_free_parameter(r, parameter) < 0 &&
        rt_same_units(r->model->parameters[parameter].units, rt_units_here(r))) {
        *out = (rt_number){r->model->parameters[parameter].number.value,
                           rt_input(r->model->graph, parameter)};
        return out->expr < 0
                   ? rt_fail_memory(r->error)
                   : rt_check_dimension(r, node, what, &r->model->parameters[parameter].dimension);
    }
    if (is_yaml_special(node->text))
        return rt_reader_fail(r, node->place, "%s is '%.20s'; a finite number is needed", what,
                              node->text);
    rt_dimension dimension;
    if (rt_parse_parameters(r, node->text, &out->expr, &dimension, &problem))
        return fail_expression(r, node, what, &problem);
    routh_status status = rt_check_dimension(r, node, what, &dimension);
    if (!status) status = rt_evaluate_parameters(r, out->expr, &out->value);
    double constant;
    if (rt_is_constant(r->model->graph, out->expr, &constant)) *out = rt_plain(constant);
    return status;
}

/* A number that depends on parameters and keeps its value only. */
routh_status rt_note_fixed(rt_reader *r, const rt_yaml *node, const char *what, rt_number number)
{
    routh_model *m = r->model;
    if (!r->values_only || number.expr < 0) return ROUTH_OK;
    if (m->n_fixed == r->fixed_room) {
        const int room = 2 * r->fixed_room + 8;
        rt_fixed *more = RT_TAKE(&m->arena, rt_fixed, room);
        if (!more) return rt_fail_memory(r->error);
        if (m->n_fixed) memcpy(more, m->fixed, (size_t)m->n_fixed * sizeof *more);
        m->fixed = more;
        r->fixed_room = room;
    }
    const rt_fixed fixed = {number.expr, node->place, rt_arena_text(&m->arena, what, strlen(what)),
                            rt_arena_text(&m->arena, r->element, strlen(r->element)), false};
    m->fixed[m->n_fixed++] = fixed;
    return fixed.what && fixed.element ? ROUTH_OK : rt_fail_memory(r->error);
}

routh_status rt_note_whole(rt_reader *r, const rt_yaml *node, const char *what, rt_number number)
{
    routh_model *m = r->model;
    const bool before = r->values_only;
    const int n = m->n_fixed;
    r->values_only = true;
    const routh_status status = rt_note_fixed(r, node, what, number);
    r->values_only = before;
    if (!status && m->n_fixed > n) m->fixed[n].whole = true;
    return status;
}

/* Whether the number is in its range is all that is asked of it where it may vary. */
static rt_guard_kind values_guard(const rt_reader *r, rt_range range)
{
    static const rt_guard_kind of[] = {[RT_ANY] = RT_GUARD_FINITE,
                                       [RT_POSITIVE] = RT_GUARD_POSITIVE,
                                       [RT_NOT_NEGATIVE] = RT_GUARD_NOT_NEGATIVE,
                                       [RT_NOT_ZERO] = RT_GUARD_NOT_ZERO};
    return r->varies ? of[range] : RT_GUARD_SAME;
}

routh_status rt_read_number(rt_reader *r, const rt_yaml *node, const char *what, rt_range range,
                            rt_number *out)
{
    char found[96];
    if (node->kind != RT_YAML_SCALAR || rt_yaml_is_null(node) || !node->text[0])
        return rt_reader_fail(r, node->place,
                              "%s must be a number or an expression, such as 3 or 2*k, not %s",
                              what, rt_yaml_describe(node, found, sizeof found));
    *out = rt_plain(0);
    r->read_dimension = (rt_dimension){0};
    if (!read_literal(node->text, &out->value)) {
        routh_status status = read_expression(r, node, what, out);
        if (!status) status = rt_note_fixed(r, node, what, *out);
        if (!status) status = rt_guard_number(r, *out, values_guard(r, range));
        if (status) return status;
    }
    const routh_status status = values_check_range(r, node, what, range, out->value);
    return status ? status : rt_number_into_si(r, out);
}

routh_status rt_read_count(rt_reader *r, const rt_yaml *node, const char *what, rt_range range,
                           int *out)
{
    rt_number number;
    const bool before = r->values_only;
    r->values_only = false;
    routh_status status = rt_read_number(r, node, what, range, &number);
    r->values_only = before;
    if (!status) status = rt_note_whole(r, node, what, number);
    if (status) return status;
    if (number.value != floor(number.value) || !(fabs(number.value) <= RT_MOST_COUNTED))
        return rt_reader_fail(r, node->place, "%s is %.9g; it must be a whole number of at most %d",
                              what, number.value, RT_MOST_COUNTED);
    *out = (int)number.value;
    return ROUTH_OK;
}

routh_status rt_expect_numbers(rt_reader *r, const rt_yaml *node, const char *what, int n)
{
    char found[96];
    if (node->kind == RT_YAML_LIST && node->count == n) return ROUTH_OK;
    return rt_reader_fail(r, node->place, "%s must be a list of %d numbers, such as %s, not %s",
                          what, n,
                          n == 6   ? "[0, 0, 0, 0, 0, 0]"
                          : n == 3 ? "[0, 0, 1]"
                                   : "[1, 2]",
                          rt_yaml_describe(node, found, sizeof found));
}

static routh_status values_read_each(rt_reader *r, const rt_yaml *list, const char *what,
                                     rt_range range, rt_number *out)
{
    routh_status status = ROUTH_OK;
    for (const rt_yaml *entry = list->first; entry && !status; entry = entry->next)
        status = rt_read_number(r, entry, what, range, out++);
    return status;
}

/* Six of a field in two units, forces and torques, are three of each. */
routh_status rt_read_numbers(rt_reader *r, const rt_yaml *node, const char *what, int n,
                             rt_number *out)
{
    char unit[RT_LISTED_UNIT];
    const char *units = r->unit;
    routh_status status = rt_expect_numbers(r, node, what, n);
    int k = 0;
    for (const rt_yaml *entry = node->first; entry && !status; entry = entry->next, k++) {
        if (n == 6 && units) r->unit = rt_listed_unit(units, k / 3, unit);
        status = rt_read_number(r, entry, what, RT_ANY, &out[k]);
    }
    r->unit = units;
    return status;
}

routh_status rt_read_list(rt_reader *r, const rt_yaml *node, const char *what, rt_number **numbers,
                          int *n)
{
    char found[96];
    if (node->kind != RT_YAML_LIST || node->count == 0)
        return rt_reader_fail(r, node->place,
                              "%s must be a list of numbers, such as [1, 0.5], not %s", what,
                              rt_yaml_describe(node, found, sizeof found));
    *n = node->count;
    *numbers = RT_TAKE(&r->scratch, rt_number, *n);
    return *numbers ? values_read_each(r, node, what, RT_ANY, *numbers) : rt_fail_memory(r->error);
}

static routh_status check_matrix_row(rt_reader *r, const rt_yaml *row, const char *what, int k,
                                     int n, const char *column_of)
{
    char found[96];
    if (row->kind != RT_YAML_LIST)
        return rt_reader_fail(r, row->place,
                              "%s must be a list of rows of numbers, such as [[1, 0], [0, 1]]; row "
                              "%d is %s",
                              what, k, rt_yaml_describe(row, found, sizeof found));
    if (row->count == n) return ROUTH_OK;
    return rt_reader_fail(r, row->place,
                          "row %d of %s has %d number%s; it must have %d, one for each %s", k, what,
                          row->count, row->count == 1 ? "" : "s", n, column_of);
}

routh_status rt_read_matrix(rt_reader *r, const rt_yaml *node, const char *what, int n_rows,
                            const char *row_of, int n_columns, const char *column_of,
                            rt_number **numbers)
{
    char found[96];
    int k = 0;
    if (node->kind != RT_YAML_LIST)
        return rt_reader_fail(r, node->place,
                              "%s must be a list of rows of numbers, such as [[1, 0], [0, 1]], not "
                              "%s",
                              what, rt_yaml_describe(node, found, sizeof found));
    if (node->count != n_rows)
        return rt_reader_fail(r, node->place, "%s has %d row%s; it must have %d, one for each %s",
                              what, node->count, node->count == 1 ? "" : "s", n_rows, row_of);
    *numbers = RT_TAKE(&r->scratch, rt_number, (size_t)n_rows * (size_t)n_columns);
    if (!*numbers) return rt_fail_memory(r->error);
    for (const rt_yaml *row = node->first; row; row = row->next, k++) {
        routh_status status = check_matrix_row(r, row, what, k + 1, n_columns, column_of);
        if (!status)
            status =
                values_read_each(r, row, what, RT_ANY, *numbers + (size_t)k * (size_t)n_columns);
        if (status) return status;
    }
    return ROUTH_OK;
}

routh_status rt_read_triple(rt_reader *r, const rt_yaml *node, const char *what, rt_number out[3])
{
    if (node->kind == RT_YAML_LIST) return rt_read_numbers(r, node, what, 3, out);
    const routh_status status = rt_read_number(r, node, what, RT_ANY, out);
    out[1] = out[2] = out[0];
    return status;
}

routh_status rt_read_matrix6(rt_reader *r, const rt_yaml *node, const char *what, rt_number out[36])
{
    char found[96];
    if (node->kind != RT_YAML_LIST || node->count != 6)
        return rt_reader_fail(r, node->place, "%s must be a list of 6 rows of 6 numbers, not %s",
                              what, rt_yaml_describe(node, found, sizeof found));
    /* of forces and torques by displacements and rotations */
    const char *units = r->unit;
    routh_status status = ROUTH_OK;
    int i = 0;
    for (const rt_yaml *row = node->first; row && !status; row = row->next, i++) {
        int k = 0;
        status = rt_expect_numbers(r, row, what, 6);
        for (const rt_yaml *e = row->first; e && !status; e = e->next, k++) {
            char unit[RT_LISTED_UNIT];
            r->unit = units ? rt_listed_unit(units, i / 3 + k / 3, unit) : NULL;
            status = rt_read_number(r, e, what, RT_ANY, &out[6 * i + k]);
        }
    }
    r->unit = units;
    return status;
}

routh_status rt_read_ratios(rt_reader *r, const rt_yaml *node, const char *what, rt_number out[3])
{
    char found[96];
    if (node->kind != RT_YAML_LIST || node->count < 2 || node->count > 3)
        return rt_reader_fail(r, node->place, "%s must be a list of 2 or 3 numbers, not %s", what,
                              rt_yaml_describe(node, found, sizeof found));
    return values_read_each(r, node, what, RT_ANY, out);
}

routh_status rt_read_inertia(rt_reader *r, const rt_yaml *node, rt_number out[9])
{
    static const int where[6][2] = {{0, 0}, {4, 4}, {8, 8}, {1, 3}, {2, 6}, {5, 7}};
    rt_number entries[6];
    char found[96];
    for (int k = 0; k < 6; k++) entries[k] = rt_plain(0);
    if (node->kind != RT_YAML_LIST || (node->count != 3 && node->count != 6))
        return rt_reader_fail(r, node->place,
                              "inertia must be [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz], "
                              "not %s",
                              rt_yaml_describe(node, found, sizeof found));
    const routh_status status = values_read_each(r, node, "inertia", RT_ANY, entries);
    for (int k = 0; k < 6; k++) out[where[k][0]] = out[where[k][1]] = entries[k];
    return status;
}
