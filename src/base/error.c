#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const names[] = {
#define NAME(name, meaning) #name,
    ROUTH_STATUS_LIST(NAME)
#undef NAME
};

static const char *const meanings[] = {
#define MEANING(name, meaning) meaning,
    ROUTH_STATUS_LIST(MEANING)
#undef MEANING
};

enum { N_STATUS = sizeof names / sizeof names[0] };

const char *routh_status_name(routh_status status)
{
    return (unsigned)status < N_STATUS ? names[status] : "UNKNOWN";
}

const char *routh_status_meaning(routh_status status)
{
    return (unsigned)status < N_STATUS ? meanings[status] : "unknown status";
}

static void error_copy(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from ? from : "");
}

static void error_fill(routh_error *error, routh_status status, const char *file, rt_place place,
                       const char *element)
{
    error->status = status;
    error->line = place.line;
    error->column = place.column;
    error_copy(error->file, sizeof error->file, place.file ? place.file : file);
    error_copy(error->element, sizeof error->element, element);
}

routh_status rt_fail(routh_error *error, routh_status status, const char *format, ...)
{
    if (error) {
        va_list args;
        error_fill(error, status, NULL, (rt_place){0}, NULL);
        va_start(args, format);
        vsnprintf(error->message, sizeof error->message, format, args);
        va_end(args);
    }
    return status;
}

routh_status rt_fail_at(routh_error *error, routh_status status, const char *file, rt_place place,
                        const char *element, const char *format, ...)
{
    if (error) {
        va_list args;
        error_fill(error, status, file, place, element);
        va_start(args, format);
        vsnprintf(error->message, sizeof error->message, format, args);
        va_end(args);
    }
    return status;
}

routh_status rt_fail_memory(routh_error *error)
{
    return rt_fail(error, ROUTH_OUT_OF_MEMORY,
                   "out of memory: the system refused an allocation; use a smaller model or free "
                   "memory");
}

const char *rt_error_element(const routh_error *error, char *text, size_t size)
{
    const char *name = strchr(error->element, ' ');
    if (name && name[1] != '-' && name[1] != '"') /* an option, or quoted already */
        snprintf(text, size, "%.*s '%s'", (int)(name - error->element), error->element, name + 1);
    else
        snprintf(text, size, "%s", error->element);
    return text;
}

int routh_error_text(const routh_error *error, char *text, size_t size)
{
    char place[320] = "", element[sizeof error->element + 2];
    if (error->file[0] && error->line > 0 && error->column == 0)
        snprintf(place, sizeof place, "%s:%d: ", error->file, error->line);
    else if (error->file[0] && error->line > 0)
        snprintf(place, sizeof place, "%s:%d:%d: ", error->file, error->line, error->column);
    else if (error->file[0])
        snprintf(place, sizeof place, "%s: ", error->file);
    return snprintf(text, size, "%s%s%s%s", place,
                    rt_error_element(error, element, sizeof element),
                    error->element[0] ? ": " : "", error->message);
}
