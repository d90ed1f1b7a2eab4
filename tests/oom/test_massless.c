/* The N-th allocation fails, for every N, where motions have no inertia: the auxiliary mechanism,
 * operating points that are searched twice, the reduction. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "oom/refuse.h"
#include "routh/routh.h"

static const char text[] = "inputs: {f: {value: 0}}\n"
                           "bodies:\n"
                           "  m: {mass: 2, inertia: [1, 1, 1], position: [1, 0, 0]}\n"
                           "  n: {mass: 0, inertia: [0, 0, 0], position: [0.5, 0, 0]}\n"
                           "  p: {mass: 1, inertia: [0, 0, 0], position: [1, 0, -0.4]}\n"
                           "joints:\n"
                           "  rail: {type: translational, between: [m, ground], axis: x}\n"
                           "  node: {type: translational, between: [n, ground], axis: x}\n"
                           "  ball: {type: spherical, between: [p, m], at: [1, 0, 0]}\n"
                           "loads:\n"
                           "  a: {type: spring, between: [n, ground], stiffness: 30, damping: 4}\n"
                           "  b: {type: spring, between: [m, n], stiffness: 60}\n"
                           "  w: {type: force, on: p, components: [0, 0, -9.81]}\n"
                           "  f: {type: force, on: n, components: [f, 0, 0]}\n"
                           "outputs: {x: DX(n), r: FX(ball)}\n"
                           "operating_point: {type: static}\n";

/* From the model to a number of the linear model; at a saved state too. */
static routh_status work(const routh_model *model, const char *coordinates, const char *method,
                         double *answer, routh_error *error)
{
    routh_mechanism *m = NULL;
    routh_operating_point *point = NULL, *again = NULL;
    routh_initial_state *state = NULL;
    routh_linear *linear = NULL;
    routh_linear_options o = routh_linear_defaults();
    o.method = method;
    routh_status status = routh_mechanism_compile(&m, model, coordinates, error);
    if (!status) status = routh_operating_point_find(&point, m, NULL, error);
    if (!status) status = routh_initial_state_of_point(&state, m, point, error);
    if (!status) status = routh_operating_point_of_state(&again, m, state, NULL, error);
    if (!status) status = routh_linear_compute(&linear, m, again, &o, error);
    if (!status) *answer = linear->A[linear->n_states * linear->n_states - 1] + linear->D[0];
    routh_linear_free(linear);
    routh_initial_state_free(state);
    routh_operating_point_free(again);
    routh_operating_point_free(point);
    routh_mechanism_free(m);
    return status;
}

static void check(const char *coordinates, const char *method)
{
    routh_model *model;
    routh_error error = {0};
    double whole = 0, answer;
    assert_int_equal(
        routh_model_parse(&model, text, strlen(text), "massless.yaml", NULL, 0, &error), ROUTH_OK);
    start(0, false);
    assert_int_equal(work(model, coordinates, method, &whole, &error), ROUTH_OK);
    const long all = n_asked;
    assert_true(all > 100);
    catch_output();
    for (long n = 1; n <= all; n = next_allocation(n)) {
        start(n, false);
        answer = whole;
        const routh_status status = work(model, coordinates, method, &answer, &error);
        start(0, false);
        if (status)
            assert_int_equal(status, ROUTH_OUT_OF_MEMORY);
        else
            assert_true(answer == whole);
    }
    assert_silence();
    routh_model_free(model);
}

static void the_reduction_tells_where_memory_is_short(void **state)
{
    (void)state;
    check(NULL, "augmented");
}

static void so_it_does_in_coordinates_that_bodies_share(void **state)
{
    (void)state;
    check("natural", "minimal:qr");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reduction_tells_where_memory_is_short),
        cmocka_unit_test(so_it_does_in_coordinates_that_bodies_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
