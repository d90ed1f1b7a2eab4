/* The redundant method (Gonzalez et al. 2017, Sec. 3.2; EQUATIONS.md, "redundant"): all coordinates
 * and multipliers stay, in a descriptor system E y' = A y. Its infinite eigenvalues are deflated by
 * structure (redundant_pencil.c); QZ brings what is left to
 *     E = Q T Z',   A = Q S Z'     T, S (quasi-)triangular
 * and with c' = Z T^-1 S Z' c and (S, W) = P c the state matrix is
 *     (P Z) T^-1 S (P Z)^-1.
 * Only orthonormal bases are used, no eigenvectors, so that eigenvalues may be defective. */
#include <stdlib.h>

#include "base/lapack.h"
#include "linear/redundant_pencil.h"

typedef struct schur {
    int order;
    double *Q, *Z, *re, *im, *beta;
    double *left;  /* order x order: (P Z)', then its LU */
    double *right; /* order x order: (P Z H)' */
    int *pivots;
} schur;

static bool take(schur *q, int order, rt_arena *arena)
{
    const size_t size = (size_t)order * (size_t)order;
    q->order = order;
    q->Q = RT_TAKE(arena, double, size);
    q->Z = RT_TAKE(arena, double, size);
    q->left = RT_TAKE(arena, double, size);
    q->right = RT_TAKE(arena, double, size);
    q->re = RT_TAKE(arena, double, 3 * (size_t)order);
    q->pivots = RT_TAKE(arena, int, order);
    if (!q->Q || !q->Z || !q->left || !q->right || !q->re || !q->pivots) return false;
    q->im = q->re + order;
    q->beta = q->im + order;
    return true;
}

static size_t entry(int order, int i, int j) { return (size_t)i + (size_t)order * (size_t)j; }

/* S := T^-1 S, by back substitution */
static routh_status divide(int order, const double *T, double *S, routh_error *error)
{
    for (int i = 0; i < order; i++)
        if (!(T[entry(order, i, i)] > 0))
            return rt_fail(error, ROUTH_SINGULAR,
                           "a motion that the joints allow carries no mass: give every body a "
                           "mass and moments of inertia");
    for (int j = 0; j < order; j++) {
        double *s = S + entry(order, 0, j);
        for (int i = order - 1; i >= 0; i--) {
            s[i] /= T[entry(order, i, i)];
            for (int k = 0; k < i; k++) s[k] -= T[entry(order, k, i)] * s[i];
        }
    }
    return ROUTH_OK;
}

/* out' = A B, all square */
static void multiply_transposed(int order, const double *A, const double *B, double *out)
{
    for (int j = 0; j < order; j++)
        for (int k = 0; k < order; k++) {
            const double b = B[entry(order, k, j)];
            for (int i = 0; i < order && b != 0; i++)
                out[entry(order, j, i)] += b * A[entry(order, i, k)];
        }
}

/* With R = T^-1 S in the pencil's A: the state matrix F from F (P Z) = P Z R, transposed into
 * q->right */
static routh_status to_states(schur *q, const rt_finite_pencil *p, routh_error *error)
{
    const int order = q->order;
    double *PZ = q->Q; /* no longer needed */
    multiply_transposed(order, p->states, q->Z, q->left);
    for (int j = 0; j < order; j++)
        for (int i = 0; i < order; i++) PZ[entry(order, i, j)] = q->left[entry(order, j, i)];
    multiply_transposed(order, PZ, p->A, q->right);
    routh_status status = rt_lu_factor(order, q->left, q->pivots, error);
    if (!status) status = rt_lu_solve(order, q->left, q->pivots, order, q->right, 0, error);
    return status;
}

static void fill_matrices(const schur *q, const rt_finite_pencil *p, rt_sensitivity *out)
{
    const int z = p->z;
    for (int i = 0; i < z; i++)
        for (int j = 0; j < z; j++) {
            out->A_SS[i * z + j] = p->rate * p->rate * q->right[entry(q->order, j, z + i)];
            out->A_SW[i * z + j] = p->rate * q->right[entry(q->order, z + j, z + i)];
        }
}

/* [X; U / rate] = [xi; u] P^-1 [I; 0]. P is in q->left, then its LU. */
static routh_status fill_motion(schur *q, const rt_finite_pencil *p, double *C, rt_sensitivity *out,
                                routh_error *error)
{
    const int order = q->order, z = p->z, n = p->n;
    memcpy(q->left, p->states, (size_t)order * (size_t)order * sizeof(double));
    for (int k = 0; k < z; k++) C[entry(order, k, k)] = 1;
    routh_status status = rt_lu_factor(order, q->left, q->pivots, error);
    if (!status) status = rt_lu_solve(order, q->left, q->pivots, z, C, 0, error);
    for (int k = 0; k < z && !status; k++)
        for (int l = 0; l < order; l++) {
            const double c = C[entry(order, l, k)];
            const double *xi = p->xi + (size_t)n * (size_t)l, *u = p->u + (size_t)n * (size_t)l;
            double *X = out->X + (size_t)n * (size_t)k, *U = out->U + (size_t)n * (size_t)k;
            for (int i = 0; i < n && c != 0; i++) X[i] += c * xi[i], U[i] += p->rate * c * u[i];
        }
    return status;
}

/* Mhat = X' M X */
static void reduced_mass(const rt_search *s, const rt_sensitivity *x, double *t)
{
    const int n = x->n, z = x->z;
    for (int k = 0; k < z; k++) {
        memset(t, 0, (size_t)n * sizeof *t);
        rt_sparse_multiply_add(&s->m->pattern_M, s->w->M, 1, x->X + (size_t)n * (size_t)k, t);
        for (int i = 0; i < z; i++) {
            const double *column = x->X + (size_t)n * (size_t)i;
            double sum = 0;
            for (int c = 0; c < n; c++) sum += column[c] * t[c];
            x->Mhat[i * z + k] = sum;
        }
    }
}

enum { MOST_COLUMNS = 1000, MOST_STATES = 600 };

static routh_status check_size(int n, int z, routh_error *error)
{
    if (n <= MOST_COLUMNS && 2 * z <= MOST_STATES) return ROUTH_OK;
    return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                   "the redundant method works with dense matrices, for at most %d velocity "
                   "variables and %d states; this mechanism has %d and %d: use --method augmented, "
                   "or --wanted for a few of its eigenvalues",
                   MOST_COLUMNS, MOST_STATES, n, 2 * z);
}

static routh_status run(const rt_method_task *task, rt_arena *arena, rt_sensitivity *out,
                        routh_error *error)
{
    const rt_search *s = task->search;
    const int n = s->m->n_u, z = task->states->z, order = 2 * z;
    rt_finite_pencil pencil;
    schur q;
    rt_state_row *rows;
    routh_status status = check_size(n, z, error);
    if (!status) status = rt_sensitivity_take(out, n, z, arena, error);
    if (!status) status = rt_state_rows(task, arena, &rows, error);
    if (status) return status;
    double *t = RT_TAKE(arena, double, n), *C = RT_TAKE(arena, double, (size_t)order *(size_t)z);
    if (!t || !C || !take(&q, order, arena)) return rt_fail_memory(error);
    status = rt_nothing_turns(s, rows, z, rt_typical_rate(s))
                 ? rt_deflate_at_rest(s, rows, z, arena, &pencil, error)
                 : rt_deflate_in_motion(s, rows, z, arena, &pencil, error);
    if (!status) status = rt_qz(order, pencil.A, pencil.E, q.Q, q.Z, q.re, q.im, q.beta, error);
    if (!status) status = divide(order, pencil.E, pencil.A, error);
    if (!status) status = to_states(&q, &pencil, error);
    if (!status) fill_matrices(&q, &pencil, out);
    if (!status) status = fill_motion(&q, &pencil, C, out, error);
    if (status) return status;
    reduced_mass(s, out, t);
    out->n_infinite = pencil.n_infinite;
    return ROUTH_OK;
}

const rt_method rt_method_redundant = {
    .name = "redundant",
    .about = "descriptor system in all coordinates and multipliers, dense QZ (Gonzalez et al.)",
    .run = run,
};
