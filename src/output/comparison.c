/* What routh compare found, for the terminal. */
#include <math.h>
#include <stdlib.h>

#include "base/eigenvalue.h"
#include "base/number.h"
#include "output/compare_fields.h"
#include "output/heading.h"

enum { NAMED_ROWS = 5 };

/* Parts smaller than this fraction of the largest are not in the table. */
static const double LEAST = 1e-6;

/* ---- table ---------------------------------------------------------------------------------- */

static void signed_text(char text[RT_NUMBER_SIZE + 1], double x, int digits)
{
    text[0] = '+';
    rt_number_text(text + (x >= 0), 0 + x, digits); /* 0 has no sign */
}

static void comparison_heading(rt_text *text, const routh_mode_pair *p)
{
    char f[3][RT_NUMBER_SIZE + 1], z[3][RT_NUMBER_SIZE + 1], overlap[RT_NUMBER_SIZE];
    double damping[2], frequency[2];
    char room[RT_UNIT_SIZE];
    const char *unit;
    const double scale = rt_unit_shown(text, "Hz", false, &unit, room);
    for (int k = 0; k < 2; k++) {
        frequency[k] = rt_undamped_hz(p->eigenvalue[k]);
        damping[k] = rt_damping_ratio(p->eigenvalue[k]);
        rt_number_text(f[k], scale * frequency[k], 7);
        rt_number_text(z[k], 0 + 100 * damping[k], 5);
    }
    signed_text(f[2], scale * p->shift.frequency_hz, 5);
    signed_text(z[2], 100 * p->shift.damping_ratio, 5);
    rt_number_text(overlap, p->overlap, 3);
    rt_text_append(
        text, "\nmode %d -> mode %d (overlap %s): %s -> %s %s (%s), damping %s -> %s %% (%s)\n",
        p->number[0], p->number[1], overlap, f[0], f[1], unit, f[2], z[0], z[1], z[2]);
}

static void line(rt_result_lines *lines, const char *name, const routh_shift *s)
{
    rt_compare_work work = {.name = name};
    rt_result_line(lines, &(rt_result_row){.of = s, .work = &work});
}

/* The parts that do most, then what all others do together. */
static void comparison_parts(rt_result_lines *lines, const routh_shift *all, char *const *names,
                             int n, int *order)
{
    routh_shift others = {0};
    int n_others = 0;
    rt_comparison_order(all, n, order);
    for (int k = 0; k < n; k++) {
        const routh_shift *s = &all[order[k]];
        const double size = rt_comparison_size(s), most = rt_comparison_size(&all[order[0]]);
        if (k < RT_COMPARE_SHOWN && !(size < LEAST * most) && size != 0) {
            line(lines, names[order[k]], s);
        } else if (size >= LEAST * most && size != 0) {
            for (int i = 0; i < 2; i++) others.eigenvalue[i] += s->eigenvalue[i];
            others.frequency_hz += s->frequency_hz, others.damping_ratio += s->damping_ratio;
            n_others++;
        }
    }
    if (n_others) line(lines, "others", &others);
}

/* Is the change more than what is left when its parts are taken away? */
static bool comparison_moves(const routh_comparison *c, int k)
{
    const routh_shift *all = c->parts + (size_t)k * (size_t)c->n_terms, *whole = &c->pairs[k].shift;
    double left[2] = {whole->eigenvalue[0], whole->eigenvalue[1]};
    for (int t = 0; t < c->n_terms; t++)
        for (int i = 0; i < 2; i++) left[i] -= all[t].eigenvalue[i];
    return rt_comparison_size(whole) > 100 * hypot(left[0], left[1]) &&
           rt_comparison_size(whole) > 0;
}

static void comparison_one_pair(rt_text *text, const routh_comparison *c, int k, int *order)
{
    static const routh_shift none = {{NAN, NAN}, NAN, NAN};
    rt_result_lines lines;
    comparison_heading(text, &c->pairs[k]);
    if (!comparison_moves(c, k)) {
        rt_text_append(text, "  does not move, but by rounding\n");
        return;
    }
    rt_result_begin(&lines, text, &rt_compare_part_table, &(rt_result_row){.of = c});
    comparison_parts(&lines, c->parts + (size_t)k * (size_t)c->n_terms, c->terms, c->n_terms,
                     order);
    if (c->n_parameters) {
        line(&lines, "by parameter", &none); /* a line of its own */
        comparison_parts(&lines, c->by_parameter + (size_t)k * (size_t)c->n_parameters,
                         c->parameters, c->n_parameters, order);
    }
    rt_result_end(&lines);
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

routh_status routh_comparison_table(const routh_comparison *c, const routh_results *a,
                                    const routh_results *b, routh_text *text, routh_error *error)
{
    int *order;
    const routh_status status = rt_comparison_check(c, a, b, &order, text, error);
    if (status) return status;
    rt_text out = {.units = a->units};
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
