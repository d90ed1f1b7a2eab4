/* The N-th allocation fails, for every N, from a model's text to its modes and their outputs: each
 * time the caller is told OUT_OF_MEMORY and gets nothing half made, or, where the memory was not
 * needed after all (KLU asks to shrink a block), gets exactly what he gets otherwise. Nothing is
 * written to stdout or stderr, and nothing leaks: the leak sanitizer looks on.
 *
 * The linker sends every allocation of the library, of libyaml, KLU and LAPACKE to refuse.c. */
#define _XOPEN_SOURCE 700
#include "model/template.h"
#include "oom/refuse.h"
#include "routh/routh.h"
#include "support/temporary.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const writer writers[] = {
    routh_modes_table,           routh_modes_json,           routh_modes_csv,
    routh_linear_table,          routh_linear_json,          routh_linear_csv,
    routh_operating_point_table, routh_operating_point_json, routh_operating_point_csv,
    routh_report_html,
};

enum { N_WRITERS = sizeof writers / sizeof *writers };

static const char *coordinates; /* NULL: the usual ones */

/* All that a user gets from a model. */
typedef struct products {
    routh_model *model;
    routh_mechanism *mechanism;
    routh_operating_point *point;
    routh_linear *linear;
    routh_modes *modes;
    routh_branches *branches; /* of a mechanism at rest */
    routh_units *units;       /* that the tables are in */
    routh_text texts[N_WRITERS];
} products;

static routh_status make(products *p, const char *name, const char *text, routh_error *error)
{
    routh_status status = routh_model_parse(&p->model, text, strlen(text), name, NULL, 0, error);
    if (!status) status = routh_mechanism_compile(&p->mechanism, p->model, coordinates, error);
    if (!status) status = routh_operating_point_find(&p->point, p->mechanism, NULL, error);
    if (!status) status = routh_linear_compute(&p->linear, p->mechanism, p->point, NULL, error);
    if (!status) status = routh_modes_compute(&p->modes, p->linear, error);
    if (!status && p->linear->at_rest)
        status = routh_branches_find(&p->branches, p->mechanism, p->point, error);
    if (!status) status = routh_units_read(&p->units, "mm,kN,Hz,deg", error);
    const routh_results results = {.model = p->model,
                                   .point = p->point,
                                   .linear = p->linear,
                                   .modes = p->modes,
                                   .branches = p->branches,
                                   .shapes = 1,
                                   .units = p->units};
    for (int i = 0; i < N_WRITERS && !status; i++) {
        status = writers[i](&results, &p->texts[i], error);
        /* the report, when its page was not built */
        if (status == ROUTH_NOT_SUPPORTED) status = ROUTH_OK;
    }
    return status;
}

static void release(products *p)
{
    for (int i = 0; i < N_WRITERS; i++) routh_text_free(&p->texts[i]);
    routh_units_free(p->units);
    routh_branches_free(p->branches);
    routh_modes_free(p->modes);
    routh_linear_free(p->linear);
    routh_operating_point_free(p->point);
    routh_mechanism_free(p->mechanism);
    routh_model_free(p->model);
}

/* The part that failed must have left its product empty: each later one is empty too. */
static bool nothing_after_the_failure(const products *p)
{
    const void *const made[] = {p->model, p->mechanism, p->point, p->linear, p->modes};
    bool gap = false;
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        if (made[i] && gap) return false;
        gap = gap || !made[i];
    }
    for (int i = 0; i < N_WRITERS; i++) {
        if (p->texts[i].bytes && gap) return false;
        gap = gap || !p->texts[i].bytes;
    }
    return gap;
}

static void assert_told(const products *p, routh_status status, const routh_error *error)
{
    assert_int_equal(status, ROUTH_OUT_OF_MEMORY);
    assert_int_equal(error->status, ROUTH_OUT_OF_MEMORY);
    assert_true(error->message[0] != '\0');
    assert_true(nothing_after_the_failure(p));
}

static void assert_same(const products *a, const products *b)
{
    for (int i = 0; i < N_WRITERS; i++) {
        assert_int_equal(a->texts[i].length, b->texts[i].length);
        if (a->texts[i].length)
            assert_memory_equal(a->texts[i].bytes, b->texts[i].bytes, a->texts[i].length);
    }
}

static void refuse_each(const char *name, const char *text, bool all_after)
{
    products whole = {0};
    long refused = 1;
    long n_told = 0;
    assert_int_equal(make(&whole, name, text, NULL), ROUTH_OK);
    for (long n = 1; refused > 0; n = next_allocation(n)) { /* until fewer than n are asked for */
        products p = {0};
        routh_error error = {0};
        catch_output();
        start(n, all_after);
        const routh_status status = make(&p, name, text, &error);
        refused = n_refused;
        start(0, false);
        assert_silence();
        if (status == ROUTH_OK)
            assert_same(&p, &whole);
        else
            assert_told(&p, status, &error);
        n_told += status != ROUTH_OK;
        release(&p);
    }
    release(&whole);
    assert_true(n_told > 100);
}

static void refuse_each_of_template(const char *name, const routh_setting *settings,
                                    size_t n_settings)
{
    routh_text text = {0};
    assert_int_equal(routh_template_write(name, settings, n_settings, &text, NULL), ROUTH_OK);
    refuse_each(name, text.bytes, false);
    refuse_each(name, text.bytes, true);
    routh_text_free(&text);
}

static void each_allocation_of_a_model_in_motion(void **state)
{
    (void)state;
    const routh_setting spin = {"spin", "2*pi"};
    refuse_each_of_template("rotor-stator", &spin, 1);
}

/* A part file with a part in it, in an array, mirrored and placed by parameters. */
static void each_allocation_of_a_model_with_parts(void **state)
{
    (void)state;
    char *inner = write_temporary(
        "exports: [b]\nparameters: {k: 5}\ninputs: {u: 0}\nvariants: {v: {set: {k: 6}}}\n"
        "bodies: {b: {mass: 1, inertia: [1, 1.1, 1.2]}}\n"
        "loads: {s: {type: bushing, between: [b, ground], at: [0, 0, 0], translation: {stiffness: "
        "k}, rotation: {stiffness: k}}, f: {type: force, on: b, components: [u, 0, \"DX(b)\"]}}\n");
    char part[400], name[300], text[800];
    snprintf(part, sizeof part,
             "connections: [root]\nexports: [in.b]\nparameters: {a: 0.5}\n"
             "variants: {w: {set: {a: 0.7}, parts: {in: v}}}\n"
             "parts: {in: {file: %s, at: [a, 0, 0], inputs: {u: \"DX(root)\"}}}\n",
             strrchr(inner, '/') + 1);
    char *outer = write_temporary(part);
    snprintf(text, sizeof text,
             "parameters: {x: 0.2}\nvariants: {s: {set: {x: 0.3}, parts: {p.2: o}}}\nvariant: s\n"
             "parts: {p: {file: %s, count: 2, mirror: y, index: i, set: {a: i*x}, "
             "axis: [0, 0, x], angle: x, connect: {root: previous.in.b}, first: {root: ground}, "
             "variants: {w: {variant: w}, o: {set: {a: 2*x}, connect: {root: previous.in.b}}}, "
             "variant: w}}\noutputs: {y: \"DX(p.2.in.b)\"}\n",
             strrchr(outer, '/') + 1);
    snprintf(name, sizeof name, "%.*smodel.yaml", (int)(strrchr(outer, '/') + 1 - outer), outer);
    refuse_each(name, text, false);
    unlink(inner), unlink(outer);
    free(inner), free(outer);
}

/* Solids by a mesh of a file and by an outline that a parameter moves. */
static void each_allocation_of_a_model_with_solids(void **state)
{
    (void)state;
    char text[600], name[300], obj[300];
    char *mesh = write_temporary("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n"
                                 "f 3 1 4\n");
    snprintf(obj, sizeof obj, "%s.obj", mesh);
    assert_int_equal(rename(mesh, obj), 0);
    snprintf(text, sizeof text,
             "parameters: {x: 0.2}\nbodies:\n  a: {density: 1, shape: {mesh: {file: %s}}}\n"
             "  b: {density: 1, shape: {extrusion: {outline: [[0, 0], [x, 0], [0, 1]], length: "
             "x}}}\n",
             strrchr(obj, '/') + 1);
    snprintf(name, sizeof name, "%.*smodel.yaml", (int)(strrchr(obj, '/') + 1 - obj), obj);
    refuse_each(name, text, false);
    unlink(obj);
    free(mesh);
}

static void each_allocation_of_a_model_with_redundant_constraints(void **state)
{
    (void)state;
    const routh_setting loops = {"N", "1"};
    refuse_each_of_template("four-bar", &loops, 1);
}

/* A loop that is closed on the way to a coordinate, with a ball in it, and what hangs on it. */
static void each_allocation_of_a_loop_that_is_placed(void **state)
{
    (void)state;
    static const char text[] =
        "parameters: {a: 0.05, h: 1}\n"
        "bodies:\n"
        "  crank: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [0, h/2, 0]}\n"
        "  coupler: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [1, h, 0]}\n"
        "  rocker: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [2, h/2, 0]}\n"
        "  bob: {mass: 1, inertia: [0.1, 0.2, 0.3], relative_to: coupler, position: [0, 0, 1]}\n"
        "joints:\n"
        "  a: {type: revolute, between: [crank, ground], at: [0, 0, 0], angle: a, rate: a}\n"
        "  b: {type: spherical, between: [coupler, crank], at: [0, h, 0]}\n"
        "  c: {type: universal, between: [rocker, coupler], at: [2, h, 0], axis: x}\n"
        "  d: {type: revolute, between: [rocker, ground], at: [2, 0, 0], axis: z}\n"
        "  e: {type: revolute, between: [bob, coupler], at: [1, h, 1], axis: x, rate: 1}\n"
        "loads: {s: {type: torsion_spring, between: [bob, coupler], axis: x, stiffness: 9}}\n";
    refuse_each("model", text, false);
}

static void each_allocation_in_coordinates_that_bodies_share(void **state)
{
    (void)state;
    coordinates = "relative";
    refuse_each_of_template("spatial-four-bar", NULL, 0);
    coordinates = "natural";
    refuse_each_of_template("spatial-four-bar", NULL, 0);
    coordinates = NULL;
}

static void each_allocation_in_euler_parameters(void **state)
{
    (void)state;
    const routh_setting spin = {"spin", "2*pi"};
    coordinates = "euler-parameters";
    refuse_each_of_template("rotor-stator", &spin, 1);
    coordinates = NULL;
}

static void each_allocation_of_a_singular_configuration(void **state)
{
    (void)state;
    refuse_each("singular",
                "gravity: [9.81, 0, 0]\n"
                "bodies:\n"
                "  a: {mass: 1, inertia: [1, 1, 1], position: [0.5, 0, 0]}\n"
                "  b: {mass: 1, inertia: [1, 1, 1], position: [1.5, 0, 0]}\n"
                "  c: {mass: 1, inertia: [1, 1, 1], position: [1.5, 0, 0]}\n"
                "joints:\n"
                "  j1: {type: revolute, between: [a, ground], at: [0, 0, 0]}\n"
                "  j2: {type: revolute, between: [b, ground], at: [1, 0, 0]}\n"
                "  j3: {type: revolute, between: [a, c], at: [1, 0, 0]}\n"
                "  j4: {type: revolute, between: [b, c], at: [2, 0, 0]}\n",
                false);
}

/* States kept, dropped and added, and rates apart from them. */
static void each_allocation_of_states_of_the_users(void **state)
{
    (void)state;
    static const char text[] =
        "bodies:\n"
        "  a: {mass: 2, inertia: [1, 1, 0.3], velocity: [1, 0, 0]}\n"
        "joints:\n"
        "  ice: {type: planar, between: [a, ground]}\n"
        "  blade: {type: knife_edge, between: [a, ground]}\n"
        "operating_point: {type: given}\n"
        "linearize:\n"
        "  coordinates: {p: \"DX(a) + DY(a)^2\", q: {expression: \"AZ(a, ground)\", unit: rad}}\n"
        "  states: [p, a.x, q]\n"
        "  velocities: [q, a.y]\n";
    refuse_each("skate", text, false);
    coordinates = "relative";
    refuse_each("skate", text, true);
    coordinates = NULL;
}

/* Controllers: held in static equilibrium, and placed where they rest but for one that cannot. */
static void each_allocation_of_operating_points_with_controllers(void **state)
{
    (void)state;
#define HELD                                                                                       \
    "gravity: [0, 0, -10]\n"                                                                       \
    "bodies: {cart: {mass: 2, inertia: [1, 1, 1]}}\n"                                              \
    "joints: {track: {type: translational, between: [ground, cart], axis: z}}\n"                   \
    "inputs: {u: 0.1, idle: 0}\n"                                                                  \
    "variables: {error: \"u - DZ(cart)\"}\n"                                                       \
    "controllers:\n"                                                                               \
    "  hold: {type: pid, input: error, proportional: 40, integral: 5, derivative: 9, filter: "     \
    "0.1}\n"                                                                                       \
    "  valve: {type: gain, input: error, gain: 1, upper: 0.1}\n"                                   \
    "loads: {motor: {type: force, on: cart, components: [0, 0, \"hold + valve\"]}}\n"              \
    "outputs: {z: \"DZ(cart)\", gap: \"max(0, abs(DZ(cart)))\"}\n"                                 \
    "simulate: {end: 1, integrator: any, inputs: {u: \"0.1*cos(time)\"}}\n"                        \
    "events: {end: {when: \"DZ(cart) - 1\", action: set, input: u, value: \"min(1, time)\"}}\n"
    refuse_each("held", HELD "operating_point: {type: static}\n", false);
    refuse_each("pushed", HELD, false);
    coordinates = "relative";
    refuse_each("held", HELD "operating_point: {type: static}\n", true);
    coordinates = NULL;
#undef HELD
}

static void each_allocation_of_a_steady_motion(void **state)
{
    (void)state;
    static const char text[] =
        "parameters: {drive: 1}\n"
        "bodies: {car: {mass: 2, inertia: [1, 1, 1], velocity: [3, 0, 0]},"
        " wheel: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints: {road: {type: planar, between: [car, ground], axis: z},"
        " axle: {type: revolute, between: [wheel, car], axis: y}}\n"
        "variables: {drag: \"VM(car)\"}\n"
        "controllers: {lag: {type: differential, rate: \"drag - lag\"},"
        " way: {type: differential, rate: VM(car)}}\n"
        "loads: {air: {type: force, on: car, resolved_in: car, components: [drive - lag,"
        " '6 - VY(car, ground, car)', 0]}}\n"
        "operating_point: {type: steady}\n"
        "steady: {turn_rate: 0.5, spins: {wheel: {axis: y, rate: 9}}, free: [drive],"
        " prescribed: {speed: {expression: VM(car), value: 4}}, drifting: [way]}\n";
    refuse_each("steady", text, false);
    coordinates = "relative";
    refuse_each("steady", text, true);
    coordinates = NULL;
}

/* The redundant method, and wanted eigenvalues from the descriptor. */
static routh_status descriptor_products(const routh_mechanism *m,
                                        const routh_operating_point *point, routh_linear **linear,
                                        routh_descriptor **descriptor, routh_modes **modes,
                                        routh_error *error)
{
    routh_linear_options options = routh_linear_defaults();
    options.method = "redundant";
    *linear = NULL, *descriptor = NULL, *modes = NULL;
    routh_status status = routh_linear_compute(linear, m, point, &options, error);
    if (!status) status = routh_descriptor_compute(descriptor, m, point, NULL, error);
    return status ? status : routh_modes_select(modes, *descriptor, 2, 0, error);
}

static void each_allocation_of_a_descriptor_and_its_wanted_eigenvalues(void **state)
{
    (void)state;
    products p = {0};
    routh_text text = {0};
    long refused = 1, n_told = 0;
    assert_int_equal(routh_template_write("slider-pendulum", NULL, 0, &text, NULL), ROUTH_OK);
    assert_int_equal(make(&p, "slider-pendulum", text.bytes, NULL), ROUTH_OK);
    for (long n = 1; refused > 0; n = next_allocation(n)) {
        routh_linear *linear;
        routh_descriptor *descriptor;
        routh_modes *modes;
        routh_error error = {0};
        catch_output();
        start(n, false);
        const routh_status status =
            descriptor_products(p.mechanism, p.point, &linear, &descriptor, &modes, &error);
        refused = n_refused;
        start(0, false);
        assert_silence();
        if (status) { /* where KLU asks to shrink a block, a refusal does no harm */
            assert_int_equal(status, ROUTH_OUT_OF_MEMORY);
            assert_int_equal(error.status, ROUTH_OUT_OF_MEMORY);
            assert_null(modes);
            assert_true(!descriptor || linear);
            n_told++;
        } else
            assert_non_null(modes);
        routh_modes_free(modes);
        routh_descriptor_free(descriptor);
        routh_linear_free(linear);
    }
    assert_true(n_told > 50);
    release(&p);
    routh_text_free(&text);
}

/* Matrices from files, and their modes: counted, and with damping. */
static void write_matrix(const char *path, int n, double diagonal, double beside)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "%%%%MatrixMarket matrix coordinate real symmetric\n%d %d %d\n", n, n, 2 * n - 1);
    for (int i = 1; i <= n; i++) {
        fprintf(f, "%d %d %g\n", i, i, diagonal);
        if (i > 1) fprintf(f, "%d %d %g\n", i, i - 1, beside);
    }
    fclose(f);
}

static void each_allocation_of_modes_of_matrices(void **state)
{
    (void)state;
    char folder[64], paths[2][72];
    snprintf(folder, sizeof folder, "%.40s/matricesXXXXXX", P_tmpdir);
    assert_non_null(mkdtemp(folder));
    for (int k = 0; k < 2; k++) {
        snprintf(paths[k], sizeof paths[k], "%s/%c.mtx", folder, "MK"[k]);
        write_matrix(paths[k], 20, k ? 4 : 1, k ? -1 : 0);
    }
    for (int damped = 0; damped < 2; damped++) {
        long refused = 1, n_told = 0;
        for (long n = 1; refused > 0; n = next_allocation(n)) {
            routh_matrices *matrices;
            routh_matrix_modes *modes = NULL;
            const routh_matrix_request request = {.count = 3};
            routh_error error = {0};
            catch_output();
            start(n, false);
            routh_status status = routh_matrices_load(&matrices, paths[0], paths[1],
                                                      damped ? paths[0] : NULL, &error);
            if (!status) status = routh_matrix_modes_compute(&modes, matrices, &request, &error);
            refused = n_refused;
            start(0, false);
            assert_silence();
            if (status) {
                assert_int_equal(status, ROUTH_OUT_OF_MEMORY);
                assert_int_equal(error.status, ROUTH_OUT_OF_MEMORY);
                assert_null(modes);
                n_told++;
            }
            routh_matrix_modes_free(modes);
            routh_matrices_free(matrices);
        }
        assert_true(n_told > 40);
    }
    for (int k = 0; k < 2; k++) unlink(paths[k]);
    rmdir(folder);
}

/* A model with its mechanism and operating point, while all memory is there. */
static void make_point(products *p, const char *text, const char *set)
{
    routh_error error = {0};
    *p = (products){0};
    assert_int_equal(routh_model_parse(&p->model, text, strlen(text), "test", NULL, 0, &error),
                     ROUTH_OK);
    assert_int_equal(routh_mechanism_compile(&p->mechanism, p->model, set, &error), ROUTH_OK);
    assert_int_equal(routh_operating_point_find(&p->point, p->mechanism, NULL, &error), ROUTH_OK);
}

/* What is made of a point; context: the method's name, or what else it needs. Leaves nothing. */
typedef routh_status (*maker)(const products *p, const void *context, routh_error *error);

/* How often the caller was told. */
static long refuse_each_of(const products *p, maker make_one, const void *context)
{
    long refused = 1, n_told = 0;
    assert_int_equal(make_one(p, context, NULL), ROUTH_OK);
    for (long n = 1; refused > 0; n = next_allocation(n)) {
        routh_error error = {0};
        catch_output();
        start(n, false);
        const routh_status status = make_one(p, context, &error);
        refused = n_refused;
        start(0, false);
        assert_silence();
        assert_int_equal(error.status, status);
        if (status != ROUTH_OK && status != ROUTH_OUT_OF_MEMORY)
            fail_msg("allocation %ld: %s", n, error.message);
        n_told += status != ROUTH_OK;
    }
    return n_told;
}

static routh_status linearize_by(const products *p, const void *context, routh_error *error)
{
    routh_linear_options options = routh_linear_defaults();
    routh_linear *linear;
    options.method = context;
    const routh_status status =
        routh_linear_compute(&linear, p->mechanism, p->point, &options, error);
    assert_true((linear == NULL) == (status != ROUTH_OK));
    routh_linear_free(linear);
    return status;
}

static routh_status make_linearizer(const products *p, const void *context, routh_error *error)
{
    routh_linearizer *linearizer;
    (void)context;
    routh_status status =
        routh_linearizer_create(&linearizer, p->mechanism, p->point, NULL, NULL, error);
    assert_true((linearizer == NULL) == (status != ROUTH_OK));
    if (!status) status = routh_linearizer_run(linearizer, p->point, error);
    routh_linearizer_free(linearizer);
    return status;
}

static routh_status make_joint_space(const products *p, const void *context, routh_error *error)
{
    double q[8], u[8], udot[8], A[16 * 16], B[16 * 8];
    routh_joint_space *space;
    (void)context;
    const routh_status status = routh_joint_space_create(&space, p->mechanism, error);
    assert_true((space == NULL) == (status != ROUTH_OK));
    if (status) return status;
    assert_true(routh_joint_space_n_q(space) <= 8);
    /* from here on nothing is allocated */
    const long before = n_asked;
    routh_joint_space_start(space, p->point, q, u, udot);
    assert_int_equal(routh_joint_space_accelerations(space, 0, q, u, NULL, udot, error), ROUTH_OK);
    assert_int_equal(routh_joint_space_evaluate(space, 0, q, u, udot, A, B, error), ROUTH_OK);
    assert_int_equal(n_asked, before);
    routh_joint_space_free(space);
    return ROUTH_OK;
}

/* A loop with a redundant row, and a ball. */
static const char loop[] =
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  crank: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [0, 0.5, 0]}\n"
    "  coupler: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [1, 1, 0]}\n"
    "  rocker: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [2, 0.5, 0]}\n"
    "  bob: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [1, 0.5, 0]}\n"
    "joints:\n"
    "  a: {type: revolute, between: [crank, ground], at: [0, 0, 0], axis: z}\n"
    "  b: {type: revolute, between: [coupler, crank], at: [0, 1, 0], axis: z}\n"
    "  c: {type: revolute, between: [rocker, coupler], at: [2, 1, 0], axis: z}\n"
    "  d: {type: revolute, between: [rocker, ground], at: [2, 0, 0], axis: z}\n"
    "  e: {type: spherical, between: [bob, coupler], at: [1, 1, 0]}\n"
    "loads:\n"
    "  s: {type: spring, between: [bob, crank], stiffness: 100, damping: 2, free_length: 0.9}\n";

static void each_allocation_of_every_method_in_coordinates_that_bodies_share(void **state)
{
    (void)state;
    static const char *const sets[] = {"relative", "natural"};
    for (int set = 0; set < 2; set++) {
        const char *name;
        products p;
        make_point(&p, loop, sets[set]);
        for (int k = 0; (name = routh_method_name(k)); k++)
            assert_true(refuse_each_of(&p, linearize_by, name) > 50);
        assert_true(refuse_each_of(&p, make_linearizer, NULL) > 50);
        release(&p);
    }
}

/* A sledge with a blade on a driven table, under a controller. */
static const char sledge[] =
    "inputs: {lift: 0, torque: 0.1}\n"
    "bodies:\n"
    "  table: {mass: 9, inertia: [1, 1, 1]}\n"
    "  sledge: {mass: 2, inertia: [1, 1, 0.4], velocity: [1, 0, 0]}\n"
    "joints:\n"
    "  post: {type: translational, between: [table, ground], axis: z}\n"
    "  drive: {type: motion, joint: post, function: \"lift + 0.1*sin(time)\"}\n"
    "  ice: {type: planar, between: [sledge, table], axis: z}\n"
    "  blade: {type: knife_edge, between: [sledge, table]}\n"
    "variables: {effort: \"torque - 0.1*WZ(sledge) + 0.01*ACCZ(sledge)\"}\n"
    "controllers: {lag: {type: differential, rate: \"(effort - lag)/0.2\"}}\n"
    "loads: {motor: {type: torque, on: sledge, components: [0, 0, lag]}}\n"
    "outputs: {turn: \"WZ(sledge)\", hold: \"FZ(drive)\"}\n"
    "operating_point: {type: given}\n";

static void each_allocation_of_every_method_of_whole_systems(void **state)
{
    (void)state;
    static const char *const methods[] = {"augmented", "minimal", "minimal:svd", "redundant",
                                          "difference"};
    products p;
    make_point(&p, sledge, NULL);
    for (int k = 0; k < 5; k++) assert_true(refuse_each_of(&p, linearize_by, methods[k]) > 50);
    release(&p);
}

/* Into a file's text, back, and taken up again; context: q and u are left out of it. */
static routh_status take_state_up(const products *p, const void *context, routh_error *error)
{
    routh_initial_state *state = NULL, *read = NULL;
    routh_operating_point *point = NULL;
    routh_text text = {0};
    routh_status status = routh_initial_state_of_point(&state, p->mechanism, p->point, error);
    if (!status && context) state->coordinates = NULL;
    if (!status) status = routh_initial_state_json(state, &text, error);
    if (!status) status = routh_initial_state_parse(&read, text.bytes, text.length, "state", error);
    if (!status) status = routh_operating_point_of_state(&point, p->mechanism, read, NULL, error);
    assert_true((point == NULL) == (status != ROUTH_OK));
    routh_operating_point_free(point);
    routh_initial_state_free(state);
    routh_initial_state_free(read);
    routh_text_free(&text);
    return status;
}

/* Given by coordinates of joints. */
static routh_status take_joints_up(const products *p, const void *context, routh_error *error)
{
    static const char text[] =
        "{\"schema\": \"routh-state/1\", \"joints\": [{\"name\": \"ice.x\", \"value\": 0.1}, "
        "{\"name\": \"ice.vx\", \"value\": 1}, {\"name\": \"ice.rate\", \"value\": 0}]}";
    routh_initial_state *read = NULL;
    routh_operating_point *point = NULL;
    (void)context;
    routh_status status = routh_initial_state_parse(&read, text, strlen(text), "state", error);
    if (!status) status = routh_operating_point_of_state(&point, p->mechanism, read, NULL, error);
    assert_true((point == NULL) == (status != ROUTH_OK));
    routh_operating_point_free(point);
    routh_initial_state_free(read);
    return status;
}

static void each_allocation_of_a_state_that_is_given(void **state)
{
    (void)state;
    static const char *const sets[] = {"absolute", "relative", "euler-parameters"};
    for (int k = 0; k < 3; k++) {
        products p;
        make_point(&p, sledge, sets[k]);
        assert_true(refuse_each_of(&p, take_state_up, NULL) > 50);
        assert_true(refuse_each_of(&p, take_state_up, "left out") > 50);
        if (k == 0) assert_true(refuse_each_of(&p, take_joints_up, NULL) > 50);
        release(&p);
    }
}

static void each_allocation_of_a_joint_space(void **state)
{
    (void)state;
    static const char tree[] =
        "bodies:\n"
        "  a: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [1, 0, 0]}\n"
        "  b: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [2, 0, 0]}\n"
        "joints:\n"
        "  hinge: {type: revolute, between: [a, ground], at: [0, 0, 0], axis: z}\n"
        "  ball: {type: spherical, between: [b, a], at: [1.5, 0, 0]}\n";
    products p;
    make_point(&p, tree, "relative");
    assert_true(refuse_each_of(&p, make_joint_space, NULL) > 2);
    release(&p);
}

/* A run with an event and a loop, by one integrator: begun, gone on with, kept and shown as a
 * point. */
static routh_status make_simulation(const products *p, const void *integrator, routh_error *error)
{
    routh_simulation *s = NULL;
    routh_operating_point *point = NULL;
    routh_simulation_options o = routh_simulation_defaults();
    o.integrator = integrator;
    routh_status status = routh_simulation_create(&s, p->mechanism, p->point, &o, error);
    assert_true((s == NULL) == (status != ROUTH_OK));
    if (!status) status = routh_simulation_advance(s, 0.02, error);
    if (!status) status = routh_simulation_point(s, &point, error);
    double *numbers = s ? __real_malloc(routh_simulation_memory(s) * sizeof *numbers) : NULL;
    if (!status) status = routh_simulation_keep(s, numbers, error);
    if (!status) status = routh_simulation_resume(s, numbers, error);
    free(numbers);
    routh_operating_point_free(point);
    routh_simulation_free(s);
    return status;
}

static routh_status record_run(const products *p, const void *file, routh_error *error)
{
    routh_history_options o = routh_history_defaults();
    o.file = file;
    o.end = 0.02;
    o.every = 0.005;
    return routh_history_run(p->mechanism, p->point, &o, NULL, error);
}

/* Those by SUNDIALS ask below the library too, which takes a refusal as it likes. */
static void each_allocation_of_a_motion_in_time(void **state)
{
    (void)state;
    static const char swing[] =
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  a: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [0, 0, 0.5]}\n"
        "  b: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [0.5, 0, 1]}\n"
        "joints:\n"
        "  hinge: {type: revolute, between: [a, ground], at: [0, 0, 0], axis: y}\n"
        "  ball: {type: spherical, between: [b, a], at: [0, 0, 1]}\n"
        "  rod: {type: rod, between: [b, ground], length: sqrt(1.25)}\n"
        "controllers: {lag: {type: differential, rate: DX(b) - lag, initial: 0}}\n"
        "events: {early: {when: time - 0.01, action: record}}\n";
    static const char *const sets[] = {"absolute", "relative"};
    for (int k = 0; k < 2; k++) {
        char file[2][200];
        products p;
        make_point(&p, swing, sets[k]);
        assert_true(refuse_each_of(&p, make_simulation, "hht") > 10);
        for (int j = 0; j < 2; j++) {
            snprintf(file[j], sizeof file[j], "%s/routh-oom-%ld.%s", P_tmpdir, (long)getpid(),
                     j ? "csv" : "h5");
            assert_true(refuse_each_of(&p, record_run, file[j]) > 10);
            assert_int_equal(remove(file[j]), 0);
        }
        release(&p);
    }
}

/* The text of a check of few cells, without times, which are never the same. */
static routh_status check_text(const routh_model *model, routh_text text[2], routh_error *error)
{
    routh_check_options options = routh_check_defaults();
    routh_check *check = NULL;
    options.most_degrees = 0;
    routh_status status = routh_check_run(&check, model, &options, error);
    assert_true((check == NULL) == (status != ROUTH_OK));
    for (int k = 0; check && k < check->n_cells; k++) check->cells[k].seconds = 0;
    const routh_results results = {.model = model, .check = check};
    if (!status) status = routh_check_table(&results, &text[0], error);
    if (!status) status = routh_check_json(&results, &text[1], error);
    routh_check_free(check);
    return status;
}

static void each_allocation_of_a_check(void **state)
{
    (void)state;
    static const char text[] = "gravity: [0, 0, -9.81]\n"
                               "bodies: {rod: {mass: 1, inertia: [1, 1, 0.1], "
                               "position: [0, 0, -1]}}\n"
                               "joints: {hinge: {type: cylindrical, between: [rod, ground], "
                               "at: [0, 0, 0], axis: y}}\n";
    routh_model *model = NULL;
    routh_text whole[2] = {{0}};
    long refused = 1, n_told = 0;
    assert_int_equal(routh_model_parse(&model, text, sizeof text - 1, "rod", NULL, 0, NULL),
                     ROUTH_OK);
    assert_int_equal(check_text(model, whole, NULL), ROUTH_OK);
    for (long n = 1; refused > 0; n = next_allocation(n)) {
        routh_text again[2] = {{0}};
        routh_error error = {0};
        catch_output();
        start(n, false);
        const routh_status status = check_text(model, again, &error);
        refused = n_refused;
        start(0, false);
        assert_silence();
        assert_true(status == ROUTH_OK || status == ROUTH_OUT_OF_MEMORY);
        n_told += status != ROUTH_OK;
        for (int i = 0; i < 2; i++) {
            if (status == ROUTH_OK) assert_string_equal(again[i].bytes, whole[i].bytes);
            routh_text_free(&again[i]);
        }
    }
    assert_true(n_told > 100);
    for (int i = 0; i < 2; i++) routh_text_free(&whole[i]);
    routh_model_free(model);
}

/* By an integrator that takes few steps, where there is one. */
static routh_status confirm_point(const products *p, const routh_modes *modes, routh_error *error)
{
    routh_verification_options options = routh_verification_defaults();
    routh_verification *verification = NULL;
    options.duration = 3;
    options.amplitude = 1e-3;
    const routh_status status = routh_verification_run(&verification, p->mechanism, p->point,
                                                       p->linear, modes, &options, error);
    assert_true((verification == NULL) == (status != ROUTH_OK));
    routh_verification_free(verification);
    return status;
}

/* The first ones, and then some forty of the many. */
static void allocations_of_a_confirmation(void **state)
{
    (void)state;
    static const char text[] = "gravity: [0, 0, -9.81]\n"
                               "bodies: {rod: {mass: 1, inertia: [1, 1, 0.1], "
                               "position: [0, 0, -1]}}\n"
                               "joints: {hinge: {type: revolute, between: [rod, ground], "
                               "at: [0, 0, 0], axis: y}}\n";
    products p;
    routh_modes *modes;
    make_point(&p, text, "relative");
    assert_int_equal(routh_linear_compute(&p.linear, p.mechanism, p.point, NULL, NULL), ROUTH_OK);
    assert_int_equal(routh_modes_compute(&modes, p.linear, NULL), ROUTH_OK);
    start(0, false);
    assert_int_equal(confirm_point(&p, modes, NULL), ROUTH_OK);
    const long n_all = n_asked;
    long n_told = 0;
    for (long n = 1; n <= n_all; n += n < 20 ? 1 : n_all / 40 + 1) {
        routh_error error = {0};
        catch_output();
        start(n, false);
        const routh_status status = confirm_point(&p, modes, &error);
        start(0, false);
        assert_silence();
        if (status != ROUTH_OK && status != ROUTH_OUT_OF_MEMORY)
            fail_msg("allocation %ld: %s", n, error.message);
        n_told += status != ROUTH_OK;
    }
    assert_true(n_told > 40);
    routh_modes_free(modes);
    release(&p);
}

static routh_status picture(const products *p, routh_text *text, routh_error *error)
{
    routh_sparsity *sparsity = NULL;
    routh_status status = routh_sparsity_find(&sparsity, p->mechanism, p->point, error);
    assert_true((sparsity == NULL) == (status != ROUTH_OK));
    if (!status) status = routh_sparsity_svg(sparsity, text, error);
    routh_sparsity_free(sparsity);
    return status;
}

static void each_allocation_of_a_picture_of_the_matrices(void **state)
{
    (void)state;
    products p = {0};
    routh_text text = {0}, whole = {0};
    long refused = 1, n_told = 0;
    assert_int_equal(routh_template_write("slider-pendulum", NULL, 0, &text, NULL), ROUTH_OK);
    assert_int_equal(make(&p, "slider-pendulum", text.bytes, NULL), ROUTH_OK);
    assert_int_equal(picture(&p, &whole, NULL), ROUTH_OK);
    for (long n = 1; refused > 0; n = next_allocation(n)) {
        routh_text again = {0};
        routh_error error = {0};
        catch_output();
        start(n, false);
        const routh_status status = picture(&p, &again, &error);
        refused = n_refused;
        start(0, false);
        assert_silence();
        assert_true(status == ROUTH_OK || status == ROUTH_OUT_OF_MEMORY);
        n_told += status != ROUTH_OK;
        if (status == ROUTH_OK) assert_string_equal(again.bytes, whole.bytes);
        routh_text_free(&again);
    }
    assert_true(n_told > 50);
    release(&p);
    routh_text_free(&whole);
    routh_text_free(&text);
}

/* Each time OUT_OF_MEMORY, or, where all is granted, what is expected. */
static void refuse_each_of_writing(const char *name, const routh_setting *setting,
                                   routh_status expected)
{
    long n_told = 0;
    for (long n = 1;; n++) { /* none is left out: one takes microseconds */
        routh_text text = {0};
        routh_error error = {0};
        catch_output();
        start(n, false);
        const routh_status status = routh_template_write(name, setting, 1, &text, &error);
        const long refused = n_refused;
        start(0, false);
        assert_silence();
        assert_int_equal(status, refused ? ROUTH_OUT_OF_MEMORY : expected);
        assert_int_equal(error.status, status);
        assert_true((text.bytes == NULL) == (status != ROUTH_OK));
        routh_text_free(&text);
        if (!refused) break;
        n_told++;
    }
    assert_true(n_told > 0);
}

/* Those of which the files hold each directive; and what a user may set wrongly. */
static void each_allocation_of_a_template(void **state)
{
    (void)state;
    refuse_each_of_writing("pendulum-chain", &(routh_setting){"n", "2"}, ROUTH_OK);
    refuse_each_of_writing("humanoid", &(routh_setting){"floating", "1"}, ROUTH_OK);
    refuse_each_of_writing("blade-segments", &(routh_setting){"blade", "exact"}, ROUTH_OK);
    refuse_each_of_writing("blade-segments", &(routh_setting){"blade", "x"}, ROUTH_BAD_ARGUMENT);
    refuse_each_of_writing("four-bar", &(routh_setting){"n", "2"}, ROUTH_BAD_ARGUMENT);
    refuse_each_of_writing("four-bars", &(routh_setting){"N", "2"}, ROUTH_BAD_ARGUMENT);
}

/* An arena asks the system seldom: comments fill it so far that each of what the reader takes of it
 * is once the first of a new block. */
static void each_piece_of_a_templates_memory(void **state)
{
    (void)state;
    static const char directives[] =
        "\n% about: A thing.\n"
        "% setting n: whole 1 .. 3 = 2; number\n% setting w: word on off = on; word\n"
        "% table t: words a, numbers x y\n% row u 1 2\n% row v 2 3\n"
        "% for rows of t\n{{a}}{{x + n}}\n% end\n% let z = n\n% mean of t from 1 to z\n"
        "% parameter n: number\n{{for i = 1 .. n}}{{if w is on and i < 2}}{{y|4}}{{else}}{{w}}"
        "{{end}}{{end}}\n";
    enum { STEP = 16, FULL = 64 * 1024, FILLED = 3 * 16000 };
    static char text[FULL + sizeof directives];
    const rt_template_source source = {"thing", "A thing.", text};
    long n_told = 0;
    for (int more = 0; FILLED + more < FULL; more += STEP) {
        memset(text, 'x', FILLED + (size_t)more);
        for (int k = 0; k <= FILLED; k += 16000) memcpy(text + k, "\n%#", 3);
        memcpy(text + FILLED + more + 3, directives, sizeof directives);
        for (long n = 1, refused = 1; refused; n++) {
            rt_text out = {0};
            start(n, false);
            const routh_status status = rt_template_make(&source, NULL, 0, &out, NULL);
            refused = n_refused;
            start(0, false);
            assert_int_equal(status, refused ? ROUTH_OUT_OF_MEMORY : ROUTH_OK);
            rt_text_free(&out);
            n_told += refused;
        }
    }
    assert_true(n_told > FULL / STEP);
}

/* ---- nonholonomic joints --------------------------------------------------------------------- */

static routh_status find_point(const char *text, routh_operating_point **point, routh_error *error)
{
    routh_model *model = NULL;
    routh_mechanism *mechanism = NULL;
    *point = NULL;
    routh_status status = routh_model_parse(&model, text, strlen(text), "blade", NULL, 0, error);
    if (!status) status = routh_mechanism_compile(&mechanism, model, coordinates, error);
    if (!status) status = routh_operating_point_find(point, mechanism, NULL, error);
    assert_true((*point == NULL) == (status != ROUTH_OK));
    routh_operating_point_free(*point);
    routh_mechanism_free(mechanism);
    routh_model_free(model);
    return status;
}

/* Each time OUT_OF_MEMORY, or what comes of it otherwise, with the same message. */
static void refuse_each_of_a_point(const char *text, routh_status expected)
{
    routh_operating_point *point;
    routh_error whole = {0};
    long refused = 1, n_told = 0;
    assert_int_equal(find_point(text, &point, &whole), expected);
    for (long n = 1; refused > 0; n = next_allocation(n)) {
        routh_error error = {0};
        catch_output();
        start(n, false);
        const routh_status status = find_point(text, &point, &error);
        refused = n_refused;
        start(0, false);
        assert_silence();
        assert_true(status == expected || status == ROUTH_OUT_OF_MEMORY);
        if (status == expected) assert_string_equal(error.message, whole.message);
        n_told += status == ROUTH_OUT_OF_MEMORY;
    }
    assert_true(n_told > 100);
}

static void each_allocation_of_points_of_nonholonomic_joints(void **state)
{
    (void)state;
    static const char rests[] =
        "gravity: [0, -9.81, 0]\n"
        "operating_point: {type: static}\n"
        "bodies: {a: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.1, 0, 0.1]}}\n"
        "joints:\n"
        "  flat: {type: planar, between: [a, ground]}\n"
        "  blade: {type: knife_edge, between: [a, ground]}\n"
        "loads: {along: {type: bushing, between: [a, ground], translation: {stiffness: 5}, "
        "rotation: {stiffness: 10}}}\n";
    static const char contradicts[] =
        "bodies: {a: {mass: 2, inertia: [0.1, 0.1, 0.1]}}\n"
        "joints:\n"
        "  hold: {type: fixed, between: [a, ground]}\n"
        "  drive: {type: nonholonomic, expressions: [\"VX(a) - 3\"]}\n";
    refuse_each_of_a_point(rests, ROUTH_OK);
    refuse_each_of_a_point(contradicts, ROUTH_NOT_ASSEMBLED);
    coordinates = "natural";
    refuse_each_of_a_point(rests, ROUTH_OK);
    coordinates = NULL;
}

/* A linear model saved and loaded again; context: the format. */
static routh_status save_and_load(const products *p, const void *context, routh_error *error)
{
    static char path[200];
    const char *format = context;
    const int length =
        snprintf(path, sizeof path, "%s/routh-oom-%ld-%s", P_tmpdir, (long)getpid(), format);
    assert_true(length > 0 && (size_t)length < sizeof path);
    routh_linear *back = NULL;
    routh_status status = routh_linear_save(p->linear, path, format, error);
    if (!status) {
        status = routh_linear_load(&back, path, format, error);
        assert_true((back == NULL) == (status != ROUTH_OK));
    }
    routh_linear_free(back);
    return status;
}

static void remove_saved(const char *format)
{
    char command[300];
    snprintf(command, sizeof command, "rm -r %s/routh-oom-%ld-%s", P_tmpdir, (long)getpid(),
             format);
    assert_int_equal(system(command), 0);
}

/* Not those of the libraries below: jansson takes a refusal for wrong syntax. */
static void each_allocation_of_saving_and_loading(void **state)
{
    (void)state;
    products p = {0};
    routh_text text = {0};
    assert_int_equal(routh_template_write("slider-pendulum", NULL, 0, &text, NULL), ROUTH_OK);
    assert_int_equal(make(&p, "slider-pendulum", text.bytes, NULL), ROUTH_OK);
    for (int k = 0; routh_exchange_format_name(k); k++) {
        const char *format = routh_exchange_format_name(k);
        assert_true(refuse_each_of(&p, save_and_load, format) > 5);
        remove_saved(format);
    }
    release(&p);
    routh_text_free(&text);
}

/* ---- reading --------------------------------------------------------------------------------- */

static void read_whole(const char *name, char *text, size_t room)
{
    char path[1024];
    const char *root = getenv("ROUTH_SOURCE");
    snprintf(path, sizeof path, "%s/tests/model/whole/%s", root ? root : ".", name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t n = fread(text, 1, room - 1, file);
    fclose(file);
    assert_in_range(n, 100, room - 2);
    text[n] = '\0';
}

/* Files with every controller, signal, joint with velocities, tyre, friction, contact, limit and
 * flexible body. */
static void each_allocation_of_reading_signals(void **state)
{
    (void)state;
    static const char *const names[] = {"controllers.yaml", "velocities.yaml", "tyres.yaml",
                                        "contact.yaml",     "flexible.yaml",   "placing.yaml"};
    static char text[10000];
    for (int k = 0; k < 6; k++) {
        long refused = 1, n_told = 0;
        read_whole(names[k], text, sizeof text);
        for (long n = 1; refused > 0; n = next_allocation(n), n_told++) {
            routh_model *model = NULL;
            routh_error error = {0};
            catch_output();
            start(n, false);
            const routh_status status =
                routh_model_parse(&model, text, strlen(text), names[k], NULL, 0, &error);
            refused = n_refused;
            start(0, false);
            assert_silence();
            assert_int_equal(status, refused ? ROUTH_OUT_OF_MEMORY : ROUTH_OK);
            assert_true((model == NULL) == (refused > 0));
            routh_model_free(model);
        }
        assert_true(n_told > 100);
    }
}

static void refuse_each_of_reading(const char *text)
{
    char name[1024];
    const char *root = getenv("ROUTH_SOURCE");
    long refused = 1, n_told = 0, n_survived = 0;
    snprintf(name, sizeof name, "%s/tests/oom/bar/two.yaml", root ? root : ".");
    for (long n = 1; refused > 0; n = next_allocation(n), n_told++) {
        routh_model *model = NULL;
        routh_error error = {0};
        catch_output();
        start(n, false);
        const routh_status status =
            routh_model_parse(&model, text, strlen(text), name, NULL, 0, &error);
        refused = n_refused;
        start(0, false);
        assert_silence();
        /* KLU shrinks what it has by realloc, and does without */
        if (status != ROUTH_OUT_OF_MEMORY && status != ROUTH_OK)
            fail_msg("allocation %ld: %s", n, error.message);
        assert_true((model == NULL) == (status != ROUTH_OK));
        n_survived += refused && !status;
        if (!refused) assert_int_equal(status, ROUTH_OK);
        routh_model_free(model);
    }
    assert_true(n_told > 100 && n_survived < 10);
}

/* Matrices of two beams read and reduced, and a body reduced before. */
static void each_allocation_of_reading_modal_bodies(void **state)
{
    (void)state;
    refuse_each_of_reading(
        "bodies:\n"
        "  a: {type: modal, stiffness_matrix: stiffness.mtx, mass_matrix: mass.mtx, nodes: "
        "nodes.inp, interface: [9=END], modes: 2, damping_ratio: 0.01}\n"
        "  b: {type: modal, file: bar.json}\n"
        "markers: {m: {body: a, node: 9}, n: {body: b, node: 1}}\n"
        "joints: {j: {type: fixed, between: [m, n]}}\n");
}

static void each_allocation_of_mirroring_modal_bodies(void **state)
{
    (void)state;
    refuse_each_of_reading("parts: {p: {file: part.yaml, mirror: y}}\n");
}

/* In parts, since each takes a minute on a busy machine; without a name all. */
int main(void)
{
    const struct CMUnitTest outputs[] = {
        cmocka_unit_test(each_allocation_of_saving_and_loading),
        cmocka_unit_test(each_allocation_of_a_motion_in_time),
        cmocka_unit_test(each_allocation_of_a_model_in_motion),
        cmocka_unit_test(each_allocation_of_a_model_with_parts),
        cmocka_unit_test(each_allocation_of_a_model_with_solids),
        cmocka_unit_test(each_allocation_of_a_model_with_redundant_constraints),
        cmocka_unit_test(each_allocation_of_a_loop_that_is_placed),
        cmocka_unit_test(each_allocation_in_coordinates_that_bodies_share),
        cmocka_unit_test(each_allocation_in_euler_parameters),
        cmocka_unit_test(each_allocation_of_a_singular_configuration),
        cmocka_unit_test(each_allocation_of_states_of_the_users),
        cmocka_unit_test(each_allocation_of_operating_points_with_controllers),
        cmocka_unit_test(each_allocation_of_a_descriptor_and_its_wanted_eigenvalues),
        cmocka_unit_test(each_allocation_of_modes_of_matrices),
        cmocka_unit_test(each_allocation_of_a_state_that_is_given),
        cmocka_unit_test(each_allocation_of_a_joint_space),
        cmocka_unit_test(allocations_of_a_confirmation),
        cmocka_unit_test(each_allocation_of_a_picture_of_the_matrices),
        cmocka_unit_test(each_allocation_of_a_template),
        cmocka_unit_test(each_piece_of_a_templates_memory),
        cmocka_unit_test(each_allocation_of_points_of_nonholonomic_joints),
    };
    const struct CMUnitTest methods[] = {
        cmocka_unit_test(each_allocation_of_every_method_in_coordinates_that_bodies_share),
        cmocka_unit_test(each_allocation_of_every_method_of_whole_systems),
    };
    const struct CMUnitTest reading[] = {
        cmocka_unit_test(each_allocation_of_a_steady_motion),
        cmocka_unit_test(each_allocation_of_a_check),
        cmocka_unit_test(each_allocation_of_reading_signals),
        cmocka_unit_test(each_allocation_of_reading_modal_bodies),
        cmocka_unit_test(each_allocation_of_mirroring_modal_bodies),
    };
    return cmocka_run_group_tests(outputs, NULL, NULL) +
           cmocka_run_group_tests(methods, NULL, NULL) +
           cmocka_run_group_tests(reading, NULL, NULL);
}
