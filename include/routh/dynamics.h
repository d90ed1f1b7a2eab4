/* The equations of motion as x' = f(t, x, u), for integrators, controllers and estimators of the
 * caller's own.
 *
 * x = (v, w, states of controllers): v are independent coordinates, w their rates (fewer where
 * rolling or other constraints of velocity leave fewer), chosen at the operating point that it is
 * created at. A coordinate is a number of the mechanism's own (in "relative" coordinates the angle
 * or shift of a joint). Of a body or ball that rotates freely it is an angle from the orientation
 * at the point: about the axis that it rotates about fastest there (z at rest) through any number
 * of revolutions, and the tilts of that axis about the other two, up to half a revolution. Joints
 * stay closed at every x. Events of the model (stop, set) belong to runs, and are not in f. */
#ifndef ROUTH_DYNAMICS_H
#define ROUTH_DYNAMICS_H

#include "routh/mechanism.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct routh_dynamics routh_dynamics; /* used by one thread at a time */

/* point: of this mechanism, which must outlive it; the point need not. NOT_SUPPORTED where motions
 * without mass are free. Free with routh_dynamics_free. */
ROUTH_API routh_status routh_dynamics_create(routh_dynamics **dynamics,
                                             const routh_mechanism *mechanism,
                                             const routh_operating_point *point,
                                             routh_error *error);
ROUTH_API void routh_dynamics_free(routh_dynamics *dynamics); /* NULL is allowed */

/* How many numbers x has, and how many of them, the first ones, are v. */
ROUTH_API int routh_dynamics_n_states(const routh_dynamics *dynamics);
ROUTH_API int routh_dynamics_n_coordinates(const routh_dynamics *dynamics);

/* "rod.x", "rod.rx" in absolute coordinates; "rod.angle", "rod.shift2" of joints in relative ones;
 * "rod.e0" to "rod.e3", Euler parameters; "rod.point.x", "rod.vector2.z", the component of a point
 * (from a fixed origin amid the bodies) or of a unit vector along an axis of the world ("-x":
 * against it; "1", "2": along one of two axes in the plane of motion), in natural ones; the name of
 * a controller's state. With ' the rate of it. */
typedef struct routh_dynamics_state {
    const char *name;
    const char *unit; /* "m", "rad", "m/s", "rad/s", or as in the model; "" of a pure number, and
                         "1/s" of its rate */
} routh_dynamics_state;

/* State k of x; the text is the dynamics'. NULL past the last. */
ROUTH_API const routh_dynamics_state *routh_dynamics_get_state(const routh_dynamics *dynamics,
                                                               int k);

/* Time, x (n_states) and u (the model's inputs in their order; NULL: not wanted) of the point. */
ROUTH_API void routh_dynamics_start(const routh_dynamics *dynamics, double *t, double *x,
                                    double *u);

/* x' (n_states) at a time, at x and with inputs u, which count as constant: their rates, which a
 * motion that an input prescribes feels, are zero. u NULL: inputs as at the point, those with a
 * history as it has them at the time. Of several configurations with the same v the one on the
 * straight way in t, x and u from those of the last call that succeeded, revolutions included;
 * at the t and x of the point itself, the point's. Of a tree in relative coordinates without balls
 * there is one, and the way may begin at the point too. NUMERIC_ERROR where no way leads there:
 * joints lock, v does not determine the configuration or another branch of it is met, a motion
 * jumps, or it is too far (some 1e4 revolutions); then create it anew at a point nearby. Allocates
 * nothing, but where a factorization needs fresh pivots or others of redundant constraint equations
 * are to be kept. */
ROUTH_API routh_status routh_dynamics_evaluate(routh_dynamics *dynamics, double t, const double *x,
                                               const double *u, double *rate, routh_error *error);

/* The same as an operating point: to be linearized about, printed, or begun from. Free with
 * routh_operating_point_free. */
ROUTH_API routh_status routh_dynamics_point(routh_dynamics *dynamics, double t, const double *x,
                                            const double *u, routh_operating_point **point,
                                            routh_error *error);

/* Inputs (in the model's order) at a time, those with a history as it has them then, the others as
 * at the point: what u NULL stands for. NUMERIC_ERROR names a history that is not finite there. */
ROUTH_API routh_status routh_dynamics_inputs(routh_dynamics *dynamics, double t, double *u,
                                             routh_error *error);

/* Which inputs (in the model's order) u gives in later calls: not those of 0, which are then as
 * where u is NULL, rates and all. NULL: all, as at first. */
ROUTH_API routh_status routh_dynamics_choose_inputs(routh_dynamics *dynamics, const int *given,
                                                    routh_error *error);

#ifdef __cplusplus
}
#endif
#endif
