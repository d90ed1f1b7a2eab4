/* Tests of model/beam: the stiffness against the flexibility of a cantilever, found another way. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model_text.h"

enum { N = 20000 };
static const double L = 0.7, E = 210e9, G = 81e9, A = 3e-4, IYY = 2e-9, IZZ = 5e-9, J = 4e-9,
                    SY = 1.2, SZ = 1.1;

/* The tip's displacement and rotation under a unit load at the tip, by integrating the strains of
 * the beam from the clamped end: curvature M/EI, shear s V/GA, twist T/GJ, stretch F/EA (midpoint
 * rule, exact as N grows). */
static void flexibility(int load, double tip[6])
{
    double f[6] = {0}, m[3], dx = L / N;
    f[load] = 1;
    memset(tip, 0, 6 * sizeof *tip);
    for (int k = 0; k < N; k++) {
        const double arm = L - (k + 0.5) * dx; /* from the section to the tip, along x */
        m[0] = f[3];
        m[1] = f[4] - arm * f[2];
        m[2] = f[5] + arm * f[1];
        const double turn[3] = {m[0] / (G * J) * dx, m[1] / (E * IYY) * dx, m[2] / (E * IZZ) * dx};
        tip[0] += f[0] / (E * A) * dx;
        tip[1] += SY * f[1] / (G * A) * dx + arm * turn[2];
        tip[2] += SZ * f[2] / (G * A) * dx - arm * turn[1];
        for (int i = 0; i < 3; i++) tip[3 + i] += turn[i];
    }
}

static routh_model *beam(const char *more)
{
    char text[800];
    snprintf(
        text, sizeof text,
        "bodies: {b: {mass: 1, inertia: [1, 1, 1], position: [0.7, 0, 0]}}\n"
        "loads:\n  s: {type: beam, between: [b, ground], length: %.17g, youngs_modulus: %.17g, "
        "shear_modulus: %.17g, area: %.17g, iyy: %.17g, izz: %.17g, torsion_constant: %.17g%s}\n",
        L, E, G, A, IYY, IZZ, J, more);
    return read_model(text);
}

static void stiffness_times_flexibility_is_one(void **state)
{
    (void)state;
    routh_model *model = beam(", shear_factor_y: 1.2, shear_factor_z: 1.1");
    for (int load = 0; load < 6; load++) {
        double tip[6];
        flexibility(load, tip);
        for (int i = 0; i < 6; i++) {
            double sum = 0, size = 1;
            for (int j = 0; j < 6; j++) {
                const double part = model->loads[0].stiffness6[6 * i + j].value * tip[j];
                sum += part;
                size = fmax(size, fabs(part));
            }
            assert_near(sum, i == load, 1e-7 * size);
        }
    }
    routh_model_free(model);
}

static void stiffness_is_symmetric_and_damping_proportional(void **state)
{
    (void)state;
    routh_model *model = beam(", damping_ratio: 0.003");
    const rt_load *s = &model->loads[0];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            assert_near(s->stiffness6[6 * i + j].value, s->stiffness6[6 * j + i].value, 0);
            assert_near(s->damping6[6 * i + j].value, 0.003 * s->stiffness6[6 * i + j].value, 1e-9);
        }
    assert_near(s->offset6[0].value, L, 0);
    assert_near(s->stiffness6[7].value, 12 * E * IZZ / (L * L * L), 1e-6); /* Euler-Bernoulli */
    routh_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stiffness_times_flexibility_is_one),
        cmocka_unit_test(stiffness_is_symmetric_and_damping_proportional),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
