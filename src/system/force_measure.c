/* FX .. TZ of a joint or a load: a component of what it does to its first marker.
 *
 * value = a . w with a an axis and w the force or torque on the first marker,
 *     d value = (dtheta_a x a) . w + a . dw.
 * A joint does -sum lambda_r phi_r, so dw = -lambda_r dphi_r - phi_r dlambda_r (the curvature of
 * its rows); a load's dw are its own partials. Where the first marker is the ground, w is minus
 * what all other markers get, carried over; of a force on the ground without a reaction it is what
 * its functions say. */
#include "system/load.h"

/* What is seen of an element: wrench of one frame and, per level, its rows of the partials. */
typedef struct seen {
    const rt_block *block;
    const rt_scalar *wrench; /* n_frames x 6 */
    const rt_scalar *partial;
    const rt_scalar *by_multiplier; /* 6 n_frames x n_lambda */
    int n_levels, n_lambda;
    const int *lambda;
    int first, second; /* markers; second: the one seen in place of the ground */
} seen;

/* b[6]: value = b . (wrench of the frame seen), for the axis a held fixed: the frame is the
 * first marker's, or another's with w_i = -w_j carried to the first's origin: a . (-t_j + (r_i -
 * r_j) x f_j). */
static void selector(const rt_workspace *w, const seen *x, bool torque, const rt_scalar a[3],
                     rt_scalar b[6])
{
    memset(b, 0, 6 * sizeof *b);
    if (x->first >= 0) {
        rt_v3_copy(torque ? b + 3 : b, a);
        return;
    }
    if (!torque) {
        rt_v3_scale(b, -1, a);
        return;
    }
    rt_scalar arm[3];
    rt_v3_sub(arm, rt_frame_of(w->markers, x->first)->r, rt_frame_of(w->markers, x->second)->r);
    rt_v3_scale(b + 3, -1, a);
    rt_v3_cross(b, a, arm); /* a . (arm x f) = f . (a x arm) */
}

static int force_measure_place_of(const rt_load_block *top, int marker)
{
    return rt_block_place(&top->block, marker);
}

static void add3(rt_scalar_gradient *g, const rt_load_block *top, int level, int marker, int part,
                 rt_scalar s, const rt_scalar v[3])
{
    if (marker < 0) return;
    rt_v3_add_scaled(&g->by_frame[level][6 * force_measure_place_of(top, marker) + part], s, v);
}

int rt_lambda_place(const rt_load_block *top, int row)
{
    for (int k = 0; k < top->n_lambda; k++)
        if (top->lambda[k] == row) return k;
    return 0;
}

/* b' times the rows of the partials of the frame seen */
static void force_measure_add_rows(rt_scalar_gradient *g, const rt_load_block *top, const seen *x,
                                   int at, const rt_scalar b[6], rt_scalar scale)
{
    const int wide = 6 * x->block->n_frames;
    for (int l = 0; l < x->n_levels; l++)
        for (int f = 0; f < x->block->n_frames; f++) {
            rt_scalar *to = &g->by_frame[l][6 * force_measure_place_of(top, x->block->frames[f])];
            for (int j = 0; j < 6; j++)
                for (int i = 0; i < 6; i++)
                    to[j] += scale * b[i] *
                             x->partial[((size_t)l * wide + 6 * at + i) * wide + 6 * f + j];
        }
    for (int k = 0; k < x->n_lambda; k++)
        for (int i = 0; i < 6; i++)
            g->by_lambda[rt_lambda_place(top, x->lambda[k])] +=
                scale * b[i] * x->by_multiplier[(size_t)(6 * at + i) * x->n_lambda + k];
}

/* The part of d value that comes from the axis and, for a first marker on the ground, from the
 * arm. */
static void add_axis(const rt_workspace *w, rt_scalar_gradient *g, const rt_load_block *top,
                     const seen *x, const rt_quantity *quantity, const rt_scalar a[3],
                     const rt_scalar wrench[6], rt_scalar scale)
{
    rt_scalar seen_vector[3], turn[3];
    const rt_scalar *f = wrench;
    if (x->first >= 0) {
        rt_v3_copy(seen_vector, quantity->torque ? wrench + 3 : wrench);
    } else if (!quantity->torque) {
        rt_v3_scale(seen_vector, -1, wrench);
    } else {
        rt_scalar arm[3], by_arm[3];
        rt_v3_sub(arm, rt_frame_of(w->markers, x->first)->r, rt_frame_of(w->markers, x->second)->r);
        rt_v3_scale(seen_vector, -1, wrench + 3);
        rt_v3_cross_add(seen_vector, arm, f);
        rt_v3_cross(by_arm, f, a); /* a . (d arm x f) = d arm . (f x a), d arm = -dr_second */
        add3(g, top, 0, x->second, 0, -scale, by_arm);
    }
    rt_v3_cross(turn, a, seen_vector); /* (dtheta x a) . v = dtheta . (a x v) */
    add3(g, top, 0, quantity->a.i, 3, scale, turn);
}

/* -lambda phi of a joint's frames into the result, and its partials where they are wanted. */
static void evaluate_joint(const routh_mechanism *m, rt_workspace *w, int number,
                           const rt_state *state, int depth, bool partials, seen *x)
{
    const rt_constraint_block *c = &m->constraints[number];
    const rt_program_input in = rt_input_at(m, w, state, w->program[depth]);
    const int n = c->block.n_frames, wide = 6 * n, n_rows = c->constraint.n_rows;
    rt_element_result *result = &w->result[depth];
    memset(result->wrench, 0, (size_t)wide * sizeof(rt_scalar));
    if (partials) {
        memset(result->partial, 0, (size_t)wide * wide * sizeof(rt_scalar));
        memset(result->lambda, 0, (size_t)wide * n_rows * sizeof(rt_scalar));
    }
    for (int r = 0; r < n_rows; r++) {
        const rt_scalar lambda = state->lambda[c->constraint.first_row + r];
        rt_gradient phi;
        rt_scalar value[3];
        rt_row_evaluate(&c->constraint.rows[r], &in, value, &phi);
        for (int k = 0; k < phi.n; k++) {
            const int f = rt_block_place(&c->block, phi.frame[k]);
            for (int i = 0; i < 6; i++) {
                result->wrench[6 * f + i] -= lambda * phi.p[0][k][i];
                if (partials) result->lambda[(size_t)(6 * f + i) * n_rows + r] = -phi.p[0][k][i];
            }
        }
        if (partials)
            rt_row_curvature(&c->constraint.rows[r], &in, -lambda, c->block.frames, n,
                             result->partial);
    }
    *x = (seen){.block = &c->block,
                .wrench = result->wrench,
                .partial = result->partial,
                .by_multiplier = result->lambda,
                .n_levels = 1,
                .n_lambda = n_rows,
                .lambda = m->joint_rows + c->constraint.first_row,
                .first = m->model->joints[c->constraint.joint].markers[0]};
}

static bool force_measure_evaluate_load(const routh_mechanism *m, rt_workspace *w, int number,
                                        const rt_state *state, int depth, bool partials, seen *x)
{
    const rt_load_block *load = &m->loads[number];
    if (!rt_load_evaluate_at(m, w, load, state, partials, depth)) return false;
    *x = (seen){.block = &load->block,
                .wrench = w->result[depth].wrench,
                .partial = w->result[depth].partial,
                .by_multiplier = w->result[depth].lambda,
                .n_levels = 3,
                .n_lambda = load->n_lambda,
                .lambda = load->lambda,
                .first = m->model->loads[number].markers[0]};
    return true;
}

/* What the wrench of frame `at` adds to the value and its gradient. */
static void add_frame(rt_workspace *w, const rt_load_block *top, const seen *x,
                      const rt_quantity *quantity, int at, const rt_scalar a[3], rt_scalar *value,
                      rt_scalar scale, rt_scalar_gradient *g)
{
    rt_scalar b[6];
    selector(w, x, quantity->torque, a, b);
    for (int i = 0; i < 6; i++) *value += b[i] * x->wrench[6 * at + i];
    if (scale == 0) return;
    force_measure_add_rows(g, top, x, at, b, scale);
    add_axis(w, g, top, x, quantity, a, x->wrench + 6 * at, scale);
}

/* ---- a force on the ground ------------------------------------------------------------------- */

static bool acts_on_ground(const routh_mechanism *m, const rt_quantity *quantity)
{
    if (!quantity->of_load) return false;
    const rt_load *load = &m->model->loads[quantity->index];
    return rt_load_class_of(load->type)->resolved && load->markers[0] < 0 && load->markers[1] == -2;
}

/* scale * s * gradient of one of the load's functions, on the frames and multipliers of `top` */
static void add_function(rt_scalar_gradient *g, const rt_load_block *top, const rt_load_block *load,
                         const rt_scalar_gradient *by, rt_scalar scale)
{
    for (int l = 0; l < 3; l++)
        for (int f = 0; f < load->block.n_frames; f++)
            for (int j = 0; j < 6; j++)
                g->by_frame[l][6 * force_measure_place_of(top, load->block.frames[f]) + j] +=
                    scale * by->by_frame[l][6 * f + j];
    for (int k = 0; k < load->n_lambda; k++)
        g->by_lambda[rt_lambda_place(top, load->lambda[k])] += scale * by->by_lambda[k];
}

/* v = sum f_c u_c over the functions f_c and what one unit of each does, u_c along the axes of k:
 *     value = a . v,     d value = sum (a . u_c) df_c + dtheta_k . (v x a) + dtheta_a . (a x v). */
static bool force_on_ground(const routh_mechanism *m, rt_workspace *w, const rt_load_block *top,
                            const rt_quantity *quantity, const rt_state *state, int depth,
                            const rt_scalar a[3], rt_scalar *value, rt_scalar scale,
                            rt_scalar_gradient *g)
{
    const rt_load_block *load = &m->loads[quantity->index];
    const rt_load *model = &m->model->loads[quantity->index];
    const rt_scalar none[RT_LOAD_FUNCTIONS] = {0};
    const rt_load_at at = rt_load_on(m, w, load, none);
    rt_scalar v[3] = {0}, turn[3];
    for (int c = 0; c < load->n_programs; c++) {
        rt_scalar_gradient by;
        rt_load_result unit;
        rt_scalar f;
        if (model->function[c].expr < 0) continue;
        if (!rt_load_function(m, w, load, state, c, scale != 0, depth, &f, &by)) return false;
        if (!rt_class_of(m, load)->unit(&at, c, &unit)) return false;
        const rt_scalar *u = unit.wrench[0] + (quantity->torque ? 3 : 0);
        rt_v3_add_scaled(v, f, u);
        if (scale != 0) add_function(g, top, load, &by, scale * rt_v3_dot(a, u));
    }
    *value = rt_v3_dot(a, v);
    if (scale == 0) return true;
    rt_v3_cross(turn, v, a);
    add3(g, top, 0, model->resolved_in, 3, scale, turn);
    rt_v3_cross(turn, a, v);
    add3(g, top, 0, quantity->a.i, 3, scale, turn);
    return true;
}

bool rt_force_measure(const routh_mechanism *m, rt_workspace *w, const rt_load_block *top,
                      const rt_quantity *quantity, const rt_state *state, int depth,
                      rt_scalar *value, rt_scalar scale, rt_scalar_gradient *g)
{
    seen x;
    rt_scalar a[3];
    *value = 0;
    rt_vector_axis(a, rt_frame_of(w->markers, quantity->a.i), &quantity->a);
    if (acts_on_ground(m, quantity))
        return force_on_ground(m, w, top, quantity, state, depth, a, value, scale, g);
    if (!quantity->of_load)
        evaluate_joint(m, w, quantity->index, state, depth, scale != 0, &x);
    else if (!force_measure_evaluate_load(m, w, quantity->index, state, depth, scale != 0, &x))
        return false;
    for (int at = 0; at < x.block->n_frames; at++) {
        x.second = x.block->frames[at];
        if (x.first < 0 || x.first == x.second)
            add_frame(w, top, &x, quantity, at, a, value, scale, g);
    }
    return true;
}

/* ---- what it depends on --------------------------------------------------------------------- */

static bool force_measure_add(int *list, int *n, int most, int item)
{
    for (int k = 0; k < *n; k++)
        if (list[k] == item) return true;
    if (*n >= most) return false;
    list[(*n)++] = item;
    return true;
}

int rt_force_dependencies(const routh_mechanism *m, const rt_quantity *quantity, int depth,
                          int *frames, int *n_frames, int *lambda, int *n_lambda)
{
    if (depth >= RT_FORCE_DEPTH) return -1;
    bool room =
        quantity->a.i < 0 || force_measure_add(frames, n_frames, RT_LOAD_FRAMES, quantity->a.i);
    if (!quantity->of_load) {
        const rt_constraint *c = &m->constraints[quantity->index].constraint;
        for (int k = 0; k < c->n_frames; k++)
            room = room && force_measure_add(frames, n_frames, RT_LOAD_FRAMES, c->frames[k]);
        for (int r = 0; r < c->n_rows; r++)
            room = room && force_measure_add(lambda, n_lambda, RT_LOAD_LAMBDA, c->first_row + r);
        return room ? depth : -1;
    }
    const rt_load_block *load = &m->loads[quantity->index];
    const rt_load *model = &m->model->loads[quantity->index];
    const int *on, n_on = rt_markers_of_load(model, &on);
    for (int k = 0; k < n_on; k++)
        room = room && (on[k] < 0 || force_measure_add(frames, n_frames, RT_LOAD_FRAMES, on[k]));
    int deepest = depth;
    for (int p = 0; p < load->n_programs && room; p++) {
        int own[RT_GRADIENT_FRAMES], n = 0;
        rt_program_frames(&load->program[p], own, &n);
        for (int k = 0; k < n; k++)
            room = room && force_measure_add(frames, n_frames, RT_LOAD_FRAMES, own[k]);
        for (int k = 0; k < load->program[p].n_signals; k++)
            room = room && force_measure_add(lambda, n_lambda, RT_LOAD_LAMBDA,
                                             m->n_rows + load->program[p].signal[k]);
        for (int k = 0; k < load->program[p].n_forces && room; k++) {
            const int inner =
                rt_force_dependencies(m, load->program[p].quantity[load->program[p].n_dots + k],
                                      depth + 1, frames, n_frames, lambda, n_lambda);
            if (inner < 0) return -1;
            if (inner > deepest) deepest = inner;
        }
    }
    if (rt_load_class_of(model->type)->resolved)
        room = room && (model->resolved_in < 0 ||
                        force_measure_add(frames, n_frames, RT_LOAD_FRAMES, model->resolved_in));
    return room ? deepest : -1;
}
