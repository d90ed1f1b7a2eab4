/* "MAT-File Format", version 5 (The MathWorks), uncompressed and little-endian: a head of 128
 * bytes, then a variable for each value. The bytes are made in memory and written by
 * rt_save_bytes, whose errors are seen; matio 1.5 does not report those of its writes. */
#include "output/exchange_mat_write.h"

#include <stdint.h>
#include <string.h>

#include "base/save.h"
#include "base/text.h"

enum { HEAD_TEXT = 124, ALIGNED = 8 };
enum { KIND_INT8 = 1, KIND_INT32 = 5, KIND_UINT32 = 6, KIND_DOUBLE = 9, KIND_MATRIX = 14 };
enum { KIND_UTF8 = 16, CLASS_CELL = 1, CLASS_CHAR = 4, CLASS_DOUBLE = 6 };

/* Without the time of day, so that the same model gives the same bytes. */
static const char head[] = "MATLAB 5.0 MAT-file of Routh";

static void mat_write_integer(rt_text *to, uint64_t x, int bytes)
{
    char digits[8];
    for (int k = 0; k < bytes; k++) digits[k] = (char)(x >> (8 * k) & 0xFF);
    rt_text_bytes(to, digits, (size_t)bytes);
}

static void mat_write_tag(rt_text *to, uint32_t kind, size_t length)
{
    mat_write_integer(to, kind, 4);
    mat_write_integer(to, length, 4);
}

/* Filled up to 8 bytes, which its length does not count. */
static void mat_write_element(rt_text *to, uint32_t kind, const char *bytes, size_t length)
{
    static const char zeros[ALIGNED] = {0};
    mat_write_tag(to, kind, length);
    if (length) rt_text_bytes(to, bytes, length);
    rt_text_bytes(to, zeros, (ALIGNED - length % ALIGNED) % ALIGNED);
}

/* At most 4 bytes stand in the tag itself. */
static void mat_write_name(rt_text *to, const char *name)
{
    const size_t length = strlen(name);
    if (length == 0 || length > 4) {
        mat_write_element(to, KIND_INT8, name, length);
        return;
    }
    char bytes[4] = {0};
    memcpy(bytes, name, length);
    mat_write_integer(to, KIND_INT8, 2);
    mat_write_integer(to, length, 2);
    rt_text_bytes(to, bytes, sizeof bytes);
}

/* Flags, dimensions and name, which every variable begins with. */
static void mat_write_begin(rt_text *to, uint32_t class, size_t rows, size_t columns,
                            const char *name)
{
    mat_write_tag(to, KIND_UINT32, 8);
    mat_write_integer(to, class, 8);
    mat_write_tag(to, KIND_INT32, 8);
    mat_write_integer(to, rows, 4);
    mat_write_integer(to, columns, 4);
    mat_write_name(to, name);
}

static void mat_write_text(rt_text *to, const char *name, const char *text)
{
    const size_t length = strlen(text);
    rt_text body = {0};
    mat_write_begin(&body, CLASS_CHAR, length > 0, length, name);
    mat_write_element(&body, KIND_UTF8, text, length);
    to->failed = to->failed || body.failed;
    mat_write_element(to, KIND_MATRIX, rt_text_string(&body), body.length);
    rt_text_free(&body);
}

static void mat_write_cells(rt_text *to, const char *name, const rt_value *v)
{
    mat_write_begin(to, CLASS_CELL, v->rows, 1, name);
    for (size_t k = 0; k < v->rows; k++) mat_write_text(to, "", v->texts[k]);
}

/* By columns. */
static void mat_write_numbers(rt_text *to, const char *name, const rt_value *v)
{
    mat_write_begin(to, CLASS_DOUBLE, v->rows, v->columns, name);
    mat_write_tag(to, KIND_DOUBLE, rt_value_count(v) * sizeof(double));
    for (size_t j = 0; j < v->columns; j++)
        for (size_t i = 0; i < v->rows; i++) {
            uint64_t bits;
            memcpy(&bits, &v->reals[i * v->columns + j], sizeof bits);
            mat_write_integer(to, bits, sizeof bits);
        }
}

/* Points in names become underscores. */
static void mat_write_value(rt_text *to, const rt_value *v)
{
    enum { MOST_NAME = 75 };
    char name[MOST_NAME + 1] = {0};
    strncpy(name, v->name, MOST_NAME);
    for (char *c = name; *c; c++)
        if (*c == '.') *c = '_';
    if (v->kind == RT_TEXTS && v->rank == 0) {
        mat_write_text(to, name, v->texts[0]);
        return;
    }
    rt_text body = {0};
    if (v->kind == RT_TEXTS)
        mat_write_cells(&body, name, v);
    else
        mat_write_numbers(&body, name, v);
    to->failed = to->failed || body.failed;
    mat_write_element(to, KIND_MATRIX, rt_text_string(&body), body.length);
    rt_text_free(&body);
}

/* The lengths of this form have 32 bits. */
static routh_status mat_write_check_size(const rt_record *record, routh_error *error)
{
    for (int k = 0; k < record->n; k++)
        if (record->values[k].kind != RT_TEXTS &&
            rt_value_count(&record->values[k]) > (INT32_MAX - 1024) / sizeof(double))
            return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                           "'%s' is larger than the 2 GB that a variable of MATLAB's version 5 may "
                           "have; save the model as .h5",
                           record->values[k].name);
    return ROUTH_OK;
}

static void mat_write_head(rt_text *to)
{
    char text[HEAD_TEXT];
    memset(text, ' ', sizeof text);
    memcpy(text, head, sizeof head); /* with its zero */
    rt_text_bytes(to, text, sizeof text);
    mat_write_integer(to, 0x0100, 2);
    rt_text_bytes(to, "IM", 2);
}

routh_status rt_mat_write(const rt_record *record, const char *path, routh_error *error)
{
    rt_text file = {0};
    routh_status status = mat_write_check_size(record, error);
    if (status) return status;
    mat_write_head(&file);
    for (int k = 0; k < record->n; k++) mat_write_value(&file, &record->values[k]);
    status =
        file.failed ? rt_fail_memory(error) : rt_save_bytes(path, file.bytes, file.length, error);
    rt_text_free(&file);
    return status;
}
