/* One simulation of one model: one line of CSV, time in seconds of the processor.
 *
 *     bench_simulate MODEL.yaml COORDINATES INTEGRATOR tolerance=1e-6|step=1e-4 END REPEATS
 *     bench_simulate                                                    the heading
 *
 * The line ends with the values of the model's outputs at the end. The time is the median over the
 * repeats, of the integration alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

enum { MOST_REPEATS = 64 };

typedef struct wanted {
    const char *coordinates;
    routh_simulation_options options;
    double end;
    int repeats;
} wanted;

static void read_arguments(wanted *w, char **argv)
{
    w->coordinates = argv[2];
    w->options = routh_simulation_defaults();
    w->options.integrator = argv[3];
    const char *value = strchr(argv[4], '=');
    if (!value) exit(2);
    if (!strncmp(argv[4], "step", 4))
        w->options.step = atof(value + 1);
    else
        w->options.tolerance = atof(value + 1);
    w->end = w->options.end = atof(argv[5]);
    w->repeats = atoi(argv[6]);
    if (w->repeats < 1 || w->repeats > MOST_REPEATS) exit(2);
}

static void print_outputs(const routh_mechanism *m, const routh_simulation *s)
{
    routh_channels *channels;
    routh_error error;
    bench_check(routh_channels_create(&channels, m, "outputs", &error), &error);
    double *record = malloc((size_t)routh_channels_width(channels) * sizeof *record);
    if (!record) exit(1);
    bench_check(routh_channels_read(channels, s, record, &error), &error);
    for (int k = 1; k < routh_channels_count(channels); k++)
        printf(",%.17g", record[routh_channels_get(channels, k)->first]);
    free(record);
    routh_channels_free(channels);
}

static void measure(const wanted *w, const char *path, const routh_mechanism *m,
                    const routh_operating_point *point)
{
    double times[MOST_REPEATS];
    routh_simulation *s = NULL;
    routh_statistics count;
    routh_error error;
    for (int k = 0; k < w->repeats; k++) {
        routh_simulation_free(s);
        bench_check(routh_simulation_create(&s, m, point, &w->options, &error), &error);
        const double start = bench_processor();
        bench_check(routh_simulation_advance(s, w->end, &error), &error);
        times[k] = bench_processor() - start;
    }
    routh_simulation_statistics(s, &count);
    const char *name = strrchr(path, '/');
    printf("%s,%s,%s,%g,%g,%g,%.6g,%ld,%ld,%ld,%ld,%ld,%.2g,%.2g", name ? name + 1 : path,
           w->options.integrator, w->coordinates, w->options.tolerance, w->options.step, w->end,
           bench_median(times, w->repeats), count.steps, count.rejected, count.iterations,
           count.evaluations, count.factorizations, count.position_error, count.velocity_error);
    print_outputs(m, s);
    printf("\n");
    routh_simulation_free(s);
}

int main(int argc, char **argv)
{
    if (argc != 7) {
        printf("model,integrator,coordinates,tolerance,step,end,processor_s,steps,rejected,"
               "iterations,evaluations,factorizations,position_error,velocity_error\n");
        return argc != 1;
    }
    wanted w;
    routh_model *model;
    routh_mechanism *m;
    routh_operating_point *point;
    routh_error error;
    read_arguments(&w, argv);
    bench_check(routh_model_read(&model, argv[1], NULL, 0, &error), &error);
    bench_check(routh_mechanism_compile(&m, model, w.coordinates, &error), &error);
    bench_check(routh_operating_point_find(&point, m, NULL, &error), &error);
    measure(&w, argv[1], m, point);
    routh_operating_point_free(point);
    routh_mechanism_free(m);
    routh_model_free(model);
    return 0;
}
