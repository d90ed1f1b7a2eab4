/* "MAT-File Format", version 5 (The MathWorks): a head of 128 bytes, then elements. An element is a
 * tag of 8 bytes (kind, length) and its data, filled up to 8 bytes; one of at most 4 bytes is put
 * into its tag. The element of a variable holds others: flags, dimensions, name, data. */
#include "output/exchange_mat_check.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

const char rt_mat_magic[] = "MATLAB 5.0 MAT-file";

enum { HEAD = 128, VERSION_AT = 124, TAG = 8, SMALL = 4, COMPLEX = 0x08 };
enum { KIND_INT8 = 1, KIND_INT32 = 5, KIND_UINT32 = 6, KIND_MATRIX = 14, KIND_COMPRESSED = 15 };
enum { CLASS_CELL = 1, CLASS_CHAR = 4, CLASS_DOUBLE = 6, CLASS_LAST = 15 };

/* Bytes that are left to read. */
typedef struct exchange_mat_check_span {
    const unsigned char *at;
    size_t n;
} exchange_mat_check_span;

typedef struct exchange_mat_check_element {
    unsigned kind;
    exchange_mat_check_span data;
} exchange_mat_check_element;

static size_t number_at(const unsigned char *b)
{
    return (size_t)b[0] | (size_t)b[1] << 8 | (size_t)b[2] << 16 | (size_t)b[3] << 24;
}

/* The next element; *left moves on behind it. */
static bool exchange_mat_check_next_element(exchange_mat_check_span *left,
                                            exchange_mat_check_element *e)
{
    if (left->n < TAG) return false;
    const size_t tag = number_at(left->at);
    if (tag >> 16) { /* a small one */
        *e = (exchange_mat_check_element){(unsigned)(tag & 0xFFFF), {left->at + SMALL, tag >> 16}};
        left->at += TAG, left->n -= TAG;
        return e->data.n <= SMALL;
    }
    *e = (exchange_mat_check_element){(unsigned)tag, {left->at + TAG, number_at(left->at + 4)}};
    const size_t filled = (e->data.n + 7) / 8 * 8;
    if (filled > left->n - TAG) return false;
    left->at += TAG + filled, left->n -= TAG + filled;
    return true;
}

/* Bytes of one number of that kind, 0 where it is none. */
static size_t size_of_kind(unsigned kind)
{
    static const size_t sizes[] = {0, 1, 1, 2, 2, 4, 4, 4, 0, 8, 0, 0, 8, 8, 0, 0, 1, 2};
    return kind < sizeof sizes / sizeof *sizes ? sizes[kind] : 0;
}

/* As many numbers as there are entries; a character of UTF-8 takes up to 4. */
static bool is_sound_data(const exchange_mat_check_element *e, size_t n)
{
    enum { UTF8 = 16 };
    const size_t size = size_of_kind(e->kind);
    if (e->kind == UTF8) return n <= e->data.n && e->data.n <= 4 * n;
    return size > 0 && e->data.n % size == 0 && e->data.n / size == n;
}

typedef struct exchange_mat_check_variable {
    unsigned class;
    size_t n; /* entries */
} exchange_mat_check_variable;

/* Flags, dimensions and name. */
static bool exchange_mat_check_read_variable(exchange_mat_check_span *left,
                                             exchange_mat_check_variable *v)
{
    exchange_mat_check_element flags, size, name;
    if (!exchange_mat_check_next_element(left, &flags) || flags.kind != KIND_UINT32 ||
        flags.data.n != 8 || !exchange_mat_check_next_element(left, &size) ||
        size.kind != KIND_INT32 || size.data.n != 8 ||
        !exchange_mat_check_next_element(left, &name) || name.kind != KIND_INT8)
        return false;
    const size_t rows = number_at(size.data.at), columns = number_at(size.data.at + 4);
    v->class = flags.data.at[0];
    v->n = rows * columns; /* of 32 bits each */
    return !(flags.data.at[1] & COMPLEX) && rows <= INT32_MAX && columns <= INT32_MAX;
}

static bool is_sound_text(exchange_mat_check_span left)
{
    exchange_mat_check_variable v;
    exchange_mat_check_element data;
    if (left.n == 0) return true; /* an empty cell */
    return exchange_mat_check_read_variable(&left, &v) && v.class == CLASS_CHAR &&
           exchange_mat_check_next_element(&left, &data) && is_sound_data(&data, v.n) &&
           left.n == 0;
}

static bool is_sound_cells(exchange_mat_check_span left, size_t n)
{
    exchange_mat_check_element cell;
    for (size_t k = 0; k < n; k++)
        if (!exchange_mat_check_next_element(&left, &cell) || cell.kind != KIND_MATRIX ||
            !is_sound_text(cell.data))
            return false;
    return left.n == 0;
}

static bool is_sound_variable(exchange_mat_check_span left)
{
    exchange_mat_check_variable v;
    exchange_mat_check_element data;
    if (!exchange_mat_check_read_variable(&left, &v)) return false;
    if (v.class == CLASS_CELL) return is_sound_cells(left, v.n);
    if (v.class != CLASS_CHAR && (v.class < CLASS_DOUBLE || v.class > CLASS_LAST)) return false;
    return exchange_mat_check_next_element(&left, &data) && is_sound_data(&data, v.n) &&
           left.n == 0;
}

static bool has_head(const rt_file *file)
{
    static const char version[] = {0, 1, 'I', 'M'}; /* 5, little-endian */
    return file->length >= HEAD && memcmp(file->bytes, rt_mat_magic, strlen(rt_mat_magic)) == 0 &&
           memcmp(file->bytes + VERSION_AT, version, sizeof version) == 0;
}

routh_status rt_mat_check(const rt_file *file, routh_error *error)
{
    if (!has_head(file))
        return rt_fail(error, ROUTH_SYNTAX_ERROR, "it is no file of MATLAB's version 5 (save -v6)");
    exchange_mat_check_span left = {(const unsigned char *)file->bytes + HEAD, file->length - HEAD};
    while (left.n > 0) {
        exchange_mat_check_element e;
        if (left.n >= TAG && number_at(left.at) == KIND_COMPRESSED)
            return rt_fail(error, ROUTH_NOT_SUPPORTED,
                           "its variables are compressed; save them without (save -v6)");
        if (!exchange_mat_check_next_element(&left, &e))
            return rt_fail(error, ROUTH_SYNTAX_ERROR, "the file breaks off or is broken");
        if (e.kind != KIND_MATRIX || !is_sound_variable(e.data))
            return rt_fail(error, ROUTH_SYNTAX_ERROR,
                           "a variable in it is broken, or is no matrix of real numbers, no text "
                           "and no list of texts");
    }
    return ROUTH_OK;
}
