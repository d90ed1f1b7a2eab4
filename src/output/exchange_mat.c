/* MATLAB's version 5, read by matio: a variable for each value, matrices of numbers, texts, and
 * lists of texts as columns of cells. Points in names are underscores. */
#include <matio.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/exchange_fields.h"
#include "base/file.h"
#include "output/exchange_format.h"
#include "output/exchange_mat_check.h"
#include "output/exchange_mat_write.h"
#include "base/utf8.h"

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
                                 .write = rt_mat_write,
                                 .read = exchange_mat_read_model};
