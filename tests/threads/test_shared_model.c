/* One model and one mechanism serve many threads at once: each gets, bit for bit, what one thread
 * alone gets. Under the thread sanitizer this is also the test for data races. */
#define _POSIX_C_SOURCE 200809L
#include "routh/routh.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <string.h>

enum { N_THREADS = 4 };

typedef struct job {
    const routh_mechanism *mechanism;
    int threads; /* asked of the linearization itself */
    routh_status status;
    routh_linear *linear;
    routh_modes *modes;
    routh_error error;
} job;

static void *run(void *argument)
{
    job *j = argument;
    routh_operating_point *point = NULL;
    routh_linear_options options = routh_linear_defaults();
    options.threads = j->threads;
    j->status = routh_operating_point_find(&point, j->mechanism, NULL, &j->error);
    if (!j->status)
        j->status = routh_linear_compute(&j->linear, j->mechanism, point, &options, &j->error);
    if (!j->status) j->status = routh_modes_compute(&j->modes, j->linear, &j->error);
    routh_operating_point_free(point);
    return NULL;
}

static void release(job *j)
{
    routh_modes_free(j->modes);
    routh_linear_free(j->linear);
}

static void assert_same(const job *a, const job *b)
{
    const size_t n = (size_t)a->linear->n_states;
    assert_int_equal(a->linear->n_states, b->linear->n_states);
    assert_memory_equal(a->linear->A, b->linear->A, n * n * sizeof(double));
    assert_int_equal(a->modes->n, b->modes->n);
    for (int i = 0; i < a->modes->n; i++)
        assert_memory_equal(a->modes->modes[i].eigenvalue, b->modes->modes[i].eigenvalue,
                            2 * sizeof(double));
}

static void compare(const char *name, const routh_setting *setting)
{
    routh_text text = {0};
    routh_model *model = NULL;
    routh_mechanism *mechanism = NULL;
    routh_error error = {0};
    assert_int_equal(routh_template_write(name, setting, 1, &text, &error), ROUTH_OK);
    assert_int_equal(routh_model_parse(&model, text.bytes, text.length, name, NULL, 0, &error),
                     ROUTH_OK);
    assert_int_equal(routh_mechanism_compile(&mechanism, model, NULL, &error), ROUTH_OK);

    job alone = {.mechanism = mechanism, .threads = 1};
    run(&alone);
    assert_int_equal(alone.status, ROUTH_OK);

    job jobs[N_THREADS];
    pthread_t threads[N_THREADS];
    for (int i = 0; i < N_THREADS; i++) {
        jobs[i] = (job){.mechanism = mechanism, .threads = 1 + i % 2};
        assert_int_equal(pthread_create(&threads[i], NULL, run, &jobs[i]), 0);
    }
    for (int i = 0; i < N_THREADS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < N_THREADS; i++) {
        assert_int_equal(jobs[i].status, ROUTH_OK);
        assert_same(&alone, &jobs[i]);
        release(&jobs[i]);
    }
    release(&alone);
    routh_mechanism_free(mechanism);
    routh_model_free(model);
    routh_text_free(&text);
}

static void threads_share_a_model_in_motion(void **state)
{
    (void)state;
    compare("rotor-stator", &(routh_setting){"spin", "pi"});
}

static void threads_share_a_model_with_redundant_constraints(void **state)
{
    (void)state;
    compare("four-bar", &(routh_setting){"N", "5"});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_share_a_model_in_motion),
        cmocka_unit_test(threads_share_a_model_with_redundant_constraints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
