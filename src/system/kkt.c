#include "system/kkt.h"

#include "base/kept_memory.h"

#include "base/parallel_solve.h"

struct rt_kkt {
    rt_arena arena;
    int n, n_rows;
    rt_pattern pattern;
    double *values;
    rt_factor *factor;
    int n_kept;
    int *slot;     /* n_rows: place among the kept rows, or -1 */
    int *X_at;     /* entries of the upper pattern -> values */
    int *G_at;     /* entries of pattern_G -> values, lower block; -1 when the row is left out */
    int *Gt_at;    /* the transposed entry */
    int *L_at;     /* entries of pattern_L -> values; -1 when the column is left out */
    int *diagonal; /* n_kept */
    size_t n_X, n_G, n_L;
    double *rhs;
};

static void kkt_number_rows(rt_kkt *k, const int *keep)
{
    for (int r = 0; r < k->n_rows; r++) k->slot[r] = keep && keep[r] < 0 ? -1 : k->n_kept++;
}

/* Lists every entry, in the order X, G, G', L, diagonal. */
static size_t kkt_list_entries(const rt_kkt *k, const rt_pattern *upper, const rt_pattern *G,
                               const rt_pattern *L, int *row, int *column)
{
    const int n = k->n;
    size_t e = 0;
    for (int c = 0; c < n; c++)
        for (int p = upper->start[c]; p < upper->start[c + 1]; p++)
            row[e] = upper->row[p], column[e++] = c;
    for (int transposed = 0; transposed < 2; transposed++)
        for (int c = 0; c < n; c++)
            for (int p = G->start[c]; p < G->start[c + 1]; p++) {
                const int slot = k->slot[G->row[p]];
                if (slot < 0) continue;
                row[e] = transposed ? c : n + slot;
                column[e++] = transposed ? n + slot : c;
            }
    for (int r = 0; r < k->n_rows; r++)
        for (int p = L->start[r]; p < L->start[r + 1]; p++)
            if (k->slot[r] >= 0) row[e] = L->row[p], column[e++] = n + k->slot[r];
    for (int r = 0; r < k->n_kept; r++) row[e] = column[e] = n + r, e++;
    return e;
}

static void kkt_share_positions(rt_kkt *k, const rt_pattern *G, const rt_pattern *L,
                                const int *position)
{
    for (size_t e = 0; e < k->n_X; e++) k->X_at[e] = *position++;
    for (size_t e = 0; e < k->n_G; e++) k->G_at[e] = k->slot[G->row[e]] < 0 ? -1 : *position++;
    for (size_t e = 0; e < k->n_G; e++) k->Gt_at[e] = k->slot[G->row[e]] < 0 ? -1 : *position++;
    for (int r = 0; r < k->n_rows; r++)
        for (int p = L->start[r]; p < L->start[r + 1]; p++)
            k->L_at[p] = k->slot[r] < 0 ? -1 : *position++;
    for (int r = 0; r < k->n_kept; r++) k->diagonal[r] = *position++;
}

static routh_status kkt_make(rt_kkt *k, const rt_pattern *upper, const rt_pattern *G,
                             const rt_pattern *L, const int *keep, rt_analyses *analyses,
                             routh_error *error)
{
    const int n = k->n;
    rt_arena *a = &k->arena;
    k->n_X = (size_t)upper->start[n];
    k->n_G = (size_t)G->start[n];
    k->n_L = (size_t)L->start[k->n_rows];
    k->slot = RT_TAKE(a, int, k->n_rows);
    if (!k->slot) return rt_fail_memory(error);
    kkt_number_rows(k, keep);
    k->X_at = RT_TAKE(a, int, k->n_X);
    k->G_at = RT_TAKE(a, int, k->n_G);
    k->Gt_at = RT_TAKE(a, int, k->n_G);
    k->L_at = RT_TAKE(a, int, k->n_L);
    k->diagonal = RT_TAKE(a, int, k->n_kept);
    k->rhs = RT_TAKE(a, double, n + k->n_kept);
    if (!k->X_at || !k->G_at || !k->Gt_at || !k->L_at || !k->diagonal || !k->rhs)
        return rt_fail_memory(error);
    const size_t room = k->n_X + 2 * k->n_G + k->n_L + (size_t)k->n_kept + 1;
    int *row = rt_kept_malloc(analyses, 3 * room * sizeof *row);
    if (!row) return rt_fail_memory(error);
    int *column = row + room, *position = column + room;
    const size_t n_entries = kkt_list_entries(k, upper, G, L, row, column);
    const routh_status status =
        rt_pattern_build_kept(&k->pattern, n + k->n_kept, n + k->n_kept, n_entries, row, column,
                              position, a, analyses, error);
    if (!status) kkt_share_positions(k, G, L, position);
    rt_kept_free(row);
    if (status) return status;
    k->values = RT_TAKE(a, double, k->pattern.start[n + k->n_kept]);
    if (!k->values) return rt_fail_memory(error);
    return rt_factor_create_kept(&k->factor, &k->pattern, RT_ORDER_AMD, analyses, error);
}

static routh_status kkt_create(rt_kkt **kkt, const rt_pattern *upper, const rt_pattern *G,
                               const rt_pattern *L, const int *keep, rt_analyses *analyses,
                               routh_error *error)
{
    *kkt = NULL;
    rt_kkt *k = rt_kept_calloc(analyses, 1, sizeof *k);
    if (!k) return rt_fail_memory(error);
    k->arena.kept = analyses;
    k->n = upper->n_columns;
    k->n_rows = G->n_rows;
    const routh_status status = kkt_make(k, upper, G, L, keep, analyses, error);
    if (status) {
        rt_kkt_free(k);
        return status;
    }
    *kkt = k;
    return ROUTH_OK;
}

routh_status rt_kkt_create(rt_kkt **kkt, const routh_mechanism *m, const rt_pattern *upper,
                           const int *keep, routh_error *error)
{
    return kkt_create(kkt, upper, &m->pattern_G, &m->pattern_L, keep, m->analyses, error);
}

routh_status rt_kkt_create_of(rt_kkt **kkt, const rt_pattern *upper, const rt_pattern *G,
                              const rt_pattern *L, const int *keep, routh_error *error)
{
    return kkt_create(kkt, upper, G, L, keep, NULL, error);
}

void rt_kkt_fill(rt_kkt *k, const double *X, const double *G, const double *L, double delta)
{
    memset(k->values, 0, (size_t)k->pattern.start[k->pattern.n_columns] * sizeof(double));
    for (size_t e = 0; e < k->n_X; e++) k->values[k->X_at[e]] = X[e];
    for (size_t e = 0; e < k->n_G; e++) {
        if (k->G_at[e] < 0) continue;
        k->values[k->G_at[e]] = G[e];
        k->values[k->Gt_at[e]] = G[e];
    }
    for (size_t e = 0; e < k->n_L && L; e++)
        if (k->L_at[e] >= 0) k->values[k->L_at[e]] += L[e];
    for (int r = 0; r < k->n_kept; r++) k->values[k->diagonal[r]] = -delta;
}

routh_status rt_kkt_factor(rt_kkt *k, const double *X, const double *G, const double *L,
                           double delta, routh_error *error)
{
    rt_kkt_fill(k, X, G, L, delta);
    return rt_factor_numeric(k->factor, k->values, error);
}

routh_status rt_kkt_solve(rt_kkt *k, double *x, double *y, routh_error *error)
{
    const int n = k->n;
    memcpy(k->rhs, x, (size_t)n * sizeof *x);
    for (int r = 0; r < k->n_rows; r++)
        if (k->slot[r] >= 0) k->rhs[n + k->slot[r]] = y[r];
    const routh_status status = rt_factor_solve(k->factor, k->rhs, 1, NULL, error);
    if (status) return status;
    memcpy(x, k->rhs, (size_t)n * sizeof *x);
    for (int r = 0; r < k->n_rows; r++) y[r] = k->slot[r] >= 0 ? k->rhs[n + k->slot[r]] : 0;
    return ROUTH_OK;
}

int rt_kkt_size(const rt_kkt *k) { return k->pattern.n_columns; }

int rt_kkt_slot(const rt_kkt *k, int row) { return k->slot[row]; }

routh_status rt_kkt_solve_columns(const rt_kkt *k, double *B, int n_columns, int threads,
                                  rt_progress *progress, routh_error *error)
{
    return rt_factor_solve_parallel(k->factor, k->pattern.n_columns, B, n_columns, threads,
                                    progress, error);
}

const rt_pattern *rt_kkt_matrix(const rt_kkt *k, const double **values)
{
    *values = k->values;
    return &k->pattern;
}

rt_factor *rt_kkt_factors(rt_kkt *k) { return k->factor; }

void rt_kkt_free(rt_kkt *k)
{
    if (!k) return;
    rt_factor_free(k->factor);
    rt_arena_free(&k->arena);
    rt_kept_free(k);
}
