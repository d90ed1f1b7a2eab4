/* Derivatives of the operating point by parameters: how it moves (sensitivity_change.h), and from
 * that every number that is shown of it, by the functions that show it, in numbers that carry a
 * derivative. What the equations leave open, forces of redundant constraints and motions without
 * stiffness, is found by moving the point along a chance mixture of all that is open, and looking
 * at which numbers change. */
#include "routh/sensitivity.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "operating/massless.h"
#include "studies/sensitivity_job.h"
#include "system/kkt.h"
#include "system/varied_state.h"

void routh_point_sensitivity_free(routh_point_sensitivity *s)
{
    if (!s) return;
    for (int p = 0; p < s->n_parameters && s->by; p++) {
        free(s->by[p].bodies);
        free(s->by[p].reactions);
        free(s->by[p].signals);
        free(s->by[p].spins);
    }
    free(s->by);
    for (int k = 0; k < s->n_warnings; k++) free(s->warnings[k]);
    free(s->warnings);
    free(s);
}

/* Numbers of a point, or what they change by. */
typedef struct point_numbers {
    rt_varied_body *bodies;
    double (*wrenches)[6];
    double *signals; /* values of states, variables, inputs, outputs */
    double *rates;   /* of states */
} point_numbers;

typedef struct point_job {
    routh_point_sensitivity *out;
    rt_sensitivity_job job;
    const routh_operating_point *point;
    int n_bodies, n_wrenches, n_signals, n_outputs;
    double *moved;   /* of all signals of the mechanism */
    double *written; /* n_u: how the configuration as written changes */
    point_numbers now, along_force, along_motion;
    bool redundant, free; /* is there such a direction? */
    bool said_redundant, said_free;
} point_job;

static bool point_numbers_take(const point_job *j, point_numbers *x, rt_arena *arena)
{
    x->bodies = RT_TAKE(arena, rt_varied_body, j->n_bodies);
    x->wrenches = rt_arena_take(arena, (size_t)j->n_wrenches, sizeof *x->wrenches);
    x->signals = RT_TAKE(arena, double, j->n_signals);
    x->rates = RT_TAKE(arena, double, j->n_signals);
    return x->bodies && x->wrenches && x->signals && x->rates;
}

static bool point_job_take(point_job *j)
{
    const routh_mechanism *m = j->job.m;
    rt_arena *arena = &j->job.arena;
    j->n_bodies = m->n_bodies;
    j->n_wrenches = m->n_constraints + m->n_loads;
    j->n_outputs = m->model->n_outputs;
    j->n_signals = m->n_signals - m->model->n_control_states + j->n_outputs;
    j->moved = RT_TAKE(arena, double, 3 * (size_t)m->n_signals);
    j->written = RT_TAKE(arena, double, m->n_u);
    return j->moved && j->written && point_numbers_take(j, &j->now, arena) &&
           point_numbers_take(j, &j->along_force, arena) &&
           point_numbers_take(j, &j->along_motion, arena);
}

/* ---- numbers along a direction --------------------------------------------------------------- */

/* Of the variation as it was moved. */
static routh_status point_job_read(point_job *j, point_numbers *x, routh_error *error)
{
    const routh_model *model = j->job.m->model;
    const int n_x = model->n_control_states, n_known = j->n_signals - j->n_outputs;
    rt_variation *v = j->job.variation;
    routh_status status = rt_variation_evaluate(
        v, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN | RT_EVALUATE_RESIDUAL | RT_EVALUATE_MASS, error);
    if (status) return status;
    rt_variation_bodies(v, x->bodies);
    rt_variation_wrenches(v, x->wrenches);
    rt_variation_read(v, RT_VARIED_SIGNAL, j->moved);
    for (int k = 0; k < n_known; k++) x->signals[k] = j->moved[k < n_x ? k : n_x + k];
    for (int k = 0; k < n_x; k++) x->rates[k] = j->moved[n_x + k];
    for (int k = 0; k < j->n_outputs && !status; k++)
        status = rt_variation_sensor(v, RT_SENSOR_OUTPUT, k, &x->signals[n_known + k], NULL, error);
    return status;
}

static double point_largest_wrench(const point_job *j, const point_numbers *x)
{
    double most = 0;
    for (int k = 0; k < j->n_wrenches; k++)
        for (int i = 0; i < 6; i++) most = fmax(most, fabs(x->wrenches[k][i]));
    return most;
}

/* No parameter changes; the point moves by `by`. */
static routh_status point_job_read_along(point_job *j, const rt_moved *by, point_numbers *x,
                                         routh_error *error)
{
    const rt_state *s = j->job.pencil.s->state;
    const rt_varied_state at = rt_varied_state_of(s);
    const rt_varied_state move = {.xi = by->xi, .lambda = by->lambda, .signal = by->signal};
    rt_variation *v = j->job.variation;
    routh_status status = rt_variation_along(v, -1, NULL, NULL, error);
    rt_variation_place(v, &at, j->point->type != ROUTH_OPERATING_GIVEN);
    if (!status) status = rt_variation_move(v, &move, error);
    return status ? status : point_job_read(j, x, error);
}

/* ---- forces of redundant constraints --------------------------------------------------------- */

/* lambda with G'lambda = 0: any numbers on the rows that were dropped, and on those that were kept
 * what undoes them,   [W G'; G 0] [x; y] = [G_dropped' a; 0],   lambda = a - y. */
static routh_status point_job_open_forces(point_job *j, double *lambda, bool *any,
                                          routh_error *error)
{
    const rt_search *s = j->job.pencil.s;
    const routh_mechanism *m = s->m;
    const rt_pattern *G = &m->pattern_G, *M = &m->pattern_M;
    rt_arena *arena = &j->job.arena;
    double *W = RT_TAKE(arena, double, M->start[m->n_u]), *x = RT_TAKE(arena, double, m->n_u);
    double *y = RT_TAKE(arena, double, m->n_rows);
    rt_kkt *kkt = NULL;
    uint64_t chance = 88172645463325252u;
    if (!W || !x || !y) return rt_fail_memory(error);
    *any = false;
    for (int r = 0; r < m->n_rows; r++) {
        chance ^= chance << 13, chance ^= chance >> 7, chance ^= chance << 17; /* xorshift */
        const bool kept = s->rank->row_step[r] >= 0;
        lambda[r] = kept ? 0 : 0.5 + (double)(chance >> 11) * 0x1p-53;
        *any = *any || !kept;
    }
    if (!*any) return ROUTH_OK;
    for (int c = 0; c < m->n_u; c++) {
        for (int e = M->start[c]; e < M->start[c + 1]; e++)
            W[e] = M->row[e] == c ? rt_assembly_weight(s, c) : 0;
        for (int e = G->start[c]; e < G->start[c + 1]; e++) x[c] += s->w->G[e] * lambda[G->row[e]];
    }
    routh_status status = rt_kkt_create(&kkt, m, M, s->rank->row_step, error);
    if (!status) status = rt_kkt_factor(kkt, W, s->w->G, NULL, 0, error);
    if (!status) status = rt_kkt_solve(kkt, x, y, error);
    for (int r = 0; r < m->n_rows && !status; r++) lambda[r] -= y[r];
    rt_kkt_free(kkt);
    return status;
}

/* Loads, controllers and motions must not use what is open. */
static routh_status point_job_check_open(point_job *j, routh_error *error)
{
    static const double none = 1e-7;
    const routh_mechanism *m = j->job.m;
    const routh_model *model = m->model;
    const double size = point_largest_wrench(j, &j->along_force);
    for (int k = 0; k < m->n_loads; k++)
        for (int i = 0; i < 6; i++)
            if (fabs(j->along_force.wrenches[m->n_constraints + k][i]) > none * size)
                return rt_fail_at(error, ROUTH_NOT_SUPPORTED, model->file, model->loads[k].place,
                                  model->loads[k].name,
                                  "the load uses joint forces that redundant constraints leave "
                                  "undetermined, so the operating point has no derivatives; remove "
                                  "the redundant constraints");
    for (int k = 0; k < model->n_control_states + model->n_variables; k++) {
        const bool state = k < model->n_control_states;
        double value;
        const routh_status status =
            rt_variation_sensor(j->job.variation, state ? RT_SENSOR_STATE : RT_SENSOR_VARIABLE,
                                state ? k : k - model->n_control_states, &value, NULL, error);
        if (status) return status;
        if (fabs(value) > none * size)
            return rt_fail(error, ROUTH_NOT_SUPPORTED,
                           "%s uses joint forces that redundant constraints leave undetermined, so "
                           "the operating point has no derivatives; remove the redundant "
                           "constraints",
                           state ? model->control_states[k].name
                                 : model->variables[k - model->n_control_states].name);
    }
    return ROUTH_OK;
}

static routh_status point_job_find_open(point_job *j, routh_error *error)
{
    double *lambda = RT_TAKE(&j->job.arena, double, j->job.m->n_rows);
    if (!lambda) return rt_fail_memory(error);
    routh_status status = point_job_open_forces(j, lambda, &j->redundant, error);
    if (status || !j->redundant) return status;
    status = point_job_read_along(j, &(rt_moved){.lambda = lambda}, &j->along_force, error);
    return status ? status : point_job_check_open(j, error);
}

static routh_status point_job_find_free(point_job *j, routh_error *error)
{
    if (j->point->type != ROUTH_OPERATING_STATIC) return ROUTH_OK;
    const routh_status status = rt_change_free(&j->job.change, &j->free, error);
    if (status || !j->free) return status;
    return point_job_read_along(j, &j->job.change.by, &j->along_motion, error);
}

/* ---- what is not determined ------------------------------------------------------------------ */

static void point_open_numbers(double *to, const double *along, int n, double least, bool *open)
{
    for (int i = 0; i < n; i++)
        if (fabs(along[i]) > least) to[i] = NAN, *open = true;
}

static bool point_leave_forces(point_job *j)
{
    static const double none = 1e-7;
    const double least = none * point_largest_wrench(j, &j->along_force);
    bool open = false;
    for (int k = 0; k < j->n_wrenches; k++)
        point_open_numbers(j->now.wrenches[k], j->along_force.wrenches[k], 6, least, &open);
    point_open_numbers(j->now.signals, j->along_force.signals, j->n_signals, least, &open);
    return open;
}

/* The mixture moves by one typical length, or by a radian. */
static bool point_leave_motions(point_job *j)
{
    static const double none = 1e-6;
    const routh_operating_point *p = j->point;
    const double length = j->job.m->length;
    double force = 0;
    bool open = false;
    for (int k = 0; k < p->n_reactions; k++)
        for (int i = 0; i < 3; i++)
            force = fmax(force, fmax(fabs(p->reactions[k].force[i]),
                                     fabs(p->reactions[k].torque[i]) / length));
    for (int b = 0; b < j->n_bodies; b++) {
        const rt_varied_body *along = &j->along_motion.bodies[b];
        point_open_numbers(j->now.bodies[b].position, along->position, 3, none * length, &open);
        point_open_numbers(j->now.bodies[b].rotation, along->rotation, 3, none, &open);
    }
    for (int k = 0; k < j->n_wrenches; k++) {
        const double *along = j->along_motion.wrenches[k];
        point_open_numbers(j->now.wrenches[k], along, 3, none * force, &open);
        point_open_numbers(j->now.wrenches[k] + 3, along + 3, 3, none * force * length, &open);
    }
    point_open_numbers(j->now.signals, j->along_motion.signals, j->n_signals, none, &open);
    return open;
}

static bool point_any(const double *x, int n)
{
    for (int k = 0; k < n; k++)
        if (x[k] != 0) return true;
    return false;
}

/* Does the parameter move anything, or what is written? Then motions without stiffness are as the
 * search has them, which no equation says. */
static routh_status point_job_moves(point_job *j, int k, bool *moves, routh_error *error)
{
    const routh_mechanism *m = j->job.m;
    const rt_moved *by = &j->job.change.by;
    *moves = point_any(by->xi, m->n_u) || point_any(by->lambda, m->n_rows) ||
             point_any(by->signal, m->n_signals);
    if (*moves) return ROUTH_OK;
    const routh_status status =
        rt_variation_along(j->job.variation, j->job.parameter[k], j->written, NULL, error);
    *moves = !status && point_any(j->written, m->n_u);
    return status;
}

static routh_status point_job_leave_open(point_job *j, int k, routh_error *error)
{
    routh_status status = ROUTH_OK;
    bool moves = false;
    if (j->free) status = point_job_moves(j, k, &moves, error);
    if (!status && moves && point_leave_motions(j) && !j->said_free) {
        j->said_free = true;
        status =
            rt_job_warn(&j->job, error,
                        "a motion without stiffness leaves open where some bodies are: what it "
                        "changes has no derivative (NaN); add a support in that direction");
    }
    if (!status && j->redundant && point_leave_forces(j) && !j->said_redundant) {
        j->said_redundant = true;
        status = rt_job_warn(&j->job, error,
                             "redundant constraints leave some joint forces undetermined, which "
                             "have no derivative (NaN); remove the redundant constraints");
    }
    return status;
}

/* ---- what is given back ---------------------------------------------------------------------- */

static void point_put(const point_job *j, routh_point_change *to)
{
    const point_numbers *x = &j->now;
    for (int b = 0; b < to->n_bodies; b++) {
        routh_body_change *body = &to->bodies[b];
        body->name = j->point->bodies[b].name;
        memcpy(body->position, x->bodies[b].position, sizeof body->position);
        memcpy(body->rotation, x->bodies[b].rotation, sizeof body->rotation);
        memcpy(body->velocity, x->bodies[b].velocity, sizeof body->velocity);
        memcpy(body->angular_velocity, x->bodies[b].angular_velocity,
               sizeof body->angular_velocity);
    }
    for (int k = 0; k < to->n_reactions; k++) {
        to->reactions[k] = j->point->reactions[k];
        memcpy(to->reactions[k].force, x->wrenches[k], sizeof to->reactions[k].force);
        memcpy(to->reactions[k].torque, x->wrenches[k] + 3, sizeof to->reactions[k].torque);
    }
    for (int k = 0; k < to->n_signals; k++) {
        to->signals[k] = j->point->signals[k];
        to->signals[k].value = x->signals[k];
        to->signals[k].rate = to->signals[k].kind == ROUTH_SIGNAL_STATE ? x->rates[k] : 0;
    }
    if (j->point->type != ROUTH_OPERATING_STEADY) return;
    const double *rates = rt_steady_change_rates(j->job.change.steady);
    to->turn_rate = rates[0];
    for (int k = 0; k < to->n_spins; k++) {
        to->spins[k] = j->point->steady->spins[k];
        to->spins[k].rate = rates[1 + k];
        to->spins[k].acceleration = rt_steady_change_spin_acceleration(j->job.change.steady, k);
    }
}

static bool point_change_take(const point_job *j, routh_point_change *to)
{
    const routh_operating_point *p = j->point;
    to->n_bodies = p->n_bodies, to->n_reactions = p->n_reactions, to->n_signals = p->n_signals;
    to->n_spins = p->steady ? p->steady->n_spins : 0;
    to->bodies = calloc((size_t)to->n_bodies + 1, sizeof *to->bodies);
    to->reactions = calloc((size_t)to->n_reactions + 1, sizeof *to->reactions);
    to->signals = calloc((size_t)to->n_signals + 1, sizeof *to->signals);
    to->spins = calloc((size_t)to->n_spins + 1, sizeof *to->spins);
    return to->bodies && to->reactions && to->signals && to->spins;
}

static routh_status point_find_one(point_job *j, int k, routh_error *error)
{
    rt_sensitivity_job *job = &j->job;
    routh_point_change *to = &j->out->by[j->out->n_parameters++];
    to->parameter = job->names[k], to->value = job->values[k];
    if (!point_change_take(j, to)) return rt_fail_memory(error);
    routh_status status = point_job_read(j, &j->now, error);
    if (!status) status = point_job_leave_open(j, k, error);
    if (!status) point_put(j, to);
    return status;
}

static routh_status point_find_all(point_job *j, routh_error *error)
{
    routh_status status = ROUTH_OK;
    for (int k = 0; k < j->job.n_parameters && !status; k++) {
        status = rt_job_find_change(&j->job, k, error);
        if (!status) status = point_find_one(j, k, error);
    }
    return status;
}

static routh_status point_say_of_steady(point_job *j, routh_error *error)
{
    if (j->point->type != ROUTH_OPERATING_STEADY) return ROUTH_OK;
    return rt_job_warn(&j->job, error,
                       "a steady motion is the same at any place along itself: derivatives of "
                       "positions and of world components are those of the motion whose bodies "
                       "move least");
}

static routh_status point_job_run(point_job *j, const routh_mechanism *mechanism,
                                  const routh_operating_point *point,
                                  const routh_sensitivity_options *o, routh_error *error)
{
    rt_sensitivity_job *job = &j->job;
    routh_status status = rt_job_begin(job, mechanism, point, NULL, NULL, error);
    if (!status && !point_job_take(j)) status = rt_fail_memory(error);
    if (!status) status = rt_job_choose(job, o->parameters, error);
    if (!status) status = point_say_of_steady(j, error);
    if (!status) status = point_job_find_open(j, error);
    if (!status) status = point_job_find_free(j, error);
    if (status) return status;
    j->out->by = calloc((size_t)job->n_parameters + 1, sizeof *j->out->by);
    if (!j->out->by) return rt_fail_memory(error);
    return point_find_all(j, error);
}

routh_status routh_point_sensitivity_compute(routh_point_sensitivity **sensitivities,
                                             const routh_mechanism *mechanism,
                                             const routh_operating_point *point,
                                             const routh_sensitivity_options *options,
                                             routh_error *error)
{
    *sensitivities = NULL;
    routh_status status = rt_refuse_massless_point(mechanism, point, "a sensitivity", error);
    if (status) return status;
    const routh_sensitivity_options o = options ? *options : routh_sensitivity_defaults();
    point_job j = {.out = calloc(1, sizeof *j.out), .point = point};
    if (!j.out) return rt_fail_memory(error);
    status = point_job_run(&j, mechanism, point, &o, error);
    j.out->n_warnings = j.job.n_warnings, j.out->warnings = j.job.warnings;
    j.job.n_warnings = 0, j.job.warnings = NULL;
    rt_job_release(&j.job);
    if (status) {
        routh_point_sensitivity_free(j.out);
        return status;
    }
    *sensitivities = j.out;
    return ROUTH_OK;
}
