#include "commands.h"
#include "run.h"
#include "say.h"
#include "saved.h"

static routh_verification_options verify_options(const options *given)
{
    routh_verification_options o = routh_verification_defaults();
    o.duration = given->duration;
    o.amplitude = given->amplitude;
    o.below = given->below;
    o.integrator = given->integrator;
    if (given->seed) o.seed = (unsigned)given->seed;
    return o;
}

int run_to_verification(run *r, const options *given, int parts)
{
    routh_error error = {0};
    if (saved_is_given(given)) return saved_refuse(given);
    const int status = run_to_modes(r, given, parts | WITH_MARKERS);
    if (status) return status;
    const routh_verification_options o = verify_options(given);
    if (routh_verification_run(&r->verification, r->mechanism, r->point, r->linear, r->modes, &o,
                               &error))
        return fault(&error);
    return EXIT_DONE;
}

int run_verify(const options *given)
{
    run r = {0};
    int status = run_to_verification(&r, given, 0);
    if (status == EXIT_DONE) status = run_save_state(&r, given);
    if (status == EXIT_DONE)
        status = run_write(&r, given,
                           (run_forms){.table = routh_verification_table,
                                       .json = routh_verification_json,
                                       .csv = routh_verification_csv});
    if (status == EXIT_DONE && r.verification->n_contradicted) {
        complain("%d of %d eigenvalues differ from the simulated motion by more than their error "
                 "bounds; see the remark column",
                 r.verification->n_contradicted, r.verification->n_modes);
        status = EXIT_FAULT;
    }
    run_free(&r);
    return status;
}
