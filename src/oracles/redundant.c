/* The redundant method (Gonzalez et al. 2017, Sec. 3.2; EQUATIONS.md, "redundant"): all coordinates
 * and multipliers stay, in a descriptor system E y' = A y. Its infinite eigenvalues are deflated by
 * structure (redundant_rest.c, redundant_levels.c); QZ brings what is left to
 *     E = Q T Z',   A = Q S Z'     T, S (quasi-)triangular
 * and with c' = Z T^-1 S Z' c and (S, W) = P c the state matrix is
 *     (P Z) T^-1 S (P Z)^-1.
 * With signals P = E, and all that varies is Y c = Y Z T^-1 Q' (S, W, X).
 * Only orthonormal bases are used, no eigenvectors, so that eigenvalues may be defective. */
#include <math.h>
#include <stdlib.h>

#include "base/lapack.h"
#include "methods/redundant_pencil.h"
#include "methods/whole.h"

typedef struct schur {
    int order;
    double *Q, *Z, *re, *im, *beta;
    double *left;  /* order x order: (P Z)', then its LU */
    double *right; /* order x order: (P Z H)' */
    int *pivots;
} schur;

static bool redundant_take(schur *q, int order, rt_arena *arena)
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

static size_t redundant_entry(int order, int i, int j)
{
    return (size_t)i + (size_t)order * (size_t)j;
}

/* S := T^-1 S, by back substitution */
static void redundant_divide(int order, const double *T, double *S, int n_columns)
{
    for (int j = 0; j < n_columns; j++) {
        double *s = S + redundant_entry(order, 0, j);
        for (int i = order - 1; i >= 0; i--) {
            s[i] /= T[redundant_entry(order, i, i)];
            for (int k = 0; k < i; k++) s[k] -= T[redundant_entry(order, k, i)] * s[i];
        }
    }
}

static routh_status no_mass(routh_error *error)
{
    return rt_fail(error, ROUTH_SINGULAR,
                   "the joints allow a motion without mass; give every body a mass and moments of "
                   "inertia");
}

/* null: c with E c = 0. What varies though no state does: rates of controllers and variables, which
 * are named, or accelerations alone. */
static routh_status redundant_explain(const rt_method_task *task, const rt_finite_pencil *p,
                                      const double *null, rt_arena *arena, routh_error *error)
{
    static const rt_varied kinds[] = {RT_VARIED_RATE, RT_VARIED_V};
    const int counts[] = {p->n_x, p->n_v};
    double *varied = RT_TAKE(arena, double, p->n_x + p->n_v), largest = 0;
    if (!varied) return rt_fail_memory(error);
    for (int j = 0; j < p->order; j++)
        for (int k = 0, at = 0; k < 2; k++)
            for (int i = 0; i < counts[k]; i++)
                varied[at++] += p->by_c[kinds[k]][redundant_entry(counts[k], i, j)] * null[j];
    for (int i = 0; i < p->n_x + p->n_v; i++) largest = fmax(largest, fabs(varied[i]));
    return largest > 0 ? rt_fail_loop(task, varied, error) : no_mass(error);
}

/* The basis of the levels is orthonormal: E c = 0 has a solution only where something varies though
 * no state does. */
static routh_status check_regular(const rt_method_task *task, const rt_finite_pencil *p,
                                  rt_arena *arena, routh_error *error)
{
    static const double least = 1e-12;
    const int order = p->order;
    const size_t size = (size_t)order * (size_t)order;
    if (!p->by_c[RT_VARIED_XI] || order == 0) return ROUTH_OK;
    double *E = RT_TAKE(arena, double, 2 * size + 2 * (size_t)order);
    if (!E) return rt_fail_memory(error);
    double *vt = E + size, *sigma = vt + size, *null = sigma + order;
    memcpy(E, p->E, size * sizeof *E);
    const routh_status status = rt_svd(order, order, E, sigma, NULL, vt, error);
    if (status || sigma[order - 1] > least * sigma[0]) return status;
    for (int j = 0; j < order; j++) null[j] = vt[redundant_entry(order, order - 1, j)];
    return redundant_explain(task, p, null, arena, error);
}

/* T^-1 is about to be used. */
static routh_status check_pivots(int order, const double *T, routh_error *error)
{
    for (int i = 0; i < order; i++)
        if (!(T[redundant_entry(order, i, i)] > 0)) return no_mass(error);
    return ROUTH_OK;
}

/* out' = A B, all square */
static void multiply_transposed(int order, const double *A, const double *B, double *out)
{
    for (int j = 0; j < order; j++)
        for (int k = 0; k < order; k++) {
            const double b = B[redundant_entry(order, k, j)];
            for (int i = 0; i < order && b != 0; i++)
                out[redundant_entry(order, j, i)] += b * A[redundant_entry(order, i, k)];
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
        for (int i = 0; i < order; i++)
            PZ[redundant_entry(order, i, j)] = q->left[redundant_entry(order, j, i)];
    multiply_transposed(order, PZ, p->A, q->right);
    routh_status status = rt_lu_factor(order, q->left, q->pivots, error);
    if (!status) status = rt_lu_solve(order, q->left, q->pivots, order, q->right, 0, error);
    return status;
}

/* ---- of a mechanism alone ------------------------------------------------------------------- */

static void fill_matrices(const schur *q, const rt_finite_pencil *p, rt_sensitivity *out)
{
    const int z = p->z;
    for (int i = 0; i < z; i++)
        for (int j = 0; j < z; j++) {
            const double size = p->size[z + i] * p->rate;
            out->A_SS[i * z + j] =
                p->rate * size / p->size[j] * q->right[redundant_entry(q->order, j, z + i)];
            out->A_SW[i * z + j] =
                size / p->size[z + j] * q->right[redundant_entry(q->order, z + j, z + i)];
        }
}

/* [X; U] = [xi; u] P^-1 [I; 0]. P is in q->left, then its LU. */
static routh_status redundant_fill_motion(schur *q, const rt_finite_pencil *p, double *C,
                                          rt_sensitivity *out, routh_error *error)
{
    const int order = q->order, z = p->z, n = p->n;
    memcpy(q->left, p->states, (size_t)order * (size_t)order * sizeof(double));
    for (int k = 0; k < z; k++) C[redundant_entry(order, k, k)] = 1 / p->size[k];
    routh_status status = rt_lu_factor(order, q->left, q->pivots, error);
    if (!status) status = rt_lu_solve(order, q->left, q->pivots, z, C, 0, error);
    for (int k = 0; k < z && !status; k++)
        for (int l = 0; l < order; l++) {
            const double c = C[redundant_entry(order, l, k)];
            const double *xi = p->xi + (size_t)n * (size_t)l, *u = p->u + (size_t)n * (size_t)l;
            double *X = out->X + (size_t)n * (size_t)k, *U = out->U + (size_t)n * (size_t)k;
            for (int i = 0; i < n && c != 0; i++) X[i] += c * xi[i], U[i] += c * u[i];
        }
    return status;
}

static routh_status run_alone(schur *q, const rt_method_task *task, rt_finite_pencil *pencil,
                              rt_arena *arena, rt_sensitivity *out, routh_error *error)
{
    const int n = pencil->n, z = pencil->z;
    routh_status status = rt_sensitivity_take(out, n, z, arena, error);
    if (status) return status;
    double *t = RT_TAKE(arena, double, n), *C = RT_TAKE(arena, double, 2 * (size_t)z * (size_t)z);
    if (!t || !C) return rt_fail_memory(error);
    redundant_divide(q->order, pencil->E, pencil->A, q->order);
    status = to_states(q, pencil, error);
    if (!status) fill_matrices(q, pencil, out);
    if (!status) status = redundant_fill_motion(q, pencil, C, out, error);
    if (!status) rt_reduced_mass(task->search, out, t);
    return status;
}

/* ---- of the whole system -------------------------------------------------------------------- */

/* Columns of c for every column of the response: C = Z T^-1 Q' / size by the states, and by inputs,
 * where the basis `by_input` holds 1 / in_size of them and the states must be as they were,
 * c = -Z T^-1 Q' states_by_input / in_size. */
static void fill_columns(const schur *q, const rt_finite_pencil *p, double *work, double *C)
{
    const int order = q->order, n_columns = order + p->n_inputs, n_mechanical = p->z + p->z1;
    for (int k = 0; k < order; k++) {
        const double time = k >= p->z && k < n_mechanical ? p->rate : 1;
        for (int i = 0; i < order; i++)
            work[redundant_entry(order, i, k)] =
                q->Q[redundant_entry(order, k, i)] / (p->size[k] * time);
    }
    for (int k = 0; k < p->n_inputs; k++)
        for (int i = 0; i < order; i++) {
            double sum = 0;
            for (int l = 0; l < order; l++)
                sum += q->Q[redundant_entry(order, l, i)] *
                       p->states_by_input[redundant_entry(order, l, k)];
            work[redundant_entry(order, i, order + k)] = -sum / p->in_size[k];
        }
    redundant_divide(order, p->E, work, n_columns);
    for (int k = 0; k < n_columns; k++)
        for (int l = 0; l < order; l++) {
            const double x = work[redundant_entry(order, l, k)];
            for (int i = 0; i < order && x != 0; i++)
                C[redundant_entry(order, i, k)] += q->Z[redundant_entry(order, i, l)] * x;
        }
}

/* Row i of a kind, column k of the response. */
static double varied(const rt_finite_pencil *p, const double *C, rt_varied kind, int rows, int i,
                     int k)
{
    double sum = k < p->order ? 0
                              : p->by_input[kind][redundant_entry(rows, i, k - p->order)] /
                                    p->in_size[k - p->order];
    for (int l = 0; l < p->order; l++)
        sum += p->by_c[kind][redundant_entry(rows, i, l)] * C[redundant_entry(p->order, l, k)];
    return sum;
}

static void fill_kind(const rt_finite_pencil *p, const double *C, rt_varied kind, int rows,
                      rt_response *r, double *out)
{
    for (int k = 0; k < r->n_columns; k++)
        for (int i = 0; i < rows; i++)
            out[redundant_entry(rows, i, k)] = varied(p, C, kind, rows, i, k);
}

static void fill_response(const rt_finite_pencil *p, const double *C, rt_response *r)
{
    fill_kind(p, C, RT_VARIED_XI, r->n, r, r->xi);
    fill_kind(p, C, RT_VARIED_U, r->n, r, r->u);
    fill_kind(p, C, RT_VARIED_UDOT, r->n, r, r->udot);
    fill_kind(p, C, RT_VARIED_RATE, r->n_x, r, r->rate);
    fill_kind(p, C, RT_VARIED_V, r->n_v, r, r->variable);
    for (int k = 0; k < r->n_columns; k++)
        for (int row = 0; row < r->n_rows; row++)
            if (p->slot[row] >= 0)
                r->lambda[redundant_entry(r->n_rows, row, k)] =
                    varied(p, C, RT_VARIED_LAMBDA, p->n_kept, p->slot[row], k);
}

static routh_status redundant_run_whole(schur *q, const rt_method_task *task,
                                        rt_finite_pencil *pencil, rt_arena *arena,
                                        rt_sensitivity *out, routh_error *error)
{
    rt_cause *causes;
    const size_t size = (size_t)q->order * (size_t)(q->order + pencil->n_inputs);
    routh_status status = rt_response_take(&out->response, task, false, &causes, arena, error);
    if (status) return status;
    double *work = RT_TAKE(arena, double, size), *C = RT_TAKE(arena, double, size);
    if (!work || !C) return rt_fail_memory(error);
    fill_columns(q, pencil, work, C);
    fill_response(pencil, C, &out->response);
    return rt_whole_finish(task, arena, out, error);
}

/* ---- putting it together -------------------------------------------------------------------- */

enum { MOST_COLUMNS = 1000, MOST_STATES = 1400 };

static routh_status redundant_check_size(int n, int order, routh_error *error)
{
    if (n <= MOST_COLUMNS && order <= MOST_STATES) return ROUTH_OK;
    return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                   "the redundant method uses dense matrices for at most %d velocity variables and "
                   "%d states, but this mechanism has %d and %d; use --method augmented, or "
                   "--wanted for selected eigenvalues",
                   MOST_COLUMNS, MOST_STATES, n, order);
}

static routh_status redundant_make_pencil(const rt_method_task *task, rt_arena *arena,
                                          rt_finite_pencil *p, routh_error *error)
{
    const rt_search *s = task->search;
    const int z = task->states->z;
    rt_state_row *rows;
    const routh_status status = rt_state_rows(task, arena, &rows, error);
    if (status) return status;
    return !task->whole && rt_nothing_turns(s, rows, z, rt_typical_rate(s))
               ? rt_deflate_at_rest(s, rows, z, arena, p, error)
               : rt_deflate_levels(task, rows, arena, p, error);
}

static routh_status redundant_run(const rt_method_task *task, rt_arena *arena, rt_sensitivity *out,
                                  routh_error *error)
{
    const routh_mechanism *m = task->search->m;
    const int n_x = task->whole ? m->model->n_control_states : 0;
    const int order = task->states->z + task->states->z1 + n_x;
    rt_finite_pencil pencil;
    schur q;
    *out = (rt_sensitivity){0};
    routh_status status = redundant_check_size(m->n_u, order, error);
    if (!status) status = redundant_make_pencil(task, arena, &pencil, error);
    if (status) return status;
    if (!redundant_take(&q, order, arena)) return rt_fail_memory(error);
    status = check_regular(task, &pencil, arena, error);
    if (!status) status = rt_qz(order, pencil.A, pencil.E, q.Q, q.Z, q.re, q.im, q.beta, error);
    if (!status) status = check_pivots(order, pencil.E, error);
    if (status) return status;
    status = (task->whole ? redundant_run_whole : run_alone)(&q, task, &pencil, arena, out, error);
    out->n_infinite = pencil.n_infinite;
    return status;
}

const rt_method rt_method_redundant = {
    .name = "redundant",
    .about = "descriptor system in all coordinates and multipliers, dense QZ (Gonzalez et al.)",
    .run = redundant_run,
};
