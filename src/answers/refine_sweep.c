/* One sweep of the refinement. With r = (F - lambda E) x and s^H = y^H (F - lambda E) and vectors
 * (x_j, y_j) of the other eigenvalues, d_j = y_j^H E x_j,
 *     lambda += y^H r / y^H E x                  (Rayleigh quotient: its error is of second order)
 *     x      += sum_j x_j (y_j^H r) / (d_j (lambda - lambda_j))
 *     y^H    += sum_j (s^H x_j) / (d_j (lambda - lambda_j)) y_j^H
 * A coupling with |y_j^H r| |s^H x_j| not far below |d_j|^2 |lambda - lambda_j|^2 is none of first
 * order: those are one group, with the quotient of the whole (refine_group.c). */
#include <cblas.h>
#include <math.h>

#include "answers/refine_parts.h"

/* Of the square of the distance: shifts of second order stay below this fraction of it. */
static const double FIRST_ORDER = 1e-2;

rt_complex_vector rt_refine_vector(const rt_refinement *q, double *of, int k)
{
    double *re = of + (size_t)q->n * (size_t)q->list[k].at;
    return (rt_complex_vector){re, q->list[k].is_pair ? re + q->n : q->zero};
}

rt_complex rt_refine_dot(rt_complex_vector y, rt_complex_vector b, int n)
{
    long double re = 0, im = 0;
    for (int i = 0; i < n; i++) {
        re += (long double)y.re[i] * b.re[i] + (long double)y.im[i] * b.im[i];
        im += (long double)y.re[i] * b.im[i] - (long double)y.im[i] * b.re[i];
    }
    return rt_complex_of((double)re, (double)im);
}

static void refine_sweep_conjugate(rt_complex_vector x, int n)
{
    for (int i = 0; i < n; i++) x.im[i] = -x.im[i];
}

void rt_refine_residuals(rt_refinement *q)
{
    const rt_complex_vector none = {0};
    for (int k = 0; k < q->n_list; k++) {
        const rt_complex at = q->value[q->list[k].at];
        const double lambda[2] = {creal(at), cimag(at)};
        const rt_complex_vector y = rt_refine_vector(q, q->Y, k);
        rt_pencil_residual(&q->pencil, false, lambda, rt_refine_vector(q, q->X, k),
                           rt_refine_columns(q->R, q->n, k), rt_refine_columns(q->EX, q->n, k));
        /* y^H F = (F' conj y)' */
        if (q->list[k].is_pair) refine_sweep_conjugate(y, q->n);
        rt_pencil_residual(&q->pencil, true, lambda, y, rt_refine_columns(q->L, q->n, k), none);
        if (q->list[k].is_pair) refine_sweep_conjugate(y, q->n);
    }
}

/* ---- couplings ------------------------------------------------------------------------------- */

/* out (m x c) = A' B of n x m and n x c */
static void refine_sweep_times_transposed(int n, int m, int c, const double *A, const double *B,
                                          double *out)
{
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, m, c, n, 1, A, n, B, n, 0, out, m);
}

/* Of item k with vector j and with its conjugate: y^H r / d and s^H x / d. */
typedef struct coupling {
    rt_complex right[2], left[2];
} coupling;

static coupling coupling_of(const rt_refinement *q, int k, int j)
{
    const rt_complex_vector p = rt_refine_columns(q->by_Y, q->n_vectors, k),
                            l = rt_refine_columns(q->by_X, q->n_vectors, k);
    const rt_complex a = rt_complex_of(p.re[j], p.im[j]), c = rt_complex_of(l.re[j], l.im[j]);
    const rt_complex d = q->dual[j];
    if (q->im[j] == 0) return (coupling){{a / d, 0}, {c / d, 0}};
    const rt_complex b = I * rt_complex_of(p.re[j + 1], p.im[j + 1]),
                     e = I * rt_complex_of(l.re[j + 1], l.im[j + 1]);
    return (coupling){{(a - b) / d, (a + b) / conj(d)}, {(c + e) / d, (c - e) / conj(d)}};
}

static bool is_first_order(const coupling *c, int part, rt_complex distance)
{
    return cabs(c->right[part]) * cabs(c->left[part]) <=
           FIRST_ORDER * cabs(distance) * cabs(distance);
}

static void refine_sweep_join(rt_refinement *q, int a, int b)
{
    const int first = a < b ? a : b, other = a < b ? b : a;
    for (int k = 0; k < q->n_list && first != other; k++)
        if (q->list[k].group == other) q->list[k].group = first;
}

/* Item k and vector j, or its conjugate, are not to be told from each other. */
static void confuse(rt_refinement *q, int k, int j, int part)
{
    const int other = q->item[j];
    if (other < 0 || part == 1 || q->list[other].is_pair != q->list[k].is_pair) {
        q->list[k].stuck = true;
        if (other >= 0) q->list[other].stuck = true;
        return;
    }
    refine_sweep_join(q, q->list[k].group, q->list[other].group);
}

static void find_groups(rt_refinement *q)
{
    for (int k = 0; k < q->n_list; k++) {
        const rt_complex own = q->value[q->list[k].at];
        for (int j = 0; j < q->n_vectors; j++) {
            if (q->im[j] < 0) continue;
            const coupling c = coupling_of(q, k, j);
            if (j != q->list[k].at && !is_first_order(&c, 0, own - q->value[j]))
                confuse(q, k, j, 0);
            if (q->im[j] > 0 && !is_first_order(&c, 1, own - conj(q->value[j])))
                confuse(q, k, j, 1);
        }
    }
    /* one that is stuck holds all of its group */
    for (int k = 0; k < q->n_list; k++)
        for (int l = 0; q->list[k].stuck && l < q->n_list; l++)
            if (q->list[l].group == q->list[k].group) q->list[l].stuck = true;
}

void rt_refine_couple(rt_refinement *q)
{
    refine_sweep_times_transposed(q->n, q->n_vectors, 2 * q->n_list, q->Y, q->R, q->by_Y);
    refine_sweep_times_transposed(q->n, q->n_vectors, 2 * q->n_list, q->X, q->L, q->by_X);
    find_groups(q);
}

/* ---- corrections ----------------------------------------------------------------------------- */

/* Couplings of item k become the coefficients of real columns: of X for x, of Y for conj(y). */
static void refine_sweep_find_coefficients(rt_refinement *q, int k)
{
    const rt_complex own = q->value[q->list[k].at];
    const rt_complex_vector right = rt_refine_columns(q->by_Y, q->n_vectors, k),
                            left = rt_refine_columns(q->by_X, q->n_vectors, k);
    for (int j = 0; j < q->n_vectors; j++) {
        if (q->im[j] < 0) continue;
        const int item = q->item[j], pair = q->im[j] > 0;
        const bool mine = item >= 0 && q->list[item].group == q->list[k].group;
        coupling c = coupling_of(q, k, j);
        for (int part = 0; part <= pair; part++) {
            const rt_complex other = part ? conj(q->value[j]) : q->value[j];
            /* equal and yet not of one group: no coupling at all */
            const bool none = q->list[k].stuck || (mine && !part) || own == other;
            c.right[part] = none ? 0 : c.right[part] / (own - other);
            c.left[part] = none ? 0 : c.left[part] / (own - other);
        }
        /* a (p + i q) + b (p - i q) of x; a (p - i q) + b (p + i q) of conj(y) */
        const rt_complex x = c.right[0] + c.right[1], y = c.left[0] + c.left[1];
        right.re[j] = creal(x), right.im[j] = cimag(x);
        left.re[j] = creal(y), left.im[j] = cimag(y);
        if (!pair) continue;
        const rt_complex x2 = I * (c.right[0] - c.right[1]), y2 = I * (c.left[1] - c.left[0]);
        right.re[j + 1] = creal(x2), right.im[j + 1] = cimag(x2);
        left.re[j + 1] = creal(y2), left.im[j + 1] = cimag(y2);
    }
}

/* out (n x c) = A B of n x m and m x c */
static void refine_sweep_times(int n, int m, int c, const double *A, const double *B, double *out)
{
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, c, m, 1, A, n, B, m, 0, out, n);
}

void rt_refine_correct(rt_refinement *q)
{
    for (int k = 0; k < q->n_list; k++) refine_sweep_find_coefficients(q, k);
    refine_sweep_times(q->n, q->n_vectors, 2 * q->n_list, q->X, q->by_Y, q->R);
    refine_sweep_times(q->n, q->n_vectors, 2 * q->n_list, q->Y, q->by_X, q->L);
    for (int k = 0; k < q->n_list; k++) {
        const rt_complex_vector x = rt_refine_vector(q, q->X, k), y = rt_refine_vector(q, q->Y, k);
        const rt_complex_vector dx = rt_refine_columns(q->R, q->n, k),
                                dy = rt_refine_columns(q->L, q->n, k);
        for (int i = 0; i < q->n; i++) x.re[i] += dx.re[i], y.re[i] += dy.re[i];
        for (int i = 0; i < q->n && q->list[k].is_pair; i++)
            x.im[i] += dx.im[i], y.im[i] -= dy.im[i];
    }
}
