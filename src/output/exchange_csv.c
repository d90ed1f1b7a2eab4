/* Comma-separated values: every line is `member,label,values..`. A value or a list is one line with
 * an empty label. A matrix is a line with the names of its columns, then one for each row with the
 * row's name. */
#include "output/exchange_csv.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/number.h"
#include "base/save.h"
#include "output/exchange_fields.h"
#include "base/file.h"
#include "output/exchange_format.h"

/* ---- writing -------------------------------------------------------------------------------- */

static void write_number(rt_csv *csv, double x)
{
    if (x > 1.7976931348623157e308)
        rt_csv_text(csv, "inf");
    else
        rt_csv_real(csv, "a number", x);
}

static void exchange_csv_write_row(rt_csv *csv, const rt_value *v, const char *label, size_t first,
                                   size_t n)
{
    rt_csv_text(csv, v->name);
    rt_csv_text(csv, label && !strchr(label, '\n') ? label : NULL); /* a row is to be one line */
    for (size_t k = first; k < first + n; k++)
        if (v->kind == RT_TEXTS)
            rt_csv_text(csv, v->texts[k]);
        else
            write_number(csv, v->reals[k]);
    rt_csv_line(csv);
}

static void exchange_csv_write_matrix(rt_csv *csv, const rt_value *v)
{
    rt_csv_text(csv, v->name);
    rt_csv_text(csv, NULL);
    for (size_t j = 0; j < v->columns; j++)
        if (v->column_names)
            rt_csv_text(csv, v->column_names[j]);
        else
            rt_csv_int(csv, (long)j + 1);
    rt_csv_line(csv);
    for (size_t i = 0; i < v->rows; i++)
        exchange_csv_write_row(csv, v, v->row_names ? v->row_names[i] : NULL, i * v->columns,
                               v->columns);
}

routh_status rt_csv_record_text(const rt_record *record, int most_rank, rt_text *text,
                                routh_error *error)
{
    rt_csv csv = {0};
    for (int k = 0; k < record->n; k++) {
        const rt_value *v = &record->values[k];
        if (v->rank > most_rank) continue;
        if (v->rank == 2)
            exchange_csv_write_matrix(&csv, v);
        else
            exchange_csv_write_row(&csv, v, NULL, 0, v->rows);
    }
    const routh_status status = rt_csv_finish(&csv, error);
    *text = csv.text;
    return status;
}

/* ---- one line ------------------------------------------------------------------------------- */

/* The fields of the present line; quotes are taken away in place. */
typedef struct exchange_csv_reader {
    char *at, *end;
    int line;
    char **fields;
    size_t *lengths;
    size_t n, room;
} exchange_csv_reader;

static routh_status exchange_csv_broken(const exchange_csv_reader *r, routh_error *error,
                                        const char *what)
{
    return rt_fail_at(error, ROUTH_SYNTAX_ERROR, NULL, rt_place_at(r->line, 0), NULL, "%s", what);
}

static routh_status keep_field(exchange_csv_reader *r, char *start, size_t length,
                               routh_error *error)
{
    if (r->n == r->room) {
        const size_t room = r->room ? 2 * r->room : 64;
        char **fields = realloc(r->fields, room * sizeof *fields);
        if (fields) r->fields = fields;
        size_t *lengths = realloc(r->lengths, room * sizeof *lengths);
        if (lengths) r->lengths = lengths;
        if (!fields || !lengths) return rt_fail_memory(error);
        r->room = room;
    }
    r->fields[r->n] = start;
    r->lengths[r->n++] = length;
    return ROUTH_OK;
}

/* Behind the opening quote; two quotes are one. */
static routh_status quoted_field(exchange_csv_reader *r, routh_error *error)
{
    char *const start = r->at;
    char *to = start;
    while (r->at < r->end) {
        if (*r->at != '"')
            r->line += *r->at == '\n';
        else if (r->at + 1 < r->end && r->at[1] == '"')
            r->at++;
        else
            break;
        *to++ = *r->at++;
    }
    if (r->at == r->end) return exchange_csv_broken(r, error, "a quote is opened and not closed");
    r->at++;
    return keep_field(r, start, (size_t)(to - start), error);
}

static routh_status one_field(exchange_csv_reader *r, routh_error *error)
{
    if (*r->at == '"') {
        r->at++;
        return quoted_field(r, error);
    }
    char *const start = r->at;
    while (r->at < r->end && *r->at != ',' && *r->at != '\n' && *r->at != '\r') r->at++;
    return keep_field(r, start, (size_t)(r->at - start), error);
}

/* The fields of the next line, which has to have an end: else the file is cut off. */
static routh_status exchange_csv_next_line(exchange_csv_reader *r, routh_error *error)
{
    r->n = 0;
    while (true) {
        if (r->at == r->end)
            return exchange_csv_broken(r, error, "the file breaks off within its last line");
        const routh_status status = one_field(r, error);
        if (status) return status;
        if (r->at < r->end && *r->at == '\r') r->at++;
        if (r->at == r->end) continue;
        const char c = *r->at++;
        if (c == '\n') break;
        if (c != ',')
            return exchange_csv_broken(r, error,
                                       "a comma or the end of the line is wanted after a quote");
    }
    return ROUTH_OK;
}

/* ---- members -------------------------------------------------------------------------------- */

static routh_status exchange_csv_take_entries(const exchange_csv_reader *r, rt_record *record,
                                              rt_value *v, size_t first, routh_error *error)
{
    for (size_t k = 0; k + 2 < r->n; k++) {
        const char *text = r->fields[k + 2];
        const size_t length = r->lengths[k + 2];
        if (memchr(text, '\0', length))
            return exchange_csv_broken(r, error, "there is a byte 0 in the text");
        if (v->kind == RT_TEXTS) {
            if (rt_record_text(record, v, first + k, text, length, error)) return error->status;
        } else if (!rt_number_read(text, length, &v->reals[first + k]))
            return rt_fail_at(error, ROUTH_SYNTAX_ERROR, NULL, rt_place_at(r->line, 0), NULL,
                              "'%.*s' is not a number, as %s wants", length < 60 ? (int)length : 60,
                              text, v->name);
    }
    return ROUTH_OK;
}

/* How many lines from here on begin with the name, so that room is made once. */
static size_t lines_of(const exchange_csv_reader *r, const char *name)
{
    const size_t length = strlen(name);
    size_t n = 0;
    const char *at = r->at;
    while ((size_t)(r->end - at) > length && memcmp(at, name, length) == 0 && at[length] == ',') {
        const char *line = memchr(at, '\n', (size_t)(r->end - at));
        if (!line) return n + 1;
        n++;
        at = line + 1;
    }
    return n;
}

static bool is_of(const exchange_csv_reader *r, const char *name)
{
    return r->n > 0 && r->lengths[0] == strlen(name) &&
           memcmp(r->fields[0], name, r->lengths[0]) == 0;
}

/* The line read is the one with the names of the columns. */
static routh_status exchange_csv_read_matrix(exchange_csv_reader *r, rt_record *record,
                                             const char *name, routh_error *error)
{
    const size_t columns = r->n - 2, rows = lines_of(r, name);
    rt_value *v = rt_record_add(record, name, RT_REALS, 2, rows, columns, error);
    if (!v) return error->status;
    for (size_t i = 0; i < rows; i++) {
        routh_status status = exchange_csv_next_line(r, error);
        if (status) return status;
        if (!is_of(r, name) || r->n != columns + 2)
            return exchange_csv_broken(
                r, error, "a row of a matrix has not as many numbers as it has columns");
        status = exchange_csv_take_entries(r, record, v, i * columns, error);
        if (status) return status;
    }
    return ROUTH_OK;
}

static routh_status exchange_csv_read_member(exchange_csv_reader *r, rt_record *record,
                                             routh_error *error)
{
    char name[64];
    if (r->n < 2) return exchange_csv_broken(r, error, "a line is not `member,label,values`");
    if (r->lengths[0] >= sizeof name) return ROUTH_OK;
    memcpy(name, r->fields[0], r->lengths[0]);
    name[r->lengths[0]] = '\0';
    const rt_exchange_field *field = rt_field_find(name);
    const bool is_list = strcmp(name, "members") == 0;
    if (!field && !is_list) return ROUTH_OK;
    if (field && rt_field_rank(field) == 2) return exchange_csv_read_matrix(r, record, name, error);
    const rt_value_kind kind = is_list || field->kind == RT_TEXTS ? RT_TEXTS : RT_REALS;
    rt_value *v = rt_record_add(record, name, kind, 1, r->n - 2, 1, error);
    return v ? exchange_csv_take_entries(r, record, v, 0, error) : error->status;
}

static routh_status check_first(const rt_file *file, routh_error *error)
{
    static const char first[] = "schema,";
    if (strncmp(file->bytes, first, sizeof first - 1) == 0) return ROUTH_OK;
    return rt_fail(error, ROUTH_SYNTAX_ERROR,
                   "its first line is not `schema,,%s`; a table of `routh linearize --csv` is for "
                   "spreadsheets and is not read back",
                   RT_SCHEMA);
}

routh_status rt_csv_record_read(rt_record *record, const char *path, routh_error *error)
{
    rt_file file;
    routh_status status = rt_file_read(path, &file, error);
    if (status) return status;
    exchange_csv_reader r = {.at = file.bytes, .end = file.bytes + file.length, .line = 0};
    status = check_first(&file, error);
    while (!status && r.at < r.end) {
        r.line++;
        status = exchange_csv_next_line(&r, error);
        if (!status) status = exchange_csv_read_member(&r, record, error);
    }
    free(r.fields);
    free(r.lengths);
    free(file.bytes);
    return status;
}

static routh_status exchange_csv_write_model(const rt_record *record, const char *path,
                                             routh_error *error)
{
    rt_text text = {0};
    routh_status status = rt_csv_record_text(record, 2, &text, error);
    if (!status) status = rt_save_bytes(path, text.bytes, text.length, error);
    rt_text_free(&text);
    return status;
}

const rt_format rt_format_csv = {.name = "csv",
                                 .suffixes = {".csv"},
                                 .magic = "schema,",
                                 .by_suffix = true,
                                 .lists_members = true,
                                 .write = exchange_csv_write_model,
                                 .read = rt_csv_record_read};
