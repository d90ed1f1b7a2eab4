/* What is told of a steady motion: its own numbers, what was prescribed, what was found. */
#include <math.h>

#include "output/descriptor.h"
#include "output/heading.h"

static const char *origin(int prescribed) { return prescribed ? "prescribed" : "found"; }

typedef struct steady_line {
    const char *name, *of, *unit, *is;
    double value;
} steady_line;

static const char *steady_line_unit(const rt_result_row *row, char room[RT_UNIT_SIZE])
{
    (void)room;
    return ((const steady_line *)row->of)->unit;
}

static const rt_result_field steady_line_fields[] = {
    {.type = RT_RESULT_TEXT, RT_AT(steady_line, name), .meaning = "what it is", .head = "quantity",
     .align = 'l'},
    {.type = RT_RESULT_TEXT, RT_AT(steady_line, of), .meaning = "of what", .head = "of",
     .align = 'l'},
    {.type = RT_RESULT_TEXT, RT_AT(steady_line, unit), .meaning = "its unit", .head = "unit",
     .unit_of = steady_line_unit, .names_unit = true, .align = 'l'},
    {.type = RT_RESULT_REAL, RT_AT(steady_line, value), .meaning = "its value", .head = "value",
     .unit_of = steady_line_unit, .digits = 6},
    {.type = RT_RESULT_TEXT, RT_AT(steady_line, is), .meaning = "prescribed or found",
     .head = "is", .align = 'l'},
};
static const rt_result_table steady_line_table = {"steady_line", "", "",
                                                  RT_FIELDS(steady_line_fields)};

static void steady_row(rt_result_lines *lines, const char *name, const char *of, const char *unit,
                       double value, const char *is)
{
    const steady_line line = {name, of, unit, is, value};
    rt_result_line(lines, &(rt_result_row){.of = &line});
}

void rt_steady_table(rt_text *text, const routh_steady *steady)
{
    static const char *const axes[3] = {"acceleration x", "acceleration y", "acceleration z"};
    rt_result_lines lines;
    double speed = 0;
    for (int k = 0; k < 3; k++) speed += steady->velocity[k] * steady->velocity[k];
    speed = sqrt(speed);
    rt_text_append(text,
                   "\nSteady motion: the frame that carries all bodies rotates about (%.6g, "
                   "%.6g, %.6g)\n",
                   steady->axis[0], steady->axis[1], steady->axis[2]);
    rt_result_begin(&lines, text, &steady_line_table, &(rt_result_row){.of = NULL});
    steady_row(&lines, "rotation rate", "the frame", "rad/s", steady->turn_rate,
               origin(steady->turn_rate_prescribed));
    steady_row(&lines, "speed", "centre of mass", "m/s", speed, "");
    steady_row(&lines, "centripetal acceleration", "centre of mass", "m/s^2", steady->acceleration,
               "");
    for (int k = 0; k < 3 && steady->accelerated; k++)
        steady_row(&lines, axes[k], "the frame", "m/s^2", steady->frame_acceleration[k], "found");
    for (int k = 0; k < steady->n_spins; k++)
        steady_row(&lines, "relative spin rate", steady->spins[k].body, "rad/s",
                   steady->spins[k].rate, origin(steady->spins[k].prescribed));
    for (int k = 0; k < steady->n_spins && steady->accelerated; k++)
        steady_row(&lines, "relative spin acceleration", steady->spins[k].body, "rad/s^2",
                   steady->spins[k].acceleration, "found");
    for (int k = 0; k < steady->n_prescribed; k++)
        steady_row(&lines, steady->prescribed[k].name, "", steady->prescribed[k].unit,
                   steady->prescribed[k].value, "prescribed");
    for (int k = 0; k < steady->n_found; k++)
        steady_row(&lines, steady->found[k].name, "input", steady->found[k].unit,
                   steady->found[k].value, "found");
    rt_result_end(&lines);
}

/* ---- in JSON -------------------------------------------------------------------------------- */

static const rt_result_field spin_fields[] = {
    {.key = "body", .type = RT_RESULT_TEXT, RT_AT(routh_spin, body), .meaning = "name of the body"},
    {.key = "axis", .type = RT_RESULT_REALS, .length = 3, RT_AT(routh_spin, axis),
     .meaning = "unit vector in the body's axes"},
    {.key = "rate", .type = RT_RESULT_REAL, RT_AT(routh_spin, rate), .unit = "rad/s",
     .meaning = "relative spin rate, against the moving frame"},
    {.key = "acceleration", .type = RT_RESULT_REAL, RT_AT(routh_spin, acceleration),
     .unit = "rad/s^2", .meaning = "of that rate, in an accelerated motion"},
    {.key = "prescribed", .type = RT_RESULT_TRUTH, RT_AT(routh_spin, prescribed),
     .meaning = "by the model; else found"},
};
static const rt_result_table spin_table = {"spin", "Spin of a body in a steady motion", "",
                                           RT_FIELDS(spin_fields)};

static const rt_result_field prescription_fields[] = {
    {.key = "name", .type = RT_RESULT_TEXT, RT_AT(routh_prescription, name),
     .meaning = "what is prescribed"},
    {.key = "unit", .type = RT_RESULT_TEXT, RT_AT(routh_prescription, unit),
     .meaning = "its unit"},
    {.key = "asked", .type = RT_RESULT_REAL, RT_AT(routh_prescription, asked),
     .meaning = "as prescribed"},
    {.key = "value", .type = RT_RESULT_REAL, RT_AT(routh_prescription, value),
     .meaning = "in the motion found"},
};
static const rt_result_table prescription_table = {"prescription", "Prescribed quantity", "",
                                                   RT_FIELDS(prescription_fields)};

static const rt_result_field found_fields[] = {
    {.key = "input", .type = RT_RESULT_TEXT, RT_AT(routh_found_input, name),
     .meaning = "name of the input"},
    {.key = "unit", .type = RT_RESULT_TEXT, RT_AT(routh_found_input, unit),
     .meaning = "its unit"},
    {.key = "value", .type = RT_RESULT_REAL, RT_AT(routh_found_input, value),
     .meaning = "that the motion needs"},
};
static const rt_result_table found_table = {"found_input", "Input of a steady motion", "",
                                            RT_FIELDS(found_fields)};

static const rt_result_field steady_fields[] = {
    {.key = "axis", .type = RT_RESULT_REALS, .length = 3, RT_AT(routh_steady, axis),
     .meaning = "axis about which the moving frame rotates: unit vector, world"},
    {.key = "turn_rate", .type = RT_RESULT_REAL, RT_AT(routh_steady, turn_rate), .unit = "rad/s",
     .meaning = "rate of that rotation"},
    {.key = "turn_rate_prescribed", .type = RT_RESULT_TRUTH,
     RT_AT(routh_steady, turn_rate_prescribed), .meaning = "by the model; else found"},
    {.key = "velocity", .type = RT_RESULT_REALS, .length = 3, RT_AT(routh_steady, velocity),
     .unit = "m/s", .meaning = "of the mechanism's centre of mass, world components"},
    {.key = "acceleration", .type = RT_RESULT_REAL, RT_AT(routh_steady, acceleration),
     .unit = "m/s^2", .meaning = "centripetal acceleration of the same point"},
    {.key = "accelerated", .type = RT_RESULT_TRUTH, RT_AT(routh_steady, accelerated),
     .meaning = "the moving frame has a constant acceleration"},
    {.key = "frame_acceleration", .type = RT_RESULT_REALS, .length = 3,
     RT_AT(routh_steady, frame_acceleration), .unit = "m/s^2",
     .meaning = "that acceleration, world components"},
    {.key = "drift", .type = RT_RESULT_REAL, RT_AT(routh_steady, drift),
     .meaning = "largest part by which the equations of motion fail where this motion is "
                "continued, over the largest single force"},
    {.key = "spins", .type = RT_RESULT_LIST, .items = &spin_table, RT_AT(routh_steady, spins),
     .n_at = RT_PLACE(routh_steady, n_spins), .size = sizeof(routh_spin),
     .meaning = "bodies that rotate in the moving frame"},
    {.key = "prescribed", .type = RT_RESULT_LIST, .items = &prescription_table,
     RT_AT(routh_steady, prescribed), .n_at = RT_PLACE(routh_steady, n_prescribed),
     .size = sizeof(routh_prescription), .meaning = "by the section `steady`"},
    {.key = "found", .type = RT_RESULT_LIST, .items = &found_table, RT_AT(routh_steady, found),
     .n_at = RT_PLACE(routh_steady, n_found), .size = sizeof(routh_found_input),
     .meaning = "free inputs"},
};
const rt_result_table rt_steady_fields = {"steady", "Steady motion", "", RT_FIELDS(steady_fields)};
