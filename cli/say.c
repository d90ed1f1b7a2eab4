#include "say.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "colour.h"

static FILE *kept;        /* NULL: standard error */
static const char *about; /* NULL: nothing of its own */

void say_to(FILE *to)
{
    kept = to;
}

void say_about(const char *model)
{
    about = model;
}

static void say(const char *kind, const char *format, va_list args)
{
    FILE *to = kept ? kept : stderr;
    char text[4096];
    vsnprintf(text, sizeof text, format, args);
    const bool error = strcmp(kind, "error") == 0;
    const char *begin = colour_begin(to, error ? COLOUR_ERROR : COLOUR_WARNING);
    fprintf(to, "%s%s:%s ", begin, kind, colour_end(to));
    if (about && !strstr(text, about)) fprintf(to, "%s: ", about);
    fprintf(to, "%s\n", text);
}

void complain(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("error", format, args);
    va_end(args);
}

void warn(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("warning", format, args);
    va_end(args);
}

void remark(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("note", format, args);
    va_end(args);
}

int usage_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("error", format, args);
    va_end(args);
    return EXIT_USAGE;
}

int fault(const routh_error *error)
{
    char text[2048];
    routh_error_text(error, text, sizeof text);
    complain("%s", text);
    const int asked = error->status == ROUTH_BAD_ARGUMENT || error->status == ROUTH_NOT_SUPPORTED;
    return asked && error->file[0] == '\0' ? EXIT_USAGE : EXIT_FAULT;
}
