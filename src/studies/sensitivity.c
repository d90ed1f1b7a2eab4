/* Derivatives of eigenvalues by parameters: the steps, and the object that is given back. */
#include "routh/sensitivity.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/pi.h"
#include "operating/massless.h"
#include "studies/sensitivity_bundle.h"
#include "studies/sensitivity_job.h"

routh_sensitivity_options routh_sensitivity_defaults(void)
{
    return (routh_sensitivity_options){0};
}

void routh_sensitivity_free(routh_sensitivity *s)
{
    if (!s) return;
    rt_job_free_taken(s->parameters, s->values, s->warnings, s->n_warnings);
    free(s->labels);
    free(s->number);
    free(s->eigenvalues);
    free(s->multiplicity);
    free(s->eigenvalue_by);
    free(s->frequency_by);
    free(s->damping_by);
    free(s->frequency_effect);
    free(s->damping_effect);
    free(s);
}

/* The work on one object. */
typedef struct sensitivity_job {
    routh_sensitivity *out;
    rt_sensitivity_job job;
    rt_pencil_spectrum spectrum;
    rt_bundle bundle;
    int *of_mode;        /* which of the spectrum's a mode is; -1: rigid, or none */
    double _Complex *by; /* of the spectrum's eigenvalues, by one parameter */
    double *rounding;
} sensitivity_job;

/* ---- modes ---------------------------------------------------------------------------------- */

/* Each mode that is not rigid with the nearest eigenvalue of the pencil that is free. */
static routh_status match_modes(sensitivity_job *j, const routh_modes *modes, routh_error *error)
{
    const rt_pencil_spectrum *s = &j->spectrum;
    bool *taken = RT_TAKE(&j->job.arena, bool, s->n);
    j->of_mode = RT_TAKE(&j->job.arena, int, modes->n);
    j->by = RT_TAKE(&j->job.arena, double _Complex, s->n);
    j->rounding = RT_TAKE(&j->job.arena, double, s->n);
    if (!taken || !j->of_mode || !j->by || !j->rounding) return rt_fail_memory(error);
    for (int i = 0; i < modes->n; i++) j->of_mode[i] = -1;
    for (int i = 0; i < modes->n; i++) {
        const routh_mode *mode = &modes->modes[i];
        const double _Complex value = mode->eigenvalue[0] + I * mode->eigenvalue[1];
        int best = -1;
        if (mode->rigid || mode->eigenvalue[1] < 0) continue;
        for (int k = 0; k < s->n; k++)
            if (!taken[k] && (best < 0 || cabs(s->value[k] - value) < cabs(s->value[best] - value)))
                best = k;
        if (best < 0 || cabs(s->value[best] - value) > 1e-5 * cabs(value) + 10 * mode->error_bound)
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "mode %d, %.6g%+.6gi, is not an eigenvalue of this mechanism at this "
                           "operating point; give the modes that belong to it",
                           i + 1, mode->eigenvalue[0], mode->eigenvalue[1]);
        taken[best] = true;
        j->of_mode[i] = best;
    }
    return ROUTH_OK;
}

static bool sensitivity_take_arrays(routh_sensitivity *s)
{
    const size_t n = (size_t)s->n_modes, all = n * (size_t)s->n_parameters + 1;
    s->number = calloc(n + 1, sizeof *s->number);
    s->eigenvalues = calloc(n + 1, sizeof *s->eigenvalues);
    s->multiplicity = calloc(n + 1, sizeof *s->multiplicity);
    s->eigenvalue_by = calloc(all, sizeof *s->eigenvalue_by);
    s->frequency_by = calloc(all, sizeof(double));
    s->damping_by = calloc(all, sizeof(double));
    s->frequency_effect = calloc(all, sizeof(double));
    s->damping_effect = calloc(all, sizeof(double));
    return s->number && s->eigenvalues && s->multiplicity && s->eigenvalue_by && s->frequency_by &&
           s->damping_by && s->frequency_effect && s->damping_effect;
}

/* Below this |w^H v| of unit vectors an eigenvalue is taken for defective. */
static const double defective = 1e-7;

static bool sensitivity_is_listed(const routh_sensitivity_options *o, int number)
{
    for (int k = 0; k < o->n_numbers; k++)
        if (o->numbers[k] == number) return true;
    return o->n_numbers == 0;
}

/* A pair counts once, by the one with im > 0. */
static routh_status number_modes(routh_sensitivity *s, const routh_modes *modes,
                                 const routh_sensitivity_options *o, routh_error *error)
{
    int n = 0;
    for (int i = 0; i < modes->n; i++) {
        const routh_mode *mode = &modes->modes[i];
        if (mode->eigenvalue[1] < 0 && mode->conjugate != i) continue;
        n++;
        s->number[i] = sensitivity_is_listed(o, n) ? n : 0;
    }
    for (int k = 0; k < o->n_numbers; k++)
        if (o->numbers[k] < 1 || o->numbers[k] > n)
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "mode %d does not exist; give a number from "
                           "1 to %d (--modes)",
                           o->numbers[k], n);
    return ROUTH_OK;
}

static routh_status sensitivity_take_modes(sensitivity_job *j, const routh_modes *modes,
                                           const routh_sensitivity_options *o, routh_error *error)
{
    routh_sensitivity *s = j->out;
    s->n_modes = modes->n;
    if (!sensitivity_take_arrays(s)) return rt_fail_memory(error);
    const routh_status numbered = number_modes(s, modes, o, error);
    if (numbered) return numbered;
    for (int i = 0; i < modes->n; i++) {
        const int k = j->of_mode[i];
        memcpy(s->eigenvalues[i], modes->modes[i].eigenvalue, sizeof s->eigenvalues[i]);
        const int of_pair = j->of_mode[k < 0 ? modes->modes[i].conjugate : i];
        s->multiplicity[i] =
            of_pair < 0 ? modes->modes[i].multiplicity : j->spectrum.cluster[of_pair];
        if (k < 0 || j->spectrum.condition[k] >= defective) continue;
        const routh_status status = rt_job_warn(
            &j->job, error,
            "the eigenvalue of mode %d is so nearly defective that it has no derivative", i + 1);
        if (status) return status;
    }
    return ROUTH_OK;
}

/* What rounding alone could have made is zero. */
static double sensitivity_beyond(double x, double rounding) { return fabs(x) <= rounding ? 0 : x; }

/* With s = |lambda|: ds = Re(conj(lambda) dlambda) / s, zeta = -Re lambda / s. rounding: of
 * dlambda; own: the eigenvalue's, an effect that is less is none. */
static void sensitivity_put(routh_sensitivity *s, int p, int i, double _Complex by, double rounding,
                            double own)
{
    const size_t at = (size_t)p * (size_t)s->n_modes + (size_t)i;
    const double re = s->eigenvalues[i][0], im = s->eigenvalues[i][1], size = hypot(re, im);
    const double of_sum = rounding + 4 * DBL_EPSILON * cabs(by), value = s->values[p];
    const double along = sensitivity_beyond((re * creal(by) + im * cimag(by)) / size, of_sum);
    s->eigenvalue_by[at][0] = sensitivity_beyond(creal(by), rounding);
    s->eigenvalue_by[at][1] = sensitivity_beyond(cimag(by), rounding);
    s->frequency_by[at] = along / RT_TWO_PI;
    s->damping_by[at] =
        sensitivity_beyond((-creal(by) + re * along / size) / size, 2 * of_sum / size);
    s->frequency_effect[at] = sensitivity_beyond(value * along / size, own / size);
    s->damping_effect[at] = sensitivity_beyond(value * s->damping_by[at], 2 * own / size);
}

static void sensitivity_put_all(const sensitivity_job *j, const routh_modes *modes, int p)
{
    const double _Complex none = (double)NAN + I * (double)NAN;
    for (int i = 0; i < modes->n; i++) {
        const int partner = modes->modes[i].conjugate;
        const bool mirrored = j->of_mode[i] < 0 && partner != i && j->of_mode[partner] >= 0;
        const int k = j->of_mode[mirrored ? partner : i];
        const double _Complex by = k < 0 || j->spectrum.condition[k] < defective ? none : j->by[k];
        sensitivity_put(j->out, p, i, mirrored ? conj(by) : by, k < 0 ? 0 : j->rounding[k],
                        modes->modes[i].error_bound);
    }
}

/* By n parameters from the first on. */
static routh_status find_some(sensitivity_job *j, const routh_modes *modes, int first, int n,
                              routh_error *error)
{
    rt_varied_rows_clear(&j->bundle.rows);
    routh_status status = rt_job_vary_some(&j->job, first, n, &j->bundle.rows, error);
    if (status) return status;
    rt_bundle_contract(&j->bundle, n);
    for (int p = 0; p < n && !status; p++) {
        status = rt_bundle_read(&j->bundle, p, j->by, j->rounding, error);
        if (!status) sensitivity_put_all(j, modes, first + p);
    }
    return status;
}

static routh_status find_derivatives(sensitivity_job *j, const routh_modes *modes,
                                     routh_error *error)
{
    const int all = j->out->n_parameters;
    routh_status status = rt_bundle_create(&j->bundle, &j->spectrum, all, &j->job.arena, error);
    for (int p = 0; p < all && !status; p += j->bundle.room)
        status = find_some(j, modes, p, all - p < j->bundle.room ? all - p : j->bundle.room, error);
    return status;
}

static routh_status take_parameters(sensitivity_job *j, routh_error *error)
{
    routh_sensitivity *s = j->out;
    s->n_parameters = j->job.n_parameters;
    s->parameters = j->job.names, s->values = j->job.values;
    j->job.names = NULL, j->job.values = NULL;
    s->labels = calloc((size_t)s->n_parameters + 1, sizeof *s->labels);
    if (!s->labels) return rt_fail_memory(error);
    const rt_parameter *p = j->job.m->model->parameters;
    for (int k = 0; k < s->n_parameters; k++) s->labels[k] = p[j->job.parameter[k]].label;
    return ROUTH_OK;
}

static routh_status sensitivity_compute(sensitivity_job *j, const routh_mechanism *mechanism,
                                        const routh_operating_point *point,
                                        const routh_modes *modes,
                                        const routh_sensitivity_options *options,
                                        routh_error *error)
{
    rt_sensitivity_job *all = &j->job;
    routh_status status =
        rt_job_begin(all, mechanism, point, options->states, options->reference, error);
    if (!status) status = rt_spectrum_create(&j->spectrum, &all->pencil, &all->arena, error);
    if (!status) status = match_modes(j, modes, error);
    if (!status) status = rt_job_choose(all, options->parameters, error);
    if (!status) status = take_parameters(j, error);
    if (!status) status = sensitivity_take_modes(j, modes, options, error);
    if (!status) status = find_derivatives(j, modes, error);
    j->out->n_warnings = all->n_warnings, j->out->warnings = all->warnings;
    all->n_warnings = 0, all->warnings = NULL;
    return status;
}

routh_status routh_sensitivity_compute(routh_sensitivity **sensitivities,
                                       const routh_mechanism *mechanism,
                                       const routh_operating_point *point, const routh_modes *modes,
                                       const routh_sensitivity_options *options, routh_error *error)
{
    *sensitivities = NULL;
    if (!mechanism || !point)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "sensitivities need the mechanism and its operating point; a linear model "
                       "alone has no parameters");
    const routh_status refused = rt_refuse_massless_point(mechanism, point, "a sensitivity", error);
    if (refused) return refused;
    const routh_sensitivity_options o = options ? *options : routh_sensitivity_defaults();
    sensitivity_job j = {.out = calloc(1, sizeof *j.out)};
    if (!j.out) return rt_fail_memory(error);
    const routh_status status = sensitivity_compute(&j, mechanism, point, modes, &o, error);
    rt_job_release(&j.job);
    if (status) {
        routh_sensitivity_free(j.out);
        return status;
    }
    *sensitivities = j.out;
    return ROUTH_OK;
}
