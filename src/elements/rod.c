/* The geometrically exact beam element between two nodes (Simo 1985; Reissner 1973; the middle
 * frame of Crisfield and Jelenic 1999), symmetric in its ends. */
#include "base/rotation.h"
#include "elements/load_block.h"
#include "elements/loads.h"
#include "model/load_fields.h"

/* With theta = log(A_a'A_b), the frame half-way is R = A_a exp(theta/2) = A_b exp(-theta/2), and
 *     e = (R'(r_b - r_a), theta) - offset.
 * All is worked out in R's axes, in the variation
 *     y = (D, s, p),  D = R'(dr_b - dr_a),  s = R'(dtheta_a + dtheta_b)/2,
 *         p = R'(dtheta_b - dtheta_a):
 *     R turns by  m = s - T theta x p,    de = (D + d x m, L p),     d = R'(r_b - r_a)
 *     L = Jl(theta)^-1 exp(theta/2) = c 1 + k theta theta',     u = |theta|
 *     c = (u/2)/sin(u/2),  k = (1 - c)/u^2,  T = tan(u/4)/(2 u)
 * L is symmetric and even in theta, which is why neither end is preferred. */
typedef struct halfway {
    rt_scalar R[9];
    rt_scalar theta[3], d[3];
    rt_scalar c, k, T;    /* above */
    rt_scalar c2, k2, T2; /* c'/u, k'/u, T'/u */
    rt_scalar e[6], rate[6];
    rt_scalar turning[3];  /* angular velocity of R, its axes */
    rt_scalar relative[3]; /* w_b - w_a, its axes */
} halfway;

/* ---- the three functions --------------------------------------------------------------------- */

enum { N_TERMS = 14 };

/* x/sin x and tan(x)/(8 x) in powers of u^2: x = u/2, x = u/4 */
static const double c_series[N_TERMS] = {
    1.0,
    4.16666666666666644e-02,
    1.21527777777777780e-03,
    3.20353835978835948e-05,
    8.20260830026455070e-07,
    2.08359820718761682e-08,
    5.28160996772133702e-10,
    1.33809029202683348e-11,
    3.38957685148932100e-13,
    8.58599654982294738e-15,
    2.17486455032522302e-16,
    5.50900020146297623e-18,
    1.39544630223107021e-19,
    3.53470693428698846e-21,
};
static const double T_series[N_TERMS] = {
    1.25000000000000000e-01, 2.60416666666666652e-03, 6.51041666666666658e-05,
    1.64698040674603182e-06, 4.17127390597442684e-08, 1.05658001064088313e-09,
    2.67634394509530153e-11, 6.77925714781190423e-13, 1.71720586061007910e-14,
    4.34973324888328494e-16, 1.10180030298232065e-17, 2.79089277081232244e-19,
    7.06941397391645574e-21, 1.79070347873661902e-22,
};

/* Below u = 1 the series: their 14th terms are below rounding, while closed forms lose digits to
 * differences. f'/u = 2 df/d(u^2). */
static void find_series(halfway *h, rt_scalar z)
{
    h->c = h->c2 = h->k = h->k2 = h->T = h->T2 = 0;
    for (int n = N_TERMS - 1; n >= 0; n--) {
        h->c = h->c * z + c_series[n];
        h->T = h->T * z + T_series[n];
        if (n < 1) continue;
        h->c2 = h->c2 * z + 2 * n * c_series[n];
        h->T2 = h->T2 * z + 2 * n * T_series[n];
        h->k = h->k * z - c_series[n];
        if (n > 1) h->k2 = h->k2 * z - 2 * (n - 1) * c_series[n];
    }
}

static void find_functions(halfway *h)
{
    const rt_scalar z = rt_v3_dot(h->theta, h->theta);
    if (rt_re(z) < 1) {
        find_series(h, z);
        return;
    }
    const rt_scalar u = rt_sqrt(z), x = u / 2, s = rt_sin(x), t = rt_tan(u / 4);
    h->c = x / s;
    h->c2 = (s - x * rt_cos(x)) / (2 * s * s * u);
    h->k = (1 - h->c) / z;
    h->k2 = -(h->c2 + 2 * h->k) / z;
    h->T = t / (2 * u);
    h->T2 = ((1 + t * t) / 4 - t / u) / (2 * z);
}

/* L x */
static void apply_L(const halfway *h, const rt_scalar x[3], rt_scalar y[3])
{
    rt_v3_scale(y, h->c, x);
    rt_v3_add_scaled(y, h->k * rt_v3_dot(h->theta, x), h->theta);
}

/* ---- strains and their rates ----------------------------------------------------------------- */

/* m = s - T theta x p */
static void find_turning(const halfway *h, const rt_scalar s[3], const rt_scalar p[3],
                         rt_scalar m[3])
{
    rt_scalar cross[3];
    rt_v3_cross(cross, h->theta, p);
    rt_v3_copy(m, s);
    rt_v3_add_scaled(m, -h->T, cross);
}

static bool find_halfway(const rt_frame *a, const rt_frame *b, const rt_scalar offset[6],
                         halfway *h)
{
    rt_scalar Q[9], half[3], x[3], s[3];
    rt_m3_tmul(Q, a->A, b->A);
    const bool regular = rt_rotation_log(h->theta, Q);
    rt_v3_scale(half, 0.5, h->theta);
    rt_rotation_exp(Q, half);
    rt_m3_mul(h->R, a->A, Q);
    find_functions(h);
    rt_v3_sub(x, b->r, a->r);
    rt_m3_tmul_v(h->d, h->R, x);
    rt_v3_sub(x, b->w, a->w);
    rt_m3_tmul_v(h->relative, h->R, x);
    rt_v3_add(x, b->w, a->w);
    rt_m3_tmul_v(s, h->R, x);
    rt_v3_scale(s, 0.5, s);
    find_turning(h, s, h->relative, h->turning);
    for (int k = 0; k < 3; k++) {
        h->e[k] = h->d[k] - offset[k];
        h->e[3 + k] = h->theta[k] - offset[3 + k];
    }
    rt_v3_sub(x, b->v, a->v);
    rt_m3_tmul_v(h->rate, h->R, x);
    rt_v3_cross_add(h->rate, h->d, h->turning);
    apply_L(h, h->relative, h->rate + 3);
    return regular;
}

bool rt_rod_deflection(const rt_frame *a, const rt_frame *b, const rt_scalar offset[6],
                       rt_scalar e[6], rt_scalar rate[6])
{
    halfway h;
    const bool regular = find_halfway(a, b, offset, &h);
    memcpy(e, h.e, sizeof h.e);
    memcpy(rate, h.rate, sizeof h.rate);
    return regular;
}

/* ---- matrices over y: rows x 9 --------------------------------------------------------------- */

/* M[row.., 3 block..] += s X for a 3x3 X; M has 9 columns. */
static void rod_place(rt_scalar *M, int row, int block, rt_scalar s, const rt_scalar X[9])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) M[9 * (row + i) + 3 * block + k] += s * X[3 * i + k];
}

/* C[rows][9] += s A[rows][n] B[n][9] */
static void rod_multiply_add(rt_scalar *C, rt_scalar s, const rt_scalar *A, int rows, int n,
                             const rt_scalar *B)
{
    for (int i = 0; i < rows; i++)
        for (int l = 0; l < n; l++) {
            const rt_scalar x = s * A[n * i + l];
            for (int k = 0; k < 9; k++) C[9 * i + k] += x * B[9 * l + k];
        }
}

/* a~ b~ */
static void skew_product(rt_scalar X[9], const rt_scalar a[3], const rt_scalar b[3])
{
    rt_scalar A[9], B[9];
    rt_m3_skew(A, a);
    rt_m3_skew(B, b);
    rt_m3_mul(X, A, B);
}

static void find_L(const halfway *h, rt_scalar L[9])
{
    rt_m3_identity(L);
    for (int k = 0; k < 9; k++) L[k] *= h->c;
    rt_m3_add_outer(L, h->k, h->theta, h->theta);
}

/* W (3 x 9): m = W y */
static void turning_rows(const halfway *h, rt_scalar W[27])
{
    rt_scalar X[9];
    memset(W, 0, 27 * sizeof *W);
    rt_m3_identity(X);
    rod_place(W, 0, 1, 1, X);
    rt_m3_skew(X, h->theta);
    rod_place(W, 0, 2, -h->T, X);
}

/* B (6 x 9): de = B y */
static void strain_rows(const halfway *h, rt_scalar B[54])
{
    rt_scalar X[9];
    memset(B, 0, 54 * sizeof *B);
    rt_m3_identity(X);
    rod_place(B, 0, 0, 1, X);
    rt_m3_skew(X, h->d);
    rod_place(B, 0, 1, 1, X);
    skew_product(X, h->d, h->theta);
    rod_place(B, 0, 2, -h->T, X);
    find_L(h, X);
    rod_place(B, 3, 2, 1, X);
}

/* B' - B w~ (6 x 9), so that d(e') = B y' + (B' - B w~) y where y' is made of xi' as y is of xi:
 * R'' = -w~ R' with w the angular velocity of R in its axes. */
static void strain_rate_rows(const halfway *h, const rt_scalar B[54], rt_scalar E[54])
{
    const rt_scalar *rate = h->rate, along = rt_v3_dot(h->theta, rate + 3);
    rt_scalar X[9], w[81] = {0};
    memset(E, 0, 54 * sizeof *E);
    rt_m3_skew(X, rate);
    rod_place(E, 0, 1, 1, X);
    skew_product(X, h->d, h->theta);
    rod_place(E, 0, 2, -h->T2 * along, X);
    skew_product(X, rate, h->theta);
    rod_place(E, 0, 2, -h->T, X);
    skew_product(X, h->d, rate + 3);
    rod_place(E, 0, 2, -h->T, X);
    rt_m3_identity(X);
    for (int k = 0; k < 9; k++) X[k] *= h->c2 * along;
    rt_m3_add_outer(X, h->k2 * along, h->theta, h->theta);
    rt_m3_add_outer(X, h->k, rate + 3, h->theta);
    rt_m3_add_outer(X, h->k, h->theta, rate + 3);
    rod_place(E, 3, 2, 1, X);
    rt_m3_skew(X, h->turning);
    for (int block = 0; block < 3; block++) rod_place(w, 3 * block, block, 1, X);
    rod_multiply_add(E, -1, B, 6, 9, w);
}

/* ---- forces ---------------------------------------------------------------------------------- */

/* The forces on y in R's axes: g = B'F = (n, q, t),   F = (n, m),
 *     q = n x d,    t = L m + T theta x q */
typedef struct forces {
    rt_scalar F[6];
    rt_scalar q[3], t[3];
    rt_scalar arm[3]; /* theta x q */
} forces;

static void rod_find_forces(const halfway *h, const rt_scalar stiffness[36],
                            const rt_scalar damping[36], forces *f)
{
    for (int i = 0; i < 6; i++) {
        f->F[i] = 0;
        for (int k = 0; k < 6; k++)
            f->F[i] -= stiffness[6 * i + k] * h->e[k] + damping[6 * i + k] * h->rate[k];
    }
    rt_v3_cross(f->q, f->F, h->d);
    rt_v3_cross(f->arm, h->theta, f->q);
    apply_L(h, f->F + 3, f->t);
    rt_v3_add_scaled(f->t, h->T, f->arm);
}

/* On b: force R n, torque R(q/2 + t); on a: -R n, R(q/2 - t). */
static void set_wrenches(const halfway *h, const forces *f, rt_load_result *out)
{
    rt_scalar q[3], t[3];
    rt_m3_mul_v(out->wrench[1], h->R, f->F);
    rt_v3_scale(out->wrench[0], -1, out->wrench[1]);
    rt_m3_mul_v(q, h->R, f->q);
    rt_m3_mul_v(t, h->R, f->t);
    for (int k = 0; k < 3; k++) {
        out->wrench[1][3 + k] = q[k] / 2 + t[k];
        out->wrench[0][3 + k] = q[k] / 2 - t[k];
    }
}

/* ---- partials -------------------------------------------------------------------------------- */

/* G += B' dF,  dF = -(S1 B1 + S2 B2), each S 6x6 (NULL: none) */
static void add_material(const rt_scalar B[54], const rt_scalar *S1, const rt_scalar *B1,
                         const rt_scalar *S2, const rt_scalar *B2, rt_scalar G[81])
{
    rt_scalar dF[54] = {0}, Bt[54];
    rod_multiply_add(dF, -1, S1, 6, 6, B1);
    if (S2) rod_multiply_add(dF, -1, S2, 6, 6, B2);
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 9; k++) Bt[6 * k + i] = B[9 * i + k];
    rod_multiply_add(G, 1, Bt, 9, 6, dF);
}

/* d(L m)/dtheta for fixed m = c2 m theta' + (theta.m)(k2 theta theta' + k 1) + k theta m', and of
 * T theta x q for fixed q: -T q~ + T2 (theta x q) theta'; times L, since dtheta = L p. */
static void couple_moment(const halfway *h, const forces *f, rt_scalar X[9])
{
    const rt_scalar *m = f->F + 3, along = rt_v3_dot(h->theta, m);
    rt_scalar Y[9], L[9], q[9];
    rt_m3_identity(Y);
    rt_m3_skew(q, f->q);
    for (int k = 0; k < 9; k++) Y[k] = h->k * along * Y[k] - h->T * q[k];
    rt_m3_add_outer(Y, h->c2, m, h->theta);
    rt_m3_add_outer(Y, h->k2 * along, h->theta, h->theta);
    rt_m3_add_outer(Y, h->k, h->theta, m);
    rt_m3_add_outer(Y, h->T2, f->arm, h->theta);
    find_L(h, L);
    rt_m3_mul(X, Y, L);
}

/* What moves g in world components where F stays: R turns by W y, d changes by the first rows of
 * B y, theta by L p. */
static void add_geometric(const halfway *h, const forces *f, const rt_scalar B[54], rt_scalar G[81])
{
    rt_scalar W[27], X[9], Y[9];
    turning_rows(h, W);
    const rt_scalar *turned[3] = {f->F, f->q, f->t};
    for (int block = 0; block < 3; block++) {
        rt_m3_skew(X, turned[block]);
        rod_multiply_add(G + 27 * block, -1, X, 3, 3, W);
    }
    rt_m3_skew(X, f->F);
    rod_multiply_add(G + 27, 1, X, 3, 3, B);
    skew_product(Y, h->theta, f->F);
    rod_multiply_add(G + 54, h->T, Y, 3, 3, B);
    couple_moment(h, f, X);
    rod_place(G, 6, 2, 1, X);
}

/* The 12x12 of G (9x9, axes of R): blocks turned to the world, then from y to the two frames. */
static void rod_spread(const rt_scalar R[9], const rt_scalar G[81], rt_scalar P[144])
{
    /* y = (D, s, p) from (dr_a, dtheta_a, dr_b, dtheta_b); wrenches from (n, q, t) likewise */
    static const rt_scalar from[3][4] = {{-1, 0, 1, 0}, {0, 0.5, 0, 0.5}, {0, -1, 0, 1}};
    rt_scalar X[9], Y[9], Z[9];
    memset(P, 0, 144 * sizeof *P);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            for (int e = 0; e < 9; e++) X[e] = G[9 * (3 * i + e / 3) + 3 * k + e % 3];
            rt_m3_mul(Y, R, X);
            rt_m3_mul_t(Z, Y, R);
            for (int row = 0; row < 4; row++)
                for (int column = 0; column < 4; column++) {
                    const rt_scalar s = from[i][row] * from[k][column];
                    if (s != 0) rt_block_add(P, row, column, s, Z);
                }
        }
}

static void rod_partials_of(const halfway *h, const forces *f, const rt_scalar stiffness[36],
                            const rt_scalar damping[36], rt_load_result *out)
{
    rt_scalar B[54], E[54], G[81] = {0};
    strain_rows(h, B);
    strain_rate_rows(h, B, E);
    add_material(B, damping, B, NULL, NULL, G);
    rod_spread(h->R, G, out->partial[RT_LEVEL_VELOCITY]);
    memset(G, 0, sizeof G);
    add_material(B, stiffness, B, damping, E, G);
    add_geometric(h, f, B, G);
    rod_spread(h->R, G, out->partial[RT_LEVEL_POSITION]);
    memset(out->partial[RT_LEVEL_ACCELERATION], 0, sizeof out->partial[RT_LEVEL_ACCELERATION]);
}

bool rt_rod_evaluate(const rt_frame *a, const rt_frame *b, const rt_scalar stiffness[36],
                     const rt_scalar damping[36], const rt_scalar offset[6], bool partials,
                     rt_load_result *out)
{
    halfway h;
    forces f;
    memset(out->wrench, 0, sizeof out->wrench);
    if (partials) memset(out->partial, 0, sizeof out->partial);
    if (!find_halfway(a, b, offset, &h)) return false;
    rod_find_forces(&h, stiffness, damping, &f);
    set_wrenches(&h, &f, out);
    if (partials) rod_partials_of(&h, &f, stiffness, damping, out);
    return true;
}

/* ---- the class ------------------------------------------------------------------------------ */

/* Its numbers, as the class lists them. */
enum { ROD_STIFFNESS = 0, ROD_DAMPING = 36, ROD_OFFSET = 72, ROD_ENDS = 78 };

/* The element's axes at its ends, A = A_marker B: in the reference configuration both are those of
 * its section, whatever the markers' axes are. B is constant, so variations and wrenches are those
 * of the markers. */
static void rod_ends(const rt_load_at *at, rt_frame ends[2])
{
    ends[0] = *at->i, ends[1] = *at->j;
    rt_m3_mul(ends[0].A, at->i->A, at->numbers + ROD_ENDS);
    rt_m3_mul(ends[1].A, at->j->A, at->numbers + ROD_ENDS + 9);
}

static bool rod_load(const rt_load_at *at, bool partials, rt_load_result *out)
{
    const rt_scalar *x = at->numbers;
    rt_frame ends[2];
    rod_ends(at, ends);
    return rt_rod_evaluate(&ends[0], &ends[1], x + ROD_STIFFNESS, x + ROD_DAMPING, x + ROD_OFFSET,
                           partials, out);
}

/* 1/2 e'K e */
static rt_scalar rod_energy(const rt_load_at *at)
{
    rt_scalar e[6], rates[6], sum = 0;
    rt_frame ends[2];
    rod_ends(at, ends);
    rt_rod_deflection(&ends[0], &ends[1], at->numbers + ROD_OFFSET, e, rates);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) sum += e[i] * at->numbers[ROD_STIFFNESS + 6 * i + j] * e[j] / 2;
    return sum;
}

static const rt_field rod_element_fields[] = {
    LOAD_TYPE,
    LOAD_BETWEEN("its two ends; x lies along the line between them"),
    {"side", RT_FIELD_VECTOR, LOAD(side), .sense = RT_POLAR, .unit = "",
     .fallback = "the mean of the markers' y axes",
     .doc = "a direction in the world towards which the section's y points, as near as it can; the "
            "axes of the markers do not matter then"},
    {"stiffness", RT_FIELD_MATRIX6, LOAD(load.stiffness6), .required = true,
     .sense = RT_SECTION_WRENCH, .unit = "N, N m, N m^2",
     .doc = "of its section, 6 rows of 6 numbers, symmetric: force and moment (x, y, z) from "
            "strain (stretch, two shears) and curvature (twist, two bendings)"},
    {"damping", RT_FIELD_MATRIX6, LOAD(load.damping6),
     .sense = RT_SECTION_WRENCH, .unit = "N s, N m s, N m^2 s",
     .fallback = "0", .doc = "the same from the rates of strain and curvature"}};

const rt_load_class rt_load_class_flexible_rod = {
    .kind = {"flexible_rod", RT_LOAD_ROD, LOAD_FIELDS(rod_element_fields),
             .doc = "A massless geometrically exact beam element, free of load in the reference "
                    "configuration; neither "
                    "end is preferred. Section `beams` makes whole beams of it."},
    .numbers = {RT_NUMBERS_OF(stiffness6), RT_NUMBERS_OF(damping6), RT_NUMBERS_OF(offset6),
                RT_NUMBERS_OF(ends)},
    .between_bodies = true,
    .mesh = true,
    .one_body = true,
    .evaluate = rod_load,
    .undefined = "it is bent or twisted by half a revolution, where the angle is not defined; "
                 "divide it into several elements",
    .energy = rod_energy,
    .picture = RT_PICTURE_PLAIN,
    .sample_parameters = "EA: 60, GJ: 5, EI: 8, s: 2",
    .sample = "between: [i, j], stiffness: [[EA,1,0,0,0,0], [1,50,0,0,0,0], [0,0,40,0,0,0], "
              "[0,0,0,GJ,0,0.3], [0,0,0,0,EI,0], [0,0,0,0.3,0,6]], damping: [[s,0,0,0,0,0], "
              "[0,2,0,0,0,0], [0,0,1,0,0,0], [0,0,0,0.4,0,0], [0,0,0,0,0.3,0], [0,0,0,0,0,0.2]]",
};
