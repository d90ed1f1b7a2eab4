/* How many normal modes are enough. The frequencies of the whole model below a limit are found and
 * counted (base/symmetric_modes.h); a basis with more modes than it takes is made, and the fewest
 * of them sought with which the reduced frequencies there are right. These fall with every mode
 * that is added, so it is a search by halving; every trial is a small problem. */
#include <math.h>
#include <string.h>

#include "base/pi.h"
#include "base/lapack.h"
#include "base/symmetric_modes.h"
#include "flexible/modes_parts.h"

enum { FIRST_TRY = 12, MOST_MODES = 2000 };

/* ---- the whole model ------------------------------------------------------------------------ */

routh_status rt_modes_count(rt_modes_work *w)
{
    const rt_body_fe *b = w->b;
    const double limit = pow(RT_TWO_PI * w->how->below, 2);
    const rt_symmetric_pencil pencil = {
        &b->fe->pattern, &b->fe->pattern, b->K, b->M, 0, NULL, NULL};
    const rt_symmetric_request request = {
        .between = true, .low = -limit, .high = limit, .most = MOST_MODES};
    rt_symmetric_modes all;
    rt_arena own = {0};
    routh_status status = rt_symmetric_modes_find(&all, &pencil, &request, &own, w->error);
    double *whole = status ? NULL : RT_TAKE(w->arena, double, all.found);
    if (!status && !whole) status = rt_fail_memory(w->error);
    /* the six lowest are rigid motions: check_rigid has seen that there are no more */
    for (int k = 6; k < all.found && !status; k++) {
        whole[k - 6] = sqrt(all.value[k]) / RT_TWO_PI;
        w->report->n_whole = k - 5;
    }
    w->report->whole = whole;
    rt_arena_free(&own);
    return status;
}

/* ---- trials --------------------------------------------------------------------------------- */

typedef struct trials {
    rt_modes_work *w;
    int n;             /* of the basis */
    double *S, *M;     /* n x n: B'(K + s M) B, B'M B */
    double *T, *A, *B; /* n x n */
    double *room, *mu; /* 2 n, n */
    rt_arena arena;
} trials;

static routh_status modes_enough_prepare(trials *t, rt_modes_work *w)
{
    const size_t n = (size_t)w->n_basis;
    *t = (trials){.w = w, .n = w->n_basis};
    double **square[] = {&t->S, &t->M, &t->T, &t->A, &t->B};
    for (size_t k = 0; k < sizeof square / sizeof *square; k++)
        if (!(*square[k] = RT_TAKE(&t->arena, double, n *n))) return rt_fail_memory(w->error);
    t->room = RT_TAKE(&t->arena, double, 2 * n);
    t->mu = RT_TAKE(&t->arena, double, n);
    if (!t->room || !t->mu) return rt_fail_memory(w->error);
    rt_modes_project(w, w->shifted, t->S);
    rt_modes_project(w, w->b->M, t->M);
    return ROUTH_OK;
}

/* out := T'X T, X the leading m x m of order n, T m x rank */
static void modes_enough_congruent(const trials *t, const double *X, int m, int rank, double *out)
{
    double *y = t->room;
    for (int j = 0; j < rank; j++) {
        const double *x = t->T + (size_t)m * (size_t)j;
        for (int i = 0; i < m; i++) {
            y[i] = 0;
            for (int k = 0; k < m; k++) y[i] += X[k + (size_t)t->n * (size_t)i] * x[k];
        }
        for (int i = 0; i <= j; i++) {
            double sum = 0;
            for (int k = 0; k < m; k++) sum += t->T[k + (size_t)m * (size_t)i] * y[k];
            out[i + (size_t)rank * (size_t)j] = out[j + (size_t)rank * (size_t)i] = sum;
        }
    }
}

/* Are the first m columns of the basis enough? M v = mu (K + s M) v. */
static routh_status is_enough(const trials *t, int m, bool *enough)
{
    const rt_modes_work *w = t->w;
    const rt_reduction_report *r = w->report;
    const double accuracy = w->how->accuracy > 0 ? w->how->accuracy : 1e-3;
    int rank = 0;
    *enough = false;
    if (m < 1 || m < r->n_whole) return ROUTH_OK;
    routh_status status = rt_modes_independent(m, t->n, t->S, t->T, t->room, &rank, w->error);
    if (status || rank < r->n_whole) return status;
    modes_enough_congruent(t, t->M, m, rank, t->A);
    modes_enough_congruent(t, t->S, m, rank, t->B);
    status = rt_symmetric_generalized_eigen(rank, t->A, t->B, t->mu, w->error);
    for (int k = 0; k < r->n_whole && !status; k++) {
        const double lambda = 1 / t->mu[rank - 1 - k] - w->s;
        if (!(sqrt(lambda) <= RT_TWO_PI * r->whole[k] * (1 + accuracy))) return ROUTH_OK;
    }
    *enough = !status;
    return status;
}

/* The fewest normal modes that are enough, `most` are; into the basis. */
static routh_status drop_rest(const trials *t)
{
    rt_modes_work *w = t->w;
    const int before = w->n_basis - w->n_normal;
    int few = -1, most = w->n_normal;
    while (most - few > 1) {
        const int middle = few + (most - few) / 2;
        bool enough;
        const routh_status status = is_enough(t, before + middle, &enough);
        if (status) return status;
        *(enough ? &most : &few) = middle;
    }
    if (most < w->n_normal) w->next = w->lambda[most];
    w->n_normal = most;
    w->n_basis = before + most;
    return ROUTH_OK;
}

static routh_status try_so_many(rt_modes_work *w, int n_modes, bool *enough)
{
    trials t = {0};
    routh_status status = rt_modes_basis(w, n_modes, 0);
    *enough = false;
    if (status) return status;
    status = modes_enough_prepare(&t, w);
    if (!status) status = is_enough(&t, w->n_basis, enough);
    if (!status && *enough) status = drop_rest(&t);
    rt_arena_free(&t.arena);
    return status;
}

routh_status rt_modes_enough(rt_modes_work *w)
{
    bool enough = false;
    routh_status status = ROUTH_OK;
    int n_modes = w->report->n_whole + FIRST_TRY, before = -1;
    for (; !status && !enough && n_modes <= MOST_MODES; n_modes *= 2) {
        status = try_so_many(w, n_modes, &enough);
        if (!enough && w->n_normal == before) break; /* all there are */
        before = w->n_normal;
    }
    if (status || enough) return status;
    return rt_fail(w->error, ROUTH_MODEL_ERROR,
                   "%d normal modes are not enough for the frequencies below %g Hz to have an "
                   "error of at most %g; give a lower frequency (--frequencies-below) or a larger "
                   "error (--accuracy)",
                   w->n_normal, w->how->below, w->how->accuracy > 0 ? w->how->accuracy : 1e-3);
}
