#include "coordinates/coordinates.h"
#include "coordinates/joined.h"

/* X_r -= s~ X_theta for every column: (dtheta x s) = -s x dtheta */
static void shift(double *X, int n, double scale, const double s[3], const double *rotation_rows)
{
    for (int c = 0; c < n; c++) {
        const double t[3] = {rotation_rows[c], rotation_rows[n + c], rotation_rows[2 * n + c]};
        double d[3];
        rt_v3_cross(d, t, s);
        for (int i = 0; i < 3; i++) X[i * n + c] += scale * d[i];
    }
}

void rt_map_marker(rt_map *out, const rt_map *body, const rt_frame *frame, const double s[3])
{
    const int n = body->n;
    *out = *body;
    if (s[0] == 0 && s[1] == 0 && s[2] == 0) return;
    double s1[3], s2[3];
    rt_v3_cross(s1, frame->w, s);
    rt_v3_cross(s2, frame->al, s);
    rt_v3_cross_add(s2, frame->w, s1);
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

const rt_coordinate_set *rt_coordinate_set_find(const char *name)
{
    static const rt_coordinate_set *const sets[] = {&rt_absolute, &rt_euler_parameters,
                                                   &rt_euler_angles};
    for (size_t k = 0; k < sizeof sets / sizeof sets[0]; k++)
        if (strcmp(sets[k]->name, name) == 0) return sets[k];
    return NULL;
}

const rt_joined_set *rt_joined_set_find(const char *name)
{
    static const rt_joined_set *const sets[] = {&rt_relative, NULL};
    for (size_t k = 0; sets[k]; k++)
        if (strcmp(sets[k]->name, name) == 0) return sets[k];
    return NULL;
}

const char rt_coordinate_set_names[] = "absolute, euler-parameters, euler-angles, relative";
