/* The number of unstable eigenvalues at the values of a line against the limits between them.
 *
 *     unstable(b) - unstable(a) = sum over the limits between of (flutter 2, divergence 1, down -)
 *
 * A limit that is not told from the value it lies at may belong to either side of it. */
#include <math.h>

#include "studies/sweep_line.h"

/* By how many it changes from below the limit to above it. */
static int change_at(const routh_sweep_event *e)
{
    const int n = e->kind == ROUTH_SWEEP_FLUTTER ? 2 : e->kind == ROUTH_SWEEP_DIVERGENCE ? 1 : 0;
    return e->grows ? n : -n;
}

typedef struct step_account {
    double low, high;
    int least, most; /* the change that limits explain, without and with those at its ends */
    bool open;       /* something in it is said not to be known */
} step_account;

static bool is_open_event(const routh_sweep_event *e)
{
    return e->kind == ROUTH_SWEEP_UNRESOLVED && e->of == ROUTH_SWEEP_FLUTTER;
}

static void count_event(step_account *s, const routh_sweep_event *e)
{
    const double off = e->error + 1e-12 * fabs(e->value), from = e->value - off,
                 to = e->value + off;
    if (to < s->low || from > s->high) return;
    const int change = change_at(e);
    const bool inside = from > s->low && to < s->high;
    s->open = s->open || is_open_event(e);
    if (inside || change < 0) s->least += change;
    if (inside || change > 0) s->most += change;
}

/* Where eigenvalues pass zero, or two merge, there is no telling which goes on as which: in the
 * step that holds the limit, and in those of its length beside it. */
static bool is_of_limit(const routh_sweep_event *e, const routh_sweep_event *limit)
{
    if (change_at(limit) == 0 || fabs(e->value - limit->value) > 4 * e->error + limit->error)
        return false;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (e->branch[i] >= 0 && e->branch[i] == limit->branch[j]) return true;
    return false;
}

void rt_line_drop_doubts(routh_sweep_line *line)
{
    int kept = 0;
    for (int k = 0; k < line->n_events; k++) {
        const routh_sweep_event e = line->events[k];
        bool known = false;
        for (int l = 0; l < line->n_events && e.kind == ROUTH_SWEEP_AMBIGUOUS; l++)
            known = known || (l != k && is_of_limit(&e, &line->events[l]));
        if (!known) line->events[kept++] = e;
    }
    line->n_events = kept;
}

void rt_line_account(routh_sweep_line *line)
{
    const int n_events = line->n_events;
    const routh_sweep_point *a = NULL;
    for (int k = 0; k < line->n_points; k++) {
        const routh_sweep_point *b = &line->points[k];
        if (b->message) continue;
        const routh_sweep_point *from = a;
        a = b;
        if (!from) continue;
        step_account s = {.low = fmin(from->value, b->value), .high = fmax(from->value, b->value)};
        for (int e = 0; e < n_events; e++) count_event(&s, &line->events[e]);
        const bool rising = b->value > from->value;
        const int change = rising ? b->unstable - from->unstable : from->unstable - b->unstable;
        if (s.open || (change >= s.least && change <= s.most)) continue;
        line->events[line->n_events++] = (routh_sweep_event){.kind = ROUTH_SWEEP_UNRESOLVED,
                                                             .of = ROUTH_SWEEP_FLUTTER,
                                                             .value = (s.low + s.high) / 2,
                                                             .error = (s.high - s.low) / 2,
                                                             .branch = {-1, -1},
                                                             .eigenvalue = {NAN, NAN},
                                                             .grows = change > 0};
    }
}
