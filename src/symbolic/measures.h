/* Measures and the functions written over them: their values where the bodies stand, and how they
 * change along a change of the natural coordinates. */
#ifndef RT_SYMBOLIC_MEASURES_H
#define RT_SYMBOLIC_MEASURES_H

#include "symbolic/forms.h"

/* A change of coordinates and of their rates, n each. */
typedef struct rt_natural_change {
    const rt_exact *x, *v;
} rt_natural_change;

/* The numbers of a model may then hold functions of measures, time and inputs at the given state,
 * which are outside of the class where they hold signals of controllers or forces of elements. The
 * graph grows by derivatives; it is the caller's. */
void rt_measures_begin(rt_natural_bodies *bodies);

/* out = the change of the function along the change. graph: the one of the bodies' numbers. */
routh_status rt_function_change(const rt_natural_bodies *bodies, rt_graph *graph, rt_expr e,
                                const rt_natural_change *change, rt_exact *out, routh_error *error);

/* out[3]: the function of time and its first two rates. NOT_SUPPORTED: it depends on measures. */
routh_status rt_function_of_time(const rt_natural_bodies *bodies, rt_graph *graph, rt_expr e,
                                 rt_exact *out, routh_error *error);

#endif
