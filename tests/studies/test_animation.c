/* Modes at a finite amplitude: joints closed, the mode where the amplitude goes to zero. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "studies/animation.h"
#include "base/rotation.h"
#include "support/effort.h"

typedef struct chain {
    routh_model *model;
    routh_mechanism *mechanism;
    routh_operating_point *point;
    routh_linear *linear;
    routh_modes *modes;
    routh_animation *animation;
} chain;

static const char *source(void)
{
    const char *folder = getenv("ROUTH_SOURCE");
    return folder ? folder : ".";
}

static void make(chain *c, const char *file, const char *coordinates)
{
    char path[1024];
    routh_error error = {0};
    routh_linear_options options = routh_linear_defaults();
    options.markers = 1;
    *c = (chain){0};
    snprintf(path, sizeof path, "%s/%s", source(), file);
    if (routh_model_read(&c->model, path, NULL, 0, &error) ||
        routh_mechanism_compile(&c->mechanism, c->model, coordinates, &error) ||
        routh_operating_point_find(&c->point, c->mechanism, NULL, &error) ||
        routh_linear_compute(&c->linear, c->mechanism, c->point, &options, &error) ||
        routh_modes_compute(&c->modes, c->linear, &error) ||
        routh_animation_compute(&c->animation, c->mechanism, c->point, c->linear, c->modes, NULL,
                                &error))
        fail_msg("%s: %s", file, error.message);
}

static void drop(chain *c)
{
    routh_animation_free(c->animation);
    routh_modes_free(c->modes);
    routh_linear_free(c->linear);
    routh_operating_point_free(c->point);
    routh_mechanism_free(c->mechanism);
    routh_model_free(c->model);
}

static double power(double x, int n)
{
    double y = 1;
    while (n-- > 0) y *= x;
    return y;
}

/* Displacement and rotation of marker k of the list on the path at (c, s); `terms` 0: the mode. */
static void move(const chain *x, const routh_mode_path *path, int k, double c, double s, int terms,
                 double out[6])
{
    double motion[12];
    const int n = x->animation->n_markers;
    routh_mode_marker(x->linear, &x->modes->modes[path->mode], x->animation->markers[k], motion);
    for (int i = 0; i < 6; i++) {
        out[i] = path->amplitude * (c * motion[i] + s * motion[6 + i]);
        for (int t = 0; terms && t < path->n_terms; t++)
            out[i] += power(c, path->power[t][0]) * power(s, path->power[t][1]) *
                      path->term[((size_t)t * n + k) * 6 + i];
    }
}

/* The largest |Phi| along an amplitude, by the equations themselves: bodies put where the path says
 * in a state of the mechanism of absolute coordinates. */
static double opening(const chain *x, const routh_mode_path *path, double amplitude, int terms)
{
    routh_error error = {0};
    rt_search s;
    int row;
    double worst = 0;
    const routh_mechanism *m = x->mechanism->base ? x->mechanism->base : x->mechanism;
    const rt_state *at = x->mechanism->base ? x->point->base_state : x->point->state;
    assert_int_equal(rt_search_create(&s, m, 1e-12, 10, &error), ROUTH_OK);
    rt_frame *bodies = calloc((size_t)m->n_bodies, sizeof *bodies);
    assert_non_null(bodies);
    for (int step = 0; step < 24; step++) {
        const double p = 6.283185307179586 * step / 24;
        rt_state_copy(m, s.state, at);
        for (int b = 0; b < m->n_bodies; b++) {
            const routh_marker_motion *rest = &x->linear->markers[b];
            double d[6], R[9];
            assert_int_equal(x->animation->markers[b], b);
            move(x, path, b, amplitude * cos(p), -amplitude * sin(p), terms, d);
            rt_rotation_exp(R, d + 3);
            rt_m3_mul(bodies[b].A, R, rest->orientation);
            for (int i = 0; i < 3; i++) bodies[b].r[i] = rest->position[i] + d[i];
        }
        rt_take_frames(m, s.w, bodies, s.state);
        assert_int_equal(
            rt_evaluate(m, s.w, s.state, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN, &error), ROUTH_OK);
        worst = fmax(worst, rt_constraint_error(&s, &row));
    }
    free(bodies);
    rt_state_free(s.state);
    rt_search_release(&s);
    return worst;
}

static const struct {
    const char *file, *coordinates;
    int least; /* modes that open joints */
} models[] = {
    {"examples/four-bar.yaml", "absolute", 1},
    {"examples/spatial-four-bar.yaml", "absolute", 1},
    {"examples/mcpherson.yaml", "relative", 2},
    {"examples/washing-machine.yaml", "absolute", 1},
    {"examples/humanoid.yaml", "euler-parameters", 5},
    {"examples/bicycle-whipple.yaml", "absolute", 1},
    {"examples/three-bladed-rotor.yaml", "absolute", 3},
};
enum { N_MODELS = sizeof models / sizeof *models };

static void joints_stay_closed_a_thousand_times_better(void **state)
{
    (void)state;
    for (int k = 0; k < N_MODELS; k++) {
        chain x;
        make(&x, models[k].file, models[k].coordinates);
        if (x.animation->n_paths < models[k].least)
            fail_msg("%s: %d paths", models[k].file, x.animation->n_paths);
        for (int i = 0; i < x.animation->n_paths; i++) {
            const routh_mode_path *path = &x.animation->paths[i];
            const double before = opening(&x, path, 1, 0), after = opening(&x, path, 1, 1);
            if (!(after <= 1e-3 * before))
                fail_msg("%s, mode %d: joints open by %.3g without and %.3g with the path",
                         models[k].file, path->mode + 1, before, after);
            if (full_effort())
                print_message("%s, mode %d: amplitude %.3g, opening %.3g -> %.3g (1/%.3g)\n",
                              models[k].file, path->mode + 1, path->amplitude, before, after,
                              before / after);
        }
        drop(&x);
    }
}

/* Closing by Newton's method from a point next to the operating point moves it by the square of
 * the distance: the derivative at amplitude 0 is the mode. Were it not so, what closing moves would
 * fall with the distance itself. */
static void near_the_operating_point_closing_moves_by_the_square(void **state)
{
    (void)state;
    for (int k = 0; k < N_MODELS; k++) {
        chain x;
        rt_closing closing;
        routh_error error = {0};
        make(&x, models[k].file, models[k].coordinates);
        assert_int_equal(rt_closing_create(&closing, x.mechanism, x.point, x.linear, &error),
                         ROUTH_OK);
        double *numbers = calloc((size_t)closing.n_numbers, sizeof *numbers);
        assert_non_null(numbers);
        for (int i = 0; i < x.animation->n_paths; i++) {
            const routh_mode_path *path = &x.animation->paths[i];
            const double ground[6] = {0};
            double moved[2] = {0, 0};
            for (int h = 0; h < 2; h++) {
                const double a = h ? 5e-4 : 1e-3;
                bool closed;
                memset(numbers, 0, (size_t)closing.n_numbers * sizeof *numbers);
                for (int b = 0; b < closing.n_markers; b++)
                    move(&x, path, b, a, 0, 0, numbers + 6 * b);
                assert_int_equal(rt_closing_close(&closing, numbers, ground, &closed, &error),
                                 ROUTH_OK);
                assert_true(closed);
                for (int b = 0; b < closing.n_markers; b++) {
                    double d[6];
                    move(&x, path, b, a, 0, 0, d);
                    for (int r = 0; r < 6; r++)
                        moved[h] = fmax(moved[h], fabs(numbers[6 * b + r] - d[r]));
                }
            }
            /* 1/4 and terms of third order, a thousandth of it; rounding and Newton's tolerance */
            if (fabs(moved[1] - moved[0] / 4) > 0.02 * moved[0] + 1e-9)
                fail_msg("%s, mode %d: closing moves by %.3g and at half of it %.3g",
                         models[k].file, path->mode + 1, moved[0], moved[1]);
        }
        free(numbers);
        rt_closing_free(&closing);
        drop(&x);
    }
}

/* The upper rod of a double pendulum hangs at the origin: its middle stays on a circle about it,
 * and turns by the angle it has gone along that. */
static void the_middle_of_a_pendulum_stays_on_its_circle(void **state)
{
    (void)state;
    chain x;
    make(&x, "examples/double-pendulum.yaml", "relative");
    assert_int_equal(x.animation->n_paths, 2);
    for (int i = 0; i < 2; i++) {
        const routh_mode_path *path = &x.animation->paths[i];
        for (double c = -2; c <= 2; c += 0.25) {
            double d[6];
            move(&x, path, 0, c, 0, 1, d);
            const double *r = x.linear->markers[0].position;
            const double at[2] = {r[0] + d[0], r[1] + d[1]};
            /* what is left of the opening: 1e-3 of that of the mode, which goes with the square */
            const double allowed = 1e-3 * path->open * fmax(1, c * c);
            assert_true(fabs(sqrt(at[0] * at[0] + at[1] * at[1]) - fabs(r[1])) <= allowed);
            assert_true(fabs(atan2(at[0], -at[1]) - d[5]) * fabs(r[1]) <= allowed);
            assert_true(c == 0 || fabs(d[5]) > 1e-3);
        }
    }
    drop(&x);
}

static void what_has_no_joints_has_no_paths(void **state)
{
    (void)state;
    chain x;
    make(&x, "examples/engine-mount.yaml", "absolute");
    assert_int_equal(x.animation->n_paths, 0);
    drop(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_stay_closed_a_thousand_times_better),
        cmocka_unit_test(near_the_operating_point_closing_moves_by_the_square),
        cmocka_unit_test(the_middle_of_a_pendulum_stays_on_its_circle),
        cmocka_unit_test(what_has_no_joints_has_no_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
