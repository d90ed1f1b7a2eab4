/* Elements of the field as balls of Arb: intervals that provably hold them. */
#ifndef RT_SYMBOLIC_BALLS_H
#define RT_SYMBOLIC_BALLS_H

#include <acb.h>
#include <arb_mat.h>

#include "symbolic/symbolic.h"

/* The values of all variables of the field, by variable; those of parameters are taken from
 * parameters[] in the order of the field's symbols of that kind, and stay what they are. False: a
 * root is drawn from a ball that is not positive. */
bool rt_balls_of_symbols(const rt_exact_field *field, acb_ptr values, slong precision);

/* The element there. */
void rt_ball_of(const rt_exact_field *field, const rt_exact *x, acb_srcptr values, acb_t out,
                slong precision);

/* Balls for the unknowns of an operating point, as variables in values[]: a zero of the equations
 * that is the only one in them, near the symbols' own values. NUMERIC_ERROR: Newton's method does
 * not get there, or it is not proved. */
routh_status rt_balls_of_unknowns(const routh_symbolic *s, acb_ptr values, slong precision,
                                  routh_error *error);

#endif
