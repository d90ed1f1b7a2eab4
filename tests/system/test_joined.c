/* Evaluation in every coordinate set: what is asked for is evaluated, whatever was before; each
 * force counts in the scale of the rows it acts on; bodies get the same wrenches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/mechanisms.h"
#include "system/joined.h"

/* A closed loop with a branch that has a ball, and a body that floats. */
static const char bodies[] =
    "bodies:\n"
    "  a: {mass: 1.3, inertia: [0.5, 0.7, 0.9, 0.05, -0.04, 0.08], position: [0, 0.5, 0.1]}\n"
    "  b: {mass: 0.8, inertia: [0.6, 0.4, 0.3, -0.03, 0.06, 0.02], position: [1, 1.1, 0]}\n"
    "  c: {mass: 2.1, inertia: [0.9, 1.1, 0.7, 0.1, 0.02, -0.05], position: [2, 0.5, 0]}\n"
    "  d: {mass: 0.7, inertia: [0.2, 0.3, 0.4], position: [1, 0.4, 0.3]}\n"
    "  f: {mass: 1.1, inertia: [0.3, 0.2, 0.4], position: [3, 2, 1]}\n"
    "markers:\n"
    "  i: {body: a, position: [0.3, -0.2, 0.4], orientation: {rpy: [0.15, 0.1, -0.1]}}\n"
    "  j: {body: d, position: [-0.2, 0.3, 0.25], orientation: {rpy: [-0.1, 0.2, 0.1]}}\n"
    "  k: {body: f, position: [0.35, 0.15, -0.3]}\n"
    "  g: {body: ground, position: [-0.6, -0.4, 0.5]}\n"
    "  h: {body: ground, position: [0.3, -0.4, 0.5]}\n"
    "  l: {body: ground, orientation: {rpy: [0.4, 0.5, 0.6]}}\n";

static const char joints[] =
    "joints:\n"
    "  ab: {type: revolute, between: [a, ground], at: [0, 0, 0], axis: z}\n"
    "  bc: {type: revolute, between: [b, a], at: [0, 1, 0], axis: z}\n"
    "  cd: {type: revolute, between: [c, b], at: [2, 1, 0], axis: z}\n"
    "  da: {type: revolute, between: [c, ground], at: [2, 0, 0], axis: z}\n"
    "  ball: {type: spherical, between: [d, b], at: [1, 1, 0.2]}\n";

/* First another joint, of velocities. */
static const char loads[] =
    "  n: {type: nonholonomic, expressions: [\"VX(d, c, c, f) - WZ(a)*DX(d, f)\", "
    "\"VY(f)*DX(a, d)\"]}\n"
    "loads:\n"
    "  s: {type: spring, between: [i, j], stiffness: 40, damping: 3, free_length: 0.2}\n"
    "  t: {type: spring, between: [g, k], stiffness: 20, preload: 2}\n"
    "  u: {type: force, on: k, components: [\"ACCX(k, i)\", \"WDTY(j, i)*DX(k, j)\", "
    "\"-VX(i, k)\"], resolved_in: j, reaction_on: i}\n"
    "  v: {type: torque, on: j, components: [\"FX(ball)\", \"DX(k, h)\", \"TZ(ab)\"], "
    "resolved_in: l}\n"
    "  w: {type: beam, between: [j, g], length: 0.9, youngs_modulus: 100, shear_modulus: 40, "
    "area: 0.3, iyy: 0.02, izz: 0.03, torsion_constant: 0.05, damping_ratio: 0.1}\n";

typedef struct scene {
    test_mechanism t;
    routh_mechanism *m;
    rt_workspace *w;
    rt_state *state;
} scene;

static void scene_make(scene *s, const char *gravity, const char *more, const char *more_still,
                       const char *coordinates)
{
    growing_text text = {0};
    routh_error error;
    text_add(&text, "gravity: %s\n%s%s%s", gravity, bodies, more, more_still);
    mechanism_make(&s->t, text.bytes);
    if (routh_mechanism_compile(&s->m, s->t.model, coordinates, &error) ||
        rt_workspace_create(&s->w, s->m, &error) || rt_state_create(&s->state, s->m, &error))
        fail_msg("%s: %s", coordinates, error.message);
    free(text.bytes);
}

static void scene_release(scene *s)
{
    rt_state_free(s->state);
    rt_workspace_free(s->w);
    routh_mechanism_free(s->m);
    mechanism_release(&s->t);
}

static void evaluate(const routh_mechanism *m, rt_workspace *w, const rt_state *state, int what)
{
    routh_error error;
    if (rt_evaluate(m, w, state, what, &error)) fail_msg("%s: %s", m->coordinates, error.message);
}

/* ---- what is asked for ----------------------------------------------------------------------- */

static void assert_same(const routh_mechanism *m, int what, const char *name, const double *found,
                        const double *expected, int n)
{
    double size = 0;
    for (int k = 0; k < n; k++) size = fmax(size, fabs(expected[k]));
    for (int k = 0; k < n; k++)
        if (!(fabs(found[k] - expected[k]) <= 1e-14 * size))
            fail_msg("%s of %s coordinates, asked for by %d: %.17g and not %.17g", name,
                     m->coordinates, what, found[k], expected[k]);
}

static void compare(const routh_mechanism *m, int what, const rt_workspace *x,
                    const rt_workspace *y)
{
    const int n_G = m->pattern_G.start[m->n_u], n_K = m->pattern_K.start[m->n_u],
              n_M = m->pattern_M.start[m->n_u], n_L = m->pattern_L.start[m->n_rows];
    for (int d = 0; d < 3 && what & RT_EVALUATE_PHI; d++)
        assert_same(m, what, "Phi", x->phi[d], y->phi[d], m->n_rows);
    if (what & RT_EVALUATE_JACOBIAN) assert_same(m, what, "G", x->G, y->G, n_G);
    if (what & RT_EVALUATE_RESIDUAL) {
        assert_same(m, what, "r", x->residual, y->residual, m->n_u);
        assert_same(m, what, "scale", x->scale, y->scale, m->n_u);
    }
    if (what & RT_EVALUATE_MASS) {
        assert_same(m, what, "M", x->M, y->M, n_M);
        assert_same(m, what, "L", x->L, y->L, n_L);
    }
    if (what & RT_EVALUATE_TANGENT) {
        assert_same(m, what, "K", x->K, y->K, n_K);
        assert_same(m, what, "D", x->D, y->D, n_K);
    }
    if (what & RT_EVALUATE_LEVELS) {
        assert_same(m, what, "V_x", x->Vx, y->Vx, n_G);
        assert_same(m, what, "A_u", x->Au, y->Au, n_G);
        assert_same(m, what, "A_x", x->Ax, y->Ax, n_G);
    }
}

static void random_rates(const routh_mechanism *m, random_stream *random, rt_state *state)
{
    random_reals(random, m->n_u, state->u);
    random_reals(random, m->n_u, state->udot);
    random_reals(random, m->n_rows, state->lambda);
}

static void what_is_asked_for_does_not_depend_on_what_was_before(void **state)
{
    (void)state;
    const char *coordinates;
    for (int set = 0; (coordinates = routh_coordinate_name(set)); set++) {
        scene s;
        rt_workspace *fresh;
        rt_state *other;
        routh_error error;
        random_stream random = {51};
        scene_make(&s, "[1, 2, 3]", joints, loads, coordinates);
        assert_int_equal(rt_workspace_create(&fresh, s.m, &error), ROUTH_OK);
        assert_int_equal(rt_state_create(&other, s.m, &error), ROUTH_OK);
        random_rates(s.m, &random, s.state);
        random_rates(s.m, &random, other);
        double *xi = calloc((size_t)s.m->n_u, sizeof *xi);
        assert_non_null(xi);
        random_reals(&random, s.m->n_u, xi);
        for (int c = 0; c < s.m->n_u; c++) xi[c] *= 0.1;
        rt_advance(s.m, other->q, xi);
        evaluate(s.m, fresh, s.state, RT_EVALUATE_ALL);
        assert_true(fresh->joined || s.m->pattern_L.start[s.m->n_rows] > 0);
        for (int what = 1; what <= RT_EVALUATE_ALL; what++) {
            evaluate(s.m, s.w, other, RT_EVALUATE_ALL);
            evaluate(s.m, s.w, s.state, what);
            compare(s.m, what, s.w, fresh);
        }
        free(xi);
        rt_state_free(other);
        rt_workspace_free(fresh);
        scene_release(&s);
    }
}

/* ---- scales ---------------------------------------------------------------------------------- */

enum { BY_NOTHING_ELSE, BY_ACCELERATION, BY_JOINTS, BY_OWN_ROWS };

/* No row is larger than a hundred times its largest single part: far fewer act on it. */
static void check_scale(const char *gravity, const char *more, const char *more_still, int by)
{
    const char *coordinates;
    int n_acting = 0;
    for (int set = 0; (coordinates = routh_coordinate_name(set)); set++) {
        scene s;
        random_stream random = {52};
        scene_make(&s, gravity, more, more_still, coordinates);
        const int n_joint = s.m->n_joint_rows;
        if (by == BY_ACCELERATION) random_reals(&random, s.m->n_u, s.state->udot);
        if (by == BY_JOINTS) random_reals(&random, n_joint, s.state->lambda);
        if (by == BY_OWN_ROWS)
            random_reals(&random, s.m->n_rows - n_joint, s.state->lambda + n_joint);
        evaluate(s.m, s.w, s.state, RT_EVALUATE_RESIDUAL);
        for (int c = 0; c < s.m->n_u; c++) {
            if (!(fabs(s.w->residual[c]) <= 100 * s.w->scale[c] + 1e-14))
                fail_msg("row %d of %s coordinates is %g, its scale %g", c, coordinates,
                         s.w->residual[c], s.w->scale[c]);
            n_acting += fabs(s.w->residual[c]) > 1e-3;
        }
        scene_release(&s);
    }
    assert_true(n_acting > 20);
}

static void every_force_counts_in_the_scale_of_its_rows(void **state)
{
    (void)state;
    static const char none[] = "[0, 0, 0]";
    check_scale("[1, 2, 3]", joints, "", BY_NOTHING_ELSE);
    check_scale(none, joints, "", BY_ACCELERATION);
    check_scale(none, joints, "", BY_JOINTS);
    check_scale(none, "joints: {x: {type: rod, between: [i, j], length: 1}}\n", "", BY_JOINTS);
    check_scale(none, joints, "", BY_OWN_ROWS);
    check_scale(none, joints,
                "loads: {s: {type: spring, between: [i, j], stiffness: 40, "
                "free_length: 0.2}}\n",
                BY_NOTHING_ELSE);
    check_scale(none, joints,
                "loads: {s: {type: torsion_spring, between: [j, i], stiffness: 40, "
                "preload: 2}}\n",
                BY_NOTHING_ELSE);
    check_scale(none, joints, "loads: {s: {type: force, on: j, components: [1, 2, 3]}}\n",
                BY_NOTHING_ELSE);
}

/* ---- wrenches -------------------------------------------------------------------------------- */

/* Multipliers of joints that keep all their rows, the same in both. How many joints. */
static int share_multipliers(const scene *s, random_stream *random)
{
    int n = 0;
    for (int c = 0; c < s->m->n_constraints; c++) {
        const rt_constraint *x = &s->m->constraints[c].constraint,
                            *y = &s->t.m->constraints[c].constraint;
        if (x->n_rows != y->n_rows) continue;
        double *lambda = s->state->lambda + x->first_row;
        random_reals(random, x->n_rows, lambda);
        memcpy(s->t.state->lambda + y->first_row, lambda, (size_t)x->n_rows * sizeof *lambda);
        n++;
    }
    return n;
}

/* At rest, where coordinates need not be translated: expressions use the reactions of `ball` and
 * `ab`, which no coordinates may take over, and markers of the ground that nothing else uses. */
static void wrenches_on_bodies_are_those_in_absolute_coordinates(void **state)
{
    (void)state;
    static const char *const sets[] = {"euler-parameters", "euler-angles", "relative"};
    for (int set = 0; set < 3; set++) {
        scene s;
        random_stream random = {53};
        scene_make(&s, "[1, 2, 3]", joints, loads, sets[set]);
        assert_true(share_multipliers(&s, &random) >= 2);
        evaluate(s.m, s.w, s.state, RT_EVALUATE_RESIDUAL);
        evaluate(s.t.m, s.t.w, s.t.state, RT_EVALUATE_RESIDUAL);
        const int n = 6 * s.m->n_bodies;
        const double size = largest_of(s.t.w->wrench, n);
        assert_true(size > 1);
        for (int k = 0; k < n; k++)
            if (!(fabs(s.w->wrench[k] - s.t.w->wrench[k]) <= 1e-13 * size))
                fail_msg("%s: component %d on body %d is %.15g and should be %.15g", sets[set],
                         k % 6, k / 6, s.w->wrench[k], s.t.w->wrench[k]);
        scene_release(&s);
    }
}

static void a_spring_without_length_is_refused_by_name(void **state)
{
    (void)state;
    static const char text[] =
        "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1], "
        "position: [1, 0, 0]}}\n"
        "loads: {s: {type: spring, between: [a, b], stiffness: 1, free_length: 1}}\n";
    const char *coordinates;
    for (int set = 0; (coordinates = routh_coordinate_name(set)); set++) {
        test_mechanism t;
        routh_mechanism *m;
        rt_workspace *w;
        rt_state *start;
        routh_error error;
        rt_frame frames[2];
        mechanism_make(&t, text);
        assert_int_equal(routh_mechanism_compile(&m, t.model, coordinates, &error), ROUTH_OK);
        assert_int_equal(rt_workspace_create(&w, m, &error), ROUTH_OK);
        assert_int_equal(rt_state_create(&start, m, &error), ROUTH_OK);
        rt_written_frames(t.model, NULL, frames);
        frames[1].r[0] = 0; /* where the other body is */
        rt_take_frames(m, w, frames, start);
        assert_int_equal(rt_evaluate(m, w, start, RT_EVALUATE_RESIDUAL, &error),
                         ROUTH_NUMERIC_ERROR);
        assert_string_equal(error.element, "load s");
        rt_state_free(start);
        rt_workspace_free(w);
        routh_mechanism_free(m);
        mechanism_release(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_asked_for_does_not_depend_on_what_was_before),
        cmocka_unit_test(every_force_counts_in_the_scale_of_its_rows),
        cmocka_unit_test(wrenches_on_bodies_are_those_in_absolute_coordinates),
        cmocka_unit_test(a_spring_without_length_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
