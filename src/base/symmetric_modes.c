#include "base/symmetric_modes.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/block_lanczos.h"

/* A pair has converged when |OP x - theta x| is below this share of theta; one beyond the wanted,
 * that tells where they end, when it is below the second, which leaves its square in theta. */
static const double TOLERANCE = 1e-11, LOOSE = 1e-4;

/* Neighbours of the last wanted one so near to it, relative to theta, are wanted like it. */
static const double ALIKE = 1e-3;

/* theta of the nearest eigenvalue over that of the last wanted one: beyond this the last is known
 * to few digits, and the shift moves away from the nearest; at once beyond the second. */
static const double WORST_RATIO = 1e6, HOPELESS = 1e11, NOISE = 1e14;

/* Two eigenvalues, relative to their distance from where they are sought, are told apart. */
static const double GAP = 1e-5, EQUAL = 1e-9;

enum { MOST_RESTARTS = 300, MOST_SHIFTS = 8, MOST_RENEWALS = 6, MORE = 2, SMALL = 4000 };

typedef struct pair {
    double value, distance;
    int ritz;
} pair;

typedef struct search {
    const rt_symmetric_request *request;
    rt_shifted_pencil pencil;
    rt_lanczos lanczos;
    rt_arena arena; /* of the iteration */
    double near, shift;
    double scale;     /* rounding of the eigenvalues, without their vectors */
    double low, high; /* between */
    int expected;     /* between: eigenvalues there are */
    int need;         /* else: pairs that shall converge about the shift */
    int n_pairs;
    pair *pairs; /* converged, nearest to `near` first */
    bool all;    /* the basis holds everything there is */
    rt_symmetric_modes *modes;
    rt_arena *answer;
} search;

/* ---- what converged ------------------------------------------------------------------------- */

static int nearest_first(const void *a, const void *b)
{
    const double x = ((const pair *)a)->distance, y = ((const pair *)b)->distance;
    return (x > y) - (x < y);
}

static bool converged(const rt_lanczos *l, int k, double tolerance)
{
    return l->residual[k] <= tolerance * fabs(l->theta[k]) && l->theta[k] != 0;
}

static void list_pairs(search *q)
{
    const rt_lanczos *l = &q->lanczos;
    q->n_pairs = 0;
    for (int k = 0; k < l->done; k++) {
        if (!converged(l, k, q->request->between ? TOLERANCE : LOOSE)) continue;
        const double value = q->shift + 1 / l->theta[k];
        q->pairs[q->n_pairs++] = (pair){value, fabs(value - q->near), k};
    }
    qsort(q->pairs, (size_t)q->n_pairs, sizeof *q->pairs, nearest_first);
}

static bool inside(const search *q, const pair *p)
{
    return p->value >= q->low && p->value <= q->high;
}

static int n_inside(const search *q)
{
    int n = 0;
    for (int k = 0; k < q->n_pairs; k++) n += inside(q, &q->pairs[k]);
    return n;
}

/* Ritz values of largest modulus that have converged, without a gap. */
static int n_leading(const rt_lanczos *l, double tolerance)
{
    int n = 0;
    while (n < l->done && converged(l, n, tolerance)) n++;
    return n;
}

/* The wanted ones, and those alike, in full; more after them so far as to tell them apart. */
static bool enough_about(const search *q)
{
    const rt_lanczos *l = &q->lanczos;
    int full = q->need - MORE;
    if (n_leading(l, LOOSE) < q->need) return false;
    const double last = l->theta[full - 1];
    while (full < l->done && fabs(l->theta[full] - last) <= ALIKE * fabs(last)) full++;
    return n_leading(l, TOLERANCE) >= full;
}

static bool enough(search *q)
{
    list_pairs(q);
    if (q->request->between) return n_inside(q) >= q->expected;
    return enough_about(q);
}

/* ---- iteration ------------------------------------------------------------------------------ */

/* The way from the shift to the nearest eigenvalue is no more than what rounding makes of it. */
static bool at_eigenvalue(const search *q)
{
    return q->lanczos.done > 0 && fabs(q->lanczos.theta[0]) * q->scale > 0.1;
}

static bool too_near(const search *q, double ratio)
{
    const rt_lanczos *l = &q->lanczos;
    if (at_eigenvalue(q)) return true;
    const int last = q->need < l->done ? q->need : l->done;
    return last > 0 && fabs(l->theta[0]) > ratio * fabs(l->theta[last - 1]);
}

/* From a basis, however it was begun, until enough has converged, or the shift turns out to be too
 * near to an eigenvalue. */
static routh_status iterate(search *q, bool *met, routh_error *error)
{
    rt_lanczos *l = &q->lanczos;
    *met = q->all = false;
    for (int restart = 0; restart < MOST_RESTARTS; restart++) {
        while (l->next > 0 && l->done + l->next <= l->most) {
            routh_status status = rt_lanczos_step(l, error);
            const bool look = l->done >= q->need || l->next == 0;
            if (!status && look) status = rt_lanczos_ritz(l, error);
            if (status) return status;
            if (!look) continue;
            q->all = l->next == 0 && !too_near(q, HOPELESS);
            *met = enough(q) || q->all;
            if (*met || too_near(q, HOPELESS)) return ROUTH_OK;
        }
        if (l->next == 0) { /* nor was there anything at the beginning */
            q->all = *met = true;
            return ROUTH_OK;
        }
        if (too_near(q, WORST_RATIO)) return ROUTH_OK;
        q->modes->n_restarts++;
        /* what converged beyond the wanted stays too */
        const int keep = (q->need + l->most) / 2;
        rt_lanczos_restart(l, keep < l->most - l->block ? keep : l->most - l->block);
    }
    return ROUTH_OK;
}

/* A basis for `need` pairs. */
static routh_status make_room(search *q, int need, routh_error *error)
{
    const int n = q->pencil.n, block = n > SMALL ? 4 : 2;
    rt_arena_free(&q->arena);
    q->need = need;
    int most = 2 * need + 4 * block + 4;
    if (most > n) most = n;
    if (most < block) most = block;
    q->pairs = RT_TAKE(&q->arena, pair, most);
    if (!q->pairs) return rt_fail_memory(error);
    return rt_lanczos_create(&q->lanczos, &q->pencil, block, most, &q->arena, error);
}

/* ---- the shift ------------------------------------------------------------------------------ */

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

/* Where the shift is as good as an eigenvalue: away from it by a part of the way to the next one
 * that is not there too, or by what rounding leaves where that is not known. */
static double moved_shift(const search *q, bool known, int attempt)
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

/* Iterates about the shift, which moves where it has to. */
static routh_status run_about(search *q, double shift, int need, routh_error *error)
{
    bool singular, met = false;
    int below;
    q->shift = shift;
    routh_status status = make_room(q, need, error);
    for (int attempt = 0; attempt < MOST_SHIFTS && !status; attempt++) {
        status = rt_shifted_pencil_factor(&q->pencil, q->shift, &below, &singular, error);
        if (status) return status;
        if (!singular) {
            status = rt_lanczos_begin(&q->lanczos, error);
            if (!status) status = iterate(q, &met, error);
            if (status) return status;
            if (q->all || attempt + 1 == MOST_SHIFTS || !too_near(q, WORST_RATIO)) break;
        }
        q->shift = moved_shift(q, !singular && !at_eigenvalue(q), attempt);
    }
    q->modes->shift = q->shift;
    if (status || met) return status;
    return rt_fail(error, ROUTH_NUMERIC_ERROR,
                   "of %d eigenvalues wanted near %g, %d converged in %d solves: ask for fewer, or "
                   "nearer to where they lie",
                   need, q->near, q->n_pairs, q->pencil.n_solves);
}

/* Once more with numbers without a pattern, beside what has converged, until `need` have. */
static routh_status renew(search *q, int need, routh_error *error)
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
        keep[k] =
            converged(&q->lanczos, k, TOLERANCE) && kept < q->lanczos.most - 4 * q->lanczos.block;
        kept += keep[k];
    }
    status = rt_lanczos_renew(&q->lanczos, keep, error);
    free(keep);
    return status ? status : iterate(q, &met, error);
}

/* ---- the count ------------------------------------------------------------------------------ */

static routh_status count_below(search *q, double at, int *below, routh_error *error)
{
    bool singular = true;
    const double step = fmax(q->scale, 1e-12 * fabs(at));
    for (int k = 0; k < 3 && singular; k++) {
        const routh_status status =
            rt_shifted_pencil_factor(&q->pencil, at + k * step, below, &singular, error);
        if (status) return status;
    }
    return ROUTH_OK;
}

static routh_status miscounted(const search *q, int there, int found, double low, double high,
                               routh_error *error)
{
    return rt_fail(error, ROUTH_NUMERIC_ERROR,
                   "between %g and %g there are %d eigenvalues by the signs of the pivots, but %d "
                   "were found in %d solves: K and M may not be symmetric, M not positive "
                   "semidefinite, or the constraints redundant",
                   low, high, there, found, q->pencil.n_solves);
}

/* After which of the pairs the count is taken: where the way to the next is widest. 0: nowhere. */
static int choose_gap(const search *q, int count)
{
    int best = 0;
    double widest = GAP;
    const int leading = n_leading(&q->lanczos, LOOSE);
    for (int k = count; k < q->n_pairs && k < leading; k++) {
        const double gap = q->pairs[k].distance - q->pairs[k - 1].distance;
        if (gap > widest * q->pairs[k].distance && gap > 4 * q->scale)
            widest = gap / q->pairs[k].distance, best = k;
    }
    return best;
}

/* *missing: how many of the eigenvalues nearer than the gap were not found. */
static routh_status count_nearest(search *q, int gap, int *missing, routh_error *error)
{
    const double r = 0.5 * (q->pairs[gap - 1].distance + q->pairs[gap].distance);
    int found_below = 0, below_high, below_low;
    *missing = 0;
    for (int k = 0; k < q->n_pairs; k++) found_below += q->pairs[k].value < q->near + r && k < gap;
    routh_status status = count_below(q, q->near + r, &below_high, error);
    if (status || below_high == found_below) return status;
    status = count_below(q, q->near - r, &below_low, error);
    if (status) return status;
    *missing = below_high - below_low - found_below;
    if (*missing >= 0) return ROUTH_OK;
    return miscounted(q, below_high - below_low, found_below, q->near - r, q->near + r, error);
}

/* ---- the answer ----------------------------------------------------------------------------- */

static double dot(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

/* lambda by Rayleigh's quotient, which has the square of the vector's error, and what that and
 * rounding leave open: eps |x|'(|K| + |lambda| |M|)|x|. room: 2 n */
static void refine(const search *q, pair *p, const double *x, double *room, double *error)
{
    const rt_symmetric_pencil *s = q->pencil.pencil;
    const int n = q->pencil.n;
    double *moduli = room, *y = room + n;
    rt_symmetric_multiply(s->K_pattern, s->K, x, 1, y);
    const double K = dot(x, y, n);
    rt_symmetric_multiply(s->M_pattern, s->M, x, 1, y);
    p->value = K / dot(x, y, n);
    for (int i = 0; i < n; i++) moduli[i] = fabs(x[i]);
    rt_symmetric_multiply_moduli(s->K_pattern, s->K, moduli, y);
    double size = dot(moduli, y, n);
    rt_symmetric_multiply_moduli(s->M_pattern, s->M, moduli, y);
    size += fabs(p->value) * dot(moduli, y, n);
    const double theta = q->lanczos.theta[p->ritz], residual = q->lanczos.residual[p->ritz];
    *error = 4 * DBL_EPSILON * size + fmin(residual / fabs(theta), 1) * residual / (theta * theta);
}

static int ascending(const void *a, const void *b)
{
    const double x = ((const pair *)a)->value, y = ((const pair *)b)->value;
    return (x > y) - (x < y);
}

/* The first `found` of the pairs, ascending, behind what is in the answer already. */
static routh_status answer(search *q, int found, routh_error *error)
{
    rt_symmetric_modes *m = q->modes;
    const size_t n = (size_t)q->pencil.n;
    double *room = malloc(2 * n * sizeof *room);
    if (!room) return rt_fail_memory(error);
    qsort(q->pairs, (size_t)found, sizeof *q->pairs, ascending);
    for (int k = 0; k < found; k++) {
        double *x = m->vector + n * (size_t)(m->found + k);
        rt_lanczos_vector(&q->lanczos, q->pairs[k].ritz, x);
        refine(q, &q->pairs[k], x, room, &m->error[m->found + k]);
        m->value[m->found + k] = q->pairs[k].value;
    }
    m->found += found;
    free(room);
    return ROUTH_OK;
}

static routh_status make_answer(search *q, int found, routh_error *error)
{
    rt_symmetric_modes *m = q->modes;
    m->value = RT_TAKE(q->answer, double, found);
    m->error = RT_TAKE(q->answer, double, found);
    m->vector = RT_TAKE(q->answer, double, (size_t)found *(size_t)q->pencil.n);
    return m->value && m->error && m->vector ? ROUTH_OK : rt_fail_memory(error);
}

/* ---- nearest -------------------------------------------------------------------------------- */

/* Copies of the last wanted one are not left behind. */
static int with_copies(const search *q, int count)
{
    int n = count < q->n_pairs ? count : q->n_pairs;
    while (n > 0 && n < q->n_pairs &&
           fabs(q->pairs[n].value - q->pairs[n - 1].value) <=
               EQUAL * fabs(q->pairs[n].value - q->shift) + q->scale)
        n++;
    return n;
}

static routh_status find_nearest(search *q, routh_error *error)
{
    const int count = q->request->count;
    int need = count + MORE, missing = 1;
    q->near = q->request->near;
    routh_status status = run_about(q, q->near, need, error);
    for (int k = 0; k < MOST_RENEWALS && !status && !q->all && missing; k++) {
        const int gap = choose_gap(q, count);
        if (gap)
            status = count_nearest(q, gap, &missing, error);
        else
            missing = MORE; /* as yet they all lie together */
        if (status || !missing) break;
        need += missing;
        if (gap && need + 2 * MORE < q->lanczos.most - 2 * q->lanczos.block)
            status = renew(q, need, error);
        else
            status = run_about(q, q->shift, need = need + 2 * MORE, error);
    }
    if (status) return status;
    if (!q->all && missing) return miscounted(q, need, q->n_pairs, q->near, q->near, error);
    q->modes->counted = true;
    const int found = with_copies(q, count);
    status = make_answer(q, found, error);
    return status ? status : answer(q, found, error);
}

/* ---- between -------------------------------------------------------------------------------- */

enum { AT_ONCE = 48 };

/* Those between two numbers with so many eigenvalues below each; halved while there are many. */
static routh_status find_part(search *q, double low, double high, int below_low, int below_high,
                              int depth, routh_error *error)
{
    const int there = below_high - below_low;
    const double middle = 0.5 * (low + high);
    if (there <= 0) return ROUTH_OK;
    if (there > AT_ONCE && depth < 40) {
        int below;
        routh_status status = count_below(q, middle, &below, error);
        if (!status) status = find_part(q, low, middle, below_low, below, depth + 1, error);
        return status ? status : find_part(q, middle, high, below, below_high, depth + 1, error);
    }
    q->near = middle, q->low = low, q->high = high, q->expected = there;
    routh_status status = run_about(q, middle, there, error);
    for (int k = 0; k < MOST_RENEWALS && !status && !q->all && n_inside(q) < there; k++)
        status = renew(q, there, error);
    if (status) return status;
    if (n_inside(q) != there) return miscounted(q, there, n_inside(q), low, high, error);
    int n = 0;
    for (int k = 0; k < q->n_pairs; k++)
        if (inside(q, &q->pairs[k])) q->pairs[n++] = q->pairs[k];
    return answer(q, n, error);
}

/* The ends are moved out by rounding, so that eigenvalues at them are inside. */
static routh_status find_between(search *q, routh_error *error)
{
    const rt_symmetric_request *r = q->request;
    const double out = fmax(q->scale, 1e-9 * fmax(fabs(r->low), fabs(r->high)));
    int below_low, below_high;
    routh_status status = count_below(q, r->low - out, &below_low, error);
    if (!status) status = count_below(q, r->high + out, &below_high, error);
    if (status) return status;
    const int there = below_high - below_low;
    if (r->most > 0 && there > r->most)
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                       "between %g and %g there are %d eigenvalues, more than the %d that are "
                       "allowed",
                       r->low, r->high, there, r->most);
    q->modes->counted = true;
    status = make_answer(q, there > 0 ? there : 0, error);
    return status ? status
                  : find_part(q, r->low - out, r->high + out, below_low, below_high, 0, error);
}

/* ---- entry ---------------------------------------------------------------------------------- */

static routh_status check(const rt_symmetric_request *r, routh_error *error)
{
    if (r->between ? r->low < r->high && isfinite(r->low) && isfinite(r->high)
                   : r->count > 0 && isfinite(r->near))
        return ROUTH_OK;
    if (r->between)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "eigenvalues between %g and %g: both must be finite, the first the smaller",
                       r->low, r->high);
    return rt_fail(error, ROUTH_BAD_ARGUMENT,
                   "%d eigenvalues near %g: the number must be 1 or more, and what they are near "
                   "finite",
                   r->count, r->near);
}

routh_status rt_symmetric_modes_find(rt_symmetric_modes *modes, const rt_symmetric_pencil *pencil,
                                     const rt_symmetric_request *request, rt_arena *arena,
                                     routh_error *error)
{
    search q = {.request = request, .modes = modes, .answer = arena};
    *modes = (rt_symmetric_modes){0};
    routh_status status = check(request, error);
    if (!status) status = rt_shifted_pencil_create(&q.pencil, pencil, error);
    if (status) return status;
    modes->n = q.pencil.n;
    q.scale = rounding_of(pencil);
    status = request->between ? find_between(&q, error) : find_nearest(&q, error);
    modes->n_factors = q.pencil.n_factors;
    modes->n_solves = q.pencil.n_solves;
    modes->factor_bytes = rt_ldl_bytes(q.pencil.factor);
    rt_arena_free(&q.arena);
    rt_shifted_pencil_free(&q.pencil);
    return status;
}
