/* The operating point of a state of rest or of a steady motion with all digits: where the
 * accelerations of the states, in the frame that carries the motion, and the rates of controllers
 * vanish,
 *     [A_WS A_WX; A_XS A_XX] [dS; dX] = -[W'; X'],        W' = s_x (u' - what the frame gives),
 * by the smallest change: motions without stiffness are left where they are. The matrix is that of
 * doubles, the right-hand side has all digits. */
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
    rt_extended_response r;
    const double *turn;
    int rows, columns; /* z1 + n_x, z + n_x */
    double *J, *U, *Vt, *sigma, *residual, *step, *scale;
    rt_dd *udot, *signal;
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
    return b->J && b->U && b->Vt && b->sigma && b->residual && b->step && b->scale && b->udot &&
           b->signal;
}

/* The response's column of unknown k: a state of position, or of a controller. */
static int settled_column(const settled_point *b, int k)
{
    const int z = b->q->states.n;
    return k < z ? k : k + b->q->rates.n;
}

static void settled_fill(settled_point *b)
{
    const rt_extended_work *q = b->q;
    const int z1 = q->rates.n;
    for (int k = 0; k < b->columns; k++) {
        const int c = settled_column(b, k);
        const size_t at = (size_t)q->n * (size_t)c;
        const rt_dd *xi = b->r.xi + at, *u = b->r.u + at,
                    *y = b->r.y + (size_t)q->order * (size_t)c;
        double *to = b->J + (size_t)b->rows * (size_t)k;
        for (int i = 0; i < z1; i++)
            to[i] = rt_extended_row_times(&q->rates, i, 0, y).high +
                    rt_extended_row_times(&q->rates, i, 2, u).high +
                    rt_extended_row_times(&q->rates, i, 3, xi).high;
        for (int i = 0; i < q->n_x; i++) to[z1 + i] = y[q->n + q->n_rows + i].high;
    }
}

/* W' and X'; those of controllers that drift are not asked for. Its largest. */
static double settled_residual(settled_point *b)
{
    static const double drifts = 1e-8;
    const rt_extended_work *q = b->q;
    const int z1 = q->rates.n;
    double largest = 0;
    rt_wide_unsteadiness(q->wide, b->turn, b->udot);
    rt_wide_read(q->wide, RT_VARIED_SIGNAL, b->signal);
    for (int i = 0; i < z1; i++)
        b->residual[i] = rt_extended_row_times(&q->rates, i, 0, b->udot).high;
    for (int i = 0; i < q->n_x; i++) {
        const double rate = b->signal[q->n_x + i].high;
        b->residual[z1 + i] = fabs(rate) > drifts ? 0 : rate;
    }
    for (int i = 0; i < b->rows; i++) largest = fmax(largest, fabs(b->residual[i]));
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

/* The state moved along the step; false: it is too long. */
static bool settled_move(settled_point *b, rt_dd *xi, rt_dd *u)
{
    const rt_extended_work *q = b->q;
    const int z = q->states.n;
    const size_t n = (size_t)q->n;
    memset(xi, 0, n * sizeof *xi), memset(u, 0, n * sizeof *u);
    memset(b->signal, 0, (size_t)q->m->n_signals * sizeof *b->signal);
    for (int k = 0; k < b->columns; k++) {
        const size_t at = n * (size_t)settled_column(b, k);
        rt_dd_add_column(q->n, rt_dd_of(b->step[k]), b->r.xi + at, xi);
        rt_dd_add_column(q->n, rt_dd_of(b->step[k]), b->r.u + at, u);
        if (k >= z) b->signal[k - z] = rt_dd_of(b->step[k]);
    }
    for (size_t c = 0; c < n; c++)
        if (!(fabs(xi[c].high) <= NEAR * fmax(1, q->m->length))) return false;
    rt_wide_advance(q->wide, xi);
    rt_wide_add(q->wide, RT_WIDE_U, u);
    rt_wide_add(q->wide, RT_WIDE_SIGNAL, b->signal);
    return true;
}

routh_status rt_extended_balance(rt_extended_work *q, const double turn[3], routh_error *error)
{
    settled_point b = {
        .q = q, .turn = turn, .rows = q->rates.n + q->n_x, .columns = q->states.n + q->n_x};
    rt_dd *xi = RT_TAKE(q->arena, rt_dd, q->n), *u = RT_TAKE(q->arena, rt_dd, q->n);
    if (!xi || !u || !settled_take(&b)) return rt_fail_memory(error);
    if (b.rows == 0 || b.columns == 0) return ROUTH_OK;
    routh_status status = rt_extended_respond(q, &b.r, error);
    double before = INFINITY;
    for (int step = 0; step < MOST_STEPS && !status; step++) {
        const double size = settled_residual(&b);
        if (size == 0 || !(size < before / 4)) break;
        before = size;
        settled_fill(&b);
        status = settled_solve(&b, error);
        if (status || !settled_move(&b, xi, u)) break;
        status = rt_extended_settle(q, error);
    }
    return status;
}
