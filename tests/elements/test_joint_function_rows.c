/* Joints whose rows are functions of measures: which rows hold velocities only, what they are,
 * written out with plain vectors, and joints that touch too many markers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/effort.h"
#include "support/mechanisms.h"

static const char bodies[] =
    "bodies:\n"
    "  a: {mass: 1, inertia: [1, 1, 1], position: [0.1, 0.2, 0.3]}\n"
    "  b: {mass: 1, inertia: [1, 1, 1], position: [0.5, -0.3, 0.6], orientation: {rpy: [0.1, -0.2, "
    "0.15]}}\n";

static void make(test_mechanism *t, const char *joints)
{
    growing_text text = {0};
    text_add(&text, "%s%s", bodies, joints);
    mechanism_make(t, text.bytes);
    free(text.bytes);
}

static void rows_of_positions_come_before_those_of_velocities(void **state)
{
    (void)state;
    static const rt_row_kind kinds[] = {RT_ROW_EXPRESSION, RT_ROW_RATES, RT_ROW_RATES};
    static const char *const labels[] = {"contact", "no slip along x", "no slip along y"};
    test_mechanism t;
    make(&t, "markers: {axle: {body: b, orientation: {rpy: [1.4, 0, 0]}}}\n"
             "joints:\n"
             "  h: {type: revolute, between: [a, b]}\n"
             "  x: {type: rolling, between: [axle, ground], radius: 0.5}\n"
             "  y: {type: nonholonomic, expressions: [\"VX(a, b, b) - time\"]}\n");
    assert_int_equal(rt_joint_count_rows(&t.model->joints[1]), 3);
    assert_int_equal(rt_joint_count_rows(&t.model->joints[2]), 1);
    const rt_constraint *c = &t.m->constraints[1].constraint;
    assert_int_equal(c->n_rows, 3);
    assert_int_equal(c->n_frames, 1);
    assert_int_equal(t.m->constraints[2].constraint.n_frames, 2);
    assert_int_equal(t.m->n_nonholonomic, 3);
    for (int r = 0; r < 3; r++) {
        assert_int_equal(c->rows[r].kind, kinds[r]);
        assert_string_equal(c->rows[r].label, labels[r]);
        assert_true(t.m->nonholonomic[c->first_row + r] == (r > 0));
    }
    assert_true(t.m->nonholonomic[8]);
    for (int r = 0; r < 5; r++) assert_false(t.m->nonholonomic[r]);
    mechanism_release(&t);
}

static void rows_written_out(void **state)
{
    (void)state;
    random_stream random = {111};
    test_mechanism t;
    routh_error error;
    make(&t, "joints:\n"
             "  h: {type: revolute, between: [a, b]}\n"
             "  x: {type: nonholonomic, expressions: [\"VX(a, b, b) - time\", "
             "\"WZ(a)*DY(b) - 2*VZ(b)\"]}\n"
             "  y: {type: knife_edge, between: [a, b]}\n");
    for (int k = 0; k < with_effort(N_RANDOM_STATES); k++) {
        double xi[12];
        random_reals(&random, 12, xi);
        memcpy(t.state->q, t.m->start_q, (size_t)t.m->n_q * sizeof *xi);
        t.m->set->advance(2, t.state->q, xi);
        random_reals(&random, 12, t.state->u);
        t.state->t = random_real(&random);
        assert_int_equal(rt_evaluate(t.m, t.w, t.state, RT_EVALUATE_PHI, &error), ROUTH_OK);
        const rt_frame *a = &t.w->bodies[0], *b = &t.w->bodies[1];
        double v[3], d[3], x[3], y[3];
        rt_v3_sub(v, a->v, b->v);
        rt_v3_sub(d, a->r, b->r);
        rt_m3_column(x, b->A, 0);
        rt_m3_column(y, a->A, 1);
        const double *value = t.w->phi[0] + 5, *rate = t.w->phi[1] + 5;
        for (int r = 0; r < 3; r++) assert_true(value[r] == 0);
        assert_true(fabs(rate[0] - (rt_v3_dot(v, x) - t.state->t)) < 1e-14);
        assert_true(fabs(rate[1] - (a->w[2] * b->r[1] - 2 * b->v[2])) < 1e-14);
        /* as seen from the body b */
        double turned[3];
        rt_v3_cross(turned, b->w, d);
        rt_v3_sub(v, v, turned);
        assert_true(fabs(rate[2] - rt_v3_dot(v, y)) < 1e-14);
    }
    mechanism_release(&t);
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
        text_add(&text, "joints:\n  x: {type: nonholonomic, expressions: [\"");
        add_markers(&text, "%sVX(m%d)", 0, 9);
        text_add(&text, "\", \"");
        add_markers(&text, "%sVY(m%d)", 9, 9 + n_second);
        text_add(&text, "\"]}\n");
        if (routh_model_parse(&model, text.bytes, text.length, "test", NULL, 0, &error))
            fail_msg("%s", error.message);
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
