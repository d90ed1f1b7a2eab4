/* What routh check found, for the terminal. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "output/heading.h"
#include "base/number.h"
#include "output/table.h"

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

static void margin(rt_table *table, double x)
{
    if (isnan(x))
        rt_table_cell(table, "");
    else if (isinf(x))
        rt_table_cell(table, "infinite");
    else
        rt_table_real(table, x, 2);
}

static void answers(rt_text *text, const routh_check *c)
{
    static const char *const heads[] = {"is it in order", "answer", "margin", ""};
    static const char *const units[] = {"", "", "of 1 allowed", ""};
    rt_table table = {.align = "llrl"};
    rt_text_append(text, "\n");
    rt_table_heads(&table, heads);
    rt_table_heads(&table, units);
    for (int k = 0; k < c->n_findings; k++) {
        rt_table_cell(&table, c->findings[k].name);
        rt_table_cell(&table, routh_verdict_name(c->findings[k].verdict));
        margin(&table, c->findings[k].margin);
        rt_table_cell(&table, c->findings[k].text);
    }
    rt_table_write(&table, text);
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
    static const char *const heads[] = {"real part", "imaginary", "condition", "right digits"};
    static const char *const units[] = {"1/s", "rad/s", "", ""};
    rt_table table = {.align = "rrrr"};
    if (!c->modes || c->modes->n == 0) return;
    rt_text_append(text, "\nEigenvalues of the reference, and how many of their digits are right "
                         "by their condition\n");
    rt_table_heads(&table, heads);
    rt_table_heads(&table, units);
    for (int k = 0; k < c->modes->n; k++) {
        const routh_mode *mode = &c->modes->modes[k];
        char number[RT_NUMBER_SIZE];
        if (mode->eigenvalue[1] < 0 && mode->conjugate != k) continue;
        rt_number_text(number, mode->eigenvalue[1], 8);
        rt_table_real(&table, rt_eigenvalue_part(mode, 0), 8);
        if (mode->conjugate != k)
            rt_table_format(&table, "+-%s", number);
        else
            rt_table_cell(&table, mode->eigenvalue[1] == 0 ? "" : number);
        rt_table_real(&table, mode->condition, 2);
        if (mode->rigid)
            rt_table_cell(&table, "exact");
        else
            rt_table_format(&table, "%d", (int)c->digits[k]);
    }
    rt_table_write(&table, text);
}

/* ---- cells ----------------------------------------------------------------------------------- */

static const char *word(const routh_check_cell *cell)
{
    switch (cell->state) {
    case ROUTH_CELL_REFERENCE: return "reference";
    case ROUTH_CELL_COMPARED: return routh_verdict_name(cell->verdict);
    case ROUTH_CELL_REFUSED: return "refused";
    case ROUTH_CELL_FAILED: return "failed";
    case ROUTH_CELL_LEFT_OUT: break;
    }
    return "left out";
}

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

static void one_cell(rt_table *table, const routh_check_cell *cell, const char *coordinates,
                     int number, int more)
{
    const bool compared = cell->state == ROUTH_CELL_COMPARED;
    rt_table_cell(table, coordinates);
    if (more)
        rt_table_format(table, "%s and %d more", cell->method, more);
    else
        rt_table_cell(table, cell->method);
    if (number)
        rt_table_format(table, "%s [%d]", word(cell), number);
    else
        rt_table_cell(table, word(cell));
    margin(table, compared ? cell->margin : NAN);
    margin(table, compared ? cell->difference : NAN);
    margin(table, compared && cell->stated_error > 0 ? cell->stated_error : NAN);
    margin(table, compared && !isnan(cell->mac) ? fmax(1 - cell->mac, 0) : NAN);
    if (isnan(cell->seconds))
        rt_table_cell(table, "");
    else
        rt_table_real(table, 1e3 * cell->seconds, 3);
}

static void check_table_cells(rt_text *text, const routh_check *c)
{
    static const char *const heads[] = {"coordinates", "method",    "agrees", "margin",
                                        "eigenvalues", "own error", "shapes", "time"};
    static const char *const units[] = {"",       "",       "",        "of 1 allowed",
                                        "off by", "stated", "1 - MAC", "ms"};
    rt_table table = {.align = "lllrrrrr"};
    const char *notes[MOST_NOTES];
    int n_notes = 0;
    rt_text_append(text, "\nEvery coordinate set by every method; eigenvalues are off by the "
                         "largest distance over the spectral radius\n");
    rt_table_heads(&table, heads);
    rt_table_heads(&table, units);
    for (int k = 0, more; k < c->n_cells; k += 1 + more) {
        const routh_check_cell *cell = &c->cells[k];
        const bool same = k > 0 && strcmp(c->cells[k - 1].coordinates, cell->coordinates) == 0;
        more = alike(c, k);
        one_cell(&table, cell, same ? "" : cell->coordinates,
                 check_table_note(notes, &n_notes, cell->why), more);
    }
    rt_table_write(&table, text);
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
    rt_text out = {0};
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
