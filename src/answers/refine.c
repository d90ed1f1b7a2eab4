/* Eigenvalues of the rounded A = E^-1 F are off by eps |A| times their condition: of a mechanism
 * with modes six decades apart the slow ones keep four digits. Their vectors are good enough for a
 * quotient on the pencil itself, whose error is of second order. */
#include "answers/refine.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "answers/refine_parts.h"

/* Eigenvalues with a larger bound, as a fraction of them, are refined. */
static const double GOOD = 1e-10;

/* A sweep that changes less, as a fraction, is the last: what is left is of second order in it. */
static const double SETTLED = 1e-9;

/* The part of the last change that a sweep leaves where it still helps. */
static const double STALLED = 0.1;

enum { MOST_SWEEPS = 6 };

static routh_status refine_take(rt_refinement *q, rt_arena *arena, routh_error *error)
{
    const size_t n = (size_t)q->n, m = (size_t)q->n_vectors;
    q->X = RT_TAKE(arena, double, n *(m + 1));
    q->Y = RT_TAKE(arena, double, n *(m + 1));
    q->value = RT_TAKE(arena, rt_complex, m);
    q->dual = RT_TAKE(arena, rt_complex, m);
    q->item = RT_TAKE(arena, int, m);
    q->list = RT_TAKE(arena, rt_refinable, m);
    q->zero = RT_TAKE(arena, double, n);
    return q->X && q->Y && q->value && q->dual && q->item && q->list && q->zero
               ? ROUTH_OK
               : rt_fail_memory(error);
}

static routh_status refine_take_columns(rt_refinement *q, rt_arena *arena, routh_error *error)
{
    const size_t n = (size_t)q->n, m = (size_t)q->n_vectors, columns = 2 * (size_t)q->n_list;
    q->R = RT_TAKE(arena, double, n *columns);
    q->L = RT_TAKE(arena, double, n *columns);
    q->EX = RT_TAKE(arena, double, n *columns);
    q->by_Y = RT_TAKE(arena, double, m *columns);
    q->by_X = RT_TAKE(arena, double, m *columns);
    return q->R && q->L && q->EX && q->by_Y && q->by_X ? ROUTH_OK : rt_fail_memory(error);
}

/* Both vectors of A in the units of the states; a real one's second column is used as room, and
 * filled by the next. */
static void refine_lift(rt_refinement *q, const rt_zeros *z, const rt_eigen *e)
{
    const size_t n = (size_t)q->n, left = (size_t)q->n_vectors;
    for (int k = 0; k < q->n_vectors; k++) {
        const bool pair = e->im[k] != 0;
        const double lambda[2] = {e->re[k], e->im[k]};
        const double *w = e->right + left * (size_t)k, *u = e->left + left * (size_t)k;
        double *x = q->X + n * (size_t)k, *y = q->Y + n * (size_t)k;
        rt_zeros_lift(z, lambda, w, pair ? w + left : NULL, x, x + n);
        rt_zeros_lift_left(z, u, pair ? u + left : NULL, y, y + n);
        q->value[k] = rt_complex_of(e->re[k], e->im[k]);
        q->item[k] = -1;
        if (pair) q->item[++k] = -1;
    }
}

/* Y := E^-T Y: from left vectors of A to those of the pencil */
static routh_status refine_divide(rt_refinement *q, const routh_linear *l, rt_arena *arena,
                                  routh_error *error)
{
    const int z = l->n_position, z1 = l->n_velocity;
    const size_t size = (size_t)z1 * (size_t)z1;
    double *lu = RT_TAKE(arena, double, size);
    double *b = RT_TAKE(arena, double, (size_t)z1 *(size_t)q->n_vectors);
    int *pivots = RT_TAKE(arena, int, z1);
    if (!lu || !b || !pivots) return rt_fail_memory(error);
    memcpy(lu, l->mass, size * sizeof *lu); /* by rows, so its transposed by columns */
    for (int k = 0; k < q->n_vectors; k++)
        memcpy(b + (size_t)z1 * (size_t)k, q->Y + (size_t)q->n * (size_t)k + z,
               (size_t)z1 * sizeof *b);
    routh_status status = rt_lu_factor(z1, lu, pivots, error);
    if (!status) status = rt_lu_solve(z1, lu, pivots, q->n_vectors, b, 0, error);
    for (int k = 0; k < q->n_vectors && !status; k++)
        memcpy(q->Y + (size_t)q->n * (size_t)k + z, b + (size_t)z1 * (size_t)k,
               (size_t)z1 * sizeof *b);
    return status;
}

/* y^H E x of all vectors, and the list of those that are refined; room: 4 n */
static void make_list(rt_refinement *q, const double *bounds, double *room)
{
    const rt_complex_vector r = rt_refine_columns(room, q->n, 0),
                            e = rt_refine_columns(room, q->n, 1);
    for (int k = 0; k < q->n_vectors; k++) {
        if (q->im[k] < 0) continue;
        double *x = q->X + (size_t)q->n * (size_t)k, *y = q->Y + (size_t)q->n * (size_t)k;
        const bool pair = q->im[k] > 0;
        const double none[2] = {0}, size = cabs(q->value[k]);
        const rt_complex_vector right = {x, pair ? x + q->n : q->zero},
                                left = {y, pair ? y + q->n : q->zero};
        rt_pencil_residual(&q->pencil, false, none, right, r, e);
        q->dual[k] = rt_refine_dot(left, e, q->n);
        if (bounds[k] <= GOOD * size) continue;
        q->item[k] = q->n_list;
        q->list[q->n_list] = (rt_refinable){.at = k, .is_pair = pair, .group = q->n_list};
        q->n_list++;
    }
}

static routh_status refine_prepare(rt_refinement *q, const rt_zeros *z, const routh_linear *linear,
                                   const rt_eigen *e, const double *bounds, rt_arena *arena,
                                   routh_error *error)
{
    routh_status status = rt_pencil_make(&q->pencil, linear, arena, error);
    if (!status) status = refine_take(q, arena, error);
    double *room = status ? NULL : RT_TAKE(arena, double, 4 * (size_t)q->n);
    if (!status && !room) status = rt_fail_memory(error);
    if (status) return status;
    refine_lift(q, z, e);
    status = refine_divide(q, linear, arena, error);
    if (status) return status;
    make_list(q, bounds, room);
    return refine_take_columns(q, arena, error);
}

/* Nothing changes any more but what rounding of the products does, which no sweep makes less. */
static bool is_settled(const rt_refinement *q, int sweep)
{
    for (int k = 0; k < q->n_list; k++) {
        const rt_refinable *w = &q->list[k];
        /* vectors are corrected once in any case */
        if (sweep == 0 && !w->stuck) return false;
        const bool slower = sweep > 1 && w->change > STALLED * w->before;
        if (!w->stuck && !slower && w->change > SETTLED * cabs(q->value[w->at])) return false;
    }
    return true;
}

static routh_status refine_iterate(rt_refinement *q, rt_arena *scratch, routh_error *error)
{
    routh_status status = ROUTH_OK;
    for (int sweep = 0; sweep < MOST_SWEEPS && !status; sweep++) {
        bool turned;
        for (int k = 0; k < q->n_list; k++) q->list[k].before = q->list[k].change;
        rt_refine_residuals(q);
        if (sweep == 0) rt_refine_couple(q);
        status = rt_refine_values(q, &turned, scratch, error);
        if (status || is_settled(q, sweep)) break;
        if (turned) continue;
        if (sweep > 0) rt_refine_couple(q);
        rt_refine_correct(q);
    }
    return status;
}

/* Rounding of the entries of E and F alone, and what the last sweep changed. */
static double new_bound(rt_refinement *q, int k)
{
    const rt_refinable *w = &q->list[k];
    const double size = rt_pencil_size(&q->pencil, cabs(q->value[w->at]),
                                       rt_refine_vector(q, q->Y, k), rt_refine_vector(q, q->X, k));
    return DBL_EPSILON * size / cabs(q->dual[w->at]) + w->change;
}

/* Only where the refined value is the one that was meant, and is known better: where entries of the
 * pencil are what rounding of large sums left, A may hold more. The new bound is one of the worst
 * case, n eps, where that of A is sqrt(n) eps. */
static void refine_accept(rt_refinement *q, rt_eigen *e, double *bounds, rt_refined *refined)
{
    for (int k = 0; k < q->n_list; k++) {
        const rt_refinable *w = &q->list[k];
        const rt_complex value = q->value[w->at];
        const double moved = cabs(value - rt_complex_of(e->re[w->at], e->im[w->at]));
        const double bound = new_bound(q, k);
        if (w->stuck || !(moved <= bounds[w->at]) || !(bound < sqrt(q->n) * bounds[w->at]))
            continue;
        if (w->is_pair && !(cimag(value) > 0)) continue;
        refined->is[w->at] = true;
        for (int c = 0; c <= w->is_pair; c++) {
            e->re[w->at + c] = creal(value);
            e->im[w->at + c] = c ? -cimag(value) : cimag(value);
            bounds[w->at + c] = bound;
        }
    }
}

static bool any_wanted(const rt_eigen *e, const double *bounds, int n)
{
    for (int k = 0; k < n; k++)
        if (bounds[k] > GOOD * hypot(e->re[k], e->im[k])) return true;
    return false;
}

routh_status rt_refine(const rt_zeros *z, const routh_linear *linear, rt_eigen *e, double *bounds,
                       rt_refined *refined, rt_arena *arena, routh_error *error)
{
    rt_refinement q = {.n = z->n, .n_vectors = z->n_left, .im = e->im};
    refined->right = NULL;
    refined->is = RT_TAKE(arena, bool, q.n_vectors);
    if (!refined->is) return rt_fail_memory(error);
    if (!rt_pencil_exists(linear) || !any_wanted(e, bounds, q.n_vectors)) return ROUTH_OK;
    rt_arena scratch = {.kept = arena->kept};
    routh_status status = refine_prepare(&q, z, linear, e, bounds, arena, error);
    if (!status) status = refine_iterate(&q, &scratch, error);
    rt_arena_free(&scratch);
    /* a mass that cannot be divided by is none of a pencil that could tell more */
    if (status == ROUTH_SINGULAR) return ROUTH_OK;
    if (status) return status;
    refined->right = q.X;
    refine_accept(&q, e, bounds, refined);
    return ROUTH_OK;
}
