/* Does the motion that was found go on?
 *
 * It is known for all times, not for an instant only: the configuration after the time t is the
 * first one carried along. There the equations must hold too, with forces of joints and variables
 * found anew, since some are written in axes that do not turn along. A rotor out of balance may be
 * in balance first and fails this.
 *
 * Joint forces are found anew at few times. At many more it is seen whether anything changes in the
 * moving frame, joint forces aside: the forces of loads and of inertia, what joints hold, equations
 * of signals. Where something does, the whole is looked at. What happens between those times, or
 * depends on time itself (timed.c), is not seen. */

#include "base/kept_memory.h"
#include "base/pi.h"
#include "base/rotation.h"
#include "operating/steady.h"

/* Of what must hold at all times but balance: not the prescriptions, which may be written for one
 * heading. */
static double lasting_error(const rt_steady_search *k, int *equation)
{
    const rt_search *s = k->s;
    double worst = 0;
    for (int i = k->in_phi; i < k->in_prescribed; i++) {
        const double e = fabs(k->whole.F[i]) / k->whole.row_unit[i];
        if (e > worst) worst = e, *equation = i;
    }
    for (int r = 0; r < s->m->n_rows; r++) {
        const double e = fabs(s->w->phi[2][r]) / (k->whole.row_unit[k->in_rates + r] * k->rate);
        if (e > worst) worst = e, *equation = k->in_rates + r;
    }
    return worst;
}

/* Above this the motion ends. */
static const double LIMIT = 1e-6;

/* Of the balance, without what rounding of places explains. */
static routh_status unbalanced(rt_steady_search *k, double *worst, int *equation,
                               routh_error *error)
{
    rt_steady_remainder remainder;
    for (int i = 0; i < k->in_phi; i++) {
        const double e = fabs(k->whole.F[i]) / k->whole.own[i];
        if (e > *worst) *worst = e, *equation = i;
    }
    if (*worst <= LIMIT) return ROUTH_OK;
    const routh_status status = rt_steady_judge_now(k, LIMIT, &remainder, error);
    if (!status && remainder.is_rounding) *worst = remainder.left;
    return status;
}

/* The error after the time t. */
static routh_status steady_check_look(rt_steady_search *k, double t, double *found, int *equation,
                                      routh_error *error)
{
    static const double GOOD = 1e-12;
    enum { FEW = 8 };
    double reached;
    int other = 0;
    *found = 0;
    rt_steady_restore(k, RT_STEADY_BEST);
    rt_steady_rates(k);
    rt_steady_carry(k, t);
    k->only_forces = true;
    routh_status status = rt_steady_newton(k, GOOD, FEW, &reached, error);
    k->only_forces = false;
    if (!status) status = rt_steady_evaluate(k, false, error);
    if (!status) status = unbalanced(k, found, equation, error);
    if (status) return status;
    const double e = lasting_error(k, &other);
    if (e > *found) *found = e, *equation = other;
    return ROUTH_OK;
}

/* ---- when it is looked at -------------------------------------------------------------------- */

typedef struct lasts_rate {
    double rate; /* 1/s */
    bool straight;
} lasts_rate;

/* Rates of the motion, each once: of the turn, of spins, of going straight on and faster. */
static int list_rates(const rt_steady_search *k, lasts_rate *rates, int most)
{
    const double length = k->s->m->length;
    double pushed = sqrt(rt_v3_norm(rt_steady_acceleration(k)) / length);
    for (int i = 0; i < k->asked->n_spins; i++)
        pushed = fmax(pushed, sqrt(fabs(rt_steady_spin_acceleration(k, i))));
    int n = 0;
    for (int i = -3; i < k->asked->n_spins && n < most; i++) {
        const double rate = i == -3   ? pushed
                            : i == -1 ? fabs(k->motion[RT_MOTION_RATE])
                            : i == -2 ? rt_v3_norm(k->motion) / length
                                      : fabs(k->motion[RT_MOTION_SPINS + i]);
        bool seen = rate <= 1e-12 * k->rate;
        for (int j = 0; j < n; j++) seen = seen || fabs(rates[j].rate - rate) <= 0.1 * rate;
        if (!seen) rates[n++] = (lasts_rate){rate, i < -1};
    }
    return n;
}

/* Phases: some that no period of the model fits by chance, then all around, each off its even place
 * by a golden part, and of what goes straight on some of farther away. */
enum { LOOKS = 2, AROUND = 32, FARTHER = 8, PHASES = AROUND + FARTHER, MOST_LOOKS = 8 };

static double phase_of(int i)
{
    static const double golden = 0.6180339887498949;
    if (i < AROUND) return RT_TWO_PI * (i + fmod(golden * (i + 1), 1)) / AROUND;
    return RT_TWO_PI * (1 + golden) * pow(2 + golden, i - AROUND);
}

/* How long it is followed: until a speed has changed by half of it, which what slows down does not
 * survive for long, and over which rounding of the acceleration does not grow. */
static double longest(const rt_steady_search *k)
{
    static const double SLOW = 1e-6;
    const double *a = rt_steady_acceleration(k), *v = k->motion;
    double most = INFINITY;
    if (rt_v3_norm(v) > SLOW * k->rate * k->s->m->length && rt_v3_dot(a, v) != 0)
        most = rt_v3_dot(v, v) / fabs(rt_v3_dot(a, v)) / 2;
    for (int i = 0; i < k->asked->n_spins; i++) {
        const double s = k->motion[RT_MOTION_SPINS + i], by = rt_steady_spin_acceleration(k, i);
        if (fabs(s) > SLOW * k->rate && by != 0) most = fmin(most, fabs(s / by) / 2);
    }
    return most;
}

/* ---- what changes in the moving frame -------------------------------------------------------- */

typedef struct lasts_task {
    rt_steady_search *k;
    int n;
    double *first, *now, *unit; /* n: force and moment of bodies, Phi, Phi', signals; their sizes */
    double change[PHASES];
    double longest; /* s */
} lasts_task;

/* Without joint forces, into values; the bodies' in the frame that has turned by `angle`. */
static routh_status lasts_evaluate(lasts_task *t, double angle, double *values, routh_error *error)
{
    rt_steady_search *k = t->k;
    const routh_mechanism *m = k->s->m;
    double theta[3], R[9], moment[3];
    memset(k->s->state->lambda, 0, (size_t)m->n_rows * sizeof(double));
    const routh_status status = rt_steady_evaluate_values(k, error);
    if (status) return status;
    memcpy(values, k->whole.F, (size_t)k->in_prescribed * sizeof *values);
    rt_v3_scale(theta, angle, k->e);
    rt_rotation_exp(R, theta);
    for (int b = 0; b < m->n_bodies; b++) { /* all of F is in body axes there */
        const double *A = k->s->w->bodies[b].A, *F = k->whole.F + 6 * (size_t)b;
        for (int i = 0; i < 6; i += 3) {
            rt_m3_mul_v(moment, A, F + i);
            rt_m3_tmul_v(values + 6 * (size_t)b + i, R, moment);
        }
    }
    return ROUTH_OK;
}

static double lasts_change(const lasts_task *t)
{
    double worst = 0;
    for (int i = 0; i < t->n; i++) worst = fmax(worst, fabs(t->now[i] - t->first[i]) / t->unit[i]);
    return worst;
}

static routh_status lasts_begin(lasts_task *t, routh_error *error)
{
    rt_steady_restore(t->k, RT_STEADY_BEST);
    const routh_status status = rt_steady_evaluate(t->k, false, error);
    memcpy(t->unit, t->k->whole.row_unit, (size_t)t->n * sizeof *t->unit);
    memcpy(t->unit, t->k->whole.own, (size_t)t->k->in_phi * sizeof *t->unit);
    return status ? status : lasts_evaluate(t, 0, t->first, error);
}

/* What cannot be evaluated has changed. */
static routh_status lasts_compare(lasts_task *t, double time, double *change, routh_error *error)
{
    rt_steady_search *k = t->k;
    rt_steady_restore(k, RT_STEADY_BEST);
    rt_steady_rates(k);
    rt_steady_carry(k, time);
    const double angle = t->k->kept_motion[RT_STEADY_BEST][RT_MOTION_RATE] * time;
    const routh_status status = lasts_evaluate(t, angle, t->now, error);
    *change = status ? INFINITY : lasts_change(t);
    return status == ROUTH_OUT_OF_MEMORY ? status : ROUTH_OK;
}

/* ---- the looks ------------------------------------------------------------------------------- */

typedef struct lasts_found {
    double *drift;
    bool ends;
} lasts_found;

static routh_status lasts_look_at(rt_steady_search *k, double time, lasts_found *out,
                                  routh_error *error)
{
    double found = 0;
    int equation = 0;
    const routh_status status = steady_check_look(k, time, &found, &equation, error);
    if (status) return status;
    out->ends = found > LIMIT;
    if (out->ends) return rt_steady_stops(k, equation, error);
    *out->drift = fmax(*out->drift, found);
    return ROUTH_OK;
}

/* Where most changes, most times first. */
static routh_status look_at_changes(lasts_task *t, const lasts_rate *rate, lasts_found *out,
                                    routh_error *error)
{
    static const double CHANGE = 1e-8;
    const int n = rate->straight ? PHASES : AROUND;
    routh_status status = ROUTH_OK;
    for (int i = 0; i < n && !status; i++) {
        t->change[i] = 0;
        if (phase_of(i) / rate->rate <= t->longest)
            status = lasts_compare(t, phase_of(i) / rate->rate, &t->change[i], error);
    }
    for (int looks = 0; looks < MOST_LOOKS && !status; looks++) {
        int most = 0;
        for (int i = 1; i < n; i++)
            if (t->change[i] > t->change[most]) most = i;
        if (t->change[most] <= CHANGE) return ROUTH_OK;
        t->change[most] = 0;
        status = lasts_look_at(t->k, phase_of(most) / rate->rate, out, error);
    }
    return status;
}

static routh_status lasts_look(lasts_task *t, lasts_found *out, routh_error *error)
{
    enum { MOST = 6 };
    static const double phases[LOOKS] = {0.7310585786300049, 2.0943124786915073};
    lasts_rate rates[MOST];
    const int n = list_rates(t->k, rates, MOST);
    routh_status status = lasts_look_at(t->k, 0, out, error); /* at once: accelerations of joints */
    for (int i = 0; i < LOOKS * n && !status; i++)
        status = lasts_look_at(t->k, fmin(phases[i % LOOKS] / rates[i / LOOKS].rate, t->longest),
                               out, error);
    if (!status) status = lasts_begin(t, error);
    for (int i = 0; i < n && !status; i++) status = look_at_changes(t, &rates[i], out, error);
    return status;
}

routh_status rt_steady_goes_on(rt_steady_search *k, double *drift, routh_error *error)
{
    const int n = k->in_prescribed;
    lasts_task task = {.k = k,
                       .n = n,
                       .first =
                           rt_kept_malloc(k->s->m->analyses, 3 * (size_t)n * sizeof *task.first)};
    lasts_found out = {drift, false};
    if (!task.first) return rt_fail_memory(error);
    task.now = task.first + n;
    task.unit = task.now + n;
    rt_steady_set_late(k, false);
    rt_steady_keep(k, RT_STEADY_BEST);
    *drift = 0;
    task.longest = longest(k);
    const routh_status status = lasts_look(&task, &out, error);
    rt_kept_free(task.first);
    if (out.ends) return status;
    rt_steady_restore(k, RT_STEADY_BEST);
    return status ? status : rt_steady_evaluate(k, true, error);
}
