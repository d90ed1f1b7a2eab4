/* routh_check_run on models whose answers are known: rows and freedoms, motions that nothing holds,
 * singular configurations, and the table of coordinate sets and methods. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "routh/routh.h"

enum { MOST_SETTINGS = 4 };

typedef struct checked {
    routh_model *model;
    routh_check *result;
} checked;

static checked check_text(const char *text, const routh_check_options *options)
{
    checked c = {0};
    routh_error error;
    if (routh_model_parse(&c.model, text, strlen(text), "test.yaml", NULL, 0, &error) ||
        routh_check_run(&c.result, c.model, options, &error))
        fail_msg("%s", error.message);
    return c;
}

static checked check_template(const char *name, const char *const *settings,
                              const routh_setting *parameters, size_t n_parameters,
                              const routh_check_options *options)
{
    checked c = {0};
    routh_setting list[MOST_SETTINGS];
    routh_text text = {0};
    routh_error error;
    size_t n = 0;
    for (; settings && settings[2 * n]; n++)
        list[n] = (routh_setting){settings[2 * n], settings[2 * n + 1]};
    if (routh_template_write(name, list, n, &text, &error) ||
        routh_model_parse(&c.model, text.bytes, text.length, name, parameters, n_parameters,
                          &error) ||
        routh_check_run(&c.result, c.model, options, &error))
        fail_msg("%s", error.message);
    routh_text_free(&text);
    return c;
}

static void release(checked *c)
{
    routh_check_free(c->result);
    routh_model_free(c->model);
}

static const routh_finding *finding(const routh_check *c, const char *name)
{
    for (int k = 0; k < c->n_findings; k++)
        if (strcmp(c->findings[k].name, name) == 0) return &c->findings[k];
    fail_msg("there is no answer '%s'", name);
    return NULL;
}

static const routh_check_cell *cell(const routh_check *c, const char *coordinates,
                                    const char *method)
{
    for (int k = 0; k < c->n_cells; k++)
        if (strcmp(c->cells[k].coordinates, coordinates) == 0 &&
            strcmp(c->cells[k].method, method) == 0)
            return &c->cells[k];
    fail_msg("there is no cell %s, %s", coordinates, method);
    return NULL;
}

/* ---- models in order ------------------------------------------------------------------------- */

/* A cart that nothing but its controllers holds, with states that act on nothing and one that is
 * acted on strongly: their units and the cart's unit of velocity are not to follow rounding. */
static void a_cart_held_by_controllers_alone_agrees(void **state)
{
    (void)state;
    checked c = check_text(
        "bodies: {cart: {mass: 2, inertia: [1, 1, 1], position: [0.3, 0, 0]}}\n"
        "joints: {track: {type: translational, between: [ground, cart], axis: x}}\n"
        "inputs: {reference: {value: 5, unit: m}}\n"
        "variables: {error: \"reference - DX(cart)\"}\n"
        "controllers:\n"
        "  pid: {type: pid, input: error, proportional: 20, integral: 5, derivative: 10, "
        "filter: 0.01}\n"
        "  lag: {type: differential, rate: \"(pid - lag)/0.5\"}\n"
        "  steep: {type: differential, rate: \"(lag^3 - steep)/0.5\", initial: 7}\n"
        "  loose: {type: differential, rate: \"error - 4.7\"}\n"
        "loads: {motor: {type: force, on: cart, components: [lag, 0, 0]}}\n",
        NULL);
    assert_int_equal(finding(c.result, "agreement")->verdict, ROUTH_YES);
    assert_int_equal(cell(c.result, "natural", "redundant")->verdict, ROUTH_YES);
    release(&c);
}

static void every_set_and_method_has_a_cell_and_agrees(void **state)
{
    (void)state;
    static const char *const templates[] = {"slider-pendulum", "spatial-four-bar", "rotor-stator",
                                            "rotating-pendulum", "four-bar"};
    for (int t = 0; t < 5; t++) {
        checked c = check_template(templates[t], NULL, NULL, 0, NULL);
        const routh_check *r = c.result;
        int n = 0;
        for (int i = 0; routh_coordinate_name(i); i++)
            for (int k = 0; routh_method_name(k); k++, n++) {
                const routh_check_cell *x = &r->cells[n];
                assert_string_equal(x->coordinates, routh_coordinate_name(i));
                assert_string_equal(x->method, routh_method_name(k));
                assert_int_equal(x->state, n ? ROUTH_CELL_COMPARED : ROUTH_CELL_REFERENCE);
                assert_int_equal(x->verdict, ROUTH_YES);
                assert_true(x->seconds > 0 && x->seconds < 60);
                if (n == 0) continue;
                assert_true(x->margin <= 1 && x->mac > 1 - 1e-6 && x->mac <= 1);
                /* differences say what they are off by */
                assert_int_equal(x->stated_error > 0, strcmp(x->method, "difference") == 0 ||
                                                          strcmp(x->method, "penalty") == 0);
            }
        /* and the closed form, last (test_closed_form.c) */
        assert_int_equal(n + 1, r->n_cells);
        assert_string_equal(r->cells[n].method, "symbolic");
        assert_int_equal(r->verdict, ROUTH_YES);
        for (int k = 0; k < r->n_findings; k++) assert_true(r->findings[k].margin <= 1);
        release(&c);
    }
}

static void an_overconstrained_parallelogram_is_counted_and_its_redundant_rows_named(void **state)
{
    (void)state;
    /* a bar on three cranks: 24 - 30 rows; planar it would be 12 - 12, and one crank is surplus */
    checked c = check_text("gravity: [0, 0, -9.81]\n"
                           "bodies:\n"
                           "  c1: {mass: 2, inertia: [0.1, 0.15, 0.1], position: [0, 0, -0.4]}\n"
                           "  c2: {mass: 2, inertia: [0.1, 0.15, 0.1], position: [1, 0, -0.4]}\n"
                           "  c3: {mass: 2, inertia: [0.1, 0.15, 0.1], position: [2, 0, -0.4]}\n"
                           "  bar: {mass: 5, inertia: [1, 1, 1], position: [1, 0, -0.8]}\n"
                           "joints:\n"
                           "  g1: {type: revolute, between: [c1, ground], at: [0, 0, 0], axis: y}\n"
                           "  g2: {type: revolute, between: [c2, ground], at: [1, 0, 0], axis: y}\n"
                           "  g3: {type: revolute, between: [c3, ground], at: [2, 0, 0], axis: y}\n"
                           "  b1: {type: revolute, between: [c1, bar], at: [0, 0, -0.8], axis: y}\n"
                           "  b2: {type: revolute, between: [c2, bar], at: [1, 0, -0.8], axis: y}\n"
                           "  b3: {type: revolute, between: [c3, bar], at: [2, 0, -0.8], axis: y}\n"
                           "operating_point: {type: static}\n",
                           NULL);
    const routh_check *r = c.result;
    assert_int_equal(r->n_bodies, 4);
    assert_int_equal(r->n_joint_rows, 30);
    assert_int_equal(r->n_motion_rows, 0);
    assert_int_equal(r->gruebler, -6);
    assert_int_equal(r->degrees_of_freedom, 1);
    assert_int_equal(r->degrees_nearby, 1);
    assert_int_equal(r->point->n_redundant, 7);
    int n_in_plane = 0;
    for (int k = 0; k < 7; k++) {
        const routh_redundant_row *row = &r->point->redundant[k];
        assert_non_null(strchr("gb", row->joint[0]));
        assert_non_null(strchr("123", row->joint[1]));
        n_in_plane += strcmp(row->row, "origins coincide along x") == 0 ||
                      strcmp(row->row, "origins coincide along z") == 0;
    }
    assert_int_equal(n_in_plane, 1);
    assert_int_equal(finding(r, "rank")->verdict, ROUTH_YES);
    assert_int_equal(r->verdict, ROUTH_YES);
    release(&c);
}

static void motions_are_counted_apart(void **state)
{
    (void)state;
    checked c = check_text("bodies: {rotor: {mass: 1, inertia: [1, 1, 2]}}\n"
                           "joints:\n"
                           "  bearing: {type: revolute, between: [rotor, ground], axis: z}\n"
                           "  drive: {type: motion, joint: bearing, function: 3*time}\n",
                           NULL);
    const routh_check *r = c.result;
    assert_int_equal(r->n_joint_rows, 5);
    assert_int_equal(r->n_motion_rows, 1);
    assert_int_equal(r->gruebler, 0);
    assert_int_equal(r->degrees_of_freedom, 0);
    release(&c);
}

/* ---- motions that nothing holds -------------------------------------------------------------- */

static void the_six_motions_of_a_free_body_are_named_one_by_one(void **state)
{
    (void)state;
    checked c = check_text("bodies:\n"
                           "  stone: {mass: 3, inertia: [1, 2, 2.5], position: [0.2, 0.1, -0.4]}\n",
                           NULL);
    const routh_check *r = c.result;
    assert_int_equal(r->gruebler, 6);
    assert_int_equal(r->degrees_of_freedom, 6);
    assert_int_equal(r->n_free_motions, 6);
    int seen = 0;
    for (int k = 0; k < 6; k++) {
        assert_int_equal(r->free_motions[k].n_bodies, 1);
        const routh_body_motion *b = &r->free_motions[k].bodies[0];
        const double x[6] = {b->displacement[0], b->displacement[1], b->displacement[2],
                             b->rotation[0],     b->rotation[1],     b->rotation[2]};
        int n = 0;
        assert_string_equal(b->body, "stone");
        for (int i = 0; i < 6; i++) {
            if (x[i] == 0) continue;
            assert_true(x[i] == 1);
            seen |= 1 << i, n++;
        }
        assert_int_equal(n, 1);
    }
    assert_int_equal(seen, 63);
    assert_int_equal(r->verdict, ROUTH_YES);
    assert_int_equal(finding(r, "zeros")->verdict, ROUTH_YES);
    assert_non_null(strstr(finding(r, "zeros")->text, "12 eigenvalues are zero;"));
    release(&c);
}

/* The integral of what a sensor sees, which nothing feels. */
static void one_eigenvalue_is_zero(void **state)
{
    (void)state;
    checked c = check_text("bodies: {b: {mass: 2, inertia: [1, 1, 1]}}\n"
                           "joints: {s: {type: translational, between: [b, ground], axis: x}}\n"
                           "loads: {k: {type: force, on: b, components: [-8*DX(b), 0, 0]}}\n"
                           "controllers: {sum: {type: differential, rate: DX(b)}}\n",
                           NULL);
    assert_int_equal(c.result->modes->n_zero, 1);
    assert_non_null(strstr(finding(c.result, "zeros")->text, "1 eigenvalue is zero;"));
    release(&c);
}

/* A rod that turns past the height of its hinge: gravity has no stiffness there, and what rounding
 * leaves of it is no frequency, whatever it is compared with. */
static void rounding_where_all_frequencies_are_zero_is_no_disagreement(void **state)
{
    (void)state;
    checked c = check_text("gravity: [0, 0, -9.81]\n"
                           "bodies: {rod: {mass: 1, inertia: [1, 1, 0.1], position: [1, 0, 0], "
                           "angular_velocity: [0, 2, 0]}}\n"
                           "joints: {hinge: {type: revolute, between: [rod, ground], "
                           "at: [0, 0, 0], axis: y}}\n",
                           NULL);
    const routh_check *r = c.result;
    assert_int_equal(r->modes->n_zero, 2);
    assert_int_equal(r->n_free_motions, 1);
    for (int k = 1; k < r->n_cells - 1; k++) {
        assert_int_equal(r->cells[k].state, ROUTH_CELL_COMPARED);
        assert_int_not_equal(r->cells[k].verdict, ROUTH_NO);
        /* half the digits of the rate, 3/s; the penalty's bound is wide there */
        assert_true(r->cells[k].difference <= 1e-6 || r->cells[k].stated_error > 1e-4);
        assert_true(r->cells[k].verdict == ROUTH_YES || r->cells[k].stated_error > 1e-4);
    }
    release(&c);
}

static void a_held_mechanism_has_no_free_motion(void **state)
{
    (void)state;
    checked c = check_template("slider-pendulum", NULL, NULL, 0, NULL);
    assert_int_equal(c.result->n_free_motions, 0);
    release(&c);
}

/* ---- singular configurations ----------------------------------------------------------------- */

/* Nothing is wrong with coordinates and methods. */
static void assert_no_cell_is_wrong(const routh_check *c)
{
    for (int k = 0; k < c->n_cells; k++) {
        const routh_check_cell *x = &c->cells[k];
        if (x->verdict == ROUTH_NO)
            fail_msg("%s, %s is off by %.3g, %.3g of what is allowed; shapes %.3g", x->coordinates,
                     x->method, x->difference, x->margin, x->shape_margin);
        if (x->verdict == ROUTH_CANNOT_TELL) assert_non_null(x->why);
    }
}

/* The four-bar with its cranks at phi from the line of the ground, without springs. */
static checked four_bar_at(const char *phi)
{
    const routh_setting parameters[] = {{"k", "0"}, {"phi", phi}};
    routh_check_options options = routh_check_defaults();
    options.operating.type = ROUTH_OPERATING_GIVEN;
    return check_template("four-bar", (const char *const[]){"N", "1", NULL}, parameters, 2,
                          &options);
}

static void a_singular_configuration_is_no_regular_one(void **state)
{
    (void)state;
    checked c = four_bar_at("0");
    const routh_check *r = c.result;
    const routh_finding *regular = finding(r, "regular");
    assert_int_equal(r->degrees_of_freedom, 2);
    assert_int_equal(r->degrees_nearby, 1);
    assert_int_equal(regular->verdict, ROUTH_NO);
    assert_non_null(strstr(regular->text, "singular"));
    assert_non_null(strstr(regular->text, "2 degrees of freedom here, 1 a little away"));
    assert_int_equal(r->verdict, ROUTH_NO);
    assert_true(r->distance == 0);
    /* what differs there is no fault of coordinates or methods */
    assert_no_cell_is_wrong(r);
    release(&c);
}

/* A hinge 1e-8 rad off its fellow, and an input that drives against a joint. */
static void a_misalignment_and_an_impossible_input_are_found(void **state)
{
    (void)state;
    checked c = check_text(
        "bodies: {door: {mass: 20, inertia: [2,3,1], position: [0.4, 0, 0]}}\n"
        "inputs: {push: {}}\n"
        "joints:\n"
        "  low: {type: revolute, between: [door, ground], at: [0,0,-0.8]}\n"
        "  high: {type: revolute, between: [door, ground], at: [0,0,0.8], axis: [1e-8,0,1]}\n"
        "  drive: {type: motion, joint: low, along: z, function: push}\n",
        NULL);
    const routh_finding *rank = finding(c.result, "rank"), *inputs = finding(c.result, "inputs");
    assert_int_equal(rank->verdict, ROUTH_CANNOT_TELL);
    assert_true(rank->margin > 100);
    assert_int_equal(inputs->verdict, ROUTH_NO);
    assert_non_null(strstr(inputs->text, "joint drive: input push cannot change"));
    assert_int_equal(c.result->verdict, ROUTH_NO);
    release(&c);
}

static void the_distance_from_a_singular_configuration_is_measured(void **state)
{
    (void)state;
    /* the coupler must come down by sin(phi), and no body moves more */
    static const char *const angles[] = {"0.1", "1e-3", "1e-5"};
    for (int k = 0; k < 3; k++) {
        checked c = four_bar_at(angles[k]);
        const double phi = strtod(angles[k], NULL), distance = c.result->distance;
        /* the first-order estimate is off by the square of the angle */
        assert_true(fabs(distance / phi - 1) <= 0.5 * phi + 1e-6);
        assert_int_equal(finding(c.result, "regular")->verdict, ROUTH_YES);
        assert_no_cell_is_wrong(c.result);
        assert_int_equal(c.result->degrees_of_freedom, 1);
        release(&c);
    }
}

static void nearer_than_the_constraints_can_tell_is_not_told(void **state)
{
    (void)state;
    checked c = four_bar_at("1e-8");
    const routh_check *r = c.result;
    assert_int_equal(finding(r, "regular")->verdict, ROUTH_CANNOT_TELL);
    assert_true(finding(r, "regular")->margin > 1);
    assert_int_not_equal(r->verdict, ROUTH_YES);
    assert_no_cell_is_wrong(r);
    release(&c);
}

/* ---- limits and arguments -------------------------------------------------------------------- */

static void of_a_large_mechanism_only_some_cells_are_run_and_the_others_say_why(void **state)
{
    (void)state;
    routh_check_options options = routh_check_defaults();
    options.most_degrees = 3;
    checked c =
        check_template("pendulum-chain", (const char *const[]){"n", "4", NULL}, NULL, 0, &options);
    const routh_check *r = c.result;
    for (int k = 0; k < r->n_cells - 1; k++) { /* the closed form has a limit of its own */
        const routh_check_cell *x = &r->cells[k];
        const bool run = strcmp(x->method, "augmented") == 0 ||
                         (strcmp(x->coordinates, "absolute") == 0 &&
                          (!strchr(x->method, ':') || strstr(x->method, ":sparse")));
        assert_int_equal(x->state != ROUTH_CELL_LEFT_OUT, run);
        if (run) continue;
        assert_non_null(strstr(x->why, "4 degrees of freedom"));
        assert_non_null(strstr(x->why, "up to 3"));
        assert_true(isnan(x->seconds));
    }
    assert_int_equal(r->verdict, ROUTH_YES);
    release(&c);
    options.most_eigenvalues = 3;
    c = check_template("pendulum-chain", (const char *const[]){"n", "4", NULL}, NULL, 0, &options);
    assert_null(c.result->modes);
    assert_int_equal(c.result->verdict, ROUTH_CANNOT_TELL);
    for (int k = 0; k < c.result->n_cells; k++)
        assert_int_equal(c.result->cells[k].state, ROUTH_CELL_LEFT_OUT);
    release(&c);
}

static void a_method_that_refuses_says_why(void **state)
{
    (void)state;
    checked c =
        check_template("pendulum-chain", (const char *const[]){"n", "61", NULL}, NULL, 0, NULL);
    const routh_check_cell *x = cell(c.result, "absolute", "difference");
    assert_int_equal(x->state, ROUTH_CELL_REFUSED);
    assert_non_null(strstr(x->why, "at most 60 degrees of freedom"));
    assert_int_equal(finding(c.result, "agreement")->verdict, ROUTH_YES);
    release(&c);
}

static void an_unsteady_motion_is_a_doubt_not_a_fault(void **state)
{
    (void)state;
    checked c =
        check_text("gravity: [0, 0, -9.81]\n"
                   "bodies: {rod: {mass: 1, inertia: [1, 1, 0.1], position: [0.8, 0, -0.6], "
                   "angular_velocity: [0, 2, 0]}}\n"
                   "joints: {hinge: {type: revolute, between: [rod, ground], "
                   "at: [0, 0, 0], axis: y}}\n",
                   NULL);
    assert_int_equal(finding(c.result, "balance")->verdict, ROUTH_CANNOT_TELL);
    assert_int_equal(finding(c.result, "agreement")->verdict, ROUTH_YES);
    assert_int_equal(c.result->verdict, ROUTH_CANNOT_TELL);
    release(&c);
}

/* Its A is zero at the horizontal, and no longer a little below. */
static void a_fall_from_the_horizontal_is_not_steady(void **state)
{
    (void)state;
    checked c = check_text("gravity: [0, 0, -9.81]\n"
                           "bodies: {rod: {mass: 1, inertia: [1, 1, 0.1], position: [1, 0, 0]}}\n"
                           "joints: {hinge: {type: revolute, between: [rod, ground], "
                           "at: [0, 0, 0], axis: y}}\n",
                           NULL);
    const routh_finding *balance = finding(c.result, "balance");
    assert_int_equal(balance->verdict, ROUTH_CANNOT_TELL);
    assert_true(balance->margin > 1);
    release(&c);
}

/* Nor is what swings through the place where forces balance, though its A stays as it is. */
static void what_swings_through_the_middle_is_in_doubt(void **state)
{
    (void)state;
    checked c = check_text(
        "bodies: {a: {mass: 1, inertia: [1, 1, 1], velocity: [1, 0, 0]}}\n"
        "joints: {g: {type: translational, between: [a, ground], axis: x}}\n"
        "loads: {s: {type: bushing, between: [a, ground], translation: {stiffness: 4}}}\n",
        NULL);
    const routh_finding *balance = finding(c.result, "balance");
    assert_int_equal(balance->verdict, ROUTH_CANNOT_TELL);
    assert_null(strstr(balance->text, "out of balance"));
    release(&c);
}

/* Without gravity a rod turns at a constant rate: A is zero all along. */
static void a_motion_whose_linear_model_stays_zero_is_steady(void **state)
{
    (void)state;
    checked c = check_text("bodies: {rod: {mass: 1, inertia: [1, 1, 0.1], "
                           "position: [0.8, 0, -0.6], angular_velocity: [0, 2, 0]}}\n"
                           "joints: {hinge: {type: revolute, between: [rod, ground], "
                           "at: [0, 0, 0], axis: y}}\n",
                           NULL);
    assert_int_equal(finding(c.result, "balance")->verdict, ROUTH_YES);
    release(&c);
}

static void a_mechanism_without_freedom_is_checked(void **state)
{
    (void)state;
    checked c = check_text("bodies: {block: {mass: 1, inertia: [1, 1, 1]}}\n"
                           "joints: {weld: {type: fixed, between: [block, ground]}}\n",
                           NULL);
    assert_int_equal(c.result->degrees_of_freedom, 0);
    assert_int_equal(c.result->verdict, ROUTH_YES);
    release(&c);
}

static void bad_options_and_observers_are_refused(void **state)
{
    (void)state;
    static const char text[] = "bodies: {stone: {mass: 3, inertia: [1, 2, 2.5]}}\n";
    routh_model *model;
    routh_check *result;
    routh_error error;
    assert_int_equal(routh_model_parse(&model, text, sizeof text - 1, "test.yaml", NULL, 0, &error),
                     ROUTH_OK);
    routh_check_options options = routh_check_defaults();
    options.tolerance = -1;
    assert_int_equal(routh_check_run(&result, model, &options, &error), ROUTH_BAD_ARGUMENT);
    assert_null(result);
    options = routh_check_defaults();
    options.reference = "nobody";
    assert_int_equal(routh_check_run(&result, model, &options, &error), ROUTH_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "nobody"));
    assert_null(result);
    routh_check_free(NULL);
    routh_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_set_and_method_has_a_cell_and_agrees),
        cmocka_unit_test(a_cart_held_by_controllers_alone_agrees),
        cmocka_unit_test(an_overconstrained_parallelogram_is_counted_and_its_redundant_rows_named),
        cmocka_unit_test(motions_are_counted_apart),
        cmocka_unit_test(the_six_motions_of_a_free_body_are_named_one_by_one),
        cmocka_unit_test(one_eigenvalue_is_zero),
        cmocka_unit_test(rounding_where_all_frequencies_are_zero_is_no_disagreement),
        cmocka_unit_test(a_held_mechanism_has_no_free_motion),
        cmocka_unit_test(a_singular_configuration_is_no_regular_one),
        cmocka_unit_test(a_misalignment_and_an_impossible_input_are_found),
        cmocka_unit_test(the_distance_from_a_singular_configuration_is_measured),
        cmocka_unit_test(nearer_than_the_constraints_can_tell_is_not_told),
        cmocka_unit_test(of_a_large_mechanism_only_some_cells_are_run_and_the_others_say_why),
        cmocka_unit_test(a_method_that_refuses_says_why),
        cmocka_unit_test(an_unsteady_motion_is_a_doubt_not_a_fault),
        cmocka_unit_test(a_fall_from_the_horizontal_is_not_steady),
        cmocka_unit_test(what_swings_through_the_middle_is_in_doubt),
        cmocka_unit_test(a_motion_whose_linear_model_stays_zero_is_steady),
        cmocka_unit_test(a_mechanism_without_freedom_is_checked),
        cmocka_unit_test(bad_options_and_observers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
