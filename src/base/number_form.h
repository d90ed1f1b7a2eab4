/* Numbers as charts and the report's page (viewer/src/format.ts) show them, by one rule. */
#ifndef RT_BASE_NUMBER_FORM_H
#define RT_BASE_NUMBER_FORM_H

#include "base/number.h"

/* digits x 10^power; power 0: the digits alone. */
typedef struct rt_number_form {
    char digits[RT_NUMBER_SIZE]; /* with a sign and a point, whatever the locale */
    int power;
} rt_number_form;

/* x to so many significant digits, at most RT_NUMBER_EXACT, rounded as printf does (half to even).
 * What it is after that decides: from 1e-4 up to below 1e6 there is no power, and no digit before
 * the point is left out. Not for infinity and NaN. */
void rt_number_form_find(rt_number_form *form, double x, int digits);

/* The same without zeros at the end of a fraction. */
void rt_number_form_short(rt_number_form *form, double x, int digits);

/* How many digits tell a value from its neighbours, which are so far away; step 0: not known. */
int rt_number_tick_digits(double value, double step);

#endif
