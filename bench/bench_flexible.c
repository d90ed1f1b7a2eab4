/* The flexible double pendulum (Gonzalez et al., sec. 4.2 and Table 4), N elements a link: seconds
 * of the processor for each step on the way to its ten lowest frequencies by the sparse road. A
 * line of CSV: elements, unknowns (displacements and multipliers), compile, static equilibrium,
 * descriptor system, ten lowest modes or that they are refused, lowest frequency (rad/s), its bound
 * of error, the ten modes nearest to 1e5 rad/s, which double precision carries at every N, and
 * the nearest of them (rad/s). Where the lowest are lost in rounding their two cells are empty.
 *
 *   bench_flexible N */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/symmetric_modes.h"
#include "harness.h"

enum { EIGENVALUES = 20, N_STEPS = 5 };
static const double NEAR = 100000;

/* The lowest frequency, or why there is none. */
typedef struct lowest {
    bool found;
    double value, bound;
} lowest;

static lowest find_modes(const routh_descriptor *d)
{
    routh_modes *modes;
    routh_error error;
    const routh_status status = routh_modes_select(&modes, d, EIGENVALUES, 0, &error);
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

/* ---- modes near a frequency ----------------------------------------------------------------- */

/* The lower triangle of -A in (xi, lambda), or of E among du, in compressed columns. */
typedef struct triangle {
    rt_pattern pattern;
    double *values;
} triangle;

static triangle take_triangle(const routh_descriptor *d, const routh_sparse *from, bool mass,
                              rt_arena *arena)
{
    const int n = d->n_coordinates, order = n + d->n_constraints,
              most = from->start[from->n_columns];
    triangle t = {
        .pattern = {order, order, RT_TAKE(arena, int, order + 1), RT_TAKE(arena, int, most)},
        .values = RT_TAKE(arena, double, most)};
    int k = 0;
    if (!t.pattern.start || !t.pattern.row || !t.values) bench_check(ROUTH_OUT_OF_MEMORY, NULL);
    for (int c = 0; c < order; c++) {
        const int column = mass ? c + n : c < n ? c : c + n;
        for (int e = from->start[column]; e < from->start[column + 1] && (!mass || c < n); e++) {
            const int row = from->row[e] - n;
            if (row < c) continue;
            t.pattern.row[k] = row, t.values[k++] = mass ? from->value[e] : -from->value[e];
        }
        t.pattern.start[c + 1] = k;
    }
    return t;
}

/* The nearest of ten modes about NEAR, rad/s. */
static double find_near(const routh_descriptor *d)
{
    rt_arena arena = {0};
    rt_symmetric_modes modes;
    routh_error error;
    const triangle K = take_triangle(d, &d->A, false, &arena),
                   M = take_triangle(d, &d->E, true, &arena);
    const rt_symmetric_pencil pencil = {.K_pattern = &K.pattern,
                                        .M_pattern = &M.pattern,
                                        .K = K.values,
                                        .M = M.values,
                                        .n_constraints = d->n_constraints};
    const rt_symmetric_request request = {.count = EIGENVALUES / 2, .near = NEAR * NEAR};
    bench_check(rt_symmetric_modes_find(&modes, &pencil, &request, &arena, &error), &error);
    double nearest = HUGE_VAL;
    for (int k = 0; k < modes.found; k++)
        if (fabs(sqrt(modes.value[k]) - NEAR) < fabs(nearest - NEAR))
            nearest = sqrt(modes.value[k]);
    rt_arena_free(&arena);
    return nearest;
}

/* ---- steps ---------------------------------------------------------------------------------- */

static routh_descriptor *linearize(const bench_case *c)
{
    routh_descriptor *d;
    routh_error error;
    bench_check(routh_descriptor_compute(&d, c->mechanism, c->point, NULL, &error), &error);
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
    static double times[N_STEPS][BENCH_MOST_REPEATS];
    if (n_words != 2) {
        fprintf(stderr, "usage: %s N\n", words[0]);
        return 2;
    }
    bench_case c;
    bench_open(&c, "flexible-double-pendulum", "elements", words[1], 1);
    lowest found = {0};
    int repeats = 1, unknowns = 0;
    double nearest = 0;
    for (int k = 0; k < repeats; k++) {
        const double begin = bench_processor();
        times[0][k] = time_of_compiling(&c);
        times[1][k] = time_of_equilibrium(&c);
        const double third = bench_processor();
        routh_descriptor *d = linearize(&c);
        const double fourth = bench_processor();
        found = find_modes(d);
        times[2][k] = fourth - third;
        const double fifth = bench_processor();
        nearest = find_near(d);
        times[3][k] = fifth - fourth;
        times[4][k] = bench_processor() - fifth;
        unknowns = d->n_coordinates + d->n_constraints;
        routh_descriptor_free(d);
        if (k == 0) repeats = bench_repeats(2, bench_processor() - begin, 1);
    }
    printf("%s,%d", words[1], unknowns);
    for (int step = 0; step < N_STEPS - 1; step++)
        printf(",%.4g", bench_median(times[step], repeats));
    if (found.found)
        printf(",%.12g,%.2g", found.value, found.bound);
    else
        printf(",,");
    printf(",%.4g,%.12g\n", bench_median(times[N_STEPS - 1], repeats), nearest);
    bench_close(&c);
    return 0;
}
