/* Reads a template's lines into a program. A line that begins with % is a directive, any other is
 * text of the model; between {{ and }} text has numbers, words, and the same directives. */
#include "model/template_compile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/suggest.h"

routh_status rt_template_refuse(rt_template_compiler *c, const char *format, ...)
{
    char message[900];
    va_list arguments;
    if (c->no_memory) return ROUTH_OUT_OF_MEMORY;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return rt_fail_at(c->error, ROUTH_SYNTAX_ERROR, c->program->file, rt_place_at(c->line, 0), NULL,
                      "%s", message);
}

/* ---- words of a line ------------------------------------------------------------------------- */

static const char blanks[] = " \t\r";

char *rt_template_trim(char *text)
{
    text += strspn(text, blanks);
    for (size_t n = strlen(text); n > 0 && strchr(blanks, text[n - 1]); n--) text[n - 1] = '\0';
    return text;
}

char *rt_template_before(char **rest, const char *mark)
{
    char *text = *rest, *at = strstr(text, mark);
    if (!at) return NULL;
    *at = '\0';
    *rest = rt_template_trim(at + strlen(mark));
    return rt_template_trim(text);
}

char *rt_template_next_word(char **rest)
{
    char *word = *rest + strspn(*rest, blanks);
    char *end = word + strcspn(word, blanks);
    *rest = end + strspn(end, blanks);
    *end = '\0';
    return word;
}

/* ---- lists and names ------------------------------------------------------------------------- */

routh_status rt_template_room(rt_template_compiler *c, void **list, int n, int *room, size_t size)
{
    if (n < *room) return ROUTH_OK;
    void *more = rt_arena_take(&c->program->arena, 2 * (size_t)n + 8, size);
    if (!more) return ROUTH_OUT_OF_MEMORY;
    if (n) memcpy(more, *list, (size_t)n * size);
    *room = 2 * n + 8;
    *list = more;
    return ROUTH_OK;
}

routh_status rt_template_add(rt_template_compiler *c, rt_template_op op)
{
    void *list = c->program->ops;
    const routh_status status =
        rt_template_room(c, &list, c->program->n_ops, &c->ops_room, sizeof op);
    if (status) return status;
    op.line = c->line;
    c->program->ops = list;
    c->program->ops[c->program->n_ops++] = op;
    return ROUTH_OK;
}

const rt_template_name *rt_template_find_name(const rt_template_compiler *c, const char *name)
{
    for (int k = 0; k < c->n_names; k++)
        if (!strcmp(c->names[k].name, name)) return &c->names[k];
    return NULL;
}

const rt_template_table *rt_template_find_table(const rt_template_compiler *c, const char *name)
{
    const rt_template_table *t = c->program->tables;
    while (t && strcmp(t->name, name) != 0) t = t->next;
    return t;
}

static bool is_directive(const char *word);

static bool is_template_name(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    return *name && strspn(name, letters) == strlen(name) && !strchr("0123456789", *name) &&
           !is_directive(name);
}

routh_status rt_template_declare(rt_template_compiler *c, rt_template_name name)
{
    void *list = c->names;
    if (!is_template_name(name.name))
        return rt_template_refuse(c, "'%.60s' cannot be a name", name.name);
    if (rt_template_find_name(c, name.name))
        return rt_template_refuse(c, "the name '%.60s' has a meaning already", name.name);
    const routh_status status = rt_template_room(c, &list, c->n_names, &c->names_room, sizeof name);
    if (status) return status;
    c->names = list;
    c->names[c->n_names++] = name;
    return ROUTH_OK;
}

/* The table's columns from one on get the slots that come next. */
routh_status rt_template_declare_columns(rt_template_compiler *c, const rt_template_table *t,
                                         int from)
{
    routh_status status = ROUTH_OK;
    for (int k = from; k < t->n_words + t->n_numbers && !status; k++)
        status = rt_template_declare(
            c, (rt_template_name){t->columns[k], c->program->n_slots++, k < t->n_words, NULL});
    return status;
}

/* ---- expressions ----------------------------------------------------------------------------- */

static bool template_quantity(void *context, const char *name, rt_expr *out, char *problem)
{
    rt_template_compiler *c = context;
    const rt_template_name *known = rt_template_find_name(c, name);
    if (known && known->word) snprintf(problem, 256, "'%.60s' is a word, not a number", name);
    if (!known || known->word) return false;
    *out = rt_input(c->graph, known->slot);
    return true;
}

static const rt_tape *template_tape(rt_template_compiler *c, rt_expr e)
{
    rt_template_program *p = c->program;
    int *slots = RT_TAKE(&p->arena, int, p->n_slots);
    for (int k = 0; slots && k < p->n_slots; k++) slots[k] = k;
    const rt_tape *tape =
        slots ? rt_tape_compile(c->graph, &e, 1, slots, p->n_slots, &p->arena) : NULL;
    if (tape && rt_tape_work(tape) > p->work) p->work = rt_tape_work(tape);
    return tape;
}

routh_status rt_template_expression(rt_template_compiler *c, const char *text, const rt_tape **tape)
{
    const rt_resolver resolver = {.context = c, .quantity = template_quantity};
    routh_error problem = {0};
    rt_expr e;
    const routh_status status = rt_parse(c->graph, text, &resolver, &e, &problem);
    if (status == ROUTH_OUT_OF_MEMORY) return status;
    if (status) return rt_template_refuse(c, "'%.60s': %.700s", text, problem.message);
    *tape = template_tape(c, e);
    return *tape ? ROUTH_OK : ROUTH_OUT_OF_MEMORY;
}

/* "10" digits or ".2" decimals */
static bool read_template_format(const char *text, rt_template_op *op)
{
    char *end;
    const bool decimals = *text == '.';
    if (decimals) text++;
    const long n = strspn(text, "0123456789") ? strtol(text, &end, 10) : 0;
    if (n < 1 || n > (decimals ? 9 : 17) || *end) return false;
    *(decimals ? &op->decimals : &op->digits) = (int)n;
    return true;
}

/* What is written: a word, or EXPRESSION | FORMAT. */
static routh_status compile_value(rt_template_compiler *c, char *text)
{
    const rt_template_name *known = rt_template_find_name(c, text);
    rt_template_op op = {.action = RT_TEMPLATE_NUMBER, .digits = 12};
    if (known && known->word)
        return rt_template_add(c,
                               (rt_template_op){.action = RT_TEMPLATE_WORD, .slot = known->slot});
    char *expression = rt_template_before(&text, "|");
    if (expression && !read_template_format(text, &op))
        return rt_template_refuse(c, "after | stands a number of digits, or . and of decimals");
    op.unit = pow(10, op.decimals ? op.decimals : op.digits < 15 ? op.digits : 15);
    const routh_status status = rt_template_expression(c, expression ? expression : text, &op.a);
    return status ? status : rt_template_add(c, op);
}

/* The build took it for the list of templates. */
static routh_status compile_about(rt_template_compiler *c, char *rest)
{
    return *rest ? ROUTH_OK : rt_template_refuse(c, "after about: stands a sentence");
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Those that may stand in a line of text come first. */
static const char *const directive_words[] = {"if",     "else",    "end",       "for",
                                              "let",    "mean",    "table",     "row",
                                              "about:", "setting", "parameter", NULL};
static routh_status (*const directives[])(rt_template_compiler *c, char *rest) = {
    rt_template_if,
    rt_template_else,
    rt_template_end,
    rt_template_for,
    rt_template_let,
    rt_template_mean,
    rt_template_declare_table,
    rt_template_declare_row,
    compile_about,
    rt_template_declare_setting,
    rt_template_parameter,
};
enum { N_WITHIN_TEXT = 6, N_DIRECTIVES = sizeof directives / sizeof directives[0] };

static int find_directive(const char *text, int n)
{
    const size_t length = strcspn(text, blanks);
    for (int k = 0; k < n; k++)
        if (strlen(directive_words[k]) == length && !strncmp(directive_words[k], text, length))
            return k;
    return -1;
}

static bool is_directive(const char *word) { return find_directive(word, N_DIRECTIVES) >= 0; }

static routh_status compile_directive(rt_template_compiler *c, char *text, int k)
{
    rt_template_next_word(&text);
    const routh_status status = directives[k](c, text);
    if (directives[k] != rt_template_declare_table && directives[k] != rt_template_declare_row)
        c->rows_of = NULL;
    return status;
}

/* What follows % in a line; # begins a comment. */
static routh_status compile_directive_line(rt_template_compiler *c, char *text)
{
    const int k = find_directive(text, N_DIRECTIVES);
    if (!*text || *text == '#') return ROUTH_OK;
    if (k >= 0) return compile_directive(c, text, k);
    const char *word = rt_template_next_word(&text), *near = rt_suggest(word, directive_words);
    return rt_template_refuse(c, "there is no directive '%.60s'%s%s%s", word,
                              near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static routh_status compile_within_text(rt_template_compiler *c, char *text)
{
    const int k = find_directive(text, N_WITHIN_TEXT);
    return k >= 0 ? compile_directive(c, text, k) : compile_value(c, text);
}

static routh_status compile_plain(rt_template_compiler *c, const char *text, size_t length)
{
    if (length == 0) return ROUTH_OK;
    return rt_template_add(
        c, (rt_template_op){.action = RT_TEMPLATE_TEXT, .text = text, .length = length});
}

/* A copy of [text, end), which directives take apart. */
static char *copy_for_directive(rt_template_compiler *c, const char *text, const char *end)
{
    char *copy = rt_arena_text(&c->program->arena, text, (size_t)(end - text));
    return copy ? rt_template_trim(copy) : NULL;
}

/* Where the mark stands in [text, end), or NULL. */
static const char *find_mark(const char *text, const char *end, const char *mark)
{
    const char *at = strstr(text, mark);
    return at && at < end ? at : NULL;
}

static routh_status compile_text_line(rt_template_compiler *c, const char *text, const char *end)
{
    routh_status status = ROUTH_OK;
    for (const char *open; !status && (open = find_mark(text, end, "{{"));) {
        const char *close = find_mark(open, end, "}}");
        if (!close) return rt_template_refuse(c, "{{ is not closed by }} in its line");
        char *within = copy_for_directive(c, open + 2, close);
        status = compile_plain(c, text, (size_t)(open - text));
        if (!status) status = within ? compile_within_text(c, within) : ROUTH_OUT_OF_MEMORY;
        text = close + 2;
    }
    return status ? status : compile_plain(c, text, (size_t)(end - text) + (*end == '\n'));
}

static routh_status compile_line(rt_template_compiler *c, const char *text, const char *end)
{
    if (*text != '%') return compile_text_line(c, text, end);
    char *directive = copy_for_directive(c, text + 1, end);
    return directive ? compile_directive_line(c, directive) : ROUTH_OUT_OF_MEMORY;
}

static routh_status compile_lines(rt_template_compiler *c, const char *text)
{
    routh_status status = ROUTH_OK;
    while (*text && !status) {
        const char *end = text + strcspn(text, "\n");
        c->line++;
        status = compile_line(c, text, end);
        text = *end ? end + 1 : end;
    }
    if (status || !c->depth) return status;
    c->line = c->blocks[c->depth - 1].line;
    return rt_template_refuse(c, "what opens here has no end");
}

routh_status rt_template_compile(rt_template_program *program, const rt_template_source *source,
                                 routh_error *error)
{
    rt_template_compiler c = {.program = program, .graph = rt_graph_create(), .error = error};
    snprintf(program->file, sizeof program->file, "%.60s.template", source->name);
    program->name = source->name;
    const routh_status status = c.graph ? compile_lines(&c, source->text) : ROUTH_OUT_OF_MEMORY;
    rt_graph_free(c.graph);
    return status == ROUTH_OUT_OF_MEMORY ? rt_fail_memory(error) : status;
}

void rt_template_free(rt_template_program *program)
{
    rt_arena_free(&program->arena);
    *program = (rt_template_program){0};
}
