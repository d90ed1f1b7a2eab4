#include <math.h>
#include <stdio.h>
#include <string.h>

#include "output/exchange_fields.h"
#include "output/exchange_pack.h"
#include "output/results.h"

static const char program[] = "routh ";

/* Matrices of more are indexed by int elsewhere: 46340^2 < 2^31. */
enum { MOST_STATES = 46340, MOST_ITEMS = 10000000 };

static routh_status missing(const char *name, routh_error *error)
{
    return rt_fail(error, ROUTH_MODEL_ERROR,
                   "'%s' is missing, without which this is no linear model in the form %s", name,
                   RT_SCHEMA);
}

/* ---- what form it has ----------------------------------------------------------------------- */

static routh_status exchange_unpack_check_schema(const rt_record *record, routh_error *error)
{
    const rt_value *v = rt_record_find(record, "schema");
    if (!v) return missing("schema", error);
    if (v->kind != RT_TEXTS || rt_value_count(v) != 1)
        return rt_fail(error, ROUTH_MODEL_ERROR, "'schema' is not the text %s", RT_SCHEMA);
    if (strcmp(v->texts[0], RT_SCHEMA) == 0) return ROUTH_OK;
    if (strncmp(v->texts[0], RT_SCHEMA, sizeof RT_SCHEMA - 2) == 0)
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "it is written in the form %.40s; this version reads %s", v->texts[0],
                       RT_SCHEMA);
    return rt_fail(error, ROUTH_MODEL_ERROR, "its schema is '%.60s', not %s", v->texts[0],
                   RT_SCHEMA);
}

/* Each that the file says it holds. */
static routh_status check_members(const rt_record *record, routh_error *error)
{
    const rt_value *list = rt_record_find(record, "members");
    if (!list || list->kind != RT_TEXTS) return ROUTH_OK;
    for (size_t k = 0; k < rt_value_count(list); k++)
        if (rt_field_find(list->texts[k]) && !rt_record_find(record, list->texts[k]))
            return rt_fail(
                error, ROUTH_MODEL_ERROR,
                "'%.100s' is missing, which the file says it holds: a part of it is lost",
                list->texts[k]);
    return ROUTH_OK;
}

/* ---- counts --------------------------------------------------------------------------------- */

static routh_status exchange_unpack_length_of(const rt_record *record, const char *name, int *n,
                                              routh_error *error)
{
    const rt_value *v = rt_record_find(record, name);
    *n = 0;
    if (!v) return ROUTH_OK;
    const size_t count = rt_value_count(v);
    if (count > MOST_ITEMS)
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED, "'%s' has %zu entries, more than %d", name,
                       count, MOST_ITEMS);
    *n = (int)count;
    return ROUTH_OK;
}

static routh_status whole_number(const rt_value *v, const char *name, size_t k, int *n,
                                 routh_error *error)
{
    const double x = v->reals[k];
    if (!(x >= 0 && x <= MOST_ITEMS && x == floor(x)))
        return rt_fail(error, ROUTH_MODEL_ERROR, "'%s' is %g, not a whole number from 0 to %d",
                       name, x, MOST_ITEMS);
    *n = (int)x;
    return ROUTH_OK;
}

static routh_status one_count(const rt_record *record, const char *name, int *n, bool essential,
                              routh_error *error)
{
    const rt_value *v = rt_record_find(record, name);
    *n = 0;
    if (!v) return essential ? missing(name, error) : ROUTH_OK;
    if (v->kind == RT_TEXTS || rt_value_count(v) != 1)
        return rt_fail(error, ROUTH_MODEL_ERROR, "'%s' is not one whole number", name);
    return whole_number(v, name, 0, n, error);
}

static routh_status take_counts(routh_linear *l, const rt_record *record, routh_error *error)
{
    const struct {
        const char *name;
        int *n;
    } lists[] = {
        {"states", &l->n_states},         {"inputs", &l->n_inputs},
        {"outputs", &l->n_outputs},       {"operating_point.bodies", &l->point.n_bodies},
        {"markers.names", &l->n_markers}, {"shares.names", &l->n_shares},
        {"bounds.bound", &l->n_bounds},   {"warnings", &l->n_warnings},
    };
    routh_status status =
        one_count(record, "degrees_of_freedom.position", &l->n_position, true, error);
    if (!status)
        status = one_count(record, "degrees_of_freedom.velocity", &l->n_velocity, true, error);
    if (!status)
        status = one_count(record, "degrees_of_freedom.control", &l->n_control, false, error);
    for (size_t k = 0; k < sizeof lists / sizeof *lists && !status; k++)
        status = exchange_unpack_length_of(record, lists[k].name, lists[k].n, error);
    if (status) return status;
    if (!rt_record_find(record, "states")) return missing("states", error);
    const int largest = l->n_states > l->n_inputs ? l->n_states : l->n_inputs;
    if (largest > MOST_STATES || l->n_outputs > MOST_STATES)
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED, "it has more than %d states, inputs or outputs",
                       MOST_STATES);
    if (l->n_states != l->n_position + l->n_velocity + l->n_control)
        return rt_fail(error, ROUTH_MODEL_ERROR,
                       "it names %d states, but has %d positions, %d velocities and %d of "
                       "controllers",
                       l->n_states, l->n_position, l->n_velocity, l->n_control);
    return ROUTH_OK;
}

static routh_status exchange_unpack_take_lists(rt_linear_holder *h, routh_error *error)
{
    routh_linear *l = &h->linear;
    l->states = RT_TAKE(&h->arena, routh_state_name, l->n_states);
    l->inputs = RT_TAKE(&h->arena, routh_signal_name, l->n_inputs);
    l->outputs = RT_TAKE(&h->arena, routh_signal_name, l->n_outputs);
    l->point.bodies = RT_TAKE(&h->arena, routh_body_pose, l->point.n_bodies);
    l->markers = RT_TAKE(&h->arena, routh_marker_motion, l->n_markers);
    l->shares = RT_TAKE(&h->arena, routh_energy_fraction, l->n_shares);
    l->warnings = RT_TAKE(&h->arena, char *, l->n_warnings);
    return l->states && l->inputs && l->outputs && l->point.bodies && l->markers && l->shares &&
                   l->warnings
               ? ROUTH_OK
               : rt_fail_memory(error);
}

/* ---- one member ----------------------------------------------------------------------------- */

/* Numbers for texts, or the other way round; what is empty may be either. */
static routh_status check_value(const rt_value *v, const rt_exchange_field *f, size_t rows,
                                size_t columns, routh_error *error)
{
    const size_t n = rows * columns;
    if (rt_value_count(v) != n || (n > 0 && v->rank == 2 && rt_field_rank(f) == 2 &&
                                   (v->rows != rows || v->columns != columns)))
        return rt_fail(error, ROUTH_MODEL_ERROR,
                       "'%s' has %zu x %zu entries, but %zu x %zu go with its states, inputs and "
                       "lists",
                       f->name, v->rows, v->columns, rows, columns);
    if (n > 0 && (v->kind == RT_TEXTS) != (f->kind == RT_TEXTS))
        return rt_fail(error, ROUTH_MODEL_ERROR, "'%s' holds %s where %s are wanted", f->name,
                       v->kind == RT_TEXTS ? "texts" : "numbers",
                       f->kind == RT_TEXTS ? "texts" : "numbers");
    if (n > 0 && f->kind != RT_TEXTS)
        return rt_value_check_finite(v, f->need & RT_MAY_BE_INFINITE, error);
    return ROUTH_OK;
}

static routh_status kind_of(const char *text, routh_energy_kind *kind, routh_error *error)
{
    for (int k = ROUTH_ENERGY_KINETIC; k <= ROUTH_ENERGY_DISSIPATION; k++)
        if (strcmp(text, rt_energy_names[k]) == 0) {
            *kind = (routh_energy_kind)k;
            return ROUTH_OK;
        }
    return rt_fail(error, ROUTH_MODEL_ERROR,
                   "'shares.kinds' has '%.60s'; kinds are kinetic, strain and dissipation", text);
}

static routh_status exchange_unpack_take_texts(rt_linear_holder *h, const rt_exchange_field *f,
                                               const rt_value *v, size_t rows, routh_error *error)
{
    const rt_items items = rt_items_of(&h->linear, f->owner);
    for (size_t k = 0; k < rows && f->store != RT_AS_SCHEMA; k++) {
        const char *text = v && v->texts ? v->texts[k] : "";
        char *place = f->store == RT_BEHIND
                          ? *(char **)(void *)(items.first + f->offset) + k * sizeof(char *)
                          : items.first + k * items.size + f->offset;
        if (f->store == RT_AS_KIND) {
            const routh_status status = kind_of(text, (routh_energy_kind *)(void *)place, error);
            if (status) return status;
            continue;
        }
        if (f->store == RT_AS_PROGRAM && strncmp(text, program, sizeof program - 1) == 0)
            text += sizeof program - 1;
        char *copy = rt_arena_text(&h->arena, text, strlen(text));
        if (!copy) return rt_fail_memory(error);
        *(char **)(void *)place = copy;
    }
    return ROUTH_OK;
}

/* Numbers of one item from *from, which moves on. */
static routh_status take_item(rt_linear_holder *h, const rt_exchange_field *f, const rt_value *v,
                              int k, char *place, const double **from, routh_error *error)
{
    const size_t n = rt_item_count(&h->linear, f, k);
    if (f->kind != RT_REALS) {
        int whole = 0;
        const routh_status status =
            whole_number(v, f->name, (size_t)(*from - v->reals), &whole, error);
        if (status) return status;
        *(int *)(void *)place = f->kind == RT_FLAGS ? whole != 0 : whole;
    } else {
        double *to = (double *)(void *)place;
        if (f->store == RT_BEHIND) {
            to = RT_TAKE(&h->arena, double, n);
            if (!to) return rt_fail_memory(error);
            *(double **)(void *)place = to;
        }
        if (n) memcpy(to, *from, n * sizeof *to);
    }
    *from += n;
    return ROUTH_OK;
}

static routh_status exchange_unpack_take_numbers(rt_linear_holder *h, const rt_exchange_field *f,
                                                 const rt_value *v, routh_error *error)
{
    const rt_items items = rt_items_of(&h->linear, f->owner);
    const double *from = v->reals;
    routh_status status = ROUTH_OK;
    for (int k = 0; k < items.n && !status; k++)
        status =
            take_item(h, f, v, k, items.first + (size_t)k * items.size + f->offset, &from, error);
    return status;
}

/* D of a model whose outputs have rates of inputs stands in rates.D alone. */
static bool is_beside_rates(const rt_record *record, const rt_exchange_field *f)
{
    return strcmp(f->name, "D") == 0 && rt_record_find(record, "rates.D");
}

static routh_status take_field(rt_linear_holder *h, const rt_exchange_field *f,
                               const rt_record *record, routh_error *error)
{
    const size_t rows = rt_axis_size(&h->linear, f->rows),
                 columns = rt_axis_size(&h->linear, f->columns);
    const rt_value *v = rt_record_find(record, f->name);
    if (!v) {
        const bool needed =
            (f->need & RT_ESSENTIAL) || ((f->need & RT_WHERE_SIZED) && rows * columns > 0);
        if (needed && !is_beside_rates(record, f)) return missing(f->name, error);
        return f->kind == RT_TEXTS && !(f->need & RT_WITH_RATES)
                   ? exchange_unpack_take_texts(h, f, NULL, rows, error)
                   : ROUTH_OK;
    }
    routh_status status = check_value(v, f, rows, columns, error);
    if (status) return status;
    if (f->store == RT_AS_E || f->store == RT_AS_NOTE) return ROUTH_OK;
    if (f->kind == RT_TEXTS) return exchange_unpack_take_texts(h, f, v, rows, error);
    return rows * columns > 0 || f->store == RT_BEHIND
               ? exchange_unpack_take_numbers(h, f, v, error)
               : ROUTH_OK;
}

routh_status rt_record_unpack(rt_linear_holder *h, const rt_record *record, routh_error *error)
{
    const rt_exchange_field *f;
    routh_status status = exchange_unpack_check_schema(record, error);
    if (!status) status = check_members(record, error);
    if (!status) status = take_counts(&h->linear, record, error);
    if (!status) status = exchange_unpack_take_lists(h, error);
    for (int k = 0; (f = rt_field_at(k)) && !status; k++) status = take_field(h, f, record, error);
    return status;
}
