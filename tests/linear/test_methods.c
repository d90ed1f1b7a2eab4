/* Every coordinate set and every method give one linear model: A, mass and stiffness of random
 * mechanisms, at rest and moving, seen from the ground and from a moving body. Differences agree
 * as well as differences can. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "methods/method.h"
#include "support/bounded_spectrum.h"
#include "support/effort.h"
#include "support/random_mechanism.h"

/* With the largest relative difference there may be; of the penalty method's eigenvalues, the
 * largest error over its bound. */
typedef struct compared {
    const char *name;
    double bound;
} compared;

static const compared methods[] = {{"augmented", 1e-8},
                                   {"minimal:sparse", 1e-8},
                                   {"minimal:partition", 1e-8},
                                   {"minimal:qr", 1e-8},
                                   {"minimal:svd", 1e-8},
                                   {"minimal:zero-eigenvalue", 1e-8},
                                   {"minimal:gram-schmidt", 1e-8},
                                   {"redundant", 1e-8},
                                   {"penalty", 1},
                                   {"difference", 1e-6}};
enum { N_METHODS = sizeof methods / sizeof methods[0] };

static const char *const coordinates[] = {"absolute", "euler-parameters", "euler-angles",
                                          "relative", "natural"};
enum { N_COORDINATES = sizeof coordinates / sizeof coordinates[0] };

/* A model compiled in one coordinate set, at its operating point. */
typedef struct cell {
    routh_mechanism *mechanism;
    routh_operating_point *point;
} cell;

static void cell_make(cell *c, const routh_model *model, const char *set)
{
    routh_error error;
    if (routh_mechanism_compile(&c->mechanism, model, set, &error) ||
        routh_operating_point_find(&c->point, c->mechanism, NULL, &error))
        fail_msg("%s: %s", set, error.message);
}

static void cell_release(cell *c)
{
    routh_operating_point_free(c->point);
    routh_mechanism_free(c->mechanism);
}

static routh_linear *linear_by(const cell *c, const char *method, const char *reference)
{
    routh_linear_options options = routh_linear_defaults();
    routh_linear *linear;
    routh_error error;
    options.method = method;
    options.reference = reference;
    if (routh_linear_compute(&linear, c->mechanism, c->point, &options, &error))
        fail_msg("%s: %s", method, error.message);
    return linear;
}

/* Largest difference of n numbers over the largest of them; NaN where one is not finite. */
static double difference(const double *a, const double *b, int n)
{
    double worst = 0, size = 0;
    for (int k = 0; k < n; k++) {
        if (!isfinite(a[k]) || !isfinite(b[k])) return NAN;
        worst = fmax(worst, fabs(a[k] - b[k]));
        size = fmax(size, fabs(b[k]));
    }
    return size > 0 ? worst / size : 0;
}

/* The error that a linear model says it has; 0 where it says none. */
static double error_said(const routh_linear *linear)
{
    static const char text[] = "these numbers are differences of the nonlinear equations, with an "
                               "estimated error of ";
    for (int k = 0; k < linear->n_warnings; k++)
        if (strncmp(linear->warnings[k], text, sizeof text - 1) == 0)
            return strtod(linear->warnings[k] + sizeof text - 1, NULL);
    return 0;
}

/* The largest difference and the largest size of several lists together. */
typedef struct spread {
    double difference, size;
} spread;

static void widen(spread *x, const double *a, const double *b, int n)
{
    for (int k = 0; k < n; k++) {
        const double off = fabs(a[k] - b[k]);
        if (!(off <= x->difference) && !isnan(x->difference)) x->difference = off;
        x->size = fmax(x->size, fabs(b[k]));
    }
}

/* Markers and energies: the same motion, whatever the coordinates. */
static double compare_motion(const routh_linear *a, const routh_linear *b)
{
    spread motion = {0}, rows = {0}, weight = {0};
    assert_int_equal(a->n_markers, b->n_markers);
    assert_int_equal(a->n_shares, b->n_shares);
    for (int k = 0; k < a->n_markers; k++)
        widen(&motion, a->markers[k].motion, b->markers[k].motion, 6 * a->n_states);
    for (int k = 0; k < a->n_shares; k++) {
        const routh_energy_fraction *x = &a->shares[k], *y = &b->shares[k];
        assert_string_equal(x->name, y->name);
        assert_int_equal(x->n_rows, y->n_rows);
        widen(&rows, x->rows, y->rows, x->n_rows * a->n_states);
        widen(&weight, x->weight, y->weight, x->n_rows * x->n_rows);
    }
    double worst = 0;
    const spread *const all[] = {&motion, &rows, &weight};
    for (int k = 0; k < 3; k++) {
        if (isnan(all[k]->difference)) return NAN;
        if (all[k]->difference > worst * all[k]->size) worst = all[k]->difference / all[k]->size;
    }
    return worst;
}

/* The drift is a difference quotient over a thousandth of a radian, of an error that the step adds
 * in proportion to the step's square. */
static void assert_same_drift(const routh_linear *a, const routh_linear *b)
{
    assert_int_equal(a->at_rest, b->at_rest);
    assert_int_equal(isfinite(a->drift), isfinite(b->drift));
    if (isfinite(a->drift)) assert_true(fabs(a->drift - b->drift) <= 1e-3 * fmax(1, b->drift));
}

/* The largest error over its bound, which says how far the eigenvalues are from those of the
 * constraints themselves at the same point: the rounding of the point is none of the method's. */
static double compare_bounds(const cell *c, const char *reference, const routh_linear *bounded)
{
    routh_linear *exact = linear_by(c, "augmented", reference);
    const double worst = compare_spectrum(bounded, exact).worst;
    routh_linear_free(exact);
    return worst;
}

static double compare(const cell *c, const char *method, const char *reference,
                      const routh_linear *expected)
{
    routh_linear *found = linear_by(c, method, reference);
    assert_int_equal(error_said(found) > 0, strcmp(method, "difference") == 0);
    const int n = expected->n_states, z = expected->n_position;
    assert_int_equal(found->n_states, n);
    for (int k = 0; k < n; k++)
        assert_string_equal(found->states[k].name, expected->states[k].name);
    const double off[3] = {difference(found->A, expected->A, n * n),
                           difference(found->mass, expected->mass, z * z),
                           difference(found->stiffness, expected->stiffness, z * z)};
    assert_same_drift(found, expected);
    double worst = found->n_bounds ? 0 : compare_motion(found, expected);
    for (int k = 0; k < 3 && !found->n_bounds; k++)
        if (!(off[k] <= worst)) worst = off[k];
    assert_int_equal(found->n_bounds, strcmp(method, "penalty") == 0 ? n : 0);
    if (found->n_bounds) {
        worst = compare_bounds(c, reference, found);
        for (int k = 0; k < 3; k++) assert_true(off[k] <= 1e-2); /* entries have no bounds */
    }
    /* an estimate is good for an order of magnitude or two */
    if (error_said(found) > 0) assert_true(off[0] <= 100 * error_said(found) + 1e-12);
    routh_linear_free(found);
    return worst;
}

/* "[b0.x, b1.rz]": the states that were chosen, to be asked for in every cell. */
static void name_states(const routh_linear *linear, growing_text *text)
{
    for (int k = 0; k < linear->n_position; k++)
        text_add(text, "%s%s", k ? ", " : "[", linear->states[k].name);
    text_add(text, "]");
}

static void check_cells(const routh_model *model, const routh_linear *expected,
                        const char *reference, const char *text, int n_methods,
                        double worst[N_METHODS])
{
    for (int set = 0; set < N_COORDINATES; set++) {
        cell c;
        cell_make(&c, model, coordinates[set]);
        assert_int_equal(c.point->degrees_of_freedom, expected->n_position);
        for (int k = 0; k < n_methods; k++) {
            const double off = compare(&c, methods[k].name, reference, expected);
            if (!(off <= methods[k].bound))
                fail_msg("%s, %s is off by %.3g, seen from %s, in\n%s", coordinates[set],
                         methods[k].name, off, reference, text);
            worst[k] = fmax(worst[k], off);
        }
        cell_release(&c);
    }
}

static void check(random_stream *random, int what, int n_methods, double worst[N_METHODS])
{
    random_mechanism mechanism;
    random_mechanism_make(&mechanism, random, what);
    for (int observer = 0; observer < 2; observer++) {
        growing_text text = {0}, again = {0}, states = {0};
        test_mechanism t, same;
        cell c;
        mechanism.extra_states = NULL;
        random_mechanism_write(&mechanism, &no_disguise, &text);
        mechanism_make(&t, text.bytes);
        const char *reference = observer ? t.model->bodies[0].name : "ground";
        cell_make(&c, t.model, "absolute");
        if (c.point->degrees_of_freedom > 0) {
            routh_linear *expected = linear_by(&c, "augmented", reference);
            name_states(expected, &states);
            mechanism.extra_states = states.bytes;
            random_mechanism_write(&mechanism, &no_disguise, &again);
            mechanism_make(&same, again.bytes);
            check_cells(same.model, expected, reference, again.bytes, n_methods, worst);
            mechanism_release(&same);
            routh_linear_free(expected);
        }
        cell_release(&c);
        mechanism_release(&t);
        free(text.bytes);
        free(again.bytes);
        free(states.bytes);
    }
}

static void methods_agree(int what)
{
    random_stream random = {(uint64_t)(1000 + what)};
    double worst[N_METHODS] = {0};
    /* differences, the last method, take a hundred times as long: every eighth mechanism */
    for (int k = 0; k < with_effort(20); k++)
        check(&random, what, k % 8 == 0 ? N_METHODS : N_METHODS - 1, worst);
    for (int k = 0; k < N_METHODS; k++)
        print_message("    worst %.1e by %s\n", worst[k], methods[k].name);
}

static void methods_agree_at_rest(void **state)
{
    (void)state;
    methods_agree(RANDOM_STATIC);
}

static void methods_agree_in_motion(void **state)
{
    (void)state;
    methods_agree(RANDOM_MOVING);
}

static void an_unknown_method_is_refused_by_name(void **state)
{
    (void)state;
    test_mechanism t;
    routh_linear *linear;
    routh_error error;
    routh_linear_options options = routh_linear_defaults();
    mechanism_make_template(&t, "slider-pendulum", (const char *const[]){NULL});
    routh_operating_point *point = mechanism_point(&t);
    static const char *const names[] = {"minimal:", "minimal:lu", "augmented:qr", "minima", ""};
    for (int k = 0; k < 5; k++) {
        options.method = names[k];
        assert_int_equal(routh_linear_compute(&linear, t.m, point, &options, &error),
                         ROUTH_NOT_SUPPORTED);
        assert_null(linear);
        assert_non_null(strstr(error.message, "augmented, minimal"));
    }
    routh_operating_point_free(point);
    mechanism_release(&t);
}

static void states_of_the_call_replace_those_of_the_model(void **state)
{
    (void)state;
    static const char *const wanted[] = {"pendulum.rx", "slider.y", NULL};
    static const char *const unknown[] = {"pendulum.rq", NULL};
    test_mechanism t;
    routh_linear *linear;
    routh_error error;
    routh_linear_options options = routh_linear_defaults();
    mechanism_make_template(&t, "slider-pendulum", (const char *const[]){NULL});
    routh_operating_point *point = mechanism_point(&t);
    options.states = wanted;
    assert_int_equal(routh_linear_compute(&linear, t.m, point, &options, &error), ROUTH_OK);
    assert_int_equal(linear->n_position, 2);
    for (int k = 0; k < 2; k++) assert_string_equal(linear->states[k].name, wanted[k]);
    routh_linear_free(linear);
    options.states = unknown;
    assert_int_equal(routh_linear_compute(&linear, t.m, point, &options, &error),
                     ROUTH_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "pendulum.rq"));
    routh_operating_point_free(point);
    mechanism_release(&t);
}

static void every_listed_method_is_found_and_named_once(void **state)
{
    (void)state;
    int n = 0, n_minimal = 0;
    for (const char *name; (name = routh_method_name(n)); n++) {
        const rt_method *method;
        const char *variant;
        routh_error error;
        assert_int_equal(rt_method_find(name, &method, &variant, &error), ROUTH_OK);
        assert_memory_equal(name, method->name, strlen(method->name));
        assert_string_equal(variant ? variant - 1 : "", name + strlen(method->name));
        for (int k = 0; k < n; k++) assert_string_not_equal(routh_method_name(k), name);
        n_minimal += method == &rt_method_minimal;
    }
    assert_true(n >= 7 && n_minimal == 6);
    assert_string_equal(routh_method_name(0), "augmented");
    assert_null(routh_method_name(-1));
}

/* The states that the program itself chooses, seen from the ground, by a method's own call. */
static void run_method(rt_search *s, const rt_method *method, rt_sensitivity *x, rt_arena *arena)
{
    routh_error error;
    rt_reference_frame observer;
    rt_states states;
    rt_reference_frame_set(&observer, s->w, -1);
    assert_int_equal(rt_choose_states(s, &observer, NULL, arena, &states, &error), ROUTH_OK);
    assert_int_equal(rt_evaluate(s->m, s->w, s->state, RT_EVALUATE_ALL, &error), ROUTH_OK);
    const rt_method_task task = {
        .search = s, .observer = &observer, .states = &states, .threads = 1};
    if (method->run(&task, arena, x, &error)) fail_msg("%s", error.message);
}

/* The rest of the linear model is made from them. */
static void differences_leave_state_and_workspace_as_they_were(void **state)
{
    (void)state;
    for (int set = 0; set < N_COORDINATES; set++) {
        test_mechanism t;
        rt_search s;
        rt_sensitivity expected, found;
        rt_arena arena = {0};
        routh_error error;
        cell c;
        mechanism_make_template(&t, "spatial-four-bar", (const char *const[]){NULL});
        cell_make(&c, t.model, coordinates[set]);
        const routh_mechanism *m = c.mechanism;
        assert_int_equal(rt_search_create(&s, m, 1e-12, 1, &error), ROUTH_OK);
        rt_state_copy(m, s.state, c.point->state);
        s.state->t = 0.25; /* the nominal time, whatever it is */
        rt_evaluate_frames(m, s.w, s.state);
        run_method(&s, &rt_method_augmented, &expected, &arena);
        const size_t entries = (size_t)m->pattern_K.start[m->n_u];
        double *K = malloc(entries * sizeof *K), *q = malloc((size_t)m->n_q * sizeof *q);
        double *udot = malloc((size_t)m->n_u * sizeof *udot);
        assert_true(K && q && udot);
        memcpy(K, s.w->K, entries * sizeof *K);
        memcpy(q, s.state->q, (size_t)m->n_q * sizeof *q);
        memcpy(udot, s.state->udot, (size_t)m->n_u * sizeof *udot);
        run_method(&s, &rt_method_difference, &found, &arena);
        assert_memory_equal(K, s.w->K, entries * sizeof *K);
        assert_memory_equal(q, s.state->q, (size_t)m->n_q * sizeof *q);
        assert_memory_equal(udot, s.state->udot, (size_t)m->n_u * sizeof *udot);
        assert_true(s.state->t == 0.25);
        assert_true(expected.error_estimate == 0 && found.error_estimate > 0);
        const int n = m->n_u * expected.z;
        assert_true(difference(found.X, expected.X, n) <= 1e-8);
        free(K);
        free(q);
        free(udot);
        rt_arena_free(&arena);
        rt_state_free(s.state);
        rt_search_release(&s);
        cell_release(&c);
        mechanism_release(&t);
    }
}

static void differences_are_refused_for_many_states(void **state)
{
    (void)state;
    test_mechanism t;
    routh_linear *linear;
    routh_error error;
    routh_linear_options options = routh_linear_defaults();
    options.method = "difference";
    mechanism_make_template(&t, "pendulum-chain", (const char *const[]){"n", "61", NULL});
    routh_operating_point *point = mechanism_point(&t);
    assert_int_equal(routh_linear_compute(&linear, t.m, point, &options, &error),
                     ROUTH_LIMIT_EXCEEDED);
    assert_null(linear);
    assert_non_null(strstr(error.message, "at most 60 degrees of freedom"));
    assert_non_null(strstr(error.message, "61"));
    assert_non_null(strstr(error.message, "--method augmented"));
    routh_operating_point_free(point);
    mechanism_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_agree_at_rest),
        cmocka_unit_test(methods_agree_in_motion),
        cmocka_unit_test(an_unknown_method_is_refused_by_name),
        cmocka_unit_test(states_of_the_call_replace_those_of_the_model),
        cmocka_unit_test(every_listed_method_is_found_and_named_once),
        cmocka_unit_test(differences_leave_state_and_workspace_as_they_were),
        cmocka_unit_test(differences_are_refused_for_many_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
