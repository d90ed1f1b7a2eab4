/* Derivatives of the linear model's matrices against closed forms, and of examples against
 * differences of the whole chain: of fourth order with two steps, extrapolated to sixth. Effort
 * takes all examples with all parameters, else a handful. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "routh/routh.h"
#include "support/effort.h"

typedef struct matrix_case {
    routh_model *model;
    routh_mechanism *mechanism;
    routh_operating_point *point;
    routh_linear *linear;
} matrix_case;

static void matrix_case_free(matrix_case *c)
{
    routh_linear_free(c->linear);
    routh_operating_point_free(c->point);
    routh_mechanism_free(c->mechanism);
    routh_model_free(c->model);
    *c = (matrix_case){0};
}

/* like: whose states and reference are to be kept; NULL: the model's */
static routh_status matrix_case_solve(matrix_case *c, const char *coordinates,
                                      const routh_linear *like, routh_error *error)
{
    routh_linear_options o = routh_linear_defaults();
    const char *states[256] = {NULL};
    for (int k = 0; like && k < like->n_position && k < 255; k++) states[k] = like->states[k].name;
    if (like) o.states = states, o.reference = like->reference;
    routh_status status = routh_mechanism_compile(&c->mechanism, c->model, coordinates, error);
    if (!status) status = routh_operating_point_find(&c->point, c->mechanism, NULL, error);
    return status ? status : routh_linear_compute(&c->linear, c->mechanism, c->point, &o, error);
}

static routh_status matrix_case_read(matrix_case *c, const char *path, const char *name,
                                     double value, const routh_linear *like, routh_error *error)
{
    char text[64];
    snprintf(text, sizeof text, "%.17g", value);
    const routh_setting setting = {name, text};
    *c = (matrix_case){0};
    routh_status status = routh_model_read(&c->model, path, &setting, name ? 1 : 0, error);
    if (!status) status = matrix_case_solve(c, NULL, like, error);
    if (status) matrix_case_free(c);
    return status;
}

static void matrix_case_parse(matrix_case *c, const char *text, const char *coordinates)
{
    routh_error error = {0};
    *c = (matrix_case){0};
    routh_status status = routh_model_parse(&c->model, text, strlen(text), NULL, NULL, 0, &error);
    if (!status) status = matrix_case_solve(c, coordinates, NULL, &error);
    if (status) fail_msg("%s", error.message);
}

/* ---- closed forms ---------------------------------------------------------------------------- */

static void matrix_near(double x, double expected, double size)
{
    if (!(fabs(x - expected) <= 1e-10 * size)) fail_msg("%.16g, expected %.16g", x, expected);
}

/* m x'' = -k x - c x' + g f, with gain g: x' of the output in the states and in what drives it. The
 * base moves by `road`: m x'' = -k (x - road) - c (x' - road'), output m x''. */
static void matrix_mass_on_a_road(void **unused)
{
    (void)unused;
    static const char text[] =
        "parameters: {m: 2, k: 300, c: 5, gain: 3}\n"
        "inputs:\n  f: {value: 0, unit: N}\n  road: {value: 0, unit: m}\n"
        "bodies:\n  mass: {mass: m, inertia: [1, 1, 1], position: [0, 0, 1]}\n"
        "  patch: {mass: 1, inertia: [1, 1, 1]}\n"
        "joints:\n  guide: {type: translational, between: [mass, ground], axis: z}\n"
        "  shaker: {type: translational, between: [patch, ground], axis: z}\n"
        "  profile: {type: motion, joint: shaker, function: road}\n"
        "loads:\n  spring: {type: spring, between: [mass, patch], stiffness: k, damping: c}\n"
        "  push: {type: force, on: mass, components: [0, 0, gain*f]}\n"
        "outputs:\n  inertia: {expression: m*ACCZ(mass), unit: N}\n"
        "linearize: {states: [mass.z]}\n"
        "operating_point: {type: static}\n";
    const double m = 2, k = 300, c = 5, gain = 3;
    for (int set = 0; routh_coordinate_name(set); set++) {
        matrix_case x;
        routh_matrix_sensitivity *s;
        routh_error error = {0};
        matrix_case_parse(&x, text, routh_coordinate_name(set));
        if (routh_matrix_sensitivity_compute(&s, x.mechanism, x.point, x.linear, NULL, &error))
            fail_msg("%s", error.message);
        assert_int_equal(s->n_parameters, 4);
        const routh_matrix_change *by = s->by; /* m, k, c, gain */
        matrix_near(by[0].A[2], k / m / m, k), matrix_near(by[0].A[3], c / m / m, k);
        matrix_near(by[1].A[2], -1 / m, 1), matrix_near(by[2].A[3], -1 / m, 1);
        matrix_near(by[0].B[2], -gain / m / m, 1), matrix_near(by[3].B[2], 1 / m, 1);
        matrix_near(by[0].B[3], -k / m / m, k), matrix_near(by[1].B[3], 1 / m, 1);
        matrix_near(by[0].B1[3], -c / m / m, k), matrix_near(by[2].B1[3], 1 / m, 1);
        matrix_near(by[0].C[0], 0, k), matrix_near(by[1].C[0], -1, 1);
        matrix_near(by[2].C[1], -1, 1), matrix_near(by[3].D[0], 1, 1);
        matrix_near(by[1].D[1], 1, 1), matrix_near(by[2].D1[1], 1, 1);
        matrix_near(by[0].mass[0], 1, 1), matrix_near(by[0].stiffness[0], 0, k);
        matrix_near(by[1].stiffness[0], 1, 1), matrix_near(by[2].damping[0], 1, 1);
        matrix_near(by[3].force[0], 1, 1), matrix_near(by[1].force[1], 1, 1);
        matrix_near(by[2].force1[1], 1, 1), matrix_near(by[2].force[1], 0, 1);
        routh_matrix_sensitivity_free(s);
        matrix_case_free(&x);
    }
}

/* A pendulum out of the vertical by a force F: with tan(a) = F/(m g) and J = m l^2 + J0
 *     J a'' = -m g l / cos(a) da,   1/cos(a) = sqrt(1 + (F/(m g))^2) */
static void matrix_moved_equilibrium(void **unused)
{
    (void)unused;
    static const char text[] =
        "parameters: {m: 2, l: 0.5, F: 12, J0: 0.1}\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n  bob: {mass: m, inertia: [J0, J0, J0], position: [0, 0, -l]}\n"
        "joints:\n  hinge: {type: revolute, between: [bob, ground], at: [0, 0, 0], axis: y}\n"
        "loads:\n  wind: {type: force, on: bob, components: [F, 0, 0]}\n"
        "linearize: {states: [bob.ry]}\n"
        "operating_point: {type: static}\n";
    const double m = 2, l = 0.5, F = 12, J0 = 0.1, g = 9.81, W = m * g;
    const double J = m * l * l + J0, root = sqrt(1 + F * F / W / W), k = W * l * root;
    const double dF = l * F / W / root, dm = (g * l * root - l * F * F / W / m / root);
    matrix_case x;
    routh_matrix_sensitivity *s;
    routh_error error = {0};
    matrix_case_parse(&x, text, NULL);
    if (routh_matrix_sensitivity_compute(&s, x.mechanism, x.point, x.linear, NULL, &error))
        fail_msg("%s", error.message);
    matrix_near(s->by[2].stiffness[0], dF, 1), matrix_near(s->by[2].A[2], -dF / J, 1);
    matrix_near(s->by[0].stiffness[0], dm, 1), matrix_near(s->by[0].mass[0], l * l, 1);
    matrix_near(s->by[0].A[2], -dm / J + k * l * l / J / J, 10);
    matrix_near(s->by[1].mass[0], 2 * m * l, 1), matrix_near(s->by[3].mass[0], 1, 1);
    matrix_near(s->by[1].A[2], -k / l / J + k * 2 * m * l / J / J, 100);
    routh_matrix_sensitivity_free(s);
    matrix_case_free(&x);
}

/* ---- differences ----------------------------------------------------------------------------- */

enum { MATRICES = 15, SAMPLES = 6 };
static const double offsets[SAMPLES] = {-4, -2, -1, 1, 2, 4};
static const char *const matrix_names[MATRICES] = {
    "A",    "B",       "B1",        "B2",       "C",     "D",      "D1",    "D2",
    "mass", "damping", "stiffness", "coupling", "force", "force1", "force2"};

static const double *matrix_of(const routh_linear *l, int k)
{
    const double *const all[MATRICES] = {l->A,         l->B,        l->B1,    l->B2,     l->C,
                                         l->D,         l->D1,       l->D2,    l->mass,   l->damping,
                                         l->stiffness, l->coupling, l->force, l->force1, l->force2};
    return all[k];
}

static const double *matrix_change_of(const routh_matrix_change *l, int k)
{
    const double *const all[MATRICES] = {l->A,         l->B,        l->B1,    l->B2,     l->C,
                                         l->D,         l->D1,       l->D2,    l->mass,   l->damping,
                                         l->stiffness, l->coupling, l->force, l->force1, l->force2};
    return all[k];
}

static int matrix_size(const routh_linear *l, int k)
{
    const int n = l->n_states, in = l->n_inputs, out = l->n_outputs, z1 = l->n_velocity;
    const int all[MATRICES] = {n * n,
                               n * in,
                               n * in,
                               n * in,
                               out * n,
                               out * in,
                               out * in,
                               out * in,
                               z1 * z1,
                               z1 * z1,
                               z1 * l->n_position,
                               z1 * l->n_control,
                               z1 * in,
                               z1 * in,
                               z1 * in};
    return all[k];
}

typedef struct matrix_tally {
    int n_compared, n_doubtful, n_parameters;
    double worst;
} matrix_tally;

/* Of numbers at the offsets: extrapolated from two differences of fourth order; doubt: their
 * distance. */
static double matrix_difference(const double x[SAMPLES], double step, double *doubt)
{
    const double one = (x[3] - x[2]) / 2, two = (x[4] - x[1]) / 4, four = (x[5] - x[0]) / 8;
    const double fine = (4 * one - two) / 3 / step, coarse = (4 * two - four) / 3 / step;
    *doubt = fabs(fine - coarse);
    return (16 * fine - coarse) / 15;
}

/* One number: its error as a part of what is allowed, good of the largest derivative of its kind
 * and what rounding of the samples, whose largest is `value`, leaves. */
static void matrix_compare_number(const char *what, double exact, const double x[SAMPLES],
                                  double step, double largest, double value, matrix_tally *tally)
{
    static const double good = 1e-8, noise = 1e-11;
    double doubt;
    const double found = matrix_difference(x, step, &doubt);
    const double allowed = good * largest + noise * value / step + 1e-13 / step;
    if (doubt > allowed / 4) { /* too near to decide */
        tally->n_doubtful++;
        return;
    }
    tally->n_compared++;
    tally->worst = fmax(tally->worst, fabs(found - exact) / allowed);
    if (!(fabs(found - exact) <= allowed))
        print_message("%s is %.12g, by differences %.12g +- %.1g\n", what, exact, found, doubt);
}

static void matrix_compare_entries(const char *path, const matrix_case *at,
                                   const matrix_case *samples, const routh_matrix_change *by,
                                   double step, matrix_tally *tally)
{
    for (int k = 0; k < MATRICES; k++) {
        const double *exact = matrix_change_of(by, k), *here = matrix_of(at->linear, k);
        double largest = 0, value = 0;
        for (int e = 0; e < matrix_size(at->linear, k); e++)
            largest = fmax(largest, fabs(exact[e])), value = fmax(value, fabs(here[e]));
        for (int e = 0; e < matrix_size(at->linear, k); e++) {
            char what[400];
            double x[SAMPLES];
            for (int i = 0; i < SAMPLES; i++) x[i] = matrix_of(samples[i].linear, k)[e];
            snprintf(what, sizeof what, "%.200s: d%s[%d]/d(%.60s)", path, matrix_names[k], e,
                     by->parameter);
            matrix_compare_number(what, exact[e], x, step, largest, value, tally);
        }
    }
}

/* ---- what is the same at any place along a steady motion ------------------------------------- */

enum { POWERS = 4, MOST_INVARIANTS = 4096 };

/* to (r x c) = a (r x n) b (n x c), and with their derivatives (NULL: none) dto. */
static void matrix_multiply(double *to, double *dto, const double *a, const double *da,
                            const double *b, const double *db, int r, int n, int c)
{
    for (int i = 0; i < r; i++)
        for (int j = 0; j < c; j++) {
            double sum = 0, dsum = 0;
            for (int k = 0; k < n; k++) {
                sum += a[i * n + k] * b[k * c + j];
                if (da) dsum += da[i * n + k] * b[k * c + j] + a[i * n + k] * db[k * c + j];
            }
            to[i * c + j] = sum, dto[i * c + j] = dsum;
        }
}

/* Traces of powers of A, and C A^k [B B1 B2]; of outputs and inputs that are no components along
 * the frame. Returns how many; dl: NULL, none. */
static int matrix_invariants(const routh_linear *l, const routh_matrix_change *dl, double *f,
                             double *df)
{
    const int n = l->n_states, in = l->n_inputs, out = l->n_outputs;
    const size_t size = (size_t)n * (size_t)(n + 3 * in + 1);
    double *x = calloc(2 * size, sizeof *x), *dx = calloc(2 * size, sizeof *dx);
    int count = 0;
    assert_true(x && dx);
    memcpy(x, l->A, (size_t)(n * n) * sizeof *x);
    if (dl) memcpy(dx, dl->A, (size_t)(n * n) * sizeof *x);
    for (int k = 0; k < POWERS; k++) {
        f[count] = df[count] = 0;
        for (int i = 0; i < n; i++) f[count] += x[i * n + i], df[count] += dx[i * n + i];
        count++;
        matrix_multiply(x + size, dx + size, x, dl ? dx : NULL, l->A, dl ? dl->A : NULL, n, n, n);
        memcpy(x, x + size, (size_t)(n * n) * sizeof *x);
        memcpy(dx, dx + size, (size_t)(n * n) * sizeof *x);
    }
    const double *const B[3] = {l->B, l->B1, l->B2};
    for (int b = 0; b < 3; b++) {
        const double *const dB[3] = {dl ? dl->B : NULL, dl ? dl->B1 : NULL, dl ? dl->B2 : NULL};
        memcpy(x, B[b], (size_t)(n * in) * sizeof *x);
        if (dl) memcpy(dx, dB[b], (size_t)(n * in) * sizeof *x);
        for (int k = 0; k < POWERS && count + out * in < MOST_INVARIANTS; k++) {
            matrix_multiply(f + count, df + count, l->C, dl ? dl->C : NULL, x, dl ? dx : NULL, out,
                            n, in);
            count += out * in;
            matrix_multiply(x + size, dx + size, l->A, dl ? dl->A : NULL, x, dl ? dx : NULL, n, n,
                            in);
            memcpy(x, x + size, (size_t)(n * in) * sizeof *x);
            memcpy(dx, dx + size, (size_t)(n * in) * sizeof *x);
        }
    }
    free(x);
    free(dx);
    return count;
}

static double *matrix_absolute(const double *x, int n)
{
    static const double floor = 1e-5;
    double *to = calloc((size_t)n + 1, sizeof *to), most = 0;
    assert_non_null(to);
    for (int k = 0; k < n; k++) most = fmax(most, fabs(x[k]));
    for (int k = 0; k < n; k++) to[k] = fabs(x[k]) + floor * most;
    return to;
}

/* The same of the absolute values of all entries, none below what rounding of them is: how large
 * the terms are that cancel. */
static void matrix_sizes(const routh_linear *l, const routh_matrix_change *by, double *f,
                         double *df)
{
    double *x[5], *dx[5];
    for (int k = 0; k < 5; k++) {
        x[k] = matrix_absolute(matrix_of(l, k), matrix_size(l, k));
        dx[k] = matrix_absolute(matrix_change_of(by, k), matrix_size(l, k));
    }
    const routh_linear size = {.n_states = l->n_states,
                               .n_inputs = l->n_inputs,
                               .n_outputs = l->n_outputs,
                               .A = x[0],
                               .B = x[1],
                               .B1 = x[2],
                               .B2 = x[3],
                               .C = x[4]};
    const routh_matrix_change change = {
        .A = dx[0], .B = dx[1], .B1 = dx[2], .B2 = dx[3], .C = dx[4]};
    matrix_invariants(&size, &change, f, df);
    for (int k = 0; k < 5; k++) free(x[k]), free(dx[k]);
}

static void matrix_compare_invariants(const char *path, const matrix_case *at,
                                      const matrix_case *samples, const routh_matrix_change *by,
                                      double step, matrix_tally *tally)
{
    static double f[SAMPLES + 1][MOST_INVARIANTS], df[MOST_INVARIANTS], none[MOST_INVARIANTS];
    static double value[MOST_INVARIANTS], largest[MOST_INVARIANTS];
    const int n = matrix_invariants(at->linear, by, f[SAMPLES], df);
    matrix_sizes(at->linear, by, value, largest);
    for (int k = 0; k < SAMPLES; k++) matrix_invariants(samples[k].linear, NULL, f[k], none);
    for (int e = 0; e < n; e++) {
        char what[400];
        double x[SAMPLES];
        for (int k = 0; k < SAMPLES; k++) x[k] = f[k][e];
        snprintf(what, sizeof what, "%.200s: d(invariant %d)/d(%.60s)", path, e, by->parameter);
        matrix_compare_number(what, df[e], x, step, largest[e], value[e], tally);
    }
}

/* ---- examples -------------------------------------------------------------------------------- */

/* The span of the blade moves its last station against its end, where the twist stops. */
static bool matrix_has_kink(const char *path, const char *parameter)
{
    return strstr(path, "helicopter-blade") && strcmp(parameter, "span") == 0;
}

static void matrix_compare(const char *path, int stride, matrix_tally *tally)
{
    matrix_case at, samples[SAMPLES] = {{0}};
    routh_matrix_sensitivity *s;
    routh_error error = {0};
    if (matrix_case_read(&at, path, NULL, 0, NULL, &error)) fail_msg("%s: %s", path, error.message);
    const routh_status status =
        routh_matrix_sensitivity_compute(&s, at.mechanism, at.point, at.linear, NULL, &error);
    if (status && status != ROUTH_NOT_SUPPORTED) fail_msg("%s: %s", path, error.message);
    if (status) print_message("    %s: %s\n", path, error.message);
    for (int p = 0; !status && p < s->n_parameters; p += stride) {
        const double value = s->by[p].value, step = value != 0 ? 8e-3 * fabs(value) : 8e-3;
        int n = 0;
        while (n < SAMPLES &&
               !matrix_case_read(&samples[n], path, s->by[p].parameter, value + offsets[n] * step,
                                 at.linear, &error) &&
               samples[n].linear->n_states == at.linear->n_states)
            n++;
        tally->n_parameters += n == SAMPLES;
        if (n == SAMPLES && !matrix_has_kink(path, s->by[p].parameter))
            (at.point->steady ? matrix_compare_invariants
                              : matrix_compare_entries)(path, &at, samples, &s->by[p], step, tally);
        for (int k = 0; k < SAMPLES; k++) matrix_case_free(&samples[k]);
    }
    if (!status) routh_matrix_sensitivity_free(s);
    matrix_case_free(&at);
}

static void matrix_all_examples(matrix_tally *tally)
{
    DIR *directory = opendir("examples");
    assert_non_null(directory);
    for (struct dirent *e; (e = readdir(directory));) {
        char path[400];
        const size_t length = strlen(e->d_name);
        snprintf(path, sizeof path, "examples/%.300s", e->d_name);
        if (length > 5 && strcmp(e->d_name + length - 5, ".yaml") == 0)
            matrix_compare(path, 1, tally);
    }
    closedir(directory);
}

static void matrix_examples(void **unused)
{
    (void)unused;
    static const char *const quick[] = {"crank-slider", "quarter-car-active", "cart-pendulum-lqr",
                                        "four-bar",     "trailing-wheel",     "steady-turn",
                                        "rotating-pendulum"};
    matrix_tally tally = {0};
    if (full_effort())
        matrix_all_examples(&tally);
    else
        for (size_t k = 0; k < sizeof quick / sizeof *quick; k++) {
            char path[100];
            snprintf(path, sizeof path, "examples/%s.yaml", quick[k]);
            matrix_compare(path, 2, &tally);
        }
    print_message("    %d parameters, %d entries compared, %d where differences say too little, "
                  "worst %.2g of what is allowed\n",
                  tally.n_parameters, tally.n_compared, tally.n_doubtful, tally.worst);
    assert_true(tally.n_compared > 500);
    assert_true(tally.worst <= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(matrix_mass_on_a_road),
                                       cmocka_unit_test(matrix_moved_equilibrium),
                                       cmocka_unit_test(matrix_examples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
