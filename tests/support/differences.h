/* Derivatives of eigenvalues by differences of the whole chain (a parameter set, the model read,
 * the operating point found, linearized, eigenvalues), to hold exact ones against. */
#ifndef SUPPORT_DIFFERENCES_H
#define SUPPORT_DIFFERENCES_H

#include "routh/routh.h"

/* A model: of a file, or of a text. At a kink differences are of both sides: a parameter that has
 * one is left out. */
typedef struct difference_model {
    const char *path, *text;
    const char *kink; /* the parameter; NULL: none */
} difference_model;

typedef struct chain {
    routh_model *model;
    routh_mechanism *mechanism;
    routh_operating_point *point;
    routh_linear *linear;
    routh_modes *modes;
} chain;

/* With a parameter set (NULL: as written). chain_free afterwards, after a failure too. */
routh_status chain_run(chain *c, const difference_model *model, const char *parameter, double value,
                       routh_error *error);
void chain_free(chain *c);

typedef struct difference_tally {
    int n_compared; /* derivatives of eigenvalues or of the sums of clusters */
    int n_doubtful; /* where differences say less than 1e-7 of the derivative themselves */
    int n_refused;  /* parameters that are refused */
    double worst;   /* of those compared and not in doubt: error over the derivative */
} difference_tally;

/* Compares all derivatives of every `stride`-th parameter from the first-th on. The text tells
 * where one is off by more than 1e-7 of it and more than the differences leave open themselves;
 * empty: none. */
void compare_with_differences(const difference_model *model, int first, int stride,
                              difference_tally *tally, char *text, size_t room);

#endif
