/* What a template declares: its settings, and tables of words and numbers.
 *     % setting n: whole 1 .. 100000 = 5; number of rods
 *     % setting c: number 0 .. 1e9 = 0; damping, N s/m
 *     % setting frame: word tangent mean-axis = tangent; floating frame of the links
 *     % table trunk: words name parent, numbers mass length
 *     % row head torso 4 -0.25 */
#include "model/template_compile.h"

#include <string.h>

/* The words of text as a list that NULL ends, and how many they are; without memory c->no_memory is
 * set and every refusal tells of that. */
static int list_words(rt_template_compiler *c, char *text, const char *const **list)
{
    int n = 0;
    const char **words = RT_TAKE(&c->program->arena, const char *, strlen(text) / 2 + 2);
    if (!words) c->no_memory = true;
    for (char *word; words && *(word = rt_template_next_word(&text));) words[n++] = word;
    *list = words;
    return n;
}

static routh_status read_template_number(rt_template_compiler *c, const char *text, double *number)
{
    routh_error problem = {0};
    const routh_status status = rt_template_evaluate(text, number, &problem);
    if (!status || status == ROUTH_OUT_OF_MEMORY) return status;
    return rt_template_refuse(c, "'%.60s' is not a number: %.600s", text, problem.message);
}

/* ---- settings -------------------------------------------------------------------------------- */

static routh_status read_setting_range(rt_template_compiler *c, rt_template_setting *s, char *range)
{
    char *least = rt_template_before(&range, "..");
    if (!least) return rt_template_refuse(c, "a setting's range is written LEAST .. MOST");
    const routh_status status = read_template_number(c, least, &s->least);
    return status ? status : read_template_number(c, range, &s->most);
}

static routh_status read_setting_kind(rt_template_compiler *c, rt_template_setting *s, char *values)
{
    const char *kind = rt_template_next_word(&values);
    s->whole = !strcmp(kind, "whole");
    if (s->whole || !strcmp(kind, "number")) return read_setting_range(c, s, values);
    if (strcmp(kind, "word") != 0)
        return rt_template_refuse(c, "a setting is a number, whole or a word, not '%.60s'", kind);
    return list_words(c, values, &s->words) ? ROUTH_OK
                                            : rt_template_refuse(c, "the setting has no words");
}

routh_status rt_template_declare_setting(rt_template_compiler *c, char *rest)
{
    rt_template_program *p = c->program;
    void *list = p->settings;
    char *name = rt_template_before(&rest, ":");
    char *values = name ? rt_template_before(&rest, "=") : NULL;
    char *fallback = values ? rt_template_before(&rest, ";") : NULL;
    if (!fallback || !*rest)
        return rt_template_refuse(c, "a setting is written NAME: KIND RANGE = DEFAULT; ABOUT");
    if (c->depth) return rt_template_refuse(c, "a setting stands outside of if and for");
    rt_template_setting s = {.name = name, .fallback = fallback, .about = rest, .line = c->line};
    routh_status status = read_setting_kind(c, &s, values);
    s.slot = p->n_slots;
    if (!status)
        status = rt_template_declare(c, (rt_template_name){name, p->n_slots++, s.words, s.words});
    if (!status) status = rt_template_room(c, &list, p->n_settings, &c->settings_room, sizeof s);
    p->settings = list;
    if (!status) p->settings[p->n_settings++] = s;
    return status;
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* "words A B" or "numbers C D": how many, 0 when the text begins otherwise. */
static int read_columns_of(rt_template_compiler *c, const char *kind, char *text,
                           const char *const **columns)
{
    return strcmp(rt_template_next_word(&text), kind) != 0 ? 0 : list_words(c, text, columns);
}

static routh_status read_columns(rt_template_compiler *c, rt_template_table *t, char *text)
{
    const char *const *words = NULL, *const *numbers = NULL;
    char *first = rt_template_before(&text, ",");
    if (first || !strncmp(text, "words ", 6))
        t->n_words = read_columns_of(c, "words", first ? first : text, &words);
    if (first || !t->n_words) t->n_numbers = read_columns_of(c, "numbers", text, &numbers);
    if ((first && !t->n_words) || ((first || !t->n_words) && !t->n_numbers))
        return rt_template_refuse(c, "a table's columns are written words A B, numbers C D");
    const char **all = RT_TAKE(&c->program->arena, const char *, t->n_words + t->n_numbers);
    for (int k = 0; all && k < t->n_words; k++) all[k] = words[k];
    for (int k = 0; all && k < t->n_numbers; k++) all[t->n_words + k] = numbers[k];
    t->columns = all;
    return all ? ROUTH_OK : ROUTH_OUT_OF_MEMORY;
}

routh_status rt_template_declare_table(rt_template_compiler *c, char *rest)
{
    rt_template_table *t = RT_TAKE(&c->program->arena, rt_template_table, 1);
    const char *name = rt_template_before(&rest, ":");
    if (!name || !*name)
        return rt_template_refuse(c, "a table is written NAME: words A B, numbers C D");
    for (const rt_template_table *o = c->program->tables; o; o = o->next)
        if (!strcmp(o->name, name)) return rt_template_refuse(c, "the table %.60s is there", name);
    if (!t) return ROUTH_OUT_OF_MEMORY;
    const routh_status status = read_columns(c, t, rest);
    t->name = name;
    t->next = c->program->tables;
    c->program->tables = c->rows_of = t;
    return status;
}

static routh_status read_cells(rt_template_compiler *c, const rt_template_table *t,
                               rt_template_row *row, char *rest)
{
    routh_status status = ROUTH_OK;
    for (int k = 0; k < t->n_words + t->n_numbers && !status; k++) {
        const char *cell = rt_template_next_word(&rest);
        if (!*cell)
            status = rt_template_refuse(c, "the row has no value for %.60s", t->columns[k]);
        else if (k < t->n_words)
            row->words[k] = cell;
        else
            status = read_template_number(c, cell, &row->numbers[k - t->n_words]);
    }
    if (!status && *rest) return rt_template_refuse(c, "the row has more values than columns");
    return status;
}

routh_status rt_template_declare_row(rt_template_compiler *c, char *rest)
{
    rt_template_table *t = c->rows_of;
    rt_arena *arena = &c->program->arena;
    if (!t) return rt_template_refuse(c, "a row stands below its table");
    rt_template_row *row = RT_TAKE(arena, rt_template_row, 1);
    if (!row) return ROUTH_OUT_OF_MEMORY;
    row->words = RT_TAKE(arena, const char *, t->n_words);
    row->numbers = RT_TAKE(arena, double, t->n_numbers);
    if (!row->words || !row->numbers) return ROUTH_OUT_OF_MEMORY;
    *(t->last ? &t->last->next : &t->first) = row;
    t->last = row;
    return read_cells(c, t, row, rest);
}
