/* Inputs and outputs of two linear models in the same states held against each other. */
#include <math.h>

#include "answers/system_scaling.h"
#include "studies/check.h"

/* One matrix in both, in units of its rows and columns: power of the rate, and what its entries are
 * like (answers/system_scaling.h). */
typedef struct check_signals_pair {
    const double *a, *b;
    int rows, columns;
    const double *row, *column;
    double factor, usual;
} check_signals_pair;

static double check_signals_at(const check_signals_pair *p, const double *m, int i, int j)
{
    const double x = m ? m[(size_t)i * (size_t)p->columns + (size_t)j] : 0;
    return x * p->column[j] / p->row[i] * p->factor;
}

/* NaN where one is */
static double check_signals_larger(double a, double b) { return isnan(a) || a > b ? a : b; }

/* The largest difference over what the largest entry allows. */
static double margin_of(const check_signals_pair *p)
{
    double most = p->usual, off = 0;
    for (int i = 0; i < p->rows; i++)
        for (int j = 0; j < p->columns; j++) {
            const double apart =
                fabs(check_signals_at(p, p->a, i, j) - check_signals_at(p, p->b, i, j));
            off = check_signals_larger(off, apart);
            most = fmax(most, fabs(check_signals_at(p, p->a, i, j)));
        }
    return off / most;
}

static double largest_margin(const routh_linear *a, const routh_linear *b, const rt_system_scale *s)
{
    const int n = a->n_states, in = a->n_inputs, out = a->n_outputs;
    const double r = s->rate, *y = s->state, *u = s->input, *o = s->output;
    const check_signals_pair all[] = {
        {a->B, b->B, n, in, y, u, 1, r},        {a->B1, b->B1, n, in, y, u, r, r},
        {a->B2, b->B2, n, in, y, u, r * r, r},  {a->C, b->C, out, n, o, y, 1, 1},
        {a->D, b->D, out, in, o, u, 1, 1},      {a->D1, b->D1, out, in, o, u, r, 1},
        {a->D2, b->D2, out, in, o, u, r * r, 1}};
    double most = 0;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const double margin = margin_of(&all[k]);
        most = check_signals_larger(most, margin);
    }
    return most;
}

routh_status rt_compare_signals(const routh_linear *reference, const routh_linear *linear,
                                double *difference, routh_error *error)
{
    *difference = INFINITY;
    if (reference->n_inputs != linear->n_inputs || reference->n_outputs != linear->n_outputs)
        return ROUTH_OK;
    rt_arena arena = {0};
    rt_system_scale scale;
    const routh_status status = rt_scale_system(&scale, reference, &arena, error);
    if (!status) *difference = largest_margin(reference, linear, &scale);
    rt_arena_free(&arena);
    return status;
}
