#include "base/rotation.h"

#include "base/vec3.h"

/* sin(x)/x, exact to rounding for every x. */
static rt_scalar sinc(rt_scalar x) { return x == 0 ? 1 : rt_sin(x) / x; }

/* exp(theta~) = I + sin t/t theta~ + (1 - cos t)/t^2 theta~^2, t = |theta|; the last factor is
 * 1/2 sinc(t/2)^2, so nothing cancels near 0. */
void rt_rotation_exp(rt_scalar A[9], const rt_scalar theta[3])
{
    const rt_scalar t = rt_v3_norm(theta), s = sinc(t), h = sinc(t / 2), b = h * h / 2;
    rt_scalar S[9];
    rt_m3_skew(S, theta);
    rt_m3_mul(A, S, S);
    for (int k = 0; k < 9; k++) A[k] = b * A[k] + s * S[k];
    A[0] += 1, A[4] += 1, A[8] += 1;
}

/* q = (cos t/2, sin t/2 theta/t), t = 2 atan2(|qv|, q0). */
bool rt_rotation_log(rt_scalar theta[3], const rt_scalar A[9])
{
    const double at_pi = 1e-14; /* cos(t/2) below this is rounding of A */
    rt_scalar q[4];
    rt_rotation_to_quaternion(q, A);
    const rt_scalar n = rt_v3_norm(q + 1);
    /* Below 1e-100, n^2 underflows; the limit of the factor is exact there. */
    rt_v3_scale(theta, rt_re(n) > 1e-100 ? 2 * rt_atan_of(n, q[0]) / n : 2 / q[0], q + 1);
    return rt_re(q[0]) > at_pi;
}

/* The factor c of Jl^-1 = I - 1/2 theta~ + c theta~^2, as a function of s = |theta|^2, and dc/ds.
 *     c = (1 - (t/2) cot(t/2)) / t^2 = sum_k 2 / ((2 pi k)^2 - s)
 *         (Mittag-Leffler; cot's poles)
 * The poles k = 1, 2 are taken as they are. The others are expanded at s = 0,
 *     sum_n r_n x^(n-1) / (6 pi)^2,   x = s/(6 pi)^2,   r_n = 2 (zeta(2n) - 1 - 4^-n) 9^n,
 * which gains a factor 36 a term up to |theta| = pi. No branch, and nothing cancels anywhere. */
#ifndef RT_WIDE

static rt_scalar rotation_factor(rt_scalar s, rt_scalar *by_s)
{
    enum { N = 12 };
    static const double r[N] = {
        7.1088132032680758565, 3.2113638612043870256, 2.5049343733268457038, 2.2452555294256213271,
        2.1272553200602421463, 2.0682921719149917530, 2.0373420793842569878, 2.0206428851460921996,
        2.0114866944883029741, 2.0064175484964533714, 2.0035944315831584024, 2.0020163816028034717,
    };
    const rt_scalar pi2 = 9.8696044010893586188, p1 = 1 / (4 * pi2 - s), p2 = 1 / (16 * pi2 - s);
    const rt_scalar scale = 1 / (36 * pi2), x = s * scale;
    rt_scalar sum = 0, slope = 0;
    for (int n = N - 1; n >= 0; n--) {
        slope = slope * x + sum;
        sum = sum * x + r[n];
    }
    *by_s = 2 * p1 * p1 + 2 * p2 * p2 + slope * scale * scale;
    return 2 * p1 + 2 * p2 + sum * scale;
}

#else

/* Of 113 bits: as it is written; near 0, where that cancels, by its series c = sum B_n s^(n-1) with
 * B_n = |Bernoulli number 2n| / (2n)!. */
static rt_scalar rotation_factor(rt_scalar s, rt_scalar *by_s)
{
    enum { N = 9 };
    const rt_scalar B[N] = {(rt_scalar)1 / 12,
                            (rt_scalar)1 / 720,
                            (rt_scalar)1 / 30240,
                            (rt_scalar)1 / 1209600,
                            (rt_scalar)1 / 47900160,
                            (rt_scalar)691 / 1307674368000,
                            (rt_scalar)1 / 74724249600,
                            (rt_scalar)3617 / 10670622842880000,
                            (rt_scalar)43867 / 5109094217170944000};
    if (s < 0x1p-8) {
        rt_scalar sum = 0, slope = 0;
        for (int n = N - 1; n >= 0; n--) slope = slope * s + sum, sum = sum * s + B[n];
        *by_s = slope;
        return sum;
    }
    const rt_scalar t = rt_sqrt(s), sin = rt_sin(t / 2), f = t / 2 * rt_cos(t / 2) / sin;
    /* d/ds (t/2 cot t/2) = (f/s - 1/(4 sin^2)) / 2 */
    const rt_scalar c = (1 - f) / s;
    *by_s = (-(f / s - 1 / (4 * sin * sin)) / 2 - c) / s;
    return c;
}

#endif

void rt_rotation_left_inverse(rt_scalar J[9], const rt_scalar theta[3])
{
    rt_scalar S[9], by_s;
    const rt_scalar c = rotation_factor(rt_v3_dot(theta, theta), &by_s);
    rt_m3_skew(S, theta);
    rt_m3_mul(J, S, S);
    for (int k = 0; k < 9; k++) J[k] = c * J[k] - S[k] / 2;
    J[0] += 1, J[4] += 1, J[8] += 1;
}

void rt_rotation_right_inverse(rt_scalar J[9], const rt_scalar theta[3])
{
    const rt_scalar minus[3] = {-theta[0], -theta[1], -theta[2]};
    rt_rotation_left_inverse(J, minus);
}

/* dJ = -1/2 d~ + c (d~ theta~ + theta~ d~) + 2 c_s (theta.d) theta~^2, d = dtheta */
void rt_rotation_left_inverse_along(rt_scalar dJ[9], const rt_scalar theta[3],
                                    const rt_scalar dtheta[3])
{
    rt_scalar S[9], D[9], DS[9], SS[9], c_s;
    const rt_scalar c = rotation_factor(rt_v3_dot(theta, theta), &c_s);
    const rt_scalar along = 2 * c_s * rt_v3_dot(theta, dtheta);
    rt_m3_skew(S, theta);
    rt_m3_skew(D, dtheta);
    rt_m3_mul(DS, D, S);
    rt_m3_mul(SS, S, S);
    /* theta~ d~ is the transpose of d~ theta~. */
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            dJ[3 * i + j] = -D[3 * i + j] / 2 + c * (DS[3 * i + j] + DS[3 * j + i]) +
                            along * SS[3 * i + j];
}

/* The derivative by theta of -b theta x m + c theta x (theta x m), b and c given with theirs by
 * x = |theta|^2:
 * D = b m~ - c ((theta x m)~ + theta~ m~) + 2 (c_x theta x (theta x m) - b_x theta x m) theta' */
static void rotation_gradient(rt_scalar D[9], const rt_scalar theta[3], const rt_scalar m[3],
                              const rt_scalar b[2], const rt_scalar c[2])
{
    rt_scalar S[9], M[9], SM[9], X[9], once[3], twice[3];
    rt_v3_cross(once, theta, m);
    rt_v3_cross(twice, theta, once);
    rt_m3_skew(S, theta);
    rt_m3_skew(M, m);
    rt_m3_skew(X, once);
    rt_m3_mul(SM, S, M);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            D[3 * i + j] = b[0] * M[3 * i + j] - c[0] * (X[3 * i + j] + SM[3 * i + j]) +
                           2 * (c[1] * twice[i] - b[1] * once[i]) * theta[j];
}

/* Jr^-1 m = m + 1/2 theta x m + c theta x (theta x m), so
 * D = -1/2 m~ - c ((theta x m)~ + theta~ m~) + 2 c_s (theta x (theta x m)) theta' */
void rt_rotation_right_inverse_gradient(rt_scalar D[9], const rt_scalar theta[3],
                                        const rt_scalar m[3])
{
    const rt_scalar b[2] = {-0.5, 0};
    rt_scalar c[2];
    c[0] = rotation_factor(rt_v3_dot(theta, theta), &c[1]);
    rotation_gradient(D, theta, m, b, c);
}

void rt_rotation_from_quaternion(rt_scalar A[9], const rt_scalar q[4])
{
    const rt_scalar n = rt_sqrt(q[0] * q[0] + rt_v3_dot(q + 1, q + 1));
    const rt_scalar w = q[0] / n, x = q[1] / n, y = q[2] / n, z = q[3] / n;
    A[0] = 1 - 2 * (y * y + z * z), A[1] = 2 * (x * y - w * z), A[2] = 2 * (x * z + w * y);
    A[3] = 2 * (x * y + w * z), A[4] = 1 - 2 * (x * x + z * z), A[5] = 2 * (y * z - w * x);
    A[6] = 2 * (x * z - w * y), A[7] = 2 * (y * z + w * x), A[8] = 1 - 2 * (x * x + y * y);
}

/* Shepperd: divide by the largest of the four components. */
void rt_rotation_to_quaternion(rt_scalar q[4], const rt_scalar A[9])
{
    const rt_scalar trace = A[0] + A[4] + A[8];
    /* 4 q q', of which the row with the largest diagonal is taken */
    const rt_scalar Q[4][4] = {
        {1 + trace, A[7] - A[5], A[2] - A[6], A[3] - A[1]},
        {A[7] - A[5], 1 + 2 * A[0] - trace, A[1] + A[3], A[2] + A[6]},
        {A[2] - A[6], A[1] + A[3], 1 + 2 * A[4] - trace, A[5] + A[7]},
        {A[3] - A[1], A[2] + A[6], A[5] + A[7], 1 + 2 * A[8] - trace},
    };
    int largest = 0;
    for (int k = 1; k < 4; k++)
        if (rt_re(Q[k][k]) > rt_re(Q[largest][largest])) largest = k;
    const rt_scalar *row = Q[largest];
    const rt_scalar norm = rt_sqrt(row[0] * row[0] + rt_v3_dot(row + 1, row + 1));
    const rt_scalar s = (rt_re(row[0]) < 0 ? -1 : 1) / norm;
    for (int k = 0; k < 4; k++) q[k] = s * row[k];
}

void rt_rotation_from_euler_313(rt_scalar A[9], const rt_scalar angles[3])
{
    const rt_scalar a = rt_cos(angles[0]), b = rt_sin(angles[0]);
    const rt_scalar c = rt_cos(angles[1]), d = rt_sin(angles[1]);
    const rt_scalar e = rt_cos(angles[2]), f = rt_sin(angles[2]);
    A[0] = a * e - b * c * f, A[1] = -a * f - b * c * e, A[2] = b * d;
    A[3] = b * e + a * c * f, A[4] = -b * f + a * c * e, A[5] = -a * d;
    A[6] = d * f, A[7] = d * e, A[8] = c;
}

/* ---- Jl along a motion ---------------------------------------------------------------------- */

/* sum (-x)^k / (2 k + shift)!, x = t^2, with its first and second derivative by x: for shift 2
 * (1 - cos t)/t^2, and for shift 3 (t - sin t)/t^3. */
static void rotation_series(rt_scalar f[3], rt_scalar x, int shift)
{
    rt_scalar term = 1; /* (-1)^k / (2 k + shift)!, without the power */
    rt_scalar power = 1, power1 = 0, power2 = 0;
    for (int k = 2; k <= shift; k++) term /= k;
    f[0] = f[1] = f[2] = 0;
    for (int k = 0; k < 28; k++) {
        f[0] += term * power;
        f[1] += term * power1;
        f[2] += term * power2;
        power2 = power2 * x + 2 * power1;
        power1 = power1 * x + power;
        power *= x;
        term /= -(2 * k + shift + 1.0) * (2 * k + shift + 2.0);
    }
}

/* d^level/dt^level of f(t) S(t), jets given */
static rt_scalar rotation_product(const rt_scalar f[3], rt_scalar s0, rt_scalar s1, rt_scalar s2,
                                  int level)
{
    if (level == 0) return f[0] * s0;
    if (level == 1) return f[1] * s0 + f[0] * s1;
    return f[2] * s0 + 2 * f[1] * s1 + f[0] * s2;
}

/* Jl = 1 + b theta~ + c theta~^2 */
void rt_rotation_left_jet(rt_scalar T[3][9], const rt_scalar theta[3], const rt_scalar theta1[3],
                          const rt_scalar theta2[3])
{
    rt_scalar S[3][9], Q[3][9] = {{0}}, X[9], b[3], c[3], by[3];
    rt_m3_skew(S[0], theta);
    rt_m3_skew(S[1], theta1);
    rt_m3_skew(S[2], theta2);
    static const int binomial[3][3] = {{1}, {1, 1}, {1, 2, 1}};
    for (int level = 0; level < 3; level++)
        for (int k = 0; k <= level; k++) {
            rt_m3_mul(X, S[k], S[level - k]);
            for (int i = 0; i < 9; i++) Q[level][i] += binomial[level][k] * X[i];
        }
    const rt_scalar x = rt_v3_dot(theta, theta), x1 = 2 * rt_v3_dot(theta, theta1),
                    x2 = 2 * (rt_v3_dot(theta1, theta1) + rt_v3_dot(theta, theta2));
    rotation_series(by, x, 2);
    b[0] = by[0], b[1] = by[1] * x1, b[2] = by[2] * x1 * x1 + by[1] * x2;
    rotation_series(by, x, 3);
    c[0] = by[0], c[1] = by[1] * x1, c[2] = by[2] * x1 * x1 + by[1] * x2;
    for (int level = 0; level < 3; level++)
        for (int i = 0; i < 9; i++)
            T[level][i] = (level == 0 && i % 4 == 0) +
                          rotation_product(b, S[0][i], S[1][i], S[2][i], level) +
                          rotation_product(c, Q[0][i], Q[1][i], Q[2][i], level);
}

/* Jl' m = m - b theta x m + c theta x (theta x m), so
 * D = b m~ - c ((theta x m)~ + theta~ m~) - 2 b_x (theta x m) theta'
 *     + 2 c_x (theta x (theta x m)) theta',     x = |theta|^2 */
void rt_rotation_left_gradient(rt_scalar D[9], const rt_scalar theta[3], const rt_scalar m[3])
{
    rt_scalar b[3], c[3];
    const rt_scalar x = rt_v3_dot(theta, theta);
    rotation_series(b, x, 2);
    rotation_series(c, x, 3);
    rotation_gradient(D, theta, m, b, c);
}
