/* See reflect.h. With d = det D and a sign c_k for each coordinate, q_k = c_k q'_k,
 *     X' = D X,  S'_k = c_k D S_k,  R'_k = c_k d D R_k
 * and from the integrals (flexible.h)
 *     a'_k = c_k D a_k,  B'_k = c_k D B_k D,  h'_k = c_k d D h_k,  N'_kl = c_k c_l D N_kl D,
 *     J'_k = c_k D J_k D,  H'_kl = c_k c_l d D H_kl,  K'_kl = c_k c_l K_kl,  so M and D.
 * Where the coordinate is along axis i of a node or a frame, that axis A e_i becomes D A D e_i, so
 * that c_k = D_i of a displacement and d D_i of a rotation; of an amplitude c_k = 1. */
#include "flexible/reflect.h"

#include <string.h>

typedef struct flexible_reflection {
    const rt_flexible *from;
    rt_flexible *to;
    const int *D;
    int d;
    const int *c; /* by coordinate */
    rt_arena *arena;
} flexible_reflection;

static void reflect_signs(const flexible_reflection *x, int *c)
{
    for (int k = 0; k < x->from->n; k++) {
        const rt_elastic *q = &x->from->coordinate[k];
        const size_t length = strlen(q->name);
        const char letter = length ? q->name[length - 1] : 'x';
        const int i = letter == 'y' ? 1 : letter == 'z' ? 2 : 0;
        c[k] = q->kind == RT_ELASTIC_LENGTH  ? x->D[i]
               : q->kind == RT_ELASTIC_ANGLE ? x->d * x->D[i]
                                             : 1;
    }
}

/* Numbers in groups: 1, 3 (vectors) or 9 (matrices) of them; group g times sign[g]. NULL stays. */
enum { REFLECT_SCALAR = 1, REFLECT_VECTOR = 3, REFLECT_MATRIX = 9 };

static int reflect_sign_within(const flexible_reflection *x, int size, int i)
{
    if (size == REFLECT_SCALAR) return 1;
    return size == REFLECT_VECTOR ? x->D[i] : x->D[i / 3] * x->D[i % 3];
}

static bool reflect_groups(const flexible_reflection *x, const double *from, const double **to,
                           size_t n, int size, bool axial, const int *sign)
{
    if (!from) return true;
    double *out = RT_TAKE(x->arena, double, n *(size_t)size + 1);
    if (!out) return false;
    for (size_t g = 0; g < n; g++)
        for (int i = 0; i < size; i++)
            out[g * (size_t)size + (size_t)i] = from[g * (size_t)size + (size_t)i] *
                                                reflect_sign_within(x, size, i) *
                                                (axial ? x->d : 1) * (sign ? sign[g] : 1);
    *to = out;
    return true;
}

/* 3 rows of as many numbers as there are columns. */
static bool reflect_rows(const flexible_reflection *x, const rt_flexible_node *node,
                         const double *from, const double **to, bool axial)
{
    if (!from) return true;
    double *out = RT_TAKE(x->arena, double, 3 * (size_t)node->n + 1);
    if (!out) return false;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < node->n; k++)
            out[i * node->n + k] =
                from[i * node->n + k] * x->D[i] * (axial ? x->d : 1) * x->c[node->column[k]];
    *to = out;
    return true;
}

static bool reflect_nodes(flexible_reflection *x)
{
    rt_flexible_node *nodes = RT_TAKE(x->arena, rt_flexible_node, x->from->n_nodes);
    if (!nodes) return false;
    for (int k = 0; k < x->from->n_nodes; k++) {
        const rt_flexible_node *node = &x->from->nodes[k];
        nodes[k] = *node;
        for (int i = 0; i < 3; i++) nodes[k].X[i] = x->D[i] * node->X[i];
        for (int i = 0; i < 9; i++) nodes[k].axes[i] = x->D[i / 3] * x->D[i % 3] * node->axes[i];
        if (!reflect_rows(x, node, node->S, &nodes[k].S, false) ||
            !reflect_rows(x, node, node->R, &nodes[k].R, true))
            return false;
    }
    x->to->nodes = nodes;
    return true;
}

/* Stiffness and rows by the coordinates that a part of the body sees. */
static bool reflect_part(const flexible_reflection *x, rt_flexible_part *part)
{
    const int n = part->n;
    double *k = RT_TAKE(x->arena, double, (size_t)n *(size_t)n + 1);
    double *rows = RT_TAKE(x->arena, double, (size_t)part->n_rows *(size_t)n + 1);
    if (!k || !rows) return false;
    for (int i = 0; i < n && part->k; i++)
        for (int j = 0; j < n; j++)
            k[i * n + j] = part->k[i * n + j] * x->c[part->column[i]] * x->c[part->column[j]];
    for (int i = 0; i < part->n_rows; i++)
        for (int j = 0; j < n; j++) rows[i * n + j] = part->rows[i * n + j] * x->c[part->column[j]];
    if (part->k) part->k = k;
    if (part->rows) part->rows = rows;
    return true;
}

/* What a triangle shows outwards stays outside. */
static bool reflect_drawing(flexible_reflection *x)
{
    int *triangles = RT_TAKE(x->arena, int, 3 * (size_t)x->from->n_triangles + 1);
    rt_flexible_part *parts = RT_TAKE(x->arena, rt_flexible_part, (size_t)x->from->n_parts + 1);
    if (!triangles || !parts) return false;
    for (int t = 0; t < x->from->n_triangles; t++)
        for (int i = 0; i < 3; i++)
            triangles[3 * t + i] = x->from->triangles[3 * t + (x->d < 0 ? 2 - i : i)];
    for (int p = 0; p < x->from->n_parts; p++) {
        parts[p] = x->from->parts[p];
        if (!reflect_part(x, &parts[p])) return false;
    }
    x->to->triangles = triangles;
    x->to->parts = parts;
    return true;
}

static bool reflect_numbers(flexible_reflection *x, const int *both)
{
    const rt_flexible *f = x->from;
    rt_flexible *to = x->to;
    const size_t n = (size_t)f->n, entries = (size_t)f->pattern.start[f->n];
    for (int i = 0; i < 3; i++) to->first[i] = x->D[i] * f->first[i];
    for (int i = 0; i < 9; i++) {
        const int sign = reflect_sign_within(x, REFLECT_MATRIX, i);
        to->second[i] = sign * f->second[i], to->rotary[i] = sign * f->rotary[i];
    }
    return reflect_groups(x, f->a, &to->a, n, REFLECT_VECTOR, false, x->c) &&
           reflect_groups(x, f->B, &to->B, n, REFLECT_MATRIX, false, x->c) &&
           reflect_groups(x, f->h, &to->h, n, REFLECT_VECTOR, true, x->c) &&
           reflect_groups(x, f->J1, &to->J1, n, REFLECT_MATRIX, false, x->c) &&
           reflect_groups(x, f->N, &to->N, entries, REFLECT_MATRIX, false, both) &&
           reflect_groups(x, f->a2, &to->a2, entries, REFLECT_VECTOR, false, both) &&
           reflect_groups(x, f->B2, &to->B2, entries, REFLECT_MATRIX, false, both) &&
           reflect_groups(x, f->J2, &to->J2, entries, REFLECT_MATRIX, false, both) &&
           reflect_groups(x, f->H_even, &to->H_even, entries, REFLECT_VECTOR, true, both) &&
           reflect_groups(x, f->H_odd, &to->H_odd, entries, REFLECT_VECTOR, true, both) &&
           reflect_groups(x, f->M, &to->M, entries, REFLECT_SCALAR, false, both) &&
           reflect_groups(x, f->K, &to->K, entries, REFLECT_SCALAR, false, both) &&
           reflect_groups(x, f->D, &to->D, entries, REFLECT_SCALAR, false, both);
}

routh_status rt_flexible_reflect(const rt_flexible **image, const rt_flexible *body, const int D[3],
                                 rt_arena *arena, routh_error *error)
{
    const rt_pattern *p = &body->pattern;
    rt_flexible *to = RT_TAKE(arena, rt_flexible, 1);
    int *c = RT_TAKE(arena, int, (size_t)body->n + 1);
    int *both = RT_TAKE(arena, int, (size_t)p->start[body->n] + 1);
    if (!to || !c || !both) return rt_fail_memory(error);
    *to = *body;
    flexible_reflection x = {body, to, D, D[0] * D[1] * D[2], c, arena};
    reflect_signs(&x, c);
    for (int l = 0; l < body->n; l++)
        for (int e = p->start[l]; e < p->start[l + 1]; e++) both[e] = c[p->row[e]] * c[l];
    if (!reflect_numbers(&x, both) || !reflect_nodes(&x) || !reflect_drawing(&x))
        return rt_fail_memory(error);
    *image = to;
    return ROUTH_OK;
}
