/* Assembly: one pass over constraints, loads and bodies fills r, Phi and the partials that are
 * asked for. */
#include <stdio.h>

#include "system/auxiliary.h"
#include "system/block6.h"
#include "system/flexible.h"
#include "system/joined.h"
#include "system/load.h"
#include "system/scatter.h"
#include "system/varies.h"

bool rt_loads_have_mass(const routh_mechanism *m)
{
    for (int k = 0; k < m->n_loads; k++)
        if (m->loads[k].block.mass) return true;
    return false;
}

void rt_advance(const routh_mechanism *m, rt_scalar *q, const rt_scalar *xi)
{
    for (int e = 0; e < m->n_elastic; e++) q[m->first_elastic_q + e] += xi[m->first_elastic + e];
    if (m->joined)
        m->joined->set->advance(m->joined, q, xi);
    else
        m->set->advance(m->n_bodies, q, xi);
}

void rt_take_frames(const routh_mechanism *m, rt_workspace *w, const rt_frame *bodies,
                    rt_state *state)
{
    if (m->joined)
        m->joined->set->take(m->joined, bodies, state->q, state->u, w->joined->scratch);
    else
        m->set->take(m->n_bodies, bodies, state->q, state->u);
}

void rt_take_elastic(const routh_mechanism *m, rt_state *to, const routh_mechanism *of,
                     const rt_state *from)
{
    const size_t size = (size_t)m->n_elastic * sizeof(rt_scalar);
    if (size == 0) return;
    memcpy(to->q + m->first_elastic_q, from->q + of->first_elastic_q, size);
    memcpy(to->u + m->first_elastic, from->u + of->first_elastic, size);
    memcpy(to->udot + m->first_elastic, from->udot + of->first_elastic, size);
}

void rt_column(const routh_mechanism *m, int c, int *body, bool *angle, rt_scalar *per_radian)
{
    const int e = rt_elastic_of_column(m, c);
    if (e >= 0) {
        *angle = rt_elastic_coordinate(m, e, body)->kind == RT_ELASTIC_ANGLE;
        *per_radian = 1;
        return;
    }
    if (m->joined) {
        *body = m->joined->column_body[c];
        *angle = m->joined->angle[c];
        *per_radian = 1;
        return;
    }
    int component;
    m->set->column(m->model, c, body, &component);
    *angle = component >= 3;
    *per_radian = *angle ? m->set->per_radian : 1;
}

rt_scalar rt_column_unit(const routh_mechanism *m, int c)
{
    int body;
    bool angle;
    rt_scalar per_radian;
    const int e = rt_elastic_of_column(m, c);
    if (e >= 0) {
        const rt_elastic *x = rt_elastic_coordinate(m, e, &body);
        if (x->kind == RT_ELASTIC_AMPLITUDE) return x->size > 0 ? 1 / x->size : 1;
    }
    rt_column(m, c, &body, &angle, &per_radian);
    return angle ? per_radian / m->length : 1;
}

void rt_evaluate_marker(const routh_mechanism *m, rt_workspace *w, int k)
{
    if (m->flexible_marker[k] >= 0)
        rt_flexible_marker_frame(m, w, m->flexible_marker[k]);
    else
        rt_frame_marker(&w->markers[k], rt_frame_of(w->bodies, m->marker_body[k]),
                        m->marker_position + 3 * (size_t)k, m->marker_orientation + 9 * (size_t)k);
}

void rt_evaluate_frames(const routh_mechanism *m, rt_workspace *w, const rt_state *state)
{
    w->evaluated = 0;
    if (m->joined)
        m->joined->set->frames(m->joined, state->q, state->u, state->udot, w->bodies,
                               w->joined->scratch);
    else
        m->set->frames(m->n_bodies, state->q, state->u, state->udot, w->bodies);
    rt_flexible_take(m, w, state);
    rt_angles_refer(m, w, state);
    for (int k = 0; k < m->n_markers; k++) rt_evaluate_marker(m, w, k);
}

static void evaluate_clear(const routh_mechanism *m, rt_workspace *w, int what)
{
    const size_t n_K = (size_t)m->pattern_K.start[m->n_u], n_M = (size_t)m->pattern_M.start[m->n_u];
    memset(w->residual, 0, (size_t)m->n_u * sizeof(rt_scalar));
    memset(w->scale, 0, (size_t)m->n_u * sizeof *w->scale);
    memset(w->wrench, 0, 6 * (size_t)m->n_bodies * sizeof(rt_scalar));
    memset(w->carry, 0, 9 * (size_t)m->n_bodies * sizeof(rt_scalar));
    memset(w->node_wrench, 0, 6 * (size_t)m->n_flexible_markers * sizeof(rt_scalar));
    if (what & RT_EVALUATE_MASS) {
        memset(w->M, 0, n_M * sizeof(rt_scalar));
        memset(w->L, 0, (size_t)rt_count_L(m) * sizeof(rt_scalar));
    }
    if (what & RT_EVALUATE_TANGENT) {
        memset(w->K, 0, n_K * sizeof(rt_scalar));
        memset(w->D, 0, n_K * sizeof(rt_scalar));
    }
}

static routh_status evaluate_blame(const routh_mechanism *m, const char *kind, const char *name,
                                   rt_place place, const char *what, routh_error *error)
{
    char element[192];
    snprintf(element, sizeof element, "%s %s", kind, name);
    return rt_fail_at(error, ROUTH_NUMERIC_ERROR, m->model->file, place, element, "%s", what);
}

/* ---- constraints ---------------------------------------------------------------------------- */

/* element_wrench += lambda phi */
static void add_reaction(rt_workspace *w, const rt_block *block, const rt_gradient *phi,
                         rt_scalar lambda)
{
    for (int k = 0; k < phi->n; k++) {
        rt_scalar *x = w->element_wrench + 6 * (size_t)rt_block_place(block, phi->frame[k]);
        for (int i = 0; i < 6; i++) x[i] += lambda * phi->p[0][k][i];
    }
}

static bool evaluate_finite3(const rt_scalar x[3])
{
    return rt_finite(x[0]) && rt_finite(x[1]) && rt_finite(x[2]);
}

/* dPhi/din of a motion, Phi = s - f(t, in), with its two rates. */
static void drive(rt_workspace *w, const rt_row *row, const rt_program_input *in, int k, int number)
{
    rt_scalar *jet = w->drive + 3 * (size_t)k;
    rt_program_signal_jet(&row->program, in, number, jet);
    for (int d = 0; d < 3; d++) jet[d] = -jet[d];
}

static routh_status evaluate_constraint(const routh_mechanism *m, rt_workspace *w,
                                        const rt_state *state, const rt_constraint_block *c,
                                        int what, routh_error *error)
{
    const rt_block *block = &c->block;
    const rt_program_input in = rt_input_at(m, w, state, w->program[0]);
    const size_t wide = 6 * (size_t)block->n_frames;
    const bool residual = what & (RT_EVALUATE_RESIDUAL | RT_EVALUATE_TANGENT);
    const bool matrices = what & (RT_EVALUATE_JACOBIAN | RT_EVALUATE_LEVELS);
    bool curved = false;
    if (residual || matrices) rt_block_maps(m, w, state, block);
    if (residual) memset(w->element_wrench, 0, wide * sizeof(rt_scalar));
    if (what & RT_EVALUATE_TANGENT) memset(w->element_partial, 0, wide * wide * sizeof(rt_scalar));
    for (int r = 0; r < c->constraint.n_rows; r++) {
        const rt_row *row = &c->constraint.rows[r];
        const int number = c->constraint.first_row + r;
        const rt_scalar lambda = state->lambda[number];
        rt_gradient phi;
        rt_scalar value[3];
        rt_row_evaluate(row, &in, value, &phi);
        if (!evaluate_finite3(value)) {
            const rt_joint *joint = &m->model->joints[c->constraint.joint];
            char text[512];
            const char *cause =
                row->kind == RT_ROW_STRAIN
                    ? "the element of the beam is bent or twisted by half a revolution between two "
                      "of its nodes, where the angle is not defined; divide it into several "
                      "elements"
                    : "the constraint has no finite value here; look at its expression and at the "
                      "positions of its markers";
            if (row->has_program && rt_program_blame(&row->program, &in, 3, text)) cause = text;
            return evaluate_blame(m, "joint", joint->name, joint->place, cause, error);
        }
        for (int d = 0; d < 3; d++) w->phi[d][number] = value[d];
        for (int k = c->first_driven; k < c->first_driven + c->n_driven; k++)
            if (m->driven[k].row == number) drive(w, row, &in, k, m->driven[k].number);
        if (matrices)
            rt_scatter_row(w, block, &phi, c->position + (size_t)r * block->n_columns,
                           what & RT_EVALUATE_LEVELS);
        if (row->kind == RT_ROW_RATES && (what & RT_EVALUATE_LEVELS)) {
            rt_gradient turn;
            rt_row_turn(row, &in, &turn);
            rt_scatter_turn(w, block, &turn, c->position + (size_t)r * block->n_columns);
        }
        if (residual && lambda != 0) add_reaction(w, block, &phi, lambda);
        if ((what & RT_EVALUATE_TANGENT) && lambda != 0) {
            rt_row_curvature(row, &in, lambda, block->frames, block->n_frames, w->element_partial);
            curved = true;
        }
    }
    if (residual) rt_scatter_wrench(m, w, block, 1);
    if (curved) rt_scatter_partials(w, block, 1, 1, false, true);
    return ROUTH_OK;
}

/* ---- loads and bodies ----------------------------------------------------------------------- */

static bool finite_wrench(const rt_workspace *w, const rt_block *block)
{
    rt_scalar sum = 0;
    for (int i = 0; i < 6 * block->n_frames; i++) sum += w->element_wrench[i];
    return rt_finite(sum);
}

static bool finite_partials(const rt_workspace *w, const rt_block *block)
{
    const int wide = 6 * block->n_frames;
    rt_scalar sum = 0;
    for (int i = 0; i < 3 * wide * wide; i++) sum += w->element_partial[i];
    return rt_finite(sum);
}

static routh_status evaluate_evaluate_load(const routh_mechanism *m, rt_workspace *w,
                                           const rt_state *state, const rt_load_block *block,
                                           int what, routh_error *error)
{
    const rt_load *load = &m->model->loads[block->load];
    const bool tangent = what & RT_EVALUATE_TANGENT,
               lambda = (what & RT_EVALUATE_MASS) && block->n_lambda;
    const bool mass = ((what & RT_EVALUATE_MASS) && block->block.mass) || lambda;
    if (rt_is_spatial_spring(m, block) && rt_spatial_spring(m, w, block, tangent)) return ROUTH_OK;
    if (!rt_load_block_evaluate(m, w, block, state, tangent || mass))
        return evaluate_blame(m, "load", load->name, load->place, rt_class_of(m, block)->undefined,
                              error);
    char text[512];
    if (!finite_wrench(w, &block->block))
        return evaluate_blame(m, "load", load->name, load->place,
                              rt_load_blame(m, w, block, state, text)
                                  ? text
                                  : "the force is not a finite number here; look at its expression",
                              error);
    if ((tangent || mass) && !finite_partials(w, &block->block))
        return evaluate_blame(
            m, "load", load->name, load->place,
            rt_load_blame(m, w, block, state, text)
                ? text
                : "the force has no finite derivative here (as sqrt(x) has none at x = 0); look "
                  "at its expression",
            error);
    rt_block_maps(m, w, state, &block->block);
    rt_scatter_wrench(m, w, &block->block, -1);
    const int n_levels = block->block.mass ? 3 : 2; /* accelerations only where there is M */
    if (tangent || mass) rt_scatter_partials(w, &block->block, -1, n_levels, mass, tangent);
    if (lambda) rt_scatter_lambda(w, &block->block, -1, block->n_lambda, block->lambda_position);
    return ROUTH_OK;
}

static void add_block3(rt_scalar *K, int width, const rt_scalar B[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) K[(3 + i) * width + 3 + j] += B[3 * i + j];
}

/* What turning the body does to all that acts on it. */
static void evaluate_turn_body(const routh_mechanism *m, rt_workspace *w, const rt_state *state,
                               int b)
{
    const rt_body_block *body = &m->bodies[b];
    rt_scalar K[RT_MAP_COLUMNS * RT_MAP_COLUMNS] = {0};
    const int n = body->block.n_columns;
    rt_frame f = w->bodies[b];
    rt_v3_sub(f.r, f.r, m->origin);
    m->set->geometric(b, state->q, &f, w->wrench + 6 * (size_t)b, K, n);
    for (int k = 0; k < n * n; k++) w->K[body->block.position[k]] += K[k];
}

/* K by what acts on the body alone. */
static void evaluate_carry_body(const routh_mechanism *m, rt_workspace *w, const rt_state *state,
                                int b)
{
    const rt_block *block = &m->bodies[b].block;
    rt_block_maps(m, w, state, block);
    memset(w->element_partial, 0, 36 * sizeof(rt_scalar));
    add_block3(w->element_partial, 6, w->carry + 9 * (size_t)b);
    rt_scatter_partials(w, block, 1, 1, false, true);
    evaluate_turn_body(m, w, state, b);
}

/* The body's inertia and weight, and what turning the body does to all that acts on it. */
static void evaluate_body(const routh_mechanism *m, rt_workspace *w, const rt_state *state, int b,
                          int what)
{
    const rt_body_block *body = &m->bodies[b];
    const bool tangent = what & RT_EVALUATE_TANGENT, mass = what & RT_EVALUATE_MASS;
    rt_load_result inertia;
    if (!rt_body_varies(m, w, b)) {
        if (tangent && rt_body_wrench_varies(w, b)) evaluate_carry_body(m, w, state, b);
        return;
    }
    rt_inertia_evaluate(&w->bodies[b], body->mass, body->inertia, tangent || mass, &inertia);
    rt_block_maps(m, w, state, &body->block);
    memcpy(w->element_wrench, inertia.wrench[0], 6 * sizeof(rt_scalar));
    rt_scatter_wrench(m, w, &body->block, 1);
    memset(w->element_wrench, 0, 6 * sizeof(rt_scalar));
    const rt_scalar *gravity = rt_gravity_on(m, b);
    for (int i = 0; i < 3; i++) w->element_wrench[i] = body->mass * gravity[i];
    rt_scatter_wrench(m, w, &body->block, -1);
    if (!tangent && !mass) return;
    for (int l = 0; l < 3; l++)
        for (int i = 0; i < 6; i++)
            memcpy(w->element_partial + 36 * l + 6 * i, inertia.partial[l] + 12 * i,
                   6 * sizeof(rt_scalar));
    if (tangent) add_block3(w->element_partial, 6, w->carry + 9 * (size_t)b);
    rt_scatter_partials(w, &body->block, 1, 3, mass, tangent);
    if (tangent) evaluate_turn_body(m, w, state, b);
}

/* r and the scales of its parts: forces, and their torques about O. */
static void add_spatial_wrench(const routh_mechanism *m, rt_workspace *w, int b, const rt_frame *f,
                               const rt_scalar wrench[6])
{
    const rt_scalar mass = m->bodies[b].mass, *gravity = rt_gravity_on(m, b);
    rt_scalar *r = w->residual + 6 * b, *total = w->wrench + 6 * b;
    double *scale = w->scale + 6 * b;
    rt_scalar by_a[3], by_g[3], t[3];
    rt_v3_cross(by_a, f->r, f->a);
    rt_v3_cross(by_g, f->r, gravity);
    rt_v3_cross(t, f->r, wrench);
    for (int i = 0; i < 3; i++) {
        const rt_scalar own = wrench[3 + i] - t[i];
        r[i] += wrench[i];
        r[3 + i] += wrench[3 + i];
        total[i] += wrench[i];
        total[3 + i] += own;
        scale[i] = rt_larger(
            scale[i], rt_re(mass) * rt_larger(fabs(rt_re(f->a[i])), fabs(rt_re(gravity[i]))));
        scale[3 + i] = rt_larger(
            scale[3 + i], rt_re(mass) * rt_larger(fabs(rt_re(by_a[i])), fabs(rt_re(by_g[i]))));
        scale[3 + i] = rt_larger(scale[3 + i], fabs(rt_re(own)));
    }
}

/* X += the column-major 6 x 6 block B; position: of its entries, row-major */
static inline void add_block6(rt_scalar *X, const int *position, const rt_scalar B[36])
{
    const int stride = position[1] - position[0];
    rt_scalar *to = X + position[0];
    for (int j = 0; j < 6; j++)
        for (int i = 0; i < 6; i++) to[stride * j + i] += B[6 * j + i];
}

/* The same on a spatial frame, in closed form. */
static void evaluate_spatial_body(const routh_mechanism *m, rt_workspace *w, int b, int what)
{
    const rt_body_block *body = &m->bodies[b];
    const bool tangent = what & RT_EVALUATE_TANGENT, mass = what & RT_EVALUATE_MASS;
    rt_frame f = w->bodies[b];
    rt_spatial_inertia x;
    rt_v3_sub(f.r, f.r, m->origin);
    rt_inertia_spatial(&f, body->mass, body->inertia, rt_gravity_on(m, b), w->wrench + 6 * b,
                       tangent || mass, &x);
    add_spatial_wrench(m, w, b, &f, x.wrench);
    if (mass) add_block6(w->M, body->block.mass, x.M);
    if (!tangent) return;
    const rt_scalar *carry = w->carry + 9 * (size_t)b;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) x.K[6 * (3 + j) + 3 + i] += carry[3 * i + j];
    add_block6(w->K, body->block.position, x.K);
    add_block6(w->D, body->block.position, x.D);
}

/* Of a body whose inertia and weight the coordinates bring: what turning it does to all that acts
 * on it, [0 0; -f~ f~ r~] and the arms. */
static void turn_wrench(const routh_mechanism *m, rt_workspace *w, int b)
{
    rt_scalar K[36] = {0};
    if (!m->touched[b]) return;
    rt_frame f = w->bodies[b];
    rt_v3_sub(f.r, f.r, m->origin);
    m->set->geometric(b, NULL, &f, w->wrench + 6 * (size_t)b, K, 6);
    add_block3(K, 6, w->carry + 9 * (size_t)b);
    const int *position = m->bodies[b].block.position;
    for (int k = 0; k < 36; k++) w->K[position[k]] += K[k];
}

/* The same of a flexible body; what acts on its frame is its inertia and weight too. */
static void evaluate_flexible(const routh_mechanism *m, rt_workspace *w, const rt_state *state,
                              int k, int what)
{
    const int b = m->flexible[k].body;
    const bool tangent = what & RT_EVALUATE_TANGENT, mass = what & RT_EVALUATE_MASS;
    rt_flexible_body(m, w, state, k, what);
    rt_scatter_wrench(m, w, &m->bodies[b].block, 1);
    if (!tangent && !mass) return;
    if (tangent) add_block3(w->element_partial, 6, w->carry + 9 * (size_t)b);
    rt_scatter_partials(w, &m->bodies[b].block, 1, 3, mass, tangent);
    if (tangent) evaluate_turn_body(m, w, state, b);
}

static void evaluate_bodies(const routh_mechanism *m, rt_workspace *w, const rt_state *state,
                            int what)
{
    for (int b = 0; b < m->n_bodies; b++)
        if (m->model->bodies[b].flexible)
            continue;
        else if (m->set != &rt_spatial_frames)
            evaluate_body(m, w, state, b, what);
        else if (!m->no_inertia)
            evaluate_spatial_body(m, w, b, what);
        else if (what & RT_EVALUATE_TANGENT)
            turn_wrench(m, w, b);
    for (int k = 0; k < m->n_flexible; k++) evaluate_flexible(m, w, state, k, what);
    if (what & RT_EVALUATE_TANGENT) rt_flexible_geometric(m, w, state);
}

/* The constraint that the body's coordinates bring. */
static void evaluate_own_row(const routh_mechanism *m, rt_workspace *w, const rt_state *state,
                             int b, int what)
{
    const rt_body_block *body = &m->bodies[b];
    const int row = m->n_joint_rows + b, n = body->block.n_columns;
    const rt_scalar lambda = state->lambda[row];
    rt_own_row own;
    m->set->own_row(b, state->q, state->u, state->udot, &own);
    for (int d = 0; d < 3; d++) w->phi[d][row] = own.value[d];
    for (int c = 0; c < n; c++) {
        const int at = body->own_position[c], column = body->block.columns[c];
        if (what & (RT_EVALUATE_JACOBIAN | RT_EVALUATE_LEVELS)) w->G[at] = own.G[c];
        if (what & RT_EVALUATE_LEVELS)
            w->Vx[at] = own.Vx[c], w->Au[at] = own.Au[c], w->Ax[at] = own.Ax[c];
        w->residual[column] += lambda * own.G[c];
        w->scale[column] = fmax(w->scale[column], fabs(rt_re(lambda * own.G[c])));
    }
    if (!(what & RT_EVALUATE_TANGENT)) return;
    for (int k = 0; k < n * n; k++) w->K[body->block.position[k]] += lambda * own.curvature[k];
}

routh_status rt_evaluate_elements(const routh_mechanism *m, rt_workspace *w, const rt_state *state,
                                  int what, routh_error *error)
{
    w->evaluated = 0;
    evaluate_clear(m, w, what);
    for (int c = 0; c < m->n_constraints; c++) {
        const rt_constraint_block *block = &m->constraints[c];
        if (block->constraint.n_rows == 0) continue;
        if (!rt_constraint_varies(m, w, state, block)) {
            rt_clear_rows(w, block);
            continue;
        }
        const routh_status status = evaluate_constraint(m, w, state, block, what, error);
        if (status) return status;
    }
    for (int b = 0; b < m->n_bodies && m->set->own_row; b++) evaluate_own_row(m, w, state, b, what);
    if (!(what & (RT_EVALUATE_RESIDUAL | RT_EVALUATE_MASS | RT_EVALUATE_TANGENT))) return ROUTH_OK;
    for (int k = 0; k < m->n_loads; k++) {
        if (!rt_load_varies(m, w, state, &m->loads[k])) continue;
        const routh_status status = evaluate_evaluate_load(m, w, state, &m->loads[k], what, error);
        if (status) return status;
    }
    evaluate_bodies(m, w, state, what);
    return ROUTH_OK;
}

/* -G'lambda on the first marker; on the ground: minus what all others get, carried to its origin.
 */
void rt_joint_reaction(const routh_mechanism *m, rt_workspace *w, const rt_state *state,
                       int constraint, rt_scalar wrench[6])
{
    const rt_constraint *c = &m->constraints[constraint].constraint;
    const int first = m->model->joints[c->joint].markers[0];
    const rt_program_input in = rt_input_at(m, w, state, w->program[0]);
    memset(wrench, 0, 6 * sizeof *wrench);
    for (int r = 0; r < c->n_rows; r++) {
        const rt_scalar lambda = state->lambda[c->first_row + r];
        rt_gradient phi;
        rt_scalar value[3];
        rt_row_evaluate(&c->rows[r], &in, value, &phi);
        for (int k = 0; k < phi.n; k++) {
            if (first >= 0 && phi.frame[k] != first) continue;
            const rt_scalar scale = first >= 0 ? -lambda : lambda;
            rt_scalar force[3];
            rt_v3_scale(force, scale, phi.p[0][k]);
            rt_v3_add_scaled(wrench, 1, force);
            rt_v3_add_scaled(wrench + 3, scale, phi.p[0][k] + 3);
            if (first < 0) rt_v3_cross_add(wrench + 3, w->markers[phi.frame[k]].r, force);
        }
    }
}

void rt_row_describe(const routh_mechanism *m, int row, char element[192], rt_place *place,
                     const char **label)
{
    if (row >= m->n_joint_rows) {
        const int own = row - m->n_joint_rows;
        const rt_body *body = &m->model->bodies[m->joined ? m->joined->own_body[own] : own];
        snprintf(element, 192, "body %s", body->name);
        *place = body->place;
        *label = m->joined ? m->joined->own_label[own] : m->set->own_label;
        return;
    }
    const rt_constraint *c = &m->constraints[m->row_constraint[row]].constraint;
    const rt_joint *joint = &m->model->joints[c->joint];
    snprintf(element, 192, "joint %s", joint->name);
    *place = joint->place;
    *label = c->rows[row - c->first_row].label;
}
