/* Systems of units: which one a text is written in, what it makes of a quantity, and numbers that
 * pass from one to another. */
#include <math.h>
#include <stdio.h>

#include "model/parts.h"

const char *const rt_base_units[] = {"m",  "dm", "cm", "mm", "um", "km", "in",  "ft", "kg", "g",
                                     "mg", "t",  "lb", "s",  "ms", "us", "min", "h",  NULL};

static const rt_unit_system in_si = {{{1, 0, {1, 0, 0}}, {1, 0, {0, 1, 0}}, {1, 0, {0, 0, 1}}}};

static const rt_unit_system *or_si(const rt_unit_system *units) { return units ? units : &in_si; }

const rt_unit_system *rt_units_of_scope(const rt_reader *r, const rt_scope *scope)
{
    return scope && scope->file ? scope->file->units : r->model->units;
}

const rt_unit_system *rt_units_here(const rt_reader *r)
{
    return r->set_in_units ? r->set_units : rt_units_of_scope(r, r->scope);
}

bool rt_same_units(const rt_unit_system *a, const rt_unit_system *b)
{
    bool same = true;
    for (int k = 0; k < 3 && a != b; k++)
        same = same && rt_unit_value(&or_si(a)->base[k], 1) == rt_unit_value(&or_si(b)->base[k], 1);
    return same;
}

static const char *base_name(const rt_unit *base)
{
    rt_unit unit;
    for (int k = 0; rt_base_units[k]; k++)
        if (rt_unit_find(rt_base_units[k], &unit) && rt_unit_same_dimension(&unit, base) &&
            rt_unit_value(&unit, 1) == rt_unit_value(base, 1))
            return rt_base_units[k];
    return "?";
}

const char *rt_units_text(const rt_unit_system *units, char text[RT_UNITS_TEXT])
{
    const rt_unit *base = or_si(units)->base;
    snprintf(text, RT_UNITS_TEXT, "[%s, %s, %s]", base_name(&base[0]), base_name(&base[1]),
             base_name(&base[2]));
    return text;
}

/* A force of the system that has a name of its own, such as t mm/s^2; NULL: it has none. */
static const char *force_name(const rt_unit_system *units)
{
    static const rt_unit force = {1, 0, {1, 1, -2}};
    const rt_unit own = rt_unit_consistent(or_si(units), &force);
    rt_unit unit;
    for (int k = 0; rt_unit_names[k]; k++)
        if (rt_unit_find(rt_unit_names[k], &unit) && rt_unit_same_dimension(&unit, &force) &&
            fabs(rt_unit_value(&unit, 1) / rt_unit_value(&own, 1) - 1) < 1e-12)
            return rt_unit_names[k];
    return NULL;
}

/* Factors with positive powers, or the others as positive ones; how many letters. */
static int write_factors(const char *const names[4], const double powers[4], bool below, char *text,
                         int at)
{
    const int start = at;
    for (int k = 0; k < 4 && at < RT_UNIT_NAME; k++) {
        const double power = below ? -powers[k] : powers[k];
        if (!(power > 0)) continue;
        at += snprintf(text + at, (size_t)(RT_UNIT_NAME - at), "%s%s", at > start ? " " : "",
                       names[k]);
        if (power != 1 && at < RT_UNIT_NAME)
            at += snprintf(text + at, (size_t)(RT_UNIT_NAME - at), "^%g", power);
    }
    return at;
}

const char *rt_unit_name(const rt_unit_system *units, const rt_unit *of, char text[RT_UNIT_NAME])
{
    const rt_unit *base = or_si(units)->base;
    const char *force = force_name(units);
    const char *const names[4] = {force ? force : "", base_name(&base[1]), base_name(&base[0]),
                                  base_name(&base[2])};
    double powers[4] = {0, of->powers[1], of->powers[0], of->powers[2]};
    if (force && powers[1] == 1 && powers[3] < -1) { /* kg = N s^2/m */
        powers[0] = 1, powers[1] = 0;
        powers[2] -= 1, powers[3] += 2;
    }
    int n = 0, below = 0;
    for (int k = 0; k < 4; k++) below += powers[k] < 0;
    n = write_factors(names, powers, false, text, 0);
    text[n < RT_UNIT_NAME ? n : RT_UNIT_NAME - 1] = '\0';
    if (!below || n >= RT_UNIT_NAME - 8) return text;
    n +=
        snprintf(text + n, (size_t)(RT_UNIT_NAME - n), "%s/%s", n ? "" : "1", below > 1 ? "(" : "");
    n = write_factors(names, powers, true, text, n);
    if (below > 1 && n < RT_UNIT_NAME) snprintf(text + n, (size_t)(RT_UNIT_NAME - n), ")");
    return text;
}

rt_unit rt_unit_in_system(const rt_unit_system *units, const rt_unit *of)
{
    return rt_unit_consistent(or_si(units), of);
}

/* x u_from = y u_to, with u the units of what it is of: y = (u_from/u_to) x. */
rt_expr rt_between_units(rt_graph *graph, const rt_unit_system *from, const rt_unit_system *to,
                         const rt_dimension *of, rt_expr e)
{
    const rt_unit one = rt_unit_consistent(or_si(from), &of->unit);
    const rt_unit other = rt_unit_consistent(or_si(to), &of->unit);
    const rt_unit by = rt_unit_over(&one, &other);
    return rt_unit_value(&by, 1) == 1 ? e : rt_times_unit(graph, e, &by);
}

bool rt_parameter_in_units(rt_reader *r, int k, const char *name, rt_expr *out, char *problem)
{
    const rt_parameter *p = &r->model->parameters[k];
    const rt_unit_system *here = rt_units_here(r);
    char text[RT_UNITS_TEXT], other[RT_UNITS_TEXT];
    if (rt_same_units(p->units, here)) return true;
    if (!p->dimension.known) {
        snprintf(
            problem, 256,
            "the parameter '%.60s' is in units of %s and this in those of %s, and nothing says "
            "what it is of; write it with a unit in its file, such as 60 kN/m",
            name, rt_units_text(p->units, text), rt_units_text(here, other));
        return false;
    }
    *out = rt_between_units(r->model->graph, p->units, here, &p->dimension, *out);
    return true;
}
