/* What routh check found, for the terminal. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "output/check_fields.h"
#include "output/heading.h"

enum { NAMED_ROWS = 50, NAMED_BODIES = 3, MOST_NOTES = 64 };

static void check_table_count(rt_text *text, const routh_check *c)
{
    rt_heading_line(
        text, "counted",
        "%d bod%s with 6 degrees of freedom, less %d row%s of joints and %d of motions: "
        "%d (Gruebler); there are %d",
        c->n_bodies, c->n_bodies == 1 ? "y" : "ies", c->n_joint_rows,
        c->n_joint_rows == 1 ? "" : "s", c->n_motion_rows, c->gruebler, c->degrees_of_freedom);
}

static void singularity(rt_text *text, const routh_check *c)
{
    char number[RT_NUMBER_SIZE];
    if (isnan(c->smallest_singular)) return;
    rt_number_text(number, c->smallest_singular, 2);
    rt_heading_line(text, "constraints' rank", "smallest singular value %s of the largest", number);
}

/* ---- answers --------------------------------------------------------------------------------- */

static void answers(rt_text *text, const routh_check *c)
{
    rt_text_append(text, "\n");
    rt_result_print(text, &rt_finding_table, &(rt_result_row){.of = c}, c->findings, c->n_findings,
                    sizeof *c->findings);
}

/* ---- motions that nothing holds -------------------------------------------------------------- */

/* " moves (1 0 0)" */
static void check_table_vector(rt_text *text, const char *word, const double v[3])
{
    char number[3][RT_NUMBER_SIZE];
    if (fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2]))) <= 1e-6) return;
    for (int i = 0; i < 3; i++) rt_number_text(number[i], fabs(v[i]) <= 1e-6 ? 0 : v[i], 3);
    rt_text_append(text, " %s (%s %s %s)", word, number[0], number[1], number[2]);
}

static void check_table_free_motions(rt_text *text, const routh_check *c)
{
    if (!c->modes) return;
    rt_text_append(text, c->n_free_motions == 0
                             ? "\nNo rigid-body mode: no motion has frequency zero.\n"
                             : "\nRigid-body modes (m, rad), bodies that move most first\n");
    for (int k = 0; k < c->n_free_motions; k++) {
        const routh_free_motion *motion = &c->free_motions[k];
        rt_text_append(text, "  %d  ", k + 1);
        for (int b = 0; b < motion->n_bodies && b < NAMED_BODIES; b++) {
            rt_text_append(text, b ? "; " : "");
            rt_text_plain(text, motion->bodies[b].body);
            check_table_vector(text, "moves", motion->bodies[b].displacement);
            check_table_vector(text, "rotates", motion->bodies[b].rotation);
        }
        if (motion->n_bodies > NAMED_BODIES)
            rt_text_append(text, "; and %d more", motion->n_bodies - NAMED_BODIES);
        rt_text_append(text, "\n");
    }
}

/* ---- eigenvalues ----------------------------------------------------------------------------- */

static void check_table_eigenvalues(rt_text *text, const routh_check *c)
{
    rt_result_lines lines;
    rt_result_row row = {.parent = c};
    if (!c->modes || c->modes->n == 0) return;
    rt_text_append(text, "\nEigenvalues of the reference, and how many of their digits are right "
                         "by their condition\n");
    rt_result_begin(&lines, text, &rt_check_eigenvalue_table, &row);
    for (row.index = 0; row.index < c->modes->n; row.index++) {
        const routh_mode *mode = &c->modes->modes[row.index];
        row.of = mode;
        if (mode->eigenvalue[1] >= 0 || mode->conjugate == row.index) rt_result_line(&lines, &row);
    }
    rt_result_end(&lines);
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* The number of the remark, the same for the same text; 0 where there is none or no room. */
static int check_table_note(const char *notes[MOST_NOTES], int *n, const char *why)
{
    if (!why) return 0;
    for (int k = 0; k < *n; k++)
        if (strcmp(notes[k], why) == 0) return k + 1;
    if (*n == MOST_NOTES) return 0;
    notes[(*n)++] = why;
    return *n;
}

/* How many cells after cell k of the same coordinates were refused for the same reason. */
static int alike(const routh_check *c, int k)
{
    const routh_check_cell *first = &c->cells[k];
    int n = 0;
    if (first->state != ROUTH_CELL_REFUSED || !first->why) return 0;
    for (const routh_check_cell *next = first + 1; next < c->cells + c->n_cells; next++, n++)
        if (next->state != ROUTH_CELL_REFUSED || !next->why || strcmp(next->why, first->why) ||
            strcmp(next->coordinates, first->coordinates))
            break;
    return n;
}

static void check_table_cells(rt_text *text, const routh_check *c)
{
    rt_result_lines lines;
    rt_check_line line = {0};
    rt_result_row row = {.work = &line};
    const char *notes[MOST_NOTES];
    int n_notes = 0;
    rt_text_append(text, "\nEvery coordinate set by every method; eigenvalues are off by the "
                         "largest distance over the spectral radius\n");
    rt_result_begin(&lines, text, &rt_cell_table, &row);
    for (int k = 0; k < c->n_cells; k += 1 + line.more) {
        const routh_check_cell *cell = &c->cells[k];
        row.of = cell;
        line.same_coordinates =
            k > 0 && strcmp(c->cells[k - 1].coordinates, cell->coordinates) == 0;
        line.more = alike(c, k);
        line.note = check_table_note(notes, &n_notes, cell->why);
        rt_result_line(&lines, &row);
    }
    rt_result_end(&lines);
    for (int k = 0; k < n_notes; k++) {
        rt_text_append(text, "  [%d] ", k + 1);
        rt_text_plain(text, notes[k]);
        rt_text_append(text, "\n");
    }
}

/* ---- the end --------------------------------------------------------------------------------- */

static void check_table_names_of(rt_text *text, const routh_check *c, routh_verdict verdict)
{
    const char *before = "";
    for (int k = 0; k < c->n_findings; k++)
        if (c->findings[k].verdict == verdict) {
            rt_text_append(text, "%s%s", before, c->findings[k].name);
            before = ", ";
        }
    rt_text_append(text, ".\n");
}

static void conclusion(rt_text *text, const routh_check *c)
{
    rt_text_append(text, "\n");
    if (c->verdict == ROUTH_YES) {
        rt_text_append(text, "All answers are yes.\n");
        return;
    }
    if (c->verdict == ROUTH_NO) {
        rt_text_append(text, "No: ");
        check_table_names_of(text, c, ROUTH_NO);
    }
    for (int k = 0; k < c->n_findings; k++)
        if (c->findings[k].verdict == ROUTH_CANNOT_TELL) {
            rt_text_append(text, "Cannot tell: ");
            check_table_names_of(text, c, ROUTH_CANNOT_TELL);
            return;
        }
}

routh_status routh_check_table(const routh_results *results, routh_text *text, routh_error *error)
{
    *text = (routh_text){0};
    const routh_status status = rt_results_check(results, RT_NEED_CHECK, error);
    if (status) return status;
    const routh_check *c = results->check;
    const routh_results all = {
        .model = results->model, .point = c->point, .linear = c->linear, .modes = c->modes};
    rt_text out = {.units = results->units};
    rt_heading(&out, &all, NAMED_ROWS);
    check_table_count(&out, c);
    singularity(&out, c);
    rt_heading_warnings(&out, &all);
    answers(&out, c);
    check_table_free_motions(&out, c);
    check_table_eigenvalues(&out, c);
    check_table_cells(&out, c);
    conclusion(&out, c);
    return rt_results_hand_over(&out, text, error);
}
