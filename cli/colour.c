#define _POSIX_C_SOURCE 200809L /* fileno */

#include "colour.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of the whole program. */
static enum { AUTO, ALWAYS, NEVER } chosen;

bool colour_choose(const char *word)
{
    if (strcmp(word, "auto") == 0)
        chosen = AUTO;
    else if (strcmp(word, "always") == 0)
        chosen = ALWAYS;
    else if (strcmp(word, "never") == 0)
        chosen = NEVER;
    else
        return false;
    return true;
}

bool colour_on(FILE *to)
{
    if (chosen != AUTO) return chosen == ALWAYS;
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    if ((no && *no) || !term || !*term || strcmp(term, "dumb") == 0) return false;
    const int file = fileno(to);
    return file >= 0 && isatty(file);
}

const char *colour_begin(FILE *to, colour c)
{
    static const char *const codes[] = {
        [COLOUR_TITLE] = "\033[1m", [COLOUR_ERROR] = "\033[1;31m", [COLOUR_WARNING] = "\033[33m"};
    return colour_on(to) ? codes[c] : "";
}

const char *colour_end(FILE *to) { return colour_on(to) ? "\033[0m" : ""; }

/* ---- tables ---------------------------------------------------------------------------------- */

static bool holds(const char *line, size_t length, const char *word)
{
    const size_t n = strlen(word);
    for (size_t i = 0; i + n <= length; i++)
        if (memcmp(line + i, word, n) == 0) return true;
    return false;
}

/* A line of what is wrong with the result: a warning, an unstable mode, an unstable whole. */
static bool is_warning(const char *line, size_t length)
{
    return (length > 7 && memcmp(line, "warning", 7) == 0) || holds(line, length, "UNSTABLE") ||
           holds(line, length, "is unstable") || holds(line, length, "  unstable");
}

/* The first line of all, or one that begins a section: after an empty line, at the margin, with a
 * capital, and no sentence. */
static bool is_title(const char *line, size_t length, bool first, bool after_empty)
{
    if (length == 0 || line[length - 1] == '.') return false;
    return first || (after_empty && isupper((unsigned char)line[0]));
}

bool colour_write_table(FILE *to, const char *text, size_t length)
{
    bool first = true, after_empty = false, good = true;
    for (size_t at = 0; at < length && good;) {
        const char *line = text + at, *newline = memchr(line, '\n', length - at);
        const size_t n = newline ? (size_t)(newline - line) : length - at;
        const bool title = is_title(line, n, first, after_empty);
        const bool warning = !title && is_warning(line, n);
        if (title) fputs(colour_begin(to, COLOUR_TITLE), to);
        if (warning) fputs(colour_begin(to, COLOUR_WARNING), to);
        good = fwrite(line, 1, n, to) == n;
        if (title || warning) fputs(colour_end(to), to);
        if (newline) fputc('\n', to);
        after_empty = n == 0;
        first = false;
        at += n + 1;
    }
    return good && !ferror(to);
}
