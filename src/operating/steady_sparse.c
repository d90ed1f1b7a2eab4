/* Steps near a motion, by a sparse factorization instead of a dense one (steady_factor.c): of the
 * scaled J, with a weight W of the unknowns and small a,
 *     [ aI    J   ] [ s ]   [ -F ]
 *     [ J'  -aW^2 ] [ z ] = [  0 ],      (J'J + a^2 W^2) z = -J'F.
 * The matrix is quasi-definite (Vanderbei 1995): it has factors in any order, and a condition of
 * 1/a. With z += the solution for F + J z a few times (iterated regularization), the part of z
 * along singular values sigma >> a is exact: (a^2/(sigma^2 + a^2))^k is left of the error. Where
 * singular values are nearly zero the steps do not converge, and the dense factorization, which
 * finds the rank, is to be used.
 *
 * What J leaves open, as places and headings of a vehicle, is taken from the state as written, at
 * the displacement d from where the search is: -a W^2 d in place of the zero, in the first
 * solution, makes the part of z along the null space that of d (in the norm of W), and the way
 * along the motion itself is that of d. So the motion that is found does not depend on where the
 * search began, and is a smooth function of parameters. */
#include <float.h>
#include <stdlib.h>

#include "base/ldl.h"
#include "base/rotation.h"
#include "operating/steady.h"
#include "operating/twists.h"

struct rt_steady_sparse {
    rt_pattern pattern;
    double *value;
    int room, room_columns; /* entries, and order, that there is memory for */
    int n;                  /* columns in use: k->packed */
    double *b, *left, *z;   /* order of the matrix; n_rows; n */
    rt_state *written;      /* the state as written */
    double *pull;           /* n_u: d, or zero */
    bool pulls;             /* steps go by it */
    rt_ldl *factor;
    double *work;
    size_t n_work;
};

static const double SMALL = 1e-6;

void rt_steady_sparse_free(rt_steady_sparse *x)
{
    if (!x) return;
    rt_ldl_free(x->factor);
    free(x->work);
    free(x->pattern.start);
    free(x->pattern.row);
    free(x->value);
    free(x->b);
    free(x->pull);
    rt_state_free(x->written);
    free(x);
}

static bool steady_sparse_grow(rt_steady_sparse *x, int order, int entries)
{
    if (order > x->room_columns) {
        int *start = realloc(x->pattern.start, ((size_t)order + 1) * sizeof *start);
        if (start) x->pattern.start = start;
        double *b = realloc(x->b, 3 * (size_t)order * sizeof *b);
        if (b) x->b = b;
        if (!start || !b) return false;
        x->room_columns = order;
    }
    if (entries > x->room) {
        int *row = realloc(x->pattern.row, (size_t)entries * sizeof *row);
        if (row) x->pattern.row = row;
        double *value = realloc(x->value, (size_t)entries * sizeof *value);
        if (value) x->value = value;
        if (!row || !value) return false;
        x->room = entries;
    }
    return true;
}

/* ---- the matrix ------------------------------------------------------------------------------ */

static const double *steady_sparse_column(const rt_steady_search *k, int j)
{
    return k->matrix + (size_t)k->n_rows * (size_t)k->packed[j];
}

/* How much a change of an unknown counts where J leaves a choice (steady_factor.c). */
static double steady_sparse_weight(const rt_steady_search *k, int j)
{
    static const double MOST = 100, FORCES = 0.1;
    const bool moves = j < k->at_lambda || (j >= k->at_motion && j < k->at_x);
    return (moves ? 1 : FORCES) * fmin(k->column_scale[j], MOST);
}

static int steady_sparse_pack(rt_steady_search *k)
{
    int n = 0;
    for (int j = 0; j < k->n_unknowns; j++)
        if (!rt_steady_is_held(k, j)) k->packed[n++] = j;
    return n;
}

static int steady_sparse_entries(const rt_steady_search *k, int n)
{
    int entries = 0;
    for (int j = 0; j < n; j++) {
        const double *of = steady_sparse_column(k, j);
        for (int i = 0; i < k->n_rows; i++) entries += of[i] != 0;
    }
    return entries;
}

/* Starts of the columns; `next`: where the next entry of a row of J goes, in its column of J'. */
static void steady_sparse_starts(const rt_steady_search *k, rt_steady_sparse *x, int *next)
{
    const int m = k->n_rows;
    int *start = x->pattern.start;
    for (int i = 0; i < m; i++) next[i] = 1;
    for (int j = 0; j < x->n; j++) {
        const double *of = steady_sparse_column(k, j);
        start[m + j + 1] = 1;
        for (int i = 0; i < m; i++)
            if (of[i] != 0) next[i]++, start[m + j + 1]++;
    }
    start[0] = 0;
    for (int i = 0; i < m; i++) start[i + 1] = next[i];
    for (int i = 0; i < m + x->n; i++) start[i + 1] += start[i];
    for (int i = 0; i < m; i++) next[i] = start[i];
}

static void steady_sparse_put(rt_steady_sparse *x, int at, int row, double value)
{
    x->pattern.row[at] = row;
    x->value[at] = value;
}

static void steady_sparse_fill(const rt_steady_search *k, rt_steady_sparse *x, int *next)
{
    const int m = k->n_rows;
    steady_sparse_starts(k, x, next);
    for (int i = 0; i < m; i++) steady_sparse_put(x, next[i]++, i, SMALL);
    for (int j = 0; j < x->n; j++) {
        const double *of = steady_sparse_column(k, j);
        const double weight = steady_sparse_weight(k, k->packed[j]);
        int at = x->pattern.start[m + j];
        for (int i = 0; i < m; i++) {
            if (of[i] == 0) continue;
            steady_sparse_put(x, at++, i, of[i]);
            steady_sparse_put(x, next[i]++, m + j, of[i]);
        }
        steady_sparse_put(x, at, m + j, -SMALL * weight * weight);
    }
}

static routh_status steady_sparse_create(rt_steady_search *k, routh_error *error)
{
    if (k->sparse) return ROUTH_OK;
    rt_steady_sparse *x = k->sparse = calloc(1, sizeof *k->sparse);
    if (x) x->pull = calloc((size_t)k->s->m->n_u + 1, sizeof *x->pull);
    if (!x || !x->pull) return rt_fail_memory(error);
    return rt_state_create(&x->written, k->s->m, error);
}

routh_status rt_steady_sparse_factor(rt_steady_search *k, routh_error *error)
{
    routh_status status = steady_sparse_create(k, error);
    if (status) return status;
    rt_steady_sparse *x = k->sparse;
    rt_ldl_free(x->factor);
    x->factor = NULL;
    rt_steady_scale(k);
    x->n = steady_sparse_pack(k);
    const int order = k->n_rows + x->n;
    if (!steady_sparse_grow(x, order, 2 * steady_sparse_entries(k, x->n) + order))
        return rt_fail_memory(error);
    int *next = malloc((size_t)order * sizeof *next);
    if (!next) return rt_fail_memory(error);
    x->pattern.n_rows = x->pattern.n_columns = order;
    steady_sparse_fill(k, x, next);
    free(next);
    x->left = x->b + order;
    x->z = x->left + k->n_rows;
    status = rt_ldl_create(&x->factor, &x->pattern, error);
    if (!status) status = rt_ldl_factor(x->factor, x->value, error);
    if (status) return status;
    const size_t n_work = rt_ldl_work(x->factor, 1);
    if (n_work <= x->n_work) return ROUTH_OK;
    double *work = realloc(x->work, n_work * sizeof *work);
    if (!work) return rt_fail_memory(error);
    x->work = work, x->n_work = n_work;
    return ROUTH_OK;
}

/* ---- what is left open ----------------------------------------------------------------------- */

/* Of body b, dr in the world and eta in its axes. False: half a revolution. */
static bool steady_sparse_displace(const rt_steady_search *k, int b, double *d)
{
    const double *to = k->sparse->written->q + 7 * (size_t)b, *q = k->s->state->q + 7 * (size_t)b;
    double A[9], B[9], Q[9];
    rt_v3_sub(d, to, q);
    rt_rotation_from_quaternion(A, q + 3);
    rt_rotation_from_quaternion(B, to + 3);
    rt_m3_tmul(Q, A, B);
    return rt_rotation_log(d + 3, Q);
}

/* This part of d of all bodies; none where they are half a revolution apart. */
static void steady_sparse_find_pull(const rt_steady_search *k, double part)
{
    const routh_mechanism *m = k->s->m;
    double *d = k->sparse->pull;
    bool near = k->sparse->pulls && !k->only_forces;
    for (int b = 0; b < m->n_bodies && near; b++) near = steady_sparse_displace(k, b, d + 6 * b);
    if (!near) memset(d, 0, (size_t)m->n_u * sizeof *d);
    for (int c = 0; c < m->first_elastic; c++) d[c] *= part;
}

/* The way along the motion, and angles of spins: what rows of the gauge make of d. */
static void steady_sparse_pull_gauge(rt_steady_search *k)
{
    const double *d = k->sparse->pull;
    for (int i = k->in_gauge; i < k->n_equations; i++) {
        double along = 0;
        for (int c = 0; c < k->s->m->first_elastic; c++)
            along += k->whole.J[(size_t)i + (size_t)k->most_rows * (size_t)c] * d[c];
        k->start[i] -= along * k->row_factor[i];
    }
}

static void steady_sparse_pull_null_space(const rt_steady_search *k)
{
    rt_steady_sparse *x = k->sparse;
    for (int j = 0; j < x->n; j++) {
        const int c = k->packed[j];
        const double weight = steady_sparse_weight(k, c);
        if (c < k->s->m->first_elastic)
            x->b[k->n_rows + j] = -SMALL * weight * weight * x->pull[c] / k->column_factor[c];
    }
}

/* ---- a step ---------------------------------------------------------------------------------- */

static void steady_sparse_residual(const rt_steady_search *k, rt_steady_sparse *x)
{
    memcpy(x->left, k->start, (size_t)k->n_rows * sizeof *x->left);
    for (int j = 0; j < x->n; j++) {
        const int column = k->n_rows + j;
        for (int p = x->pattern.start[column]; p < x->pattern.start[column + 1] - 1; p++)
            x->left[x->pattern.row[p]] += x->value[p] * x->z[j];
    }
}

static routh_status steady_sparse_step(rt_steady_search *k, double part, routh_error *error)
{
    enum { MOST = 6 };
    static const double EXACT = 1e-10;
    rt_steady_sparse *x = k->sparse;
    routh_status status = ROUTH_OK;
    double size = 0, change = INFINITY;
    memset(x->z, 0, (size_t)x->n * sizeof *x->z);
    rt_steady_begin_step(k);
    steady_sparse_find_pull(k, part);
    steady_sparse_pull_gauge(k);
    for (int pass = 0; pass < MOST && !status && change > EXACT * size; pass++) {
        steady_sparse_residual(k, x);
        for (int i = 0; i < k->n_rows; i++) x->b[i] = -x->left[i];
        memset(x->b + k->n_rows, 0, (size_t)x->n * sizeof *x->b);
        if (pass == 0) steady_sparse_pull_null_space(k);
        status = rt_ldl_solve(x->factor, x->b, 1, x->work, error);
        size = change = 0;
        for (int j = 0; j < x->n && !status; j++) {
            const double by = x->b[k->n_rows + j];
            x->z[j] += by;
            change = fmax(change, fabs(by)), size = fmax(size, fabs(x->z[j]));
        }
    }
    memset(k->step, 0, (size_t)k->n_unknowns * sizeof *k->step);
    for (int j = 0; j < x->n; j++) k->step[k->packed[j]] = x->z[j] * k->column_factor[k->packed[j]];
    return status;
}

routh_status rt_steady_sparse_step(rt_steady_search *k, routh_error *error)
{
    static const double SHORT = 0.05;
    const routh_status status = steady_sparse_step(k, 1, error);
    const double length = status ? 0 : rt_steady_step_length(k);
    if (!k->sparse->pulls || !(length > SHORT)) return status;
    return steady_sparse_step(k, SHORT / length, error);
}

/* ---- Newton's method ------------------------------------------------------------------------- */

/* One step from where F is, with J as factored; *moved: it is short, and brings the equations to
 * half of what they were at least, or to `good`. The error then is *reached. A step towards the
 * state as written, from one motion to another that is the same elsewhere, may leave ALONG. */
static routh_status steady_sparse_try(rt_steady_search *k, double good, double *reached,
                                      bool *moved, routh_error *error)
{
    static const double LONGEST = 0.5, ALONG = 1e-2;
    const double before = *reached;
    *moved = false;
    rt_steady_keep(k, RT_STEADY_STEP);
    rt_begin_step(k->s);
    routh_status status = rt_steady_sparse_step(k, error);
    if (status) return status;
    k->last_step = rt_steady_step_size(k);
    if (!(rt_steady_step_length(k) <= LONGEST)) return ROUTH_OK;
    rt_steady_move(k);
    status = rt_steady_evaluate(k, false, error);
    if (status || rt_step_winds(k->s)) return status;
    *reached = rt_steady_error(k);
    *moved = *reached <= fmax(k->sparse->pulls ? ALONG : good, before / 2);
    if (*moved) rt_angles_settle(k->s->m, k->s->w, k->s->state, true);
    return ROUTH_OK;
}

routh_status rt_steady_sparse_newton(rt_steady_search *k, bool pulls, double good,
                                     double short_step, int most, bool *found, routh_error *error)
{
    bool anew = true;
    double reached = INFINITY;
    routh_status status = steady_sparse_create(k, error);
    if (status) return status;
    k->sparse->pulls = pulls;
    status = rt_steady_evaluate(k, true, error);
    if (!status) reached = rt_steady_error(k);
    *found = false;
    for (int i = 0; i < most && !status && !*found; i++, k->s->iterations++) {
        const double before = reached;
        bool moved = false;
        status = rt_progress_ask(k->s->progress, 1, error);
        if (!status && anew) status = rt_steady_sparse_factor(k, error);
        if (!status) status = steady_sparse_try(k, good, &reached, &moved, error);
        if (status || (!moved && anew)) break;
        if (!moved) { /* with a J of its own */
            rt_steady_restore(k, RT_STEADY_STEP);
            status = rt_steady_evaluate(k, true, error);
            reached = before;
            anew = true;
            continue;
        }
        *found = reached <= good && k->last_step <= short_step;
        anew = !rt_steady_step_was_fast(before, reached);
        if (anew && !*found) status = rt_steady_evaluate(k, true, error);
    }
    return status == ROUTH_SINGULAR || status == ROUTH_NUMERIC_ERROR ? ROUTH_OK : status;
}

/* What of the balance and of what joints hold is not there, over its size. */
static double steady_sparse_imbalance(const rt_steady_search *k)
{
    double worst = 0;
    for (int i = 0; i < k->in_prescribed; i++)
        worst = fmax(worst, fabs(k->whole.F[i]) / k->whole.row_unit[i]);
    return worst;
}

routh_status rt_steady_sparse_forces(rt_steady_search *k, double good, routh_error *error)
{
    enum { MOST = 3 };
    routh_status status = rt_steady_evaluate(k, false, error);
    double before = status ? 0 : steady_sparse_imbalance(k);
    if (status || before <= good) return status;
    status = rt_steady_evaluate(k, true, error);
    if (!status) status = rt_steady_sparse_factor(k, error);
    for (int i = 0; i < MOST && !status; i++) {
        rt_steady_begin_step(k);
        rt_steady_keep(k, RT_STEADY_STEP);
        status = rt_steady_sparse_step(k, error);
        if (status) break;
        rt_steady_move(k);
        status = rt_steady_evaluate(k, false, error);
        if (status) break;
        const double now = steady_sparse_imbalance(k);
        if (now > before) {
            rt_steady_restore(k, RT_STEADY_STEP);
            return rt_steady_evaluate(k, false, error);
        }
        if (now <= good || now > before / 2) return ROUTH_OK;
        before = now;
    }
    return status;
}
