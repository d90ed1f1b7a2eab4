/* The type of the numbers that the equations of motion are evaluated in. */
#ifndef RT_BASE_SCALAR_H
#define RT_BASE_SCALAR_H

typedef double rt_scalar;

#endif
