/* Growth of M, C and K in sparse form: one evaluation of all matrices of motion and constraints,
 * and of filling them into the saddle-point matrix, against the number of bodies. A line of CSV per
 * case, coordinate set and size, times in microseconds. A case that would need too much memory is
 * left out.
 *
 *   chain   rods hanging one below the other, a spring in each hinge
 *   comb    a spine that hangs on a hinge, with limbs of three rods each */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "harness.h"
#include "operating/operating.h"
#include "system/kkt.h"

enum { LIMB = 3, REPEATS = 512 };

static const int sizes[] = {10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000};

static void head(rt_text *t)
{
    rt_text_append(t, "gravity: [0, 0, -9.81]\nbodies:\n"
                      "  spine: {mass: 10, inertia: [1, 1, 1], position: [0, 0, -0.5]}\n");
}

static void write_comb(rt_text *t, int n)
{
    const int limbs = (n - 1) / LIMB;
    head(t);
    for (int i = 0; i < limbs; i++)
        for (int k = 0; k < LIMB; k++)
            rt_text_append(t,
                           "  b%d_%d: {mass: 1, inertia: [0.1, 0.1, 0.01], "
                           "position: [0, %d, -%d.5]}\n",
                           i, k, i, k + 1);
    rt_text_append(t, "joints:\n  h: {type: revolute, between: [spine, ground], at: [0, 0, 0], "
                      "axis: y}\n");
    for (int i = 0; i < limbs; i++)
        for (int k = 0; k < LIMB; k++) {
            rt_text_append(t, "  h%d_%d: {type: revolute, between: [b%d_%d, ", i, k, i, k);
            if (k)
                rt_text_append(t, "b%d_%d", i, k - 1);
            else
                rt_text_append(t, "spine");
            rt_text_append(t, "], at: [0, %d, -%d], axis: %s}\n", i, k + 1, k % 2 ? "x" : "y");
        }
}

static routh_model *model_of(const char *name, int n)
{
    routh_error error = {0};
    routh_model *model = NULL;
    routh_text text = {0};
    rt_text own = {0};
    if (strcmp(name, "chain") == 0) {
        char number[16];
        snprintf(number, sizeof number, "%d", n);
        const routh_setting settings[] = {{"n", number}, {"k", "100"}};
        bench_check(routh_template_write("pendulum-chain", settings, 2, &text, &error), &error);
    } else {
        write_comb(&own, n);
        text.length = own.length;
        text.bytes = rt_text_take(&own);
        if (!text.bytes) exit(1);
    }
    bench_check(routh_model_parse(&model, text.bytes, text.length, name, NULL, 0, &error), &error);
    routh_text_free(&text);
    return model;
}

typedef struct measured {
    double evaluate, fill;
    long entries; /* of M, K and G */
    int columns;
} measured;

static measured measure(const routh_mechanism *m)
{
    static double evaluate[REPEATS], fill[REPEATS];
    routh_error error = {0};
    rt_search s;
    rt_kkt *kkt;
    bench_check(rt_search_create(&s, m, 1e-12, 1, &error), &error);
    bench_check(rt_kkt_create(&kkt, m, &m->pattern_K, NULL, &error), &error);
    int n = 0;
    for (double spent = 0; n < REPEATS && (n < 5 || spent < 0.3); n++) {
        const double start = bench_now();
        bench_check(rt_evaluate(m, s.w, s.state, RT_EVALUATE_ALL, &error), &error);
        const double middle = bench_now();
        rt_kkt_fill(kkt, s.w->K, s.w->G, s.w->L, 0);
        evaluate[n] = middle - start, fill[n] = bench_now() - middle;
        spent += evaluate[n] + fill[n];
    }
    const measured out = {bench_median(evaluate, n), bench_median(fill, n),
                          (long)m->pattern_M.start[m->n_u] + m->pattern_K.start[m->n_u] +
                              m->pattern_G.start[m->n_u],
                          m->n_u};
    rt_kkt_free(kkt);
    rt_state_free(s.state);
    rt_search_release(&s);
    return out;
}

/* Where M is full: coordinates along a tree, whose columns reach all that hangs below. */
static bool too_large(const char *name, const char *set, int n)
{
    return n > 1000 && strcmp(set, "relative") == 0 && strcmp(name, "chain") == 0;
}

static void line(const char *name, int n, const char *set, const routh_model *model)
{
    routh_mechanism *m = NULL;
    routh_error error = {0};
    printf("%s,%d,%s,", name, n, set);
    if (too_large(name, set, n)) {
        printf(",,,,\"left out: its matrices are full\"\n");
        return;
    }
    if (routh_mechanism_compile(&m, model, set, &error)) {
        printf(",,,,\"%s\"\n", error.message);
        return;
    }
    const measured t = measure(m);
    printf("%d,%ld,%.2f,%.2f,\n", t.columns, t.entries, 1e6 * t.evaluate, 1e6 * t.fill);
    fflush(stdout);
    routh_mechanism_free(m);
}

int main(void)
{
    static const char *const cases[] = {"chain", "comb"};
    puts("case,bodies,coordinates,columns,entries,evaluate_us,fill_us,refused");
    for (int c = 0; c < 2; c++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            routh_model *model = model_of(cases[c], sizes[k]);
            for (int s = 0; routh_coordinate_name(s); s++)
                line(cases[c], sizes[k], routh_coordinate_name(s), model);
            routh_model_free(model);
        }
    return 0;
}
