/* Recorded runs: what is in a record, files that are whole, and runs that are taken up again. */
#define _POSIX_C_SOURCE 200809L /* mkdir, getpid */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "motion/history_writer.h"
#include "support/mechanisms.h"

static const char yaml[] =
    "gravity: [0, 0, -9.81]\n"
    "inputs: {wind: 0}\n"
    "simulate: {end: 2, every: 0.01, inputs: {wind: 5*sin(3*time)}}\n"
    "bodies:\n"
    "  arm: {mass: 2, inertia: [0.1, 0.2, 0.1], position: [0.6, 0, 0.8]}\n"
    "  bob: {mass: 1, inertia: [0.01, 0.02, 0.03], position: [1.2, 0, 1], angular_velocity: [0, 0, "
    "2]}\n"
    "joints:\n"
    "  hinge: {type: revolute, between: [arm, ground], at: [0, 0, 0], axis: y}\n"
    "  ball: {type: spherical, between: [bob, arm], at: [1.2, 0, 1.6]}\n"
    "markers: {tip: {body: arm, position: [0.6, 0, 0.8]}}\n"
    "loads:\n"
    "  spring: {type: spring, between: [bob, ground], stiffness: 20, free_length: 1}\n"
    "  air: {type: force, on: bob, components: [wind, 0, 0]}\n"
    "controllers: {lag: {type: differential, rate: wind - lag, initial: 0}}\n"
    "outputs: {height: DZ(tip)}\n"
    "events: {high: {when: DZ(tip) - 1.2}}\n";

typedef struct folder {
    char name[64], file[2][96];
} folder;

static void open_folder(folder *f)
{
    const long number = (long)getpid();
    snprintf(f->name, sizeof f->name, "routh-history-%ld", number);
    assert_int_equal(mkdir(f->name, 0700), 0);
    for (int k = 0; k < 2; k++)
        snprintf(f->file[k], sizeof f->file[k], "routh-history-%ld/%d.h5", number, k);
}

static void close_folder(const folder *f)
{
    for (int k = 0; k < 2; k++) unlink(f->file[k]);
    assert_int_equal(rmdir(f->name), 0); /* nothing was left beside */
}

static void make_of(const char *text, test_mechanism *t, routh_operating_point **point,
                    const char *coordinates)
{
    routh_error error = {0};
    routh_operating_point_options given = routh_operating_point_defaults();
    given.type = ROUTH_OPERATING_GIVEN;
    *t = (test_mechanism){0};
    if (routh_model_parse(&t->model, text, strlen(text), "model", NULL, 0, &error) ||
        routh_mechanism_compile(&t->m, t->model, coordinates, &error) ||
        routh_operating_point_find(point, t->m, &given, &error))
        fail_msg("%s: %s", error.element, error.message);
}

static void make(test_mechanism *t, routh_operating_point **point, const char *coordinates)
{
    make_of(yaml, t, point, coordinates);
}

static void release(test_mechanism *t, routh_operating_point *point)
{
    routh_operating_point_free(point);
    routh_mechanism_free(t->m);
    routh_model_free(t->model);
}

static int find(const routh_channels *c, const char *path)
{
    for (int k = 0; k < routh_channels_count(c); k++)
        if (strcmp(routh_channels_get(c, k)->path, path) == 0)
            return routh_channels_get(c, k)->first;
    fail_msg("there is no channel %s", path);
    return -1;
}

/* One record against the operating point that the same state gives. */
static void records_what_the_operating_point_says(void **state)
{
    (void)state;
    static const char *const sets[] = {"absolute", "relative", "natural", "euler-parameters"};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        test_mechanism t;
        routh_operating_point *start, *point = NULL;
        routh_simulation *s = NULL;
        routh_channels *c = NULL;
        routh_error error = {0};
        make(&t, &start, sets[i]);
        if (routh_simulation_create(&s, t.m, start, NULL, &error) ||
            routh_simulation_advance(s, 0.3, &error) || routh_simulation_point(s, &point, &error) ||
            routh_channels_create(&c, t.m, NULL, &error))
            fail_msg("%s", error.message);
        double *record = calloc((size_t)routh_channels_width(c), sizeof *record);
        assert_int_equal(routh_channels_read(c, s, record, &error), ROUTH_OK);
        assert_true(record[find(c, "time")] == 0.3);
        for (int b = 0; b < 2; b++) {
            char path[80];
            const routh_body_state *body = &point->bodies[b];
            const double *of[] = {body->position, body->velocity, body->angular_velocity};
            static const char *const names[] = {"position", "velocity", "angular_velocity"};
            for (int k = 0; k < 3; k++) {
                snprintf(path, sizeof path, "bodies/%s/%s", body->name, names[k]);
                for (int j = 0; j < 3; j++)
                    assert_true(fabs(record[find(c, path) + j] - of[k][j]) < 1e-11);
            }
        }
        for (int k = 0; k < point->n_reactions; k++) {
            char path[80];
            const routh_reaction *r = &point->reactions[k];
            snprintf(path, sizeof path, "%s/%s/force", r->is_load ? "loads" : "joints", r->name);
            for (int j = 0; j < 3; j++)
                assert_true(fabs(record[find(c, path) + j] - r->force[j]) < 1e-8);
            snprintf(path, sizeof path, "%s/%s/torque", r->is_load ? "loads" : "joints", r->name);
            for (int j = 0; j < 3; j++)
                assert_true(fabs(record[find(c, path) + j] - r->torque[j]) < 1e-8);
        }
        assert_true(fabs(record[find(c, "inputs/wind")] - 5 * sin(0.9)) < 1e-15);
        const double *tip = record + find(c, "markers/tip/position");
        assert_true(fabs(record[find(c, "outputs/height")] - tip[2]) < 1e-14);
        assert_true(fabs(record[find(c, "energy/total")] - record[find(c, "energy/kinetic")] -
                         record[find(c, "energy/gravity")] - record[find(c, "energy/elastic")]) <
                    1e-12);
        free(record);
        routh_channels_free(c);
        routh_operating_point_free(point);
        routh_simulation_free(s);
        release(&t, start);
    }
}

/* d(energy)/dt is the power of what has no energy of its own: the wind on the bob. */
static void counts_the_energy_of_bodies_weights_and_springs(void **state)
{
    (void)state;
    test_mechanism t;
    routh_operating_point *start;
    routh_simulation *s = NULL;
    routh_channels *c = NULL;
    routh_error error = {0};
    routh_simulation_options o = routh_simulation_defaults();
    o.step = 1e-4;
    make(&t, &start, "absolute");
    if (routh_simulation_create(&s, t.m, start, &o, &error) ||
        routh_channels_create(&c, t.m, "bodies,loads,energy", &error))
        fail_msg("%s", error.message);
    double *record = calloc((size_t)routh_channels_width(c), sizeof *record);
    const int energy = find(c, "energy/total"), v = find(c, "bodies/bob/velocity");
    const int force = find(c, "loads/air/force");
    double first = 0, work = 0, power = 0;
    for (int k = 0; k <= 4000; k++) {
        if (routh_simulation_advance(s, k * 2.5e-4, &error) ||
            routh_channels_read(c, s, record, &error))
            fail_msg("%s", error.message);
        const double now = record[force] * record[v];
        if (k == 0) first = record[energy];
        if (k > 0) work += 1.25e-4 * (power + now);
        power = now;
    }
    assert_true(fabs(work) > 1e-2);
    if (!(fabs(record[energy] - first - work) < 1e-4 * fabs(work)))
        fail_msg("energy changed by %.9g, the wind did %.9g", record[energy] - first, work);
    free(record);
    routh_channels_free(c);
    routh_simulation_free(s);
    release(&t, start);
}

/* Two beams of 5 kg and 1 m: the first turns by 3 rad/s, the second moves by 3 m/s. */
static const char beams[] =
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  a: {type: beam, to: [1, 0, 0], elements: 2, planar: true, density: 1000, youngs_modulus: \n"
    "      1e7, section: {rectangle: {height: 0.05, width: 0.1}}, angular_velocity: [0, 0, 3]}\n"
    "  b: {type: beam, position: [1, 0, 0], to: [1, 0, 0], elements: 2, frame: mean-axis, \n"
    "      modes: 2, planar: true, density: 1000, youngs_modulus: 1e7, \n"
    "      section: {rectangle: {height: 0.05, width: 0.1}}, velocity: [0, 3, 0]}\n"
    "joints:\n"
    "  o: {type: revolute, between: [a, ground], at: [0, 0, 0], axis: z}\n"
    "  p: {type: revolute, between: [b, a], at: [1, 0, 0], axis: z}\n";

/* Their coordinates stand in the record by what they are, and their energy stays while it goes from
 * motion into weight and strain. */
static void records_flexible_bodies_and_their_energy(void **state)
{
    (void)state;
    static const char *const sets[] = {"absolute", "relative"};
    for (int i = 0; i < 2; i++) {
        test_mechanism t;
        routh_operating_point *start, *point = NULL;
        routh_simulation *s = NULL;
        routh_channels *c = NULL;
        routh_error error = {0};
        routh_simulation_options o = routh_simulation_defaults();
        o.step = 2e-5;
        make_of(beams, &t, &start, sets[i]);
        if (routh_simulation_create(&s, t.m, start, &o, &error) ||
            routh_channels_create(&c, t.m, "bodies,energy", &error))
            fail_msg("%s", error.message);
        double *record = calloc((size_t)routh_channels_width(c), sizeof *record);
        assert_int_equal(routh_channels_read(c, s, record, &error), ROUTH_OK);
        assert_true(fabs(record[find(c, "energy/kinetic")] - (7.5 + 22.5)) < 1e-10);
        assert_true(record[find(c, "energy/elastic")] == 0);
        if (routh_simulation_advance(s, 0.05, &error) || routh_simulation_point(s, &point, &error))
            fail_msg("%s", error.message);
        assert_int_equal(routh_channels_read(c, s, record, &error), ROUTH_OK);
        const double *q = point->state->q + t.m->first_elastic_q;
        const double *d = record + find(c, "bodies/a/displacements");
        const double *turn = record + find(c, "bodies/a/rotations");
        const double *mode = record + find(c, "bodies/b/amplitudes");
        for (int node = 0; node < 2; node++) {
            for (int k = 0; k < 2; k++) assert_true(d[2 * node + k] == q[3 * node + k]);
            assert_true(turn[node] == q[3 * node + 2] && mode[node] == q[6 + node]);
            assert_true(fabs(mode[node]) > 1e-6 && fabs(turn[node]) > 1e-6);
        }
        assert_true(record[find(c, "energy/elastic")] > 1e-2);
        if (!(fabs(record[find(c, "energy/total")] - 30) < 1e-4))
            fail_msg("%.9g J of 30 are left", record[find(c, "energy/total")]);
        free(record);
        routh_channels_free(c);
        routh_operating_point_free(point);
        routh_simulation_free(s);
        release(&t, start);
    }
}

static int stop_late(void *data, const routh_history_progress *p)
{
    return p->time >= *(const double *)data;
}

static char *bytes_of(const char *name, long *n)
{
    FILE *f = fopen(name, "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    *n = ftell(f);
    rewind(f);
    char *bytes = malloc((size_t)*n);
    assert_true(bytes && fread(bytes, 1, (size_t)*n, f) == (size_t)*n);
    fclose(f);
    return bytes;
}

/* Interrupted twice and gone on with: the same bytes as in one go. */
static void goes_on_with_the_same_bytes(void **state)
{
    (void)state;
    for (int k = 0; routh_integrator_name(k); k++) {
        if (!routh_integrator_available(k)) continue;
        test_mechanism t;
        routh_operating_point *start;
        routh_history_summary summary;
        routh_error error = {0};
        folder f;
        open_folder(&f);
        make(&t, &start, k == 1 ? "relative" : NULL);
        routh_history_options o = routh_history_defaults();
        o.simulate.integrator = routh_integrator_name(k);
        o.block = 16;
        o.file = f.file[0];
        if (routh_history_run(t.m, start, &o, &summary, &error)) fail_msg("%s", error.message);
        assert_int_equal(summary.records, 201);
        assert_int_equal(summary.interrupted, 0);
        o.file = f.file[1];
        o.on_progress = stop_late;
        for (int part = 0; part < 3; part++) {
            double until = part == 0 ? 0.5 : part == 1 ? 1.234 : 100;
            o.data = &until;
            o.resume = part > 0;
            assert_int_equal(routh_history_run(t.m, start, &o, &summary, &error),
                             part < 2 ? ROUTH_STOPPED : ROUTH_OK);
            assert_int_equal(summary.interrupted, part < 2);
            assert_int_equal(summary.resumed_from, part == 0 ? 0 : part == 1 ? 48 : 112);
        }
        long n[2];
        char *bytes[2] = {bytes_of(f.file[0], &n[0]), bytes_of(f.file[1], &n[1])};
        if (n[0] != n[1] || memcmp(bytes[0], bytes[1], (size_t)n[0]) != 0)
            fail_msg("%s: the files differ", routh_integrator_name(k));
        free(bytes[0]);
        free(bytes[1]);
        release(&t, start);
        close_folder(&f);
    }
}

static void goes_on_only_with_the_same_run(void **state)
{
    (void)state;
    test_mechanism t;
    routh_operating_point *start;
    routh_error error = {0};
    folder f;
    open_folder(&f);
    make(&t, &start, NULL);
    routh_history_options o = routh_history_defaults();
    o.file = f.file[0];
    o.end = 1;
    o.block = 16;
    o.resume = 1;
    assert_int_equal(routh_history_run(t.m, start, &o, NULL, &error), ROUTH_FILE_ERROR);
    o.resume = 0;
    assert_int_equal(routh_history_run(t.m, start, &o, NULL, &error), ROUTH_OK);
    o.resume = 1;
    o.simulate.tolerance = 1e-5;
    assert_int_equal(routh_history_run(t.m, start, &o, NULL, &error), ROUTH_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "another tolerance"));
    o.simulate.tolerance = 0;
    o.every = 0.02;
    assert_int_equal(routh_history_run(t.m, start, &o, NULL, &error), ROUTH_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "another every"));
    o.every = 0;
    o.groups = "bodies";
    assert_int_equal(routh_history_run(t.m, start, &o, NULL, &error), ROUTH_BAD_ARGUMENT);
    o.groups = NULL;
    assert_int_equal(routh_history_run(t.m, start, &o, NULL, &error), ROUTH_OK);
    o.file = "history.csv";
    assert_int_equal(routh_history_run(t.m, start, &o, NULL, &error), ROUTH_NOT_SUPPORTED);
    release(&t, start);
    close_folder(&f);
}

/* A wind that has no value from 0.503 s on: the records up to there are kept, and the file says why
 * there are no more. */
static void keeps_what_there_is_where_the_integration_fails(void **state)
{
    (void)state;
    static const char failing[] =
        "bodies: {ball: {mass: 1, inertia: [1, 1, 1]}}\n"
        "loads: {wind: {type: force, on: ball, components: [sqrt(0.503 - time), 0, 0]}}\n";
    test_mechanism t = {0};
    routh_operating_point *start = NULL;
    routh_history_summary summary;
    routh_error error = {0};
    folder f;
    open_folder(&f);
    if (routh_model_parse(&t.model, failing, strlen(failing), "model", NULL, 0, &error) ||
        routh_mechanism_compile(&t.m, t.model, NULL, &error) ||
        routh_operating_point_find(&start, t.m, NULL, &error))
        fail_msg("%s", error.message);
    routh_history_options o = routh_history_defaults();
    o.file = f.file[0];
    o.end = 1;
    o.every = 0.01;
    assert_int_equal(routh_history_run(t.m, start, &o, &summary, &error), ROUTH_NUMERIC_ERROR);
    assert_non_null(strstr(error.message, "at t = 0.50"));
    assert_int_equal(summary.failed, 1);
    assert_int_equal(summary.records, 51);
    assert_int_equal(access(f.file[0], R_OK), 0);
    release(&t, start);
    close_folder(&f);
}

/* A file in which one bit of the recorded numbers is another. */
static void does_not_go_on_with_damaged_records(void **state)
{
    (void)state;
    test_mechanism t;
    routh_operating_point *start;
    routh_error error = {0};
    folder f;
    open_folder(&f);
    make(&t, &start, NULL);
    routh_history_options o = routh_history_defaults();
    o.file = f.file[0];
    o.end = 1;
    o.block = 16;
    assert_int_equal(routh_history_run(t.m, start, &o, NULL, &error), ROUTH_OK);
    long n, at = 0;
    char *bytes = bytes_of(f.file[0], &n);
    const double second = 0.01; /* the second of the recorded times */
    while (at < n - 8 && memcmp(bytes + at, &second, sizeof second) != 0) at++;
    assert_true(at < n - 8);
    bytes[at] ^= 1;
    FILE *out = fopen(f.file[0], "wb");
    assert_true(out && fwrite(bytes, 1, (size_t)n, out) == (size_t)n && fclose(out) == 0);
    free(bytes);
    o.resume = 1;
    assert_int_equal(routh_history_run(t.m, start, &o, NULL, &error), ROUTH_FILE_ERROR);
    assert_non_null(strstr(error.message, "cannot be resumed"));
    release(&t, start);
    close_folder(&f);
}

static void refuses_what_it_cannot_record(void **state)
{
    (void)state;
    test_mechanism t;
    routh_operating_point *start;
    routh_channels *c;
    routh_error error = {0};
    make(&t, &start, NULL);
    routh_history_options o = routh_history_defaults();
    assert_int_equal(routh_history_run(t.m, start, &o, NULL, &error), ROUTH_BAD_ARGUMENT);
    o.file = "run.txt";
    assert_int_equal(routh_history_run(t.m, start, &o, NULL, &error), ROUTH_NOT_SUPPORTED);
    o.file = "run.h5";
    o.every = -1;
    assert_int_equal(routh_history_run(t.m, start, &o, NULL, &error), ROUTH_BAD_ARGUMENT);
    o.every = 2.5; /* of 2 s */
    assert_int_equal(routh_history_run(t.m, start, &o, NULL, &error), ROUTH_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "the run from 0 to 2 s is shorter"));
    assert_int_equal(routh_channels_create(&c, t.m, "bodies,wheels", &error), ROUTH_NOT_SUPPORTED);
    assert_null(c);
    assert_non_null(strstr(error.message, "\"wheels\" does not exist"));
    release(&t, start);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_what_the_operating_point_says),
        cmocka_unit_test(records_flexible_bodies_and_their_energy),
        cmocka_unit_test(counts_the_energy_of_bodies_weights_and_springs),
        cmocka_unit_test(goes_on_with_the_same_bytes),
        cmocka_unit_test(goes_on_only_with_the_same_run),
        cmocka_unit_test(keeps_what_there_is_where_the_integration_fails),
        cmocka_unit_test(does_not_go_on_with_damaged_records),
        cmocka_unit_test(refuses_what_it_cannot_record),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
