/* Derivatives of eigenvalues against differences of the whole chain, of random mechanisms, open and
 * closed, at rest, moving and in equilibrium: numbers of their files, drawn by chance (masses,
 * places, lengths, stiffnesses, velocities, directions of gravity), become parameters. A dozen;
 * a hundred with ROUTH_TEST_EFFORT=9. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/differences.h"
#include "support/random_mechanism.h"

enum { MOST_NUMBERS = 2000, N_CHOSEN = 2 };

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
static void put_parameters(const char *text, random_stream *random, growing_text *out)
{
    static size_t at[MOST_NUMBERS], length[MOST_NUMBERS];
    const int n = find_numbers(text, at, length);
    bool chosen[MOST_NUMBERS] = {false};
    size_t done = 0;
    assert_true(n > N_CHOSEN);
    for (int k = 0; k < N_CHOSEN;) {
        const int i = (int)(random_bits(random) % (uint64_t)n);
        k += !chosen[i];
        chosen[i] = true;
    }
    text_add(out, "parameters: {p0: 0, p1: 0}\n");
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
    put_parameters(plain.bytes, random, &text);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_rest),
        cmocka_unit_test(moving),
        cmocka_unit_test(in_equilibrium),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
