#include "model/yaml.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#include "model/tree.h"

typedef struct yaml_builder {
    yaml_parser_t parser;
    const char *text;
    size_t length;
    const char *file;
    routh_error *error;
    rt_tree tree;
    bool finished; /* the one document has ended */
    bool flow[RT_YAML_DEPTH_LIMIT]; /* of each open list or mapping: [..] or {..} */
    /* A plain scalar in one of these that has a '(' open, at the depth; NULL: none. */
    rt_yaml *unclosed;
    int unclosed_depth, n_joined;
    yaml_mark_t end; /* where it ends so far */
    /* In a mapping what came after its comma, until it is known whether a value follows. */
    bool key_waits;
    rt_place key_place;
    yaml_mark_t key_start, key_end;
    char *key; /* of key_length bytes; freed with the builder */
    size_t key_length;
} yaml_builder;

static rt_place yaml_place_of(yaml_mark_t mark)
{
    const size_t largest = 2000000000;
    return rt_place_at((int)(mark.line < largest ? mark.line + 1 : largest),
                       (int)(mark.column < largest ? mark.column + 1 : largest));
}

/* libyaml gives no mark with an encoding error, only the offset in bytes. */
static rt_place place_of_offset(const yaml_builder *b, size_t offset)
{
    rt_place place = rt_place_at(1, 1);
    for (size_t k = 0; k < offset && k < b->length; k++) {
        place.column++;
        if (b->text[k] == '\n') place.line++, place.column = 1;
    }
    return place;
}

static bool is_at_tab(const yaml_builder *b, yaml_mark_t mark)
{
    return mark.index < b->length && b->text[mark.index] == '\t';
}

static routh_status fail_parser(yaml_builder *b)
{
    const yaml_parser_t *p = &b->parser;
    const char *problem = p->problem ? p->problem : "it cannot be read";
    if (p->error == YAML_MEMORY_ERROR || p->error == YAML_NO_ERROR) return rt_fail_memory(b->error);
    if (p->error == YAML_READER_ERROR)
        return rt_fail_at(b->error, ROUTH_SYNTAX_ERROR, b->file,
                          place_of_offset(b, p->problem_offset), NULL,
                          "the file is not text in UTF-8: %s; a model file is YAML text", problem);
    if (is_at_tab(b, p->problem_mark))
        return rt_fail_at(b->error, ROUTH_SYNTAX_ERROR, b->file, yaml_place_of(p->problem_mark),
                          NULL, "a tab is used where YAML allows only spaces; indent with spaces");
    return rt_fail_at(b->error, ROUTH_SYNTAX_ERROR, b->file, yaml_place_of(p->problem_mark), NULL,
                      "the text is not well-formed YAML: %s%s%s", p->context ? p->context : "",
                      p->context ? ", " : "", problem);
}

static routh_status yaml_fail_here(yaml_builder *b, const yaml_event_t *event, routh_status status,
                                   const char *message)
{
    return rt_fail_at(b->error, status, b->file, yaml_place_of(event->start_mark), NULL, "%s",
                      message);
}

/* ---- commas within parentheses --------------------------------------------------------------- */

/* YAML parts [max(a, b), 0] and {x: max(a, b)} at every comma. What such a comma parted, with a '('
 * before it that is open, is one expression: the pieces are put together as they stand. */
enum { LONGEST_JOINED = 10000 };

static int open_parentheses(const char *text)
{
    int open = 0;
    for (; *text; text++) open += *text == '(' ? 1 : *text == ')' && open ? -1 : 0;
    return open;
}

/* Looks at the scalar that came last. */
static void note_unclosed(yaml_builder *b, const yaml_event_t *event)
{
    const int depth = b->tree.depth;
    b->unclosed = NULL;
    if (depth == 0 || !b->flow[depth - 1] || event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
        return;
    rt_yaml *last = b->tree.open[depth - 1].last;
    if (!last || last->kind != RT_YAML_SCALAR || !open_parentheses(last->text)) return;
    b->unclosed = last;
    b->unclosed_depth = depth;
    b->n_joined = 0;
    b->end = event->end_mark;
}

static bool continues(const yaml_builder *b)
{
    return b->unclosed && b->tree.depth == b->unclosed_depth;
}

/* The piece behind the comma: with the blanks between them, so that columns stay. */
static routh_status join(yaml_builder *b, const char *piece, size_t length, yaml_mark_t start,
                         yaml_mark_t end)
{
    const size_t had = strlen(b->unclosed->text);
    const size_t gap =
        start.line == b->end.line && start.index > b->end.index ? start.index - b->end.index : 2;
    if (had + gap + length > LONGEST_JOINED)
        return rt_fail_at(b->error, ROUTH_SYNTAX_ERROR, b->file, b->unclosed->place, NULL,
                          "a '(' opens here and is not closed in the next 10000 letters; add ')'");
    char *text = rt_arena_take(b->tree.arena, had + gap + length + 1, 1);
    if (!text) return rt_fail_memory(b->error);
    memcpy(text, b->unclosed->text, had);
    memset(text + had, ' ', gap);
    text[had] = ',';
    memcpy(text + had + gap, piece, length);
    text[had + gap + length] = '\0';
    b->unclosed->text = text;
    b->n_joined++;
    b->end = end;
    if (!open_parentheses(text)) b->unclosed = NULL;
    return ROUTH_OK;
}

/* A list or mapping ends, or what is no piece of the expression follows. */
static routh_status leave_unclosed(yaml_builder *b)
{
    const rt_yaml *node = b->unclosed;
    b->unclosed = NULL;
    if (!node || !b->n_joined) return ROUTH_OK;
    return rt_fail_at(b->error, ROUTH_SYNTAX_ERROR, b->file, node->place, NULL,
                      "a '(' in '%.60s' is not closed, so that the commas behind it are within it; "
                      "add ')'",
                      node->text);
}

/* What waits is a name after all: a value follows. */
static routh_status take_waiting_key(yaml_builder *b)
{
    if (!b->key_waits) return ROUTH_OK;
    b->key_waits = false;
    const routh_status status = leave_unclosed(b);
    return status ? status : rt_tree_key(&b->tree, b->key_place, b->key, b->key_length);
}

static routh_status wait_with_key(yaml_builder *b, const yaml_event_t *event)
{
    const size_t length = event->data.scalar.length;
    char *key = realloc(b->key, length + 1);
    if (!key) return rt_fail_memory(b->error);
    memcpy(key, event->data.scalar.value, length);
    b->key = key, b->key_length = length;
    b->key_place = yaml_place_of(event->start_mark);
    b->key_start = event->start_mark, b->key_end = event->end_mark;
    b->key_waits = true;
    return ROUTH_OK;
}

static bool is_nothing(const yaml_event_t *event)
{
    return event->type == YAML_SCALAR_EVENT && event->data.scalar.length == 0 &&
           event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE && !event->data.scalar.tag;
}

/* Whether the event is a piece of an expression, and then takes it. */
static routh_status take_expression_piece(yaml_builder *b, const yaml_event_t *event, bool *taken)
{
    *taken = false;
    if (b->key_waits) {
        if (!is_nothing(event)) return take_waiting_key(b);
        *taken = true;
        b->key_waits = false;
        return join(b, b->key, b->key_length, b->key_start, b->key_end);
    }
    if (!continues(b)) return ROUTH_OK;
    const bool plain = event->type == YAML_SCALAR_EVENT && !event->data.scalar.tag &&
                       event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
                       !memchr(event->data.scalar.value, 0, event->data.scalar.length);
    if (!plain) return leave_unclosed(b);
    *taken = true;
    if (b->tree.open[b->tree.depth - 1].node->kind == RT_YAML_MAPPING)
        return wait_with_key(b, event);
    return join(b, (const char *)event->data.scalar.value, event->data.scalar.length,
                event->start_mark, event->end_mark);
}

static routh_status take_scalar(yaml_builder *b, const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    const size_t length = event->data.scalar.length;
    const rt_place place = yaml_place_of(event->start_mark);
    if (event->data.scalar.tag)
        return yaml_fail_here(b, event, ROUTH_SYNTAX_ERROR,
                              "a tag (!name) is not part of a model file; remove it");
    if (memchr(text, 0, length))
        return yaml_fail_here(b, event, ROUTH_SYNTAX_ERROR,
                              "the text contains a zero byte; remove it");
    if (rt_tree_waits_for_key(&b->tree)) return rt_tree_key(&b->tree, place, text, length);
    const routh_status status = rt_tree_scalar(&b->tree, place, text, length,
                                               event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE);
    if (!status) note_unclosed(b, event);
    return status;
}

static routh_status open_container(yaml_builder *b, const yaml_event_t *event, rt_yaml_kind kind)
{
    const yaml_char_t *tag =
        kind == RT_YAML_LIST ? event->data.sequence_start.tag : event->data.mapping_start.tag;
    if (tag)
        return yaml_fail_here(b, event, ROUTH_SYNTAX_ERROR,
                              "a tag (!name) is not part of a model file; remove it");
    if (rt_tree_waits_for_key(&b->tree))
        return yaml_fail_here(
            b, event, ROUTH_SYNTAX_ERROR,
            "a list or mapping stands where a name is expected; write `name: value`");
    const routh_status status = rt_tree_begin(&b->tree, yaml_place_of(event->start_mark), kind);
    if (!status)
        b->flow[b->tree.depth - 1] =
            kind == RT_YAML_LIST ? event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE
                                 : event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
    return status;
}

static routh_status take_event(yaml_builder *b, const yaml_event_t *event)
{
    bool taken;
    const routh_status status = take_expression_piece(b, event, &taken);
    if (status || taken) return status;
    switch (event->type) {
    case YAML_SCALAR_EVENT: return take_scalar(b, event);
    case YAML_SEQUENCE_START_EVENT: return open_container(b, event, RT_YAML_LIST);
    case YAML_MAPPING_START_EVENT: return open_container(b, event, RT_YAML_MAPPING);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: return rt_tree_end(&b->tree);
    case YAML_ALIAS_EVENT:
        return yaml_fail_here(b, event, ROUTH_SYNTAX_ERROR,
                              "an alias (*name) is not part of a model file; give the value a name "
                              "under `parameters` and use that");
    case YAML_DOCUMENT_START_EVENT:
        if (b->finished)
            return yaml_fail_here(b, event, ROUTH_SYNTAX_ERROR,
                                  "a second document begins here; a model file holds one");
        return ROUTH_OK;
    case YAML_DOCUMENT_END_EVENT: b->finished = true; return ROUTH_OK;
    default: return ROUTH_OK;
    }
}

static routh_status yaml_read_events(yaml_builder *b)
{
    for (bool done = false; !done;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&b->parser, &event)) return fail_parser(b);
        const routh_status status = take_event(b, &event);
        done = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
        if (status) return status;
    }
    return ROUTH_OK;
}

routh_status rt_yaml_parse(const rt_yaml **root, const char *text, size_t length, const char *file,
                           rt_arena *arena, routh_error *error)
{
    yaml_builder *b = calloc(1, sizeof *b);
    *root = NULL;
    if (!b) return rt_fail_memory(error);
    b->text = text, b->length = length, b->file = file, b->error = error;
    b->tree.file = file, b->tree.arena = arena, b->tree.error = error;
    if (!yaml_parser_initialize(&b->parser)) {
        free(b);
        return rt_fail_memory(error);
    }
    yaml_parser_set_input_string(&b->parser, (const unsigned char *)text, length);
    routh_status status = yaml_read_events(b);
    if (!status) status = rt_tree_check_not_empty(&b->tree);
    if (!status) *root = b->tree.root;
    yaml_parser_delete(&b->parser);
    free(b->key);
    free(b);
    return status;
}

const rt_yaml *rt_yaml_find(const rt_yaml *mapping, const char *key)
{
    for (const rt_yaml *entry = mapping->first; entry; entry = entry->next)
        if (!strcmp(entry->key, key)) return entry;
    return NULL;
}

bool rt_yaml_is_null(const rt_yaml *node)
{
    if (node->kind != RT_YAML_SCALAR || node->quoted) return false;
    return !node->text[0] || !strcmp(node->text, "~") || !strcmp(node->text, "null") ||
           !strcmp(node->text, "Null") || !strcmp(node->text, "NULL");
}

const char *rt_yaml_describe(const rt_yaml *node, char *text, size_t size)
{
    if (node->kind == RT_YAML_LIST)
        snprintf(text, size, "a list of %d", node->count);
    else if (node->kind == RT_YAML_MAPPING)
        snprintf(text, size, "a mapping");
    else if (rt_yaml_is_null(node))
        snprintf(text, size, "nothing");
    else
        snprintf(text, size, "'%.60s'", node->text);
    return text;
}
