/* From a model that was read to its modes, or to an error. */
#ifndef TESTS_FUZZ_LINEARIZE_H
#define TESTS_FUZZ_LINEARIZE_H

#include <assert.h>
#include <math.h>

#include "routh/routh.h"

static inline void check_modes(const routh_modes *modes)
{
    for (int k = 0; k < modes->n; k++)
        assert(isfinite(modes->modes[k].eigenvalue[0]) && isfinite(modes->modes[k].eigenvalue[1]));
}

static inline routh_status linearize(const routh_model *model, routh_error *error)
{
    routh_mechanism *mechanism = NULL;
    routh_operating_point *point = NULL;
    routh_linear *linear = NULL;
    routh_modes *modes = NULL;
    routh_operating_point_options options = routh_operating_point_defaults();
    options.max_iterations = 10;
    routh_status status = routh_mechanism_compile(&mechanism, model, NULL, error);
    if (!status) status = routh_operating_point_find(&point, mechanism, &options, error);
    if (!status) status = routh_linear_compute(&linear, mechanism, point, NULL, error);
    if (!status) status = routh_modes_compute(&modes, linear, error);
    if (!status) check_modes(modes);
    routh_modes_free(modes);
    routh_linear_free(linear);
    routh_operating_point_free(point);
    routh_mechanism_free(mechanism);
    return status;
}

#endif
