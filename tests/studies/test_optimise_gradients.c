/* Values of all kinds of goals with the derivatives that the algorithms get, against central
 * differences of the eighth order of the same values. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "studies/optimise_problem.h"
#include "studies.h"

enum { MOST = 200, MOST_X = 4 };

typedef struct values {
    int n, n_x;
    double value[MOST], by[MOST * MOST_X], start[MOST_X];
} values;

/* At the start, with variable k moved by `step`. */
static void evaluate(const char *path, const char *study_path, int k, double step, values *out)
{
    routh_model *model = NULL;
    routh_error error = {0};
    rt_study study;
    rt_problem p;
    if (routh_model_read(&model, path, NULL, 0, &error)) fail_msg("%s", error.message);
    if (rt_study_read(&study, study_path, model, &error)) fail_msg("%s", error.message);
    const routh_optimum_options o = routh_optimum_defaults();
    study.variables[k].start += step;
    const rt_optimise_task task = {model, &study, &o};
    if (rt_problem_make(&p, &task, &error)) fail_msg("%s", error.message);
    out->n = p.members.n, out->n_x = p.n_x;
    assert_true(out->n <= MOST && out->n_x <= MOST_X);
    const rt_evaluation *r = &p.records[0];
    memcpy(out->value, r->value, (size_t)out->n * sizeof(double));
    memcpy(out->by, r->by, (size_t)(out->n * out->n_x) * sizeof(double));
    for (int i = 0; i < out->n_x; i++) out->start[i] = study.variables[i].start;
    rt_problem_free(&p);
    rt_study_free(&study);
    routh_model_free(model);
}

static void compare(const char *path, const char *study)
{
    static const double weight[] = {0, 4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    static values at, moved;
    static double sum[MOST];
    char *study_path = write_temporary(study);
    evaluate(path, study_path, 0, 0, &at);
    for (int k = 0; k < at.n_x; k++) {
        const double h = 4e-3 * at.start[k];
        memset(sum, 0, sizeof sum);
        for (int i = -4; i <= 4; i++) {
            if (i == 0) continue;
            evaluate(path, study_path, k, i * h, &moved);
            for (int m = 0; m < at.n; m++)
                sum[m] += (i < 0 ? -1 : 1) * weight[abs(i)] * moved.value[m] / h;
        }
        for (int m = 0; m < at.n; m++) {
            const double by = at.by[m * at.n_x + k];
            /* what differences lose: some 1e-12 of the value by the step */
            const double noise = 1e-11 * fabs(at.value[m]) / h + 1e-7 * fabs(by);
            if (!(fabs(by - sum[m]) <= noise))
                fail_msg("member %d by variable %d: %.12g, by differences %.12g", m, k, by, sum[m]);
        }
    }
    unlink(study_path);
    free(study_path);
}

static void of_modes_and_expressions(void **state)
{
    (void)state;
    char *path = write_temporary(two_masses);
    compare(path, "variables:\n"
                  "  k1: {between: [100, 1000]}\n"
                  "  m2: {between: [0.5, 5], scale: log}\n"
                  "  c: {between: [0.1, 3]}\n"
                  "goals:\n"
                  "  f: {frequency: all, at_most: 1000}\n"
                  "  d: {damping_ratio: [2, 1], at_least: 0}\n"
                  "  r: {real_part: all, at_most: 0}\n"
                  "  e: {expression: \"m1*m2^2 + sqrt(k1/c)\", minimise: yes}\n");
    unlink(path);
    free(path);
}

/* With a controller, a lag, a static equilibrium, a moving road, its velocity. The pieces are such
 * that no peak is near to an end of one, where the largest |H| has but one derivative. */
static void of_peaks(void **state)
{
    const char *source = getenv("ROUTH_SOURCE");
    char path[1024];
    (void)state;
    snprintf(path, sizeof path, "%s/examples/quarter-car-active.yaml", source ? source : ".");
    compare(path,
            "variables:\n"
            "  k: {between: [1e4, 1e5]}\n"
            "  c: {between: [100, 5000]}\n"
            "  body_mass: {between: [100, 1000]}\n"
            "  lag: {between: [0.001, 0.1]}\n"
            "goals:\n"
            "  a: {peak: acceleration, input: road, as: velocity, over: [0.3, 25], subbands: 11,"
            " minimise: yes}\n"
            "  t: {peak: travel, input: load, over: [0.2, 20], subbands: 5, at_most: 1}\n"
            "  f: {frequency: all, at_most: 1000}\n");
}

/* The ground moves under two masses: forces by its motion are seen through the shares. */
static void of_a_moving_ground(void **state)
{
    (void)state;
    char *path = write_temporary(two_masses);
    compare(path, "variables:\n"
                  "  k1: {between: [100, 1000]}\n"
                  "  c: {between: [0.1, 3]}\n"
                  "goals:\n"
                  "  a: {peak: b.x, base: y, as: acceleration, over: [0.3, 5], subbands: 7,"
                  " minimise: yes}\n"
                  "  b: {peak: b.x, base: x, as: acceleration, over: [0.3, 5], subbands: 7,"
                  " minimise: yes}\n");
    unlink(path);
    free(path);
}

/* Parameters that are written in terms of variables go along; here all of it is known. */
static void expressions_go_through_others(void **state)
{
    routh_model *model;
    routh_error error = {0};
    (void)state;
    static const char text[] = "parameters: {d: 3*b, a: 2, b: a^2 + 1, c: 7}\n"
                               "bodies: {m: {mass: 1, inertia: [1, 1, 1]}}\n";
    assert_int_equal(routh_model_parse(&model, text, sizeof text - 1, "text", NULL, 0, &error),
                     ROUTH_OK);
    const int parameters[] = {1, 3};
    double value, by[2];
    assert_int_equal(rt_expression_by(model, "c*d + a", parameters, 2, &value, by, &error),
                     ROUTH_OK);
    assert_true(value == 7 * 15 + 2);
    assert_true(by[0] == 7 * 3 * 4 + 1 && by[1] == 15);
    assert_int_equal(rt_expression_by(model, "c/(a - 2)", parameters, 2, &value, by, &error),
                     ROUTH_NUMERIC_ERROR);
    routh_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_modes_and_expressions),
        cmocka_unit_test(of_peaks),
        cmocka_unit_test(of_a_moving_ground),
        cmocka_unit_test(expressions_go_through_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
