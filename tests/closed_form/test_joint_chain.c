/* The chain of seven joint coordinates, against its energies in these coordinates: the gradient of
 * the potential by complex steps, its Hessian and the mass matrix from that. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "closed_form/whole_model.h"

static const char chain[] = "examples/joint-chain.yaml";

typedef long double complex number;
enum { N = 7, RODS = 5 };

static const long double g = 9.81L, mass[RODS] = {5, 3, 2, 1, 1},
                         across[RODS] = {2.0L, 1.2L, 0.8L, 0.4L, 0.4L},
                         along[RODS] = {0.5L, 0.3L, 0.2L, 0.1L, 0.1L};

/* Axes of the rod in columns, and where the rod hangs from what is above. */
typedef struct rod_frame {
    number R[3][3], top[3];
} rod_frame;

static void down(const rod_frame *f, number length, number point[3])
{
    for (int i = 0; i < 3; i++) point[i] = f->top[i] - length * f->R[i][2];
}

/* R <- R times the rotation by q about axis 0 (x) or 1 (y) */
static void turn(rod_frame *f, int axis, number q)
{
    const int a = axis == 0 ? 1 : 2, b = axis == 0 ? 2 : 0; /* a turns towards b */
    const number c = ccosl(q), s = csinl(q);
    for (int i = 0; i < 3; i++) {
        const number ra = f->R[i][a], rb = f->R[i][b];
        f->R[i][a] = c * ra + s * rb;
        f->R[i][b] = c * rb - s * ra;
    }
}

/* The rods of 2 m: hinge about x; about y, then x; about y; a slide up by q5; about y, then x. */
static void place(const number q[N], rod_frame f[RODS])
{
    rod_frame x = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};
    number end[3];
    turn(&x, 0, q[0]), f[0] = x;
    down(&x, 2, end), memcpy(x.top, end, sizeof end);
    turn(&x, 1, q[1]), turn(&x, 0, q[2]), f[1] = x;
    down(&x, 2, end), memcpy(x.top, end, sizeof end);
    turn(&x, 1, q[3]), f[2] = x;
    down(&x, 2 - q[4], end), memcpy(x.top, end, sizeof end);
    f[3] = x;
    down(&x, 2, end), memcpy(x.top, end, sizeof end);
    turn(&x, 1, q[5]), turn(&x, 0, q[6]), f[4] = x;
}

static number potential(const number q[N])
{
    const long double wall[3] = {4, 3, -9};
    rod_frame f[RODS];
    number V = 0, point[3], square = 0;
    place(q, f);
    for (int b = 0; b < RODS; b++) {
        down(&f[b], 1, point);
        V += mass[b] * g * point[2];
    }
    down(&f[RODS - 1], 2, point);
    for (int i = 0; i < 3; i++) square += (point[i] - wall[i]) * (point[i] - wall[i]);
    const number stretch = csqrtl(square) - 2.5L;
    return V + 15 * (q[3] - 0.4L) * (q[3] - 0.4L) / 2 + 90 * q[4] * q[4] / 2 +
           4 * stretch * stretch / 2;
}

static const long double tiny = 1e-60L;

static long double slope(const long double q[N], int j)
{
    number x[N];
    for (int i = 0; i < N; i++) x[i] = q[i];
    x[j] += I * tiny;
    return cimagl(potential(x)) / tiny;
}

/* K_ij = d slope_i/dq_j by central differences of order 8: the error is about 1e-24 of the eighth
 * derivatives and 1e-16 by rounding. */
static long double stiffness(const long double q[N], int i, int j)
{
    const long double h = 1e-3L;
    const long double weight[4] = {4 / 5.0L, -1 / 5.0L, 4 / 105.0L, -1 / 280.0L};
    long double sum = 0, x[N];
    memcpy(x, q, sizeof x);
    for (int k = 0; k < 4; k++) {
        x[j] = q[j] + (k + 1) * h;
        const long double after = slope(x, i);
        x[j] = q[j] - (k + 1) * h;
        sum += weight[k] * (after - slope(x, i)) / h;
    }
    return sum;
}

/* dR/dq_j R' = the axis, crossed */
static void partials(const long double q[N], int j, long double velocity[RODS][3],
                     long double rotation[RODS][3])
{
    rod_frame f[RODS];
    number x[N];
    for (int i = 0; i < N; i++) x[i] = q[i];
    x[j] += I * tiny;
    place(x, f);
    for (int b = 0; b < RODS; b++) {
        number centre[3];
        down(&f[b], 1, centre);
        for (int i = 0; i < 3; i++) {
            const int m = (i + 1) % 3, n = (i + 2) % 3;
            velocity[b][i] = cimagl(centre[i]) / tiny;
            rotation[b][i] = 0;
            for (int k = 0; k < 3; k++)
                rotation[b][i] += cimagl(f[b].R[n][k]) / tiny * creall(f[b].R[m][k]);
        }
    }
}

/* M_ij = sum of m v_i.v_j + J w_i.w_j + (Jz - J)(w_i.e)(w_j.e), e along the rod */
static long double inertia(const long double q[N], int i, int j)
{
    long double v[2][RODS][3], w[2][RODS][3], sum = 0;
    rod_frame f[RODS];
    number x[N];
    for (int k = 0; k < N; k++) x[k] = q[k];
    place(x, f);
    partials(q, i, v[0], w[0]);
    partials(q, j, v[1], w[1]);
    for (int b = 0; b < RODS; b++) {
        long double spin[2] = {0, 0};
        for (int k = 0; k < 3; k++) {
            sum += mass[b] * v[0][b][k] * v[1][b][k] + across[b] * w[0][b][k] * w[1][b][k];
            for (int e = 0; e < 2; e++) spin[e] += w[e][b][k] * creall(f[b].R[k][2]);
        }
        sum += (along[b] - across[b]) * spin[0] * spin[1];
    }
    return sum;
}

static void check_energies(const whole_way *way, const routh_linear *linear)
{
    long double q[N];
    assert_int_equal(linear->n_position, N);
    assert_int_equal(linear->n_states, 2 * N);
    for (int i = 0; i < N; i++) {
        const char name[3] = {'q', (char)('1' + i), '\0'};
        assert_string_equal(linear->states[i].name, name);
        q[i] = linear->states[i].value;
    }
    for (int i = 0; i < N; i++) {
        /* the largest moment is that of the weights, 100 N m */
        if (!(fabsl(slope(q, i)) < 1e-9L * 100))
            fail_msg("%s: out of balance in q%d by %.2Lg", way->coordinates, i + 1, slope(q, i));
        for (int j = 0; j < N; j++) {
            const long double M = inertia(q, i, j), K = stiffness(q, i, j);
            const long double size_m = sqrtl(inertia(q, i, i) * inertia(q, j, j));
            const long double size_k = sqrtl(fabsl(stiffness(q, i, i) * stiffness(q, j, j)));
            if (!(fabsl(linear->mass[i * N + j] - M) < 1e-10L * size_m))
                fail_msg("%s, %s: mass %d, %d is %.15g and should be %.15Lg", way->coordinates,
                         way->method, i + 1, j + 1, linear->mass[i * N + j], M);
            if (!(fabsl(linear->stiffness[i * N + j] - K) < 1e-10L * size_k))
                fail_msg("%s, %s: stiffness %d, %d is %.15g and should be %.15Lg", way->coordinates,
                         way->method, i + 1, j + 1, linear->stiffness[i * N + j], K);
        }
    }
}

static void mass_and_stiffness_are_those_of_its_energies(void **unused)
{
    (void)unused;
    whole_way way = {0};
    for (int k = 0; whole_next_way(&k, &way);) {
        whole x = whole_read(chain, &way);
        assert_int_equal(x.point->degrees_of_freedom, N);
        check_energies(&way, x.linear);
        whole_release(&x);
    }
}

/* So that a spectrum of a motion tells them apart: seven, each at least a tenth from the next. */
static void its_frequencies_lie_apart(void **unused)
{
    (void)unused;
    whole x = whole_read(chain, NULL);
    double before = 0;
    int pairs = 0;
    for (int k = 0; k < x.modes->n; k++) {
        const double *s = x.modes->modes[k].eigenvalue;
        if (s[1] <= 0) continue;
        assert_true(fabs(s[0]) < 1e-9 && s[1] > 1.1 * before);
        before = s[1], pairs++;
    }
    assert_int_equal(pairs, N);
    whole_release(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mass_and_stiffness_are_those_of_its_energies),
        cmocka_unit_test(its_frequencies_lie_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
