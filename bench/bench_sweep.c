/* A sweep of 1000 values over a chain of links, by one thread and by two, its results held against
 * each other byte for byte. The chain is on hinges with springs and dampers and hangs in a wind;
 * the swept parameter is the wind, with which the equilibrium moves (static), or the stiffness of
 * every other spring at a state as written (given). One line of CSV for each; times are medians
 * over turns that alternate, and `processor` is that of all threads together. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"

enum { MOST = 1 << 16, TURNS = 5 };

typedef struct text {
    char bytes[MOST];
    size_t n;
} text;

#define ADD(t, ...) (t)->n += (size_t)snprintf((t)->bytes + (t)->n, MOST - (t)->n, __VA_ARGS__)

static void write_chain(text *t, int links, const char *type)
{
    t->n = 0;
    ADD(t, "gravity: [0, 0, -9.81]\nparameters: {wind: 1, k: 20}\nbodies:\n");
    for (int i = 1; i <= links; i++)
        ADD(t, "  b%d: {mass: %g, inertia: [0.02, 0.02, 0.01], position: [0, 0, %g]}\n", i,
            1 + 0.1 * (i % 7), 0.25 - 0.5 * i);
    ADD(t, "joints:\n");
    for (int i = 1; i <= links; i++) {
        ADD(t, "  h%d: {type: revolute, between: [b%d, ", i, i);
        ADD(t, i > 1 ? "b%d], at: [0, 0, " : "ground], at: [0, 0, ", i - 1);
        ADD(t, "%g], axis: y}\n", 0.5 - 0.5 * i);
    }
    ADD(t, "loads:\n");
    for (int i = 1; i <= links; i++) {
        ADD(t, "  s%d: {type: torsion_spring, between: [b%d, ", i, i);
        ADD(t, i > 1 ? "b%d]" : "ground]", i - 1);
        ADD(t, ", axis: y, stiffness: %s, damping: 0.1}\n", i % 2 ? "k" : "25");
    }
    ADD(t, "  wind: {type: force, on: b%d, components: [wind, 0, 0]}\n", links);
    ADD(t, "operating_point: {type: %s}\n", type);
}

static routh_sweep *sweep_once(const char *path, const char *over, int threads)
{
    routh_error error = {0};
    routh_sweep_axis axis;
    routh_sweep *sweep;
    routh_sweep_options options = routh_sweep_defaults();
    options.threads = threads;
    bench_check(routh_sweep_axis_parse(&axis, over, NULL, &error), &error);
    bench_check(routh_sweep_run(&sweep, path, &axis, 1, &options, &error), &error);
    routh_sweep_axis_free(&axis);
    return sweep;
}

static int between_values(const routh_sweep *s)
{
    int n = 0;
    for (int k = 0; k < s->lines[0].n_points; k++) n += !s->lines[0].points[k].on_grid;
    return n;
}

static void measure(const char *type, int links, const char *over)
{
    static text t;
    double wall[2][TURNS], processor[2][TURNS];
    routh_text json[2] = {{0}};
    routh_error error = {0};
    int computed = 0, between = 0, values = 0, states = 0, events = 0;
    char path[] = "bench-sweep-XXXXXX";
    write_chain(&t, links, type);
    const int file = mkstemp(path);
    if (file < 0 || write(file, t.bytes, t.n) != (ssize_t)t.n || close(file)) {
        fprintf(stderr, "cannot write %s\n", path);
        exit(1);
    }
    for (int turn = 0; turn < TURNS; turn++)
        for (int k = 0; k < 2; k++) {
            const double start = bench_now(), before = bench_processor();
            routh_sweep *s = sweep_once(path, over, k + 1);
            wall[k][turn] = bench_now() - start;
            processor[k][turn] = bench_processor() - before;
            routh_text_free(&json[k]);
            bench_check(routh_sweep_json(s, &json[k], &error), &error);
            computed = s->n_computed, between = between_values(s);
            values = s->lines[0].n_points - between;
            states = s->lines[0].points[0].n, events = s->lines[0].n_events;
            routh_sweep_free(s);
        }
    unlink(path);
    const int same = json[0].length == json[1].length &&
                     memcmp(json[0].bytes, json[1].bytes, json[0].length) == 0;
    for (int k = 0; k < 2; k++) {
        printf("%s,%d,%d,%d,%d,%d,%d,%.3f,%.3f,%d\n", type, states, values, k + 1, computed,
               between, events, bench_median(wall[k], TURNS), bench_median(processor[k], TURNS),
               same);
        routh_text_free(&json[k]);
    }
    fflush(stdout);
}

int main(void)
{
    printf("operating_point,states,values,threads,computed,between,events,wall_s,processor_s,"
           "same\n");
    measure("static", 15, "wind=0:30:1000");
    measure("given", 15, "k=5:50:1000");
    return 0;
}
