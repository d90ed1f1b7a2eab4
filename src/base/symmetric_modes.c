#include "base/symmetric_modes.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/krylov.h"
#include "base/symmetric_search.h"

/* Two eigenvalues, relative to their distance from where they are sought, are told apart. */
static const double GAP = 1e-5, EQUAL = 1e-9;

/* How far below 0 the first shift lies, over what rounding leaves open of an eigenvalue. */
static const double BELOW_ZERO = 32;

/* Just beyond the last of those found, relative to their distance, where no gap follows them. */
static const double BEYOND = 1e-6;

/* Fruitless ones; where a block finds some of many equal ones at a time, there are more. */
enum { MOST_RENEWALS = 6 };

/* ---- the count ------------------------------------------------------------------------------ */

/* The vectors come by one more solve each, with the last factor: for multipliers, and for rows
 * without mass. */
static bool solves_follow(const rt_symmetric_search *q)
{
    return !q->request->between && (q->pencil.pencil->n_constraints > 0 || q->lanczos.massless);
}

static routh_status symmetric_modes_count_below(rt_symmetric_search *q, double at, int *below,
                                                routh_error *error)
{
    bool singular = true;
    const double step = fmax(q->scale, 1e-12 * fabs(at));
    for (int k = 0; k < 3 && singular; k++) {
        const double shift = at + k * step;
        const routh_status status =
            solves_follow(q) ? rt_shifted_pencil_factor(&q->pencil, shift, below, &singular, error)
                             : rt_shifted_pencil_count(&q->pencil, shift, below, &singular, error);
        if (status) return status;
    }
    return ROUTH_OK;
}

static routh_status symmetric_modes_miscounted(const rt_symmetric_search *q, int there, int found,
                                               double low, double high, routh_error *error)
{
    return rt_fail(error, ROUTH_NUMERIC_ERROR,
                   "between %g and %g there are %d eigenvalues by the signs of the pivots, but %d "
                   "were found in %d solves; check that K and M are symmetric, M is positive "
                   "semidefinite, and no constraints are redundant",
                   low, high, there, found, q->pencil.n_solves);
}

/* After which of the pairs the count is taken: where the way to the next is widest. 0: nowhere. */
static int symmetric_modes_choose_gap(const rt_symmetric_search *q, int count)
{
    int best = 0;
    double widest = GAP;
    const int leading = rt_search_n_leading(q);
    for (int k = count; k < q->n_pairs && k < leading; k++) {
        const double gap = q->pairs[k].distance - q->pairs[k - 1].distance;
        if (gap > widest * q->pairs[k].distance && gap > 4 * q->scale)
            widest = gap / q->pairs[k].distance, best = k;
    }
    return best;
}

/* *missing: how many of the eigenvalues nearer than the gap were not found. */
static routh_status count_nearest(rt_symmetric_search *q, int gap, int *missing, routh_error *error)
{
    const double far = q->pairs[gap - 1].distance;
    const double r = gap < q->n_pairs && q->pairs[gap].distance > far * (1 + 2 * BEYOND)
                         ? 0.5 * (far + q->pairs[gap].distance)
                         : far * (1 + BEYOND) + 8 * q->scale;
    int found_below = 0, below_high, below_low;
    *missing = 0;
    for (int k = 0; k < q->n_pairs; k++) found_below += q->pairs[k].value < q->near + r && k < gap;
    routh_status status = symmetric_modes_count_below(q, q->near + r, &below_high, error);
    if (status || below_high == found_below) return status;
    status = symmetric_modes_count_below(q, q->near - r, &below_low, error);
    if (status) return status;
    *missing = below_high - below_low - found_below;
    if (*missing >= 0) return ROUTH_OK;
    return symmetric_modes_miscounted(q, below_high - below_low, found_below, q->near - r,
                                      q->near + r, error);
}

/* ---- the answer ----------------------------------------------------------------------------- */

static double symmetric_modes_quotient(const rt_symmetric_pencil *s, const double *x)
{
    return rt_dd_divide(rt_symmetric_form_extended(s->K_pattern, s->K, s->K_rest, x),
                        rt_symmetric_form_extended(s->M_pattern, s->M, s->M_rest, x))
        .high;
}

/* lambda by Rayleigh's quotient, which has the square of the vector's error, and what that and
 * rounding leave open: eps |x|'(|K| + |lambda| |M|)|x|. m vectors, 4 at most. */
static void symmetric_modes_refine(const rt_symmetric_search *q, rt_found_pair *p, int m,
                                   const double *x, double *error)
{
    const rt_symmetric_pencil *s = q->pencil.pencil;
    double K[4], M[4], of_K[4], of_M[4];
    rt_symmetric_form(s->K_pattern, s->K, x, m, K, of_K);
    rt_symmetric_form(s->M_pattern, s->M, x, m, M, of_M);
    for (int k = 0; k < m; k++, p++) {
        const double *at = x + (size_t)k * (size_t)q->pencil.n;
        p->value = s->K_rest ? symmetric_modes_quotient(s, at) : K[k] / M[k];
        const double size = (of_K[k] + fabs(p->value) * of_M[k]) / M[k];
        const double theta = q->lanczos.theta[p->ritz], residual = q->lanczos.residual[p->ritz];
        const double rounding = s->K_rest ? DBL_EPSILON * fabs(p->value) + RT_DD_EPSILON * size +
                                                DBL_EPSILON * (DBL_EPSILON * size)
                                          : DBL_EPSILON * size;
        error[k] = 4 * rounding + fmin(residual / fabs(theta), 1) * residual / (theta * theta);
    }
}

static int symmetric_modes_ascending(const void *a, const void *b)
{
    const double x = ((const rt_found_pair *)a)->value, y = ((const rt_found_pair *)b)->value;
    return (x > y) - (x < y);
}

/* x once more, y = (lambda - s) (K - s M)^-1 M x with the s of the last factor: with its
 * multipliers and the rows without mass, which M does not see, so that the iteration does not bring
 * them, and without what
 * violates the constraints, which M may not see either. x is that but for the multipliers. */
static routh_status symmetric_modes_purify(rt_symmetric_search *q, double *x, double lambda,
                                           routh_error *error)
{
    rt_shifted_pencil *p = &q->pencil;
    double *y = q->multipliers;
    rt_symmetric_multiply(p->pencil->M_pattern, p->pencil->M, x, 1, y);
    const routh_status status = rt_shifted_pencil_solve(p, y, 1, error);
    for (int i = 0; i < p->n; i++) y[i] *= lambda - p->shift;
    memcpy(x, y, (size_t)(p->n - p->pencil->n_constraints) * sizeof *x);
    return status;
}

/* Without constraints, of pair k: what rounding leaves in x of those nearer to the shift, which OP
 * makes larger by as much as they are nearer. */
static void take_out_nearer(rt_symmetric_search *q, int found, int k, double *x)
{
    const rt_symmetric_pencil *p = q->pencil.pencil;
    const size_t n = (size_t)q->pencil.n;
    double *Mx = q->multipliers;
    for (int pass = 0; pass < 2; pass++) {
        rt_symmetric_multiply(p->M_pattern, p->M, x, 1, Mx);
        for (int j = 0; j < found; j++) {
            if (q->pairs[j].ritz >= q->pairs[k].ritz) continue;
            const double *v = q->modes->vector + n * ((size_t)q->modes->found + (size_t)j);
            double part;
            rt_take_out(q->pencil.n, 1, v, NULL, 1, x, Mx, &part, 1);
        }
    }
}

/* With the rows without mass, those nearest to the shift first. */
static routh_status symmetric_modes_complete(rt_symmetric_search *q, int found, routh_error *error)
{
    routh_status status = ROUTH_OK;
    for (int ritz = 0; ritz < q->lanczos.done && !status; ritz++)
        for (int k = 0; k < found && !status; k++) {
            double *x = q->modes->vector + (size_t)q->pencil.n * (size_t)(q->modes->found + k);
            if (q->pairs[k].ritz != ritz) continue;
            status = symmetric_modes_purify(q, x, q->shift + 1 / q->lanczos.theta[ritz], error);
            if (!status) take_out_nearer(q, found, k, x);
        }
    return status;
}

/* The first `found` of the pairs, ascending, behind what is in the answer already. */
static routh_status answer(rt_symmetric_search *q, int found, routh_error *error)
{
    rt_symmetric_modes *m = q->modes;
    const size_t n = (size_t)q->pencil.n, first = (size_t)m->found;
    const int inner = m->n - q->pencil.pencil->n_constraints, rows = m->n - inner;
    double *multipliers = rows ? RT_TAKE(q->answer, double, (size_t)rows *(size_t)found) : NULL;
    routh_status status = rows && !multipliers ? rt_fail_memory(error) : ROUTH_OK;
    qsort(q->pairs, (size_t)found, sizeof *q->pairs, symmetric_modes_ascending);
    for (int k = 0; k < found && !status; k++) {
        double *x = m->vector + n * (first + (size_t)k);
        rt_lanczos_vector(&q->lanczos, q->pairs[k].ritz, x);
        for (int i = inner; i < m->n; i++) x[i] = 0;
        if (!rows) continue;
        status =
            symmetric_modes_purify(q, x, q->shift + 1 / q->lanczos.theta[q->pairs[k].ritz], error);
        memcpy(multipliers + (size_t)rows * (size_t)k, q->multipliers + inner,
               (size_t)rows * sizeof *x);
    }
    if (!status && !rows && q->lanczos.massless) status = symmetric_modes_complete(q, found, error);
    for (int k = 0; k < found && !status; k += 4) {
        const size_t at = first + (size_t)k;
        symmetric_modes_refine(q, q->pairs + k, found - k < 4 ? found - k : 4, m->vector + n * at,
                               m->error + at);
    }
    for (int k = 0; k < found && !status; k++, m->found++) {
        m->value[m->found] = q->pairs[k].value;
        if (rows)
            memcpy(m->vector + n * (first + (size_t)k) + inner,
                   multipliers + (size_t)rows * (size_t)k, (size_t)rows * sizeof *multipliers);
    }
    return status;
}

static routh_status make_answer(rt_symmetric_search *q, int found, routh_error *error)
{
    rt_symmetric_modes *m = q->modes;
    m->value = RT_TAKE(q->answer, double, found);
    m->error = RT_TAKE(q->answer, double, found);
    m->vector = RT_TAKE(q->answer, double, (size_t)found *(size_t)q->pencil.n);
    if (!q->multipliers && !(q->multipliers = RT_TAKE(q->answer, double, q->pencil.n)))
        return rt_fail_memory(error);
    return m->value && m->error && m->vector ? ROUTH_OK : rt_fail_memory(error);
}

/* ---- nearest -------------------------------------------------------------------------------- */

/* Copies of the last wanted one are not left behind. */
static int with_copies(const rt_symmetric_search *q, int count)
{
    int n = count < q->n_pairs ? count : q->n_pairs;
    while (n > 0 && n < q->n_pairs &&
           fabs(q->pairs[n].value - q->pairs[n - 1].value) <=
               EQUAL * fabs(q->pairs[n].value - q->shift) + q->scale)
        n++;
    return n;
}

/* 0 is an eigenvalue of what is free, and then of no use as a shift: a little below it there is
 * none. With constraints scale may be far above the lowest eigenvalues, so that it is no little. */
static double first_shift(const rt_symmetric_search *q)
{
    const bool free = q->near == 0 && q->pencil.pencil->n_constraints == 0;
    return free ? -BELOW_ZERO * q->scale : q->near;
}

/* Those missing are sought: beside what is found, or, where more are missing than a block has
 * vectors, once with broader blocks, as a block finds no more copies of an eigenvalue than that. */
static routh_status seek_missing(rt_symmetric_search *q, int missing, int *need, routh_error *error)
{
    const bool broader = missing > q->lanczos.block && q->lanczos.block < RT_MOST_BLOCK;
    *need += missing;
    if (broader) q->block = missing < RT_MOST_BLOCK ? missing : RT_MOST_BLOCK;
    if (!broader && *need + 2 * RT_SEARCH_MORE < q->lanczos.most - 2 * q->lanczos.block)
        return rt_search_renew(q, *need, error);
    return rt_search_run(q, q->shift, *need = *need + 2 * RT_SEARCH_MORE, error);
}

/* Have the wanted ones and what may be copies of the last of them converged in full? If not: how
 * many there are of both. */
static bool are_settled(const rt_symmetric_search *q, int count, int *many)
{
    static const double alike = 1e-6;
    int n = count < q->n_pairs ? count : q->n_pairs;
    bool settled = true;
    while (n > 0 && n < q->n_pairs &&
           q->pairs[n].distance <= q->pairs[n - 1].distance * (1 + alike) + q->scale)
        n++;
    for (int k = 0; k < n; k++) settled = settled && rt_search_settled(q, q->pairs[k].ritz);
    *many = n;
    return settled;
}

static routh_status symmetric_modes_find_nearest(rt_symmetric_search *q, routh_error *error)
{
    const int count = q->request->count;
    int need = count + RT_SEARCH_MORE, missing = 1, fewest = INT_MAX, fruitless = 0;
    q->near = q->request->near;
    routh_status status = rt_search_run(q, first_shift(q), need, error);
    while (!status && !q->all && fruitless < MOST_RENEWALS) {
        const int gap = symmetric_modes_choose_gap(q, count), leading = rt_search_n_leading(q);
        const int all = leading < q->n_pairs ? leading : q->n_pairs;
        missing = 0;
        if (!gap && all < count) /* there is nothing to count yet */
            missing = RT_SEARCH_MORE;
        else
            status = count_nearest(q, gap ? gap : all, &missing, error);
        int many;
        if (status || (!missing && are_settled(q, count, &many))) break;
        if (!missing) {
            fruitless++;
            need = need > many ? need : many;
            status = rt_search_run(q, q->shift, need = need + 2 * RT_SEARCH_MORE, error);
            continue;
        }
        fruitless = missing < fewest ? 0 : fruitless + 1;
        fewest = missing < fewest ? missing : fewest;
        status = seek_missing(q, missing, &need, error);
    }
    if (status) return status;
    if (!q->all && missing)
        return symmetric_modes_miscounted(q, need, q->n_pairs, q->near, q->near, error);
    q->modes->counted = true;
    const int found = with_copies(q, count);
    q->modes->reach = q->all || found < 1 ? INFINITY : q->pairs[found - 1].distance;
    if (found > 0 && found < q->n_pairs)
        q->modes->reach = 0.5 * (q->pairs[found - 1].distance + q->pairs[found].distance);
    status = make_answer(q, found, error);
    return status ? status : answer(q, found, error);
}

/* ---- between -------------------------------------------------------------------------------- */

enum { AT_ONCE = 48 };

/* Those between two numbers with so many eigenvalues below each; halved while there are many. */
static routh_status find_part(rt_symmetric_search *q, double low, double high, int below_low,
                              int below_high, int depth, routh_error *error)
{
    const int there = below_high - below_low;
    const double middle = 0.5 * (low + high);
    if (there <= 0) return ROUTH_OK;
    if (there > AT_ONCE && depth < 40) {
        int below;
        routh_status status = symmetric_modes_count_below(q, middle, &below, error);
        if (!status) status = find_part(q, low, middle, below_low, below, depth + 1, error);
        return status ? status : find_part(q, middle, high, below, below_high, depth + 1, error);
    }
    q->near = middle, q->low = low, q->high = high, q->expected = there;
    routh_status status = rt_search_run(q, middle, there, error);
    for (int k = 0; k < MOST_RENEWALS && !status && !q->all && rt_search_n_inside(q) < there; k++)
        status = rt_search_renew(q, there, error);
    if (status) return status;
    if (rt_search_n_inside(q) != there)
        return symmetric_modes_miscounted(q, there, rt_search_n_inside(q), low, high, error);
    int n = 0;
    for (int k = 0; k < q->n_pairs; k++)
        if (rt_search_inside(q, &q->pairs[k])) q->pairs[n++] = q->pairs[k];
    return answer(q, n, error);
}

/* The ends are moved out by rounding, so that eigenvalues at them are inside. */
static routh_status symmetric_modes_find_between(rt_symmetric_search *q, routh_error *error)
{
    const rt_symmetric_request *r = q->request;
    const double out = fmax(q->scale, 1e-9 * fmax(fabs(r->low), fabs(r->high)));
    int below_low, below_high;
    routh_status status = symmetric_modes_count_below(q, r->low - out, &below_low, error);
    if (!status) status = symmetric_modes_count_below(q, r->high + out, &below_high, error);
    if (status) return status;
    const int there = below_high - below_low;
    if (r->most > 0 && there > r->most)
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                       "between %g and %g there are %d eigenvalues, more than the %d that are "
                       "allowed; give a smaller interval",
                       r->low, r->high, there, r->most);
    q->modes->counted = true;
    status = make_answer(q, there > 0 ? there : 0, error);
    return status ? status
                  : find_part(q, r->low - out, r->high + out, below_low, below_high, 0, error);
}

/* ---- entry ---------------------------------------------------------------------------------- */

/* Rounding makes an eigenvalue uncertain by eps |x|'|K||x|, which for the highest is eps times
 * itself; the highest is about the largest ratio of diagonal entries. */
static double rounding_of(const rt_symmetric_pencil *p)
{
    double most = 0;
    const int n = p->K_pattern->n_columns;
    for (int c = 0; c < n; c++) {
        double K = 0, M = 0;
        for (int e = p->K_pattern->start[c]; e < p->K_pattern->start[c + 1]; e++)
            if (p->K_pattern->row[e] == c) K = fabs(p->K[e]);
        for (int e = p->M_pattern->start[c]; e < p->M_pattern->start[c + 1]; e++)
            if (p->M_pattern->row[e] == c) M = p->M[e];
        if (M > 0 && isfinite(K / M)) most = fmax(most, K / M);
    }
    return 4 * DBL_EPSILON * most;
}

static routh_status symmetric_modes_check(const rt_symmetric_request *r, routh_error *error)
{
    if (r->between ? r->low < r->high && isfinite(r->low) && isfinite(r->high)
                   : r->count > 0 && isfinite(r->near))
        return ROUTH_OK;
    if (r->between)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "eigenvalues between %g and %g are requested; give two finite numbers, the "
                       "smaller first",
                       r->low, r->high);
    return rt_fail(error, ROUTH_BAD_ARGUMENT,
                   "%d eigenvalues near %g are requested; give a number of 1 or more, and a finite "
                   "number they are near to",
                   r->count, r->near);
}

routh_status rt_symmetric_modes_find(rt_symmetric_modes *modes, const rt_symmetric_pencil *pencil,
                                     const rt_symmetric_request *request, rt_arena *arena,
                                     routh_error *error)
{
    rt_symmetric_search q = {.request = request, .modes = modes, .answer = arena, .growth = 1};
    *modes = (rt_symmetric_modes){0};
    routh_status status = symmetric_modes_check(request, error);
    if (!status) status = rt_shifted_pencil_create(&q.pencil, pencil, request->factors, error);
    if (status) return status;
    modes->n = q.pencil.n;
    q.pencil.progress = request->progress;
    q.scale = rounding_of(pencil);
    status = request->between ? symmetric_modes_find_between(&q, error)
                              : symmetric_modes_find_nearest(&q, error);
    modes->n_factors = q.pencil.n_factors;
    modes->n_solves = q.pencil.n_solves;
    modes->factor_bytes = rt_shifted_pencil_bytes(&q.pencil);
    rt_arena_free(&q.arena);
    rt_shifted_pencil_free(&q.pencil);
    return status;
}
