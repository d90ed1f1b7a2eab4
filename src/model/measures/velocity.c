/* Velocities between markers. */
#include "model/measures/class.h"

#define ALONG(axis, text, sample_text)                                                             \
    {                                                                                              \
        .name = (text), TAKES(I, J, K, L), .level = RT_ALLOW_VELOCITIES, .unit = "m/s",            \
        .doc = "velocity of i relative to j, seen from l, along {axis} of k",                      \
        .parity = RT_PARITY_POLAR, .component = (axis), .build = rt_measure_component,             \
        .vector = RT_VECTOR_VELOCITY, .sample = (sample_text)                                      \
    }

static const rt_measure_class velocity_measures[] = {
    {
        .name = "VM",
        TAKES(I, J, L),
        .apart = true,
        .rough_at_zero = true,
        .parity = RT_PARITY_EVEN,
        .level = RT_ALLOW_VELOCITIES,
        .unit = "m/s",
        .doc = "speed of i relative to j, seen from l",
        .build = rt_measure_magnitude,
        .vector = RT_VECTOR_VELOCITY,
        .sample = "VM(i, j, l)",
    },
    ALONG(X, "VX", "VX(i, j, k, l)"),
    ALONG(Y, "VY", "VY(i, j, k, l)"),
    ALONG(Z, "VZ", "VZ(i, j, k, l)"),
};

const rt_measure_family rt_measure_family_velocity = FAMILY(velocity_measures);
