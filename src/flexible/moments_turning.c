/* What a spin does to the part of a mass matrix beyond its scalar density (moments.c), M_r: the
 * inertia of nodes that turn, and what beams and shells have along and across. Its nodal vectors,
 * displacements and rotations alike, turn with the body: of a deformation v the velocities are
 * v' + w x v, and of second order a node turns at 1/2 psi x (psi x w - psi') (section_turn.h). With
 * the rigid rotations r_c about the origin, v_k^d = e_d x v_k, and G_j = sum_i M_r of the rotations
 * of nodes i and j,
 *     J1_k  = X + X',                       X_cd = r_c'M_r v_k^d
 *     J2_kl = Y + Y' + Z + Z',              Y_cd = 1/2 v_k^c'M_r v_l^d,
 *                                           Z = 1/4 G_j (psi_k~ psi_l~ + psi_l~ psi_k~)
 *     (H_kl)_c = v_k^c'M_r v_l - 1/2 (G_j (psi_k x psi_l))_c
 * which is that of section_turn.h where nodes alone have inertia. */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "flexible/body.h"

/* Less than this of what is summed is rounding. */
static const double NOTHING = 1e-10;

typedef struct turning_work {
    const rt_body_fe *b;
    const rt_body_modes *modes;
    size_t n_x;
    double *x, *y;  /* n_dofs: a vector, M_r times it */
    double *X, *mX; /* n_x: displacements of nodes, the scalar density times them */
    int n_triples;  /* of directions that M_r sees: three of displacement, or of rotation */
    int *triple;    /* where their first is in dof */
    double *V;      /* 3 n_triples a mode */
    double *Z;      /* 3 n_triples each: M_r v_l, M_r v_l^d */
    int n_turning;  /* nodes with G_j */
    int *turning;   /* their rotations in V, over 3 */
    double *G;      /* 9 each */
} turning_work;

/* y = M_r x */
static void rest_times(const turning_work *w)
{
    const rt_body_fe *b = w->b;
    rt_body_times(b, b->M, w->x, w->y);
    memset(w->mX, 0, w->n_x * sizeof *w->mX);
    for (size_t i = 0; i < w->n_x; i++) w->X[i] = w->x[b->dof[6 * (i / 3) + i % 3]];
    rt_body_density_times(b, w->X, w->mX);
    for (size_t i = 0; i < w->n_x; i++) w->y[b->dof[6 * (i / 3) + i % 3]] -= w->mX[i];
}

/* size += |M| |x| */
static void add_size(const turning_work *w, double *size)
{
    const rt_pattern *p = &w->b->fe->pattern;
    for (int j = 0; j < w->b->n; j++)
        for (int k = p->start[j]; k < p->start[j + 1]; k++)
            size[p->row[k]] += fabs(w->b->M[k] * w->x[j]);
}

/* Directions whose row of M_r is not zero: two vectors without a pattern find them. */
static void find_triples(turning_work *w, double *size, bool *seen)
{
    const rt_body_fe *b = w->b;
    memset(seen, 0, (size_t)b->n * sizeof *seen);
    for (int round = 0; round < 2; round++) {
        for (int k = 0; k < b->n; k++) w->x[k] = 1 + fmod((k + 1) * (0.6180339887 + round), 1);
        memset(size, 0, (size_t)b->n * sizeof *size);
        add_size(w, size);
        rest_times(w);
        for (int k = 0; k < b->n; k++) seen[k] = seen[k] || fabs(w->y[k]) > NOTHING * size[k];
    }
    for (int t = 0; t < 2 * b->n_nodes; t++) {
        const int *d = b->dof + 3 * (size_t)t;
        if (d[0] >= 0 && (seen[d[0]] || seen[d[1]] || seen[d[2]]))
            w->triple[w->n_triples++] = 3 * t;
    }
}

/* Of a vector of nodes' directions those that M_r sees. */
static void pick(const turning_work *w, const double *x, double *out)
{
    for (int t = 0; t < w->n_triples; t++)
        for (int i = 0; i < 3; i++) out[3 * t + i] = x[w->b->dof[w->triple[t] + i]];
}

/* x = e_c on every rotation */
static void turn_all(const turning_work *w, int c)
{
    memset(w->x, 0, (size_t)w->b->n * sizeof *w->x);
    for (int node = 0; node < w->b->n_nodes; node++) {
        const int at = w->b->dof[6 * (size_t)node + 3 + (size_t)c];
        if (at >= 0) w->x[at] = 1;
    }
}

static bool is_rotation(const turning_work *w, int t) { return w->triple[t] % 6 == 3; }

static void find_G(turning_work *w)
{
    for (int t = 0; t < w->n_triples; t++)
        if (is_rotation(w, t)) w->turning[w->n_turning++] = t;
    for (int c = 0; c < 3; c++) {
        turn_all(w, c);
        rest_times(w);
        for (int k = 0; k < w->n_turning; k++) {
            const int *d = w->b->dof + w->triple[w->turning[k]];
            for (int i = 0; i < 3; i++) w->G[9 * k + 3 * c + i] = w->y[d[i]];
        }
    }
}

/* x = e_d x v */
static void turned_shape(const turning_work *w, const double *v, int d)
{
    const int i = (d + 1) % 3, j = (d + 2) % 3;
    for (int t = 0; t < 2 * w->b->n_nodes; t++) {
        const int *dof = w->b->dof + 3 * (size_t)t;
        if (dof[0] < 0) continue;
        w->x[dof[d]] = 0;
        w->x[dof[i]] = -v[dof[j]];
        w->x[dof[j]] = v[dof[i]];
    }
}

/* (r_c . y) of the rigid rotations about the origin; R is about the centre of mass. */
static void rigid_products(const turning_work *w, double L[3])
{
    double p[3];
    for (int c = 0; c < 3; c++) {
        p[c] = rt_body_dot(w->b->n, w->b->R + (size_t)w->b->n * (size_t)c, w->y);
        L[c] = rt_body_dot(w->b->n, w->b->R + (size_t)w->b->n * (size_t)(3 + c), w->y);
    }
    rt_v3_cross_add(L, w->b->centre, p);
}

/* Z of mode l, and J1_l */
static void turning_take_mode(turning_work *w, int l, double J1[9])
{
    const double *v = w->modes->shape + (size_t)l * (size_t)w->b->n;
    const size_t each = 3 * (size_t)w->n_triples;
    memset(J1, 0, 9 * sizeof *J1);
    memcpy(w->x, v, (size_t)w->b->n * sizeof *w->x);
    rest_times(w);
    pick(w, w->y, w->Z);
    for (int d = 0; d < 3; d++) {
        double L[3];
        turned_shape(w, v, d);
        rest_times(w);
        pick(w, w->y, w->Z + each * (size_t)(1 + d));
        rigid_products(w, L);
        for (int c = 0; c < 3; c++) J1[3 * c + d] += L[c], J1[3 * d + c] += L[c];
    }
}

/* sum v x z: what is along e_c is v^c . z */
static void sum_cross(const turning_work *w, const double *v, const double *z, double sum[3])
{
    memset(sum, 0, 3 * sizeof *sum);
    for (int t = 0; t < w->n_triples; t++) rt_v3_cross_add(sum, v + 3 * t, z + 3 * t);
}

/* J2 += Z + Z', odd -= 1/2 G (psi_k x psi_l); a~ b~ = b a' - a.b 1 */
static void add_second_turning(const turning_work *w, const double *v_k, const double *v_l,
                               double J2[9], double odd[3])
{
    for (int n = 0; n < w->n_turning; n++) {
        const double *a = v_k + 3 * w->turning[n], *b = v_l + 3 * w->turning[n], *G = w->G + 9 * n;
        double Ga[3], Gb[3], cross[3], turned[3];
        rt_m3_mul_v(Ga, G, a);
        rt_m3_mul_v(Gb, G, b);
        rt_v3_cross(cross, a, b);
        rt_m3_mul_v(turned, G, cross);
        rt_v3_add_scaled(odd, -0.5, turned);
        const double dot = rt_v3_dot(a, b);
        for (int c = 0; c < 3; c++)
            for (int d = 0; d < 3; d++) {
                const double Z = (Ga[c] * b[d] + Gb[c] * a[d] - 2 * dot * G[3 * c + d]) / 4;
                J2[3 * c + d] += Z, J2[3 * d + c] += Z;
            }
    }
}

/* The pair (k, l), both ways round; H_kl at first whole. */
static void take_pair(const turning_work *w, rt_flexible *f, int k, int l)
{
    const size_t each = 3 * (size_t)w->n_triples, n = (size_t)f->n;
    const size_t at = (size_t)k + n * (size_t)l;
    const double *v_k = w->V + each * (size_t)k, *v_l = w->V + each * (size_t)l;
    double *J2 = (double *)f->J2 + 9 * at, *H = (double *)f->H_even + 3 * at;
    double *odd = (double *)f->H_odd + 3 * at;
    for (int d = 0; d < 3; d++) {
        double Y[3];
        sum_cross(w, v_k, w->Z + each * (size_t)(1 + d), Y);
        for (int c = 0; c < 3; c++) J2[3 * c + d] += Y[c] / 2, J2[3 * d + c] += Y[c] / 2;
    }
    sum_cross(w, v_k, w->Z, H);
    add_second_turning(w, v_k, v_l, J2, odd);
}

/* S_kl = (H_kl + H_lk) / 2, A_kl the rest; J2 symmetric to the last bit. */
static void split_pairs(rt_flexible *f)
{
    const size_t n = (size_t)f->n;
    double *J2 = (double *)f->J2, *even = (double *)f->H_even, *odd = (double *)f->H_odd;
    for (size_t l = 0; l < n; l++)
        for (size_t k = 0; k <= l; k++) {
            const size_t kl = k + n * l, lk = l + n * k;
            for (size_t i = 0; i < 9; i++)
                J2[9 * kl + i] = J2[9 * lk + i] = (J2[9 * kl + i] + J2[9 * lk + i]) / 2;
            for (size_t i = 0; i < 3; i++) {
                const double mean = (even[3 * kl + i] + even[3 * lk + i]) / 2;
                const double rest = (even[3 * kl + i] - even[3 * lk + i]) / 2;
                even[3 * kl + i] = even[3 * lk + i] = mean;
                odd[3 * kl + i] = k == l ? 0 : odd[3 * kl + i] + rest;
                odd[3 * lk + i] = -odd[3 * kl + i];
            }
        }
}

static bool turning_take_room(turning_work *w, rt_arena *own)
{
    const size_t n = (size_t)w->b->n, nodes = (size_t)w->b->n_nodes;
    w->n_x = 3 * nodes;
    w->x = RT_TAKE(own, double, n), w->y = RT_TAKE(own, double, n);
    w->X = RT_TAKE(own, double, w->n_x), w->mX = RT_TAKE(own, double, w->n_x);
    w->triple = RT_TAKE(own, int, 2 * nodes);
    return w->x && w->y && w->X && w->mX && w->triple;
}

static bool take_results(turning_work *w, rt_flexible *f, rt_arena *arena, rt_arena *own)
{
    const size_t n = (size_t)f->n, each = 3 * (size_t)w->n_triples;
    f->J1 = RT_TAKE(arena, double, 9 * n);
    f->J2 = RT_TAKE(arena, double, 9 * n * n);
    f->H_even = RT_TAKE(arena, double, 3 * n * n);
    f->H_odd = RT_TAKE(arena, double, 3 * n * n);
    w->V = RT_TAKE(own, double, each *n), w->Z = RT_TAKE(own, double, 4 * each);
    w->turning = RT_TAKE(own, int, w->n_triples);
    w->G = RT_TAKE(own, double, 9 * (size_t)w->n_triples);
    return f->J1 && f->J2 && f->H_even && f->H_odd && w->V && w->Z && w->turning && w->G;
}

static routh_status turning_find(turning_work *w, rt_flexible *f, rt_arena *arena, rt_arena *own,
                                 routh_error *error)
{
    if (!turning_take_room(w, own)) return rt_fail_memory(error);
    double *size = RT_TAKE(own, double, w->b->n);
    bool *seen = RT_TAKE(own, bool, w->b->n);
    if (!size || !seen) return rt_fail_memory(error);
    find_triples(w, size, seen);
    if (w->n_triples == 0) return ROUTH_OK;
    if (!take_results(w, f, arena, own)) return rt_fail_memory(error);
    find_G(w);
    for (int k = 0; k < f->n; k++)
        pick(w, w->modes->shape + (size_t)k * (size_t)w->b->n,
             w->V + 3 * (size_t)w->n_triples * (size_t)k);
    for (int l = 0; l < f->n; l++) {
        turning_take_mode(w, l, (double *)f->J1 + 9 * (size_t)l);
        for (int k = 0; k < f->n; k++) take_pair(w, f, k, l);
    }
    split_pairs(f);
    return ROUTH_OK;
}

routh_status rt_body_turning(rt_flexible *f, const rt_body_fe *b, const rt_body_modes *modes,
                             rt_arena *arena, routh_error *error)
{
    turning_work w = {.b = b, .modes = modes};
    rt_arena own = {0};
    const routh_status status = turning_find(&w, f, arena, &own, error);
    rt_arena_free(&own);
    return status;
}
