/* The modes a reduced body keeps. With (K + s M) factored once, s well below the square of the
 * first elastic frequency:
 *   free:           K v = lambda M v
 *   interfaces:     C v = 0 for the fixed-interface modes (Craig and Bampton 1968), and static
 *                   shapes p: K p + C'f = 0, C p = 1
 * then all of them together as one small problem, without the six rigid motions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pi.h"
#include "base/krylov.h"
#include "base/lapack.h"
#include "base/reflectors.h"
#include "base/symmetric_modes.h"
#include "flexible/body.h"
#include "flexible/modes_parts.h"

/* s over the first elastic lambda: less, and rigid motion takes digits of static shapes; more, and
 * they take more steps. */
static const double SHIFT = 1e-2;

/* Rigid motion with more than this share of the first elastic lambda is held. */
static const double RIGID = 1e-3;

/* A singular value of the interfaces' rigid motion below this holds nothing. */
static const double HOLDS = 1e-8;

/* lambda above this many times the lowest: no mass. */
static const double MASSLESS = 1e16;

typedef rt_modes_work modes_work;

static size_t modes_column(const modes_work *w, int k) { return rt_modes_column(w, k); }

/* ---- the shift ------------------------------------------------------------------------------ */

static routh_status modes_shift(modes_work *w, double s)
{
    const int entries = w->b->fe->pattern.start[w->b->n];
    w->s = s;
    for (int k = 0; k < entries; k++) w->shifted[k] = w->b->K[k] + s * w->b->M[k];
    return rt_body_solver_factor(w->solver, w->shifted, w->error);
}

/* The lowest lambda beyond the six of rigid motions; 0: as good as one of them. */
static routh_status first_elastic(const modes_work *w, double *lambda)
{
    const rt_pattern *fe = &w->b->fe->pattern;
    const rt_symmetric_pencil pencil = {fe, fe, w->b->K, w->b->M, 0, NULL, NULL};
    const rt_symmetric_request request = {.count = 7, .near = 0};
    rt_symmetric_modes lowest;
    rt_arena own = {0};
    routh_status status = rt_symmetric_modes_find(&lowest, &pencil, &request, &own, w->error);
    if (!status && lowest.found < 7)
        status =
            rt_fail(w->error, ROUTH_MODEL_ERROR, "the body has no elastic mode; use a rigid body");
    if (!status) *lambda = lowest.value[6] > lowest.error[6] ? lowest.value[6] : 0;
    rt_arena_free(&own);
    return status;
}

/* r'K r of the rigid motions must be nothing beside the first elastic mode. */
static routh_status check_rigid(modes_work *w, double lambda)
{
    static const char *const names[] = {"displacement along x", "displacement along y",
                                        "displacement along z", "rotation about x",
                                        "rotation about y",     "rotation about z"};
    int worst = 0;
    for (int k = 0; k < 6; k++) {
        const double *r = w->b->R + modes_column(w, k);
        rt_body_times(w->b, w->b->K, r, w->y);
        const double stiff = fabs(rt_body_dot(w->b->n, r, w->y));
        rt_body_times(w->b, w->b->M, r, w->y);
        w->report->rigid[k] = stiff / rt_body_dot(w->b->n, r, w->y) / fabs(lambda);
        if (w->report->rigid[k] > w->report->rigid[worst]) worst = k;
    }
    if (lambda > 0 && w->report->rigid[worst] < RIGID) return ROUTH_OK;
    if (w->report->rigid[worst] * fabs(lambda) > 1e-9 * w->b->largest)
        return rt_fail(w->error, ROUTH_MODEL_ERROR,
                       "the stiffness resists a rigid %s, so the body has a support; export the "
                       "matrices without supports",
                       names[worst]);
    return rt_fail(w->error, ROUTH_MODEL_ERROR,
                   "the body has more than six motions without stiffness; connect its parts, and "
                   "constrain free rotations of nodes");
}

static routh_status modes_choose_shift(modes_work *w)
{
    double lambda = 0;
    const int entries = w->b->fe->pattern.start[w->b->n];
    w->shifted = RT_TAKE(w->arena, double, entries);
    w->y = RT_TAKE(w->arena, double, w->b->n);
    if (!w->shifted || !w->y) return rt_fail_memory(w->error);
    routh_status status = first_elastic(w, &lambda);
    if (!status) status = check_rigid(w, lambda);
    if (!status) status = rt_body_solver_create(&w->solver, w->b, w->arena, w->error);
    return status ? status : modes_shift(w, SHIFT * lambda);
}

/* ---- interfaces ----------------------------------------------------------------------------- */

/* What row i of C is multiplied with: those of rotations have the dimension one over length. */
static double row_scale(const modes_work *w, int i)
{
    for (int j = 0; j < 3; j++)
        if (fabs(rt_body_row(&w->rows, i, w->b->R + modes_column(w, j))) > 1e-9) return 1;
    return w->b->size;
}

/* Motions of the interfaces beside those of rigid ones, which the leading left singular vectors
 * make up: U, `room` long, of C R in the scales of its rows. */
static routh_status find_bent(modes_work *w, const double *U, int room)
{
    const int m = w->rows.n, seen = 6 - w->n_left;
    rt_reflectors q;
    double *a = RT_TAKE(w->arena, double, (size_t)m *(size_t)seen);
    w->n_bent = m - seen;
    w->bent = RT_TAKE(w->arena, double, (size_t)m *(size_t)w->n_bent);
    if (!a || !w->bent) return rt_fail_memory(w->error);
    for (int k = 0; k < seen; k++)
        memcpy(a + (size_t)m * (size_t)k, U + (size_t)room * (size_t)k, (size_t)m * sizeof *a);
    const routh_status status = rt_reflectors_make(&q, m, seen, a, w->arena, w->error);
    if (status) return status;
    rt_reflectors_null(&q, w->bent);
    for (int k = 0; k < w->n_bent; k++)
        for (int i = 0; i < m; i++) w->bent[i + (size_t)m * (size_t)k] *= row_scale(w, i);
    return ROUTH_OK;
}

/* Which rigid motions C leaves: the null space of C R, rotations times the size of the body, rows
 * that are rotations too. */
static routh_status modes_find_left(modes_work *w)
{
    const int m = w->rows.n, room = m > 6 ? m : 6;
    double *A = RT_TAKE(w->arena, double, 6 * (size_t)room);
    double *U = RT_TAKE(w->arena, double, (size_t)room *(size_t)room);
    double sigma[6], vt[36];
    if (!A || !U) return rt_fail_memory(w->error);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < 6; j++)
            A[(size_t)i + (size_t)room * (size_t)j] =
                rt_body_row(&w->rows, i, w->b->R + modes_column(w, j)) / (j < 3 ? 1 : w->b->size) *
                row_scale(w, i);
    const routh_status status = rt_svd(room, 6, A, sigma, U, vt, w->error);
    if (status) return status;
    w->report->interface = sigma[5] / sigma[0];
    while (w->n_left < 6 && sigma[5 - w->n_left] < HOLDS * sigma[0]) w->n_left++;
    w->report->n_free = w->n_left;
    w->left = RT_TAKE(w->arena, double, modes_column(w, w->n_left));
    if (!w->left) return rt_fail_memory(w->error);
    for (int k = 0; k < w->n_left; k++)
        for (int j = 0; j < 6; j++)
            for (int i = 0; i < w->b->n; i++)
                w->left[modes_column(w, k) + (size_t)i] += vt[(5 - k) + 6 * j] /
                                                           (j < 3 ? 1 : w->b->size) *
                                                           w->b->R[modes_column(w, j) + (size_t)i];
    return find_bent(w, U, room);
}

/* u -= Q Q'M u over count M-orthonormal columns, no more than the rigid motions */
static void modes_take_out(const modes_work *w, int count, const double *Q, double *u)
{
    double parts[6];
    for (int pass = 0; pass < 2; pass++) {
        rt_body_times(w->b, w->b->M, u, w->y);
        rt_take_out(w->b->n, count, Q, NULL, 1, u, w->y, parts, 6);
    }
}

static void modes_normalize(const modes_work *w, double *u)
{
    rt_body_times(w->b, w->b->M, u, w->y);
    const double norm = sqrt(rt_body_dot(w->b->n, u, w->y));
    for (int i = 0; i < w->b->n; i++) u[i] /= norm;
}

/* Z = (K + s M)^-1 C', G = C Z factored */
static routh_status make_flexibility(modes_work *w)
{
    const int m = w->rows.n;
    w->Z = RT_TAKE(w->arena, double, modes_column(w, m));
    w->G = RT_TAKE(w->arena, double, (size_t)m *(size_t)m);
    if (!w->Z || !w->G) return rt_fail_memory(w->error);
    for (int j = 0; j < m; j++)
        for (int k = w->rows.start[j]; k < w->rows.start[j + 1]; k++)
            w->Z[modes_column(w, j) + (size_t)w->rows.dof[k]] += w->rows.weight[k];
    routh_status status = rt_body_solve(w->solver, w->Z, m, w->error);
    if (status) return status;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++)
            w->G[i + (size_t)m * (size_t)j] = rt_body_row(&w->rows, i, w->Z + modes_column(w, j));
    if (rt_cholesky_factor(m, w->G, NULL) != ROUTH_OK)
        return rt_fail(w->error, ROUTH_MODEL_ERROR,
                       "the interfaces depend on each other, because some are the same node or "
                       "sets of the same nodes; remove one of them");
    return ROUTH_OK;
}

/* r := what is added to the static shapes p, all m of them, f: multipliers. */
static routh_status modes_improve(modes_work *w, const double *p, double *r, double *f)
{
    const int m = w->rows.n;
    for (int k = 0; k < m; k++)
        rt_body_times(w->b, w->b->K, p + modes_column(w, k), r + modes_column(w, k));
    for (size_t j = 0; j < modes_column(w, m); j++) r[j] = -r[j];
    routh_status status = rt_body_solve(w->solver, r, m, w->error);
    for (int k = 0; k < m && !status; k++) {
        double *const rk = r + modes_column(w, k);
        for (int i = 0; i < m; i++)
            f[i] = (i == k) - rt_body_row(&w->rows, i, p + modes_column(w, k)) -
                   rt_body_row(&w->rows, i, rk);
        status = rt_cholesky_solve(m, w->G, 1, f, w->error);
        for (int i = 0; i < m && !status; i++)
            for (int j = 0; j < w->b->n; j++) rk[j] += f[i] * w->Z[modes_column(w, i) + (size_t)j];
        if (!status) modes_take_out(w, w->n_left, w->left, rk);
    }
    return status;
}

/* The front of the basis becomes the static shapes p of motions of the interfaces that are not
 * rigid: of a rigid one solving would leave nothing but rounding. */
static void take_bent(modes_work *w, const double *p)
{
    const int m = w->rows.n;
    for (int k = 0; k < w->n_bent; k++)
        for (int i = 0; i < m; i++)
            for (int j = 0; j < w->b->n; j++)
                w->basis[modes_column(w, k) + (size_t)j] +=
                    w->bent[i + (size_t)m * (size_t)k] * p[modes_column(w, i) + (size_t)j];
}

/* K p + C'f = 0, C p = 1, by the factor of K + s M again and again; each time the error shrinks to
 * s / (s + lambda of the first fixed-interface mode). */
static routh_status static_shapes(modes_work *w)
{
    const int m = w->rows.n;
    double *p = RT_TAKE(w->arena, double, modes_column(w, m));
    double *r = RT_TAKE(w->arena, double, modes_column(w, m)), *f = RT_TAKE(w->arena, double, m);
    if (!p || !r || !f) return rt_fail_memory(w->error);
    bool done = false;
    for (int tries = 0; tries < 12 && !done; tries++) {
        const routh_status status = modes_improve(w, p, r, f);
        if (status) return status;
        done = true;
        for (int k = 0; k < m; k++) {
            double *const to = p + modes_column(w, k), *const by = r + modes_column(w, k);
            for (int j = 0; j < w->b->n; j++) to[j] += by[j];
            done = done && rt_body_dot(w->b->n, by, by) <= 1e-24 * rt_body_dot(w->b->n, to, to);
        }
    }
    take_bent(w, p);
    return ROUTH_OK;
}

/* ---- which modes ---------------------------------------------------------------------------- */

/* Rows of the interfaces, rigid motion they leave, flexibility: once for all. */
static routh_status prepare_interfaces(modes_work *w)
{
    if (w->how->kind != RT_REDUCE_CRAIG_BAMPTON || w->Z) return ROUTH_OK;
    routh_status status = rt_body_interfaces(&w->rows, w->b, w->how, w->arena, w->error);
    if (!status) status = modes_find_left(w);
    for (int k = 0; k < w->n_left && !status; k++) {
        modes_take_out(w, k, w->left, w->left + modes_column(w, k));
        modes_normalize(w, w->left + modes_column(w, k));
    }
    return status ? status : make_flexibility(w);
}

/* In units of the file. */
static void user_shapes(const modes_work *w, double *to)
{
    const double length = w->how->unit > 0 ? w->how->unit : 1;
    for (int k = 0; k < w->how->n_shapes; k++)
        for (int i = 0; i < w->b->n; i++)
            to[modes_column(w, k) + (size_t)i] = (w->b->fe->direction[i] > 2 ? 1 : length) *
                                                 w->how->shapes[modes_column(w, k) + (size_t)i];
}

static void clean(modes_work *w);

routh_status rt_modes_basis(modes_work *w, int n_modes, double cut)
{
    double *vectors = NULL;
    const bool held = w->how->kind == RT_REDUCE_CRAIG_BAMPTON && !w->how->free_modes;
    routh_status status = prepare_interfaces(w);
    w->n_normal = 0;
    if (!status && w->how->kind != RT_REDUCE_USER)
        status = rt_modes_normal(w, held, n_modes, cut, &vectors);
    if (status) return status;
    const int before = w->n_bent + w->how->n_shapes;
    w->n_basis = before + w->n_normal;
    w->basis = RT_TAKE(w->arena, double, modes_column(w, w->n_basis));
    if (!w->basis) return rt_fail_memory(w->error);
    if (w->n_normal)
        memcpy(w->basis + modes_column(w, before), vectors,
               modes_column(w, w->n_normal) * sizeof *vectors);
    user_shapes(w, w->basis + modes_column(w, w->n_bent));
    if (w->rows.n) status = static_shapes(w);
    if (!status) clean(w);
    return status;
}

/* ---- the small problem ---------------------------------------------------------------------- */

/* Rigid motion out of every column, unit mass; a column of nothing else is dropped. */
static void clean(modes_work *w)
{
    int kept = 0;
    for (int k = 0; k < w->n_basis; k++) {
        double *u = w->basis + modes_column(w, kept);
        if (kept != k) memcpy(u, w->basis + modes_column(w, k), modes_column(w, 1) * sizeof *u);
        rt_body_times(w->b, w->b->M, u, w->y);
        const double before = rt_body_dot(w->b->n, u, w->y);
        modes_take_out(w, 6, w->b->Q, u);
        rt_body_times(w->b, w->b->M, u, w->y);
        const double after = rt_body_dot(w->b->n, u, w->y);
        if (!(after > 1e-20 * before)) continue;
        modes_normalize(w, u);
        kept++;
    }
    w->n_basis = kept;
}

void rt_modes_project(const modes_work *w, const double *A, double *out)
{
    const int m = w->n_basis;
    for (int j = 0; j < m; j++) {
        rt_body_times(w->b, A, w->basis + modes_column(w, j), w->y);
        for (int i = 0; i <= j; i++)
            out[i + (size_t)m * (size_t)j] = out[j + (size_t)m * (size_t)i] =
                rt_body_dot(w->b->n, w->basis + modes_column(w, i), w->y);
    }
}

/* By the eigenvectors of S, scaled to a unit diagonal. */
routh_status rt_modes_independent(int m, int n, const double *S, double *T, double *room, int *rank,
                                  routh_error *error)
{
    double *values = room, *d = room + m;
    for (int k = 0; k < m; k++) d[k] = 1 / sqrt(S[(size_t)k * (size_t)(n + 1)]);
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++)
            T[i + (size_t)m * (size_t)j] = S[i + (size_t)n * (size_t)j] * d[i] * d[j];
    const routh_status status = rt_symmetric_eigen(m, T, values, error);
    if (status) return status;
    *rank = 0;
    for (int k = 0; k < m; k++) {
        if (!(values[k] > 1e-13 * values[m - 1])) continue;
        for (int i = 0; i < m; i++)
            T[i + (size_t)m * (size_t)*rank] =
                d[i] * T[i + (size_t)m * (size_t)k] / sqrt(values[k]);
        ++*rank;
    }
    return ROUTH_OK;
}

/* basis := basis T (n_basis x rank) */
static routh_status modes_combine(modes_work *w, const double *T, int rank, double **out)
{
    double *shape = RT_TAKE(w->arena, double, modes_column(w, rank));
    if (!shape) return rt_fail_memory(w->error);
    for (int j = 0; j < rank; j++)
        for (int k = 0; k < w->n_basis; k++) {
            const double x = T[k + (size_t)w->n_basis * (size_t)j];
            const double *u = w->basis + modes_column(w, k);
            double *v = shape + modes_column(w, j);
            for (int i = 0; i < w->b->n; i++) v[i] += x * u[i];
        }
    *out = shape;
    return ROUTH_OK;
}

/* The modes of the body within the basis: M v = mu (K + s M) v. */
static routh_status small_problem(modes_work *w, rt_body_modes *modes)
{
    const int m = w->n_basis;
    if (m < 1)
        return rt_fail(w->error, ROUTH_MODEL_ERROR,
                       "no elastic mode is kept; give "
                       "interfaces (--interface) or a number "
                       "of modes (--modes)");
    double *T = RT_TAKE(w->arena, double, (size_t)m *(size_t)m), *better;
    double *A = RT_TAKE(w->arena, double, (size_t)m *(size_t)m);
    double *B = RT_TAKE(w->arena, double, (size_t)m *(size_t)m);
    double *mu = RT_TAKE(w->arena, double, 2 * (size_t)m);
    int rank = 0;
    if (!T || !A || !B || !mu) return rt_fail_memory(w->error);
    rt_modes_project(w, w->shifted, B);
    routh_status status = rt_modes_independent(m, m, B, T, mu, &rank, w->error);
    if (!status) status = modes_combine(w, T, rank, &better);
    if (status) return status;
    w->basis = better;
    w->n_basis = rank;
    rt_modes_project(w, w->b->M, A);
    rt_modes_project(w, w->shifted,
                     B); /* nearly the unit matrix: once more, without cancellation */
    status = rt_symmetric_generalized_eigen(rank, A, B, mu, w->error);
    if (status) return status;
    modes->lambda = RT_TAKE(w->arena, double, rank);
    if (!modes->lambda) return rt_fail_memory(w->error);
    double *order = T; /* best first */
    for (int k = rank - 1; k >= 0; k--) {
        if (!(mu[k] > mu[rank - 1] / MASSLESS)) {
            w->report->n_massless++;
            continue;
        }
        memcpy(order + (size_t)rank * (size_t)modes->n, A + (size_t)rank * (size_t)k,
               (size_t)rank * sizeof *order);
        modes->lambda[modes->n++] = 1 / mu[k] - w->s;
    }
    return modes_combine(w, order, modes->n, &modes->shape);
}

/* Unit mass, no rigid motion, the largest entry positive. */
static void modes_finish(modes_work *w, rt_body_modes *modes)
{
    for (int k = 0; k < modes->n; k++) {
        double *u = modes->shape + modes_column(w, k), largest = 0;
        modes_take_out(w, 6, w->b->Q, u);
        modes_normalize(w, u);
        for (int i = 0; i < w->b->n; i++)
            if (fabs(u[i]) > fabs(largest) * (1 + 1e-6)) largest = u[i];
        for (int i = 0; i < w->b->n && largest < 0; i++) u[i] = -u[i];
    }
}

static double hertz(double lambda) { return sqrt(fmax(lambda, 0)) / RT_TWO_PI; }

/* Free modes alone need no small problem. */
static routh_status modes_choose(modes_work *w, rt_body_modes *modes)
{
    const rt_reduction *how = w->how;
    const double cut = pow(RT_TWO_PI * fmax(how->cut, how->below), 2);
    routh_status status;
    if (how->kind == RT_REDUCE_FREE && !how->n_shapes) {
        status = rt_modes_normal(w, false, how->n_modes, cut, &modes->shape);
        modes->n = w->n_normal;
        modes->lambda = w->lambda;
        return status;
    }
    status = how->below > 0 ? rt_modes_enough(w) : rt_modes_basis(w, how->n_modes, cut);
    return status ? status : small_problem(w, modes);
}

static routh_status modes_reduce(modes_work *w, rt_body_modes *modes)
{
    routh_status status = modes_choose_shift(w);
    if (!status && w->how->below > 0) status = rt_modes_count(w);
    if (!status) status = modes_choose(w, modes);
    if (status) return status;
    w->report->n_normal = w->n_normal;
    w->report->first_left_out = hertz(w->next);
    if (modes->n < 1)
        return rt_fail(w->error, ROUTH_MODEL_ERROR,
                       "no elastic mode is below %g Hz; give a higher "
                       "frequency",
                       fmax(w->how->cut, w->how->below));
    modes_finish(w, modes);
    return ROUTH_OK;
}

routh_status rt_body_reduce(rt_body_modes *modes, rt_reduction_report *report, const rt_body_fe *b,
                            const rt_reduction *how, rt_arena *arena, routh_error *error)
{
    modes_work w = {.b = b, .how = how, .arena = arena, .error = error, .report = report};
    *modes = (rt_body_modes){0};
    const routh_status status = modes_reduce(&w, modes);
    rt_body_solver_free(w.solver);
    return status;
}
