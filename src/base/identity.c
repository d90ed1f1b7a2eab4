#include "base/identity.h"

#include <string.h>
#include <time.h>

/* Odd, its bits without a pattern: the golden ratio of 2^64. */
static const uint64_t identity_factor = UINT64_C(0x9E3779B97F4A7C15);

uint64_t rt_identity_mix(uint64_t identity, uint64_t next)
{
    uint64_t h = (identity ^ next) * identity_factor;
    h ^= h >> 32;
    return h ? h : 1;
}

uint64_t rt_identity_new(const void *object)
{
    struct timespec now = {0};
    timespec_get(&now, TIME_UTC);
    const uint64_t time = (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
    return rt_identity_mix(rt_identity_mix(time, (uint64_t)(uintptr_t)object), 1);
}

uint64_t rt_identity_of_doubles(uint64_t identity, const double *numbers, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        uint64_t bits;
        memcpy(&bits, &numbers[k], sizeof bits);
        identity = rt_identity_mix(identity, bits);
    }
    return identity;
}

uint64_t rt_identity_of_text(uint64_t identity, const char *text)
{
    for (; *text; text++) identity = rt_identity_mix(identity, (unsigned char)*text);
    return identity;
}

uint64_t rt_identity_of_linear(const routh_linear *linear)
{
    if (!linear->A) return linear->origin;
    const uint64_t n = (uint64_t)linear->n_states;
    const uint64_t identity = rt_identity_mix(rt_identity_mix(1, n), (uint64_t)linear->n_position);
    return rt_identity_of_doubles(identity, linear->A, (size_t)(n * n));
}
