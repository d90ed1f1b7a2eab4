/* Any bytes as a model file, and its first line as an override: the reader refuses them with one
 * short message, or gives a model whose numbers are all finite. Seeds: examples/ and
 * tests/model/broken/. */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "model/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_numbers(const rt_number *numbers, int n)
{
    for (int k = 0; k < n; k++) assert(isfinite(numbers[k].value));
}

static void check_model(const routh_model *model)
{
    assert(model->n_bodies > 0 && model->n_markers >= model->n_bodies);
    for (int k = 0; k < model->n_bodies; k++) {
        check_numbers(&model->bodies[k].mass, 1);
        check_numbers(model->bodies[k].inertia, 9);
    }
    for (int k = 0; k < model->n_markers; k++) {
        assert(model->markers[k].name && model->markers[k].body < model->n_bodies);
        check_numbers(model->markers[k].position, 3);
        check_numbers(model->markers[k].orientation, 9);
    }
    for (int k = 0; k < model->n_joints; k++)
        for (int i = 0; i < 2; i++) assert(model->joints[k].markers[i] < model->n_markers);
    for (int k = 0; k < model->n_loads; k++) check_numbers(model->loads[k].stiffness6, 36);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    routh_model *model = NULL;
    routh_error error = {0};
    char value[40] = "";
    for (size_t k = 0; k + 1 < sizeof value && k < size && data[k] != '\n' && data[k]; k++)
        value[k] = (char)data[k];
    const routh_setting setting = {"k", value};
    for (size_t settings = 0; settings < 2; settings++) {
        const routh_status status =
            routh_model_parse(&model, (const char *)data, size, "fuzz", &setting, settings, &error);
        assert((status == ROUTH_OK) == (model != NULL));
        if (model) check_model(model);
        else assert(error.status == status && error.message[0] && strlen(error.message) < 1000);
        routh_model_free(model);
        model = NULL;
    }
    return 0;
}
