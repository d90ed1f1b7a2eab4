/* One solve on all ranks: matrices, factors, Krylov-Schur iteration by SLEPc, vectors to rank 0. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "distributed/operator.h"

/* OP larger than this is that of a shift that is an eigenvalue. */
static const double MOST_GROWTH = 1e12;

enum { CHAIN = 3 };

typedef struct solve {
    routh_cluster *cluster;
    const rt_order *order;
    rt_cluster_pencil *pencil; /* rank 0 */
    rt_operator_mpi op;
    Mat shell;
    Vec x, y, re, im, out_re, out_im; /* (xi, du) */
    EPS eps;
    int n_converged, n_restarts;
    double *local, *all; /* this rank's part of a vector; all of it on rank 0 */
    int *counts, *starts;
} solve;

/* ---- the iteration -------------------------------------------------------------------------- */

static PetscErrorCode apply(Mat shell, Vec x, Vec y)
{
    rt_operator_mpi *op;
    PetscCall(MatShellGetContext(shell, &op));
    return rt_operator_apply(op, x, y);
}

static PetscErrorCode make_shell(solve *s)
{
    const PetscInt n = 2 * s->op.n;
    PetscCall(MatCreateShell(s->cluster->comm, n, n, PETSC_DETERMINE, PETSC_DETERMINE, &s->op,
                             &s->shell));
    PetscCall(MatShellSetOperation(s->shell, MATOP_MULT, (void (*)(void))apply));
    PetscCall(MatCreateVecs(s->shell, &s->x, &s->y));
    PetscCall(VecDuplicate(s->x, &s->re));
    PetscCall(VecDuplicate(s->x, &s->im));
    PetscCall(VecDuplicate(s->x, &s->out_re));
    PetscCall(VecDuplicate(s->x, &s->out_im));
    return 0;
}

/* The numbers without a pattern that the serial iteration starts from, by the number of each
 * unknown, so that they do not depend on how many ranks there are. */
static PetscErrorCode fill_start(const solve *s, Vec x)
{
    const int all = s->order->n_coordinates, n = s->op.n;
    const int first = rt_share(all, s->cluster->rank, s->cluster->size);
    unsigned state = 1;
    PetscScalar *value;
    PetscCall(VecGetArray(x, &value));
    for (int i = 0; i < 2 * all; i++) {
        state = state * 1664525u + 1013904223u;
        const int at = i % all - first;
        if (at >= 0 && at < n) value[at + (i < all ? 0 : n)] = state / 4294967296.0 - 0.5;
    }
    PetscCall(VecRestoreArray(x, &value));
    return 0;
}

/* s->x: multiplied by OP as often as a chain of infinite eigenvalues is long */
static PetscErrorCode make_start(solve *s)
{
    PetscCall(fill_start(s, s->x));
    for (int k = 0; k < CHAIN; k++) {
        PetscReal before, after;
        PetscCall(VecNorm(s->x, NORM_2, &before));
        PetscCall(rt_operator_apply(&s->op, s->x, s->y));
        PetscCall(VecNorm(s->y, NORM_2, &after));
        if (!(after <= MOST_GROWTH * before)) s->op.singular = true;
        if (s->op.singular) return 0;
        PetscCall(VecCopy(s->y, s->x));
        if (after > 0) PetscCall(VecScale(s->x, 1 / after));
    }
    return 0;
}

static PetscErrorCode iterate_once(solve *s, PetscInt basis)
{
    PetscInt converged, restarts;
    PetscCall(EPSDestroy(&s->eps));
    PetscCall(EPSCreate(s->cluster->comm, &s->eps));
    PetscCall(EPSSetOperators(s->eps, s->shell, NULL));
    PetscCall(EPSSetProblemType(s->eps, EPS_NHEP));
    PetscCall(EPSSetType(s->eps, EPSKRYLOVSCHUR));
    PetscCall(EPSSetWhichEigenpairs(s->eps, EPS_LARGEST_MAGNITUDE));
    PetscCall(EPSSetDimensions(s->eps, s->order->wanted, basis, PETSC_DEFAULT));
    PetscCall(EPSSetTolerances(s->eps, DBL_EPSILON, s->order->most_restarts));
    PetscCall(EPSSetInitialSpace(s->eps, 1, &s->x));
    PetscCall(EPSSolve(s->eps));
    PetscCall(EPSGetConverged(s->eps, &converged));
    PetscCall(EPSGetIterationNumber(s->eps, &restarts));
    s->n_converged = converged;
    s->n_restarts += restarts;
    return 0;
}

static PetscErrorCode iterate(solve *s)
{
    const int n = 2 * s->order->n_coordinates;
    PetscCall(make_shell(s));
    PetscCall(make_start(s));
    int basis = s->order->basis;
    for (int attempt = 0; attempt < 2 && !s->op.singular; attempt++, basis *= 2) {
        PetscCall(iterate_once(s, basis < n ? basis : n));
        if (s->n_converged >= s->order->wanted || basis >= n) break;
    }
    return 0;
}

/* ---- answers -------------------------------------------------------------------------------- */

static PetscErrorCode take_local(const solve *s, Vec x)
{
    const PetscScalar *value;
    PetscCall(VecGetArrayRead(x, &value));
    memcpy(s->local, value, 2 * (size_t)s->op.n * sizeof *s->local);
    PetscCall(VecRestoreArrayRead(x, &value));
    PetscCall(VecGetArrayRead(s->op.solution, &value));
    memcpy(s->local + 2 * s->op.n, value + s->op.n, (size_t)s->op.m * sizeof *s->local);
    PetscCall(VecRestoreArrayRead(s->op.solution, &value));
    return 0;
}

/* y = (xi, du, lambda) on rank 0: x, and the multipliers of the last solve */
static PetscErrorCode gather(const solve *s, Vec x, double *to)
{
    const routh_cluster *c = s->cluster;
    const int n = s->order->n_coordinates, m = s->order->n_constraints;
    PetscCall(take_local(s, x));
    MPI_Gatherv(s->local, 2 * s->op.n + s->op.m, MPI_DOUBLE, s->all, s->counts, s->starts,
                MPI_DOUBLE, 0, c->comm);
    if (c->rank > 0) return 0;
    const double *from = s->all;
    for (int r = 0; r < c->size; r++) {
        const int i = rt_share(n, r, c->size), k = rt_share(m, r, c->size);
        const size_t n_r = (size_t)(rt_share(n, r + 1, c->size) - i);
        const size_t m_r = (size_t)(rt_share(m, r + 1, c->size) - k);
        memcpy(to + i, from, n_r * sizeof *to);
        memcpy(to + n + i, from + n_r, n_r * sizeof *to);
        memcpy(to + 2 * n + k, from + 2 * n_r, m_r * sizeof *to);
        from += 2 * n_r + m_r;
    }
    return 0;
}

/* |OP x - nu x| / |x|, with OP x in out */
static PetscErrorCode error_of(solve *s, const double nu[2], double *error)
{
    PetscReal off_re, off_im = 0, size_re, size_im = 0;
    PetscCall(VecNorm(s->re, NORM_2, &size_re));
    PetscCall(VecCopy(s->out_re, s->x));
    PetscCall(VecAXPY(s->x, -nu[0], s->re));
    if (nu[1] != 0) {
        PetscCall(VecNorm(s->im, NORM_2, &size_im));
        PetscCall(VecAXPY(s->x, nu[1], s->im));
        PetscCall(VecCopy(s->out_im, s->y));
        PetscCall(VecAXPY(s->y, -nu[0], s->im));
        PetscCall(VecAXPY(s->y, -nu[1], s->re));
        PetscCall(VecNorm(s->y, NORM_2, &off_im));
    }
    PetscCall(VecNorm(s->x, NORM_2, &off_re));
    *error = hypot(off_re, off_im) / hypot(size_re, size_im);
    return 0;
}

/* y = OP x / nu on rank 0 */
static void divide(const routh_shift_invert *p, const double nu[2], double *re, double *im)
{
    const double by = nu[0] * nu[0] + nu[1] * nu[1];
    for (int i = 0; i < p->order; i++) {
        const double x = re[i], y = nu[1] != 0 ? im[i] : 0;
        re[i] = (nu[0] * x + nu[1] * y) / by;
        if (nu[1] != 0) im[i] = (nu[0] * y - nu[1] * x) / by;
    }
}

/* Eigenvalue k of SLEPc, and its conjugate, at place *found of the answers. */
static PetscErrorCode take_pair(solve *s, int k, const double nu[2], int *found)
{
    routh_shift_invert *p = s->pencil ? s->pencil->problem : NULL;
    double *re = p ? p->vectors + (size_t)p->order * (size_t)*found : NULL;
    double *im = p ? re + p->order : NULL, error = 0;
    PetscCall(EPSGetEigenvector(s->eps, k, s->re, s->im));
    PetscCall(rt_operator_apply(&s->op, s->re, s->out_re));
    PetscCall(gather(s, s->out_re, re));
    if (nu[1] != 0) {
        PetscCall(rt_operator_apply(&s->op, s->im, s->out_im));
        PetscCall(gather(s, s->out_im, im));
    }
    PetscCall(error_of(s, nu, &error));
    if (p) divide(p, nu, re, im);
    for (int i = 0; i < (nu[1] != 0 ? 2 : 1); i++, (*found)++) {
        if (!p) continue;
        p->re[*found] = nu[0];
        p->im[*found] = i ? -nu[1] : nu[1];
        p->error[*found] = error;
    }
    return 0;
}

static PetscErrorCode take_answers(solve *s)
{
    int found = 0;
    for (int k = 0; k < s->n_converged;) {
        PetscScalar nu[2];
        PetscCall(EPSGetEigenvalue(s->eps, k, &nu[0], &nu[1]));
        const int values = nu[1] != 0 ? 2 : 1;
        if (found + values > s->order->wanted + 1) break;
        PetscCall(take_pair(s, k, nu, &found));
        k += values;
    }
    if (s->pencil) s->pencil->problem->found = found;
    return 0;
}

/* ---- from beginning to end ------------------------------------------------------------------ */

static void make_room(solve *s)
{
    const int n = s->order->n_coordinates, m = s->order->n_constraints, size = s->cluster->size;
    s->local = malloc((2 * (size_t)s->op.n + (size_t)s->op.m + 1) * sizeof(double));
    s->counts = malloc(2 * (size_t)size * sizeof(int));
    if (s->pencil) s->all = malloc((2 * (size_t)n + (size_t)m + 1) * sizeof(double));
    if (!s->local || !s->counts || (s->pencil && !s->all))
        rt_cluster_give_up(s->cluster, "it is out of memory");
    s->starts = s->counts + size;
    for (int r = 0; r < size; r++) {
        s->starts[r] = 2 * rt_share(n, r, size) + rt_share(m, r, size);
        s->counts[r] = 2 * rt_share(n, r + 1, size) + rt_share(m, r + 1, size) - s->starts[r];
    }
}

static PetscErrorCode clear(solve *s)
{
    PetscCall(EPSDestroy(&s->eps));
    PetscCall(MatDestroy(&s->shell));
    PetscCall(VecDestroy(&s->x));
    PetscCall(VecDestroy(&s->y));
    PetscCall(VecDestroy(&s->re));
    PetscCall(VecDestroy(&s->im));
    PetscCall(VecDestroy(&s->out_re));
    PetscCall(VecDestroy(&s->out_im));
    PetscCall(rt_operator_free(&s->op));
    free(s->local);
    free(s->all);
    free(s->counts);
    return 0;
}

static routh_status run(solve *s, routh_error *error)
{
    routh_cluster *c = s->cluster;
    double begun = MPI_Wtime();
    routh_status status = rt_cluster_agree(c, rt_operator_make(&s->op, s->order, s->pencil), error);
    if (status) return status;
    if (s->pencil) rt_cluster_pencil_finish(s->pencil);
    make_room(s);
    status = rt_cluster_agree(c, rt_operator_factor(&s->op), error);
    c->last.factor_s = MPI_Wtime() - begun;
    if (status || s->op.singular) return status;
    begun = MPI_Wtime();
    status = rt_cluster_agree(c, iterate(s), error);
    if (!status && !s->op.singular) status = rt_cluster_agree(c, take_answers(s), error);
    c->last.iterate_s = MPI_Wtime() - begun;
    return status;
}

routh_status rt_cluster_solve(routh_cluster *c, const rt_order *order, rt_cluster_pencil *pencil,
                              routh_error *error)
{
    solve s = {.cluster = c, .order = order, .pencil = pencil, .op = {.cluster = c}};
    const routh_status status = run(&s, error);
    if (pencil) {
        pencil->problem->singular = s.op.singular;
        pencil->problem->n_solves = s.op.n_solves;
        pencil->problem->n_restarts = s.n_restarts;
    }
    clear(&s);
    return status;
}
