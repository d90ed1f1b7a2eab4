/* Models in units of their own. Parameters and expressions are in them; what a field says becomes
 * SI where the field is read, by the field's unit. */
#include <string.h>

#include "model/read_values.h"

/* ---- `units` --------------------------------------------------------------------------------- */

/* The base unit of a name: which one it is, of length, mass, time. */
static int base_of(const char *name, rt_unit *unit)
{
    for (int k = 0; rt_base_units[k]; k++) {
        if (strcmp(rt_base_units[k], name) != 0 || !rt_unit_find(name, unit)) continue;
        return unit->powers[0] != 0 ? 0 : unit->powers[1] != 0 ? 1 : 2;
    }
    return -1;
}

static routh_status refuse_base(rt_reader *r, const rt_yaml *entry)
{
    char all[200], hint[128];
    const char *text = entry->kind == RT_YAML_SCALAR && entry->text ? entry->text : "";
    if (!strcmp(text, "rad") || !strcmp(text, "deg"))
        return rt_reader_fail(r, entry->place,
                              "units: angles of a model without a unit are in rad, as sin and cos "
                              "take them; leave '%.20s' out, and write single angles as 30 deg",
                              text);
    rt_did_you_mean(text, rt_base_units, hint, sizeof hint);
    return rt_reader_fail(r, entry->place,
                          "units: '%.40s' is not one of the units of length, mass and time that a "
                          "model may be in%s; these are %s",
                          text, hint, rt_join_words(rt_base_units, all, sizeof all));
}

static routh_status take_base(rt_reader *r, const rt_yaml *entry, rt_unit_system *system,
                              bool given[3])
{
    static const char *const of[] = {"length", "mass", "time"};
    rt_unit unit;
    const int k = entry->kind == RT_YAML_SCALAR && entry->text ? base_of(entry->text, &unit) : -1;
    if (k < 0) return refuse_base(r, entry);
    if (given[k])
        return rt_reader_fail(r, entry->place,
                              "units: '%.20s' is a second unit of %s; a model has one", entry->text,
                              of[k]);
    given[k] = true;
    system->base[k] = unit;
    return ROUTH_OK;
}

static routh_status read_system(rt_reader *r, const rt_yaml *node, rt_unit_system *system)
{
    static const char *const si[] = {"m", "kg", "s"};
    char found[96];
    bool given[3] = {false, false, false};
    routh_status status = ROUTH_OK;
    for (int k = 0; k < 3; k++) rt_unit_find(si[k], &system->base[k]);
    if (node && (node->kind != RT_YAML_LIST || node->count < 2 || node->count > 3))
        return rt_reader_fail(r, node->place,
                              "units must be a list of two or three units, of length, mass and "
                              "time, such as [mm, t, s], not %s",
                              rt_yaml_describe(node, found, sizeof found));
    for (const rt_yaml *e = node ? node->first : NULL; e && !status; e = e->next)
        status = take_base(r, e, system, given);
    return status;
}

routh_status rt_read_units(rt_reader *r, const rt_yaml *root, const rt_unit_system **units)
{
    const rt_yaml *node = root->kind == RT_YAML_MAPPING ? rt_yaml_find(root, "units") : NULL;
    *units = NULL;
    if (!node) return ROUTH_OK;
    rt_unit_system *system = RT_TAKE(&r->model->arena, rt_unit_system, 1);
    if (!system) return rt_fail_memory(r->error);
    *units = system;
    return read_system(r, node, system);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Memory that is short is what the calculator fails by. */
static bool unit_of_values(rt_reader *r, const char *text, rt_unit *unit)
{
    bool one;
    const rt_unit_system *units = rt_units_here(r);
    if (!units || !text || !text[0] || r->of_signals) return false;
    if (rt_unit_of_field_in(units, text, unit, &one)) r->calculator.failed = true;
    return !r->calculator.failed && one && rt_unit_value(unit, 1) != 1;
}

rt_number rt_number_from(rt_reader *r, const char *text, rt_number number)
{
    rt_unit unit;
    if (!unit_of_values(r, text, &unit)) return number;
    if (number.expr < 0) return rt_plain(rt_unit_value(&unit, number.value));
    return rt_times(&r->calculator, rt_plain(rt_unit_value(&unit, 1)), number);
}

routh_status rt_number_into_si(rt_reader *r, rt_number *number)
{
    *number = rt_number_from(r, r->unit, *number);
    return r->calculator.failed ? rt_fail_memory(r->error) : ROUTH_OK;
}

routh_status rt_function_into_si(rt_reader *r, rt_function *function)
{
    rt_unit unit;
    if (unit_of_values(r, r->unit, &unit))
        function->expr = rt_times_unit(r->model->graph, function->expr, &unit);
    return function->expr < 0 || r->calculator.failed ? rt_fail_memory(r->error) : ROUTH_OK;
}

routh_status rt_file_unit(rt_reader *r, rt_word file, const char *field, int of, int *written)
{
    static const char *const examples[] = {"mm", "t", "ms"};
    const rt_unit_system *units = rt_units_here(r);
    if (*written >= 0) return ROUTH_OK;
    *written = 0;
    if (!units || rt_unit_value(&units->base[of], 1) == 1) return ROUTH_OK;
    return rt_reader_fail(
        r, file.place,
        "%s is missing: in a model with `units` it says what '%.100s' is in, such "
        "as %s: %s",
        field, file.text, field, examples[of]);
}

double rt_as_written(rt_reader *r, const char *text, double value)
{
    rt_unit unit;
    return unit_of_values(r, text, &unit) ? value / rt_unit_value(&unit, 1) : value;
}

double rt_model_unit(const rt_reader *r, const char *text)
{
    rt_unit unit;
    const rt_unit_system *units = rt_units_here(r);
    if (!units) return 1;
    if (!strcmp(text, "rad")) return 1;
    unit = units->base[0]; /* "m" */
    return rt_unit_value(&unit, 1);
}

rt_expr rt_out_of_si(rt_reader *r, const char *text, rt_expr e)
{
    rt_unit unit;
    if (!unit_of_values(r, text, &unit)) return e;
    const rt_unit one = {.mantissa = 1}, out = rt_unit_over(&one, &unit);
    return rt_times_unit(r->model->graph, e, &out);
}
