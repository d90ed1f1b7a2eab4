/* Rates that close loops, and what coordinates and rates change by along the parameters. At the end
 * of the way (loops_walk.c)
 *     B y' = -Phi'(y' = 0),      B dy = -dPhi(dy = 0),      B dy' = -dPhi'(dy' = 0). */
#include <math.h>

#include "base/lapack.h"
#include "operating/loops.h"
#include "system/varied_state.h"
#include "system/variation.h"

/* ---- rates ----------------------------------------------------------------------------------- */

static routh_status at_start(rt_loops *l, int pass)
{
    (void)pass;
    return rt_loops_evaluate_start(l);
}

/* Phi' of the rates that are written, over sizes, in loops->slope; the largest speed. */
static double take_rates(rt_loops *l)
{
    double speed = 0;
    for (int c = 0; c < l->m->n_u; c++) speed = fmax(speed, fabs(l->s.state->u[c]) / l->s.unit[c]);
    for (int r = 0; r < l->m->n_rows; r++) {
        l->slope[r] = l->s.w->phi[1][r] / l->size[r];
        speed = fmax(speed, fabs(l->slope[r]));
    }
    return speed;
}

/* Rows that hold here, of a block that what is written determines and does not contradict. */
static routh_status solve_rates(rt_loops *l, loops_block *b, double speed, bool *good)
{
    static const double none = 1e-12, closed = 1e-9, most = 1e-9;
    double gap = 0, by = 0;
    for (int i = 0; i < b->n_rows; i++) {
        gap = fmax(gap, fabs(l->phi[b->row[i]]));
        by = fmax(by, fabs(l->slope[b->row[i]]));
    }
    *good = by > none * speed && gap <= closed * l->m->length;
    if (!*good) return ROUTH_OK;
    const routh_status status = rt_loops_factor(l, b, true);
    *good = !status && b->rank == b->n_columns && rt_loops_residual(b, l->slope) <= most;
    if (*good) rt_loops_solve(b, l->slope);
    return status;
}

routh_status rt_loops_find_rates(rt_loops *l, double *rate)
{
    rt_place_loops *to = &l->p->loops;
    bool *use = RT_TAKE(&l->arena, bool, to->n), *skip = RT_TAKE(&l->arena, bool, l->m->n_rows);
    int kept = 0;
    if (!use || !skip) return rt_fail_memory(l->p->r->error);
    for (int c = 0; c < to->n; c++)
        use[c] = to->column[c].rate_open && !rt_place_has_own_velocity(l->p, to->column[c].body);
    routh_status status = rt_loops_find_blocks(l, &l->rates, skip, use, true, 1, at_start);
    const double speed = status ? 0 : take_rates(l);
    if (!status) status = rt_loops_check_motions(l, &l->rates, l->slope, true, speed);
    for (int k = 0; k < l->rates.n && !status; k++) {
        loops_block *b = &l->rates.block[k];
        bool good;
        status = solve_rates(l, b, speed, &good);
        if (status || !good) continue;
        for (int i = 0; i < b->n_columns; i++) {
            rate[b->column[i]] = b->x[i] * rt_loops_unit(l, b->column[i]);
            to->column[b->column[i]].active = to->any_rate = true;
        }
        l->rates.block[kept++] = *b;
    }
    l->rates.n = kept;
    return status;
}

/* ---- slopes ---------------------------------------------------------------------------------- */

/* What the model's parameters change by along one of them: a column of the matrix. */
static void parameter_slopes(rt_loops *l, const rt_variation *v, double *column)
{
    for (int k = 0; k < l->m->model->n_parameters; k++)
        column[k] = rt_variation_slope(v, rt_input(l->m->model->graph, k));
}

/* The change of coordinates or rates along parameter q, all that follows it with it. */
static routh_status slope_along(rt_loops *l, rt_variation *v, int q, bool rates, double *xi,
                                double *u, double *slope)
{
    rt_place_loops *to = &l->p->loops;
    routh_error *error = l->p->r->error;
    const rt_varied_state at = rt_varied_state_of(l->s.state), by = {.xi = xi, .u = u};
    loops_blocks *blocks = rates ? &l->rates : &l->places;
    routh_status status = rt_variation_along(v, q, xi, u, error);
    rt_variation_place(v, &at, false);
    if (!status) status = rt_variation_move(v, &by, error);
    if (!status) status = rt_variation_evaluate(v, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN, error);
    if (status) return status;
    rt_variation_read(v, rates ? RT_VARIED_PHI1 : RT_VARIED_PHI, l->slope);
    for (int r = 0; r < l->m->n_rows; r++) l->slope[r] /= l->size[r];
    memset(slope, 0, (size_t)to->n * sizeof *slope);
    for (int k = 0; k < blocks->n; k++) {
        loops_block *b = &blocks->block[k];
        rt_loops_solve(b, l->slope);
        for (int i = 0; i < b->n_columns; i++)
            slope[b->column[i]] = b->x[i] * rt_loops_unit(l, b->column[i]);
    }
    return ROUTH_OK;
}

/* T = D S: of changes along parameters with what follows these, T, those by each alone, D. */
static routh_status part_slopes(int n, int n_columns, double *S, double *T, int *pivots,
                                double *rows, routh_error *error)
{
    routh_status status = rt_lu_factor(n, S, pivots, error);
    for (int c = 0; c < n_columns; c++)
        for (int q = 0; q < n; q++) rows[q + n * c] = T[c + n_columns * q];
    if (!status) status = rt_lu_solve(n, S, pivots, n_columns, rows, 1, error);
    for (int c = 0; c < n_columns && !status; c++)
        for (int q = 0; q < n; q++) T[c + n_columns * q] = rows[q + n * c];
    return status;
}

routh_status rt_loops_find_slopes(rt_loops *l, bool rates, double *slope)
{
    const int n = l->m->model->n_parameters, n_c = l->p->loops.n;
    routh_error *error = l->p->r->error;
    double *S = RT_TAKE(&l->arena, double, (size_t)n *(size_t)n);
    double *rows = RT_TAKE(&l->arena, double, (size_t)n *(size_t)n_c);
    double *xi = RT_TAKE(&l->arena, double, 2 * (size_t)l->m->n_u);
    int *pivots = RT_TAKE(&l->arena, int, n);
    rt_variation *v = NULL;
    if (!S || !rows || !xi || !pivots) return rt_fail_memory(error);
    if (n == 0) return ROUTH_OK;
    routh_status status = rt_loops_evaluate_start(l);
    loops_blocks *blocks = rates ? &l->rates : &l->places;
    for (int k = 0; k < blocks->n && !status; k++)
        status = rt_loops_factor(l, &blocks->block[k], rates);
    if (!status) status = rt_variation_create(&v, l->p->r->model, error);
    for (int q = 0; q < n && !status; q++) {
        status = slope_along(l, v, q, rates, xi, xi + l->m->n_u, slope + (size_t)n_c * (size_t)q);
        if (!status) parameter_slopes(l, v, S + (size_t)n * (size_t)q);
    }
    rt_variation_free(v);
    return status ? status : part_slopes(n, n_c, S, slope, pivots, rows, error);
}
