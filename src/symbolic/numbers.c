#include "symbolic/numbers.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pi.h"
#include "expression/graph.h"

/* ---- doubles -------------------------------------------------------------------------------- */

/* "-1.25e-3" exactly, whatever stands for the point in this locale. */
static void read_decimal(fmpq_t out, const char *text)
{
    char digits[64];
    int n = 0;
    long exponent = 0;
    bool fraction = false;
    for (; *text && *text != 'e'; text++) {
        if (*text == '-' || (*text >= '0' && *text <= '9'))
            digits[n++] = *text, exponent -= fraction;
        else
            fraction = true;
    }
    digits[n] = 0;
    if (*text == 'e') exponent += strtol(text + 1, NULL, 10);
    fmpz_t power;
    fmpz_init(power);
    fmpz_set_str(fmpq_numref(out), digits, 10);
    fmpz_one(fmpq_denref(out));
    fmpz_ui_pow_ui(power, 10, (ulong)labs(exponent));
    fmpz_mul(exponent < 0 ? fmpq_denref(out) : fmpq_numref(out),
             exponent < 0 ? fmpq_denref(out) : fmpq_numref(out), power);
    fmpq_canonicalise(out);
    fmpz_clear(power);
}

static bool is_decimal(double value, fmpq_t out)
{
    char text[40];
    snprintf(text, sizeof text, "%.15g", value);
    if (strtod(text, NULL) != value) return false;
    read_decimal(out, text);
    return true;
}

/* The shortest decimal within `near` of it, of at most `most` digits. */
static bool numbers_short_decimal(double value, double near, int most, fmpq_t out)
{
    for (int digits = 1; digits <= most; digits++) {
        char text[40];
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (fabs(strtod(text, NULL) - value) > near) continue;
        read_decimal(out, text);
        return true;
    }
    return false;
}

/* The first convergent of the continued fraction within `units` of the last place. */
static bool is_fraction(double value, double units, double most, fmpq_t out)
{
    double p0 = 0, q0 = 1, p1 = 1, q1 = 0, rest = fabs(value);
    const double near = units * DBL_EPSILON / 2 * fabs(value);
    for (int k = 0; k < 40; k++) {
        const double a = floor(rest), p = a * p1 + p0, q = a * q1 + q0;
        if (!(q <= most) || !(p < 9e15)) return false;
        if (fabs(p / q - fabs(value)) <= near) {
            fmpq_set_si(out, (slong)(value < 0 ? -p : p), (ulong)q);
            return true;
        }
        if (!(rest - a > 0)) return false;
        p0 = p1, q0 = q1, p1 = p, q1 = q, rest = 1 / (rest - a);
    }
    return false;
}

routh_status rt_exact_of_double(rt_exact_field *field, double value, rt_exact *z,
                                routh_error *error)
{
    if (!isfinite(value))
        return rt_fail(error, ROUTH_NUMERIC_ERROR,
                       "a number is not finite; "
                       "check divisions and powers");
    fmpq_t q;
    fmpq_init(q);
    routh_status status = ROUTH_OK;
    if (is_decimal(value, q) || is_fraction(value, 4, 1e5, q))
        rt_exact_set_rational(field, z, q);
    else if (is_fraction(value * value, 8, 1e4, q)) {
        rt_exact_set_rational(field, z, q);
        status = rt_exact_root(field, z, z, error);
        if (value < 0) rt_exact_negate(field, z, z);
    } else if (is_fraction(value / RT_PI, 4, 720, q)) {
        rt_exact *factor = rt_exact_zeros(field, 1);
        if (!factor)
            status = rt_fail_memory(error);
        else {
            rt_exact_set_rational(field, factor, q);
            rt_exact_pi(field, z);
            rt_exact_multiply(field, z, z, factor);
        }
    } else if (numbers_short_decimal(value, 2 * DBL_EPSILON * fabs(value), 12, q))
        rt_exact_set_rational(field, z, q);
    else {
        char text[40];
        snprintf(text, sizeof text, "%.17g", value);
        read_decimal(q, text);
        rt_exact_set_rational(field, z, q);
    }
    fmpq_clear(q);
    return status;
}

/* ---- expressions ---------------------------------------------------------------------------- */

rt_exact_numbers rt_exact_numbers_begin(rt_exact_field *field, const routh_model *model)
{
    return (rt_exact_numbers){.field = field, .model = model, .graph = model->graph};
}

void rt_exact_numbers_end(rt_exact_numbers *numbers)
{
    free(numbers->known);
    numbers->known = NULL;
    numbers->room = 0;
}

static bool numbers_make_room(rt_exact_numbers *n)
{
    const int wanted = rt_node_count(n->graph);
    if (wanted <= n->room) return true;
    rt_exact **more = realloc(n->known, (size_t)wanted * sizeof *more);
    if (!more) return false;
    memset(more + n->room, 0, (size_t)(wanted - n->room) * sizeof *more);
    n->known = more;
    n->room = wanted;
    return true;
}

static routh_status of_input(rt_exact_numbers *n, int slot, rt_exact *z, routh_error *error)
{
    const rt_quantity *quantity = n->model->quantities + slot;
    if (quantity->kind == RT_QUANTITY_MADE) /* no formula says how */
        return rt_exact_of_double(n->field, rt_constant_value(n->model, quantity), z, error);
    if (quantity->kind != RT_QUANTITY_PARAMETER) {
        if (n->quantity) return n->quantity(n->context, slot, z, error);
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "it depends on more than parameters; use routh "
                       "linearize");
    }
    const rt_parameter *parameter = n->model->parameters + quantity->index;
    if (rt_exact_parameter(n->field, z, quantity->index)) return ROUTH_OK;
    if (parameter->number.expr >= 0 && !parameter->overridden)
        return rt_exact_of_expr(n, parameter->number.expr, z, error);
    return rt_exact_of_double(n->field, parameter->number.value, z, error);
}

/* x = sum of integers times parameters, and a fraction of pi. */
static routh_status numbers_turn(rt_exact_numbers *n, const rt_exact *x, rt_exact *cosine,
                                 rt_exact *sine, routh_error *error);

static routh_status numbers_power(rt_exact_numbers *n, const rt_exact *base,
                                  const rt_exact *exponent, rt_exact *z, routh_error *error)
{
    rt_exact_field *f = n->field;
    const double e = rt_exact_value(f, exponent);
    if (!rt_exact_is_rational(f, exponent) || e * 2 != floor(e * 2) || fabs(e) > 100)
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "a power has an exponent that is not a multiple of 1/2, which is not "
                       "supported in formulas; use routh linearize");
    rt_exact *factor = rt_exact_zeros(f, 1);
    if (!factor) return rt_fail_memory(error);
    rt_exact_set(f, factor, base);
    slong times = (slong)fabs(e);
    if (e != floor(e)) {
        const routh_status status = rt_exact_root(f, factor, base, error);
        if (status) return status;
        times = (slong)fabs(2 * e);
    }
    if (e < 0 && rt_exact_is_zero(f, factor))
        return rt_fail(error, ROUTH_NUMERIC_ERROR,
                       "a division by zero occurs; give other values "
                       "of the parameters");
    rt_exact *product = rt_exact_zeros(f, 1);
    if (!product) return rt_fail_memory(error);
    rt_exact_set_integer(f, product, 1);
    for (slong k = 0; k < times; k++) rt_exact_multiply(f, product, product, factor);
    if (e < 0) {
        rt_exact_set_integer(f, factor, 1);
        rt_exact_divide(f, product, factor, product);
    }
    rt_exact_set(f, z, product);
    return ROUTH_OK;
}

static routh_status function(rt_exact_numbers *n, rt_function_name name, const rt_exact *x,
                             rt_exact *z, routh_error *error)
{
    rt_exact_field *f = n->field;
    rt_exact *other = rt_exact_zeros(f, 1);
    if (!other) return rt_fail_memory(error);
    routh_status status;
    switch (name) {
    case RT_SQRT: return rt_exact_root(f, z, x, error);
    case RT_SIN: return numbers_turn(n, x, other, z, error);
    case RT_COS: return numbers_turn(n, x, z, other, error);
    case RT_TAN:
        status = numbers_turn(n, x, other, z, error);
        if (!status && rt_exact_is_zero(f, other))
            return rt_fail(error, ROUTH_NUMERIC_ERROR,
                           "the tangent of a right angle occurs; give "
                           "another angle");
        if (!status) rt_exact_divide(f, z, z, other);
        return status;
    default:
        if (rt_exact_is_zero(f, x) &&
            (name == RT_ASIN || name == RT_ATAN || name == RT_SINH || name == RT_TANH)) {
            rt_exact_set(f, z, x);
            return ROUTH_OK;
        }
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "it contains a function that is not algebraic; use only sin, cos and tan of "
                       "angles, and sqrt");
    }
}

static routh_status of_node(rt_exact_numbers *n, const rt_node *node, rt_exact *z,
                            routh_error *error)
{
    rt_exact_field *f = n->field;
    rt_exact *x[RT_MOST_ARGUMENTS] = {0};
    if (node->operation == RT_OP_CONSTANT) return rt_exact_of_double(f, node->value, z, error);
    if (node->operation == RT_OP_INPUT) return of_input(n, node->detail, z, error);
    rt_exact *arguments = rt_exact_zeros(f, RT_MOST_ARGUMENTS);
    if (!arguments) return rt_fail_memory(error);
    for (int k = 0; k < rt_argument_count(node); k++) {
        x[k] = arguments + k;
        const routh_status status = rt_exact_of_expr(n, node->argument[k], x[k], error);
        if (status) return status;
    }
    switch (node->operation) {
    case RT_OP_ADD: rt_exact_add(f, z, x[0], x[1]); return ROUTH_OK;
    case RT_OP_SUBTRACT: rt_exact_subtract(f, z, x[0], x[1]); return ROUTH_OK;
    case RT_OP_MULTIPLY: rt_exact_multiply(f, z, x[0], x[1]); return ROUTH_OK;
    case RT_OP_NEGATE: rt_exact_negate(f, z, x[0]); return ROUTH_OK;
    case RT_OP_DIVIDE:
        if (rt_exact_is_zero(f, x[1]))
            return rt_fail(error, ROUTH_NUMERIC_ERROR,
                           "a division by zero occurs; give other "
                           "values of the parameters");
        rt_exact_divide(f, z, x[0], x[1]);
        return ROUTH_OK;
    case RT_OP_POWER:
        if (node->detail == 0) return numbers_power(n, x[0], x[1], z, error);
        break;
    case RT_OP_FUNCTION: return function(n, (rt_function_name)node->detail, x[0], z, error);
    default: break;
    }
    return rt_fail(error, ROUTH_NOT_SUPPORTED,
                   "it contains an operation that is not algebraic (min, max, STEP, tables), which "
                   "is not supported in formulas; use routh linearize");
}

routh_status rt_exact_of_expr(rt_exact_numbers *n, rt_expr e, rt_exact *z, routh_error *error)
{
    if (!numbers_make_room(n)) return rt_fail_memory(error);
    if (!n->known[e]) {
        rt_exact *made = rt_exact_zeros(n->field, 1);
        if (!made) return rt_fail_memory(error);
        const routh_status status = of_node(n, n->graph->nodes + e, made, error);
        if (status) return status;
        if (rt_exact_field_exhausted(n->field))
            return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                           "an expression has too many terms, too many digits or too high powers; "
                           "simplify it");
        n->known[e] = made;
    }
    rt_exact_set(n->field, z, n->known[e]);
    return ROUTH_OK;
}

routh_status rt_exact_of_number(rt_exact_numbers *n, rt_number number, bool near_zero, rt_exact *z,
                                routh_error *error)
{
    if (number.expr >= 0) return rt_exact_of_expr(n, number.expr, z, error);
    if (near_zero && fabs(number.value) < 4e-16) number.value = 0;
    return rt_exact_of_double(n->field, number.value, z, error);
}

routh_status rt_exact_of_difference(rt_exact_numbers *n, rt_number number, double scale,
                                    rt_exact *z, routh_error *error)
{
    fmpq_t q;
    if (number.expr >= 0 || !(scale > fabs(number.value)) || !isfinite(scale))
        return rt_exact_of_number(n, number, true, z, error);
    fmpq_init(q);
    const double near = 2 * DBL_EPSILON * scale;
    const bool found =
        fabs(number.value) <= near || numbers_short_decimal(number.value, near, 12, q);
    if (found) rt_exact_set_rational(n->field, z, q); /* 0 where it is within that of it */
    fmpq_clear(q);
    return found ? ROUTH_OK : rt_exact_of_number(n, number, true, z, error);
}

/* ---- angles --------------------------------------------------------------------------------- */

/* cos and sin of p/q pi where they are roots of fractions: q divides 4 or 6. */
static routh_status part_of_pi(rt_exact_field *f, const fmpq_t part, rt_exact *cosine,
                               rt_exact *sine, routh_error *error)
{
    static const double degrees[] = {0, 30, 45, 60, 90};
    static const int four_cos2[] = {4, 3, 2, 1, 0};
    fmpz_t whole;
    fmpz_init(whole);
    fmpz_mul_si(whole, fmpq_numref(part), 180);
    routh_status status = ROUTH_OK;
    if (!fmpz_divisible(whole, fmpq_denref(part)))
        status = rt_fail(error, ROUTH_NOT_SUPPORTED,
                         "an angle is not an integer number of "
                         "degrees; make it a parameter");
    else {
        fmpz_divexact(whole, whole, fmpq_denref(part));
        const slong angle = (slong)fmpz_fdiv_ui(whole, 360), quadrant = angle / 90;
        int k = 0;
        while (k < 5 && degrees[k] != (double)(angle % 90)) k++;
        if (k == 5)
            status = rt_fail(error, ROUTH_NOT_SUPPORTED,
                             "an angle of %ld degrees is not known exactly; make it a parameter "
                             "that is a symbol, or a multiple of 30 or 45 degrees",
                             (long)angle);
        rt_exact *c = quadrant % 2 ? sine : cosine, *s = quadrant % 2 ? cosine : sine;
        if (!status) {
            rt_exact_set_integer(f, c, four_cos2[k]);
            rt_exact_set_integer(f, s, 4 - four_cos2[k]);
            rt_exact_scale(f, c, c, 1, 4);
            rt_exact_scale(f, s, s, 1, 4);
            status = rt_exact_root(f, c, c, error);
        }
        if (!status) status = rt_exact_root(f, s, s, error);
        if (!status && (quadrant == 1 || quadrant == 2)) rt_exact_negate(f, cosine, cosine);
        if (!status && quadrant >= 2) rt_exact_negate(f, sine, sine);
    }
    fmpz_clear(whole);
    return status;
}

/* (c, s) turned on by (c', s') */
static void turn_on(rt_exact_field *f, rt_exact *cosine, rt_exact *sine, const rt_exact *c,
                    const rt_exact *s, rt_exact *w)
{
    rt_exact_multiply(f, w, cosine, c);
    rt_exact_subtract_product(f, w, sine, s);
    rt_exact_multiply(f, w + 1, sine, c);
    rt_exact_add_product(f, w + 1, cosine, s);
    rt_exact_set(f, cosine, w);
    rt_exact_set(f, sine, w + 1);
}

static routh_status numbers_turn(rt_exact_numbers *n, const rt_exact *x, rt_exact *cosine,
                                 rt_exact *sine, routh_error *error)
{
    rt_exact_field *f = n->field;
    const fmpz_mpoly_ctx_struct *context = rt_exact_field_context(f);
    const rt_symbol *symbols;
    const int n_symbols = rt_exact_field_symbols(f, &symbols);
    const fmpz_mpoly_struct *above = fmpz_mpoly_q_numref(x), *below = fmpz_mpoly_q_denref(x);
    rt_exact *w = rt_exact_zeros(f, 4);
    if (!w) return rt_fail_memory(error);
    rt_exact_set_integer(f, cosine, 1);
    rt_exact_set_integer(f, sine, 0);
    if (!fmpz_mpoly_is_fmpz(below, context))
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "an angle is a quotient of parameters; make it "
                       "a parameter of its own");
    routh_status status = ROUTH_OK;
    fmpq_t q;
    fmpq_init(q);
    fmpz_mpoly_get_fmpz(fmpq_denref(q), below, context);
    fmpz_t denominator;
    fmpz_init_set(denominator, fmpq_denref(q));
    for (slong k = 0; !status && k < fmpz_mpoly_length(above, context); k++) {
        const rt_symbol *of = NULL;
        slong degree = 0;
        for (int i = 0; i < n_symbols; i++) {
            const slong e = fmpz_mpoly_get_term_var_exp_si(above, k, symbols[i].variable, context);
            if (e) of = symbols + i;
            degree += e;
        }
        fmpz_mpoly_get_term_coeff_fmpz(fmpq_numref(q), above, k, context);
        fmpz_set(fmpq_denref(q), denominator);
        fmpq_canonicalise(q);
        if (degree != 1 || (of->kind != RT_SYMBOL_PARAMETER && of->kind != RT_SYMBOL_PI))
            status = rt_fail(error, ROUTH_NOT_SUPPORTED,
                             "an angle is not a sum of parameters, integer multiples of them and "
                             "fractions of a revolution; write it so, as in phi + 2*psi - 90 deg");
        else if (of->kind == RT_SYMBOL_PI)
            status = part_of_pi(f, q, w, w + 1, error);
        else if (!fmpz_is_one(fmpq_denref(q)) || fmpz_bits(fmpq_numref(q)) > 4)
            status = rt_fail(error, ROUTH_NOT_SUPPORTED,
                             "an angle is not an integer multiple of '%s'; make the fraction a "
                             "parameter of its own",
                             of->name);
        else
            status = rt_exact_angle(f, w, w + 1, of->parameter, fmpz_get_si(fmpq_numref(q)), error);
        if (!status) turn_on(f, cosine, sine, w, w + 1, w + 2);
    }
    fmpz_clear(denominator);
    fmpq_clear(q);
    return status;
}
