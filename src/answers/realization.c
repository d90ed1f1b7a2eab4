/* Which modes inputs drive and outputs see: the test of Popov, Belevitch and Hautus, with margins.
 */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answers/system_scaling.h"
#include "base/lapack.h"
#include "routh/answers.h"

typedef double _Complex realization_complex_number;

/* Of a smallest singular value, in units of what rounding makes of 0. */
static const double AT_MOST = 1e2, AT_LEAST = 1e4;

const char *routh_verdict_name(routh_verdict verdict)
{
    static const char *const names[] = {"yes", "no", "cannot tell"};
    return (size_t)verdict < sizeof names / sizeof *names ? names[verdict] : "";
}

/* The scaled system. Outputs are handled as inputs of the transposed one: side 0 is (A, B), side 1
 * is (A', C'). Column-major. */
typedef struct scaled_system {
    int n;
    double *A[2];
    int n_signals[2];
    double *B[2][3]; /* n x n_signals, by in, in', in''; of outputs the first only; NULL: zero */
    double norm[2];  /* largest norm of a row of [A B] or column of A */
    double error;    /* of A, over its norm: what the method says of itself */
} scaled_system;

/* Room for the decompositions of one mode. */
typedef struct realization_room {
    realization_complex_number *a, *vt, *null, *driven;
    double *sigma;
} realization_room;

/* ---- the scaled system ----------------------------------------------------------------------- */

static double realization_norm_of(const scaled_system *s, int side)
{
    const int n = s->n;
    double most = 0;
    for (int i = 0; i < n; i++) {
        double row = 0, column = 0;
        for (int j = 0; j < n; j++) {
            row += pow(s->A[side][i + (size_t)n * j], 2);
            column += pow(s->A[side][j + (size_t)n * i], 2);
        }
        for (int j = 0; j < s->n_signals[side]; j++)
            row += pow(s->B[side][0][i + (size_t)n * j], 2);
        most = fmax(most, fmax(row, column));
    }
    return sqrt(most);
}

static routh_status scale_inputs(scaled_system *s, const routh_linear *l,
                                 const rt_system_scale *scale, rt_arena *arena, routh_error *error)
{
    const double *const from[] = {l->B, l->B1, l->B2};
    const size_t n = (size_t)s->n, m = (size_t)l->n_inputs;
    s->n_signals[0] = l->n_inputs;
    for (int k = 0; k < 3; k++) {
        double *to = s->B[0][k] = k == 0 || from[k] ? RT_TAKE(arena, double, n *m) : NULL;
        if (!to && (k == 0 || from[k])) return rt_fail_memory(error);
        for (size_t i = 0; i < n && from[k]; i++)
            for (size_t j = 0; j < m; j++)
                to[i + n * j] = from[k][i * m + j] * scale->input[j] / scale->state[i];
    }
    return ROUTH_OK;
}

static routh_status scale_outputs(scaled_system *s, const routh_linear *l,
                                  const rt_system_scale *scale, rt_arena *arena, routh_error *error)
{
    const size_t n = (size_t)s->n, p = (size_t)l->n_outputs;
    double *to = s->B[1][0] = RT_TAKE(arena, double, n *p);
    if (!to) return rt_fail_memory(error);
    s->n_signals[1] = l->n_outputs;
    for (size_t i = 0; i < p && l->C; i++)
        for (size_t j = 0; j < n; j++) /* 1/s as A is, to stand beside it */
            to[j + n * i] = l->C[i * n + j] * scale->state[j] / scale->output[i] * scale->rate;
    return ROUTH_OK;
}

static routh_status make_system(scaled_system *s, const routh_linear *l, rt_arena *arena,
                                routh_error *error)
{
    const size_t n = (size_t)l->n_states;
    rt_system_scale scale;
    *s = (scaled_system){.n = l->n_states, .error = l->error_estimate};
    routh_status status = rt_scale_system(&scale, l, arena, error);
    for (int side = 0; side < 2 && !status; side++) {
        s->A[side] = RT_TAKE(arena, double, n *n);
        if (!s->A[side]) status = rt_fail_memory(error);
    }
    for (size_t i = 0; i < n && !status; i++)
        for (size_t j = 0; j < n; j++)
            s->A[0][i + n * j] = s->A[1][j + n * i] =
                l->A[i * n + j] * scale.state[j] / scale.state[i];
    if (!status) status = scale_inputs(s, l, &scale, arena, error);
    if (!status) status = scale_outputs(s, l, &scale, arena, error);
    for (int side = 0; side < 2 && !status; side++) s->norm[side] = realization_norm_of(s, side);
    return status;
}

/* ---- one mode -------------------------------------------------------------------------------- */

/* B + lambda B1 + lambda^2 B2, into n x n_signals numbers; *size: of each column's terms. */
static void make_columns(const scaled_system *s, int side, realization_complex_number lambda,
                         realization_complex_number *to, double *size)
{
    const size_t n = (size_t)s->n;
    const realization_complex_number power[] = {1, lambda, lambda * lambda};
    for (int j = 0; j < s->n_signals[side]; j++) {
        double terms = 0;
        for (size_t i = 0; i < n; i++) {
            realization_complex_number b = 0;
            for (int k = 0; k < 3; k++) {
                if (!s->B[side][k]) continue;
                const realization_complex_number term = power[k] * s->B[side][k][i + n * (size_t)j];
                b += term;
                terms += pow(cabs(term), 2);
            }
            to[i + n * (size_t)j] = b;
        }
        size[j] = sqrt(terms);
    }
}

/* a := A - lambda I of a side, or its conjugate transpose */
static void make_shifted(const scaled_system *s, int side, realization_complex_number lambda,
                         realization_complex_number *a)
{
    const size_t n = (size_t)s->n;
    for (size_t e = 0; e < n * n; e++) a[e] = s->A[side][e];
    for (size_t i = 0; i < n; i++) a[i * (n + 1)] -= lambda;
}

/* The right vectors of the smallest singular values of A - lambda I, of the other side: left
 * eigenvectors W of this one, w' A = lambda w', orthonormal, conjugated. Returns how many. */
static routh_status find_null(const scaled_system *s, int side, realization_complex_number lambda,
                              double zero, realization_room *r, int *copies, routh_error *error)
{
    const size_t n = (size_t)s->n;
    make_shifted(s, !side, lambda, r->a);
    const routh_status status = rt_svd_complex(s->n, s->n, r->a, r->sigma, r->vt, error);
    *copies = 1;
    while (*copies < s->n && r->sigma[s->n - 1 - *copies] <= zero) ++*copies;
    for (int c = 0; c < *copies; c++)
        for (size_t i = 0; i < n; i++)
            r->null[i + n * (size_t)c] = conj(r->vt[n - 1 - (size_t)c + n * i]);
    return status;
}

/* W'B with columns of length 1, the size of each column in `each`, and the smallest singular value.
 */
static routh_status find_drive(const scaled_system *s, int side,
                               const realization_complex_number *columns, const double *size,
                               int copies, realization_room *r, double *each, double *least,
                               routh_error *error)
{
    const size_t n = (size_t)s->n, m = (size_t)s->n_signals[side], g = (size_t)copies;
    for (size_t j = 0; j < m; j++) {
        double sum = 0;
        for (size_t c = 0; c < g; c++) {
            realization_complex_number d = 0;
            /* plain products: A' w = lambda w */
            for (size_t i = 0; i < n; i++) d += r->null[i + n * c] * columns[i + n * j];
            d = size[j] > 0 ? d / size[j] : 0;
            r->driven[c + g * j] = d;
            sum += creal(d * conj(d));
        }
        each[j] = sqrt(sum);
    }
    const routh_status status = rt_svd_complex(copies, (int)m, r->driven, r->sigma, NULL, error);
    *least = m < g ? 0 : r->sigma[copies - 1];
    return status;
}

/* The smallest singular value of [A - lambda I, B]. */
static routh_status find_distance(const scaled_system *s, int side,
                                  realization_complex_number lambda,
                                  const realization_complex_number *columns, realization_room *r,
                                  double *distance, routh_error *error)
{
    const size_t n = (size_t)s->n, m = (size_t)s->n_signals[side];
    make_shifted(s, side, lambda, r->a);
    memcpy(r->a + n * n, columns, n * m * sizeof *r->a);
    const routh_status status = rt_svd_complex(s->n, (int)(n + m), r->a, r->sigma, NULL, error);
    *distance = r->sigma[n - 1];
    return status;
}

/* rounding: of the matrices; error: of the eigenvalue besides, which moves an uncontrollable mode
 * away from 0 by as much, and a controllable one by no more. */
static void realization_judge(routh_mode_reach *reach, double distance, double rounding,
                              double error, double norm)
{
    reach->distance = norm > 0 ? distance / norm : 0;
    reach->margin = reach->distance / DBL_EPSILON;
    reach->noise = norm > 0 ? (rounding + error) / norm / DBL_EPSILON : 0;
    reach->verdict = distance <= AT_MOST * rounding              ? ROUTH_NO
                     : distance >= AT_LEAST * (rounding + error) ? ROUTH_YES
                                                                 : ROUTH_CANNOT_TELL;
}

static void no_signals(routh_mode_reach *reach)
{
    reach->verdict = ROUTH_CANNOT_TELL;
    reach->distance = reach->margin = reach->noise = reach->least = NAN;
}

static routh_status realization_reach_of(const scaled_system *s, int side, const routh_mode *mode,
                                         realization_room *r, double *each,
                                         routh_mode_realization *out, routh_error *error)
{
    routh_mode_reach *reach = side ? &out->output : &out->input;
    const realization_complex_number lambda = mode->eigenvalue[0] + I * mode->eigenvalue[1];
    const size_t n = (size_t)s->n, m = (size_t)s->n_signals[side];
    reach->each = each;
    if (m == 0) {
        no_signals(reach);
        return ROUTH_OK;
    }
    const double rounding = (sqrt(s->n) * DBL_EPSILON + s->error) * s->norm[side];
    realization_complex_number *columns = r->driven + n * m;
    double *size = r->sigma + n + m, distance = 0;
    make_columns(s, side, lambda, columns, size);
    routh_status status =
        find_null(s, side, lambda, AT_MOST * rounding + mode->error_bound, r, &out->copies, error);
    if (!status)
        status = find_drive(s, side, columns, size, out->copies, r, each, &reach->least, error);
    if (!status) status = find_distance(s, side, lambda, columns, r, &distance, error);
    realization_judge(reach, distance, rounding, mode->error_bound, s->norm[side]);
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

static routh_status realization_take_room(realization_room *r, const scaled_system *s,
                                          rt_arena *arena, routh_error *error)
{
    const size_t n = (size_t)s->n;
    const size_t m =
        (size_t)(s->n_signals[0] > s->n_signals[1] ? s->n_signals[0] : s->n_signals[1]);
    r->a = RT_TAKE(arena, realization_complex_number, n * (n + m));
    r->vt = RT_TAKE(arena, realization_complex_number, n * n);
    r->null = RT_TAKE(arena, realization_complex_number, n * n);
    r->driven = RT_TAKE(arena, realization_complex_number, 2 * n * m);
    r->sigma = RT_TAKE(arena, double, n + 2 * m + n);
    return r->a && r->vt && r->null && r->driven && r->sigma ? ROUTH_OK : rt_fail_memory(error);
}

static routh_status test_modes(routh_realization *z, const scaled_system *s,
                               const routh_modes *modes, rt_arena *arena, routh_error *error)
{
    const size_t per_mode = (size_t)(z->n_inputs + z->n_outputs);
    realization_room r;
    routh_status status = realization_take_room(&r, s, arena, error);
    for (int k = 0; k < z->n && !status; k++) {
        const int other = modes->modes[k].conjugate;
        if (other < k) { /* conjugates are reached alike */
            z->modes[k] = z->modes[other];
            continue;
        }
        double *each = z->storage + per_mode * (size_t)k;
        for (int side = 0; side < 2 && !status; side++)
            status = realization_reach_of(s, side, &modes->modes[k], &r,
                                          each + (side ? z->n_inputs : 0), &z->modes[k], error);
    }
    return status;
}

static routh_realization *new_realization(const routh_linear *l)
{
    const size_t n = (size_t)l->n_states, signals = (size_t)(l->n_inputs + l->n_outputs);
    routh_realization *z = calloc(1, sizeof *z);
    if (!z) return NULL;
    z->n = l->n_states;
    z->n_inputs = l->n_inputs, z->n_outputs = l->n_outputs;
    z->modes = calloc(n + 1, sizeof *z->modes);
    z->storage = calloc(n * signals + 1, sizeof *z->storage);
    if (z->modes && z->storage) return z;
    routh_realization_free(z);
    return NULL;
}

void routh_realization_free(routh_realization *z)
{
    if (!z) return;
    free(z->modes);
    free(z->storage);
    free(z);
}

static routh_status realization_check(const routh_linear *l, const routh_modes *modes,
                                      routh_error *error)
{
    if (l->n_inputs == 0 && l->n_outputs == 0)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the model has no inputs and no outputs; define them under `inputs` and "
                       "`outputs`");
    if (modes->wanted.n_regions > 0 || modes->n != l->n_states || !l->A)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "a realization needs all modes of the linear model: %d states, %d modes",
                       l->n_states, modes->n);
    return ROUTH_OK;
}

routh_status routh_realization_compute(routh_realization **realization, const routh_linear *linear,
                                       const routh_modes *modes, routh_error *error)
{
    *realization = NULL;
    routh_status status = realization_check(linear, modes, error);
    if (status) return status;
    rt_arena arena = {0};
    scaled_system s;
    routh_realization *z = new_realization(linear);
    status = z ? make_system(&s, linear, &arena, error) : rt_fail_memory(error);
    if (!status) status = test_modes(z, &s, modes, &arena, error);
    rt_arena_free(&arena);
    if (status)
        routh_realization_free(z);
    else
        *realization = z;
    return status;
}
