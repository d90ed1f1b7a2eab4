/* See sensitivity_paths.h. */
#include "studies/sensitivity_paths.h"

#include <math.h>

static double sensitivity_paths_value_of(double sign, const double *from)
{
    return from ? sign * *from : sign;
}

/* The order-th derivative of s^power. */
static double _Complex power_of(double _Complex s, int power, int order)
{
    double _Complex x = 1;
    for (int k = 0; k < order; k++) x *= power - k;
    for (int k = order; k < power; k++) x *= s;
    return x;
}

/* ---- F -------------------------------------------------------------------------------------- */

routh_status rt_paths_prepare(rt_paths *v, rt_arena *arena, routh_error *error)
{
    const rt_levels_pencil *p = v->p;
    const size_t n = (size_t)p->n_terms + (size_t)p->n1;
    rt_arena scratch = {0};
    int *row = RT_TAKE(&scratch, int, n), *column = RT_TAKE(&scratch, int, n);
    v->place = RT_TAKE(arena, int, n);
    routh_status status = row && column && v->place ? ROUTH_OK : rt_fail_memory(error);
    for (int k = 0; k < p->n_terms && !status; k++)
        row[k] = p->terms[k].row, column[k] = p->terms[k].column;
    for (int k = 0; k < p->n1 && !status; k++) row[p->n_terms + k] = column[p->n_terms + k] = k;
    if (!status)
        status = rt_pattern_build(&v->pattern, v->n, v->n, n, row, column, v->place, arena, error);
    rt_arena_free(&scratch);
    if (status) return status;
    v->diagonal = v->place + p->n_terms;
    v->values = RT_TAKE(arena, double _Complex, v->pattern.start[v->n]);
    v->work = RT_TAKE(arena, double _Complex, v->n);
    if (!v->values || !v->work) return rt_fail_memory(error);
    return rt_complex_factor_create(&v->factor, &v->pattern, error);
}

/* Rows of y' = P x stand in F with the other sign. */
static double sensitivity_paths_side(const rt_paths *v, int row) { return row < v->p->n1 ? -1 : 1; }

routh_status rt_paths_factor(rt_paths *v, double _Complex s, routh_error *error)
{
    const rt_levels_pencil *p = v->p;
    memset(v->values, 0, (size_t)v->pattern.start[v->n] * sizeof *v->values);
    for (int k = 0; k < p->n_terms; k++) {
        const rt_term *t = &p->terms[k];
        v->values[v->place[k]] +=
            sensitivity_paths_side(v, t->row) * sensitivity_paths_value_of(t->sign, t->from);
    }
    for (int k = 0; k < p->n1; k++) v->values[v->diagonal[k]] += s;
    return rt_complex_factor_numeric(v->factor, v->values, error);
}

/* F z = - S in,  F z' = - S' in - z_y,  F z'' = - S'' in - 2 z'_y */
routh_status rt_paths_right(rt_paths *v, double _Complex s, int order, int input,
                            const double _Complex *before, double _Complex *z, routh_error *error)
{
    memset(z, 0, (size_t)v->n * sizeof *z);
    for (int k = 0; k < v->S.n; k++) {
        const rt_path_entry *w = &v->S.paths[k];
        if (w->column == input)
            z[w->row] -=
                sensitivity_paths_value_of(w->sign, w->from) * power_of(s, w->power, order);
    }
    for (int k = 0; order && k < v->p->n1; k++) z[k] -= order * before[k];
    return rt_complex_factor_solve_refined(v->factor, v->values, z, v->work, error);
}

/* a^T F = T,  a'^T F = - a_y^T */
routh_status rt_paths_left(rt_paths *v, int order, int output, const double _Complex *before,
                           double _Complex *a, routh_error *error)
{
    memset(a, 0, (size_t)v->n * sizeof *a);
    for (int k = 0; k < v->T.n && !order; k++) {
        const rt_path_entry *w = &v->T.paths[k];
        if (w->row == output) a[w->column] += sensitivity_paths_value_of(w->sign, w->from);
    }
    for (int k = 0; order && k < v->p->n1; k++) a[k] = -before[k];
    return rt_complex_factor_solve_transposed(v->factor, v->values, a, v->work, error);
}

double _Complex rt_paths_value(const rt_paths *v, double _Complex s, int order, int input,
                               int output, const double _Complex *z)
{
    double _Complex H = 0;
    for (int k = 0; k < v->T.n; k++) {
        const rt_path_entry *w = &v->T.paths[k];
        if (w->row == output) H += sensitivity_paths_value_of(w->sign, w->from) * z[w->column];
    }
    for (int k = 0; k < v->U.n; k++) {
        const rt_path_entry *w = &v->U.paths[k];
        if (w->row == output && w->column == input)
            H += sensitivity_paths_value_of(w->sign, w->from) * power_of(s, w->power, order);
    }
    return H;
}

/* ---- what its numbers do -------------------------------------------------------------------- */

static void add_terms(const rt_paths *v, const double _Complex *a, const double _Complex *z,
                      double _Complex *G)
{
    for (int k = 0; k < v->p->n_terms; k++) {
        const rt_term *t = &v->p->terms[k];
        if (t->varied >= 0)
            G[t->varied] -= sensitivity_paths_side(v, t->row) * t->sign * a[t->row] * z[t->column];
    }
}

/* - a^T dS, dS by its derivative of that order */
static void add_inputs(const rt_paths *v, double _Complex s, int order, int input,
                       const double _Complex *a, double _Complex *G)
{
    for (int k = 0; k < v->S.n; k++) {
        const rt_path_entry *w = &v->S.paths[k];
        if (w->column == input && w->varied >= 0)
            G[w->varied] -= w->sign * a[w->row] * power_of(s, w->power, order);
    }
}

static void add_outputs(const rt_paths *v, double _Complex s, int order, int input, int output,
                        const double _Complex *z, double _Complex *G)
{
    for (int k = 0; k < v->T.n; k++) {
        const rt_path_entry *w = &v->T.paths[k];
        if (w->row == output && w->varied >= 0) G[w->varied] += w->sign * z[w->column];
    }
    for (int k = 0; k < v->U.n; k++) {
        const rt_path_entry *w = &v->U.paths[k];
        if (w->row == output && w->column == input && w->varied >= 0)
            G[w->varied] += w->sign * power_of(s, w->power, order);
    }
}

void rt_paths_gradient(const rt_paths *v, double _Complex s, int order, int input, int output,
                       const double _Complex *a, const double _Complex *z,
                       const double _Complex *a1, const double _Complex *z1, double _Complex *G)
{
    add_terms(v, order ? a1 : a, z, G);
    add_inputs(v, s, 0, input, order ? a1 : a, G);
    add_outputs(v, s, order, input, output, order ? z1 : z, G);
    if (!order) return;
    add_terms(v, a, z1, G);
    add_inputs(v, s, 1, input, a, G);
}

/* ---- along a variation ---------------------------------------------------------------------- */

routh_status rt_paths_vary(rt_paths *v, rt_variation *variation, routh_error *error)
{
    const routh_mechanism *m = v->p->s->m;
    memcpy(v->varied, v->p->varied, (size_t)v->p->n_varied * sizeof *v->varied);
    if (m->n_driven) rt_variation_read(variation, RT_VARIED_DRIVE, v->varied + v->drive_at);
    for (int i = 0; i < m->model->n_outputs; i++) {
        double unused;
        if (v->output_at[i] < 0) continue;
        const routh_status status = rt_variation_sensor(variation, RT_SENSOR_OUTPUT, i, &unused,
                                                        v->varied + v->output_at[i], error);
        if (status) return status;
    }
    return ROUTH_OK;
}

void rt_paths_release(rt_paths *v)
{
    rt_complex_factor_free(v->factor);
    v->factor = NULL;
}
