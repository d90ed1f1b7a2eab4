/* What formulas of a model in units of its own, or with parts in such, are in. */
#include "symbolic/write.h"

/* The symbols of these units. */
static void append_names(const routh_symbolic *s, const rt_unit_system *units, rt_text *text)
{
    const rt_symbol *symbols;
    const int n = rt_exact_field_symbols(s->field, &symbols);
    int shown = 0;
    for (int k = 0; k < n; k++)
        if (symbols[k].kind == RT_SYMBOL_PARAMETER &&
            rt_same_units(s->model->parameters[symbols[k].parameter].units, units))
            rt_text_append(text, "%s%s", shown++ ? ", " : "; ", symbols[k].name);
}

/* Has a symbol before this one the same units? */
static bool listed_before(const routh_symbolic *s, const rt_symbol *symbols, int k)
{
    const rt_unit_system *units = s->model->parameters[symbols[k].parameter].units;
    for (int j = 0; j < k; j++)
        if (symbols[j].kind == RT_SYMBOL_PARAMETER &&
            rt_same_units(s->model->parameters[symbols[j].parameter].units, units))
            return true;
    return false;
}

static bool in_si_alone(const routh_symbolic *s)
{
    const rt_symbol *symbols;
    const int n = rt_exact_field_symbols(s->field, &symbols);
    for (int k = 0; k < n; k++)
        if (symbols[k].kind == RT_SYMBOL_PARAMETER &&
            !rt_same_units(s->model->parameters[symbols[k].parameter].units, NULL))
            return false;
    return rt_same_units(s->model->units, NULL);
}

void rt_symbolic_write_units(const routh_symbolic *s, const char *line, rt_text *text)
{
    const rt_symbol *symbols;
    const int n = rt_exact_field_symbols(s->field, &symbols);
    char units[RT_UNITS_TEXT];
    if (in_si_alone(s)) return;
    rt_text_append(text, "%s%sunits: values of the formulas in SI", line, line[0] ? " " : "");
    for (int k = 0; k < n; k++) {
        if (symbols[k].kind != RT_SYMBOL_PARAMETER || listed_before(s, symbols, k)) continue;
        const rt_unit_system *of = s->model->parameters[symbols[k].parameter].units;
        append_names(s, of, text);
        rt_text_append(text, " in %s", rt_units_text(of, units));
    }
    rt_text_append(text, "\n");
}
