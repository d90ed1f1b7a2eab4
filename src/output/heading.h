/* The lines above the tables. */
#ifndef RT_OUTPUT_HEADING_H
#define RT_OUTPUT_HEADING_H

#include "output/results.h"

/* "label   text" with labels of one width. */
void rt_heading_line(rt_text *text, const char *label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Title; operating point and how far it is from rest; degrees of freedom; then the method, where
 * there is a linear model; redundant rows (the first `named` of them by name), where there is the
 * operating point itself and not only what the linear model keeps of it. */
void rt_heading(rt_text *text, const routh_results *results, int named);

/* A line for each warning. */
void rt_heading_warnings(rt_text *text, const routh_results *results);

/* Why a linear model has no states, and what to do about it. */
const char *rt_words_without_states(const routh_linear *linear);

#endif
