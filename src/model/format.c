/* A model file laid out anew, with its comments, its blank lines, its order and its line breaks:
 * indentation, spaces, quotes that are not needed, lines that are too long.
 *
 * libyaml's scanner gives the tokens with their places; between two of them stand blanks, line
 * breaks and comments alone. Block style is indented by two columns a level. In flow style a line
 * that follows stands below the first entry, or, where the bracket ends its line, two columns
 * further in than that line. What was read before and after is compared in the end, so that the
 * layout cannot change what the file says. */
#include <stdlib.h>
#include <string.h>

#include "model/format_parts.h"
#include "model/model.h"

enum { STANDARD_WIDTH = 100 };

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
static routh_status refuse_hidden_breaks(const rt_formatter *f)
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

static routh_status compare_after(rt_formatter *f, const rt_yaml *before, const rt_text *out)
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

static routh_status format_source(rt_formatter *f, rt_text *out)
{
    const rt_yaml *before = NULL;
    routh_status status =
        rt_yaml_parse(&before, f->source, f->length, f->file, &f->arena, f->error);
    if (!status) status = refuse_hidden_breaks(f);
    if (!status) status = rt_format_scan(f);
    if (!status) status = rt_format_find_columns(f);
    if (!status) status = rt_format_lay_out(f);
    if (status) return status;
    rt_format_write_lines(f, out);
    return out->failed ? rt_fail_memory(f->error) : compare_after(f, before, out);
}

routh_status routh_model_format(const char *content, size_t length, const char *name, int width,
                                routh_text *text, routh_error *error)
{
    *text = (routh_text){0};
    rt_text out = {0};
    rt_formatter *f = calloc(1, sizeof *f);
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
