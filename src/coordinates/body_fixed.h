/* What the sets with u = (velocity, body-fixed angular velocity) share: everything but q.
 *
 * The rotational part of xi is the body-fixed virtual rotation eta, dA = A eta~, for which
 * eta' = dw_b - w_b x eta, so with dtheta = A eta
 *     dtheta'  = A dw_b,      dtheta'' = A dw_b' + A (w_b x dw_b),
 * and no orientation is singular. (EQUATIONS.md, first section.) */
#ifndef RT_COORDINATES_BODY_FIXED_H
#define RT_COORDINATES_BODY_FIXED_H

#include "coordinates/coordinates.h"

int rt_body_fixed_count_u(const routh_model *model);
int rt_body_fixed_columns(const routh_model *model, int body, int *columns);
void rt_body_fixed_map(int body, const rt_scalar *q, const rt_scalar *u, const rt_scalar *udot,
                       const rt_frame *frame, rt_map *map);
void rt_body_fixed_geometric(int body, const rt_scalar *q, const rt_frame *frame,
                             const rt_scalar wrench[6], rt_scalar *K, int width);
void rt_body_fixed_column(const routh_model *model, int column, int *body, int *component);

/* Velocity, angular velocity and accelerations of a frame whose pose is set. u, udot: 6. */
void rt_body_fixed_rates(rt_frame *frame, const rt_scalar *u, const rt_scalar *udot);

/* u from a pose and twist. */
void rt_body_fixed_take(const rt_frame *frame, rt_scalar *u);

#endif
