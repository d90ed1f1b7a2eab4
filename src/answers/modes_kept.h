/* Modes for who computes them again and again. */
#ifndef RT_ANSWERS_MODES_KEPT_H
#define RT_ANSWERS_MODES_KEPT_H

#include "base/kept_memory.h"
#include "routh/answers.h"

/* routh_modes_compute in memory that is kept there; NULL: the system's. */
routh_status rt_modes_compute_kept(routh_modes **modes, const routh_linear *linear,
                                   rt_analyses *analyses, routh_error *error);

#endif
