/* The version, and what the program is made of. */
#include "cluster.h"
#include "commands.h"
#include "say.h"
#include "write.h"

void print_version(void) { printf("routh %s\n", routh_version()); }

int run_version(const options *given)
{
    const routh_component solver = cluster_component();
    routh_text text;
    routh_error error = {0};
    if (given->json ? routh_build_json(&solver, 1, &text, &error)
                    : routh_build_table(&solver, 1, &text, &error))
        return fault(&error);
    return write_result(&text, given);
}
