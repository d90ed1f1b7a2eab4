/* User states for models whose text gives them as functions of loads. */
#ifndef SUPPORT_USER_STATES_H
#define SUPPORT_USER_STATES_H

#include "support/mechanisms.h"

/* Takes the last n loads of the model away, torques about z of a body, and makes user states of
 * their names and functions. */
void user_states_from_loads(routh_model *model, int n);

#endif
