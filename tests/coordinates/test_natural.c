/* Natural coordinates. Random states are found on the rows that the coordinates bring, by Newton's
 * method, and varied along them; nothing of the joints is used to make them, so that rows of joints
 * that are said to hold of themselves can be seen to hold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "coordinates/joined.h"
#include "elements/joints.h"
#include "support/effort.h"
#include "support/random_mechanism.h"
#include "system/joined.h"

/* Values are of the order of ten to a hundred, and differences have an error of 1e-11 of them. */
static const double tolerance = 1e-8;

/* What rounding makes of numbers of the order of ten. */
static const double rounding = 1e-11;

static void check_to(double found, double expected, double allowed, const char *what)
{
    if (!(fabs(found - expected) <= allowed * fmax(1, fabs(expected))))
        fail_msg("%s is %.15g and should be %.15g", what, found, expected);
}

static void check(double found, double expected, const char *what)
{
    check_to(found, expected, tolerance, what);
}

/* ---- a model in natural coordinates --------------------------------------------------------- */

typedef struct scene {
    test_mechanism t; /* in absolute coordinates: its rows, and consistent motions */
    rt_arena arena;
    rt_joined j;
    double *q, *u, *udot, *xi, *du, *dudot, *work;
    rt_frame *bodies, *markers;
    rt_screws s;
    rt_own_rows own;
    double *G; /* n_own x n_u, dense */
    int body;
} scene;

static double *reals(scene *c, size_t n)
{
    double *x = RT_TAKE(&c->arena, double, n);
    assert_non_null(x);
    return x;
}

static void compile_scene(scene *c, const bool *wanted)
{
    routh_error error;
    rt_joined *j = &c->j;
    *j = (rt_joined){.set = &rt_natural, .model = c->t.model, .n_bodies = c->t.model->n_bodies};
    assert_int_equal(rt_natural.compile(j, wanted, &c->arena, &error), ROUTH_OK);
    const size_t n = (size_t)j->n_u, n_s = 6 * (size_t)j->n_screws, n_own = (size_t)j->n_own;
    const size_t n_e = (size_t)j->own_start[j->n_own];
    assert_int_equal(j->n_q, j->n_u);
    assert_null(j->tip);
    c->q = reals(c, n), c->u = reals(c, n), c->udot = reals(c, n);
    c->xi = reals(c, n), c->du = reals(c, n), c->dudot = reals(c, n);
    c->work = reals(c, j->n_work);
    c->bodies = RT_TAKE(&c->arena, rt_frame, j->n_bodies);
    c->markers = RT_TAKE(&c->arena, rt_frame, c->t.model->n_markers);
    assert_true(c->bodies && c->markers);
    c->s = (rt_screws){reals(c, n_s), reals(c, n_s), reals(c, n_s), reals(c, n_s)};
    c->own = (rt_own_rows){{reals(c, n_own), reals(c, n_own), reals(c, n_own)},
                           reals(c, n_e),
                           reals(c, n_e),
                           reals(c, n_e),
                           reals(c, n_e)};
    c->G = reals(c, n_own * n);
}

static void make(scene *c, const char *text)
{
    *c = (scene){0};
    mechanism_make(&c->t, text);
    compile_scene(c, NULL);
}

static void make_template(scene *c, const char *name, const char *const *settings)
{
    *c = (scene){0};
    mechanism_make_template(&c->t, name, settings);
    compile_scene(c, NULL);
}

static void make_random(scene *c, random_stream *random, int what)
{
    random_mechanism mechanism;
    growing_text text = {0};
    random_mechanism_make(&mechanism, random, what);
    random_mechanism_write(&mechanism, &no_disguise, &text);
    make(c, text.bytes);
    free(text.bytes);
}

static void release(scene *c)
{
    rt_arena_free(&c->arena);
    mechanism_release(&c->t);
}

static void frames_at(scene *c, const double *q, const double *u, const double *udot)
{
    rt_natural.frames(&c->j, q, u, udot, c->bodies, c->work);
    for (int k = 0; k < c->t.model->n_markers; k++) {
        const int b = c->t.m->marker_body[k];
        rt_frame_marker(&c->markers[k], b < 0 ? &rt_ground_frame : &c->bodies[b],
                        c->t.m->marker_position + 3 * k, c->t.m->marker_orientation + 9 * k);
    }
}

static void written_frames(const scene *c, rt_frame *frames)
{
    for (int b = 0; b < c->t.model->n_bodies; b++) {
        frames[b] = (rt_frame){0};
        for (int k = 0; k < 3; k++) frames[b].r[k] = c->t.model->bodies[b].position[k].value;
        for (int k = 0; k < 9; k++) frames[b].A[k] = c->t.model->bodies[b].orientation[k].value;
    }
}

static void own_rows(scene *c) { rt_natural.own_rows(&c->j, c->q, c->u, c->udot, &c->own); }

/* ---- states on the rows of the coordinates -------------------------------------------------- */

/* Solves G x = b by rows made orthonormal one after another: x of least norm is added. Rows that
 * depend on others are left out. */
static void solve_rows(int m, int n, const double *G, const double *b, double *x)
{
    double *Q = calloc((size_t)m * (size_t)n + 1, sizeof *Q), *y = calloc((size_t)m + 1, sizeof *y);
    double *f = calloc((size_t)m + 1, sizeof *f);
    int rank = 0;
    assert_true(Q && y && f);
    for (int r = 0; r < m; r++) {
        double *v = Q + rank * n, size = 0, rest = 0, sum = b[r];
        memcpy(v, G + r * n, (size_t)n * sizeof *v);
        for (int c = 0; c < n; c++) size += v[c] * v[c];
        memset(f, 0, (size_t)rank * sizeof *f);
        for (int pass = 0; pass < 2; pass++)
            for (int k = 0; k < rank; k++) {
                double dot = 0;
                for (int c = 0; c < n; c++) dot += Q[k * n + c] * v[c];
                for (int c = 0; c < n; c++) v[c] -= dot * Q[k * n + c];
                f[k] += dot;
            }
        for (int c = 0; c < n; c++) rest += v[c] * v[c];
        if (!(rest > 1e-18 * size)) continue;
        rest = sqrt(rest);
        for (int k = 0; k < rank; k++) sum -= f[k] * y[k];
        y[rank] = sum / rest;
        for (int c = 0; c < n; c++) v[c] /= rest, x[c] += y[rank] * v[c];
        rank++;
    }
    free(Q);
    free(y);
    free(f);
}

static int rank_of(int m, int n, const double *G)
{
    double *x = calloc((size_t)n + 1, sizeof *x);
    double *Q = calloc((size_t)m * (size_t)n + 1, sizeof *Q);
    int rank = 0;
    assert_true(Q && x);
    memcpy(Q, G, (size_t)m * (size_t)n * sizeof *Q);
    /* the longest row left is next, and is taken out of the others */
    for (; rank < m && rank < n; rank++) {
        int best = -1;
        double most = 1e-14;
        for (int r = 0; r < m; r++) {
            double size = 0;
            for (int c = 0; c < n; c++) size += Q[r * n + c] * Q[r * n + c];
            if (size > most) most = size, best = r;
        }
        if (best < 0) break;
        for (int c = 0; c < n; c++) x[c] = Q[best * n + c] / sqrt(most);
        for (int r = 0; r < m; r++)
            for (int pass = 0; pass < 2; pass++) {
                double dot = 0;
                for (int c = 0; c < n; c++) dot += x[c] * Q[r * n + c];
                for (int c = 0; c < n; c++) Q[r * n + c] -= dot * x[c];
            }
    }
    free(Q);
    free(x);
    return rank;
}

static void fill_G(scene *c)
{
    own_rows(c);
    memset(c->G, 0, (size_t)c->j.n_own * (size_t)c->j.n_u * sizeof(double));
    for (int r = 0; r < c->j.n_own; r++)
        for (int e = c->j.own_start[r]; e < c->j.own_start[r + 1]; e++)
            c->G[r * c->j.n_u + c->j.own_column[e]] = c->own.G[e];
}

/* x changed so that G x = -(sum of the rows' other parts): part[p] on the vectors v[p]. */
static void onto_level(scene *c, int n_parts, const double *const *part, const double *const *v,
                       double *x)
{
    const int m = c->j.n_own, n = c->j.n_u;
    double *b = calloc((size_t)m + 1, sizeof *b);
    assert_non_null(b);
    for (int r = 0; r < m; r++) {
        for (int e = c->j.own_start[r]; e < c->j.own_start[r + 1]; e++) {
            b[r] -= c->own.G[e] * x[c->j.own_column[e]];
            for (int p = 0; p < n_parts; p++) b[r] -= part[p][e] * v[p][c->j.own_column[e]];
        }
    }
    solve_rows(m, n, c->G, b, x);
    free(b);
}

static void clear(double *x, int n) { memset(x, 0, (size_t)n * sizeof *x); }

/* q near the one written, u and u', all on the rows at their levels. */
static void set_random_state(scene *c, random_stream *random, int motion)
{
    const int n = c->j.n_u;
    written_frames(c, c->bodies);
    rt_natural.take(&c->j, c->bodies, c->q, c->u, c->work);
    for (int k = 0; k < n; k++) c->q[k] += 0.1 * random_real(random);
    for (int step = 0; step < 30; step++) {
        double *b = calloc((size_t)c->j.n_own + 1, sizeof *b);
        assert_non_null(b);
        fill_G(c);
        for (int r = 0; r < c->j.n_own; r++) b[r] = -c->own.value[0][r];
        solve_rows(c->j.n_own, n, c->G, b, c->q);
        free(b);
    }
    clear(c->u, n);
    clear(c->udot, n);
    if (motion == MOTION_VELOCITY || motion == MOTION_BOTH) random_reals(random, n, c->u);
    fill_G(c);
    onto_level(c, 0, NULL, NULL, c->u);
    if (motion == MOTION_ACCELERATION || motion == MOTION_BOTH) random_reals(random, n, c->udot);
    own_rows(c);
    const double *part[] = {c->own.Vx}, *v[] = {c->u};
    onto_level(c, 1, part, v, c->udot);
    own_rows(c);
    for (int r = 0; r < c->j.n_own; r++)
        for (int d = 0; d < 3; d++) check_to(c->own.value[d][r], 0, rounding, "row");
}

/* xi, du, du' along the rows: G xi = 0, G du + Vx xi = 0, G du' + Au du + Ax xi = 0. */
static void set_random_variation(scene *c, random_stream *random)
{
    const int n = c->j.n_u;
    random_reals(random, n, c->xi);
    random_reals(random, n, c->du);
    random_reals(random, n, c->dudot);
    fill_G(c);
    onto_level(c, 0, NULL, NULL, c->xi);
    const double *one[] = {c->own.Vx}, *of_one[] = {c->xi};
    onto_level(c, 1, one, of_one, c->du);
    const double *two[] = {c->own.Au, c->own.Ax}, *of_two[] = {c->du, c->xi};
    onto_level(c, 2, two, of_two, c->dudot);
}

/* ---- the mechanisms ------------------------------------------------------------------------- */

#define HEAD "gravity: [0, 0, -9.81]\nbodies:\n"
#define BODY(name, x, y, z)                                                                        \
    "  " name ": {mass: 1.5, inertia: [0.5, 0.7, 0.9, 0.05, -0.04, 0.08], position: [" x ", " y    \
    ", " z "]}\n"
#define ROD(name, x, y)                                                                            \
    "  " name ": {mass: 2, inertia: [0.01, 0.3, 0.3], position: [" x ", " y ", 0]}\n"

/* With the columns and own rows that there must be. */
static const struct {
    const char *name, *text;
    int n_u, n_own;
} cases[] = {
    {"a free body", HEAD BODY("a", "1", "2", "3"), 12, 6},
    {"a body on a revolute",
     HEAD BODY("a", "1", "0.2",
               "3") "joints:\n"
                    "  h: {type: revolute, between: [a, ground], at: [0, 0, 1], axis: [1, 2, 3]}\n",
     2, 1},
    {"a revolute at the centre of mass",
     HEAD BODY("a", "1", "0.2",
               "3") "joints:\n"
                    "  h: {type: revolute, between: [a, ground], at: [1, 0.2, 3], axis: y}\n",
     2, 1},
    {"a body on a ball",
     HEAD BODY("a", "1", "0.2",
               "3") "joints:\n"
                    "  h: {type: spherical, between: [a, ground], at: [0, 0, 1]}\n",
     9, 6},
    {"two balls: the axis goes through both points",
     HEAD BODY("a", "1", "0.2",
               "3") "joints:\n"
                    "  h: {type: spherical, between: [a, ground], at: [0, 0, 1]}\n"
                    "  k: {type: spherical, between: [a, ground], at: [1, 1, 1]}\n",
     6, 5},
    {"two balls at one place",
     HEAD BODY("a", "1", "0.2",
               "3") "joints:\n"
                    "  h: {type: spherical, between: [a, ground], at: [0, 0, 1]}\n"
                    "  k: {type: spherical, between: [a, ground], at: [0, 0, 1]}\n",
     9, 6},
    {"a body on a table",
     HEAD BODY("a", "1", "0.2",
               "3") "joints:\n"
                    "  h: {type: planar, between: [a, ground], at: [0, 0, 1], axis: x}\n",
     4, 1},
    {"a slider: where it is in a plane",
     HEAD BODY("a", "1", "0.2",
               "3") "joints:\n"
                    "  h: {type: translational, between: [a, ground], at: [0, 0, 1], axis: x}\n",
     2, 0},
    {"a body fixed to the ground",
     HEAD BODY("a", "1", "0.2", "3") "joints:\n"
                                     "  h: {type: fixed, between: [a, ground]}\n",
     0, 0},
    {"a body split in two",
     HEAD BODY("a", "1", "0.2", "3")
         BODY("b", "2", "0.2", "3") "joints:\n"
                                    "  h: {type: fixed, between: [a, b]}\n",
     12, 6},
    {"two bodies on a revolute share a point and the axis",
     HEAD BODY("a", "1", "0.2", "3")
         BODY("b", "2", "1",
              "2") "joints:\n"
                   "  h: {type: revolute, between: [a, b], at: [1.5, 0.5, 2], axis: [1, 1, 0]}\n",
     18, 11},
    {"two hinges on one line",
     HEAD BODY("a", "1", "0.2", "3")
         BODY("b", "2", "1",
              "2") "joints:\n"
                   "  h: {type: revolute, between: [a, b], at: [1.5, 0.5, 2], axis: [1, 1, 0]}\n"
                   "  k: {type: revolute, between: [a, b], at: [2.5, 1.5, 2], axis: [1, 1, 0]}\n",
     18, 11},
    {"a crank and a slider",
     HEAD ROD("crank", "0.5", "0") ROD("rod", "2", "0")
         ROD("slider", "3",
             "0") "joints:\n"
                  "  a: {type: revolute, between: [crank, ground], at: [0, 0, 0], axis: z}\n"
                  "  b: {type: revolute, between: [crank, rod], at: [1, 0, 0], axis: z}\n"
                  "  c: {type: revolute, between: [rod, slider], at: [3, 0, 0], axis: z}\n"
                  "  d: {type: translational, between: [slider, ground], at: [3, 0, 0], axis: x}\n",
     4, 2},
    {"three rods on one pin",
     HEAD ROD("a", "0.5", "0") ROD("b", "0.5", "0.5") ROD(
         "c", "1", "0.5") "joints:\n"
                          "  a: {type: revolute, between: [a, ground], at: [0, 0, 0], axis: z}\n"
                          "  b: {type: revolute, between: [b, ground], at: [0, 1, 0], axis: z}\n"
                          "  c: {type: revolute, between: [a, c], at: [1, 0, 0], axis: z}\n"
                          "  d: {type: revolute, between: [c, b], at: [1, 0, 0], axis: z}\n"
                          "  e: {type: revolute, between: [a, b], at: [1, 0, 0], axis: z}\n",
     4, 3},
    {"axes that point opposite ways",
     HEAD ROD("a", "0.5", "0") ROD("b", "1.5", "0")
         BODY("c", "2", "1", "0") "markers:\n"
                                  "  a0: {body: a, position: [-0.5, 0, 0], orientation: {axis: [1, "
                                  "0, 0], angle: 180 deg}}\n"
                                  "  a1: {body: a, position: [0.5, 0, 0], orientation: {axis: [0, "
                                  "1, 0], angle: 180 deg}}\n"
                                  "  b1: {body: b, position: [-0.5, 0, 0]}\n"
                                  "  b2: {body: b, position: [0.5, 0, 0], orientation: {axis: [0, "
                                  "1, 0], angle: 90 deg}}\n"
                                  "  c2: {body: c, position: [0, -1, 0], orientation: {axis: [0, "
                                  "1, 0], angle: -90 deg}}\n"
                                  "joints:\n"
                                  "  a: {type: revolute, between: [a0, ground]}\n"
                                  "  b: {type: revolute, between: [a1, b1]}\n"
                                  "  c: {type: revolute, between: [b2, c2]}\n",
     13, 8},
    {"parallel hinges of a loop, reversed, that are seen to be one axis at the last of them",
     HEAD BODY("a", "0", "0", "0") BODY("b", "2", "0", "0") BODY("c", "2", "2", "1")
         BODY("d", "-2", "0", "0")
             BODY("h", "-2", "2",
                  "1") "markers:\n"
                       "  d1: {body: d, position: [0, 1, 1], orientation: {axis: [0, 1, 0], angle: "
                       "180 deg}}\n"
                       "  e1: {body: h, position: [0, -1, 0]}\n"
                       "  c2: {body: c, position: [-2, 1, 1]}\n"
                       "  e2: {body: h, position: [2, 1, 1], orientation: {axis: [1, 0, 0], angle: "
                       "180 deg}}\n"
                       "joints:\n"
                       "  b: {type: spherical, between: [a, b], at: [1, 0, 0]}\n"
                       "  d: {type: spherical, between: [a, d], at: [-1, 0, 0]}\n"
                       "  c: {type: revolute, between: [b, c], at: [2, 1, 1], axis: [0, 0, 1]}\n"
                       "  e: {type: revolute, between: [d1, e1]}\n"
                       "  f: {type: revolute, between: [c2, e2]}\n",
     36, 27},
    {"a hanging chain of two hinges on parallel axes, one reversed",
     HEAD BODY("a", "0", "0", "0") BODY("b", "2", "0", "0")
         BODY("c", "2", "2", "1") "markers:\n"
                                  "  b2: {body: b, position: [0, 1, 0], orientation: {axis: [1, 0, "
                                  "0], angle: 180 deg}}\n"
                                  "  c2: {body: c, position: [0, -1, -1]}\n"
                                  "joints:\n"
                                  "  b: {type: revolute, between: [a, b], at: [1, 0, 0], axis: z}\n"
                                  "  c: {type: revolute, between: [b2, c2]}\n"
                                  "  g: {type: spherical, between: [a, ground], at: [0, 0, 0.5]}\n",
     21, 16},
    {"an axis that finds no room while one across it does",
     HEAD BODY("a", "0", "0", "0") BODY("b", "2", "0", "0")
         BODY("c", "0", "2",
              "0") "joints:\n"
                   "  a: {type: spherical, between: [a, ground], at: [-1, 0, 0.5]}\n"
                   "  c: {type: spherical, between: [c, ground], at: [0.3, 2.5, 0]}\n"
                   "  b: {type: revolute, between: [a, b], at: [-1, 2, 0.5], axis: [0, 0.05, 1]}\n"
                   "  o: {type: orientation, between: [a, c]}\n",
     21, 16},
    {"a plane and a ball at one place",
     HEAD BODY("a", "0", "0", "0")
         BODY("b", "2", "0",
              "0") "joints:\n"
                   "  a: {type: spherical, between: [a, ground], at: [-1, 0, 0.5]}\n"
                   "  b: {type: spherical, between: [a, b], at: [1, 0, 0]}\n"
                   "  p: {type: inplane, between: [a, b], at: [1, 0, 0], axis: [1, 2, 3]}\n",
     18, 12},
    {"two bodies that cannot turn, the second by axes askew to the ground's",
     HEAD BODY("a", "1", "0", "0") BODY("b", "2", "0", "0")
     "markers:\n"
     "  i: {body: a, orientation: {rpy: [0.1, 0.05, 1.4]}}\n"
     "  j: {body: b, orientation: {rpy: [0.1, 0.05, 1.4]}}\n"
     "  p: {body: b, position: [0, 1, 0.5]}\n"
     "  o: {body: ground, position: [5, 3, 2]}\n"
     "joints:\n"
     "  h: {type: orientation, between: [a, ground]}\n"
     "  k: {type: orientation, between: [i, j]}\n"
     "loads:\n"
     "  l: {type: spring, between: [p, o], stiffness: 30, free_length: 1}\n"
     "operating_point: {type: given}\n",
     15, 8},
    {"two balls at places that do not fit: the second one stays a joint",
     HEAD BODY("a", "1", "0", "0") "markers:\n"
                                   "  wrong: {body: ground, position: [2.1, 0, 0]}\n"
                                   "  right: {body: a, position: [1, 0, 0]}\n"
                                   "joints:\n"
                                   "  h: {type: spherical, between: [a, ground], at: [0, 0, 0]}\n"
                                   "  k: {type: spherical, between: [right, wrong]}\n",
     9, 6},
    {"a loop in a plane with a step in it, which cannot be assembled",
     HEAD ROD("a", "0.5", "0") ROD(
         "b", "0.5", "0.5") "markers:\n"
                            "  a1: {body: a, position: [0.5, 0, 0]}\n"
                            "  b1: {body: b, position: [0.5, -0.5, 0.1]}\n"
                            "joints:\n"
                            "  a: {type: revolute, between: [a, ground], at: [0, 0, 0], axis: z}\n"
                            "  b: {type: revolute, between: [b, ground], at: [0, 1, 0], axis: z}\n"
                            "  c: {type: revolute, between: [a1, b1]}\n",
     4, 2},
};
enum { N_CASES = sizeof cases / sizeof cases[0] };

static void the_columns_and_rows_are_as_few_as_can_be(void **state)
{
    (void)state;
    for (int k = 0; k < N_CASES; k++) {
        scene c;
        make(&c, cases[k].text);
        if (c.j.n_u != cases[k].n_u || c.j.n_own != cases[k].n_own)
            fail_msg("%s: %d columns and %d rows, not %d and %d", cases[k].name, c.j.n_u, c.j.n_own,
                     cases[k].n_u, cases[k].n_own);
        release(&c);
    }
}

/* Two unknowns for every moving pin, one row for every rod, none for joints. */
static void the_four_bar_chain_has_pins_only(void **state)
{
    (void)state;
    for (int n = 1; n <= 20; n += n == 3 ? 17 : 1) {
        char number[8];
        scene c;
        snprintf(number, sizeof number, "%d", n);
        make_template(&c, "four-bar", (const char *[]){"N", number, NULL});
        assert_int_equal(c.j.n_u, 2 * (n + 1));
        assert_int_equal(c.j.n_own, 2 * n + 1);
        for (int j = 0; j < c.t.model->n_joints; j++) assert_int_equal(c.j.held[j], 31);
        release(&c);
    }
}

static void a_planar_chain_has_pins_and_ends_only(void **state)
{
    (void)state;
    scene c;
    make_template(&c, "pendulum-chain", (const char *[]){"n", "4", NULL});
    assert_int_equal(c.j.n_u, 8);
    assert_int_equal(c.j.n_own, 4);
    release(&c);
}

/* Cranks in their planes, the coupler between their ends; the universal joint's one row stays. */
static void the_spatial_four_bar_shares_the_ends_of_its_cranks(void **state)
{
    (void)state;
    scene c;
    make_template(&c, "spatial-four-bar", NULL);
    assert_int_equal(c.j.n_u, 2 + 2 + 6);
    assert_int_equal(c.j.n_own, 1 + 1 + 6);
    assert_int_equal(c.j.held[rt_model_find_joint(c.t.model, "cross")], 7);
    assert_int_equal(c.j.held[rt_model_find_joint(c.t.model, "ball")], 7);
    release(&c);
}

static void a_wanted_joint_shares_nothing(void **state)
{
    (void)state;
    for (int k = 0; k < N_CASES; k++) {
        scene c = {0};
        bool wanted[8] = {true, true, true, true, true, true, true, true};
        mechanism_make(&c.t, cases[k].text);
        compile_scene(&c, wanted);
        assert_int_equal(c.j.n_u, 12 * c.j.n_bodies);
        assert_int_equal(c.j.n_own, 6 * c.j.n_bodies);
        for (int j = 0; j < c.t.model->n_joints; j++) assert_int_equal(c.j.held[j], 0);
        release(&c);
    }
}

/* ---- every mechanism ------------------------------------------------------------------------ */

typedef void (*visit)(scene *c, random_stream *random);

static void visit_all(visit what, uint64_t seed)
{
    static const char *const templates[] = {"four-bar", "pendulum-chain", "spatial-four-bar",
                                            "mcpherson", "slider-pendulum"};
    random_stream random = {seed};
    scene c;
    for (int k = 0; k < N_CASES; k++) {
        make(&c, cases[k].text);
        what(&c, &random);
        release(&c);
    }
    for (int k = 0; k < 5; k++) {
        make_template(&c, templates[k], NULL);
        what(&c, &random);
        release(&c);
    }
    for (int k = 0; k < with_effort(60); k++) {
        make_random(&c, &random, k % 2 ? RANDOM_MOVING : 0);
        what(&c, &random);
        release(&c);
    }
}

/* A' from the twist, and rotations where the rows hold; take() gives q and u back. */
static void look_at_frames(scene *c, random_stream *random)
{
    const int n = c->j.n_u;
    set_random_state(c, random, MOTION_BOTH);
    frames_at(c, c->q, c->u, c->udot);
    rt_frame *now = RT_TAKE(&c->arena, rt_frame, c->j.n_bodies);
    assert_non_null(now);
    memcpy(now, c->bodies, (size_t)c->j.n_bodies * sizeof *now);
    rt_natural.take(&c->j, now, c->xi, c->du, c->work);
    for (int k = 0; k < n; k++) {
        check_to(c->xi[k], c->q[k], rounding, "q");
        check_to(c->du[k], c->u[k], rounding, "u");
    }
    /* A is affine in q: its rate is A(q + u) - A(q) */
    for (int k = 0; k < n; k++) c->xi[k] = c->q[k] + c->u[k];
    rt_natural.advance(&c->j, c->q, c->u);
    for (int k = 0; k < n; k++) check_to(c->q[k], c->xi[k], 0, "advance");
    frames_at(c, c->q, c->u, c->udot);
    for (int b = 0; b < c->j.n_bodies; b++) {
        const rt_frame *f = &now[b];
        double W[9], E[9];
        rt_m3_tmul(E, f->A, f->A);
        for (int i = 0; i < 9; i++) check_to(E[i], i % 4 == 0, rounding, "A'A");
        rt_m3_skew(W, f->w);
        rt_m3_mul(E, W, f->A);
        for (int i = 0; i < 9; i++) check_to(c->bodies[b].A[i] - f->A[i], E[i], rounding, "w~ A");
        for (int i = 0; i < 3; i++) check_to(c->bodies[b].r[i] - f->r[i], f->v[i], rounding, "v");
    }
}

static void frames_are_rigid_and_taken_back(void **state)
{
    (void)state;
    visit_all(look_at_frames, 301);
}

static void pack(const rt_frame *f, double *out)
{
    memcpy(out, f->r, 3 * sizeof *out);
    memcpy(out + 3, f->A, 9 * sizeof *out);
    memcpy(out + 12, f->v, 3 * sizeof *out);
    memcpy(out + 15, f->w, 3 * sizeof *out);
    memcpy(out + 18, f->a, 3 * sizeof *out);
    memcpy(out + 21, f->al, 3 * sizeof *out);
}

static void bend(const scene *c, double eps, double *q, double *u, double *udot)
{
    for (int k = 0; k < c->j.n_u; k++) {
        q[k] = c->q[k] + eps * c->xi[k];
        u[k] = c->u[k] + eps * c->du[k];
        udot[k] = c->udot[k] + eps * c->dudot[k];
    }
}

enum { MOST_COLUMNS = 200 };

static void bent_frame(void *context, double eps, double *out)
{
    scene *c = context;
    double q[MOST_COLUMNS], u[MOST_COLUMNS], udot[MOST_COLUMNS];
    bend(c, eps, q, u, udot);
    frames_at(c, q, u, udot);
    pack(&c->bodies[c->body], out);
}

static void add_screws(const scene *c, int b, const double *S, const double *x, double y[6])
{
    for (int e = c->j.start[b]; e < c->j.start[b + 1]; e++)
        for (int i = 0; i < 6; i++) y[i] += S[6 * c->j.screw[e] + i] * x[c->j.column[e]];
}

/* The levels of the body's variation: at O, then at its own origin. */
static void levels_of(scene *c, int b, double Xi[3][6], double xi[3][6])
{
    const rt_frame *f = &c->bodies[b];
    double r[3];
    rt_v3_sub(r, f->r, c->j.origin);
    memset(Xi, 0, 18 * sizeof(double));
    add_screws(c, b, c->s.J, c->xi, Xi[0]);
    add_screws(c, b, c->s.J, c->du, Xi[1]);
    add_screws(c, b, c->s.J1, c->xi, Xi[1]);
    add_screws(c, b, c->s.J, c->dudot, Xi[2]);
    add_screws(c, b, c->s.J2u, c->du, Xi[2]);
    add_screws(c, b, c->s.J2x, c->xi, Xi[2]);
    /* dr = Xi_O + dtheta x r, r from O, and in time */
    memcpy(xi, Xi, 18 * sizeof(double));
    for (int d = 0; d < 3; d++) rt_v3_cross_add(xi[d], Xi[d] + 3, r);
    rt_v3_cross_add(xi[1], Xi[0] + 3, f->v);
    rt_v3_cross_add(xi[2], Xi[0] + 3, f->a);
    for (int twice = 0; twice < 2; twice++) rt_v3_cross_add(xi[2], Xi[1] + 3, f->v);
}

/* dA = dtheta~ A, dw = dtheta' - w x dtheta, dal = dtheta'' - al x dtheta - w x dtheta' */
static void expected_change(const rt_frame *f, double xi[3][6], double out[24])
{
    double turn[9], c[3];
    rt_m3_skew(turn, xi[0] + 3);
    memcpy(out, xi[0], 3 * sizeof *out);
    rt_m3_mul(out + 3, turn, f->A);
    memcpy(out + 12, xi[1], 6 * sizeof *out);
    memcpy(out + 18, xi[2], 6 * sizeof *out);
    rt_v3_cross(c, xi[0] + 3, f->w);
    rt_v3_add(out + 15, out + 15, c);
    rt_v3_cross(c, xi[0] + 3, f->al);
    rt_v3_add(out + 21, out + 21, c);
    rt_v3_cross(c, xi[1] + 3, f->w);
    rt_v3_add(out + 21, out + 21, c);
}

static void look_at_screws(scene *c, random_stream *random)
{
    assert_true(c->j.n_u <= MOST_COLUMNS);
    for (int motion = 0; motion < N_MOTIONS; motion++) {
        set_random_state(c, random, motion);
        set_random_variation(c, random);
        for (c->body = 0; c->body < c->j.n_bodies; c->body++) {
            double d[24], expected[24], Xi[3][6], xi[3][6];
            differentiate(bent_frame, c, 0.05, 24, d);
            frames_at(c, c->q, c->u, c->udot);
            rt_natural.screws(&c->j, c->q, c->u, c->udot, c->bodies, &c->s, c->work);
            levels_of(c, c->body, Xi, xi);
            expected_change(&c->bodies[c->body], xi, expected);
            for (int i = 0; i < 24; i++) check(d[i], expected[i], "bent frame");
        }
    }
}

static void screws_along_the_rows(void **state)
{
    (void)state;
    visit_all(look_at_screws, 302);
}

/* ---- geometric stiffness -------------------------------------------------------------------- */

typedef struct held_wrench {
    scene *c;
    double w[6];
} held_wrench;

static void generalized_force(void *context, double eps, double *out)
{
    const held_wrench *h = context;
    scene *c = h->c;
    double q[MOST_COLUMNS], u[MOST_COLUMNS], udot[MOST_COLUMNS];
    bend(c, eps, q, u, udot);
    frames_at(c, q, u, udot);
    rt_natural.screws(&c->j, q, u, udot, c->bodies, &c->s, c->work);
    for (int e = c->j.start[c->body], k = 0; e < c->j.start[c->body + 1]; e++, k++) {
        out[k] = 0;
        for (int i = 0; i < 6; i++) out[k] += c->s.J[6 * c->j.screw[e] + i] * h->w[i];
    }
}

/* In any direction, off the rows too: J is what it is. */
static void look_at_geometric(scene *c, random_stream *random)
{
    held_wrench h = {.c = c};
    set_random_state(c, random, MOTION_REST);
    for (c->body = 0; c->body < c->j.n_bodies; c->body++) {
        double d[12], K[144] = {0};
        const int n = c->j.start[c->body + 1] - c->j.start[c->body];
        random_reals(random, c->j.n_u, c->xi);
        random_reals(random, 6, h.w);
        differentiate(generalized_force, &h, 0.05, n, d);
        frames_at(c, c->q, c->u, c->udot);
        for (int twice = 0; twice < 2; twice++)
            rt_natural.geometric(&c->j, c->body, c->q, &c->bodies[c->body], h.w, K);
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += K[n * i + k] * c->xi[c->j.column[c->j.start[c->body] + k]];
            check(sum, 2 * d[i], "geometric stiffness, added twice");
        }
    }
}

static void geometric_stiffness_of_a_held_wrench(void **state)
{
    (void)state;
    visit_all(look_at_geometric, 303);
}

/* ---- rows of the coordinates ---------------------------------------------------------------- */

typedef struct one_row {
    scene *c;
    int row;
} one_row;

static void bent_row(void *context, double eps, double *out)
{
    const one_row *x = context;
    scene *c = x->c;
    double q[MOST_COLUMNS], u[MOST_COLUMNS], udot[MOST_COLUMNS];
    const int first = c->j.own_start[x->row], n = c->j.own_start[x->row + 1] - first;
    bend(c, eps, q, u, udot);
    rt_natural.own_rows(&c->j, q, u, udot, &c->own);
    for (int d = 0; d < 3; d++) out[d] = c->own.value[d][x->row];
    memcpy(out + 3, c->own.G + first, (size_t)n * sizeof *out);
}

static double dot_row(const scene *c, int r, const double *part, const double *x)
{
    double sum = 0;
    for (int e = c->j.own_start[r]; e < c->j.own_start[r + 1]; e++)
        sum += part[e] * x[c->j.own_column[e]];
    return sum;
}

static void look_at_rows(scene *c, random_stream *random)
{
    const int n_u = c->j.n_u;
    set_random_state(c, random, MOTION_BOTH);
    for (int k = 0; k < n_u; k++) c->q[k] += 0.3 * random_real(random); /* off the rows */
    random_reals(random, n_u, c->u);
    random_reals(random, n_u, c->udot);
    random_reals(random, n_u, c->xi);
    random_reals(random, n_u, c->du);
    random_reals(random, n_u, c->dudot);
    for (int r = 0; r < c->j.n_own; r++) {
        one_row x = {c, r};
        double d[3 + 12], K[144];
        const int first = c->j.own_start[r], n = c->j.own_start[r + 1] - first;
        differentiate(bent_row, &x, 0.05, 3 + n, d);
        own_rows(c);
        const rt_own_rows *own = &c->own;
        check(d[0], dot_row(c, r, own->G, c->xi), "dPhi");
        check(d[1], dot_row(c, r, own->G, c->du) + dot_row(c, r, own->Vx, c->xi), "dPhi'");
        check(d[2],
              dot_row(c, r, own->G, c->dudot) + dot_row(c, r, own->Au, c->du) +
                  dot_row(c, r, own->Ax, c->xi),
              "dPhi''");
        check(own->value[1][r], dot_row(c, r, own->G, c->u), "Phi'");
        check(own->value[2][r], dot_row(c, r, own->G, c->udot) + dot_row(c, r, own->Vx, c->u),
              "Phi''");
        rt_natural.own_curvature(&c->j, r, c->q, K);
        for (int i = 0; i < n; i++) check(d[3 + i], dot_row(c, r, K + n * i - first, c->xi), "dG'");
        assert_non_null(strstr(c->j.own_label[r], " of "));
        assert_true(c->j.own_body[r] >= 0 && c->j.own_body[r] < c->j.n_bodies);
    }
}

static void own_rows_and_their_levels(void **state)
{
    (void)state;
    visit_all(look_at_rows, 304);
}

/* x'' of every variable: of frames that accelerate with (a, al), by what take() makes of linear
 * and centripetal parts. */
static void take_accelerations(scene *c, const rt_frame *bodies, double *udot)
{
    const int n = c->j.n_bodies;
    rt_frame *part = RT_TAKE(&c->arena, rt_frame, n);
    double *q = reals(c, (size_t)c->j.n_u), *u = reals(c, (size_t)c->j.n_u);
    assert_non_null(part);
    for (int b = 0; b < n; b++) {
        part[b] = bodies[b];
        rt_v3_copy(part[b].v, bodies[b].a);
        rt_v3_copy(part[b].w, bodies[b].al);
    }
    rt_natural.take(&c->j, part, q, udot, c->work);
    for (int sign = -1; sign < 2; sign += 2) {
        for (int b = 0; b < n; b++) {
            double W[9], WA[9];
            part[b] = (rt_frame){0};
            rt_m3_skew(W, bodies[b].w);
            rt_m3_mul(WA, W, bodies[b].A);
            if (sign > 0) rt_m3_mul(part[b].A, W, WA);
        }
        rt_natural.take(&c->j, part, q, u, c->work);
        for (int k = 0; k < c->j.n_u; k++) udot[k] += sign * q[k];
    }
}

static void check_motion(const rt_frame *found, const rt_frame *expected, int n)
{
    for (int b = 0; b < n; b++) {
        double x[24], y[24];
        pack(&found[b], x);
        pack(&expected[b], y);
        for (int i = 0; i < 24; i++) check(x[i], y[i], "frame of take()");
    }
}

static int n_motions; /* that were compared */

/* Motions of the operating point, found in absolute coordinates. */
static void look_at_motion(scene *c, random_stream *random)
{
    const int n = c->j.n_bodies;
    routh_error error;
    routh_operating_point *point;
    (void)random;
    if (routh_operating_point_find(&point, c->t.m, NULL, &error)) return;
    rt_frame *given = RT_TAKE(&c->arena, rt_frame, n);
    assert_non_null(given);
    c->t.m->set->frames(n, point->state->q, point->state->u, point->state->udot, given);
    rt_natural.take(&c->j, given, c->q, c->u, c->work);
    take_accelerations(c, given, c->udot);
    frames_at(c, c->q, c->u, c->udot);
    check_motion(c->bodies, given, n);
    own_rows(c);
    for (int r = 0; r < c->j.n_own; r++)
        for (int d = 0; d < 3; d++) check(c->own.value[d][r], 0, "row of a rigid motion");
    routh_operating_point_free(point);
    n_motions++;
}

static void motions_found_elsewhere_are_reproduced(void **state)
{
    (void)state;
    n_motions = 0;
    visit_all(look_at_motion, 305);
    assert_true(n_motions >= with_effort(60));
}

/* ---- mass ----------------------------------------------------------------------------------- */

/* xi' M u' = sum of m a . dr + (I al + w x I w) . dtheta, and T = 1/2 u'M u. */
static void look_at_mass(scene *c, random_stream *random)
{
    set_random_state(c, random, MOTION_BOTH);
    set_random_variation(c, random);
    frames_at(c, c->q, c->u, c->udot);
    rt_natural.screws(&c->j, c->q, c->u, c->udot, c->bodies, &c->s, c->work);
    for (int b = 0; b < c->j.n_bodies; b++) {
        const rt_body *body = &c->t.model->bodies[b];
        const rt_frame *f = &c->bodies[b];
        const int first = c->j.start[b], n = c->j.start[b + 1] - first;
        const double *M = c->j.mass + c->j.mass_start[b];
        double I0[9], B[9], I[9], Iw[3], torque[3], Xi[3][6], xi[3][6], T = 0, power = 0;
        assert_int_equal(c->j.mass_start[b + 1] - c->j.mass_start[b], n * n);
        for (int i = 0; i < 9; i++) I0[i] = body->inertia[i].value;
        rt_m3_mul(B, f->A, I0);
        rt_m3_mul_t(I, B, f->A);
        rt_m3_mul_v(Iw, I, f->w);
        rt_m3_mul_v(torque, I, f->al);
        rt_v3_cross_add(torque, f->w, Iw);
        levels_of(c, b, Xi, xi);
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++) {
                const int ci = c->j.column[first + i], ck = c->j.column[first + k];
                check_to(M[n * i + k], M[n * k + i], rounding, "symmetry of M");
                T += M[n * i + k] * c->u[ci] * c->u[ck] / 2;
                power += c->xi[ci] * M[n * i + k] * c->udot[ck];
            }
        const double m = body->mass.value;
        check(T, m * rt_v3_dot(f->v, f->v) / 2 + rt_v3_dot(f->w, Iw) / 2, "kinetic energy");
        check(power, m * rt_v3_dot(f->a, xi[0]) + rt_v3_dot(torque, xi[0] + 3),
              "power of the forces of inertia");
    }
}

static void the_mass_is_that_of_rigid_bodies(void **state)
{
    (void)state;
    visit_all(look_at_mass, 306);
}

/* ---- joints --------------------------------------------------------------------------------- */

static rt_program_input input_of(const scene *c)
{
    return (rt_program_input){.frames = {c->markers},
                              .near = c->t.m->start_near,
                              .parameters = c->t.m->parameters,
                              .work = c->t.w->program[0]};
}

/* At states where nothing but the rows of the coordinates was asked for. */
static void look_at_held_rows(scene *c, random_stream *random)
{
    for (int motion = 0; motion < N_MOTIONS; motion++) {
        set_random_state(c, random, motion);
        frames_at(c, c->q, c->u, c->udot);
        const rt_program_input in = input_of(c);
        for (int k = 0; k < c->t.m->n_constraints; k++) {
            const rt_constraint *joint = &c->t.m->constraints[k].constraint;
            for (int r = 0; r < joint->n_rows; r++) {
                double value[3];
                rt_gradient phi;
                if (!(c->j.held[joint->joint] >> r & 1)) continue;
                rt_row_evaluate(&joint->rows[r], &in, value, &phi);
                for (int d = 0; d < 3; d++) check_to(value[d], 0, 10 * rounding, "held row");
            }
        }
    }
}

static void held_rows_hold(void **state)
{
    (void)state;
    visit_all(look_at_held_rows, 307);
}

/* The gradient of a row, on 6 columns per body at O. */
static void row_on_bodies(const scene *c, const rt_gradient *phi, double *out)
{
    for (int k = 0; k < phi->n; k++) {
        const int b = c->t.m->marker_body[phi->frame[k]];
        const double *f = phi->p[0][k], *t = f + 3;
        double r[3];
        if (b < 0) continue;
        rt_v3_add(out + 6 * b, out + 6 * b, f);
        rt_v3_add(out + 6 * b + 3, out + 6 * b + 3, t);
        rt_v3_sub(r, c->markers[phi->frame[k]].r, c->j.origin);
        rt_v3_cross_add(out + 6 * b + 3, r, f);
    }
}

/* As many degrees of freedom as the joints leave free bodies: the rows that are left and those of
 * the coordinates are neither too few nor against each other. */
static void look_at_freedoms(scene *c, random_stream *random)
{
    const int n = c->j.n_u, n_bodies = c->j.n_bodies, n_joint_rows = c->t.m->n_joint_rows;
    (void)random;
    written_frames(c, c->bodies);
    rt_natural.take(&c->j, c->bodies, c->q, c->u, c->work);
    clear(c->udot, n);
    frames_at(c, c->q, c->u, c->udot);
    rt_natural.screws(&c->j, c->q, c->u, c->udot, c->bodies, &c->s, c->work);
    fill_G(c);
    double *free_rows = reals(c, (size_t)n_joint_rows * 6 * (size_t)n_bodies);
    double *rows = reals(c, (size_t)(n_joint_rows + c->j.n_own) * (size_t)n);
    const rt_program_input in = input_of(c);
    int n_rows = 0, n_left = c->j.n_own;
    memcpy(rows, c->G, (size_t)c->j.n_own * (size_t)n * sizeof *rows);
    for (int k = 0; k < c->t.m->n_constraints; k++) {
        const rt_constraint *joint = &c->t.m->constraints[k].constraint;
        for (int r = 0; r < joint->n_rows; r++) {
            double value[3], *row = free_rows + 6 * n_bodies * n_rows++;
            rt_gradient phi;
            rt_row_evaluate(&joint->rows[r], &in, value, &phi);
            row_on_bodies(c, &phi, row);
            if (c->j.held[joint->joint] >> r & 1) continue;
            for (int b = 0; b < n_bodies; b++)
                for (int e = c->j.start[b]; e < c->j.start[b + 1]; e++)
                    for (int i = 0; i < 6; i++)
                        rows[n_left * n + c->j.column[e]] +=
                            row[6 * b + i] * c->s.J[6 * c->j.screw[e] + i];
            n_left++;
        }
    }
    assert_int_equal(n - rank_of(n_left, n, rows),
                     6 * n_bodies - rank_of(n_rows, 6 * n_bodies, free_rows));
}

static void the_degrees_of_freedom_are_those_of_free_bodies_with_joints(void **state)
{
    (void)state;
    visit_all(look_at_freedoms, 308);
}

/* ---- multipliers ---------------------------------------------------------------------------- */

/* The multipliers of all rows of the joints; those that are left in m go to its state. */
static void joint_multipliers(const scene *c, const rt_state *absolute, const routh_mechanism *m,
                              double (*all)[6], rt_state *state)
{
    for (int k = 0; k < c->t.m->n_constraints; k++) {
        const rt_constraint *joint = &c->t.m->constraints[k].constraint;
        int to = m->constraints[k].constraint.first_row;
        for (int r = 0; r < joint->n_rows; r++) {
            all[joint->joint][r] = absolute->lambda[joint->first_row + r];
            if (!(c->j.held[joint->joint] >> r & 1))
                state->lambda[to++] = absolute->lambda[joint->first_row + r];
        }
    }
}

static int n_balanced; /* mechanisms with own rows */

/* The joint forces found in absolute coordinates, and the multipliers of the own rows that follow
 * from them, balance the mechanism: also where they are one choice of many. */
static void look_at_multipliers(scene *c, random_stream *random)
{
    routh_error error;
    routh_operating_point *absolute, *natural;
    routh_mechanism *m;
    rt_workspace *w;
    (void)random;
    if (routh_operating_point_find(&absolute, c->t.m, NULL, &error)) return;
    assert_int_equal(routh_mechanism_compile(&m, c->t.model, "natural", &error), ROUTH_OK);
    assert_int_equal(rt_workspace_create(&w, m, &error), ROUTH_OK);
    assert_int_equal(routh_operating_point_find(&natural, m, NULL, &error), ROUTH_OK);
    rt_state *state = natural->state;
    double(*all)[6] = rt_arena_take(&c->arena, (size_t)c->t.model->n_joints, sizeof *all);
    assert_non_null(all);
    joint_multipliers(c, absolute->state, m, all, state);
    assert_int_equal(rt_evaluate(m, w, state, RT_EVALUATE_RESIDUAL, &error), ROUTH_OK);
    rt_natural.own_multipliers(m->joined, state->q, state->udot, w->bodies,
                               w->joined->inner->residual, (const double(*)[6])all,
                               state->lambda + m->n_joint_rows, c->work);
    assert_int_equal(rt_evaluate(m, w, state, RT_EVALUATE_RESIDUAL, &error), ROUTH_OK);
    const double size = fmax(1, largest_of(w->scale, m->n_u));
    for (int k = 0; k < m->n_u; k++) check_to(w->residual[k] / size, 0, tolerance, "balance");
    n_balanced += c->j.n_own > 0;
    routh_operating_point_free(absolute);
    routh_operating_point_free(natural);
    rt_workspace_free(w);
    routh_mechanism_free(m);
}

static void multipliers_follow_from_the_forces_of_joints(void **state)
{
    (void)state;
    n_balanced = 0;
    visit_all(look_at_multipliers, 309);
    assert_true(n_balanced >= with_effort(60));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_columns_and_rows_are_as_few_as_can_be),
        cmocka_unit_test(the_four_bar_chain_has_pins_only),
        cmocka_unit_test(a_planar_chain_has_pins_and_ends_only),
        cmocka_unit_test(the_spatial_four_bar_shares_the_ends_of_its_cranks),
        cmocka_unit_test(a_wanted_joint_shares_nothing),
        cmocka_unit_test(frames_are_rigid_and_taken_back),
        cmocka_unit_test(screws_along_the_rows),
        cmocka_unit_test(geometric_stiffness_of_a_held_wrench),
        cmocka_unit_test(own_rows_and_their_levels),
        cmocka_unit_test(motions_found_elsewhere_are_reproduced),
        cmocka_unit_test(the_mass_is_that_of_rigid_bodies),
        cmocka_unit_test(held_rows_hold),
        cmocka_unit_test(the_degrees_of_freedom_are_those_of_free_bodies_with_joints),
        cmocka_unit_test(multipliers_follow_from_the_forces_of_joints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
