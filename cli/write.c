#define _POSIX_C_SOURCE 200809L

#include "write.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "say.h"

static int cannot_write(void)
{
    complain("cannot write to standard output: %s", strerror(errno));
    return EXIT_FAULT;
}

int write_text(routh_text *text, const char *path)
{
    int status = EXIT_DONE;
    routh_error error = {0};
    if (!path || strcmp(path, "-") == 0) {
        errno = 0;
        if (fwrite(text->bytes, 1, text->length, stdout) != text->length || fflush(stdout))
            status = cannot_write();
    } else if (routh_text_save(text, path, &error)) {
        fault(&error);
        status = EXIT_FAULT;
    }
    routh_text_free(text);
    return status;
}

int close_output(int status)
{
    errno = 0;
    const int before = ferror(stdout);
    if (fclose(stdout) == 0 && !before) return status;
    /* a failure that write_text met is told already; a standard output that was never open hides
     * nothing */
    if (status != EXIT_DONE || errno == EBADF) return status;
    return cannot_write();
}

int same_file(const char *path, const char *model)
{
    struct stat a, b;
    if (stat(path, &a) || stat(model, &b)) return 0;
    return S_ISREG(a.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}
