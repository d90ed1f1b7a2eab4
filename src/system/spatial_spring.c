/* A force on points (as of a plain spring, the commonest load) between spatial frames, straight
 * into the matrices, without the detour over 12 x 12 partials.
 *
 * With B = df/d(d), C = df/d(d') of the force f on the first marker, d = r_i - r_j, and for each
 * end a the map dr_a = T_a Xi, dr_a' = T_a Xi' + V_a Xi, T_a = [1 -r_a~], V_a = [0 -v_a~],
 *     K_ab -= s_a s_b T_a' (B T_b + C V_b),     D_ab -= s_a s_b T_a' C T_b
 * s = +1 at the first end, -1 at the second; r counts from O. What turning the arms does to the
 * force is carried to the body, as of any load (scatter.c). */
#include "system/load.h"

typedef struct end {
    int body, frame; /* of the block */
    rt_scalar sign, r[3], v[3];
} end;

bool rt_is_spatial_spring(const routh_mechanism *m, const rt_load_block *load)
{
    for (int f = 0; f < load->block.n_frames; f++)
        if (m->flexible_marker[load->block.frames[f]] >= 0) return false;
    return m->set == &rt_spatial_frames && rt_class_of(m, load)->on_points &&
           load->n_programs == 0;
}

/* Y = B T_b + C V_b (3 x 6) = [B, -B r~ - C v~] */
static void spatial_spring_times_map(rt_scalar Y[18], const rt_scalar B[9], const rt_scalar *C,
                                     const end *b)
{
    rt_scalar R[9], V[9], BR[9], CV[9] = {0};
    rt_m3_skew(R, b->r);
    rt_m3_mul(BR, B, R);
    if (C) {
        rt_m3_skew(V, b->v);
        rt_m3_mul(CV, C, V);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            Y[6 * i + j] = B[3 * i + j];
            Y[6 * i + 3 + j] = -BR[3 * i + j] - CV[3 * i + j];
        }
}

/* X_ab += s [1; r_a~] Y */
static void spatial_spring_add_block(rt_scalar *X, const rt_block *block, const end *a,
                                     const end *b, rt_scalar s, const rt_scalar Y[18])
{
    const int *row = block->local + a->frame * block->width,
              *column = block->local + b->frame * block->width;
    for (int j = 0; j < 6; j++) {
        const rt_scalar y[3] = {s * Y[j], s * Y[6 + j], s * Y[12 + j]};
        rt_scalar t[3];
        rt_v3_cross(t, a->r, y);
        for (int i = 0; i < 3; i++) {
            X[block->position[row[i] * block->n_columns + column[j]]] += y[i];
            X[block->position[row[3 + i] * block->n_columns + column[j]]] += t[i];
        }
    }
}

/* -(f, r x f) on the body, in r and about its own origin */
static void pull(const routh_mechanism *m, rt_workspace *w, const end *a, const rt_scalar force[3])
{
    rt_scalar f[3], t[3], arm[3], own[3];
    rt_scalar *r = w->residual + 6 * (size_t)a->body;
    double *scale = w->scale + 6 * (size_t)a->body;
    rt_scalar *total = w->wrench + 6 * (size_t)a->body, *carry = w->carry + 9 * (size_t)a->body;
    rt_v3_scale(f, -a->sign, force);
    rt_v3_cross(t, a->r, f);
    rt_v3_sub(arm, w->bodies[a->body].r, m->origin);
    rt_v3_sub(arm, a->r, arm);
    rt_v3_cross(own, arm, f);
    for (int i = 0; i < 3; i++) {
        r[i] += f[i];
        r[3 + i] += t[i];
        total[i] += f[i];
        total[3 + i] += own[i];
        if (fabs(rt_re(f[i])) > scale[i]) scale[i] = fabs(rt_re(f[i]));
        if (fabs(rt_re(t[i])) > scale[3 + i]) scale[3 + i] = fabs(rt_re(t[i]));
    }
    /* f~ s~ = s f' - (f . s) 1 */
    const rt_scalar dot = rt_v3_dot(f, arm);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) carry[3 * i + j] += arm[i] * f[j] - (i == j ? dot : 0);
}

static int find_ends(const routh_mechanism *m, const rt_workspace *w, const rt_load_block *load,
                     end ends[2])
{
    int n = 0;
    for (int k = 0; k < 2; k++) {
        const int marker = m->model->loads[load->load].markers[k];
        if (marker < 0 || m->marker_body[marker] == RT_GROUND) continue;
        end *a = &ends[n++];
        *a = (end){.body = m->marker_body[marker], .frame = load->place[k], .sign = k ? -1 : 1};
        rt_v3_sub(a->r, w->markers[marker].r, m->origin);
        rt_v3_copy(a->v, w->markers[marker].v);
    }
    return n;
}

bool rt_spatial_spring(const routh_mechanism *m, rt_workspace *w, const rt_load_block *load,
                       bool tangent)
{
    const rt_scalar none[RT_LOAD_FUNCTIONS] = {0};
    const rt_load_at at = rt_load_on(m, w, load, none);
    rt_point_force on;
    rt_scalar Y[18];
    end ends[2];
    if (!rt_class_of(m, load)->on_points(&at, true, &on)) return false;
    const int n = find_ends(m, w, load, ends);
    for (int a = 0; a < n; a++) pull(m, w, &ends[a], on.force);
    for (int b = 0; b < n && tangent; b++) {
        spatial_spring_times_map(Y, on.stiffness, on.damped ? on.damping : NULL, &ends[b]);
        for (int a = 0; a < n; a++)
            spatial_spring_add_block(w->K, &load->block, &ends[a], &ends[b],
                                     -ends[a].sign * ends[b].sign, Y);
        if (!on.damped) continue;
        spatial_spring_times_map(Y, on.damping, NULL, &ends[b]);
        for (int a = 0; a < n; a++)
            spatial_spring_add_block(w->D, &load->block, &ends[a], &ends[b],
                                     -ends[a].sign * ends[b].sign, Y);
    }
    return true;
}
