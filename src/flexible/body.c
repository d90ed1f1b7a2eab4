#include "flexible/body.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/lapack.h"
#include "base/vec3.h"

/* Mass along x, y, z and mass moments that must agree, over the mass (and the size). */
static const double UNEVEN = 1e-6;

double rt_body_dot(int n, const double *x, const double *y)
{
    double sum[4] = {0};
    int k = 0;
    for (; k + 4 <= n; k += 4)
        for (int c = 0; c < 4; c++) sum[c] += x[k + c] * y[k + c];
    for (; k < n; k++) sum[0] += x[k] * y[k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

void rt_body_times(const rt_body_fe *b, const double *values, const double *x, double *y)
{
    memset(y, 0, (size_t)b->n * sizeof *y);
    rt_sparse_transpose_multiply_add(&b->fe->pattern, values, 1, x, y); /* symmetric */
}

int rt_body_node(const rt_body_fe *b, int number)
{
    int low = 0, high = b->n_nodes;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (b->fe->number[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < b->n_nodes && b->fe->number[low] == number ? low : -1;
}

/* ---- directions ----------------------------------------------------------------------------- */

static routh_status check_directions(const rt_body_fe *b, routh_error *error)
{
    for (int k = 0; k < b->n_nodes; k++) {
        const int *d = b->dof + 6 * (size_t)k;
        int moves = 0, turns = 0;
        for (int c = 0; c < 3; c++) moves += d[c] >= 0, turns += d[3 + c] >= 0;
        if (moves == 3 && (turns == 0 || turns == 3)) continue;
        return rt_fail(error, ROUTH_MODEL_ERROR,
                       "node %d has %d of three displacements and %d of three rotations, but a "
                       "free body has all displacements, and all rotations or none; export the "
                       "matrices without supports",
                       b->fe->number[k], moves, turns);
    }
    return ROUTH_OK;
}

static routh_status take_directions(rt_body_fe *b, rt_arena *arena, routh_error *error)
{
    b->dof = RT_TAKE(arena, int, 6 * (size_t)b->n_nodes);
    if (!b->dof) return rt_fail_memory(error);
    for (int k = 0; k < 6 * b->n_nodes; k++) b->dof[k] = -1;
    for (int k = 0; k < b->n; k++) b->dof[6 * b->fe->node[k] + b->fe->direction[k]] = k;
    return check_directions(b, error);
}

/* ---- units ---------------------------------------------------------------------------------- */

/* Rotations count in radians whatever the units: each brings a length more. */
static routh_status body_scale(rt_body_fe *b, const rt_reduction *how, rt_arena *arena,
                               routh_error *error)
{
    const double length = how->unit > 0 ? how->unit : 1;
    const double mass = how->unit_mass > 0 ? how->unit_mass : 1;
    const double time = how->unit_time > 0 ? how->unit_time : 1;
    const rt_pattern *p = &b->fe->pattern;
    const size_t entries = (size_t)p->start[b->n];
    b->M = RT_TAKE(arena, double, entries);
    b->K = RT_TAKE(arena, double, entries);
    b->X = RT_TAKE(arena, double, 3 * (size_t)b->n_nodes);
    if (!b->M || !b->K || !b->X) return rt_fail_memory(error);
    for (int k = 0; k < 3 * b->n_nodes; k++) b->X[k] = length * b->fe->X[k];
    for (int j = 0; j < b->n; j++)
        for (int k = p->start[j]; k < p->start[j + 1]; k++) {
            const int turns = (b->fe->direction[p->row[k]] > 2) + (b->fe->direction[j] > 2);
            const double factor = mass * (turns == 0 ? 1 : turns == 1 ? length : length * length);
            b->M[k] = factor * b->fe->M[k];
            b->K[k] = factor / (time * time) * b->fe->K[k];
        }
    return ROUTH_OK;
}

/* ---- masses --------------------------------------------------------------------------------- */

static routh_status check_diagonals(rt_body_fe *b, routh_error *error)
{
    static const char *const names[] = {"x", "y", "z", "rx", "ry", "rz"};
    const rt_pattern *p = &b->fe->pattern;
    for (int j = 0; j < b->n; j++)
        for (int k = p->start[j]; k < p->start[j + 1]; k++) {
            if (p->row[k] != j) continue;
            if (b->M[k] < 0 || b->K[k] < 0)
                return rt_fail(error, ROUTH_MODEL_ERROR,
                               "the %s is not positive: at node %d, %s, its diagonal entry is "
                               "%.6g; check the order of the degrees of freedom and export the "
                               "matrices again",
                               b->M[k] < 0 ? "mass" : "stiffness", b->fe->number[b->fe->node[j]],
                               names[b->fe->direction[j]], b->M[k] < 0 ? b->M[k] : b->K[k]);
            if (b->M[k] > 0) b->largest = fmax(b->largest, b->K[k] / b->M[k]);
        }
    if (b->largest > 0) return ROUTH_OK;
    return rt_fail(error, ROUTH_MODEL_ERROR,
                   "the body has no mass or no stiffness; check which "
                   "file is the stiffness and which the mass");
}

/* Rigid motion about a point: u = t + r x (X - point), rotations r. */
static void rigid(const rt_body_fe *b, const double point[3], double *R)
{
    memset(R, 0, 6 * (size_t)b->n * sizeof *R);
    for (int k = 0; k < b->n; k++) {
        const int c = b->fe->direction[k];
        const double *X = b->X + 3 * (size_t)b->fe->node[k];
        if (c > 2) {
            R[k + (size_t)b->n * (size_t)c] = 1;
            continue;
        }
        R[k + (size_t)b->n * (size_t)c] = 1;
        const int j = (c + 1) % 3, l = (c + 2) % 3; /* (r x d)_c = r_j d_l - r_l d_j */
        R[k + (size_t)b->n * (size_t)(3 + j)] = X[l] - point[l];
        R[k + (size_t)b->n * (size_t)(3 + l)] = -(X[j] - point[j]);
    }
}

/* G = R'MR, 6 x 6 */
static void body_gram(const rt_body_fe *b, const double *R, double *work, double G[36])
{
    for (int j = 0; j < 6; j++) {
        rt_body_times(b, b->M, R + (size_t)b->n * (size_t)j, work);
        for (int i = 0; i < 6; i++)
            G[6 * i + j] = rt_body_dot(b->n, R + (size_t)b->n * (size_t)i, work);
    }
}

/* Kinetic energy of v and w: 1/2 m v.v + v . (w x first) + ..: the coupling is skew. */
static routh_status mass_properties(rt_body_fe *b, routh_error *error)
{
    const double *G = b->rigid_mass;
    double uneven = 0;
    b->mass = (G[0] + G[7] + G[14]) / 3;
    if (!(b->mass > 0))
        return rt_fail(error, ROUTH_MODEL_ERROR,
                       "the body's mass is %g, but it "
                       "must be positive; check the mass "
                       "matrix",
                       b->mass);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        b->first[i] = 0.5 * (G[6 * j + 3 + l] - G[6 * l + 3 + j]);
        b->centre[i] = b->first[i] / b->mass;
        uneven = fmax(uneven, fabs(G[7 * i] - b->mass));
        uneven = fmax(uneven, fabs(G[6 * i + j]));
    }
    if (uneven <= UNEVEN * b->mass) return ROUTH_OK;
    return rt_fail(error, ROUTH_MODEL_ERROR,
                   "the body's mass is %.9g along x, %.9g along y and %.9g along z, but these must "
                   "be equal; export the matrix of the free body, and check the order of the "
                   "degrees of freedom (--dofs)",
                   G[0], G[7], G[14]);
}

static void find_size(rt_body_fe *b)
{
    for (int k = 0; k < b->n_nodes; k++) {
        double d[3];
        for (int c = 0; c < 3; c++) d[c] = b->X[3 * (size_t)k + (size_t)c] - b->centre[c];
        b->size = fmax(b->size, sqrt(rt_v3_dot(d, d)));
    }
}

/* Q = R L^-T with R'MR = L L'. */
static routh_status orthonormal(rt_body_fe *b, double *work, routh_error *error)
{
    double G[36], L[36];
    body_gram(b, b->R, work, G);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            L[i + 6 * j] = 0.5 * (G[6 * i + j] + G[6 * j + i]) / sqrt(G[7 * i] * G[7 * j]);
    bool good = true;
    for (int i = 3; i < 6; i++) good = good && G[7 * i] > 1e-14 * b->mass * b->size * b->size;
    if (!good || rt_cholesky_factor(6, L, NULL) != ROUTH_OK)
        return rt_fail(error, ROUTH_MODEL_ERROR,
                       "the body has the moments of inertia %.6g, %.6g, %.6g about its centre of "
                       "mass, but they must be positive; check the mass matrix and the coordinates "
                       "of the nodes",
                       G[21], G[28], G[35]);
    for (int j = 0; j < 6; j++) {
        double *q = b->Q + (size_t)b->n * (size_t)j;
        const double *r = b->R + (size_t)b->n * (size_t)j;
        for (int k = 0; k < b->n; k++) q[k] = r[k] / sqrt(G[7 * j]);
        for (int i = 0; i < j; i++) {
            const double *before = b->Q + (size_t)b->n * (size_t)i;
            for (int k = 0; k < b->n; k++) q[k] -= L[j + 6 * i] * before[k];
        }
        for (int k = 0; k < b->n; k++) q[k] /= L[j + 6 * j];
    }
    return ROUTH_OK;
}

/* ---- units that cannot be ------------------------------------------------------------------- */

/* Nothing that is built is longer than this, or within its box lighter or heavier than this. */
static const double LONGEST = 100, LIGHTEST = 0.01, HEAVIEST = 25000;

static routh_status check_units(const rt_body_fe *b, const rt_reduction *how, routh_error *error)
{
    double extent[3], box = 1, longest = 0;
    for (int c = 0; c < 3; c++) {
        double low = INFINITY, high = -INFINITY;
        for (int k = 0; k < b->n_nodes; k++) {
            low = fmin(low, b->X[3 * k + c]);
            high = fmax(high, b->X[3 * k + c]);
        }
        extent[c] = high - low;
        longest = fmax(longest, extent[c]);
    }
    if (how->unit > 0 && how->unit_mass > 0) return ROUTH_OK; /* as the user says */
    for (int c = 0; c < 3; c++) box *= extent[c];
    const bool flat = box < 1e-6 * longest * longest * longest;
    const bool light = b->mass < LIGHTEST * longest * longest * longest * 1e-3 &&
                       (flat || b->mass < LIGHTEST * box);
    if (longest <= LONGEST && !light && (flat || b->mass <= HEAVIEST * box)) return ROUTH_OK;
    return rt_fail(
        error, ROUTH_MODEL_ERROR,
        "the body has a mass of %.3g kg and a length of %.4g m, which is implausible; give its "
        "units, such as length_unit: mm and mass_unit: t",
        b->mass, longest);
}

routh_status rt_body_prepare(rt_body_fe *b, const rt_fe_model *fe, const rt_reduction *how,
                             rt_arena *arena, routh_error *error)
{
    static const double origin[3] = {0, 0, 0};
    *b = (rt_body_fe){.fe = fe, .n = fe->n, .n_nodes = fe->n_nodes};
    if (fe->n < 7)
        return rt_fail(error, ROUTH_MODEL_ERROR,
                       "the finite-element model has %d degrees of freedom, but a flexible body "
                       "has more than six; use a rigid body",
                       fe->n);
    double *work = RT_TAKE(arena, double, fe->n);
    b->R = RT_TAKE(arena, double, 6 * (size_t)fe->n);
    b->Q = RT_TAKE(arena, double, 6 * (size_t)fe->n);
    if (!work || !b->R || !b->Q) return rt_fail_memory(error);
    routh_status status = take_directions(b, arena, error);
    if (!status) status = body_scale(b, how, arena, error);
    if (!status) status = check_diagonals(b, error);
    if (status) return status;
    rigid(b, origin, b->R);
    body_gram(b, b->R, work, b->rigid_mass);
    status = mass_properties(b, error);
    if (status) return status;
    find_size(b);
    rigid(b, b->centre, b->R);
    status = orthonormal(b, work, error);
    return status ? status : check_units(b, how, error);
}
