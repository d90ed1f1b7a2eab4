/* Relative coordinates: trees of random joints, made without the code under test. Frames against
 * the joints' own rows and against what was written; screws against frames bent by differences. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "coordinates/joined.h"
#include "elements/joints.h"
#include "model/reader.h"
#include "support/effort.h"
#include "support/mechanisms.h"

/* Values are of the order of ten after a few bodies, and the differences have an error of 1e-11. */
static const double tolerance = 1e-9;

/* Poses and twists that are copied through a chain: rounding alone. */
static const double rounding = 1e-12;

static void check_to(double found, double expected, double allowed, const char *what)
{
    if (!(fabs(found - expected) <= allowed * fmax(1, fabs(expected))))
        fail_msg("%s is %.15g and should be %.15g", what, found, expected);
}

static void check(double found, double expected, const char *what)
{
    check_to(found, expected, tolerance, what);
}

/* ---- random trees ---------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int columns;
} types[] = {{"fixed", 0},       {"revolute", 1},  {"translational", 1},
             {"cylindrical", 2}, {"universal", 2}, {"screw", 1},
             {"spherical", 3},   {"planar", 3},    {"orientation", 3}};
enum { N_TYPES = sizeof types / sizeof types[0], FLOATS = -1, MOST = 5 };

static bool is(const char *name, const char *other) { return strcmp(name, other) == 0; }

/* The first marker relative to the second: what the rows of src/elements/joint_table.c allow, the
 * axes that they keep parallel pointing either way. */
static void allowed_place(int type, random_stream *random, double d[3], double R[9])
{
    const char *name = types[type].name;
    double x[4], A[9], B[9], C[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const uint64_t branch = random_bits(random);
    random_reals(random, 4, x);
    rt_v3_set(d, 0, 0, 0);
    rt_m3_identity(R);
    if (is(name, "translational") || is(name, "cylindrical") || is(name, "screw")) d[2] = x[0];
    if (is(name, "planar") || is(name, "orientation")) d[0] = x[0], d[1] = x[1];
    if (is(name, "orientation")) d[2] = x[2];
    if (is(name, "spherical")) {
        random_rotation(random, 3 * x[3], R);
        return;
    }
    if (is(name, "universal")) {
        const double b[3] = {0, 3 * x[0], 0}, a[3] = {3 * x[1], 0, 0};
        rt_rotation_exp(A, b);
        rt_rotation_exp(B, a);
        rt_m3_mul(R, A, B);
        return;
    }
    if (branch & 1) C[4] = C[8] = -1; /* about x: z is reversed */
    if (branch & 2) C[0] *= -1, C[4] *= -1;
    const double z[3] = {0, 0, 3 * x[3]};
    if (types[type].columns && !is(name, "translational") && !is(name, "orientation"))
        rt_rotation_exp(R, z);
    rt_m3_mul(A, R, C);
    memcpy(R, A, sizeof A);
}

typedef struct tree_plan {
    int n;
    int type[MOST], parent[MOST]; /* parent: an earlier body, -1 the ground */
    bool from_first[MOST];        /* the parent holds the first marker */
    int name[MOST];               /* body k is written under this name, in the order of names */
    bool cut[MOST];
    const char *more; /* further joints */
} tree_plan;

static void write_vector(growing_text *text, const char *name, const double x[3])
{
    text_add(text, "%s: [%.17g, %.17g, %.17g]", name, x[0], x[1], x[2]);
}

static void write_pose(growing_text *text, const double r[3], const double A[9])
{
    write_vector(text, "position", r);
    text_add(text, ", orientation: {matrix: [");
    for (int i = 0; i < 9; i += 3)
        text_add(text, "%s[%.17g, %.17g, %.17g]", i ? ", " : "", A[i], A[i + 1], A[i + 2]);
    text_add(text, "]}");
}

static void write_body(growing_text *text, int name, const double r[3], const double A[9])
{
    text_add(text, "  b%d: {mass: 1, inertia: [1, 1, 1], ", name);
    write_pose(text, r, A);
    text_add(text, "}\n");
}

/* A marker of joint k whose axes, turned by the joint's triad, stand at (r, A) in the world. */
static void write_marker(growing_text *text, const char *name, int k, int body,
                         const double body_r[3], const double body_A[9], const double r[3],
                         const double A[9], const double triad[9])
{
    double s[3], local[3], M[9], B[9];
    rt_v3_sub(s, r, body_r);
    rt_m3_tmul_v(local, body_A, s);
    rt_m3_mul_t(M, A, triad);
    rt_m3_tmul(B, body_A, M);
    text_add(text, "  %s%d: {body: ", name, k);
    text_add(text, body < 0 ? "ground, " : "b%d, ", body);
    write_pose(text, local, B);
    text_add(text, "}\n");
}

static void write_tree(growing_text *text, const tree_plan *plan, random_stream *random)
{
    double r[MOST + 1][3] = {{0}}, A[MOST + 1][9]; /* [0] the ground */
    growing_text markers = {0}, joints = {0};
    rt_m3_identity(A[0]);
    for (int k = 1; k <= plan->n; k++) {
        random_reals(random, 3, r[k]);
        random_rotation(random, 3 * random_real(random), A[k]);
    }
    text_add(text, "bodies:\n");
    for (int name = 0; name < plan->n; name++)
        for (int k = 0; k < plan->n; k++)
            if (plan->name[k] == name) write_body(text, name, r[k + 1], A[k + 1]);
    for (int k = 0; k < plan->n; k++) {
        if (plan->type[k] == FLOATS) continue;
        const char *type = types[plan->type[k]].name;
        const bool has_axis =
            !is(type, "fixed") && !is(type, "spherical") && !is(type, "orientation");
        const int parent = plan->parent[k],
                  holder[2] = {plan->from_first[k] ? parent : k, plan->from_first[k] ? k : parent};
        double first_r[3], first_A[9], second_r[3], second_A[9], d[3], R[9], axis[3], triad[9];
        random_reals(random, 3, axis);
        rt_m3_identity(triad);
        if (has_axis) rt_triad_of_axis(axis, triad);
        random_reals(random, 3, second_r);
        random_rotation(random, 3, second_A);
        allowed_place(plan->type[k], random, d, R);
        rt_m3_mul(first_A, second_A, R);
        rt_m3_mul_v(first_r, second_A, d);
        rt_v3_add(first_r, first_r, second_r);
        for (int end = 0; end < 2; end++) {
            const int h = holder[end];
            write_marker(&markers, end ? "s" : "f", k, h < 0 ? -1 : plan->name[h], r[h + 1],
                         A[h + 1], end ? second_r : first_r, end ? second_A : first_A, triad);
        }
        text_add(&joints, "  j%d: {type: %s, between: [f%d, s%d]", k, type, k, k);
        if (has_axis) text_add(&joints, ", "), write_vector(&joints, "axis", axis);
        if (is(type, "screw")) text_add(&joints, ", pitch: %.17g", 3 * random_real(random));
        text_add(&joints, "%s}\n", plan->cut[k] ? ", cut: true" : "");
    }
    if (markers.bytes) text_add(text, "markers:\n%s", markers.bytes);
    if (joints.bytes || plan->more) text_add(text, "joints:\n");
    text_add(text, "%s%s", joints.bytes ? joints.bytes : "", plan->more ? plan->more : "");
    free(markers.bytes);
    free(joints.bytes);
}

static int pick(random_stream *random, int n) { return (int)(random_bits(random) % (uint64_t)n); }

/* Case k begins with one of the joints, from one of its ends, on the ground; the rest is random. */
static tree_plan random_plan(random_stream *random, int k)
{
    tree_plan plan = {.n = 2 + pick(random, MOST - 1)};
    for (int b = 0; b < plan.n; b++) {
        plan.parent[b] = pick(random, b + 1) - 1;
        plan.type[b] = b ? pick(random, N_TYPES) : k % N_TYPES;
        plan.from_first[b] = b ? pick(random, 2) : k / N_TYPES % 2;
        plan.name[b] = b;
        if (plan.parent[b] < 0 && b && pick(random, 2)) plan.type[b] = FLOATS;
    }
    for (int b = plan.n - 1; b > 0; b--) { /* Fisher and Yates */
        const int other = pick(random, b + 1), held = plan.name[b];
        plan.name[b] = plan.name[other];
        plan.name[other] = held;
    }
    return plan;
}

/* ---- a compiled tree ------------------------------------------------------------------------- */

typedef struct tree {
    routh_model *model;
    rt_arena arena;
    rt_joined j;
    double *q, *u, *udot, *xi, *du, *dudot; /* n_q, then n_u each */
    double *work;
    rt_frame *bodies;
    rt_screws s;
    int body; /* the one that is bent */
} tree;

static double *reals(tree *t, size_t n)
{
    double *x = RT_TAKE(&t->arena, double, n);
    assert_non_null(x);
    return x;
}

static void make_wanting(tree *t, const char *text, const bool *wanted)
{
    routh_error error;
    *t = (tree){0};
    if (routh_model_parse(&t->model, text, strlen(text), "test", NULL, 0, &error))
        fail_msg("%s (%s, line %d)\n%s", error.message, error.element, error.line, text);
    t->j = (rt_joined){.set = &rt_relative, .model = t->model, .n_bodies = t->model->n_bodies};
    assert_int_equal(rt_relative.compile(&t->j, wanted, &t->arena, &error), ROUTH_OK);
    const size_t n = (size_t)t->j.n_u, screws = 6 * (size_t)t->j.n_screws;
    t->q = reals(t, (size_t)t->j.n_q);
    t->u = reals(t, n);
    t->udot = reals(t, n);
    t->xi = reals(t, n);
    t->du = reals(t, n);
    t->dudot = reals(t, n);
    t->work = reals(t, t->j.n_work);
    t->bodies = RT_TAKE(&t->arena, rt_frame, t->model->n_bodies);
    assert_non_null(t->bodies);
    t->s = (rt_screws){reals(t, screws), reals(t, screws), reals(t, screws), reals(t, screws)};
}

static void make(tree *t, const char *text) { make_wanting(t, text, NULL); }

static void release(tree *t)
{
    rt_arena_free(&t->arena);
    routh_model_free(t->model);
}

/* The bodies as written, at rest. */
static void written_frames(const routh_model *model, rt_frame *frames)
{
    for (int b = 0; b < model->n_bodies; b++) {
        frames[b] = (rt_frame){0};
        for (int k = 0; k < 3; k++) frames[b].r[k] = model->bodies[b].position[k].value;
        for (int k = 0; k < 9; k++) frames[b].A[k] = model->bodies[b].orientation[k].value;
    }
}

/* From the written configuration, any other; moving as asked for. */
static void set_random_state(tree *t, random_stream *random, int motion)
{
    const int n = t->j.n_u;
    written_frames(t->model, t->bodies);
    rt_relative.take(&t->j, t->bodies, t->q, t->u, t->work);
    random_reals(random, n, t->xi);
    for (int k = 0; k < n; k++) t->xi[k] *= 2;
    rt_relative.advance(&t->j, t->q, t->xi);
    memset(t->u, 0, (size_t)n * sizeof *t->u);
    memset(t->udot, 0, (size_t)n * sizeof *t->u);
    if (motion == MOTION_VELOCITY || motion == MOTION_BOTH) random_reals(random, n, t->u);
    if (motion == MOTION_ACCELERATION || motion == MOTION_BOTH) random_reals(random, n, t->udot);
    random_reals(random, n, t->xi);
    random_reals(random, n, t->du);
    random_reals(random, n, t->dudot);
}

static void make_random(tree *t, random_stream *random, int k)
{
    growing_text text = {0};
    const tree_plan plan = random_plan(random, k);
    write_tree(&text, &plan, random);
    make(t, text.bytes);
    free(text.bytes);
    set_random_state(t, random, k % N_MOTIONS);
}

static void pack(const rt_frame *f, double *out) { memcpy(out, f, 24 * sizeof *out); }

static void frames_at(const tree *t, const double *q, const double *u, const double *udot,
                      rt_frame *frames)
{
    rt_relative.frames(&t->j, q, u, udot, frames, t->work);
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* The poses as written were made from the rows of the joints, and come back through q. */
static void bodies_stand_as_written_whichever_end_is_the_parent(void **state)
{
    random_stream random = {301};
    (void)state;
    for (int k = 0; k < with_effort(20 * N_TYPES); k++) {
        tree t;
        rt_frame written[MOST];
        make_random(&t, &random, k);
        written_frames(t.model, written);
        rt_relative.take(&t.j, written, t.q, t.u, t.work);
        frames_at(&t, t.q, t.u, t.udot, t.bodies);
        for (int b = 0; b < t.model->n_bodies; b++) {
            for (int i = 0; i < 3; i++) check_to(t.bodies[b].r[i], written[b].r[i], rounding, "r");
            for (int i = 0; i < 9; i++) check_to(t.bodies[b].A[i], written[b].A[i], rounding, "A");
        }
        release(&t);
    }
}

/* Angles that count turns: within half a turn of what is written. */
static void near_as_written(const rt_constraint *c, double *near)
{
    for (int r = 0; r < c->n_rows; r++)
        for (int k = 0; k < c->rows[r].n_coordinates; k++) {
            const rt_joint_coordinate *s = &c->rows[r].coordinate[k];
            if (s->angle) near[s->number] = s->reference;
        }
}

/* The rows that joints hold of themselves, by the joints' own functions, at all three levels. */
static void held_rows_hold_in_motion(void **state)
{
    random_stream random = {302};
    (void)state;
    for (int k = 0; k < with_effort(20 * N_TYPES); k++) {
        tree t;
        rt_frame written[MOST], written_markers[20], markers[20];
        make_random(&t, &random, k);
        written_frames(t.model, written);
        frames_at(&t, t.q, t.u, t.udot, t.bodies);
        assert_in_range(t.model->n_markers, 0, 20);
        for (int m = 0; m < t.model->n_markers; m++) {
            const rt_marker *marker = &t.model->markers[m];
            double s[3], A[9];
            for (int i = 0; i < 3; i++) s[i] = marker->position[i].value;
            for (int i = 0; i < 9; i++) A[i] = marker->orientation[i].value;
            const int b = marker->body;
            rt_frame_marker(&written_markers[m], b < 0 ? &rt_ground_frame : &written[b], s, A);
            rt_frame_marker(&markers[m], b < 0 ? &rt_ground_frame : &t.bodies[b], s, A);
        }
        double near[8] = {0};
        assert_in_range(t.model->n_angles, 0, 8);
        const rt_program_input at_start = {.frames = {written_markers}, .near = near};
        const rt_program_input in = {.frames = {markers}, .near = near};
        for (int j = 0; j < t.model->n_joints; j++) {
            rt_constraint c;
            rt_gradient phi;
            double value[3];
            assert_int_equal(rt_constraint_compile(&c, t.model, j, t.model->graph, &t.arena, NULL),
                             ROUTH_OK);
            rt_constraint_set_references(&c, t.model, &at_start);
            near_as_written(&c, near);
            assert_int_equal(t.j.held[j], (1u << c.n_rows) - 1);
            for (int r = 0; r < c.n_rows; r++) {
                rt_row_evaluate(&c.rows[r], &in, value, &phi);
                for (int level = 0; level < 3; level++)
                    check_to(value[level], 0, 1e-11, c.rows[r].label);
            }
        }
        release(&t);
    }
}

/* q and u from frames in motion; a screw also through many turns. */
static void frames_are_taken_exactly(void **state)
{
    random_stream random = {303};
    (void)state;
    for (int k = 0; k < with_effort(20 * N_TYPES); k++) {
        tree t;
        rt_frame again[MOST];
        double u[6 * MOST], none[6 * MOST] = {0};
        make_random(&t, &random, k);
        random_reals(&random, t.j.n_u, t.u);
        for (int c = 0; c < t.j.n_u; c++) t.xi[c] *= 30;
        rt_relative.advance(&t.j, t.q, t.xi);
        frames_at(&t, t.q, t.u, none, t.bodies);
        rt_relative.take(&t.j, t.bodies, t.q, u, t.work);
        frames_at(&t, t.q, u, none, again);
        for (int b = 0; b < t.model->n_bodies; b++) {
            double expected[24], found[24];
            pack(&t.bodies[b], expected);
            pack(&again[b], found);
            for (int i = 0; i < 18; i++)
                check_to(found[i], expected[i], 1e-10, "frame taken and given back");
        }
        for (int c = 0; c < t.j.n_u; c++) check_to(u[c], t.u[c], 1e-10, "u taken");
        release(&t);
    }
}

/* Where the frames do not satisfy the joints, the bodies stand as near as the error is large: up to
 * five joints with arms of up to ten, two errors each. Any numbers give finite ones. */
static void frames_that_do_not_fit_are_taken_nearby(void **state)
{
    random_stream random = {304};
    const double error = 1e-4;
    (void)state;
    for (int k = 0; k < with_effort(4 * N_TYPES); k++) {
        tree t;
        rt_frame wrong[MOST];
        make_random(&t, &random, k);
        frames_at(&t, t.q, t.u, t.udot, t.bodies);
        for (int b = 0; b < t.model->n_bodies; b++) {
            double xi[18];
            random_reals(&random, 18, xi);
            wrong[b] = perturbed_frame(&t.bodies[b], error, xi);
        }
        rt_relative.take(&t.j, wrong, t.q, t.u, t.work);
        frames_at(&t, t.q, t.u, t.udot, t.bodies);
        for (int b = 0; b < t.model->n_bodies; b++)
            for (int i = 0; i < 12; i++) {
                double found[24], expected[24];
                pack(&t.bodies[b], found);
                pack(&wrong[b], expected);
                check_to(found[i], expected[i], 200 * error, "frame nearby");
            }
        for (int b = 0; b < t.model->n_bodies; b++) random_reals(&random, 24, (double *)&wrong[b]);
        rt_relative.take(&t.j, wrong, t.q, t.u, t.work);
        for (int i = 0; i < t.j.n_q; i++) assert_true(isfinite(t.q[i]));
        for (int i = 0; i < t.j.n_u; i++) assert_true(isfinite(t.u[i]));
        release(&t);
    }
}

static void in_time(void *context, double time, double *out)
{
    const tree *t = context;
    double q[7 * MOST], u[6 * MOST], step[6 * MOST];
    rt_frame frames[MOST];
    memcpy(q, t->q, (size_t)t->j.n_q * sizeof *q);
    for (int k = 0; k < t->j.n_u; k++) {
        step[k] = time * t->u[k] + time * time / 2 * t->udot[k];
        u[k] = t->u[k] + time * t->udot[k]; /* to first order in time the rates of that path */
    }
    rt_relative.advance(&t->j, q, step);
    frames_at(t, q, u, t->udot, frames);
    pack(&frames[t->body], out);
}

static void twists_and_accelerations_are_derivatives_in_time(void **state)
{
    random_stream random = {305};
    (void)state;
    for (int k = 0; k < with_effort(5 * N_TYPES); k++) {
        tree t;
        make_random(&t, &random, k);
        random_reals(&random, t.j.n_u, t.u);
        random_reals(&random, t.j.n_u, t.udot);
        for (t.body = 0; t.body < t.model->n_bodies; t.body++) {
            double d[24], W[9], WA[9];
            differentiate(in_time, &t, 0.02, 24, d);
            frames_at(&t, t.q, t.u, t.udot, t.bodies);
            const rt_frame *f = &t.bodies[t.body];
            rt_m3_skew(W, f->w);
            rt_m3_mul(WA, W, f->A);
            for (int i = 0; i < 3; i++) {
                check(d[i], f->v[i], "r'");
                check(d[12 + i], f->a[i], "v'");
                check(d[15 + i], f->al[i], "w'");
            }
            for (int i = 0; i < 9; i++) check(d[3 + i], WA[i], "A'");
        }
        release(&t);
    }
}

/* ---- screws ---------------------------------------------------------------------------------- */

static void bent(void *context, double eps, double *out)
{
    const tree *t = context;
    double q[7 * MOST], u[6 * MOST], udot[6 * MOST], step[6 * MOST];
    rt_frame frames[MOST];
    memcpy(q, t->q, (size_t)t->j.n_q * sizeof *q);
    for (int k = 0; k < t->j.n_u; k++) {
        step[k] = eps * t->xi[k];
        u[k] = t->u[k] + eps * t->du[k];
        udot[k] = t->udot[k] + eps * t->dudot[k];
    }
    rt_relative.advance(&t->j, q, step);
    frames_at(t, q, u, udot, frames);
    pack(&frames[t->body], out);
}

/* Spatial levels of the body: Xi, Xi', Xi'' by the header's three lines. */
static void spatial_levels(const tree *t, double Xi[3][6])
{
    memset(Xi, 0, 18 * sizeof(double));
    for (int e = t->j.start[t->body]; e < t->j.start[t->body + 1]; e++) {
        const int c = t->j.column[e], s = 6 * t->j.screw[e];
        for (int i = 0; i < 6; i++) {
            Xi[0][i] += t->s.J[s + i] * t->xi[c];
            Xi[1][i] += t->s.J[s + i] * t->du[c] + t->s.J1[s + i] * t->xi[c];
            Xi[2][i] += t->s.J[s + i] * t->dudot[c] + t->s.J2u[s + i] * t->du[c] +
                        t->s.J2x[s + i] * t->xi[c];
        }
    }
}

/* dr = Xi_O + dtheta x r, r from O, and its time derivatives. */
static void body_levels(const rt_frame *f, const double O[3], double Xi[3][6], double level[3][6])
{
    double r[3];
    rt_v3_sub(r, f->r, O);
    memcpy(level, Xi, 18 * sizeof(double));
    rt_v3_cross_add(level[0], Xi[0] + 3, r);
    rt_v3_cross_add(level[1], Xi[1] + 3, r);
    rt_v3_cross_add(level[1], Xi[0] + 3, f->v);
    rt_v3_cross_add(level[2], Xi[2] + 3, r);
    for (int twice = 0; twice < 2; twice++) rt_v3_cross_add(level[2], Xi[1] + 3, f->v);
    rt_v3_cross_add(level[2], Xi[0] + 3, f->a);
}

/* dA = dtheta~ A, dw = dtheta' - w x dtheta, dal = dtheta'' - al x dtheta - w x dtheta' */
static void expected_change(const rt_frame *f, double level[3][6], double out[24])
{
    double turn[9];
    memcpy(out, level[0], 3 * sizeof *out);
    rt_m3_skew(turn, level[0] + 3);
    rt_m3_mul(out + 3, turn, f->A);
    memcpy(out + 12, level[1], 6 * sizeof *out);
    rt_v3_cross_add(out + 15, level[0] + 3, f->w);
    memcpy(out + 18, level[2], 6 * sizeof *out);
    rt_v3_cross_add(out + 21, level[0] + 3, f->al);
    rt_v3_cross_add(out + 21, level[1] + 3, f->w);
}

static void screws_give_the_change_of_every_frame(void **state)
{
    random_stream random = {306};
    (void)state;
    for (int k = 0; k < with_effort(8 * N_TYPES); k++) {
        tree t;
        make_random(&t, &random, k);
        for (t.body = 0; t.body < t.model->n_bodies; t.body++) {
            double d[24], Xi[3][6], level[3][6], expected[24];
            differentiate(bent, &t, 0.04, 24, d);
            frames_at(&t, t.q, t.u, t.udot, t.bodies);
            rt_relative.screws(&t.j, t.q, t.u, t.udot, t.bodies, &t.s, t.work);
            spatial_levels(&t, Xi);
            body_levels(&t.bodies[t.body], t.j.origin, Xi, level);
            expected_change(&t.bodies[t.body], level, expected);
            for (int i = 0; i < 24; i++) check(d[i], expected[i], "bent frame");
        }
        release(&t);
    }
}

typedef struct one_screw {
    tree *t;
    int column;
} one_screw;

static void bent_screw(void *context, double eps, double *out)
{
    const one_screw *x = context;
    tree *t = x->t;
    double q[7 * MOST], step[6 * MOST];
    memcpy(q, t->q, (size_t)t->j.n_q * sizeof *q);
    for (int k = 0; k < t->j.n_u; k++) step[k] = eps * t->xi[k];
    rt_relative.advance(&t->j, q, step);
    frames_at(t, q, t->u, t->udot, t->bodies);
    rt_relative.screws(&t->j, q, t->u, t->udot, t->bodies, &t->s, t->work);
    memcpy(out, t->s.J + 6 * x->column, 6 * sizeof *out);
}

/* d(S_c) = sum over the carrier's path of (S_k x S_c) xi_k */
static void screws_turn_with_their_carriers(void **state)
{
    random_stream random = {307};
    (void)state;
    for (int k = 0; k < with_effort(4 * N_TYPES); k++) {
        tree t;
        make_random(&t, &random, k);
        for (int c = 0; c < t.j.n_u; c++) {
            one_screw x = {&t, c};
            double d[6], sum[6] = {0};
            differentiate(bent_screw, &x, 0.04, 6, d);
            bent_screw(&x, 0, sum);
            const double *S = t.s.J + 6 * c;
            memset(sum, 0, sizeof sum);
            for (int p = t.j.carrier[c]; p >= 0; p = t.j.parent[p]) {
                double v[3], w[3];
                const double *T = t.s.J + 6 * p;
                rt_v3_cross(v, T + 3, S);
                rt_v3_cross_add(v, T, S + 3);
                rt_v3_cross(w, T + 3, S + 3);
                rt_v3_add_scaled(sum, t.xi[p], v);
                rt_v3_add_scaled(sum + 3, t.xi[p], w);
            }
            for (int i = 0; i < 6; i++) check(d[i], sum[i], "bent screw");
        }
        release(&t);
    }
}

/* ---- the tree -------------------------------------------------------------------------------- */

static int depth_of(const rt_joined *j, int body) { return j->start[body + 1] - j->start[body]; }

/* Without floating bodies, whose base is another one than in the plan. */
static void columns_are_those_of_the_path(void **state)
{
    random_stream random = {308};
    (void)state;
    for (int k = 0; k < with_effort(4 * N_TYPES); k++) {
        growing_text text = {0};
        tree_plan plan = random_plan(&random, k);
        for (int b = 0; b < plan.n; b++)
            if (plan.type[b] == FLOATS) plan.type[b] = pick(&random, N_TYPES);
        write_tree(&text, &plan, &random);
        tree t;
        make(&t, text.bytes);
        free(text.bytes);
        int n_u = 0, depth[MOST];
        for (int b = 0; b < plan.n; b++) {
            const int own = types[plan.type[b]].columns;
            depth[b] = own + (plan.parent[b] < 0 ? 0 : depth[plan.parent[b]]);
            n_u += own;
        }
        assert_int_equal(t.j.n_u, n_u);
        assert_int_equal(t.j.n_screws, n_u);
        assert_int_equal(t.j.n_own, 0);
        assert_int_equal(t.j.start[0], 0);
        for (int c = 0; c < n_u; c++) assert_in_range(t.j.parent[c] + 1, 0, c);
        for (int b = 0; b < plan.n; b++) {
            const int body = plan.name[b];
            assert_int_equal(depth_of(&t.j, body), depth[b]);
            int c = t.j.tip[body];
            for (int e = t.j.start[body + 1] - 1; e >= t.j.start[body]; e--, c = t.j.parent[c]) {
                assert_int_equal(t.j.column[e], c);
                assert_int_equal(t.j.screw[e], c);
            }
            assert_int_equal(c, -1);
            if (types[plan.type[b]].columns) assert_int_equal(t.j.column_body[t.j.tip[body]], body);
        }
        release(&t);
    }
}

#define BODY(name) "  " name ": {mass: 1, inertia: [1, 1, 1]}\n"
#define HINGE(name, a, b) "  " name ": {type: revolute, between: [" a ", " b "], at: [0, 0, 0]}\n"

static void check_tree(const char *text, const bool *wanted, int n_u, int n_joints,
                       const char *const *in_tree)
{
    tree t;
    make_wanting(&t, text, wanted);
    assert_int_equal(t.j.n_u, n_u);
    int n_held = 0;
    for (int j = 0; j < t.model->n_joints; j++) n_held += t.j.held[j] != 0;
    assert_int_equal(n_held, n_joints);
    for (int k = 0; k < n_joints; k++)
        assert_true(t.j.held[rt_model_find_joint(t.model, in_tree[k])] != 0);
    release(&t);
}

#define LOOP "bodies:\n" BODY("a") BODY("b") BODY("c") "joints:\n" HINGE("p", "ground", "a")
#define REST HINGE("s", "c", "ground")

static void loops_are_cut_far_from_the_ground_or_where_it_is_asked(void **state)
{
    (void)state;
    static const char *const usual[] = {"p", "s", "q"}, *const cut[] = {"p", "q", "r"};
    check_tree(LOOP HINGE("q", "a", "b") HINGE("r", "b", "c") REST, NULL, 3, 3, usual);
    check_tree(LOOP HINGE("q", "a", "b") HINGE(
                   "r", "b", "c") "  s: {type: revolute, between: [c, ground], at: [0, 0, 0], cut: "
                                  "true}\n",
               NULL, 3, 3, cut);
    static const bool wanted[] = {false, false, false, true};
    check_tree(LOOP HINGE("q", "a", "b") HINGE("r", "b", "c") REST, wanted, 3, 3, cut);
}

/* A ball next to the ground, or three columns fewer through a neighbour: the fewer are taken. */
static void paths_have_the_fewest_columns(void **state)
{
    (void)state;
    static const char *const in_tree[] = {"p", "q"};
    check_tree("bodies:\n" BODY("a") BODY(
                   "b") "joints:\n"
                        "  ball: {type: spherical, between: [b, ground], at: [0, 0, 0]}\n" HINGE(
                            "p", "ground", "a") HINGE("q", "a", "b"),
               NULL, 2, 2, in_tree);
}

/* Two bodies on hinges that are also fixed to each other twice: no circle. */
static void fixed_joints_make_no_circle(void **state)
{
    (void)state;
    static const char *const in_tree[] = {"p", "f"};
    check_tree("bodies:\n" BODY("a") BODY("b") "joints:\n" HINGE("p", "ground", "a")
                   HINGE("q", "ground", "b") "  f: {type: fixed, between: [a, b]}\n"
                                             "  g: {type: fixed, between: [b, a]}\n",
               NULL, 1, 2, in_tree);
}

/* What is no chain of steps never carries a body: the three float, then hang on each other. */
static void bodies_out_of_reach_float(void **state)
{
    (void)state;
    static const char *const in_tree[] = {"q", "r"};
    check_tree(LOOP HINGE("q", "a", "b") "  r: {type: fixed, between: [c, b]}\n",
               (bool[]){true, 0, 0}, 7, 2, in_tree);
    static const char others[] = "bodies:\n" BODY(
        "a") "joints:\n"
             "  c: {type: constant_velocity, between: [a, ground], at: [0, 0, 0]}\n"
             "  p: {type: parallel_axes, between: [a, ground]}\n"
             "  i: {type: inline, between: [a, ground]}\n"
             "  m: {type: motion, between: [a, ground], along: z, function: time}\n";
    check_tree(others, NULL, 6, 0, NULL);
}

/* Written from the last to the first, so that nothing is where it would be in order. */
static void a_long_chain_needs_no_recursion(void **state)
{
    enum { N = 1000 };
    (void)state;
    growing_text text = {0};
    text_add(&text, "bodies:\n");
    for (int k = N - 1; k >= 0; k--)
        text_add(&text, "  b%d: {mass: 1, inertia: [1, 1, 1], position: [%d, 0, 0]}\n", k, k);
    text_add(&text, "joints:\n");
    for (int k = N - 1; k > 0; k--)
        text_add(&text, "  j%d: {type: revolute, between: [b%d, b%d], at: [%d, 0, 0]}\n", k, k,
                 k - 1, k);
    text_add(&text, "  j0: {type: revolute, between: [b0, ground], at: [0, 0, 0]}\n");
    tree t;
    make(&t, text.bytes);
    free(text.bytes);
    assert_int_equal(t.j.n_u, N);
    for (int b = 0; b < N; b++) assert_int_equal(depth_of(&t.j, b), N - b);
    frames_at(&t, t.q, t.u, t.udot, t.bodies);
    for (int b = 0; b < N; b++) check_to(t.bodies[b].r[0], N - 1 - b, rounding, "x");
    release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_stand_as_written_whichever_end_is_the_parent),
        cmocka_unit_test(held_rows_hold_in_motion),
        cmocka_unit_test(frames_are_taken_exactly),
        cmocka_unit_test(frames_that_do_not_fit_are_taken_nearby),
        cmocka_unit_test(twists_and_accelerations_are_derivatives_in_time),
        cmocka_unit_test(screws_give_the_change_of_every_frame),
        cmocka_unit_test(screws_turn_with_their_carriers),
        cmocka_unit_test(columns_are_those_of_the_path),
        cmocka_unit_test(loops_are_cut_far_from_the_ground_or_where_it_is_asked),
        cmocka_unit_test(paths_have_the_fewest_columns),
        cmocka_unit_test(fixed_joints_make_no_circle),
        cmocka_unit_test(bodies_out_of_reach_float),
        cmocka_unit_test(a_long_chain_needs_no_recursion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
