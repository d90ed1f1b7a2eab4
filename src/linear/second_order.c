/* Mhat W' + Chat W + Khat S = Phat X + ... without the inverse of the mass: equations of motion
 * projected on the tangent Xw = du/dW. Every cause accelerates by u' = Xw a + u'_p, where u'_p is
 * what the rows of G demand, with s_x u'_p = 0, so s_x u' = a; with W' = a + a_u u + a_x xi
 *     Mhat W' = Xw'(f - M u'_p) + Mhat (a_u u + a_x xi),      f = -(D u + K xi + R signal)
 * (EQUATIONS.md, "minimal"). A holds M^-1 K, whose rounding is as large as the fastest mode; these
 * matrices keep what a slow mode of a stiff mechanism needs. */
#include "linear/holder.h"
#include "methods/whole.h"

typedef struct second_order_data {
    const rt_method_task *task;
    const rt_sensitivity *x;
    routh_linear *out;
    rt_state_row *rates;
    double *f; /* n */
    double *g; /* z1 */
} second_order_data;

/* Columns of one response, beginning at `first`, and what they become. */
typedef struct second_order_block {
    const rt_response *r;
    const rt_cause *causes;
    int first, n;
    double sign;
    double *to; /* z1 x n, row-major */
} second_order_block;

bool rt_has_second_order(const rt_method_task *task, const rt_sensitivity *x)
{
    const routh_mechanism *m = task->search->m;
    return x->error_estimate == 0 && m->pattern_L.start[m->n_rows] == 0;
}

static bool second_order_any(const double *values, int n)
{
    for (int e = 0; e < n; e++)
        if (values[e] != 0) return true;
    return false;
}

/* Do the rows demand anything of accelerations? Not of a mechanism at rest. */
static bool second_order_is_driven(const rt_method_task *task)
{
    const routh_mechanism *m = task->search->m;
    const rt_workspace *w = task->search->w;
    const int entries = m->pattern_G.start[m->n_u];
    return m->n_driven > 0 || second_order_any(w->Au, entries) || second_order_any(w->Ax, entries);
}

/* u'_p of the block, n x b->n; *demanded is NULL where it is zero. */
static routh_status second_order_demand(const second_order_data *q, const second_order_block *b,
                                        const rt_manifold *P, rt_arena *arena, double **demanded,
                                        routh_error *error)
{
    const size_t n = (size_t)b->r->n;
    *demanded = NULL;
    if (!P || b->n == 0) return ROUTH_OK;
    double *B = RT_TAKE(arena, double, n *(size_t)b->n);
    if (!B) return rt_fail_memory(error);
    for (int c = 0; c < b->n; c++)
        rt_response_rows(b->r, &b->causes[b->first + c], b->first + c, q->task, P,
                         B + n * (size_t)c);
    *demanded = B;
    return rt_manifold_solve(P, B, b->n, q->task->threads, error);
}

/* f -= R times the rates of controllers and the variables, which the loop makes of the cause */
static void subtract_loop(const second_order_data *q, const rt_response *r, int column)
{
    const routh_mechanism *m = q->task->search->m;
    const rt_pattern *R = &m->pattern_R;
    const double *rate = r->rate + (size_t)r->n_x * (size_t)column;
    const double *variable = r->variable + (size_t)r->n_v * (size_t)column;
    for (int k = 0; k < r->n_x + r->n_v; k++) {
        const double signal = k < r->n_x ? rate[k] : variable[k - r->n_x];
        for (int e = R->start[r->n_x + k]; e < R->start[r->n_x + k + 1]; e++)
            q->f[R->row[e]] -= signal * q->task->search->w->L[e];
    }
}

/* g = Xw'f; four sums at a time keep the arithmetic busy */
static void linear_second_order_project(const second_order_data *q)
{
    const size_t n = (size_t)q->x->n;
    const double *X = q->x->Xw, *f = q->f;
    int i = 0;
    for (; i + 4 <= q->x->z1; i += 4) {
        const double *x0 = X + (size_t)i * n, *x1 = x0 + n, *x2 = x1 + n, *x3 = x2 + n;
        double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
        for (size_t c = 0; c < n; c++)
            s0 += x0[c] * f[c], s1 += x1[c] * f[c], s2 += x2[c] * f[c], s3 += x3[c] * f[c];
        q->g[i] = s0, q->g[i + 1] = s1, q->g[i + 2] = s2, q->g[i + 3] = s3;
    }
    for (; i < q->x->z1; i++) {
        q->g[i] = 0;
        for (size_t c = 0; c < n; c++) q->g[i] += X[(size_t)i * n + c] * f[c];
    }
}

/* g += Mhat (a_u u + a_x xi) */
static void add_own_acceleration(const second_order_data *q, const rt_response *r, int column)
{
    const size_t at = (size_t)r->n * (size_t)column;
    const int z1 = q->x->z1;
    for (int k = 0; k < z1; k++) {
        const rt_state_row *row = &q->rates[k];
        double a = rt_state_row_times(row, row->a_u, r->u + at);
        if (r->xi) a += rt_state_row_times(row, row->a_x, r->xi + at);
        for (int i = 0; i < z1 && a != 0; i++) q->g[i] += q->x->Mhat[i * z1 + k] * a;
    }
}

static routh_status fill_block(const second_order_data *q, const second_order_block *b,
                               const rt_manifold *P, routh_error *error)
{
    const rt_search *s = q->task->search;
    const size_t n = (size_t)b->r->n;
    rt_arena arena = {.kept = s->m->analyses};
    double *demanded;
    const routh_status status = second_order_demand(q, b, P, &arena, &demanded, error);
    for (int c = 0; c < b->n && !status; c++) {
        const int column = b->first + c;
        memset(q->f, 0, n * sizeof *q->f);
        rt_response_forces(b->r, &b->causes[column], column, q->task, q->f);
        if (b->r->n_x + b->r->n_v) subtract_loop(q, b->r, column);
        if (demanded)
            rt_sparse_multiply_add(&s->m->pattern_M, s->w->M, -1, demanded + n * (size_t)c, q->f);
        linear_second_order_project(q);
        add_own_acceleration(q, b->r, column);
        for (int i = 0; i < q->x->z1; i++)
            b->to[(size_t)i * (size_t)b->n + (size_t)c] = 0 + b->sign * q->g[i];
    }
    rt_arena_free(&arena);
    return status;
}

/* Of a mechanism alone: the sensitivities as two responses. */
static routh_status fill_alone(const second_order_data *q, const rt_manifold *P, rt_arena *arena,
                               routh_error *error)
{
    const rt_sensitivity *x = q->x;
    const rt_response by_S = {.n = x->n, .xi = x->X, .u = x->U}, by_W = {.n = x->n, .u = x->Xw};
    rt_cause *causes = RT_TAKE(arena, rt_cause, 2 * (size_t)x->z);
    if (!causes) return rt_fail_memory(error);
    for (int k = 0; k < x->z; k++) {
        causes[k] = (rt_cause){RT_CAUSE_S, k};
        causes[x->z + k] = (rt_cause){RT_CAUSE_W, k};
    }
    const second_order_block S = {&by_S, causes, 0, x->z, -1, q->out->stiffness},
                             W = {&by_W, causes + x->z, 0, x->z, -1, q->out->damping};
    const routh_status status = fill_block(q, &S, P, error);
    return status ? status : fill_block(q, &W, P, error);
}

static routh_status second_order_fill_whole(const second_order_data *q, const rt_manifold *P,
                                            rt_arena *arena, routh_error *error)
{
    const rt_response *r = &q->x->response;
    const rt_layout at = rt_response_layout(q->task);
    routh_linear *out = q->out;
    rt_response unused;
    rt_cause *causes;
    routh_status status = rt_response_take(&unused, q->task, false, &causes, arena, error);
    if (status) return status;
    const second_order_block blocks[] = {{r, causes, at.S, out->n_position, -1, out->stiffness},
                                         {r, causes, at.W, out->n_velocity, -1, out->damping},
                                         {r, causes, at.X, out->n_control, 1, out->coupling},
                                         {r, causes, at.in, out->n_inputs, 1, out->force},
                                         {r, causes, at.in1, out->n_inputs, 1, out->force1},
                                         {r, causes, at.in2, out->n_inputs, 1, out->force2}};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks && !status; k++)
        status = fill_block(q, &blocks[k], P, error);
    return status;
}

routh_status rt_linear_fill_second_order(routh_linear *linear, const rt_method_task *task,
                                         const rt_sensitivity *x, rt_arena *arena,
                                         routh_error *error)
{
    const int nonholonomic = task->search->m->n_nonholonomic;
    second_order_data q = {.task = task, .x = x, .out = linear};
    rt_manifold P = {0};
    const bool driven = second_order_is_driven(task);
    q.f = RT_TAKE(arena, double, x->n);
    q.g = RT_TAKE(arena, double, x->z1);
    routh_status status = q.f && q.g ? ROUTH_OK : rt_fail_memory(error);
    if (!status) status = rt_rate_rows(task, arena, &q.rates, error);
    if (!status && driven)
        status = rt_manifold_create(
            &P, task, nonholonomic ? RT_MANIFOLD_VELOCITY : RT_MANIFOLD_POSITION, arena, error);
    if (!status && driven) status = rt_manifold_factor(&P, task, error);
    if (!status)
        status = (task->whole ? second_order_fill_whole : fill_alone)(&q, driven ? &P : NULL, arena,
                                                                      error);
    rt_manifold_release(&P);
    return status;
}
