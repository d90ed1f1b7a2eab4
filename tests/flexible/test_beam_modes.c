/* Frequencies of beams against closed forms, and mean axes against the frame at the first node. */
#include "flexible/dense_beam.h"

#include "base/lapack.h"
#include "elements/flexible_inertia.h"

/* Roots of cos x cosh x = -1 and = 1, of tan x = tanh x. */
static const double clamped_free[3] = {1.8751040687119611, 4.6940911329741746, 7.8547574382376126};
static const double free_free[3] = {4.7300407448627040, 7.8532046240958376, 10.995607838001671};
static const double clamped_pinned[2] = {3.9266023120479188, 7.0685827456287319};

/* The square of a bending frequency of the uniform beam. */
static double bending(const rt_beam *beam, double root, double I)
{
    const double k = root / 2;
    return k * k * k * k * beam->young * I / (beam->density * beam->area);
}

typedef struct beam_case {
    double right[3];
    int n;               /* frequencies looked at */
    double order, least; /* order of convergence; relative error at 8 elements below this */
    int kept[4];         /* directions free at every node: the others are held */
    int n_kept;
    bool tip_held; /* v of the last node */
} beam_case;

/* The relative errors of the case's frequencies. */
static void errors_of(const beam_case *c, int n_elements, double *error)
{
    rt_arena arena = {0};
    const rt_beam beam = some_beam(n_elements);
    const rt_flexible *f = make_beam(&beam, &arena);
    double *squares = zeros((size_t)f->n);
    int *dropped = calloc((size_t)f->n, sizeof *dropped), n_dropped = 0;
    assert_non_null(dropped);
    for (int k = 0; k < f->n; k++) {
        bool keep = false;
        for (int d = 0; d < c->n_kept; d++) keep = keep || c->kept[d] == k % 6;
        if (!keep || (c->tip_held && k == f->n - 5)) dropped[n_dropped++] = k;
    }
    squared_frequencies(f, n_dropped, dropped, squares);
    for (int k = 0; k < c->n; k++) error[k] = sqrt(squares[k] / c->right[k]) - 1;
    free(squares), free(dropped);
    rt_arena_free(&arena);
}

static void check_case(const beam_case *c)
{
    double coarse[3], fine[3];
    errors_of(c, 8, coarse);
    errors_of(c, 16, fine);
    for (int k = 0; k < c->n; k++) {
        assert_true(fine[k] > 0 && coarse[k] < c->least);
        assert_true(fabs(log2(coarse[k] / fine[k]) - c->order) < 0.1);
    }
}

/* Errors from above: of order h^4 in bending (k h)^4 / 1440, h^2 in stretch, torsion (k h)^2 / 24,
 * k the wave number. */
static void cantilever_frequencies_converge(void **state)
{
    (void)state;
    const rt_beam beam = some_beam(1);
    beam_case y = {.n = 3, .order = 4, .least = 1e-3, .kept = {1, 5}, .n_kept = 2};
    beam_case z = {.n = 3, .order = 4, .least = 1e-3, .kept = {2, 4}, .n_kept = 2};
    for (int k = 0; k < 3; k++) {
        y.right[k] = bending(&beam, clamped_free[k], beam.inertia_z);
        z.right[k] = bending(&beam, clamped_free[k], beam.inertia_y);
    }
    check_case(&y);
    check_case(&z);
}

static void propped_frequencies_converge(void **state)
{
    (void)state;
    const rt_beam beam = some_beam(1);
    beam_case y = {
        .n = 2, .order = 4, .least = 1e-3, .kept = {1, 5}, .n_kept = 2, .tip_held = true};
    for (int k = 0; k < 2; k++) y.right[k] = bending(&beam, clamped_pinned[k], beam.inertia_z);
    check_case(&y);
}

static void stretch_and_torsion_converge(void **state)
{
    (void)state;
    const rt_beam beam = some_beam(1);
    const double polar = beam.density * (beam.inertia_y + beam.inertia_z), pi = acos(-1);
    beam_case x = {.n = 2, .order = 2, .least = 0.02, .kept = {0}, .n_kept = 1};
    beam_case rx = {.n = 2, .order = 2, .least = 0.02, .kept = {3}, .n_kept = 1};
    for (int k = 0; k < 2; k++) {
        const double wave = (2 * k + 1) * pi / 4;
        x.right[k] = wave * wave * beam.young / beam.density;
        rx.right[k] = wave * wave * beam.shear * beam.torsion / polar;
    }
    check_case(&x);
    check_case(&rx);
}

/* ---- mean axes ----------------------------------------------------------------------- */

static const rt_flexible *mean_axes(rt_beam beam, int n_modes, rt_arena *arena)
{
    beam.frame = RT_BEAM_MEAN_AXIS;
    beam.n_modes = n_modes;
    return make_beam(&beam, arena);
}

static double stiffness_of(const rt_flexible *f, int mode) { return f->K[f->n * mode + mode]; }

/* The lowest bends the thin side, the second the thick one. */
static void free_frequencies_converge(void **state)
{
    (void)state;
    double error[2];
    for (int pass = 0; pass < 2; pass++) {
        rt_arena arena = {0};
        const rt_beam beam = some_beam(pass ? 20 : 10);
        const rt_flexible *f = mean_axes(beam, 2, &arena);
        assert_int_equal(f->n, 2);
        assert_relative(stiffness_of(f, 1), bending(&beam, free_free[0], beam.inertia_z), 1e-4);
        error[pass] = stiffness_of(f, 0) / bending(&beam, free_free[0], beam.inertia_y) - 1;
        rt_arena_free(&arena);
    }
    assert_true(error[0] > 0 && error[0] < 1e-4);
    assert_true(fabs(log2(error[0] / error[1]) - 4) < 0.1);
}

/* Of many elements the lowest mode is still right to many digits. */
static void low_modes_of_fine_beams_are_accurate(void **state)
{
    (void)state;
    rt_arena arena = {0};
    rt_beam beam = some_beam(100);
    beam.planar = true;
    const rt_flexible *f = mean_axes(beam, 3, &arena);
    for (int k = 0; k < 3; k++)
        assert_relative(stiffness_of(f, k), bending(&beam, free_free[k], beam.inertia_z), 1e-6);
    rt_arena_free(&arena);
}

/* int S dm = 0, int X x S dm + int j R dm = 0, unit mass, K diagonal, all in the order of K */
static void modes_have_no_momentum(void **state)
{
    (void)state;
    for (int planar = 0; planar < 2; planar++) {
        rt_arena arena = {0};
        rt_beam beam = oblique_beam(planar ? 40 : 5);
        beam.planar = planar;
        beam.rotary_inertia = true;
        const rt_flexible *f = mean_axes(beam, 0, &arena);
        double *M = dense_mass(f);
        assert_int_equal(f->n, planar ? 120 : 30);
        for (int k = 0; k < f->n; k++) {
            const double *B = f->B + 9 * k, *h = f->h + 3 * k;
            const double turn[3] = {B[5] - B[7] + h[0], B[6] - B[2] + h[1], B[1] - B[3] + h[2]};
            for (int i = 0; i < 3; i++) {
                assert_true(fabs(f->a[3 * k + i]) < 1e-13);
                assert_true(fabs(turn[i]) < 1e-13);
            }
            for (int l = 0; l < f->n; l++) {
                assert_true(fabs(M[f->n * l + k] - (k == l)) < 1e-9);
                if (k != l) assert_true(f->K[f->n * l + k] == 0);
            }
            if (k > 0) assert_true(stiffness_of(f, k) >= stiffness_of(f, k - 1));
            assert_true(f->coordinate[k].kind == RT_ELASTIC_AMPLITUDE);
        }
        assert_string_equal(f->coordinate[2].name, "mode 3");
        free(M);
        rt_arena_free(&arena);
    }
}

/* D = m M + s K of the modes too, M being the unit matrix: rotary inertia is part of it. */
static void damping_of_modes_is_that_of_rayleigh(void **state)
{
    (void)state;
    rt_arena arena = {0};
    rt_beam beam = oblique_beam(5);
    beam.rotary_inertia = true;
    beam.damping_mass = 0.3, beam.damping_stiffness = 2e-4;
    const rt_flexible *f = mean_axes(beam, 0, &arena);
    double *M = dense_mass(f), *D = dense(f, f->D);
    for (int k = 0; k < f->n; k++)
        for (int l = 0; l < f->n; l++) {
            const int at = f->n * l + k;
            assert_true(fabs(M[at] - (k == l)) < 1e-9);
            assert_true(fabs(D[at] - 0.3 * M[at] - 2e-4 * f->K[at]) <= 1e-10 * (1 + fabs(D[at])));
        }
    free(M), free(D);
    rt_arena_free(&arena);
}

static void parts_make_up_the_modes(void **state)
{
    (void)state;
    rt_arena arena = {0};
    const rt_flexible *f = mean_axes(oblique_beam(6), 8, &arena);
    for (int k = 0; k < 8; k++)
        for (int l = 0; l < 8; l++) {
            double sum = 0;
            for (int p = 0; p < f->n_parts; p++) sum += f->parts[p].k[8 * k + l];
            assert_true(fabs(sum - f->K[8 * l + k]) < 1e-8 * stiffness_of(f, 7));
        }
    rt_arena_free(&arena);
}

/* `size` is the largest displacement of a node; modes of torsion count their turns at the radius
 * of gyration. */
static void sizes_are_largest_displacements(void **state)
{
    (void)state;
    rt_arena arena = {0};
    const rt_beam beam = some_beam(6);
    const rt_flexible *f = mean_axes(beam, 0, &arena);
    const double radius = sqrt((beam.inertia_y + beam.inertia_z) / beam.area);
    for (int k = 0; k < f->n; k++) {
        double largest = 0, turn = 0;
        for (int node = 0; node < f->n_nodes; node++)
            for (int i = 0; i < 3; i++) {
                largest = fmax(largest, fabs(f->nodes[node].S[f->n * i + k]));
                turn = fmax(turn, fabs(f->nodes[node].R[f->n * i + k]));
            }
        if (largest > 0)
            assert_true(f->coordinate[k].size >= largest);
        else
            assert_relative(f->coordinate[k].size, radius * turn, 1e-14);
        assert_true(f->coordinate[k].size > 0);
    }
    rt_arena_free(&arena);
}

/* Mass and stiffness matrices of the free body at rest by (dr, dtheta, q), column-major. */
static void free_body(const rt_flexible *f, double *M, double *K)
{
    const int n_q = f->n, n = n_q + 6;
    const rt_pattern *p = &f->pattern;
    double *x[3], *y[3], *z[3], *rest = zeros((size_t)n_q), *r = zeros((size_t)n_q);
    const double none[3] = {0};
    const rt_elastic_state state = {rest, rest, rest};
    rt_flexible_result v = {.elastic = r};
    for (int level = 0; level < 3; level++) {
        v.by_elastic[level] = x[level] = zeros(6 * (size_t)n_q);
        v.by_frame[level] = y[level] = zeros(6 * (size_t)n_q);
        v.inner[level] = z[level] = zeros((size_t)p->start[n_q]);
    }
    rt_flexible_evaluate(f, NULL, &rt_ground_frame, &state, none, true, &v);
    for (int level = 0; level < 3; level += 2) {
        double *to = level ? M : K;
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++) to[n * j + i] = v.frame[level][6 * i + j];
        for (int k = 0; k < n_q; k++)
            for (int i = 0; i < 6; i++) {
                to[n * (6 + k) + i] = x[level][n_q * i + k];
                to[n * i + 6 + k] = y[level][6 * k + i];
            }
        for (int k = 0; k < n_q; k++)
            for (int e = p->start[k]; e < p->start[k + 1]; e++)
                to[n * (6 + k) + 6 + p->row[e]] = z[level][e];
    }
    for (int level = 0; level < 3; level++) free(x[level]), free(y[level]), free(z[level]);
    free(rest), free(r);
}

/* Squares of the frequencies of the free body, ascending */
static double *free_squares(const rt_flexible *f)
{
    const int n = f->n + 6;
    double *M = zeros((size_t)n * (size_t)n), *K = zeros((size_t)n * (size_t)n);
    double *squares = zeros((size_t)n);
    free_body(f, M, K);
    assert_int_equal(rt_symmetric_generalized_eigen(n, K, M, squares, NULL), ROUTH_OK);
    free(M), free(K);
    return squares;
}

static void a_free_body_vibrates_the_same_in_either_frame(void **state)
{
    (void)state;
    for (int rotary = 0; rotary < 2; rotary++) {
        rt_arena arena = {0};
        rt_beam beam = oblique_beam(4);
        beam.rotary_inertia = rotary;
        const rt_flexible *tangent = make_beam(&beam, &arena), *mean = mean_axes(beam, 0, &arena);
        double *one = free_squares(tangent), *other = free_squares(mean);
        assert_int_equal(tangent->n, mean->n);
        const double largest = one[tangent->n + 5];
        for (int k = 0; k < tangent->n + 6; k++)
            assert_true(fabs(one[k] - other[k]) < 1e-12 * largest);
        for (int k = 0; k < mean->n; k++)
            assert_true(fabs(stiffness_of(mean, k) - one[6 + k]) < 1e-12 * largest);
        free(one), free(other);
        rt_arena_free(&arena);
    }
}

/* A round section bends alike in all directions: the modes are still in the planes of y and z. */
static void modes_of_round_beams_are_apart(void **state)
{
    (void)state;
    rt_arena arena = {0};
    rt_beam beam = some_beam(6);
    beam.inertia_y = beam.inertia_z;
    const rt_flexible *f = mean_axes(beam, 4, &arena);
    for (int k = 0; k < 4; k++)
        for (int node = 0; node < f->n_nodes; node++)
            assert_true(f->nodes[node].S[4 * (k % 2 ? 1 : 2) + k] == 0);
    rt_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cantilever_frequencies_converge),
        cmocka_unit_test(propped_frequencies_converge),
        cmocka_unit_test(stretch_and_torsion_converge),
        cmocka_unit_test(free_frequencies_converge),
        cmocka_unit_test(low_modes_of_fine_beams_are_accurate),
        cmocka_unit_test(modes_have_no_momentum),
        cmocka_unit_test(damping_of_modes_is_that_of_rayleigh),
        cmocka_unit_test(parts_make_up_the_modes),
        cmocka_unit_test(sizes_are_largest_displacements),
        cmocka_unit_test(a_free_body_vibrates_the_same_in_either_frame),
        cmocka_unit_test(modes_of_round_beams_are_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
