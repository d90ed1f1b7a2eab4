/* See sensitivity_spectrum.h. */
#include "studies/sensitivity_spectrum.h"

#include <cblas.h>
#include <complex.h>
#include <math.h>

#include "base/lapack.h"

/* x = -R^-1 Q over the columns of the unit matrix, n2 x n1, and A = P x. */
static routh_status find_matrix(const rt_levels_pencil *p, double *x, double *A, routh_error *error)
{
    const routh_status status = rt_pencil_rights(p, x, error);
    for (int k = 0; k < p->n1 && !status; k++)
        rt_pencil_rates(p, x + (size_t)k * (size_t)p->n2, A + (size_t)k * (size_t)p->n1);
    return status;
}

static bool sensitivity_spectrum_take(rt_pencil_spectrum *s, rt_arena *arena)
{
    const size_t n = (size_t)s->p->n1, all = n * (size_t)s->size;
    s->value = RT_TAKE(arena, double _Complex, n);
    s->condition = RT_TAKE(arena, double, n);
    s->first = RT_TAKE(arena, int, n), s->cluster = RT_TAKE(arena, int, n);
    for (int k = 0; k < 2; k++) {
        s->right[k] = RT_TAKE(arena, double, all);
        s->left[k] = RT_TAKE(arena, double, all);
        if (!s->right[k] || !s->left[k]) return false;
    }
    s->matrix = RT_TAKE(arena, double _Complex, n *n);
    s->vectors = RT_TAKE(arena, double _Complex, n *n);
    return s->value && s->condition && s->first && s->cluster && s->matrix && s->vectors;
}

typedef struct sensitivity_spectrum_work {
    double *x, *A;         /* n2 x n1, n1 x n1 */
    double *lifted, *left; /* n2 x n1: x and g of the vectors */
    rt_eigen eigen;
} sensitivity_spectrum_work;

static bool sensitivity_spectrum_take_work(sensitivity_spectrum_work *w, const rt_levels_pencil *p,
                                           rt_arena *arena)
{
    const size_t n = (size_t)p->n1, n2 = (size_t)p->n2;
    w->x = RT_TAKE(arena, double, n *n2), w->A = RT_TAKE(arena, double, n *n);
    w->lifted = RT_TAKE(arena, double, n *n2), w->left = RT_TAKE(arena, double, n *n2);
    w->eigen = (rt_eigen){.re = RT_TAKE(arena, double, n),
                          .im = RT_TAKE(arena, double, n),
                          .left = RT_TAKE(arena, double, n *n),
                          .right = RT_TAKE(arena, double, n *n),
                          .rcond = RT_TAKE(arena, double, n)};
    return w->x && w->A && w->lifted && w->left && w->eigen.re && w->eigen.im && w->eigen.left &&
           w->eigen.right && w->eigen.rcond;
}

/* Puts one vector, y then x, into column `at` of the rows. */
static void sensitivity_spectrum_put(double *rows, int n, int at, const double *y, int n1,
                                     const double *x, int n2)
{
    for (int r = 0; r < n1; r++) rows[(size_t)r * (size_t)n + at] = y[r];
    for (int r = 0; r < n2; r++) rows[(size_t)(n1 + r) * (size_t)n + at] = x[r];
}

/* Both vectors of all eigenvalues: x = (-R^-1 Q) v, and g. */
static routh_status sensitivity_spectrum_lift(rt_pencil_spectrum *s, sensitivity_spectrum_work *w,
                                              routh_error *error)
{
    const rt_levels_pencil *p = s->p;
    const size_t n1 = (size_t)p->n1, n2 = (size_t)p->n2;
    if (n1 == 0) return ROUTH_OK;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, p->n2, p->n1, p->n1, 1, w->x, p->n2,
                w->eigen.right, p->n1, 0, w->lifted, p->n2);
    const routh_status status = rt_pencil_lefts(p, w->eigen.left, w->left, error);
    for (int k = 0, c = 0; c < p->n1 && !status; c++) {
        if (w->eigen.im[c] < 0) continue;
        s->value[k] = w->eigen.re[c] + I * w->eigen.im[c];
        for (size_t part = 0; part < (w->eigen.im[c] > 0 ? 2 : 1); part++) {
            const size_t from = (size_t)c + part;
            sensitivity_spectrum_put(s->right[part], s->n, k, w->eigen.right + n1 * from, p->n1,
                                     w->lifted + n2 * from, p->n2);
            sensitivity_spectrum_put(s->left[part], s->n, k, w->eigen.left + n1 * from, p->n1,
                                     w->left + n2 * from, p->n2);
        }
        k++;
    }
    return status;
}

static double _Complex sensitivity_spectrum_entry(double *const rows[2], int n, int r, int k)
{
    return rows[0][(size_t)r * (size_t)n + k] + I * rows[1][(size_t)r * (size_t)n + k];
}

/* w_i^H v_j over y */
static double _Complex inner(const rt_pencil_spectrum *s, int i, int j)
{
    double _Complex sum = 0;
    for (int r = 0; r < s->p->n1; r++)
        sum += conj(sensitivity_spectrum_entry(s->left, s->n, r, i)) *
               sensitivity_spectrum_entry(s->right, s->n, r, j);
    return sum;
}

static void find_clusters(rt_pencil_spectrum *s)
{
    static const double near = 1e-6;
    for (int k = 0; k < s->n; k++) s->first[k] = k;
    for (int k = 0; k < s->n; k++)
        for (int j = 0; j < k; j++)
            if (cabs(s->value[k] - s->value[j]) <= near * cabs(s->value[k])) {
                const int from = s->first[k], to = s->first[j];
                for (int i = 0; i < s->n; i++)
                    if (s->first[i] == from) s->first[i] = to < from ? to : from;
            }
    for (int k = 0; k < s->n; k++)
        for (int j = 0; j < s->n; j++) s->cluster[k] += s->first[j] == s->first[k];
}

/* w_k scaled so that w_k^H v_k = 1, of those that stand alone. */
static void sensitivity_spectrum_normalise(rt_pencil_spectrum *s)
{
    for (int k = 0; k < s->n; k++) {
        const double _Complex product = inner(s, k, k);
        s->condition[k] = cabs(product); /* the vectors are of length 1 */
        if (s->cluster[k] > 1 || s->condition[k] == 0) continue;
        const double _Complex scale = conj(1 / product);
        for (int r = 0; r < s->size; r++) {
            const size_t at = (size_t)r * (size_t)s->n + (size_t)k;
            const double _Complex x = scale * (s->left[0][at] + I * s->left[1][at]);
            s->left[0][at] = creal(x), s->left[1][at] = cimag(x);
        }
    }
}

routh_status rt_spectrum_create(rt_pencil_spectrum *s, const rt_levels_pencil *p, rt_arena *arena,
                                routh_error *error)
{
    sensitivity_spectrum_work w;
    *s = (rt_pencil_spectrum){.p = p, .size = p->n1 + p->n2};
    if (!sensitivity_spectrum_take(s, arena) || !sensitivity_spectrum_take_work(&w, p, arena))
        return rt_fail_memory(error);
    routh_status status = find_matrix(p, w.x, w.A, error);
    if (!status) status = rt_general_eigen(p->n1, w.A, &w.eigen, error);
    for (int k = 0; k < p->n1; k++) s->n += w.eigen.im[k] >= 0;
    if (!status) status = sensitivity_spectrum_lift(s, &w, error);
    if (status) return status;
    find_clusters(s);
    sensitivity_spectrum_normalise(s);
    return ROUTH_OK;
}

/* ---- along a variation ---------------------------------------------------------------------- */

static double _Complex contract_two(const rt_pencil_spectrum *s, int i, int j)
{
    const rt_levels_pencil *p = s->p;
    double _Complex sum = 0;
    for (int e = 0; e < p->n_terms; e++) {
        const rt_term *t = &p->terms[e];
        const double d = t->varied < 0 ? 0 : t->sign * p->varied[t->varied];
        if (d != 0)
            sum += d * conj(sensitivity_spectrum_entry(s->left, s->n, t->row, i)) *
                   sensitivity_spectrum_entry(s->right, s->n, t->column, j);
    }
    return sum;
}

static void sort_values(double _Complex *values, int n)
{
    for (int k = 1; k < n; k++)
        for (int j = k; j > 0 && (creal(values[j]) > creal(values[j - 1]) ||
                                  (creal(values[j]) == creal(values[j - 1]) &&
                                   cimag(values[j]) > cimag(values[j - 1])));
             j--) {
            const double _Complex swap = values[j];
            values[j] = values[j - 1], values[j - 1] = swap;
        }
}

/* A cluster parts by the eigenvalues of (W^H V)^-1 W^H dA V. */
static routh_status sensitivity_spectrum_part(const rt_pencil_spectrum *s, int first,
                                              double _Complex *by, routh_error *error)
{
    enum { MOST = 64 };
    int member[MOST], pivots[MOST], n = 0;
    double _Complex W[MOST * MOST], values[MOST];
    for (int k = 0; k < s->n; k++)
        if (s->first[k] == first && n < MOST) member[n++] = k;
    if (s->cluster[first] > MOST)
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED, "%d eigenvalues agree; %d are the most",
                       s->cluster[first], MOST);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            W[i + n * j] = inner(s, member[i], member[j]);
            s->matrix[i + n * j] = contract_two(s, member[i], member[j]);
        }
    routh_status status = rt_complex_solve(n, W, pivots, n, s->matrix, NULL);
    if (status == ROUTH_SINGULAR) { /* defective */
        for (int k = 0; k < n; k++) by[member[k]] = (double)NAN;
        return ROUTH_OK;
    }
    status = status
                 ? rt_fail(error, status, "the vectors of %d equal eigenvalues are not finite", n)
                 : rt_complex_eigen(n, s->matrix, values, s->vectors, error);
    if (status) return status;
    sort_values(values, n);
    for (int k = 0; k < n; k++) by[member[k]] = values[k];
    return ROUTH_OK;
}

routh_status rt_spectrum_part(const rt_pencil_spectrum *s, double _Complex *by, routh_error *error)
{
    for (int k = 0; k < s->n; k++) {
        if (s->cluster[k] == 1 || s->first[k] != k) continue;
        const routh_status status = sensitivity_spectrum_part(s, k, by, error);
        if (status) return status;
    }
    return ROUTH_OK;
}
