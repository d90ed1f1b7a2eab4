/* The table of modes for the terminal: a pair of conjugates is one line. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "output/heading.h"
#include "base/number.h"
#include "output/table.h"

enum { DIGITS = 8, NAMED_ROWS = 5 };

static bool unstable(const routh_mode *mode)
{
    return !mode->rigid && rt_eigenvalue_part(mode, 0) > 0;
}

/* The second of a pair, shown with the first. */
static bool shown_before(const routh_modes *modes, int i)
{
    return modes->modes[i].eigenvalue[1] < 0 && modes->modes[i].conjugate != i;
}

static void eigenvalue(rt_table *table, const routh_modes *modes, int i)
{
    const routh_mode *mode = &modes->modes[i];
    char number[RT_NUMBER_SIZE];
    rt_table_real(table, rt_eigenvalue_part(mode, 0), DIGITS);
    rt_number_text(number, mode->eigenvalue[1], DIGITS);
    if (mode->conjugate != i)
        rt_table_format(table, "+-%s", number);
    else
        rt_table_cell(table, mode->eigenvalue[1] == 0 ? "" : number);
}

/* "rotor 71 %" of the largest share of the kind, "" where there is none. */
static void modes_table_largest(rt_table *table, rt_shares *shares, const routh_linear *linear,
                                const routh_mode *mode, routh_energy_kind kind)
{
    rt_shares_of(shares, linear, mode, kind);
    if (shares->n == 0) {
        rt_table_cell(table, "");
        return;
    }
    const int index = shares->order[0];
    const char *name = linear->shares[index].name;
    if (strncmp(name, "body ", 5) == 0 || strncmp(name, "load ", 5) == 0) name += 5;
    const double percent = 100 * shares->fractions[index];
    rt_table_format(table, fabs(percent) >= 9.95 ? "%s %.0f %%" : "%s %.2g %%", name, percent);
}

/* More than half of it is in states of controllers. */
static bool of_controller(const routh_mode *mode) { return mode->control > 0.5; }

static void modes_table_note(rt_table *table, const routh_modes *modes, int i)
{
    const routh_mode *mode = &modes->modes[i];
    const double re = rt_eigenvalue_part(mode, 0), im = fabs(mode->eigenvalue[1]);
    const bool controller = of_controller(mode);
    rt_text text = {0};
    char number[RT_NUMBER_SIZE];
    if (mode->rigid)
        rt_text_append(&text, controller ? "stays where it is put" : "rigid: moves freely");
    else if (unstable(mode)) {
        rt_number_text(number, log(2) / re, 3);
        rt_text_append(&text, "UNSTABLE: doubles in %s s", number);
    } else if (im == 0 && re < 0) {
        rt_number_text(number, log(2) / -re, 3);
        rt_text_append(&text, "%shalves in %s s", controller ? "" : "overdamped: ", number);
    } else if (im > 0) {
        rt_number_text(number, 2 * 3.14159265358979323846 / im, 4);
        rt_text_append(&text, "period %s s", number);
    }
    if (controller) rt_text_append(&text, "%scontroller", text.length > 0 ? "; " : "");
    if (mode->multiplicity > 1)
        rt_text_append(&text, "%sone of %d equal", text.length > 0 ? "; " : "", mode->multiplicity);
    rt_table_cell(table, rt_text_string(&text));
    table->cells.failed = table->cells.failed || text.failed;
    rt_text_free(&text);
}

/* Where only some eigenvalues were wanted, energies are not computed. */
static bool has_energies(const routh_modes *modes) { return modes->wanted.n_regions == 0; }

static void modes_table_one_line(rt_table *table, int number, const routh_results *results, int i,
                                 rt_shares *shares)
{
    const routh_mode *mode = &results->modes->modes[i];
    rt_table_format(table, "%d", number);
    eigenvalue(table, results->modes, i);
    if (mode->rigid) {
        rt_table_cell(table, "0");
        rt_table_cell(table, "");
        rt_table_cell(table, "");
    } else {
        rt_table_real(table, mode->undamped_frequency_hz, DIGITS);
        rt_table_real(table, mode->damped_frequency_hz, DIGITS);
        rt_table_real(table, rt_eigenvalue_part(mode, 0) == 0 ? 0 : 100 * mode->damping_ratio, 4);
    }
    /* what is below 0.05 % is none */
    if (rt_shows_control(results))
        rt_table_real(table, mode->control < 5e-4 ? 0 : 100 * mode->control, 3);
    if (has_energies(results->modes)) {
        modes_table_largest(table, shares, results->linear, mode, ROUTH_ENERGY_KINETIC);
        modes_table_largest(table, shares, results->linear, mode, ROUTH_ENERGY_STRAIN);
    }
    modes_table_note(table, results->modes, i);
}

typedef struct modes_table_columns {
    bool control, energies;
} modes_table_columns;

/* Of the ten columns those that are shown. */
static bool has_column(modes_table_columns c, int k)
{
    return (k != 6 || c.control) && ((k != 7 && k != 8) || c.energies);
}

static void modes_table_heads(rt_table *table, modes_table_columns c)
{
    static const char *const rows[2][10] = {
        {"mode", "real part", "imaginary", "undamped", "damped", "damping", "controllers",
         "most kinetic", "most strain", ""},
        {"", "1/s", "rad/s", "Hz", "Hz", "%", "%", "energy in", "energy in", ""}};
    for (int row = 0; row < 2; row++)
        for (int k = 0; k < 10; k++)
            if (has_column(c, k)) rt_table_cell(table, rows[row][k]);
}

static void modes_table_verdict(rt_text *text, const routh_results *results)
{
    int n_unstable = 0;
    for (int i = 0; i < results->modes->n; i++) n_unstable += unstable(&results->modes->modes[i]);
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

static void modes_table_write(rt_text *text, const routh_results *results, rt_shares *shares)
{
    const routh_modes *modes = results->modes;
    const modes_table_columns shown = {rt_shows_control(results), has_energies(modes)};
    char align[11] = "";
    for (int k = 0, n = 0; k < 10; k++)
        if (has_column(shown, k)) align[n++] = "rrrrrrrlll"[k], align[n] = '\0';
    rt_table table = {.align = align};
    int number = 0;
    rt_heading(text, results, NAMED_ROWS);
    modes_table_wanted(text, modes, results->linear->n_states);
    rt_heading_warnings(text, results);
    rt_text_append(text, "\n");
    if (modes->n == 0) {
        rt_text_append(text, "The mechanism has no degree of freedom left, so it has no modes.\n");
        return;
    }
    modes_table_heads(&table, shown);
    for (int i = 0; i < modes->n; i++)
        if (!shown_before(modes, i)) modes_table_one_line(&table, ++number, results, i, shares);
    rt_table_write(&table, text);
    modes_table_verdict(text, results);
    rt_realization_table(text, results);
    rt_branches_table(text, results);
}

routh_status routh_modes_table(const routh_results *results, routh_text *text, routh_error *error)
{
    *text = (routh_text){0};
    rt_shares shares;
    routh_status status =
        rt_results_check(results, RT_NEED_LINEAR | RT_NEED_MODES, error);
    if (!status) status = modes_table_check(results->modes, error);
    if (!status) status = rt_shares_create(&shares, results->linear, error);
    if (status) return status;
    rt_text out = {0};
    modes_table_write(&out, results, &shares);
    rt_shares_free(&shares);
    status = rt_attribution_table(&out, results, error);
    if (status) rt_text_free(&out);
    return status ? status : rt_results_hand_over(&out, text, error);
}
