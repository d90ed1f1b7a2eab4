/* Accelerations between markers. */
#include "model/measures/class.h"

#define ALONG(axis, text, sample_text)                                                             \
    {                                                                                              \
        .name = (text), TAKES(I, J, K), .level = RT_ALLOW_ALL, .unit = "m/s^2",                    \
        .doc = "acceleration of i less that of j, both seen from ground, along {axis} of k",       \
        .parity = RT_PARITY_POLAR, .component = (axis), .build = rt_measure_component,             \
        .vector = RT_VECTOR_ACCELERATION, .sample = (sample_text)                                  \
    }

static const rt_measure_class acceleration_measures[] = {
    {
        .name = "ACCM",
        TAKES(I, J),
        .apart = true,
        .rough_at_zero = true,
        .parity = RT_PARITY_EVEN,
        .level = RT_ALLOW_ALL,
        .unit = "m/s^2",
        .doc = "magnitude of the acceleration of i less that of j, both seen from ground",
        .build = rt_measure_magnitude,
        .vector = RT_VECTOR_ACCELERATION,
        .sample = "ACCM(i, j)",
    },
    ALONG(X, "ACCX", "ACCX(i, j, k)"),
    ALONG(Y, "ACCY", "ACCY(i, j, k)"),
    ALONG(Z, "ACCZ", "ACCZ(i, j, k)"),
};

const rt_measure_family rt_measure_family_acceleration = FAMILY(acceleration_measures);
