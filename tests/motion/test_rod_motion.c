/* A hose let go at one end: large bending; energy stays but for the error of the integrator. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "motion/history_channels.h"
#include "motion/moving.h"

/* Twisted section, full coupling, pinned at one end and thrown sideways. */
static const char hose[] =
    "title: hose\n"
    "gravity: [0, 0, -9.81]\n"
    "beams:\n"
    "  b: {type: sections, from: [0, 0, 0], to: [1, 0, 0], elements: 5, mass_per_length: 0.5,\n"
    "      inertia_y: 2e-4, inertia_z: 4e-4, EA: 300, GAy: 150, GAz: 120, GJ: 0.05, EIy: 0.02,\n"
    "      EIz: 0.05, stations: [0, 1], twist: [0, 0.8], mass_y: 0.01, shear_z: 0.02,\n"
    "      tension_y: -0.01, angular_velocity: [0, 0, 3]}\n"
    "joints: {pin: {type: spherical, between: [b.first, ground], at: [0, 0, 0]}}\n"
    "simulate: {end: 2}\n";

static double energy_of(const moving *t)
{
    return moving_energy(t) + rt_elastic_energy(t->m, t->s->run.search.w);
}

/* The largest change of energy in a second, over what has fallen into motion by then. */
static double drift(double tolerance)
{
    moving t;
    double worst = 0, elastic = 0;
    moving_begin(&t, hose, "absolute", "bdf", tolerance, 0);
    const double start = energy_of(&t);
    for (int k = 1; k <= 5; k++) {
        moving_to(&t, 0.2 * k);
        worst = fmax(worst, fabs(energy_of(&t) - start));
        elastic = fmax(elastic, rt_elastic_energy(t.m, t.s->run.search.w));
    }
    moving_end(&t);
    print_message("tolerance %g: energy off by %.2e J, %.3g J elastic at most\n", tolerance, worst,
                  elastic);
    assert_true(elastic > 0.02);
    return worst;
}

static void energy_is_kept(void **state)
{
    (void)state;
    const double coarse = drift(1e-6), fine = drift(1e-8);
    assert_true(fine < 1e-4);
    assert_true(fine < coarse / 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(energy_is_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
