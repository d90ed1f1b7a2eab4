#include <stdio.h>

#include "output/descriptor.h"

/* ---- a line: a vector, or of signals and the like a number ----------------------------------- */

typedef struct quantity_line {
    const char *of, *name, *type, *quantity, *unit;
    double xyz[3];
    bool number;    /* it stands in x */
    const char *by; /* of a derivative: the parameter */
} quantity_line;

/* What is written, of which results; by: the parameter whose derivatives come now. */
typedef struct point_csv {
    rt_csv csv;
    const routh_results *results;
    const char *by;
} point_csv;

static bool line_is_vector(const rt_result_row *row)
{
    return !((const quantity_line *)row->of)->number;
}

static bool line_has_derivatives(const rt_result_row *row)
{
    return row->results && row->results->point_sensitivities;
}

#define TEXT(member, meaning_)                                                                     \
    {.csv = #member, .type = RT_RESULT_TEXT, RT_AT(quantity_line, member), .meaning = (meaning_)}

/* A derivative that does not exist is empty, a value is never. */
#define COMPONENT(csv_, part, may_be_null, meaning_)                                               \
    {.csv = csv_, .type = RT_RESULT_REAL, RT_AT(quantity_line, xyz), .out_of = 3,                  \
     .part_of = (part), .there = (part) ? line_is_vector : NULL, .sparse = (part) > 0,             \
     .nullable = (may_be_null), .meaning = (meaning_)}
#define QUANTITY(may_be_null)                                                                      \
    TEXT(of, "`body`, `joint`, `load`, `steady`, or what a signal is"), TEXT(name, "its name"),    \
        TEXT(type, "of joints and loads"), TEXT(quantity, "as `position`"),                        \
        TEXT(unit, "of the numbers"),                                                              \
        COMPONENT("x", 0, may_be_null, "world component; of what is no vector the number"),        \
        COMPONENT("y", 1, may_be_null, "world component"),                                         \
        COMPONENT("z", 2, may_be_null, "world component"),                                         \
    {                                                                                              \
        .csv = "by", .type = RT_RESULT_TEXT, RT_AT(quantity_line, by),                             \
        .there = line_has_derivatives,                                                             \
        .meaning = "of a derivative the parameter, per unit of which the numbers are; of a value " \
                   "nothing"                                                                       \
    }

static const rt_result_field quantity_fields[] = {QUANTITY(false)};
static const rt_result_field quantity_derivative_fields[] = {QUANTITY(true)};
const rt_result_table rt_quantity_table = {"quantity", "", "", RT_FIELDS(quantity_fields)};
static const rt_result_table quantity_derivative_table = {"quantity", "", "",
                                                          RT_FIELDS(quantity_derivative_fields)};

static void operating_csv_line(point_csv *csv, quantity_line line)
{
    line.by = csv->by;
    rt_result_csv(&csv->csv, csv->by ? &quantity_derivative_table : &rt_quantity_table,
                  &(rt_result_row){.of = &line, .results = csv->results});
}

static void operating_csv_vector(point_csv *csv, const char *of, const char *name, const char *type,
                                 const char *quantity, const char *unit, const double xyz[3])
{
    operating_csv_line(
        csv,
        (quantity_line){of, name, type, quantity, unit, {xyz[0], xyz[1], xyz[2]}, false, NULL});
}

static void body(point_csv *csv, const routh_body_state *state)
{
    static const char *const axes[3] = {"x axis", "y axis", "z axis"};
    operating_csv_vector(csv, "body", state->name, NULL, "position", "m", state->position);
    for (int j = 0; j < 3; j++) {
        const double axis[3] = {state->orientation[j], state->orientation[3 + j],
                                state->orientation[6 + j]};
        operating_csv_vector(csv, "body", state->name, NULL, axes[j], "1", axis);
    }
    operating_csv_vector(csv, "body", state->name, NULL, "velocity", "m/s", state->velocity);
    operating_csv_vector(csv, "body", state->name, NULL, "angular velocity", "rad/s",
                         state->angular_velocity);
}

static void operating_csv_scalar(point_csv *csv, const routh_signal *signal, const char *quantity,
                                 const char *per, double value)
{
    char unit[128];
    snprintf(unit, sizeof unit, "%s%s", *per && !*signal->unit ? "1" : signal->unit, per);
    operating_csv_line(csv, (quantity_line){rt_signal_kind_name(signal->kind),
                                            signal->name,
                                            NULL,
                                            quantity,
                                            unit,
                                            {value},
                                            true,
                                            NULL});
}

static void operating_csv_number(point_csv *csv, const char *name, const char *quantity,
                                 const char *unit, double value)
{
    operating_csv_line(csv,
                       (quantity_line){"steady", name, NULL, quantity, unit, {value}, true, NULL});
}

static void steady_motion(point_csv *csv, const routh_steady *s)
{
    operating_csv_vector(csv, "steady", NULL, NULL, "axis", "1", s->axis);
    operating_csv_number(csv, NULL, "rotation rate", "rad/s", s->turn_rate);
    operating_csv_vector(csv, "steady", NULL, NULL, "velocity", "m/s", s->velocity);
    operating_csv_number(csv, NULL, "centripetal acceleration", "m/s^2", s->acceleration);
    if (s->accelerated)
        operating_csv_vector(csv, "steady", NULL, NULL, "frame acceleration", "m/s^2",
                             s->frame_acceleration);
    for (int i = 0; i < s->n_spins; i++)
        operating_csv_number(csv, s->spins[i].body, "spin", "rad/s", s->spins[i].rate);
    for (int i = 0; i < s->n_prescribed; i++)
        operating_csv_number(csv, s->prescribed[i].name, "prescribed", s->prescribed[i].unit,
                             s->prescribed[i].value);
    for (int i = 0; i < s->n_found; i++)
        operating_csv_number(csv, s->found[i].name, "found input", s->found[i].unit,
                             s->found[i].value);
}

static void reaction_lines(point_csv *csv, const routh_reaction *r)
{
    const char *of = r->is_load ? "load" : "joint";
    operating_csv_vector(csv, of, r->name, r->type, "force", "N", r->force);
    operating_csv_vector(csv, of, r->name, r->type, "torque", "N m", r->torque);
}

static void signal_lines(point_csv *csv, const routh_signal *signal)
{
    operating_csv_scalar(csv, signal, "value", "", signal->value);
    if (signal->kind == ROUTH_SIGNAL_STATE)
        operating_csv_scalar(csv, signal, "rate", "/s", signal->rate);
}

/* Derivatives, as the values above them but for the rotation. */
static void point_changes(point_csv *csv, const routh_point_change *change, bool steady)
{
    csv->by = change->parameter;
    if (steady) operating_csv_number(csv, NULL, "rotation rate", "rad/s", change->turn_rate);
    for (int i = 0; i < change->n_spins; i++)
        operating_csv_number(csv, change->spins[i].body, "spin", "rad/s", change->spins[i].rate);
    for (int i = 0; i < change->n_bodies; i++) {
        const routh_body_change *b = &change->bodies[i];
        operating_csv_vector(csv, "body", b->name, NULL, "position", "m", b->position);
        operating_csv_vector(csv, "body", b->name, NULL, "rotation", "rad", b->rotation);
        operating_csv_vector(csv, "body", b->name, NULL, "velocity", "m/s", b->velocity);
        operating_csv_vector(csv, "body", b->name, NULL, "angular velocity", "rad/s",
                             b->angular_velocity);
    }
    for (int i = 0; i < change->n_reactions; i++) reaction_lines(csv, &change->reactions[i]);
    for (int i = 0; i < change->n_signals; i++) signal_lines(csv, &change->signals[i]);
}

routh_status routh_operating_point_csv(const routh_results *results, routh_text *text,
                                       routh_error *error)
{
    *text = (routh_text){0};
    routh_status status = rt_results_check(results, RT_NEED_POINT, error);
    if (status) return status;
    const routh_operating_point *point = results->point;
    const routh_point_sensitivity *s = results->point_sensitivities;
    point_csv csv = {.results = results};
    rt_result_csv_heads(&csv.csv, &rt_quantity_table, &(rt_result_row){.results = results});
    if (point->steady) steady_motion(&csv, point->steady);
    for (int i = 0; i < point->n_bodies; i++) body(&csv, &point->bodies[i]);
    for (int i = 0; i < point->n_reactions; i++) reaction_lines(&csv, &point->reactions[i]);
    for (int i = 0; i < point->n_signals; i++) signal_lines(&csv, &point->signals[i]);
    for (int i = 0; s && i < s->n_parameters; i++)
        point_changes(&csv, &s->by[i], point->steady != NULL);
    status = rt_csv_finish(&csv.csv, error);
    return status ? status : rt_results_hand_over(&csv.csv.text, text, error);
}
