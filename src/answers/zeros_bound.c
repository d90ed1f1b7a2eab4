/* What the parts that were taken as zero may do to the eigenvalues, zero and others. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "answers/zeros.h"
#include "base/error.h"

/* Frobenius; NULL: 0 */
static double zeros_bound_norm(const double *a, size_t n)
{
    double sum = 0;
    for (size_t i = 0; a && i < n; i++) sum += a[i] * a[i];
    return sqrt(sum);
}

static size_t size_of_stage(const rt_zero_stage *s) { return (size_t)s->k * (size_t)(s->n - s->k); }

/* x (stage.n) from x (stage.n - k) in place: x_out = y, x_in = F y + x; entries move up, the last
 * first. */
static void zeros_bound_widen(const rt_zero_stage *s, const double _Complex *y, double _Complex *x)
{
    const int m = s->n - s->k;
    for (int i = m - 1; i >= 0; i--) {
        double _Complex sum = x[i];
        for (int c = 0; s->F && c < s->k; c++) sum += s->F[i + (size_t)m * c] * y[c];
        x[s->in[i]] = sum;
    }
    for (int c = 0; c < s->k; c++) x[s->out[c]] = y[c];
}

/* The same of a left one: w_in = w, w_out = -F' w. y holds k. */
static void zeros_bound_widen_left(const rt_zero_stage *s, double _Complex *y, double _Complex *w)
{
    const int m = s->n - s->k;
    for (int c = 0; c < s->k; c++) {
        y[c] = 0;
        for (int i = 0; s->F && i < m; i++) y[c] -= s->F[i + (size_t)m * c] * w[i];
    }
    for (int i = m - 1; i >= 0; i--) w[s->in[i]] = w[i];
    for (int c = 0; c < s->k; c++) w[s->out[c]] = y[c];
}

/* |w|' |R| |y|, and y = L x / lambda */
static double zeros_bound_of_stage(const rt_zero_stage *s, double _Complex lambda,
                                   const double _Complex *w, const double _Complex *x,
                                   double _Complex *y)
{
    const int m = s->n - s->k;
    double sum = 0;
    for (int c = 0; c < s->k; c++) {
        double of_w = 0;
        y[c] = 0;
        for (int i = 0; i < m; i++) {
            y[c] += s->link[c + (size_t)s->k * i] * x[i];
            of_w += cabs(w[i]) * fabs(s->rest[i + (size_t)m * c]);
        }
        y[c] /= lambda;
        sum += of_w * cabs(y[c]);
    }
    return sum;
}

/* Vectors of eigenvalue k of what is left, a real one or the first of a pair: x right, w left, y
 * for zeros. room: 3 n. */
typedef struct vectors_of_value {
    double _Complex *x, *w, *y, together; /* w'x */
} vectors_of_value;

static vectors_of_value take_value_vectors(const rt_zeros *z, const rt_eigen *e, int k,
                                           double _Complex *room)
{
    const size_t n = (size_t)z->n_left, at = n * (size_t)k;
    const bool pair = e->im[k] != 0;
    vectors_of_value v = {room, room + z->n, room + 2 * z->n, 0};
    for (size_t i = 0; i < n; i++) {
        v.x[i] = e->right[at + i] + (pair ? I * e->right[at + n + i] : 0);
        v.w[i] = e->left[at + i] - (pair ? I * e->left[at + n + i] : 0);
        v.together += v.w[i] * v.x[i];
    }
    return v;
}

static double zeros_bound_of_value(const rt_zeros *z, const rt_eigen *e, int k,
                                   double _Complex *room)
{
    const double _Complex lambda = e->re[k] + I * e->im[k];
    const vectors_of_value v = take_value_vectors(z, e, k, room);
    double sum = 0;
    for (int s = z->n_stages - 1; s >= 0; s--) {
        const rt_zero_stage *stage = &z->stages[s];
        const double taken = zeros_bound_of_stage(stage, lambda, v.w, v.x, v.y);
        if (z->unknown > 0 || stage->taken > rt_zeros_rounding(stage->n, z->norm)) sum += taken;
        zeros_bound_widen(stage, v.y, v.x);
        zeros_bound_widen_left(stage, v.y, v.w);
    }
    return sum > 0 ? sum / cabs(v.together) : 0;
}

static double length_of(const double _Complex *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += creal(x[i]) * creal(x[i]) + cimag(x[i]) * cimag(x[i]);
    return sqrt(sum);
}

/* y := L x / lambda, what zeros have of the right vector */
static void zeros_bound_follow(const rt_zero_stage *s, double _Complex lambda,
                               const double _Complex *x, double _Complex *y)
{
    for (int c = 0; c < s->k; c++) {
        y[c] = 0;
        for (int i = 0; i < s->n - s->k; i++) y[c] += s->link[c + (size_t)s->k * i] * x[i];
        y[c] /= lambda;
    }
}

/* |w' A^+| over the singular values that were kept, of a stage; w is of its order. */
static double through_kept(const rt_zero_stage *s, const double _Complex *w)
{
    const size_t n = (size_t)s->n;
    double square = 0;
    for (size_t q = 0; q < n - (size_t)s->k; q++) {
        double _Complex part = 0;
        for (size_t i = 0; i < n; i++) part += s->right_t[q + n * i] * w[i];
        part /= s->sigma[q];
        square += creal(part) * creal(part) + cimag(part) * cimag(part);
    }
    return sqrt(square);
}

/* |X y|, X = [I; F] */
static double length_of_null_vector(const rt_zero_stage *s, const double _Complex *y)
{
    const int m = s->n - s->k;
    double square = pow(length_of(y, s->k), 2);
    for (int i = 0; i < m; i++) {
        double _Complex sum = 0;
        for (int c = 0; c < s->k; c++) sum += s->F[i + (size_t)m * c] * y[c];
        square += creal(sum) * creal(sum) + cimag(sum) * cimag(sum);
    }
    return sqrt(square);
}

/* A stage by null vectors X that were computed is as good as one of a matrix A that is off by
 * sqrt(n) eps |A|, as that of the singular values is. Of B = A_ii - F A_oi, with dX = -A^+ dA X and
 * m' = (-F' w, w)',
 *     w' dB x = m' dA (0, x) + (m' A^+) dA (X A_oi x)
 * (zeros_noise.c). Columns that were zero themselves are taken out without rounding. */
static double rounding_of_value(const rt_zeros *z, const rt_eigen *e, int k, double _Complex *room)
{
    const double _Complex lambda = e->re[k] + I * e->im[k];
    const vectors_of_value v = take_value_vectors(z, e, k, room);
    double sum = 0;
    for (int s = z->n_stages - 1; s >= 0; s--) {
        const rt_zero_stage *stage = &z->stages[s];
        const double x = length_of(v.x, stage->n - stage->k);
        zeros_bound_follow(stage, lambda, v.x, v.y); /* A_oi x = lambda y */
        const double null = stage->sigma ? cabs(lambda) * length_of_null_vector(stage, v.y) : 0;
        zeros_bound_widen(stage, v.y, v.x);
        zeros_bound_widen_left(stage, v.y, v.w);
        if (!stage->sigma) continue;
        const double first = length_of(v.w, stage->n) * x, second = through_kept(stage, v.w) * null;
        sum += sqrt(stage->n) * DBL_EPSILON * stage->sigma[0] * (first + second);
    }
    return sum > 0 ? sum / cabs(v.together) : 0;
}

routh_status rt_zeros_rounding_of_stages(const rt_zeros *z, const rt_eigen *e, double *rounding,
                                         rt_arena *scratch, routh_error *error)
{
    double _Complex *room = RT_TAKE(scratch, double _Complex, 3 * (size_t)z->n);
    if (!room) return rt_fail_memory(error);
    for (int k = 0; k < z->n_left; k++)
        rounding[k] = e->im[k] < 0 ? rounding[k - 1] : rounding_of_value(z, e, k, room);
    return ROUTH_OK;
}

routh_status rt_zeros_left_out(const rt_zeros *z, const rt_eigen *e, double *left_out,
                               rt_arena *scratch, routh_error *error)
{
    double _Complex *room = RT_TAKE(scratch, double _Complex, 3 * (size_t)z->n);
    if (!room) return rt_fail_memory(error);
    for (int k = 0; k < z->n_left; k++)
        left_out[k] = e->im[k] < 0 ? left_out[k - 1] : zeros_bound_of_value(z, e, k, room);
    return ROUTH_OK;
}

/* The block triangular matrix [N X; 0 B] that all stages make, its rows of one stage. */
typedef struct zeros_bound_rows {
    int first; /* row */
    double *N; /* k x n_zero, of which columns of later stages count */
    double *X; /* n_left x k: transposed, becomes Y */
} zeros_bound_rows;

/* N and X of stage e: its link, whose columns are what stage e + 1 transforms: with x_out = y and
 * x_in = F y + w,
 *     R x = (R_out + R_in F) y + R_in w. */
static void zeros_bound_link(const rt_zeros *z, int e, const int *first, zeros_bound_rows *to,
                             double *R)
{
    const rt_zero_stage *s = &z->stages[e];
    const int k = s->k;
    memcpy(R, s->link, size_of_stage(s) * sizeof *R);
    for (int t = e + 1; t < z->n_stages; t++) {
        const rt_zero_stage *next = &z->stages[t];
        const int m = next->n - next->k;
        for (int c = 0; c < next->k; c++)
            for (int r = 0; r < k; r++) {
                double sum = R[r + (size_t)k * next->out[c]];
                for (int i = 0; next->F && i < m; i++)
                    sum += R[r + (size_t)k * next->in[i]] * next->F[i + (size_t)m * c];
                to->N[r + (size_t)k * (first[t] + c)] = sum;
            }
        for (int i = 0; i < m; i++)
            memmove(R + (size_t)k * i, R + (size_t)k * next->in[i], (size_t)k * sizeof *R);
    }
    for (int r = 0; r < k; r++)
        for (int i = 0; i < z->n_left; i++) to->X[i + (size_t)z->n_left * r] = R[r + (size_t)k * i];
}

/* Y of N Y - Y B + X = 0, whose I, Y are the left vectors of the zeros: from the last stage on,
 * Y_e B = X_e + sum N_et Y_t. */
static routh_status zeros_bound_vectors(const rt_zeros *z, zeros_bound_rows *rows, const double *lu,
                                        const int *pivots, double *norm, routh_error *error)
{
    routh_status status = ROUTH_OK;
    double square = 0;
    for (int e = z->n_stages - 1; e >= 0 && !status; e--) {
        const int k = z->stages[e].k;
        for (int t = e + 1; t < z->n_stages; t++)
            for (int r = 0; r < k; r++)
                for (int c = 0; c < z->stages[t].k; c++)
                    for (int i = 0; i < z->n_left; i++)
                        rows[e].X[i + (size_t)z->n_left * r] +=
                            rows[e].N[r + (size_t)k * (rows[t].first + c)] *
                            rows[t].X[i + (size_t)z->n_left * c];
        status = rt_lu_solve(z->n_left, lu, pivots, k, rows[e].X, 1, error);
        const double Y = zeros_bound_norm(rows[e].X, (size_t)z->n_left * (size_t)k);
        square += Y * Y;
    }
    *norm = sqrt(square);
    return status;
}

/* |Y|; infinite where B is singular in doubles. */
static routh_status zeros_bound_of_left(const rt_zeros *z, double *norm, rt_arena *scratch,
                                        routh_error *error)
{
    const size_t left = (size_t)z->n_left;
    double *lu = RT_TAKE(scratch, double, left *left);
    double *R = RT_TAKE(scratch, double, (size_t)z->n *(size_t)z->n);
    int *pivots = RT_TAKE(scratch, int, left), *first = RT_TAKE(scratch, int, z->n_stages);
    zeros_bound_rows *rows = RT_TAKE(scratch, zeros_bound_rows, z->n_stages);
    if (!lu || !R || !pivots || !first || !rows) return rt_fail_memory(error);
    for (int e = 0, at = 0; e < z->n_stages; at += z->stages[e++].k) first[e] = at;
    for (int e = 0; e < z->n_stages; e++) {
        const size_t k = (size_t)z->stages[e].k;
        rows[e] = (zeros_bound_rows){.first = first[e],
                                     .N = RT_TAKE(scratch, double, k *(size_t)z->n_zero),
                                     .X = RT_TAKE(scratch, double, k *left)};
        if (!rows[e].N || !rows[e].X) return rt_fail_memory(error);
        zeros_bound_link(z, e, first, &rows[e], R);
    }
    memcpy(lu, z->B, left * left * sizeof *lu);
    routh_status status = rt_lu_factor(z->n_left, lu, pivots, error);
    *norm = INFINITY;
    if (status == ROUTH_SINGULAR) return ROUTH_OK;
    return status ? status : zeros_bound_vectors(z, rows, lu, pivots, norm, error);
}

/* An error E of a part N^p = 0 makes (|E| |N|^(p-1))^(1/p) of it. What was taken as zero of [R_0 L;
 * R B] adds R_0 + Y R to N. */
routh_status rt_zeros_bound(const rt_zeros *z, double *bound, rt_arena *scratch, routh_error *error)
{
    const double p = fmax(z->n_stages, 1);
    *bound = 0;
    if (!z->n_zero || (!z->B_rest && !(z->unknown > 0))) return ROUTH_OK;
    double E = z->unknown, after = 1, Y = 0;
    for (int e = z->n_stages - 1; e >= 0; e--) {
        const rt_zero_stage *s = &z->stages[e];
        E += s->taken * sqrt((double)s->n * s->k) * after;
        after *= 1 + zeros_bound_norm(s->F, size_of_stage(s));
    }
    routh_status status = ROUTH_OK;
    if (z->n_left) status = zeros_bound_of_left(z, &Y, scratch, error);
    if (E > 0) *bound = z->norm * pow(E * (1 + Y) / z->norm, 1 / p);
    return status;
}
