/* Writing a text to a file so that the file is either whole or as it was. */
#define _XOPEN_SOURCE 700 /* realpath */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "routh/output.h"

enum { TRIES = 100 };

static routh_status cannot_write(const char *path, int why, routh_error *error)
{
    return rt_fail(error, ROUTH_FILE_ERROR, "cannot write %s: %s", path, strerror(why));
}

/* 0 or errno. */
static int write_all(int fd, const char *bytes, size_t length)
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

/* A device or a pipe is written to as it stands: renaming over it would replace it. */
static int write_special(const char *path, const routh_text *text)
{
    const int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return errno;
    const int why = write_all(fd, text->bytes, text->length);
    return close(fd) < 0 && !why ? errno : why;
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

/* Writes beside and renames; old is what stands at path, or NULL. */
static int replace(const char *path, const routh_text *text, const struct stat *old)
{
    char *beside;
    const int fd = open_beside(path, &beside);
    if (fd < 0) return errno;
    int why = write_all(fd, text->bytes, text->length);
    if (!why && old && fchmod(fd, old->st_mode & 07777) < 0) why = errno;
    if (!why && fsync(fd) < 0 && errno != EINVAL) why = errno;
    if (close(fd) < 0 && !why) why = errno;
    if (!why && rename(beside, path) < 0) why = errno;
    if (why)
        unlink(beside);
    else
        sync_folder(path);
    free(beside);
    return why;
}

/* A link is followed, so that what it points to is replaced and not the link. A file that may not
 * be written is refused, though renaming would do it. */
static int replace_existing(const char *path, const routh_text *text, const struct stat *old)
{
    struct stat link;
    if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) < 0) return errno;
    if (lstat(path, &link) < 0) return errno;
    if (!S_ISLNK(link.st_mode)) return replace(path, text, old);
    char *target = realpath(path, NULL);
    if (!target) return errno;
    const int why = replace(target, text, old);
    free(target);
    return why;
}

routh_status routh_text_save(const routh_text *text, const char *path, routh_error *error)
{
    struct stat old;
    int why;
    if (!text || !path)
        return rt_fail(error, ROUTH_BAD_ARGUMENT, "routh_text_save needs a text and a path");
    if (*path == '\0') return rt_fail(error, ROUTH_BAD_ARGUMENT, "the file to write has no name");
    if (stat(path, &old) < 0)
        why = errno == ENOENT ? replace(path, text, NULL) : errno;
    else if (S_ISDIR(old.st_mode))
        why = EISDIR;
    else if (S_ISREG(old.st_mode))
        why = replace_existing(path, text, &old);
    else
        why = write_special(path, text);
    return why ? cannot_write(path, why, error) : ROUTH_OK;
}
