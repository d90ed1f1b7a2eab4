#include "support/json_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

json_t *sample_json(const routh_text *text)
{
    json_error_t error;
    json_t *json =
        json_loadb(text->bytes, text->length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
    if (!json) fail_msg("not JSON: line %d, column %d: %s", error.line, error.column, error.text);
    return json;
}

const json_t *sample_at(const json_t *json, const char *path)
{
    char word[64];
    int used;
    for (const char *s = path; json && sscanf(s, " %63[^ ]%n", word, &used) == 1; s += used)
        json = json_is_array(json) ? json_array_get(json, strtoul(word, NULL, 10))
                                   : json_object_get(json, word);
    if (!json) fail_msg("there is no \"%s\"", path);
    return json;
}

double sample_number(const json_t *json, const char *path)
{
    const json_t *number = sample_at(json, path);
    assert_true(json_is_number(number));
    return json_number_value(number);
}
