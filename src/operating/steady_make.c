/* Unknowns and equations of the search for a steady motion, counted, with memory for them. */
#include <stdlib.h>

#include "operating/steady.h"

/* Against gravity, where the file does not say. */
static void steady_make_take_axis(rt_steady_search *k)
{
    const double *g = k->s->m->gravity;
    if (rt_v3_norm(k->asked->axis) > 0) {
        rt_v3_copy(k->e, k->asked->axis);
    } else if (rt_v3_norm(g) > 0) {
        rt_v3_scale(k->e, -1 / rt_v3_norm(g), g);
        for (int i = 0; i < 3; i++) k->e[i] += 0; /* no negative zeros */
    } else {
        rt_v3_set(k->e, 0, 0, 1);
    }
}

static void steady_make_count(rt_steady_search *k, bool accelerated)
{
    const routh_mechanism *m = k->s->m;
    const int n_x = m->model->n_control_states, n_v = m->model->n_variables;
    k->n_motion = RT_MOTION_SPINS + k->asked->n_spins;
    k->acceleration = accelerated ? k->n_motion : -1;
    k->n_motion += accelerated ? 3 + k->asked->n_spins : 0;
    k->at_lambda = m->n_u;
    k->at_motion = k->at_lambda + m->n_rows;
    k->at_x = k->at_motion + k->n_motion;
    k->at_variable = k->at_x + n_x;
    k->at_input = k->at_variable + n_v;
    k->n_columns = k->at_input + k->asked->n_free;
    k->in_phi = m->n_u;
    k->in_rates = k->in_phi + m->n_rows;
    k->in_signals = k->in_rates + m->n_rows;
    k->in_prescribed = k->in_signals + n_x + n_v;
    k->in_turn = k->in_prescribed + k->asked->n_prescribed;
    k->in_gauge = k->in_turn + 1 + k->asked->n_spins;
    k->in_felt = k->in_gauge + 1 + k->asked->n_spins;
    k->n_equations = k->in_felt + (accelerated ? 3 + k->asked->n_spins : 0);
    k->n_kept = k->n_motion + m->n_rows + n_v;
    k->most_rows = k->n_equations + k->in_prescribed;
    k->most_unknowns = k->n_columns + m->n_rows + n_v;
}

static bool steady_make_take(rt_steady_search *k)
{
    const routh_mechanism *m = k->s->m;
    rt_arena *a = &k->arena;
    const size_t rows = (size_t)k->most_rows, columns = (size_t)k->most_unknowns;
    const size_t n_motion = (size_t)k->n_motion, n_kept = (size_t)k->n_kept;
    k->motion = RT_TAKE(a, double, (1 + RT_STEADY_PLACES) * n_kept);
    k->spin_of_body = RT_TAKE(a, int, m->n_bodies);
    k->force = RT_TAKE(a, double, 3 * (size_t)m->n_bodies);
    k->drifts = RT_TAKE(a, bool, m->model->n_control_states);
    k->timed = RT_TAKE(a, bool, m->n_rows);
    double *by_row = RT_TAKE(a, double, 11 * rows), *J = RT_TAKE(a, double, 3 * rows * columns);
    k->column_unit = RT_TAKE(a, double, 5 * columns);
    k->packed = RT_TAKE(a, int, columns);
    k->null = RT_TAKE(a, double, columns *columns);
    k->U = RT_TAKE(a, double, 2 * (size_t)m->n_u * n_motion);
    k->vt = RT_TAKE(a, double, columns *columns);
    if (!k->motion || !k->force || !k->spin_of_body || !k->drifts || !k->timed || !by_row || !J ||
        !k->column_unit || !k->packed || !k->null || !k->U || !k->vt)
        return false;
    k->rounding = k->force + m->n_bodies;
    k->largest = k->rounding + m->n_bodies;
    for (size_t i = 0; i < RT_STEADY_PLACES; i++) k->kept_motion[i] = k->motion + (1 + i) * n_kept;
    k->whole = (rt_steady_system){by_row, J, by_row + rows, by_row + 9 * rows};
    k->at_later = (rt_steady_system){by_row + 2 * rows, J + rows * columns, by_row + 3 * rows,
                                     by_row + 10 * rows};
    k->matrix = J + 2 * rows * columns;
    k->offset = by_row + 4 * rows;
    k->row_scale = by_row + 5 * rows;
    k->b = by_row + 6 * rows;
    k->start = by_row + 7 * rows;
    k->row_factor = by_row + 8 * rows;
    k->column_scale = k->column_unit + columns;
    k->step = k->column_scale + columns;
    k->work = k->step + columns;
    k->column_factor = k->work + columns;
    k->A = k->U + (size_t)m->n_u * n_motion;
    k->filled = &k->whole;
    rt_steady_set_late(k, false);
    return true;
}

static void steady_make_mark_timed(rt_steady_search *k)
{
    const routh_mechanism *m = k->s->m;
    for (int c = 0; c < m->n_constraints; c++) {
        const rt_constraint *of = &m->constraints[c].constraint;
        for (int r = 0; r < of->n_rows; r++)
            k->timed[of->first_row + r] =
                of->rows[r].has_program && rt_program_reads_time(&of->rows[r].program);
    }
}

static void steady_make_mark(rt_steady_search *k)
{
    steady_make_mark_timed(k);
    for (int b = 0; b < k->s->m->n_bodies; b++) k->spin_of_body[b] = -1;
    for (int i = 0; i < k->asked->n_spins; i++) k->spin_of_body[k->asked->spins[i].body] = i;
    for (int i = 0; i < k->asked->n_drifting; i++) k->drifts[k->asked->drifting[i]] = true;
}

routh_status rt_steady_create(rt_steady_search *k, rt_search *s, bool accelerated,
                              routh_error *error)
{
    *k = (rt_steady_search){.s = s, .arena.kept = s->m->analyses, .asked = &s->m->model->steady};
    steady_make_take_axis(k);
    steady_make_count(k, accelerated);
    if (k->most_unknowns > RT_STEADY_MOST)
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                       "a steady motion is found with full matrices of at most %d unknowns, but "
                       "this mechanism has %d; use a smaller model",
                       RT_STEADY_MOST, k->most_unknowns);
    if (!steady_make_take(k)) return rt_fail_memory(error);
    steady_make_mark(k);
    rt_steady_set_least_rate(k);
    routh_status status = rt_steady_felt_create(k, error);
    if (!status)
        status = rt_pivoted_qr_create(&k->qr, k->most_rows, k->most_unknowns, &k->arena, error);
    for (int i = 0; i < RT_STEADY_PLACES && !status; i++)
        status = rt_state_create(&k->kept[i], s->m, error);
    return status ? status
                  : rt_sensor_rows(s->m, RT_SENSOR_PRESCRIBED, &k->prescribed, &k->arena, error);
}

void rt_steady_release(rt_steady_search *k)
{
    for (int i = 0; i < RT_STEADY_PLACES; i++) rt_state_free(k->kept[i]);
    rt_arena_free(&k->arena);
    *k = (rt_steady_search){0};
}

void rt_steady_keep(rt_steady_search *k, rt_steady_place place)
{
    rt_state_copy(k->s->m, k->kept[place], k->s->state);
    memcpy(k->kept_motion[place], k->motion, (size_t)k->n_kept * sizeof *k->motion);
}

void rt_steady_restore(rt_steady_search *k, rt_steady_place place)
{
    rt_state_copy(k->s->m, k->s->state, k->kept[place]);
    memcpy(k->motion, k->kept_motion[place], (size_t)k->n_kept * sizeof *k->motion);
}
