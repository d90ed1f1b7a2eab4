/* Derivatives of eigenvalues against differences of the whole chain, of random mechanisms, open and
 * closed, at rest, moving and in equilibrium: numbers of their files, drawn by chance (masses,
 * places, lengths, stiffnesses, velocities, directions of gravity), become parameters. A dozen;
 * a hundred with ROUTH_TEST_EFFORT=9. And two ways to the derivatives of the equations against each
 * other: what coordinates do, combined, and every parameter with the motion that it makes. */
#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "studies/sensitivity_job.h"
#include "support/differences.h"
#include "support/effort.h"
#include "support/random_mechanism.h"

enum { MOST_NUMBERS = 2000, N_CHOSEN = 2, N_TOGETHER = 30 };

/* Where numbers with a decimal point stand in the text, those of matrices left out: a rotation is
 * none any more when one of its numbers is changed. */
static int find_numbers(const char *text, size_t *at, size_t *length)
{
    int n = 0;
    for (const char *p = text; *p;) {
        const bool begins =
            (isdigit((unsigned char)*p) || *p == '-') && (p == text || strchr(" [,(", p[-1]));
        if (strncmp(p, "matrix: [[", 10) == 0) {
            p = strstr(p, "]]");
        } else if (begins) {
            char *end;
            strtod(p, &end);
            if (end > p && memchr(p, '.', (size_t)(end - p)) && n < MOST_NUMBERS)
                at[n] = (size_t)(p - text), length[n++] = (size_t)(end - p);
            p = end > p ? end : p + 1;
        } else {
            p++;
        }
    }
    return n;
}

/* The text with some of its numbers x written as (x)*(1 + p0), ... */
static void put_parameters(const char *text, int n_chosen, random_stream *random, growing_text *out)
{
    static size_t at[MOST_NUMBERS], length[MOST_NUMBERS];
    const int n = find_numbers(text, at, length);
    bool chosen[MOST_NUMBERS] = {false};
    size_t done = 0;
    assert_true(n > n_chosen);
    for (int k = 0; k < n_chosen;) {
        const int i = (int)(random_bits(random) % (uint64_t)n);
        k += !chosen[i];
        chosen[i] = true;
    }
    text_add(out, "parameters: {p0: 0");
    for (int k = 1; k < n_chosen; k++) text_add(out, ", p%d: 0", k);
    text_add(out, "}\n");
    for (int i = 0, k = 0; i < n; i++) {
        if (!chosen[i]) continue;
        text_add(out, "%.*s(%.*s)*(1 + p%d)", (int)(at[i] - done), text + done, (int)length[i],
                 text + at[i], k++);
        done = at[i] + length[i];
    }
    text_add(out, "%s", text + done);
}

static void compare_one(random_stream *random, int what, difference_tally *tally)
{
    static char report[4096];
    random_mechanism mechanism;
    growing_text plain = {0}, text = {0};
    random_mechanism_make(&mechanism, random, what);
    random_mechanism_write(&mechanism, &no_disguise, &plain);
    put_parameters(plain.bytes, N_CHOSEN, random, &text);
    const difference_model model = {.text = text.bytes};
    compare_with_differences(&model, 0, 1, tally, report, sizeof report);
    if (report[0]) fail_msg("%sin\n%s", report, text.bytes);
    free(plain.bytes);
    free(text.bytes);
}

static void compare_some(int n, int what, uint64_t seed)
{
    difference_tally tally = {0};
    random_stream random = {seed};
    for (int k = 0; k < n; k++) compare_one(&random, what, &tally);
    print_message("    %d mechanisms, %d derivatives compared, %d where differences say too "
                  "little, worst %.2g of the others; %d parameters refused\n",
                  n, tally.n_compared, tally.n_doubtful, tally.worst, tally.n_refused);
    assert_true(tally.n_compared - tally.n_doubtful > 2 * n && tally.n_refused == 0);
    assert_true(tally.worst <= 1e-7);
}

static void at_rest(void **unused)
{
    (void)unused;
    compare_some(with_effort(4), 0, 41);
}

static void moving(void **unused)
{
    (void)unused;
    compare_some(with_effort(4), RANDOM_MOVING, 42);
}

static void in_equilibrium(void **unused)
{
    (void)unused;
    compare_some(with_effort(4), RANDOM_STATIC, 43);
}

/* As if every coordinate and every multiplier moved. */
static void find_all_moves(rt_sensitivity_job *job)
{
    routh_error error = {0};
    const int n = job->m->n_u + job->m->n_rows;
    double *ones = calloc((size_t)n, sizeof *ones);
    assert_non_null(ones);
    for (int k = 0; k < n; k++) ones[k] = 1;
    if (rt_moves_find(&job->moves, ones, 1, 1, job->variation, &job->arena, &error))
        fail_msg("%s", error.message);
    free(ones);
}

/* The derivatives of all numbers of the pencil, along many parameters together and along each. */
static int compare_ways(rt_sensitivity_job *job, bool by_coordinates, double *worst)
{
    routh_error error = {0};
    const bool fit = rt_moves_fit(&job->pencil);
    if (by_coordinates && fit && !job->moves.moves) find_all_moves(job);
    const int n = job->n_parameters, n_varied = job->pencil.n_varied;
    double *together = calloc((size_t)n * (size_t)n_varied, sizeof *together);
    rt_varied_rows rows;
    assert_non_null(together);
    if (rt_varied_rows_create(&rows, n_varied, n, &job->arena, &error) ||
        rt_job_vary_some(job, 0, n, &rows, &error))
        fail_msg("%s", error.message);
    for (int v = 0; v < n_varied; v++)
        if (rt_varied_row_read(&rows, v))
            memcpy(together + v * n, rt_varied_row_read(&rows, v), (size_t)n * sizeof *together);
    double largest = 0; /* of a parameter that does nothing only rounding beside this is left */
    for (int k = 0; k < n * n_varied; k++) largest = fmax(largest, fabs(together[k]));
    for (int k = 0; k < n; k++) {
        double size = 0, off = 0;
        if (rt_job_vary(job, k, &error)) fail_msg("%s", error.message);
        for (int v = 0; v < n_varied; v++) {
            size = fmax(size, fabs(job->pencil.varied[v]));
            off = fmax(off, fabs(job->pencil.varied[v] - together[v * n + k]));
        }
        if (off > 1e-15 * largest && off > *worst * size) *worst = off / size;
    }
    free(together);
    return fit ? n : 0;
}

static void together(void **unused)
{
    (void)unused;
    random_stream random = {44};
    const int n = with_effort(4);
    int n_compared = 0;
    double worst = 0;
    for (int i = 0; i < n; i++) {
        random_mechanism mechanism;
        growing_text plain = {0}, text = {0};
        rt_sensitivity_job job;
        chain c;
        routh_error error = {0};
        random_mechanism_make(&mechanism, &random, RANDOM_STATIC);
        random_mechanism_write(&mechanism, &no_disguise, &plain);
        put_parameters(plain.bytes, N_TOGETHER, &random, &text);
        const difference_model model = {.text = text.bytes};
        if (chain_run(&c, &model, NULL, 0, &error) ||
            rt_job_begin(&job, c.mechanism, c.point, NULL, NULL, &error) ||
            rt_job_choose(&job, NULL, &error))
            fail_msg("%s", error.message);
        n_compared += compare_ways(&job, false, &worst);
        n_compared += compare_ways(&job, true, &worst);
        rt_job_release(&job);
        chain_free(&c);
        free(plain.bytes);
        free(text.bytes);
    }
    print_message("    %d parameters of %d mechanisms, worst %.2g\n", n_compared, n, worst);
    assert_true(n_compared >= n * N_TOGETHER);
    assert_true(worst <= 1e-10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_rest),
        cmocka_unit_test(moving),
        cmocka_unit_test(in_equilibrium),
        cmocka_unit_test(together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
