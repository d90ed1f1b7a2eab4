/* Exact arithmetic: the field of rational functions with rational coefficients in the symbols of a
 * problem, extended by a few square roots.
 *
 *     K = Q(p_1, ..., p_n)(g_1, ..., g_k),    g_i^2 = R_i(p, g_1, ..., g_i-1)
 *
 * An element is a fraction in lowest terms, the numerator of degree one at most in every root, the
 * denominator free of roots: one form for every element, so equal means equal. A root is added only
 * where the field before it has none, so that K is a field; R_i may hold earlier roots.
 *
 * Every symbol and root also has a number, at which signs are decided: sqrt(x^2) is x where x is
 * positive there, and the field remembers that it was assumed.
 *
 * Elements belong to the field and go with it. FLINT, which does the arithmetic, ends the process
 * where the system refuses it memory (docs/adr/0027-flint.md). */
#ifndef RT_SYMBOLIC_FIELD_H
#define RT_SYMBOLIC_FIELD_H

#include <stdbool.h>

#include <flint/flint.h>
#include <flint/fmpq.h>
#include <flint/fmpz_mpoly.h>
#include <flint/fmpz_mpoly_factor.h>

#include <calcium/fmpz_mpoly_q.h>

#include "base/error.h"

typedef fmpz_mpoly_q_struct rt_exact;

enum { RT_MOST_ROOTS = 12, RT_MOST_COSINES = 12, RT_MOST_VARIABLES = 512 };

/* What a variable of the field stands for. */
typedef enum rt_symbol_kind {
    RT_SYMBOL_ROOT,      /* the square root of an element of symbols */
    RT_SYMBOL_PARAMETER, /* of the model */
    RT_SYMBOL_COSINE,    /* of a parameter, an angle */
    RT_SYMBOL_PI,
    RT_SYMBOL_S, /* the variable of the characteristic polynomial */
} rt_symbol_kind;

typedef struct rt_symbol {
    rt_symbol_kind kind;
    int variable;        /* of the polynomials */
    const char *name;    /* parameter; cosine: of the angle */
    int parameter;       /* of the model, PARAMETER and COSINE; else -1 */
    double value;        /* a root's has the sign that it stands for */
    bool sine;           /* ROOT: the sine of the parameter, sign and all */
    fmpz_mpoly_t square; /* ROOT: R, of symbols and earlier roots */
    bool used;           /* made or asked for */
} rt_symbol;

typedef struct rt_exact_field rt_exact_field;

/* parameters[n] become symbols, of these values. NULL names are not allowed. OUT_OF_MEMORY. */
routh_status rt_exact_field_create(rt_exact_field **field, int n, const char *const *names,
                                   const int *parameters, const double *values, routh_error *error);
void rt_exact_field_free(rt_exact_field *field); /* NULL is allowed */

/* True once an operation would have grown beyond all use, in terms, degree or digits. It was not
 * done, nor any after it, and all elements made since mean nothing: FLINT would end the process
 * where memory runs out. */
bool rt_exact_field_exhausted(const rt_exact_field *field);

const fmpz_mpoly_ctx_struct *rt_exact_field_context(const rt_exact_field *field);

/* n zeros, the field's; NULL: out of memory. */
rt_exact *rt_exact_zeros(rt_exact_field *field, int n);

void rt_exact_set(rt_exact_field *field, rt_exact *z, const rt_exact *x);
void rt_exact_set_integer(rt_exact_field *field, rt_exact *z, slong x);
void rt_exact_set_rational(rt_exact_field *field, rt_exact *z, const fmpq_t x);
void rt_exact_add(rt_exact_field *field, rt_exact *z, const rt_exact *x, const rt_exact *y);
void rt_exact_subtract(rt_exact_field *field, rt_exact *z, const rt_exact *x, const rt_exact *y);
void rt_exact_multiply(rt_exact_field *field, rt_exact *z, const rt_exact *x, const rt_exact *y);
void rt_exact_divide(rt_exact_field *field, rt_exact *z, const rt_exact *x,
                     const rt_exact *y); /* y != 0 */
void rt_exact_negate(rt_exact_field *field, rt_exact *z, const rt_exact *x);
void rt_exact_scale(rt_exact_field *field, rt_exact *z, const rt_exact *x, slong p,
                    slong q); /* p x / q */
void rt_exact_add_product(rt_exact_field *field, rt_exact *z, const rt_exact *x, const rt_exact *y);
void rt_exact_subtract_product(rt_exact_field *field, rt_exact *z, const rt_exact *x,
                               const rt_exact *y);

bool rt_exact_is_zero(const rt_exact_field *field, const rt_exact *x);
bool rt_exact_is_rational(const rt_exact_field *field, const rt_exact *x); /* a fraction */
bool rt_exact_is_number(const rt_exact_field *field, const rt_exact *x);   /* without parameters */
bool rt_exact_equal(const rt_exact_field *field, const rt_exact *x, const rt_exact *y);
slong rt_exact_length(const rt_exact_field *field,
                      const rt_exact *x); /* terms above and below the bar */

/* The number it is at the symbols' values; NaN where it is not finite there. */
double rt_exact_value(const rt_exact_field *field, const rt_exact *x);

/* z = dx / d(parameter), its sine and cosine moving along; it is a symbol. */
void rt_exact_derivative(rt_exact_field *field, rt_exact *z, const rt_exact *x, int parameter);

/* By variable: the symbols' values; then, where some of the parameters among them were changed,
 * what follows for cosines and roots; and the number x is there, NaN where it is not finite. */
void rt_exact_field_values(const rt_exact_field *field, double values[RT_MOST_VARIABLES]);
void rt_exact_field_complete(const rt_exact_field *field, double values[RT_MOST_VARIABLES]);
double rt_exact_at(const rt_exact_field *field, const rt_exact *x, const double *values);

/* Symbols, as elements. A parameter that is no symbol: false. */
bool rt_exact_parameter(rt_exact_field *field, rt_exact *z, int parameter);
void rt_exact_pi(rt_exact_field *field, rt_exact *z);
void rt_exact_s(rt_exact_field *field, rt_exact *z);

/* cos and sin of m times a parameter that is a symbol. LIMIT_EXCEEDED: of too many. */
routh_status rt_exact_angle(rt_exact_field *field, rt_exact *cosine, rt_exact *sine, int parameter,
                            slong m, routh_error *error);

/* The root that is not negative at the symbols' values: in the field where it is there, else the
 * field grows by it. NOT_SUPPORTED: of a negative number; LIMIT_EXCEEDED: of too many. */
routh_status rt_exact_root(rt_exact_field *field, rt_exact *z, const rt_exact *x,
                           routh_error *error);

/* x := |x|, x or -x, whichever is positive at the symbols' values: one of the field's assumptions
 * from then on. NOT_SUPPORTED: it is zero there. */
routh_status rt_exact_positive(rt_exact_field *field, rt_exact *x, routh_error *error);

/* All symbols there are: n of them. */
int rt_exact_field_symbols(const rt_exact_field *field, const rt_symbol **symbols);

/* The symbol of a parameter of the model; NULL: it is none. */
const rt_symbol *rt_exact_field_parameter(const rt_exact_field *field, int parameter);

/* What signs were decided by: each element is positive at the symbols' values, by its double. Those
 * that are numbers among them say nothing of the symbols. */
int rt_exact_field_assumptions(const rt_exact_field *field, const rt_exact *const **positive);

#endif
