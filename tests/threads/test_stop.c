/* Long calls stop where they are told to: at any of the times that they ask, with nothing left
 * behind, and the same call again gives what it would have given. They ask in the thread that made
 * the call, however many threads work. */
#define _POSIX_C_SOURCE 200809L /* pthread_equal */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <routh/routh.h>

/* What is asked: counts, and stops at the n-th time; n 0: never. */
typedef struct asked {
    int times, stop_at;
    int done; /* never falls, and stays within all where that is known */
    int bad;
    pthread_t caller;
} asked;

static int answer(void *data, int done, int all)
{
    asked *a = data;
    if (!pthread_equal(a->caller, pthread_self()) || done < a->done || (all > 0 && done > all))
        a->bad++;
    a->done = done;
    a->times++;
    return a->stop_at > 0 && a->times >= a->stop_at;
}

/* A mechanism with what the calls need; a call gives one figure of its result. */
typedef struct subject {
    routh_model *model;
    routh_mechanism *mechanism;
    routh_operating_point *point;
    routh_linear *linear;
    routh_modes *modes;
    routh_descriptor *descriptor;
    const char *method;
    int threads;
    routh_selection_request request;
} subject;

typedef routh_status (*call)(const subject *s, asked *a, double *figure, routh_error *error);

static routh_status find_point(const subject *s, asked *a, double *figure, routh_error *error)
{
    routh_operating_point_options o = routh_operating_point_defaults();
    routh_operating_point *point = (void *)&o; /* must become NULL */
    o.on_progress = answer, o.data = a;
    const routh_status status = routh_operating_point_find(&point, s->mechanism, &o, error);
    if (status) assert_null(point);
    for (int b = 0; !status && b < point->n_bodies; b++)
        for (int i = 0; i < 3; i++)
            *figure += (b + i + 1) * point->bodies[b].position[i] + point->bodies[b].velocity[i];
    routh_operating_point_free(point);
    return status;
}

static routh_status linearize(const subject *s, asked *a, double *figure, routh_error *error)
{
    routh_linear_options o = routh_linear_defaults();
    routh_linear *linear = (void *)&o;
    o.method = s->method, o.threads = s->threads;
    o.on_progress = answer, o.data = a;
    const routh_status status = routh_linear_compute(&linear, s->mechanism, s->point, &o, error);
    if (status) assert_null(linear);
    for (int k = 0; !status && k < linear->n_states * linear->n_states; k++)
        *figure += (k + 1) * linear->A[k];
    routh_linear_free(linear);
    return status;
}

static routh_status search(const subject *s, asked *a, double *figure, routh_error *error)
{
    routh_selection_request request = s->request;
    routh_modes *modes = (void *)&request;
    request.on_progress = answer, request.data = a;
    const routh_status status = routh_modes_search(&modes, s->descriptor, &request, error);
    if (status) assert_null(modes);
    for (int k = 0; !status && k < modes->n; k++)
        *figure += modes->modes[k].eigenvalue[0] + (k + 1) * modes->modes[k].eigenvalue[1];
    routh_modes_free(modes);
    return status;
}

static routh_status check(const subject *s, asked *a, double *figure, routh_error *error)
{
    routh_check_options o = routh_check_defaults();
    routh_check *found = (void *)&o;
    o.on_progress = answer, o.data = a;
    const routh_status status = routh_check_run(&found, s->model, &o, error);
    if (status) assert_null(found);
    for (int k = 0; !status && k < found->n_cells; k++)
        *figure += (k + 1) * (found->cells[k].state + 10 * found->cells[k].verdict);
    routh_check_free(found);
    return status;
}

static routh_status confirm(const subject *s, asked *a, double *figure, routh_error *error)
{
    routh_verification_options o = routh_verification_defaults();
    routh_verification *found = (void *)&o;
    o.on_progress = answer, o.data = a;
    o.integrator = "generalized-alpha"; /* every build has it */
    const routh_status status =
        routh_verification_run(&found, s->mechanism, s->point, s->linear, s->modes, &o, error);
    if (status) assert_null(found);
    for (int k = 0; !status && k < found->n_modes; k++)
        *figure += found->modes[k].found[0] + (k + 1) * found->modes[k].found[1];
    routh_verification_free(found);
    return status;
}

/* ---- what holds of all ----------------------------------------------------------------------- */

static asked run(call f, const subject *s, int stop_at, routh_status *status, double *figure)
{
    routh_error error = {0};
    asked a = {.stop_at = stop_at, .caller = pthread_self()};
    *figure = 0;
    *status = f(s, &a, figure, &error);
    if (*status && *status != ROUTH_STOPPED) fail_msg("%s: %s", error.element, error.message);
    if (*status) assert_int_equal(error.status, ROUTH_STOPPED);
    assert_int_equal(a.bad, 0);
    return a;
}

/* Stopped at most of the times it asks. */
static void stops(call f, const subject *s, int least)
{
    routh_status status;
    double whole, again;
    const int all = run(f, s, 0, &status, &whole).times;
    assert_int_equal(status, ROUTH_OK);
    if (all < least) fail_msg("asked %d times, not %d", all, least);
    const int step = all / 12 + 1;
    for (int n = 1; n <= all; n += step) {
        const asked a = run(f, s, n, &status, &again);
        assert_int_equal(status, ROUTH_STOPPED);
        assert_int_equal(a.times, n); /* and not again */
    }
    run(f, s, 0, &status, &again);
    assert_int_equal(status, ROUTH_OK);
    assert_true(again == whole || (isnan(again) && isnan(whole)));
}

static void need(routh_status status, const routh_error *error)
{
    if (status) fail_msg("%s: %s", error->element, error->message);
}

static void open_model(subject *s, routh_model *model, const char *coordinates)
{
    routh_error error = {0};
    s->model = model;
    need(routh_mechanism_compile(&s->mechanism, model, coordinates, &error), &error);
    need(routh_operating_point_find(&s->point, s->mechanism, NULL, &error), &error);
}

static subject of_example(const char *name)
{
    subject s = {0};
    routh_error error = {0};
    char path[1024];
    const char *source = getenv("ROUTH_SOURCE");
    routh_model *model;
    snprintf(path, sizeof path, "%s/examples/%s.yaml", source ? source : ".", name);
    need(routh_model_read(&model, path, NULL, 0, &error), &error);
    open_model(&s, model, NULL);
    return s;
}

static subject of_template(const char *name, const char *n)
{
    subject s = {0};
    routh_error error = {0};
    routh_text text;
    routh_model *model;
    const routh_setting setting = {"n", n};
    need(routh_template_write(name, &setting, 1, &text, &error), &error);
    need(routh_model_parse(&model, text.bytes, text.length, name, NULL, 0, &error), &error);
    routh_text_free(&text);
    open_model(&s, model, NULL);
    return s;
}

static void close_model(subject *s)
{
    routh_descriptor_free(s->descriptor);
    routh_modes_free(s->modes);
    routh_linear_free(s->linear);
    routh_operating_point_free(s->point);
    routh_mechanism_free(s->mechanism);
    routh_model_free(s->model);
}

static void operating_points_stop(void **state)
{
    (void)state;
    static const char *const names[] = {"spatial-four-bar", "conical-pendulum", "crank-slider"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        subject s = of_example(names[k]);
        stops(find_point, &s, 3);
        close_model(&s);
    }
}

static void every_method_stops(void **state)
{
    (void)state;
    subject s = of_example("spatial-four-bar"), moving = of_example("conical-pendulum");
    for (int k = 0; (s.method = routh_method_name(k)); k++) stops(linearize, &s, 4);
    moving.method = "augmented";
    stops(linearize, &moving, 5);
    close_model(&s);
    close_model(&moving);
}

static void a_method_asks_in_the_thread_that_called(void **state)
{
    (void)state;
    subject s = of_template("pendulum-chain", "100"); /* enough for several threads */
    s.method = "augmented", s.threads = 4;
    stops(linearize, &s, 30);
    close_model(&s);
}

static void searches_stop(void **state)
{
    (void)state;
    static const double nears[] = {-1, 2, 0, 5};
    subject s = of_template("pendulum-chain", "40");
    routh_error error = {0};
    need(routh_descriptor_compute(&s.descriptor, s.mechanism, s.point, NULL, &error), &error);
    s.request = (routh_selection_request){.count = 6};
    stops(search, &s, 10); /* the symmetric pencil */
    s.request = (routh_selection_request){.between = 1, .low = 0, .high = 1};
    stops(search, &s, 10);
    s.request = (routh_selection_request){.count = 4, .n_near = 2, .near = nears};
    stops(search, &s, 20); /* Krylov-Schur, and a count */
    s.request = (routh_selection_request){.count = 4, .n_near = 1, .near = (double[]){-3, 0}};
    stops(search, &s, 20); /* Arnoldi */
    close_model(&s);
}

static void a_check_stops(void **state)
{
    (void)state;
    subject s = of_example("crank-slider");
    stops(check, &s, 30);
    close_model(&s);
}

static void a_confirmation_stops(void **state)
{
    (void)state;
    subject s = of_template("pendulum-chain", "1");
    routh_error error = {0};
    need(routh_linear_compute(&s.linear, s.mechanism, s.point, NULL, &error), &error);
    need(routh_modes_compute(&s.modes, s.linear, &error), &error);
    stops(confirm, &s, 100);
    close_model(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operating_points_stop),
        cmocka_unit_test(every_method_stops),
        cmocka_unit_test(a_method_asks_in_the_thread_that_called),
        cmocka_unit_test(searches_stop),
        cmocka_unit_test(a_check_stops),
        cmocka_unit_test(a_confirmation_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
