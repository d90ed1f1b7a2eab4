/* Any bytes as the matrix A.mtx beside a model.csv that is in order. */
#include "fuzz/load.h"

#include <sys/stat.h>

static const char rest[] = "schema,,routh-linear/1\ndegrees_of_freedom.position,,1\n"
                           "degrees_of_freedom.velocity,,1\nstates,,x,v\n";

static void put(const char *path, const void *bytes, size_t size)
{
    FILE *f = fopen(path, "wb");
    assert(f && fwrite(bytes, 1, size, f) == size);
    fclose(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char folder[64], path[80];
    if (!folder[0]) {
        snprintf(folder, sizeof folder, "%s/routh-fuzz-XXXXXX", P_tmpdir);
        assert(mkdtemp(folder));
        snprintf(path, sizeof path, "%s/model.csv", folder);
        put(path, rest, sizeof rest - 1);
        snprintf(path, sizeof path, "%s/A.mtx", folder);
    }
    put(path, data, size);
    load_path(folder, "mtx");
    return 0;
}
