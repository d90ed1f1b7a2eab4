/* What is shown of an operating point, along a variation (variation.h): how bodies move, and the
 * forces of joints and loads, by the same functions that give them without it. */
#ifndef RT_VARIATION
#error "compiled for variations only"
#endif

#include "system/compile.h"
#include "system/variation_work.h"

static void variation_point_read(const rt_scalar x[3], double out[3])
{
    for (int i = 0; i < 3; i++) out[i] = rt_im(x[i]) * rt_variation_per_h;
}

/* dtheta in world axes: half the sum of what each of the body's axes a turns by, a x da */
static void variation_point_turn(const rt_scalar A[9], double turn[3])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        double sum = 0;
        for (int c = 0; c < 3; c++)
            sum += rt_re(A[3 * j + c]) * rt_im(A[3 * k + c]) -
                   rt_re(A[3 * k + c]) * rt_im(A[3 * j + c]);
        turn[i] = sum / 2 * rt_variation_per_h;
    }
}

/* centre = (first + a_k q_k + 1/2 a_kl q_k q_l) / mass in the frame (flexible.h), each number with
 * its derivative. */
static void variation_point_centre(const rt_variation *v, const rt_flexible_block *block,
                                   rt_scalar centre[3])
{
    const rt_flexible *f = block->shape, *by = v->shapes[block->body];
    const rt_scalar *q = v->state->q + v->m->first_elastic_q + block->first;
    const rt_frame *frame = &v->w->bodies[block->body];
    const rt_pattern *p = &f->pattern;
    rt_scalar sum[3], turned[3];
    for (int i = 0; i < 3; i++) sum[i] = rt_complex(f->first[i], by ? by->first[i] : 0);
    for (int k = 0; k < f->n; k++)
        for (int i = 0; i < 3; i++) {
            const size_t at = 3 * (size_t)k + (size_t)i;
            sum[i] += rt_complex(f->a[at], by && by->a ? by->a[at] : 0) * q[k];
        }
    for (int k = 0; k < f->n && f->a2; k++)
        for (int e = p->start[k]; e < p->start[k + 1]; e++)
            for (int i = 0; i < 3; i++) {
                const size_t at = 3 * (size_t)e + (size_t)i;
                sum[i] += 0.5 * rt_complex(f->a2[at], by && by->a2 ? by->a2[at] : 0) * q[k] *
                          q[p->row[e]];
            }
    for (int i = 0; i < 3; i++) sum[i] /= rt_complex(f->mass, by ? by->mass : 0);
    rt_m3_mul_v(turned, frame->A, sum);
    rt_v3_add(centre, frame->r, turned);
}

void rt_variation_bodies(const rt_variation *v, rt_varied_body *bodies)
{
    for (int b = 0; b < v->m->n_bodies; b++) {
        const rt_frame *f = &v->w->bodies[b];
        variation_point_read(f->r, bodies[b].position);
        variation_point_turn(f->A, bodies[b].rotation);
        variation_point_read(f->v, bodies[b].velocity);
        variation_point_read(f->w, bodies[b].angular_velocity);
    }
    for (int k = 0; k < v->m->n_flexible; k++) {
        rt_scalar centre[3];
        variation_point_centre(v, &v->m->flexible[k], centre);
        variation_point_read(centre, bodies[v->m->flexible[k].body].position);
    }
}

void rt_variation_wrenches(rt_variation *v, double (*wrenches)[6])
{
    const routh_mechanism *m = v->m;
    for (int k = 0; k < m->n_constraints + m->n_loads; k++) {
        rt_scalar wrench[6];
        if (k < m->n_constraints)
            rt_joint_reaction(m, v->w, v->state, k, wrench);
        else
            rt_load_on_first(m, v->w, &m->loads[k - m->n_constraints], v->state, wrench);
        variation_point_read(wrench, wrenches[k]);
        variation_point_read(wrench + 3, wrenches[k] + 3);
    }
}
