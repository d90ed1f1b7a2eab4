/* What the benchmarks share: a clock, medians, and the path from a template to its modes with every
 * step timed. A benchmark stops at the first error: there is nothing to measure then. */
#ifndef ROUTH_BENCH_HARNESS_H
#define ROUTH_BENCH_HARNESS_H

#include "routh/routh.h"

enum { BENCH_MOST_REPEATS = 4096 };

/* Seconds, from some start. */
double bench_now(void);

/* Seconds of the processor, which no other process of a busy machine takes from it. */
double bench_processor(void);

/* The largest memory this process has had, MB (10^6 bytes). */
double bench_peak_megabytes(void);

/* Sorts the times and gives the median. */
double bench_median(double *times, int n);

/* Prints the error and exits with 1 when status is not ROUTH_OK. */
void bench_check(routh_status status, const routh_error *error);

/* How many repeats fill `budget` seconds when one takes `once`: at least `least`. */
int bench_repeats(double budget, double once, int least);

/* A template read and compiled, and its operating point. */
typedef struct bench_case {
    routh_text text;
    routh_model *model;
    routh_mechanism *mechanism;
    routh_operating_point *point;
    int n_bodies, n_rows, n_redundant, dof;
    double template_s, read_s, compile_s, point_s; /* medians over the repeats */
} bench_case;

/* All steps `repeats` times; what the last gave is kept. key NULL: no setting. */
void bench_open(bench_case *c, const char *name, const char *key, const char *value, int repeats);
void bench_close(bench_case *c);

/* Times of one linear model and its modes. */
typedef struct bench_times {
    double full_s;  /* routh_linear_compute with shares and markers */
    double bare_s;  /* without */
    double modes_s; /* routh_modes_compute */
} bench_times;

/* Medians over about `budget` seconds, at least `least` repeats. modes 0 leaves the modes out. */
bench_times bench_linearize(const bench_case *c, double budget, int least, int modes);

#endif
