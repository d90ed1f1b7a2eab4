/* Transmission zeros of one channel: the system is reduced until the input reaches the output
 * directly (Emami-Naeini and Van Dooren, Automatica 18, 1982, for one input and one output). */
#include <math.h>
#include <string.h>

#include "answers/scaling.h"
#include "base/lapack.h"
#include "answers/response_transfer.h"

static const double SMALL = 1e-10;    /* beside the vector it is a part of: zero */
static const double AGREEMENT = 1e-6; /* of the product of zeros and poles with H at a point */

/* x' = A x + b u, y = c x + d u; A: n x n, column-major of order `room`. */
typedef struct reduced {
    int n, room;
    double *A, *b, *c, d;
    double gain;
} reduced;

static double response_transmission_norm(const double *x, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++) sum = hypot(sum, x[k]);
    return sum;
}

/* H = I - tau v v' turns c into (0, .., 0, -+|c|): A becomes H A H, b H b. */
static void reflect(reduced *r, double *v)
{
    const int n = r->n, room = r->room;
    const double size = response_transmission_norm(r->c, n), last = r->c[n - 1];
    const double alpha = last >= 0 ? -size : size;
    memcpy(v, r->c, (size_t)n * sizeof *v);
    v[n - 1] -= alpha;
    double square = 0;
    for (int k = 0; k < n; k++) square += v[k] * v[k];
    const double tau = square > 0 ? 2 / square : 0;
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++) sum += v[i] * r->A[i + (size_t)room * j];
        for (int i = 0; i < n; i++) r->A[i + (size_t)room * j] -= tau * sum * v[i];
    }
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) sum += r->A[i + (size_t)room * j] * v[j];
        for (int j = 0; j < n; j++) r->A[i + (size_t)room * j] -= tau * sum * v[j];
    }
    double sum = 0;
    for (int k = 0; k < n; k++) sum += v[k] * r->b[k];
    for (int k = 0; k < n; k++) r->b[k] -= tau * sum * v[k];
    memset(r->c, 0, (size_t)n * sizeof *r->c);
    r->c[n - 1] = alpha;
}

/* y = alpha x_last + 0 u is zero where x_last and so its rate are: that is the new output. False:
 * there is no way from input to output. */
static bool response_transmission_reduce(reduced *r, double *v)
{
    double reach = fmax(response_transmission_norm(r->b, r->n), fabs(r->d));
    while (fabs(r->d) <= SMALL * reach) {
        if (r->n == 0 || response_transmission_norm(r->c, r->n) == 0) return false;
        double size = 0;
        reflect(r, v);
        const int n = r->n - 1;
        r->gain *= r->c[n];
        r->d = r->b[n];
        reach = response_transmission_norm(r->b, n + 1);
        for (int j = 0; j < n; j++) {
            r->c[j] = r->A[n + (size_t)r->room * j];
            size = fmax(size, response_transmission_norm(r->A + (size_t)r->room * j, n + 1));
        }
        r->n = n;
        if (reach == 0) return false;
        if (fabs(r->d) <= SMALL * reach && response_transmission_norm(r->c, n) <= 1e-14 * size)
            return false;
    }
    r->gain *= r->d;
    return true;
}

/* Of A - b c / d. */
static routh_status response_transmission_eigenvalues(reduced *r, double *re, double *im,
                                                      rt_arena *arena, routh_error *error)
{
    const size_t n = (size_t)r->n;
    double *a = RT_TAKE(arena, double, n *n), *q = RT_TAKE(arena, double, n *n);
    if (!a || !q) return rt_fail_memory(error);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            a[i + n * j] = r->A[i + (size_t)r->room * j] - r->b[i] * r->c[j] / r->d;
    return rt_schur(r->n, a, q, re, im, error);
}

/* Inputs that act through in' and in'' are states themselves, with in'' (in') as the input: H is
 * then divided by s^2 (s), and has as many poles at 0 more. */
static int order_of(const routh_linear *l, double *const B[3], const rt_system *seen,
                    const routh_response_channel *c)
{
    const size_t n = (size_t)l->n_states, at = (size_t)c->output * seen->n_in + c->input;
    for (int k = 2; k > 0; k--) {
        if (seen->D[k][at] != 0) return k;
        for (size_t i = 0; i < n; i++)
            if (B[k][i + n * c->input] != 0) return k;
    }
    return 0;
}

static void response_transmission_fill(reduced *r, const routh_linear *l, double *const B[3],
                                       const rt_system *seen, const routh_response_channel *c,
                                       int order, const double *scale)
{
    const int n = l->n_states, room = r->room;
    const size_t at = (size_t)c->output * seen->n_in + c->input;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            r->A[i + (size_t)room * j] = l->A[(size_t)i * n + j] * scale[j] / scale[i];
        r->c[i] = seen->C[0][(size_t)c->output * n + i] * scale[i];
        for (int k = 0; k <= order; k++) {
            const double b = B[k][i + (size_t)n * c->input] / scale[i];
            if (k == order)
                r->b[i] = b;
            else
                r->A[i + (size_t)room * (n + k)] = b;
        }
    }
    for (int k = 0; k < order; k++) {
        r->c[n + k] = seen->D[k][at];
        if (k + 1 < order)
            r->A[n + k + (size_t)room * (n + k + 1)] = 1;
        else
            r->b[n + k] = 1;
    }
    r->d = seen->D[order][at];
}

/* log of the size of gain prod (s - z) / prod (s - p), and its phase */
static double _Complex response_transmission_product(const routh_response_channel *c,
                                                     const routh_modes *modes, double _Complex s)
{
    double _Complex sum = clog(c->gain);
    for (int k = 0; k < c->n_zeros; k++)
        sum += clog(s - (c->zeros[2 * k] + I * c->zeros[2 * k + 1]));
    for (int k = 0; k < modes->n; k++)
        sum -= clog(s - (modes->modes[k].eigenvalue[0] + I * modes->modes[k].eigenvalue[1]));
    return cexp(sum);
}

bool rt_zeros_agree(const routh_response_channel *c, const routh_modes *modes, double _Complex s,
                    double _Complex H)
{
    return cabs(response_transmission_product(c, modes, s) - H) <= AGREEMENT * cabs(H);
}

routh_status rt_zeros_of_channel(routh_response_channel *c, const routh_linear *l,
                                 double *const B[3], const rt_system *seen, rt_arena *arena,
                                 routh_error *error)
{
    const int order = order_of(l, B, seen, c), n = l->n_states + order;
    reduced r = {.n = n, .room = n, .gain = 1};
    double *v = RT_TAKE(arena, double, n), *scale = RT_TAKE(arena, double, n);
    double *re = RT_TAKE(arena, double, n), *im = RT_TAKE(arena, double, n);
    r.A = RT_TAKE(arena, double, (size_t)n *(size_t)n);
    r.b = RT_TAKE(arena, double, n);
    r.c = RT_TAKE(arena, double, n);
    if (!v || !scale || !re || !im || !r.A || !r.b || !r.c) return rt_fail_memory(error);
    rt_scale_states(l, scale);
    response_transmission_fill(&r, l, B, seen, c, order, scale);
    c->n_zeros = 0;
    c->gain = 0;
    if (!response_transmission_reduce(&r, v)) return ROUTH_OK; /* H = 0 */
    const routh_status status = response_transmission_eigenvalues(&r, re, im, arena, error);
    if (status) return status;
    c->zeros = RT_TAKE(arena, double, 2 * (size_t)r.n);
    if (!c->zeros) return rt_fail_memory(error);
    c->gain = r.gain;
    c->n_zeros = r.n;
    for (int k = 0; k < r.n; k++) c->zeros[2 * k] = re[k], c->zeros[2 * k + 1] = im[k];
    return ROUTH_OK;
}

static double response_transmission_modulus(const double *zero) { return hypot(zero[0], zero[1]); }

/* Pairs stay together: they are next to each other and of one modulus. */
static void response_transmission_sort(double *zeros, int n)
{
    for (int k = 1; k < n; k++) {
        const double z[2] = {zeros[2 * k], zeros[2 * k + 1]},
                     size = response_transmission_modulus(z);
        int i = k;
        for (; i > 0 && response_transmission_modulus(zeros + 2 * (i - 1)) > size; i--)
            memcpy(zeros + 2 * i, zeros + 2 * (i - 1), sizeof z);
        memcpy(zeros + 2 * i, z, sizeof z);
    }
}

void rt_zeros_settle(routh_response_channel *c, int at_rest, int power)
{
    c->n_poles_at_rest = power;
    if (c->n_zeros <= 0) return;
    response_transmission_sort(c->zeros, c->n_zeros);
    for (int k = 0; k < at_rest && k < c->n_zeros; k++) c->zeros[2 * k] = c->zeros[2 * k + 1] = 0;
    while (c->n_zeros > 0 && c->n_poles_at_rest > 0 &&
           response_transmission_modulus(c->zeros) == 0) {
        c->n_zeros--, c->n_poles_at_rest--;
        memmove(c->zeros, c->zeros + 2, 2 * (size_t)c->n_zeros * sizeof *c->zeros);
    }
}
