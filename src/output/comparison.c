/* What routh compare found: table and JSON (docs/reference/json.md). */
#include <math.h>
#include <stdlib.h>

#include "base/eigenvalue.h"
#include "base/number.h"
#include "output/heading.h"
#include "output/table.h"

enum { NAMED_ROWS = 5, MOST_SHOWN = 12 };

/* Parts smaller than this fraction of the largest are not in the table. */
static const double LEAST = 1e-6;

static double comparison_size_of(const routh_shift *s)
{
    return hypot(s->eigenvalue[0], s->eigenvalue[1]);
}

/* By falling size; not a number last. */
static void order_parts(const routh_shift *parts, int n, int *order)
{
    for (int k = 0; k < n; k++) {
        int at = k;
        for (; at > 0 &&
               !(comparison_size_of(&parts[order[at - 1]]) >= comparison_size_of(&parts[k]));
             at--)
            order[at] = order[at - 1];
        order[at] = k;
    }
}

/* ---- table ---------------------------------------------------------------------------------- */

static void signed_text(char text[RT_NUMBER_SIZE + 1], double x, int digits)
{
    text[0] = '+';
    rt_number_text(text + (x >= 0), 0 + x, digits); /* 0 has no sign */
}

static void signed_cell(rt_table *table, double x)
{
    char text[RT_NUMBER_SIZE + 1];
    signed_text(text, x, 5);
    rt_table_cell(table, text);
}

static void comparison_heading(rt_text *text, const routh_mode_pair *p)
{
    char f[3][RT_NUMBER_SIZE + 1], z[3][RT_NUMBER_SIZE + 1], overlap[RT_NUMBER_SIZE];
    double damping[2], frequency[2];
    for (int k = 0; k < 2; k++) {
        frequency[k] = rt_undamped_hz(p->eigenvalue[k]);
        damping[k] = rt_damping_ratio(p->eigenvalue[k]);
        rt_number_text(f[k], frequency[k], 7);
        rt_number_text(z[k], 0 + 100 * damping[k], 5);
    }
    signed_text(f[2], p->shift.frequency_hz, 5);
    signed_text(z[2], 100 * p->shift.damping_ratio, 5);
    rt_number_text(overlap, p->overlap, 3);
    rt_text_append(
        text, "\nmode %d -> mode %d (overlap %s): %s -> %s Hz (%s), damping %s -> %s %% (%s)\n",
        p->number[0], p->number[1], overlap, f[0], f[1], f[2], z[0], z[1], z[2]);
}

static void line(rt_table *table, const char *name, const routh_shift *s)
{
    rt_table_cell(table, name);
    signed_cell(table, s->frequency_hz);
    signed_cell(table, 100 * s->damping_ratio);
    signed_cell(table, s->eigenvalue[0]);
    signed_cell(table, s->eigenvalue[1]);
}

/* The parts that do most, then what all others do together. */
static void comparison_parts(rt_table *table, const routh_shift *all, char *const *names, int n,
                             int *order)
{
    routh_shift others = {0};
    int n_others = 0;
    order_parts(all, n, order);
    for (int k = 0; k < n; k++) {
        const routh_shift *s = &all[order[k]];
        if (k < MOST_SHOWN &&
            !(comparison_size_of(s) < LEAST * comparison_size_of(&all[order[0]])) &&
            comparison_size_of(s) != 0) {
            line(table, names[order[k]], s);
        } else if (comparison_size_of(s) >= LEAST * comparison_size_of(&all[order[0]]) &&
                   comparison_size_of(s) != 0) {
            for (int i = 0; i < 2; i++) others.eigenvalue[i] += s->eigenvalue[i];
            others.frequency_hz += s->frequency_hz, others.damping_ratio += s->damping_ratio;
            n_others++;
        }
    }
    if (n_others) line(table, "others", &others);
}

/* Is the change more than what is left when its parts are taken away? */
static bool comparison_moves(const routh_comparison *c, int k)
{
    const routh_shift *all = c->parts + (size_t)k * (size_t)c->n_terms, *whole = &c->pairs[k].shift;
    double left[2] = {whole->eigenvalue[0], whole->eigenvalue[1]};
    for (int t = 0; t < c->n_terms; t++)
        for (int i = 0; i < 2; i++) left[i] -= all[t].eigenvalue[i];
    return comparison_size_of(whole) > 100 * hypot(left[0], left[1]) &&
           comparison_size_of(whole) > 0;
}

static void comparison_one_pair(rt_text *text, const routh_comparison *c, int k, int *order)
{
    static const char *const heads[] = {"part", "frequency", "damping", "real part", "imaginary"},
                             *const units[] = {"", "Hz", "ratio %", "1/s", "rad/s"};
    rt_table table = {.align = "lrrrr"};
    comparison_heading(text, &c->pairs[k]);
    if (!comparison_moves(c, k)) {
        rt_text_append(text, "  does not move, but by rounding\n");
        return;
    }
    rt_table_heads(&table, heads);
    rt_table_heads(&table, units);
    comparison_parts(&table, c->parts + (size_t)k * (size_t)c->n_terms, c->terms, c->n_terms,
                     order);
    if (c->n_parameters) {
        rt_table_cell(&table, "by parameter"); /* a line of its own */
        for (int i = 0; i < 4; i++) rt_table_cell(&table, "");
        comparison_parts(&table, c->by_parameter + (size_t)k * (size_t)c->n_parameters,
                         c->parameters, c->n_parameters, order);
    }
    rt_table_write(&table, text);
}

/* Greatest closure of all pairs, and greatest part that the quadrature leaves. */
static void check_lines(rt_text *text, const routh_comparison *c)
{
    char number[RT_NUMBER_SIZE];
    double closure = 0, left = 0;
    int lost = 0;
    for (int k = 0; k < c->n_pairs; k++) {
        closure = fmax(closure, c->pairs[k].closure);
        left = fmax(left, c->pairs[k].parameters_left);
        lost += isnan(c->pairs[k].parameters_left);
    }
    rt_number_text(number, closure, 2);
    rt_heading_line(text, "parts close", "to %s of the eigenvalue and their absolute values",
                    number);
    if (!c->n_parameters) return;
    rt_number_text(number, left, 2);
    rt_heading_line(text, "parameters", "by derivatives at %d points between, which leave %s",
                    c->n_nodes, number);
    for (int p = 0; p < c->n_parameters; p++) {
        char from[RT_NUMBER_SIZE], to[RT_NUMBER_SIZE];
        rt_number_text(from, c->values[0][p], 8);
        rt_number_text(to, c->values[1][p], 8);
        rt_heading_line(text, p ? "" : "which are", "%s: %s -> %s", c->parameters[p], from, to);
    }
    if (lost)
        rt_heading_line(text, "warning",
                        "%d of %d modes could not be followed from the first to the second along "
                        "the parameters",
                        lost, c->n_pairs);
}

static void alone(rt_text *text, const routh_comparison *c)
{
    for (int side = 0; side < 2; side++) {
        if (!c->n_alone[side]) continue;
        rt_text_append(text, "\nOf the %s, without a partner: mode", side ? "second" : "first");
        for (int k = 0; k < c->n_alone[side]; k++)
            rt_text_append(text, "%s %d", k ? "," : "", c->alone[side][k]);
        rt_text_append(text, ".\n");
    }
}

static routh_status comparison_check(const routh_comparison *c, const routh_results *a,
                                     const routh_results *b, int **order, routh_text *text,
                                     routh_error *error)
{
    *text = (routh_text){0};
    if (!c) return rt_fail(error, ROUTH_BAD_ARGUMENT, "there is no comparison to show");
    routh_status status = rt_results_check(a, RT_NEED_LINEAR | RT_NEED_MODES, error);
    if (!status) status = rt_results_check(b, RT_NEED_LINEAR | RT_NEED_MODES, error);
    if (status) return status;
    *order = calloc((size_t)c->n_terms + (size_t)c->n_parameters + 1, sizeof **order);
    return *order ? ROUTH_OK : rt_fail_memory(error);
}

routh_status routh_comparison_table(const routh_comparison *c, const routh_results *a,
                                    const routh_results *b, routh_text *text, routh_error *error)
{
    int *order;
    const routh_status status = comparison_check(c, a, b, &order, text, error);
    if (status) return status;
    rt_text out = {0};
    rt_text_append(&out, "The first\n");
    rt_heading(&out, a, NAMED_ROWS);
    rt_heading_warnings(&out, a);
    rt_text_append(&out, "\nThe second\n");
    rt_heading(&out, b, NAMED_ROWS);
    rt_heading_warnings(&out, b);
    rt_text_append(&out, "\n");
    check_lines(&out, c);
    for (int k = 0; k < c->n_pairs; k++) comparison_one_pair(&out, c, k, order);
    alone(&out, c);
    free(order);
    return rt_results_hand_over(&out, text, error);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static void shift_json(rt_json *json, const routh_shift *s)
{
    if (isnan(s->eigenvalue[0]))
        rt_json_null(json, "eigenvalue");
    else
        rt_json_reals(json, "eigenvalue", s->eigenvalue, 2);
    rt_json_real_or_null(json, "undamped_frequency_hz", s->frequency_hz);
    rt_json_real_or_null(json, "damping_ratio", s->damping_ratio);
}

static void parts_json(rt_json *json, const char *key, const char *of, const routh_shift *all,
                       char *const *names, int n, int most, int *order)
{
    order_parts(all, n, order);
    rt_json_array(json, key);
    for (int k = 0; k < n && k < most; k++) {
        rt_json_flat_object(json, NULL);
        rt_json_string(json, of, names[order[k]]);
        shift_json(json, &all[order[k]]);
        rt_json_end(json);
    }
    rt_json_end(json);
}

/* most: parts of a change, the largest. */
static void pair_json(rt_json *json, const routh_comparison *c, int k, int most, int *order)
{
    const routh_mode_pair *p = &c->pairs[k];
    static const char *const sides[] = {"first", "second"};
    rt_json_object(json, NULL);
    for (int side = 0; side < 2; side++) {
        rt_json_flat_object(json, sides[side]);
        rt_json_int(json, "mode", p->mode[side]);
        rt_json_int(json, "number", p->number[side]);
        rt_json_reals(json, "eigenvalue", p->eigenvalue[side], 2);
        rt_json_end(json);
    }
    rt_json_real(json, "overlap", p->overlap);
    rt_json_flat_object(json, "change");
    shift_json(json, &p->shift);
    rt_json_end(json);
    rt_json_real(json, "closure", p->closure);
    parts_json(json, "parts", "term", c->parts + (size_t)k * (size_t)c->n_terms, c->terms,
               c->n_terms, most, order);
    if (c->n_parameters) {
        rt_json_real_or_null(json, "parameters_left", p->parameters_left);
        parts_json(json, "by_parameter", "parameter",
                   c->by_parameter + (size_t)k * (size_t)c->n_parameters, c->parameters,
                   c->n_parameters, most, order);
    }
    rt_json_end(json);
}

static void side_json(rt_json *json, const char *key, const routh_results *r,
                      const routh_comparison *c, int side)
{
    rt_json_object(json, key);
    rt_json_origin(json, r);
    rt_json_method(json, r);
    rt_json_warnings(json, r, NULL);
    rt_json_flat_object(json, "parameters");
    for (int p = 0; p < c->n_parameters; p++)
        rt_json_real(json, c->parameters[p], c->values[side][p]);
    rt_json_end(json);
    rt_json_array(json, "alone");
    for (int k = 0; k < c->n_alone[side]; k++) rt_json_int(json, NULL, c->alone[side][k]);
    rt_json_end(json);
    rt_json_end(json);
}

void rt_json_report_comparison(rt_json *json, const routh_results *results, int *order)
{
    const routh_comparison *c = results->comparison;
    rt_json_string(json, "title", rt_results_title(results->second));
    rt_json_string(json, "file", rt_results_file(results->second));
    rt_json_array(json, "parameters");
    for (int p = 0; p < c->n_parameters; p++) {
        rt_json_flat_object(json, NULL);
        rt_json_string(json, "name", c->parameters[p]);
        rt_json_real(json, "first", c->values[0][p]);
        rt_json_real(json, "second", c->values[1][p]);
        rt_json_end(json);
    }
    rt_json_end(json);
    rt_json_array(json, "alone");
    for (int side = 0; side < 2; side++) {
        rt_json_flat_array(json, NULL);
        for (int k = 0; k < c->n_alone[side]; k++) rt_json_int(json, NULL, c->alone[side][k]);
        rt_json_end(json);
    }
    rt_json_end(json);
    rt_json_array(json, "pairs");
    for (int k = 0; k < c->n_pairs; k++) pair_json(json, c, k, MOST_SHOWN, order);
    rt_json_end(json);
}

routh_status routh_comparison_json(const routh_comparison *c, const routh_results *a,
                                   const routh_results *b, routh_text *text, routh_error *error)
{
    int *order;
    const routh_status status = comparison_check(c, a, b, &order, text, error);
    if (status) return status;
    rt_json json = {0};
    rt_json_object(&json, NULL);
    side_json(&json, "first", a, c, 0);
    side_json(&json, "second", b, c, 1);
    rt_json_int(&json, "nodes", c->n_nodes);
    rt_json_array(&json, "pairs");
    for (int k = 0; k < c->n_pairs; k++)
        pair_json(&json, c, k, c->n_terms + c->n_parameters, order);
    rt_json_end(&json);
    rt_json_end(&json);
    free(order);
    const routh_status done = rt_json_finish(&json, error);
    return done ? done : rt_results_hand_over(&json.text, text, error);
}
