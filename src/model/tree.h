/* A tree of rt_yaml under construction, entry by entry: from the events of a text (yaml.c) or the
 * calls of a program (document.c). The limits and the check of names are here, for both. */
#ifndef RT_MODEL_TREE_H
#define RT_MODEL_TREE_H

#include "base/text.h"
#include "model/yaml.h"

/* A list or mapping that is open while entries arrive. */
typedef struct rt_tree_open {
    rt_yaml *node;
    rt_yaml *last;
    rt_yaml *pending; /* mapping: an entry whose key has come, waiting for its value */
} rt_tree_open;

typedef struct rt_tree {
    const char *file; /* for messages */
    rt_arena *arena;  /* where nodes and texts are */
    routh_error *error;
    int n_nodes;
    int depth;
    rt_tree_open open[RT_YAML_DEPTH_LIMIT];
    const rt_yaml *root; /* NULL until the first value */
} rt_tree;

/* True where the next thing must be a key: inside a mapping, between entries. */
bool rt_tree_waits_for_key(const rt_tree *tree);

/* Each copies its text. A key may come only where one is waited for, a value only elsewhere, and
 * one value only outside all lists and mappings. */
routh_status rt_tree_key(rt_tree *tree, rt_place place, const char *text, size_t length);
routh_status rt_tree_scalar(rt_tree *tree, rt_place place, const char *text, size_t length,
                            bool quoted);
routh_status rt_tree_begin(rt_tree *tree, rt_place place, rt_yaml_kind kind);
/* Ends the innermost list or mapping; names that were given twice are found here. */
routh_status rt_tree_end(rt_tree *tree);

/* Fails where there is no value or only nothing. */
routh_status rt_tree_check_not_empty(const rt_tree *tree);

/* The tree with its texts and files of places in another arena; NULL when out of memory. */
const rt_yaml *rt_tree_copy(const rt_yaml *root, rt_arena *arena);

/* The tree as YAML text, from which the same model is read. */
void rt_tree_write(const rt_yaml *root, rt_text *text);

#endif
