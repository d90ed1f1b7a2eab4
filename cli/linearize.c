#include "commands.h"
#include "run.h"
#include "say.h"

int run_linearize(const options *given)
{
    run r;
    int status = run_to_linear(&r, given, 0);
    if (status == EXIT_DONE)
        status = run_write(&r, given,
                           (run_forms){routh_linear_table, routh_linear_json, routh_linear_csv});
    run_free(&r);
    return status;
}
