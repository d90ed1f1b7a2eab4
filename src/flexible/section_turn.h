/* Sections and nodes that turn finitely: moments of second order of their own inertia.
 *
 * A section of inertia j is turned by E = exp(psi~), psi = sum_k R_k q_k, and has the angular
 * velocity w + T psi' in the frame's axes. Its energy 1/2 (w + T psi').E j E'(w + T psi') is, up to
 * second order in q and q',
 *     1/2 w.(j + J1_k q_k + J2_kl q_k q_l) w + w.(j R_l + H_kl q_k) q_l' + 1/2 q'.M q'
 *     J1_k  = R_k~ j - j R_k~
 *     J2_kl = 1/4 (j X + X j) - 1/2 (R_k~ j R_l~ + R_l~ j R_k~),   X = R_k~ R_l~ + R_l~ R_k~
 *     H_kl  = R_k x j R_l - 1/2 j (R_k x R_l) = S_kl + A_kl,
 *     S_kl  = 1/2 (R_k x j R_l + R_l x j R_k),   A_kl = (1/2 tr j 1 - j) (R_k x R_l)
 * from E = 1 + psi~ + 1/2 psi~^2, T = 1 + 1/2 psi~, and a x j b + j a x b = (tr j 1 - j)(a x b) of
 * symmetric j. */
#ifndef RT_FLEXIBLE_SECTION_TURN_H
#define RT_FLEXIBLE_SECTION_TURN_H

#include "base/vec3.h"

/* J1 += R~ j - j R~ */
static inline void rt_section_add_first(rt_scalar J1[9], const rt_scalar j[9], const rt_scalar R[3])
{
    rt_scalar skew[9], X[9], Y[9];
    rt_m3_skew(skew, R);
    rt_m3_mul(X, skew, j);
    rt_m3_mul(Y, j, skew);
    for (int i = 0; i < 9; i++) J1[i] += X[i] - Y[i];
}

static inline void rt_section_add_second(rt_scalar J2[9], const rt_scalar j[9],
                                         const rt_scalar R_k[3], const rt_scalar R_l[3])
{
    rt_scalar a[9], b[9], ab[9], ba[9], X[9], jX[9], Xj[9], aj[9], ajb[9];
    rt_m3_skew(a, R_k);
    rt_m3_skew(b, R_l);
    rt_m3_mul(ab, a, b);
    rt_m3_mul(ba, b, a);
    for (int i = 0; i < 9; i++) X[i] = (ab[i] + ba[i]) / 4;
    rt_m3_mul(jX, j, X);
    rt_m3_mul(Xj, X, j);
    rt_m3_mul(aj, a, j);
    rt_m3_mul(ajb, aj, b);
    for (int i = 0; i < 9; i++) J2[i] += jX[i] + Xj[i] - (ajb[i] + ajb[3 * (i % 3) + i / 3]) / 2;
}

static inline void rt_section_add_momentum(rt_scalar S[3], rt_scalar A[3], const rt_scalar j[9],
                                           const rt_scalar R_k[3], const rt_scalar R_l[3])
{
    const rt_scalar half = (j[0] + j[4] + j[8]) / 2;
    rt_scalar j_k[3], j_l[3], s[3], cross[3], turned[3];
    rt_m3_mul_v(j_k, j, R_k);
    rt_m3_mul_v(j_l, j, R_l);
    rt_v3_cross(s, R_k, j_l);
    rt_v3_cross_add(s, R_l, j_k);
    rt_v3_add_scaled(S, 0.5, s);
    rt_v3_cross(cross, R_k, R_l);
    rt_m3_mul_v(turned, j, cross);
    for (int i = 0; i < 3; i++) A[i] += half * cross[i] - turned[i];
}

#endif
