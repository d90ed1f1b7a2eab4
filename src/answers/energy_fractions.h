/* From energies to fractions of their sum. */
#ifndef RT_ANSWERS_ENERGY_FRACTIONS_H
#define RT_ANSWERS_ENERGY_FRACTIONS_H

#include <stdbool.h>

#include "routh/answers.h"

/* K x = 0 of a rigid motion, and C x = 0 where it goes on: what holds and slows nothing stores and
 * takes nothing, and parts of nothing are no shares. */
bool rt_energy_counts(const routh_mode *mode, routh_energy_kind kind);

/* Divides by the sum; all become 0 where it is but rounding. */
void rt_energy_fractions(int n, double *energies);

/* Of packed ones: states of the linear model, and shares. */
int rt_energy_forms_states(const routh_energy_forms *forms);
int rt_energy_forms_shares(const routh_energy_forms *forms);

#endif
