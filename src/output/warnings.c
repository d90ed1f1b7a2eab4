/* The warnings of all results together. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "output/results.h"

static bool warnings_told(const routh_operating_point *point, const char *warning)
{
    for (int i = 0; point && i < point->n_warnings; i++)
        if (strcmp(point->warnings[i], warning) == 0) return true;
    return false;
}

/* A model that was saved brings the warnings of that time. */
static bool brought(const routh_linear *linear, const char *warning)
{
    for (int i = 0; i < linear->n_warnings; i++)
        if (strcmp(linear->warnings[i], warning) == 0) return true;
    return false;
}

static void not_steady(const routh_results *results, void (*tell)(void *, const char *),
                       void *context)
{
    char text[RT_WARNING_SIZE];
    if (!results->linear || results->linear->at_rest || results->linear->steady) return;
    char change[128] = "";
    const double drift = results->linear->drift;
    if (drift > 0 && isfinite(drift)) { /* what was not looked at is not told */
        char size[RT_NUMBER_SIZE];
        rt_number_text(size, drift < 1 ? 100 * drift : drift, 2);
        snprintf(change, sizeof change, "; A changes by %s%s per radian of the fastest motion",
                 size, drift < 1 ? " %" : " times its size");
    }
    snprintf(text, sizeof text,
             "the operating point is %s (equilibrium residual %.2g of the largest single force): "
             "%s%s",
             rt_results_state(results), results->linear->residual, rt_results_meaning(results),
             change);
    if (!brought(results->linear, text)) tell(context, text);
}

/* An eigenvalue whose condition number is not finite has no full set of vectors: its digits halve.
 */
static void defective(const routh_modes *modes, void (*tell)(void *, const char *), void *context)
{
    char text[RT_WARNING_SIZE];
    if (!modes || modes->wanted.n_regions) return; /* condition numbers are not known then */
    for (int i = 0; i < modes->n; i++) {
        const routh_mode *mode = &modes->modes[i];
        if (isfinite(mode->condition) && isfinite(mode->error_bound)) continue;
        snprintf(text, sizeof text,
                 "eigenvalue %.6g%+.6gi is defective: it has no finite condition number and may be "
                 "wrong by far "
                 "more than rounding",
                 mode->eigenvalue[0], mode->eigenvalue[1]);
        tell(context, text);
        return;
    }
}

/* Bounds are as large as what they are of: slow modes may be among the zeros, and zeros among slow
 * modes. */
static void bounds_in_doubt(const routh_modes *modes, void (*tell)(void *, const char *),
                            void *context)
{
    char text[RT_WARNING_SIZE];
    double least = INFINITY, bound = 0, of_zeros = 0;
    for (int i = 0; i < modes->n; i++) {
        const routh_mode *mode = &modes->modes[i];
        const double size = hypot(mode->eigenvalue[0], mode->eigenvalue[1]);
        if (mode->rigid) of_zeros = fmax(of_zeros, mode->error_bound);
        if (!mode->rigid && size < least) least = size, bound = mode->error_bound;
    }
    snprintf(text, sizeof text,
             "the number of zero eigenvalues, %d, is in doubt: these are known to %.2g 1/s only, "
             "and the smallest other eigenvalue, %.2g 1/s, to %.2g 1/s. Make the stiffest parts "
             "less stiff, or replace them by joints",
             modes->n_zero, of_zeros, least, bound);
    tell(context, text);
}

/* Slow modes beside very stiff parts may be taken for rigid-body modes. */
static void zeros_in_doubt(const routh_modes *modes, void (*tell)(void *, const char *),
                           void *context)
{
    char text[RT_WARNING_SIZE];
    if (!routh_modes_in_doubt(modes)) return;
    if (modes->n_zero == 0 || modes->zero_margin <= modes->zero_margin_sure) {
        bounds_in_doubt(modes, tell, context);
        return;
    }
    snprintf(
        text, sizeof text,
        "the number of zero eigenvalues, %d, is in doubt: the largest singular value that was "
        "taken as zero is %.2g of the smallest that was not; slow modes may be among them, and "
        "other eigenvalues may be off. Make the stiffest parts less stiff, or replace them by "
        "joints",
        modes->n_zero, modes->zero_margin);
    tell(context, text);
}

void rt_results_warnings(const routh_results *results,
                         void (*tell)(void *context, const char *warning), void *context)
{
    const routh_operating_point *point = results->point;
    const routh_linear *linear = results->linear;
    for (int i = 0; point && i < point->n_warnings; i++) tell(context, point->warnings[i]);
    for (int i = 0; linear && i < linear->n_warnings; i++)
        if (!warnings_told(point, linear->warnings[i])) tell(context, linear->warnings[i]);
    not_steady(results, tell, context);
    defective(results->modes, tell, context);
    zeros_in_doubt(results->modes, tell, context);
}

static void add_warning_line(void *context, const char *warning)
{
    rt_text_append(context, "%s\n", warning);
}

routh_status routh_results_warnings(const routh_results *results, routh_text *text,
                                    routh_error *error)
{
    rt_text out = {0};
    if (!results || !text || (!results->point && !results->linear))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the warnings of results need the operating point or the linear model");
    rt_results_warnings(results, add_warning_line, &out);
    return rt_results_hand_over(&out, text, error);
}
