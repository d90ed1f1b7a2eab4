/* A matrix as a file has it: entries one after another. */
#ifndef RT_FLEXIBLE_FEM_ENTRIES_H
#define RT_FLEXIBLE_FEM_ENTRIES_H

#include "flexible/fem_text.h"

/* Rows and columns are either counted from 0, or labels of node and direction. */
typedef struct rt_fe_entries {
    size_t n, room;
    long *row, *column;
    double *value;
    bool labelled;
    bool triangle; /* an entry whose mirror image is missing stands for both */
    int order;     /* rows; 0: not said */
    bool stated;   /* the file says so; else it is the largest row or column of an entry */
    const char *path;
} rt_fe_entries;

static inline long rt_fe_label(int node, int direction) { return (long)node * 8 + direction; }
static inline int rt_fe_label_node(long label) { return (int)(label / 8); }
static inline int rt_fe_label_direction(long label) { return (int)(label % 8); }

routh_status rt_fe_add(rt_fe_entries *e, long row, long column, double value, routh_error *error);
void rt_fe_entries_free(rt_fe_entries *e);

/* One function a form; the text stands before its first line. name: of the matrix in the file. */
routh_status rt_fe_market(rt_fe_text *text, rt_fe_entries *e, routh_error *error);
routh_status rt_fe_calculix(rt_fe_text *text, rt_fe_entries *e, routh_error *error);
routh_status rt_fe_abaqus(rt_fe_text *text, rt_fe_entries *e, routh_error *error);
routh_status rt_fe_dmig(rt_fe_text *text, const char *const *names, rt_fe_entries *e,
                        routh_error *error);
routh_status rt_fe_op4(rt_fe_text *text, const char *const *names, rt_fe_entries *e,
                       routh_error *error);

/* Finds out what kind of file it is and reads it. names: those the matrix may have, until NULL. */
routh_status rt_fe_matrix(const char *path, const char *const *names, rt_fe_entries *e,
                          routh_error *error);

#endif
