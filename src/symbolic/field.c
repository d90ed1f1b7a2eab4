#include "symbolic/field.h"

#include <math.h>
#include <stdlib.h>

#include "base/pi.h"
#include "base/arena.h"

typedef struct field_block {
    struct field_block *next;
    int n;
    rt_exact *elements;
} field_block;

enum { MOST_ASSUMPTIONS = 64 };

/* Variables: roots, the latest first, then s, parameters, cosines, pi: with the lexicographic
 * order the leading term of g_i^2 - R_i is g_i^2, and the remainder on division by all of them is
 * unique. */
struct rt_exact_field {
    fmpz_mpoly_ctx_t context;
    int n_variables, n_roots, n_cosines, n_symbols;
    rt_symbol *symbols; /* roots in the order they were made; then s, parameters, cosines, pi */
    int *parameters;    /* variable of a parameter of the model: pairs kept in symbols */
    int first_parameter, n_parameters, first_cosine, pi, s;
    fmpz_mpoly_t relation[RT_MOST_ROOTS]; /* g^2 - R */
    field_block *blocks;
    rt_exact *work; /* WORK of them */
    rt_exact *assumed[MOST_ASSUMPTIONS];
    int n_assumed;
    bool exhausted;
};

enum { WORK = 6 };

const fmpz_mpoly_ctx_struct *rt_exact_field_context(const rt_exact_field *field)
{
    return field->context;
}

static int root_variable(int k) { return RT_MOST_ROOTS - 1 - k; }

static void free_block(rt_exact_field *field, field_block *b)
{
    for (int k = 0; k < b->n; k++) fmpz_mpoly_q_clear(b->elements + k, field->context);
    free(b->elements);
    free(b);
}

void rt_exact_field_free(rt_exact_field *field)
{
    if (!field) return;
    while (field->blocks) {
        field_block *b = field->blocks;
        field->blocks = b->next;
        free_block(field, b);
    }
    for (int k = 0; k < field->n_roots; k++) {
        fmpz_mpoly_clear(field->relation[k], field->context);
        fmpz_mpoly_clear(field->symbols[k].square, field->context);
    }
    if (field->n_variables) fmpz_mpoly_ctx_clear(field->context);
    free(field->symbols);
    free(field);
}

rt_exact *rt_exact_zeros(rt_exact_field *field, int n)
{
    field_block *b = calloc(1, sizeof *b);
    if (!b) return NULL;
    b->elements = calloc((size_t)(n > 0 ? n : 1), sizeof *b->elements);
    if (!b->elements) {
        free(b);
        return NULL;
    }
    b->n = n;
    for (int k = 0; k < n; k++) fmpz_mpoly_q_init(b->elements + k, field->context);
    b->next = field->blocks;
    field->blocks = b;
    return b->elements;
}

routh_status rt_exact_field_create(rt_exact_field **out, int n, const char *const *names,
                                   const int *parameters, const double *values, routh_error *error)
{
    *out = NULL;
    if (n > RT_MOST_VARIABLES - RT_MOST_ROOTS - RT_MOST_COSINES - 2)
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                       "%d parameters are too many symbols; keep "
                       "fewer (--symbols)",
                       n);
    rt_exact_field *field = calloc(1, sizeof *field);
    if (!field) return rt_fail_memory(error);
    field->s = RT_MOST_ROOTS;
    field->first_parameter = field->s + 1;
    field->n_parameters = n;
    field->first_cosine = field->first_parameter + n;
    field->pi = field->first_cosine + RT_MOST_COSINES;
    field->n_symbols = field->pi + 1;
    field->symbols = calloc((size_t)field->n_symbols, sizeof *field->symbols);
    if (!field->symbols) {
        rt_exact_field_free(field);
        return rt_fail_memory(error);
    }
    field->n_variables = field->n_symbols;
    fmpz_mpoly_ctx_init(field->context, field->n_variables, ORD_LEX);
    for (int k = 0; k < field->n_symbols; k++) {
        rt_symbol *symbol = field->symbols + k;
        symbol->parameter = -1;
        symbol->variable = k < RT_MOST_ROOTS ? root_variable(k) : k;
        symbol->kind = k < RT_MOST_ROOTS ? RT_SYMBOL_ROOT : RT_SYMBOL_COSINE;
    }
    field->symbols[field->s] =
        (rt_symbol){.kind = RT_SYMBOL_S, .variable = field->s, .name = "s", .parameter = -1};
    for (int k = 0; k < n; k++)
        field->symbols[field->first_parameter + k] =
            (rt_symbol){.kind = RT_SYMBOL_PARAMETER,
                        .variable = field->first_parameter + k,
                        .name = names[k],
                        .parameter = parameters[k],
                        .value = values[k],
                        .used = true};
    field->symbols[field->pi] = (rt_symbol){
        .kind = RT_SYMBOL_PI, .variable = field->pi, .name = "pi", .parameter = -1, .value = RT_PI};
    field->work = rt_exact_zeros(field, WORK);
    if (!field->work) {
        rt_exact_field_free(field);
        return rt_fail_memory(error);
    }
    *out = field;
    return ROUTH_OK;
}

int rt_exact_field_symbols(const rt_exact_field *field, const rt_symbol **symbols)
{
    *symbols = field->symbols;
    return field->n_symbols;
}

int rt_exact_field_assumptions(const rt_exact_field *field, const rt_exact *const **positive)
{
    *positive = (const rt_exact *const *)field->assumed;
    return field->n_assumed;
}

/* ---- limits --------------------------------------------------------------------------------- */

enum {
    MOST_PRODUCT = 200000,   /* terms that a product is summed up from */
    MOST_BITS = 100000,      /* of a coefficient */
    MOST_EXPONENT_BITS = 16, /* FLINT packs them so */
};

bool rt_exact_field_exhausted(const rt_exact_field *field) { return field->exhausted; }

static slong field_bits_of(const fmpz_mpoly_struct *p)
{
    const slong bits = fmpz_mpoly_max_bits(p);
    return bits < 0 ? -bits : bits;
}

static bool is_small(rt_exact_field *field, const fmpz_mpoly_struct *x, const fmpz_mpoly_struct *y)
{
    const slong terms = fmpz_mpoly_length(x, field->context) * fmpz_mpoly_length(y, field->context);
    if (terms > MOST_PRODUCT || x->bits > MOST_EXPONENT_BITS || y->bits > MOST_EXPONENT_BITS ||
        field_bits_of(x) + field_bits_of(y) > MOST_BITS)
        field->exhausted = true;
    return !field->exhausted;
}

/* May these be added, multiplied or divided? Else z is 1, and whatever follows means nothing. */
static bool may_combine(rt_exact_field *field, rt_exact *z, const rt_exact *x, const rt_exact *y)
{
    const fmpz_mpoly_struct *p = fmpz_mpoly_q_numref(x), *q = fmpz_mpoly_q_denref(x);
    const fmpz_mpoly_struct *r = fmpz_mpoly_q_numref(y), *s = fmpz_mpoly_q_denref(y);
    if (!field->exhausted && is_small(field, p, r) && is_small(field, p, s) &&
        is_small(field, q, r) && is_small(field, q, s))
        return true;
    fmpz_mpoly_q_one(z, field->context);
    return false;
}

/* ---- the one form --------------------------------------------------------------------------- */

/* p modulo the relations: degree one at most in every root. */
static void field_reduce(rt_exact_field *field, fmpz_mpoly_t p)
{
    bool high = false;
    for (int k = 0; k < field->n_roots && !high; k++)
        high = fmpz_mpoly_degree_si(p, root_variable(k), field->context) > 1;
    if (!high) return;
    fmpz_mpoly_struct quotients[RT_MOST_ROOTS], *q[RT_MOST_ROOTS], *b[RT_MOST_ROOTS];
    for (int k = 0; k < field->n_roots; k++) {
        fmpz_mpoly_init(quotients + k, field->context);
        q[k] = quotients + k;
        b[k] = field->relation[k];
    }
    fmpz_mpoly_t rest;
    fmpz_mpoly_init(rest, field->context);
    fmpz_mpoly_divrem_ideal(q, rest, p, b, field->n_roots, field->context);
    fmpz_mpoly_swap(p, rest, field->context);
    fmpz_mpoly_clear(rest, field->context);
    for (int k = 0; k < field->n_roots; k++) fmpz_mpoly_clear(quotients + k, field->context);
}

/* (a + b g) with g -> -g, the conjugate. */
static void field_conjugate(rt_exact_field *field, fmpz_mpoly_t out, const fmpz_mpoly_t p,
                            int variable)
{
    const slong n = fmpz_mpoly_length(p, field->context);
    fmpz_mpoly_set(out, p, field->context);
    fmpz_t c;
    fmpz_init(c);
    for (slong k = 0; k < n; k++)
        if (fmpz_mpoly_get_term_var_exp_si(out, k, variable, field->context) & 1) {
            fmpz_mpoly_get_term_coeff_fmpz(c, out, k, field->context);
            fmpz_neg(c, c);
            fmpz_mpoly_set_term_coeff_fmpz(out, k, c, field->context);
        }
    fmpz_clear(c);
}

/* x / y = x y~ / (y y~), root by root, until nothing below the bar has one. */
static void field_settle(rt_exact_field *field, rt_exact *z)
{
    if (!field->n_roots) return;
    fmpz_mpoly_struct *above = fmpz_mpoly_q_numref(z), *below = fmpz_mpoly_q_denref(z);
    field_reduce(field, above);
    field_reduce(field, below);
    fmpz_mpoly_t other;
    fmpz_mpoly_init(other, field->context);
    for (int k = field->n_roots - 1; k >= 0; k--) {
        if (fmpz_mpoly_degree_si(below, root_variable(k), field->context) < 1) continue;
        field_conjugate(field, other, below, root_variable(k));
        if (!is_small(field, above, other) || !is_small(field, below, other)) {
            fmpz_mpoly_one(above, field->context);
            fmpz_mpoly_one(below, field->context);
            break;
        }
        fmpz_mpoly_mul(above, above, other, field->context);
        fmpz_mpoly_mul(below, below, other, field->context);
        field_reduce(field, above);
        field_reduce(field, below);
    }
    fmpz_mpoly_clear(other, field->context);
    fmpz_mpoly_q_canonicalise(z, field->context);
}

/* ---- arithmetic ----------------------------------------------------------------------------- */

void rt_exact_set(rt_exact_field *field, rt_exact *z, const rt_exact *x)
{
    if (z != x) fmpz_mpoly_q_set(z, x, field->context);
}

void rt_exact_set_integer(rt_exact_field *field, rt_exact *z, slong x)
{
    fmpz_mpoly_q_set_si(z, x, field->context);
}

void rt_exact_set_rational(rt_exact_field *field, rt_exact *z, const fmpq_t x)
{
    fmpz_mpoly_q_set_fmpq(z, x, field->context);
}

void rt_exact_add(rt_exact_field *field, rt_exact *z, const rt_exact *x, const rt_exact *y)
{
    if (!may_combine(field, z, x, y)) return;
    fmpz_mpoly_q_add(z, x, y, field->context); /* stays of degree one, and free of roots below */
}

void rt_exact_subtract(rt_exact_field *field, rt_exact *z, const rt_exact *x, const rt_exact *y)
{
    if (!may_combine(field, z, x, y)) return;
    fmpz_mpoly_q_sub(z, x, y, field->context);
}

void rt_exact_multiply(rt_exact_field *field, rt_exact *z, const rt_exact *x, const rt_exact *y)
{
    if (!may_combine(field, z, x, y)) return;
    fmpz_mpoly_q_mul(z, x, y, field->context);
    field_settle(field, z);
}

void rt_exact_divide(rt_exact_field *field, rt_exact *z, const rt_exact *x, const rt_exact *y)
{
    if (!may_combine(field, z, x, y)) return;
    fmpz_mpoly_q_div(z, x, y, field->context);
    field_settle(field, z);
}

void rt_exact_negate(rt_exact_field *field, rt_exact *z, const rt_exact *x)
{
    fmpz_mpoly_q_neg(z, x, field->context);
}

void rt_exact_scale(rt_exact_field *field, rt_exact *z, const rt_exact *x, slong p, slong q)
{
    fmpq_t c;
    fmpq_init(c);
    fmpq_set_si(c, p, (ulong)q);
    fmpz_mpoly_q_mul_fmpq(z, x, c, field->context);
    fmpq_clear(c);
}

void rt_exact_add_product(rt_exact_field *field, rt_exact *z, const rt_exact *x, const rt_exact *y)
{
    if (rt_exact_is_zero(field, x) || rt_exact_is_zero(field, y)) return;
    rt_exact_multiply(field, field->work, x, y);
    rt_exact_add(field, z, z, field->work);
}

void rt_exact_subtract_product(rt_exact_field *field, rt_exact *z, const rt_exact *x,
                               const rt_exact *y)
{
    if (rt_exact_is_zero(field, x) || rt_exact_is_zero(field, y)) return;
    rt_exact_multiply(field, field->work, x, y);
    rt_exact_subtract(field, z, z, field->work);
}

bool rt_exact_is_zero(const rt_exact_field *field, const rt_exact *x)
{
    return fmpz_mpoly_is_zero(fmpz_mpoly_q_numref(x), field->context);
}

bool rt_exact_is_rational(const rt_exact_field *field, const rt_exact *x)
{
    return fmpz_mpoly_is_fmpz(fmpz_mpoly_q_numref(x), field->context) &&
           fmpz_mpoly_is_fmpz(fmpz_mpoly_q_denref(x), field->context);
}

bool rt_exact_equal(const rt_exact_field *field, const rt_exact *x, const rt_exact *y)
{
    return fmpz_mpoly_q_equal(x, y, field->context);
}

slong rt_exact_length(const rt_exact_field *field, const rt_exact *x)
{
    return fmpz_mpoly_length(fmpz_mpoly_q_numref(x), field->context) +
           fmpz_mpoly_length(fmpz_mpoly_q_denref(x), field->context);
}

/* ---- values --------------------------------------------------------------------------------- */

/* value: by variable */
static double field_value_at(const rt_exact_field *field, const fmpz_mpoly_struct *p,
                             const double *value)
{
    const slong n = fmpz_mpoly_length(p, field->context);
    double sum = 0;
    fmpz_t c;
    fmpz_init(c);
    for (slong k = 0; k < n; k++) {
        fmpz_mpoly_get_term_coeff_fmpz(c, p, k, field->context);
        double term = fmpz_get_d(c);
        for (int i = 0; i < field->n_symbols; i++) {
            const rt_symbol *symbol = field->symbols + i;
            if (!symbol->used) continue;
            slong e = fmpz_mpoly_get_term_var_exp_si(p, k, symbol->variable, field->context);
            for (; e > 0; e--) term *= value[symbol->variable];
        }
        sum += term;
    }
    fmpz_clear(c);
    return sum;
}

void rt_exact_field_values(const rt_exact_field *field, double values[RT_MOST_VARIABLES])
{
    for (int i = 0; i < field->n_symbols; i++)
        values[field->symbols[i].variable] = field->symbols[i].value;
}

void rt_exact_field_complete(const rt_exact_field *field, double values[RT_MOST_VARIABLES])
{
    for (int i = 0; i < field->n_symbols; i++) {
        const rt_symbol *symbol = field->symbols + i;
        if (symbol->parameter < 0 || symbol->kind == RT_SYMBOL_PARAMETER) continue;
        const double angle = values[rt_exact_field_parameter(field, symbol->parameter)->variable];
        values[symbol->variable] = symbol->sine ? sin(angle) : cos(angle);
    }
    for (int k = 0; k < field->n_roots; k++)
        if (!field->symbols[k].sine)
            values[field->symbols[k].variable] =
                sqrt(field_value_at(field, field->symbols[k].square, values));
}

double rt_exact_at(const rt_exact_field *field, const rt_exact *x, const double *values)
{
    const double at = field_value_at(field, fmpz_mpoly_q_numref(x), values) /
                      field_value_at(field, fmpz_mpoly_q_denref(x), values);
    return isfinite(at) ? at : NAN;
}

static double field_value_of(const rt_exact_field *field, const fmpz_mpoly_struct *p)
{
    double values[RT_MOST_VARIABLES];
    rt_exact_field_values(field, values);
    return field_value_at(field, p, values);
}

double rt_exact_value(const rt_exact_field *field, const rt_exact *x)
{
    const double value = field_value_of(field, fmpz_mpoly_q_numref(x)) /
                         field_value_of(field, fmpz_mpoly_q_denref(x));
    return isfinite(value) ? value : NAN;
}

/* ---- derivatives ---------------------------------------------------------------------------- */

static void set_variable(rt_exact_field *field, rt_exact *z, int variable)
{
    fmpz_mpoly_gen(fmpz_mpoly_q_numref(z), variable, field->context);
    fmpz_mpoly_one(fmpz_mpoly_q_denref(z), field->context);
}

static void partial(rt_exact_field *field, rt_exact *z, const fmpz_mpoly_struct *p, int variable)
{
    fmpz_mpoly_derivative(fmpz_mpoly_q_numref(z), p, variable, field->context);
    fmpz_mpoly_one(fmpz_mpoly_q_denref(z), field->context);
}

static const rt_symbol *symbol_of(const rt_exact_field *field, int parameter, rt_symbol_kind kind,
                                  bool sine)
{
    for (int k = 0; k < field->n_symbols; k++) {
        const rt_symbol *symbol = field->symbols + k;
        if (symbol->parameter == parameter && symbol->kind == kind && symbol->sine == sine)
            return symbol;
    }
    return NULL;
}

const rt_symbol *rt_exact_field_parameter(const rt_exact_field *field, int parameter)
{
    return symbol_of(field, parameter, RT_SYMBOL_PARAMETER, false);
}

/* dp/dq = p_q - sin q p_(cos q) + cos q p_(sin q) + sum over roots p_g R'/2g, of the first `roots`;
 * into z, work: 2 roots + 2 */
static void field_total(rt_exact_field *field, rt_exact *z, const fmpz_mpoly_struct *p,
                        int parameter, int roots, rt_exact *work)
{
    const rt_symbol *self = symbol_of(field, parameter, RT_SYMBOL_PARAMETER, false);
    const rt_symbol *cosine = symbol_of(field, parameter, RT_SYMBOL_COSINE, false);
    const rt_symbol *sine = symbol_of(field, parameter, RT_SYMBOL_ROOT, true);
    partial(field, z, p, self->variable);
    if (cosine) {
        partial(field, work, p, cosine->variable);
        set_variable(field, work + 1, sine->variable);
        rt_exact_subtract_product(field, z, work, work + 1);
        partial(field, work, p, sine->variable);
        set_variable(field, work + 1, cosine->variable);
        rt_exact_add_product(field, z, work, work + 1);
    }
    for (int k = 0; k < roots; k++) {
        const rt_symbol *root = field->symbols + k;
        if (root->sine) continue;
        partial(field, work, p, root->variable);
        if (rt_exact_is_zero(field, work)) continue;
        field_total(field, work + 1, root->square, parameter, k, work + 2);
        rt_exact_multiply(field, work, work, work + 1);
        set_variable(field, work + 1, root->variable);
        rt_exact_scale(field, work + 1, work + 1, 2, 1);
        rt_exact_divide(field, work, work, work + 1);
        rt_exact_add(field, z, z, work);
    }
}

/* (a/b)' = (a' - (a/b) b')/b */
void rt_exact_derivative(rt_exact_field *field, rt_exact *z, const rt_exact *x, int parameter)
{
    enum { N = 2 * RT_MOST_ROOTS + 6 };
    rt_exact all[N], *above = all, *below = all + 1, *ratio = all + 2;
    for (int k = 0; k < N; k++) fmpz_mpoly_q_init(all + k, field->context);
    rt_exact_set(field, ratio, x);
    field_total(field, above, fmpz_mpoly_q_numref(x), parameter, field->n_roots, all + 3);
    field_total(field, below, fmpz_mpoly_q_denref(x), parameter, field->n_roots, all + 3);
    rt_exact_subtract_product(field, above, ratio, below);
    fmpz_mpoly_set(fmpz_mpoly_q_numref(below), fmpz_mpoly_q_denref(x), field->context);
    fmpz_mpoly_one(fmpz_mpoly_q_denref(below), field->context);
    rt_exact_divide(field, z, above, below);
    for (int k = 0; k < N; k++) fmpz_mpoly_q_clear(all + k, field->context);
}

/* ---- symbols -------------------------------------------------------------------------------- */

bool rt_exact_parameter(rt_exact_field *field, rt_exact *z, int parameter)
{
    for (int k = 0; k < field->n_parameters; k++) {
        const rt_symbol *symbol = field->symbols + field->first_parameter + k;
        if (symbol->parameter != parameter) continue;
        set_variable(field, z, symbol->variable);
        return true;
    }
    return false;
}

void rt_exact_pi(rt_exact_field *field, rt_exact *z)
{
    field->symbols[field->pi].used = true;
    set_variable(field, z, field->pi);
}

void rt_exact_s(rt_exact_field *field, rt_exact *z) { set_variable(field, z, field->s); }

/* A new root of R, which becomes the field's; NULL: there are too many. */
static rt_symbol *add_root(rt_exact_field *field, const fmpz_mpoly_t R, double value)
{
    if (field->n_roots == RT_MOST_ROOTS) return NULL;
    const int k = field->n_roots++;
    rt_symbol *symbol = field->symbols + k;
    symbol->value = value;
    symbol->used = true;
    fmpz_mpoly_init(symbol->square, field->context);
    fmpz_mpoly_set(symbol->square, R, field->context);
    fmpz_mpoly_init(field->relation[k], field->context);
    fmpz_mpoly_gen(field->relation[k], symbol->variable, field->context);
    fmpz_mpoly_mul(field->relation[k], field->relation[k], field->relation[k], field->context);
    fmpz_mpoly_sub(field->relation[k], field->relation[k], R, field->context);
    return symbol;
}

/* c = cos p is a symbol, sin p = sqrt(1 - c^2). */
static routh_status field_find_angle(rt_exact_field *field, int parameter, const rt_symbol **cosine,
                                     const rt_symbol **sine, routh_error *error)
{
    const rt_symbol *of = NULL;
    for (int k = 0; k < field->n_parameters; k++)
        if (field->symbols[field->first_parameter + k].parameter == parameter)
            of = field->symbols + field->first_parameter + k;
    for (int k = 0; k < field->n_cosines; k++) {
        *cosine = field->symbols + field->first_cosine + k;
        if ((*cosine)->parameter != parameter) continue;
        for (int i = 0; i < field->n_roots; i++)
            if (field->symbols[i].sine && field->symbols[i].parameter == parameter) {
                *sine = field->symbols + i;
                return ROUTH_OK;
            }
    }
    if (field->n_cosines == RT_MOST_COSINES || field->n_roots == RT_MOST_ROOTS)
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                       "the sine and cosine of '%s' are too many: formulas have at most %d angles "
                       "and %d roots as symbols; keep fewer parameters as symbols (--symbols)",
                       of->name, RT_MOST_COSINES, RT_MOST_ROOTS);
    rt_symbol *c = field->symbols + field->first_cosine + field->n_cosines++;
    c->name = of->name;
    c->parameter = parameter;
    c->value = cos(of->value);
    c->used = true;
    fmpz_mpoly_t R;
    fmpz_mpoly_init(R, field->context);
    fmpz_mpoly_gen(R, c->variable, field->context);
    fmpz_mpoly_mul(R, R, R, field->context);
    fmpz_mpoly_sub_si(R, R, 1, field->context);
    fmpz_mpoly_neg(R, R, field->context);
    rt_symbol *s = add_root(field, R, sin(of->value));
    fmpz_mpoly_clear(R, field->context);
    s->sine = true;
    s->name = of->name;
    s->parameter = parameter;
    *cosine = c, *sine = s;
    return ROUTH_OK;
}

/* cos (m+1)p = cos p cos mp - sin p sin mp, and so on. */
routh_status rt_exact_angle(rt_exact_field *field, rt_exact *cosine, rt_exact *sine, int parameter,
                            slong m, routh_error *error)
{
    const rt_symbol *c = NULL, *s = NULL;
    routh_status status = field_find_angle(field, parameter, &c, &s, error);
    if (status) return status;
    rt_exact *w = field->work; /* [1] c, [2] s, [3], [4]: of the next multiple */
    set_variable(field, w + 1, c->variable);
    set_variable(field, w + 2, s->variable);
    if (m < 0) rt_exact_negate(field, w + 2, w + 2);
    rt_exact_set_integer(field, cosine, 1);
    rt_exact_set_integer(field, sine, 0);
    for (slong k = 0; k < (m < 0 ? -m : m); k++) {
        rt_exact_multiply(field, w + 3, cosine, w + 1);
        rt_exact_subtract_product(field, w + 3, sine, w + 2);
        rt_exact_multiply(field, w + 4, sine, w + 1);
        rt_exact_add_product(field, w + 4, cosine, w + 2);
        rt_exact_set(field, cosine, w + 3);
        rt_exact_set(field, sine, w + 4);
    }
    return ROUTH_OK;
}

/* ---- roots ---------------------------------------------------------------------------------- */

/* Of long integers only the small primes and squares are found: that changes what a root is written
 * as, and nothing else. */
static void factor_integer(fmpz_factor_t factors, const fmpz_t c)
{
    enum { EASY_BITS = 128, PRIMES = 3000 };
    if (fmpz_bits(c) <= EASY_BITS) {
        fmpz_factor(factors, c);
        return;
    }
    fmpz_factor_trial(factors, c, PRIMES);
    fmpz_t root;
    fmpz_init(root);
    fmpz *last = factors->p + factors->num - 1;
    if (factors->num && factors->exp[factors->num - 1] == 1 && fmpz_is_square(last)) {
        fmpz_sqrt(root, last);
        fmpz_swap(root, last);
        factors->exp[factors->num - 1] = 2;
    }
    fmpz_clear(root);
}

/* w = outer^2 inner, inner square-free as a polynomial and as an integer, as far as it is known. */
static bool split_squares(const rt_exact_field *field, const fmpz_mpoly_t w, fmpz_mpoly_t outer,
                          fmpz_mpoly_t inner)
{
    fmpz_mpoly_factor_t factors;
    fmpz_factor_t content;
    fmpz_t c;
    fmpz_mpoly_t base;
    fmpz_mpoly_factor_init(factors, field->context);
    fmpz_factor_init(content);
    fmpz_init(c);
    fmpz_mpoly_init(base, field->context);
    const bool done = fmpz_mpoly_factor(factors, w, field->context);
    if (done) {
        fmpz_mpoly_factor_get_constant_fmpz(c, factors, field->context);
        factor_integer(content, c);
        fmpz_mpoly_one(outer, field->context);
        fmpz_mpoly_set_si(inner, content->sign, field->context);
        for (slong k = 0; k < content->num; k++) {
            fmpz_pow_ui(c, content->p + k, content->exp[k] / 2);
            fmpz_mpoly_scalar_mul_fmpz(outer, outer, c, field->context);
            if (content->exp[k] % 2)
                fmpz_mpoly_scalar_mul_fmpz(inner, inner, content->p + k, field->context);
        }
        for (slong k = 0; k < fmpz_mpoly_factor_length(factors, field->context); k++) {
            const slong e = fmpz_mpoly_factor_get_exp_si(factors, k, field->context);
            fmpz_mpoly_factor_get_base(base, factors, k, field->context);
            for (slong i = 0; i < e / 2; i++) fmpz_mpoly_mul(outer, outer, base, field->context);
            if (e % 2) fmpz_mpoly_mul(inner, inner, base, field->context);
        }
    }
    fmpz_mpoly_clear(base, field->context);
    fmpz_clear(c);
    fmpz_factor_clear(content);
    fmpz_mpoly_factor_clear(factors, field->context);
    return done;
}

/* p/q is the square of a fraction in which no root stands: p q is a square. */
static bool plain_root(rt_exact_field *field, rt_exact *z, const rt_exact *x)
{
    fmpz_mpoly_t product, root;
    fmpz_mpoly_init(product, field->context);
    fmpz_mpoly_init(root, field->context);
    fmpz_mpoly_mul(product, fmpz_mpoly_q_numref(x), fmpz_mpoly_q_denref(x), field->context);
    const bool found = fmpz_mpoly_sqrt(root, product, field->context);
    if (found) {
        fmpz_mpoly_q_t out;
        fmpz_mpoly_q_init(out, field->context);
        fmpz_mpoly_swap(fmpz_mpoly_q_numref(out), root, field->context);
        fmpz_mpoly_set(fmpz_mpoly_q_denref(out), fmpz_mpoly_q_denref(x), field->context);
        fmpz_mpoly_q_canonicalise(out, field->context);
        fmpz_mpoly_q_swap(z, out, field->context);
        fmpz_mpoly_q_clear(out, field->context);
    }
    fmpz_mpoly_clear(root, field->context);
    fmpz_mpoly_clear(product, field->context);
    return found;
}

/* x = a + b g */
static void field_split(rt_exact_field *field, const rt_exact *x, int variable, rt_exact *a,
                        rt_exact *b)
{
    fmpz_mpoly_struct *above = fmpz_mpoly_q_numref(a);
    fmpz_mpoly_t other;
    fmpz_mpoly_init(other, field->context);
    field_conjugate(field, other, fmpz_mpoly_q_numref(x), variable);
    fmpz_mpoly_add(above, fmpz_mpoly_q_numref(x), other, field->context); /* 2 a */
    fmpz_mpoly_scalar_divexact_si(above, above, 2, field->context);
    fmpz_mpoly_derivative(fmpz_mpoly_q_numref(b), fmpz_mpoly_q_numref(x), variable, field->context);
    for (int k = 0; k < 2; k++) {
        rt_exact *part = k ? b : a;
        fmpz_mpoly_set(fmpz_mpoly_q_denref(part), fmpz_mpoly_q_denref(x), field->context);
        fmpz_mpoly_q_canonicalise(part, field->context);
    }
    fmpz_mpoly_clear(other, field->context);
}

static bool find_root(rt_exact_field *field, int roots, rt_exact *z, const rt_exact *x);

/* y = u + v g, u and v without g: y^2 = x = a + b g where
 *     u^2 = (a +- n)/2,    n^2 = a^2 - b^2 R,    v = b/2u */
static bool field_find_mixed(rt_exact_field *field, int k, rt_exact *z, const rt_exact *a,
                             const rt_exact *b, rt_exact *w)
{
    rt_exact *n = w, *u = w + 1, *square = w + 2, *R = w + 3;
    fmpz_mpoly_set(fmpz_mpoly_q_numref(R), field->symbols[k].square, field->context);
    fmpz_mpoly_one(fmpz_mpoly_q_denref(R), field->context);
    rt_exact_multiply(field, square, a, a);
    rt_exact_multiply(field, n, b, b);
    rt_exact_multiply(field, n, n, R);
    rt_exact_subtract(field, square, square, n);
    if (!find_root(field, k, n, square)) return false;
    for (int sign = 0; sign < 2; sign++) {
        if (sign)
            rt_exact_subtract(field, square, a, n);
        else
            rt_exact_add(field, square, a, n);
        rt_exact_scale(field, square, square, 1, 2);
        if (rt_exact_is_zero(field, square) || !find_root(field, k, u, square)) continue;
        rt_exact_scale(field, R, u, 2, 1);
        rt_exact_divide(field, n, b, R);
        set_variable(field, R, field->symbols[k].variable);
        rt_exact_multiply(field, n, n, R);
        rt_exact_add(field, z, u, n);
        return true;
    }
    return false;
}

/* y^2 = x with y in the field of the first `roots` roots: either without the last of them, or v g
 * with v^2 = x/R, or mixed. */
static bool find_root(rt_exact_field *field, int roots, rt_exact *z, const rt_exact *x)
{
    enum { N = 6 };
    if (rt_exact_is_zero(field, x)) {
        rt_exact_set(field, z, x);
        return true;
    }
    if (!roots) return plain_root(field, z, x);
    const int k = roots - 1;
    rt_exact w[N];
    for (int i = 0; i < N; i++) fmpz_mpoly_q_init(w + i, field->context);
    field_split(field, x, field->symbols[k].variable, w, w + 1);
    bool found;
    if (!rt_exact_is_zero(field, w + 1))
        found = field_find_mixed(field, k, z, w, w + 1, w + 2);
    else {
        found = find_root(field, k, z, x);
        if (!found) {
            fmpz_mpoly_set(fmpz_mpoly_q_numref(w + 2), field->symbols[k].square, field->context);
            fmpz_mpoly_one(fmpz_mpoly_q_denref(w + 2), field->context);
            rt_exact_divide(field, w + 3, x, w + 2);
            found = find_root(field, k, w + 4, w + 3);
            set_variable(field, w + 2, field->symbols[k].variable);
            if (found) rt_exact_multiply(field, z, w + 4, w + 2);
        }
    }
    for (int i = 0; i < N; i++) fmpz_mpoly_q_clear(w + i, field->context);
    return found;
}

bool rt_exact_is_number(const rt_exact_field *field, const rt_exact *x)
{
    for (int k = 0; k < field->n_symbols; k++) {
        const rt_symbol *symbol = field->symbols + k;
        const bool moves = symbol->parameter >= 0 ||
                           (symbol->kind == RT_SYMBOL_ROOT && k < field->n_roots &&
                            fmpz_mpoly_total_degree_si(symbol->square, field->context) > 0);
        if (moves &&
            (fmpz_mpoly_degree_si(fmpz_mpoly_q_numref(x), symbol->variable, field->context) > 0 ||
             fmpz_mpoly_degree_si(fmpz_mpoly_q_denref(x), symbol->variable, field->context) > 0))
            return false;
    }
    return true;
}

/* |x|: x or -x, whichever is positive at the symbols' values; remembered. */
routh_status rt_exact_positive(rt_exact_field *field, rt_exact *x, routh_error *error)
{
    const double value = rt_exact_value(field, x);
    if (!(fabs(value) > 0))
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "the sign of a root is not defined, because its argument is zero; give "
                       "other values of the parameters");
    if (value < 0) rt_exact_negate(field, x, x);
    if (rt_exact_is_rational(field, x)) return ROUTH_OK;
    for (int k = 0; k < field->n_assumed; k++)
        if (rt_exact_equal(field, field->assumed[k], x)) return ROUTH_OK;
    if (field->n_assumed == MOST_ASSUMPTIONS)
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                       "the formulas contain too many roots; give "
                       "simpler numbers");
    rt_exact *kept = rt_exact_zeros(field, 1);
    if (!kept) return rt_fail_memory(error);
    rt_exact_set(field, kept, x);
    field->assumed[field->n_assumed++] = kept;
    return ROUTH_OK;
}

/* A root that is not in the field yet: sqrt(p/q) = sqrt(p q)/q = outer sqrt(inner)/q. */
static routh_status new_root(rt_exact_field *field, rt_exact *z, const rt_exact *x,
                             routh_error *error)
{
    fmpz_mpoly_t w, outer, inner;
    fmpz_mpoly_init(w, field->context);
    fmpz_mpoly_init(outer, field->context);
    fmpz_mpoly_init(inner, field->context);
    fmpz_mpoly_mul(w, fmpz_mpoly_q_numref(x), fmpz_mpoly_q_denref(x), field->context);
    rt_exact *factor = field->work + 2, *root = field->work + 3;
    routh_status status = ROUTH_OK;
    if (!split_squares(field, w, outer, inner))
        status = rt_fail(error, ROUTH_NUMERIC_ERROR, "a polynomial could not be factored");
    if (!status) {
        fmpz_mpoly_set(fmpz_mpoly_q_numref(factor), outer, field->context);
        fmpz_mpoly_set(fmpz_mpoly_q_denref(factor), fmpz_mpoly_q_denref(x), field->context);
        fmpz_mpoly_q_canonicalise(factor, field->context);
        field_settle(field, factor);
        status = rt_exact_positive(field, factor, error);
    }
    if (!status) {
        const double value = field_value_of(field, inner);
        const rt_symbol *symbol = value > 0 ? add_root(field, inner, sqrt(value)) : NULL;
        if (symbol)
            set_variable(field, root, symbol->variable);
        else if (value > 0)
            status = rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                             "the formulas need more than %d roots; "
                             "give simpler numbers, or keep fewer "
                             "symbols (--symbols)",
                             RT_MOST_ROOTS);
        else
            status = rt_fail(error, ROUTH_NOT_SUPPORTED,
                             "the argument of a root is %.6g at the "
                             "values in the model; it must be "
                             "positive",
                             value);
    }
    if (!status) rt_exact_multiply(field, z, factor, root);
    fmpz_mpoly_clear(inner, field->context);
    fmpz_mpoly_clear(outer, field->context);
    fmpz_mpoly_clear(w, field->context);
    return status;
}

routh_status rt_exact_root(rt_exact_field *field, rt_exact *z, const rt_exact *x,
                           routh_error *error)
{
    rt_exact *found = field->work + 5;
    const fmpz_mpoly_struct *above = fmpz_mpoly_q_numref(x), *below = fmpz_mpoly_q_denref(x);
    if (field->exhausted || !is_small(field, above, below) || !is_small(field, above, above))
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                       "the argument of a root has too many terms; "
                       "keep fewer symbols (--symbols)");
    if (rt_exact_is_zero(field, x)) {
        rt_exact_set(field, z, x);
        return ROUTH_OK;
    }
    if (!find_root(field, field->n_roots, found, x)) return new_root(field, z, x, error);
    rt_exact_set(field, z, found);
    return rt_exact_positive(field, z, error);
}
