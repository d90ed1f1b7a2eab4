/* The sparsity of K, M and G: made once from the elements' blocks of rt_scalar. */
#include "system/compile.h"
#include "system/flexible.h"

static void add_square(rt_entries *e, const rt_block *b)
{
    rt_entries_add_product(e, b->columns, b->n_columns, b->columns, b->n_columns);
}

static size_t pattern_square(const rt_block *b)
{
    return (size_t)b->n_columns * (size_t)b->n_columns;
}

static routh_status pattern_make_K(routh_mechanism *m, routh_error *error)
{
    rt_entries e = {0};
    int *position;
    for (int b = 0; b < m->n_bodies; b++) add_square(&e, &m->bodies[b].block);
    for (int c = 0; c < m->n_constraints; c++) add_square(&e, &m->constraints[c].block);
    for (int k = 0; k < m->n_loads; k++) add_square(&e, &m->loads[k].block);
    rt_flexible_entries(m, &e, true);
    const routh_status status =
        rt_entries_build(&e, &m->pattern_K, m->n_u, m->n_u, &position, &m->arena, error);
    if (status) return status;
    for (int b = 0; b < m->n_bodies; position += pattern_square(&m->bodies[b++].block))
        m->bodies[b].block.position = position;
    for (int c = 0; c < m->n_constraints; position += pattern_square(&m->constraints[c++].block))
        m->constraints[c].block.position = position;
    for (int k = 0; k < m->n_loads; position += pattern_square(&m->loads[k++].block))
        m->loads[k].block.position = position;
    rt_flexible_positions(m, position, true);
    return ROUTH_OK;
}

/* Bodies, and loads whose expressions use accelerations. */
static bool has_mass(const rt_load_block *load)
{
    for (int k = 0; k < load->n_programs; k++)
        for (int a = 0; a < load->program[k].n_dots; a++) {
            const rt_quantity *x = load->program[k].quantity[a];
            if (x->a.kind == RT_VECTOR_ACCELERATION || x->a.kind == RT_VECTOR_ALPHA ||
                x->b.kind == RT_VECTOR_ACCELERATION || x->b.kind == RT_VECTOR_ALPHA)
                return true;
        }
    return false;
}

static routh_status make_M(routh_mechanism *m, routh_error *error)
{
    rt_entries e = {0};
    int *position;
    for (int b = 0; b < m->n_bodies; b++) add_square(&e, &m->bodies[b].block);
    for (int k = 0; k < m->n_loads; k++)
        if (has_mass(&m->loads[k])) add_square(&e, &m->loads[k].block);
    rt_flexible_entries(m, &e, false);
    const routh_status status =
        rt_entries_build(&e, &m->pattern_M, m->n_u, m->n_u, &position, &m->arena, error);
    if (status) return status;
    for (int b = 0; b < m->n_bodies; position += pattern_square(&m->bodies[b++].block))
        m->bodies[b].block.mass = position;
    for (int k = 0; k < m->n_loads; k++) {
        if (!has_mass(&m->loads[k])) continue;
        m->loads[k].block.mass = position;
        position += pattern_square(&m->loads[k].block);
    }
    rt_flexible_positions(m, position, false);
    return ROUTH_OK;
}

static routh_status pattern_make_G(routh_mechanism *m, routh_error *error)
{
    rt_entries e = {0};
    int *position;
    for (int c = 0; c < m->n_constraints; c++) {
        const rt_constraint_block *block = &m->constraints[c];
        for (int r = 0; r < block->constraint.n_rows; r++) {
            const int row = block->constraint.first_row + r;
            rt_entries_add_product(&e, &row, 1, block->block.columns, block->block.n_columns);
        }
    }
    for (int b = 0; b < m->n_bodies && m->set->own_row; b++) {
        const int row = m->n_joint_rows + b;
        const rt_block *block = &m->bodies[b].block;
        rt_entries_add_product(&e, &row, 1, block->columns, block->n_columns);
    }
    const routh_status status =
        rt_entries_build(&e, &m->pattern_G, m->n_rows, m->n_u, &position, &m->arena, error);
    if (status) return status;
    for (int c = 0; c < m->n_constraints; c++) {
        m->constraints[c].position = position;
        position += m->constraints[c].constraint.n_rows * m->constraints[c].block.n_columns;
    }
    for (int b = 0; b < m->n_bodies && m->set->own_row; position += m->bodies[b++].block.n_columns)
        m->bodies[b].own_position = position;
    return ROUTH_OK;
}

/* The columns of signals, which follow those of multipliers, as a pattern of their own. */
void rt_split_L(routh_mechanism *m)
{
    m->pattern_L.n_columns = m->n_rows;
    m->pattern_R = m->pattern_L;
    m->pattern_R.n_columns = m->n_signals;
    m->pattern_R.start = m->pattern_L.start + m->n_rows;
}

/* What loads that use joint reactions add to dr/dlambda, and dr/dsignal. */
static routh_status pattern_make_L(routh_mechanism *m, routh_error *error)
{
    rt_entries e = {0};
    int *position;
    for (int k = 0; k < m->n_loads; k++) {
        const rt_load_block *load = &m->loads[k];
        rt_entries_add_product(&e, load->block.columns, load->block.n_columns, load->lambda,
                               load->n_lambda);
    }
    const routh_status status = rt_entries_build(
        &e, &m->pattern_L, m->n_u, m->n_rows + m->n_signals, &position, &m->arena, error);
    if (status) return status;
    rt_split_L(m);
    for (int k = 0; k < m->n_loads; k++) {
        m->loads[k].lambda_position = position;
        position += m->loads[k].block.n_columns * m->loads[k].n_lambda;
    }
    return ROUTH_OK;
}

static void map_block(routh_mechanism *m, const rt_block *b)
{
    if (!b->mass) return;
    for (size_t k = 0; k < pattern_square(b); k++) m->mass_in_K[b->mass[k]] = b->position[k];
}

static routh_status map_mass(routh_mechanism *m, routh_error *error)
{
    m->mass_in_K = RT_TAKE(&m->arena, int, m->pattern_M.start[m->n_u]);
    if (!m->mass_in_K) return rt_fail_memory(error);
    for (int b = 0; b < m->n_bodies; b++) map_block(m, &m->bodies[b].block);
    for (int k = 0; k < m->n_loads; k++) map_block(m, &m->loads[k].block);
    rt_flexible_map_mass(m);
    return ROUTH_OK;
}

routh_status rt_make_patterns(routh_mechanism *m, routh_error *error)
{
    routh_status status = pattern_make_K(m, error);
    if (!status) status = make_M(m, error);
    if (!status) status = pattern_make_G(m, error);
    if (!status) status = pattern_make_L(m, error);
    if (!status) status = map_mass(m, error);
    return status;
}
