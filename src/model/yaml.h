/* A YAML text as a small tree: scalars, lists and mappings, each with its place in the file.
 *
 * Limits of our own, since libyaml has none: nesting, number of nodes, duplicate keys. Aliases and
 * tags are refused: a model names its values under `parameters`. */
#ifndef RT_MODEL_YAML_H
#define RT_MODEL_YAML_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

enum { RT_YAML_DEPTH_LIMIT = 64, RT_YAML_COUNT_LIMIT = 10 * 1000 * 1000 };

typedef enum rt_yaml_kind { RT_YAML_SCALAR, RT_YAML_LIST, RT_YAML_MAPPING } rt_yaml_kind;

struct rt_scope; /* of a part (scope.h) */
struct rt_replaced;

typedef struct rt_yaml rt_yaml;
struct rt_yaml {
    rt_yaml_kind kind;
    bool of_input; /* of an entry that a part brings: what one of its inputs is given */
    bool quoted;   /* scalar: written in quotes or as a block, so it is text even when empty */
    int count;     /* entries of a list or mapping */
    rt_place place;
    rt_place key_place;
    const char *key;  /* where the node is a mapping's value: its key */
    const char *text; /* scalar: terminated */
    rt_yaml *first;   /* list, mapping: the first entry */
    const struct rt_scope
        *scope;    /* of an entry that a part brings: what its names mean; else NULL */
    const struct rt_replaced *replaces; /* of an entry that a part is given (scope.h); else NULL */
    rt_yaml *next; /* the next entry of the list or mapping this one is in */
};

/* Parses one document. The nodes live in the arena. file stands in messages. An empty text is an
 * error. */
routh_status rt_yaml_parse(const rt_yaml **root, const char *text, size_t length, const char *file,
                           rt_arena *arena, routh_error *error);

/* The value of a key of a mapping, NULL when there is none. */
const rt_yaml *rt_yaml_find(const rt_yaml *mapping, const char *key);

/* True for a plain scalar that YAML reads as no value: nothing at all, ~ or null. */
bool rt_yaml_is_null(const rt_yaml *node);

/* "a list", "a mapping", "the text 'abc'", for messages; writes into text and returns it. */
const char *rt_yaml_describe(const rt_yaml *node, char *text, size_t size);

#endif
