/* See flexible.h. */
#include "system/flexible.h"

#include "base/rotation.h"
#include "system/scatter.h"

/* ---- room ----------------------------------------------------------------------------------- */

static int flexible_larger(int a, int b) { return a > b ? a : b; }

bool rt_flexible_room(rt_workspace *w, const routh_mechanism *m)
{
    rt_arena *a = &w->arena;
    int n = 0, entries = 0;
    for (int k = 0; k < m->n_flexible; k++) {
        const rt_flexible *shape = m->flexible[k].shape;
        n = flexible_larger(n, shape->n),
        entries = flexible_larger(entries, shape->pattern.start[shape->n]);
    }
    bool ok = true;
    for (int d = 0; d < 3; d++) ok = ok && (w->elastic[d] = RT_TAKE(a, rt_scalar, m->n_elastic));
    ok = ok && (w->nodes = RT_TAKE(a, rt_frame, m->n_flexible_markers));
    ok = ok && (w->node_wrench = RT_TAKE(a, rt_scalar, 6 * (size_t)m->n_flexible_markers));
    ok = ok && (w->flexible = RT_TAKE(a, rt_flexible_result, 1));
    rt_flexible_result *f = w->flexible;
    ok = ok && (f->elastic = RT_TAKE(a, rt_scalar, n)) && (f->scale = RT_TAKE(a, double, n));
    for (int d = 0; d < 3; d++) {
        ok = ok && (f->by_elastic[d] = RT_TAKE(a, rt_scalar, 6 * (size_t)n));
        ok = ok && (f->by_frame[d] = RT_TAKE(a, rt_scalar, 6 * (size_t)n));
        ok = ok && (f->inner[d] = RT_TAKE(a, rt_scalar, entries));
    }
    return ok;
}

void rt_flexible_take(const routh_mechanism *m, rt_workspace *w, const rt_state *state)
{
    const size_t size = (size_t)m->n_elastic * sizeof(rt_scalar);
    if (size == 0) return;
    memcpy(w->elastic[0], state->q + m->first_elastic_q, size);
    memcpy(w->elastic[1], state->u + m->first_elastic, size);
    memcpy(w->elastic[2], state->udot + m->first_elastic, size);
}

/* ---- nodes ---------------------------------------------------------------------------------- */

/* The derivatives of a node's numbers; NULL: there are none. */
static const rt_flexible_node *slope_of(const routh_mechanism *m, const rt_flexible_marker *f)
{
    const rt_flexible *shape = rt_shape_slope(m->along, f->body);
    return shape ? &shape->nodes[f->index] : NULL;
}

/* sum X_k x_k, X 3 x n with its derivatives */
static void flexible_combine(rt_scalar y[3], const rt_flexible_node *node, const double *X,
                             const double *slopes, const rt_scalar *x)
{
    for (int i = 0; i < 3; i++) {
        y[i] = 0;
        for (int k = 0; k < node->n; k++)
            y[i] += rt_shape_number(X, slopes, i * node->n + k) * x[node->column[k]];
    }
}

/* The turn psi of a node, and T(psi) with its rates. */
static void node_turn(const routh_mechanism *m, const rt_workspace *w, const rt_flexible_marker *f,
                      rt_scalar psi[3][3], rt_scalar T[3][9])
{
    const rt_flexible_node *by = slope_of(m, f);
    for (int d = 0; d < 3; d++)
        flexible_combine(psi[d], f->node, f->node->R, by ? by->R : NULL, w->elastic[d] + f->first);
    rt_rotation_left_jet(T, psi[0], psi[1], psi[2]);
}

/* In the body's axes: place and rates s, angular velocity T psi', acceleration
 * T psi'' + T' psi'. */
static void node_frame(const routh_mechanism *m, const rt_workspace *w, const rt_flexible_marker *f,
                       rt_frame *out)
{
    const rt_flexible_node *by = slope_of(m, f);
    const rt_frame *body = &w->bodies[f->body];
    rt_scalar d[3][3], psi[3][3], T[3][9], local[3], turned[9], axes[9], E[9], x[3], ws[3], y[3];
    for (int k = 0; k < 3; k++)
        flexible_combine(d[k], f->node, f->node->S, by ? by->S : NULL, w->elastic[k] + f->first);
    node_turn(m, w, f, psi, T);
    for (int k = 0; k < 3; k++) local[k] = RT_SHAPE_NUMBER(f->node, by, X, k) + d[0][k];
    rt_m3_mul_v(x, body->A, local);
    rt_v3_add(out->r, body->r, x);
    /* v = v_b + w x s + A d',  a = a_b + al x s + w x (w x s) + 2 w x A d' + A d'' */
    rt_v3_cross(ws, body->w, x);
    rt_m3_mul_v(y, body->A, d[1]);
    rt_v3_add(out->v, body->v, ws);
    rt_v3_add(out->v, out->v, y);
    rt_v3_copy(out->a, body->a);
    rt_v3_cross_add(out->a, body->al, x);
    rt_v3_cross_add(out->a, body->w, ws);
    rt_v3_scale(y, 2, y);
    rt_v3_cross_add(out->a, body->w, y);
    rt_m3_mul_v(y, body->A, d[2]);
    rt_v3_add(out->a, out->a, y);
    rt_rotation_exp(E, psi[0]);
    rt_m3_mul(turned, body->A, E);
    for (int k = 0; k < 9; k++) axes[k] = RT_SHAPE_NUMBER(f->node, by, axes, k);
    rt_m3_mul(out->A, turned, axes);
    rt_m3_mul_v(x, T[0], psi[1]);
    rt_m3_mul_v(y, body->A, x);
    rt_v3_add(out->w, body->w, y);
    rt_v3_copy(out->al, body->al);
    rt_v3_cross_add(out->al, body->w, y);
    rt_m3_mul_v(x, T[0], psi[2]);
    rt_m3_mul_v(local, T[1], psi[1]);
    rt_v3_add(x, x, local);
    rt_m3_mul_v(y, body->A, x);
    rt_v3_add(out->al, out->al, y);
}

void rt_flexible_marker_frame(const routh_mechanism *m, const rt_workspace *w, int number)
{
    const rt_flexible_marker *f = &m->flexible_markers[number];
    node_frame(m, w, f, &w->nodes[number]);
    rt_frame_marker(&w->markers[f->marker], &w->nodes[number],
                    m->marker_position + 3 * (size_t)f->marker,
                    m->marker_orientation + 9 * (size_t)f->marker);
}

/* ---- maps ----------------------------------------------------------------------------------- */

/* What a node's column does to its marker: displacement and turn, with first and second time
 * derivatives along the motion, world. */
typedef struct jet6 {
    rt_scalar u[3][3], turn[3][3];
} jet6;

/* The arm from the node to the marker, with its rates. */
static void find_arm(const rt_workspace *w, int number, int marker, rt_scalar arm[3][3])
{
    const rt_frame *node = &w->nodes[number], *f = &w->markers[marker];
    rt_v3_sub(arm[0], f->r, node->r);
    rt_v3_cross(arm[1], node->w, arm[0]);
    rt_v3_cross(arm[2], node->al, arm[0]);
    rt_v3_cross_add(arm[2], node->w, arm[1]);
}

/* A x of x constant, and of x with rates x1, x2: (A x)' = w x A x + A x', and again. */
static void turn_with(const rt_frame *body, rt_scalar local[3][3], rt_scalar out[3][3])
{
    rt_scalar a0[3], a1[3], a2[3], t[3];
    rt_m3_mul_v(a0, body->A, local[0]);
    rt_m3_mul_v(a1, body->A, local[1]);
    rt_m3_mul_v(a2, body->A, local[2]);
    rt_v3_copy(out[0], a0);
    rt_v3_cross(t, body->w, a0);
    rt_v3_add(out[1], t, a1);
    rt_v3_cross(out[2], body->al, a0);
    rt_v3_cross_add(out[2], body->w, t);
    rt_v3_scale(a1, 2, a1);
    rt_v3_cross_add(out[2], body->w, a1);
    rt_v3_add(out[2], out[2], a2);
}

/* u = A S_k + W x arm,  W = A T R_k */
static void column_jet(const rt_frame *body, const rt_flexible_node *node,
                       const rt_flexible_node *by, int k, rt_scalar T[3][9], rt_scalar arm[3][3],
                       jet6 *out)
{
    rt_scalar S[3][3] = {{0}}, W[3][3], R[3];
    for (int i = 0; i < 3; i++) {
        S[0][i] = RT_SHAPE_NUMBER(node, by, S, i * node->n + k);
        R[i] = RT_SHAPE_NUMBER(node, by, R, i * node->n + k);
    }
    for (int d = 0; d < 3; d++) rt_m3_mul_v(W[d], T[d], R);
    turn_with(body, S, out->u);
    turn_with(body, W, out->turn);
    rt_scalar twice[3];
    rt_v3_cross_add(out->u[0], out->turn[0], arm[0]);
    rt_v3_cross_add(out->u[1], out->turn[1], arm[0]);
    rt_v3_cross_add(out->u[1], out->turn[0], arm[1]);
    rt_v3_cross_add(out->u[2], out->turn[2], arm[0]);
    rt_v3_scale(twice, 2, out->turn[1]);
    rt_v3_cross_add(out->u[2], twice, arm[1]);
    rt_v3_cross_add(out->u[2], out->turn[0], arm[2]);
}

/* xi = Y q,  xi' = Y q' + Y' q,  xi'' = Y q'' + 2 Y' q' + Y'' q */
void rt_flexible_columns(const routh_mechanism *m, const rt_workspace *w, int number, int first,
                         int n, rt_scalar *J, rt_scalar *J1, rt_scalar *J2u, rt_scalar *J2x)
{
    const rt_flexible_marker *f = &m->flexible_markers[number];
    rt_scalar psi[3][3], T[3][9], arm[3][3];
    node_turn(m, w, f, psi, T);
    find_arm(w, number, f->marker, arm);
    for (int k = 0; k < f->node->n; k++) {
        jet6 y;
        column_jet(&w->bodies[f->body], f->node, slope_of(m, f), k, T, arm, &y);
        for (int i = 0; i < 6; i++) {
            rt_scalar(*part)[3] = i < 3 ? y.u : y.turn;
            const int at = i * n + first + k, c = i % 3;
            J[at] = part[0][c];
            J1[at] = part[1][c];
            J2u[at] = 2 * part[1][c];
            J2x[at] = part[2][c];
        }
    }
}

static void flexible_widen(rt_scalar *to, const rt_scalar *from, int n_from, int n)
{
    for (int i = 0; i < 6; i++) memcpy(to + i * n, from + i * n_from, (size_t)n_from * sizeof *to);
}

void rt_flexible_map(const routh_mechanism *m, const rt_workspace *w, int number,
                     rt_marker_map *map)
{
    const rt_flexible_marker *f = &m->flexible_markers[number];
    const int n_b = map->fixed.n, n = n_b + f->node->n;
    map->n = n, map->still = false;
    map->J = map->wide;
    map->J1 = map->J + 6 * n;
    map->J2u = map->J1 + 6 * n;
    map->J2x = map->J2u + 6 * n;
    flexible_widen(map->J, map->fixed.J, n_b, n);
    flexible_widen(map->J1, map->fixed.J1, n_b, n);
    flexible_widen(map->J2u, map->fixed.J2u, n_b, n);
    flexible_widen(map->J2x, map->fixed.J2x, n_b, n);
    rt_flexible_columns(m, w, number, n_b, n, map->J, map->J1, map->J2u, map->J2x);
}

/* ---- geometric stiffness of markers --------------------------------------------------------- */

/* A wrench (f, t) on the marker, held fixed; tau = t + arm x f on the node. The forces on the
 * elastic columns and the torque on the body,
 *     g_k = (A S_k) . f + W_k . tau,      t_b = .. + s x f
 * change with dtheta of the body and dq_l, ds = U_l dq_l, darm = (dtheta + sum W_l dq_l) x arm, dT
 * along R_l:
 *     dg_k = dtheta . (A S_k x f + W_k x tau + arm x (f x W_k))
 *            + sum_l dq_l (A dT_l R_k . tau + W_k . f x (arm x W_l))
 *     dt_b = sum_l dq_l U_l x f */
typedef struct flexible_held {
    const rt_frame *body;
    const rt_flexible_node *node, *by;
    rt_scalar f[3], tau[3], tau_local[3], arm[3];
    rt_scalar psi[3];
} flexible_held;

static void by_turning_body(const flexible_held *h, const rt_scalar AS[3], const rt_scalar W[3],
                            rt_scalar y[3])
{
    rt_scalar fW[3];
    rt_v3_cross(y, AS, h->f);
    rt_v3_cross_add(y, W, h->tau);
    rt_v3_cross(fW, h->f, W);
    rt_v3_cross_add(y, h->arm, fW);
}

/* tau . A dT[R_l] R_k for all k, l, into K from (first, first) of an n x n table */
static void by_bending(const flexible_held *h, const rt_scalar *W, rt_scalar *K, int first, int n)
{
    const rt_flexible_node *node = h->node;
    static const rt_scalar none[3] = {0};
    for (int l = 0; l < node->n; l++) {
        rt_scalar T[3][9], R[3], y[3], turn[3], fturn[3], Wl[3];
        for (int i = 0; i < 3; i++) {
            R[i] = RT_SHAPE_NUMBER(node, h->by, R, i * node->n + l);
            Wl[i] = W[i * node->n + l];
        }
        rt_rotation_left_jet(T, h->psi, R, none);
        rt_m3_tmul_v(y, T[1], h->tau_local);
        rt_v3_cross(turn, h->arm, Wl);
        rt_v3_cross(fturn, h->f, turn);
        for (int k = 0; k < node->n; k++) {
            rt_scalar sum = 0;
            for (int i = 0; i < 3; i++)
                sum += y[i] * RT_SHAPE_NUMBER(node, h->by, R, i * node->n + k) +
                       W[i * node->n + k] * fturn[i];
            K[(size_t)(first + k) * (size_t)n + (size_t)(first + l)] += sum;
        }
    }
}

static flexible_held hold(const routh_mechanism *m, const rt_workspace *w, int number,
                          const rt_scalar *wrench)
{
    const rt_flexible_marker *f = &m->flexible_markers[number];
    flexible_held h = {.body = &w->bodies[f->body], .node = f->node, .by = slope_of(m, f)};
    rt_scalar arm[3][3], psi[3][3], T[3][9];
    find_arm(w, number, f->marker, arm);
    node_turn(m, w, f, psi, T);
    rt_v3_copy(h.f, wrench);
    rt_v3_copy(h.arm, arm[0]);
    rt_v3_copy(h.psi, psi[0]);
    rt_v3_cross(h.tau, h.arm, h.f);
    rt_v3_add(h.tau, h.tau, wrench + 3);
    rt_m3_tmul_v(h.tau_local, h.body->A, h.tau);
    return h;
}

void rt_flexible_bending(const routh_mechanism *m, const rt_workspace *w, int number,
                         const rt_scalar wrench[6], const rt_scalar *turn, rt_scalar *bend)
{
    const flexible_held h = hold(m, w, number, wrench);
    by_bending(&h, turn, bend, 0, h.node->n);
}

static void marker_geometric(const routh_mechanism *m, rt_workspace *w, const rt_state *state,
                             int number)
{
    const rt_flexible_marker *f = &m->flexible_markers[number];
    const rt_flexible_node *node = f->node;
    const flexible_held h = hold(m, w, number, w->node_wrench + 6 * (size_t)number);
    rt_marker_map *map = w->maps; /* of the body: how it turns; of the marker: U_l */
    rt_one_map(m, w, state, f->marker, map);
    const int n = map->n, n_b = n - node->n;
    rt_scalar *K = w->element_product, *W = w->element_map;
    memset(K, 0, (size_t)n * (size_t)n * sizeof *K);
    for (int k = 0; k < node->n; k++)
        for (int i = 0; i < 3; i++) W[i * node->n + k] = map->J[(3 + i) * n + n_b + k];
    by_bending(&h, W, K, n_b, n);
    for (int k = 0; k < node->n; k++) {
        rt_scalar S[3], AS[3], U[3], Wk[3], y[3], z[3];
        for (int i = 0; i < 3; i++) {
            S[i] = RT_SHAPE_NUMBER(node, h.by, S, i * node->n + k);
            U[i] = map->J[i * n + n_b + k];
            Wk[i] = W[i * node->n + k];
        }
        rt_m3_mul_v(AS, h.body->A, S);
        by_turning_body(&h, AS, Wk, y);
        rt_v3_cross(z, U, h.f);
        for (int c = 0; c < n_b; c++)
            for (int i = 0; i < 3; i++) {
                const rt_scalar turn = map->J[(3 + i) * n + c];
                K[(size_t)(n_b + k) * (size_t)n + (size_t)c] += y[i] * turn;
                K[(size_t)c * (size_t)n + (size_t)(n_b + k)] += turn * z[i];
            }
    }
    for (size_t k = 0; k < (size_t)n * (size_t)n; k++) w->K[f->position[k]] += K[k];
}

void rt_flexible_geometric(const routh_mechanism *m, rt_workspace *w, const rt_state *state)
{
    for (int k = 0; k < m->n_flexible_markers; k++) {
        const rt_scalar *x = w->node_wrench + 6 * (size_t)k;
        bool acts = false;
        for (int i = 0; i < 6; i++) acts = acts || x[i] != 0;
        if (acts) marker_geometric(m, w, state, k);
    }
}

/* ---- the body ------------------------------------------------------------------------------- */

/* At rest most of the maps are 0. */
static bool flexible_is_zero(const rt_scalar *X, int n)
{
    for (int i = 0; i < n; i++)
        if (X[i] != 0) return false;
    return true;
}

/* Y = sum X_level map_level over 6 rows: the partials of n rows by the frame's columns. by_frame is
 * n x 6; entry (k, c) goes to position[k n_columns + c]. */
static void add_by_frame(rt_scalar *to, const int *position, const rt_scalar *by_frame,
                         const rt_scalar *X, int n, int n_columns)
{
    if (flexible_is_zero(X, 6 * n_columns)) return;
    for (int k = 0; k < n; k++)
        for (int c = 0; c < n_columns; c++) {
            rt_scalar sum = 0;
            for (int i = 0; i < 6; i++) sum += by_frame[6 * (size_t)k + i] * X[i * n_columns + c];
            to[position[(size_t)k * n_columns + c]] += sum;
        }
}

/* J' by_elastic, by_elastic: 6 x n */
static void add_by_elastic(rt_scalar *to, const int *position, const rt_scalar *by_elastic,
                           const rt_scalar *J, int n, int n_columns)
{
    for (int c = 0; c < n_columns; c++)
        for (int k = 0; k < n; k++) {
            rt_scalar sum = 0;
            for (int i = 0; i < 6; i++) sum += J[i * n_columns + c] * by_elastic[(size_t)i * n + k];
            to[position[(size_t)c * n + k]] += sum;
        }
}

static void add_inner(rt_scalar *to, const int *position, const rt_scalar *values, int n)
{
    for (int k = 0; k < n; k++) to[position[k]] += values[k];
}

static void scatter_partials(const routh_mechanism *m, rt_workspace *w, const rt_flexible_block *f,
                             bool tangent, bool mass)
{
    const rt_flexible_result *x = w->flexible;
    const rt_marker_map *map = w->maps;
    const int n = f->shape->n, n_b = m->bodies[f->body].block.n_columns,
              entries = f->shape->pattern.start[n];
    if (tangent) {
        add_by_elastic(w->K, f->K.by_elastic, x->by_elastic[0], map->J, n, n_b);
        add_by_elastic(w->D, f->K.by_elastic, x->by_elastic[1], map->J, n, n_b);
        add_by_frame(w->K, f->K.by_frame, x->by_frame[0], map->J, n, n_b);
        add_by_frame(w->K, f->K.by_frame, x->by_frame[1], map->J1, n, n_b);
        add_by_frame(w->K, f->K.by_frame, x->by_frame[2], map->J2x, n, n_b);
        add_by_frame(w->D, f->K.by_frame, x->by_frame[1], map->J, n, n_b);
        add_by_frame(w->D, f->K.by_frame, x->by_frame[2], map->J2u, n, n_b);
        add_inner(w->K, f->K.inner, x->inner[0], entries);
        add_inner(w->D, f->K.inner, x->inner[1], entries);
    }
    if (!mass) return;
    add_by_elastic(w->M, f->M.by_elastic, x->by_elastic[2], map->J, n, n_b);
    add_by_frame(w->M, f->M.by_frame, x->by_frame[2], map->J, n, n_b);
    add_inner(w->M, f->M.inner, x->inner[2], entries);
}

void rt_flexible_body(const routh_mechanism *m, rt_workspace *w, const rt_state *state, int k,
                      int what)
{
    const rt_flexible_block *f = &m->flexible[k];
    const bool tangent = what & RT_EVALUATE_TANGENT, mass = what & RT_EVALUATE_MASS;
    const rt_elastic_state q = {w->elastic[0] + f->first, w->elastic[1] + f->first,
                                w->elastic[2] + f->first};
    rt_flexible_result *x = w->flexible;
    rt_flexible_evaluate(f->shape, rt_shape_slope(m->along, f->body), &w->bodies[f->body], &q,
                         m->gravity, tangent || mass, x);
    for (int i = 0; i < f->shape->n; i++) {
        const int row = m->first_elastic + f->first + i;
        w->residual[row] += x->elastic[i];
        w->scale[row] = fmax(w->scale[row], x->scale[i]);
    }
    rt_block_maps(m, w, state, &m->bodies[f->body].block);
    memcpy(w->element_wrench, x->wrench, sizeof x->wrench);
    if (!tangent && !mass) return;
    scatter_partials(m, w, f, tangent, mass);
    for (int l = 0; l < 3; l++)
        memcpy(w->element_partial + 36 * l, x->frame[l], sizeof x->frame[l]);
}
