/* How many eigenvalues a disc holds beside those known, by the winding number of det(A - s E). */
#ifndef RT_ANSWERS_WINDING_H
#define RT_ANSWERS_WINDING_H

#include "answers/shifted_complex.h"

typedef struct rt_winding {
    double _Complex middle; /* the disc, in rates */
    double radius;
    const double _Complex *known; /* eigenvalues, as often as they are ones, conjugates too; in the
                                     disc or beside it */
    int n_known;
    int most_points; /* 8, 16, .. 256 */
    int missing;     /* the answer */
    bool told;       /* false: det turns too fast between the points, nothing is known */
    int n_points;
} rt_winding;

/* Factors complex matrices at the points. (allocates) */
routh_status rt_winding_count(rt_winding *winding, rt_shifted_complex *shifted, routh_error *error);

#endif
