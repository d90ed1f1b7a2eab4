/* The tokens of a model file with their places, by libyaml's scanner. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#include "base/utf8.h"
#include "model/format_parts.h"

int rt_format_width(const char *text, size_t length)
{
    int n = 0;
    for (size_t k = 0; k < length; k++) n += ((unsigned char)text[k] & 0xC0) != 0x80;
    return n;
}

/* ---- tokens ---------------------------------------------------------------------------------- */

typedef struct format_scanner {
    yaml_parser_t parser;
    size_t index, offset; /* in characters and bytes, going along */
    int flow;
} format_scanner;

static size_t format_offset(const rt_formatter *f, format_scanner *s, size_t index)
{
    if (index < s->index) s->index = s->offset = 0;
    while (s->index < index && s->offset < f->length) {
        do s->offset++;
        while (((unsigned char)f->source[s->offset] & 0xC0) == 0x80);
        s->index++;
    }
    return s->offset;
}

static rt_format_token *format_add(rt_formatter *f)
{
    if (f->n_tokens == f->room_tokens) {
        const int room = f->room_tokens ? 2 * f->room_tokens : 256;
        rt_format_token *more = realloc(f->tokens, (size_t)room * sizeof *more);
        if (!more) return NULL;
        f->tokens = more, f->room_tokens = room;
    }
    f->tokens[f->n_tokens] = (rt_format_token){0};
    return &f->tokens[f->n_tokens++];
}

static routh_status format_refuse(const rt_formatter *f, const yaml_token_t *t, const char *message)
{
    return rt_fail_at(f->error, ROUTH_SYNTAX_ERROR, f->file,
                      rt_place_at((int)t->start_mark.line + 1, (int)t->start_mark.column + 1), NULL,
                      "%s", message);
}

static rt_format_kind kind_of_scalar(const yaml_token_t *t)
{
    switch (t->data.scalar.style) {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE:
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE: return RT_FORMAT_QUOTED;
    case YAML_LITERAL_SCALAR_STYLE:
    case YAML_FOLDED_SCALAR_STYLE: return RT_FORMAT_BLOCK;
    default: return RT_FORMAT_PLAIN;
    }
}

/* -1: one that does not count; -2: one that is refused. */
static int format_kind_of(const yaml_token_t *t)
{
    switch (t->type) {
    case YAML_SCALAR_TOKEN: return (int)kind_of_scalar(t);
    case YAML_KEY_TOKEN: return t->end_mark.index > t->start_mark.index ? -2 : (int)RT_FORMAT_KEY;
    case YAML_VALUE_TOKEN: return (int)RT_FORMAT_COLON;
    case YAML_BLOCK_ENTRY_TOKEN: return (int)RT_FORMAT_DASH;
    case YAML_FLOW_SEQUENCE_START_TOKEN:
    case YAML_FLOW_MAPPING_START_TOKEN: return (int)RT_FORMAT_OPEN;
    case YAML_FLOW_SEQUENCE_END_TOKEN:
    case YAML_FLOW_MAPPING_END_TOKEN: return (int)RT_FORMAT_CLOSE;
    case YAML_FLOW_ENTRY_TOKEN: return (int)RT_FORMAT_COMMA;
    case YAML_BLOCK_MAPPING_START_TOKEN: return (int)RT_FORMAT_MAPPING;
    case YAML_BLOCK_SEQUENCE_START_TOKEN: return (int)RT_FORMAT_LIST;
    case YAML_BLOCK_END_TOKEN: return (int)RT_FORMAT_LEAVE;
    case YAML_VERSION_DIRECTIVE_TOKEN:
    case YAML_TAG_DIRECTIVE_TOKEN:
    case YAML_DOCUMENT_START_TOKEN:
    case YAML_DOCUMENT_END_TOKEN: return (int)RT_FORMAT_LINE;
    case YAML_STREAM_END_TOKEN: return (int)RT_FORMAT_FILE_END;
    case YAML_STREAM_START_TOKEN: return -1;
    default: return -2;
    }
}

/* What is written of it: as it stands, but for quotes that are not needed. */
static routh_status choose_text(rt_formatter *f, rt_format_token *to, const yaml_token_t *t,
                                bool flow)
{
    const char *from = f->source + to->begin;
    to->text = from, to->length = to->end - to->begin;
    const char *newline = memchr(from, '\n', to->length);
    to->several = newline != NULL;
    if (to->kind == RT_FORMAT_QUOTED && !to->several) {
        const char *value = (const char *)t->data.scalar.value;
        const size_t length = t->data.scalar.length;
        if (rt_format_is_plain(value, length, flow)) {
            to->text = rt_arena_text(&f->arena, value, length), to->length = length;
            if (!to->text) return rt_fail_memory(f->error);
        }
    }
    to->width = rt_format_width(to->text, newline ? (size_t)(newline - from) : to->length);
    return ROUTH_OK;
}

static routh_status take_token(rt_formatter *f, format_scanner *s, const yaml_token_t *t)
{
    const int kind = format_kind_of(t);
    if (kind == -1) return ROUTH_OK;
    if (t->type == YAML_ANCHOR_TOKEN)
        return format_refuse(f, t, "an anchor (&name) is not part of a model file; remove it");
    if (kind == -2)
        return format_refuse(f, t, "this is not part of a model file; write `name: value`");
    rt_format_token *to = format_add(f);
    if (!to) return rt_fail_memory(f->error);
    to->kind = (rt_format_kind)kind;
    to->begin = format_offset(f, s, t->start_mark.index);
    to->end = format_offset(f, s, t->end_mark.index);
    to->line = (int)t->start_mark.line, to->column = (int)t->start_mark.column;
    to->end_line = (int)t->end_mark.line;
    s->flow += (kind == RT_FORMAT_OPEN) - (kind == RT_FORMAT_CLOSE);
    return choose_text(f, to, t, s->flow > 0);
}

routh_status rt_format_scan(rt_formatter *f)
{
    format_scanner s = {0};
    routh_status status = ROUTH_OK;
    if (!yaml_parser_initialize(&s.parser)) return rt_fail_memory(f->error);
    yaml_parser_set_input_string(&s.parser, (const unsigned char *)f->source, f->length);
    for (bool done = false; !done && !status;) {
        yaml_token_t token;
        /* the text was parsed before: there is nothing in it that stops the scanner but memory */
        if (!yaml_parser_scan(&s.parser, &token)) {
            status = rt_fail_memory(f->error);
            break;
        }
        done = token.type == YAML_STREAM_END_TOKEN;
        status = take_token(f, &s, &token);
        yaml_token_delete(&token);
    }
    yaml_parser_delete(&s.parser);
    return status;
}

bool rt_format_stands(const rt_format_token *t)
{
    return t->kind != RT_FORMAT_KEY && t->kind != RT_FORMAT_MAPPING && t->kind != RT_FORMAT_LIST &&
           t->kind != RT_FORMAT_LEAVE;
}

bool rt_format_is_scalar(const rt_format_token *t) { return t->kind <= RT_FORMAT_BLOCK; }

/* The next one that stands in the text. */
int rt_format_next(const rt_formatter *f, int k)
{
    for (k++; !rt_format_stands(&f->tokens[k]);) k++;
    return k;
}
