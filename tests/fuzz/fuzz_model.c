/* Any bytes as a model file: the reader refuses them with a message or gives a model, and what it
 * accepts is compiled, brought to its operating point and linearized, or refused with a message. */
#include "routh/routh.h"

#include <assert.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 20000 };

static routh_status linearize(const routh_model *model, routh_error *error)
{
    routh_mechanism *mechanism = NULL;
    routh_operating_point *point = NULL;
    routh_linear *linear = NULL;
    routh_modes *modes = NULL;
    routh_operating_options options = routh_operating_defaults();
    options.max_iterations = 10;
    routh_status status = routh_mechanism_compile(&mechanism, model, NULL, error);
    if (!status) status = routh_operating_point_find(&point, mechanism, &options, error);
    if (!status) status = routh_linearize(&linear, mechanism, point, NULL, error);
    if (!status) status = routh_modes_compute(&modes, linear, error);
    routh_modes_free(modes);
    routh_linear_free(linear);
    routh_operating_point_free(point);
    routh_mechanism_free(mechanism);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > MOST_BYTES) return 0;
    routh_error error = {0};
    routh_model *model = NULL;
    routh_status status =
        routh_model_parse(&model, (const char *)data, size, "fuzz.yaml", NULL, 0, &error);
    assert((status == ROUTH_OK) == (model != NULL));
    if (model) status = linearize(model, &error);
    assert(status == ROUTH_OK || error.message[0]);
    assert(status == error.status || status == ROUTH_OK);
    routh_model_free(model);
    return 0;
}
