#include "answers/shifted_symmetric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pi.h"
#include "base/symmetric_pencil.h"
#include "base/symmetric_split.h"

/* Below this part of the lowest frequency that is none rounding must end, or a zero is no zero. */
static const double WORST_ZERO = 0.1;

/* Scaled entries are 1 at most; what differs by less may do so by rounding, or of soft parts beside
 * stiff ones may not: what it does is part of the error. */
static const double ROUNDING = 1e-12;

/* What it does to an eigenvalue, as a part of it, is more than rounding does beyond this. */
static const double DOUBTFUL = 1e-7;

/* ---- is it one? ----------------------------------------------------------------------------- */

static double shifted_symmetric_entry(const rt_pattern *p, const double *values, int row,
                                      int column)
{
    const int at = rt_pattern_find(p, row, column);
    return at < 0 ? 0 : values[at];
}

/* In xi and lam alone: rows of motion by xi, by lam, and rows of constraints by xi. */
static bool mirrored(const rt_shifted *s, int r, int c, double value)
{
    const int n = s->n / 2;
    const int row = c < n ? c + n : c, column = r < s->n ? r - n : r;
    return fabs(value - shifted_symmetric_entry(&s->pattern, s->A, row, column)) <= ROUNDING;
}

bool rt_shifted_is_symmetric(const rt_shifted *s)
{
    const int n = s->n / 2;
    for (int c = 0; c < s->order; c++)
        for (int e = s->pattern.start[c]; e < s->pattern.start[c + 1]; e++) {
            const int r = s->pattern.row[e];
            if (r < n) continue;
            const bool rate = c >= n && c < s->n;
            if (rate && r < s->n &&
                (fabs(s->A[e]) > ROUNDING ||
                 fabs(s->E[e] - shifted_symmetric_entry(&s->pattern, s->E, c, r)) > ROUNDING))
                return false;
            if (!rate && !mirrored(s, r, c, s->A[e])) return false;
        }
    return true;
}

/* By how much omega^2 of z may be off as the lower triangle of K stands for both, and D for zero:
 *     |M^-1/2 N z|,     and omega by |z|'|D||z|/2
 * with the moduli N = |K - K'| and the diagonal of M. row: n_coordinates. */
static double shifted_symmetric_left_out(const rt_shifted *s, const double *z, double value,
                                         double *row)
{
    const int n = s->n / 2;
    double square = 0, damping = 0;
    memset(row, 0, (size_t)n * sizeof *row);
    for (int c = 0; c < s->n; c++)
        for (int e = s->pattern.start[c]; e < s->pattern.start[c + 1]; e++) {
            const int r = s->pattern.row[e] - n;
            if (r < 0 || r >= n) continue;
            if (c >= n)
                damping += fabs(s->A[e] * z[r] * z[c - n]) / 2;
            else
                row[r] += fabs(s->A[e] - shifted_symmetric_entry(&s->pattern, s->A, c + n, r)) *
                          fabs(z[c]);
        }
    for (int r = 0; r < n; r++)
        if (row[r] > 0)
            square += row[r] / shifted_symmetric_entry(&s->pattern, s->E, r + n, r + n) * row[r];
    return sqrt(square) + damping * (damping + 2 * sqrt(fabs(value)));
}

static routh_status shifted_symmetric_add_left_out(const rt_shifted *s, rt_symmetric_modes *m,
                                                   bool *doubtful, rt_arena *arena,
                                                   routh_error *error)
{
    double *row = RT_TAKE(arena, double, s->n / 2);
    if (!row) return rt_fail_memory(error);
    for (int k = 0; k < m->found; k++) {
        const double *z = m->vector + (size_t)m->n * (size_t)k;
        const double off = shifted_symmetric_left_out(s, z, m->value[k], row);
        *doubtful = *doubtful || (!rt_symmetric_zero(m, k) && off > m->error[k] &&
                                  off > DOUBTFUL * fabs(m->value[k]));
        m->error[k] += off;
    }
    return ROUTH_OK;
}

/* ---- the pencil ----------------------------------------------------------------------------- */

typedef struct symmetric {
    rt_pattern K_pattern, M_pattern;
    double *K, *M, *K_rest, *M_rest;
    double *dK, *dM; /* a sample */
} symmetric;

/* What rounding of the model's numbers does to omega^2 is at most so many times what the largest of
 * the samples does (extended_spectrum.c). */
static const double OF_SAMPLES = 5;

/* A force that is off by a part of the largest one moves what stiffens by forces by about that
 * part: so many times. */
static const double OF_RESIDUAL = 4;

static int shifted_symmetric_part_of(const rt_shifted *s, int index)
{
    return index < s->n / 2 ? index : index - s->n / 2;
}

/* Lower triangle of -A in (xi, lam), or of E among du, without entries that are zero; `from` is A
 * or E, or what stands on their pattern. */
static routh_status shifted_symmetric_build(const rt_shifted *s, bool mass, const double *from,
                                            rt_pattern *pattern, double **values, rt_arena *arena,
                                            routh_error *error)
{
    const int n = s->n / 2, order = s->order - n, n_all = s->pattern.start[s->order];
    int *row = malloc((3 * (size_t)n_all + 1) * sizeof *row), k = 0;
    double *value = malloc(((size_t)n_all + 1) * sizeof *value);
    routh_status status = row && value ? ROUTH_OK : rt_fail_memory(error);
    int *column = row ? row + n_all : NULL, *position = row ? column + n_all : NULL;
    for (int c = mass ? n : 0; c < (mass ? s->n : s->order) && !status; c++) {
        if (!mass && c >= n && c < s->n) continue;
        for (int e = s->pattern.start[c]; e < s->pattern.start[c + 1]; e++) {
            const int r = s->pattern.row[e];
            const double x = mass ? from[e] : -from[e];
            if (r < n || shifted_symmetric_part_of(s, r) < shifted_symmetric_part_of(s, c) ||
                (mass ? s->E : s->A)[e] == 0)
                continue;
            row[k] = shifted_symmetric_part_of(s, r), column[k] = shifted_symmetric_part_of(s, c),
            value[k++] = x;
        }
    }
    if (!status)
        status =
            rt_pattern_build(pattern, order, order, (size_t)k, row, column, position, arena, error);
    if (!status && !(*values = RT_TAKE(arena, double, k))) status = rt_fail_memory(error);
    for (int i = 0; i < k && !status; i++) (*values)[position[i]] = value[i];
    free(row);
    free(value);
    return status;
}

/* ---- answers -------------------------------------------------------------------------------- */

/* What rounding leaves open of the zeros, as a rate. */
static double zero_width(const rt_symmetric_modes *m)
{
    double width = 0;
    for (int k = 0; k < m->found; k++)
        if (rt_symmetric_zero(m, k)) width = fmax(width, sqrt(m->error[k]));
    return width;
}

/* Zeros are motions without stiffness only where rounding is far below the other frequencies. */
static routh_status check_zeros(const rt_shifted *s, const rt_symmetric_modes *m,
                                routh_error *error)
{
    const double width = zero_width(m);
    double least = INFINITY;
    for (int k = 0; k < m->found; k++)
        if (!rt_symmetric_zero(m, k)) least = fmin(least, sqrt(fabs(m->value[k])));
    if (width <= WORST_ZERO * least || isinf(least)) return ROUTH_OK;
    return rt_fail(error, ROUTH_NUMERIC_ERROR,
                   "frequencies below %.3g Hz are lost in rounding, because other parts of the "
                   "model are much stiffer; use fewer elements for flexible bodies, or rigid "
                   "bodies for very stiff parts",
                   s->rate * width / RT_TWO_PI);
}

/* error += what rounding of the model's numbers does: of z = (xi, lam) with xi' M xi = 1 a sample
 * changes omega^2 by z' (dK - omega^2 dM) z. */
static routh_status shifted_symmetric_sample(const rt_shifted *s, symmetric *p,
                                             rt_symmetric_modes *m, rt_arena *arena,
                                             routh_error *error)
{
    const size_t n = (size_t)s->pattern.start[s->order];
    double *most = RT_TAKE(arena, double, m->found);
    if (!most) return rt_fail_memory(error);
    for (size_t k = 0; k < ROUTH_ERROR_SAMPLES; k++) {
        routh_status status = shifted_symmetric_build(s, false, s->A_error + k * n, &p->K_pattern,
                                                      &p->dK, arena, error);
        if (!status)
            status = shifted_symmetric_build(s, true, s->E_error + k * n, &p->M_pattern, &p->dM,
                                             arena, error);
        if (status) return status;
        for (int j = 0; j < m->found; j++) {
            const double *z = m->vector + (size_t)m->n * (size_t)j;
            double dK, dM, sizes;
            rt_symmetric_form(&p->K_pattern, p->dK, z, 1, &dK, &sizes);
            rt_symmetric_form(&p->M_pattern, p->dM, z, 1, &dM, &sizes);
            most[j] = fmax(most[j], fabs(dK - m->value[j] * dM));
        }
    }
    const double residual = s->descriptor->linear->residual;
    for (int j = 0; j < m->found; j++)
        m->error[j] += OF_SAMPLES * most[j] + OF_RESIDUAL * residual * fabs(m->value[j]);
    return ROUTH_OK;
}

routh_status rt_shifted_symmetric_modes(const rt_shifted *s, const rt_symmetric_request *request,
                                        int count, rt_symmetric_modes *modes, bool *doubtful,
                                        rt_arena *arena, routh_error *error)
{
    *doubtful = false;
    symmetric p = {0};
    routh_status status = shifted_symmetric_build(s, false, s->A, &p.K_pattern, &p.K, arena, error);
    if (!status) status = shifted_symmetric_build(s, true, s->E, &p.M_pattern, &p.M, arena, error);
    if (!status && s->A_rest && !request->factors)
        status =
            shifted_symmetric_build(s, false, s->A_rest, &p.K_pattern, &p.K_rest, arena, error);
    if (!status && p.K_rest)
        status = shifted_symmetric_build(s, true, s->E_rest, &p.M_pattern, &p.M_rest, arena, error);
    if (status) return status;
    const rt_symmetric_pencil pencil = {.K_pattern = &p.K_pattern,
                                        .M_pattern = &p.M_pattern,
                                        .K = p.K,
                                        .M = p.M,
                                        .n_constraints = s->order - s->n,
                                        .K_rest = p.K_rest,
                                        .M_rest = p.M_rest};
    routh_error why;
    rt_symmetric_request followed = *request;
    followed.progress = s->progress;
    status = rt_symmetric_modes_by_parts(modes, &pencil, &followed, arena, &why);
    if (status == ROUTH_NUMERIC_ERROR && !request->between)
        return rt_fail(error, status,
                       "the %d eigenvalues nearest to %.6gi 1/s were not all found or not "
                       "distinguished; request more or fewer (--wanted), or, if parts of the model "
                       "are very stiff, use fewer elements for flexible bodies",
                       count, sqrt(request->near) * s->rate);
    if (status && error) *error = why;
    if (!status && p.K_rest) status = shifted_symmetric_sample(s, &p, modes, arena, error);
    if (!status) status = shifted_symmetric_add_left_out(s, modes, doubtful, arena, error);
    return status ? status : check_zeros(s, modes, error);
}
