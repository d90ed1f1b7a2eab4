/* Tables of pairs that a smooth curve goes through. */
#include "model/reader.h"

typedef struct points {
    int n;
    double *x, *y;
    rt_expr *varying; /* of y; RT_NO_EXPR */
} points;

static routh_status take_points(rt_reader *r, int n, points *p)
{
    p->n = n;
    p->x = RT_TAKE(&r->scratch, double, n);
    p->y = RT_TAKE(&r->scratch, double, n);
    p->varying = RT_TAKE(&r->scratch, rt_expr, n);
    return p->x && p->y && p->varying ? ROUTH_OK : rt_fail_memory(r->error);
}

/* Of x only the value is kept, and of what there is too much of. */
static routh_status read_pair(rt_reader *r, const rt_yaml *pair, int k, int *n_varying, points *p)
{
    rt_number number[2];
    char found[96];
    if (pair->kind != RT_YAML_LIST || pair->count != 2)
        return rt_reader_fail(r, pair->place, "table: each row must be a pair [x, y], not %s",
                              rt_yaml_describe(pair, found, sizeof found));
    routh_status status = rt_read_numbers(r, pair, "table", 2, number);
    const bool varies = number[1].expr >= 0 && *n_varying < RT_TABLE_VARYING;
    r->values_only = true;
    if (!status) status = rt_note_fixed(r, pair, "the first column of the table", number[0]);
    if (!status && !varies) status = rt_note_fixed(r, pair, "table", number[1]);
    r->values_only = false;
    if (status) return status;
    p->x[k] = number[0].value;
    p->y[k] = number[1].value;
    p->varying[k] = varies ? number[1].expr : RT_NO_EXPR;
    *n_varying += varies;
    if (k && !(p->x[k] > p->x[k - 1]))
        return rt_reader_fail(r, pair->place,
                              "table: %.6g follows %.6g; the first column must increase", p->x[k],
                              p->x[k - 1]);
    return ROUTH_OK;
}

static void turn(rt_graph *graph, points *p)
{
    for (int k = 0; k < p->n; k++) {
        p->y[k] = -p->y[k];
        if (p->varying[k] >= 0) p->varying[k] = rt_negate(graph, p->varying[k]);
    }
}

routh_status rt_read_table(rt_reader *r, const rt_yaml *table, const rt_table_use *use, rt_expr x,
                           rt_function *out)
{
    char found[96];
    points p;
    if (table->kind != RT_YAML_LIST || table->count < 2)
        return rt_reader_fail(r, table->place,
                              "table must be a list of two or more pairs, such as %s, not %s",
                              use->example, rt_yaml_describe(table, found, sizeof found));
    routh_status status = take_points(r, table->count, &p);
    int k = 0, n_varying = 0;
    for (const rt_yaml *pair = table->first; pair && !status; pair = pair->next, k++)
        status = read_pair(r, pair, k, &n_varying, &p);
    if (status) return status;
    if (use->sign < 0) turn(r->model->graph, &p);
    out->expr = rt_table_varying(r->model->graph, x, p.n, p.x, p.y, p.varying);
    out->place = table->place;
    return out->expr < 0 ? rt_fail_memory(r->error) : ROUTH_OK;
}
