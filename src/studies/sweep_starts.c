/* Where the pieces of a line begin: a first pass with long steps. */
#include <stdlib.h>

#include "base/error.h"
#include "studies/sweep_approach.h"
#include "studies/sweep_line.h"
#include "studies/sweep_walk.h"

/* Equal eigenvalues leave shapes open, and no piece should begin with such. */
static bool sweep_starts_is_open(const rt_solution *s)
{
    for (int k = 0; k < s->n; k++)
        if (!s->rigid[k] && s->multiplicity[k] > 1) return true;
    return false;
}

/* By small steps where the long one does not lead to it. */
static routh_status find_solution(const rt_sweep_task *task, double value, const rt_solution *from,
                                  rt_solution *found, routh_error *error)
{
    rt_approach way;
    routh_status status = rt_solution_find(task, value, from, found, error);
    if (!status) status = rt_walk_confirm(task, NULL, from, found, error);
    if (status) rt_solution_free(found);
    if (status || !from || !rt_is_followed(from) || !rt_may_end(found)) return status;
    status = rt_approach_find(&way, task, NULL, from, value, error);
    if (status) rt_solution_free(found);
    if (status || !way.reached) {
        rt_approach_release(&way);
        return status;
    }
    rt_solution_free(found);
    rt_approach_take(&way, found);
    rt_approach_release(&way);
    return ROUTH_OK;
}

static routh_status sweep_starts_find(rt_line_starts *s, const rt_sweep_task *task,
                                      const routh_sweep_axis *axis, int k, int n_pieces,
                                      const rt_solution *from, routh_error *error)
{
    int at = k == n_pieces ? axis->n - 1 : (int)((long)(axis->n - 1) * k / n_pieces);
    routh_status status = find_solution(task, axis->values[at], from, &s->solutions[k], error);
    if (!status && k > 0 && k < n_pieces && sweep_starts_is_open(&s->solutions[k]) &&
        at + 2 < axis->n) {
        rt_solution_free(&s->solutions[k]);
        status = find_solution(task, axis->values[++at], from, &s->solutions[k], error);
    }
    s->first[k] = at;
    return status;
}

routh_status rt_line_starts_find(rt_line_starts *s, const rt_sweep_task *task,
                                 const routh_sweep_axis *axis, int n_pieces,
                                 const rt_line_starts *before, rt_segment *pieces,
                                 routh_error *error)
{
    const rt_solution *from =
        before && before->n && !before->solutions[0].status ? &before->solutions[0] : NULL;
    s->solutions = calloc((size_t)n_pieces + 1, sizeof *s->solutions);
    s->first = calloc((size_t)n_pieces + 1, sizeof *s->first);
    if (!s->solutions || !s->first) return rt_fail_memory(error);
    for (int k = 0; k <= n_pieces; k++) {
        const routh_status status = sweep_starts_find(s, task, axis, k, n_pieces, from, error);
        if (status) return status;
        if (s->solutions[k].status == ROUTH_STOPPED) {
            rt_solution_free(&s->solutions[k]);
            break;
        }
        s->n++;
        if (!s->solutions[k].status) from = &s->solutions[k];
        if (k > 0)
            pieces[k - 1] = (rt_segment){.task = task,
                                         .grid = axis->values,
                                         .first = s->first[k - 1],
                                         .last = s->first[k],
                                         .beyond = k < n_pieces,
                                         .begin = &s->solutions[k - 1],
                                         .end = &s->solutions[k]};
        if (rt_sweep_tell(task, 1)) break;
    }
    if (s->n == 1) /* stopped: a piece of one value */
        pieces[0] = (rt_segment){
            .task = task, .grid = axis->values, .begin = &s->solutions[0], .end = &s->solutions[0]};
    return ROUTH_OK;
}

void rt_line_starts_free(rt_line_starts *s)
{
    for (int k = 0; k < s->n; k++) rt_solution_free(&s->solutions[k]);
    free(s->solutions);
    free(s->first);
    *s = (rt_line_starts){0};
}
