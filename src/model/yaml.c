#include "model/yaml.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#include "model/names.h"

/* The containers that are open while events arrive. */
typedef struct open_node {
    rt_yaml *node;
    rt_yaml *last;
    rt_yaml *pending; /* mapping: an entry whose key has been read, waiting for its value */
} open_node;

typedef struct builder {
    yaml_parser_t parser;
    const char *text;
    size_t length;
    const char *file;
    rt_arena *arena;
    routh_error *error;
    int n_nodes;
    int depth;
    open_node open[RT_YAML_DEPTH_LIMIT];
    rt_yaml *root;
    bool finished; /* the one document has ended */
} builder;

static rt_place place_of(yaml_mark_t mark)
{
    const size_t largest = 2000000000;
    const rt_place place = {(int)(mark.line < largest ? mark.line + 1 : largest),
                            (int)(mark.column < largest ? mark.column + 1 : largest)};
    return place;
}

/* libyaml gives no mark with an encoding error, only the offset in bytes. */
static rt_place place_of_offset(const builder *b, size_t offset)
{
    rt_place place = {1, 1};
    for (size_t k = 0; k < offset && k < b->length; k++) {
        place.column++;
        if (b->text[k] == '\n') place.line++, place.column = 1;
    }
    return place;
}

static bool is_at_tab(const builder *b, yaml_mark_t mark)
{
    return mark.index < b->length && b->text[mark.index] == '\t';
}

static routh_status fail_parser(builder *b)
{
    const yaml_parser_t *p = &b->parser;
    const char *problem = p->problem ? p->problem : "it cannot be read";
    if (p->error == YAML_MEMORY_ERROR || p->error == YAML_NO_ERROR) return rt_fail_memory(b->error);
    if (p->error == YAML_READER_ERROR)
        return rt_fail_at(b->error, ROUTH_SYNTAX_ERROR, b->file,
                          place_of_offset(b, p->problem_offset), NULL,
                          "the file is not text in UTF-8: %s; a model file is YAML text", problem);
    if (is_at_tab(b, p->problem_mark))
        return rt_fail_at(b->error, ROUTH_SYNTAX_ERROR, b->file, place_of(p->problem_mark), NULL,
                          "a tab stands where YAML allows only spaces; indent with spaces");
    return rt_fail_at(b->error, ROUTH_SYNTAX_ERROR, b->file, place_of(p->problem_mark), NULL,
                      "the text is not well-formed YAML: %s%s%s", p->context ? p->context : "",
                      p->context ? ", " : "", problem);
}

static routh_status fail_here(builder *b, const yaml_event_t *event, routh_status status,
                              const char *message)
{
    return rt_fail_at(b->error, status, b->file, place_of(event->start_mark), NULL, "%s", message);
}

static routh_status new_node(builder *b, const yaml_event_t *event, rt_yaml **out)
{
    if (b->n_nodes >= RT_YAML_COUNT_LIMIT)
        return fail_here(b, event, ROUTH_LIMIT_EXCEEDED,
                         "the file has more than 10 million values, the most that is read");
    rt_yaml *node = RT_TAKE(b->arena, rt_yaml, 1);
    if (!node) return rt_fail_memory(b->error);
    b->n_nodes++;
    node->place = place_of(event->start_mark);
    *out = node;
    return ROUTH_OK;
}

static bool waits_for_key(const builder *b)
{
    const open_node *top = b->depth ? &b->open[b->depth - 1] : NULL;
    return top && top->node->kind == RT_YAML_MAPPING && !top->pending;
}

/* The node that the next value fills: the pending entry of a mapping, or a new entry of a list. */
static routh_status place_value(builder *b, const yaml_event_t *event, rt_yaml **out)
{
    open_node *top = b->depth ? &b->open[b->depth - 1] : NULL;
    if (top && top->pending) {
        *out = top->pending;
        (*out)->place = place_of(event->start_mark);
        top->pending = NULL;
        return ROUTH_OK;
    }
    const routh_status status = new_node(b, event, out);
    if (status) return status;
    if (!top) {
        b->root = *out;
        return ROUTH_OK;
    }
    if (top->last) top->last->next = *out;
    else top->node->first = *out;
    top->last = *out;
    top->node->count++;
    return ROUTH_OK;
}

static routh_status copy_text(builder *b, const yaml_event_t *event, const char **out)
{
    const char *text = (const char *)event->data.scalar.value;
    const size_t length = event->data.scalar.length;
    if (memchr(text, 0, length))
        return fail_here(b, event, ROUTH_SYNTAX_ERROR, "the text contains a zero byte; remove it");
    *out = rt_arena_text(b->arena, text, length);
    return *out ? ROUTH_OK : rt_fail_memory(b->error);
}

static routh_status begin_entry(builder *b, const yaml_event_t *event)
{
    open_node *top = &b->open[b->depth - 1];
    rt_yaml *entry = NULL;
    routh_status status = new_node(b, event, &entry);
    if (status) return status;
    status = copy_text(b, event, &entry->key);
    if (status) return status;
    entry->key_place = entry->place;
    if (top->last) top->last->next = entry;
    else top->node->first = entry;
    top->last = entry;
    top->node->count++;
    top->pending = entry;
    return ROUTH_OK;
}

static routh_status take_scalar(builder *b, const yaml_event_t *event)
{
    if (event->data.scalar.tag)
        return fail_here(b, event, ROUTH_SYNTAX_ERROR,
                         "a tag (!name) is not part of a model file; remove it");
    if (waits_for_key(b)) return begin_entry(b, event);
    rt_yaml *node = NULL;
    routh_status status = place_value(b, event, &node);
    if (status) return status;
    node->kind = RT_YAML_SCALAR;
    node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    return copy_text(b, event, &node->text);
}

static routh_status open_container(builder *b, const yaml_event_t *event, rt_yaml_kind kind)
{
    const yaml_char_t *tag =
        kind == RT_YAML_LIST ? event->data.sequence_start.tag : event->data.mapping_start.tag;
    if (tag)
        return fail_here(b, event, ROUTH_SYNTAX_ERROR,
                         "a tag (!name) is not part of a model file; remove it");
    if (waits_for_key(b))
        return fail_here(b, event, ROUTH_SYNTAX_ERROR,
                         "a list or mapping stands where a name is expected; write `name: value`");
    if (b->depth >= RT_YAML_DEPTH_LIMIT)
        return fail_here(b, event, ROUTH_LIMIT_EXCEEDED,
                         "lists and mappings are nested more than 64 deep; a model needs fewer "
                         "than 10");
    rt_yaml *node = NULL;
    const routh_status status = place_value(b, event, &node);
    if (status) return status;
    node->kind = kind;
    b->open[b->depth++] = (open_node){node, NULL, NULL};
    return ROUTH_OK;
}

static routh_status fail_duplicate(const builder *b, const rt_yaml *entry, const rt_yaml *before)
{
    return rt_fail_at(b->error, ROUTH_MODEL_ERROR, b->file, entry->key_place, NULL,
                      "the name '%.80s' is given twice, first in line %d; keep one of them",
                      entry->key, before->key_place.line);
}

static routh_status check_few_keys(const builder *b, const rt_yaml *mapping)
{
    for (const rt_yaml *entry = mapping->first; entry; entry = entry->next)
        for (const rt_yaml *other = mapping->first; other != entry; other = other->next)
            if (!strcmp(entry->key, other->key)) return fail_duplicate(b, entry, other);
    return ROUTH_OK;
}

static routh_status check_many_keys(const builder *b, const rt_yaml *mapping)
{
    rt_arena scratch = {0};
    rt_names names;
    routh_status status = ROUTH_OK;
    const rt_yaml **entries = RT_TAKE(&scratch, const rt_yaml *, mapping->count);
    int n = 0;
    if (!entries || !rt_names_init(&names, mapping->count, &scratch))
        status = rt_fail_memory(b->error);
    for (const rt_yaml *entry = mapping->first; entry && !status; entry = entry->next, n++) {
        const int before = rt_names_add(&names, entry->key, n);
        entries[n] = entry;
        if (before >= 0) status = fail_duplicate(b, entry, entries[before]);
    }
    rt_arena_free(&scratch);
    return status;
}

static routh_status close_container(builder *b)
{
    const rt_yaml *node = b->open[--b->depth].node;
    if (node->kind != RT_YAML_MAPPING) return ROUTH_OK;
    return node->count <= 12 ? check_few_keys(b, node) : check_many_keys(b, node);
}

static routh_status take_event(builder *b, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT: return take_scalar(b, event);
    case YAML_SEQUENCE_START_EVENT: return open_container(b, event, RT_YAML_LIST);
    case YAML_MAPPING_START_EVENT: return open_container(b, event, RT_YAML_MAPPING);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: return close_container(b);
    case YAML_ALIAS_EVENT:
        return fail_here(b, event, ROUTH_SYNTAX_ERROR,
                         "an alias (*name) is not part of a model file; give the value a name "
                         "under `parameters` and use that");
    case YAML_DOCUMENT_START_EVENT:
        if (b->finished)
            return fail_here(b, event, ROUTH_SYNTAX_ERROR,
                             "a second document begins here; a model file holds one");
        return ROUTH_OK;
    case YAML_DOCUMENT_END_EVENT: b->finished = true; return ROUTH_OK;
    default: return ROUTH_OK;
    }
}

static routh_status read_events(builder *b)
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
    builder *b = calloc(1, sizeof *b);
    *root = NULL;
    if (!b) return rt_fail_memory(error);
    b->text = text, b->length = length, b->file = file, b->arena = arena, b->error = error;
    if (!yaml_parser_initialize(&b->parser)) {
        free(b);
        return rt_fail_memory(error);
    }
    yaml_parser_set_input_string(&b->parser, (const unsigned char *)text, length);
    routh_status status = read_events(b);
    if (!status && (!b->root || rt_yaml_is_null(b->root)))
        status = rt_fail_at(error, ROUTH_MODEL_ERROR, file, (rt_place){1, 1}, NULL,
                            "the file is empty; a model has at least `bodies`");
    if (!status) *root = b->root;
    yaml_parser_delete(&b->parser);
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
    if (node->kind == RT_YAML_LIST) snprintf(text, size, "a list of %d", node->count);
    else if (node->kind == RT_YAML_MAPPING) snprintf(text, size, "a mapping");
    else if (rt_yaml_is_null(node)) snprintf(text, size, "nothing");
    else snprintf(text, size, "'%.60s'", node->text);
    return text;
}
