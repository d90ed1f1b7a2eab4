/* Displacements between markers. */
#include "model/measures/class.h"

#define ALONG(axis, text, sample_text)                                                             \
    {                                                                                              \
        .name = (text), TAKES(I, J, K), .level = RT_ALLOW_POSITIONS, .unit = "m",                  \
        .doc = "displacement of i from j along {axis} of k", .parity = RT_PARITY_POLAR,            \
        .component = (axis), .build = rt_measure_component, .vector = RT_VECTOR_DISPLACEMENT,      \
        .sample = (sample_text)                                                                    \
    }

static const rt_measure_class displacement_measures[] = {
    {
        .name = "DM",
        TAKES(I, J),
        .apart = true,
        .rough_at_zero = true,
        .parity = RT_PARITY_EVEN,
        .level = RT_ALLOW_POSITIONS,
        .unit = "m",
        .doc = "distance of i from j",
        .build = rt_measure_magnitude,
        .vector = RT_VECTOR_DISPLACEMENT,
        .sample = "DM(i, j)",
    },
    ALONG(X, "DX", "DX(i, j, k)"),
    ALONG(Y, "DY", "DY(i, j, k)"),
    ALONG(Z, "DZ", "DZ(i, j, k)"),
};

const rt_measure_family rt_measure_family_displacement = FAMILY(displacement_measures);
