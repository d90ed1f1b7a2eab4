/* Compiled with numbers that carry a derivative, and never without (made.h). */
#ifndef RT_VARIATION
#error "compiled for variations only"
#endif

#include "model/made.h"

size_t rt_make_slopes_work(const rt_making *making)
{
    return ((size_t)(making->n_in + making->n_out) + rt_make_work(making)) * sizeof(rt_scalar);
}

void rt_make_slopes(const rt_making *making, const double *in, double *out, void *work)
{
    rt_scalar *x = work, *y = x + making->n_in;
    for (int k = 0; k < making->n_in; k++) x[k] = rt_complex(making->in[k].value, in[k]);
    rt_make(making, x, y, y + making->n_out);
    for (int k = 0; k < making->n_out; k++) out[k] = rt_im(y[k]);
}
