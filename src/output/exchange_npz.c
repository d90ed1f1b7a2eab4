/* NumPy: a zip archive (libzip) with an array for each member, not compressed. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

#include "base/save.h"
#include "output/exchange_fields.h"
#include "base/file.h"
#include "output/exchange_format.h"
#include "output/exchange_npy.h"

enum { MOST_ENTRIES = 1000, MOST_NAME = 80 };

static const char suffix[] = ".npy";

/* numpy.savez(path, **arrays), which writes again what was read, takes no array called `file`. */
static const char file_name[] = "file", file_entry[] = "model_file";

static routh_status fail_zip(zip_error_t *why, routh_error *error)
{
    if (zip_error_code_zip(why) == ZIP_ER_MEMORY) return rt_fail_memory(error);
    return rt_fail(error, ROUTH_SYNTAX_ERROR, "it is no sound zip archive of NumPy arrays: %s",
                   zip_error_strerror(why));
}

/* ---- writing -------------------------------------------------------------------------------- */

static routh_status exchange_npz_put_value(zip_t *zip, const rt_value *v, routh_error *error)
{
    char name[MOST_NAME + sizeof suffix];
    rt_file file;
    const routh_status status = rt_npy_write(v, &file, error);
    if (status) return status;
    zip_source_t *source = zip_source_buffer(zip, file.bytes, file.length, 1);
    if (!source) {
        free(file.bytes);
        return rt_fail_memory(error);
    }
    snprintf(name, sizeof name, "%.*s%s", MOST_NAME,
             strcmp(v->name, file_name) == 0 ? file_entry : v->name, suffix);
    const zip_int64_t index = zip_file_add(zip, name, source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
        zip_source_free(source);
        return fail_zip(zip_get_error(zip), error);
    }
    /* the same model gives the same bytes: no time of day (1 January 1980, where MS-DOS began) */
    if (zip_set_file_compression(zip, (zip_uint64_t)index, ZIP_CM_STORE, 0) < 0 ||
        zip_file_set_dostime(zip, (zip_uint64_t)index, 0, 33, 0) < 0)
        return fail_zip(zip_get_error(zip), error);
    return ROUTH_OK;
}

static routh_status exchange_npz_put_all(zip_source_t *into, const rt_record *record,
                                         routh_error *error)
{
    zip_error_t why;
    zip_error_init(&why);
    zip_source_keep(into); /* closing the archive gives one hold on it back */
    zip_t *zip = zip_open_from_source(into, ZIP_TRUNCATE, &why);
    if (!zip) zip_source_free(into);
    routh_status status = zip ? ROUTH_OK : fail_zip(&why, error);
    for (int k = 0; k < record->n && !status; k++)
        status = exchange_npz_put_value(zip, &record->values[k], error);
    if (!status && zip_close(zip) < 0)
        status = fail_zip(zip_get_error(zip), error);
    else if (!status)
        zip = NULL;
    if (zip) zip_discard(zip);
    zip_error_fini(&why);
    return status;
}

static routh_status take_bytes(zip_source_t *from, rt_file *file, routh_error *error)
{
    zip_stat_t stat;
    zip_stat_init(&stat);
    if (zip_source_stat(from, &stat) < 0 || !(stat.valid & ZIP_STAT_SIZE) ||
        zip_source_open(from) < 0)
        return fail_zip(zip_source_error(from), error);
    file->length = (size_t)stat.size;
    file->bytes = malloc(file->length + 1);
    routh_status status = file->bytes ? ROUTH_OK : rt_fail_memory(error);
    if (!status && zip_source_read(from, file->bytes, stat.size) != (zip_int64_t)stat.size)
        status = fail_zip(zip_source_error(from), error);
    zip_source_close(from);
    return status;
}

static routh_status exchange_npz_write_model(const rt_record *record, const char *path,
                                             routh_error *error)
{
    rt_file file = {0};
    zip_error_t why;
    zip_error_init(&why);
    zip_source_t *into = zip_source_buffer_create(NULL, 0, 0, &why);
    routh_status status = into ? exchange_npz_put_all(into, record, error) : fail_zip(&why, error);
    if (!status) status = take_bytes(into, &file, error);
    if (!status) status = rt_save_bytes(path, file.bytes, file.length, error);
    free(file.bytes);
    if (into) zip_source_free(into);
    zip_error_fini(&why);
    return status;
}

/* ---- reading -------------------------------------------------------------------------------- */

/* All of it, and the end, where libzip compares the check sum. */
static routh_status read_entry(zip_t *zip, const char *name, const zip_stat_t *stat, rt_file *file,
                               routh_error *error)
{
    char more;
    zip_file_t *entry = zip_fopen_index(zip, stat->index, 0);
    if (!entry) return fail_zip(zip_get_error(zip), error);
    const zip_int64_t n = zip_fread(entry, file->bytes, stat->size);
    const bool whole = n == (zip_int64_t)stat->size && zip_fread(entry, &more, 1) == 0;
    zip_fclose(entry);
    return whole ? ROUTH_OK : rt_value_broken(name, error, "is broken in the zip archive");
}

/* Deflate makes at most some 1032 bytes of one. */
static routh_status take_entry(rt_record *record, zip_t *zip, const char *name,
                               const zip_stat_t *stat, routh_error *error)
{
    if (stat->size > RT_MOST_BYTES || stat->size / 1100 > stat->comp_size + 1)
        return rt_value_broken(name, error, "claims %llu bytes, more than it can have",
                               (unsigned long long)stat->size);
    rt_file file = {.length = (size_t)stat->size};
    file.bytes = malloc(file.length + 1);
    if (!file.bytes) return rt_fail_memory(error);
    routh_status status = read_entry(zip, name, stat, &file, error);
    if (!status) status = rt_npy_read(record, name, &file, error);
    free(file.bytes);
    return status;
}

static routh_status read_archive(rt_record *record, zip_t *zip, routh_error *error)
{
    const zip_int64_t n = zip_get_num_entries(zip, 0);
    const zip_uint64_t all = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_INDEX;
    if (n > MOST_ENTRIES)
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED, "it has more than %d entries", MOST_ENTRIES);
    for (zip_int64_t k = 0; k < n; k++) {
        char name[MOST_NAME];
        zip_stat_t stat;
        if (zip_stat_index(zip, (zip_uint64_t)k, 0, &stat) < 0 || (stat.valid & all) != all)
            return fail_zip(zip_get_error(zip), error);
        const size_t length = strlen(stat.name), end = sizeof suffix - 1;
        if (length <= end || length >= sizeof name || strcmp(stat.name + length - end, suffix) != 0)
            continue;
        memcpy(name, stat.name, length - end);
        name[length - end] = '\0';
        if (strcmp(name, file_entry) == 0) memcpy(name, file_name, sizeof file_name);
        if (!rt_name_is_known(name)) continue;
        const routh_status status = take_entry(record, zip, name, &stat, error);
        if (status) return status;
    }
    return ROUTH_OK;
}

static routh_status read_bytes(rt_record *record, const rt_file *file, routh_error *error)
{
    zip_error_t why;
    zip_error_init(&why);
    zip_source_t *source = zip_source_buffer_create(file->bytes, file->length, 0, &why);
    zip_t *zip = source ? zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &why) : NULL;
    if (source && !zip) zip_source_free(source);
    const routh_status status = zip ? read_archive(record, zip, error) : fail_zip(&why, error);
    if (zip) zip_discard(zip);
    zip_error_fini(&why);
    return status;
}

static routh_status exchange_npz_read_model(rt_record *record, const char *path, routh_error *error)
{
    rt_file file;
    routh_status status = rt_file_read(path, &file, error);
    if (status) return status;
    status = read_bytes(record, &file, error);
    free(file.bytes);
    return status;
}

const rt_format rt_format_npz = {.name = "npz",
                                 .suffixes = {".npz"},
                                 .magic = "PK",
                                 .by_suffix = true,
                                 .lists_members = true,
                                 .write = exchange_npz_write_model,
                                 .read = exchange_npz_read_model};
