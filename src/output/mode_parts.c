/* Members and cells of a mode that are no plain numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/eigenvalue.h"
#include "base/number.h"
#include "output/mode_fields.h"

enum { DIGITS = 8, DAMPING_DIGITS = 4, PERIOD_DIGITS = 4 };

routh_status rt_mode_work_create(rt_mode_work *work, const routh_linear *linear, routh_error *error)
{
    int most = 1;
    for (int b = 0; b < linear->n_flexible; b++)
        if (linear->flexible[b].n > most) most = linear->flexible[b].n;
    *work = (rt_mode_work){.elastic = calloc(2 * (size_t)most, sizeof(double))};
    if (!work->elastic) return rt_fail_memory(error);
    routh_status status = rt_shares_create(&work->shares, linear, error);
    if (!status) status = rt_part_shares_create(&work->parts, linear, error);
    if (status) rt_mode_work_free(work);
    return status;
}

void rt_mode_work_free(rt_mode_work *work)
{
    free(work->elastic);
    rt_shares_free(&work->shares);
    rt_part_shares_free(&work->parts);
    work->elastic = NULL;
}

bool rt_mode_is_unstable(const routh_mode *mode)
{
    return !mode->rigid && rt_eigenvalue_part(mode, 0) > 0;
}

rt_result_row rt_mode_row(const routh_results *results, int i, void *work)
{
    return (rt_result_row){
        .results = results, .of = &results->modes->modes[i], .index = i, .work = work};
}

/* ---- cells of the terminal table ------------------------------------------------------------- */

/* So many of the digits that the last one is no smaller than the bound, of what is shown; one at
 * least. */
static int digits_within(const rt_table *table, double number, double error, int most)
{
    const double x = rt_table_scaled(table, number), bound = rt_table_scaled(table, error);
    if (x == 0 || !(bound > 0)) return most;
    const double digits = floor(log10(fabs(x))) + 1 - ceil(log10(bound));
    return digits >= most ? most : digits > 1 ? (int)digits : 1;
}

void rt_mode_cell_real(rt_table *table, const rt_result_row *row)
{
    const routh_mode *mode = row->of;
    const double real = rt_eigenvalue_part(mode, 0);
    rt_table_real(table, real, digits_within(table, real, mode->error_bound, DIGITS));
}

void rt_mode_cell_imaginary(rt_table *table, const rt_result_row *row)
{
    const routh_mode *mode = row->of;
    const double imaginary = mode->eigenvalue[1];
    rt_result_cell_pair(table, imaginary, mode->conjugate != row->index,
                        digits_within(table, imaginary, mode->error_bound, DIGITS));
}

static int digits_of_hz(const rt_table *table, const routh_mode *mode, double hz)
{
    return digits_within(table, hz, mode->error_bound / RT_TWO_PI, DIGITS);
}

static void cell_unless_rigid(rt_table *table, const routh_mode *mode, double x, int digits)
{
    if (mode->rigid)
        rt_table_cell(table, "");
    else
        rt_table_real(table, x, digits);
}

void rt_mode_cell_undamped(rt_table *table, const rt_result_row *row)
{
    const routh_mode *mode = row->of;
    const double hz = mode->rigid ? 0 : mode->undamped_frequency_hz;
    rt_table_real(table, hz, digits_of_hz(table, mode, hz));
}

void rt_mode_cell_damped(rt_table *table, const rt_result_row *row)
{
    const routh_mode *mode = row->of;
    const double hz = mode->damped_frequency_hz;
    cell_unless_rigid(table, mode, hz, digits_of_hz(table, mode, hz));
}

void rt_mode_cell_damping(rt_table *table, const rt_result_row *row)
{
    const routh_mode *mode = row->of;
    const double size = hypot(mode->eigenvalue[0], mode->eigenvalue[1]);
    const double percent = 100 * rt_mode_damping(mode);
    cell_unless_rigid(table, mode, percent,
                      digits_within(table, percent, 100 * mode->error_bound / size,
                                    DAMPING_DIGITS));
}

/* "rotor 71 %" of the largest share of the kind, "" where there is none. */
static void mode_cell_largest(rt_table *table, const rt_result_row *row, routh_energy_kind kind)
{
    rt_shares *shares = &((rt_mode_work *)row->work)->shares;
    const routh_linear *linear = row->results->linear;
    rt_shares_of(shares, linear, row->of, kind);
    if (shares->n == 0) {
        rt_table_cell(table, "");
        return;
    }
    const int index = shares->order[0];
    const char *name = linear->shares[index].name;
    double fraction = shares->fractions[index];
    if (row->results->parts) name = rt_mode_largest_part(row->work, row, &fraction);
    if (!name) name = "";
    if (strncmp(name, "body ", 5) == 0 || strncmp(name, "load ", 5) == 0) name += 5;
    const double percent = 100 * fraction;
    rt_table_format(table, fabs(percent) >= 9.95 ? "%s %.0f %%" : "%s %.2g %%", name, percent);
}

void rt_mode_cell_kinetic(rt_table *table, const rt_result_row *row)
{
    mode_cell_largest(table, row, ROUTH_ENERGY_KINETIC);
}

void rt_mode_cell_strain(rt_table *table, const rt_result_row *row)
{
    mode_cell_largest(table, row, ROUTH_ENERGY_STRAIN);
}

/* Is there an eigenvalue -s too? Such a pair is that of an equilibrium that is unstable by its
 * stiffness, and damping has no part in it. */
static bool has_mirror(const routh_modes *modes, const routh_mode *mode)
{
    const double s = mode->eigenvalue[0];
    for (int k = 0; k < modes->n; k++) {
        const routh_mode *other = &modes->modes[k];
        const double off = fabs(other->eigenvalue[0] + s);
        if (other->eigenvalue[1] == 0 &&
            off <= mode->error_bound + other->error_bound + 1e-12 * fabs(s))
            return true;
    }
    return false;
}

/* More than half of it is in states of controllers. */
static bool mode_is_of_controller(const routh_mode *mode) { return mode->control > 0.5; }

/* Of a defective eigenvalue t e^(st) is a motion too, which grows where the real part is zero. */
static const char *defective_words(const routh_mode *mode)
{
    if (!mode->defective) return "";
    return fabs(mode->eigenvalue[0]) <= mode->error_bound ? ", defective: may grow with time"
                                                          : ", defective";
}

void rt_mode_cell_note(rt_table *table, const rt_result_row *row)
{
    const routh_mode *mode = row->of;
    const double shown[2] = {rt_eigenvalue_part(mode, 0), mode->eigenvalue[1]};
    const bool controller = mode_is_of_controller(mode);
    rt_text text = {0};
    char number[RT_NUMBER_SIZE];
    if (mode->rigid)
        rt_text_append(&text, controller ? "neutrally stable" : "rigid-body mode");
    else if (rt_mode_is_unstable(mode)) {
        rt_number_text(number, rt_halving_time(shown), 3);
        rt_text_append(&text, "UNSTABLE: doubles in %s s", number);
    } else if (shown[1] == 0 && shown[0] < 0) {
        rt_number_text(number, rt_halving_time(shown), 3);
        rt_text_append(
            &text, "%shalves in %s s",
            controller || has_mirror(row->results->modes, mode) ? "" : "overdamped: ", number);
    } else if (shown[1] != 0) {
        const double period = rt_period(shown);
        const double bound = period * mode->error_bound / fabs(shown[1]);
        rt_number_text(number, period, digits_within(table, period, bound, PERIOD_DIGITS));
        rt_text_append(&text, "period %s s", number);
    }
    if (controller) rt_text_append(&text, "%scontroller", text.length > 0 ? "; " : "");
    if (mode->multiplicity > 1)
        rt_text_append(&text, "%sone of %d equal%s", text.length > 0 ? "; " : "",
                       mode->multiplicity, defective_words(mode));
    rt_table_cell(table, rt_text_string(&text));
    table->cells.failed = table->cells.failed || text.failed;
    rt_text_free(&text);
}

/* ---- members in JSON ------------------------------------------------------------------------- */

void rt_mode_write_energies(rt_json *json, const char *key, const rt_result_row *row)
{
    rt_shares *shares = &((rt_mode_work *)row->work)->shares;
    const routh_linear *linear = row->results->linear;
    rt_json_object(json, key);
    for (int kind = ROUTH_ENERGY_KINETIC; kind <= ROUTH_ENERGY_DISSIPATION; kind++) {
        rt_shares_of(shares, linear, row->of, (routh_energy_kind)kind);
        rt_json_flat_object(json, rt_energy_names[kind]);
        for (int i = 0; i < shares->n; i++)
            rt_json_real(json, linear->shares[shares->order[i]].name,
                         shares->fractions[shares->order[i]]);
        rt_json_end(json);
    }
    rt_json_end(json);
}

/* A marker, or a node of a flexible body. */
typedef struct moving_part {
    const char *name;
    int node;
    double motion[12];
} moving_part;

#define MOTION_FIELD                                                                               \
    {                                                                                              \
        .key = "motion", .type = RT_RESULT_REALS, .length = 12, RT_AT(moving_part, motion),        \
        .meaning = "displacement (m) and rotation (rad), real parts, then both again, imaginary "  \
                   "parts; world components"                                                       \
    }

static const rt_result_field marker_motion_fields[] = {
    {.key = "marker", .type = RT_RESULT_TEXT, RT_AT(moving_part, name),
     .meaning = "name of the marker"},
    MOTION_FIELD,
};
const rt_result_table rt_marker_motion_table = {"marker_motion", "Motion of a marker in a mode", "",
                                                RT_FIELDS(marker_motion_fields)};

static const rt_result_field node_motion_fields[] = {
    {.key = "body", .type = RT_RESULT_TEXT, RT_AT(moving_part, name),
     .meaning = "name of the flexible body"},
    {.key = "node", .type = RT_RESULT_COUNT, RT_AT(moving_part, node),
     .meaning = "number of the node"},
    MOTION_FIELD,
};
const rt_result_table rt_node_motion_table = {"node_motion", "Motion of a node in a mode", "",
                                              RT_FIELDS(node_motion_fields)};

void rt_mode_write_shape(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_linear *linear = row->results->linear;
    rt_json_array(json, key);
    for (int k = 0; k < linear->n_markers; k++) {
        moving_part part = {.name = linear->markers[k].name};
        routh_mode_marker(linear, row->of, k, part.motion);
        rt_json_flat_object(json, NULL);
        rt_result_json(json, &rt_marker_motion_table, &(rt_result_row){.of = &part});
        rt_json_end(json);
    }
    rt_json_end(json);
}

void rt_mode_write_nodes(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_linear *linear = row->results->linear;
    double *q = ((rt_mode_work *)row->work)->elastic;
    rt_json_array(json, key);
    for (int b = 0; b < linear->n_flexible; b++) {
        const routh_flexible_body *body = &linear->flexible[b];
        double frame[12];
        routh_mode_marker(linear, row->of, body->marker, frame);
        routh_mode_elastic(linear, row->of, b, q);
        for (int k = 0; k < body->n_nodes; k++) {
            moving_part part = {.name = body->name, .node = body->nodes[k].number};
            routh_mode_node(linear, b, frame, q, k, part.motion);
            rt_json_flat_object(json, NULL);
            rt_result_json(json, &rt_node_motion_table, &(rt_result_row){.of = &part});
            rt_json_end(json);
        }
    }
    rt_json_end(json);
}

/* ---- what they are --------------------------------------------------------------------------- */

static const rt_result_field energies_fields[] = {
    {.key = "kinetic", .type = RT_RESULT_MAP, .meaning = "of bodies: `\"body rotor\"`"},
    {.key = "strain", .type = RT_RESULT_MAP,
     .meaning = "of loads, joints and flexible bodies: `\"load mount\"`, `\"joint hinge\"`"},
    {.key = "dissipation", .type = RT_RESULT_MAP, .meaning = "of loads and flexible bodies"},
};
const rt_result_table rt_energies_table = {"energies", "Energies of a mode", "",
                                           RT_FIELDS(energies_fields)};

