#include "system/auxiliary.h"

#include <math.h>

#include "model/number.h"

/* The triangle inequality leaves two cases: two moments are equal and the third vanishes, and then
 * the axis is the null vector, the longest cross product of two rows; or all vanish. */
rt_inertia_kind rt_inertia_kind_of(const rt_body *body, double axis[3])
{
    static const double rounding = 1e-15;
    double I[9], longest = 0, cross[3];
    if (body->flexible) return RT_INERTIA_FULL;
    const double trace = body->inertia[0].value + body->inertia[4].value + body->inertia[8].value;
    if (!(trace > 0)) return RT_INERTIA_NONE;
    for (int k = 0; k < 9; k++) I[k] = body->inertia[k].value / trace;
    for (int i = 0; i < 3; i++) {
        rt_v3_cross(cross, I + 3 * i, I + 3 * ((i + 1) % 3));
        const double length = rt_v3_norm(cross);
        if (length <= longest) continue;
        longest = length;
        rt_v3_scale(axis, 1 / length, cross);
    }
    /* I n = cross-product rows' determinant over their length: the moment about n */
    double In[3];
    rt_m3_mul_v(In, I, axis);
    return fabs(rt_v3_dot(In, axis)) <= rounding ? RT_INERTIA_OF_A_ROD : RT_INERTIA_FULL;
}

static bool auxiliary_is_massless(const rt_body *body)
{
    return !body->flexible && body->mass.value == 0;
}

bool rt_model_has_massless(const routh_model *model)
{
    double axis[3];
    for (int b = 0; b < model->n_bodies; b++)
        if (auxiliary_is_massless(&model->bodies[b]) ||
            rt_inertia_kind_of(&model->bodies[b], axis) != RT_INERTIA_FULL)
            return true;
    return false;
}

/* The mean of the masses there are; 1 kg where there are none. */
static double auxiliary_mass(const routh_model *model)
{
    double sum = 0;
    int n = 0;
    for (int b = 0; b < model->n_bodies; b++) {
        if (!(model->bodies[b].mass.value > 0)) continue;
        sum += model->bodies[b].mass.value;
        n++;
    }
    return n ? sum / n : 1;
}

static void auxiliary_add(rt_body *body, double mass, double length)
{
    double axis[3];
    const rt_inertia_kind kind = rt_inertia_kind_of(body, axis);
    const double trace = body->inertia[0].value + body->inertia[4].value + body->inertia[8].value;
    const double none = (body->mass.value > 0 ? body->mass.value : mass) * length * length;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double more = kind == RT_INERTIA_NONE       ? (i == j ? none : 0)
                                : kind == RT_INERTIA_OF_A_ROD ? trace / 2 * axis[i] * axis[j]
                                                              : 0;
            if (kind != RT_INERTIA_FULL)
                body->inertia[3 * i + j] = rt_plain(body->inertia[3 * i + j].value + more);
        }
    if (auxiliary_is_massless(body)) {
        body->mass = rt_plain(mass);
        body->weightless = true;
    }
}

routh_status rt_auxiliary_model(routh_model **auxiliary, const routh_model *model, double length,
                                rt_arena *arena, routh_error *error)
{
    routh_model *copy = RT_TAKE(arena, routh_model, 1);
    rt_body *bodies = RT_TAKE(arena, rt_body, model->n_bodies);
    if (!copy || !bodies) return rt_fail_memory(error);
    *copy = *model;
    memcpy(bodies, model->bodies, (size_t)model->n_bodies * sizeof *bodies);
    copy->bodies = bodies;
    const double mass = auxiliary_mass(model);
    for (int b = 0; b < model->n_bodies; b++) auxiliary_add(&bodies[b], mass, length);
    *auxiliary = copy;
    return ROUTH_OK;
}
