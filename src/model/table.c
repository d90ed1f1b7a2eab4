/* Tables of pairs that a smooth curve goes through. */
#include "model/reader.h"

static routh_status read_points(rt_reader *r, const rt_yaml *table, const rt_table_use *use,
                                double *xs, double *ys)
{
    int k = 0;
    char found[96];
    for (const rt_yaml *pair = table->first; pair; pair = pair->next, k++) {
        rt_number numbers[2];
        if (pair->kind != RT_YAML_LIST || pair->count != 2)
            return rt_reader_fail(r, pair->place, "table: each row must be a pair [x, y], not %s",
                                  rt_yaml_describe(pair, found, sizeof found));
        r->values_only = true;
        const routh_status status = rt_read_numbers(r, pair, "table", 2, numbers);
        r->values_only = false;
        if (status) return status;
        xs[k] = numbers[0].value;
        ys[k] = use->sign * numbers[1].value;
        if (k && !(xs[k] > xs[k - 1]))
            return rt_reader_fail(r, pair->place,
                                  "table: %.6g follows %.6g; the first column must increase", xs[k],
                                  xs[k - 1]);
    }
    return ROUTH_OK;
}

routh_status rt_read_table(rt_reader *r, const rt_yaml *table, const rt_table_use *use, rt_expr x,
                           rt_function *out)
{
    char found[96];
    if (table->kind != RT_YAML_LIST || table->count < 2)
        return rt_reader_fail(r, table->place,
                              "table must be a list of two or more pairs, such as %s, not %s",
                              use->example, rt_yaml_describe(table, found, sizeof found));
    double *xs = RT_TAKE(&r->scratch, double, table->count);
    double *ys = RT_TAKE(&r->scratch, double, table->count);
    if (!xs || !ys) return rt_fail_memory(r->error);
    const routh_status status = read_points(r, table, use, xs, ys);
    if (status) return status;
    out->expr = rt_table(r->model->graph, x, table->count, xs, ys);
    out->place = table->place;
    return out->expr < 0 ? rt_fail_memory(r->error) : ROUTH_OK;
}
