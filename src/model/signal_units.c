/* The unit that is named for a signal, and what its expression is of: nothing is converted, so they
 * have to be the same. */
#include "model/read_values.h"
#include "model/scope.h"

#include <math.h>
#include <stdio.h>

static void warn_of_kind(rt_reader *r, const char *label, const rt_unit *named)
{
    char text[300], by_expression[RT_DIMENSION_SIZE], by_label[RT_DIMENSION_SIZE];
    snprintf(text, sizeof text, "it is %s, and %s by its unit, %.40s; correct one",
             rt_dimension_describe(&r->function_dimension.unit, by_expression),
             rt_dimension_describe(named, by_label), label);
    rt_warn_of_function(r, text);
}

static void warn_of_size(rt_reader *r, const char *label, double size)
{
    char text[300], units[RT_UNITS_TEXT];
    snprintf(text, sizeof text,
             "its numbers are in units of %s, and not in its unit, %.40s: nothing is converted; "
             "name the unit that they are in, or divide by %.6g",
             rt_units_text(rt_units_here(r), units), label, size);
    rt_warn_of_function(r, text);
}

void rt_check_signal_unit(rt_reader *r, const char *label)
{
    const rt_dimension *of = &r->function_dimension;
    rt_unit named;
    bool is_unit;
    if (!label || !label[0] || !of->known) return;
    if (rt_unit_listed(label, &named, &is_unit)) r->calculator.failed = true;
    if (r->calculator.failed || !is_unit) return;
    if (!rt_unit_same_dimension(&named, &of->unit)) {
        warn_of_kind(r, label, &named);
        return;
    }
    const rt_unit own = rt_unit_in_system(rt_units_here(r), &named);
    const rt_unit over = rt_unit_over(&named, &own);
    const double size = rt_unit_value(&over, 1);
    if (fabs(size - 1) > 1e-12) warn_of_size(r, label, size);
}
