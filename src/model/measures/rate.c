/* Rates of controllers' states. */
#include "model/measures/class.h"

static const rt_measure_class rate_measures[] = {
    {
        .name = "RATE",
        TAKES(STATE),
        .parity = RT_PARITY_EVEN,
        .level = RT_ALLOW_ALL,
        .unit = "that of the state, over s",
        .doc = "rate of a controller's state",
        .call = rt_resolve_rate,
        .sample = "RATE(x)",
    },
};

const rt_measure_family rt_measure_family_rate = FAMILY(rate_measures);
