/* The order of the independent rows of G. */
#include "methods/method.h"

bool rt_number_rows_of(const rt_search *s, const rt_elimination *rank, int *slot, rt_arena *arena)
{
    const rt_pattern *G = &s->m->pattern_G;
    const int n_rows = s->m->n_rows, n = s->m->n_u;
    int *last = RT_TAKE(arena, int, n_rows), *place = RT_TAKE(arena, int, n + 2);
    if (!last || !place) return false;
    for (int c = 0; c < n; c++)
        for (int e = G->start[c]; e < G->start[c + 1]; e++) last[G->row[e]] = c;
    /* counting sort; place[c]: where the next row that ends in column c goes */
    for (int r = 0; r < n_rows; r++)
        if (rank->row_step[r] >= 0) place[last[r] + 1]++;
    for (int c = 0; c < n; c++) place[c + 1] += place[c];
    for (int r = 0; r < n_rows; r++) slot[r] = rank->row_step[r] < 0 ? -1 : place[last[r]]++;
    return true;
}

bool rt_number_rows(const rt_search *s, int *slot, rt_arena *arena)
{
    return rt_number_rows_of(s, s->rank, slot, arena);
}
