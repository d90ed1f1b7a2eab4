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

#endif
