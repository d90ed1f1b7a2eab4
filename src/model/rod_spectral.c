/* Numbers of elements of higher order (elements/spectral_rod.c), from sections and places of nodes:
 * of each node the base axes in its own, then of each point of Gauss the derivative of the place by
 * the coordinate, x_0, and two matrices: stiffness and damping of the section there, in base axes,
 * times weight/|x_0|. */
#include <string.h>

#include "base/lobatto.h"
#include "base/vec3.h"
#include "model/rod_shape.h"

int rt_spectral_numbers(int order) { return 9 * (order + 1) + RT_SPECTRAL_POINT * order; }

void rt_spectral_fill_node(const rt_scalar A[9], const rt_scalar base[9], int j, rt_scalar *out)
{
    rt_m3_tmul(out + 9 * j, A, base);
}

/* X = T C T', T = diag(E, E) */
static void rod_spectral_turn(rt_scalar X[36], const rt_scalar E[9], const rt_scalar C[36],
                              rt_scalar scale)
{
    for (int a = 0; a < 6; a += 3)
        for (int b = 0; b < 6; b += 3) {
            rt_scalar block[9], T[9], turned[9];
            for (int k = 0; k < 9; k++) block[k] = C[6 * (a + k / 3) + b + k % 3];
            rt_m3_mul(T, E, block);
            rt_m3_mul_t(turned, T, E);
            for (int k = 0; k < 9; k++) X[6 * (a + k / 3) + b + k % 3] = scale * turned[k];
        }
}

void rt_spectral_fill_point(int order, int g, const rt_scalar x0[3], const rt_scalar E[9],
                            const rt_scalar C[36], const rt_scalar D[36], rt_scalar *out)
{
    rt_scalar *at = out + 9 * (order + 1) + RT_SPECTRAL_POINT * g;
    const rt_scalar scale = rt_gauss_weights(order)[g] / rt_v3_norm(x0);
    rt_v3_copy(at, x0);
    rod_spectral_turn(at + 3, E, C, scale);
    rod_spectral_turn(at + 39, E, D, scale);
}

void rt_spectral_tangent(int order, int g, const rt_scalar *const *r, rt_scalar x0[3])
{
    rt_scalar shape[RT_LOBATTO_ORDER + 1], slope[RT_LOBATTO_ORDER + 1];
    rt_lobatto_shapes(order, g, shape, slope);
    rt_v3_set(x0, 0, 0, 0);
    for (int j = 0; j <= order; j++) rt_v3_add_scaled(x0, slope[j], r[j]);
}

void rt_spectral_tangent_at(int order, rt_scalar x, const rt_scalar *const *r, rt_scalar d[3])
{
    rt_scalar slope[RT_LOBATTO_ORDER + 1];
    rt_lobatto_slopes(order, x, slope);
    rt_v3_set(d, 0, 0, 0);
    for (int j = 0; j <= order; j++) rt_v3_add_scaled(d, slope[j], r[j]);
}

rt_scalar rt_spectral_length(int order, rt_scalar x, const rt_scalar *const *r)
{
    rt_scalar sum = 0, d[3];
    for (int g = 0; g < RT_LOBATTO_ORDER; g++) {
        const rt_scalar at = -1 + (x + 1) * (1 + rt_gauss_points(RT_LOBATTO_ORDER)[g]) / 2;
        rt_spectral_tangent_at(order, at, r, d);
        sum += rt_gauss_weights(RT_LOBATTO_ORDER)[g] * rt_v3_norm(d);
    }
    return sum * (x + 1) / 2;
}

/* ---- one element between markers ------------------------------------------------------------ */

void rt_spectral_load_line(int order, const rt_scalar *in, int g, rt_scalar x0[3], rt_scalar y[3])
{
    const rt_scalar *r[RT_LOBATTO_ORDER + 1], *side = in + 12 * (order + 1) + 72;
    const rt_scalar *last = in + 12 * order;
    const bool given = rt_re(side[0]) != 0 || rt_re(side[1]) != 0 || rt_re(side[2]) != 0;
    for (int j = 0; j <= order; j++) r[j] = in + 12 * j;
    rt_spectral_tangent(order, g, r, x0);
    for (int k = 0; k < 3; k++) y[k] = given ? side[k] : in[3 + 3 * k + 1] + last[3 + 3 * k + 1];
}

int rt_spectral_make_load(int order, const rt_scalar *in, rt_scalar *out)
{
    const rt_scalar *C = in + 12 * (order + 1), *D = C + 36;
    rt_scalar base[9], x0[3], y[3], E[9];
    rt_m3_identity(base);
    for (int j = 0; j <= order; j++) rt_spectral_fill_node(in + 12 * j + 3, base, j, out);
    for (int g = 0; g < order; g++) {
        rt_spectral_load_line(order, in, g, x0, y);
        rt_rod_axes(x0, y, E);
        rt_spectral_fill_point(order, g, x0, E, C, D, out);
    }
    return 0;
}
