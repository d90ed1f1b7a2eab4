#include "symbolic/balls.h"

#include <stdlib.h>

bool rt_balls_of_symbols(const rt_exact_field *field, acb_ptr values, slong precision)
{
    const rt_symbol *all;
    const int n = rt_exact_field_symbols(field, &all);
    for (int k = 0; k < n; k++) {
        const rt_symbol *symbol = all + k;
        if (symbol->kind == RT_SYMBOL_PI) {
            acb_zero(values + symbol->variable);
            arb_const_pi(acb_realref(values + symbol->variable), precision);
        }
        if (!symbol->used || symbol->parameter < 0 || symbol->kind == RT_SYMBOL_PARAMETER) continue;
        const rt_symbol *of = rt_exact_field_parameter(field, symbol->parameter);
        if (symbol->sine)
            acb_sin(values + symbol->variable, values + of->variable, precision);
        else
            acb_cos(values + symbol->variable, values + of->variable, precision);
    }
    for (int k = 0; k < n; k++) {
        const rt_symbol *root = all + k;
        if (root->kind != RT_SYMBOL_ROOT || !root->used || root->sine) continue;
        acb_ptr value = values + root->variable;
        rt_exact square;
        fmpz_mpoly_q_init(&square, rt_exact_field_context(field));
        fmpz_mpoly_set(fmpz_mpoly_q_numref(&square), root->square, rt_exact_field_context(field));
        rt_ball_of(field, &square, values, value, precision);
        fmpz_mpoly_q_clear(&square, rt_exact_field_context(field));
        if (!arb_is_positive(acb_realref(value))) return false;
        arb_sqrt(acb_realref(value), acb_realref(value), precision);
    }
    return true;
}

void rt_ball_of(const rt_exact_field *field, const rt_exact *x, acb_srcptr values, acb_t out,
                slong precision)
{
    fmpz_mpoly_q_evaluate_acb(out, x, values, precision, rt_exact_field_context(field));
    arb_zero(acb_imagref(out)); /* everything is real */
}

/* ---- unknowns ------------------------------------------------------------------------------- */

typedef struct balls_newton {
    const routh_symbolic *s;
    int n, *variable, *parameter;
    rt_exact *slopes; /* n x n: d(force i)/d(unknown j) */
    acb_ptr values;
    arb_mat_t J, f, step;
} balls_newton;

/* f at the values' midpoints as they are, J over the balls that they are. */
static bool balls_evaluate(balls_newton *w, arb_mat_t f, arb_mat_t J, slong precision)
{
    acb_t z;
    if (!rt_balls_of_symbols(w->s->field, w->values, precision)) return false;
    acb_init(z);
    for (int i = 0; i < w->n; i++) {
        if (f) {
            rt_ball_of(w->s->field, w->s->reduction.forces + i, w->values, z, precision);
            arb_set(arb_mat_entry(f, i, 0), acb_realref(z));
        }
        for (int j = 0; J && j < w->n; j++) {
            rt_ball_of(w->s->field, w->slopes + i * w->n + j, w->values, z, precision);
            arb_set(arb_mat_entry(J, i, j), acb_realref(z));
        }
    }
    acb_clear(z);
    return true;
}

static arb_ptr balls_unknown(balls_newton *w, int k)
{
    return acb_realref(w->values + w->variable[k]);
}

/* To full precision, on points. */
static bool balls_approach(balls_newton *w, slong precision)
{
    for (int round = 0; round < 200; round++) {
        if (!balls_evaluate(w, w->f, w->J, precision) ||
            !arb_mat_solve(w->step, w->J, w->f, precision))
            return false;
        bool still = true;
        for (int k = 0; k < w->n; k++) {
            arb_ptr at = balls_unknown(w, k), step = arb_mat_entry(w->step, k, 0);
            mag_zero(arb_radref(step));
            arb_sub(at, at, step, precision);
            mag_zero(arb_radref(at));
            still = still && arf_cmpabs_2exp_si(arb_midref(step), -precision + 32) < 0;
        }
        if (still) return true;
    }
    return false;
}

/* Newton's operator m - J(X)^-1 f(m) lies within X: there is one zero in X, and it lies there. */
static bool prove(balls_newton *w, slong precision)
{
    arb_ptr middle = _arb_vec_init(w->n);
    bool proved = balls_evaluate(w, w->f, NULL, precision);
    for (int k = 0; k < w->n; k++) {
        arb_set(middle + k, balls_unknown(w, k));
        arb_add_error_2exp_si(balls_unknown(w, k), -precision + 48);
    }
    proved = proved && balls_evaluate(w, NULL, w->J, precision) &&
             arb_mat_solve(w->step, w->J, w->f, precision);
    for (int k = 0; k < w->n && proved; k++) {
        arb_t image;
        arb_init(image);
        arb_sub(image, middle + k, arb_mat_entry(w->step, k, 0), precision);
        proved = arb_contains_interior(balls_unknown(w, k), image);
        arb_set(balls_unknown(w, k), image);
        arb_clear(image);
    }
    _arb_vec_clear(middle, w->n);
    return proved;
}

static routh_status balls_solve(balls_newton *w, slong precision, routh_error *error)
{
    if (!balls_approach(w, precision))
        return rt_fail(error, ROUTH_NUMERIC_ERROR,
                       "Newton's method finds no operating point from the values in the model; "
                       "give values nearer to the equilibrium (routh equilibrium shows it)");
    if (!prove(w, precision) || !rt_balls_of_symbols(w->s->field, w->values, precision))
        return rt_fail(error, ROUTH_NUMERIC_ERROR,
                       "the operating point cannot be proved, because its equations are singular "
                       "or nearly singular; give other values of the parameters");
    return ROUTH_OK;
}

/* Signs were decided by doubles at the values in the file: do they hold where the unknowns are? */
static bool signs_hold(const routh_symbolic *s, acb_srcptr values, slong precision)
{
    const rt_exact *const *positive;
    const int n = rt_exact_field_assumptions(s->field, &positive);
    bool hold = true;
    acb_t z;
    acb_init(z);
    for (int k = 0; k < n && hold; k++) {
        rt_ball_of(s->field, positive[k], values, z, precision);
        hold = arb_is_positive(acb_realref(z));
    }
    acb_clear(z);
    return hold;
}

/* The unknowns are all symbols that there are. */
static routh_status find_unknowns(balls_newton *w, routh_error *error)
{
    const rt_symbol *all;
    const int n = rt_exact_field_symbols(w->s->field, &all);
    const rt_symbolic_reduction *r = &w->s->reduction;
    for (int k = 0; k < n; k++) {
        if (all[k].kind != RT_SYMBOL_PARAMETER) continue;
        w->variable[w->n] = all[k].variable;
        w->parameter[w->n++] = all[k].parameter;
        arb_set_d(acb_realref(w->values + all[k].variable), all[k].value);
    }
    if (w->n != r->n_forces)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "%d unknowns are named, but %d forces must vanish; name as many unknowns "
                       "(--unknown)",
                       w->n, r->n_forces);
    w->slopes = rt_exact_zeros(w->s->field, w->n * w->n + 1);
    if (!w->slopes) return rt_fail_memory(error);
    for (int i = 0; i < w->n; i++)
        for (int j = 0; j < w->n; j++)
            rt_exact_derivative(w->s->field, w->slopes + i * w->n + j, r->forces + i,
                                w->parameter[j]);
    return ROUTH_OK;
}

routh_status rt_balls_of_unknowns(const routh_symbolic *s, acb_ptr values, slong precision,
                                  routh_error *error)
{
    balls_newton w = {.s = s, .values = values};
    w.variable = malloc(2 * RT_MOST_VARIABLES * sizeof *w.variable);
    if (!w.variable) return rt_fail_memory(error);
    w.parameter = w.variable + RT_MOST_VARIABLES;
    routh_status status = find_unknowns(&w, error);
    if (!status && !w.n && !rt_balls_of_symbols(s->field, values, precision))
        status = rt_fail(error, ROUTH_NUMERIC_ERROR,
                         "the argument of a square root is not "
                         "positive; give other values of the "
                         "parameters");
    if (!status && w.n) {
        arb_mat_init(w.J, w.n, w.n);
        arb_mat_init(w.f, w.n, 1);
        arb_mat_init(w.step, w.n, 1);
        status = balls_solve(&w, precision, error);
        arb_mat_clear(w.J);
        arb_mat_clear(w.f);
        arb_mat_clear(w.step);
    }
    free(w.variable);
    if (!status && !signs_hold(s, values, precision))
        status = rt_fail(error, ROUTH_NUMERIC_ERROR,
                         "a root has another sign at the operating point than at the values in the "
                         "model; give values nearer to the operating point");
    return status;
}
