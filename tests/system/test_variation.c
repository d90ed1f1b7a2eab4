/* The equations evaluated with numbers that carry a derivative, against differences of the same
 * equations of the model read anew with the parameter changed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/mechanisms.h"
#include "system/variation.h"

static const char model_text[] =
    "parameters: {m: 2, a: 0.7, k: 30, c: 0.4, l: 1.2, t: 0.3, mm: m*a + 1, w: 0.9}\n"
    "gravity: [0.1*a, 0, -9.81]\n"
    "bodies:\n"
    "  b: {mass: mm, inertia: [a, 2*a, 0.4 + m*a/2], position: [l*cos(t), 0.2, -l*sin(t)],\n"
    "      orientation: {axis: [0, 1, 0], angle: t}, velocity: [w, 0.1, 0.2],\n"
    "      angular_velocity: [0.3, w, 0.1]}\n"
    "  d: {mass: m, inertia: [1, 1, a], position: [2*l, 0.1, -1]}\n"
    "markers:\n"
    "  p: {body: b, position: [-l, a^2, 0.1], orientation: {rpy: [a, 0.2, t]}}\n"
    "  q: {body: d, position: [0.1, a, exp(-a)]}\n"
    "  o: {body: ground, position: [0, 0.2*l, 0]}\n"
    "joints:\n"
    "  h: {type: universal, between: [p, o]}\n"
    "  r: {type: rod, between: [d, p], length: 1 + l}\n"
    "loads:\n"
    "  s: {type: spring, between: [p, q], stiffness: k, damping: c*a}\n"
    "  u: {type: bushing, between: [q, o], translation: {stiffness: [k, k, 2*k], damping: c},\n"
    "      rotation: {stiffness: [1, a, 1], damping: [0, c, 1]}, preload: [a, 0, 0, 0, 0, 0]}\n"
    "  f:\n"
    "      type: force\n"
    "      on: q\n"
    "      reaction_on: p\n"
    "      resolved_in: p\n"
    "      components:\n"
    "        - k*sin(a*DX(q, p))\n"
    "        - c*VM(q, o)^2\n"
    "        - atan2(m, DM(q, p))\n";

typedef struct values {
    double *x[RT_VARIED_ARRAYS];
    int n[RT_VARIED_ARRAYS];
} values;

static void take(const routh_mechanism *m, const rt_workspace *w, values *v)
{
    const int n_K = m->pattern_K.start[m->n_u], n_G = m->pattern_G.start[m->n_u];
    double *from[RT_VARIED_ARRAYS] = {w->residual, w->phi[0], w->phi[1], w->phi[2], w->M,  w->K,
                                      w->D,        w->G,      w->Vx,     w->Au,     w->Ax, w->L};
    const int n[RT_VARIED_ARRAYS] = {m->n_u, m->n_rows, m->n_rows, m->n_rows,
                                     m->pattern_M.start[m->n_u], n_K, n_K, n_G, n_G, n_G, n_G,
                                     rt_count_L(m)};
    for (int k = 0; k < RT_VARIED_ARRAYS; k++) {
        v->n[k] = n[k];
        v->x[k] = calloc((size_t)n[k] + 1, sizeof(double));
        if (n[k]) memcpy(v->x[k], from[k], (size_t)n[k] * sizeof(double));
    }
}

static void drop(values *v)
{
    for (int k = 0; k < RT_VARIED_ARRAYS; k++) free(v->x[k]);
}

/* A state that is none of the model's own, moved by s along the change. */
static void set_state(const routh_mechanism *m, rt_state *state, const double *by, double s)
{
    double xi[64];
    for (int c = 0; c < m->n_u; c++) {
        xi[c] = 0.01 * sin(c + 1.0);
        state->u[c] = 0.3 * cos(c) + s * by[m->n_u + c];
        state->udot[c] = 0.2 * sin(3.0 * c) + s * by[2 * m->n_u + c];
    }
    memcpy(state->q, (const double[]){1, 0.2, -0.3, 0.9, 0.1, 0.3, 0.2, 2.2, 0.1, -1, 1, 0, 0, 0},
           14 * sizeof(double));
    rt_advance(m, state->q, xi);
    for (int c = 0; c < m->n_u; c++) xi[c] = s * by[c];
    rt_advance(m, state->q, xi);
    for (int r = 0; r < m->n_rows; r++) state->lambda[r] = cos(2.0 * r) + s * by[3 * m->n_u + r];
}

static void evaluate(const char *name, double value, const double *by, double s, values *out)
{
    test_mechanism t;
    char text[40];
    snprintf(text, sizeof text, "%.17g", value);
    mechanism_make_with(&t, model_text, name ? (const char *const[]){name, text, NULL} : NULL);
    set_state(t.m, t.state, by, s);
    assert_int_equal(rt_evaluate(t.m, t.w, t.state, RT_EVALUATE_ALL, NULL), ROUTH_OK);
    take(t.m, t.w, out);
    mechanism_release(&t);
}

/* Central differences of sixth order against the variation, all arrays. */
static void compare(const test_mechanism *t, rt_variation *v, int parameter, const double *by)
{
    static const double weight[] = {0, 45, -9, 1};
    const rt_parameter *p = parameter < 0 ? NULL : &t->model->parameters[parameter];
    const double size = p ? p->number.value : 0, h = 2e-3;
    const routh_mechanism *m = t->m;
    const int n = m->n_u;
    routh_error error = {0};
    values side[7], got = {0};
    const rt_varied_state change = {.xi = by, .u = by + n, .udot = by + 2 * n,
                                    .lambda = by + 3 * n};
    rt_state *state = t->state;
    double zero[200] = {0};
    set_state(m, state, zero, 0);
    rt_variation_place(v, &(rt_varied_state){.q = state->q, .u = state->u, .udot = state->udot,
                                             .lambda = state->lambda, .signal = state->signal},
                       false);
    assert_int_equal(rt_variation_along(v, parameter, NULL, NULL, &error), ROUTH_OK);
    assert_int_equal(rt_variation_move(v, &change, &error), ROUTH_OK);
    assert_int_equal(rt_variation_evaluate(v, RT_EVALUATE_ALL, &error), ROUTH_OK);
    for (int k = -3; k <= 3; k++)
        if (k) evaluate(p ? p->name : NULL, size + k * h, by, k * h, &side[k + 3]);
    for (int a = 0; a < RT_VARIED_DRIVE; a++) {
        const int count = side[0].n[a];
        double worst = 0, largest = 1e-3;
        got.x[a] = calloc((size_t)count + 1, sizeof(double));
        assert_int_equal(rt_variation_read(v, (rt_varied_array)a, got.x[a]), count);
        for (int i = 0; i < count; i++) {
            double d = 0;
            for (int k = 1; k <= 3; k++)
                d += weight[k] * (side[3 + k].x[a][i] - side[3 - k].x[a][i]) / (60 * h);
            worst = fmax(worst, fabs(d - got.x[a][i]));
            largest = fmax(largest, fabs(d));
        }
        if (!(worst <= 1e-9 * largest))
            fail_msg("parameter %s array %d: off by %g of %g", p ? p->name : "-", a, worst,
                     largest);
    }
    for (int k = 0; k < 7; k++)
        if (k != 3) drop(&side[k]);
    drop(&got);
}

static void every_array_by_every_parameter(void **unused)
{
    (void)unused;
    test_mechanism t;
    rt_variation *v;
    mechanism_make(&t, model_text);
    assert_int_equal(rt_variation_create(&v, t.model, NULL), ROUTH_OK);
    double by[200] = {0};
    for (int k = 0; k < t.model->n_parameters; k++) compare(&t, v, k, by);
    rt_variation_free(v);
    mechanism_release(&t);
}

static void every_array_by_the_state(void **unused)
{
    (void)unused;
    test_mechanism t;
    rt_variation *v;
    mechanism_make(&t, model_text);
    assert_int_equal(rt_variation_create(&v, t.model, NULL), ROUTH_OK);
    double by[200];
    for (int k = 0; k < 200; k++) by[k] = sin(1.7 * k + 0.3);
    compare(&t, v, -1, by);
    compare(&t, v, 1, by);
    rt_variation_free(v);
    mechanism_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_array_by_every_parameter),
        cmocka_unit_test(every_array_by_the_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
