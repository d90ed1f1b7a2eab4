/* Which mechanism it is that is linearized again and again. */
#ifndef RT_LINEAR_AGAIN_H
#define RT_LINEAR_AGAIN_H

#include "routh/mechanism.h"

const routh_mechanism *rt_linearizer_mechanism(const routh_linearizer *linearizer);
const routh_mechanism *rt_joint_space_mechanism(const routh_joint_space *space);

#endif
