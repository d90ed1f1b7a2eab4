/* What is told of a steady motion: its own numbers, what was prescribed, what was found. */
#include <math.h>

#include "output/heading.h"
#include "output/table.h"

enum { DIGITS = 6 };

static const char *origin(int prescribed) { return prescribed ? "prescribed" : "found"; }

static void steady_row(rt_table *table, const char *name, const char *of, const char *unit,
                       double value, const char *is)
{
    rt_table_cell(table, name);
    rt_table_cell(table, of);
    rt_table_cell(table, unit);
    rt_table_real(table, value, DIGITS);
    rt_table_cell(table, is);
}

void rt_steady_table(rt_text *text, const routh_steady *steady)
{
    static const char *const heads[] = {"quantity", "of", "unit", "value", "is"};
    rt_table table = {.align = "lllrl"};
    double speed = 0;
    for (int k = 0; k < 3; k++) speed += steady->velocity[k] * steady->velocity[k];
    speed = sqrt(speed);
    rt_text_append(text,
                   "\nSteady motion: the frame that carries all bodies turns about (%.6g, "
                   "%.6g, %.6g)\n",
                   steady->axis[0], steady->axis[1], steady->axis[2]);
    rt_table_heads(&table, heads);
    steady_row(&table, "turn rate", "the frame", "rad/s", steady->turn_rate,
               origin(steady->turn_rate_prescribed));
    steady_row(&table, "speed", "centre of mass", "m/s", speed, "");
    steady_row(&table, "centripetal acceleration", "centre of mass", "m/s^2", steady->acceleration,
               "");
    for (int k = 0; k < steady->n_spins; k++)
        steady_row(&table, "spin in the frame", steady->spins[k].body, "rad/s",
                   steady->spins[k].rate, origin(steady->spins[k].prescribed));
    for (int k = 0; k < steady->n_prescribed; k++)
        steady_row(&table, steady->prescribed[k].name, "", steady->prescribed[k].unit,
                   steady->prescribed[k].value, "prescribed");
    for (int k = 0; k < steady->n_found; k++)
        steady_row(&table, steady->found[k].name, "input", steady->found[k].unit,
                   steady->found[k].value, "found");
    rt_table_write(&table, text);
}

void rt_json_steady(rt_json *json, const routh_steady *steady)
{
    rt_json_object(json, "steady");
    rt_json_reals(json, "axis", steady->axis, 3);
    rt_json_real(json, "turn_rate", steady->turn_rate);
    rt_json_bool(json, "turn_rate_prescribed", steady->turn_rate_prescribed);
    rt_json_reals(json, "velocity", steady->velocity, 3);
    rt_json_real(json, "acceleration", steady->acceleration);
    rt_json_real(json, "drift", steady->drift);
    rt_json_array(json, "spins");
    for (int k = 0; k < steady->n_spins; k++) {
        rt_json_flat_object(json, NULL);
        rt_json_string(json, "body", steady->spins[k].body);
        rt_json_reals(json, "axis", steady->spins[k].axis, 3);
        rt_json_real(json, "rate", steady->spins[k].rate);
        rt_json_bool(json, "prescribed", steady->spins[k].prescribed);
        rt_json_end(json);
    }
    rt_json_end(json);
    rt_json_array(json, "prescribed");
    for (int k = 0; k < steady->n_prescribed; k++) {
        rt_json_flat_object(json, NULL);
        rt_json_string(json, "name", steady->prescribed[k].name);
        rt_json_string(json, "unit", steady->prescribed[k].unit);
        rt_json_real(json, "asked", steady->prescribed[k].asked);
        rt_json_real(json, "value", steady->prescribed[k].value);
        rt_json_end(json);
    }
    rt_json_end(json);
    rt_json_array(json, "found");
    for (int k = 0; k < steady->n_found; k++) {
        rt_json_flat_object(json, NULL);
        rt_json_string(json, "input", steady->found[k].name);
        rt_json_string(json, "unit", steady->found[k].unit);
        rt_json_real(json, "value", steady->found[k].value);
        rt_json_end(json);
    }
    rt_json_end(json);
    rt_json_end(json);
}
