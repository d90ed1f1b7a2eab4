/* Accelerations along directions that are felt are none.
 *
 * Of a motion that is carried on, places and spin angles change by W (w t + alpha t^2/2), with
 * alpha = (a_O, s') and W the translations of all bodies together and the rotation of each spin.
 * The equations F hold at all times, so their coefficient of t^2 vanishes. With forces of joints
 * and variables y_T that may change, and speeds that are felt no more than linearly,
 *     F_q W alpha + F_y y'' = 0.
 * W alpha may be no other direction than one that the forces of joints and the variables make up
 * for; with Q2 an orthonormal basis of what F_y does not reach,
 *     Q2' F_q W alpha = 0,   as P alpha = 0, P the projector on the rows of Q2' F_q W.
 * Balance at two times, 0 and T, asks only that v T + a T^2/2 is not felt: a height above tyres
 * may go as t (T - t). What reads time itself may make up for a displacement too: rows of joints
 * that do are no rows of F here, and where forces or signals do nothing is asked. */
#include "operating/steady.h"

/* Parts of natural units that are rounding of zero. */
static const double ROUNDED = 1e-11;

static int steady_felt_ways(const rt_steady_search *k)
{
    return k->acceleration < 0 ? 0 : 3 + k->asked->n_spins;
}

static double steady_felt_unit(const rt_steady_search *k, int way)
{
    return way < 3 ? k->s->m->length : 1;
}

routh_status rt_steady_felt_create(rt_steady_search *k, routh_error *error)
{
    const int ways = steady_felt_ways(k);
    const int others = k->s->m->n_rows + k->s->m->model->n_variables;
    k->clocked = rt_reads_time(k->s->m);
    if (ways == 0) return ROUTH_OK;
    k->felt = RT_TAKE(&k->arena, double, (size_t)ways *(size_t)ways);
    k->carried = RT_TAKE(&k->arena, double, ((size_t)k->in_prescribed + 1) * (size_t)ways);
    if (!k->felt || !k->carried) return rt_fail_memory(error);
    return rt_pivoted_qr_create(&k->feel, k->in_prescribed, others > ways ? others : ways,
                                &k->arena, error);
}

/* ---- F_q W ---------------------------------------------------------------------------------- */

static double steady_felt_entry(const rt_steady_search *k, int row, int column)
{
    return k->whole.J[(size_t)row + (size_t)k->most_rows * (size_t)column];
}

static bool steady_felt_row_reads_time(const rt_steady_search *k, int row)
{
    if (row < k->in_phi || row >= k->in_signals) return false;
    return k->timed[(row - k->in_phi) % k->s->m->n_rows];
}

/* The largest that displacements in natural units make of a row's equation. */
static double steady_felt_size(const rt_steady_search *k, int row)
{
    double size = 0;
    for (int c = 0; c < k->s->m->first_elastic; c++)
        size += fabs(steady_felt_entry(k, row, c)) * k->column_unit[c];
    return size / k->whole.row_unit[row];
}

/* What is out of balance is written in the body's axes, f': where they rotate about a, f' does by
 * f' x a though nothing has changed. */
static double steady_felt_by_axes(const rt_steady_search *k, int row, const rt_spin *spin)
{
    double turned[3];
    if (row / 6 != spin->body || row >= k->s->m->first_elastic) return 0;
    rt_v3_cross(turned, k->whole.F + row / 3 * 3, spin->axis);
    return turned[row % 3];
}

static double steady_felt_along(const rt_steady_search *k, int row, int way)
{
    double sum = 0;
    for (int b = 0; b < k->s->m->n_bodies && way < 3; b++)
        sum += steady_felt_entry(k, row, 6 * b + way);
    if (way >= 3) {
        const rt_spin *spin = &k->asked->spins[way - 3];
        for (int i = 0; i < 3; i++)
            sum += steady_felt_entry(k, row, 6 * spin->body + 3 + i) * spin->axis[i];
        sum -= steady_felt_by_axes(k, row, spin);
    }
    return sum * steady_felt_unit(k, way) / k->whole.row_unit[row];
}

/* Into k->carried, in natural units, without what is rounding of its terms; the largest entry. */
static double steady_felt_displace(rt_steady_search *k)
{
    double largest = 0;
    for (int i = 0; i < k->in_prescribed; i++) {
        const double none = ROUNDED * fmax(1, steady_felt_size(k, i));
        for (int j = 0; j < steady_felt_ways(k); j++) {
            const double x = steady_felt_row_reads_time(k, i) ? 0 : steady_felt_along(k, i, j);
            double *to = &k->carried[(size_t)i + (size_t)k->in_prescribed * (size_t)j];
            *to = fabs(x) > none ? x : 0;
            largest = fmax(largest, fabs(*to));
        }
    }
    return largest;
}

/* ---- Q2' F_q W ------------------------------------------------------------------------------- */

/* Columns of F_y into k->feel, each to a largest entry of 1; how many. */
static int steady_felt_pack(rt_steady_search *k)
{
    const int n = k->in_prescribed;
    int count = 0;
    for (int j = k->at_lambda; j < k->at_input;
         j = j + 1 == k->at_motion ? k->at_variable : j + 1) {
        double *to = k->feel.a + (size_t)n * (size_t)count, most = 0;
        for (int i = 0; i < n; i++) {
            to[i] = steady_felt_entry(k, i, j) / k->whole.row_unit[i];
            most = fmax(most, fabs(to[i]));
        }
        for (int i = 0; i < n && most > 0; i++) to[i] /= most;
        count += most > 0;
    }
    return count;
}

/* Q2' of k->carried; its rows begin at *first. */
static routh_status steady_felt_project(rt_steady_search *k, int *first, routh_error *error)
{
    rt_qr_gap gap = {.none = ROUNDED, .least = ROUNDED / 10, .most = ROUNDED * 10};
    const int n = k->in_prescribed, others = steady_felt_pack(k);
    *first = 0;
    if (others == 0) return ROUTH_OK;
    const routh_status status = rt_pivoted_qr_factor(&k->feel, n, others, NULL, &gap, error);
    if (status) return status;
    for (int j = 0; j < steady_felt_ways(k); j++)
        rt_pivoted_qr_project(&k->feel, k->carried + (size_t)n * (size_t)j);
    *first = k->feel.rank;
    return ROUTH_OK;
}

/* ---- P -------------------------------------------------------------------------------------- */

/* P -= z z', z a vector of the null space made orthogonal to those before it, as P z. */
static void steady_felt_take_off(rt_steady_search *k, double *z)
{
    const size_t n = (size_t)steady_felt_ways(k);
    double *P = k->felt, *y = k->carried; /* its columns are used no more */
    double size = 0, norm = 0;
    for (size_t i = 0; i < n; i++) size += z[i] * z[i];
    for (size_t i = 0; i < n; i++) z[i] /= sqrt(size);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < n; i++) {
            y[i] = 0;
            for (size_t j = 0; j < n; j++) y[i] += P[n * i + j] * z[j];
        }
        for (size_t i = 0; i < n; i++) z[i] = y[i];
    }
    for (size_t i = 0; i < n; i++) norm += z[i] * z[i];
    for (size_t i = 0; i < n && norm > 0; i++)
        for (size_t j = 0; j < n; j++) P[n * i + j] -= z[i] * z[j] / norm;
}

/* From rows first.. of k->carried, in natural units. */
static routh_status steady_felt_find_projector(rt_steady_search *k, int first, double none,
                                               routh_error *error)
{
    const int n = steady_felt_ways(k), rows = k->in_prescribed - first;
    rt_qr_gap gap = {.none = ROUNDED, .least = ROUNDED / 10, .most = ROUNDED * 10};
    for (int j = 0; j < n; j++)
        memcpy(k->feel.a + (size_t)rows * (size_t)j,
               k->carried + (size_t)k->in_prescribed * (size_t)j + first,
               (size_t)rows * sizeof *k->carried);
    const routh_status status = rt_pivoted_qr_factor(&k->feel, rows, n, NULL, &gap, error);
    if (status || fabs(k->feel.a[0]) <= none) return status;
    double *z = k->carried + n;
    for (int i = 0; i < n * n; i++) k->felt[i] = i % (n + 1) == 0;
    for (int l = 0; l < n - k->feel.rank; l++) {
        rt_pivoted_qr_null_vector(&k->feel, l, z);
        steady_felt_take_off(k, z);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            k->felt[n * i + j] *= steady_felt_unit(k, i) / steady_felt_unit(k, j);
    return ROUTH_OK;
}

static routh_status steady_felt_find(rt_steady_search *k, routh_error *error)
{
    const int n = steady_felt_ways(k);
    int first;
    memset(k->felt, 0, (size_t)n * (size_t)n * sizeof *k->felt);
    if (k->clocked) return ROUTH_OK;
    const double largest = steady_felt_displace(k);
    if (largest == 0) return ROUTH_OK;
    const routh_status status = steady_felt_project(k, &first, error);
    if (status || first == k->in_prescribed) return status;
    return steady_felt_find_projector(k, first, ROUNDED * fmax(1, largest), error);
}

routh_status rt_steady_add_felt(rt_steady_search *k, bool jacobian, routh_error *error)
{
    const int n = steady_felt_ways(k);
    const double *alpha = k->motion + k->acceleration;
    if (n == 0) return ROUTH_OK;
    const routh_status status = jacobian ? steady_felt_find(k, error) : ROUTH_OK;
    if (status) return status;
    for (int i = 0; i < n; i++) {
        const int row = k->in_felt + i;
        k->whole.F[row] = 0;
        for (int j = 0; j < n; j++) {
            const double by = k->felt[n * i + j];
            const int column = k->at_motion + k->acceleration + j;
            k->whole.F[row] += by * alpha[j];
            if (jacobian) k->whole.J[(size_t)row + (size_t)k->most_rows * (size_t)column] = by;
        }
    }
    return ROUTH_OK;
}
