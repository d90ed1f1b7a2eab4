/* Coordinates that are not written and close loops: how they become numbers of the model. What they
 * are is found above, where the equations are known (rt_loop_closer). */
#include "model/made.h"
#include "model/placing.h"

#include <string.h>

routh_status rt_place_plain(const rt_placing *p, rt_placing *plain)
{
    rt_arena *a = &p->r->scratch;
    const int n = p->r->model->n_bodies;
    *plain = *p;
    plain->plain = true;
    plain->start = RT_TAKE(a, rt_place_frame, n);
    plain->reference = RT_TAKE(a, rt_place_frame, n);
    plain->moved = RT_TAKE(a, bool, n);
    if (!plain->start || !plain->reference || !plain->moved) return rt_fail_memory(p->r->error);
    for (int b = 0; b < n; b++) {
        rt_place_frame *to = &plain->reference[b];
        rt_place_ground(to);
        for (int k = 0; k < 3; k++) to->r[k] = rt_plain(p->reference[b].r[k].value);
        for (int k = 0; k < 9; k++) to->A[k] = rt_plain(p->reference[b].A[k].value);
    }
    return ROUTH_OK;
}

/* Is there a joint beside those that carry bodies? */
static bool has_others(const rt_placing *p)
{
    const routh_model *m = p->r->model;
    int n = m->n_joints;
    for (int b = 0; b < m->n_bodies; b++) n -= p->tree.joint[b] >= 0;
    return n > 0;
}

/* Numbers that are zero, with derivatives by all parameters that are to come. */
static routh_status make_open(rt_placing *p, rt_number **numbers, double **slope)
{
    rt_reader *r = p->r;
    const int n_in = r->model->n_parameters, n = p->loops.n;
    rt_linear_plan *plan = RT_TAKE(&r->model->arena, rt_linear_plan, 1);
    rt_number *in = RT_TAKE(&r->scratch, rt_number, n_in);
    double *at = RT_TAKE(&r->model->arena, double, n_in);
    double *by = RT_TAKE(&r->model->arena, double, (size_t)n_in *(size_t)n);
    int problem;
    if (!plan || !in || !at || !by) return rt_fail_memory(r->error);
    for (int k = 0; k < n_in; k++) {
        at[k] = r->model->parameters[k].number.value;
        in[k] = (rt_number){at[k], rt_input(r->model->graph, k)};
        for (int c = 0; c < n; c++) by[c + n * k] = p->loops.column[c].active;
    }
    *slope = by;
    *plan = (rt_linear_plan){n_in, n, at, by};
    const rt_making making = {
        .kind = RT_MAKE_LINEAR, .plan = plan, .n_in = n_in, .n_out = n, .in = in};
    const routh_status status = rt_make_numbers(r, &making, numbers, &problem);
    return status ? status : rt_keep_quantities(r);
}

/* Open coordinates that go the shortest way depend on the way: they are not differentiated. */
static routh_status note_loose(rt_placing *p)
{
    rt_reader *r = p->r;
    routh_status status = ROUTH_OK;
    for (int c = 0; c < p->loops.n && !status; c++) {
        const rt_place_column *column = &p->loops.column[c];
        if (!column->active || !column->loose) continue;
        const rt_joint *joint = rt_place_carrier(p, column->body);
        const rt_body *body = &r->model->bodies[column->body];
        const rt_yaml node = {.place = joint ? joint->place : body->place};
        const bool before = r->values_only;
        rt_reader_element(r, joint ? "joint" : "body", joint ? joint->name : body->name);
        r->values_only = true;
        status = rt_note_fixed(r, &node, "a coordinate that those which are written leave open",
                               p->loops.more[c]);
        r->values_only = before;
    }
    return status;
}

static routh_status find_slopes(rt_placing *p, rt_loops *loops, double *by, double *by_rate)
{
    const size_t n = (size_t)p->loops.n * (size_t)p->r->model->n_parameters;
    double *found = RT_TAKE(&p->r->scratch, double, n);
    routh_status status = found ? rt_place_put(p) : rt_fail_memory(p->r->error);
    if (by) memset(by, 0, n * sizeof *by);
    if (by_rate) memset(by_rate, 0, n * sizeof *by_rate);
    if (!status && by) status = p->r->model->closer->find_slopes(loops, false, found);
    if (!status && by) memcpy(by, found, n * sizeof *by);
    if (!status && by_rate) status = p->r->model->closer->find_slopes(loops, true, found);
    if (!status && by_rate) memcpy(by_rate, found, n * sizeof *by_rate);
    return status;
}

static routh_status close_rates(rt_placing *p, rt_loops *loops, double **by)
{
    const int n = p->loops.n;
    rt_number *numbers;
    double *rate = RT_TAKE(&p->r->scratch, double, n);
    const rt_loop_closer *closer = p->r->model->closer;
    routh_status status = rate ? closer->find_rates(loops, rate) : rt_fail_memory(p->r->error);
    if (status || !p->loops.any_rate) return status;
    status = make_open(p, &numbers, by);
    for (int c = 0; c < n && !status; c++)
        numbers[c] = rt_plus(p->c, rt_plain(rate[c]), numbers[c]);
    p->loops.rate = numbers;
    return status ? status : rt_place_all(p);
}

/* The bodies of the model are where they are written again after it. */
static routh_status close_all(rt_placing *p, rt_loops **loops, const rt_body *written)
{
    routh_model *m = p->r->model;
    double *by = NULL, *by_rate = NULL;
    const size_t size = (size_t)m->n_bodies * sizeof *written;
    routh_status status = rt_keep_quantities(p->r);
    if (!status) status = rt_place_put(p);
    if (!status) status = m->closer->create(loops, p);
    if (!status) status = m->closer->find(*loops);
    if (m->n_bodies) memcpy(m->bodies, written, size);
    if (!status && p->loops.any) {
        status = make_open(p, &p->loops.more, &by);
        if (!status) status = note_loose(p);
        if (!status) status = rt_place_all(p);
    }
    if (!status) status = close_rates(p, *loops, &by_rate);
    if (!status && (by || by_rate)) status = find_slopes(p, *loops, by, by_rate);
    if (m->n_bodies) memcpy(m->bodies, written, size);
    return status;
}

routh_status rt_place_close(rt_placing *p)
{
    const routh_model *m = p->r->model;
    if (!m->closer || p->loops.n == 0 || !has_others(p)) return ROUTH_OK;
    rt_body *written = RT_TAKE(&p->r->scratch, rt_body, m->n_bodies);
    if (!written) return rt_fail_memory(p->r->error);
    memcpy(written, m->bodies, (size_t)m->n_bodies * sizeof *written);
    rt_loops *loops = NULL;
    const routh_status status = close_all(p, &loops, written);
    m->closer->free(loops);
    return status;
}
