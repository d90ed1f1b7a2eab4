#include "output/descriptor.h"

#include <math.h>
#include <string.h>

#include "base/number.h"

enum { DIGITS = 8, DATA_DIGITS = 12 };

static const void *field_place(const rt_result_field *field, const rt_result_row *row)
{
    return field->at ? (const char *)row->of + (field->at - 1) : NULL;
}

static bool field_is_there(const rt_result_field *field, const rt_result_row *row)
{
    return !field->there || field->there(row);
}

static int field_count(const rt_result_field *field, const rt_result_row *row)
{
    return field->count ? field->count(row) : *(const int *)field_place(field, row);
}

double rt_result_number(const rt_result_field *field, const rt_result_row *row)
{
    if (field->type == RT_RESULT_COUNT || field->type == RT_RESULT_TRUTH)
        return field_count(field, row);
    if (field->type != RT_RESULT_REAL) return NAN;
    return field->real ? field->real(row) : *(const double *)field_place(field, row);
}

static double field_shown(const rt_result_field *field, const rt_result_row *row)
{
    return field->shown ? field->shown(row) : rt_result_number(field, row);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

/* The list that a member points to, and its length. */
static const void *field_list(const rt_result_field *field, const rt_result_row *row, int *n)
{
    const void *first;
    memcpy(&first, field_place(field, row), sizeof first);
    *n = *(const int *)((const char *)row->of + (field->n_at - 1));
    return first;
}

static void field_json_values(rt_json *json, const rt_result_field *field, const rt_result_row *row)
{
    int n;
    const void *first = field_list(field, row, &n);
    (field->each == RT_RESULT_TEXT ? rt_json_flat_array : rt_json_array)(json, field->key);
    for (int k = 0; k < n; k++) {
        if (field->each == RT_RESULT_TEXT)
            rt_json_string(json, NULL, ((char *const *)first)[k]);
        else
            rt_json_reals(json, NULL, (const double *)first + 2 * k, 2);
    }
    rt_json_end(json);
}

static void field_json_complex(rt_json *json, const rt_result_field *field,
                               const rt_result_row *row)
{
    const double *value = field_place(field, row);
    if (!field->nullable) {
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
    case RT_RESULT_COUNT: rt_json_int(json, field->key, field_count(field, row)); return;
    case RT_RESULT_TRUTH: rt_json_bool(json, field->key, field_count(field, row) != 0); return;
    case RT_RESULT_TEXT:
        rt_json_string(json, field->key,
                       field->text ? field->text(row)
                                   : *(const char *const *)field_place(field, row));
        return;
    case RT_RESULT_COMPLEX: field_json_complex(json, field, row); return;
    case RT_RESULT_MATRIX: {
        int n;
        const double *values = field_list(field, row, &n);
        rt_json_matrix(json, field->key, values, n, n);
        return;
    }
    case RT_RESULT_VALUES: field_json_values(json, field, row); return;
    case RT_RESULT_REALS:
        rt_json_reals(json, field->key, field_place(field, row), field->length);
        return;
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
        if ((!field->key && field->type != RT_RESULT_PART) || !field_is_there(field, row)) continue;
        if (field->write)
            field->write(json, field->key, row);
        else
            field_json(json, field, row);
    }
}

void rt_result_page_json(rt_json *json, const rt_result_table *table, const rt_result_row *row)
{
    for (int k = 0; k < table->n; k++) {
        const rt_result_field *field = &table->fields[k];
        if (!field->key || !field_is_there(field, row)) continue;
        if (field->type == RT_RESULT_REAL) {
            const double x = field_shown(field, row);
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

/* The next column from *k on: those that are always there, then the others, so that the former keep
 * their places. */
static const rt_result_field *csv_column(const rt_result_table *table, const rt_result_row *row,
                                         int *k)
{
    for (; *k < 4 * table->n; ++*k) {
        const rt_result_field *field = &table->fields[*k % table->n];
        const int pass = field->csv_rank + (field->there ? 2 : 0);
        if (field->csv && pass == *k / table->n && field_is_there(field, row)) {
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
        if (field->type == RT_RESULT_COUNT)
            rt_csv_int(csv, field_count(field, row));
        else if (field->type == RT_RESULT_TRUTH)
            rt_csv_int(csv, field_count(field, row) != 0);
        else if (field->type == RT_RESULT_TEXT)
            rt_csv_text(csv, field->text ? field->text(row)
                                         : *(const char *const *)field_place(field, row));
        else if (field->nullable)
            rt_csv_real_or_empty(csv, rt_result_number(field, row));
        else
            rt_csv_real(csv, field->csv, rt_result_number(field, row));
    }
    rt_csv_line(csv);
}

/* ---- the terminal table --------------------------------------------------------------------- */

static bool field_has_head(const rt_result_field *field, const rt_result_row *row)
{
    return field->head && field_is_there(field, row);
}

void rt_result_align(char align[RT_TABLE_COLUMNS + 1], const rt_result_table *table,
                     const rt_result_row *row)
{
    int n = 0;
    for (int k = 0; k < table->n && n < RT_TABLE_COLUMNS; k++)
        if (field_has_head(&table->fields[k], row))
            align[n++] = table->fields[k].align ? table->fields[k].align : 'r';
    align[n] = '\0';
}

void rt_result_heads(rt_table *out, const rt_result_table *table, const rt_result_row *row)
{
    for (int k = 0; k < table->n; k++)
        if (field_has_head(&table->fields[k], row)) rt_table_cell(out, table->fields[k].head);
    for (int k = 0; k < table->n; k++) {
        const rt_result_field *field = &table->fields[k];
        if (!field_has_head(field, row)) continue;
        const char *unit = field->unit ? field->unit : "";
        rt_table_cell(out, field->head_unit ? field->head_unit : field->percent ? "%" : unit);
    }
}

static void field_cell(rt_table *out, const rt_result_field *field, const rt_result_row *row)
{
    if (field->type == RT_RESULT_COUNT) {
        rt_table_format(out, "%d", field_count(field, row));
        return;
    }
    const double x = field_shown(field, row);
    if (isfinite(x))
        rt_table_real(out, field->percent ? 100 * x : x, field->digits ? field->digits : DIGITS);
    else
        rt_table_cell(out, "");
}

void rt_result_cells(rt_table *out, const rt_result_table *table, const rt_result_row *row)
{
    for (int k = 0; k < table->n; k++) {
        const rt_result_field *field = &table->fields[k];
        if (!field_has_head(field, row)) continue;
        if (field->cell)
            field->cell(out, row);
        else
            field_cell(out, field, row);
    }
}
