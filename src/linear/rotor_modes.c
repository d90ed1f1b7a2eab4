/* How far eigenvalues of A_m are from those of the motion, of which A_m(psi) is periodic. With
 * a_ij = l_i' dA r_j / l_i' r_i of a change dA, to second order eigenvalue i is moved by a_ii, and
 * by another one j, through the part of dA that goes around m times, by
 *     a_ij a_ji / (s_i - s_j - i m W),      but no more than sqrt |a_ij a_ji| in resonance.
 * A hub that is not alike all around, on a support that is, has a_ii = 0: forward modes are coupled
 * to backward ones alone, and unstable where they are in resonance. */
#include <math.h>
#include <stdlib.h>

#include "base/lapack.h"
#include "linear/rotor.h"

enum { SLOWEST = 40 };

/* How many eigenvalues are smaller. */
static int modes_rank_of(const rt_rotor_modes *v, int j)
{
    int n = 0;
    for (int i = 0; i < v->n; i++) n += hypot(v->re[i], v->im[i]) < hypot(v->re[j], v->im[j]);
    return n;
}

routh_status rt_rotor_modes_find(rt_rotor_modes *v, const rt_rotor *r, const double *A, int n,
                                 rt_arena *arena, routh_error *error)
{
    const size_t size = (size_t)n * (size_t)n;
    *v = (rt_rotor_modes){.n = n, .n_blades = r->n_blades, .speed = r->speed};
    v->re = RT_TAKE(arena, double, n), v->im = RT_TAKE(arena, double, n);
    v->left = RT_TAKE(arena, double, size), v->right = RT_TAKE(arena, double, size);
    v->slow = RT_TAKE(arena, int, n);
    double *columns = RT_TAKE(arena, double, size), *rcond = RT_TAKE(arena, double, n);
    if (!v->re || !v->im || !v->left || !v->right || !v->slow || !columns || !rcond)
        return rt_fail_memory(error);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) columns[i + n * j] = A[i * n + j];
    rt_eigen e = {v->re, v->im, v->left, v->right, rcond, 0};
    const routh_status status = rt_general_eigen(n, columns, &e, error);
    for (int j = 0; j < n && !status; j++)
        if (modes_rank_of(v, j) < SLOWEST) v->slow[v->n_slow++] = j;
    v->by = RT_TAKE(arena, double _Complex, v->n_slow * v->n_slow);
    v->moved = RT_TAKE(arena, double _Complex, n);
    return status || (v->by && v->moved) ? status : rt_fail_memory(error);
}

/* Entry i of eigenvector k. */
static double _Complex modes_part(const rt_rotor_modes *v, const double *vectors, int k, int i)
{
    const double im = v->im[k];
    if (im == 0) return vectors[i + v->n * k];
    const int first = im > 0 ? k : k - 1;
    const double b = vectors[i + v->n * (first + 1)];
    return vectors[i + v->n * first] + (im > 0 ? b : -b) * (double _Complex)I;
}

/* Row i of `by`. Of defective eigenvalues |l' r| is zero, and then no less than 1e-5 counts. */
static void modes_fill_row(rt_rotor_modes *v, const double *change, int i)
{
    const int n = v->n, k = v->slow[i];
    double _Complex norm = 0, *moved = v->moved, *row = v->by + i * v->n_slow;
    for (int b = 0; b < n; b++) moved[b] = 0;
    for (int a = 0; a < n; a++) {
        const double _Complex l = conj(modes_part(v, v->left, k, a));
        norm += l * modes_part(v, v->right, k, a);
        for (int b = 0; b < n; b++) moved[b] += l * change[a * n + b];
    }
    for (int j = 0; j < v->n_slow; j++) {
        row[j] = 0;
        for (int b = 0; b < n; b++) row[j] += moved[b] * modes_part(v, v->right, v->slow[j], b);
        row[j] /= fmax(cabs(norm), 1e-5);
    }
}

/* |s_i - s_j - i m W|, m as near as it comes: parts of dA go around no more often than this. */
static double modes_gap(const rt_rotor_modes *v, int i, int j)
{
    const double apart = v->im[i] - v->im[j];
    const double m = fmax(-v->n_blades, fmin(v->n_blades, round(apart / v->speed)));
    return hypot(v->re[i] - v->re[j], apart - m * v->speed);
}

double rt_rotor_modes_shift(rt_rotor_modes *v, const double *change)
{
    double most = 0;
    for (int i = 0; i < v->n_slow; i++) modes_fill_row(v, change, i);
    for (int i = 0; i < v->n_slow; i++)
        for (int j = 0; j < v->n_slow; j++) {
            const int a = v->slow[i], b = v->slow[j];
            const double size = fmax(hypot(v->re[a], v->im[a]), fabs(v->speed));
            const double both = cabs(v->by[i * v->n_slow + j]) * cabs(v->by[j * v->n_slow + i]);
            const double moved = both > 0 ? both / fmax(sqrt(both), modes_gap(v, a, b)) : 0;
            most = fmax(most, moved / size);
        }
    return most;
}
