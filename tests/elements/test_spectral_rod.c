/* Tests of elements/spectral_rod at orders 1 to 8, strongly bent and moving: the gradient of its
 * energy, partials, momentum, objectivity, neither end preferred, passivity, and the pure bending
 * that it has in closed form. */
#include "elements/check_load.h"

#include "base/lobatto.h"
#include "model/load_class.h"
#include "model/rod_shape.h"

enum { MOST = RT_LOAD_NODES, WIDE = 6 * MOST, NUMBERS = 9 * MOST + RT_SPECTRAL_POINT * (MOST - 1) };

typedef struct element {
    int order;
    double numbers[NUMBERS];
    rt_frame f[MOST];
    joint_motion m[MOST];
} element;

typedef struct answer {
    double wrench[MOST][6];
    double partial[2][WIDE * WIDE];
} answer;

static const int in_order[MOST] = {0, 1, 2, 3, 4, 5, 6, 7, 8};

static bool evaluate(const element *e, const rt_frame *f, bool partials, answer *out)
{
    const rt_load load = {.n_nodes = e->order + 1};
    rt_load_at at = {.load = &load, .numbers = e->numbers};
    for (int k = 0; k <= e->order; k++) at.node[k] = &f[k];
    memset(out, 0, sizeof *out);
    const rt_nodes_result to = {out->wrench, {out->partial[0], out->partial[1]}, WIDE, in_order};
    return rt_load_class_spectral_rod.evaluate_nodes(&at, partials, &to);
}

static double energy(const element *e, const rt_frame *f)
{
    const rt_load load = {.n_nodes = e->order + 1};
    rt_load_at at = {.load = &load, .numbers = e->numbers};
    for (int k = 0; k <= e->order; k++) at.node[k] = &f[k];
    return rt_load_class_spectral_rod.energy(&at);
}

/* M = B B' */
static void draw_positive(random_stream *stream, double M[36])
{
    double B[36];
    random_reals(stream, 36, B);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            M[6 * i + j] = 0;
            for (int k = 0; k < 6; k++) M[6 * i + j] += B[6 * i + k] * B[6 * j + k];
        }
}

/* Curved in the reference configuration, the axes of its nodes anywhere; then strongly bent and
 * twisted. */
static void draw(random_stream *stream, int order, int motion, bool damped, element *e)
{
    double base[9], E[9], C[36], D[36] = {0};
    *e = (element){.order = order};
    random_rotation(stream, 3, base);
    for (int g = 0; g < order; g++) {
        double x0[3];
        random_reals(stream, 3, x0);
        random_rotation(stream, 2, E);
        draw_positive(stream, C);
        if (damped) draw_positive(stream, D);
        rt_spectral_fill_point(order, g, x0, E, C, D, e->numbers);
    }
    for (int j = 0; j <= order; j++) {
        double A[9], turned[9];
        random_rotation(stream, 2, A);
        rt_spectral_fill_node(A, base, j, e->numbers);
        e->m[j] = random_joint_motion(stream, motion);
        for (int k = 3; k < 6; k++) e->m[j].q[k] = e->m[0].q[k] + 0.3 * e->m[j].q[k];
        e->f[j] = joint_frame(&e->m[j]);
        rt_m3_mul(turned, e->f[j].A, A);
        memcpy(e->f[j].A, turned, sizeof turned);
    }
}

/* ---- the gradient of the energy -------------------------------------------------------------- */

typedef struct family {
    const element *e;
    double xi[MOST][18];
} family;

static void perturb(const family *s, double eps, rt_frame f[MOST])
{
    for (int k = 0; k <= s->e->order; k++) f[k] = perturbed_frame(&s->e->f[k], eps, s->xi[k]);
}

static void energy_along(void *context, double eps, double *value)
{
    rt_frame f[MOST];
    perturb(context, eps, f);
    *value = energy(((const family *)context)->e, f);
}

static void wrench_along(void *context, double eps, double *value)
{
    rt_frame f[MOST];
    answer out;
    const element *e = ((const family *)context)->e;
    perturb(context, eps, f);
    assert_true(evaluate(e, f, false, &out));
    memcpy(value, out.wrench, (size_t)(e->order + 1) * sizeof *out.wrench);
}

static void the_wrench_is_minus_the_gradient_of_the_energy(void **state)
{
    (void)state;
    random_stream stream = {31};
    for (int k = 0; k < 4 * RT_LOBATTO_ORDER; k++) {
        element e;
        answer out;
        draw(&stream, 1 + k % RT_LOBATTO_ORDER, MOTION_REST, false, &e);
        assert_true(evaluate(&e, e.f, false, &out));
        const double scale = largest_entry(6 * (e.order + 1), out.wrench[0], 1);
        for (int c = 0; c < 6 * (e.order + 1); c++) {
            family s = {.e = &e};
            double slope, expected = -out.wrench[c / 6][c % 6];
            s.xi[c / 6][c % 6] = 1;
            differentiate(energy_along, &s, 0.02, 1, &slope);
            assert_close("slope of the energy", 1, &expected, &slope, 1e-9, scale);
        }
    }
}

/* ---- partials -------------------------------------------------------------------------------- */

static void partials_match_differences(void **state)
{
    (void)state;
    random_stream stream = {32};
    for (int k = 0; k < 2 * RT_LOBATTO_ORDER; k++) {
        element e;
        static answer out;
        draw(&stream, 1 + k % RT_LOBATTO_ORDER, MOTION_VELOCITY, true, &e);
        assert_true(evaluate(&e, e.f, true, &out));
        const int n = 6 * (e.order + 1);
        for (int level = 0; level < 2; level++) {
            const double scale = largest_entry(WIDE * WIDE, out.partial[level], 1);
            for (int c = 0; c < n; c++) {
                family s = {.e = &e};
                double difference[WIDE], predicted[WIDE];
                s.xi[c / 6][6 * level + c % 6] = 1;
                differentiate(wrench_along, &s, 0.02, n, difference);
                for (int i = 0; i < n; i++) predicted[i] = out.partial[level][WIDE * i + c];
                assert_close("partial", n, predicted, difference, 1e-9, scale);
            }
        }
    }
}

/* ---- invariance ------------------------------------------------------------------------------ */

static void momentum_is_left_alone(void **state)
{
    (void)state;
    random_stream stream = {33};
    for (int k = 0; k < 4 * RT_LOBATTO_ORDER; k++) {
        element e;
        answer out;
        double sum[6] = {0};
        draw(&stream, 1 + k % RT_LOBATTO_ORDER, MOTION_VELOCITY, true, &e);
        assert_true(evaluate(&e, e.f, false, &out));
        for (int j = 0; j <= e.order; j++) {
            rt_v3_add(sum, sum, out.wrench[j]);
            rt_v3_add(sum + 3, sum + 3, out.wrench[j] + 3);
            rt_v3_cross_add(sum + 3, e.f[j].r, out.wrench[j]);
        }
        const double none[6] = {0};
        assert_close("sum", 6, sum, none, 1e-13,
                     largest_entry(6 * (e.order + 1), out.wrench[0], 1));
    }
}

static void a_motion_of_the_world_does_not_matter(void **state)
{
    (void)state;
    random_stream stream = {34};
    for (int k = 0; k < 4 * RT_LOBATTO_ORDER; k++) {
        element e;
        rt_frame moved[MOST];
        answer before, after;
        double Q[9], c[3], V[3], W[3], turned[6];
        draw(&stream, 1 + k % RT_LOBATTO_ORDER, MOTION_VELOCITY, true, &e);
        random_rotation(&stream, 3.1 * random_real(&stream), Q);
        random_reals(&stream, 3, c);
        random_reals(&stream, 3, V);
        random_reals(&stream, 3, W);
        for (int j = 0; j <= e.order; j++) {
            moved[j] = moved_frame(&e.f[j], Q, c);
            moved[j] = carried_frame(&moved[j], V, W);
        }
        assert_true(evaluate(&e, e.f, false, &before) && evaluate(&e, moved, false, &after));
        const double scale = largest_entry(6 * (e.order + 1), before.wrench[0], 1);
        for (int j = 0; j <= e.order; j++) {
            rt_m3_mul_v(turned, Q, before.wrench[j]);
            rt_m3_mul_v(turned + 3, Q, before.wrench[j] + 3);
            assert_close("turned", 6, after.wrench[j], turned, 1e-12, scale);
        }
    }
}

/* Numbered from the other end, x_0 reversed with the coordinate. */
static void neither_end_is_preferred(void **state)
{
    (void)state;
    random_stream stream = {35};
    for (int k = 0; k < 4 * RT_LOBATTO_ORDER; k++) {
        element e, r;
        answer before, after;
        draw(&stream, 1 + k % RT_LOBATTO_ORDER, MOTION_VELOCITY, true, &e);
        const int n = e.order, points = 9 * (n + 1);
        r = e;
        for (int j = 0; j <= n; j++) {
            r.f[j] = e.f[n - j];
            memcpy(r.numbers + 9 * j, e.numbers + 9 * (n - j), 9 * sizeof(double));
        }
        for (int g = 0; g < n; g++) {
            double *to = r.numbers + points + RT_SPECTRAL_POINT * g;
            memcpy(to, e.numbers + points + RT_SPECTRAL_POINT * (n - 1 - g),
                   RT_SPECTRAL_POINT * sizeof *to);
            rt_v3_scale(to, -1, to);
        }
        assert_true(evaluate(&e, e.f, false, &before) && evaluate(&r, r.f, false, &after));
        for (int j = 0; j <= n; j++)
            assert_close("reversed", 6, after.wrench[n - j], before.wrench[j], 1e-12,
                         largest_entry(6 * (n + 1), before.wrench[0], 1));
    }
}

static void damping_takes_power(void **state)
{
    (void)state;
    random_stream stream = {36};
    for (int k = 0; k < 4 * RT_LOBATTO_ORDER; k++) {
        element e;
        answer out;
        double power = 0;
        draw(&stream, 1 + k % RT_LOBATTO_ORDER, MOTION_VELOCITY, true, &e);
        for (int g = 0; g < e.order; g++) /* no stiffness */
            memset(e.numbers + 9 * (e.order + 1) + RT_SPECTRAL_POINT * g + 3, 0,
                   36 * sizeof(double));
        assert_true(evaluate(&e, e.f, false, &out));
        for (int j = 0; j <= e.order; j++)
            power += rt_v3_dot(out.wrench[j], e.f[j].v) + rt_v3_dot(out.wrench[j] + 3, e.f[j].w);
        assert_true(power < 0);
    }
}

/* ---- straight, bent to part of a circle ------------------------------------------------------ */

/* A straight element of length 1 about z; its nodes rotated by k s and placed so that it does not
 * shear: what it stores is EI k^2/2, to the power 2 p of the angle. */
static double stored(int order, double curvature)
{
    element e = {.order = order};
    double C[36] = {0}, E[9], x0[3] = {0.5, 0, 0}, r[3] = {0};
    const double none[36] = {0}, *at = rt_lobatto_points(order);
    rt_m3_identity(E);
    for (int k = 0; k < 6; k++) C[7 * k] = k < 3 ? 1e4 : 1;
    for (int g = 0; g < order; g++) rt_spectral_fill_point(order, g, x0, E, C, none, e.numbers);
    for (int j = 0; j <= order; j++) {
        const double s = (at[j] + 1) / 2, turn[3] = {0, 0, curvature * s};
        rt_spectral_fill_node(E, E, j, e.numbers);
        e.f[j] = rt_ground_frame;
        rt_rotation_exp(e.f[j].A, turn);
        rt_v3_set(r, sin(curvature * s) / curvature, (1 - cos(curvature * s)) / curvature, 0);
        rt_v3_copy(e.f[j].r, r);
    }
    return energy(&e, e.f);
}

static void bending_converges_with_the_power_2p_of_the_angle(void **state)
{
    (void)state;
    for (int p = 2; p <= 5; p++) {
        const double angle = p < 4 ? 0.4 : 1.2;
        const double coarse = stored(p, angle) / (angle * angle / 2) - 1;
        const double fine = stored(p, angle / 2) / (angle * angle / 8) - 1;
        assert_true(fabs(coarse) < 2e-3 && log2(fabs(coarse / fine)) > 2 * p - 0.3);
    }
}

static void half_a_revolution_is_refused(void **state)
{
    (void)state;
    element e;
    answer out;
    random_stream stream = {37};
    draw(&stream, 3, MOTION_REST, false, &e);
    const double Q[9] = {-1, 0, 0, 0, -1, 0, 0, 0, 1};
    for (int j = 0; j < 4; j++) {
        double A[9], B[9];
        rt_m3_mul(B, e.f[0].A, e.numbers); /* all as the first */
        rt_m3_mul_t(A, B, e.numbers + 9 * j);
        memcpy(e.f[j].A, A, sizeof A);
    }
    assert_true(evaluate(&e, e.f, false, &out));
    double A[9];
    rt_m3_mul(A, Q, e.f[2].A);
    memcpy(e.f[2].A, A, sizeof A);
    assert_false(evaluate(&e, e.f, false, &out));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_wrench_is_minus_the_gradient_of_the_energy),
        cmocka_unit_test(partials_match_differences),
        cmocka_unit_test(momentum_is_left_alone),
        cmocka_unit_test(a_motion_of_the_world_does_not_matter),
        cmocka_unit_test(neither_end_is_preferred),
        cmocka_unit_test(damping_takes_power),
        cmocka_unit_test(bending_converges_with_the_power_2p_of_the_angle),
        cmocka_unit_test(half_a_revolution_is_refused),
    };
    return cmocka_run_group_tests_name("elements.spectral_rod", tests, NULL, NULL);
}
