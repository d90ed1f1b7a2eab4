/* Multi-blade coordinates (Coleman and Feingold 1958). A state of blade k = 1..N at the azimuth
 * psi_k = psi + 2 pi (k - 1)/N, psi' = s 2 pi/T, is
 *     S_k = a_0 + sum over n of (a_nc cos n psi_k + a_ns sin n psi_k) [+ (-1)^k a_d],
 * together S = T_1(psi) s, and with w = s'
 *     S = T_1 s,    W = psi' T_2 s + T_1 w,    T_2 = dT_1/dpsi,    T_3 = dT_2/dpsi,
 *     y = T y_m,    T = [T_1 0; psi' T_2 T_1],    T' = [psi' T_2 0; psi'^2 T_3 psi' T_2],
 *     y_m' = T^-1 (A T - T') y_m. */
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/pi.h"
#include "base/lapack.h"
#include "linear/multiblade.h"
#include "motion/periodic.h"

typedef struct rotor {
    const rt_orbit *o;
    const double *size;
    int n, z, n_blades, n_each;
    int *state;               /* n_blades x n_each: places among the states of position */
    double *T, *dT, *A, *sum; /* n x n; T, dT and A column-major, sum row-major */
    int *pivots;
} rotor;

/* ---- whose states are a blade's -------------------------------------------------------------- */

static int count_states(const rotor *r, const char *blade)
{
    int n = 0;
    for (int k = 0; k < r->z; k++)
        n += rt_multiblade_rest(rt_along_name(r->o->first, k), blade) != NULL;
    return n;
}

static int periodic_blades_find_state(const rotor *r, const char *blade, const char *rest)
{
    for (int k = 0; k < r->z; k++) {
        const char *own = rt_multiblade_rest(rt_along_name(r->o->first, k), blade);
        if (own && strcmp(own, rest) == 0) return k;
    }
    return -1;
}

static routh_status no_states(const rotor *r, const char *blade, routh_error *error)
{
    return rt_fail(error, ROUTH_BAD_ARGUMENT,
                   "no state is called %s, or %s and a dot or an underscore after it; the states "
                   "are chosen by linearize: states, such as coordinates of each blade under its "
                   "name (the first of %d states is %s)",
                   blade, blade, r->z, r->z ? rt_along_name(r->o->first, 0) : "none");
}

/* All blades need the states of the first one. */
static routh_status periodic_blades_find_states(rotor *r, const char *const *blades,
                                                rt_arena *arena, routh_error *error)
{
    r->n_each = count_states(r, blades[0]);
    if (r->n_each == 0) return no_states(r, blades[0], error);
    r->state = RT_TAKE(arena, int, r->n_blades * r->n_each);
    if (!r->state) return rt_fail_memory(error);
    int n = 0;
    for (int k = 0; k < r->z; k++)
        if (rt_multiblade_rest(rt_along_name(r->o->first, k), blades[0])) r->state[n++] = k;
    for (int b = 1; b < r->n_blades; b++) {
        const int each = count_states(r, blades[b]);
        if (each == 0) return no_states(r, blades[b], error);
        for (int i = 0; i < r->n_each; i++) {
            const char *rest =
                rt_multiblade_rest(rt_along_name(r->o->first, r->state[i]), blades[0]);
            const int found = periodic_blades_find_state(r, blades[b], rest);
            r->state[b * r->n_each + i] = found;
            if (found < 0 || each != r->n_each)
                return rt_fail(error, ROUTH_BAD_ARGUMENT,
                               "the blades %s and %s have different states; define the same states "
                               "for both (linearize: coordinates), each under its own name",
                               blades[0], blades[b]);
        }
    }
    return ROUTH_OK;
}

/* ---- the transformation ---------------------------------------------------------------------- */

/* One entry of T_1 and its derivatives into T and T'. */
static void periodic_blades_place(rotor *r, int i, int j, const double t[3], double rate)
{
    const int n = r->n, z = r->z;
    r->T[i + j * n] = r->T[z + i + (z + j) * n] = t[0];
    r->T[z + i + j * n] = rate * t[1];
    r->dT[i + j * n] = r->dT[z + i + (z + j) * n] = rate * t[1];
    r->dT[z + i + j * n] = rate * rate * t[2];
}

static void periodic_blades_fill(rotor *r, double psi, double rate)
{
    const size_t size = (size_t)r->n * (size_t)r->n * sizeof *r->T;
    memset(r->T, 0, size);
    memset(r->dT, 0, size);
    for (int i = 0; i < r->n; i++) r->T[i + i * r->n] = 1;
    for (int e = 0; e < r->n_each; e++)
        for (int b = 0; b < r->n_blades; b++)
            for (int c = 0; c < r->n_blades; c++) {
                double t[3];
                rt_multiblade_entry(r->n_blades, psi, b, c, t);
                periodic_blades_place(r, r->state[b * r->n_each + e], r->state[c * r->n_each + e],
                                      t, rate);
            }
}

/* r->A = T^-1 (A T - T') at the azimuth of sample j; sense 0: A itself. */
static routh_status periodic_blades_transform(rotor *r, int j, int sense, routh_error *error)
{
    const int n = r->n;
    const double *A = r->o->A + (size_t)j * (size_t)(n * n);
    const double rate = sense * RT_TWO_PI / r->o->period;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) r->A[i + k * n] = A[i * n + k];
    if (sense == 0) return ROUTH_OK;
    periodic_blades_fill(r, sense * RT_TWO_PI * j / RT_ORBIT_SAMPLES, rate);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            double sum = -r->dT[i + k * n];
            for (int l = 0; l < n; l++) sum += A[i * n + l] * r->T[l + k * n];
            r->A[i + k * n] = sum;
        }
    routh_status status = rt_lu_factor(n, r->T, r->pivots, error);
    return status ? status : rt_lu_solve(n, r->T, r->pivots, n, r->A, 0, error);
}

/* r->sum: the mean of A over the azimuth; *variation: its largest departure, in the sizes of the
 * states, over the largest entry of the mean. */
static routh_status periodic_blades_vary(rotor *r, int sense, double *variation, routh_error *error)
{
    const int n = r->n;
    double most = 0, largest = 0;
    routh_status status = ROUTH_OK;
    memset(r->sum, 0, (size_t)n * (size_t)n * sizeof *r->sum);
    for (int j = 0; j < RT_ORBIT_SAMPLES && !status; j++) {
        status = periodic_blades_transform(r, j, sense, error);
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++) r->sum[i * n + k] += r->A[i + k * n] / RT_ORBIT_SAMPLES;
    }
    for (int j = 0; j < RT_ORBIT_SAMPLES && !status; j++) {
        status = periodic_blades_transform(r, j, sense, error);
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++) {
                const double mean = r->sum[i * n + k], unit = r->size[k] / r->size[i];
                most = fmax(most, fabs(r->A[i + k * n] - mean) * unit);
                largest = fmax(largest, fabs(mean) * unit);
            }
    }
    *variation = largest > 0 ? most / largest : 0;
    return status;
}

/* ---- beside the multipliers ------------------------------------------------------------------ */

static routh_status periodic_blades_compare(rotor *r, routh_multiblade *out,
                                            const rt_multipliers *x, rt_arena *arena,
                                            routh_error *error)
{
    const int n = r->n;
    const double T = r->o->period;
    rt_multipliers own;
    bool *taken = RT_TAKE(arena, bool, n);
    routh_status status = rt_multipliers_take(&own, n, arena, error);
    if (status || !taken) return rt_fail_memory(error);
    status = rt_multipliers_find(&own, out->A, r->size, error);
    for (int k = 0; k < n && !status; k++) {
        const double _Complex lambda = own.re[k] + own.im[k] * (double _Complex)I;
        const double _Complex mu = cexp(lambda * T);
        double nearest = INFINITY;
        int found = 0;
        out->eigenvalues[2 * k] = own.re[k], out->eigenvalues[2 * k + 1] = own.im[k];
        for (int j = 0; j < n; j++) {
            const double d = cabs(mu - (x->re[j] + x->im[j] * (double _Complex)I));
            if (!taken[j] && d < nearest) nearest = d, found = j;
        }
        const double _Complex other = x->re[found] + x->im[found] * (double _Complex)I;
        taken[found] = true;
        out->relative = fmax(out->relative, nearest / fmax(1, cabs(other)));
        out->difference = fmax(out->difference, cabs(clog(mu / other)) / T);
    }
    return status;
}

static routh_status periodic_blades_name_states(rt_floquet_holder *h, const rotor *r,
                                                const char *blade, routh_multiblade *out,
                                                routh_error *error)
{
    out->names = RT_TAKE(&h->arena, char *, r->n);
    if (!out->names) return rt_fail_memory(error);
    for (int k = 0; k < r->n; k++) {
        char text[256];
        const char *name = rt_along_name(r->o->first, k), *rate = k < r->z ? "" : "'";
        snprintf(text, sizeof text, "%s", name);
        for (int c = 0; c < r->n_blades && k < 2 * r->z; c++)
            for (int e = 0; e < r->n_each; e++) {
                if (r->state[c * r->n_each + e] != k % r->z) continue;
                const char *rest =
                    rt_multiblade_rest(rt_along_name(r->o->first, r->state[e]), blade);
                char which[RT_MULTIBLADE_NAME];
                snprintf(text, sizeof text, "blades%s %s%s", rest,
                         rt_multiblade_name(r->n_blades, c, which), rate);
            }
        out->names[k] = rt_arena_text(&h->arena, text, strlen(text));
        if (!out->names[k]) return rt_fail_memory(error);
    }
    return ROUTH_OK;
}

static routh_status periodic_blades_check(const rt_orbit *o, int n_blades, routh_error *error)
{
    const rt_states *states = rt_along_states(o->first);
    bool same = states->z == states->z1;
    for (int k = 0; same && k < states->z; k++) same = states->rate[k] == states->candidate[k];
    if (n_blades < 2)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "multi-blade coordinates need two blades or more; name them all (--blades "
                       "NAME,NAME,..)");
    if (!same)
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "multi-blade coordinates need as many velocity as position states, but a "
                       "nonholonomic joint leaves fewer; leave out --blades");
    if (o->n_choices > 1)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the states are not valid for a whole revolution of the rotor: others had "
                       "to be selected %d times; define coordinates that rotate with it "
                       "(linearize: coordinates), such as the angle of each blade's hinge",
                       o->n_choices - 1);
    return ROUTH_OK;
}

static routh_status periodic_blades_take(rotor *r, rt_arena *arena, routh_error *error)
{
    const size_t size = (size_t)r->n * (size_t)r->n;
    r->T = RT_TAKE(arena, double, size);
    r->dT = RT_TAKE(arena, double, size);
    r->A = RT_TAKE(arena, double, size);
    r->sum = RT_TAKE(arena, double, size);
    r->pivots = RT_TAKE(arena, int, r->n);
    return r->T && r->dT && r->A && r->sum && r->pivots ? ROUTH_OK : rt_fail_memory(error);
}

routh_status rt_floquet_blades(rt_floquet_holder *h, const rt_orbit *o, const double *size,
                               const rt_multipliers *x, const char *const *blades,
                               routh_error *error)
{
    static const double same = 1e-8;
    rotor r = {.o = o, .size = size, .n = o->n, .z = rt_along_states(o->first)->z};
    while (blades[r.n_blades]) r.n_blades++;
    routh_status status = periodic_blades_check(o, r.n_blades, error);
    routh_multiblade *out = RT_TAKE(&h->arena, routh_multiblade, 1);
    if (!status && !out) status = rt_fail_memory(error);
    if (!status) status = periodic_blades_find_states(&r, blades, &h->arena, error);
    if (!status) status = periodic_blades_take(&r, &h->arena, error);
    if (status) return status;
    *out = (routh_multiblade){.n_blades = r.n_blades, .n_states_each = r.n_each, .n_states = r.n};
    out->A = RT_TAKE(&h->arena, double, r.n *r.n);
    out->eigenvalues = RT_TAKE(&h->arena, double, 2 * r.n);
    if (!out->A || !out->eigenvalues) return rt_fail_memory(error);
    double backward;
    status = periodic_blades_vary(&r, 0, &out->before, error);
    if (!status) status = periodic_blades_vary(&r, -1, &backward, error);
    if (!status) status = periodic_blades_vary(&r, 1, &out->variation, error);
    out->sense = 1;
    if (!status && backward < out->variation) {
        out->sense = -1;
        status = periodic_blades_vary(&r, -1, &out->variation, error);
    }
    if (status) return status;
    memcpy(out->A, r.sum, (size_t)r.n * (size_t)r.n * sizeof *r.sum);
    out->constant = out->variation <= same;
    status = periodic_blades_compare(&r, out, x, &h->arena, error);
    if (!status) status = periodic_blades_name_states(h, &r, blades[0], out, error);
    if (!status) h->floquet.multiblade = out;
    return status;
}
