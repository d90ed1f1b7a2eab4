#include "flexible/krylov.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/lapack.h"

enum { BLOCK = 6, MOST_RESTARTS = 200 };

/* Residual of A v = mu v, A = (K + s M)^-1 M, over mu. */
static const double CONVERGED = 1e-9;

typedef struct krylov_work {
    const rt_krylov *k;
    routh_error *error;
    size_t n;
    int room;       /* columns of the basis */
    int size;       /* columns so far */
    int done;       /* those that A was applied to */
    double *V, *MV; /* n x room, V' M V = 1 */
    double *H;      /* room x room: V' M A V */
    double *y, *My; /* n */
    double *small;  /* max(room, n_locked, n_held) + room */
    double *S, *mu; /* room x room, room: Ritz vectors and values, ascending */
    uint64_t random;
} krylov_work;

static double krylov_next_random(krylov_work *w)
{
    w->random = w->random * 6364136223846793005u + 1442695040888963407u;
    return (double)(w->random >> 11) * 0x1p-52 - 1;
}

/* y += s x */
static void krylov_add(size_t n, double s, const double *x, double *y)
{
    for (size_t i = 0; i < n; i++) y[i] += s * x[i];
}

/* y -= Z G^-1 c, c in w->small */
static routh_status bring_back(krylov_work *w, double *y)
{
    const rt_krylov *k = w->k;
    const routh_status status = rt_cholesky_solve(k->n_held, k->G, 1, w->small, w->error);
    for (int j = 0; j < k->n_held && !status; j++)
        krylov_add(w->n, -w->small[j], k->Z + (size_t)j * w->n, y);
    return status;
}

/* y = A x from m = M x: (K + s M)^-1 m, less what brings C y to zero; once more, since the rigid
 * motion that C holds is large in the first. */
static routh_status krylov_apply(krylov_work *w, const double *m, double *y)
{
    const rt_krylov *k = w->k;
    memcpy(y, m, w->n * sizeof *y);
    routh_status status = rt_body_solve(k->solver, y, 1, w->error);
    for (int pass = 0; pass < 2 && k->n_held && !status; pass++) {
        for (int j = 0; j < k->n_held; j++) w->small[j] = rt_body_row(k->C, j, y);
        status = bring_back(w, y);
    }
    return status;
}

/* Twice orthogonal to all before; the norm that is left over the one that came. coefficients: of
 * the basis. */
static double orthogonal(krylov_work *w, double *y, double *c)
{
    const rt_krylov *k = w->k;
    rt_body_times(k->b, k->b->M, y, w->My);
    const double before = sqrt(fmax(rt_body_dot((int)w->n, y, w->My), 0));
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < k->n_locked; j++)
            krylov_add(w->n, -rt_body_dot((int)w->n, k->locked + (size_t)j * w->n, w->My),
                       k->locked + (size_t)j * w->n, y);
        for (int j = 0; j < w->size; j++) {
            const double x = rt_body_dot((int)w->n, w->MV + (size_t)j * w->n, y);
            krylov_add(w->n, -x, w->V + (size_t)j * w->n, y);
            if (c) c[j] += x;
        }
        rt_body_times(k->b, k->b->M, y, w->My);
    }
    const double norm = sqrt(fmax(rt_body_dot((int)w->n, y, w->My), 0));
    return before > 0 ? norm / before : 0;
}

/* y into the basis, M-normalized. */
static void krylov_append(krylov_work *w, const double *y)
{
    const double norm = sqrt(rt_body_dot((int)w->n, y, w->My));
    double *v = w->V + (size_t)w->size * w->n, *Mv = w->MV + (size_t)w->size * w->n;
    for (size_t i = 0; i < w->n; i++) v[i] = y[i] / norm, Mv[i] = w->My[i] / norm;
    w->size++;
}

/* A random vector that A has been applied to, so that it has nothing of massless directions. What
 * is locked is taken out before, too: A makes rigid motions larger by the first elastic eigenvalue
 * over the shift, and of a stiff, coarse body nothing else would be left. */
static routh_status append_random(krylov_work *w)
{
    for (int tries = 0; tries < 3; tries++) {
        for (size_t i = 0; i < w->n; i++) w->y[i] = krylov_next_random(w);
        if (orthogonal(w, w->y, NULL) < 1e-8) continue;
        double *start = w->S; /* at least n long */
        routh_status status = krylov_apply(w, w->My, start);
        if (status) return status;
        memcpy(w->y, start, w->n * sizeof *w->y);
        if (orthogonal(w, w->y, NULL) > 1e-8) {
            krylov_append(w, w->y);
            return ROUTH_OK;
        }
    }
    return ROUTH_OK; /* there is no more */
}

/* A on the next column, whose image is appended where it brings something new. */
static routh_status krylov_expand(krylov_work *w)
{
    const int j = w->done, before = w->size;
    double *c = w->small + w->k->n_held;
    routh_status status = krylov_apply(w, w->MV + (size_t)j * w->n, w->y);
    if (status) return status;
    memset(c, 0, (size_t)w->room * sizeof *c);
    const double rest = orthogonal(w, w->y, c);
    for (int i = 0; i < before; i++)
        w->H[i + (size_t)w->room * j] = w->H[j + (size_t)w->room * i] = c[i];
    w->done++;
    if (w->size == w->room || rest < 1e-12) return ROUTH_OK;
    const double norm = sqrt(rt_body_dot((int)w->n, w->y, w->My));
    w->H[w->size + (size_t)w->room * j] = w->H[j + (size_t)w->room * w->size] = norm;
    krylov_append(w, w->y);
    return ROUTH_OK;
}

/* Ritz pairs of the done columns. */
static routh_status ritz(krylov_work *w)
{
    const int m = w->done;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++) w->S[i + (size_t)m * j] = w->H[i + (size_t)w->room * j];
    return rt_symmetric_eigen(m, w->S, w->mu, w->error);
}

/* |A v - mu v| of Ritz vector k: what the columns not done hold of it. */
static double krylov_residual(const krylov_work *w, int k)
{
    double sum = 0;
    for (int i = w->done; i < w->size; i++) {
        double x = 0;
        for (int j = 0; j < w->done; j++)
            x += w->H[i + (size_t)w->room * j] * w->S[j + (size_t)w->done * k];
        sum += x * x;
    }
    return sqrt(sum);
}

static int krylov_converged(const krylov_work *w, int wanted)
{
    int n = 0;
    for (int k = w->done - 1; k >= 0 && n < wanted; k--, n++)
        if (krylov_residual(w, k) > CONVERGED * fabs(w->mu[k])) break;
    return n;
}

/* X := X S of the best `keep` Ritz vectors, best first. */
static void rotate(const krylov_work *w, double *X, int keep, double *row)
{
    for (size_t i = 0; i < w->n; i++) {
        for (int k = 0; k < keep; k++) {
            const double *s = w->S + (size_t)w->done * (w->done - 1 - k);
            double x = 0;
            for (int j = 0; j < w->done; j++) x += X[i + w->n * (size_t)j] * s[j];
            row[k] = x;
        }
        for (int k = 0; k < keep; k++) X[i + w->n * (size_t)k] = row[k];
    }
}

/* The basis becomes the best Ritz vectors and the columns not done. */
static void krylov_restart(krylov_work *w, int keep)
{
    const int rest = w->size - w->done;
    double *row = w->small + w->k->n_held;
    rotate(w, w->V, keep, row);
    rotate(w, w->MV, keep, row);
    memmove(w->V + (size_t)keep * w->n, w->V + (size_t)w->done * w->n,
            (size_t)rest * w->n * sizeof *w->V);
    memmove(w->MV + (size_t)keep * w->n, w->MV + (size_t)w->done * w->n,
            (size_t)rest * w->n * sizeof *w->MV);
    double *coupling = w->small + w->k->n_held + w->room; /* rest x keep */
    for (int k = 0; k < keep; k++)
        for (int i = 0; i < rest; i++) {
            double x = 0;
            for (int j = 0; j < w->done; j++)
                x += w->H[w->done + i + (size_t)w->room * j] *
                     w->S[j + (size_t)w->done * (w->done - 1 - k)];
            coupling[i + (size_t)rest * k] = x;
        }
    memset(w->H, 0, (size_t)w->room * (size_t)w->room * sizeof *w->H);
    for (int k = 0; k < keep; k++) {
        w->H[k + (size_t)w->room * k] = w->mu[w->done - 1 - k];
        for (int i = 0; i < rest; i++)
            w->H[keep + i + (size_t)w->room * k] = w->H[k + (size_t)w->room * (keep + i)] =
                coupling[i + (size_t)rest * k];
    }
    w->size = keep + rest;
    w->done = keep;
}

static bool krylov_take(krylov_work *w, const rt_krylov *k, int wanted, rt_arena *arena)
{
    w->k = k;
    w->n = (size_t)k->b->n;
    w->room = 2 * wanted + 4 * BLOCK + 16;
    if (w->room > k->n_free) w->room = k->n_free;
    w->random = 20240229;
    const size_t room = (size_t)w->room, n = w->n;
    const size_t square = room * room;
    w->V = RT_TAKE(arena, double, n *room);
    w->MV = RT_TAKE(arena, double, n *room);
    w->H = RT_TAKE(arena, double, square);
    w->S = RT_TAKE(arena, double, square > n ? square : n);
    w->mu = RT_TAKE(arena, double, room);
    w->y = RT_TAKE(arena, double, n);
    w->My = RT_TAKE(arena, double, n);
    w->small = RT_TAKE(arena, double, (size_t)k->n_held + room + square);
    return w->V && w->MV && w->H && w->S && w->mu && w->y && w->My && w->small;
}

/* Another block where nothing is left to apply A to; more than BLOCK equal frequencies want it. */
static routh_status refill(krylov_work *w)
{
    routh_status status = ROUTH_OK;
    const int room = w->room - w->size;
    for (int j = 0; j < BLOCK && j < room && !status; j++) status = append_random(w);
    return status;
}

static routh_status krylov_grow(krylov_work *w)
{
    routh_status status = ROUTH_OK;
    const bool whole = w->room == w->k->n_free; /* nothing is left outside of the basis */
    while (!status && (w->size < w->room || (whole && w->done < w->size))) {
        if (w->done == w->size) {
            status = refill(w);
            if (w->done == w->size) break; /* the whole space */
        }
        if (!status) status = krylov_expand(w);
    }
    return status ? status : ritz(w);
}

static routh_status krylov_iterate(krylov_work *w, int wanted, int *found)
{
    for (int restarts = 0; restarts < MOST_RESTARTS; restarts++) {
        const routh_status status = krylov_grow(w);
        if (status) return status;
        *found = krylov_converged(w, wanted);
        if (*found == wanted || w->done == w->size) return ROUTH_OK;
        krylov_restart(w, (w->done + wanted) / 2);
    }
    return rt_fail(w->error, ROUTH_NUMERIC_ERROR,
                   "the modes of the finite-element body were not found: %d of %d converged; "
                   "request fewer modes (--modes)",
                   *found, wanted);
}

static routh_status krylov_solve(const rt_krylov *k, int wanted, int *found, double *mu,
                                 double *vectors, routh_error *error)
{
    rt_arena own = {0};
    krylov_work w = {.error = error};
    if (wanted > k->n_free) wanted = k->n_free;
    *found = 0;
    if (wanted < 1) return ROUTH_OK;
    routh_status status = krylov_take(&w, k, wanted, &own) ? ROUTH_OK : rt_fail_memory(error);
    if (!status) status = krylov_iterate(&w, wanted, found);
    if (!status) {
        rotate(&w, w.V, *found, w.small + k->n_held);
        memcpy(vectors, w.V, (size_t)*found * w.n * sizeof *vectors);
        for (int j = 0; j < *found; j++) mu[j] = w.mu[w.done - 1 - j];
    }
    rt_arena_free(&own);
    return status;
}

/* Those that are found are locked, and one more is looked for: a mode that was passed over would
 * come out above the last of them. */
static routh_status look_again(const rt_krylov *k, int found, const double *vectors, double *mu,
                               double *vector, routh_error *error)
{
    rt_krylov rest = *k;
    const size_t n = (size_t)k->b->n;
    const int count = k->n_locked + found;
    int one;
    *mu = 0;
    rest.n_free = k->n_free - found;
    if (rest.n_free < 1) return ROUTH_OK;
    double *all = malloc((size_t)count * n * sizeof *all);
    if (!all) return rt_fail_memory(error);
    if (k->n_locked) memcpy(all, k->locked, (size_t)k->n_locked * n * sizeof *all);
    memcpy(all + (size_t)k->n_locked * n, vectors, (size_t)found * n * sizeof *all);
    rest.n_locked = count;
    rest.locked = all;
    const routh_status status = krylov_solve(&rest, 1, &one, mu, vector, error);
    if (!status && !one) *mu = 0;
    free(all);
    return status;
}

/* The vector that look_again found goes where it belongs; the last falls out. */
static void insert(size_t n, int found, double *mu, double *vectors, double x, const double *vector)
{
    int at = found;
    while (at > 0 && mu[at - 1] < x) at--;
    for (int j = found - 1; j > at; j--) {
        mu[j] = mu[j - 1];
        memcpy(vectors + (size_t)j * n, vectors + (size_t)(j - 1) * n, n * sizeof *vectors);
    }
    if (at == found) return;
    mu[at] = x;
    memcpy(vectors + (size_t)at * n, vector, n * sizeof *vectors);
}

static routh_status krylov_complete(const rt_krylov *k, int found, double *mu, double *vectors,
                                    double *beyond, routh_error *error)
{
    const size_t n = (size_t)k->b->n;
    double *vector = malloc((n + 1) * sizeof *vector), x = 0;
    routh_status status = vector ? ROUTH_OK : rt_fail_memory(error);
    for (int tries = 0; !status && tries < found + 1; tries++) {
        status = look_again(k, found, vectors, &x, vector, error);
        if (status || x <= mu[found - 1] * (1 + 1e-9)) break;
        insert(n, found, mu, vectors, x, vector);
    }
    *beyond = x;
    free(vector);
    return status;
}

routh_status rt_krylov_lowest(const rt_krylov *k, int wanted, double cut, int most, int *found,
                              double **lambda, double **vectors, double *next, rt_arena *arena,
                              routh_error *error)
{
    double beyond = 0;
    *found = 0;
    *next = 0;
    if (most > k->n_free) most = k->n_free;
    if (wanted > most) wanted = most;
    for (;; wanted = 2 * wanted < most ? 2 * wanted : most) {
        *lambda = RT_TAKE(arena, double, wanted + 1);
        *vectors = RT_TAKE(arena, double, (size_t)wanted *(size_t)k->b->n);
        if (!*lambda || !*vectors) return rt_fail_memory(error);
        if (wanted < 1) return ROUTH_OK;
        double *mu = *lambda;
        routh_status status = krylov_solve(k, wanted, found, mu, *vectors, error);
        if (!status && *found > 0)
            status = krylov_complete(k, *found, mu, *vectors, &beyond, error);
        if (status) return status;
        if (cut <= 0 || *found < wanted || wanted == most || 1 / mu[*found - 1] - k->shift > cut)
            break;
    }
    double *values = *lambda;
    for (int j = 0; j < *found; j++) values[j] = 1 / values[j] - k->shift;
    *next = beyond > 0 ? 1 / beyond - k->shift : 0;
    if (cut > 0)
        while (*found > 0 && values[*found - 1] > cut) *next = values[--*found];
    return ROUTH_OK;
}
