/* The table of modes for the terminal: a pair of conjugates is one line. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "output/heading.h"
#include "output/mode_fields.h"

enum { NAMED_ROWS = 5 };

/* The second of a pair, shown with the first. */
static bool shown_before(const routh_modes *modes, int i)
{
    return modes->modes[i].eigenvalue[1] < 0 && modes->modes[i].conjugate != i;
}

static void modes_table_verdict(rt_text *text, const routh_results *results)
{
    int n_unstable = 0;
    for (int i = 0; i < results->modes->n; i++)
        n_unstable += rt_mode_is_unstable(&results->modes->modes[i]);
    if (n_unstable == 0 || !results->linear->steady) return;
    rt_text_append(
        text, "%d of %d eigenvalues %s a positive real part: the operating point is unstable.\n",
        n_unstable, results->modes->n, n_unstable == 1 ? "has" : "have");
}

/* A NaN would be shown as a number among others. */
static routh_status modes_table_check(const routh_modes *modes, routh_error *error)
{
    for (int i = 0; i < modes->n; i++)
        if (!isfinite(modes->modes[i].eigenvalue[0]) || !isfinite(modes->modes[i].eigenvalue[1]))
            return rt_fail(error, ROUTH_NUMERIC_ERROR,
                           "modes[%d].eigenvalue is not a finite number", i);
    return ROUTH_OK;
}

/* "0.1+5i", a real number without its imaginary part */
static void number_text(char *out, size_t size, const double x[2])
{
    char re[RT_NUMBER_SIZE], im[RT_NUMBER_SIZE];
    rt_number_text(re, x[0], 6);
    rt_number_text(im, x[1], 6);
    if (x[1] == 0)
        snprintf(out, size, "%s", re);
    else if (x[0] == 0)
        snprintf(out, size, "%si", im);
    else
        snprintf(out, size, "%s+%si", re, im);
}

static void modes_table_region(rt_text *text, const routh_selection *w,
                               const routh_selection_region *r)
{
    char near[2 * RT_NUMBER_SIZE + 2], radius[RT_NUMBER_SIZE], high[RT_NUMBER_SIZE];
    number_text(near, sizeof near, r->near);
    rt_number_text(radius, r->radius, 4);
    rt_number_text(high, w->high, 6);
    if (w->between) {
        rt_number_text(near, w->low, 6);
        rt_heading_line(text, "counted", "all between %s and %s Hz, by %s", near, high,
                        routh_count_name(r->counted));
    } else if (r->counted == ROUTH_COUNT_NONE)
        rt_heading_line(text, "not counted", "equal ones near %s 1/s may be missing", near);
    else if (isinf(r->radius))
        rt_heading_line(text, "counted", "these are all there are");
    else if (r->counted == ROUTH_COUNT_ALL)
        rt_heading_line(text, "counted", "all nearer than %s 1/s to %s 1/s, as all were found",
                        radius, near);
    else
        rt_heading_line(text, "counted", "all nearer than %s 1/s to %s 1/s, by %s", radius, near,
                        routh_count_name(r->counted));
}

/* Where only some eigenvalues were wanted. */
static void modes_table_wanted(rt_text *text, const routh_modes *modes, int n_states)
{
    const routh_selection *w = &modes->wanted;
    char near[2 * RT_NUMBER_SIZE + 2], residual[RT_NUMBER_SIZE];
    double worst = 0;
    if (w->n_regions == 0) return;
    for (int i = 0; i < modes->n; i++) worst = fmax(worst, modes->modes[i].residual);
    number_text(near, sizeof near, w->regions[0].near);
    rt_number_text(residual, fmax(worst, w->violation), 2);
    if (w->between)
        rt_heading_line(text, "eigenvalues", "%d of %d; residual at most %s", modes->n, n_states,
                        residual);
    else if (w->n_regions > 1)
        rt_heading_line(text, "eigenvalues",
                        "%d of %d, those nearest to %d numbers; residual at most %s", modes->n,
                        n_states, w->n_regions, residual);
    else
        rt_heading_line(text, "eigenvalues",
                        "%d of %d, those nearest to %s 1/s; residual at most %s", modes->n,
                        n_states, near, residual);
    for (int k = 0; k < w->n_regions; k++) modes_table_region(text, w, &w->regions[k]);
}

static void modes_table_rows(rt_text *text, const routh_results *results, rt_mode_work *work)
{
    rt_result_lines lines;
    rt_result_row row = {.results = results, .work = work};
    int number = 0;
    rt_result_begin(&lines, text, &rt_mode_table, &row);
    for (int i = 0; i < results->modes->n; i++) {
        if (shown_before(results->modes, i)) continue;
        row = rt_mode_row(results, i, work);
        row.number = ++number;
        rt_result_line(&lines, &row);
    }
    rt_result_end(&lines);
}

static void modes_table_rotor(rt_text *text, const routh_rotor *r)
{
    char speed[RT_NUMBER_SIZE], change[RT_NUMBER_SIZE], axis[3][RT_NUMBER_SIZE];
    if (!r) return;
    rt_number_text(speed, r->speed, 6);
    rt_number_text(change, r->variation, 2);
    for (int c = 0; c < 3; c++) rt_number_text(axis[c], r->axis[c], 4);
    rt_heading_line(text, "multi-blade", "%d blades, %s rad/s about [%s, %s, %s]", r->n_blades,
                    speed, axis[0], axis[1], axis[2]);
    if (r->n_azimuths > 1)
        rt_heading_line(text, "", "A is constant: at %d azimuths eigenvalues differ by %s",
                        r->n_azimuths, r->variation < 1e-12 ? "less than 1e-12" : change);
}

static void modes_table_write(rt_text *text, const routh_results *results, rt_mode_work *work)
{
    rt_heading(text, results, NAMED_ROWS);
    modes_table_rotor(text, results->linear->rotor);
    modes_table_wanted(text, results->modes, results->linear->n_states);
    rt_heading_warnings(text, results);
    rt_text_append(text, "\n");
    if (results->modes->n == 0) {
        rt_text_append(text,
                       "The mechanism has no degree of freedom left, so it has no modes. %s\n",
                       rt_words_without_states(results->linear));
        return;
    }
    modes_table_rows(text, results, work);
    modes_table_verdict(text, results);
    rt_part_energies_lines(text, results, work);
    rt_realization_table(text, results);
    rt_branches_table(text, results);
}

routh_status routh_modes_table(const routh_results *results, routh_text *text, routh_error *error)
{
    *text = (routh_text){0};
    rt_mode_work work;
    routh_status status =
        rt_results_check(results, RT_NEED_LINEAR | RT_NEED_MODES, error);
    if (!status) status = modes_table_check(results->modes, error);
    if (!status) status = rt_mode_work_create(&work, results->linear, error);
    if (status) return status;
    rt_text out = {.units = results->units};
    modes_table_write(&out, results, &work);
    rt_mode_work_free(&work);
    status = rt_attribution_table(&out, results, error);
    if (status) rt_text_free(&out);
    return status ? status : rt_results_hand_over(&out, text, error);
}
