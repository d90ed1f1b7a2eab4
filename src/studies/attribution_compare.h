/* The work on one comparison. */
#ifndef RT_STUDIES_ATTRIBUTION_COMPARE_H
#define RT_STUDIES_ATTRIBUTION_COMPARE_H

#include "studies/attribution_pairing.h"
#include "routh/compare.h"

typedef struct rt_comparing {
    routh_comparison *out;
    rt_side side[2];
    const routh_modes *modes[2];
    rt_arena arena;
    bool *allowed[2];
    int *mode[2]; /* of each eigenvalue of the spectra which of the modes it is; -1: rigid */
    rt_pairing pairing;
    int *place;                                    /* of the second's terms among those of both */
    double _Complex *left, *right, *other, *terms; /* scratch */
} rt_comparing;

/* Both sides in the first one's states, their modes paired. Release after a failure too. */
routh_status rt_comparing_create(rt_comparing *comparing, const routh_compared *a,
                                 const routh_compared *b, routh_error *error);
void rt_comparing_release(rt_comparing *comparing);

/* The part d of the change from a to b. */
void rt_shift_put(routh_shift *to, double _Complex a, double _Complex b, double _Complex d);

#endif
