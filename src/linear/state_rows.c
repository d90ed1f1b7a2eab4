/* How states and their two time derivatives follow from xi, u, u'. */
#include "linear/method.h"

void rt_state_row_set(rt_state_row *row, const rt_search *s, const rt_observer *o, int body,
                      int component)
{
    rt_map map;
    rt_marker_map(s->m, s->w, s->state, body, &map, row->columns);
    row->n = map.n;
    const int part = component / 3 * 3, axis = component % 3;
    for (int c = 0; c < map.n; c++) {
        row->s_x[c] = row->w_x[c] = row->a_u[c] = row->a_x[c] = 0;
        for (int i = 0; i < 3; i++) { /* p = e, with p', p'' */
            const double p0 = o->e[0][axis][i], p1 = o->e[1][axis][i], p2 = o->e[2][axis][i];
            const int at = (part + i) * map.n + c;
            row->s_x[c] += p0 * map.J[at];
            row->w_x[c] += p0 * map.J1[at] + p1 * map.J[at];
            row->a_u[c] += p0 * map.J2u[at] + 2 * p1 * map.J[at];
            row->a_x[c] += p0 * map.J2x[at] + 2 * p1 * map.J1[at] + p2 * map.J[at];
        }
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
