/* Random inputs: S_out = H S H^H, its integral over f, and which modes make it.
 *
 * Gauss and Kronrod's 15 points on log f in intervals that are halved until the estimate is small
 * beside the whole (Piessens et al., QUADPACK, 1983). */
#include <math.h>
#include <stdlib.h>

#include "answers/response_random.h"

#include "answers/response_intervals.h"
#include "base/error.h"
#include "base/pi.h"

static const double WANTED = 1e-11; /* of an interval, beside the whole */

enum { DEPTH = 24, NODES = 8, MOST_HALVES = 20000 };

static const double node[NODES] = {
    0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
    0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
    0.586087235467691130294144691693313, 0.405845151377397166906606412076961,
    0.207784955007898467600689403773245, 0};
static const double kronrod[NODES] = {
    0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
    0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
    0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
    0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
static const double gauss[NODES] = {
    0, 0.129484966168869693270611432679082, 0, 0.279705391489276667901467771423780,
    0, 0.381830050505118944950369775488975, 0, 0.417959183673469387755102040816327};

typedef struct integral {
    const rt_random_task *t;
    int n_out, n_in, n_parts; /* parts: modes (a pair as one), 0 where they are not known */
    const int *mode;          /* n_parts */
    char *const *names;       /* of outputs */
    double _Complex *H, *P, *S, *SH;
    double *work, *value, *parts;      /* n_out; n_out x n_parts, at one frequency */
    double *sum, *sums, *error, *size; /* n_out, n_out x n_parts, n_out, n_out */
    long left;                         /* intervals that may still be looked at */
} integral;

/* SH = S H^H of output i */
static void response_random_weigh(const integral *q, int i)
{
    for (int a = 0; a < q->n_in; a++) {
        q->SH[a] = 0;
        for (int b = 0; b < q->n_in; b++)
            q->SH[a] += q->S[a * q->n_in + b] * conj(q->H[i * q->n_in + b]);
    }
}

static double response_random_power(const integral *q, const double _Complex *H, int i)
{
    double _Complex sum = 0;
    for (int a = 0; a < q->n_in; a++) sum += H[i * q->n_in + a] * q->SH[a];
    return creal(sum);
}

/* The parts of a pair: those of both eigenvalues at s. */
static void response_random_part_of(const integral *q, int k, double _Complex s)
{
    const rt_modal *m = q->t->modal;
    const int channels = q->n_in * q->n_out, other = q->t->modes->modes[k].conjugate;
    rt_modal_part(m, k, s, q->P);
    if (other != k) {
        double _Complex *second = q->P + channels;
        rt_modal_part(m, other, s, second);
        for (int c = 0; c < channels; c++) q->P[c] += second[c];
    }
    for (int i = 0; i < q->n_out; i++)
        for (int j = 0; j < q->n_in; j++)
            for (int p = 0; p < q->t->power[j]; p++) q->P[i * q->n_in + j] /= s;
}

static double uncorrelated(const integral *q, int i)
{
    double sum = 0;
    for (int a = 0; a < q->n_in; a++) {
        const double size = cabs(q->H[i * q->n_in + a]);
        sum += size * size * fabs(creal(q->S[a * q->n_in + a]));
    }
    return sum;
}

/* A spectrum gives no output a negative power, but for rounding. */
static routh_status response_random_refuse(const integral *q, double hz, int i, double power,
                                           routh_error *error)
{
    if (!(power < -1e-10 * uncorrelated(q, i))) return ROUTH_OK;
    return rt_fail(error, ROUTH_BAD_ARGUMENT,
                   "at %g Hz the spectrum of the inputs gives %s a negative power; correct the "
                   "spectra: none may be negative, and the square of a cross spectrum may not "
                   "exceed the product of those of its inputs",
                   hz, q->names[i]);
}

static routh_status density(integral *q, double hz, bool parts, routh_error *error)
{
    const double _Complex s = I * RT_TWO_PI * hz;
    const routh_status status = q->t->transfer->evaluate(q->t->transfer, s, q->H, NULL, error);
    if (status) return status;
    rt_spectrum_at(q->t->spectrum, q->t->place, q->n_in, hz, q->S, q->work);
    for (int i = 0; i < q->n_out; i++) {
        response_random_weigh(q, i);
        q->value[i] = response_random_power(q, q->H, i);
        const routh_status negative = response_random_refuse(q, hz, i, q->value[i], error);
        if (negative) return negative;
    }
    for (int k = 0; k < q->n_parts && parts; k++) {
        response_random_part_of(q, q->mode[k], s);
        for (int i = 0; i < q->n_out; i++) {
            response_random_weigh(q, i);
            q->parts[i * q->n_parts + k] = response_random_power(q, q->P, i);
        }
    }
    return ROUTH_OK;
}

/* Both rules on an interval of log f; k_sum, g_sum: n_out. */
static routh_status response_random_rules(integral *q, double a, double b, double *k_sum,
                                          double *g_sum, routh_error *error)
{
    const double middle = (a + b) / 2, half = (b - a) / 2;
    for (int i = 0; i < q->n_out; i++) k_sum[i] = g_sum[i] = 0;
    q->left--;
    for (int n = 0; n < 2 * NODES - 1; n++) {
        const int at = n < NODES ? n : 2 * NODES - 2 - n;
        const double hz = exp(middle + (n < NODES ? -half : half) * node[at]);
        const routh_status status = density(q, hz, false, error);
        if (status) return status;
        for (int i = 0; i < q->n_out; i++) {
            k_sum[i] += half * kronrod[at] * hz * q->value[i];
            g_sum[i] += half * gauss[at] * hz * q->value[i];
        }
    }
    return ROUTH_OK;
}

/* The parts of modes over an interval that is small enough. */
static routh_status response_random_parts(integral *q, double a, double b, routh_error *error)
{
    const double middle = (a + b) / 2, half = (b - a) / 2;
    for (int n = 0; n < 2 * NODES - 1 && q->n_parts; n++) {
        const int at = n < NODES ? n : 2 * NODES - 2 - n;
        const double hz = exp(middle + (n < NODES ? -half : half) * node[at]);
        const routh_status status = density(q, hz, true, error);
        if (status) return status;
        for (int k = 0; k < q->n_out * q->n_parts; k++)
            q->sums[k] += half * kronrod[at] * hz * q->parts[k];
    }
    return ROUTH_OK;
}

/* Adds the interval's integral to the sums where it is good enough or may not be halved. */
static routh_status response_random_interval(integral *q, double a, double b, const double *k_sum,
                                             const double *g_sum, int depth, routh_error *error)
{
    bool good = true;
    for (int i = 0; i < q->n_out; i++) good &= fabs(k_sum[i] - g_sum[i]) <= WANTED * q->size[i];
    if (!good && depth < DEPTH && q->left > 0) {
        double *k_half = q->t->room + (size_t)depth * 2 * (size_t)q->n_out,
               *g_half = k_half + q->n_out;
        routh_status status = ROUTH_OK;
        for (int part = 0; part < 2 && !status; part++) {
            const double from = part ? (a + b) / 2 : a, to = part ? b : (a + b) / 2;
            status = response_random_rules(q, from, to, k_half, g_half, error);
            if (!status)
                status = response_random_interval(q, from, to, k_half, g_half, depth + 1, error);
        }
        return status;
    }
    for (int i = 0; i < q->n_out; i++) {
        q->sum[i] += k_sum[i];
        q->error[i] += fabs(k_sum[i] - g_sum[i]);
    }
    return response_random_parts(q, a, b, error);
}

/* All intervals once, for the size of the whole; then each until it is good. */
static routh_status response_random_integrate(integral *q, const rt_intervals *v,
                                              routh_error *error)
{
    const size_t out = (size_t)q->n_out;
    if (v->n < 2) return ROUTH_OK;
    double *rules = calloc((size_t)v->n * 2 * out + 1, sizeof *rules);
    if (!rules) return rt_fail_memory(error);
    routh_status status = ROUTH_OK;
    q->left = MOST_HALVES + 4L * v->n;
    for (int k = 0; k + 1 < v->n && !status; k++) {
        double *at = rules + (size_t)k * 2 * out;
        status = response_random_rules(q, log(v->hz[k]), log(v->hz[k + 1]), at, at + out, error);
        for (size_t i = 0; i < out; i++) q->size[i] += at[i];
    }
    for (int k = 0; k + 1 < v->n && !status; k++) {
        const double *at = rules + (size_t)k * 2 * out;
        status =
            response_random_interval(q, log(v->hz[k]), log(v->hz[k + 1]), at, at + out, 0, error);
    }
    free(rules);
    return status;
}

static bool response_random_take(integral *q, rt_arena *a)
{
    const size_t in = (size_t)q->n_in, out = (size_t)q->n_out, parts = (size_t)q->n_parts;
    q->H = RT_TAKE(a, double _Complex, in *out);
    q->P = RT_TAKE(a, double _Complex, 2 * in * out);
    q->S = RT_TAKE(a, double _Complex, in *in);
    q->SH = RT_TAKE(a, double _Complex, in);
    q->work = RT_TAKE(a, double, rt_spectrum_work(q->t->spectrum));
    q->value = RT_TAKE(a, double, out);
    q->parts = RT_TAKE(a, double, out *parts);
    q->sum = RT_TAKE(a, double, out);
    q->sums = RT_TAKE(a, double, out *parts);
    q->error = RT_TAKE(a, double, out);
    q->size = RT_TAKE(a, double, out);
    return q->H && q->P && q->S && q->SH && q->work && q->value && q->parts && q->sum && q->sums &&
           q->error && q->size;
}

/* The densities at the grid. */
static routh_status at_grid(integral *q, routh_response *r, rt_arena *arena, routh_error *error)
{
    double *psd = RT_TAKE(arena, double, (size_t)r->n *(size_t)q->n_out);
    if (!psd) return rt_fail_memory(error);
    for (int k = 0; k < r->n; k++) {
        const size_t from = (size_t)k * (size_t)r->n_channels;
        for (int c = 0; c < r->n_channels; c++) q->H[c] = r->re[from + c] + I * r->im[from + c];
        rt_spectrum_at(q->t->spectrum, q->t->place, q->n_in, r->hz[k], q->S, q->work);
        for (int i = 0; i < q->n_out; i++) {
            double *here = &psd[(size_t)k * q->n_out + i];
            response_random_weigh(q, i);
            *here = response_random_power(q, q->H, i);
            const routh_status status = response_random_refuse(q, r->hz[k], i, *here, error);
            if (status) return status;
        }
    }
    r->random->psd = psd;
    return ROUTH_OK;
}

static routh_status response_random_keep(const integral *q, routh_response *r, rt_arena *arena,
                                         routh_error *error)
{
    routh_random *x = r->random;
    x->outputs = RT_TAKE(arena, routh_random_output, q->n_out);
    x->n_shares = q->n_parts;
    x->modes = RT_TAKE(arena, int, q->n_parts);
    if (!x->outputs || !x->modes) return rt_fail_memory(error);
    for (int k = 0; k < q->n_parts; k++) x->modes[k] = q->mode[k];
    for (int i = 0; i < q->n_out; i++) {
        routh_random_output *o = &x->outputs[i];
        o->mean_square = q->sum[i];
        o->rms = sqrt(fmax(0, q->sum[i]));
        o->error = q->error[i];
        o->shares = RT_TAKE(arena, double, q->n_parts);
        if (!o->shares) return rt_fail_memory(error);
        for (int k = 0; k < q->n_parts && q->sum[i] > 0; k++)
            o->shares[k] = q->sums[i * q->n_parts + k] / q->sum[i];
    }
    return ROUTH_OK;
}

/* One of each pair, zeros left out. */
static int *response_random_choose_modes(const rt_random_task *t, int *n, rt_arena *arena)
{
    int *mode = RT_TAKE(arena, int, t->modal ? t->modal->n : 0);
    *n = 0;
    for (int k = t->modal ? t->modal->n_zero : 0; mode && t->modal && k < t->modal->n; k++)
        if (t->modes->modes[k].conjugate >= k) mode[(*n)++] = k;
    return mode;
}

routh_status rt_random_compute(rt_random_task *t, routh_response *r, rt_arena *arena,
                               rt_arena *scratch, routh_error *error)
{
    integral q = {.t = t, .n_in = r->n_inputs, .n_out = r->n_outputs, .names = r->outputs};
    r->random = RT_TAKE(arena, routh_random, 1);
    q.mode = response_random_choose_modes(t, &q.n_parts, scratch);
    t->room = RT_TAKE(scratch, double, DEPTH * 2 * (size_t)q.n_out);
    if (!r->random || !q.mode || !t->room || !response_random_take(&q, scratch))
        return rt_fail_memory(error);
    routh_status status = at_grid(&q, r, arena, error);
    rt_intervals intervals = {0};
    if (!status) status = rt_intervals_find(t, r, q.work, scratch, &intervals, error);
    if (!status) status = response_random_integrate(&q, &intervals, error);
    rt_intervals_free(&intervals);
    return status ? status : response_random_keep(&q, r, arena, error);
}
