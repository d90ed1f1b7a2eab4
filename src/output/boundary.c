/* A boundary of stability of periodic motions: the table of its fields, JSON, and the terminal. */
#include "base/number.h"
#include "output/descriptor.h"
#include "output/heading.h"

/* ---- the document: of a routh_boundary; parent: the options that it was found with ----------- */

static const routh_boundary *boundary_of(const rt_result_row *row) { return row->of; }

static const routh_boundary_options *boundary_options(const rt_result_row *row)
{
    return row->parent;
}

/* row->number: 0 at A, 1 at B */
static double end_value(const rt_result_row *row)
{
    return row->number ? boundary_options(row)->to : boundary_options(row)->from;
}

static double end_largest(const rt_result_row *row)
{
    return boundary_of(row)->largest[row->number];
}

static const char *end_verdict(const rt_result_row *row)
{
    return rt_stability_name(boundary_of(row)->stable[row->number]);
}

static const rt_result_field end_fields[] = {
    {.key = "value", .type = RT_RESULT_REAL, .real = end_value, .meaning = "of the parameter"},
    {.key = "largest", .type = RT_RESULT_REAL, .real = end_largest,
     .meaning = "largest modulus of a multiplier there"},
    {.key = "verdict", .type = RT_RESULT_TEXT, .text = end_verdict,
     .words = rt_stability_names,
     .meaning = "stability of the motion; neither: not to be decided within the error"},
};
static const rt_result_table end_table = {"boundary_end", "End of the interval that was searched",
                                          "", RT_FIELDS(end_fields)};

static void boundary_write_ends(rt_json *json, const char *key, const rt_result_row *row)
{
    rt_result_row end = *row;
    rt_json_array(json, key);
    for (end.number = 0; end.number < 2; end.number++) {
        rt_json_flat_object(json, NULL);
        rt_result_json(json, &end_table, &end);
        rt_json_end(json);
    }
    rt_json_end(json);
}

static const char *const crossings[] = {"one", "minus-one", "circle", NULL};

static const char *boundary_crossing(const rt_result_row *row)
{
    const routh_crossing crossing = boundary_of(row)->crossing;
    return crossings[crossing == ROUTH_CROSSING_ONE         ? 0
                     : crossing == ROUTH_CROSSING_MINUS_ONE ? 1
                                                            : 2];
}

static const char *boundary_parameter(const rt_result_row *row)
{
    return boundary_options(row)->parameter;
}

static const rt_result_field boundary_fields[] = {
    {.key = "parameter", .type = RT_RESULT_TEXT, .text = boundary_parameter,
     .meaning = "name of the parameter"},
    {.key = "value", .type = RT_RESULT_REAL, RT_AT(routh_boundary, value),
     .meaning = "of the parameter, on the boundary"},
    {.key = "width", .type = RT_RESULT_REAL, RT_AT(routh_boundary, width),
     .meaning = "of the interval that holds it at the end"},
    {.key = "crossing", .type = RT_RESULT_TEXT, .text = boundary_crossing, .words = crossings,
     .meaning = "where a multiplier crosses the unit circle"},
    {.key = "multiplier", .type = RT_RESULT_COMPLEX, RT_AT(routh_boundary, multiplier),
     .meaning = "the one nearest to that, `[re, im]`"},
    {.key = "period", .type = RT_RESULT_REAL, RT_AT(routh_boundary, period), .unit = "s",
     .meaning = "of the motion on the boundary"},
    {.key = "models", .type = RT_RESULT_COUNT, RT_AT(routh_boundary, evaluations),
     .meaning = "how many had their multipliers computed"},
    {.key = "ends", .type = RT_RESULT_LIST, .items = &end_table, .write = boundary_write_ends,
     .meaning = "at A and at B of `--boundary NAME=A:B`"},
};
const rt_result_table rt_boundary_document = {"floquet_boundary",
                                              "routh floquet --boundary --json", "",
                                              RT_FIELDS(boundary_fields)};

/* ---- the terminal ---------------------------------------------------------------------------- */

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
    const routh_status status = boundary_check(b, o, text, error);
    if (status) return status;
    return rt_result_document_json(&rt_boundary_document, &(rt_result_row){.of = b, .parent = o},
                                   text, error);
}
