/* Forces on the natural coordinates, and how they change. */
#ifndef RT_SYMBOLIC_LOADS_H
#define RT_SYMBOLIC_LOADS_H

#include "symbolic/measures.h"

typedef struct rt_natural_loads rt_natural_loads;

/* NOT_SUPPORTED names the load that leaves the class. Free with rt_natural_loads_free. */
routh_status rt_natural_loads_create(rt_natural_loads **loads, const rt_natural_bodies *bodies,
                                     rt_graph *graph, routh_error *error);
void rt_natural_loads_free(rt_natural_loads *loads); /* NULL is allowed */

/* Q[n] = all forces, gravity's too; or, with a change, their change along it. */
routh_status rt_natural_forces(rt_natural_loads *loads, const rt_natural_change *change,
                               rt_exact *Q, routh_error *error);

#endif
