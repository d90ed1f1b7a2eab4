/* One two-node Euler-Bernoulli element (Przemieniecki, Theory of Matrix Structural Analysis, sec.
 * 5.6 and 11.3). With X = x / l, 0 <= X <= 1:
 *     u = (1 - X) u_1 + X u_2,   the same for the turn about x,
 *     v = H_1 v_1 + l H_2 rz_1 + H_3 v_2 + l H_4 rz_2,   rz = v',
 *     w = H_1 w_1 - l H_2 ry_1 + H_3 w_2 - l H_4 ry_2,   ry = -w',
 *     H = (1 - 3 X^2 + 2 X^3, X - 2 X^2 + X^3, 3 X^2 - 2 X^3, X^3 - X^2).
 * With stiffening the strain u' + (v'^2 + w'^2)/2 would change along the element where u' does not;
 * a second displacement along the axis, zero at both ends, makes it uniform:
 *     u2(x) = - 1/2 (int_0^x v'^2 + w'^2 dx - x/l int_0^l v'^2 + w'^2 dx) = 1/2 G_ab q_a q_b.
 * With phi_ab = v_a' v_b' + w_a' w_b', by parts, the mass m per length uniform:
 *     int G_ab dm = m int (x - l/2) phi_ab dx,   int x G_ab dm = m int (x^2/2 - l^2/6) phi_ab dx.
 * Products have order six at most, which four points of Gauss integrate exactly. */
#include <string.h>

#include "base/vec3.h"
#include "flexible/beam_parts.h"
#include "flexible/section_turn.h"

/* Places of v_1, rz_1, v_2, rz_2 and of w_1, ry_1, w_2, ry_2; how ry counts against the slope. */
typedef struct bending {
    int place[4], row, turn;
    double sign;
} bending;
static const bending planes[2] = {{{1, 5, 7, 11}, 1, 2, 1}, {{2, 4, 8, 10}, 2, 1, -1}};

rt_scalar rt_beam_length(const rt_beam *beam)
{
    rt_scalar d[3];
    rt_v3_sub(d, beam->to, beam->from);
    return rt_v3_norm(d);
}

void rt_beam_axes(rt_scalar axes[9], const rt_beam *beam)
{
    rt_scalar x[3], y[3], z[3];
    rt_v3_sub(x, beam->to, beam->from);
    rt_v3_scale(x, 1 / rt_v3_norm(x), x);
    rt_v3_cross(z, x, beam->side);
    rt_v3_scale(z, 1 / rt_v3_norm(z), z);
    rt_v3_cross(y, z, x);
    for (int i = 0; i < 3; i++) {
        axes[3 * i] = x[i];
        axes[3 * i + 1] = y[i];
        axes[3 * i + 2] = z[i];
    }
}

/* Shapes at a place of the element in the beam's axes: displacement, turn of the section. */
typedef struct beam_element_shapes {
    rt_scalar S[3][RT_BEAM_ELEMENT], R[3][RT_BEAM_ELEMENT];
} beam_element_shapes;

static void shapes_at(beam_element_shapes *at, rt_scalar X, rt_scalar l)
{
    const rt_scalar H[4] = {1 - X * X * (3 - 2 * X), l * X * (1 - X) * (1 - X), X * X * (3 - 2 * X),
                            l * X * X * (X - 1)};
    const rt_scalar slope[4] = {6 * X * (X - 1) / l, 1 - X * (4 - 3 * X), 6 * X * (1 - X) / l,
                                X * (3 * X - 2)};
    memset(at, 0, sizeof *at);
    at->S[0][0] = at->R[0][3] = 1 - X;
    at->S[0][6] = at->R[0][9] = X;
    for (int k = 0; k < 2; k++) {
        const bending *p = &planes[k];
        for (int i = 0; i < 4; i++) {
            const double turned = i % 2 ? p->sign : 1;
            at->S[p->row][p->place[i]] = turned * H[i];
            at->R[p->turn][p->place[i]] = p->sign * turned * slope[i];
        }
    }
}

/* Adds what the piece of mass dm with the turning inertia dj (diagonal, the beam's axes) brings. */
static void add_point(rt_beam_element *e, const beam_element_shapes *at, rt_scalar x, rt_scalar dm,
                      const rt_scalar dj[3])
{
    rt_scalar S[RT_BEAM_ELEMENT][3];
    for (int a = 0; a < RT_BEAM_ELEMENT; a++) {
        const rt_scalar s[3] = {at->S[0][a], at->S[1][a], at->S[2][a]};
        const rt_scalar turning[3] = {dj[0] * at->R[0][a], dj[1] * at->R[1][a],
                                      dj[2] * at->R[2][a]};
        rt_scalar h[3];
        rt_m3_mul_v(S[a], e->axes, s);
        rt_m3_mul_v(h, e->axes, turning);
        rt_v3_add_scaled(e->a[a], dm, S[a]);
        rt_v3_add_scaled(e->b[a], dm * x, S[a]);
        rt_v3_add(e->h[a], e->h[a], h);
        for (int b = 0; b < RT_BEAM_ELEMENT; b++)
            for (int i = 0; i < 3; i++) e->M[a][b] += turning[i] * at->R[i][b];
    }
    for (int a = 0; a < RT_BEAM_ELEMENT; a++)
        for (int b = 0; b < RT_BEAM_ELEMENT; b++)
            for (int i = 0; i < 9; i++) e->N[a][b][i] += dm * S[a][i / 3] * S[b][i % 3];
}

/* J = axes diag(j) axes' */
static void turn_diagonal(rt_scalar J[9], const rt_scalar axes[9], const rt_scalar j[3])
{
    for (int i = 0; i < 9; i++) {
        J[i] = 0;
        for (int k = 0; k < 3; k++) J[i] += axes[3 * (i / 3) + k] * j[k] * axes[3 * (i % 3) + k];
    }
}

/* Adds what the turning inertia dj brings where it turns finitely. */
static void add_turning(rt_beam_element *e, const beam_element_shapes *at, const rt_scalar dj[3])
{
    rt_scalar R[RT_BEAM_ELEMENT][3], j[9];
    turn_diagonal(j, e->axes, dj);
    for (int a = 0; a < RT_BEAM_ELEMENT; a++) {
        const rt_scalar r[3] = {at->R[0][a], at->R[1][a], at->R[2][a]};
        rt_m3_mul_v(R[a], e->axes, r);
        rt_section_add_first(e->J1[a], j, R[a]);
    }
    for (int a = 0; a < RT_BEAM_ELEMENT; a++)
        for (int b = 0; b < RT_BEAM_ELEMENT; b++) {
            rt_section_add_second(e->J2[a][b], j, R[a], R[b]);
            rt_section_add_momentum(e->H_even[a][b], e->H_odd[a][b], j, R[a], R[b]);
        }
}

/* g += share (v'v' + w'w'), a2, b2 likewise, at X = x / l of the piece dm: the slopes are the turns
 * about z and y but for their sign */
static void add_shortening(rt_beam_element *e, const beam_element_shapes *at, rt_scalar X,
                           rt_scalar share, rt_scalar dm)
{
    const rt_scalar l = e->length, by_a = dm * l * (X - 0.5),
                    by_b = dm * l * l * (X * X / 2 - (rt_scalar)1 / 6);
    for (int a = 0; a < RT_BEAM_ELEMENT; a++)
        for (int b = 0; b < RT_BEAM_ELEMENT; b++) {
            const rt_scalar phi = at->R[1][a] * at->R[1][b] + at->R[2][a] * at->R[2][b];
            e->g[a][b] += share * phi;
            e->a2[a][b] += by_a * phi;
            e->b2[a][b] += by_b * phi;
        }
}

static void integrate(rt_beam_element *e, const rt_beam *beam)
{
    const rt_scalar l = e->length, mass = beam->density * beam->area * l;
    const rt_scalar turn = beam->density * l, other = beam->rotary_inertia ? turn : 0;
    const rt_scalar j[3] = {turn * (beam->inertia_y + beam->inertia_z), other * beam->inertia_y,
                            other * beam->inertia_z};
    for (int k = 0; k < 4; k++) {
        const double side = k % 2 ? 1 : -1, outer = k < 2 ? -1 : 1;
        const rt_scalar X = (1 + side * rt_sqrt((rt_scalar)3 / 7 + outer * 2 / (rt_scalar)7 *
                                                                       rt_sqrt((rt_scalar)6 / 5))) /
                            2;
        const rt_scalar weight = (18 - outer * rt_sqrt(30)) / 72;
        const rt_scalar dj[3] = {weight * j[0], weight * j[1], weight * j[2]};
        beam_element_shapes at;
        shapes_at(&at, X, l);
        add_point(e, &at, X * l, weight * mass, dj);
        if (beam->rotary_inertia) add_turning(e, &at, dj);
        add_shortening(e, &at, X, weight, weight * mass);
    }
    turn_diagonal(e->section, e->axes, j);
}

/* E I / l^3 (12 p p' + l^2 r r'),   p = (1, l/2, -1, l/2), r = (0, 1, 0, -1): the part of constant
 * and that of changing curvature */
static void add_bending(rt_beam_element *e, const bending *plane, rt_scalar EI)
{
    const rt_scalar l = e->length, half = plane->sign * l / 2, turn = plane->sign * l;
    const rt_scalar p[4] = {1, half, -1, half}, r[4] = {0, turn, 0, -turn};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            e->K[plane->place[i]][plane->place[j]] +=
                EI / (l * l * l) * (12 * p[i] * p[j] + r[i] * r[j]);
}

static void add_torsion(rt_beam_element *e, rt_scalar GJ)
{
    const rt_scalar k = GJ / e->length;
    e->K[3][3] += k, e->K[9][9] += k;
    e->K[3][9] -= k, e->K[9][3] -= k;
}

void rt_beam_take(rt_beam *beam, const rt_scalar numbers[RT_BEAM_NUMBERS])
{
    rt_v3_copy(beam->from, numbers);
    rt_v3_copy(beam->to, numbers + 3);
    rt_v3_copy(beam->side, numbers + 6);
    beam->density = numbers[9], beam->area = numbers[10];
    beam->young = numbers[11], beam->shear = numbers[12];
    beam->inertia_y = numbers[13], beam->inertia_z = numbers[14], beam->torsion = numbers[15];
    beam->damping_mass = numbers[16], beam->damping_stiffness = numbers[17];
}

void rt_beam_places(const rt_beam *beam, rt_scalar *out)
{
    rt_beam_axes(out, beam);
    out += 9;
    for (int node = 0; node <= beam->n_elements; node++, out += 3) {
        const double along = (double)node / beam->n_elements;
        for (int i = 0; i < 3; i++) out[i] = (1 - along) * beam->from[i] + along * beam->to[i];
    }
}

void rt_beam_element_make(rt_beam_element *element, const rt_beam *beam)
{
    *element = (rt_beam_element){.length = rt_beam_length(beam) / beam->n_elements};
    rt_beam_axes(element->axes, beam);
    integrate(element, beam);
    add_bending(element, &planes[0], beam->young * beam->inertia_z);
    add_bending(element, &planes[1], beam->young * beam->inertia_y);
    add_torsion(element, beam->shear * beam->torsion);
    element->stretch = beam->young * beam->area * element->length;
    element->c[0] = -1 / element->length;
    element->c[6] = 1 / element->length;
}
