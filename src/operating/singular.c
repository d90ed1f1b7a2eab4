/* Is this configuration singular? Where links stand in line, fewer rows of constraints are
 * independent than a little away from there. */
#include <stdlib.h>

#include "operating/operating.h"

/* Numbers in [-1, 1], the same in every run. */
static double next_random(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 23) - 1;
}

/* Moved a thousandth of the typical length any way, and assembled again. */
static routh_status step_away(rt_search *s, routh_error *error)
{
    unsigned seed = 1;
    for (int c = 0; c < s->m->n_u; c++)
        s->z[c] = 1e-3 * s->m->length * s->unit[c] * next_random(&seed);
    rt_advance(s->m, s->state->q, s->z);
    return rt_assemble(s, error);
}

static routh_status rank_here(rt_search *s, int *rank, routh_error *error)
{
    rt_elimination *e = NULL;
    routh_status status = rt_evaluate(s->m, s->w, s->state, RT_EVALUATE_JACOBIAN, error);
    if (!status)
        status = rt_eliminate_jacobian(s, &e, error);
    if (!status) *rank = e->rank;
    rt_elimination_free(e);
    return status;
}

routh_status rt_rank_nearby(rt_search *s, int *rank, routh_error *error)
{
    enum { MOST_COLUMNS = 3000 };
    *rank = s->rank->rank;
    if (*rank == s->m->n_rows || s->m->n_u > MOST_COLUMNS) return ROUTH_OK;
    double *q = malloc((size_t)s->m->n_q * sizeof *q);
    if (!q) return rt_fail_memory(error);
    const int iterations = s->iterations;
    routh_error unused;
    memcpy(q, s->state->q, (size_t)s->m->n_q * sizeof *q);
    routh_status status = step_away(s, &unused);
    if (!status) status = rank_here(s, rank, &unused);
    memcpy(s->state->q, q, (size_t)s->m->n_q * sizeof *q);
    free(q);
    s->iterations = iterations;
    return status == ROUTH_OUT_OF_MEMORY ? rt_fail_memory(error) : ROUTH_OK;
}
