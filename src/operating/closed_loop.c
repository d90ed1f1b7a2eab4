/* The closed loop about an equilibrium, for its stability: motions
 *     xi = R S,   u = R W,   S' = W,   and S'', x' from
 *     [M G'+L R_p; G 0 0; g_a g_lambda g_p] [u'; lambda; p] = -[K R S + D R W + R_x x; 0; g_X R S +
 *                                                              g_u R W + g_x x]
 * with p = (x', v), so that y' = A y for y = (S, W, x). At rest V_x, A_u and A_x are zero. */
#include <stdlib.h>

#include "base/lapack.h"
#include "operating/static_signals.h"

typedef struct closed_loop {
    rt_search *s;
    bool whole;
    int z, size;
    int *independent; /* z */
    double *R;        /* n_u x z */
    double *A;        /* size x size, column-major */
    double *r, *g;    /* n_u, n */
    double *eigen;
} closed_loop;

static bool closed_loop_take(closed_loop *l, rt_arena *arena)
{
    const size_t n = (size_t)l->s->m->n_u, size = (size_t)l->size;
    l->independent = RT_TAKE(arena, int, l->z);
    l->R = RT_TAKE(arena, double, n *(size_t)l->z);
    l->A = RT_TAKE(arena, double, size *size);
    l->r = RT_TAKE(arena, double, n);
    l->g = RT_TAKE(arena, double, l->s->signals->n);
    l->eigen = RT_TAKE(arena, double, 2 * size * size + 3 * size);
    return l->independent && l->R && l->A && l->r && l->g && l->eigen;
}

/* r and g along R_j, by K and g_X or by D and g_u */
static void along_direction(closed_loop *l, int j, bool velocity)
{
    const rt_search *s = l->s;
    const double *d = l->R + (size_t)j * (size_t)s->m->n_u;
    rt_sparse_multiply_add(&s->m->pattern_K, velocity ? s->w->D : s->w->K, 1, d, l->r);
    for (int i = 0; i < s->signals->n; i++) {
        const rt_sensor_row *row = &s->signals->rows[i];
        const double *by = velocity ? row->by_u : row->by_x;
        for (int c = 0; c < row->n_columns; c++) l->g[i] += by[c] * d[row->columns[c]];
    }
}

static void along_state(closed_loop *l, int x)
{
    const rt_search *s = l->s;
    const rt_pattern *R = &s->m->pattern_R;
    for (int p = R->start[x]; p < R->start[x + 1]; p++) l->r[R->row[p]] += s->w->L[p];
    for (int i = 0; i < s->signals->n; i++) {
        const rt_sensor_row *row = &s->signals->rows[i];
        for (int k = 0; k < row->n_signals; k++)
            if (row->signals[k] == x) l->g[i] += row->by_signal[k];
    }
}

/* Columns S, W, x of A. */
static routh_status closed_loop_column(closed_loop *l, int j, routh_error *error)
{
    rt_search *s = l->s;
    const rt_signals *k = s->signals;
    double *a = l->A + (size_t)j * (size_t)l->size;
    memset(l->r, 0, (size_t)s->m->n_u * sizeof *l->r);
    memset(l->g, 0, (size_t)k->n * sizeof *l->g);
    if (j < 2 * l->z)
        along_direction(l, j % l->z, j >= l->z);
    else
        along_state(l, j - 2 * l->z);
    const routh_status status = rt_signals_solve(s, l->whole, l->r, NULL, l->g, error);
    if (status) return status;
    if (j >= l->z && j < 2 * l->z) a[j - l->z] = 1;
    for (int i = 0; i < l->z; i++) a[l->z + i] = k->step_udot[l->independent[i]];
    for (int i = 0; i < k->n_x; i++) a[2 * l->z + i] = k->step[i];
    return ROUTH_OK;
}

static routh_status closed_loop_fill(closed_loop *l, routh_error *error)
{
    const rt_search *s = l->s;
    for (int c = 0, k = 0; c < s->m->n_u && k < l->z; c++)
        if (s->rank->column_step[c] < 0) l->independent[k++] = c;
    routh_status status = rt_tangent_basis(s, l->independent, l->z, l->R, error);
    if (!status) status = rt_signals_factor(l->s, l->whole, error);
    for (int j = 0; j < l->size && !status; j++) status = closed_loop_column(l, j, error);
    return status;
}

/* R times the vector's part S, its largest step of unit length. */
static void closed_loop_take_direction(const closed_loop *l, const double *vector)
{
    const rt_search *s = l->s;
    double length = 0;
    memset(s->x, 0, (size_t)s->m->n_u * sizeof *s->x);
    for (int j = 0; j < l->z; j++)
        for (int c = 0; c < s->m->n_u; c++)
            s->x[c] += vector[j] * l->R[(size_t)j * (size_t)s->m->n_u + c];
    for (int c = 0; c < s->m->n_u; c++) length = fmax(length, fabs(s->x[c]) / s->unit[c]);
    for (int c = 0; c < s->m->n_u && length > 0; c++) s->x[c] /= length;
}

/* An eigenvalue of reciprocal condition c is known to eps |A| / c only. */
static routh_status closed_loop_examine(closed_loop *l, double *largest, double *rounding,
                                        bool *oscillates, rt_analyses *analyses, routh_error *error)
{
    const size_t n = (size_t)l->size;
    rt_eigen e = {.left = l->eigen, .right = l->eigen + n * n};
    e.re = e.right + n * n, e.im = e.re + n, e.rcond = e.im + n;
    const routh_status status = rt_general_eigen_kept(l->size, l->A, &e, analyses, error);
    if (status) return status;
    double most = -INFINITY;
    size_t at = 0;
    for (size_t k = 0; k < n; k++) {
        const double unsure = 1e-9 + 1e-13 * e.norm / fmax(e.rcond[k], 1e-300);
        if (e.re[k] - unsure <= most) continue;
        most = e.re[k] - unsure;
        at = k;
        *largest = e.re[k];
        *rounding = unsure;
        *oscillates = e.im[k] != 0;
    }
    closed_loop_take_direction(l, e.right + n * at);
    return ROUTH_OK;
}

routh_status rt_closed_loop(rt_search *s, int n_z, double *largest, double *rounding,
                            bool *oscillates, routh_error *error)
{
    rt_arena arena = {.kept = s->m->analyses};
    closed_loop l = {
        .s = s, .whole = !rt_small_exists(s->m), .z = n_z, .size = 2 * n_z + s->signals->n_x};
    *oscillates = false;
    *largest = *rounding = 0;
    routh_status status = closed_loop_take(&l, &arena) ? ROUTH_OK : rt_fail_memory(error);
    if (!status) status = closed_loop_fill(&l, error);
    if (!status) status = closed_loop_examine(&l, largest, rounding, oscillates, arena.kept, error);
    rt_arena_free(&arena);
    return status;
}
