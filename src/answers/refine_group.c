/* Rayleigh quotients of groups: with x_b, y_a of the group and the mean l of its values,
 *     H_ab = y_a^H E x_b,      S = H^-1 [y_a^H (F - l E) x_b],      S V = V diag(mu),
 * lambda = l + mu, X := X V, Y^H := (H V)^-1 Y^H. Where S is diagonal but for rounding the right
 * vectors stay; where V is nearly singular the eigenvalue is defective, and is left alone. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answers/refine_parts.h"
#include "base/lapack.h"

/* Couplings that are smaller, as a fraction of the eigenvalue, are rounding. */
static const double EQUAL = 1e-13;

/* Left vectors are dual to the right ones of their group to this fraction. */
static const double DUAL = 1e-8;

/* The smallest singular value of unit vectors that are told apart. */
static const double NEARLY_PARALLEL = 1e-6;

typedef struct refine_group {
    int count, *members; /* places in the list */
    rt_complex *S, *H, *V, *W, *values;
    double *sigma;
    int *pivots;
} refine_group;

static routh_status refine_group_take(refine_group *g, rt_arena *arena, routh_error *error)
{
    const size_t c = (size_t)g->count;
    g->S = RT_TAKE(arena, rt_complex, c * c);
    g->H = RT_TAKE(arena, rt_complex, c * c);
    g->V = RT_TAKE(arena, rt_complex, c * c);
    g->W = RT_TAKE(arena, rt_complex, c * c);
    g->values = RT_TAKE(arena, rt_complex, c);
    g->sigma = RT_TAKE(arena, double, c);
    g->pivots = RT_TAKE(arena, int, c);
    return g->S && g->H && g->V && g->W && g->values && g->sigma && g->pivots
               ? ROUTH_OK
               : rt_fail_memory(error);
}

static rt_complex mean(const rt_refinement *q, const refine_group *g)
{
    rt_complex sum = 0;
    for (int b = 0; b < g->count; b++) sum += q->value[q->list[g->members[b]].at];
    return sum / g->count;
}

static void refine_group_fill(const rt_refinement *q, const refine_group *g, rt_complex middle)
{
    for (int b = 0; b < g->count; b++) {
        const int k = g->members[b];
        const rt_complex_vector r = rt_refine_columns(q->R, q->n, k),
                                e = rt_refine_columns(q->EX, q->n, k);
        for (int a = 0; a < g->count; a++) {
            const rt_complex_vector y = rt_refine_vector(q, q->Y, g->members[a]);
            const rt_complex h = rt_refine_dot(y, e, q->n);
            g->H[a + g->count * b] = h;
            g->S[a + g->count * b] =
                rt_refine_dot(y, r, q->n) + (q->value[q->list[k].at] - middle) * h;
        }
    }
}

static bool is_diagonal(const refine_group *g, const rt_complex *A, double small)
{
    for (int b = 0; b < g->count; b++)
        for (int a = 0; a < g->count; a++)
            if (a != b && cabs(A[a + g->count * b]) > small) return false;
    return true;
}

/* V and values of S; *defective: V is nearly singular. */
static routh_status refine_group_decompose(refine_group *g, bool diagonal, bool *defective,
                                           routh_error *error)
{
    const int c = g->count;
    const size_t size = (size_t)c * (size_t)c;
    *defective = false;
    if (diagonal) {
        for (int b = 0; b < c; b++) g->V[b + c * b] = 1, g->values[b] = g->S[b + c * b];
        return ROUTH_OK;
    }
    routh_status status = rt_complex_eigen(c, g->S, g->values, g->V, error);
    if (status) return status;
    memcpy(g->W, g->V, size * sizeof *g->W);
    status = rt_svd_complex(c, c, g->W, g->sigma, NULL, error);
    *defective = !status && g->sigma[c - 1] < NEARLY_PARALLEL * g->sigma[0];
    return status;
}

/* Columns of the members := themselves times T (c x c), or its conjugate */
static routh_status refine_group_turn(const rt_refinement *q, const refine_group *g, double *of,
                                      const rt_complex *T, bool conjugated, rt_arena *arena,
                                      routh_error *error)
{
    const int c = g->count, n = q->n;
    rt_complex *now = RT_TAKE(arena, rt_complex, (size_t)n * (size_t)c);
    if (!now) return rt_fail_memory(error);
    for (int b = 0; b < c; b++)
        for (int a = 0; a < c; a++) {
            const rt_complex_vector x = rt_refine_vector(q, of, g->members[a]);
            const rt_complex t = conjugated ? conj(T[a + c * b]) : T[a + c * b];
            rt_complex *to = now + (size_t)n * (size_t)b;
            for (int i = 0; i < n; i++) to[i] += t * rt_complex_of(x.re[i], x.im[i]);
        }
    for (int b = 0; b < c; b++) {
        const rt_complex_vector x = rt_refine_vector(q, of, g->members[b]);
        const rt_complex *from = now + (size_t)n * (size_t)b;
        for (int i = 0; i < n; i++) x.re[i] = creal(from[i]);
        for (int i = 0; i < n && q->list[g->members[b]].is_pair; i++) x.im[i] = cimag(from[i]);
    }
    return ROUTH_OK;
}

/* X V, Y^H -> (H V)^-1 Y^H */
static routh_status turn_both(const rt_refinement *q, refine_group *g, rt_arena *arena,
                              routh_error *error)
{
    const int c = g->count;
    rt_complex *HV = g->S, *inverse = g->W;
    for (int b = 0; b < c; b++)
        for (int a = 0; a < c; a++) {
            HV[a + c * b] = 0, inverse[a + c * b] = a == b;
            for (int k = 0; k < c; k++) HV[a + c * b] += g->H[a + c * k] * g->V[k + c * b];
        }
    routh_status status = rt_complex_solve(c, HV, g->pivots, c, inverse, error);
    /* rows of Y^H are combined: columns conj(y) by the transposed */
    for (int b = 0; b < c && !status; b++)
        for (int a = 0; a < c; a++) HV[a + c * b] = inverse[b + c * a];
    if (!status) status = refine_group_turn(q, g, q->X, g->V, false, arena, error);
    return status ? status : refine_group_turn(q, g, q->Y, HV, true, arena, error);
}

/* Those of a real group stay real. */
static bool leaves_axis(const rt_refinement *q, const refine_group *g)
{
    for (int b = 0; b < g->count; b++)
        if (!q->list[g->members[b]].is_pair && cimag(g->values[b]) != 0) return true;
    return false;
}

static bool is_dual(const refine_group *g)
{
    double least = INFINITY;
    for (int b = 0; b < g->count; b++) least = fmin(least, cabs(g->H[b + g->count * b]));
    return is_diagonal(g, g->H, DUAL * least);
}

static void give_up(rt_refinement *q, const refine_group *g)
{
    for (int b = 0; b < g->count; b++) q->list[g->members[b]].stuck = true;
}

static void put_values(rt_refinement *q, const refine_group *g, rt_complex middle, bool turned)
{
    for (int b = 0; b < g->count; b++) {
        rt_refinable *w = &q->list[g->members[b]];
        const rt_complex value = middle + g->values[b];
        w->change = cabs(value - q->value[w->at]);
        q->value[w->at] = value;
        q->dual[w->at] = turned ? 1 : g->H[b + g->count * b];
    }
}

static routh_status refine_group_solve(rt_refinement *q, refine_group *g, bool *turned,
                                       rt_arena *arena, routh_error *error)
{
    const int c = g->count;
    routh_status status = refine_group_take(g, arena, error);
    if (status) return status;
    const rt_complex middle = mean(q, g);
    refine_group_fill(q, g, middle);
    const bool dual = is_dual(g);
    memcpy(g->W, g->H, (size_t)c * (size_t)c * sizeof *g->W);
    status = rt_complex_solve(c, g->W, g->pivots, c, g->S, error);
    bool defective = status == ROUTH_SINGULAR, diagonal = false;
    if (!status) {
        diagonal = is_diagonal(g, g->S, EQUAL * cabs(middle));
        status = refine_group_decompose(g, diagonal, &defective, error);
    }
    if (defective || (!status && leaves_axis(q, g))) {
        give_up(q, g);
        return ROUTH_OK;
    }
    const bool turns = !diagonal || !dual;
    if (!status && turns) status = turn_both(q, g, arena, error);
    if (!status) put_values(q, g, middle, turns);
    *turned = *turned || turns;
    return status;
}

static void solve_alone(rt_refinement *q, int k)
{
    rt_refinable *w = &q->list[k];
    const rt_complex_vector y = rt_refine_vector(q, q->Y, k);
    const rt_complex h = rt_refine_dot(y, rt_refine_columns(q->EX, q->n, k), q->n);
    const rt_complex change = rt_refine_dot(y, rt_refine_columns(q->R, q->n, k), q->n) / h;
    if (!isfinite(creal(change)) || !isfinite(cimag(change))) {
        w->stuck = true;
        return;
    }
    w->change = cabs(change);
    q->value[w->at] += change;
    q->dual[w->at] = h;
}

routh_status rt_refine_values(rt_refinement *q, bool *turned, rt_arena *scratch, routh_error *error)
{
    *turned = false;
    refine_group g = {
        .members = rt_kept_malloc(scratch->kept, ((size_t)q->n_list + 1) * sizeof *g.members)};
    routh_status status = g.members ? ROUTH_OK : rt_fail_memory(error);
    for (int k = 0; k < q->n_list && !status; k++) {
        if (q->list[k].stuck || q->list[k].group != k) continue;
        g.count = 0;
        for (int l = k; l < q->n_list; l++)
            if (q->list[l].group == k) g.members[g.count++] = l;
        if (g.count == 1)
            solve_alone(q, k);
        else
            status = refine_group_solve(q, &g, turned, scratch, error);
        rt_arena_free(scratch);
    }
    rt_kept_free(g.members);
    return status;
}
