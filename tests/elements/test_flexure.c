/* Elements of spatial beams whose nodes rotate finitely: their energy against quaternions, forces
 * and partials against differences of high order, and what twist alone must not change. */
#include "flexible/dense_beam.h"

#include "base/lapack.h"
#include "base/rotation.h"
#include "elements/flexible_inertia.h"
#include "elements/flexure.h"
#include "support/random_frames.h"

enum { N_ELEMENTS = 3, N = 6 * N_ELEMENTS };

/* All stiffnesses of like size, so that no strain hides behind another. */
static rt_beam soft_beam(bool weak_y)
{
    rt_beam beam = oblique_beam(N_ELEMENTS);
    beam.stiffening = true;
    beam.density = 2, beam.area = 0.7, beam.young = 3, beam.shear = 1.3, beam.torsion = 0.4;
    beam.inertia_y = weak_y ? 0.3 : 0.8, beam.inertia_z = weak_y ? 0.8 : 0.3;
    return beam;
}

static const double no_gravity[3];

static double energy_of(const rt_flexible *f, const double *q)
{
    static const double none[N];
    const rt_elastic_state state = {q, none, none};
    return rt_flexible_energies(f, &rt_ground_frame, &state, no_gravity).elastic;
}

/* ---- by quaternions -------------------------------------------------------------------------- */

static void multiply_quaternions(double c[4], const double a[4], const double b[4])
{
    double v[3];
    rt_v3_cross(v, a + 1, b + 1);
    c[0] = a[0] * b[0] - rt_v3_dot(a + 1, b + 1);
    for (int i = 0; i < 3; i++) c[1 + i] = a[0] * b[1 + i] + b[0] * a[1 + i] + v[i];
}

static void quaternion_of(double q[4], const double psi[3])
{
    const double angle = rt_v3_norm(psi), by = angle > 0 ? sin(angle / 2) / angle : 0.5;
    q[0] = cos(angle / 2);
    rt_v3_scale(q + 1, by, psi);
}

/* theta of the one after the inverse of the other, and v in the axes half-way: of their mean. */
static void between(const double a[4], const double b[4], double v[3], double theta[3])
{
    const double back[4] = {a[0], -a[1], -a[2], -a[3]};
    double q[4], mean[4], norm = 0, x[4], y[4];
    multiply_quaternions(q, back, b);
    const double size = rt_v3_norm(q + 1);
    rt_v3_scale(theta, size > 0 ? 2 * atan2(size, q[0]) / size : 2, q + 1);
    for (int i = 0; i < 4; i++) mean[i] = a[i] + b[i], norm += mean[i] * mean[i];
    for (int i = 0; i < 4; i++) mean[i] *= (i ? -1 : 1) / sqrt(norm);
    const double turned[4] = {0, v[0], v[1], v[2]},
                 conjugate[4] = {mean[0], -mean[1], -mean[2], -mean[3]};
    multiply_quaternions(x, mean, turned);
    multiply_quaternions(y, x, conjugate);
    rt_v3_copy(v, y + 1);
}

/* The energy of one element, from the definitions in flexure.h. */
static double element_energy(const rt_beam *beam, double l, const double left[6],
                             const double right[6])
{
    const double EIy = beam->young * beam->inertia_y, EIz = beam->young * beam->inertia_z,
                 GJ = beam->shear * beam->torsion, C = EIz - EIy;
    const double sy = (right[1] - left[1]) / l, sz = (right[2] - left[2]) / l;
    const double line = sqrt(1 - sy * sy - sz * sz);
    double a[4], b[4], g[3] = {line, sy, sz}, t[3];
    quaternion_of(a, left + 3), quaternion_of(b, right + 3);
    between(a, b, g, t);
    const double e = (right[0] - left[0]) / l + 1 - line + (g[1] * g[1] + g[2] * g[2]) / 10 +
                     (t[1] * t[1] + t[2] * t[2]) / 24;
    const double weak = C > 0 ? t[1] : t[2];
    const double across = g[1] - t[0] * t[1] / 8, over = g[2] - t[0] * t[2] / 8,
                 square = t[0] * t[0] / 24, turned = 1 - square * (1 - C / EIy),
                 turned_z = 1 - square * (1 + C / EIz);
    const double twist = t[0] * (1 - (t[1] * t[1] + t[2] * t[2]) / 24) + t[1] * g[1] + t[2] * g[2];
    return (beam->young * beam->area * l * e * e + GJ / l * twist * twist +
            EIy / l * (pow(t[1] * turned + C / EIy * t[0] * across, 2) + 12 * over * over) +
            EIz / l * (pow(t[2] * turned_z - C / EIz * t[0] * over, 2) + 12 * across * across) -
            pow(C * t[1] * t[2], 2) / (12 * GJ * l * (1 + fabs(C) / (10 * GJ) * weak * weak))) /
           2;
}

static void end_of(const double *q, int node, double end[6])
{
    memset(end, 0, 6 * sizeof *end);
    if (node) memcpy(end, q + 6 * (node - 1), 6 * sizeof *end);
}

static void the_energy_is_that_of_its_definition(void **state)
{
    (void)state;
    random_stream stream = {71};
    for (int weak = 0; weak < 2; weak++) {
        rt_arena arena = {0};
        const rt_beam beam = soft_beam(weak);
        const rt_flexible *f = make_beam(&beam, &arena);
        const double l = sqrt(0.64 + 2.25 + 0.81) / N_ELEMENTS;
        assert_int_equal(f->n_flexures, N_ELEMENTS);
        assert_int_equal(f->n_bars, 0);
        for (int trial = 0; trial < 20; trial++) {
            double q[N], sum = 0;
            random_reals(&stream, N, q);
            for (int k = 0; k < N; k++) q[k] *= 0.3 * l;
            for (int e = 0; e < N_ELEMENTS; e++) {
                double left[6], right[6];
                end_of(q, e, left), end_of(q, e + 1, right);
                const double one = element_energy(&beam, l, left, right);
                assert_relative(rt_flexure_at(f, e, q).energy, one, 1e-12);
                sum += one;
            }
            assert_relative(energy_of(f, q), sum, 1e-12);
        }
        rt_arena_free(&arena);
    }
}

/* ---- forces and partials --------------------------------------------------------------------- */

typedef struct flexure_result {
    double r[N], K[36 * 3 * N_ELEMENTS + 36], D[36 * 3 * N_ELEMENTS + 36];
} flexure_result;

static void evaluate_at(const rt_flexible *f, const double *q, const double *u, flexure_result *x)
{
    static const double none[N];
    const rt_elastic_state state = {q, u, none};
    rt_flexible_result out = {.elastic = x->r, .inner = {x->K, x->D, NULL}};
    rt_flexible_evaluate(f, NULL, &rt_ground_frame, &state, no_gravity, true, &out);
}

/* Differences of order eight. */
static const double steps[4] = {1, 2, 3, 4}, weights[4] = {4 / 5., -1 / 5., 4 / 105., -1 / 280.};
static const double STEP = 5e-3;

static void the_force_is_the_gradient_of_the_energy(void **state)
{
    (void)state;
    static const double none[N];
    random_stream stream = {72};
    for (int weak = 0; weak < 2; weak++) {
        rt_arena arena = {0};
        const rt_beam beam = soft_beam(weak);
        const rt_flexible *f = make_beam(&beam, &arena);
        flexure_result x;
        double q[N];
        random_reals(&stream, N, q);
        for (int k = 0; k < N; k++) q[k] *= 0.2;
        evaluate_at(f, q, none, &x);
        for (int k = 0; k < N; k++) {
            double slope = 0;
            for (int s = 0; s < 4; s++)
                for (int side = -1; side < 2; side += 2) {
                    double at[N];
                    memcpy(at, q, sizeof at);
                    at[k] += side * steps[s] * STEP;
                    slope += side * weights[s] * energy_of(f, at) / STEP;
                }
            assert_true(fabs(slope - x.r[k]) < 1e-11 * (1 + fabs(slope)));
        }
        rt_arena_free(&arena);
    }
}

/* With damping, moving: d r / d q and d r / d q'. */
static void partials_are_the_differences_of_forces(void **state)
{
    (void)state;
    random_stream stream = {73};
    for (int weak = 0; weak < 2; weak++) {
        rt_arena arena = {0};
        rt_beam beam = soft_beam(weak);
        beam.damping_stiffness = 0.3, beam.damping_mass = 0.2;
        const rt_flexible *f = make_beam(&beam, &arena);
        flexure_result x, y;
        double q[2][N];
        random_reals(&stream, 2 * N, q[0]);
        for (int k = 0; k < N; k++) q[0][k] *= 0.2;
        evaluate_at(f, q[0], q[1], &x);
        double *K[2] = {dense(f, x.K), dense(f, x.D)};
        for (int of = 0; of < 2; of++)
            for (int k = 0; k < N; k++) {
                double slope[N] = {0};
                for (int s = 0; s < 4; s++)
                    for (int side = -1; side < 2; side += 2) {
                        double at[2][N];
                        memcpy(at, q, sizeof at);
                        at[of][k] += side * steps[s] * STEP;
                        evaluate_at(f, at[0], at[1], &y);
                        for (int i = 0; i < N; i++) slope[i] += side * weights[s] * y.r[i] / STEP;
                    }
                for (int i = 0; i < N; i++)
                    assert_true(fabs(slope[i] - K[of][N * k + i]) < 1e-10 * (1 + fabs(slope[i])));
            }
        free(K[0]), free(K[1]);
        rt_arena_free(&arena);
    }
}

/* Undeformed it is the beam without stiffening, and the stiffness of the strains is the matrix. */
static void undeformed_it_is_the_linear_beam(void **state)
{
    (void)state;
    static const double none[N];
    rt_arena arena = {0};
    rt_beam beam = oblique_beam(N_ELEMENTS);
    beam.damping_stiffness = 1e-3, beam.damping_mass = 0.3;
    const rt_flexible *linear = make_beam(&beam, &arena);
    beam.stiffening = true;
    const rt_flexible *f = make_beam(&beam, &arena);
    flexure_result x, y;
    evaluate_at(f, none, none, &x);
    evaluate_at(linear, none, none, &y);
    for (int e = 0; e < f->pattern.start[N]; e++) {
        assert_true(fabs(x.K[e] - y.K[e]) <= 1e-14 * fabs(y.K[e]) + 1e-9);
        assert_true(fabs(x.D[e] - y.D[e]) <= 1e-14 * fabs(y.D[e]) + 1e-12);
    }
    double K[144], *whole = dense(linear, linear->K), *sum = zeros((size_t)N * N);
    for (int k = 0; k < N_ELEMENTS; k++) {
        const rt_flexure *at = &f->flexures[k];
        rt_flexure_stiffness(f, k, none, K);
        for (int i = 0; i < at->n; i++)
            for (int j = 0; j < at->n; j++)
                sum[N * at->column[j] + at->column[i]] += K[at->n * i + j];
    }
    for (int k = 0; k < N * N; k++)
        assert_true(fabs(sum[k] - whole[k]) <= 1e-14 * fabs(whole[k]) + 1e-9);
    free(whole), free(sum);
    rt_arena_free(&arena);
}

/* ---- twist ----------------------------------------------------------------------------------- */

/* A round shaft without torsional stiffness to speak of, twisted by up to 3 rad: the tip still
 * bends by L^3/(3 E I) in the direction of the force, with an error of fourth order of the twist
 * of an element. */
static void twist_does_not_change_bending(void **state)
{
    (void)state;
    static const double angles[] = {0, 0.4, 1.7, 3};
    enum { COUNT = 8, M = 6 * COUNT, ENTRIES = 36 * (3 * COUNT + 1) };
    for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
        rt_arena arena = {0};
        rt_beam beam = some_beam(COUNT);
        beam.stiffening = true, beam.inertia_y = beam.inertia_z;
        beam.torsion = 1e-9 * beam.inertia_z;
        const rt_flexible *f = make_beam(&beam, &arena);
        double q[M] = {0}, none[M] = {0}, r[M], K[ENTRIES], x[2 * M] = {0};
        int pivots[M];
        for (int n = 0; n < COUNT; n++) q[6 * n + 3] = angles[k] * (n + 1) / COUNT;
        const rt_elastic_state at = {q, none, none};
        rt_flexible_result out = {.elastic = r, .inner = {K, NULL, NULL}};
        rt_flexible_evaluate(f, NULL, &rt_ground_frame, &at, no_gravity, true, &out);
        double *whole = dense(f, K);
        x[M - 5] = 1, x[M + M - 4] = 1;
        assert_int_equal(rt_lu_factor(M, whole, pivots, NULL), ROUTH_OK);
        assert_int_equal(rt_lu_solve(M, whole, pivots, 2, x, 0, NULL), ROUTH_OK);
        const double bent = 8 / (3 * beam.young * beam.inertia_z);
        const double within = 1e-9 + pow(angles[k] / COUNT, 4) / 500;
        assert_relative(x[M - 5], bent, within);
        assert_relative(x[M + M - 4], bent, within);
        assert_true(fabs(x[M - 4]) < 1e-8 * bent && fabs(x[M + M - 5]) < 1e-8 * bent);
        free(whole);
        rt_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_energy_is_that_of_its_definition),
        cmocka_unit_test(the_force_is_the_gradient_of_the_energy),
        cmocka_unit_test(partials_are_the_differences_of_forces),
        cmocka_unit_test(undeformed_it_is_the_linear_beam),
        cmocka_unit_test(twist_does_not_change_bending),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
