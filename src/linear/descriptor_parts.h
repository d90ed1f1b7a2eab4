/* Parts of the descriptor systems; for linear/descriptor*.c alone. */
#ifndef RT_LINEAR_DESCRIPTOR_PARTS_H
#define RT_LINEAR_DESCRIPTOR_PARTS_H

#include "linear/holder.h"

/* A matrix as a list of entries, repeats allowed. */
typedef struct rt_descriptor_list {
    int *row, *column, *position;
    double *value;
    size_t n;
} rt_descriptor_list;

bool rt_descriptor_take(rt_descriptor_list *list, size_t room, rt_arena *arena);

static inline void rt_descriptor_add(rt_descriptor_list *l, int row, int column, double value)
{
    l->row[l->n] = row;
    l->column[l->n] = column;
    l->value[l->n++] = value;
}

/* sign times a matrix, its first entry at (first_row, first_column) */
void rt_descriptor_add_block(rt_descriptor_list *list, const rt_pattern *pattern,
                             const double *values, double sign, int first_row, int first_column);

routh_status rt_descriptor_compress(routh_sparse *out, const rt_descriptor_list *list, int n_rows,
                                    int n_columns, rt_arena *arena, routh_error *error);

/* E, A and states of the whole system (descriptor_whole.c), in the arena; the task's sensors are
 * there. */
routh_status rt_descriptor_fill_whole(routh_descriptor *descriptor, const rt_method_task *task,
                                      rt_arena *work, rt_arena *arena, routh_error *error);

/* E_rest, A_rest, E_error, A_error of y = (xi, du, lambda), and E and A rounded anew; NULL is left
 * where numbers of 113 bits do not serve. slot: all rows of Phi, their place among the independent
 * ones, or -1. */
routh_status rt_descriptor_extend(routh_descriptor *descriptor, const rt_linear_task *task,
                                  const int *slot, rt_arena *arena, routh_error *error);

#endif
