#define _POSIX_C_SOURCE 200809L
/* What every type of load must hold to, over the list of them (model/load_types.h): nothing here
 * names a type. Derivatives by states are in system/test_derivatives.c, over the same list. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "elements/check_load.h"
#include "model/load_class.h"
#include "output/report_data.h"
#include "routh/routh.h"
#include "support/class_answers.h"
#include "support/differences.h"
#include "support/mechanisms.h"
#include "system/load.h"

/* ---- a mechanism with one of it -------------------------------------------------------------- */

/* Twists of a and b: one motion of both, and a turn and a slide in the joint h between them. */
static void twist(const double r[3], bool moves, double v[3], double w[3])
{
    const double turn[3] = {0.3, -0.2, 0.4}, along[3] = {0, 0, 1};
    const double from_joint[3] = {r[0] - 0.4, r[1], r[2]};
    rt_v3_set(v, 0.7, -0.3, 0.2);
    rt_v3_cross_add(v, turn, r);
    rt_v3_copy(w, turn);
    if (!moves) return;
    rt_v3_add_scaled(w, 0.9, along);
    rt_v3_add_scaled(v, 0.5, along);
    double by[3];
    rt_v3_cross(by, along, from_joint);
    rt_v3_add_scaled(v, 0.9, by);
}

/* With body c held. */
static void text_of(growing_text *text, const rt_load_class *class, bool in_motion)
{
    const double places[3][3] = {{0.1, 0.2, 0.3}, {1.2, -0.5, 0.9}, {-0.9, 0.8, -0.6}};
    static const char *const names[3] = {"a", "b", "c"};
    text_add(text, "gravity: [0, 0, -9.81]\nparameters: {%s}\nbodies:\n", class->sample_parameters);
    for (int k = 0; k < 3; k++) {
        double v[3] = {0}, w[3] = {0};
        if (in_motion && k < 2) twist(places[k], k == 1, v, w);
        text_add(text,
                 "  %s: {mass: %g, inertia: [0.5, 0.7, 0.9, 0.05, -0.04, 0.08], position: "
                 "[%g, %g, %g], velocity: [%.17g, %.17g, %.17g], angular_velocity: [%.17g, %.17g, "
                 "%.17g]}\n",
                 names[k], 1 + 0.3 * k, places[k][0], places[k][1], places[k][2], v[0], v[1], v[2],
                 w[0], w[1], w[2]);
    }
    text_add(text,
             "markers:\n"
             "  i: {body: a, position: [0.3, -0.2, 0.4], orientation: {rpy: [0.15, 0.1, -0.1]}}\n"
             "  j: {body: b, position: [-0.2, 0.3, 0.25], orientation: {rpy: [-0.1, 0.2, 0.1]}}\n"
             "  k: {body: c, position: [0.35, 0.15, -0.3], orientation: {rpy: [0.2, -0.1, 0.15]}}\n"
             "  g: {body: ground, position: [-0.6, -0.4, 0.5], orientation: {rpy: [0.1, -0.15, "
             "0.2]}}\n"
             "  axle: {body: a, position: [-0.1, 0.2, 0.3], orientation: {rpy: [1.3, 0.1, -0.2]}}\n"
             "joints:\n"
             "  h: {type: cylindrical, between: [a, b], at: [0.4, 0, 0], axis: z}\n"
             "  held: {type: fixed, between: [c, ground], at: [0, 0, 0]}\n"
             "loads: {x: {type: %s, %s}}\n",
             class->kind.name, class->sample);
}

static const rt_load_class *class_of(void **state) { return *state; }

/* ---- the class is whole ---------------------------------------------------------------------- */

static void every_member_is_there(void **state)
{
    const rt_load_class *class = class_of(state);
    const rt_load_type type = (rt_load_type)class->kind.type;
    assert_ptr_equal(rt_load_class_of(type), class);
    assert_string_equal(rt_load_type_name(type), class->kind.name);
    const size_t length = strlen(class->kind.doc);
    assert_true(length > 10 && class->kind.doc[length - 1] == '.');
    assert_true(class->kind.n_fields > 1 && class->kind.n_fields <= 32);
    for (int k = 0; k < class->kind.n_fields; k++)
        assert_true(class->kind.fields[k].doc && class->kind.fields[k].unit);
    assert_true((class->evaluate != NULL) != (class->evaluate_nodes != NULL));
    assert_true(class->n_functions <= RT_LOAD_FUNCTIONS);
    assert_int_equal(class->n_functions > 0, class->unit != NULL);
    assert_non_null(class->sample);
    assert_non_null(class->sample_parameters);
    assert_int_equal(class->closed_form != RT_CLOSED_NONE, class->closed_sample != NULL);
    assert_true(class->points >= 0 && class->points <= 2);
    int n = 0;
    for (int s = 0; s < RT_LOAD_SPANS; s++) n += class->numbers[s].n;
    /* it depends on something */
    assert_true(class->numbers[0].n || class->n_functions || class->evaluate_nodes);
    assert_true(!class->measure || class->free < n);
}

/* ---- frames: balance, objectivity, energy ---------------------------------------------------- */

/* Loads on more than two frames have tests of their own (tests/elements). */
static bool is_between_two(const rt_load_class *class) { return class->evaluate != NULL; }

typedef struct context {
    const rt_load_class *class;
    test_mechanism t;
    double functions[RT_LOAD_FUNCTIONS];
} context;

static rt_load_at at_frames(const context *c, const rt_frame f[N_FRAMES], double by_axes[36])
{
    rt_load_at at = rt_load_on(c->t.m, c->t.w, &c->t.m->loads[0], c->functions);
    at.i = &f[FRAME_I], at.j = &f[FRAME_J], at.k = &f[FRAME_K], at.by_axes = by_axes;
    return at;
}

static bool evaluate(void *context_, const rt_frame f[N_FRAMES], bool partials, rt_load_result *out,
                     double partial_k[36])
{
    const context *c = context_;
    double unused[36];
    const rt_load_at at = at_frames(c, f, partial_k ? partial_k : unused);
    return c->class->evaluate(&at, partials, out);
}

/* Less than a radian from each other, and not at one place. */
static bool fit(void *unused, const rt_frame f[N_FRAMES])
{
    double d[3], trace = 0;
    (void)unused;
    for (int k = 0; k < 9; k++) trace += f[FRAME_I].A[k] * f[FRAME_J].A[k];
    rt_v3_sub(d, f[FRAME_I].r, f[FRAME_J].r);
    return trace > 1 + 2 * cos(1) && rt_v3_norm(d) > 0.3;
}

static void draw(void *context_, random_stream *stream)
{
    context *c = context_;
    random_reals(stream, c->class->n_functions, c->functions);
}

static void context_make(context *c, const rt_load_class *class)
{
    growing_text text = {0};
    *c = (context){.class = class};
    text_of(&text, class, false);
    mechanism_make(&c->t, text.bytes);
    free(text.bytes);
}

static void momentum_is_kept_and_the_world_may_turn(void **state)
{
    context c;
    if (!is_between_two(class_of(state))) return;
    context_make(&c, class_of(state));
    const load_under_test load = {&c, evaluate, fit, c.class->resolved, draw};
    if (c.class->between_bodies) check_balance(&load, 11);
    check_objectivity(&load, 12);
    mechanism_release(&c.t);
}

/* A load between two points that keeps momentum and turns with the world has at rest a force that
 * depends on their distance alone, so that it has an energy: none only where it has no force. */
static bool has_energy(const rt_load_class *class)
{
    return class->energy || (class->between_bodies && class->points == 2);
}

/* dE = -(wrench . xi) for frames at rest, by differences, with the functions at zero. */
static void the_force_is_the_slope_of_the_energy(void **state)
{
    context c;
    if (!is_between_two(class_of(state))) return;
    context_make(&c, class_of(state));
    const load_under_test load = {&c, evaluate, fit, c.class->resolved, draw};
    random_stream random = {13};
    for (int k = 0; k < 20 && has_energy(c.class); k++) {
        joint_motion m[N_FRAMES];
        rt_frame f[N_FRAMES], moved[N_FRAMES];
        rt_load_result out;
        double xi[12], e[2], work = 0;
        draw_frames(&load, &random, MOTION_REST, m, f);
        memset(c.functions, 0, sizeof c.functions);
        random_reals(&random, 12, xi);
        assert_true(evaluate(&c, f, false, &out, NULL));
        for (int i = 0; i < 6; i++)
            work += out.wrench[0][i] * xi[i] + out.wrench[1][i] * xi[6 + i];
        const double h = 1e-5;
        for (int side = 0; side < 2; side++) {
            const double s = side ? h : -h;
            memcpy(moved, f, sizeof moved);
            for (int n = 0; n < 2; n++) {
                double turn[3], A[9];
                rt_v3_add_scaled(moved[n].r, s, xi + 6 * n);
                rt_v3_scale(turn, s, xi + 6 * n + 3);
                rt_rotation_exp(A, turn);
                rt_m3_mul(moved[n].A, A, f[n].A);
            }
            const rt_load_at at = at_frames(&c, moved, NULL);
            e[side] = c.class->energy ? c.class->energy(&at) : 0;
        }
        /* h^2 of curvature, and rounding of the energy over h */
        const double scale = fmax(fabs(e[0]), fmax(fabs(work), 1));
        assert_true(fabs((e[1] - e[0]) / (2 * h) + work) <= 1e-7 * scale);
    }
    mechanism_release(&c.t);
}

/* ---- the whole chain ------------------------------------------------------------------------- */

/* What leaves the closed forms, and functions the penalty method, is refused by design. */
static bool is_refused(const void *unused, const routh_check_cell *x)
{
    (void)unused;
    return x->state == ROUTH_CELL_REFUSED;
}

static void all_coordinates_and_methods_agree(void **state)
{
    growing_text text = {0};
    text_of(&text, class_of(state), true);
    assert_cells_agree(text.bytes, false, 8, is_refused, NULL);
    free(text.bytes);
}

/* The largest move of an eigenvalue, relative to the largest. */
static double move_of(const difference_model *model, const char *parameter, double to)
{
    chain at = {0}, moved = {0};
    routh_error error;
    double move = 0, size = 0;
    if (chain_run(&at, model, NULL, 0, &error)) fail_msg("%s", error.message);
    if (chain_run(&moved, model, parameter, to, &error)) fail_msg("%s", error.message);
    assert_int_equal(at.linear->n_states, moved.linear->n_states);
    const int n = at.linear->n_states;
    for (int k = 0; k < n * n; k++) {
        move = fmax(move, fabs(at.linear->A[k] - moved.linear->A[k]));
        size = fmax(size, fabs(at.linear->A[k]));
    }
    chain_free(&at);
    chain_free(&moved);
    return move / size;
}

/* Each of its numbers moves the linear model, and derivatives by it are those of differences. */
static void sensitive_to_each_of_its_numbers(void **state)
{
    const rt_load_class *class = class_of(state);
    growing_text text = {0};
    text_of(&text, class, true);
    const difference_model model = {.text = text.bytes};
    assert_derivatives_agree(text.bytes, 1);
    char names[200], *rest = names;
    snprintf(names, sizeof names, "%s", class->sample_parameters);
    for (char *name = strtok_r(names, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
        name += strspn(name, " ");
        char *value = name + strcspn(name, ":");
        *value = '\0';
        if (!(move_of(&model, name, 1.1 * strtod(value + 1, NULL)) > 1e-9))
            fail_msg("%s: %s moves nothing", class->kind.name, name);
    }
    free(text.bytes);
}

static void the_closed_form_agrees(void **state)
{
    const rt_load_class *class = class_of(state);
    if (!class->closed_form) return;
    growing_text text = {0};
    routh_model *model = NULL;
    routh_check *check = NULL;
    routh_error error;
    routh_check_options options = routh_check_defaults();
    options.most_degrees = -1;
    text_add(&text,
             "parameters: {k: 40, c: 3}\n"
             "bodies: {a: {mass: 2, inertia: [1, 1.5, 1.2], position: [0, 0, -0.5]}}\n"
             "markers:\n"
             "  m: {body: a, position: [0, 0, -0.5]}\n"
             "  w: {body: ground, position: [1, 0, -1]}\n"
             "  n: {body: ground, position: [0, 0, -1]}\n"
             "joints: {h: {type: revolute, between: [a, ground], at: [0, 0, 0], axis: y}}\n"
             "loads: {x: {type: %s, %s}}\n",
             class->kind.name, class->closed_sample);
    if (routh_model_parse(&model, text.bytes, text.length, "test", NULL, 0, &error) ||
        routh_check_run(&check, model, &options, &error))
        fail_msg("%s in\n%s", error.message, text.bytes);
    const routh_check_cell *x = &check->cells[check->n_cells - 1];
    assert_string_equal(x->method, "symbolic");
    if (x->verdict != ROUTH_YES)
        fail_msg("%s: the closed form: %s", class->kind.name, x->why ? x->why : "differs");
    routh_check_free(check);
    routh_model_free(model);
    free(text.bytes);
}

/* In the data of the page, with its type and how it is drawn, in words of the page's own list. */
static void the_report_draws_it(void **state)
{
    static const char *const words[] = {"plain", "coil", "ring", "rubber", "arrow"};
    const rt_load_class *class = class_of(state);
    char seeks[2][80];
    growing_text text = {0};
    routh_error error;
    rt_json json = {0};
    chain c = {0};
    text_of(&text, class, true);
    const difference_model model = {.text = text.bytes};
    if (chain_run(&c, &model, NULL, 0, &error)) fail_msg("%s", error.message);
    const routh_results results = {
        .model = c.model, .point = c.point, .linear = c.linear, .modes = c.modes};
    if (rt_report_data(&results, &json, &error)) fail_msg("%s", error.message);
    assert_true(class->picture >= 0 && (size_t)class->picture < sizeof words / sizeof *words);
    snprintf(seeks[0], sizeof seeks[0], "\"type\": \"%s\", \"name\": \"x\"", class->kind.name);
    snprintf(seeks[1], sizeof seeks[1], "\"picture\": \"%s\"", words[class->picture]);
    const char *at = NULL;
    for (size_t k = 0; k + strlen(seeks[0]) <= json.text.length && !at; k++)
        if (!memcmp(json.text.bytes + k, seeks[0], strlen(seeks[0]))) at = json.text.bytes + k;
    assert_non_null(at);
    assert_non_null(strstr(at, seeks[1]));
    rt_text_free(&json.text);
    chain_free(&c);
    free(text.bytes);
}

int main(void)
{
    static const struct {
        const char *name;
        void (*test)(void **state);
    } of_each[] = {
        {"every member is there", every_member_is_there},
        {"momentum is kept and the world may turn", momentum_is_kept_and_the_world_may_turn},
        {"the force is the slope of the energy", the_force_is_the_slope_of_the_energy},
        {"all coordinates and methods agree", all_coordinates_and_methods_agree},
        {"sensitive to each of its numbers", sensitive_to_each_of_its_numbers},
        {"the closed form agrees", the_closed_form_agrees},
        {"the report draws it", the_report_draws_it},
    };
    enum { N_TESTS = sizeof of_each / sizeof of_each[0] };
    static struct CMUnitTest tests[N_TESTS * RT_LOAD_N_TYPES];
    static char names[N_TESTS * RT_LOAD_N_TYPES][100];
    for (int k = 0; k < N_TESTS * RT_LOAD_N_TYPES; k++) {
        const rt_load_class *class = rt_load_class_of((rt_load_type)(k / N_TESTS));
        snprintf(names[k], sizeof names[k], "%s: %s", class->kind.name, of_each[k % N_TESTS].name);
        tests[k] = (struct CMUnitTest){names[k], of_each[k % N_TESTS].test, NULL, NULL,
                                       (void *)(uintptr_t)class};
    }
    return _cmocka_run_group_tests("studies.load_classes", tests, N_TESTS * RT_LOAD_N_TYPES, NULL,
                                   NULL);
}
