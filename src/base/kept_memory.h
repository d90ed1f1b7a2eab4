/* Memory for who takes the same again and again: what is given back to it is kept, by size, and
 * taken again. What lies there may outlive the analyses (base/sparse.h) that it came from. */
#ifndef RT_BASE_KEPT_MEMORY_H
#define RT_BASE_KEPT_MEMORY_H

#include <stddef.h>

typedef struct rt_analyses rt_analyses;

/* As malloc, calloc and realloc: NULL when the system refuses, aligned to 16 bytes. Any thread may
 * call them. analyses NULL: the system is asked each time. */
void *rt_kept_malloc(rt_analyses *analyses, size_t size);
void *rt_kept_calloc(rt_analyses *analyses, size_t count, size_t size);

void *rt_kept_realloc(rt_analyses *analyses, void *block, size_t size);

/* From where `block` is from, which these gave. */
void *rt_kept_malloc_with(const void *block, size_t size);

/* Of what these gave, and of nothing else; NULL is allowed. */
void rt_kept_free(void *block);

/* ---- for analyses ---------------------------------------------------------------------------- */

typedef struct rt_kept_memory rt_kept_memory;

rt_kept_memory *rt_kept_memory_create(void); /* NULL: out of memory */

/* What is not in use goes back to the system, as blocks of sizes that are no longer asked for. NULL
 * is allowed. */
void rt_kept_memory_trim(rt_kept_memory *memory);

/* What is not in use goes back to the system; the rest does when it is freed. NULL is allowed. */
void rt_kept_memory_close(rt_kept_memory *memory);

#endif
