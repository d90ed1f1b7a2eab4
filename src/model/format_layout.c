/* Tokens in lines: indentation, blanks, breaks, and what stands between two tokens. */
#include <stdlib.h>
#include <string.h>

#include "model/format_parts.h"

enum { STEP = 2 };

/* ---- lines ----------------------------------------------------------------------------------- */

static void end_line(rt_formatter *f)
{
    if (f->n_lines == f->room_lines) {
        const size_t room = f->room_lines ? 2 * f->room_lines : 256;
        rt_format_line *more = realloc(f->lines, room * sizeof *more);
        if (!more) {
            f->failed = true;
            return;
        }
        f->lines = more, f->room_lines = room;
    }
    f->now.end = f->code.length;
    f->lines[f->n_lines++] = f->now;
    f->now = (rt_format_line){.begin = f->code.length};
    f->open = false;
}

static void begin_line(rt_formatter *f, int indent)
{
    for (int k = 0; k < indent; k++) rt_text_bytes(&f->code, " ", 1);
    f->now.width = f->indent = indent;
    f->open = true;
}

static void format_put(rt_formatter *f, const char *text, size_t length)
{
    rt_text_bytes(&f->code, text, length);
    f->now.width += rt_format_width(text, length);
}

static void put_blanks(rt_formatter *f, int n)
{
    for (int k = 0; k < n; k++) format_put(f, " ", 1);
}

/* ---- between two tokens ---------------------------------------------------------------------- */

typedef struct format_gap {
    size_t begin, end;
    bool fresh; /* it begins with a line */
} format_gap;

static int column_at(const rt_formatter *f, size_t at)
{
    size_t from = at;
    while (from > 0 && f->source[from - 1] != '\n') from--;
    return rt_format_width(f->source + from, at - from);
}

/* Where a comment on a line of its own goes: as what follows, or as what it is further in with. */
static int comment_indent(const rt_formatter *f, const rt_format_level *before, int n_before,
                          int column, int next_column, int next_indent)
{
    if (f->n_flow || column <= next_column) return next_indent;
    for (int k = n_before - 1; k >= 0; k--)
        if (before[k].column <= column && before[k].indent > next_indent) return before[k].indent;
    return next_indent;
}

static void set_comment(rt_format_line *line, const char *text, size_t length, int column)
{
    while (length && (text[length - 1] == ' ' || text[length - 1] == '\t')) length--;
    line->comment = text, line->comment_length = length, line->comment_column = column;
}

/* Blank lines and comments, and whether what follows stands on another line. */
static bool put_gap(rt_formatter *f, format_gap gap, const rt_format_level *before, int n_before,
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
            const bool alone = fresh || !f->open; /* a comma that was in front is left out */
            const bool beside = alone && f->n_lines && f->lines[f->n_lines - 1].comment &&
                                !f->lines[f->n_lines - 1].whole && leader == column;
            if (alone && !beside)
                begin_line(f,
                           comment_indent(f, before, n_before, column, next_column, next_indent));
            f->now.whole = alone && !beside;
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
static void put_folded(rt_formatter *f, const rt_format_token *t)
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
static int block_shift(const rt_formatter *f, const char *text, size_t length, int *own)
{
    const rt_format_level *top = f->n_block ? &f->block[f->n_block - 1] : NULL;
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

static void format_put_block(rt_formatter *f, const rt_format_token *t)
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
static int entry_width(const rt_formatter *f, int k)
{
    int depth = 0, width = 0;
    for (int next; width < f->most; k = next) {
        const rt_format_token *t = &f->tokens[k];
        width += t->width;
        depth += (t->kind == RT_FORMAT_OPEN) - (t->kind == RT_FORMAT_CLOSE);
        next = rt_format_next(f, k);
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
static bool breaks_before(const rt_formatter *f, const rt_format_token *a, int k)
{
    return a->kind == RT_FORMAT_COMMA && f->tokens[k].kind != RT_FORMAT_CLOSE && f->n_flow &&
           f->now.width + 1 + entry_width(f, k) > f->most;
}

/* ---- token by token -------------------------------------------------------------------------- */

static rt_format_level *top_level(rt_formatter *f)
{
    return f->n_block ? &f->block[f->n_block - 1] : NULL;
}

static void push_level(rt_formatter *f, bool list, bool own_dashes, int column)
{
    const rt_format_level *top = top_level(f);
    if (f->n_block == RT_FORMAT_DEEPEST) {
        f->failed = true;
        return;
    }
    f->block[f->n_block++] =
        (rt_format_level){list, own_dashes, column, top ? top->indent + STEP : 0};
}

static void leave_own_dashes(rt_formatter *f)
{
    if (f->n_block && top_level(f)->own_dashes) f->n_block--;
}

/* Levels that begin and end before token k, which stands. *entry: it begins an entry. */
static void settle_levels(rt_formatter *f, int from, int k, bool *entry)
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

static int next_indent(const rt_formatter *f, const rt_format_token *t, bool entry)
{
    if (f->n_flow)
        return t->kind == RT_FORMAT_CLOSE ? f->flow[f->n_flow - 1].close
                                          : f->flow[f->n_flow - 1].indent;
    if (!f->n_block || t->kind == RT_FORMAT_LINE || t->kind == RT_FORMAT_FILE_END) return 0;
    return f->block[f->n_block - 1].indent + (entry ? 0 : STEP);
}

static void put_open(rt_formatter *f, int k)
{
    const rt_format_token *t = &f->tokens[k], *next = &f->tokens[rt_format_next(f, k)];
    const bool hangs = next->line > t->line;
    format_put(f, t->text, t->length);
    if (f->n_flow == RT_FORMAT_DEEPEST) {
        f->failed = true;
        return;
    }
    f->flow[f->n_flow++] = hangs ? (rt_format_flow){f->indent + STEP, f->indent}
                                 : (rt_format_flow){f->now.width, f->now.width - 1};
}

static void put_token(rt_formatter *f, int k)
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
static bool format_is_idle(const rt_formatter *f, int k)
{
    return f->tokens[k].kind == RT_FORMAT_COMMA &&
           f->tokens[rt_format_next(f, k)].kind == RT_FORMAT_CLOSE;
}

routh_status rt_format_lay_out(rt_formatter *f)
{
    rt_format_level *before = RT_TAKE(&f->arena, rt_format_level, RT_FORMAT_DEEPEST);
    int last = -1; /* the token before that stands */
    if (!before) return rt_fail_memory(f->error);
    for (int k = 0; k < f->n_tokens && !f->failed; k++) {
        const rt_format_token *t = &f->tokens[k], *a = last >= 0 ? &f->tokens[last] : NULL;
        if (!rt_format_stands(t)) continue;
        const int n_before = f->n_block;
        bool entry;
        memcpy(before, f->block, (size_t)n_before * sizeof *before);
        settle_levels(f, last + 1, k, &entry);
        const format_gap gap = {a ? a->end : 0, t->begin, !a || a->kind == RT_FORMAT_BLOCK};
        const int indent = next_indent(f, t, entry);
        const bool closes = f->n_flow && t->kind == RT_FORMAT_CLOSE;
        const int inner = closes ? f->flow[f->n_flow - 1].indent : indent; /* of comments */
        const bool broken = put_gap(f, gap, before, n_before, t->column, inner);
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
