/* Tapes: a list of instructions, one register each. */
#include "expression/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct rt_instruction {
    rt_operation operation;
    int detail; /* of an INPUT: which of the tape's inputs */
    int argument[RT_MOST_ARGUMENTS];
    double value;
    const rt_curve *curve;
} rt_instruction;

struct rt_tape {
    int n, n_outputs;
    rt_instruction *instructions; /* n; instruction i fills register i */
    int *outputs;                 /* n_outputs registers */
};

/* ---- compiling ------------------------------------------------------------------------------- */

typedef struct slot_position {
    int slot, position;
} slot_position;

static int by_slot(const void *a, const void *b)
{
    const slot_position *x = a, *y = b;
    return (x->slot > y->slot) - (x->slot < y->slot);
}

static slot_position *sorted_slots(const int *slots, int n)
{
    slot_position *sorted = malloc(((size_t)n + 1) * sizeof *sorted);
    if (!sorted) return NULL;
    for (int i = 0; i < n; i++) sorted[i] = (slot_position){slots[i], i};
    if (n > 1) qsort(sorted, (size_t)n, sizeof *sorted, by_slot);
    return sorted;
}

static int position_of(const slot_position *sorted, int n, int slot)
{
    const slot_position key = {slot, 0};
    const slot_position *found =
        n > 0 ? bsearch(&key, sorted, (size_t)n, sizeof *sorted, by_slot) : NULL;
    return found ? found->position : -1;
}

/* A copy of the curve that lives as long as the tape does. */
static const rt_curve *copy_curve(const rt_curve *curve, rt_arena *arena)
{
    rt_curve *copy = RT_TAKE(arena, rt_curve, 1);
    double *values = RT_TAKE(arena, double, 3 * (size_t)curve->n);
    if (!copy || !values) return NULL;
    memcpy(values, curve->x, 3 * (size_t)curve->n * sizeof *values);
    *copy = *curve;
    copy->x = values;
    copy->y = values + curve->n;
    copy->second = values + 2 * (size_t)curve->n;
    return copy;
}

typedef struct compiler {
    const rt_graph *graph;
    rt_reach reach;
    slot_position *slots;
    int n_slots;
    const rt_curve **curves; /* of the graph's curves, those copied */
    rt_arena *arena;
} compiler;

static bool translate(compiler *c, rt_expr e, rt_instruction *out)
{
    const rt_node *node = &c->graph->nodes[e];
    out->operation = node->operation;
    out->detail = node->detail;
    out->value = node->value;
    for (int i = 0; i < rt_argument_count(node->operation); i++)
        out->argument[i] = rt_reach_find(&c->reach, node->argument[i]);
    if (node->operation == RT_OP_INPUT) {
        out->detail = position_of(c->slots, c->n_slots, node->detail);
        return out->detail >= 0;
    }
    if (node->table >= 0) {
        const rt_curve **known = &c->curves[node->table];
        if (!*known) *known = copy_curve(c->graph->curves[node->table], c->arena);
        out->curve = *known;
        return out->curve != NULL;
    }
    return true;
}

static bool fill(compiler *c, rt_tape *tape, const rt_expr *outputs)
{
    tape->n = c->reach.n;
    tape->instructions = RT_TAKE(c->arena, rt_instruction, tape->n);
    tape->outputs = RT_TAKE(c->arena, int, tape->n_outputs);
    if (!tape->instructions || !tape->outputs) return false;
    for (int i = 0; i < tape->n; i++)
        if (!translate(c, c->reach.nodes[i], &tape->instructions[i])) return false;
    for (int i = 0; i < tape->n_outputs; i++)
        tape->outputs[i] = rt_reach_find(&c->reach, outputs[i]);
    return true;
}

const rt_tape *rt_tape_compile(const rt_graph *graph, const rt_expr *outputs, int n_outputs,
                               const int *slots, int n_slots, rt_arena *arena)
{
    compiler c = {.graph = graph, .n_slots = n_slots, .arena = arena};
    rt_tape *tape = RT_TAKE(arena, rt_tape, 1);
    bool good = tape != NULL;
    for (int i = 0; good && i < n_outputs; i++)
        good = outputs[i] >= 0 && rt_reach_add(&c.reach, graph, outputs[i]);
    if (good) {
        tape->n_outputs = n_outputs;
        rt_reach_sort(&c.reach);
        c.slots = sorted_slots(slots, n_slots);
        c.curves = calloc((size_t)graph->n_curves + 1, sizeof *c.curves);
        good = c.slots && c.curves && fill(&c, tape, outputs);
    }
    free(c.slots);
    free(c.curves);
    rt_reach_free(&c.reach);
    return good ? tape : NULL;
}

size_t rt_tape_work(const rt_tape *tape)
{
    return 3 * (size_t)tape->n;
}

/* ---- values ---------------------------------------------------------------------------------- */

static double value_of(const rt_instruction *at, const double *inputs, const double *work)
{
    const int a = at->argument[0], b = at->argument[1];
    switch (at->operation) {
    case RT_OP_CONSTANT: return at->value;
    case RT_OP_INPUT: return inputs[at->detail];
    case RT_OP_ADD: return work[a] + work[b];
    case RT_OP_SUBTRACT: return work[a] - work[b];
    case RT_OP_MULTIPLY: return work[a] * work[b];
    default: break;
    }
    double x[RT_MOST_ARGUMENTS] = {0};
    for (int i = 0; i < rt_argument_count(at->operation); i++) x[i] = work[at->argument[i]];
    return rt_operation_value(at->operation, at->detail, at->curve, x);
}

void rt_tape_evaluate(const rt_tape *tape, const double *inputs, double *outputs, double *work)
{
    for (int i = 0; i < tape->n; i++) work[i] = value_of(&tape->instructions[i], inputs, work);
    for (int i = 0; i < tape->n_outputs; i++) outputs[i] = work[tape->outputs[i]];
}

/* ---- jets: (x, x', x'') in time -------------------------------------------------------------- */

/* f x, but zero where x is: what does not move has no rate, even where the slope is infinite. */
static double times(double f, double x)
{
    return x == 0 ? 0 : f * x;
}

/* u = f(x): u' = f_x x', u'' = f_xx x'^2 + f_x x'' */
static void chain(double f, double fx, double fxx, const double *x, double *u)
{
    u[0] = f;
    u[1] = times(fx, x[1]);
    u[2] = times(fxx, x[1] * x[1]) + times(fx, x[2]);
}

/* First and second derivative of a unary function whose value is f. */
static void slopes(rt_function_name name, double x, double f, double *first, double *second)
{
    const double r = 1 - x * x, q = 1 + x * x;
    switch (name) {
    case RT_SIN: *first = cos(x), *second = -f; break;
    case RT_COS: *first = -sin(x), *second = -f; break;
    case RT_TAN: *first = 1 + f * f, *second = 2 * f * (1 + f * f); break;
    case RT_ASIN: *first = 1 / sqrt(r), *second = x / (r * sqrt(r)); break;
    case RT_ACOS: *first = -1 / sqrt(r), *second = -x / (r * sqrt(r)); break;
    case RT_ATAN: *first = 1 / q, *second = -2 * x / (q * q); break;
    case RT_SINH: *first = cosh(x), *second = f; break;
    case RT_COSH: *first = sinh(x), *second = f; break;
    case RT_TANH: *first = 1 - f * f, *second = -2 * f * (1 - f * f); break;
    case RT_EXP: *first = *second = f; break;
    case RT_LOG: *first = 1 / x, *second = -1 / (x * x); break;
    case RT_LOG10: *first = 1 / (x * log(10)), *second = -1 / (x * x * log(10)); break;
    case RT_SQRT: *first = 0.5 / f, *second = -0.25 / (f * x); break;
    case RT_ABS: *first = rt_function_value(RT_SIGN, x), *second = 0; break;
    case RT_SIGN:
    case RT_FLOOR:
    case RT_CEIL: *first = *second = 0; break;
    }
}

static void function_jet(rt_function_name name, const double *x, double *u)
{
    const double f = rt_function_value(name, x[0]);
    double first = 0, second = 0;
    slopes(name, x[0], f, &first, &second);
    chain(f, first, second, x, u);
}

static bool still(const double *x)
{
    return x[1] == 0 && x[2] == 0;
}

/* u'' = f_aa a'^2 + 2 f_ab a' b' + f_bb b'^2 + f_a a'' + f_b b'' */
static void power_jet(int m, int k, const double *a, const double *b, double *u)
{
    u[0] = rt_power_value(a[0], b[0], m, k);
    u[1] = u[2] = 0;
    if (!still(a)) {
        const double fa = rt_power_value(a[0], b[0], m + 1, k);
        u[1] += times(fa, a[1]);
        u[2] += times(fa, a[2]) + times(rt_power_value(a[0], b[0], m + 2, k), a[1] * a[1]);
    }
    if (!still(b)) {
        const double fb = rt_power_value(a[0], b[0], m, k + 1);
        u[1] += times(fb, b[1]);
        u[2] += times(fb, b[2]) + times(rt_power_value(a[0], b[0], m, k + 2), b[1] * b[1]);
        u[2] += times(rt_power_value(a[0], b[0], m + 1, k + 1), 2 * a[1] * b[1]);
    }
}

/* u' = (x y' - y x')/r^2, u'' = (x y'' - y x'' - 2 (x x' + y y') u')/r^2, r^2 = x^2 + y^2 */
static void angle_jet(const double *y, const double *x, double *u)
{
    const double r2 = x[0] * x[0] + y[0] * y[0];
    u[0] = atan2(y[0], x[0]);
    u[1] = u[2] = 0;
    if (still(x) && still(y)) return;
    u[1] = (x[0] * y[1] - y[0] * x[1]) / r2;
    u[2] = (x[0] * y[2] - y[0] * x[2] - 2 * (x[0] * x[1] + y[0] * y[1]) * u[1]) / r2;
}

/* u = a/b (or the ratio): u' = (a' - u b')/b, u'' = (a'' - 2 u' b' - u b'')/b */
static void quotient_jet(rt_operation operation, const double *a, const double *b, double *u)
{
    u[0] = rt_operation_value(operation, 0, NULL, (const double[]){a[0], b[0]});
    u[1] = u[2] = 0;
    if (still(a) && still(b)) return;
    u[1] = (a[1] - u[0] * b[1]) / b[0];
    u[2] = (a[2] - 2 * u[1] * b[1] - u[0] * b[2]) / b[0];
}

static void product_jet(const double *a, const double *b, double *u)
{
    u[0] = a[0] * b[0];
    u[1] = times(b[0], a[1]) + times(a[0], b[1]);
    u[2] = times(b[0], a[2]) + 2 * a[1] * b[1] + times(a[0], b[2]);
}

static void copy_jet(const double *x, double *u)
{
    memcpy(u, x, 3 * sizeof *u);
}

/* The jet of the active branch; a NaN in what decides makes all NaN. */
static void choose_jet(const double *a, const double *b, const double *yes, const double *no,
                       double *u)
{
    copy_jet(a[0] <= b[0] ? yes : no, u);
    if (isunordered(a[0], b[0])) u[0] = u[1] = u[2] = (double)NAN;
}

static void blend_jet(int detail, const double *x, double *u)
{
    const rt_blend kind = (rt_blend)(detail % 4);
    const int order = detail / 4;
    chain(rt_blend_value(kind, order, x[0]), rt_blend_value(kind, order + 1, x[0]),
          rt_blend_value(kind, order + 2, x[0]), x, u);
}

static void table_jet(const rt_curve *curve, int order, const double *x, double *u)
{
    chain(rt_curve_value(curve, order, x[0]), rt_curve_value(curve, order + 1, x[0]),
          rt_curve_value(curve, order + 2, x[0]), x, u);
}

static void jet_of(const rt_instruction *at, const double *inputs, const double *work, double *u)
{
    const double *a = work + 3 * (size_t)at->argument[0], *b = work + 3 * (size_t)at->argument[1];
    switch (at->operation) {
    case RT_OP_CONSTANT: u[0] = at->value, u[1] = u[2] = 0; return;
    case RT_OP_INPUT: copy_jet(inputs + 3 * (size_t)at->detail, u); return;
    case RT_OP_ADD: u[0] = a[0] + b[0], u[1] = a[1] + b[1], u[2] = a[2] + b[2]; return;
    case RT_OP_SUBTRACT: u[0] = a[0] - b[0], u[1] = a[1] - b[1], u[2] = a[2] - b[2]; return;
    case RT_OP_MULTIPLY: product_jet(a, b, u); return;
    case RT_OP_DIVIDE:
    case RT_OP_RATIO: quotient_jet(at->operation, a, b, u); return;
    case RT_OP_NEGATE: u[0] = -a[0], u[1] = -a[1], u[2] = -a[2]; return;
    case RT_OP_POWER: power_jet(at->detail % 64, at->detail / 64, a, b, u); return;
    case RT_OP_ATAN2: angle_jet(a, b, u); return;
    case RT_OP_MINIMUM: choose_jet(a, b, a, b, u); return;
    case RT_OP_MAXIMUM: choose_jet(b, a, a, b, u); return;
    case RT_OP_SELECT:
        choose_jet(a, b, work + 3 * (size_t)at->argument[2], work + 3 * (size_t)at->argument[3], u);
        return;
    case RT_OP_FUNCTION: function_jet((rt_function_name)at->detail, a, u); return;
    case RT_OP_BLEND: blend_jet(at->detail, a, u); return;
    case RT_OP_TABLE: table_jet(at->curve, at->detail, a, u); return;
    }
}

void rt_tape_evaluate_jets(const rt_tape *tape, const double *inputs, double *outputs, double *work)
{
    for (int i = 0; i < tape->n; i++)
        jet_of(&tape->instructions[i], inputs, work, work + 3 * (size_t)i);
    for (int i = 0; i < tape->n_outputs; i++)
        copy_jet(work + 3 * (size_t)tape->outputs[i], outputs + 3 * (size_t)i);
}
