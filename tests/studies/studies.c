#define _POSIX_C_SOURCE 200809L
#include "studies.h"
#include "support/temporary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

const char two_masses[] =
    "parameters: {m1: 2, m2: 1, k1: 300, k2: 100, c: 0.5}\n"
    "gravity: [0, 0, 0]\n"
    "bodies:\n"
    "  a: {mass: m1, inertia: [1, 1, 1]}\n"
    "  b: {mass: m2, inertia: [1, 1, 1], position: [1, 0, 0]}\n"
    "joints:\n"
    "  s1: {type: translational, between: [a, ground], at: [0, 0, 0], axis: x}\n"
    "  s2: {type: translational, between: [b, ground], at: [1, 0, 0], axis: x}\n"
    "loads:\n"
    "  f1: {type: force, on: a, components: [-k1*DX(a) - k2*(DX(a) - DX(b) + 1)"
    " - c*(VX(a) - VX(b)), 0, 0]}\n"
    "  f2: {type: force, on: b, components: [-k2*(DX(b) - DX(a) - 1) - c*(VX(b) - VX(a)), 0, 0]}\n"
    "operating_point: {type: static}\n";

const char absorber[] =
    "parameters: {mass: 1, mu: 0.1, k: 1, tuning: 0.8, zeta: 0.1}\n"
    "gravity: [0, 0, 0]\n"
    "inputs: {push: {value: 0, unit: N}}\n"
    "bodies:\n"
    "  a: {mass: mass, inertia: [1, 1, 1]}\n"
    "  b: {mass: mu*mass, inertia: [1, 1, 1], position: [1, 0, 0]}\n"
    "joints:\n"
    "  s1: {type: translational, between: [a, ground], at: [0, 0, 0], axis: x}\n"
    "  s2: {type: translational, between: [b, ground], at: [1, 0, 0], axis: x}\n"
    "loads:\n"
    "  f1: {type: force, on: a, components: [push - k*DX(a) - mu*tuning^2*k*(DX(a) - DX(b) + 1)"
    " - 2*zeta*mu*tuning*sqrt(k*mass)*(VX(a) - VX(b)), 0, 0]}\n"
    "  f2: {type: force, on: b, components: [-mu*tuning^2*k*(DX(b) - DX(a) - 1)"
    " - 2*zeta*mu*tuning*sqrt(k*mass)*(VX(b) - VX(a)), 0, 0]}\n"
    "outputs: {x: {expression: DX(a), unit: m}}\n"
    "operating_point: {type: static}\n";

const char apart[] = "parameters: {m: 1, ka: 40, kb: 160, out: 1}\n"
                     "gravity: [0, 0, 0]\n"
                     "bodies:\n"
                     "  a: {mass: m, inertia: [1, 1, 1]}\n"
                     "  b: {mass: 1, inertia: [1, 1, 1]}\n"
                     "joints:\n"
                     "  s1: {type: translational, between: [a, ground], at: [0, 0, 0], axis: x}\n"
                     "  s2: {type: translational, between: [b, ground], at: [0, 0, 0], axis: x}\n"
                     "loads:\n"
                     "  f1: {type: force, on: a, components: [-ka*DX(a), 0, 0]}\n"
                     "  f2: {type: force, on: b, components: [-kb*DX(b), 0, 0]}\n"
                     "operating_point: {type: static}\n";

routh_optimum *optimise(const char *model, const char *study, const routh_optimum_options *o)
{
    char *model_path = write_temporary(model), *study_path = write_temporary(study), text[1600];
    routh_optimum *optimum = NULL;
    routh_error error = {0};
    const routh_status status = routh_optimum_find(&optimum, model_path, study_path, o, &error);
    unlink(model_path);
    unlink(study_path);
    free(model_path);
    free(study_path);
    routh_error_text(&error, text, sizeof text);
    if (status && !(status == ROUTH_STOPPED && optimum)) fail_msg("%s", text);
    if (optimum)
        assert_int_equal(status == ROUTH_STOPPED, optimum->end == ROUTH_OPTIMISE_INTERRUPTED);
    return optimum;
}

int nlopt_is_there(void)
{
    char *model = write_temporary(apart),
         *study = write_temporary("variables: {ka: {between: [30, 50]}}\n"
                                  "goals: {f: {frequency: 1, at_most: 100}}\nevaluations: 1\n");
    routh_optimum *optimum = NULL;
    routh_error error = {0};
    const routh_status status = routh_optimum_find(&optimum, model, study, NULL, &error);
    unlink(model);
    unlink(study);
    free(model);
    free(study);
    routh_optimum_free(optimum);
    if (status == ROUTH_NOT_SUPPORTED) assert_non_null(strstr(error.message, "libnlopt-dev"));
    return status != ROUTH_NOT_SUPPORTED;
}
