/* Transmission zeros of one channel, with bounds: the eigenvalues of the zero dynamics. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "answers/scaling.h"
#include "answers/zero_circles.h"
#include "answers/zero_dynamics.h"
#include "base/lapack.h"
#include "answers/zero_dynamics_check.h"

/* Of several samples one may do little by chance. */
static const double OF_SAMPLE = 5;

/* Circles are drawn for what is known to fewer digits, of as many states. */
static const double FINE = 1e-9;
enum { MOST_OF_CIRCLES = 100 };

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

static void fill_states(rt_zero_dynamics *z, const routh_linear *l, const double *scale)
{
    const size_t n = (size_t)l->n_states;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            const size_t at = i * n + j;
            const double by = scale[j] / scale[i];
            double off[ROUTH_ERROR_SAMPLES];
            for (size_t k = 0; k < ROUTH_ERROR_SAMPLES && l->A_error; k++)
                off[k] = l->A_error[k * n * n + at] * by;
            if (l->A[at] != 0 || (l->A_rest && l->A_rest[at] != 0))
                rt_zero_dynamics_put(z, RT_ZERO_A, (int)i, (int)j, l->A[at] * by,
                                     l->A_rest ? l->A_rest[at] * by : 0, l->A_error ? off : NULL);
        }
}

static void fill_channel(rt_zero_dynamics *z, const routh_linear *l, double *const B[3],
                         const rt_system *seen, const routh_response_channel *c, int order,
                         const double *scale)
{
    const int n = l->n_states;
    const size_t at = (size_t)c->output * seen->n_in + c->input;
    for (int i = 0; i < n; i++) {
        const double row = seen->C[0][(size_t)c->output * n + i];
        rt_zero_dynamics_put(z, RT_ZERO_C, 0, i, row * scale[i], 0, NULL);
        for (int k = 0; k <= order; k++) {
            const double b = B[k][i + (size_t)n * c->input] / scale[i];
            rt_zero_dynamics_put(z, k == order ? RT_ZERO_B : RT_ZERO_A, i, k == order ? 0 : n + k,
                                 b, 0, NULL);
        }
    }
    for (int k = 0; k < order; k++) {
        rt_zero_dynamics_put(z, RT_ZERO_C, 0, n + k, seen->D[k][at], 0, NULL);
        if (k + 1 < order)
            rt_zero_dynamics_put(z, RT_ZERO_A, n + k, n + k + 1, 1, 0, NULL);
        else
            rt_zero_dynamics_put(z, RT_ZERO_B, n + k, 0, 1, 0, NULL);
    }
    rt_zero_dynamics_put(z, RT_ZERO_D, 0, 0, seen->D[order][at], 0, NULL);
}

/* ---- eigenvalues of the zero dynamics, as those of a mechanism ------------------------------- */

/* Is entry (i, j) of Z exactly zero, whatever rounding of the numbers has done? */
static bool is_structural_zero(const rt_zero_dynamics *z, size_t i, size_t j)
{
    const size_t n = (size_t)z->n, at = i * n + j;
    bool zero = z->Z[at] == 0 && z->Z_rest[at] == 0;
    for (size_t k = 0; k < ROUTH_ERROR_SAMPLES; k++) zero = zero && z->Z_off[k * n * n + at] == 0;
    return zero;
}

/* block (n): the first of those that act on one another, by one another or directly: the diagonal
 * blocks of a block triangular matrix. Paths by Warshall, Journal of the ACM 9 (1962). */
static routh_status find_blocks(const rt_zero_dynamics *z, int *block, rt_arena *scratch,
                                routh_error *error)
{
    const size_t n = (size_t)z->n;
    bool *path = RT_TAKE(scratch, bool, n *n + 1);
    if (!path) return rt_fail_memory(error);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) path[i * n + j] = i == j || !is_structural_zero(z, i, j);
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; path[i * n + k] && j < n; j++)
                path[i * n + j] = path[i * n + j] || path[k * n + j];
    for (size_t i = 0; i < n; i++) {
        block[i] = (int)i;
        for (size_t j = i; j-- > 0;)
            if (path[i * n + j] && path[j * n + i]) block[i] = (int)j;
    }
    return ROUTH_OK;
}

/* The block whose first state is that one, from place `at` of the channel's zeros on. */
static routh_status values_of_block(const rt_zero_dynamics *z, const int *block, int first,
                                    routh_response_channel *c, int *at, rt_arena *scratch,
                                    routh_error *error)
{
    const size_t n = (size_t)z->n;
    size_t m = 0;
    int *member = RT_TAKE(scratch, int, n);
    if (!member) return rt_fail_memory(error);
    for (size_t i = 0; i < n; i++)
        if (block[i] == first) member[m++] = (int)i;
    routh_linear l = {.n_states = (int)m, .n_velocity = (int)m};
    double *off = RT_TAKE(scratch, double, ROUTH_ERROR_SAMPLES *m *m);
    l.A = RT_TAKE(scratch, double, m *m), l.A_rest = RT_TAKE(scratch, double, m *m);
    if (!off || !l.A || !l.A_rest) return rt_fail_memory(error);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) {
            const size_t from = (size_t)member[i] * n + (size_t)member[j];
            l.A[i * m + j] = z->Z[from], l.A_rest[i * m + j] = z->Z_rest[from];
            for (size_t k = 0; k < ROUTH_ERROR_SAMPLES; k++)
                off[k * m * m + i * m + j] = z->Z_off[k * n * n + from];
        }
    l.A_error = off;
    routh_modes *modes = NULL;
    const routh_status status = routh_modes_compute(&modes, &l, error);
    for (size_t k = 0; k < m && !status; k++, ++*at) {
        memcpy(c->zeros + 2 * *at, modes->modes[k].eigenvalue, 2 * sizeof *c->zeros);
        c->zero_bounds[*at] = modes->modes[k].error_bound;
    }
    routh_modes_free(modes);
    return status;
}

static double modulus_of(const routh_response_channel *c, int k)
{
    return hypot(c->zeros[2 * k], c->zeros[2 * k + 1]);
}

/* By modulus; pairs, next to each other and of one modulus, stay together. */
static void sort_zeros(routh_response_channel *c)
{
    for (int k = 1; k < c->n_zeros; k++) {
        const double z[2] = {c->zeros[2 * k], c->zeros[2 * k + 1]}, bound = c->zero_bounds[k],
                     size = modulus_of(c, k);
        int i = k;
        for (; i > 0 && modulus_of(c, i - 1) > size; i--) {
            memcpy(c->zeros + 2 * i, c->zeros + 2 * (i - 1), sizeof z);
            c->zero_bounds[i] = c->zero_bounds[i - 1];
        }
        memcpy(c->zeros + 2 * i, z, sizeof z);
        c->zero_bounds[i] = bound;
    }
}

static routh_status values_of(const rt_zero_dynamics *z, const int *block,
                              routh_response_channel *c, rt_arena *arena, rt_arena *scratch,
                              routh_error *error)
{
    const size_t n = (size_t)z->n;
    routh_status status = ROUTH_OK;
    int at = 0;
    c->zeros = RT_TAKE(arena, double, 2 * n + 1);
    c->zero_bounds = RT_TAKE(arena, double, n + 1);
    c->zero_multiplicities = RT_TAKE(arena, int, n + 1);
    if (!c->zeros || !c->zero_bounds || !c->zero_multiplicities) return rt_fail_memory(error);
    c->n_zeros = z->n;
    for (int first = 0; first < z->n && !status; first++)
        if (block[first] == first)
            status = values_of_block(z, block, first, c, &at, scratch, error);
    if (!status) sort_zeros(c);
    return status;
}

static double distance_of_zeros(const routh_response_channel *c, int i, int j)
{
    return hypot(c->zeros[2 * i] - c->zeros[2 * j], c->zeros[2 * i + 1] - c->zeros[2 * j + 1]);
}

static bool is_origin(const routh_response_channel *c, int k)
{
    return c->zeros[2 * k] == 0 && c->zeros[2 * k + 1] == 0;
}

/* group (n): the first of those whose discs touch; zeros at 0, split off by rank, are one. */
static void find_zero_clusters(const routh_response_channel *c, int *group)
{
    const int n = c->n_zeros;
    for (int k = 0; k < n; k++) group[k] = k;
    for (int k = 0; k < n; k++)
        for (int j = 0; j < k; j++) {
            const bool one =
                is_origin(c, k) || is_origin(c, j)
                    ? is_origin(c, k) && is_origin(c, j)
                    : distance_of_zeros(c, j, k) <= c->zero_bounds[j] + c->zero_bounds[k];
            const int from = group[k], to = group[j];
            for (int i = 0; i < n && one && from != to; i++)
                if (group[i] == from) group[i] = to;
        }
    for (int k = 0; k < n; k++) {
        c->zero_multiplicities[k] = 0;
        for (int j = 0; j < n; j++) c->zero_multiplicities[k] += group[j] == group[k];
    }
}

/* d that was taken as zero is a factor of det (s I - A) in the numerator, which moves a zero of
 * multiplicity m by (d |det (z I - A)| / (gain prod |z - others|))^(1/m). */
static routh_status add_taken(const rt_zero_dynamics *z, const rt_taken *taken,
                              const routh_response_channel *c, const int *group, double *bounds,
                              rt_arena *scratch, routh_error *error)
{
    const size_t n = (size_t)taken->n;
    double *q = RT_TAKE(scratch, double, n *n + 1), *re = RT_TAKE(scratch, double, n + 1),
           *im = RT_TAKE(scratch, double, n + 1);
    if (!q || !re || !im) return rt_fail_memory(error);
    const routh_status status = rt_schur(taken->n, taken->A, q, re, im, error);
    for (int k = 0; k < c->n_zeros && !status; k++) {
        const double at[2] = {c->zeros[2 * k], c->zeros[2 * k + 1]};
        double sum = log(taken->size) - log(fabs(z->gain));
        for (size_t i = 0; i < n; i++) sum += log(hypot(at[0] - re[i], at[1] - im[i]));
        for (int j = 0; j < c->n_zeros; j++)
            if (group[j] != group[k]) sum -= log(distance_of_zeros(c, j, k));
        bounds[k] += exp(sum / c->zero_multiplicities[k]);
    }
    return status;
}

/* extra (n): of every d that was taken as zero, which the bounds hold from then on. */
static routh_status add_all_taken(rt_zero_dynamics *z, routh_response_channel *c, const int *group,
                                  double *extra, rt_arena *scratch, routh_error *error)
{
    routh_status status = ROUTH_OK;
    for (int k = 0; k < z->n_taken && !status; k++)
        status = add_taken(z, &z->taken[k], c, group, extra, scratch, error);
    for (int k = 0; k < c->n_zeros; k++) c->zero_bounds[k] += extra[k];
    return status;
}

/* What is not known of each entry of Z, as far as the samples say. */
static void unknown_of(const rt_zero_dynamics *z, double *E)
{
    const size_t size = (size_t)z->n * (size_t)z->n;
    for (size_t e = 0; e < size; e++) {
        double most = 0;
        for (size_t k = 0; k < ROUTH_ERROR_SAMPLES; k++)
            most = fmax(most, fabs(z->Z_off[k * size + e]));
        E[e] = OF_SAMPLE * most + RT_DD_EPSILON * fabs(z->Z[e]);
    }
}

/* Clusters at (zeros, bounds) by circles round them, which are never larger. */
static routh_status draw_circles(const rt_zero_dynamics *z, const int *block,
                                 const routh_response_channel *c, const int *group,
                                 const double *extra, double *zeros, double *bounds,
                                 rt_arena *scratch, routh_error *error)
{
    if (z->n > MOST_OF_CIRCLES) return ROUTH_OK;
    double *E = RT_TAKE(scratch, double, (size_t)z->n *(size_t)z->n + 1);
    if (!E) return rt_fail_memory(error);
    unknown_of(z, E);
    for (int k = 0; k < c->n_zeros; k++) {
        const int m = c->zero_multiplicities[k];
        const double *at = zeros + 2 * k;
        double middle[2] = {at[0], fabs(at[1])}, radius = bounds[k];
        bool before = at[1] < 0, done = false;
        for (int j = 0; j < k; j++) before = before || group[j] == group[k];
        if (before || radius <= FINE * hypot(at[0], at[1]) || (m == 1 && at[1] != 0)) continue;
        const routh_status status = rt_zero_circle(z->n, z->Z, z->Z_rest, E, block, m, middle,
                                                   &radius, &done, scratch, error);
        if (status) return status;
        /* of the conjugates too */
        const double was[2] = {at[0], at[1]};
        if (done && was[0] == 0 && was[1] == 0) {
            /* split off by rank: they stay where they are */
            radius += hypot(middle[0], middle[1]);
            middle[0] = middle[1] = 0;
            done = radius < bounds[k];
        }
        for (int j = 0; j < c->n_zeros && done; j++) {
            if (zeros[2 * j] != was[0] || fabs(zeros[2 * j + 1]) != fabs(was[1])) continue;
            zeros[2 * j + 1] = zeros[2 * j + 1] < 0 ? -middle[1] : middle[1];
            zeros[2 * j] = middle[0];
            bounds[j] = radius + extra[j];
        }
    }
    return ROUTH_OK;
}

/* Every cluster at its mean, which rounding moves least. */
static void to_means(const routh_response_channel *c, const int *group, double *zeros,
                     double *bounds)
{
    for (int k = 0; k < c->n_zeros; k++) {
        const int m = c->zero_multiplicities[k];
        double sum[2] = {0, 0}, bound = 0;
        for (int j = 0; j < c->n_zeros; j++)
            if (group[j] == group[k]) sum[0] += c->zeros[2 * j], sum[1] += c->zeros[2 * j + 1];
        zeros[2 * k] = sum[0] / m;
        zeros[2 * k + 1] = fabs(sum[1] / m) > c->zero_bounds[k] * DBL_EPSILON ? sum[1] / m : 0;
        for (int j = 0; j < c->n_zeros; j++)
            if (group[j] == group[k])
                bound =
                    fmax(bound, c->zero_bounds[j] + hypot(zeros[2 * k] - c->zeros[2 * j],
                                                          zeros[2 * k + 1] - c->zeros[2 * j + 1]));
        bounds[k] = m > 1 ? bound : c->zero_bounds[k];
    }
}

static void refuse(routh_response_channel *c, const char *why)
{
    c->n_zeros = -1;
    c->zeros_why = why;
}

/* Verified, with clusters at their means where these do as well. */
static routh_status conclude(rt_zero_dynamics *z, const int *block, const rt_zero_point *points,
                             int channel, routh_response_channel *c, rt_arena *scratch,
                             routh_error *error)
{
    const size_t n = (size_t)c->n_zeros;
    int *group = RT_TAKE(scratch, int, n + 1);
    double *zeros = RT_TAKE(scratch, double, 2 * n + 1), *bounds = RT_TAKE(scratch, double, n + 1),
           *extra = RT_TAKE(scratch, double, n + 1);
    if (!group || !zeros || !bounds || !extra) return rt_fail_memory(error);
    find_zero_clusters(c, group);
    routh_status status = add_all_taken(z, c, group, extra, scratch, error);
    if (status) return status;
    find_zero_clusters(c, group);
    if (!rt_zero_points_agree(points, channel, c->gain, c->n_zeros, c->zeros, c->zero_bounds)) {
        refuse(c, "the zeros found do not give the transfer function at every point tried");
        return ROUTH_OK;
    }
    to_means(c, group, zeros, bounds);
    status = draw_circles(z, block, c, group, extra, zeros, bounds, scratch, error);
    if (status) return status;
    if (!rt_zero_points_agree(points, channel, c->gain, c->n_zeros, zeros, bounds)) return ROUTH_OK;
    memcpy(c->zeros, zeros, 2 * n * sizeof *zeros);
    memcpy(c->zero_bounds, bounds, n * sizeof *bounds);
    return ROUTH_OK;
}

/* The largest bound beside its zero, and the largest of all; INFINITY: not known. */
static double worst_bound(const routh_response_channel *c)
{
    double worst = c->n_zeros < 0 ? INFINITY : 0;
    for (int k = 0; k < c->n_zeros; k++)
        if (!is_origin(c, k)) worst = fmax(worst, c->zero_bounds[k] / modulus_of(c, k));
    return worst;
}

typedef struct zeros_problem {
    const routh_linear *l;
    double *const *B;
    const rt_system *seen;
    const double *scale;
    const rt_zero_point *points;
    int channel;
} zeros_problem;

static routh_status attempt_zeros(const zeros_problem *p, bool by_structure,
                                  routh_response_channel *c, rt_arena *arena, routh_error *error)
{
    rt_arena scratch = {0};
    rt_zero_dynamics z;
    const int order = order_of(p->l, p->B, p->seen, c);
    routh_status status = rt_zero_dynamics_take(&z, p->l->n_states + order, &scratch, error);
    c->n_zeros = 0, c->gain = 0;
    if (!status) {
        fill_states(&z, p->l, p->scale);
        fill_channel(&z, p->l, p->B, p->seen, c, order, p->scale);
        status = rt_zero_dynamics_reduce(&z, by_structure, &scratch, error);
    }
    if (!status && !z.why && !z.no_way && !(isfinite(z.gain) && fabs(z.gain) >= DBL_MIN))
        z.why = "the gain is beyond the range of numbers";
    if (!status && z.why)
        refuse(c, z.why);
    else if (!status && !z.no_way) {
        int *block = RT_TAKE(&scratch, int, z.n + 1);
        c->gain = z.gain;
        status = block ? find_blocks(&z, block, &scratch, error) : rt_fail_memory(error);
        if (!status) status = values_of(&z, block, c, arena, &scratch, error);
        if (!status) status = conclude(&z, block, p->points, p->channel, c, &scratch, error);
    }
    rt_arena_free(&scratch);
    return status;
}

/* By structure; where that leaves few digits by size as well, and the better of both. */
routh_status rt_zeros_of_channel(routh_response_channel *c, int channel, const routh_linear *l,
                                 double *const B[3], const rt_system *seen, const double *scale,
                                 const rt_zero_point *points, rt_arena *arena, routh_error *error)
{
    const zeros_problem p = {l, B, seen, scale, points, channel};
    routh_response_channel other = *c;
    routh_status status = attempt_zeros(&p, true, c, arena, error);
    if (status || worst_bound(c) <= FINE) return status;
    status = attempt_zeros(&p, false, &other, arena, error);
    if (!status && worst_bound(&other) < worst_bound(c)) *c = other;
    return status;
}

void rt_zeros_settle(routh_response_channel *c, int power)
{
    c->n_poles_at_rest = power;
    while (c->n_zeros > 0 && c->n_poles_at_rest > 0 && is_origin(c, 0)) {
        for (int k = 0; k < c->n_zeros; k++)
            if (is_origin(c, k)) c->zero_multiplicities[k]--;
        c->n_zeros--, c->n_poles_at_rest--;
        const size_t left = (size_t)c->n_zeros;
        memmove(c->zeros, c->zeros + 2, 2 * left * sizeof *c->zeros);
        memmove(c->zero_bounds, c->zero_bounds + 1, left * sizeof *c->zero_bounds);
        memmove(c->zero_multiplicities, c->zero_multiplicities + 1,
                left * sizeof *c->zero_multiplicities);
    }
}
