#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/pi.h"
#include "base/rotation.h"
#include "output/descriptor.h"
#include "output/heading.h"

enum { NAMED_ROWS = 50 };

/* What is smaller than these parts of the largest of the three, and of the largest of its kind in
 * the table, is rounding, and shown as 0. */
static const double ROUNDING = 1e-14, ROUNDING_OF_ALL = 1e-15;

static double operating_table_largest(double most, const double v[3])
{
    return fmax(most, fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2]))));
}

/* Rounding as 0; most: the largest of the kind. */
static void operating_table_vector(double to[3], const double v[3], double most)
{
    const double least = fmax(ROUNDING * operating_table_largest(0, v), ROUNDING_OF_ALL * most);
    for (int k = 0; k < 3; k++) to[k] = fabs(v[k]) <= least ? 0 : v[k];
}

/* A name with one vector, or two. */
typedef struct vector_line {
    const char *name, *type;
    double a[3], b[3], size, turned, strain;
    int number;
} vector_line;

#define NAME(head_)                                                                                \
    {.type = RT_RESULT_TEXT, RT_AT(vector_line, name), .head = (head_), .align = 'l',              \
     .meaning = "name"}
#define PART(member, k, head_, unit_)                                                              \
    {.type = RT_RESULT_REAL, RT_AT(vector_line, member), .out_of = 3, .part_of = (k),              \
     .head = (head_), .unit = (unit_), .digits = 6, .meaning = "world component"}
#define VECTOR(member, x, y, z, unit)                                                              \
    PART(member, 0, x, unit), PART(member, 1, y, unit), PART(member, 2, z, unit)

static const rt_result_field position_fields[] = {
    NAME("body"),
    VECTOR(a, "x", "y", "z", "m"),
    VECTOR(b, "rotation x", "rotation y", "rotation z", "deg"),
};
static const rt_result_table position_table = {"position", "", "", RT_FIELDS(position_fields)};

static const rt_result_field deflection_fields[] = {
    NAME("body"),
    {.type = RT_RESULT_COUNT, RT_AT(vector_line, number), .meaning = "of the node",
     .head = "node"},
    {.type = RT_RESULT_REAL, RT_AT(vector_line, size), .unit = "m", .meaning = "its size",
     .head = "deflection", .digits = 6},
    VECTOR(a, "x", "y", "z", "m"),
    {.type = RT_RESULT_REAL, RT_AT(vector_line, turned), .unit = "deg", .meaning = "of a node",
     .head = "rotation", .digits = 3},
    {.type = RT_RESULT_REAL, RT_AT(vector_line, strain), .unit = "%", .meaning = "of an element",
     .head = "strain", .digits = 3},
};
static const rt_result_table deflection_table = {"deflection", "", "",
                                                 RT_FIELDS(deflection_fields)};

static const rt_result_field velocity_fields[] = {
    NAME("body"),
    VECTOR(a, "vx", "vy", "vz", "m/s"),
    VECTOR(b, "wx", "wy", "wz", "rad/s"),
};
static const rt_result_table velocity_table = {"velocity", "", "", RT_FIELDS(velocity_fields)};

static const rt_result_field reaction_fields[] = {
    NAME("joint or load"),
    {.type = RT_RESULT_TEXT, RT_AT(vector_line, type), .meaning = "its type", .head = "type",
     .align = 'l'},
    VECTOR(a, "Fx", "Fy", "Fz", "N"),
    VECTOR(b, "Tx", "Ty", "Tz", "N m"),
};
static const rt_result_table reaction_table = {"reaction", "", "", RT_FIELDS(reaction_fields)};

static void vector_line_write(rt_result_lines *lines, const vector_line *line)
{
    rt_result_line(lines, &(rt_result_row){.of = line});
}

static void in_degrees(double to[3], const double orientation[9])
{
    double turn[3];
    rt_rotation_log(turn, orientation);
    for (int k = 0; k < 3; k++)
        turn[k] = fabs(turn[k]) <= ROUNDING ? 0 : turn[k] * 180 / RT_PI;
    operating_table_vector(to, turn, 0);
}

static const double *centre(const routh_body_state *body)
{
    return body->n_elastic > 0 ? body->centre : body->position;
}

static void positions(rt_text *text, const routh_operating_point *point)
{
    rt_result_lines lines;
    rt_text_append(
        text, "\nBodies: centre of mass, and rotation vector of the body's axes, in world axes\n");
    rt_result_begin(&lines, text, &position_table, &(rt_result_row){.of = NULL});
    double most = 0;
    for (int i = 0; i < point->n_bodies; i++)
        most = operating_table_largest(most, centre(&point->bodies[i]));
    for (int i = 0; i < point->n_bodies; i++) {
        vector_line line = {.name = point->bodies[i].name};
        operating_table_vector(line.a, centre(&point->bodies[i]), most);
        in_degrees(line.b, point->bodies[i].orientation);
        vector_line_write(&lines, &line);
    }
    rt_result_end(&lines);
}

static int operating_table_count_flexible(const routh_operating_point *point)
{
    int n = 0;
    for (int i = 0; i < point->n_bodies; i++) n += point->bodies[i].n_elastic > 0;
    return n;
}

/* The node that is farthest from where it is in the undeformed body. */
static void deflections(rt_text *text, const routh_operating_point *point)
{
    rt_result_lines lines;
    rt_text_append(text,
                   "\nFlexible bodies: the node that is farthest from its undeformed position in "
                   "the body's frame, in world axes; largest rotation and strain\n");
    rt_result_begin(&lines, text, &deflection_table, &(rt_result_row){.of = NULL});
    for (int i = 0; i < point->n_bodies; i++) {
        const routh_body_state *body = &point->bodies[i];
        const double *d = body->deflection;
        if (!(body->n_elastic > 0)) continue;
        vector_line line = {.name = body->name,
                            .number = body->deflected_node,
                            .size = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]),
                            .turned = body->rotation * 180 / RT_PI,
                            .strain = 100 * body->strain};
        if (fabs(line.turned) <= ROUNDING) line.turned = 0;
        if (fabs(line.strain) <= 1e2 * ROUNDING) line.strain = 0;
        operating_table_vector(line.a, d, 1e3 * line.size);
        vector_line_write(&lines, &line);
    }
    rt_result_end(&lines);
}

static int operating_table_moves(const routh_body_state *body)
{
    int n = 0;
    for (int k = 0; k < 3; k++) n += body->velocity[k] != 0 || body->angular_velocity[k] != 0;
    return n > 0;
}

static void velocities(rt_text *text, const routh_operating_point *point)
{
    rt_result_lines lines;
    double most = 0, turning = 0;
    int n_moving = 0, n_flexible = 0;
    for (int i = 0; i < point->n_bodies; i++) {
        const bool moves = operating_table_moves(&point->bodies[i]);
        n_moving += moves;
        n_flexible += moves && point->bodies[i].n_elastic > 0;
        most = operating_table_largest(most, point->bodies[i].velocity);
        turning = operating_table_largest(turning, point->bodies[i].angular_velocity);
    }
    if (n_moving == 0) return;
    rt_text_append(text, "\nVelocities of the bodies that move, in world axes");
    rt_text_append(text, n_flexible ? "; of flexible ones that of their frame's origin\n" : "\n");
    rt_result_begin(&lines, text, &velocity_table, &(rt_result_row){.of = NULL});
    for (int i = 0; i < point->n_bodies; i++) {
        const routh_body_state *body = &point->bodies[i];
        vector_line line = {.name = body->name};
        if (!operating_table_moves(body)) continue;
        operating_table_vector(line.a, body->velocity, most);
        operating_table_vector(line.b, body->angular_velocity, turning);
        vector_line_write(&lines, &line);
    }
    rt_result_end(&lines);
}

static void reactions(rt_text *text, const routh_operating_point *point)
{
    rt_result_lines lines;
    double force = 0, torque = 0;
    rt_text_append(
        text, "\nForce and torque on the first marker of each, about its origin, in world axes\n");
    rt_result_begin(&lines, text, &reaction_table, &(rt_result_row){.of = NULL});
    for (int i = 0; i < point->n_reactions; i++) {
        force = operating_table_largest(force, point->reactions[i].force);
        torque = operating_table_largest(torque, point->reactions[i].torque);
    }
    for (int i = 0; i < point->n_reactions; i++) {
        const routh_reaction *r = &point->reactions[i];
        vector_line line = {.name = r->name, .type = r->type};
        operating_table_vector(line.a, r->force, force);
        operating_table_vector(line.b, r->torque, torque);
        vector_line_write(&lines, &line);
    }
    rt_result_end(&lines);
}

/* Of states their rates, of others nothing. */
static void operating_table_signals(rt_text *text, const routh_operating_point *point)
{
    rt_text_append(text, "\nStates of controllers, variables, inputs and outputs\n");
    rt_result_print(text, &rt_signal_table, &(rt_result_row){.of = point}, point->signals,
                    point->n_signals, sizeof *point->signals);
}

/* ---- derivatives ---------------------------------------------------------------------------- */

static const rt_result_field place_change_fields[] = {
    NAME("body"),
    VECTOR(a, "x", "y", "z", "m"),
    VECTOR(b, "rotation x", "rotation y", "rotation z", "rad"),
};
static const rt_result_table place_change_table = {"place_change", "", "",
                                                   RT_FIELDS(place_change_fields)};

static const char *number_change_unit(const rt_result_row *row, char room[RT_UNIT_SIZE])
{
    (void)room;
    return ((const vector_line *)row->of)->type;
}

static const rt_result_field number_change_fields[] = {
    NAME("quantity"),
    {.type = RT_RESULT_TEXT,
     RT_AT(vector_line, type),
     .unit_of = number_change_unit,
     .names_unit = true,
     .meaning = "its unit",
     .head = "unit",
     .align = 'l'},
    {.type = RT_RESULT_REAL,
     RT_AT(vector_line, size),
     .unit_of = number_change_unit,
     .head = "derivative",
     .digits = 6,
     .meaning = "per unit of the parameter"},
};
static const rt_result_table number_change_table = {"number_change", "", "",
                                                    RT_FIELDS(number_change_fields)};

/* Derivatives are sums with more rounding than values have, of terms as large as the values over
 * the parameter. */
static const double ROUNDING_OF_CHANGES = 1e-12, ROUNDING_OF_VALUES = 1e-14;

static double operating_table_most(double most, const double v[3])
{
    for (int k = 0; k < 3; k++) most = isnan(v[k]) ? most : fmax(most, fabs(v[k]));
    return most;
}

/* Rounding as 0. Is there anything else? */
static bool operating_table_change(double to[3], const double v[3], double least)
{
    bool any = false;
    for (int k = 0; k < 3; k++) {
        to[k] = fabs(v[k]) <= least ? 0 : v[k];
        any = any || to[k] != 0;
    }
    return any;
}

/* Vectors that come in pairs, of n things: a line for each that changes. Is there one? size: of the
 * values of both, over the parameter. */
static bool operating_table_changes(rt_text *text, const char *title, const rt_result_table *table,
                         const vector_line *of, int n, const double size[2])
{
    rt_result_lines lines;
    double a = 0, b = 0;
    bool begun = false;
    for (int k = 0; k < n; k++)
        a = operating_table_most(a, of[k].a), b = operating_table_most(b, of[k].b);
    a = fmax(ROUNDING_OF_CHANGES * a, ROUNDING_OF_VALUES * size[0]);
    b = fmax(ROUNDING_OF_CHANGES * b, ROUNDING_OF_VALUES * size[1]);
    for (int k = 0; k < n; k++) {
        vector_line line = of[k];
        const bool first = operating_table_change(line.a, of[k].a, a);
        if (!operating_table_change(line.b, of[k].b, b) && !first) continue;
        if (!begun) {
            rt_text_append(text, "%s\n", title);
            rt_result_begin(&lines, text, table, &(rt_result_row){.of = NULL});
        }
        begun = true;
        vector_line_write(&lines, &line);
    }
    if (begun) rt_result_end(&lines);
    return begun;
}

static bool change_numbers(rt_text *text, const routh_point_change *c, bool steady)
{
    rt_result_lines lines;
    bool begun = false;
    for (int k = -1 - c->n_spins; k < c->n_signals; k++) {
        char name[160];
        vector_line line = {.name = name, .type = "rad/s"};
        if (k < -1) {
            const routh_spin *spin = &c->spins[k + 1 + c->n_spins];
            snprintf(name, sizeof name, "spin of %s", spin->body);
            line.size = spin->rate;
        } else if (k == -1) {
            snprintf(name, sizeof name, "rotation rate");
            line.size = steady ? c->turn_rate : 0;
        } else {
            snprintf(name, sizeof name, "%s", c->signals[k].name);
            line.type = c->signals[k].unit, line.size = c->signals[k].value;
        }
        if (line.size == 0) continue;
        if (!begun)
            rt_result_begin(&lines, text, &number_change_table, &(rt_result_row){.of = NULL});
        begun = true;
        vector_line_write(&lines, &line);
    }
    if (begun) rt_result_end(&lines);
    return begun;
}

/* work: room for a line for each body, joint and load. */
static void change_tables(rt_text *text, const routh_point_change *c,
                          const routh_operating_point *point, vector_line *work)
{
    const double p = c->value != 0 ? fabs(c->value) : INFINITY;
    double place[2] = {0, 0}, speed[2] = {0, 0}, force[2] = {0, 0};
    char value[RT_NUMBER_SIZE];
    for (int k = 0; k < point->n_bodies; k++) {
        place[0] = operating_table_largest(place[0], centre(&point->bodies[k]));
        speed[0] = operating_table_largest(speed[0], point->bodies[k].velocity);
        speed[1] = operating_table_largest(speed[1], point->bodies[k].angular_velocity);
    }
    for (int k = 0; k < point->n_reactions; k++) {
        force[0] = operating_table_largest(force[0], point->reactions[k].force);
        force[1] = operating_table_largest(force[1], point->reactions[k].torque);
    }
    for (int k = 0; k < 2; k++) place[k] /= p, speed[k] /= p, force[k] /= p;
    rt_number_text(value, c->value, 8);
    rt_text_append(text, "\nDerivatives by %s = %s, of what changes\n", c->parameter, value);
    for (int k = 0; k < c->n_bodies; k++) {
        work[k] = (vector_line){.name = c->bodies[k].name};
        memcpy(work[k].a, c->bodies[k].position, sizeof work[k].a);
        memcpy(work[k].b, c->bodies[k].rotation, sizeof work[k].b);
    }
    bool any = operating_table_changes(text, "centre of mass and rotation, in world axes",
                                       &place_change_table, work, c->n_bodies, place);
    for (int k = 0; k < c->n_bodies; k++) {
        memcpy(work[k].a, c->bodies[k].velocity, sizeof work[k].a);
        memcpy(work[k].b, c->bodies[k].angular_velocity, sizeof work[k].b);
    }
    any = operating_table_changes(text, "velocity and angular velocity, in world axes",
                                  &velocity_table, work, c->n_bodies, speed) ||
          any;
    for (int k = 0; k < c->n_reactions; k++) {
        work[k] = (vector_line){.name = c->reactions[k].name, .type = c->reactions[k].type};
        memcpy(work[k].a, c->reactions[k].force, sizeof work[k].a);
        memcpy(work[k].b, c->reactions[k].torque, sizeof work[k].b);
    }
    any = operating_table_changes(text, "force and torque on the first marker, in world axes",
                                  &reaction_table, work, c->n_reactions, force) ||
          any;
    any = change_numbers(text, c, point->steady != NULL) || any;
    if (!any) rt_text_append(text, "nothing\n");
}

static routh_status change_text(rt_text *text, const routh_results *results, routh_error *error)
{
    const routh_point_sensitivity *s = results->point_sensitivities;
    const routh_operating_point *point = results->point;
    vector_line *work = calloc((size_t)(point->n_bodies + point->n_reactions) + 1, sizeof *work);
    if (!work) return rt_fail_memory(error);
    for (int p = 0; p < s->n_parameters; p++) change_tables(text, &s->by[p], point, work);
    if (s->n_parameters == 0)
        rt_text_append(text, "\nThere is no parameter to differentiate by.\n");
    free(work);
    return ROUTH_OK;
}

static void facts(rt_text *text, const routh_operating_point *point)
{
    char number[RT_NUMBER_SIZE];
    rt_number_text(number, point->constraint_error, 2);
    rt_heading_line(text, "constraints", "satisfied to %s (m or rad), %d iteration%s", number,
                    point->iterations, point->iterations == 1 ? "" : "s");
    if (point->arrival) rt_heading_line(text, "search", "%s", point->arrival);
}

static int operating_table_finite3(const double v[3])
{
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

static routh_status operating_table_check(const routh_operating_point *point, routh_error *error)
{
    for (int i = 0; i < point->n_bodies; i++) {
        const routh_body_state *b = &point->bodies[i];
        const double *o = b->orientation;
        if (!operating_table_finite3(b->position) || !operating_table_finite3(o) ||
            !operating_table_finite3(o + 3) || !operating_table_finite3(o + 6) ||
            !operating_table_finite3(b->velocity) || !operating_table_finite3(b->angular_velocity))
            return rt_fail(error, ROUTH_NUMERIC_ERROR, "the state of body %s is not finite",
                           b->name);
    }
    for (int i = 0; i < point->n_reactions; i++)
        if (!operating_table_finite3(point->reactions[i].force) ||
            !operating_table_finite3(point->reactions[i].torque))
            return rt_fail(error, ROUTH_NUMERIC_ERROR, "the force in %s is not finite",
                           point->reactions[i].name);
    for (int i = 0; i < point->n_signals; i++)
        if (!isfinite(point->signals[i].value) || !isfinite(point->signals[i].rate))
            return rt_fail(error, ROUTH_NUMERIC_ERROR, "the value of %s is not finite",
                           point->signals[i].name);
    return ROUTH_OK;
}

routh_status routh_operating_point_table(const routh_results *results, routh_text *text,
                                         routh_error *error)
{
    *text = (routh_text){0};
    routh_status status = rt_results_check(results, RT_NEED_POINT, error);
    if (!status) status = operating_table_check(results->point, error);
    if (status) return status;
    rt_text out = {.units = results->units};
    rt_heading(&out, results, NAMED_ROWS);
    facts(&out, results->point);
    rt_heading_warnings(&out, results);
    const routh_point_sensitivity *s = results->point_sensitivities;
    for (int k = 0; s && k < s->n_warnings; k++)
        rt_heading_line(&out, "warning", "%s", s->warnings[k]);
    if (results->point->steady) rt_steady_table(&out, results->point->steady);
    if (results->point->n_bodies > 0) positions(&out, results->point);
    if (operating_table_count_flexible(results->point) > 0) deflections(&out, results->point);
    velocities(&out, results->point);
    if (results->point->n_reactions > 0) reactions(&out, results->point);
    if (results->point->n_signals > 0) operating_table_signals(&out, results->point);
    if (s) status = change_text(&out, results, error);
    if (status) {
        rt_text_free(&out);
        return status;
    }
    return rt_results_hand_over(&out, text, error);
}
