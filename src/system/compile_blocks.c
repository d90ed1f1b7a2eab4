/* Bodies and joints as blocks of rt_scalar: the columns of u they depend on. */
#include <stdlib.h>

#include "system/compile.h"
#include "system/joined.h"

static int compile_blocks_compare_ints(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int compile_blocks_find_column(const int *columns, int n, int column)
{
    int low = 0, high = n - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (columns[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int columns_of_body(const routh_mechanism *m, int body, int *columns)
{
    if (!m->joined) return m->set->columns(m->model, body, columns);
    const int n = rt_joined_columns(m->joined, body);
    memcpy(columns, m->joined->column + m->joined->start[body], (size_t)n * sizeof *columns);
    return n;
}

int rt_marker_columns(const routh_mechanism *m, int marker, int *columns)
{
    const int body = m->marker_body[marker];
    const rt_flexible_node *node = rt_marker_node(m->model, marker);
    if (body == RT_GROUND) return 0;
    int n = columns_of_body(m, body, columns);
    for (int k = 0; node && k < node->n; k++)
        columns[n++] = m->first_elastic + m->elastic_start[body] + node->column[k];
    return n;
}

int rt_marker_width(const routh_mechanism *m, int marker)
{
    const int body = m->marker_body[marker];
    const rt_flexible_node *node = rt_marker_node(m->model, marker);
    if (body == RT_GROUND) return 0;
    return (m->joined ? rt_joined_columns(m->joined, body) : RT_MAP_COLUMNS) + (node ? node->n : 0);
}

/* The union of the columns of the frames, and where each frame's own are in it. */
routh_status rt_make_block(routh_mechanism *m, rt_block *block, const int *frames, int n_frames,
                           routh_error *error)
{
    int width = RT_MAP_COLUMNS, n = 0;
    for (int f = 0; f < n_frames; f++) {
        const int n_own = rt_marker_width(m, frames[f]);
        if (n_own > width) width = n_own;
    }
    int *all = RT_TAKE(&m->arena, int, n_frames *width);
    int *local = RT_TAKE(&m->arena, int, n_frames *width);
    int *copy = RT_TAKE(&m->arena, int, n_frames);
    int *own = RT_TAKE(&m->arena, int, width);
    if (!all || !local || !copy || !own) return rt_fail_memory(error);
    for (int f = 0; f < n_frames; f++) {
        copy[f] = frames[f];
        n += rt_marker_columns(m, frames[f], all + n);
    }
    qsort(all, (size_t)n, sizeof *all, compile_blocks_compare_ints);
    int n_unique = 0;
    for (int k = 0; k < n; k++)
        if (k == 0 || all[k] != all[k - 1]) all[n_unique++] = all[k];
    for (int f = 0; f < n_frames; f++) {
        const int n_own = rt_marker_columns(m, frames[f], own);
        for (int k = 0; k < n_own; k++)
            local[f * width + k] = compile_blocks_find_column(all, n_unique, own[k]);
    }
    *block = (rt_block){.n_frames = n_frames,
                        .frames = copy,
                        .n_columns = n_unique,
                        .columns = all,
                        .width = width,
                        .local = local};
    if (n_frames > m->max_frames) m->max_frames = n_frames;
    return ROUTH_OK;
}

/* Adds the element's name and place to an error made deeper down. */
routh_status rt_blame(const routh_mechanism *m, routh_status status, const char *what,
                      const char *name, rt_place place, routh_error *error)
{
    if (!error) return status;
    char message[sizeof error->message];
    memcpy(message, error->message, sizeof message);
    char element[160];
    snprintf(element, sizeof element, "%s %s", what, name);
    return rt_fail_at(error, status, m->model->file, place, element, "%s", message);
}

routh_status rt_compile_bodies(routh_mechanism *m, routh_error *error)
{
    m->bodies = RT_TAKE(&m->arena, rt_body_block, m->n_bodies);
    if (!m->bodies) return rt_fail_memory(error);
    for (int b = 0; b < m->n_bodies; b++) {
        const routh_status status = rt_make_block(m, &m->bodies[b].block, &b, 1, error);
        if (status) return status;
    }
    return ROUTH_OK;
}

/* Rows that the coordinates hold are left out; a joint without rows touches no frames. */
static void drop_held(const routh_mechanism *m, rt_constraint *c)
{
    int kept = 0;
    for (int r = 0; r < c->n_rows && m->held; r++)
        if (!(m->held[c->joint] >> r & 1)) c->rows[kept++] = c->rows[r];
    if (!m->held) return;
    c->n_rows = kept;
    if (kept == 0) c->n_frames = 0;
}

/* Which rows follow inputs: motions whose functions use them. */
static routh_status list_driven(routh_mechanism *m, routh_error *error)
{
    for (int pass = 0; pass < 2; pass++) {
        int n = 0;
        for (int c = 0; c < m->n_constraints; c++) {
            rt_constraint_block *block = &m->constraints[c];
            block->first_driven = n;
            for (int r = 0; r < block->constraint.n_rows; r++) {
                const rt_row *row = &block->constraint.rows[r];
                for (int k = 0; row->has_program && k < row->program.n_signals; k++, n++)
                    if (pass)
                        m->driven[n] = (rt_driven_row){.row = block->constraint.first_row + r,
                                                       .input = row->program.signal[k] -
                                                                m->n_signals + m->model->n_inputs,
                                                       .number = k};
            }
            block->n_driven = n - block->first_driven;
        }
        if (pass) break;
        m->n_driven = n;
        m->driven = RT_TAKE(&m->arena, rt_driven_row, n);
        if (!m->driven) return rt_fail_memory(error);
    }
    return ROUTH_OK;
}

/* Whose the rows are, and which hold velocities only. */
static void list_rows(routh_mechanism *m, int c)
{
    const rt_constraint *constraint = &m->constraints[c].constraint;
    for (int r = 0; r < constraint->n_rows; r++) {
        const bool rates = constraint->rows[r].kind == RT_ROW_RATES;
        m->row_constraint[constraint->first_row + r] = c;
        m->nonholonomic[constraint->first_row + r] = rates;
        m->n_nonholonomic += rates;
    }
}

routh_status rt_compile_constraints(routh_mechanism *m, routh_error *error)
{
    m->n_constraints = m->model->n_joints;
    m->constraints = RT_TAKE(&m->arena, rt_constraint_block, m->n_constraints);
    if (!m->constraints) return rt_fail_memory(error);
    for (int c = 0; c < m->n_constraints; c++) {
        rt_constraint_block *block = &m->constraints[c];
        const rt_joint *joint = &m->model->joints[c];
        routh_status status =
            rt_constraint_compile(&block->constraint, m->model, c, m->graph, &m->arena, error);
        if (status) return rt_blame(m, status, "joint", joint->name, joint->place, error);
        drop_held(m, &block->constraint);
        block->constraint.first_row = m->n_rows;
        m->n_rows += block->constraint.n_rows;
        status = rt_make_block(m, &block->block, block->constraint.frames,
                               block->constraint.n_frames, error);
        if (status) return status;
        for (int r = 0; r < block->constraint.n_rows; r++) {
            const size_t work = rt_row_work(&block->constraint.rows[r]);
            if (work > m->program_work) m->program_work = work;
        }
    }
    m->n_joint_rows = m->n_rows;
    if (m->set->own_row) m->n_rows += m->n_bodies; /* one each */
    m->row_constraint = RT_TAKE(&m->arena, int, m->n_rows);
    m->joint_rows = RT_TAKE(&m->arena, int, m->n_rows);
    m->nonholonomic = RT_TAKE(&m->arena, bool, m->n_rows);
    if (!m->row_constraint || !m->joint_rows || !m->nonholonomic) return rt_fail_memory(error);
    for (int r = 0; r < m->n_joint_rows; r++) m->joint_rows[r] = r;
    for (int c = 0; c < m->n_constraints; c++) list_rows(m, c);
    return list_driven(m, error);
}
