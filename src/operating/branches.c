/* The motions that meet in a singular configuration, and the eigenvalues of each.
 *
 * Directions c with Q_y(c) = 0 for all y (second_order.h). Forms that do not see some directions
 * leave these free on every branch. Along a branch with tangent V, to first order
 *     V'M V z'' + V'D V z' + V'K V z = 0,
 * exactly: the second-order part of the path adds -lambda' Phi_xx[v, v] to the potential, which is
 * the multiplier term of K. With y in place of lambda that is Q_y = 0, so K along V is the same
 * for all lambda that balance. */
#include <stdlib.h>

#include "base/lapack.h"
#include "operating/quadrics.h"
#include "operating/second_order.h"

/* The object with its memory; the public part comes first. */
typedef struct branches_holder {
    routh_branches branches;
    rt_arena arena;
} branches_holder;

void routh_branches_free(routh_branches *branches)
{
    if (!branches) return;
    branches_holder *h = (branches_holder *)(void *)branches;
    rt_arena_free(&h->arena);
    free(h);
}

typedef struct branches_task {
    rt_search search;
    rt_arena arena;
    rt_second_order second;
    int p, shared; /* directions that the forms see, and that they do not see */
    double *turn;  /* z x z: columns, first those seen */
    rt_quadric_zeros zeros;
    double *V, *y; /* n_u x (1 + shared), n_u */
} branches_task;

/* ---- is there anything to look for ---------------------------------------------------------- */

static bool branches_moves(const routh_operating_point *point)
{
    for (int b = 0; b < point->n_bodies; b++)
        for (int i = 0; i < 3; i++)
            if (point->bodies[b].velocity[i] != 0 || point->bodies[b].angular_velocity[i] != 0)
                return true;
    return false;
}

static routh_status branches_check(const routh_mechanism *m, const routh_operating_point *point,
                                   routh_error *error)
{
    if (branches_moves(point))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "branches of motion are found only at rest, but here the mechanism moves; "
                       "use --at static");
    if (!(point->residual <= 1e-9))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "branches of motion are found only at rest, but here the mechanism is not "
                       "in equilibrium (%.2g of the largest force); use --at static",
                       point->residual);
    if (m->pattern_L.start[m->n_rows])
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "branches of motion are not found if expressions use joint forces, which "
                       "are not determined in a singular configuration; leave out --branches, or "
                       "these expressions");
    if (m->n_nonholonomic)
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "branches of motion are not found with nonholonomic joints; leave out "
                       "--branches, or these joints");
    if (!rt_second_order_fits(m))
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                       "branches of motion are found for at most %d velocity variables and %d "
                       "constraint equations, but this mechanism has %d and %d; use a smaller "
                       "model",
                       RT_SECOND_ORDER_MOST, 2 * RT_SECOND_ORDER_MOST, m->n_u, m->n_rows);
    return ROUTH_OK;
}

/* ---- directions ----------------------------------------------------------------------------- */

/* The right singular vectors of the forms under each other: those of singular value zero are
 * directions that no form sees. */
static routh_status split_directions(branches_task *t, routh_error *error)
{
    enum { MOST_ROWS = 20000 };
    const rt_second_order *o = &t->second;
    const int z = o->z;
    if (o->n_forms * z > MOST_ROWS)
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                       "the constraints have %d independent conditions of second order here, too "
                       "many to solve; use a smaller model",
                       o->n_forms);
    const size_t rows = (size_t)(o->n_forms * z), columns = (size_t)z;
    double *A = RT_TAKE(&t->arena, double, rows *columns);
    double *sigma = RT_TAKE(&t->arena, double, columns);
    double *Vt = RT_TAKE(&t->arena, double, columns *columns);
    t->turn = RT_TAKE(&t->arena, double, columns *columns);
    if (!A || !sigma || !Vt || !t->turn) return rt_fail_memory(error);
    for (int f = 0; f < o->n_forms; f++)
        for (size_t j = 0; j < columns; j++)
            for (size_t i = 0; i < columns; i++)
                A[(size_t)f * columns + i + rows * j] =
                    o->forms[(size_t)f * columns * columns + i + columns * j];
    const routh_status status = rt_svd((int)rows, z, A, sigma, NULL, Vt, error);
    if (status) return status;
    while (t->p < z && sigma[t->p] > 1e-7) t->p++;
    t->shared = z - t->p;
    for (size_t j = 0; j < columns; j++)
        for (size_t i = 0; i < columns; i++) t->turn[i + columns * j] = Vt[j + columns * i];
    return ROUTH_OK;
}

/* The forms on the directions they see, p x p each. */
static routh_status branches_find_zeros(branches_task *t, routh_error *error)
{
    const rt_second_order *o = &t->second;
    const int z = o->z, p = t->p;
    if (p > RT_QUADRICS_MOST_VARIABLES)
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                       "this configuration is singular in %d directions at once, but branches of "
                       "motion are found for at most %d; use a smaller model",
                       p, RT_QUADRICS_MOST_VARIABLES);
    double *reduced = RT_TAKE(&t->arena, double, (size_t)(o->n_forms * p * p));
    if (!reduced) return rt_fail_memory(error);
    for (int f = 0; f < o->n_forms; f++) {
        const double *Q = o->forms + (size_t)f * (size_t)(z * z);
        for (int a = 0; a < p; a++)
            for (int b = 0; b < p; b++)
                for (int i = 0; i < z; i++)
                    for (int j = 0; j < z; j++)
                        reduced[(f * p + b) * p + a] +=
                            t->turn[i + z * a] * Q[i + z * j] * t->turn[j + z * b];
    }
    const routh_status status = rt_quadrics_solve(&t->zeros, p, o->n_forms, reduced, error);
    if (!status && t->zeros.surface)
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "the branches of motion that meet here cannot be listed, because they are "
                       "surfaces or more than %d; leave out --branches",
                       RT_QUADRICS_MOST_ZEROS);
    return status;
}

/* V = N turn [c; 0], then N times the directions that no form sees. c NULL: those alone. */
static int span_branch(branches_task *t, const double *c)
{
    const rt_second_order *o = &t->second;
    const size_t n = (size_t)t->search.m->n_u, z = (size_t)o->z;
    size_t to = 0;
    memset(t->V, 0, n * (size_t)(1 + t->shared) * sizeof *t->V);
    for (size_t a = 0; a < z; a++) {
        const bool own = a < (size_t)t->p;
        if (own && !c) continue;
        if (!own) to = a - (size_t)t->p + (c ? 1 : 0);
        for (size_t i = 0; i < z; i++)
            for (size_t k = 0; k < n; k++)
                t->V[k + n * to] += o->N[k + n * i] * t->turn[i + z * a] * (own ? c[a] : 1);
    }
    return t->shared + (c ? 1 : 0);
}

/* ---- eigenvalues ---------------------------------------------------------------------------- */

/* out = V' X V, d x d, column-major */
static void branches_project(branches_task *t, int d, const rt_pattern *pattern,
                             const double *values, double *out)
{
    const size_t n = (size_t)t->search.m->n_u;
    for (int j = 0; j < d; j++) {
        memset(t->y, 0, n * sizeof *t->y);
        rt_sparse_multiply_add(pattern, values, 1, t->V + n * (size_t)j, t->y);
        for (int i = 0; i < d; i++) {
            out[i + d * j] = 0;
            for (size_t k = 0; k < n; k++) out[i + d * j] += t->V[k + n * (size_t)i] * t->y[k];
        }
    }
}

/* Roots of m s^2 + d s + k */
static void two_roots(double m, double d, double k, double (*s)[2])
{
    const double half = d / (2 * m), under = half * half - k / m;
    memset(s, 0, 2 * sizeof *s);
    if (under < 0) {
        s[0][0] = s[1][0] = 0 - half;
        s[0][1] = -sqrt(-under);
        s[1][1] = sqrt(-under);
        return;
    }
    const double far = half >= 0 ? 0 - half - sqrt(under) : sqrt(under) - half;
    s[1][0] = far;
    s[0][0] = far != 0 ? k / m / far : 0;
}

static int branches_by_modulus(const void *a, const void *b)
{
    const double *x = a, *y = b;
    const double size_x = hypot(x[0], x[1]), size_y = hypot(y[0], y[1]);
    if (fabs(size_x - size_y) > 1e-12 * (size_x + size_y)) return size_x < size_y ? -1 : 1;
    if (x[1] != y[1]) return x[1] < y[1] ? -1 : 1;
    return x[0] < y[0] ? -1 : x[0] > y[0];
}

/* Of [0 I; -M^-1 K  -M^-1 D] */
static routh_status many_roots(branches_task *t, int d, double *M, double *D, double *K,
                               double (*s)[2], routh_error *error)
{
    const size_t n = 2 * (size_t)d;
    double *A = RT_TAKE(&t->arena, double, 3 * n * n + 3 * n);
    int *pivots = RT_TAKE(&t->arena, int, d);
    if (!A || !pivots) return rt_fail_memory(error);
    double *left = A + n * n, *right = left + n * n, *re = right + n * n;
    rt_eigen e = {.re = re, .im = re + n, .left = left, .right = right, .rcond = re + 2 * n};
    routh_status status = rt_lu_factor(d, M, pivots, error);
    if (!status) status = rt_lu_solve(d, M, pivots, d, K, 0, error);
    if (!status) status = rt_lu_solve(d, M, pivots, d, D, 0, error);
    if (status) return status;
    for (int i = 0; i < d; i++) {
        A[(size_t)i + n * (size_t)(d + i)] = 1;
        for (int j = 0; j < d; j++) {
            A[(size_t)(d + i) + n * (size_t)j] = -K[i + d * j];
            A[(size_t)(d + i) + n * (size_t)(d + j)] = -D[i + d * j];
        }
    }
    status = rt_general_eigen((int)n, A, &e, error);
    for (size_t k = 0; k < n && !status; k++) s[k][0] = e.re[k], s[k][1] = e.im[k];
    return status;
}

static routh_status find_eigenvalues(branches_task *t, routh_branch *branch, routh_error *error)
{
    const int d = branch->degrees_of_freedom;
    const routh_mechanism *m = t->search.m;
    const rt_workspace *w = t->search.w;
    const size_t size = (size_t)d * (size_t)d;
    double *M = RT_TAKE(&t->arena, double, 3 * size);
    if (!M) return rt_fail_memory(error);
    double *D = M + size, *K = D + size;
    branches_project(t, d, &m->pattern_M, w->M, M);
    branches_project(t, d, &m->pattern_K, w->D, D);
    branches_project(t, d, &m->pattern_K, w->K, K);
    routh_status status = ROUTH_OK;
    if (d == 1)
        two_roots(M[0], D[0], K[0], branch->eigenvalues);
    else
        status = many_roots(t, d, M, D, K, branch->eigenvalues, error);
    if (!status)
        qsort(branch->eigenvalues, 2 * (size_t)d, sizeof *branch->eigenvalues, branches_by_modulus);
    return status;
}

/* ---- what is given back --------------------------------------------------------------------- */

static void find_motion(const branches_task *t, int direction, double *motion)
{
    const routh_mechanism *m = t->search.m;
    const double *v = t->V + (size_t)m->n_u * (size_t)direction;
    double size = 0;
    for (int b = 0; b < m->n_bodies; b++) {
        const rt_block *block = &m->bodies[b].block;
        rt_map map;
        m->set->map(b, t->search.state->q, t->search.state->u, t->search.state->udot,
                    &t->search.w->bodies[b], &map);
        for (int i = 0; i < 6; i++) {
            double sum = 0;
            for (int c = 0; c < map.n; c++) sum += map.J[i * map.n + c] * v[block->columns[c]];
            motion[6 * b + i] = sum;
            if (fabs(sum) > fabs(size) * (1 + 1e-9)) size = sum;
        }
    }
    for (int i = 0; i < 6 * m->n_bodies && size != 0; i++) {
        motion[i] /= size;
        if (fabs(motion[i]) < 1e-12) motion[i] = 0;
    }
}

static routh_status add_branch(branches_holder *h, branches_task *t, const double *c, bool certain,
                               routh_error *error)
{
    const int n_bodies = t->search.m->n_bodies;
    routh_branch *branch = &h->branches.branches[h->branches.n];
    const int d = span_branch(t, c);
    *branch = (routh_branch){.degrees_of_freedom = d, .certain = certain, .n_eigenvalues = 2 * d};
    branch->eigenvalues = rt_arena_take(&h->arena, 2 * (size_t)d, sizeof *branch->eigenvalues);
    branch->motion = RT_TAKE(&h->arena, double, (size_t)d * 6 * (size_t)n_bodies);
    if (!branch->eigenvalues || !branch->motion) return rt_fail_memory(error);
    for (int k = 0; k < d; k++)
        find_motion(t, k, branch->motion + (size_t)k * 6 * (size_t)n_bodies);
    h->branches.n++;
    return find_eigenvalues(t, branch, error);
}

static routh_status name_undetermined(branches_holder *h, branches_task *t, routh_error *error)
{
    const routh_mechanism *m = t->search.m;
    double *force = RT_TAKE(&t->arena, double, m->n_constraints);
    h->branches.undetermined = RT_TAKE(&h->arena, const char *, m->n_constraints);
    if (!force || !h->branches.undetermined) return rt_fail_memory(error);
    const routh_status status =
        rt_undetermined_forces(&t->second, &t->search, &t->arena, force, error);
    for (int c = 0; c < m->n_constraints && !status; c++)
        if (force[c] > RT_UNDETERMINED_LEAST)
            h->branches.undetermined[h->branches.n_undetermined++] =
                m->model->joints[m->constraints[c].constraint.joint].name;
    return status;
}

/* The forms, as many as there are rows that gain here, cross in a simple zero: by the theorem of
 * implicit functions a curve goes through. */
static bool is_certain(const branches_holder *h, const branches_task *t,
                       const rt_quadric_zero *zero)
{
    const int gained = h->branches.degrees_of_freedom - h->branches.nearby;
    return zero->simple && t->second.n_forms == t->p - 1 && gained == t->second.n_forms;
}

static int by_frequency(const void *a, const void *b)
{
    const routh_branch *x = a, *y = b;
    return branches_by_modulus(x->eigenvalues[0], y->eigenvalues[0]);
}

static routh_status list_branches(branches_holder *h, branches_task *t, routh_error *error)
{
    routh_status status = split_directions(t, error);
    if (!status) status = branches_find_zeros(t, error);
    if (status) return status;
    const int n = t->zeros.n;
    h->branches.all = t->zeros.all;
    h->branches.branches = RT_TAKE(&h->arena, routh_branch, n + 1);
    t->V = RT_TAKE(&t->arena, double, (size_t)t->search.m->n_u *(size_t)(1 + t->shared));
    t->y = RT_TAKE(&t->arena, double, t->search.m->n_u);
    if (!h->branches.branches || !t->V || !t->y) return rt_fail_memory(error);
    status = rt_evaluate(t->search.m, t->search.w, t->search.state, RT_EVALUATE_ALL, error);
    for (int k = 0; k < n && !status; k++)
        status = add_branch(h, t, t->zeros.zero[k].c, is_certain(h, t, &t->zeros.zero[k]), error);
    if (!status && n == 0 && t->shared > 0) status = add_branch(h, t, NULL, false, error);
    if (!status)
        qsort(h->branches.branches, (size_t)h->branches.n, sizeof(routh_branch), by_frequency);
    return status;
}

static routh_status branches_find(branches_holder *h, branches_task *t, const routh_mechanism *m,
                                  const rt_state *state, routh_error *error)
{
    rt_search *s = &t->search;
    int rank;
    routh_status status = rt_search_create(s, m, 1e-12, 200, error);
    if (status) return status;
    rt_state_copy(m, s->state, state);
    status = rt_evaluate(m, s->w, s->state, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN, error);
    if (!status) status = rt_find_rank(s, error);
    if (!status) status = rt_rank_nearby(s, &rank, error);
    if (status) return status;
    h->branches.n_bodies = m->n_bodies;
    h->branches.degrees_of_freedom = m->n_u - s->rank->rank;
    h->branches.nearby = m->n_u - rank;
    h->branches.all = 1;
    status = rt_second_order_find(&t->second, s, &t->arena, error);
    if (status || t->second.n_forms == 0) return status;
    h->branches.singular = 1;
    status = name_undetermined(h, t, error);
    return status ? status : list_branches(h, t, error);
}

/* Branches are those of the mechanism, whatever its coordinates: of those that bodies share, the
 * base is taken. */
routh_status routh_branches_find(routh_branches **branches, const routh_mechanism *mechanism,
                                 const routh_operating_point *point, routh_error *error)
{
    *branches = NULL;
    const routh_mechanism *m = mechanism->base ? mechanism->base : mechanism;
    routh_status status = branches_check(m, point, error);
    if (status) return status;
    branches_holder *h = calloc(1, sizeof *h);
    if (!h) return rt_fail_memory(error);
    branches_task t = {0};
    status = branches_find(h, &t, m, mechanism->base ? point->base_state : point->state, error);
    rt_state_free(t.search.state);
    rt_search_release(&t.search);
    rt_arena_free(&t.arena);
    if (status) {
        routh_branches_free(&h->branches);
        return status;
    }
    *branches = &h->branches;
    return ROUTH_OK;
}
