#include "output/exchange_pack.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "output/exchange_fields.h"
#include "output/exchange_rates.h"
#include "output/results.h"

static const char program[] = "routh ";

routh_status rt_value_check_finite(const rt_value *value, bool may_be_infinite, routh_error *error)
{
    char place[64] = "";
    for (size_t k = 0; k < rt_value_count(value); k++) {
        const double x = value->reals[k];
        if (isfinite(x) || (may_be_infinite && x > 0)) continue;
        if (value->rank == 1) snprintf(place, sizeof place, "[%zu]", k);
        if (value->rank == 2)
            snprintf(place, sizeof place, "[%zu][%zu]", k / value->columns, k % value->columns);
        return rt_fail(error, ROUTH_NUMERIC_ERROR,
                       "%s%s is not a finite number, so this is no linear model; "
                       "look for values of the model that are far too large or too small",
                       value->name, place);
    }
    return ROUTH_OK;
}

/* Where field f of an item stands. */
static const char *exchange_pack_at(const rt_exchange_field *f, const rt_items *items, int k)
{
    return items->first + (size_t)k * items->size + f->offset;
}

/* ---- texts ---------------------------------------------------------------------------------- */

static routh_status exchange_pack_one_text(rt_record *record, rt_value *v, size_t k,
                                           const rt_exchange_field *f, const char *place,
                                           routh_error *error)
{
    const char *text, *before = f->store == RT_AS_PROGRAM ? program : "";
    if (f->store == RT_AS_SCHEMA)
        text = RT_SCHEMA;
    else if (f->store == RT_AS_KIND)
        text = rt_energy_names[*(const routh_energy_kind *)(const void *)place];
    else
        text = *(char *const *)(const void *)place;
    if (!text) text = "";
    if (!*before) return rt_record_text(record, v, k, text, strlen(text), error);
    char whole[256];
    const int n = snprintf(whole, sizeof whole, "%s%.200s", before, text);
    return rt_record_text(record, v, k, whole, n > 0 ? (size_t)n : 0, error);
}

static routh_status exchange_pack_texts(rt_record *record, const rt_exchange_field *f,
                                        const routh_linear *l, size_t rows, routh_error *error)
{
    if (f->store == RT_AS_NOTE) return rt_rates_note(record, l, error);
    rt_value *v = rt_record_add(record, f->name, RT_TEXTS, rt_field_rank(f), rows, 1, error);
    if (!v) return error ? error->status : ROUTH_OUT_OF_MEMORY;
    const rt_items items = rt_items_of(l, f->owner);
    routh_status status = ROUTH_OK;
    for (size_t k = 0; k < rows && !status; k++) {
        if (f->store == RT_BEHIND) { /* a list of texts */
            char **list = *(char ***)(void *)(items.first + f->offset);
            status = rt_record_text(record, v, k, list[k], strlen(list[k]), error);
        } else
            status =
                exchange_pack_one_text(record, v, k, f, exchange_pack_at(f, &items, (int)k), error);
    }
    return status;
}

/* ---- numbers -------------------------------------------------------------------------------- */

static void exchange_pack_gather(rt_value *v, const rt_exchange_field *f, const routh_linear *l)
{
    const rt_items items = rt_items_of(l, f->owner);
    double *to = v->reals;
    for (int k = 0; k < items.n; k++) {
        const void *from = exchange_pack_at(f, &items, k);
        const size_t n = rt_item_count(l, f, k);
        if (f->kind != RT_REALS) {
            *to = *(const int *)from;
        } else if (n) {
            memcpy(to, f->store == RT_BEHIND ? *(double *const *)from : from, n * sizeof *to);
        }
        to += n;
    }
}

/* A matrix of the model, borrowed. */
static routh_status borrow(rt_record *record, const rt_exchange_field *f, double *reals,
                           size_t rows, size_t columns, routh_error *error)
{
    if (!reals && rows * columns > 0) {
        if (f->need & RT_WHERE_SIZED)
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "the linear model has no matrix %s, so it cannot be written", f->name);
        return ROUTH_OK;
    }
    if (record->n == RT_MOST_VALUES)
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED, "there are too many members");
    record->values[record->n++] = (rt_value){.name = f->name,
                                             .kind = f->kind,
                                             .rank = rt_field_rank(f),
                                             .rows = rows,
                                             .columns = columns,
                                             .reals = reals};
    return rt_value_check_finite(&record->values[record->n - 1], f->need & RT_MAY_BE_INFINITE,
                                 error);
}

/* E = diag(I, mass, I) */
static void exchange_pack_fill_E(double *E, const routh_linear *l)
{
    const size_t n = (size_t)l->n_states, z = (size_t)l->n_position, z1 = (size_t)l->n_velocity;
    for (size_t k = 0; k < n; k++) E[k * n + k] = 1;
    for (size_t k = 0; k < z1; k++) memcpy(E + (z + k) * n + z, l->mass + k * z1, z1 * sizeof *E);
}

static routh_status exchange_pack_numbers(rt_record *record, const rt_exchange_field *f,
                                          const routh_linear *l, size_t rows, size_t columns,
                                          routh_error *error)
{
    if (f->store == RT_AS_E && !l->mass) return ROUTH_OK;
    if (f->owner == RT_OF_MODEL && f->store == RT_BEHIND)
        return borrow(record, f, *(double **)(void *)((char *)l + f->offset), rows, columns, error);
    rt_value *v = rt_record_add(record, f->name, f->kind, rt_field_rank(f), rows, columns, error);
    if (!v) return error ? error->status : ROUTH_OUT_OF_MEMORY;
    if (f->store == RT_AS_E)
        exchange_pack_fill_E(v->reals, l);
    else
        exchange_pack_gather(v, f, l);
    if ((f->need & RT_UNLESS_ZERO) && v->reals[0] == 0) record->n--;
    return rt_value_check_finite(v, f->need & RT_MAY_BE_INFINITE, error);
}

/* ---- names of rows and columns -------------------------------------------------------------- */

/* Those of the model, or of the states that need no rates of inputs. */
static const rt_value *exchange_pack_states(const rt_record *record, const rt_exchange_field *f)
{
    static const char *const realized[] = {"A", "A_rest", "A_error", "B", "C", "E", NULL};
    const rt_value *own = rt_record_find(record, "rates.states");
    for (int k = 0; realized[k]; k++)
        if (strcmp(f->name, realized[k]) == 0) own = NULL;
    return own ? own : rt_record_find(record, "states");
}

/* The names along an axis, from the texts that are in the record by now. */
static char *const *names_along(const rt_record *record, const rt_exchange_field *f,
                                rt_exchange_axis axis, int n_position)
{
    if (axis != RT_INPUTS && axis != RT_OUTPUTS && axis != RT_STATES && axis != RT_POSITION &&
        axis != RT_VELOCITY && axis != RT_CONTROL)
        return NULL;
    const rt_value *names = axis == RT_INPUTS    ? rt_record_find(record, "inputs")
                            : axis == RT_OUTPUTS ? rt_record_find(record, "outputs")
                                                 : exchange_pack_states(record, f);
    if (!names) return NULL;
    if (axis == RT_VELOCITY) return names->texts + n_position;
    return axis == RT_CONTROL ? NULL : names->texts;
}

static void name_rows_and_columns(rt_record *record, const routh_linear *l)
{
    for (int k = 0; k < record->n; k++) {
        rt_value *v = &record->values[k];
        const rt_exchange_field *f = rt_field_find(v->name);
        if (!f || v->rank != 2) continue;
        v->row_names = names_along(record, f, f->rows, l->n_position);
        v->column_names = names_along(record, f, f->columns, l->n_position);
        const rt_value *states = exchange_pack_states(record, f);
        if (f->columns == RT_CONTROL && states)
            v->column_names = states->texts + l->n_position + l->n_velocity;
    }
}

/* ---- all of it ------------------------------------------------------------------------------ */

static routh_status list_members(rt_record *record, routh_error *error)
{
    const int n = record->n;
    rt_value *v = rt_record_add(record, "members", RT_TEXTS, 1, (size_t)n, 1, error);
    if (!v) return error ? error->status : ROUTH_OUT_OF_MEMORY;
    routh_status status = ROUTH_OK;
    for (int k = 0; k < n && !status; k++) {
        const char *name = record->values[k].name;
        status = rt_record_text(record, v, (size_t)k, name, strlen(name), error);
    }
    /* behind the schema, so that it comes early */
    const rt_value list = *v;
    memmove(&record->values[2], &record->values[1], (size_t)(n - 1) * sizeof list);
    record->values[1] = list;
    return status;
}

static routh_status check_counts(const routh_linear *l, routh_error *error)
{
    if (l->n_position >= 0 && l->n_velocity >= 0 && l->n_control >= 0 && l->n_inputs >= 0 &&
        l->n_outputs >= 0 && l->n_states == l->n_position + l->n_velocity + l->n_control)
        return ROUTH_OK;
    return rt_fail(error, ROUTH_BAD_ARGUMENT,
                   "the linear model has %d states, but %d positions, %d velocities and %d of "
                   "controllers",
                   l->n_states, l->n_position, l->n_velocity, l->n_control);
}

/* Is the field left out whatever the model has in it? */
static bool is_passed_over(const rt_exchange_field *f, bool with_rates, size_t entries)
{
    return (f->need & RT_ONLY_READ) || ((f->need & RT_WITH_RATES) && !with_rates) ||
           ((f->need & RT_UNLESS_EMPTY) && entries == 0);
}

routh_status rt_record_pack(rt_record *record, const routh_linear *l, routh_derivatives derivatives,
                            bool with_list, routh_error *error)
{
    routh_error local;
    if (!error) error = &local;
    routh_status status = check_counts(l, error);
    const rt_exchange_field *f;
    const bool act = rt_rates_act(l), with_rates = act && derivatives == ROUTH_DERIVATIVES_STATES;
    for (int k = 0; (f = rt_field_at(k)) && !status; k++) {
        const size_t rows = rt_axis_size(l, f->rows), columns = rt_axis_size(l, f->columns);
        if (is_passed_over(f, with_rates, rows * columns)) continue;
        status = f->kind == RT_TEXTS ? exchange_pack_texts(record, f, l, rows, error)
                                     : exchange_pack_numbers(record, f, l, rows, columns, error);
    }
    if (!status && act)
        status =
            with_rates ? rt_rates_realize(record, l, error) : rt_rates_add_inputs(record, l, error);
    if (!status) name_rows_and_columns(record, l);
    if (!status && with_list) status = list_members(record, error);
    return status;
}
