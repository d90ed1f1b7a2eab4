#include "studies/attribution_pairing.h"

#include <math.h>

#include "base/lapack.h"

enum { MOST_EQUAL = 64 };
static const double least_overlap = 0.2;

static double _Complex attribution_pairing_entry(double *const rows[2], int n, int r, int k)
{
    const size_t at = (size_t)r * (size_t)n + (size_t)k;
    return rows[0][at] + I * rows[1][at];
}

static int members_of(const rt_pencil_spectrum *s, int k, int member[MOST_EQUAL])
{
    int n = 0;
    for (int j = 0; j < s->n && n < MOST_EQUAL; j++)
        if (s->first[j] == s->first[k]) member[n++] = j;
    return n;
}

/* w_j^H x over the states, of each of those that agree with k */
static int attribution_pairing_project(const rt_pencil_spectrum *s, int k, const double _Complex *x,
                                       int member[MOST_EQUAL], double _Complex c[MOST_EQUAL])
{
    const int n = members_of(s, k, member);
    for (int j = 0; j < n; j++) {
        c[j] = 0;
        for (int r = 0; r < s->p->n1; r++)
            c[j] += conj(attribution_pairing_entry(s->left, s->n, r, member[j])) * x[r];
    }
    return n;
}

/* c = (W^H V)^-1 c (or its conjugate transpose); false where it is singular */
static bool attribution_pairing_divide(const rt_pencil_spectrum *s, const int *member, int n,
                                       bool transposed, double _Complex *c)
{
    double _Complex M[MOST_EQUAL * MOST_EQUAL];
    int pivots[MOST_EQUAL];
    if (n == 1 && s->cluster[member[0]] == 1) return s->condition[member[0]] > 0; /* w^H v = 1 */
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double _Complex sum = 0;
            for (int r = 0; r < s->p->n1; r++)
                sum += conj(attribution_pairing_entry(s->left, s->n, r, member[i])) *
                       attribution_pairing_entry(s->right, s->n, r, member[j]);
            if (transposed)
                M[j + n * i] = conj(sum);
            else
                M[i + n * j] = sum;
        }
    return rt_complex_solve(n, M, pivots, 1, c, NULL) == ROUTH_OK;
}

/* x (size rows) = sum of vectors with coefficients */
static void attribution_pairing_combine(double *const rows[2], const rt_pencil_spectrum *s,
                                        const int *member, int n, const double _Complex *c,
                                        int size, double _Complex *x)
{
    for (int r = 0; r < size; r++) {
        x[r] = 0;
        for (int j = 0; j < n; j++)
            x[r] += c[j] * attribution_pairing_entry(rows, s->n, r, member[j]);
    }
}

/* Pi x over the states of the eigenvalue k, into x */
static bool attribution_pairing_apply(const rt_pencil_spectrum *s, int k, double _Complex *x)
{
    double _Complex c[MOST_EQUAL];
    int member[MOST_EQUAL];
    const int n = attribution_pairing_project(s, k, x, member, c);
    if (!attribution_pairing_divide(s, member, n, false, c)) return false;
    attribution_pairing_combine(s->right, s, member, n, c, s->p->n1, x);
    return true;
}

/* |tr(Pi_A Pi_B)| of the eigenvalues i and j; x: n1 */
static double overlap_of(const rt_pencil_spectrum *a, int i, const rt_pencil_spectrum *b, int j,
                         double _Complex *x)
{
    int of_a[MOST_EQUAL];
    const int n = members_of(a, i, of_a);
    double _Complex trace = 0;
    for (int k = 0; k < n; k++) {
        double _Complex c[MOST_EQUAL];
        int member[MOST_EQUAL];
        const double _Complex one = 1;
        attribution_pairing_combine(a->right, a, &of_a[k], 1, &one, a->p->n1, x);
        if (!attribution_pairing_apply(b, j, x) ||
            attribution_pairing_project(a, i, x, member, c) != n ||
            !attribution_pairing_divide(a, member, n, false, c))
            return 0;
        trace += c[k];
    }
    return cabs(trace) / fmin(n, b->cluster[j]);
}

static void fill_overlaps(const rt_pencil_spectrum *a, const rt_pencil_spectrum *b,
                          bool *const allowed[2], double _Complex *x, double *all)
{
    for (int i = 0; i < a->n; i++)
        for (int j = 0; j < b->n; j++) {
            double *to = &all[(size_t)i * (size_t)b->n + (size_t)j];
            *to = 0;
            if (!allowed[0][i] || !allowed[1][j]) continue;
            if (a->first[i] < i || b->first[j] < j)
                *to = all[(size_t)a->first[i] * (size_t)b->n + (size_t)b->first[j]];
            else
                *to = overlap_of(a, i, b, j, x);
        }
}

/* The largest that is left; false: none is large enough. */
static bool take_largest(rt_pairing *p, double *all, int n_a, int n_b)
{
    double most = least_overlap;
    int best = -1, other = -1;
    for (int i = 0; i < n_a; i++)
        for (int j = 0; j < n_b; j++)
            if (all[(size_t)i * (size_t)n_b + (size_t)j] > most)
                most = all[(size_t)i * (size_t)n_b + (size_t)j], best = i, other = j;
    if (best < 0) return false;
    p->partner[best] = other, p->overlap[best] = most;
    for (int j = 0; j < n_b; j++) all[(size_t)best * (size_t)n_b + (size_t)j] = 0;
    for (int i = 0; i < n_a; i++) all[(size_t)i * (size_t)n_b + (size_t)other] = 0;
    return true;
}

routh_status rt_pair_modes(rt_pairing *p, const rt_side *a, const rt_side *b,
                           bool *const allowed[2], rt_arena *arena, routh_error *error)
{
    const int n_a = a->spectrum.n, n_b = b->spectrum.n;
    *p = (rt_pairing){.side = {a, b}};
    p->partner = RT_TAKE(arena, int, n_a);
    p->overlap = RT_TAKE(arena, double, n_a);
    double *all = RT_TAKE(arena, double, (size_t)n_a *(size_t)n_b);
    double _Complex *x = RT_TAKE(arena, double _Complex, a->pencil.n1);
    if (!p->partner || !p->overlap || !all || !x) return rt_fail_memory(error);
    for (int i = 0; i < n_a; i++) p->partner[i] = -1;
    fill_overlaps(&a->spectrum, &b->spectrum, allowed, x, all);
    while (take_largest(p, all, n_a, n_b)) continue;
    return ROUTH_OK;
}

/* v_B: the part of v_A in the partner's space; w_A: with w_A^H v_B = 1 in the space of mode i */
routh_status rt_vectors_between(const rt_pairing *p, int i, double _Complex *left,
                                double _Complex *right, routh_error *error)
{
    const rt_pencil_spectrum *a = &p->side[0]->spectrum, *b = &p->side[1]->spectrum;
    double _Complex c[MOST_EQUAL];
    const double _Complex one = 1;
    int member[MOST_EQUAL];
    double size = 0;
    attribution_pairing_combine(a->right, a, &i, 1, &one, a->p->n1, left);
    int n = attribution_pairing_project(b, p->partner[i], left, member, c);
    bool ok = attribution_pairing_divide(b, member, n, false, c);
    attribution_pairing_combine(b->right, b, member, n, c, b->size, right);
    n = attribution_pairing_project(a, i, right, member, c);
    ok = ok && attribution_pairing_divide(a, member, n, false, c);
    for (int k = 0; k < n; k++) size += creal(c[k] * conj(c[k]));
    for (int k = 0; k < n; k++) c[k] /= size;
    ok = ok && size > 0 && attribution_pairing_divide(a, member, n, true, c);
    if (!ok)
        return rt_fail(
            error, ROUTH_NUMERIC_ERROR,
            "the eigenvalue %.6g%+.6gi is defective, so it has no left eigenvector; change a "
            "parameter slightly",
            creal(a->value[i]), cimag(a->value[i]));
    attribution_pairing_combine(a->left, a, member, n, c, a->size, left);
    return ROUTH_OK;
}
