/* Dot products with one vector of velocity level (velocity, omega, transport): what nonholonomic
 * constraints are made of.
 *
 * x = a . b with a of velocity level and b of position level varies as
 *     dx  = phi xi'  + rho xi
 *     dx' = phi xi'' + (phi' + rho) xi' + rho' xi,
 * rho not being phi' (docs/theory/nonholonomic.md). A dot of position level alone has phi = 0 and
 * for rho what is its phi elsewhere, so that an expression of both varies by one rule. */
#ifndef RT_ELEMENTS_FRAME_RATES_H
#define RT_ELEMENTS_FRAME_RATES_H

#include "elements/frame_dot.h"

/* Is it of velocity level, or of position level? */
bool rt_vector_is_rate(rt_vector_kind kind);
bool rt_vector_is_position(rt_vector_kind kind);

/* value: x, x' and, of a dot of position level, x'' (else 0); levels of g: phi, rho, rho'. */
void rt_dot_rates(rt_frames frames, const rt_vector *a, const rt_vector *b, rt_scalar value[3],
                  rt_gradient *g);

/* Adds scale * phi' to level 0 of g; nothing for a dot of position level. */
void rt_dot_rates_turn(rt_frames frames, const rt_vector *a, const rt_vector *b, rt_scalar scale,
                       rt_gradient *g);

/* Adds scale * d(phi)/d(xi) into H (see rt_dot_curvature); nothing for a dot of position level. */
void rt_dot_rates_curvature(rt_frames frames, const rt_vector *a, const rt_vector *b,
                            rt_scalar scale, const int *list, int n, rt_scalar *H);

/* H += s phi_a (x) rho_b, levels 0 and 1 of what rt_dot_rates gives. */
void rt_rates_add_outer(rt_scalar *H, rt_scalar s, const rt_gradient *a, const rt_gradient *b,
                        const int *list, int n);

#endif
