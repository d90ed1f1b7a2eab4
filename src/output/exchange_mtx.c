/* Matrix Market: a folder with a file for each matrix, in the dense form, and model.csv with all
 * that is no matrix. All files are written beside those that are there, and take their places
 * when all are on the disk; model.csv is taken away first and placed last, so that a folder in
 * which that broke off has none. */
#define _XOPEN_SOURCE 700

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/number.h"
#include "base/save.h"
#include "base/text.h"
#include "output/exchange_csv.h"
#include "output/exchange_fields.h"
#include "base/file.h"
#include "output/exchange_format.h"

static const char rest_name[] = "model.csv";
static const char banner[] = "%%MatrixMarket matrix array real general";

/* "folder/A.mtx"; to be freed. */
static char *matrix_path(const char *folder, const char *name)
{
    char file[80];
    snprintf(file, sizeof file, "%.70s.mtx", name);
    return rt_path_in(folder, file);
}

/* ---- writing -------------------------------------------------------------------------------- */

/* A folder that is written: a file for each matrix of the table of fields, and model.csv. */
typedef struct exchange_mtx_writing {
    const char *folder;
    char *rest; /* the path of model.csv */
    rt_pending model, matrices[RT_MOST_VALUES];
} exchange_mtx_writing;

static routh_status exchange_mtx_prepare_matrix(const rt_value *v, const char *path,
                                                rt_pending *pending, routh_error *error)
{
    rt_text text = {0};
    rt_text_append(&text, "%s\n%% %s of a linear model\n%zu %zu\n", banner, v->name, v->rows,
                   v->columns);
    for (size_t j = 0; j < v->columns; j++)
        for (size_t i = 0; i < v->rows; i++) {
            rt_text_real(&text, v->reals[i * v->columns + j]);
            rt_text_bytes(&text, "\n", 1);
        }
    const routh_status status =
        text.failed ? rt_fail_memory(error)
                    : rt_save_prepare(path, text.bytes, text.length, pending, error);
    rt_text_free(&text);
    return status;
}

static routh_status exchange_mtx_prepare_rest(exchange_mtx_writing *w, const rt_record *record,
                                              routh_error *error)
{
    rt_text text = {0};
    routh_status status = rt_csv_record_text(record, 1, &text, error);
    if (!status) status = rt_save_prepare(w->rest, text.bytes, text.length, &w->model, error);
    rt_text_free(&text);
    return status;
}

static routh_status exchange_mtx_prepare(exchange_mtx_writing *w, const rt_record *record,
                                         routh_error *error)
{
    const rt_exchange_field *f;
    routh_status status = ROUTH_OK;
    for (int k = 0; (f = rt_field_at(k)) && !status; k++) {
        const rt_value *v = rt_field_rank(f) == 2 ? rt_record_find(record, f->name) : NULL;
        if (!v) continue;
        char *path = matrix_path(w->folder, f->name);
        if (!path) return rt_fail_memory(error);
        status = exchange_mtx_prepare_matrix(v, path, &w->matrices[k], error);
        free(path);
    }
    return status ? status : exchange_mtx_prepare_rest(w, record, error);
}

static routh_status exchange_mtx_remove(const char *path, routh_error *error)
{
    if (unlink(path) == 0 || errno == ENOENT) return ROUTH_OK;
    return rt_fail(error, ROUTH_FILE_ERROR, "cannot remove %s: %s", path, strerror(errno));
}

/* Where the model has no such matrix, no file of another model stays. */
static routh_status exchange_mtx_remove_matrix(const char *folder, const char *name,
                                               routh_error *error)
{
    char *path = matrix_path(folder, name);
    if (!path) return rt_fail_memory(error);
    const routh_status status = exchange_mtx_remove(path, error);
    free(path);
    return status;
}

static routh_status exchange_mtx_place(exchange_mtx_writing *w, routh_error *error)
{
    const rt_exchange_field *f;
    routh_status status = exchange_mtx_remove(w->rest, error);
    for (int k = 0; (f = rt_field_at(k)) && !status; k++) {
        if (rt_field_rank(f) != 2) continue;
        status = w->matrices[k].beside ? rt_save_place(&w->matrices[k], error)
                                       : exchange_mtx_remove_matrix(w->folder, f->name, error);
    }
    return status ? status : rt_save_place(&w->model, error);
}

static routh_status exchange_mtx_write_folder(const rt_record *record, const char *folder,
                                              routh_error *error)
{
    exchange_mtx_writing w = {.folder = folder, .rest = rt_path_in(folder, rest_name)};
    if (!w.rest) return rt_fail_memory(error);
    routh_status status = exchange_mtx_prepare(&w, record, error);
    if (!status) status = exchange_mtx_place(&w, error);
    for (int k = 0; k < RT_MOST_VALUES; k++) rt_save_discard(&w.matrices[k]);
    rt_save_discard(&w.model);
    free(w.rest);
    return status;
}

static routh_status exchange_mtx_write_model(const rt_record *record, const char *folder,
                                             routh_error *error)
{
    const bool made = mkdir(folder, 0777) == 0;
    if (!made && (errno != EEXIST || !rt_is_folder(folder)))
        return rt_fail(error, ROUTH_FILE_ERROR, "cannot make the folder %s: %s", folder,
                       strerror(errno));
    const routh_status status = exchange_mtx_write_folder(record, folder, error);
    if (status && made) rmdir(folder); /* where it is empty */
    return status;
}

/* ---- reading -------------------------------------------------------------------------------- */

typedef struct exchange_mtx_reader {
    const char *at, *end;
    int line;
} exchange_mtx_reader;

static routh_status exchange_mtx_broken(const exchange_mtx_reader *r, routh_error *error,
                                        const char *what)
{
    return rt_fail_at(error, ROUTH_SYNTAX_ERROR, NULL, rt_place_at(r->line, 0), NULL, "%s", what);
}

/* The present line, without its end. */
static bool exchange_mtx_next_line(exchange_mtx_reader *r, const char **line, size_t *length)
{
    const char *stop = memchr(r->at, '\n', (size_t)(r->end - r->at));
    if (!stop) return false;
    *line = r->at, *length = (size_t)(stop - r->at);
    r->at = stop + 1, r->line++;
    return true;
}

/* The next word, up to a blank or the end of a line; false where there is none. What the file ends
 * in without a blank may have been longer. */
static bool exchange_mtx_next_word(exchange_mtx_reader *r, const char **word, size_t *length)
{
    while (r->at < r->end && isspace((unsigned char)*r->at)) r->line += *r->at++ == '\n';
    *word = r->at;
    while (r->at < r->end && !isspace((unsigned char)*r->at)) r->at++;
    *length = (size_t)(r->at - *word);
    return *length > 0 && r->at < r->end;
}

static bool exchange_mtx_next_number(exchange_mtx_reader *r, double *x)
{
    const char *word;
    size_t length;
    return exchange_mtx_next_word(r, &word, &length) && rt_number_read(word, length, x);
}

/* A number that is none is no count either. */
static bool exchange_mtx_is_count(double x) { return x >= 0 && x <= 1e8 && x == floor(x); }

static routh_status exchange_mtx_read_head(exchange_mtx_reader *r, size_t *rows, size_t *columns,
                                           routh_error *error)
{
    const char *line;
    size_t length;
    if (!exchange_mtx_next_line(r, &line, &length) || length < sizeof banner - 1 ||
        strncasecmp(line, banner, sizeof banner - 1) != 0)
        return exchange_mtx_broken(
            r, error, "its first line is not `%%MatrixMarket matrix array real general`");
    while (r->at < r->end && *r->at == '%')
        if (!exchange_mtx_next_line(r, &line, &length)) break;
    double m, n;
    const double most = (double)(r->end - r->at);
    if (!exchange_mtx_next_number(r, &m) || !exchange_mtx_next_number(r, &n) ||
        !exchange_mtx_is_count(m) || !exchange_mtx_is_count(n))
        return exchange_mtx_broken(r, error, "the numbers of rows and columns are missing");
    /* each number takes a digit and a blank */
    if (2 * m * n > most)
        return exchange_mtx_broken(r, error, "it has fewer numbers than rows times columns");
    *rows = (size_t)m, *columns = (size_t)n;
    return ROUTH_OK;
}

static routh_status exchange_mtx_read_matrix(rt_record *record, const char *name,
                                             const rt_file *file, routh_error *error)
{
    exchange_mtx_reader r = {.at = file->bytes, .end = file->bytes + file->length};
    size_t rows = 0, columns = 0, length;
    const char *word;
    routh_status status = exchange_mtx_read_head(&r, &rows, &columns, error);
    if (status) return status;
    rt_value *v = rt_record_add(record, name, RT_REALS, 2, rows, columns, error);
    if (!v) return error->status;
    for (size_t j = 0; j < columns; j++)
        for (size_t i = 0; i < rows; i++)
            if (!exchange_mtx_next_number(&r, &v->reals[i * columns + j]))
                return exchange_mtx_broken(
                    &r, error, "a number is missing, or is none, or the file breaks off");
    exchange_mtx_next_word(&r, &word, &length);
    return length ? exchange_mtx_broken(&r, error, "it has more numbers than rows times columns")
                  : ROUTH_OK;
}

static routh_status take_matrix(rt_record *record, const char *name, const char *folder,
                                routh_error *error)
{
    rt_file file;
    char *path = matrix_path(folder, name);
    if (!path) return rt_fail_memory(error);
    routh_status status = ROUTH_OK;
    if (access(path, F_OK) == 0) {
        status = rt_file_read(path, &file, error);
        if (!status) {
            status = exchange_mtx_read_matrix(record, name, &file, error);
            free(file.bytes);
        }
    }
    if (status) snprintf(error->file, sizeof error->file, "%s", path);
    free(path);
    return status;
}

static routh_status exchange_mtx_read_model(rt_record *record, const char *folder,
                                            routh_error *error)
{
    const rt_exchange_field *f;
    char *rest = rt_path_in(folder, rest_name);
    if (!rest) return rt_fail_memory(error);
    routh_status status = rt_csv_record_read(record, rest, error);
    if (status) snprintf(error->file, sizeof error->file, "%s", rest);
    free(rest);
    for (int k = 0; (f = rt_field_at(k)) && !status; k++)
        if (rt_field_rank(f) == 2) status = take_matrix(record, f->name, folder, error);
    return status;
}

const rt_format rt_format_mtx = {.name = "mtx",
                                 .lists_members = true,
                                 .write = exchange_mtx_write_model,
                                 .read = exchange_mtx_read_model};
