/* Routh's array of a polynomial whose coefficients are elements of the field. */
#ifndef RT_SYMBOLIC_ROUTH_ARRAY_H
#define RT_SYMBOLIC_ROUTH_ARRAY_H

#include "symbolic/field.h"

/* What must be positive, each a polynomial without square factors, times earlier ones where that is
 * shorter. Then all zeros of the polynomial have negative real parts; or, where a row
 * vanished and its auxiliary polynomial's derivative took its place, none has a positive one, and
 * those on the imaginary axis are simple. */
typedef struct rt_stability {
    int n;
    rt_exact *positive; /* n */
    int n_nonzero;
    rt_exact *nonzero; /* n_nonzero: what must not vanish beside, factors that stand as squares */
    bool marginal;     /* a row vanished */
    bool never;        /* an entry of the first column is zero whatever the symbols are */
} rt_stability;

/* c[degree + 1], that of s^k at k. OUT_OF_MEMORY. */
routh_status rt_routh_array(rt_exact_field *field, int degree, const rt_exact *c,
                            rt_stability *stability, routh_error *error);

#endif
