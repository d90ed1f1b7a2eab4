#include "expression/clock.h"

#include <stdlib.h>
#include <string.h>

#include "base/hermite.h"
#include "expression/interval.h"

struct rt_clock {
    rt_arena arena;
    int n, n_slots, time;
    int n_used; /* inputs of the tape: slots used[n_used] */
    int *used;
    const rt_tape *tape;        /* outputs: the n functions that are looked at */
    double *in, *work;          /* jets */
    double *from, *to, *middle; /* 3 n: jets of the functions at the ends and within */
    double *low, *high;         /* n: between what values each was seen */
    double *base;               /* n: what does not count of each */
    bool *still;                /* n: it does no more than that all over the span at hand */
    rt_interval *span_in, *span_work, *span; /* span: 3 n */
};

/* ---- which functions ------------------------------------------------------------------------- */

enum { KNOWN = 0, TIMED = 1, BEYOND = 2 };

static int kind_of_node(const rt_graph *graph, const rt_reach *reach, const char *kind,
                        const rt_clock *c, const bool *known, int k)
{
    const rt_node *node = &graph->nodes[reach->nodes[k]];
    int all = KNOWN;
    if (node->operation == RT_OP_INPUT)
        return node->detail == c->time                            ? TIMED
               : node->detail < c->n_slots && known[node->detail] ? KNOWN
                                                                  : BEYOND;
    if (node->operation == RT_OP_USER) return BEYOND; /* nothing is known of it over a span */
    for (int i = 0; i < rt_argument_count(node); i++) {
        const int below = kind[rt_reach_find(reach, node->argument[i])];
        all = below > all ? below : all;
    }
    return all;
}

/* Is it a sum, or a multiple by what does not change? Its terms are looked at in its place, so that
 * none hides beside larger ones. */
static bool has_terms(const rt_node *node, const rt_reach *reach, const char *kind)
{
    switch (node->operation) {
    case RT_OP_ADD:
    case RT_OP_SUBTRACT:
    case RT_OP_NEGATE: return true;
    case RT_OP_MULTIPLY:
        return kind[rt_reach_find(reach, node->argument[0])] == KNOWN ||
               kind[rt_reach_find(reach, node->argument[1])] == KNOWN;
    case RT_OP_DIVIDE: return kind[rt_reach_find(reach, node->argument[1])] == KNOWN;
    default: return false;
    }
}

/* wanted[k]: what is beyond takes node k over, or it is a term of what is. Users come after their
 * arguments. */
static void mark_wanted(const rt_graph *graph, const rt_reach *reach, const char *kind,
                        bool *wanted)
{
    for (int k = reach->n - 1; k >= 0; k--) {
        const rt_node *node = &graph->nodes[reach->nodes[k]];
        const bool passes = kind[k] == BEYOND || (wanted[k] && has_terms(node, reach, kind));
        for (int i = 0; i < rt_argument_count(node) && passes; i++)
            wanted[rt_reach_find(reach, node->argument[i])] = true;
        if (passes || kind[k] != TIMED || node->operation == RT_OP_INPUT) wanted[k] = false;
    }
}

/* Into *list, c->n of them. */
static bool clock_find_functions(rt_clock *c, const rt_graph *graph, const rt_expr *expressions,
                                 int n, const bool *known, rt_expr **list)
{
    rt_reach reach = {0};
    bool good = true, *wanted;
    for (int k = 0; k < n && good; k++)
        good = expressions[k] < 0 || rt_reach_add(&reach, graph, expressions[k]);
    if (good) rt_reach_sort(&reach);
    char *kind = calloc((size_t)reach.n + 1, 1);
    *list = RT_TAKE(&c->arena, rt_expr, reach.n);
    wanted = RT_TAKE(&c->arena, bool, reach.n);
    good = good && kind && *list && wanted;
    for (int k = 0; k < reach.n && good; k++)
        kind[k] = (char)kind_of_node(graph, &reach, kind, c, known, k);
    for (int k = 0; k < n && good; k++)
        if (expressions[k] >= 0) wanted[rt_reach_find(&reach, expressions[k])] = true;
    if (good) mark_wanted(graph, &reach, kind, wanted);
    for (int k = 0; k < reach.n && good; k++)
        if (wanted[k]) (*list)[c->n++] = reach.nodes[k];
    free(kind);
    rt_reach_free(&reach);
    return good;
}

static bool clock_take_memory(rt_clock *c)
{
    rt_arena *a = &c->arena;
    const size_t n = (size_t)c->n, work = rt_tape_work(c->tape), in = 3 * (size_t)c->n_used;
    c->in = RT_TAKE(a, double, in);
    c->work = RT_TAKE(a, double, work);
    c->from = RT_TAKE(a, double, 9 * n);
    c->low = RT_TAKE(a, double, 3 * n);
    c->span_in = RT_TAKE(a, rt_interval, in);
    c->span_work = RT_TAKE(a, rt_interval, work);
    c->span = RT_TAKE(a, rt_interval, 3 * n);
    c->still = RT_TAKE(a, bool, n);
    if (!c->still || !c->in || !c->work || !c->from || !c->low || !c->span_in || !c->span_work ||
        !c->span)
        return false;
    c->to = c->from + 3 * n, c->middle = c->to + 3 * n;
    c->high = c->low + n, c->base = c->high + n;
    return true;
}

static bool clock_compile(rt_clock *c, const rt_graph *graph, const rt_expr *expressions, int n,
                          const bool *known)
{
    rt_expr *list;
    if (!clock_find_functions(c, graph, expressions, n, known, &list)) return false;
    c->used = RT_TAKE(&c->arena, int, c->n_slots);
    if (!c->used) return false;
    if (c->n == 0) return true;
    for (int slot = 0; slot < c->n_slots; slot++)
        if (known[slot] || slot == c->time) c->used[c->n_used++] = slot;
    c->tape = rt_tape_compile(graph, list, c->n, c->used, c->n_used, &c->arena);
    return c->tape && clock_take_memory(c);
}

routh_status rt_clock_create(rt_clock **clock, const rt_graph *graph, const rt_expr *expressions,
                             int n, const bool *known, int n_slots, int time, routh_error *error)
{
    *clock = NULL;
    if (time < 0) return ROUTH_OK;
    rt_clock *c = calloc(1, sizeof *c);
    if (!c) return rt_fail_memory(error);
    c->n_slots = n_slots, c->time = time;
    const bool good = clock_compile(c, graph, expressions, n, known);
    if (good && c->n > 0) {
        *clock = c;
        return ROUTH_OK;
    }
    rt_clock_free(c);
    return good ? ROUTH_OK : rt_fail_memory(error);
}

void rt_clock_free(rt_clock *c)
{
    if (!c) return;
    rt_arena_free(&c->arena);
    free(c);
}

/* ---- at an instant, and over a span ---------------------------------------------------------- */

static void clock_take_inputs(rt_clock *c, const double *inputs)
{
    for (int k = 0; k < c->n_used; k++) {
        const bool time = c->used[k] == c->time;
        const double value = time ? 0 : inputs[c->used[k]], rate = time ? 1 : 0;
        const double jet[3] = {value, rate, 0};
        for (int d = 0; d < 3; d++) {
            c->in[3 * k + d] = jet[d];
            c->span_in[3 * k + d] = rt_interval_point(jet[d]);
        }
    }
}

static void look_at_time(rt_clock *c, double t, double *jets)
{
    for (int k = 0; k < c->n_used; k++)
        if (c->used[k] == c->time) c->in[3 * k] = t;
    rt_tape_evaluate_jets(c->tape, c->in, jets, c->work);
}

static void look_at_span(rt_clock *c, double from, double to)
{
    for (int k = 0; k < c->n_used; k++)
        if (c->used[k] == c->time) c->span_in[3 * k] = (rt_interval){from, to};
    rt_tape_enclose(c->tape, c->span_in, c->span, c->span_work);
}

static void note_range(rt_clock *c, const double *jets)
{
    for (int i = 0; i < c->n; i++) {
        c->low[i] = fmin(c->low[i], jets[3 * i]); /* a NaN does not count */
        c->high[i] = fmax(c->high[i], jets[3 * i]);
    }
}

/* ---- the cubic through both ends ------------------------------------------------------------- */

/* H, H' and H'' at s in [0, 1] of a span of length h. */
static void cubic_jet(const double *a, const double *b, double h, double s, double *H)
{
    rt_hermite(a[0], a[1], b[0], b[1], h, s, H);
}

typedef struct part {
    double from, to;
} part;

typedef enum verdict { RESOLVED, UNKNOWN, HIDDEN } verdict;

/* What rounding may make of a function over a span; 0 where that is not known. */
static double span_rounding(rt_interval y)
{
    static const double rounding = 1e-13;
    const double size = fmax(fabs(y.low), fabs(y.high));
    return isfinite(size) ? rounding * size : 0;
}

/* Does function i stay by its cubic on the part, which is enclosed, whose middle was looked at?
 * With d = f - H at the middle m of a part of half length r, by Taylor's formula
 *     |f - H| <= |d(m)| + |d'(m)| r + max |d''| r^2 / 2,
 * or, where f'' has no bound, by the ranges of both. HIDDEN: not even at the middle. */
static verdict judge_part(const rt_clock *c, int i, double a, double b, part p)
{
    static const double share = 0.01; /* of what it ranges over */
    const double *from = c->from + 3 * i, *to = c->to + 3 * i, *m = c->middle + 3 * i;
    const rt_interval *span = c->span + 3 * i;
    const double h = b - a, r = (p.to - p.from) / 2;
    const double enough =
        fmax(share * (c->high[i] - c->low[i]), fmax(c->base[i], span_rounding(span[0])));
    double H[3], left[3], right[3];
    if (c->still[i]) return RESOLVED;
    if (isnan(from[0]) || isnan(to[0]) || isnan(m[0])) return RESOLVED; /* its own error's matter */
    cubic_jet(from, to, h, ((p.from + p.to) / 2 - a) / h, H);
    if (!(fabs(m[0] - H[0]) <= enough)) return HIDDEN;
    cubic_jet(from, to, h, (p.from - a) / h, left);
    cubic_jet(from, to, h, (p.to - a) / h, right);
    const double bend = fmax(fabs(left[2]), fabs(right[2]));
    const double reach = fabs(H[1]) * r + bend * r * r / 2;
    if (fmax(span[0].high - (H[0] - reach), H[0] + reach - span[0].low) <= enough) return RESOLVED;
    const double least = fmin(left[2], right[2]), most = fmax(left[2], right[2]);
    const double second = fmax(span[2].high - least, most - span[2].low);
    const double away = fabs(m[0] - H[0]) + fabs(m[1] - H[1]) * r + second * r * r / 2;
    return away <= enough ? RESOLVED : UNKNOWN;
}

/* What was seen of function i at the middle of a part may be rounding, where it is steep. */
static bool may_be_rounding(rt_clock *c, int i, double a, double b, double middle)
{
    double H[3];
    cubic_jet(c->from + 3 * i, c->to + 3 * i, b - a, (middle - a) / (b - a), H);
    look_at_span(c, middle, middle);
    const double doubt = c->span[3 * i].high - c->span[3 * i].low;
    return !(fabs(c->middle[3 * i] - H[0]) > 2 * doubt);
}

/* The first function of which the part is not resolved; n: none. */
static int clock_judge(rt_clock *c, double a, double b, part p, verdict *worst)
{
    const double middle = p.from + (p.to - p.from) / 2;
    int first = c->n;
    look_at_time(c, middle, c->middle);
    look_at_span(c, p.from, p.to);
    note_range(c, c->middle);
    *worst = RESOLVED;
    for (int i = 0; i < c->n; i++) {
        const verdict v = judge_part(c, i, a, b, p);
        if (v > *worst) *worst = v, first = i;
    }
    if (*worst == HIDDEN && may_be_rounding(c, first, a, b, middle)) *worst = UNKNOWN;
    return first;
}

static void begin_span(rt_clock *c, double a, double b)
{
    look_at_time(c, a, c->from);
    look_at_time(c, b, c->to);
    look_at_span(c, a, b);
    for (int i = 0; i < c->n; i++) {
        const rt_interval ends = {fmin(c->from[3 * i], c->to[3 * i]),
                                  fmax(c->from[3 * i], c->to[3 * i])};
        const double slack = fmax(c->base[i], span_rounding(ends));
        c->low[i] = INFINITY, c->high[i] = -INFINITY;
        c->still[i] = c->span[3 * i].high - c->span[3 * i].low <= slack;
    }
    note_range(c, c->from);
    note_range(c, c->to);
}

/* Is every function resolved on [a, b]? Parts are halved until each is, or one is seen not to be.
 * Else the function that is not, and whether it is seen, or not proved. */
static int find_hidden(rt_clock *c, double a, double b, bool *seen)
{
    enum { DEPTH = 12, MOST = 60 };
    part stack[DEPTH + 1];
    int depth[DEPTH + 1], n = 1;
    begin_span(c, a, b);
    stack[0] = (part){a, b}, depth[0] = 0;
    for (int looks = 0; n > 0; looks++) {
        const part p = stack[--n];
        const int at = depth[n];
        verdict worst;
        const int first = clock_judge(c, a, b, p, &worst);
        *seen = worst == HIDDEN;
        if (worst == RESOLVED) continue;
        if (worst == HIDDEN || at == DEPTH || looks == MOST) return first;
        const double middle = p.from + (p.to - p.from) / 2;
        stack[n] = (part){middle, p.to}, depth[n++] = at + 1;
        stack[n] = (part){p.from, middle}, depth[n++] = at + 1;
    }
    return c->n;
}

static bool is_quiet(rt_clock *c, int i, double a, double b, double most)
{
    look_at_span(c, a, b);
    return c->span[3 * i].high - c->span[3 * i].low <= most;
}

/* To where function i does nothing from a on, beside what it does until b; a where that is less
 * than a small part of the way. */
static double quiet_until(rt_clock *c, int i, double a, double b)
{
    static const double nothing = 1e-6, least = 0.01;
    const double most = fmax(nothing * (c->high[i] - c->low[i]), c->base[i]);
    double quiet = a + least * (b - a), busy = b;
    if (!is_quiet(c, i, a, quiet, most)) return a;
    while (busy - quiet > 2 * DBL_EPSILON * fabs(busy)) {
        const double middle = quiet + (busy - quiet) / 2;
        if (middle <= quiet || middle >= busy) break;
        *(is_quiet(c, i, a, middle, most) ? &quiet : &busy) = middle;
    }
    c->base[i] = most;
    return quiet;
}

int rt_clock_count(const rt_clock *c) { return c ? c->n : 0; }

static void note_sizes(rt_clock *c, double t, double *sizes)
{
    static const double nothing = 1e-9;
    look_at_time(c, t, c->from);
    for (int i = 0; i < c->n; i++) {
        const double size = fabs(c->from[3 * i]);
        if (isfinite(size)) sizes[i] = fmax(sizes[i], size);
        c->base[i] = nothing * sizes[i];
    }
}

double rt_clock_limit(rt_clock *c, const double *inputs, double *sizes, double t, double to)
{
    enum { MOST_HALVES = 40, MOST_UNPROVED = 10 };
    /* what jumps at t itself is over */
    const double a = t + fmax(16 * DBL_EPSILON * fabs(t), 1e-12 * (to - t));
    double b = to;
    clock_take_inputs(c, inputs);
    note_sizes(c, a, sizes);
    for (int halves = 0, unproved = 0; halves < MOST_HALVES && b > a;) {
        bool seen = false;
        const int hidden = find_hidden(c, a, b, &seen);
        if (hidden == c->n) return b;
        const double quiet = quiet_until(c, hidden, a, b);
        if (quiet > a) { /* each function is made still once */
            b = quiet;
            continue;
        }
        /* what bounds are too wide to prove is taken as it was seen in its parts */
        unproved = seen ? 0 : unproved + 1;
        if (unproved > MOST_UNPROVED) return b;
        b = a + (b - a) / 2, halves++;
    }
    return fmax(b, t + 64 * DBL_EPSILON * fabs(t));
}
