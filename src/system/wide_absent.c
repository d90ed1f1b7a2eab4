/* Whether there are numbers of 113 bits (wide.h), and what stands in their place without them. */
#include "system/wide.h"

bool rt_wide_exists(void)
{
#ifdef RT_HAS_WIDE
    return true;
#else
    return false;
#endif
}

#ifndef RT_HAS_WIDE

routh_status rt_wide_create(rt_wide **wide, const routh_model *model, routh_error *error)
{
    (void)model;
    *wide = NULL;
    return rt_fail(error, ROUTH_NOT_SUPPORTED,
                   "this build has no numbers of 113 bits for extended precision; build it with a "
                   "compiler and a C library that have __float128");
}

void rt_wide_free(rt_wide *wide) { (void)wide; }

routh_status rt_wide_place(rt_wide *wide, const rt_varied_state *at, const bool *held,
                           routh_error *error)
{
    (void)wide, (void)at, (void)held;
    return rt_fail(error, ROUTH_NOT_SUPPORTED, "no numbers of 113 bits");
}

void rt_wide_keep(rt_wide *wide) { (void)wide; }

void rt_wide_return(rt_wide *wide) { (void)wide; }

void rt_wide_advance(rt_wide *wide, const rt_dd *xi) { (void)wide, (void)xi; }

void rt_wide_add(rt_wide *wide, rt_wide_part part, const rt_dd *change)
{
    (void)wide, (void)part, (void)change;
}

void rt_wide_shake(rt_wide *wide, unsigned long long *seed) { (void)wide, (void)seed; }

void rt_wide_shake_all(rt_wide *wide, unsigned long long *seed) { (void)wide, (void)seed; }

routh_status rt_wide_evaluate(rt_wide *wide, int what, routh_error *error)
{
    (void)wide, (void)what;
    return rt_fail(error, ROUTH_NOT_SUPPORTED, "no numbers of 113 bits");
}

int rt_wide_read(const rt_wide *wide, rt_varied_array which, rt_dd *out)
{
    (void)wide, (void)which, (void)out;
    return 0;
}

routh_status rt_wide_sensor(rt_wide *wide, int kind, int k, rt_dd *value, rt_dd *partials,
                            routh_error *error)
{
    (void)wide, (void)kind, (void)k, (void)value, (void)partials;
    return rt_fail(error, ROUTH_NOT_SUPPORTED, "no numbers of 113 bits");
}

void rt_wide_unsteadiness(const rt_wide *wide, const double w[3], rt_dd *udot)
{
    (void)wide, (void)w, (void)udot;
}

void rt_wide_turn(rt_wide *wide, const double w[3]) { (void)wide, (void)w; }

void rt_wide_component(rt_wide *wide, int body, int component, int observer, const int *columns,
                       int n, rt_dd *row)
{
    (void)wide, (void)body, (void)component, (void)observer, (void)columns, (void)n, (void)row;
}

void rt_wide_user_state(rt_wide *wide, int j, const int *columns, int n, rt_dd *row)
{
    (void)wide, (void)j, (void)columns, (void)n, (void)row;
}

#endif
