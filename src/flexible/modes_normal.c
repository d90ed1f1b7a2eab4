/* Normal modes of the whole model, counted (base/symmetric_modes.h):
 *   free:  K v = lambda M v
 *   held:  K v + C'f = lambda M v,  C v = 0. */
#include <math.h>
#include <string.h>

#include "base/symmetric_modes.h"
#include "flexible/modes_parts.h"

enum { MOST = 2000 };

/* [K .; C 0] and [M .; 0 0], on and below the diagonal. */
typedef struct modes_normal_bordered {
    rt_pattern pattern;
    double *K, *M;
} modes_normal_bordered;

static routh_status border(modes_normal_bordered *p, const rt_modes_work *w, rt_arena *arena)
{
    const rt_pattern *fe = &w->b->fe->pattern;
    const int n = w->b->n, m = w->rows.n;
    const size_t most = (size_t)fe->start[n] + (size_t)w->rows.start[m];
    int *rows = RT_TAKE(arena, int, most), *columns = RT_TAKE(arena, int, most);
    int *position = RT_TAKE(arena, int, most);
    double *K = RT_TAKE(arena, double, most), *M = RT_TAKE(arena, double, most);
    size_t used = 0;
    if (!rows || !columns || !position || !K || !M) return rt_fail_memory(w->error);
    for (int j = 0; j < n; j++)
        for (int e = fe->start[j]; e < fe->start[j + 1]; e++) {
            if (fe->row[e] < j) continue;
            rows[used] = fe->row[e], columns[used] = j;
            K[used] = w->b->K[e], M[used++] = w->b->M[e];
        }
    for (int i = 0; i < m; i++)
        for (int e = w->rows.start[i]; e < w->rows.start[i + 1]; e++) {
            rows[used] = n + i, columns[used] = w->rows.dof[e];
            K[used++] = w->rows.weight[e];
        }
    const routh_status status =
        rt_pattern_build(&p->pattern, n + m, n + m, used, rows, columns, position, arena, w->error);
    if (status) return status;
    p->K = RT_TAKE(arena, double, used);
    p->M = RT_TAKE(arena, double, used);
    if (!p->K || !p->M) return rt_fail_memory(w->error);
    for (size_t k = 0; k < used; k++) p->K[position[k]] += K[k], p->M[position[k]] += M[k];
    return ROUTH_OK;
}

/* The `count` lowest beyond n_rigid rigid motions. */
static routh_status modes_normal_find(rt_symmetric_modes *all, const rt_modes_work *w,
                                      const modes_normal_bordered *p, int count, bool held,
                                      rt_arena *arena)
{
    const rt_pattern *fe = &w->b->fe->pattern;
    const rt_symmetric_pencil pencil =
        held ? (rt_symmetric_pencil){&p->pattern, &p->pattern, p->K, p->M, w->rows.n, NULL, NULL}
             : (rt_symmetric_pencil){fe, fe, w->b->K, w->b->M, 0, NULL, NULL};
    const rt_symmetric_request request = {.count = count, .near = 0};
    return rt_symmetric_modes_find(all, &pencil, &request, arena, w->error);
}

/* One more was sought than is wanted: it tells what is left out. */
static routh_status modes_normal_keep(rt_modes_work *w, const rt_symmetric_modes *all, int n_rigid,
                                      int wanted, double cut, double **vectors)
{
    const int n = w->b->n, found = all->found > n_rigid ? all->found - n_rigid : 0;
    const double *value = all->value + n_rigid;
    int kept = 0;
    while (kept < found && (cut > 0 ? value[kept] < cut : kept < wanted)) kept++;
    w->next = kept < found ? value[kept] : 0;
    w->n_normal = kept;
    w->lambda = RT_TAKE(w->arena, double, kept);
    *vectors = RT_TAKE(w->arena, double, rt_modes_column(w, kept));
    if (!w->lambda || !*vectors) return rt_fail_memory(w->error);
    for (int k = 0; k < kept; k++) {
        w->lambda[k] = value[k];
        memcpy(*vectors + rt_modes_column(w, k),
               all->vector + (size_t)all->n * (size_t)(n_rigid + k), (size_t)n * sizeof **vectors);
    }
    return ROUTH_OK;
}

routh_status rt_modes_normal(rt_modes_work *w, bool held, int wanted, double cut, double **vectors)
{
    if (cut > 0) wanted = 12;
    if (wanted > w->b->n) wanted = w->b->n;
    const int n_rigid = held ? w->n_left : 6;
    rt_arena own = {0};
    modes_normal_bordered p;
    routh_status status = held ? border(&p, w, &own) : ROUTH_OK;
    for (bool enough = false; !status && !enough; wanted *= 2) {
        rt_arena found = {0};
        rt_symmetric_modes all = {0};
        status = modes_normal_find(&all, w, &p, wanted + n_rigid + 1, held, &found);
        enough = !(cut > 0) || wanted >= MOST || all.found < wanted + n_rigid ||
                 all.value[all.found - 1] > cut;
        if (!status && enough) status = modes_normal_keep(w, &all, n_rigid, wanted, cut, vectors);
        rt_arena_free(&found);
    }
    rt_arena_free(&own);
    return status;
}
