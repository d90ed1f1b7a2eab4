#include "symbolic/routh_array.h"

/* Row k belongs to degree n - k:
 *     r_0 = (c_n, c_{n-2}, ..),    r_1 = (c_{n-1}, c_{n-3}, ..),
 *     r_k[j] = r_{k-2}[j+1] - r_{k-2}[0] r_{k-1}[j+1] / r_{k-1}[0],
 * and where r_k vanishes it becomes the derivative of the polynomial of r_{k-1},
 *     r_k[j] = (n - k + 1 - 2 j) r_{k-1}[j]
 * (Routh 1877; Gantmacher, The Theory of Matrices, ch. XV, sections 3 and 4). */
typedef struct routh_array {
    rt_exact_field *field;
    int degree, width;
    rt_exact *rows; /* (degree + 1) x width */
    rt_exact *work; /* 2 */
} routh_array;

static rt_exact *routh_array_row_of(const routh_array *a, int k)
{
    return a->rows + (size_t)k * a->width;
}

static bool is_zero_row(const routh_array *a, int k)
{
    for (int j = 0; j < a->width; j++)
        if (!rt_exact_is_zero(a->field, routh_array_row_of(a, k) + j)) return false;
    return true;
}

static void derive(const routh_array *a, int k)
{
    for (int j = 0; j < a->width; j++) {
        const int factor = a->degree - k + 1 - 2 * j;
        rt_exact_scale(a->field, routh_array_row_of(a, k) + j, routh_array_row_of(a, k - 1) + j,
                       factor > 0 ? factor : 0, 1);
    }
}

static void routh_array_follow(const routh_array *a, int k)
{
    const rt_exact *above = routh_array_row_of(a, k - 1), *before = routh_array_row_of(a, k - 2);
    rt_exact *ratio = a->work;
    rt_exact_divide(a->field, ratio, before, above);
    for (int j = 0; j + 1 < a->width; j++) {
        rt_exact_set(a->field, routh_array_row_of(a, k) + j, before + j + 1);
        rt_exact_subtract_product(a->field, routh_array_row_of(a, k) + j, ratio, above + j + 1);
    }
}

/* ---- what must be positive ------------------------------------------------------------------ */

/* p: the product of the factors of odd power, its sign with it. */
static bool drop_squares(const rt_exact_field *field, fmpz_mpoly_t p)
{
    const fmpz_mpoly_ctx_struct *context = rt_exact_field_context(field);
    fmpz_mpoly_factor_t factors;
    fmpz_mpoly_factor_init(factors, context);
    const bool done = fmpz_mpoly_factor(factors, p, context);
    if (done) {
        const int sign = fmpz_sgn(factors->constant);
        fmpz_mpoly_set_si(p, sign, context);
        for (slong k = 0; k < factors->num; k++)
            if (fmpz_is_odd(factors->exp + k)) fmpz_mpoly_mul(p, p, factors->poly + k, context);
    }
    fmpz_mpoly_factor_clear(factors, context);
    return done;
}

/* p times an earlier condition is positive where p is: taken where it is shorter. */
static bool shorten(const rt_stability *s, const rt_exact_field *field, fmpz_mpoly_t p)
{
    const fmpz_mpoly_ctx_struct *context = rt_exact_field_context(field);
    fmpz_mpoly_t product;
    fmpz_mpoly_init(product, context);
    bool done = true, again = true;
    while (done && again) {
        again = false;
        for (int k = 0; k < s->n && done; k++) {
            fmpz_mpoly_mul(product, p, fmpz_mpoly_q_numref(s->positive + k), context);
            done = drop_squares(field, product);
            if (!done || fmpz_mpoly_length(product, context) >= fmpz_mpoly_length(p, context))
                continue;
            fmpz_mpoly_swap(p, product, context);
            again = true;
        }
    }
    fmpz_mpoly_clear(product, context);
    return done;
}

/* A factor of even power must not vanish: kept where no condition holds it. */
static bool note_squares(rt_stability *s, const rt_exact_field *field, const fmpz_mpoly_t p)
{
    enum { MOST = 8 };
    const fmpz_mpoly_ctx_struct *context = rt_exact_field_context(field);
    fmpz_mpoly_factor_t factors;
    fmpz_mpoly_t quotient;
    fmpz_mpoly_factor_init(factors, context);
    fmpz_mpoly_init(quotient, context);
    bool done = fmpz_mpoly_factor(factors, p, context);
    for (slong k = 0; done && k < factors->num; k++) {
        bool known = fmpz_is_odd(factors->exp + k);
        for (int i = 0; i < s->n && !known; i++)
            known = fmpz_mpoly_divides(quotient, fmpz_mpoly_q_numref(s->positive + i),
                                       factors->poly + k, context);
        for (int i = 0; i < s->n_nonzero && !known; i++)
            known =
                fmpz_mpoly_equal(fmpz_mpoly_q_numref(s->nonzero + i), factors->poly + k, context);
        if (known) continue;
        done = s->n_nonzero < MOST;
        if (!done) break;
        fmpz_mpoly_set(fmpz_mpoly_q_numref(s->nonzero + s->n_nonzero), factors->poly + k, context);
        fmpz_mpoly_one(fmpz_mpoly_q_denref(s->nonzero + s->n_nonzero), context);
        s->n_nonzero++;
    }
    fmpz_mpoly_clear(quotient, context);
    fmpz_mpoly_factor_clear(factors, context);
    return done;
}

/* x > 0 with the earlier conditions is p > 0. */
static bool routh_array_simplify(rt_stability *s, const routh_array *a, const rt_exact *x)
{
    const fmpz_mpoly_ctx_struct *context = rt_exact_field_context(a->field);
    fmpz_mpoly_t p;
    fmpz_mpoly_init(p, context);
    fmpz_mpoly_mul(p, fmpz_mpoly_q_numref(x), fmpz_mpoly_q_denref(x), context);
    const bool done = drop_squares(a->field, p) && shorten(s, a->field, p);
    fmpz_mpoly_struct *kept = fmpz_mpoly_q_numref(s->positive + s->n);
    fmpz_mpoly_set(kept, p, context);
    fmpz_mpoly_one(fmpz_mpoly_q_denref(s->positive + s->n), context);
    bool known = fmpz_mpoly_is_one(kept, context);
    for (int k = 0; k < s->n && !known; k++)
        known = fmpz_mpoly_equal(kept, fmpz_mpoly_q_numref(s->positive + k), context);
    if (!known) s->n++;
    fmpz_mpoly_clear(p, context);
    return done;
}

/* Of the numerators of the first column: what is below the bar is there for every symbol. */
static bool note_all_squares(rt_stability *s, const routh_array *a)
{
    for (int k = 0; k <= a->degree; k++)
        if (!note_squares(s, a->field, fmpz_mpoly_q_numref(routh_array_row_of(a, k)))) return false;
    return true;
}

/* The first column has one sign. */
static routh_status routh_array_conditions(rt_stability *s, const routh_array *a,
                                           routh_error *error)
{
    for (int k = 1; k <= a->degree; k++) {
        rt_exact_multiply(a->field, a->work, routh_array_row_of(a, k), routh_array_row_of(a, 0));
        if (!routh_array_simplify(s, a, a->work))
            return rt_fail(error, ROUTH_NUMERIC_ERROR, "a polynomial could not be factored");
    }
    if (!note_all_squares(s, a))
        return rt_fail(error, ROUTH_NUMERIC_ERROR, "a polynomial could not be factored");
    return ROUTH_OK;
}

routh_status rt_routh_array(rt_exact_field *field, int degree, const rt_exact *c, rt_stability *s,
                            routh_error *error)
{
    routh_array a = {.field = field, .degree = degree, .width = degree / 2 + 2};
    *s = (rt_stability){0};
    a.rows = rt_exact_zeros(field, (degree + 1) * a.width);
    a.work = rt_exact_zeros(field, 2);
    s->positive = rt_exact_zeros(field, degree + 1);
    s->nonzero = rt_exact_zeros(field, 8);
    if (!a.rows || !a.work || !s->positive || !s->nonzero) return rt_fail_memory(error);
    for (int k = 0; k <= degree; k++)
        rt_exact_set(field, routh_array_row_of(&a, (degree - k) % 2) + (degree - k) / 2, c + k);
    for (int k = 1; k <= degree; k++) {
        if (k > 1) routh_array_follow(&a, k);
        if (is_zero_row(&a, k)) {
            s->marginal = true;
            derive(&a, k);
        }
        if (rt_exact_is_zero(field, routh_array_row_of(&a, k))) {
            s->never = true;
            return ROUTH_OK;
        }
    }
    return routh_array_conditions(s, &a, error);
}
