/* A vehicle of the kind of Negrut and Ortiz's (2006, "All Terrain Vehicle", Table 5), with its
 * counts of bodies, joints, coordinates and degrees of freedom. The paper, which gives no data,
 * compares two programs; this compares methods, and prints the tables of docs/validation.md. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "model/model.h"
#include "routh/routh.h"

enum { N_STATES = 264, N_WAYS = 4 };

/* The first is what the others are held to. */
static const char *const ways[N_WAYS][2] = {
    {"absolute", "augmented"},
    {"absolute", "minimal"},
    {"absolute", "redundant"},
    {"relative", "augmented"},
};

typedef struct vehicle {
    routh_model *model;
    routh_modes *modes[N_WAYS];
    double seconds[N_WAYS]; /* of linearization and eigenvalues, of the processor */
} vehicle;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static routh_modes *solve(const vehicle *v, const char *const way[2], double *seconds)
{
    routh_mechanism *mechanism = NULL;
    routh_operating_point *point = NULL;
    routh_linear *linear = NULL;
    routh_modes *modes = NULL;
    routh_error error = {0};
    routh_linear_options options = routh_linear_defaults();
    options.method = way[1];
    if (routh_mechanism_compile(&mechanism, v->model, way[0], &error) ||
        routh_operating_point_find(&point, mechanism, NULL, &error))
        fail_msg("%s: %s", way[0], error.message);
    const double start = now();
    if (routh_linear_compute(&linear, mechanism, point, &options, &error) ||
        routh_modes_compute(&modes, linear, &error))
        fail_msg("%s, %s: %s", way[0], way[1], error.message);
    *seconds = now() - start;
    assert_int_equal(linear->n_states, 2 * 132);
    routh_linear_free(linear);
    routh_operating_point_free(point);
    routh_mechanism_free(mechanism);
    return modes;
}

static int set_up(void **state)
{
    static vehicle v;
    const char *source = getenv("ROUTH_SOURCE");
    char path[1024];
    routh_error error = {0};
    snprintf(path, sizeof path, "%s/examples/atv/atv.yaml", source ? source : ".");
    if (routh_model_read(&v.model, path, NULL, 0, &error)) fail_msg("%s", error.message);
    for (int k = 0; k < N_WAYS; k++) v.modes[k] = solve(&v, ways[k], &v.seconds[k]);
    *state = &v;
    return 0;
}

static int tear_down(void **state)
{
    vehicle *v = *state;
    for (int k = 0; k < N_WAYS; k++) routh_modes_free(v->modes[k]);
    routh_model_free(v->model);
    return 0;
}

static int count_joints(const routh_model *model, const char *type)
{
    int n = 0;
    for (int k = 0; k < model->n_joints; k++)
        n += strcmp(rt_joint_type_name(&model->joints[k]), type) == 0;
    return n;
}

static void it_has_what_the_paper_lists(void **state)
{
    const routh_model *m = ((vehicle *)*state)->model;
    int rigid = 0, coordinates = 0;
    for (int b = 0; b < m->n_bodies; b++) {
        rigid += !m->bodies[b].flexible;
        coordinates += 6 + (m->bodies[b].flexible ? m->bodies[b].flexible->n : 0);
    }
    assert_int_equal(rigid, 28);
    assert_int_equal(m->n_bodies, 29);
    assert_int_equal(coordinates, 314);
    assert_int_equal(count_joints(m, "cylindrical"), 1);
    assert_int_equal(count_joints(m, "revolute"), 3);
    assert_int_equal(count_joints(m, "spherical"), 21);
    assert_int_equal(count_joints(m, "translational"), 7);
    assert_int_equal(count_joints(m, "universal"), 4);
    assert_int_equal(count_joints(m, "fixed"), 7); /* the paper's six leave 138, not 132 */
    assert_int_equal(count_joints(m, "inline"), 1);
    assert_int_equal(count_joints(m, "motion"), 5);
    assert_int_equal(m->n_joints, 49);
}

/* The eigenvalue of b nearest to each of a, each taken once. */
static void pair_up(const routh_modes *a, const routh_modes *b, int partner[N_STATES])
{
    bool taken[N_STATES] = {false};
    assert_int_equal(a->n, N_STATES);
    assert_int_equal(b->n, N_STATES);
    for (int k = 0; k < N_STATES; k++) {
        const double *s = a->modes[k].eigenvalue;
        double nearest = INFINITY;
        for (int i = 0; i < N_STATES; i++) {
            const double *t = b->modes[i].eigenvalue, d = hypot(s[0] - t[0], s[1] - t[1]);
            if (taken[i] || !(d < nearest)) continue;
            nearest = d;
            partner[k] = i;
        }
        taken[partner[k]] = true;
    }
}

/* Rounding is a fraction of the spectral radius, seen through each eigenvalue's condition: what the
 * program says of each (error_bound) must hold here, and the paper's fractions by far. */
static void all_eigenvalues_agree(void **state)
{
    const vehicle *v = *state;
    const routh_modes *a = v->modes[0];
    print_message("    way                     max |dRe|  max |dIm|   of |s|   seconds\n");
    for (int w = 1; w < N_WAYS; w++) {
        int partner[N_STATES];
        double re = 0, im = 0, whole = 0;
        pair_up(a, v->modes[w], partner);
        for (int k = 0; k < N_STATES; k++) {
            const routh_mode *s = &a->modes[k], *t = &v->modes[w]->modes[partner[k]];
            const double d[2] = {fabs(s->eigenvalue[0] - t->eigenvalue[0]),
                                 fabs(s->eigenvalue[1] - t->eigenvalue[1])};
            re = fmax(re, d[0]);
            im = fmax(im, d[1]);
            whole = fmax(whole, hypot(d[0], d[1]) / hypot(s->eigenvalue[0], s->eigenvalue[1]));
        }
        print_message("    %-9s %-12s  %8.1e   %8.1e   %7.1e   %6.2f\n", ways[w][0], ways[w][1], re,
                      im, whole, v->seconds[w]);
        assert_true(whole < 1e-6); /* the paper: up to 0.22 */
        const double *fastest = a->modes[N_STATES - 1].eigenvalue;
        assert_true(fmax(re, im) < 1e-9 * hypot(fastest[0], fastest[1]));
    }
    print_message("    %-9s %-12s  %31s %6.2f\n", ways[0][0], ways[0][1], "", v->seconds[0]);
}

/* As Table 5: some eigenvalues and the errors of the other method in percent. */
static void the_table(void **state)
{
    const vehicle *v = *state;
    int partner[N_STATES];
    pair_up(v->modes[0], v->modes[1], partner);
    print_message("    |            Re |            Im | ERR Re [%%] | ERR Im [%%] |\n");
    for (int k = 1; k < N_STATES; k += k < 24 ? 6 : 34) {
        const double *s = v->modes[0]->modes[k].eigenvalue;
        const double *t = v->modes[1]->modes[partner[k]].eigenvalue;
        assert_true(s[0] < 0 && s[1] > 0); /* it rests stably, and everything rings */
        print_message("    | %13.6g | %13.8g | %10.1e | %10.1e |\n", s[0], s[1],
                      100 * fabs((t[0] - s[0]) / s[0]), 100 * fabs((t[1] - s[1]) / s[1]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_has_what_the_paper_lists),
        cmocka_unit_test(all_eigenvalues_agree),
        cmocka_unit_test(the_table),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
