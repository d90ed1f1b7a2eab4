/* MATLAB's version 5 by matio: a variable for each value, matrices of numbers, texts, and lists of
 * texts as columns of cells. Points in names become underscores. */
#include <matio.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/save.h"
#include "output/exchange_fields.h"
#include "base/file.h"
#include "output/exchange_format.h"
#include "output/exchange_mat_check.h"
#include "base/utf8.h"

/* Without the time of day, so that the same model gives the same bytes. */
static const char head[] = "MATLAB 5.0 MAT-file of Routh";

/* ---- writing -------------------------------------------------------------------------------- */

static void exchange_mat_variable_name(const char *name, char to[80])
{
    snprintf(to, 80, "%.75s", name);
    for (char *c = to; *c; c++)
        if (*c == '.') *c = '_';
}

static matvar_t *make_text(const char *name, const char *text)
{
    size_t size[2] = {strlen(text) > 0, strlen(text)};
    return Mat_VarCreate(name, MAT_C_CHAR, MAT_T_UTF8, 2, size, (void *)text, 0); /* copies */
}

static matvar_t *exchange_mat_make_cells(const char *name, const rt_value *v)
{
    size_t size[2] = {v->rows, 1};
    matvar_t *list = Mat_VarCreate(name, MAT_C_CELL, MAT_T_CELL, 2, size, NULL, 0);
    for (size_t k = 0; list && k < v->rows; k++) {
        matvar_t *cell = make_text(NULL, v->texts[k]);
        if (!cell) {
            Mat_VarFree(list);
            return NULL;
        }
        Mat_VarSetCell(list, (int)k, cell);
    }
    return list;
}

/* By columns. */
static matvar_t *exchange_mat_make_numbers(const char *name, const rt_value *v)
{
    size_t size[2] = {v->rows, v->columns};
    const size_t n = rt_value_count(v);
    double *turned = calloc(n ? n : 1, sizeof *turned);
    if (!turned) return NULL;
    for (size_t i = 0; i < v->rows; i++)
        for (size_t j = 0; j < v->columns; j++)
            turned[j * v->rows + i] = v->reals[i * v->columns + j];
    matvar_t *variable =
        Mat_VarCreate(name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, size, turned, 0); /* copies */
    free(turned);
    return variable;
}

static routh_status exchange_mat_put_value(mat_t *mat, const rt_value *v, routh_error *error)
{
    char name[80];
    exchange_mat_variable_name(v->name, name);
    matvar_t *variable = v->kind != RT_TEXTS ? exchange_mat_make_numbers(name, v)
                         : v->rank == 0      ? make_text(name, v->texts[0])
                                             : exchange_mat_make_cells(name, v);
    if (!variable) return rt_fail_memory(error);
    const int failed = Mat_VarWrite(mat, variable, MAT_COMPRESSION_NONE);
    Mat_VarFree(variable);
    return failed ? rt_fail(error, ROUTH_FILE_ERROR, "matio cannot write '%s'; is the disk full?",
                            v->name)
                  : ROUTH_OK;
}

static routh_status exchange_mat_fill(void *context, int fd, const char *name, routh_error *error)
{
    const rt_record *record = context;
    (void)fd;
    mat_t *mat = Mat_CreateVer(name, head, MAT_FT_MAT5);
    if (!mat) return rt_fail(error, ROUTH_FILE_ERROR, "matio cannot write %s", name);
    routh_status status = ROUTH_OK;
    for (int k = 0; k < record->n && !status; k++)
        status = exchange_mat_put_value(mat, &record->values[k], error);
    if (Mat_Close(mat) && !status)
        status = rt_fail(error, ROUTH_FILE_ERROR, "matio cannot finish the file");
    return status;
}

static routh_status exchange_mat_write_model(const rt_record *record, const char *path,
                                             routh_error *error)
{
    return rt_save(path, exchange_mat_fill, (void *)record, error);
}

/* ---- reading -------------------------------------------------------------------------------- */

/* Bytes of UTF-8, or 16 bits each. */
static routh_status take_text(rt_record *record, rt_value *to, size_t k, const matvar_t *v,
                              routh_error *error)
{
    if (!v || v->class_type != MAT_C_CHAR)
        return rt_value_broken(to->name, error, "holds something else than texts");
    if (!v->data || v->nbytes == 0) return rt_record_text(record, to, k, "", 0, error);
    if (v->data_size == 1) return rt_record_text(record, to, k, v->data, v->nbytes, error);
    if (v->data_size != 2) return rt_value_broken(to->name, error, "holds texts of unknown kind");
    const size_t n = v->nbytes / 2;
    const uint16_t *units = v->data;
    char *text = malloc(3 * n + 4);
    if (!text) return rt_fail_memory(error);
    size_t length = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t code = units[i];
        const bool pair =
            (code & 0xFC00) == 0xD800 && i + 1 < n && (units[i + 1] & 0xFC00) == 0xDC00;
        if (pair) code = 0x10000 + ((code & 0x3FF) << 10) + (units[++i] & 0x3FFU);
        length += rt_utf8_put(text + length, code);
    }
    const routh_status status = rt_record_text(record, to, k, text, length, error);
    free(text);
    return status;
}

static routh_status take_cells(rt_record *record, const char *name, const matvar_t *v, size_t n,
                               routh_error *error)
{
    matvar_t *const *cells = v->data;
    rt_value *to = rt_record_add(record, name, RT_TEXTS, 1, n, 1, error);
    if (!to) return error->status;
    if (n && (!cells || v->nbytes / sizeof *cells < n))
        return rt_value_broken(name, error, "is cut off");
    routh_status status = ROUTH_OK;
    for (size_t k = 0; k < n && !status; k++) status = take_text(record, to, k, cells[k], error);
    return status;
}

static routh_status exchange_mat_take_numbers(rt_record *record, const char *name,
                                              const matvar_t *v, routh_error *error)
{
    const size_t rows = v->dims[0], columns = v->dims[1];
    if (v->isComplex || v->data_type != MAT_T_DOUBLE || v->data_size != (int)sizeof(double))
        return rt_value_broken(name, error, "is no matrix of real numbers in double precision");
    rt_value *to = rt_record_add(record, name, RT_REALS, 2, rows, columns, error);
    if (!to) return error->status;
    if (rows * columns > 0 && (!v->data || v->nbytes / sizeof(double) < rows * columns))
        return rt_value_broken(name, error, "is cut off");
    const double *from = v->data;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++) to->reals[i * columns + j] = from[j * rows + i];
    return ROUTH_OK;
}

static routh_status take_variable(rt_record *record, const matvar_t *v, size_t n,
                                  routh_error *error)
{
    if (v->class_type == MAT_C_CELL) return take_cells(record, v->name, v, n, error);
    if (v->class_type != MAT_C_CHAR) return exchange_mat_take_numbers(record, v->name, v, error);
    rt_value *to = rt_record_add(record, v->name, RT_TEXTS, 0, 1, 1, error);
    return to ? take_text(record, to, 0, v, error) : error->status;
}

static routh_status exchange_mat_read_variable(rt_record *record, mat_t *mat, matvar_t *v,
                                               routh_error *error)
{
    if (!v->name || !rt_name_is_known(v->name)) return ROUTH_OK;
    if (v->rank != 2 || !v->dims || Mat_VarReadDataAll(mat, v))
        return rt_value_broken(v->name, error, "is broken");
    return take_variable(record, v, v->dims[0] * v->dims[1], error);
}

static routh_status exchange_mat_read_all(rt_record *record, mat_t *mat, routh_error *error)
{
    routh_status status = ROUTH_OK;
    matvar_t *v;
    while (!status && (v = Mat_VarReadNextInfo(mat))) {
        status = exchange_mat_read_variable(record, mat, v, error);
        Mat_VarFree(v);
    }
    return status;
}

static routh_status exchange_mat_read_model(rt_record *record, const char *path, routh_error *error)
{
    rt_file file;
    routh_status status = rt_file_read(path, &file, error);
    if (status) return status;
    status = rt_mat_check(&file, error);
    free(file.bytes);
    if (status) return status;
    mat_t *mat = Mat_Open(path, MAT_ACC_RDONLY);
    if (!mat) return rt_fail(error, ROUTH_SYNTAX_ERROR, "matio cannot read it");
    status = exchange_mat_read_all(record, mat, error);
    Mat_Close(mat);
    return status;
}

const rt_format rt_format_mat = {.name = "mat",
                                 .suffixes = {".mat"},
                                 .magic = rt_mat_magic,
                                 .by_suffix = true,
                                 .lists_members = true,
                                 .write = exchange_mat_write_model,
                                 .read = exchange_mat_read_model};
