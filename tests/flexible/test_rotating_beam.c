/* A cantilever carried round at a steady speed about its root, stiffened by the centrifugal tension
 *     T(x) = m W^2 (L^2 - x^2) / 2:
 * against a polynomial Ritz solution of the beam under it, and that against the power series of its
 * differential equation. */
#include "flexible/dense_beam.h"

#include "base/lapack.h"
#include "elements/flexible_inertia.h"

enum { N_VALUES = 2, N_RITZ = 14 };

/* m = L = EI = 1, all but inextensible: the strain is T / 1e11. */
static rt_beam unit_beam(int n_elements)
{
    return (rt_beam){.to = {1, 0, 0},
                     .side = {0, 1, 0},
                     .n_elements = n_elements,
                     .stiffening = true,
                     .density = 1,
                     .area = 1,
                     .young = 1e11,
                     .shear = 1e11,
                     .inertia_y = 1e-11,
                     .inertia_z = 1e-11,
                     .torsion = 1e-11};
}

typedef struct rotating {
    const rt_flexible *flexible;
    rt_frame frame;
    double *q, *rate, *r, *K, *M; /* matrices on the pattern */
} rotating;

static rotating rotating_of(const rt_flexible *flexible, const double w[3])
{
    const size_t n = (size_t)flexible->n, n_entries = (size_t)flexible->pattern.start[n];
    rotating x = {.flexible = flexible, .frame = rt_ground_frame};
    rt_v3_copy(x.frame.w, w);
    x.q = zeros(n), x.rate = zeros(n), x.r = zeros(n), x.K = zeros(n_entries);
    x.M = zeros(n_entries);
    return x;
}

static void free_rotating(rotating *x)
{
    free(x->q), free(x->rate), free(x->r), free(x->K), free(x->M);
}

static void evaluate(rotating *x)
{
    static const double no_gravity[3];
    const rt_elastic_state state = {x->q, x->rate, x->rate};
    rt_flexible_result out = {.elastic = x->r, .inner = {x->K, NULL, x->M}};
    rt_flexible_evaluate(x->flexible, NULL, &x->frame, &state, no_gravity, true, &out);
}

/* Rows and columns of these coordinates, column-major. */
static double *part_of(const rotating *x, const double *values, int n, const int *columns)
{
    double *whole = dense(x->flexible, values), *part = zeros((size_t)n * (size_t)n);
    for (int l = 0; l < n; l++)
        for (int k = 0; k < n; k++)
            part[n * l + k] = whole[x->flexible->n * columns[l] + columns[k]];
    free(whole);
    return part;
}

/* Stretched by its own rotation: linear in the stretch, and exact after one step of Newton. */
static void settle(rotating *x)
{
    const int n = x->flexible->n / 6;
    int *columns = calloc((size_t)n, sizeof *columns), *pivots = calloc((size_t)n, sizeof *pivots);
    double *step = zeros((size_t)n);
    assert_true(columns && pivots);
    for (int k = 0; k < n; k++) columns[k] = 6 * k;
    evaluate(x);
    double *K = part_of(x, x->K, n, columns);
    for (int k = 0; k < n; k++) step[k] = x->r[6 * k];
    assert_int_equal(rt_lu_factor(n, K, pivots, NULL), ROUTH_OK);
    assert_int_equal(rt_lu_solve(n, K, pivots, 1, step, 0, NULL), ROUTH_OK);
    for (int k = 0; k < n; k++) x->q[6 * k] -= step[k];
    evaluate(x);
    for (int k = 0; k < x->flexible->n; k++) assert_true(fabs(x->r[k]) < 1e-9);
    free(columns), free(pivots), free(step), free(K);
}

/* Frequencies of bending towards y (1) or z (2). Bending in the plane of rotation meets the stretch
 * through Coriolis forces, which a beam that does not stretch has not. */
static void frequencies(int n_elements, const double w[3], int towards, double omega[N_VALUES])
{
    rt_arena arena = {0};
    const rt_beam beam = unit_beam(n_elements);
    rotating x = rotating_of(make_beam(&beam, &arena), w);
    const int n = 2 * n_elements, turn = towards == 1 ? 5 : 4;
    int *columns = calloc((size_t)n, sizeof *columns);
    double *mu = zeros((size_t)n);
    assert_non_null(columns);
    for (int k = 0; k < n; k++) columns[k] = 6 * (k / 2) + (k % 2 ? turn : towards);
    settle(&x);
    double *K = part_of(&x, x.K, n, columns), *M = part_of(&x, x.M, n, columns);
    assert_int_equal(rt_symmetric_generalized_eigen(n, M, K, mu, NULL), ROUTH_OK);
    for (int k = 0; k < N_VALUES; k++) omega[k] = 1 / sqrt(mu[n - 1 - k]);
    free(columns), free(mu), free(K), free(M);
    free_rotating(&x);
    rt_arena_free(&arena);
}

/* Legendre's polynomial P_i(y), y = 2 x - 1, times x^2, with two derivatives by x:
 *     (i+1) P_{i+1} = (2i+1) y P_i - i P_{i-1} */
static void ritz_functions(double x, double f[N_RITZ][3])
{
    const double y = 2 * x - 1;
    double P[N_RITZ + 1][3] = {{1, 0, 0}, {y, 2, 0}};
    for (int i = 1; i + 1 < N_RITZ; i++) {
        const double a = (2. * i + 1) / (i + 1), b = (double)i / (i + 1);
        P[i + 1][0] = a * y * P[i][0] - b * P[i - 1][0];
        P[i + 1][1] = a * (y * P[i][1] + 2 * P[i][0]) - b * P[i - 1][1];
        P[i + 1][2] = a * (y * P[i][2] + 4 * P[i][1]) - b * P[i - 1][2];
    }
    for (int i = 0; i < N_RITZ; i++) {
        f[i][0] = x * x * P[i][0];
        f[i][1] = 2 * x * P[i][0] + x * x * P[i][1];
        f[i][2] = 2 * P[i][0] + 4 * x * P[i][1] + x * x * P[i][2];
    }
}

/* int f'' f'' + T f' f' and int f f over eight panels of five points */
static void ritz(double speed, double omega[N_VALUES])
{
    enum { N_PANELS = 8 };
    static const double place[5] = {-0.90617984593866399, -0.53846931010568309, 0,
                                    0.53846931010568309, 0.90617984593866399};
    static const double weight[5] = {0.23692688505618909, 0.47862867049936647, 0.56888888888888889,
                                     0.47862867049936647, 0.23692688505618909};
    double K[N_RITZ * N_RITZ] = {0}, M[N_RITZ * N_RITZ] = {0}, mu[N_RITZ], f[N_RITZ][3];
    for (int k = 0; k < 5 * N_PANELS; k++) {
        const double x = (k / 5 + (1 + place[k % 5]) / 2) / N_PANELS, by = weight[k % 5] / N_PANELS;
        const double tension = speed * speed * (1 - x * x) / 2;
        ritz_functions(x, f);
        for (int i = 0; i < N_RITZ; i++)
            for (int j = 0; j < N_RITZ; j++) {
                K[N_RITZ * i + j] += by / 2 * (f[i][2] * f[j][2] + tension * f[i][1] * f[j][1]);
                M[N_RITZ * i + j] += by / 2 * f[i][0] * f[j][0];
            }
    }
    assert_int_equal(rt_symmetric_generalized_eigen(N_RITZ, M, K, mu, NULL), ROUTH_OK);
    for (int k = 0; k < N_VALUES; k++) omega[k] = 1 / sqrt(mu[N_RITZ - 1 - k]);
}

/* w'''' - W^2 (1/2 (1 - x^2) w')' = omega^2 w by its series w = sum a_k x^k,
 *     (k+4)(k+3)(k+2)(k+1) a_k+4 = W^2/2 ((k+2)(k+1) a_k+2 - k (k+1) a_k) + omega^2 a_k,
 * begun with x^2 and with x^3: the determinant of their w'' and w''' at the tip. */
static long double left_at_tip(double speed, long double omega)
{
    enum { N_TERMS = 120 };
    const long double tension = (long double)speed * speed / 2;
    long double end[2][2] = {{0}};
    for (int s = 0; s < 2; s++) {
        long double a[N_TERMS + 4] = {0};
        a[2 + s] = 1;
        for (int k = 0; k < N_TERMS; k++) {
            const long double f = k + 1;
            a[k + 4] = (tension * (f * (f + 1) * a[k + 2] - k * f * a[k]) + omega * omega * a[k]) /
                       (f * (f + 1) * (f + 2) * (f + 3));
            end[s][0] += k * (f - 2) * a[k];
            end[s][1] += k * (f - 2) * (f - 3) * a[k];
        }
    }
    return end[0][0] * end[1][1] - end[0][1] * end[1][0];
}

static void the_ritz_solution_is_that_of_the_power_series(void **state)
{
    (void)state;
    static const double speeds[] = {0, 1, 2, 5, 10}, part = 1e-9;
    for (size_t k = 0; k < sizeof speeds / sizeof *speeds; k++) {
        double omega[N_VALUES];
        ritz(speeds[k], omega);
        for (int i = 0; i < N_VALUES; i++) {
            const long double below = left_at_tip(speeds[k], omega[i] * (1 - part)),
                              above = left_at_tip(speeds[k], omega[i] * (1 + part));
            if (!(below * above < 0))
                fail_msg("speed %g: the series has no frequency at %.12g", speeds[k], omega[i]);
        }
    }
}

/* Bending towards d = y or z, the rotation W about e across the beam: turning with the frame lowers
 * the square of the frequency by W^2 (1 - (e.d)^2), here 0 or W^2. */
static void assert_order(const double w[3], int towards)
{
    const double speed = rt_v3_norm(w), lowered = speed * speed - w[towards] * w[towards];
    double right[N_VALUES], coarse[N_VALUES], fine[N_VALUES];
    ritz(speed, right);
    for (int i = 0; i < N_VALUES; i++) right[i] = sqrt(right[i] * right[i] - lowered);
    frequencies(16, w, towards, coarse);
    frequencies(32, w, towards, fine);
    for (int i = 0; i < N_VALUES; i++) {
        const double order = log2((coarse[i] - right[i]) / (fine[i] - right[i]));
        const double error = fabs(fine[i] / right[i] - 1);
        if (!(fabs(order - 4) < 0.05) || !(error < 1e-5))
            fail_msg("speed %g towards %d: frequency %d is of order %g, its error %g", speed,
                     towards, i + 1, order, error);
    }
}

static void frequencies_are_of_fourth_order(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        const double speed = k ? 5. * k : 1, about_z[3] = {0, 0, speed}, about_y[3] = {0, speed, 0};
        assert_order(about_z, 1);
        assert_order(about_z, 2);
        assert_order(about_y, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ritz_solution_is_that_of_the_power_series),
        cmocka_unit_test(frequencies_are_of_fourth_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
