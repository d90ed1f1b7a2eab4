#include <math.h>

#include "base/pi.h"
#include "base/rotation.h"
#include "output/heading.h"
#include "base/number.h"
#include "output/table.h"

enum { DIGITS = 6, NAMED_ROWS = 50 };

/* What is smaller than these parts of the largest of the three, and of the largest of its kind in
 * the table, is rounding, and shown as 0. */
static const double ROUNDING = 1e-14, ROUNDING_OF_ALL = 1e-15;

static double operating_table_largest(double most, const double v[3])
{
    return fmax(most, fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2]))));
}

/* Three cells; most: the largest of the kind. */
static void operating_table_vector(rt_table *table, const double v[3], double most)
{
    const double least = fmax(ROUNDING * operating_table_largest(0, v), ROUNDING_OF_ALL * most);
    for (int k = 0; k < 3; k++) rt_table_real(table, fabs(v[k]) <= least ? 0 : v[k], DIGITS);
}

static void in_degrees(rt_table *table, const double orientation[9])
{
    double turn[3];
    rt_rotation_log(turn, orientation);
    for (int k = 0; k < 3; k++)
        turn[k] = fabs(turn[k]) <= ROUNDING ? 0 : turn[k] * 180 / RT_PI;
    operating_table_vector(table, turn, 0);
}

static const double *centre(const routh_body_state *body)
{
    return body->n_elastic > 0 ? body->centre : body->position;
}

static void positions(rt_text *text, const routh_operating_point *point)
{
    static const char *const heads[] = {"body",       "x",          "y",         "z",
                                        "rotation x", "rotation y", "rotation z"};
    static const char *const units[] = {"", "m", "m", "m", "deg", "deg", "deg"};
    rt_table table = {.align = "lrrrrrr"};
    rt_text_append(
        text, "\nBodies: centre of mass, and rotation vector of the body's axes, in world axes\n");
    rt_table_heads(&table, heads);
    rt_table_heads(&table, units);
    double most = 0;
    for (int i = 0; i < point->n_bodies; i++)
        most = operating_table_largest(most, centre(&point->bodies[i]));
    for (int i = 0; i < point->n_bodies; i++) {
        rt_table_cell(&table, point->bodies[i].name);
        operating_table_vector(&table, centre(&point->bodies[i]), most);
        in_degrees(&table, point->bodies[i].orientation);
    }
    rt_table_write(&table, text);
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
    static const char *const heads[] = {"body", "node", "deflection", "x", "y", "z"};
    static const char *const units[] = {"", "", "m", "m", "m", "m"};
    rt_table table = {.align = "lrrrrr"};
    rt_text_append(text,
                   "\nFlexible bodies: the node that is farthest from its undeformed position in "
                   "the body's frame, in world axes\n");
    rt_table_heads(&table, heads);
    rt_table_heads(&table, units);
    for (int i = 0; i < point->n_bodies; i++) {
        const routh_body_state *body = &point->bodies[i];
        const double *d = body->deflection;
        const double size = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        if (!(body->n_elastic > 0)) continue;
        rt_table_cell(&table, body->name);
        rt_table_format(&table, "%d", body->deflected_node);
        rt_table_real(&table, size, DIGITS);
        operating_table_vector(&table, d, 1e3 * size);
    }
    rt_table_write(&table, text);
}

static int operating_table_moves(const routh_body_state *body)
{
    int n = 0;
    for (int k = 0; k < 3; k++) n += body->velocity[k] != 0 || body->angular_velocity[k] != 0;
    return n > 0;
}

static void velocities(rt_text *text, const routh_operating_point *point)
{
    static const char *const heads[] = {"body", "vx", "vy", "vz", "wx", "wy", "wz"};
    static const char *const units[] = {"", "m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s"};
    rt_table table = {.align = "lrrrrrr"};
    int n_moving = 0;
    double most = 0, turning = 0;
    rt_table_heads(&table, heads);
    rt_table_heads(&table, units);
    for (int i = 0; i < point->n_bodies; i++) {
        most = operating_table_largest(most, point->bodies[i].velocity);
        turning = operating_table_largest(turning, point->bodies[i].angular_velocity);
    }
    for (int i = 0; i < point->n_bodies; i++) {
        if (!operating_table_moves(&point->bodies[i])) continue;
        n_moving++;
        rt_table_cell(&table, point->bodies[i].name);
        operating_table_vector(&table, point->bodies[i].velocity, most);
        operating_table_vector(&table, point->bodies[i].angular_velocity, turning);
    }
    rt_text unseen = {0};
    if (n_moving) rt_text_append(text, "\nVelocities of the bodies that move, in world axes\n");
    rt_table_write(&table, n_moving ? text : &unseen);
    rt_text_free(&unseen);
}

static void reactions(rt_text *text, const routh_operating_point *point)
{
    static const char *const heads[] = {
        "joint or load", "type", "Fx", "Fy", "Fz", "Tx", "Ty", "Tz"};
    static const char *const units[] = {"", "", "N", "N", "N", "N m", "N m", "N m"};
    rt_table table = {.align = "llrrrrrr"};
    rt_text_append(
        text, "\nForce and torque on the first marker of each, about its origin, in world axes\n");
    rt_table_heads(&table, heads);
    rt_table_heads(&table, units);
    double force = 0, torque = 0;
    for (int i = 0; i < point->n_reactions; i++) {
        force = operating_table_largest(force, point->reactions[i].force);
        torque = operating_table_largest(torque, point->reactions[i].torque);
    }
    for (int i = 0; i < point->n_reactions; i++) {
        rt_table_cell(&table, point->reactions[i].name);
        rt_table_cell(&table, point->reactions[i].type);
        operating_table_vector(&table, point->reactions[i].force, force);
        operating_table_vector(&table, point->reactions[i].torque, torque);
    }
    rt_table_write(&table, text);
}

/* Whatever the unit: what rounding left of 0. Inputs are as they were given. */
static double operating_table_told(const routh_signal *signal)
{
    const bool tiny = signal->kind != ROUTH_SIGNAL_INPUT && fabs(signal->value) < 1e-20;
    return tiny ? 0 : signal->value;
}

/* Of states their rates, of others nothing. */
static void operating_table_signals(rt_text *text, const routh_operating_point *point)
{
    static const char *const heads[] = {"signal", "is", "unit", "value", "rate", ""};
    rt_table table = {.align = "lllrrl"};
    rt_text_append(text, "\nStates of controllers, variables, inputs and outputs\n");
    rt_table_heads(&table, heads);
    for (int i = 0; i < point->n_signals; i++) {
        const routh_signal *signal = &point->signals[i];
        const bool state = signal->kind == ROUTH_SIGNAL_STATE;
        rt_table_cell(&table, signal->name);
        rt_table_cell(&table, rt_signal_kind_name(signal->kind));
        rt_table_cell(&table, signal->unit);
        rt_table_real(&table, operating_table_told(signal), DIGITS);
        if (state) rt_table_real(&table, signal->rate, DIGITS);
        if (!state) rt_table_cell(&table, "");
        rt_table_cell(&table, signal->placed ? "set so that its rate is zero" : "");
    }
    rt_table_write(&table, text);
}

static void facts(rt_text *text, const routh_operating_point *point)
{
    char number[RT_NUMBER_SIZE];
    rt_number_text(number, point->constraint_error, 2);
    rt_heading_line(text, "constraints", "satisfied to %s (m or rad), %d iteration%s", number,
                    point->iterations, point->iterations == 1 ? "" : "s");
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
    rt_text out = {0};
    rt_heading(&out, results, NAMED_ROWS);
    facts(&out, results->point);
    rt_heading_warnings(&out, results);
    if (results->point->steady) rt_steady_table(&out, results->point->steady);
    if (results->point->n_bodies > 0) positions(&out, results->point);
    if (operating_table_count_flexible(results->point) > 0) deflections(&out, results->point);
    velocities(&out, results->point);
    if (results->point->n_reactions > 0) reactions(&out, results->point);
    if (results->point->n_signals > 0) operating_table_signals(&out, results->point);
    return rt_results_hand_over(&out, text, error);
}
