/* Beams: matrices of textbooks, exact deflections, moments against pieces of the beam, bars. */
#include "flexible/dense_beam.h"

#include "base/lapack.h"
#include "elements/flexible_inertia.h"
#include "support/random_frames.h"

static double entry(const rt_flexible *f, const double *X, const char *row, const char *column)
{
    int k = 0, l = 0;
    while (strcmp(f->coordinate[k].name, row)) k++;
    while (strcmp(f->coordinate[l].name, column)) l++;
    return X[f->n * l + k];
}

/* Przemieniecki, sec. 11.3: m/420 (156, 22 l, 4 l^2, 54, -13 l, -3 l^2), m/6 (2, 1) */
static void the_mass_matrix_is_the_consistent_one(void **state)
{
    (void)state;
    rt_arena arena = {0};
    const rt_beam beam = some_beam(2);
    const rt_flexible *f = make_beam(&beam, &arena);
    const double l = 1, m = beam.density * beam.area * l;
    const double polar = beam.density * (beam.inertia_y + beam.inertia_z) * l;
    double *M = dense_mass(f);
    assert_int_equal(f->n, 12);
    for (int plane = 0; plane < 2; plane++) {
        const char *v2 = plane ? "2.z" : "2.y", *v3 = plane ? "3.z" : "3.y";
        const char *r2 = plane ? "2.ry" : "2.rz", *r3 = plane ? "3.ry" : "3.rz";
        const double sign = plane ? -1 : 1;
        assert_relative(entry(f, M, v3, v3), 156 * m / 420, 1e-14);
        assert_relative(entry(f, M, v2, v2), 312 * m / 420, 1e-14);
        assert_relative(entry(f, M, v3, r3), -sign * 22 * l * m / 420, 1e-14);
        assert_relative(entry(f, M, r3, r3), 4 * l * l * m / 420, 1e-14);
        assert_relative(entry(f, M, v2, v3), 54 * m / 420, 1e-14);
        assert_relative(entry(f, M, v2, r3), -sign * 13 * l * m / 420, 1e-14);
        assert_relative(entry(f, M, r2, v3), sign * 13 * l * m / 420, 1e-14);
        assert_relative(entry(f, M, r2, r3), -3 * l * l * m / 420, 1e-14);
        assert_true(fabs(entry(f, M, v2, r2)) < 1e-15);
    }
    assert_relative(entry(f, M, "3.x", "3.x"), m / 3, 1e-14);
    assert_relative(entry(f, M, "2.x", "3.x"), m / 6, 1e-14);
    assert_relative(entry(f, M, "3.rx", "3.rx"), polar / 3, 1e-14);
    free(M);
    rt_arena_free(&arena);
}

/* Rotary inertia of bending: rho I / (30 l) (36, 3 l, 4 l^2) */
static void rotary_inertia_is_added(void **state)
{
    (void)state;
    rt_arena arena = {0};
    rt_beam beam = some_beam(1);
    const double l = 2, I = beam.density * beam.inertia_z;
    double *M = dense_mass(make_beam(&beam, &arena));
    beam.rotary_inertia = true;
    const rt_flexible *f = make_beam(&beam, &arena);
    double *with = dense_mass(f);
    assert_relative(entry(f, with, "2.y", "2.y") - entry(f, M, "2.y", "2.y"), 36 * I / (30 * l),
                    1e-10);
    assert_relative(entry(f, with, "2.rz", "2.rz") - entry(f, M, "2.rz", "2.rz"),
                    4 * l * l * I / (30 * l), 1e-10);
    assert_relative(entry(f, with, "2.y", "2.rz") - entry(f, M, "2.y", "2.rz"),
                    -3 * l * I / (30 * l), 1e-10);
    assert_relative(f->rotary[8], I * l, 1e-14);
    free(M), free(with);
    rt_arena_free(&arena);
}

/* Displacement of the tip's coordinate `at` under the unit load on the coordinate `load`. */
static double flexibility(const rt_flexible *f, const char *at, const char *load)
{
    double *K = dense(f, f->K), *x = zeros((size_t)f->n);
    int *pivots = calloc((size_t)f->n, sizeof *pivots), k = 0;
    assert_non_null(pivots);
    while (strcmp(f->coordinate[k].name, load)) k++;
    x[k] = 1;
    assert_int_equal(rt_lu_factor(f->n, K, pivots, NULL), ROUTH_OK);
    assert_int_equal(rt_lu_solve(f->n, K, pivots, 1, x, 0, NULL), ROUTH_OK);
    for (k = 0; strcmp(f->coordinate[k].name, at);) k++;
    const double found = x[k];
    free(K), free(x), free(pivots);
    return found;
}

static void tip_deflections_are_exact(void **state)
{
    (void)state;
    rt_arena arena = {0};
    const rt_beam beam = some_beam(7);
    const rt_flexible *f = make_beam(&beam, &arena);
    const double l = 2, E = beam.young, y = E * beam.inertia_z, z = E * beam.inertia_y;
    assert_relative(flexibility(f, "8.y", "8.y"), l * l * l / (3 * y), 1e-10);
    assert_relative(flexibility(f, "8.rz", "8.y"), l * l / (2 * y), 1e-10);
    assert_relative(flexibility(f, "8.rz", "8.rz"), l / y, 1e-10);
    assert_relative(flexibility(f, "8.z", "8.z"), l * l * l / (3 * z), 1e-10);
    assert_relative(flexibility(f, "8.ry", "8.z"), -l * l / (2 * z), 1e-10);
    assert_relative(flexibility(f, "8.x", "8.x"), l / (E * beam.area), 1e-10);
    assert_relative(flexibility(f, "8.rx", "8.rx"), l / (beam.shear * beam.torsion), 1e-10);
    assert_true(fabs(flexibility(f, "8.z", "8.y")) < 1e-15);
    rt_arena_free(&arena);
}

/* ---- the beam in pieces -------------------------------------------------------------- */

static const double nodes7[7] = {
    0.025446043828620738, 0.12923440720030278, 0.29707742431130142, 0.5,
    0.70292257568869858,  0.87076559279969722, 0.97455395617137926};
static const double weights7[7] = {0.064742483084434847, 0.13985269574463834, 0.19091502525255947,
                                   0.20897959183673470,  0.19091502525255947, 0.13985269574463834,
                                   0.064742483084434847};

/* The cubic with these values and slopes at 0 and l, and its slope, at x. */
static void cubic(const double ends[4], double l, double x, double *value, double *slope)
{
    const double rise = (ends[2] - ends[0]) / l;
    const double second = (3 * rise - 2 * ends[1] - ends[3]) / l;
    const double third = (ends[1] + ends[3] - 2 * rise) / (l * l);
    *value = ends[0] + x * (ends[1] + x * (second + x * third));
    *slope = ends[1] + x * (2 * second + x * 3 * third);
}

/* Displacement and turn, in the beam's axes, by the coordinates of both ends (u v w rx ry rz). */
static void field(const double left[6], const double right[6], double l, double x, double s[3],
                  double turn[3])
{
    const double y[4] = {left[1], left[5], right[1], right[5]};
    const double z[4] = {left[2], -left[4], right[2], -right[4]};
    s[0] = left[0] + x / l * (right[0] - left[0]);
    turn[0] = left[3] + x / l * (right[3] - left[3]);
    cubic(y, l, x, &s[1], &turn[2]);
    cubic(z, l, x, &s[2], &turn[1]);
    turn[1] = -turn[1];
}

typedef struct pieces {
    double kinetic, mass, moment[3];
} pieces;

/* Velocity of the piece at s (frame's axes) with the rate s_t, squared */
static double speed_squared(const double v[3], const double w[3], const double s[3],
                            const double s_t[3])
{
    double speed[3];
    rt_v3_add(speed, v, s_t);
    rt_v3_cross_add(speed, w, s);
    return rt_v3_dot(speed, speed);
}

static void take_end(const double *q, int node, double end[6])
{
    memset(end, 0, 6 * sizeof *end);
    if (node > 0) memcpy(end, q + 6 * (node - 1), 6 * sizeof *end);
}

/* Of a section turned by psi, in its own axes W = w + psi' + w x psi + 1/2 psi x (psi x w - psi'):
 * 1/2 W.j W to second order in psi and psi'. Without rotary inertia it is turned by twist alone. */
static double turning_energy(const rt_beam *beam, const double w[3], const double psi[3],
                             const double rate[3])
{
    const double Iy = beam->inertia_y, Iz = beam->inertia_z;
    const double j[3] = {Iy + Iz, beam->rotary_inertia ? Iy : 0, beam->rotary_inertia ? Iz : 0};
    double first[3], x[3], second[3], sum = 0;
    if (!beam->rotary_inertia) return j[0] * pow(w[0] + rate[0], 2) / 2;
    rt_v3_copy(first, rate);
    rt_v3_cross_add(first, w, psi);
    rt_v3_cross(x, psi, w);
    rt_v3_sub(x, x, rate);
    rt_v3_cross(second, psi, x);
    for (int i = 0; i < 3; i++) sum += j[i] * (pow(w[i] + first[i], 2) + w[i] * second[i]) / 2;
    return sum;
}

/* v, w in the frame's axes */
static pieces sum_pieces(const rt_beam *beam, const double axes[9], const double *q,
                         const double *u, const double v[3], const double w[3])
{
    pieces sum = {0};
    double along[3], w_beam[3];
    rt_v3_sub(along, beam->to, beam->from);
    rt_m3_tmul_v(w_beam, axes, w);
    const double l = rt_v3_norm(along) / beam->n_elements, rho = beam->density;
    for (int e = 0; e < beam->n_elements; e++)
        for (int k = 0; k < 7; k++) {
            double q1[6], q2[6], u1[6], u2[6], local[3], psi[3], rate[3], s[3], s_t[3];
            const double dx = weights7[k] * l, dm = rho * beam->area * dx;
            take_end(q, e, q1), take_end(q, e + 1, q2);
            take_end(u, e, u1), take_end(u, e + 1, u2);
            field(q1, q2, l, nodes7[k] * l, local, psi);
            rt_m3_mul_v(s, axes, local);
            rt_v3_add(s, s, beam->from);
            rt_v3_add_scaled(s, (e + nodes7[k]) / beam->n_elements, along);
            field(u1, u2, l, nodes7[k] * l, local, rate);
            rt_m3_mul_v(s_t, axes, local);
            sum.mass += dm;
            rt_v3_add_scaled(sum.moment, dm, s);
            sum.kinetic += dm * speed_squared(v, w, s, s_t) / 2;
            sum.kinetic += rho * dx * turning_energy(beam, w_beam, psi, rate);
        }
    return sum;
}

static void its_moments_are_those_of_its_pieces(void **state)
{
    (void)state;
    enum { N = 18 };
    random_stream stream = {41};
    for (int trial = 0; trial < 100; trial++) {
        rt_arena arena = {0};
        rt_beam beam = oblique_beam(3);
        beam.rotary_inertia = trial % 2;
        beam.inertia_y *= 1000, beam.inertia_z *= 1000; /* so that turning counts */
        const rt_flexible *f = make_beam(&beam, &arena);
        double q[N], u[N], v[3], w[3], mass, centre[3], inertia[9];
        const double none[3] = {0};
        rt_frame frame = random_frame(&stream, MOTION_VELOCITY);
        random_reals(&stream, N, q);
        random_reals(&stream, N, u);
        rt_m3_tmul_v(v, frame.A, frame.v);
        rt_m3_tmul_v(w, frame.A, frame.w);
        assert_int_equal(f->n, N);
        const pieces sum = sum_pieces(&beam, f->nodes[1].axes, q, u, v, w);
        const rt_elastic_state elastic = {q, u, u};
        assert_relative(rt_flexible_energies(f, &frame, &elastic, none).kinetic, sum.kinetic,
                        1e-12);
        rt_flexible_mass_properties(f, q, &mass, centre, inertia);
        assert_relative(mass, sum.mass, 1e-13);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(mass * centre[i] - sum.moment[i]) < 1e-13 * 10 * mass);
        rt_arena_free(&arena);
    }
}

/* A plane beam is the spatial one whose other coordinates rest. */
static void a_plane_beam_is_part_of_the_spatial_one(void **state)
{
    (void)state;
    static const int part[3] = {0, 1, 5};
    rt_arena arena = {0};
    rt_beam beam = oblique_beam(4);
    beam.rotary_inertia = true;
    const rt_flexible *space = make_beam(&beam, &arena);
    beam.planar = true;
    const rt_flexible *plane = make_beam(&beam, &arena);
    double *M = dense_mass(space), *K = dense(space, space->K);
    double *M2 = dense_mass(plane), *K2 = dense(plane, plane->K);
    assert_int_equal(plane->n, 12);
    for (int k = 0; k < 12; k++) {
        const int row = 6 * (k / 3) + part[k % 3];
        assert_string_equal(plane->coordinate[k].name, space->coordinate[row].name);
        assert_true(plane->coordinate[k].kind == space->coordinate[row].kind);
        for (int i = 0; i < 9; i++) assert_true(plane->B[9 * k + i] == space->B[9 * row + i]);
        for (int l = 0; l < 12; l++) {
            const int column = 6 * (l / 3) + part[l % 3];
            assert_true(M2[12 * l + k] == M[24 * column + row]);
            assert_true(K2[12 * l + k] == K[24 * column + row]);
        }
    }
    free(M), free(K), free(M2), free(K2);
    rt_arena_free(&arena);
}

static double quadratic(const double *X, int n, const double *x)
{
    double sum = 0;
    for (int l = 0; l < n; l++)
        for (int k = 0; k < n; k++) sum += x[k] * X[n * l + k] * x[l];
    return sum;
}

static double parts_energy(const rt_flexible *f, const double *q)
{
    double sum = 0;
    for (int p = 0; p < f->n_parts; p++) {
        const rt_flexible_part *part = &f->parts[p];
        for (int x = 0; x < part->n; x++)
            for (int y = 0; y < part->n; y++)
                sum += q[part->column[x]] * part->k[part->n * x + y] * q[part->column[y]] / 2;
    }
    return sum;
}

static void parts_make_up_the_stiffness(void **state)
{
    (void)state;
    random_stream stream = {42};
    rt_arena arena = {0};
    for (int stiffening = 0; stiffening < 2; stiffening++) {
        rt_beam beam = oblique_beam(4);
        beam.stiffening = stiffening;
        const rt_flexible *f = make_beam(&beam, &arena);
        double *K = dense(f, f->K), q[24];
        random_reals(&stream, 24, q);
        assert_int_equal(f->n_parts, 4);
        assert_relative(parts_energy(f, q), quadratic(K, 24, q) / 2, 1e-12);
        free(K);
    }
    rt_arena_free(&arena);
}

/* D = m M + s K, of the stretch that a bar has as well */
static void damping_is_that_of_rayleigh(void **state)
{
    (void)state;
    rt_arena arena = {0};
    rt_beam beam = oblique_beam(3);
    beam.planar = true, beam.damping_mass = 0.3, beam.damping_stiffness = 2e-4;
    const rt_flexible *linear = make_beam(&beam, &arena);
    beam.stiffening = true;
    const rt_flexible *stiff = make_beam(&beam, &arena);
    double *M = dense_mass(linear), *K = dense(linear, linear->K);
    double *D = dense(linear, linear->D), *D2 = dense(stiff, stiff->D);
    for (int k = 0; k < linear->n * linear->n; k++) {
        assert_true(fabs(D[k] - 0.3 * M[k] - 2e-4 * K[k]) <= 1e-14 * fabs(D[k]) + 1e-12);
    }
    for (int s = 0; s < stiff->n_bars; s++) {
        const rt_bar *bar = &stiff->bars[s];
        assert_relative(bar->damping, 2e-4 * bar->stiffness, 1e-15);
        for (int x = 0; x < bar->n; x++)
            for (int y = 0; y < bar->n; y++)
                D2[stiff->n * bar->column[y] + bar->column[x]] +=
                    bar->damping * bar->c[x] * bar->c[y];
    }
    for (int k = 0; k < linear->n * linear->n; k++)
        assert_true(fabs(D[k] - D2[k]) <= 1e-14 * fabs(D[k]) + 1e-12);
    free(M), free(K), free(D), free(D2);
    rt_arena_free(&arena);
}

/* ---- bars ---------------------------------------------------------------------------- */

/* Mean of u' + (v'^2 + w'^2) / 2 over an element, by 7 points. */
static double mean_strain(const double left[6], const double right[6], double l)
{
    double strain = (right[0] - left[0]) / l;
    for (int k = 0; k < 7; k++) {
        double s[3], turn[3];
        field(left, right, l, nodes7[k] * l, s, turn);
        strain += weights7[k] * (turn[1] * turn[1] + turn[2] * turn[2]) / 2;
    }
    return strain;
}

/* Of a plane beam */
static void take_plane_end(const double *q, int node, double end[6])
{
    memset(end, 0, 6 * sizeof *end);
    if (node == 0) return;
    const double *x = q + 3 * (node - 1);
    end[0] = x[0], end[1] = x[1], end[5] = x[2];
}

static void a_bar_has_the_mean_strain(void **state)
{
    (void)state;
    enum { N = 9 };
    random_stream stream = {43};
    rt_arena arena = {0};
    rt_beam beam = oblique_beam(3);
    beam.planar = beam.stiffening = true;
    const rt_flexible *f = make_beam(&beam, &arena);
    const double l = sqrt(0.64 + 2.25 + 0.81) / 3, stiffness = beam.young * beam.area * l;
    const double none[N] = {0};
    double q[N], *K = dense(f, f->K), energy = 0;
    random_reals(&stream, N, q);
    for (int e = 0; e < 3; e++) {
        double left[6], right[6];
        take_plane_end(q, e, left), take_plane_end(q, e + 1, right);
        energy += stiffness * pow(mean_strain(left, right, l), 2) / 2;
    }
    energy += quadratic(K, N, q) / 2;
    const rt_elastic_state elastic = {q, none, none};
    assert_int_equal(f->n_bars, 3);
    assert_relative(rt_flexible_energies(f, &rt_ground_frame, &elastic, none).elastic, energy,
                    1e-12);
    free(K);
    rt_arena_free(&arena);
}

/* - int (v' v_t' + w' w_t') from 0 to x of an element, slopes and their rates by its ends */
static double shortening(const double *const q[2], const double *const u[2], double l, double x)
{
    double sum = 0;
    for (int k = 0; k < 7; k++) {
        double s[3], turn[3], rate[3];
        field(q[0], q[1], l, nodes7[k] * x, s, turn);
        field(u[0], u[1], l, nodes7[k] * x, s, rate);
        sum -= weights7[k] * x * (turn[1] * rate[1] + turn[2] * rate[2]);
    }
    return sum;
}

/* Moments of the places X: int s2 dm, int (v + w x X).(w x s2 + s2') dm; the frame's axes. */
static void sum_second(const rt_beam *beam, const double axis[3], const double *q, const double *u,
                       const double v[3], const double w[3], double moment[3], double *kinetic)
{
    double along[3];
    rt_v3_sub(along, beam->to, beam->from);
    const double l = rt_v3_norm(along) / beam->n_elements;
    for (int e = 0; e < beam->n_elements; e++)
        for (int k = 0; k < 7; k++) {
            double ends[4][6], X[3], s2[3] = {0}, moved[3] = {0}, carried[3];
            take_end(q, e, ends[0]), take_end(q, e + 1, ends[1]);
            take_end(u, e, ends[2]), take_end(u, e + 1, ends[3]);
            const double *const at[2] = {ends[0], ends[1]}, *const rate[2] = {ends[2], ends[3]};
            const double part = nodes7[k], dm = beam->density * beam->area * weights7[k] * l;
            const double second = shortening(at, at, l, part * l) - part * shortening(at, at, l, l);
            rt_v3_add_scaled(s2, second / 2, axis);
            rt_v3_add_scaled(
                moved, shortening(at, rate, l, part * l) - part * shortening(at, rate, l, l), axis);
            rt_v3_cross_add(moved, w, s2);
            rt_v3_copy(X, beam->from);
            rt_v3_add_scaled(X, (e + part) / beam->n_elements, along);
            rt_v3_cross(carried, w, X);
            rt_v3_add(carried, carried, v);
            rt_v3_add_scaled(moment, dm, s2);
            *kinetic += dm * rt_v3_dot(carried, moved);
        }
}

/* With bars the pieces move along the axis, so that the strain is the bar's everywhere. */
static void with_bars_its_pieces_move_along(void **state)
{
    (void)state;
    enum { N = 18 };
    random_stream stream = {44};
    static const double none[3];
    rt_arena arena = {0};
    rt_beam beam = oblique_beam(3);
    const rt_flexible *without = make_beam(&beam, &arena);
    beam.stiffening = true;
    const rt_flexible *f = make_beam(&beam, &arena);
    assert_null(without->a2);
    assert_null(without->B2);
    for (int trial = 0; trial < 100; trial++) {
        double q[N], u[N], v[3], w[3], axis[3], mass, centre[2][3], inertia[9], moment[3] = {0};
        double kinetic = 0;
        const rt_frame frame = random_frame(&stream, MOTION_VELOCITY);
        random_reals(&stream, N, q);
        random_reals(&stream, N, u);
        rt_m3_tmul_v(v, frame.A, frame.v);
        rt_m3_tmul_v(w, frame.A, frame.w);
        rt_m3_column(axis, f->nodes[1].axes, 0);
        sum_second(&beam, axis, q, u, v, w, moment, &kinetic);
        const rt_elastic_state elastic = {q, u, u};
        const double with_s2 = rt_flexible_energies(f, &frame, &elastic, none).kinetic;
        const double before = rt_flexible_energies(without, &frame, &elastic, none).kinetic;
        assert_true(fabs(with_s2 - before - kinetic) <= 1e-13 * (with_s2 + before));
        rt_flexible_mass_properties(f, q, &mass, centre[0], inertia);
        rt_flexible_mass_properties(without, q, &mass, centre[1], inertia);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(centre[0][i] - centre[1][i] - moment[i] / mass) < 1e-14 * 10);
    }
    rt_arena_free(&arena);
}

/* What is not deformed has with bars the stiffness it has without. */
static void bars_stretch_as_the_matrix_does(void **state)
{
    (void)state;
    rt_arena arena = {0};
    rt_beam beam = oblique_beam(3);
    beam.planar = true;
    const rt_flexible *linear = make_beam(&beam, &arena);
    beam.stiffening = true;
    const rt_flexible *stiff = make_beam(&beam, &arena);
    double *K = dense(linear, linear->K), *with = dense(stiff, stiff->K);
    for (int b = 0; b < stiff->n_bars; b++) {
        const rt_bar *bar = &stiff->bars[b];
        for (int x = 0; x < bar->n; x++)
            for (int y = 0; y < bar->n; y++)
                with[stiff->n * bar->column[y] + bar->column[x]] +=
                    bar->stiffness * bar->c[x] * bar->c[y];
    }
    for (int k = 0; k < linear->n * linear->n; k++)
        assert_true(fabs(with[k] - K[k]) <= 1e-13 * fabs(K[k]));
    free(K), free(with);
    rt_arena_free(&arena);
}

/* ---- nodes --------------------------------------------------------------------------- */

static void nodes_know_their_place(void **state)
{
    (void)state;
    rt_arena arena = {0};
    const rt_beam beam = oblique_beam(4);
    const rt_flexible *f = make_beam(&beam, &arena);
    assert_int_equal(f->n_nodes, 5);
    assert_int_equal(rt_flexible_find_node(f, 0), -1);
    assert_int_equal(rt_flexible_find_node(f, 6), -1);
    for (int k = 0; k < 5; k++) {
        const rt_flexible_node *node = &f->nodes[k];
        assert_int_equal(rt_flexible_find_node(f, k + 1), k);
        assert_int_equal(node->n, k ? 6 : 0);
        for (int i = 0; i < 3; i++) {
            assert_true(fabs(node->X[i] - beam.from[i] - k / 4. * (beam.to[i] - beam.from[i])) <
                        1e-15);
            for (int d = 0; d < node->n; d++) {
                assert_true(node->S[6 * i + d] == (d < 3 ? node->axes[3 * i + d] : 0));
                assert_true(node->R[6 * i + d] == (d < 3 ? 0 : node->axes[3 * i + d - 3]));
                assert_int_equal(node->column[d], 6 * (k - 1) + d);
            }
        }
        /* x along the beam, y towards the side */
        double x[3], y[3], z[3], along[3];
        rt_v3_sub(along, beam.to, beam.from);
        rt_m3_column(x, node->axes, 0), rt_m3_column(y, node->axes, 1);
        rt_m3_column(z, node->axes, 2);
        assert_relative(rt_v3_dot(x, along), rt_v3_norm(along), 1e-14);
        assert_true(fabs(rt_v3_dot(z, beam.side)) < 1e-15);
        assert_true(rt_v3_dot(y, beam.side) > 0);
        rt_v3_cross(along, x, y);
        assert_relative(rt_v3_dot(along, z), 1, 1e-14);
    }
    rt_arena_free(&arena);
}

static void refuse(rt_beam beam, const char *message)
{
    rt_arena arena = {0};
    const rt_flexible *flexible = NULL;
    routh_error error;
    assert_int_equal(rt_flexible_from_beam(&flexible, &beam, &arena, &error), ROUTH_BAD_ARGUMENT);
    assert_string_equal(error.message, message);
    assert_null(flexible);
    rt_arena_free(&arena);
}

static void impossible_beams_are_refused(void **state)
{
    (void)state;
    rt_beam beam = some_beam(3);
    beam.to[0] = 0;
    refuse(beam, "the beam has no length; give `from` and `to` different points");
    beam = some_beam(3);
    beam.side[0] = 1, beam.side[1] = 0;
    refuse(beam, "the side of the section points along the beam; give a direction across it");
    beam = some_beam(0);
    refuse(beam, "the beam has 0 elements; give from 1 to 100000");
    beam = some_beam(100001);
    refuse(beam, "the beam has 100001 elements; give from 1 to 100000");
    beam = some_beam(3);
    beam.torsion = 0;
    refuse(beam, "the torsion constant is 0 and must be above zero");
    beam = some_beam(3);
    beam.damping_mass = -1;
    refuse(beam, "the mass part of the damping is -1 and must be zero or more");
    beam = some_beam(3);
    beam.frame = RT_BEAM_MEAN_AXIS, beam.n_modes = 19;
    refuse(beam, "19 modes are requested, but a beam of 3 elements has 18; request fewer modes, or "
                 "use more elements");
    beam.n_modes = 3, beam.stiffening = true;
    refuse(beam,
           "geometric stiffening needs the tangent frame, because a few modes do not contain the "
           "shortening due to bending; use `frame: tangent` or `stiffening: false`");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mass_matrix_is_the_consistent_one),
        cmocka_unit_test(rotary_inertia_is_added),
        cmocka_unit_test(tip_deflections_are_exact),
        cmocka_unit_test(its_moments_are_those_of_its_pieces),
        cmocka_unit_test(a_plane_beam_is_part_of_the_spatial_one),
        cmocka_unit_test(parts_make_up_the_stiffness),
        cmocka_unit_test(damping_is_that_of_rayleigh),
        cmocka_unit_test(a_bar_has_the_mean_strain),
        cmocka_unit_test(with_bars_its_pieces_move_along),
        cmocka_unit_test(bars_stretch_as_the_matrix_does),
        cmocka_unit_test(nodes_know_their_place),
        cmocka_unit_test(impossible_beams_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
