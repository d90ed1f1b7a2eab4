/* The force that a joint or load exerts. */
#include "model/measures/class.h"

#define ALONG(axis, text, sample_text)                                                             \
    {                                                                                              \
        .name = (text), TAKES(ELEMENT, K), .level = RT_ALLOW_ALL, .unit = "N",                     \
        .doc = "force of a joint or load on its first marker, along {axis} of k",                  \
        .parity = RT_PARITY_POLAR, .component = (axis), .build = rt_measure_element_component,     \
        .torque = false, .sample = (sample_text)                                                   \
    }

static const rt_measure_class force_measures[] = {
    {
        .name = "FM",
        TAKES(ELEMENT),
        .rough_at_zero = true,
        .parity = RT_PARITY_EVEN,
        .level = RT_ALLOW_ALL,
        .unit = "N",
        .doc = "magnitude of the force of a joint or load on its first marker",
        .build = rt_measure_element_magnitude,
        .torque = false,
        .sample = "FM(h)",
    },
    ALONG(X, "FX", "FX(h, k)"),
    ALONG(Y, "FY", "FY(f, k)"),
    ALONG(Z, "FZ", "FZ(h, k)"),
};

const rt_measure_family rt_measure_family_force = FAMILY(force_measures);
