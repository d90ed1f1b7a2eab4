#include "base/json.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

/* ---- strings ------------------------------------------------------------------------------- */

/* Length of the UTF-8 sequence at s, 0 where it is not one (RFC 3629: no overlong forms, no
 * surrogates). */
static size_t sequence(const unsigned char *s)
{
    static const unsigned char first[3][2] = {{0xC2, 0xDF}, {0xE0, 0xEF}, {0xF0, 0xF4}};
    if (s[0] < 0x80) return 1;
    for (size_t n = 0; n < 3; n++) {
        if (s[0] < first[n][0] || s[0] > first[n][1]) continue;
        for (size_t k = 1; k <= n + 1; k++)
            if ((s[k] & 0xC0) != 0x80) return 0;
        if (s[0] == 0xE0 && s[1] < 0xA0) return 0;
        if (s[0] == 0xED && s[1] > 0x9F) return 0;
        if (s[0] == 0xF0 && s[1] < 0x90) return 0;
        if (s[0] == 0xF4 && s[1] > 0x8F) return 0;
        return n + 2;
    }
    return 0;
}

static bool must_escape(unsigned char c) { return c < 0x20 || c == 0x7F || strchr("\"\\<>&", c); }

/* Writes the one character at s, returns how many bytes it took. */
static size_t character(rt_text *text, const unsigned char *s)
{
    const size_t n = sequence(s);
    if (n == 0) {
        rt_text_bytes(text, "\\ufffd", 6);
        return 1;
    }
    if (n == 1 && (*s == '"' || *s == '\\'))
        rt_text_append(text, "\\%c", *s);
    else if (n == 1 && *s == '\n')
        rt_text_bytes(text, "\\n", 2);
    else if (n == 1 && must_escape(*s))
        rt_text_append(text, "\\u%04x", *s);
    else if (n == 3 && s[0] == 0xE2 && s[1] == 0x80 && (s[2] == 0xA8 || s[2] == 0xA9))
        rt_text_append(text, "\\u20%02x", s[2] - 0x80);
    else
        rt_text_bytes(text, (const char *)s, n);
    return n;
}

static void quoted(rt_text *text, const char *string)
{
    rt_text_bytes(text, "\"", 1);
    for (const unsigned char *s = (const unsigned char *)string; *s;) s += character(text, s);
    rt_text_bytes(text, "\"", 1);
}

/* ---- members ------------------------------------------------------------------------------- */

static void json_new_line(rt_json *json)
{
    rt_text_append(&json->text, "\n%*s", 2 * json->depth, "");
}

/* What comes before a value: the comma, the line break, the key. */
static void json_member(rt_json *json, const char *key)
{
    if (json->depth > 0) {
        rt_json_level *level = &json->levels[json->depth - 1];
        assert(level->object == (key != NULL));
        if (level->count++) rt_text_bytes(&json->text, ",", 1);
        if (!level->flat)
            json_new_line(json);
        else if (level->count > 1)
            rt_text_bytes(&json->text, " ", 1);
    }
    if (key) {
        quoted(&json->text, key);
        rt_text_bytes(&json->text, ": ", 2);
    }
}

static void open(rt_json *json, const char *key, bool object, bool flat)
{
    assert(json->depth < RT_JSON_DEPTH);
    json_member(json, key);
    rt_text_bytes(&json->text, object ? "{" : "[", 1);
    const bool inside = json->depth > 0 && json->levels[json->depth - 1].flat;
    json->levels[json->depth++] =
        (rt_json_level){.key = key, .object = object, .flat = flat || inside};
}

void rt_json_object(rt_json *json, const char *key) { open(json, key, true, false); }

void rt_json_array(rt_json *json, const char *key) { open(json, key, false, false); }

void rt_json_flat_object(rt_json *json, const char *key) { open(json, key, true, true); }

void rt_json_flat_array(rt_json *json, const char *key) { open(json, key, false, true); }

void rt_json_end(rt_json *json)
{
    const rt_json_level level = json->levels[--json->depth];
    if (level.count && !level.flat) json_new_line(json);
    rt_text_bytes(&json->text, level.object ? "}" : "]", 1);
    if (json->depth == 0) rt_text_bytes(&json->text, "\n", 1);
}

void rt_json_string(rt_json *json, const char *key, const char *value)
{
    json_member(json, key);
    if (value)
        quoted(&json->text, value);
    else
        rt_text_bytes(&json->text, "null", 4);
}

void rt_json_bool(rt_json *json, const char *key, bool value)
{
    json_member(json, key);
    rt_text_append(&json->text, value ? "true" : "false");
}

void rt_json_int(rt_json *json, const char *key, long value)
{
    json_member(json, key);
    rt_text_append(&json->text, "%ld", value);
}

void rt_json_null(rt_json *json, const char *key)
{
    json_member(json, key);
    rt_text_bytes(&json->text, "null", 4);
}

/* ---- numbers ------------------------------------------------------------------------------- */

/* The path of the member being written: keys of the containers, then its own key or index. */
static void json_remember(rt_json *json, const char *key)
{
    if (json->refused) return;
    json->refused = true;
    size_t used = 0;
    for (int d = 0; d < json->depth; d++) {
        const rt_json_level *level = &json->levels[d];
        const char *name = d + 1 < json->depth ? json->levels[d + 1].key : key;
        char *to = json->where + used;
        const size_t room = sizeof json->where - used;
        const int n = level->object ? snprintf(to, room, "%s%s", used ? "." : "", name)
                                    : snprintf(to, room, "[%d]", level->count - 1);
        if (n < 0 || (size_t)n >= room) return;
        used += (size_t)n;
    }
}

static void json_real(rt_json *json, const char *key, double value, int digits)
{
    json_member(json, key);
    if (!isfinite(value)) {
        json_remember(json, key);
        rt_text_bytes(&json->text, "null", 4);
        return;
    }
    char number[RT_NUMBER_SIZE];
    rt_text_bytes(&json->text, number, (size_t)rt_number_text(number, value, digits));
}

void rt_json_real(rt_json *json, const char *key, double value)
{
    json_real(json, key, value, RT_NUMBER_EXACT);
}

void rt_json_real_or_null(rt_json *json, const char *key, double value)
{
    if (isfinite(value))
        rt_json_real(json, key, value);
    else
        rt_json_null(json, key);
}

void rt_json_real_short(rt_json *json, const char *key, double value, int digits)
{
    json_real(json, key, value, digits);
}

void rt_json_reals_short(rt_json *json, const char *key, const double *values, int n, int digits)
{
    rt_json_flat_array(json, key);
    for (int i = 0; i < n; i++) json_real(json, NULL, values[i], digits);
    rt_json_end(json);
}

void rt_json_reals(rt_json *json, const char *key, const double *values, int n)
{
    rt_json_reals_short(json, key, values, n, RT_NUMBER_EXACT);
}

void rt_json_matrix(rt_json *json, const char *key, const double *values, int n_rows, int n_columns)
{
    rt_json_array(json, key);
    for (int i = 0; i < n_rows; i++)
        rt_json_reals(json, NULL, n_columns ? values + (size_t)i * (size_t)n_columns : NULL,
                      n_columns);
    rt_json_end(json);
}

routh_status rt_json_finish(rt_json *json, routh_error *error)
{
    routh_status status = ROUTH_OK;
    if (json->text.failed)
        status = rt_fail_memory(error);
    else if (json->refused)
        status = rt_fail(error, ROUTH_NUMERIC_ERROR,
                         "%s is not a finite number, so the result is not written; check the model "
                         "for values that are far too large or too small",
                         json->where);
    if (status) rt_text_free(&json->text);
    return status;
}
