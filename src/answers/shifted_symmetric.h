/* A descriptor pencil without damping whose K and M are symmetric: its eigenvalues by the symmetric
 * pencil
 *     [K G'; G 0] (xi, lam) = omega^2 [M 0; 0 0] (xi, lam),     lambda = +-i omega,
 * counted, so that none is missed (base/symmetric_modes.h). */
#ifndef RT_ANSWERS_SHIFTED_SYMMETRIC_H
#define RT_ANSWERS_SHIFTED_SYMMETRIC_H

#include "answers/shifted.h"
#include "base/arnoldi.h"
#include "routh/factors.h"

/* Is the (scaled) pencil one, to rounding? */
bool rt_shifted_is_symmetric(const rt_shifted *shifted);

/* At least count eigenvalues nearest to 0, as eigenvalues nu = 1 / (lambda - shift) of OP with the
 * vectors y of the whole order; *shift is where none of them lies. errors: of nu, found.
 * a->n_applied
 * and a->n_restarts count solves and restarts. factors: as
 * rt_symmetric_request has. All in the arena. Statuses as rt_symmetric_modes_find. */
routh_status rt_shifted_symmetric_solve(const rt_shifted *shifted, int count, rt_arnoldi *a,
                                        const routh_factors *factors, double *shift,
                                        double **errors, rt_arena *arena, routh_error *error);

#endif
