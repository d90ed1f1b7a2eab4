#include "motion/sundials_common.h"

#include <stdio.h>

#ifdef ROUTH_HAS_SUNDIALS

#include <nvector/nvector_serial.h>

static realtype sundials_common_largest(N_Vector x, N_Vector weight)
{
    const realtype *a = NV_DATA_S(x), *w = NV_DATA_S(weight);
    realtype worst = 0;
    for (sunindextype k = 0; k < NV_LENGTH_S(x); k++) {
        const realtype e = fabs(a[k]) * w[k];
        if (!(e <= worst)) worst = e; /* a NaN stays */
    }
    return worst;
}

static realtype largest_of_some(N_Vector x, N_Vector weight, N_Vector id)
{
    const realtype *a = NV_DATA_S(x), *w = NV_DATA_S(weight), *counts = NV_DATA_S(id);
    realtype worst = 0;
    for (sunindextype k = 0; k < NV_LENGTH_S(x); k++) {
        const realtype e = counts[k] > 0 ? fabs(a[k]) * w[k] : 0;
        if (!(e <= worst)) worst = e;
    }
    return worst;
}

N_Vector rt_sundials_vector(int n, SUNContext context)
{
    N_Vector v = N_VNew_Serial(n, context);
    if (!v) return NULL;
    v->ops->nvwrmsnorm = sundials_common_largest;
    v->ops->nvwrmsnormmask = largest_of_some;
    return v;
}

void rt_sundials_handler(int code, const char *module, const char *function, char *message,
                         void *words)
{
    (void)module, (void)function;
    rt_words *w = words;
    if (code < 0) snprintf(w->text, sizeof w->text, "%s", message);
}

#endif

routh_status rt_sundials_missing(rt_run *run, routh_error *error)
{
    return rt_fail(error, ROUTH_NOT_SUPPORTED,
                   "the integrator %s needs SUNDIALS, which this build lacks; use hht or "
                   "generalized-alpha, or build with -DROUTH_SUNDIALS=ON (Debian: libsundials-dev)",
                   run->integrator->name);
}

routh_status rt_sundials_stuck(const rt_run *run, const char *words, routh_error *error)
{
    int most = 0;
    double worst = 0;
    for (int c = 0; c < run->m->n_u; c++) {
        const double a = fabs(run->now->udot[c]) / run->search.unit[c];
        if (a > worst) worst = a, most = c;
    }
    int body = 0;
    bool angle;
    double per_radian;
    if (run->m->n_u > 0) rt_column(run->m, most, &body, &angle, &per_radian);
    const rt_body *b = &run->m->model->bodies[body];
    char element[192];
    snprintf(element, sizeof element, "body %s", b->name);
    return rt_fail_at(error, ROUTH_NUMERIC_ERROR, run->m->model->file, b->place, element,
                      "the integration fails even with very short steps; this body has the largest "
                      "acceleration: check for stiffness without damping, a jump in a function, or "
                      "joints that lock (SUNDIALS: %s)",
                      words[0] ? words : "no more is known");
}
