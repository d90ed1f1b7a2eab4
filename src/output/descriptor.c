#include "output/descriptor.h"

#include <math.h>
#include <string.h>

#include "base/number.h"

enum { DATA_DIGITS = 12 };

const void *rt_result_place(const rt_result_field *field, const rt_result_row *row)
{
    if (field->part) return field->part(row);
    return field->at ? (const char *)row->of + (field->at - 1) : NULL;
}

bool rt_result_is_there(const rt_result_field *field, const rt_result_row *row)
{
    return !field->there || field->there(row);
}

int rt_result_count(const rt_result_field *field, const rt_result_row *row)
{
    return field->count ? field->count(row) : *(const int *)rt_result_place(field, row);
}

const char *rt_result_text(const rt_result_field *field, const rt_result_row *row)
{
    return field->text ? field->text(row) : *(const char *const *)rt_result_place(field, row);
}

double rt_result_number(const rt_result_field *field, const rt_result_row *row)
{
    if (field->type == RT_RESULT_COUNT || field->type == RT_RESULT_TRUTH)
        return rt_result_count(field, row);
    if (field->type != RT_RESULT_REAL) return NAN;
    if (field->real) return field->real(row);
    return ((const double *)rt_result_place(field, row))[field->out_of ? field->part_of : 0];
}

int rt_result_csv_pass(const rt_result_field *field)
{
    return field->csv_rank + (field->there && !field->sparse ? RT_RESULT_RANKS : 0);
}

double rt_result_shown(const rt_result_field *field, const rt_result_row *row)
{
    return field->shown ? field->shown(row) : rt_result_number(field, row);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

/* The list that a member points to, and its length. */
static const void *field_list(const rt_result_field *field, const rt_result_row *row, int *n)
{
    const void *first;
    memcpy(&first, rt_result_place(field, row), sizeof first);
    *n = *(const int *)((const char *)row->of + (field->n_at - 1));
    return first;
}

static void field_json_value(rt_json *json, const rt_result_field *field, const void *first, int k)
{
    switch (field->each) {
    case RT_RESULT_TEXT: rt_json_string(json, NULL, ((char *const *)first)[k]); return;
    case RT_RESULT_COUNT: rt_json_int(json, NULL, ((const int *)first)[k]); return;
    default: rt_json_reals(json, NULL, (const double *)first + 2 * k, 2); return;
    }
}

static void field_json_values(rt_json *json, const rt_result_field *field, const rt_result_row *row)
{
    int n;
    const void *first = field_list(field, row, &n);
    (field->each == RT_RESULT_TEXT ? rt_json_flat_array : rt_json_array)(json, field->key);
    for (int k = 0; k < n; k++) field_json_value(json, field, first, k);
    rt_json_end(json);
}

static void field_json_reals(rt_json *json, const rt_result_field *field, const rt_result_row *row)
{
    int n = field->length;
    const double *values = n ? rt_result_place(field, row) : field_list(field, row, &n);
    if (!field->nullable) {
        rt_json_reals(json, field->key, values, n);
        return;
    }
    rt_json_flat_array(json, field->key);
    for (int i = 0; i < n; i++) rt_json_real_or_null(json, NULL, values[i]);
    rt_json_end(json);
}

static void field_json_complex(rt_json *json, const rt_result_field *field,
                               const rt_result_row *row)
{
    const double *value = rt_result_place(field, row);
    if (field->whole && isnan(value[0])) {
        rt_json_null(json, field->key);
        return;
    }
    if (!field->nullable || field->whole) {
        rt_json_reals(json, field->key, value, 2);
        return;
    }
    rt_json_flat_array(json, field->key);
    for (int i = 0; i < 2; i++) rt_json_real_or_null(json, NULL, value[i]);
    rt_json_end(json);
}

static void field_json_list(rt_json *json, const rt_result_field *field, const rt_result_row *row)
{
    int n;
    const char *first = field_list(field, row, &n);
    rt_json_array(json, field->key);
    for (int k = 0; k < n; k++) {
        rt_result_row item = *row;
        item.of = first + (size_t)k * field->size, item.parent = row->of, item.index = k;
        if (field->only && !field->only(&item)) continue;
        (field->open ? rt_json_object : rt_json_flat_object)(json, NULL);
        rt_result_json(json, field->items, &item);
        rt_json_end(json);
    }
    rt_json_end(json);
}

static void field_json_inside(rt_json *json, const rt_result_field *field, const rt_result_row *row)
{
    rt_result_row inside = *row;
    if (field->part) inside.of = field->part(row);
    if (field->type == RT_RESULT_PART) {
        rt_result_json(json, field->items, &inside);
        return;
    }
    if (field->nullable && !inside.of) {
        rt_json_null(json, field->key);
        return;
    }
    (field->open ? rt_json_object : rt_json_flat_object)(json, field->key);
    rt_result_json(json, field->items, &inside);
    rt_json_end(json);
}

static void field_json(rt_json *json, const rt_result_field *field, const rt_result_row *row)
{
    switch (field->type) {
    case RT_RESULT_REAL:
        (field->nullable ? rt_json_real_or_null : rt_json_real)(json, field->key,
                                                                rt_result_number(field, row));
        return;
    case RT_RESULT_COUNT: rt_json_int(json, field->key, rt_result_count(field, row)); return;
    case RT_RESULT_TRUTH: rt_json_bool(json, field->key, rt_result_count(field, row) != 0); return;
    case RT_RESULT_TEXT:
        rt_json_string(json, field->key, rt_result_text(field, row));
        return;
    case RT_RESULT_COMPLEX: field_json_complex(json, field, row); return;
    case RT_RESULT_MATRIX: {
        int n;
        const double *values = field_list(field, row, &n);
        rt_json_matrix(json, field->key, values, n, n);
        return;
    }
    case RT_RESULT_VALUES: field_json_values(json, field, row); return;
    case RT_RESULT_REALS: field_json_reals(json, field, row); return;
    case RT_RESULT_OBJECT:
    case RT_RESULT_PART: field_json_inside(json, field, row); return;
    case RT_RESULT_LIST: field_json_list(json, field, row); return;
    case RT_RESULT_MAP: return; /* has a writer of its own */
    }
}

void rt_result_json(rt_json *json, const rt_result_table *table, const rt_result_row *row)
{
    for (int k = 0; k < table->n; k++) {
        const rt_result_field *field = &table->fields[k];
        if (!field->key && field->type != RT_RESULT_PART) continue;
        if (!rt_result_is_there(field, row)) continue;
        if (field->write)
            field->write(json, field->key, row);
        else
            field_json(json, field, row);
    }
}

routh_status rt_result_document_json(const rt_result_table *document, const rt_result_row *row,
                                     routh_text *text, routh_error *error)
{
    rt_json json = {0};
    *text = (routh_text){0};
    rt_json_object(&json, NULL);
    rt_result_json(&json, document, row);
    rt_json_end(&json);
    const routh_status status = rt_json_finish(&json, error);
    return status ? status : rt_results_hand_over(&json.text, text, error);
}

void rt_result_page_json(rt_json *json, const rt_result_table *table, const rt_result_row *row)
{
    for (int k = 0; k < table->n; k++) {
        const rt_result_field *field = &table->fields[k];
        if (!field->key || !rt_result_is_there(field, row)) continue;
        if (field->type == RT_RESULT_REAL) {
            const double x = rt_result_shown(field, row);
            const int digits = field->data_digits ? field->data_digits : DATA_DIGITS;
            if (field->nullable && !isfinite(x))
                rt_json_null(json, field->key);
            else
                rt_json_real_short(json, field->key, x, digits);
        } else if (field->type == RT_RESULT_COUNT || field->type == RT_RESULT_TRUTH)
            field_json(json, field, row);
    }
}

/* ---- CSV ------------------------------------------------------------------------------------ */

/* The next column from *k on: by ranks; those that are not always there follow the others, so that
 * these keep their places. */
static const rt_result_field *csv_column(const rt_result_table *table, const rt_result_row *row,
                                         int *k)
{
    for (; *k < 2 * RT_RESULT_RANKS * table->n; ++*k) {
        const rt_result_field *field = &table->fields[*k % table->n];
        if (field->csv && rt_result_csv_pass(field) == *k / table->n &&
            (field->sparse || rt_result_is_there(field, row))) {
            ++*k;
            return field;
        }
    }
    return NULL;
}

void rt_result_csv_heads(rt_csv *csv, const rt_result_table *table, const rt_result_row *row)
{
    const rt_result_field *field;
    for (int k = 0; (field = csv_column(table, row, &k));) rt_csv_text(csv, field->csv);
    rt_csv_line(csv);
}

void rt_result_csv(rt_csv *csv, const rt_result_table *table, const rt_result_row *row)
{
    const rt_result_field *field;
    for (int k = 0; (field = csv_column(table, row, &k));) {
        if (!rt_result_is_there(field, row))
            rt_csv_text(csv, NULL);
        else if (field->type == RT_RESULT_COUNT)
            rt_csv_int(csv, rt_result_count(field, row));
        else if (field->type == RT_RESULT_TRUTH)
            rt_csv_int(csv, rt_result_count(field, row) != 0);
        else if (field->type == RT_RESULT_TEXT)
            rt_csv_text(csv, rt_result_text(field, row));
        else if (field->nullable)
            rt_csv_real_or_empty(csv, rt_result_number(field, row));
        else
            rt_csv_real(csv, field->csv, rt_result_number(field, row));
    }
    rt_csv_line(csv);
}

routh_status rt_result_list_csv(const rt_result_table *of, const rt_result_row *whole,
                                const void *first, int n, size_t size, routh_text *text,
                                routh_error *error)
{
    rt_csv csv = {0};
    rt_result_row row = *whole;
    *text = (routh_text){0};
    rt_result_csv_heads(&csv, of, whole);
    for (int k = 0; k < n; k++) {
        row.of = (const char *)first + (size_t)k * size, row.parent = whole->of, row.index = k;
        rt_result_csv(&csv, of, &row);
    }
    const routh_status status = rt_csv_finish(&csv, error);
    return status ? status : rt_results_hand_over(&csv.text, text, error);
}
