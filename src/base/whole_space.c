/* With M = L L', OP x = theta x of OP = (K - s M)^-1 M is
 *
 *     L'(K - s M)^-1 L y = theta y,    theta x = (K - s M)^-1 L y,
 *
 * symmetric, of the rank of M. Such an x obeys the constraints, and has its rows without mass. */
#include "base/whole_space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>

#include "base/lapack.h"

/* Of the largest: eigenvalues of M with a unit diagonal, and theta, below these are zeros. */
static const double NO_MASS = 1e-14, NO_THETA = 1e-12;

enum { SOLVED_AT_ONCE = 64 };

typedef struct whole_space {
    int n, rank;
    double *L;     /* n x n, then n x rank */
    double *image; /* n x rank: (K - s M)^-1 L */
    double *A;     /* rank x rank, then its vectors y */
    double *values, *scale;
    rt_arena arena;
} whole_space;

/* M with a unit diagonal, scale the roots of what its diagonal was. */
static void fill_mass(whole_space *w, const rt_pattern *p, const double *M)
{
    for (int c = 0; c < w->n; c++)
        for (int e = p->start[c]; e < p->start[c + 1]; e++)
            if (p->row[e] == c && M[e] > 0) w->scale[c] = sqrt(M[e]);
    for (int c = 0; c < w->n; c++)
        for (int e = p->start[c]; e < p->start[c + 1]; e++) {
            const int r = p->row[e];
            if (r < c || w->scale[r] == 0 || w->scale[c] == 0) continue;
            const double value = M[e] / (w->scale[r] * w->scale[c]);
            w->L[(size_t)r + (size_t)w->n * (size_t)c] = value;
            w->L[(size_t)c + (size_t)w->n * (size_t)r] = value;
        }
}

/* By the eigenvectors of M, which may be semidefinite. */
static routh_status split_mass(whole_space *w, const rt_symmetric_pencil *p, routh_error *error)
{
    const size_t n = (size_t)w->n;
    fill_mass(w, p->M_pattern, p->M);
    const routh_status status = rt_symmetric_eigen(w->n, w->L, w->values, error);
    if (status) return status;
    for (int k = 0; k < w->n; k++) {
        if (!(w->values[k] > NO_MASS * w->values[w->n - 1])) continue;
        double *to = w->L + n * (size_t)w->rank++;
        const double *from = w->L + n * (size_t)k, root = sqrt(w->values[k]);
        for (size_t i = 0; i < n; i++) to[i] = root * w->scale[i] * from[i];
    }
    return ROUTH_OK;
}

static routh_status whole_space_apply(whole_space *w, rt_shifted_pencil *p, routh_error *error)
{
    const int n = w->n, r = w->rank;
    routh_status status = ROUTH_OK;
    memcpy(w->image, w->L, (size_t)n * (size_t)r * sizeof *w->L);
    for (int k = 0; k < r && !status; k += SOLVED_AT_ONCE)
        status = rt_shifted_pencil_solve(p, w->image + (size_t)n * (size_t)k,
                                         r - k < SOLVED_AT_ONCE ? r - k : SOLVED_AT_ONCE, error);
    if (status) return status;
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, r, r, n, 1, w->L, n, w->image, n, 0, w->A,
                r);
    for (int c = 0; c < r; c++)
        for (int i = 0; i < c; i++) {
            double *a = w->A + i + (size_t)r * (size_t)c, *b = w->A + c + (size_t)r * (size_t)i;
            *a = *b = 0.5 * (*a + *b);
        }
    return rt_symmetric_eigen(r, w->A, w->values, error);
}

/* Those of largest modulus first. */
static void whole_space_give(const whole_space *w, rt_lanczos *l)
{
    const int n = w->n, r = w->rank;
    const double largest = r ? fmax(fabs(w->values[0]), fabs(w->values[r - 1])) : 0;
    l->done = 0;
    for (int low = 0, high = r - 1; low <= high && l->done < l->most;) {
        const int from = fabs(w->values[low]) > fabs(w->values[high]) ? low++ : high--;
        const double theta = w->values[from];
        if (!(fabs(theta) > NO_THETA * largest)) break;
        cblas_dgemv(CblasColMajor, CblasNoTrans, n, r, 1 / theta, w->image, n,
                    w->A + (size_t)r * (size_t)from, 1, 0, l->V + (size_t)n * (size_t)l->done, 1);
        l->theta[l->done] = theta;
        l->residual[l->done++] = 0;
    }
    memset(l->Y, 0, (size_t)l->most * (size_t)l->most * sizeof *l->Y);
    for (int k = 0; k < l->done; k++) l->Y[k * ((size_t)l->most + 1)] = 1;
    l->next = l->last = l->apart = 0;
    l->turned = l->done;
}

routh_status rt_lanczos_take_all(rt_lanczos *l, routh_error *error)
{
    whole_space w = {.n = l->n};
    const size_t n = (size_t)l->n;
    w.L = RT_TAKE(&w.arena, double, n *n);
    w.image = RT_TAKE(&w.arena, double, n *n);
    w.A = RT_TAKE(&w.arena, double, n *n);
    w.values = RT_TAKE(&w.arena, double, n);
    w.scale = RT_TAKE(&w.arena, double, n);
    routh_status status =
        w.L && w.image && w.A && w.values && w.scale ? ROUTH_OK : rt_fail_memory(error);
    if (!status) status = split_mass(&w, l->pencil->pencil, error);
    if (!status) status = whole_space_apply(&w, l->pencil, error);
    if (!status) whole_space_give(&w, l);
    rt_arena_free(&w.arena);
    return status;
}
