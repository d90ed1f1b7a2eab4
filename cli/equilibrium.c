#include "commands.h"
#include "run.h"
#include "say.h"

int run_equilibrium(const options *given)
{
    return run_each(given, run_to_point,
                    (run_forms){routh_operating_point_table, routh_operating_point_json,
                                routh_operating_point_csv});
}
