#include "base/renamed.h"

#include <stddef.h>
#include <string.h>

typedef struct renaming {
    const char *old, *now;
} renaming;

/* Those of CHANGELOG.md, "Renamed". */
static const renaming renamings[] = {
    {"confirm", "verify"},       /* command, option of the report */
    {"as-given", "no-shooting"}, /* option */
    {"blade-pieces", "blade-segments"}, /* template, */
    {"pieces", "segments"},             /* its setting */
    {"pieces", "subbands"},             /* of the goals of a study */
};

const char *rt_new_name(const char *old, const char *const *names)
{
    for (size_t k = 0; k < sizeof renamings / sizeof *renamings; k++) {
        if (strcmp(renamings[k].old, old) != 0) continue;
        for (const char *const *name = names; *name; name++)
            if (strcmp(renamings[k].now, *name) == 0) return *name;
    }
    return NULL;
}
