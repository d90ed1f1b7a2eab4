/* Vectors of A from those of what the staircase has left. */
#include <math.h>
#include <string.h>

#include "answers/zeros.h"

/* x (stage.n) from w (stage.n - k) in place: x_out = y, x_in = F y + w; work holds n - k. */
static void zeros_widen(const rt_zero_stage *stage, const double *y, double *x, double *work)
{
    const int m = stage->n - stage->k;
    memcpy(work, x, (size_t)m * sizeof *work);
    for (int i = 0; i < m; i++) {
        double sum = work[i];
        for (int c = 0; stage->F && c < stage->k; c++) sum += stage->F[i + (size_t)m * c] * y[c];
        x[stage->in[i]] = sum;
    }
    for (int c = 0; c < stage->k; c++) x[stage->out[c]] = y[c];
}

/* y = A12 w */
static void apply_link(const rt_zero_stage *stage, const double *w, double *y)
{
    for (int c = 0; c < stage->k; c++) {
        y[c] = 0;
        for (int j = 0; j < stage->n - stage->k; j++)
            y[c] += stage->link[c + (size_t)stage->k * j] * w[j];
    }
}

void rt_zeros_lift(const rt_zeros *z, const double lambda[2], const double *w_re,
                   const double *w_im, double *x_re, double *x_im)
{
    const size_t n = (size_t)z->n;
    double *u = z->work, *v = u + n, *temporary = v + n;
    for (int i = 0; i < z->n_left; i++) x_re[i] = w_re[i], x_im[i] = w_im ? w_im[i] : 0;
    for (int k = z->n_stages - 1; k >= 0; k--) {
        const rt_zero_stage *stage = &z->stages[k];
        apply_link(stage, x_re, u);
        apply_link(stage, x_im, v);
        /* y = A12 w / lambda */
        const double size = hypot(lambda[0], lambda[1]), c = lambda[0] / size, s = lambda[1] / size;
        for (int i = 0; i < stage->k; i++) {
            const double re = (u[i] * c + v[i] * s) / size, im = (v[i] * c - u[i] * s) / size;
            u[i] = re, v[i] = im;
        }
        zeros_widen(stage, u, x_re, temporary);
        zeros_widen(stage, v, x_im, temporary);
    }
    for (size_t i = 0; i < n; i++) x_re[i] *= z->scale[i], x_im[i] *= z->scale[i];
}

void rt_zeros_lift_left(const rt_zeros *z, const double *w_re, const double *w_im, double *u_re,
                        double *u_im)
{
    const double *const from[] = {w_re, w_im};
    double *const to[] = {u_re, u_im};
    for (int part = 0; part < 2 && from[part]; part++) {
        memcpy(to[part], from[part], (size_t)z->n_left * sizeof(double));
        for (int k = z->n_stages - 1; k >= 0; k--)
            rt_zeros_widen_left(&z->stages[k], to[part], z->work);
        for (int i = 0; i < z->n; i++) to[part][i] /= z->scale[i];
    }
}

static double zeros_norm_of(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

/* x += A x + A^2 x + ... up to A^length */
static void add_chain(const rt_zeros *z, int length, double *x)
{
    const size_t n = (size_t)z->n;
    double *link = z->work, *next = link + n;
    memcpy(link, x, n * sizeof *link);
    for (int e = 0; e < length; e++) {
        for (int i = 0; i < z->n; i++) {
            next[i] = 0;
            for (int j = 0; j < z->n; j++) next[i] += z->A[(size_t)i + n * (size_t)j] * link[j];
        }
        if (zeros_norm_of(next, z->n) <= 1e-10 * z->norm * zeros_norm_of(link, z->n)) return;
        for (size_t i = 0; i < n; i++) x[i] += next[i], link[i] = next[i];
    }
}

void rt_zeros_vector(const rt_zeros *z, int k, double *x)
{
    int s = 0;
    for (; k >= z->stages[s].k; s++) k -= z->stages[s].k;
    double *y = z->work, *temporary = y + z->n;
    memset(x, 0, (size_t)z->n * sizeof *x);
    memset(y, 0, (size_t)z->n * sizeof *y);
    y[k] = 1;
    for (int e = s; e >= 0; e--) {
        zeros_widen(&z->stages[e], y, x, temporary);
        y[k] = 0;
    }
    add_chain(z, s, x);
    for (int i = 0; i < z->n; i++) x[i] *= z->scale[i];
}
