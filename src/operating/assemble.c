/* Assembly: Phi(q) = 0.
 *
 * Gauss-Newton with the smallest change of configuration, regularised so that redundant rows do
 * no harm:
 *     [W G'; G -delta I] [xi; y] = [0; -Phi],   W weighs rotations by the typical length squared,
 * which is the minimum of |W^(1/2) xi|^2 + |G xi + Phi|^2 / delta. A step that does not lower
 * |Phi| is halved. */
#include <stdio.h>
#include <stdlib.h>

#include "operating/operating.h"

double rt_constraint_error(const rt_search *s, int *row)
{
    double worst = 0;
    double *size = s->y;
    *row = -1;
    rt_row_sizes(s, size);
    for (int r = 0; r < s->m->n_rows; r++) {
        const double e = fabs(s->w->phi[0][r]) / (size[r] > 0 ? size[r] : 1);
        if (e > worst) worst = e, *row = r;
    }
    return worst;
}

static routh_status not_assembled(const rt_search *s, double error_length, int row,
                                  routh_error *error)
{
    char element[192];
    const char *label;
    rt_place place;
    rt_row_describe(s->m, row, element, &place, &label);
    return rt_fail_at(
        error, ROUTH_NOT_ASSEMBLED, s->m->model->file, place, element,
        "the mechanism cannot be assembled: this joint has the largest gap, %.3g m (\"%s\"); the "
        "joints contradict each other, or the initial positions are too far from a solution: check "
        "lengths, markers and axes of the loop that this joint closes",
        error_length, label);
}

/* Identity weights on the diagonal of pattern_M. */
static void assemble_fill_weights(const rt_search *s)
{
    const rt_pattern *M = &s->m->pattern_M;
    for (int c = 0; c < M->n_columns; c++)
        for (int p = M->start[c]; p < M->start[c + 1]; p++)
            s->w->M[p] = M->row[p] == c ? 1 / (s->unit[c] * s->unit[c]) : 0;
}

static double assemble_norm(const double *x, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++) sum += x[k] * x[k];
    return sqrt(sum);
}

static double largest_step(const rt_search *s, const double *xi)
{
    double worst = 0;
    for (int c = 0; c < s->m->n_u; c++) {
        const double a = fabs(xi[c]) / s->unit[c];
        if (a > worst) worst = a;
    }
    return worst;
}

/* Notes a step that was taken where that is wanted. */
static routh_status assemble_note(rt_search *s, double scale, bool limited, routh_error *error)
{
    rt_assembly_path *path = s->path;
    if (!path) return ROUTH_OK;
    rt_assembly_step *more = realloc(path->step, (size_t)(path->n_steps + 1) * sizeof *more);
    if (!more) return rt_fail_memory(error);
    path->step = more;
    path->step[path->n_steps++] = (rt_assembly_step){scale, limited};
    return ROUTH_OK;
}

/* Moves along xi, halving until |Phi| falls; false when it will not. */
static routh_status line_search(rt_search *s, const double *q0, double before, bool *moved,
                                routh_error *error)
{
    const double step = largest_step(s, s->x);
    const bool limited = step > 0.5 * s->m->length;
    double scale = limited ? 0.5 * s->m->length / step : 1;
    *moved = false;
    for (int k = 0; k < 30; k++, scale /= 2) {
        memcpy(s->state->q, q0, (size_t)s->m->n_q * sizeof *q0);
        for (int c = 0; c < s->m->n_u; c++) s->z[c] = scale * s->x[c];
        rt_advance(s->m, s->state->q, s->z);
        const routh_status status =
            rt_evaluate(s->m, s->w, s->state, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN, error);
        if (status && status != ROUTH_NUMERIC_ERROR) return status;
        if (!status && assemble_norm(s->w->phi[0], s->m->n_rows) < before) {
            *moved = true;
            return assemble_note(s, scale, limited, error);
        }
    }
    memcpy(s->state->q, q0, (size_t)s->m->n_q * sizeof *q0);
    return rt_evaluate(s->m, s->w, s->state, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN, error);
}

/* Nothing closes better than the rounding of the positions themselves. */
static double rounding_of_positions(const rt_search *s)
{
    double largest = s->m->length;
    for (int k = 0; k < s->m->n_markers; k++)
        for (int i = 0; i < 3; i++) largest = fmax(largest, fabs(s->w->markers[k].r[i]));
    return 4e-16 * largest;
}

bool rt_is_assembled(const rt_search *s, double tolerance)
{
    int row;
    return rt_constraint_error(s, &row) <= fmax(tolerance * s->m->length, rounding_of_positions(s));
}

static routh_status assemble_iterate(rt_search *s, rt_kkt *kkt, double *q0, routh_error *error)
{
    /* good enough where no step makes it better, or so slowly as by a singular configuration */
    const double stuck = 1e-9 * s->m->length;
    int row, polish = 0;
    for (int k = 0;; k++, s->iterations++) {
        const double now = rt_constraint_error(s, &row);
        const bool closed = now <= fmax(s->tolerance * s->m->length, rounding_of_positions(s));
        if (row < 0 || (closed && polish++))
            return ROUTH_OK; /* one more step once closed, for
                                                                 the last digits */
        if (k > s->max_iterations)
            return now <= stuck ? ROUTH_OK : not_assembled(s, now, row, error);
        assemble_fill_weights(s);
        routh_status status = rt_progress_ask(s->progress, 1, error);
        if (!status) status = rt_kkt_factor(kkt, s->w->M, s->w->G, NULL, RT_ASSEMBLY_DELTA, error);
        if (status) return status;
        memset(s->x, 0, (size_t)s->m->n_u * sizeof *s->x);
        const double before = assemble_norm(s->w->phi[0], s->m->n_rows);
        for (int r = 0; r < s->m->n_rows; r++) s->y[r] = -s->w->phi[0][r];
        status = rt_kkt_solve(kkt, s->x, s->y, error);
        if (status) return status;
        bool moved;
        memcpy(q0, s->state->q, (size_t)s->m->n_q * sizeof *q0);
        status = line_search(s, q0, before, &moved, error);
        if (status) return status;
        if (!moved && (closed || now <= stuck)) return ROUTH_OK;
        if (!moved) return not_assembled(s, now, row, error);
    }
}

/* keep[n_rows] >= 0: the row has a position level. */
static void mark_positions(const routh_mechanism *m, int *keep)
{
    for (int r = 0; r < m->n_rows; r++) keep[r] = m->nonholonomic[r] ? -1 : r;
}

routh_status rt_assemble(rt_search *s, routh_error *error)
{
    routh_status status =
        rt_evaluate(s->m, s->w, s->state, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN, error);
    if (status || s->m->n_rows == 0) return status;
    int row;
    const double now = rt_constraint_error(s, &row);
    if (now <= 1e-15 * s->m->length) return ROUTH_OK;
    rt_kkt *kkt = NULL;
    double *q0 = malloc((size_t)s->m->n_q * sizeof *q0 + 1);
    int *keep = malloc((size_t)s->m->n_rows * sizeof *keep);
    status = q0 && keep ? ROUTH_OK : rt_fail_memory(error);
    if (!status) {
        mark_positions(s->m, keep);
        status = rt_kkt_create(&kkt, s->m, &s->m->pattern_M, keep, error);
    }
    if (!status) status = assemble_iterate(s, kkt, q0, error);
    rt_kkt_free(kkt);
    free(keep);
    free(q0);
    return status;
}
