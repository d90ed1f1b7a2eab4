/* The equations with numbers of 113 bits: that they are those of the doubles, and that no digit is
 * lost on the way: K and G against differences of r and Phi to 19 digits, which a single constant
 * or function of doubles would spoil. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/mechanisms.h"
#include "system/wide.h"

static const char model[] =
    "gravity: [1.3, -2.1, -9.81]\n"
    "parameters: {p: 0.7}\n"
    "operating_point: {time: 0.4}\n"
    "bodies:\n"
    "  a: {mass: 1.3, inertia: [0.5, 0.7, 0.9, 0.05, -0.04, 0.08], position: [0.1, 0.2, 0.3],\n"
    "      velocity: [0.3, 0.2, -0.4], angular_velocity: [0.5, -0.7, 1.1]}\n"
    "  b: {mass: 0.8, inertia: [0.6, 0.4, 0.3], position: [1.2, -0.5, 0.9],\n"
    "      orientation: {rpy: [0.6, -0.7, 0.45]}, angular_velocity: [-0.3, 0.8, 0.2]}\n"
    "markers:\n"
    "  i: {body: a, position: [0.3, -0.2, 0.4], orientation: {rpy: [0.15, 0.1, -0.1]}}\n"
    "  j: {body: b, position: [-0.2, 0.3, 0.25], orientation: {rpy: [-0.1, 0.2, 0.1]}}\n"
    "  g: {body: ground, position: [-0.6, -0.4, 0.5], orientation: {rpy: [0.1, -0.15, 0.2]}}\n"
    "joints:\n"
    "  u: {type: universal, between: [i, j]}\n"
    "  r: {type: inplane, between: [j, g]}\n"
    "loads:\n"
    "  b: {type: bushing, between: [i, j], stiffness: [[30,2,1,0.5,0,1],[2,25,3,0,0.4,0],"
    "[1,4,20,0,0,0.3],[0.5,0,0,9,1,0],[0,0.4,0,2,8,0],[1,0,0.3,0,1,7]], damping: "
    "[[3,0.2,0,0.1,0,0],[0.3,2,0,0,0.1,0],[0,0,4,0,0,0],[0.1,0,0,1,0.2,0],[0,0.1,0,0.3,0.9,0],"
    "[0,0,0,0,0,0.8]], preload: [1,-2,3,0.5,-0.4,0.3]}\n"
    "  s: {type: spring, between: [i, g], stiffness: 40, damping: 3, free_length: 0.7}\n"
    "  t: {type: torsion_spring, between: [i, j], stiffness: 11, damping: 2}\n"
    "  f: {type: force, on: j, components: [\"p*sin(3*time)*DX(i, g)\", \"exp(-DM(i, j))\",\n"
    "      \"tanh(VZ(i)) + atan2(DX(i), 2)^3 + sqrt(1 + DY(j)^2) + log(2 + cos(DZ(i)))\"]}\n";

enum { MOST = 2000 };

static void place(const test_mechanism *t, rt_wide *wide)
{
    const rt_state *s = t->state;
    routh_error error;
    const rt_varied_state at = {s->t, s->q, NULL, s->u, s->udot, s->lambda, s->signal, s->near};
    assert_int_equal(rt_wide_place(wide, &at, NULL, &error), ROUTH_OK);
}

static void evaluate(rt_wide *wide)
{
    routh_error error;
    assert_int_equal(rt_wide_evaluate(wide, RT_EVALUATE_ALL, &error), ROUTH_OK);
}

static void make(test_mechanism *t, rt_wide **wide)
{
    routh_error error;
    mechanism_make(t, model);
    random_stream random = {3};
    for (int c = 0; c < t->m->n_u; c++) t->state->udot[c] = random_real(&random);
    for (int r = 0; r < t->m->n_rows; r++) t->state->lambda[r] = random_real(&random);
    assert_int_equal(rt_wide_create(wide, t->model, &error), ROUTH_OK);
    place(t, *wide);
}

static void doubles_are_those_numbers_rounded(void **state)
{
    (void)state;
    test_mechanism t;
    rt_wide *wide;
    routh_error error;
    rt_dd read[MOST];
    make(&t, &wide);
    assert_int_equal(rt_evaluate(t.m, t.w, t.state, RT_EVALUATE_ALL, &error), ROUTH_OK);
    evaluate(wide);
    const struct {
        rt_varied_array which;
        const double *is;
    } arrays[] = {{RT_VARIED_RESIDUAL, t.w->residual},
                  {RT_VARIED_PHI1, t.w->phi[1]},
                  {RT_VARIED_PHI2, t.w->phi[2]},
                  {RT_VARIED_M, t.w->M},
                  {RT_VARIED_K, t.w->K},
                  {RT_VARIED_D, t.w->D},
                  {RT_VARIED_G, t.w->G},
                  {RT_VARIED_VX, t.w->Vx},
                  {RT_VARIED_AU, t.w->Au},
                  {RT_VARIED_AX, t.w->Ax}};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        const int n = rt_wide_read(wide, arrays[k].which, read);
        double largest = 0;
        assert_true(n > 0 && n <= MOST);
        for (int e = 0; e < n; e++) largest = fmax(largest, fabs(read[e].high));
        for (int e = 0; e < n; e++)
            if (fabs(read[e].high - arrays[k].is[e]) > 1e-13 * largest)
                fail_msg("array %d, entry %d: %.17g in doubles, %.17g", (int)arrays[k].which, e,
                         arrays[k].is[e], read[e].high);
    }
    rt_wide_free(wide);
    mechanism_release(&t);
}

/* d (values of `which`) / dxi_c by a central difference with step 2 h */
static int difference(const test_mechanism *t, rt_wide *wide, rt_varied_array which, int c,
                      rt_dd *out)
{
    static const double h = 0x1p-36; /* h^2 is 2e-22 */
    rt_dd xi[64] = {{0}}, other[MOST];
    assert_true(t->m->n_u <= 64);
    int n = 0;
    for (int side = 0; side < 2; side++) {
        place(t, wide);
        xi[c] = rt_dd_of(side ? -h : h);
        rt_wide_advance(wide, xi);
        evaluate(wide);
        n = rt_wide_read(wide, which, side ? other : out);
    }
    for (int e = 0; e < n; e++)
        out[e] = rt_dd_multiply(rt_dd_subtract(out[e], other[e]), rt_dd_of(0.5 / h));
    return n;
}

static void check_partials(rt_varied_array of, rt_varied_array partial, const rt_pattern *pattern,
                           const test_mechanism *t, rt_wide *wide)
{
    rt_dd values[MOST], column[MOST];
    place(t, wide);
    evaluate(wide);
    rt_wide_read(wide, partial, values);
    for (int c = 0; c < t->m->n_u; c++) {
        const int n = difference(t, wide, of, c, column);
        for (int e = pattern->start[c]; e < pattern->start[c + 1]; e++)
            column[pattern->row[e]] = rt_dd_subtract(column[pattern->row[e]], values[e]);
        for (int r = 0; r < n; r++)
            if (fabs(column[r].high) > 1e-18)
                fail_msg("partial %d (%d, %d) is off by %.2g", (int)partial, r, c, column[r].high);
    }
}

static void partials_hold_nineteen_digits(void **state)
{
    (void)state;
    test_mechanism t;
    rt_wide *wide;
    make(&t, &wide);
    check_partials(RT_VARIED_RESIDUAL, RT_VARIED_K, &t.m->pattern_K, &t, wide);
    check_partials(RT_VARIED_PHI, RT_VARIED_G, &t.m->pattern_G, &t, wide);
    check_partials(RT_VARIED_PHI1, RT_VARIED_VX, &t.m->pattern_G, &t, wide);
    check_partials(RT_VARIED_PHI2, RT_VARIED_AX, &t.m->pattern_G, &t, wide);
    rt_wide_free(wide);
    mechanism_release(&t);
}

int main(void)
{
    if (!rt_wide_exists()) return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubles_are_those_numbers_rounded),
        cmocka_unit_test(partials_hold_nineteen_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
