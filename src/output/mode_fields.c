/* The table of modes: a line here is a column of the terminal table, a member in JSON, a column in
 * CSV, an attribute in Python and a column of the report's page. */
#include "output/mode_fields.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- values --------------------------------------------------------------------------------- */

static const routh_mode *mode_at(const rt_result_row *row) { return row->of; }

static int mode_index(const rt_result_row *row) { return row->index; }

static int mode_number(const rt_result_row *row) { return row->number; }

static double mode_real_part_shown(const rt_result_row *row)
{
    return rt_eigenvalue_part(mode_at(row), 0);
}

static double mode_damping_shown(const rt_result_row *row) { return rt_mode_damping(mode_at(row)); }

/* what is below 0.05 % is none */
static double mode_control_shown(const rt_result_row *row)
{
    return mode_at(row)->control < 5e-4 ? 0 : mode_at(row)->control;
}

/* ---- when they are there -------------------------------------------------------------------- */

static bool control_is_shown(const rt_result_row *row) { return rt_shows_control(row->results); }

static bool modes_are_selected(const rt_result_row *row)
{
    return row->results->modes->wanted.n_regions > 0;
}

/* Where only some eigenvalues were wanted, energies are not computed. */
static bool energies_are_there(const rt_result_row *row) { return !modes_are_selected(row); }

/* Where writing needs no work nothing is written of them: the page. */
static bool parts_are_there(const rt_result_row *row)
{
    const rt_mode_work *work = row->work;
    return energies_are_there(row) && work && work->parts.n;
}

static bool attribution_is_there(const rt_result_row *row)
{
    return row->results->attribution != NULL;
}

static bool realization_is_there(const rt_result_row *row)
{
    return row->results->realization != NULL;
}

static bool shapes_are_asked(const rt_result_row *row) { return row->results->shapes; }

static bool nodes_are_asked(const rt_result_row *row)
{
    return row->results->shapes && row->results->linear->n_flexible;
}

static bool rotor_is_there(const rt_result_row *row)
{
    return row->results && row->results->linear && row->results->linear->rotor;
}

/* ---- of the blades of a rotor ---------------------------------------------------------------- */

static routh_blade_motion mode_blades(const rt_result_row *row)
{
    routh_blade_motion m = {.name = "", .share = NAN, .whirl = NAN, .frequency_hz = NAN};
    if (rotor_is_there(row)) routh_mode_blades(row->results->linear, mode_at(row), &m);
    return m;
}

static const char *mode_blade_name(const rt_result_row *row) { return mode_blades(row).name; }
static int mode_blade_order(const rt_result_row *row) { return mode_blades(row).order; }
static double mode_blade_share(const rt_result_row *row) { return mode_blades(row).share; }
static double mode_blade_whirl(const rt_result_row *row) { return mode_blades(row).whirl; }
static double mode_blade_frequency(const rt_result_row *row)
{
    return mode_blades(row).frequency_hz;
}

/* "cyclic forward 98 %" */
static void mode_cell_blades(rt_table *table, const rt_result_row *row)
{
    const routh_blade_motion m = mode_blades(row);
    char text[64] = "";
    const char *way = m.whirl > 0.1 ? " forward" : m.whirl < -0.1 ? " backward" : "";
    if (*m.name) snprintf(text, sizeof text, "%s%s %.0f %%", m.name, way, 100 * m.share);
    rt_table_cell(table, text);
}

static void write_realization(rt_json *json, const char *key, const rt_result_row *row)
{
    (void)key;
    rt_json_realization(json, row->results, row->index);
}

static void write_attribution(rt_json *json, const char *key, const rt_result_row *row)
{
    (void)key;
    rt_json_attribution(json, row->results, row->index);
}

/* ---- the table ------------------------------------------------------------------------------ */

static const rt_result_field mode_fields[] = {
    {.csv = "index", .type = RT_RESULT_COUNT, .count = mode_index,
     .meaning = "place in `modes` of the JSON, from 0"},
    {.type = RT_RESULT_COUNT, .count = mode_number, .head = "mode",
     .meaning = "number of the mode, from 1; of a pair of conjugates one is counted"},
    {.key = "eigenvalue", .type = RT_RESULT_COMPLEX, RT_AT(routh_mode, eigenvalue), .unit = "1/s",
     .meaning = "eigenvalue s, `[re, im]` in 1/s and rad/s"},
    {.csv = "real", .member = "eigenvalue", .part_of = 0, .type = RT_RESULT_REAL,
     RT_AT(routh_mode, eigenvalue), .out_of = 2, .shown = mode_real_part_shown, .unit = "1/s",
     .meaning = "real part of the eigenvalue", .head = "real part", .cell = rt_mode_cell_real,
     .page = "Real part", .page_help = "Real part of the eigenvalue", .page_rank = 4},
    {.csv = "imaginary", .member = "eigenvalue", .part_of = 1, .type = RT_RESULT_REAL,
     RT_AT(routh_mode, eigenvalue), .out_of = 2, .unit = "rad/s", .circular = true,
     .meaning = "imaginary part of the eigenvalue", .head = "imaginary",
     .cell = rt_mode_cell_imaginary, .page = "Imag. part",
     .page_help = "Imaginary part of the eigenvalue", .page_rank = 5, .page_digits = 5},
    {.key = "undamped_frequency_hz", .csv = "undamped_frequency_hz", .type = RT_RESULT_REAL,
     RT_AT(routh_mode, undamped_frequency_hz), .unit = "Hz",
     .meaning = "undamped natural frequency, |s| / 2 pi", .head = "undamped",
     .cell = rt_mode_cell_undamped, .page = "Undamped", .page_help = "Undamped frequency",
     .page_rank = 3, .page_digits = 5},
    {.key = "damped_frequency_hz", .csv = "damped_frequency_hz", .type = RT_RESULT_REAL,
     RT_AT(routh_mode, damped_frequency_hz), .unit = "Hz",
     .meaning = "damped natural frequency, |Im s| / 2 pi", .head = "damped",
     .cell = rt_mode_cell_damped, .page = "Frequency", .page_help = "Damped frequency",
     .page_rank = 1, .page_digits = 5},
    {.key = "damping_ratio", .csv = "damping_ratio", .type = RT_RESULT_REAL,
     RT_AT(routh_mode, damping_ratio), .shown = mode_damping_shown,
     .meaning = "damping ratio, -Re s / |s|; 0 for a zero eigenvalue", .head = "damping",
     .digits = 4, .percent = true, .cell = rt_mode_cell_damping, .page = "Damping",
     .page_help = "Damping ratio", .page_rank = 2, .page_digits = 3},
    {.key = "rigid", .csv = "rigid", .type = RT_RESULT_TRUTH, RT_AT(routh_mode, rigid),
     .meaning = "a zero eigenvalue: rigid-body or neutral motion"},
    {.key = "control", .csv = "control", .type = RT_RESULT_REAL, RT_AT(routh_mode, control),
     .shown = mode_control_shown, .there = control_is_shown,
     .meaning = "with controllers: "
                "[fraction](../guide/modes-and-energies.md#modes-of-controllers) of their states "
                "in the mode, 0 to 1",
     .head = "controllers", .digits = 3, .percent = true, .data_digits = 17},
    {.key = "multiplicity", .csv = "multiplicity", .type = RT_RESULT_COUNT,
     RT_AT(routh_mode, multiplicity),
     .meaning = "how many eigenvalues agree with this one within their error bounds, itself "
                "included"},
    {.key = "defective", .csv = "defective", .type = RT_RESULT_COUNT, RT_AT(routh_mode, defective),
     .meaning = "how many eigenvalues, itself included, "
                "[rounding could make of one defective eigenvalue]"
                "(../theory/eigenvalues.md#defective-eigenvalues), such as that of critical "
                "damping; 0 where it is none of such"},
    {.key = "conjugate", .csv = "conjugate", .type = RT_RESULT_COUNT, RT_AT(routh_mode, conjugate),
     .meaning = "index in `modes` of the complex conjugate, its own for a real eigenvalue"},
    {.key = "blades", .csv = "blades", .type = RT_RESULT_TEXT, .text = mode_blade_name,
     .there = rotor_is_there, .head = "blades", .align = 'l', .cell = mode_cell_blades,
     .meaning = "with `--blades`: how the blades move for the most part: collective, cyclic or "
                "reactionless"},
    {.key = "blade_order", .csv = "blade_order", .type = RT_RESULT_COUNT, .count = mode_blade_order,
     .there = rotor_is_there,
     .meaning = "with `--blades`: n of the largest part exp(i n psi_k) of blade k; 0 collective, 1 "
                "and -1 cyclic"},
    {.key = "blade_share", .csv = "blade_share", .type = RT_RESULT_REAL, .real = mode_blade_share,
     .there = rotor_is_there, .nullable = true,
     .meaning = "with `--blades`: fraction of the orders n and -n in the motion of the blades"},
    {.key = "whirl", .csv = "whirl", .type = RT_RESULT_REAL, .real = mode_blade_whirl,
     .there = rotor_is_there, .nullable = true,
     .meaning = "with `--blades`: 1 where the wave of the blades goes around with the rotation, -1 "
                "against it, 0 where it stands"},
    {.key = "rotating_frequency_hz", .csv = "rotating_frequency_hz", .type = RT_RESULT_REAL,
     .real = mode_blade_frequency, .there = rotor_is_there, .nullable = true, .unit = "Hz",
     .meaning = "with `--blades`: frequency of that part as the blades see it",
     .head = "in blades"},
    {.key = "condition", .csv = "condition", .type = RT_RESULT_REAL, RT_AT(routh_mode, condition),
     .nullable = true,
     .meaning = "condition number of the eigenvalue, 1 or more; `null` with `--wanted`"},
    {.key = "error_bound", .csv = "error_bound", .type = RT_RESULT_REAL,
     RT_AT(routh_mode, error_bound), .nullable = true, .unit = "1/s", .data_digits = 3,
     .meaning = "estimate of the absolute error of the eigenvalue from rounding; with `--method "
                "penalty` also the [bound](../theory/penalty.md#the-bounds) of the method's "
                "error"},
    {.key = "residual", .type = RT_RESULT_REAL, RT_AT(routh_mode, residual),
     .there = modes_are_selected,
     .meaning = "with `--wanted`: how well the pair solves the equations, relative to their "
                "largest terms"},
    {.type = RT_RESULT_TEXT, .head = "kinetic energy", .head_unit = "most of it in", .align = 'l',
     .cell = rt_mode_cell_kinetic, .there = energies_are_there,
     .meaning = "body with the largest fraction of the kinetic energy"},
    {.type = RT_RESULT_TEXT, .head = "strain energy", .head_unit = "most of it in", .align = 'l',
     .cell = rt_mode_cell_strain, .there = energies_are_there,
     .meaning = "load, joint or body with the largest fraction of the strain energy"},
    {.type = RT_RESULT_TEXT, .head = "", .align = 'l', .cell = rt_mode_cell_note,
     .meaning = "period; unstable or rigid-body mode; repeated eigenvalue"},
    {.key = "energies", .type = RT_RESULT_OBJECT, .items = &rt_energies_table,
     .write = rt_mode_write_energies,
     .meaning = "fractions of the energies by element, the largest first; empty with `--wanted`"},
    {.key = "part_energies", .type = RT_RESULT_LIST, .items = &rt_part_energies_table,
     .write = rt_mode_write_parts, .there = parts_are_there,
     .meaning = "where the model has [parts](../guide/parts.md): fractions of the energies by "
                "part"},
    {.key = "realization", .type = RT_RESULT_OBJECT, .items = &rt_mode_realization_table,
     .write = write_realization, .there = realization_is_there,
     .meaning = "with `--realization`"},
    {.key = "attribution", .type = RT_RESULT_OBJECT, .items = &rt_attribution_fields,
     .write = write_attribution, .there = attribution_is_there, .meaning = "with `--energies`"},
    {.key = "shape", .type = RT_RESULT_LIST, .items = &rt_marker_motion_table,
     .write = rt_mode_write_shape, .there = shapes_are_asked,
     .meaning = "with `--shapes`: how every marker moves"},
    {.key = "nodes", .type = RT_RESULT_LIST, .items = &rt_node_motion_table,
     .write = rt_mode_write_nodes, .there = nodes_are_asked,
     .meaning = "with `--shapes`, where there are flexible bodies: how every node of theirs "
                "moves"},
};

const rt_result_table rt_mode_table = {"mode", "A mode", "", RT_FIELDS(mode_fields)};

routh_status routh_modes_values(const routh_modes *modes, const char *name, double *values,
                                routh_error *error)
{
    for (int k = 0; k < rt_mode_table.n; k++) {
        const rt_result_field *field = &mode_fields[k];
        const bool number = field->type == RT_RESULT_REAL || field->type == RT_RESULT_COUNT ||
                            field->type == RT_RESULT_TRUTH;
        if (!field->key || !number || strcmp(field->key, name) != 0) continue;
        for (int i = 0; i < modes->n; i++)
            values[i] =
                rt_result_number(field, &(rt_result_row){.of = &modes->modes[i], .index = i});
        return ROUTH_OK;
    }
    return rt_fail(error, ROUTH_BAD_ARGUMENT, "modes have no number named '%.80s'", name);
}
