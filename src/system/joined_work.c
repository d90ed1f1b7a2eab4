/* The numbers of a joined mechanism that change, beside those of its inner mechanism. */
#include "system/joined.h"

static int most_own_columns(const rt_joined *j)
{
    int most = 0;
    for (int r = 0; r < j->n_own; r++)
        if (j->own_start[r + 1] - j->own_start[r] > most)
            most = j->own_start[r + 1] - j->own_start[r];
    return most;
}

static bool joined_work_take_arrays(rt_joined_work *k, const routh_mechanism *m, rt_arena *a)
{
    const rt_joined *j = m->joined;
    const size_t n_screws = 6 * (size_t)j->n_screws, n_u = (size_t)j->n_u;
    const size_t carried = 6 * (j->tip ? n_u : 0);
    const int own = most_own_columns(j),
              most = own > m->tables->most_columns ? own : m->tables->most_columns;
    const int n_own = j->n_own ? j->own_start[j->n_own] : 0;
    bool ok = (k->screws.J = RT_TAKE(a, double, 4 * n_screws)) != NULL;
    k->screws.J1 = k->screws.J + n_screws;
    k->screws.J2u = k->screws.J1 + n_screws;
    k->screws.J2x = k->screws.J2u + n_screws;
    ok = ok && (k->scratch = RT_TAKE(a, double, j->n_work));
    ok = ok && (k->composite = RT_TAKE(a, double, j->tip ? 3 * 36 * n_u : 0));
    ok = ok && (k->wrench = RT_TAKE(a, double, carried));
    ok = ok && (k->scale = RT_TAKE(a, double, carried));
    for (int d = 0; d < 3; d++) ok = ok && (k->own.value[d] = RT_TAKE(a, double, j->n_own));
    ok = ok && (k->own.G = RT_TAKE(a, double, n_own)) && (k->own.Vx = RT_TAKE(a, double, n_own));
    ok = ok && (k->own.Au = RT_TAKE(a, double, n_own)) && (k->own.Ax = RT_TAKE(a, double, n_own));
    return ok && (k->block = RT_TAKE(a, double, (size_t)most *most));
}

routh_status rt_joined_work_create(rt_joined_work **work, const routh_mechanism *m, rt_arena *arena,
                                   routh_error *error)
{
    *work = RT_TAKE(arena, rt_joined_work, 1);
    if (!*work || !joined_work_take_arrays(*work, m, arena)) return rt_fail_memory(error);
    return rt_workspace_create(&(*work)->inner, m->inner, error);
}

void rt_joined_work_free(rt_joined_work *work)
{
    if (work) rt_workspace_free(work->inner);
}
