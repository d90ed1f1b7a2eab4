#include <string.h>

#include "commands.h"
#include "names.h"
#include "run.h"
#include "say.h"

/* The operating point, and its derivatives where they are asked for. */
static int step(run *r, const options *given)
{
    const char *by = given->sensitivity_by;
    routh_error error = {0};
    name_list names = {0};
    int status = by && strcmp(by, "all") != 0 ? names_take(&names, by) : EXIT_DONE;
    if (status == EXIT_DONE) status = run_to_point(r, given);
    const routh_sensitivity_options o = {.parameters = names.names};
    if (status == EXIT_DONE && by &&
        routh_point_sensitivity_compute(&r->point_sensitivities, r->mechanism, r->point, &o,
                                        &error))
        status = fault(&error);
    names_free(&names);
    return status;
}

int run_equilibrium(const options *given)
{
    return run_each(given, step,
                    (run_forms){routh_operating_point_table, routh_operating_point_json,
                                routh_operating_point_csv});
}
