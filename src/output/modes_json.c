/* Modes in JSON: the table of the whole document. */
#include <math.h>

#include "output/mode_fields.h"

/* ---- what it is about ----------------------------------------------------------------------- */

static const void *modes_linear(const rt_result_row *row) { return row->results->linear; }

static const void *modes_modes(const rt_result_row *row) { return row->results->modes; }

static const void *modes_point(const rt_result_row *row) { return row->results->point; }

static bool modes_have_point(const rt_result_row *row) { return row->results->point != NULL; }

/* ---- the operating point -------------------------------------------------------------------- */

static const char *point_type(const rt_result_row *row)
{
    return rt_results_point_type(row->results);
}

static double point_time(const rt_result_row *row) { return rt_results_time(row->results); }

static double point_constraint_error(const rt_result_row *row)
{
    const routh_results *results = row->results;
    return results->point ? results->point->constraint_error
                          : results->linear->point.constraint_error;
}

static const rt_result_field point_search_fields[] = {
    {.key = "iterations", .type = RT_RESULT_COUNT, RT_AT(routh_operating_point, iterations),
     .meaning = "steps of the search"},
    {.key = "degrees_of_freedom", .type = RT_RESULT_COUNT,
     RT_AT(routh_operating_point, degrees_of_freedom), .meaning = "of velocity"},
    {.type = RT_RESULT_PART, .items = &rt_rank_table},
    {.type = RT_RESULT_PART, .items = &rt_redundant_list},
};
static const rt_result_table point_search_table = {"point_search", "", "",
                                                   RT_FIELDS(point_search_fields)};

static const rt_result_field point_fields[] = {
    {.key = "type", .type = RT_RESULT_TEXT, .text = point_type, .words = rt_operating_type_names,
     .meaning = "how it was found: reference configuration, static equilibrium, given state, "
                "steady motion"},
    {.key = "time", .type = RT_RESULT_REAL, .real = point_time, .unit = "s",
     .meaning = "time of the operating point"},
    {.key = "constraint_error", .type = RT_RESULT_REAL, .real = point_constraint_error,
     .unit = "m or rad", .meaning = "largest error of a constraint equation"},
    {.type = RT_RESULT_PART, .part = modes_point, .there = modes_have_point,
     .items = &point_search_table},
};
static const rt_result_table point_table = {
    "operating_point", "Operating point of a linear model", "", RT_FIELDS(point_fields)};

/* ---- selected eigenvalues -------------------------------------------------------------------- */

static const void *modes_selection(const rt_result_row *row)
{
    const routh_selection *w = &row->results->modes->wanted;
    return w->n_regions ? w : NULL;
}

static bool region_is_between(const rt_result_row *row)
{
    return row->results->modes->wanted.between;
}

static bool region_is_disc(const rt_result_row *row) { return !region_is_between(row); }

static void region_write_between(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_selection *w = &row->results->modes->wanted;
    rt_json_reals(json, key, (const double[]){w->low, w->high}, 2);
}

static double region_radius(const rt_result_row *row)
{
    const routh_selection_region *region = row->of;
    return region->counted == ROUTH_COUNT_NONE ? NAN : region->radius;
}

static const char *region_counted(const rt_result_row *row)
{
    return routh_count_name(((const routh_selection_region *)row->of)->counted);
}

const char *const rt_count_names[] = {"not counted", "inertia", "winding number", "all found",
                                      NULL};

static const rt_result_field region_fields[] = {
    {.key = "between", .type = RT_RESULT_REALS, .length = 2, .unit = "Hz",
     .write = region_write_between, .there = region_is_between,
     .meaning = "with `--between`: all eigenvalues between two frequencies"},
    {.key = "near", .type = RT_RESULT_COMPLEX, RT_AT(routh_selection_region, near), .unit = "1/s",
     .there = region_is_disc, .meaning = "centre of the disc, `[re, im]`"},
    {.key = "radius", .type = RT_RESULT_REAL, .real = region_radius, .nullable = true,
     .unit = "1/s", .there = region_is_disc,
     .meaning = "all eigenvalues in the disc, and their conjugates, are among the modes; `null` "
                "where there are no others, or where they were not counted"},
    {.key = "shift", .type = RT_RESULT_COMPLEX, RT_AT(routh_selection_region, shift), .unit = "1/s",
     .meaning = "the shift that was used, `[re, im]`"},
    {.key = "counted", .type = RT_RESULT_TEXT, .text = region_counted, .words = rt_count_names,
     .meaning = "how it is known that none is missing"},
};
static const rt_result_table region_table = {"region", "Region of selected eigenvalues", "",
                                             RT_FIELDS(region_fields)};

static const rt_result_field selection_fields[] = {
    {.key = "count", .type = RT_RESULT_COUNT, RT_AT(routh_selection, count),
     .meaning = "asked for about each number; 0 with `--between`"},
    {.key = "constraint_violation", .type = RT_RESULT_REAL, RT_AT(routh_selection, violation),
     .meaning = "largest violation of the constraints by a mode, relative; of rounding size"},
    {.key = "solves", .type = RT_RESULT_COUNT, RT_AT(routh_selection, n_solves),
     .meaning = "of the sparse system"},
    {.key = "restarts", .type = RT_RESULT_COUNT, RT_AT(routh_selection, n_restarts),
     .meaning = "of the iterations"},
    {.key = "regions", .type = RT_RESULT_LIST, .items = &region_table,
     RT_AT(routh_selection, regions), .n_at = RT_PLACE(routh_selection, n_regions),
     .size = sizeof(routh_selection_region), .meaning = "one for each `--near`"},
};
const rt_result_table rt_selection_table = {"wanted", "Regions of the selected eigenvalues", "",
                                            RT_FIELDS(selection_fields)};

/* ---- the document --------------------------------------------------------------------------- */

static void modes_write_eigenvalues(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_modes *modes = row->results->modes;
    rt_json_array(json, key);
    for (int i = 0; i < modes->n; i++) rt_json_reals(json, NULL, modes->modes[i].eigenvalue, 2);
    rt_json_end(json);
}

static void modes_write_branches(rt_json *json, const char *key, const rt_result_row *row)
{
    (void)key;
    rt_json_branches(json, row->results);
}

static bool modes_have_branches(const rt_result_row *row) { return row->results->branches != NULL; }

static const rt_result_field modes_linear_fields[] = {
    {.key = "infinite_eigenvalues", .type = RT_RESULT_COUNT, RT_AT(routh_linear, n_infinite),
     .meaning = "with `--method redundant`: how many eigenvalues of the constraints were "
                "[deflated](../theory/redundant.md); of [motions without "
                "inertia](../theory/massless.md) by any method; else 0"},
    {.key = "residual", .type = RT_RESULT_REAL, RT_AT(routh_linear, residual),
     .meaning = "equilibrium residual: largest inertia force over the largest single force; 0 in "
                "equilibrium"},
    {.key = "at_rest", .type = RT_RESULT_TRUTH, RT_AT(routh_linear, at_rest),
     .meaning = "true: nothing moves and `residual` is at most 1e-9"},
    {.key = "steady", .type = RT_RESULT_TRUTH, RT_AT(routh_linear, steady),
     .meaning = "true: the coefficients of the linear model and the rates of its states are "
                "constant along the motion, so that eigenvalues describe stability"},
    {.key = "drift", .type = RT_RESULT_REAL, RT_AT(routh_linear, drift), .nullable = true,
     .meaning = "relative change of A along the motion, per radian of its fastest part; `steady` "
                "needs at most 1e-5; `null`: the motion cannot continue (a dead point)"},
};
static const rt_result_table modes_linear_table = {"linear", "", "",
                                                   RT_FIELDS(modes_linear_fields)};

static const rt_result_field modes_list_fields[] = {
    {.key = "eigenvalues", .type = RT_RESULT_VALUES, .each = RT_RESULT_COMPLEX, .unit = "1/s",
     .write = modes_write_eigenvalues,
     .meaning = "list of `[re, im]`, 1/s and rad/s: all, conjugates and zeros included; sorted by "
                "modulus, then imaginary part"},
    {.key = "zero_eigenvalues", .type = RT_RESULT_COUNT, RT_AT(routh_modes, n_zero),
     .meaning = "how many are exactly zero"},
    {.key = "zero_margin", .type = RT_RESULT_REAL, RT_AT(routh_modes, zero_margin),
     .nullable = true,
     .meaning = "largest size taken as zero over smallest kept; near 1 the zeros are doubtful"},
    {.key = "modes", .type = RT_RESULT_LIST, .items = &rt_mode_table, RT_AT(routh_modes, modes),
     .n_at = RT_PLACE(routh_modes, n), .size = sizeof(routh_mode), .open = true,
     .meaning = "in the order of `eigenvalues`"},
};
static const rt_result_table modes_list_table = {"list", "", "", RT_FIELDS(modes_list_fields)};

/* ---- the rotor of multi-blade coordinates ---------------------------------------------------- */

static const void *modes_rotor(const rt_result_row *row) { return row->results->linear->rotor; }

static bool modes_have_rotor(const rt_result_row *row) { return modes_rotor(row) != NULL; }

static void rotor_write_axis(rt_json *json, const char *key, const rt_result_row *row)
{
    rt_json_reals(json, key, ((const routh_rotor *)row->of)->axis, 3);
}

static void rotor_write_centre(rt_json *json, const char *key, const rt_result_row *row)
{
    rt_json_reals(json, key, ((const routh_rotor *)row->of)->centre, 3);
}

static const rt_result_field rotor_fields[] = {
    {.key = "blades", .type = RT_RESULT_COUNT, RT_AT(routh_rotor, n_blades),
     .meaning = "number of blades"},
    {.key = "axis", .type = RT_RESULT_REALS, .length = 3, .write = rotor_write_axis,
     .meaning = "axis of rotation, unit vector; the blades follow one another in the positive "
                "sense about it"},
    {.key = "centre", .type = RT_RESULT_REALS, .length = 3, .unit = "m",
     .write = rotor_write_centre, .meaning = "a point on the axis"},
    {.key = "speed", .type = RT_RESULT_REAL, RT_AT(routh_rotor, speed), .unit = "rad/s",
     .meaning = "speed about the axis"},
    {.key = "azimuths", .type = RT_RESULT_COUNT, RT_AT(routh_rotor, n_azimuths),
     .meaning = "at how many azimuths the linear model was computed"},
    {.key = "variation", .type = RT_RESULT_REAL, RT_AT(routh_rotor, variation),
     .meaning = "how much A changes with the azimuth: largest change of an eigenvalue to second "
                "order, relative to it or to the speed"},
};
static const rt_result_table rotor_table = {"rotor", "Rotor of multi-blade coordinates", "",
                                            RT_FIELDS(rotor_fields)};

static const rt_result_field modes_document_fields[] = {
    {.type = RT_RESULT_PART, .items = &rt_origin_table},
    {.type = RT_RESULT_PART, .items = &rt_method_table, .part = modes_linear},
    {.type = RT_RESULT_PART, .items = &modes_linear_table, .part = modes_linear},
    {.key = "operating_point", .type = RT_RESULT_OBJECT, .items = &point_table, .open = true,
     .meaning = "where the model was linearized"},
    {.key = "warnings", .type = RT_RESULT_VALUES, .each = RT_RESULT_TEXT,
     .write = rt_result_write_warnings, .meaning = "sentences"},
    {.type = RT_RESULT_PART, .items = &rt_states_list, .part = modes_linear},
    {.key = "wanted", .type = RT_RESULT_OBJECT, .items = &rt_selection_table,
     .part = modes_selection, .nullable = true, .open = true,
     .meaning = "with `--wanted` or `--between`; else `null`"},
    {.type = RT_RESULT_PART, .items = &modes_list_table, .part = modes_modes},
    {.key = "rotor", .type = RT_RESULT_OBJECT, .items = &rotor_table, .part = modes_rotor,
     .there = modes_have_rotor, .meaning = "with `--blades`"},
    {.key = "branches", .type = RT_RESULT_OBJECT, .items = &rt_branches_fields,
     .write = modes_write_branches, .there = modes_have_branches, .meaning = "with `--branches`"},
};
const rt_result_table rt_modes_document = {"modes", "routh modes --json", "",
                                           RT_FIELDS(modes_document_fields)};

routh_status routh_modes_json(const routh_results *results, routh_text *text, routh_error *error)
{
    *text = (routh_text){0};
    rt_mode_work work;
    routh_status status = rt_results_check(results, RT_NEED_LINEAR | RT_NEED_MODES, error);
    if (!status) status = rt_mode_work_create(&work, results->linear, error);
    if (status) return status;
    status = rt_result_document_json(
        &rt_modes_document,
        &(rt_result_row){.results = results, .of = results, .work = &work}, text, error);
    rt_mode_work_free(&work);
    return status;
}
