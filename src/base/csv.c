#include "base/csv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

static void field(rt_csv *csv)
{
    if (csv->inside) rt_text_bytes(&csv->text, ",", 1);
    csv->inside = true;
}

void rt_csv_text(rt_csv *csv, const char *text)
{
    field(csv);
    if (!text) return;
    if (!strpbrk(text, ",\"\r\n")) {
        rt_text_bytes(&csv->text, text, strlen(text));
        return;
    }
    rt_text_bytes(&csv->text, "\"", 1);
    for (; *text; text++)
        rt_text_bytes(&csv->text, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
    rt_text_bytes(&csv->text, "\"", 1);
}

void rt_csv_int(rt_csv *csv, long value)
{
    field(csv);
    rt_text_append(&csv->text, "%ld", value);
}

void rt_csv_real(rt_csv *csv, const char *what, double value)
{
    if (!isfinite(value) && !csv->refused) {
        csv->refused = true;
        snprintf(csv->where, sizeof csv->where, "%s in line %d", what, csv->line + 1);
    }
    rt_csv_real_or_empty(csv, value);
}

void rt_csv_real_or_empty(rt_csv *csv, double value)
{
    field(csv);
    if (!isfinite(value)) return;
    char number[RT_NUMBER_SIZE];
    rt_text_bytes(&csv->text, number, (size_t)rt_number_text(number, value, RT_NUMBER_EXACT));
}

void rt_csv_line(rt_csv *csv)
{
    rt_text_bytes(&csv->text, "\n", 1);
    csv->inside = false;
    csv->line++;
}

void rt_csv_heads(rt_csv *csv, const char *const *heads, int n)
{
    for (int i = 0; i < n; i++) rt_csv_text(csv, heads[i]);
    rt_csv_line(csv);
}

routh_status rt_csv_finish(rt_csv *csv, routh_error *error)
{
    routh_status status = ROUTH_OK;
    if (csv->text.failed)
        status = rt_fail_memory(error);
    else if (csv->refused)
        status = rt_fail(error, ROUTH_NUMERIC_ERROR,
                         "%s is not a finite number, so the result is not written; check the model "
                         "for values that are far too large or too small",
                         csv->where);
    if (status) rt_text_free(&csv->text);
    return status;
}
