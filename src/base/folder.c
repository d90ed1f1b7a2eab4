#define _XOPEN_SOURCE 700 /* realpath */

#include "base/folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The folder of a file, from the root, without links; to be freed. */
static routh_status find_folder(const char *file, char **folder, routh_error *error)
{
    const char *slash = strrchr(file, '/'), *begin = slash ? file : "./";
    const size_t length = slash ? (size_t)(slash - file) + 1 : 2;
    char *name = malloc(length + 1);
    if (!name) return rt_fail_memory(error);
    memcpy(name, begin, length);
    name[length] = '\0';
    *folder = realpath(name, NULL);
    const int why = errno;
    routh_status status = ROUTH_OK;
    if (!*folder)
        status = why == ENOMEM ? rt_fail_memory(error)
                               : rt_fail(error, ROUTH_FILE_ERROR,
                                         "the folder %.300s cannot be "
                                         "used: %s",
                                         name, strerror(why));
    free(name);
    return status;
}

/* How much of both is one folder that both are in: up to a '/' or the end of a name in both. */
static size_t shared_part(const char *a, const char *b)
{
    size_t shared = 0, k = 0;
    for (;; k++) {
        const bool ends = (a[k] == '/' || !a[k]) && (b[k] == '/' || !b[k]);
        if (ends) shared = k;
        if (a[k] != b[k] || !a[k]) return shared;
    }
}

static void put_way(const char *from, const char *to, rt_text *way)
{
    const size_t shared = shared_part(from, to);
    for (const char *at = to + shared; *at; at++)
        if (at[0] == '/' && at[1]) rt_text_append(way, "../");
    if (from[shared] && from[shared + 1]) rt_text_append(way, "%s/", from + shared + 1);
}

routh_status rt_folder_way(const char *from, const char *to, rt_text *way, routh_error *error)
{
    char *first = NULL, *second = NULL;
    routh_status status = find_folder(from, &first, error);
    if (!status) status = find_folder(to, &second, error);
    if (!status) put_way(first, second, way);
    if (!status && way->failed) status = rt_fail_memory(error);
    free(first);
    free(second);
    return status;
}
