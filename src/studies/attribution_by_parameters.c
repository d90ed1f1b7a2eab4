/* lambda_B - lambda_A by parameters: the integral of exact derivatives along the straight line. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include <math.h>
#include <stdlib.h>

#include "base/pi.h"
#include "studies/attribution_compare.h"

enum { MOST_NODES = 16 };

/* Legendre's roots and weights on 0 to 1, by Newton's method from Tricomi's estimate. */
static void gauss(int n, double *t, double *weight)
{
    for (int k = 0; k < n; k++) {
        double x = cos(RT_PI * (k + 0.75) / (n + 0.5)), slope = 1;
        for (int pass = 0; pass < 50; pass++) {
            double last = 0, p = 1;
            for (int m = 1; m <= n; m++) {
                const double next = ((2 * m - 1) * x * p - (m - 1) * last) / m;
                last = p, p = next;
            }
            slope = n * (last - x * p) / (1 - x * x);
            x -= p / slope;
            if (fabs(p / slope) < 1e-16) break;
        }
        t[n - 1 - k] = (1 + x) / 2;
        weight[n - 1 - k] = 1 / ((1 - x * x) * slope * slope);
    }
}

static const routh_model *model_of(const routh_compared *x) { return x->mechanism->model; }

static int attribution_by_parameters_find_parameter(const routh_model *model, const char *name)
{
    for (int k = 0; k < model->n_parameters; k++)
        if (strcmp(model->parameters[k].name, name) == 0) return k;
    return -1;
}

static routh_status attribution_by_parameters_take(routh_comparison *c, const routh_compared *a,
                                                   const routh_compared *b,
                                                   const char *const *names, routh_error *error)
{
    const routh_compared *of[2] = {a, b};
    int n = 0;
    while (names[n]) n++;
    const size_t all = (size_t)n * (size_t)c->n_pairs + 1;
    c->parameters = calloc((size_t)n + 1, sizeof *c->parameters);
    c->by_parameter = calloc(all, sizeof *c->by_parameter);
    for (int k = 0; k < 2; k++) c->values[k] = calloc((size_t)n + 1, sizeof *c->values[k]);
    if (!c->parameters || !c->by_parameter || !c->values[0] || !c->values[1])
        return rt_fail_memory(error);
    for (int p = 0; p < n; p++) {
        for (int k = 0; k < 2; k++) {
            const int at = attribution_by_parameters_find_parameter(model_of(of[k]), names[p]);
            if (at < 0)
                return rt_fail(error, ROUTH_BAD_ARGUMENT, "the model has no parameter '%.80s'",
                               names[p]);
            c->values[k][p] = model_of(of[k])->parameters[at].number.value;
        }
        c->parameters[p] = strdup(names[p]);
        if (!c->parameters[p]) return rt_fail_memory(error);
        c->n_parameters++;
    }
    return ROUTH_OK;
}

static void attribution_by_parameters_drop(routh_comparison *c)
{
    for (int p = 0; c->parameters && p < c->n_parameters; p++) free(c->parameters[p]);
    for (int k = 0; k < 2; k++) free(c->values[k]), c->values[k] = NULL;
    free(c->parameters), free(c->by_parameter);
    c->parameters = NULL, c->by_parameter = NULL;
    c->n_parameters = 0;
}

/* Which mode of `to` each of the pairs, at modes[] of `from`, goes on as; -1: none. */
static routh_status attribution_by_parameters_follow(const routh_comparison *c,
                                                     const routh_compared *from,
                                                     const routh_compared *to, int *modes,
                                                     routh_error *error)
{
    rt_comparing q;
    const routh_status status = rt_comparing_create(&q, from, to, error);
    for (int k = 0; k < c->n_pairs && !status; k++) {
        int next = -1;
        for (int i = 0; i < q.side[0].spectrum.n; i++)
            if (modes[k] >= 0 && q.mode[0][i] == modes[k] && q.pairing.partner[i] >= 0)
                next = q.mode[1][q.pairing.partner[i]];
        modes[k] = next;
    }
    rt_comparing_release(&q);
    return status;
}

static routh_status add_node(routh_comparison *c, const routh_compared *there,
                             const char *const *names, double weight, const int *modes,
                             double _Complex *sums, routh_error *error)
{
    routh_sensitivity *s;
    routh_sensitivity_options o = routh_sensitivity_defaults();
    o.parameters = names;
    o.reference = there->linear->reference;
    const routh_status status =
        routh_sensitivity_compute(&s, there->mechanism, there->point, there->modes, &o, error);
    if (status) return status;
    for (int k = 0; k < c->n_pairs; k++)
        for (int p = 0; p < c->n_parameters; p++) {
            const double none[2] = {(double)NAN, (double)NAN};
            const double *by =
                modes[k] < 0 ? none
                             : s->eigenvalue_by[(size_t)p * (size_t)s->n_modes + (size_t)modes[k]];
            sums[(size_t)k * (size_t)c->n_parameters + (size_t)p] +=
                weight * (c->values[1][p] - c->values[0][p]) * (by[0] + I * by[1]);
        }
    routh_sensitivity_free(s);
    return ROUTH_OK;
}

/* Where the way did not end at the pair's second mode, another mode was followed. */
static void attribution_by_parameters_put_all(routh_comparison *c, const int *modes,
                                              const double _Complex *sums)
{
    for (int k = 0; k < c->n_pairs; k++) {
        routh_mode_pair *pair = &c->pairs[k];
        const double _Complex a = pair->eigenvalue[0][0] + I * pair->eigenvalue[0][1],
                              b = pair->eigenvalue[1][0] + I * pair->eigenvalue[1][1];
        double _Complex left = b - a;
        double size = cabs(a);
        for (int p = 0; p < c->n_parameters; p++) {
            const size_t at = (size_t)k * (size_t)c->n_parameters + (size_t)p;
            const double _Complex d = modes[k] == pair->mode[1] ? sums[at] : (double)NAN;
            rt_shift_put(&c->by_parameter[at], a, b, d);
            left -= d, size += cabs(d);
        }
        pair->parameters_left = cabs(left) / size;
    }
}

static routh_status attribution_by_parameters_walk(routh_comparison *c, const routh_compared *a,
                                                   const routh_compared *b,
                                                   const routh_compare_path *path,
                                                   const char *const *names, int n_nodes,
                                                   int *modes, double _Complex *sums,
                                                   routh_error *error)
{
    double t[MOST_NODES], weight[MOST_NODES];
    routh_compared last = *a, there;
    routh_status status = ROUTH_OK;
    gauss(n_nodes, t, weight);
    for (int k = 0; k < c->n_pairs; k++) modes[k] = c->pairs[k].mode[0];
    for (int k = 0; k < n_nodes && !status; k++) {
        status = path->at(path->context, t[k], &there, error);
        if (!status) status = attribution_by_parameters_follow(c, &last, &there, modes, error);
        if (!status) status = add_node(c, &there, names, weight[k], modes, sums, error);
        last = there;
    }
    return status ? status : attribution_by_parameters_follow(c, &last, b, modes, error);
}

routh_status routh_comparison_by_parameters(routh_comparison *c, const routh_compared *a,
                                            const routh_compared *b, const routh_compare_path *path,
                                            const char *const *names, int n_nodes,
                                            routh_error *error)
{
    rt_arena arena = {0};
    if (n_nodes < 1 || n_nodes > MOST_NODES || c->n_parameters > 0)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "parts by parameters take 1 to %d places, and are found once", MOST_NODES);
    routh_status status = attribution_by_parameters_take(c, a, b, names, error);
    int *modes = RT_TAKE(&arena, int, c->n_pairs);
    double _Complex *sums =
        RT_TAKE(&arena, double _Complex, (size_t)c->n_pairs *(size_t)c->n_parameters);
    if (!status && (!modes || !sums)) status = rt_fail_memory(error);
    if (!status)
        status = attribution_by_parameters_walk(c, a, b, path, names, n_nodes, modes, sums, error);
    if (!status) attribution_by_parameters_put_all(c, modes, sums);
    if (!status)
        c->n_nodes = n_nodes;
    else
        attribution_by_parameters_drop(c);
    rt_arena_free(&arena);
    return status;
}
