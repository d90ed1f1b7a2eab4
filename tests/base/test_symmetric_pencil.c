/* Tests of base/symmetric_pencil: the factors of somebody else in place of the library's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/ldl.h"
#include "base/symmetric_modes.h"
#include "base/symmetric_pencil.h"
#include "support/plate.h"

/* The library's own factorization behind the door for others. */
typedef struct other {
    rt_ldl *ldl;
    rt_pattern pattern;
    double *work;
    int opened, factored, solved, closed;
    int fails_at; /* the factorization that fails; 0: none */
} other;

static routh_status open_other(void *context, int n, const int *start, const int *row,
                               routh_error *error)
{
    other *o = context;
    o->opened++;
    o->pattern = (rt_pattern){n, n, (int *)start, (int *)row};
    return rt_ldl_create(&o->ldl, &o->pattern, error);
}

static routh_status factor_other(void *context, const double *values, int *negative, int *singular,
                                 routh_error *error)
{
    other *o = context;
    if (++o->factored == o->fails_at)
        return *error = (routh_error){.status = ROUTH_NUMERIC_ERROR, .message = "none today"},
               ROUTH_NUMERIC_ERROR;
    const routh_status status = rt_ldl_factor(o->ldl, values, error);
    *negative = rt_ldl_inertia(o->ldl).negative;
    *singular = status == ROUTH_SINGULAR;
    return *singular ? ROUTH_OK : status;
}

static routh_status solve_other(void *context, double *x, int columns, routh_error *error)
{
    other *o = context;
    o->solved += columns;
    o->work = realloc(o->work, rt_ldl_work(o->ldl, columns) * sizeof *o->work);
    assert_non_null(o->work);
    return rt_ldl_solve(o->ldl, x, columns, o->work, error);
}

static double bytes_other(void *context)
{
    (void)context;
    return 4711;
}

static void close_other(void *context)
{
    other *o = context;
    rt_ldl_free(o->ldl);
    free(o->work);
    o->ldl = NULL;
    o->work = NULL;
    o->closed++;
}

static routh_factors factors_of(other *o)
{
    return (routh_factors){o, open_other, factor_other, solve_other, bytes_other, close_other};
}

typedef struct problem {
    rt_arena arena;
    plate_matrices m;
    rt_symmetric_pencil pencil;
} problem;

static int make_plate(void **state)
{
    const plate p = {
        .nx = 9, .ny = 6, .width = 1, .height = 1, .stiffness = 2, .poisson = 0.3, .mass = 3};
    routh_error error;
    problem *x = calloc(1, sizeof *x);
    assert_int_equal(plate_build(&x->m, &p, NULL, &x->arena, &error), ROUTH_OK);
    x->pencil = (rt_symmetric_pencil){&x->m.pattern, &x->m.pattern, x->m.K, x->m.M, 0, NULL, NULL};
    *state = x;
    return 0;
}

static int drop_plate(void **state)
{
    problem *x = *state;
    rt_arena_free(&x->arena);
    free(x);
    return 0;
}

/* The same arithmetic: every bit is the same. Three zeros are among what is found. */
static void check_same(problem *x, rt_symmetric_request request)
{
    routh_error error;
    rt_symmetric_modes own, others;
    other o = {0};
    const routh_factors factors = factors_of(&o);
    assert_int_equal(rt_symmetric_modes_find(&own, &x->pencil, &request, &x->arena, &error),
                     ROUTH_OK);
    request.factors = &factors;
    assert_int_equal(rt_symmetric_modes_find(&others, &x->pencil, &request, &x->arena, &error),
                     ROUTH_OK);
    assert_int_equal(others.found, own.found);
    assert_true(own.found > 3);
    assert_memory_equal(others.value, own.value, (size_t)own.found * sizeof *own.value);
    assert_memory_equal(others.vector, own.vector,
                        (size_t)own.found * (size_t)own.n * sizeof *own.vector);
    assert_int_equal(others.n_solves, own.n_solves);
    assert_int_equal(o.solved, own.n_solves);
    assert_int_equal(o.factored, own.n_factors);
    assert_int_equal(others.factor_bytes, 4711);
    assert_int_equal(o.opened, 1);
    assert_int_equal(o.closed, 1);
}

static void other_factors_give_the_same_modes(void **state)
{
    check_same(*state, (rt_symmetric_request){.count = 8});
    check_same(*state, (rt_symmetric_request){.between = true, .low = -1, .high = 900});
}

static void an_error_of_other_factors_is_passed_on(void **state)
{
    problem *x = *state;
    for (int at = 1; at <= 2; at++) {
        routh_error error = {0};
        rt_symmetric_modes modes;
        other o = {.fails_at = at};
        const routh_factors factors = factors_of(&o);
        const rt_symmetric_request request = {.count = 8, .factors = &factors};
        assert_int_equal(rt_symmetric_modes_find(&modes, &x->pencil, &request, &x->arena, &error),
                         ROUTH_NUMERIC_ERROR);
        assert_string_equal(error.message, "none today");
        assert_int_equal(o.closed, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_factors_give_the_same_modes),
        cmocka_unit_test(an_error_of_other_factors_is_passed_on),
    };
    return cmocka_run_group_tests(tests, make_plate, drop_plate);
}
