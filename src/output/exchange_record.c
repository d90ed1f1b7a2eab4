#include "output/exchange_record.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void rt_record_free(rt_record *record)
{
    rt_arena_free(&record->arena);
    record->n = 0;
}

bool rt_same_name(const char *a, const char *b)
{
    for (; *a && *b; a++, b++)
        if (*a != *b && !((*a == '.' && *b == '_') || (*a == '_' && *b == '.'))) return false;
    return *a == *b;
}

const rt_value *rt_record_find(const rt_record *record, const char *name)
{
    for (int k = 0; k < record->n; k++)
        if (rt_same_name(record->values[k].name, name)) return &record->values[k];
    return NULL;
}

routh_status rt_value_broken(const char *name, routh_error *error, const char *format, ...)
{
    char text[512], element[160];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    snprintf(element, sizeof element, "%.150s", name);
    return rt_fail_at(error, ROUTH_SYNTAX_ERROR, NULL, (rt_place){0}, element, "%s", text);
}

static routh_status check_new(const rt_record *record, const char *name, size_t rows,
                              size_t columns, routh_error *error)
{
    if (record->n == RT_MOST_VALUES)
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                       "there are more than %d members, which no linear model has", RT_MOST_VALUES);
    if (rt_record_find(record, name)) return rt_value_broken(name, error, "stands there twice");
    if (columns && rows > SIZE_MAX / 64 / columns)
        return rt_value_broken(name, error, "has %zu x %zu entries, which is too many", rows,
                               columns);
    return ROUTH_OK;
}

rt_value *rt_record_add(rt_record *record, const char *name, rt_value_kind kind, int rank,
                        size_t rows, size_t columns, routh_error *error)
{
    if (check_new(record, name, rows, columns, error)) return NULL;
    rt_value v = {.kind = kind, .rank = rank, .rows = rows, .columns = columns};
    v.name = rt_arena_text(&record->arena, name, strlen(name));
    if (kind == RT_TEXTS)
        v.texts = RT_TAKE(&record->arena, char *, rows *columns);
    else
        v.reals = RT_TAKE(&record->arena, double, rows *columns);
    if (!v.name || (!v.texts && !v.reals)) {
        rt_fail_memory(error);
        return NULL;
    }
    record->values[record->n] = v;
    return &record->values[record->n++];
}

routh_status rt_record_text(rt_record *record, rt_value *value, size_t k, const char *text,
                            size_t length, routh_error *error)
{
    value->texts[k] = rt_arena_text(&record->arena, text, length);
    return value->texts[k] ? ROUTH_OK : rt_fail_memory(error);
}
