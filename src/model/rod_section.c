/* An element of a beam from the sections along it: stiffness by the flexibility of what its ends
 * carry, mass by what it does to them. */
#include "model/rod_shape.h"

#include <string.h>

#include "base/vec3.h"

/* ---- a section ------------------------------------------------------------------------------- */

/* The profile at x, in the interval of stations that x lies in (or nearest to). */
static rt_scalar rod_section_value_at(const rt_rod_sections *s, rt_rod_property k, int interval,
                                      rt_scalar x)
{
    const rt_scalar *y = s->profile[k];
    if (!y) return 0;
    if (interval < 0) return y[0];
    if (interval >= s->n_stations - 1) return y[s->n_stations - 1];
    const rt_scalar a = s->station[interval], b = s->station[interval + 1];
    return y[interval] + (x - a) / (b - a) * (y[interval + 1] - y[interval]);
}

static int interval_of(const rt_rod_sections *s, rt_scalar x)
{
    int k = -1;
    while (k + 1 < s->n_stations && rt_re(s->station[k + 1]) <= rt_re(x)) k++;
    return k;
}

rt_scalar rt_rod_twist(const rt_rod_sections *s, rt_scalar x)
{
    return rod_section_value_at(s, RT_ROD_TWIST, interval_of(s, x), x);
}

/* Across the axis: mass, moments of it, flexibilities about the section's own centres. */
typedef struct rod_section {
    rt_scalar twist;
    rt_scalar mass, iy, iz;         /* iy: about y through the centre of mass */
    rt_scalar centre[3];            /* of mass: (0, y, z) */
    rt_scalar flexibility[6];       /* of stretch, two shears, twist, two bendings */
    rt_scalar tension[2], shear[2]; /* places of their centres */
} rod_section;

static rt_scalar inverse_or_zero(rt_scalar x) { return rt_re(x) > 0 ? 1 / x : 0; }

static rod_section section_at(const rt_rod_sections *s, int interval, rt_scalar x)
{
    rt_scalar p[RT_ROD_N_PROPERTIES];
    rod_section c = {0};
    for (int k = 0; k < RT_ROD_N_PROPERTIES; k++)
        p[k] = rod_section_value_at(s, (rt_rod_property)k, interval, x);
    c.twist = p[RT_ROD_TWIST];
    if (s->type == RT_ROD_OF_MATERIAL) {
        const rt_scalar GA = p[RT_ROD_SHEAR] * p[RT_ROD_AREA];
        c.mass = p[RT_ROD_DENSITY] * p[RT_ROD_AREA];
        c.iy = p[RT_ROD_DENSITY] * p[RT_ROD_IYY];
        c.iz = p[RT_ROD_DENSITY] * p[RT_ROD_IZZ];
        const rt_scalar f[6] = {1 / (p[RT_ROD_YOUNG] * p[RT_ROD_AREA]),
                                p[RT_ROD_FACTOR_Y] / GA,
                                p[RT_ROD_FACTOR_Z] / GA,
                                1 / (p[RT_ROD_SHEAR] * p[RT_ROD_TORSION]),
                                1 / (p[RT_ROD_YOUNG] * p[RT_ROD_IYY]),
                                1 / (p[RT_ROD_YOUNG] * p[RT_ROD_IZZ])};
        memcpy(c.flexibility, f, sizeof f);
        return c;
    }
    c.mass = p[RT_ROD_MASS], c.iy = p[RT_ROD_INERTIA_Y], c.iz = p[RT_ROD_INERTIA_Z];
    for (int k = 0; k < 6; k++) c.flexibility[k] = inverse_or_zero(p[RT_ROD_EA + k]);
    c.centre[1] = p[RT_ROD_MASS_Y], c.centre[2] = p[RT_ROD_MASS_Z];
    for (int k = 0; k < 2; k++) {
        c.tension[k] = p[RT_ROD_TENSION_Y + k];
        c.shear[k] = p[RT_ROD_SHEAR_Y + k];
    }
    return c;
}

/* Of a strain that is kept zero, any that is positive: the axis is where EA and GA hold, so nothing
 * else depends on it, and its stiffness is left out (rod_section_leave_kept). */
static void rod_section_stand_in(const rt_rod_sections *s, rod_section *c)
{
    if (s->kept[RT_ROD_STRETCH]) c->flexibility[0] = c->flexibility[5];
}

/* ---- 6 x 6 ----------------------------------------------------------------------------------- */

static void rod_section_multiply(rt_scalar C[36], const rt_scalar A[36], const rt_scalar B[36])
{
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            C[6 * i + j] = 0;
            for (int k = 0; k < 6; k++) C[6 * i + j] += A[6 * i + k] * B[6 * k + j];
        }
}

/* A'S A */
static void rod_section_congruent(rt_scalar C[36], const rt_scalar A[36], const rt_scalar S[36])
{
    rt_scalar T[36], At[36];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) At[6 * i + j] = A[6 * j + i];
    rod_section_multiply(T, S, A);
    rod_section_multiply(C, At, T);
}

/* Gauss-Jordan without pivoting, which positive definite matrices allow: all pivots positive. */
bool rt_rod_invert(const rt_scalar A[36], rt_scalar inverse[36])
{
    rt_scalar M[36], scale[6];
    for (int i = 0; i < 6; i++) {
        if (!(rt_re(A[7 * i]) > 0) || !isfinite(rt_re(A[7 * i]))) return false;
        scale[i] = 1 / rt_sqrt(A[7 * i]);
    }
    for (int i = 0; i < 36; i++) M[i] = A[i] * scale[i / 6] * scale[i % 6];
    for (int k = 0; k < 6; k++) {
        const rt_scalar pivot = M[7 * k];
        if (!(rt_re(pivot) > 1e-13)) return false;
        M[7 * k] = 1;
        for (int j = 0; j < 6; j++) M[6 * k + j] /= pivot;
        for (int i = 0; i < 6; i++) {
            const rt_scalar f = M[6 * i + k];
            if (i == k) continue;
            M[6 * i + k] = 0;
            for (int j = 0; j < 6; j++) M[6 * i + j] -= f * M[6 * k + j];
        }
    }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            inverse[6 * i + j] = (M[6 * i + j] + M[6 * j + i]) / 2 * scale[i] * scale[j];
    return true;
}

/* Strains at the section's own centres e_c = (1 + N) e with e at the axis: stretch at the tension
 * centre g1 + z_t k2 - y_t k3, shear at the shear centre g2 - z_s k1, g3 + y_s k1. Since N^2 = 0,
 *     S = (1 - N) diag (1 - N)'. */
static void section_flexibility(const rod_section *c, rt_scalar S[36])
{
    rt_scalar A[36] = {0}, D[36] = {0};
    for (int k = 0; k < 6; k++) A[7 * k] = 1, D[7 * k] = c->flexibility[k];
    /* A = (1 - N)' */
    A[6 * 4] = -c->tension[1];
    A[6 * 5] = c->tension[0];
    A[6 * 3 + 1] = c->shear[1];
    A[6 * 3 + 2] = -c->shear[0];
    rod_section_congruent(S, A, D);
}

/* Turned about x by the twist, both halves of six. */
static void rod_section_turn6(rt_scalar S[36], rt_scalar angle)
{
    rt_scalar R[36] = {0}, T[36];
    for (int h = 0; h < 6; h += 3) {
        R[7 * h] = 1;
        R[7 * (h + 1)] = R[7 * (h + 2)] = rt_cos(angle);
        R[6 * (h + 1) + h + 2] = rt_sin(angle); /* the transpose of the turn */
        R[6 * (h + 2) + h + 1] = -rt_sin(angle);
    }
    rod_section_congruent(T, R, S);
    memcpy(S, T, sizeof T);
}

/* ---- an element ------------------------------------------------------------------------------ */

/* What the pieces of an element add up to. */
typedef struct rod_section_sums {
    rt_scalar flexibility[36]; /* int G'S G dx */
    rt_scalar loss[36];        /* int G'S D S G dx */
} rod_section_sums;

/* Forces in the section at x from the middle are G F: moments grow by the shear, -x e_1 x n. */
static void force_carried(rt_scalar x, rt_scalar G[36])
{
    memset(G, 0, 36 * sizeof *G);
    for (int k = 0; k < 6; k++) G[7 * k] = 1;
    G[6 * 4 + 2] = x;
    G[6 * 5 + 1] = -x;
}

static void add_flexibility(const rt_rod_sections *s, const rod_section *c, rt_scalar x,
                            rt_scalar weight, rod_section_sums *sum)
{
    rt_scalar S[36], D[36], G[36], T[36];
    if (s->whole)
        memcpy(S, s->flexibility, sizeof S);
    else
        section_flexibility(c, S);
    rod_section_congruent(D, S, s->damping);
    rod_section_turn6(S, c->twist);
    rod_section_turn6(D, c->twist);
    force_carried(x, G);
    rod_section_congruent(T, G, S);
    for (int k = 0; k < 36; k++) sum->flexibility[k] += weight * T[k];
    rod_section_congruent(T, G, D);
    for (int k = 0; k < 36; k++) sum->loss[k] += weight * T[k];
}

/* The centre of mass, and inertia about it per length, in axes without twist. */
static void rod_section_inertia(const rod_section *c, rt_scalar at[3], rt_scalar own[9])
{
    const rt_scalar turn = c->twist, cs = rt_cos(turn), sn = rt_sin(turn);
    rt_v3_set(at, 0, cs * c->centre[1] - sn * c->centre[2], sn * c->centre[1] + cs * c->centre[2]);
    memset(own, 0, 9 * sizeof *own);
    own[0] = c->iy + c->iz;
    own[4] = cs * cs * c->iy + sn * sn * c->iz;
    own[5] = own[7] = cs * sn * (c->iy - c->iz);
    own[8] = sn * sn * c->iy + cs * cs * c->iz;
}

/* Forces on the ends as of the mass with the cubic shapes of a straight beam: N(1, 2) of the first
 * end's displacement and slope, t from 0 to 1. Point masses with these first moments give the
 * frequencies of bending to fourth order, where elements are exact for end loads. */
static void rod_section_add_mass(const rod_section *c, rt_scalar t, rt_scalar length,
                                 rt_scalar weight, rt_rod_element *element)
{
    rt_scalar at[3], own[9];
    rod_section_inertia(c, at, own);
    for (int end = 0; end < 2; end++) {
        const rt_scalar u = end ? 1 - t : t, share = weight * (1 - u) * (1 - u) * (1 + 2 * u);
        const rt_scalar m = share * c->mass, square = rt_v3_dot(at, at);
        element->end[end].mass += m;
        element->end[end].along +=
            (end ? -1 : 1) * weight * c->mass * length * u * (1 - u) * (1 - u);
        rt_v3_add_scaled(element->end[end].first, m, at);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                element->end[end].second[3 * i + j] +=
                    share * own[3 * i + j] + m * ((i == j ? square : 0) - at[i] * at[j]);
    }
}

/* K = (int G'S G)^-1;  D = K (int G'S D S G) K + ratio K */
static bool rod_section_finish(const rod_section_sums *sum, rt_scalar ratio,
                               rt_rod_element *element)
{
    rt_scalar K[36];
    if (!rt_rod_invert(sum->flexibility, K)) return false;
    memcpy(element->stiffness, K, sizeof K);
    rod_section_congruent(element->damping, K, sum->loss);
    for (int k = 0; k < 36; k++) element->damping[k] += ratio * K[k];
    return true;
}

/* Rows and columns of strains that are kept zero. */
static void rod_section_leave_kept(const rt_rod_sections *s, rt_scalar K[36])
{
    for (int k = 0; k < 36; k++)
        if (s->kept[RT_ROD_STRETCH] && (k < 6 || k % 6 == 0)) K[k] = 0;
}

/* Gauss-Legendre with five points, exact to the ninth power. */
static const double gauss_at[5] = {-0.906179845938664, -0.5384693101056831, 0, 0.5384693101056831,
                                   0.906179845938664};
static const double gauss_weight[5] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                                       0.4786286704993665, 0.2369268850561891};

enum { MOST_PARTS = 1000 };

/* What lies from a to b, of an element that lies from start to stop. */
typedef struct rod_section_piece {
    const rt_rod_sections *s;
    rt_scalar start, length, stop;
    rod_section_sums sum;
    rt_rod_element *element;
} rod_section_piece;

static void add_part(rod_section_piece *p, int interval, rt_scalar a, rt_scalar b)
{
    for (int g = 0; g < 5; g++) {
        const rt_scalar x = (a + b) / 2 + (b - a) / 2 * gauss_at[g];
        const rt_scalar weight = (b - a) / 2 * gauss_weight[g];
        rod_section c = section_at(p->s, interval, x);
        rod_section_stand_in(p->s, &c);
        add_flexibility(p->s, &c, x - (p->start + p->stop) / 2, weight, &p->sum);
        rod_section_add_mass(&c, (x - p->start) / p->length, p->length, weight, p->element);
    }
}

/* In parts that twist by half a radian at most: of cos(2 twist) the sum then leaves 1e-13. */
static void add_piece(rod_section_piece *p, int interval, rt_scalar a, rt_scalar b)
{
    const rt_scalar twist = rod_section_value_at(p->s, RT_ROD_TWIST, interval, b) -
                            rod_section_value_at(p->s, RT_ROD_TWIST, interval, a);
    const int n = 1 + (int)fmin(2 * fabs(rt_re(twist)), MOST_PARTS);
    for (int k = 0; k < n; k++)
        add_part(p, interval, a + (b - a) * k / n, k + 1 < n ? a + (b - a) * (k + 1) / n : b);
}

/* A station at the very beginning that moves otherwise than it: what lies between is that of the
 * interval before, its length a derivative alone. */
static rt_scalar rod_section_begin(rod_section_piece *p)
{
    const rt_rod_sections *s = p->s;
    int k = interval_of(s, p->start);
    const rt_scalar at = k < 0 ? p->start : s->station[k];
    if (rt_re(at) != rt_re(p->start) || at == p->start) return p->start;
    while (k >= 0 && rt_re(s->station[k]) == rt_re(at)) k--;
    add_piece(p, k, p->start, at);
    return at;
}

bool rt_rod_element_of(const rt_rod_sections *s, rt_scalar start, rt_scalar length,
                       rt_rod_element *element)
{
    const rt_scalar stop = start + length;
    rod_section_piece p = {
        .s = s, .start = start, .length = length, .stop = stop, .element = element};
    memset(element, 0, sizeof *element);
    for (rt_scalar a = rod_section_begin(&p);
         rt_re(a) < rt_re(stop);) { /* pieces without a station inside */
        const int interval = interval_of(s, a);
        const rt_scalar next = interval + 1 < s->n_stations ? s->station[interval + 1] : stop;
        const rt_scalar b = rt_re(next) < rt_re(stop) ? next : stop;
        add_piece(&p, interval, a, b);
        a = b;
    }
    if (!rod_section_finish(&p.sum, s->damping_ratio, element)) return false;
    rod_section_leave_kept(s, element->stiffness);
    rod_section_leave_kept(s, element->damping);
    return true;
}

bool rt_rod_stiffness_of(const rt_scalar S[36], const rt_scalar damping[36], rt_scalar length,
                         rt_rod_element *element)
{
    rt_rod_sections s = {.type = RT_ROD_OF_SECTIONS, .whole = true};
    memcpy(s.flexibility, S, sizeof s.flexibility);
    memcpy(s.damping, damping, sizeof s.damping);
    const rod_section c = {0};
    rod_section_sums sum = {{0}, {0}};
    memset(element, 0, sizeof *element);
    for (int g = 0; g < 5; g++)
        add_flexibility(&s, &c, length / 2 * gauss_at[g], length / 2 * gauss_weight[g], &sum);
    return rod_section_finish(&sum, 0, element);
}

/* ---- a section of an element of higher order ------------------------------------------------- */

int rt_rod_interval(const rt_rod_sections *s, rt_scalar x) { return interval_of(s, x); }

/* (1 + N), see section_flexibility */
static void rod_section_centres(const rod_section *c, rt_scalar A[36])
{
    memset(A, 0, 36 * sizeof *A);
    for (int k = 0; k < 6; k++) A[7 * k] = 1;
    A[4] = c->tension[1];
    A[5] = -c->tension[0];
    A[6 * 1 + 3] = -c->shear[1];
    A[6 * 2 + 3] = c->shear[0];
}

void rt_rod_section_kept(const rt_rod_sections *s, int interval, rt_scalar x, int strain,
                         rt_scalar row[6])
{
    const rod_section c = section_at(s, interval, x);
    rt_scalar A[36];
    rod_section_centres(&c, A);
    memcpy(row, A + 6 * (size_t)strain, 6 * sizeof *row);
}

/* C = (1 + N)' diag (1 + N), of strains kept zero without stiffness; D = D_s + ratio C. Returns the
 * twist. */
rt_scalar rt_rod_section_matrices(const rt_rod_sections *s, int interval, rt_scalar x,
                                  const rt_scalar *stiffness, rt_scalar C[36], rt_scalar D[36])
{
    const rod_section c = section_at(s, interval, x);
    if (s->whole) {
        memcpy(C, stiffness, 36 * sizeof *C);
    } else {
        rt_scalar A[36], K[36] = {0};
        rod_section_centres(&c, A);
        for (int k = 0; k < 6; k++)
            if (k >= RT_ROD_KEPT || !s->kept[k]) K[7 * k] = 1 / c.flexibility[k];
        rod_section_congruent(C, A, K);
    }
    for (int k = 0; k < 36; k++) D[k] = s->damping[k] + s->damping_ratio * C[k];
    return c.twist;
}

void rt_rod_section_mass(const rt_rod_sections *s, int interval, rt_scalar x, rt_scalar weight,
                         rt_rod_element *element)
{
    const rod_section c = section_at(s, interval, x);
    const rt_scalar m = weight * c.mass;
    rt_scalar at[3], own[9];
    memset(element, 0, sizeof *element);
    rod_section_inertia(&c, at, own);
    const rt_scalar square = rt_v3_dot(at, at);
    element->end[0].mass = m;
    rt_v3_scale(element->end[0].first, m, at);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            element->end[0].second[3 * i + j] =
                weight * own[3 * i + j] + m * ((i == j ? square : 0) - at[i] * at[j]);
}
