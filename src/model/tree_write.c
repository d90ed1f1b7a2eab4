/* A tree as YAML text: block style, in flow style [a, b] and {c: d} what fits into a line. */
#include "model/tree.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

enum { WIDTH = 100, STEP = 2 };

typedef struct tree_write_writer {
    rt_text *text;
    size_t line; /* where the line began */
} tree_write_writer;

static void tree_write_put(tree_write_writer *w, const char *text)
{
    rt_text_bytes(w->text, text, strlen(text));
}

static void tree_write_new_line(tree_write_writer *w, int indent)
{
    rt_text_bytes(w->text, "\n", 1);
    w->line = w->text->length;
    for (int k = 0; k < indent; k++) rt_text_bytes(w->text, " ", 1);
}

static size_t tree_write_column(const tree_write_writer *w) { return w->text->length - w->line; }

/* ---- scalars --------------------------------------------------------------------------------- */

/* What YAML lets stand between quotes as it is: no control characters, none of its line breaks. */
static bool is_printable(uint32_t c)
{
    return (c >= 0x20 && c < 0x7F) ||
           (c >= 0xA0 && c <= 0xFFFD && c != 0x2028 && c != 0x2029 && c != 0xFEFF) ||
           (c >= 0x10000 && c <= 0x10FFFF);
}

static bool all_printable(const char *text, bool with_lines)
{
    uint32_t c;
    while (*text)
        if (!rt_utf8_next(&text, &c) || !(is_printable(c) || (with_lines && c == '\n')))
            return false;
    return true;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static bool tree_write_is_digit(char c) { return c >= '0' && c <= '9'; }

/* True for text that means itself without quotes, wherever it stands; a line "..." would end the
 * document. */
static bool tree_write_is_plain(const char *text)
{
    static const char inner[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_.+-*/^()=<> ";
    const size_t n = strlen(text);
    if (!n || text[n - 1] == ' ' || text[strspn(text, inner)]) return false;
    if (text[0] == '.') return is_letter(text[1]) || tree_write_is_digit(text[1]);
    if (text[0] == '-')
        return is_letter(text[1]) || tree_write_is_digit(text[1]) || text[1] == '(' ||
               text[1] == '.';
    return is_letter(text[0]) || tree_write_is_digit(text[0]) || strchr("_(+", text[0]);
}

/* Text in quotes that would be read as a number, a truth or nothing without them. */
static bool has_meaning(const char *text)
{
    static const char *const words[] = {"null", "true", "false", "yes", "no", "on", "off"};
    char small[8];
    size_t n = 0;
    if (!is_letter(text[0]) && text[0] != '_') return true;
    while (n < 7 && text[n]) small[n] = (char)(is_letter(text[n]) ? text[n] | 32 : text[n]), n++;
    small[n] = '\0';
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (!strcmp(small, words[k])) return true;
    return false;
}

static void put_single_quoted(tree_write_writer *w, const char *text)
{
    tree_write_put(w, "'");
    for (const char *at = text; *at; at++)
        rt_text_bytes(w->text, *at == '\'' ? "''" : at, *at == '\'' ? 2 : 1);
    tree_write_put(w, "'");
}

static void put_double_quoted(tree_write_writer *w, const char *text)
{
    tree_write_put(w, "\"");
    for (const char *from = text; *from; from = text) {
        uint32_t c = 0;
        if (!rt_utf8_next(&text, &c)) text++; /* a document refuses it before */
        if (c == '"' || c == '\\')
            rt_text_append(w->text, "\\%c", (char)c);
        else if (c == '\n')
            tree_write_put(w, "\\n");
        else if (c == '\t')
            tree_write_put(w, "\\t");
        else if (is_printable(c))
            rt_text_bytes(w->text, from, (size_t)(text - from));
        else
            rt_text_append(w->text, "\\U%08X", (unsigned)c);
    }
    tree_write_put(w, "\"");
}

static void put_flow_text(tree_write_writer *w, const char *text, bool quoted)
{
    if (!quoted && !strcmp(text, "~"))
        tree_write_put(w, text);
    else if (!quoted && !text[0])
        tree_write_put(w, "null");
    else if (tree_write_is_plain(text) && !(quoted && has_meaning(text)))
        tree_write_put(w, text);
    else if (all_printable(text, false))
        put_single_quoted(w, text);
    else
        put_double_quoted(w, text);
}

/* Lines of text as they are, below a bar. */
static bool is_block(const char *text)
{
    const size_t n = strlen(text);
    return strchr(text, '\n') && all_printable(text, true) && text[0] != ' ' && text[0] != '\n' &&
           !(n > 1 && text[n - 1] == '\n' && (text[n - 2] == '\n' || text[n - 2] == ' '));
}

static void put_block_text(tree_write_writer *w, const char *text, int indent)
{
    const size_t n = strlen(text), end = text[n - 1] == '\n' ? n - 1 : n;
    tree_write_put(w, end < n ? "|" : "|-");
    for (size_t from = 0; from <= end;) {
        const char *stop = memchr(text + from, '\n', end - from);
        const size_t length = stop ? (size_t)(stop - text) - from : end - from;
        tree_write_new_line(w, length ? indent : 0);
        rt_text_bytes(w->text, text + from, length);
        from += length + 1;
    }
}

/* ---- lists and mappings ---------------------------------------------------------------------- */

/* About how wide the node is in flow style; more than limit where it is wider or has lines. */
static size_t flow_width(const rt_yaml *node, size_t limit)
{
    size_t width = 2;
    if (node->kind == RT_YAML_SCALAR)
        return is_block(node->text) && limit < SIZE_MAX ? limit + 1 : strlen(node->text) + 2;
    for (const rt_yaml *entry = node->first; entry && width <= limit; entry = entry->next)
        width += flow_width(entry, limit) + 2 + (entry->key ? strlen(entry->key) + 2 : 0);
    return width;
}

static bool holds_scalars(const rt_yaml *node)
{
    for (const rt_yaml *entry = node->first; entry; entry = entry->next)
        if (entry->kind != RT_YAML_SCALAR || is_block(entry->text)) return false;
    return true;
}

/* Lists go on in the next line where the line is full. */
static void put_flow(tree_write_writer *w, const rt_yaml *node, int indent)
{
    if (node->kind == RT_YAML_SCALAR) {
        put_flow_text(w, node->text, node->quoted);
        return;
    }
    tree_write_put(w, node->kind == RT_YAML_LIST ? "[" : "{");
    for (const rt_yaml *entry = node->first; entry; entry = entry->next) {
        if (entry != node->first) {
            tree_write_put(w, ",");
            if (tree_write_column(w) + flow_width(entry, WIDTH) > WIDTH)
                tree_write_new_line(w, indent);
            else
                tree_write_put(w, " ");
        }
        if (entry->key) {
            put_flow_text(w, entry->key, true);
            tree_write_put(w, ": ");
        }
        put_flow(w, entry, indent);
    }
    tree_write_put(w, node->kind == RT_YAML_LIST ? "]" : "}");
}

static void put_entries(tree_write_writer *w, const rt_yaml *node, int indent);

/* In flow style what is short; the sections and the things in them (floor 0 and 1) have lines. */
static bool is_flow(const tree_write_writer *w, const rt_yaml *node, int floor)
{
    if (!node->first) return true;
    if (node->kind == RT_YAML_LIST && holds_scalars(node)) return true;
    const size_t room = tree_write_column(w) < WIDTH ? WIDTH - tree_write_column(w) : 0;
    return floor >= 2 && flow_width(node, room) <= room;
}

/* The value behind "key:" or "-". */
static void tree_write_put_value(tree_write_writer *w, const rt_yaml *node, int indent)
{
    const int floor = indent / STEP;
    if (node->kind == RT_YAML_SCALAR && is_block(node->text)) {
        tree_write_put(w, " ");
        put_block_text(w, node->text, indent);
    } else if (node->kind == RT_YAML_SCALAR || is_flow(w, node, floor)) {
        tree_write_put(w, " ");
        put_flow(w, node, indent);
    } else {
        tree_write_new_line(w, indent);
        put_entries(w, node, indent);
    }
}

static void put_entries(tree_write_writer *w, const rt_yaml *node, int indent)
{
    for (const rt_yaml *entry = node->first; entry; entry = entry->next) {
        if (entry != node->first) tree_write_new_line(w, indent);
        if (entry->key) put_flow_text(w, entry->key, true);
        tree_write_put(w, entry->key ? ":" : "-");
        tree_write_put_value(w, entry, indent + STEP);
    }
}

void rt_tree_write(const rt_yaml *root, rt_text *text)
{
    tree_write_writer w = {.text = text};
    if (root->kind == RT_YAML_SCALAR || !root->first)
        put_flow(&w, root, STEP);
    else
        put_entries(&w, root, 0);
    tree_write_put(&w, "\n");
}
