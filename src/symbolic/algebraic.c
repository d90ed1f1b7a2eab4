#include "symbolic/algebraic.h"

#include <arb_fmpz_poly.h>

/* P(s) = 0 and, where the operating point has an unknown, F = 0, in s, the cosine of the unknown
 * and the roots g_k. Roots are eliminated from the last on: where F = a + b g, g = -a/b in P, and
 * a^2 - b^2 R = 0 takes F's place; where only P has it, (P_0 + P_1 g)(P_0 - P_1 g) takes P's. The
 * cosine, where it is left, goes by the resultant. */
typedef struct algebraic_pair {
    const routh_symbolic *s;
    const fmpz_mpoly_ctx_struct *context;
    fmpz_mpoly_t P, F;
    bool has_F;
    acb_srcptr values;
    slong precision;
} algebraic_pair;

static bool vanishes(const algebraic_pair *w, const fmpz_mpoly_t p)
{
    rt_exact x;
    acb_t z;
    fmpz_mpoly_q_init(&x, w->context);
    acb_init(z);
    fmpz_mpoly_set(fmpz_mpoly_q_numref(&x), p, w->context);
    fmpz_mpoly_q_evaluate_acb(z, &x, w->values, w->precision, w->context);
    const bool contains = acb_contains_zero(z);
    acb_clear(z);
    fmpz_mpoly_q_clear(&x, w->context);
    return contains;
}

/* p = a + b g */
static void algebraic_split(const algebraic_pair *w, const fmpz_mpoly_t p, int variable,
                            fmpz_mpoly_t a, fmpz_mpoly_t b)
{
    fmpz_mpoly_t zero;
    fmpz_mpoly_init(zero, w->context);
    fmpz_mpoly_derivative(b, p, variable, w->context);
    fmpz_mpoly_gen(a, variable, w->context);
    fmpz_mpoly_mul(zero, a, b, w->context);
    fmpz_mpoly_sub(a, p, zero, w->context);
    fmpz_mpoly_clear(zero, w->context);
}

/* p := a^2 - b^2 R */
static void algebraic_norm(const algebraic_pair *w, fmpz_mpoly_t p, const fmpz_mpoly_t a,
                           const fmpz_mpoly_t b, const fmpz_mpoly_t R)
{
    fmpz_mpoly_t t;
    fmpz_mpoly_init(t, w->context);
    fmpz_mpoly_mul(p, a, a, w->context);
    fmpz_mpoly_mul(t, b, b, w->context);
    fmpz_mpoly_mul(t, t, R, w->context);
    fmpz_mpoly_sub(p, p, t, w->context);
    fmpz_mpoly_clear(t, w->context);
}

/* Products of roots leave powers of earlier ones: even powers go. */
static bool algebraic_reduce(const algebraic_pair *w, fmpz_mpoly_t p)
{
    rt_exact x, one;
    fmpz_mpoly_q_init(&x, w->context);
    fmpz_mpoly_q_init(&one, w->context);
    fmpz_mpoly_set(fmpz_mpoly_q_numref(&x), p, w->context);
    rt_exact_set_integer(w->s->field, &one, 1);
    rt_exact_multiply(w->s->field, &x, &x, &one);
    fmpz_mpoly_set(p, fmpz_mpoly_q_numref(&x), w->context);
    fmpz_mpoly_q_clear(&one, w->context);
    fmpz_mpoly_q_clear(&x, w->context);
    return !fmpz_mpoly_is_zero(p, w->context);
}

static bool eliminate_root(algebraic_pair *w, const rt_symbol *root)
{
    fmpz_mpoly_t a, b, p0, p1;
    fmpz_mpoly_init(a, w->context);
    fmpz_mpoly_init(b, w->context);
    fmpz_mpoly_init(p0, w->context);
    fmpz_mpoly_init(p1, w->context);
    const int g = root->variable;
    bool done = true;
    if (w->has_F && fmpz_mpoly_degree_si(w->F, g, w->context) > 0) {
        algebraic_split(w, w->F, g, a, b);
        algebraic_split(w, w->P, g, p0, p1);
        done = !vanishes(w, b);
        fmpz_mpoly_mul(p0, p0, b, w->context);
        fmpz_mpoly_mul(p1, p1, a, w->context);
        fmpz_mpoly_sub(w->P, p0, p1, w->context);
        algebraic_norm(w, w->F, a, b, root->square);
        done = done && algebraic_reduce(w, w->F);
    } else if (fmpz_mpoly_degree_si(w->P, g, w->context) > 0) {
        algebraic_split(w, w->P, g, p0, p1);
        algebraic_norm(w, w->P, p0, p1, root->square);
    }
    done = done && algebraic_reduce(w, w->P);
    fmpz_mpoly_clear(p1, w->context);
    fmpz_mpoly_clear(p0, w->context);
    fmpz_mpoly_clear(b, w->context);
    fmpz_mpoly_clear(a, w->context);
    return done;
}

/* The only irreducible factor of F that vanishes at the operating point. */
static bool choose_factor(algebraic_pair *w)
{
    fmpz_mpoly_factor_t factors;
    fmpz_mpoly_factor_init(factors, w->context);
    int n = 0;
    if (fmpz_mpoly_factor(factors, w->F, w->context))
        for (slong k = 0; k < factors->num; k++)
            if (vanishes(w, factors->poly + k)) {
                fmpz_mpoly_set(w->F, factors->poly + k, w->context);
                n++;
            }
    fmpz_mpoly_factor_clear(factors, w->context);
    return n == 1;
}

static const rt_symbol *the_cosine(const algebraic_pair *w)
{
    const rt_symbol *all;
    const int n = rt_exact_field_symbols(w->s->field, &all);
    for (int k = 0; k < n; k++)
        if (all[k].kind == RT_SYMBOL_COSINE && all[k].used) return all + k;
    return NULL;
}

/* Nothing but s is left. */
static bool univariate(const algebraic_pair *w, fmpz_poly_t out)
{
    rt_exact *s = rt_exact_zeros(w->s->field, 1);
    if (!s) return false;
    rt_exact_s(w->s->field, s);
    int variable = 0;
    while (fmpz_mpoly_degree_si(fmpz_mpoly_q_numref(s), variable, w->context) < 1) variable++;
    const slong n = fmpz_mpoly_length(w->P, w->context);
    fmpz_t c;
    fmpz_init(c);
    bool done = fmpz_mpoly_degree_si(w->P, variable, w->context) <= 200;
    for (slong k = 0; k < n && done; k++) {
        const slong e = fmpz_mpoly_get_term_var_exp_si(w->P, k, variable, w->context);
        done = fmpz_mpoly_total_degree_si(w->P, w->context) <= 200;
        fmpz_mpoly_get_term_coeff_fmpz(c, w->P, k, w->context);
        fmpz_poly_set_coeff_fmpz(out, e, c);
    }
    fmpz_clear(c);
    return done && fmpz_poly_degree(out) == fmpz_mpoly_total_degree_si(w->P, w->context);
}

/* sum of c_k s^k, its denominator left out */
static bool algebraic_begin(algebraic_pair *w)
{
    const rt_symbolic_reduction *r = &w->s->reduction;
    rt_exact_field *f = w->s->field;
    rt_exact *x = rt_exact_zeros(f, 2);
    if (!x || r->n_forces > 1) return false;
    rt_exact_s(f, x + 1);
    for (int k = 2 * r->n; k >= 0; k--) {
        rt_exact_multiply(f, x, x, x + 1);
        rt_exact_add(f, x, x, w->s->characteristic + k);
    }
    fmpz_mpoly_set(w->P, fmpz_mpoly_q_numref(x), w->context);
    w->has_F = r->n_forces == 1;
    if (w->has_F) fmpz_mpoly_set(w->F, fmpz_mpoly_q_numref(r->forces), w->context);
    return true;
}

static bool algebraic_eliminate(algebraic_pair *w)
{
    const rt_symbol *all;
    const int n = rt_exact_field_symbols(w->s->field, &all);
    for (int k = n - 1; k >= 0; k--)
        if (all[k].kind == RT_SYMBOL_ROOT && all[k].used && !eliminate_root(w, all + k))
            return false;
    if (!w->has_F) return true;
    const rt_symbol *cosine = the_cosine(w);
    if (!cosine || !choose_factor(w)) return false;
    if (fmpz_mpoly_degree_si(w->P, cosine->variable, w->context) < 1) return true;
    return fmpz_mpoly_resultant(w->P, w->P, w->F, cosine->variable, w->context) &&
           !fmpz_mpoly_is_zero(w->P, w->context);
}

bool rt_eigenvalue_factors(const routh_symbolic *s, acb_srcptr values, slong precision,
                           fmpz_poly_factor_t factors)
{
    algebraic_pair w = {.s = s,
                        .context = rt_exact_field_context(s->field),
                        .values = values,
                        .precision = precision};
    fmpz_poly_t p;
    fmpz_poly_init(p);
    fmpz_mpoly_init(w.P, w.context);
    fmpz_mpoly_init(w.F, w.context);
    const bool done = algebraic_begin(&w) && algebraic_eliminate(&w) && univariate(&w, p);
    if (done) fmpz_poly_factor(factors, p);
    fmpz_mpoly_clear(w.F, w.context);
    fmpz_mpoly_clear(w.P, w.context);
    fmpz_poly_clear(p);
    return done;
}

slong rt_factor_of(const fmpz_poly_factor_t factors, const acb_t eigenvalue, slong precision)
{
    slong found = -1;
    acb_t z;
    acb_init(z);
    for (slong k = 0; k < factors->num; k++) {
        arb_fmpz_poly_evaluate_acb(z, factors->p + k, eigenvalue, precision);
        if (!acb_contains_zero(z)) continue;
        if (found >= 0) {
            found = -1;
            break;
        }
        found = k;
    }
    acb_clear(z);
    return found;
}
