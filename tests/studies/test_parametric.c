/* Parameters that are set again and again: to the bit what a model gives that is read with their
 * values, for examples and random mechanisms, in all coordinate sets and methods. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/number.h"
#include "routh/routh.h"
#include "support/effort.h"
#include "support/random_mechanism.h"

enum { MOST_PARAMETERS = 64, N_TEXTS = 3, MOST_NUMBERS = 2000 };

/* ---- what a model gives that is read with values --------------------------------------------- */

typedef struct way {
    const char *coordinates, *method;
} way;

typedef struct fresh {
    routh_status status;
    routh_error error;
    routh_model *model;
    routh_mechanism *mechanism;
    routh_operating_point *point;
    routh_linear *linear;
    routh_modes *modes;
} fresh;

static routh_linear_options how_of(way as)
{
    routh_linear_options how = routh_linear_defaults();
    how.method = as.method;
    how.threads = 1;
    return how;
}

static void fresh_make(fresh *x, const routh_model *base, const char *const *names,
                       const double *values, int n, way as)
{
    static char text[MOST_PARAMETERS][RT_NUMBER_SIZE];
    routh_setting settings[MOST_PARAMETERS];
    const routh_linear_options how = how_of(as);
    *x = (fresh){0};
    for (int k = 0; k < n; k++) {
        rt_number_text(text[k], values[k], RT_NUMBER_EXACT);
        settings[k] = (routh_setting){names[k], text[k]};
    }
    routh_error *e = &x->error;
    x->status = rt_model_again(&x->model, base, settings, (size_t)n, e);
    if (!x->status) x->status = routh_mechanism_compile(&x->mechanism, x->model, as.coordinates, e);
    if (!x->status) x->status = routh_operating_point_find(&x->point, x->mechanism, NULL, e);
    if (!x->status) x->status = routh_linear_compute(&x->linear, x->mechanism, x->point, &how, e);
    if (!x->status) x->status = routh_modes_compute(&x->modes, x->linear, e);
}

static void fresh_release(fresh *x)
{
    routh_modes_free(x->modes);
    routh_linear_free(x->linear);
    routh_operating_point_free(x->point);
    routh_mechanism_free(x->mechanism);
    routh_model_free(x->model);
}

/* ---- to the bit ------------------------------------------------------------------------------ */

typedef struct parametric_tally {
    int n_compared, n_failed, n_numbers; /* alike, with one error, of parameters that are numbers */
} parametric_tally;

static void write_texts(routh_text text[N_TEXTS], const routh_results *results)
{
    routh_error error;
    if (routh_operating_point_json(results, &text[0], &error) ||
        routh_linear_json(results, &text[1], &error) || routh_modes_json(results, &text[2], &error))
        fail_msg("%s", error.message);
}

/* Everything that is shown of them, every number with all its digits. */
static void assert_same_texts(const char *what, const routh_results *a, const routh_results *b)
{
    routh_text one[N_TEXTS], two[N_TEXTS];
    write_texts(one, a);
    write_texts(two, b);
    for (int k = 0; k < N_TEXTS; k++) {
        if (strcmp(one[k].bytes, two[k].bytes) != 0) fail_msg("%s: text %d differs", what, k);
        routh_text_free(&one[k]);
        routh_text_free(&two[k]);
    }
}

static void assert_same_numbers(const char *what, const routh_linear *a, const routh_linear *b)
{
    const size_t n = (size_t)a->n_states;
    assert_int_equal(a->n_states, b->n_states);
    if (n && memcmp(a->A, b->A, n * n * sizeof *a->A) != 0) fail_msg("%s: A differs", what);
}

static void compare_now(const char *what, routh_parametric *p, const routh_model *base,
                        const char *const *names, const double *values, int n, way as,
                        parametric_tally *tally)
{
    fresh x;
    routh_error error;
    const routh_modes *modes;
    fresh_make(&x, base, names, values, n, as);
    const routh_status status = routh_parametric_modes(p, &modes, &error);
    if (status != x.status || strcmp(x.error.message, error.message) != 0 ||
        strcmp(x.error.element, error.element) != 0 || x.error.line != error.line)
        fail_msg("%s: '%s' (%d) where reading gives '%s' (%d)", what, error.message, (int)status,
                 x.error.message, (int)x.status);
    tally->n_failed += status != ROUTH_OK;
    if (!status) {
        routh_results own = {.modes = modes},
                      other = {
                          .model = x.model, .point = x.point, .linear = x.linear, .modes = x.modes};
        assert_int_equal(routh_parametric_model(p, &own.model, &error), ROUTH_OK);
        assert_int_equal(routh_parametric_point(p, &own.point, &error), ROUTH_OK);
        assert_int_equal(routh_parametric_linear(p, &own.linear, &error), ROUTH_OK);
        assert_same_texts(what, &own, &other);
        assert_same_numbers(what, own.linear, x.linear);
        tally->n_compared++;
    }
    fresh_release(&x);
}

/* ---- changes --------------------------------------------------------------------------------- */

/* Those that may be set, the first of them; and their values. */
static int list_parameters(const routh_model *m, const char **names, double *values)
{
    int n = 0;
    for (int k = 0; k < m->n_parameters && n < MOST_PARAMETERS - 1; k++) {
        bool is_input = false;
        for (int i = 0; i < m->n_inputs; i++)
            is_input = is_input || strcmp(m->inputs[i].name, m->parameters[k].name) == 0;
        if (is_input) continue;
        values[n] = m->parameters[k].number.value;
        names[n++] = m->parameters[k].name;
    }
    names[n] = NULL;
    return n;
}

/* Near it, far from it, of another sign, zero, and often what it was. */
static double changed(double value, random_stream *random)
{
    static const double by[] = {1.01, 0.97, 1.1, 0.5, 2, -1, 0};
    const uint64_t bits = random_bits(random);
    if (bits % 3 == 0) return value;
    if (value == 0) return 0.01 * random_real(random);
    return value * by[bits / 3 % (sizeof by / sizeof *by)];
}

static void change_and_compare(const char *what, const routh_model *base, way as, int n_changes,
                               random_stream *random, parametric_tally *tally)
{
    const char *names[MOST_PARAMETERS];
    double written[MOST_PARAMETERS], values[MOST_PARAMETERS];
    routh_error error;
    routh_parametric *p;
    const routh_linear_options how = how_of(as);
    const int n = list_parameters(base, names, written);
    if (!n) return;
    memcpy(values, written, sizeof values);
    if (routh_parametric_create(&p, base, names, as.coordinates, NULL, &how, &error))
        fail_msg("%s: %s", what, error.message);
    for (int k = 0; k < n_changes; k++) {
        const int i = (int)(random_bits(random) % (uint64_t)n);
        char text[300];
        values[i] = changed(written[i], random);
        snprintf(text, sizeof text, "%.100s, %.40s = %.17g", what, names[i], values[i]);
        assert_int_equal(routh_parametric_set(p, i, values[i], &error), ROUTH_OK);
        tally->n_numbers += routh_parametric_is_number(p, i);
        compare_now(text, p, base, names, values, n, as, tally);
    }
    routh_parametric_free(p);
}

static void change_example(const char *name, way as, int n_changes, parametric_tally *tally)
{
    char path[400];
    routh_model *model;
    routh_error error;
    random_stream random = {61};
    snprintf(path, sizeof path, "examples/%.300s", name);
    if (routh_model_read(&model, path, NULL, 0, &error)) fail_msg("%s: %s", name, error.message);
    change_and_compare(name, model, as, n_changes, &random, tally);
    routh_model_free(model);
}

static void print_tally(const parametric_tally *t)
{
    print_message("    %d models compared, %d failed with one error; %d parameters were numbers\n",
                  t->n_compared, t->n_failed, t->n_numbers);
}

/* ---- the tests ------------------------------------------------------------------------------- */

static const way usual = {NULL, NULL};

static void every_example(parametric_tally *tally)
{
    DIR *directory = opendir("examples");
    assert_non_null(directory);
    for (struct dirent *e; (e = readdir(directory));) {
        const size_t length = strlen(e->d_name);
        if (length > 5 && strcmp(e->d_name + length - 5, ".yaml") == 0)
            change_example(e->d_name, usual, 20, tally);
    }
    closedir(directory);
}

static void examples_are_as_if_read_again(void **unused)
{
    static const struct {
        const char *name;
        int n_changes;
    } some[] = {
        {"quarter-car-active.yaml", 20},    {"washing-machine.yaml", 2},   {"car/car.yaml", 2},
        {"crank-slider.yaml", 6},           {"rotating-pendulum.yaml", 4}, {"gear-train.yaml", 2},
        {"pendulum-with-friction.yaml", 2}, {"engine-mount.yaml", 6},      {"steady-turn.yaml", 2},
        {"elastic-link.yaml", 2},           {"cart-pendulum-lqr.yaml", 6},
    };
    parametric_tally tally = {0};
    (void)unused;
    for (size_t k = 0; k < sizeof some / sizeof *some; k++)
        change_example(some[k].name, usual, with_effort(some[k].n_changes), &tally);
    if (full_effort()) every_example(&tally);
    print_tally(&tally);
    assert_true(tally.n_compared >= some_of(20) && tally.n_numbers >= some_of(20));
}

/* Several at a time, two of them of one model: each has what it keeps to itself. */
static void one_beside_the_other(void **unused)
{
    static const char *const files[] = {"examples/quarter-car-active.yaml",
                                        "examples/crank-slider.yaml",
                                        "examples/quarter-car-active.yaml"};
    enum { N = sizeof files / sizeof *files };
    const char *names[N][MOST_PARAMETERS];
    double written[N][MOST_PARAMETERS], values[N][MOST_PARAMETERS];
    int n[N];
    routh_model *model[N];
    routh_parametric *p[N];
    routh_error error;
    parametric_tally tally = {0};
    random_stream random = {63};
    const routh_linear_options how = how_of(usual);
    (void)unused;
    for (int k = 0; k < N; k++) {
        if (routh_model_read(&model[k], files[k], NULL, 0, &error)) fail_msg("%s", error.message);
        n[k] = list_parameters(model[k], names[k], written[k]);
        memcpy(values[k], written[k], sizeof values[k]);
        if (routh_parametric_create(&p[k], model[k], names[k], NULL, NULL, &how, &error))
            fail_msg("%s", error.message);
    }
    for (int i = 0; i < with_effort(30); i++) {
        const int k = i % N, which = (int)(random_bits(&random) % (uint64_t)n[k]);
        values[k][which] = changed(written[k][which], &random);
        assert_int_equal(routh_parametric_set(p[k], which, values[k][which], &error), ROUTH_OK);
        compare_now(files[k], p[k], model[k], names[k], values[k], n[k], usual, &tally);
    }
    for (int k = 0; k < N; k++) {
        routh_parametric_free(p[k]);
        routh_model_free(model[k]);
    }
    print_tally(&tally);
    assert_true(tally.n_compared > some_of(10));
}

static void in_every_coordinate_set_by_every_method(void **unused)
{
    parametric_tally tally = {0};
    (void)unused;
    for (int c = 0; routh_coordinate_name(c); c++)
        change_example("quarter-car-active.yaml", (way){routh_coordinate_name(c), NULL}, 3, &tally);
    for (int m = 0; routh_method_name(m); m++)
        change_example("crank-slider.yaml", (way){m % 2 ? "relative" : NULL, routh_method_name(m)},
                       2, &tally);
    print_tally(&tally);
    assert_true(tally.n_compared > 20);
}

/* Some numbers x of a text written as (x)*(1 + p0), ... */
static void put_numbers(const char *text, int n_chosen, random_stream *random, growing_text *out)
{
    static size_t at[MOST_NUMBERS], length[MOST_NUMBERS];
    bool chosen[MOST_NUMBERS] = {false};
    int n = 0;
    size_t done = 0;
    for (const char *p = text; *p;) {
        char *end = (char *)(uintptr_t)p + 1;
        const bool begins =
            p > text && strchr(" [,(", p[-1]) && (*p == '-' || (*p >= '0' && *p <= '9'));
        if (strncmp(p, "matrix: [[", 10) == 0) end = strstr(p, "]]");
        if (begins) strtod(p, &end);
        if (end == p) end++;
        if (begins && memchr(p, '.', (size_t)(end - p)) && n < MOST_NUMBERS)
            at[n] = (size_t)(p - text), length[n++] = (size_t)(end - p);
        p = end;
    }
    assert_true(n > n_chosen);
    for (int k = 0; k < n_chosen;) {
        const int i = (int)(random_bits(random) % (uint64_t)n);
        k += !chosen[i];
        chosen[i] = true;
    }
    text_add(out, "parameters: {p0: 0");
    for (int k = 1; k < n_chosen; k++) text_add(out, ", p%d: 0", k);
    text_add(out, "}\n");
    for (int i = 0, k = 0; i < n; i++) {
        if (!chosen[i]) continue;
        text_add(out, "%.*s(%.*s)*(1 + p%d)", (int)(at[i] - done), text + done, (int)length[i],
                 text + at[i], k++);
        done = at[i] + length[i];
    }
    text_add(out, "%s", text + done);
}

static void random_mechanisms_are_as_if_read_again(void **unused)
{
    static const int what[] = {0, RANDOM_MOVING, RANDOM_STATIC};
    const int n = with_effort(9);
    parametric_tally tally = {0};
    random_stream random = {62};
    (void)unused;
    for (int i = 0; i < n; i++) {
        random_mechanism mechanism;
        growing_text plain = {0}, text = {0};
        routh_model *model;
        routh_error error;
        char name[40];
        random_mechanism_make(&mechanism, &random, what[i % 3]);
        random_mechanism_write(&mechanism, &no_disguise, &plain);
        put_numbers(plain.bytes, 6, &random, &text);
        snprintf(name, sizeof name, "mechanism %d", i);
        if (routh_model_parse(&model, text.bytes, text.length, NULL, NULL, 0, &error))
            fail_msg("%s: %s in\n%s", name, error.message, text.bytes);
        change_and_compare(name, model, usual, full_effort() ? 20 : 3, &random, &tally);
        routh_model_free(model);
        free(plain.bytes);
        free(text.bytes);
    }
    print_tally(&tally);
    assert_true(tally.n_compared > n && tally.n_numbers > 0);
}

/* A spring on a slide: lambda = +-i sqrt(k/m). */
static const char oscillator[] =
    "parameters: {m: 2, k: 50, half: k/2, twice: 2*half, x: 0.1, n: 1}\n"
    "bodies: {a: {mass: m, inertia: [1, 1, 1], position: [x, 0, 0]}}\n"
    "markers: {w: {body: ground, position: [-1, 0, 0]}}\n"
    "joints: {s: {type: translational, between: [a, ground], at: [x, 0, 0], axis: x}}\n"
    "loads: {f: {type: spring, between: [a, w], stiffness: twice}}\n";

static routh_model *parse(const char *text)
{
    routh_model *model;
    routh_error error;
    if (routh_model_parse(&model, text, strlen(text), NULL, NULL, 0, &error))
        fail_msg("%s", error.message);
    return model;
}

static double frequency(routh_parametric *p)
{
    const routh_modes *modes;
    routh_error error;
    if (routh_parametric_modes(p, &modes, &error)) fail_msg("%s", error.message);
    assert_int_equal(modes->n, 2);
    return fabs(modes->modes[0].eigenvalue[1]);
}

static void set(routh_parametric *p, const char *name, double value)
{
    routh_error error;
    if (routh_parametric_set(p, routh_parametric_index(p, name), value, &error))
        fail_msg("%s", error.message);
}

static bool near(double a, double b) { return fabs(a - b) <= 1e-13 * fabs(b); }

static void values_follow_expressions_and_go_back(void **unused)
{
    static const char *const names[] = {"k", "m", "x", NULL};
    routh_model *model = parse(oscillator);
    routh_parametric *p;
    routh_error error;
    (void)unused;
    assert_int_equal(routh_parametric_create(&p, model, names, NULL, NULL, NULL, &error), ROUTH_OK);
    assert_int_equal(routh_parametric_count(p), 3);
    const double first = frequency(p);
    assert_true(near(first, 5));
    set(p, "k", 200);
    assert_true(near(frequency(p), 10));
    set(p, "m", 0.5);
    assert_true(near(frequency(p), 20));
    set(p, "x", 0.7); /* the body is elsewhere, so the model is read again */
    assert_true(near(frequency(p), 20));
    set(p, "k", 50), set(p, "m", 2), set(p, "x", 0.1);
    assert_true(frequency(p) == first);
    assert_true(routh_parametric_is_number(p, 0) && routh_parametric_is_number(p, 1));
    assert_false(routh_parametric_is_number(p, 2));
    routh_parametric_free(p);
    routh_model_free(model);
}

static void one_that_is_set_follows_no_other(void **unused)
{
    static const char *const names[] = {"k", "half", NULL};
    routh_model *model = parse(oscillator);
    routh_parametric *p;
    routh_error error;
    (void)unused;
    assert_int_equal(routh_parametric_create(&p, model, names, NULL, NULL, NULL, &error), ROUTH_OK);
    assert_true(routh_parametric_value(p, 1) == 25);
    set(p, "k", 800);
    assert_true(near(frequency(p), 5));
    set(p, "half", 100);
    assert_true(near(frequency(p), 10));
    routh_parametric_free(p);
    routh_model_free(model);
}

/* A model in which every field that varies is a parameter. */
static const char all_numbers[] =
    "parameters: {g: 9.81, m: 2, J: 0.3, v: 0.1, w: 0.2, k: 50, c: 1, l: 1.1, f: 3, kt: 4, ct: "
    "0.1,\n"
    "  a0: 0.1, pt: 0.2, k6: 60, c6: 2, kb: 100, cb: 2, kr: 5, cr: 0.1, pb: 1, d: 0.5, u0: 0.3, P: "
    "2,\n"
    "  I: 1, D: 0.1, T: 0.05, x0: 0.1, tau: 0.2, K: 3, y0: 0.2, G: 1.5, e: 2}\n"
    "gravity: [0, 0, -g]\n"
    "inputs: {u: u0}\n"
    "bodies:\n"
    "  a: {mass: m, inertia: [J, 0.4, 0.5], position: [1, 0, 0], velocity: [0, v, 0],\n"
    "      angular_velocity: [0, 0, w]}\n"
    "  b: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [3, 0, 0]}\n"
    "controllers:\n"
    "  p: {type: pid, input: DX(a), proportional: P, integral: I, derivative: D, filter: T,\n"
    "      initial: x0}\n"
    "  q: {type: lag, input: DX(b) + p, time_constant: tau, gain: K, initial: y0}\n"
    "  r: {type: gain, input: q, gain: G}\n"
    "loads:\n"
    "  s: {type: spring, between: [a, b], stiffness: k, damping: c, free_length: l, preload: f}\n"
    "  t: {type: torsion_spring, between: [a, b], axis: z, stiffness: kt, damping: ct,\n"
    "      free_angle: a0, preload: pt}\n"
    "  h: {type: bushing, between: [a, ground], at: [1, 0, 0],\n"
    "      translation: {stiffness: kb, damping: cb}, rotation: {stiffness: kr, damping: cr},\n"
    "      preload: [pb, 0, 0, 0, 0, 0]}\n"
    "  i: {type: bushing, between: [b, ground], at: [3, 0, 0],\n"
    "      stiffness: [[k6, 0, 0, 0, 0, 0], [0, 9, 0, 0, 0, 0], [0, 0, 9, 0, 0, 0],\n"
    "                  [0, 0, 0, 9, 0, 0], [0, 0, 0, 0, 9, 0], [0, 0, 0, 0, 0, 9]],\n"
    "      damping: [[c6, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0],\n"
    "                [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]]}\n"
    "  o: {type: drag, between: [a, b], coefficient: d}\n"
    "  n: {type: force, on: b, components: [e*r + u, 0, 0]}\n"
    "outputs: {z: e*AZ(a)}\n";

/* Each of them another, one after the other: all are numbers. */
static void change_each(const char *text)
{
    const char *names[MOST_PARAMETERS];
    double written[MOST_PARAMETERS], values[MOST_PARAMETERS];
    routh_model *model = parse(text);
    const routh_linear_options how = how_of(usual);
    parametric_tally tally = {0};
    routh_parametric *p;
    routh_error error;
    const int n = list_parameters(model, names, written);
    memcpy(values, written, sizeof values);
    if (routh_parametric_create(&p, model, names, NULL, NULL, &how, &error))
        fail_msg("%s", error.message);
    for (int k = 0; k < n; k++) {
        if (!routh_parametric_is_number(p, k)) fail_msg("%s is no number", names[k]);
        values[k] = 1.07 * written[k];
        assert_int_equal(routh_parametric_set(p, k, values[k], &error), ROUTH_OK);
        compare_now(names[k], p, model, names, values, n, usual, &tally);
    }
    assert_int_equal(tally.n_compared, n);
    routh_parametric_free(p);
    routh_model_free(model);
}

static void every_number_that_varies_is_put_into_the_model(void **unused)
{
    (void)unused;
    change_each(all_numbers);
}

/* Functions with kinks, on them and beside them: what jumps there counts against sizes that follow
 * from the parameters. */
static void numbers_of_functions_with_kinks(void **unused)
{
    (void)unused;
    change_each(
        "parameters: {g: 9.81, m: 2, k: 50, c: 1, a: 0.5, f: 3, s: 1e-7, h: 0, low: 0.2}\n"
        "gravity: [0, 0, -g]\n"
        "inputs: {u: f}\n"
        "bodies: {b: {mass: m, inertia: [1, 1, 1]}}\n"
        "joints: {slide: {type: translational, between: [b, ground], axis: x}}\n"
        "variables:\n"
        "  pull: k*DX(b) + c*max(VX(b) - h, 0)\n"
        "  twice: {expression: 2*pull + a*abs(DX(b) - low), guess: low}\n"
        "loads:\n"
        "  l: {type: force, on: b, components: [\"-pull - s*abs(DX(b)) - 1e-3*twice\", 0, 0]}\n"
        "outputs: {o: \"min(FX(l, b), f*u)\"}\n");
}

/* A small kink is one beside what makes it small, whatever that was when the model was read. */
static void weights_of_kinks_follow(void **unused)
{
    static const char *const names[] = {"s", NULL};
    static const double values[] = {1e-12, 1, 1e12};
    const routh_linear_options how = how_of(usual);
    parametric_tally tally = {0};
    routh_parametric *p;
    routh_error error;
    (void)unused;
    routh_model *model =
        parse("parameters: {s: 1}\n"
              "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
              "joints: {slide: {type: translational, between: [b, ground], axis: x}}\n"
              "loads: {l: {type: force, on: b, components: [\"-DX(b) - s*abs(VX(b))\", 0, 0]}}\n");
    assert_int_equal(routh_parametric_create(&p, model, names, NULL, NULL, &how, &error), ROUTH_OK);
    assert_true(routh_parametric_is_number(p, 0));
    for (int k = 0; k < 3; k++) {
        assert_int_equal(routh_parametric_set(p, 0, values[k], &error), ROUTH_OK);
        compare_now("s", p, model, names, &values[k], 1, usual, &tally);
    }
    assert_int_equal(tally.n_compared, 3);
    routh_parametric_free(p);
    routh_model_free(model);
}

/* What a steady motion is asked to be. */
static void numbers_of_steady_motions(void **unused)
{
    (void)unused;
    change_each(
        "parameters: {m: 2, k: 50, n: 1.2, spin: 3, drop: 0.01, soft: 1.5}\n"
        "bodies:\n"
        "  b: {mass: m, inertia: [1, 1, 2], position: [1.1, 0, 0]}\n"
        "  wheel: {mass: 0.1, inertia: [0.01, 0.01, 0.02], position: [1.1, 0, 0.1]}\n"
        "joints:\n"
        "  plane: {type: planar, between: [b, ground], axis: z}\n"
        "  axle: {type: revolute, between: [wheel, b], at: [1.1, 0, 0.1], axis: z}\n"
        "inputs: {u: {value: 0, unit: N}}\n"
        "loads:\n"
        "  s: {type: spring, between: [b, ground], stiffness: k, free_length: 1}\n"
        "  l: {type: force, on: b, resolved_in: b, components: [u - soft*abs(WZ(b)), 0, 0]}\n"
        "operating_point: {type: steady}\n"
        "steady:\n"
        "  turn_rate: n\n"
        "  prescribed: {push: {expression: u, value: drop}}\n"
        "  free: [u]\n"
        "  spins: {wheel: {axis: z, rate: spin}}\n");
}

/* The error is the reader's, and a good value makes all well. */
static void wrong_values_are_errors_that_pass(void **unused)
{
    static const char *const names[] = {"m", "k", NULL};
    routh_model *model = parse(oscillator);
    routh_parametric *p;
    routh_error error;
    const routh_modes *modes;
    (void)unused;
    assert_int_equal(routh_parametric_create(&p, model, names, NULL, NULL, NULL, &error), ROUTH_OK);
    for (int k = 0; k < 2; k++) {
        set(p, "m", -1);
        assert_int_equal(routh_parametric_modes(p, &modes, &error), ROUTH_MODEL_ERROR);
        assert_null(modes);
        assert_string_equal(error.element, "body a");
        assert_non_null(strstr(error.message, "mass is -1; it must not be negative"));
        set(p, "k", k ? 50 : 200);
        assert_int_equal(routh_parametric_modes(p, &modes, &error), ROUTH_MODEL_ERROR);
        set(p, "m", 2);
        assert_true(near(frequency(p), k ? 5 : 10));
    }
    routh_parametric_free(p);
    routh_model_free(model);
}

static void what_cannot_be_set_is_refused(void **unused)
{
    static const char *const names[] = {"m", NULL}, *const unknown[] = {"mass", NULL};
    static const char *const twice[] = {"m", "k", "m", NULL}, *const none[] = {NULL};
    routh_model *model = parse(oscillator);
    routh_parametric *p;
    routh_error error;
    (void)unused;
    assert_int_equal(routh_parametric_create(&p, model, unknown, NULL, NULL, NULL, &error),
                     ROUTH_BAD_ARGUMENT);
    assert_null(p);
    assert_non_null(strstr(error.message, "'mass' is not a parameter of the model"));
    assert_int_equal(routh_parametric_create(&p, model, twice, NULL, NULL, NULL, &error),
                     ROUTH_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "'m' is named twice"));
    assert_int_equal(routh_parametric_create(&p, model, none, NULL, NULL, NULL, &error), ROUTH_OK);
    assert_true(near(frequency(p), 5));
    assert_int_equal(routh_parametric_set(p, 0, 1, &error), ROUTH_BAD_ARGUMENT);
    routh_parametric_free(p);
    assert_int_equal(routh_parametric_create(&p, model, names, NULL, NULL, NULL, &error), ROUTH_OK);
    assert_int_equal(routh_parametric_set(p, -1, 1, &error), ROUTH_BAD_ARGUMENT);
    assert_int_equal(routh_parametric_set(p, 1, 1, &error), ROUTH_BAD_ARGUMENT);
    assert_int_equal(routh_parametric_set(p, 0, NAN, &error), ROUTH_BAD_ARGUMENT);
    assert_int_equal(routh_parametric_set(p, 0, INFINITY, &error), ROUTH_BAD_ARGUMENT);
    assert_true(routh_parametric_value(p, 0) == 2 && isnan(routh_parametric_value(p, 1)));
    assert_int_equal(routh_parametric_index(p, "k"), -1);
    assert_int_equal(routh_parametric_is_number(p, 7), 0);
    assert_true(near(frequency(p), 5));
    routh_parametric_free(p);
    routh_model_free(model);
}

/* A body that becomes massless has another mechanism beside its own, and loses it again. */
static void bodies_may_become_massless(void **unused)
{
    static const char text[] =
        "parameters: {m: 1, J: 0.1}\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  a: {mass: 2, inertia: [1, 1, 1]}\n"
        "  b: {mass: m, inertia: [J, J, J], position: [1, 0, 0]}\n"
        "joints:\n"
        "  s: {type: revolute, between: [a, ground], at: [0, 0, 1], axis: y}\n"
        "  f: {type: fixed, between: [b, a]}\n";
    static const char *const names[] = {"m", "J", NULL};
    static const double values[][2] = {{1, 0.1}, {0, 0.1}, {0, 0}, {1, 0}, {2, 0.1}, {1, 0.1}};
    routh_model *model = parse(text);
    parametric_tally tally = {0};
    routh_error error;
    (void)unused;
    for (int c = 0; routh_coordinate_name(c); c++) {
        const way as = {routh_coordinate_name(c), NULL};
        const routh_linear_options how = how_of(as);
        routh_parametric *p;
        if (routh_parametric_create(&p, model, names, as.coordinates, NULL, &how, &error))
            fail_msg("%s", error.message);
        for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
            set(p, "m", values[k][0]);
            set(p, "J", values[k][1]);
            compare_now(as.coordinates, p, model, names, values[k], 2, as, &tally);
        }
        routh_parametric_free(p);
    }
    routh_model_free(model);
}

/* What is made of a parametric mechanism belongs together, and not to what it was before. */
static void other_values_make_another_model(void **unused)
{
    static const char *const names[] = {"k", NULL};
    routh_model *model = parse(oscillator);
    routh_parametric *p;
    routh_error error;
    const routh_mechanism *m;
    const routh_operating_point *point;
    routh_operating_point *before;
    routh_linear *linear;
    (void)unused;
    assert_int_equal(routh_parametric_create(&p, model, names, NULL, NULL, NULL, &error), ROUTH_OK);
    assert_int_equal(routh_parametric_mechanism(p, &m, &error), ROUTH_OK);
    assert_int_equal(routh_operating_point_find(&before, m, NULL, &error), ROUTH_OK);
    set(p, "k", 60);
    assert_int_equal(routh_parametric_mechanism(p, &m, &error), ROUTH_OK);
    assert_int_equal(routh_parametric_point(p, &point, &error), ROUTH_OK);
    assert_int_equal(routh_linear_compute(&linear, m, point, NULL, &error), ROUTH_OK);
    routh_linear_free(linear);
    assert_int_equal(routh_linear_compute(&linear, m, before, NULL, &error), ROUTH_BAD_ARGUMENT);
    routh_operating_point_free(before);
    routh_parametric_free(p);
    routh_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_are_as_if_read_again),
        cmocka_unit_test(in_every_coordinate_set_by_every_method),
        cmocka_unit_test(one_beside_the_other),
        cmocka_unit_test(random_mechanisms_are_as_if_read_again),
        cmocka_unit_test(every_number_that_varies_is_put_into_the_model),
        cmocka_unit_test(numbers_of_functions_with_kinks),
        cmocka_unit_test(weights_of_kinks_follow),
        cmocka_unit_test(numbers_of_steady_motions),
        cmocka_unit_test(values_follow_expressions_and_go_back),
        cmocka_unit_test(one_that_is_set_follows_no_other),
        cmocka_unit_test(wrong_values_are_errors_that_pass),
        cmocka_unit_test(what_cannot_be_set_is_refused),
        cmocka_unit_test(bodies_may_become_massless),
        cmocka_unit_test(other_values_make_another_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
