/* Which inputs anything depends on, directly or through variables. */
#include "model/reader.h"

typedef struct used_inputs_search {
    rt_reader *r;
    bool *seen; /* variables */
    int *queue, n_queue;
    int *slots, room;
} used_inputs_search;

static void visit_slot(used_inputs_search *s, int slot)
{
    routh_model *m = s->r->model;
    const rt_quantity *q = &s->r->quantities[slot];
    if (q->kind == RT_QUANTITY_INPUT) m->inputs[q->index].used = true;
    if (q->kind != RT_QUANTITY_VARIABLE || s->seen[q->index]) return;
    s->seen[q->index] = true;
    s->queue[s->n_queue++] = q->index;
}

static bool visit(used_inputs_search *s, rt_expr e)
{
    if (e < 0) return true;
    int n = rt_inputs_of(s->r->model->graph, e, s->slots, s->room);
    if (n < 0) return false;
    for (int k = 0; k < n && k < s->room; k++) visit_slot(s, s->slots[k]);
    return true;
}

static bool visit_roots(used_inputs_search *s)
{
    const routh_model *m = s->r->model;
    bool good = true;
    for (int k = 0; k < m->n_loads; k++)
        for (int i = 0; i < RT_LOAD_FUNCTIONS; i++)
            good = good && visit(s, m->loads[k].function[i].expr);
    for (int k = 0; k < m->n_joints; k++) good = good && visit(s, m->joints[k].function.expr);
    for (int k = 0; k < m->n_control_states; k++)
        good = good && visit(s, m->control_states[k].equation.expr);
    for (int k = 0; k < m->n_outputs; k++) good = good && visit(s, m->outputs[k].value.expr);
    return good;
}

/* From what moves or is measured back through variables, breadth first. */
routh_status rt_mark_used_inputs(rt_reader *r)
{
    const routh_model *m = r->model;
    if (!m->n_inputs) return ROUTH_OK;
    used_inputs_search s = {.r = r, .room = r->n_quantities};
    s.seen = RT_TAKE(&r->scratch, bool, m->n_variables);
    s.queue = RT_TAKE(&r->scratch, int, m->n_variables);
    s.slots = RT_TAKE(&r->scratch, int, s.room);
    bool good = s.seen && s.queue && s.slots && visit_roots(&s);
    for (int k = 0; good && k < s.n_queue; k++)
        good = visit(&s, m->variables[s.queue[k]].value.expr);
    return good ? ROUTH_OK : rt_fail_memory(r->error);
}
