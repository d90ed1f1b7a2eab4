/* What follows from an eigenvalue s (re in 1/s, im in rad/s) alone: here and nowhere else. */
#ifndef RT_BASE_EIGENVALUE_H
#define RT_BASE_EIGENVALUE_H

#include <math.h>

#include "base/pi.h"

/* |s| / 2 pi, Hz */
static inline double rt_undamped_hz(const double s[2]) { return hypot(s[0], s[1]) / RT_TWO_PI; }

/* |Im s| / 2 pi, Hz */
static inline double rt_damped_hz(const double s[2]) { return fabs(s[1]) / RT_TWO_PI; }

/* -Re s / |s|; 0 for a zero eigenvalue */
static inline double rt_damping_ratio(const double s[2])
{
    const double size = hypot(s[0], s[1]);
    return s[0] != 0 ? -s[0] / size : 0; /* not -0 of an undamped one */
}

/* 2 pi / |Im s|, s */
static inline double rt_period(const double s[2]) { return RT_TWO_PI / fabs(s[1]); }

/* ln 2 / |Re s|, s: in which the amplitude halves or doubles */
static inline double rt_halving_time(const double s[2]) { return log(2) / fabs(s[0]); }

#endif
