/* Writing a file so that it is either whole or as it was. */
#ifndef RT_BASE_SAVE_H
#define RT_BASE_SAVE_H

#include "base/error.h"

/* Fills the file `name` that stands open for writing at fd: either may be used, and the name must
 * then stay that of the same file. It is not yet the file that was asked for. */
typedef routh_status (*rt_save_filler)(void *context, int fd, const char *name, routh_error *error);

/* A temporary file in the same folder is filled, flushed and renamed. On failure nothing is left.
 * A device or a pipe is written to as it stands. FILE_ERROR names path. */
routh_status rt_save(const char *path, rt_save_filler fill, void *context, routh_error *error);

/* rt_save of so many bytes. */
routh_status rt_save_bytes(const char *path, const char *bytes, size_t length, routh_error *error);

/* A file that is whole beside its place, and not yet in it. */
typedef struct rt_pending {
    char *path, *beside; /* NULL: there is nothing to put in place */
} rt_pending;

/* Many files that change together: each is prepared, flushed to the disk, and only when all are
 * there they are put in place. What stands at path stays until then; it may be a file or a link to
 * one. FILE_ERROR names path. */
routh_status rt_save_prepare(const char *path, const char *bytes, size_t length,
                             rt_pending *pending, routh_error *error);
routh_status rt_save_place(rt_pending *pending, routh_error *error);

/* Takes away what was prepared and not put in place. */
void rt_save_discard(rt_pending *pending);

#endif
