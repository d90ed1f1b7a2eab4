/* An operating point carried over to other coordinates.
 *
 * The search runs in absolute coordinates, so that the same point is found whatever the
 * coordinates. q and u are taken from the bodies' frames, and u', lambda are found anew from the
 * equations of motion in the new coordinates; of multipliers that are not determined those nearest
 * to what was found are taken. */

#include "base/kept_memory.h"
#include "operating/operating.h"
#include "system/joined.h"

/* Rows of joints that are left have the multipliers they had. */
static void take_multipliers(const routh_mechanism *m, const double *from, double *lambda)
{
    for (int c = 0; c < m->n_constraints; c++) {
        const int first = m->base->constraints[c].constraint.first_row;
        int to = m->constraints[c].constraint.first_row;
        for (int r = 0; r < m->base->constraints[c].constraint.n_rows; r++)
            if (!m->joined || !(m->joined->held[c] >> r & 1)) lambda[to++] = from[first + r];
    }
}

/* Of all multipliers with the same G'lambda those nearest to the ones given. */
static routh_status nearest_multipliers(rt_search *s, const double *given, routh_error *error)
{
    for (int r = 0; r < s->m->n_rows; r++) s->state->lambda[r] -= given[r];
    const routh_status status = rt_smallest_multipliers(s, error);
    for (int r = 0; r < s->m->n_rows; r++) s->state->lambda[r] += given[r];
    return status;
}

/* Assembly in the new coordinates may move bodies by rounding only. */
static routh_status compare_frames(const rt_search *found, const rt_search *s, routh_error *error)
{
    double extent = s->m->length;
    for (int b = 0; b < s->m->n_bodies; b++)
        extent = fmax(extent, rt_v3_norm(found->w->bodies[b].r));
    for (int b = 0; b < s->m->n_bodies; b++) {
        const rt_frame *x = &found->w->bodies[b], *y = &s->w->bodies[b];
        double d[3], turn = 0;
        rt_v3_sub(d, x->r, y->r);
        for (int i = 0; i < 9; i++) turn = fmax(turn, fabs(x->A[i] - y->A[i]));
        if (rt_v3_norm(d) <= 1e-7 * extent && turn <= 1e-7) continue;
        return rt_fail_at(error, ROUTH_NUMERIC_ERROR, s->m->model->file,
                          s->m->model->bodies[b].place, s->m->model->bodies[b].name,
                          "in %s coordinates the position of this body differs by %.2g m and %.2g "
                          "rad from that in absolute coordinates; use --coordinates absolute",
                          s->m->coordinates, rt_v3_norm(d), turn);
    }
    return ROUTH_OK;
}

static routh_status check_freedom(const rt_search *found, const rt_search *s, routh_error *error)
{
    const int before = found->m->n_u - found->rank->rank, now = s->m->n_u - s->rank->rank;
    if (before == now) return ROUTH_OK;
    return rt_fail(error, ROUTH_SINGULAR,
                   "the constraints leave %d degrees of freedom in absolute coordinates and %d in "
                   "%s coordinates, because the mechanism is close to a singular configuration; "
                   "move the initial positions away from it",
                   before, now, s->m->coordinates);
}

/* The multipliers of all rows of the joints, and those of the coordinates' own rows that go with
 * them. */
static routh_status own_multipliers(const rt_search *found, rt_search *s, double *lambda,
                                    routh_error *error)
{
    const rt_joined *j = s->m->joined;
    double(*all)[6] = rt_kept_calloc(s->m->analyses, (size_t)s->m->n_constraints + 1, sizeof *all);
    if (!all) return rt_fail_memory(error);
    for (int c = 0; c < s->m->n_constraints; c++) {
        const rt_constraint *joint = &s->m->base->constraints[c].constraint;
        for (int r = 0; r < joint->n_rows && r < 6; r++)
            all[joint->joint][r] = found->state->lambda[joint->first_row + r];
    }
    memcpy(s->state->lambda, lambda, (size_t)s->m->n_rows * sizeof *lambda);
    const routh_status status = rt_evaluate(s->m, s->w, s->state, RT_EVALUATE_RESIDUAL, error);
    if (!status)
        j->set->own_multipliers(j, s->state->q, s->state->udot, s->w->bodies,
                                s->w->joined->inner->residual, (const double(*)[6])all,
                                lambda + s->m->n_joint_rows, s->w->joined->scratch);
    rt_kept_free(all);
    return status;
}

static routh_status carry_find_forces(const rt_search *found, rt_search *s, bool is_static,
                                      routh_error *error)
{
    double *given = rt_kept_calloc(s->m->analyses, (size_t)s->m->n_rows + 1, sizeof *given);
    if (!given) return rt_fail_memory(error);
    take_multipliers(s->m, found->state->lambda, given);
    routh_status status = rt_find_accelerations(s, error);
    if (!status && s->rank->rank < s->m->n_rows && s->m->joined &&
        s->m->joined->set->own_multipliers) {
        status = own_multipliers(found, s, given, error);
        memcpy(s->state->lambda, given, (size_t)s->m->n_rows * sizeof *given);
    } else if (!status) {
        status = nearest_multipliers(s, given, error);
    }
    if (is_static) {
        memset(s->state->udot, 0, (size_t)s->m->n_u * sizeof(double));
        memcpy(s->state->signal, found->state->signal,
               (size_t)s->m->n_signals * sizeof *s->state->signal);
    }
    rt_kept_free(given);
    return status;
}

/* What was in balance is so in the new coordinates too, but for rounding of where bodies are. */
static routh_status check_balance(rt_search *s, routh_error *error)
{
    static const double most = 1e-6;
    int column, body;
    bool angle, within;
    double per_radian;
    const int what =
        RT_EVALUATE_JACOBIAN | RT_EVALUATE_RESIDUAL | RT_EVALUATE_MASS | RT_EVALUATE_TANGENT;
    const routh_status status = rt_evaluate(s->m, s->w, s->state, what, error);
    if (status) return status;
    const double residual = rt_relative_residual(s, &column);
    if (residual <= most || rt_forces_are_rounding(s)) return ROUTH_OK;
    const routh_status judged = rt_within_own_rounding(s, &within, error);
    if (judged || within) return judged;
    rt_column(s->m, column, &body, &angle, &per_radian);
    return rt_fail_at(error, ROUTH_NUMERIC_ERROR, s->m->model->file,
                      s->m->model->bodies[body].place, s->m->model->bodies[body].name,
                      "the equilibrium in absolute coordinates has an equilibrium residual of %.2g "
                      "of the largest force in %s coordinates; use --coordinates absolute",
                      residual, s->m->coordinates);
}

routh_status rt_carry_forces(const rt_search *found, rt_search *s, bool is_static,
                             routh_error *error)
{
    routh_status status = check_freedom(found, s, error);
    if (!status) status = carry_find_forces(found, s, is_static, error);
    return status ? status : compare_frames(found, s, error);
}

static routh_status carry(const rt_search *found, rt_search *s, bool is_static, routh_error *error)
{
    s->state->t = found->state->t;
    rt_take_signals(s->m, s->state, found->state);
    rt_take_angles(s->m, s->state, found->state);
    rt_take_frames(s->m, s->w, found->w->bodies, s->state);
    rt_take_elastic(s->m, s->state, found->m, found->state);
    if (is_static) memset(s->state->u, 0, (size_t)s->m->n_u * sizeof(double));
    routh_status status = rt_assemble(s, error);
    if (!status) status = rt_find_rank(s, error);
    if (!status && !is_static) status = rt_find_velocities(s, error);
    if (!status) status = rt_carry_forces(found, s, is_static, error);
    return !status && is_static ? check_balance(s, error) : status;
}

routh_status rt_carry_over(const rt_search *found, const routh_mechanism *m, bool is_static,
                           rt_state **state, routh_error *error)
{
    rt_search s;
    *state = NULL;
    routh_status status = rt_search_create(&s, m, found->tolerance, found->max_iterations, error);
    if (!status) status = carry(found, &s, is_static, error);
    if (!status)
        *state = s.state;
    else
        rt_state_free(s.state);
    rt_search_release(&s);
    return status;
}
