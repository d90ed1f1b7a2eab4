#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/kept_memory.h"

struct rt_arena_block {
    rt_arena_block *next;
    size_t size; /* usable bytes */
    size_t used;
    unsigned char *bytes; /* aligned to 64 */
    void *memory;         /* the block is in it; NULL: the system gave it */
};

/* Blocks grow with the arena, between these sizes. */
enum { BLOCK_SIZE = 64 * 1024, LARGEST_BLOCK = 64 * BLOCK_SIZE, HEADER = 64 };

static size_t next_size(const rt_arena *arena)
{
    const size_t size = arena->taken / 4;
    return size < BLOCK_SIZE ? BLOCK_SIZE : size > LARGEST_BLOCK ? LARGEST_BLOCK : size;
}

/* From who keeps them, who aligns to less. */
static rt_arena_block *kept_arena_block(const rt_arena *arena, size_t size)
{
    unsigned char *memory = rt_kept_malloc(arena->kept, size + 2 * HEADER);
    if (!memory) return NULL;
    const size_t over = (uintptr_t)memory % HEADER;
    rt_arena_block *block = (void *)(memory + (over ? HEADER - over : 0));
    block->memory = memory;
    return block;
}

/* A block with room for need bytes. What is large gets a block of its own, behind the one that is
 * being filled. */
static rt_arena_block *new_block(rt_arena *arena, size_t need)
{
    const bool own = need > next_size(arena) / 2;
    size_t size = own ? need : next_size(arena);
    if (size > SIZE_MAX - 2 * HEADER) return NULL;
    size = (size + HEADER - 1) / HEADER * HEADER;
    rt_arena_block *block =
        arena->kept ? kept_arena_block(arena, size) : aligned_alloc(HEADER, size + HEADER);
    if (!block) return NULL;
    if (!arena->kept) block->memory = NULL;
    block->next = NULL;
    block->used = 0;
    block->size = size;
    block->bytes = (unsigned char *)block + HEADER;
    rt_arena_block **place = own && arena->blocks ? &arena->blocks->next : &arena->blocks;
    block->next = *place;
    *place = block;
    arena->taken += size + HEADER;
    return block;
}

void *rt_arena_take(rt_arena *arena, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / 2 / size) return NULL;
    const size_t need = count > 0 && size > 0 ? count * size : 1;
    const size_t align = need >= 64 ? 64 : 16;
    rt_arena_block *block = arena->blocks;
    size_t start = block ? (block->used + align - 1) / align * align : 0;
    if (!block || start > block->size || need > block->size - start) {
        block = new_block(arena, need);
        if (!block) return NULL;
        start = 0;
    }
    block->used = start + need;
    arena->used += need;
    return memset(block->bytes + start, 0, need);
}

char *rt_arena_text(rt_arena *arena, const char *text, size_t length)
{
    char *copy = rt_arena_take(arena, length + 1, 1);
    if (copy) memcpy(copy, text, length);
    return copy;
}

char *rt_arena_print(rt_arena *arena, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    char *text = length < 0 ? NULL : rt_arena_take(arena, (size_t)length + 1, 1);
    if (text) vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

void rt_arena_free(rt_arena *arena)
{
    rt_arena_block *block = arena->blocks;
    while (block) {
        rt_arena_block *next = block->next;
        if (block->memory)
            rt_kept_free(block->memory);
        else
            free(block);
        block = next;
    }
    *arena = (rt_arena){.kept = arena->kept};
}
