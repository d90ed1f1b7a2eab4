/* A left and a right vector of the equations of all levels between two mechanisms of the same
 * columns and rows, and what each element makes of w^H P v. */
#ifndef RT_STUDIES_ATTRIBUTION_TERMS_H
#define RT_STUDIES_ATTRIBUTION_TERMS_H

#include "studies/attribution_side.h"

/* n1 + n2 of the side's pencil each. */
typedef struct rt_between {
    double _Complex *left, *right;
} rt_between;

/* Vectors of one side in the columns and rows of the other: the same motion of the bodies in the
 * world, whichever way they are turned and spin, and the same virtual motion; multipliers and rows
 * that the other has not counted as independent are left out. Absolute coordinates. */
void rt_carry_left(const rt_side *from, const double _Complex *x, const rt_side *to,
                   double _Complex *out);
void rt_carry_right(const rt_side *from, const double _Complex *x, const rt_side *to,
                    double _Complex *out);

/* Bodies, joints, states, sensors (controllers' equations, then variables), loads: so many, and the
 * values of w^H P v on this side. */
int rt_count_terms(const rt_side *side);
routh_status rt_terms(const rt_side *side, const rt_between *x, double _Complex *terms,
                      routh_error *error);

/* "body rotor"; NULL: out of memory. The caller frees it. */
char *rt_term_name(const rt_side *side, int term);

#endif
