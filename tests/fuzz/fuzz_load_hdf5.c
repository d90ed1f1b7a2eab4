/* Any bytes as a linear model in the format hdf5. */
#include "fuzz/load.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return load_bytes(data, size, "hdf5");
}
