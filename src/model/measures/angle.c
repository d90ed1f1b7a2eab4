/* Angles between markers that rotate about one axis. */
#include "model/angles.h"
#include "model/measures/class.h"

/* About axis c of j, with m, n the next two in cyclic order: atan2(m_i . n_j, m_i . m_j). */
static rt_expr angle_build(rt_reader *r, const rt_measure_class *class, const rt_measure_call *call)
{
    static const double axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const rt_counted_angle angle = rt_angle_about(call->i, call->j, axes, class->component, -1);
    return rt_angle_expr(r, &angle);
}

#define ABOUT(axis, text, sample_text)                                                             \
    {                                                                                              \
        .name = (text), TAKES(I, J), .apart = true, .of_axes = true, .level = RT_ALLOW_POSITIONS,  \
        .unit = "rad",                                                                             \
        .doc = "rotation of i relative to j about {axis} of j, for rotation about that axis "      \
               "alone; continuous over any number of revolutions",                                 \
        .parity = RT_PARITY_AXIAL, .component = (axis), .build = angle_build,                      \
        .sample = (sample_text)                                                                    \
    }

static const rt_measure_class angle_measures[] = {
    ABOUT(X, "AX", "AX(i, j)"),
    ABOUT(Y, "AY", "AY(i, j)"),
    ABOUT(Z, "AZ", "AZ(i, j)"),
};

const rt_measure_family rt_measure_family_angle = FAMILY(angle_measures);
