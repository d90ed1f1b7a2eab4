/* Two flexible links hanging from each other (the flexible double pendulum of VALUES.md, sec. 2)
 * put together by hand from the moments: angles and elastic coordinates of each link, the second
 * link's frame at the first one's tip. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/lapack.h"
#include "flexible/beam.h"
#include "elements/flexible_inertia.h"

enum { N_VALUES = 4 };
static const double length = 4, gravity[3] = {0, -9.81, 0};

/* rigid: so many times the stiffness of stretch, that of bending the same */
static const rt_flexible *make_link(int n_elements, bool stiffening, double rigid, rt_arena *arena)
{
    const double pi = acos(-1), r = 0.15;
    const rt_beam beam = {.to = {length, 0, 0},
                          .side = {0, 1, 0},
                          .n_elements = n_elements,
                          .planar = true,
                          .stiffening = stiffening,
                          .density = 1500,
                          .area = pi * r * r,
                          .young = 1e8 * rigid,
                          .inertia_z = pi * r * r * r * r / 4 / rigid};
    const rt_flexible *link = NULL;
    assert_int_equal(rt_flexible_from_beam(&link, &beam, arena, NULL), ROUTH_OK);
    return link;
}

/* One link evaluated, all matrices dense and row-major: d(f_x, f_y, t_z, r_k) by the same of the
 * frame and q. */
typedef struct link {
    const rt_flexible *flexible;
    int n; /* 3 + elastic coordinates */
    double *q, *zero, *K, *M, *r;
    rt_frame frame;
} link;

static double *take(size_t n)
{
    double *x = calloc(n + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

static link link_of(const rt_flexible *flexible)
{
    const size_t n = (size_t)flexible->n + 3;
    link x = {.flexible = flexible, .n = (int)n};
    x.q = take(n), x.zero = take(n), x.K = take(n * n), x.M = take(n * n), x.r = take(n);
    /* hanging: x down, y to the right */
    x.frame = (rt_frame){.A = {0, 1, 0, -1, 0, 0, 0, 0, 1}};
    return x;
}

static void free_link(link *x) { free(x->q), free(x->zero), free(x->K), free(x->M), free(x->r); }

/* The levels position and acceleration of the residual's derivative */
static void put_level(const link *x, const rt_flexible_result *v, int level, double *to)
{
    static const int row[3] = {0, 1, 5};
    const int n = x->n, n_q = n - 3;
    const rt_pattern *p = &x->flexible->pattern;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) to[n * i + j] = v->frame[level][6 * row[i] + row[j]];
    for (int k = 0; k < n_q; k++)
        for (int i = 0; i < 3; i++) {
            to[n * i + 3 + k] = v->by_elastic[level][n_q * row[i] + k];
            to[n * (3 + k) + i] = v->by_frame[level][6 * k + row[i]];
        }
    for (int k = 0; k < n_q; k++)
        for (int e = p->start[k]; e < p->start[k + 1]; e++)
            to[n * (3 + p->row[e]) + 3 + k] = v->inner[level][e];
}

static void evaluate(link *x)
{
    const size_t n_q = (size_t)x->n - 3, n_entries = (size_t)x->flexible->pattern.start[n_q];
    const rt_elastic_state state = {x->q, x->zero, x->zero};
    rt_flexible_result v = {.elastic = x->r + 3};
    for (int level = 0; level < 3; level++) {
        v.by_elastic[level] = take(6 * n_q);
        v.by_frame[level] = take(6 * n_q);
        v.inner[level] = take(n_entries);
    }
    rt_flexible_evaluate(x->flexible, NULL, &x->frame, &state, gravity, true, &v);
    x->r[0] = v.wrench[0], x->r[1] = v.wrench[1], x->r[2] = v.wrench[5];
    put_level(x, &v, 0, x->K);
    put_level(x, &v, 2, x->M);
    for (int level = 0; level < 3; level++)
        free(v.by_elastic[level]), free(v.by_frame[level]), free(v.inner[level]);
}

/* Equilibrium of a link with the force (world) at its tip, whose coordinates are the last three. */
static void settle(link *x, const double force[2])
{
    const int n_q = x->n - 3;
    double *K = take((size_t)n_q * (size_t)n_q);
    int *pivots = calloc((size_t)n_q, sizeof *pivots);
    assert_non_null(pivots);
    for (int pass = 0; pass < 2; pass++) {
        evaluate(x);
        x->r[x->n - 3] += -force[1];
        x->r[x->n - 2] += force[0];
        for (int i = 0; i < n_q; i++)
            for (int j = 0; j < n_q; j++) K[n_q * j + i] = x->K[x->n * (3 + i) + 3 + j];
        assert_int_equal(rt_lu_factor(n_q, K, pivots, NULL), ROUTH_OK);
        assert_int_equal(rt_lu_solve(n_q, K, pivots, 1, x->r + 3, 0, NULL), ROUTH_OK);
        for (int k = 0; k < n_q; k++) x->q[k] -= x->r[3 + k];
    }
    evaluate(x);
    free(K), free(pivots);
}

/* X += J' Y J, Y of one link, J (rows of the link, n columns) row-major */
static void add_link(double *X, int n, const link *x, const double *Y, const double *J)
{
    double *YJ = take((size_t)x->n * (size_t)n);
    for (int i = 0; i < x->n; i++)
        for (int k = 0; k < x->n; k++) {
            const double y = Y[x->n * i + k];
            for (int j = 0; y != 0 && j < n; j++) YJ[n * i + j] += y * J[n * k + j];
        }
    for (int k = 0; k < x->n; k++)
        for (int i = 0; i < n; i++) {
            const double by = J[n * k + i];
            for (int j = 0; by != 0 && j < n; j++) X[n * j + i] += by * YJ[n * k + j];
        }
    free(YJ);
}

/* Coordinates: turn of link 1, q of link 1, turn of link 2, q of link 2. Link 2's origin is at
 * A_1 (L + u, w): dr = (w, by the turn: L + u) - with x down - and its second derivatives put the
 * force f there into K: d2r = -turn^2 (L + u) x + 2 turn (du y - dw x). */
static void frequencies(int n_elements, bool stiffening, double rigid, double omega[N_VALUES])
{
    rt_arena arena = {0};
    const rt_flexible *flexible = make_link(n_elements, stiffening, rigid, &arena);
    link one = link_of(flexible), two = link_of(flexible);
    const int n_q = flexible->n, m = n_q + 1, n = 2 * m;
    const size_t size = (size_t)n * (size_t)n;
    settle(&two, (double[2]){0, 0});
    settle(&one, two.r);
    const double reach = length + one.q[n_q - 3];
    double *J1 = take((size_t)one.n * (size_t)n), *J2 = take((size_t)one.n * (size_t)n);
    double *K = take(size), *M = take(size), *mu = take((size_t)n);
    J1[2 * n] = J2[2 * n + m] = 1;
    for (int k = 0; k < n_q; k++) J1[n * (3 + k) + 1 + k] = J2[n * (3 + k) + m + 1 + k] = 1;
    const int u = n_q - 2, w = n_q - 1; /* among the coordinates: the turn is 0, q_k is 1 + k */
    J2[0] = reach, J2[w] = 1;
    J2[n + u] = -1;
    add_link(K, n, &one, one.K, J1), add_link(M, n, &one, one.M, J1);
    add_link(K, n, &two, two.K, J2), add_link(M, n, &two, two.M, J2);
    /* x is (0, -1), y is (1, 0) */
    K[0] += two.r[1] * reach;
    K[n * 0 + w] += two.r[1], K[n * w + 0] += two.r[1];
    K[n * 0 + u] += two.r[0], K[n * u + 0] += two.r[0];
    assert_int_equal(rt_symmetric_generalized_eigen(n, M, K, mu, NULL), ROUTH_OK);
    for (int k = 0; k < N_VALUES; k++) omega[k] = 1 / sqrt(mu[n - 1 - k]);
    free(J1), free(J2), free(K), free(M), free(mu);
    free_link(&one), free_link(&two);
    rt_arena_free(&arena);
}

typedef struct line {
    int n_elements;
    double omega[N_VALUES];
} line;

/* Rounding costs about 1e-8 here (VALUES.md, sec. 2, on eigenvalues in double precision). */
static void assert_table(bool stiffening, double rigid, double tolerance, const line *x)
{
    double omega[N_VALUES];
    frequencies(x->n_elements, stiffening, rigid, omega);
    for (int i = 0; i < N_VALUES; i++) {
        const double error = fabs(omega[i] / x->omega[i] - 1);
        if (!(error < tolerance))
            fail_msg("%d elements: frequency %d is %.13g and not %.13g", x->n_elements, i + 1,
                     omega[i], x->omega[i]);
    }
}

static void without_stiffening_it_is_the_table(void **state)
{
    (void)state;
    static const line table[] = {
        {10, {1.335731458011146, 3.524427799268883, 9.417527170678010, 22.40588276734746}},
        {25, {1.335731278389928, 3.524425541408310, 9.417482880977284, 22.40537187039073}},
        {50, {1.335731255677978, 3.524425420813301, 9.417480208979408, 22.40535807634403}},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        assert_table(false, 1, 1e-8, &table[k]);
}

/* The table's tension grows along every element by the element's own weight. */
static void with_stiffening_it_is_the_table(void **state)
{
    (void)state;
    static const line table[] = {
        {10, {1.338281012053184, 3.553377167316035, 15.35161408671510, 25.39464095109146}},
        {25, {1.338280843165384, 3.553375127487413, 15.35147498173425, 25.39395994339994}},
        {50, {1.338280822035741, 3.553375040444227, 15.35146942452811, 25.39394184985700}},
        {75, {1.338280818205373, 3.553375029970858, 15.35146879129839, 25.39394072882731}},
        {100, {1.338280816870840, 3.553375026722435, 15.35146859893085, 25.39394050171919}},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        assert_table(true, 1, 1e-8, &table[k]);
}

/* The stretch of an element, linear in x, is of second order; links that hardly stretch are of
 * fourth, as bending is, and near the table of inextensible links. */
static void links_that_hardly_stretch_are_of_fourth_order(void **state)
{
    (void)state;
    const double rigid = 1e5;
    static const line inextensible = {
        10, {1.338727339049952, 3.554340192724897, 15.35271247997875, 25.39840262411202}};
    double omega[3][N_VALUES];
    assert_table(true, rigid, 1e-8, &inextensible);
    for (int k = 0; k < 3; k++) frequencies(10 << k, true, rigid, omega[k]);
    for (int i = 0; i < N_VALUES; i++) {
        const double ratio = (omega[0][i] - omega[1][i]) / (omega[1][i] - omega[2][i]);
        if (!(fabs(log2(ratio) - 4) < 0.05))
            fail_msg("frequency %d is of order %g", i + 1, log2(ratio));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_stiffening_it_is_the_table),
        cmocka_unit_test(with_stiffening_it_is_the_table),
        cmocka_unit_test(links_that_hardly_stretch_are_of_fourth_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
