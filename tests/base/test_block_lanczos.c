/* Tests of base/block_lanczos: the basis stays orthogonal in M through restarts, and sees OP. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/block_lanczos.h"
#include "support/plate.h"

enum { BLOCK = 4, MOST = 36, KEEP = 20 };

typedef struct about {
    rt_arena arena;
    plate_matrices m;
    rt_symmetric_pencil pencil;
    rt_shifted_pencil shifted;
    rt_lanczos l;
} about;

static char *edges_of(int n)
{
    char *fixed = calloc((size_t)(n + 1) * (size_t)(n + 1) * 3, 1);
    assert_non_null(fixed);
    for (int k = 0; k < (n + 1) * (n + 1); k++)
        if (k % (n + 1) == 0 || k % (n + 1) == n || k / (n + 1) == 0 || k / (n + 1) == n)
            for (int i = 0; i < 3; i++) fixed[3 * k + i] = 1;
    return fixed;
}

static void begin(about *a, bool clamped, double shift)
{
    const plate p = {
        .nx = 9, .ny = 9, .width = 1, .height = 1, .stiffness = 2, .poisson = 0.3, .mass = 3};
    char *fixed = clamped ? edges_of(9) : NULL;
    routh_error error;
    int below;
    bool singular;
    *a = (about){0};
    assert_int_equal(plate_build(&a->m, &p, fixed, &a->arena, &error), ROUTH_OK);
    a->pencil = (rt_symmetric_pencil){&a->m.pattern, &a->m.pattern, a->m.K, a->m.M, 0, NULL, NULL};
    assert_int_equal(rt_shifted_pencil_create(&a->shifted, &a->pencil, NULL, &error), ROUTH_OK);
    assert_int_equal(rt_shifted_pencil_factor(&a->shifted, shift, &below, &singular, &error),
                     ROUTH_OK);
    assert_false(singular);
    assert_int_equal(rt_lanczos_create(&a->l, &a->shifted, BLOCK, MOST, &a->arena, &error),
                     ROUTH_OK);
    assert_int_equal(rt_lanczos_begin(&a->l, &error), ROUTH_OK);
    free(fixed);
}

static void end(about *a)
{
    rt_shifted_pencil_free(&a->shifted);
    rt_arena_free(&a->arena);
}

/* x' y */
static double product(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

/* V' M V = I, with the next block, to rounding. MV: M V. */
static void check_orthogonal(const about *a, double *MV)
{
    const rt_lanczos *l = &a->l;
    const int n = l->n, all = l->done + l->next;
    rt_symmetric_multiply(a->pencil.M_pattern, a->pencil.M, l->V, all, MV);
    for (int j = 0; j < all; j++)
        for (int i = 0; i < all; i++)
            assert_true(fabs(product(n, l->V + n * i, MV + n * j) - (i == j)) <= 2e-14);
}

/* That, M Q is M times the next block, and V' M OP V is H. */
static void check_basis(about *a)
{
    rt_lanczos *l = &a->l;
    const int n = l->n, all = l->done + l->next;
    double *MV = malloc(sizeof(double) * (size_t)n * (size_t)all);
    double *OP = malloc(sizeof(double) * (size_t)n);
    routh_error error;
    assert_true(MV && OP);
    check_orthogonal(a, MV);
    for (int j = l->done; j < all; j++)
        for (int i = 0; i < n; i++)
            assert_true(fabs(MV[n * j + i] - l->MQ[n * (j - l->done) + i]) <= 1e-13);
    double largest = 0;
    for (int j = 0; j < l->done; j++)
        largest = fmax(largest, fabs(l->H[j + (size_t)l->most * (size_t)j]));
    for (int j = l->apart; j < l->done; j++) {
        for (int i = 0; i < n; i++) OP[i] = MV[n * j + i];
        assert_int_equal(rt_shifted_pencil_solve(&a->shifted, OP, 1, &error), ROUTH_OK);
        for (int i = l->apart; i < l->done; i++)
            assert_true(fabs(product(n, MV + n * i, OP) - l->H[i + (size_t)l->most * (size_t)j]) <=
                        1e-11 * largest);
    }
    free(MV), free(OP);
}

static void go_on(about *a, int restarts)
{
    routh_error error;
    for (int k = 0; k <= restarts; k++) {
        if (k > 0) rt_lanczos_restart(&a->l, KEEP);
        while (a->l.next && a->l.done + a->l.next <= MOST)
            assert_int_equal(rt_lanczos_step(&a->l, &error), ROUTH_OK);
        check_basis(a);
        assert_int_equal(rt_lanczos_ritz(&a->l, &error), ROUTH_OK);
    }
}

/* Far from, amid, and close to eigenvalues, the zeros among them: what converges first is what
 * comes back by rounding. */
static void the_basis_stays_orthogonal(void **state)
{
    (void)state;
    static const double shifts[] = {-30, -1, 700, 9e3};
    for (size_t s = 0; s < sizeof shifts / sizeof *shifts; s++)
        for (int clamped = 0; clamped < 2; clamped++) {
            about a;
            begin(&a, clamped, shifts[s]);
            go_on(&a, 6);
            end(&a);
        }
}

/* Three zeros far nearer to the shift than the others: OP makes rounding of them large. */
static void the_basis_stays_orthogonal_to_what_is_apart(void **state)
{
    (void)state;
    about a;
    routh_error error;
    begin(&a, false, -1e-5);
    for (int k = 0; k < 3; k++) assert_int_equal(rt_lanczos_step(&a.l, &error), ROUTH_OK);
    assert_int_equal(rt_lanczos_ritz(&a.l, &error), ROUTH_OK);
    assert_true(fabs(a.l.theta[2]) > 1e4 * fabs(a.l.theta[3]));
    rt_lanczos_set_apart(&a.l, 3);
    go_on(&a, 4);
    end(&a);
}

/* However wrong the first pass was: M times the last block is made so wrong that what that pass
 * brings in is 1e8 times what was there, and one more pass would leave rounding of it. */
static void what_the_first_pass_leaves_is_taken_out(void **state)
{
    (void)state;
    about a;
    routh_error error;
    begin(&a, false, -30);
    double *MV = malloc(sizeof *MV * (size_t)a.l.n * (MOST + BLOCK));
    assert_non_null(MV);
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < a.l.n * a.l.last; i++) a.l.MP[i] *= 1e8;
        assert_int_equal(rt_lanczos_step(&a.l, &error), ROUTH_OK);
        check_orthogonal(&a, MV);
    }
    free(MV);
    end(&a);
}

/* Unknowns held fast stay zero by themselves: no more solves are made for them. */
static void only_coupled_rows_without_mass_are_cleared(void **state)
{
    (void)state;
    about a;
    const int at = 3 * 55; /* amid the plate */
    begin(&a, true, 0);
    assert_null(a.l.massless);
    a.m.M[a.m.pattern.start[at]] = 0; /* the diagonal comes first */
    assert_int_equal(a.m.pattern.row[a.m.pattern.start[at]], at);
    routh_error error;
    rt_lanczos again;
    assert_int_equal(rt_lanczos_create(&again, &a.shifted, BLOCK, MOST, &a.arena, &error),
                     ROUTH_OK);
    assert_non_null(again.massless);
    for (int i = 0; i < a.m.n; i++) assert_int_equal(again.massless[i], i == at);
    end(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_basis_stays_orthogonal),
        cmocka_unit_test(the_basis_stays_orthogonal_to_what_is_apart),
        cmocka_unit_test(what_the_first_pass_leaves_is_taken_out),
        cmocka_unit_test(only_coupled_rows_without_mass_are_cleared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
