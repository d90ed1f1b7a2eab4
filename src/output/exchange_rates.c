/* The states z = y - Q in' - P in with Q = B2, P = B1 + A B2 leave no rates in their equation:
 *
 *     z' = A z + (B + A P) in,    out = C z + (D + C P) in + (D1 + C Q) in' + D2 in''
 *
 * (Kailath, Linear Systems, 1980, 6.3). An output whose last two terms are not zero has no proper
 * realization. Products are summed with 106 bits, since A P may cancel B. */
#include "output/exchange_rates.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/double_double.h"

/* What rounding of D1 and B2 may leave of D1 + C B2, relative to the terms. */
static const double rounding = 1e-14;

static bool is_nonzero(const double *x, int rows, int columns)
{
    for (size_t k = 0; x && k < (size_t)rows * (size_t)columns; k++)
        if (x[k] != 0) return true;
    return false;
}

bool rt_rates_act(const routh_linear *l)
{
    const int n = l->n_states, in = l->n_inputs, out = l->n_outputs;
    return is_nonzero(l->B1, n, in) || is_nonzero(l->B2, n, in) || is_nonzero(l->D1, out, in) ||
           is_nonzero(l->D2, out, in);
}

static double rates_entry(const double *x, size_t k) { return x ? x[k] : 0; }

/* start[i] + row i of M (n columns) times column j of X (m columns) */
static rt_dd rates_product(rt_dd start, const double *row, const rt_dd *X, int n, int m, int j)
{
    rt_dd sum = start;
    for (int k = 0; k < n; k++)
        sum = rt_dd_fma(sum, rt_dd_of(row[k]), X[(size_t)k * (size_t)m + (size_t)j]);
    return sum;
}

/* Q and P, of n_states x n_inputs each, one behind the other. */
static rt_dd *rates_steps(rt_record *record, const routh_linear *l, routh_error *error)
{
    const size_t n = (size_t)l->n_states, m = (size_t)l->n_inputs;
    rt_dd *Q = RT_TAKE(&record->arena, rt_dd, 2 * n * m), *P = Q ? Q + n * m : NULL;
    if (!Q) {
        rt_fail_memory(error);
        return NULL;
    }
    for (size_t k = 0; k < n * m; k++) Q[k] = rt_dd_of(rates_entry(l->B2, k));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++)
            P[i * m + j] = rates_product(rt_dd_of(rates_entry(l->B1, i * m + j)), l->A + i * n, Q,
                                         l->n_states, l->n_inputs, (int)j);
    return Q;
}

/* Does output i have a rate of input j that no choice of states takes away? */
static bool feels_rate(const routh_linear *l, int i, int j)
{
    const size_t n = (size_t)l->n_states, m = (size_t)l->n_inputs;
    const size_t at = (size_t)i * m + (size_t)j;
    rt_dd rest = rt_dd_of(rates_entry(l->D1, at));
    double size = fabs(rest.high);
    for (size_t k = 0; k < n; k++) {
        const double c = l->C[(size_t)i * n + k], q = rates_entry(l->B2, k * m + (size_t)j);
        rest = rt_dd_fma(rest, rt_dd_of(c), rt_dd_of(q));
        size += fabs(c * q);
    }
    return rates_entry(l->D2, at) != 0 || fabs(rest.high) > rounding * size;
}

int routh_linear_improper(const routh_linear *l, int *output, int *input)
{
    for (int i = 0; i < l->n_outputs; i++)
        for (int j = 0; j < l->n_inputs; j++)
            if (feels_rate(l, i, j)) {
                *output = i, *input = j;
                return 1;
            }
    return 0;
}

routh_status rt_rates_note(rt_record *record, const routh_linear *l, routh_error *error)
{
    char text[1024];
    int i, j,
        n = snprintf(text, sizeof text,
                     "The states of A, B and C are y - (B1 + A B2) in - B2 in' (names with "
                     "~), which needs no rates of inputs; y itself is that of `rates`.");
    if (routh_linear_improper(l, &i, &j))
        n += snprintf(text + n, sizeof text - (size_t)n,
                      " There is no D, since the output %.200s is given by a rate of the input "
                      "%.200s, which no state-space model has: save with --derivatives inputs, or "
                      "leave the output out.",
                      l->outputs[i].name, l->inputs[j].name);
    rt_value *v = rt_record_add(record, "rates.note", RT_TEXTS, 0, 1, 1, error);
    if (!v) return error->status;
    return rt_record_text(record, v, 0, text, (size_t)n, error);
}

/* ---- other states --------------------------------------------------------------------------- */

static rt_value *rates_value(rt_record *record, const char *name)
{
    return (rt_value *)rt_record_find(record, name);
}

static void rates_remove(rt_record *record, const char *name)
{
    const rt_value *v = rt_record_find(record, name);
    if (!v) return;
    const int k = (int)(v - record->values);
    memmove(&record->values[k], &record->values[k + 1],
            (size_t)(record->n - k - 1) * sizeof *record->values);
    record->n--;
}

/* start + M P, M of n columns, in place of the value's numbers */
static routh_status rates_put(rt_record *record, const char *name, const double *start,
                              const double *M, const rt_dd *P, const routh_linear *l,
                              routh_error *error)
{
    rt_value *v = rates_value(record, name);
    const size_t n = (size_t)l->n_states, m = (size_t)l->n_inputs;
    double *to = v ? RT_TAKE(&record->arena, double, rt_value_count(v)) : NULL;
    if (!v) return ROUTH_OK;
    if (!to) return rt_fail_memory(error);
    for (size_t i = 0; i < v->rows; i++)
        for (size_t j = 0; j < m; j++)
            to[i * m + j] =
                rt_dd_round(rates_product(rt_dd_of(rates_entry(start, i * m + j)), M + i * n, P,
                                          l->n_states, l->n_inputs, (int)j));
    v->reals = to;
    return ROUTH_OK;
}

/* "wheel.z~": a state that is not the one of that name. */
static routh_status rates_rename(rt_record *record, const rt_dd *Q, const routh_linear *l,
                                 routh_error *error)
{
    rt_value *v = rates_value(record, "states");
    const size_t n = (size_t)l->n_states, m = (size_t)l->n_inputs;
    routh_status status = ROUTH_OK;
    for (size_t i = 0; i < n && !status; i++) {
        bool moved = false;
        for (size_t j = 0; j < m; j++)
            moved |= Q[i * m + j].high != 0 || Q[n * m + i * m + j].high != 0;
        if (!moved) continue;
        char name[512];
        snprintf(name, sizeof name, "%.500s~", l->states[i].name);
        status = rt_record_text(record, v, i, name, strlen(name), error);
    }
    return status;
}

routh_status rt_rates_realize(rt_record *record, const routh_linear *l, routh_error *error)
{
    int i, j;
    const rt_dd *Q = rates_steps(record, l, error);
    if (!Q) return error->status;
    const rt_dd *P = Q + (size_t)l->n_states * (size_t)l->n_inputs;
    routh_status status = rates_put(record, "B", l->B, l->A, P, l, error);
    if (!status && l->n_outputs) status = rates_put(record, "D", l->D, l->C, P, l, error);
    if (!status) status = rates_rename(record, Q, l, error);
    if (!status && routh_linear_improper(l, &i, &j)) rates_remove(record, "D");
    return status;
}

/* ---- inputs of their own -------------------------------------------------------------------- */

/* Which columns there are: of in, and of those in' and in'' that act. */
typedef struct rates_columns {
    int n;
    int *input, *order;
} rates_columns;

static bool column_acts(const double *x, int rows, int columns, int j)
{
    for (int i = 0; x && i < rows; i++)
        if (x[(size_t)i * (size_t)columns + (size_t)j] != 0) return true;
    return false;
}

static routh_status rates_choose(rates_columns *c, rt_record *record, const routh_linear *l,
                                 routh_error *error)
{
    const int m = l->n_inputs;
    const double *const B[] = {l->B, l->B1, l->B2}, *const D[] = {l->D, l->D1, l->D2};
    c->n = 0;
    c->input = RT_TAKE(&record->arena, int, 3 * (size_t)m);
    c->order = RT_TAKE(&record->arena, int, 3 * (size_t)m);
    if (!c->input || !c->order) return rt_fail_memory(error);
    for (int order = 0; order < 3; order++)
        for (int j = 0; j < m; j++) {
            if (order && !column_acts(B[order], l->n_states, m, j) &&
                !column_acts(D[order], l->n_outputs, m, j))
                continue;
            c->input[c->n] = j;
            c->order[c->n++] = order;
        }
    return ROUTH_OK;
}

static routh_status rates_widen(rt_record *record, const char *name, const double *const from[3],
                                const rates_columns *c, int m, routh_error *error)
{
    rt_value *v = rates_value(record, name);
    if (!v) return ROUTH_OK;
    double *to = RT_TAKE(&record->arena, double, v->rows *(size_t)c->n);
    if (!to) return rt_fail_memory(error);
    for (size_t i = 0; i < v->rows; i++)
        for (int k = 0; k < c->n; k++)
            to[i * (size_t)c->n + (size_t)k] =
                rates_entry(from[c->order[k]], i * (size_t)m + (size_t)c->input[k]);
    v->reals = to;
    v->columns = (size_t)c->n;
    return ROUTH_OK;
}

/* "road", "road'" in "m", "m/s" */
static routh_status rates_name(rt_record *record, const char *list, const rates_columns *c,
                               const routh_linear *l, const char *const suffix[3], bool units,
                               routh_error *error)
{
    rt_value *v = rates_value(record, list);
    routh_status status = ROUTH_OK;
    if (!v) return ROUTH_OK;
    v->texts = RT_TAKE(&record->arena, char *, c->n);
    v->rows = (size_t)c->n;
    if (!v->texts) return rt_fail_memory(error);
    for (int k = 0; k < c->n && !status; k++) {
        const routh_signal_name *signal = &l->inputs[c->input[k]];
        const char *text = units ? signal->unit : signal->name;
        char whole[512];
        if (!text) text = "";
        if (units && !*text && c->order[k]) text = "1";
        snprintf(whole, sizeof whole, "%.500s%s", text, suffix[c->order[k]]);
        status = rt_record_text(record, v, (size_t)k, whole, strlen(whole), error);
    }
    return status;
}

static routh_status rates_extend_values(rt_record *record, const rates_columns *c,
                                        const routh_linear *l, routh_error *error)
{
    rt_value *v = rates_value(record, "input_values");
    if (!v) return ROUTH_OK;
    v->reals = RT_TAKE(&record->arena, double, c->n);
    v->rows = (size_t)c->n;
    if (!v->reals) return rt_fail_memory(error);
    for (int k = 0; k < c->n; k++) v->reals[k] = c->order[k] ? 0 : l->inputs[c->input[k]].value;
    return ROUTH_OK;
}

routh_status rt_rates_add_inputs(rt_record *record, const routh_linear *l, routh_error *error)
{
    static const char *const marks[] = {"", "'", "''"}, *const units[] = {"", "/s", "/s^2"};
    const double *const B[] = {l->B, l->B1, l->B2}, *const D[] = {l->D, l->D1, l->D2};
    const double *const force[] = {l->force, l->force1, l->force2};
    rates_columns c;
    routh_status status = rates_choose(&c, record, l, error);
    if (!status) status = rates_widen(record, "B", B, &c, l->n_inputs, error);
    if (!status) status = rates_widen(record, "D", D, &c, l->n_inputs, error);
    if (!status) status = rates_widen(record, "force", force, &c, l->n_inputs, error);
    if (!status) status = rates_name(record, "inputs", &c, l, marks, false, error);
    if (!status) status = rates_name(record, "input_units", &c, l, units, true, error);
    if (!status) status = rates_extend_values(record, &c, l, error);
    rates_remove(record, "force1");
    rates_remove(record, "force2");
    return status;
}
