/* The path of D = ((lambda_i - lambda_j) / 2)^2 over a step, from what is known at its ends.
 *
 * In the space of the two, less their mean, the system is a matrix M of 2 x 2 without trace, with
 * D = tr(M^2) / 2 and projectors (1 +- M / sqrt(D)) / 2. Where M changes in proportion to the
 * parameter, M = (1 - t) M_a + t M_b, D is a parabola, with the Bezier control value
 *
 *     B = tr(M_a M_b) / 2 = D_a + h D_a' / 2 = D_b - h D_b' / 2
 *                         = (X_ik + X_jl - X_il - X_jk) / 2  sqrt(D_a) sqrt(D_b)
 *
 * The first two are the tangents (Hermite) and the last is the modal assurance criterion, as X is
 * the trace of a product of projectors. What they differ by is what the parabola leaves out. */
#include "studies/sweep_path.h"

#include <float.h>
#include <math.h>

/* Of D at the ends: what rounding of vectors may make, as much as sweep_match.c takes for a
 * coupling. */
static const double VECTOR_NOISE = 1e-11;

static double _Complex half_distance(const rt_solution *s, int i, int j)
{
    return (s->lambda[i] - s->lambda[j]) / 2;
}

static double noise_of(const rt_solution *s, int i, int j)
{
    const double size = cabs(half_distance(s, i, j));
    return size * (s->bound[i] + s->bound[j]) +
           4 * DBL_EPSILON * size * (cabs(s->lambda[i]) + cabs(s->lambda[j]));
}

void rt_path_by_vectors(rt_path *path, const rt_match *m, const rt_solution *a,
                        const rt_solution *b, int i, int j)
{
    const size_t n = (size_t)m->n, at = (size_t)i, other = (size_t)j, k = (size_t)m->to[i],
                 l = (size_t)m->to[j];
    const double _Complex da = half_distance(a, i, j), db = half_distance(b, m->to[i], m->to[j]);
    const double _Complex own = m->X[at + n * k] + m->X[other + n * l],
                          crossed = m->X[at + n * l] + m->X[other + n * k];
    path->a = da * da, path->b = db * db;
    path->control = (own - crossed) / 2 * da * db;
    path->off = cabs(own + crossed - 2) * cabs(da * db); /* the space of both does not go on */
    path->noise = fmax(noise_of(a, i, j), noise_of(b, m->to[i], m->to[j])) +
                  VECTOR_NOISE * fmax(cabs(path->a), cabs(path->b));
}

bool rt_path_by_slopes(rt_path *path, const rt_match *m, const rt_solution *a, const rt_solution *b,
                       const double _Complex *slope_a, const double _Complex *slope_b, int i, int j)
{
    const int k = m->to[i], l = m->to[j];
    const double h = b->value - a->value;
    rt_path_by_vectors(path, m, a, b, i, j);
    /* D' = 2 sqrt(D) sqrt(D)' */
    const double _Complex from_a =
        path->a + h / 2 * half_distance(a, i, j) * (slope_a[i] - slope_a[j]),
                          from_b =
                              path->b - h / 2 * half_distance(b, k, l) * (slope_b[k] - slope_b[l]);
    if (!isfinite(cabs(from_a)) || !isfinite(cabs(from_b))) return false;
    path->off += fmax(cabs(from_a - from_b),
                      fmax(cabs(from_a - path->control), cabs(from_b - path->control)));
    path->control = (from_a + from_b) / 2;
    return true;
}

static double _Complex sweep_path_at(const rt_path *p, double t)
{
    return (1 - t) * ((1 - t) * p->a + t * p->control) + t * ((1 - t) * p->control + t * p->b);
}

/* 1 / t where D(t) = 0: the roots of a r^2 - 2 (a - control) r + (a - 2 control + b). */
static void sweep_path_find_zeros(const rt_path *p, double _Complex inverse[2])
{
    const double _Complex half = p->a - p->control, last = p->a - 2 * p->control + p->b,
                          root = csqrt(half * half - p->a * last), plus = half + root,
                          minus = half - root, larger = cabs(plus) > cabs(minus) ? plus : minus;
    inverse[0] = inverse[1] = 0;
    if (cabs(p->a) == 0) return;
    inverse[0] = larger / p->a;
    if (cabs(larger) > 0) inverse[1] = last / larger;
}

typedef struct clearance {
    double least, size, where; /* of |D|; the smallest |D| less what is open there over |D| + .. */
    double free;
} clearance;

static void sweep_path_look(const rt_path *p, double t, clearance *c)
{
    if (!(t >= 0 && t <= 1)) return;
    const double size = cabs(sweep_path_at(p, t)), open = 2 * p->off * t * (1 - t) + p->noise;
    if (size < c->least) c->least = size, c->where = t;
    c->free = fmin(c->free, size - open);
}

/* Near a zero t0 the path is looked at in steps of its distance from it. */
static clearance find_clearance(const rt_path *p)
{
    enum { EVEN = 32, ABOUT = 12 };
    clearance c = {.least = INFINITY, .free = INFINITY};
    double _Complex inverse[2];
    sweep_path_find_zeros(p, inverse);
    for (int k = 0; k <= EVEN; k++) sweep_path_look(p, (double)k / EVEN, &c);
    for (int z = 0; z < 2; z++) {
        if (cabs(inverse[z]) < 0.1) continue;
        const double _Complex zero = 1 / inverse[z];
        const double middle = creal(zero), width = fmax(fabs(cimag(zero)), 1e-9);
        sweep_path_look(p, middle, &c);
        double by = width / 4;
        for (int k = 0; k < ABOUT; k++, by *= 2) {
            sweep_path_look(p, middle - by, &c);
            sweep_path_look(p, middle + by, &c);
        }
    }
    return c;
}

rt_passage rt_path_passage(const rt_path *p, double *where)
{
    static const double sharp = 0.1, inside = 0.05;
    *where = 0.5;
    if (!isfinite(cabs(p->a) + cabs(p->b) + cabs(p->control) + p->off + p->noise))
        return RT_PASSES_OPEN;
    const clearance c = find_clearance(p);
    *where = c.where;
    if (!(c.free > 0)) return RT_PASSES_OPEN;
    const bool between = c.where > inside && c.where < 1 - inside;
    return between && c.least < sharp * fmin(cabs(p->a), cabs(p->b)) ? RT_PASSES_NEAR
                                                                     : RT_PASSES_FAR;
}

/* D = a (1 - t r_1) (1 - t r_2), and no factor comes to the negative axis on the way. */
double _Complex rt_path_turn(const rt_path *p)
{
    double _Complex inverse[2];
    sweep_path_find_zeros(p, inverse);
    return csqrt(1 - inverse[0]) * csqrt(1 - inverse[1]);
}
