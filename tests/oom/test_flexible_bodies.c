/* The N-th allocation fails, for every N, where bodies are flexible: beams, bodies reduced from
 * finite elements, and wanted modes of symmetric mechanisms. Each time the caller is told
 * OUT_OF_MEMORY and gets nothing, or gets what he gets otherwise. */
#define _XOPEN_SOURCE 700
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "flexible/reduced.h"
#include "oom/refuse.h"
#include "routh/reduce.h"
#include "routh/routh.h"

/* What is tried; leaves nothing, and sets *answer to a number of what it got. */
typedef routh_status (*maker)(const void *context, double *answer, routh_error *error);

static bool same(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(b); /* threads may add in another order */
}

static void refuse_each(maker make, const void *context, long least)
{
    double whole = NAN;
    long refused = 1, n_told = 0;
    routh_error error = {0};
    start(0, false);
    if (make(context, &whole, &error)) fail_msg("%s", error.message);
    assert_true(isfinite(whole) && whole != 0);
    for (long n = 1; refused > 0; n = next_allocation(n)) {
        double answer = NAN;
        error = (routh_error){0};
        catch_output();
        start(n, false);
        const routh_status status = make(context, &answer, &error);
        refused = n_refused;
        start(0, false);
        assert_silence();
        if (status != ROUTH_OK && (status != ROUTH_OUT_OF_MEMORY || !error.message[0]))
            fail_msg("allocation %ld: %d %s", n, (int)status, error.message);
        assert_int_equal(error.status, status);
        if (status == ROUTH_OK && !same(answer, whole))
            fail_msg("allocation %ld: %.17g for %.17g", n, answer, whole);
        n_told += status != ROUTH_OK;
    }
    if (n_told < least) fail_msg("%ld times told, not %ld", n_told, least);
}

/* ---- models --------------------------------------------------------------------------------- */

typedef struct subject {
    routh_model *model;
    routh_mechanism *mechanism;
    routh_operating_point *point;
} subject;

static routh_status find_point(subject *s, const char *text, const char *coordinates,
                               routh_error *error)
{
    *s = (subject){0};
    routh_status status = routh_model_parse(&s->model, text, strlen(text), "test", NULL, 0, error);
    if (!status) status = routh_mechanism_compile(&s->mechanism, s->model, coordinates, error);
    if (!status) status = routh_operating_point_find(&s->point, s->mechanism, NULL, error);
    assert_true((s->point == NULL) == (status != ROUTH_OK));
    return status;
}

static void release(subject *s)
{
    routh_operating_point_free(s->point);
    routh_mechanism_free(s->mechanism);
    routh_model_free(s->model);
}

/* From the text to the modes; answer: the sum of frequencies. */
static routh_status text_to_modes(const void *context, double *answer, routh_error *error)
{
    subject s;
    routh_linear *linear = NULL;
    routh_modes *modes = NULL;
    routh_status status = find_point(&s, context, NULL, error);
    if (!status) status = routh_linear_compute(&linear, s.mechanism, s.point, NULL, error);
    if (!status) status = routh_modes_compute(&modes, linear, error);
    assert_true((modes == NULL) == (status != ROUTH_OK));
    *answer = 0;
    for (int k = 0; modes && k < modes->n; k++) *answer += modes->modes[k].damped_frequency_hz;
    routh_modes_free(modes);
    routh_linear_free(linear);
    release(&s);
    return status;
}

static const char exact_beam[] =
    "parameters: {E: 7e10}\n"
    "beams:\n"
    "  b: {type: material, from: [0, 0, 0], to: [1, 0, 0], elements: 1, density: 2700,\n"
    "      youngs_modulus: E, shear_modulus: 2.7e10, area: 2e-4, iyy: 1.7e-9, izz: 6.7e-9,\n"
    "      torsion_constant: 4.6e-9}\n"
    "joints: {root: {type: fixed, between: [b.first, ground]}}\n"
    "gravity: [0, -9.81, 0]\n"
    "operating_point: {type: static}\n";

/* Without stretch and shear: constraints. */
static const char stiff_beam[] =
    "beams:\n"
    "  b: {type: sections, from: [0, 0, 0], to: [1, 0, 0], elements: 1, order: 2,\n"
    "      inextensible: true, mass_per_length: 1, inertia_y: 1e-3, inertia_z: 1e-3, GJ: 1,\n"
    "      EIy: 1, EIz: 1}\n"
    "joints: {root: {type: fixed, between: [b.first, ground]}}\n"
    "gravity: [0, -1, 0]\n"
    "operating_point: {type: static}\n";

static const char hanging_links[] =
    "parameters: {r: 0.15}\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  a: {type: beam, orientation: {x: [0, -1, 0], z: [0, 0, 1]}, to: [4, 0, 0], elements: 1,\n"
    "      planar: true, stiffening: true, density: 1500, youngs_modulus: 1e8,\n"
    "      section: {circle: {radius: r}}}\n"
    "  b: {type: beam, position: [0, -4, 0], orientation: {x: [0, -1, 0], z: [0, 0, 1]},\n"
    "      to: [4, 0, 0], elements: 1, planar: true, stiffening: true, density: 1500,\n"
    "      youngs_modulus: 1e8, section: {circle: {radius: 0.15}}}\n"
    "joints:\n"
    "  O: {type: revolute, between: [a, ground], at: [0, 0, 0], axis: z}\n"
    "  P: {type: revolute, between: [b, a], at: [0, -4, 0], axis: z}\n"
    "operating_point: {type: static}\n";

static void each_allocation_of_an_exact_beam(void **state)
{
    (void)state;
    refuse_each(text_to_modes, exact_beam, 100);
}

static void each_allocation_of_an_inextensible_beam(void **state)
{
    (void)state;
    refuse_each(text_to_modes, stiff_beam, 100);
}

static void each_allocation_of_beam_bodies(void **state)
{
    (void)state;
    refuse_each(text_to_modes, hanging_links, 100);
}

/* ---- wanted modes --------------------------------------------------------------------------- */

static routh_status wanted(const void *context, double *answer, routh_error *error)
{
    const subject *s = context;
    routh_descriptor *descriptor = NULL;
    routh_modes *modes = NULL;
    routh_status status =
        routh_descriptor_compute(&descriptor, s->mechanism, s->point, NULL, error);
    if (!status) status = routh_modes_select(&modes, descriptor, 4, 0, error);
    assert_true((modes == NULL) == (status != ROUTH_OK));
    if (modes)
        *answer =
            modes->modes[0].damped_frequency_hz + modes->modes[modes->n - 1].damped_frequency_hz;
    routh_modes_free(modes);
    routh_descriptor_free(descriptor);
    return status;
}

static void refuse_each_wanted(const char *text, maker make, long least)
{
    subject s;
    routh_error error = {0};
    if (find_point(&s, text, NULL, &error)) fail_msg("%s", error.message);
    refuse_each(make, &s, least);
    release(&s);
}

static void each_allocation_of_wanted_modes(void **state)
{
    (void)state;
    refuse_each_wanted(hanging_links, wanted, 50);
    refuse_each_wanted(exact_beam, wanted, 50);
}

/* ---- finite elements ------------------------------------------------------------------------ */

static char folder[64];

static const char *in_folder(const char *name)
{
    static char paths[4][96];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

/* Four masses, six rods between them: free, with six elastic modes. */
static const double X[4][3] = {{0, 0, 0}, {1, 0, 0}, {0.2, 0.9, 0}, {0.3, 0.2, 0.8}};

static void add_rod(double K[12][12], int a, int b)
{
    double d[3], length = 0;
    for (int i = 0; i < 3; i++) d[i] = X[b][i] - X[a][i], length += d[i] * d[i];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double k = 1e6 * d[i] * d[j] / length;
            K[3 * a + i][3 * a + j] += k, K[3 * b + i][3 * b + j] += k;
            K[3 * a + i][3 * b + j] -= k, K[3 * b + i][3 * a + j] -= k;
        }
}

static void write_files(void)
{
    double K[12][12] = {{0}};
    FILE *k = fopen(in_folder("k.mtx"), "w"), *m = fopen(in_folder("m.mtx"), "w");
    FILE *nodes = fopen(in_folder("n.inp"), "w");
    assert_true(k && m && nodes);
    for (int a = 0; a < 4; a++)
        for (int b = a + 1; b < 4; b++) add_rod(K, a, b);
    fprintf(nodes, "*NODE\n");
    for (int a = 0; a < 4; a++)
        fprintf(nodes, "%d, %g, %g, %g\n", a + 1, X[a][0], X[a][1], X[a][2]);
    fprintf(nodes, "*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 4\n*NSET, NSET=FOOT\n1, 2, 3\n");
    fprintf(k, "%%%%MatrixMarket matrix coordinate real symmetric\n12 12 78\n");
    fprintf(m, "%%%%MatrixMarket matrix coordinate real symmetric\n12 12 12\n");
    for (int i = 0; i < 12; i++) {
        fprintf(m, "%d %d %d\n", i + 1, i + 1, 1 + i / 3);
        for (int j = 0; j <= i; j++) fprintf(k, "%d %d %.17g\n", i + 1, j + 1, K[i][j]);
    }
    fclose(k), fclose(m), fclose(nodes);
}

/* context: NULL, or where the body is written. */
static routh_status reduce(const void *context, double *answer, routh_error *error)
{
    const routh_interface faces[] = {{.number = 101, .set = "FOOT"}, {.number = 4}};
    const routh_reduction_options o = {.stiffness = in_folder("k.mtx"),
                                       .mass = in_folder("m.mtx"),
                                       .nodes = in_folder("n.inp"),
                                       .n_interfaces = context ? 2 : 0,
                                       .interfaces = faces,
                                       .modes = 2,
                                       .title = "four masses"};
    routh_reduction *reduced;
    routh_text json = {0}, table = {0};
    routh_status status = routh_reduction_compute(&reduced, &o, error);
    assert_true((reduced == NULL) == (status != ROUTH_OK));
    if (!status) status = routh_reduction_json(reduced, &json, error);
    if (!status) status = routh_reduction_table(reduced, &table, error);
    if (!status) *answer = reduced->frequency[0] + reduced->frequency[reduced->n - 1];
    if (!status && context) {
        FILE *f = fopen(context, "w"); /* what a test asks for is refused too */
        if (f) fputs(json.bytes, f), fclose(f);
    }
    routh_text_free(&json);
    routh_text_free(&table);
    routh_reduction_free(reduced);
    return status;
}

/* The arena takes all in few blocks; what jansson asks for does not come by here. */
static routh_status load(const void *path, double *answer, routh_error *error)
{
    rt_arena arena = {0};
    const rt_flexible *f;
    const routh_status status = rt_flexible_load(&f, path, &arena, error);
    assert_true((f == NULL) == (status != ROUTH_OK));
    if (f) *answer = f->mass + f->n;
    rt_arena_free(&arena);
    return status;
}

static void each_allocation_of_a_reduction(void **state)
{
    (void)state;
    double answer;
    char path[96], text[160];
    snprintf(folder, sizeof folder, "%.40s/routh-oomXXXXXX", P_tmpdir);
    assert_non_null(mkdtemp(folder));
    write_files();
    snprintf(path, sizeof path, "%s/body.json", folder);
    refuse_each(reduce, NULL, 50);
    refuse_each(reduce, path, 50);
    assert_int_equal(reduce(path, &answer, NULL), ROUTH_OK);
    refuse_each(load, path, 2);
    snprintf(text, sizeof text, "rm -r '%s'", folder);
    assert_int_equal(system(text), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_allocation_of_an_exact_beam),
        cmocka_unit_test(each_allocation_of_an_inextensible_beam),
        cmocka_unit_test(each_allocation_of_beam_bodies),
        cmocka_unit_test(each_allocation_of_wanted_modes),
        cmocka_unit_test(each_allocation_of_a_reduction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
