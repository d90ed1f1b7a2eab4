/* JSON: written by base/json.h, read by jansson. Names with a point are members of an object of
 * their own. Infinity, which few numbers may be, is written as null. */
#include "output/exchange_json.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/save.h"
#include "output/exchange_fields.h"
#include "base/file.h"
#include "output/exchange_format.h"

enum { GROUP_SIZE = 64 };

/* ---- writing -------------------------------------------------------------------------------- */

static void one_number(rt_json *json, const char *key, const rt_value *v, size_t k)
{
    if (v->kind == RT_FLAGS)
        rt_json_bool(json, key, v->reals[k] != 0);
    else if (v->kind == RT_INTEGERS)
        rt_json_int(json, key, (long)v->reals[k]);
    else
        rt_json_real_or_null(json, key, v->reals[k]);
}

static void exchange_json_list(rt_json *json, const char *key, const rt_value *v)
{
    rt_json_flat_array(json, key);
    for (size_t k = 0; k < v->rows; k++)
        if (v->kind == RT_TEXTS)
            rt_json_string(json, NULL, v->texts[k]);
        else
            one_number(json, NULL, v, k);
    rt_json_end(json);
}

/* Sentences have a line each. */
static void sentences(rt_json *json, const char *key, const rt_value *v)
{
    rt_json_array(json, key);
    for (size_t k = 0; k < v->rows; k++) rt_json_string(json, NULL, v->texts[k]);
    rt_json_end(json);
}

static void one_value(rt_json *json, const char *key, const rt_value *v)
{
    if (v->rank == 2)
        rt_json_matrix(json, key, v->reals, (int)v->rows, (int)v->columns);
    else if (v->rank == 1 && v->kind == RT_TEXTS && strcmp(key, "warnings") == 0)
        sentences(json, key, v);
    else if (v->rank == 1)
        exchange_json_list(json, key, v);
    else if (v->kind == RT_TEXTS)
        rt_json_string(json, key, v->texts[0]);
    else
        one_number(json, key, v, 0);
}

/* The part of the name before its point in *group, "" where there is none; returns the rest. */
static const char *exchange_json_split(const char *name, char group[GROUP_SIZE])
{
    const char *point = strchr(name, '.');
    const size_t n = point ? (size_t)(point - name) : 0;
    snprintf(group, GROUP_SIZE, "%.*s", (int)n, name);
    return point ? point + 1 : name;
}

/* Matrices that are wanting or have no entries: the document says so. */
static void say_what_there_is_not(rt_json *json, const rt_record *record)
{
    const rt_exchange_field *f;
    for (int k = 0; (f = rt_field_at(k)); k++)
        if ((f->need & RT_NULL_IN_JSON) && !rt_record_find(record, f->name))
            rt_json_null(json, f->name);
}

static void open_group(rt_json *json, const char *group)
{
    /* the counts on one line, as in the other documents */
    if (strcmp(group, "degrees_of_freedom") == 0)
        rt_json_flat_object(json, group);
    else
        rt_json_object(json, group);
}

void rt_json_record_open(rt_json *json, const rt_record *record)
{
    char group[GROUP_SIZE] = "", next[GROUP_SIZE];
    rt_json_object(json, NULL);
    for (int k = 0; k < record->n; k++) {
        const char *rest = exchange_json_split(record->values[k].name, next);
        if (strcmp(group, next) != 0) {
            if (*group) rt_json_end(json);
            memcpy(group, next, sizeof group);
            if (*group) open_group(json, group);
        }
        one_value(json, rest, &record->values[k]);
    }
    if (*group) rt_json_end(json);
    say_what_there_is_not(json, record);
}

void rt_json_record(rt_json *json, const rt_record *record)
{
    rt_json_record_open(json, record);
    rt_json_end(json);
}

static routh_status exchange_json_write_model(const rt_record *record, const char *path,
                                              routh_error *error)
{
    rt_json json = {0};
    rt_json_record(&json, record);
    routh_status status = rt_json_finish(&json, error);
    if (!status) status = rt_save_bytes(path, json.text.bytes, json.text.length, error);
    rt_text_free(&json.text);
    return status;
}

/* ---- reading -------------------------------------------------------------------------------- */

/* null stands for infinity where it stands for a number at all. */
static bool is_number(const json_t *json)
{
    return json_is_number(json) || json_is_boolean(json) || json_is_null(json);
}

static double exchange_json_number(const json_t *json)
{
    if (json_is_null(json)) return INFINITY;
    return json_is_boolean(json) ? json_is_true(json) : json_number_value(json);
}

static routh_status read_scalar(rt_record *record, const char *name, const json_t *json,
                                routh_error *error)
{
    const bool text = json_is_string(json);
    const rt_exchange_field *field = rt_field_find(name);
    /* what is null is not there, unless it is a number */
    if (json_is_null(json) && (rt_field_rank(field) > 0 || field->kind != RT_REALS))
        return ROUTH_OK;
    rt_value *v = rt_record_add(record, name, text ? RT_TEXTS : RT_REALS, 0, 1, 1, error);
    if (!v) return error->status;
    if (text)
        return rt_record_text(record, v, 0, json_string_value(json), json_string_length(json),
                              error);
    v->reals[0] = exchange_json_number(json);
    return ROUTH_OK;
}

/* Texts, or numbers, all alike. */
static routh_status exchange_json_read_list(rt_record *record, const char *name, const json_t *json,
                                            routh_error *error)
{
    const size_t n = json_array_size(json);
    const bool texts = n > 0 && json_is_string(json_array_get(json, 0));
    rt_value *v = rt_record_add(record, name, texts ? RT_TEXTS : RT_REALS, 1, n, 1, error);
    if (!v) return error->status;
    for (size_t k = 0; k < n; k++) {
        const json_t *item = json_array_get(json, k);
        if (texts ? !json_is_string(item) : !is_number(item))
            return rt_value_broken(name, error, "entry %zu is not a %s as the first one is", k,
                                   texts ? "text" : "number");
        if (!texts)
            v->reals[k] = exchange_json_number(item);
        else if (rt_record_text(record, v, k, json_string_value(item), json_string_length(item),
                                error))
            return error->status;
    }
    return ROUTH_OK;
}

static routh_status exchange_json_read_matrix(rt_record *record, const char *name,
                                              const json_t *json, routh_error *error)
{
    const size_t rows = json_array_size(json), columns = json_array_size(json_array_get(json, 0));
    for (size_t i = 0; i < rows; i++) {
        const json_t *row = json_array_get(json, i);
        if (!json_is_array(row) || json_array_size(row) != columns)
            return rt_value_broken(name, error, "row %zu is not a list of %zu numbers as row 0 is",
                                   i, columns);
    }
    rt_value *v = rt_record_add(record, name, RT_REALS, 2, rows, columns, error);
    if (!v) return error->status;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++) {
            const json_t *item = json_array_get(json_array_get(json, i), j);
            if (!is_number(item))
                return rt_value_broken(name, error, "entry [%zu][%zu] is not a number", i, j);
            v->reals[i * columns + j] = exchange_json_number(item);
        }
    return ROUTH_OK;
}

static routh_status exchange_json_read_member(rt_record *record, const char *name,
                                              const json_t *json, routh_error *error)
{
    if (!rt_field_find(name)) return ROUTH_OK;
    if (json_is_object(json))
        return rt_value_broken(name, error, "is an object where a value is wanted");
    if (!json_is_array(json)) return read_scalar(record, name, json, error);
    if (json_is_array(json_array_get(json, 0)))
        return exchange_json_read_matrix(record, name, json, error);
    return exchange_json_read_list(record, name, json, error);
}

static routh_status read_group(rt_record *record, const char *group, json_t *json,
                               routh_error *error)
{
    const char *key;
    json_t *value;
    char name[160];
    json_object_foreach(json, key, value)
    {
        snprintf(name, sizeof name, "%.60s.%.90s", group, key);
        const routh_status status = exchange_json_read_member(record, name, value, error);
        if (status) return status;
    }
    return ROUTH_OK;
}

static routh_status read_object(rt_record *record, json_t *json, routh_error *error)
{
    const char *key;
    json_t *value;
    if (!json_is_object(json))
        return rt_fail(error, ROUTH_SYNTAX_ERROR, "it is not one object in JSON");
    json_object_foreach(json, key, value)
    {
        const routh_status status = json_is_object(value)
                                        ? read_group(record, key, value, error)
                                        : exchange_json_read_member(record, key, value, error);
        if (status) return status;
    }
    return ROUTH_OK;
}

static routh_status exchange_json_not(const json_error_t *why, routh_error *error)
{
    /* where memory is short, jansson mostly says nothing */
    if (json_error_code(why) == json_error_out_of_memory || !why->text[0])
        return rt_fail_memory(error);
    return rt_fail_at(error, ROUTH_SYNTAX_ERROR, NULL, rt_place_at(why->line, why->column), NULL,
                      "it is not well-formed JSON: %s", why->text);
}

static routh_status exchange_json_read_model(rt_record *record, const char *path,
                                             routh_error *error)
{
    rt_file file;
    json_error_t why;
    routh_status status = rt_file_read(path, &file, error);
    if (status) return status;
    /* whole numbers as doubles, so that -0 keeps its sign and none overflows */
    json_t *json =
        json_loadb(file.bytes, file.length, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &why);
    free(file.bytes);
    if (!json) return exchange_json_not(&why, error);
    status = read_object(record, json, error);
    json_decref(json);
    return status;
}

const rt_format rt_format_json = {.name = "json",
                                  .suffixes = {".json"},
                                  .write = exchange_json_write_model,
                                  .read = exchange_json_read_model};
