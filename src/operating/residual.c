/* What is out of balance, and inertia forces, of rigid and flexible bodies. */
#include <stdio.h>

#include "operating/operating.h"

double rt_equilibrium_residual(const rt_search *s, int item, int *component)
{
    const routh_mechanism *m = s->m;
    double worst = 0;
    *component = 0;
    if (item >= m->n_bodies) {
        const int row = m->first_elastic + item - m->n_bodies;
        return fabs(s->w->residual[row]) * s->unit[row];
    }
    for (int i = 0; i < 6; i++) {
        const double x = fabs(s->w->wrench[6 * item + i]) / (i < 3 ? 1 : m->length);
        if (x > worst) worst = x, *component = i;
    }
    return worst;
}

int rt_equilibrium_residual_body(const routh_mechanism *m, int item)
{
    int body = item;
    if (item >= m->n_bodies) (void)rt_elastic_coordinate(m, item - m->n_bodies, &body);
    return body;
}

void rt_equilibrium_residual_words(const rt_search *s, int item, int component, char *text,
                                   size_t room)
{
    static const char *const axes[] = {"along x", "along y", "along z",
                                       "about x", "about y", "about z"};
    const routh_mechanism *m = s->m;
    int body;
    if (item < m->n_bodies) {
        snprintf(text, room, "%s by %.3g %s", axes[component], s->w->wrench[6 * item + component],
                 component < 3 ? "N" : "N m");
        return;
    }
    const rt_elastic *x = rt_elastic_coordinate(m, item - m->n_bodies, &body);
    snprintf(text, room, "in its elastic coordinate %.80s by %.3g %s", x->name,
             s->w->residual[m->first_elastic + item - m->n_bodies],
             x->kind == RT_ELASTIC_LENGTH ? "N" : "N m");
}

/* ---- inertia -------------------------------------------------------------------------------- */

static double residual_largest(const rt_search *s, const double wrench[6])
{
    double worst = 0;
    for (int i = 0; i < 6; i++) worst = fmax(worst, fabs(wrench[i]) / (i < 3 ? 1 : s->m->length));
    return worst;
}

/* What the body takes to move as it does, beyond what it takes with its frame at rest and q'' = 0:
 * weight, elasticity and damping are the same there. */
static double flexible_inertia(rt_search *s, const rt_flexible_block *f)
{
    const routh_mechanism *m = s->m;
    rt_flexible_result *x = s->w->flexible;
    double *const *q = s->w->elastic, *moving = s->x + m->first_elastic + f->first, wrench[6];
    const rt_elastic_state state = {q[0] + f->first, q[1] + f->first, q[2] + f->first};
    rt_frame at_rest = rt_ground_frame;
    rt_flexible_evaluate(f->shape, NULL, &s->w->bodies[f->body], &state, m->gravity, false, x);
    for (int i = 0; i < 6; i++) wrench[i] = x->wrench[i] - x->weight[i];
    memcpy(moving, x->elastic, (size_t)f->shape->n * sizeof *moving);
    double *still = s->z + m->first_elastic + f->first;
    memset(still, 0, (size_t)f->shape->n * sizeof *still);
    rt_v3_copy(at_rest.r, s->w->bodies[f->body].r);
    memcpy(at_rest.A, s->w->bodies[f->body].A, sizeof at_rest.A);
    const rt_elastic_state rest = {state.q, state.u, still};
    rt_flexible_evaluate(f->shape, NULL, &at_rest, &rest, m->gravity, false, x);
    double worst = residual_largest(s, wrench);
    for (int i = 0; i < f->shape->n; i++)
        worst =
            fmax(worst, fabs(moving[i] - x->elastic[i]) * s->unit[m->first_elastic + f->first + i]);
    return worst;
}

double rt_largest_inertia(rt_search *s)
{
    const routh_mechanism *m = s->m;
    double worst = 0;
    for (int b = 0; b < m->n_bodies; b++) {
        rt_load_result inertia;
        if (m->model->bodies[b].flexible) continue;
        rt_inertia_evaluate(&s->w->bodies[b], m->bodies[b].mass, m->bodies[b].inertia, false,
                            &inertia);
        worst = fmax(worst, residual_largest(s, inertia.wrench[0]));
    }
    for (int k = 0; k < m->n_flexible; k++)
        worst = fmax(worst, flexible_inertia(s, &m->flexible[k]));
    return worst;
}
