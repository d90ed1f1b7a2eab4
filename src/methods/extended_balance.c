/* The operating point of a state of rest or of a steady motion with all digits: where the
 * accelerations of the states, in the frame that carries the motion, and the rates of controllers
 * vanish,
 *     [A_WS A_WX; A_XS A_XX] [dS; dX] = -[W'; X'],        W' = s_x (u' - what the frame gives),
 * by the smallest change: motions without stiffness are left where they are. The matrix is that of
 * doubles first, the right-hand side has all digits; soft parts beside very stiff ones are left to
 * extended_balance_fine.c. */
#include <float.h>
#include <string.h>

#include "base/dd_matrix.h"
#include "base/lapack.h"
#include "methods/extended_parts.h"

enum { MOST_STEPS = 4 };

/* Singular values below this fraction of the largest are motions without stiffness, */
static const double FREE = 1e-11;
/* rows and columns below this fraction are noise, */
static const double NOTHING = 1e-13;
/* and steps beyond this, typical lengths or radians, are of a point that is no equilibrium. */
static const double NEAR = 1e-7;

typedef struct settled_point {
    rt_extended_work *q;
    const rt_extended_response *r;
    const double *turn;
    int rows, columns; /* z1 + n_x, z + n_x */
    double *J, *U, *Vt, *sigma, *residual, *step, *scale;
    rt_dd *udot, *signal, *exact, *exact_step; /* residual and step as they are given */
} settled_point;

static bool settled_take(settled_point *b)
{
    rt_arena *arena = b->q->arena;
    const size_t m = (size_t)b->rows, n = (size_t)b->columns;
    b->J = RT_TAKE(arena, double, m *n), b->U = RT_TAKE(arena, double, m *m);
    b->Vt = RT_TAKE(arena, double, n *n), b->sigma = RT_TAKE(arena, double, m + n);
    b->residual = RT_TAKE(arena, double, m), b->step = RT_TAKE(arena, double, n);
    b->scale = RT_TAKE(arena, double, n);
    b->udot = RT_TAKE(arena, rt_dd, b->q->n);
    b->signal = RT_TAKE(arena, rt_dd, b->q->m->n_signals);
    b->exact = RT_TAKE(arena, rt_dd, m), b->exact_step = RT_TAKE(arena, rt_dd, n);
    return b->J && b->U && b->Vt && b->sigma && b->residual && b->step && b->scale && b->udot &&
           b->signal && b->exact && b->exact_step;
}

static void settled_fill(settled_point *b)
{
    for (int k = 0; k < b->columns; k++)
        for (int i = 0; i < b->rows; i++)
            b->J[i + (size_t)b->rows * (size_t)k] =
                rt_extended_balance_entry(b->q, b->r, i, k).high;
}

static double settled_residual(settled_point *b)
{
    const double largest =
        rt_extended_balance_residual(b->q, b->turn, b->udot, b->signal, b->exact);
    for (int i = 0; i < b->rows; i++) b->residual[i] = b->exact[i].high;
    return largest;
}

static double settled_largest(const double *x, int n, size_t stride)
{
    double largest = 0;
    for (int k = 0; k < n; k++) largest = fmax(largest, fabs(x[stride * (size_t)k]));
    return largest;
}

/* Rows to largest entries of 1, and columns, so that a soft part beside a stiff one is no part
 * without stiffness. Rows that are next to nothing are noise, and ask for nothing. J S: its columns
 * by `scale`; the residual by the rows. */
static void settled_scale(settled_point *b)
{
    const size_t m = (size_t)b->rows;
    const double all = settled_largest(b->J, b->rows * b->columns, 1);
    for (size_t i = 0; i < m; i++) {
        const double largest = settled_largest(b->J + i, b->columns, m);
        const double by = largest > NOTHING * all ? 1 / largest : 0;
        for (int j = 0; j < b->columns; j++) b->J[i + m * (size_t)j] *= by;
        b->residual[i] *= by;
    }
    for (int j = 0; j < b->columns; j++) {
        const double largest = settled_largest(b->J + m * (size_t)j, b->rows, 1);
        b->scale[j] = largest > NOTHING ? 1 / largest : 1;
        for (size_t i = 0; i < m; i++) b->J[i + m * (size_t)j] *= b->scale[j];
    }
}

/* step := -J^+ residual, of scaled ones */
static routh_status settled_solve(settled_point *b, routh_error *error)
{
    const int m = b->rows, n = b->columns, few = m < n ? m : n;
    settled_scale(b);
    const routh_status status = rt_svd(m, n, b->J, b->sigma, b->U, b->Vt, error);
    memset(b->step, 0, (size_t)n * sizeof *b->step);
    for (int k = 0; k < few && !status; k++) {
        double part = 0;
        if (!(b->sigma[k] > FREE * b->sigma[0])) break;
        for (int i = 0; i < m; i++) part -= b->U[i + (size_t)m * (size_t)k] * b->residual[i];
        for (int j = 0; j < n; j++)
            b->step[j] += b->scale[j] * b->Vt[k + (size_t)n * (size_t)j] * part / b->sigma[k];
    }
    return status;
}

static bool settled_move(settled_point *b, rt_extended_motion *motion)
{
    for (int k = 0; k < b->columns; k++) b->exact_step[k] = rt_dd_of(b->step[k]);
    if (!(rt_extended_balance_motion(b->q, b->r, b->exact_step, motion) <= NEAR)) return false;
    rt_extended_balance_move(b->q, motion);
    return true;
}

/* Steps by the singular values of doubles. */
static routh_status settled_run(settled_point *b, routh_error *error)
{
    rt_extended_work *q = b->q;
    rt_extended_motion motion;
    if (!rt_extended_motion_take(&motion, q) || !settled_take(b)) return rt_fail_memory(error);
    routh_status status = ROUTH_OK;
    double before = INFINITY;
    for (int step = 0; step < MOST_STEPS && !status; step++) {
        const double size = settled_residual(b);
        if (size == 0 || !(size < before / 4)) break;
        before = size;
        settled_fill(b);
        status = settled_solve(b, error);
        if (status || !settled_move(b, &motion)) break;
        status = rt_extended_settle(q, error);
    }
    return status;
}

routh_status rt_extended_balance(rt_extended_work *q, const double turn[3], rt_extended_response *r,
                                 rt_extended_fine *fine, routh_error *error)
{
    settled_point b = {
        .q = q, .r = r, .turn = turn, .rows = q->rates.n + q->n_x, .columns = q->states.n + q->n_x};
    bool done;
    routh_status status = rt_extended_respond(q, r, error);
    *fine = (rt_extended_fine){0};
    if (status || b.rows == 0 || b.columns == 0) return status;
    status = settled_run(&b, error);
    if (!status) status = rt_extended_respond(q, r, error);
    if (!status) status = rt_extended_fine_make(q, turn, r, fine, error);
    if (!status) status = rt_extended_fine_settle(fine, q, r, true, &done, error);
    if (status || done) return status;
    /* what doubles reach stays */
    fine->left = RT_TAKE(q->arena, double, fine->rows);
    if (!fine->left) return rt_fail_memory(error);
    settled_residual(&b);
    memcpy(fine->left, b.residual, (size_t)fine->rows * sizeof *fine->left);
    return ROUTH_OK;
}
