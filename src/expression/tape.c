/* Tapes: a list of instructions, one register each. */
#include "expression/tape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- compiling ------------------------------------------------------------------------------- */

typedef struct slot_position {
    int slot, position;
} slot_position;

static int by_slot(const void *a, const void *b)
{
    const slot_position *x = a, *y = b;
    return (x->slot > y->slot) - (x->slot < y->slot);
}

static slot_position *sorted_slots(const int *slots, int n, rt_analyses *kept)
{
    slot_position *sorted = rt_kept_malloc(kept, ((size_t)n + 1) * sizeof *sorted);
    if (!sorted) return NULL;
    for (int i = 0; i < n; i++) sorted[i] = (slot_position){slots[i], i};
    if (n > 1) qsort(sorted, (size_t)n, sizeof *sorted, by_slot);
    return sorted;
}

static int tape_position_of(const slot_position *sorted, int n, int slot)
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
    double *values = RT_TAKE(arena, double, rt_curve_count(curve->n));
    if (!copy || !values) return NULL;
    memcpy(values, curve->x, rt_curve_count(curve->n) * sizeof *values);
    *copy = *curve;
    rt_curve_place(copy, values);
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

/* A few units in the last place of a double, of either sign, by the digits of the number. */
static double tape_off(double value, int shake)
{
    uint64_t bits;
    const double size = fabs(value);
    if ((float)value == value || !isfinite(value)) return 0;
    memcpy(&bits, &size, sizeof bits);
    bits += (uint64_t)shake * 0xd1342543de82ef95u;
    bits = (bits ^ bits >> 31) * 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 29) * 0xbf58476d1ce4e5b9u;
    return value * 0x1p-51 * ((double)(bits >> 11) * 0x1p-52 - 1);
}

void rt_graph_shake(rt_graph *graph) { graph->shaken = graph->shaken % RT_GRAPH_SHAKES + 1; }

static bool translate(compiler *c, rt_expr e, rt_instruction *out)
{
    const rt_node *node = &c->graph->nodes[e];
    out->operation = node->operation;
    out->detail = node->detail;
    out->value = node->value;
    for (int k = 0; k < RT_GRAPH_SHAKES && node->operation == RT_OP_CONSTANT; k++)
        out->off[k] = tape_off(node->value, k);
    out->n = rt_argument_count(node);
    for (int i = 0; i < out->n; i++) out->argument[i] = rt_reach_find(&c->reach, node->argument[i]);
    if (node->operation == RT_OP_INPUT) {
        out->detail = tape_position_of(c->slots, c->n_slots, node->detail);
        return out->detail >= 0;
    }
    if (node->operation == RT_OP_USER) out->user = c->graph->users[node->table];
    if (node->operation == RT_OP_TABLE) {
        const rt_curve **known = &c->curves[node->table];
        if (!*known) *known = copy_curve(c->graph->curves[node->table], c->arena);
        out->curve = *known;
        return out->curve != NULL;
    }
    return true;
}

static bool tape_fill(compiler *c, rt_tape *tape, const rt_expr *outputs)
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
        tape->graph = graph;
        rt_reach_sort(&c.reach);
        c.slots = sorted_slots(slots, n_slots, graph->kept);
        c.curves = rt_kept_calloc(graph->kept, (size_t)graph->n_curves + 1, sizeof *c.curves);
        good = c.slots && c.curves && tape_fill(&c, tape, outputs);
    }
    rt_kept_free(c.slots);
    rt_kept_free(c.curves);
    rt_reach_free(&c.reach);
    return good ? tape : NULL;
}

size_t rt_tape_work(const rt_tape *tape) { return 3 * (size_t)tape->n; }
