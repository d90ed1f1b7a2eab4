/* What the reader used values of numbers for (rt_guard). */
#include <string.h>

#include "model/reader.h"

routh_status rt_guard_number(rt_reader *r, rt_number number, rt_guard_kind kind)
{
    routh_model *m = r->model;
    if (number.expr < 0) return ROUTH_OK;
    if (m->n_guards == r->guard_room) {
        const int room = 2 * r->guard_room + 8;
        rt_guard *more = RT_TAKE(&m->arena, rt_guard, room);
        if (!more) return rt_fail_memory(r->error);
        if (m->n_guards) memcpy(more, m->guards, (size_t)m->n_guards * sizeof *more);
        m->guards = more;
        r->guard_room = room;
    }
    m->guards[m->n_guards++] = (rt_guard){number.expr, kind};
    return ROUTH_OK;
}

routh_status rt_guard_numbers(rt_reader *r, const rt_number *numbers, int n, rt_guard_kind kind)
{
    routh_status status = ROUTH_OK;
    for (int k = 0; k < n && !status; k++) status = rt_guard_number(r, numbers[k], kind);
    return status;
}
