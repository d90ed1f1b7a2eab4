/* Formulas against closed forms that others derived, and against the numeric linearization at
 * random values of the symbols. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "routh/routh.h"
#include "support/effort.h"
#include "support/mechanisms.h"
#include "symbolic/models.h"

static routh_model *model_of(const char *text, const routh_setting *settings, size_t n)
{
    routh_model *model;
    routh_error error = {0};
    if (routh_model_parse(&model, text, strlen(text), "model.yaml", settings, n, &error))
        fail_msg("%s", error.message);
    return model;
}

static routh_symbolic *formulas_of(const routh_model *model, const routh_symbolic_options *o)
{
    routh_symbolic *s = NULL;
    routh_error error = {0};
    if (routh_symbolic_compute(&s, model, o, &error)) {
        char text[1500];
        routh_error_text(&error, text, sizeof text);
        fail_msg("%s", text);
    }
    return s;
}

static char *written(const char *model_text, const char *const *coordinates)
{
    routh_model *model = model_of(model_text, NULL, 0);
    const routh_symbolic_options o = {.coordinates = coordinates};
    routh_symbolic *s = formulas_of(model, &o);
    routh_text text;
    assert_int_equal(routh_symbolic_write(s, ROUTH_NOTATION_TEXT, &text, NULL), ROUTH_OK);
    routh_symbolic_free(s);
    routh_model_free(model);
    return text.bytes;
}

static void holds(const char *text, const char *line)
{
    if (!strstr(text, line)) fail_msg("no line \"%s\" in\n%s", line, text);
}

/* (55), and (56) with its sign mended: a hanging pendulum's K is positive. */
static void the_double_pendulum_has_the_known_closed_form(void **state)
{
    (void)state;
    static const char *const tips[] = {"p2.x", "p3.x", NULL};
    char *text = written(DOUBLE_PENDULUM, tips);
    holds(text, "\nM[1,1] = (m1 + m2)/3\n");
    holds(text, "\nM[1,2] = m2/6\n");
    holds(text, "\nM[2,1] = m2/6\n");
    holds(text, "\nM[2,2] = m2/3\n");
    holds(text, "\nC = 0\n");
    holds(text, "\nK[1,1] = g*(m1*L2 + m2*L1 + 2*m2*L2)/(2*L1*L2)\n");
    holds(text, "\nK[1,2] = -m2*g/(2*L2)\n");
    holds(text, "\nK[2,1] = -m2*g/(2*L2)\n");
    holds(text, "\nK[2,2] = m2*g/(2*L2)\n");
    routh_text_free(&(routh_text){.bytes = text});
}

/* (59) with k for k/2 and its right side zero. */
static void the_spring_pendulum_has_the_known_closed_form(void **state)
{
    (void)state;
    static const char *const places[] = {"slider.x", "bob.x", NULL};
    char *text = written(SPRING_PENDULUM, places);
    holds(text, "\nM[1,1] = m1\nM[2,2] = m2\n\nC = 0\n");
    holds(text, "\nK[1,1] = (m2*g + L*k)/L\n");
    holds(text, "\nK[1,2] = -m2*g/L\n");
    holds(text, "\nK[2,1] = -m2*g/L\n");
    holds(text, "\nK[2,2] = m2*g/L\n");
    routh_text_free(&(routh_text){.bytes = text});
}

/* A top on a fixed point, in the directions of its axis: A' = A + m l^2,
 *     A'/l^2 x'' + C spin/l^2 y' - (m g/l) x = 0, ... */
static void a_top_has_the_known_closed_form(void **state)
{
    (void)state;
    static const char *const places[] = {"hull.x", "hull.y", NULL};
    char *text = written(TOP, places);
    holds(text, "\nM[1,1] = (m*l^2 + h*l^2 + A + B)/l^2\n");
    holds(text, "\nC[1,1] = c\nC[1,2] = C*spin/l^2\nC[2,1] = -C*spin/l^2\nC[2,2] = 2*c\n");
    holds(text, "\nK[1,1] = -(m*g + h*g - l*k)/l\n");
    assert_null(strstr(text, "K[1,2]"));
    routh_text_free(&(routh_text){.bytes = text});
}

/* ---- against numbers ------------------------------------------------------------------------ */

typedef struct numeric_case {
    const char *text;
    const char *const *states; /* the independent coordinates, by names that both know */
    const char *names[12];     /* parameters that are drawn; NULL at the end */
    double from[12];           /* their values, times 0.9 to 1.1 */
} numeric_case;

static double uniform(uint64_t *seed, double a, double b)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return a + (b - a) * ((double)(*seed >> 11) / 9007199254740992.0);
}

/* -M^-1 [K C] by Gauss with pivots. */
static void solve(int n, double *M, double *right, int columns)
{
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(M[i * n + k]) > fabs(M[p * n + k])) p = i;
        for (int j = 0; j < n; j++) {
            const double t = M[k * n + j];
            M[k * n + j] = M[p * n + j], M[p * n + j] = t;
        }
        for (int j = 0; j < columns; j++) {
            const double t = right[k * columns + j];
            right[k * columns + j] = right[p * columns + j], right[p * columns + j] = t;
        }
        for (int i = 0; i < n; i++) {
            if (i == k) continue;
            const double f = M[i * n + k] / M[k * n + k];
            for (int j = 0; j < n; j++) M[i * n + j] -= f * M[k * n + j];
            for (int j = 0; j < columns; j++) right[i * columns + j] -= f * right[k * columns + j];
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < columns; j++) right[i * columns + j] /= M[i * n + i];
}

static routh_linear *linearized(const routh_model *model, const char *const *states)
{
    routh_mechanism *mechanism = NULL;
    routh_operating_point *point = NULL;
    routh_linear *linear = NULL;
    routh_error error = {0};
    routh_operating_point_options how = routh_operating_point_defaults();
    how.type = ROUTH_OPERATING_GIVEN;
    routh_linear_options o = routh_linear_defaults();
    o.states = states;
    if (routh_mechanism_compile(&mechanism, model, "absolute", &error) ||
        routh_operating_point_find(&point, mechanism, &how, &error) ||
        routh_linear_compute(&linear, mechanism, point, &o, &error))
        fail_msg("%s", error.message);
    routh_operating_point_free(point);
    routh_mechanism_free(mechanism);
    return linear;
}

/* The largest difference of A's lower half, over its largest entry. */
static double difference_at(const numeric_case *c, const routh_symbolic *s, const double *values,
                            int n_values)
{
    const int n = routh_symbolic_size(s);
    char text[12][40];
    routh_setting settings[12];
    double M[49], C[49], K[49], right[98], worst = 0, largest = 0;
    for (int k = 0; k < n_values; k++) {
        snprintf(text[k], sizeof text[k], "%.17g", values[k]);
        settings[k] = (routh_setting){c->names[k], text[k]};
    }
    routh_model *model = model_of(c->text, settings, (size_t)n_values);
    routh_linear *linear = linearized(model, c->states);
    assert_true(n <= 7);
    assert_int_equal(routh_symbolic_evaluate(s, c->names, values, n_values, M, C, K, NULL),
                     ROUTH_OK);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            right[2 * n * i + j] = -K[n * i + j], right[2 * n * i + n + j] = -C[n * i + j];
    solve(n, M, right, 2 * n);
    assert_int_equal(linear->n_states, 2 * n);
    for (int k = 0; k < 2 * n * n; k++) {
        largest = fmax(largest, fabs(right[k]));
        worst = fmax(worst, fabs(right[k] - linear->A[2 * n * n + k]));
    }
    routh_linear_free(linear);
    routh_model_free(model);
    return worst / largest;
}

static void formulas_agree_with_numbers(const numeric_case *c)
{
    routh_model *model = model_of(c->text, NULL, 0);
    const routh_symbolic_options o = {.coordinates = c->states};
    routh_symbolic *s = formulas_of(model, &o);
    uint64_t seed = 12345;
    int n = 0;
    while (c->names[n]) n++;
    for (int round = 0; round < with_effort(50); round++) {
        double values[12];
        for (int k = 0; k < n; k++) values[k] = c->from[k] * uniform(&seed, 0.9, 1.1);
        const double difference = difference_at(c, s, values, n);
        if (!(difference <= 1e-12)) fail_msg("round %d: %.3g", round, difference);
    }
    routh_symbolic_free(s);
    routh_model_free(model);
}

static void random_double_pendulums_agree_with_the_numeric_linearization(void **state)
{
    (void)state;
    static const char *const states[] = {"rod1.x", "rod2.x", NULL};
    formulas_agree_with_numbers(&(numeric_case){
        DOUBLE_PENDULUM, states, {"m1", "m2", "L1", "L2", "g"}, {2, 3, 1, 0.7, 9.81}});
}

static void random_tops_agree_with_the_numeric_linearization(void **state)
{
    (void)state;
    static const char *const states[] = {"hull.x", "hull.y", NULL};
    formulas_agree_with_numbers(
        &(numeric_case){TOP,
                        states,
                        {"m", "h", "A", "C", "B", "l", "g", "spin", "k", "c"},
                        {2, 1.2, 0.4, 0.5, 0.02, 0.4, 9.81, 100, 30, 2}});
}

static void random_held_pendulums_agree_with_the_numeric_linearization(void **state)
{
    (void)state;
    static const char *const states[] = {"bar.rz", "cart.x", NULL};
    formulas_agree_with_numbers(
        &(numeric_case){HELD_PENDULUM,
                        states,
                        {"m", "l", "J", "g", "phi", "free", "ct", "k", "c", "w", "q"},
                        {2, 0.6, 0.3, 9.81, 0.7, 0.2, 0.4, 50, 3, 1.5, 7}});
}

static void random_stretched_springs_agree_with_the_numeric_linearization(void **state)
{
    (void)state;
    static const char *const states[] = {"bar.rz", NULL};
    formulas_agree_with_numbers(&(numeric_case){STRETCHED,
                                                states,
                                                {"m", "l", "a", "g", "phi", "k", "c", "f"},
                                                {2, 0.6, 1.1, 9.81, 0.7, 50, 3, 0.8}});
}

static void random_loaded_bushings_agree_with_the_numeric_linearization(void **state)
{
    (void)state;
    static const char *const states[] = {"box.x",  "box.y",  "box.z", "box.rx",
                                         "box.ry", "box.rz", NULL};
    formulas_agree_with_numbers(
        &(numeric_case){LOADED, states, {"m", "k", "r", "c", "t", "f"}, {2, 50, 7, 0.3, 0.4, 1.5}});
}

/* A rotor that spins freely in a mount that sways: rotations of both are independent coordinates,
 * and those of the rotor are counted from where it would have spun to. */
#define SPINNING                                                                                   \
    "parameters: {M: 20, m: 13, A: 5, C: 8, h: 0.75, spin: 40, k: 900, c: 4, q: 300, d: 2}\n"      \
    "bodies:\n"                                                                                    \
    "  mount: {mass: M, inertia: [3, 4, 2]}\n"                                                     \
    "  rotor: {mass: m, inertia: [A, A, C], position: [0, 0, h], angular_velocity: [0, 0, "        \
    "spin]}\n"                                                                                     \
    "joints: {bearing: {type: revolute, between: [rotor, mount], at: [0, 0, 0], axis: z}}\n"       \
    "loads:\n"                                                                                     \
    "  feet: {type: bushing, between: [mount, ground],\n"                                          \
    "         translation: {stiffness: [k, 2*k, 3*k], damping: c},\n"                              \
    "         rotation: {stiffness: [q, 2*q, q], damping: [c, c, c]}}\n"                           \
    "  drive: {type: torque, on: rotor, reaction_on: mount, components: [0, 0, \"d*(spin - "       \
    "WZ(rotor, "                                                                                   \
    "mount))\"], resolved_in: mount}\n"

static void random_spinning_rotors_agree_with_the_numeric_linearization(void **state)
{
    (void)state;
    static const char *const states[] = {"rotor.x",  "rotor.y",  "mount.z",  "rotor.rx",
                                         "rotor.ry", "rotor.rz", "mount.rz", NULL};
    const numeric_case c = {SPINNING,
                            states,
                            {"M", "m", "A", "C", "h", "spin", "k", "c", "q", "d"},
                            {20, 13, 5, 8, 0.75, 40, 900, 4, 300, 2}};
    formulas_agree_with_numbers(&c);
}

/* A bar on a table that a motor turns faster and faster, while a torque lets the bar go on at the
 * speed that it has: r'' of its centre is then up (0, a) - w^2 (a, l), and m l w^2 a balances it.
 * The second derivative of the angle as driven is in the bar's stiffness. */
#define STARTING                                                                                   \
    "parameters: {m: 2, J: 0.3, a: 0.7, l: 0.4, w: 3, up: 5, k: 60, c: 2}\n"                       \
    "bodies:\n"                                                                                    \
    "  table: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, w]}\n"                        \
    "  bar: {mass: m, inertia: [J, J, J], position: [a, l, 0], velocity: [-w*l, w*a, 0],\n"        \
    "        angular_velocity: [0, 0, w]}\n"                                                       \
    "joints:\n"                                                                                    \
    "  bearing: {type: revolute, between: [table, ground], at: [0, 0, 0], axis: z}\n"              \
    "  motor: {type: motion, joint: bearing, function: w*time + up*time^2/2}\n"                    \
    "  hinge: {type: revolute, between: [bar, table], at: [a, 0, 0], axis: z}\n"                   \
    "loads:\n"                                                                                     \
    "  hold: {type: torsion_spring, between: [bar, table], axis: z, stiffness: k, damping: c}\n"   \
    "  push: {type: torque, on: bar, reaction_on: table,\n"                                        \
    "         components: [0, 0, \"m*w^2*a*l\"]}\n"

static void random_starting_tables_agree_with_the_numeric_linearization(void **state)
{
    (void)state;
    static const char *const states[] = {"bar.rz", NULL};
    formulas_agree_with_numbers(&(numeric_case){STARTING,
                                                states,
                                                {"m", "J", "a", "l", "w", "up", "k", "c"},
                                                {2, 0.3, 0.7, 0.4, 3, 5, 60, 2}});
}

/* A top under loads that use angular velocities about all three axes, and a velocity as it is seen
 * from the body that spins. */
#define MEASURED                                                                                   \
    TOP "  brake: {type: torque, on: hull, components: [\"-0.7*WX(hull) + 0.2*WY(hull)\", "        \
        "\"-0.4*WY(hull)\", \"-0.9*WZ(hull) + 0.3*WX(hull)\"]}\n"                                  \
        "  seen: {type: force, on: wheel, components: "                                            \
        "[\"-0.05*VX(wheel, ground, ground, wheel)\", "                                            \
        "\"-0.03*VY(wheel, ground, ground, wheel)\", 0]}\n"

static void random_measured_tops_agree_with_the_numeric_linearization(void **state)
{
    (void)state;
    static const char *const states[] = {"hull.x", "hull.y", NULL};
    formulas_agree_with_numbers(
        &(numeric_case){MEASURED,
                        states,
                        {"m", "h", "A", "C", "B", "l", "g", "spin", "k", "c"},
                        {2, 1.2, 0.4, 0.5, 0.02, 0.4, 9.81, 100, 30, 2}});
}

/* ---- refusals ------------------------------------------------------------------------------- */

static void refused(const char *text, const routh_symbolic_options *o, routh_status status,
                    const char *words)
{
    routh_model *model = model_of(text, NULL, 0);
    routh_symbolic *s = NULL;
    routh_error error = {0};
    char whole[1500];
    assert_int_equal(routh_symbolic_compute(&s, model, o, &error), status);
    assert_null(s);
    routh_error_text(&error, whole, sizeof whole);
    if (!strstr(whole, words)) fail_msg("no \"%s\" in: %s", words, whole);
    routh_model_free(model);
}

#define PLACED(position, joint)                                                                    \
    "parameters: {l: 1, m: 2}\n"                                                                   \
    "gravity: [0, -9.81, 0]\n"                                                                     \
    "bodies: {bar: {mass: m, inertia: [1, 1, 1], position: " position "}}\n"                       \
    "joints: {hinge: {type: " joint ", between: [bar, ground], at: [0, 0, 0], axis: z}}\n"

static void what_does_not_balance_is_shown_in_symbols(void **state)
{
    (void)state;
    refused(PLACED("[l, 0, 0]", "revolute"), NULL, ROUTH_NO_EQUILIBRIUM, "981*m");
}

static void elements_out_of_the_class_are_named(void **state)
{
    (void)state;
    refused(PLACED("[0, -l, 0]", "revolute") "loads: {f: {type: force, on: bar, components: "
                                             "[exp(DX(bar)) - 1, 0, 0]}}\n",
            NULL, ROUTH_NOT_SUPPORTED, "load 'f': ");
    refused("bodies: {bar: {mass: 1, inertia: [1, 1, 1]}}\n"
            "joints: {nut: {type: screw, between: [bar, ground], at: [0, 0, 0], axis: z, pitch: "
            "0.1}}\n",
            NULL, ROUTH_NOT_SUPPORTED, "joint 'nut': a joint of type screw uses an angle itself");
}

#define COUPLED(joint, ratios)                                                                     \
    "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"               \
    "joints:\n"                                                                                    \
    "  first: {type: " joint ", between: [a, ground], at: [0, 0, 0], axis: z}\n"                   \
    "  second: {type: translational, between: [b, ground], at: [0, 0, 0], axis: z}\n"              \
    "  pair: {type: coupler, joints: [first, second], ratios: " ratios "}\n"

/* The reason that is given is that of the joint: only what has an angle is said to use one. */
static void couplers_of_slides_are_not_said_to_use_angles(void **state)
{
    (void)state;
    refused(COUPLED("translational", "[1, -2]"), NULL, ROUTH_NOT_SUPPORTED,
            "joint 'pair': a joint of type coupler, a relation between coordinates, is not");
    refused(COUPLED("revolute", "[1, -2]"), NULL, ROUTH_NOT_SUPPORTED,
            "joint 'pair': a joint of type coupler uses an angle itself");
}

static void wrong_names_are_refused(void **state)
{
    (void)state;
    static const char *const symbols[] = {"mass", NULL}, *const twice[] = {"bar.x", "bar.rz", NULL};
    static const char *const nothing[] = {"bar.q", NULL}, *const still[] = {"bar.y", NULL};
    refused(PLACED("[0, -l, 0]", "revolute"), &(routh_symbolic_options){.symbols = symbols},
            ROUTH_BAD_ARGUMENT, "no parameter 'mass'");
    refused(PLACED("[0, -l, 0]", "revolute"), &(routh_symbolic_options){.coordinates = twice},
            ROUTH_BAD_ARGUMENT, "'bar.rz' depends on the coordinates");
    refused(PLACED("[0, -l, 0]", "revolute"), &(routh_symbolic_options){.coordinates = nothing},
            ROUTH_BAD_ARGUMENT, "'bar.q' is not a coordinate");
    refused(PLACED("[0, -l, 0]", "revolute"), &(routh_symbolic_options){.coordinates = still},
            ROUTH_BAD_ARGUMENT, "'bar.y' depends on the coordinates");
}

/* FLINT ends the process where it gets no memory. */
static void expressions_that_fill_the_memory_are_refused(void **state)
{
    (void)state;
    static const char *const none[] = {NULL};
#define HEAVY(mass)                                                                                \
    "parameters: {a: 1.234567891, b: 2, c: 3, d: 4, h: 5}\n"                                       \
    "bodies: {bar: {mass: \"" mass "\", inertia: [1, 1, 1]}}\n"                                    \
    "joints: {guide: {type: inline, between: [bar, ground]}}\n"
    refused(HEAVY("(a + b + c + d + h)^60"), NULL, ROUTH_LIMIT_EXCEEDED,
            "body 'bar': an expression has too many terms");
    refused(HEAVY("1e-180*((a^100)^20 + ((1/a)^100)^20)"),
            &(routh_symbolic_options){.symbols = none}, ROUTH_LIMIT_EXCEEDED,
            "body 'bar': an expression has too many terms");
}

/* The sine of the angle that it spins by: at this moment it does not accelerate either. */
static void coordinates_that_spin_along_are_refused(void **state)
{
    (void)state;
    static const char *const spinning[] = {"top.x", "top.y", "top.xy", NULL};
    static const char top[] = "gravity: [0, 0, -9.81]\n"
                              "bodies: {top: {mass: 2, inertia: [0.4, 0.4, 0.3], "
                              "position: [0, 0, 0.25], angular_velocity: [0, 0, 30]}}\n"
                              "joints: {tip: {type: spherical, between: [top, ground], "
                              "at: [0, 0, 0]}}\n";
    refused(top, &(routh_symbolic_options){.coordinates = spinning}, ROUTH_NO_EQUILIBRIUM,
            "not steady in the coordinates top.xy");
}

static int skip_without_flint(void)
{
    routh_model *model;
    routh_symbolic *s = NULL;
    routh_error error = {0};
    const char *text = PLACED("[0, -l, 0]", "revolute");
    if (routh_model_parse(&model, text, strlen(text), "model.yaml", NULL, 0, &error)) return 0;
    const routh_status status = routh_symbolic_compute(&s, model, NULL, &error);
    routh_symbolic_free(s);
    routh_model_free(model);
    if (status != ROUTH_NOT_SUPPORTED || !strstr(error.message, "FLINT")) return 0;
    print_message("skipped: %s\n", error.message);
    return 77;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_double_pendulum_has_the_known_closed_form),
        cmocka_unit_test(the_spring_pendulum_has_the_known_closed_form),
        cmocka_unit_test(a_top_has_the_known_closed_form),
        cmocka_unit_test(random_double_pendulums_agree_with_the_numeric_linearization),
        cmocka_unit_test(random_tops_agree_with_the_numeric_linearization),
        cmocka_unit_test(random_held_pendulums_agree_with_the_numeric_linearization),
        cmocka_unit_test(random_stretched_springs_agree_with_the_numeric_linearization),
        cmocka_unit_test(random_loaded_bushings_agree_with_the_numeric_linearization),
        cmocka_unit_test(random_spinning_rotors_agree_with_the_numeric_linearization),
        cmocka_unit_test(random_starting_tables_agree_with_the_numeric_linearization),
        cmocka_unit_test(random_measured_tops_agree_with_the_numeric_linearization),
        cmocka_unit_test(what_does_not_balance_is_shown_in_symbols),
        cmocka_unit_test(elements_out_of_the_class_are_named),
        cmocka_unit_test(couplers_of_slides_are_not_said_to_use_angles),
        cmocka_unit_test(wrong_names_are_refused),
        cmocka_unit_test(expressions_that_fill_the_memory_are_refused),
        cmocka_unit_test(coordinates_that_spin_along_are_refused),
    };
    const int skip = skip_without_flint();
    return skip ? skip : cmocka_run_group_tests(tests, NULL, NULL);
}
