/* See sensitivity_varied_rows.h. */
#include "studies/sensitivity_varied_rows.h"

#include <string.h>

enum { BLOCK = 64 }; /* rows of one block */

routh_status rt_varied_rows_create(rt_varied_rows *r, int n_numbers, int width, rt_arena *arena,
                                   routh_error *error)
{
    *r = (rt_varied_rows){.n_numbers = n_numbers,
                          .width = width,
                          .row = RT_TAKE(arena, int, n_numbers),
                          .block = RT_TAKE(arena, double *, n_numbers / BLOCK + 1),
                          .arena = arena};
    if (!r->row || !r->block) return rt_fail_memory(error);
    rt_varied_rows_clear(r);
    return ROUTH_OK;
}

void rt_varied_rows_clear(rt_varied_rows *r)
{
    for (int k = 0; k < r->n_numbers; k++) r->row[k] = -1;
    r->n = 0;
}

static double *sensitivity_varied_rows_place(const rt_varied_rows *r, int row)
{
    return r->block[row / BLOCK] + (size_t)(row % BLOCK) * (size_t)r->width;
}

double *rt_varied_row(rt_varied_rows *r, int number)
{
    if (r->row[number] >= 0) return sensitivity_varied_rows_place(r, r->row[number]);
    double **block = &r->block[r->n / BLOCK];
    if (!*block) *block = RT_TAKE(r->arena, double, BLOCK *(size_t)r->width);
    if (!*block) return NULL;
    r->row[number] = r->n++;
    return memset(sensitivity_varied_rows_place(r, r->row[number]), 0,
                  (size_t)r->width * sizeof(double));
}

const double *rt_varied_row_read(const rt_varied_rows *r, int number)
{
    return r->row[number] < 0 ? NULL : sensitivity_varied_rows_place(r, r->row[number]);
}
