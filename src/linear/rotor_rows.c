/* The rows of zeta that are states, and the linear model in them. */
#include <stdio.h>
#include <stdlib.h>

#include "base/lapack.h"
#include "linear/rotor.h"

static const double *rows_at(const rt_rotor_view *v, int level, int row)
{
    return v->level[level] + (size_t)row * (size_t)(v->n + 1);
}

/* ---- choice ---------------------------------------------------------------------------------- */

/* x -= (x . d) d of n rows of width z, for the unit vector d; twice for the columns' sake. */
static double rows_dot(const double *x, const double *y, int z)
{
    double sum = 0;
    for (int j = 0; j < z; j++) sum += x[j] * y[j];
    return sum;
}

static void rows_subtract(double *x, const double *d, double factor, int z)
{
    for (int j = 0; j < z; j++) x[j] -= factor * d[j];
}

/* The tangent Z_0 of the states of position, its rows over their sizes, its columns made
 * orthonormal (Gram-Schmidt, twice), by columns. */
static routh_status rows_span(const rt_rotor *r, const rt_rotor_view *v, double *Q,
                              routh_error *error)
{
    const int n = rt_rotor_count_rows(r);
    for (int j = 0; j < v->z; j++) {
        double *q = Q + (size_t)n * (size_t)j;
        for (int i = 0; i < n; i++) q[i] = rows_at(v, 0, i)[j] / rt_rotor_row_size(r, i);
        const double before = rows_dot(q, q, n);
        for (int pass = 0; pass < 2; pass++)
            for (int k = 0; k < j; k++) {
                const double *p = Q + (size_t)n * (size_t)k;
                rows_subtract(q, p, rows_dot(p, q, n), n);
            }
        const double norm = sqrt(rows_dot(q, q, n));
        if (!(norm > 1e-12 * sqrt(before)))
            return rt_fail(error, ROUTH_NUMERIC_ERROR,
                           "the states of the linear model do not fix the motion of the rotor");
        for (int i = 0; i < n; i++) q[i] /= norm;
    }
    return ROUTH_OK;
}

/* The longest of the rows X (n x z, row-major) again and again, which is then taken out of all; the
 * first of those that are nearly as long, so that rounding does not choose. */
static void rows_pick(double *X, int n, int z, double *direction, int *rows)
{
    for (int k = 0; k < z; k++) {
        double longest = 0;
        for (int i = 0; i < n; i++) {
            const double *x = X + (size_t)i * (size_t)z, length = rows_dot(x, x, z);
            if (length > 1.001 * longest) longest = length, rows[k] = i;
        }
        const double *best = X + (size_t)rows[k] * (size_t)z;
        for (int j = 0; j < z; j++) direction[j] = best[j] / sqrt(longest);
        for (int i = 0; i < n; i++) {
            double *x = X + (size_t)i * (size_t)z;
            rows_subtract(x, direction, rows_dot(x, direction, z), z);
        }
    }
}

static routh_status rows_by_pivots(const rt_rotor *r, const rt_rotor_view *v, int *rows,
                                   routh_error *error)
{
    const size_t n = (size_t)rt_rotor_count_rows(r), z = (size_t)v->z;
    double *Q = malloc((2 * n * z + z + 1) * sizeof *Q);
    if (!Q) return rt_fail_memory(error);
    double *X = Q + n * z;
    const routh_status status = rows_span(r, v, Q, error);
    for (size_t i = 0; i < n && !status; i++)
        for (size_t j = 0; j < z; j++) X[i * z + j] = Q[i + n * j];
    if (!status) rows_pick(X, (int)n, (int)z, X + n * z, rows);
    free(Q);
    return status;
}

static int rows_find(const rt_rotor *r, const char *name)
{
    char text[RT_STATE_NAME];
    for (int i = 0; i < rt_rotor_count_rows(r); i++)
        if (strcmp(rt_rotor_row_name(r, i, text), name) == 0) return i;
    return -1;
}

/* Those that are no rates. */
static routh_status rows_by_name(const rt_rotor *r, const rt_rotor_view *v,
                                 const char *const *names, int *rows, routh_error *error)
{
    int n = 0;
    for (int k = 0; names[k]; k++) {
        const size_t length = strlen(names[k]);
        if (length && names[k][length - 1] == '\'') continue;
        const int row = rows_find(r, names[k]);
        if (row < 0)
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "multi-blade coordinates have no state '%s'; leave out the names of "
                           "states, and Routh chooses them",
                           names[k]);
        if (n < v->z) rows[n] = row;
        n++;
    }
    if (n == v->z) return ROUTH_OK;
    return rt_fail(error, ROUTH_BAD_ARGUMENT,
                   "%d names of states are given, but the rotor has %d degrees of freedom", n,
                   v->z);
}

routh_status rt_rotor_choose_rows(const rt_rotor *r, const rt_rotor_view *v,
                                  const char *const *names, rt_arena *arena, int **rows,
                                  routh_error *error)
{
    *rows = RT_TAKE(arena, int, v->z);
    if (!*rows) return rt_fail_memory(error);
    return names ? rows_by_name(r, v, names, *rows, error) : rows_by_pivots(r, v, *rows, error);
}

const char *rt_rotor_state_words(const rt_rotor *r, const rt_rotor_view *v, const int *rows, int i,
                                 char text[RT_STATE_NAME])
{
    if (i < 2 * v->z) return rt_rotor_row_name(r, rows[i % v->z], text);
    snprintf(text, RT_STATE_NAME, "the controller's state %.150s",
             r->m->model->control_states[i - 2 * v->z].name);
    return text;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

void rt_rotor_state_sizes(const rt_rotor *r, const rt_rotor_view *v, const int *rows, double *size)
{
    const double rate = r->speed != 0 ? fabs(r->speed) : 1;
    for (int k = 0; k < v->z; k++) {
        size[k] = rt_rotor_row_size(r, rows[k]);
        size[v->z + k] = rate * size[k];
    }
    for (int k = 2 * v->z; k < v->n; k++) size[k] = 1;
}

/* ---- deviations ------------------------------------------------------------------------------ */

/* What the rate of state i counts by: its size by the speed, or what A has on its row, which forces
 * of stiff parts are part of. */
static double rows_rate_size(const rt_rotor *r, const rt_rotor_view *v, const double *A,
                             const double *size, int i)
{
    double row = 0;
    for (int j = 0; j < v->n; j++) row = fmax(row, fabs(A[i * v->n + j]) * size[j]);
    return fmax(row, size[i] * fmax(fabs(r->speed), 1e-6));
}

double rt_rotor_states_deviate(const rt_rotor *r, const rt_rotor_view *v, const double *A,
                               const double *size, const double *own, const double *own_rate,
                               int *worst)
{
    double most = 0;
    *worst = 0;
    for (int i = 0; i < v->n; i++) {
        const double rate = rows_rate_size(r, v, A, size, i);
        const double e = fmax(fabs(own[i]) / size[i], fabs(own_rate[i]) / rate);
        if (e > most) most = e, *worst = i;
    }
    return most;
}

double rt_rotor_rows_deviate(const rt_rotor *r, const rt_rotor_view *v, const double *A,
                             const double *size, int *worst)
{
    const double speed = r->speed != 0 ? fabs(r->speed) : 1;
    double most = 0, square = speed * speed; /* of an acceleration: a rate by a rate */
    for (int i = v->z; i < 2 * v->z; i++)
        square = fmax(square, rows_rate_size(r, v, A, size, i) / size[i] * speed);
    *worst = 0;
    for (int i = 0; i < rt_rotor_count_rows(r); i++) {
        const double e = fmax(fabs(v->moves[0][i]) / speed, fabs(v->moves[1][i]) / square) /
                         rt_rotor_row_size(r, i);
        if (e > most) most = e, *worst = i;
    }
    return most;
}

/* ---- the linear model ------------------------------------------------------------------------ */

/* Row i of V and of H, and what the last column has: y_m, y_m'. */
static void rows_of_state(const rt_rotor *r, const rt_rotor_view *v, const int *rows, int i,
                          const double **V, const double **H)
{
    const int z = v->z;
    if (i < z)
        *V = rows_at(v, 0, rows[i]), *H = rows_at(v, 1, rows[i]);
    else if (i < 2 * z)
        *V = rows_at(v, 1, rows[i - z]), *H = rows_at(v, 2, rows[i - z]);
    else
        *V = rows_at(v, 0, rt_rotor_count_rows(r) + i - 2 * z),
        *H = rows_at(v, 1, rt_rotor_count_rows(r) + i - 2 * z);
}

routh_status rt_rotor_matrix(const rt_rotor *r, const rt_rotor_view *v, const int *rows, double *A,
                             double *T, double *own, double *own_rate, routh_error *error)
{
    const size_t n = (size_t)v->n;
    double *lu = malloc((n * n + 1) * sizeof *lu);
    int *pivots = malloc((n + 1) * sizeof *pivots);
    routh_status status = lu && pivots ? ROUTH_OK : rt_fail_memory(error);
    for (int i = 0; i < v->n && !status; i++) {
        const double *V, *H;
        rows_of_state(r, v, rows, i, &V, &H);
        memcpy(lu + (size_t)i * n, V, n * sizeof *lu); /* columns of V' */
        memcpy(A + (size_t)i * n, H, n * sizeof *A);
        if (own) own[i] = V[n], own_rate[i] = H[n];
    }
    if (!status) status = rt_lu_factor(v->n, lu, pivots, error);
    if (!status) status = rt_lu_solve(v->n, lu, pivots, v->n, A, 0, error);
    if (!status && T) { /* V X = I by columns, then by rows */
        memset(T, 0, n * n * sizeof *T);
        for (size_t i = 0; i < n; i++) T[i * n + i] = 1;
        status = rt_lu_solve(v->n, lu, pivots, v->n, T, 1, error);
        for (size_t i = 0; i < n && !status; i++)
            for (size_t j = 0; j < i; j++) {
                const double t = T[i * n + j];
                T[i * n + j] = T[j * n + i], T[j * n + i] = t;
            }
    }
    free(lu);
    free(pivots);
    return status == ROUTH_SINGULAR
               ? rt_fail(error, ROUTH_SINGULAR,
                         "the states in multi-blade coordinates do not fix the motion at an "
                         "azimuth of %.4g rad; the rotor is not the same at all azimuths: use "
                         "routh floquet",
                         v->psi)
               : status;
}
