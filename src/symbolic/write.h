/* The writers of a symbolic linearization, one a notation. Failed allocations are kept in the
 * text. */
#ifndef RT_SYMBOLIC_WRITE_H
#define RT_SYMBOLIC_WRITE_H

#include "symbolic/symbolic.h"
#include "symbolic/text.h"

typedef enum rt_form_of_model {
    RT_SECOND_ORDER, /* M, C, K */
    RT_STATE_SPACE,  /* A, which there is */
} rt_form_of_model;

void rt_symbolic_write_text(const routh_symbolic *s, rt_form_of_model form, rt_text *text);
void rt_symbolic_write_latex(const routh_symbolic *s, rt_form_of_model form, rt_text *text);
/* C, Python, MATLAB and Modelica */
void rt_symbolic_write_code(const routh_symbolic *s, rt_form_of_model form, rt_notation notation,
                            rt_text *text);
/* Both forms. */
routh_status rt_symbolic_write_json(const routh_symbolic *s, rt_text *text, routh_error *error);

/* A line of the units, where not all are SI; line: how a comment begins, or "". */
void rt_symbolic_write_units(const routh_symbolic *s, const char *line, rt_text *text);

/* Does a formula of the form hold the symbol? Of M, C, K with the forces. */
bool rt_symbolic_uses(const routh_symbolic *s, const rt_symbol *symbol, rt_form_of_model form);

/* In words, without the conditions. */
const char *rt_stability_words(const rt_stability *stability);

#endif
