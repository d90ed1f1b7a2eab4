/* H(s) as a superposition of modes. */
#include <math.h>
#include <string.h>

#include "base/pi.h"
#include "base/lapack.h"
#include "answers/response_transfer.h"

/* Rows of the columns of V have sizes that lie far apart (positions and their rates): each is
 * divided by its largest. */
static bool response_modal_scale_rows(double *V, double *scale, int n)
{
    for (int i = 0; i < n; i++) {
        double most = 0;
        for (int j = 0; j < n; j++) most = fmax(most, fabs(V[i + (size_t)n * j]));
        if (!(most > 0) || !isfinite(most)) return false;
        scale[i] = most;
        for (int j = 0; j < n; j++) V[i + (size_t)n * j] /= most;
    }
    return true;
}

/* Columns: the zero eigenvalues, then real parts and imaginary parts of pairs, real ones as they
 * are. */
static void response_modal_fill_shapes(double *V, const routh_modes *modes, int n)
{
    for (int k = 0; k < n; k++) {
        const routh_mode *mode = &modes->modes[k];
        const bool second = mode->conjugate < k;
        const double *from = second ? modes->modes[mode->conjugate].shape + n : mode->shape;
        memcpy(V + (size_t)n * k, from, (size_t)n * sizeof *V);
    }
}

static bool response_modal_take(rt_modal *m, rt_arena *arena)
{
    const size_t n = (size_t)m->n, in = (size_t)m->transfer.n_in, out = (size_t)m->transfer.n_out;
    bool all = true;
    m->lambda = RT_TAKE(arena, double _Complex, n);
    m->kept = RT_TAKE(arena, bool, n);
    m->c = RT_TAKE(arena, double _Complex, n *out);
    m->J = RT_TAKE(arena, double, (size_t)m->n_zero *(size_t)m->n_zero);
    m->work = RT_TAKE(arena, double _Complex, (size_t)m->n_zero *(size_t)m->n_zero);
    m->x = RT_TAKE(arena, double _Complex, (size_t)m->n_zero *in);
    m->pivots = RT_TAKE(arena, int, m->n_zero);
    for (int k = 0; k < 3; k++) {
        all &= !!(m->b[k] = RT_TAKE(arena, double _Complex, n *in));
        all &= !!(m->D[k] = RT_TAKE(arena, double, in *out));
    }
    return all && m->lambda && m->kept && m->c && m->J && m->work && m->x && m->pivots;
}

/* From real coordinates of a pair (p, q), y = p Re v + q Im v, to that of v: (p - i q) / 2. */
static void to_modes(rt_modal *m, const routh_modes *modes, double *const B[3])
{
    const int n = m->n, in = m->transfer.n_in;
    for (int k = 0; k < n; k++) {
        const int other = modes->modes[k].conjugate;
        for (int d = 0; d < 3; d++)
            for (int j = 0; j < in; j++) {
                const double a = B[d][k + (size_t)n * j];
                const double b = other == k ? 0 : B[d][other + (size_t)n * j];
                m->b[d][(size_t)k * in + j] = other == k  ? a
                                              : other > k ? (a - I * b) / 2
                                                          : (b + I * a) / 2;
            }
    }
}

static void see_modes(rt_modal *m, const rt_system *seen, const routh_modes *modes)
{
    const int n = m->n, out = m->transfer.n_out;
    for (int i = 0; i < out; i++)
        for (int k = 0; k < n; k++) {
            const double *v = modes->modes[k].shape;
            double _Complex sum = 0;
            for (int r = 0; r < n; r++)
                sum += seen->C[0][(size_t)i * n + r] * (v[r] + I * v[n + r]);
            m->c[(size_t)i * n + k] = sum;
        }
}

/* ---- values ---------------------------------------------------------------------------------- */

static double _Complex response_modal_load(const rt_modal *m, int k, int j, double _Complex s)
{
    const size_t at = (size_t)k * m->transfer.n_in + j;
    return m->b[0][at] + s * (m->b[1][at] + s * m->b[2][at]);
}

static double _Complex load_slope(const rt_modal *m, int k, int j, double _Complex s)
{
    const size_t at = (size_t)k * m->transfer.n_in + j;
    return m->b[1][at] + 2 * s * m->b[2][at];
}

static void response_modal_add_mode(const rt_modal *m, int k, double _Complex s, double _Complex *H,
                                    double _Complex *dH)
{
    const int in = m->transfer.n_in;
    const double _Complex gap = m->kept[k] ? s - m->lambda[k] : -m->lambda[k];
    for (int j = 0; j < in; j++) {
        const double _Complex b = response_modal_load(m, k, j, s),
                              db = dH ? load_slope(m, k, j, s) : 0;
        for (int i = 0; i < m->transfer.n_out; i++) {
            const double _Complex c = m->c[(size_t)i * m->n + k];
            H[i * in + j] += c * b / gap;
            if (dH) dH[i * in + j] += c * (db - (m->kept[k] ? b / gap : 0)) / gap;
        }
    }
}

/* C0 (s I - J)^-1 b0; of the slope C0 (s I - J)^-1 (b0' - x) */
static routh_status add_zeros(rt_modal *m, double _Complex s, double _Complex *H,
                              double _Complex *dH, routh_error *error)
{
    const int z = m->n_zero, in = m->transfer.n_in;
    if (z == 0) return ROUTH_OK;
    for (int i = 0; i < z; i++)
        for (int j = 0; j < z; j++)
            m->work[i + (size_t)z * j] = (i == j ? s : 0) - m->J[(size_t)i * z + j];
    for (int j = 0; j < in; j++)
        for (int k = 0; k < z; k++) m->x[k + (size_t)z * j] = response_modal_load(m, k, j, s);
    routh_status status = rt_complex_lu_factor(z, m->work, m->pivots, error);
    if (!status) status = rt_complex_lu_solve(z, m->work, m->pivots, in, m->x, error);
    for (int pass = 0; pass < (dH ? 2 : 1) && !status; pass++) {
        double _Complex *to = pass ? dH : H;
        for (int i = 0; i < m->transfer.n_out; i++)
            for (int j = 0; j < in; j++)
                for (int k = 0; k < z; k++)
                    to[i * in + j] += m->c[(size_t)i * m->n + k] * m->x[k + (size_t)z * j];
        if (pass || !dH) break;
        for (int j = 0; j < in; j++)
            for (int k = 0; k < z; k++)
                m->x[k + (size_t)z * j] = load_slope(m, k, j, s) - m->x[k + (size_t)z * j];
        status = rt_complex_lu_solve(z, m->work, m->pivots, in, m->x, error);
    }
    return status;
}

static routh_status response_modal_evaluate(rt_transfer *transfer, double _Complex s,
                                            double _Complex *H, double _Complex *dH,
                                            routh_error *error)
{
    rt_modal *m = (rt_modal *)(void *)transfer;
    for (int k = 0; k < transfer->n_in * transfer->n_out; k++) {
        H[k] = m->D[0][k] + s * (m->D[1][k] + s * m->D[2][k]);
        if (dH) dH[k] = m->D[1][k] + 2 * s * m->D[2][k];
    }
    for (int k = m->n_zero; k < m->n; k++) response_modal_add_mode(m, k, s, H, dH);
    return add_zeros(m, s, H, dH, error);
}

void rt_modal_part(const rt_modal *m, int k, double _Complex s, double _Complex *H)
{
    memset(H, 0, (size_t)(m->transfer.n_in * m->transfer.n_out) * sizeof *H);
    response_modal_add_mode(m, k, s, H, NULL);
}

/* H(0) is infinite where C0 J^p b0 is not zero for some p; else that of the others. */
double rt_modal_static(const rt_modal *m, int output, int input)
{
    const int z = m->n_zero, in = m->transfer.n_in;
    double sum = m->D[0][output * in + input];
    for (int k = z; k < m->n; k++)
        sum -=
            creal(m->c[(size_t)output * m->n + k] * m->b[0][(size_t)k * in + input] / m->lambda[k]);
    for (int k = 0; k < z; k++) m->x[k] = m->b[0][(size_t)k * in + input];
    for (int p = 0; p < z; p++) {
        double _Complex seen = 0;
        double most = 0;
        for (int k = 0; k < z; k++) {
            const double _Complex part = m->c[(size_t)output * m->n + k] * m->x[k];
            seen += part;
            most = fmax(most, cabs(part));
        }
        /* shapes are 1 at their largest: what is left of rounding lies far below */
        if (cabs(seen) > 1e-9 * most && most > 1e-12 * fabs(sum)) return INFINITY;
        for (int k = 0; k < z; k++) {
            m->work[k] = 0;
            for (int j = 0; j < z; j++) m->work[k] += m->J[(size_t)k * z + j] * m->x[j];
        }
        memcpy(m->x, m->work, (size_t)z * sizeof *m->x);
    }
    return sum;
}

/* ---- made ------------------------------------------------------------------------------------ */

static routh_status response_modal_expand(rt_modal *m, const routh_linear *l,
                                          const routh_modes *modes, const rt_loads *loads,
                                          const char **why, rt_arena *arena, routh_error *error)
{
    const int n = m->n, z = m->n_zero, in = m->transfer.n_in, N = 3 * in + z;
    double *V = RT_TAKE(arena, double, (size_t)n *(size_t)n), *scale = RT_TAKE(arena, double, n);
    double *rhs = RT_TAKE(arena, double, (size_t)n *(size_t)N);
    int *pivots = RT_TAKE(arena, int, n);
    if (!V || !scale || !rhs || !pivots) return rt_fail_memory(error);
    double *B[3] = {rhs, rhs + (size_t)n * in, rhs + (size_t)2 * n * in};
    routh_status status = rt_rates_find(B, l, loads, in, arena, error);
    if (status) return status;
    response_modal_fill_shapes(V, modes, n);
    for (int j = 0; j < z; j++) /* A V_0 */
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += l->A[(size_t)i * n + k] * V[k + (size_t)n * j];
            rhs[i + (size_t)n * (3 * in + j)] = sum;
        }
    if (!response_modal_scale_rows(V, scale, n)) {
        *why = "a state takes part in no mode";
        return ROUTH_OK;
    }
    for (int j = 0; j < N; j++)
        for (int i = 0; i < n; i++) rhs[i + (size_t)n * j] /= scale[i];
    if (rt_lu_factor(n, V, pivots, NULL) || rt_lu_solve(n, V, pivots, N, rhs, 0, NULL)) {
        *why = "the shapes of the modes depend on each other (a defective eigenvalue)";
        return ROUTH_OK;
    }
    for (int i = 0; i < z; i++)
        for (int j = 0; j < z; j++) m->J[(size_t)i * z + j] = rhs[i + (size_t)n * (3 * in + j)];
    to_modes(m, modes, B);
    return ROUTH_OK;
}

routh_status rt_modal_create(rt_modal *m, const routh_linear *l, const routh_modes *modes,
                             const rt_channels *channels, const rt_system *seen, double high,
                             const char **why, rt_arena *arena, routh_error *error)
{
    rt_loads loads;
    *why = NULL;
    *m = (rt_modal){.transfer = {.n_in = channels->n_in,
                                 .n_out = channels->n_out,
                                 .evaluate = response_modal_evaluate},
                    .n = l->n_states,
                    .n_zero = modes->n_zero};
    if (!response_modal_take(m, arena)) return rt_fail_memory(error);
    routh_status status = rt_loads_find(&loads, l, channels, arena, error);
    if (!status) status = response_modal_expand(m, l, modes, &loads, why, arena, error);
    if (status || *why) return status;
    for (int k = 0; k < m->n; k++) {
        const double *e = modes->modes[k].eigenvalue;
        m->lambda[k] = e[0] + I * e[1];
        m->kept[k] = k < m->n_zero || high <= 0 || hypot(e[0], e[1]) <= RT_TWO_PI * high;
        m->n_kept += m->kept[k];
    }
    see_modes(m, seen, modes);
    for (int k = 0; k < 3; k++)
        memcpy(m->D[k], seen->D[k],
               (size_t)channels->n_in * (size_t)channels->n_out * sizeof *m->D[k]);
    return ROUTH_OK;
}
