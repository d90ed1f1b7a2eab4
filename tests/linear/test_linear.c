/* What the linear model says of the nominal motion, where it can be worked out by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/mechanisms.h"

/* From a table that turns with W about z, at the table's axes: a ball at (1, 0, 0) that flies with
 * v along y and spins with p about x has
 *     S'  = v - W x r,                        w - W
 *     S'' = -2 W x S' - W x (W x r),          -W x w */
static void the_nominal_motion_is_what_a_turning_observer_sees(void **state)
{
    (void)state;
    static const char text[] =
        "bodies:\n"
        "  table: {mass: 1, inertia: [1, 1, 1]}\n"
        "  ball: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0], velocity: [0, 5, 0],\n"
        "         angular_velocity: [7, 0, 0]}\n"
        "joints:\n"
        "  bearing: {type: revolute, between: [table, ground], at: [0, 0, 0], axis: z}\n"
        "  drive: {type: motion, joint: bearing, along: rz, function: 3*time}\n"
        "linearize: {reference: table}\n";
    static const char *const names[] = {"ball.x",  "ball.y",  "ball.z",
                                        "ball.rx", "ball.ry", "ball.rz"};
    static const double v = 5, p = 7, W = 3;
    const double rate[6] = {0, v - W, 0, p, 0, -W},
                 acceleration[6] = {2 * W * (v - W) + W * W, 0, 0, 0, -W * p, 0};
    test_mechanism t;
    mechanism_make(&t, text);
    const char *coordinates;
    for (int set = 0; (coordinates = routh_coordinate_name(set)); set++) {
        routh_mechanism *m = NULL;
        routh_operating_point *point = NULL;
        routh_linear *linear = NULL;
        routh_error error;
        if (routh_mechanism_compile(&m, t.model, coordinates, &error) ||
            routh_operating_point_find(&point, m, NULL, &error) ||
            routh_linear_compute(&linear, m, point, NULL, &error))
            fail_msg("%s: %s", coordinates, error.message);
        assert_int_equal(linear->n_position, 6);
        int n_found = 0;
        for (int k = 0; k < 6; k++)
            for (int c = 0; c < 6; c++) {
                if (strcmp(linear->states[k].name, names[c]) != 0) continue;
                assert_true(fabs(linear->affine[k] - rate[c]) <= 1e-12 * 30);
                assert_true(fabs(linear->affine[6 + k] - acceleration[c]) <= 1e-12 * 30);
                n_found++;
            }
        assert_int_equal(n_found, 6);
        routh_linear_free(linear);
        routh_operating_point_free(point);
        routh_mechanism_free(m);
    }
    mechanism_release(&t);
}

/* The record of where a linear model comes from has all that the operating point says of bodies. */
static void the_record_has_the_pose_and_the_velocity_of_every_body(void **state)
{
    (void)state;
    test_mechanism t;
    mechanism_make(&t,
                   "bodies:\n"
                   "  a: {mass: 1, inertia: [1, 2, 3], position: [1, 2, 3], velocity: [4, 5, 6],\n"
                   "      angular_velocity: [7, 8, 9], orientation: {axis: [1, 2, 2], angle: 0.7}}\n"
                   "  b: {mass: 1, inertia: [1, 2, 3], position: [-1, 2, 5], velocity: [-4, 2, 1],\n"
                   "      angular_velocity: [3, -8, 2], orientation: {axis: [3, 1, 2], angle: 2}}\n");
    routh_operating_point *point = mechanism_point(&t);
    routh_linear *linear = mechanism_linear(&t, point, NULL);
    assert_int_equal(linear->point.n_bodies, 2);
    for (int b = 0; b < 2; b++) {
        const routh_body_state *from = &point->bodies[b];
        const routh_body_pose *to = &linear->point.bodies[b];
        assert_string_equal(to->name, b ? "b" : "a");
        assert_memory_equal(to->position, from->position, sizeof to->position);
        assert_memory_equal(to->orientation, from->orientation, sizeof to->orientation);
        assert_memory_equal(to->velocity, from->velocity, sizeof to->velocity);
        assert_memory_equal(to->angular_velocity, from->angular_velocity,
                            sizeof to->angular_velocity);
        assert_true(fabs(to->velocity[0] - (b ? -4 : 4)) <= 1e-14);
        assert_true(fabs(to->angular_velocity[1] - (b ? -8 : 8)) <= 1e-14);
    }
    routh_linear_free(linear);
    routh_operating_point_free(point);
    mechanism_release(&t);
}

/* Dense, row-major. */
static double *dense_of(const routh_sparse *s)
{
    double *out = calloc((size_t)s->n_rows * (size_t)s->n_columns, sizeof *out);
    assert_non_null(out);
    for (int c = 0; c < s->n_columns; c++)
        for (int e = s->start[c]; e < s->start[c + 1]; e++)
            out[(size_t)s->row[e] * (size_t)s->n_columns + (size_t)c] += s->value[e];
    return out;
}

/* E = diag(I, M, 0), A = [0 I 0; -K -D -(G'+L); -G 0 0], entry by entry: two links in a plane, none
 * of whose rows is redundant. */
static void the_descriptor_has_the_matrices_that_its_header_names(void **state)
{
    (void)state;
    test_mechanism t;
    routh_descriptor *d = NULL;
    routh_error error;
    mechanism_make(&t, "gravity: [0.3, -9.81, 0]\n"
                       "bodies:\n"
                       "  a: {mass: 1, inertia: [1, 2, 3], position: [0, -1, 0]}\n"
                       "  b: {mass: 2, inertia: [3, 2, 3], position: [0.5, -2, 0]}\n"
                       "joints:\n"
                       "  top: {type: spherical, between: [a, ground], at: [0, 0, 0]}\n"
                       "  low: {type: revolute, between: [b, a], at: [0, -2, 0], axis: [0, 1, 1]}\n"
                       "loads:\n"
                       "  hold: {type: spring, between: [b, post], stiffness: 30, damping: 5}\n"
                       "markers: {post: {body: ground, position: [1, -2.5, 0.7]}}\n"
                       "operating_point: {type: static}\n");
    routh_operating_point *point = mechanism_point(&t);
    if (routh_descriptor_compute(&d, t.m, point, NULL, &error)) fail_msg("%s", error.message);
    if (rt_evaluate(t.m, t.w, (const rt_state *)point->state,
                    RT_EVALUATE_TANGENT | RT_EVALUATE_JACOBIAN | RT_EVALUATE_MASS, &error))
        fail_msg("%s", error.message);
    const int n = t.m->n_u, m = t.m->n_rows, order = 2 * n + m;
    assert_int_equal(d->n_coordinates, n);
    assert_int_equal(d->n_constraints, m);
    double *A = dense_of(&d->A), *E = dense_of(&d->E);
    double *M = calloc((size_t)(n * n), sizeof *M), *K = calloc((size_t)(n * n), sizeof *K);
    double *D = calloc((size_t)(n * n), sizeof *D), *G = calloc((size_t)(m * n), sizeof *G);
    assert_true(M && K && D && G);
    to_dense(&t.m->pattern_M, t.w->M, M), to_dense(&t.m->pattern_K, t.w->K, K);
    to_dense(&t.m->pattern_K, t.w->D, D), to_dense(&t.m->pattern_G, t.w->G, G);
    assert_true(largest_of(G, m * n) >= 1 && largest_of(D, n * n) >= 1);
    for (int i = 0; i < order; i++)
        for (int j = 0; j < order; j++) {
            double a = 0, e = i == j && i < n;
            if (i < n) a = j == n + i;
            if (i >= n && i < 2 * n) {
                const int r = i - n;
                a = j < n ? -K[r * n + j] : j < 2 * n ? -D[r * n + j - n] : -G[(j - 2 * n) * n + r];
                if (j >= n && j < 2 * n) e = M[r * n + j - n];
            }
            if (i >= 2 * n && j < n) a = -G[(i - 2 * n) * n + j];
            assert_true(fabs(A[i * order + j] - a) <= 1e-12 * fmax(1, fabs(a)));
            assert_true(fabs(E[i * order + j] - e) <= 1e-12 * fmax(1, fabs(e)));
        }
    free(A), free(E), free(M), free(K), free(D), free(G);
    routh_descriptor_free(d);
    routh_operating_point_free(point);
    mechanism_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_record_has_the_pose_and_the_velocity_of_every_body),
        cmocka_unit_test(the_descriptor_has_the_matrices_that_its_header_names),
        cmocka_unit_test(the_nominal_motion_is_what_a_turning_observer_sees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
