/* Files of time histories, one const struct each. */
#ifndef RT_MOTION_HISTORY_WRITER_H
#define RT_MOTION_HISTORY_WRITER_H

#include "motion/history_channels.h"

/* What stands at the head of a file: all that tells one run from another. */
typedef struct rt_history_head {
    const routh_channels *channels;
    const routh_model *model;
    const char *coordinates, *integrator, *groups;
    double tolerance, fixed_step, largest_step, dissipation, start, end, every;
    int block;
    size_t n_numbers; /* of a place where the run can be taken up again */
} rt_history_head;

typedef struct rt_history_writer {
    const char *suffixes[3]; /* ends with NULL */
    bool resumes;            /* its files can be gone on with */
    routh_status (*create)(void **own, const char *name, const rt_history_head *head,
                           routh_error *error);
    /* n records, rows of the channels' width: head->block of them, or fewer at the end. */
    routh_status (*append)(void *own, const double *records, long n, routh_error *error);
    routh_status (*event)(void *own, const routh_event *event, routh_error *error);
    /* The run can be taken up after all records and events so far. */
    routh_status (*keep)(void *own, const double *numbers, routh_error *error);
    routh_status (*finish)(void *own, const routh_history_summary *summary, routh_error *error);
    void (*close)(void *own); /* in any case; NULL is allowed */
} rt_history_writer;

extern const rt_history_writer rt_history_hdf5, rt_history_csv;

/* By the file's suffix. NOT_SUPPORTED names those there are. */
routh_status rt_history_writer_find(const char *file, const rt_history_writer **writer,
                                    routh_error *error);

/* The part of a file up to the place where it can be taken up again. */
typedef struct rt_history_past {
    long n_records, n_events;
    double *records; /* n_records x width */
    double *numbers;
    struct rt_past_event {
        double time;
        int direction, action;
        char name[128], what[128];
    } * events;
} rt_history_past;

/* Reads it from an HDF5 file of this library. BAD_ARGUMENT names what is not the same in the head,
 * FILE_ERROR what cannot be read. Free with rt_history_past_free. */
routh_status rt_history_read_past(const char *file, const rt_history_head *head,
                                  rt_history_past *past, routh_error *error);
void rt_history_past_free(rt_history_past *past);

#endif
