/* A descriptor pencil without damping whose K and M are symmetric: its eigenvalues by the symmetric
 * pencil
 *     [K G'; G 0] (xi, lam) = omega^2 [M 0; 0 0] (xi, lam),     lambda = +-i omega,
 * counted, so that none is missed (base/symmetric_modes.h). */
#ifndef RT_ANSWERS_SHIFTED_SYMMETRIC_H
#define RT_ANSWERS_SHIFTED_SYMMETRIC_H

#include <math.h>

#include "answers/shifted.h"
#include "base/symmetric_modes.h"

/* Is the (scaled) pencil one, to rounding? */
bool rt_shifted_is_symmetric(const rt_shifted *shifted);

/* omega^2 is no more than rounding leaves open of it, or is rounding beside the typical rate where
 * its own terms are all but nothing. */
static inline bool rt_symmetric_zero(const rt_symmetric_modes *m, int k)
{
    return fabs(m->value[k]) <= m->error[k] || fabs(m->value[k]) <= 1e-26;
}

/* *doubtful: what is no symmetry, or damping, of parts far softer than the stiffest may be more
 * than rounding; the errors cover it. Its omega^2 as the request says, in rates, and vectors
 * (xi, lam), in the arena. Statuses as rt_symmetric_modes_find; NUMERIC_ERROR too where zeros
 * are lost in rounding. count: of eigenvalues lambda, for messages. */
routh_status rt_shifted_symmetric_modes(const rt_shifted *shifted,
                                        const rt_symmetric_request *request, int count,
                                        rt_symmetric_modes *modes, bool *doubtful, rt_arena *arena,
                                        routh_error *error);

#endif
