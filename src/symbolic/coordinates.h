/* The coordinates that may be chosen as independent ones. */
#ifndef RT_SYMBOLIC_COORDINATES_H
#define RT_SYMBOLIC_COORDINATES_H

#include "symbolic/reduce.h"

/* BAD_ARGUMENT: of another form, or of nothing in the model. */
routh_status rt_natural_coordinate_of(const rt_natural_bodies *bodies, const char *name,
                                      rt_natural_coordinate *coordinate, routh_error *error);

/* What the program chooses from, in the order it does: how many there are, and one of them, where
 * it is of use. */
int rt_natural_candidates(const rt_natural_bodies *bodies);
routh_status rt_natural_candidate(const rt_natural_bodies *bodies, int index,
                                  rt_natural_coordinate *coordinate, bool *usable,
                                  routh_error *error);

/* The gradient's first or second rate along the motion: of a rotation of a body that turns it is
 * not zero. */
void rt_natural_coordinate_rate(const rt_natural_bodies *bodies, const rt_natural_coordinate *z,
                                int order, rt_exact *row);

#endif
