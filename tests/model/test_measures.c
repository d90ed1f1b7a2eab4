/* Tests of model/measures: every measure against its definition, at random poses and motions. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec3.h"
#include "model/measure_class.h"
#include "model_text.h"
#include "poses.h"

/* By place in the list of measures: is there a test of its value? */
static bool compared[100];

static void note(const char *expression)
{
    char name[20] = "";
    snprintf(name, sizeof name, "%.*s", (int)strcspn(expression, "("), expression);
    for (int k = 0; rt_measure_at(k); k++)
        if (rt_measure_at(k) == rt_measure_find(name)) compared[k] = true;
}

/* The value of a measure written in the component of a force. */
static double measure(const char *expression, const frame *frames)
{
    char text[500];
    double slots[32];
    note(expression);
    snprintf(text, sizeof text,
             "bodies: {p: {mass: 1, inertia: [1, 1, 1]}, q: {mass: 1, inertia: [1, 1, 1]}, "
             "s: {mass: 1, inertia: [1, 1, 1]}}\n"
             "loads: {f: {type: force, on: p, components: [\"%s\", 0, 0]}}\n",
             expression);
    routh_model *m = read_model(text);
    assert_in_range(m->n_quantities, 1, 32);
    for (int k = 0; k < m->n_quantities; k++) {
        slots[k] = 0; /* no turns */
        if (m->quantities[k].kind == RT_QUANTITY_NEAR) continue;
        assert_int_equal(m->quantities[k].kind, RT_QUANTITY_DOT);
        slots[k] = dot_value(frames, &m->quantities[k]);
    }
    const double value = evaluate(m, m->loads[0].function[0].expr, slots);
    routh_model_free(m);
    return value;
}

/* x - y, along the axes of a frame */
static void resolve(const double x[3], const double y[3], const frame *k, double out[3])
{
    double d[3];
    rt_v3_sub(d, x, y);
    rt_m3_tmul_v(out, k->A, d);
}

static void check_vector(const frame *f, const char *prefix, const double at_p[3],
                         const double at_q[3])
{
    static const char letters[] = "XYZ";
    static const double zero[3] = {0, 0, 0};
    double in_s[3], in_ground[3], alone[3];
    char call[40];
    resolve(at_p, at_q, &f[3], in_s);
    resolve(at_p, at_q, &f[0], in_ground);
    resolve(at_p, zero, &f[0], alone);
    for (int k = 0; k < 3; k++) {
        snprintf(call, sizeof call, "%s%c(p, q, s)", prefix, letters[k]);
        assert_near(measure(call, f), in_s[k], 1e-14);
        snprintf(call, sizeof call, "%s%c(p, q)", prefix, letters[k]);
        assert_near(measure(call, f), in_ground[k], 1e-14);
        snprintf(call, sizeof call, "%s%c(p)", prefix, letters[k]);
        assert_near(measure(call, f), alone[k], 1e-14);
    }
    snprintf(call, sizeof call, "%sM(p, q)", prefix);
    assert_near(measure(call, f), rt_v3_norm(in_s), 1e-14);
}

static void vectors_are_resolved_where_they_are_asked(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int round = 0; round < 5; round++) {
        frame f[4];
        random_frames(f, 4, &seed);
        check_vector(f, "D", f[1].r, f[2].r);
        check_vector(f, "V", f[1].v, f[2].v);
        check_vector(f, "W", f[1].w, f[2].w);
        check_vector(f, "ACC", f[1].a, f[2].a);
        check_vector(f, "WDT", f[1].al, f[2].al);
    }
}

static void velocities_are_seen_from_the_frame_asked(void **state)
{
    (void)state;
    uint64_t seed = 2;
    frame f[4];
    double d[3], v[3], carried[3], in_q[3];
    random_frames(f, 4, &seed);
    rt_v3_sub(d, f[1].r, f[2].r);
    rt_v3_sub(v, f[1].v, f[2].v);
    rt_v3_cross(carried, f[3].w, d);
    resolve(v, carried, &f[2], in_q);
    assert_near(measure("VX(p, q, q, s)", f), in_q[0], 1e-14);
    assert_near(measure("vz(p, q, q, s)", f), in_q[2], 1e-14);
    assert_near(measure("VM(p, q, s)", f), rt_v3_norm(in_q), 1e-14);
    assert_near(measure("VR(p, q)", f), rt_v3_dot(v, d) / rt_v3_norm(d), 1e-14);
}

/* A frame turned from another about one axis shows that angle and no other axis' rate of it. */
static void angles_are_those_of_a_turn_about_one_axis(void **state)
{
    (void)state;
    static const char *const calls[] = {"AX(p, q)", "AY(p, q)", "AZ(p, q)"};
    uint64_t seed = 3;
    for (int axis = 0; axis < 3; axis++)
        for (double angle = -3; angle < 3.1; angle += 0.75) {
            frame f[4];
            double turn[9];
            const int m = (axis + 1) % 3, n = (axis + 2) % 3;
            random_frames(f, 4, &seed);
            rt_m3_identity(turn);
            turn[4 * m] = turn[4 * n] = cos(angle);
            turn[3 * n + m] = sin(angle);
            turn[3 * m + n] = -sin(angle);
            rt_m3_mul(f[1].A, f[2].A, turn);
            assert_near(measure(calls[axis], f), angle, 1e-14);
        }
}

/* Forces are in system/test_force_measures.c, RATE in model/test_controllers.c. */
static void every_measure_between_markers_is_compared(void **state)
{
    vectors_are_resolved_where_they_are_asked(state);
    velocities_are_seen_from_the_frame_asked(state);
    angles_are_those_of_a_turn_about_one_axis(state);
    assert_true(rt_measure_count() <= 100);
    for (int k = 0; rt_measure_at(k); k++)
        if (rt_measure_at(k)->arguments[0] == RT_ARGUMENT_I && !compared[k])
            fail_msg("the value of %s is not compared with its definition", rt_measure_at(k)->name);
}

static void equal_quantities_share_a_slot(void **state)
{
    (void)state;
    routh_model *m = read_model(
        "bodies: {p: {mass: 1, inertia: [1, 1, 1]}, q: {mass: 1, inertia: [1, 1, 1]}}\n"
        "loads:\n"
        "  f: {type: force, on: p, components: [\"DX(p, q)\", \"DX(p, q)^2 + DM(q)\", 0]}\n"
        "  g: {type: force, on: p, components: [\"dx(p, q, ground)\", \"DM(q)\", 0]}\n");
    assert_int_equal(m->n_quantities, 2);
    assert_int_equal(m->loads[0].function[0].expr, m->loads[1].function[0].expr);
    routh_model_free(m);
}

static void many_quantities_keep_their_slots(void **state)
{
    (void)state;
    enum { N = 300 };
    char *text = malloc(N * 120), *p = text;
    assert_non_null(text);
    p += sprintf(p, "bodies:\n");
    for (int k = 0; k < N; k++) p += sprintf(p, "  b%d: {mass: 1, inertia: [1, 1, 1]}\n", k);
    p += sprintf(p, "loads:\n");
    for (int k = 0; k < N; k++)
        p += sprintf(p, "  f%d: {type: force, on: b0, components: [\"DX(b%d)\", 0, 0]}\n", k, k);
    routh_model *m = read_model(text);
    assert_int_equal(m->n_quantities, N);
    for (int k = 0; k < N; k++) {
        int slot = -1;
        assert_int_equal(rt_inputs_of(m->graph, m->loads[k].function[0].expr, &slot, 1), 1);
        assert_int_equal(m->quantities[slot].b.i, k);
    }
    routh_model_free(m);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_are_resolved_where_they_are_asked),
        cmocka_unit_test(velocities_are_seen_from_the_frame_asked),
        cmocka_unit_test(angles_are_those_of_a_turn_about_one_axis),
        cmocka_unit_test(every_measure_between_markers_is_compared),
        cmocka_unit_test(equal_quantities_share_a_slot),
        cmocka_unit_test(many_quantities_keep_their_slots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
