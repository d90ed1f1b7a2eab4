/* Mechanisms that are overconstrained everywhere: the linear model does not depend on which of the
 * redundant rows are dropped, nor on how the joint forces that the balance leaves open are shared,
 * and they are not taken for singular. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/lapack.h"
#include "operating/second_order.h"
#include "routh/answers.h"
#include "support/mechanisms.h"

enum { MOST_JOINTS = 8, MOST_STATES = 8, MOST_ROWS = 64 };
static const double tolerance = 1e-9; /* of the largest eigenvalue */

typedef struct sample {
    const char *head, *tail; /* what comes before and after the joints */
    int n_joints;
    const char *joints[MOST_JOINTS];
    int redundant;
} sample;

static const sample parallelogram = {
    .head = "gravity: [1, -9.81, 2]\n"
            "bodies:\n"
            "  a: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [0, -0.5, 0]}\n"
            "  b: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [1, -0.5, 0]}\n"
            "  c: {mass: 3, inertia: [0.1, 0.2, 0.3], position: [2, -0.5, 0]}\n"
            "  bar: {mass: 4, inertia: [0.1, 2, 2], position: [1.2, -1, 0.1]}\n",
    .tail = "operating_point: {type: static}\n",
    .n_joints = 6,
    .joints = {"a0: {type: revolute, between: [a, ground], at: [0, 0, 0]}",
               "b0: {type: revolute, between: [b, ground], at: [1, 0, 0]}",
               "c0: {type: revolute, between: [c, ground], at: [2, 0, 0]}",
               "a1: {type: revolute, between: [a, bar], at: [0, -1, 0]}",
               "b1: {type: revolute, between: [b, bar], at: [1, -1, 0]}",
               "c1: {type: revolute, between: [c, bar], at: [2, -1, 0]}"},
    .redundant = 7, /* 24 coordinates, 30 rows, one freedom */
};

/* Bennett's loop of four revolutes in space, symmetric about a line: corners P1 .. P4 with P3, P4
 * the images of P1, P2 under a half-turn about z, every axis across the two links that meet
 * there. */
static const sample bennett = {
    .head = "parameters: {x1: 1, y1: 0.2, z1: 0.3, x2: -0.1, y2: 0.8, z2: -0.2}\n"
            "gravity: [0.5, 0.3, -9.81]\n"
            "bodies:\n"
            "  a: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [(x1 + x2)/2, (y1 + y2)/2, (z1 + "
            "z2)/2]}\n"
            "  b: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [(x2 - x1)/2, (y2 - y1)/2, (z1 + "
            "z2)/2]}\n"
            "  c: {mass: 3, inertia: [0.1, 0.2, 0.3], position: [(-x1 - x2)/2, (-y1 - y2)/2, (z1 + "
            "z2)/2]}\n"
            "markers:\n"
            "  hook: {body: b, at: [0, 0, 0.2]}\n"
            "  wall: {body: ground, position: [2, 1, 1]}\n",
    .tail = "loads: {spring: {type: spring, between: [hook, wall], stiffness: 30, damping: 0.5, "
            "free_length: 1}}\n"
            "operating_point: {type: static}\n",
    .n_joints = 4,
    .joints = {"p1: {type: revolute, between: [a, ground], at: [x1, y1, z1], axis: [AXIS1]}",
               "p2: {type: revolute, between: [a, b], at: [x2, y2, z2], axis: [AXIS2]}",
               "p3: {type: revolute, between: [b, c], at: [-x1, -y1, z1], axis: [AXIS3]}",
               "p4: {type: revolute, between: [c, ground], at: [-x2, -y2, z2], axis: [AXIS4]}"},
    .redundant = 3, /* 18 coordinates, 20 rows, one freedom */
};

/* An orthogonal frame of slides: two carriages that guide one table twice. */
static const sample slides = {
    .head = "gravity: [0.5, 0.3, -9.81]\n"
            "bodies:\n"
            "  a: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [0, 1, 0]}\n"
            "  b: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [1, 0, 0]}\n"
            "  table: {mass: 3, inertia: [0.1, 0.2, 0.3], position: [0.3, 0.2, 0]}\n",
    .tail =
        "loads: {mount: {type: bushing, between: [table, ground], translation: {stiffness: [50, "
        "80, 0], damping: [1, 2, 0]}}}\n"
        "operating_point: {type: static}\n",
    .n_joints = 4,
    .joints = {"ax: {type: translational, between: [a, ground], at: [0, 1, 0], axis: x}",
               "by: {type: translational, between: [b, ground], at: [1, 0, 0], axis: y}",
               "ay: {type: translational, between: [table, a], at: [0, 0.5, 0], axis: y}",
               "bx: {type: translational, between: [table, b], at: [0.5, 0, 0], axis: x}"},
    .redundant = 4, /* 18 coordinates, 20 rows, two freedoms */
};

/* The axis at corner k of Bennett's loop, as an expression of numbers. */
static void write_axis(growing_text *t, int k)
{
    static const double p[2][3] = {{1, 0.2, 0.3}, {-0.1, 0.8, -0.2}};
    double c[3][3], u[3], v[3], axis[3];
    for (int i = 0; i < 3; i++) { /* corners k - 1, k, k + 1 of 0 .. 3 */
        const int at = (k + 2 + i) % 4;
        for (int j = 0; j < 3; j++) c[i][j] = (at >= 2 && j < 2 ? -1 : 1) * p[at % 2][j];
    }
    rt_v3_sub(u, c[2], c[1]);
    rt_v3_sub(v, c[0], c[1]);
    rt_v3_cross(axis, u, v);
    text_add(t, "%.17g, %.17g, %.17g", axis[0], axis[1], axis[2]);
}

static void write_joint(growing_text *t, const char *joint)
{
    const char *axis = strstr(joint, "AXIS");
    if (!axis) {
        text_add(t, "  %s\n", joint);
        return;
    }
    text_add(t, "  %.*s", (int)(axis - joint), joint);
    write_axis(t, axis[4] - '0');
    text_add(t, "%s\n", axis + 5);
}

static void write_sample(growing_text *t, const sample *s, const int *order)
{
    text_add(t, "%sjoints:\n", s->head);
    for (int k = 0; k < s->n_joints; k++) write_joint(t, s->joints[order[k]]);
    text_add(t, "%s", s->tail);
}

/* ---- one order of the joints ----------------------------------------------------------------- */

typedef struct answer {
    int n;
    double eigenvalues[MOST_STATES][2];
    unsigned long dropped; /* which rows, by joint and number */
} answer;

static unsigned long hash_rows(const routh_operating_point *p)
{
    unsigned long sum = 0;
    for (int k = 0; k < p->n_redundant; k++) {
        unsigned long h = 5381;
        for (const char *c = p->redundant[k].joint; *c; c++) h = 33 * h + (unsigned char)*c;
        for (const char *c = p->redundant[k].row; *c; c++) h = 33 * h + (unsigned char)*c;
        sum += h;
    }
    return sum;
}

static void read_eigenvalues(answer *a, const test_mechanism *t, const routh_operating_point *p)
{
    routh_error e;
    routh_modes *modes;
    routh_linear *linear = mechanism_linear(t, p, NULL);
    if (routh_modes_compute(&modes, linear, &e)) fail_msg("%s", e.message);
    assert_true(modes->n <= MOST_STATES);
    a->n = modes->n;
    for (int k = 0; k < modes->n; k++)
        memcpy(a->eigenvalues[k], modes->modes[k].eigenvalue, sizeof a->eigenvalues[k]);
    routh_modes_free(modes);
    routh_linear_free(linear);
}

static void check_same(const answer *a, const answer *b)
{
    double size = 0;
    assert_int_equal(a->n, b->n);
    for (int k = 0; k < a->n; k++)
        size = fmax(size, hypot(a->eigenvalues[k][0], a->eigenvalues[k][1]));
    for (int k = 0; k < a->n; k++)
        for (int i = 0; i < 2; i++)
            if (!(fabs(a->eigenvalues[k][i] - b->eigenvalues[k][i]) <= tolerance * size))
                fail_msg("%.15g and %.15g", a->eigenvalues[k][i], b->eigenvalues[k][i]);
}

/* lambda moved by what its redundant rows allow: y with G'y = 0, from the elimination's rows. */
static void share_otherwise(const test_mechanism *t, routh_operating_point *p)
{
    routh_error e;
    rt_search s;
    double before[MOST_ROWS];
    const int rows = t->m->n_rows;
    assert_true(rows <= MOST_ROWS);
    memcpy(before, p->state->lambda, (size_t)rows * sizeof *before);
    if (rt_search_create(&s, t->m, 1e-12, 10, &e)) fail_msg("%s", e.message);
    rt_state_copy(t->m, s.state, p->state);
    if (rt_evaluate(t->m, s.w, s.state, RT_EVALUATE_JACOBIAN, &e) || rt_find_rank(&s, &e))
        fail_msg("%s", e.message);
    /* a multiplier of 5 on every row, less the smallest with the same G'lambda */
    for (int r = 0; r < rows; r++) s.state->lambda[r] = 5 + r;
    if (rt_smallest_multipliers(&s, &e)) fail_msg("%s", e.message);
    double change = 0;
    for (int r = 0; r < rows; r++) {
        p->state->lambda[r] += 5 + r - s.state->lambda[r];
        change = fmax(change, fabs(p->state->lambda[r] - before[r]));
    }
    assert_true(change > 1);
    rt_state_free(s.state);
    rt_search_release(&s);
}

static void find_answer(const sample *s, const int *order, answer *a, answer *shared)
{
    growing_text text = {0};
    test_mechanism t;
    routh_error e;
    routh_branches *branches;
    write_sample(&text, s, order);
    mechanism_make(&t, text.bytes);
    routh_operating_point *p = mechanism_point(&t);
    assert_int_equal(p->n_redundant, s->redundant);
    assert_int_equal(p->n_warnings, 0);
    a->dropped = hash_rows(p);
    read_eigenvalues(a, &t, p);
    if (routh_branches_find(&branches, t.m, p, &e)) fail_msg("%s", e.message);
    assert_false(branches->singular);
    assert_int_equal(branches->n, 0);
    assert_int_equal(branches->nearby, p->degrees_of_freedom);
    routh_branches_free(branches);
    share_otherwise(&t, p);
    read_eigenvalues(shared, &t, p);
    routh_operating_point_free(p);
    mechanism_release(&t);
    free(text.bytes);
}

/* Every rotation of the list of joints and its reverse. */
static void check_sample(const sample *s)
{
    answer first, other, shared;
    int order[MOST_JOINTS], n_different = 0;
    for (int k = 0; k < 2 * s->n_joints; k++) {
        for (int i = 0; i < s->n_joints; i++) {
            const int at = (i + k / 2) % s->n_joints;
            order[i] = k % 2 ? s->n_joints - 1 - at : at;
        }
        find_answer(s, order, k ? &other : &first, &shared);
        check_same(&shared, &first);
        if (k == 0) continue;
        check_same(&other, &first);
        n_different += other.dropped != first.dropped;
    }
    assert_true(n_different > 0);
}

static void a_parallelogram_with_three_cranks(void **unused)
{
    (void)unused;
    check_sample(&parallelogram);
}

static void the_loop_of_bennett(void **unused)
{
    (void)unused;
    check_sample(&bennett);
}

static void a_table_on_crossed_slides(void **unused)
{
    (void)unused;
    check_sample(&slides);
}

/* Of the rows of G that e keeps. */
static double smallest_singular_value(const rt_search *s, const rt_elimination *e)
{
    const rt_pattern *p = &s->m->pattern_G;
    const size_t n = (size_t)s->m->n_u, k = (size_t)e->rank;
    double *A = calloc(n * k, sizeof *A), *sigma = malloc(n * sizeof *sigma);
    int *slot = malloc((size_t)s->m->n_rows * sizeof *slot), kept = 0;
    routh_error error;
    assert_true(A && sigma && slot && k <= n);
    for (int r = 0; r < s->m->n_rows; r++) slot[r] = e->row_step[r] < 0 ? -1 : kept++;
    for (size_t c = 0; c < n; c++)
        for (int x = p->start[c]; x < p->start[c + 1]; x++)
            if (slot[p->row[x]] >= 0) A[(size_t)slot[p->row[x]] + k * c] = s->w->G[x];
    if (rt_svd((int)k, (int)n, A, sigma, NULL, NULL, &error)) fail_msg("%s", error.message);
    const double smallest = sigma[k - 1];
    free(A), free(sigma), free(slot);
    return smallest;
}

/* Pivots that are not small do not say so: a row may depend on many others, by a little each. */
static void the_rows_kept_of_twenty_loops_are_far_from_dependent(void **unused)
{
    (void)unused;
    test_mechanism t;
    rt_search s;
    rt_elimination *full;
    routh_error error;
    mechanism_make_template(&t, "four-bar", (const char *const[]){"N", "20", NULL});
    assert_int_equal(rt_search_create(&s, t.m, 1e-12, 200, &error), ROUTH_OK);
    if (rt_assemble(&s, &error) || rt_find_rank(&s, &error)) fail_msg("%s", error.message);
    assert_int_equal(
        rt_eliminate(&full, &t.m->pattern_G, s.w->G, NULL, NULL, 1e-9, 1, &error), ROUTH_OK);
    assert_int_equal(s.rank->rank, full->rank);
    const double ours = smallest_singular_value(&s, s.rank);
    const double best = smallest_singular_value(&s, full);
    print_message("    smallest singular value %.2g, by full pivoting %.2g\n", ours, best);
    assert_true(best > 0 && ours >= 0.1 * best);
    rt_elimination_free(full);
    rt_state_free(s.state);
    rt_search_release(&s);
    mechanism_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_parallelogram_with_three_cranks),
        cmocka_unit_test(the_loop_of_bennett),
        cmocka_unit_test(a_table_on_crossed_slides),
        cmocka_unit_test(the_rows_kept_of_twenty_loops_are_far_from_dependent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
