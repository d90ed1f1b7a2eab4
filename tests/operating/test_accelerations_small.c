/* The smaller system of equations (6 nb + nc unknowns) gives the accelerations and multipliers
 * that the whole one (8 nb + nc, with the rows of p'p = 1) gives. */
#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "operating/operating.h"
#include "support/effort.h"
#include "support/random_mechanism.h"
#include "support/record.h"

enum { N_MECHANISMS = 80 };

/* Both are backward stable, so they differ by rounding, 1e-16, times the condition number of the
 * whole matrix: bodies of like mass and length, and pivots of G of 1e-3 at least, twice. */
static const double least_pivot = 1e-3, tolerance = 1e-10;

/* The mechanism with a load more, of an acceleration and of forces in joints. */
static void write_with_feedback(const random_mechanism *mechanism, growing_text *text)
{
    static const char after[] = "operating_point:";
    growing_text plain = {0};
    random_mechanism_write(mechanism, &no_disguise, &plain);
    const char *rest = strstr(plain.bytes, after);
    assert_non_null(rest);
    text_add(text, "%.*s", (int)(rest - plain.bytes), plain.bytes);
    text_add(text, "  feed: {type: torque, on: b0, components: [\"0.02*FX(j0) + 0.1*ACCX(b1)\", "
                   "\"0.03*TY(j1)*WZ(b0)\", \"0.05*FM(j0)\"]}\n");
    text_add(text, "%s", rest);
    free(plain.bytes);
}

typedef struct solution {
    double *udot, *lambda;
} solution;

static solution keep(const rt_search *s)
{
    const size_t n = (size_t)s->m->n_u, rows = (size_t)s->m->n_rows;
    solution x = {malloc((n + 1) * sizeof(double)), malloc((rows + 1) * sizeof(double))};
    assert_true(x.udot && x.lambda);
    memcpy(x.udot, s->state->udot, n * sizeof(double));
    memcpy(x.lambda, s->state->lambda, rows * sizeof(double));
    return x;
}

static double distance(const double *a, const double *b, int n)
{
    double worst = 0;
    for (int k = 0; k < n; k++) {
        if (!isfinite(a[k]) || !isfinite(b[k])) return NAN;
        worst = fmax(worst, fabs(a[k] - b[k]));
    }
    return worst;
}

typedef struct tally {
    int n, n_redundant, n_feedback;
    double worst;
} tally;

/* lambda in units of the forces that act, u' in those of the accelerations. */
static void compare(rt_search *s, const char *text, tally *all)
{
    routh_error error;
    const int n = s->m->n_u, rows = s->m->n_rows;
    /* feedback without a solution has none in either */
    const routh_status status = rt_find_accelerations(s, &error);
    if (status) {
        assert_int_equal(status, ROUTH_NUMERIC_ERROR);
        assert_int_equal(rt_find_accelerations_whole(s, &error), ROUTH_NUMERIC_ERROR);
        return;
    }
    assert_non_null(s->small);
    const solution small = keep(s);
    if (rt_find_accelerations_whole(s, &error)) fail_msg("%s in\n%s", error.message, text);
    const solution whole = keep(s);
    const double u = largest_of(s->state->u, n);
    const double size = fmax(largest_of(whole.udot, n), u * u);
    const double force = fmax(largest_of(whole.lambda, rows), 1);
    const double off = fmax(distance(small.udot, whole.udot, n) / size,
                            distance(small.lambda, whole.lambda, rows) / force);
    if (!(distance(small.udot, whole.udot, n) <= tolerance * size) ||
        !(distance(small.lambda, whole.lambda, rows) <= tolerance * force))
        fail_msg("u' and lambda differ by %.3g in\n%s", off, text);
    /* mu of p'p = 1 is zero in exact arithmetic: nothing acts along p */
    assert_true(largest_of(small.lambda + s->m->n_joint_rows, s->m->n_bodies) <=
                1e-12 * fmax(rt_largest_force(s), 1));
    all->worst = fmax(all->worst, off);
    all->n++;
    all->n_redundant += s->rank->rank < rows;
    all->n_feedback += s->m->pattern_L.start[rows] > 0;
    free(small.udot), free(small.lambda), free(whole.udot), free(whole.lambda);
}

static void check(const char *text, tally *all)
{
    test_mechanism t;
    rt_search s;
    routh_mechanism *m;
    routh_error error;
    mechanism_make(&t, text);
    assert_int_equal(routh_mechanism_compile(&m, t.model, "euler-parameters", &error), ROUTH_OK);
    assert_int_equal(rt_search_create(&s, m, 1e-12, 200, &error), ROUTH_OK);
    if (rt_assemble(&s, &error) || rt_find_rank(&s, &error)) fail_msg("%s", error.message);
    if (rt_find_velocities(&s, &error)) fail_msg("%s", error.message);
    if (s.rank->smallest_pivot > least_pivot) compare(&s, text, all);
    rt_state_free(s.state);
    rt_search_release(&s);
    routh_mechanism_free(m);
    mechanism_release(&t);
}

static void check_random(uint64_t seed, bool feedback)
{
    random_stream random = {seed};
    tally all = {0};
    for (int k = 0; k < with_effort(N_MECHANISMS); k++) {
        random_mechanism mechanism;
        growing_text text = {0};
        random_mechanism_make(&mechanism, &random, RANDOM_MOVING);
        if (feedback)
            write_with_feedback(&mechanism, &text);
        else
            random_mechanism_write(&mechanism, &no_disguise, &text);
        check(text.bytes, &all);
        free(text.bytes);
    }
    print_message("    %d mechanisms, %d with redundant rows, worst %.1e\n", all.n, all.n_redundant,
                  all.worst);
    record_value("ME751 note", "(1), (21)",
                 feedback ? "the same with loads that use accelerations and joint forces"
                          : "random mechanisms in motion: largest relative difference",
                 NULL, 0, all.worst);
    assert_true(all.n > with_effort(N_MECHANISMS) / 2 && all.n_redundant > 0);
    assert_int_equal(all.n_feedback, feedback ? all.n : 0);
}

static void both_systems_give_the_same_in_motion(void **state)
{
    (void)state;
    check_random(61, false);
}

static void both_systems_give_the_same_where_loads_use_accelerations_and_joint_forces(void **state)
{
    (void)state;
    check_random(62, true);
}

/* 6 nb + nc: the four-bar of n loops has 2 n + 1 bodies, and of its rows the joints' stay. */
static void the_smaller_system_has_two_unknowns_a_body_less(void **state)
{
    (void)state;
    test_mechanism t;
    rt_search s;
    routh_mechanism *m;
    routh_error error;
    mechanism_make_template(&t, "four-bar", (const char *const[]){"N", "20", NULL});
    assert_int_equal(routh_mechanism_compile(&m, t.model, "euler-parameters", &error), ROUTH_OK);
    assert_int_equal(rt_search_create(&s, m, 1e-12, 200, &error), ROUTH_OK);
    assert_int_equal(rt_assemble(&s, &error), ROUTH_OK);
    assert_int_equal(rt_find_rank(&s, &error), ROUTH_OK);
    assert_int_equal(rt_find_velocities(&s, &error), ROUTH_OK);
    assert_int_equal(rt_find_accelerations(&s, &error), ROUTH_OK);
    const int nc = s.rank->rank - m->n_bodies;
    assert_int_equal(rt_small_size(s.small), 6 * m->n_bodies + nc);
    assert_int_equal(rt_search_mass(&s, &error), ROUTH_OK);
    assert_int_equal(rt_kkt_size(s.mass), 8 * m->n_bodies + nc);
    rt_state_free(s.state);
    rt_search_release(&s);
    routh_mechanism_free(m);
    mechanism_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_systems_give_the_same_in_motion),
        cmocka_unit_test(both_systems_give_the_same_where_loads_use_accelerations_and_joint_forces),
        cmocka_unit_test(the_smaller_system_has_two_unknowns_a_body_less),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
