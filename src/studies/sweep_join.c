/* The pieces of a line put together: branches get the numbers they have all along the line. A
 * restart (other states, other numbers of modes, values without solution) begins new branches. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "studies/sweep_line.h"

typedef struct sweep_join {
    routh_sweep_line *line;
    int *branch; /* of the present piece's branches: which of the line */
    int *next;   /* of the eigenvalues at its end */
    int n, room; /* of branch and next */
} sweep_join;

static routh_status sweep_join_make_room(sweep_join *j, int n, routh_error *error)
{
    if (n <= j->room) return ROUTH_OK;
    int *branch = realloc(j->branch, (size_t)n * sizeof *branch);
    if (branch) j->branch = branch;
    int *next = realloc(j->next, (size_t)n * sizeof *next);
    if (next) j->next = next;
    if (!branch || !next) return rt_fail_memory(error);
    j->room = n;
    return ROUTH_OK;
}

/* Branches of their own for a value with n eigenvalues. */
static routh_status sweep_join_begin(sweep_join *j, int n, routh_error *error)
{
    const routh_status status = sweep_join_make_room(j, n, error);
    if (status) return status;
    for (int k = 0; k < n; k++) j->branch[k] = j->line->n_branches + k;
    j->line->n_branches += n;
    j->n = n;
    return ROUTH_OK;
}

/* Still with numbers of the piece's branches; spread out when all are known. */
static routh_status sweep_join_take_point(sweep_join *j, rt_kept *from, routh_error *error)
{
    routh_sweep_point *p = &j->line->points[j->line->n_points++];
    *p = (routh_sweep_point){.value = from->value,
                             .on_grid = from->on_grid,
                             .unstable = from->unstable,
                             .n = from->n,
                             .message = from->message,
                             .steady = from->steady,
                             .speed = from->speed,
                             .certainty = from->certainty};
    from->message = NULL;
    routh_status status = from->restart ? sweep_join_begin(j, from->n, error) : ROUTH_OK;
    if (status) return status;
    const size_t most = (size_t)j->line->n_branches;
    p->eigenvalues = calloc(most + 1, sizeof *p->eigenvalues);
    p->bounds = calloc(most + 1, sizeof *p->bounds);
    p->partner = calloc(2 * most + 2, sizeof *p->partner);
    if (!p->eigenvalues || !p->bounds || !p->partner) return rt_fail_memory(error);
    p->rigid = p->partner + most + 1;
    for (size_t b = 0; b < most; b++)
        p->partner[b] = -1, p->eigenvalues[b][0] = p->eigenvalues[b][1] = NAN;
    for (int k = 0; k < from->n; k++) {
        const int b = j->branch[k];
        memcpy(p->eigenvalues[b], from->eigenvalue[k], sizeof *p->eigenvalues);
        p->bounds[b] = from->bound[k];
        p->partner[b] = j->branch[from->partner[k]];
        p->rigid[b] = from->rigid[k];
        j->next[from->place[k]] = b;
    }
    return ROUTH_OK;
}

static void take_events(sweep_join *j, rt_event_list *list, int from, int to)
{
    for (int k = from; k < to; k++) {
        routh_sweep_event *e = &j->line->events[j->line->n_events++];
        *e = list->events[k];
        for (int i = 0; i < 2; i++)
            if (e->branch[i] >= 0) e->branch[i] = j->branch ? j->branch[e->branch[i]] : -1;
    }
}

/* Events lie between the values they were found between: those before a restart have the branches
 * before it. */
static routh_status take_piece(sweep_join *j, rt_segment *s, routh_error *error)
{
    int taken = 0;
    for (int k = 0; k < s->n_kept; k++) {
        int until = taken;
        const double value = s->kept[k].value;
        const bool rising = s->n_kept < 2 || s->kept[s->n_kept - 1].value >= s->begin->value;
        while (until < s->list.n && (rising ? s->list.events[until].value <= value
                                            : s->list.events[until].value >= value))
            until++;
        take_events(j, &s->list, taken, until);
        taken = until;
        const routh_status status = sweep_join_take_point(j, &s->kept[k], error);
        if (status) return status;
    }
    take_events(j, &s->list, taken, s->list.n);
    int *swap = j->branch;
    j->branch = j->next;
    j->next = swap;
    return ROUTH_OK;
}

/* ---- all branches at all points -------------------------------------------------------------- */

/* Points before a restart know fewer branches than there are at the end. */
static routh_status sweep_join_widen(routh_sweep_line *line, routh_error *error)
{
    const size_t n = (size_t)line->n_branches;
    for (int k = 0; k < line->n_points; k++) {
        routh_sweep_point *p = &line->points[k];
        double(*eigenvalues)[2] = calloc(n + 1, sizeof *eigenvalues);
        double *bounds = calloc(n + 1, sizeof *bounds);
        int *partner = calloc(2 * n + 2, sizeof *partner);
        if (!eigenvalues || !bounds || !partner) {
            free(eigenvalues), free(bounds), free(partner);
            return rt_fail_memory(error);
        }
        const size_t had = p->rigid ? (size_t)(p->rigid - p->partner) - 1 : 0;
        for (size_t b = 0; b < n; b++) {
            partner[b] = b < had ? p->partner[b] : -1;
            partner[n + 1 + b] = b < had ? p->rigid[b] : 0;
            eigenvalues[b][0] = b < had ? p->eigenvalues[b][0] : NAN;
            eigenvalues[b][1] = b < had ? p->eigenvalues[b][1] : NAN;
            bounds[b] = b < had ? p->bounds[b] : 0;
        }
        free(p->eigenvalues), free(p->bounds), free(p->partner);
        p->eigenvalues = eigenvalues;
        p->bounds = bounds;
        p->partner = partner;
        p->rigid = partner + n + 1;
    }
    return ROUTH_OK;
}

/* The nearest point on one side (way: 1, -1) where branch b is; NULL: none. */
static const routh_sweep_point *neighbour(const routh_sweep_line *line, int k, int way, int b)
{
    for (k += way; k >= 0 && k < line->n_points; k += way)
        if (line->points[k].partner[b] >= 0) return &line->points[k];
    return NULL;
}

/* A branch that is zero at one value and not beside it passes zero there: it is not a zero of the
 * mechanism. */
static void judge_zeros(routh_sweep_line *line)
{
    for (int b = 0; b < line->n_branches; b++)
        for (int k = 0; k < line->n_points; k++) {
            const routh_sweep_point *p = neighbour(line, k, -1, b), *q = neighbour(line, k, 1, b);
            if ((p || q) && !(p && p->rigid[b]) && !(q && q->rigid[b]))
                line->points[k].rigid[b] = 0;
        }
}

/* Numbers count pairs once, as they are where the branch begins. */
static routh_status name_branches(routh_sweep_line *line, routh_error *error)
{
    int number = 0;
    line->names = calloc((size_t)line->n_branches + 1, sizeof *line->names);
    if (!line->names) return rt_fail_memory(error);
    for (int k = 0; k < line->n_points; k++) {
        const routh_sweep_point *p = &line->points[k];
        for (int b = 0; b < line->n_branches; b++) {
            char name[32];
            if (p->partner[b] < 0 || line->names[b]) continue;
            const int other = p->partner[b];
            const bool lower = other != b && p->eigenvalues[b][1] < 0;
            if (lower && !line->names[other]) continue; /* named with the other */
            snprintf(name, sizeof name, "%d", ++number);
            line->names[b] = strdup(name);
            if (line->names[b] && other != b) {
                snprintf(name, sizeof name, "%d*", number);
                line->names[other] = strdup(name);
            }
            if (!line->names[b] || !line->names[other]) return rt_fail_memory(error);
        }
    }
    return ROUTH_OK;
}

static int sweep_join_by_value(const void *a, const void *b)
{
    const double x = ((const routh_sweep_event *)a)->value,
                 y = ((const routh_sweep_event *)b)->value;
    return (x > y) - (x < y);
}

static int by_falling_value(const void *a, const void *b) { return sweep_join_by_value(b, a); }

static routh_status first_branches(sweep_join *j, const rt_line_starts *starts,
                                   const rt_line_starts *starts_before,
                                   const routh_sweep_line *before, routh_error *error)
{
    const int n = starts->solutions[0].n;
    routh_status status = sweep_join_begin(j, n, error);
    if (status || !before || !starts_before->n ||
        !rt_solutions_compare(&starts_before->solutions[0], &starts->solutions[0]))
        return status;
    rt_match m;
    status = rt_match_find(&m, &starts_before->solutions[0], &starts->solutions[0], false, error);
    /* the line before numbers the eigenvalues at its first value by its branches there */
    for (int i = 0; i < n && !status && before->n_branches >= n; i++)
        j->branch[m.to[i]] = before->first_branch[i];
    for (int i = 0; i < n && !status; i++)
        if (j->branch[i] >= n) j->branch[i] = i;
    rt_match_free(&m);
    return status;
}

routh_status rt_line_join(routh_sweep_line *line, const rt_line_starts *starts,
                          const rt_line_starts *starts_before, const routh_sweep_line *before,
                          double second, rt_segment *pieces, int n_pieces, bool limits,
                          routh_error *error)
{
    size_t points = 1, events = 1;
    for (int k = 0; k < n_pieces; k++)
        points += (size_t)pieces[k].n_kept, events += (size_t)pieces[k].list.n;
    *line = (routh_sweep_line){.second = second};
    line->points = calloc(points, sizeof *line->points);
    line->events = calloc(events + points, sizeof *line->events); /* a step has one of counting */
    if (!line->points || !line->events) return rt_fail_memory(error);
    sweep_join j = {.line = line};
    routh_status status = first_branches(&j, starts, starts_before, before, error);
    if (!status) {
        line->first_branch = malloc(((size_t)j.n + 1) * sizeof *line->first_branch);
        if (!line->first_branch) status = rt_fail_memory(error);
        for (int i = 0; i < j.n && !status; i++) line->first_branch[i] = j.branch[i];
    }
    for (int k = 0; k < n_pieces && pieces[k].begin && !status; k++)
        status = take_piece(&j, &pieces[k], error);
    free(j.branch);
    free(j.next);
    if (!status) status = sweep_join_widen(line, error);
    if (!status) status = rt_line_order(line, starts->solutions[0].n, error);
    if (!status) judge_zeros(line);
    if (!status) status = name_branches(line, error);
    if (!status) rt_line_drop_doubts(line);
    if (!status && limits) rt_line_account(line);
    const bool rising =
        line->n_points < 2 || line->points[line->n_points - 1].value > line->points[0].value;
    qsort(line->events, (size_t)line->n_events, sizeof *line->events,
          rising ? sweep_join_by_value : by_falling_value);
    return status;
}
