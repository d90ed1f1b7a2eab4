/* BDF on the stabilised equations: their Jacobian against differences, motions against what is
 * known of them, in every coordinate set; and all integrators against one another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "known_motions.h"
#include "motion/stabilised.h"
#include "support/effort.h"
#include "support/mechanisms.h"

static bool is_missing(void)
{
    for (int k = 0; routh_integrator_name(k); k++)
        if (strcmp(routh_integrator_name(k), "bdf") == 0) return !routh_integrator_available(k);
    return true;
}

/* ---- the Jacobian ---------------------------------------------------------------------------- */

static double random_part(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 24) - 0.5;
}

typedef struct trial {
    moving t;
    rt_stabilised *equations;
    int n;
    double *y, *ydot, *at, *J, *values;
} trial;

static double *numbers(size_t n)
{
    double *x = calloc(n + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

static bool is_natural(const char *set) { return strcmp(set, "natural") == 0; }

/* Somewhere off the motion, and off the constraints: the Jacobian is that of the residual there
 * too. Only mu stays zero (stabilised.h). */
static void trial_begin(trial *x, const char *yaml, const char *set)
{
    routh_error error;
    unsigned seed = 11;
    moving_begin(&x->t, yaml, set, "hht", 1e-5, 0);
    moving_to(&x->t, 0.2);
    rt_run *run = &x->t.s->run;
    assert_int_equal(rt_stabilised_create(&x->equations, run, &error), ROUTH_OK);
    x->n = rt_stabilised_size(x->equations);
    const size_t n = (size_t)x->n;
    x->y = numbers(n), x->ydot = numbers(n), x->at = numbers(n);
    x->J = numbers(n * n);
    x->values = numbers((size_t)rt_stabilised_pattern(x->equations)->start[x->n]);
    rt_stabilised_take(x->equations, run, x->y, x->ydot);
    double *kind = numbers(n);
    rt_stabilised_kinds(x->equations, kind);
    for (int j = 0; j < x->n; j++) {
        const bool free = !is_natural(set);
        if (free || kind[j] == 0) x->y[j] *= 1 + 0.1 * random_part(&seed);
        if (free && kind[j] > 0) x->ydot[j] += random_part(&seed);
    }
    free(kind);
}

static void trial_end(trial *x)
{
    double *const all[] = {x->y, x->ydot, x->at, x->J, x->values};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
    rt_stabilised_free(x->equations);
    moving_end(&x->t);
}

static void residual_at(trial *x, double *out)
{
    routh_error error;
    const double time = routh_simulation_time(x->t.s);
    if (rt_stabilised_residual(x->equations, &x->t.s->run, time, x->y, x->ydot, out, &error))
        fail_msg("%s", error.message);
}

/* (d/dy + c d/dy') d by central differences, of order 4. */
static void difference(trial *x, const double *d, double c, double *out)
{
    static const double weight[2] = {8.0 / 12, -1.0 / 12};
    const double h = 1e-3;
    memset(out, 0, (size_t)x->n * sizeof *out);
    for (int k = -2; k <= 2; k++) {
        if (k == 0) continue;
        for (int j = 0; j < x->n; j++) x->y[j] += k * h * d[j], x->ydot[j] += c * k * h * d[j];
        residual_at(x, x->at);
        for (int j = 0; j < x->n; j++) x->y[j] -= k * h * d[j], x->ydot[j] -= c * k * h * d[j];
        const double by = (k < 0 ? -1 : 1) * weight[abs(k) - 1] / h;
        for (int i = 0; i < x->n; i++) out[i] += by * x->at[i];
    }
}

static void check_direction(trial *x, const char *set, const double *d, double c)
{
    double *by_difference = numbers((size_t)x->n);
    difference(x, d, c, by_difference);
    const double size = fmax(1, largest_of(by_difference, x->n));
    for (int i = 0; i < x->n; i++) {
        double product = 0;
        for (int j = 0; j < x->n; j++) product += x->J[i * x->n + j] * d[j];
        /* h^4 of fifth derivatives, in which the numbers of turns and forces stand */
        if (!(fabs(by_difference[i] - product) < 1e-7 * size))
            fail_msg("%s: row %d of %d: %.9g, by differences %.9g", set, i, x->n, product,
                     by_difference[i]);
    }
    free(by_difference);
}

/* Column by column. Of positions in natural coordinates, whose bodies are rigid on the constraints
 * alone, one direction along them: that of the motion. */
static void check_jacobian(const char *yaml, const char *set)
{
    trial x;
    routh_error error;
    const double c = 3.7;
    trial_begin(&x, yaml, set);
    const double time = routh_simulation_time(x.t.s);
    assert_int_equal(
        rt_stabilised_jacobian(x.equations, &x.t.s->run, time, c, x.y, x.ydot, x.values, &error),
        ROUTH_OK);
    to_dense(rt_stabilised_pattern(x.equations), x.values, x.J);
    double *d = numbers((size_t)x.n);
    const int n_p = is_natural(set) ? x.t.m->n_q : 0;
    memcpy(d, x.ydot, (size_t)n_p * sizeof *d);
    if (n_p > 0) check_direction(&x, set, d, c);
    memset(d, 0, (size_t)x.n * sizeof *d);
    for (int j = n_p; j < x.n; j++) {
        d[j] = 1;
        check_direction(&x, set, d, c);
        d[j] = 0;
    }
    free(d);
    trial_end(&x);
}

static void jacobian_is_that_of_the_residual(void **state)
{
    (void)state;
    const char *const models[] = {crank_rocker, tumbling, rolling_disc, controlled};
    for (int k = 0; routh_coordinate_name(k); k++)
        for (size_t i = 0; i < sizeof models / sizeof *models; i++)
            check_jacobian(models[i], routh_coordinate_name(k));
}

/* ---- motions --------------------------------------------------------------------------------- */

static void everywhere(const char *yaml, double (*error)(moving *t, double time), double time,
                       double tolerance, double most)
{
    for (int k = 0; routh_coordinate_name(k); k++) {
        moving t;
        moving_begin(&t, yaml, routh_coordinate_name(k), "bdf", tolerance, 0);
        const double off = error(&t, time);
        if (!(off < most)) fail_msg("%s: off by %.3g", routh_coordinate_name(k), off);
        const routh_statistics counts = moving_counts(&t);
        assert_true(counts.position_error < 1e-10 && counts.velocity_error < 1e-10);
        moving_end(&t);
    }
}

/* Errors of steps add up over some thousand of them, and grow some tenfold on the pendulum's
 * top. */
static void known_motions_are_followed(void **state)
{
    (void)state;
    if (is_missing()) skip();
    everywhere(rolling_disc, disc_error, 1.5, 1e-9, 1e-5);
    everywhere(controlled, controlled_error, 2, 1e-9, 1e-5);
    everywhere(driven, driven_error, 3, 1e-6, 1e-10);
    everywhere(pendulum, pendulum_error, 1, 1e-9, 1e-5);
}

static void errors_fall_with_the_tolerance(void **state)
{
    (void)state;
    if (is_missing()) skip();
    double before = INFINITY;
    for (double tolerance = 1e-4; tolerance > 1e-10; tolerance /= 100) {
        moving t;
        moving_begin(&t, pendulum, "absolute", "bdf", tolerance, 0);
        const double error = pendulum_error(&t, 1);
        if (!(error < before / 5 && error < 1e4 * tolerance))
            fail_msg("%.3g at a tolerance of %.3g, after %.3g", error, tolerance, before);
        before = error;
        moving_end(&t);
    }
}

/* ---- all integrators ------------------------------------------------------------------------- */

/* Steps, and what they may be off by at the end. */
typedef struct way {
    const char *integrator;
    double tolerance, off;
} way;

static void meet(const char *yaml, const char *set, double time)
{
    static const way ways[] = {{"adams", 1e-11, 1e-6},
                               {"bdf", 1e-9, 1e-4},
                               {"hht", 1e-9, 1e-3},
                               {"generalized-alpha", 1e-9, 1e-3}};
    moving exact;
    moving_begin(&exact, yaml, set, "explicit-runge-kutta", 1e-12, 0);
    moving_to(&exact, time);
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        moving t;
        moving_begin(&t, yaml, set, ways[k].integrator, ways[k].tolerance, 0);
        moving_to(&t, time);
        const double distance = moving_distance(&exact, &t);
        if (!(distance < ways[k].off))
            fail_msg("%s, %s: %.3g away", set, ways[k].integrator, distance);
        moving_end(&t);
    }
    moving_end(&exact);
}

static void all_integrators_come_to_the_same_place(void **state)
{
    (void)state;
    if (is_missing()) skip();
    const char *const models[] = {crank_rocker, rolling_disc, driven, controlled};
    for (int i = 0; i < some_of(sizeof models / sizeof *models); i++) {
        meet(models[i], "absolute", 0.4);
        meet(models[i], "relative", 0.4);
    }
}

static void kept_runs_go_on_to_the_last_bit(void **state)
{
    (void)state;
    if (is_missing()) skip();
    moving a, b;
    routh_error error;
    moving_begin(&a, tumbling, "absolute", "bdf", 1e-7, 0);
    moving_begin(&b, tumbling, "absolute", "bdf", 1e-7, 0);
    double *kept = numbers(routh_simulation_memory(a.s));
    moving_to(&a, 0.37);
    assert_int_equal(routh_simulation_keep(a.s, kept, &error), ROUTH_OK);
    assert_int_equal(routh_simulation_resume(b.s, kept, &error), ROUTH_OK);
    for (int k = 1; k <= 5; k++) {
        moving_to(&a, 0.37 + 0.1 * k);
        moving_to(&b, 0.37 + 0.1 * k);
        const rt_state *x = rt_simulation_state(a.s), *y = rt_simulation_state(b.s);
        assert_memory_equal(x->q, y->q, (size_t)a.m->n_q * sizeof *x->q);
        assert_memory_equal(x->u, y->u, (size_t)a.m->n_u * sizeof *x->u);
        assert_memory_equal(x->lambda, y->lambda, (size_t)a.m->n_rows * sizeof *x->lambda);
    }
    free(kept);
    moving_end(&a);
    moving_end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jacobian_is_that_of_the_residual),
        cmocka_unit_test(known_motions_are_followed),
        cmocka_unit_test(errors_fall_with_the_tolerance),
        cmocka_unit_test(all_integrators_come_to_the_same_place),
        cmocka_unit_test(kept_runs_go_on_to_the_last_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
