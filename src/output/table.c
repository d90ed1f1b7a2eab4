#include "output/table.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

void rt_text_plain(rt_text *text, const char *string)
{
    for (const char *s = string; *s; s++) {
        const unsigned char c = (unsigned char)*s;
        rt_text_bytes(text, c < 0x20 || c == 0x7F ? " " : s, 1);
    }
}

static void end_cell(rt_table *table)
{
    rt_text_bytes(&table->cells, "", 1);
    table->n_cells++;
}

void rt_table_cell(rt_table *table, const char *text)
{
    rt_text_plain(&table->cells, text);
    end_cell(table);
}

void rt_table_format(rt_table *table, const char *format, ...)
{
    char cell[256];
    va_list args;
    va_start(args, format);
    vsnprintf(cell, sizeof cell, format, args);
    va_end(args);
    rt_table_cell(table, cell);
}

double rt_table_scaled(const rt_table *table, double x)
{
    return table->scale != 0 ? table->scale * x : x;
}

void rt_table_real(rt_table *table, double x, int digits)
{
    char number[RT_NUMBER_SIZE];
    rt_number_text(number, rt_table_scaled(table, x), digits);
    rt_table_cell(table, number);
}

/* Characters of UTF-8 text: bytes that do not continue one. */
static int table_width_of(const char *cell)
{
    int n = 0;
    for (; *cell; cell++) n += ((unsigned char)*cell & 0xC0) != 0x80;
    return n;
}

static void table_write_row(rt_text *text, const char **cell, const char *align, const int *width,
                            size_t n)
{
    int owed = 0; /* blanks that only a later cell makes visible */
    for (size_t i = 0; i < n; i++, *cell += strlen(*cell) + 1) {
        const int free_space = width[i] - table_width_of(*cell);
        owed += 2 + (align[i] == 'r' ? free_space : 0);
        if (**cell) {
            rt_text_append(text, "%*s%s", owed, "", *cell);
            owed = 0;
        }
        if (align[i] != 'r') owed += free_space;
    }
    rt_text_bytes(text, "\n", 1);
}

void rt_table_write(rt_table *table, rt_text *text)
{
    const size_t n = strlen(table->align);
    assert(n <= RT_TABLE_COLUMNS);
    int width[RT_TABLE_COLUMNS] = {0};
    if (table->cells.failed) text->failed = true;
    const char *cell = rt_text_string(&table->cells);
    for (size_t k = 0; !text->failed && k < table->n_cells; k++, cell += strlen(cell) + 1) {
        const int w = table_width_of(cell);
        if (w > width[k % n]) width[k % n] = w;
    }
    cell = rt_text_string(&table->cells);
    for (size_t k = 0; !text->failed && k < table->n_cells; k += n) {
        const size_t left = table->n_cells - k;
        table_write_row(text, &cell, table->align, width, left < n ? left : n);
    }
    rt_text_free(&table->cells);
    table->n_cells = 0;
}
