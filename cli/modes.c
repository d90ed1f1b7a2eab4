#include "commands.h"
#include "run.h"
#include "say.h"

int run_modes(const options *given)
{
    run r;
    int status = run_to_modes(&r, given, WITH_MARKERS | (given->csv ? 0 : WITH_SHARES));
    if (status == EXIT_DONE)
        status =
            run_write(&r, given, (run_forms){routh_modes_table, routh_modes_json, routh_modes_csv});
    run_free(&r);
    return status;
}
