/* The linear model does not depend on where the loops are cut. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "coordinates/relative_chain.h"
#include "support/effort.h"
#include "support/random_mechanism.h"

/* Of A's largest entry, as between methods: conditioning of random mechanisms times rounding. */
static const double tolerance = 1e-8;

typedef struct cell {
    routh_mechanism *mechanism;
    routh_operating_point *point;
    routh_linear *linear; /* NULL without freedom */
} cell;

static void cell_make(cell *c, const routh_model *model, const char *set)
{
    routh_error error;
    *c = (cell){0};
    if (routh_mechanism_compile(&c->mechanism, model, set, &error) ||
        routh_operating_point_find(&c->point, c->mechanism, NULL, &error))
        fail_msg("%s: %s", set, error.message);
    if (c->point->degrees_of_freedom == 0) return;
    if (routh_linear_compute(&c->linear, c->mechanism, c->point, NULL, &error))
        fail_msg("%s: %s", set, error.message);
}

static void cell_release(cell *c)
{
    routh_linear_free(c->linear);
    routh_operating_point_free(c->point);
    routh_mechanism_free(c->mechanism);
}

/* The same text, joint k with `cut: true` where bit k is set. */
static void write_cuts(growing_text *out, const char *text, unsigned cuts)
{
    while (*text) {
        const char *end = strchr(text, '\n');
        int k, n = 0;
        if (sscanf(text, "  j%d: {type: %n", &k, &n) == 1 && n && cuts >> k & 1u)
            text_add(out, "%.*s, cut: true}\n", (int)(end - text) - 1, text);
        else
            text_add(out, "%.*s\n", (int)(end - text), text);
        text = end + 1;
    }
}

/* Joints that may be cut, at random. */
static unsigned random_cuts(const routh_model *model, random_stream *random)
{
    unsigned cuts = 0;
    for (int k = 0; k < model->n_joints; k++) {
        const bool can = rt_chain_of(&model->joints[k]) != NULL;
        if (can && random_bits(random) % 3 == 0) cuts |= 1u << k;
    }
    return cuts;
}

static void name_states(const routh_linear *linear, growing_text *text)
{
    for (int k = 0; k < linear->n_position; k++)
        text_add(text, "%s%s", k ? ", " : "[", linear->states[k].name);
    text_add(text, "]");
}

static void check_same(const routh_linear *found, const routh_linear *expected, const char *text)
{
    const int n = expected->n_states;
    assert_int_equal(found->n_states, n);
    const double size = largest_of(expected->A, n * n);
    for (int k = 0; k < n; k++)
        assert_string_equal(found->states[k].name, expected->states[k].name);
    for (int k = 0; k < n * n; k++)
        if (!(fabs(found->A[k] - expected->A[k]) <= tolerance * size))
            fail_msg("A[%d] is %.15g and should be %.15g in\n%s", k, found->A[k], expected->A[k],
                     text);
}

/* Returns how many columns of u the cuts have brought. */
static int check_mechanism(random_mechanism *mechanism, random_stream *random)
{
    growing_text text = {0}, whole = {0}, cut = {0}, states = {0};
    test_mechanism t, a, b;
    cell c, x, y;
    int more = 0;
    random_mechanism_write(mechanism, &no_disguise, &text);
    mechanism_make(&t, text.bytes);
    cell_make(&c, t.model, "absolute");
    if (c.linear) {
        name_states(c.linear, &states);
        mechanism->extra_states = states.bytes;
        random_mechanism_write(mechanism, &no_disguise, &whole);
        write_cuts(&cut, whole.bytes, random_cuts(t.model, random));
        mechanism_make(&a, whole.bytes);
        mechanism_make(&b, cut.bytes);
        cell_make(&x, a.model, "relative");
        cell_make(&y, b.model, "relative");
        check_same(x.linear, c.linear, whole.bytes);
        check_same(y.linear, c.linear, cut.bytes);
        more = y.mechanism->n_u - x.mechanism->n_u;
        cell_release(&x);
        cell_release(&y);
        mechanism_release(&a);
        mechanism_release(&b);
    }
    cell_release(&c);
    mechanism_release(&t);
    free(text.bytes);
    free(whole.bytes);
    free(cut.bytes);
    free(states.bytes);
    return more;
}

static void any_joint_may_be_cut(void **state)
{
    random_stream random = {411};
    int more = 0;
    (void)state;
    for (int k = 0; k < with_effort(60); k++) {
        random_mechanism mechanism;
        random_mechanism_make(&mechanism, &random, k % 2 ? RANDOM_MOVING : RANDOM_STATIC);
        more += check_mechanism(&mechanism, &random);
    }
    assert_true(more > with_effort(60)); /* the cuts did something */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_joint_may_be_cut)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
