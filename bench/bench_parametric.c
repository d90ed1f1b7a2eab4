/* From a changed parameter to new eigenvalues: the model read again with it, and a parametric
 * mechanism. Both in turns in one run, medians in microseconds of the processor, and the
 * allocations of one change, those of other libraries too. One line of CSV each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

/* ---- allocations are counted where the C library lets itself be replaced -------------------- */

static long n_allocations;

#if defined(__GLIBC__)
#define SEEN __attribute__((visibility("default"))) /* by other libraries */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

SEEN void *malloc(size_t size)
{
    n_allocations++;
    return __libc_malloc(size);
}

SEEN void *calloc(size_t count, size_t size)
{
    n_allocations++;
    return __libc_calloc(count, size);
}

SEEN void *realloc(void *block, size_t size)
{
    n_allocations++;
    return __libc_realloc(block, size);
}

SEEN void *aligned_alloc(size_t alignment, size_t size)
{
    n_allocations++;
    return __libc_memalign(alignment, size);
}
#endif

/* ---- both ways ------------------------------------------------------------------------------- */

enum { ROUNDS = 300 };

typedef struct model_file {
    const char *name, *parameter, *coordinates;
    double value;
} model_file;

static routh_linear_options eigenvalues_alone(void)
{
    routh_linear_options how = routh_linear_defaults();
    how.threads = 1;
    how.shares = how.markers = 0;
    return how;
}

static double read_again(const char *path, const model_file *f, const char *value)
{
    const routh_setting setting = {f->parameter, value};
    const routh_linear_options how = eigenvalues_alone();
    routh_model *model;
    routh_mechanism *m;
    routh_operating_point *point;
    routh_linear *linear;
    routh_modes *modes;
    routh_error error;
    bench_check(routh_model_read(&model, path, &setting, 1, &error), &error);
    bench_check(routh_mechanism_compile(&m, model, f->coordinates, &error), &error);
    bench_check(routh_operating_point_find(&point, m, NULL, &error), &error);
    bench_check(routh_linear_compute(&linear, m, point, &how, &error), &error);
    bench_check(routh_modes_compute(&modes, linear, &error), &error);
    const double found = modes->modes[0].eigenvalue[1];
    routh_modes_free(modes);
    routh_linear_free(linear);
    routh_operating_point_free(point);
    routh_mechanism_free(m);
    routh_model_free(model);
    return found;
}

static double set_again(routh_parametric *p, double value)
{
    const routh_modes *modes;
    routh_error error;
    bench_check(routh_parametric_set(p, 0, value, &error), &error);
    bench_check(routh_parametric_modes(p, &modes, &error), &error);
    return modes->modes[0].eigenvalue[1];
}

static void one(const model_file *f)
{
    static double whole[ROUNDS], again[ROUNDS];
    const char *const names[] = {f->parameter, NULL};
    const routh_linear_options how = eigenvalues_alone();
    char path[200], text[40];
    routh_model *model;
    routh_parametric *p;
    routh_error error;
    long counted[2] = {0, 0};
    snprintf(path, sizeof path, "examples/%s", f->name);
    bench_check(routh_model_read(&model, path, NULL, 0, &error), &error);
    bench_check(routh_parametric_create(&p, model, names, f->coordinates, NULL, &how, &error),
                &error);
    for (int k = 0; k < ROUNDS; k++) {
        const double value = f->value * (1 + 1e-3 * (k % 17));
        snprintf(text, sizeof text, "%.17g", value);
        const long before = n_allocations;
        const double start = bench_processor();
        const double one = read_again(path, f, text);
        const double middle = bench_processor();
        const long between = n_allocations;
        const double other = set_again(p, value);
        whole[k] = middle - start;
        again[k] = bench_processor() - middle;
        counted[0] = between - before, counted[1] = n_allocations - between;
        if (one != other) fprintf(stderr, "%s: %.17g, %.17g\n", f->name, one, other), exit(1);
    }
    const double a = bench_median(whole, ROUNDS), b = bench_median(again, ROUNDS);
    printf("%s,%s,%s,%.1f,%.1f,%.2f,%ld,%ld\n", f->name, f->parameter,
           f->coordinates ? f->coordinates : "absolute", 1e6 * a, 1e6 * b, a / b, counted[0],
           counted[1]);
    fflush(stdout);
    routh_parametric_free(p);
    routh_model_free(model);
}

int main(void)
{
    static const model_file files[] = {
        {.name = "quarter-car-active.yaml", .parameter = "sky", .value = 2200},
        {.name = "quarter-car-active.yaml", .parameter = "body_mass", .value = 320},
        {.name = "car/car.yaml", .parameter = "front_left.k", .value = 60e3},
        {.name = "washing-machine.yaml", .parameter = "k", .value = 3600},
        {.name = "washing-machine.yaml", .parameter = "xt", .value = 0.24},
    };
    printf("model,parameter,coordinates,read_us,parametric_us,ratio,read_allocations,"
           "parametric_allocations\n");
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) one(&files[k]);
    return 0;
}
