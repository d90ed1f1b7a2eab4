/* The numbers of a mechanism, taken from its model: again and again for variations, along one
 * direction of the parameters after another (base/scalar.h). */
#include "base/pi.h"
#include "system/compile.h"
#include "system/load.h"

routh_status rt_take_numbers(routh_mechanism *m, routh_error *error)
{
    const int n = m->n_markers = m->model->n_markers;
    m->parameters = RT_TAKE(&m->arena, rt_scalar, m->model->n_parameters + m->model->n_made);
    m->marker_body = RT_TAKE(&m->arena, int, n);
    m->marker_position = RT_TAKE(&m->arena, rt_scalar, 3 * (size_t)n);
    m->marker_orientation = RT_TAKE(&m->arena, rt_scalar, 9 * (size_t)n);
    if (!m->parameters || !m->marker_body || !m->marker_position || !m->marker_orientation)
        return rt_fail_memory(error);
    for (int k = 0; k < n; k++) m->marker_body[k] = m->model->markers[k].body;
    return ROUTH_OK;
}

static void fill_parameters(routh_mechanism *m)
{
    for (int k = 0; k < m->model->n_parameters + m->model->n_made; k++) {
        const rt_quantity constant = {.kind = RT_QUANTITY_PARAMETER, .index = k};
#ifdef RT_VARIATION
        m->parameters[k] = rt_complex(rt_constant_value(m->model, &constant),
                                      m->along ? m->along->parameter[k] : 0);
#elif defined RT_WIDE
        m->parameters[k] = m->along && m->along->exact_parameter
                               ? ((const rt_scalar *)m->along->exact_parameter)[k]
                               : (rt_scalar)rt_constant_value(m->model, &constant);
#else
        m->parameters[k] = rt_constant_value(m->model, &constant);
#endif
    }
    for (int k = 0; k < 3; k++) m->gravity[k] = rt_value_of(m->model->gravity[k], m->along);
}

static void fill_markers(routh_mechanism *m)
{
    for (int k = 0; k < m->n_markers; k++) {
        const rt_marker *marker = &m->model->markers[k];
        for (int i = 0; i < 3; i++)
            m->marker_position[3 * k + i] = rt_value_of(marker->position[i], m->along);
        for (int i = 0; i < 9; i++)
            m->marker_orientation[9 * k + i] = rt_value_of(marker->orientation[i], m->along);
    }
}

static void numbers_fill_bodies(routh_mechanism *m)
{
    for (int b = 0; b < m->n_bodies; b++) {
        const rt_body *body = &m->model->bodies[b];
        m->bodies[b].mass = rt_value_of(body->mass, m->along);
        for (int k = 0; k < 9; k++)
            m->bodies[b].inertia[k] = rt_value_of(body->inertia[k], m->along);
    }
}

static void numbers_fill_load(rt_load_block *block, const rt_load *load, const rt_slopes *along)
{
    const rt_load_class *class = rt_load_class_of(load->type);
    int at = 0;
    for (int s = 0; s < RT_LOAD_SPANS && class->numbers[s].n; s++) {
        const rt_number *from =
            (const rt_number *)(const void *)((const char *)load + class->numbers[s].offset);
        for (int k = 0; k < class->numbers[s].n; k++, at++)
            if (!(class->measure && at == class->free && !load->free_length_given))
                block->numbers[at] = rt_value_of(from[k], along);
    }
    for (int k = 0; k < load->n_list; k++)
        block->numbers[at + k] = rt_value_of(load->list[k], along);
}

void rt_fill_numbers(routh_mechanism *m, rt_workspace *w)
{
    fill_parameters(m);
    fill_markers(m);
    numbers_fill_bodies(m);
    for (int k = 0; k < m->n_loads; k++)
        numbers_fill_load(&m->loads[k], &m->model->loads[k], m->along);
    for (int c = 0; c < m->n_constraints; c++)
        rt_constraint_numbers(&m->constraints[c].constraint, m->model, m->along);
    if (m->reference_q && rt_reference_frames(m->model, m->along, w->bodies))
        m->set->take(m->n_bodies, w->bodies, m->reference_q, m->reference_u);
    rt_written_frames(m->model, m->along, w->bodies);
    m->set->take(m->n_bodies, w->bodies, m->start_q, m->start_u);
}

/* ---- what is taken from the reference configuration ----------------------------------------- */

static void set_free_lengths(routh_mechanism *m, const rt_workspace *w)
{
    const rt_scalar none[RT_LOAD_FUNCTIONS] = {0};
    for (int k = 0; k < m->n_loads; k++) {
        const rt_load_class *class = rt_class_of(m, &m->loads[k]);
        if (!class->measure || m->model->loads[k].free_length_given) continue;
        const rt_load_at at = rt_load_on(m, w, &m->loads[k], none);
        m->loads[k].numbers[class->free] = class->measure(&at);
    }
}

/* What is half a turn to rounding is half a turn forward. */
static double start_angle(double principal)
{
    static const double pi = RT_PI, rounding = 1e-9;
    return principal < -pi + rounding ? principal + 2 * pi : principal;
}

/* A motion that asks for the angle as written and whole turns more, where something is written:
 * it means this angle. */
static void start_driven(const routh_mechanism *m, const rt_workspace *w, const rt_state *start,
                         const rt_row *row, double *near)
{
    static const double same = 1e-6;
    const rt_joint_coordinate *s = &row->coordinate[0];
    const rt_program_input in = rt_input_at(m, w, start, w->program[0]);
    rt_scalar f[3];
    if (!s->angle || (near[s->number] < same && near[s->number] > -same)) return;
    rt_program_time_jet(&row->program, &in, f);
    const double there = rt_re(rt_counted(near[s->number], rt_re(f[0])));
    const double off = there - rt_re(f[0]);
    if (off < same && off > -same) near[s->number] = there;
}

/* Angles that count turns, as written: within half a turn of zero, of torsion springs within half a
 * turn of their free angle; where joints moved the bodies (begun), as that went. */
static void start_turns(routh_mechanism *m, rt_workspace *w, rt_state *start, bool begun)
{
    const int n = m->model->n_angles;
    if (n == 0) return;
    memset(start->near, 0, rt_count_near(m) * sizeof *start->near);
    rt_angles_refer(m, w, start);
    rt_angles_settle(m, w, start, true);
    for (int k = 0; k < n; k++) {
        const int load = m->model->angles[k].load;
        start->near[k] = start_angle(start->near[k]);
        if (load >= 0 && m->model->loads[load].free_length_given)
            start->near[k] =
                rt_re(rt_counted(start->near[k], m->model->loads[load].free_length.value));
        if (begun && m->model->angles[k].start_given)
            start->near[k] = rt_re(rt_counted(start->near[k], m->model->angles[k].start));
    }
    for (int c = 0; c < m->n_constraints; c++)
        for (int r = 0; r < m->constraints[c].constraint.n_rows; r++) {
            const rt_row *row = &m->constraints[c].constraint.rows[r];
            if (row->what && row->what->kind == RT_JOINT_ROW_DRIVEN)
                start_driven(m, w, start, row, start->near);
        }
    memcpy(m->start_near, start->near, (size_t)n * sizeof *start->near);
    rt_angles_refer(m, w, start);
}

/* The state's coordinates for those of the reference configuration, and back. */
static void swap_reference(routh_mechanism *m, rt_state *start)
{
    for (int k = 0; k < m->n_q; k++) {
        const rt_scalar kept = start->q[k];
        start->q[k] = m->reference_q[k];
        m->reference_q[k] = kept;
    }
}

static void take_references(routh_mechanism *m, rt_workspace *w, rt_state *start)
{
    set_free_lengths(m, w);
    const rt_program_input in = rt_input_at(m, w, start, w->program[0]);
    for (int c = 0; c < m->n_constraints; c++)
        rt_constraint_set_references(&m->constraints[c].constraint, m->model, &in);
}

void rt_start_numbers(routh_mechanism *m, rt_workspace *w, rt_state *start)
{
    if (m->reference_q) swap_reference(m, start);
    rt_evaluate_frames(m, w, start);
    start_turns(m, w, start, !m->reference_q);
    take_references(m, w, start);
    if (!m->reference_q) return;
    swap_reference(m, start);
    rt_evaluate_frames(m, w, start);
    start_turns(m, w, start, true);
}

/* ---- a typical length ----------------------------------------------------------------------- */

static rt_scalar largest_distance(const rt_workspace *w, int n_bodies, int n_markers)
{
    rt_scalar low[3] = {0, 0, 0}, high[3] = {0, 0, 0}, d[3];
    (void)n_bodies;
    for (int k = 0; k < n_markers; k++)
        for (int i = 0; i < 3; i++) {
            const rt_scalar r = w->markers[k].r[i];
            if (k == 0 || rt_re(r) < rt_re(low[i])) low[i] = r;
            if (k == 0 || rt_re(r) > rt_re(high[i])) high[i] = r;
        }
    for (int i = 0; i < 3; i++) d[i] = high[i] - low[i];
    return rt_v3_norm(d);
}

/* Beams of nodes count as one body: distances of their elements' ends from the middle of all. */
static void add_rods(const routh_mechanism *m, const rt_workspace *w, rt_scalar *sum, int *n)
{
    rt_scalar middle[3] = {0}, d[3];
    int ends = 0;
    for (int turn = 0; turn < 2; turn++)
        for (int k = 0; k < m->n_loads; k++) {
            const rt_load *load = &m->model->loads[k];
            const int *on, n_on = rt_markers_of_load(load, &on);
            for (int e = 0; e < n_on && rt_load_class_of(load->type)->one_body; e++) {
                const rt_scalar *r = rt_frame_of(w->markers, on[e])->r;
                rt_v3_sub(d, r, middle);
                if (turn)
                    *sum += rt_v3_norm(d), ++*n;
                else
                    rt_v3_add_scaled(middle, 1.0 / ++ends, d);
            }
        }
}

/* A typical arm: the mean distance of markers from their bodies' centres; the whole extent where
 * there is none. */
rt_scalar rt_typical_length(const routh_mechanism *m, const rt_workspace *w)
{
    rt_scalar sum = 0;
    int n = 0;
    for (int k = 0; k < m->n_markers; k++) {
        const rt_scalar arm = rt_v3_norm(m->marker_position + 3 * (size_t)k);
        if (m->marker_body[k] == RT_GROUND || rt_re(arm) == 0 || m->model->markers[k].of_beam ||
            m->model->markers[k].is_copy)
            continue;
        sum += arm;
        n++;
    }
    add_rods(m, w, &sum, &n);
    const rt_scalar length = n ? sum / n : largest_distance(w, m->n_bodies, m->n_markers);
    return rt_re(length) > 0 && rt_finite(length) ? length : 1;
}
