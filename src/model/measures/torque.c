/* The torque that a joint or load exerts. */
#include "model/measures/class.h"

#define ALONG(axis, text, sample_text)                                                             \
    {                                                                                              \
        .name = (text), TAKES(ELEMENT, K), .level = RT_ALLOW_ALL, .unit = "N m",                   \
        .doc = "torque of a joint or load on its first marker, along {axis} of k",                 \
        .parity = RT_PARITY_AXIAL, .component = (axis), .build = rt_measure_element_component,     \
        .torque = true, .sample = (sample_text)                                                    \
    }

static const rt_measure_class torque_measures[] = {
    {
        .name = "TM",
        TAKES(ELEMENT),
        .rough_at_zero = true,
        .parity = RT_PARITY_EVEN,
        .level = RT_ALLOW_ALL,
        .unit = "N m",
        .doc = "magnitude of the torque of a joint or load on its first marker",
        .build = rt_measure_element_magnitude,
        .torque = true,
        .sample = "TM(h)",
    },
    ALONG(X, "TX", "TX(h, k)"),
    ALONG(Y, "TY", "TY(f, k)"),
    ALONG(Z, "TZ", "TZ(h, k)"),
};

const rt_measure_family rt_measure_family_torque = FAMILY(torque_measures);
