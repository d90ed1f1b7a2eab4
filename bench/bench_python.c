/* What bench_python.py measures from Python, from C: a chain of five pendulums, ten states; one
 * line of CSV each, medians in microseconds of the processor. */
#include <stdio.h>

#include "harness.h"

enum { BATCHES = 100, CALLS = 20 };

typedef struct chain {
    routh_mechanism *mechanism;
    routh_operating_point *point;
    routh_linearizer *linearizer;
    routh_linear *linear;
} chain;

static void linearize(const chain *c)
{
    routh_error error;
    routh_linear *linear;
    bench_check(routh_linear_compute(&linear, c->mechanism, c->point, NULL, &error), &error);
    routh_linear_free(linear);
}

static void run(const chain *c)
{
    routh_error error;
    bench_check(routh_linearizer_run(c->linearizer, c->point, &error), &error);
}

static void modes(const chain *c)
{
    routh_error error;
    routh_modes *found;
    bench_check(routh_modes_compute(&found, c->linear, &error), &error);
    routh_modes_free(found);
}

static void measure(const char *name, void (*call)(const chain *c), const chain *c)
{
    double times[BATCHES];
    for (int k = 0; k < BATCHES; k++) {
        const double start = bench_processor();
        for (int i = 0; i < CALLS; i++) call(c);
        times[k] = (bench_processor() - start) / CALLS;
    }
    printf("%s,%.2f\n", name, 1e6 * bench_median(times, BATCHES));
}

int main(void)
{
    const routh_setting setting = {"n", "5"};
    routh_text text;
    routh_model *model;
    routh_error error;
    chain c;
    bench_check(routh_template_write("pendulum-chain", &setting, 1, &text, &error), &error);
    bench_check(routh_model_parse(&model, text.bytes, text.length, "chain", NULL, 0, &error),
                &error);
    bench_check(routh_mechanism_compile(&c.mechanism, model, NULL, &error), &error);
    bench_check(routh_operating_point_find(&c.point, c.mechanism, NULL, &error), &error);
    bench_check(routh_linearizer_create(&c.linearizer, c.mechanism, c.point, NULL, NULL, &error),
                &error);
    bench_check(routh_linear_compute(&c.linear, c.mechanism, c.point, NULL, &error), &error);
    measure("linearize", linearize, &c);
    measure("linearizer", run, &c);
    measure("modes", modes, &c);
    routh_linear_free(c.linear);
    routh_linearizer_free(c.linearizer);
    routh_operating_point_free(c.point);
    routh_mechanism_free(c.mechanism);
    routh_model_free(model);
    routh_text_free(&text);
    return 0;
}
