/* How far rounding of the matrix reaches through the stages of the staircase. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "answers/zeros.h"
#include "base/error.h"

void rt_zeros_widen_left(const rt_zero_stage *stage, double *u, double *work)
{
    const int m = stage->n - stage->k;
    memcpy(work, u, (size_t)m * sizeof *work);
    for (int i = 0; i < m; i++) u[stage->in[i]] = work[i];
    for (int c = 0; c < stage->k; c++) {
        double sum = 0;
        for (int i = 0; stage->F && i < m; i++) sum -= stage->F[i + (size_t)m * c] * work[i];
        u[stage->out[c]] = sum;
    }
}

static double zeros_noise_norm_of(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

/* r := X A_oi w, X = [I; F] */
static void through_null_vectors(const rt_zero_stage *s, const double *w, double *r)
{
    const int m = s->n - s->k;
    memset(r, 0, (size_t)s->n * sizeof *r);
    for (int c = 0; c < s->k; c++) {
        double y = 0;
        for (int j = 0; j < m; j++) y += s->link[c + (size_t)s->k * j] * w[j];
        r[s->out[c]] += y;
        for (int i = 0; s->F && i < m; i++) r[s->in[i]] += s->F[i + (size_t)m * c] * y;
    }
}

/* p' := m' A^+ over the singular values that were kept */
static void through_inverse(const rt_zero_stage *s, const double *m, double *p)
{
    const size_t n = (size_t)s->n;
    memset(p, 0, n * sizeof *p);
    for (int q = 0; q < s->n - s->k; q++) {
        double part = 0;
        for (size_t i = 0; i < n; i++) part += s->right_t[(size_t)q + n * i] * m[i];
        for (size_t i = 0; i < n; i++) p[i] += s->left[i + n * (size_t)q] * part / s->sigma[q];
    }
}

/* After the first n_stages; l, r are of the order that is left then. */
static routh_status noise_after(const rt_zeros *z, int n_stages, const double *l, const double *r,
                                double *noise, rt_arena *scratch, routh_error *error)
{
    if (n_stages == 0) {
        *noise =
            DBL_EPSILON * z->norm * zeros_noise_norm_of(l, z->n) * zeros_noise_norm_of(r, z->n);
        return ROUTH_OK;
    }
    const rt_zero_stage *s = &z->stages[n_stages - 1];
    const int n = s->n, m = n - s->k;
    double *left = RT_TAKE(scratch, double, n), *right = RT_TAKE(scratch, double, n);
    double *after = RT_TAKE(scratch, double, n), further = 0;
    if (!left || !right || !after) return rt_fail_memory(error);
    memcpy(left, l, (size_t)m * sizeof *left);
    rt_zeros_widen_left(s, left, after);
    for (int i = 0; i < m; i++) right[s->in[i]] = r[i];
    routh_status status = noise_after(z, n_stages - 1, left, right, noise, scratch, error);
    if (status || !s->sigma) return status;
    through_inverse(s, left, after);
    through_null_vectors(s, r, right);
    status = noise_after(z, n_stages - 1, after, right, &further, scratch, error);
    *noise += further;
    return status;
}

routh_status rt_zeros_noise(const rt_zeros *z, const double *l, const double *r, double *noise,
                            rt_arena *scratch, routh_error *error)
{
    /* each stage asks twice of the one before it; chains are shorter than this */
    enum { MOST_STAGES = 12 };
    *noise = 0;
    return z->n_stages > MOST_STAGES ? ROUTH_OK
                                     : noise_after(z, z->n_stages, l, r, noise, scratch, error);
}
