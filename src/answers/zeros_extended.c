/* The staircase of zeros.h with numbers of 106 bits. Ranks by elimination with complete pivoting,
 *     P A Q = L [U11 U12; 0 U22],      null vectors Q [-U11^-1 U12; I],
 * that ends where no entry of U22 is more than what is not known of it. Rounding of the model's
 * numbers is known by samples: A with these changed goes through the same steps, and how far both
 * are apart is what it does, however long a chain of parts is. Errors of the arithmetic E run
 * along, entry by entry,
 *     u_ij - l_ik u_kj:    E_ij + |l_ik| E_kj + E(l_ik) |u_kj|,
 *     E(l_ik) = (E_ik + |l_ik| E_kk) / |u_kk|
 * (Wilkinson's running error analysis). Neither judges a slow part by a stiff one.
 *
 * These bounds grow by powers of ten from element to element of a beam that is 1e9 times as stiff
 * along its axis as it is to bending, and let slow modes pass for zero. What rounding does grows
 * not at all: where they leave zeros in doubt, two more samples, A with the last digits of each
 * entry changed, take their place. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "answers/zeros.h"
#include "base/dd_matrix.h"
#include "base/error.h"
#include "base/lapack.h"

/* Error of each entry of A, as a fraction of it, beside the sample: that of its own digits. What
 * the arithmetic before has lost is far below what rounding of the numbers to doubles does. */
static const double OF_ENTRY = 0x1p-100;

/* An entry is not zero beyond so many times its error, and the largest of its row and column by
 * which the sample is off. */
static const double BEYOND = 4, BEYOND_SAMPLE = 8;

/* What samples say of an error, at most: of several numbers one may do little by chance. */
static const double OF_SAMPLE = 2;

/* Nor is one that is smaller than this part of another that is within its error: a division by what
 * rounding left of a right angle's cosine squared would make all that is left large and unknown. */
static const double BESIDE_UNKNOWN = 1e-14;

/* Bounds grow from row to row of a long chain. Where they let pass for zero what is as large as
 * this part of the matrix, and beyond the errors of its entries themselves, they tell nothing. */
static const double NO_ZERO = 1e-3;

/* What is zero whatever the numbers of the model are: samples of these do no more to it than so
 * many times what those of the arithmetic do, and than rounding of 106 bits of the stiffest part,
 * to which a state is balanced; and all that is not known of it is below rounding of the smallest
 * entry that is none. What rounding of the model does more to may be slow, as near a fold. */
static const double OF_ARITHMETIC = 0x1p10, OF_KEPT = 0x1p-54;

/* Reciprocal condition of the rounded matrix above which there is no null vector. */
static const double REGULAR = 1e-8;

/* Samples of the numbers, and with those of the arithmetic. */
enum { GIVEN = ROUTH_ERROR_SAMPLES, MOST_SAMPLES = ROUTH_ERROR_SAMPLES + 2 };

typedef struct extended_step {
    int n, rank, samples;
    rt_dd *A, *U;
    rt_dd *A2[MOST_SAMPLES], *U2[MOST_SAMPLES];
    double *E, *EU;    /* errors of the arithmetic in A and in U; with samples of it none */
    double *apart[2];  /* n each: largest of rows and columns of U - U2 that remain */
    int *row, *column; /* n: row and column that step k took */
    double largest, smallest;
    double least; /* smallest of all stages */
    double by[2]; /* what samples do to zeros: those of the model, those of the arithmetic */
    double value; /* the largest of what was taken as zero, without its error */
    double given; /* the largest error of an entry, as it was given */
} extended_step;

static rt_dd *extended_at(rt_dd *a, int n, int i, int j) { return a + i + (size_t)n * (size_t)j; }

static double *extended_error(double *e, int n, int i, int j)
{
    return e + i + (size_t)n * (size_t)j;
}

static void extended_exchange(extended_step *s, int i, int j, int p, int q)
{
    rt_dd *x = extended_at(s->U, s->n, i, j), *y = extended_at(s->U, s->n, p, q), t = *x;
    *x = *y, *y = t;
    for (int k = 0; k < s->samples; k++) {
        x = extended_at(s->U2[k], s->n, i, j), y = extended_at(s->U2[k], s->n, p, q), t = *x;
        *x = *y, *y = t;
    }
    double *e = extended_error(s->EU, s->n, i, j), *f = extended_error(s->EU, s->n, p, q), u = *e;
    *e = *f, *f = u;
}

static double extended_apart(rt_dd a, rt_dd b) { return fabs(rt_dd_subtract(a, b).high); }

/* The farthest sample from an entry. */
static double extended_farthest(const extended_step *s, rt_dd a, rt_dd *const *samples, size_t at)
{
    double most = 0;
    for (int k = 0; k < s->samples; k++) most = fmax(most, extended_apart(a, samples[k][at]));
    return most;
}

static bool extended_is_sampled(const extended_step *s) { return s->samples > GIVEN; }

static void extended_compare(extended_step *s, int k)
{
    for (int i = k; i < s->n; i++) s->apart[0][i] = s->apart[1][i] = 0;
    for (int j = k; j < s->n; j++)
        for (int i = k; i < s->n; i++) {
            const double d = extended_farthest(s, *extended_at(s->U, s->n, i, j), s->U2,
                                               (size_t)i + (size_t)s->n * (size_t)j);
            s->apart[0][i] = fmax(s->apart[0][i], d), s->apart[1][j] = fmax(s->apart[1][j], d);
        }
}

/* What is not known of an entry. */
static double extended_unknown(const extended_step *s, int i, int j)
{
    return BEYOND * *extended_error(s->EU, s->n, i, j) +
           BEYOND_SAMPLE * fmax(s->apart[0][i], s->apart[1][j]);
}

/* The largest entry of what remains that is beyond its error, to place k; its size, or -1. */
static double extended_pivot(extended_step *s, int k)
{
    double best = -1, largest = 0;
    int p = k, q = k;
    extended_compare(s, k);
    for (int j = k; j < s->n; j++)
        for (int i = k; i < s->n; i++) {
            const double size = fabs(extended_at(s->U, s->n, i, j)->high);
            largest = fmax(largest, size);
            /* of equal ones the first, whatever the last digits */
            if (size > 1.01 * best && size > extended_unknown(s, i, j)) best = size, p = i, q = j;
        }
    if (best < BESIDE_UNKNOWN * largest) return -1;
    for (int j = 0; j < s->n && p != k; j++) extended_exchange(s, k, j, p, j);
    for (int i = 0; i < s->n && q != k; i++) extended_exchange(s, i, k, i, q);
    const int c = s->column[k];
    s->column[k] = s->column[q], s->column[q] = c;
    return best;
}

/* What samples do to an entry that remains. */
static void extended_measure_samples(extended_step *s, int i, int j)
{
    const size_t at = (size_t)i + (size_t)s->n * (size_t)j;
    for (int k = 0; k < s->samples; k++) {
        double *by = &s->by[k < GIVEN ? 0 : 1];
        *by = fmax(*by, extended_apart(s->U[at], s->U2[k][at]));
    }
}

/* The largest of what remains, and with its error. */
static void extended_measure_remainder(extended_step *s)
{
    for (int j = s->rank; j < s->n; j++)
        for (int i = s->rank; i < s->n; i++) {
            const double size = fabs(extended_at(s->U, s->n, i, j)->high);
            s->value = fmax(s->value, size);
            extended_measure_samples(s, i, j);
            const double apart = fmax(s->apart[0][i], s->apart[1][j]);
            s->largest =
                fmax(s->largest, size + OF_SAMPLE * apart + *extended_error(s->EU, s->n, i, j));
        }
}

static void extended_eliminate_sample(rt_dd *U, int n, int k)
{
    rt_dd *column = extended_at(U, n, 0, k);
    for (int i = k + 1; i < n; i++)
        if (column[i].high != 0) column[i] = rt_dd_divide(column[i], column[k]);
    for (int j = k + 1; j < n; j++) {
        rt_dd *other = extended_at(U, n, 0, j);
        rt_dd_add_column(n - k - 1, rt_dd_negative(other[k]), column + k + 1, other + k + 1);
    }
}

static void extended_eliminate_column(extended_step *s, int k)
{
    const int n = s->n;
    rt_dd *column = extended_at(s->U, n, 0, k);
    double *error = extended_error(s->EU, n, 0, k);
    const double pivot = fabs(column[k].high);
    for (int i = k + 1; i < n; i++) {
        if (column[i].high != 0) column[i] = rt_dd_divide(column[i], column[k]);
        error[i] = (error[i] + fabs(column[i].high) * error[k]) / pivot;
    }
    for (int j = k + 1; j < n; j++) {
        rt_dd *other = extended_at(s->U, n, 0, j);
        double *of = extended_error(s->EU, n, 0, j);
        const double size = fabs(other[k].high);
        for (int i = k + 1; i < n; i++) {
            const double l = fabs(column[i].high);
            of[i] += l * of[k] + error[i] * (size + of[k]) + RT_DD_EPSILON * l * size;
        }
        rt_dd_add_column(n - k - 1, rt_dd_negative(other[k]), column + k + 1, other + k + 1);
    }
}

static void extended_eliminate(extended_step *s)
{
    const size_t size = (size_t)s->n * (size_t)s->n;
    memcpy(s->U, s->A, size * sizeof *s->U);
    for (int k = 0; k < s->samples; k++) memcpy(s->U2[k], s->A2[k], size * sizeof *s->U);
    memcpy(s->EU, s->E, size * sizeof *s->EU);
    for (int k = 0; k < s->n; k++) s->column[k] = k;
    s->smallest = INFINITY, s->largest = s->value = 0;
    for (s->rank = 0; s->rank < s->n; s->rank++) {
        const double pivot = extended_pivot(s, s->rank);
        if (pivot < 0) {
            extended_measure_remainder(s);
            return;
        }
        s->smallest = fmin(s->smallest, pivot), s->least = fmin(s->least, pivot);
        if (extended_is_sampled(s))
            extended_eliminate_sample(s->U, s->n, s->rank);
        else
            extended_eliminate_column(s, s->rank);
        for (int k = 0; k < s->samples; k++) extended_eliminate_sample(s->U2[k], s->n, s->rank);
    }
}

/* Column c of -U11^-1 U12 in place of U12, and of its error. */
static void extended_null_vector(const extended_step *s, int c)
{
    rt_dd *x = extended_at(s->U, s->n, 0, c);
    double *e = extended_error(s->EU, s->n, 0, c);
    for (int k = s->rank - 1; k >= 0; k--) {
        const rt_dd *column = extended_at(s->U, s->n, 0, k);
        const double *error = extended_error(s->EU, s->n, 0, k);
        x[k] = rt_dd_divide(x[k], column[k]);
        const double size = fabs(x[k].high);
        e[k] = (e[k] + error[k] * size) / fabs(column[k].high);
        for (int i = 0; i < k; i++) e[i] += fabs(column[i].high) * e[k] + error[i] * size;
        rt_dd_add_column(k, rt_dd_negative(x[k]), column, x);
    }
    for (int k = 0; k < s->rank; k++) x[k] = rt_dd_negative(x[k]);
}

static void extended_null_vector_of_sample(const extended_step *s, rt_dd *U, int c)
{
    rt_dd *x = extended_at(U, s->n, 0, c);
    for (int k = s->rank - 1; k >= 0; k--) {
        const rt_dd *column = extended_at(U, s->n, 0, k);
        x[k] = rt_dd_divide(x[k], column[k]);
        rt_dd_add_column(k, rt_dd_negative(x[k]), column, x);
    }
    for (int k = 0; k < s->rank; k++) x[k] = rt_dd_negative(x[k]);
}

/* Flags and the order in which the columns stay: out as found, in ascending. */
static void extended_sort(const extended_step *s, int *out, int *in, int *step_of)
{
    for (int k = 0; k < s->n; k++) step_of[s->column[k]] = k;
    int kept = 0, taken = 0;
    for (int j = 0; j < s->n; j++)
        if (step_of[j] < s->rank)
            in[kept++] = j;
        else
            out[taken++] = j;
}

/* A := A(in, in) - F A(out, in) of a sample; false: no memory. */
static bool extended_deflate_sample(extended_step *s, int sample, const int *out, const int *in,
                                    const int *step_of, rt_arena *scratch)
{
    const int n = s->n, m = s->rank, k = n - m;
    rt_dd *U = s->U2[sample], *B = RT_TAKE(scratch, rt_dd, (size_t)m * (size_t)m);
    if (!B) return false;
    for (int c = m; c < n; c++) extended_null_vector_of_sample(s, U, c);
    for (int j = 0; j < m; j++) {
        const rt_dd *column = s->A2[sample] + (size_t)n * (size_t)in[j];
        for (int i = 0; i < m; i++) {
            rt_dd b = column[in[i]];
            for (int c = 0; c < k; c++) {
                const rt_dd f = *extended_at(U, n, step_of[in[i]], step_of[out[c]]);
                b = rt_dd_fma(b, rt_dd_negative(f), column[out[c]]);
            }
            B[i + (size_t)m * j] = b;
        }
    }
    s->A2[sample] = B;
    return true;
}

/* A := A(in, in) - F A(out, in), and the stage that undoes it. */
static routh_status extended_deflate(rt_zeros *z, extended_step *s, rt_arena *scratch,
                                     routh_error *error)
{
    const int n = s->n, m = s->rank, k = n - m;
    rt_zero_stage *stage = &z->stages[z->n_stages++];
    int *out = RT_TAKE(&z->arena, int, k), *in = RT_TAKE(&z->arena, int, m);
    int *step_of = RT_TAKE(scratch, int, n);
    double *F = RT_TAKE(&z->arena, double, (size_t)m *(size_t)k);
    double *link = RT_TAKE(&z->arena, double, (size_t)k *(size_t)m);
    rt_dd *B = RT_TAKE(scratch, rt_dd, (size_t)m * (size_t)m);
    double *E = RT_TAKE(scratch, double, (size_t)m *(size_t)m);
    if (!out || !in || !step_of || !F || !link || !B || !E) return rt_fail_memory(error);
    for (int c = m; c < n; c++) {
        if (extended_is_sampled(s))
            extended_null_vector_of_sample(s, s->U, c);
        else
            extended_null_vector(s, c);
    }
    extended_sort(s, out, in, step_of);
    for (int sample = 0; sample < s->samples; sample++)
        if (!extended_deflate_sample(s, sample, out, in, step_of, scratch))
            return rt_fail_memory(error);
    for (int j = 0; j < m; j++) {
        const rt_dd *column = s->A + (size_t)n * (size_t)in[j];
        const double *of = s->E + (size_t)n * (size_t)in[j];
        for (int c = 0; c < k; c++) link[c + (size_t)k * j] = column[out[c]].high;
        for (int i = 0; i < m; i++) {
            rt_dd b = column[in[i]];
            double e = of[in[i]];
            for (int c = 0; c < k; c++) {
                const rt_dd f = *extended_at(s->U, n, step_of[in[i]], step_of[out[c]]),
                            a = column[out[c]];
                b = rt_dd_fma(b, rt_dd_negative(f), a);
                e += fabs(f.high) * of[out[c]] +
                     *extended_error(s->EU, n, step_of[in[i]], step_of[out[c]]) *
                         (fabs(a.high) + of[out[c]]) +
                     RT_DD_EPSILON * fabs(f.high * a.high);
            }
            B[i + (size_t)m * j] = b;
            E[i + (size_t)m * j] = extended_is_sampled(s) ? 0 : e;
        }
    }
    for (int c = 0; c < k; c++)
        for (int i = 0; i < m; i++)
            F[i + (size_t)m * c] = extended_at(s->U, n, step_of[in[i]], step_of[out[c]])->high;
    *stage = (rt_zero_stage){
        .n = n, .k = k, .out = out, .in = in, .F = F, .link = link, .taken = s->largest};
    s->A = B, s->E = E;
    s->n = m;
    z->n_zero += k;
    return ROUTH_OK;
}

/* A pivot by which dividing overflows is as good as none. */
static bool extended_is_finite(size_t n, const double *x)
{
    for (size_t k = 0; k < n; k++)
        if (!isfinite(x[k])) return false;
    return true;
}

/* Is the rounded matrix regular beyond doubt? */
static routh_status extended_is_regular(const extended_step *s, bool *regular, rt_arena *scratch,
                                        routh_error *error)
{
    const size_t size = (size_t)s->n * (size_t)s->n;
    double *lu = RT_TAKE(scratch, double, size), norm = 0, rcond = 0, of_errors = 0;
    int *pivots = RT_TAKE(scratch, int, s->n);
    *regular = false;
    if (!lu || !pivots) return rt_fail_memory(error);
    for (int j = 0; j < s->n; j++) {
        double sum = 0, errors = 0;
        for (int i = 0; i < s->n; i++) {
            lu[i + (size_t)s->n * j] = s->A[i + (size_t)s->n * j].high;
            sum += fabs(lu[i + (size_t)s->n * j]);
            errors += s->E[i + (size_t)s->n * j] +
                      OF_SAMPLE * extended_farthest(s, s->A[i + (size_t)s->n * j], s->A2,
                                                    (size_t)i + (size_t)s->n * (size_t)j);
        }
        norm = fmax(norm, sum), of_errors = fmax(of_errors, errors);
    }
    routh_status status = rt_lu_factor(s->n, lu, pivots, error);
    if (status == ROUTH_SINGULAR || (!status && !extended_is_finite(size, lu))) return ROUTH_OK;
    if (!status) status = rt_lu_rcond(s->n, lu, norm, &rcond, error);
    *regular = !status && rcond > REGULAR && rcond * norm > 4 * BEYOND * of_errors;
    return status;
}

static routh_status extended_run(rt_zeros *z, extended_step *s, bool *clear, rt_arena *scratch,
                                 routh_error *error)
{
    const size_t size = (size_t)z->n * (size_t)z->n;
    double largest = 0;
    s->U = RT_TAKE(scratch, rt_dd, size);
    for (int k = 0; k < s->samples; k++)
        if (!(s->U2[k] = RT_TAKE(scratch, rt_dd, size))) return rt_fail_memory(error);
    s->EU = RT_TAKE(scratch, double, size);
    s->column = RT_TAKE(scratch, int, z->n);
    s->apart[0] = RT_TAKE(scratch, double, z->n), s->apart[1] = RT_TAKE(scratch, double, z->n);
    if (!s->U || !s->EU || !s->column || !s->apart[0] || !s->apart[1]) return rt_fail_memory(error);
    s->smallest = INFINITY;
    while (s->n) {
        bool regular;
        routh_status status = extended_is_regular(s, &regular, scratch, error);
        if (status || regular) {
            if (status) return status;
            s->smallest = INFINITY;
            break;
        }
        extended_eliminate(s);
        largest = fmax(largest, s->largest);
        *clear = s->value <= fmax(NO_ZERO * z->norm, BEYOND * s->given);
        if (s->rank == s->n || !*clear) break;
        status = extended_deflate(z, s, scratch, error);
        if (status) return status;
    }
    z->taken = largest;
    z->sure = RT_ZEROS_SURE;
    z->margin = s->n && isfinite(s->smallest) ? largest / s->smallest : 0;
    /* all that remains is regular beyond doubt: yet what was kept before may tell of one */
    if (largest / s->least > z->sure) z->margin = fmax(z->margin, largest / s->least);
    return ROUTH_OK;
}

static routh_status extended_keep(rt_zeros *z, const extended_step *s, routh_error *error)
{
    const size_t size = (size_t)s->n * (size_t)s->n;
    z->n_left = s->n;
    z->B = RT_TAKE(&z->arena, double, size);
    z->B_rest = RT_TAKE(&z->arena, double, size);
    z->B_error = RT_TAKE(&z->arena, double, size);
    z->B_own_error = RT_TAKE(&z->arena, double, size);
    z->n_samples = s->samples;
    z->B_samples = RT_TAKE(&z->arena, double, (size_t)s->samples *size);
    if (!z->B || !z->B_rest || !z->B_error || !z->B_own_error || !z->B_samples)
        return rt_fail_memory(error);
    for (size_t e = 0; e < size; e++) z->B[e] = s->A[e].high, z->B_rest[e] = s->A[e].low;
    for (size_t e = 0; e < size; e++) {
        z->B_own_error[e] = s->E[e];
        z->B_error[e] = s->E[e] + OF_SAMPLE * extended_farthest(s, s->A[e], s->A2, e);
        for (int k = 0; k < s->samples; k++)
            z->B_samples[e + (size_t)k * size] = rt_dd_subtract(s->A2[k][e], s->A[e]).high;
    }
    return ROUTH_OK;
}

/* The next of a sequence in -1 .. 1. */
static double extended_next(unsigned long long *seed)
{
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*seed >> 11) * 0x1p-52 - 1;
}

static void extended_load(const rt_zeros *z, const routh_linear *l, extended_step *s)
{
    const int n = z->n;
    unsigned long long seed = 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const size_t at = (size_t)i + (size_t)n * (size_t)j,
                         from = (size_t)i * (size_t)n + (size_t)j;
            const double scale = z->scale[j] / z->scale[i], own = OF_ENTRY * fabs(z->A[at]);
            s->A[at] = (rt_dd){z->A[at], l->A_rest[from] * scale};
            s->E[at] = extended_is_sampled(s) ? 0 : own;
            for (int k = 0; k < s->samples; k++) {
                const double change =
                    k < GIVEN ? l->A_error[(size_t)k * (size_t)n * (size_t)n + from] * scale
                              : own * extended_next(&seed);
                s->A2[k][at] = rt_dd_add(s->A[at], rt_dd_of(change));
                s->given = fmax(s->given, fabs(change) + s->E[at]);
            }
        }
}

/* Was nothing taken as zero but what is zero whatever the numbers of the model are? */
static bool extended_is_exact(const rt_zeros *z, const extended_step *s)
{
    return s->by[0] <= OF_ARITHMETIC * s->by[1] + RT_DD_EPSILON * z->norm &&
           z->taken <= OF_KEPT * s->least;
}

static routh_status extended_run_by(rt_zeros *z, int samples, bool *clear, bool *exact,
                                    routh_error *error)
{
    const size_t size = (size_t)z->n * (size_t)z->n;
    rt_arena scratch = {.kept = z->arena.kept};
    extended_step s = {.n = z->n,
                       .samples = samples,
                       .least = INFINITY,
                       .A = RT_TAKE(&scratch, rt_dd, size),
                       .E = RT_TAKE(&scratch, double, size)};
    bool room = s.A && s.E;
    for (int k = 0; k < samples; k++) room = (s.A2[k] = RT_TAKE(&scratch, rt_dd, size)) && room;
    routh_status status = room ? ROUTH_OK : rt_fail_memory(error);
    if (!status) extended_load(z, z->linear, &s);
    *clear = true;
    if (!status) status = extended_run(z, &s, clear, &scratch, error);
    if (!status) status = extended_keep(z, &s, error);
    *exact = extended_is_exact(z, &s);
    rt_arena_free(&scratch);
    return status;
}

routh_status rt_zeros_run_extended(rt_zeros *z, bool *clear, routh_error *error)
{
    bool exact;
    return extended_run_by(z, GIVEN, clear, &exact, error);
}

routh_status rt_zeros_run_sampled(rt_zeros *z, bool *clear, routh_error *error)
{
    bool told, exact;
    const routh_status status = extended_run_by(z, MOST_SAMPLES, &told, &exact, error);
    *clear = told && exact;
    return status;
}
