/* Tables and evaluation of joined mechanisms: see joined.h. */
#include "system/auxiliary.h"
#include "system/compile.h"
#include "system/flexible.h"
#include "system/joined.h"

/* ---- blocks of the inner matrices ----------------------------------------------------------- */

/* All six columns of a body have the same rows, and those come in sixes. */
static int column_length(const rt_pattern *p, int body)
{
    return p->start[6 * body + 1] - p->start[6 * body];
}

/* The rows of bodies among them; those of elastic coordinates follow. */
static int body_rows(const routh_mechanism *m, const rt_pattern *p, int body)
{
    int n = column_length(p, body);
    while (n > 0 && p->row[p->start[6 * body] + n - 1] >= 6 * m->n_bodies) n--;
    return n;
}

/* Nothing acts on a body that nothing touches and whose inertia is taken elsewhere. */
static bool is_idle(const routh_mechanism *m, int body)
{
    return m->inner->no_inertia && !m->inner->touched[body] && !m->model->bodies[body].flexible;
}

static routh_status make_pairs(routh_mechanism *m, rt_joined_tables *t, routh_error *error)
{
    const rt_pattern *K = &m->inner->pattern_K, *M = &m->inner->pattern_M;
    for (int b = 0; b < m->n_bodies; b++)
        if (!is_idle(m, b)) t->n_pairs += body_rows(m, K, b) / 6;
    t->pairs = RT_TAKE(&m->arena, rt_pair, t->n_pairs);
    if (!t->pairs) return rt_fail_memory(error);
    int n = 0;
    for (int b = 0; b < m->n_bodies; b++)
        for (int e = K->start[6 * b], end = e + body_rows(m, K, b); e < end && !is_idle(m, b);
             e += 6) {
            const int a = K->row[e] / 6;
            t->pairs[n++] = (rt_pair){.a = a,
                                      .b = b,
                                      .at = e,
                                      .stride = column_length(K, b),
                                      .mass = rt_pattern_find(M, 6 * a, 6 * b),
                                      .mass_stride = column_length(M, b)};
        }
    return ROUTH_OK;
}

/* ---- K, D, M -------------------------------------------------------------------------------- */

static void own_curvature_entries(const rt_joined *j, rt_entries *e)
{
    for (int r = 0; r < j->n_own; r++)
        rt_entries_add_product(
            e, j->own_column + j->own_start[r], j->own_start[r + 1] - j->own_start[r],
            j->own_column + j->own_start[r], j->own_start[r + 1] - j->own_start[r]);
}

static void mass_entries(const rt_joined *j, rt_entries *e)
{
    for (int b = 0; b < j->n_bodies && j->mass_start; b++)
        rt_entries_add_product(e, j->column + j->start[b], rt_joined_columns(j, b),
                               j->column + j->start[b], rt_joined_columns(j, b));
}

static routh_status joined_make_K(routh_mechanism *m, rt_joined_tables *t, routh_error *error)
{
    const rt_joined *j = m->joined;
    rt_entries e = {0};
    int *position;
    routh_status status = ROUTH_OK;
    if (j->tip)
        status = rt_tree_make(j, t, &e, &m->arena, error);
    else
        rt_pair_entries(j, t, &e);
    const size_t n_blocks = e.n;
    own_curvature_entries(j, &e);
    const size_t n_curved = e.n;
    mass_entries(j, &e);
    const size_t n_masses = e.n;
    rt_joined_elastic_entries(m, &e);
    const routh_status built =
        rt_entries_build(&e, &m->pattern_K, m->n_u, m->n_u, &position, &m->arena, error);
    if (status || built) return status ? status : built;
    if (t->tree)
        rt_tree_positions(j, t, position);
    else
        status = rt_pair_positions(j, t, position, &m->arena, error);
    t->own_curvature = position + n_blocks;
    t->mass_position = j->mass_start ? position + n_curved : NULL;
    rt_joined_elastic_positions(m, position + n_masses);
    t->own_curvature_start = RT_TAKE(&m->arena, int, j->n_own + 1);
    if (!t->own_curvature_start) return rt_fail_memory(error);
    for (int r = 0; r < j->n_own; r++) {
        const int n = j->own_start[r + 1] - j->own_start[r];
        t->own_curvature_start[r + 1] = t->own_curvature_start[r] + n * n;
    }
    return status;
}

/* M has the pattern of K. */
static routh_status share_pattern(routh_mechanism *m, routh_error *error)
{
    const int n = m->pattern_K.start[m->n_u];
    m->pattern_M = m->pattern_K;
    m->mass_in_K = RT_TAKE(&m->arena, int, n);
    if (!m->mass_in_K) return rt_fail_memory(error);
    for (int e = 0; e < n; e++) m->mass_in_K[e] = e;
    return ROUTH_OK;
}

/* ---- G and L -------------------------------------------------------------------------------- */

static routh_status joined_make_G(routh_mechanism *m, rt_joined_tables *t, routh_error *error)
{
    const rt_joined *j = m->joined;
    const rt_pattern *G = &m->inner->pattern_G;
    rt_entries e = {0};
    int *position, n = 0;
    for (int b = 0; b < m->n_bodies; b++) t->n_row_parts += column_length(G, b);
    t->row_parts = RT_TAKE(&m->arena, rt_row_part, t->n_row_parts);
    if (!t->row_parts) return rt_fail_memory(error);
    for (int b = 0; b < m->n_bodies; b++)
        for (int p = G->start[6 * b]; p < G->start[6 * b + 1]; p++) {
            t->row_parts[n++] = (rt_row_part){.body = b, .at = p, .stride = column_length(G, b)};
            rt_entries_add_product(&e, &G->row[p], 1, j->column + j->start[b],
                                   rt_joined_columns(j, b));
        }
    for (int r = 0; r < j->n_own; r++) {
        const int row = m->n_joint_rows + r;
        rt_entries_add_product(&e, &row, 1, j->own_column + j->own_start[r],
                               j->own_start[r + 1] - j->own_start[r]);
    }
    const size_t n_bodies_part = e.n;
    rt_joined_elastic_row_entries(m, &e);
    const routh_status status =
        rt_entries_build(&e, &m->pattern_G, m->n_rows, m->n_u, &position, &m->arena, error);
    if (status) return status;
    rt_joined_elastic_row_positions(m, position + n_bodies_part);
    for (n = 0; n < t->n_row_parts; n++) {
        t->row_parts[n].position = position;
        position += rt_joined_columns(j, t->row_parts[n].body);
    }
    t->own_position = position;
    return ROUTH_OK;
}

/* A body's rows come in sixes; those of elastic coordinates follow. */
static int count_lambda_parts(const routh_mechanism *m, const rt_pattern *L)
{
    int n = 0;
    for (int e = 0; e < L->start[m->inner->n_rows + m->n_signals]; e++)
        n += L->row[e] < 6 * m->n_bodies;
    return n / 6;
}

static routh_status joined_make_L(routh_mechanism *m, rt_joined_tables *t, routh_error *error)
{
    const rt_joined *j = m->joined;
    const rt_pattern *L = &m->inner->pattern_L;
    rt_entries e = {0};
    int *position, n = 0;
    const int n_columns = m->inner->n_rows + m->n_signals;
    t->n_lambda_parts = count_lambda_parts(m, L);
    t->lambda_parts = RT_TAKE(&m->arena, rt_row_part, t->n_lambda_parts);
    if (!t->lambda_parts) return rt_fail_memory(error);
    for (int r = 0; r < n_columns; r++)
        for (int p = L->start[r]; p < L->start[r + 1] && L->row[p] < 6 * m->n_bodies; p += 6) {
            const int b = L->row[p] / 6;
            t->lambda_parts[n++] = (rt_row_part){.body = b, .at = p, .stride = 1};
            const int to = r < m->inner->n_rows ? r : r - m->inner->n_rows + m->n_rows;
            rt_entries_add_product(&e, j->column + j->start[b], rt_joined_columns(j, b), &to, 1);
        }
    const size_t n_bodies_part = e.n;
    routh_status status = rt_joined_elastic_lambda(m, &e, error);
    const routh_status built = rt_entries_build(&e, &m->pattern_L, m->n_u, m->n_rows + m->n_signals,
                                                &position, &m->arena, error);
    if (status || built) return status ? status : built;
    rt_split_L(m);
    rt_joined_elastic_lambda_positions(m, position + n_bodies_part);
    for (n = 0; n < t->n_lambda_parts; n++) {
        t->lambda_parts[n].position = position;
        position += rt_joined_columns(j, t->lambda_parts[n].body);
    }
    return ROUTH_OK;
}

routh_status rt_joined_make_tables(routh_mechanism *m, routh_error *error)
{
    rt_joined_tables *t = RT_TAKE(&m->arena, rt_joined_tables, 1);
    if (!t) return rt_fail_memory(error);
    m->tables = t;
    for (int b = 0; b < m->n_bodies; b++)
        if (rt_joined_columns(m->joined, b) > t->most_columns)
            t->most_columns = rt_joined_columns(m->joined, b);
    routh_status status = rt_joined_elastic_make(m, t, error);
    if (!status) status = make_pairs(m, t, error);
    if (!status) status = joined_make_K(m, t, error);
    if (!status) status = share_pattern(m, error);
    if (!status) status = joined_make_G(m, t, error);
    if (!status) status = joined_make_L(m, t, error);
    return status;
}

/* ---- evaluation ----------------------------------------------------------------------------- */

static void add_row_part(const routh_mechanism *m, rt_workspace *w, const rt_row_part *part,
                         bool levels)
{
    const rt_joined *j = m->joined;
    const rt_workspace *inner = w->joined->inner;
    const rt_screws *s = &w->joined->screws;
    double phi[6], V[6], Au[6], Ax[6];
    for (int i = 0; i < 6; i++) {
        const int at = part->at + part->stride * i;
        phi[i] = inner->G[at];
        if (levels) V[i] = inner->Vx[at], Au[i] = inner->Au[at], Ax[i] = inner->Ax[at];
    }
    for (int e = j->start[part->body], k = 0; e < j->start[part->body + 1]; e++, k++) {
        const size_t c = 6 * (size_t)j->screw[e];
        const int to = part->position[k];
        for (int i = 0; i < 6; i++) {
            w->G[to] += phi[i] * s->J[c + i];
            if (!levels) continue;
            w->Vx[to] += phi[i] * s->J1[c + i] + V[i] * s->J[c + i];
            w->Au[to] += phi[i] * s->J2u[c + i] + Au[i] * s->J[c + i];
            w->Ax[to] += phi[i] * s->J2x[c + i] + Au[i] * s->J1[c + i] + Ax[i] * s->J[c + i];
        }
    }
}

static void joined_fill_rows(const routh_mechanism *m, rt_workspace *w, bool levels)
{
    const size_t n_G = (size_t)m->pattern_G.start[m->n_u];
    memset(w->G, 0, n_G * sizeof(double));
    if (levels) {
        memset(w->Vx, 0, n_G * sizeof(double));
        memset(w->Au, 0, n_G * sizeof(double));
        memset(w->Ax, 0, n_G * sizeof(double));
    }
    for (int k = 0; k < m->tables->n_row_parts; k++)
        add_row_part(m, w, &m->tables->row_parts[k], levels);
    rt_joined_elastic_rows(m, w, levels);
}

static void fill_L(const routh_mechanism *m, rt_workspace *w)
{
    const rt_joined *j = m->joined;
    memset(w->L, 0, (size_t)rt_count_L(m) * sizeof(double));
    for (int n = 0; n < m->tables->n_lambda_parts; n++) {
        const rt_row_part *part = &m->tables->lambda_parts[n];
        for (int e = j->start[part->body], k = 0; e < j->start[part->body + 1]; e++, k++)
            for (int i = 0; i < 6; i++)
                w->L[part->position[k]] += w->joined->screws.J[6 * (size_t)j->screw[e] + i] *
                                           w->joined->inner->L[part->at + i];
    }
    rt_joined_elastic_L(m, w);
}

/* The coordinates' own rows, and their multipliers' part of r and K. */
static void joined_own_rows(const routh_mechanism *m, rt_workspace *w, const rt_state *state,
                            int what)
{
    const rt_joined *j = m->joined;
    rt_own_rows *own = &w->joined->own;
    const double *lambda = state->lambda + m->n_joint_rows;
    j->set->own_rows(j, state->q, state->u, state->udot, own);
    for (int d = 0; d < 3; d++)
        memcpy(w->phi[d] + m->n_joint_rows, own->value[d], (size_t)j->n_own * sizeof(double));
    for (int r = 0; r < j->n_own; r++) {
        for (int e = j->own_start[r]; e < j->own_start[r + 1]; e++) {
            const int at = m->tables->own_position[e], column = j->own_column[e];
            if (what & (RT_EVALUATE_JACOBIAN | RT_EVALUATE_LEVELS)) w->G[at] = own->G[e];
            if (what & RT_EVALUATE_LEVELS)
                w->Vx[at] = own->Vx[e], w->Au[at] = own->Au[e], w->Ax[at] = own->Ax[e];
            w->residual[column] += lambda[r] * own->G[e];
            w->scale[column] = fmax(w->scale[column], fabs(lambda[r] * own->G[e]));
        }
        if (!(what & RT_EVALUATE_TANGENT)) continue;
        const int from = m->tables->own_curvature_start[r],
                  n = m->tables->own_curvature_start[r + 1] - from;
        j->set->own_curvature(j, r, state->q, w->joined->block);
        for (int k = 0; k < n; k++)
            w->K[m->tables->own_curvature[from + k]] += lambda[r] * w->joined->block[k];
    }
}

/* M of the set's own, M u', and the weight */
static void own_mass(const routh_mechanism *m, rt_workspace *w, const rt_state *state, bool mass)
{
    const rt_joined *j = m->joined;
    for (int c = 0; c < m->n_u; c++) {
        const double weight = m->tables->weight[c];
        w->residual[c] += weight;
        if (fabs(weight) > w->scale[c]) w->scale[c] = fabs(weight);
    }
    for (int b = 0; b < m->n_bodies; b++) {
        const int n = rt_joined_columns(j, b), *column = j->column + j->start[b];
        const double *M = j->mass + j->mass_start[b];
        const int *to = m->tables->mass_position + j->mass_start[b];
        for (int k = 0; k < n; k++)
            for (int l = 0; l < n; l++) {
                const double force = M[n * k + l] * state->udot[column[l]];
                w->residual[column[k]] += force;
                if (fabs(force) > w->scale[column[k]]) w->scale[column[k]] = fabs(force);
                if (mass) w->M[to[n * k + l]] += M[n * k + l];
            }
    }
}

static void joined_clear(const routh_mechanism *m, rt_workspace *w, bool mass, bool tangent)
{
    const size_t n_K = (size_t)m->pattern_K.start[m->n_u];
    if (mass) memset(w->M, 0, n_K * sizeof(double));
    if (!tangent) return;
    memset(w->K, 0, n_K * sizeof(double));
    memset(w->D, 0, n_K * sizeof(double));
}

routh_status rt_joined_evaluate(const routh_mechanism *m, rt_workspace *w, const rt_state *state,
                                int what, routh_error *error)
{
    const rt_joined *j = m->joined;
    const rt_state inner = {.t = state->t, .lambda = state->lambda, .signal = state->signal};
    const bool tangent = what & RT_EVALUATE_TANGENT, mass = tangent || (what & RT_EVALUATE_MASS);
    const bool residual = mass || (what & RT_EVALUATE_RESIDUAL);
    const bool levels = what & RT_EVALUATE_LEVELS, rows = levels || (what & RT_EVALUATE_JACOBIAN);
    const routh_status status = rt_evaluate_elements(m->inner, w->joined->inner, &inner,
                                                     what | (mass ? RT_EVALUATE_MASS : 0), error);
    if (status) return status;
    for (int d = 0; d < 3; d++)
        memcpy(w->phi[d], w->joined->inner->phi[d], (size_t)m->n_joint_rows * sizeof(double));
    if (rows || residual)
        j->set->screws(j, state->q, state->u, state->udot, w->bodies, &w->joined->screws,
                       w->joined->scratch);
    if (rows) joined_fill_rows(m, w, levels);
    if (residual && j->tip) rt_tree_wrenches(m, w);
    if (residual && !j->tip) rt_pair_wrenches(m, w);
    if (residual) rt_joined_elastic_residual(m, w);
    joined_clear(m, w, mass, tangent);
    if (mass) rt_joined_elastic_blocks(m, w, tangent);
    if (mass && j->tip) rt_tree_blocks(m, w, tangent);
    if (mass && !j->tip) rt_pair_blocks(m, w, state, tangent);
    if (residual && j->mass_start) own_mass(m, w, state, mass);
    if (mass) fill_L(m, w);
    if (j->n_own) joined_own_rows(m, w, state, what);
    return ROUTH_OK;
}

const double *rt_inner_jacobian(const rt_workspace *w) { return w->joined->inner->G; }

void rt_joint_screws(const rt_workspace *w, int c, double S[3][6], double SG[3][6])
{
    const rt_screws *x = &w->joined->screws;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 6; i++) {
            const size_t at = 6 * (size_t)(c + k) + i;
            S[k][i] = x->J[at];
            SG[k][i] = 2 * x->J1[at] - x->J2u[at];
        }
}

/* -m dr' g, constant: taken where the mechanism is written. */
routh_status rt_joined_weigh(routh_mechanism *m, rt_workspace *w, const rt_state *state,
                             routh_error *error)
{
    const rt_joined *j = m->joined;
    double *weight = RT_TAKE(&m->arena, double, m->n_u);
    if (!weight) return rt_fail_memory(error);
    rt_evaluate_frames(m, w, state);
    j->set->screws(j, state->q, state->u, state->udot, w->bodies, &w->joined->screws,
                   w->joined->scratch);
    for (int b = 0; b < m->n_bodies; b++) {
        rt_motion motion;
        rt_joined_motion(m, w, b, &motion);
        for (int c = 0; c < motion.n; c++)
            for (int i = 0; i < 3; i++)
                weight[motion.columns[c]] -=
                    m->bodies[b].mass * rt_gravity_on(m, b)[i] * motion.J[i * motion.n + c];
    }
    m->tables->weight = weight;
    return ROUTH_OK;
}

/* ---- motion of a marker --------------------------------------------------------------------- */

/* column c of Y (6 x n): the displacement at r of a spatial variation */
static void joined_put_column(double *Y, int n, int c, const double S[6], const double r[3])
{
    double d[3];
    rt_v3_cross(d, S + 3, r);
    for (int i = 0; i < 3; i++) Y[i * n + c] = S[i] + d[i], Y[(3 + i) * n + c] = S[3 + i];
}

/* the displacement rows of column c += s (theta x v) */
static void joined_add_turn(double *Y, int n, int c, double s, const double theta[3],
                            const double v[3])
{
    double d[3];
    rt_v3_cross(d, theta, v);
    for (int i = 0; i < 3; i++) Y[i * n + c] += s * d[i];
}

/* The marker's frame, which may be old where no element looks at it. */
static rt_frame marker_frame(const routh_mechanism *m, const rt_workspace *w, int marker)
{
    rt_frame f;
    const int flexible = m->flexible_marker[marker];
    if (flexible >= 0) {
        rt_flexible_marker_frame(m, w, flexible);
        return w->markers[marker];
    }
    rt_frame_marker(&f, &w->bodies[m->marker_body[marker]], m->marker_position + 3 * (size_t)marker,
                    m->marker_orientation + 9 * (size_t)marker);
    return f;
}

/* dr = Xi_O + dtheta x r, r from O, differentiated twice; then the node's columns */
void rt_joined_motion(const routh_mechanism *m, const rt_workspace *w, int marker, rt_motion *out)
{
    const rt_joined *j = m->joined;
    const int b = m->marker_body[marker], flexible = m->flexible_marker[marker];
    const rt_screws *s = &w->joined->screws;
    const int n_b = rt_joined_columns(j, b), n = rt_marker_columns(m, marker, w->motion_columns);
    const rt_frame f = marker_frame(m, w, marker);
    double r[3], *J = w->motion_values, *J1 = J + 6 * n, *J2u = J1 + 6 * n, *J2x = J2u + 6 * n;
    rt_v3_sub(r, f.r, j->origin);
    for (int c = 0; c < n_b; c++) {
        const size_t e = 6 * (size_t)j->screw[j->start[b] + c];
        joined_put_column(J, n, c, s->J + e, r);
        joined_put_column(J1, n, c, s->J1 + e, r);
        joined_put_column(J2u, n, c, s->J2u + e, r);
        joined_put_column(J2x, n, c, s->J2x + e, r);
        joined_add_turn(J1, n, c, 1, s->J + e + 3, f.v);
        joined_add_turn(J2u, n, c, 2, s->J + e + 3, f.v);
        joined_add_turn(J2x, n, c, 2, s->J1 + e + 3, f.v);
        joined_add_turn(J2x, n, c, 1, s->J + e + 3, f.a);
    }
    if (flexible >= 0) rt_flexible_columns(m, w, flexible, n_b, n, J, J1, J2u, J2x);
    *out = (rt_motion){n, w->motion_columns, J, J1, J2u, J2x};
}
