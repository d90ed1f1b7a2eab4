#include "symbolic/text.h"

#include "symbolic/symbol_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_code(rt_notation notation) { return notation >= RT_NOTATION_C; }

/* ---- symbols -------------------------------------------------------------------------------- */

static int number_of_root(const rt_exact_field *field, const rt_symbol *root)
{
    const rt_symbol *symbols;
    rt_exact_field_symbols(field, &symbols);
    return (int)(root - symbols) + 1;
}

static void write_parameter_symbol(const rt_exact_field *field, const rt_symbol *symbol,
                                   rt_notation notation, rt_text *text)
{
    if (notation == RT_NOTATION_LATEX)
        rt_latex_name(field, symbol, text);
    else if (is_code(notation))
        rt_code_name(field, symbol, text);
    else
        rt_text_append(text, "%s", symbol->name);
}

/* cos(phi), \cos(\phi), cos_phi */
static void write_angle(const rt_exact_field *field, const rt_symbol *symbol, slong power,
                        rt_notation notation, rt_text *text)
{
    const char *name = symbol->sine ? "sin" : "cos";
    const rt_symbol *angle = rt_exact_field_parameter(field, symbol->parameter);
    if (is_code(notation)) {
        rt_text_append(text, "%s_", name);
        write_parameter_symbol(field, angle, notation, text);
        return;
    }
    if (notation == RT_NOTATION_LATEX) rt_text_append(text, "\\");
    rt_text_append(text, "%s", name);
    if (notation == RT_NOTATION_LATEX && power > 1) rt_text_append(text, "^{%ld}", (long)power);
    rt_text_append(text, "(");
    write_parameter_symbol(field, angle, notation, text);
    rt_text_append(text, ")");
}

static bool is_angle(const rt_symbol *symbol)
{
    return symbol->kind == RT_SYMBOL_COSINE || symbol->sine;
}

void rt_symbol_write(const rt_exact_field *field, const rt_symbol *symbol, rt_notation notation,
                     rt_text *text)
{
    const bool latex = notation == RT_NOTATION_LATEX;
    if (is_angle(symbol))
        write_angle(field, symbol, 1, notation, text);
    else if (symbol->kind == RT_SYMBOL_ROOT && is_code(notation))
        rt_text_append(text, "root_%d", number_of_root(field, symbol));
    else if (symbol->kind == RT_SYMBOL_ROOT) {
        rt_text_append(text, latex ? "\\sqrt{" : "sqrt(");
        rt_square_write(field, symbol, notation, text);
        rt_text_append(text, latex ? "}" : ")");
    } else if (symbol->kind == RT_SYMBOL_PARAMETER)
        write_parameter_symbol(field, symbol, notation, text);
    else
        rt_text_append(text, latex && symbol->kind == RT_SYMBOL_PI ? "\\pi" : "%s", symbol->name);
}

/* ---- polynomials ---------------------------------------------------------------------------- */

static void write_integer(const fmpz_t c, rt_notation notation, rt_text *text)
{
    char *digits = fmpz_get_str(NULL, 10, c);
    rt_text_append(text, "%s", digits);
    if (notation == RT_NOTATION_C || notation == RT_NOTATION_MODELICA) rt_text_append(text, ".0");
    flint_free(digits);
}

static const char *text_times(rt_notation notation)
{
    return notation == RT_NOTATION_LATEX ? " " : "*";
}

static void write_exponent(slong e, rt_notation notation, rt_text *text)
{
    if (e == 1) return;
    rt_text_append(text,
                   notation == RT_NOTATION_LATEX    ? "^{%ld}"
                   : notation == RT_NOTATION_PYTHON ? "**%ld"
                                                    : "^%ld",
                   (long)e);
}

static void write_power(const rt_exact_field *field, const rt_symbol *symbol, slong e,
                        rt_notation notation, rt_text *text)
{
    if (notation == RT_NOTATION_C) {
        for (slong k = 0; k < e; k++) {
            if (k) rt_text_append(text, "*");
            rt_symbol_write(field, symbol, notation, text);
        }
        return;
    }
    if (notation == RT_NOTATION_LATEX && is_angle(symbol)) {
        write_angle(field, symbol, e, notation, text);
        return;
    }
    rt_symbol_write(field, symbol, notation, text);
    write_exponent(e, notation, text);
}

/* Term k without its sign; whole: the coefficient 1 is left out. */
static void write_term(const rt_exact_field *field, const fmpz_mpoly_struct *p, slong k,
                       rt_notation notation, rt_text *text)
{
    const fmpz_mpoly_ctx_struct *context = rt_exact_field_context(field);
    const rt_symbol *symbols;
    const int n = rt_exact_field_symbols(field, &symbols);
    fmpz_t c;
    fmpz_init(c);
    fmpz_mpoly_get_term_coeff_fmpz(c, p, k, context);
    fmpz_abs(c, c);
    bool begun = false;
    if (!fmpz_is_one(c)) write_integer(c, notation, text), begun = true;
    for (int i = 0; i < n; i++) {
        if (!symbols[i].used && symbols[i].kind != RT_SYMBOL_S) continue;
        const slong e = fmpz_mpoly_get_term_var_exp_si(p, k, symbols[i].variable, context);
        if (!e) continue;
        if (begun) rt_text_append(text, "%s", text_times(notation));
        write_power(field, symbols + i, e, notation, text);
        begun = true;
    }
    if (!begun) write_integer(c, notation, text);
    fmpz_clear(c);
}

static bool term_is_negative(const rt_exact_field *field, const fmpz_mpoly_struct *p, slong k)
{
    fmpz_t c;
    fmpz_init(c);
    fmpz_mpoly_get_term_coeff_fmpz(c, p, k, rt_exact_field_context(field));
    const bool negative = fmpz_sgn(c) < 0;
    fmpz_clear(c);
    return negative;
}

static void write_sum(const rt_exact_field *field, const fmpz_mpoly_struct *p, rt_notation notation,
                      rt_text *text)
{
    const slong n = fmpz_mpoly_length(p, rt_exact_field_context(field));
    for (slong k = 0; k < n; k++) {
        const bool negative = term_is_negative(field, p, k);
        if (k)
            rt_text_append(text, negative ? " - " : " + ");
        else if (negative)
            rt_text_append(text, "-");
        write_term(field, p, k, notation, text);
    }
}

void rt_square_write(const rt_exact_field *field, const rt_symbol *root, rt_notation notation,
                     rt_text *text)
{
    write_sum(field, root->square, notation, text);
}

/* ---- shared sums ---------------------------------------------------------------------------- */

void rt_shared_free(rt_shared_sums *shared, const rt_exact_field *field)
{
    for (int k = 0; k < shared->n; k++)
        fmpz_mpoly_clear(shared->sums + k, rt_exact_field_context(field));
    free(shared->sums);
    free(shared->times);
    free(shared->names);
    *shared = (rt_shared_sums){0};
}

static int find_sum(const rt_shared_sums *shared, const rt_exact_field *field,
                    const fmpz_mpoly_struct *sum)
{
    for (int k = 0; k < shared->n; k++)
        if (fmpz_mpoly_equal(shared->sums + k, sum, rt_exact_field_context(field))) return k;
    return -1;
}

static bool text_make_room(rt_shared_sums *shared)
{
    if (shared->n < shared->room) return true;
    const size_t room = shared->room ? 2 * (size_t)shared->room : 32;
    fmpz_mpoly_struct *sums = realloc(shared->sums, room * sizeof *sums);
    if (sums) shared->sums = sums;
    int *many = realloc(shared->times, room * sizeof *many);
    if (many) shared->times = many;
    int *names = realloc(shared->names, room * sizeof *names);
    if (names) shared->names = names;
    if (!sums || !many || !names) return false;
    shared->room = (int)room;
    return true;
}

static bool count_sum(rt_shared_sums *shared, const rt_exact_field *field,
                      const fmpz_mpoly_struct *sum)
{
    int k = find_sum(shared, field, sum);
    if (k < 0) {
        if (!text_make_room(shared)) return false;
        k = shared->n++;
        fmpz_mpoly_init(shared->sums + k, rt_exact_field_context(field));
        fmpz_mpoly_set(shared->sums + k, sum, rt_exact_field_context(field));
        shared->times[k] = shared->names[k] = 0;
    }
    shared->times[k]++;
    return true;
}

static void settle_signs(const rt_exact_field *field, fmpz_mpoly_factor_t factors);

/* Is a power of a symbol higher than a hundred or so? By the degrees: FLINT packs exponents in
 * fields that are wider the more room the last word has left. */
static bool has_high_powers(const fmpz_mpoly_struct *p, const fmpz_mpoly_ctx_struct *context)
{
    enum { EASY_EXPONENT = 127, EASY_EXPONENT_BITS = 8 };
    if (p->bits <= EASY_EXPONENT_BITS) return false;
    const slong n = fmpz_mpoly_ctx_nvars(context);
    for (slong k = 0; k < n; k++)
        if (fmpz_mpoly_degree_si(p, k, context) > EASY_EXPONENT) return true;
    return false;
}

/* A sum that has powers of hundreds is left as it is: to factor it takes minutes, and nobody reads
 * it. A single term falls apart at once. */
static bool text_factor(fmpz_mpoly_factor_t factors, const fmpz_mpoly_struct *p,
                        const fmpz_mpoly_ctx_struct *context)
{
    if (fmpz_mpoly_length(p, context) <= 1 || !has_high_powers(p, context))
        return fmpz_mpoly_factor(factors, p, context);
    fmpz_mpoly_factor_fit_length(factors, 1, context);
    fmpz_one(factors->constant);
    fmpz_mpoly_set(factors->poly, p, context);
    fmpz_one(factors->exp);
    factors->num = 1;
    return true;
}

bool rt_shared_count(rt_shared_sums *shared, const rt_exact_field *field, const rt_exact *x)
{
    const fmpz_mpoly_ctx_struct *context = rt_exact_field_context(field);
    const fmpz_mpoly_struct *parts[2] = {fmpz_mpoly_q_numref(x), fmpz_mpoly_q_denref(x)};
    bool done = true;
    fmpz_mpoly_factor_t factors;
    fmpz_mpoly_factor_init(factors, context);
    for (int part = 0; part < 2 && done; part++) {
        if (fmpz_mpoly_is_fmpz(parts[part], context)) continue;
        done = text_factor(factors, parts[part], context);
        if (done) settle_signs(field, factors);
        for (slong k = 0; done && k < factors->num; k++)
            if (fmpz_mpoly_length(factors->poly + k, context) > 1)
                done = count_sum(shared, field, factors->poly + k);
    }
    fmpz_mpoly_factor_clear(factors, context);
    return done;
}

void rt_shared_name(rt_shared_sums *shared)
{
    int name = 0;
    for (int k = 0; k < shared->n; k++) shared->names[k] = shared->times[k] > 1 ? ++name : 0;
}

void rt_shared_write(const rt_shared_sums *shared, int k, const rt_exact_field *field,
                     rt_notation notation, rt_text *text)
{
    write_sum(field, shared->sums + k, notation, text);
}

static bool write_name(const rt_shared_sums *shared, const rt_exact_field *field,
                       const fmpz_mpoly_struct *sum, rt_text *text)
{
    const int k = shared ? find_sum(shared, field, sum) : -1;
    if (k < 0 || !shared->names[k]) return false;
    rt_text_append(text, "shared_%d", shared->names[k]);
    return true;
}

/* ---- fractions ------------------------------------------------------------------------------ */

/* The power of a factor that is one symbol. */
static void write_single(const rt_exact_field *field, const fmpz_mpoly_struct *base, slong e,
                         rt_notation notation, rt_text *text)
{
    const fmpz_mpoly_ctx_struct *context = rt_exact_field_context(field);
    const rt_symbol *symbols;
    const int n = rt_exact_field_symbols(field, &symbols);
    for (int i = 0; i < n; i++)
        if (fmpz_mpoly_degree_si(base, symbols[i].variable, context) > 0)
            write_power(field, symbols + i, e, notation, text);
}

/* constant * factor^e * ...; *n: how many pieces were written. The constant's sign is left out. */
static void write_product(const rt_exact_field *field, fmpz_mpoly_factor_t factors, bool alone,
                          rt_notation notation, const rt_shared_sums *shared, rt_text *text, int *n)
{
    const fmpz_mpoly_ctx_struct *context = rt_exact_field_context(field);
    const slong m = fmpz_mpoly_factor_length(factors, context);
    fmpz_t c;
    fmpz_mpoly_t base;
    fmpz_init(c);
    fmpz_mpoly_init(base, context);
    fmpz_mpoly_factor_get_constant_fmpz(c, factors, context);
    fmpz_abs(c, c);
    *n = 0;
    if (!fmpz_is_one(c) || m == 0) write_integer(c, notation, text), ++*n;
    for (int round = 0; round < 2; round++) /* single symbols first, sums after them */
        for (slong k = 0; k < m; k++) {
            const slong e = fmpz_mpoly_factor_get_exp_si(factors, k, context);
            fmpz_mpoly_factor_get_base(base, factors, k, context);
            const slong length = fmpz_mpoly_length(base, context);
            if ((length > 1) != round) continue;
            const slong copies = notation == RT_NOTATION_C ? e : 1;
            if (length == 1) {
                if (*n) rt_text_append(text, "%s", text_times(notation));
                *n += (int)copies;
                write_single(field, base, e, notation, text);
                continue;
            }
            for (slong i = 0; i < copies; i++) {
                if ((*n)++) rt_text_append(text, "%s", text_times(notation));
                if (write_name(shared, field, base, text)) continue;
                const bool bare = alone && m == 1 && e == 1 && *n == 1;
                if (!bare) rt_text_append(text, "(");
                write_sum(field, base, notation, text);
                if (!bare) rt_text_append(text, ")");
            }
            if (notation != RT_NOTATION_C) write_exponent(e, notation, text);
        }
    fmpz_mpoly_clear(base, context);
    fmpz_clear(c);
}

static bool is_negative(const rt_exact_field *field, fmpz_mpoly_factor_t factors)
{
    fmpz_t c;
    fmpz_init(c);
    fmpz_mpoly_factor_get_constant_fmpz(c, factors, rt_exact_field_context(field));
    const bool negative = fmpz_sgn(c) < 0;
    fmpz_clear(c);
    return negative;
}

/* Bases with a positive leading coefficient, the signs in the constant. */
static void settle_signs(const rt_exact_field *field, fmpz_mpoly_factor_t factors)
{
    const fmpz_mpoly_ctx_struct *context = rt_exact_field_context(field);
    for (slong k = 0; k < factors->num; k++) {
        if (!term_is_negative(field, factors->poly + k, 0)) continue;
        fmpz_mpoly_neg(factors->poly + k, factors->poly + k, context);
        if (fmpz_is_odd(factors->exp + k)) fmpz_neg(factors->constant, factors->constant);
    }
}

void rt_exact_write(const rt_exact_field *field, const rt_exact *x, rt_notation notation,
                    const rt_shared_sums *shared, rt_text *text)
{
    const fmpz_mpoly_ctx_struct *context = rt_exact_field_context(field);
    if (rt_exact_is_zero(field, x)) {
        rt_text_append(text, notation == RT_NOTATION_C ? "0.0" : "0");
        return;
    }
    fmpz_mpoly_factor_t above, below;
    fmpz_mpoly_factor_init(above, context);
    fmpz_mpoly_factor_init(below, context);
    const bool whole = fmpz_mpoly_is_one(fmpz_mpoly_q_denref(x), context);
    if (!text_factor(above, fmpz_mpoly_q_numref(x), context) ||
        !text_factor(below, fmpz_mpoly_q_denref(x), context))
        text->failed = true;
    else {
        int n;
        settle_signs(field, above);
        settle_signs(field, below);
        const bool latex = notation == RT_NOTATION_LATEX;
        if (is_negative(field, above) != is_negative(field, below)) rt_text_append(text, "-");
        const bool negative = is_negative(field, above) != is_negative(field, below);
        if (!whole && latex) rt_text_append(text, "\\frac{");
        write_product(field, above, (whole && !negative) || (!whole && latex), notation, shared,
                      text, &n);
        if (!whole) {
            rt_text below_text = {0};
            write_product(field, below, latex, notation, shared, &below_text, &n);
            if (latex)
                rt_text_append(text, "}{%s}", rt_text_string(&below_text));
            else
                rt_text_append(text, n > 1 ? "/(%s)" : "/%s", rt_text_string(&below_text));
            text->failed = text->failed || below_text.failed;
            rt_text_free(&below_text);
        }
    }
    fmpz_mpoly_factor_clear(below, context);
    fmpz_mpoly_factor_clear(above, context);
}

void rt_exact_describe(const rt_exact_field *field, const rt_exact *x, char *text, size_t size)
{
    rt_text whole = {0};
    rt_exact_write(field, x, RT_NOTATION_PLAIN, NULL, &whole);
    const char *string = rt_text_string(&whole);
    if (strlen(string) < size)
        strcpy(text, string);
    else {
        snprintf(text, size - 4, "%s", string);
        strcat(text, " ...");
    }
    rt_text_free(&whole);
}
