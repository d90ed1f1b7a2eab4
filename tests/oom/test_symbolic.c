/* The N-th allocation of ours fails, for every N, of formulas, certificates and charts, and all
 * that is written of them. FLINT's own are not refused: it would end the process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "oom/refuse.h"
#include "routh/routh.h"

/* A root, a torsion spring, a function, an angle that the equilibrium fixes. */
static const char held[] =
    "parameters: {m: 2, l: 0.6, phi: 0.7, k: 50}\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  bar: {mass: m, inertia: [0.1, 0.1, 0.1], position: [-l*sin(phi), l*cos(phi), 0],\n"
    "        orientation: {axis: [0, 0, 1], angle: phi}}\n"
    "markers: {wall: {body: ground, position: [1, 0, 0]}}\n"
    "joints: {hinge: {type: revolute, between: [bar, ground], at: [0, 0, 0], axis: z}}\n"
    "loads:\n"
    "  rub: {type: torsion_spring, between: [bar, ground], axis: z, damping: 0.2}\n"
    "  link: {type: spring, between: [bar, wall], stiffness: k, free_length: 1}\n"
    "  drag: {type: force, on: bar, components: [-VX(bar), 0, 0]}\n";

static const char disc[] =
    "parameters: {c: 0.5, q: 0.3}\n"
    "bodies: {disc: {mass: 2, inertia: [1, 1, 1]}}\n"
    "joints:\n"
    "  plane: {type: inplane, between: [disc, ground], axis: z}\n"
    "  upright: {type: orientation, between: [disc, ground], at: [0, 0, 0]}\n"
    "loads:\n"
    "  mount: {type: bushing, between: [disc, ground],\n"
    "          translation: {stiffness: [4, 4, 0], damping: [c, c, 0]}}\n"
    "  whirl: {type: force, on: disc, components: [-q*DY(disc), q*DX(disc), 0]}\n";

typedef routh_status (*maker)(const routh_model *model, double *answer, routh_error *error);

static routh_status formulas(const routh_model *model, double *answer, routh_error *error)
{
    static const char *const unknowns[] = {"phi", NULL};
    const routh_symbolic_options o = {.unknowns = unknowns, .stability = 1};
    routh_symbolic *s;
    double C, K;
    routh_status status = routh_symbolic_compute(&s, model, &o, error);
    assert_true((s == NULL) == (status != ROUTH_OK));
    for (int k = ROUTH_NOTATION_TEXT; k <= ROUTH_NOTATION_MODELICA && !status; k++) {
        routh_text text;
        status = routh_symbolic_write(s, (routh_notation)k, &text, error);
        if (!status) routh_text_free(&text);
        if (!status) status = routh_symbolic_write_state_space(s, (routh_notation)k, &text, error);
        if (!status) routh_text_free(&text);
    }
    if (!status) status = routh_symbolic_evaluate(s, NULL, NULL, 0, answer, &C, &K, error);
    routh_symbolic_free(s);
    return status;
}

static routh_status certificate(const routh_model *model, double *answer, routh_error *error)
{
    static const char *const unknowns[] = {"phi", NULL};
    routh_certificate *c;
    routh_text text;
    routh_status status = routh_certificate_compute(&c, model, unknowns, 20, error);
    assert_true((c == NULL) == (status != ROUTH_OK));
    if (!status) status = routh_certificate_table(c, &text, error);
    if (!status) routh_text_free(&text);
    if (!status) status = routh_certificate_json(c, &text, error);
    if (!status) routh_text_free(&text);
    if (!status) *answer = c->eigenvalues[0].value[0];
    routh_certificate_free(c);
    return status;
}

static routh_status chart(const routh_model *model, double *answer, routh_error *error)
{
    const routh_symbolic_options o = {.stability = 1};
    const routh_chart_axis axes[2] = {{"c", 0.1, 2}, {"q", -3, 3}};
    routh_symbolic *s;
    routh_stability_chart *found = NULL;
    routh_text text;
    routh_status status = routh_symbolic_compute(&s, model, &o, error);
    if (!status) status = routh_stability_chart_find(&found, s, axes, 6, error);
    if (!status) status = routh_stability_chart_svg(found, &text, error);
    if (!status) routh_text_free(&text);
    if (!status) *answer = found->n_pieces;
    routh_stability_chart_free(found);
    routh_symbolic_free(s);
    return status;
}

static void refuse_all(const char *yaml, maker make)
{
    routh_model *model;
    routh_error error = {0};
    double right, answer;
    assert_int_equal(routh_model_parse(&model, yaml, strlen(yaml), "m", NULL, 0, &error), ROUTH_OK);
    start(0, false);
    assert_int_equal(make(model, &right, &error), ROUTH_OK);
    const long n = n_asked;
    assert_true(n > 50);
    catch_output();
    for (long refused = 1; refused <= n; refused = next_allocation(refused))
        for (int after = 0; after < 2; after++) {
            start(refused, after);
            const routh_status status = make(model, &answer, &error);
            const long met = n_refused;
            start(0, false);
            assert_true(met > 0);
            assert_true(status == ROUTH_OUT_OF_MEMORY || (status == ROUTH_OK && answer == right));
        }
    assert_silence();
    routh_model_free(model);
}

static void formulas_are_refused_each_allocation(void **state)
{
    (void)state;
    refuse_all(held, formulas);
}

static void certificates_are_refused_each_allocation(void **state)
{
    (void)state;
    refuse_all(held, certificate);
}

static void charts_are_refused_each_allocation(void **state)
{
    (void)state;
    refuse_all(disc, chart);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas_are_refused_each_allocation),
        cmocka_unit_test(certificates_are_refused_each_allocation),
        cmocka_unit_test(charts_are_refused_each_allocation),
    };
    routh_model *model;
    routh_symbolic *s;
    routh_error error = {0};
    if (routh_model_parse(&model, disc, strlen(disc), "m", NULL, 0, &error)) return 1;
    const routh_status status = routh_symbolic_compute(&s, model, NULL, &error);
    routh_symbolic_free(s);
    routh_model_free(model);
    if (status == ROUTH_NOT_SUPPORTED) {
        print_message("skipped: %s\n", error.message);
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
