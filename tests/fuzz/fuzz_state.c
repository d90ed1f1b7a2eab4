/* Any bytes as a file of a state: reading refuses them with one message that names the file, or
 * gives a state that is written, read and written again as the same text. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "routh/routh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    routh_error error = {0};
    routh_initial_state *state, *again;
    const routh_status status =
        routh_initial_state_parse(&state, (const char *)data, size, "state", &error);
    assert((status == ROUTH_OK) == (state != NULL));
    assert(status == ROUTH_OK || (error.status == status && error.message[0]));
    if (state) {
        routh_text first, second;
        assert(routh_initial_state_json(state, &first, &error) == ROUTH_OK);
        assert(routh_initial_state_parse(&again, first.bytes, first.length, "again", &error) ==
               ROUTH_OK);
        assert(routh_initial_state_json(again, &second, &error) == ROUTH_OK);
        assert(strcmp(first.bytes, second.bytes) == 0);
        routh_text_free(&first);
        routh_text_free(&second);
        routh_initial_state_free(again);
    }
    routh_initial_state_free(state);
    return 0;
}
