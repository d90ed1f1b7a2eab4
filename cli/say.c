#include "say.h"

#include <stdarg.h>
#include <stdio.h>

static FILE *kept; /* NULL: standard error */

void say_to(FILE *to)
{
    kept = to;
}

static void say(const char *format, va_list args)
{
    FILE *to = kept ? kept : stderr;
    fputs("routh: ", to);
    vfprintf(to, format, args);
    fputc('\n', to);
}

void complain(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(format, args);
    va_end(args);
}

int usage_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(format, args);
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
