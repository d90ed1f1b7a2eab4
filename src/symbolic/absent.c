/* Without FLINT: the whole room, which says so. Compiled in place of all others. */
#include "base/error.h"
#include "routh/symbolic.h"

routh_symbolic_options routh_symbolic_defaults(void) { return (routh_symbolic_options){0}; }

routh_status routh_symbolic_compute(routh_symbolic **symbolic, const routh_model *model,
                                    const routh_symbolic_options *options, routh_error *error)
{
    (void)model, (void)options;
    *symbolic = NULL;
    return rt_fail(error, ROUTH_NOT_SUPPORTED,
                   "symbolic linearization needs FLINT, which this build lacks; build with "
                   "-DROUTH_FLINT=ON (Debian: libcalcium-dev)");
}

void routh_symbolic_free(routh_symbolic *symbolic) { (void)symbolic; }

int routh_symbolic_size(const routh_symbolic *symbolic)
{
    (void)symbolic;
    return 0;
}

const char *routh_symbolic_coordinate(const routh_symbolic *symbolic, int k)
{
    (void)symbolic, (void)k;
    return "";
}

routh_status routh_symbolic_evaluate(const routh_symbolic *symbolic, const char *const *names,
                                     const double *values, int n, double *M, double *C, double *K,
                                     routh_error *error)
{
    (void)symbolic, (void)names, (void)values, (void)n, (void)M, (void)C, (void)K;
    return rt_fail(error, ROUTH_NOT_SUPPORTED, "this build has no FLINT");
}

routh_status routh_symbolic_write(const routh_symbolic *symbolic, routh_notation notation,
                                  routh_text *text, routh_error *error)
{
    (void)symbolic, (void)notation;
    *text = (routh_text){0};
    return rt_fail(error, ROUTH_NOT_SUPPORTED, "this build has no FLINT");
}

routh_status routh_symbolic_write_state_space(const routh_symbolic *symbolic,
                                              routh_notation notation, routh_text *text,
                                              routh_error *error)
{
    return routh_symbolic_write(symbolic, notation, text, error);
}

routh_status routh_certificate_compute(routh_certificate **certificate, const routh_model *model,
                                       const char *const *unknowns, int digits, routh_error *error)
{
    (void)model, (void)unknowns, (void)digits;
    *certificate = NULL;
    return rt_fail(error, ROUTH_NOT_SUPPORTED,
                   "certified eigenvalues need FLINT, which this build lacks; build with "
                   "-DROUTH_FLINT=ON (Debian: libcalcium-dev)");
}

void routh_certificate_free(routh_certificate *certificate) { (void)certificate; }

const char *routh_proof_name(routh_proof proof)
{
    (void)proof;
    return "";
}

routh_status routh_stability_chart_find(routh_stability_chart **chart,
                                        const routh_symbolic *symbolic,
                                        const routh_chart_axis axes[2], int n, routh_error *error)
{
    (void)symbolic, (void)axes, (void)n;
    *chart = NULL;
    return rt_fail(error, ROUTH_NOT_SUPPORTED, "this build has no FLINT");
}

void routh_stability_chart_free(routh_stability_chart *chart) { (void)chart; }
