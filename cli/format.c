/* routh format: model files laid out anew, with their comments. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "say.h"
#include "write.h"

static char *read_all(FILE *from, size_t *length)
{
    char *bytes = NULL;
    size_t room = 0;
    for (*length = 0;;) {
        if (*length == room) {
            char *more = realloc(bytes, room = room ? 2 * room : 65536);
            if (!more) break;
            bytes = more;
        }
        const size_t n = fread(bytes + *length, 1, room - *length, from);
        *length += n;
        if (n == 0) return bytes;
    }
    free(bytes);
    return NULL;
}

static int read_file(const char *path, char **bytes, size_t *length)
{
    const bool standard = strcmp(path, "-") == 0;
    FILE *from = standard ? stdin : fopen(path, "rb");
    if (!from) return complain("%s cannot be read", path), EXIT_FAULT;
    *bytes = read_all(from, length);
    const bool wrong = ferror(from) != 0;
    if (!standard) fclose(from);
    if (*bytes && !wrong) return EXIT_DONE;
    free(*bytes);
    *bytes = NULL;
    return complain(wrong ? "%s cannot be read" : "%s: out of memory", path), EXIT_FAULT;
}

static int write_formatted(const options *given, const char *path, routh_text *text, bool same)
{
    if (given->check) {
        if (!same) complain("%s is laid out otherwise; routh format --write %s", path, path);
        routh_text_free(text);
        return same ? EXIT_DONE : EXIT_FAULT;
    }
    if (!given->write) return write_text(text, given->output);
    if (!same) return write_text(text, path);
    routh_text_free(text);
    return EXIT_DONE;
}

static int format_file(const options *given, const char *path)
{
    routh_error error = {0};
    routh_text text = {0};
    char *bytes = NULL;
    size_t length = 0;
    int status = read_file(path, &bytes, &length);
    if (status) return status;
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    if (routh_model_format(bytes, length, name, given->width, &text, &error))
        status = fault(&error);
    else
        status = write_formatted(given, path, &text,
                                 text.length == length && !memcmp(text.bytes, bytes, length));
    free(bytes);
    return status;
}

int run_format(const options *given)
{
    if (given->check + given->write + (given->output != NULL) > 1)
        return usage_error("options --check, --write and --output exclude each other; give one");
    if (given->n_positional > 1 && !given->check && !given->write)
        return usage_error("several files are laid out in place; give --write, or --check to see "
                           "which would change");
    for (int k = 0; k < given->n_positional; k++)
        if (given->write && strcmp(given->positional[k], "-") == 0)
            return usage_error("option --write needs files, not standard input (-)");
    int status = EXIT_DONE;
    for (int k = 0; k < given->n_positional; k++) {
        const int one = format_file(given, given->positional[k]);
        if (one) status = one;
    }
    return status;
}
