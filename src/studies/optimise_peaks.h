/* The largest |H| in each piece of a band, with derivatives. */
#ifndef RT_STUDIES_OPTIMISE_PEAKS_H
#define RT_STUDIES_OPTIMISE_PEAKS_H

#include "studies/optimise_iterate.h"

/* Of goal g: value (pieces), by (pieces x variables), hz (pieces). */
routh_status rt_peaks_evaluate(const rt_optimise_task *task, int g, const rt_iterate *iterate,
                               double *value, double *by, double *hz, routh_error *error);

#endif
