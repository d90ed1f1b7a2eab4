/* See rod_shape.h: nodes on the axis, elements between them, what elements' masses do to nodes. */
#include "model/rod_shape.h"

#include <string.h>

#include "base/lobatto.h"
#include "base/rotation.h"
#include "base/vec3.h"

/* ---- what goes in --------------------------------------------------------------------------- */

int rt_rod_at_profile(const rt_rod_plan *plan, rt_rod_property property)
{
    int at = rt_rod_at_stations(plan) + plan->n_stations;
    for (int k = 0; k < (int)property; k++) at += plan->given[k] ? plan->n_stations : 0;
    return at;
}

int rt_rod_count_numbers(const rt_rod_plan *plan)
{
    return rt_rod_at_profile(plan, RT_ROD_N_PROPERTIES);
}

/* false: the stiffness is not positive definite */
static bool take_sections(const rt_rod_plan *plan, const rt_scalar *in, rt_rod_sections *s)
{
    *s = (rt_rod_sections){.type = plan->type,
                           .n_stations = plan->n_stations,
                           .station = in + rt_rod_at_stations(plan),
                           .whole = plan->whole,
                           .damping_ratio = in[rt_rod_at_ratio(plan)]};
    memcpy(s->damping, in + rt_rod_at_damping(plan), sizeof s->damping);
    memcpy(s->kept, plan->kept, sizeof s->kept);
    for (int k = 0; k < RT_ROD_N_PROPERTIES; k++)
        if (plan->given[k]) s->profile[k] = in + rt_rod_at_profile(plan, (rt_rod_property)k);
    return !plan->whole || rt_rod_invert(in + rt_rod_at_stiffness(plan), s->flexibility);
}

/* ---- nodes ---------------------------------------------------------------------------------- */

/* A node while masses are gathered, world components. */
typedef struct node {
    rt_scalar r[3], A[9];     /* on the axis; x along it */
    rt_scalar mass, first[3]; /* first: moments about r, all of them */
    rt_scalar across[3],
        second[9];   /* those across the axis, and inertia about r without the rest */
    rt_scalar along; /* along the axis, from the beginning */
    /* of the moments that first is a sum of, and of their derivatives */
    rt_scalar size, size_of_slopes;
} node;

size_t rt_rod_make_work(const rt_rod_plan *plan)
{
    return (size_t)rt_rod_count_nodes(plan) * (sizeof(node) / sizeof(rt_scalar));
}

void rt_rod_axes(const rt_scalar d[3], const rt_scalar side[3], rt_scalar E[9])
{
    rt_scalar x[3], y[3], z[3];
    rt_v3_scale(x, 1 / rt_v3_norm(d), d);
    rt_v3_cross(z, x, side);
    rt_v3_scale(z, 1 / rt_v3_norm(z), z);
    rt_v3_cross(y, z, x);
    for (int k = 0; k < 3; k++) E[3 * k] = x[k], E[3 * k + 1] = y[k], E[3 * k + 2] = z[k];
}

/* The section's rotation about its axis. */
static void twist_nodes(const rt_rod_sections *s, node *nodes, int n)
{
    for (int k = 0; k < n; k++) {
        const rt_scalar turn[3] = {rt_rod_twist(s, nodes[k].along), 0, 0};
        rt_scalar Q[9], A[9];
        rt_rotation_exp(Q, turn);
        memcpy(A, nodes[k].A, sizeof A);
        rt_m3_mul(nodes[k].A, A, Q);
    }
}

/* Nodes at the points, each frame's x half-way between the elements that meet there. */
static void place_curve(const rt_rod_plan *plan, const rt_scalar *in, const rt_rod_sections *s,
                        node *nodes)
{
    const int order = plan->order;
    const double *points = rt_lobatto_points(order);
    rt_scalar along = 0, before[3] = {0};
    for (int k = 0; k < plan->per_piece; k++) {
        const rt_scalar *r[RT_LOBATTO_ORDER + 1];
        rt_scalar d[3] = {0}, x[3];
        for (int j = 0; j <= order; j++) r[j] = in + 3 * (order * k + j);
        for (int j = 0; j <= order; j++) {
            node *at = &nodes[order * k + j];
            rt_v3_copy(at->r, r[j]);
            at->along = along + rt_spectral_length(order, points[j], r);
            rt_spectral_tangent_at(order, points[j], r, d);
            rt_v3_scale(x, 1 / rt_v3_norm(d), d);
            if (j == order) rt_v3_copy(before, x);
            if (j == 0) rt_v3_add(x, x, before);
            rt_rod_axes(x, in + rt_rod_at_side(plan), at->A);
        }
        along = nodes[order * (k + 1)].along;
    }
    twist_nodes(s, nodes, rt_rod_count_nodes(plan));
}

/* Nodes on the axis, those of an element at its points of Lobatto, each frame's x half-way between
 * the pieces that meet there. */
static void place_nodes(const rt_rod_plan *plan, const rt_scalar *in, const rt_rod_sections *s,
                        node *nodes)
{
    const int order = plan->order, n = order * plan->per_piece, n_pieces = plan->n_points - 1;
    const double *points = rt_lobatto_points(order);
    rt_scalar along = 0, before[3] = {0};
    for (int p = 0; p < n_pieces; p++) {
        const rt_scalar *a = in + 3 * p, *b = a + 3;
        rt_scalar d[3], x[3], mean[3];
        rt_v3_sub(d, b, a);
        const rt_scalar length = rt_v3_norm(d);
        rt_v3_scale(x, 1 / length, d);
        for (int k = 0; k <= n; k++) {
            node *at = &nodes[p * n + k];
            const double t = (k / order + (1 + points[k % order]) / 2) / plan->per_piece;
            for (int i = 0; i < 3; i++) at->r[i] = a[i] + t * d[i];
            at->along = along + t * length;
            rt_v3_copy(mean, x);
            if (k == 0) rt_v3_add(mean, mean, before);
            rt_rod_axes(mean, in + rt_rod_at_side(plan), at->A);
        }
        rt_v3_copy(before, x);
        along += length;
    }
    twist_nodes(s, nodes, n * n_pieces + 1);
}

/* How large the derivatives are that a number carries; 0 where it carries none. */
static double slope_size(rt_scalar x)
{
#ifdef RT_VARIATION
    return rt_im(x) < 0 ? -rt_im(x) : rt_im(x);
#else
    (void)x;
    return 0;
#endif
}

/* x with its value, its derivative, or neither. */
static rt_scalar rod_make_keep(rt_scalar x, bool value, bool slope)
{
#ifdef RT_VARIATION
    return rt_complex(value ? rt_re(x) : 0, slope ? rt_im(x) : 0);
#else
    (void)slope;
    return value ? x : 0;
#endif
}

/* An end's part, from the element's axes E into the world. */
static void rod_make_add_mass(const rt_rod_element *element, int end, const rt_scalar E[9],
                              node *at)
{
    rt_scalar v[3], x[3], T[9], J[9];
    rt_m3_column(x, E, 0);
    rt_m3_mul_v(v, E, element->end[end].first);
    const rt_scalar along = element->end[end].along;
    at->mass += element->end[end].mass;
    for (int i = 0; i < 3; i++) {
        at->size += fabs(rt_re(v[i])) + fabs(rt_re(along * x[i]));
        at->size_of_slopes += slope_size(v[i]) + slope_size(along * x[i]);
    }
    rt_v3_add(at->across, at->across, v);
    rt_v3_add(at->first, at->first, v);
    rt_v3_add_scaled(at->first, along, x);
    rt_m3_mul(T, E, element->end[end].second);
    rt_m3_mul_t(J, T, E);
    for (int k = 0; k < 9; k++) at->second[k] += J[k];
}

/* Moments of the two elements that meet cancel to rounding where they are alike, and so do their
 * derivatives. */
static void rod_make_drop_rounding(node *at)
{
    double value = 0, slope = 0;
    for (int i = 0; i < 3; i++) {
        value += fabs(rt_re(at->first[i]));
        slope += slope_size(at->first[i]);
    }
    for (int i = 0; i < 3; i++)
        at->first[i] = rod_make_keep(at->first[i], value > 1e-13 * rt_re(at->size),
                                     slope > 1e-13 * rt_re(at->size_of_slopes));
}

/* The body at a node: its centre of mass is at r + first/mass; its inertia is that of the sections
 * about their common centre, not of how they are spread along the axis. */
static void rod_make_fill_node(const node *at, rt_scalar *out)
{
    rt_scalar c[3], d[3], J[9], T[9], own[9];
    rt_v3_scale(c, 1 / at->mass, at->across);
    const rt_scalar square = rt_v3_dot(c, c);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            J[3 * i + j] = at->second[3 * i + j] - at->mass * ((i == j ? square : 0) - c[i] * c[j]);
    rt_m3_tmul(T, at->A, J);
    rt_m3_mul(own, T, at->A);
    out[RT_ROD_NODE_MASS] = at->mass;
    for (int i = 0; i < 3; i++) out[RT_ROD_NODE_POSITION + i] = at->r[i] + at->first[i] / at->mass;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[RT_ROD_NODE_INERTIA + 3 * i + j] = (own[3 * i + j] + own[3 * j + i]) / 2;
    memcpy(out + RT_ROD_NODE_AXES, at->A, sizeof at->A);
    rt_v3_scale(d, -1 / at->mass, at->first);
    rt_m3_tmul_v(out + RT_ROD_NODE_MARKER, at->A, d);
}

/* ---- elements ------------------------------------------------------------------------------- */

/* The load of an element with the axes E between two frames as they stand: e is measured from
 * there, e_0 = (E'(r_b - r_a), 0), and B = A'E are its axes in those of either frame. */
static void rod_make_fill_load(const rt_rod_element *element, const rt_scalar E[9],
                               const rt_scalar *const r[2], const rt_scalar *const A[2],
                               rt_scalar *out)
{
    rt_scalar d[3];
    memcpy(out, element->stiffness, sizeof element->stiffness);
    memcpy(out + 36, element->damping, sizeof element->damping);
    rt_v3_sub(d, r[1], r[0]);
    rt_m3_tmul_v(out + 72, E, d);
    for (int k = 3; k < 6; k++) out[72 + k] = 0;
    for (int end = 0; end < 2; end++) rt_m3_tmul(out + 78 + 9 * end, A[end], E);
}

int rt_rod_load_numbers(const rt_rod_plan *plan)
{
    return plan->order > 1 ? rt_spectral_numbers(plan->order) : RT_ROD_ELEMENT_NUMBERS;
}

int rt_rod_element_numbers(const rt_rod_plan *plan)
{
    return rt_rod_load_numbers(plan) + RT_ROD_ROW_NUMBERS * rt_rod_count_kept(plan);
}

/* The rows at point g, whose section has the axes E in base axes. */
static void rod_make_fill_rows(const rt_rod_plan *plan, const rt_rod_sections *s, int g,
                               int interval, rt_scalar x, const rt_scalar x0[3],
                               const rt_scalar E[9], rt_scalar *out)
{
    const double weight = rt_gauss_weights(plan->order)[g];
    const int n = rt_rod_count_kept(plan) / plan->order;
    rt_scalar row[6];
    out += rt_rod_load_numbers(plan) + RT_ROD_ROW_NUMBERS * n * g;
    for (int k = 0; k < RT_ROD_KEPT; k++) {
        if (!plan->kept[k]) continue;
        rt_rod_section_kept(s, interval, x, k, row);
        for (int i = 0; i < 6; i++) row[i] *= weight;
        rt_v3_copy(out, x0);
        rt_m3_mul_v(out + 3, E, row);
        rt_m3_mul_v(out + 6, E, row + 3);
        out += RT_ROD_ROW_NUMBERS;
    }
}

/* The row of an element of order 1, whose axes are the base axes: x of its chord. */
static void rod_make_fill_stretch(const rt_rod_plan *plan, const rt_rod_sections *s,
                                  const node *ends, rt_scalar *out)
{
    const rt_scalar x0[3] = {(ends[1].along - ends[0].along) / 2, 0, 0};
    rt_scalar E[9];
    rt_m3_identity(E);
    rod_make_fill_rows(plan, s, 0, rt_rod_interval(s, ends[0].along), ends[0].along, x0, E, out);
}

static int rod_make_element(const rt_rod_plan *plan, const rt_scalar *in, const rt_rod_sections *s,
                            int k, node *nodes, rt_scalar *out)
{
    const rt_scalar *const r[2] = {nodes[k].r, nodes[k + 1].r};
    const rt_scalar *const A[2] = {nodes[k].A, nodes[k + 1].A};
    rt_rod_element element;
    const rt_scalar *piece = in + 3 * (k / plan->per_piece);
    rt_scalar E[9], d[3];
    rt_v3_sub(d, piece + 3, piece);
    rt_rod_axes(d, in + rt_rod_at_side(plan), E);
    if (!rt_rod_element_of(s, nodes[k].along, nodes[k + 1].along - nodes[k].along, &element))
        return k + 1;
    rod_make_fill_load(&element, E, r, A, out);
    if (rt_rod_count_kept(plan)) rod_make_fill_stretch(plan, s, &nodes[k], out);
    for (int end = 0; end < 2; end++) rod_make_add_mass(&element, end, E, &nodes[k + end]);
    return 0;
}

/* ---- elements of higher order --------------------------------------------------------------- */

/* Element k: sections at its points of Gauss, masses at those of Lobatto. No station lies inside
 * it. Base axes are those of the element where it is straight, else the world's. */
static void rod_make_spectral(const rt_rod_plan *plan, const rt_scalar *in,
                              const rt_rod_sections *s, int k, node *nodes, rt_scalar *out)
{
    const int order = plan->order;
    const rt_scalar *piece = in + 3 * (k / plan->per_piece), *r[RT_LOBATTO_ORDER + 1];
    const rt_scalar *stiffness = in + rt_rod_at_stiffness(plan), *side = in + rt_rod_at_side(plan);
    rt_scalar base[9], E[9], T[9], d[3], x0[3], C[36], D[36], Q[9];
    rt_rod_element element;
    nodes += order * k;
    for (int j = 0; j <= order; j++) r[j] = nodes[j].r;
    rt_m3_identity(base);
    if (!plan->curved) {
        rt_v3_sub(d, piece + 3, piece);
        rt_rod_axes(d, side, base);
    }
    memcpy(E, base, sizeof E);
    const rt_scalar middle = (nodes[0].along + nodes[order].along) / 2;
    const rt_scalar half = (nodes[order].along - nodes[0].along) / 2;
    const int interval = rt_rod_interval(s, middle);
    for (int j = 0; j <= order; j++) {
        rt_scalar weight = half * rt_lobatto_weights(order)[j];
        if (plan->curved) {
            rt_spectral_tangent_at(order, rt_lobatto_points(order)[j], r, d);
            rt_rod_axes(d, side, E);
            weight = rt_v3_norm(d) * rt_lobatto_weights(order)[j];
        }
        rt_spectral_fill_node(nodes[j].A, base, j, out);
        rt_rod_section_mass(s, interval, nodes[j].along, weight, &element);
        rod_make_add_mass(&element, 0, E, &nodes[j]);
    }
    for (int g = 0; g < order; g++) {
        const double at = rt_gauss_points(order)[g];
        const rt_scalar x =
            plan->curved ? nodes[0].along + rt_spectral_length(order, at, r) : middle + half * at;
        const rt_scalar turn[3] = {rt_rod_section_matrices(s, interval, x, stiffness, C, D), 0, 0};
        rt_rotation_exp(Q, turn);
        rt_spectral_tangent(order, g, r, d);
        rt_m3_tmul_v(x0, base, d);
        memcpy(T, Q, sizeof T);
        if (plan->curved) {
            rt_rod_axes(d, side, E);
            rt_m3_mul(T, E, Q);
        }
        rt_spectral_fill_point(order, g, x0, T, C, D, out);
        if (rt_rod_count_kept(plan)) rod_make_fill_rows(plan, s, g, interval, x, x0, T, out);
    }
}

int rt_rod_make(const rt_rod_plan *plan, const rt_scalar *in, rt_scalar *out, rt_scalar *work)
{
    const int n = rt_rod_count_elements(plan), n_nodes = rt_rod_count_nodes(plan);
    node *nodes = (node *)work;
    rt_rod_sections s;
    int problem = take_sections(plan, in, &s) ? 0 : 1;
    memset(nodes, 0, (size_t)n_nodes * sizeof *nodes);
    if (plan->curved)
        place_curve(plan, in, &s, nodes);
    else
        place_nodes(plan, in, &s, nodes);
    for (int k = 0; k < n && !problem; k++, out += rt_rod_element_numbers(plan)) {
        if (plan->order > 1)
            rod_make_spectral(plan, in, &s, k, nodes, out);
        else
            problem = rod_make_element(plan, in, &s, k, nodes, out);
    }
    for (int k = 0; k < n_nodes && !problem; k++, out += RT_ROD_NODE_NUMBERS) {
        rod_make_drop_rounding(&nodes[k]);
        rod_make_fill_node(&nodes[k], out);
    }
    return problem;
}

void rt_rod_load_side(const rt_scalar *in, rt_scalar y[3])
{
    const rt_scalar *side = in + RT_ROD_LOAD_SIDE;
    const bool given = rt_re(side[0]) != 0 || rt_re(side[1]) != 0 || rt_re(side[2]) != 0;
    for (int k = 0; k < 3; k++) y[k] = given ? side[k] : in[3 + 3 * k + 1] + in[15 + 3 * k + 1];
}

int rt_rod_make_load(const rt_scalar *in, rt_scalar *out)
{
    const rt_scalar *const r[2] = {in, in + 12}, *const A[2] = {in + 3, in + 15};
    const rt_scalar *C = in + 24, *D = in + 60;
    rt_scalar S[36], E[9], d[3], y[3];
    rt_rod_element element;
    rt_v3_sub(d, r[1], r[0]);
    rt_rod_load_side(in, y);
    rt_rod_axes(d, y, E);
    if (!rt_rod_invert(C, S) || !rt_rod_stiffness_of(S, D, rt_v3_norm(d), &element)) return 1;
    rod_make_fill_load(&element, E, r, A, out);
    return 0;
}
