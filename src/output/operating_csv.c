#include <stdio.h>

#include "base/csv.h"
#include "output/results.h"

/* One line for each vector: of = body, joint or load; x, y, z are world components. Of signals the
 * value, and of states the rate per second, stand in x. */
static void operating_csv_vector(rt_csv *csv, const char *of, const char *name, const char *type,
                                 const char *quantity, const char *unit, const double xyz[3])
{
    rt_csv_text(csv, of);
    rt_csv_text(csv, name);
    rt_csv_text(csv, type);
    rt_csv_text(csv, quantity);
    rt_csv_text(csv, unit);
    for (int k = 0; k < 3; k++) rt_csv_real(csv, quantity, xyz[k]);
    rt_csv_line(csv);
}

static void body(rt_csv *csv, const routh_body_state *state)
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

static void operating_csv_scalar(rt_csv *csv, const routh_signal *signal, const char *quantity,
                                 const char *per, double value)
{
    char unit[128];
    snprintf(unit, sizeof unit, "%s%s", *per && !*signal->unit ? "1" : signal->unit, per);
    rt_csv_text(csv, rt_signal_kind_name(signal->kind));
    rt_csv_text(csv, signal->name);
    rt_csv_text(csv, NULL);
    rt_csv_text(csv, quantity);
    rt_csv_text(csv, unit);
    rt_csv_real(csv, signal->name, value);
    for (int k = 0; k < 2; k++) rt_csv_text(csv, NULL);
    rt_csv_line(csv);
}

static void operating_csv_number(rt_csv *csv, const char *name, const char *quantity,
                                 const char *unit, double value)
{
    rt_csv_text(csv, "steady");
    rt_csv_text(csv, name);
    rt_csv_text(csv, NULL);
    rt_csv_text(csv, quantity);
    rt_csv_text(csv, unit);
    rt_csv_real(csv, quantity, value);
    for (int k = 0; k < 2; k++) rt_csv_text(csv, NULL);
    rt_csv_line(csv);
}

static void steady_motion(rt_csv *csv, const routh_steady *s)
{
    operating_csv_vector(csv, "steady", NULL, NULL, "axis", "1", s->axis);
    operating_csv_number(csv, NULL, "rotation rate", "rad/s", s->turn_rate);
    operating_csv_vector(csv, "steady", NULL, NULL, "velocity", "m/s", s->velocity);
    operating_csv_number(csv, NULL, "centripetal acceleration", "m/s^2", s->acceleration);
    for (int i = 0; i < s->n_spins; i++)
        operating_csv_number(csv, s->spins[i].body, "spin", "rad/s", s->spins[i].rate);
    for (int i = 0; i < s->n_prescribed; i++)
        operating_csv_number(csv, s->prescribed[i].name, "prescribed", s->prescribed[i].unit,
                             s->prescribed[i].value);
    for (int i = 0; i < s->n_found; i++)
        operating_csv_number(csv, s->found[i].name, "found input", s->found[i].unit,
                             s->found[i].value);
}

routh_status routh_operating_point_csv(const routh_results *results, routh_text *text,
                                       routh_error *error)
{
    static const char *const heads[] = {"of", "name", "type", "quantity", "unit", "x", "y", "z"};
    *text = (routh_text){0};
    routh_status status = rt_results_check(results, RT_NEED_POINT, error);
    if (status) return status;
    const routh_operating_point *point = results->point;
    rt_csv csv = {0};
    rt_csv_heads(&csv, heads, (int)(sizeof heads / sizeof *heads));
    if (point->steady) steady_motion(&csv, point->steady);
    for (int i = 0; i < point->n_bodies; i++) body(&csv, &point->bodies[i]);
    for (int i = 0; i < point->n_reactions; i++) {
        const routh_reaction *r = &point->reactions[i];
        operating_csv_vector(&csv, r->is_load ? "load" : "joint", r->name, r->type, "force", "N",
                             r->force);
        operating_csv_vector(&csv, r->is_load ? "load" : "joint", r->name, r->type, "torque", "N m",
                             r->torque);
    }
    for (int i = 0; i < point->n_signals; i++) {
        const routh_signal *signal = &point->signals[i];
        operating_csv_scalar(&csv, signal, "value", "", signal->value);
        if (signal->kind == ROUTH_SIGNAL_STATE)
            operating_csv_scalar(&csv, signal, "rate", "/s", signal->rate);
    }
    status = rt_csv_finish(&csv, error);
    return status ? status : rt_results_hand_over(&csv.text, text, error);
}
