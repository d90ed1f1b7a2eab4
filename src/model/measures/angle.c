/* Angles between markers that rotate about one axis. */
#include "model/measures/class.h"

/* About axis c of j, with m, n the next two in cyclic order: atan2(m_i . n_j, m_i . m_j). */
static rt_expr angle_build(rt_reader *r, const rt_measure_class *class, const rt_measure_call *call)
{
    const int first = (class->component + 1) % 3, second = (class->component + 2) % 3;
    const rt_vector of_i = rt_measure_axis(call->i, first);
    const rt_vector along = rt_measure_axis(call->j, first);
    const rt_vector across = rt_measure_axis(call->j, second);
    return rt_atan2(r->model->graph, rt_measure_dot(r, &of_i, &across),
                    rt_measure_dot(r, &of_i, &along));
}

#define ABOUT(axis, text, sample_text)                                                             \
    {                                                                                              \
        .name = (text), TAKES(I, J), .apart = true, .level = RT_ALLOW_POSITIONS, .unit = "rad",    \
        .doc = "rotation of i relative to j about {axis} of j, for rotation about that axis "      \
               "alone",                                                                            \
        .component = (axis), .build = angle_build, .sample = (sample_text)                         \
    }

static const rt_measure_class angle_measures[] = {
    ABOUT(X, "AX", "AX(i, j)"),
    ABOUT(Y, "AY", "AY(i, j)"),
    ABOUT(Z, "AZ", "AZ(i, j)"),
};

const rt_measure_family rt_measure_family_angle = FAMILY(angle_measures);
