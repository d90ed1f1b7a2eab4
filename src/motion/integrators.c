/* The list of integrators: the first is the usual one. */
#include <stdio.h>

#include "base/suggest.h"
#include "motion/motion.h"

static const rt_integrator *const integrators[] = {
    &rt_hht, &rt_generalized_alpha, &rt_explicit_runge_kutta, &rt_adams, &rt_bdf,
};

enum { COUNT = sizeof integrators / sizeof *integrators };

const char *routh_integrator_name(int k)
{
    return k >= 0 && k < COUNT ? integrators[k]->name : NULL;
}

const char *routh_integrator_about(int k)
{
    return k >= 0 && k < COUNT ? integrators[k]->about : NULL;
}

int routh_integrator_available(int k) { return k >= 0 && k < COUNT && integrators[k]->available; }

/* "hht, generalized-alpha, ..", those that this build has. */
static void list_names(char *text, size_t room)
{
    size_t used = 0;
    *text = 0;
    for (int k = 0; k < COUNT && used < room; k++)
        if (integrators[k]->available)
            used += (size_t)snprintf(text + used, room - used, "%s%s", used ? ", " : "",
                                     integrators[k]->name);
}

routh_status rt_integrator_find(const char *name, const rt_integrator **integrator,
                                routh_error *error)
{
    char names[200];
    *integrator = integrators[0];
    if (!name) return ROUTH_OK;
    for (int k = 0; k < COUNT; k++) {
        if (strcmp(integrators[k]->name, name) != 0) continue;
        *integrator = integrators[k];
        if (integrators[k]->available) return ROUTH_OK;
        list_names(names, sizeof names);
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "the integrator %s needs SUNDIALS, which this build lacks; use %s", name,
                       names);
    }
    list_names(names, sizeof names);
    return rt_fail(error, ROUTH_NOT_SUPPORTED,
                   "the integrator \"%s\" does not exist; use one of: "
                   "%s",
                   name, names);
}
