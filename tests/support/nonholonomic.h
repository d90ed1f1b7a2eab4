/* Nonholonomic joints made in a parsed model from what its text has instead: a joint `x` of type
 * expression, whatever it says, and at the end of the loads a force `x_rows`, whose components that
 * are not constant become the joint's rows. Those of position level must come first. */
#ifndef SUPPORT_NONHOLONOMIC_H
#define SUPPORT_NONHOLONOMIC_H

#include "model/model.h"

void nonholonomic_from_loads(routh_model *model);

#endif
