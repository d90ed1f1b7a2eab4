#include "commands.h"
#include "run.h"
#include "say.h"

int run_equilibrium(const options *given)
{
    run r;
    int status = run_to_point(&r, given);
    if (status == EXIT_DONE)
        status = run_write(
            &r, given,
            (run_forms){routh_operating_table, routh_operating_json, routh_operating_csv});
    run_free(&r);
    return status;
}
