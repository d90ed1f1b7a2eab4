#include "papers/answers.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "routh/answers.h"

const double exact_tolerance = 1e-9;

static const char *const coordinates[] = {"absolute", "euler-parameters", "euler-angles",
                                          "relative", "natural"};
static const char *const methods[] = {"augmented",
                                      "minimal:sparse",
                                      "minimal:partition",
                                      "minimal:qr",
                                      "minimal:svd",
                                      "minimal:zero-eigenvalue",
                                      "minimal:gram-schmidt",
                                      "redundant",
                                      "penalty"};
enum {
    N_COORDINATES = sizeof coordinates / sizeof coordinates[0],
    N_METHODS = sizeof methods / sizeof methods[0]
};

/* ---- answers --------------------------------------------------------------------------------- */

static void add_pair(answer *a, double re, double im, double bound)
{
    assert_true(a->n_pairs < MOST_PAIRS);
    a->pair[a->n_pairs][0] = re;
    a->pair[a->n_pairs][1] = im;
    a->bound[a->n_pairs++] = bound;
}

static void read_exact(answer *a)
{
    routh_modes *modes;
    routh_error error;
    if (routh_modes_compute(&modes, a->linear, &error)) fail_msg("%s", error.message);
    a->n_zero = modes->n_zero;
    for (int k = 0; k < modes->n; k++)
        if (modes->modes[k].eigenvalue[1] > 0)
            add_pair(a, modes->modes[k].eigenvalue[0], modes->modes[k].eigenvalue[1], 0);
    routh_modes_free(modes);
}

/* What its bound cannot tell from real is none. */
static void read_bounded(answer *a)
{
    for (int k = 0; k < a->linear->n_bounds; k++)
        if (a->linear->bound_im[k] > a->linear->bound[k])
            add_pair(a, a->linear->bound_re[k], a->linear->bound_im[k], a->linear->bound[k]);
}

static void show(answer *a, const char *observer, see_answer *see, void *context)
{
    routh_linear_options options = routh_linear_defaults();
    routh_linear *linear;
    routh_error error;
    options.method = a->method;
    options.reference = observer;
    if (routh_linear_compute(&linear, a->mechanism, a->point, &options, &error))
        fail_msg("%s, %s: %s", a->coordinates, a->method, error.message);
    a->linear = linear;
    a->exact = linear->n_bounds == 0;
    if (a->exact)
        read_exact(a);
    else
        read_bounded(a);
    see(a, context);
    routh_linear_free(linear);
}

void every_answer(const char *yaml, const char *const *parameters, const char *observer,
                  see_answer *see, void *context)
{
    test_mechanism t;
    mechanism_make_with(&t, yaml, parameters);
    for (int set = 0; set < N_COORDINATES; set++) {
        routh_mechanism *m;
        routh_operating_point *point;
        routh_error error;
        if (routh_mechanism_compile(&m, t.model, coordinates[set], &error) ||
            routh_operating_point_find(&point, m, NULL, &error))
            fail_msg("%s: %s", coordinates[set], error.message);
        for (int k = 0; k < N_METHODS; k++) {
            answer a = {.coordinates = coordinates[set],
                        .method = methods[k],
                        .mechanism = m,
                        .point = point};
            show(&a, observer, see, context);
        }
        routh_operating_point_free(point);
        routh_mechanism_free(m);
    }
    mechanism_release(&t);
}

char *template_text(const char *name, const char *const *settings, const char *more)
{
    routh_setting pairs[8];
    routh_error error;
    routh_text text;
    growing_text whole = {0};
    size_t n = 0;
    for (; settings && settings[2 * n]; n++)
        pairs[n] = (routh_setting){settings[2 * n], settings[2 * n + 1]};
    if (routh_template_write(name, pairs, n, &text, &error)) fail_msg("%s", error.message);
    text_add(&whole, "%s\n%s", text.bytes, more);
    routh_text_free(&text);
    return whole.bytes;
}

/* ---- comparisons ----------------------------------------------------------------------------- */

static void swap_pairs(answer *a, int i, int j)
{
    const answer old = *a;
    memcpy(a->pair[i], old.pair[j], sizeof a->pair[i]);
    memcpy(a->pair[j], old.pair[i], sizeof a->pair[j]);
    a->bound[i] = old.bound[j];
    a->bound[j] = old.bound[i];
}

void sort_pairs(answer *a, double (*expected)[2], int n)
{
    double fastest = 0;
    if (a->n_pairs != n)
        fail_msg("%s, %s: %d oscillations and not %d", a->coordinates, a->method, a->n_pairs, n);
    for (int k = 0; k < n; k++) fastest = fmax(fastest, hypot(expected[k][0], expected[k][1]));
    for (int k = 0; k < n; k++) {
        int nearest = k;
        double distance = INFINITY;
        for (int i = k; i < n; i++) {
            const double d = hypot(a->pair[i][0] - expected[k][0], a->pair[i][1] - expected[k][1]);
            if (d < distance) distance = d, nearest = i;
        }
        swap_pairs(a, k, nearest);
        /* beside a bound, rounding of eigenvalue and reference */
        const double allowed = a->exact ? exact_tolerance * hypot(expected[k][0], expected[k][1])
                                        : a->bound[k] + 1e-12 * fastest;
        if (!(distance <= allowed))
            fail_msg("%s, %s: %.15g %+.15gi should be %.15g %+.15gi to %.1e", a->coordinates,
                     a->method, a->pair[k][0], a->pair[k][1], expected[k][0], expected[k][1],
                     allowed);
    }
}

void check_number(const answer *a, double found, double expected, const char *what)
{
    if (!(fabs(found - expected) <= exact_tolerance * fmax(1, fabs(expected))))
        fail_msg("%s, %s: %s is %.15g and should be %.15g", a->coordinates, a->method, what, found,
                 expected);
}

static double entry_of(const json_t *matrix, size_t i, size_t j)
{
    return json_number_value(json_array_get(json_array_get(matrix, i), j));
}

void check_matrix(const answer *a, const json_t *expected, const double *found, const char *what)
{
    const size_t n = json_array_size(expected);
    double size = 1;
    if (!a->exact) return;
    assert_int_equal(a->linear->n_position, n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) size = fmax(size, fabs(entry_of(expected, i, j)));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            if (!(fabs(found[i * n + j] - entry_of(expected, i, j)) <= exact_tolerance * size))
                fail_msg("%s, %s: %s[%zu][%zu] is %.15g and should be %.15g", a->coordinates,
                         a->method, what, i, j, found[i * n + j], entry_of(expected, i, j));
}

bool printed_right(const char *printed, double x)
{
    const char *point = strchr(printed, '.');
    const double last = point ? pow(10, -(double)strlen(point + 1)) : 1;
    return fabs(atof(printed) - x) <= 0.5000001 * last;
}

/* ---- reference files ------------------------------------------------------------------------- */

json_t *reference_file(const char *name)
{
    char path[512];
    json_error_t error;
    const char *source = getenv("ROUTH_SOURCE");
    snprintf(path, sizeof path, "%s/tests/reference/%s", source ? source : ".", name);
    json_t *file = json_load_file(path, 0, &error);
    if (!file) fail_msg("%s: %s", path, error.text);
    return file;
}

double number_of(const json_t *object, const char *key)
{
    const json_t *x = json_object_get(object, key);
    if (!json_is_number(x)) fail_msg("no number %s", key);
    return json_number_value(x);
}

int pairs_of(const json_t *list, double (*pairs)[2])
{
    const size_t n = json_array_size(list);
    assert_true(n > 0 && n <= MOST_PAIRS);
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < 2; i++) pairs[k][i] = entry_of(list, k, i);
    return (int)n;
}
