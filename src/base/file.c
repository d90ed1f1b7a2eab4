#define _POSIX_C_SOURCE 200809L

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static routh_status file_cannot_read(int why, routh_error *error)
{
    return rt_fail(error, ROUTH_FILE_ERROR, "the file cannot be read: %s", strerror(why));
}

bool rt_is_folder(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

static routh_status file_check_size(const struct stat *s, size_t *size, routh_error *error)
{
    if (S_ISDIR(s->st_mode)) return file_cannot_read(EISDIR, error);
    if (!S_ISREG(s->st_mode))
        return rt_fail(error, ROUTH_FILE_ERROR,
                       "the file cannot be read: it is a pipe or a "
                       "device; give the path of a regular file");
    if ((uint64_t)s->st_size > RT_MOST_BYTES)
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                       "the file is larger than 4 GiB, which is the "
                       "limit; give a smaller file");
    *size = (size_t)s->st_size;
    return ROUTH_OK;
}

routh_status rt_file_size(const char *path, size_t *size, routh_error *error)
{
    struct stat s;
    return stat(path, &s) < 0 ? file_cannot_read(errno, error) : file_check_size(&s, size, error);
}

static int file_read_all(int fd, char *bytes, size_t length)
{
    while (length > 0) {
        const ssize_t n = read(fd, bytes, length);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n < 0 ? errno : EIO; /* it became shorter meanwhile */
        bytes += n;
        length -= (size_t)n;
    }
    return 0;
}

static routh_status read_open(int fd, rt_file *file, routh_error *error)
{
    struct stat s;
    if (fstat(fd, &s) < 0) return file_cannot_read(errno, error);
    const routh_status status = file_check_size(&s, &file->length, error);
    if (status) return status;
    file->bytes = malloc(file->length + 1);
    if (!file->bytes) return rt_fail_memory(error);
    file->bytes[file->length] = '\0';
    const int why = file_read_all(fd, file->bytes, file->length);
    if (!why) return ROUTH_OK;
    free(file->bytes);
    *file = (rt_file){0};
    return file_cannot_read(why, error);
}

routh_status rt_file_read(const char *path, rt_file *file, routh_error *error)
{
    *file = (rt_file){0};
    const int fd =
        open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe is refused, not awaited */
    const routh_status status =
        fd < 0 ? file_cannot_read(errno, error) : read_open(fd, file, error);
    if (fd >= 0) close(fd);
    if (status && error) snprintf(error->file, sizeof error->file, "%s", path);
    return status;
}

char *rt_path_in(const char *folder, const char *name)
{
    const size_t n = strlen(folder), m = strlen(name);
    char *path = malloc(n + m + 2);
    if (!path) return NULL;
    memcpy(path, folder, n);
    size_t used = n;
    if (n > 0 && folder[n - 1] != '/') path[used++] = '/';
    memcpy(path + used, name, m + 1);
    return path;
}
