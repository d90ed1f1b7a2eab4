/* Expressions as text. */
#include "expression/graph.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A shared node is written each time it is used, so the text can be far longer than the graph: it
 * ends when the room is used up, and "..." stands for what is nested deeper than this. */
enum { DEEPEST = 100 };

typedef struct text_writer {
    const rt_graph *graph;
    const char *(*name)(void *, int);
    void *context;
    char *text;
    size_t size, length;
    int depth;
} text_writer;

__attribute__((format(printf, 2, 3))) static void text_put(text_writer *w, const char *format, ...)
{
    va_list args;
    if (w->length + 1 >= w->size) return;
    va_start(args, format);
    const int n = vsnprintf(w->text + w->length, w->size - w->length, format, args);
    va_end(args);
    if (n > 0) w->length += (size_t)n;
    if (w->length >= w->size) w->length = w->size - 1;
}

/* The shortest of %.15g and %.17g that reads back the same. */
static void put_number(text_writer *w, double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.15g", value);
    if (strtod(text, NULL) != value) snprintf(text, sizeof text, "%.17g", value);
    for (char *c = text; *c; c++)
        if (*c == ',') *c = '.';
    text_put(w, "%s", text);
}

/* How strongly an operation binds: 1 sum, 2 product, 3 power, 4 atom. */
static int binding(const rt_node *node)
{
    switch (node->operation) {
    case RT_OP_CONSTANT: return node->value < 0 ? 1 : 4;
    case RT_OP_ADD:
    case RT_OP_SUBTRACT:
    case RT_OP_NEGATE: return 1;
    case RT_OP_MULTIPLY:
    case RT_OP_DIVIDE:
    case RT_OP_RATIO: return 2;
    case RT_OP_POWER: return node->detail == 0 ? 3 : 4;
    default: return 4;
    }
}

static void put_node(text_writer *w, rt_expr e);

static void put_operand(text_writer *w, rt_expr e, int at_least)
{
    const bool brackets = binding(&w->graph->nodes[e]) < at_least;
    if (brackets) text_put(w, "(");
    put_node(w, e);
    if (brackets) text_put(w, ")");
}

static void put_pair(text_writer *w, const rt_node *node, const char *sign, int left, int right)
{
    put_operand(w, node->argument[0], left);
    text_put(w, "%s", sign);
    put_operand(w, node->argument[1], right);
}

static void put_call(text_writer *w, const rt_node *node, const char *name)
{
    text_put(w, "%s(", name);
    for (int i = 0; i < rt_argument_count(node); i++) {
        if (i > 0) text_put(w, ", ");
        put_node(w, node->argument[i]);
    }
    text_put(w, ")");
}

static void put_function(text_writer *w, const rt_node *node)
{
    static const char *const names[] = {
        [RT_SIN] = "sin",   [RT_COS] = "cos",   [RT_TAN] = "tan",   [RT_ASIN] = "asin",
        [RT_ACOS] = "acos", [RT_ATAN] = "atan", [RT_SINH] = "sinh", [RT_COSH] = "cosh",
        [RT_TANH] = "tanh", [RT_EXP] = "exp",   [RT_LOG] = "log",   [RT_LOG10] = "log10",
        [RT_SQRT] = "sqrt", [RT_ABS] = "abs",   [RT_SIGN] = "sign", [RT_FLOOR] = "floor",
        [RT_CEIL] = "ceil",
    };
    put_call(w, node, names[node->detail]);
}

static void put_blend(text_writer *w, const rt_node *node)
{
    static const char *const names[] = {"step", "step5", "havsin"};
    char name[32];
    snprintf(name, sizeof name, "%s%.*s", names[node->detail % 4], node->detail / 4,
             "''''''''''''");
    put_call(w, node, name);
}

static void put_table(text_writer *w, const rt_node *node)
{
    char name[32];
    snprintf(name, sizeof name, "table%d%.*s", node->table, node->detail, "'''");
    put_call(w, node, name);
}

static void put_user(text_writer *w, const rt_node *node)
{
    char orders[40] = "";
    size_t n = 0;
    for (int k = 0; k < rt_argument_count(node) && node->detail; k++)
        n += (size_t)snprintf(orders + n, sizeof orders - n, "_%d", rt_user_order(node->detail, k));
    text_put(w, "%s", w->graph->users[node->table]->name);
    put_call(w, node, orders);
}

static void put_power(text_writer *w, const rt_node *node)
{
    char name[32];
    if (node->detail == 0) {
        put_pair(w, node, "^", 4, 4);
        return;
    }
    snprintf(name, sizeof name, "pow_%d_%d", node->detail % 64, node->detail / 64);
    put_call(w, node, name);
}

static void put_input(text_writer *w, int slot)
{
    const char *name = w->name ? w->name(w->context, slot) : NULL;
    if (name)
        text_put(w, "%s", name);
    else
        text_put(w, "#%d", slot);
}

static void put_operation(text_writer *w, const rt_node *node)
{
    switch (node->operation) {
    case RT_OP_CONSTANT: put_number(w, node->value); break;
    case RT_OP_INPUT: put_input(w, node->detail); break;
    case RT_OP_ADD: put_pair(w, node, " + ", 1, 2); break;
    case RT_OP_SUBTRACT: put_pair(w, node, " - ", 1, 2); break;
    case RT_OP_MULTIPLY: put_pair(w, node, "*", 2, 3); break;
    case RT_OP_DIVIDE:
    case RT_OP_RATIO: put_pair(w, node, "/", 2, 3); break;
    case RT_OP_NEGATE:
        text_put(w, "-");
        put_operand(w, node->argument[0], 2);
        break;
    case RT_OP_POWER: put_power(w, node); break;
    case RT_OP_ATAN2: put_call(w, node, "atan2"); break;
    case RT_OP_COUNTED: put_node(w, node->argument[0]); break;
    case RT_OP_MINIMUM: put_call(w, node, "min"); break;
    case RT_OP_MAXIMUM: put_call(w, node, "max"); break;
    case RT_OP_SELECT: put_call(w, node, "select"); break;
    case RT_OP_FUNCTION: put_function(w, node); break;
    case RT_OP_BLEND: put_blend(w, node); break;
    case RT_OP_TABLE: put_table(w, node); break;
    case RT_OP_USER: put_user(w, node); break;
    }
}

static void put_node(text_writer *w, rt_expr e)
{
    if (w->length + 1 >= w->size) return;
    if (w->depth >= DEEPEST) {
        text_put(w, "...");
        return;
    }
    w->depth++;
    put_operation(w, &w->graph->nodes[e]);
    w->depth--;
}

int rt_expression_text(const rt_graph *graph, rt_expr e, const char *(*name)(void *, int),
                       void *context, char *text, size_t size)
{
    text_writer w = {.graph = graph, .name = name, .context = context, .text = text, .size = size};
    if (size == 0) return 0;
    text[0] = '\0';
    if (e < 0)
        text_put(&w, "?");
    else
        put_node(&w, e);
    return (int)w.length;
}
