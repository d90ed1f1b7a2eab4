/* The redundant method: Table 1 of Gonzalez et al. through it, how many infinite eigenvalues are
 * deflated, and the finite ones beside those of the whole pencil, nothing deflated. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/lapack.h"
#include "methods/method.h"
#include "routh/answers.h"
#include "support/mechanisms.h"

typedef struct answer {
    test_mechanism t;
    routh_operating_point *point;
    routh_linear *linear;
} answer;

static routh_linear *linear_by(const answer *a, const char *method)
{
    routh_linear_options options = routh_linear_defaults();
    routh_linear *linear;
    routh_error error;
    options.method = method;
    if (routh_linear_compute(&linear, a->t.m, a->point, &options, &error))
        fail_msg("%s", error.message);
    return linear;
}

static void answer_of_template(answer *a, const char *name, const char *const *settings)
{
    mechanism_make_template(&a->t, name, settings);
    a->point = mechanism_point(&a->t);
    a->linear = linear_by(a, "redundant");
}

static void answer_release(answer *a)
{
    routh_linear_free(a->linear);
    routh_operating_point_free(a->point);
    mechanism_release(&a->t);
}

/* Independent constraints: columns of u that the degrees of freedom leave. */
static int rank_of(const answer *a) { return a->t.m->n_u - a->point->degrees_of_freedom; }

static json_t *reference(const char *name)
{
    char path[512];
    json_error_t error;
    const char *source = getenv("ROUTH_SOURCE");
    snprintf(path, sizeof path, "%s/tests/reference/%s", source ? source : ".", name);
    json_t *file = json_load_file(path, 0, &error);
    if (!file) fail_msg("%s: %s", path, error.text);
    return file;
}

static double number(const json_t *object, const char *key)
{
    const json_t *x = json_object_get(object, key);
    if (!json_is_number(x)) fail_msg("no number %s", key);
    return json_number_value(x);
}

/* The pair of a linkage of one degree of freedom. */
static void check_pair(const answer *a, double re, double im)
{
    routh_modes *modes;
    routh_error error;
    if (routh_modes_compute(&modes, a->linear, &error)) fail_msg("%s", error.message);
    assert_int_equal(modes->n, 2);
    for (int k = 0; k < 2; k++) {
        const double *s = modes->modes[k].eigenvalue;
        if (!(hypot(s[0] - re, fabs(s[1]) - im) <= 1e-9 * hypot(re, im)))
            fail_msg("%.15g %+.15gi should be %.15g +-%.15gi", s[0], s[1], re, im);
    }
    routh_modes_free(modes);
}

static void table_1_of_gonzalez_and_its_infinite_eigenvalues(void **state)
{
    (void)state;
    json_t *file = reference("four_bar.json");
    const json_t *cases = json_object_get(file, "cases");
    assert_true(json_array_size(cases) > 0);
    for (size_t k = 0; k < json_array_size(cases); k++) {
        const json_t *c = json_array_get(cases, k);
        if (number(c, "N") > 20) continue; /* as the paper; larger ones are for sparse matrices */
        for (int damped = 0; damped < 2; damped++) {
            char n[16];
            answer a;
            snprintf(n, sizeof n, "%d", (int)number(c, "N"));
            const char *const settings[] = {"N", n, "c", damped ? "1" : "0", NULL};
            answer_of_template(&a, "four-bar", settings);
            if (damped)
                check_pair(&a, number(c, "damped_real"), number(c, "damped_imaginary"));
            else
                check_pair(&a, 0, number(c, "undamped_imaginary"));
            assert_int_equal(a.linear->n_infinite, 2 * a.t.m->n_u + rank_of(&a) - 2);
            answer_release(&a);
        }
    }
    json_decref(file);
}

/* In motion the pencil is y = (S, W, xi, u, u', lambda). */
static void a_moving_state_deflates_its_algebraic_rows(void **state)
{
    (void)state;
    answer a;
    answer_of_template(&a, "rotor-stator", (const char *const[]){NULL});
    assert_false(a.linear->at_rest);
    assert_int_equal(a.linear->n_infinite, 3 * a.t.m->n_u + rank_of(&a));
    routh_linear *other = linear_by(&a, "augmented");
    assert_int_equal(other->n_infinite, 0);
    routh_linear_free(other);
    answer_release(&a);
}

/* ---- the whole pencil ------------------------------------------------------------------------ */

typedef struct pencil {
    int order;
    double *E, *A, *re, *im, *beta; /* E, A column-major */
} pencil;

/* E = diag(I, M, 0),  A = [0 I 0; -K -D -G'; -G 0 0], every row of G, which must be independent */
static void pencil_make(pencil *p, const routh_mechanism *m, const rt_workspace *w)
{
    const int n = m->n_u, order = 2 * n + m->n_rows;
    const size_t size = (size_t)order * (size_t)order, square = (size_t)n * (size_t)n;
    p->order = order;
    p->E = calloc(2 * size + 3 * (size_t)order, sizeof *p->E);
    double *d = calloc(3 * square + (size_t)n * (size_t)m->n_rows + 1, sizeof *d);
    assert_true(p->E && d);
    p->A = p->E + size, p->re = p->A + size, p->im = p->re + order, p->beta = p->im + order;
    double *M = d, *K = M + square, *D = K + square, *G = D + square;
    to_dense(&m->pattern_M, w->M, M);
    to_dense(&m->pattern_K, w->K, K);
    to_dense(&m->pattern_K, w->D, D);
    to_dense(&m->pattern_G, w->G, G);
    for (int j = 0; j < n; j++) {
        p->E[j + order * j] = p->A[j + order * (n + j)] = 1;
        for (int i = 0; i < n; i++) {
            p->E[n + i + order * (n + j)] = M[i * n + j];
            p->A[n + i + order * j] = -K[i * n + j];
            p->A[n + i + order * (n + j)] = -D[i * n + j];
        }
        for (int r = 0; r < m->n_rows; r++)
            p->A[2 * n + r + order * j] = p->A[n + j + order * (2 * n + r)] = -G[r * n + j];
    }
    free(d);
}

static void pencil_solve(pencil *p)
{
    const size_t size = (size_t)p->order * (size_t)p->order;
    double *Q = malloc(2 * size * sizeof *Q);
    routh_error error;
    assert_non_null(Q);
    if (rt_qz(p->order, p->A, p->E, Q, Q + size, p->re, p->im, p->beta, &error))
        fail_msg("%s", error.message);
    free(Q);
}

/* How far the nearest eigenvalue of the pencil lies, relative. */
static double nearest(const pencil *p, const double s[2])
{
    double distance = INFINITY;
    for (int k = 0; k < p->order; k++)
        if (p->beta[k] > 0) {
            const double d = hypot(p->re[k] / p->beta[k] - s[0], p->im[k] / p->beta[k] - s[1]);
            if (d < distance) distance = d;
        }
    return distance / hypot(s[0], s[1]);
}

/* Defective infinite eigenvalues of chains of three come out of QZ as large as eps^(-1/3), 1e5, or
 * as infinite; the finite ones lie below 10. */
static void the_finite_eigenvalues_are_those_of_the_whole_pencil(void **state)
{
    (void)state;
    answer a;
    pencil p;
    routh_error error;
    routh_modes *modes;
    answer_of_template(&a, "slider-pendulum", (const char *const[]){"c", "20", NULL});
    rt_state_copy(a.t.m, a.t.state, a.point->state);
    assert_int_equal(rt_evaluate(a.t.m, a.t.w, a.t.state, RT_EVALUATE_ALL, &error), ROUTH_OK);
    assert_int_equal(a.point->n_redundant, 0);
    pencil_make(&p, a.t.m, a.t.w);
    pencil_solve(&p);
    if (routh_modes_compute(&modes, a.linear, &error)) fail_msg("%s", error.message);
    int n_finite = 0;
    for (int k = 0; k < p.order; k++) n_finite += hypot(p.re[k], p.im[k]) < 100 * p.beta[k];
    assert_int_equal(n_finite, modes->n);
    assert_int_equal(p.order - n_finite, a.linear->n_infinite);
    /* whole pencil, index 3: QZ keeps some 12 digits of its finite part at best (VALUES: 1e-11 to
     * 1e-9 for larger ones) */
    for (int k = 0; k < modes->n; k++) assert_true(nearest(&p, modes->modes[k].eigenvalue) <= 1e-9);
    routh_modes_free(modes);
    free(p.E);
    answer_release(&a);
}

/* ---- other mechanisms ------------------------------------------------------------------------ */

static double difference(const double *a, const double *b, int n)
{
    double worst = 0, size = 0;
    for (int k = 0; k < n; k++) {
        if (!isfinite(a[k]) || !isfinite(b[k])) return NAN;
        worst = fmax(worst, fabs(a[k] - b[k]));
        size = fmax(size, fabs(b[k]));
    }
    return size > 0 ? worst / size : worst;
}

static void check_against_augmented(const char *yaml)
{
    answer a;
    mechanism_make(&a.t, yaml);
    a.point = mechanism_point(&a.t);
    a.linear = linear_by(&a, "redundant");
    routh_linear *expected = linear_by(&a, "augmented");
    const int n = expected->n_states, z = expected->n_position;
    assert_int_equal(a.linear->n_states, n);
    assert_true(difference(a.linear->A, expected->A, n * n) <= 1e-10);
    assert_true(difference(a.linear->mass, expected->mass, z * z) <= 1e-10);
    routh_linear_free(expected);
    answer_release(&a);
}

/* The pull holds the box whatever its speed; at v = 0 the frozen pencil is taken. */
static void joint_reactions_in_loads_keep_their_part_at_rest_and_in_motion(void **state)
{
    (void)state;
    static const char text[] =
        "gravity: [0, 0, -9.81]\n"
        "parameters: {mu: 0.3, v0: 0.05, v: %s}\n"
        "bodies: {box: {mass: 4, inertia: [1, 1, 1], position: [0.2, 0, 0.1], velocity: [v, 0, "
        "0]}}\n"
        "joints: {rail: {type: translational, between: [box, ground], at: [0, 0, 0], axis: x}}\n"
        "loads:\n"
        "  rub: {type: force, on: box,\n"
        "        components: [\"-mu*FM(rail)*VX(box)/sqrt(VX(box)^2 + v0^2)\", 0, 0]}\n"
        "  pull: {type: force, on: box, components: [mu*4*9.81*v/sqrt(v^2 + v0^2), 0, 0]}\n"
        "  lean: {type: force, on: box,\n"
        "         components: [\"0.1*4*9.81*0.2 - 0.1*FM(rail)*DX(box)\", 0, 5*(DX(box) - 0.2)]}\n";
    static const char *const speeds[] = {"0", "0.1"};
    for (int k = 0; k < 2; k++) {
        char yaml[1024];
        snprintf(yaml, sizeof yaml, text, speeds[k]);
        check_against_augmented(yaml);
    }
}

/* Six zeros of multiplicity two, none of them split. */
static void a_free_body_has_a_state_matrix_of_exact_zeros(void **state)
{
    (void)state;
    answer a;
    mechanism_make(&a.t, "bodies: {box: {mass: 4, inertia: [1, 2, 3], position: [0, 0, 0.1]}}\n");
    a.point = mechanism_point(&a.t);
    a.linear = linear_by(&a, "redundant");
    assert_int_equal(a.linear->n_states, 12);
    assert_int_equal(a.linear->n_infinite, 0);
    for (int i = 6; i < 12; i++)
        for (int j = 0; j < 12; j++) assert_true(a.linear->A[i * 12 + j] == 0);
    answer_release(&a);
}

static void large_mechanisms_are_sent_elsewhere(void **state)
{
    (void)state;
    test_mechanism t;
    routh_linear *linear;
    routh_error error;
    routh_linear_options options = routh_linear_defaults();
    options.method = "redundant";
    mechanism_make_template(&t, "pendulum-chain", (const char *const[]){"n", "200", NULL});
    routh_operating_point *point = mechanism_point(&t);
    assert_int_equal(routh_linear_compute(&linear, t.m, point, &options, &error),
                     ROUTH_LIMIT_EXCEEDED);
    assert_null(linear);
    assert_non_null(strstr(error.message, "at most 1000 velocity variables"));
    assert_non_null(strstr(error.message, "1200"));
    assert_non_null(strstr(error.message, "--method augmented"));
    routh_operating_point_free(point);
    mechanism_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_1_of_gonzalez_and_its_infinite_eigenvalues),
        cmocka_unit_test(a_moving_state_deflates_its_algebraic_rows),
        cmocka_unit_test(the_finite_eigenvalues_are_those_of_the_whole_pencil),
        cmocka_unit_test(joint_reactions_in_loads_keep_their_part_at_rest_and_in_motion),
        cmocka_unit_test(a_free_body_has_a_state_matrix_of_exact_zeros),
        cmocka_unit_test(large_mechanisms_are_sent_elsewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
