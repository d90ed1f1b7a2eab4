/* The formats, and how they are told apart. */
#define _GNU_SOURCE /* memmem */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/text.h"
#include "base/file.h"
#include "output/exchange_format.h"
#include "routh/exchange.h"

static const rt_format *const formats[] = {&rt_format_json,
                                           &rt_format_mat,
                                           &rt_format_hdf5,
                                           &rt_format_npz,
                                           &rt_format_csv,
                                           &rt_format_mtx,
                                           NULL};

const rt_format *rt_format_at(int k) { return formats[k]; }

const char *routh_exchange_format_name(int k)
{
    const int n = (int)(sizeof formats / sizeof *formats) - 1; /* and NULL */
    return k >= 0 && k < n ? formats[k]->name : NULL;
}

routh_status rt_format_find(const char *name, const rt_format **format, routh_error *error)
{
    char names[160];
    for (int k = 0; formats[k]; k++)
        if (strcmp(formats[k]->name, name) == 0) {
            *format = formats[k];
            return ROUTH_OK;
        }
    rt_list_names(names, sizeof names, routh_exchange_format_name);
    return rt_fail(error, ROUTH_BAD_ARGUMENT, "there is no format '%s'; there are: %s", name,
                   names);
}

static bool exchange_formats_ends_in(const char *path, const char *suffix)
{
    const size_t n = strlen(path), m = strlen(suffix);
    return n > m && strcasecmp(path + n - m, suffix) == 0;
}

const rt_format *rt_format_of_name(const char *path)
{
    const bool folder = exchange_formats_ends_in(path, "/") || rt_is_folder(path);
    for (int k = 0; formats[k]; k++) {
        if (folder && formats[k]->suffixes[0] == NULL) return formats[k];
        for (int i = 0; !folder && formats[k]->suffixes[i]; i++)
            if (exchange_formats_ends_in(path, formats[k]->suffixes[i])) return formats[k];
    }
    return NULL;
}

/* An object with a text "routh-linear/..: no model file has one. */
static bool is_json(const rt_file *file)
{
    static const char mark[] = "\"routh-linear/";
    const size_t blank = strspn(file->bytes, " \t\r\n");
    return file->bytes[blank] == '{' &&
           memmem(file->bytes, file->length, mark, sizeof mark - 1) != NULL;
}

static const rt_format *by_content(const rt_file *file)
{
    for (int k = 0; formats[k]; k++) {
        const char *magic = formats[k]->magic;
        if (magic && strncmp(file->bytes, magic, strlen(magic)) == 0) return formats[k];
    }
    return is_json(file) ? &rt_format_json : NULL;
}

const rt_format *rt_format_of_file(const char *path)
{
    const rt_format *by_name = rt_format_of_name(path);
    rt_file file;
    if (by_name && (by_name->by_suffix || rt_is_folder(path))) return by_name;
    if (rt_file_read(path, &file, NULL)) return NULL;
    const rt_format *format = by_content(&file);
    free(file.bytes);
    return format;
}

const char *routh_exchange_format_of_name(const char *path)
{
    const rt_format *format = path ? rt_format_of_name(path) : NULL;
    return format ? format->name : NULL;
}

const char *routh_exchange_format_of_file(const char *path)
{
    const rt_format *format = path ? rt_format_of_file(path) : NULL;
    return format ? format->name : NULL;
}
