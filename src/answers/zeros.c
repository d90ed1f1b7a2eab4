#include "answers/zeros.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "answers/scaling.h"
#include "base/lapack.h"

/* How large, in units of eps |A|, a column or singular value may be and still count as zero. A
 * column alone is as exact as its entries; a null vector over many states gathers the rounding
 * errors of n terms. In a second-order system |A| is the highest frequency and a slow mode's
 * singular value w^2 / |A|: slow modes down to some 1e-7 of the highest frequency are told from
 * zero (measured on random systems whose modes all share all states: always at 1e-6, never at
 * 1e-8), and rounding of the matrix itself leaves no more to be told. */
static const double COLUMN_ZERO = 10;
static const double VECTOR_ZERO = 16; /* times sqrt(n) */

/* The same in a later stage, in units of what an error eps |A| of the matrix leaves of the stages
 * before it: rolling discs in random states, whose zeros come in chains of three, show at most 1.3
 * of noise and never less than 1e6 of anything else. */
static const double AMPLIFIED = 4;

/* |A x| of at least this fraction of |A| |x| is no cancellation: then the column rule decides. */
static const double NO_CANCELLATION = 0.1;

/* Noise of a later stage that is more than this part of |A| comes of a singular value of a stage
 * before that is hardly more than zero: that is taken as zero too if the split then leaves out
 * less. */
static const double TOO_NOISY = 1e-10;
enum { MOST_FLOORS = 4 };

/* Reciprocal condition above which a matrix has no null vector, whatever the rules above. */
static const double SURELY_REGULAR = 1e-8;

/* The matrix that is being deflated, and what a stage takes out of it. */
typedef struct zeros_step {
    int n, k;
    double *A; /* n x n */
    double *X; /* n x k: null vectors, the identity in the rows out; NULL for unit vectors */
    double *sigma, *left, *right_t; /* singular values and vectors of A, where X is not NULL */
    int *out, *in;                  /* n each */
    double largest;                 /* of what was taken as zero */
    double taken;                   /* of it in this stage */
    double smallest;                /* of what was kept */
    double least;                   /* of what was kept in stages before others */
} zeros_step;

static double column_norm(const double *a, int n, int j)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i + (size_t)n * j] * a[i + (size_t)n * j];
    return sqrt(sum);
}

static double largest_norm(const double *a, int n)
{
    double largest = 0;
    for (int j = 0; j < n; j++) {
        double row = 0;
        for (int i = 0; i < n; i++) row += a[j + (size_t)n * i] * a[j + (size_t)n * i];
        largest = fmax(largest, fmax(column_norm(a, n, j), sqrt(row)));
    }
    return largest;
}

/* out := the columns that are zero, in := the others */
static void find_zero_columns(zeros_step *s, double norm)
{
    s->k = 0;
    for (int j = 0, kept = 0; j < s->n; j++) {
        const double size = column_norm(s->A, s->n, j);
        if (size <= COLUMN_ZERO * DBL_EPSILON * norm) {
            s->out[s->k++] = j;
            s->largest = fmax(s->largest, size);
            s->taken = fmax(s->taken, size);
        } else {
            s->in[kept++] = j;
        }
    }
}

double rt_zeros_rounding(int n, double norm) { return VECTOR_ZERO * sqrt(n) * DBL_EPSILON * norm; }

/* Is the unit vector x with |A x| = size a null vector of A to rounding? */
static int is_null_vector(const zeros_step *s, const double *x, size_t stride, double size,
                          double norm)
{
    const double eps = DBL_EPSILON * norm;
    if (size > rt_zeros_rounding(s->n, norm)) return 0;
    if (size <= COLUMN_ZERO * eps) return 1;
    double whole = 0;
    for (int i = 0; i < s->n; i++) {
        double sum = 0;
        for (int j = 0; j < s->n; j++)
            sum += fabs(s->A[i + (size_t)s->n * j] * x[stride * (size_t)j]);
        whole += sum * sum;
    }
    return size < NO_CANCELLATION * sqrt(whole);
}

/* The largest entry of columns c.. of X in the rows not yet taken (taken: n flags). */
static void find_pivot(const zeros_step *s, int c, const int *taken, int *p, int *q)
{
    double best = -1;
    for (int j = c; j < s->k; j++)
        for (int i = 0; i < s->n; i++) {
            const double size = fabs(s->X[i + (size_t)s->n * j]);
            /* of equal ones the first, whatever the last digits */
            if (!taken[i] && size > 1.01 * best) best = size, *p = i, *q = j;
        }
}

/* Columns c and q of X change places; column c is divided by its pivot and subtracted from the
 * others. */
static void eliminate_column(const zeros_step *s, int c, int p, int q)
{
    double *x = s->X + (size_t)s->n * c, *y = s->X + (size_t)s->n * q;
    for (int i = 0; i < s->n; i++) {
        const double t = x[i];
        x[i] = y[i], y[i] = t;
    }
    const double pivot = x[p];
    for (int i = 0; i < s->n; i++) x[i] /= pivot;
    for (int j = 0; j < s->k; j++) {
        double *other = s->X + (size_t)s->n * j;
        const double l = other[p];
        for (int i = 0; j != c && i < s->n; i++) other[i] -= l * x[i];
    }
}

/* Gauss-Jordan with full pivoting on the columns of X: the identity in k rows, which become out. */
static void zeros_normalise(zeros_step *s)
{
    int *taken = s->in;
    memset(taken, 0, (size_t)s->n * sizeof *taken);
    for (int c = 0; c < s->k; c++) {
        int p = 0, q = c;
        find_pivot(s, c, taken, &p, &q);
        eliminate_column(s, c, p, q);
        s->out[c] = p;
        taken[p] = 1;
    }
    for (size_t e = 0; e < (size_t)s->n * (size_t)s->k; e++)
        if (fabs(s->X[e]) <= 10 * s->n * DBL_EPSILON) s->X[e] = 0;
    /* flags become the list of the others: in never overtakes i */
    for (int i = 0, kept = 0; i < s->n; i++)
        if (!taken[i]) s->in[kept++] = i;
}

/* rcond of A in the 1-norm; 0 for a singular one */
static routh_status zeros_estimate(const zeros_step *s, double *rcond, double *one_norm,
                                   rt_arena *arena, routh_error *error)
{
    const size_t size = (size_t)s->n * (size_t)s->n;
    double *lu = RT_TAKE(arena, double, size);
    int *pivots = RT_TAKE(arena, int, s->n);
    if (!lu || !pivots) return rt_fail_memory(error);
    memcpy(lu, s->A, size * sizeof *lu);
    *one_norm = 0;
    for (int j = 0; j < s->n; j++) {
        double sum = 0;
        for (int i = 0; i < s->n; i++) sum += fabs(s->A[i + (size_t)s->n * j]);
        *one_norm = fmax(*one_norm, sum);
    }
    *rcond = 0;
    const routh_status status = rt_lu_factor(s->n, lu, pivots, error);
    if (status == ROUTH_SINGULAR) return ROUTH_OK;
    return status ? status : rt_lu_rcond_kept(s->n, lu, *one_norm, rcond, arena->kept, error);
}

/* Is the singular value of left and right vectors u, v what rounding leaves of zero? */
static routh_status is_amplified_noise(const rt_zeros *z, const zeros_step *s, int q, int *yes,
                                       rt_arena *arena, routh_error *error)
{
    const int n = s->n;
    double *v = RT_TAKE(arena, double, n), noise = 0;
    if (!v) return rt_fail_memory(error);
    for (int i = 0; i < n; i++) v[i] = s->right_t[q + (size_t)n * i];
    const routh_status status = rt_zeros_noise(z, s->left + (size_t)n * q, v, &noise, arena, error);
    *yes = s->sigma[q] <= AMPLIFIED * noise;
    return status;
}

/* k := how many singular values are zero */
static routh_status count_null_vectors(const rt_zeros *z, zeros_step *s, rt_arena *arena,
                                       routh_error *error)
{
    routh_status status = ROUTH_OK;
    for (int yes = 1; yes && s->k < s->n && !status; s->k += yes) {
        const int q = s->n - 1 - s->k;
        yes = s->sigma[q] <= z->floor ||
              is_null_vector(s, s->right_t + q, (size_t)s->n, s->sigma[q], z->norm);
        if (!yes && z->n_stages > 0) status = is_amplified_noise(z, s, q, &yes, arena, error);
        if (yes) s->taken = fmax(s->taken, s->sigma[q]);
    }
    return status;
}

static routh_status zeros_decompose(rt_zeros *z, zeros_step *s, rt_arena *scratch,
                                    routh_error *error)
{
    const int n = s->n;
    const size_t size = (size_t)n * (size_t)n;
    double *copy = RT_TAKE(scratch, double, size);
    s->sigma = RT_TAKE(&z->arena, double, n);
    s->left = RT_TAKE(&z->arena, double, size);
    s->right_t = RT_TAKE(&z->arena, double, size);
    if (!copy || !s->sigma || !s->left || !s->right_t) return rt_fail_memory(error);
    memcpy(copy, s->A, size * sizeof *copy);
    return rt_svd_kept(n, n, copy, s->sigma, s->left, s->right_t, scratch->kept, error);
}

/* Of the first stage, in which k singular vectors pass for null vectors: are these slow modes? */
static routh_status are_slow(const rt_zeros *z, const zeros_step *s, bool *slow, rt_arena *arena,
                             routh_error *error)
{
    *slow = false;
    if (!s->k || z->n_stages || !z->linear) return ROUTH_OK;
    const int n = s->n, n_position = z->linear->n_position;
    double *S = RT_TAKE(arena, double, (size_t)n_position *(size_t)s->k);
    if (!S) return rt_fail_memory(error);
    for (int c = 0; c < s->k; c++)
        for (int i = 0; i < n_position; i++)
            S[i + (size_t)n_position * c] =
                z->scale[i] * s->right_t[n - 1 - c + (size_t)n * (size_t)i];
    return rt_zeros_are_slow(z->linear, z->norm, s->k, S, slow, arena, error);
}

/* X := the null vectors of A by its singular values, k of them; 0 when A is regular. */
static routh_status find_null_vectors(rt_zeros *z, zeros_step *s, rt_arena *arena,
                                      routh_error *error)
{
    const int n = s->n;
    double rcond = 0, one_norm = 0;
    s->k = 0;
    routh_status status = zeros_estimate(s, &rcond, &one_norm, arena, error);
    if (status) return status;
    s->smallest = rcond * one_norm;
    if (rcond > SURELY_REGULAR) return ROUTH_OK;
    status = zeros_decompose(z, s, arena, error);
    if (!status) status = count_null_vectors(z, s, arena, error);
    bool slow = false;
    if (!status) status = are_slow(z, s, &slow, arena, error);
    if (status) return status;
    if (slow) s->k = 0, s->taken = 0;
    const double *sigma = s->sigma;
    s->smallest = s->k < n ? sigma[n - 1 - s->k] : INFINITY;
    if (!s->k) return ROUTH_OK;
    s->largest = fmax(s->largest, sigma[n - s->k]);
    s->X = RT_TAKE(arena, double, (size_t)n *(size_t)s->k);
    if (!s->X) return rt_fail_memory(error);
    for (int c = 0; c < s->k; c++)
        for (int i = 0; i < n; i++) s->X[i + (size_t)n * c] = s->right_t[n - 1 - c + (size_t)n * i];
    zeros_normalise(s);
    return ROUTH_OK;
}

/* Column c of A X, X = [I; F]; a unit vector's where X is NULL. */
static void times_null_vector(const zeros_step *s, int c, double *y)
{
    const size_t n = (size_t)s->n;
    memset(y, 0, n * sizeof *y);
    for (size_t j = 0; j < n; j++) {
        const double x = s->X ? s->X[j + n * (size_t)c] : (double)(s->out[c] == (int)j);
        for (size_t i = 0; x != 0 && i < n; i++) y[i] += s->A[i + n * j] * x;
    }
}

/* R = A(in, :) X - F A(out, :) X, which is zero but for what was taken as zero. */
static routh_status zeros_keep_rest(rt_zeros *z, const zeros_step *s, rt_zero_stage *stage,
                                    routh_error *error)
{
    const int k = s->k, m = s->n - s->k;
    double *rest = RT_TAKE(&z->arena, double, (size_t)m *(size_t)k), *y = z->work;
    if (!rest) return rt_fail_memory(error);
    for (int c = 0; c < k; c++) {
        times_null_vector(s, c, y);
        for (int i = 0; i < m; i++) {
            double sum = y[stage->in[i]];
            for (int d = 0; stage->F && d < k; d++)
                sum -= stage->F[i + (size_t)m * d] * y[stage->out[d]];
            rest[i + (size_t)m * c] = sum;
        }
    }
    stage->rest = rest;
    return ROUTH_OK;
}

/* A := B = A(in, in) - F A(out, in), and the stage that undoes it. */
static routh_status zeros_deflate(rt_zeros *z, zeros_step *s, routh_error *error)
{
    const int n = s->n, k = s->k, m = n - k;
    rt_zero_stage *stage = &z->stages[z->n_stages++];
    int *out = RT_TAKE(&z->arena, int, k), *in = RT_TAKE(&z->arena, int, m);
    double *F = s->X ? RT_TAKE(&z->arena, double, (size_t)m *(size_t)k) : NULL;
    double *link = RT_TAKE(&z->arena, double, (size_t)k *(size_t)m);
    double *B = RT_TAKE(&z->arena, double, (size_t)m *(size_t)m);
    if (!out || !in || (s->X && !F) || !link || !B) return rt_fail_memory(error);
    memcpy(out, s->out, (size_t)k * sizeof *out);
    memcpy(in, s->in, (size_t)m * sizeof *in);
    for (int j = 0; j < m; j++) {
        const double *column = s->A + (size_t)n * (size_t)in[j];
        for (int c = 0; c < k; c++) link[c + (size_t)k * j] = column[out[c]];
        for (int i = 0; i < m; i++) {
            double b = column[in[i]];
            for (int c = 0; F && c < k; c++) b -= s->X[in[i] + (size_t)n * c] * column[out[c]];
            B[i + (size_t)m * j] = b;
        }
    }
    for (int c = 0; F && c < k; c++)
        for (int i = 0; i < m; i++) F[i + (size_t)m * c] = s->X[in[i] + (size_t)n * c];
    *stage = (rt_zero_stage){
        .n = n, .k = k, .out = out, .in = in, .F = F, .link = link, .taken = s->taken};
    z->taken = fmax(z->taken, s->taken);
    s->least = fmin(s->least, s->smallest);
    if (F) stage->sigma = s->sigma, stage->left = s->left, stage->right_t = s->right_t;
    const routh_status status = zeros_keep_rest(z, s, stage, error);
    s->A = B;
    s->n = m;
    s->X = NULL;
    z->n_zero += k;
    return status;
}

static routh_status zeros_run(rt_zeros *z, zeros_step *s, rt_arena *scratch, routh_error *error)
{
    routh_status status = ROUTH_OK;
    while (!status && s->n) {
        s->smallest = INFINITY, s->taken = 0;
        find_zero_columns(s, z->norm);
        if (!s->k) status = find_null_vectors(z, s, scratch, error);
        if (status || !s->k) break;
        status = zeros_deflate(z, s, error);
        rt_arena_free(scratch);
    }
    z->B = s->A;
    z->n_left = s->n;
    z->margin = s->n && s->smallest > 0 ? s->largest / s->smallest : 0;
    return status;
}

static routh_status zeros_take(rt_zeros *z, int n, rt_analyses *analyses, routh_error *error)
{
    *z = (rt_zeros){.n = n, .sure = RT_ZEROS_SURE_IN_DOUBLES, .arena.kept = analyses};
    z->scale = RT_TAKE(&z->arena, double, n);
    z->A = RT_TAKE(&z->arena, double, (size_t)n *(size_t)n);
    z->work = RT_TAKE(&z->arena, double, 4 * (size_t)n);
    z->stages = RT_TAKE(&z->arena, rt_zero_stage, (size_t)n + 1);
    return z->scale && z->A && z->work && z->stages ? ROUTH_OK : rt_fail_memory(error);
}

static routh_status zeros_load(rt_zeros *z, const routh_linear *linear, rt_analyses *analyses,
                               routh_error *error)
{
    const int n = linear->n_states;
    const routh_status status = zeros_take(z, n, analyses, error);
    if (status) return status;
    for (size_t e = 0; e < (size_t)n * (size_t)n; e++)
        if (!isfinite(linear->A[e]))
            return rt_fail(error, ROUTH_NUMERIC_ERROR,
                           "entry (%d, %d) of the state matrix is not a finite number",
                           (int)(e / (size_t)n), (int)(e % (size_t)n));
    z->linear = linear;
    rt_scale_states(linear, z->scale);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            z->A[i + (size_t)n * j] =
                linear->A[(size_t)i * (size_t)n + (size_t)j] * z->scale[j] / z->scale[i];
    z->norm = largest_norm(z->A, n);
    return ROUTH_OK;
}

static routh_status load_transposed(rt_zeros *t, const rt_zeros *z, routh_error *error)
{
    const routh_status status = zeros_take(t, z->n, z->arena.kept, error);
    if (status) return status;
    for (int i = 0; i < z->n; i++) {
        t->scale[i] = 1 / z->scale[i];
        for (int j = 0; j < z->n; j++) t->A[i + (size_t)z->n * j] = z->A[j + (size_t)z->n * i];
    }
    t->norm = z->norm;
    t->floor = z->floor;
    return ROUTH_OK;
}

/* Splits what is loaded, unless loading failed. *least: the smallest singular value that was kept
 * in a stage before others. */
static routh_status zeros_split(rt_zeros *z, routh_status status, double *least, routh_error *error)
{
    rt_arena scratch = {.kept = z->arena.kept};
    zeros_step s = {.n = z->n, .A = z->A, .least = INFINITY};
    s.out = status ? NULL : RT_TAKE(&z->arena, int, z->n);
    s.in = status ? NULL : RT_TAKE(&z->arena, int, z->n);
    if (!status && (!s.out || !s.in)) status = rt_fail_memory(error);
    if (!status) status = zeros_run(z, &s, &scratch, error);
    rt_arena_free(&scratch);
    *least = s.least;
    if (status) rt_zeros_free(z);
    return status;
}

/* Loads and splits in doubles. Where what is left out is large the floor is raised as long as that
 * leaves out less. */
static routh_status split_in_doubles(rt_zeros *z, const routh_linear *linear, rt_analyses *analyses,
                                     routh_error *error)
{
    double least;
    routh_status status = zeros_split(z, zeros_load(z, linear, analyses, error), &least, error);
    for (int k = 0; k < MOST_FLOORS && !status && z->taken > TOO_NOISY * z->norm; k++) {
        rt_zeros other;
        if (!(least < z->taken)) break;
        status = zeros_load(&other, linear, analyses, error);
        other.floor = least;
        status = zeros_split(&other, status, &least, error);
        const bool better = !status && other.taken < z->taken;
        if (better) {
            rt_zeros_free(z);
            *z = other;
        } else if (!status) {
            rt_zeros_free(&other);
            break;
        }
    }
    if (status) rt_zeros_free(z);
    return status;
}

/* Five times the largest norm of the samples, scaled as A (extended_spectrum.c). */
static double zeros_size_of_samples(const rt_zeros *z, const routh_linear *linear)
{
    const size_t n = (size_t)z->n;
    double most = 0;
    for (size_t k = 0; k < ROUTH_ERROR_SAMPLES; k++) {
        double square = 0;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                const double x = linear->A_error[(k * n + i) * n + j] * z->scale[j] / z->scale[i];
                square += x * x;
            }
        most = fmax(most, sqrt(square));
    }
    return 5 * most;
}

/* By samples in place of bounds; *clear: that tells zeros from others, and z is the split. */
static routh_status split_by_samples(rt_zeros *z, const routh_linear *linear, rt_analyses *analyses,
                                     bool *clear, routh_error *error)
{
    rt_zeros other;
    routh_status status = zeros_load(&other, linear, analyses, error);
    if (!status) status = rt_zeros_run_sampled(&other, clear, error);
    if (status || !*clear) {
        rt_zeros_free(&other);
        return status;
    }
    rt_zeros_free(z);
    *z = other;
    return status;
}

/* By bounds of errors, and by samples where these leave doubt. */
static routh_status split_in_extended(rt_zeros *z, const routh_linear *linear,
                                      rt_analyses *analyses, bool *clear, routh_error *error)
{
    bool told = false;
    routh_status status = zeros_load(z, linear, analyses, error);
    if (!status) status = rt_zeros_run_extended(z, clear, error);
    if (!status && (!*clear || z->margin > z->sure))
        status = split_by_samples(z, linear, analyses, &told, error);
    *clear = *clear || told;
    if (status || !*clear) rt_zeros_free(z);
    return status;
}

/* Of a model that was balanced with all digits since its zeros were in doubt they are known by
 * samples, or not at all. */
routh_status rt_zeros_split(rt_zeros *z, const routh_linear *linear, rt_analyses *analyses,
                            routh_error *error)
{
    if (!linear->A_rest || !linear->A_error) return split_in_doubles(z, linear, analyses, error);
    bool clear = true;
    *z = (rt_zeros){0};
    routh_status status = linear->balanced ? split_by_samples(z, linear, analyses, &clear, error)
                                           : split_in_extended(z, linear, analyses, &clear, error);
    if (status || clear) return status;
    status = split_in_doubles(z, linear, analyses, error);
    if (status) return status;
    z->unknown = zeros_size_of_samples(z, linear);
    if (linear->balanced) z->margin = 1;
    return status;
}

routh_status rt_zeros_split_transposed(rt_zeros *t, const rt_zeros *z, routh_error *error)
{
    double least;
    return zeros_split(t, load_transposed(t, z, error), &least, error);
}

void rt_zeros_free(rt_zeros *z)
{
    rt_arena_free(&z->arena);
    *z = (rt_zeros){0};
}
