/* Any bytes as a model file: the reader refuses them with a message or gives a model, and what it
 * accepts is compiled, brought to its operating point and linearized, or refused with a message. */
#include <assert.h>
#include <stdint.h>

#include "linearize.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 20000 };

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
