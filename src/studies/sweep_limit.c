/* All limits between two neighbouring values.
 *
 * What is found must explain what is counted: with a limit solved for, the parts on both sides of
 * it are looked at in the same way, until in each the same number of eigenvalues is above zero at
 * both ends, and nothing hints at more. What cannot be explained so is said not to be resolved.
 *
 * A value at which more eigenvalues are zero than at the value before, as a limit that lies on the
 * grid, is replaced by two beside it; whether a zero belongs to the mechanism or to this value
 * alone is told by these, and by how many there are, not by how small they are. Where modes meet
 * the interval is split. */
#include "studies/sweep_limit.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"

enum { DEEPEST = 12, MOST_SOLUTIONS = 400 };

/* ---- what is said ---------------------------------------------------------------------------- */

/* The branch of eigenvalue k of a solution; -1 where that is not known. */
static routh_status branch_of(const rt_limit_step *t, const rt_solution *s, int k, int *branch,
                              routh_error *error)
{
    const bool near_a = fabs(s->value - t->a->value) <= fabs(t->b->value - s->value);
    const rt_solution *near = near_a ? t->a : t->b;
    int i = k;
    *branch = -1;
    if (k < 0) return ROUTH_OK;
    if (s != near) {
        rt_match m;
        if (!rt_solutions_compare(near, s)) return ROUTH_OK;
        const routh_status status = rt_match_find(&m, near, (rt_solution *)s, false, error);
        for (i = 0; i < near->n && !status && m.to[i] != k;) i++;
        rt_match_free(&m);
        if (status) return status;
    }
    if (!near_a) {
        const int l = i;
        for (i = 0; i < t->a->n && t->match->to[i] != l;) i++;
    }
    if (i < t->a->n) *branch = t->branch[i];
    return ROUTH_OK;
}

/* What merges with eigenvalue k where the two are as far on both sides of the axis. */
static int mirror_of(const rt_solution *s, int k)
{
    int best = -1;
    for (int i = 0; i < s->n; i++)
        if (i != k && (best < 0 || cabs(s->lambda[i] + conj(s->lambda[k])) <
                                       cabs(s->lambda[best] + conj(s->lambda[k]))))
            best = i;
    return best;
}

static double _Complex nearest_to(const rt_solution *s, double _Complex lambda)
{
    double _Complex best = NAN;
    for (int i = 0; i < s->n; i++)
        if (isnan(creal(best)) || cabs(s->lambda[i] - lambda) < cabs(best - lambda))
            best = s->lambda[i];
    return best;
}

/* Meetings of the step that are this limit: of undamped modes, which grow from where they meet. */
static void drop_meetings(rt_limit_step *t, const routh_sweep_event *e)
{
    int to = t->meetings;
    for (int n = t->meetings; n < t->list->n; n++) {
        const routh_sweep_event *m = &t->list->events[n];
        const bool same = (m->branch[0] == e->branch[0] && m->branch[1] == e->branch[1]) ||
                          (m->branch[0] == e->branch[1] && m->branch[1] == e->branch[0]);
        if (m->kind == ROUTH_SWEEP_MEETING && same &&
            fabs(m->value - e->value) <= 4 * (m->error + e->error))
            continue;
        t->list->events[to++] = *m;
    }
    t->list->n = to;
}

/* Two that merge are the same two in either order. */
static bool same_branches(const routh_sweep_event *e, const routh_sweep_event *k)
{
    return e->branch[0] == k->branch[0] ||
           (e->branch[0] == k->branch[1] && e->branch[1] == k->branch[0]);
}

/* Among the first n events: those that are added with it are others. */
static bool limit_is_known(const rt_event_list *list, int n_before, const routh_sweep_event *e)
{
    for (int n = 0; n < n_before; n++) {
        const routh_sweep_event *k = &list->events[n];
        if (k->kind == e->kind && same_branches(e, k) && k->order == e->order &&
            k->grows == e->grows && fabs(k->value - e->value) <= k->error + e->error)
            return true;
    }
    return false;
}

/* Nearly at zero, as far as zeros are told from slow modes. */
static bool is_slow(const rt_solution *s, int k)
{
    double highest = 0;
    for (int i = 0; i < s->n; i++) highest = fmax(highest, cabs(s->lambda[i]));
    return cabs(s->lambda[k]) <= 1e-5 * highest;
}

/* A damping ratio changes by a jump where a pair passes zero: that is the divergence alone. */
static bool is_divergence(const rt_limit_step *t, double from, double to)
{
    if (t->wanted.kind != ROUTH_SWEEP_DAMPING) return false;
    for (int n = 0; n < t->list->n; n++) {
        const routh_sweep_event *e = &t->list->events[n];
        if (e->kind == ROUTH_SWEEP_DIVERGENCE &&
            e->value + e->error >= fmin(from, to) - t->finest &&
            e->value - e->error <= fmax(from, to) + t->finest)
            return true;
    }
    return false;
}

/* added: limits of the same value that have been. */
static routh_status say_limit(rt_limit_step *t, const rt_limit_found *f, int k, bool flat,
                              int *added, routh_error *error)
{
    const bool up = f->after.plus > f->before.plus;
    const rt_solution *s = up ? f->after.s : f->before.s;
    const bool real = s->conjugate[k] == k, stability = t->wanted.kind == ROUTH_SWEEP_FLUTTER;
    const double _Complex at = nearest_to(f->at.s, s->lambda[k]);
    const double value = f->at.s->value;
    routh_sweep_event e = {
        .kind = stability && real ? ROUTH_SWEEP_DIVERGENCE : t->wanted.kind,
        .value = value,
        .error = fmax(fabs(f->after.s->value - value), fabs(f->before.s->value - value)) + f->open,
        .branch = {-1, -1},
        .eigenvalue = {creal(at), fabs(cimag(at))},
        .order = t->wanted.order,
        .grows = up == (f->after.s->value > f->before.s->value),
        .evaluations = f->evaluations + 1,
        .derivatives = f->derivatives};
    if (t->wanted.kind == ROUTH_SWEEP_DAMPING &&
        (real || (is_divergence(t, value, value) && is_slow(s, k))))
        return ROUTH_OK; /* its ratio is 1 or -1, or jumps */
    /* what lies beside an end is not in the sweep */
    if (value + e.error < t->task->low || value - e.error > t->task->high) return ROUTH_OK;
    routh_status status = branch_of(t, s, k, &e.branch[0], error);
    if (!status && flat && stability)
        status = branch_of(t, s, mirror_of(s, k), &e.branch[1], error);
    if (status || limit_is_known(t->list, t->list->n - *added, &e)) return status;
    if (e.branch[1] >= 0) drop_meetings(t, &e);
    ++*added;
    return rt_event_add(t->list, &e, error);
}

static routh_status say_unresolved(rt_limit_step *t, const rt_limit_point *lo,
                                   const rt_limit_point *hi, routh_error *error)
{
    const double x = lo->s->value, y = hi->s->value;
    if (is_divergence(t, x, y)) return ROUTH_OK;
    const rt_limit_point *p = hi->plus > lo->plus ? hi : lo;
    const int rank = hi->plus < lo->plus ? hi->plus : lo->plus;
    routh_sweep_event e = {.kind = ROUTH_SWEEP_UNRESOLVED,
                           .of = t->wanted.kind,
                           .value = (x + y) / 2,
                           .error = fabs(y - x) / 2,
                           .branch = {-1, -1},
                           .eigenvalue = {NAN, NAN},
                           .order = t->wanted.order,
                           .grows = (hi->plus > lo->plus) == (y > x)};
    const routh_status status =
        rank < p->n ? branch_of(t, p->s, p->order[rank], &e.branch[0], error) : ROUTH_OK;
    return status || limit_is_known(t->list, t->list->n, &e) ? status
                                                             : rt_event_add(t->list, &e, error);
}

/* Of ranks from .. to - 1: pairs are there with both. */
static bool are_whole(const rt_limit_point *p, int from, int to)
{
    for (int rank = from; rank < to; rank++) {
        const int other = p->s->conjugate[p->order[rank]];
        bool there = false;
        for (int r = from; r < to; r++) there = there || p->order[r] == other;
        if (!there) return false;
    }
    return true;
}

/* At the limit more are zero than come or go on the whole: others come and as many go there. */
static bool some_change_places(const rt_limit_found *f)
{
    const int others = f->at.zero - f->before.zero - abs(f->after.plus - f->before.plus);
    return f->before.zero == f->after.zero && others >= 2;
}

/* Every eigenvalue that is above zero on one side only, of a pair one. Where some come and others
 * go at one value, the numbers do not say which. */
static routh_status say_limits(rt_limit_step *t, const rt_limit_found *f, routh_error *error)
{
    const bool up = f->after.plus > f->before.plus, flat = f->after.zero != f->before.zero;
    const rt_limit_point *p = up ? &f->after : &f->before, *q = up ? &f->before : &f->after;
    routh_status status = ROUTH_OK;
    int added = 0;
    if (!are_whole(p, q->plus, p->plus) || some_change_places(f))
        return say_unresolved(t, &f->before, &f->after, error);
    for (int rank = q->plus; rank < p->plus && !status; rank++) {
        const int k = p->order[rank];
        if (cimag(p->s->lambda[k]) >= 0) status = say_limit(t, f, k, flat, &added, error);
    }
    return status;
}

/* ---- intervals ------------------------------------------------------------------------------- */

static routh_status explain(rt_limit_step *t, const rt_limit_point *lo, const rt_limit_point *hi,
                            int depth, routh_error *error);

static routh_status solve_between(rt_limit_step *t, const rt_limit_point *lo,
                                  const rt_limit_point *hi, int depth, routh_error *error)
{
    rt_limit_found f;
    routh_status status = rt_limit_close(t, lo, hi, &f, error);
    if (!status && f.ok) {
        status = say_limits(t, &f, error);
        if (!status && f.before.own.linear) status = explain(t, lo, &f.before, depth + 1, error);
        if (!status && f.after.own.linear) status = explain(t, &f.after, hi, depth + 1, error);
    } else if (!status) {
        const bool closed = f.before.s && f.after.s;
        status = say_unresolved(t, closed ? &f.before : lo, closed ? &f.after : hi, error);
    }
    rt_limit_found_release(&f);
    return status;
}

/* More that cannot be told from zero, or more exact zeros. */
static bool has_more_zeros(const rt_limit_point *p, const rt_limit_point *q)
{
    return p->zero > q->zero || p->rigid > q->rigid;
}

/* Both sides of a value; not ok: they are not there, or show no fewer zeros. */
static routh_status find_sides(rt_limit_step *t, const rt_limit_point *p, rt_limit_point side[2],
                               bool *ok, routh_error *error)
{
    routh_status status = ROUTH_OK;
    const double way = t->b->value > t->a->value ? t->finest : -t->finest;
    for (int k = 0; k < 2; k++) side[k] = (rt_limit_point){0};
    for (int k = 0; k < 2 && !status; k++)
        status = rt_limit_solve(t, p->s->value + (k ? way : -way), p, p, false, &side[k], error);
    *ok = !status && side[0].there && side[1].there && has_more_zeros(p, &side[0]);
    return status;
}

/* Divided at p, a value between. */
static routh_status divide(rt_limit_step *t, const rt_limit_point *lo, const rt_limit_point *p,
                           const rt_limit_point *hi, int depth, routh_error *error)
{
    rt_limit_point side[2];
    bool ok = false;
    routh_status status = ROUTH_OK;
    const bool more = has_more_zeros(p, lo) && has_more_zeros(p, hi);
    if (more) status = find_sides(t, p, side, &ok, error);
    if (!status) status = explain(t, lo, ok ? &side[0] : p, depth, error);
    if (!status && ok) status = explain(t, &side[0], &side[1], depth, error);
    if (!status) status = explain(t, ok ? &side[1] : p, hi, depth, error);
    if (more) rt_limit_release(&side[0]), rt_limit_release(&side[1]);
    return status;
}

static routh_status explain(rt_limit_step *t, const rt_limit_point *lo, const rt_limit_point *hi,
                            int depth, routh_error *error)
{
    double part;
    bool certain;
    const double x = lo->s->value, y = hi->s->value;
    t->undone = t->undone || (lo->plus != hi->plus && t->left <= 0);
    if (lo->plus != hi->plus)
        return t->left > 0 ? solve_between(t, lo, hi, depth, error)
                           : say_unresolved(t, lo, hi, error);
    if (fabs(y - x) <= 16 * DBL_EPSILON * fmax(fabs(x), fabs(y))) return ROUTH_OK;
    routh_status status = rt_limit_doubt(t, lo, hi, &part, &certain, error);
    if (status || part < 0) return status;
    t->undone = t->undone || t->left <= 0;
    if (depth >= DEEPEST || t->left <= 0)
        return certain ? say_unresolved(t, lo, hi, error) : ROUTH_OK;
    rt_limit_point p;
    status = rt_limit_solve(t, x + fmin(fmax(part, 0.05), 0.95) * (y - x), lo, hi,
                            t->task->derivatives, &p, error);
    if (!status && p.there)
        status = divide(t, lo, &p, hi, depth + 1, error);
    else if (!status && certain)
        status = say_unresolved(t, lo, hi, error);
    rt_limit_release(&p);
    return status;
}

/* ---- meetings -------------------------------------------------------------------------------- */

/* The next value, from x towards b, where modes meet by what the step has found; b where none. */
static double next_meeting(const rt_limit_step *t, double x)
{
    double next = t->b->value;
    for (int n = t->meetings; n < t->list->n; n++) {
        const routh_sweep_event *e = &t->list->events[n];
        if (e->kind == ROUTH_SWEEP_MEETING && (e->value - x) * (e->value - next) < 0)
            next = e->value;
    }
    return next;
}

/* From lo to hi by way of both sides of every meeting. */
static routh_status explain_parts(rt_limit_step *t, const rt_limit_point *lo,
                                  const rt_limit_point *hi, routh_error *error)
{
    const double x = next_meeting(t, lo->s->value),
                 by = t->b->value > t->a->value ? t->finest : -t->finest;
    if (x == t->b->value || (x + by - hi->s->value) * by >= 0 || (x - by - lo->s->value) * by <= 0)
        return explain(t, lo, hi, 0, error);
    rt_limit_point side[2] = {{0}, {0}};
    routh_status status = ROUTH_OK;
    for (int k = 0; k < 2 && !status; k++)
        status = rt_limit_solve(t, x + (k ? by : -by), lo, hi, false, &side[k], error);
    const bool ok = !status && side[0].there && side[1].there;
    if (!status && !ok) status = explain(t, lo, hi, 0, error);
    if (ok) status = explain(t, lo, &side[0], 0, error);
    if (ok && !status) status = explain(t, &side[0], &side[1], 0, error);
    if (ok && !status) status = explain_parts(t, &side[1], hi, error);
    for (int k = 0; k < 2; k++) rt_limit_release(&side[k]);
    return status;
}

/* ---- the step -------------------------------------------------------------------------------- */

/* A limit at an end of the sweep, where modes are undamped all along: what is outside. */
static routh_status look_out(rt_limit_step *t, const rt_limit_point *p, int way, routh_error *error)
{
    rt_limit_point out;
    if (p->zero == 0) return ROUTH_OK;
    const double by = t->b->value > t->a->value ? t->finest : -t->finest;
    routh_status status = rt_limit_solve(t, p->s->value + way * by, p, p, false, &out, error);
    if (!status && out.there && out.plus != p->plus)
        status = way > 0 ? explain(t, p, &out, 0, error) : explain(t, &out, p, 0, error);
    rt_limit_release(&out);
    return status;
}

/* Ends with zeros of their own are replaced by what is beside them. The end of the step before has
 * looked at a. */
static routh_status of_wanted(rt_limit_step *t, int number, routh_error *error)
{
    const unsigned bit = 1u << number;
    rt_limit_point a = {0}, b = {0}, from[2] = {{0}, {0}}, to[2] = {{0}, {0}};
    bool beside_a = false, beside_b = false;
    routh_status status = rt_limit_measure(t, t->a, &a, error);
    if (!status) status = rt_limit_measure(t, t->b, &b, error);
    const bool anew = t->begins || (!t->first && !(t->sides & bit));
    if (!status && (has_more_zeros(&a, &b) || t->sides & bit))
        status = find_sides(t, &a, from, &beside_a, error);
    if (!status && has_more_zeros(&b, beside_a ? &from[1] : &a))
        status = find_sides(t, &b, to, &beside_b, error);
    if (!status && beside_a && anew) status = explain(t, &from[0], &from[1], 0, error);
    if (!status && !beside_a && t->begins) status = look_out(t, &a, -1, error);
    if (!status) status = explain_parts(t, beside_a ? &from[1] : &a, beside_b ? &to[0] : &b, error);
    if (!status && beside_b) status = explain(t, &to[0], &to[1], 0, error);
    if (!status && !beside_b && t->last) status = look_out(t, &b, 1, error);
    t->sides = beside_b ? t->sides | bit : t->sides & ~bit;
    rt_limit_release(&a), rt_limit_release(&b);
    for (int k = 0; k < 2; k++) rt_limit_release(&from[k]), rt_limit_release(&to[k]);
    return status;
}

static routh_status all_wanted(rt_limit_step *t, routh_error *error)
{
    const routh_sweep_options *o = &t->task->options;
    const bool stability = o->solve & ROUTH_SWEEP_SOLVE_LIMITS;
    routh_status status = ROUTH_OK;
    t->wanted = (rt_wanted){ROUTH_SWEEP_FLUTTER, 0, -1, 0};
    if (stability) status = of_wanted(t, 0, error);
    t->wanted.kind = ROUTH_SWEEP_DAMPING;
    if (stability && !status && isfinite(o->damping_ratio)) status = of_wanted(t, 1, error);
    t->wanted.kind = ROUTH_SWEEP_CRITICAL;
    const bool speeds = o->solve & ROUTH_SWEEP_SOLVE_CRITICAL && t->task->speed >= 0;
    for (int n = 0; n < o->n_orders && speeds && !status; n++) {
        t->wanted.order = o->orders[n];
        if (t->wanted.order > 0) status = of_wanted(t, 2 + n, error);
    }
    return status;
}

routh_status rt_limits_between(rt_limit_step *t, routh_error *error)
{
    int *left = &t->store->left[RT_FOR_LIMITS];
    const int most = *left < MOST_SOLUTIONS ? *left : MOST_SOLUTIONS;
    t->left = most;
    const routh_status status = all_wanted(t, error);
    *left -= most - t->left;
    t->store->refused = t->store->refused || t->undone;
    return status;
}
