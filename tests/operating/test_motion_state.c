/* Velocities, accelerations and multipliers of random mechanisms, against what defines them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <lapacke.h>

#include "operating/operating.h"
#include "support/effort.h"
#include "support/random_mechanism.h"

enum { N_MECHANISMS = 60, MOST_U = 6 * MOST_BODIES, MOST_ROWS = 64 };

/* How far b is from the range of A (rows x columns, row-major). */
static double distance_from_range(const double *A, int rows, int columns, const double *b)
{
    static double copy[MOST_ROWS * MOST_ROWS];
    double x[MOST_ROWS + MOST_U] = {0}, worst = 0;
    lapack_int pivot[MOST_ROWS] = {0}, rank;
    memcpy(copy, A, (size_t)rows * (size_t)columns * sizeof *copy);
    memcpy(x, b, (size_t)rows * sizeof *x);
    assert_int_equal(
        LAPACKE_dgelsy(LAPACK_ROW_MAJOR, rows, columns, 1, copy, columns, x, 1, pivot, 1e-9, &rank),
        0);
    for (int i = 0; i < rows; i++) {
        double sum = -b[i];
        for (int j = 0; j < columns; j++) sum += A[i * columns + j] * x[j];
        worst = fmax(worst, fabs(sum));
    }
    return worst;
}

static void transpose(const double *A, int rows, int columns, double *At)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) At[j * rows + i] = A[i * columns + j];
}

/* W lambda, W the measure of joint forces. */
static void weigh(const test_mechanism *t, rt_state *state, double *out)
{
    const rt_search search = {.m = t->m, .w = t->w, .state = state};
    const size_t n = rt_force_metric_size(t->m) + 1;
    int *row = calloc(2 * n, sizeof *row);
    double *entry = calloc(n, sizeof *entry);
    rt_gradient *rows = calloc((size_t)rt_most_rows(t->m), sizeof *rows);
    assert_true(row && entry && rows);
    rt_force_metric(&search, rows, row, row + n, entry);
    memset(out, 0, (size_t)t->m->n_rows * sizeof *out);
    for (size_t e = 0; e + 1 < n; e++) out[row[e]] += entry[e] * state->lambda[row[n + e]];
    free(rows);
    free(entry);
    free(row);
}

/* n_redundant counts mechanisms with redundant rows. */
static void check(const random_mechanism *mechanism, int *n_redundant)
{
    static double G[MOST_ROWS * MOST_U], Gt[MOST_ROWS * MOST_U];
    growing_text text = {0};
    test_mechanism t;
    routh_error error;
    random_mechanism_write(mechanism, &no_disguise, &text);
    mechanism_make(&t, text.bytes);
    const int n = t.m->n_u, rows = t.m->n_rows;
    assert_true(rows <= MOST_ROWS);
    routh_operating_point *point = mechanism_point(&t);
    if (point->smallest_pivot > 1e-3) {
        const rt_state *s = point->state;
        assert_int_equal(rt_evaluate(t.m, t.w, s, RT_EVALUATE_ALL, &error), ROUTH_OK);
        const double u = fmax(1, largest_of(s->u, n)), a = fmax(u * u, largest_of(s->udot, n));
        assert_true(largest_of(t.w->phi[0], rows) < 1e-12);
        assert_true(largest_of(t.w->phi[1], rows) < 1e-12 * u);
        assert_true(largest_of(t.w->phi[2], rows) < 1e-11 * a);
        assert_true(largest_of(t.w->residual, n) < 1e-11 * fmax(largest_of(t.w->scale, n), 1));
        to_dense(&t.m->pattern_G, t.w->G, G);
        transpose(G, rows, n, Gt);
        /* smallest lambda' W lambda: no part of W lambda is along what G' takes to nothing, so it
         * is in the range of G */
        double weighed[MOST_ROWS];
        weigh(&t, point->state, weighed);
        if (rows > 0)
            assert_true(distance_from_range(G, rows, n, weighed) <
                        1e-9 * fmax(1, largest_of(weighed, rows)));
        /* smallest change of kinetic energy: M (u - u_written) is in the range of G' */
        double change[MOST_U], momentum[MOST_U] = {0};
        for (int c = 0; c < n; c++) change[c] = s->u[c] - t.m->start_u[c];
        rt_sparse_multiply_add(&t.m->pattern_M, t.w->M, 1, change, momentum);
        if (rows > 0) assert_true(distance_from_range(Gt, n, rows, momentum) < 1e-9);
        *n_redundant += point->n_redundant > 0;
    }
    routh_operating_point_free(point);
    mechanism_release(&t);
    free(text.bytes);
}

static void moving_mechanisms(void **state)
{
    random_stream random = {61};
    int n_redundant = 0;
    (void)state;
    for (int k = 0; k < with_effort(N_MECHANISMS); k++) {
        random_mechanism mechanism;
        random_mechanism_make(&mechanism, &random, RANDOM_MOVING);
        /* loads that depend on u' would make M more than the kinetic energy */
        for (int l = 0; l < mechanism.n_loads; l++)
            if (mechanism.load[l].kind == LOAD_TORQUE) mechanism.load[l].kind = LOAD_TORSION;
        check(&mechanism, &n_redundant);
    }
    /* there are such among so many */
    if (with_effort(N_MECHANISMS) >= N_MECHANISMS) assert_true(n_redundant > 3);
}

static void velocities_written_consistently_stay(void **state)
{
    (void)state;
    test_mechanism t;
    mechanism_make(&t,
                   "bodies:\n  rod: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0], "
                   "velocity: [0, 1.5, 0], "
                   "angular_velocity: [0, 0, 3]}\n"
                   "joints: {hinge: {type: revolute, between: [rod, ground], at: [0, 0, 0]}}\n");
    routh_operating_point *point = mechanism_point(&t);
    assert_true(fabs(point->bodies[0].velocity[1] - 1.5) < 1e-15);
    assert_true(fabs(point->bodies[0].angular_velocity[2] - 3) < 1e-15);
    /* the hinge pulls towards itself: m w^2 r */
    assert_true(fabs(point->reactions[0].force[0] + 2 * 9 * 0.5) < 1e-12);
    routh_operating_point_free(point);
    mechanism_release(&t);
}

static void velocities_follow_a_motion(void **state)
{
    (void)state;
    test_mechanism t;
    mechanism_make(&t,
                   "bodies:\n  rod: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0]}\n"
                   "joints:\n  hinge: {type: revolute, between: [rod, ground], at: [0, 0, 0]}\n"
                   "  drive: {type: motion, joint: hinge, function: 2*sin(3*time)}\n"
                   "operating_point: {time: 0.2}\n");
    routh_operating_point *point = mechanism_point(&t);
    const double angle = 2 * sin(0.6), rate = 6 * cos(0.6), acceleration = -18 * sin(0.6);
    assert_true(fabs(point->bodies[0].position[0] - 0.5 * cos(angle)) < 1e-12);
    assert_true(fabs(point->bodies[0].angular_velocity[2] - rate) < 1e-12);
    assert_true(fabs(point->state->udot[5] - acceleration) < 1e-11);
    /* the drive's torque about the hinge: (I + m r^2) al */
    assert_true(fabs(point->reactions[1].torque[2] - (0.1 + 2 * 0.25) * acceleration) < 1e-11);
    routh_operating_point_free(point);
    mechanism_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moving_mechanisms),
        cmocka_unit_test(velocities_written_consistently_stay),
        cmocka_unit_test(velocities_follow_a_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
