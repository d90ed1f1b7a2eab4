#include "motion/periodic_shooting.h"

#include "base/pi.h"
#include "base/lapack.h"
#include "base/rotation.h"

routh_status rt_shooting_create(rt_shooting *s, rt_orbit *o, routh_error *error)
{
    const size_t n = (size_t)o->n, wide = (n + 1) * (n + 1);
    rt_arena *a = &s->arena;
    *s = (rt_shooting){.o = o};
    const bool ok = (s->bodies = RT_TAKE(a, rt_frame, o->m->n_bodies)) &&
                    (s->value = RT_TAKE(a, double, n)) && (s->rate = RT_TAKE(a, double, n)) &&
                    (s->size = RT_TAKE(a, double, n)) && (s->g = RT_TAKE(a, double, n)) &&
                    (s->f = RT_TAKE(a, double, n)) && (s->J = RT_TAKE(a, double, wide)) &&
                    (s->u = RT_TAKE(a, double, wide)) && (s->vt = RT_TAKE(a, double, wide)) &&
                    (s->sigma = RT_TAKE(a, double, n + 1)) && (s->b = RT_TAKE(a, double, n + 1)) &&
                    (s->y = RT_TAKE(a, double, n + 1));
    return ok ? ROUTH_OK : rt_fail_memory(error);
}

void rt_shooting_release(rt_shooting *s) { rt_arena_free(&s->arena); }

/* ---- sizes and places ------------------------------------------------------------------------ */

static void periodic_shooting_find_sizes(rt_shooting *s, double period)
{
    const rt_states *states = rt_along_states(s->o->first);
    for (int k = 0; k < s->o->n; k++) {
        const bool rate = k >= states->z && k < states->z + states->z1;
        s->size[k] = rt_along_state_size(s->o->first, k) * (rate ? RT_TWO_PI / period : 1);
    }
    const double *x = s->o->start->signal;
    const int held = states->z + states->z1;
    for (int k = held; k < s->o->n; k++) s->size[k] = fmax(1, fabs(x[k - held]));
}

/* Where the first states stand at the start, at which they have been run. */
static void note_start(rt_shooting *s)
{
    const rt_states *states = rt_along_states(s->o->first);
    const rt_workspace *w = rt_along_search(s->o->first)->w;
    double value[3];
    memcpy(s->bodies, w->bodies, (size_t)s->o->m->n_bodies * sizeof *s->bodies);
    for (int k = 0; k < states->z; k++) {
        rt_along_values(s->o->first, false, k, value);
        s->value[k] = value[0];
    }
    for (int k = 0; k < states->z1; k++) {
        rt_along_values(s->o->first, true, k, value);
        s->rate[k] = value[1];
    }
}

/* f: the rates of the states along the motion where `first` stands. */
static void periodic_shooting_find_rates(const rt_shooting *s, double *f)
{
    const rt_along *first = s->o->first;
    const rt_states *states = rt_along_states(first);
    const int held = states->z + states->z1, n_x = s->o->n - held;
    double value[3];
    for (int k = 0; k < states->z; k++) {
        rt_along_values(first, false, k, value);
        f[k] = value[1];
    }
    for (int k = 0; k < states->z1; k++) {
        rt_along_values(first, true, k, value);
        f[states->z + k] = value[2];
    }
    const double *rates = rt_along_search(first)->state->signal + n_x;
    for (int k = 0; k < n_x; k++) f[held + k] = rates[k];
}

/* ---- what a round leaves open ---------------------------------------------------------------- */

/* The rotation from a to b, world components. */
static void periodic_shooting_turn(const rt_frame *a, const rt_frame *b, double theta[3])
{
    double R[9];
    rt_m3_mul_t(R, b->A, a->A);
    rt_rotation_log(theta, R);
}

static double periodic_shooting_component(const rt_shooting *s, int candidate, bool rate)
{
    const int body = candidate / 6, k = candidate % 6;
    const rt_frame *a = &s->bodies[body], *b = &rt_along_search(s->o->first)->w->bodies[body];
    double theta[3], change[3];
    if (k < 3) return rate ? b->v[k] - a->v[k] : b->r[k] - a->r[k];
    periodic_shooting_turn(a, b, theta);
    if (!rate) return theta[k - 3];
    rt_v3_cross(change, a->w, theta);
    return b->w[k - 3] - a->w[k - 3] + change[k - 3];
}

static double periodic_shooting_difference(const rt_shooting *s, int candidate, bool rate,
                                           double before, const double value[3])
{
    const routh_mechanism *m = s->o->m;
    const int user = candidate - rt_first_user_candidate(m);
    if (candidate < rt_first_elastic_candidate(m))
        return periodic_shooting_component(s, candidate, rate);
    const double change = value[rate] - before;
    if (user < 0 || rate) return change;
    const char *unit = m->model->user_states[user].unit;
    return unit && strcmp(unit, "rad") == 0 ? remainder(change, RT_TWO_PI) : change;
}

static void find_gap(rt_shooting *s)
{
    const rt_along *first = s->o->first;
    const rt_states *states = rt_along_states(first);
    const int z = states->z, held = z + states->z1;
    double value[3];
    for (int k = 0; k < z; k++) {
        rt_along_values(first, false, k, value);
        s->g[k] = periodic_shooting_difference(s, states->candidate[k], false, s->value[k], value);
    }
    for (int k = 0; k < states->z1; k++) {
        rt_along_values(first, true, k, value);
        s->g[z + k] = periodic_shooting_difference(s, states->rate[k], true, s->rate[k], value);
    }
    for (int k = held; k < s->o->n; k++)
        s->g[k] = s->o->run.now->signal[k - held] - s->o->start->signal[k - held];
}

/* The largest part of g, and of what any body has moved, over their sizes. */
static void periodic_shooting_measure(rt_shooting *s)
{
    const rt_workspace *w = rt_along_search(s->o->first)->w;
    s->closure = 0;
    for (int k = 0; k < s->o->n; k++) {
        const double part = fabs(s->g[k]) / s->size[k];
        if (part > s->closure) s->closure = part, s->worst = k;
    }
    for (int b = 0; b < s->o->m->n_bodies; b++) {
        double theta[3], d[3];
        periodic_shooting_turn(&s->bodies[b], &w->bodies[b], theta);
        rt_v3_sub(d, w->bodies[b].r, s->bodies[b].r);
        s->closure = fmax(s->closure, fmax(rt_v3_norm(theta), rt_v3_norm(d) / s->o->m->length));
    }
}

/* ---- a step of Newton ------------------------------------------------------------------------ */

/* In the sizes of the states, column-major; the time in rounds. */
static void periodic_shooting_fill(rt_shooting *s, const double *f0, double period, bool free,
                                   int order)
{
    const rt_orbit *o = s->o;
    for (int i = 0; i < o->n; i++) {
        for (int j = 0; j < o->n; j++)
            s->J[i + j * order] =
                (o->Y[i * o->n + j] * s->size[j] - (i == j) * s->size[i]) / s->size[i];
        s->b[i] = -s->g[i] / s->size[i];
    }
    if (!free) return;
    double norm = 0;
    for (int i = 0; i < o->n; i++) norm += f0[i] * f0[i] / s->size[i] / s->size[i];
    for (int i = 0; i < o->n; i++) {
        s->J[i + o->n * order] = s->f[i] * period / s->size[i];
        s->J[o->n + i * order] = norm > 0 ? f0[i] / s->size[i] / sqrt(norm) : 0;
    }
    s->J[o->n + o->n * order] = 0;
    s->b[o->n] = 0;
}

/* The smallest y with J y = b, where J has directions that it leaves open. */
static routh_status periodic_shooting_solve(rt_shooting *s, int order, routh_error *error)
{
    static const double open = 1e-7;
    const routh_status status = rt_svd(order, order, s->J, s->sigma, s->u, s->vt, error);
    memset(s->y, 0, (size_t)order * sizeof *s->y);
    for (int k = 0; k < order && !status; k++) {
        if (s->sigma[k] <= open * fmax(1, s->sigma[0])) break;
        double part = 0;
        for (int i = 0; i < order; i++) part += s->u[i + k * order] * s->b[i];
        for (int i = 0; i < order; i++) s->y[i] += s->vt[k + i * order] * part / s->sigma[k];
    }
    return status;
}

/* orbit->start moved by y, no more than `most` of the states' sizes at once, and on the
 * constraints. */
static routh_status periodic_shooting_move(rt_shooting *s, double *period, bool free,
                                           routh_error *error)
{
    static const double most = 0.5;
    rt_orbit *o = s->o;
    double size = free ? 2 * fabs(s->y[o->n]) : 0;
    for (int k = 0; k < o->n; k++) size = fmax(size, fabs(s->y[k]));
    const double part = size > most ? most / size : 1;
    for (int k = 0; k < o->n; k++) s->y[k] *= part * s->size[k];
    if (free) *period *= 1 + part * s->y[o->n];
    routh_status status = rt_along_run(o->first, o->start, error);
    if (status) return status;
    rt_along_move(o->first, s->y, o->start);
    rt_state_copy(o->m, o->run.search.state, o->start);
    status = rt_run_time(&o->run, o->run.search.state, o->start->t, error);
    if (!status) status = rt_run_project(&o->run, error);
    if (!status) status = rt_run_accelerate(&o->run, error);
    if (!status) rt_state_copy(o->m, o->start, o->run.search.state);
    return status;
}

void rt_shooting_note(rt_shooting *s, double period)
{
    periodic_shooting_find_sizes(s, period);
    note_start(s);
}

void rt_shooting_compare(rt_shooting *s)
{
    find_gap(s);
    periodic_shooting_measure(s);
}

static double periodic_shooting_way(const rt_shooting *s, const double *f0, double period)
{
    double most = 0;
    for (int k = 0; k < s->o->n; k++) most = fmax(most, fabs(f0[k]) * period / s->size[k]);
    return most;
}

static routh_status round_and_gap(rt_shooting *s, double period, int steps, double *f0,
                                  routh_error *error)
{
    routh_status status = rt_along_run(s->o->first, s->o->start, error);
    if (status) return status;
    note_start(s);
    periodic_shooting_find_rates(s, f0);
    status = rt_orbit_round(s->o, period, steps, error);
    if (status) return status;
    periodic_shooting_find_rates(s, s->f);
    rt_shooting_compare(s);
    s->way = periodic_shooting_way(s, f0, period);
    return ROUTH_OK;
}

routh_status rt_shooting_find(rt_shooting *s, double *period, bool free, bool search, int steps,
                              double good, routh_error *error)
{
    enum { MOST = 40 };
    const int order = s->o->n + free;
    double before = INFINITY;
    double *f0 = RT_TAKE(&s->arena, double, s->o->n);
    if (!f0) return rt_fail_memory(error);
    for (int k = 0;; k++) {
        periodic_shooting_find_sizes(s, *period);
        routh_status status = round_and_gap(s, *period, steps, f0, error);
        if (status || s->closure <= good || !search || k == MOST) return status;
        if (k > 8 && s->closure < 1e-9 && s->closure > 0.5 * before) return ROUTH_OK;
        before = s->closure;
        periodic_shooting_fill(s, f0, *period, free, order);
        status = periodic_shooting_solve(s, order, error);
        if (!status) status = periodic_shooting_move(s, period, free, error);
        if (status) return status;
        s->iterations++;
        if (!(*period > 0))
            return rt_fail(error, ROUTH_NUMERIC_ERROR,
                           "the search for a periodic motion reached a negative period; start from "
                           "a period (--period-near) and an initial state that are nearer to the "
                           "motion");
    }
}
