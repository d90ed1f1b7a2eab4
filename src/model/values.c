#include "model/reader.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "base/vec3.h"

/* ---- messages -------------------------------------------------------------------------------- */

routh_status rt_reader_fail(rt_reader *r, rt_place place, const char *format, ...)
{
    char message[900];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return rt_fail_at(r->error, ROUTH_MODEL_ERROR, r->file, place, r->element, "%s", message);
}

void rt_reader_element(rt_reader *r, const char *kind, const char *name)
{
    snprintf(r->element, sizeof r->element, "%s%s%.120s", kind, name[0] ? " " : "", name);
}

const char *rt_did_you_mean(const char *word, const char *const *candidates, char *text,
                            size_t size)
{
    const char *nearest = rt_suggest(word, candidates);
    text[0] = '\0';
    if (nearest) snprintf(text, size, "; did you mean '%.80s'?", nearest);
    return text;
}

static char *values_append(char *end, const char *limit, const char *word)
{
    const int n = snprintf(end, (size_t)(limit - end), "%s", word);
    return n < limit - end ? end + n : end;
}

/* "a, b, c" into text, cut where it is full. */
static const char *values_join(const char *const *words, char *text, size_t size)
{
    char *end = text;
    text[0] = '\0';
    for (int k = 0; words[k]; k++) {
        if (k) end = values_append(end, text + size, ", ");
        end = values_append(end, text + size, words[k]);
    }
    return text;
}

/* ---- names ----------------------------------------------------------------------------------- */

routh_status rt_check_name(rt_reader *r, const rt_yaml *entry)
{
    const char *name = entry->key;
    size_t n = 0;
    while (name[n] == '_' || (name[n] >= '0' && name[n] <= '9') ||
           (name[n] >= 'a' && name[n] <= 'z') || (name[n] >= 'A' && name[n] <= 'Z'))
        n++;
    if (!n || name[n] || (name[0] >= '0' && name[0] <= '9'))
        return rt_reader_fail(r, entry->key_place,
                              "the name '%.80s' is not allowed: a name is made of letters, digits "
                              "and _ and does not begin with a digit",
                              name);
    if (n > 100)
        return rt_reader_fail(r, entry->key_place, "the name '%.40s...' is longer than 100 letters",
                              name);
    return ROUTH_OK;
}

routh_status rt_check_quantity_name(rt_reader *r, const rt_yaml *entry)
{
    static const char *const reserved[][2] = {
        {"ground", "the world"},        {"time", "the time"},
        {"TIME", "the time"},           {"Time", "the time"},
        {"pi", "the number 3.14159.."}, {"PI", "the number 3.14159.."},
        {"e", "the number 2.71828.."}};
    const routh_status status = rt_check_name(r, entry);
    if (status) return status;
    for (size_t k = 0; k < sizeof reserved / sizeof *reserved; k++)
        if (!strcmp(entry->key, reserved[k][0]))
            return rt_reader_fail(r, entry->key_place,
                                  "the name '%s' has a meaning of its own, %s; choose another",
                                  entry->key, reserved[k][1]);
    return ROUTH_OK;
}

const char *const *rt_reader_keys(rt_reader *r, const rt_yaml *mapping)
{
    const int n = mapping ? mapping->count : 0;
    const char **names = RT_TAKE(&r->scratch, const char *, n + 1);
    int k = 0;
    if (!names || !mapping) return names;
    for (const rt_yaml *entry = mapping->first; entry; entry = entry->next) names[k++] = entry->key;
    return names;
}

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

routh_status rt_check_finite(rt_reader *r, rt_place place, const char *what,
                             const rt_number *numbers, int n)
{
    for (int k = 0; k < n; k++)
        if (!isfinite(numbers[k].value))
            return rt_reader_fail(
                r, place, "%s overflows: the numbers it is computed from are too large", what);
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
    const int parameter = rt_names_find(&r->index->parameters, node->text);
    if (parameter >= 0 && rt_free_parameter(r, parameter) < 0) {
        *out = (rt_number){r->model->parameters[parameter].number.value,
                           rt_input(r->model->graph, parameter)};
        return out->expr < 0 ? rt_fail_memory(r->error) : ROUTH_OK;
    }
    if (is_yaml_special(node->text))
        return rt_reader_fail(r, node->place, "%s is '%.20s'; a finite number is needed", what,
                              node->text);
    if (rt_parse_parameters(r, node->text, &out->expr, &problem))
        return fail_expression(r, node, what, &problem);
    const routh_status status = rt_evaluate_parameters(r, out->expr, &out->value);
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

routh_status rt_read_number(rt_reader *r, const rt_yaml *node, const char *what, rt_range range,
                            rt_number *out)
{
    char found[96];
    if (node->kind != RT_YAML_SCALAR || rt_yaml_is_null(node) || !node->text[0])
        return rt_reader_fail(r, node->place,
                              "%s must be a number or an expression, such as 3 or 2*k, not %s",
                              what, rt_yaml_describe(node, found, sizeof found));
    *out = rt_plain(0);
    if (!read_literal(node->text, &out->value)) {
        routh_status status = read_expression(r, node, what, out);
        if (!status) status = rt_note_fixed(r, node, what, *out);
        if (status) return status;
    }
    return values_check_range(r, node, what, range, out->value);
}

/* A whole number; the range holds for it. */
static routh_status read_count(rt_reader *r, const rt_yaml *node, const char *what, rt_range range,
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

static routh_status expect_list(rt_reader *r, const rt_yaml *node, const char *what, int n)
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

routh_status rt_read_numbers(rt_reader *r, const rt_yaml *node, const char *what, int n,
                             rt_number *out)
{
    const routh_status status = expect_list(r, node, what, n);
    return status ? status : values_read_each(r, node, what, RT_ANY, out);
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

static routh_status read_triple(rt_reader *r, const rt_yaml *node, const char *what,
                                rt_number out[3])
{
    if (node->kind == RT_YAML_LIST) return rt_read_numbers(r, node, what, 3, out);
    const routh_status status = rt_read_number(r, node, what, RT_ANY, out);
    out[1] = out[2] = out[0];
    return status;
}

static routh_status read_matrix6(rt_reader *r, const rt_yaml *node, const char *what,
                                 rt_number out[36])
{
    char found[96];
    if (node->kind != RT_YAML_LIST || node->count != 6)
        return rt_reader_fail(r, node->place, "%s must be a list of 6 rows of 6 numbers, not %s",
                              what, rt_yaml_describe(node, found, sizeof found));
    routh_status status = ROUTH_OK;
    for (const rt_yaml *row = node->first; row && !status; row = row->next, out += 6)
        status = rt_read_numbers(r, row, what, 6, out);
    return status;
}

static routh_status read_ratios(rt_reader *r, const rt_yaml *node, const char *what,
                                rt_number out[3])
{
    char found[96];
    if (node->kind != RT_YAML_LIST || node->count < 2 || node->count > 3)
        return rt_reader_fail(r, node->place, "%s must be a list of 2 or 3 numbers, not %s", what,
                              rt_yaml_describe(node, found, sizeof found));
    return values_read_each(r, node, what, RT_ANY, out);
}

/* [Ixx, Iyy, Izz] or with Ixy, Ixz, Iyz, into the whole matrix. */
static routh_status read_inertia(rt_reader *r, const rt_yaml *node, rt_number out[9])
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

/* ---- axes ------------------------------------------------------------------------------------ */

/* z along the axis; x perpendicular to it: for a coordinate axis the next but one in cyclic order,
 * so that z gives the identity; else the component of the coordinate axis farthest from z. */
void rt_triad_of_axis(const double axis[3], double triad[9])
{
    double x[3] = {0, 0, 0}, y[3], z[3];
    int largest = 0, smallest = 0;
    const double length = rt_v3_norm(axis);
    for (int k = 0; k < 3; k++) {
        z[k] = axis[k] / length;
        if (fabs(z[k]) > fabs(z[largest])) largest = k;
        if (fabs(z[k]) < fabs(z[smallest])) smallest = k;
    }
    const bool aligned = fabs(z[(largest + 1) % 3]) + fabs(z[(largest + 2) % 3]) == 0;
    const int start = aligned ? (largest + 1) % 3 : smallest;
    x[start] = 1;
    rt_v3_add_scaled(x, -z[start], z);
    rt_v3_scale(x, 1 / rt_v3_norm(x), x);
    rt_v3_cross(y, z, x);
    for (int k = 0; k < 3; k++)
        triad[3 * k] = x[k], triad[3 * k + 1] = y[k], triad[3 * k + 2] = z[k];
}

static int values_position_of(const char *word, const char *const *choices)
{
    for (int k = 0; choices[k]; k++)
        if (!strcmp(word, choices[k])) return k;
    return -1;
}

/* The same with numbers, by the rule that their values choose. */
static routh_status triad_of_numbers(rt_reader *r, const rt_number axis[3], rt_axis *out)
{
    rt_calculator *c = &r->calculator;
    rt_number *triad = RT_TAKE(&r->model->arena, rt_number, 9), x[3], y[3], z[3], along;
    if (!triad) return rt_fail_memory(r->error);
    int start = 0;
    for (int k = 0; k < 3; k++) /* x is steepest along the coordinate axis that it began with */
        if (out->triad[3 * k] > out->triad[3 * start]) start = k;
    rt_numbers_unit(c, z, axis);
    along = rt_minus(c, rt_plain(0), z[start]);
    for (int k = 0; k < 3; k++) y[k] = rt_plus(c, rt_plain(k == start), rt_times(c, along, z[k]));
    rt_numbers_unit(c, x, y);
    rt_numbers_cross(c, y, z, x);
    for (int k = 0; k < 3; k++)
        triad[3 * k] = x[k], triad[3 * k + 1] = y[k], triad[3 * k + 2] = z[k];
    out->numbers = triad;
    return ROUTH_OK;
}

routh_status rt_read_axis(rt_reader *r, const rt_yaml *node, rt_axis *out)
{
    double axis[3] = {0, 0, 0};
    rt_number numbers[3];
    bool depends = false;
    char found[96];
    const int named =
        node->kind == RT_YAML_SCALAR ? values_position_of(node->text, rt_axis_names) : -1;
    if (named >= 0) {
        axis[named % 3] = named < 3 ? 1 : -1;
    } else if (node->kind == RT_YAML_LIST && node->count == 3) {
        const routh_status status = rt_read_numbers(r, node, "axis", 3, numbers);
        if (status) return status;
        rt_numbers_values(axis, numbers, 3);
        for (int k = 0; k < 3; k++) depends = depends || numbers[k].expr >= 0;
    } else {
        return rt_reader_fail(r, node->place,
                              "axis must be x, y, z, -x, -y, -z or a list of 3 numbers, not %s",
                              rt_yaml_describe(node, found, sizeof found));
    }
    const double length = rt_v3_norm(axis);
    if (!(length > 0) || !isfinite(length))
        return rt_reader_fail(r, node->place, "axis has %s length; it must have a direction",
                              length > 0 ? "an infinite" : "zero");
    rt_triad_of_axis(axis, out->triad);
    out->numbers = NULL;
    return depends ? triad_of_numbers(r, numbers, out) : ROUTH_OK;
}

/* ---- words ----------------------------------------------------------------------------------- */

static routh_status read_word(rt_reader *r, const rt_yaml *node, const char *what, rt_word *out)
{
    char found[96];
    if (node->kind != RT_YAML_SCALAR || !node->text[0] || rt_yaml_is_null(node))
        return rt_reader_fail(r, node->place, "%s must be a name, not %s", what,
                              rt_yaml_describe(node, found, sizeof found));
    *out = (rt_word){node->text, node->place};
    return ROUTH_OK;
}

static routh_status read_between(rt_reader *r, const rt_yaml *node, rt_word out[2])
{
    char found[96];
    if (node->kind != RT_YAML_LIST || node->count != 2)
        return rt_reader_fail(r, node->place,
                              "between must be a list of two names, such as [a, b], not %s",
                              rt_yaml_describe(node, found, sizeof found));
    const routh_status status = read_word(r, node->first, "between", out);
    return status ? status : read_word(r, node->first->next, "between", out + 1);
}

static routh_status read_word_list(rt_reader *r, const rt_yaml *node, const char *what,
                                   rt_word_list *out)
{
    char found[96];
    if (node->kind != RT_YAML_LIST || node->count < 2 || node->count > 3)
        return rt_reader_fail(r, node->place, "%s must be a list of 2 or 3 names, not %s", what,
                              rt_yaml_describe(node, found, sizeof found));
    routh_status status = ROUTH_OK;
    out->n = 0;
    for (const rt_yaml *entry = node->first; entry && !status; entry = entry->next)
        status = read_word(r, entry, what, &out->words[out->n++]);
    return status;
}

static routh_status find_choice(rt_reader *r, rt_word word, const rt_field *field, int *out)
{
    char hint[128], all[400];
    *out = values_position_of(word.text, field->choices);
    if (*out >= 0) return ROUTH_OK;
    return rt_reader_fail(r, word.place, "%s is '%.60s', which is not one of %s%s", field->name,
                          word.text, values_join(field->choices, all, sizeof all),
                          rt_did_you_mean(word.text, field->choices, hint, sizeof hint));
}

static routh_status read_choice(rt_reader *r, const rt_yaml *node, const rt_field *field, int *out)
{
    rt_word word;
    const routh_status status = read_word(r, node, field->name, &word);
    return status ? status : find_choice(r, word, field, out);
}

static routh_status read_choices(rt_reader *r, const rt_yaml *node, const rt_field *field,
                                 rt_word_list *out)
{
    routh_status status = read_word_list(r, node, field->name, out);
    for (int k = 0; k < out->n && !status; k++)
        status = find_choice(r, out->words[k], field, &out->choice[k]);
    return status;
}

/* ---- fields ---------------------------------------------------------------------------------- */

static routh_status values_read_text(rt_reader *r, const rt_yaml *node, const char *what,
                                     const char **out)
{
    char found[96];
    if (node->kind != RT_YAML_SCALAR || rt_yaml_is_null(node))
        return rt_reader_fail(r, node->place, "%s must be text, not %s", what,
                              rt_yaml_describe(node, found, sizeof found));
    *out = rt_arena_text(&r->model->arena, node->text, strlen(node->text));
    return *out ? ROUTH_OK : rt_fail_memory(r->error);
}

/* As YAML 1.2 has it: text in quotes is text. */
static routh_status read_truth(rt_reader *r, const rt_yaml *node, const char *what, bool *out)
{
    static const char *const words[] = {"false", "False", "FALSE", "true", "True", "TRUE", NULL};
    char found[96];
    const int k =
        node->kind == RT_YAML_SCALAR && !node->quoted ? values_position_of(node->text, words) : -1;
    if (k < 0)
        return rt_reader_fail(r, node->place, "%s must be true or false, without quotes, not %s",
                              what, rt_yaml_describe(node, found, sizeof found));
    *out = k >= 3;
    return ROUTH_OK;
}

static routh_status expect_mapping(rt_reader *r, const rt_yaml *node, const char *what)
{
    char found[96];
    if (node->kind == RT_YAML_MAPPING) return ROUTH_OK;
    return rt_reader_fail(r, node->place, "%s must be a mapping, lines of `name: value`, not %s",
                          what, rt_yaml_describe(node, found, sizeof found));
}

static routh_status read_field(rt_reader *r, const rt_field *field, const rt_yaml *node,
                               void *target)
{
    void *out = (char *)target + field->offset;
    rt_given inside;
    switch (field->type) {
    case RT_FIELD_TYPE: return ROUTH_OK;
    case RT_FIELD_TEXT: return values_read_text(r, node, field->name, out);
    case RT_FIELD_TRUTH: return read_truth(r, node, field->name, out);
    case RT_FIELD_CHOICE: return read_choice(r, node, field, out);
    case RT_FIELD_CHOICES: return read_choices(r, node, field, out);
    case RT_FIELD_NUMBER: return rt_read_number(r, node, field->name, field->range, out);
    case RT_FIELD_COUNT: return read_count(r, node, field->name, field->range, out);
    case RT_FIELD_VECTOR: return rt_read_numbers(r, node, field->name, 3, out);
    case RT_FIELD_VECTOR6: return rt_read_numbers(r, node, field->name, 6, out);
    case RT_FIELD_MATRIX6: return read_matrix6(r, node, field->name, out);
    case RT_FIELD_RATIOS: return read_ratios(r, node, field->name, out);
    case RT_FIELD_INERTIA: return read_inertia(r, node, out);
    case RT_FIELD_ORIENTATION: return rt_read_orientation(r, node, out);
    case RT_FIELD_AXIS: return rt_read_axis(r, node, out);
    case RT_FIELD_TRIPLE: return read_triple(r, node, field->name, out);
    case RT_FIELD_WORD:
    case RT_FIELD_BODY:
    case RT_FIELD_MARKER:
    case RT_FIELD_JOINT: return read_word(r, node, field->name, out);
    case RT_FIELD_BETWEEN: return read_between(r, node, out);
    case RT_FIELD_JOINTS: return read_word_list(r, node, field->name, out);
    case RT_FIELD_GROUP:
        return rt_read_fields(r, rt_section_kind(field->inside, 0), node, target, &inside);
    case RT_FIELD_PARAMETERS:
    case RT_FIELD_SECTION:
        *(const rt_yaml **)out = node;
        return expect_mapping(r, node, field->name);
    case RT_FIELD_FUNCTION:
    case RT_FIELD_FUNCTIONS:
    case RT_FIELD_SOME_FUNCTIONS:
    case RT_FIELD_ANY_FUNCTIONS:
    case RT_FIELD_PROFILE:
    case RT_FIELD_LIST:
    case RT_FIELD_MATRIX:
    case RT_FIELD_NAMES:
    case RT_FIELD_TABLE:
    case RT_FIELD_SIGNALS:
    case RT_FIELD_NODE:
    case RT_FIELD_NODES:
    case RT_FIELD_STATES: *(const rt_yaml **)out = node; return ROUTH_OK;
    }
    return ROUTH_OK;
}

static int field_index(const rt_kind *kind, const char *name)
{
    for (int k = 0; k < kind->n_fields; k++)
        if (!strcmp(kind->fields[k].name, name)) return k;
    return -1;
}

static routh_status fail_unknown_field(rt_reader *r, const rt_kind *kind, const rt_yaml *entry)
{
    const char *names[33];
    char hint[128], all[500];
    const bool typed = kind->fields[0].type == RT_FIELD_TYPE;
    for (int k = 0; k < kind->n_fields; k++) names[k] = kind->fields[k].name;
    names[kind->n_fields] = NULL;
    rt_did_you_mean(entry->key, names, hint, sizeof hint);
    return rt_reader_fail(r, entry->key_place, "'%.60s' is not a field of %s%s%s%s%s", entry->key,
                          typed ? "the type " : "", kind->name, hint,
                          hint[0] ? " Its fields are " : "; its fields are ",
                          values_join(names, all, sizeof all));
}

static routh_status check_beside(rt_reader *r, const rt_kind *kind, const rt_yaml *node,
                                 rt_given given)
{
    for (int k = 0; k < kind->n_fields; k++) {
        const rt_field *f = &kind->fields[k];
        const bool is_given = given >> k & 1u;
        if (f->required && !is_given)
            return rt_reader_fail(r, node->key ? node->key_place : node->place,
                                  "%s is missing: %.200s", f->name, f->doc);
        if (!is_given) continue;
        const rt_place place = rt_yaml_find(node, f->name)->key_place;
        if (f->excludes && rt_is_given(kind, given, f->excludes))
            return rt_reader_fail(r, place, "%s and %s are both given; give one of them", f->name,
                                  f->excludes);
        if (f->needs && !rt_is_given(kind, given, f->needs))
            return rt_reader_fail(r, place, "%s is given without %s; give both", f->name, f->needs);
    }
    return ROUTH_OK;
}

static routh_status check_one_of(rt_reader *r, const rt_kind *kind, const rt_yaml *node,
                                 rt_given given)
{
    char all[200];
    if (!kind->one_of[0]) return ROUTH_OK;
    for (int k = 0; kind->one_of[k]; k++)
        if (rt_is_given(kind, given, kind->one_of[k])) return ROUTH_OK;
    return rt_reader_fail(r, node->key ? node->key_place : node->place,
                          "one of these must be given: %s",
                          values_join(kind->one_of, all, sizeof all));
}

routh_status rt_read_fields(rt_reader *r, const rt_kind *kind, const rt_yaml *node, void *target,
                            rt_given *given)
{
    *given = 0;
    const char *what = node->key ? node->key : "the file";
    if (node->kind == RT_YAML_SCALAR && kind->n_fields > 0 && !strcmp(kind->fields[0].name, "type"))
        return rt_reader_fail(r, node->place, "%s must be a mapping, such as {type: %.40s}", what,
                              node->text[0] ? node->text : "..");
    routh_status status = expect_mapping(r, node, what);
    if (status) return status;
    for (const rt_yaml *entry = node->first; entry; entry = entry->next) {
        const int k = field_index(kind, entry->key);
        if (k < 0) return fail_unknown_field(r, kind, entry);
        if (rt_yaml_is_null(entry))
            return rt_reader_fail(r, entry->key_place,
                                  "%s has no value; give one or remove the line", entry->key);
        const bool before = r->values_only;
        r->values_only = before && !kind->fields[k].moves;
        status = read_field(r, &kind->fields[k], entry, target);
        r->values_only = before;
        if (status) return status;
        *given |= 1u << k;
    }
    status = check_beside(r, kind, node, *given);
    return status ? status : check_one_of(r, kind, node, *given);
}

routh_status rt_read_entry(rt_reader *r, const rt_section *section, const rt_yaml *node,
                           void *target, rt_given *given)
{
    const rt_kind *kind = rt_section_kind(section, 0);
    if (node->kind == RT_YAML_MAPPING || !section->shorthand)
        return rt_read_fields(r, kind, node, target, given);
    if (rt_yaml_is_null(node))
        return rt_reader_fail(r, node->key_place, "%.60s has no value; give one or remove the line",
                              node->key);
    const int k = field_index(kind, section->shorthand);
    *given = 1u << k;
    return read_field(r, &kind->fields[k], node, target);
}

routh_status rt_read_type(rt_reader *r, const rt_section *section, const rt_yaml *node,
                          const rt_kind **kind)
{
    char hint[128], all[500];
    const char *names[33];
    routh_status status = expect_mapping(r, node, node->key);
    if (status) return status;
    for (int k = 0; k < section->n_kinds; k++) names[k] = rt_section_kind(section, k)->name;
    names[section->n_kinds] = NULL;
    const rt_yaml *type = rt_yaml_find(node, "type");
    if (!type && section->optional_type) {
        *kind = rt_section_kind(section, 0);
        return ROUTH_OK;
    }
    if (!type)
        return rt_reader_fail(r, node->key_place, "type is missing; it is one of %s",
                              values_join(names, all, sizeof all));
    rt_word word;
    status = read_word(r, type, "type", &word);
    if (status) return status;
    const int k = values_position_of(word.text, names);
    rt_did_you_mean(word.text, names, hint, sizeof hint);
    if (k < 0)
        return rt_reader_fail(
            r, word.place, "'%.60s' is not a type of %s%s%s%s", word.text, section->element, hint,
            hint[0] ? " The types are " : "; the types are ", values_join(names, all, sizeof all));
    *kind = rt_section_kind(section, k);
    return ROUTH_OK;
}
