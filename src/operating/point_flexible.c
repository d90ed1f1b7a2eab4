/* Flexible bodies at the operating point: where the centre of mass is, and which node is deflected
 * most. flexible.h: centre = (first + a_k q_k + 1/2 a_kl q_k q_l) / mass, node S_k q_k. */
#include "operating/point.h"

static void point_flexible_find_centre(routh_body_state *out, const rt_flexible *f,
                                       const rt_frame *frame, const double *q)
{
    const rt_pattern *p = &f->pattern;
    double sum[3] = {f->first[0], f->first[1], f->first[2]}, turned[3];
    for (int k = 0; k < f->n; k++)
        for (int i = 0; i < 3; i++) sum[i] += f->a[3 * (size_t)k + (size_t)i] * q[k];
    for (int k = 0; k < f->n && f->a2; k++)
        for (int e = p->start[k]; e < p->start[k + 1]; e++)
            for (int i = 0; i < 3; i++)
                sum[i] += 0.5 * f->a2[3 * (size_t)e + (size_t)i] * q[k] * q[p->row[e]];
    for (int i = 0; i < 3; i++) sum[i] /= f->mass;
    rt_m3_mul_v(turned, frame->A, sum);
    rt_v3_add(out->centre, frame->r, turned);
}

static void find_deflection(routh_body_state *out, const rt_flexible *f, const rt_frame *frame,
                            const double *q)
{
    double most = 0, local[3] = {0};
    for (int j = 0; j < f->n_nodes; j++) {
        const rt_flexible_node *node = &f->nodes[j];
        double s[3] = {0};
        for (int k = 0; k < node->n; k++)
            for (int i = 0; i < 3; i++)
                s[i] += node->S[(size_t)i * (size_t)node->n + (size_t)k] * q[node->column[k]];
        if (!(rt_v3_norm(s) > most) && j > 0) continue;
        most = rt_v3_norm(s);
        out->deflected_node = node->number;
        rt_v3_copy(local, s);
    }
    rt_m3_mul_v(out->deflection, frame->A, local);
}

void rt_point_fill_flexible(routh_operating_point *p, const rt_search *s)
{
    const routh_mechanism *m = s->m;
    for (int k = 0; k < m->n_flexible; k++) {
        const rt_flexible_block *block = &m->flexible[k];
        const rt_frame *frame = &s->w->bodies[block->body];
        const double *q = s->state->q + m->first_elastic_q + block->first;
        routh_body_state *out = &p->bodies[block->body];
        out->n_elastic = block->shape->n;
        point_flexible_find_centre(out, block->shape, frame, q);
        find_deflection(out, block->shape, frame, q);
        const rt_deformation d = rt_deformation_of(block->shape, q);
        out->rotation = d.rotation;
        out->rotated_node = d.node;
        out->strain = d.strain;
    }
}
