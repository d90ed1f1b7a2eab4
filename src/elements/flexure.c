/* See flexure.h. */
#include "elements/flexure.h"

#include "base/rotation.h"
#include "elements/flexible_body.h"
#include "elements/flexible_moments.h"
#include "elements/halfway.h"

/* Variables of an element: x = (d_b - d_a, psi_a, psi_b), Y = (a, g_y, g_z, theta), strains e. */
enum { FLEXURE_X = 9, FLEXURE_Y = 6, FLEXURE_STRAINS = 7, FLEXURE_PLACES = 12 };

typedef struct flexure_end {
    rt_scalar psi[3], rate[3];
    rt_scalar T[3][9]; /* T(psi), its rate */
    rt_frame frame;
} flexure_end;

typedef struct flexure {
    rt_scalar l, k[FLEXURE_STRAINS], damping, saturation; /* saturation: c */
    rt_scalar across[2], twisted[2]; /* C / E Iy, -C / E Iz; of theta_x^2 in e_2, e_3 */
    int weak;                        /* the place of theta_w in Y */
    bool moves;
    rt_scalar d[3], d_t[3];
    rt_scalar s[2], s_t[2];
    rt_scalar f, f1, f2; /* f, df/dz, d2f/dz2 */
    flexure_end end[2];
    rt_halfway half;
    rt_scalar Y[FLEXURE_Y], Y_t[FLEXURE_Y];
    rt_scalar e[FLEXURE_STRAINS], J[FLEXURE_STRAINS * FLEXURE_Y]; /* J = de/dY */
    rt_scalar F[FLEXURE_STRAINS], by_Y[FLEXURE_Y];                /* forces on e and on Y */
    rt_scalar C[6], C_t[6]; /* dc/d(d_y, d_z), 3 x 2, and its rate */
} flexure;

/* ---- numbers and coordinates ----------------------------------------------------------------- */

static void flexure_take_numbers(flexure *x, const rt_flexure *from, const rt_flexure *by)
{
    rt_scalar n[RT_FLEXURE_NUMBERS];
    rt_take_constants(n, from->numbers, by ? by->numbers : NULL, RT_FLEXURE_NUMBERS);
    const rt_scalar l = x->l = n[0], EA = n[1], GJ = n[2], EIy = n[3], EIz = n[4], C = EIz - EIy;
    const rt_scalar k[FLEXURE_STRAINS] = {
        EA * l, GJ / l, EIy / l, EIz / l, 12 * EIz / l, 12 * EIy / l, -C * C / (12 * GJ * l)};
    memcpy(x->k, k, sizeof k);
    x->damping = n[5];
    x->weak = rt_re(C) > 0 ? 4 : 5;
    x->saturation = rt_fabs(C) / (10 * GJ);
    x->across[0] = C / EIy, x->across[1] = -C / EIz;
    for (int i = 0; i < 2; i++) x->twisted[i] = (rt_scalar)1 / 24 + x->across[i] / 12;
}

/* The values of the coordinates at the element's 12 places; of what is held, none. */
static void flexure_take_places(const rt_flexure *from, const rt_scalar *q,
                                rt_scalar at[FLEXURE_PLACES])
{
    for (int p = 0; p < FLEXURE_PLACES; p++) at[p] = 0;
    for (int a = 0; a < from->n; a++) at[from->place[a]] = q[from->column[a]];
}

/* f = 1 - sqrt(1 - z), from a slope of 60 deg on, which no result has, its parabola there. */
static void find_shortening(flexure *x)
{
    static const double most = 0.75;
    const rt_scalar z = x->s[0] * x->s[0] + x->s[1] * x->s[1];
    const rt_scalar at = rt_re(z) < most ? z : most, beyond = z - at, root = rt_sqrt(1 - at);
    x->f2 = 1 / (4 * root * root * root);
    x->f1 = 1 / (2 * root) + x->f2 * beyond;
    x->f = at / (1 + root) + (1 / (2 * root) + x->f2 * beyond / 2) * beyond;
}

/* c = (1 - f, s_y, s_z): d(1 - f) = - 2 f' s.ds, and the rate of that */
static void find_direction(flexure *x)
{
    const rt_scalar along = x->s[0] * x->s_t[0] + x->s[1] * x->s_t[1];
    for (int i = 0; i < 2; i++) {
        x->C[i] = -2 * x->f1 * x->s[i] / x->l;
        x->C_t[i] = -(2 * x->f1 * x->s_t[i] + 4 * x->f2 * along * x->s[i]) / x->l;
        for (int k = 0; k < 2; k++) x->C[2 + 2 * i + k] = i == k ? 1 / x->l : 0;
    }
}

static void flexure_find_end(flexure_end *end)
{
    static const rt_scalar none[3];
    rt_rotation_left_jet(end->T, end->psi, end->rate, none);
    end->frame = (rt_frame){0};
    rt_rotation_exp(end->frame.A, end->psi);
    rt_m3_mul_v(end->frame.w, end->T[0], end->rate);
}

static void flexure_find(flexure *x, const rt_flexure *from, const rt_flexure *by,
                         const rt_scalar *q, const rt_scalar *u)
{
    static const rt_scalar no_offset[6];
    rt_scalar at[FLEXURE_PLACES], rate[FLEXURE_PLACES] = {0};
    x->moves = u != NULL;
    flexure_take_numbers(x, from, by);
    flexure_take_places(from, q, at);
    if (u) flexure_take_places(from, u, rate);
    rt_v3_sub(x->d, at + 6, at);
    rt_v3_sub(x->d_t, rate + 6, rate);
    for (int k = 0; k < 2; k++) {
        x->s[k] = x->d[1 + k] / x->l, x->s_t[k] = x->d_t[1 + k] / x->l;
        rt_v3_copy(x->end[k].psi, at + 6 * k + 3);
        rt_v3_copy(x->end[k].rate, rate + 6 * k + 3);
        flexure_find_end(&x->end[k]);
    }
    find_shortening(x);
    find_direction(x);
    rt_frame *b = &x->end[1].frame;
    rt_v3_set(b->r, 1 - x->f, x->s[0], x->s[1]);
    rt_v3_set(b->v, x->C[0] * x->d_t[1] + x->C[1] * x->d_t[2], x->s_t[0], x->s_t[1]);
    rt_halfway_find(&x->end[0].frame, b, no_offset, &x->half);
    memcpy(x->Y, x->half.e, sizeof x->Y);
    memcpy(x->Y_t, x->half.rate, sizeof x->Y_t);
    x->Y[0] = x->d[0] / x->l + x->f;
    x->Y_t[0] = x->d_t[0] / x->l - b->v[0];
}

/* ---- strains of Y ---------------------------------------------------------------------------- */

/* theta_w r and r = 1 / sqrt(1 + c theta_w^2) with their derivatives by theta_w */
typedef struct flexure_yield {
    rt_scalar other, product, by_weak, r, twice; /* twice: of w r */
} flexure_yield;

static flexure_yield yield_of(const flexure *x)
{
    const rt_scalar w = x->Y[x->weak], c = x->saturation, r = 1 / rt_sqrt(1 + c * w * w);
    /* (w r)' = r^3, (w r)'' = - 3 c w r^5 */
    return (flexure_yield){x->Y[9 - x->weak], w * r, r * r * r, r, -3 * c * w * r * r * r * r * r};
}

static void find_strains(flexure *x)
{
    const rt_scalar *Y = x->Y, gy = Y[1], gz = Y[2], tx = Y[3], ty = Y[4], tz = Y[5];
    const flexure_yield p = yield_of(x);
    const rt_scalar A = x->across[0], B = x->across[1], a = x->twisted[0], b = x->twisted[1];
    const rt_scalar e[FLEXURE_STRAINS] = {Y[0] + (gy * gy + gz * gz) / 10 +
                                              (ty * ty + tz * tz) / 24,
                                          tx * (1 - (ty * ty + tz * tz) / 24) + ty * gy + tz * gz,
                                          ty * (1 - a * tx * tx) + A * tx * gy,
                                          tz * (1 - b * tx * tx) + B * tx * gz,
                                          gy - tx * ty / 8,
                                          gz - tx * tz / 8,
                                          p.product * p.other};
    const rt_scalar J[FLEXURE_STRAINS * FLEXURE_Y] = {
        1,
        gy / 5,
        gz / 5,
        0,
        ty / 12,
        tz / 12, /* e_0 */
        0,
        ty,
        tz,
        1 - (ty * ty + tz * tz) / 24,
        gy - tx * ty / 12,
        gz - tx * tz / 12, /* e_1 */
        0,
        A * tx,
        0,
        A * gy - 2 * a * tx * ty,
        1 - a * tx * tx,
        0, /* e_2 */
        0,
        0,
        B * tx,
        B * gz - 2 * b * tx * tz,
        0,
        1 - b * tx * tx, /* e_3 */
        0,
        1,
        0,
        -ty / 8,
        -tx / 8,
        0, /* e_4 */
        0,
        0,
        1,
        -tz / 8,
        0,
        -tx / 8, /* e_5 */
        0,
        0,
        0,
        0,
        0,
        0, /* e_6 */
    };
    memcpy(x->e, e, sizeof e);
    memcpy(x->J, J, sizeof J);
    x->J[6 * FLEXURE_Y + x->weak] = p.by_weak * p.other;
    x->J[6 * FLEXURE_Y + 9 - x->weak] = p.product;
}

static void flexure_add_pair(rt_scalar S[FLEXURE_Y * FLEXURE_Y], int i, int j, rt_scalar term)
{
    S[FLEXURE_Y * i + j] += term;
    if (i != j) S[FLEXURE_Y * j + i] += term;
}

/* S (6 x 6) += sum_i F_i d2 e_i/dY2 */
static void add_curvature(const flexure *x, const rt_scalar F[FLEXURE_STRAINS],
                          rt_scalar S[FLEXURE_Y * FLEXURE_Y])
{
    const rt_scalar *Y = x->Y, *A = x->across, *a = x->twisted;
    const rt_scalar bent = -(2 * a[0] * F[2] * Y[4] + 2 * a[1] * F[3] * Y[5]);
    flexure_add_pair(S, 1, 1, F[0] / 5), flexure_add_pair(S, 2, 2, F[0] / 5);
    flexure_add_pair(S, 4, 4, (F[0] - F[1] * Y[3]) / 12),
        flexure_add_pair(S, 5, 5, (F[0] - F[1] * Y[3]) / 12);
    flexure_add_pair(S, 1, 4, F[1]), flexure_add_pair(S, 2, 5, F[1]);
    flexure_add_pair(S, 1, 3, A[0] * F[2]), flexure_add_pair(S, 2, 3, A[1] * F[3]);
    flexure_add_pair(S, 3, 3, bent);
    flexure_add_pair(S, 3, 4, -F[1] * Y[4] / 12 - 2 * a[0] * F[2] * Y[3] - F[4] / 8);
    flexure_add_pair(S, 3, 5, -F[1] * Y[5] / 12 - 2 * a[1] * F[3] * Y[3] - F[5] / 8);
    const flexure_yield p = yield_of(x);
    const int w = x->weak, o = 9 - w;
    S[FLEXURE_Y * w + w] += F[6] * p.twice * p.other;
    S[FLEXURE_Y * w + o] += F[6] * p.by_weak;
    S[FLEXURE_Y * o + w] += F[6] * p.by_weak;
}

/* F_i = k_i (e_i + s e_i'),  the last without s;  by_Y = J'F */
static void flexure_find_forces(flexure *x)
{
    for (int j = 0; j < FLEXURE_Y; j++) x->by_Y[j] = 0;
    for (int i = 0; i < FLEXURE_STRAINS; i++) {
        rt_scalar rate = 0;
        for (int j = 0; j < FLEXURE_Y && x->moves; j++) rate += x->J[FLEXURE_Y * i + j] * x->Y_t[j];
        x->F[i] = x->k[i] * (x->e[i] + (i < 6 ? x->damping * rate : 0));
        for (int j = 0; j < FLEXURE_Y; j++) x->by_Y[j] += x->J[FLEXURE_Y * i + j] * x->F[i];
    }
}

/* ---- Y of x ---------------------------------------------------------------------------------- */

/* x moves y of the half-way frame by (D, s, p) = M dx:  D = R'C (d_y, d_z),  U = R'T of an end:
 * s = (U_a, U_b)/2,  p = (-U_a, U_b). out (n x 9, on x) += rows (n x 9, on y) M. */
static void add_to_x(const rt_scalar *rows, int n, const rt_scalar D[6], const rt_scalar U[18],
                     rt_scalar *out)
{
    for (int i = 0; i < n; i++) {
        const rt_scalar *y = rows + 9 * i;
        rt_scalar *to = out + FLEXURE_X * i;
        for (int k = 0; k < 2; k++) to[1 + k] += y[0] * D[k] + y[1] * D[2 + k] + y[2] * D[4 + k];
        for (int m = 0; m < 3; m++) {
            const rt_scalar half = y[3 + m] / 2, whole = y[6 + m];
            for (int k = 0; k < 3; k++) {
                to[3 + k] += (half - whole) * U[3 * m + k];
                to[6 + k] += (half + whole) * U[9 + 3 * m + k];
            }
        }
    }
}

/* R'C and R'T of both ends, or of their rates (level 1). */
static void flexure_find_motion(const flexure *x, int level, rt_scalar D[6], rt_scalar U[18])
{
    const rt_scalar *R = x->half.R, *C = level ? x->C_t : x->C;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++)
            D[2 * i + k] = R[i] * C[k] + (level ? 0 : R[3 + i] * C[2 + k] + R[6 + i] * C[4 + k]);
    for (int e = 0; e < 2; e++) rt_m3_tmul(U + 9 * e, R, x->end[e].T[level]);
}

typedef struct flexure_rows {
    rt_scalar B[54];                      /* of the half-way frame */
    rt_scalar D[6], U[18];                /* M */
    rt_scalar G[FLEXURE_Y * FLEXURE_X];   /* dY/dx */
    rt_scalar G_t[FLEXURE_Y * FLEXURE_X]; /* its rate, where there is damping */
} flexure_rows;

static void find_rows(const flexure *x, flexure_rows *r)
{
    rt_halfway_rows(&x->half, r->B);
    flexure_find_motion(x, 0, r->D, r->U);
    memset(r->G, 0, sizeof r->G);
    add_to_x(r->B, FLEXURE_Y, r->D, r->U, r->G);
    /* a = (d_b - d_a)_x / l + f */
    memset(r->G, 0, FLEXURE_X * sizeof *r->G);
    r->G[0] = 1 / x->l, r->G[1] = -x->C[0], r->G[2] = -x->C[1];
}

/* (B' - B w~) M + B M' */
static void find_rates(const flexure *x, flexure_rows *r)
{
    rt_scalar E[54], D[6], U[18];
    rt_halfway_rate_rows(&x->half, r->B, E);
    flexure_find_motion(x, 1, D, U);
    memset(r->G_t, 0, sizeof r->G_t);
    add_to_x(E, FLEXURE_Y, r->D, r->U, r->G_t);
    add_to_x(r->B, FLEXURE_Y, D, U, r->G_t);
    memset(r->G_t, 0, FLEXURE_X * sizeof *r->G_t);
    r->G_t[1] = -x->C_t[0], r->G_t[2] = -x->C_t[1];
}

/* H (9 x 9) += A'X B,  A, B: 6 x 9, X: 6 x 6 */
static void add_product(rt_scalar H[81], const rt_scalar *A, const rt_scalar *X, const rt_scalar *B)
{
    rt_scalar XB[FLEXURE_Y * FLEXURE_X] = {0};
    rt_halfway_multiply_add(XB, 1, X, FLEXURE_Y, FLEXURE_Y, B);
    for (int m = 0; m < FLEXURE_Y; m++)
        for (int i = 0; i < FLEXURE_X; i++)
            for (int j = 0; j < FLEXURE_X; j++)
                H[FLEXURE_X * i + j] += A[FLEXURE_X * m + i] * XB[FLEXURE_X * m + j];
}

/* The stiffness of strains J'k J, or their damping: both without e_6 from `n` = 6. */
static void add_of_strains(const flexure *x, int n, rt_scalar s, rt_scalar X[FLEXURE_Y * FLEXURE_Y])
{
    for (int e = 0; e < n; e++)
        for (int i = 0; i < FLEXURE_Y; i++) {
            const rt_scalar row = s * x->k[e] * x->J[FLEXURE_Y * e + i];
            for (int j = 0; j < FLEXURE_Y; j++)
                X[FLEXURE_Y * i + j] += row * x->J[FLEXURE_Y * e + j];
        }
}

/* ---- second derivatives of Y ----------------------------------------------------------------- */

/* The forces on Y held: what moves those on x. On the direction c acts R n, on the ends the torques
 * R (q/2 -+ t), which T' takes to psi. */
static void add_outer(const flexure *x, const flexure_rows *r, rt_scalar H[81])
{
    rt_halfway_forces f = {.F = {0, x->by_Y[1], x->by_Y[2], x->by_Y[3], x->by_Y[4], x->by_Y[5]}};
    rt_scalar G[81] = {0}, GM[81] = {0}, t[3], n[3];
    rt_halfway_spread(&x->half, &f);
    rt_halfway_geometric(&x->half, &f, r->B, G);
    add_to_x(G, 9, r->D, r->U, GM);
    /* M'(G M), column by column */
    for (int j = 0; j < FLEXURE_X; j++) {
        for (int k = 0; k < 2; k++)
            for (int m = 0; m < 3; m++)
                H[FLEXURE_X * (1 + k) + j] += r->D[2 * m + k] * GM[FLEXURE_X * m + j];
        for (int m = 0; m < 3; m++) {
            const rt_scalar half = GM[FLEXURE_X * (3 + m) + j] / 2,
                            whole = GM[FLEXURE_X * (6 + m) + j];
            for (int k = 0; k < 3; k++) {
                H[FLEXURE_X * (3 + k) + j] += (half - whole) * r->U[3 * m + k];
                H[FLEXURE_X * (6 + k) + j] += (half + whole) * r->U[9 + 3 * m + k];
            }
        }
    }
    for (int e = 0; e < 2; e++) {
        rt_scalar torque[3], X[9];
        for (int i = 0; i < 3; i++) t[i] = f.q[i] / 2 + (e ? f.t[i] : -f.t[i]);
        rt_m3_mul_v(torque, x->half.R, t);
        rt_rotation_left_gradient(X, x->end[e].psi, torque);
        for (int i = 0; i < 9; i++) H[FLEXURE_X * (3 + 3 * e + i / 3) + 3 + 3 * e + i % 3] += X[i];
    }
    rt_m3_mul_v(n, x->half.R, f.F);
    /* d2f = 2 f' ds.ds + 4 f'' (s.ds)^2 */
    const rt_scalar along = (x->by_Y[0] - n[0]) / (x->l * x->l);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            H[FLEXURE_X * (1 + i) + 1 + k] +=
                along * (2 * x->f1 * (i == k) + 4 * x->f2 * x->s[i] * x->s[k]);
}

/* ---- on the coordinates ---------------------------------------------------------------------- */

/* Where place p of the element is in x, and its sign: displacements count as differences. */
static int place_in_x(int p, double *sign)
{
    *sign = p < 3 ? -1 : 1;
    return p < 3 ? p : p < 6 ? p : p < 9 ? p - 6 : p - 3;
}

static void add_to_pattern(const rt_flexure *at, const rt_scalar H[81], rt_scalar *to)
{
    for (int a = 0; a < at->n; a++) {
        double sign_a, sign_b;
        const int i = place_in_x(at->place[a], &sign_a);
        for (int b = 0; b < at->n; b++) {
            const int j = place_in_x(at->place[b], &sign_b);
            to[at->position[at->n * a + b]] += sign_a * sign_b * H[FLEXURE_X * i + j];
        }
    }
}

/* H = G'(J'k J + F d2e + J's k (d2e Y')) G + G'J's k J G' + by_Y d2Y,   and of rates G'J's k J G */
static void add_flexure_partials(const flexure *x, const flexure_rows *rows, const rt_flexure *at,
                                 rt_flexible_result *out)
{
    flexure_rows r = *rows;
    const bool damped = rt_re(x->damping) != 0;
    rt_scalar H[81] = {0}, X[FLEXURE_Y * FLEXURE_Y] = {0}, Z[FLEXURE_Y * FLEXURE_Y] = {0},
              by_rate[81] = {0};
    add_of_strains(x, FLEXURE_STRAINS, 1, X);
    add_curvature(x, x->F, X);
    if (x->moves && damped) {
        /* sum_i (s k_i J_i)' (d2e_i Y')' */
        for (int i = 0; i < 6; i++) {
            rt_scalar one[FLEXURE_STRAINS] = {0}, S[FLEXURE_Y * FLEXURE_Y] = {0};
            one[i] = 1;
            add_curvature(x, one, S);
            for (int k = 0; k < FLEXURE_Y; k++) {
                rt_scalar rate = 0;
                for (int j = 0; j < FLEXURE_Y; j++) rate += S[FLEXURE_Y * k + j] * x->Y_t[j];
                for (int j = 0; j < FLEXURE_Y; j++)
                    X[FLEXURE_Y * j + k] += x->damping * x->k[i] * x->J[FLEXURE_Y * i + j] * rate;
            }
        }
    }
    add_product(H, r.G, X, r.G);
    add_outer(x, &r, H);
    if (damped) {
        add_of_strains(x, 6, x->damping, Z);
        if (x->moves) {
            find_rates(x, &r);
            add_product(H, r.G, Z, r.G_t);
        }
        add_product(by_rate, r.G, Z, r.G);
        if (out->inner[1]) add_to_pattern(at, by_rate, out->inner[1]);
    }
    if (out->inner[0]) add_to_pattern(at, H, out->inner[0]);
}

void rt_flexible_add_flexure(const rt_flexible_body *b, int k, bool partials,
                             rt_flexible_result *out)
{
    const rt_flexure *at = &b->flexible->flexures[k];
    flexure x;
    flexure_rows r;
    flexure_find(&x, at, b->slope ? &b->slope->flexures[k] : NULL, b->state->q,
                 b->moves ? b->state->u : NULL);
    find_strains(&x);
    flexure_find_forces(&x);
    find_rows(&x, &r);
    for (int a = 0; a < at->n; a++) {
        double sign;
        const int i = place_in_x(at->place[a], &sign);
        rt_scalar force = 0;
        for (int j = 0; j < FLEXURE_Y; j++) force += r.G[FLEXURE_X * j + i] * x.by_Y[j];
        rt_flexible_contribute(out, at->column[a], sign * force);
    }
    if (partials) add_flexure_partials(&x, &r, at, out);
}

rt_flexure_state rt_flexure_at(const rt_flexible *flexible, int k, const rt_scalar *q)
{
    flexure x;
    rt_scalar energy = 0;
    flexure_find(&x, &flexible->flexures[k], NULL, q, NULL);
    find_strains(&x);
    for (int i = 0; i < FLEXURE_STRAINS; i++) energy += x.k[i] * x.e[i] * x.e[i] / 2;
    return (rt_flexure_state){energy, x.e[0]};
}

void rt_flexure_stiffness(const rt_flexible *flexible, int k, const rt_scalar *q, rt_scalar *K)
{
    const rt_flexure *at = &flexible->flexures[k];
    flexure x;
    flexure_rows r;
    rt_scalar H[81] = {0}, X[FLEXURE_Y * FLEXURE_Y] = {0};
    flexure_find(&x, at, NULL, q, NULL);
    find_strains(&x);
    find_rows(&x, &r);
    add_of_strains(&x, FLEXURE_STRAINS, 1, X);
    add_product(H, r.G, X, r.G);
    for (int a = 0; a < at->n; a++)
        for (int b = 0; b < at->n; b++) {
            double sign_a, sign_b;
            const int i = place_in_x(at->place[a], &sign_a);
            const int j = place_in_x(at->place[b], &sign_b);
            K[at->n * a + b] = sign_a * sign_b * H[FLEXURE_X * i + j];
        }
}
