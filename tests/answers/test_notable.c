/* Which modes are shown first, on random modes: each once; the chosen, then those that grow by
 * their rates; of what follows, as many as are taken hold the lowest half and the least damped
 * half. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "routh/answers.h"

enum { MOST = 60, CHOSEN = 3 };

typedef struct sample_modes {
    routh_modes modes;
    routh_mode mode[MOST];
    int order[MOST], n, n_stand, n_growing;
} sample_modes;

static double some(unsigned *seed)
{
    *seed = *seed * 1664525U + 1013904223U;
    return (*seed >> 8) / 16777216.0;
}

static void add_mode(sample_modes *s, double re, double im, int conjugate)
{
    routh_mode *m = &s->mode[s->modes.n];
    *m = (routh_mode){.eigenvalue = {re, im},
                      .damping_ratio = re == 0 ? 0 : -re / hypot(re, im),
                      .error_bound = 1e-14,
                      .rigid = re == 0 && im == 0,
                      .conjugate = conjugate};
    s->modes.n++;
    if (im >= 0) s->n_stand++;
    if (im >= 0 && re > 0) s->n_growing++;
}

/* In the order of their frequencies; every sixth grows, every seventh is rigid, some are real. */
static void make_modes(sample_modes *s, unsigned seed)
{
    memset(s, 0, sizeof *s);
    s->modes.modes = s->mode;
    for (int k = 0; s->modes.n + 2 <= MOST; k++) {
        const double re = (seed + (unsigned)k) % 6 == 0 ? some(&seed) : -some(&seed) * 0.1 * k;
        const int at = s->modes.n;
        if ((seed >> 3) % 7 == 0 && k < 5)
            add_mode(s, 0, 0, at);
        else if (k % 9 == 8)
            add_mode(s, -(k + some(&seed)), 0, at);
        else {
            add_mode(s, re, -(k + 1.0), at + 1);
            add_mode(s, re, k + 1.0, at);
        }
    }
}

static bool holds(const int *list, int n, int mode)
{
    for (int k = 0; k < n; k++)
        if (list[k] == mode) return true;
    return false;
}

static bool grows(const sample_modes *s, int i) { return s->mode[i].eigenvalue[0] > 1e-10; }

/* How many modes that stand and are in none of the first `taken` come before mode i: by frequency,
 * or by damping, rigid ones last. */
static int rank_of(const sample_modes *s, int taken, int i, bool by_damping)
{
    int n = 0;
    for (int k = 0; k < s->modes.n; k++) {
        if (s->mode[k].eigenvalue[1] < 0 || holds(s->order, taken, k)) continue;
        const double a = s->mode[k].rigid ? INFINITY : s->mode[k].damping_ratio,
                     b = s->mode[i].rigid ? INFINITY : s->mode[i].damping_ratio;
        n += by_damping ? a < b || (a == b && k < i) : k < i;
    }
    return n;
}

static void check_order(const sample_modes *s, int taken)
{
    assert_int_equal(s->n, s->n_stand);
    for (int k = 0; k < s->n; k++) {
        assert_true(s->mode[s->order[k]].eigenvalue[1] >= 0);
        assert_false(holds(s->order, k, s->order[k]));
    }
    int at = taken;
    for (; at < s->n && grows(s, s->order[at]); at++)
        assert_true(at == taken ||
                    s->mode[s->order[at]].eigenvalue[0] <= s->mode[s->order[at - 1]].eigenvalue[0]);
    for (int k = at; k < s->n; k++) assert_false(grows(s, s->order[k]));
    for (int i = 0; i < s->modes.n; i++) {
        if (s->mode[i].eigenvalue[1] < 0 || holds(s->order, at, i)) continue;
        for (int k = 1; at + 2 * k <= s->n; k++) {
            const bool among = holds(s->order, at + 2 * k, i);
            if (rank_of(s, at, i, false) < k || rank_of(s, at, i, true) < k) assert_true(among);
        }
    }
}

static void the_order_is_that_of_interest(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 300; seed++) {
        sample_modes s;
        make_modes(&s, seed);
        assert_int_equal(routh_modes_notable(&s.modes, NULL, 0, s.order, &s.n, NULL), ROUTH_OK);
        check_order(&s, 0);
    }
}

static void chosen_modes_come_first_and_once(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 100; seed++) {
        sample_modes s;
        make_modes(&s, seed);
        int chosen[CHOSEN + 2], taken = 0;
        for (int k = 0; k < CHOSEN; k++)
            chosen[k] = (int)(seed * 7 + 11U * (unsigned)k) % s.modes.n;
        chosen[CHOSEN] = chosen[0]; /* again, and one that is not there */
        chosen[CHOSEN + 1] = s.modes.n;
        assert_int_equal(routh_modes_notable(&s.modes, chosen, CHOSEN + 2, s.order, &s.n, NULL),
                         ROUTH_OK);
        for (int k = 0; k < CHOSEN; k++) {
            const int i = chosen[k], own = s.mode[i].eigenvalue[1] < 0 ? s.mode[i].conjugate : i;
            if (!holds(s.order, taken, own)) assert_int_equal(s.order[taken++], own);
        }
        check_order(&s, taken);
    }
}

static void what_rounding_makes_of_zero_does_not_grow(void **state)
{
    (void)state;
    sample_modes s = {.n = 0};
    s.modes.modes = s.mode;
    add_mode(&s, -0.1, 1, 0);
    add_mode(&s, 2e-14, 2, 1);
    add_mode(&s, 1e-9, 3, 2);
    assert_int_equal(routh_modes_notable(&s.modes, NULL, 0, s.order, &s.n, NULL), ROUTH_OK);
    assert_int_equal(s.order[0], 2);
    assert_int_equal(s.order[1], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_is_that_of_interest),
        cmocka_unit_test(chosen_modes_come_first_and_once),
        cmocka_unit_test(what_rounding_makes_of_zero_does_not_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
