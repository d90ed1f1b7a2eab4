#include "coordinates/coordinates.h"

/* X_r -= s~ X_theta for every column: (dtheta x s) = -s x dtheta */
static void map_shift(rt_scalar *X, int n, rt_scalar scale, const rt_scalar s[3],
                      const rt_scalar *rotation_rows)
{
    for (int c = 0; c < n; c++) {
        const rt_scalar t[3] = {rotation_rows[c], rotation_rows[n + c], rotation_rows[2 * n + c]};
        rt_scalar d[3];
        rt_v3_cross(d, t, s);
        for (int i = 0; i < 3; i++) X[i * n + c] += scale * d[i];
    }
}

void rt_map_marker(rt_map *out, const rt_map *body, const rt_scalar s[3], const rt_scalar s1[3],
                   const rt_scalar s2[3])
{
    const int n = body->n;
    const bool still = rt_v3_is_zero(s1) && rt_v3_is_zero(s2);
    *out = *body;
    if (still && rt_v3_is_zero(s)) return;
    /* xi_r   = xi_r + theta x s
     * xi_r'  = xi_r' + theta' x s + theta x s'
     * xi_r'' = xi_r'' + theta'' x s + 2 theta' x s' + theta x s'' */
    map_shift(out->J, n, 1, s, body->J + 3 * n);
    out->still = still && body->still;
    if (out->still) return;
    map_shift(out->J1, n, 1, s, body->J1 + 3 * n);
    map_shift(out->J1, n, 1, s1, body->J + 3 * n);
    map_shift(out->J2u, n, 1, s, body->J2u + 3 * n);
    map_shift(out->J2u, n, 2, s1, body->J + 3 * n);
    map_shift(out->J2x, n, 1, s, body->J2x + 3 * n);
    map_shift(out->J2x, n, 2, s1, body->J1 + 3 * n);
    map_shift(out->J2x, n, 1, s2, body->J + 3 * n);
}

bool rt_reference_frames(const routh_model *model, const rt_slopes *along, rt_frame *frames)
{
    bool any = false;
    for (int b = 0; b < model->n_bodies; b++) {
        const rt_body *body = &model->bodies[b];
        rt_frame *f = &frames[b];
        *f = (rt_frame){0};
        any = any || body->reference;
        for (int k = 0; k < 9; k++)
            f->A[k] =
                rt_value_of(body->reference ? body->reference[3 + k] : body->orientation[k], along);
        for (int k = 0; k < 3; k++)
            f->r[k] = rt_value_of(body->reference ? body->reference[k] : body->position[k], along);
    }
    return any;
}

void rt_written_frames(const routh_model *model, const rt_slopes *along, rt_frame *frames)
{
    for (int b = 0; b < model->n_bodies; b++) {
        const rt_body *body = &model->bodies[b];
        rt_frame *f = &frames[b];
        *f = (rt_frame){0};
        for (int k = 0; k < 9; k++) f->A[k] = rt_value_of(body->orientation[k], along);
        for (int k = 0; k < 3; k++) {
            f->r[k] = rt_value_of(body->position[k], along);
            f->v[k] = rt_value_of(body->velocity[k], along);
            f->w[k] = rt_value_of(body->angular_velocity[k], along);
        }
    }
}
