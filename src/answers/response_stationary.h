/* Is the response to random inputs stationary? Only where all that may move dies away. */
#ifndef RT_ANSWERS_RESPONSE_STATIONARY_H
#define RT_ANSWERS_RESPONSE_STATIONARY_H

#include "answers/response_random.h"

/* NUMERIC_ERROR, naming the mode, where one grows or does not decay beyond the bound of its error,
 * driven and observed or hidden; and where an output observes a rigid-body motion that a random
 * input drives. Of modes that are not known nothing is said. */
routh_status rt_random_is_stationary(const rt_random_task *task, const routh_response *response,
                                     routh_error *error);

#endif
