/* Routh's conditions and their chart against closed forms. */
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
#include "support/json_text.h"

/* A disc in a plane, m x'' + c x' + k x + q y = 0, m y'' + c y' + k y - q x = 0, is asymptotically
 * stable where m c > 0, m k > 0 and k c^2 > m q^2. */
#define DISC                                                                                       \
    "parameters: {m: 2, c: 0.5, k: 4, q: 0.3}\n"                                                   \
    "bodies: {disc: {mass: m, inertia: [1, 1, 1]}}\n"                                              \
    "joints:\n"                                                                                    \
    "  plane: {type: inplane, between: [disc, ground], axis: z}\n"                                 \
    "  upright: {type: orientation, between: [disc, ground], at: [0, 0, 0]}\n"                     \
    "loads:\n"                                                                                     \
    "  mount: {type: bushing, between: [disc, ground],\n"                                          \
    "          translation: {stiffness: [k, k, 0], damping: [c, c, 0]}}\n"                         \
    "  whirl: {type: force, on: disc, components: [-q*DY(disc), q*DX(disc), 0]}\n"

static routh_model *model; /* what is under test lives in it */

static routh_symbolic *formulas_of(const char *text, const char *const *symbols)
{
    routh_symbolic *s = NULL;
    routh_error error = {0};
    const routh_symbolic_options o = {.symbols = symbols, .stability = 1};
    if (routh_model_parse(&model, text, strlen(text), "model.yaml", NULL, 0, &error) ||
        routh_symbolic_compute(&s, model, &o, &error))
        fail_msg("%s", error.message);
    return s;
}

/* A sum of products of m, c, k, q with whole coefficients: what the writer makes of them. */
static double sum_at(const char **at, const double *v);

static double factor_at(const char **at, const double *v)
{
    double x;
    if (**at == '(') {
        ++*at;
        x = sum_at(at, v);
        ++*at;
    } else if (**at >= '0' && **at <= '9')
        x = strtod(*at, (char **)at);
    else
        x = v[strchr("mckq", *(*at)++) - "mckq"];
    if (**at == '^') {
        ++*at;
        x = pow(x, strtod(*at, (char **)at));
    }
    return x;
}

static double product_at(const char **at, const double *v)
{
    const int sign = **at == '-' ? (++*at, -1) : 1;
    double x = sign * factor_at(at, v);
    while (**at == '*') ++*at, x *= factor_at(at, v);
    return x;
}

static double sum_at(const char **at, const double *v)
{
    double x = product_at(at, v);
    while (**at == ' ') {
        const int sign = (*at)[1] == '-' ? -1 : 1;
        *at += 3;
        x += sign * product_at(at, v);
    }
    return x;
}

/* What the conditions say at random values against what is right there. */
static void compare(const char *yaml, bool (*is_right)(const double *v), const double shift[4])
{
    routh_symbolic *s = formulas_of(yaml, NULL);
    routh_text text;
    uint64_t seed = 99;
    assert_int_equal(routh_symbolic_write(s, ROUTH_NOTATION_JSON, &text, NULL), ROUTH_OK);
    json_t *json = sample_json(&text);
    const json_t *positive = json_object_get(json_object_get(json, "stability"), "positive");
    int stable = 0;
    for (int round = 0; round < 2000; round++) {
        double v[4];
        bool all = true;
        for (int k = 0; k < 4; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            v[k] = (double)(seed >> 11) / 4503599627370496.0 - shift[k];
        }
        for (size_t k = 0; k < json_array_size(positive); k++) {
            const char *at = json_string_value(json_array_get(positive, k));
            all &= sum_at(&at, v) > 0;
            assert_int_equal(*at, 0);
        }
        assert_int_equal(all, is_right(v));
        stable += all;
    }
    assert_in_range(stable, 200, 1800);
    json_decref(json);
    routh_text_free(&text);
    routh_symbolic_free(s);
    routh_model_free(model);
}

static bool disc_is_stable(const double *v)
{
    return v[0] * v[1] > 0 && v[0] * v[2] > 0 && v[2] * v[1] * v[1] / v[0] > v[3] * v[3];
}

static void conditions_are_those_of_the_closed_form(void **state)
{
    (void)state;
    compare(DISC, disc_is_stable, (const double[4]){0.3, 0.3, 0.3, 1});
}

/* Three springs and two masses in a row, q and 1, without damping: bounded where K is positive
 * definite, for positive masses. */
#define ROW                                                                                        \
    "parameters: {m: 2, c: 3, k: 4, q: 1}\n"                                                       \
    "bodies:\n"                                                                                    \
    "  a: {mass: q, inertia: [1, 1, 1]}\n"                                                         \
    "  b: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}\n"                                    \
    "joints:\n"                                                                                    \
    "  on_a: {type: translational, between: [a, ground], at: [0, 0, 0], axis: x}\n"                \
    "  on_b: {type: translational, between: [b, ground], at: [1, 0, 0], axis: x}\n"                \
    "loads:\n"                                                                                     \
    "  left: {type: force, on: a, components: [-m*DX(a), 0, 0]}\n"                                 \
    "  middle: {type: spring, between: [a, b], stiffness: c}\n"                                    \
    "  right: {type: force, on: b, components: [-k*(DX(b) - 1), 0, 0]}\n"

static bool row_is_bounded(const double *v)
{
    return v[0] + v[1] > 0 && (v[0] + v[1]) * (v[1] + v[2]) > v[1] * v[1];
}

static void undamped_motion_is_bounded_where_stiffness_is_positive(void **state)
{
    (void)state;
    compare(ROW, row_is_bounded, (const double[4]){0.6, 0.6, 0.6, -0.1});
}

/* Flutter at q = c sqrt(k/m), and c = 0. */
static void a_chart_has_exact_boundaries(void **state)
{
    (void)state;
    static const char *const symbols[] = {"c", "q", NULL};
    const routh_chart_axis axes[2] = {{"c", -0.5, 2}, {"q", -3, 3}};
    routh_symbolic *s = formulas_of(DISC, symbols);
    routh_stability_chart *chart;
    routh_error error = {0};
    if (routh_stability_chart_find(&chart, s, axes, 40, &error)) fail_msg("%s", error.message);
    assert_in_range(chart->n_pieces, 60, 200);
    for (int k = 0; k < chart->n_pieces; k++)
        for (int end = 0; end < 2; end++) {
            const double *at = end ? chart->pieces[k].to : chart->pieces[k].from;
            assert_true(fabs(fabs(at[1]) - sqrt(2) * at[0]) <= 1e-14);
        }
    for (int i = 0; i <= 40; i++)
        for (int j = 0; j <= 40; j++) {
            const double c = -0.5 + 2.5 * j / 40, q = -3 + 6.0 * i / 40;
            assert_int_equal(chart->stable[41 * i + j], c > 0 && 2 * c * c > q * q);
        }
    routh_text text;
    assert_int_equal(routh_stability_chart_svg(chart, &text, &error), ROUTH_OK);
    assert_non_null(strstr(text.bytes, "shaded: asymptotically stable"));
    routh_text_free(&text);
    routh_stability_chart_free(chart);
    const routh_chart_axis wrong[2] = {{"c", 0, 1}, {"m", 0, 1}},
                           back[2] = {{"c", 0, 1}, {"q", 1, 0}};
    assert_int_equal(routh_stability_chart_find(&chart, s, wrong, 40, &error), ROUTH_BAD_ARGUMENT);
    assert_int_equal(routh_stability_chart_find(&chart, s, back, 40, &error), ROUTH_BAD_ARGUMENT);
    assert_null(chart);
    routh_symbolic_free(s);
    routh_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions_are_those_of_the_closed_form),
        cmocka_unit_test(undamped_motion_is_bounded_where_stiffness_is_positive),
        cmocka_unit_test(a_chart_has_exact_boundaries),
    };
    routh_symbolic *s = NULL;
    routh_error error = {0};
    if (routh_model_parse(&model, DISC, strlen(DISC), "model.yaml", NULL, 0, &error)) return 1;
    const routh_status status = routh_symbolic_compute(&s, model, NULL, &error);
    routh_symbolic_free(s);
    routh_model_free(model);
    if (status == ROUTH_NOT_SUPPORTED) {
        print_message("skipped: %s\n", error.message);
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
