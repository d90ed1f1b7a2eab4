/* States as files: read back to the last bit, taken up again in every coordinate set, and what is
 * no state is refused by its place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "routh/routh.h"
#include "support/mechanisms.h"

static routh_error error;

static void require(routh_status status)
{
    if (status) fail_msg("%s: %s", error.element, error.message);
}

static routh_text text_of(const routh_mechanism *m, const routh_operating_point *p)
{
    routh_initial_state *g;
    routh_text text;
    require(routh_initial_state_of_point(&g, m, p, &error));
    require(routh_initial_state_json(g, &text, &error));
    routh_initial_state_free(g);
    return text;
}

static routh_operating_point *point_of(const routh_mechanism *m, const routh_text *text)
{
    routh_initial_state *g;
    routh_operating_point *p;
    require(routh_initial_state_parse(&g, text->bytes, text->length, "state.json", &error));
    require(routh_operating_point_of_state(&p, m, g, NULL, &error));
    routh_initial_state_free(g);
    return p;
}

static routh_linear *linear_of(const routh_mechanism *m, const routh_operating_point *p)
{
    routh_linear *l;
    require(routh_linear_compute(&l, m, p, NULL, &error));
    return l;
}

static void near(const double *a, const double *b, int n, double tolerance)
{
    const double size = fmax(1, largest_of(b, n));
    for (int k = 0; k < n; k++) assert_true(fabs(a[k] - b[k]) <= tolerance * size);
}

/* Point, file, point, file: q, u and time are the same to the last bit; what else the file holds
 * (the bodies, told of in absolute coordinates, rates and variables) to rounding, and after one
 * turn every byte stays. */
static void check_round(const routh_model *model, const char *set)
{
    routh_mechanism *m;
    routh_operating_point *p;
    require(routh_mechanism_compile(&m, model, set, &error));
    require(routh_operating_point_find(&p, m, NULL, &error));
    routh_text first = text_of(m, p);
    routh_operating_point *again = point_of(m, &first);
    assert_memory_equal(again->state->q, p->state->q, (size_t)m->n_q * sizeof(double));
    assert_memory_equal(again->state->u, p->state->u, (size_t)m->n_u * sizeof(double));
    assert_true(again->state->t == p->state->t);
    for (int k = 0; k < again->n_bodies; k++) assert_true(again->bodies[k].moved == 0);
    routh_text second = text_of(m, again);
    routh_operating_point *third = point_of(m, &second);
    routh_text last = text_of(m, third);
    if (!m->base && model->n_control_states + model->n_variables == 0)
        assert_string_equal(first.bytes, second.bytes);
    assert_string_equal(second.bytes, last.bytes);
    routh_linear *a = linear_of(m, p), *b = linear_of(m, again);
    assert_int_equal(a->n_states, b->n_states);
    near(b->A, a->A, a->n_states * a->n_states, 1e-9);
    near(b->affine, a->affine, a->n_states, 1e-9);
    assert_string_equal(b->point.type, "state");
    routh_linear_free(a);
    routh_linear_free(b);
    routh_text_free(&first);
    routh_text_free(&second);
    routh_text_free(&last);
    routh_operating_point_free(p);
    routh_operating_point_free(again);
    routh_operating_point_free(third);
    routh_mechanism_free(m);
}

/* Two beams that swing and vibrate, one of them in modes; a motion, so that rates are not zero. */
static const char flexible[] =
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  a: {type: beam, to: [1, 0, 0], elements: 2, density: 1000, youngs_modulus: 1e8, \n"
    "      poissons_ratio: 0.3, section: {rectangle: {height: 0.05, width: 0.1}}, \n"
    "      angular_velocity: [0, 0, 3]}\n"
    "  b: {type: beam, position: [1, 0, 0], to: [1, 0, 0], elements: 2, frame: mean-axis, \n"
    "      modes: 3, planar: true, density: 1000, youngs_modulus: 1e8, \n"
    "      section: {rectangle: {height: 0.05, width: 0.1}}, velocity: [0, 3, 0]}\n"
    "joints:\n"
    "  o: {type: revolute, between: [a, ground], at: [0, 0, 0], axis: z}\n"
    "  p: {type: revolute, between: [b, a], at: [1, 0, 0], axis: z}\n";

static void flexible_bodies_are_read_back(void **unused)
{
    (void)unused;
    routh_model *model;
    const char *set;
    require(routh_model_parse(&model, flexible, strlen(flexible), "flexible", NULL, 0, &error));
    for (int i = 0; (set = routh_coordinate_name(i)); i++) check_round(model, set);
    routh_model_free(model);
}

static routh_mechanism *flexible_mechanism(routh_model **model, const char *set)
{
    routh_mechanism *m;
    require(routh_model_parse(model, flexible, strlen(flexible), "flexible", NULL, 0, &error));
    require(routh_mechanism_compile(&m, *model, set, &error));
    return m;
}

/* What the file says of the deformation is what the point has, also where only the bodies are
 * told of and not q and u. */
static void deformation_is_told_with_its_body(void **unused)
{
    (void)unused;
    static const char *const sets[] = {"absolute", "relative"};
    for (int i = 0; i < 2; i++) {
        routh_model *model;
        routh_mechanism *m = flexible_mechanism(&model, sets[i]);
        routh_operating_point *p, *again;
        routh_initial_state *g;
        require(routh_operating_point_find(&p, m, NULL, &error));
        require(routh_initial_state_of_point(&g, m, p, &error));
        assert_int_equal(g->bodies[0].n_elastic, 12);
        assert_int_equal(g->bodies[1].n_elastic, 3);
        double bent[12] = {[1] = 1e-3}, rates[12] = {[1] = 0.5}; /* 2.y: no joint sees it */
        ((routh_initial_body *)g->bodies)[0].elastic = bent;
        ((routh_initial_body *)g->bodies)[0].elastic_rates = rates;
        assert_int_equal(routh_operating_point_of_state(&again, m, g, NULL, &error),
                         ROUTH_BAD_ARGUMENT); /* q and u say something else */
        assert_non_null(strstr(
            error.message, "body a of the state has another position or velocity than q and u"));
        g->coordinates = NULL;
        const routh_initial_state_options options = {1e-11, INFINITY, 200, 0};
        require(routh_operating_point_of_state(&again, m, g, &options, &error));
        const double *q = again->state->q + m->first_elastic_q + m->elastic_start[0];
        const double *u = again->state->u + m->first_elastic + m->elastic_start[0];
        assert_true(q[1] == 1e-3 && u[1] == 0.5);
        ((routh_initial_body *)g->bodies)[0].n_elastic = 11;
        routh_operating_point_free(p);
        assert_int_equal(routh_operating_point_of_state(&p, m, g, NULL, &error),
                         ROUTH_BAD_ARGUMENT);
        assert_non_null(strstr(error.message, "bodies[0] of the state (a): it has 11 elastic "
                                              "coordinates, but the body of the model has 12"));
        routh_initial_state_free(g);
        routh_operating_point_free(again);
        routh_mechanism_free(m);
        routh_model_free(model);
    }
}

static void examples_are_read_back(void **unused)
{
    (void)unused;
    static const char *const names[] = {"cart-pendulum-lqr", "half-car-active",   "bicycle",
                                        "four-bar",          "rotating-pendulum", "crank-slider"};
    const char *source = getenv("ROUTH_SOURCE"), *set;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char path[1024];
        routh_model *model;
        snprintf(path, sizeof path, "%s/examples/%s.yaml", source ? source : ".", names[k]);
        require(routh_model_read(&model, path, NULL, 0, &error));
        for (int i = 0; (set = routh_coordinate_name(i)); i++) check_round(model, set);
        routh_model_free(model);
    }
}

/* ---- by hand -------------------------------------------------------------------------------- */

static const char pendulum[] =
    "gravity: [0, -9.81, 0]\n"
    "bodies: {rod: {mass: 2, inertia: [1, 1, 1], position: [0, -0.5, 0]}}\n"
    "joints: {pin: {type: revolute, between: [rod, ground], at: [0, 0, 0], axis: z}}\n";

/* As results have it, and in three rows. */
static void an_orientation_has_two_forms(void **unused)
{
    (void)unused;
    static const char *const forms[] = {"[1, 0, 0, 0, 0, -1, 0, 1, 0]",
                                        "[[1, 0, 0], [0, 0, -1], [0, 1, 0]]"};
    const double A[] = {1, 0, 0, 0, 0, -1, 0, 1, 0};
    for (int k = 0; k < 2; k++) {
        char text[300];
        routh_initial_state *g;
        snprintf(text, sizeof text,
                 "{\"schema\": \"routh-state/1\", \"time\": 0, \"bodies\": [{\"name\": \"a\", "
                 "\"position\": [1, 2, 3], \"orientation\": %s}]}",
                 forms[k]);
        require(routh_initial_state_parse(&g, text, strlen(text), "s", &error));
        assert_memory_equal(g->bodies[0].orientation, A, sizeof A);
        routh_initial_state_free(g);
    }
}

static void numbers_and_names_are_taken_as_written(void **unused)
{
    (void)unused;
    static const char text[] =
        "{\"schema\": \"routh-state/1\", \"time\": 2.5,\n"
        " \"bodies\": [{\"name\": \"a\", \"position\": [1, -0.0, 3e-310], \"quaternion\": [0, 0, "
        "0, "
        "1]},\n"
        "  {\"name\": \"b\", \"position\": [0.1, 0.2, 0.3], \"velocity\": [4, 5, 6],\n"
        "   \"angular_velocity\": [7, 8, 9], \"orientation\": [[1, 0, 0], [0, 0, -1], [0, 1, "
        "0]]}],\n"
        " \"control_states\": [{\"name\": \"x\", \"value\": 1.5, \"rate\": 2.5}],\n"
        " \"variables\": [{\"name\": \"v\", \"value\": 3.5}],\n"
        " \"inputs\": [{\"name\": \"in\", \"value\": 4, \"rate\": 5, \"second_rate\": 6}],\n"
        " \"coordinates\": {\"name\": \"relative\", \"q\": [0.25, 1], \"u\": []}}";
    routh_initial_state *g;
    require(routh_initial_state_parse(&g, text, strlen(text), "s", &error));
    assert_true(g->time == 2.5);
    assert_int_equal(g->n_bodies, 2);
    assert_string_equal(g->bodies[0].name, "a");
    assert_true(g->bodies[0].position[0] == 1 && g->bodies[0].position[2] == 3e-310);
    assert_true(g->bodies[0].position[1] == 0 && signbit(g->bodies[0].position[1]));
    assert_true(g->bodies[0].quaternion[3] == 1 && g->bodies[0].velocity[0] == 0);
    const double A[] = {1, 0, 0, 0, 0, -1, 0, 1, 0}, w[] = {7, 8, 9};
    assert_memory_equal(g->bodies[1].orientation, A, sizeof A);
    assert_memory_equal(g->bodies[1].angular_velocity, w, sizeof w);
    assert_true(g->n_states == 1 && g->states[0].value == 1.5 && g->states[0].rate == 2.5);
    assert_true(g->n_variables == 1 && g->variables[0].value == 3.5);
    assert_true(g->n_inputs == 1 && g->inputs[0].second_rate == 6);
    assert_string_equal(g->coordinates, "relative");
    assert_true(g->n_q == 2 && g->n_u == 0 && g->q[0] == 0.25);
    routh_initial_state_free(g);
}

#define HEAD "{\"schema\": \"routh-state/1\", \"time\": 0, \"bodies\": "
#define ROD "{\"name\": \"rod\", \"position\": [0, -0.5, 0], \"quaternion\": [1, 0, 0, 0]}"

static void broken_files_are_refused_by_place(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *element, *message;
    } broken[] = {
        {"{\"schema\": ", "", "not well-formed JSON"},
        {"[1]", "", "it is not one object"},
        {"{}", "schema", "it must be \"routh-state/1\""},
        {"{\"schema\": \"routh-state/2\"}", "schema", "it must be \"routh-state/1\""},
        {"{\"schema\": \"routh-state/1\"}", "time", "this member is missing"},
        {"{\"schema\": \"routh-state/1\", \"time\": \"0\"}", "time", "not a number"},
        {"{\"schema\": \"routh-state/1\", \"time\": 0}", "bodies", "this member is missing"},
        {"{\"schema\": \"routh-state/1\", \"tme\": 0}", "",
         "\"tme\" is no member of it; did you mean "
         "\"time\"?"},
        {HEAD "{}}", "bodies", "not a list"},
        {HEAD "[3]}", "bodies[0]", "not a JSON object"},
        {HEAD "[{}]}", "bodies[0].name", "this member is missing"},
        {HEAD "[{\"name\": 3}]}", "bodies[0].name", "not a text"},
        {HEAD "[{\"name\": \"a\"}]}", "bodies[0].position", "this member is missing"},
        {HEAD "[{\"name\": \"a\", \"position\": [1, 2]}]}", "bodies[0].position",
         "not a list of 3 numbers"},
        {HEAD "[{\"name\": \"a\", \"position\": [1, 2, true]}]}", "bodies[0].position[2]",
         "not a number"},
        {HEAD "[" ROD ", {\"name\": \"a\", \"position\": [1, 2, 3]}]}", "bodies[1]",
         "neither orientation"},
        {HEAD "[{\"name\": \"a\", \"position\": [1, 2, 3], \"orientation\": [[1, 0, 0], [0, 1]]}]}",
         "bodies[0].orientation", "not a list of 3 rows"},
        {HEAD
         "[{\"name\": \"a\", \"position\": [1, 2, 3], \"orientation\": [[1, 0, 0], [0, 1], 3]}]}",
         "bodies[0].orientation[1]", "not a list of 3 numbers"},
        {HEAD "[{\"name\": \"a\", \"position\": [1, 2, 3], "
              "\"orientation\": [1, 0, 0, 0, 1, 0, 0, 0]}]}",
         "bodies[0].orientation", "not a list of 9 numbers"},
        {HEAD "[{\"name\": \"a\", \"positon\": [1, 2, 3]}]}", "bodies[0]",
         "did you mean \"position\"?"},
        {HEAD "[" ROD "], \"inputs\": [{\"name\": \"a\"}]}", "inputs[0].value",
         "this member is missing"},
        {HEAD "[" ROD "], \"coordinates\": {\"name\": \"absolute\", \"q\": [1]}}", "coordinates.u",
         "this member is missing"},
        {HEAD "[" ROD "], \"time\": 1}", "", "duplicate"},
        {HEAD "[" ROD "], \"inputs\": [{\"name\": \"a\", \"value\": 1e999}]}", "",
         "not well-formed"},
    };
    for (size_t k = 0; k < sizeof broken / sizeof *broken; k++) {
        routh_initial_state *g;
        assert_int_equal(
            routh_initial_state_parse(&g, broken[k].text, strlen(broken[k].text), "s.json", &error),
            ROUTH_SYNTAX_ERROR);
        assert_null(g);
        assert_string_equal(error.file, "s.json");
        assert_string_equal(error.element, broken[k].element);
        if (!strstr(error.message, broken[k].message))
            fail_msg("\"%s\" is not in \"%s\"", broken[k].message, error.message);
    }
    routh_initial_state *g;
    assert_int_equal(routh_initial_state_read(&g, "/nowhere/s.json", &error), ROUTH_FILE_ERROR);
    assert_string_equal(error.file, "/nowhere/s.json");
    assert_null(g);
    /* a line and a column where there is no document */
    static const char text[] = "{\"schema\": 1,\n  oops}";
    assert_int_equal(routh_initial_state_parse(&g, text, strlen(text), "s", &error),
                     ROUTH_SYNTAX_ERROR);
    assert_int_equal(error.line, 2);
}

/* Without q and u the bodies say it all; changed beside them they are refused. */
static void a_file_that_was_changed_by_hand(void **unused)
{
    (void)unused;
    test_mechanism t;
    routh_initial_state *g;
    routh_operating_point *p;
    mechanism_make(&t, pendulum);
    static const char plain[] = HEAD "[" ROD "]}";
    require(routh_initial_state_parse(&g, plain, strlen(plain), "s", &error));
    require(routh_operating_point_of_state(&p, t.m, g, NULL, &error));
    assert_true(p->bodies[0].position[1] == -0.5);
    routh_operating_point_free(p);
    routh_initial_state_free(g);
    static const char both[] =
        HEAD "[" ROD "], \"coordinates\": {\"name\": \"absolute\", \"q\": [0, "
             "-0.51, 0, 1, 0, 0, 0], \"u\": [0, 0, 0, 0, 0, 0]}}";
    require(routh_initial_state_parse(&g, both, strlen(both), "s", &error));
    assert_int_equal(routh_operating_point_of_state(&p, t.m, g, NULL, &error), ROUTH_BAD_ARGUMENT);
    assert_non_null(
        strstr(error.message, "body rod of the state has another position or velocity"));
    routh_initial_state_free(g);
    mechanism_release(&t);
}

static void what_is_not_finite_is_not_written(void **unused)
{
    (void)unused;
    routh_text text;
    const routh_initial_body body = {.name = "a", .quaternion = {1}, .velocity = {0, NAN, 0}};
    const routh_initial_state g = {.n_bodies = 1, .bodies = &body};
    assert_int_equal(routh_initial_state_json(&g, &text, &error), ROUTH_NUMERIC_ERROR);
    assert_null(text.bytes);
    assert_non_null(strstr(error.message, "bodies[0].velocity[1]"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_are_read_back),
        cmocka_unit_test(flexible_bodies_are_read_back),
        cmocka_unit_test(deformation_is_told_with_its_body),
        cmocka_unit_test(an_orientation_has_two_forms),
        cmocka_unit_test(numbers_and_names_are_taken_as_written),
        cmocka_unit_test(broken_files_are_refused_by_place),
        cmocka_unit_test(a_file_that_was_changed_by_hand),
        cmocka_unit_test(what_is_not_finite_is_not_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
