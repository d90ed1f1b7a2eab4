/* The flexible double pendulum (Gonzalez et al., sec. 4.2 and Table 4), N elements a link: seconds
 * of the processor for each step on the way to its ten lowest frequencies by the sparse road. A
 * line of CSV: elements, unknowns (displacements and multipliers), compile, static equilibrium,
 * descriptor system, ten modes, lowest frequency (rad/s), its bound of error; where the
 * frequencies are lost in rounding the last two are empty.
 *
 *   bench_flexible N */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness.h"

enum { EIGENVALUES = 20 };

/* The lowest frequency, or why there is none. */
typedef struct lowest {
    bool found;
    double value, bound;
} lowest;

static lowest find_modes(const routh_descriptor *d)
{
    routh_modes *modes;
    routh_error error;
    const routh_status status = routh_modes_wanted(&modes, d, EIGENVALUES, 0, &error);
    if (status == ROUTH_NUMERIC_ERROR) return (lowest){0};
    bench_check(status, &error);
    lowest x = {.found = true, .value = HUGE_VAL};
    for (int k = 0; k < modes->n; k++)
        if (fabs(modes->modes[k].eigenvalue[1]) < x.value) {
            x.value = fabs(modes->modes[k].eigenvalue[1]);
            x.bound = modes->modes[k].error_bound;
        }
    routh_modes_free(modes);
    return x;
}

static routh_descriptor *linearize(const bench_case *c)
{
    routh_descriptor *d;
    routh_error error;
    bench_check(routh_linearize_descriptor(&d, c->mechanism, c->point, NULL, &error), &error);
    return d;
}

static double time_of_compiling(const bench_case *c)
{
    routh_mechanism *m;
    routh_error error;
    const double begin = bench_processor();
    bench_check(routh_mechanism_compile(&m, c->model, NULL, &error), &error);
    const double seconds = bench_processor() - begin;
    routh_mechanism_free(m);
    return seconds;
}

static double time_of_equilibrium(const bench_case *c)
{
    routh_operating_point *point;
    routh_error error;
    const double begin = bench_processor();
    bench_check(routh_operating_point_find(&point, c->mechanism, NULL, &error), &error);
    const double seconds = bench_processor() - begin;
    routh_operating_point_free(point);
    return seconds;
}

int main(int n_words, char **words)
{
    static double times[4][BENCH_MOST_REPEATS];
    if (n_words != 2) {
        fprintf(stderr, "usage: %s N\n", words[0]);
        return 2;
    }
    bench_case c;
    bench_open(&c, "flexible-double-pendulum", "elements", words[1], 1);
    lowest found = {0};
    int repeats = 1, unknowns = 0;
    for (int k = 0; k < repeats; k++) {
        const double begin = bench_processor();
        times[0][k] = time_of_compiling(&c);
        times[1][k] = time_of_equilibrium(&c);
        const double third = bench_processor();
        routh_descriptor *d = linearize(&c);
        const double fourth = bench_processor();
        found = find_modes(d);
        times[2][k] = fourth - third;
        times[3][k] = bench_processor() - fourth;
        unknowns = d->n_coordinates + d->n_constraints;
        routh_descriptor_free(d);
        if (k == 0) repeats = bench_repeats(2, bench_processor() - begin, 1);
    }
    printf("%s,%d", words[1], unknowns);
    for (int step = 0; step < 4; step++) printf(",%.4g", bench_median(times[step], repeats));
    if (found.found)
        printf(",%.12g,%.2g\n", found.value, found.bound);
    else
        printf(",,\n");
    bench_close(&c);
    return 0;
}
