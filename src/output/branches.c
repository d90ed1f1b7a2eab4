/* The branches of motion at a singular configuration, below the modes. */
#include <math.h>
#include <stdio.h>

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

/* A pair of conjugates is one line. */
static void one_branch(rt_table *table, const routh_results *results, int number)
{
    const routh_branch *branch = &results->branches->branches[number];
    bool first = true;
    for (int k = 0; k < branch->n_eigenvalues; k++) {
        const double *s = branch->eigenvalues[k];
        char text[RT_NUMBER_SIZE];
        if (s[1] < 0) continue;
        if (first)
            rt_table_format(table, "%d", number + 1);
        else
            rt_table_cell(table, "");
        rt_table_real(table, s[0], DIGITS);
        rt_number_text(text, s[1], DIGITS);
        if (s[1] > 0)
            rt_table_format(table, "+-%s", text);
        else
            rt_table_cell(table, "");
        rt_table_real(table, rt_undamped_hz(s), DIGITS);
        if (first)
            moving(table, results, branch);
        else
            rt_table_cell(table, "");
        const bool doubtful = first && !branch->certain, unstable = s[0] > 0;
        rt_table_format(table, "%s%s%s", doubtful ? "to second order only" : "",
                        doubtful && unstable ? "; " : "", unstable ? "UNSTABLE" : "");
        first = false;
    }
}

void rt_branches_table(rt_text *text, const routh_results *results)
{
    static const char *const first[] = {"branch",   "real part", "imaginary",
                                        "undamped", "moves",     ""};
    static const char *const units[] = {"", "1/s", "rad/s", "Hz", "", ""};
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
    rt_table table = {.align = "rrrrll"};
    rt_table_heads(&table, first);
    rt_table_heads(&table, units);
    for (int k = 0; k < b->n; k++) one_branch(&table, results, k);
    rt_table_write(&table, text);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static void branches_motion(rt_json *json, const routh_results *results, const double *directions,
                            int n)
{
    const int n_bodies = results->branches->n_bodies;
    rt_json_array(json, "directions");
    for (int d = 0; d < n; d++) {
        rt_json_flat_array(json, NULL);
        for (int b = 0; b < n_bodies; b++) {
            rt_json_object(json, NULL);
            rt_json_string(json, "body", results->point->bodies[b].name);
            rt_json_reals(json, "motion", directions + 6 * (d * n_bodies + b), 6);
            rt_json_end(json);
        }
        rt_json_end(json);
    }
    rt_json_end(json);
}

void rt_json_branches(rt_json *json, const routh_results *results)
{
    const routh_branches *b = results->branches;
    if (!b) return;
    rt_json_object(json, "branches");
    rt_json_bool(json, "singular", b->singular);
    rt_json_int(json, "degrees_of_freedom", b->degrees_of_freedom);
    rt_json_int(json, "nearby", b->nearby);
    rt_json_bool(json, "all", b->all);
    rt_json_flat_array(json, "undetermined");
    for (int k = 0; k < b->n_undetermined; k++) rt_json_string(json, NULL, b->undetermined[k]);
    rt_json_end(json);
    rt_json_array(json, "found");
    for (int k = 0; k < b->n; k++) {
        const routh_branch *branch = &b->branches[k];
        rt_json_object(json, NULL);
        rt_json_int(json, "degrees_of_freedom", branch->degrees_of_freedom);
        rt_json_bool(json, "certain", branch->certain);
        rt_json_array(json, "eigenvalues");
        for (int i = 0; i < branch->n_eigenvalues; i++)
            rt_json_reals(json, NULL, branch->eigenvalues[i], 2);
        rt_json_end(json);
        branches_motion(json, results, branch->motion, branch->degrees_of_freedom);
        rt_json_end(json);
    }
    rt_json_end(json);
    rt_json_end(json);
}

/* ---- what it is ----------------------------------------------------------------------------- */

static const rt_result_field direction_fields[] = {
    {.key = "body", .type = RT_RESULT_TEXT, .meaning = "name of the body"},
    {.key = "motion", .type = RT_RESULT_REALS, .length = 6,
     .meaning = "displacement of the centre of mass (m) and rotation (rad), world components"},
};
static const rt_result_table direction_table = {"direction", "Direction of a branch", "",
                                                RT_FIELDS(direction_fields)};

static const rt_result_field branch_fields[] = {
    {.key = "degrees_of_freedom", .type = RT_RESULT_COUNT, .meaning = "along the branch"},
    {.key = "certain", .type = RT_RESULT_TRUTH,
     .meaning = "false: it exists to second order, and may not exist"},
    {.key = "eigenvalues", .type = RT_RESULT_VALUES, .each = RT_RESULT_COMPLEX, .unit = "1/s",
     .meaning = "along the branch, `[re, im]`"},
    {.key = "directions", .type = RT_RESULT_VALUES, .each = RT_RESULT_LIST,
     .items = &direction_table, .meaning = "for each degree of freedom how all bodies move"},
};
static const rt_result_table branch_table = {"branch", "Branch of motion", "",
                                             RT_FIELDS(branch_fields)};

static const rt_result_field branches_fields[] = {
    {.key = "singular", .type = RT_RESULT_TRUTH,
     .meaning = "false: to second order the constraints leave all that they leave to first, and "
                "`found` is empty"},
    {.key = "degrees_of_freedom", .type = RT_RESULT_COUNT, .meaning = "here"},
    {.key = "nearby", .type = RT_RESULT_COUNT, .meaning = "a little away"},
    {.key = "all", .type = RT_RESULT_TRUTH,
     .meaning = "true: there are no more branches than those found"},
    {.key = "undetermined", .type = RT_RESULT_VALUES, .each = RT_RESULT_TEXT,
     .meaning = "names of the joints whose forces the balance leaves open"},
    {.key = "found", .type = RT_RESULT_LIST, .items = &branch_table, .meaning = "the branches"},
};
const rt_result_table rt_branches_fields = {
    "branches", "Branches of motion",
    "The motions that meet in a [singular "
    "configuration](../guide/operating-point.md#singular-configurations).",
    RT_FIELDS(branches_fields)};
