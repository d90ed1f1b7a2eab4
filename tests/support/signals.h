/* Signals made in a parsed model from what its text has instead, at the end of its loads: a force
 * `state_x`, whose first component is the equation of the state that the parameter x stands for
 * (and rate_x for its rate); `variable_v`, the value of the variable that v stands for;
 * `output_y`. Parameters input_... are inputs. The parameters' values are initial values and
 * guesses. */
#ifndef SUPPORT_SIGNALS_H
#define SUPPORT_SIGNALS_H

#include "model/model.h"

void signals_from_loads(routh_model *model);

#endif
