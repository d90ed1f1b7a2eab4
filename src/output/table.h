/* Tables of plain text: cells are gathered row by row, then written in aligned columns. */
#ifndef RT_OUTPUT_TABLE_H
#define RT_OUTPUT_TABLE_H

#include "base/text.h"

enum { RT_TABLE_COLUMNS = 40 };

/* Start with rt_table t = {.align = "lrr"}: one letter a column, at most RT_TABLE_COLUMNS. */
typedef struct rt_table {
    const char *align;
    rt_text cells; /* each ends with a zero byte */
    size_t n_cells;
    double scale; /* of the numbers of a cell to those shown; 0: 1 */
} rt_table;

/* One cell. Control characters of what the user named become blanks. */
void rt_table_cell(rt_table *table, const char *text);
void rt_table_format(rt_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void rt_table_real(rt_table *table, double x, int digits);

/* x as it is shown. */
double rt_table_scaled(const rt_table *table, double x);

/* Appends the rows to text, two blanks before the first column and between columns, no blanks at
 * the end of a line, and empties the table. The last row may lack cells. */
void rt_table_write(rt_table *table, rt_text *text);

/* Appends a user's text on one line: control characters become blanks. */
void rt_text_plain(rt_text *text, const char *string);

#endif
