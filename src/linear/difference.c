/* The difference method, an oracle: A column by column from differences of the nonlinear
 * equations, without any of the partials K, D, V_x, A_u, A_x that the other methods share.
 *
 * States of finite size are
 *     S_k = e_k . (r - r_n)   or   e_k . vee(A A_n'),     vee(R)_i = 1/2 eps_ijk R_kj,
 * with r_n, A_n, e_k the nominal motion, functions of time, so S' and S'' follow by the product
 * rule; a state of the user's is s(q, t) less its nominal value. Given S and W = S':
 *     q from Phi = 0, S(q) = S;    u from Phi' = 0, S' = W;    u', lambda from r = 0, Phi'' = 0
 * and S'' and u are read. Central differences at halved steps are extrapolated to step zero by
 * Richardson's table; the entry whose neighbours agree best is taken (Ridders 1982). */
#include <float.h>
#include <math.h>

#include "linear/method.h"

enum {
    MOST_STATES = 60,
    LEVELS = 6,      /* steps h, h/2, ... of one table */
    STARTS = 4,      /* tables begun with 1, 1/8, ... of the first step */
    MOST_STEPS = 20, /* of Newton's method */
    PARTS = 2,       /* S'' and u, judged apart */
};
static const double first_step = 0.04;   /* of the typical length, or rad */
static const double good_enough = 1e-10; /* no further table is begun */

typedef struct oracle {
    rt_search *s;
    const rt_observer *o;
    const rt_states *states;
    int n, z;
    rt_state *nominal;
    rt_frame *body;     /* nominal */
    double *user;       /* z x 3: of user states, nominal s, s', s'' */
    rt_state_row *rows; /* z: of user states */
    /* P = [G_kept; dS/dxi] */
    int *slot; /* n_rows: the row in P, -1 where it follows from others */
    rt_pattern pattern;
    rt_factor *factor;
    int *position;
    double *values;
    double *S[3];         /* z: S, S', S'' of the frames evaluated last */
    double *gradient;     /* n: of one state, on the columns gradient_column */
    int *gradient_column; /* n */
    double *wanted;       /* 2z: S, W */
    double *step;         /* n */
    /* the table: vectors of S'' (z), then u (n) */
    double *plus, *minus, *weight; /* weight: 1/length or 1 */
    double *row, *row_before;      /* LEVELS vectors each */
    double *best;
    double error[PARTS]; /* of best, weighted */
} oracle;

/* ---- states of finite size ------------------------------------------------------------------ */

static void vee(double v[3], const double R[9])
{
    rt_v3_set(v, (R[7] - R[5]) / 2, (R[2] - R[6]) / 2, (R[3] - R[1]) / 2);
}

/* C += s A B */
static void add_product(double C[9], double s, const double A[9], const double B[9])
{
    double P[9];
    rt_m3_mul(P, A, B);
    for (int i = 0; i < 9; i++) C[i] += s * P[i];
}

/* vee R and its two rates: R = A A_n',  R' = w~ R - R w_n~ */
static void turn_of(const rt_frame *f, const rt_frame *n, double x[3][3])
{
    double R[3][9] = {{0}}, w[9], w_n[9], al[9], al_n[9];
    rt_m3_skew(w, f->w);
    rt_m3_skew(w_n, n->w);
    rt_m3_skew(al, f->al);
    rt_m3_skew(al_n, n->al);
    rt_m3_mul_t(R[0], f->A, n->A);
    add_product(R[1], 1, w, R[0]);
    add_product(R[1], -1, R[0], w_n);
    add_product(R[2], 1, al, R[0]);
    add_product(R[2], 1, w, R[1]);
    add_product(R[2], -1, R[1], w_n);
    add_product(R[2], -1, R[0], al_n);
    for (int d = 0; d < 3; d++) vee(x[d], R[d]);
}

static void read_component(oracle *q, int k)
{
    const rt_frame *f = &q->s->w->bodies[q->states->body[k]];
    const rt_frame *n = &q->body[q->states->body[k]];
    const int axis = q->states->component[k] % 3;
    const double *e0 = q->o->e[0][axis], *e1 = q->o->e[1][axis], *e2 = q->o->e[2][axis];
    double x[3][3];
    if (q->states->component[k] < 3) {
        rt_v3_sub(x[0], f->r, n->r);
        rt_v3_sub(x[1], f->v, n->v);
        rt_v3_sub(x[2], f->a, n->a);
    } else {
        turn_of(f, n, x);
    }
    q->S[0][k] = rt_v3_dot(e0, x[0]);
    q->S[1][k] = rt_v3_dot(e1, x[0]) + rt_v3_dot(e0, x[1]);
    q->S[2][k] = rt_v3_dot(e2, x[0]) + 2 * rt_v3_dot(e1, x[1]) + rt_v3_dot(e0, x[2]);
}

static bool is_user(const oracle *q, int k) { return q->states->body[k] < 0; }

static void read_user(const oracle *q, int k, double value[3])
{
    rt_gradient phi;
    rt_user_state_jets(q->s, q->states->user, q->states->component[k], value, &phi);
}

static void read_states(oracle *q)
{
    for (int k = 0; k < q->z; k++) {
        double value[3];
        if (!is_user(q, k)) {
            read_component(q, k);
            continue;
        }
        read_user(q, k, value);
        for (int d = 0; d < 3; d++) q->S[d][k] = value[d] - q->user[3 * k + d];
    }
}

/* dS_k/dxi = dS_k'/du on its body's columns; d vee(R) = 1/2 (tr R - R) dtheta. */
static int component_gradient(const oracle *q, int k)
{
    const int body = q->states->body[k], component = q->states->component[k];
    const double *e = q->o->e[0][component % 3];
    double p[3];
    rt_motion map;
    rt_marker_motion(q->s->m, q->s->w, q->s->state, body, &map);
    rt_v3_copy(p, e);
    if (component >= 3) {
        double R[9], T[9];
        rt_m3_mul_t(R, q->s->w->bodies[body].A, q->body[body].A);
        for (int i = 0; i < 9; i++) T[i] = ((i % 4 == 0 ? R[0] + R[4] + R[8] : 0) - R[i]) / 2;
        rt_m3_tmul_v(p, T, e);
    }
    const double *J = map.J + component / 3 * 3 * map.n;
    for (int c = 0; c < map.n; c++) {
        q->gradient_column[c] = map.columns[c];
        q->gradient[c] = p[0] * J[c] + p[1] * J[map.n + c] + p[2] * J[2 * map.n + c];
    }
    return map.n;
}

static int state_gradient(const oracle *q, int k)
{
    if (!is_user(q, k)) return component_gradient(q, k);
    rt_state_row *row = &q->rows[k];
    rt_state_row_fill(q->s, q->o, q->states->user, q->states->candidate[k], row);
    memcpy(q->gradient_column, row->columns, (size_t)row->n * sizeof *row->columns);
    memcpy(q->gradient, row->s_x, (size_t)row->n * sizeof *row->s_x);
    return row->n;
}

/* ---- P = [G_kept; dS/dxi] ------------------------------------------------------------------- */

static routh_status make_manifold(oracle *q, rt_arena *arena, routh_error *error)
{
    const rt_search *s = q->s;
    const rt_pattern *G = &s->m->pattern_G;
    const size_t room = (size_t)G->start[q->n] + (size_t)q->n * (size_t)q->z;
    int *row = RT_TAKE(arena, int, room), *column = RT_TAKE(arena, int, room);
    q->position = RT_TAKE(arena, int, room);
    q->slot = RT_TAKE(arena, int, s->m->n_rows);
    if (!row || !column || !q->position || !q->slot) return rt_fail_memory(error);
    int kept = 0;
    size_t e = 0;
    for (int r = 0; r < s->m->n_rows; r++) q->slot[r] = s->rank->row_step[r] < 0 ? -1 : kept++;
    for (int c = 0; c < q->n; c++)
        for (int p = G->start[c]; p < G->start[c + 1]; p++)
            if (q->slot[G->row[p]] >= 0) row[e] = q->slot[G->row[p]], column[e++] = c;
    for (int k = 0; k < q->z; k++) {
        const int n = state_gradient(q, k);
        for (int c = 0; c < n; c++) row[e] = kept + k, column[e++] = q->gradient_column[c];
    }
    routh_status status =
        rt_pattern_build(&q->pattern, q->n, q->n, e, row, column, q->position, arena, error);
    if (status) return status;
    q->values = RT_TAKE(arena, double, q->pattern.start[q->n]);
    if (!q->values) return rt_fail_memory(error);
    return rt_factor_create(&q->factor, &q->pattern, RT_ORDER_COLAMD, error);
}

static routh_status factor_manifold(oracle *q, routh_error *error)
{
    const rt_pattern *G = &q->s->m->pattern_G;
    const int *to = q->position;
    memset(q->values, 0, (size_t)q->pattern.start[q->n] * sizeof *q->values);
    for (int p = 0; p < G->start[q->n]; p++)
        if (q->slot[G->row[p]] >= 0) q->values[*to++] += q->s->w->G[p];
    for (int k = 0; k < q->z; k++) {
        const int n = state_gradient(q, k);
        for (int c = 0; c < n; c++) q->values[*to++] += q->gradient[c];
    }
    return rt_factor_numeric(q->factor, q->values, error);
}

/* P step = -[phi; S - wanted] */
static routh_status solve_manifold(oracle *q, const double *phi, const double *S,
                                   const double *wanted, routh_error *error)
{
    for (int r = 0; r < q->s->m->n_rows; r++)
        if (q->slot[r] >= 0) q->step[q->slot[r]] = -phi[r];
    for (int k = 0; k < q->z; k++) q->step[q->n - q->z + k] = wanted[k] - S[k];
    return rt_factor_solve(q->factor, q->step, 1, NULL, error);
}

/* ---- the nonlinear equations, given S and W ------------------------------------------------- */

static routh_status evaluate_levels(oracle *q, routh_error *error)
{
    const int what = RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN;
    const routh_status status = rt_evaluate(q->s->m, q->s->w, q->s->state, what, error);
    if (!status) read_states(q);
    return status;
}

/* Phi = 0, S(q) = S by Newton's method, which converges quadratically: after a step of a billionth
 * only rounding is left. */
static routh_status find_position(oracle *q, routh_error *error)
{
    const routh_mechanism *m = q->s->m;
    for (int k = 0; k < MOST_STEPS; k++) {
        double largest = 0;
        routh_status status = evaluate_levels(q, error);
        if (!status) status = factor_manifold(q, error);
        if (!status) status = solve_manifold(q, q->s->w->phi[0], q->S[0], q->wanted, error);
        if (status) return status;
        for (int c = 0; c < q->n; c++)
            largest = fmax(largest, fabs(q->step[c]) / (q->s->unit[c] * m->length));
        rt_advance(m, q->s->state->q, q->step);
        if (largest < 1e-9) return ROUTH_OK;
    }
    return rt_fail(error, ROUTH_NOT_ASSEMBLED,
                   "the mechanism could not be assembled with its states moved by a small step: it "
                   "is too close to a singular configuration for differences; use --method "
                   "augmented");
}

/* Phi' = 0, S' = W: linear in u, so the second pass removes rounding only. */
static routh_status find_velocity(oracle *q, routh_error *error)
{
    routh_status status = evaluate_levels(q, error);
    if (!status) status = factor_manifold(q, error);
    for (int pass = 0; pass < 2 && !status; pass++) {
        status = solve_manifold(q, q->s->w->phi[1], q->S[1], q->wanted + q->z, error);
        for (int c = 0; c < q->n && !status; c++) q->s->state->u[c] += q->step[c];
        if (!status) status = evaluate_levels(q, error);
    }
    return status;
}

/* S'' and u with state k (0..z-1: S, then W) moved by h. */
static routh_status perturbed(oracle *q, int k, double h, double *out, routh_error *error)
{
    rt_state_copy(q->s->m, q->s->state, q->nominal);
    memset(q->wanted, 0, 2 * (size_t)q->z * sizeof *q->wanted);
    q->wanted[k] = h;
    routh_status status = find_position(q, error);
    if (!status) status = find_velocity(q, error);
    if (!status) status = rt_find_accelerations(q->s, error);
    if (status) return status;
    rt_evaluate_frames(q->s->m, q->s->w, q->s->state);
    read_states(q);
    memcpy(out, q->S[2], (size_t)q->z * sizeof *out);
    memcpy(out + q->z, q->s->state->u, (size_t)q->n * sizeof *out);
    return ROUTH_OK;
}

/* ---- differences ---------------------------------------------------------------------------- */

/* Largest weighted entry of a - b in a part; b NULL: zero. */
static double size_of(const oracle *q, int part, const double *a, const double *b)
{
    double worst = 0;
    for (int i = part ? q->z : 0; i < (part ? q->z + q->n : q->z); i++)
        worst = fmax(worst, q->weight[i] * fabs(a[i] - (b ? b[i] : 0)));
    return worst;
}

/* Keeps the entry x of the table if it agrees better with its two neighbours than the best one;
 * what rounding makes of a difference at step h counts too. */
static void keep_best(oracle *q, double h, const double *x, const double *left, const double *above)
{
    for (int part = 0; part < PARTS; part++) {
        const double rounding = DBL_EPSILON * size_of(q, part, q->plus, NULL) / h;
        const double off = rounding + fmax(size_of(q, part, x, left), size_of(q, part, x, above));
        if (!(off < q->error[part])) continue;
        const size_t from = part ? (size_t)q->z : 0, count = (size_t)(part ? q->n : q->z);
        memcpy(q->best + from, x + from, count * sizeof *x);
        q->error[part] = off;
    }
}

/* T_i0 = (f(h) - f(-h)) / 2h at h/2^i,  T_ij = T_i,j-1 + (T_i,j-1 - T_i-1,j-1) / (4^j - 1) */
static routh_status fill_table(oracle *q, int k, double h, routh_error *error)
{
    const size_t width = (size_t)(q->z + q->n);
    for (int i = 0; i < LEVELS; i++, h /= 2) {
        routh_status status = perturbed(q, k, h, q->plus, error);
        if (!status) status = perturbed(q, k, -h, q->minus, error);
        if (status) return status;
        for (size_t c = 0; c < width; c++) q->row[c] = (q->plus[c] - q->minus[c]) / (2 * h);
        double power = 1;
        for (int j = 1; j <= i; j++) {
            const double *left = q->row + width * (size_t)(j - 1);
            const double *above = q->row_before + width * (size_t)(j - 1);
            double *x = q->row + width * (size_t)j;
            power *= 4;
            for (size_t c = 0; c < width; c++) x[c] = left[c] + (left[c] - above[c]) / (power - 1);
            keep_best(q, h, x, left, above);
        }
        double *swap = q->row;
        q->row = q->row_before;
        q->row_before = swap;
    }
    return ROUTH_OK;
}

/* Where the manifold is strongly curved steps must be short: tables are begun with shorter and
 * shorter ones until one is good enough. A step too long for the mechanism counts for nothing. */
static routh_status differentiate(oracle *q, int k, double scale, double rate, routh_error *error)
{
    double h = first_step * scale;
    routh_status status = ROUTH_OK;
    for (int part = 0; part < PARTS; part++) q->error[part] = INFINITY;
    for (int start = 0; start < STARTS; start++, h /= 8) {
        status = fill_table(q, k, h, error);
        if (status == ROUTH_OUT_OF_MEMORY) return status;
        const double size[PARTS] = {fmax(size_of(q, 0, q->best, NULL), rate * rate / scale),
                                    fmax(size_of(q, 1, q->best, NULL), rate / scale)};
        if (q->error[0] <= good_enough * size[0] && q->error[1] <= good_enough * size[1]) break;
    }
    return isfinite(q->error[0]) ? ROUTH_OK : status;
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
    return rt_candidate_size(q->s->m, q->states->user, q->states->candidate[k]);
}

/* Columns k = 0..z-1 by S (level 0) or by W (level 1): A and du/dS, du/dW. *largest and *worst, of
 * all so far: the largest entry of A and its error, in typical lengths and radians. */
static routh_status find_columns(oracle *q, int level, double rate, double *A, double *du,
                                 double *largest, double *worst, routh_error *error)
{
    for (int k = 0; k < q->z; k++) {
        const double size = size_of_state(q, k);
        const double scale = level ? size * rate : size;
        const routh_status status = differentiate(q, level * q->z + k, scale, rate, error);
        if (status) return status;
        for (int i = 0; i < q->z; i++) A[i * q->z + k] = q->best[i];
        memcpy(du + (size_t)q->n * k, q->best + q->z, (size_t)q->n * sizeof *du);
        *largest = fmax(*largest, size_of(q, 0, q->best, NULL) * scale);
        *worst = fmax(*worst, q->error[0] * scale);
    }
    return ROUTH_OK;
}

/* The steps of W are those of S times the fastest rate, which the columns by S tell. */
static routh_status find_all_columns(oracle *q, rt_sensitivity *out, routh_error *error)
{
    double rate = typical_rate(q->s), largest = 0, worst = 0;
    routh_status status = find_columns(q, 0, rate, out->A_SS, out->U, &largest, &worst, error);
    rate = fmax(rate, sqrt(largest));
    if (!status) status = find_columns(q, 1, rate, out->A_SW, out->X, &largest, &worst, error);
    /* not even rounding makes it zero */
    out->error_estimate = fmax(worst / fmax(largest, DBL_MIN), DBL_EPSILON);
    return status;
}

/* Mhat = X' M X */
static void reduced_mass(oracle *q, rt_sensitivity *out)
{
    for (int k = 0; k < q->z; k++) {
        memset(q->step, 0, (size_t)q->n * sizeof *q->step);
        rt_sparse_multiply_add(&q->s->m->pattern_M, q->s->w->M, 1, out->X + (size_t)q->n * k,
                               q->step);
        for (int i = 0; i < q->z; i++) {
            double sum = 0;
            for (int c = 0; c < q->n; c++) sum += out->X[(size_t)q->n * i + c] * q->step[c];
            out->Mhat[i * q->z + k] = sum;
        }
    }
}

/* ---- putting it together -------------------------------------------------------------------- */

static bool take(oracle *q, rt_arena *arena)
{
    const size_t n = (size_t)q->n, z = (size_t)q->z, width = n + z;
    bool ok = (q->body = RT_TAKE(arena, rt_frame, q->s->m->n_bodies)) != NULL;
    for (int d = 0; d < 3; d++) ok = ok && (q->S[d] = RT_TAKE(arena, double, z));
    ok = ok && (q->wanted = RT_TAKE(arena, double, 2 * z)) && (q->step = RT_TAKE(arena, double, n));
    ok = ok && (q->user = RT_TAKE(arena, double, 3 * z));
    ok = ok && (q->rows = RT_TAKE(arena, rt_state_row, z));
    ok = ok && (q->gradient = RT_TAKE(arena, double, n));
    ok = ok && (q->gradient_column = RT_TAKE(arena, int, n));
    ok = ok && (q->plus = RT_TAKE(arena, double, width));
    ok = ok && (q->minus = RT_TAKE(arena, double, width));
    ok = ok && (q->weight = RT_TAKE(arena, double, width));
    ok = ok && (q->best = RT_TAKE(arena, double, width));
    ok = ok && (q->row = RT_TAKE(arena, double, LEVELS *width));
    return ok && (q->row_before = RT_TAKE(arena, double, LEVELS *width));
}

static routh_status take_user_rows(oracle *q, rt_arena *arena, routh_error *error)
{
    routh_status status = ROUTH_OK;
    for (int k = 0; k < q->z && !status; k++)
        if (is_user(q, k))
            status = rt_state_row_take(q->s, q->states->user, q->states->candidate[k], arena,
                                       &q->rows[k], error);
    return status;
}

static void set_nominal(oracle *q)
{
    const double length = q->s->m->length;
    rt_state_copy(q->s->m, q->nominal, q->s->state);
    memcpy(q->body, q->s->w->bodies, (size_t)q->s->m->n_bodies * sizeof *q->body);
    for (int k = 0; k < q->z; k++) {
        q->weight[k] = 1 / size_of_state(q, k);
        if (is_user(q, k)) read_user(q, k, q->user + 3 * (size_t)k);
    }
    for (int c = 0; c < q->n; c++) q->weight[q->z + c] = 1 / (q->s->unit[c] * length);
}

/* The state and everything in the workspace as they were found. */
static routh_status restore(oracle *q, routh_error *error)
{
    rt_state_copy(q->s->m, q->s->state, q->nominal);
    return rt_evaluate(q->s->m, q->s->w, q->s->state, RT_EVALUATE_ALL, error);
}

/* In a singular configuration there are directions that no motion has. */
static routh_status explain(rt_search *s, routh_status status, routh_error *error)
{
    int rank;
    s->max_iterations = 100; /* to assemble a little away */
    if (status == ROUTH_OUT_OF_MEMORY || rt_rank_nearby(s, &rank, NULL) || rank <= s->rank->rank)
        return status;
    return rt_fail(error, ROUTH_NOT_SUPPORTED,
                   "the difference method moves the mechanism along each of its %d degrees of "
                   "freedom, and in this singular configuration it cannot move along all of them: "
                   "use --method augmented, or modes --branches for the motions there are",
                   s->m->n_u - s->rank->rank);
}

static routh_status run(const rt_method_task *task, rt_arena *arena, rt_sensitivity *out,
                        routh_error *error)
{
    rt_search *s = task->search;
    oracle q = {
        .s = s, .o = task->observer, .states = task->states, .n = s->m->n_u, .z = task->states->z};
    if (q.z > MOST_STATES)
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                       "the difference method solves the nonlinear equations many times for every "
                       "state, for at most %d degrees of freedom; this mechanism has %d: use "
                       "--method augmented",
                       MOST_STATES, q.z);
    routh_status status = rt_sensitivity_take(out, q.n, q.z, arena, error);
    if (!status && !take(&q, arena)) status = rt_fail_memory(error);
    if (!status) status = rt_state_create(&q.nominal, s->m, error);
    if (status) return status;
    set_nominal(&q);
    status = take_user_rows(&q, arena, error);
    if (!status) status = make_manifold(&q, arena, error);
    if (!status) status = find_all_columns(&q, out, error);
    routh_error ignored;
    const routh_status restored = restore(&q, status ? &ignored : error);
    if (!status) status = restored;
    if (!status) reduced_mass(&q, out);
    rt_factor_free(q.factor);
    rt_state_free(q.nominal);
    return status ? explain(s, status, error) : ROUTH_OK;
}

const rt_method rt_method_difference = {
    .name = "difference",
    .about = "an oracle for checks: differences of the nonlinear equations",
    .run = run,
};
