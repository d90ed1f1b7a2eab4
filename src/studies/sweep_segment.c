/* A piece of a line: from value to value, each found from the one before. Where it is not certain
 * which mode goes on as which, the step is halved; where two seem to cross, the value where they
 * would is put in between. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "studies/sweep_approach.h"
#include "studies/sweep_limit.h"

/* Steps down to these parts of the longest step between values. */
static const double MEETING_STEP = 1e-4, CROSSING_STEP = 1e-8;

/* ---- one step -------------------------------------------------------------------------------- */

typedef struct sweep_segment_step {
    rt_segment *s;
    int *branch, n_branch; /* of the eigenvalues of the value before */
    rt_predictor predictor;
    unsigned sides; /* of limits at the value before: sweep_limit.h */
    double *before; /* A of the value before that; NULL: none */
    double before_value;
} sweep_segment_step;

static routh_status set_branches(sweep_segment_step *k, const rt_match *m, routh_error *error)
{
    const int n = m->n;
    int *next = malloc(((size_t)n + 1) * sizeof *next);
    if (!next) return rt_fail_memory(error);
    for (int i = 0; i < n; i++) next[m->to[i]] = k->branch[i];
    free(k->branch);
    k->branch = next;
    return ROUTH_OK;
}

static routh_status new_branches(sweep_segment_step *k, int n, routh_error *error)
{
    free(k->branch);
    k->branch = malloc(((size_t)n + 1) * sizeof *k->branch);
    if (!k->branch) return rt_fail_memory(error);
    for (int i = 0; i < n; i++) k->branch[i] = i;
    k->n_branch = n;
    return ROUTH_OK;
}

static routh_status sweep_segment_say(sweep_segment_step *k, routh_sweep_event_kind kind,
                                      const rt_solution *a, const rt_solution *b, int i, int j,
                                      routh_error *error)
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

/* Every group that is in doubt, by its first two. */
static routh_status say_doubts(sweep_segment_step *k, const rt_match *m, const rt_solution *a,
                               const rt_solution *b, routh_error *error)
{
    routh_status status = ROUTH_OK;
    for (int i = 0; i < m->n && !status; i++) {
        int other = -1;
        bool first = m->doubt[i] == RT_UNCERTAIN && cimag(a->lambda[i]) >= 0;
        for (int j = 0; j < m->n && first; j++) {
            if (j == i || m->group[j] != m->group[i]) continue;
            first = j > i;
            if (other < 0 && first) other = j;
        }
        if (first) status = sweep_segment_say(k, ROUTH_SWEEP_AMBIGUOUS, a, b, i, other, error);
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
static routh_status look_back(sweep_segment_step *k, const rt_solution *a, const rt_solution *b,
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
            int to[2];
            rt_match_place_pair(m, i, j, to);
            const rt_nearing n = {{before->value, a->value, b->value},
                                  {rt_discriminant(x[0] + x[1] * I, y[0] + y[1] * I),
                                   rt_discriminant(a->lambda[i], a->lambda[j]),
                                   rt_discriminant(b->lambda[to[0]], b->lambda[to[1]])}};
            status = rt_veering_look(s->task, a, i, j, &n, k->branch, &k->s->list, error);
        }
    return status;
}

/* The part of a step that is looked at beside a value; the same for the pieces on both sides. */
static double sweep_segment_beside(const rt_segment *s, const rt_solution *a, const rt_solution *b)
{
    static const double part = 1e-3;
    double least = fabs(b->value - a->value);
    for (int v = s->first > 0 ? s->first : 1; v <= s->last + s->beyond; v++)
        if (s->grid[v] == b->value || s->grid[v - 1] == a->value || s->grid[v - 1] == b->value)
            least = fmin(least, fabs(s->grid[v] - s->grid[v - 1]));
    return part * least;
}

/* A of a, for the next step. */
static routh_status keep_matrix(sweep_segment_step *k, const rt_solution *a, routh_error *error)
{
    const size_t size = (size_t)a->n * (size_t)a->n;
    if (!k->before) k->before = malloc((size + 1) * sizeof *k->before);
    if (!k->before) return rt_fail_memory(error);
    memcpy(k->before, a->linear->A, size * sizeof *k->before);
    k->before_value = a->value;
    return ROUTH_OK;
}

static routh_status find_limits(sweep_segment_step *k, const rt_solution *a, const rt_solution *b,
                                const rt_match *m, int n_events, routh_error *error)
{
    rt_segment *s = k->s;
    const bool is_far = fabs(a->value - k->before_value) >= 0.01 * fabs(b->value - a->value);
    rt_limit_step t = {.task = s->task,
                       .a = a,
                       .b = b,
                       .match = m,
                       .branch = k->branch,
                       .list = &s->list,
                       .slopes = &k->predictor,
                       .before = is_far ? k->before : NULL,
                       .before_value = k->before_value,
                       .finest = sweep_segment_beside(s, a, b),
                       .first = a == s->begin,
                       .begins = a == s->begin && s->first == 0,
                       .last = b->value == s->end->value && !s->beyond,
                       .sides = k->sides,
                       .meetings = n_events};
    const routh_status status = rt_limits_between(&t, error);
    k->sides = t.sides;
    return status ? status : keep_matrix(k, a, error);
}

static routh_status sweep_segment_accept(sweep_segment_step *k, const rt_solution *a,
                                         const rt_solution *b, const rt_match *m, bool on_grid,
                                         routh_error *error)
{
    routh_status status = ROUTH_OK;
    const bool solve = k->s->task->options.solve && !k->s->interrupted;
    if (!m->certain) status = say_doubts(k, m, a, b, error);
    const int n_events = k->s->list.n;
    if (!status && solve)
        status = rt_events_between(k->s->task, a, b, m, k->branch, &k->s->list, error);
    if (!status && solve) status = find_limits(k, a, b, m, n_events, error);
    if (!status && solve) status = look_back(k, a, b, m, error);
    if (!status) status = set_branches(k, m, error);
    return status ? status
                  : rt_segment_keep(k->s, b, k->branch, on_grid, false,
                                    m->certain ? m->certainty : 0, error);
}

static routh_status sweep_segment_advance(sweep_segment_step *k, const rt_solution *a,
                                          rt_solution *b, bool touch, bool on_grid, int halvings,
                                          routh_error *error);

static routh_status sweep_segment_split(sweep_segment_step *k, const rt_solution *a, rt_solution *b,
                                        double value, bool touch, bool on_grid, int halvings,
                                        bool *done, routh_error *error)
{
    rt_solution middle;
    const bool nearer = fabs(value - a->value) <= fabs(b->value - value);
    routh_status status = rt_solution_find(k->s->task, value, nearer ? a : b, &middle, error);
    rt_sweep_tell(k->s->task, 0);
    *done = !status && rt_solutions_compare(a, &middle);
    if (*done) {
        status = sweep_segment_advance(k, a, &middle, true, false, halvings, error);
        if (!status) status = sweep_segment_advance(k, &middle, b, touch, on_grid, halvings, error);
    }
    rt_solution_free(&middle);
    return status;
}

static routh_status sweep_segment_advance(sweep_segment_step *k, const rt_solution *a,
                                          rt_solution *b, bool touch, bool on_grid, int halvings,
                                          routh_error *error)
{
    rt_match m;
    routh_status status = rt_match_find(&m, a, b, touch, error);
    double value;
    bool more = false, done = false;
    if (!status) status = rt_predictor_judge(&k->predictor, a, b, &m, &more, &value, error);
    if (!status && halvings > 0 && more)
        status = sweep_segment_split(k, a, b, value, touch, on_grid, halvings - 1, &done, error);
    if (!status && !done) status = sweep_segment_accept(k, a, b, &m, on_grid, error);
    rt_match_free(&m);
    return status;
}

/* Branches begin anew where there is nothing before, and where states, their number or the
 * operating point change. */
static routh_status sweep_segment_restart(sweep_segment_step *k, const rt_solution *b,
                                          routh_error *error)
{
    const routh_status status = new_branches(k, b->n, error);
    free(k->before);
    k->before = NULL;
    return status ? status : rt_segment_keep(k->s, b, NULL, true, true, 1, error);
}

static routh_status say_lost(sweep_segment_step *k, const double bracket[2], routh_error *error)
{
    const rt_solution from = {.value = bracket[0]}, to = {.value = bracket[1]};
    return sweep_segment_say(k, ROUTH_SWEEP_LOST, &from, &to, -1, -1, error);
}

/* The value after the last of the piece, for veerings about that one. */
static routh_status look_beyond(sweep_segment_step *k, routh_error *error)
{
    rt_segment *s = k->s;
    rt_solution b;
    rt_match m = {0};
    if (!s->beyond || !has_before(s) || s->end->status) return ROUTH_OK;
    routh_status status = rt_solution_find(s->task, s->grid[s->last + 1], s->end, &b, error);
    rt_sweep_tell(s->task, 0);
    const bool ok = !status && rt_solutions_compare(s->end, &b);
    if (ok) status = rt_match_find(&m, s->end, &b, false, error);
    if (ok && !status) status = look_back(k, s->end, &b, &m, error);
    rt_match_free(&m);
    rt_solution_free(&b);
    return status;
}

/* Has every eigenvalue of a one of b, as far as two searches find the same operating point? */
static bool sweep_segment_agree(const rt_solution *a, const rt_solution *b)
{
    double most = 0;
    for (int k = 0; k < a->n; k++) most = fmax(most, cabs(a->lambda[k]));
    for (int k = 0; k < a->n; k++) {
        double off = INFINITY;
        for (int j = 0; j < b->n; j++) off = fmin(off, cabs(a->lambda[k] - b->lambda[j]));
        if (off > 1e-5 * cabs(a->lambda[k]) + 1e-6 * most) return false;
    }
    return true;
}

/* Small steps to where one long step failed. If they lead there, *now is what they lead to; if not,
 * it is said where it ends, and what follows has nothing to do with what was before. */
static routh_status sweep_segment_approach(sweep_segment_step *k, const rt_solution *a,
                                           rt_solution *now, bool *same, routh_error *error)
{
    rt_approach way;
    routh_status status = rt_approach_find(&way, k->s->task, a, now->value, error);
    *same = !status && way.reached;
    if (*same) {
        rt_solution_free(now);
        *now = way.at;
        return ROUTH_OK;
    }
    if (!status && !way.stopped) status = say_lost(k, way.bracket, error);
    rt_approach_release(&way);
    return status;
}

/* The end of a piece was found by one long step. Is it where the short ones lead to? */
static routh_status sweep_segment_check_end(sweep_segment_step *k, const rt_solution *a, bool *same,
                                            routh_error *error)
{
    const rt_segment *s = k->s;
    rt_solution own;
    *same = true;
    if (!rt_is_followed(a)) return ROUTH_OK;
    routh_status status = rt_solution_find(s->task, s->end->value, a, &own, error);
    rt_sweep_tell(s->task, 0);
    if (!status && rt_may_end(&own)) status = sweep_segment_approach(k, a, &own, same, error);
    if (!status && *same && !own.status && !s->end->status) {
        *same = own.n == s->end->n && sweep_segment_agree(&own, s->end);
        if (!*same) status = say_lost(k, (const double[]){a->value, own.value}, error);
    }
    rt_solution_free(&own);
    return status;
}

/* The next value; the end is there already. */
static routh_status sweep_segment_next(sweep_segment_step *k, const rt_solution *a, int v,
                                       rt_solution *now, bool *same, routh_error *error)
{
    const rt_segment *s = k->s;
    *same = true;
    if (v == s->last) {
        *now = *s->end;
        return s->interrupted ? ROUTH_OK : sweep_segment_check_end(k, a, same, error);
    }
    const routh_status status =
        rt_solution_find(s->task, s->grid[v], a->status ? NULL : a, now, error);
    if (status || !rt_is_followed(a) || !rt_may_end(now)) return status;
    return sweep_segment_approach(k, a, now, same, error);
}

/* same: b goes on from a. Other states, or another number of them, are said, and begin anew. */
static routh_status step_to(sweep_segment_step *k, const rt_solution *a, rt_solution *b, int v,
                            bool same, routh_error *error)
{
    const rt_segment *s = k->s;
    const int halvings = s->interrupted ? 0 : s->task->options.halvings;
    if (same && rt_solutions_compare(a, b))
        return sweep_segment_advance(k, a, b, v < s->last, true, halvings, error);
    if (same && !a->status && !b->status) {
        const routh_status status = say_lost(k, (const double[]){a->value, b->value}, error);
        if (status) return status;
    }
    return sweep_segment_restart(k, b, error);
}

/* After an interruption from where it is to the end, which is done: one step, nothing solved for.
 */
static routh_status sweep_segment_walk(sweep_segment_step *k, routh_error *error)
{
    rt_segment *s = k->s;
    rt_solution before = {0}, now;
    const rt_solution *a = s->begin;
    routh_status status = new_branches(k, a->n, error);
    if (!status && s->first == 0) status = rt_segment_keep(s, a, NULL, true, false, 1, error);
    for (int v = s->first + 1; v <= s->last && !status; v++) {
        bool same;
        if (s->interrupted) v = s->last;
        const bool last = v == s->last;
        status = sweep_segment_next(k, a, v, &now, &same, error);
        if (!status) status = step_to(k, a, &now, v, same, error);
        rt_solution_free(&before);
        if (last) break;
        before = now;
        a = &before;
        if (rt_sweep_tell(s->task, 1) && v + 1 < s->last) s->interrupted = true;
    }
    rt_solution_free(&before);
    if (!status && !s->interrupted && s->task->options.solve) status = look_beyond(k, error);
    return status;
}

void rt_segment_run(rt_segment *s)
{
    const double step_length = s->task->step;
    sweep_segment_step k = {
        .s = s,
        .predictor = {.task = s->task,
                      .finest = {MEETING_STEP * step_length, CROSSING_STEP * step_length}}};
    s->status = sweep_segment_walk(&k, &s->error);
    rt_predictor_release(&k.predictor);
    free(k.branch);
    free(k.before);
}
