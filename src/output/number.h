/* Numbers as text, with a point whatever the locale. */
#ifndef RT_OUTPUT_NUMBER_H
#define RT_OUTPUT_NUMBER_H

enum {
    RT_NUMBER_SIZE = 40,
    RT_NUMBER_EXACT = 17 /* digits with which a double reads back exactly */
};

/* x as %.<digits>g into text, at most RT_NUMBER_EXACT digits; returns the length. */
int rt_number_text(char text[RT_NUMBER_SIZE], double x, int digits);

#endif
