/* Sensitivities in absolute coordinates from those in coordinates that bodies share:
 *     dv = xi_r',   dw_b = A' xi_theta',   xi' = J du + J1 xi                 (body_fixed.h) */
#include "methods/method.h"

/* out: 6 rows of column k from y = J a (+ J1 b), rotations turned into the body's axes */
static void base_sensitivity_put(const rt_frame *f, const rt_motion *map, const double *a,
                                 const double *b, double *out)
{
    double y[6] = {0};
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < map->n; c++) {
            y[i] += map->J[i * map->n + c] * a[map->columns[c]];
            if (b) y[i] += map->J1[i * map->n + c] * b[map->columns[c]];
        }
    rt_v3_copy(out, y);
    rt_m3_tmul_v(out + 3, f->A, y + 3);
}

/* Elastic coordinates are the same in all sets. */
static void base_sensitivity_copy_columns(const routh_mechanism *m, int n_columns, int n_from,
                                          const double *from, double *to)
{
    for (int k = 0; k < n_columns; k++)
        memcpy(to + (size_t)k * m->base->n_u + m->base->first_elastic,
               from + (size_t)k * n_from + m->first_elastic, (size_t)m->n_elastic * sizeof *to);
}

static void copy_elastic(const routh_mechanism *m, const rt_sensitivity *x, rt_sensitivity *out)
{
    if (m->n_elastic == 0) return;
    base_sensitivity_copy_columns(m, x->z, x->n, x->X, out->X);
    base_sensitivity_copy_columns(m, x->z, x->n, x->U, out->U);
    if (out->Xw != out->X) base_sensitivity_copy_columns(m, x->z1, x->n, x->Xw, out->Xw);
}

routh_status rt_base_sensitivity(const rt_search *s, const rt_sensitivity *x, rt_sensitivity *out,
                                 rt_arena *arena, routh_error *error)
{
    const int n = s->m->base->n_u;
    const bool same = x->Xw == x->X;
    *out = (rt_sensitivity){.n = n, .z = x->z, .z1 = x->z1};
    out->X = RT_TAKE(arena, double, (size_t)n * x->z);
    out->U = RT_TAKE(arena, double, (size_t)n * x->z);
    out->Xw = same ? out->X : RT_TAKE(arena, double, (size_t)n * x->z1);
    if (!out->X || !out->U || !out->Xw) return rt_fail_memory(error);
    for (int b = 0; b < s->m->n_bodies; b++) {
        rt_motion map;
        rt_marker_motion(s->m, s->w, s->state, b, &map);
        for (int k = 0; k < x->z; k++) {
            const double *X = x->X + (size_t)k * x->n, *U = x->U + (size_t)k * x->n;
            const size_t at = (size_t)k * n + 6 * (size_t)b;
            base_sensitivity_put(&s->w->bodies[b], &map, X, NULL, out->X + at);
            base_sensitivity_put(&s->w->bodies[b], &map, U, X, out->U + at);
        }
        for (int k = 0; k < x->z1 && !same; k++)
            base_sensitivity_put(&s->w->bodies[b], &map, x->Xw + (size_t)k * x->n, NULL,
                                 out->Xw + (size_t)k * n + 6 * (size_t)b);
    }
    copy_elastic(s->m, x, out);
    return ROUTH_OK;
}
