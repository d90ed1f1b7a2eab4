/* A table from names to indices, of a size fixed when it is made. */
#ifndef RT_MODEL_NAMES_H
#define RT_MODEL_NAMES_H

#include <stdbool.h>

#include "base/arena.h"

typedef struct rt_names {
    const char **keys; /* not copied */
    int *values;
    size_t mask; /* capacity - 1, a power of two at least twice the number of names */
} rt_names;

/* Room for n names; false when out of memory. */
bool rt_names_init(rt_names *names, int n, rt_arena *arena);

/* Adds key with value >= 0; returns -1, or the value the key already has (which then stays). */
int rt_names_add(rt_names *names, const char *key, int value);

/* The value of key, -1 when it is not there. */
int rt_names_find(const rt_names *names, const char *key);

/* A well-mixed hash of bytes, for tables of other things. */
size_t rt_hash_bytes(const void *bytes, size_t length);

#endif
