/* Free-free modes of a beam: mean axes (Shabana, sec. 5.2, reference conditions). With rigid
 * motions and modes orthogonal by the mass matrix, the modes have neither momentum nor angular
 * momentum: a_k = 0 and [B_k] + h_k = 0. They are normalised to the unit mass, so that K holds the
 * squares of their frequencies.
 *
 * Stretch, torsion and the two bendings of a straight beam do not couple: each is solved alone.
 * K is singular and its low end wanted:  M v = mu (K + s M) v,  mu = 1 / (w^2 + s), with s about
 * the square of the lowest frequency; the rigid ones have mu = 1 / s. */
#include "flexible/beam_modes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lapack.h"
#include "base/vec3.h"
#include "flexible/beam_parts.h"
#include "flexible/modal.h"

/* One kind of motion: the directions it has at a node, rigid motions, and how much a rigid turn
 * changes the second direction (v' = rz, w' = -ry). */
typedef struct family {
    int n, direction[2], n_rigid;
    double turn;
} family;
enum { N_KINDS = 4, MAX_RIGID = 2 };
static const family kinds[N_KINDS] = {
    {2, {1, 5}, 2, 1}, {2, {2, 4}, 2, -1}, {1, {3, 0}, 1, 0}, {1, {0, 0}, 1, 0}};

typedef struct beam_modes_mode {
    double square; /* of the frequency, rad^2/s^2 */
    int order, kind, column;
} beam_modes_mode;

/* Of one kind: all modes on its own coordinates, the rigid ones last, orthogonal and of unit mass.
 */
typedef struct beam_modes_spectrum {
    int n;
    double *V, *square;          /* n x n, n */
    double *by_M, *by_K, *force; /* work: n x n twice, n */
} beam_modes_spectrum;

typedef struct rt_beam_modes {
    const rt_beam *beam;
    const rt_flexible *free;
    rt_arena *arena;
    beam_modes_spectrum spectra[N_KINDS];
    int n_modes;
    beam_modes_mode *modes;
} beam_modes_search;

/* Place of the kind's coordinate k among all. */
static int beam_modes_place_of(const beam_modes_search *s, const family *kind, int k)
{
    const int *directions, per_node = rt_beam_directions(s->beam, &directions);
    int d = 0;
    while (directions[d] != kind->direction[k % kind->n]) d++;
    return per_node * (k / kind->n) + d;
}

/* About the square of the lowest frequency (of a uniform free-free beam). */
static double shift_of(const rt_beam *beam, const family *kind)
{
    const double pi = acos(-1), l = rt_beam_length(beam), wave = kind->n == 2 ? 4.73 : pi;
    const double I = kind->direction[0] == 1 ? beam->inertia_z : beam->inertia_y;
    const double mass = beam->density * beam->area, k2 = wave * wave / (l * l);
    if (kind->n == 2) return k2 * k2 * beam->young * I / mass;
    if (kind->direction[0] == 0) return k2 * beam->young / beam->density;
    return k2 * beam->shear * beam->torsion / (beam->density * (beam->inertia_y + beam->inertia_z));
}

/* Dense, of the kind's coordinates alone: the whole mass matrix, and K. */
static void beam_modes_extract(const beam_modes_search *s, const rt_flexible *free,
                               const family *kind, int n, double *M, double *K)
{
    const rt_pattern *p = &free->pattern;
    for (int l = 0; l < n; l++) {
        const int column = beam_modes_place_of(s, kind, l);
        for (int k = 0, e = p->start[column]; k < n; k++) {
            const int row = beam_modes_place_of(s, kind, k);
            while (e < p->start[column + 1] && p->row[e] < row) e++;
            if (e == p->start[column + 1]) break;
            if (p->row[e] != row) continue;
            const double *N = free->N + 9 * (size_t)e;
            M[(size_t)n * (size_t)l + (size_t)k] = N[0] + N[4] + N[8] + free->M[e];
            K[(size_t)n * (size_t)l + (size_t)k] = free->K[e];
        }
    }
}

static double beam_modes_mass_product(int n, const double *M, const double *x, const double *y)
{
    double sum = 0;
    for (int l = 0; l < n; l++)
        for (int k = 0; k < n; k++) sum += x[k] * M[(size_t)n * (size_t)l + (size_t)k] * y[l];
    return sum;
}

/* Rigid motion number 0: a shift (or the turn about the axis); 1: a turn about the middle. */
static double rigid_motion(const beam_modes_search *s, const family *kind, int which, int k)
{
    const double along = (double)(k / kind->n) / s->beam->n_elements - 0.5;
    if (which == 0) return k % kind->n == 0;
    return k % kind->n == 0 ? along * rt_beam_length(s->beam) : kind->turn;
}

static void beam_modes_scale(int n, const double *M, double sign, double *v)
{
    const double by = copysign(1 / sqrt(beam_modes_mass_product(n, M, v, v)), sign);
    for (int k = 0; k < n; k++) v[k] *= by;
}

/* The rigid motions are orthogonal; what rounding has left of them is taken out of the others. Then
 * unit mass, the first displacement positive. */
static void beam_modes_purify(const beam_modes_search *s, const family *kind, const double *M,
                              beam_modes_spectrum *x)
{
    const int n = x->n, n_elastic = n - kind->n_rigid;
    for (int which = 0; which < kind->n_rigid; which++) {
        double *rigid = x->V + (size_t)n * (size_t)(n_elastic + which);
        for (int k = 0; k < n; k++) rigid[k] = rigid_motion(s, kind, which, k);
        beam_modes_scale(n, M, 1, rigid);
        for (int j = 0; j < n_elastic; j++) {
            double *v = x->V + (size_t)n * (size_t)j;
            const double share = beam_modes_mass_product(n, M, rigid, v);
            for (int k = 0; k < n; k++) v[k] -= share * rigid[k];
        }
    }
    for (int j = 0; j < n_elastic; j++) {
        double *v = x->V + (size_t)n * (size_t)j;
        beam_modes_scale(n, M, v[0], v);
    }
}

static routh_status take_spectrum(beam_modes_search *s, const family *kind, beam_modes_spectrum *x,
                                  routh_error *error)
{
    const int n = x->n = kind->n * (s->beam->n_elements + 1);
    const size_t size = (size_t)n * (size_t)n;
    x->V = RT_TAKE(s->arena, double, size), x->square = RT_TAKE(s->arena, double, n);
    x->by_M = RT_TAKE(s->arena, double, size), x->by_K = RT_TAKE(s->arena, double, size);
    x->force = RT_TAKE(s->arena, double, n);
    return x->V && x->square && x->by_M && x->by_K && x->force ? ROUTH_OK : rt_fail_memory(error);
}

static routh_status beam_modes_find(beam_modes_search *s, int number, routh_error *error)
{
    const family *kind = &kinds[number];
    beam_modes_spectrum *x = &s->spectra[number];
    routh_status status = take_spectrum(s, kind, x, error);
    if (status) return status;
    const int n = x->n;
    const size_t size = (size_t)n * (size_t)n;
    const double shift = shift_of(s->beam, kind);
    double *M = x->by_M, *K = x->by_K;
    beam_modes_extract(s, s->free, kind, n, M, K);
    memcpy(x->V, M, size * sizeof *x->V);
    for (size_t e = 0; e < size; e++) K[e] += shift * M[e];
    status = rt_symmetric_generalized_eigen(n, x->V, K, x->square, error);
    if (status) return status;
    beam_modes_purify(s, kind, M, x);
    for (int k = n - kind->n_rigid; k < n; k++) x->square[k] = 0;
    for (int k = n - kind->n_rigid - 1; k >= 0; k--) {
        x->square[k] = 1 / x->square[k] - shift;
        s->modes[s->n_modes] = (beam_modes_mode){x->square[k], s->n_modes, number, k};
        s->n_modes++;
    }
    return ROUTH_OK;
}

static int beam_modes_compare(const void *a, const void *b)
{
    const beam_modes_mode *x = a, *y = b;
    if (x->square != y->square) return x->square < y->square ? -1 : 1;
    return x->order - y->order;
}

static routh_status beam_modes_choose(beam_modes_search *s, rt_beam_basis *basis,
                                      routh_error *error)
{
    const int wanted = s->beam->n_modes ? s->beam->n_modes : s->n_modes;
    const size_t n = (size_t)s->free->n;
    double *Phi = RT_TAKE(s->arena, double, n *(size_t)wanted);
    double *stiffness = RT_TAKE(s->arena, double, wanted);
    if (!Phi || !stiffness) return rt_fail_memory(error);
    qsort(s->modes, (size_t)s->n_modes, sizeof *s->modes, beam_modes_compare);
    for (int j = 0; j < wanted; j++) {
        const beam_modes_mode *one = &s->modes[j];
        const beam_modes_spectrum *x = &s->spectra[one->kind];
        for (int k = 0; k < x->n; k++)
            Phi[n * (size_t)j + (size_t)beam_modes_place_of(s, &kinds[one->kind], k)] =
                x->V[(size_t)x->n * (size_t)one->column + (size_t)k];
        stiffness[j] = one->square;
    }
    s->n_modes = wanted;
    *basis = (rt_beam_basis){s->free, wanted, Phi, stiffness};
    return ROUTH_OK;
}

static routh_status search_modes(beam_modes_search *s, const rt_beam *beam, rt_arena *arena,
                                 rt_beam_basis *basis, routh_error *error)
{
    s->beam = beam, s->arena = arena;
    routh_status status = rt_beam_assemble(&s->free, beam, false, arena, error);
    if (status) return status;
    s->modes = RT_TAKE(arena, beam_modes_mode, s->free->n);
    if (!s->modes) return rt_fail_memory(error);
    for (int k = 0; k < N_KINDS && !status; k++)
        if (!beam->planar || kinds[k].direction[0] < 2) status = beam_modes_find(s, k, error);
    return status ? status : beam_modes_choose(s, basis, error);
}

routh_status rt_beam_mean_axes(const rt_flexible **flexible, const rt_beam *beam, rt_arena *arena,
                               routh_error *error)
{
    rt_arena scratch = {0};
    beam_modes_search s = {0};
    rt_beam_basis found;
    routh_status status = search_modes(&s, beam, &scratch, &found, error);
    if (!status) {
        const rt_modal_basis basis = {
            found.n_modes,           found.Phi,
            found.stiffness,         beam->damping_mass,
            beam->damping_stiffness, sqrt((beam->inertia_y + beam->inertia_z) / beam->area)};
        status = rt_flexible_modal(flexible, found.free, &basis, arena, error);
    }
    rt_arena_free(&scratch);
    return status;
}

/* ---- how they change ------------------------------------------------------------------------- */

routh_status rt_beam_modes_find(rt_beam_modes **modes, rt_beam_basis *basis,
                                const rt_beam_choices *choices,
                                const double numbers[RT_BEAM_NUMBERS], rt_arena *arena,
                                routh_error *error)
{
    rt_beam *beam = RT_TAKE(arena, rt_beam, 1);
    beam_modes_search *s = *modes = RT_TAKE(arena, beam_modes_search, 1);
    if (!beam || !s) return rt_fail_memory(error);
    beam->choices = *choices;
    rt_beam_take(beam, numbers);
    return search_modes(s, beam, arena, basis, error);
}

/* y = A x, A symmetric */
static void beam_modes_times(int n, const double *A, const double *x, double *y, double by)
{
    for (int k = 0; k < n; k++) {
        double sum = 0;
        for (int l = 0; l < n; l++) sum += A[(size_t)n * (size_t)k + (size_t)l] * x[l];
        y[k] += by * sum;
    }
}

static double beam_modes_product(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int k = 0; k < n; k++) sum += x[k] * y[k];
    return sum;
}

/* With v_k' M v_l = 1 or 0, also of the rigid ones (Fox and Kapoor 1968):
 *     (w_j^2)' = v_j'(K' - w_j^2 M') v_j
 *     v_j' = - 1/2 (v_j'M' v_j) v_j
 *            + sum over k other than j of v_k'(K' - w_j^2 M') v_j / (w_j^2 - w_k^2) v_k
 * Frequencies of one kind of a uniform beam are apart. */
static void vary_mode(const beam_modes_search *s, const beam_modes_mode *one, double *Phi,
                      double *stiffness)
{
    const beam_modes_spectrum *x = &s->spectra[one->kind];
    const int n = x->n;
    const double *v = x->V + (size_t)n * (size_t)one->column;
    memset(x->force, 0, (size_t)n * sizeof *x->force);
    beam_modes_times(n, x->by_M, v, x->force, -1);
    const double own = beam_modes_product(n, v, x->force) / 2;
    for (int k = 0; k < n; k++) x->force[k] *= one->square;
    beam_modes_times(n, x->by_K, v, x->force, 1);
    *stiffness = beam_modes_product(n, v, x->force);
    for (int k = 0; k < n; k++) {
        const double *by = x->V + (size_t)n * (size_t)k;
        const double share =
            k == one->column ? own
                             : beam_modes_product(n, by, x->force) / (one->square - x->square[k]);
        for (int i = 0; i < n; i++)
            Phi[beam_modes_place_of(s, &kinds[one->kind], i)] += share * by[i];
    }
}

void rt_beam_modes_vary(rt_beam_modes *s, const rt_flexible *slope, double *Phi, double *stiffness)
{
    const size_t n = (size_t)s->free->n;
    memset(Phi, 0, n * (size_t)s->n_modes * sizeof *Phi);
    for (int kind = 0; kind < N_KINDS; kind++) {
        const beam_modes_spectrum *x = &s->spectra[kind];
        if (x->n) beam_modes_extract(s, slope, &kinds[kind], x->n, x->by_M, x->by_K);
    }
    for (int j = 0; j < s->n_modes; j++)
        vary_mode(s, &s->modes[j], Phi + n * (size_t)j, &stiffness[j]);
}
