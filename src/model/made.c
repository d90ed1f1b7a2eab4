/* See made.h. */
#include "model/made.h"

#include "model/rod_shape.h"

static int make_places(const rt_beam_writing *writing, const rt_scalar *in, rt_scalar *out)
{
    rt_beam beam = {.choices = writing->choices};
    rt_beam_take(&beam, in);
    rt_beam_places(&beam, out);
    return 0;
}

static int make_linear(const rt_linear_plan *plan, const rt_scalar *in, rt_scalar *out)
{
    for (int i = 0; i < plan->n_out; i++) out[i] = 0;
    for (int k = 0; k < plan->n_in; k++)
        for (int i = 0; i < plan->n_out; i++)
            out[i] += plan->by[i + plan->n_out * k] * (in[k] - plan->at[k]);
    return 0;
}

int rt_make(const rt_making *making, const rt_scalar *in, rt_scalar *out, rt_scalar *work)
{
    switch (making->kind) {
    case RT_MAKE_ROD: return rt_rod_make(making->plan, in, out, work);
    case RT_MAKE_ROD_LOAD: return rt_rod_make_load(in, out);
    case RT_MAKE_SPECTRAL_LOAD:
        return rt_spectral_make_load(((const rt_rod_plan *)making->plan)->order, in, out);
    case RT_MAKE_PLACES: return make_places(making->plan, in, out);
    case RT_MAKE_LINEAR: return make_linear(making->plan, in, out);
    }
    return 0;
}

size_t rt_make_work(const rt_making *making)
{
    return making->kind == RT_MAKE_ROD ? rt_rod_make_work(making->plan) : 0;
}

rt_make_sizes rt_make_most(const rt_making *makings, int n)
{
    rt_make_sizes most = {0, 0, 0};
    for (int k = 0; k < n; k++) {
        const size_t in = (size_t)makings[k].n_in, out = (size_t)makings[k].n_out,
                     work = rt_make_work(&makings[k]);
        if (in > most.in) most.in = in;
        if (out > most.out) most.out = out;
        if (work > most.work) most.work = work;
    }
    return most;
}
