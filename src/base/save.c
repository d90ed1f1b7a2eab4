#define _XOPEN_SOURCE 700 /* realpath */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/save.h"

enum { TRIES = 100 };

static routh_status save_cannot_write(const char *path, int why, routh_error *error)
{
    if (why == ENOMEM) return rt_fail_memory(error);
    return rt_fail(error, ROUTH_FILE_ERROR, "cannot write %s: %s", path, strerror(why));
}

/* 0 or errno. */
static int save_write_all(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        const ssize_t n = write(fd, bytes, length);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno;
        bytes += n;
        length -= (size_t)n;
    }
    return 0;
}

typedef struct saving {
    const char *path;
    rt_save_filler fill;
    void *context;
    routh_error *error;
} saving;

/* A device or a pipe is written to as it stands: renaming over it would replace it. */
static routh_status write_special(const saving *s)
{
    const int fd = open(s->path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return save_cannot_write(s->path, errno, s->error);
    const routh_status status = s->fill(s->context, fd, s->path, s->error);
    return close(fd) < 0 && !status ? save_cannot_write(s->path, errno, s->error) : status;
}

/* Length of the folder's part of path, its slash included; 0 for a bare name. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Opens a new file beside path, its name in *name (to be freed); -1 and errno on failure. */
static int open_beside(const char *path, char **name)
{
    const size_t folder = folder_length(path), size = folder + 64;
    *name = malloc(size);
    if (!*name) return errno = ENOMEM, -1;
    memcpy(*name, path, folder);
    for (int k = 0; k < TRIES; k++) {
        snprintf(*name + folder, size - folder, ".routh-%ld-%d.tmp", (long)getpid(), k);
        const int fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0) return fd;
        if (errno != EEXIST) break;
    }
    const int why = errno;
    free(*name);
    *name = NULL;
    return errno = why, -1;
}

/* The folder's entry is to survive a crash too; file systems that cannot promise that are no
 * failure. */
static void sync_folder(const char *path)
{
    const size_t n = folder_length(path);
    char *folder = strdup(n ? path : ".");
    if (!folder) return;
    if (n) folder[n] = '\0';
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    free(folder);
}

/* 0 or errno: what was filled becomes what stands at path. */
static int put_in_place(const char *path, const char *beside, int fd, const struct stat *old)
{
    int why = 0;
    if (old && fchmod(fd, old->st_mode & 07777) < 0) why = errno;
    if (!why && fsync(fd) < 0 && errno != EINVAL) why = errno;
    if (close(fd) < 0 && !why) why = errno;
    if (!why && rename(beside, path) < 0) why = errno;
    if (!why) sync_folder(path);
    return why;
}

/* Writes beside and renames; old is what stands at path, or NULL. */
static routh_status save_replace(const saving *s, const char *path, const struct stat *old)
{
    char *beside;
    const int fd = open_beside(path, &beside);
    if (fd < 0) return save_cannot_write(s->path, errno, s->error);
    routh_status status = s->fill(s->context, fd, beside, s->error);
    if (status)
        close(fd);
    else {
        const int why = put_in_place(path, beside, fd, old);
        if (why) status = save_cannot_write(s->path, why, s->error);
    }
    if (status) unlink(beside);
    free(beside);
    return status;
}

/* A link is followed, so that what it points to is replaced and not the link. A file that may not
 * be written is refused, though renaming would do it. */
static routh_status replace_existing(const saving *s, const struct stat *old)
{
    struct stat link;
    if (faccessat(AT_FDCWD, s->path, W_OK, AT_EACCESS) < 0 || lstat(s->path, &link) < 0)
        return save_cannot_write(s->path, errno, s->error);
    if (!S_ISLNK(link.st_mode)) return save_replace(s, s->path, old);
    char *target = realpath(s->path, NULL);
    if (!target) return save_cannot_write(s->path, errno, s->error);
    const routh_status status = save_replace(s, target, old);
    free(target);
    return status;
}

routh_status rt_save(const char *path, rt_save_filler fill, void *context, routh_error *error)
{
    const saving s = {path, fill, context, error};
    struct stat old;
    if (*path == '\0')
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the output file has no name; "
                       "give one (--output FILE)");
    if (stat(path, &old) < 0)
        return errno == ENOENT ? save_replace(&s, path, NULL)
                               : save_cannot_write(path, errno, error);
    if (S_ISDIR(old.st_mode)) return save_cannot_write(path, EISDIR, error);
    return S_ISREG(old.st_mode) ? replace_existing(&s, &old) : write_special(&s);
}

typedef struct save_block {
    const char *path, *bytes;
    size_t length;
} save_block;

static routh_status fill_bytes(void *context, int fd, const char *name, routh_error *error)
{
    const save_block *b = context;
    (void)name;
    const int why = save_write_all(fd, b->bytes, b->length);
    return why ? save_cannot_write(b->path, why, error) : ROUTH_OK;
}

routh_status rt_save_bytes(const char *path, const char *bytes, size_t length, routh_error *error)
{
    return rt_save(path, fill_bytes, &(save_block){path, bytes, length}, error);
}
