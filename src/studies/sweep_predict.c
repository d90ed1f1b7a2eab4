/* Two witnesses of which of two goes on as which: vectors (sweep_match.c), and the eigenvalues with
 * their exact derivatives at both ends. Each alone gives the path of D = ((lambda_i - lambda_j) /
 * 2)^2 over the step (sweep_path.c). Where they agree so well that D cannot be zero on the way,
 * sqrt(D) is followed along it, and that settles the two; where not, a value is put in where D is
 * next to zero. */
#include "studies/sweep_predict.h"

#include <math.h>
#include <stdlib.h>

void rt_predictor_release(rt_predictor *p)
{
    for (int k = 0; k < RT_SLOPES_KEPT; k++) free(p->kept[k].by);
    for (int k = 0; k < RT_SLOPES_KEPT; k++) p->kept[k].by = NULL;
}

routh_status rt_predictor_slopes(rt_predictor *p, const rt_solution *s, const double _Complex *held,
                                 const double _Complex **by, routh_error *error)
{
    for (int k = 0; k < RT_SLOPES_KEPT; k++)
        if (p->kept[k].by && p->kept[k].value == s->value && p->kept[k].n == s->n) {
            *by = p->kept[k].by;
            return ROUTH_OK;
        }
    double _Complex *found = calloc((size_t)s->n + 1, sizeof *found);
    if (!found) return rt_fail_memory(error);
    const routh_status status = rt_solution_slopes(p->task, s, found, error);
    if (status) {
        free(found);
        return status;
    }
    if (p->kept[p->next].by && p->kept[p->next].by == held)
        p->next = (p->next + 1) % RT_SLOPES_KEPT;
    const int k = p->next;
    p->next = (k + 1) % RT_SLOPES_KEPT;
    free(p->kept[k].by);
    p->kept[k].value = s->value;
    p->kept[k].n = s->n;
    p->kept[k].by = found;
    *by = found;
    return ROUTH_OK;
}

/* The path by both witnesses; not known: they have no derivatives. */
static routh_status sweep_predict_find_path(rt_predictor *p, const rt_match *m,
                                            const rt_solution *a, const rt_solution *b, int i,
                                            int j, rt_path *path, bool *known, routh_error *error)
{
    const double _Complex *by[2];
    *known = false;
    if (!p->task->derivatives) return ROUTH_OK;
    routh_status status = rt_predictor_slopes(p, a, NULL, &by[0], error);
    if (!status) status = rt_predictor_slopes(p, b, by[0], &by[1], error);
    if (!status) *known = rt_path_by_slopes(path, m, a, b, by[0], by[1], i, j);
    return status;
}

/* D is real and changes its sign; once, if the path is anything like what both say. */
static bool meets_once(const rt_path *path) { return path->off <= 0.1 * cabs(path->b - path->a); }

/* *at: where a value is wanted in between; -1 where the two are settled. */
static routh_status judge_pair(rt_predictor *p, rt_match *m, const rt_solution *a,
                               const rt_solution *b, int i, int j, double *at, routh_error *error)
{
    rt_path path;
    bool known;
    double where = *at;
    const bool meets = m->doubt[i] == RT_MEETS;
    rt_path_by_vectors(&path, m, a, b, i, j);
    path.off = 0;
    if (!meets && rt_path_passage(&path, &where) == RT_PASSES_OPEN) {
        *at = where;
        return ROUTH_OK; /* nothing that derivatives could tell */
    }
    const routh_status status = sweep_predict_find_path(p, m, a, b, i, j, &path, &known, error);
    if (status || !known) return status;
    if (meets) {
        if (meets_once(&path)) *at = -1;
        return ROUTH_OK;
    }
    const rt_passage passage = rt_path_passage(&path, at);
    if (passage != RT_PASSES_FAR) return ROUTH_OK;
    const double _Complex before = a->lambda[i] - a->lambda[j],
                          after = b->lambda[m->to[i]] - b->lambda[m->to[j]];
    rt_match_settle(m, i, j, creal(rt_path_turn(&path) * before * conj(after)) < 0);
    *at = -1;
    return ROUTH_OK;
}

/* Is it looked at for its own sake, or might it come to the imaginary axis in this step? */
static bool matters(const rt_sweep_task *t, const rt_match *m, const rt_solution *a,
                    const rt_solution *b, int i)
{
    const int asked = ROUTH_SWEEP_SOLVE_CROSSINGS | ROUTH_SWEEP_SOLVE_VEERINGS;
    const double _Complex x = a->lambda[i], y = b->lambda[m->to[i]];
    const bool crossings = t->options.solve & asked;
    if (rt_sweep_is_below(t, x) && (crossings || m->doubt[i] == RT_UNCERTAIN)) return true;
    return t->options.solve & ROUTH_SWEEP_SOLVE_LIMITS &&
           fmin(fabs(creal(x)), fabs(creal(y))) <= cabs(y - x);
}

routh_status rt_predictor_judge(rt_predictor *p, const rt_solution *a, const rt_solution *b,
                                rt_match *m, bool *more, double *value, routh_error *error)
{
    static const double least = 0.05;
    double t = 0.5;
    *more = false;
    for (int i = 0; i < m->n; i++)
        for (int j = i + 1; j < m->n; j++) {
            if (!matters(p->task, m, a, b, i) && !matters(p->task, m, a, b, j)) continue;
            double at =
                rt_match_is_open_pair(m, i, j) ? 0.5 : rt_match_suspect(m, a, b, i, j, p->finest);
            if (at < 0) continue;
            const routh_status status = judge_pair(p, m, a, b, i, j, &at, error);
            if (status) return status;
            if (at < 0 || *more) continue;
            t = fmin(fmax(at, least), 1 - least);
            *more = true;
        }
    *more = *more || !m->certain;
    *value = a->value + t * (b->value - a->value);
    return ROUTH_OK;
}
