/* The branches of motion at a singular configuration, below the modes. */
#include <math.h>
#include <stdio.h>

#include "base/number.h"
#include "output/results.h"
#include "output/table.h"

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
        rt_table_real(table, hypot(s[0], s[1]) / (2 * 3.14159265358979323846), DIGITS);
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
