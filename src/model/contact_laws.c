/* Laws of friction and compression, and the components they become. */
#include "model/contact.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "model/scope.h"

void rt_default_contact(rt_written_contact *w)
{
    const rt_number zero = rt_plain(0);
    *w = (rt_written_contact){.coordinate = -1, .reaction = true};
    w->static_coefficient = w->dynamic_coefficient = w->static_level = w->dynamic_level = zero;
    w->stiction_velocity = w->dynamic_velocity = w->viscous = zero;
    w->radius = w->other_radius = w->length = w->thrust_radius = w->preload = zero;
    w->stiffness = w->damping = w->lower = w->upper = zero;
    w->exponent = rt_plain(1);
    w->smoothing = rt_plain(1e-3);
}

bool rt_contact_has(const rt_contact_writing *x, const char *field)
{
    return rt_is_given(x->kind, x->given, field);
}

rt_expr rt_contact_number(const rt_contact_writing *x, rt_number number)
{
    return rt_number_expr(&x->r->calculator, number);
}

rt_place rt_contact_place(const rt_contact_writing *x, const char *field)
{
    const rt_yaml *node = rt_yaml_find(x->node, field);
    return node ? node->place : x->node->key_place;
}

routh_status rt_contact_joint(const rt_contact_writing *x, const rt_joint **joint, int *index)
{
    const routh_model *model = x->r->model;
    const rt_word word = x->w->joint;
    char hint[128], problem[256];
    const int k = rt_find_joint_name(x->r, word);
    if (k < 0 && !rt_full_name(x->r, word.text, problem))
        return rt_reader_fail(x->r, word.place, "%.250s", problem);
    if (k < 0) {
        const char **names = RT_TAKE(&x->r->scratch, const char *, model->n_joints + 1);
        for (int n = 0; names && n < model->n_joints; n++) names[n] = model->joints[n].name;
        return rt_reader_fail(x->r, word.place, "joint '%.60s' is not defined%s", word.text,
                              rt_did_you_mean(word.text, names, hint, sizeof hint));
    }
    *index = k;
    *joint = &model->joints[k];
    memcpy(x->load->markers, (*joint)->markers, sizeof x->load->markers);
    x->load->resolved_in = (*joint)->markers[1];
    return ROUTH_OK;
}

/* ---- friction -------------------------------------------------------------------------------- */

/* turns: levels are torques, and the slip an angular velocity. */
static routh_status check_rubbing(const rt_contact_writing *x, const rt_rubbing *f,
                                  const char *sliding, bool turns)
{
    const char *const slip = turns ? "rad/s" : "m/s";
    const char *const level = !rt_contact_has(x, "static_level") ? "" : turns ? "N m" : "N";
    if (f->sliding.value > f->at_rest.value)
        return rt_reader_fail(x->r, rt_contact_place(x, sliding),
                              "%s is %.6g, above what holds at rest, %.6g; friction falls when "
                              "sliding begins: give the two the other way round",
                              sliding, rt_as_written(x->r, level, f->sliding.value),
                              rt_as_written(x->r, level, f->at_rest.value));
    if (!(f->dynamic_velocity.value > f->stiction_velocity.value))
        return rt_reader_fail(x->r, rt_contact_place(x, "dynamic_velocity"),
                              "dynamic_velocity is %.6g and stiction_velocity is %.6g; the first "
                              "must be the larger one",
                              rt_as_written(x->r, slip, f->dynamic_velocity.value),
                              rt_as_written(x->r, slip, f->stiction_velocity.value));
    return ROUTH_OK;
}

routh_status rt_read_rubbing(const rt_contact_writing *x, bool turns, rt_rubbing *f)
{
    const rt_written_contact *w = x->w;
    const bool level = rt_contact_has(x, "static_level");
    const char *const sliding = level ? "dynamic_level" : "dynamic_coefficient";
    *f = (rt_rubbing){.at_rest = level ? w->static_level : w->static_coefficient,
                      .sliding = level ? w->dynamic_level : w->dynamic_coefficient,
                      .stiction_velocity = w->stiction_velocity,
                      .dynamic_velocity = w->dynamic_velocity};
    if (!rt_contact_has(x, sliding)) f->sliding = f->at_rest;
    if (!rt_contact_has(x, "dynamic_velocity"))
        f->dynamic_velocity = rt_times(&x->r->calculator, rt_plain(10), w->stiction_velocity);
    return check_rubbing(x, f, sliding, turns);
}

/* phi = (mu_d + (mu_s - mu_d) exp(-s.s/v_d^2)) / (v_s (1 + (s.s/v_s^2)^2)^(1/4))
 * docs/theory/contact-and-friction.md; the exponential is Armstrong-Helouvry, Dupont and Canudas
 * de Wit (1994), with the exponent 2. Smooth in s.s, and so in s. */
rt_expr rt_rubbing_ratio(const rt_contact_writing *x, const rt_rubbing *f, rt_expr ss)
{
    rt_graph *g = x->r->model->graph;
    const rt_expr mu_s = rt_contact_number(x, f->at_rest), mu_d = rt_contact_number(x, f->sliding);
    const rt_expr v_s = rt_contact_number(x, f->stiction_velocity);
    const rt_expr v_d = rt_contact_number(x, f->dynamic_velocity);
    const rt_expr by_d = rt_divide(g, ss, rt_multiply(g, v_d, v_d));
    const rt_expr by_s = rt_divide(g, ss, rt_multiply(g, v_s, v_s));
    const rt_expr fall = rt_function_of(g, RT_EXP, rt_negate(g, by_d));
    const rt_expr mu = rt_add(g, mu_d, rt_multiply(g, rt_subtract(g, mu_s, mu_d), fall));
    const rt_expr root =
        rt_power(g, rt_add(g, rt_constant(g, 1), rt_multiply(g, by_s, by_s)), rt_constant(g, 0.25));
    return rt_divide(g, mu, rt_multiply(g, v_s, root));
}

/* ---- compression ----------------------------------------------------------------------------- */

routh_status rt_check_exponent(const rt_contact_writing *x)
{
    const double e = x->w->exponent.value;
    if (e >= 1 && e <= 10) return ROUTH_OK;
    return rt_reader_fail(x->r, rt_contact_place(x, "exponent"),
                          "exponent is %.6g; it must be from 1 to 10, 1 for a stop that is linear "
                          "and 1.5 for two spheres",
                          e);
}

routh_status rt_contact_take_unit(const rt_contact_writing *x, const char *field, const char *unit,
                                  rt_number *number)
{
    const rt_yaml *node = rt_yaml_find(x->node, field);
    if (!node) return ROUTH_OK;
    if (strstr(rt_unit_of_field(x->kind, field), " or "))
        *number = rt_number_from(x->r, unit, *number);
    return rt_check_number_in(x->r, node, field, unit);
}

/* F/L^e = F exp(-e ln L): the exponent may be of parameters. */
static rt_number contact_per_power(const rt_contact_writing *x, rt_number stiffness)
{
    rt_calculator *c = &x->r->calculator;
    const double length = rt_model_unit(x->r, "m");
    if (length == 1) return stiffness;
    return rt_times(c, stiffness,
                    rt_exponential(c, rt_times(c, rt_plain(-log(length)), x->w->exponent)));
}

static routh_status contact_take_stiffness(const rt_contact_writing *x)
{
    char unit[48];
    x->w->stiffness = contact_per_power(x, rt_number_from(x->r, "N", x->w->stiffness));
    snprintf(unit, sizeof unit, "N/m^%.12g", x->w->exponent.value);
    return rt_check_number_in(x->r, rt_yaml_find(x->node, "stiffness"), "stiffness", unit);
}

routh_status rt_contact_take_units(const rt_contact_writing *x, bool angle)
{
    const routh_status status = angle
                                    ? rt_contact_take_unit(x, "stiffness", "N m", &x->w->stiffness)
                                    : contact_take_stiffness(x);
    return status ? status
                  : rt_contact_take_unit(x, "damping", angle ? "s" : "s/m", &x->w->damping);
}

/* F = k p^e max(0, 1 + 3/2 c p') for p > 0, else 0.
 * Hunt and Crossley (1975), Eq. (5) with lambda = 3/2 alpha k, and never pulling. */
rt_expr rt_compression(const rt_contact_writing *x, rt_expr depth, rt_expr rate)
{
    rt_graph *g = x->r->model->graph;
    const rt_written_contact *w = x->w;
    const rt_expr zero = rt_constant(g, 0);
    const rt_expr p = rt_maximum(g, zero, depth);
    const rt_expr power = rt_power(g, p, rt_contact_number(x, w->exponent));
    const rt_expr force = rt_multiply(g, rt_contact_number(x, w->stiffness), power);
    if (w->damping.expr < 0 && w->damping.value == 0) return force;
    const rt_expr c = rt_multiply(g, rt_constant(g, 1.5), rt_contact_number(x, w->damping));
    const rt_expr factor = rt_add(g, rt_constant(g, 1), rt_multiply(g, c, rate));
    return rt_multiply(g, force, rt_maximum(g, zero, factor));
}

/* ---- components ------------------------------------------------------------------------------ */

void rt_add_along(const rt_contact_writing *x, int part, const double components[3], rt_expr value)
{
    rt_graph *g = x->r->model->graph;
    if (value < 0) x->r->calculator.failed = true;
    for (int k = 0; k < 3; k++) {
        rt_function *f = &x->load->function[part + k];
        if (components[k] == 0) continue;
        const rt_expr term = rt_multiply(g, rt_constant(g, components[k]), value);
        f->expr = f->expr < 0 ? term : rt_add(g, f->expr, term);
        f->place = x->load->place;
        if (f->expr < 0) x->r->calculator.failed = true;
    }
}

routh_status rt_finish_components(const rt_contact_writing *x)
{
    return x->r->calculator.failed ? rt_fail_memory(x->r->error) : ROUTH_OK;
}
