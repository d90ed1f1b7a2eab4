/* Mirror images of flexible bodies: the energies of reflected motions, twice is nothing, and what
 * the coordinates of a node mean. */
#include "flexible/dense_beam.h"

#include "flexible/reflect.h"
#include "support/random_frames.h"

static const int mirrors[3][3] = {{-1, 1, 1}, {1, -1, 1}, {1, 1, -1}};

static const rt_flexible *image_of(const rt_flexible *f, const int D[3], rt_arena *arena)
{
    const rt_flexible *image = NULL;
    assert_int_equal(rt_flexible_reflect(&image, f, D, arena, NULL), ROUTH_OK);
    return image;
}

/* What coordinate k is of: 0 to 2 a displacement along x to z of a node, 3 to 5 a rotation. */
static int direction_of(const rt_flexible *f, int k)
{
    const char *name = f->coordinate[k].name;
    const int axis = name[strlen(name) - 1] - 'x';
    return f->coordinate[k].kind == RT_ELASTIC_ANGLE ? 3 + axis : axis;
}

/* A node's own coordinate moves it along, or turns it about, the axis of that name of its frame;
 * so it does in the image, whose axes are D A D. */
static void check_node(const rt_flexible *f, const rt_flexible_node *node)
{
    for (int j = 0; j < node->n; j++) {
        const int own = direction_of(f, node->column[j]);
        const double *rows = own < 3 ? node->S : node->R;
        for (int i = 0; i < 3; i++) {
            const double along = rows[i * node->n + j], axis = node->axes[3 * i + own % 3];
            assert_true(fabs(along - axis) < 1e-14);
        }
    }
}

static void coordinates_of_a_node_are_along_its_axes(void **state)
{
    (void)state;
    rt_arena arena = {0};
    const rt_beam beam = oblique_beam(3);
    const rt_flexible *f = make_beam(&beam, &arena);
    for (int m = 0; m < 3; m++) {
        const rt_flexible *image = image_of(f, mirrors[m], &arena);
        for (int k = 0; k < f->n_nodes; k++) {
            check_node(f, &f->nodes[k]);
            check_node(image, &image->nodes[k]);
        }
    }
    rt_arena_free(&arena);
}

/* ---- energies -------------------------------------------------------------------------------- */

/* A motion of the frame and of the body in it: v polar, w axial. */
typedef struct motion {
    double v[3], w[3];
    double *q, *rate;
} motion;

static void cross(const double a[3], const double b[3], double c[3])
{
    for (int i = 0; i < 3; i++)
        c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static double of_matrix(const double a[3], const double *X, const double b[3])
{
    double sum = 0;
    for (int i = 0; i < 9; i++) sum += a[i / 3] * X[i] * b[i % 3];
    return sum;
}

/* int (w x s).S dm of the moment B = int s S' dm: w . sum_ij e_kij B_ij */
static double of_moment(const double w[3], const double *B)
{
    return w[0] * (B[5] - B[7]) + w[1] * (B[6] - B[2]) + w[2] * (B[1] - B[3]);
}

/* w.(tr P - P) w */
static double of_second(const double w[3], const double *P)
{
    return (P[0] + P[4] + P[8]) * rt_v3_dot(w, w) - of_matrix(w, P, w);
}

/* All terms of flexible.h that are linear in what deforms. */
static double energy_of_coordinates(const rt_flexible *f, const motion *x)
{
    double sum = 0, across[3];
    cross(x->w, f->first, across);
    sum += f->mass * rt_v3_dot(x->v, x->v) / 2 + rt_v3_dot(x->v, across) +
           of_second(x->w, f->second) / 2 + of_matrix(x->w, f->rotary, x->w) / 2;
    for (int k = 0; k < f->n; k++) {
        cross(x->w, f->a + 3 * (size_t)k, across);
        sum += rt_v3_dot(x->v, f->a + 3 * (size_t)k) * x->rate[k] +
               rt_v3_dot(x->v, across) * x->q[k] +
               of_moment(x->w, f->B + 9 * (size_t)k) * x->rate[k] +
               of_second(x->w, f->B + 9 * (size_t)k) * x->q[k] +
               rt_v3_dot(x->w, f->h + 3 * (size_t)k) * x->rate[k];
        if (f->J1) sum += of_matrix(x->w, f->J1 + 9 * (size_t)k, x->w) * x->q[k] / 2;
    }
    return sum;
}

/* Those of the pairs of coordinates, elastic energy and dissipation too. */
static double energy_of_pairs(const rt_flexible *f, const motion *x)
{
    const rt_pattern *p = &f->pattern;
    double sum = 0;
    for (int l = 0; l < f->n; l++)
        for (int e = p->start[l]; e < p->start[l + 1]; e++) {
            const double qq = x->q[p->row[e]] * x->q[l], qr = x->q[p->row[e]] * x->rate[l];
            const double rr = x->rate[p->row[e]] * x->rate[l];
            const double *N = f->N + 9 * (size_t)e;
            sum += (N[0] + N[4] + N[8] + f->M[e]) * rr / 2 + of_moment(x->w, N) * qr +
                   of_second(x->w, N) * qq / 2 + f->K[e] * qq / 2 + f->D[e] * rr / 2;
            if (f->J2) sum += of_matrix(x->w, f->J2 + 9 * (size_t)e, x->w) * qq / 2;
            if (f->H_even) sum += rt_v3_dot(x->w, f->H_even + 3 * (size_t)e) * qr;
            if (f->H_odd) sum += rt_v3_dot(x->w, f->H_odd + 3 * (size_t)e) * qr;
            if (f->a2) sum += rt_v3_dot(x->v, f->a2 + 3 * (size_t)e) * qr;
            if (f->B2)
                sum += of_moment(x->w, f->B2 + 9 * (size_t)e) * qr +
                       of_second(x->w, f->B2 + 9 * (size_t)e) * qq / 2;
        }
    return sum;
}

static motion motion_of(const rt_flexible *f, random_stream *stream, rt_arena *arena)
{
    motion x = {.q = RT_TAKE(arena, double, f->n), .rate = RT_TAKE(arena, double, f->n)};
    assert_true(x.q && x.rate);
    random_reals(stream, 3, x.v);
    random_reals(stream, 3, x.w);
    random_reals(stream, f->n, x.q);
    random_reals(stream, f->n, x.rate);
    return x;
}

/* Along y of a node, say, is along D A e_y = D_y (D A D) e_y of the image's node; an axial vector
 * has the sign of D besides. */
static motion reflected(const rt_flexible *f, const motion *x, const int D[3], rt_arena *arena)
{
    motion y = {.q = RT_TAKE(arena, double, f->n), .rate = RT_TAKE(arena, double, f->n)};
    assert_true(y.q && y.rate);
    for (int i = 0; i < 3; i++) y.v[i] = D[i] * x->v[i], y.w[i] = -D[i] * x->w[i];
    for (int k = 0; k < f->n; k++) {
        const int own = direction_of(f, k), sign = own < 3 ? D[own] : -D[own - 3];
        y.q[k] = sign * x->q[k];
        y.rate[k] = sign * x->rate[k];
    }
    return y;
}

static void reflected_motions_have_the_same_energies(void **state)
{
    (void)state;
    random_stream stream = {5};
    for (int kind = 0; kind < 4; kind++) {
        rt_arena arena = {0};
        rt_beam beam = oblique_beam(2);
        beam.rotary_inertia = kind & 1;
        beam.stiffening = kind & 2;
        beam.damping_mass = 0.3;
        beam.damping_stiffness = 0.01;
        const rt_flexible *f = make_beam(&beam, &arena);
        for (int m = 0; m < 3; m++) {
            const motion x = motion_of(f, &stream, &arena);
            const rt_flexible *image = image_of(f, mirrors[m], &arena);
            const motion y = reflected(f, &x, mirrors[m], &arena);
            assert_relative(energy_of_coordinates(image, &y), energy_of_coordinates(f, &x), 1e-12);
            assert_relative(energy_of_pairs(image, &y), energy_of_pairs(f, &x), 1e-12);
        }
        rt_arena_free(&arena);
    }
}

static void assert_equal_numbers(const double *a, const double *b, size_t n)
{
    for (size_t k = 0; k < n; k++) assert_true(a[k] == b[k]);
}

static void the_image_of_an_image_is_the_body(void **state)
{
    (void)state;
    rt_arena arena = {0};
    rt_beam beam = oblique_beam(2);
    beam.stiffening = beam.rotary_inertia = true;
    const rt_flexible *f = make_beam(&beam, &arena);
    for (int m = 0; m < 3; m++) {
        const rt_flexible *g = image_of(image_of(f, mirrors[m], &arena), mirrors[m], &arena);
        const size_t n = (size_t)f->n, entries = (size_t)f->pattern.start[f->n];
        assert_equal_numbers(g->first, f->first, 3);
        assert_equal_numbers(g->second, f->second, 9);
        assert_equal_numbers(g->a, f->a, 3 * n);
        assert_equal_numbers(g->B, f->B, 9 * n);
        assert_equal_numbers(g->h, f->h, 3 * n);
        assert_equal_numbers(g->N, f->N, 9 * entries);
        assert_equal_numbers(g->M, f->M, entries);
        assert_equal_numbers(g->K, f->K, entries);
        for (int k = 0; k < f->n_nodes; k++) {
            assert_equal_numbers(g->nodes[k].X, f->nodes[k].X, 3);
            assert_equal_numbers(g->nodes[k].axes, f->nodes[k].axes, 9);
            assert_equal_numbers(g->nodes[k].S, f->nodes[k].S, 3 * (size_t)f->nodes[k].n);
            assert_equal_numbers(g->nodes[k].R, f->nodes[k].R, 3 * (size_t)f->nodes[k].n);
        }
    }
    rt_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coordinates_of_a_node_are_along_its_axes),
        cmocka_unit_test(reflected_motions_have_the_same_energies),
        cmocka_unit_test(the_image_of_an_image_is_the_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
