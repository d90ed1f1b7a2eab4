/* What a parameter is called in each notation: two parameters never alike, none like a word that
 * the language or the function written has for itself. */
#ifndef RT_SYMBOLIC_SYMBOL_NAMES_H
#define RT_SYMBOLIC_SYMBOL_NAMES_H

#include "base/text.h"
#include "symbolic/field.h"

/* In C, Python, MATLAB and Modelica alike: the name; with an underscore behind it where that is
 * reserved; parameter_3 where it may not be a name at all. */
void rt_code_name(const rt_exact_field *field, const rt_symbol *parameter, rt_text *text);

/* omega_1 is \omega_{1}, L1 is L_{1}, mass is \mathrm{mass}; letter by letter, \mathtt{x\_1}, where
 * another parameter or the page would look the same. */
void rt_latex_name(const rt_exact_field *field, const rt_symbol *parameter, rt_text *text);

#endif
