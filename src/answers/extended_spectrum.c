#include "answers/extended_spectrum.h"

#include <cblas.h>
#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "answers/spectrum_rounding.h"
#include "base/dd_apart.h"
#include "base/dd_eigen.h"
#include "base/dd_matrix.h"

typedef double _Complex spectrum_complex;

enum { MOST_SWEEPS = 8, MOST_DENSE = 150 };

/* What rounding of the model's numbers does to an eigenvalue is at most so many times what the
 * largest of the samples does. A sample is about four times as large as rounding, so that each of
 * the four had to be below 1/20 of its usual size. */
static const double OF_SAMPLES = 5;

/* Couplings above this are none of first order: those vectors are told apart together. */
static const double COUPLED = 0.1;

/* Vectors of a defective eigenvalue are kept apart by this part of them: what is left of them then
 * is a coupling of its size, and errors of 106 bits are as large. */
static const double APART = 0x1p-50;

/* Bounds below this fraction of an eigenvalue need no better vectors. */
static const double GOOD = 1e-14;

typedef struct spectrum {
    int n;
    rt_dd *B, *X, *G, *LU;
    int *pivots;
    int *pair;           /* n: 0 real, 1 first of a pair (x + i y), 2 its second */
    rt_dd *re, *im;      /* n: eigenvalues; of the second of a pair the conjugate */
    spectrum_complex *H; /* n x n: couplings in complex vectors, zero on the diagonal */
    const double *error; /* n x n, of the entries of B: the arithmetic's */
    const rt_zeros *zeros;
    spectrum_complex *x, *w, *y; /* n of the whole matrix each, for what was left out */
    double *bound, *condition;
    double *noise;   /* n: what errors of B do to first order */
    double *R;       /* n x n: of the products, of each coupling and, on the diagonal, of
                              each eigenvalue */
    double *balance; /* n: of the unknowns, in which conditions are told */
    int *group;      /* n: the first of its group */
    rt_arena *arena;
} spectrum;

static routh_status spectrum_take(spectrum *s, rt_arena *arena, routh_error *error)
{
    const size_t n = (size_t)s->n, size = n * n;
    s->arena = arena;
    s->B = RT_TAKE(arena, rt_dd, size), s->X = RT_TAKE(arena, rt_dd, size);
    s->G = RT_TAKE(arena, rt_dd, size), s->LU = RT_TAKE(arena, rt_dd, size);
    s->H = RT_TAKE(arena, spectrum_complex, size);
    s->pivots = RT_TAKE(arena, int, n), s->pair = RT_TAKE(arena, int, n);
    s->group = RT_TAKE(arena, int, n);
    s->re = RT_TAKE(arena, rt_dd, n), s->im = RT_TAKE(arena, rt_dd, n);
    s->bound = RT_TAKE(arena, double, n), s->condition = RT_TAKE(arena, double, n);
    s->noise = RT_TAKE(arena, double, n), s->balance = RT_TAKE(arena, double, n);
    s->R = RT_TAKE(arena, double, size);
    const bool ok = s->B && s->X && s->G && s->LU && s->H && s->pivots && s->pair && s->group &&
                    s->re && s->im && s->bound && s->condition && s->noise && s->balance && s->R;
    return ok ? ROUTH_OK : rt_fail_memory(error);
}

static void spectrum_load(spectrum *s, const rt_zeros *z, const rt_eigen *e)
{
    const size_t n = (size_t)s->n;
    s->error = z->B_own_error;
    s->zeros = z;
    for (size_t k = 0; k < n * n; k++) {
        s->B[k] = rt_dd_quick_sum(z->B[k], z->B_rest[k]);
        s->X[k] = rt_dd_of(e->right[k]);
    }
    for (int k = 0; k < s->n; k++) s->pair[k] = e->im[k] > 0 ? 1 : e->im[k] < 0 ? 2 : 0;
}

/* ---- G, eigenvalues, couplings --------------------------------------------------------------- */

static rt_dd spectrum_entry(const spectrum *s, int i, int j)
{
    return s->G[i + (size_t)s->n * (size_t)j];
}

/* G = X^-1 B X; false: X is singular. */
static bool spectrum_transform(spectrum *s)
{
    const size_t size = (size_t)s->n * (size_t)s->n;
    memcpy(s->LU, s->X, size * sizeof *s->LU);
    if (rt_dd_factor(s->n, s->LU, s->pivots, NULL)) return false;
    rt_dd_times(s->n, s->n, s->n, s->B, s->X, s->G);
    rt_dd_solve(s->n, s->LU, s->pivots, s->n, s->G);
    for (size_t k = 0; k < size; k++)
        if (!isfinite(s->G[k].high)) return false;
    return true;
}

static void spectrum_values(spectrum *s)
{
    for (int k = 0; k < s->n; k++) {
        if (s->pair[k] == 2) continue;
        s->re[k] = spectrum_entry(s, k, k), s->im[k] = rt_dd_of(0);
        if (s->pair[k] == 0) continue;
        const rt_dd half = rt_dd_of(0.5);
        s->re[k] = rt_dd_multiply(half, rt_dd_add(s->re[k], spectrum_entry(s, k + 1, k + 1)));
        s->im[k] = rt_dd_multiply(
            half, rt_dd_subtract(spectrum_entry(s, k, k + 1), spectrum_entry(s, k + 1, k)));
        s->re[k + 1] = s->re[k], s->im[k + 1] = rt_dd_negative(s->im[k]);
    }
}

/* Column k (real, or the first of a pair) of H: with a = G_jk + i G_j,k+1 and b of row j + 1, the
 * part along x_j + i y_j is (a - i b) / 2, along x_j - i y_j (a + i b) / 2. The block of k itself
 * is taken without its eigenvalue. */
static void spectrum_column(spectrum *s, int k)
{
    const size_t n = (size_t)s->n;
    spectrum_complex *to = s->H + n * (size_t)k;
    for (int j = 0; j < s->n; j++) {
        if (s->pair[j] == 2) continue;
        rt_dd part[2][2] = {{{0}}}; /* rows j, j + 1; real and imaginary */
        for (int r = 0; r <= (s->pair[j] == 1); r++) {
            part[r][0] = spectrum_entry(s, j + r, k);
            if (s->pair[k] == 1) part[r][1] = spectrum_entry(s, j + r, k + 1);
        }
        if (j == k) {
            /* B (x + i y) = lambda (x + i y): x gets lambda, y gets i lambda */
            part[0][0] = rt_dd_subtract(part[0][0], s->re[k]);
            part[0][1] = rt_dd_subtract(part[0][1], s->im[k]);
            part[1][0] = rt_dd_add(part[1][0], s->im[k]);
            part[1][1] = rt_dd_subtract(part[1][1], s->re[k]);
        }
        const spectrum_complex a = part[0][0].high + I * part[0][1].high,
                               b = part[1][0].high + I * part[1][1].high;
        if (s->pair[j] == 0) {
            to[j] = j == k ? 0 : a;
        } else {
            to[j] = j == k ? 0 : (a - I * b) / 2;
            to[j + 1] = (a + I * b) / 2;
        }
    }
}

static void spectrum_couple(spectrum *s)
{
    const size_t n = (size_t)s->n;
    for (int k = 0; k < s->n; k++)
        if (s->pair[k] != 2) spectrum_column(s, k);
    for (int k = 0; k < s->n; k++) { /* the conjugate of the column before */
        if (s->pair[k] != 2) continue;
        for (int j = 0; j < s->n; j++) {
            const int other = s->pair[j] == 1 ? j + 1 : s->pair[j] == 2 ? j - 1 : j;
            s->H[j + n * (size_t)k] = conj(s->H[other + n * (size_t)(k - 1)]);
        }
    }
}

static spectrum_complex spectrum_gap(const spectrum *s, int from, int to)
{
    return rt_dd_subtract(s->re[to], s->re[from]).high +
           I * rt_dd_subtract(s->im[to], s->im[from]).high;
}

/* ---- bounds ---------------------------------------------------------------------------------- */

/* The vectors before the stage: x_out = y, x_in = F y + x; w_in = w, w_out = -F' w. Entries move up
 * in place, the last first. */
static void spectrum_widen(const spectrum *s, const rt_zero_stage *stage)
{
    const int m = stage->n - stage->k;
    const double *F = stage->F;
    spectrum_complex *of_out = s->y + stage->k; /* -F' w */
    for (int c = 0; c < stage->k; c++) {
        of_out[c] = 0;
        for (int i = 0; F && i < m; i++) {
            of_out[c] -= F[i + (size_t)m * (size_t)c] * s->w[i];
            s->x[i] += F[i + (size_t)m * (size_t)c] * s->y[c];
        }
    }
    for (int i = m - 1; i >= 0; i--) {
        s->x[stage->in[i]] = s->x[i];
        s->w[stage->in[i]] = s->w[i];
    }
    for (int c = 0; c < stage->k; c++) {
        s->x[stage->out[c]] = s->y[c];
        s->w[stage->out[c]] = of_out[c];
    }
}

/* Stage by stage (zeros.h): of [0 L; R B] the part R was taken as zero, which changes lambda by
 * w' R x_out with x_out = L x / lambda. */
static double spectrum_left_out(const spectrum *s, int k, const double *W)
{
    const size_t n = (size_t)s->n;
    const bool pair = s->pair[k] == 1;
    const spectrum_complex lambda = s->re[k].high + I * s->im[k].high;
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t at = i + n * (size_t)k;
        s->x[i] = s->X[at].high + (pair ? I * s->X[at + n].high : 0);
        s->w[i] = W[at] + (pair ? I * W[at + n] : 0);
    }
    for (int e = s->zeros->n_stages - 1; e >= 0; e--) {
        const rt_zero_stage *stage = &s->zeros->stages[e];
        const int m = stage->n - stage->k;
        double of_w = 0, of_x = 0;
        for (int i = 0; i < m; i++) of_w += cabs(s->w[i]);
        for (int c = 0; c < stage->k; c++) {
            s->y[c] = 0;
            for (int i = 0; i < m; i++)
                s->y[c] += stage->link[c + (size_t)stage->k * (size_t)i] * s->x[i];
            s->y[c] /= lambda;
            of_x += cabs(s->y[c]);
        }
        sum += stage->taken * of_w * of_x;
        spectrum_widen(s, stage);
    }
    return sum;
}

/* Is B split by samples of the arithmetic (zeros_extended.c)? Equal eigenvalues, as of symmetric
 * beams, keep their digits then. */
static bool spectrum_is_sampled(const spectrum *s)
{
    return s->zeros->n_samples > ROUTH_ERROR_SAMPLES;
}

/* By columns and rows of P = X^-1 S X in complex vectors: entry j of column k (spectrum_column). */
static spectrum_complex spectrum_sampled(const spectrum *s, const double *P, int j, int k)
{
    const size_t n = (size_t)s->n;
    const bool pair_k = s->pair[k] != 0, pair_j = s->pair[j] != 0;
    const int c = s->pair[k] == 2 ? k - 1 : k, r = s->pair[j] == 2 ? j - 1 : j;
    spectrum_complex row[2] = {0};
    for (int i = 0; i <= pair_j; i++) {
        const size_t at = (size_t)(r + i);
        const double im = pair_k ? P[at + n * (size_t)(c + 1)] : 0;
        row[i] = P[at + n * (size_t)c] + (s->pair[k] == 2 ? -I : I) * im;
    }
    if (!pair_j) return row[0];
    return (row[0] + (s->pair[j] == 2 ? I : -I) * row[1]) / 2;
}

/* What a sample does to eigenvalue k, to second order: P_kk + sum_j P_kj P_jk / (l_k - l_j); where
 * a coupling is no small one, the whole row. */
static double spectrum_moved(const spectrum *s, const double *P, int k)
{
    double first = cabs(spectrum_sampled(s, P, k, k)), second = 0, row = 0;
    bool close = false;
    for (int j = 0; j < s->n; j++) {
        if (j == k) continue;
        const double gap = cabs(spectrum_gap(s, j, k)),
                     up = OF_SAMPLES * cabs(spectrum_sampled(s, P, j, k)),
                     down = OF_SAMPLES * cabs(spectrum_sampled(s, P, k, j));
        row += down;
        close = close || 4 * up > gap;
        second += gap > 0 ? up * down / gap : 0;
    }
    return OF_SAMPLES * first + (close ? row : second);
}

/* What a sample does to eigenvalue k: with those that it couples with k by no small part of their
 * distance, k itself among them, to first order, and through all others i to second,
 *     sum_j |P_kj| + sum_i |P_ki| sum_j |P_ij| / |l_k - l_i|;
 * of k alone |P_kk| is one sample and the others' products are bounded. */
static double spectrum_moved_together(const spectrum *s, const double *P, int k, bool *close)
{
    double moved = 0;
    for (int j = 0; j < s->n; j++) {
        const double up = OF_SAMPLES * cabs(spectrum_sampled(s, P, j, k));
        close[j] = j == k || 4 * up > cabs(spectrum_gap(s, j, k));
        if (close[j]) moved += OF_SAMPLES * cabs(spectrum_sampled(s, P, k, j));
    }
    for (int i = 0; i < s->n; i++) {
        const double down = close[i] ? 0 : OF_SAMPLES * cabs(spectrum_sampled(s, P, k, i));
        double up = 0;
        for (int j = 0; j < s->n && down > 0; j++)
            if (close[j]) up += OF_SAMPLES * cabs(spectrum_sampled(s, P, i, j));
        if (down > 0) moved += down * up / cabs(spectrum_gap(s, i, k));
    }
    return moved;
}

/* noise += what the samples do; W: X^-T */
static routh_status spectrum_sample(spectrum *s, const double *W, routh_error *error)
{
    const size_t n = (size_t)s->n, size = n * n;
    rt_arena arena = {0};
    double *X = RT_TAKE(&arena, double, size), *T = RT_TAKE(&arena, double, size),
           *P = RT_TAKE(&arena, double, size), *most = RT_TAKE(&arena, double, n);
    bool *close = RT_TAKE(&arena, bool, n);
    if (!X || !T || !P || !most || !close) {
        rt_arena_free(&arena);
        return rt_fail_memory(error);
    }
    for (size_t e = 0; e < size; e++) X[e] = s->X[e].high;
    for (int sample = 0; sample < s->zeros->n_samples && n; sample++) {
        const double *S = s->zeros->B_samples + (size_t)sample * size;
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, s->n, s->n, s->n, 1, S, s->n, X,
                    s->n, 0, T, s->n);
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, s->n, s->n, s->n, 1, W, s->n, T, s->n,
                    0, P, s->n);
        for (int k = 0; k < s->n; k++)
            most[k] = fmax(most[k], spectrum_is_sampled(s) ? spectrum_moved_together(s, P, k, close)
                                                           : spectrum_moved(s, P, k));
    }
    for (size_t k = 0; k < n; k++) s->noise[k] += most[k];
    rt_arena_free(&arena);
    return ROUTH_OK;
}

/* Condition of each eigenvalue, |row of X^-1| |column of X| of the balanced matrix, and what errors
 * of B do to it, |row| E |column|; complex. W: X^-T of the rounded X. */
static void spectrum_condition(spectrum *s, int k, const double *W)
{
    const size_t n = (size_t)s->n;
    const bool pair = s->pair[k] == 1;
    const rt_dd *X = s->X + n * (size_t)k;
    const double *w = W + n * (size_t)k, half = pair ? 0.5 : 1;
    double x2 = 0, w2 = 0, noise = 0;
    for (size_t j = 0; j < n; j++) {
        const double x = hypot(X[j].high, pair ? X[j + n].high : 0);
        double of_E = 0;
        for (size_t i = 0; i < n; i++)
            of_E += hypot(w[i], pair ? w[i + n] : 0) * s->error[i + n * j];
        noise += of_E * x;
        const double scale = s->balance[j], left = hypot(w[j], pair ? w[j + n] : 0);
        x2 += x / scale * (x / scale), w2 += left * scale * (left * scale);
    }
    s->condition[k] = half * sqrt(x2 * w2);
    s->noise[k] = half * (noise + spectrum_left_out(s, k, W));
}

static routh_status spectrum_conditions(spectrum *s, double *W, routh_error *error)
{
    const size_t n = (size_t)s->n;
    rt_arena arena = {0};
    rt_dd *unit = RT_TAKE(&arena, rt_dd, n * n);
    if (!unit) return rt_fail_memory(error);
    for (size_t k = 0; k < n; k++) unit[k + n * k] = rt_dd_of(1);
    rt_dd_solve(s->n, s->LU, s->pivots, s->n, unit);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) W[j + n * i] = unit[i + n * j].high;
    rt_arena_free(&arena);
    for (int k = 0; k < s->n; k++) {
        if (s->pair[k] != 2)
            spectrum_condition(s, k, W);
        else {
            s->condition[k] = s->condition[k - 1];
            s->noise[k] = s->noise[k - 1];
        }
    }
    const rt_spectrum_product product = {s->n, s->B, s->X, s->G, s->LU, s->pivots, W, s->pair};
    const routh_status status = rt_spectrum_rounding(&product, s->R, error);
    return status ? status : spectrum_sample(s, W, error);
}

static double spectrum_rounding(const spectrum *s, int k)
{
    return s->R[k + (size_t)s->n * (size_t)k];
}

/* Of a coupling of k with j, and what is not known of it. */
static double spectrum_coupling(const spectrum *s, int j, int k)
{
    const size_t at = (size_t)j + (size_t)s->n * (size_t)k;
    return cabs(s->H[at]) + s->R[at];
}

/* The disc of k, apart from all others: with the unknowns of all others scaled by delta, so that
 * column k grows to half of the gaps and row k shrinks. INFINITY where the others' discs reach it.
 * radius: the others' row sums, with what is not known of their middles. */
static double spectrum_disc(const spectrum *s, int k, const double *radius)
{
    double delta = 0, row = 0, least = INFINITY;
    for (int j = 0; j < s->n; j++) {
        if (j == k) continue;
        const double gap = cabs(spectrum_gap(s, j, k)) - 2 * radius[j] - spectrum_rounding(s, k);
        if (!(gap > 0)) return INFINITY;
        delta = fmax(delta, 4 * spectrum_coupling(s, j, k) / gap);
        row += spectrum_coupling(s, k, j);
        least = fmin(least, gap);
    }
    delta = fmin(delta, 1);
    return delta * row < least / 4 ? delta * row : INFINITY;
}

static void spectrum_join(spectrum *s, int a, int b)
{
    const int first = s->group[a] < s->group[b] ? s->group[a] : s->group[b],
              other = s->group[a] < s->group[b] ? s->group[b] : s->group[a];
    for (int k = 0; k < s->n && first != other; k++)
        if (s->group[k] == other) s->group[k] = first;
}

/* The discs of a cluster, of which `first` is one, apart from all others: as of one, with the
 * unknowns of all that are not in it scaled by delta. False where the others' discs reach it. */
static bool spectrum_cluster(const spectrum *s, int first, const double *radius, double *bound)
{
    double delta = 0, least = INFINITY;
    for (int i = 0; i < s->n; i++) {
        if (s->group[i] == first) continue;
        double column = 0, gap = INFINITY;
        for (int k = 0; k < s->n; k++) {
            if (s->group[k] != first) continue;
            column += spectrum_coupling(s, i, k);
            gap = fmin(gap, cabs(spectrum_gap(s, i, k)) - 2 * radius[i] - spectrum_rounding(s, k));
        }
        if (!(gap > 0)) return false;
        delta = fmax(delta, 4 * column / gap);
        least = fmin(least, gap);
    }
    delta = fmin(delta, 1);
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < s->n; k++) {
            if (s->group[k] != first) continue;
            double row = 0;
            for (int j = 0; j < s->n; j++)
                row += (s->group[j] == first ? 1 : delta) * spectrum_coupling(s, k, j);
            if (pass)
                bound[k] = row + spectrum_rounding(s, k);
            else if (!(row < least / 4))
                return false;
        }
    return true;
}

/* Every eigenvalue its own disc; those that cannot be told apart the disc of the cluster. */
static routh_status spectrum_bound(spectrum *s, routh_error *error)
{
    double *radius = RT_TAKE(s->arena, double, s->n);
    if (!radius) return rt_fail_memory(error);
    for (int j = 0; j < s->n; j++) {
        radius[j] = spectrum_rounding(s, j);
        for (int k = 0; k < s->n; k++)
            if (k != j) radius[j] += spectrum_coupling(s, j, k);
    }
    for (int k = 0; k < s->n; k++) {
        s->group[k] = k;
        s->bound[k] = spectrum_disc(s, k, radius) + spectrum_rounding(s, k);
    }
    for (int k = 0; k < s->n; k++) {
        if (isfinite(s->bound[k])) continue;
        s->bound[k] = radius[k];
    }
    for (int k = 0; k < s->n; k++)
        for (int j = 0; j < k; j++)
            if (cabs(spectrum_gap(s, j, k)) <= s->bound[j] + s->bound[k]) spectrum_join(s, j, k);
    for (int k = 0; k < s->n; k++)
        if (s->group[k] == k) spectrum_cluster(s, k, radius, s->bound);
    for (int k = 0; k < s->n; k++) radius[k] = s->bound[k];
    for (int k = 0; k < s->n; k++)
        for (int j = 0; j < s->n; j++)
            if (j != k && s->group[j] == s->group[k])
                s->bound[k] = fmax(s->bound[k], cabs(spectrum_gap(s, j, k)) + radius[j]);
    return ROUTH_OK;
}

static bool spectrum_is_good(const spectrum *s)
{
    for (int k = 0; k < s->n; k++) {
        const double least = 4 * (s->noise[k] + spectrum_rounding(s, k));
        if (s->bound[k] > GOOD * hypot(s->re[k].high, s->im[k].high) && s->bound[k] > least)
            return false;
    }
    return true;
}

/* ---- better vectors -------------------------------------------------------------------------- */

/* Groups of those that are coupled too much; both of a pair together where one is. */
static void spectrum_find_groups(spectrum *s)
{
    const size_t n = (size_t)s->n;
    for (int k = 0; k < s->n; k++) s->group[k] = k;
    for (int k = 0; k < s->n; k++)
        for (int j = 0; j < k; j++) {
            const double gap = cabs(spectrum_gap(s, j, k)), up = cabs(s->H[j + n * (size_t)k]),
                         down = cabs(s->H[k + n * (size_t)j]);
            if (up > COUPLED * gap || down > COUPLED * gap) spectrum_join(s, j, k);
        }
    for (int round = 0; round < 2; round++)
        for (int k = 0; k < s->n; k++) {
            int size = 0;
            for (int j = 0; j < s->n; j++) size += s->group[j] == s->group[k];
            if (size == 1) continue;
            if (s->pair[k] == 1) spectrum_join(s, k, k + 1);
            if (s->pair[k] == 2) spectrum_join(s, k, k - 1);
        }
}

typedef struct spectrum_block {
    int m, *member;
    rt_dd *V; /* m x m: the new columns, real ones and pairs */
    int *pair;
} spectrum_block;

/* Real columns from complex vectors; false where conjugates do not fit together. */
static bool spectrum_pack(const rt_dd_complex *values, const rt_dd_complex *vectors, double norm,
                          spectrum_block *b)
{
    const double none = 0x1p-90 * norm;
    int at = 0, below = 0;
    for (int k = 0; k < b->m; k++) {
        const rt_dd_complex *v = vectors + (size_t)b->m * (size_t)k;
        const double im = values[k].im.high;
        const bool real = fabs(im) <= none;
        if (im < 0 && !real) {
            below++;
            continue;
        }
        if (at + (real ? 1 : 2) > b->m) return false;
        rt_dd *to = b->V + (size_t)b->m * (size_t)at;
        b->pair[at] = real ? 0 : 1;
        if (real) { /* turned so that its largest entry is real */
            int largest = 0;
            for (int i = 1; i < b->m; i++)
                if (hypot(v[i].re.high, v[i].im.high) >
                    hypot(v[largest].re.high, v[largest].im.high))
                    largest = i;
            const rt_dd c = v[largest].re, d = v[largest].im;
            for (int i = 0; i < b->m; i++)
                to[i] = rt_dd_add(rt_dd_multiply(v[i].re, c), rt_dd_multiply(v[i].im, d));
            at++;
            continue;
        }
        b->pair[at + 1] = 2;
        for (int i = 0; i < b->m; i++) to[i] = v[i].re, to[b->m + i] = v[i].im;
        at += 2, below--;
    }
    return at == b->m && below == 0;
}

/* The vectors of a group's own block, with all digits. */
static routh_status spectrum_solve_dense(const spectrum *s, spectrum_block *b, bool *done,
                                         rt_arena *arena, routh_error *error)
{
    const size_t m = (size_t)b->m;
    rt_dd_complex *a = RT_TAKE(arena, rt_dd_complex, m * m),
                  *values = RT_TAKE(arena, rt_dd_complex, m),
                  *vectors = RT_TAKE(arena, rt_dd_complex, m * m);
    double norm = 0;
    if (!a || !values || !vectors) return rt_fail_memory(error);
    for (size_t j = 0; j < m; j++)
        for (size_t i = 0; i < m; i++) {
            a[i + m * j].re = spectrum_entry(s, b->member[i], b->member[j]);
            norm = fmax(norm, fabs(a[i + m * j].re.high));
        }
    const routh_status status = rt_dd_eigen(b->m, a, values, vectors, arena, error);
    *done = !status && spectrum_pack(values, vectors, norm, b);
    if (*done) return rt_dd_keep_apart(b->m, b->V, APART, arena, error);
    return status == ROUTH_NUMERIC_ERROR ? ROUTH_OK : status;
}

/* The same of a large group to the digits of doubles: another scale of modes. */
static routh_status spectrum_solve_rounded(const spectrum *s, spectrum_block *b, bool *done,
                                           rt_arena *arena, routh_error *error)
{
    const size_t m = (size_t)b->m;
    double *a = RT_TAKE(arena, double, m *m);
    rt_eigen e = {RT_TAKE(arena, double, m),    RT_TAKE(arena, double, m),
                  RT_TAKE(arena, double, m *m), RT_TAKE(arena, double, m *m),
                  RT_TAKE(arena, double, m),    0};
    if (!a || !e.re || !e.im || !e.left || !e.right || !e.rcond) return rt_fail_memory(error);
    for (size_t j = 0; j < m; j++)
        for (size_t i = 0; i < m; i++)
            a[i + m * j] = spectrum_entry(s, b->member[i], b->member[j]).high;
    const routh_status status = rt_general_eigen(b->m, a, &e, error);
    *done = !status;
    for (size_t k = 0; k < m && !status; k++) {
        b->pair[k] = e.im[k] > 0 ? 1 : e.im[k] < 0 ? 2 : 0;
        for (size_t i = 0; i < m; i++) b->V[i + m * k] = rt_dd_of(e.right[i + m * k]);
    }
    return status;
}

/* The new columns of a group, side by side from place `at` on. */
static void spectrum_turn(const spectrum *s, const spectrum_block *b, int at, rt_dd *X, int *pair)
{
    const size_t n = (size_t)s->n, m = (size_t)b->m;
    for (size_t k = 0; k < m; k++, at++) {
        pair[at] = b->pair[k];
        for (size_t j = 0; j < m; j++)
            rt_dd_add_column(s->n, b->V[j + m * k], s->X + n * (size_t)b->member[j],
                             X + n * (size_t)at);
    }
}

static routh_status spectrum_solve_group(const spectrum *s, spectrum_block *b, bool *done,
                                         rt_arena *arena, routh_error *error)
{
    b->V = RT_TAKE(arena, rt_dd, (size_t)b->m * (size_t)b->m);
    b->pair = RT_TAKE(arena, int, b->m);
    if (!b->V || !b->pair) return rt_fail_memory(error);
    *done = true;
    if (b->m == 1) {
        b->V[0] = rt_dd_of(1), b->pair[0] = s->pair[b->member[0]];
        return ROUTH_OK;
    }
    return (b->m <= MOST_DENSE ? spectrum_solve_dense : spectrum_solve_rounded)(s, b, done, arena,
                                                                                error);
}

/* x_d += sum_c x_c H_cd / (lambda_d - lambda_c) over other groups, of columns that are alone. */
static routh_status spectrum_correct(spectrum *s, const int *alone, routh_error *error)
{
    const size_t n = (size_t)s->n;
    rt_arena arena = {0};
    rt_dd *old = RT_TAKE(&arena, rt_dd, n * n);
    if (!old) return rt_fail_memory(error);
    memcpy(old, s->X, n * n * sizeof *old);
    for (int d = 0; d < s->n; d++) {
        if (s->pair[d] == 2 || !alone[d]) continue;
        for (int c = 0; c < s->n; c++) {
            if (s->pair[c] == 2) continue;
            spectrum_complex f = 0, g = 0;
            if (c != d) f = s->H[c + n * (size_t)d] / spectrum_gap(s, c, d);
            if (s->pair[c] == 1) g = s->H[c + 1 + n * (size_t)d] / spectrum_gap(s, c + 1, d);
            const spectrum_complex x = f + g, y = I * (f - g);
            rt_dd *re = s->X + n * (size_t)d, *im = re + n;
            const rt_dd *of = old + n * (size_t)c;
            rt_dd_add_column(s->n, rt_dd_of(creal(x)), of, re);
            if (s->pair[c] == 1) rt_dd_add_column(s->n, rt_dd_of(creal(y)), of + n, re);
            if (s->pair[d] != 1) continue;
            rt_dd_add_column(s->n, rt_dd_of(cimag(x)), of, im);
            if (s->pair[c] == 1) rt_dd_add_column(s->n, rt_dd_of(cimag(y)), of + n, im);
        }
    }
    rt_arena_free(&arena);
    return ROUTH_OK;
}

/* X := what every group makes of its columns, group by group. */
static routh_status spectrum_solve_groups(spectrum *s, bool *done, routh_error *error)
{
    const size_t n = (size_t)s->n;
    rt_arena arena = {0}, scratch = {0};
    rt_dd *X = RT_TAKE(&arena, rt_dd, n * n);
    int *pair = RT_TAKE(&arena, int, n), at = 0;
    spectrum_block b = {.member = RT_TAKE(&arena, int, n)};
    routh_status status = X && pair && b.member ? ROUTH_OK : rt_fail_memory(error);
    for (int first = 0; first < s->n && !status && *done; first++) {
        b.m = 0;
        for (int k = first; k < s->n && s->group[first] == first; k++)
            if (s->group[k] == first) b.member[b.m++] = k;
        if (b.m == 0) continue;
        status = spectrum_solve_group(s, &b, done, &scratch, error);
        if (!status && *done) spectrum_turn(s, &b, at, X, pair);
        at += b.m;
        rt_arena_free(&scratch);
    }
    if (!status && *done) {
        memcpy(s->X, X, n * n * sizeof *X);
        memcpy(s->pair, pair, n * sizeof *pair);
    }
    rt_arena_free(&arena);
    return status;
}

static routh_status spectrum_better(spectrum *s, bool *done, routh_error *error)
{
    rt_arena arena = {0};
    int *alone = RT_TAKE(&arena, int, s->n);
    if (!alone) return rt_fail_memory(error);
    spectrum_find_groups(s);
    for (int k = 0; k < s->n; k++) {
        alone[k] = 1;
        for (int j = 0; j < s->n; j++)
            alone[k] = alone[k] && (j == k || s->group[j] != s->group[k]);
    }
    *done = true;
    routh_status status = spectrum_correct(s, alone, error);
    if (!status) status = spectrum_solve_groups(s, done, error);
    rt_arena_free(&arena);
    return status;
}

/* ---- what is given back ---------------------------------------------------------------------- */

static void spectrum_unit(double *re, double *im, size_t n)
{
    double square = 0;
    for (size_t i = 0; i < n; i++) square += re[i] * re[i] + (im ? im[i] * im[i] : 0);
    const double scale = square > 0 ? 1 / sqrt(square) : 0;
    for (size_t i = 0; i < n; i++) {
        re[i] *= scale;
        if (im) im[i] *= scale;
    }
}

/* Left vectors are the rows of X^-1: of a pair (r1 + i r2) / 2. */
static void spectrum_give(const spectrum *s, const double *W, rt_eigen *e, double *bounds,
                          double *noise)
{
    const size_t n = (size_t)s->n;
    for (size_t k = 0; k < n * n; k++) e->right[k] = s->X[k].high, e->left[k] = W[k];
    for (int k = 0; k < s->n; k++) {
        const bool pair = s->pair[k] == 1;
        e->re[k] = s->re[k].high, e->im[k] = s->im[k].high;
        e->rcond[k] = fmin(1, 1 / s->condition[k]);
        noise[k] = s->noise[k];
        bounds[k] = s->bound[k] + DBL_EPSILON / 2 * hypot(e->re[k], e->im[k]);
        double *x = e->right + n * (size_t)k, *w = e->left + n * (size_t)k;
        if (s->pair[k] == 2) continue;
        spectrum_unit(x, pair ? x + n : NULL, n);
        spectrum_unit(w, pair ? w + n : NULL, n);
    }
}

/* The order that dgeevx gives: pairs are neighbours. */
static bool spectrum_is_ordered(const spectrum *s)
{
    for (int k = 0; k < s->n; k++)
        if ((s->pair[k] == 1 && (k + 1 == s->n || s->pair[k + 1] != 2)) ||
            (s->pair[k] == 2 && (k == 0 || s->pair[k - 1] != 1)))
            return false;
    return true;
}

/* Eigenvalues, couplings and bounds by the vectors X. *done: X is regular. */
static routh_status spectrum_evaluate(spectrum *s, double *W, bool *done, routh_error *error)
{
    *done = spectrum_transform(s);
    if (!*done) return ROUTH_OK;
    spectrum_values(s);
    spectrum_couple(s);
    const routh_status status = spectrum_conditions(s, W, error);
    return status ? status : spectrum_bound(s, error);
}

/* Digits that bounds leave unknown, of all eigenvalues together. */
static double spectrum_unknown(const spectrum *s, const double *bounds)
{
    double sum = 0;
    for (int k = 0; k < s->n; k++) {
        const double size = fmax(hypot(s->re[k].high, s->im[k].high), DBL_MIN);
        sum += log10(fmax(bounds[k] / size, DBL_EPSILON));
    }
    return sum;
}

/* Better vectors as long as they are not good, and the best of them: those of a defective
 * eigenvalue become one, and what is made of them large. */
static routh_status spectrum_run(spectrum *s, double *W, bool *done, routh_error *error)
{
    const size_t n = (size_t)s->n;
    rt_arena arena = {0};
    rt_dd *X = RT_TAKE(&arena, rt_dd, n * n);
    int *pair = RT_TAKE(&arena, int, n), best = -1;
    routh_status status = X && pair ? ROUTH_OK : rt_fail_memory(error);
    double least = INFINITY;
    bool good = false;
    for (int sweep = 0; !status && !good; sweep++) {
        status = spectrum_evaluate(s, W, done, error);
        if (status || !*done) break;
        good = spectrum_is_good(s);
        if (best < 0 || good || spectrum_unknown(s, s->bound) < least) {
            memcpy(X, s->X, n * n * sizeof *X), memcpy(pair, s->pair, n * sizeof *pair);
            best = sweep, least = spectrum_unknown(s, s->bound);
        }
        if (good || sweep == MOST_SWEEPS) break;
        status = spectrum_better(s, done, error);
        if (!*done) break;
    }
    if (!status && !good && best >= 0) {
        memcpy(s->X, X, n * n * sizeof *X), memcpy(s->pair, pair, n * sizeof *pair);
        status = spectrum_evaluate(s, W, done, error);
    }
    rt_arena_free(&arena);
    return status;
}

routh_status rt_extended_eigen(const rt_zeros *z, rt_eigen *e, double *bounds, double *noise,
                               bool *done, routh_error *error)
{
    const size_t n = (size_t)z->n_left;
    rt_arena scratch = {0};
    spectrum s = {.n = z->n_left};
    const size_t room = 2 * (size_t)z->n;
    *done = false;
    routh_status status = spectrum_take(&s, &scratch, error);
    double *W = status ? NULL : RT_TAKE(&scratch, double, n *n);
    s.x = RT_TAKE(&scratch, spectrum_complex, room);
    s.w = RT_TAKE(&scratch, spectrum_complex, room);
    s.y = RT_TAKE(&scratch, spectrum_complex, room);
    if (!status && (!W || !s.x || !s.w || !s.y)) status = rt_fail_memory(error);
    if (!status) spectrum_load(&s, z, e);
    if (!status) {
        memcpy(W, z->B, n * n * sizeof *W);
        status = rt_balance_scales(s.n, W, s.balance, error);
    }
    if (!status) status = spectrum_run(&s, W, done, error);
    *done = *done && !status && spectrum_is_ordered(&s) &&
            spectrum_unknown(&s, s.bound) <= spectrum_unknown(&s, bounds);
    if (*done) spectrum_give(&s, W, e, bounds, noise);
    rt_arena_free(&scratch);
    return status;
}
