/* One arena: many small allocations, freed together. A compiled object lives in one. */
#ifndef RT_BASE_ARENA_H
#define RT_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

#include "base/kept_memory.h"

typedef struct rt_arena_block rt_arena_block;

/* Set by whoever makes the arena; blocks come from there and go back to it (base/kept_memory.h), so
 * that it must outlive the last block that is taken. */
typedef struct rt_arena {
    rt_arena_block *blocks;
    size_t used;              /* bytes handed out */
    size_t taken;             /* bytes taken from the system */
    rt_analyses *kept;        /* NULL: all blocks are the system's */
} rt_arena;

/* Zeroed memory, aligned to 64 bytes when size >= 64 and to 16 else; NULL when the system refuses.
 * count * size is checked for overflow. A zero-sized request gives a valid pointer. */
void *rt_arena_take(rt_arena *arena, size_t count, size_t size);

/* A copy of length bytes of text, terminated; NULL when the system refuses. */
char *rt_arena_text(rt_arena *arena, const char *text, size_t length);

/* What vsprintf makes of format and arguments, of any length; NULL when the system refuses. */
char *rt_arena_print(rt_arena *arena, const char *format, va_list arguments);

/* Gives everything back; the arena is then empty and may be used again. */
void rt_arena_free(rt_arena *arena);

#define RT_TAKE(arena, type, count) ((type *)rt_arena_take((arena), (size_t)(count), sizeof(type)))

#endif
