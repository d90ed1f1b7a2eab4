/* Tables of pairs that a curve goes through. */
#include <stdio.h>

#include "model/reader.h"

typedef struct model_table_points {
    int n;
    double *x, *y;
    rt_expr *varying_x, *varying_y; /* RT_NO_EXPR where it does not vary */
} model_table_points;

static routh_status take_points(rt_reader *r, int n, model_table_points *p)
{
    p->n = n;
    p->x = RT_TAKE(&r->scratch, double, n);
    p->y = RT_TAKE(&r->scratch, double, n);
    p->varying_x = RT_TAKE(&r->scratch, rt_expr, n);
    p->varying_y = RT_TAKE(&r->scratch, rt_expr, n);
    return p->x && p->y && p->varying_x && p->varying_y ? ROUTH_OK : rt_fail_memory(r->error);
}

/* Of what there is too much of only the value is kept. */
static routh_status take_varying(rt_reader *r, const rt_yaml *pair, rt_number number,
                                 int *n_varying, rt_expr *varying)
{
    char what[96];
    *varying = *n_varying < RT_TABLE_VARYING ? number.expr : RT_NO_EXPR;
    *n_varying += *varying >= 0;
    if (*varying >= 0 || number.expr < 0) return ROUTH_OK;
    snprintf(what, sizeof what, "a number of the table after %d that depend on parameters",
             RT_TABLE_VARYING);
    r->values_only = true;
    const routh_status status = rt_note_fixed(r, pair, what, number);
    r->values_only = false;
    return status;
}

/* x and y, each in its unit. */
static routh_status table_read_columns(rt_reader *r, const rt_yaml *pair, const char *units,
                                       rt_number number[2])
{
    char unit[RT_LISTED_UNIT];
    const char *before = r->unit;
    routh_status status = ROUTH_OK;
    int k = 0;
    for (const rt_yaml *entry = pair->first; entry && !status; entry = entry->next, k++) {
        r->unit = rt_listed_unit(units, k, unit);
        status = rt_read_number(r, entry, "table", RT_ANY, &number[k]);
    }
    r->unit = before;
    return status;
}

static routh_status fail_order(rt_reader *r, const rt_yaml *pair, const char *units,
                               const double x[2])
{
    char unit[RT_LISTED_UNIT];
    const char *first = rt_listed_unit(units, 0, unit);
    return rt_reader_fail(r, pair->place,
                          "table: %.6g follows %.6g; the first column must increase",
                          rt_as_written(r, first, x[1]), rt_as_written(r, first, x[0]));
}

static routh_status table_read_pair(rt_reader *r, const rt_yaml *pair, int k, const char *units,
                                    int *n_varying, model_table_points *p)
{
    rt_number number[2];
    char found[96];
    if (pair->kind != RT_YAML_LIST || pair->count != 2)
        return rt_reader_fail(r, pair->place, "table: each row must be a pair [x, y], not %s",
                              rt_yaml_describe(pair, found, sizeof found));
    routh_status status = table_read_columns(r, pair, units, number);
    if (!status) status = take_varying(r, pair, number[0], n_varying, &p->varying_x[k]);
    if (!status) status = take_varying(r, pair, number[1], n_varying, &p->varying_y[k]);
    if (status) return status;
    p->x[k] = number[0].value;
    p->y[k] = number[1].value;
    return k && !(p->x[k] > p->x[k - 1]) ? fail_order(r, pair, units, &p->x[k - 1]) : ROUTH_OK;
}

static void table_turn(rt_graph *graph, model_table_points *p)
{
    for (int k = 0; k < p->n; k++) {
        p->y[k] = -p->y[k];
        if (p->varying_y[k] >= 0) p->varying_y[k] = rt_negate(graph, p->varying_y[k]);
    }
}

/* (x_k - the value of x_k) ds/dx_k: zero, with the derivative by what x_k depends on. */
static rt_expr add_moves(rt_graph *g, rt_interpolation kind, const model_table_points *p, rt_expr x,
                         rt_expr sum)
{
    for (int k = 0; k < p->n; k++) {
        if (p->varying_x[k] < 0) continue;
        const rt_expr by = rt_subtract(g, p->varying_x[k], rt_constant(g, p->x[k]));
        const rt_expr slope = rt_table_by_point(g, kind, x, p->n, p->x, p->y, k);
        sum = rt_add(g, sum, rt_multiply(g, by, slope));
    }
    return sum;
}

static rt_expr table_curve(rt_graph *g, rt_interpolation kind, const model_table_points *p,
                           rt_expr x)
{
    return add_moves(g, kind, p, x, rt_table_varying(g, kind, x, p->n, p->x, p->y, p->varying_y));
}

routh_status rt_read_table(rt_reader *r, const rt_yaml *table, const rt_table_use *use, rt_expr x,
                           rt_function *out)
{
    char found[96];
    model_table_points p;
    if (table->kind != RT_YAML_LIST || table->count < 2)
        return rt_reader_fail(r, table->place,
                              "table must be a list of two or more pairs, such as %s, not %s",
                              use->example, rt_yaml_describe(table, found, sizeof found));
    routh_status status = take_points(r, table->count, &p);
    int k = 0, n_varying = 0;
    for (const rt_yaml *pair = table->first; pair && !status; pair = pair->next, k++)
        status = table_read_pair(r, pair, k, use->units, &n_varying, &p);
    if (status) return status;
    if (use->sign < 0) table_turn(r->model->graph, &p);
    out->expr = table_curve(r->model->graph, (rt_interpolation)use->interpolation, &p, x);
    out->place = table->place;
    return out->expr < 0 ? rt_fail_memory(r->error) : ROUTH_OK;
}
