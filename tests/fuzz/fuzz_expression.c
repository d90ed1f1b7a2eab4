/* Any bytes as an expression: refused with a message, or read, differentiated, evaluated, replaced,
 * printed. */
#include "expression/expression.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 10100, N_INPUTS = 3, MOST_WORK = 400000 };

static bool quantity(void *graph, const char *name, rt_expr *out, char *problem)
{
    (void)problem;
    if (name[0] < 'x' || name[0] > 'z' || name[1]) return false;
    *out = rt_input(graph, name[0] - 'x');
    return true;
}

static bool call(void *graph, const char *name, const rt_call_argument *arguments, int n,
                 rt_expr *out, char *problem)
{
    (void)problem;
    if (strcmp(name, "f") != 0) return false;
    *out = rt_constant(graph, n);
    for (int i = 0; i < n; i++)
        if (arguments[i].value >= 0) *out = rt_add(graph, *out, arguments[i].value);
    return true;
}

static void evaluate(const rt_graph *graph, rt_expr e)
{
    static double work[MOST_WORK];
    const double jets[3 * N_INPUTS] = {0.3, 1, -1, 0, 2, 0, -1.5, 0, 0};
    const int slots[N_INPUTS] = {0, 1, 2};
    double out[3];
    rt_arena arena = {0};
    const rt_tape *tape = rt_tape_compile(graph, &e, 1, slots, N_INPUTS, &arena);
    assert(tape);
    if (rt_tape_work(tape) <= MOST_WORK) {
        rt_tape_evaluate(tape, jets, out, work);
        rt_tape_evaluate_jets(tape, jets, out, work);
    }
    rt_arena_free(&arena);
}

static void use(rt_graph *graph, rt_expr e)
{
    char text[500];
    int slots[N_INPUTS];
    const rt_expr by[2] = {rt_constant(graph, 0), rt_input(graph, 0)};
    assert(e >= 0);
    evaluate(graph, e);
    for (int order = 0; order < 3; order++) {
        e = rt_derivative(graph, e, order % 2);
        assert(e >= 0);
        evaluate(graph, e);
    }
    e = rt_substitute(graph, e, by, 2);
    assert(e >= 0 && rt_inputs_of(graph, e, slots, N_INPUTS) <= N_INPUTS);
    const int n = rt_expression_text(graph, e, NULL, NULL, text, sizeof text);
    assert(n >= 0 && (size_t)n == strlen(text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const suggestions[] = {"x", "y", "z", "f", "stiffness", NULL};
    char text[MOST_BYTES + 1];
    if (size > MOST_BYTES) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    rt_graph *graph = rt_graph_create();
    assert(graph);
    const rt_resolver resolver = {
        .context = graph, .quantity = quantity, .call = call, .suggestions = suggestions};
    routh_error error = {0};
    rt_expr e;
    if (rt_parse(graph, text, &resolver, &e, &error) == ROUTH_OK)
        use(graph, e);
    else
        assert(e == RT_NO_EXPR && error.message[0] && error.column > 0);
    rt_graph_free(graph);
    return 0;
}
