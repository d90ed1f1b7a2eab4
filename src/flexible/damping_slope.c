/* D = 2 zeta diag(omega), K = diag(omega^2) (moments.c): dD = 2 dzeta diag(omega), and nothing else
 * changes. */
#include "flexible/damping_slope.h"

#include <math.h>

struct rt_damping_slope {
    rt_flexible slope;
    const rt_flexible *shape;
    double *D;
};

static routh_status damping_slope_make_nodes(rt_damping_slope *s, const double *zeros,
                                             rt_arena *arena, routh_error *error)
{
    rt_flexible_node *nodes = RT_TAKE(arena, rt_flexible_node, s->shape->n_nodes);
    if (!nodes) return rt_fail_memory(error);
    for (int k = 0; k < s->shape->n_nodes; k++) nodes[k].S = nodes[k].R = zeros;
    s->slope.nodes = nodes;
    return ROUTH_OK;
}

routh_status rt_damping_slope_create(rt_damping_slope **made, const rt_flexible *shape,
                                     rt_arena *arena, routh_error *error)
{
    const size_t n = (size_t)shape->n, entries = (size_t)shape->pattern.start[shape->n];
    rt_damping_slope *s = *made = RT_TAKE(arena, rt_damping_slope, 1);
    if (!s) return rt_fail_memory(error);
    const double *zeros = RT_TAKE(arena, double, 9 * (entries > n ? entries : n));
    rt_elastic *coordinate = RT_TAKE(arena, rt_elastic, n);
    s->D = RT_TAKE(arena, double, entries);
    if (!zeros || !coordinate || !s->D) return rt_fail_memory(error);
    s->shape = shape;
    s->slope.n = shape->n, s->slope.pattern = shape->pattern, s->slope.coordinate = coordinate;
    s->slope.a = s->slope.B = s->slope.h = s->slope.N = s->slope.M = s->slope.K = zeros;
    if (shape->J2) s->slope.J1 = s->slope.J2 = s->slope.H_even = s->slope.H_odd = zeros;
    s->slope.D = s->D;
    s->slope.n_nodes = shape->n_nodes;
    return damping_slope_make_nodes(s, zeros, arena, error);
}

const rt_flexible *rt_damping_slope_fill(rt_damping_slope *s, double ratio)
{
    const rt_pattern *p = &s->shape->pattern;
    for (int l = 0; l < s->shape->n; l++)
        for (int e = p->start[l]; e < p->start[l + 1]; e++)
            if (p->row[e] == l) s->D[e] = 2 * ratio * sqrt(fmax(s->shape->K[e], 0));
    return &s->slope;
}
