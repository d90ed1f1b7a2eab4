#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static double read_clock(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double bench_now(void) { return read_clock(CLOCK_MONOTONIC); }

double bench_processor(void) { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

double bench_peak_megabytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return 1.024e-3 * (double)usage.ru_maxrss;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *times, int n)
{
    qsort(times, (size_t)n, sizeof *times, compare);
    return n % 2 ? times[n / 2] : (times[n / 2 - 1] + times[n / 2]) / 2;
}

void bench_check(routh_status status, const routh_error *error)
{
    char text[2048];
    if (!status) return;
    routh_error_text(error, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    exit(1);
}

int bench_repeats(double budget, double once, int least)
{
    const double wanted = budget / (once > 1e-9 ? once : 1e-9);
    if (wanted < least) return least;
    return wanted > BENCH_MOST_REPEATS ? BENCH_MOST_REPEATS : (int)wanted;
}

static void release(bench_case *c)
{
    routh_operating_point_free(c->point);
    routh_mechanism_free(c->mechanism);
    routh_model_free(c->model);
    routh_text_free(&c->text);
}

static void open_once(bench_case *c, const char *name, const char *key, const char *value,
                      double times[4])
{
    const routh_setting setting = {key, value};
    routh_error error = {0};
    const double t0 = bench_now();
    bench_check(routh_template_write(name, &setting, key != NULL, &c->text, &error), &error);
    const double t1 = bench_now();
    bench_check(routh_model_parse(&c->model, c->text.bytes, c->text.length, name, NULL, 0, &error),
                &error);
    const double t2 = bench_now();
    bench_check(routh_mechanism_compile(&c->mechanism, c->model, NULL, &error), &error);
    const double t3 = bench_now();
    bench_check(routh_operating_point_find(&c->point, c->mechanism, NULL, &error), &error);
    const double t4 = bench_now();
    times[0] = t1 - t0, times[1] = t2 - t1, times[2] = t3 - t2, times[3] = t4 - t3;
}

void bench_open(bench_case *c, const char *name, const char *key, const char *value, int repeats)
{
    enum { MOST = 64 };
    double times[4][MOST], own[4];
    if (repeats > MOST) repeats = MOST;
    *c = (bench_case){0};
    for (int k = 0; k < repeats; k++) {
        if (k) release(c);
        open_once(c, name, key, value, own);
        for (int i = 0; i < 4; i++) times[i][k] = own[i];
    }
    c->template_s = bench_median(times[0], repeats);
    c->read_s = bench_median(times[1], repeats);
    c->compile_s = bench_median(times[2], repeats);
    c->point_s = bench_median(times[3], repeats);
    c->n_bodies = c->point->n_bodies;
    c->n_redundant = c->point->n_redundant;
    c->dof = c->point->degrees_of_freedom;
    c->n_rows = 6 * c->n_bodies - c->dof + c->n_redundant;
}

void bench_close(bench_case *c)
{
    release(c);
    *c = (bench_case){0};
}

static double linearize_once(const bench_case *c, int everything, routh_linear **linear)
{
    routh_linear_options options = routh_linear_defaults();
    routh_error error = {0};
    options.shares = options.markers = everything;
    const double start = bench_now();
    bench_check(routh_linear_compute(linear, c->mechanism, c->point, &options, &error), &error);
    return bench_now() - start;
}

static double modes_once(const routh_linear *linear)
{
    routh_modes *modes;
    routh_error error = {0};
    const double start = bench_now();
    bench_check(routh_modes_compute(&modes, linear, &error), &error);
    const double time = bench_now() - start;
    routh_modes_free(modes);
    return time;
}

bench_times bench_linearize(const bench_case *c, double budget, int least, int modes)
{
    static double full[BENCH_MOST_REPEATS], bare[BENCH_MOST_REPEATS], own[BENCH_MOST_REPEATS];
    routh_linear *linear;
    const double first = bench_now();
    linearize_once(c, 1, &linear);
    if (modes) modes_once(linear);
    routh_linear_free(linear);
    const int repeats = bench_repeats(budget, 2 * (bench_now() - first), least);
    for (int k = 0; k < repeats; k++) {
        bare[k] = linearize_once(c, 0, &linear);
        routh_linear_free(linear);
        full[k] = linearize_once(c, 1, &linear);
        own[k] = modes ? modes_once(linear) : 0;
        routh_linear_free(linear);
    }
    return (bench_times){.full_s = bench_median(full, repeats),
                         .bare_s = bench_median(bare, repeats),
                         .modes_s = modes ? bench_median(own, repeats) : 0};
}
