/* Blocks by size class: four classes for each power of two, so that at most a fifth of a block is
 * more than was asked for. Each block begins with where it came from. */
#include "base/kept_memory.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/analyses.h"

enum { SMALLEST = 64, STEPS = 4, N_CLASSES = 160 };

typedef struct kept_block {
    alignas(16) rt_kept_memory *of; /* NULL: the system's */
    size_t size;                    /* usable bytes */
    struct kept_block *next;        /* of those that are not in use */
    size_t size_class;
} kept_block;

struct rt_kept_memory {
    atomic_flag busy;
    bool closed;
    size_t n_used; /* blocks */
    kept_block *idle[N_CLASSES];
};

/* Nobody holds it for longer than a few lines. */
static void kept_memory_begin(rt_kept_memory *m)
{
    while (atomic_flag_test_and_set(&m->busy)) continue;
}

static void kept_memory_end(rt_kept_memory *m) { atomic_flag_clear(&m->busy); }

/* 64, 80, 96, 112, 128, 160, ...; N_CLASSES: there is none that large. */
static size_t class_of(size_t size, size_t *rounded)
{
    size_t power = SMALLEST, size_class = 0;
    while (2 * power <= size && size_class < N_CLASSES) power *= 2, size_class += STEPS;
    const size_t step = power / STEPS;
    const size_t steps = size <= power ? 0 : (size - power + step - 1) / step;
    *rounded = power + steps * step;
    return size_class + steps < N_CLASSES ? size_class + steps : N_CLASSES;
}

static kept_block *take_idle(rt_kept_memory *m, size_t size_class)
{
    kept_memory_begin(m);
    kept_block *b = m->idle[size_class];
    if (b) m->idle[size_class] = b->next;
    if (b) m->n_used++;
    kept_memory_end(m);
    return b;
}

static kept_block *new_kept_block(rt_kept_memory *m, size_t size_class, size_t rounded)
{
    kept_block *b = malloc(sizeof *b + rounded);
    if (!b) return NULL;
    *b = (kept_block){.of = m, .size = rounded, .size_class = size_class};
    if (!m) return b;
    kept_memory_begin(m);
    m->n_used++;
    kept_memory_end(m);
    return b;
}

/* m: NULL is allowed. */
static void *take_block(rt_kept_memory *m, size_t size)
{
    if (size > SIZE_MAX / 4) return NULL;
    size_t rounded = size;
    const size_t size_class = m ? class_of(size, &rounded) : N_CLASSES;
    if (size_class == N_CLASSES) m = NULL;
    kept_block *b = m ? take_idle(m, size_class) : NULL;
    if (!b) b = new_kept_block(m, size_class, rounded);
    return b ? b + 1 : NULL;
}

void *rt_kept_malloc(rt_analyses *analyses, size_t size)
{
    return take_block(analyses ? analyses->memory : NULL, size);
}

void *rt_kept_malloc_with(const void *block, size_t size)
{
    return take_block(((const kept_block *)block - 1)->of, size);
}

void *rt_kept_calloc(rt_analyses *analyses, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / 4 / size) return NULL;
    void *block = rt_kept_malloc(analyses, count * size);
    return block ? memset(block, 0, count * size) : NULL;
}

void *rt_kept_realloc(rt_analyses *analyses, void *block, size_t size)
{
    kept_block *b = block ? (kept_block *)block - 1 : NULL;
    if (b && size <= b->size) return block;
    void *to = rt_kept_malloc(analyses, size);
    if (b && to) {
        memcpy(to, block, b->size);
        rt_kept_free(block);
    }
    return to;
}

void rt_kept_free(void *block)
{
    if (!block) return;
    kept_block *b = (kept_block *)block - 1;
    rt_kept_memory *m = b->of;
    if (!m) {
        free(b);
        return;
    }
    kept_memory_begin(m);
    const bool closed = m->closed, last = --m->n_used == 0;
    if (!closed) b->next = m->idle[b->size_class], m->idle[b->size_class] = b;
    kept_memory_end(m);
    if (closed) free(b);
    if (closed && last) free(m);
}

rt_kept_memory *rt_kept_memory_create(void)
{
    rt_kept_memory *m = calloc(1, sizeof *m);
    if (m) atomic_flag_clear(&m->busy);
    return m;
}

/* What is not in use, after which it may be gone itself where it is closed. */
static void give_back(rt_kept_memory *m, bool close)
{
    kept_block *idle[N_CLASSES];
    kept_memory_begin(m);
    m->closed = close;
    memcpy(idle, m->idle, sizeof idle); /* the last block may take the lists with it */
    memset(m->idle, 0, sizeof m->idle);
    const bool last = m->n_used == 0;
    kept_memory_end(m);
    for (int k = 0; k < N_CLASSES; k++)
        for (kept_block *b = idle[k], *next; b; b = next) {
            next = b->next;
            free(b);
        }
    if (close && last) free(m);
}

void rt_kept_memory_trim(rt_kept_memory *m)
{
    if (m) give_back(m, false);
}

void rt_kept_memory_close(rt_kept_memory *m)
{
    if (m) give_back(m, true);
}
