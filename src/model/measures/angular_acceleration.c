/* Angular accelerations between markers. */
#include "model/measures/class.h"

#define ALONG(axis, text, sample_text)                                                             \
    {                                                                                              \
        .name = (text), TAKES(I, J, K), .level = RT_ALLOW_ALL, .unit = "rad/s^2",                  \
        .doc =                                                                                     \
            "angular acceleration of i less that of j, both seen from ground, along {axis} of k",  \
        .parity = RT_PARITY_AXIAL, .component = (axis), .build = rt_measure_component,             \
        .vector = RT_VECTOR_ALPHA, .sample = (sample_text)                                         \
    }

static const rt_measure_class angular_acceleration_measures[] = {
    {
        .name = "WDTM",
        TAKES(I, J),
        .apart = true,
        .rough_at_zero = true,
        .parity = RT_PARITY_EVEN,
        .level = RT_ALLOW_ALL,
        .unit = "rad/s^2",
        .doc = "magnitude of the angular acceleration of i less that of j, both seen from ground",
        .build = rt_measure_magnitude,
        .vector = RT_VECTOR_ALPHA,
        .sample = "WDTM(i, j)",
    },
    ALONG(X, "WDTX", "WDTX(i, j, k)"),
    ALONG(Y, "WDTY", "WDTY(i, j, k)"),
    ALONG(Z, "WDTZ", "WDTZ(i, j, k)"),
};

const rt_measure_family rt_measure_family_angular_acceleration =
    FAMILY(angular_acceleration_measures);
