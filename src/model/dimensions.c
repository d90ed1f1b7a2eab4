/* Values of other dimensions than their fields', as far as they are known. */
#include "model/read_values.h"
#include "model/scope.h"

#include <stdio.h>
#include <string.h>

static routh_status find_listed(rt_reader *r, const char *unit, const rt_dimension *dimension,
                                bool *listed)
{
    *listed = true;
    if (!unit || !unit[0] || !dimension->known) return ROUTH_OK;
    return rt_unit_among(unit, &dimension->unit, listed) ? rt_fail_memory(r->error) : ROUTH_OK;
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
    bool listed;
    r->read_dimension = *dimension;
    const routh_status status = find_listed(r, r->unit, dimension, &listed);
    return status || listed ? status : fail_dimension(r, node, what, r->unit, dimension);
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
