/* One step of a piece, from value to value. Where it is not certain which mode goes on as which,
 * the step is halved; where two seem to cross, the value where they would is put in between; then
 * what happens in it is solved for. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "studies/sweep_step.h"

static routh_status set_branches(rt_sweep_step *k, const rt_match *m, routh_error *error)
{
    const int n = m->n;
    int *next = malloc(((size_t)n + 1) * sizeof *next);
    if (!next) return rt_fail_memory(error);
    for (int i = 0; i < n; i++) next[m->to[i]] = k->branch[i];
    free(k->branch);
    k->branch = next;
    return ROUTH_OK;
}

routh_status rt_step_new_branches(rt_sweep_step *k, int n, routh_error *error)
{
    free(k->branch);
    k->branch = malloc(((size_t)n + 1) * sizeof *k->branch);
    if (!k->branch) return rt_fail_memory(error);
    for (int i = 0; i < n; i++) k->branch[i] = i;
    k->n_branch = n;
    return ROUTH_OK;
}

routh_status rt_step_say(rt_sweep_step *k, routh_sweep_event_kind kind, const rt_solution *a,
                         const rt_solution *b, int i, int j, routh_error *error)
{
    const double half = fabs(b->value - a->value) / 2;
    routh_sweep_event e = {.kind = kind,
                           .value = (a->value + b->value) / 2,
                           .error = half,
                           .branch = {i >= 0 ? k->branch[i] : -1, j >= 0 ? k->branch[j] : -1},
                           .eigenvalue = {NAN, NAN}};
    if (i >= 0) e.eigenvalue[0] = creal(a->lambda[i]), e.eigenvalue[1] = cimag(a->lambda[i]);
    return rt_event_add(&k->s->list, &e, error);
}

/* Is one of the modes that are looked at in doubt? */
static bool is_open(const rt_sweep_step *k, const rt_match *m, const rt_solution *a)
{
    for (int i = 0; i < m->n; i++)
        if (m->doubt[i] == RT_UNCERTAIN && rt_sweep_is_below(k->s->task, a->lambda[i])) return true;
    return false;
}

/* Every group that is in doubt, by its first two. */
static routh_status say_doubts(rt_sweep_step *k, const rt_match *m, const rt_solution *a,
                               const rt_solution *b, routh_error *error)
{
    routh_status status = ROUTH_OK;
    for (int i = 0; i < m->n && !status; i++) {
        int other = -1;
        bool first = m->doubt[i] == RT_UNCERTAIN && cimag(a->lambda[i]) >= 0 &&
                     rt_sweep_is_below(k->s->task, a->lambda[i]);
        for (int j = 0; j < m->n && first; j++) {
            if (j == i || m->group[j] != m->group[i]) continue;
            first = j > i;
            if (other < 0 && first) other = j;
        }
        if (first) status = rt_step_say(k, ROUTH_SWEEP_AMBIGUOUS, a, b, i, other, error);
    }
    return status;
}

/* The two values kept last lie before b, and no new branches began at them. */
static bool has_before(const rt_segment *s)
{
    return s->n_kept >= 2 && !s->kept[s->n_kept - 1].restart &&
           s->kept[s->n_kept - 2].n == s->kept[s->n_kept - 1].n;
}

/* Veerings about a, the value kept last: of eigenvalues above the real axis. */
static routh_status look_back(rt_sweep_step *k, const rt_solution *a, const rt_solution *b,
                              const rt_match *m, routh_error *error)
{
    const rt_segment *s = k->s;
    routh_status status = ROUTH_OK;
    if (!has_before(s)) return ROUTH_OK;
    const rt_kept *before = &s->kept[s->n_kept - 2];
    for (int i = 0; i < a->n && !status; i++)
        for (int j = i + 1; j < a->n && !status; j++) {
            const double *x = before->eigenvalue[k->branch[i]],
                         *y = before->eigenvalue[k->branch[j]];
            if (!(cimag(a->lambda[i]) > 0 && cimag(a->lambda[j]) > 0)) continue;
            if (!rt_sweep_is_below(s->task, a->lambda[i]) ||
                !rt_sweep_is_below(s->task, a->lambda[j]))
                continue;
            int to[2];
            rt_match_place_pair(m, i, j, to);
            const rt_nearing n = {{before->value, a->value, b->value},
                                  {rt_discriminant(x[0] + x[1] * I, y[0] + y[1] * I),
                                   rt_discriminant(a->lambda[i], a->lambda[j]),
                                   rt_discriminant(b->lambda[to[0]], b->lambda[to[1]])}};
            status =
                rt_veering_look(s->task, a, i, j, &n, k->branch, &k->store, &k->s->list, error);
        }
    return status;
}

/* The part of a step that is looked at beside a value; the same for the pieces on both sides. */
static double sweep_step_beside(const rt_segment *s, const rt_solution *a, const rt_solution *b)
{
    static const double part = 1e-3;
    double least = fabs(b->value - a->value);
    for (int v = s->first > 0 ? s->first : 1; v <= s->last + s->beyond; v++)
        if (s->grid[v] == b->value || s->grid[v - 1] == a->value || s->grid[v - 1] == b->value)
            least = fmin(least, fabs(s->grid[v] - s->grid[v - 1]));
    return part * least;
}

/* A of a, for the next step. */
static routh_status keep_matrix(rt_sweep_step *k, const rt_solution *a, routh_error *error)
{
    const size_t size = (size_t)a->n * (size_t)a->n;
    if (!k->before) k->before = malloc((size + 1) * sizeof *k->before);
    if (!k->before) return rt_fail_memory(error);
    memcpy(k->before, a->linear->A, size * sizeof *k->before);
    k->before_value = a->value;
    return ROUTH_OK;
}

static routh_status find_limits(rt_sweep_step *k, const rt_solution *a, const rt_solution *b,
                                const rt_match *m, int n_events, routh_error *error)
{
    rt_segment *s = k->s;
    const bool is_far = fabs(a->value - k->before_value) >= 0.01 * fabs(b->value - a->value);
    rt_limit_step t = {.task = s->task,
                       .a = a,
                       .b = b,
                       .match = m,
                       .branch = k->branch,
                       .store = &k->store,
                       .list = &s->list,
                       .slopes = &k->predictor,
                       .before = is_far ? k->before : NULL,
                       .before_value = k->before_value,
                       .finest = sweep_step_beside(s, a, b),
                       .first = a == s->begin,
                       .begins = a == s->begin && s->first == 0,
                       .last = b->value == s->end->value && !s->beyond,
                       .sides = k->sides,
                       .meetings = n_events};
    const routh_status status = rt_limits_between(&t, error);
    k->sides = t.sides;
    return status ? status : keep_matrix(k, a, error);
}

/* Meetings that limits have been told by, and that were not asked for. */
static void drop_meetings_from(rt_event_list *list, int from)
{
    int kept = from;
    for (int n = from; n < list->n; n++)
        if (list->events[n].kind != ROUTH_SWEEP_MEETING) list->events[kept++] = list->events[n];
    list->n = kept;
}

static routh_status sweep_step_accept(rt_sweep_step *k, const rt_solution *a, const rt_solution *b,
                                      const rt_match *m, bool on_grid, routh_error *error)
{
    routh_status status = ROUTH_OK;
    const int wanted = k->plain ? 0 : k->s->task->options.solve;
    if (!m->certain) status = say_doubts(k, m, a, b, error);
    const int n_events = k->s->list.n;
    if (!status && wanted & ~ROUTH_SWEEP_SOLVE_VEERINGS)
        status = rt_events_between(k->s->task, a, b, m, k->branch, &k->store, &k->s->list, error);
    if (!status && wanted & (ROUTH_SWEEP_SOLVE_LIMITS | ROUTH_SWEEP_SOLVE_CRITICAL))
        status = find_limits(k, a, b, m, n_events, error);
    if (wanted && !(wanted & ROUTH_SWEEP_SOLVE_CROSSINGS))
        drop_meetings_from(&k->s->list, n_events);
    if (!status && wanted & ROUTH_SWEEP_SOLVE_VEERINGS) status = look_back(k, a, b, m, error);
    if (!status) status = set_branches(k, m, error);
    return status ? status
                  : rt_segment_keep(k->s, b, k->branch, on_grid, false,
                                    m->certain ? m->certainty : 0, error);
}

static routh_status sweep_step_split(rt_sweep_step *k, const rt_solution *a, rt_solution *b,
                                     double value, bool touch, bool on_grid, int halvings,
                                     bool *done, routh_error *error)
{
    rt_solution middle;
    const bool nearer = fabs(value - a->value) <= fabs(b->value - value);
    const rt_solution_way way = {.other = nearer ? b : a};
    routh_status status =
        rt_solution_find_by(k->s->task, value, nearer ? a : b, &way, &middle, error);
    rt_sweep_tell(k->s->task, 0);
    *done = !status && rt_solutions_compare(a, &middle);
    if (*done) {
        status = rt_step_advance(k, a, &middle, true, false, halvings, error);
        if (!status) status = rt_step_advance(k, &middle, b, touch, on_grid, halvings, error);
    }
    rt_solution_free(&middle);
    return status;
}

routh_status rt_step_advance(rt_sweep_step *k, const rt_solution *a, rt_solution *b, bool touch,
                             bool on_grid, int halvings, routh_error *error)
{
    rt_match m;
    routh_status status = rt_match_find(&m, a, b, touch, error);
    double value;
    bool more = false, done = false;
    if (!status && !k->plain)
        status = rt_predictor_judge(&k->predictor, a, b, &m, &more, &value, error);
    if (!status && halvings > 0 && more && (m.certain || is_open(k, &m, a)) &&
        rt_sweep_take(&k->store, RT_FOR_MODES))
        status = sweep_step_split(k, a, b, value, touch, on_grid, halvings - 1, &done, error);
    if (!status && !done) status = sweep_step_accept(k, a, b, &m, on_grid, error);
    rt_match_free(&m);
    return status;
}

/* The value after the last of the piece, for veerings about that one. */
routh_status rt_step_look_beyond(rt_sweep_step *k, routh_error *error)
{
    rt_segment *s = k->s;
    rt_solution b;
    rt_match m = {0};
    if (!s->beyond || !has_before(s) || s->end->status ||
        !(s->task->options.solve & ROUTH_SWEEP_SOLVE_VEERINGS) ||
        !rt_sweep_take(&k->store, RT_FOR_CROSSINGS))
        return ROUTH_OK;
    routh_status status = rt_solution_find(s->task, s->grid[s->last + 1], s->end, &b, error);
    rt_sweep_tell(s->task, 0);
    const bool ok = !status && rt_solutions_compare(s->end, &b);
    if (ok) status = rt_match_find(&m, s->end, &b, false, error);
    if (ok && !status) status = look_back(k, s->end, &b, &m, error);
    rt_match_free(&m);
    rt_solution_free(&b);
    return status;
}
