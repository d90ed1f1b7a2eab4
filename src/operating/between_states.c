/* Where a search begins that two states of a branch are known of: on the line through both.
 *
 *     r = r_a + s (r_b - r_a),    A = A_a exp(s log(A_a'A_b)),    x = x_a + s (x_b - x_a)
 *
 * for every body, and for elastic coordinates, velocities, multipliers and signals x alike. What
 * two branches that cross have in common is a point: beyond it, the line leads to the one that both
 * states are on, where either state alone is as near to the other. */

#include "base/error.h"
#include "base/kept_memory.h"
#include "base/rotation.h"
#include "coordinates/coordinates.h"
#include "operating/operating.h"

static void state_on_line(double *x, const double *a, const double *b, double s, size_t n)
{
    for (size_t k = 0; k < n; k++) x[k] = a[k] + s * (b[k] - a[k]);
}

/* False where the two are half a revolution apart. */
static bool frame_on_line(rt_frame *x, const rt_frame *b, double s)
{
    double Q[9], A[9], theta[3];
    rt_m3_tmul(Q, x->A, b->A);
    if (!rt_rotation_log(theta, Q)) return false;
    rt_v3_scale(theta, s, theta);
    rt_rotation_exp(Q, theta);
    rt_m3_mul(A, x->A, Q);
    memcpy(x->A, A, sizeof A);
    state_on_line(x->r, x->r, b->r, s, 3);
    state_on_line(x->v, x->v, b->v, s, 3);
    state_on_line(x->w, x->w, b->w, s, 3);
    return true;
}

/* Euler parameters p and -p are one rotation and two coordinates: those nearer to a's. */
static void keep_sign(const routh_mechanism *m, const rt_state *a, rt_state *x)
{
    for (int b = 0; b < m->n_bodies && m->set->rotation; b++) {
        const double *p = a->q + 7 * b + 3;
        double *q = x->q + 7 * b + 3, *u = x->u + 7 * b + 3;
        if (p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3] >= 0) continue;
        for (int k = 0; k < 4; k++) q[k] = -q[k], u[k] = -u[k];
    }
}

routh_status rt_begin_on_line(rt_search *search, const rt_state *a, const rt_state *b, double s,
                              routh_error *error)
{
    const routh_mechanism *m = search->m;
    rt_state *x = search->state;
    const size_t n = (size_t)m->n_bodies;
    if (m->joined) return ROUTH_OK; /* its coordinates are not those of the bodies one by one */
    rt_frame *frame = rt_kept_calloc(m->analyses, 2 * n + 1, sizeof *frame);
    if (!frame) return rt_fail_memory(error);
    m->set->frames(m->n_bodies, a->q, a->u, a->udot, frame);
    m->set->frames(m->n_bodies, b->q, b->u, b->udot, frame + n);
    bool good = true;
    for (size_t k = 0; k < n && good; k++) good = frame_on_line(&frame[k], &frame[n + k], s);
    if (good) {
        m->set->take(m->n_bodies, frame, x->q, x->u);
        keep_sign(m, a, x);
        state_on_line(x->q + m->first_elastic_q, a->q + m->first_elastic_q,
                      b->q + m->first_elastic_q, s, (size_t)m->n_elastic);
        state_on_line(x->u + m->first_elastic, a->u + m->first_elastic, b->u + m->first_elastic, s,
                      (size_t)m->n_elastic);
        state_on_line(x->lambda, a->lambda, b->lambda, s, (size_t)m->n_rows);
        state_on_line(x->signal, a->signal, b->signal, s,
                      (size_t)(m->n_signals - m->model->n_inputs));
    }
    rt_kept_free(frame);
    return ROUTH_OK;
}
