/* Rows of constraints that contradict each other: which they are.
 *
 * A redundant row g_r is one combination of the independent ones, G' y = g_r, and those with y_i
 * not zero are, with row r, the fewest that cannot hold together: without any of them the others
 * are independent. y is the multiplier of
 *     [W G'; G 0] [x; y] = [g_r; 0],   W weighs rotations by the typical length squared. */
#include <stdio.h>

#include "base/kept_memory.h"
#include "operating/contradiction.h"

/* y, n_rows, in search->y; search->w->M is used up. */
static routh_status find_combination(rt_search *s, int row, routh_error *error)
{
    const rt_pattern *M = &s->m->pattern_M, *G = &s->m->pattern_G;
    memset(s->x, 0, (size_t)s->m->n_u * sizeof *s->x);
    memset(s->y, 0, (size_t)s->m->n_rows * sizeof *s->y);
    s->w->evaluated = 0; /* M is another one from here */
    for (int c = 0; c < M->n_columns; c++) {
        for (int p = M->start[c]; p < M->start[c + 1]; p++)
            s->w->M[p] = M->row[p] == c ? 1 / (s->unit[c] * s->unit[c]) : 0;
        for (int p = G->start[c]; p < G->start[c + 1]; p++)
            if (G->row[p] == row) s->x[c] = s->w->G[p];
    }
    routh_status status = rt_search_mass(s, error);
    if (!status) status = rt_kkt_factor(s->mass, s->w->M, s->w->G, NULL, 0, error);
    return status ? status : rt_kkt_solve(s->mass, s->x, s->y, error);
}

routh_status rt_dependent_rows(rt_search *s, int row, bool *part, routh_error *error)
{
    double *size = rt_kept_malloc(s->m->analyses, ((size_t)s->m->n_rows + 1) * sizeof *size);
    if (!size) return rt_fail_memory(error);
    const routh_status status = find_combination(s, row, error);
    rt_row_sizes(s, size);
    for (int r = 0; r < s->m->n_rows && !status; r++)
        part[r] = r == row || fabs(s->y[r]) * size[r] > 1e-6 * size[row];
    rt_kept_free(size);
    return status;
}

/* The one to blame: nonholonomic where one is among them, else the redundant one. */
static int to_blame(const rt_search *s, int row, const bool *part)
{
    if (s->m->nonholonomic[row]) return row;
    for (int r = 0; r < s->m->n_rows; r++)
        if (part[r] && s->m->nonholonomic[r]) return r;
    return row;
}

void rt_list_rows(const rt_search *s, int blamed, const bool *part, char *text, size_t room)
{
    enum { NAMED = 4 };
    int n = 0;
    size_t used = 0;
    char element[192], own[192], last[192] = "";
    const char *label;
    rt_place place;
    text[0] = 0;
    rt_row_describe(s->m, blamed, own, &place, &label);
    for (int r = 0; r < s->m->n_rows; r++) {
        if (!part[r]) continue;
        rt_row_describe(s->m, r, element, &place, &label);
        if (!strcmp(element, own) || !strcmp(element, last)) continue;
        memcpy(last, element, sizeof last);
        if (++n > NAMED) continue;
        const int length = snprintf(text + used, room - used, "%s%.60s (\"%.50s\")",
                                    n > 1 ? ", " : "", element, label);
        used += length > 0 ? (size_t)length : 0;
    }
    if (n > NAMED) snprintf(text + used, room - used, " and %d more", n - NAMED);
}

routh_status rt_contradiction(rt_search *s, int row, const char *level, double by,
                              routh_error *error)
{
    bool *part = rt_kept_calloc(s->m->analyses, (size_t)s->m->n_rows + 1, sizeof *part);
    if (!part) return rt_fail_memory(error);
    char element[192], others[512] = "";
    const char *label;
    rt_place place;
    routh_error unused;
    int blamed = row;
    const routh_status status = rt_dependent_rows(s, row, part, &unused);
    if (!status) {
        blamed = to_blame(s, row, part);
        rt_list_rows(s, blamed, part, others, sizeof others);
    }
    rt_kept_free(part);
    if (status == ROUTH_OUT_OF_MEMORY) return rt_fail_memory(error);
    rt_row_describe(s->m, blamed, element, &place, &label);
    if (!s->m->nonholonomic[blamed] && !rt_find_rank_nearby(s, &unused) &&
        s->rank_nearby > s->rank->rank)
        return rt_fail_at(
            error, ROUTH_NOT_ASSEMBLED, s->m->model->file, place, element,
            "the %s that this joint requires (\"%s\") contradict %s by %.3g, as the configuration "
            "is singular %s (a dead point, links in line), where several motions meet and the "
            "velocities follow none of them; write velocities of the bodies that fit one, or "
            "begin a little away",
            level, label, others[0] ? others : "the other joints", fabs(by),
            s->passing.in_time ? "at this instant" : "here");
    return rt_fail_at(error, ROUTH_NOT_ASSEMBLED, s->m->model->file, place, element,
                      "the %s that this joint requires (\"%s\") contradict %s by %.3g; remove the "
                      "duplicate among the joints and motions",
                      level, label, others[0] ? others : "the other joints", fabs(by));
}
