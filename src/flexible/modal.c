/* Moments are linear or quadratic in the shapes: with S_a = S_k Phi_ka
 *     a_a = a_k Phi_ka,   B_a = B_k Phi_ka,   h_a = h_k Phi_ka,   N_ab = Phi_ka N_kl Phi_lb,
 *     M_ab = Phi_ka M_kl Phi_lb. */
#include "flexible/modal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec3.h"

typedef struct change {
    const rt_flexible *full;
    const rt_modal_basis *basis;
    rt_flexible *out;
    rt_arena *arena;
    double *a, *B, *h, *N, *M, *K, *D;
    double *half; /* 10 for each of full's coordinates: N_kl Phi_lb and M_kl Phi_lb */
} change;

static double shape(const change *s, int k, int mode)
{
    return s->basis->Phi[(size_t)s->full->n * (size_t)mode + (size_t)k];
}

static routh_status make_pattern(change *s, routh_error *error)
{
    const int n = s->basis->n_modes;
    int *start = RT_TAKE(s->arena, int, n + 1), *row = RT_TAKE(s->arena, int, (size_t)n *(size_t)n);
    if (!start || !row) return rt_fail_memory(error);
    for (int l = 0; l <= n; l++) start[l] = n * l;
    for (int e = 0; e < n * n; e++) row[e] = e % n;
    s->out->pattern = (rt_pattern){n, n, start, row};
    return ROUTH_OK;
}

static routh_status take_arrays(change *s, routh_error *error)
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
    return s->a && s->B && s->h && s->N && s->M && s->K && s->D ? ROUTH_OK : rt_fail_memory(error);
}

static void add_linear(change *s, int mode)
{
    for (int k = 0; k < s->full->n; k++) {
        const double by = shape(s, k, mode);
        rt_v3_add_scaled(s->a + 3 * mode, by, s->full->a + 3 * k);
        rt_v3_add_scaled(s->h + 3 * mode, by, s->full->h + 3 * k);
        for (int i = 0; i < 9; i++) s->B[9 * mode + i] += by * s->full->B[9 * k + i];
    }
}

/* Column `mode` of N, M; by way of N_kl Phi_lb */
static void add_quadratic(change *s, int mode)
{
    const rt_flexible *full = s->full;
    const rt_pattern *p = &full->pattern;
    memset(s->half, 0, 10 * (size_t)full->n * sizeof *s->half);
    for (int l = 0; l < full->n; l++)
        for (int e = p->start[l]; e < p->start[l + 1]; e++) {
            double *half = s->half + 10 * (size_t)p->row[e];
            const double by = shape(s, l, mode);
            for (int i = 0; i < 9; i++) half[i] += by * full->N[9 * (size_t)e + (size_t)i];
            half[9] += by * full->M[e];
        }
    for (int other = 0; other < s->out->n; other++) {
        const size_t to = (size_t)s->out->n * (size_t)mode + (size_t)other;
        for (int k = 0; k < full->n; k++) {
            const double by = shape(s, k, other), *half = s->half + 10 * (size_t)k;
            for (int i = 0; i < 9; i++) s->N[9 * to + (size_t)i] += by * half[i];
            s->M[to] += by * half[9];
        }
        s->D[to] =
            s->basis->by_mass * (s->N[9 * to] + s->N[9 * to + 4] + s->N[9 * to + 8] + s->M[to]);
    }
}

static void add_stiffness(change *s, int mode)
{
    const size_t to = ((size_t)s->out->n + 1) * (size_t)mode;
    s->K[to] = s->basis->stiffness[mode];
    s->D[to] += s->basis->by_stiffness * s->basis->stiffness[mode];
}

/* S, R: 3 x n_modes */
static void shapes_at(const change *s, const rt_flexible_node *node, double *S, double *R)
{
    const int n = s->out->n;
    for (int mode = 0; mode < n; mode++)
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < node->n; k++) {
                const double by = shape(s, node->column[k], mode);
                S[n * i + mode] += node->S[node->n * i + k] * by;
                R[n * i + mode] += node->R[node->n * i + k] * by;
            }
}

static routh_status make_nodes(change *s, routh_error *error)
{
    const rt_flexible *full = s->full;
    const size_t n = (size_t)s->out->n, count = (size_t)full->n_nodes;
    rt_flexible_node *nodes = RT_TAKE(s->arena, rt_flexible_node, count);
    double *shapes = RT_TAKE(s->arena, double, 6 * n * count);
    int *columns = RT_TAKE(s->arena, int, n);
    if (!nodes || !shapes || !columns) return rt_fail_memory(error);
    for (int mode = 0; mode < s->out->n; mode++) columns[mode] = mode;
    for (size_t k = 0; k < count; k++) {
        double *S = shapes + 6 * n * k, *R = S + 3 * n;
        shapes_at(s, &full->nodes[k], S, R);
        nodes[k] = full->nodes[k];
        nodes[k].n = s->out->n, nodes[k].column = columns;
        nodes[k].S = S, nodes[k].R = R;
    }
    s->out->n_nodes = full->n_nodes, s->out->nodes = nodes;
    return ROUTH_OK;
}

static double largest_at(const rt_flexible_node *node, int mode, double radius)
{
    double displacement[3], turn[3];
    for (int i = 0; i < 3; i++) {
        displacement[i] = node->S[node->n * i + mode];
        turn[i] = node->R[node->n * i + mode];
    }
    return fmax(rt_v3_norm(displacement), radius * rt_v3_norm(turn));
}

static routh_status name_modes(change *s, routh_error *error)
{
    rt_elastic *modes = RT_TAKE(s->arena, rt_elastic, s->out->n);
    if (!modes) return rt_fail_memory(error);
    for (int k = 0; k < s->out->n; k++) {
        char name[24];
        const int length = snprintf(name, sizeof name, "mode %d", k + 1);
        modes[k] =
            (rt_elastic){rt_arena_text(s->arena, name, (size_t)length), RT_ELASTIC_AMPLITUDE, 0};
        if (!modes[k].name) return rt_fail_memory(error);
        for (int node = 0; node < s->out->n_nodes; node++)
            modes[k].size =
                fmax(modes[k].size, largest_at(&s->out->nodes[node], k, s->basis->radius));
    }
    s->out->coordinate = modes;
    return ROUTH_OK;
}

/* k = Phi' k_part Phi */
static void fill_part(const change *s, const rt_flexible_part *part, double *k)
{
    const int n = s->out->n;
    for (int b = 0; b < n; b++)
        for (int y = 0; y < part->n; y++) {
            double force = 0;
            for (int x = 0; x < part->n; x++)
                force += part->k[part->n * y + x] * shape(s, part->column[x], b);
            for (int a = 0; a < n; a++) k[n * a + b] += shape(s, part->column[y], a) * force;
        }
}

static routh_status make_parts(change *s, routh_error *error)
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

static routh_status copy_pictures(change *s, routh_error *error)
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

static routh_status change_body(change *s, routh_error *error)
{
    routh_status status = make_pattern(s, error);
    if (!status) status = take_arrays(s, error);
    for (int mode = 0; !status && mode < s->out->n; mode++) {
        add_linear(s, mode);
        add_quadratic(s, mode);
        add_stiffness(s, mode);
    }
    if (!status) status = make_nodes(s, error);
    if (!status) status = name_modes(s, error);
    if (!status) status = make_parts(s, error);
    return status ? status : copy_pictures(s, error);
}

routh_status rt_flexible_modal(const rt_flexible **flexible, const rt_flexible *full,
                               const rt_modal_basis *basis, rt_arena *arena, routh_error *error)
{
    rt_arena scratch = {0};
    change s = {.full = full, .basis = basis, .arena = arena};
    s.out = RT_TAKE(arena, rt_flexible, 1);
    s.half = RT_TAKE(&scratch, double, 10 * (size_t)full->n);
    routh_status status = s.out && s.half ? ROUTH_OK : rt_fail_memory(error);
    if (!status) {
        s.out->n = basis->n_modes;
        s.out->mass = full->mass;
        memcpy(s.out->first, full->first, sizeof full->first);
        memcpy(s.out->second, full->second, sizeof full->second);
        memcpy(s.out->rotary, full->rotary, sizeof full->rotary);
        status = change_body(&s, error);
    }
    rt_arena_free(&scratch);
    if (!status) *flexible = s.out;
    return status;
}
