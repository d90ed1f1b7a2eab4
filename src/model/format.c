/* A model file laid out anew, with its comments, its blank lines, its order and its line breaks:
 * indentation, spaces, quotes that are not needed, lines that are too long.
 *
 * libyaml's scanner gives the tokens with their places; between two of them stand blanks, line
 * breaks and comments alone. Block style is indented by two columns a level. In flow style a line
 * that follows stands below the first entry, or, where the bracket ends its line, two columns
 * further in than that line. What was read before and after is compared in the end, so that the
 * layout cannot change what the file says. */
#include "model/format.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#include "base/text.h"
#include "base/utf8.h"
#include "model/model.h"
#include "model/yaml.h"

enum { STEP = 2, STANDARD_WIDTH = 100, DEEPEST_BLOCK = 3 * RT_YAML_DEPTH_LIMIT };

/* A line of what is written. */
typedef struct format_line {
    size_t begin, end; /* of its code, in `code` */
    int width;
    const char *comment; /* NULL: none */
    size_t comment_length;
    int comment_column; /* where it stood */
    bool whole;         /* a comment alone, below the code before, not at its side */
    bool kept;          /* of a text in lines: blank ones stay at the end of the file too */
} format_line;

typedef struct format_level {
    bool list, own_dashes; /* dashes that stand below the name, not further in */
    int column, indent;    /* before and after */
} format_level;

typedef struct format_flow {
    int indent, close;
} format_flow;

typedef struct formatter {
    const char *source;
    size_t length;
    const char *file;
    int most; /* columns */
    rt_arena arena;
    routh_error *error;
    rt_format_token *tokens;
    int n_tokens, room_tokens;
    rt_text code;
    format_line *lines;
    size_t n_lines, room_lines;
    format_line now; /* the line under way */
    int indent;      /* of it */
    bool open;       /* it has begun */
    format_level block[DEEPEST_BLOCK];
    int n_block;
    format_flow flow[DEEPEST_BLOCK];
    int n_flow;
    bool failed;
} formatter;

static int count_width(const char *text, size_t length)
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

static size_t format_offset(const formatter *f, format_scanner *s, size_t index)
{
    if (index < s->index) s->index = s->offset = 0;
    while (s->index < index && s->offset < f->length) {
        do s->offset++;
        while (((unsigned char)f->source[s->offset] & 0xC0) == 0x80);
        s->index++;
    }
    return s->offset;
}

static rt_format_token *format_add(formatter *f)
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

static routh_status format_refuse(const formatter *f, const yaml_token_t *t, const char *message)
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
static routh_status choose_text(formatter *f, rt_format_token *to, const yaml_token_t *t, bool flow)
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
    to->width = count_width(to->text, newline ? (size_t)(newline - from) : to->length);
    return ROUTH_OK;
}

static routh_status take_token(formatter *f, format_scanner *s, const yaml_token_t *t)
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

static routh_status scan_tokens(formatter *f)
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

static bool stands(const rt_format_token *t)
{
    return t->kind != RT_FORMAT_KEY && t->kind != RT_FORMAT_MAPPING && t->kind != RT_FORMAT_LIST &&
           t->kind != RT_FORMAT_LEAVE;
}

static bool is_scalar(const rt_format_token *t) { return t->kind <= RT_FORMAT_BLOCK; }

/* The next one that stands in the text. */
static int next_standing(const formatter *f, int k)
{
    for (k++; !stands(&f->tokens[k]);) k++;
    return k;
}

/* ---- values in a column ---------------------------------------------------------------------- */

/* An entry of block style with its value behind it: where its colon and its value are. */
typedef struct format_entry {
    int colon, key_width, key_column, line, value_column, last_line;
} format_entry;

static int line_of_close(const formatter *f, int k)
{
    int depth = 0;
    for (;; k++) {
        depth += (f->tokens[k].kind == RT_FORMAT_OPEN) - (f->tokens[k].kind == RT_FORMAT_CLOSE);
        if (depth == 0) return f->tokens[k].end_line;
    }
}

/* The entry whose name is token k + 1, if its value begins on the same line. */
static bool format_read_entry(const formatter *f, int k, format_entry *e)
{
    const rt_format_token *key = &f->tokens[k + 1], *colon = &f->tokens[k + 2];
    if (!is_scalar(key) || colon->kind != RT_FORMAT_COLON) return false;
    const rt_format_token *value = &f->tokens[next_standing(f, k + 2)];
    const bool open = value->kind == RT_FORMAT_OPEN;
    if (value->line != colon->line || !(open || is_scalar(value))) return false;
    *e = (format_entry){k + 2,
                        key->width,
                        key->column,
                        key->line,
                        value->column,
                        value->kind == RT_FORMAT_BLOCK ? -1
                        : open                         ? line_of_close(f, next_standing(f, k + 2))
                                                       : value->end_line};
    return true;
}

/* Values that stand in one column, line by line, go on doing so. */
static void align_values(formatter *f, const format_entry *entries, int n)
{
    int longest = 0;
    for (int k = 0; k < n; k++)
        if (entries[k].key_width > longest) longest = entries[k].key_width;
    for (int k = 0; k < n && n > 1; k++)
        f->tokens[entries[k].colon].pad = longest - entries[k].key_width;
}

static routh_status find_columns(formatter *f)
{
    format_entry *run = RT_TAKE(&f->arena, format_entry, f->n_tokens + 1);
    int n = 0, flow = 0;
    if (!run) return rt_fail_memory(f->error);
    for (int k = 0; k < f->n_tokens; k++) {
        format_entry e;
        flow += (f->tokens[k].kind == RT_FORMAT_OPEN) - (f->tokens[k].kind == RT_FORMAT_CLOSE);
        if (flow || f->tokens[k].kind != RT_FORMAT_KEY || !format_read_entry(f, k, &e)) continue;
        const format_entry *last = n ? &run[n - 1] : NULL;
        if (last && (last->key_column != e.key_column || last->value_column != e.value_column ||
                     last->last_line + 1 != e.line)) {
            align_values(f, run, n);
            n = 0;
        }
        run[n++] = e;
    }
    align_values(f, run, n);
    return ROUTH_OK;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void end_line(formatter *f)
{
    if (f->n_lines == f->room_lines) {
        const size_t room = f->room_lines ? 2 * f->room_lines : 256;
        format_line *more = realloc(f->lines, room * sizeof *more);
        if (!more) {
            f->failed = true;
            return;
        }
        f->lines = more, f->room_lines = room;
    }
    f->now.end = f->code.length;
    f->lines[f->n_lines++] = f->now;
    f->now = (format_line){.begin = f->code.length};
    f->open = false;
}

static void begin_line(formatter *f, int indent)
{
    for (int k = 0; k < indent; k++) rt_text_bytes(&f->code, " ", 1);
    f->now.width = f->indent = indent;
    f->open = true;
}

static void format_put(formatter *f, const char *text, size_t length)
{
    rt_text_bytes(&f->code, text, length);
    f->now.width += count_width(text, length);
}

static void put_blanks(formatter *f, int n)
{
    for (int k = 0; k < n; k++) format_put(f, " ", 1);
}

/* ---- between two tokens ---------------------------------------------------------------------- */

typedef struct format_gap {
    size_t begin, end;
    bool fresh; /* it begins with a line */
} format_gap;

static int column_at(const formatter *f, size_t at)
{
    size_t from = at;
    while (from > 0 && f->source[from - 1] != '\n') from--;
    return count_width(f->source + from, at - from);
}

/* Where a comment on a line of its own goes: as what follows, or as what it is further in with. */
static int comment_indent(const formatter *f, const format_level *before, int n_before, int column,
                          int next_column, int next_indent)
{
    if (f->n_flow || column <= next_column) return next_indent;
    for (int k = n_before - 1; k >= 0; k--)
        if (before[k].column <= column && before[k].indent > next_indent) return before[k].indent;
    return next_indent;
}

static void set_comment(format_line *line, const char *text, size_t length, int column)
{
    while (length && (text[length - 1] == ' ' || text[length - 1] == '\t')) length--;
    line->comment = text, line->comment_length = length, line->comment_column = column;
}

/* Blank lines and comments, and whether what follows stands on another line. */
static bool put_gap(formatter *f, format_gap gap, const format_level *before, int n_before,
                    int next_column, int next_indent)
{
    bool fresh = gap.fresh, broken = gap.fresh;
    for (size_t at = gap.begin; at < gap.end || (at == gap.begin && at == gap.end);) {
        const char *newline = memchr(f->source + at, '\n', gap.end - at);
        const size_t stop = newline ? (size_t)(newline - f->source) : gap.end;
        size_t hash = at;
        while (hash < stop && f->source[hash] != '#') hash++;
        if (hash < stop) {
            const int column = column_at(f, hash);
            const int leader = f->n_lines ? f->lines[f->n_lines - 1].comment_column : -1;
            const bool beside = fresh && f->n_lines && f->lines[f->n_lines - 1].comment &&
                                !f->lines[f->n_lines - 1].whole && leader == column;
            if (fresh && !beside)
                begin_line(f,
                           comment_indent(f, before, n_before, column, next_column, next_indent));
            f->now.whole = fresh && !beside;
            set_comment(&f->now, f->source + hash, stop - hash, column);
        }
        if (newline && (fresh || f->open || f->now.comment)) end_line(f);
        if (newline) fresh = broken = true;
        if (!newline) break;
        at = stop + 1;
    }
    if (f->now.comment) end_line(f); /* at the end of a file without a last line break */
    return broken;
}

/* ---- scalars of several lines ---------------------------------------------------------------- */

static size_t skip_blanks(const char *text, size_t at, size_t end)
{
    while (at < end && (text[at] == ' ' || text[at] == '\t')) at++;
    return at;
}

/* Plain or in quotes: what a line begins with does not count. */
static void put_folded(formatter *f, const rt_format_token *t)
{
    const int indent = f->n_flow    ? f->flow[f->n_flow - 1].indent
                       : f->n_block ? f->block[f->n_block - 1].indent + STEP
                                    : STEP;
    for (size_t at = 0; at <= t->length;) {
        const char *newline = memchr(t->text + at, '\n', t->length - at);
        const size_t stop = newline ? (size_t)(newline - t->text) : t->length;
        size_t from = at ? skip_blanks(t->text, at, stop) : 0, to = stop;
        while (to > from && (t->text[to - 1] == ' ' || t->text[to - 1] == '\t')) to--;
        if (to < stop && to > from && t->text[to - 1] == '\\') to = stop; /* a blank that counts */
        if (at && to > from) begin_line(f, indent);
        format_put(f, t->text + from, to - from);
        if (!newline) return;
        end_line(f);
        at = stop + 1;
    }
}

/* By how much the lines below a bar move. */
static int block_shift(const formatter *f, const char *text, size_t length, int *own)
{
    const format_level *top = f->n_block ? &f->block[f->n_block - 1] : NULL;
    const char *first = memchr(text, '\n', length);
    *own = 0;
    for (const char *c = text; c < first; c++)
        if (*c >= '1' && *c <= '9') return top ? top->indent - top->column : 0;
    for (size_t at = (size_t)(first - text) + 1; at < length;) {
        const char *newline = memchr(text + at, '\n', length - at);
        const size_t stop = newline ? (size_t)(newline - text) : length;
        size_t from = at;
        while (from < stop && text[from] == ' ') from++;
        if (from < stop) {
            *own = (int)(from - at);
            return (top ? top->indent + STEP : STEP) - *own;
        }
        at = stop + 1;
    }
    return 0;
}

static void format_put_block(formatter *f, const rt_format_token *t)
{
    const char *newline = memchr(t->text, '\n', t->length);
    if (!newline) { /* a bar at the end of the file */
        format_put(f, t->text, t->length);
        return;
    }
    int own;
    const int shift = block_shift(f, t->text, t->length, &own);
    size_t head = (size_t)(newline - t->text), hash = 0;
    while (hash < head && t->text[hash] != '#') hash++;
    if (hash < head)
        set_comment(&f->now, t->text + hash, head - hash, column_at(f, t->begin + hash));
    while (hash > 0 && (t->text[hash - 1] == ' ' || t->text[hash - 1] == '\t')) hash--;
    format_put(f, t->text, hash);
    end_line(f);
    for (size_t at = head + 1; at < t->length;) {
        newline = memchr(t->text + at, '\n', t->length - at);
        const size_t stop = newline ? (size_t)(newline - t->text) : t->length;
        size_t from = at;
        while (from < stop && t->text[from] == ' ') from++;
        const int had = (int)(from - at);
        if (from < stop || had > own) {
            begin_line(f, had + shift > 0 ? had + shift : 0);
            format_put(f, t->text + from, stop - from);
        }
        f->now.kept = true;
        end_line(f);
        at = stop + 1;
    }
}

/* ---- where a line is broken ------------------------------------------------------------------ */

/* Blanks between two tokens on one line. */
static int blanks_between(const rt_format_token *a, const rt_format_token *b)
{
    if (b->kind == RT_FORMAT_COMMA || b->kind == RT_FORMAT_CLOSE || b->kind == RT_FORMAT_COLON ||
        a->kind == RT_FORMAT_OPEN)
        return a->kind == RT_FORMAT_COLON; /* {a: } has a value, nothing; {a:} has none */
    return 1 + a->pad;
}

/* How wide the entry is that begins at token k, with the brackets and the comma behind it. */
static int entry_width(const formatter *f, int k)
{
    int depth = 0, width = 0;
    for (int next; width < f->most; k = next) {
        const rt_format_token *t = &f->tokens[k];
        width += t->width;
        depth += (t->kind == RT_FORMAT_OPEN) - (t->kind == RT_FORMAT_CLOSE);
        next = next_standing(f, k);
        const rt_format_token *follows = &f->tokens[next];
        if ((t->kind == RT_FORMAT_COMMA && depth <= 0) || t->several ||
            follows->line > t->end_line || follows->kind == RT_FORMAT_FILE_END)
            break;
        if (depth < 0 && follows->kind != RT_FORMAT_CLOSE && follows->kind != RT_FORMAT_COMMA)
            break;
        width += blanks_between(t, follows);
    }
    return width;
}

/* Behind a comma, before token k: does the entry go to the next line? */
static bool breaks_before(const formatter *f, const rt_format_token *a, int k)
{
    return a->kind == RT_FORMAT_COMMA && f->tokens[k].kind != RT_FORMAT_CLOSE && f->n_flow &&
           f->now.width + 1 + entry_width(f, k) > f->most;
}

/* ---- token by token -------------------------------------------------------------------------- */

static format_level *top_level(formatter *f)
{
    return f->n_block ? &f->block[f->n_block - 1] : NULL;
}

static void push_level(formatter *f, bool list, bool own_dashes, int column)
{
    const format_level *top = top_level(f);
    if (f->n_block == DEEPEST_BLOCK) {
        f->failed = true;
        return;
    }
    f->block[f->n_block++] = (format_level){list, own_dashes, column, top ? top->indent + STEP : 0};
}

static void leave_own_dashes(formatter *f)
{
    if (f->n_block && top_level(f)->own_dashes) f->n_block--;
}

/* Levels that begin and end before token k, which stands. *entry: it begins an entry. */
static void settle_levels(formatter *f, int from, int k, bool *entry)
{
    *entry = false;
    for (int v = from; v < k; v++) {
        const rt_format_token *t = &f->tokens[v];
        if (t->kind == RT_FORMAT_MAPPING || t->kind == RT_FORMAT_LIST)
            push_level(f, t->kind == RT_FORMAT_LIST, false, t->column);
        if (t->kind == RT_FORMAT_LEAVE) {
            leave_own_dashes(f);
            if (f->n_block) f->n_block--;
        }
        if (t->kind == RT_FORMAT_KEY && !f->n_flow) {
            leave_own_dashes(f);
            *entry = true;
        }
    }
    const rt_format_token *t = &f->tokens[k];
    if (t->kind == RT_FORMAT_DASH) {
        if (f->n_block && !top_level(f)->list) push_level(f, true, true, t->column);
        *entry = true;
    }
}

static int next_indent(const formatter *f, const rt_format_token *t, bool entry)
{
    if (f->n_flow)
        return t->kind == RT_FORMAT_CLOSE ? f->flow[f->n_flow - 1].close
                                          : f->flow[f->n_flow - 1].indent;
    if (!f->n_block || t->kind == RT_FORMAT_LINE || t->kind == RT_FORMAT_FILE_END) return 0;
    return f->block[f->n_block - 1].indent + (entry ? 0 : STEP);
}

static void put_open(formatter *f, int k)
{
    const rt_format_token *t = &f->tokens[k], *next = &f->tokens[next_standing(f, k)];
    const bool hangs = next->line > t->line;
    format_put(f, t->text, t->length);
    if (f->n_flow == DEEPEST_BLOCK) {
        f->failed = true;
        return;
    }
    f->flow[f->n_flow++] = hangs ? (format_flow){f->indent + STEP, f->indent}
                                 : (format_flow){f->now.width, f->now.width - 1};
}

static void put_token(formatter *f, int k)
{
    const rt_format_token *t = &f->tokens[k];
    if (t->kind == RT_FORMAT_OPEN)
        put_open(f, k);
    else if (t->kind == RT_FORMAT_BLOCK)
        format_put_block(f, t);
    else if (t->several)
        put_folded(f, t);
    else
        format_put(f, t->text, t->length);
    if (t->kind == RT_FORMAT_CLOSE && f->n_flow) f->n_flow--;
}

/* A comma that nothing follows. */
static bool format_is_idle(const formatter *f, int k)
{
    return f->tokens[k].kind == RT_FORMAT_COMMA &&
           f->tokens[next_standing(f, k)].kind == RT_FORMAT_CLOSE;
}

static routh_status format_lay_out(formatter *f)
{
    format_level *before = RT_TAKE(&f->arena, format_level, DEEPEST_BLOCK);
    int last = -1; /* the token before that stands */
    if (!before) return rt_fail_memory(f->error);
    for (int k = 0; k < f->n_tokens && !f->failed; k++) {
        const rt_format_token *t = &f->tokens[k], *a = last >= 0 ? &f->tokens[last] : NULL;
        if (!stands(t)) continue;
        const int n_before = f->n_block;
        bool entry;
        memcpy(before, f->block, (size_t)n_before * sizeof *before);
        settle_levels(f, last + 1, k, &entry);
        const format_gap gap = {a ? a->end : 0, t->begin, !a || a->kind == RT_FORMAT_BLOCK};
        const int indent = next_indent(f, t, entry);
        const bool broken = put_gap(f, gap, before, n_before, t->column, indent);
        last = k;
        if (format_is_idle(f, k)) continue;
        if (t->kind == RT_FORMAT_FILE_END) break;
        if (!broken && a && breaks_before(f, a, k)) end_line(f);
        if (!f->open)
            begin_line(f, indent);
        else if (a)
            put_blanks(f, blanks_between(a, t));
        put_token(f, k);
    }
    if (f->open) end_line(f);
    return f->failed || f->code.failed ? rt_fail_memory(f->error) : ROUTH_OK;
}

/* ---- comments in a column -------------------------------------------------------------------- */

static bool parts_run(const format_line *line)
{
    return line->whole || (line->begin == line->end && !line->comment);
}

/* Lines from..to without a gap: where their comments begin; 0: each behind its line. */
static int comment_column(const formatter *f, size_t from, size_t to)
{
    int widest = 0, common = -1;
    for (size_t k = from; k < to; k++) {
        const format_line *line = &f->lines[k];
        if (!line->comment) continue;
        if (common < 0) common = line->comment_column;
        if (line->comment_column != common) return 0;
        if (line->width > widest) widest = line->width;
    }
    return widest + 2;
}

static void write_line(const formatter *f, const format_line *line, int column, rt_text *out)
{
    size_t end = line->end;
    const char *code = rt_text_string(&f->code);
    while (!line->kept && end > line->begin && code[end - 1] == ' ') end--;
    const int width =
        line->whole ? line->width : count_width(code + line->begin, end - line->begin);
    rt_text_bytes(out, code + line->begin,
                  line->whole ? line->end - line->begin : end - line->begin);
    if (line->comment && !line->whole)
        for (int k = width; k < column; k++) rt_text_bytes(out, " ", 1);
    if (line->comment) rt_text_bytes(out, line->comment, line->comment_length);
    rt_text_bytes(out, "\n", 1);
}

static void write_lines(const formatter *f, rt_text *out)
{
    size_t first = 0, n = f->n_lines;
    while (first < n && f->lines[first].begin == f->lines[first].end && !f->lines[first].comment)
        first++;
    while (n > first && f->lines[n - 1].begin == f->lines[n - 1].end && !f->lines[n - 1].comment &&
           !f->lines[n - 1].kept)
        n--;
    for (size_t k = first; k < n;) {
        size_t to = k;
        while (to < n && !parts_run(&f->lines[to])) to++;
        const int common = to > k ? comment_column(f, k, to) : 0;
        int beside = 0; /* the column of the comment before */
        for (; k < to; k++) {
            const format_line *line = &f->lines[k];
            const bool follows = line->begin == line->end; /* a comment below one at a side */
            if (line->comment && !follows) beside = common ? common : line->width + 2;
            write_line(f, line, beside, out);
        }
        if (k < n) write_line(f, &f->lines[k++], 0, out);
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Line breaks of other systems, and the mark that some begin a file with. */
static char *clean_source(const char *content, size_t *length)
{
    size_t from = *length >= 3 && memcmp(content, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0, to = 0;
    char *source = malloc(*length + 2);
    if (!source) return NULL;
    for (; from < *length; from++) {
        if (content[from] != '\r')
            source[to++] = content[from];
        else if (from + 1 == *length || content[from + 1] != '\n')
            source[to++] = '\n';
    }
    source[to] = '\0';
    *length = to;
    return source;
}

/* U+0085, U+2028 and U+2029 end lines too, where nobody sees it. */
static routh_status refuse_hidden_breaks(const formatter *f)
{
    int line = 1, column = 1;
    if (f->length >= 2 && (!memcmp(f->source, "\xFF\xFE", 2) || !memcmp(f->source, "\xFE\xFF", 2)))
        return rt_fail_at(f->error, ROUTH_SYNTAX_ERROR, f->file, rt_place_at(1, 1), NULL,
                          "the file is text in UTF-16; save it in UTF-8");
    for (size_t k = 0; k < f->length; k++) {
        const unsigned char *c = (const unsigned char *)f->source + k;
        const bool hidden = (c[0] == 0xC2 && c[1] == 0x85) ||
                            (c[0] == 0xE2 && c[1] == 0x80 && (c[2] == 0xA8 || c[2] == 0xA9));
        if (hidden)
            return rt_fail_at(f->error, ROUTH_SYNTAX_ERROR, f->file, rt_place_at(line, column),
                              NULL,
                              "a line ends here by a sign that is not to be seen (U+0085, "
                              "U+2028 or U+2029); put a plain line break in its place");
        column += (*c & 0xC0) != 0x80;
        if (*c == '\n') line++, column = 1;
    }
    return ROUTH_OK;
}

/* Behind a comma that YAML parted an expression at, in [max(a,b), 0], blanks do not count. */
static bool format_same_text(const rt_yaml *a, const rt_yaml *b)
{
    const char *x = a->text, *y = b->text;
    const bool expression = !a->quoted && !b->quoted && strchr(x, '(') && strchr(x, ',');
    while (*x && *x == *y) {
        const bool comma = *x == ',';
        x++, y++;
        while (expression && comma && *x == ' ') x++;
        while (expression && comma && *y == ' ') y++;
    }
    return !*x && !*y && rt_yaml_is_null(a) == rt_yaml_is_null(b);
}

static bool same_tree(const rt_yaml *a, const rt_yaml *b)
{
    if (a->kind != b->kind || a->count != b->count || !a->key != !b->key) return false;
    if (a->key && strcmp(a->key, b->key) != 0) return false;
    if (a->kind == RT_YAML_SCALAR) return format_same_text(a, b);
    const rt_yaml *y = b->first;
    for (const rt_yaml *x = a->first; x; x = x->next, y = y->next)
        if (!same_tree(x, y)) return false;
    return true;
}

static routh_status compare_after(formatter *f, const rt_yaml *before, const rt_text *out)
{
    const rt_yaml *after = NULL;
    routh_error unread = {0};
    const routh_status status =
        rt_yaml_parse(&after, rt_text_string(out), out->length, f->file, &f->arena, &unread);
    if (status == ROUTH_OUT_OF_MEMORY) return rt_fail_memory(f->error);
    if (!status && same_tree(before, after)) return ROUTH_OK;
    return rt_fail(f->error, ROUTH_NOT_SUPPORTED,
                   "%s: its layout has something that is not understood, and the file is left as "
                   "it is; a text of several lines is the likely place",
                   f->file);
}

static routh_status format_source(formatter *f, rt_text *out)
{
    const rt_yaml *before = NULL;
    routh_status status =
        rt_yaml_parse(&before, f->source, f->length, f->file, &f->arena, f->error);
    if (!status) status = refuse_hidden_breaks(f);
    if (!status) status = scan_tokens(f);
    if (!status) status = find_columns(f);
    if (!status) status = format_lay_out(f);
    if (status) return status;
    write_lines(f, out);
    return out->failed ? rt_fail_memory(f->error) : compare_after(f, before, out);
}

routh_status routh_model_format(const char *content, size_t length, const char *name, int width,
                                routh_text *text, routh_error *error)
{
    *text = (routh_text){0};
    rt_text out = {0};
    formatter *f = calloc(1, sizeof *f);
    char *source = clean_source(content, &length);
    if (!f || !source) {
        free(f);
        free(source);
        return rt_fail_memory(error);
    }
    f->source = source, f->length = length, f->error = error;
    f->file = name ? name : "model";
    f->most = width ? width : STANDARD_WIDTH;
    routh_status status = format_source(f, &out);
    if (!status) {
        text->length = out.length;
        text->bytes = rt_text_take(&out);
        if (!text->bytes) status = rt_fail_memory(error);
    }
    rt_text_free(&out);
    rt_text_free(&f->code);
    rt_arena_free(&f->arena);
    free(f->tokens);
    free(f->lines);
    free(f);
    free(source);
    return status;
}
