/* Bodies without mass, or without inertia about some axes, and the auxiliary mechanism beside such
 * a one.
 *
 * Where the joints hold what has no inertia (a point mass on a hinge), the equations of motion are
 * regular. Where they do not, accelerations do not follow from [M G'; G 0]. At rest nothing but M
 * itself depends on the inertia: neither forces nor K and D do. So the auxiliary mechanism, the
 * same with a mass and an inertia of the size of the others where the model has none, has the same
 * equilibrium, the same joint forces, K and D, and regular equations. What it adds to M is taken
 * away from the linear model again, exactly (linear/massless.h). Its weight is that of the model.
 */
#ifndef RT_SYSTEM_AUXILIARY_H
#define RT_SYSTEM_AUXILIARY_H

#include "system/system.h"

typedef enum rt_inertia_kind {
    RT_INERTIA_FULL,
    RT_INERTIA_OF_A_ROD, /* none about one axis */
    RT_INERTIA_NONE,
} rt_inertia_kind;

/* About which axes (unit vector, body axes) a rigid body has no inertia: not more than rounding of
 * its trace. */
rt_inertia_kind rt_inertia_kind_of(const rt_body *body, double axis[3]);

/* Is there a body without mass, or without inertia about an axis? */
bool rt_model_has_massless(const routh_model *model);

/* The model, with auxiliary masses and inertias, in the arena. All but the bodies is the given
 * one's. */
routh_status rt_auxiliary_model(routh_model **auxiliary, const routh_model *model, double length,
                                rt_arena *arena, routh_error *error);

/* Gravity as it acts on body b: none where its mass is auxiliary. */
static inline const rt_scalar *rt_gravity_on(const routh_mechanism *m, int b)
{
    static const rt_scalar none[3] = {0};
    return m->model->bodies[b].weightless ? none : m->gravity;
}

#endif
