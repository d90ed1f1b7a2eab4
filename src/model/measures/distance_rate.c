/* The rate at which two markers separate. */
#include "model/measures/class.h"

/* v . d / |d| */
static rt_expr distance_rate_build(rt_reader *r, const rt_measure_class *class,
                                   const rt_measure_call *call)
{
    rt_graph *g = r->model->graph;
    const rt_vector v = rt_measure_between(RT_VECTOR_VELOCITY, call->i, call->j);
    const rt_vector d = rt_measure_between(RT_VECTOR_DISPLACEMENT, call->i, call->j);
    (void)class;
    return rt_divide(g, rt_measure_dot(r, &v, &d),
                     rt_function_of(g, RT_SQRT, rt_measure_dot(r, &d, &d)));
}

static const rt_measure_class distance_rate_measures[] = {
    {
        .name = "VR",
        TAKES(I, J),
        .apart = true,
        .parity = RT_PARITY_EVEN,
        .level = RT_ALLOW_VELOCITIES,
        .unit = "m/s",
        .doc = "rate of the distance of i from j",
        .build = distance_rate_build,
        .sample = "VR(i, j)",
    },
};

const rt_measure_family rt_measure_family_distance_rate = FAMILY(distance_rate_measures);
