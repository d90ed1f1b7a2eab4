/* Steps of the search for a steady motion: of all that bring the linear equations nearest, the
 * smallest, damped where it is long (Levenberg, Marquardt),
 *     J = U diag(sigma) V',   dy = -V diag(sigma / (sigma^2 + mu^2)) U'(F - offset),
 * rows and columns scaled. Of what J leaves open (places on a plane, redundant joints' forces) the
 * bodies move the least: dy has no part along the null space, in units of length. */
#include <float.h>
#include <stdlib.h>

#include "base/lapack.h"
#include "operating/steady.h"

/* Singular values below this part of the largest are zero. */
static const double NONE = 1e-11;

/* An error from which on Newton's method converges. */
static const double NEAR = 1e-6;

/* What is no larger in natural units is rounding of zero, as a row that holds nothing. */
static const double ROUNDING = 1e-11;

/* ---- taking J apart ------------------------------------------------------------------------- */

/* Are the unknowns of column j held where they are? */
static bool steady_step_is_held(const rt_steady_search *k, int j)
{
    const int a = k->at_motion + k->acceleration;
    if (k->acceleration >= 0 && k->driven && !k->late && j >= a && j < a + 3) return true;
    if (k->held && j >= k->at_motion && j < k->at_x) return true;
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
    for (int i = first; i < last; i++)
        most = fmax(most, fabs(column[i]) / k->whole.row_unit[i] * k->row_scale[i]);
    return most;
}

/* A natural unit of states, variables and inputs: what makes a natural force, speed or length; of
 * those that make none what is as large in the equations of signals, by the others' units. */
static void steady_step_find_units(rt_steady_search *k)
{
    enum { PASSES = 3 };
    for (int i = 0; i < k->n_rows; i++) k->row_scale[i] = 1;
    for (int j = k->at_x; j < k->n_unknowns; j++) {
        if (j >= k->n_columns && j < k->n_columns + k->s->m->n_rows) continue; /* lambda, later */
        const bool late = j >= k->n_columns;
        const int first = late ? k->n_equations : 0, last = first + k->in_signals;
        const double most = largest_in_column(k, j, first, last);
        k->column_unit[j] = most > 0 ? 1 / most : 0;
    }
    for (int pass = 0; pass < PASSES; pass++) {
        for (int i = 0; i < k->n_rows; i++) {
            double most = 0;
            for (int j = 0; j < k->n_unknowns; j++)
                most = fmax(most, fabs(k->whole.J[(size_t)i + (size_t)k->most_rows * (size_t)j]) *
                                      k->column_unit[j] / k->whole.row_unit[i]);
            k->row_scale[i] = most > ROUNDING ? 1 / most : 1;
        }
        for (int j = k->at_x; j < k->n_unknowns; j++) {
            if (k->column_unit[j] != 0) continue;
            const double most = largest_in_column(k, j, 0, k->n_rows);
            k->column_unit[j] = most > 0 ? 1 / most : pass == PASSES - 1 ? 1 : 0;
        }
    }
}

/* Rows of positions and velocities are of natural size, or hold nothing: where bodies move alike, the
 * velocities of joints between them hold of themselves, and what entries such a row has are as small
 * as the error. They are not made larger. */
static bool steady_step_is_kinematic(const rt_steady_search *k, size_t row)
{
    const size_t at = row < (size_t)k->n_equations ? row : row - (size_t)k->n_equations;
    return at >= (size_t)k->in_phi && at < (size_t)k->in_signals;
}

static double steady_step_row_scale(const rt_steady_search *k, size_t row, double most)
{
    if (most <= ROUNDING) return 1;
    return steady_step_is_kinematic(k, row) ? fmin(1, 1 / most) : 1 / most;
}

/* To natural units; then rows, then columns, to a largest entry of 1. */
static void steady_step_scale(rt_steady_search *k)
{
    const size_t n = (size_t)k->n_rows, ld = (size_t)k->most_rows;
    steady_step_find_units(k);
    for (size_t i = 0; i < n; i++) k->row_scale[i] = 0;
    for (int j = 0; j < k->n_unknowns; j++)
        for (size_t i = 0; i < n; i++) {
            const double unit = steady_step_is_held(k, j) ? 0 : k->column_unit[j];
            const double a = k->whole.J[i + ld * (size_t)j] * unit / k->whole.row_unit[i];
            k->scaled[i + n * (size_t)j] = a;
            k->row_scale[i] = fmax(k->row_scale[i], fabs(a));
        }
    for (size_t i = 0; i < n; i++) k->row_scale[i] = steady_step_row_scale(k, i, k->row_scale[i]);
    for (int j = 0; j < k->n_unknowns; j++) {
        double most = 0;
        for (size_t i = 0; i < n; i++)
            most = fmax(most, fabs(k->scaled[i + n * (size_t)j]) * k->row_scale[i]);
        k->column_scale[j] = most > ROUNDING ? 1 / most : 1;
        for (size_t i = 0; i < n; i++)
            k->scaled[i + n * (size_t)j] *= k->row_scale[i] * k->column_scale[j];
    }
}

/* How much unknown j counts where J leaves a choice: what moves, and forces and signals hardly. */
static double steady_step_weight_of(const rt_steady_search *k, int j)
{
    const bool moves = j < k->at_lambda || (j >= k->at_motion && j < k->at_x);
    return (moves ? 1 : 1e-3) * k->column_scale[j];
}

/* The null space, orthonormal by those weights, a column for each vector, in place of the scaled J
 * (which the decomposition has used up); their number. */
static int measure_null_space(rt_steady_search *k)
{
    const size_t n = (size_t)k->n_unknowns;
    int count = 0;
    for (size_t l = (size_t)k->rank; l < n && !k->only_forces; l++) {
        double *x = k->scaled + n * (size_t)count, norm = 0;
        for (size_t j = 0; j < n; j++) x[j] = k->vt[l + n * j] * steady_step_weight_of(k, (int)j);
        for (int d = 0; d < 2 * count; d++) { /* twice is enough */
            const double *y = k->scaled + n * (size_t)(d % count);
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

routh_status rt_steady_decompose(rt_steady_search *k, routh_error *error)
{
    const int rows = k->n_rows, columns = k->n_unknowns;
    const int least = rows < columns ? rows : columns;
    steady_step_scale(k);
    const routh_status status = rt_svd(rows, columns, k->scaled, k->sigma, k->u, k->vt, error);
    if (status) return status;
    k->rank = 0;
    while (k->rank < least && k->sigma[k->rank] > NONE * k->sigma[0]) k->rank++;
    k->n_null = measure_null_space(k);
    return ROUTH_OK;
}

/* ---- the step ------------------------------------------------------------------------------- */

/* U'(F - offset), scaled, into b. */
static void steady_step_project(rt_steady_search *k)
{
    const size_t n = (size_t)k->n_rows;
    for (size_t l = 0; l < n; l++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += k->u[i + n * l] * (k->whole.F[i] - k->offset[i]) / k->whole.row_unit[i] *
                   k->row_scale[i];
        k->b[l] = sum;
    }
}

/* Of all steps that do as much the one that moves the bodies least. */
static void take_off_null_space(rt_steady_search *k)
{
    const size_t n = (size_t)k->n_unknowns;
    for (int l = 0; l < k->n_null; l++) {
        const double *y = k->scaled + n * (size_t)l;
        double along = 0;
        for (size_t j = 0; j < n; j++)
            along += k->step[j] * steady_step_weight_of(k, (int)j) * y[j];
        for (size_t j = 0; j < n; j++)
            k->step[j] -= along * y[j] / steady_step_weight_of(k, (int)j);
    }
}

static void make_step(rt_steady_search *k, double mu)
{
    const size_t n = (size_t)k->n_unknowns;
    for (size_t j = 0; j < n; j++) k->step[j] = 0;
    for (size_t l = 0; l < (size_t)k->rank; l++) {
        const double f = -k->b[l] * k->sigma[l] / (k->sigma[l] * k->sigma[l] + mu * mu);
        for (size_t j = 0; j < n; j++) k->step[j] += f * k->vt[l + n * j];
    }
    take_off_null_space(k);
    for (size_t j = 0; j < n; j++) k->step[j] *= k->column_scale[j] * k->column_unit[j];
}

void rt_steady_solve(rt_steady_search *k)
{
    steady_step_project(k);
    make_step(k, 0);
}

/* The largest displacement or turn, as a length over the typical one. */
static double steady_step_length_of(const rt_steady_search *k)
{
    double worst = 0;
    for (int c = 0; c < k->s->m->n_u; c++)
        worst = fmax(worst, fabs(k->step[c]) / k->column_unit[c]);
    return worst;
}

void rt_steady_move(rt_steady_search *k)
{
    rt_search *s = k->s;
    const int n_x = s->m->model->n_control_states, n_v = s->m->model->n_variables;
    rt_steady_restore(k, RT_STEADY_STEP);
    for (int c = 0; c < s->m->n_u; c++) s->x[c] = k->step[c];
    rt_advance(s->m, s->state->q, s->x);
    for (int r = 0; r < s->m->n_rows; r++) s->state->lambda[r] += k->step[k->at_lambda + r];
    for (int j = 0; j < k->n_motion; j++) k->motion[j] += k->step[k->at_motion + j];
    for (int i = 0; i < n_x; i++)
        s->state->signal[i + (k->drifts[i] ? n_x : 0)] += k->step[k->at_x + i];
    for (int i = 0; i < n_v; i++) s->state->signal[2 * n_x + i] += k->step[k->at_variable + i];
    for (int i = 0; i < k->asked->n_free; i++)
        s->state->signal[2 * n_x + n_v + k->asked->free[i]] += k->step[k->at_input + i];
    for (int i = 0; k->late && i < k->n_kept - k->n_motion; i++)
        k->motion[k->n_motion + i] += k->step[k->n_columns + i];
}

/* |F - offset| with the sizes of the place where the step begins, which are in `unit`. */
static double steady_step_distance(const rt_steady_search *k, const double *unit)
{
    double sum = 0;
    for (int i = 0; i < k->n_rows; i++) {
        const double a = (k->whole.F[i] - k->offset[i]) * unit[i];
        sum += a * a;
    }
    return sqrt(sum);
}

/* What Newton's method would move by from where F is now, |V (U'F / sigma)|, with J as it was
 * (Deuflhard's natural level): bent thin beams come nearer by it where their axial forces grow at
 * first. */
static double natural_distance(const rt_steady_search *k, const double *unit)
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

static double distance_of(const rt_steady_search *k, const double *unit)
{
    return k->natural ? natural_distance(k, unit) : steady_step_distance(k, unit);
}

/* The step with damping mu, from where it began. *moved: it is no longer than steps may be, and what
 * there is can be evaluated. */
static routh_status steady_step_try(rt_steady_search *k, double mu, bool *moved, routh_error *error)
{
    static const double longest = 0.5;
    *moved = false;
    make_step(k, mu);
    const double length = steady_step_length_of(k);
    if (!isfinite(length) || length > longest) return ROUTH_OK;
    rt_steady_move(k);
    const routh_status status = rt_steady_evaluate(k, false, error);
    if (status == ROUTH_OUT_OF_MEMORY) return status;
    *moved = !status;
    return ROUTH_OK;
}

/* Near the end the whole step is taken, damped or not. */
static routh_status steady_step_near_end(rt_steady_search *k, double error_now, bool *moved,
                                         routh_error *error)
{
    static const double OF_ERROR = 1e-2;
    routh_status status = steady_step_try(k, 0, moved, error);
    if (status || (*moved && rt_steady_error(k) <= error_now / 2)) return status;
    /* Away from a solution that is one of many (places and headings of a vehicle), what leads from
     * one to another has singular values of the size of the error, not zero: a step along it is of
     * any length. Damping in proportion to the error keeps quadratic convergence (Yamashita,
     * Fukushima 2001). */
    const double whole = *moved ? rt_steady_error(k) : INFINITY;
    status = steady_step_try(k, OF_ERROR * error_now * k->sigma[0], moved, error);
    if (status || (*moved && rt_steady_error(k) <= whole)) return status;
    return whole < INFINITY ? steady_step_try(k, 0, moved, error) : ROUTH_OK;
}

/* Damped until it brings the equations nearer. */
static routh_status steady_step_damped(rt_steady_search *k, double *mu, double *unit, bool *moved,
                                       routh_error *error)
{
    for (int i = 0; i < k->n_rows; i++) unit[i] = k->row_scale[i] / k->whole.row_unit[i];
    const double before = distance_of(k, unit), least = 1e-8 * k->sigma[0];
    for (int tries = 0; tries < 40; tries++, *mu = fmax(4 * *mu, least)) {
        const routh_status status = steady_step_try(k, *mu, moved, error);
        if (status) return status;
        *moved = *moved && distance_of(k, unit) < (1 - 1e-4) * before;
        if (!*moved) continue;
        *mu = *mu > 16 * least ? *mu / 16 : 0;
        return ROUTH_OK;
    }
    return ROUTH_OK;
}

/* One step; *moved: there was one that helps, or near the end any. */
static routh_status steady_step_take(rt_steady_search *k, double *mu, double error_now,
                                     double *unit, bool *moved, routh_error *error)
{
    routh_status status = rt_steady_decompose(k, error);
    if (status) return status;
    steady_step_project(k);
    rt_steady_keep(k, RT_STEADY_STEP);
    status = error_now <= NEAR ? steady_step_near_end(k, error_now, moved, error)
                               : steady_step_damped(k, mu, unit, moved, error);
    if (status) return status;
    if (*moved) {
        rt_angles_settle(k->s->m, k->s->w, k->s->state, true);
        return ROUTH_OK;
    }
    rt_steady_restore(k, RT_STEADY_STEP);
    return rt_steady_evaluate(k, false, error);
}

/* Ends where the error is `good` and falls no more by half; or where no step helps. */
routh_status rt_steady_newton(rt_steady_search *k, double good, int most, double *reached,
                              routh_error *error)
{
    double mu = 0, best = INFINITY;
    double *unit = malloc((size_t)k->n_rows * sizeof *unit);
    if (!unit) return rt_fail_memory(error);
    routh_status status = rt_steady_evaluate(k, true, error);
    *reached = status ? INFINITY : rt_steady_error(k);
    for (int i = 0; i < most && !status; i++, k->s->iterations++) {
        bool moved = false;
        best = *reached;
        if (best <= DBL_EPSILON) break;
        status = rt_progress_ask(k->s->progress, 1, error);
        if (!status) status = steady_step_take(k, &mu, best, unit, &moved, error);
        if (!status) *reached = rt_steady_error(k);
        if (status || !moved) break;
        if (*reached > best && best <= NEAR) { /* rounding: the place before was better */
            rt_steady_restore(k, RT_STEADY_STEP);
            status = rt_steady_evaluate(k, true, error);
            *reached = status ? INFINITY : rt_steady_error(k);
            break;
        }
        if (*reached <= good && *reached > best / 2) break;
        status = rt_steady_evaluate(k, true, error);
    }
    free(unit);
    return status == ROUTH_NUMERIC_ERROR ? ROUTH_OK : status;
}
