/* The terminal table of a list, from the table of its fields. */
#include <math.h>

#include "base/number.h"
#include "output/descriptor.h"

enum { DIGITS = 8 };

/* Field k, those of parts in their places; NULL past the last. */
static const rt_result_field *flat_field(const rt_result_table *table, int *k)
{
    for (int i = 0; i < table->n; i++) {
        const rt_result_field *field = &table->fields[i], *inside;
        if (field->type != RT_RESULT_PART || field->part) {
            if ((*k)-- == 0) return field;
        } else if ((inside = flat_field(field->items, k)))
            return inside;
    }
    return NULL;
}

static const rt_result_field *flat_at(const rt_result_table *table, int k)
{
    return flat_field(table, &k);
}

/* A place among the columns. */
typedef struct column_place {
    int rank, field;
} column_place;

/* The next column, by ranks. */
static const rt_result_field *next_column(const rt_result_table *table, const rt_result_row *row,
                                          column_place *at)
{
    for (; at->rank < RT_RESULT_RANKS; at->rank++, at->field = 0)
        for (const rt_result_field *field; (field = flat_at(table, at->field)); at->field++) {
            if ((!field->head && !field->head_of) || field->head_rank != at->rank) continue;
            if (!field->sparse && !rt_result_is_there(field, row)) continue;
            at->field++;
            return field;
        }
    return NULL;
}

/* What stands below the head where numbers are in SI. */
static const char *head_unit(const rt_result_field *field)
{
    if (field->head_unit) return field->head_unit;
    return field->percent ? "%" : field->unit ? field->unit : "";
}

/* The unit of the column's numbers: a bar beside a number has no head. */
static const char *column_unit(const rt_result_field *field)
{
    return *head_unit(field) ? head_unit(field) : field->unit;
}

/* Where numbers are not in SI, of parameters too that are known to be speeds. */
static void head_unit_cell(rt_result_lines *lines, const rt_result_field *field,
                           const rt_result_row *row)
{
    char own[RT_UNIT_SIZE], room[RT_UNIT_SIZE];
    const char *shown = head_unit(field);
    if (field->one_unit && lines->text->units) shown = field->unit_of(row, own);
    if (!shown) shown = "";
    if (*shown && field->type == RT_RESULT_REAL && !field->per_unit)
        rt_unit_shown(lines->text, shown, field->circular, &shown, room);
    rt_table_cell(&lines->cells, shown);
}

/* From the numbers of the cell to what is shown. */
static double cell_scale(rt_text *text, const rt_result_field *field, const rt_result_row *row)
{
    char own[RT_UNIT_SIZE], room[RT_UNIT_SIZE];
    const char *shown;
    if (!text->units) return 1;
    const char *unit = field->unit_of ? field->unit_of(row, own) : column_unit(field);
    const double scale = rt_unit_shown(text, unit, field->circular, &shown, room);
    return field->per_unit ? 1 / scale : scale;
}

void rt_result_begin(rt_result_lines *lines, rt_text *text, const rt_result_table *of,
                     const rt_result_row *row)
{
    const rt_result_field *field;
    int n = 0;
    bool units = false;
    *lines = (rt_result_lines){.of = of, .text = text};
    for (column_place at = {0}; n < RT_TABLE_COLUMNS && (field = next_column(of, row, &at));) {
        lines->align[n++] = field->align ? field->align : 'r';
        units |= *head_unit(field) != '\0';
    }
    lines->cells.align = lines->align;
    for (column_place at = {0}; (field = next_column(of, row, &at));)
        rt_table_cell(&lines->cells, field->head_of ? field->head_of(row) : field->head);
    for (column_place at = {0}; units && (field = next_column(of, row, &at));)
        head_unit_cell(lines, field, row);
}

/* "+-0.01" */
static void cell_number(rt_table *out, const rt_result_field *field, double x)
{
    char number[RT_NUMBER_SIZE];
    if (!isfinite(x)) {
        rt_table_cell(out, isinf(x) && field->infinite ? field->infinite : "");
        return;
    }
    const bool plus = field->sign && x >= 0;
    /* 0 +: a zero has no sign of its own */
    rt_number_text(number, rt_table_scaled(out, plus ? 0 + x : x) * (field->percent ? 100 : 1),
                   field->digits ? field->digits : DIGITS);
    rt_table_format(out, "%s%s", field->before ? field->before : plus ? "+" : "", number);
}

/* "mm" */
static void cell_unit(rt_result_lines *lines, const rt_result_field *field,
                      const rt_result_row *row)
{
    char own[RT_UNIT_SIZE], room[RT_UNIT_SIZE];
    const char *shown;
    rt_unit_shown(lines->text, field->unit_of(row, own), false, &shown, room);
    rt_table_cell(&lines->cells, shown ? shown : "");
}

static void cell(rt_table *out, const rt_result_field *field, const rt_result_row *row)
{
    if (!rt_result_is_there(field, row))
        rt_table_cell(out, "");
    else if (field->cell)
        field->cell(out, row);
    else if (field->type == RT_RESULT_COUNT)
        rt_table_format(out, field->sign ? "%+d" : "%d", rt_result_count(field, row));
    else if (field->type == RT_RESULT_TEXT) {
        const char *text = rt_result_text(field, row);
        rt_table_cell(out, text ? text : "");
    } else
        cell_number(out, field, rt_result_shown(field, row));
}

void rt_result_line(rt_result_lines *lines, const rt_result_row *row)
{
    const rt_result_field *field;
    for (column_place at = {0}; (field = next_column(lines->of, row, &at));)
        if (field->names_unit)
            cell_unit(lines, field, row);
        else {
            lines->cells.scale = cell_scale(lines->text, field, row);
            cell(&lines->cells, field, row);
        }
}

void rt_result_end(rt_result_lines *lines) { rt_table_write(&lines->cells, lines->text); }

void rt_result_drop(rt_result_lines *lines) { rt_text_free(&lines->cells.cells); }

void rt_result_print(rt_text *text, const rt_result_table *of, const rt_result_row *whole,
                     const void *first, int n, size_t size)
{
    rt_result_lines lines;
    rt_result_begin(&lines, text, of, whole);
    for (int k = 0; k < n; k++) {
        rt_result_row item = *whole;
        item.of = (const char *)first + (size_t)k * size, item.parent = whole->of;
        item.index = k, item.number = k + 1;
        rt_result_line(&lines, &item);
    }
    rt_result_end(&lines);
}

void rt_result_cell_pair(rt_table *table, double x, bool pair, int digits)
{
    char number[RT_NUMBER_SIZE];
    rt_number_text(number, rt_table_scaled(table, x), digits);
    if (pair)
        rt_table_format(table, "+-%s", number);
    else
        rt_table_cell(table, x == 0 ? "" : number);
}
