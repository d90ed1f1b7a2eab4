/* The geometrically exact beam element between two nodes (Simo 1985; Reissner 1973; the middle
 * frame of Crisfield and Jelenic 1999), symmetric in its ends. */
#include "elements/halfway.h"
#include "elements/load_block.h"
#include "elements/loads.h"
#include "model/load_fields.h"

bool rt_rod_deflection(const rt_frame *a, const rt_frame *b, const rt_scalar offset[6],
                       rt_scalar e[6], rt_scalar rate[6])
{
    rt_halfway h;
    const bool regular = rt_halfway_find(a, b, offset, &h);
    memcpy(e, h.e, sizeof h.e);
    memcpy(rate, h.rate, sizeof h.rate);
    return regular;
}

/* ---- forces ---------------------------------------------------------------------------------- */

static void rod_find_forces(const rt_halfway *h, const rt_scalar stiffness[36],
                            const rt_scalar damping[36], rt_halfway_forces *f)
{
    for (int i = 0; i < 6; i++) {
        f->F[i] = 0;
        for (int k = 0; k < 6; k++)
            f->F[i] -= stiffness[6 * i + k] * h->e[k] + damping[6 * i + k] * h->rate[k];
    }
    rt_halfway_spread(h, f);
}

/* On b: force R n, torque R(q/2 + t); on a: -R n, R(q/2 - t). */
static void set_wrenches(const rt_halfway *h, const rt_halfway_forces *f, rt_load_result *out)
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
    rt_halfway_multiply_add(dF, -1, S1, 6, 6, B1);
    if (S2) rt_halfway_multiply_add(dF, -1, S2, 6, 6, B2);
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 9; k++) Bt[6 * k + i] = B[9 * i + k];
    rt_halfway_multiply_add(G, 1, Bt, 9, 6, dF);
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

static void rod_partials_of(const rt_halfway *h, const rt_halfway_forces *f,
                            const rt_scalar stiffness[36], const rt_scalar damping[36],
                            rt_load_result *out)
{
    rt_scalar B[54], E[54], G[81] = {0};
    rt_halfway_rows(h, B);
    rt_halfway_rate_rows(h, B, E);
    add_material(B, damping, B, NULL, NULL, G);
    rod_spread(h->R, G, out->partial[RT_LEVEL_VELOCITY]);
    memset(G, 0, sizeof G);
    add_material(B, stiffness, B, damping, E, G);
    rt_halfway_geometric(h, f, B, G);
    rod_spread(h->R, G, out->partial[RT_LEVEL_POSITION]);
    memset(out->partial[RT_LEVEL_ACCELERATION], 0, sizeof out->partial[RT_LEVEL_ACCELERATION]);
}

bool rt_rod_evaluate(const rt_frame *a, const rt_frame *b, const rt_scalar stiffness[36],
                     const rt_scalar damping[36], const rt_scalar offset[6], bool partials,
                     rt_load_result *out)
{
    rt_halfway h;
    rt_halfway_forces f;
    memset(out->wrench, 0, sizeof out->wrench);
    if (partials) memset(out->partial, 0, sizeof out->partial);
    if (!rt_halfway_find(a, b, offset, &h)) return false;
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

static const rt_number *rod_axes(const rt_load *load, int end) { return load->ends + 9 * end; }

static const rt_number *rod_lengths(const rt_load *load, int k)
{
    return k == 0 ? load->offset6 : NULL;
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
    LOAD_SIDE("the mean of the markers' y axes"),
    LOAD_SECTION_STIFFNESS,
    LOAD_SECTION_DAMPING,
};

const rt_load_class rt_load_class_flexible_rod = {
    .kind = {"flexible_rod", RT_LOAD_ROD, LOAD_FIELDS(rod_element_fields),
             .doc = "A massless geometrically exact beam element, free of load in the reference "
                    "configuration; neither "
                    "end is preferred. Section `beams` makes whole beams of it."},
    .numbers = {RT_NUMBERS_OF(stiffness6), RT_NUMBERS_OF(damping6), RT_NUMBERS_OF(offset6),
                RT_NUMBERS_OF(ends)},
    .wound = "it was bent or twisted through half a revolution, where the angle is not defined; "
             "divide it into more elements",
    .axes = rod_axes,
    .lengths = rod_lengths,
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
