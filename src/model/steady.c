/* What the file says of a steady motion: its axis and rate, bodies that spin, measures with a
 * value, inputs that are free, states of controllers that drift. */
#include <math.h>
#include <string.h>

#include "model/reader.h"

static int steady_count_of(const rt_yaml *section) { return section ? section->count : 0; }

static const rt_yaml *steady_first_of(const rt_yaml *section)
{
    return section ? section->first : NULL;
}

static bool steady_take_tables(rt_reader *r, const rt_written_steady *w)
{
    rt_steady *s = &r->model->steady;
    rt_arena *a = &r->model->arena;
    s->spins = RT_TAKE(a, rt_spin, steady_count_of(w->spins));
    s->prescribed = RT_TAKE(a, rt_prescription, steady_count_of(w->prescribed));
    s->free = RT_TAKE(a, int, steady_count_of(w->free));
    s->drifting = RT_TAKE(a, int, steady_count_of(w->drifting));
    return s->spins && s->prescribed && s->free && s->drifting;
}

/* The z axis of a triad, which is the axis that was written. */
static void steady_take_axis(const rt_axis *written, double axis[3], rt_expr expr[3])
{
    for (int k = 0; k < 3; k++) {
        axis[k] = written->triad[3 * k + 2];
        expr[k] = written->numbers ? written->numbers[3 * k + 2].expr : RT_NO_EXPR;
    }
}

static routh_status read_spin(rt_reader *r, const rt_yaml *entry, rt_spin *spin)
{
    rt_written_spin written = {.rate = rt_plain(NAN)};
    rt_given given;
    char hint[128];
    routh_status status = rt_read_entry(r, &rt_spin_section, entry, &written, &given);
    if (status) return status;
    const int body = rt_find_named_body(r, entry->key);
    if (body < 0) {
        const char **names = RT_TAKE(&r->scratch, const char *, r->model->n_bodies + 1);
        for (int k = 0; names && k < r->model->n_bodies; k++) names[k] = r->model->bodies[k].name;
        return rt_reader_fail(r, entry->key_place,
                              "body '%.60s' is not defined%s; spins are written under the names of "
                              "the bodies that rotate",
                              entry->key, rt_did_you_mean(entry->key, names, hint, sizeof hint));
    }
    if (r->model->bodies[body].flexible)
        return rt_reader_fail(r, entry->key_place,
                              "'%.60s' is a flexible body; spins are those of rigid bodies",
                              entry->key);
    *spin = (rt_spin){.body = body,
                      .place = entry->key_place,
                      .rate = written.rate,
                      .rate_given = !isnan(written.rate.value)};
    steady_take_axis(&written.axis, spin->axis, spin->axis_expr);
    return ROUTH_OK;
}

static routh_status read_prescription(rt_reader *r, const rt_yaml *entry, rt_prescription *p)
{
    rt_written_signal written = {.value = rt_plain(0)};
    rt_given given;
    routh_status status = rt_check_name(r, entry);
    if (!status) status = rt_read_entry(r, &rt_prescribed_section, entry, &written, &given);
    if (status) return status;
    *p = (rt_prescription){.name = rt_arena_text(&r->model->arena, entry->key, strlen(entry->key)),
                           .place = entry->key_place,
                           .unit = written.unit ? written.unit : "",
                           .value = written.value};
    if (!p->name) return rt_fail_memory(r->error);
    const routh_status read =
        rt_read_function(r, written.function, "expression", RT_ALLOW_ALL, &p->measure);
    if (!read) rt_check_signal_unit(r, written.unit);
    return read;
}

/* ---- names of signals ------------------------------------------------------------------------ */

static const char *const *steady_names_of(rt_reader *r, rt_quantity_kind kind)
{
    const struct rt_model_index *x = r->index;
    const char **names = RT_TAKE(&r->scratch, const char *, x->n_named + 1);
    int n = 0;
    for (int k = 0; names && k < x->n_named; k++)
        if (x->named[k].kind == kind && x->named[k].index >= 0) names[n++] = x->named[k].name;
    return names;
}

static routh_status steady_find_signal(rt_reader *r, const rt_yaml *entry, const char *what,
                                       rt_quantity_kind kind, int *index)
{
    char found[96], hint[128];
    const char *kinds =
        kind == RT_QUANTITY_INPUT ? "an input or a parameter" : "a state of a controller";
    if (entry->kind != RT_YAML_SCALAR || rt_yaml_is_null(entry) || !entry->text[0])
        return rt_reader_fail(r, entry->place, "%s: it must be a name of %s, not %s", what, kinds,
                              rt_yaml_describe(entry, found, sizeof found));
    const int parameter = rt_names_find(&r->index->parameters, entry->text);
    if (kind == RT_QUANTITY_INPUT && parameter >= 0) {
        *index = rt_input_of_parameter(r, parameter);
        return ROUTH_OK;
    }
    const int k = rt_names_find(&r->index->signals, entry->text);
    if (k >= 0 && r->index->named[k].kind == kind && r->index->named[k].index >= 0) {
        *index = r->index->named[k].index;
        return ROUTH_OK;
    }
    if (k >= 0 && r->index->named[k].index >= 0)
        return rt_reader_fail(r, entry->place, "%s: '%.60s' is %s; what may stand here is %s", what,
                              entry->text, r->index->named[k].what, kinds);
    return rt_reader_fail(
        r, entry->place, "%s: %s '%.60s' is not defined%s", what,
        kind == RT_QUANTITY_INPUT ? "input" : "state of a controller", entry->text,
        rt_did_you_mean(entry->text, steady_names_of(r, kind), hint, sizeof hint));
}

static routh_status read_signals(rt_reader *r, const rt_yaml *list, const char *what,
                                 rt_quantity_kind kind, int *out, int *n)
{
    char found[96];
    if (!list) return ROUTH_OK;
    if (list->kind != RT_YAML_LIST)
        return rt_reader_fail(r, list->place, "%s must be a list of names, such as [a, b], not %s",
                              what, rt_yaml_describe(list, found, sizeof found));
    for (const rt_yaml *entry = list->first; entry; entry = entry->next) {
        const routh_status status = steady_find_signal(r, entry, what, kind, &out[*n]);
        if (status) return status;
        for (int k = 0; k < *n; k++)
            if (out[k] == out[*n])
                return rt_reader_fail(r, entry->place, "%s: '%.60s' is given twice", what,
                                      entry->text);
        ++*n;
    }
    return ROUTH_OK;
}

/* ---- the section ----------------------------------------------------------------------------- */

routh_status rt_read_steady(rt_reader *r, const rt_written_model *written)
{
    const rt_written_steady *w = &written->steady;
    rt_steady *s = &r->model->steady;
    routh_status status = steady_take_tables(r, w) ? ROUTH_OK : rt_fail_memory(r->error);
    rt_reader_element(r, "", "steady");
    steady_take_axis(&w->axis, s->axis, s->axis_expr);
    s->turn_rate = w->turn_rate;
    s->turn_rate_given = !isnan(w->turn_rate.value);
    s->accelerated = w->accelerated;
    r->function_load = -1;
    for (const rt_yaml *entry = steady_first_of(w->spins); entry && !status; entry = entry->next) {
        rt_reader_element(r, "spin", entry->key);
        status = read_spin(r, entry, &s->spins[s->n_spins++]);
    }
    for (const rt_yaml *entry = steady_first_of(w->prescribed); entry && !status;
         entry = entry->next) {
        rt_reader_element(r, "prescription", entry->key);
        status = read_prescription(r, entry, &s->prescribed[s->n_prescribed++]);
    }
    rt_reader_element(r, "steady", "");
    if (!status) status = read_signals(r, w->free, "free", RT_QUANTITY_INPUT, s->free, &s->n_free);
    if (!status)
        status = read_signals(r, w->drifting, "drifting", RT_QUANTITY_STATE, s->drifting,
                              &s->n_drifting);
    return status;
}
