/* Values of block style that stand in one column go on doing so. */
#include "model/format_parts.h"

/* An entry of block style with its value behind it: where its colon and its value are. */
typedef struct format_entry {
    int colon, key_width, key_column, line, value_column, last_line;
} format_entry;

static int line_of_close(const rt_formatter *f, int k)
{
    int depth = 0;
    for (;; k++) {
        depth += (f->tokens[k].kind == RT_FORMAT_OPEN) - (f->tokens[k].kind == RT_FORMAT_CLOSE);
        if (depth == 0) return f->tokens[k].end_line;
    }
}

/* The entry whose name is token k + 1, if its value begins on the same line. */
static bool format_read_entry(const rt_formatter *f, int k, format_entry *e)
{
    const rt_format_token *key = &f->tokens[k + 1], *colon = &f->tokens[k + 2];
    if (!rt_format_is_scalar(key) || colon->kind != RT_FORMAT_COLON) return false;
    const rt_format_token *value = &f->tokens[rt_format_next(f, k + 2)];
    const bool open = value->kind == RT_FORMAT_OPEN;
    if (value->line != colon->line || !(open || rt_format_is_scalar(value))) return false;
    *e = (format_entry){k + 2,
                        key->width,
                        key->column,
                        key->line,
                        value->column,
                        value->kind == RT_FORMAT_BLOCK ? -1
                        : open                         ? line_of_close(f, rt_format_next(f, k + 2))
                                                       : value->end_line};
    return true;
}

/* Values that stand in one column, line by line, go on doing so. */
static void align_values(rt_formatter *f, const format_entry *entries, int n)
{
    int longest = 0;
    for (int k = 0; k < n; k++)
        if (entries[k].key_width > longest) longest = entries[k].key_width;
    for (int k = 0; k < n && n > 1; k++)
        f->tokens[entries[k].colon].pad = longest - entries[k].key_width;
}

routh_status rt_format_find_columns(rt_formatter *f)
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
