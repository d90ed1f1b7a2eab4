/* The public entry: rounds with more and more steps, until the multipliers stay as they are. */
#include <stdlib.h>

#include "base/lapack.h"
#include "motion/periodic.h"
#include "operating/massless.h"

enum { MOST_STEPS = 256 * RT_ORBIT_SAMPLES };

routh_floquet_options routh_floquet_defaults(void)
{
    return (routh_floquet_options){.tolerance = 1e-10};
}

typedef struct floquet_task {
    rt_floquet_holder *h;
    const routh_floquet_options *asked;
    const routh_operating_point *point;
    rt_orbit orbit;
    rt_shooting shooting;
    rt_multipliers x[1], before[1]; /* of the last round and of the one before */
    double *change;                 /* n */
    double period;
} floquet_task;

/* ---- steps ----------------------------------------------------------------------------------- */

/* So that the fastest eigenvalue of A at the beginning turns by a radian in a step, and no body by
 * more than half of one. */
static routh_status first_steps(floquet_task *t, int *steps, routh_error *error)
{
    rt_orbit *o = &t->orbit;
    const rt_workspace *w = rt_along_search(o->first)->w;
    double fastest = 0;
    for (int k = 0; k < o->n; k++) t->shooting.size[k] = rt_along_state_size(o->first, k);
    const routh_status status =
        rt_multipliers_find(t->x, rt_along_matrix(o->first), t->shooting.size, error);
    if (status) return status;
    for (int k = 0; k < o->n; k++) fastest = fmax(fastest, hypot(t->x->re[k], t->x->im[k]));
    for (int b = 0; b < o->m->n_bodies; b++)
        fastest = fmax(fastest, 2 * rt_v3_norm(w->bodies[b].w));
    const double needed = fmax(t->asked->steps, t->asked->steps ? 0 : fastest * t->period);
    if (needed > MOST_STEPS / 2)
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                       "a period of %g s needs %.0f steps, because of a fastest rate of %g rad/s, "
                       "but %d are the limit; make the fastest parts of the model less stiff, or "
                       "remove them",
                       t->period, needed, fastest, MOST_STEPS / 2);
    *steps = RT_ORBIT_SAMPLES * (int)fmax(1, ceil(needed / RT_ORBIT_SAMPLES));
    return ROUTH_OK;
}

static routh_status not_periodic(const floquet_task *t, routh_error *error)
{
    const rt_shooting *s = &t->shooting;
    return rt_fail(
        error, ROUTH_NUMERIC_ERROR,
        "the motion is not periodic: after %g s %s differs by %.2g (typical lengths or radians, "
        "rates times the period)%s",
        t->period, t->orbit.n ? rt_along_name(t->orbit.first, s->worst) : "a body", s->closure,
        t->asked->no_shooting ? "" : "; no periodic motion was found near the operating point");
}

/* A motion that is left more open than this is none that comes back. */
static const double most_open = 1e-7;

/* Rounds of so many steps until the motion closes; the first of a free period finds the motion. */
static routh_status round_of(floquet_task *t, int steps, bool first, routh_error *error)
{
    const double good = fmin(fmax(0.1 * t->asked->tolerance, 1e-13), most_open / 10);
    const bool free = t->asked->autonomous, search = !t->asked->no_shooting;
    return free && search && first
               ? rt_shooting_find_motion(&t->shooting, &t->period, steps, good, error)
               : rt_shooting_find(&t->shooting, &t->period, free, search, steps, good, error);
}

/* The multipliers, if the motion comes back. */
static routh_status close_and_find(floquet_task *t, routh_error *error)
{
    if (!(t->shooting.closure <= most_open)) return not_periodic(t, error);
    return rt_multipliers_find(t->x, t->orbit.Y, t->shooting.size, error);
}

static bool is_too_long(routh_status status)
{
    return status == ROUTH_NUMERIC_ERROR || status == ROUTH_SINGULAR;
}

/* From the operating point, for shorter steps. */
static void begin_again(floquet_task *t)
{
    rt_state_copy(t->orbit.m, t->orbit.start, t->point->state);
    t->period = t->asked->period;
}

static routh_status converge(floquet_task *t, routh_error *error)
{
    routh_floquet *f = &t->h->floquet;
    enum { AGAIN = 4 };
    int steps = 0, again = 0;
    double before = INFINITY;
    routh_status status = first_steps(t, &steps, error);
    for (int k = 0; !status; k++, steps *= 2) {
        const rt_multipliers spare = *t->before;
        *t->before = *t->x, *t->x = spare;
        status = round_of(t, steps, k == 0, error);
        if (is_too_long(status) && !t->shooting.at_rest && again++ < AGAIN && steps < MOST_STEPS) {
            begin_again(t);
            status = ROUTH_OK;
            k = -1;
            continue;
        }
        if (!status) status = close_and_find(t, error);
        if (status || k == 0) continue;
        status = rt_multipliers_compare(t->x, t->before, t->change, &f->error, error);
        const bool rounding = f->error >= 0.5 * before && before < 1e-6;
        if (status || f->error <= t->asked->tolerance || rounding || steps >= MOST_STEPS) break;
        before = f->error;
    }
    f->steps = t->orbit.steps;
    return status;
}

/* The least period; where it is not divided the last round is made again. */
static routh_status divide_period(floquet_task *t, bool *divided, routh_error *error)
{
    rt_shooting *s = &t->shooting;
    const int steps = t->orbit.steps;
    routh_status status = rt_shooting_divide(s, &t->period, steps, divided, error);
    return status || *divided ? status
                              : rt_shooting_find(s, &t->period, true, false, steps, 0, error);
}

/* ---- what is told ---------------------------------------------------------------------------- */

static char *floquet_text(rt_floquet_holder *h, const char *x)
{
    return rt_arena_text(&h->arena, x, strlen(x));
}

static routh_status name(floquet_task *t, routh_error *error)
{
    rt_floquet_holder *h = t->h;
    routh_floquet *f = &h->floquet;
    const rt_orbit *o = &t->orbit;
    const rt_states *states = rt_along_states(o->first);
    f->coordinates = floquet_text(h, o->m->coordinates);
    f->n_states = o->n, f->n_position = states->z, f->n_velocity = states->z1;
    f->names = RT_TAKE(&h->arena, char *, o->n);
    f->units = RT_TAKE(&h->arena, char *, o->n);
    f->monodromy = RT_TAKE(&h->arena, double, o->n * o->n);
    if (!f->coordinates || !f->names || !f->units || !f->monodromy) return rt_fail_memory(error);
    memcpy(f->monodromy, o->Y, (size_t)o->n * (size_t)o->n * sizeof *o->Y);
    for (int k = 0; k < o->n; k++) {
        f->names[k] = floquet_text(h, rt_along_name(o->first, k));
        f->units[k] = floquet_text(h, rt_along_unit(o->first, k));
        if (!f->names[k] || !f->units[k]) return rt_fail_memory(error);
    }
    return ROUTH_OK;
}

/* Kinks that the last round passed. */
static routh_status tell_switches(floquet_task *t, routh_error *error)
{
    rt_floquet_holder *h = t->h;
    const rt_turns *turns = &t->orbit.turns;
    const routh_model *model = t->orbit.m->model;
    h->floquet.switches = RT_TAKE(&h->arena, routh_floquet_switch, turns->n);
    if (!h->floquet.switches) return rt_fail_memory(error);
    for (int k = 0; k < turns->n && k < model->n_kinks; k++) {
        if (turns->count[k] == 0) continue;
        routh_floquet_switch *x = &h->floquet.switches[h->floquet.n_switches++];
        *x = (routh_floquet_switch){.element = floquet_text(h, model->kinks[k].element),
                                    .what = floquet_text(h, model->kinks[k].what),
                                    .times = turns->count[k],
                                    .time = turns->time[k]};
        if (!x->element || !x->what) return rt_fail_memory(error);
    }
    return ROUTH_OK;
}

/* The bodies at the beginning of the round. */
static routh_status describe_start(floquet_task *t, routh_error *error)
{
    rt_floquet_holder *h = t->h;
    routh_floquet *f = &h->floquet;
    const routh_mechanism *m = t->orbit.m;
    f->bodies = RT_TAKE(&h->arena, routh_body_pose, m->n_bodies);
    if (!f->bodies) return rt_fail_memory(error);
    f->n_bodies = m->n_bodies;
    for (int b = 0; b < m->n_bodies; b++) {
        const rt_frame *frame = &t->shooting.bodies[b];
        routh_body_pose *out = &f->bodies[b];
        out->name = floquet_text(h, m->model->bodies[b].name);
        if (!out->name) return rt_fail_memory(error);
        memcpy(out->position, frame->r, sizeof frame->r);
        memcpy(out->orientation, frame->A, sizeof frame->A);
        memcpy(out->velocity, frame->v, sizeof frame->v);
        memcpy(out->angular_velocity, frame->w, sizeof frame->w);
    }
    return ROUTH_OK;
}

/* log |det Y| by the pivots of its factors, beside the integral of the trace (Liouville). */
static routh_status look_at_volume(floquet_task *t, routh_error *error)
{
    const int n = t->orbit.n;
    routh_floquet *f = &t->h->floquet;
    double *a = RT_TAKE(&t->orbit.arena, double, n *n);
    int *pivots = RT_TAKE(&t->orbit.arena, int, n);
    if (!a || !pivots) return rt_fail_memory(error);
    const double *size = t->shooting.size;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) a[i + j * n] = t->orbit.Y[i * n + j] * size[j] / size[i];
    const routh_status status = rt_lu_factor(n, a, pivots, error);
    f->trace = t->orbit.trace;
    f->log_determinant = 0;
    for (int k = 0; k < n; k++) f->log_determinant += log(fabs(a[k + k * n]));
    if (status) f->log_determinant = -INFINITY;
    f->liouville = fabs(f->log_determinant - f->trace);
    return status == ROUTH_SINGULAR ? ROUTH_OK : status;
}

/* The largest distance of 1/mu from the multipliers, over the larger of both. */
static void look_at_pairs(floquet_task *t)
{
    const rt_multipliers *x = t->x;
    double most = 0;
    for (int k = 0; k < x->n; k++) {
        const double s = x->re[k] * x->re[k] + x->im[k] * x->im[k];
        const double re = x->re[k] / s, im = -x->im[k] / s;
        double nearest = INFINITY;
        for (int j = 0; j < x->n; j++) nearest = fmin(nearest, hypot(x->re[j] - re, x->im[j] - im));
        most = fmax(most, nearest / fmax(1, hypot(re, im)));
    }
    t->h->floquet.pairs = most;
}

static double floquet_margin(const routh_floquet_mode *mode)
{
    return mode->error + 1e-12 * mode->condition * fmax(1, mode->modulus);
}

/* Where nothing depends on time and something moves, 1 is a multiplier, that of a shift along the
 * motion, Y f(0) = f(T) = f(0): the one nearest to 1. */
static void find_shift(floquet_task *t)
{
    routh_floquet *f = &t->h->floquet;
    int nearest = -1;
    double distance = INFINITY;
    if (rt_orbit_is_driven(&t->orbit) || rt_shooting_rests(&t->shooting)) return;
    for (int k = 0; k < f->n_modes; k++) {
        const double d = hypot(f->modes[k].multiplier[0] - 1, f->modes[k].multiplier[1]);
        if (d < distance) distance = d, nearest = k;
    }
    if (nearest >= 0) f->modes[nearest].trivial = 1;
}

/* Is the rest below 1? Of a pair that rounding has made of a double 1, one is left. */
static void floquet_judge(floquet_task *t)
{
    routh_floquet *f = &t->h->floquet;
    find_shift(t);
    f->stable = 1;
    for (int k = 0; k < f->n_modes; k++) {
        const routh_floquet_mode *mode = &f->modes[k];
        if (mode->trivial && !mode->pair) continue;
        f->largest = fmax(f->largest, mode->modulus);
        const double margin = floquet_margin(mode);
        if (mode->modulus > 1 + margin) f->stable = 0;
        if (f->stable == 1 && mode->modulus >= 1 - margin) f->stable = -1;
    }
}

static routh_status floquet_tell(floquet_task *t, routh_error *error)
{
    routh_floquet *f = &t->h->floquet;
    f->time = t->orbit.t0, f->period = t->period;
    f->autonomous = t->asked->autonomous != 0;
    f->closure = t->shooting.closure, f->iterations = t->shooting.iterations;
    f->n_choices = t->orbit.n_choices;
    routh_status status = name(t, error);
    if (!status) status = tell_switches(t, error);
    if (!status) status = describe_start(t, error);
    if (!status) status = look_at_volume(t, error);
    look_at_pairs(t);
    if (!status)
        status = rt_floquet_modes(t->h, &t->orbit, t->shooting.size, t->x, t->change, error);
    if (!status) floquet_judge(t);
    if (!status && t->asked->blades)
        status =
            rt_floquet_blades(t->h, &t->orbit, t->shooting.size, t->x, t->asked->blades, error);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static routh_status floquet_check(const routh_floquet_options *o, routh_error *error)
{
    if (!(o->period > 0) || isinf(o->period))
        return rt_fail(error, ROUTH_BAD_ARGUMENT, "the period is %g s, but it must be positive",
                       o->period);
    if (!(o->tolerance > 0) || o->steps < 0 || o->steps > MOST_STEPS / 2)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the tolerance must be positive and the number of steps from 0 to "
                       "%d",
                       MOST_STEPS / 2);
    return ROUTH_OK;
}

static routh_status floquet_compute(floquet_task *t, const routh_mechanism *m,
                                    const routh_operating_point *point, routh_error *error)
{
    routh_status status = floquet_check(t->asked, error);
    if (!status) status = rt_orbit_create(&t->orbit, m, point, error);
    if (status) return status;
    t->period = t->asked->period;
    if (t->asked->autonomous && rt_orbit_is_driven(&t->orbit))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "something in the model depends on time itself, so its period is that of "
                       "the functions of time: give it (--period)");
    const int n = t->orbit.n;
    if (n == 0)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the mechanism has no degree of freedom, so there are no multipliers; "
                       "remove a motion or a joint");
    status = rt_shooting_create(&t->shooting, &t->orbit, error);
    if (!status) status = rt_multipliers_take(t->x, n, &t->orbit.arena, error);
    if (!status) status = rt_multipliers_take(t->before, n, &t->orbit.arena, error);
    if (status) return status;
    t->change = RT_TAKE(&t->orbit.arena, double, n);
    if (!t->change) return rt_fail_memory(error);
    bool again = true;
    while (!status && again) {
        again = false;
        status = converge(t, error);
        if (!status && t->asked->autonomous && !t->asked->no_shooting)
            status = divide_period(t, &again, error);
    }
    if (!status) {
        const double tolerance = fmax(1e-9, 1e3 * t->h->floquet.error);
        status = rt_prove_period(&t->shooting, t->period, tolerance, error);
    }
    return status ? status : floquet_tell(t, error);
}

routh_status routh_floquet_compute(routh_floquet **floquet, const routh_mechanism *m,
                                   const routh_operating_point *point,
                                   const routh_floquet_options *options, routh_error *error)
{
    *floquet = NULL;
    const routh_floquet_options asked = options ? *options : routh_floquet_defaults();
    rt_floquet_holder *h = calloc(1, sizeof *h);
    if (!h) return rt_fail_memory(error);
    floquet_task t = {.h = h, .asked = &asked, .point = point};
    routh_status status = rt_refuse_massless_point(m, point, "a periodic motion", error);
    if (!status) status = floquet_compute(&t, m, point, error);
    rt_shooting_release(&t.shooting);
    rt_orbit_release(&t.orbit);
    if (status) {
        routh_floquet_free(&h->floquet);
        return status;
    }
    *floquet = &h->floquet;
    return ROUTH_OK;
}

void routh_floquet_free(routh_floquet *floquet)
{
    if (!floquet) return;
    rt_floquet_holder *h = (rt_floquet_holder *)floquet;
    rt_arena arena = h->arena;
    free(h);
    rt_arena_free(&arena);
}
