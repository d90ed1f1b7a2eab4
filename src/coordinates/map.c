#include "coordinates/coordinates.h"
#include "coordinates/joined.h"

/* X_r -= s~ X_theta for every column: (dtheta x s) = -s x dtheta */
static void shift(rt_scalar *X, int n, rt_scalar scale, const rt_scalar s[3],
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
    *out = *body;
    if (s[0] == 0 && s[1] == 0 && s[2] == 0 && rt_v3_dot(s1, s1) == 0 && rt_v3_dot(s2, s2) == 0)
        return;
    /* xi_r   = xi_r + theta x s
     * xi_r'  = xi_r' + theta' x s + theta x s'
     * xi_r'' = xi_r'' + theta'' x s + 2 theta' x s' + theta x s'' */
    shift(out->J, n, 1, s, body->J + 3 * n);
    shift(out->J1, n, 1, s, body->J1 + 3 * n);
    shift(out->J1, n, 1, s1, body->J + 3 * n);
    shift(out->J2u, n, 1, s, body->J2u + 3 * n);
    shift(out->J2u, n, 2, s1, body->J + 3 * n);
    shift(out->J2x, n, 1, s, body->J2x + 3 * n);
    shift(out->J2x, n, 2, s1, body->J1 + 3 * n);
    shift(out->J2x, n, 1, s2, body->J + 3 * n);
}

/* The lists of coordinate sets: absolute first, which is the default. */
static const rt_coordinate_set *const sets[] = {&rt_absolute, &rt_euler_parameters,
                                                &rt_euler_angles};
static const rt_joined_set *const joined_sets[] = {&rt_relative, &rt_natural};

enum {
    N_SETS = sizeof sets / sizeof sets[0],
    N_JOINED_SETS = sizeof joined_sets / sizeof joined_sets[0]
};

const rt_coordinate_set *rt_coordinate_set_find(const char *name)
{
    for (int k = 0; k < N_SETS; k++)
        if (strcmp(sets[k]->name, name) == 0) return sets[k];
    return NULL;
}

const rt_joined_set *rt_joined_set_find(const char *name)
{
    for (int k = 0; k < N_JOINED_SETS; k++)
        if (strcmp(joined_sets[k]->name, name) == 0) return joined_sets[k];
    return NULL;
}

const char *rt_coordinate_set_name(int k)
{
    if (k >= 0 && k < N_SETS) return sets[k]->name;
    return k >= N_SETS && k < N_SETS + N_JOINED_SETS ? joined_sets[k - N_SETS]->name : NULL;
}

void rt_written_frames(const routh_model *model, rt_frame *frames)
{
    for (int b = 0; b < model->n_bodies; b++) {
        const rt_body *body = &model->bodies[b];
        rt_frame *f = &frames[b];
        *f = (rt_frame){0};
        for (int k = 0; k < 9; k++) f->A[k] = body->orientation[k].value;
        for (int k = 0; k < 3; k++) {
            f->r[k] = body->position[k].value;
            f->v[k] = body->velocity[k].value;
            f->w[k] = body->angular_velocity[k].value;
        }
    }
}
