/* Numbers whose dimension a field does not say alone: components of directions, and values that are
 * read only to see what they are of. */
#include "model/read_values.h"

routh_status rt_check_number_in(rt_reader *r, const rt_yaml *node, const char *what,
                                const char *unit)
{
    const char *before = r->unit;
    const bool values_only = r->values_only;
    rt_number unused;
    if (!node) return ROUTH_OK;
    r->unit = unit;
    r->values_only = false;
    const routh_status status = rt_read_number(r, node, what, RT_ANY, &unused);
    r->unit = before;
    r->values_only = values_only;
    return status;
}

/* Components may be lengths as well as plain numbers, all of one dimension. */
routh_status rt_read_direction(rt_reader *r, const rt_yaml *node, const char *what,
                               rt_number out[3])
{
    char one[RT_DIMENSION_SIZE], other[RT_DIMENSION_SIZE];
    rt_dimension first = {0};
    const char *before = r->unit;
    int k = 0;
    r->unit = "";
    routh_status status = rt_expect_numbers(r, node, what, 3);
    for (const rt_yaml *e = node->first; e && !status; e = e->next, k++) {
        status = rt_read_number(r, e, what, RT_ANY, &out[k]);
        const rt_dimension *now = &r->read_dimension;
        if (status || !now->known) continue;
        if (first.known && !rt_unit_same_dimension(&first.unit, &now->unit))
            status = rt_reader_fail(r, e->place,
                                    "%s: '%.60s' is %s and a component before it is %s; the "
                                    "components of a direction are of one dimension",
                                    what, e->text, rt_dimension_describe(&now->unit, one),
                                    rt_dimension_describe(&first.unit, other));
        first = *now;
    }
    r->unit = before;
    return status;
}
