/* Values of other dimensions than their fields', as far as they are known. */
#include "model/read_values.h"
#include "model/scope.h"

#include <stdio.h>
#include <string.h>

static bool is_listed(const char *unit, const rt_dimension *dimension)
{
    return !unit || !unit[0] || !dimension->known || rt_unit_among(unit, &dimension->unit);
}

static routh_status fail_dimension(rt_reader *r, const rt_yaml *node, const char *what,
                                   const char *unit, const rt_dimension *dimension)
{
    char found[RT_DIMENSION_SIZE];
    const bool plain = !strcmp(unit, RT_UNIT_NONE);
    return rt_reader_fail(r, node->place, "%s: '%.60s' is %s; a %s%s is needed", what, node->text,
                          rt_dimension_describe(&dimension->unit, found),
                          plain ? "plain number" : "value in ", plain ? "" : unit);
}

routh_status rt_check_dimension(rt_reader *r, const rt_yaml *node, const char *what,
                                const rt_dimension *dimension)
{
    r->read_dimension = *dimension;
    return is_listed(r->unit, dimension) ? ROUTH_OK
                                         : fail_dimension(r, node, what, r->unit, dimension);
}

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

const char *rt_listed_unit(const char *units, int k, char text[RT_LISTED_UNIT])
{
    for (; k > 0; k--) {
        const char *comma = strstr(units, ", ");
        if (!comma) return "";
        units = comma + 2;
    }
    const char *end = strstr(units, ", ");
    snprintf(text, RT_LISTED_UNIT, "%.*s", end ? (int)(end - units) : (int)strlen(units), units);
    return text;
}

/* Components may be lengths as well as plain numbers, all of one dimension. */
routh_status rt_read_direction(rt_reader *r, const rt_yaml *node, const char *what,
                               rt_number out[3])
{
    char one[RT_DIMENSION_SIZE], other[RT_DIMENSION_SIZE];
    rt_dimension first = {0};
    const char *before = r->unit;
    int k = 0;
    r->unit = NULL;
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
