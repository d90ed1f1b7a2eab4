/* The response on the states that are left:
 *     xi, u, X', V   as before, on the rows of all S, W;
 *     u'             Xw W' and what inputs on joints demand;
 *     lambda         G'lambda = f - M u', f = -(D u + K xi + R signal), M of the plain mechanism,
 * from [Maux G'; G 0] [0; lambda] = [f - M u'; 0]. */
#include "linear/massless_parts.h"

#include "methods/whole.h"

typedef struct massless_change {
    const rt_massless_states *states;
    const rt_massless_equations *e;
    const rt_linear_task *t;
    const rt_method_task *work;
    rt_layout at, to; /* of the full response, and of this one */
    rt_response *out;
} massless_change;

/* Of column c of the new response; (S, W, X, in, in', in'') come first in the rows too. */
static double massless_entry(const rt_sized_rows *rows, int row, int c)
{
    return rt_sized_value(rows, row)[c];
}

/* to (n) += column of the full response, times */
static void massless_add_column(double *to, const double *from, int n, int column, double times)
{
    const double *x = from + (size_t)n * (size_t)column;
    for (int i = 0; i < n && times != 0; i++) to[i] += times * x[i];
}

/* to: column c of what is `full` (n rows) in the full response */
static void massless_carry(const massless_change *k, int c, int n, const double *full, double *to)
{
    const rt_massless_equations *e = k->e;
    for (int i = 0; i < e->z; i++)
        massless_add_column(to, full, n, k->at.S + i, massless_entry(&k->states->S, i, c));
    for (int i = 0; i < e->z1; i++)
        massless_add_column(to, full, n, k->at.W + i, massless_entry(&k->states->W, i, c));
    if (c >= k->to.X) massless_add_column(to, full, n, c - k->to.X + k->at.X, 1); /* X and inputs */
}

/* f - M u' of column c */
static void massless_forces(const massless_change *k, const rt_cause *cause, int c, const double *M,
                            double *f)
{
    const routh_mechanism *m = k->t->search.m;
    const rt_workspace *w = k->t->search.w;
    const rt_response *r = k->out;
    const rt_pattern *R = &m->pattern_R;
    const size_t n = (size_t)r->n;
    rt_sparse_multiply_add(&m->pattern_K, w->K, -1, r->xi + n * (size_t)c, f);
    rt_sparse_multiply_add(&m->pattern_K, w->D, -1, r->u + n * (size_t)c, f);
    rt_sparse_multiply_add(&m->pattern_M, M, -1, r->udot + n * (size_t)c, f);
    for (int p = 0; p < m->n_signals; p++) {
        const int x = p - r->n_x, v = x - r->n_x, in = v - r->n_v;
        double signal = 0;
        if (x < 0)
            signal = cause->kind == RT_CAUSE_SIGNAL && cause->k == p;
        else if (v < 0)
            signal = r->rate[(size_t)r->n_x * (size_t)c + (size_t)x];
        else if (in < 0)
            signal = r->variable[(size_t)r->n_v * (size_t)c + (size_t)v];
        else
            signal = cause->kind == RT_CAUSE_IN && cause->k == in;
        for (int q = R->start[p]; q < R->start[p + 1] && signal != 0; q++)
            f[R->row[q]] -= signal * w->L[q];
    }
}

static routh_status massless_find_multipliers(const massless_change *k, const rt_cause *causes,
                                              rt_arena *arena, routh_error *error)
{
    const rt_search *s = &k->t->search;
    const size_t n = (size_t)k->out->n, rows = (size_t)k->out->n_rows;
    double *M = RT_TAKE(arena, double, s->m->pattern_M.start[s->m->n_u]);
    double *f = RT_TAKE(arena, double, n);
    if (!M || !f) return rt_fail_memory(error);
    routh_status status = rt_massless_plain_mass(k->t, M, error);
    if (!status) status = rt_search_mass((rt_search *)s, error);
    if (!status) status = rt_kkt_factor(s->mass, s->w->M, s->w->G, NULL, 0, error);
    for (int c = 0; c < k->to.n && !status; c++) {
        memset(f, 0, n * sizeof *f);
        massless_forces(k, &causes[c], c, M, f);
        status = rt_kkt_solve(s->mass, f, k->out->lambda + rows * (size_t)c, error);
    }
    return status;
}

routh_status rt_massless_response(rt_response *out, const rt_massless_states *states,
                                  const rt_massless_equations *e, const rt_linear_task *t,
                                  const rt_method_task *work, rt_arena *arena, routh_error *error)
{
    const rt_response *r = &t->x.response;
    massless_change k = {states, e, t, work, .out = out};
    k.at = rt_response_layout(work);
    rt_states left = t->states;
    left.z = states->n_position, left.z1 = states->n_velocity;
    rt_method_task task = *work;
    task.states = &left;
    k.to = rt_response_layout(&task);
    rt_cause *causes;
    const routh_status status = rt_response_take(out, &task, false, &causes, arena, error);
    if (status) return status;
    const size_t n = (size_t)out->n;
    for (int c = 0; c < k.to.n; c++) {
        double *udot = out->udot + n * (size_t)c;
        massless_carry(&k, c, out->n, r->xi, out->xi + n * (size_t)c);
        massless_carry(&k, c, out->n, r->u, out->u + n * (size_t)c);
        massless_carry(&k, c, out->n_x, r->rate, out->rate + (size_t)out->n_x * (size_t)c);
        massless_carry(&k, c, out->n_v, r->variable, out->variable + (size_t)out->n_v * (size_t)c);
        for (int i = 0; i < e->z1; i++)
            massless_add_column(udot, t->x.Xw, out->n, i,
                                massless_entry(&states->acceleration, i, c));
        if (c >= k.to.in) massless_add_column(udot, e->demanded, out->n, c - k.to.in, 1);
    }
    return massless_find_multipliers(&k, causes, arena, error);
}
