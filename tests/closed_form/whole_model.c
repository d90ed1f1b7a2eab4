#include "closed_form/whole_model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void take(whole *x, const whole_way *way)
{
    routh_linear_options options = routh_linear_defaults();
    routh_error error = {0};
    options.method = way->method;
    options.reference = way->reference;
    if (routh_mechanism_compile(&x->mechanism, x->model, way->coordinates, &error) ||
        routh_operating_point_find(&x->point, x->mechanism, NULL, &error) ||
        routh_linear_compute(&x->linear, x->mechanism, x->point, &options, &error) ||
        routh_modes_compute(&x->modes, x->linear, &error))
        fail_msg("%s, %s: %s: %s", way->coordinates ? way->coordinates : "default coordinates",
                 way->method ? way->method : "default method", error.element, error.message);
}

whole whole_parse(const char *yaml, const whole_way *way)
{
    const whole_way own = {0};
    whole x = {0};
    routh_error error = {0};
    if (!way) way = &own;
    if (routh_model_parse(&x.model, yaml, strlen(yaml), "test", way->settings,
                          (size_t)way->n_settings, &error))
        fail_msg("line %d: %s: %s\n%s", error.line, error.element, error.message, yaml);
    take(&x, way);
    return x;
}

whole whole_read(const char *path, const whole_way *way)
{
    const whole_way own = {0};
    const char *source = getenv("ROUTH_SOURCE");
    char whole_path[1024];
    whole x = {0};
    routh_error error = {0};
    if (!way) way = &own;
    snprintf(whole_path, sizeof whole_path, "%s/%s", source ? source : ".", path);
    if (routh_model_read(&x.model, whole_path, way->settings, (size_t)way->n_settings, &error))
        fail_msg("%s:%d: %s: %s", path, error.line, error.element, error.message);
    take(&x, way);
    return x;
}

void whole_release(whole *x)
{
    routh_modes_free(x->modes);
    routh_linear_free(x->linear);
    routh_operating_point_free(x->point);
    routh_mechanism_free(x->mechanism);
    routh_model_free(x->model);
    *x = (whole){0};
}

bool whole_next_way(int *k, whole_way *way)
{
    const char *methods[32];
    int n = 0;
    for (int j = 0; routh_method_name(j); j++)
        if (strcmp(routh_method_name(j), "penalty") != 0 &&
            strcmp(routh_method_name(j), "difference") != 0)
            methods[n++] = routh_method_name(j);
    way->coordinates = routh_coordinate_name(*k / n);
    way->method = methods[*k % n];
    ++*k;
    return way->coordinates;
}

int whole_state(const routh_linear *linear, const char *name)
{
    for (int k = 0; k < linear->n_states; k++)
        if (strcmp(linear->states[k].name, name) == 0) return k;
    fail_msg("no state is named %s; the first is %s", name, linear->states[0].name);
    return -1;
}

static int place_of(const routh_signal_name *signals, int n, const char *name)
{
    for (int k = 0; k < n; k++)
        if (strcmp(signals[k].name, name) == 0) return k;
    fail_msg("no input or output is named %s", name);
    return -1;
}

int whole_input(const routh_linear *linear, const char *name)
{
    return place_of(linear->inputs, linear->n_inputs, name);
}

int whole_output(const routh_linear *linear, const char *name)
{
    return place_of(linear->outputs, linear->n_outputs, name);
}

/* ---- spectra -------------------------------------------------------------------------------- */

/* Takes the mode nearest to s; false where none is within `relative` of it. */
static bool take_nearest(const routh_modes *modes, bool *used, root s, double relative,
                         double *least)
{
    int nearest = -1;
    *least = INFINITY;
    for (int k = 0; k < modes->n; k++) {
        const double *found = modes->modes[k].eigenvalue;
        const double distance = cabs(found[0] + found[1] * I - s);
        if (!used[k] && distance < *least) *least = distance, nearest = k;
    }
    if (nearest < 0 || !(*least <= relative * cabs(s))) return false;
    used[nearest] = true;
    return true;
}

void whole_assert_spectrum(const char *what, const routh_modes *modes, const root *expected, int n,
                           double relative)
{
    bool *used = calloc((size_t)modes->n, sizeof *used);
    assert_non_null(used);
    assert_true(n <= modes->n);
    for (int e = 0; e < n; e++) {
        double least;
        if (!take_nearest(modes, used, expected[e], relative, &least))
            fail_msg("%s: no eigenvalue is %.15g %+.15gi; the nearest is %.3g away", what,
                     creal(expected[e]), cimag(expected[e]), least);
    }
    for (int k = 0; k < modes->n; k++)
        if (!used[k] && !modes->modes[k].rigid)
            fail_msg("%s: the eigenvalue %.15g %+.15gi should be a zero", what,
                     modes->modes[k].eigenvalue[0], modes->modes[k].eigenvalue[1]);
    free(used);
}

void whole_assert_whole_spectrum(const char *what, const routh_modes *modes, const root *expected,
                                 int n, double relative)
{
    if (modes->n != n) fail_msg("%s: %d eigenvalues instead of %d", what, modes->n, n);
    whole_assert_spectrum(what, modes, expected, n, relative);
}

void polynomial_roots(const root *coefficient, int degree, root *roots)
{
    /* the roots' size: Fujiwara's bound */
    double size = 0;
    for (int k = 0; k < degree; k++)
        size = fmax(size, 2 * pow(cabs(coefficient[k] / coefficient[degree]), 1.0 / (degree - k)));
    for (int k = 0; k < degree; k++) roots[k] = 0.5 * size * cpow(0.4 + 0.9 * I, k);
    for (int turn = 0; turn < 2000; turn++) {
        double moved = 0;
        for (int k = 0; k < degree; k++) {
            root value = coefficient[degree], others = coefficient[degree];
            for (int j = degree - 1; j >= 0; j--) value = value * roots[k] + coefficient[j];
            for (int j = 0; j < degree; j++)
                if (j != k) others *= roots[k] - roots[j];
            roots[k] -= value / others;
            moved = fmax(moved, cabs(value / others) / (cabs(roots[k]) + 1e-300));
        }
        if (moved < 1e-15) break;
    }
}

/* ---- explicit systems ------------------------------------------------------------------------ */

/* Partials of rates and outputs, n_y + n_out rows, by states and by in, in', in''. */
typedef struct partials {
    int n_rows, n_columns;
    double *entries;
} partials;

static partials partials_of(const explicit_system *system)
{
    const double step = 1e-40;
    const int n = system->n_y, m = system->n_in;
    root y[EXPLICIT_MOST], in[3 * EXPLICIT_MOST], f[2 * EXPLICIT_MOST];
    partials p = {n + system->n_out, n + 3 * m, NULL};
    p.entries = calloc((size_t)p.n_rows * (size_t)p.n_columns, sizeof *p.entries);
    assert_non_null(p.entries);
    for (int k = 0; k < n; k++) y[k] = system->y[k];
    for (int k = 0; k < 3 * m; k++) in[k] = k < m ? system->in[k] : 0;
    for (int k = 0; k < p.n_columns; k++) {
        root *x = k < n ? &y[k] : &in[k - n];
        *x += I * step;
        system->rhs(y, in, f, f + n);
        *x = creal(*x);
        for (int i = 0; i < p.n_rows; i++) p.entries[i * p.n_columns + k] = cimag(f[i]) / step;
    }
    return p;
}

/* The entry of the linear model where the explicit system has entry (i, k). */
static double entry_of(const routh_linear *l, const explicit_system *system, int i, int k)
{
    const int n = system->n_y, m = system->n_in;
    const double *const rates[] = {l->B, l->B1, l->B2}, *const outputs[] = {l->D, l->D1, l->D2};
    const int row =
        i < n ? whole_state(l, system->states[i]) : whole_output(l, system->outputs[i - n]);
    if (k < n) return (i < n ? l->A : l->C)[row * n + whole_state(l, system->states[k])];
    const int which = (k - n) / m;
    return (i < n ? rates : outputs)[which][row * m + whole_input(l, system->inputs[(k - n) % m])];
}

static void compare_values(const char *what, const routh_linear *linear,
                           const explicit_system *system, double tolerance)
{
    root y[EXPLICIT_MOST], in[3 * EXPLICIT_MOST], rate[EXPLICIT_MOST], out[EXPLICIT_MOST];
    for (int k = 0; k < system->n_y; k++) y[k] = system->y[k];
    for (int k = 0; k < 3 * system->n_in; k++) in[k] = k < system->n_in ? system->in[k] : 0;
    system->rhs(y, in, rate, out);
    for (int i = 0; i < system->n_out; i++) {
        const double found = linear->outputs[whole_output(linear, system->outputs[i])].value;
        if (!(fabs(found - creal(out[i])) <= tolerance * fmax(1, fabs(creal(out[i])))))
            fail_msg("%s: output %s is %.15g and should be %.15g", what, system->outputs[i], found,
                     creal(out[i]));
    }
    for (int i = 0; i < system->n_in; i++) {
        const double found = linear->inputs[whole_input(linear, system->inputs[i])].value;
        if (found != system->in[i])
            fail_msg("%s: input %s is %.17g and should be %.17g", what, system->inputs[i], found,
                     system->in[i]);
    }
}

void assert_linearizes(const char *what, const routh_linear *linear, const explicit_system *system,
                       double tolerance)
{
    const int n = system->n_y, m = system->n_in;
    if (linear->n_states != n || linear->n_inputs != m || linear->n_outputs != system->n_out)
        fail_msg("%s: %d states, %d inputs, %d outputs", what, linear->n_states, linear->n_inputs,
                 linear->n_outputs);
    compare_values(what, linear, system, tolerance);
    partials p = partials_of(system);
    for (int i = 0; i < p.n_rows; i++) {
        const double *row = p.entries + i * p.n_columns;
        double size = 1;
        for (int k = 0; k < p.n_columns; k++) size = fmax(size, fabs(row[k]));
        for (int k = 0; k < p.n_columns; k++) {
            const double found = entry_of(linear, system, i, k);
            if (!(fabs(found - row[k]) <= tolerance * size))
                fail_msg("%s: the partial of %s%s by %s%.*s is %.15g and should be %.15g", what,
                         i < n ? "the rate of " : "",
                         i < n ? system->states[i] : system->outputs[i - n],
                         k < n ? system->states[k] : system->inputs[(k - n) % m],
                         k < n ? 0 : (k - n) / m, "''", found, row[k]);
        }
    }
    free(p.entries);
}
