/* Which rows of constraints contradict each other; private to the module. */
#ifndef RT_OPERATING_CONTRADICTION_H
#define RT_OPERATING_CONTRADICTION_H

#include "operating/operating.h"

/* part[n_rows]: the row is among the fewest that, with `row`, which search->rank left out, are
 * dependent. G has been evaluated; search->w->M, x and y are used up. */
routh_status rt_dependent_rows(rt_search *search, int row, bool *part, routh_error *error);

/* "joint a ("label"), joint b ("label")", perhaps with a number of more; one row of each joint, and
 * none of the blamed one's. "" where there is none. */
void rt_list_rows(const rt_search *search, int blamed, const bool *part, char *text, size_t room);

#endif
