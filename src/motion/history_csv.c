/* A line for each record, after one that names the columns: "bodies/rod/position x [m]". */
#define _POSIX_C_SOURCE 200809L /* strtok_r */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/csv.h"
#include "motion/history_writer.h"

typedef struct history_csv_table {
    FILE *to;
    const routh_channels *channels;
} history_csv_table;

static routh_status history_csv_cannot_write(routh_error *error)
{
    return rt_fail(error, ROUTH_FILE_ERROR,
                   "the history cannot be written: %s; check disk space, a quota and the limit on "
                   "the size of files (ulimit -f)",
                   strerror(errno));
}

static routh_status put_out(history_csv_table *t, rt_csv *csv, routh_error *error)
{
    const routh_status status = rt_csv_finish(csv, error);
    if (status) return status;
    const bool done = fwrite(csv->text.bytes, 1, csv->text.length, t->to) == csv->text.length;
    rt_text_free(&csv->text);
    return done && fflush(t->to) == 0 ? ROUTH_OK : history_csv_cannot_write(error);
}

/* Of one component, whose name has so many letters. */
static void history_csv_head_of(rt_csv *csv, const routh_channel *c, const char *component,
                                int length)
{
    char text[512];
    snprintf(text, sizeof text, "%s%s%.*s%s%s%s", c->path, length ? " " : "", length, component,
             *c->unit ? " [" : "", c->unit, *c->unit ? "]" : "");
    rt_csv_text(csv, text);
}

static routh_status put_heads(history_csv_table *t, routh_error *error)
{
    rt_csv csv = {0};
    for (int k = 0; k < t->channels->n; k++) {
        const routh_channel *c = &t->channels->channel[k];
        const char *at = c->components;
        if (!*at) history_csv_head_of(&csv, c, "", 0);
        while (*at) {
            const int length = (int)strcspn(at, " ");
            history_csv_head_of(&csv, c, at, length);
            at += length + (at[length] == ' ');
        }
    }
    rt_csv_line(&csv);
    return put_out(t, &csv, error);
}

static routh_status history_csv_create(void **own, const char *name, const rt_history_head *head,
                                       routh_error *error)
{
    history_csv_table *t = calloc(1, sizeof *t);
    if (!t) return rt_fail_memory(error);
    *own = t;
    t->channels = head->channels;
    t->to = fopen(name, "w");
    return t->to ? put_heads(t, error) : history_csv_cannot_write(error);
}

static routh_status history_csv_append(void *own, const double *records, long n, routh_error *error)
{
    history_csv_table *t = own;
    rt_csv csv = {0};
    for (long k = 0; k < n; k++) {
        for (int j = 0; j < t->channels->width; j++) rt_csv_real(&csv, "history", *records++);
        rt_csv_line(&csv);
    }
    return put_out(t, &csv, error);
}

static routh_status history_csv_event(void *own, const routh_event *e, routh_error *error)
{
    (void)own, (void)e, (void)error;
    return ROUTH_OK; /* a table has no place for them */
}

static routh_status history_csv_keep(void *own, const double *numbers, routh_error *error)
{
    (void)own, (void)numbers, (void)error;
    return ROUTH_OK; /* nor for these: it cannot be gone on with */
}

static routh_status history_csv_finish(void *own, const routh_history_summary *summary,
                                       routh_error *error)
{
    (void)own, (void)summary, (void)error;
    return ROUTH_OK;
}

static void finish_off(void *own)
{
    history_csv_table *t = own;
    if (!t) return;
    if (t->to) fclose(t->to);
    free(t);
}

const rt_history_writer rt_history_csv = {
    .suffixes = {".csv"},
    .create = history_csv_create,
    .append = history_csv_append,
    .event = history_csv_event,
    .keep = history_csv_keep,
    .finish = history_csv_finish,
    .close = finish_off,
};
