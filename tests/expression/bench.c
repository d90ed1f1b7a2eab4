#include "bench.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static bool letter(void *graph, const char *name, rt_expr *out, char *problem)
{
    static const char names[N_NAMES + 1] = "xyzt";
    (void)problem;
    const char *at = strlen(name) == 1 ? strchr(names, name[0]) : NULL;
    if (at) *out = rt_input(graph, (int)(at - names));
    return at != NULL;
}

rt_expr read_good(rt_graph *graph, const char *text)
{
    const rt_resolver resolver = {.context = graph, .quantity = letter};
    rt_expr e;
    routh_error error;
    if (rt_parse(graph, text, &resolver, &e, &error) != ROUTH_OK)
        fail_msg("'%s' is refused at %d: %s", text, error.column, error.message);
    assert_true(e >= 0);
    return e;
}

enum { ROOM = 200000 };
static const int slots[N_NAMES] = {0, 1, 2, 3};

double value_at(const rt_graph *graph, rt_expr e, const double *x)
{
    static double work[ROOM];
    double value = 0;
    rt_arena arena = {0};
    const rt_tape *tape = rt_tape_compile(graph, &e, 1, slots, N_NAMES, &arena);
    assert_non_null(tape);
    assert_true(rt_tape_work(tape) <= ROOM);
    rt_tape_evaluate(tape, x, &value, work);
    rt_arena_free(&arena);
    return value;
}

void jet_at(const rt_graph *graph, rt_expr e, const double *x, double jet[3])
{
    static double work[ROOM];
    rt_arena arena = {0};
    const rt_tape *tape = rt_tape_compile(graph, &e, 1, slots, N_NAMES, &arena);
    assert_non_null(tape);
    assert_true(rt_tape_work(tape) <= ROOM);
    rt_tape_evaluate_jets(tape, x, jet, work);
    rt_arena_free(&arena);
}

double difference(double (*f)(void *, double), void *context, double x, double h, double *error)
{
    enum { STEPS = 10 };
    double table[STEPS][STEPS], best = NAN;
    *error = INFINITY;
    for (int i = 0; i < STEPS; i++, h /= 1.6) {
        double factor = 1;
        const double up = x + h, down = x - h;
        table[i][0] = (f(context, up) - f(context, down)) / (up - down);
        for (int j = 1; j <= i; j++) {
            factor *= 1.6 * 1.6;
            table[i][j] = (table[i][j - 1] * factor - table[i - 1][j - 1]) / (factor - 1);
            const double e =
                fmax(fabs(table[i][j] - table[i][j - 1]), fabs(table[i][j] - table[i - 1][j - 1]));
            if (e < *error) *error = e, best = table[i][j];
        }
    }
    return best;
}

double random_between(uint64_t *state, double low, double high)
{
    *state ^= *state >> 12, *state ^= *state << 25, *state ^= *state >> 27;
    return low + (high - low) * ((double)(*state * 0x2545f4914f6cdd1du >> 11) / 9007199254740992.0);
}

int random_below(uint64_t *state, int n)
{
    return (int)random_between(state, 0, n);
}
