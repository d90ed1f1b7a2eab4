/* Numbers as text and back, with a point whatever the locale. */
#ifndef RT_BASE_NUMBER_H
#define RT_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

enum {
    RT_NUMBER_SIZE = 40,
    RT_NUMBER_EXACT = 17 /* digits with which a double reads back exactly */
};

/* x as %.<digits>g into text, at most RT_NUMBER_EXACT digits; returns the length. */
int rt_number_text(char text[RT_NUMBER_SIZE], double x, int digits);

/* The number that the whole of text is: [+-] digits [. digits] [e [+-] digits], or inf, -inf, nan.
 * False for anything else and for what is longer than 300 characters. */
bool rt_number_read(const char *text, size_t length, double *x);

#endif
