/* A boundary of stability of periodic motions, for the terminal and as JSON
 * (docs/reference/json.md). */
#include <math.h>

#include "base/number.h"
#include "output/heading.h"

static const char *crossing_name(routh_crossing crossing)
{
    return crossing == ROUTH_CROSSING_ONE         ? "one"
           : crossing == ROUTH_CROSSING_MINUS_ONE ? "minus-one"
                                                  : "circle";
}

static const char *crossing_words(routh_crossing crossing)
{
    return crossing == ROUTH_CROSSING_ONE         ? "mu = 1: det(Y - I) changes its sign"
           : crossing == ROUTH_CROSSING_MINUS_ONE ? "mu = -1, the period doubles: det(Y + I) "
                                                    "changes its sign"
                                                  : "a pair on the unit circle, or mu_i mu_j = 1: "
                                                    "the product of mu_i mu_j - 1 changes its sign";
}

static const char *boundary_verdict(int stable)
{
    return stable == 1 ? "stable" : stable == 0 ? "unstable" : "neither beyond rounding";
}

static routh_status boundary_check(const routh_boundary *b, const routh_boundary_options *o,
                                   routh_text *text, routh_error *error)
{
    *text = (routh_text){0};
    return b && o && o->parameter
               ? ROUTH_OK
               : rt_fail(error, ROUTH_BAD_ARGUMENT,
                         "a boundary and the options that it was found with are needed");
}

routh_status routh_boundary_table(const routh_boundary *b, const routh_boundary_options *o,
                                  routh_text *text, routh_error *error)
{
    char x[RT_NUMBER_SIZE], y[RT_NUMBER_SIZE], size[RT_NUMBER_SIZE];
    const routh_status status = boundary_check(b, o, text, error);
    if (status) return status;
    rt_text out = {0};
    rt_number_text(x, b->value, 14);
    rt_number_text(y, b->width, 2);
    rt_heading_line(&out, "boundary", "%s = %s, held within %s", o->parameter, x, y);
    rt_heading_line(&out, "crossing", "%s", crossing_words(b->crossing));
    rt_number_text(x, b->multiplier[0], 10);
    rt_number_text(y, b->multiplier[1], 10);
    rt_heading_line(&out, "multiplier", b->multiplier[1] != 0 ? "%s +- %si" : "%s", x, y);
    rt_number_text(x, b->period, 10);
    rt_heading_line(&out, "period", "%s s", x);
    for (int k = 0; k < 2; k++) {
        rt_number_text(x, k ? o->to : o->from, 10);
        rt_number_text(size, b->largest[k], 10);
        rt_heading_line(&out, k ? "and at" : "stability at",
                        "%s: %s, the largest multiplier has the modulus %s", x,
                        boundary_verdict(b->stable[k]), size);
    }
    rt_heading_line(&out, "searched", "%d models", b->evaluations);
    return rt_results_hand_over(&out, text, error);
}

routh_status routh_boundary_json(const routh_boundary *b, const routh_boundary_options *o,
                                 routh_text *text, routh_error *error)
{
    routh_status status = boundary_check(b, o, text, error);
    if (status) return status;
    rt_json json = {0};
    rt_json_object(&json, NULL);
    rt_json_string(&json, "parameter", o->parameter);
    rt_json_real(&json, "value", b->value);
    rt_json_real(&json, "width", b->width);
    rt_json_string(&json, "crossing", crossing_name(b->crossing));
    rt_json_reals(&json, "multiplier", b->multiplier, 2);
    rt_json_real(&json, "period", b->period);
    rt_json_int(&json, "models", b->evaluations);
    rt_json_array(&json, "ends");
    for (int k = 0; k < 2; k++) {
        rt_json_flat_object(&json, NULL);
        rt_json_real(&json, "value", k ? o->to : o->from);
        rt_json_real(&json, "largest", b->largest[k]);
        rt_json_string(&json, "verdict",
                       b->stable[k] == 1   ? "stable"
                       : b->stable[k] == 0 ? "unstable"
                                           : "neither");
        rt_json_end(&json);
    }
    rt_json_end(&json);
    rt_json_end(&json);
    status = rt_json_finish(&json, error);
    return status ? status : rt_results_hand_over(&json.text, text, error);
}
