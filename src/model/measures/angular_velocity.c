/* Angular velocities between markers. */
#include "model/measures/class.h"

#define ALONG(axis, text, sample_text)                                                             \
    {                                                                                              \
        .name = (text), TAKES(I, J, K), .level = RT_ALLOW_VELOCITIES, .unit = "rad/s",             \
        .doc = "angular velocity of i relative to j along {axis} of k", .parity = RT_PARITY_AXIAL, \
        .component = (axis), .build = rt_measure_component, .vector = RT_VECTOR_OMEGA,             \
        .sample = (sample_text)                                                                    \
    }

static const rt_measure_class angular_velocity_measures[] = {
    {
        .name = "WM",
        TAKES(I, J),
        .apart = true,
        .rough_at_zero = true,
        .parity = RT_PARITY_EVEN,
        .level = RT_ALLOW_VELOCITIES,
        .unit = "rad/s",
        .doc = "angular speed of i relative to j",
        .build = rt_measure_magnitude,
        .vector = RT_VECTOR_OMEGA,
        .sample = "WM(i, j)",
    },
    ALONG(X, "WX", "WX(i, j, k)"),
    ALONG(Y, "WY", "WY(i, j, k)"),
    ALONG(Z, "WZ", "WZ(i, j, k)"),
};

const rt_measure_family rt_measure_family_angular_velocity = FAMILY(angular_velocity_measures);
