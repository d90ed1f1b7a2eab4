#include "system/scatter.h"

#include "system/compile.h"
#include "system/flexible.h"
#include "system/joined.h"

int rt_block_place(const rt_block *block, int frame)
{
    for (int k = 0; k < block->n_frames; k++)
        if (block->frames[k] == frame) return k;
    return -1;
}

static void take_fixed(rt_marker_map *map)
{
    map->n = map->fixed.n, map->still = map->fixed.still;
    map->J = map->fixed.J, map->J1 = map->fixed.J1;
    map->J2u = map->fixed.J2u, map->J2x = map->fixed.J2x;
}

/* The body's map carried to the marker's origin, which moves in the body where that is flexible. */
static void carried_map(const routh_mechanism *m, const rt_workspace *w, const rt_state *state,
                        int marker, rt_map *out)
{
    const int body = m->marker_body[marker];
    const rt_frame *f = &w->markers[marker], *b = &w->bodies[body];
    rt_frame frame;
    if (m->set == &rt_spatial_frames) { /* the same at every point of a body */
        frame = *f;
        rt_v3_sub(frame.r, frame.r, m->origin);
        m->set->map(body, NULL, NULL, NULL, &frame, out);
        return;
    }
    rt_map own;
    rt_scalar s[3], s1[3], s2[3];
    frame = *b;
    rt_v3_sub(frame.r, frame.r, m->origin);
    m->set->map(body, state->q, state->u, state->udot, &frame, &own);
    rt_v3_sub(s, f->r, b->r);
    if (m->flexible_marker[marker] >= 0) {
        rt_v3_sub(s1, f->v, b->v);
        rt_v3_sub(s2, f->a, b->a);
    } else {
        rt_v3_cross(s1, b->w, s);
        rt_v3_cross(s2, b->al, s);
        rt_v3_cross_add(s2, b->w, s1);
    }
    rt_map_marker(out, &own, s, s1, s2);
}

static void marker_map(const routh_mechanism *m, const rt_workspace *w, const rt_state *state,
                       int marker, rt_marker_map *map)
{
    map->fixed.n = 0;
    if (m->marker_body[marker] != RT_GROUND) carried_map(m, w, state, marker, &map->fixed);
    take_fixed(map);
    if (m->flexible_marker[marker] >= 0) rt_flexible_map(m, w, m->flexible_marker[marker], map);
}

void rt_one_map(const routh_mechanism *m, const rt_workspace *w, const rt_state *state,
                int marker, rt_marker_map *map)
{
    marker_map(m, w, state, marker, map);
}

void rt_block_maps(const routh_mechanism *m, rt_workspace *w, const rt_state *state,
                   const rt_block *block)
{
    for (int f = 0; f < block->n_frames; f++)
        marker_map(m, w, state, block->frames[f], &w->maps[f]);
}

int rt_count_columns(const routh_mechanism *m, int body)
{
    return m->joined ? rt_joined_columns(m->joined, body) : m->bodies[body].block.n_columns;
}

bool rt_has_six_columns(const routh_mechanism *m) { return m->set && !m->set->own_row; }

/* What a wrench on a marker does to its body: torque t + s x f about the centre, and the part of
 * d(T'w)/d(xi) that comes from turning the arm, (dtheta x s) x f = f~ s~ dtheta. */
static void carry_to_body(const routh_mechanism *m, rt_workspace *w, int marker, rt_scalar sign,
                          const rt_scalar x[6])
{
    const int body = m->marker_body[marker], flexible = m->flexible_marker[marker];
    if (body == RT_GROUND) return;
    rt_scalar s[3], F[9], S[9], FS[9];
    for (int i = 0; i < 6 && flexible >= 0; i++)
        w->node_wrench[6 * (size_t)flexible + i] += sign * x[i];
    rt_scalar *total = w->wrench + 6 * (size_t)body, *carry = w->carry + 9 * (size_t)body;
    rt_v3_sub(s, w->markers[marker].r, w->bodies[body].r);
    rt_v3_cross(F, s, x);
    for (int i = 0; i < 3; i++) {
        total[i] += sign * x[i];
        total[3 + i] += sign * (x[3 + i] + F[i]);
    }
    rt_m3_skew(F, x);
    rt_m3_skew(S, s);
    rt_m3_mul(FS, F, S);
    for (int i = 0; i < 9; i++) carry[i] += sign * FS[i];
}

void rt_scatter_wrench(const routh_mechanism *m, rt_workspace *w, const rt_block *block,
                       rt_scalar sign)
{
    for (int f = 0; f < block->n_frames; f++) {
        const rt_scalar *x = w->element_wrench + 6 * (size_t)f;
        const rt_marker_map *map = &w->maps[f];
        for (int c = 0; c < map->n; c++) {
            rt_scalar sum = 0;
            double size = 0;
            for (int i = 0; i < 6; i++) {
                sum += map->J[i * map->n + c] * x[i];
                size += fabs(rt_re(map->J[i * map->n + c] * x[i]));
            }
            const int column = block->columns[block->local[f * block->width + c]];
            w->residual[column] += sign * sum;
            if (size > w->scale[column]) w->scale[column] = size;
        }
        carry_to_body(m, w, block->frames[f], sign, x);
    }
}

/* Y = P X for the 6 columns of frame g: rows of all frames. Most partials are mostly zeros. */
static inline void times_map_wide(rt_scalar *Y, const rt_scalar *P, int wide, int g,
                                  const rt_scalar *X, int n, bool add)
{
    for (int i = 0; i < wide; i++) {
        const rt_scalar *row = P + (size_t)i * wide + 6 * g;
        rt_scalar *y = Y + (size_t)i * n;
        for (int c = 0; c < n && !add; c++) y[c] = 0;
        for (int k = 0; k < 6; k++) {
            if (row[k] == 0) continue;
            for (int c = 0; c < n; c++) y[c] += row[k] * X[k * n + c];
        }
    }
}

/* A width the compiler knows makes the inner loops straight. */
static void scatter_times_map(rt_scalar *Y, const rt_scalar *P, int wide, int g, const rt_scalar *X,
                              int n, bool add)
{
    if (n == RT_USUAL_COLUMNS)
        times_map_wide(Y, P, wide, g, X, RT_USUAL_COLUMNS, add);
    else
        times_map_wide(Y, P, wide, g, X, n, add);
}

static inline bool scatter_all_zero(const rt_scalar *x, int n)
{
    for (int k = 0; k < n; k++)
        if (x[k] != 0) return false;
    return true;
}

/* Z = J' Y, n x n_g; false: Y and Z are zero. Many elements have forces alone, or torques. */
static inline bool transposed_times(rt_scalar *Z, const rt_scalar *J, int n, const rt_scalar *Y,
                                    int n_g)
{
    bool any = false;
    for (int k = 0; k < 6; k++) {
        if (scatter_all_zero(Y + k * n_g, n_g)) continue;
        for (int c = 0; c < n * n_g && !any; c++) Z[c] = 0;
        any = true;
        for (int r = 0; r < n; r++) {
            const rt_scalar a = J[k * n + r];
            if (a == 0) continue;
            for (int c = 0; c < n_g; c++) Z[r * n_g + c] += a * Y[k * n_g + c];
        }
    }
    return any;
}

/* target[position] += sign J_f' Y, for all frames f and the columns of frame g. */
static void scatter_times_transposed(rt_workspace *w, const rt_block *block, int g,
                                     const rt_scalar *Y, rt_scalar sign, const int *position,
                                     rt_scalar *target)
{
    rt_scalar *Z = w->element_product;
    const int n_g = w->maps[g].n;
    const int *column = block->local + g * block->width;
    for (int f = 0; f < block->n_frames; f++) {
        const rt_marker_map *map = &w->maps[f];
        const rt_scalar *rows = Y + 6 * f * n_g;
        const bool usual = map->n == RT_USUAL_COLUMNS && n_g == RT_USUAL_COLUMNS;
        if (!(usual ? transposed_times(Z, map->J, RT_USUAL_COLUMNS, rows, RT_USUAL_COLUMNS)
                    : transposed_times(Z, map->J, map->n, rows, n_g)))
            continue;
        for (int r = 0; r < map->n; r++) {
            const int *place =
                position + (size_t)block->local[f * block->width + r] * block->n_columns;
            for (int c = 0; c < n_g; c++) target[place[column[c]]] += sign * Z[r * n_g + c];
        }
    }
}

void rt_scatter_partials(rt_workspace *w, const rt_block *block, rt_scalar sign, int n_levels,
                         bool want_mass, bool want_tangent)
{
    const int wide = 6 * block->n_frames;
    const rt_scalar *P0 = w->element_partial, *P1 = P0 + (size_t)wide * wide,
                    *P2 = P1 + (size_t)wide * wide;
    rt_scalar *Y = w->element_map;
    for (int g = 0; g < block->n_frames; g++) {
        const rt_marker_map *map = &w->maps[g];
        if (map->n == 0) continue;
        if (want_tangent) {
            scatter_times_map(Y, P0, wide, g, map->J, map->n, false);
            if (n_levels > 1 && !map->still)
                scatter_times_map(Y, P1, wide, g, map->J1, map->n, true);
            if (n_levels > 2 && !map->still)
                scatter_times_map(Y, P2, wide, g, map->J2x, map->n, true);
            scatter_times_transposed(w, block, g, Y, sign, block->position, w->K);
        }
        if (want_tangent && n_levels > 1) {
            scatter_times_map(Y, P1, wide, g, map->J, map->n, false);
            if (n_levels > 2 && !map->still)
                scatter_times_map(Y, P2, wide, g, map->J2u, map->n, true);
            scatter_times_transposed(w, block, g, Y, sign, block->position, w->D);
        }
        if (want_mass && n_levels > 2 && block->mass) {
            scatter_times_map(Y, P2, wide, g, map->J, map->n, false);
            scatter_times_transposed(w, block, g, Y, sign, block->mass, w->M);
        }
    }
}

void rt_scatter_lambda(rt_workspace *w, const rt_block *block, rt_scalar sign, int n_lambda,
                       const int *position)
{
    const rt_scalar *by_lambda = w->result[0].lambda;
    for (int f = 0; f < block->n_frames; f++) {
        const rt_marker_map *map = &w->maps[f];
        for (int r = 0; r < map->n; r++) {
            const int *place = position + (size_t)block->local[f * block->width + r] * n_lambda;
            for (int k = 0; k < n_lambda; k++) {
                rt_scalar sum = 0;
                for (int i = 0; i < 6; i++)
                    sum += map->J[i * map->n + r] * by_lambda[(size_t)(6 * f + i) * n_lambda + k];
                w->L[place[k]] += sign * sum;
            }
        }
    }
}

/* y += s p' X for one frame */
static void scatter_row_times(rt_scalar *y, const int *local, rt_scalar s, const rt_scalar p[6],
                              const rt_scalar *X, int n)
{
    for (int k = 0; k < 6; k++) {
        const rt_scalar a = s * p[k];
        if (a == 0) continue;
        for (int c = 0; c < n; c++) y[local[c]] += a * X[k * n + c];
    }
}

/* Phi' : phi xi' + phi' xi; Phi'' : phi xi'' + 2 phi' xi' + phi'' xi, with the maps of
 * coordinates.h */
void rt_scatter_row(rt_workspace *w, const rt_block *block, const rt_gradient *phi,
                    const int *position, bool levels)
{
    rt_scalar *G = w->element_map, *Vx = G + block->n_columns, *Au = Vx + block->n_columns,
              *Ax = Au + block->n_columns;
    memset(G, 0, 4 * (size_t)block->n_columns * sizeof *G);
    for (int k = 0; k < phi->n; k++) {
        const int f = rt_block_place(block, phi->frame[k]);
        const rt_marker_map *map = &w->maps[f];
        const int *local = block->local + f * block->width;
        scatter_row_times(G, local, 1, phi->p[0][k], map->J, map->n);
        if (!levels) continue;
        if (!map->still) {
            scatter_row_times(Vx, local, 1, phi->p[0][k], map->J1, map->n);
            scatter_row_times(Au, local, 1, phi->p[0][k], map->J2u, map->n);
            scatter_row_times(Ax, local, 1, phi->p[0][k], map->J2x, map->n);
            scatter_row_times(Ax, local, 2, phi->p[1][k], map->J1, map->n);
        }
        scatter_row_times(Vx, local, 1, phi->p[1][k], map->J, map->n);
        scatter_row_times(Au, local, 2, phi->p[1][k], map->J, map->n);
        scatter_row_times(Ax, local, 1, phi->p[2][k], map->J, map->n);
    }
    for (int c = 0; c < block->n_columns; c++) w->G[position[c]] = G[c];
    if (!levels) return;
    for (int c = 0; c < block->n_columns; c++) {
        w->Vx[position[c]] = Vx[c];
        w->Au[position[c]] = Au[c];
        w->Ax[position[c]] = Ax[c];
    }
}

/* turn xi' of Phi'', xi' = J du + J1 xi */
void rt_scatter_turn(rt_workspace *w, const rt_block *block, const rt_gradient *turn,
                     const int *position)
{
    rt_scalar *Au = w->element_map, *Ax = Au + block->n_columns;
    memset(Au, 0, 2 * (size_t)block->n_columns * sizeof *Au);
    for (int k = 0; k < turn->n; k++) {
        const int f = rt_block_place(block, turn->frame[k]);
        const rt_marker_map *map = &w->maps[f];
        const int *local = block->local + f * block->width;
        scatter_row_times(Au, local, 1, turn->p[0][k], map->J, map->n);
        scatter_row_times(Ax, local, 1, turn->p[0][k], map->J1, map->n);
    }
    for (int c = 0; c < block->n_columns; c++) {
        w->Au[position[c]] += Au[c];
        w->Ax[position[c]] += Ax[c];
    }
}
