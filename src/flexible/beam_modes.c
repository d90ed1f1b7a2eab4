/* Free-free modes of a beam: mean axes (Shabana, sec. 5.2, reference conditions). With rigid
 * motions and modes orthogonal by the mass matrix, the modes have neither momentum nor angular
 * momentum: a_k = 0 and [B_k] + h_k = 0. They are normalised to the unit mass, so that K holds the
 * squares of their frequencies.
 *
 * Stretch, torsion and the two bendings of a straight beam do not couple: each is solved alone.
 * K is singular and its low end wanted:  M v = mu (K + s M) v,  mu = 1 / (w^2 + s), with s about
 * the square of the lowest frequency; the rigid ones have mu = 1 / s. */
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

typedef struct mode {
    double square; /* of the frequency, rad^2/s^2 */
    int order;
    double *shape; /* on all coordinates of the free beam */
} mode;

typedef struct search {
    const rt_beam *beam;
    const rt_flexible *free;
    rt_arena scratch;
    int n_modes;
    mode *modes;
} search;

/* Place of the kind's coordinate k among all. */
static int place_of(const search *s, const family *kind, int k)
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
static void extract(const search *s, const family *kind, int n, double *M, double *K)
{
    const rt_pattern *p = &s->free->pattern;
    for (int l = 0; l < n; l++) {
        const int column = place_of(s, kind, l);
        for (int k = 0, e = p->start[column]; k < n; k++) {
            const int row = place_of(s, kind, k);
            while (e < p->start[column + 1] && p->row[e] < row) e++;
            if (e == p->start[column + 1]) break;
            if (p->row[e] != row) continue;
            const double *N = s->free->N + 9 * (size_t)e;
            M[(size_t)n * (size_t)l + (size_t)k] = N[0] + N[4] + N[8] + s->free->M[e];
            K[(size_t)n * (size_t)l + (size_t)k] = s->free->K[e];
        }
    }
}

static double mass_product(int n, const double *M, const double *x, const double *y)
{
    double sum = 0;
    for (int l = 0; l < n; l++)
        for (int k = 0; k < n; k++) sum += x[k] * M[(size_t)n * (size_t)l + (size_t)k] * y[l];
    return sum;
}

/* Rigid motion number 0: a shift (or the turn about the axis); 1: a turn about the middle. */
static double rigid_motion(const search *s, const family *kind, int which, int k)
{
    const double along = (double)(k / kind->n) / s->beam->n_elements - 0.5;
    if (which == 0) return k % kind->n == 0;
    return k % kind->n == 0 ? along * rt_beam_length(s->beam) : kind->turn;
}

/* Takes out what rounding has left of the rigid motions; the two are orthogonal themselves. Then
 * unit mass, the first displacement positive. */
static void purify(const search *s, const family *kind, int n, const double *M, double *rigid,
                   double *v)
{
    for (int which = 0; which < kind->n_rigid; which++) {
        for (int k = 0; k < n; k++) rigid[k] = rigid_motion(s, kind, which, k);
        const double share = mass_product(n, M, rigid, v) / mass_product(n, M, rigid, rigid);
        for (int k = 0; k < n; k++) v[k] -= share * rigid[k];
    }
    const double scale = copysign(1 / sqrt(mass_product(n, M, v, v)), v[0]);
    for (int k = 0; k < n; k++) v[k] *= scale;
}

static routh_status keep_mode(search *s, const family *kind, int n, double square, const double *v,
                              routh_error *error)
{
    double *shape = RT_TAKE(&s->scratch, double, s->free->n);
    if (!shape) return rt_fail_memory(error);
    for (int k = 0; k < n; k++) shape[place_of(s, kind, k)] = v[k];
    s->modes[s->n_modes] = (mode){square, s->n_modes, shape};
    s->n_modes++;
    return ROUTH_OK;
}

static routh_status find_modes(search *s, const family *kind, routh_error *error)
{
    const int n = kind->n * (s->beam->n_elements + 1);
    const size_t size = (size_t)n * (size_t)n;
    const double shift = shift_of(s->beam, kind);
    double *M = RT_TAKE(&s->scratch, double, size), *K = RT_TAKE(&s->scratch, double, size);
    double *V = RT_TAKE(&s->scratch, double, size), *mu = RT_TAKE(&s->scratch, double, n);
    double *rigid = RT_TAKE(&s->scratch, double, n);
    if (!M || !K || !V || !mu || !rigid) return rt_fail_memory(error);
    extract(s, kind, n, M, K);
    memcpy(V, M, size * sizeof *V);
    for (size_t e = 0; e < size; e++) K[e] += shift * M[e];
    routh_status status = rt_symmetric_generalized_eigen(n, V, K, mu, error);
    for (int k = n - kind->n_rigid - 1; k >= 0 && !status; k--) {
        double *v = V + (size_t)n * (size_t)k;
        purify(s, kind, n, M, rigid, v);
        status = keep_mode(s, kind, n, 1 / mu[k] - shift, v, error);
    }
    return status;
}

static int compare(const void *a, const void *b)
{
    const mode *x = a, *y = b;
    if (x->square != y->square) return x->square < y->square ? -1 : 1;
    return x->order - y->order;
}

static routh_status change_coordinates(search *s, const rt_flexible **flexible, rt_arena *arena,
                                       routh_error *error)
{
    const rt_beam *beam = s->beam;
    const int wanted = beam->n_modes ? beam->n_modes : s->n_modes;
    const size_t n = (size_t)s->free->n;
    double *Phi = RT_TAKE(&s->scratch, double, n *(size_t)wanted);
    double *stiffness = RT_TAKE(&s->scratch, double, wanted);
    if (!Phi || !stiffness) return rt_fail_memory(error);
    qsort(s->modes, (size_t)s->n_modes, sizeof *s->modes, compare);
    for (int k = 0; k < wanted; k++) {
        memcpy(Phi + n * (size_t)k, s->modes[k].shape, n * sizeof *Phi);
        stiffness[k] = s->modes[k].square;
    }
    const rt_modal_basis basis = {wanted,
                                  Phi,
                                  stiffness,
                                  beam->damping_mass,
                                  beam->damping_stiffness,
                                  sqrt((beam->inertia_y + beam->inertia_z) / beam->area)};
    return rt_flexible_modal(flexible, s->free, &basis, arena, error);
}

routh_status rt_beam_mean_axes(const rt_flexible **flexible, const rt_beam *beam,
                               const rt_beam_element *element, rt_arena *arena, routh_error *error)
{
    search s = {.beam = beam};
    routh_status status = rt_beam_assemble(&s.free, beam, element, false, &s.scratch, error);
    if (!status) {
        s.modes = RT_TAKE(&s.scratch, mode, s.free->n);
        if (!s.modes) status = rt_fail_memory(error);
    }
    for (int k = 0; k < N_KINDS && !status; k++)
        if (!beam->planar || kinds[k].direction[0] < 2) status = find_modes(&s, &kinds[k], error);
    if (!status) status = change_coordinates(&s, flexible, arena, error);
    rt_arena_free(&s.scratch);
    return status;
}
