/* Steps of the search for a steady motion: each brings the equations nearer, damped where the whole
 * one does not (steady_factor.c). */
#include <float.h>

#include "base/kept_memory.h"
#include "operating/steady.h"
#include "operating/twists.h"

/* An error from which on Newton's method converges. */
static const double NEAR = 1e-6;

double rt_steady_step_length(const rt_steady_search *k)
{
    double worst = 0;
    for (int c = 0; c < k->s->m->n_u; c++)
        worst = fmax(worst, fabs(k->step[c]) / k->column_unit[c]);
    return worst;
}

void rt_steady_move(rt_steady_search *k)
{
    rt_search *s = k->s;
    const int n_x = s->m->model->n_control_states, n_v = s->m->model->n_variables;
    rt_steady_restore(k, RT_STEADY_STEP);
    for (int c = 0; c < s->m->n_u; c++) s->x[c] = k->step[c];
    rt_advance(s->m, s->state->q, s->x);
    for (int r = 0; r < s->m->n_rows; r++) s->state->lambda[r] += k->step[k->at_lambda + r];
    for (int j = 0; j < k->n_motion; j++) k->motion[j] += k->step[k->at_motion + j];
    for (int i = 0; i < n_x; i++)
        s->state->signal[i + (k->drifts[i] ? n_x : 0)] += k->step[k->at_x + i];
    for (int i = 0; i < n_v; i++) s->state->signal[2 * n_x + i] += k->step[k->at_variable + i];
    for (int i = 0; i < k->asked->n_free; i++)
        s->state->signal[2 * n_x + n_v + k->asked->free[i]] += k->step[k->at_input + i];
    for (int i = 0; k->late && i < k->n_kept - k->n_motion; i++)
        k->motion[k->n_motion + i] += k->step[k->n_columns + i];
}

/* |F - offset| with the sizes of the place where the step begins, which are in `unit`. */
static double steady_step_distance(const rt_steady_search *k, const double *unit)
{
    double sum = 0;
    for (int i = 0; i < k->n_rows; i++) {
        const double a = (k->whole.F[i] - k->offset[i]) * unit[i];
        sum += a * a;
    }
    return sqrt(sum);
}

/* The largest of F - offset, each over its size where the step begins. */
static double steady_step_worst(const rt_steady_search *k, const double *unit)
{
    double worst = 0;
    for (int i = 0; i < k->n_rows; i++)
        worst = fmax(worst, fabs(k->whole.F[i] - k->offset[i]) * unit[i] / k->row_scale[i]);
    return worst;
}

static double distance_of(const rt_steady_search *k, const double *unit)
{
    return k->natural ? rt_steady_natural_distance(k, unit) : steady_step_distance(k, unit);
}

/* The step with damping mu, from where it began. *moved: it is no longer than steps may be, what
 * there is can be evaluated. */
static routh_status steady_step_try(rt_steady_search *k, double mu, bool *moved, routh_error *error)
{
    static const double longest = 0.5;
    *moved = false;
    const routh_status made = rt_steady_make_step(k, mu, error);
    if (made) return made == ROUTH_SINGULAR || made == ROUTH_NUMERIC_ERROR ? ROUTH_OK : made;
    const double length = rt_steady_step_length(k);
    if (!isfinite(length) || length > longest) return ROUTH_OK;
    rt_steady_move(k);
    const routh_status status = rt_steady_evaluate(k, false, error);
    if (status == ROUTH_OUT_OF_MEMORY) return status;
    *moved = !status && !rt_step_winds(k->s);
    return ROUTH_OK;
}

/* Near the end the whole step is taken, damped or not. */
static routh_status steady_step_near_end(rt_steady_search *k, double error_now, bool *moved,
                                         routh_error *error)
{
    static const double OF_ERROR = 1e-2, GOOD = 1e-12;
    routh_status status = steady_step_try(k, 0, moved, error);
    if (status || (*moved && rt_steady_error(k) <= fmax(error_now / 2, GOOD))) return status;
    /* Away from a solution that is one of many (places and headings of a vehicle), what leads from
     * one to another has singular values of the size of the error, not zero: a step along it is of
     * any length. Damping in proportion to the error keeps quadratic convergence (Yamashita,
     * Fukushima 2001). */
    const double whole = *moved ? rt_steady_error(k) : INFINITY;
    status = steady_step_try(k, OF_ERROR * error_now, moved, error);
    if (status || (*moved && rt_steady_error(k) <= whole)) return status;
    return whole < INFINITY ? steady_step_try(k, 0, moved, error) : ROUTH_OK;
}

/* Damped until it brings the equations nearer: all of them together, or the worst. A large step
 * leaves joints a little open, which the next one closes. */
static routh_status steady_step_damped(rt_steady_search *k, double *mu, double error_now,
                                       double *unit, bool *moved, routh_error *error)
{
    memcpy(unit, k->row_factor, (size_t)k->n_rows * sizeof *unit);
    const double before = distance_of(k, unit), least = 1e-6;
    for (int tries = 0; tries < 40; tries++, *mu = fmax(4 * *mu, least)) {
        const routh_status status = steady_step_try(k, *mu, moved, error);
        if (status) return status;
        *moved = *moved &&
                 (distance_of(k, unit) < (1 - 1e-4) * before ||
                  (rt_steady_step_length(k) < 0.2 && steady_step_worst(k, unit) < error_now / 2));
        if (!*moved) continue;
        *mu = *mu > 16 * least ? *mu / 16 : 0;
        return ROUTH_OK;
    }
    return ROUTH_OK;
}

/* One step; *moved: there was one that helps, or near the end any. anew: J is taken apart again. */
static routh_status steady_step_take(rt_steady_search *k, double *mu, double error_now, bool anew,
                                     double *unit, bool *moved, routh_error *error)
{
    routh_status status = ROUTH_OK;
    if (anew && k->natural)
        status = rt_steady_decompose_fully(k, error);
    else if (anew)
        status = rt_steady_decompose(k, error);
    if (status) return status;
    rt_steady_begin_step(k);
    rt_steady_keep(k, RT_STEADY_STEP);
    rt_begin_step(k->s);
    status = error_now <= NEAR ? steady_step_near_end(k, error_now, moved, error)
                               : steady_step_damped(k, mu, error_now, unit, moved, error);
    if (status) return status;
    if (*moved) {
        rt_angles_settle(k->s->m, k->s->w, k->s->state, true);
        return ROUTH_OK;
    }
    rt_steady_restore(k, RT_STEADY_STEP);
    return rt_steady_evaluate(k, false, error);
}

/* An error of this size is rounding. */
static const double ROUNDED = 256 * DBL_EPSILON;

/* Where a step took off as much, so does the next one with the same J, which costs next to nothing
 * (the chord method). */
static bool steady_step_was_fast(double before, double after)
{
    static const double FAST = 0.05, SMALL = 1e-2;
    return after <= FAST * before && after <= SMALL;
}

/* Near the end of a search at both times a step may make the error larger first, where what is slow
 * hardly shows at the later time, and the next ones converge: a few are allowed, but not of
 * rounding. */
static bool steady_step_may_rise(const rt_steady_search *k, double before, double after, int n)
{
    static const double ROUNDING = 1e-9, SMALL = 1e-3;
    enum { FEW = 3 };
    return k->late && n < FEW && before > ROUNDING && after <= SMALL;
}

/* Are all equations but those of balance good? */
static bool steady_step_only_forces_are_left(const rt_steady_search *k, double good)
{
    for (int i = 0; i < k->n_rows; i++)
        if (i % k->n_equations >= k->in_phi &&
            fabs(k->whole.F[i] - k->offset[i]) > good * k->whole.row_unit[i])
            return false;
    return true;
}

routh_status rt_steady_prepare_step(rt_steady_search *k, routh_error *error)
{
    routh_status status = rt_steady_evaluate(k, true, error);
    if (!status) status = rt_steady_decompose(k, error);
    if (status) return status;
    rt_steady_begin_step(k);
    rt_steady_keep(k, RT_STEADY_STEP);
    rt_begin_step(k->s);
    return ROUTH_OK;
}

/* A whole step, whatever becomes of the error. */
static routh_status steady_step_whole(rt_steady_search *k, bool *moved, routh_error *error)
{
    routh_status status = rt_steady_prepare_step(k, error);
    if (!status) status = steady_step_try(k, 0, moved, error);
    if (!status && *moved) rt_angles_settle(k->s->m, k->s->w, k->s->state, true);
    return status;
}

/* Where no step makes the error smaller: is what is left of the balance rounding of stiff elements?
 * That hides how soft ones come nearer, for which a few steps more are taken. */
static routh_status steady_step_judge(rt_steady_search *k, double good, double *reached,
                                      routh_error *error)
{
    static const double FINE = 1e-10;
    enum { FEW = 4 };
    const double limit = fmax(good, FINE);
    bool moved = true;
    rt_steady_remainder remainder = {.small = true};
    routh_status status = ROUTH_OK;
    if (!steady_step_only_forces_are_left(k, good)) return ROUTH_OK;
    rt_steady_keep(k, RT_STEADY_ROUNDING);
    for (int i = 0; i <= FEW && !status && moved; i++) {
        if (i > 0) status = steady_step_whole(k, &moved, error);
        if (status || !moved || !steady_step_only_forces_are_left(k, limit)) break;
        status = rt_steady_judge(k, limit, &remainder, error);
        if (!status && remainder.is_rounding) {
            *reached = good;
            return ROUTH_OK;
        }
        if (!remainder.small) break;
    }
    if (status && status != ROUTH_NUMERIC_ERROR) return status;
    rt_steady_restore(k, RT_STEADY_ROUNDING);
    return rt_steady_evaluate(k, false, error);
}

/* Ends where the error is `good` and falls no more by half; or where no step helps. */
routh_status rt_steady_newton(rt_steady_search *k, double good, int most, double *reached,
                              routh_error *error)
{
    double mu = 0, best = INFINITY;
    bool anew = true;
    int rises = 0;
    double *unit = rt_kept_malloc(k->s->m->analyses, (size_t)k->n_rows * sizeof *unit);
    if (!unit) return rt_fail_memory(error);
    routh_status status = rt_steady_evaluate(k, !k->only_forces, error);
    *reached = status ? INFINITY : rt_steady_error(k);
    if (!status && k->only_forces) {
        if (*reached > good) status = rt_steady_evaluate(k, true, error);
        most = *reached > good ? most : 0;
    }
    for (int i = 0; i < most && !status; i++, k->s->iterations++) {
        bool moved = false;
        best = *reached;
        if (best <= DBL_EPSILON) break;
        status = rt_progress_ask(k->s->progress, 1, error);
        if (!status) status = steady_step_take(k, &mu, best, anew, unit, &moved, error);
        if (!status) *reached = rt_steady_error(k);
        if (status || (!moved && anew)) break;
        const bool rises_near = *reached > best && best <= NEAR && anew;
        if (rises_near && steady_step_may_rise(k, best, *reached, rises)) {
            rises++;
            status = rt_steady_evaluate(k, true, error);
            continue;
        }
        if (*reached > best && (best <= NEAR || !anew)) { /* the place before was better */
            rt_steady_restore(k, RT_STEADY_STEP);
            status = rt_steady_evaluate(k, true, error);
            *reached = status ? INFINITY : rt_steady_error(k);
            if (anew || best <= good) break; /* of rounding */
            anew = true;
            continue;
        }
        if (*reached <= good && *reached > best / 2) break;
        anew = !steady_step_was_fast(best, *reached);
        if (anew && *reached <= good) break; /* a last step: rt_steady_polish */
        if (anew) status = rt_steady_evaluate(k, true, error);
    }
    rt_kept_free(unit);
    if (!status && *reached > good && !k->only_forces)
        status = steady_step_judge(k, good, reached, error);
    return status == ROUTH_NUMERIC_ERROR ? ROUTH_OK : status;
}

/* Of the unknowns but forces, in natural units. */
static double steady_step_size(const rt_steady_search *k)
{
    double worst = rt_steady_step_length(k);
    for (int j = 0; j < k->n_motion; j++)
        worst = fmax(worst, fabs(k->step[k->at_motion + j]) / k->column_unit[k->at_motion + j]);
    for (int j = k->at_x; j < k->n_columns; j++)
        worst = fmax(worst, fabs(k->step[j]) / k->column_unit[j]);
    return worst;
}

/* Soft parts may be far from where the largest forces are in balance to the last digit: it is the
 * step that is small there. */
routh_status rt_steady_polish(rt_steady_search *k, double *size, routh_error *error)
{
    const double before = rt_steady_error(k);
    bool moved = false;
    *size = INFINITY;
    routh_status status = rt_steady_decompose(k, error);
    if (status) return status;
    rt_steady_begin_step(k);
    rt_steady_keep(k, RT_STEADY_STEP);
    status = steady_step_try(k, 0, &moved, error);
    if (status) return status;
    if (moved) *size = steady_step_size(k);
    const double after = moved ? rt_steady_error(k) : INFINITY;
    if (after <= fmax(2 * before, ROUNDED)) {
        rt_angles_settle(k->s->m, k->s->w, k->s->state, true);
        return ROUTH_OK;
    }
    rt_steady_restore(k, RT_STEADY_STEP);
    return rt_steady_evaluate(k, false, error);
}
