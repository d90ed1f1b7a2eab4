/* Moments are linear or quadratic in the shapes: with S_a = S_k Phi_ka
 *     a_a = a_k Phi_ka,   B_a = B_k Phi_ka,   h_a = h_k Phi_ka,   N_ab = Phi_ka N_kl Phi_lb,
 *     M_ab = Phi_ka M_kl Phi_lb,   J1 as a, J2 and both parts of H as N.
 * Compiled for variations too (base/scalar.h), where what is filled in are derivatives. */
#include "flexible/modal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec3.h"

/* Numbers of a pair of coordinates: N, M, J2 and both parts of H. */
enum { HALF_J2 = 10, HALF_EVEN = HALF_J2 + 9, HALF_ODD = HALF_EVEN + 3, HALF = HALF_ODD + 3 };

typedef struct rt_modal_change {
    const rt_flexible *full, *slope;
    const rt_modal_basis *basis;
    rt_flexible *out;
    rt_arena *arena;
    double *a, *B, *h, *N, *M, *K, *D;
    double *J1, *J2, *H_even, *H_odd; /* NULL: full has none */
    rt_scalar *half; /* HALF for each of full's coordinates: N_kl Phi_lb, M_kl Phi_lb and so on */
    rt_flexible_node *nodes;
    double *shapes; /* S and R, 3 x n each, of every node */
    rt_elastic *coordinate;
    rt_scalar *size; /* of every mode */
} modal_change;

static rt_scalar modal_shape(const modal_change *s, int k, int mode)
{
    return s->basis->Phi[(size_t)s->full->n * (size_t)mode + (size_t)k];
}

/* A number of the full body. */
#define NUMBER(s, member, k) RT_SHAPE_NUMBER((s)->full, (s)->slope, member, k)

/* ---- room ------------------------------------------------------------------------------------ */

static routh_status modal_make_pattern(modal_change *s, routh_error *error)
{
    const int n = s->out->n;
    int *start = RT_TAKE(s->arena, int, n + 1), *row = RT_TAKE(s->arena, int, (size_t)n *(size_t)n);
    if (!start || !row) return rt_fail_memory(error);
    for (int l = 0; l <= n; l++) start[l] = n * l;
    for (int e = 0; e < n * n; e++) row[e] = e % n;
    s->out->pattern = (rt_pattern){n, n, start, row};
    return ROUTH_OK;
}

static routh_status modal_take_arrays(modal_change *s, routh_error *error)
{
    rt_flexible *f = s->out;
    const size_t n = (size_t)f->n;
    f->a = s->a = RT_TAKE(s->arena, double, 3 * n);
    f->B = s->B = RT_TAKE(s->arena, double, 9 * n);
    f->h = s->h = RT_TAKE(s->arena, double, 3 * n);
    f->N = s->N = RT_TAKE(s->arena, double, 9 * n * n);
    f->M = s->M = RT_TAKE(s->arena, double, n *n);
    f->K = s->K = RT_TAKE(s->arena, double, n *n);
    f->D = s->D = RT_TAKE(s->arena, double, n *n);
    if (!s->a || !s->B || !s->h || !s->N || !s->M || !s->K || !s->D) return rt_fail_memory(error);
    if (!s->full->J2) return ROUTH_OK;
    f->J1 = s->J1 = RT_TAKE(s->arena, double, 9 * n);
    f->J2 = s->J2 = RT_TAKE(s->arena, double, 9 * n * n);
    f->H_even = s->H_even = RT_TAKE(s->arena, double, 3 * n * n);
    f->H_odd = s->H_odd = RT_TAKE(s->arena, double, 3 * n * n);
    return s->J1 && s->J2 && s->H_even && s->H_odd ? ROUTH_OK : rt_fail_memory(error);
}

static routh_status modal_make_nodes(modal_change *s, routh_error *error)
{
    const rt_flexible *full = s->full;
    const size_t n = (size_t)s->out->n, count = (size_t)full->n_nodes;
    int *columns = RT_TAKE(s->arena, int, n);
    s->nodes = RT_TAKE(s->arena, rt_flexible_node, count);
    s->shapes = RT_TAKE(s->arena, double, 6 * n * count);
    if (!s->nodes || !s->shapes || !columns) return rt_fail_memory(error);
    for (int mode = 0; mode < s->out->n; mode++) columns[mode] = mode;
    for (size_t k = 0; k < count; k++) {
        s->nodes[k] = full->nodes[k];
        s->nodes[k].n = s->out->n, s->nodes[k].column = columns;
        s->nodes[k].S = s->shapes + 6 * n * k, s->nodes[k].R = s->nodes[k].S + 3 * n;
    }
    s->out->n_nodes = full->n_nodes, s->out->nodes = s->nodes;
    return ROUTH_OK;
}

static routh_status name_modes(modal_change *s, routh_error *error)
{
    rt_elastic *modes = s->coordinate = RT_TAKE(s->arena, rt_elastic, s->out->n);
    if (!modes) return rt_fail_memory(error);
    for (int k = 0; k < s->out->n; k++) {
        char name[24];
        const int length = snprintf(name, sizeof name, "mode %d", k + 1);
        modes[k] =
            (rt_elastic){rt_arena_text(s->arena, name, (size_t)length), RT_ELASTIC_AMPLITUDE, 0};
        if (!modes[k].name) return rt_fail_memory(error);
    }
    s->out->coordinate = modes;
    return ROUTH_OK;
}

static routh_status copy_pictures(modal_change *s, routh_error *error)
{
    const rt_flexible *full = s->full;
    const size_t n_lines = 2 * (size_t)full->n_lines, n_triangles = 3 * (size_t)full->n_triangles;
    int *lines = RT_TAKE(s->arena, int, n_lines), *triangles = RT_TAKE(s->arena, int, n_triangles);
    if (!lines || !triangles) return rt_fail_memory(error);
    if (n_lines) memcpy(lines, full->lines, n_lines * sizeof *lines);
    if (n_triangles) memcpy(triangles, full->triangles, n_triangles * sizeof *triangles);
    s->out->n_lines = full->n_lines, s->out->lines = lines;
    s->out->n_triangles = full->n_triangles, s->out->triangles = triangles;
    return ROUTH_OK;
}

routh_status rt_modal_change_create(rt_modal_change **made, const rt_flexible *full, int n_modes,
                                    rt_arena *arena, rt_arena *scratch, routh_error *error)
{
    modal_change *s = RT_TAKE(scratch, modal_change, 1);
    if (!s) return rt_fail_memory(error);
    *s = (modal_change){.full = full, .arena = arena, .out = RT_TAKE(arena, rt_flexible, 1)};
    s->half = RT_TAKE(scratch, rt_scalar, HALF * (size_t)full->n);
    s->size = RT_TAKE(scratch, rt_scalar, n_modes);
    if (!s->out || !s->half || !s->size) return rt_fail_memory(error);
    s->out->n = n_modes;
    routh_status status = modal_make_pattern(s, error);
    if (!status) status = modal_take_arrays(s, error);
    if (!status) status = modal_make_nodes(s, error);
    if (!status) status = name_modes(s, error);
    if (!status) status = copy_pictures(s, error);
    *made = s;
    return status;
}

/* ---- moments --------------------------------------------------------------------------------- */

static void add_linear(modal_change *s, int mode)
{
    for (int k = 0; k < s->full->n; k++) {
        const rt_scalar by = modal_shape(s, k, mode);
        for (int i = 0; i < 3; i++) {
            s->a[3 * mode + i] += rt_held(by * NUMBER(s, a, 3 * k + i));
            s->h[3 * mode + i] += rt_held(by * NUMBER(s, h, 3 * k + i));
        }
        for (int i = 0; i < 9; i++) s->B[9 * mode + i] += rt_held(by * NUMBER(s, B, 9 * k + i));
        for (int i = 0; i < 9 && s->J1; i++)
            s->J1[9 * mode + i] += rt_held(by * NUMBER(s, J1, 9 * k + i));
    }
}

/* half += by (N_kl, M_kl, ..) of entry e */
static void add_half(const modal_change *s, int e, rt_scalar by, rt_scalar half[HALF])
{
    const size_t nine = 9 * (size_t)e, three = 3 * (size_t)e;
    for (size_t i = 0; i < 9; i++) half[i] += by * NUMBER(s, N, nine + i);
    half[9] += by * NUMBER(s, M, e);
    if (!s->J2) return;
    for (size_t i = 0; i < 9; i++) half[HALF_J2 + i] += by * NUMBER(s, J2, nine + i);
    for (size_t i = 0; i < 3; i++) {
        half[HALF_EVEN + i] += by * NUMBER(s, H_even, three + i);
        half[HALF_ODD + i] += by * NUMBER(s, H_odd, three + i);
    }
}

static void keep_pair(modal_change *s, size_t to, const rt_scalar sum[HALF])
{
    for (size_t i = 0; i < 9; i++) s->N[9 * to + i] = rt_held(sum[i]);
    s->M[to] = rt_held(sum[9]);
    s->D[to] = rt_held(s->basis->by_mass * (sum[0] + sum[4] + sum[8] + sum[9]));
    if (!s->J2) return;
    for (size_t i = 0; i < 9; i++) s->J2[9 * to + i] = rt_held(sum[HALF_J2 + i]);
    for (size_t i = 0; i < 3; i++) {
        s->H_even[3 * to + i] = rt_held(sum[HALF_EVEN + i]);
        s->H_odd[3 * to + i] = rt_held(sum[HALF_ODD + i]);
    }
}

/* Column `mode` of N, M and so on; by way of N_kl Phi_lb */
static void add_quadratic(modal_change *s, int mode)
{
    const rt_flexible *full = s->full;
    const rt_pattern *p = &full->pattern;
    memset(s->half, 0, HALF * (size_t)full->n * sizeof *s->half);
    for (int l = 0; l < full->n; l++)
        for (int e = p->start[l]; e < p->start[l + 1]; e++)
            add_half(s, e, modal_shape(s, l, mode), s->half + HALF * (size_t)p->row[e]);
    for (int other = 0; other < s->out->n; other++) {
        rt_scalar sum[HALF] = {0};
        for (int k = 0; k < full->n; k++) {
            const rt_scalar by = modal_shape(s, k, other), *half = s->half + HALF * (size_t)k;
            for (int i = 0; i < HALF; i++) sum[i] += by * half[i];
        }
        keep_pair(s, (size_t)s->out->n * (size_t)mode + (size_t)other, sum);
    }
}

static void add_stiffness(modal_change *s, int mode)
{
    const size_t to = ((size_t)s->out->n + 1) * (size_t)mode;
    s->K[to] = rt_held(s->basis->stiffness[mode]);
    s->D[to] += rt_held(s->basis->by_stiffness * s->basis->stiffness[mode]);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* X: 3 numbers at unit amplitude of a mode, of the node's S or R */
static void shape_at(const modal_change *s, const rt_flexible_node *node, const double *values,
                     const double *slopes, int mode, rt_scalar X[3])
{
    for (int i = 0; i < 3; i++) {
        X[i] = 0;
        for (int k = 0; k < node->n; k++)
            X[i] += rt_shape_number(values, slopes, (size_t)(node->n * i + k)) *
                    modal_shape(s, node->column[k], mode);
    }
}

static void modal_grow(rt_scalar *size, rt_scalar x)
{
    if (rt_re(x) > rt_re(*size)) *size = x;
}

static void modal_fill_node(modal_change *s, int k)
{
    const rt_flexible_node *node = &s->full->nodes[k], *by = s->slope ? &s->slope->nodes[k] : NULL;
    const int n = s->out->n;
    double *S = s->shapes + 6 * (size_t)n * (size_t)k, *R = S + 3 * (size_t)n;
    for (int mode = 0; mode < n; mode++) {
        rt_scalar displacement[3], turn[3];
        shape_at(s, node, node->S, by ? by->S : NULL, mode, displacement);
        shape_at(s, node, node->R, by ? by->R : NULL, mode, turn);
        for (int i = 0; i < 3; i++) {
            S[n * i + mode] = rt_held(displacement[i]);
            R[n * i + mode] = rt_held(turn[i]);
        }
        modal_grow(&s->size[mode], rt_v3_norm(displacement));
        modal_grow(&s->size[mode], s->basis->radius * rt_v3_norm(turn));
    }
    for (int i = 0; i < 3; i++) s->nodes[k].X[i] = rt_held(RT_SHAPE_NUMBER(node, by, X, i));
    for (int i = 0; i < 9; i++) s->nodes[k].axes[i] = rt_held(RT_SHAPE_NUMBER(node, by, axes, i));
}

static void modal_fill_nodes(modal_change *s)
{
    memset(s->size, 0, (size_t)s->out->n * sizeof *s->size);
    for (int k = 0; k < s->full->n_nodes; k++) modal_fill_node(s, k);
    for (int k = 0; k < s->out->n; k++) s->coordinate[k].size = rt_held(s->size[k]);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void fill_rigid(modal_change *s)
{
    rt_flexible *f = s->out;
    f->mass = rt_held(rt_shape_number(&s->full->mass, s->slope ? &s->slope->mass : NULL, 0));
    for (int i = 0; i < 3; i++) f->first[i] = rt_held(NUMBER(s, first, i));
    for (int i = 0; i < 9; i++) f->second[i] = rt_held(NUMBER(s, second, i));
    for (int i = 0; i < 9; i++) f->rotary[i] = rt_held(NUMBER(s, rotary, i));
}

rt_flexible *rt_modal_change_fill(rt_modal_change *s, const rt_flexible *slope,
                                  const rt_modal_basis *basis)
{
    const size_t n = (size_t)s->out->n;
    s->slope = slope, s->basis = basis;
    memset(s->a, 0, 3 * n * sizeof *s->a);
    memset(s->B, 0, 9 * n * sizeof *s->B);
    memset(s->h, 0, 3 * n * sizeof *s->h);
    if (s->J1) memset(s->J1, 0, 9 * n * sizeof *s->J1);
    fill_rigid(s);
    for (int mode = 0; mode < s->out->n; mode++) {
        add_linear(s, mode);
        add_quadratic(s, mode);
        add_stiffness(s, mode);
    }
    modal_fill_nodes(s);
    return s->out;
}

#ifndef RT_VARIATION

/* k = Phi' k_part Phi */
static void fill_part(const modal_change *s, const rt_flexible_part *part, double *k)
{
    const int n = s->out->n;
    for (int b = 0; b < n; b++)
        for (int y = 0; y < part->n; y++) {
            double force = 0;
            for (int x = 0; x < part->n; x++)
                force += part->k[part->n * y + x] * rt_re(modal_shape(s, part->column[x], b));
            for (int a = 0; a < n; a++)
                k[n * a + b] += rt_re(modal_shape(s, part->column[y], a)) * force;
        }
}

static routh_status modal_make_parts(modal_change *s, routh_error *error)
{
    const rt_flexible *full = s->full;
    const size_t n = (size_t)s->out->n;
    rt_flexible_part *parts = RT_TAKE(s->arena, rt_flexible_part, full->n_parts);
    if (!parts) return rt_fail_memory(error);
    for (int k = 0; k < full->n_parts; k++) {
        double *stiffness = RT_TAKE(s->arena, double, n *n);
        if (!stiffness) return rt_fail_memory(error);
        fill_part(s, &full->parts[k], stiffness);
        parts[k] = full->parts[k];
        parts[k].n = s->out->n, parts[k].column = s->out->nodes[0].column, parts[k].k = stiffness;
    }
    s->out->n_parts = full->n_parts, s->out->parts = parts;
    return ROUTH_OK;
}

routh_status rt_flexible_modal(const rt_flexible **flexible, const rt_flexible *full,
                               const rt_modal_basis *basis, rt_arena *arena, routh_error *error)
{
    rt_arena scratch = {0};
    modal_change *s = NULL;
    routh_status status = rt_modal_change_create(&s, full, basis->n_modes, arena, &scratch, error);
    if (!status) {
        *flexible = rt_modal_change_fill(s, NULL, basis);
        status = modal_make_parts(s, error);
    }
    rt_arena_free(&scratch);
    return status;
}

#endif
