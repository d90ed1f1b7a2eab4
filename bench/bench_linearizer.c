/* The four-bar chain linearized again and again by a linearizer: one line
 * of CSV each, medians in microseconds. */
#include <stdio.h>

#include "harness.h"

enum { BATCHES = 60 };

typedef struct times {
    double run_s, modes_s; /* one run; its eigenvalues and modes */
} times;

static times measure(routh_linearizer *l, const routh_operating_point *point, int calls)
{
    double run[BATCHES], modes[BATCHES];
    routh_error error;
    for (int k = 0; k < BATCHES; k++) {
        const double start = bench_now();
        for (int i = 0; i < calls; i++) bench_check(routh_linearizer_run(l, point, &error), &error);
        const double middle = bench_now();
        for (int i = 0; i < calls; i++) {
            routh_modes *found;
            bench_check(routh_modes_compute(&found, routh_linearizer_linear(l), &error), &error);
            routh_modes_free(found);
        }
        run[k] = (middle - start) / calls;
        modes[k] = (bench_now() - middle) / calls;
    }
    return (times){bench_median(run, BATCHES), bench_median(modes, BATCHES)};
}

static void one(const char *coordinates, const char *N)
{
    const routh_setting setting = {"N", N};
    routh_text text;
    routh_model *model;
    routh_mechanism *m;
    routh_operating_point *point;
    routh_linearizer *l;
    routh_error error;
    bench_check(routh_template_write("four-bar", &setting, 1, &text, &error), &error);
    bench_check(routh_model_parse(&model, text.bytes, text.length, "four-bar", NULL, 0, &error),
                &error);
    bench_check(routh_mechanism_compile(&m, model, coordinates, &error), &error);
    bench_check(routh_operating_point_find(&point, m, NULL, &error), &error);
    bench_check(routh_linearizer_create(&l, m, point, NULL, NULL, &error), &error);
    const times t = measure(l, point, 20);
    printf("%s,%s,%.2f,%.2f,%.2f\n", coordinates, N, 1e6 * t.run_s, 1e6 * t.modes_s,
           1e6 * (t.run_s + t.modes_s));
    fflush(stdout);
    routh_linearizer_free(l);
    routh_operating_point_free(point);
    routh_mechanism_free(m);
    routh_model_free(model);
    routh_text_free(&text);
}

int main(void)
{
    static const char *const N[] = {"1", "5", "10", "20", "40", "100"};
    static const char *const coordinates[] = {"absolute", "euler-parameters", "relative",
                                              "natural"};
    printf("coordinates,N,run_us,modes_us,run_and_modes_us\n");
    for (size_t k = 0; k < sizeof coordinates / sizeof coordinates[0]; k++)
        for (size_t i = 0; i < sizeof N / sizeof N[0]; i++) one(coordinates[k], N[i]);
    return 0;
}
