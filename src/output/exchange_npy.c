#include "output/exchange_npy.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

static const char magic[] = "\x93NUMPY";

enum { MAGIC = 6, ALIGNED = 64 };

/* ---- little-endian numbers ------------------------------------------------------------------ */

static void exchange_npy_put(unsigned char *to, uint64_t bits, size_t n)
{
    for (size_t k = 0; k < n; k++) to[k] = (unsigned char)(bits >> (8 * k));
}

static uint64_t exchange_npy_get(const unsigned char *from, size_t n)
{
    uint64_t bits = 0;
    for (size_t k = 0; k < n; k++) bits |= (uint64_t)from[k] << (8 * k);
    return bits;
}

/* ---- writing -------------------------------------------------------------------------------- */

/* What an entry is: "<f8", "<i8", "|b1", "<U12", or of texts that are not UTF-8 "|S12". */
typedef struct item {
    char kind;   /* f i u b U S */
    size_t size; /* bytes */
} item;

static item exchange_npy_item_of(const rt_value *v)
{
    if (v->kind == RT_REALS) return (item){'f', 8};
    if (v->kind == RT_INTEGERS) return (item){'i', 8};
    if (v->kind == RT_FLAGS) return (item){'b', 1};
    size_t most = 1, most_bytes = 1, n;
    bool utf8 = true;
    for (size_t k = 0; k < rt_value_count(v); k++) {
        const size_t length = strlen(v->texts[k]);
        utf8 = utf8 && rt_utf8_count(v->texts[k], &n);
        if (utf8 && n > most) most = n;
        if (length > most_bytes) most_bytes = length;
    }
    return utf8 ? (item){'U', 4 * most} : (item){'S', most_bytes};
}

/* The dictionary, padded so that the data begin at a multiple of 64. */
static size_t exchange_npy_head(const rt_value *v, item type, char text[256])
{
    char shape[64] = "";
    if (v->rank == 1) snprintf(shape, sizeof shape, "%zu,", v->rows);
    if (v->rank == 2) snprintf(shape, sizeof shape, "%zu, %zu", v->rows, v->columns);
    const bool bytes = type.kind == 'b' || type.kind == 'S';
    const size_t number = type.kind == 'U' ? type.size / 4 : type.size;
    const int n =
        snprintf(text, 256, "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': (%s), }",
                 bytes ? '|' : '<', type.kind, number, shape);
    size_t length = (size_t)n;
    while ((MAGIC + 4 + length + 1) % ALIGNED) text[length++] = ' ';
    text[length++] = '\n';
    return length;
}

static void exchange_npy_put_text(unsigned char *to, const char *text, item type)
{
    uint32_t code;
    if (type.kind == 'S') {
        memcpy(to, text, strlen(text));
        return;
    }
    for (; *text && rt_utf8_next(&text, &code); to += 4) exchange_npy_put(to, code, 4);
}

static void put_entry(unsigned char *to, const rt_value *v, size_t k, item type)
{
    uint64_t bits;
    if (v->kind == RT_TEXTS) {
        exchange_npy_put_text(to, v->texts[k], type);
        return;
    }
    if (v->kind == RT_REALS)
        memcpy(&bits, &v->reals[k], sizeof bits);
    else
        bits = (uint64_t)(int64_t)v->reals[k];
    exchange_npy_put(to, bits, type.size);
}

routh_status rt_npy_write(const rt_value *v, rt_file *out, routh_error *error)
{
    char text[256];
    const item type = exchange_npy_item_of(v);
    const size_t n = rt_value_count(v), length = exchange_npy_head(v, type, text);
    out->length = MAGIC + 4 + length + n * type.size;
    out->bytes = calloc(out->length, 1);
    if (!out->bytes) return rt_fail_memory(error);
    unsigned char *to = (unsigned char *)out->bytes;
    memcpy(to, magic, MAGIC);
    to[MAGIC] = 1; /* version 1.0 */
    exchange_npy_put(to + MAGIC + 2, length, 2);
    memcpy(to + MAGIC + 4, text, length);
    to += MAGIC + 4 + length;
    for (size_t k = 0; k < n; k++, to += type.size) put_entry(to, v, k, type);
    return ROUTH_OK;
}

/* ---- reading -------------------------------------------------------------------------------- */

typedef struct exchange_npy_array {
    item type;
    bool columns_first; /* in memory: Fortran's order */
    int rank;
    size_t shape[2];
    const unsigned char *data;
    size_t length;
} exchange_npy_array;

/* Behind `key:` and blanks in the dictionary, or NULL. */
static const char *behind(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    if (!at) return NULL;
    at += strlen(key);
    return at + strspn(at, " :");
}

static bool read_size(const char **at, size_t *n)
{
    size_t digits = 0;
    for (*n = 0; **at >= '0' && **at <= '9'; ++*at, digits++) {
        if (digits > 12) return false;
        *n = 10 * *n + (size_t)(**at - '0');
    }
    return digits > 0;
}

static bool exchange_npy_read_shape(const char *at, exchange_npy_array *a)
{
    if (!at || *at++ != '(') return false;
    while (*(at += strspn(at, " ,")) != ')') {
        if (a->rank == 2 || !read_size(&at, &a->shape[a->rank])) return false;
        a->rank++;
    }
    return true;
}

static bool read_type(const char *at, item *type)
{
    if (!at || (*at != '\'' && *at != '"')) return false;
    at++;
    if (*at != '<' && *at != '|') return false;
    type->kind = *++at;
    at++;
    if (!read_size(&at, &type->size)) return false;
    if (type->kind == 'U') type->size *= 4;
    const size_t n = type->size;
    if (type->kind == 'f') return n == 8 || n == 4;
    if (type->kind == 'i' || type->kind == 'u') return n == 1 || n == 2 || n == 4 || n == 8;
    return type->kind == 'b' ? n == 1 : type->kind == 'U' || type->kind == 'S';
}

static routh_status read_dictionary(const char *name, const char *text, exchange_npy_array *a,
                                    routh_error *error)
{
    const char *order = behind(text, "'fortran_order'");
    if (!read_type(behind(text, "'descr'"), &a->type))
        return rt_value_broken(name, error,
                               "is no array of real or whole numbers, truth values or texts in "
                               "little-endian order");
    if (!order || !exchange_npy_read_shape(behind(text, "'shape'"), a))
        return rt_value_broken(name, error, "is no array of at most two dimensions");
    a->columns_first = strncmp(order, "True", 4) == 0;
    return ROUTH_OK;
}

static routh_status exchange_npy_read_head(const char *name, const rt_file *file,
                                           exchange_npy_array *a, routh_error *error)
{
    char text[512];
    const unsigned char *bytes = (const unsigned char *)file->bytes;
    if (file->length < MAGIC + 6 || memcmp(bytes, magic, MAGIC) != 0)
        return rt_value_broken(name, error, "is no array of NumPy");
    const size_t wide = bytes[MAGIC] == 1 ? 2 : 4, start = MAGIC + 2 + wide;
    const size_t length = (size_t)exchange_npy_get(bytes + MAGIC + 2, wide);
    if (length >= sizeof text || length > file->length - start)
        return rt_value_broken(name, error, "has a head of %zu bytes, which is too long", length);
    memcpy(text, bytes + start, length);
    text[length] = '\0';
    a->data = bytes + start + length;
    a->length = file->length - start - length;
    return read_dictionary(name, text, a, error);
}

static double exchange_npy_number(const unsigned char *from, item type)
{
    const uint64_t bits = exchange_npy_get(from, type.size);
    if (type.kind == 'f' && type.size == 4) {
        float x;
        const uint32_t half = (uint32_t)bits;
        memcpy(&x, &half, sizeof x);
        return (double)x;
    }
    if (type.kind == 'f') {
        double x;
        memcpy(&x, &bits, sizeof x);
        return x;
    }
    if (type.kind != 'i') return (double)bits;
    const unsigned spare = 64 - 8 * (unsigned)type.size;
    return (double)((int64_t)(bits << spare) >> spare);
}

static routh_status text_entry(rt_record *record, rt_value *v, size_t k, const unsigned char *from,
                               item type, routh_error *error)
{
    if (type.kind == 'S') {
        const unsigned char *zero = memchr(from, 0, type.size);
        return rt_record_text(record, v, k, (const char *)from,
                              zero ? (size_t)(zero - from) : type.size, error);
    }
    char *text = malloc(type.size + 4);
    size_t length = 0, n = 0;
    if (!text) return rt_fail_memory(error);
    for (size_t i = 0; i < type.size && exchange_npy_get(from + i, 4); i += 4) {
        n = rt_utf8_put(text + length, (uint32_t)exchange_npy_get(from + i, 4));
        length += n;
        if (n == 0) break;
    }
    const bool bad = length > 0 && n == 0;
    const routh_status status = bad ? rt_value_broken(v->name, error, "is not in Unicode")
                                    : rt_record_text(record, v, k, text, length, error);
    free(text);
    return status;
}

routh_status rt_npy_read(rt_record *record, const char *name, const rt_file *file,
                         routh_error *error)
{
    exchange_npy_array a = {.shape = {1, 1}};
    routh_status status = exchange_npy_read_head(name, file, &a, error);
    if (status) return status;
    const size_t rows = a.shape[0], columns = a.shape[1];
    if ((columns && rows > RT_MOST_BYTES / columns) ||
        (a.type.size ? a.length % a.type.size || a.length / a.type.size != rows * columns
                     : a.length > 0 || rows * columns > 10000))
        return rt_value_broken(name, error, "has %zu bytes, which are not %zu x %zu entries",
                               a.length, rows, columns);
    const bool texts = a.type.kind == 'U' || a.type.kind == 'S';
    rt_value *v =
        rt_record_add(record, name, texts ? RT_TEXTS : RT_REALS, a.rank, rows, columns, error);
    if (!v) return error->status;
    for (size_t k = 0; k < rows * columns && !status; k++) {
        const size_t at = a.columns_first && columns ? k % columns * rows + k / columns : k;
        if (texts)
            status = text_entry(record, v, k, a.data + at * a.type.size, a.type, error);
        else
            v->reals[k] = exchange_npy_number(a.data + at * a.type.size, a.type);
    }
    return status;
}
