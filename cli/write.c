#define _POSIX_C_SOURCE 200809L

#include "write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "colour.h"
#include "say.h"

static int cannot_write(void)
{
    complain("cannot write to standard output: %s", strerror(errno));
    return EXIT_FAULT;
}

static int to_output(const char *path) { return !path || strcmp(path, "-") == 0; }

int write_text(routh_text *text, const char *path)
{
    int status = EXIT_DONE;
    routh_error error = {0};
    if (to_output(path)) {
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

int write_result(routh_text *text, const options *given)
{
    if (given->json || given->csv || !to_output(given->output) || !colour_on(stdout))
        return write_text(text, given->output);
    errno = 0;
    int status = EXIT_DONE;
    if (!colour_write_table(stdout, text->bytes, text->length) || fflush(stdout))
        status = cannot_write();
    routh_text_free(text);
    return status;
}

int write_made(void (*make)(FILE *to), const options *given)
{
    char *bytes = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&bytes, &length);
    if (to) make(to);
    if (!to || fclose(to)) {
        free(bytes);
        complain("out of memory");
        return EXIT_FAULT;
    }
    routh_text text = {bytes, length};
    return write_text(&text, given->output);
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
