/* What holds of the answers about a mechanism, whatever class of element stands in it. */
#ifndef SUPPORT_CLASS_ANSWERS_H
#define SUPPORT_CLASS_ANSWERS_H

#include <stdbool.h>

#include "routh/routh.h"

/* Every coordinate set by every method gives the same linear model, its signals included. quick: of
 * methods other than the first, absolute coordinates alone. least: so many cells at least are
 * compared. spared: cells that have tests of their own, such as those that refuse the model by
 * design; NULL: none. */
void assert_cells_agree(const char *text, bool quick, int least,
                        bool (*spared)(const void *context, const routh_check_cell *x),
                        const void *context);

/* The derivatives by every stride-th parameter are those of differences, most of them beyond
 * doubt, and none is refused. */
void assert_derivatives_agree(const char *text, int stride);

#endif
