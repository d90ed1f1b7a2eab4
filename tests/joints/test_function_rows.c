/* Joints whose rows are functions of measures: which rows hold velocities only, what they are,
 * written out with plain vectors, and joints that touch too many markers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/mechanisms.h"
#include "support/nonholonomic.h"

static const char bodies[] =
    "bodies:\n"
    "  a: {mass: 1, inertia: [1, 1, 1], position: [0.1, 0.2, 0.3]}\n"
    "  b: {mass: 1, inertia: [1, 1, 1], position: [0.5, -0.3, 0.6], orientation: {rpy: [0.1, -0.2, "
    "0.15]}}\n";

static void function_joint(growing_text *text, const char *first, const char *second,
                           const char *third)
{
    text_add(text,
             "%sjoints:\n"
             "  h: {type: revolute, between: [a, b]}\n"
             "  x: {type: expression, expression: DX(a)}\n"
             "loads: {x_rows: {type: force, on: a, components: [\"%s\", \"%s\", \"%s\"]}}\n",
             bodies, first, second, third);
}

static void rows_of_positions_come_before_those_of_velocities(void **state)
{
    (void)state;
    static const rt_row_kind kinds[] = {RT_ROW_EXPRESSION, RT_ROW_RATES, RT_ROW_RATES};
    static const char *const labels[] = {"first row", "second row", "third row"};
    growing_text text = {0};
    test_mechanism t;
    function_joint(&text, "DX(a, b) - 0.3", "VX(a, b, b) - time", "WZ(a)*DY(b) - 2*VZ(b)");
    mechanism_make(&t, text.bytes);
    assert_int_equal(rt_joint_count_rows(&t.model->joints[1]), 3);
    const rt_constraint *c = &t.m->constraints[1].constraint;
    assert_int_equal(c->n_rows, 3);
    assert_int_equal(c->n_frames, 2);
    assert_int_equal(t.m->n_nonholonomic, 2);
    for (int r = 0; r < 3; r++) {
        assert_int_equal(c->rows[r].kind, kinds[r]);
        assert_string_equal(c->rows[r].label, labels[r]);
        assert_true(t.m->nonholonomic[c->first_row + r] == (r > 0));
    }
    for (int r = 0; r < 5; r++) assert_false(t.m->nonholonomic[r]);
    mechanism_release(&t);
    free(text.bytes);
}

static void rows_written_out(void **state)
{
    (void)state;
    random_stream random = {111};
    growing_text text = {0};
    test_mechanism t;
    routh_error error;
    function_joint(&text, "DX(a, b) - 0.3", "VX(a, b, b) - time", "WZ(a)*DY(b) - 2*VZ(b)");
    mechanism_make(&t, text.bytes);
    for (int k = 0; k < with_effort(N_RANDOM_STATES); k++) {
        double xi[12];
        random_reals(&random, 12, xi);
        memcpy(t.state->q, t.m->start_q, (size_t)t.m->n_q * sizeof *xi);
        t.m->set->advance(2, t.state->q, xi);
        random_reals(&random, 12, t.state->u);
        t.state->t = random_real(&random);
        assert_int_equal(rt_evaluate(t.m, t.w, t.state, RT_EVALUATE_PHI, &error), ROUTH_OK);
        const rt_frame *a = &t.w->bodies[0], *b = &t.w->bodies[1];
        double v[3], x[3];
        rt_v3_sub(v, a->v, b->v);
        rt_m3_column(x, b->A, 0);
        const double *value = t.w->phi[0] + 5, *rate = t.w->phi[1] + 5;
        assert_true(fabs(value[0] - (a->r[0] - b->r[0] - 0.3)) < 1e-14);
        assert_true(value[1] == 0 && value[2] == 0);
        assert_true(fabs(rate[1] - (rt_v3_dot(v, x) - t.state->t)) < 1e-14);
        assert_true(fabs(rate[2] - (a->w[2] * b->r[1] - 2 * b->v[2])) < 1e-14);
    }
    mechanism_release(&t);
    free(text.bytes);
}

static void add_markers(growing_text *text, const char *format, int from, int to)
{
    for (int k = from; k < to; k++) text_add(text, format, k > from ? " + " : "", k);
}

/* Each row alone touches few enough; together they do not. */
static void too_many_markers_are_refused(void **state)
{
    (void)state;
    for (int n_second = 7; n_second <= 8; n_second++) {
        growing_text text = {0};
        routh_model *model;
        routh_mechanism *m;
        routh_error error;
        text_add(&text, "%smarkers:\n", bodies);
        for (int k = 0; k < 17; k++)
            text_add(&text, "  m%d: {body: a, position: [%d, 0, 1]}\n", k, k);
        text_add(&text, "joints:\n  x: {type: expression, expression: DX(a)}\n"
                        "loads:\n  x_rows: {type: force, on: a, components: [\"");
        add_markers(&text, "%sVX(m%d)", 0, 9);
        text_add(&text, "\", \"");
        add_markers(&text, "%sVY(m%d)", 9, 9 + n_second);
        text_add(&text, "\", \"0\"]}\n");
        if (routh_model_parse(&model, text.bytes, text.length, "test", NULL, 0, &error))
            fail_msg("%s", error.message);
        nonholonomic_from_loads(model);
        const routh_status status = routh_mechanism_compile(&m, model, NULL, &error);
        assert_int_equal(status, n_second == 7 ? ROUTH_OK : ROUTH_LIMIT_EXCEEDED);
        if (status) assert_string_equal(error.element, "joint x");
        if (status) assert_non_null(strstr(error.message, "16 markers"));
        if (!status) routh_mechanism_free(m);
        routh_model_free(model);
        free(text.bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_positions_come_before_those_of_velocities),
        cmocka_unit_test(rows_written_out),
        cmocka_unit_test(too_many_markers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
