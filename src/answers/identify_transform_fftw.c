/* The transform by FFTW 3, whose licence is the GPL: only in builds that ask for it. */
#include "answers/identify_transform.h"

#ifdef ROUTH_FFTW

#include <fftw3.h>
#include <stdlib.h>
#include <string.h>

typedef struct plan {
    int n;
    double *in;
    fftw_complex *out;
    fftw_plan fftw;
} plan;

static void release(void *at)
{
    plan *p = at;
    if (!p) return;
    if (p->fftw) fftw_destroy_plan(p->fftw);
    fftw_free(p->in);
    fftw_free(p->out);
    free(p);
}

static routh_status create(void **at, int n, routh_error *error)
{
    *at = NULL;
    plan *p = calloc(1, sizeof *p);
    if (!p) return rt_fail_memory(error);
    p->n = n;
    p->in = fftw_malloc((size_t)n * sizeof *p->in);
    p->out = fftw_malloc((size_t)(n / 2 + 1) * sizeof *p->out);
    if (p->in && p->out) p->fftw = fftw_plan_dft_r2c_1d(n, p->in, p->out, FFTW_ESTIMATE);
    if (!p->fftw) {
        release(p);
        return rt_fail_memory(error);
    }
    *at = p;
    return ROUTH_OK;
}

static void run(void *at, const double *x, double *re, double *im)
{
    plan *p = at;
    memcpy(p->in, x, (size_t)p->n * sizeof *x);
    fftw_execute(p->fftw);
    for (int k = 0; k <= p->n / 2; k++) re[k] = p->out[k][0], im[k] = p->out[k][1];
}

const rt_transform rt_transform_fftw = {"fftw", create, run, release};

#else
typedef int rt_no_fftw;
#endif
