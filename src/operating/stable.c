/* Stability of an equilibrium without its modes, for mechanisms of any size.
 *
 * All mu of R'KR x = mu R'MR x lie above s when R'(K - s M)R is positive definite, which is so when
 * the saddle-point matrix over the independent rows
 *
 *     [sym K - s M, G'; G, 0]
 *
 * has as many negative eigenvalues as G has rows (Sylvester's law and Haynsworth's, 1968: G' of
 * full rank takes a positive and a negative one for each). K: its symmetric part, as
 * base/softest. */
#include <float.h>
#include <math.h>

#include "base/kept_memory.h"
#include "base/ldl.h"
#include "operating/operating.h"

/* Entries of the lower triangle, listed with their places. */
typedef struct saddle {
    rt_arena arena;
    int n, n_rows; /* independent rows */
    rt_pattern pattern;
    double *values;
    double scale; /* largest ratio of diagonal entries of K and M */
} saddle;

static size_t most_entries(const rt_search *s)
{
    const int n = s->m->n_u;
    return (size_t)s->m->pattern_K.start[n] + (size_t)s->m->pattern_G.start[n];
}

/* K's entries, then G's; value: half of those off the diagonal, as their mirrors come too. */
static size_t stable_list(const rt_search *s, saddle *a, double shift, int *row, int *column,
                          double *value)
{
    const routh_mechanism *m = s->m;
    const rt_pattern *K = &m->pattern_K, *M = &m->pattern_M, *G = &m->pattern_G;
    size_t e = 0;
    for (int c = 0; c < m->n_u; c++) {
        const size_t first = e;
        for (int p = K->start[c]; p < K->start[c + 1]; p++, e++) {
            const int r = K->row[p];
            row[e] = r > c ? r : c, column[e] = r > c ? c : r;
            value[e] = (r == c ? 1 : 0.5) * s->w->K[p];
        }
        for (int p = M->start[c]; p < M->start[c + 1]; p++) {
            const int r = M->row[p], at = m->mass_in_K[p] - K->start[c];
            const double stiffness = value[first + (size_t)at], mass = s->w->M[p];
            if (r == c && mass > 0) a->scale = fmax(a->scale, fabs(stiffness) / mass);
            value[first + (size_t)at] -= (r == c ? 1 : 0.5) * shift * mass;
        }
    }
    for (int c = 0; c < m->n_u; c++)
        for (int p = G->start[c]; p < G->start[c + 1]; p++) {
            const int step = s->rank->row_step[G->row[p]];
            if (step < 0) continue;
            row[e] = a->n + step, column[e] = c, value[e++] = s->w->G[p];
        }
    return e;
}

static routh_status stable_build(const rt_search *s, saddle *a, double shift, routh_error *error)
{
    const size_t most = most_entries(s) + 1;
    const int order = a->n + a->n_rows;
    int *row = rt_kept_malloc(s->m->analyses, 3 * most * sizeof *row);
    int *column = row ? row + most : NULL, *position = row ? column + most : NULL;
    double *value = rt_kept_malloc(s->m->analyses, most * sizeof *value);
    routh_status status = row && value ? ROUTH_OK : rt_fail_memory(error);
    const size_t entries = status ? 0 : stable_list(s, a, shift, row, column, value);
    if (!status)
        status = rt_pattern_build_kept(&a->pattern, order, order, entries, row, column, position,
                                       &a->arena, s->m->analyses, error);
    if (!status && !(a->values = RT_TAKE(&a->arena, double, a->pattern.start[order])))
        status = rt_fail_memory(error);
    for (size_t e = 0; e < entries && !status; e++) a->values[position[e]] += value[e];
    rt_kept_free(row);
    rt_kept_free(value);
    return status;
}

routh_status rt_softest_above(const rt_search *s, double bound, bool *above, double *rounding,
                              routh_error *error)
{
    saddle a = {.arena.kept = s->m->analyses, .n = s->m->n_u, .n_rows = s->rank->rank};
    rt_ldl *ldl = NULL;
    *above = false;
    routh_status status = stable_build(s, &a, bound, error);
    if (!status) status = rt_ldl_create_kept(&ldl, &a.pattern, s->m->analyses, error);
    if (!status) {
        status = rt_ldl_factor(ldl, a.values, error);
        const bool regular = status == ROUTH_OK;
        if (status == ROUTH_SINGULAR) status = ROUTH_OK;
        *above = regular && rt_ldl_inertia(ldl).negative == a.n_rows;
    }
    *rounding = 4 * DBL_EPSILON * a.scale;
    rt_ldl_free(ldl);
    rt_arena_free(&a.arena);
    return status;
}
