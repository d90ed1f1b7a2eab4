#include "base/ldl_front.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <cblas.h>

/* A pivot is no smaller than this share of its column (Duff and Reid: pairs by their inverse). */
static const double THRESHOLD = 0.01;

/* The scaled matrix has entries of 1: what is smaller than this is nothing. */
static const double NOTHING = 1e-30;

enum { COLUMNS_AT_ONCE = 128 };

/* A panel of pivots k0 .. k-1: their columns of L in full, those of L D in LD. The columns after
 * them are brought up to date when they are looked at, and all together at the end. */
typedef struct ldl_front_panel {
    rt_front *f;
    int k0, k;
    double *LD;        /* n x RT_FRONT_PANEL */
    double *column[2]; /* n each: candidates, up to date */
    rt_front_count *count;
} ldl_front_panel;

size_t rt_front_work(int n) { return (RT_FRONT_PANEL + 2) * (size_t)n; }

static double *ldl_front_at(const rt_front *f, int row, int column)
{
    return f->full + row + (size_t)f->n * (size_t)column;
}

/* t = column c of the Schur complement, rows k and on */
static void bring_up(const ldl_front_panel *p, int c, double *t)
{
    const rt_front *f = p->f;
    const int n = f->n, k = p->k, m = k - p->k0;
    for (int i = k; i < c; i++) t[i] = *ldl_front_at(f, c, i);
    memcpy(t + c, ldl_front_at(f, c, c), (size_t)(n - c) * sizeof *t);
    if (m > 0)
        cblas_dgemv(CblasColMajor, CblasNoTrans, n - k, m, -1, ldl_front_at(f, k, p->k0), n,
                    p->LD + c, n, 1, t + k, 1);
}

/* Largest entry of t beside those at c and r; *where: the largest of a full row, -1: none. fmax()
 * would be a call for each entry. */
static double largest_beside(const ldl_front_panel *p, const double *t, int c, int r, int *where)
{
    const rt_front *f = p->f;
    double most = 0, most_full = 0;
    *where = -1;
    for (int i = p->k; i < f->n_full; i++) {
        const double size = i != c && i != r ? fabs(t[i]) : 0;
        if (size > most_full) most_full = size, *where = i;
    }
    for (int i = f->n_full; i < f->n; i++) {
        const double size = fabs(t[i]);
        most = size > most ? size : most;
    }
    return most > most_full ? most : most_full;
}

static void ldl_front_swap(double *a, double *b)
{
    const double x = *a;
    *a = *b, *b = x;
}

/* Rows and columns i < j of the front, of L D and of a candidate t (NULL: none). */
static void exchange(ldl_front_panel *p, int i, int j, double *t)
{
    rt_front *f = p->f;
    if (i == j) return;
    const int place = f->place[i];
    f->place[i] = f->place[j], f->place[j] = place;
    for (int c = 0; c < i; c++) ldl_front_swap(ldl_front_at(f, i, c), ldl_front_at(f, j, c));
    ldl_front_swap(ldl_front_at(f, i, i), ldl_front_at(f, j, j));
    for (int c = i + 1; c < j; c++) ldl_front_swap(ldl_front_at(f, c, i), ldl_front_at(f, j, c));
    for (int r = j + 1; r < f->n; r++) ldl_front_swap(ldl_front_at(f, r, i), ldl_front_at(f, r, j));
    for (int c = 0; c < p->k - p->k0; c++) {
        double *column = p->LD + (size_t)f->n * (size_t)c;
        ldl_front_swap(column + i, column + j);
    }
    if (t) ldl_front_swap(t + i, t + j);
}

static void count_pivot(ldl_front_panel *p, double value, int k)
{
    rt_front_count *count = p->count;
    if (value > 0) count->positive++;
    if (value < 0) count->negative++;
    if (value == 0) count->zero++;
    if (fabs(value) < count->smallest) {
        count->smallest = fabs(value);
        count->where = p->f->place[k];
    }
}

static double *LD_at(ldl_front_panel *p)
{
    return p->LD + (size_t)p->f->n * (size_t)(p->k - p->k0);
}

/* Column c becomes pivot k of order 1. */
static void take_one(ldl_front_panel *p, int c)
{
    rt_front *f = p->f;
    const int k = p->k, n = f->n;
    double *t = p->column[0], *L = ldl_front_at(f, 0, k);
    const double d = fabs(t[c]) > NOTHING ? t[c] : 0, by = d != 0 ? 1 / d : 0;
    exchange(p, k, c, t);
    memcpy(LD_at(p) + k, t + k, (size_t)(n - k) * sizeof *t);
    L[k] = 1;
    for (int i = k + 1; i < n; i++) L[i] = t[i] * by;
    f->pivot[2 * k] = d, f->pivot[2 * k + 1] = 0;
    count_pivot(p, d, k);
    p->k++;
}

/* Columns c < r become pivots k and k + 1 with D = [a b; b d]. */
static void take_two(ldl_front_panel *p, int c, int r)
{
    rt_front *f = p->f;
    const int k = p->k, n = f->n;
    double *t = p->column[0], *s = p->column[1], *one = ldl_front_at(f, 0, k),
           *two = ldl_front_at(f, 0, k + 1);
    const double a = t[c], b = t[r], d = s[r], det = a * d - b * b;
    exchange(p, k, c, t);
    if (c != k) ldl_front_swap(s + k, s + c);
    exchange(p, k + 1, r, t);
    if (r != k + 1) ldl_front_swap(s + k + 1, s + r);
    double *LD = LD_at(p);
    memcpy(LD + k, t + k, (size_t)(n - k) * sizeof *t);
    memcpy(LD + n + k, s + k, (size_t)(n - k) * sizeof *s);
    one[k] = 1, one[k + 1] = 0, two[k + 1] = 1;
    for (int i = k + 2; i < n; i++) {
        one[i] = (d * t[i] - b * s[i]) / det;
        two[i] = (a * s[i] - b * t[i]) / det;
    }
    f->pivot[2 * k] = a, f->pivot[2 * k + 1] = b;
    f->pivot[2 * k + 2] = d, f->pivot[2 * k + 3] = 0;
    const double half = 0.5 * (a + d), root = hypot(0.5 * (a - d), b);
    const double larger = half >= 0 ? half + root : half - root;
    count_pivot(p, larger, k);
    count_pivot(p, det / larger, k + 1);
    p->k += 2;
}

/* |D^-1| times the largest of both columns is at most 1 / THRESHOLD. */
static bool pair_is_good(const ldl_front_panel *p, int c, int r)
{
    const double *t = p->column[0], *s = p->column[1];
    const double a = t[c], b = t[r], d = s[r], det = fabs(a * d - b * b);
    int unused;
    const double x = largest_beside(p, t, c, r, &unused), y = largest_beside(p, s, c, r, &unused);
    if (!(det > 1e-8 * b * b)) return false;
    return THRESHOLD * (fabs(d) * x + fabs(b) * y) <= det &&
           THRESHOLD * (fabs(a) * y + fabs(b) * x) <= det;
}

/* Column c as a pivot, alone or with the row of its largest entry. */
static bool try(ldl_front_panel *p, int c, bool vanished_too)
{
    int r;
    double *t = p->column[0];
    bring_up(p, c, t);
    const double most = largest_beside(p, t, c, c, &r);
    if (most <= NOTHING && fabs(t[c]) <= NOTHING) {
        if (vanished_too) take_one(p, c);
        return vanished_too;
    }
    if (fabs(t[c]) >= THRESHOLD * most) {
        take_one(p, c);
        return true;
    }
    if (r < 0) return false;
    bring_up(p, r, p->column[1]);
    if (!pair_is_good(p, c, r)) return false;
    if (c < r) {
        take_two(p, c, r);
    } else {
        double *first = p->column[0];
        p->column[0] = p->column[1], p->column[1] = first;
        take_two(p, r, c);
    }
    return true;
}

/* Pivots until the panel is full or no column does. *first: where the search goes on, so that those
 * that failed are not tried anew at once. */
static bool ldl_front_fill(ldl_front_panel *p)
{
    const rt_front *f = p->f;
    int next = p->k, failed = 0;
    while (p->k < f->n_full && p->k - p->k0 < RT_FRONT_PANEL - 1) {
        if (next < p->k || next >= f->n_full) next = p->k;
        if (try(p, next, f->n == f->n_full)) {
            failed = 0;
            if (next < p->k) next = p->k;
        } else {
            next++;
            if (++failed >= f->n_full - p->k) return false;
        }
    }
    return true;
}

/* A(columns first .. first + m - 1, rows from each on) -= L (L D)' */
static void subtract(const ldl_front_panel *p, int first, int m, double *to, size_t stride,
                     int row_of_to)
{
    const rt_front *f = p->f;
    const int n = f->n;
    for (int c = first; c < first + m; c += COLUMNS_AT_ONCE) {
        const int now = first + m - c < COLUMNS_AT_ONCE ? first + m - c : COLUMNS_AT_ONCE;
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, n - c, now, p->k - p->k0, -1,
                    ldl_front_at(f, c, p->k0), n, p->LD + c, n, 1,
                    to + (c - row_of_to) + stride * (size_t)(c - row_of_to), (int)stride);
    }
}

static void ldl_front_update(const ldl_front_panel *p)
{
    const rt_front *f = p->f;
    const double m = p->k - p->k0, left = f->n - p->k;
    if (p->k == p->k0) return;
    if (p->k < f->n_full) subtract(p, p->k, f->n_full - p->k, f->full, (size_t)f->n, 0);
    if (f->n > f->n_full)
        subtract(p, f->n_full, f->n - f->n_full, f->rest, (size_t)(f->n - f->n_full), f->n_full);
    p->count->operations += 0.5 * m * left * left + 0.5 * m * m * (left + m / 3);
}

void rt_front_eliminate(rt_front *f, double *work, rt_front_count *count)
{
    const size_t n = (size_t)f->n;
    bool going = true;
    ldl_front_panel p = {.f = f,
                         .LD = work,
                         .column = {work + n * RT_FRONT_PANEL, work + n * (RT_FRONT_PANEL + 1)},
                         .count = count};
    while (going && p.k < f->n_full) {
        p.k0 = p.k;
        going = ldl_front_fill(&p);
        ldl_front_update(&p);
        if (!going && p.k > p.k0) going = true; /* those that failed, once more */
    }
    f->n_pivots = p.k;
}
