/* Signals that pass between files in units of their own: it must be known what they are of. */
#include "model/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *last_of_name(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

/* ---- what a signal is of --------------------------------------------------------------------- */

/* By the unit that its file names, which must be the one that its numbers are in. Memory that is
 * short is what the calculator fails by. */
static bool take_label(rt_reader *r, const rt_signal_name *signal, rt_dimension *of, char *problem)
{
    char text[RT_UNITS_TEXT];
    rt_unit unit;
    bool is_unit;
    if (!signal->unit || !signal->unit[0]) return true;
    if (rt_unit_listed(signal->unit, &unit, &is_unit)) r->calculator.failed = true;
    if (r->calculator.failed || !is_unit) return true;
    const rt_unit own = rt_unit_in_system(signal->units, &unit);
    const rt_unit off = rt_unit_over(&unit, &own);
    of->known = true;
    of->unit = unit;
    if (fabs(rt_unit_value(&off, 1) - 1) < 1e-12) return true;
    snprintf(problem, 256,
             "'%.60s' passes between files in different units, and its unit, %.20s, is not one of "
             "its own file's, %s; name the unit that its number is in there",
             signal->name, signal->unit, rt_units_text(signal->units, text));
    return false;
}

static bool agree(const rt_signal_name *signal, const rt_dimension *one, const rt_dimension *other,
                  char *problem)
{
    char first[RT_DIMENSION_SIZE], second[RT_DIMENSION_SIZE];
    if (!one->known || !other->known || rt_unit_same_dimension(&one->unit, &other->unit))
        return true;
    snprintf(problem, 256, "'%.60s' is %.50s by its expression, and %.50s by its unit; correct one",
             signal->name, rt_dimension_describe(&one->unit, first),
             rt_dimension_describe(&other->unit, second));
    return false;
}

static bool find_dimension(rt_reader *r, const rt_signal_name *signal, rt_dimension *of,
                           char *problem)
{
    rt_dimension label = {0};
    char text[RT_UNITS_TEXT], here[RT_UNITS_TEXT];
    if (!take_label(r, signal, &label, problem)) return false;
    if (r->calculator.failed) return true;
    if (!of->known && signal->expression && !label.known)
        *of = r->dimension_of(r, signal->expression, signal->scope);
    if (!agree(signal, of, &label, problem)) return false;
    if (!of->known) *of = label;
    if (of->known) return true;
    snprintf(problem, 256,
             "'%.50s' passes between files in %s and %s, and nothing says what it is of; write its "
             "unit in the part's file: %.20s: {.., unit: ..}",
             signal->name, rt_units_text(signal->units, text),
             rt_units_text(rt_units_here(r), here), last_of_name(signal->name));
    return false;
}

/* ---- passing --------------------------------------------------------------------------------- */

bool rt_signal_in_units(rt_reader *r, const rt_signal_name *signal, rt_expr *out, char *problem)
{
    const rt_unit_system *here = rt_units_here(r);
    rt_dimension of = {0};
    if (r->measuring || rt_same_units(signal->units, here)) return true;
    if (!find_dimension(r, signal, &of, problem)) return false;
    if (!of.known) return true; /* memory is short */
    *out = rt_between_units(r->model->graph, signal->units, here, &of, *out);
    return true;
}

bool rt_function_for_signal(rt_reader *r, const rt_signal_name *signal, rt_function *f,
                            char *problem)
{
    const rt_unit_system *here = rt_units_here(r);
    rt_dimension of = r->function_dimension;
    if (rt_same_units(signal->units, here)) return true;
    if (!find_dimension(r, signal, &of, problem)) return false;
    if (!of.known) return true; /* memory is short */
    f->expr = rt_between_units(r->model->graph, here, signal->units, &of, f->expr);
    return true;
}
