/* The equations of a step, J dy = -(F - offset), rows and columns scaled, and their solutions: of
 * all dy that bring them nearest the smallest, damped where it is long (Levenberg, Marquardt),
 *     J = U diag(sigma) V',   dy = -V diag(sigma / (sigma^2 + mu^2)) U'(F - offset).
 * Of what J leaves open (places on a plane, redundant joints' forces) the bodies move the least: dy
 * has no part along the null space, in units of length.
 *
 * Without damping a QR factorization with pivots gives the same dy at a tenth of the cost; singular
 * values are found where they are needed, or where the factors show no gap at the rank. */
#include <float.h>
#include <math.h>

#include "base/lapack.h"
#include "operating/steady.h"

/* Singular values below this part of the largest are zero. */
static const double NONE = 1e-11;

/* Of the factors no diagonal entry between these may be, in parts of the first. */
static const double SURELY_NONE = 1e-12, SURELY_SOME = 1e-10;

/* What is no larger in natural units is rounding of zero, as a row that holds nothing. */
static const double ROUNDING = 1e-11;

/* ---- scales --------------------------------------------------------------------------------- */

/* While the mechanism settles: is it of the motion or an input, but no spin that is free? */
static bool steady_factor_keeps(const rt_steady_search *k, int j)
{
    const int spin = j - k->at_motion - RT_MOTION_SPINS;
    if (j < k->at_motion) return false;
    if (spin >= 0 && spin < k->asked->n_spins) return k->asked->spins[spin].rate_given;
    return j < k->at_x || j >= k->at_input;
}

/* Are the unknowns of column j held where they are? */
static bool steady_factor_is_held(const rt_steady_search *k, int j)
{
    const int a = k->at_motion + k->acceleration;
    /* of an instant torques say little of how spins grow; what lasts does */
    if (k->acceleration >= 0 && !k->late && j >= a + 3 && j < k->at_x) return true;
    if (k->acceleration >= 0 && k->driven && !k->late && j >= a && j < k->at_x) return true;
    if (k->held && j >= k->at_motion && j < k->at_x) return true;
    if (k->settles && steady_factor_keeps(k, j)) return true;
    if (!k->only_forces) return false;
    const bool force = j >= k->at_lambda && j < k->at_motion;
    const bool variable = j >= k->at_variable && j < k->at_input;
    const bool rate = j >= k->at_x && j < k->at_variable && k->drifts[j - k->at_x];
    return !force && !variable && !rate;
}

/* The largest entry of column j in rows [first, last), over the rows' sizes. */
static double largest_in_column(const rt_steady_search *k, int j, int first, int last)
{
    const double *column = k->whole.J + (size_t)k->most_rows * (size_t)j;
    double most = 0;
    for (int i = first; i < last; i++) {
        const double a = fabs(column[i]) / k->whole.row_unit[i] * k->row_scale[i];
        if (a > most) most = a;
    }
    return most;
}

/* To a largest entry of 1 in each row, by the columns' units. */
static void steady_factor_scale_rows(rt_steady_search *k)
{
    for (int i = 0; i < k->n_rows; i++) k->row_scale[i] = 0;
    for (int j = 0; j < k->n_unknowns; j++) {
        const double *column = k->whole.J + (size_t)k->most_rows * (size_t)j;
        for (int i = 0; i < k->n_rows; i++) {
            const double a = fabs(column[i]) * k->column_unit[j];
            if (a > k->row_scale[i]) k->row_scale[i] = a;
        }
    }
    for (int i = 0; i < k->n_rows; i++) {
        const double most = k->row_scale[i] / k->whole.row_unit[i];
        k->row_scale[i] = most > ROUNDING ? 1 / most : 1;
    }
}

/* A natural unit of states, variables and inputs: what makes a natural force, speed or length; of
 * those that make none what is as large in the equations of signals, by the others' units. */
static void steady_factor_find_units(rt_steady_search *k)
{
    enum { PASSES = 3 };
    bool open = false;
    for (int i = 0; i < k->n_rows; i++) k->row_scale[i] = 1;
    for (int j = k->at_x; j < k->n_unknowns; j++) {
        if (j >= k->n_columns && j < k->n_columns + k->s->m->n_rows) continue; /* lambda, later */
        const bool late = j >= k->n_columns;
        const int first = late ? k->n_equations : 0, last = first + k->in_signals;
        const double most = largest_in_column(k, j, first, last);
        k->column_unit[j] = most > 0 ? 1 / most : 0;
        open = open || !(most > 0);
    }
    for (int pass = 0; pass < PASSES && open; pass++) {
        steady_factor_scale_rows(k);
        for (int j = k->at_x; j < k->n_unknowns; j++) {
            if (k->column_unit[j] != 0) continue;
            const double most = largest_in_column(k, j, 0, k->n_rows);
            k->column_unit[j] = most > 0 ? 1 / most : pass == PASSES - 1 ? 1 : 0;
        }
    }
}

/* Rows of positions and velocities are of natural size, or hold nothing: where bodies move alike,
 * the velocities of joints between them hold of themselves, and what entries such a row has are as
 * small as the error. They are not made larger. */
static bool steady_factor_is_kinematic(const rt_steady_search *k, size_t row)
{
    const size_t at = row < (size_t)k->n_equations ? row : row - (size_t)k->n_equations;
    return at >= (size_t)k->in_phi && at < (size_t)k->in_signals;
}

static double steady_factor_row_scale(const rt_steady_search *k, size_t row, double most)
{
    if (most <= ROUNDING) return 1;
    return steady_factor_is_kinematic(k, row) ? fmin(1, 1 / most) : 1 / most;
}

/* To natural units; then rows, then columns, to a largest entry of 1. */
static void steady_factor_scale(rt_steady_search *k)
{
    const size_t n = (size_t)k->n_rows, ld = (size_t)k->most_rows;
    steady_factor_find_units(k);
    for (size_t i = 0; i < n; i++) k->row_scale[i] = 0;
    for (int j = 0; j < k->n_unknowns; j++) {
        const double unit = steady_factor_is_held(k, j) ? 0 : k->column_unit[j];
        const double *column = k->whole.J + ld * (size_t)j;
        double *to = k->matrix + n * (size_t)j;
        for (size_t i = 0; i < n; i++) {
            to[i] = column[i] * unit / k->whole.row_unit[i];
            if (fabs(to[i]) > k->row_scale[i]) k->row_scale[i] = fabs(to[i]);
        }
    }
    for (size_t i = 0; i < n; i++) {
        k->row_scale[i] = steady_factor_row_scale(k, i, k->row_scale[i]);
        k->row_factor[i] = k->row_scale[i] / k->whole.row_unit[i];
    }
    for (int j = 0; j < k->n_unknowns; j++) {
        double most = 0, *of = k->matrix + n * (size_t)j;
        for (size_t i = 0; i < n; i++) {
            of[i] *= k->row_scale[i];
            if (fabs(of[i]) > most) most = fabs(of[i]);
        }
        k->column_scale[j] = most > ROUNDING ? 1 / most : 1;
        k->column_factor[j] = k->column_scale[j] * k->column_unit[j];
        for (size_t i = 0; i < n; i++) of[i] *= k->column_scale[j];
    }
}

/* How much unknown j counts where J leaves a choice: what moves, and forces and signals hardly. */
static double steady_factor_weight_of(const rt_steady_search *k, int j)
{
    const bool moves = j < k->at_lambda || (j >= k->at_motion && j < k->at_x);
    return (moves ? 1 : 1e-3) * k->column_scale[j];
}

/* The null space, orthonormal by those weights, a column for each vector; their number. */
static int steady_factor_weigh_null_space(rt_steady_search *k)
{
    const size_t n = (size_t)k->n_unknowns;
    int count = 0;
    for (size_t l = (size_t)k->rank; l < n && !k->only_forces; l++) {
        double *x = k->null + n * (size_t)count, norm = 0;
        for (size_t j = 0; j < n; j++) x[j] = k->vt[l + n * j] * steady_factor_weight_of(k, (int)j);
        for (int d = 0; d < 2 * count; d++) { /* twice is enough */
            const double *y = k->null + n * (size_t)(d % count);
            double along = 0;
            for (size_t j = 0; j < n; j++) along += x[j] * y[j];
            for (size_t j = 0; j < n; j++) x[j] -= along * y[j];
        }
        for (size_t j = 0; j < n; j++) norm += x[j] * x[j];
        if (norm == 0) continue;
        for (size_t j = 0; j < n; j++) x[j] /= sqrt(norm);
        count++;
    }
    return count;
}

/* ---- the factors ---------------------------------------------------------------------------- */

/* Few searches need them, and they are large. */
static bool steady_factor_take_values(rt_steady_search *k)
{
    const size_t rows = (size_t)k->most_rows, columns = (size_t)k->most_unknowns;
    if (!k->u) k->u = RT_TAKE(&k->arena, double, rows *rows);
    if (!k->sigma) k->sigma = RT_TAKE(&k->arena, double, rows < columns ? rows : columns);
    return k->u && k->sigma;
}

/* Singular values and vectors of the scaled J; *rank where they say so. */
static routh_status steady_factor_values(rt_steady_search *k, routh_error *error)
{
    const int rows = k->n_rows, columns = k->n_unknowns;
    const int least = rows < columns ? rows : columns;
    if (!steady_factor_take_values(k)) return rt_fail_memory(error);
    memcpy(k->qr.a, k->matrix, (size_t)rows * (size_t)columns * sizeof *k->qr.a);
    const routh_status status =
        rt_svd_kept(rows, columns, k->qr.a, k->sigma, k->u, k->vt, k->s->m->analyses, error);
    if (status) return status;
    k->by_values = true;
    k->rank = 0;
    while (k->rank < least && k->sigma[k->rank] > NONE * k->sigma[0]) k->rank++;
    return ROUTH_OK;
}

/* Vector l of the null space to those before it, and of length 1. */
static void steady_factor_make_orthogonal(rt_steady_search *k, int l)
{
    const size_t n = (size_t)k->n_unknowns;
    double *x = k->vt + l, norm = 0;
    for (int pass = 0; pass < 2; pass++) /* twice is enough */
        for (int i = k->rank; i < l; i++) {
            const double *y = k->vt + i;
            double along = 0;
            for (size_t j = 0; j < n; j++) along += x[n * j] * y[n * j];
            for (size_t j = 0; j < n; j++) x[n * j] -= along * y[n * j];
        }
    for (size_t j = 0; j < n; j++) norm += x[n * j] * x[n * j];
    for (size_t j = 0; j < n; j++) x[n * j] /= sqrt(norm);
}

/* Joints' forces, now and at the later time: they enter the balance, hardly anything else. */
static int steady_factor_group_of(const rt_steady_search *k, int j)
{
    const int n = k->s->m->n_rows;
    if (j >= k->at_lambda && j < k->at_motion) return 0;
    return j >= k->n_columns && j < k->n_columns + n ? 1 : 2;
}

/* Columns that are not held, one group after another; which they are, and how many of each. */
static int steady_factor_pack(rt_steady_search *k, int of_group[3])
{
    const size_t rows = (size_t)k->n_rows;
    int n = 0;
    for (int group = 0; group < 3; group++) {
        const int before = n;
        for (int j = 0; j < k->n_unknowns; j++) {
            if (steady_factor_group_of(k, j) != group || steady_factor_is_held(k, j)) continue;
            memcpy(k->qr.a + rows * (size_t)n, k->matrix + rows * (size_t)j,
                   rows * sizeof *k->qr.a);
            k->packed[n++] = j;
        }
        of_group[group] = n - before;
    }
    return n;
}

/* The null space of the columns that are not held, then a unit vector for each that is; rows of vt
 * from the rank on. */
static void steady_factor_find_null_space(rt_steady_search *k)
{
    const size_t n = (size_t)k->n_unknowns;
    int l = k->rank;
    for (int i = 0; i < k->qr.n_columns - k->rank; i++) {
        for (size_t j = 0; j < n; j++) k->vt[(size_t)l + n * j] = 0;
        rt_pivoted_qr_null_vector(&k->qr, i, k->work);
        for (int j = 0; j < k->qr.n_columns; j++)
            k->vt[(size_t)l + n * (size_t)k->packed[j]] = k->work[j];
        steady_factor_make_orthogonal(k, l++);
    }
    for (int held = 0; held < k->n_unknowns; held++) {
        if (!steady_factor_is_held(k, held)) continue;
        for (size_t j = 0; j < n; j++) k->vt[(size_t)l + n * j] = j == (size_t)held;
        l++;
    }
}

routh_status rt_steady_decompose(rt_steady_search *k, routh_error *error)
{
    int of_group[3];
    rt_qr_gap gap = {.none = NONE, .least = SURELY_NONE, .most = SURELY_SOME};
    steady_factor_scale(k);
    k->by_values = false;
    const int n = steady_factor_pack(k, of_group);
    const rt_qr_groups groups = {2, of_group};
    routh_status status = rt_pivoted_qr_factor(&k->qr, k->n_rows, n, &groups, &gap, error);
    if (status) return status;
    k->rank = k->qr.rank;
    if (!gap.clear)
        status = steady_factor_values(k, error);
    else if (!k->only_forces)
        steady_factor_find_null_space(k);
    if (!status) k->n_null = steady_factor_weigh_null_space(k);
    return status;
}

routh_status rt_steady_decompose_fully(rt_steady_search *k, routh_error *error)
{
    const routh_status status = rt_steady_decompose(k, error);
    return status || k->by_values ? status : steady_factor_values(k, error);
}

/* ---- solutions ------------------------------------------------------------------------------ */

void rt_steady_begin_step(rt_steady_search *k)
{
    for (int i = 0; i < k->n_rows; i++)
        k->start[i] = (k->whole.F[i] - k->offset[i]) * k->row_factor[i];
}

/* Of all steps that do as much the one that moves the bodies least. */
static void take_off_null_space(rt_steady_search *k)
{
    const size_t n = (size_t)k->n_unknowns;
    for (int l = 0; l < k->n_null; l++) {
        const double *y = k->null + n * (size_t)l;
        double along = 0;
        for (size_t j = 0; j < n; j++)
            along += k->step[j] * steady_factor_weight_of(k, (int)j) * y[j];
        for (size_t j = 0; j < n; j++)
            k->step[j] -= along * y[j] / steady_factor_weight_of(k, (int)j);
    }
}

/* Damping is in parts of the largest entry of the factors, which the largest singular value is
 * near. */
static routh_status steady_factor_solve(rt_steady_search *k, double mu, routh_error *error)
{
    const size_t n = (size_t)k->most_unknowns;
    routh_status status = ROUTH_OK;
    memcpy(k->b, k->start, (size_t)k->n_rows * sizeof *k->b);
    rt_pivoted_qr_project(&k->qr, k->b);
    if (mu > 0 && !k->room) k->room = RT_TAKE(&k->arena, double, 2 * n * n);
    if (mu > 0 && !k->room) return rt_fail_memory(error);
    if (mu > 0)
        status =
            rt_pivoted_qr_solve_damped(&k->qr, k->b, mu * k->qr.largest, k->room, k->work, error);
    else
        rt_pivoted_qr_solve(&k->qr, k->b, k->work);
    memset(k->step, 0, (size_t)k->n_unknowns * sizeof *k->step);
    for (int j = 0; j < k->qr.n_columns; j++) k->step[k->packed[j]] = -k->work[j];
    return status;
}

static void steady_factor_solve_by_values(rt_steady_search *k, double mu)
{
    const size_t n = (size_t)k->n_unknowns, rows = (size_t)k->n_rows;
    for (size_t j = 0; j < n; j++) k->step[j] = 0;
    for (size_t l = 0; l < (size_t)k->rank; l++) {
        double b = 0;
        for (size_t i = 0; i < rows; i++) b += k->u[i + rows * l] * k->start[i];
        const double f = -b * k->sigma[l] / (k->sigma[l] * k->sigma[l] + mu * mu);
        for (size_t j = 0; j < n; j++) k->step[j] += f * k->vt[l + n * j];
    }
}

routh_status rt_steady_make_step(rt_steady_search *k, double mu, routh_error *error)
{
    routh_status status = ROUTH_OK;
    if (k->by_values)
        steady_factor_solve_by_values(k, mu * k->sigma[0]);
    else
        status = steady_factor_solve(k, mu, error);
    if (status) return status;
    take_off_null_space(k);
    for (int j = 0; j < k->n_unknowns; j++) k->step[j] *= k->column_factor[j];
    return ROUTH_OK;
}

routh_status rt_steady_solve(rt_steady_search *k, routh_error *error)
{
    rt_steady_begin_step(k);
    return rt_steady_make_step(k, 0, error);
}

/* Deuflhard's natural level. */
double rt_steady_natural_distance(const rt_steady_search *k, const double *unit)
{
    const size_t n = (size_t)k->n_rows;
    double all = 0;
    for (size_t l = 0; l < (size_t)k->rank; l++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += k->u[i + n * l] * (k->whole.F[i] - k->offset[i]) * unit[i];
        all += sum * sum / (k->sigma[l] * k->sigma[l]);
    }
    return sqrt(all);
}
