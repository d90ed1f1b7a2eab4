#include "output/full_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double hard[] = {1.0 / 3,
                              -0.0,
                              5e-324,
                              1.7976931348623157e308,
                              -0.1,
                              2.0 / 7,
                              1e22,
                              -1e-300,
                              9007199254740993.0,
                              0.3,
                              123456789.123456789,
                              0};

/* n numbers, no two matrices alike. */
static double *numbers(size_t n)
{
    static double pool[4000];
    static size_t used;
    if (used + n > sizeof pool / sizeof *pool) used = 0;
    double *p = pool + used;
    for (size_t k = 0; k < n; k++)
        p[k] = (used + k) % 3 ? hard[(used + k) % 12] : (double)(used + k) / 7 - 40;
    used += n;
    return p;
}

static void fill(double *to, size_t n) { memcpy(to, numbers(n), n * sizeof *to); }

static routh_state_name states[FULL_STATES] = {
    {"a,b.\"x\"", "m", "ground", 0},
    {"\xce\xb8", "\xc2\xb0", "", 0}, /* theta, degree */
    {"a.x' ", "m/s", " ground", 0},
    {"\xf0\x9d\x84\x9e.x1", "", "", 0}, /* beyond the first plane of Unicode */
};
static routh_signal_name inputs[FULL_INPUTS] = {{"push", "N", 0, 0}, {"line 1\nline 2", "", 0, 0}};
static routh_signal_name outputs[FULL_OUTPUTS] = {
    {"angle", "rad", 0, 0}, {"", "", 0, 1}, {"b", "", 0, 0}};
static char *warnings[] = {"said, once", "", "A \"quoted\" </script> warning"};

static void fill_lists(routh_linear *l)
{
    static routh_body_pose bodies[3] = {{.name = "rod"}, {.name = "wheel, front"}, {.name = ""}};
    static routh_marker_motion markers[2] = {{.name = "tip", .body = "rod"},
                                             {.name = "ground", .body = "ground"}};
    static routh_energy_fraction shares[3] = {
        {.name = "body rod", .kind = ROUTH_ENERGY_KINETIC, .n_rows = 2},
        {.name = "load s", .kind = ROUTH_ENERGY_DISSIPATION, .n_rows = 0},
        {.name = "load s", .kind = ROUTH_ENERGY_STRAIN, .n_rows = 3}};
    for (int k = 0; k < FULL_STATES; k++) fill(&states[k].value, 1);
    for (int k = 0; k < FULL_INPUTS; k++) fill(&inputs[k].value, 1);
    for (int k = 0; k < FULL_OUTPUTS; k++) fill(&outputs[k].value, 1);
    for (int k = 0; k < 3; k++) {
        fill(bodies[k].position, 3), fill(bodies[k].orientation, 9);
        fill(bodies[k].velocity, 3), fill(bodies[k].angular_velocity, 3);
        const size_t n = (size_t)shares[k].n_rows;
        shares[k].rows = numbers(n * FULL_STATES), shares[k].weight = numbers(n * n);
    }
    for (int k = 0; k < 2; k++) {
        fill(markers[k].position, 3), fill(markers[k].orientation, 9);
        markers[k].motion = numbers(6 * FULL_STATES);
    }
    l->point.bodies = bodies, l->markers = markers, l->shares = shares;
    l->point.n_bodies = 3, l->n_markers = 2, l->n_shares = 3;
}

routh_linear full_model(void)
{
    static double bound[FULL_STATES];
    const size_t n = FULL_STATES, p = FULL_POSITION, v = FULL_VELOCITY, c = FULL_CONTROL,
                 in = FULL_INPUTS, out = FULL_OUTPUTS;
    routh_linear l = {
        .title = "A \xc3\xa9 title, \"hard\"\n of two lines",
        .file = "models/x.yaml",
        .version = "9.8.7",
        .point = {.type = "static", .time = 0.1, .tolerance = 1e-12, .constraint_error = 3e-17},
        .coordinates = "absolute",
        .method = "minimal:qr",
        .method_by_auto = 1,
        .reference = "ground",
        .n_position = FULL_POSITION,
        .n_velocity = FULL_VELOCITY,
        .n_control = FULL_CONTROL,
        .n_states = FULL_STATES,
        .n_infinite = 7,
        .states = states,
        .n_inputs = FULL_INPUTS,
        .n_outputs = FULL_OUTPUTS,
        .inputs = inputs,
        .outputs = outputs,
        .residual = 1.0 / 3,
        .at_rest = 1,
        .drift = INFINITY,
        .steady = 0,
        .error_estimate = 1e-9,
        .n_warnings = 3,
        .warnings = warnings};
    fill_lists(&l);
    l.A = numbers(n * n), l.affine = numbers(n);
    l.mass = numbers(v * v), l.damping = numbers(v * v), l.stiffness = numbers(v * p);
    l.coupling = numbers(v * c);
    l.B = numbers(n * in), l.B1 = numbers(n * in), l.B2 = numbers(n * in);
    l.C = numbers(out * n);
    l.D = numbers(out * in), l.D1 = numbers(out * in), l.D2 = numbers(out * in);
    l.force = numbers(v * in), l.force1 = numbers(v * in), l.force2 = numbers(v * in);
    l.n_bounds = FULL_STATES;
    l.bound_re = numbers(n), l.bound_im = numbers(n), l.bound = bound;
    fill(bound, n);
    bound[2] = INFINITY;
    return l;
}

/* ---- comparing ------------------------------------------------------------------------------ */

static void same_text(const char *a, const char *b)
{
    assert_non_null(b);
    assert_string_equal(a ? a : "", b);
}

/* To the bit, -0 told from 0; matrices that are not there are not there. */
static void same_numbers(const double *a, const double *b, size_t n)
{
    if (n == 0) return;
    assert_int_equal(a == NULL, b == NULL);
    if (a) assert_memory_equal(a, b, n * sizeof *a);
}

static void same_scalar(double a, double b) { assert_memory_equal(&a, &b, sizeof a); }

static void same_signals(const routh_signal_name *a, const routh_signal_name *b, int n)
{
    for (int k = 0; k < n; k++) {
        same_text(a[k].name, b[k].name);
        same_text(a[k].unit, b[k].unit);
        same_scalar(a[k].value, b[k].value);
    }
}

static void same_point(const routh_operating_record *a, const routh_operating_record *b)
{
    same_text(a->type, b->type);
    same_scalar(a->time, b->time);
    same_scalar(a->tolerance, b->tolerance);
    same_scalar(a->constraint_error, b->constraint_error);
    assert_int_equal(a->n_bodies, b->n_bodies);
    for (int k = 0; k < a->n_bodies; k++) {
        same_text(a->bodies[k].name, b->bodies[k].name);
        same_numbers(a->bodies[k].position, b->bodies[k].position, 3);
        same_numbers(a->bodies[k].orientation, b->bodies[k].orientation, 9);
        same_numbers(a->bodies[k].velocity, b->bodies[k].velocity, 3);
        same_numbers(a->bodies[k].angular_velocity, b->bodies[k].angular_velocity, 3);
    }
}

static void same_origin(const routh_linear *a, const routh_linear *b)
{
    same_text(a->title, b->title);
    same_text(a->file, b->file);
    same_text(a->version, b->version);
    same_text(a->coordinates, b->coordinates);
    same_text(a->method, b->method);
    same_text(a->reference, b->reference);
    assert_int_equal(a->method_by_auto, b->method_by_auto);
    assert_int_equal(a->at_rest, b->at_rest);
    assert_int_equal(a->steady, b->steady);
    assert_int_equal(a->n_infinite, b->n_infinite);
    same_scalar(a->residual, b->residual);
    same_scalar(a->drift, b->drift);
    same_scalar(a->error_estimate, b->error_estimate);
    assert_int_equal(a->n_warnings, b->n_warnings);
    for (int k = 0; k < a->n_warnings; k++) same_text(a->warnings[k], b->warnings[k]);
}

static void same_matrices(const routh_linear *a, const routh_linear *b)
{
    const size_t n = (size_t)a->n_states, p = (size_t)a->n_position, v = (size_t)a->n_velocity,
                 c = (size_t)a->n_control, in = (size_t)a->n_inputs, out = (size_t)a->n_outputs;
    same_numbers(a->A, b->A, n * n);
    same_numbers(a->affine, b->affine, n);
    same_numbers(a->mass, b->mass, v * v);
    same_numbers(a->damping, b->damping, v * v);
    same_numbers(a->stiffness, b->stiffness, v * p);
    same_numbers(a->coupling, b->coupling, v * c);
    same_numbers(a->B, b->B, n * in);
    same_numbers(a->B1, b->B1, n * in);
    same_numbers(a->B2, b->B2, n * in);
    same_numbers(a->C, b->C, out * n);
    same_numbers(a->D, b->D, out * in);
    same_numbers(a->D1, b->D1, out * in);
    same_numbers(a->D2, b->D2, out * in);
    same_numbers(a->force, b->force, v * in);
    same_numbers(a->force1, b->force1, v * in);
    same_numbers(a->force2, b->force2, v * in);
}

static void same_motion(const routh_linear *a, const routh_linear *b)
{
    assert_int_equal(a->n_markers, b->n_markers);
    for (int k = 0; k < a->n_markers; k++) {
        same_text(a->markers[k].name, b->markers[k].name);
        same_text(a->markers[k].body, b->markers[k].body);
        same_numbers(a->markers[k].position, b->markers[k].position, 3);
        same_numbers(a->markers[k].orientation, b->markers[k].orientation, 9);
        same_numbers(a->markers[k].motion, b->markers[k].motion, 6 * (size_t)a->n_states);
    }
    assert_int_equal(a->n_shares, b->n_shares);
    for (int k = 0; k < a->n_shares; k++) {
        const size_t rows = (size_t)a->shares[k].n_rows;
        same_text(a->shares[k].name, b->shares[k].name);
        assert_int_equal(a->shares[k].kind, b->shares[k].kind);
        assert_int_equal(a->shares[k].n_rows, b->shares[k].n_rows);
        same_numbers(a->shares[k].rows, b->shares[k].rows, rows * (size_t)a->n_states);
        same_numbers(a->shares[k].weight, b->shares[k].weight, rows * rows);
    }
}

void assert_same_model(const routh_linear *a, const routh_linear *b)
{
    assert_int_equal(a->n_position, b->n_position);
    assert_int_equal(a->n_velocity, b->n_velocity);
    assert_int_equal(a->n_control, b->n_control);
    assert_int_equal(a->n_states, b->n_states);
    assert_int_equal(a->n_inputs, b->n_inputs);
    assert_int_equal(a->n_outputs, b->n_outputs);
    same_origin(a, b);
    same_point(&a->point, &b->point);
    for (int k = 0; k < a->n_states; k++) {
        same_text(a->states[k].name, b->states[k].name);
        same_text(a->states[k].unit, b->states[k].unit);
        same_text(a->states[k].frame, b->states[k].frame);
        same_scalar(a->states[k].value, b->states[k].value);
    }
    same_signals(a->inputs, b->inputs, a->n_inputs);
    same_signals(a->outputs, b->outputs, a->n_outputs);
    same_matrices(a, b);
    same_motion(a, b);
    assert_int_equal(a->n_bounds, b->n_bounds);
    same_numbers(a->bound_re, b->bound_re, (size_t)a->n_bounds);
    same_numbers(a->bound_im, b->bound_im, (size_t)a->n_bounds);
    same_numbers(a->bound, b->bound, (size_t)a->n_bounds);
}
