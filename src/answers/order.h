/* Putting modes in their printed order, and telling which belong together. */
#ifndef RT_ANSWERS_ORDER_H
#define RT_ANSWERS_ORDER_H

#include "routh/answers.h"

/* Sorts by modulus (equal to 1e-12 counts as equal), then by imaginary part, then by real part;
 * moduli and parts that agree keep their order. conjugate is renumbered; multiplicity is counted.
 * scratch: n modes, places: 2 n. */
void rt_order_modes(int n, routh_mode *modes, routh_mode *scratch, int *places);

#endif
