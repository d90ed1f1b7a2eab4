/* A blade of flexible segments against the same sections as one geometrically exact beam: two
 * descriptions that share neither shapes nor the way in which rotation stiffens. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "routh/routh.h"
#include "support/effort.h"

/* In the order of frequencies, lag and flap of the rigid blade first. */
enum { N_FREQUENCIES = 6, MOST = 500 };

typedef struct spectrum {
    double hertz[N_FREQUENCIES];
} spectrum;

static void check(routh_status status, const routh_error *error)
{
    if (status) fail_msg("%s: %s", error->element, error->message);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Without damping. */
static routh_model *blade_of(const char *kind, int segments, int elements, const char *modes,
                             const char *rpm)
{
    char n[20], e[20];
    snprintf(n, sizeof n, "%d", segments);
    snprintf(e, sizeof e, "%d", elements);
    const routh_setting settings[] = {
        {"blade", kind}, {"segments", n}, {"elements", e}, {"modes", modes}, {"rpm", rpm}};
    const routh_setting none[] = {{"ratio", "0"}, {"lag_damper", "0"}};
    routh_text text = {0};
    routh_model *model = NULL;
    routh_error error = {0};
    check(routh_template_write("blade-segments", settings, 5, &text, &error), &error);
    check(routh_model_parse(&model, text.bytes, text.length, "blade", none, 2, &error), &error);
    routh_text_free(&text);
    return model;
}

/* The lowest frequencies above zero. */
static spectrum spectrum_of(const char *kind, int segments, int elements, const char *modes,
                            const char *rpm)
{
    double omega[MOST];
    int n = 0;
    routh_model *model = blade_of(kind, segments, elements, modes, rpm);
    routh_mechanism *mechanism = NULL;
    routh_operating_point *point = NULL;
    routh_linear *linear = NULL;
    routh_modes *found = NULL;
    routh_error error = {0};
    check(routh_mechanism_compile(&mechanism, model, "absolute", &error), &error);
    check(routh_operating_point_find(&point, mechanism, NULL, &error), &error);
    check(routh_linear_compute(&linear, mechanism, point, NULL, &error), &error);
    check(routh_modes_compute(&found, linear, &error), &error);
    for (int k = 0; k < found->n; k++)
        if (found->modes[k].eigenvalue[1] > 0 && n < MOST)
            omega[n++] = found->modes[k].eigenvalue[1];
    qsort(omega, (size_t)n, sizeof *omega, ascending);
    assert_true(n >= N_FREQUENCIES);
    spectrum s;
    for (int k = 0; k < N_FREQUENCIES; k++) s.hertz[k] = omega[k] / (8 * atan(1));
    routh_modes_free(found);
    routh_linear_free(linear);
    routh_operating_point_free(point);
    routh_mechanism_free(mechanism);
    routh_model_free(model);
    return s;
}

/* At rest segments lie above (Rayleigh and Ritz), beams with their masses at nodes below: what is
 * right lies between. The gap is of the second power of the length of elements where the blade
 * twists, of a higher one where it bends. */
static void at_rest_both_close_in_on_the_same_frequencies(void **state)
{
    (void)state;
    spectrum gap[2];
    for (int k = 0; k < 2; k++) {
        const spectrum segments = spectrum_of("modal", 4, 2 << k, "0", "0");
        const spectrum exact = spectrum_of("exact", 4, 2 << k, "0", "0");
        for (int i = 0; i < N_FREQUENCIES; i++)
            gap[k].hertz[i] = segments.hertz[i] / exact.hertz[i] - 1;
    }
    for (int i = 0; i < N_FREQUENCIES; i++) {
        const double coarse = gap[0].hertz[i], fine = gap[1].hertz[i];
        print_message("at rest, %d: gap %.2e, order %.2f\n", i + 1, fine, log2(coarse / fine));
        if (!(fine > 0 && coarse > pow(2, 1.9) * fine && fine < 2e-3))
            fail_msg("mode %d: gaps %g and %g", i + 1, coarse, fine);
    }
}

/* Every mode that a segment is given lowers all frequencies: each space of shapes holds the one
 * before. */
static void at_rest_every_further_mode_lowers_the_frequencies(void **state)
{
    (void)state;
    static const char *const modes[] = {"6", "9", "10", "12"};
    spectrum last = {{0}};
    for (int k = 0; k < 4; k++) {
        const spectrum s = spectrum_of("modal", 4, 2, modes[k], "0");
        for (int i = 0; k && i < N_FREQUENCIES; i++)
            if (!(s.hertz[i] < last.hertz[i] * (1 + 1e-9)))
                fail_msg("mode %d: %.9g Hz with %s modes, %.9g before", i + 1, s.hertz[i], modes[k],
                         last.hertz[i]);
        last = s;
    }
    /* all of them are the finite elements: the same without a number */
    const spectrum all = spectrum_of("modal", 4, 2, "0", "0");
    for (int i = 0; i < N_FREQUENCIES; i++)
        assert_true(fabs(all.hertz[i] / last.hertz[i] - 1) < 1e-9);
}

/* Roots of tan x = tanh x, of a hinged beam: how many radians of its waves lie on the span. */
static const double waves[N_FREQUENCIES] = {3.9266, 3.9266, 3.9266, 3.9266, 7.0686, 10.2102};

static void rotating_errors(int segments, double error[N_FREQUENCIES])
{
    const spectrum found = spectrum_of("modal", segments, 2, "0", "660");
    const spectrum coarse = spectrum_of("exact", segments, 2, "0", "660");
    const spectrum fine = spectrum_of("exact", segments, 4, "0", "660");
    for (int i = 0; i < N_FREQUENCIES; i++) {
        const double limit = fine.hertz[i] + (fine.hertz[i] - coarse.hertz[i]) / 3;
        error[i] = found.hertz[i] / limit - 1;
        print_message("660 rpm, %d segments, %d: %.6g Hz, error %.2e\n", segments, i + 1,
                      found.hertz[i], error[i]);
        /* too soft, by at most (k l)^2/24, if the tension were all that holds a wave of k */
        assert_true(error[i] < 0 && -error[i] < pow(waves[i] / segments, 2) / 24);
    }
}

/* At 660 rpm a segment does not know its own tension, only the chain of frames does. What is
 * missing, 1/2 int N (v' - mean of v')^2, is (k l)^2/12 of the tension's energy in waves of k, l
 * the length of a segment: of the second power. The beam is extrapolated by its own second
 * order. The third bending wants more than four segments to come to that. */
static void rotating_segments_converge_with_the_second_power(void **state)
{
    (void)state;
    const bool long_one = full_effort();
    double error[3][N_FREQUENCIES];
    for (int k = 0; k < 2 + long_one; k++) rotating_errors(4 << k, error[k]);
    for (int i = 0; i < (long_one ? N_FREQUENCIES : 5); i++) {
        const double order = log2(error[long_one][i] / error[1 + long_one][i]);
        if (!(order > 1.9)) fail_msg("frequency %d: order %g", i + 1, order);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_rest_both_close_in_on_the_same_frequencies),
        cmocka_unit_test(at_rest_every_further_mode_lowers_the_frequencies),
        cmocka_unit_test(rotating_segments_converge_with_the_second_power),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
