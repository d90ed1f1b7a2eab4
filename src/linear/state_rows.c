/* How states and their two time derivatives follow from xi, u, u'. */
#include "linear/method.h"

static bool take(rt_state_row *row, const rt_motion *map, rt_arena *arena)
{
    row->n = map->n;
    row->columns = RT_TAKE(arena, int, map->n);
    row->s_x = RT_TAKE(arena, double, 4 * (size_t)map->n);
    if (!row->columns || !row->s_x) return false;
    row->w_x = row->s_x + map->n;
    row->a_u = row->w_x + map->n;
    row->a_x = row->a_u + map->n;
    return true;
}

/* S = p . xi_body with p = e, p', p'' */
static void fill(rt_state_row *row, const rt_motion *map, const rt_observer *o, int component)
{
    const int part = component / 3 * 3, axis = component % 3;
    memset(row->s_x, 0, 4 * (size_t)map->n * sizeof *row->s_x);
    for (int c = 0; c < map->n; c++) {
        row->columns[c] = map->columns[c];
        for (int i = 0; i < 3; i++) {
            const double p0 = o->e[0][axis][i], p1 = o->e[1][axis][i], p2 = o->e[2][axis][i];
            const int at = (part + i) * map->n + c;
            row->s_x[c] += p0 * map->J[at];
            row->w_x[c] += p0 * map->J1[at] + p1 * map->J[at];
            row->a_u[c] += p0 * map->J2u[at] + 2 * p1 * map->J[at];
            row->a_x[c] += p0 * map->J2x[at] + 2 * p1 * map->J1[at] + p2 * map->J[at];
        }
    }
}

routh_status rt_state_rows(const rt_method_task *task, rt_arena *arena, rt_state_row **rows,
                           routh_error *error)
{
    const rt_search *s = task->search;
    const rt_states *states = task->states;
    *rows = RT_TAKE(arena, rt_state_row, states->z);
    for (int k = 0; k < states->z && *rows; k++) {
        rt_motion map;
        rt_marker_motion(s->m, s->w, s->state, states->body[k], &map);
        if (!take(&(*rows)[k], &map, arena)) return rt_fail_memory(error);
    }
    if (!*rows) return rt_fail_memory(error);
    rt_state_rows_fill(task, *rows);
    return ROUTH_OK;
}

void rt_state_rows_fill(const rt_method_task *task, rt_state_row *rows)
{
    const rt_search *s = task->search;
    for (int k = 0; k < task->states->z; k++) {
        rt_motion map;
        rt_marker_motion(s->m, s->w, s->state, task->states->body[k], &map);
        fill(&rows[k], &map, task->observer, task->states->component[k]);
    }
}

double rt_state_row_times(const rt_state_row *row, const double *entries, const double *x)
{
    double sum = 0;
    for (int c = 0; c < row->n; c++) sum += entries[c] * x[row->columns[c]];
    return sum;
}

routh_status rt_sensitivity_take(rt_sensitivity *x, int n, int z, rt_arena *arena,
                                 routh_error *error)
{
    *x = (rt_sensitivity){.n = n, .z = z};
    x->X = RT_TAKE(arena, double, (size_t)n * z);
    x->U = RT_TAKE(arena, double, (size_t)n * z);
    x->A_SS = RT_TAKE(arena, double, (size_t)z * z);
    x->A_SW = RT_TAKE(arena, double, (size_t)z * z);
    x->Mhat = RT_TAKE(arena, double, (size_t)z * z);
    return x->X && x->U && x->A_SS && x->A_SW && x->Mhat ? ROUTH_OK : rt_fail_memory(error);
}
