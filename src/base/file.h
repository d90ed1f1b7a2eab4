/* A whole file in memory. */
#ifndef RT_BASE_FILE_H
#define RT_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

#define RT_MOST_BYTES ((size_t)1 << 32)

typedef struct rt_file {
    char *bytes; /* terminated; to be freed */
    size_t length;
} rt_file;

/* FILE_ERROR, LIMIT_EXCEEDED above RT_MOST_BYTES, OUT_OF_MEMORY. */
routh_status rt_file_read(const char *path, rt_file *file, routh_error *error);

/* The size of a regular file; FILE_ERROR for what is none, LIMIT_EXCEEDED. */
routh_status rt_file_size(const char *path, size_t *size, routh_error *error);

bool rt_is_folder(const char *path);

/* "folder/name"; to be freed, NULL when there is no memory. */
char *rt_path_in(const char *folder, const char *name);

#endif
