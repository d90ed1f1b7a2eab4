/* The branches of motion at a singular configuration, below the modes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/eigenvalue.h"
#include "base/number.h"
#include "output/mode_fields.h"

enum { DIGITS = 8, NAMED_BODIES = 4 };

/* ---- the table ------------------------------------------------------------------------------ */

static double branches_size_of(const double *motion, int b)
{
    double size = 0;
    for (int i = 0; i < 6; i++) size = fmax(size, fabs(motion[6 * b + i]));
    return size;
}

/* "crank_1, coupler_1 and 2 more": the bodies that move */
static void moving(rt_table *table, const routh_results *results, const routh_branch *branch)
{
    char text[64 * NAMED_BODIES] = "";
    size_t used = 0;
    int n = 0;
    for (int b = 0; b < results->branches->n_bodies; b++) {
        if (branches_size_of(branch->motion, b) < 1e-9) continue;
        if (n < NAMED_BODIES)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%.50s", n ? ", " : "",
                                     results->point->bodies[b].name);
        n++;
    }
    if (n > NAMED_BODIES)
        rt_table_format(table, "%s and %d more", text, n - NAMED_BODIES);
    else
        rt_table_cell(table, text);
}

/* ---- fields of a line: row->of is a motion_branch_line ---------------------------------- */

typedef struct motion_branch_line {
    const routh_branch *branch;
    const double *s;
    bool first; /* of its branch */
} motion_branch_line;

static const motion_branch_line *line_of(const rt_result_row *row) { return row->of; }

static void line_cell_number(rt_table *table, const rt_result_row *row)
{
    if (line_of(row)->first)
        rt_table_format(table, "%d", row->number);
    else
        rt_table_cell(table, "");
}

static double line_real_part(const rt_result_row *row) { return line_of(row)->s[0]; }

static void line_cell_imaginary(rt_table *table, const rt_result_row *row)
{
    rt_result_cell_pair(table, line_of(row)->s[1], line_of(row)->s[1] > 0, DIGITS);
}

static double line_hertz(const rt_result_row *row) { return rt_undamped_hz(line_of(row)->s); }

static void line_cell_moving(rt_table *table, const rt_result_row *row)
{
    if (line_of(row)->first)
        moving(table, row->results, line_of(row)->branch);
    else
        rt_table_cell(table, "");
}

static void line_cell_note(rt_table *table, const rt_result_row *row)
{
    const motion_branch_line *x = row->of;
    const bool doubtful = x->first && !x->branch->certain, unstable = x->s[0] > 0;
    rt_table_format(table, "%s%s%s", doubtful ? "to second order only" : "",
                    doubtful && unstable ? "; " : "", unstable ? "UNSTABLE" : "");
}

static const rt_result_field line_fields[] = {
    {.type = RT_RESULT_COUNT, .cell = line_cell_number, .meaning = "number of the branch",
     .head = "branch"},
    {.type = RT_RESULT_REAL, .real = line_real_part, .unit = "1/s", .meaning = "real part",
     .head = "real part"},
    {.type = RT_RESULT_REAL, .cell = line_cell_imaginary, .unit = "rad/s", .circular = true,
     .meaning = "imaginary part", .head = "imaginary"},
    {.type = RT_RESULT_REAL, .real = line_hertz, .unit = "Hz", .meaning = "undamped frequency",
     .head = "undamped"},
    {.type = RT_RESULT_TEXT, .cell = line_cell_moving, .meaning = "bodies that move",
     .head = "moves", .align = 'l'},
    {.type = RT_RESULT_TEXT, .cell = line_cell_note, .meaning = "what is in doubt, or unstable",
     .head = "", .align = 'l'},
};
static const rt_result_table line_table = {"branch_line", "", "", RT_FIELDS(line_fields)};

/* A pair of conjugates is one line. */
static void one_branch(rt_result_lines *lines, const routh_results *results, int number)
{
    motion_branch_line x = {.branch = &results->branches->branches[number], .first = true};
    for (int k = 0; k < x.branch->n_eigenvalues; k++) {
        x.s = x.branch->eigenvalues[k];
        if (x.s[1] < 0) continue;
        rt_result_line(lines,
                       &(rt_result_row){.results = results, .of = &x, .number = number + 1});
        x.first = false;
    }
}

void rt_branches_table(rt_text *text, const routh_results *results)
{
    const routh_branches *b = results->branches;
    if (!b) return;
    if (!b->singular) {
        rt_text_append(text, "\nNo branches of motion: to second order the constraints leave every "
                             "motion that they leave\nto first order.\n");
        return;
    }
    if (b->n == 0) {
        rt_text_append(text, "\nNo branch of motion %s: to second order the constraints hold the "
                             "mechanism fast.\n",
                       b->all ? "exists" : "was found");
        return;
    }
    rt_text_append(text, "\nBranches of motion %s, and the eigenvalues along each, whatever the "
                         "joint forces\n",
                   b->all ? "that meet here" : "found");
    rt_result_lines lines;
    rt_result_begin(&lines, text, &line_table, &(rt_result_row){.results = results});
    for (int k = 0; k < b->n; k++) one_branch(&lines, results, k);
    rt_result_end(&lines);
}

/* ---- JSON: row->results has the branches and the bodies -------------------------------------- */

typedef struct body_direction {
    const char *body;
    double motion[6];
} body_direction;

static const rt_result_field direction_fields[] = {
    {.key = "body", .type = RT_RESULT_TEXT, RT_AT(body_direction, body),
     .meaning = "name of the body"},
    {.key = "motion", .type = RT_RESULT_REALS, .length = 6, RT_AT(body_direction, motion),
     .meaning = "displacement of the centre of mass (m) and rotation (rad), world components"},
};
static const rt_result_table direction_table = {"direction", "Direction of a branch", "",
                                                RT_FIELDS(direction_fields)};

static void branch_write_eigenvalues(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_branch *branch = row->of;
    rt_json_array(json, key);
    for (int i = 0; i < branch->n_eigenvalues; i++)
        rt_json_reals(json, NULL, branch->eigenvalues[i], 2);
    rt_json_end(json);
}

static void branch_write_directions(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_branch *branch = row->of;
    const int n_bodies = row->results->branches->n_bodies;
    rt_json_array(json, key);
    for (int d = 0; d < branch->degrees_of_freedom; d++) {
        rt_json_flat_array(json, NULL);
        for (int b = 0; b < n_bodies; b++) {
            body_direction direction = {.body = row->results->point->bodies[b].name};
            memcpy(direction.motion, branch->motion + 6 * (d * n_bodies + b),
                   sizeof direction.motion);
            rt_json_object(json, NULL);
            rt_result_json(json, &direction_table, &(rt_result_row){.of = &direction});
            rt_json_end(json);
        }
        rt_json_end(json);
    }
    rt_json_end(json);
}

static const rt_result_field branch_fields[] = {
    {.key = "degrees_of_freedom", .type = RT_RESULT_COUNT, RT_AT(routh_branch, degrees_of_freedom),
     .meaning = "along the branch"},
    {.key = "certain", .type = RT_RESULT_TRUTH, RT_AT(routh_branch, certain),
     .meaning = "false: it exists to second order, and may not exist"},
    {.key = "eigenvalues", .type = RT_RESULT_VALUES, .each = RT_RESULT_COMPLEX, .unit = "1/s",
     .write = branch_write_eigenvalues, .meaning = "along the branch, `[re, im]`"},
    {.key = "directions", .type = RT_RESULT_VALUES, .each = RT_RESULT_LIST,
     .items = &direction_table, .write = branch_write_directions,
     .meaning = "for each degree of freedom how all bodies move"},
};
static const rt_result_table branch_table = {"branch", "Branch of motion", "",
                                             RT_FIELDS(branch_fields)};

static const rt_result_field branches_fields[] = {
    {.key = "singular", .type = RT_RESULT_TRUTH, RT_AT(routh_branches, singular),
     .meaning = "false: to second order the constraints leave all that they leave to first, and "
                "`found` is empty"},
    {.key = "degrees_of_freedom", .type = RT_RESULT_COUNT,
     RT_AT(routh_branches, degrees_of_freedom), .meaning = "here"},
    {.key = "nearby", .type = RT_RESULT_COUNT, RT_AT(routh_branches, nearby),
     .meaning = "a little away"},
    {.key = "all", .type = RT_RESULT_TRUTH, RT_AT(routh_branches, all),
     .meaning = "true: there are no more branches than those found"},
    {.key = "undetermined", .type = RT_RESULT_VALUES, .each = RT_RESULT_TEXT,
     RT_AT(routh_branches, undetermined), .n_at = RT_PLACE(routh_branches, n_undetermined),
     .meaning = "names of the joints with undetermined forces"},
    {.key = "found", .type = RT_RESULT_LIST, .items = &branch_table,
     RT_AT(routh_branches, branches), .n_at = RT_PLACE(routh_branches, n),
     .size = sizeof(routh_branch), .open = true, .meaning = "the branches"},
};
const rt_result_table rt_branches_fields = {
    "branches", "Branches of motion",
    "The motions that meet in a [singular "
    "configuration](../guide/operating-point.md#singular-configurations).",
    RT_FIELDS(branches_fields)};

void rt_json_branches(rt_json *json, const routh_results *results)
{
    if (!results->branches) return;
    rt_json_object(json, "branches");
    rt_result_json(json, &rt_branches_fields,
                   &(rt_result_row){.results = results, .of = results->branches});
    rt_json_end(json);
}
