#include "run.h"
#include "say.h"

int run_to_animation(run *r, const options *given, int parts)
{
    routh_error error = {0};
    int status = r->modes ? EXIT_DONE : run_to_modes(r, given, parts);
    if (!status && routh_animation_compute(&r->animation, r->mechanism, r->point, r->linear,
                                           r->modes, NULL, &error))
        status = fault(&error);
    return status;
}
