/* Which mode goes on as which, by left and right vectors.
 *
 *     X_ij = (w_i^H v'_j) (w'_j^H v_i),   W^H V = I,  W'^H V' = I
 *
 * (v, w at one value, v', w' at the next) depends on no scale of vectors and no units of states,
 * sums to 1 over every row and every column, and is the unit matrix where nothing changes: the
 * modal assurance criterion of left and right vectors. With C = V^-1 V' it is C_ij (C^-1)_ji. The
 * sum of a block of X is the trace of a product of two projectors, and stays near the number of its
 * modes where the space of these goes on, also where the modes in it meet and their vectors become
 * parallel (Kato 1966, Perturbation Theory for Linear Operators, II.1). */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assignment.h"
#include "base/lapack.h"
#include "studies/sweep.h"

/* An entry that stands out: above it, and all others of its row and column below OTHERS. Then it is
 * the largest of both, and where that is so of all, no other assignment has a larger sum. */
static const double STANDS_OUT = 0.6, OTHERS = 0.3, SAME_SPACE = 0.3;

double _Complex rt_discriminant(double _Complex a, double _Complex b)
{
    const double _Complex half = (a - b) / 2;
    return half * half;
}

/* C = V^-1 V' (n x n, column-major) */
static routh_status sweep_match_coordinates(int n, const double _Complex *V,
                                            const double _Complex *of, double _Complex *C,
                                            rt_arena *arena, routh_error *error)
{
    const size_t size = (size_t)n * (size_t)n;
    double _Complex *copy = RT_TAKE(arena, double _Complex, size + 1);
    int *pivots = RT_TAKE(arena, int, n + 1);
    if (!copy || !pivots) return rt_fail_memory(error);
    memcpy(copy, V, size * sizeof *copy);
    memcpy(C, of, size * sizeof *C);
    return rt_complex_solve(n, copy, pivots, n, C, error);
}

static routh_status sweep_match_fill(rt_match *m, const rt_solution *a, const rt_solution *b,
                                     double _Complex **forth, double _Complex **back,
                                     routh_error *error)
{
    const size_t n = (size_t)m->n;
    *forth = RT_TAKE(&m->arena, double _Complex, n *n + 1);
    *back = RT_TAKE(&m->arena, double _Complex, n *n + 1);
    if (!*forth || !*back) return rt_fail_memory(error);
    routh_status status = sweep_match_coordinates(m->n, a->V, b->V, *forth, &m->arena, error);
    if (!status) status = sweep_match_coordinates(m->n, b->V, a->V, *back, &m->arena, error);
    for (size_t i = 0; i < n && !status; i++)
        for (size_t j = 0; j < n; j++) m->X[i + n * j] = (*forth)[i + n * j] * (*back)[j + n * i];
    return status;
}

static double sweep_match_entry(const rt_match *m, int i, int j)
{
    return cabs(m->X[i + (size_t)m->n * (size_t)j]);
}

/* A little is added for the distance of eigenvalues, which decides between equal entries. */
static routh_status assign(rt_match *m, const rt_solution *a, const rt_solution *b,
                           routh_error *error)
{
    const int n = m->n;
    double *cost = RT_TAKE(&m->arena, double, (size_t)n *(size_t)n + 1),
           *work = RT_TAKE(&m->arena, double, 3 * (n + 1));
    int *places = RT_TAKE(&m->arena, int, 3 * (n + 1));
    double largest = DBL_MIN;
    if (!cost || !work || !places) return rt_fail_memory(error);
    for (int i = 0; i < n; i++)
        largest = fmax(largest, fmax(cabs(a->lambda[i]), cabs(b->lambda[i])));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            cost[(size_t)i * (size_t)n + (size_t)j] =
                -fmin(sweep_match_entry(m, i, j), 2) +
                1e-3 * cabs(a->lambda[i] - b->lambda[j]) / largest;
    rt_assign(n, cost, m->to, work, places);
    return ROUTH_OK;
}

/* The largest other entry of the row and of the column of i. */
static double others(const rt_match *m, int i)
{
    double most = 0;
    for (int k = 0; k < m->n; k++) {
        if (k == i) continue;
        most =
            fmax(most, fmax(sweep_match_entry(m, i, m->to[k]), sweep_match_entry(m, k, m->to[i])));
    }
    return most;
}

/* Those that do not stand out are put together with what they are mixed with. */
static void sweep_match_make_groups(rt_match *m)
{
    for (int i = 0; i < m->n; i++) {
        const bool stands =
            sweep_match_entry(m, i, m->to[i]) >= STANDS_OUT && others(m, i) <= OTHERS;
        m->group[i] = i;
        m->doubt[i] = stands ? RT_CERTAIN : RT_UNCERTAIN;
    }
    for (int i = 0; i < m->n; i++)
        for (int k = i + 1; k < m->n; k++) {
            if (fmax(sweep_match_entry(m, i, m->to[k]), sweep_match_entry(m, k, m->to[i])) <=
                OTHERS / 2)
                continue;
            if (m->doubt[i] == RT_CERTAIN && m->doubt[k] == RT_CERTAIN) continue;
            const int from = m->group[k], to = m->group[i];
            for (int l = 0; l < m->n; l++)
                if (m->group[l] == from) m->group[l] = to;
        }
}

/* The members of group g; how many. */
static int members(const rt_match *m, int g, int *list)
{
    int n = 0;
    for (int i = 0; i < m->n; i++)
        if (m->group[i] == g) list[n++] = i;
    return n;
}

static double _Complex block_sum(const rt_match *m, const int *list, int n)
{
    double _Complex sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) sum += m->X[list[i] + (size_t)m->n * (size_t)m->to[list[j]]];
    return sum;
}

/* Equal within their error bounds, all of them. */
static bool sweep_match_equal(const rt_solution *s, const int *list, const int *to, int n)
{
    for (int i = 1; i < n; i++) {
        const int k = to ? to[list[i]] : list[i], first = to ? to[list[0]] : list[0];
        if (s->rigid[k] != s->rigid[first] ||
            cabs(s->lambda[k] - s->lambda[first]) > 2 * (s->bound[k] + s->bound[first]))
            return false;
    }
    return true;
}

/* Where on the way from a to b the discriminant of the pair is zero, a part of it; -1 where it is
 * not: the two then pass each other at a distance. */
static double meets(const rt_solution *a, const rt_solution *b, int i, int j, int k, int l)
{
    const double _Complex before = rt_discriminant(a->lambda[i], a->lambda[j]),
                          after = rt_discriminant(b->lambda[k], b->lambda[l]), way = after - before;
    const double size = creal(way) * creal(way) + cimag(way) * cimag(way);
    if (!(size > 0)) return -1;
    const double t = -creal(before * conj(way)) / size;
    if (t <= 0 || t >= 1) return -1;
    const double off = 2 * (cabs(a->lambda[i] - a->lambda[j]) * (a->bound[i] + a->bound[j]) +
                            cabs(b->lambda[k] - b->lambda[l]) * (b->bound[k] + b->bound[l]));
    return cabs(before + t * way) <= 1e-9 * sqrt(size) + off ? t : -1;
}

static bool pair_meets(const rt_match *m, const rt_solution *a, const rt_solution *b,
                       const int *list)
{
    return meets(a, b, list[0], list[1], m->to[list[0]], m->to[list[1]]) >= 0;
}

/* v'_k of the group, so far any vectors of its space, become the parts of the v_i in it. */
static routh_status sweep_match_turn(rt_match *m, rt_solution *b, const double _Complex *back,
                                     const int *list, int n, routh_error *error)
{
    const size_t size = (size_t)m->n;
    double _Complex *V = RT_TAKE(&m->arena, double _Complex, size *(size_t)n + 1);
    if (!V) return rt_fail_memory(error);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const size_t column = (size_t)m->to[list[j]];
            const double _Complex part = back[column + size * (size_t)list[i]];
            for (size_t r = 0; r < size; r++)
                V[r + size * (size_t)i] += b->V[r + size * column] * part;
        }
    for (int i = 0; i < n; i++)
        memcpy(b->V + size * (size_t)m->to[list[i]], V + size * (size_t)i, size * sizeof *V);
    return ROUTH_OK;
}

/* Of two that meet: the one with the larger imaginary part goes on as that with the larger, or of
 * real ones as the larger. */
static double sweep_match_rank_of(double _Complex lambda)
{
    return cimag(lambda) != 0 ? cimag(lambda) : creal(lambda);
}

static void order_pair(rt_match *m, const rt_solution *a, const rt_solution *b, const int *list)
{
    const int i = list[0], j = list[1];
    const bool before = sweep_match_rank_of(a->lambda[i]) > sweep_match_rank_of(a->lambda[j]),
               after = sweep_match_rank_of(b->lambda[m->to[i]]) >
                       sweep_match_rank_of(b->lambda[m->to[j]]);
    if (before == after) return;
    const int swap = m->to[i];
    m->to[i] = m->to[j];
    m->to[j] = swap;
}

/* A pair at both ends, or two real ones: nothing that could be mistaken. */
static bool stays_apart(const rt_match *m, const rt_solution *a, const rt_solution *b,
                        const int *list)
{
    const int i = list[0], j = list[1], k = m->to[i], l = m->to[j];
    if (a->conjugate[i] == j) return b->conjugate[k] == l;
    return a->conjugate[i] == i && a->conjugate[j] == j && b->conjugate[k] == k &&
           b->conjugate[l] == l;
}

static routh_status judge_group(rt_match *m, const rt_solution *a, rt_solution *b, bool touch,
                                const double _Complex *back, const int *list, int n,
                                routh_error *error)
{
    const double off = cabs(block_sum(m, list, n) / n - 1);
    rt_sweep_doubt doubt = RT_UNCERTAIN;
    const bool after = sweep_match_equal(b, list, m->to, n),
               before = sweep_match_equal(a, list, NULL, n);
    if (off <= SAME_SPACE && (after || before))
        doubt = RT_EQUAL;
    else if (off <= SAME_SPACE && n == 2 && pair_meets(m, a, b, list))
        doubt = RT_MEETS;
    else if (off <= SAME_SPACE && n == 2 && stays_apart(m, a, b, list))
        doubt = RT_CERTAIN;
    for (int i = 0; i < n; i++) m->doubt[list[i]] = doubt;
    if (n == 2 && (doubt == RT_MEETS || doubt == RT_CERTAIN)) order_pair(m, a, b, list);
    return doubt == RT_EQUAL && after && touch ? sweep_match_turn(m, b, back, list, n, error)
                                               : ROUTH_OK;
}

/* How far group g stands out. */
static double certainty_of(const rt_match *m, const int *list, int n)
{
    if (m->doubt[list[0]] == RT_UNCERTAIN) return 0;
    if (n > 1) return 1 - cabs(block_sum(m, list, n) / n - 1);
    return fmin(sweep_match_entry(m, list[0], m->to[list[0]]), 1) - others(m, list[0]);
}

static void sweep_match_measure(rt_match *m)
{
    m->certain = true;
    m->certainty = 1;
    for (int g = 0; g < m->n; g++) {
        const int n = members(m, g, m->list);
        if (n == 0) continue;
        m->certainty = fmin(m->certainty, fmax(certainty_of(m, m->list, n), 0));
        m->certain = m->certain && m->doubt[m->list[0]] != RT_UNCERTAIN;
    }
}

void rt_match_settle(rt_match *m, int i, int j, bool swap)
{
    const int to = m->to[i], group = m->group[j];
    if (swap) m->to[i] = m->to[j], m->to[j] = to;
    for (int k = 0; k < m->n; k++)
        if (m->group[k] == group) m->group[k] = m->group[i];
    m->doubt[i] = m->doubt[j] = RT_CERTAIN;
    sweep_match_measure(m);
}

bool rt_match_is_open_pair(const rt_match *m, int i, int j)
{
    return m->doubt[i] == RT_UNCERTAIN && m->group[i] == m->group[j] &&
           members(m, m->group[i], m->list) == 2;
}

static routh_status sweep_match_judge(rt_match *m, const rt_solution *a, rt_solution *b, bool touch,
                                      const double _Complex *back, routh_error *error)
{
    int *list = m->list;
    routh_status status = ROUTH_OK;
    for (int g = 0; g < m->n && !status; g++) {
        const int n = members(m, g, list);
        if (n > 1 || (n == 1 && m->doubt[list[0]] == RT_UNCERTAIN))
            status = judge_group(m, a, b, touch, back, list, n, error);
    }
    sweep_match_measure(m);
    return status;
}

routh_status rt_match_find(rt_match *m, const rt_solution *a, rt_solution *b, bool touch,
                           routh_error *error)
{
    const size_t n = (size_t)a->n;
    double _Complex *forth, *back;
    *m = (rt_match){.n = a->n};
    m->to = RT_TAKE(&m->arena, int, n + 1);
    m->group = RT_TAKE(&m->arena, int, n + 1);
    m->list = RT_TAKE(&m->arena, int, n + 1);
    m->doubt = RT_TAKE(&m->arena, rt_sweep_doubt, n + 1);
    m->X = RT_TAKE(&m->arena, double _Complex, n *n + 1);
    if (!m->to || !m->group || !m->list || !m->doubt || !m->X) return rt_fail_memory(error);
    routh_status status = sweep_match_fill(m, a, b, &forth, &back, error);
    /* vectors that are parallel to the last digit say nothing: eigenvalues alone decide */
    if (status == ROUTH_SINGULAR) {
        memset(m->X, 0, n * n * sizeof *m->X);
        status = ROUTH_OK;
    }
    if (!status) status = assign(m, a, b, error);
    if (status) return status;
    sweep_match_make_groups(m);
    return sweep_match_judge(m, a, b, touch, back, error);
}

void rt_match_place_pair(const rt_match *m, int i, int j, int to[2])
{
    const size_t n = (size_t)m->n;
    double best[2] = {-1, -1};
    for (int k = 0; k < m->n; k++) {
        const double part =
            creal(m->X[(size_t)i + n * (size_t)k] + m->X[(size_t)j + n * (size_t)k]);
        if (part > best[0])
            best[1] = best[0], to[1] = to[0], best[0] = part, to[0] = k;
        else if (part > best[1])
            best[1] = part, to[1] = k;
    }
}

void rt_match_free(rt_match *m)
{
    rt_arena_free(&m->arena);
    *m = (rt_match){0};
}

/* ---- what may hide between ------------------------------------------------------------------- */

/* No more than rounding tells these two apart, perhaps all along. */
static bool sweep_match_too_near(const rt_solution *s, int i, int j)
{
    return cabs(s->lambda[i] - s->lambda[j]) <=
           fmax(2 * (s->bound[i] + s->bound[j]), 1e-10 * cabs(s->lambda[i]));
}

/* Two that seem to cross, or to pass each other so near that their coupling may make a veering of
 * it: X_ij turns a crossing of smooth curves into a veering whose width is about sqrt(X_ij) of the
 * step. */
static bool seem_to_cross(const rt_match *m, const rt_solution *a, const rt_solution *b, int i,
                          int j, double *t)
{
    static const double coupled = 1e-10;
    const double _Complex before = a->lambda[i] - a->lambda[j],
                          after = b->lambda[m->to[i]] - b->lambda[m->to[j]], way = after - before;
    const double size = creal(way) * creal(way) + cimag(way) * cimag(way),
                 X = fmax(sweep_match_entry(m, i, m->to[j]), sweep_match_entry(m, j, m->to[i]));
    if (!(X > coupled) || sweep_match_too_near(a, i, j) ||
        sweep_match_too_near(b, m->to[i], m->to[j]))
        return false;
    *t = -creal(before * conj(way)) / size;
    if (!(*t > 0 && *t < 1)) return false;
    return cabs(before + *t * way) <= fmax(0.1, 2 * sqrt(X)) * sqrt(size);
}

double rt_match_suspect(const rt_match *m, const rt_solution *a, const rt_solution *b, int i, int j,
                        const double finest[2])
{
    const double step = fabs(b->value - a->value);
    double t = -1;
    if (a->rigid[i] || a->rigid[j] || b->rigid[m->to[i]] || b->rigid[m->to[j]]) return -1;
    if (m->group[i] != m->group[j])
        return step > finest[1] && seem_to_cross(m, a, b, i, j, &t) ? t : -1;
    return m->doubt[i] == RT_MEETS && step > finest[0] ? meets(a, b, i, j, m->to[i], m->to[j]) : -1;
}
