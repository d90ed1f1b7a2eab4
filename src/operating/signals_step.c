/* Newton's step for rates of controllers, variables, accelerations and multipliers (signals.c), and
 * loops that have none. */
#include "base/kept_memory.h"
#include "operating/signals.h"

#include <stdio.h>

#include "base/lapack.h"

/* g_a x + g_lambda y, or the sum of the sizes of its terms */
static double signals_step_along(const rt_sensor_row *row, const double *x, const double *y,
                                 bool sizes)
{
    double sum = 0;
    for (int i = 0; i < row->n_columns; i++) {
        const double term = row->by_a[i] * x[row->columns[i]];
        sum += sizes ? fabs(term) : term;
    }
    for (int i = 0; i < row->n_lambda; i++) {
        const double term = row->by_lambda[i] * y[row->lambda[i]];
        sum += sizes ? fabs(term) : term;
    }
    return sum;
}

static void own_partials(rt_signals *k)
{
    const size_t n = (size_t)k->n;
    memset(k->J, 0, 2 * n * n * sizeof *k->J);
    for (int i = 0; i < k->n; i++)
        for (int p = 0; p < k->rows[i].n_signals; p++)
            for (int j = 0; j < k->n; j++) {
                if (k->place[j] != k->rows[i].signals[p]) continue;
                k->J[i + n * (size_t)j] = k->rows[i].by_signal[p];
                k->terms[i + n * (size_t)j] = fabs(k->rows[i].by_signal[p]);
            }
}

/* -R's column of the signal into x, 0 into y */
static void put_push(const rt_search *s, int place, double *x, double *y)
{
    const rt_pattern *R = &s->m->pattern_R;
    memset(x, 0, (size_t)s->m->n_u * sizeof *x);
    memset(y, 0, (size_t)s->m->n_rows * sizeof *y);
    for (int p = R->start[place]; p < R->start[place + 1]; p++) x[R->row[p]] = -s->w->L[p];
}

/* J and the sizes of its terms. */
static routh_status make_jacobian(rt_search *s, bool whole, routh_error *error)
{
    rt_signals *k = s->signals;
    const size_t n = (size_t)k->n;
    bool any = false;
    own_partials(k);
    for (int i = 0; i < k->n; i++) any = any || k->feels[i];
    for (int j = 0; j < k->n && any; j++) {
        if (!k->pushes[k->place[j]]) continue;
        put_push(s, k->place[j], s->x, s->y);
        const routh_status status = rt_solve_accelerations(s, whole, s->x, s->y, error);
        if (status) return status;
        for (int i = 0; i < k->n; i++) {
            k->J[i + n * (size_t)j] += signals_step_along(&k->rows[i], s->x, s->y, false);
            k->terms[i + n * (size_t)j] += signals_step_along(&k->rows[i], s->x, s->y, true);
        }
    }
    return ROUTH_OK;
}

/* Rows, then columns, to a largest term of 1. */
static void signals_step_equilibrate(rt_signals *k)
{
    const int n = k->n;
    for (int i = 0; i < 2 * n; i++) k->row_scale[i] = 0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            k->row_scale[i] = fmax(k->row_scale[i], k->terms[i + (size_t)n * j]);
    for (int i = 0; i < n; i++)
        if (k->row_scale[i] == 0) k->row_scale[i] = 1;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++)
            k->column_scale[j] =
                fmax(k->column_scale[j], k->terms[i + (size_t)n * j] / k->row_scale[i]);
        if (k->column_scale[j] == 0) k->column_scale[j] = 1;
        for (int i = 0; i < n; i++) k->J[i + (size_t)n * j] /= k->row_scale[i] * k->column_scale[j];
    }
}

/* ---- loops without solution ----------------------------------------------------------------- */

/* Of J, equilibrated: a pivot, then a singular value, below this is none. */
static const double SINGULAR = 1e-12;

static void add_text(char *text, size_t room, const char *a, const char *b, const char *c)
{
    const size_t used = strlen(text);
    snprintf(text + used, room - used, "%s%s%s", a, b, c);
}

void rt_signals_name(const rt_search *s, const int *equations, int n, char *text, size_t room)
{
    enum { MOST = 4 };
    text[0] = 0;
    for (int i = 0; i < n && i < MOST; i++) {
        int number;
        const rt_sensor_kind kind = rt_signals_kind(s->signals, equations[i], &number);
        const routh_model *model = s->m->model;
        const char *before = i == 0 ? "" : i == n - 1 ? " and " : ", ";
        if (kind == RT_SENSOR_STATE)
            add_text(text, room, before, "the rate of ", model->control_states[number].name);
        else
            add_text(text, room, before, "", model->variables[number].name);
    }
    if (n <= MOST) return;
    char more[32];
    snprintf(more, sizeof more, " and %d more", n - MOST);
    add_text(text, room, more, "", "");
}

/* Unknowns with a large part in the loop, the first of the largest at the head. */
static int list_loop(const rt_signals *k, const double *null, int *list)
{
    int n = 0, largest = 0;
    for (int j = 1; j < k->n; j++)
        if (fabs(null[j]) > 1.01 * fabs(null[largest])) largest = j;
    list[n++] = largest;
    for (int j = 0; j < k->n; j++)
        if (j != largest && fabs(null[j]) > 1e-3 * fabs(null[largest])) list[n++] = j;
    return n;
}

static routh_status no_solution(const rt_search *s, const double *null, int *list,
                                routh_error *error)
{
    const rt_signals *k = s->signals;
    const int n = list_loop(k, null, list);
    char element[192], names[256];
    rt_place place;
    int number;
    const rt_sensor_kind kind = rt_signals_kind(k, list[0], &number);
    rt_sensor_describe(s->m, kind, number, element, &place);
    rt_signals_name(s, list, n, names, sizeof names);
    if (kind == RT_SENSOR_STATE)
        return rt_fail_at(error, ROUTH_SINGULAR, s->m->model->file, place, element,
                          "the equations do not determine %s: a differential equation must "
                          "determine the rate of its state, but its derivative by the rate is zero "
                          "here; use RATE of the state in the equation, or write a relation "
                          "between states and motion as a variable",
                          names);
    return rt_fail_at(error, ROUTH_SINGULAR, s->m->model->file, place, element,
                      "an algebraic loop has no unique solution: %s depend%s on %s (directly or "
                      "through accelerations and joint forces), and the gain of the loop is 1 for "
                      "a change of %s; change a gain of the loop, add a lag (type: differential), "
                      "or give a `guess` at which the slope of the equations is not zero",
                      names, n == 1 ? "s" : "", n == 1 ? "itself" : "one another",
                      n == 1 ? "it" : "them");
}

/* Called only where a pivot is next to nothing. (allocates) */
static routh_status check_singular(const rt_search *s, routh_error *error)
{
    const rt_signals *k = s->signals;
    const size_t n = (size_t)k->n;
    double *work = rt_kept_malloc(s->m->analyses, (3 * n * n + n) * sizeof *work);
    int *list = rt_kept_malloc(s->m->analyses, n * sizeof *list);
    routh_status status = work && list ? ROUTH_OK : rt_fail_memory(error);
    if (!status) {
        double *sigma = work + n * n, *vt = sigma + n, *u = vt + n * n;
        memcpy(work, k->J, n * n * sizeof *work);
        status = rt_svd_kept(k->n, k->n, work, sigma, u, vt, s->m->analyses, error);
        if (!status && sigma[n - 1] <= SINGULAR) {
            /* J z = 0 is in the loop and what it moves, y'J = 0 in the loop and what moves it */
            double most = 0;
            for (size_t j = 0; j < n; j++) {
                work[j] = vt[n - 1 + n * j] * u[j + n * (n - 1)];
                most = fmax(most, fabs(work[j]));
            }
            for (size_t j = 0; j < n && most < SINGULAR; j++) work[j] = vt[n - 1 + n * j];
            status = no_solution(s, work, list, error);
        }
    }
    rt_kept_free(work);
    rt_kept_free(list);
    return status;
}

static routh_status factor_jacobian(const rt_search *s, routh_error *error)
{
    rt_signals *k = s->signals;
    const size_t n = (size_t)k->n;
    double smallest = INFINITY;
    signals_step_equilibrate(k);
    memcpy(k->lu, k->J, n * n * sizeof *k->lu);
    if (k->least_norm)
        return rt_svd_kept(k->n, k->n, k->lu, k->least_norm->sigma, k->least_norm->u,
                           k->least_norm->vt, s->m->analyses, error);
    routh_status status = rt_lu_factor(k->n, k->lu, k->pivots, error);
    for (size_t i = 0; i < n && !status; i++) smallest = fmin(smallest, fabs(k->lu[i + n * i]));
    if (status != ROUTH_SINGULAR && (status || smallest > SINGULAR)) return status;
    const routh_status checked = check_singular(s, error);
    return checked ? checked : status;
}

/* ---- the step ------------------------------------------------------------------------------- */

static void signals_step_put_motion(const rt_search *s, const double *r, const double *phi,
                                    double *x, double *y)
{
    for (int c = 0; c < s->m->n_u; c++) x[c] = -r[c];
    for (int i = 0; i < s->m->n_rows; i++) y[i] = phi ? -phi[i] : 0;
}

routh_status rt_signals_fail(const rt_search *s, routh_error *error)
{
    int equation, column;
    const double off = rt_signals_error(s, &equation), motion = rt_relative_residual(s, &column);
    if (equation < 0 || motion > off)
        return rt_fail(error, ROUTH_NUMERIC_ERROR,
                       "the accelerations could not be found: variables and expressions of "
                       "accelerations or joint forces depend too strongly on themselves (%.2g of "
                       "the largest force is left); reduce the gain of the loop, or add a lag "
                       "(type: differential)",
                       motion);
    char element[192];
    rt_place place;
    int number;
    const rt_sensor_kind kind = rt_signals_kind(s->signals, equation, &number);
    rt_sensor_describe(s->m, kind, number, element, &place);
    return rt_fail_at(error, ROUTH_NUMERIC_ERROR, s->m->model->file, place, element,
                      "its equation could not be solved together with those it depends on: the "
                      "residual is %.3g (%.2g of its size); check whether a solution exists, and "
                      "give the variables of the loop a `guess` near it",
                      s->signals->rows[equation].value, off);
}

/* The part of b that J does not reach is more than rounding makes. */
static bool out_of_reach(const rt_search *s, const double *b)
{
    const rt_signals *k = s->signals;
    const rt_least_norm *svd = k->least_norm;
    const size_t n = (size_t)k->n;
    memset(svd->work, 0, n * sizeof *svd->work);
    for (size_t l = 0; l < n; l++) {
        if (svd->sigma[l] > RT_LEAST_SINGULAR * svd->sigma[0]) continue;
        double along = 0;
        for (size_t i = 0; i < n; i++) along += svd->u[i + n * l] * b[i];
        for (size_t i = 0; i < n; i++) svd->work[i] += svd->u[i + n * l] * along;
    }
    for (int i = 0; i < k->n; i++)
        if (fabs(svd->work[i]) > 1e-9 * rt_signals_size(s, i) / k->row_scale[i]) return true;
    return false;
}

/* V diag(1/sigma) U' b, in place; unknowns that are in no equation stay. */
static routh_status solve_least_norm(const rt_search *s, double *b, routh_error *error)
{
    const rt_signals *k = s->signals;
    rt_least_norm *svd = k->least_norm;
    const size_t n = (size_t)k->n;
    if (out_of_reach(s, b)) return rt_signals_fail(s, error);
    svd->steps++;
    memset(svd->work, 0, n * sizeof *svd->work);
    for (size_t l = 0; l < n && svd->sigma[l] > RT_LEAST_SINGULAR * svd->sigma[0]; l++) {
        double along = 0;
        for (size_t i = 0; i < n; i++) along += svd->u[i + n * l] * b[i];
        for (size_t j = 0; j < n; j++) svd->work[j] += svd->vt[l + n * j] * along / svd->sigma[l];
    }
    for (size_t j = 0; j < n; j++) {
        bool used = false;
        for (size_t i = 0; i < n; i++) used = used || k->J[i + n * j] != 0;
        b[j] = used ? svd->work[j] : 0;
    }
    return ROUTH_OK;
}

/* dp into k->step: J dp = -(g + g_a a + g_lambda l) */
static routh_status step_signals(rt_search *s, const double *g, routh_error *error)
{
    rt_signals *k = s->signals;
    for (int i = 0; i < k->n; i++)
        k->step[i] = -(g[i] + signals_step_along(&k->rows[i], s->x, s->y, false)) / k->row_scale[i];
    routh_status status = ROUTH_OK;
    if (k->least_norm)
        status = solve_least_norm(s, k->step, error);
    else
        status = rt_lu_solve(k->n, k->lu, k->pivots, 1, k->step, 0, error);
    for (int j = 0; j < k->n && !status; j++) k->step[j] /= k->column_scale[j];
    return status;
}

routh_status rt_signals_solve(rt_search *s, bool whole, const double *r, const double *phi,
                              const double *g, routh_error *error)
{
    rt_signals *k = s->signals;
    const rt_pattern *R = &s->m->pattern_R;
    signals_step_put_motion(s, r, phi, s->x, s->y);
    routh_status status = rt_solve_accelerations(s, whole, s->x, s->y, error);
    if (!status) status = step_signals(s, g, error);
    if (status) return status;
    signals_step_put_motion(s, r, phi, k->step_udot, k->step_lambda);
    for (int j = 0; j < k->n; j++)
        for (int p = R->start[k->place[j]]; p < R->start[k->place[j] + 1]; p++)
            k->step_udot[R->row[p]] -= s->w->L[p] * k->step[j];
    return rt_solve_accelerations(s, whole, k->step_udot, k->step_lambda, error);
}

routh_status rt_signals_factor(rt_search *s, bool whole, routh_error *error)
{
    routh_status status = rt_factor_accelerations(s, whole, error);
    if (!status) status = make_jacobian(s, whole, error);
    return status ? status : factor_jacobian(s, error);
}
