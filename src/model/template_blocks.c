/* Directives of a template that steer its program:
 *     % if EXPRESSION and A > B and frame is mean-axis   % else   % end
 *     % for i = A .. B   % for rows of TABLE   % end
 *     % let NAME = EXPRESSION
 *     % mean of TABLE from A to B
 *     % parameter SETTING: comment */
#include "model/template_compile.h"

#include <string.h>

/* ---- blocks ---------------------------------------------------------------------------------- */

static routh_status open_block(rt_template_compiler *c)
{
    if (c->depth == RT_TEMPLATE_DEEPEST)
        return rt_template_refuse(c, "if and for are nested more than %d deep",
                                  RT_TEMPLATE_DEEPEST);
    c->blocks[c->depth++] = (rt_template_block){
        .line = c->line, .first = c->program->n_ops, .then = -1, .names = c->n_names};
    return ROUTH_OK;
}

static routh_status compile_is(rt_template_compiler *c, const char *name, const char *word)
{
    const rt_template_name *known = rt_template_find_name(c, name);
    const char *const *words = known ? known->words : NULL;
    if (!known || !known->word) return rt_template_refuse(c, "'%.60s' is not a word", name);
    while (words && *words && strcmp(*words, word) != 0) words++;
    if (words && !*words) return rt_template_refuse(c, "%.60s cannot be '%.60s'", name, word);
    return rt_template_add(
        c, (rt_template_op){.action = RT_TEMPLATE_UNLESS_WORD, .slot = known->slot, .text = word});
}

/* WORD is TEXT, A == B and the like, or A: is not zero. */
static routh_status compile_condition(rt_template_compiler *c, char *text)
{
    static const struct {
        const char *sign;
        rt_template_comparison comparison;
    } signs[] = {
        {"==", RT_TEMPLATE_EQUAL},      {"!=", RT_TEMPLATE_NOT_EQUAL},
        {"<=", RT_TEMPLATE_LESS_EQUAL}, {">=", RT_TEMPLATE_GREATER_EQUAL},
        {"<", RT_TEMPLATE_LESS},        {">", RT_TEMPLATE_GREATER},
    };
    rt_template_op op = {.action = RT_TEMPLATE_UNLESS, .comparison = RT_TEMPLATE_NOT_EQUAL};
    char *left = rt_template_before(&text, " is ");
    if (left) return compile_is(c, left, text);
    for (size_t k = 0; k < sizeof signs / sizeof signs[0] && !left; k++)
        if ((left = rt_template_before(&text, signs[k].sign))) op.comparison = signs[k].comparison;
    routh_status status = rt_template_expression(c, left ? left : text, &op.a);
    if (!status && left) status = rt_template_expression(c, text, &op.b);
    return status ? status : rt_template_add(c, op);
}

routh_status rt_template_if(rt_template_compiler *c, char *rest)
{
    routh_status status = open_block(c);
    for (char *one = NULL; !status && rest; c->blocks[c->depth - 1].conditions++) {
        one = rt_template_before(&rest, " and ");
        status = compile_condition(c, one ? one : rest);
        if (!one) rest = NULL;
    }
    return status;
}

static void conditions_jump_here(rt_template_compiler *c, const rt_template_block *block)
{
    for (int k = 0; k < block->conditions; k++)
        c->program->ops[block->first + k].target = c->program->n_ops;
}

routh_status rt_template_else(rt_template_compiler *c, char *rest)
{
    rt_template_block *block = c->depth ? &c->blocks[c->depth - 1] : NULL;
    if (!block || !block->conditions || block->then >= 0)
        return rt_template_refuse(c, "this else belongs to no if");
    if (*rest) return rt_template_refuse(c, "nothing stands after else");
    block->then = c->program->n_ops;
    c->n_names = block->names;
    const routh_status status = rt_template_add(c, (rt_template_op){.action = RT_TEMPLATE_JUMP});
    conditions_jump_here(c, block);
    return status;
}

routh_status rt_template_end(rt_template_compiler *c, char *rest)
{
    if (*rest) return rt_template_refuse(c, "nothing stands after end");
    if (!c->depth) return rt_template_refuse(c, "this end belongs to no if or for");
    const rt_template_block *block = &c->blocks[--c->depth];
    rt_template_program *p = c->program;
    routh_status status = ROUTH_OK;
    c->n_names = block->names;
    if (block->then >= 0) {
        p->ops[block->then].target = p->n_ops;
    } else if (block->conditions) {
        conditions_jump_here(c, block);
    } else {
        rt_template_op op = p->ops[block->first];
        op.action = op.table ? RT_TEMPLATE_NEXT_ROW : RT_TEMPLATE_NEXT;
        op.a = op.b = NULL;
        op.target = block->first + 1;
        status = rt_template_add(c, op);
        p->ops[block->first].target = p->n_ops;
    }
    return status;
}

static routh_status compile_for_rows(rt_template_compiler *c, const char *table)
{
    rt_template_op op = {.action = RT_TEMPLATE_ROWS, .slot = c->program->n_slots};
    op.table = rt_template_find_table(c, table);
    if (!op.table) return rt_template_refuse(c, "there is no table %.60s", table);
    const routh_status status = rt_template_declare_columns(c, op.table, 0);
    return status ? status : rt_template_add(c, op);
}

static routh_status compile_for_count(rt_template_compiler *c, char *rest)
{
    rt_template_op op = {.action = RT_TEMPLATE_COUNT, .slot = c->program->n_slots};
    const char *name = rt_template_before(&rest, "=");
    const char *from = name ? rt_template_before(&rest, "..") : NULL;
    if (!from)
        return rt_template_refuse(c, "a loop is written for NAME = A .. B, or for rows of TABLE");
    routh_status status = rt_template_expression(c, from, &op.a);
    if (!status) status = rt_template_expression(c, rest, &op.b);
    c->program->n_slots += 2;
    if (!status) status = rt_template_declare(c, (rt_template_name){name, op.slot, false, NULL});
    return status ? status : rt_template_add(c, op);
}

routh_status rt_template_for(rt_template_compiler *c, char *rest)
{
    const routh_status status = open_block(c);
    if (status) return status;
    return strncmp(rest, "rows of ", 8) == 0 ? compile_for_rows(c, rt_template_trim(rest + 8))
                                             : compile_for_count(c, rest);
}

/* ---- other directives ------------------------------------------------------------------------ */

routh_status rt_template_let(rt_template_compiler *c, char *rest)
{
    rt_template_op op = {.action = RT_TEMPLATE_LET};
    const char *name = rt_template_before(&rest, "=");
    if (!name) return rt_template_refuse(c, "a name for a number is written let NAME = EXPRESSION");
    routh_status status = rt_template_expression(c, rest, &op.a);
    op.slot = c->program->n_slots++;
    if (!status) status = rt_template_declare(c, (rt_template_name){name, op.slot, false, NULL});
    return status ? status : rt_template_add(c, op);
}

/* A curve: at least two numbers a row, two rows, the first column not descending. */
static bool is_curve(const rt_template_table *t)
{
    if (t->n_numbers < 2 || !t->first || !t->first->next) return false;
    for (const rt_template_row *r = t->first; r->next; r = r->next)
        if (!(r->numbers[0] <= r->next->numbers[0])) return false;
    return true;
}

routh_status rt_template_mean(rt_template_compiler *c, char *rest)
{
    rt_template_op op = {.action = RT_TEMPLATE_MEAN};
    const bool of = !strcmp(rt_template_next_word(&rest), "of");
    const char *table = rt_template_next_word(&rest);
    const bool from = !strcmp(rt_template_next_word(&rest), "from");
    const char *a = of && from ? rt_template_before(&rest, " to ") : NULL;
    if (!a) return rt_template_refuse(c, "means are written mean of TABLE from A to B");
    op.table = rt_template_find_table(c, table);
    if (!op.table) return rt_template_refuse(c, "there is no table %.60s", table);
    if (!is_curve(op.table))
        return rt_template_refuse(c,
                                  "%.60s is not a curve: two columns of numbers and two rows at "
                                  "least, the first column ascending",
                                  table);
    routh_status status = rt_template_expression(c, a, &op.a);
    if (!status) status = rt_template_expression(c, rest, &op.b);
    op.slot = c->program->n_slots;
    if (!status) status = rt_template_declare_columns(c, op.table, op.table->n_words + 1);
    return status ? status : rt_template_add(c, op);
}

routh_status rt_template_parameter(rt_template_compiler *c, char *rest)
{
    const rt_template_program *p = c->program;
    const char *name = rt_template_before(&rest, ":");
    int k = 0;
    if (!name || !*rest) return rt_template_refuse(c, "a parameter is written NAME: COMMENT");
    while (k < p->n_settings && strcmp(p->settings[k].name, name) != 0) k++;
    if (k == p->n_settings || p->settings[k].words)
        return rt_template_refuse(c, "'%.60s' is not a setting that is a number", name);
    return rt_template_add(
        c, (rt_template_op){.action = RT_TEMPLATE_PARAMETER, .slot = k, .text = rest});
}
