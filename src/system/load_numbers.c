/* A load's numbers, read as a whole. In coordinates that bodies share they are those of the inner
 * mechanism's frames. */
#include "system/joined.h"
#include "system/system.h"

static const routh_mechanism *load_numbers_elements_of(const routh_mechanism *m)
{
    return m->joined ? m->inner : m;
}

bool rt_load_uses_force(const routh_mechanism *m, int k, int row)
{
    const routh_mechanism *e = load_numbers_elements_of(m);
    for (int i = 0; i < e->loads[k].n_lambda && row < e->n_rows; i++)
        if (e->loads[k].lambda[i] == row) return true;
    return false;
}

size_t rt_load_numbers(const routh_mechanism *m, int k)
{
    const size_t wide = 6 * (size_t)load_numbers_elements_of(m)->loads[k].block.n_frames;
    return wide + 3 * wide * wide;
}

void rt_load_read(const routh_mechanism *m, rt_workspace *w, const rt_state *state, int k,
                  double *out)
{
    const routh_mechanism *e = load_numbers_elements_of(m);
    rt_workspace *on = m->joined ? w->joined->inner : w;
    const size_t wide = 6 * (size_t)e->loads[k].block.n_frames;
    rt_load_block_evaluate(e, on, &e->loads[k], state, true);
    memcpy(out, on->element_wrench, wide * sizeof *out);
    memcpy(out + wide, on->element_partial, 3 * wide * wide * sizeof *out);
}
