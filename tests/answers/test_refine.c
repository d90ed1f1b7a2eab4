/* Tests of answers/refine: stiff systems whose matrices hold the slow modes exactly, though M^-1 K
 * does not. They are modal systems with integer coefficients seen through an integer matrix T, so
 * M = T'T, C = T'cT and K = T'kT have no rounding at all. */
#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/lapack.h"
#include "linear_model.h"

enum { MOST = 8 };

/* c, k: n x n of the modal system x'' + c x' + k x = 0 */
typedef struct modal {
    int n;
    double c[MOST * MOST], k[MOST * MOST];
} modal;

/* T = D H, H a matrix of Hadamard (n a power of two), D = diag(1, 2, 1, 2, ...): every coordinate
 * holds some of every mode. */
static void transformation(int n, double *T)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int ones = 0;
            for (int bits = i & j; bits; bits &= bits - 1) ones++;
            T[i * n + j] = (ones % 2 ? -1 : 1) * (1 + i % 2);
        }
}

/* out = T' a T; a NULL: 1 */
static void congruent(int n, const double *T, const double *a, double *out)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            out[i * n + j] = 0;
            for (int p = 0; p < n; p++)
                for (int q = 0; q < n; q++)
                    out[i * n + j] += T[p * n + i] * (a ? a[p * n + q] : p == q) * T[q * n + j];
        }
}

/* The model, with A as a method would make it. */
static routh_linear model_of(const modal *s)
{
    const int n = s->n;
    double T[MOST * MOST], lu[MOST * MOST], b[2 * MOST * MOST];
    int pivots[MOST];
    routh_linear l = model_new(n, n);
    l.mass = calloc(3 * MOST * MOST, sizeof *l.mass);
    l.damping = l.mass + MOST * MOST, l.stiffness = l.damping + MOST * MOST;
    transformation(n, T);
    congruent(n, T, NULL, l.mass);
    congruent(n, T, s->c, l.damping);
    congruent(n, T, s->k, l.stiffness);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            lu[i + n * j] = l.mass[i * n + j];
            b[i + n * j] = -l.stiffness[i * n + j];
            b[i + n * (n + j)] = -l.damping[i * n + j];
        }
    assert_int_equal(rt_lu_factor(n, lu, pivots, NULL), ROUTH_OK);
    assert_int_equal(rt_lu_solve(n, lu, pivots, 2 * n, b, 0, NULL), ROUTH_OK);
    for (int i = 0; i < n; i++) {
        l.A[i * 2 * n + n + i] = 1;
        for (int j = 0; j < 2 * n; j++) l.A[(n + i) * 2 * n + j] = b[i + n * j];
    }
    return l;
}

static void release(routh_linear *l)
{
    free(l->mass);
    model_free(l);
}

/* How far the eigenvalue nearest to re + i im is from it, as a fraction, of those not taken. */
static double error_of(const routh_modes *m, double re, double im, int *taken, double *bound)
{
    int best = -1;
    double least = INFINITY;
    for (int k = 0; k < m->n; k++) {
        const double distance =
            hypot(m->modes[k].eigenvalue[0] - re, m->modes[k].eigenvalue[1] - im);
        if (!taken[k] && distance < least) least = distance, best = k;
    }
    taken[best] = 1;
    *bound = m->modes[best].error_bound / hypot(re, im);
    return least / hypot(re, im);
}

/* The largest entry of (lambda^2 M + lambda C + K) s of a shape, by the largest sum of sizes */
static double residual(const routh_linear *l, const routh_mode *mode)
{
    const int n = l->n_position;
    const double a = mode->eigenvalue[0], b = mode->eigenvalue[1];
    double worst = 0, largest = 0;
    for (int i = 0; i < n; i++) {
        long double re = 0, im = 0;
        double size = 0;
        for (int j = 0; j < n; j++) {
            const long double x = mode->shape[j], y = mode->shape[2 * n + j],
                              M = l->mass[i * n + j], C = l->damping[i * n + j],
                              K = l->stiffness[i * n + j];
            const long double p = (a * a - b * b) * M + a * C + K, q = 2 * a * b * M + b * C;
            re += p * x - q * y, im += p * y + q * x;
            size += hypot((double)p, (double)q) * hypot((double)x, (double)y);
        }
        worst = fmax(worst, hypot((double)re, (double)im));
        largest = fmax(largest, size);
    }
    return worst > 0 ? worst / largest : 0;
}

/* What the sums of the products round, as a fraction of the bound, which is that of entries. */
static double of_sums(int n) { return 4 * n * (double)(LDBL_EPSILON / DBL_EPSILON); }

/* Every eigenvalue of right (n_right of them with Im >= 0) is found, once, to what sums can carry;
 * and without the matrices one is off by more than `lost`, and a hundred times as much. */
static void check(const modal *s, const double (*right)[2], int n_right, double lost)
{
    routh_linear l = model_of(s);
    routh_modes *m = NULL;
    assert_int_equal(routh_modes_compute(&m, &l, NULL), ROUTH_OK);
    assert_int_equal(m->n_zero, 0);
    int taken[2 * MOST] = {0};
    double bound, largest = 0;
    for (int k = 0; k < n_right; k++)
        for (int sign = -1; sign <= (right[k][1] != 0 ? 1 : -1); sign += 2) {
            const double error = error_of(m, right[k][0], sign * right[k][1], taken, &bound);
            largest = fmax(largest, error);
            if (!(error <= fmin(of_sums(s->n), 1) * bound + 1e-14))
                fail_msg("%g%+gi is off by %.2g, bound %.2g", right[k][0], sign * right[k][1],
                         error, bound);
        }
    for (int k = 0; k < m->n; k++) {
        assert_int_equal(taken[k], 1);
        const routh_mode *mode = &m->modes[k];
        assert_true(mode->eigenvalue[0] == m->modes[mode->conjugate].eigenvalue[0]);
        assert_true(mode->eigenvalue[1] == -m->modes[mode->conjugate].eigenvalue[1]);
        const double size = hypot(mode->eigenvalue[0], mode->eigenvalue[1]);
        if (size < 100 && !(residual(&l, mode) < 1e-14))
            fail_msg("%.15g%+.15gi: residual %.2g", mode->eigenvalue[0], mode->eigenvalue[1],
                     residual(&l, mode));
    }
    routh_modes_free(m);
    double *const mass = l.mass;
    l.mass = NULL;
    assert_int_equal(routh_modes_compute(&m, &l, NULL), ROUTH_OK);
    double worst = 0;
    memset(taken, 0, sizeof taken);
    for (int k = 0; k < n_right; k++)
        for (int sign = -1; sign <= (right[k][1] != 0 ? 1 : -1); sign += 2)
            worst = fmax(worst, error_of(m, right[k][0], sign * right[k][1], taken, &bound));
    if (!(worst > lost && worst > 100 * largest)) fail_msg("%.2g, without %.2g", largest, worst);
    routh_modes_free(m);
    l.mass = mass;
    release(&l);
}

/* x'' + c x' + k x with eigenvalues -c/2 +- i b: k = c^2/4 + b^2 */
static void oscillator(modal *s, int i, double c, double b)
{
    s->c[i * s->n + i] = c;
    s->k[i * s->n + i] = c * c / 4 + b * b;
}

static void undamped(void **state)
{
    (void)state;
    const double right[][2] = {{0, 1}, {0, 3}, {0, 4e5}, {0, 1e6}};
    modal s = {.n = 4};
    for (int i = 0; i < 4; i++) oscillator(&s, i, 0, right[i][1]);
    check(&s, right, 4, 1e-6);
}

static void damped(void **state)
{
    (void)state;
    const double right[][2] = {{-3, 4},     {-1, 2},      {-2, 7},   {-300, 400},
                               {-3e5, 4e5}, {-1e4, 64e4}, {-5, 1e6}, {-10, 2e5}};
    modal s = {.n = 8};
    for (int i = 0; i < 8; i++) oscillator(&s, i, -2 * right[i][0], right[i][1]);
    check(&s, right, 8, 1e-6);
}

/* Real ones: (x + p)(x + q) */
static void overdamped(void **state)
{
    (void)state;
    const double right[][2] = {{-1, 0}, {-2, 0}, {-5, 0}, {-4e5, 0}, {-3e5, 1e6}, {-3e3, 9e5}};
    modal s = {.n = 4, .c = {[0] = 3, [5] = 4e5 + 5}, .k = {[0] = 2, [5] = 20e5}};
    oscillator(&s, 2, 6e5, 1e6);
    oscillator(&s, 3, 6e3, 9e5);
    check(&s, right, 6, 1e-8);
}

/* x'' + g y' + k x, y'' - g x' + k y: i (+-g/2 +- sqrt(g^2/4 + k)) */
static void gyroscopic(modal *s, int i, double g, double k)
{
    const int n = s->n;
    s->k[i * n + i] = s->k[(i + 1) * (n + 1)] = k;
    s->c[i * n + i + 1] = g, s->c[(i + 1) * n + i] = -g;
}

static void gyroscopic_and_stiff(void **state)
{
    (void)state;
    const double right[][2] = {{0, 1},   {0, 4},   {0, 2},   {0, 9},
                               {0, 1e6}, {0, 4e6}, {0, 3e5}, {0, 1e5}};
    modal s = {.n = 8};
    gyroscopic(&s, 0, 3, 4);
    gyroscopic(&s, 2, 7, 18);
    gyroscopic(&s, 4, 3e6, 4e12);
    oscillator(&s, 6, 0, 3e5);
    oscillator(&s, 7, 0, 1e5);
    check(&s, right, 8, 1e-6);
}

/* Groups: equal pairs, equal real ones, and pairs a little apart. */
static void repeated(void **state)
{
    (void)state;
    const double right[][2] = {{-1, 2},  {-1, 2},  {-1, 2},  {-3, 4},
                               {0, 256}, {0, 256}, {0, 1e6}, {-2e5, 9e5}};
    modal s = {.n = 8};
    for (int i = 0; i < 8; i++) oscillator(&s, i, -2 * right[i][0], right[i][1]);
    check(&s, right, 8, 1e-6);
}

static void close_pairs(void **state)
{
    (void)state;
    const double apart = 1.0 / 1024; /* its square has room beside 2^30 */
    const double right[][2] = {{0, 1},     {0, 1 + apart}, {0, 1 + 2 * apart}, {0, 16384},
                               {0, 32768}, {0, 8192},      {0, 4096},          {0, 12288}};
    modal s = {.n = 8};
    for (int i = 0; i < 8; i++) oscillator(&s, i, 0, right[i][1]);
    check(&s, right, 8, 1e-9);
}

/* Matrices that do not belong to A change nothing: no value moves beyond its bound. */
static void foreign_matrices_are_not_taken(void **state)
{
    (void)state;
    const double right[][2] = {{0, 1}, {0, 2}, {0, 1e5}, {0, 2e5}};
    modal s = {.n = 4};
    for (int i = 0; i < 4; i++) oscillator(&s, i, 0, right[i][1]);
    routh_linear l = model_of(&s);
    for (int k = 0; k < 16; k++) l.stiffness[k] *= 1.21;
    routh_modes *m = NULL;
    assert_int_equal(routh_modes_compute(&m, &l, NULL), ROUTH_OK);
    int taken[2 * MOST] = {0};
    double bound;
    for (int k = 0; k < 3; k++) assert_true(error_of(m, 0, right[k][1], taken, &bound) < 1e-4);
    routh_modes_free(m);
    release(&l);
}

/* A slow mode below what A tells from zero, and one that is zero. K00 - sum b^2 / k is 1 or 0 with
 * no rounding; the motion is (1, -b / k, ..), in which A cancels and K hardly does. */
static void slow_is_not_zero(void **state)
{
    (void)state;
    enum { N = 4 };
    const double b = 1 << 14, k = ldexp(1, 48);
    for (int zero = 0; zero < 2; zero++) {
        modal s = {.n = N};
        routh_linear l = model_of(&s);
        double A[N * N], M[N * N];
        int pivots[N];
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                M[i * N + j] = i == j ? 1 + (i > 0) : i > 0 && j > 0 ? 0.25 : 0;
                l.mass[i * N + j] = M[i * N + j];
                const double K = i != j ? (i == 0 || j == 0 ? b : 0)
                                 : i    ? k
                                        : (zero ? 0 : 1) + 3 * b * b / k;
                l.stiffness[i * N + j] = K;
                A[i + N * j] = -K;
            }
        assert_int_equal(rt_lu_factor(N, M, pivots, NULL), ROUTH_OK);
        assert_int_equal(rt_lu_solve(N, M, pivots, N, A, 0, NULL), ROUTH_OK);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) l.A[(N + i) * 2 * N + j] = A[i + N * j];
        routh_modes *m = NULL;
        assert_int_equal(routh_modes_compute(&m, &l, NULL), ROUTH_OK);
        assert_int_equal(m->n_zero, zero ? 2 : 0);
        if (!zero) assert_true(fabs(m->modes[1].eigenvalue[1] - 1) < 1e-13);
        routh_modes_free(m);
        release(&l);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(undamped),
        cmocka_unit_test(damped),
        cmocka_unit_test(overdamped),
        cmocka_unit_test(gyroscopic_and_stiff),
        cmocka_unit_test(repeated),
        cmocka_unit_test(close_pairs),
        cmocka_unit_test(foreign_matrices_are_not_taken),
        cmocka_unit_test(slow_is_not_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
