#include "model/names.h"

#include <stdint.h>
#include <string.h>

/* FNV-1a with a finishing mix, so that the low bits are good. */
size_t rt_hash_bytes(const void *bytes, size_t length)
{
    const unsigned char *p = bytes;
    uint64_t h = 14695981039346656037u;
    for (size_t k = 0; k < length; k++) h = (h ^ p[k]) * 1099511628211u;
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93u;
    return (size_t)(h ^ h >> 32);
}

bool rt_names_init(rt_names *names, int n, rt_arena *arena)
{
    size_t capacity = 8;
    while (capacity < 2 * (size_t)n) capacity *= 2;
    names->keys = RT_TAKE(arena, const char *, capacity);
    names->values = RT_TAKE(arena, int, capacity);
    names->mask = capacity - 1;
    return names->keys && names->values;
}

static size_t names_slot_of(const rt_names *names, const char *key)
{
    size_t k = rt_hash_bytes(key, strlen(key)) & names->mask;
    while (names->keys[k] && strcmp(names->keys[k], key) != 0) k = (k + 1) & names->mask;
    return k;
}

int rt_names_add(rt_names *names, const char *key, int value)
{
    const size_t k = names_slot_of(names, key);
    if (names->keys[k]) return names->values[k];
    names->keys[k] = key;
    names->values[k] = value;
    return -1;
}

int rt_names_find(const rt_names *names, const char *key)
{
    if (!names->keys) return -1;
    const size_t k = names_slot_of(names, key);
    return names->keys[k] ? names->values[k] : -1;
}
