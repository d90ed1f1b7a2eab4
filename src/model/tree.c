#include "model/tree.h"

#include <string.h>

#include "model/names.h"

static routh_status tree_fail_here(const rt_tree *t, rt_place place, routh_status status,
                                   const char *message)
{
    return rt_fail_at(t->error, status, t->file, place, NULL, "%s", message);
}

static routh_status new_node(rt_tree *t, rt_place place, rt_yaml **out)
{
    if (t->n_nodes >= RT_YAML_COUNT_LIMIT)
        return tree_fail_here(t, place, ROUTH_LIMIT_EXCEEDED,
                              "the file has more than 10 million values, the most that is read");
    rt_yaml *node = RT_TAKE(t->arena, rt_yaml, 1);
    if (!node) return rt_fail_memory(t->error);
    t->n_nodes++;
    node->place = place;
    *out = node;
    return ROUTH_OK;
}

static void tree_append(rt_tree_open *top, rt_yaml *entry)
{
    if (top->last)
        top->last->next = entry;
    else
        top->node->first = entry;
    top->last = entry;
    top->node->count++;
}

bool rt_tree_waits_for_key(const rt_tree *t)
{
    const rt_tree_open *top = t->depth ? &t->open[t->depth - 1] : NULL;
    return top && top->node->kind == RT_YAML_MAPPING && !top->pending;
}

/* The node that the next value fills: the pending entry of a mapping, or a new entry of a list. */
static routh_status place_value(rt_tree *t, rt_place place, rt_yaml **out)
{
    rt_tree_open *top = t->depth ? &t->open[t->depth - 1] : NULL;
    if (top && top->pending) {
        *out = top->pending;
        (*out)->place = place;
        top->pending = NULL;
        return ROUTH_OK;
    }
    const routh_status status = new_node(t, place, out);
    if (status) return status;
    if (top)
        tree_append(top, *out);
    else
        t->root = *out;
    return ROUTH_OK;
}

static routh_status copy_text(rt_tree *t, const char *text, size_t length, const char **out)
{
    *out = rt_arena_text(t->arena, text, length);
    return *out ? ROUTH_OK : rt_fail_memory(t->error);
}

routh_status rt_tree_key(rt_tree *t, rt_place place, const char *text, size_t length)
{
    rt_tree_open *top = &t->open[t->depth - 1];
    rt_yaml *entry = NULL;
    routh_status status = new_node(t, place, &entry);
    if (!status) status = copy_text(t, text, length, &entry->key);
    if (status) return status;
    entry->key_place = place;
    tree_append(top, entry);
    top->pending = entry;
    return ROUTH_OK;
}

routh_status rt_tree_scalar(rt_tree *t, rt_place place, const char *text, size_t length,
                            bool quoted)
{
    rt_yaml *node = NULL;
    const routh_status status = place_value(t, place, &node);
    if (status) return status;
    node->kind = RT_YAML_SCALAR;
    node->quoted = quoted;
    return copy_text(t, text, length, &node->text);
}

routh_status rt_tree_begin(rt_tree *t, rt_place place, rt_yaml_kind kind)
{
    if (t->depth >= RT_YAML_DEPTH_LIMIT)
        return tree_fail_here(
            t, place, ROUTH_LIMIT_EXCEEDED,
            "lists and mappings are nested more than 64 deep; a model needs fewer "
            "than 10");
    rt_yaml *node = NULL;
    const routh_status status = place_value(t, place, &node);
    if (status) return status;
    node->kind = kind;
    t->open[t->depth++] = (rt_tree_open){node, NULL, NULL};
    return ROUTH_OK;
}

/* ---- names that were given twice ------------------------------------------------------------- */

static bool same_file(const rt_yaml *a, const rt_yaml *b)
{
    const char *x = a->key_place.file, *y = b->key_place.file;
    return x == y || (x && y && !strcmp(x, y));
}

static routh_status fail_duplicate(const rt_tree *t, const rt_yaml *entry, const rt_yaml *before)
{
    const bool same = same_file(entry, before);
    const char *file = before->key_place.file ? before->key_place.file : t->file;
    return rt_fail_at(t->error, ROUTH_MODEL_ERROR, t->file, entry->key_place, NULL,
                      "the name '%.80s' is given twice, first in line %d%s%.200s; keep one of them",
                      entry->key, before->key_place.line, same ? "" : " of ", same ? "" : file);
}

static routh_status check_few_keys(const rt_tree *t, const rt_yaml *mapping)
{
    for (const rt_yaml *entry = mapping->first; entry; entry = entry->next)
        for (const rt_yaml *other = mapping->first; other != entry; other = other->next)
            if (!strcmp(entry->key, other->key)) return fail_duplicate(t, entry, other);
    return ROUTH_OK;
}

static routh_status check_many_keys(const rt_tree *t, const rt_yaml *mapping)
{
    rt_arena scratch = {0};
    rt_names names;
    routh_status status = ROUTH_OK;
    const rt_yaml **entries = RT_TAKE(&scratch, const rt_yaml *, mapping->count);
    int n = 0;
    if (!entries || !rt_names_init(&names, mapping->count, &scratch))
        status = rt_fail_memory(t->error);
    for (const rt_yaml *entry = mapping->first; entry && !status; entry = entry->next, n++) {
        const int before = rt_names_add(&names, entry->key, n);
        entries[n] = entry;
        if (before >= 0) status = fail_duplicate(t, entry, entries[before]);
    }
    rt_arena_free(&scratch);
    return status;
}

routh_status rt_tree_end(rt_tree *t)
{
    const rt_yaml *node = t->open[--t->depth].node;
    if (node->kind != RT_YAML_MAPPING) return ROUTH_OK;
    return node->count <= 12 ? check_few_keys(t, node) : check_many_keys(t, node);
}

routh_status rt_tree_check_not_empty(const rt_tree *t)
{
    if (t->root && !rt_yaml_is_null(t->root)) return ROUTH_OK;
    return tree_fail_here(t, rt_place_at(1, 1), ROUTH_MODEL_ERROR,
                          "the file is empty; a model has at least `bodies`");
}

/* ---- a copy ---------------------------------------------------------------------------------- */

/* Places of neighbours are mostly in one file: what was copied last is looked at first. */
typedef struct tree_copier {
    rt_arena *arena;
    const char *file, *copied;
    bool failed;
} tree_copier;

static const char *copy_string(tree_copier *c, const char *text)
{
    const char *copied = text ? rt_arena_text(c->arena, text, strlen(text)) : NULL;
    if (text && !copied) c->failed = true;
    return copied;
}

static void move_place(tree_copier *c, rt_place *place)
{
    if (place->file != c->file) {
        c->file = place->file;
        c->copied = copy_string(c, place->file);
    }
    place->file = c->copied;
}

static rt_yaml *tree_copy_node(tree_copier *c, const rt_yaml *from)
{
    rt_yaml *to = RT_TAKE(c->arena, rt_yaml, 1);
    if (!to) {
        c->failed = true;
        return NULL;
    }
    *to = *from;
    move_place(c, &to->place);
    move_place(c, &to->key_place);
    to->key = copy_string(c, from->key);
    to->text = copy_string(c, from->text);
    to->first = to->next = NULL;
    rt_yaml **end = &to->first;
    for (const rt_yaml *entry = from->first; entry && !c->failed; entry = entry->next) {
        *end = tree_copy_node(c, entry);
        if (*end) end = &(*end)->next;
    }
    return to;
}

const rt_yaml *rt_tree_copy(const rt_yaml *root, rt_arena *arena)
{
    tree_copier c = {.arena = arena};
    const rt_yaml *copy = tree_copy_node(&c, root);
    return c.failed ? NULL : copy;
}
