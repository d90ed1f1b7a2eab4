/* The rows of every joint, written out with plain vectors of its two markers; the freedoms each
 * joint leaves; and joints that hold exactly where geometry says so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/effort.h"
#include "support/random_mechanism.h"

static const double two_pi = 6.283185307179586476925;

enum { MOST_ROWS = 16 };

/* d: from j to i, world; n[k]: axis k of j in the world, m[k]: of i. */
typedef struct pair {
    double d[3], m[3][3], n[3][3];
} pair;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double angle(const pair *p, int k)
{
    const int a = (k + 1) % 3, b = (k + 2) % 3;
    return atan2(dot(p->m[a], p->n[b]), dot(p->m[a], p->n[a]));
}

static double slide(const pair *p, int k) { return dot(p->d, p->n[k]); }

static pair pair_of(const test_mechanism *t, const char *i, const char *j)
{
    const rt_frame *f = &t->w->markers[rt_model_find_marker(t->model, i)];
    const rt_frame *g = &t->w->markers[rt_model_find_marker(t->model, j)];
    pair p;
    for (int a = 0; a < 3; a++) {
        p.d[a] = f->r[a] - g->r[a];
        for (int k = 0; k < 3; k++) {
            p.m[k][a] = f->A[3 * a + k];
            p.n[k][a] = g->A[3 * a + k];
        }
    }
    return p;
}

/* ---- the rows -------------------------------------------------------------------------------- */

static int points(const pair *p, double *x)
{
    memcpy(x, p->d, 3 * sizeof *x);
    return 3;
}

static int parallel(const pair *p, double *x)
{
    x[0] = dot(p->m[2], p->n[0]);
    x[1] = dot(p->m[2], p->n[1]);
    return 2;
}

static int no_turn(const pair *p, double *x)
{
    x[0] = dot(p->m[0], p->n[1]);
    return 1;
}

static int on_line(const pair *p, double *x)
{
    x[0] = slide(p, 0);
    x[1] = slide(p, 1);
    return 2;
}

static int fixed(const pair *p, double *x)
{
    int n = points(p, x);
    n += parallel(p, x + n);
    return n + no_turn(p, x + n);
}

static int revolute(const pair *p, double *x)
{
    const int n = points(p, x);
    return n + parallel(p, x + n);
}

static int translational(const pair *p, double *x)
{
    int n = parallel(p, x);
    n += no_turn(p, x + n);
    return n + on_line(p, x + n);
}

static int cylindrical(const pair *p, double *x)
{
    const int n = parallel(p, x);
    return n + on_line(p, x + n);
}

static int universal(const pair *p, double *x)
{
    const int n = points(p, x);
    return n + no_turn(p, x + n);
}

static int constant_velocity(const pair *p, double *x)
{
    points(p, x);
    x[3] = dot(p->m[0], p->n[1]) - dot(p->m[1], p->n[0]);
    return 4;
}

static int inplane(const pair *p, double *x)
{
    x[0] = slide(p, 2);
    return 1;
}

static int planar(const pair *p, double *x)
{
    const int n = parallel(p, x);
    return n + inplane(p, x + n);
}

static int perpendicular(const pair *p, double *x)
{
    x[0] = dot(p->m[2], p->n[2]);
    return 1;
}

static int orientation(const pair *p, double *x)
{
    const int n = parallel(p, x);
    return n + no_turn(p, x + n);
}

static int rod(const pair *p, double *x)
{
    x[0] = (dot(p->d, p->d) - 0.8 * 0.8) / (2 * 0.8);
    return 1;
}

/* at the time 0.4 */
static int motion_y(const pair *p, double *x)
{
    x[0] = slide(p, 1) - sin(0.8);
    return 1;
}

static int motion_rx(const pair *p, double *x)
{
    x[0] = angle(p, 0) - sin(0.8);
    return 1;
}

static int motion_rz(const pair *p, double *x)
{
    x[0] = angle(p, 2) - sin(0.8);
    return 1;
}

typedef struct row_case {
    const char *name, *text;
    int freedom; /* of two bodies with this joint alone; -1: depends */
    int (*rows)(const pair *p, double *x);
} row_case;

#define BETWEEN(type, more) "joints: {x: {type: " type ", between: [i, j]" more "}}\n"

static const row_case cases[] = {
    {"fixed", BETWEEN("fixed", ""), 6, fixed},
    {"revolute", BETWEEN("revolute", ""), 7, revolute},
    {"translational", BETWEEN("translational", ""), 7, translational},
    {"cylindrical", BETWEEN("cylindrical", ""), 8, cylindrical},
    {"universal", BETWEEN("universal", ""), 8, universal},
    {"constant_velocity", BETWEEN("constant_velocity", ""), 8, constant_velocity},
    {"spherical", BETWEEN("spherical", ""), 9, points},
    {"planar", BETWEEN("planar", ""), 9, planar},
    {"inline", BETWEEN("inline", ""), 10, on_line},
    {"inplane", BETWEEN("inplane", ""), 11, inplane},
    {"parallel_axes", BETWEEN("parallel_axes", ""), 10, parallel},
    {"perpendicular_axes", BETWEEN("perpendicular_axes", ""), 11, perpendicular},
    {"orientation", BETWEEN("orientation", ""), 9, orientation},
    {"rod", BETWEEN("rod", ", length: 0.8"), 11, rod},
    {"motion y", BETWEEN("motion", ", along: y, function: sin(2*time)"), 11, motion_y},
    {"motion rx", BETWEEN("motion", ", along: rx, function: sin(2*time)"), 11, motion_rx},
    {"motion rz", BETWEEN("motion", ", along: rz, function: sin(2*time)"), 11, motion_rz},
};
enum { N_CASES = sizeof cases / sizeof cases[0] };

static const char head[] =
    "operating_point: {time: 0.4}\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: [1, 1, 1], position: [0.1, 0.2, 0.3]}\n"
    "  b: {mass: 1, inertia: [1, 1, 1], position: [0.5, -0.3, 0.6], orientation: {rpy: [0.1, -0.2, "
    "0.15]}}\n"
    "markers:\n"
    "  i: {body: a, position: [0.3, -0.2, 0.4], orientation: {rpy: [0.15, 0.1, -0.1]}}\n"
    "  j: {body: b, position: [-0.2, 0.3, 0.25], orientation: {rpy: [-0.1, 0.2, 0.1]}}\n"
    "  g: {body: ground, position: [0.1, 0.2, -0.1], orientation: {rpy: [0.3, 0.2, 0.1]}}\n";

static void scramble(const test_mechanism *t, random_stream *random)
{
    double xi[12];
    random_reals(random, 12, xi);
    for (int k = 0; k < 12; k++) xi[k] *= 3;
    memcpy(t->state->q, t->m->start_q, (size_t)t->m->n_q * sizeof *xi);
    t->m->set->advance(t->m->n_bodies, t->state->q, xi);
}

/* Of angles that count turns those nearest to zero. */
static void check_rows(const test_mechanism *t, const row_case *c)
{
    double expected[MOST_ROWS];
    routh_error error;
    for (int k = 0; k < t->m->model->n_angles; k++) t->state->near[k] = 0;
    assert_int_equal(rt_evaluate(t->m, t->w, t->state, RT_EVALUATE_PHI, &error), ROUTH_OK);
    const pair p = pair_of(t, "i", "j");
    assert_int_equal(c->rows(&p, expected), t->m->n_rows);
    for (int r = 0; r < t->m->n_rows; r++)
        if (!(fabs(t->w->phi[0][r] - expected[r]) < 1e-13 * fmax(1, fabs(expected[r]))))
            fail_msg("%s, row %d is %.15g and should be %.15g", c->name, r, t->w->phi[0][r],
                     expected[r]);
}

static void rows_written_out(void **state)
{
    random_stream random = {101};
    (void)state;
    for (int k = 0; k < N_CASES; k++) {
        growing_text text = {0};
        test_mechanism t;
        text_add(&text, "%s%s", head, cases[k].text);
        mechanism_make(&t, text.bytes);
        for (int i = 0; i < with_effort(N_RANDOM_STATES); i++) {
            scramble(&t, &random);
            check_rows(&t, &cases[k]);
        }
        mechanism_release(&t);
        free(text.bytes);
    }
}

/* sum of ratio (s - s as written), offset 0 there; a given offset is taken as it is. */
static void coupled_coordinates_written_out(void **state)
{
    random_stream random = {102};
    (void)state;
    growing_text text = {0};
    test_mechanism t;
    routh_error error;
    text_add(&text,
             "%sjoints:\n"
             "  s: {type: screw, between: [i, j], pitch: 0.3}\n"
             "  h: {type: revolute, between: [i, b]}\n"
             "  l: {type: translational, between: [i, g]}\n"
             "  g: {type: gear, joints: [s, h], ratios: [20, -31]}\n"
             "  r: {type: rack_and_pinion, joints: [l, h], radius: 0.4}\n"
             "  c: {type: coupler, joints: [s, h, l], coordinates: [ry, x, z], ratios: [1, 2, -3], "
             "offset: 0.7}\n"
             "  o: {type: rack_and_pinion, joints: [l, h], radius: 0.4, offset: -0.2}\n",
             head);
    mechanism_make(&t, text.bytes);
    assert_int_equal(t.m->n_rows, 5 + 5 + 5 + 1 + 1 + 1 + 1);
    rt_evaluate_frames(t.m, t.w, t.state);
    const pair s0 = pair_of(&t, "i", "j"), h0 = pair_of(&t, "i", "b"), l0 = pair_of(&t, "i", "g");
    for (int k = 0; k < with_effort(N_RANDOM_STATES); k++) {
        scramble(&t, &random);
        assert_int_equal(rt_evaluate(t.m, t.w, t.state, RT_EVALUATE_PHI, &error), ROUTH_OK);
        const pair s = pair_of(&t, "i", "j"), h = pair_of(&t, "i", "b"), l = pair_of(&t, "i", "g");
        const double turn_s = remainder(angle(&s, 2) - angle(&s0, 2), two_pi);
        const double turn_h = remainder(angle(&h, 2) - angle(&h0, 2), two_pi);
        const double angle_s = angle(&s0, 1) + remainder(angle(&s, 1) - angle(&s0, 1), two_pi);
        const double *phi = t.w->phi[0];
        assert_true(fabs(phi[4] - (slide(&s, 2) - slide(&s0, 2) - 0.3 / two_pi * turn_s)) < 1e-12);
        assert_true(fabs(phi[15] - (20 * turn_s - 31 * turn_h)) < 1e-12);
        assert_true(fabs(phi[16] - (slide(&l, 2) - slide(&l0, 2) - 0.4 * turn_h)) < 1e-12);
        assert_true(fabs(phi[17] - (angle_s + 2 * slide(&h, 0) - 3 * slide(&l, 2) - 0.7)) <
                    1e-12);
        assert_true(fabs(phi[18] - (slide(&l, 2) - 0.4 * (angle(&h0, 2) + turn_h) + 0.2)) < 1e-12);
    }
    mechanism_release(&t);
    free(text.bytes);
}

static void every_joint_leaves_its_freedoms(void **state)
{
    (void)state;
    for (int k = 0; k < N_CASES; k++) {
        growing_text text = {0};
        test_mechanism t;
        text_add(&text, "%s%s", head, cases[k].text);
        mechanism_make(&t, text.bytes);
        routh_operating_point *point = mechanism_point(&t);
        if (point->degrees_of_freedom != cases[k].freedom || point->n_redundant != 0)
            fail_msg("%s leaves %d", cases[k].name, point->degrees_of_freedom);
        routh_operating_point_free(point);
        mechanism_release(&t);
        free(text.bytes);
    }
}

/* The generator places markers by geometry: slid, turned, bent as the joint allows. */
static void joints_hold_where_geometry_says_so(void **state)
{
    random_stream random = {103};
    (void)state;
    for (int k = 0; k < with_effort(100); k++) {
        random_mechanism mechanism;
        growing_text text = {0};
        test_mechanism t;
        routh_error error;
        random_mechanism_make(&mechanism, &random, RANDOM_MOVING);
        random_mechanism_write(&mechanism, &no_disguise, &text);
        mechanism_make(&t, text.bytes);
        assert_int_equal(rt_evaluate(t.m, t.w, t.state, RT_EVALUATE_PHI, &error), ROUTH_OK);
        assert_true(largest_of(t.w->phi[0], t.m->n_rows) < 1e-13);
        mechanism_release(&t);
        free(text.bytes);
    }
}

/* A constant-velocity joint turns both shafts alike at any bend: turn the first about its own z
 * by psi, the second about its own by psi, the bend staying where it is. */
static void constant_velocity_joints_turn_alike(void **state)
{
    random_stream random = {104};
    (void)state;
    growing_text text = {0};
    test_mechanism t;
    routh_error error;
    text_add(&text,
             "bodies:\n  a: {mass: 1, inertia: [1, 1, 1]}\n  b: {mass: 1, inertia: [1, 1, 1]}\n"
             "joints: {x: {type: constant_velocity, between: [a, b]}}\n");
    mechanism_make(&t, text.bytes);
    for (int k = 0; k < with_effort(N_RANDOM_STATES); k++) {
        double bend[9], turn[9], base[9], first[9], both[9];
        const double direction = 3 * random_real(&random), psi = 3 * random_real(&random);
        const double by = 1.2 * random_real(&random);
        const double axis[3] = {by * cos(direction), by * sin(direction), 0}, spin[3] = {0, 0, psi};
        random_rotation(&random, 2, base);
        rt_rotation_exp(bend, axis);
        rt_rotation_exp(turn, spin);
        rt_m3_mul(first, base, bend);
        rt_m3_mul(both, first, turn);
        rt_rotation_to_quaternion(t.state->q + 3, both);
        rt_m3_mul(both, base, turn);
        rt_rotation_to_quaternion(t.state->q + 10, both);
        assert_int_equal(rt_evaluate(t.m, t.w, t.state, RT_EVALUATE_PHI, &error), ROUTH_OK);
        assert_true(fabs(t.w->phi[0][3]) < 1e-14);
    }
    mechanism_release(&t);
    free(text.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_written_out),
        cmocka_unit_test(coupled_coordinates_written_out),
        cmocka_unit_test(every_joint_leaves_its_freedoms),
        cmocka_unit_test(joints_hold_where_geometry_says_so),
        cmocka_unit_test(constant_velocity_joints_turn_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
