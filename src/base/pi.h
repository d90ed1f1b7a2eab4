/* Pi, a full turn, and the degrees of a radian: here and nowhere else. */
#ifndef RT_BASE_PI_H
#define RT_BASE_PI_H

#define RT_PI 3.14159265358979323846
#define RT_TWO_PI 6.28318530717958647693
#define RT_DEGREES 57.295779513082320876798154814105

#endif
