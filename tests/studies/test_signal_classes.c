/* Every measure and every class of controllers, in a mechanism around its sample
 * (support/signal_samples.h), at rest and in motion: A, B, C and D agree in all coordinate sets by
 * all methods; derivatives by its parameters are those of differences; the world's axes and origin
 * do not matter. A new one is tested here without a word. Partial derivatives are in
 * system/test_derivatives.c, schema and Python's models in the tests of these, all over the same
 * lists. */
#include <complex.h>
#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rotation.h"
#include "expression/builtin.h"
#include "model/model_text.h"
#include "support/class_answers.h"
#include "support/differences.h"
#include "support/effort.h"
#include "support/signal_samples.h"

/* A measure, or a controller. */
typedef struct class_task {
    const rt_measure_class *measure;
    const rt_controller_class *controller;
    bool moving;
    bool one_of_some; /* that all that is dear is done with, at effort 1 */
} class_task;

static const char *name_of(const class_task *task)
{
    return task->measure ? task->measure->name : task->controller->kind.name;
}

static char *sample_text(const class_task *task, const sample_mechanism *as)
{
    growing_text text = {0};
    if (task->measure)
        sample_write_measure(task->measure, as, &text);
    else
        sample_write_controller(task->controller, as, &text);
    return text.bytes;
}

/* ---- what a class must say ------------------------------------------------------------------- */

static void check_measure(const rt_measure_class *m)
{
    char usage[RT_MEASURE_USAGE];
    rt_measure_usage(m, usage);
    assert_true(m->doc && m->doc[0] && m->unit && m->sample);
    assert_true(strlen(m->doc) < RT_MEASURE_DOC - 10);
    assert_true((m->build != NULL) != (m->call != NULL));
    assert_in_range(m->n_arguments, 1, RT_MEASURE_ARGUMENTS);
    for (int k = 0; k < m->n_arguments; k++) {
        const rt_measure_argument *argument = rt_measure_argument_at(m->arguments[k]);
        assert_true(argument->name && argument->doc);
        for (int j = 0; j < k; j++) assert_int_not_equal(m->arguments[j], m->arguments[k]);
    }
    for (const char *c = m->name; *c; c++) assert_true(isupper((unsigned char)*c));
    assert_ptr_equal(rt_measure_find(m->name), m); /* none before it has the name */
    for (const rt_builtin *b = rt_builtins; b->name; b++) assert_string_not_equal(b->name, m->name);
    /* the sample is one call, with all arguments */
    int commas = 0, open = 0;
    for (const char *c = m->sample; *c; c++) commas += *c == ',', open += *c == '(';
    assert_int_equal(strncmp(m->sample, usage, strlen(m->name) + 1), 0);
    assert_int_equal(open, 1);
    assert_int_equal(commas, m->n_arguments - 1);
}

/* Where a number's default is said in words and is a number, it is the one that counts. */
static void check_default(const rt_controller_class *c, const rt_field *f)
{
    const size_t first = offsetof(rt_written_controller, number);
    const size_t after = first + sizeof(rt_number[RT_CONTROLLER_NUMBERS]);
    if (f->offset < first || f->offset >= after) return;
    const double counts = c->defaults[(f->offset - first) / sizeof(rt_number)];
    char *end = NULL;
    const double said = f->fallback ? strtod(f->fallback, &end) : 0;
    if (end && end != f->fallback)
        assert_true(said == counts);
    else
        assert_true(counts == 0);
}

static void check_controller(const rt_controller_class *c)
{
    const size_t length = strlen(c->kind.doc);
    assert_true(length > 10 && c->kind.doc[length - 1] == '.');
    assert_in_range(c->kind.n_fields, 2, 32);
    assert_int_equal(c->kind.fields[0].type, RT_FIELD_TYPE);
    assert_true(c->shape && c->expand && c->sample && c->output && c->most_kinks >= 0);
    for (int k = 0; k < c->kind.n_fields; k++) check_default(c, &c->kind.fields[k]);
    assert_true(RT_CONTROLLER_CLASSES <= 32); /* rt_read_type has room for so many names */
    int n = 0;
    for (int k = 0; k < RT_CONTROLLER_CLASSES; k++)
        n += strcmp(rt_controller_class_at(k)->kind.name, c->kind.name) == 0;
    assert_int_equal(n, 1);
}

static void it_is_complete(void **state)
{
    const class_task *task = *state;
    if (task->measure)
        check_measure(task->measure);
    else
        check_controller(task->controller);
}

/* By what quantities a measure is made of: velocities beside positions, or all. */
static rt_allowed level_of(const rt_quantity *q)
{
    const rt_vector_kind kinds[2] = {q->a.kind, q->b.kind};
    rt_allowed level = RT_ALLOW_POSITIONS;
    if (q->kind == RT_QUANTITY_NEAR) return level; /* whole turns */
    if (q->kind != RT_QUANTITY_DOT) return RT_ALLOW_ALL;
    for (int k = 0; k < 2; k++) {
        if (kinds[k] == RT_VECTOR_ACCELERATION || kinds[k] == RT_VECTOR_ALPHA) return RT_ALLOW_ALL;
        if (kinds[k] != RT_VECTOR_AXIS && kinds[k] != RT_VECTOR_DISPLACEMENT)
            level = RT_ALLOW_VELOCITIES;
    }
    return level;
}

/* Else functions may use it where what it is made of may not be used. */
static void its_level_is_that_of_what_it_is_made_of(void **state)
{
    const class_task *task = *state;
    const sample_mechanism as = sample_usual(false);
    char *text = sample_text(task, &as);
    routh_model *model = read_model(text);
    rt_allowed level = RT_ALLOW_POSITIONS;
    int *slots = calloc((size_t)model->n_quantities + 1, sizeof *slots);
    const rt_expr e = model->variables[1].value.expr;
    assert_string_equal(model->variables[1].name, "y_");
    const int n = rt_inputs_of(model->graph, e, slots, model->n_quantities);
    assert_true(n > 0);
    for (int k = 0; k < n; k++)
        if (level_of(&model->quantities[slots[k]]) > level)
            level = level_of(&model->quantities[slots[k]]);
    assert_int_equal(level, task->measure->level);
    free(slots);
    routh_model_free(model);
    free(text);
}

static bool depends(const routh_model *model, rt_expr e, int slot)
{
    int *slots = calloc((size_t)model->n_quantities + 1, sizeof *slots);
    bool found = false;
    const int n = e < 0 ? 0 : rt_inputs_of(model->graph, e, slots, model->n_quantities);
    for (int k = 0; k < n; k++) found = found || slots[k] == slot;
    free(slots);
    return found;
}

/* Does anything of controllers depend on the parameter s? */
static bool depends_on_s(const routh_model *m)
{
    bool found = false;
    int slot = -1;
    for (int k = 0; k < m->n_parameters; k++)
        if (!strcmp(m->parameters[k].name, "s")) slot = k;
    assert_true(slot >= 0);
    for (int k = 0; k < m->n_control_states; k++)
        found = found || depends(m, m->control_states[k].equation.expr, slot) ||
                depends(m, m->control_states[k].initial.expr, slot);
    for (int k = 0; k < m->n_variables; k++)
        found = found || depends(m, m->variables[k].value.expr, slot);
    for (int k = 0; k < m->n_kinks; k++) found = found || depends(m, m->kinks[k].distance, slot);
    return found;
}

/* The sample with s added to a number; NULL: it does not give it. */
static char *with_s_added(const char *sample, const char *field)
{
    char seek[60];
    growing_text text = {0};
    snprintf(seek, sizeof seek, "%s: ", field);
    const char *at = strstr(sample, seek);
    while (at && at > sample && at[-1] != ' ') at = strstr(at + 1, seek);
    if (!at) return NULL;
    const char *value = at + strlen(seek);
    const int before = (int)(value - sample), length = (int)strcspn(value, ",");
    text_add(&text, "%.*s(%.*s) + s%s", before, sample, length, value, value + length);
    return text.bytes;
}

/* All its numbers are in the sample (but where a state begins, which may be found), and in what is
 * made of it. */
static void each_of_its_numbers_is_used(void **state)
{
    const class_task *task = *state;
    const sample_mechanism as = sample_usual(true);
    for (int k = 0; k < task->controller->kind.n_fields; k++) {
        const rt_field *f = &task->controller->kind.fields[k];
        if (f->type != RT_FIELD_NUMBER) continue;
        rt_controller_class changed = *task->controller;
        char *sample = with_s_added(changed.sample, f->name);
        if (!sample && strcmp(f->name, "initial")) fail_msg("the sample does not give %s", f->name);
        if (!sample) continue;
        changed.sample = sample;
        growing_text text = {0};
        sample_write_controller(&changed, &as, &text);
        routh_model *model = read_model(text.bytes);
        if (!depends_on_s(model)) fail_msg("nothing depends on %s", f->name);
        routh_model_free(model);
        free(text.bytes);
        free(sample);
    }
}

/* ---- linear models --------------------------------------------------------------------------- */

static void run(chain *c, const class_task *task, const sample_mechanism *as, const char *parameter,
                double value)
{
    char *text = sample_text(task, as);
    const difference_model model = {.text = text};
    routh_error error;
    if (chain_run(c, &model, parameter, value, &error)) fail_msg("%s in\n%s", error.message, text);
    assert_int_equal(c->linear->n_inputs, 1);
    assert_int_equal(c->linear->n_outputs, 1);
    free(text);
}

/* G(s) = C (s - A)^-1 B + D of the one input and output, by elimination with the largest pivots. */
static double complex transfer(const routh_linear *linear, double complex s)
{
    const int n = linear->n_states, wide = n + 1;
    double complex *M = malloc((size_t)n * wide * sizeof *M), out = linear->D[0];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) M[i * wide + j] = (i == j ? s : 0) - linear->A[i * n + j];
        M[i * wide + n] = linear->B[i];
    }
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k; i < n; i++)
            if (cabs(M[i * wide + k]) > cabs(M[p * wide + k])) p = i;
        for (int j = 0; j < wide; j++) {
            const double complex kept = M[k * wide + j];
            M[k * wide + j] = M[p * wide + j], M[p * wide + j] = kept;
        }
        for (int i = 0; i < n; i++) {
            const double complex factor = i == k ? 0 : M[i * wide + k] / M[k * wide + k];
            for (int j = k; j < wide && i != k; j++) M[i * wide + j] -= factor * M[k * wide + j];
        }
    }
    for (int k = 0; k < n; k++) out += linear->C[k] * M[k * wide + n] / M[k * wide + k];
    free(M);
    return out;
}

/* At a few places of the right half, where there are no poles but by instability. */
static const double complex places[] = {0.4, 0.3 + 2 * I, 1 + 7 * I, 5 + 20 * I};
enum { N_PLACES = sizeof places / sizeof places[0] };

static double difference_of(const routh_linear *x, const routh_linear *y)
{
    double off = 0, size = 0;
    for (int k = 0; k < N_PLACES; k++) {
        const double complex g = transfer(x, places[k]);
        off = fmax(off, cabs(g - transfer(y, places[k])));
        size = fmax(size, cabs(g));
    }
    assert_true(size > 0);
    return off / size;
}

/* ---- answers --------------------------------------------------------------------------------- */

/* Without signals: refused, and their own tests say so. */
static bool is_spared(const void *context, const routh_check_cell *x)
{
    (void)context;
    return !strcmp(x->method, "symbolic") || !strcmp(x->method, "penalty");
}

/* The transfer function of the mechanism in these coordinates by this method is the one that the
 * reference has. */
static void assert_transfer_agrees(const chain *reference, const char *coordinates,
                                   const char *method, const char *text)
{
    chain c = {0};
    routh_error error;
    routh_linear_options options = routh_linear_defaults();
    options.method = method;
    if (routh_mechanism_compile(&c.mechanism, reference->model, coordinates, &error) ||
        routh_operating_point_find(&c.point, c.mechanism, NULL, &error) ||
        routh_linear_compute(&c.linear, c.mechanism, c.point, &options, &error))
        fail_msg("%s, %s: %s in\n%s", coordinates, method, error.message, text);
    const double off = difference_of(reference->linear, c.linear);
    if (!(off <= 1e-7))
        fail_msg("%s, %s: the transfer function is off by %.3g of it in\n%s", coordinates, method,
                 off, text);
    chain_free(&c);
}

/* Of all methods but the oracles, which are the dearest. */
static void transfer_functions_agree(void **state)
{
    const class_task *task = *state;
    const sample_mechanism as = sample_usual(task->moving);
    char *text = sample_text(task, &as);
    const char *name, *first = routh_coordinate_name(0), *usual = routh_method_name(0);
    chain c;
    run(&c, task, &as, NULL, 0);
    for (int k = 0; (name = routh_coordinate_name(k)) != NULL; k++)
        assert_transfer_agrees(&c, name, usual, text);
    for (int k = 1; (name = routh_method_name(k)) != NULL; k++)
        if (strcmp(name, "difference") != 0 && strcmp(name, "penalty") != 0)
            assert_transfer_agrees(&c, first, name, text);
    chain_free(&c);
    free(text);
}

/* The oracle of differences too, and the eigenvalues. */
static void coordinates_and_methods_agree(void **state)
{
    const class_task *task = *state;
    const sample_mechanism as = sample_usual(task->moving);
    char *text = sample_text(task, &as);
    const bool quick = !full_effort();
    assert_cells_agree(text, quick, quick ? 7 : 40, is_spared, NULL);
    free(text);
}

/* p acts on a measure, p and q on a controller, s on the mechanism. */
static void derivatives_are_those_of_differences(void **state)
{
    const class_task *task = *state;
    const sample_mechanism as = sample_usual(task->moving);
    char *text = sample_text(task, &as);
    assert_derivatives_agree(text, task->measure && !full_effort() ? 3 : 1);
    free(text);
}

/* Another number, another linear model. */
static void its_parameters_matter(void **state)
{
    const class_task *task = *state;
    const sample_mechanism as = sample_usual(true);
    const char *const names[] = {"p", "q"};
    const double values[] = {0.77, 1.43};
    chain c[2];
    for (int k = 0; k < 2; k++) {
        run(&c[0], task, &as, NULL, 0);
        run(&c[1], task, &as, names[k], values[k]);
        if (!(difference_of(c[0].linear, c[1].linear) > 1e-6))
            fail_msg("%s moves nothing", names[k]);
        for (int i = 0; i < 2; i++) chain_free(&c[i]);
    }
}

static void the_worlds_axes_do_not_matter(void **state)
{
    const class_task *task = *state;
    const double about[3] = {0.7, -1.1, 0.9};
    sample_mechanism as = sample_usual(task->moving);
    chain c[2];
    for (int k = 0; k < 2; k++) {
        run(&c[k], task, &as, NULL, 0);
        rt_rotation_exp(as.turn, about);
        rt_v3_set(as.shift, 3, -5, 2);
    }
    const double off = difference_of(c[0].linear, c[1].linear);
    if (!(off <= 1e-8)) fail_msg("the transfer function is off by %.3g of it", off);
    for (int k = 0; k < 2; k++) chain_free(&c[k]);
}

/* ---- closed form ----------------------------------------------------------------------------- */

/* A pendulum about y whose tip m the measure pulls at, between m and w and in the axes of m (or
 * of the joint h), less its value, so that it hangs at rest. */
static void write_pendulum(const rt_measure_class *measure, double value, growing_text *text)
{
    char call[80];
    static const char *const names[RT_MEASURE_ARGUMENT_KINDS] = {
        [RT_ARGUMENT_I] = "m", [RT_ARGUMENT_J] = "w",       [RT_ARGUMENT_K] = "m",
        [RT_ARGUMENT_L] = "m", [RT_ARGUMENT_ELEMENT] = "h", [RT_ARGUMENT_STATE] = "x"};
    int at = snprintf(call, sizeof call, "%s(", measure->name);
    for (int k = 0; k < measure->n_arguments; k++)
        at += snprintf(call + at, sizeof call - (size_t)at, "%s%s", k ? ", " : "",
                       names[measure->arguments[k]]);
    text_add(
        text,
        "gravity: [0, 0, -10]\n"
        "parameters: {k: 40, c: 3}\n"
        "bodies: {a: {mass: 2, inertia: [1, 1.5, 1.2], position: [0, 0, -0.5]}}\n"
        "markers:\n"
        "  m: {body: a, position: [0, 0, -0.5]}\n"
        "  w: {body: ground, position: [1, 0, -1]}\n"
        "joints: {h: {type: revolute, between: [a, ground], at: [0, 0, 0], axis: y}}\n"
        "controllers: {x: {type: differential, rate: -x}}\n"
        "variables: {y: \"%s)\"}\n"
        "loads: {f: {type: force, on: m, components: [\"-%s*(%s) - %.12g)\", 0, \"-c*VX(m)\"]}}\n",
        call, measure->level == RT_ALLOW_ALL ? "c/1000" : "k", call, value);
}

/* Without signals: the variable and the controller are left out. */
static char *without_signals(char *text)
{
    char *from = strstr(text, "controllers:"), *to = strstr(text, "loads:");
    memmove(from, to, strlen(to) + 1);
    return text;
}

static double value_at_rest(const rt_measure_class *measure)
{
    growing_text text = {0};
    chain c;
    routh_error error;
    double value = NAN;
    write_pendulum(measure, 0, &text);
    const difference_model model = {.text = text.bytes};
    if (chain_run(&c, &model, NULL, 0, &error)) fail_msg("%s in\n%s", error.message, text.bytes);
    for (int k = 0; k < c.point->n_signals; k++)
        if (!strcmp(c.point->signals[k].name, "y")) value = c.point->signals[k].value;
    chain_free(&c);
    free(text.bytes);
    return value;
}

/* Products of vectors have one, of positions and velocities; else a reason is given. */
static void the_closed_form_agrees_where_there_is_one(void **state)
{
    const rt_measure_class *measure = ((const class_task *)*state)->measure;
    growing_text text = {0};
    routh_model *model = NULL;
    routh_check *check = NULL;
    routh_error error;
    routh_check_options options = routh_check_defaults();
    options.most_degrees = -1;                               /* few of the other cells */
    if (measure->arguments[0] == RT_ARGUMENT_STATE) return; /* of a signal */
    write_pendulum(measure, measure->level == RT_ALLOW_ALL ? 0 : value_at_rest(measure), &text);
    without_signals(text.bytes);
    if (routh_model_parse(&model, text.bytes, strlen(text.bytes), "test", NULL, 0, &error) ||
        routh_check_run(&check, model, &options, &error))
        fail_msg("%s in\n%s", error.message, text.bytes);
    const routh_check_cell *x = &check->cells[check->n_cells - 1];
    assert_string_equal(x->method, "symbolic");
    const bool has = measure->build == rt_measure_component && measure->level < RT_ALLOW_ALL;
    if (x->state != ROUTH_CELL_COMPARED && !has)
        assert_non_null(x->why);
    else if (x->state != ROUTH_CELL_COMPARED || x->verdict != ROUTH_YES)
        fail_msg("state %d, off by %.3g: %s in\n%s", x->state, x->difference, x->why ? x->why : "",
                 text.bytes);
    routh_check_free(check);
    routh_model_free(model);
    free(text.bytes);
}

/* ---- the lists ------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    CMUnitTestFunction run;
    bool measures, controllers; /* of which */
    bool at_rest, moving;
    bool rough; /* where the measure has no derivative too */
} what[] = {
    {"it is complete", it_is_complete, true, true, true, false, true},
    {"its level is that of what it is made of", its_level_is_that_of_what_it_is_made_of, true,
     false, true, false, true},
    {"each of its numbers is used", each_of_its_numbers_is_used, false, true, true, false, true},
    {"its parameters matter", its_parameters_matter, false, true, false, true, false},
    {"transfer functions agree", transfer_functions_agree, true, true, true, true, false},
    {"coordinates and methods agree", coordinates_and_methods_agree, true, true, true, true, false},
    {"derivatives are those of differences", derivatives_are_those_of_differences, true, true, true,
     true, false},
    {"the closed form agrees where there is one", the_closed_form_agrees_where_there_is_one, true,
     false, true, false, false},
    {"the world's axes do not matter", the_worlds_axes_do_not_matter, true, true, true, true,
     false},
};
enum {
    N_WHAT = sizeof what / sizeof what[0],
    MOST_CLASSES = 100,
    MOST = 2 * N_WHAT * MOST_CLASSES
};

static struct CMUnitTest tests[MOST];
static size_t n_tests;

/* What is dearest is done with some of the classes at effort 1: all sets by all methods with every
 * fourth, and of measures, whose motion has all that rest has, so are derivatives at rest. */
static bool is_left_out(const class_task *of, bool moving, CMUnitTestFunction test)
{
    if (full_effort()) return false;
    if (test == coordinates_and_methods_agree)
        return (of->measure && !moving) || (moving && !of->one_of_some);
    return test == derivatives_are_those_of_differences && of->measure && !moving &&
           !of->one_of_some;
}

static void add_tests(class_task of)
{
    static class_task tasks[2 * MOST_CLASSES];
    static char names[MOST][120];
    static int n_tasks;
    for (int moving = 0; moving < 2; moving++) {
        class_task *task = &tasks[n_tasks++];
        *task = of;
        task->moving = moving;
        for (int w = 0; w < N_WHAT; w++) {
            if (of.measure ? !what[w].measures : !what[w].controllers) continue;
            if (!(moving ? what[w].moving : what[w].at_rest)) continue;
            if (is_left_out(&of, moving, what[w].run)) continue;
            if (!moving && !what[w].rough && of.measure && sample_is_rough_at_rest(of.measure))
                continue;
            snprintf(names[n_tests], sizeof names[0], "%s: %s%s", name_of(task), what[w].name,
                     moving ? ", in motion" : "");
            tests[n_tests] = (struct CMUnitTest){names[n_tests], what[w].run, NULL, NULL, task};
            n_tests++;
        }
    }
}

int main(void)
{
    const rt_measure_class *measure;
    for (int k = 0; (measure = rt_measure_at(k)) != NULL; k++)
        add_tests((class_task){.measure = measure, .one_of_some = k % 4 == 0});
    for (int k = 0; k < RT_CONTROLLER_CLASSES; k++)
        add_tests((class_task){.controller = rt_controller_class_at(k), .one_of_some = k % 4 == 0});
    return _cmocka_run_group_tests("studies.signal_classes", tests, n_tests, NULL, NULL);
}
