/* Which symbols the formulas hold. */
#include "symbolic/write.h"

static bool formulas_use_any(const routh_symbolic *s, const rt_exact *x, int n,
                             const int *variables)
{
    for (int k = 0; x && k < n; k++)
        for (const int *v = variables; *v >= 0; v++)
            if (fmpz_mpoly_degree_si(fmpz_mpoly_q_numref(x + k), *v,
                                     rt_exact_field_context(s->field)) > 0 ||
                fmpz_mpoly_degree_si(fmpz_mpoly_q_denref(x + k), *v,
                                     rt_exact_field_context(s->field)) > 0)
                return true;
    return false;
}

static bool is_in_formulas(const routh_symbolic *s, int variable, rt_form_of_model form)
{
    const rt_symbolic_reduction *r = &s->reduction;
    const int one[2] = {variable, -1}, n = r->n * r->n;
    if (form == RT_STATE_SPACE) return formulas_use_any(s, s->A, 4 * n, one);
    return formulas_use_any(s, r->M, n, one) || formulas_use_any(s, r->C, n, one) ||
           formulas_use_any(s, r->K, n, one) || formulas_use_any(s, r->forces, r->n_forces, one);
}

/* A parameter also stands in its sine and cosine, and whatever a root is drawn from in the root. */
bool rt_symbolic_uses(const routh_symbolic *s, const rt_symbol *symbol, rt_form_of_model form)
{
    const rt_symbol *all;
    const int n = rt_exact_field_symbols(s->field, &all);
    if (is_in_formulas(s, symbol->variable, form)) return true;
    for (int k = 0; k < n; k++) {
        const rt_symbol *other = all + k;
        if (!other->used || other == symbol || other->kind == RT_SYMBOL_PARAMETER) continue;
        const bool angle = symbol->kind == RT_SYMBOL_PARAMETER && other->parameter >= 0 &&
                           other->parameter == symbol->parameter;
        const bool under = other->kind == RT_SYMBOL_ROOT && !other->sine &&
                           fmpz_mpoly_degree_si(other->square, symbol->variable,
                                                rt_exact_field_context(s->field)) > 0;
        if ((angle || under) && rt_symbolic_uses(s, other, form)) return true;
    }
    return false;
}
