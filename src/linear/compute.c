/* The public linearization: of the mechanism as it stands, or of a rotor in multi-blade
 * coordinates. */
#include <stdlib.h>

#include "linear/rotor.h"

static routh_status linear_make(rt_linear_holder **holder, const routh_mechanism *m,
                                const routh_operating_point *point, const routh_linear_options *o,
                                rt_progress *progress, routh_error *error)
{
    rt_linear_holder *h = *holder = rt_kept_calloc(m->analyses, 1, sizeof *h);
    if (!h) return rt_fail_memory(error);
    h->arena.kept = m->analyses;
    rt_linear_task t = {0};
    const routh_status status = rt_linear_linearize(h, &t, m, point, o, progress, error);
    rt_linear_task_release(&t);
    h->arena.kept = NULL; /* it may outlive them */
    return status;
}

routh_status routh_linear_compute(routh_linear **linear, const routh_mechanism *m,
                                  const routh_operating_point *point,
                                  const routh_linear_options *options, routh_error *error)
{
    *linear = NULL;
    if (point->massless) m = m->auxiliary;
    const routh_linear_options o = options ? *options : routh_linear_defaults();
    rt_linear_holder *h = NULL;
    rt_progress progress = {.on_progress = o.on_progress, .data = o.data};
    routh_status status = o.blades ? rt_rotor_linearize(&h, m, point, &o, &progress, error)
                                   : linear_make(&h, m, point, &o, &progress, error);
    status = rt_progress_end(&progress, status, error);
    if (status) {
        if (h) routh_linear_free(&h->linear);
        return status;
    }
    *linear = &h->linear;
    return ROUTH_OK;
}
