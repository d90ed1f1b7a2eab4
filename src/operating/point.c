/* The public operating point: the steps in order, and what they found. */
#include <stdarg.h>
#include <stdio.h>

#include "base/kept_memory.h"
#include "base/number.h"
#include "operating/massless.h"
#include "operating/point.h"
#include "operating/point_signals.h"
#include "operating/pulling.h"
#include "operating/steady.h"
#include "operating/twists.h"

routh_operating_point_options routh_operating_point_defaults(void)
{
    return (routh_operating_point_options){
        .type = ROUTH_OPERATING_BY_MODEL, .tolerance = 1e-12, .max_iterations = 200};
}

void routh_operating_point_free(routh_operating_point *p)
{
    if (!p) return;
    for (int k = 0; k < p->n_warnings; k++) rt_kept_free(p->warnings[k]);
    rt_kept_free(p->warnings);
    rt_kept_free(p->bodies);
    rt_kept_free(p->reactions);
    rt_kept_free(p->redundant);
    rt_kept_free(p->signals);
    rt_steady_free(p->steady);
    rt_state_free(p->state);
    rt_state_free(p->base_state);
    rt_kept_free(p);
}

static bool warn(routh_operating_point *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool warn(routh_operating_point *p, const char *format, ...)
{
    char text[768];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const size_t n = (size_t)p->n_warnings, length = strlen(text) + 1;
    char **more = rt_kept_malloc_with(p, (n + 1) * sizeof *more);
    if (!more) return false;
    if (n) memcpy(more, p->warnings, n * sizeof *more);
    rt_kept_free(p->warnings);
    p->warnings = more;
    more[n] = rt_kept_malloc_with(p, length);
    if (!more[n]) return false;
    memcpy(more[n], text, length);
    p->n_warnings++;
    return true;
}

bool rt_point_say(routh_operating_point *p, const char *text) { return warn(p, "%s", text); }

/* ---- the steps ------------------------------------------------------------------------------ */

/* In a static equilibrium and in a steady motion inputs with histories stand still at the values
 * they have. */
static void point_hold_inputs(rt_search *s)
{
    const size_t n = (size_t)s->m->n_signals;
    memset(s->state->signal + n, 0, 2 * n * sizeof *s->state->signal);
}

/* Where a search begins that does not begin as written. */
typedef struct beginning {
    const rt_state_sizes *sizes;
    const rt_state *state;
    bool follow; /* the point is the next one to it, or none; else it may be any */
    rt_steady_start motion;
    const rt_state *other; /* on the line from state to this one, at part of it; NULL: at state */
    double part;
    int *undetermined; /* see rt_branch_start */
    bool begins;       /* what is found is where another search begins */
} beginning;

static bool fits(const rt_search *s, const beginning *from)
{
    const rt_state_sizes *z = from->sizes;
    const routh_mechanism *m = s->m;
    return from->state && z->n_q == m->n_q && z->n_u == m->n_u && z->n_rows == m->n_rows &&
           z->n_signals == m->n_signals && z->n_inputs == m->model->n_inputs;
}

/* On the line through two states of a branch; from the first where that would wind a bushing or a
 * beam through half a revolution. */
static routh_status begin_on_line(rt_search *s, const beginning *from, routh_error *error)
{
    routh_status status = rt_watch_twists(s, error);
    if (status) return status;
    rt_evaluate_frames(s->m, s->w, s->state);
    rt_begin_step(s);
    status = rt_begin_on_line(s, from->state, from->other, from->part, error);
    if (status) return status;
    rt_evaluate_frames(s->m, s->w, s->state);
    if (rt_step_winds(s)) rt_state_copy(s->m, s->state, s->begin);
    return ROUTH_OK;
}

/* Everything but time and inputs, which are the model's. */
static routh_status begin_at(rt_search *s, const beginning *from, routh_error *error)
{
    const routh_mechanism *m = s->m;
    const rt_state *start = from->state;
    memcpy(s->state->q, start->q, (size_t)m->n_q * sizeof *start->q);
    memcpy(s->state->u, start->u, (size_t)m->n_u * sizeof *start->u);
    memcpy(s->state->lambda, start->lambda, (size_t)m->n_rows * sizeof *start->lambda);
    memcpy(s->state->signal, start->signal,
           (size_t)(m->n_signals - m->model->n_inputs) * sizeof *start->signal);
    rt_take_angles(m, s->state, start);
    return from->other ? begin_on_line(s, from, error) : ROUTH_OK;
}

/* Inputs that the search for a steady motion finds, too. */
static void begin_at_inputs(rt_search *s, const beginning *from)
{
    const rt_steady *asked = &s->m->model->steady;
    const int first = s->m->n_signals - s->m->model->n_inputs;
    for (int i = 0; i < asked->n_free; i++) {
        const int at = first + asked->free[i];
        const double x = from->state->signal[at];
        s->state->signal[at] = from->other ? x + from->part * (from->other->signal[at] - x) : x;
    }
}

static routh_status search_static(rt_search *s, bool follow, bool accept_unstable,
                                  routh_error *error)
{
    const routh_status status =
        follow ? rt_follow_equilibrium(s, error) : rt_find_equilibrium(s, accept_unstable, error);
    return status ? status : rt_smallest_multipliers(s, error);
}

static routh_status search_given(rt_search *s, routh_error *error)
{
    routh_status status = rt_find_velocities(s, error);
    if (!status) status = rt_find_initial_states(s, error);
    if (!status) status = rt_find_accelerations(s, error);
    return status || !s->m->plain || s->begins ? status : rt_check_massless_rest(s, error);
}

static routh_status search_steady(rt_search *s, routh_operating_point *p, routh_error *error)
{
    routh_status status = rt_refuse_massless(s, "a steady motion", error);
    if (!status) status = rt_find_velocities(s, error);
    return status ? status : rt_find_steady(s, p, error);
}

static routh_status refuse_beginning(const routh_operating_point *p, routh_error *error)
{
    if (p->type == ROUTH_OPERATING_GIVEN)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the initial state of the model is not searched for: a search begins at a "
                       "state for a static equilibrium or a steady motion");
    return rt_fail(error, ROUTH_NOT_SUPPORTED,
                   "the search begins at the model's initial state where motions without inertia "
                   "are free; give them masses, or let it begin there");
}

static routh_status search_by_type(rt_search *s, routh_operating_point *p, bool follow,
                                   bool accept_unstable, routh_error *error)
{
    if (p->type == ROUTH_OPERATING_STATIC) return search_static(s, follow, accept_unstable, error);
    return p->type == ROUTH_OPERATING_STEADY ? search_steady(s, p, error) : search_given(s, error);
}

/* Did a search fail that was kept from winding a bushing or a beam through half a revolution, and
 * may have been by motions? */
static bool stopped_by_winding(const rt_search *s, routh_status status)
{
    return (status == ROUTH_NOT_ASSEMBLED || status == ROUTH_NO_EQUILIBRIUM) && s->wound &&
           s->begin && rt_motions_wind(s);
}

static routh_status search_point(rt_search *s, routh_operating_point *p, const beginning *from,
                                 bool accept_unstable, routh_error *error)
{
    const bool there = p->type != ROUTH_OPERATING_GIVEN && fits(s, from);
    const bool follow = there && from->follow;
    if (from->state && !there && !from->follow) return refuse_beginning(p, error);
    s->still = p->type == ROUTH_OPERATING_STATIC;
    routh_status status = there ? begin_at(s, from, error) : ROUTH_OK;
    if (p->type != ROUTH_OPERATING_GIVEN) point_hold_inputs(s);
    s->followed = follow;
    s->begins = from->begins;
    s->undetermined = from->undetermined;
    s->all_velocities = there && !follow;
    if (there && p->type == ROUTH_OPERATING_STEADY) {
        begin_at_inputs(s, from);
        s->motion = from->motion;
    }
    const bool searched = p->type != ROUTH_OPERATING_GIVEN;
    if (!there) status = rt_note_written(s, error);
    if (!status && searched) status = rt_find_winding(s, error);
    if (!status && searched && (there || rt_assembly_may_wind(s)))
        status = rt_watch_twists(s, error);
    if (!status) status = rt_assemble(s, error);
    if (stopped_by_winding(s, status)) status = rt_lead_equilibrium(s, error);
    if (!status) status = rt_progress_ask(s->progress, 1, error);
    if (!status) status = rt_find_rank(s, error);
    if (!status) status = rt_progress_ask(s->progress, 1, error);
    if (!status) status = rt_look_for_massless(s, &p->massless, error);
    const bool again = p->massless && !s->m->plain && p->type != ROUTH_OPERATING_STEADY;
    if (status || again) return status;
    if (searched) status = rt_watch_twists(s, error); /* from where it is assembled */
    if (!status) status = search_by_type(s, p, follow, accept_unstable, error);
    if (stopped_by_winding(s, status)) {
        status = rt_lead_equilibrium(s, error);
        if (!status) status = search_by_type(s, p, follow, accept_unstable, error);
        s->arrival = "by continuation in the forces that wind bodies up";
    }
    if (!status && p->type != ROUTH_OPERATING_GIVEN) status = rt_check_deformation(s, error);
    rt_ignore_twists(s);
    if (!status) status = rt_progress_ask(s->progress, 1, error);
    return status ? status : rt_find_rank_nearby(s, error);
}

/* What is left of the balance, of the largest force, is 0 where all forces are rounding, as of
 * springs at their free length. */
static const double MORE_THAN_ROUNDING = 1e-7;

static routh_status static_residual(rt_search *s, double *residual, routh_error *error)
{
    int at;
    bool within = false;
    routh_status status = ROUTH_OK;
    *residual = rt_relative_residual(s, &at);
    if (*residual > MORE_THAN_ROUNDING) status = rt_within_rounding(s, &within, error);
    *residual = fmax(within ? 0 : *residual, rt_signals_error(s, &at));
    return status;
}

/* Inertia forces M u' + c, against the largest single force; and what rates of controllers' states
 * are of their equations. `what` is evaluated, before and after. */
static routh_status inertia_residual(rt_search *s, int what, double *residual, routh_error *error)
{
    const double worst = rt_largest_inertia(s), largest = rt_largest_force(s);
    const double motion = rt_signals_motion(s);
    bool within = false;
    routh_status status = ROUTH_OK;
    *residual = worst > 0 && largest > 0 ? worst / largest : 0;
    const bool small = *residual > MORE_THAN_ROUNDING && worst <= rt_rounding_force(s);
    if (small) status = rt_rest_within_rounding(s, &within, error);
    *residual = fmax(within ? 0 : *residual, motion);
    return status || !small ? status : rt_evaluate_once(s->m, s->w, s->state, what, error);
}

/* ---- what was found ------------------------------------------------------------------------- */

static bool point_fill_bodies(routh_operating_point *p, const rt_search *s)
{
    p->bodies = rt_kept_calloc(s->m->analyses, (size_t)s->m->n_bodies + 1, sizeof *p->bodies);
    if (!p->bodies) return false;
    p->n_bodies = s->m->n_bodies;
    for (int b = 0; b < p->n_bodies; b++) {
        const rt_frame *f = &s->w->bodies[b];
        routh_body_state *out = &p->bodies[b];
        out->name = s->m->model->bodies[b].name;
        rt_v3_copy(out->position, f->r);
        memcpy(out->orientation, f->A, sizeof out->orientation);
        rt_v3_copy(out->velocity, f->v);
        rt_v3_copy(out->angular_velocity, f->w);
    }
    rt_point_fill_flexible(p, s);
    return true;
}

static void copy_wrench(routh_reaction *r, const double x[6])
{
    rt_v3_copy(r->force, x);
    rt_v3_copy(r->torque, x + 3);
}

static bool fill_reactions(routh_operating_point *p, rt_search *s)
{
    const routh_mechanism *m = s->m;
    p->reactions = rt_kept_calloc(s->m->analyses, (size_t)(m->n_constraints + m->n_loads) + 1,
                                  sizeof *p->reactions);
    if (!p->reactions) return false;
    p->n_reactions = m->n_constraints + m->n_loads;
    for (int c = 0; c < m->n_constraints; c++) {
        const rt_joint *joint = &m->model->joints[m->constraints[c].constraint.joint];
        double wrench[6];
        rt_joint_reaction(m, s->w, s->state, c, wrench);
        p->reactions[c] = (routh_reaction){.name = joint->name, .type = rt_joint_type_name(joint)};
        copy_wrench(&p->reactions[c], wrench);
    }
    for (int k = 0; k < m->n_loads; k++) {
        const rt_load *load = &m->model->loads[k];
        routh_reaction *out = &p->reactions[m->n_constraints + k];
        *out = (routh_reaction){
            .name = load->name, .type = rt_load_type_name(load->type), .is_load = 1};
        double wrench[6];
        rt_load_on_first(m, s->w, &m->loads[k], s->state, wrench);
        copy_wrench(out, wrench);
    }
    return true;
}

static bool fill_redundant(routh_operating_point *p, const rt_search *s)
{
    const routh_mechanism *m = s->m;
    const int n = m->n_rows - s->rank->rank;
    p->redundant = rt_kept_calloc(s->m->analyses, (size_t)n + 1, sizeof *p->redundant);
    if (!p->redundant) return false;
    for (int r = 0; r < m->n_rows; r++) {
        if (s->rank->row_step[r] >= 0 || r >= m->n_joint_rows) continue;
        const rt_constraint_block *c = &m->constraints[m->row_constraint[r]];
        p->redundant[p->n_redundant++] =
            (routh_redundant_row){.joint = m->model->joints[c->constraint.joint].name,
                                  .row = c->constraint.rows[r - c->constraint.first_row].label};
    }
    p->rank_clear = s->rank->clear == RT_YES && rt_near_redundant(s) == 0;
    p->smallest_pivot = s->rank->smallest_pivot;
    p->largest_rejected = s->rank->largest_rejected;
    p->degrees_of_freedom = m->n_u - s->rank->rank;
    p->degrees_nearby = m->n_u - s->rank_nearby;
    p->singular_at_instant = s->passing.in_time && !s->still;
    return true;
}

/* How much the joints changed the velocity that the file has for body b, as a fraction. */
static double velocity_change(const rt_search *s, int b)
{
    const rt_body *body = &s->m->model->bodies[b];
    const rt_frame *found = &s->w->bodies[b];
    double size = 0, change = 0;
    for (int i = 0; i < 3 && body->velocity_given; i++) {
        size = fmax(size, fabs(body->velocity[i].value));
        change = fmax(change, fabs(found->v[i] - body->velocity[i].value));
    }
    for (int i = 0; i < 3 && body->angular_velocity_given; i++) {
        const double w = body->angular_velocity[i].value;
        size = fmax(size, fabs(w) * s->m->length);
        change = fmax(change, fabs(found->w[i] - w) * s->m->length);
    }
    return size > 0 ? change / size : 0;
}

static bool warn_of_velocities(routh_operating_point *p, const rt_search *s)
{
    int most = 0;
    for (int b = 1; b < s->m->n_bodies; b++)
        if (velocity_change(s, b) > velocity_change(s, most)) most = b;
    const double change = velocity_change(s, most);
    if (p->type != ROUTH_OPERATING_GIVEN || change <= 1e-6) return true;
    char percent[RT_NUMBER_SIZE];
    rt_number_text(percent, 100 * change, change >= 0.995 ? 3 : 2);
    return warn(p,
                "the velocities written do not fit the joints and were changed, that of body %s "
                "most, by %s %%; write fewer of them and the rest will follow, or write what fits",
                s->m->model->bodies[most].name, percent);
}

/* A constraint whose gradient vanishes here (x^2 = 0) holds nothing to first order. */
static bool warn_of_gradients(routh_operating_point *p, const rt_search *s)
{
    const rt_pattern *G = &s->m->pattern_G;
    double *size = s->y;
    bool ok = true;
    memset(size, 0, (size_t)s->m->n_rows * sizeof *size);
    for (int c = 0; c < G->n_columns; c++)
        for (int e = G->start[c]; e < G->start[c + 1]; e++)
            size[G->row[e]] = fmax(size[G->row[e]], fabs(s->w->G[e]) * s->unit[c]);
    for (int r = 0; r < s->m->n_joint_rows && ok; r++) {
        if (s->rank->row_step[r] >= 0 || size[r] > 1e-9) continue;
        const rt_constraint *c = &s->m->constraints[s->m->row_constraint[r]].constraint;
        const rt_row_kind kind = c->rows[r - c->first_row].kind;
        if (c->n_frames == 0 || (kind != RT_ROW_EXPRESSION && kind != RT_ROW_RATES)) continue;
        ok = warn(p,
                  "the constraint of joint %s has no gradient here, so it constrains nothing and "
                  "was left "
                  "out; write it so that its derivative does not vanish (x instead of x^2)",
                  s->m->model->joints[c->joint].name);
    }
    return ok;
}

static bool warn_of_singularity(routh_operating_point *p, rt_search *s)
{
    char text[512];
    return !rt_singular_words(s, text, sizeof text, NULL) && warn(p, "%s", text);
}

static bool warn_of_half_turns(routh_operating_point *p, const rt_search *s)
{
    char text[480];
    bool ok = true;
    for (int c = 0; c < s->m->n_constraints && ok; c++)
        if (rt_half_turn_words(s, c, text, sizeof text)) ok = warn(p, "%s", text);
    return ok;
}

static bool warn_of_written_coordinates(routh_operating_point *p, const rt_search *s)
{
    char text[480];
    bool ok = true;
    for (int j = 0; j < s->m->model->n_joints && ok && p->type == ROUTH_OPERATING_GIVEN; j++)
        if (rt_written_coordinate_words(s, j, text, sizeof text)) ok = warn(p, "%s", text);
    return ok;
}

static bool warn_of_time(routh_operating_point *p, const rt_search *s)
{
    char text[1200];
    return !rt_timed_words(s, text, sizeof text, NULL) && (!text[0] || warn(p, "%s", text));
}

static bool warn_of_dropped_velocities(routh_operating_point *p, const rt_search *s)
{
    char text[800];
    return p->type != ROUTH_OPERATING_STATIC || !rt_dropped_velocity_words(s, text, sizeof text) ||
           warn(p, "%s", text);
}

static bool warn_of_deformation(routh_operating_point *p, const rt_search *s)
{
    char text[640];
    return !rt_deformation_words(s, text, sizeof text) || warn(p, "%s", text);
}

static bool warn_of_large_angles(routh_operating_point *p, const rt_search *s)
{
    char text[480];
    if (rt_count_twists(s->m->model) == 0) return true;
    rt_evaluate_frames(s->m, s->w, s->state); /* other warnings look elsewhere */
    return !rt_large_angle_words(s, text, sizeof text) || warn(p, "%s", text);
}

static bool warn_of_pulling(routh_operating_point *p, const rt_search *s)
{
    char text[480];
    return !rt_pulling_words(s, p, text, sizeof text) || warn(p, "%s", text);
}

/* A few of them say enough. */
static bool warn_of_misalignment(routh_operating_point *p, rt_search *s)
{
    enum { SAID = 3 };
    const int n = rt_near_redundant(s);
    char text[768];
    bool ok = true;
    for (int k = 0; k < n && k < SAID && ok; k++) {
        const routh_status status = rt_near_redundant_words(s, k, text, sizeof text, NULL);
        if (status == ROUTH_OUT_OF_MEMORY) return false;
        ok = status || warn(p, "%s", text);
    }
    return ok;
}

static bool warn_of_model(routh_operating_point *p, const rt_search *s)
{
    const routh_model *model = s->m->model;
    bool ok = true;
    for (int k = 0; k < model->n_warnings && ok; k++) ok = warn(p, "%s", model->warnings[k]);
    return ok;
}

static bool fill_warnings(routh_operating_point *p, rt_search *s)
{
    bool ok = warn_of_model(p, s) && warn_of_half_turns(p, s) && warn_of_gradients(p, s);
    ok = ok && warn_of_misalignment(p, s) && rt_point_warn_of_limits(p, s);
    if (s->rank->clear != RT_YES)
        ok = ok && warn(p,
                        "the number of degrees of freedom is not clear: the smallest pivot kept is "
                        "%.2g, the largest "
                        "taken as zero %.2g; the mechanism is near a singular configuration",
                        p->smallest_pivot, p->largest_rejected);
    if (s->rank_nearby > s->rank->rank) ok = ok && warn_of_singularity(p, s);
    ok = ok && warn_of_written_coordinates(p, s);
    ok = ok && warn_of_velocities(p, s) && warn_of_deformation(p, s) && warn_of_pulling(p, s);
    ok = ok && warn_of_large_angles(p, s);
    ok = ok && warn_of_time(p, s) && warn_of_dropped_velocities(p, s);
    if (s->way_ended > 0)
        ok = ok && warn(p,
                        "on the way from the initial state motions end after %.1f %% of it, as at "
                        "a limit of what forces can hold; the steady motion that was found is "
                        "another one, beyond; to stay on this side, prescribe less, or sweep from "
                        "a motion that is known",
                        100 * s->way_ended);
    if (s->coarse > 0)
        ok = ok &&
             warn(p,
                  "the forces balance only to %.2g of the largest: rounding of large positions "
                  "or of very unlike masses and stiffnesses allows no better",
                  s->coarse);
    if (s->unstable) ok = ok && warn(p, "this static equilibrium is unstable");
    if (s->stable_unknown && s->signals)
        ok = ok && warn(p, "the stability of the closed loop was not examined; look at the "
                           "eigenvalues");
    else if (s->stable_unknown)
        ok = ok && warn(p,
                        "with %d degrees of freedom it is not certain that the equilibrium is "
                        "stable; look at the eigenvalues",
                        p->degrees_of_freedom);
    return ok;
}

/* Of a steady motion: what the accelerations that it has leave of the balance. Where nothing pulls,
 * forces may all be rounding of what turning takes. */
static routh_status steady_residual(rt_search *s, double *residual, routh_error *error)
{
    static const double NONE = 1e-13;
    int at;
    bool within = false;
    routh_status status = ROUTH_OK;
    *residual = rt_relative_residual(s, &at);
    if (rt_largest_force(s) <= NONE * rt_turning_force(s)) *residual = 0;
    if (*residual > MORE_THAN_ROUNDING) status = rt_within_rounding(s, &within, error);
    *residual = fmax(within ? 0 : *residual, s->signals ? rt_signals_error(s, &at) : 0);
    return status;
}

static routh_status point_find_residual(routh_operating_point *p, rt_search *s, int what,
                                        routh_error *error)
{
    if (p->type == ROUTH_OPERATING_STATIC) return static_residual(s, &p->residual, error);
    return p->type == ROUTH_OPERATING_STEADY ? steady_residual(s, &p->residual, error)
                                             : inertia_residual(s, what, &p->residual, error);
}

routh_status rt_point_fill(routh_operating_point *p, rt_search *s, routh_operating_point_type type,
                           routh_error *error)
{
    const int what =
        RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN | RT_EVALUATE_RESIDUAL | RT_EVALUATE_TANGENT;
    const bool any = s->m->n_signals + s->m->model->n_outputs + s->m->model->n_kinks +
                         s->m->model->n_function_uses >
                     0;
    const int more = any || type == ROUTH_OPERATING_STEADY ? RT_EVALUATE_MASS : 0;
    routh_status status = rt_evaluate_once(s->m, s->w, s->state, what | more, error);
    if (!status && s->signals) status = rt_signals_evaluate(s, true, error);
    if (!status) status = rt_check_directions(s, error);
    if (status) return status;
    rt_angles_settle(s->m, s->w, s->state, false);
    int row;
    p->type = type;
    p->time = s->state->t;
    p->tolerance = s->tolerance;
    p->iterations = s->iterations;
    p->arrival = s->arrival;
    p->constraint_error = rt_constraint_error(s, &row);
    status = point_find_residual(p, s, what | more, error);
    if (status) return status;
    if (!point_fill_bodies(p, s) || !fill_reactions(p, s) || !fill_redundant(p, s) ||
        !fill_warnings(p, s))
        return rt_fail_memory(error);
    if (type == ROUTH_OPERATING_GIVEN) status = rt_point_say_undrawn(p, s, error);
    if (status) return status;
    if (!any) return ROUTH_OK;
    /* anew: the warnings look at other multipliers */
    status = rt_evaluate_once(s->m, s->w, s->state, what | more, error);
    const bool placed =
        type == ROUTH_OPERATING_STATIC || type == ROUTH_OPERATING_STEADY; /* all states */
    if (!status) status = rt_fill_signals(p, s, placed, error);
    return status ? status : rt_tell_of_signals(p, s, rt_point_say, error);
}

/* Coordinates that have a singularity say where they are close to it. */
bool rt_point_warn_of_coordinates(routh_operating_point *p, const routh_mechanism *m)
{
    bool ok = true;
    for (int b = 0; b < m->n_bodies && m->set && m->set->near_singular && ok; b++)
        if (m->set->near_singular(b, p->state->q))
            ok = warn(p,
                      "the %s of body %s are near their singularity, where digits are lost; use "
                      "--coordinates absolute",
                      m->coordinates, m->model->bodies[b].name);
    return ok;
}

/* The search's state, and what it was carried over to where there is such. */
static void take_states(routh_operating_point *p, rt_search *s, bool carried)
{
    p->state = carried ? p->base_state : s->state;
    p->base_state = carried ? s->state : NULL;
    s->state = NULL;
}

static routh_operating_point_type point_type_of(const routh_model *model,
                                                routh_operating_point_type asked)
{
    static const routh_operating_point_type types[] = {
        [RT_OPERATING_GIVEN] = ROUTH_OPERATING_GIVEN,
        [RT_OPERATING_STATIC] = ROUTH_OPERATING_STATIC,
        [RT_OPERATING_STEADY] = ROUTH_OPERATING_STEADY};
    return asked == ROUTH_OPERATING_BY_MODEL ? types[model->operating_point] : asked;
}

/* By the mechanism itself; by the auxiliary one where motions without inertia are free. */
static routh_status point_search(rt_search *s, routh_operating_point *p, const routh_mechanism *m,
                                 const routh_operating_point_options *o, const beginning *from,
                                 rt_progress *progress, bool accept, routh_error *error)
{
    for (int pass = 0;; pass++) {
        const routh_mechanism *searched = m->base ? m->base : m;
        routh_status status = rt_search_create(s, searched, o->tolerance, o->max_iterations, error);
        s->progress = progress;
        if (!status) status = search_point(s, p, from, accept, error);
        if (status || !p->massless || pass == 1) return status;
        rt_state_free(s->state);
        rt_search_release(s);
        m = m->auxiliary;
    }
}

static routh_status point_find(routh_operating_point **point, const routh_mechanism *m,
                               const routh_operating_point_options *options, const beginning *from,
                               routh_error *error)
{
    *point = NULL;
    const routh_operating_point_options o = options ? *options : routh_operating_point_defaults();
    if (!(o.tolerance > 0) || o.max_iterations < 1)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "tolerance and max_iterations of an operating point must be positive");
    if (o.type == ROUTH_OPERATING_STATE)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the operating point of a state is made by routh_operating_point_of_state");
    rt_progress progress = {.on_progress = o.on_progress, .data = o.data};
    rt_search s;
    routh_operating_point *p = rt_kept_calloc(m->analyses, 1, sizeof *p);
    if (!p) return rt_fail_memory(error);
    p->type = point_type_of(m->model, o.type);
    const bool is_static = p->type == ROUTH_OPERATING_STATIC;
    const bool accept = o.accept_unstable || m->model->accept_unstable;
    routh_status status = point_search(&s, p, m, &o, from, &progress, accept, error);
    if (p->massless) m = m->auxiliary;
    if (!status) status = rt_point_fill(p, &s, p->type, error);
    if (!status && m->base) status = rt_carry_over(&s, m, is_static, &p->base_state, error);
    if (!status) take_states(p, &s, m->base != NULL);
    if (!status && !rt_point_warn_of_coordinates(p, m)) status = rt_fail_memory(error);
    rt_state_free(s.state);
    rt_search_release(&s);
    status = rt_progress_end(&progress, status, error);
    if (status) {
        routh_operating_point_free(p);
        return status;
    }
    *point = p;
    return ROUTH_OK;
}

routh_status routh_operating_point_find(routh_operating_point **point, const routh_mechanism *m,
                                        const routh_operating_point_options *options,
                                        routh_error *error)
{
    return point_find(point, m, options, &(beginning){0}, error);
}

routh_status rt_point_of_model(routh_operating_point **point, const routh_mechanism *m, bool begins,
                               routh_error *error)
{
    routh_operating_point_options how = routh_operating_point_defaults();
    how.type = ROUTH_OPERATING_GIVEN;
    return point_find(point, m, &how, &(beginning){.begins = begins}, error);
}

routh_status rt_operating_point_follow(routh_operating_point **point, const routh_mechanism *m,
                                       const routh_operating_point_options *options,
                                       const rt_branch_start *start, routh_error *error)
{
    const rt_steady_start motion = {start->motion, start->other ? start->other_motion : NULL,
                                    start->part};
    const beginning from = {&start->sizes, start->state,        true, motion, start->other,
                            start->part,   start->undetermined, false};
    return point_find(point, m, options, &from, error);
}

routh_status routh_operating_point_find_from(routh_operating_point **point,
                                             const routh_mechanism *m,
                                             const routh_operating_point *start,
                                             const routh_operating_point_options *options,
                                             routh_error *error)
{
    const routh_mechanism *of = m->base ? m->base : m;
    const rt_state_sizes sizes = {of->n_q, of->n_u, of->n_rows, of->n_signals, m->model->n_inputs};
    const rt_state *state = start->base_state ? start->base_state : start->state;
    const beginning from = {&sizes, state, false, {.motion = start->steady}, NULL, 0, NULL, false};
    return point_find(point, m, options, &from, error);
}
