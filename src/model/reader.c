/* What every part of the reader needs: its messages, and what names may be. */
#include "model/reader.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"

/* ---- messages -------------------------------------------------------------------------------- */

routh_status rt_reader_fail(rt_reader *r, rt_place place, const char *format, ...)
{
    char message[900];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return rt_fail_at(r->error, ROUTH_MODEL_ERROR, r->file, place, r->element, "%s", message);
}

void rt_reader_element(rt_reader *r, const char *kind, const char *name)
{
    snprintf(r->element, sizeof r->element, "%s%s%.120s", kind, name[0] ? " " : "", name);
    r->scope = NULL;
}

void rt_reader_enter(rt_reader *r, const char *kind, const rt_yaml *entry)
{
    rt_reader_element(r, kind, entry->key);
    r->scope = entry->scope;
}

const char *rt_did_you_mean(const char *word, const char *const *candidates, char *text,
                            size_t size)
{
    const char *nearest = rt_suggest(word, candidates);
    text[0] = '\0';
    if (nearest) snprintf(text, size, "; did you mean '%.80s'?", nearest);
    return text;
}

static char *reader_append(char *end, const char *limit, const char *word)
{
    const int n = snprintf(end, (size_t)(limit - end), "%s", word);
    return n < limit - end ? end + n : end;
}

const char *rt_join_words(const char *const *words, char *text, size_t size)
{
    char *end = text;
    text[0] = '\0';
    for (int k = 0; words[k]; k++) {
        if (k) end = reader_append(end, text + size, ", ");
        end = reader_append(end, text + size, words[k]);
    }
    return text;
}

/* ---- names ----------------------------------------------------------------------------------- */

routh_status rt_check_name(rt_reader *r, const rt_yaml *entry)
{
    const char *dot = entry->scope ? strrchr(entry->key, '.') : NULL;
    const char *name = dot ? dot + 1 : entry->key;
    size_t n = 0;
    while (name[n] == '_' || (name[n] >= '0' && name[n] <= '9') ||
           (name[n] >= 'a' && name[n] <= 'z') || (name[n] >= 'A' && name[n] <= 'Z'))
        n++;
    if (!n || name[n] || (name[0] >= '0' && name[0] <= '9'))
        return rt_reader_fail(r, entry->key_place,
                              "the name '%.80s' is not allowed: a name is made of letters, digits "
                              "and _ and does not begin with a digit",
                              name);
    if (n > 100)
        return rt_reader_fail(r, entry->key_place, "the name '%.40s...' is longer than 100 letters",
                              name);
    return ROUTH_OK;
}

routh_status rt_check_quantity_name(rt_reader *r, const rt_yaml *entry)
{
    static const char *const reserved[][2] = {
        {"ground", "the world"}, {"time", "the time"},           {"TIME", "the time"},
        {"Time", "the time"},    {"pi", "the number 3.14159.."}, {"PI", "the number 3.14159.."}};
    const routh_status status = rt_check_name(r, entry);
    const char *dot = entry->scope ? strrchr(entry->key, '.') : NULL;
    const char *name = dot ? dot + 1 : entry->key;
    if (status) return status;
    for (size_t k = 0; k < sizeof reserved / sizeof *reserved; k++)
        if (!strcmp(name, reserved[k][0]))
            return rt_reader_fail(r, entry->key_place,
                                  "the name '%s' has a meaning of its own, %s; choose another",
                                  name, reserved[k][1]);
    return ROUTH_OK;
}

const char *const *rt_reader_keys(rt_reader *r, const rt_yaml *mapping)
{
    const int n = mapping ? mapping->count : 0;
    const char **names = RT_TAKE(&r->scratch, const char *, n + 1);
    int k = 0;
    if (!names || !mapping) return names;
    for (const rt_yaml *entry = mapping->first; entry; entry = entry->next) names[k++] = entry->key;
    return names;
}

routh_status rt_check_finite(rt_reader *r, rt_place place, const char *what,
                             const rt_number *numbers, int n)
{
    for (int k = 0; k < n; k++)
        if (!isfinite(numbers[k].value))
            return rt_reader_fail(
                r, place, "%s overflows: the numbers it is computed from are too large", what);
    return ROUTH_OK;
}
