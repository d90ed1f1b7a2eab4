/* The public verification: its parts in order, and the object that is given back. */
#include "studies/confirm.h"
#include "operating/massless.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a step's local error, of the amplitude. */
static const double relative_tolerance = 1e-8;
enum { COARSE = 2 };

routh_verification_options routh_verification_defaults(void)
{
    return (routh_verification_options){.seed = 1};
}

const char *routh_verification_verdict_name(routh_verification_verdict verdict)
{
    static const char *const names[] = {"confirmed", "not seen", "contradicted"};
    return (size_t)verdict < sizeof names / sizeof *names ? names[verdict] : "";
}

void routh_verification_free(routh_verification *verification)
{
    if (!verification) return;
    rt_confirm_holder *h = (rt_confirm_holder *)(void *)verification;
    rt_arena_free(&h->arena);
    free(h);
}

static routh_status confirm_check_options(const routh_verification_options *o, routh_error *error)
{
    if (!(o->below >= 0) || !isfinite(o->below))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the frequency limit of the simulation is %.9g Hz, but it must be positive "
                       "(--below)",
                       o->below);
    if (o->duration >= 0 && isfinite(o->duration) && o->amplitude >= 0 && o->amplitude <= 0.5)
        return ROUTH_OK;
    return rt_fail(error, ROUTH_BAD_ARGUMENT,
                   "the duration is %.9g s and the amplitude %.9g, but the duration must be "
                   "positive (--duration) and the amplitude at most 0.5 typical lengths or radians "
                   "(--amplitude)",
                   o->duration, o->amplitude);
}

/* ---- the integrator ------------------------------------------------------------------------- */

/* Of those this build has, the most exact first; the last one is always there, and takes steps as
 * long as the modes that take part allow, however fast others are. */
static const char *choose_integrator(const rt_confirm_holder *h)
{
    static const char *const wanted[] = {"adams", "explicit-runge-kutta", "generalized-alpha"};
    if (h->options.integrator) return h->options.integrator;
    for (size_t k = 0; k < 2 && isinf(h->band); k++)
        for (int i = 0; routh_integrator_name(i); i++)
            if (strcmp(routh_integrator_name(i), wanted[k]) == 0 && routh_integrator_available(i))
                return routh_integrator_name(i);
    return wanted[2];
}

/* Those of second order take fixed steps, an even part of a sample: then the error of all runs is
 * the same function of the amplitude. */
static bool has_fixed_steps(const rt_integrator *integrator)
{
    return integrator == &rt_hht || integrator == &rt_generalized_alpha;
}

/* Ends the step's simulation, and with it the whole. */
static int ask(void *asked, const routh_progress *report)
{
    (void)report;
    return rt_progress_within(asked, 0, 0);
}

/* coarse: 1, or larger for a coarser integration */
static void set_integration(rt_confirm_holder *h, rt_experiment *e, const rt_integrator *integrator,
                            int coarse)
{
    enum { PARTS = 16, BAND_PARTS = 4 };
    const int parts = isinf(h->band) ? PARTS : BAND_PARTS;
    static const double least = 1e-13, radius = 0.95, alpha = -0.02;
    e->simulate = routh_simulation_defaults();
    e->simulate.on_step = ask;
    e->simulate.data = &h->progress;
    e->simulate.integrator = integrator->name;
    e->simulate.tolerance = fmax(relative_tolerance * e->amplitude * coarse, least);
    /* no step passes over what is sampled, however still the motion is */
    e->simulate.largest_step = 4 * h->result.step;
    if (!has_fixed_steps(integrator)) return;
    /* as little dissipation as keeps the joint forces from ringing */
    e->simulate.dissipation = integrator == &rt_hht ? alpha : radius;
    e->simulate.step = h->result.step / parts * coarse;
    if (coarse == 1) h->result.fixed_step = e->simulate.step;
}

/* ---- the experiments ------------------------------------------------------------------------ */

/* The largest change of the response over the amplitude from the first to the second. */
static double confirm_change(const rt_confirm_holder *h, const rt_experiment *a,
                             const rt_experiment *b)
{
    const routh_verification *c = &h->result;
    const size_t n = (size_t)(c->n_runs * c->n_channels) * (size_t)c->n_samples;
    double largest = 0;
    for (size_t k = 0; k < n; k++)
        largest = fmax(largest, fabs(b->y[k] * (a->amplitude / b->amplitude) - a->y[k]));
    return largest;
}

/* The first, and that of twice the amplitude. Where the tolerance controls the steps, the second is
 * integrated to a coarser one too; with fixed steps a third one is, of twice the step. */
static routh_status at_amplitude(rt_confirm_holder *h, double amplitude,
                                 const rt_integrator *integrator, rt_experiment *e,
                                 routh_error *error)
{
    routh_verification *c = &h->result;
    for (int k = 0; k < 2; k++) {
        e[k].amplitude = amplitude * (k + 1);
        h->progress.all += c->n_runs * c->n_samples;
        set_integration(h, &e[k], integrator, k && !has_fixed_steps(integrator) ? COARSE : 1);
        const routh_status status = rt_confirm_simulate(h, &e[k], error);
        if (status) return status;
    }
    if (has_fixed_steps(integrator)) {
        e[2].amplitude = amplitude;
        h->progress.all += c->n_runs * c->n_samples;
        set_integration(h, &e[2], integrator, COARSE);
        const routh_status status = rt_confirm_simulate(h, &e[2], error);
        if (status) return status;
    }
    c->amplitude = amplitude;
    c->even = e->size > 0 ? e->even / e->size : 0;
    c->odd = e->size > 0 ? confirm_change(h, &e[0], &e[1]) / e->size : 0;
    return ROUTH_OK;
}

/* With less where the response is not linear enough, unless the amplitude was asked for; or, of
 * slow modes, where the start disturbs fast ones more than long steps can bear, which goes with the
 * square of the amplitude. */
static routh_status experiments(rt_confirm_holder *h, rt_experiment *e, int *n, routh_error *error)
{
    static const double usual = 1e-3, linear_enough = 1e-3;
    const rt_integrator *integrator;
    routh_status status = rt_integrator_find(choose_integrator(h), &integrator, error);
    if (status) return status;
    h->result.integrator = integrator->name;
    h->result.tolerance = has_fixed_steps(integrator) ? NAN : relative_tolerance;
    double amplitude = h->options.amplitude > 0 ? h->options.amplitude : usual;
    *n = has_fixed_steps(integrator) ? 3 : 2;
    for (;; amplitude /= 10) {
        status = at_amplitude(h, amplitude, integrator, e, error);
        if (status == ROUTH_NUMERIC_ERROR && isfinite(h->band) && !(h->options.amplitude > 0) &&
            amplitude > usual / 500)
            continue;
        if (status || h->options.amplitude > 0 || h->result.odd <= linear_enough ||
            amplitude < usual / 50)
            break;
    }
    return status;
}

static routh_status confirm_run(rt_confirm_holder *h, routh_error *error)
{
    rt_experiment e[RT_EXPERIMENTS] = {0};
    int n;
    routh_status status = confirm_check_options(&h->options, error);
    if (!status && h->linear->n_states == 0) return ROUTH_OK;
    if (!status) status = rt_confirm_channels(h, error);
    if (!status) status = rt_confirm_plan(h, error);
    if (!status) status = experiments(h, e, &n, error);
    return status ? status : rt_confirm_judge(h, e, n, error);
}

routh_status routh_verification_run(routh_verification **verification, const routh_mechanism *m,
                                    const routh_operating_point *point, const routh_linear *linear,
                                    const routh_modes *modes,
                                    const routh_verification_options *options, routh_error *error)
{
    *verification = NULL;
    const routh_status refused =
        rt_refuse_massless_point(m, point, "a verification by simulation", error);
    if (refused) return refused;
    rt_confirm_holder *h = calloc(1, sizeof *h);
    if (!h) return rt_fail_memory(error);
    h->m = m;
    h->point = point;
    h->linear = linear;
    h->modes = modes;
    h->options = options ? *options : routh_verification_defaults();
    h->progress.on_progress = h->options.on_progress;
    h->progress.data = h->options.data;
    const routh_status status = rt_progress_end(&h->progress, confirm_run(h, error), error);
    if (status) {
        routh_verification_free(&h->result);
        return status;
    }
    *verification = &h->result;
    return ROUTH_OK;
}
