/* See sensitivity_bundle.h. With d the derivative of a number of the pencil and T the terms it
 * stands in,
 *     dlambda_k = sum over numbers of W_k d,    W_k = sum over T of sign conj(w_k,row) x_k,column
 * so that W is found once for all parameters, of some numbers at a time. */
#include "studies/sensitivity_bundle.h"

#include <cblas.h>
#include <float.h>
#include <math.h>

enum { CHUNK = 64, MOST_ROOM = 64 };

/* The terms in the order of their numbers. */
static routh_status sort_terms(rt_bundle *b, rt_arena *arena, routh_error *error)
{
    const rt_levels_pencil *p = b->s->p;
    int *start = b->start = RT_TAKE(arena, int, p->n_varied + 2);
    b->term = RT_TAKE(arena, int, p->n_terms);
    if (!b->start || !b->term) return rt_fail_memory(error);
    for (int e = 0; e < p->n_terms; e++)
        if (p->terms[e].varied >= 0) start[p->terms[e].varied + 2]++;
    for (int v = 0; v < p->n_varied; v++) start[v + 2] += start[v + 1];
    for (int e = 0; e < p->n_terms; e++)
        if (p->terms[e].varied >= 0) b->term[start[p->terms[e].varied + 1]++] = e;
    return ROUTH_OK;
}

routh_status rt_bundle_create(rt_bundle *b, const rt_pencil_spectrum *s, int n_parameters,
                              rt_arena *arena, routh_error *error)
{
    static const int most = MOST_ROOM, most_numbers = 1 << 22;
    const size_t n = (size_t)s->n;
    int room = most_numbers / (s->p->n_varied + 1);
    room = room > most ? most : room < 1 ? 1 : room;
    *b = (rt_bundle){.s = s, .room = n_parameters < room ? n_parameters : room};
    const size_t all = (size_t)b->room;
    b->sum = RT_TAKE(arena, double, 2 * n * all), b->size = RT_TAKE(arena, double, n *all);
    b->n_terms = RT_TAKE(arena, int, all);
    b->weight[0] = RT_TAKE(arena, double, 2 * n * CHUNK);
    b->weight[1] = RT_TAKE(arena, double, n *CHUNK);
    b->derivative = RT_TAKE(arena, double, 2 * all * CHUNK);
    if (!b->sum || !b->size || !b->n_terms || !b->weight[0] || !b->weight[1] || !b->derivative)
        return rt_fail_memory(error);
    const routh_status status =
        rt_varied_rows_create(&b->rows, s->p->n_varied, b->room, arena, error);
    return status ? status : sort_terms(b, arena, error);
}

/* ---- the sums ------------------------------------------------------------------------------- */

/* W of number v, and the same of absolute values. */
static void sensitivity_bundle_weigh(const rt_bundle *b, int v, double *restrict re,
                                     double *restrict all)
{
    const rt_pencil_spectrum *s = b->s;
    const size_t n = (size_t)s->n;
    double *restrict im = re + n;
    memset(re, 0, 2 * n * sizeof *re);
    memset(all, 0, n * sizeof *all);
    for (int e = b->start[v]; e < b->start[v + 1]; e++) {
        const rt_term *t = &s->p->terms[b->term[e]];
        const double sign = t->sign, size = fabs(sign);
        const double *restrict wr = s->left[0] + n * (size_t)t->row;
        const double *restrict wi = s->left[1] + n * (size_t)t->row;
        const double *restrict xr = s->right[0] + n * (size_t)t->column;
        const double *restrict xi = s->right[1] + n * (size_t)t->column;
        for (size_t k = 0; k < n; k++) {
            re[k] += sign * (wr[k] * xr[k] + wi[k] * xi[k]);
            im[k] += sign * (wr[k] * xi[k] - wi[k] * xr[k]);
            all[k] += size * (fabs(wr[k]) + fabs(wi[k])) * (fabs(xr[k]) + fabs(xi[k]));
        }
    }
}

/* Takes number v as the c-th of a chunk, if it changes at all. */
static bool take_number(rt_bundle *b, int v, int n_parameters, int c)
{
    const size_t n = (size_t)b->s->n, m = (size_t)n_parameters;
    const int n_terms = b->start[v + 1] - b->start[v];
    const double *from = rt_varied_row_read(&b->rows, v);
    double *d = b->derivative + (size_t)c * m, *size = d + m * CHUNK;
    bool changes = false;
    if (n_terms == 0 || !from) return false;
    for (size_t k = 0; k < m; k++) {
        d[k] = from[k], size[k] = fabs(from[k]);
        if (d[k] == 0) continue;
        b->n_terms[k] += n_terms;
        changes = true;
    }
    if (!changes) return false;
    sensitivity_bundle_weigh(b, v, b->weight[0] + 2 * n * (size_t)c, b->weight[1] + n * (size_t)c);
    return true;
}

static void add_chunk(rt_bundle *b, int n_parameters, int n_numbers)
{
    const int n = b->s->n;
    if (n_numbers == 0 || n == 0) return;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, 2 * n, n_parameters, n_numbers, 1,
                b->weight[0], 2 * n, b->derivative, n_parameters, 1, b->sum, 2 * n);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, n, n_parameters, n_numbers, 1,
                b->weight[1], n, b->derivative + (size_t)n_parameters * CHUNK, n_parameters, 1,
                b->size, n);
}

void rt_bundle_contract(rt_bundle *b, int n)
{
    int c = 0;
    memset(b->sum, 0, 2 * (size_t)b->s->n * (size_t)n * sizeof *b->sum);
    memset(b->size, 0, (size_t)b->s->n * (size_t)n * sizeof *b->size);
    memset(b->n_terms, 0, (size_t)n * sizeof *b->n_terms);
    for (int v = 0; v < b->s->p->n_varied; v++) {
        c += take_number(b, v, n, c);
        if (c < CHUNK) continue;
        add_chunk(b, n, c);
        c = 0;
    }
    add_chunk(b, n, c);
}

/* Of a sum of m terms t rounding makes m u sum |t| at most, u = 2^-53 (Higham 2002, sec. 4.2). */
routh_status rt_bundle_read(const rt_bundle *b, int k, double _Complex *by, double *rounding,
                            routh_error *error)
{
    const rt_pencil_spectrum *s = b->s;
    const rt_levels_pencil *p = s->p;
    const double *sum = b->sum + 2 * (size_t)s->n * (size_t)k;
    bool clusters = false;
    for (int i = 0; i < s->n; i++) {
        __real__ by[i] = sum[i], __imag__ by[i] = sum[s->n + i];
        rounding[i] = b->size[(size_t)k * (size_t)s->n + (size_t)i] * b->n_terms[k] *
                      (s->cluster[i] > 1 ? 0 : DBL_EPSILON / 2);
        clusters = clusters || s->cluster[i] > 1;
    }
    if (!clusters) return ROUTH_OK;
    for (int v = 0; v < p->n_varied; v++) {
        const double *row = rt_varied_row_read(&b->rows, v);
        p->varied[v] = row ? row[k] : 0;
    }
    return rt_spectrum_part(s, by, error);
}
