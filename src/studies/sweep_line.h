/* A line of a sweep: the starts of its pieces, and the pieces put together. */
#ifndef RT_STUDIES_SWEEP_LINE_H
#define RT_STUDIES_SWEEP_LINE_H

#include "studies/sweep.h"

/* The solutions where pieces begin and where the last ends: n + 1. */
typedef struct rt_line_starts {
    int n;
    rt_solution *solutions;
    int *first; /* n + 1: which values */
} rt_line_starts;

/* From the first value on, each from the one before; the first from that of the line before. Fills
 * in the pieces. Stops early where that is asked for. */
routh_status rt_line_starts_find(rt_line_starts *starts, const rt_sweep_task *task,
                                 const routh_sweep_axis *axis, int n_pieces,
                                 const rt_line_starts *before, rt_segment *pieces,
                                 routh_error *error);
void rt_line_starts_free(rt_line_starts *starts);

/* The line of all pieces that are there, its branches numbered as those of the line before, where
 * there is one. limits: those of stability are sought. */
routh_status rt_line_join(routh_sweep_line *line, const rt_line_starts *starts,
                          const rt_line_starts *starts_before, const routh_sweep_line *before,
                          double second, rt_segment *pieces, int n_pieces, bool limits,
                          routh_error *error);

/* Removes what is said to be ambiguous where a limit of the same branches says it all. */
void rt_line_drop_doubts(routh_sweep_line *line);

/* Where the number of unstable eigenvalues changes from a value to the next by other than what the
 * limits between explain, adds that these are not resolved; there is room for one at every step. */
void rt_line_account(routh_sweep_line *line);

/* Puts branches that begin with equal eigenvalues in the order in which they part. n_first: of
 * first_branch. All points know all branches. */
routh_status rt_line_order(routh_sweep_line *line, int n_first, routh_error *error);

#endif
