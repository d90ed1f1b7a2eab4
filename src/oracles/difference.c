/* The difference method, an oracle: columns from differences of the nonlinear equations, without
 * any of the partials K, D, R, V_x, A_u, A_x that the other methods share. Given S, W, the states
 * of controllers and the inputs with their two derivatives:
 *     q from Phi = 0, S(q) = S;    u from Phi' = 0, S' = W;
 *     u', lambda, X', V from r = 0, Phi'' = 0 and the equations of controllers and variables;
 * and what is wanted is read: S'' and u, or of whole systems all that varies. Columns by S and W
 * begin with steps of 0.04 typical lengths or radians, and that times a typical rate. Of
 * controllers and inputs no typical size is known: they begin with 0.04 of the value there is (of
 * 1, where that is less), and where differences do not agree to ten digits go on with shorter and
 * longer ones. */
#include <float.h>
#include <math.h>

#include "oracles/difference.h"
#include "methods/whole.h"

enum {
    MOST_STATES = 60,
    /* of the vector; those of mechanisms alone: */
    PART_S2 = 0,
    PART_ALONE_U,
    /* and of whole systems, followed by one for each X' and each V */
    PART_UDOT = 0,
    PART_U,
    PART_XI,
    PART_LAMBDA,
    PARTS_OF_MOTION,
};
static const double first_step = 0.04; /* of the typical length, or rad */

typedef struct oracle {
    const rt_method_task *task;
    rt_search *s;
    int n, z, z1, n_x, n_v; /* n_x, n_v: 0 but of whole systems */
    rt_state *nominal;
    rt_finite_states f;
    rt_richardson table;
    double *weight;
    int *start;
    double *wanted;   /* z + z1: S, W */
    double *reaction; /* n_u, then n_rows */
    rt_cause cause;   /* of the column at hand */
    double rate, typical_force;
} oracle;

/* ---- the vector ----------------------------------------------------------------------------- */

/* What the cause moves, by h. */
static void difference_disturb(oracle *q, double h)
{
    const routh_mechanism *m = q->s->m;
    double *signal = q->s->state->signal;
    const int input = m->n_signals - m->model->n_inputs + q->cause.k;
    memset(q->wanted, 0, (size_t)(q->z + q->z1) * sizeof *q->wanted);
    switch (q->cause.kind) {
    case RT_CAUSE_S: q->wanted[q->cause.k] = h; break;
    case RT_CAUSE_W: q->wanted[q->z + q->cause.k] = h; break;
    case RT_CAUSE_SIGNAL: signal[q->cause.k] += h; break;
    case RT_CAUSE_IN: signal[input] += h; break;
    case RT_CAUSE_IN1: signal[m->n_signals + input] += h; break;
    case RT_CAUSE_IN2: signal[2 * m->n_signals + input] += h; break;
    }
}

/* Where rows are redundant lambda is not unique, and u' does not tell which. As in the other
 * methods those of redundant rows stay as they are at the operating point: with y = lambda -
 * lambda_n of the independent rows
 *     [M G'; G 0] [0; y] = [G' (lambda - lambda_n); 0]. */
static routh_status keep_redundant(oracle *q, routh_error *error)
{
    rt_search *s = q->s;
    const routh_mechanism *m = s->m;
    const bool whole = !rt_small_exists(m);
    double *x = q->reaction, *y = x + m->n_u, *lambda = s->state->lambda;
    if (s->rank->rank == m->n_rows || m->pattern_L.start[m->n_rows]) return ROUTH_OK;
    routh_status status = rt_factor_accelerations(s, whole, error);
    if (status) return status;
    memset(x, 0, (size_t)(m->n_u + m->n_rows) * sizeof *x);
    for (int r = 0; r < m->n_rows; r++) lambda[r] -= q->nominal->lambda[r];
    rt_sparse_transpose_multiply_add(&m->pattern_G, s->w->G, 1, lambda, x);
    status = rt_solve_accelerations(s, whole, x, y, error);
    for (int r = 0; r < m->n_rows; r++) lambda[r] = q->nominal->lambda[r] + y[r];
    return status;
}

static void read_whole(const oracle *q, double *out)
{
    const rt_state *state = q->s->state;
    memcpy(out + q->start[PART_UDOT], state->udot, (size_t)q->n * sizeof *out);
    memcpy(out + q->start[PART_U], state->u, (size_t)q->n * sizeof *out);
    memcpy(out + q->start[PART_XI], q->f.xi, (size_t)q->n * sizeof *out);
    memcpy(out + q->start[PART_LAMBDA], state->lambda, (size_t)q->s->m->n_rows * sizeof *out);
    memcpy(out + q->start[PARTS_OF_MOTION], state->signal + q->n_x,
           (size_t)(q->n_x + q->n_v) * sizeof *out);
}

/* The vector with the cause moved by h. */
static routh_status perturbed(void *context, double h, double *out, routh_error *error)
{
    oracle *q = context;
    rt_state_copy(q->s->m, q->s->state, q->nominal);
    difference_disturb(q, h);
    routh_status status = rt_finite_find(&q->f, q->wanted, q->wanted + q->z, error);
    if (!status) status = rt_find_accelerations(q->s, error);
    if (!status && q->task->whole) status = keep_redundant(q, error);
    if (status) return status;
    if (q->task->whole) {
        read_whole(q, out);
        return ROUTH_OK;
    }
    rt_evaluate_frames(q->s->m, q->s->w, q->s->state);
    rt_finite_read(&q->f);
    memcpy(out, q->f.S[2], (size_t)q->z * sizeof *out);
    memcpy(out + q->z, q->s->state->u, (size_t)q->n * sizeof *out);
    return ROUTH_OK;
}

/* ---- the columns ---------------------------------------------------------------------------- */

/* The fastest rate of the motion, or of falling through the typical length; 1 rad/s where nothing
 * moves. It only scales steps. */
static double typical_rate(const rt_search *s)
{
    const double length = s->m->length;
    double rate = sqrt(rt_v3_norm(s->m->gravity) / length);
    for (int b = 0; b < s->m->n_bodies; b++) {
        const rt_frame *f = &s->w->bodies[b];
        rate = fmax(rate, fmax(rt_v3_norm(f->w), rt_v3_norm(f->v) / length));
        rate = fmax(rate, fmax(sqrt(rt_v3_norm(f->al)), sqrt(rt_v3_norm(f->a) / length)));
    }
    return rate > 0 ? rate : 1;
}

static double size_of_state(const oracle *q, int k)
{
    return rt_candidate_size(q->s->m, q->task->states->user, q->f.candidate[k]);
}

/* What a column's steps are counted in. */
static double scale_of(const oracle *q)
{
    const routh_mechanism *m = q->s->m;
    const double *signal = q->nominal->signal;
    const int input = m->n_signals - m->model->n_inputs + q->cause.k;
    switch (q->cause.kind) {
    case RT_CAUSE_S: return size_of_state(q, q->cause.k);
    case RT_CAUSE_W: return size_of_state(q, q->z + q->cause.k) * q->rate;
    case RT_CAUSE_SIGNAL: return fmax(1, fabs(signal[q->cause.k]));
    case RT_CAUSE_IN: return fmax(1, fabs(signal[input]));
    case RT_CAUSE_IN1: return fmax(1, fabs(signal[input])) * q->rate;
    default: return fmax(1, fabs(signal[input])) * q->rate * q->rate;
    }
}

/* Where the manifold is strongly curved steps must be short. */
static const double steps_of_states[] = {1, 1. / 8, 1. / 64, 1. / 512, 1. / 4096, 1. / 32768};
static const double steps_of_signals[] = {1, 1. / 8, 8, 1. / 64, 64, 1. / 512, 512, 1. / 4096};

/* The force of the largest mass, or inertia, in a typical motion. */
static double difference_typical_force(const oracle *q)
{
    const rt_pattern *M = &q->s->m->pattern_M;
    double mass = 0;
    for (int c = 0; c < q->n; c++)
        for (int e = M->start[c]; e < M->start[c + 1]; e++)
            mass = fmax(mass, fabs(q->s->w->M[e]) * q->s->unit[c] * q->s->unit[M->row[e]]);
    return mass * q->s->m->length * q->rate * q->rate;
}

/* Below these sizes of derivatives nothing more is asked for: of motion and forces typical ones, of
 * controllers and variables what is there; by signals, which may do little, less. */
static void set_least(oracle *q, double scale, bool by_state)
{
    const double less = by_state ? 1 : 1e-4;
    const double typical[] = {q->rate * q->rate, q->rate, 1, q->typical_force};
    for (int part = 0; part < q->table.n_parts; part++)
        q->table.least[part] =
            less / scale *
            (part < 4 ? typical[part] : rt_richardson_size(&q->table, part, q->table.plus));
}

static routh_status difference_differentiate(oracle *q, double scale, routh_error *error)
{
    enum {
        STATES = sizeof steps_of_states / sizeof *steps_of_states,
        MOST = sizeof steps_of_signals / sizeof *steps_of_signals
    };
    const bool by_state = q->cause.kind == RT_CAUSE_S || q->cause.kind == RT_CAUSE_W;
    double steps[MOST];
    for (int k = 0; k < (by_state ? STATES : MOST); k++)
        steps[k] = first_step * scale * (by_state ? steps_of_states : steps_of_signals)[k];
    routh_status status = perturbed(q, 0, q->table.plus, error);
    if (status) return status;
    set_least(q, scale, by_state);
    return rt_richardson_differentiate(&q->table, perturbed, q, steps, by_state ? STATES : MOST,
                                       error);
}

/* Of all columns so far: the largest derivative of a part, times the scale of its column, and the
 * largest error. */
typedef struct doubt {
    double largest, worst;
} doubt;

static void difference_judge(const oracle *q, int part, double scale, doubt *d)
{
    d->largest = fmax(d->largest, rt_richardson_size(&q->table, part, q->table.best) * scale);
    d->worst = fmax(d->worst, q->table.error[part] * scale);
}

/* The steps of W are those of S times the fastest rate, which the columns by S tell. */
static void learn_rate(oracle *q, const doubt *d) { q->rate = fmax(q->rate, sqrt(d->largest)); }

/* Not even rounding makes it zero. */
static double difference_estimate(const doubt *d)
{
    return fmax(d->worst / fmax(d->largest, DBL_MIN), DBL_EPSILON);
}

/* ---- of a mechanism alone ------------------------------------------------------------------- */

/* Columns k = 0..z-1 by S or by W: A and du/dS, du/dW. */
static routh_status difference_find_columns(oracle *q, rt_cause_kind kind, double *A, double *du,
                                            doubt *d, routh_error *error)
{
    for (int k = 0; k < q->z; k++) {
        q->cause = (rt_cause){kind, k};
        const double scale = scale_of(q);
        const routh_status status = difference_differentiate(q, scale, error);
        if (status) return status;
        for (int i = 0; i < q->z; i++) A[i * q->z + k] = q->table.best[i];
        memcpy(du + (size_t)q->n * k, q->table.best + q->z, (size_t)q->n * sizeof *du);
        difference_judge(q, PART_S2, scale, d);
    }
    return ROUTH_OK;
}

static routh_status difference_find_alone(oracle *q, rt_sensitivity *out, routh_error *error)
{
    doubt d = {0};
    routh_status status = difference_find_columns(q, RT_CAUSE_S, out->A_SS, out->U, &d, error);
    learn_rate(q, &d);
    if (!status) status = difference_find_columns(q, RT_CAUSE_W, out->A_SW, out->X, &d, error);
    out->error_estimate = difference_estimate(&d);
    return status;
}

/* ---- of the whole system -------------------------------------------------------------------- */

static void difference_put_column(const oracle *q, int column, rt_response *r)
{
    const double *x = q->table.best;
    const size_t c = (size_t)column, n = (size_t)q->n, m = (size_t)r->n_rows;
    const size_t n_x = (size_t)q->n_x, n_v = (size_t)q->n_v;
    memcpy(r->udot + n * c, x + q->start[PART_UDOT], n * sizeof *x);
    memcpy(r->u + n * c, x + q->start[PART_U], n * sizeof *x);
    memcpy(r->xi + n * c, x + q->start[PART_XI], n * sizeof *x);
    memcpy(r->lambda + m * c, x + q->start[PART_LAMBDA], m * sizeof *x);
    memcpy(r->rate + n_x * c, x + q->start[PARTS_OF_MOTION], n_x * sizeof *x);
    memcpy(r->variable + n_v * c, x + q->start[PARTS_OF_MOTION] + n_x, n_v * sizeof *x);
}

/* The error of the state matrix and of B: that of u', or of a rate X'. */
static routh_status find_whole(oracle *q, rt_sensitivity *out, rt_arena *arena, routh_error *error)
{
    rt_response *r = &out->response;
    rt_cause *causes;
    doubt *d = RT_TAKE(arena, doubt, q->n_x + 1);
    routh_status status = rt_response_take(r, q->task, false, &causes, arena, error);
    if (status) return status;
    if (!d) return rt_fail_memory(error);
    for (int c = 0; c < r->n_columns; c++) {
        q->cause = causes[c];
        if (q->cause.kind == RT_CAUSE_W && q->cause.k == 0) learn_rate(q, &d[0]);
        const double scale = scale_of(q);
        status = difference_differentiate(q, scale, error);
        if (status) return status;
        difference_put_column(q, c, r);
        difference_judge(q, PART_UDOT, scale, &d[0]);
        for (int k = 0; k < q->n_x; k++) difference_judge(q, PARTS_OF_MOTION + k, scale, &d[1 + k]);
    }
    for (int k = 0; k <= q->n_x; k++)
        out->error_estimate = fmax(out->error_estimate, difference_estimate(&d[k]));
    return ROUTH_OK;
}

/* ---- putting it together -------------------------------------------------------------------- */

/* Weights of motion make typical lengths and radians of it, those of multipliers forces. */
static void difference_weigh(oracle *q)
{
    const rt_search *s = q->s;
    const double length = s->m->length;
    const bool whole = q->task->whole;
    for (int k = 0; k < q->z && !whole; k++) q->weight[k] = 1 / size_of_state(q, k);
    for (int part = whole ? PART_UDOT : PART_ALONE_U; part <= (whole ? PART_XI : PART_ALONE_U);
         part++)
        for (int c = 0; c < q->n; c++) q->weight[q->start[part] + c] = 1 / (s->unit[c] * length);
    if (!whole) return;
    const rt_pattern *G = &s->m->pattern_G;
    double *of_row = q->weight + q->start[PART_LAMBDA];
    for (int c = 0; c < q->n; c++)
        for (int e = G->start[c]; e < G->start[c + 1]; e++)
            of_row[G->row[e]] = fmax(of_row[G->row[e]], fabs(s->w->G[e]) * s->unit[c]);
    for (int k = q->start[PARTS_OF_MOTION]; k < q->start[q->table.n_parts]; k++) q->weight[k] = 1;
}

static int number_parts(oracle *q)
{
    int part = 0;
    if (!q->task->whole) {
        q->start[++part] = q->z;
        q->start[++part] = q->z + q->n;
        return part;
    }
    while (part < PART_LAMBDA) part++, q->start[part] = part * q->n;
    q->start[PARTS_OF_MOTION] = q->start[PART_LAMBDA] + q->s->m->n_rows;
    for (part = PARTS_OF_MOTION; part < PARTS_OF_MOTION + q->n_x + q->n_v; part++)
        q->start[part + 1] = q->start[part] + 1;
    return part;
}

static routh_status difference_take(oracle *q, rt_arena *arena, routh_error *error)
{
    const routh_mechanism *m = q->s->m;
    q->start = RT_TAKE(arena, int, PARTS_OF_MOTION + q->n_x + q->n_v + 1);
    q->wanted = RT_TAKE(arena, double, q->z + q->z1);
    q->reaction = RT_TAKE(arena, double, m->n_u + m->n_rows);
    if (!q->start || !q->wanted || !q->reaction) return rt_fail_memory(error);
    const int n_parts = number_parts(q);
    q->weight = RT_TAKE(arena, double, q->start[n_parts]);
    if (!q->weight || !rt_richardson_take(&q->table, n_parts, q->start, q->weight, arena))
        return rt_fail_memory(error);
    return rt_state_create(&q->nominal, m, error);
}

/* The state and everything in the workspace as they were found. */
static routh_status difference_restore(oracle *q, routh_error *error)
{
    rt_state_copy(q->s->m, q->s->state, q->nominal);
    return rt_evaluate(q->s->m, q->s->w, q->s->state, RT_EVALUATE_ALL, error);
}

/* In a singular configuration there are directions that no motion has. */
static routh_status difference_explain(rt_search *s, routh_status status, routh_error *error)
{
    int rank;
    s->max_iterations = 100; /* to assemble a little away */
    if (status == ROUTH_OUT_OF_MEMORY || rt_rank_nearby(s, &rank, NULL) || rank <= s->rank->rank)
        return status;
    return rt_fail(error, ROUTH_NOT_SUPPORTED,
                   "the difference method moves the mechanism along each of its %d degrees of "
                   "freedom, which is impossible in this singular configuration; use --method "
                   "augmented, or modes --branches for the possible motions",
                   s->m->n_u - s->rank->rank);
}

static routh_status difference_find(oracle *q, rt_arena *arena, rt_sensitivity *out,
                                    routh_error *error)
{
    routh_status status = rt_finite_create(&q->f, q->task, arena, error);
    if (status) return status;
    difference_weigh(q);
    q->rate = typical_rate(q->s);
    q->typical_force = difference_typical_force(q);
    status =
        q->task->whole ? find_whole(q, out, arena, error) : difference_find_alone(q, out, error);
    routh_error ignored;
    const routh_status restored = difference_restore(q, status ? &ignored : error);
    if (!status) status = restored;
    if (status) return status;
    if (q->task->whole) return rt_whole_finish(q->task, arena, out, error);
    rt_reduced_mass(q->s, out, q->f.step);
    return ROUTH_OK;
}

static routh_status difference_check_size(const oracle *q, routh_error *error)
{
    if (q->z <= MOST_STATES) return ROUTH_OK;
    return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                   "the difference method is for at most %d degrees of freedom, but this mechanism "
                   "has %d; use --method augmented",
                   MOST_STATES, q->z);
}

static routh_status difference_run(const rt_method_task *task, rt_arena *arena, rt_sensitivity *out,
                                   routh_error *error)
{
    rt_search *s = task->search;
    const routh_model *model = s->m->model;
    oracle q = {.task = task,
                .s = s,
                .n = s->m->n_u,
                .z = task->states->z,
                .z1 = task->states->z1,
                .n_x = task->whole ? model->n_control_states : 0,
                .n_v = task->whole ? model->n_variables : 0};
    *out = (rt_sensitivity){0};
    routh_status status = difference_check_size(&q, error);
    if (!status && !task->whole) status = rt_sensitivity_take(out, q.n, q.z, arena, error);
    if (!status) status = difference_take(&q, arena, error);
    if (status) return status;
    rt_state_copy(s->m, q.nominal, s->state);
    status = difference_find(&q, arena, out, error);
    rt_finite_release(&q.f);
    rt_state_free(q.nominal);
    return status ? difference_explain(s, status, error) : ROUTH_OK;
}

const rt_method rt_method_difference = {
    .name = "difference",
    .about = "an oracle for checks: differences of the nonlinear equations",
    .run = difference_run,
};
