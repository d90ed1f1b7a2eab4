/* A and B of humanoids in joint coordinates: one line of CSV each, times in microseconds. */
#include <stdio.h>
#include <stdlib.h>

#include "harness.h"

typedef struct numbers {
    double *q, *u, *udot, *A, *B;
} numbers;

static void take(numbers *x, const routh_joint_space *s)
{
    const size_t n = (size_t)routh_joint_space_n_u(s), n_q = (size_t)routh_joint_space_n_q(s);
    x->q = calloc(n_q + 2 * n + 6 * n * n, sizeof *x->q);
    if (!x->q) exit(1);
    x->u = x->q + n_q, x->udot = x->u + n;
    x->A = x->udot + n, x->B = x->A + 4 * n * n;
}

/* Medians of 200 batches of 50 calls. */
static void measure(routh_joint_space *s, numbers *x, double *tangent_s, double *both_s)
{
    enum { BATCHES = 200, CALLS = 50 };
    double tangent[BATCHES], both[BATCHES];
    routh_error error;
    for (int k = 0; k < BATCHES; k++) {
        const double start = bench_now();
        for (int i = 0; i < CALLS; i++)
            bench_check(
                routh_joint_space_evaluate(s, 0, x->q, x->u, x->udot, x->A, x->B, &error), &error);
        const double middle = bench_now();
        for (int i = 0; i < CALLS; i++) {
            bench_check(routh_joint_space_accelerations(s, 0, x->q, x->u, NULL, x->udot, &error),
                        &error);
            bench_check(
                routh_joint_space_evaluate(s, 0, x->q, x->u, x->udot, x->A, x->B, &error), &error);
        }
        tangent[k] = (middle - start) / CALLS;
        both[k] = (bench_now() - middle) / CALLS;
    }
    *tangent_s = bench_median(tangent, BATCHES);
    *both_s = bench_median(both, BATCHES);
}

static void one(const char *floating)
{
    const routh_setting setting = {"floating", floating};
    routh_text text;
    routh_model *model;
    routh_mechanism *m;
    routh_joint_space *s;
    routh_error error;
    numbers x;
    double tangent_s, both_s;
    bench_check(routh_template_write("humanoid", &setting, 1, &text, &error), &error);
    bench_check(routh_model_parse(&model, text.bytes, text.length, "humanoid", NULL, 0, &error),
                &error);
    bench_check(routh_mechanism_compile(&m, model, "relative", &error), &error);
    bench_check(routh_joint_space_create(&s, m, &error), &error);
    take(&x, s);
    routh_joint_space_start(s, NULL, x.q, x.u, x.udot);
    for (int c = 0; c < routh_joint_space_n_u(s); c++) x.u[c] = 0.1 * (c % 7) - 0.3;
    measure(s, &x, &tangent_s, &both_s);
    printf("humanoid,%s,%d,%.2f,%.2f\n", floating, routh_joint_space_n_u(s), 1e6 * tangent_s,
           1e6 * both_s);
    free(x.q);
    routh_joint_space_free(s);
    routh_mechanism_free(m);
    routh_model_free(model);
    routh_text_free(&text);
}

int main(void)
{
    printf("template,floating,columns,a_and_b_us,accelerations_a_and_b_us\n");
    one("0");
    one("1");
    return 0;
}
