/* Velocities and accelerations consistent with the constraints. */
#include <float.h>

#include "base/kept_memory.h"
#include "operating/signals.h"

static double motion_state_largest(const double *x, int n)
{
    double worst = 0;
    for (int k = 0; k < n; k++)
        if (fabs(x[k]) > worst) worst = fabs(x[k]);
    return worst;
}

/* Rows that were left out must hold of themselves. */
static routh_status motion_state_check_redundant(rt_search *s, const double *phi, double size,
                                                 const char *level, routh_error *error)
{
    for (int r = 0; r < s->m->n_rows; r++)
        if (s->rank->row_step[r] < 0 && fabs(phi[r]) > 1e-6 * size)
            return rt_contradiction(s, r, level, phi[r], error);
    return ROUTH_OK;
}

/* Velocities written in the file are to stay, the others follow: their changes count a
 * millionth. */
static double motion_state_weight_of(const rt_search *s, int column)
{
    static const double free = 1e-3; /* squared in the sum */
    int body;
    bool angle;
    double per_radian;
    if (s->m->base || s->all_velocities) return 1; /* what was found is kept */
    rt_column(s->m, column, &body, &angle, &per_radian);
    const rt_body *b = &s->m->model->bodies[body];
    return (angle ? b->angular_velocity_given : b->velocity_given) ? 1 : free;
}

/* The smallest weighted change: least |u - target|^2 in the metric S M S, where target is what is
 * written for the columns that are, and the present u for the others,
 *     [S M S  G'; G 0] [du; y] = [S M S (target - u); -Phi']. */
static routh_status velocity_step(rt_search *s, const double *written, routh_error *error)
{
    const rt_pattern *M = &s->m->pattern_M;
    const int n = s->m->n_u;
    s->w->evaluated = 0; /* M is another one from here */
    for (int c = 0; c < n; c++) {
        const double weight = motion_state_weight_of(s, c);
        s->z[c] = weight == 1 ? written[c] - s->state->u[c] : 0;
        for (int e = M->start[c]; e < M->start[c + 1]; e++)
            s->w->M[e] *= weight * motion_state_weight_of(s, M->row[e]);
    }
    routh_status status = rt_search_mass(s, error);
    if (!status) status = rt_kkt_factor(s->mass, s->w->M, s->w->G, NULL, 0, error);
    if (status) return status;
    memset(s->x, 0, (size_t)n * sizeof *s->x);
    rt_sparse_multiply_add(M, s->w->M, 1, s->z, s->x);
    for (int r = 0; r < s->m->n_rows; r++) s->y[r] = -s->w->phi[1][r];
    status = rt_kkt_solve(s->mass, s->x, s->y, error);
    for (int c = 0; c < n && !status; c++) s->state->u[c] += s->x[c];
    return status;
}

/* What the next step would change is below rounding: a millionth of this one, or what rounding
 * left of it where all velocities count alike. */
static bool has_arrived(const rt_search *s)
{
    const int n = s->m->n_u;
    const double left = s->m->base || s->all_velocities ? 1e-12 : 1e-6;
    return left * motion_state_largest(s->x, n) <=
           DBL_EPSILON / 4 * motion_state_largest(s->state->u, n);
}

routh_status rt_find_velocities(rt_search *s, routh_error *error)
{
    /* each brings what is written a millionth nearer, where joints allow it */
    enum { PASSES = 3 };
    const int n = s->m->n_u, what = RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN | RT_EVALUATE_MASS;
    routh_status status = rt_evaluate(s->m, s->w, s->state, what, error);
    if (!status && motion_state_largest(s->w->phi[1], s->m->n_rows) > 0) {
        double *written = rt_kept_malloc(s->m->analyses, (size_t)n * sizeof *written + 1);
        if (!written) return rt_fail_memory(error);
        memcpy(written, s->state->u, (size_t)n * sizeof *written);
        for (int pass = 0; pass < PASSES && !status; pass++) {
            status = velocity_step(s, written, error);
            if (!status) status = rt_evaluate(s->m, s->w, s->state, what, error);
            if (!status && has_arrived(s)) break;
        }
        /* what rounding leaves of velocities that the joints do not allow is rest */
        if (!status &&
            motion_state_largest(s->state->u, n) <= 1e-14 * motion_state_largest(written, n)) {
            memset(s->state->u, 0, (size_t)n * sizeof *s->state->u);
            status = rt_evaluate(s->m, s->w, s->state, what, error);
        }
        rt_kept_free(written);
    }
    if (status) return status;
    const double speed = fmax(motion_state_largest(s->state->u, n) * fmax(1, s->m->length), 1e-6);
    return motion_state_check_redundant(s, s->w->phi[1], speed, "velocities", error);
}

/* Which system of equations, and whether motions are held still. */
typedef struct form {
    bool whole, frozen;
} form;

routh_status rt_factor_accelerations(rt_search *s, bool whole, routh_error *error)
{
    routh_status status = whole ? rt_search_mass(s, error) : ROUTH_OK;
    if (whole && !status) status = rt_kkt_factor(s->mass, s->w->M, s->w->G, s->w->L, 0, error);
    if (whole) return status;
    status = s->small ? ROUTH_OK : rt_small_create(&s->small, s, error);
    return status ? status : rt_small_factor(s->small, s, error);
}

routh_status rt_solve_accelerations(rt_search *s, bool whole, double *x, double *y,
                                    routh_error *error)
{
    return whole ? rt_kkt_solve(s->mass, x, y, error) : rt_small_solve(s->small, s, x, y, error);
}

/* One Newton step on (u', lambda): [M G'+L; G 0] [du'; dlambda] = -[r; Phi''], by the factors there
 * are. */
static routh_status acceleration_step(rt_search *s, form f, double *size, routh_error *error)
{
    const int n = s->m->n_u;
    for (int c = 0; c < n; c++) s->x[c] = -s->w->residual[c];
    memset(s->y, 0, (size_t)s->m->n_rows * sizeof *s->y);
    for (int r = 0; r < s->m->n_rows && !f.frozen; r++) s->y[r] = -s->w->phi[2][r];
    const routh_status status = rt_solve_accelerations(s, f.whole, s->x, s->y, error);
    if (status) return status;
    for (int c = 0; c < n; c++) s->state->udot[c] += s->x[c];
    for (int r = 0; r < s->m->n_rows; r++) s->state->lambda[r] += s->y[r];
    *size = fmax(motion_state_largest(s->x, n), motion_state_largest(s->y, s->m->n_rows));
    return ROUTH_OK;
}

/* Linear in (u', lambda) unless expressions use accelerations or reactions: one step and one
 * correction by the same matrix suffice then. */
static routh_status solve_accelerations(rt_search *s, form f, routh_error *error)
{
    const int rates = RT_EVALUATE_PHI | RT_EVALUATE_RESIDUAL;
    const int masses = rates | RT_EVALUATE_MASS, all = masses | RT_EVALUATE_JACOBIAN;
    const bool linear = !s->m->pattern_L.start[s->m->n_rows] && !rt_loads_have_mass(s->m);
    const int most = linear ? 2 : 50;
    double before = INFINITY, step = 0;
    for (int pass = 0;; pass++) {
        const bool same_matrix = pass > 0 && most == 2;
        routh_status status = rt_evaluate(s->m, s->w, s->state,
                                          same_matrix ? rates
                                          : pass > 0  ? masses
                                                      : all,
                                          error);
        if (status || pass == most) return status;
        if (!same_matrix) status = rt_factor_accelerations(s, f.whole, error);
        if (!status) status = acceleration_step(s, f, &step, error);
        if (status) return status;
        const double size = fmax(motion_state_largest(s->state->udot, s->m->n_u),
                                 motion_state_largest(s->state->lambda, s->m->n_rows));
        if (pass > 1 && step <= 1e-13 * size && step >= before / 2)
            return rt_evaluate(s->m, s->w, s->state, masses, error);
        if (pass + 1 == most && most > 2 && step > 1e-9 * size)
            return rt_fail(error, ROUTH_NUMERIC_ERROR,
                           "the accelerations could not be found: expressions of accelerations or "
                           "joint forces depend too strongly on themselves (the last correction "
                           "was %.2g of the whole); reduce the gain of the loop, or add a lag "
                           "(type: differential)",
                           step / size);
        before = step;
    }
}

static routh_status motion_state_find(rt_search *s, form f, routh_error *error)
{
    memset(s->state->udot, 0, (size_t)s->m->n_u * sizeof(double));
    memset(s->state->lambda, 0, (size_t)s->m->n_rows * sizeof(double));
    return solve_accelerations(s, f, error);
}

routh_status rt_find_release(rt_search *s, routh_error *error)
{
    const form release = {.whole = !rt_small_exists(s->m), .frozen = true};
    return motion_state_find(s, release, error);
}

static routh_status motion_state_find_all(rt_search *s, form f, routh_error *error)
{
    if (s->signals) rt_sweep_signals(s, false);
    const routh_status status = motion_state_find(s, f, error);
    if (status || !s->signals) return status;
    rt_sweep_signals(s, true);
    return rt_find_signals(s, f.whole, error);
}

routh_status rt_find_motion(rt_search *s, routh_error *error)
{
    const form f = {.whole = !rt_small_exists(s->m)};
    return motion_state_find_all(s, f, error);
}

static routh_status find_accelerations(rt_search *s, form f, routh_error *error)
{
    routh_status status = motion_state_find_all(s, f, error);
    if (status) return status;
    const int n = s->m->n_u;
    const double u = motion_state_largest(s->state->u, n);
    const double size =
        fmax(motion_state_largest(s->state->udot, n), u * u) * fmax(1, s->m->length);
    status =
        motion_state_check_redundant(s, s->w->phi[2], fmax(size, 1e-6), "accelerations", error);
    return status ? status : rt_smallest_multipliers(s, error);
}

routh_status rt_find_accelerations(rt_search *s, routh_error *error)
{
    const form f = {.whole = !rt_small_exists(s->m)};
    return find_accelerations(s, f, error);
}

routh_status rt_find_accelerations_whole(rt_search *s, routh_error *error)
{
    const form f = {.whole = true};
    return find_accelerations(s, f, error);
}
