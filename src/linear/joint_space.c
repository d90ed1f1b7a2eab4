/* A and B in the mechanism's own coordinates, again and again: for coordinates that leave no
 * constraints (a tree in relative coordinates).
 *
 *     d(xi)/dt = du + Gamma xi,      M du' + D du + K xi = dtau
 *     A = [Gamma I; -M^-1 K  -M^-1 D],     B = [0; M^-1]
 * M = L'D L with L of the tree's sparsity (Featherstone 2008, Rigid Body Dynamics Algorithms,
 * Table 6.3: elimination from the tips to the base makes no fill). The columns of K, D and 1 are
 * solved for together, row by row. */
#include <stdlib.h>

#include "linear/again.h"
#include "methods/method.h"

struct routh_joint_space {
    rt_arena arena;
    const routh_mechanism *m;
    rt_workspace *w;
    rt_state *own; /* holds what state points to, signals too */
    rt_state state;
    int n;
    double *L;    /* n x n row-major: below the diagonal L, on it D */
    double *X;    /* n x 3n row-major: K, D, 1 */
    double *none; /* n zeros */
    double *step; /* n_q: on the way to q */
};

/* ---- creation ------------------------------------------------------------------------------- */

static routh_status joint_space_check(const routh_mechanism *m, routh_error *error)
{
    if (!m->joined || !m->joined->tip)
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "a state space in joint coordinates needs a mechanism in relative "
                       "coordinates, but this one has %s coordinates; compile it with coordinates "
                       "\"relative\"",
                       m->coordinates);
    if (m->n_flexible)
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "a state space in joint coordinates is for rigid bodies; body %.80s is "
                       "flexible: linearize with routh_linear_compute",
                       m->model->bodies[m->flexible[0].body].name);
    if (m->n_rows) {
        char element[192];
        const char *label;
        rt_place place;
        rt_row_describe(m, 0, element, &place, &label);
        return rt_fail_at(
            error, ROUTH_NOT_SUPPORTED, m->model->file, place, element,
            "it stays a constraint (\"%s\"), as it closes a loop, is cut, is no joint "
            "of a tree or an expression asks for its force, so the joint coordinates "
            "are not independent; linearize with routh_linear_compute",
            label);
    }
    const routh_status status = rt_check_alone(m, false, "a state space in joint coordinates is",
                                               "linearize with routh_linear_compute", error);
    if (status || !rt_loads_have_mass(m)) return status;
    return rt_fail(error, ROUTH_NOT_SUPPORTED,
                   "a load whose expression uses accelerations makes the mass matrix "
                   "unsymmetric; linearize with routh_linear_compute");
}

/* Does column c begin a ball? Only balls have columns that the last of them carries. */
static bool begins_ball(const routh_joint_space *s, int c)
{
    return c + 2 < s->n && s->m->joined->carrier[c] == c + 2;
}

static routh_status joint_space_take(routh_joint_space *s, routh_error *error)
{
    rt_arena *a = &s->arena;
    const size_t n = (size_t)s->n;
    s->L = RT_TAKE(a, double, n *n);
    s->X = RT_TAKE(a, double, 3 * n * n);
    s->none = RT_TAKE(a, double, n);
    s->step = RT_TAKE(a, double, s->m->n_q);
    if (!s->L || !s->X || !s->none || !s->step) return rt_fail_memory(error);
    const routh_status status = rt_state_create(&s->own, s->m, error);
    if (status) return status;
    s->state = *s->own;
    return rt_workspace_create(&s->w, s->m, error);
}

routh_status routh_joint_space_create(routh_joint_space **space, const routh_mechanism *m,
                                      routh_error *error)
{
    *space = NULL;
    routh_status status = joint_space_check(m, error);
    if (status) return status;
    routh_joint_space *s = calloc(1, sizeof *s);
    if (!s) return rt_fail_memory(error);
    s->m = m;
    s->n = m->n_u;
    status = joint_space_take(s, error);
    if (status) {
        routh_joint_space_free(s);
        return status;
    }
    *space = s;
    return ROUTH_OK;
}

void routh_joint_space_free(routh_joint_space *s)
{
    if (!s) return;
    rt_workspace_free(s->w);
    rt_state_free(s->own);
    rt_arena_free(&s->arena);
    free(s);
}

const routh_mechanism *rt_joint_space_mechanism(const routh_joint_space *s) { return s->m; }

int routh_joint_space_n_q(const routh_joint_space *s) { return s->m->n_q; }
int routh_joint_space_n_u(const routh_joint_space *s) { return s->n; }

void routh_joint_space_start(const routh_joint_space *s, const routh_operating_point *point,
                             double *q, double *u, double *udot)
{
    const rt_state *state = point ? point->state : NULL;
    memcpy(q, state ? state->q : s->m->start_q, (size_t)s->m->n_q * sizeof *q);
    memcpy(u, state ? state->u : s->m->start_u, (size_t)s->n * sizeof *u);
    for (int c = 0; c < s->n; c++) udot[c] = state ? state->udot[c] : 0;
}

const char *routh_joint_space_body(const routh_joint_space *s, int column)
{
    return s->m->model->bodies[s->m->joined->column_body[column]].name;
}

int routh_joint_space_is_angle(const routh_joint_space *s, int column)
{
    return s->m->joined->angle[column];
}

/* ---- M = L'D L ------------------------------------------------------------------------------ */

static routh_status joint_space_factor(routh_joint_space *s, routh_error *error)
{
    const int n = s->n, *parent = s->m->joined->parent;
    double *L = s->L;
    for (int k = n - 1; k >= 0; k--) {
        const double *row = L + (size_t)k * n;
        if (!(row[k] > 0))
            return rt_fail(error, ROUTH_SINGULAR,
                           "the mass matrix is not positive definite: nothing resists an "
                           "acceleration of the joint before body %s; give it mass or inertia",
                           routh_joint_space_body(s, k));
        for (int i = parent[k]; i >= 0; i = parent[i]) {
            const double a = row[i] / row[k];
            double *to = L + (size_t)i * n;
            for (int j = i; j >= 0; j = parent[j]) to[j] -= a * row[j];
            L[(size_t)k * n + i] = a;
        }
    }
    return ROUTH_OK;
}

/* row i -= a row k, of the given width */
static inline void joint_space_subtract_row(double *restrict x, const double *restrict y, double a,
                                            int width)
{
    for (int c = 0; c < width; c++) x[c] -= a * y[c];
}

/* X (n x width, row-major) <- M^-1 X: L' y = x, D z = y, L x = z */
static void joint_space_solve(const routh_joint_space *s, double *X, int width)
{
    const int n = s->n, *parent = s->m->joined->parent;
    for (int k = n - 1; k >= 0; k--) {
        const double *row = s->L + (size_t)k * n;
        for (int i = parent[k]; i >= 0; i = parent[i])
            joint_space_subtract_row(X + (size_t)i * width, X + (size_t)k * width, row[i], width);
    }
    for (int k = 0; k < n; k++) {
        const double *row = s->L + (size_t)k * n, d = 1 / row[k];
        double *x = X + (size_t)k * width;
        for (int c = 0; c < width; c++) x[c] *= d;
        for (int i = parent[k]; i >= 0; i = parent[i])
            joint_space_subtract_row(x, X + (size_t)i * width, row[i], width);
    }
}

/* Values on a pattern, put into a dense row-major matrix of the given width. */
static void joint_space_spread(const rt_pattern *p, const double *values, double sign, double *X,
                               int width)
{
    for (int c = 0; c < p->n_columns; c++)
        for (int e = p->start[c]; e < p->start[c + 1]; e++)
            X[(size_t)p->row[e] * width + c] = sign * values[e];
}

static routh_status joint_space_factor_mass(routh_joint_space *s, routh_error *error)
{
    memset(s->L, 0, (size_t)s->n * s->n * sizeof *s->L);
    joint_space_spread(&s->m->pattern_M, s->w->M, 1, s->L, s->n);
    return joint_space_factor(s, error);
}

/* ---- evaluation ----------------------------------------------------------------------------- */

/* The angles that count turns are followed from the last q, so that joints of one angle turn by
 * half a radian at most from one place to the next; which turn they come to depends on q alone. */
static void follow_turns(routh_joint_space *s, const double *q)
{
    static const double longest = 0.5;
    const routh_mechanism *m = s->m;
    const rt_joined *j = m->joined;
    double most = 0;
    for (int c = 0; c < s->n; c++) {
        const int at = j->place[c];
        if (j->angle[c] && !j->ball[c]) most = fmax(most, fabs(q[at] - s->state.q[at]));
    }
    const double n = fmin(ceil(most / longest), 1e6);
    memcpy(s->step, s->state.q, (size_t)m->n_q * sizeof *q);
    memcpy(s->state.u, s->none, (size_t)s->n * sizeof *s->none);
    memcpy(s->state.udot, s->none, (size_t)s->n * sizeof *s->none);
    for (double k = 1; k <= n || k == 1; k++) {
        memcpy(s->state.q, q, (size_t)m->n_q * sizeof *q);
        for (int c = 0; c < s->n && k < n; c++) {
            const int at = j->place[c];
            if (j->angle[c] && !j->ball[c])
                s->state.q[at] = s->step[at] + k / n * (q[at] - s->step[at]);
        }
        rt_evaluate_frames(m, s->w, &s->state);
        rt_angles_settle(m, s->w, &s->state, true);
    }
}

static routh_status set_state(routh_joint_space *s, double t, const double *q, const double *u,
                              const double *udot, routh_error *error)
{
    const size_t n = (size_t)s->n * sizeof(double);
    s->state.t = t;
    if (s->m->model->n_angles) follow_turns(s, q);
    memcpy(s->state.q, q, (size_t)s->m->n_q * sizeof *q);
    memcpy(s->state.u, u ? u : s->none, n);
    memcpy(s->state.udot, udot ? udot : s->none, n);
    return rt_input_histories_set(s->m, &s->state, error);
}

/* M u' = tau - r(u' = 0) */
routh_status routh_joint_space_accelerations(routh_joint_space *s, double t, const double *q,
                                             const double *u, const double *tau, double *udot,
                                             routh_error *error)
{
    routh_status status = set_state(s, t, q, u, NULL, error);
    if (!status)
        status = rt_evaluate(s->m, s->w, &s->state, RT_EVALUATE_RESIDUAL | RT_EVALUATE_MASS, error);
    if (!status) status = joint_space_factor_mass(s, error);
    if (status) return status;
    for (int c = 0; c < s->n; c++) udot[c] = (tau ? tau[c] : 0) - s->w->residual[c];
    joint_space_solve(s, udot, 1);
    return ROUTH_OK;
}

/* Gamma of a ball: the 3 x 3 block with S Gamma = 2 J1 - J2u (J1 = S' + S Gamma, J2u = S' + J1),
 * S's rotation rows orthonormal; of other joints it is zero. */
static void fill_gamma(const routh_joint_space *s, double *A)
{
    const int n = s->n;
    double S[3][6], SG[3][6];
    for (int c = 0; c + 2 < n; c++) {
        if (!begins_ball(s, c)) continue;
        rt_joint_screws(s->w, c, S, SG);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                A[(size_t)(c + i) * 2 * n + c + j] = rt_v3_dot(S[i] + 3, SG[j] + 3);
    }
}

static void joint_space_fill(const routh_joint_space *s, double *A, double *B)
{
    const size_t n = (size_t)s->n, size = n * sizeof(double);
    if (A) {
        memset(A, 0, n * 2 * size);
        for (size_t r = 0; r < n; r++) {
            A[r * 2 * n + n + r] = 1;
            memcpy(A + (n + r) * 2 * n, s->X + r * 3 * n, 2 * size);
        }
        fill_gamma(s, A);
    }
    if (!B) return;
    memset(B, 0, n * size);
    for (size_t r = 0; r < n; r++) memcpy(B + (n + r) * n, s->X + r * 3 * n + 2 * n, size);
}

routh_status routh_joint_space_evaluate(routh_joint_space *s, double t, const double *q,
                                        const double *u, const double *udot, double *A, double *B,
                                        routh_error *error)
{
    const int n = s->n, width = 3 * n;
    routh_status status = set_state(s, t, q, u, udot, error);
    if (!status)
        status = rt_evaluate(s->m, s->w, &s->state,
                             RT_EVALUATE_RESIDUAL | RT_EVALUATE_MASS | RT_EVALUATE_TANGENT, error);
    if (!status) status = joint_space_factor_mass(s, error);
    if (status) return status;
    memset(s->X, 0, (size_t)n * width * sizeof *s->X);
    joint_space_spread(&s->m->pattern_K, s->w->K, -1, s->X, width);
    joint_space_spread(&s->m->pattern_K, s->w->D, -1, s->X + n, width);
    for (int r = 0; r < n; r++) s->X[(size_t)r * width + 2 * n + r] = 1;
    joint_space_solve(s, s->X, width);
    joint_space_fill(s, A, B);
    return ROUTH_OK;
}
