/* Frames from points and vectors: A = S S0^-1. */
#include "coordinates/natural_affine.h"

int rt_natural_components(const rt_natural_plan *plan, const rt_natural_member *m, double c[3],
                          double E[3][3])
{
    rt_v3_set(c, 0, 0, 0);
    if (m->constant) {
        rt_v3_copy(c, m->value);
        return 0;
    }
    if (m->plane >= 0) {
        const rt_natural_plane *plane = &plan->planes[m->plane];
        rt_v3_scale(c, m->point ? m->height : 0, plane->e);
        memcpy(E, plane->t, sizeof plane->t);
        return 2;
    }
    for (int k = 0; k < 3; k++) rt_v3_set(E[k], k == 0, k == 1, k == 2);
    return 3;
}

/* ---- vectors that are affine in the link's columns ------------------------------------------ */

typedef double affine_vector[1 + RT_NATURAL_COLUMNS][3];

/* x += factor times the member. */
static void natural_affine_add_member(const rt_natural_plan *plan, const rt_natural_pose *columns,
                                      int member, double factor, affine_vector x)
{
    const rt_natural_member *m = &plan->members[member];
    double c[3], E[3][3];
    int at = 0;
    const int n = rt_natural_components(plan, m, c, E);
    rt_v3_add_scaled(x[0], factor, c);
    while (n && columns->column[at] != m->column) at++;
    for (int k = 0; k < n; k++) rt_v3_add_scaled(x[1 + at + k], factor, E[k]);
}

static void natural_affine_find_columns(const rt_natural_plan *plan, const rt_natural_link *link,
                                        rt_natural_pose *pose)
{
    double c[3], E[3][3];
    int sorted[RT_NATURAL_MEMBERS];
    for (int k = 0; k < link->n_members; k++) {
        int at = k;
        const int column = plan->members[link->member[k]].column;
        for (; at > 0 && plan->members[sorted[at - 1]].column > column; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = link->member[k];
    }
    pose->n = 0;
    for (int k = 0; k < link->n_members; k++) {
        const rt_natural_member *m = &plan->members[sorted[k]];
        const int n = rt_natural_components(plan, m, c, E);
        for (int i = 0; i < n; i++) pose->column[pose->n++] = m->column + i;
    }
}

/* The three vectors of the frame: in the world (S) and local (columns of S0). */
typedef struct frame_vectors {
    affine_vector S[3];
    double local[3][3];
} frame_vectors;

static void find_vectors(const rt_natural_plan *plan, const rt_natural_link *link,
                         const rt_natural_pose *pose, int origin, frame_vectors *f)
{
    int n = 0;
    *f = (frame_vectors){0};
    for (int k = 0; k < link->n_members; k++) {
        if (k == origin) continue;
        rt_v3_copy(f->local[n], link->local[k]);
        natural_affine_add_member(plan, pose, link->member[k], 1, f->S[n]);
        if (plan->members[link->member[k]].point) {
            natural_affine_add_member(plan, pose, link->member[origin], -1, f->S[n]);
            rt_v3_sub(f->local[n], f->local[n], link->local[origin]);
        }
        n++;
    }
    if (link->plane < 0) return;
    /* d, e and e x d */
    const double *e = plan->planes[link->plane].e;
    rt_v3_copy(f->S[1][0], e);
    rt_v3_copy(f->local[1], link->normal);
    for (int k = 0; k <= pose->n; k++) rt_v3_cross(f->S[2][k], e, f->S[0][k]);
    rt_v3_cross(f->local[2], link->normal, f->local[0]);
}

/* B = [s1 s2 s3]^-1: rows s2 x s3, s3 x s1, s1 x s2 over the determinant. */
static void natural_affine_invert(double B[9], double s[3][3])
{
    for (int i = 0; i < 3; i++) rt_v3_cross(B + 3 * i, s[(i + 1) % 3], s[(i + 2) % 3]);
    const double det = rt_v3_dot(B, s[0]);
    for (int i = 0; i < 9; i++) B[i] /= det;
}

void rt_natural_link_pose(const rt_natural_plan *plan, const rt_natural_link *link,
                          rt_natural_pose *pose)
{
    frame_vectors f;
    double B[9];
    int origin = 0;
    *pose = (rt_natural_pose){0};
    if (link->first_body < 0) {
        rt_m3_identity(pose->P[0] + 3);
        return;
    }
    natural_affine_find_columns(plan, link, pose);
    while (!plan->members[link->member[origin]].point) origin++;
    find_vectors(plan, link, pose, origin, &f);
    natural_affine_invert(B, f.local);
    affine_vector r = {{0}};
    natural_affine_add_member(plan, pose, link->member[origin], 1, r);
    for (int c = 0; c <= pose->n; c++) {
        double *A = pose->P[c] + 3, arm[3];
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                for (int j = 0; j < 3; j++) A[3 * i + k] += f.S[j][c][i] * B[3 * j + k];
        /* r = P - A p */
        rt_m3_mul_v(arm, A, link->local[origin]);
        rt_v3_sub(pose->P[c], r[c], arm);
    }
}

void rt_natural_carry_pose(const rt_natural_pose *link, const double s[3], const double Q[9],
                           rt_natural_pose *pose)
{
    *pose = (rt_natural_pose){.n = link->n};
    memcpy(pose->column, link->column, sizeof pose->column);
    for (int c = 0; c <= link->n; c++) {
        double arm[3];
        rt_m3_mul_v(arm, link->P[c] + 3, s);
        rt_v3_add(pose->P[c], link->P[c], arm);
        rt_m3_mul(pose->P[c] + 3, link->P[c] + 3, Q);
    }
}
