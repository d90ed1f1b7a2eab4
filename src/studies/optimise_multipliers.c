/* Multipliers of what is active: lambda >= 0 that make |grad f + sum lambda_i grad c_i| smallest,
 * by the active-set method of Lawson and Hanson (1974, Solving Least Squares Problems, ch. 23). A
 * condition that is placed has two columns, one of each sign. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lapack.h"
#include "studies/optimise_solve.h"

/* How near to its bound a condition counts as active, relative. */
static const double NEAR = 1e-5;

typedef struct optimise_multipliers_fit {
    int rows, columns;
    double *A, *b;     /* rows x columns, column-major; minimise |A x - b|, x >= 0 */
    double *x, *trial; /* columns */
    bool *in;          /* not held at zero */
    double *left;      /* rows: b - A x */
    double *matrix, *sigma, *u, *vt;
} optimise_multipliers_fit;

/* trial: the least squares over the columns that are in, of least length. */
static routh_status solve_in(optimise_multipliers_fit *f, routh_error *error)
{
    const size_t rows = (size_t)f->rows;
    int n = 0;
    for (int j = 0; j < f->columns; j++)
        if (f->in[j])
            memcpy(f->matrix + rows * (size_t)n++, f->A + rows * (size_t)j, rows * sizeof(double));
    memset(f->trial, 0, (size_t)f->columns * sizeof *f->trial);
    if (n == 0) return ROUTH_OK;
    const routh_status status = rt_svd(f->rows, n, f->matrix, f->sigma, f->u, f->vt, error);
    const int rank = n < f->rows ? n : f->rows;
    for (int k = 0; k < rank && !status; k++) {
        double along = 0;
        if (!(f->sigma[k] > 1e-10 * f->sigma[0])) break;
        for (size_t i = 0; i < rows; i++) along += f->u[i + rows * (size_t)k] * f->b[i];
        for (int j = 0, at = 0; j < f->columns; j++)
            if (f->in[j]) f->trial[j] += along / f->sigma[k] * f->vt[k + n * at++];
    }
    return status;
}

static void optimise_multipliers_find_left(optimise_multipliers_fit *f)
{
    memcpy(f->left, f->b, (size_t)f->rows * sizeof *f->left);
    for (int j = 0; j < f->columns; j++)
        for (int i = 0; i < f->rows; i++) f->left[i] -= f->A[i + f->rows * j] * f->x[j];
}

/* The column at zero along which the rest falls fastest, relative to its length; -1: none. */
static int entering(const optimise_multipliers_fit *f, double size)
{
    int best = -1;
    double most = 1e-9 * size;
    for (int j = 0; j < f->columns; j++) {
        double along = 0, length = 0;
        for (int i = 0; i < f->rows && !f->in[j]; i++) {
            along += f->A[i + f->rows * j] * f->left[i];
            length += f->A[i + f->rows * j] * f->A[i + f->rows * j];
        }
        if (length > 0 && along / sqrt(length) > most) most = along / sqrt(length), best = j;
    }
    return best;
}

/* From x towards the trial as far as all stay positive; false: all the way. */
static bool step_back(optimise_multipliers_fit *f)
{
    double part = 1;
    for (int j = 0; j < f->columns; j++)
        if (f->in[j] && f->trial[j] <= 0) part = fmin(part, f->x[j] / (f->x[j] - f->trial[j]));
    for (int j = 0; j < f->columns; j++) {
        if (f->in[j]) f->x[j] += part * (f->trial[j] - f->x[j]);
        if (f->in[j] && f->trial[j] <= 0 && f->x[j] <= 1e-14) f->in[j] = false, f->x[j] = 0;
    }
    return part < 1;
}

static routh_status fit_positive(optimise_multipliers_fit *f, double size, routh_error *error)
{
    for (int pass = 0; pass < 10 * (f->columns + 1); pass++) {
        optimise_multipliers_find_left(f);
        const int j = entering(f, size);
        if (j < 0) return ROUTH_OK;
        f->in[j] = true;
        for (int inner = 0; inner <= f->columns; inner++) {
            const routh_status status = solve_in(f, error);
            if (status) return status;
            if (f->trial[j] <= 0) f->in[j] = false; /* dependent on others, to rounding */
            if (!step_back(f)) break;
        }
    }
    optimise_multipliers_find_left(f);
    return ROUTH_OK;
}

/* ---- what is active -------------------------------------------------------------------------- */

static routh_status optimise_multipliers_take(optimise_multipliers_fit *f, const rt_problem *p,
                                              rt_arena *arena, routh_error *error)
{
    const int rows = p->n, most = p->n_conditions + p->n_at + 2 * p->n_x + 1;
    const int larger = rows > most ? rows : most;
    *f = (optimise_multipliers_fit){.rows = rows,
                                    .A = RT_TAKE(arena, double, rows *most),
                                    .b = RT_TAKE(arena, double, rows),
                                    .x = RT_TAKE(arena, double, most),
                                    .trial = RT_TAKE(arena, double, most),
                                    .in = RT_TAKE(arena, bool, most),
                                    .left = RT_TAKE(arena, double, rows),
                                    .matrix = RT_TAKE(arena, double, rows *most),
                                    .sigma = RT_TAKE(arena, double, larger),
                                    .u = RT_TAKE(arena, double, rows *rows),
                                    .vt = RT_TAKE(arena, double, most *most)};
    return f->A && f->b && f->x && f->trial && f->in && f->left && f->matrix && f->sigma && f->u &&
                   f->vt
               ? ROUTH_OK
               : rt_fail_memory(error);
}

static double optimise_multipliers_length_of(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

/* which[column]: condition k as k, variable k at its bound as n_conditions + k. */
static void optimise_multipliers_add_columns(optimise_multipliers_fit *f, const rt_problem *p,
                                             const rt_evaluation *r, const double *X, int *which,
                                             double *sign)
{
    const size_t rows = (size_t)f->rows;
    for (int k = 0; k < p->n_conditions; k++) {
        double *column = f->A + rows * (size_t)f->columns;
        const double c = rt_problem_condition(p, k, r, X, column);
        if (c < -NEAR && k >= p->n_at) continue;
        which[f->columns] = k, sign[f->columns++] = 1;
        if (k >= p->n_at) continue;
        for (size_t i = 0; i < rows; i++) column[rows + i] = -column[i];
        which[f->columns] = k, sign[f->columns++] = -1;
    }
    for (int k = 0; k < p->n_x; k++)
        for (int side = -1; side <= 1; side += 2) {
            const double way = side < 0 ? X[k] : 1 - X[k];
            if (way > NEAR) continue;
            double *column = f->A + rows * (size_t)f->columns;
            memset(column, 0, rows * sizeof *column);
            column[k] = side;
            which[f->columns] = p->n_conditions + k, sign[f->columns++] = side;
        }
}

/* What the rest of the gradient is compared with. Where nothing is active that is the gradient, and
 * it has to be small beside that of the start; where the start has none, small by itself: variables
 * go from 0 to 1, and the objective is of order 1. */
static double size_of_gradient(const optimise_multipliers_fit *f, const rt_problem *p, double *X)
{
    static const double NONE = 1e-6;
    const double here = optimise_multipliers_length_of(f->b, f->rows);
    if (f->columns > 0 || here == 0) return here;
    rt_problem_point(p, &p->records[0], X);
    rt_problem_objective(p, &p->records[0], X, f->left);
    const double start = optimise_multipliers_length_of(f->left, f->rows);
    return fmax(fmax(here, NONE), isfinite(start) ? start : 0);
}

routh_status rt_optimum_multipliers(const rt_problem *p, const rt_evaluation *r, double *conditions,
                                    double *bounds, double *optimality, routh_error *error)
{
    rt_arena arena = {0};
    optimise_multipliers_fit f;
    const int most = p->n_conditions + p->n_at + 2 * p->n_x + 1;
    int *which = RT_TAKE(&arena, int, most);
    double *sign = RT_TAKE(&arena, double, most), *X = RT_TAKE(&arena, double, p->n);
    routh_status status = optimise_multipliers_take(&f, p, &arena, error);
    if (!status && (!which || !sign || !X)) status = rt_fail_memory(error);
    if (!status) {
        rt_problem_point(p, r, X);
        rt_problem_objective(p, r, X, f.b);
        for (int i = 0; i < f.rows; i++) f.b[i] = -f.b[i];
        optimise_multipliers_add_columns(&f, p, r, X, which, sign);
        status = fit_positive(&f, optimise_multipliers_length_of(f.b, f.rows), error);
    }
    memset(conditions, 0, (size_t)p->n_conditions * sizeof *conditions);
    memset(bounds, 0, (size_t)p->n_x * sizeof *bounds);
    for (int j = 0; j < f.columns && !status; j++) {
        const int k = which[j];
        *(k < p->n_conditions ? &conditions[k] : &bounds[k - p->n_conditions]) += sign[j] * f.x[j];
    }
    if (!status) {
        const double left = optimise_multipliers_length_of(f.left, f.rows);
        const double size = size_of_gradient(&f, p, X);
        *optimality = size > 0 ? left / size : 0;
    }
    rt_arena_free(&arena);
    return status;
}
