/* The run-up of the rotor in its stator, stopped at moments: the modes of steady spinning, the
 * force that shakes the base, the force of the eccentric mass; and the spectra of its motion. */
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

#include "closed_form/whole_model.h"

static const char run_up[] = "examples/rotor-run-up.yaml";
static const double pi = 3.1415926535897932384626433832795, rise = 0.0005;

static json_t *reference(void)
{
    const char *source = getenv("ROUTH_SOURCE");
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/reference/rotor_stator.json", source ? source : ".");
    json_t *file = json_load_file(path, 0, NULL);
    assert_non_null(file);
    return file;
}

static void assert_modes(const char *what, const whole *x, const json_t *pairs)
{
    root s[6];
    assert_int_equal(json_array_size(pairs), 6);
    for (size_t k = 0; k < 6; k++)
        s[k] = json_number_value(json_array_get(json_array_get(pairs, k), 0)) +
               I * json_number_value(json_array_get(json_array_get(pairs, k), 1));
    /* The last is of the stator's turning about the axis. The motion ties the rotor to it:
     * (Iz of both) s^2 + 100 s + 1e5 = 0 */
    s[5] = (-100 + csqrt(100 * 100 - 4 * 1010 * 1e5)) / (2 * 1010);
    for (int k = 0; k < 6; k++) {
        double least = INFINITY;
        for (int i = 0; i < x->modes->n; i++) {
            const double *found = x->modes->modes[i].eigenvalue;
            least = fmin(least, cabs(found[0] + found[1] * I - s[k]));
        }
        if (!(least < 1e-9 * cabs(s[k])))
            fail_msg("%s: %.14g %+.14gi is not among the modes: %.2g away", what, creal(s[k]),
                     cimag(s[k]), least);
    }
}

/* The stator does not turn yet, so no moment about the axis acts from outside and the moment of
 * momentum is momentarily constant: the modes are those of steady spinning. An eccentric mass of a
 * part in 1e12 does not show. */
static void the_modes_on_the_way_are_those_of_steady_spinning(void **unused)
{
    (void)unused;
    json_t *file = reference();
    const json_t *sweep = json_object_get(file, "sweep");
    int seen = 0;
    for (size_t n = 0; n < json_array_size(sweep); n++) {
        const json_t *c = json_array_get(sweep, n);
        if (strcmp(json_string_value(json_object_get(c, "observer")), "ground") != 0) continue;
        char time[32], what[160];
        snprintf(time, sizeof time, "%.17g/0.0005",
                 json_number_value(json_object_get(c, "speed_hz")));
        whole_way way = {.n_settings = 3,
                         .settings = {{"t0", time}, {"grain", "1e-9"}, {"shake", "0"}}};
        for (int k = 0; whole_next_way(&k, &way);) {
            snprintf(what, sizeof what, "t0 = %s, %s, %s", time, way.coordinates, way.method);
            whole x = whole_read(run_up, &way);
            assert_int_equal(x.point->degrees_of_freedom, 6);
            assert_int_equal(x.modes->n, 12);
            assert_modes(what, &x, json_object_get(c, "eigenvalues"));
            whole_release(&x);
        }
        seen++;
    }
    assert_int_equal(seen, 11);
    json_decref(file);
}

static const double *force_of(const whole *x, const char *name)
{
    for (int k = 0; k < x->point->n_reactions; k++)
        if (strcmp(x->point->reactions[k].name, name) == 0) return x->point->reactions[k].force;
    fail_msg("no reaction is named %s", name);
    return NULL;
}

/* x = A sin(p(t)), p = 2 pi 0.9 t + sum of b sin(2 pi f t + e). The stator still rests at the
 * origin: F = m x'' + c x' + k x. */
static void the_base_shakes_as_told(void **unused)
{
    (void)unused;
    const double f[3] = {0.0371, 0.0613, 0.0219}, b[3] = {9.434, 5.710, 15.98}, e[3] = {1, 2, 4};
    const double times[] = {0, 17, 1234.5};
    for (int n = 0; n < 3; n++) {
        const double t = times[n];
        double p = 2 * pi * 0.9 * t, p1 = 2 * pi * 0.9, p2 = 0;
        for (int k = 0; k < 3; k++) {
            const double w = 2 * pi * f[k];
            p += b[k] * sin(w * t + e[k]);
            p1 += b[k] * w * cos(w * t + e[k]);
            p2 -= b[k] * w * w * sin(w * t + e[k]);
        }
        const double A = 1e-4, x0 = A * sin(p), x1 = A * p1 * cos(p),
                     x2 = A * (p2 * cos(p) - p1 * p1 * sin(p));
        char time[32];
        snprintf(time, sizeof time, "%.17g", t);
        const whole_way way = {.n_settings = 1, .settings = {{"t0", time}}};
        whole x = whole_read(run_up, &way);
        const double found = force_of(&x, "shaking")[0], F = 10 * x2 + x1 + 1000 * x0;
        /* angles of 1e4 rad have errors of 1e-12 */
        if (!(fabs(found - F) < 1e-11 * (10 * A * p1 * p1 + 1000 * A)))
            fail_msg("at %g s the base is pushed by %.15g instead of %.15g N", t, found, F);
        whole_release(&x);
    }
}

/* m r w^2 inwards; what it moves of the rest is a part in 1e6. By 1000 s it has turned 250
 * times. */
static void the_eccentric_mass_pulls_as_it_spins(void **unused)
{
    (void)unused;
    const whole_way way = {.n_settings = 2, .settings = {{"t0", "1000"}, {"shake", "0"}}};
    whole x = whole_read(run_up, &way);
    const double w = 2 * pi * rise * 1000;
    assert_true(fabs(force_of(&x, "stuck")[0] + 0.001 * w * w) < 1e-5 * 0.001 * w * w);
    assert_true(fabs(x.linear->outputs[whole_output(x.linear, "speed")].value - 0.5) < 1e-12);
    whole_release(&x);
}

/* ---- spectra of the motion ------------------------------------------------------------------- */

enum { SAMPLES = 1000 };

/* An output of 100 s of the motion from t0 on, ten times a second. */
static void record(const char *t0, const char *output, double x[SAMPLES])
{
    const whole_way way = {.n_settings = 1, .settings = {{"t0", t0}}};
    whole w = whole_read(run_up, &way);
    routh_simulation_options o = routh_simulation_defaults();
    routh_simulation *s;
    routh_channels *channels;
    routh_error error = {0};
    double record[8];
    int place = -1;
    o.step = 0.02;
    assert_int_equal(routh_simulation_create(&s, w.mechanism, w.point, &o, &error), ROUTH_OK);
    assert_int_equal(routh_channels_create(&channels, w.mechanism, "outputs", &error), ROUTH_OK);
    assert_true(routh_channels_width(channels) <= 8);
    for (int k = 0; k < routh_channels_count(channels); k++) {
        const routh_channel *c = routh_channels_get(channels, k);
        if (strstr(c->path, output)) place = c->first;
    }
    assert_true(place >= 0);
    for (int k = 0; k < SAMPLES; k++) {
        const double t = w.point->time + 0.1 * k;
        assert_int_equal(routh_simulation_advance(s, t, &error), ROUTH_OK);
        assert_int_equal(routh_channels_read(channels, s, record, &error), ROUTH_OK);
        x[k] = record[place];
    }
    routh_channels_free(channels);
    routh_simulation_free(s);
    whole_release(&w);
}

/* Where the spectrum (Hann's window) is highest between two frequencies, Hz. */
static double peak(const double x[SAMPLES], double least, double most)
{
    double best = 0, at = 0, mean = 0;
    for (int k = 0; k < SAMPLES; k++) mean += x[k] / SAMPLES;
    for (double f = least; f <= most; f += 0.001) {
        root sum = 0;
        for (int k = 0; k < SAMPLES; k++)
            sum +=
                (x[k] - mean) * (1 - cos(2 * pi * k / SAMPLES)) * cexp(-2 * pi * I * f * 0.1 * k);
        if (cabs(sum) > best) best = cabs(sum), at = f;
    }
    return at;
}

/* The mode's frequency nearest to f in the middle of the record, as seen from there. */
static double nearest_mode(double t0, const char *reference, double f)
{
    char time[32];
    snprintf(time, sizeof time, "%.17g", t0 + 50);
    const whole_way way = {.reference = reference,
                           .n_settings = 3,
                           .settings = {{"t0", time}, {"grain", "1e-9"}, {"shake", "0"}}};
    whole w = whole_read(run_up, &way);
    double best = INFINITY;
    for (int k = 0; k < w.modes->n; k++) {
        const double own = w.modes->modes[k].eigenvalue[1] / (2 * pi);
        if (own > 0 && fabs(own - f) < fabs(best - f)) best = own;
    }
    whole_release(&w);
    return best;
}

/* In the signals of figure 9 the modes show, as seen from the ground or from the rotor: where the
 * spectrum is highest, to what 100 s of Hann's window resolve. Those seen from the other body are
 * elsewhere. */
static void the_modes_show_in_the_spectra(void **unused)
{
    (void)unused;
    static const struct {
        const char *t0, *output, *from, *not_from;
        double least, most; /* Hz: where to look */
    } cases[] = {
        {"250", "dx_2_4", "ground", "rotor", 0.3, 0.7},     /* backward rocking */
        {"850", "dx_2_4", "ground", "rotor", 0.2, 0.6},     /* the same, slower */
        {"350", "ay_4_1", "rotor", "ground", 0.68, 1.5},    /* backward rocking */
        {"1550", "ay_4_1", "rotor", "ground", 0.3, 1.5},    /* the same, faster */
        {"550", "dx_4_1_1", "rotor", "ground", 0.05, 1.5},  /* forward rocking */
        {"1550", "dx_4_1_1", "rotor", "ground", 0.05, 1.5}, /* translation */
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double x[SAMPLES];
        record(cases[k].t0, cases[k].output, x);
        const double t0 = atof(cases[k].t0), f = peak(x, cases[k].least, cases[k].most);
        const double right = nearest_mode(t0, cases[k].from, f);
        const double wrong = nearest_mode(t0, cases[k].not_from, f);
        print_message("    %s from %s s: highest at %.3f Hz; mode %.4f, not %.4f\n",
                      cases[k].output, cases[k].t0, f, right, wrong);
        if (!(fabs(f - right) < 0.02 && fabs(f - wrong) > 0.05))
            fail_msg("%s from %s s: the highest peak is at %.3f Hz, the mode at %.4f Hz",
                     cases[k].output, cases[k].t0, f, right);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_modes_on_the_way_are_those_of_steady_spinning),
        cmocka_unit_test(the_base_shakes_as_told),
        cmocka_unit_test(the_eccentric_mass_pulls_as_it_spins),
        cmocka_unit_test(the_modes_show_in_the_spectra),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
