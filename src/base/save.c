#define _XOPEN_SOURCE 700 /* realpath */

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/save.h"

enum { TRIES = 100 };

static const char *save_remedy(int why)
{
    switch (why) {
    case ENOSPC: return "; free some space there, or choose a folder on another disk";
    case EDQUOT: return "; remove files of yours there, or choose a folder on another disk";
    case EFBIG: return "; raise the limit on the size of files (ulimit -f)";
    case EROFS: return "; choose a folder on a disk that may be written";
    default: return "";
    }
}

static routh_status save_cannot_write(const char *path, int why, routh_error *error)
{
    if (why == ENOMEM) return rt_fail_memory(error);
    return rt_fail(error, ROUTH_FILE_ERROR, "cannot write %s: %s%s", path, strerror(why),
                   save_remedy(why));
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

/* What a library says of a file that it fills names no file, or not the one that was asked for. */
static routh_status save_fill(const saving *s, int fd, const char *name)
{
    routh_error *const error = s->error;
    const routh_status status = s->fill(s->context, fd, name, error);
    if (status == ROUTH_FILE_ERROR && error && !error->file[0] && !strstr(error->message, s->path))
        snprintf(error->file, sizeof error->file, "%s", s->path);
    return status;
}

/* A device or a pipe is written to as it stands: renaming over it would replace it. */
static routh_status write_special(const saving *s)
{
    const int fd = open(s->path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return save_cannot_write(s->path, errno, s->error);
    const routh_status status = save_fill(s, fd, s->path);
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

/* 0 or errno: what was filled is on the disk, with the rights of the old file. */
static int save_settle(int fd, const struct stat *old)
{
    int why = 0;
    if (old && fchmod(fd, old->st_mode & 07777) < 0) why = errno;
    if (!why && fsync(fd) < 0 && errno != EINVAL) why = errno;
    if (close(fd) < 0 && !why) why = errno;
    return why;
}

/* 0 or errno: what was settled becomes what stands at path. */
static int save_rename(const char *path, const char *beside)
{
    if (rename(beside, path) < 0) return errno;
    sync_folder(path);
    return 0;
}

/* A file beside path, filled and settled, whose name is *beside (to be freed); old is what stands
 * at path, or NULL. On failure nothing is left. */
static routh_status save_fill_beside(const saving *s, const char *path, const struct stat *old,
                                     char **beside)
{
    const int fd = open_beside(path, beside);
    if (fd < 0) return save_cannot_write(s->path, errno, s->error);
    routh_status status = save_fill(s, fd, *beside);
    if (status)
        close(fd);
    else {
        const int why = save_settle(fd, old);
        if (why) status = save_cannot_write(s->path, why, s->error);
    }
    if (!status) return ROUTH_OK;
    unlink(*beside);
    free(*beside);
    *beside = NULL;
    return status;
}

/* Writes beside and renames. */
static routh_status save_replace(const saving *s, const char *path, const struct stat *old)
{
    char *beside;
    routh_status status = save_fill_beside(s, path, old, &beside);
    if (status) return status;
    const int why = save_rename(path, beside);
    if (why) status = save_cannot_write(s->path, why, s->error);
    if (why) unlink(beside);
    free(beside);
    return status;
}

/* What is to be replaced, *target (to be freed): a link is followed, so that what it points to is
 * replaced and not the link. A file that may not be written is refused, though renaming would do
 * it. */
static routh_status save_find_target(const char *path, char **target, routh_error *error)
{
    struct stat link;
    if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) < 0 || lstat(path, &link) < 0)
        return save_cannot_write(path, errno, error);
    if (S_ISLNK(link.st_mode)) {
        *target = realpath(path, NULL);
        return *target ? ROUTH_OK : save_cannot_write(path, errno, error);
    }
    *target = strdup(path);
    return *target ? ROUTH_OK : rt_fail_memory(error);
}

static routh_status replace_existing(const saving *s, const struct stat *old)
{
    char *target;
    routh_status status = save_find_target(s->path, &target, s->error);
    if (status) return status;
    status = save_replace(s, target, old);
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

/* ---- many files that change together -------------------------------------------------------- */

routh_status rt_save_prepare(const char *path, const char *bytes, size_t length,
                             rt_pending *pending, routh_error *error)
{
    save_block block = {path, bytes, length};
    const saving s = {path, fill_bytes, &block, error};
    struct stat old;
    *pending = (rt_pending){0};
    const bool there = stat(path, &old) == 0;
    if (!there && errno != ENOENT) return save_cannot_write(path, errno, error);
    if (there && !S_ISREG(old.st_mode))
        return rt_fail(error, ROUTH_FILE_ERROR, "cannot replace %s: it is no file; remove it",
                       path);
    routh_status status = ROUTH_OK;
    if (there)
        status = save_find_target(path, &pending->path, error);
    else if (!(pending->path = strdup(path)))
        status = rt_fail_memory(error);
    if (!status)
        status = save_fill_beside(&s, pending->path, there ? &old : NULL, &pending->beside);
    if (status) rt_save_discard(pending);
    return status;
}

routh_status rt_save_place(rt_pending *pending, routh_error *error)
{
    if (!pending->beside) return ROUTH_OK;
    const int why = save_rename(pending->path, pending->beside);
    if (why) return save_cannot_write(pending->path, why, error);
    free(pending->beside);
    pending->beside = NULL;
    return ROUTH_OK;
}

void rt_save_discard(rt_pending *pending)
{
    if (pending->beside) unlink(pending->beside);
    free(pending->beside);
    free(pending->path);
    *pending = (rt_pending){0};
}
