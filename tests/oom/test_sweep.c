/* The N-th allocation of a sweep fails, for every N: the caller is told OUT_OF_MEMORY and gets
 * nothing, or gets what he gets otherwise. */
#define _XOPEN_SOURCE 700
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "oom/refuse.h"
#include "routh/routh.h"
#include "support/effort.h"
#include "support/temporary.h"

/* Flutter at p = 0.05, and the damping makes one more value uncertain at the start, p = 0. */
static const char model[] =
    "parameters: {p: 0}\n"
    "gravity: [0, 0, 0]\n"
    "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
    "joints: {slide: {type: translational, between: [a, ground], at: [0, 0, 0], axis: x}}\n"
    "loads: {on: {type: force, on: a, components: [-4*DX(a) + (p - 0.05)*VX(a), 0, 0]}}\n"
    "operating_point: {type: static}\n";

static routh_status sweep(const char *path, double *answer, routh_error *error)
{
    routh_sweep_axis axis;
    routh_sweep *s = NULL;
    routh_text text[4] = {{0}};
    routh_sweep_options o = routh_sweep_defaults();
    o.threads = 1;
    routh_status status = routh_sweep_axis_parse(&axis, "p=0:0.11:3", NULL, error);
    if (!status) status = routh_sweep_run(&s, path, &axis, 1, &o, error);
    if (!status) status = routh_sweep_table(s, NULL, &text[0], error);
    if (!status) status = routh_sweep_json(s, &text[1], error);
    if (!status) status = routh_sweep_csv(s, &text[2], error);
    if (!status) status = routh_sweep_svg(s, &text[3], error);
    if (!status) *answer = s->lines[0].n_events == 1 ? s->lines[0].events[0].value : NAN;
    if (status) assert_true(s == NULL || s->n_lines == 1);
    for (int k = 0; k < 4; k++) routh_text_free(&text[k]);
    routh_sweep_free(s);
    routh_sweep_axis_free(&axis);
    return status;
}

/* Flutter at p = q^2 / 2, followed from q = 0.3. */
static const char parabola[] =
    "parameters: {p: 0, q: 0.3}\n"
    "gravity: [0, 0, 0]\n"
    "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
    "joints: {slide: {type: translational, between: [a, ground], at: [0, 0, 0], axis: x}}\n"
    "loads: {on: {type: force, on: a, components: [-4*DX(a) + (p - q^2/2)*VX(a), 0, 0]}}\n"
    "operating_point: {type: static}\n";

static routh_status boundary(const char *path, double *answer, routh_error *error)
{
    routh_sweep_axis axis;
    routh_sweep *s = NULL;
    routh_text text[3] = {{0}};
    routh_sweep_options o = routh_sweep_defaults();
    o.threads = 1;
    o.boundary = "q";
    o.boundary_low = 0.25, o.boundary_high = 0.35;
    routh_status status = routh_sweep_axis_parse(&axis, "p=0:0.11:3", NULL, error);
    if (!status) status = routh_sweep_run(&s, path, &axis, 1, &o, error);
    if (!status) status = routh_sweep_table(s, NULL, &text[0], error);
    if (!status) status = routh_sweep_json(s, &text[1], error);
    if (!status) status = routh_sweep_svg(s, &text[2], error);
    if (!status) {
        assert_int_equal(s->n_boundaries, 1);
        const routh_sweep_boundary *b = &s->boundaries[0];
        assert_true(b->n > 3);
        *answer = b->points[b->n / 2].value - pow(b->points[b->n / 2].second, 2) / 2;
    }
    for (int k = 0; k < 3; k++) routh_text_free(&text[k]);
    routh_sweep_free(s);
    routh_sweep_axis_free(&axis);
    return status;
}

/* A bar pressed flat, whose equilibrium ends where s^3 = L (tests/studies). */
static const char truss[] =
    "parameters: {load: 0}\n"
    "gravity: [0, 0, 0]\n"
    "bodies: {top: {mass: 1, inertia: [1, 1, 1], position: [0, 0.3, 0]}}\n"
    "joints: {guide: {type: translational, between: [top, ground], at: [0, 0, 0], axis: y}}\n"
    "markers: {foot: {body: ground, position: [1, 0, 0]}, head: {body: top}}\n"
    "loads:\n"
    "  bar: {type: spring, between: [head, foot], stiffness: 1000, damping: 1}\n"
    "  weight: {type: force, on: head, components: [0, -load, 0]}\n"
    "operating_point: {type: static}\n";

/* Two frequencies that come within 1e-3 of each other at p = 1.000001. */
static const char veering[] =
    "parameters: {p: 1}\n"
    "gravity: [0, 0, 0]\n"
    "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
    "joints:\n"
    "  slide_a: {type: translational, between: [a, ground], at: [0, 0, 0], axis: x}\n"
    "  slide_b: {type: translational, between: [b, ground], at: [0, 0, 0], axis: x}\n"
    "loads:\n"
    "  on_a: {type: force, on: a, components: [-DX(a) - 1e-3*(DX(a) - DX(b)), 0, 0]}\n"
    "  on_b: {type: force, on: b, components: [-p*DX(b) - 1e-3*(DX(b) - DX(a)), 0, 0]}\n"
    "operating_point: {type: given}\n";

/* The answer: 1 where the one event of that kind is where it is known to be. */
static routh_status find_event(const char *path, const char *over, routh_sweep_event_kind kind,
                               double expected, double *answer, routh_error *error)
{
    routh_sweep_axis axis;
    routh_sweep *s = NULL;
    routh_sweep_options o = routh_sweep_defaults();
    o.threads = 1;
    o.solve = ROUTH_SWEEP_SOLVE_ALL;
    routh_status status = routh_sweep_axis_parse(&axis, over, NULL, error);
    if (!status) status = routh_sweep_run(&s, path, &axis, 1, &o, error);
    if (!status && s->lines[0].n_events == 1) {
        const routh_sweep_event *e = s->lines[0].events;
        *answer = e->kind == kind && fabs(e->value - expected) <= e->error + 1e-9;
    }
    routh_sweep_free(s);
    routh_sweep_axis_free(&axis);
    return status;
}

static routh_status lose(const char *path, double *answer, routh_error *error)
{
    const double L = sqrt(1.09), s = cbrt(L), load = 1000 * (L - s) * sqrt(s * s - 1) / s;
    return find_event(path, "load=4.5:5.5:3", ROUTH_SWEEP_LOST, load, answer, error);
}

static routh_status veer(const char *path, double *answer, routh_error *error)
{
    return find_event(path, "p=0.5:1.7:4", ROUTH_SWEEP_VEERING, 1.000000999001, answer, error);
}

typedef routh_status (*tried)(const char *path, double *answer, routh_error *error);

/* Every stride-th of them; fewer and fewer of all (refuse.h). */
static void let_allocations_fail(const char *yaml, tried attempt, double whole, long stride)
{
    char *path = write_temporary(yaml);
    double found = NAN;
    routh_error error = {0};
    start(0, false);
    if (attempt(path, &found, &error)) fail_msg("%s", error.message);
    assert_true(fabs(found - whole) <= 1e-10);
    long refused = 1, told = 0;
    for (long n = 1; refused > 0; n = stride == 1 ? next_allocation(n) : n + stride) {
        double answer = NAN;
        error = (routh_error){0};
        catch_output();
        start(n, false);
        const routh_status status = attempt(path, &answer, &error);
        refused = n_refused;
        start(0, false);
        assert_silence();
        if (status != ROUTH_OK && (status != ROUTH_OUT_OF_MEMORY || !error.message[0]))
            fail_msg("allocation %ld: %d %s", n, (int)status, error.message);
        if (status == ROUTH_OK && !(fabs(answer - whole) <= 1e-10))
            fail_msg("allocation %ld: %.17g for %.17g", n, answer, whole);
        told += status != ROUTH_OK;
    }
    unlink(path);
    free(path);
    assert_true(told > (stride > 1 ? 20 : full_effort() ? 500 : 100));
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    let_allocations_fail(model, sweep, 0.05, 1);
}

static void so_may_those_of_boundaries(void **state)
{
    (void)state;
    let_allocations_fail(parabola, boundary, 0, full_effort() ? 293 : 797);
}

static void so_may_those_where_an_equilibrium_ends(void **state)
{
    (void)state;
    let_allocations_fail(truss, lose, 1, full_effort() ? 61 : 127);
}

static void so_may_those_of_derivatives(void **state)
{
    (void)state;
    let_allocations_fail(veering, veer, 1, full_effort() ? 61 : 151);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail),
                                       cmocka_unit_test(so_may_those_of_boundaries),
                                       cmocka_unit_test(so_may_those_where_an_equilibrium_ends),
                                       cmocka_unit_test(so_may_those_of_derivatives)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
