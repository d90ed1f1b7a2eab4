/* Eigenvalues as balls that provably contain them. */
#include <arb_fmpz_poly.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "symbolic/algebraic.h"

/* The zeros of the characteristic polynomial; those of an exact one with their multiplicities. */
typedef struct certify_zeros {
    int n;
    acb_ptr at; /* degree of them */
    int *multiplicity;
    slong precision;
    acb_ptr values;             /* of the symbols */
    fmpz_poly_factor_t factors; /* one of them vanishes at each */
} certify_zeros;

/* Coefficients over a common denominator, where all are plain numbers. */
static bool is_exact(const routh_symbolic *s, int degree, fmpz_poly_t out)
{
    const fmpz_mpoly_ctx_struct *context = rt_exact_field_context(s->field);
    fmpq_poly_t p;
    fmpq_t c;
    bool exact = true;
    fmpq_poly_init(p);
    fmpq_init(c);
    for (int k = 0; k <= degree && exact; k++) {
        const rt_exact *x = s->characteristic + k;
        exact = rt_exact_is_rational(s->field, x);
        if (!exact) break;
        fmpz_mpoly_get_fmpz(fmpq_numref(c), fmpz_mpoly_q_numref(x), context);
        fmpz_mpoly_get_fmpz(fmpq_denref(c), fmpz_mpoly_q_denref(x), context);
        fmpq_poly_set_coeff_fmpq(p, k, c);
    }
    if (exact) fmpq_poly_get_numerator(out, p);
    fmpq_clear(c);
    fmpq_poly_clear(p);
    return exact;
}

/* Square-free parts one by one: repeated zeros are simple in theirs. */
static void exact_zeros(const fmpz_poly_t p, certify_zeros *z)
{
    fmpz_poly_factor_t parts;
    fmpz_poly_factor_init(parts);
    fmpz_poly_factor_squarefree(parts, p);
    for (slong k = 0; k < parts->num; k++) {
        const slong degree = fmpz_poly_degree(parts->p + k);
        arb_fmpz_poly_complex_roots(z->at + z->n, parts->p + k, 0, z->precision);
        for (slong i = 0; i < degree; i++) z->multiplicity[z->n + i] = (int)parts->exp[k];
        z->n += (int)degree;
    }
    fmpz_poly_factor_clear(parts);
}

/* Simple zeros of a polynomial with balls for coefficients. False: not all could be told apart. */
static bool ball_zeros(const routh_symbolic *s, int degree, acb_srcptr values, certify_zeros *z)
{
    acb_poly_t p;
    acb_poly_init(p);
    acb_poly_fit_length(p, degree + 1);
    acb_t c;
    acb_init(c);
    for (int k = 0; k <= degree; k++) {
        rt_ball_of(s->field, s->characteristic + k, values, c, z->precision);
        acb_poly_set_coeff_acb(p, k, c);
    }
    const bool told = acb_poly_degree(p) == degree && !acb_contains_zero(p->coeffs + degree) &&
                      acb_poly_find_roots(z->at, p, NULL, 0, z->precision) == degree;
    z->n = degree;
    for (int k = 0; k < degree; k++) z->multiplicity[k] = 1;
    acb_clear(c);
    acb_poly_clear(p);
    return told;
}

/* ---- the certificate ------------------------------------------------------------------------ */

static char *digits_of(const arb_t x, int digits)
{
    char *text = arb_get_str(x, digits, 0);
    char *copy = text ? malloc(strlen(text) + 1) : NULL;
    if (copy) strcpy(copy, text);
    flint_free(text);
    return copy;
}

static double radius_of(const arb_t x) { return mag_get_d(arb_radref(x)); }

/* A double beside the ball's middle, and how far from it the ball reaches. */
static double middle_of(const arb_t x, double *reach)
{
    const double at = arf_get_d(arb_midref(x), ARF_RND_NEAR);
    arb_t difference, from;
    mag_t far;
    arb_init(difference);
    arb_init(from);
    mag_init(far);
    arb_set_d(from, at);
    arb_sub(difference, x, from, 64);
    arb_get_mag(far, difference);
    *reach = mag_get_d(far);
    mag_clear(far);
    arb_clear(from);
    arb_clear(difference);
    return at;
}

/* "625*s^4 - ..."; NULL: not known. */
static char *polynomial_of(const certify_zeros *z, int k)
{
    const slong factor = rt_factor_of(z->factors, z->at + k, z->precision);
    char *text = factor < 0 ? NULL : fmpz_poly_get_str_pretty(z->factors->p + factor, "s");
    char *copy = text ? malloc(strlen(text) + 1) : NULL;
    if (copy) strcpy(copy, text);
    if (text) flint_free(text);
    return copy;
}

static routh_status certify_keep(routh_certificate *c, const certify_zeros *z, int digits,
                                 routh_error *error)
{
    for (int k = 0; k < z->n; k++)
        for (int copy = 0; copy < z->multiplicity[k]; copy++) {
            routh_enclosure *e = c->eigenvalues + c->n;
            const arb_ptr re = acb_realref(z->at + k), im = acb_imagref(z->at + k);
            e->value[0] = middle_of(re, &e->reach[0]);
            e->value[1] = middle_of(im, &e->reach[1]);
            e->radius[0] = radius_of(re);
            e->radius[1] = radius_of(im);
            e->multiplicity = z->multiplicity[k];
            e->real = digits_of(re, digits);
            e->imaginary = digits_of(im, digits);
            e->polynomial = polynomial_of(z, k);
            c->n++;
            if (!e->real || !e->imaginary) return rt_fail_memory(error);
            if (arb_is_positive(re))
                c->proof = ROUTH_PROVED_UNSTABLE;
            else if (!arb_is_negative(re) && c->proof == ROUTH_PROVED_STABLE)
                c->proof = ROUTH_NOT_DECIDED;
        }
    return ROUTH_OK;
}

static int certify_by_modulus(const void *a, const void *b)
{
    const routh_enclosure *x = a, *y = b;
    const double u = hypot(x->value[0], x->value[1]), v = hypot(y->value[0], y->value[1]);
    if (fabs(u - v) > 1e-13 * (u + v)) return u < v ? -1 : 1;
    if (fabs(x->value[0] - y->value[0]) > 1e-13 * (u + v))
        return x->value[0] < y->value[0] ? -1 : 1;
    return (x->value[1] > y->value[1]) - (x->value[1] < y->value[1]);
}

static bool certify_narrow(const certify_zeros *z)
{
    for (int k = 0; k < z->n; k++)
        if (radius_of(acb_realref(z->at + k)) > 1e-14 || radius_of(acb_imagref(z->at + k)) > 1e-14)
            return false;
    return true;
}

/* Less than twice the coordinates where motions have no inertia; -1: it is zero. */
static int degree_of(const routh_symbolic *s)
{
    int degree = 2 * s->reduction.n;
    while (degree >= 0 && rt_exact_is_zero(s->field, s->characteristic + degree)) degree--;
    return degree;
}

/* With more digits until every zero is told apart and known to 1e-14. */
static routh_status certify_find_zeros(const routh_symbolic *s, certify_zeros *z, slong precision,
                                       routh_error *error)
{
    enum { MOST_PRECISION = 8192 };
    const int degree = degree_of(s);
    acb_ptr values = z->values;
    fmpz_poly_t p;
    fmpz_poly_init(p);
    routh_status status = ROUTH_OK;
    bool told = false;
    for (; precision <= MOST_PRECISION && !told && !status; precision *= 2) {
        z->n = 0;
        z->precision = precision;
        status = rt_balls_of_unknowns(s, values, precision, error);
        if (status) break;
        if (s->reduction.n_forces == 0 && is_exact(s, degree, p)) {
            exact_zeros(p, z);
            told = certify_narrow(z);
        } else
            told = ball_zeros(s, degree, values, z) && certify_narrow(z);
    }
    if (!status && !told)
        status = rt_fail(error, ROUTH_NUMERIC_ERROR,
                         "the eigenvalues cannot be separated with %d bits, because some are equal "
                         "or nearly equal; give other values of the parameters",
                         (int)MOST_PRECISION);
    fmpz_poly_clear(p);
    return status;
}

static routh_status certify(routh_certificate *c, const routh_symbolic *s, int digits,
                            routh_error *error)
{
    const int degree = 2 * s->reduction.n;
    if (!s->characteristic)
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                       "%d independent coordinates are too many for certified eigenvalues, which "
                       "have at most 10; use a smaller model",
                       s->reduction.n);
    if (degree_of(s) < 0)
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "det(M s^2 + C s + K) is zero for every s, because some motion has neither "
                       "inertia nor stiffness nor damping, such as the rotation of a point mass on "
                       "a ball joint; hold it by a joint, or give the body an inertia");
    certify_zeros z = {.at = _acb_vec_init(degree), .values = _acb_vec_init(RT_MOST_VARIABLES)};
    fmpz_poly_factor_init(z.factors);
    z.multiplicity = calloc((size_t)degree, sizeof *z.multiplicity);
    c->eigenvalues = calloc((size_t)degree, sizeof *c->eigenvalues);
    routh_status status = z.multiplicity && c->eigenvalues ? ROUTH_OK : rt_fail_memory(error);
    slong precision = 128;
    while (precision < 4 * digits + 64) precision *= 2;
    if (!status) status = certify_find_zeros(s, &z, precision, error);
    if (!status) rt_eigenvalue_factors(s, z.values, z.precision, z.factors);
    if (!status) status = certify_keep(c, &z, digits, error);
    if (!status) qsort(c->eigenvalues, (size_t)c->n, sizeof *c->eigenvalues, certify_by_modulus);
    fmpz_poly_factor_clear(z.factors);
    _acb_vec_clear(z.values, RT_MOST_VARIABLES);
    _acb_vec_clear(z.at, degree);
    free(z.multiplicity);
    return status;
}

void routh_certificate_free(routh_certificate *c)
{
    if (!c) return;
    for (int k = 0; c->eigenvalues && k < c->n; k++) {
        free(c->eigenvalues[k].real);
        free(c->eigenvalues[k].imaginary);
        free(c->eigenvalues[k].polynomial);
    }
    free(c->eigenvalues);
    free(c);
}

routh_status routh_certificate_compute(routh_certificate **out, const routh_model *model,
                                       const char *const *unknowns, int digits, routh_error *error)
{
    static const char *const none[] = {NULL};
    const routh_symbolic_options o = {.symbols = none, .unknowns = unknowns};
    routh_symbolic *s;
    *out = NULL;
    if (digits < 1 || digits > 500)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "%d digits are requested; give a number from 1 "
                       "to 500 (--digits)",
                       digits);
    routh_status status = routh_symbolic_compute(&s, model, &o, error);
    if (status) return status;
    routh_certificate *c = calloc(1, sizeof *c);
    if (!c)
        status = rt_fail_memory(error);
    else {
        c->proof = ROUTH_PROVED_STABLE;
        status = certify(c, s, digits, error);
    }
    routh_symbolic_free(s);
    if (status)
        routh_certificate_free(c);
    else
        *out = c;
    return status;
}

const char *routh_proof_name(routh_proof proof)
{
    switch (proof) {
    case ROUTH_PROVED_STABLE: return "asymptotically stable: proved";
    case ROUTH_PROVED_UNSTABLE: return "unstable: proved";
    case ROUTH_NOT_DECIDED: return "cannot tell: an eigenvalue's ball holds the imaginary axis";
    default: return "";
    }
}
