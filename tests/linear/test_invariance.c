/* What must not change the linear model: where the world's axes are, in which order bodies are
 * written, a body written as two halves, the units. A itself is compared, in states and from an
 * observer that mean the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/random_mechanism.h"

enum { N_MECHANISMS = 15 };

static const double tolerance = 1e-8;

typedef struct model_of {
    test_mechanism t;
    routh_operating_point *point;
    routh_linear *linear;
} model_of;

static void make(model_of *x, const random_mechanism *mechanism, const disguise *as)
{
    growing_text text = {0};
    random_mechanism_write(mechanism, as, &text);
    mechanism_make(&x->t, text.bytes);
    x->point = mechanism_point(&x->t);
    x->linear = mechanism_linear(&x->t, x->point, NULL);
    free(text.bytes);
}

static void release(model_of *x)
{
    routh_linear_free(x->linear);
    routh_operating_point_free(x->point);
    mechanism_release(&x->t);
}

/* "[b0.x, b2.rz]" */
static void list_states(const routh_linear *linear, growing_text *text)
{
    text_add(text, "[");
    for (int k = 0; k < linear->n_position; k++)
        text_add(text, "%s%s", k ? ", " : "", linear->states[k].name);
    text_add(text, "]");
}

/* How many metres (or radians) one unit of the state is. */
static double unit_of(const routh_linear *linear, int state, double length)
{
    return linear->states[state].unit[0] == 'm' ? length : 1;
}

static void compare(const model_of *plain, const model_of *disguised, double length,
                    const char *how)
{
    const routh_linear *a = plain->linear, *b = disguised->linear;
    const int n = a->n_states;
    assert_int_equal(b->n_states, n);
    assert_int_equal(b->n_warnings, a->n_warnings);
    for (int k = 0; k < n; k++) assert_string_equal(a->states[k].name, b->states[k].name);
    const double size = largest_of(a->A, n * n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double x = b->A[i * n + j] * unit_of(b, i, length) / unit_of(b, j, length);
            if (!(fabs(x - a->A[i * n + j]) <= tolerance * size))
                fail_msg("%s: A(%s, %s) becomes %.15g and was %.15g", how, a->states[i].name,
                         a->states[j].name, x, a->A[i * n + j]);
        }
    assert_int_equal(a->at_rest, b->at_rest);
    assert_int_equal(plain->point->degrees_of_freedom, disguised->point->degrees_of_freedom);
}

/* make_disguise changes one thing. */
static void check(int what, uint64_t seed,
                  void (*make_disguise)(random_stream *, const random_mechanism *, disguise *),
                  const char *how)
{
    random_stream random = {seed};
    for (int done = 0; done < with_effort(N_MECHANISMS);) {
        random_mechanism mechanism;
        model_of first, plain, disguised;
        disguise as = no_disguise;
        growing_text states = {0};
        random_mechanism_make(&mechanism, &random, what);
        /* at rest from the world, which does not turn; moving, from a body */
        mechanism.reference = what & RANDOM_MOVING ? "b1" : "world";
        make(&first, &mechanism, &no_disguise);
        if (first.point->smallest_pivot > 1e-3) {
            done++;
            list_states(first.linear, &states);
            mechanism.extra_states = states.bytes;
            make(&plain, &mechanism, &no_disguise);
            make_disguise(&random, &mechanism, &as);
            make(&disguised, &mechanism, &as);
            compare(&plain, &disguised, as.length, how);
            release(&plain);
            release(&disguised);
            free(states.bytes);
        }
        release(&first);
    }
}

static void turn_world(random_stream *random, const random_mechanism *m, disguise *as)
{
    (void)m;
    random_rotation(random, 3 * random_real(random), as->Q);
    random_reals(random, 3, as->c);
}

static void reverse_bodies(random_stream *random, const random_mechanism *m, disguise *as)
{
    (void)m;
    const int shift = (int)(random_bits(random) % MOST_BODIES);
    for (int k = 0; k < MOST_BODIES; k++)
        as->order[k] = (MOST_BODIES - 1 - k + shift) % MOST_BODIES;
}

static void change_units(random_stream *random, const random_mechanism *m, disguise *as)
{
    (void)random, (void)m;
    as->length = 1e-3;
    as->mass = 1e3;
}

static void turned_world_at_rest(void **state)
{
    (void)state;
    check(RANDOM_STATIC, 21, turn_world, "world turned");
}
static void turned_world_moving(void **state)
{
    (void)state;
    check(RANDOM_MOVING, 22, turn_world, "world turned");
}
static void other_order_at_rest(void **state)
{
    (void)state;
    check(RANDOM_STATIC, 23, reverse_bodies, "bodies in another order");
}
static void other_order_moving(void **state)
{
    (void)state;
    check(RANDOM_MOVING, 24, reverse_bodies, "bodies in another order");
}
static void other_units_at_rest(void **state)
{
    (void)state;
    check(RANDOM_STATIC, 25, change_units, "millimetres and tonnes");
}
static void other_units_moving(void **state)
{
    (void)state;
    check(RANDOM_MOVING, 26, change_units, "millimetres and tonnes");
}

/* The halves' own states mean something else than the whole body's, so the rotations of the body
 * and the states of others are compared: the halves turn as the whole does. */
static bool whole_states(const routh_linear *linear, int split, growing_text *text)
{
    char body[16];
    snprintf(body, sizeof body, "b%d.", split);
    for (int k = 0; k < linear->n_position; k++)
        if (strncmp(linear->states[k].name, body, strlen(body)) == 0 &&
            linear->states[k].unit[0] == 'm')
            return false;
    list_states(linear, text);
    return true;
}

static void body_in_two_halves(int what, uint64_t seed)
{
    random_stream random = {seed};
    for (int done = 0; done < with_effort(N_MECHANISMS);) {
        random_mechanism mechanism;
        model_of first, plain, disguised;
        disguise as = no_disguise;
        growing_text states = {0};
        random_mechanism_make(&mechanism, &random, what);
        mechanism.reference = what & RANDOM_MOVING ? "b1" : "world";
        as.split = (int)(random_bits(&random) % (uint64_t)mechanism.n_bodies);
        random_reals(&random, 3, as.offset);
        for (int i = 0; i < 3; i++) as.offset[i] *= 0.05;
        make(&first, &mechanism, &no_disguise);
        if (first.point->smallest_pivot > 1e-3 && whole_states(first.linear, as.split, &states)) {
            done++;
            mechanism.extra_states = states.bytes;
            make(&plain, &mechanism, &no_disguise);
            make(&disguised, &mechanism, &as);
            compare(&plain, &disguised, 1, "a body in two halves");
            release(&plain);
            release(&disguised);
        }
        free(states.bytes);
        release(&first);
    }
}

static void halves_at_rest(void **state)
{
    (void)state;
    body_in_two_halves(RANDOM_STATIC, 27);
}
static void halves_moving(void **state)
{
    (void)state;
    body_in_two_halves(RANDOM_MOVING, 28);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turned_world_at_rest), cmocka_unit_test(turned_world_moving),
        cmocka_unit_test(other_order_at_rest),  cmocka_unit_test(other_order_moving),
        cmocka_unit_test(other_units_at_rest),  cmocka_unit_test(other_units_moving),
        cmocka_unit_test(halves_at_rest),       cmocka_unit_test(halves_moving),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
