/* The tables of what routh check found. */
#include "output/check_fields.h"

#include <math.h>

static const char *const verdicts[] = {"yes", "no", "cannot tell", NULL};

/* ---- answers --------------------------------------------------------------------------------- */

static const char *finding_verdict(const rt_result_row *row)
{
    return routh_verdict_name(((const routh_finding *)row->of)->verdict);
}

static const rt_result_field finding_fields[] = {
    {.key = "name", .type = RT_RESULT_TEXT, RT_AT(routh_finding, name),
     .meaning = "name of the question", .head = "is it in order", .align = 'l'},
    {.key = "verdict", .type = RT_RESULT_TEXT, .text = finding_verdict, .words = verdicts,
     .meaning = "the answer", .head = "answer", .align = 'l'},
    {.key = "margin", .type = RT_RESULT_REAL, RT_AT(routh_finding, margin), .nullable = true,
     .meaning = "what was found over what is allowed: at most 1 where the answer is yes; `null` "
                "where there is no such figure",
     .head = "margin", .head_unit = "of 1 allowed", .digits = 2, .infinite = "infinite"},
    {.key = "text", .type = RT_RESULT_TEXT, RT_AT(routh_finding, text),
     .meaning = "the answer in a sentence, with its figures", .head = "", .align = 'l'},
};
const rt_result_table rt_finding_table = {"finding", "Answer of a check", "",
                                          RT_FIELDS(finding_fields)};

/* ---- eigenvalues ----------------------------------------------------------------------------- */

static const routh_mode *eigenvalue_mode(const rt_result_row *row) { return row->of; }

static double eigenvalue_real_part(const rt_result_row *row)
{
    return rt_eigenvalue_part(eigenvalue_mode(row), 0);
}

static void eigenvalue_cell_imaginary(rt_table *table, const rt_result_row *row)
{
    const routh_mode *mode = row->of;
    rt_result_cell_pair(table, mode->eigenvalue[1], mode->conjugate != row->index, 8);
}

static double eigenvalue_digits(const rt_result_row *row)
{
    return ((const routh_check *)row->parent)->digits[row->index];
}

static void eigenvalue_cell_digits(rt_table *table, const rt_result_row *row)
{
    if (eigenvalue_mode(row)->rigid)
        rt_table_cell(table, "exact");
    else
        rt_table_format(table, "%d", (int)eigenvalue_digits(row));
}

static const rt_result_field eigenvalue_fields[] = {
    {.key = "eigenvalue", .type = RT_RESULT_COMPLEX, RT_AT(routh_mode, eigenvalue), .unit = "1/s",
     .meaning = "`[re, im]`, 1/s and rad/s"},
    {.type = RT_RESULT_REAL, .real = eigenvalue_real_part, .unit = "1/s",
     .meaning = "real part of the eigenvalue", .head = "real part"},
    {.type = RT_RESULT_REAL, .cell = eigenvalue_cell_imaginary, .unit = "rad/s", .circular = true,
     .meaning = "imaginary part of the eigenvalue", .head = "imaginary"},
    {.key = "condition", .type = RT_RESULT_REAL, RT_AT(routh_mode, condition),
     .meaning = "condition number of the eigenvalue, 1 or more", .head = "condition", .digits = 2},
    {.key = "error_bound", .type = RT_RESULT_REAL, RT_AT(routh_mode, error_bound), .unit = "1/s",
     .meaning = "estimate of the absolute error of the eigenvalue from rounding"},
    {.key = "right_digits", .type = RT_RESULT_REAL, .real = eigenvalue_digits,
     .meaning = "how many of its leading digits are right by its condition",
     .head = "right digits", .cell = eigenvalue_cell_digits},
};
const rt_result_table rt_check_eigenvalue_table = {"check_eigenvalue", "Eigenvalue of a check", "",
                                                   RT_FIELDS(eigenvalue_fields)};

static void check_write_eigenvalues(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_check *c = row->of;
    rt_json_array(json, key);
    for (int k = 0; c->modes && k < c->modes->n; k++) {
        rt_json_flat_object(json, NULL);
        rt_result_json(json, &rt_check_eigenvalue_table,
                       &(rt_result_row){.of = &c->modes->modes[k], .parent = c, .index = k});
        rt_json_end(json);
    }
    rt_json_end(json);
}

/* ---- motions that nothing holds -------------------------------------------------------------- */

static const rt_result_field free_body_fields[] = {
    {.key = "body", .type = RT_RESULT_TEXT, RT_AT(routh_body_motion, body),
     .meaning = "name of the body"},
    {.key = "displacement", .type = RT_RESULT_REALS, .length = 3,
     RT_AT(routh_body_motion, displacement), .unit = "m",
     .meaning = "of the centre of mass, world components; the largest component in the mechanism "
                "is 1"},
    {.key = "rotation", .type = RT_RESULT_REALS, .length = 3, RT_AT(routh_body_motion, rotation),
     .unit = "rad", .meaning = "rotation vector, world components, likewise"},
};
static const rt_result_table free_body_table = {"free_motion", "Body in a rigid-body mode", "",
                                                RT_FIELDS(free_body_fields)};

static void check_write_free_motions(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_check *c = row->of;
    rt_json_array(json, key);
    for (int k = 0; k < c->n_free_motions; k++) {
        const routh_free_motion *motion = &c->free_motions[k];
        rt_json_array(json, NULL);
        for (int b = 0; b < motion->n_bodies; b++) {
            rt_json_flat_object(json, NULL);
            rt_result_json(json, &free_body_table, &(rt_result_row){.of = &motion->bodies[b]});
            rt_json_end(json);
        }
        rt_json_end(json);
    }
    rt_json_end(json);
}

/* ---- cells ----------------------------------------------------------------------------------- */

static const routh_check_cell *cell_at(const rt_result_row *row) { return row->of; }

static bool cell_is_compared(const rt_result_row *row)
{
    return cell_at(row)->state == ROUTH_CELL_COMPARED;
}

static const char *const cell_states[] = {"reference", "compared", "refused",
                                          "failed",    "left out", NULL};

static const char *cell_state(const rt_result_row *row) { return cell_states[cell_at(row)->state]; }

static const char *cell_verdict(const rt_result_row *row)
{
    return routh_verdict_name(cell_at(row)->verdict);
}

static void cell_cell_coordinates(rt_table *table, const rt_result_row *row)
{
    const rt_check_line *line = row->work;
    rt_table_cell(table, line->same_coordinates ? "" : cell_at(row)->coordinates);
}

static void cell_cell_method(rt_table *table, const rt_result_row *row)
{
    const rt_check_line *line = row->work;
    if (line->more)
        rt_table_format(table, "%s and %d more", cell_at(row)->method, line->more);
    else
        rt_table_cell(table, cell_at(row)->method);
}

static void cell_cell_state(rt_table *table, const rt_result_row *row)
{
    const rt_check_line *line = row->work;
    const char *word = cell_is_compared(row) ? cell_verdict(row) : cell_state(row);
    if (line->note)
        rt_table_format(table, "%s [%d]", word, line->note);
    else
        rt_table_cell(table, word);
}

/* Of an exact method there is none. */
static double cell_stated_error_shown(const rt_result_row *row)
{
    return cell_at(row)->stated_error > 0 ? cell_at(row)->stated_error : NAN;
}

static double cell_mac_shown(const rt_result_row *row)
{
    return isnan(cell_at(row)->mac) ? NAN : fmax(1 - cell_at(row)->mac, 0);
}

static double cell_milliseconds(const rt_result_row *row) { return 1e3 * cell_at(row)->seconds; }

static const rt_result_field cell_fields[] = {
    {.key = "coordinates", .type = RT_RESULT_TEXT, RT_AT(routh_check_cell, coordinates),
     .meaning = "coordinate set, as for `--coordinates`", .head = "coordinates", .align = 'l',
     .cell = cell_cell_coordinates},
    {.key = "method", .type = RT_RESULT_TEXT, RT_AT(routh_check_cell, method),
     .meaning = "linearization method, as for `--method`", .head = "method", .align = 'l',
     .cell = cell_cell_method},
    {.key = "state", .type = RT_RESULT_TEXT, .text = cell_state, .words = cell_states,
     .meaning = "what became of it", .head = "agrees", .align = 'l', .cell = cell_cell_state},
    {.key = "verdict", .type = RT_RESULT_TEXT, .text = cell_verdict, .words = verdicts,
     .there = cell_is_compared, .sparse = true,
     .meaning = "does it agree; this and what follows, but for `seconds` and `why`, only of those "
                "compared"},
    {.key = "margin", .type = RT_RESULT_REAL, RT_AT(routh_check_cell, margin), .nullable = true,
     .there = cell_is_compared, .sparse = true,
     .meaning = "largest distance between eigenvalues over what is allowed for it",
     .head = "margin", .head_unit = "of 1 allowed", .digits = 2, .infinite = "infinite"},
    {.key = "difference", .type = RT_RESULT_REAL, RT_AT(routh_check_cell, difference),
     .nullable = true, .there = cell_is_compared, .sparse = true,
     .meaning = "largest distance over the spectral radius", .head = "eigenvalues",
     .head_unit = "off by", .digits = 2, .infinite = "infinite"},
    {.key = "eigenvalue", .type = RT_RESULT_COMPLEX, RT_AT(routh_check_cell, eigenvalue),
     .there = cell_is_compared, .sparse = true, .unit = "1/s",
     .meaning = "`[re, im]` of the reference, where the margin is largest"},
    {.key = "stated_error", .type = RT_RESULT_REAL, RT_AT(routh_check_cell, stated_error),
     .shown = cell_stated_error_shown, .there = cell_is_compared, .sparse = true,
     .meaning = "of an approximate method: its own bound or estimate of the largest error, over "
                "the spectral radius; else 0",
     .head = "own error", .head_unit = "stated", .digits = 2, .infinite = "infinite"},
    {.key = "mac", .type = RT_RESULT_REAL, RT_AT(routh_check_cell, mac), .nullable = true,
     .shown = cell_mac_shown, .there = cell_is_compared, .sparse = true,
     .meaning = "smallest modal assurance criterion", .head = "shapes", .head_unit = "1 - MAC",
     .digits = 2},
    {.key = "shape_margin", .type = RT_RESULT_REAL, RT_AT(routh_check_cell, shape_margin),
     .nullable = true, .there = cell_is_compared, .sparse = true,
     .meaning = "largest 1 - MAC over what is allowed"},
    {.key = "signals", .type = RT_RESULT_REAL, RT_AT(routh_check_cell, signals), .nullable = true,
     .there = cell_is_compared, .sparse = true,
     .meaning = "largest difference of an entry of B, C, D and those of rates of inputs, over the "
                "largest of its matrix, independent of units; `null` without inputs and outputs, "
                "or in other states"},
    {.key = "seconds", .type = RT_RESULT_REAL, RT_AT(routh_check_cell, seconds), .nullable = true,
     .shown = cell_milliseconds, .unit = "s", .meaning = "wall time of the linearization",
     .head = "time", .head_unit = "ms", .digits = 3},
    {.key = "why", .type = RT_RESULT_TEXT, RT_AT(routh_check_cell, why), .nullable = true,
     .meaning = "why it was refused, failed, left out or is in doubt; else `null`"},
};
const rt_result_table rt_cell_table = {
    "cell", "Coordinate set by method",
    "The last cell, `natural` with `symbolic`, is the [closed form](../guide/symbolic.md).",
    RT_FIELDS(cell_fields)};

/* ---- counts ---------------------------------------------------------------------------------- */

static const rt_result_field count_fields[] = {
    {.key = "bodies", .type = RT_RESULT_COUNT, RT_AT(routh_check, n_bodies),
     .meaning = "of the mechanism"},
    {.key = "joint_rows", .type = RT_RESULT_COUNT, RT_AT(routh_check, n_joint_rows),
     .meaning = "constraint equations of joints"},
    {.key = "motion_rows", .type = RT_RESULT_COUNT, RT_AT(routh_check, n_motion_rows),
     .meaning = "constraint equations of motions"},
    {.key = "gruebler", .type = RT_RESULT_COUNT, RT_AT(routh_check, gruebler),
     .meaning = "6 `bodies` - `joint_rows` - `motion_rows`"},
};
static const rt_result_table count_table = {"count", "Count of equations", "",
                                            RT_FIELDS(count_fields)};

static const rt_result_field rank_fields[] = {
    {.type = RT_RESULT_PART, .items = &rt_redundant_list},
    {.type = RT_RESULT_PART, .items = &rt_rank_table},
};
static const rt_result_table rank_table = {"rank", "", "", RT_FIELDS(rank_fields)};

static const rt_result_field balance_fields[] = {
    {.key = "constraint_error", .type = RT_RESULT_REAL,
     RT_AT(routh_operating_point, constraint_error), .unit = "m or rad",
     .meaning = "largest error of a constraint equation"},
    {.key = "residual", .type = RT_RESULT_REAL, RT_AT(routh_operating_point, residual),
     .meaning = "equilibrium residual: largest inertia force over the largest single force; 0 in "
                "equilibrium"},
};
static const rt_result_table balance_table = {"balance", "", "", RT_FIELDS(balance_fields)};

static const void *check_point(const rt_result_row *row)
{
    return ((const routh_check *)row->of)->point;
}

static const rt_result_field counts_fields[] = {
    {.key = "count", .type = RT_RESULT_OBJECT, .items = &count_table,
     .meaning = "what the degrees of freedom are counted from"},
    {.key = "degrees_of_freedom", .type = RT_RESULT_COUNT, RT_AT(routh_check, degrees_of_freedom),
     .meaning = "here, to first order"},
    {.key = "degrees_of_freedom_nearby", .type = RT_RESULT_COUNT,
     RT_AT(routh_check, degrees_nearby), .meaning = "a little away"},
    {.type = RT_RESULT_PART, .items = &rank_table, .part = check_point},
    {.key = "smallest_singular_value", .type = RT_RESULT_REAL,
     RT_AT(routh_check, smallest_singular), .nullable = true,
     .meaning = "of the independent constraint equations over the largest; `null` where the "
                "mechanism is too large"},
    {.key = "distance_from_singularity", .type = RT_RESULT_REAL, RT_AT(routh_check, distance),
     .nullable = true, .unit = "m",
     .meaning = "`null` where no motion leads there or it was not measured"},
    {.type = RT_RESULT_PART, .items = &balance_table, .part = check_point},
};
static const rt_result_table counts_table = {"counts", "", "", RT_FIELDS(counts_fields)};

/* ---- the document ---------------------------------------------------------------------------- */

static const char *check_verdict(const rt_result_row *row)
{
    return routh_verdict_name(((const routh_check *)row->of)->verdict);
}

static const rt_result_field answers_fields[] = {
    {.key = "verdict", .type = RT_RESULT_TEXT, .text = check_verdict, .words = verdicts,
     .meaning = "of all answers together"},
    {.type = RT_RESULT_PART, .items = &counts_table},
    {.key = "answers", .type = RT_RESULT_LIST, .items = &rt_finding_table,
     RT_AT(routh_check, findings), .n_at = RT_PLACE(routh_check, n_findings),
     .size = sizeof(routh_finding), .meaning = "in the order of the questions"},
};
static const rt_result_table answers_table = {"answers", "", "", RT_FIELDS(answers_fields)};

static const rt_result_field cells_fields[] = {
    {.key = "cells", .type = RT_RESULT_LIST, .items = &rt_cell_table, RT_AT(routh_check, cells),
     .n_at = RT_PLACE(routh_check, n_cells), .size = sizeof(routh_check_cell),
     .meaning = "every coordinate set by every method"},
};
static const rt_result_table cells_table = {"cells", "", "", RT_FIELDS(cells_fields)};

static const rt_result_field document_fields[] = {
    {.type = RT_RESULT_PART, .items = &rt_origin_table},
    {.type = RT_RESULT_PART, .items = &answers_table},
    {.key = "free_motions", .type = RT_RESULT_VALUES, .each = RT_RESULT_LIST,
     .items = &free_body_table, .write = check_write_free_motions,
     .meaning = "rigid-body modes: for each how the bodies move, those that move most first"},
    {.key = "eigenvalues", .type = RT_RESULT_LIST, .items = &rt_check_eigenvalue_table,
     .write = check_write_eigenvalues, .meaning = "of the reference"},
    {.type = RT_RESULT_PART, .items = &cells_table},
    {.key = "warnings", .type = RT_RESULT_VALUES, .each = RT_RESULT_TEXT,
     .write = rt_result_write_warnings, .meaning = "sentences"},
};
const rt_result_table rt_check_document = {
    "check", "routh check --json", "The [guide](../guide/check.md) says what the figures mean.",
    RT_FIELDS(document_fields)};

void rt_json_check(rt_json *json, const routh_check *c)
{
    rt_result_json(json, &answers_table, &(rt_result_row){.of = c});
    rt_result_json(json, &cells_table, &(rt_result_row){.of = c});
}

routh_status routh_check_json(const routh_results *results, routh_text *text, routh_error *error)
{
    *text = (routh_text){0};
    routh_status status = rt_results_check(results, RT_NEED_CHECK, error);
    if (status) return status;
    const routh_check *c = results->check;
    const routh_results all = {
        .model = results->model, .point = c->point, .linear = c->linear, .modes = c->modes};
    return rt_result_document_json(&rt_check_document,
                                   &(rt_result_row){.results = &all, .of = c}, text, error);
}
