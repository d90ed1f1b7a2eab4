#include "base/symmetric_search.h"
#include "base/whole_space.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* A pair has converged when |OP x - theta x| is below this share of theta; one beyond the wanted,
 * that tells where they end, when it is below the second, which leaves its square in theta. */
static const double TOLERANCE = 1e-11, LOOSE = 1e-4;

/* Neighbours of the last wanted one so near to it, relative to theta, are wanted like it. */
static const double ALIKE = 1e-3;

/* Wanted ones that have not converged, all within this multiple of what rounding leaves open of
 * an eigenvalue, are not sought any longer. */
static const double LOST = 10;

/* theta of the nearest eigenvalue over that of the last wanted one: beyond this the last is known
 * to few digits, and the shift moves away from the nearest; at once beyond the second. */
static const double WORST_RATIO = 1e6, HOPELESS = 1e11, NOISE = 1e14;

/* Those nearer to the shift than this part of the way to the next are apart, when as little is left
 * of them as the second says. */
static const double FAR_NEARER = 1e-3, APART = 1e-14;

/* Of theta of the nearest over that of the last wanted one: below this it takes no digit that the
 * tolerance asks for, so that none need be apart, and the basis is not begun anew for it. */
static const double HARMLESS = 1e4;

/* As near to the shift as this many times what rounding leaves open, inverted. */
static const double HIDING = 1e-4;

/* The shift for all at once, below where they are sought, over what rounding leaves open: 1e-5 of
 * the highest. */
static const double WHOLE_SHIFT = 1e10;

enum { MOST_RESTARTS = 40, MOST_SHIFTS = 8, SMALL = 4000, MOST_DENSE = 4000 };

/* Where wanted ones lie close together, far from the shift, a basis that begins anew again and
 * again does not tell them apart: the shift comes nearer and the basis grows, as long as it stays
 * below so many numbers. */
enum { GROWTH = 4, MOST_GROWTH = 16 };
static const double MOST_NUMBERS = 2.5e8;

/* ---- what converged ------------------------------------------------------------------------- */

static int symmetric_search_nearest_first(const void *a, const void *b)
{
    const double x = ((const rt_found_pair *)a)->distance, y = ((const rt_found_pair *)b)->distance;
    return (x > y) - (x < y);
}

static bool symmetric_search_converged(const rt_lanczos *l, int k, double tolerance)
{
    return l->residual[k] <= tolerance * fabs(l->theta[k]) && l->theta[k] != 0;
}

static void list_pairs(rt_symmetric_search *q)
{
    const rt_lanczos *l = &q->lanczos;
    q->n_pairs = 0;
    for (int k = 0; k < l->done; k++) {
        if (!symmetric_search_converged(l, k, q->request->between ? TOLERANCE : LOOSE)) continue;
        const double value = q->shift + 1 / l->theta[k];
        q->pairs[q->n_pairs++] = (rt_found_pair){value, fabs(value - q->near), k};
    }
    qsort(q->pairs, (size_t)q->n_pairs, sizeof *q->pairs, symmetric_search_nearest_first);
}

bool rt_search_inside(const rt_symmetric_search *q, const rt_found_pair *p)
{
    return p->value >= q->low && p->value <= q->high;
}

int rt_search_n_inside(const rt_symmetric_search *q)
{
    int n = 0;
    for (int k = 0; k < q->n_pairs; k++) n += rt_search_inside(q, &q->pairs[k]);
    return n;
}

/* Ritz values of largest modulus that have converged, without a gap. */
static int n_leading(const rt_lanczos *l, double tolerance)
{
    int n = 0;
    while (n < l->done && symmetric_search_converged(l, n, tolerance)) n++;
    return n;
}

bool rt_search_settled(const rt_symmetric_search *q, int ritz)
{
    return symmetric_search_converged(&q->lanczos, ritz, TOLERANCE);
}

int rt_search_n_leading(const rt_symmetric_search *q) { return n_leading(&q->lanczos, LOOSE); }

/* The wanted ones, and those alike, in full; more after them so far as to tell them apart. */
static bool enough_about(const rt_symmetric_search *q)
{
    const rt_lanczos *l = &q->lanczos;
    int full = q->need - RT_SEARCH_MORE;
    if (n_leading(l, LOOSE) < q->need) return false;
    const double last = l->theta[full - 1];
    while (full < l->done && fabs(l->theta[full] - last) <= ALIKE * fabs(last)) full++;
    return n_leading(l, TOLERANCE) >= full;
}

static bool enough(rt_symmetric_search *q)
{
    list_pairs(q);
    if (q->request->between) return rt_search_n_inside(q) >= q->expected;
    return enough_about(q);
}

/* ---- iteration ------------------------------------------------------------------------------ */

/* The way from the shift to the nearest eigenvalue is no more than what rounding makes of it. */
static bool at_eigenvalue(const rt_symmetric_search *q)
{
    return q->lanczos.done > 0 && fabs(q->lanczos.theta[0]) * q->scale > 0.1;
}

static bool symmetric_search_too_near(const rt_symmetric_search *q, double ratio)
{
    const rt_lanczos *l = &q->lanczos;
    if (at_eigenvalue(q)) return true;
    const int last = q->need < l->done ? q->need : l->done;
    return last > l->apart && fabs(l->theta[l->apart]) > ratio * fabs(l->theta[last - 1]);
}

/* No more eigenvalues than this are finite: G takes its rows from displacements and multipliers,
 * and M, which is semidefinite, has no rank where its diagonal is zero. A basis larger than that
 * would hold rounding, grown large as M does not see it. */
static int most_finite(const rt_symmetric_search *q)
{
    const rt_symmetric_pencil *p = q->pencil.pencil;
    const rt_pattern *M = p->M_pattern;
    const int n = q->pencil.n - 2 * p->n_constraints;
    int massive = 0;
    for (int c = 0; c < M->n_columns; c++)
        for (int e = M->start[c]; e < M->start[c + 1]; e++)
            massive += M->row[e] == c && p->M[e] != 0;
    return n < 0 ? 0 : n < massive ? n : massive;
}

/* Where nothing is left of OP, others may be hidden by those far nearer to the shift. */
static bool may_hide(const rt_symmetric_search *q)
{
    const rt_lanczos *l = &q->lanczos;
    return symmetric_search_too_near(q, WORST_RATIO) ||
           fabs(l->theta[l->apart]) * q->scale > HIDING;
}

/* Eigenvalues far nearer to the shift than the others, as zeros of a free body, are set apart when
 * they have converged: then the digits of the others are not lost beside them. As many as a block
 * has vectors may hide another, which a block without a pattern finds. */
static routh_status set_near_apart(rt_symmetric_search *q, bool *done, routh_error *error)
{
    rt_lanczos *l = &q->lanczos;
    const bool exhausted = l->next == 0;
    int n = l->apart;
    *done = false;
    if (at_eigenvalue(q) || n >= l->done || (exhausted && !may_hide(q))) return ROUTH_OK;
    if (!exhausted && !symmetric_search_too_near(q, HARMLESS)) return ROUTH_OK;
    const double least = FAR_NEARER * fabs(l->theta[n]);
    while (n < l->done && fabs(l->theta[n]) > least && symmetric_search_converged(l, n, APART)) n++;
    if (n == l->apart || (n < l->done && fabs(l->theta[n]) > least)) return ROUTH_OK;
    if (n == l->done && !exhausted) return ROUTH_OK;
    const bool whole = n - l->apart >= l->block;
    rt_lanczos_set_apart(l, n);
    *done = true;
    if (!whole && !exhausted) return ROUTH_OK;
    l->next = 0;
    return n < most_finite(q) ? rt_lanczos_fill(l, error) : ROUTH_OK;
}

/* How far the last of the wanted ones is from the number asked for, no less than in truth: the
 * Ritz value of one that has not converged is farther away. */
static double way_to_last(const rt_symmetric_search *q)
{
    const rt_lanczos *l = &q->lanczos;
    const int last = q->need < l->done ? q->need : l->done;
    if (last < 1 || l->theta[last - 1] == 0) return INFINITY;
    return fabs(q->shift + 1 / l->theta[last - 1] - q->near);
}

/* All the wanted ones are so near that what rounding leaves open is a tenth of it: they cannot be
 * told apart. */
static bool lost(const rt_symmetric_search *q) { return way_to_last(q) <= LOST * q->scale; }

/* There may be enough: with narrow blocks, whose steps cost no more than a look, at every other. */
static bool due(const rt_symmetric_search *q)
{
    const rt_lanczos *l = &q->lanczos;
    const int every = l->block > 2 ? 1 : 2;
    const bool full = l->next == 0 || l->done + l->next > l->most;
    return full || (l->done >= q->need && (l->done - l->apart) / l->block % every == 0);
}

/* From a basis, however it was begun, until enough has converged, or the shift turns out to be too
 * near to an eigenvalue. */
static routh_status symmetric_search_iterate(rt_symmetric_search *q, bool *met, routh_error *error)
{
    rt_lanczos *l = &q->lanczos;
    const int finite = most_finite(q);
    *met = q->all = false;
    for (int restart = 0; restart < MOST_RESTARTS; restart++) {
        for (;;) {
            if (l->done + l->next > finite) l->next = finite - l->done;
            if (l->next <= 0 || l->done + l->next > l->most) break;
            routh_status status = rt_lanczos_step(l, error);
            if (l->done == finite) l->next = 0;
            const bool first = l->done - l->apart == 2 * l->block, look = first || due(q);
            bool apart = false;
            if (!status && look) status = rt_lanczos_ritz(l, error);
            if (!status && look) status = set_near_apart(q, &apart, error);
            if (status) return status;
            if (!look || (apart && l->next) || (l->done < q->need && l->next)) continue;
            q->all = l->next == 0 && !symmetric_search_too_near(q, HOPELESS);
            *met = enough(q) || q->all;
            if (*met || symmetric_search_too_near(q, HOPELESS)) return ROUTH_OK;
        }
        if (l->next == 0) { /* nor was there anything at the beginning */
            q->all = *met = true;
            return ROUTH_OK;
        }
        if (symmetric_search_too_near(q, WORST_RATIO) || (restart > 0 && lost(q))) return ROUTH_OK;
        q->modes->n_restarts++;
        /* what converged beyond the wanted stays too */
        const int keep = (q->need + l->most) / 2;
        rt_lanczos_restart(l, keep < l->most - l->block ? keep : l->most - l->block);
    }
    return ROUTH_OK;
}

/* A basis for `need` pairs. */
static routh_status symmetric_search_make_room(rt_symmetric_search *q, int need, routh_error *error)
{
    const int n = q->pencil.n, block = q->block ? q->block : n > SMALL ? 4 : 2;
    rt_arena_free(&q->arena);
    q->need = need;
    int most = q->growth * (2 * need + 4 * block + 4);
    q->whole = most >= most_finite(q) && n <= MOST_DENSE;
    if (most > most_finite(q)) most = most_finite(q);
    if (most < block) most = block;
    q->pairs = RT_TAKE(&q->arena, rt_found_pair, most);
    if (!q->pairs) return rt_fail_memory(error);
    return rt_lanczos_create(&q->lanczos, &q->pencil, block, most, &q->arena, error);
}

/* ---- the shift ------------------------------------------------------------------------------ */

/* Where the shift is as good as an eigenvalue: away from it by a part of the way to the next one
 * that is not there too, or by what rounding leaves where that is not known. */
static double moved_shift(const rt_symmetric_search *q, bool known, int attempt)
{
    const rt_lanczos *l = &q->lanczos;
    const double first = known ? fabs(l->theta[0]) : 0;
    for (int k = 0; known && k < l->done; k++) {
        const double theta = fabs(l->theta[k]);
        if (theta < first / WORST_RATIO && theta > first / NOISE) return q->shift - 0.2 / theta;
    }
    const double step = fmax(1e3 * q->scale, 1e-7 * fabs(q->shift));
    return q->shift - (step > 0 ? step : 1) * (1 + attempt);
}

/* Where all there are come at once: theta of the highest is not lost beside that of the lowest,
 * and the lowest are not lost beside the way to the shift. */
static double whole_shift(const rt_symmetric_search *q) { return q->near - WHOLE_SHIFT * q->scale; }

static routh_status take_all(rt_symmetric_search *q, bool *met, routh_error *error)
{
    const routh_status status = rt_lanczos_take_all(&q->lanczos, error);
    q->all = *met = !status;
    list_pairs(q);
    return status;
}

static routh_status run_about(rt_symmetric_search *q, double shift, int need, bool *met,
                              routh_error *error)
{
    bool singular;
    int below;
    *met = false;
    routh_status status = symmetric_search_make_room(q, need, error);
    q->shift = q->whole ? whole_shift(q) : shift;
    for (int attempt = 0; attempt < MOST_SHIFTS && !status; attempt++) {
        status = rt_shifted_pencil_factor(&q->pencil, q->shift, &below, &singular, error);
        if (status) return status;
        if (!singular) {
            status = q->whole ? take_all(q, met, error) : rt_lanczos_begin(&q->lanczos, error);
            if (!status && !q->whole) status = symmetric_search_iterate(q, met, error);
            if (status) return status;
            if (q->all || attempt + 1 == MOST_SHIFTS || !symmetric_search_too_near(q, WORST_RATIO))
                break;
        }
        q->shift = moved_shift(q, !singular && !at_eigenvalue(q), attempt);
    }
    q->modes->shift = q->shift;
    return status;
}

/* By what is known of those nearest to the shift: as far before the first of them as they reach. It
 * stays on its side, so that those nearest to it are those nearest to what was asked for. */
static double nearer_shift(const rt_symmetric_search *q)
{
    const rt_lanczos *l = &q->lanczos;
    const int last = q->need < l->done ? q->need : l->done;
    if (last < 2 || l->theta[0] == 0 || l->theta[last - 1] == 0) return q->shift;
    const double way = 1 / l->theta[0], reach = fabs(1 / l->theta[last - 1] - way);
    return reach < 0.5 * fabs(way) ? q->shift + way - copysign(reach, way) : q->shift;
}

routh_status rt_search_run(rt_symmetric_search *q, double shift, int need, routh_error *error)
{
    bool met;
    for (;;) {
        const routh_status status = run_about(q, shift, need, &met, error);
        const double next = (double)GROWTH * q->lanczos.most * q->pencil.n;
        const bool whole = q->lanczos.most >= most_finite(q);
        if (status || met) return status;
        if (lost(q))
            return rt_fail(error, ROUTH_NUMERIC_ERROR,
                           "the eigenvalues nearest to %g cannot be distinguished: beside the "
                           "largest ones, rounding makes each uncertain by %.2g",
                           q->near, q->scale);
        if (whole || q->growth >= MOST_GROWTH || next > MOST_NUMBERS) break;
        q->growth *= GROWTH;
        shift = nearer_shift(q);
    }
    return rt_fail(error, ROUTH_NUMERIC_ERROR,
                   "of %d eigenvalues requested near %g, %d converged in %d solves; request fewer "
                   "(--wanted), or give a number nearer to them (--near)",
                   need, q->near, q->n_pairs, q->pencil.n_solves);
}

routh_status rt_search_renew(rt_symmetric_search *q, int need, routh_error *error)
{
    bool *keep = NULL, singular, met;
    int below;
    q->need = need;
    routh_status status = rt_shifted_pencil_factor(&q->pencil, q->shift, &below, &singular, error);
    if (status) return status;
    keep = calloc((size_t)q->lanczos.done + 1, sizeof *keep);
    if (!keep) return rt_fail_memory(error);
    int kept = 0;
    for (int k = 0; k < q->lanczos.done; k++) {
        keep[k] = symmetric_search_converged(&q->lanczos, k, TOLERANCE) &&
                  kept < q->lanczos.most - 4 * q->lanczos.block;
        kept += keep[k];
    }
    status = rt_lanczos_renew(&q->lanczos, keep, error);
    free(keep);
    return status ? status : symmetric_search_iterate(q, &met, error);
}
