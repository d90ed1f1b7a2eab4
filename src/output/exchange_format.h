/* What a format is: one file of this room each, and its place in the list of exchange_formats.c. */
#ifndef RT_OUTPUT_EXCHANGE_FORMAT_H
#define RT_OUTPUT_EXCHANGE_FORMAT_H

#include "output/exchange_record.h"

typedef struct rt_format {
    const char *name;
    const char *suffixes[3]; /* the first is the usual one; until NULL */
    const char *magic;       /* how its files begin; NULL where they are told otherwise */
    bool by_suffix;     /* no model file has its suffix: what is called so is meant to be one */
    bool lists_members; /* its files are given "members", since they may lose some unseen */
    routh_status (*write)(const rt_record *record, const char *path, routh_error *error);
    /* Adds all that the file holds under names that the table of fields knows; the rest is passed
     * over. error is never NULL. */
    routh_status (*read)(rt_record *record, const char *path, routh_error *error);
} rt_format;

extern const rt_format rt_format_json, rt_format_mat, rt_format_hdf5, rt_format_npz, rt_format_csv,
    rt_format_mtx;

/* Format k, NULL past the last. */
const rt_format *rt_format_at(int k);

/* By name; BAD_ARGUMENT lists those there are. */
routh_status rt_format_find(const char *name, const rt_format **format, routh_error *error);

/* By the suffix of the path, or NULL. */
const rt_format *rt_format_of_name(const char *path);

/* By what is in the file, or NULL. */
const rt_format *rt_format_of_file(const char *path);

#endif
