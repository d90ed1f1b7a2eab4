/* The oracle: A row by row from differences of the accelerations of the reduced equations, which
 * are worked out here from the equations of motion alone. States are defined for finite
 * perturbations:
 *     S_k = e_k . (r - r_n)   or   e_k . vee(A A_n'),     vee(R)_i = 1/2 eps_ijk R_kj,
 * with r_n, A_n, e_k the nominal motion of the body and of the observer's axes, functions of
 * time; so S' and S'' follow by the product rule. Given S and W = S': q from Phi = 0, S(q) = S;
 * u from Phi' = 0, S' = W; u', lambda from r = 0, Phi'' = 0. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <lapacke.h>

#include "support/effort.h"
#include "support/random_mechanism.h"

enum { MOST_U = 6 * MOST_BODIES, MOST_ROWS = 64, MOST_STATES = 6 * MOST_BODIES, MOST_MARKERS = 96 };

typedef struct reduced {
    const test_mechanism *t;
    const rt_state *nominal;
    rt_state *s;
    rt_frame body[MOST_BODIES]; /* nominal */
    rt_frame marker[MOST_MARKERS];
    double e[3][3][3]; /* [derivative][axis][component] */
    int z, n_body[MOST_STATES], component[MOST_STATES];
    double worst;
} reduced;

/* ---- states ---------------------------------------------------------------------------------- */

static void vee(double v[3], const double R[9])
{
    rt_v3_set(v, (R[7] - R[5]) / 2, (R[2] - R[6]) / 2, (R[3] - R[1]) / 2);
}

/* The vector of the state and its first two time derivatives; R = A A_n', R' = w~ R - R w_n~. */
static void state_vector(const rt_frame *f, const rt_frame *n, bool rotation, double x[3][3])
{
    if (!rotation) {
        rt_v3_sub(x[0], f->r, n->r);
        rt_v3_sub(x[1], f->v, n->v);
        rt_v3_sub(x[2], f->a, n->a);
        return;
    }
    double R[3][9], W[9], Wn[9], L[9], Ln[9], P[9];
    rt_m3_mul_t(R[0], f->A, n->A);
    rt_m3_skew(W, f->w);
    rt_m3_skew(Wn, n->w);
    rt_m3_skew(L, f->al);
    rt_m3_skew(Ln, n->al);
    rt_m3_mul(R[1], W, R[0]);
    rt_m3_mul(P, R[0], Wn);
    for (int k = 0; k < 9; k++) R[1][k] -= P[k];
    rt_m3_mul(R[2], L, R[0]);
    rt_m3_mul(P, W, R[1]);
    for (int k = 0; k < 9; k++) R[2][k] += P[k];
    rt_m3_mul(P, R[1], Wn);
    for (int k = 0; k < 9; k++) R[2][k] -= P[k];
    rt_m3_mul(P, R[0], Ln);
    for (int k = 0; k < 9; k++) R[2][k] -= P[k];
    for (int d = 0; d < 3; d++) vee(x[d], R[d]);
}

/* S, S', S'' of the frames in the workspace. */
static void states_of(const reduced *x, double *S, double *S1, double *S2)
{
    for (int k = 0; k < x->z; k++) {
        double v[3][3];
        const int b = x->n_body[k], axis = x->component[k] % 3;
        const double *e0 = x->e[0][axis], *e1 = x->e[1][axis], *e2 = x->e[2][axis];
        state_vector(&x->t->w->bodies[b], &x->body[b], x->component[k] >= 3, v);
        S[k] = rt_v3_dot(e0, v[0]);
        S1[k] = rt_v3_dot(e1, v[0]) + rt_v3_dot(e0, v[1]);
        S2[k] = rt_v3_dot(e2, v[0]) + 2 * rt_v3_dot(e1, v[1]) + rt_v3_dot(e0, v[2]);
    }
}

/* dS/dxi = dS'/du, row-major z x n: for rotations d vee(R) = 1/2 (tr R 1 - R) A eta. */
static void state_jacobian(const reduced *x, double *J)
{
    const int n = x->t->m->n_u;
    memset(J, 0, (size_t)x->z * (size_t)n * sizeof *J);
    for (int k = 0; k < x->z; k++) {
        const int b = x->n_body[k], axis = x->component[k] % 3;
        const rt_frame *f = &x->t->w->bodies[b];
        double *row = J + k * n + 6 * b;
        if (x->component[k] < 3) {
            rt_v3_copy(row, x->e[0][axis]);
            continue;
        }
        double R[9], T[9], TA[9];
        rt_m3_mul_t(R, f->A, x->body[b].A);
        const double trace = R[0] + R[4] + R[8];
        for (int i = 0; i < 9; i++) T[i] = ((i % 4 == 0 ? trace : 0) - R[i]) / 2;
        rt_m3_mul(TA, T, f->A);
        rt_m3_tmul_v(row + 3, TA, x->e[0][axis]);
    }
}

/* ---- the reduced equations ------------------------------------------------------------------- */

static void evaluate(const reduced *x, int what)
{
    routh_error error;
    if (rt_evaluate(x->t->m, x->t->w, x->s, what, &error)) fail_msg("%s", error.message);
}

/* Least squares, smallest norm: B (rows) becomes the solution (columns). */
static void least_squares(int rows, int columns, double *A, double *b)
{
    lapack_int pivot[MOST_U + MOST_ROWS] = {0}, rank;
    assert_int_equal(
        LAPACKE_dgelsy(LAPACK_ROW_MAJOR, rows, columns, 1, A, columns, b, 1, pivot, 1e-9, &rank),
        0);
}

/* Solves [G; dS/dxi] x = -[phi; S - wanted] */
static void solve_manifold(const reduced *x, const double *phi, const double *S,
                           const double *wanted, double *step)
{
    static double A[(MOST_ROWS + MOST_STATES) * MOST_U], b[MOST_ROWS + MOST_STATES + MOST_U];
    const int n = x->t->m->n_u, rows = x->t->m->n_rows;
    to_dense(&x->t->m->pattern_G, x->t->w->G, A);
    state_jacobian(x, A + rows * n);
    for (int k = 0; k < rows; k++) b[k] = -phi[k];
    for (int k = 0; k < x->z; k++) b[rows + k] = wanted[k] - S[k];
    least_squares(rows + x->z, n, A, b);
    memcpy(step, b, (size_t)n * sizeof *step);
}

static void find_position(const reduced *x, const double *wanted)
{
    double S[MOST_STATES], S1[MOST_STATES], S2[MOST_STATES], step[MOST_U];
    const routh_mechanism *m = x->t->m;
    for (int k = 0; k < 30; k++) {
        evaluate(x, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN);
        states_of(x, S, S1, S2);
        solve_manifold(x, x->t->w->phi[0], S, wanted, step);
        m->set->advance(m->n_bodies, x->s->q, step);
        if (largest_of(step, m->n_u) < 1e-14) return;
    }
    if (largest_of(step, m->n_u) > 1e-12)
        fail_msg("the perturbed mechanism does not close: %g", largest_of(step, m->n_u));
}

/* Both are linear in u, so the second pass only removes rounding. */
static void find_velocity(const reduced *x, const double *wanted)
{
    double S[MOST_STATES], S1[MOST_STATES], S2[MOST_STATES], step[MOST_U];
    for (int pass = 0; pass < 2; pass++) {
        evaluate(x, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN);
        states_of(x, S, S1, S2);
        solve_manifold(x, x->t->w->phi[1], S1, wanted, step);
        for (int c = 0; c < x->t->m->n_u; c++) x->s->u[c] += step[c];
    }
}

/* [M G'+L; G 0] [du'; dlambda] = -[r; Phi''], until the loads that depend on lambda agree. */
static void find_acceleration(const reduced *x)
{
    enum { MOST = MOST_U + MOST_ROWS };
    static double A[MOST * MOST], b[MOST], M[MOST_U * MOST_U], G[MOST_ROWS * MOST_U];
    const routh_mechanism *m = x->t->m;
    const int n = m->n_u, rows = m->n_rows, all = n + rows;
    for (int pass = 0; pass < 3; pass++) {
        evaluate(x,
                 RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN | RT_EVALUATE_MASS | RT_EVALUATE_RESIDUAL);
        to_dense(&m->pattern_M, x->t->w->M, M);
        to_dense(&m->pattern_G, x->t->w->G, G);
        memset(A, 0, (size_t)all * (size_t)all * sizeof *A);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) A[i * all + j] = M[i * n + j];
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < n; c++) A[(n + r) * all + c] = A[c * all + n + r] = G[r * n + c];
        for (int i = 0; i < n; i++) b[i] = -x->t->w->residual[i];
        for (int r = 0; r < rows; r++) b[n + r] = -x->t->w->phi[2][r];
        least_squares(all, all, A, b);
        for (int i = 0; i < n; i++) x->s->udot[i] += b[i];
        for (int r = 0; r < rows; r++) x->s->lambda[r] += b[n + r];
    }
    evaluate(x, RT_EVALUATE_PHI);
}

/* S'' at given S and W. */
static void accelerations(const reduced *x, const double *S, const double *W, double *S2)
{
    double S0[MOST_STATES], S1[MOST_STATES];
    rt_state_copy(x->t->m, x->s, x->nominal);
    find_position(x, S);
    find_velocity(x, W);
    find_acceleration(x);
    states_of(x, S0, S1, S2);
}

typedef struct perturbation {
    const reduced *x;
    int state; /* 0..z-1: S, z..2z-1: W */
} perturbation;

static void family(void *context, double eps, double *value)
{
    const perturbation *p = context;
    double y[2 * MOST_STATES] = {0};
    y[p->state] = eps;
    accelerations(p->x, y, y + p->x->z, value);
}

/* Where the markers are, from where they were: displacement and vee of the turn. */
static void marker_family(void *context, double eps, double *value)
{
    const perturbation *p = context;
    const reduced *x = p->x;
    double y[MOST_STATES] = {0};
    y[p->state] = eps;
    rt_state_copy(x->t->m, x->s, x->nominal);
    find_position(x, y);
    evaluate(x, RT_EVALUATE_PHI);
    for (int k = 0; k < MAX_DIFFERENCED / 6 && k < x->t->m->n_markers; k++) {
        double v[3][3];
        state_vector(&x->t->w->markers[k], &x->marker[k], false, v);
        rt_v3_copy(value + 6 * k, v[0]);
        state_vector(&x->t->w->markers[k], &x->marker[k], true, v);
        rt_v3_copy(value + 6 * k + 3, v[0]);
    }
}

/* ---- comparison ------------------------------------------------------------------------------ */

static void read_states(reduced *x, const routh_linear *linear)
{
    static const char *const names[] = {"x", "y", "z", "rx", "ry", "rz"};
    x->z = linear->n_position;
    for (int k = 0; k < x->z; k++) {
        const char *name = linear->states[k].name;
        x->n_body[k] = atoi(name + 1); /* b0.rx; the bodies are written in order */
        for (int c = 0; c < 6; c++)
            if (strcmp(strchr(name, '.') + 1, names[c]) == 0) x->component[k] = c;
    }
}

static void set_observer(reduced *x, const char *reference)
{
    const int marker = rt_model_find_marker(x->t->model, reference);
    assert_true(marker >= 0);
    const rt_frame f = x->t->w->markers[marker];
    for (int k = 0; k < 3; k++) {
        rt_m3_column(x->e[0][k], f.A, k);
        rt_v3_cross(x->e[1][k], f.w, x->e[0][k]);
        rt_v3_cross(x->e[2][k], f.al, x->e[0][k]);
        rt_v3_cross_add(x->e[2][k], f.w, x->e[1][k]);
    }
}

/* The largest difference between column j of A's lower half and its differences, relative to A. */
static double column_error(const reduced *x, const routh_linear *linear, int j,
                           const double *column, double size)
{
    double worst = 0;
    for (int i = 0; i < x->z; i++)
        worst = fmax(worst, fabs(column[i] - linear->A[(x->z + i) * linear->n_states + j]) / size);
    return worst;
}

static void compare(reduced *x, const routh_linear *linear, const char *text)
{
    const int z = x->z, n = 2 * z;
    double size = 1, column[MAX_DIFFERENCED];
    for (int i = z; i < n; i++) size = fmax(size, largest_of(linear->A + i * n, n));
    for (int j = 0; j < n; j++) {
        perturbation p = {x, j};
        /* where the manifold is strongly curved the steps must be short */
        for (double h = 0.01; h > 1e-4; h /= 4) {
            differentiate(family, &p, h, z, column);
            if (column_error(x, linear, j, column, size) < 1e-9) break;
        }
        for (int i = 0; i < z; i++) {
            const double error = fabs(column[i] - linear->A[(z + i) * n + j]) / size;
            x->worst = fmax(x->worst, error);
            if (!(error < 1e-7))
                fail_msg("A(%s'', %s) is %.12g and should be %.12g, seen from %s\n%s",
                         linear->states[i].name, linear->states[j].name, linear->A[(z + i) * n + j],
                         column[i], linear->reference, text);
        }
    }
    const int n_markers =
        x->t->m->n_markers < MAX_DIFFERENCED / 6 ? x->t->m->n_markers : MAX_DIFFERENCED / 6;
    for (int j = 0; j < z; j++) {
        perturbation p = {x, j};
        differentiate(marker_family, &p, 0.01, 6 * n_markers, column);
        for (int k = 0; k < n_markers; k++)
            for (int i = 0; i < 6; i++) {
                const double *motion = linear->markers[k].motion;
                assert_true(fabs(column[6 * k + i] - motion[i * n + j]) <
                            1e-7 * fmax(1, fabs(motion[i * n + j])));
                assert_true(motion[i * n + z + j] == 0);
            }
    }
}

/* false when it cannot be brought into motion or has no freedom left. */
static bool check(const random_mechanism *mechanism, const char *reference, double *worst)
{
    growing_text text = {0};
    test_mechanism t;
    reduced x = {.t = &t};
    routh_error error;
    random_mechanism_write(mechanism, &no_disguise, &text);
    mechanism_make(&t, text.bytes);
    routh_operating_point *point = NULL;
    const routh_status status = routh_operating_point_find(&point, t.m, NULL, &error);
    if (status) fail_msg("%s: %s\n%s", error.element, error.message, text.bytes);
    /* a mechanism that is nearly singular says nothing */
    const bool usable = point->degrees_of_freedom > 0 && point->smallest_pivot > 1e-3;
    if (usable) {
        routh_linear *linear = mechanism_linear(&t, point, reference);
        assert_true(t.m->n_markers <= MOST_MARKERS && t.m->n_rows <= MOST_ROWS);
        x.nominal = point->state;
        assert_int_equal(rt_state_create(&x.s, t.m, &error), ROUTH_OK);
        rt_evaluate_frames(t.m, t.w, x.nominal);
        memcpy(x.body, t.w->bodies, (size_t)t.m->n_bodies * sizeof *x.body);
        memcpy(x.marker, t.w->markers, (size_t)t.m->n_markers * sizeof *x.marker);
        read_states(&x, linear);
        set_observer(&x, reference);
        compare(&x, linear, text.bytes);
        *worst = fmax(*worst, x.worst);
        rt_state_free(x.s);
        routh_linear_free(linear);
    }
    routh_operating_point_free(point);
    mechanism_release(&t);
    free(text.bytes);
    return usable;
}

static void check_many(int what, const char *reference, uint64_t seed)
{
    random_stream random = {seed};
    random_mechanism mechanism;
    double worst = 0;
    int checked = 0, tried = 0;
    for (const int wanted = with_effort(12); checked < wanted; tried++) {
        random_mechanism_make(&mechanism, &random, what);
        checked += check(&mechanism, reference, &worst);
    }
    print_message("    %d of %d mechanisms, worst %.1e\n", checked, tried, worst);
    assert_true(checked > tried / 2);
}

static void at_rest_seen_from_the_ground(void **state)
{
    (void)state;
    check_many(0, "world", 11);
}
static void moving_seen_from_the_ground(void **state)
{
    (void)state;
    check_many(RANDOM_MOVING, "world", 12);
}
static void moving_seen_from_a_body(void **state)
{
    (void)state;
    check_many(RANDOM_MOVING, "b1", 13);
}
static void moving_seen_from_a_joint(void **state)
{
    (void)state;
    check_many(RANDOM_MOVING, "l0_0", 14);
}
static void in_equilibrium(void **state)
{
    (void)state;
    check_many(RANDOM_STATIC, "b0", 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_rest_seen_from_the_ground),
        cmocka_unit_test(moving_seen_from_the_ground),
        cmocka_unit_test(moving_seen_from_a_body),
        cmocka_unit_test(moving_seen_from_a_joint),
        cmocka_unit_test(in_equilibrium),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
