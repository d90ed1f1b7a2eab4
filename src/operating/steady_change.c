/* How a steady motion changes with a parameter: with its equations F(y, p) = 0 (steady_equations.c)
 *     J y' = -F_p,
 * F_p at the configuration and the motion held fixed, now and at the later time (steady_late.c),
 * with the rates and later places that change where axes do (steady_axes.c). Of what J leaves open
 * (places on a plane, redundant joints' forces) the bodies move the least.
 *
 * Directions along which an accelerated motion is held, P alpha = 0 (steady_felt.c), may rotate
 * with p: P alpha' = -P' alpha =: delta, which is not known. What holds at 0 and T has
 *     P w' = P (w' + (delta - P alpha') T / 2) + terms without T,   w = (v_O, s),
 * so that with P alpha' = 0 for a first solution delta = 2 d(P w')/dT, from two times T. */

#include "base/kept_memory.h"
#include "base/rotation.h"
#include "operating/steady.h"
#include "system/varied_state.h"

struct rt_steady_change {
    rt_search own;
    rt_steady_search k;
    rt_steady_axes axes;
    rt_state *later; /* where the mechanism is then, with the forces there */
    double *rhs, *left, *terms, *sum;
    double times;            /* the later time, over the usual one */
    rt_steady_change *other; /* the same with another later time, or NULL: there is no delta */
};

void rt_steady_change_free(rt_steady_change *x)
{
    if (!x) return;
    rt_steady_change_free(x->other);
    rt_state_free(x->later);
    if (x->k.s) rt_steady_release(&x->k);
    rt_state_free(x->own.state);
    rt_search_release(&x->own);
    rt_kept_free(x->rhs);
    rt_kept_free(x);
}

static routh_status steady_change_take(rt_steady_change *x, routh_error *error)
{
    const size_t rows = (size_t)x->k.most_rows, columns = (size_t)x->k.most_unknowns;
    x->rhs = rt_kept_calloc(x->own.m->analyses, 3 * rows + columns + 1, sizeof *x->rhs);
    if (!x->rhs) return rt_fail_memory(error);
    x->left = x->rhs + rows, x->terms = x->left + rows, x->sum = x->terms + rows;
    const routh_status status = rt_steady_axes_create(&x->axes, &x->k, &x->k.arena, error);
    return status ? status : rt_state_create(&x->later, x->own.m, error);
}

/* The motion that was found, and the forces at the later time. */
static routh_status steady_change_settle(rt_steady_change *x, const routh_steady *found,
                                         routh_error *error)
{
    static const double good = 1e-11, coarse = 1e-7;
    enum { STEPS = 20 };
    rt_steady_search *k = &x->k;
    double reached;
    rt_v3_copy(k->motion, found->origin_velocity);
    k->motion[RT_MOTION_RATE] = found->turn_rate;
    if (k->acceleration >= 0) rt_v3_copy(k->motion + k->acceleration, found->frame_acceleration);
    for (int i = 0; i < found->n_spins; i++) {
        k->motion[RT_MOTION_SPINS + i] = found->spins[i].rate;
        if (k->acceleration >= 0) k->motion[k->acceleration + 3 + i] = found->spins[i].acceleration;
    }
    routh_status status = rt_steady_evaluate(k, false, error);
    if (status) return status;
    rt_steady_set_late(k, true);
    k->later *= x->times;
    status = rt_steady_newton(k, good, STEPS, &reached, error);
    if (!status && !(reached <= coarse))
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "the steady motion of this operating point changes by %.2g with time, so "
                       "its derivatives by parameters are not known; find it with a smaller "
                       "tolerance",
                       reached);
    if (!status) status = rt_steady_evaluate(k, true, error);
    return status ? status : rt_steady_decompose(k, error);
}

/* The state at the later time, u and u' too. */
static void look_ahead(rt_steady_change *x)
{
    rt_steady_search *k = &x->k;
    const routh_mechanism *m = x->own.m;
    const int n_x = m->model->n_control_states, n_v = m->model->n_variables;
    const double *forces = k->motion + k->n_motion;
    rt_steady_keep(k, RT_STEADY_NOW);
    rt_steady_carry(k, k->later);
    memcpy(x->own.state->lambda, forces, (size_t)m->n_rows * sizeof *forces);
    memcpy(x->own.state->signal + 2 * n_x, forces + m->n_rows, (size_t)n_v * sizeof *forces);
    rt_steady_rates(k);
    rt_state_copy(m, x->later, x->own.state);
    rt_steady_restore(k, RT_STEADY_NOW);
    rt_steady_rates(k);
}

static routh_status steady_change_make(rt_steady_change **change, const routh_mechanism *m,
                                       const rt_state *at, const routh_operating_point *point,
                                       double times, routh_error *error)
{
    enum { ITERATIONS = 200 };
    *change = NULL;
    rt_steady_change *x = rt_kept_calloc(m->analyses, 1, sizeof *x);
    if (!x) return rt_fail_memory(error);
    x->times = times;
    routh_status status = rt_search_create(&x->own, m, point->tolerance, ITERATIONS, error);
    if (!status) {
        rt_state_copy(m, x->own.state, at);
        status = rt_steady_create(&x->k, &x->own, point->steady->accelerated, error);
    }
    if (!status) status = steady_change_take(x, error);
    if (!status) status = steady_change_settle(x, point->steady, error);
    if (status) {
        rt_steady_change_free(x);
        return status;
    }
    look_ahead(x);
    *change = x;
    return ROUTH_OK;
}

/* Is there an acceleration, and are there directions without? */
static bool steady_change_is_held(const rt_steady_search *k)
{
    bool moves = false, held = false;
    for (int i = 0; i < k->n_equations - k->in_felt; i++) {
        moves = moves || k->motion[k->acceleration + i] != 0;
        held = held || k->felt[(k->n_equations - k->in_felt + 1) * i] != 0;
    }
    return moves && held;
}

routh_status rt_steady_change_create(rt_steady_change **change, const routh_mechanism *m,
                                     const rt_state *at, const routh_operating_point *point,
                                     routh_error *error)
{
    static const double usual = 1, longer = 2;
    routh_status status = steady_change_make(change, m, at, point, usual, error);
    if (!status && steady_change_is_held(&(*change)->k))
        status = steady_change_make(&(*change)->other, m, at, point, longer, error);
    if (!status) return ROUTH_OK;
    rt_steady_change_free(*change);
    *change = NULL;
    return status;
}

/* ---- F_p ------------------------------------------------------------------------------------ */

/* The values of drifting states move as written. */
static void written_signals(const rt_steady_change *x, const rt_variation *v, double *signal)
{
    const routh_mechanism *m = x->own.m;
    memset(signal, 0, (size_t)m->n_signals * sizeof *signal);
    for (int i = 0; i < m->model->n_control_states; i++)
        if (x->k.drifts[i])
            signal[i] = rt_variation_slope(v, m->model->control_states[i].initial.expr);
}

/* Of the equations that hold at all times, at a state. */
static routh_status lasting(rt_steady_change *x, rt_variation *v, const rt_state *s,
                            const double *signal, double *F, routh_error *error)
{
    const rt_steady_search *k = &x->k;
    const routh_mechanism *m = x->own.m;
    const int n_x = m->model->n_control_states;
    const rt_varied_state at = rt_varied_state_of(s);
    const rt_steady_axes *axes = &x->axes;
    const rt_varied_state by = {.xi = axes->move ? axes->xi : NULL,
                                .u = axes->move ? axes->u : NULL,
                                .udot = axes->move ? axes->udot : NULL,
                                .signal = signal};
    rt_variation_place(v, &at, true);
    routh_status status = rt_variation_move(v, &by, error);
    if (!status)
        status = rt_variation_evaluate(
            v, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN | RT_EVALUATE_RESIDUAL | RT_EVALUATE_MASS,
            error);
    if (status) return status;
    rt_variation_read(v, RT_VARIED_RESIDUAL, F);
    rt_variation_read(v, RT_VARIED_PHI, F + k->in_phi);
    rt_variation_read(v, RT_VARIED_PHI1, F + k->in_rates);
    for (int r = 0; r < m->n_rows; r++)
        if (m->nonholonomic[r]) F[k->in_phi + r] = 0;
    for (int i = 0; i < k->in_prescribed - k->in_signals && !status; i++)
        status = rt_variation_sensor(v, i < n_x ? RT_SENSOR_STATE : RT_SENSOR_VARIABLE,
                                     i < n_x ? i : i - n_x, &F[k->in_signals + i], NULL, error);
    for (int b = 0; b < m->n_bodies; b++) { /* as the equations are, in each body's axes */
        double A[9], turned[3], *f = F + 6 * (size_t)b;
        rt_rotation_from_quaternion(A, s->q + 7 * (size_t)b + 3);
        rt_m3_tmul_v(turned, A, f);
        rt_v3_copy(f, turned);
    }
    return status;
}

static routh_status prescribed(const rt_steady_change *x, rt_variation *v, double *F,
                               routh_error *error)
{
    const rt_steady_search *k = &x->k;
    const rt_steady *asked = k->asked;
    routh_status status = ROUTH_OK;
    for (int i = 0; i < asked->n_prescribed && !status; i++) {
        double *to = &F[k->in_prescribed + i];
        status = rt_variation_sensor(v, RT_SENSOR_PRESCRIBED, i, to, NULL, error);
        *to -= rt_variation_slope(v, asked->prescribed[i].value.expr);
    }
    for (int i = k->in_turn; i < k->n_equations; i++) F[i] = 0;
    if (asked->turn_rate_given) F[k->in_turn] = -rt_variation_slope(v, asked->turn_rate.expr);
    for (int i = 0; i < asked->n_spins; i++)
        if (asked->spins[i].rate_given)
            F[k->in_turn + 1 + i] = -rt_variation_slope(v, asked->spins[i].rate.expr);
    return status;
}

/* ---- y' ------------------------------------------------------------------------------------- */

static double steady_change_size_of(const rt_steady_search *k, const double *F)
{
    double worst = 0;
    for (int i = 0; i < k->n_rows; i++)
        worst = fmax(worst, fabs(F[i]) / k->whole.row_unit[i] * k->row_scale[i]);
    return worst;
}

/* rhs + J sum, and the sizes of its terms */
static void steady_change_find_left(const rt_steady_change *x)
{
    const rt_steady_search *k = &x->k;
    memcpy(x->left, x->rhs, (size_t)k->n_rows * sizeof *x->left);
    for (int i = 0; i < k->n_rows; i++) x->terms[i] = fabs(x->rhs[i]);
    for (int j = 0; j < k->n_unknowns; j++) {
        const double *column = k->whole.J + (size_t)k->most_rows * (size_t)j;
        for (int i = 0; i < k->n_rows; i++) {
            const double term = column[i] * x->sum[j];
            x->left[i] += term, x->terms[i] += fabs(term);
        }
    }
}

/* Is what is left rounding of its terms, little beside F_p, or so little that a parameter changed
 * by all of its value would leave the motion as well in balance as it is? One that is zero may
 * change by anything: by 1. */
static bool is_solved(const rt_steady_change *x, double value)
{
    static const double rounding = 1e-12, little = 1e-7, least = 1e-9;
    const rt_steady_search *k = &x->k;
    const double size = steady_change_size_of(k, x->rhs);
    const double by = value == 0 ? 1 : fmax(fabs(value), least);
    for (int i = 0; i < k->n_rows; i++) {
        const double unit = k->row_scale[i] / k->whole.row_unit[i];
        const double left = fabs(x->left[i]);
        if (left * unit > little * size && left > rounding * x->terms[i] &&
            left * unit * by > rounding)
            return false;
    }
    return true;
}

static routh_status steady_change_solve(rt_steady_change *x, double value, routh_error *error)
{
    enum { PASSES = 3 };
    rt_steady_search *k = &x->k;
    memset(x->sum, 0, (size_t)k->n_unknowns * sizeof *x->sum);
    for (int pass = 0; pass < PASSES; pass++) {
        steady_change_find_left(x);
        memcpy(k->whole.F, x->left, (size_t)k->n_rows * sizeof *x->left);
        const routh_status status = rt_steady_solve(k, error);
        if (status) return status;
        for (int j = 0; j < k->n_unknowns; j++) x->sum[j] += k->step[j];
    }
    steady_change_find_left(x);
    if (is_solved(x, value)) return ROUTH_OK;
    return rt_fail(error, ROUTH_SINGULAR,
                   "the steady motion has no derivative by this parameter, because there is no "
                   "steady motion for nearby values; select other parameters");
}

/* du = U xi + dv_O + ..., and du', by the motion, the places and the axes. */
static void change_rates(const rt_steady_change *x, const rt_moved *to)
{
    const rt_steady_search *k = &x->k;
    const size_t n = (size_t)x->own.m->n_u;
    for (size_t c = 0; c < n; c++) {
        to->u[c] = x->axes.move ? x->axes.u[c] : 0;
        to->udot[c] = x->axes.move ? x->axes.udot[c] : 0;
    }
    for (int b = 0; b < x->own.m->n_bodies; b++) {
        rt_body_rates of;
        rt_steady_rates_by_place(k, b, &of);
        for (int i = 0; i < 6; i++) {
            const size_t c = 6 * (size_t)b + (size_t)i;
            for (int j = 0; j < 6; j++) {
                to->u[c] += of.U[6 * i + j] * to->xi[6 * b + j];
                to->udot[c] += of.A[6 * i + j] * to->xi[6 * b + j];
            }
            for (int j = 0; j < k->n_motion; j++) {
                to->u[c] += k->U[c + n * (size_t)j] * x->sum[k->at_motion + j];
                to->udot[c] += k->A[c + n * (size_t)j] * x->sum[k->at_motion + j];
            }
        }
    }
}

static void read_change(const rt_steady_change *x, const rt_moved *to)
{
    const rt_steady_search *k = &x->k;
    const routh_mechanism *m = x->own.m;
    const int n_x = m->model->n_control_states, n_v = m->model->n_variables;
    memcpy(to->xi, x->sum, (size_t)m->n_u * sizeof *to->xi);
    memcpy(to->lambda, x->sum + k->at_lambda, (size_t)m->n_rows * sizeof *to->lambda);
    for (int i = 0; i < n_x; i++) to->signal[i + (k->drifts[i] ? n_x : 0)] = x->sum[k->at_x + i];
    for (int i = 0; i < n_v; i++) to->signal[2 * n_x + i] = x->sum[k->at_variable + i];
    for (int i = 0; i < k->asked->n_free; i++)
        to->signal[2 * n_x + n_v + k->asked->free[i]] = x->sum[k->at_input + i];
    change_rates(x, to);
}

/* F_p at both times. */
static routh_status steady_change_vary(rt_steady_change *x, rt_variation *v, const double *signal,
                                       routh_error *error)
{
    const rt_steady_search *k = &x->k;
    if (x->axes.move) rt_steady_axes_later(&x->axes, k, x->own.state, x->later);
    routh_status status = lasting(x, v, x->later, signal, x->rhs + k->n_equations, error);
    if (!status && x->axes.move) rt_steady_axes_now(&x->axes, k, x->own.state);
    if (!status) status = lasting(x, v, x->own.state, signal, x->rhs, error);
    return status ? status : prescribed(x, v, x->rhs, error);
}

/* P w' of what was solved last, row i. */
static double steady_change_of_felt(const rt_steady_change *x, int i)
{
    const rt_steady_search *k = &x->k;
    const int n = k->n_equations - k->in_felt;
    double sum = 0;
    for (int j = 0; j < n; j++)
        sum += k->felt[n * i + j] * x->sum[k->at_motion + (j < 3 ? j : RT_MOTION_SPINS + j - 3)];
    return sum;
}

/* With P alpha' = delta, of the first solutions at both later times. */
static routh_status steady_change_correct(rt_steady_change *x, rt_variation *v,
                                          const double *signal, double value, routh_error *error)
{
    rt_steady_change *other = x->other;
    const int first = x->k.in_felt;
    routh_status status = steady_change_vary(other, v, signal, error);
    if (!status) status = steady_change_solve(other, value, error);
    for (int i = 0; i < x->k.n_equations - first && !status; i++) {
        const double by = steady_change_of_felt(other, i) - steady_change_of_felt(x, i);
        x->rhs[first + i] = -2 * by / (other->k.later - x->k.later);
    }
    return status ? status : steady_change_solve(x, value, error);
}

routh_status rt_steady_change_find(rt_steady_change *x, rt_variation *v, int parameter,
                                   const rt_moved *to, double turn[3], routh_error *error)
{
    const rt_steady_search *k = &x->k;
    const double value = x->own.m->model->parameters[parameter].number.value;
    rt_variation_find_inputs(v, k->asked->free, k->asked->n_free);
    written_signals(x, v, to->signal);
    routh_status status = rt_steady_axes_find(&x->axes, k, v, error);
    if (!status && x->axes.move && k->acceleration >= 0)
        status =
            rt_fail(error, ROUTH_NOT_SUPPORTED,
                    "a parameter rotates an axis of this accelerated motion; its derivatives by "
                    "such parameters are not known");
    if (!status) status = steady_change_vary(x, v, to->signal, error);
    if (!status) status = steady_change_solve(x, value, error);
    if (!status && x->other) status = steady_change_correct(x, v, to->signal, value, error);
    if (status) return status;
    read_change(x, to);
    rt_v3_scale(turn, x->sum[k->at_motion + RT_MOTION_RATE], k->e);
    rt_v3_add_scaled(turn, k->motion[RT_MOTION_RATE], x->axes.by_e);
    return ROUTH_OK;
}

const double *rt_steady_change_rates(const rt_steady_change *x)
{
    return x->sum + x->k.at_motion + RT_MOTION_RATE;
}

double rt_steady_change_spin_acceleration(const rt_steady_change *x, int spin)
{
    return x->k.acceleration < 0 ? 0 : x->sum[x->k.at_motion + x->k.acceleration + 3 + spin];
}
