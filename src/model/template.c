#include "model/template.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/suggest.h"
#include "expression/expression.h"
#include "routh/model.h"

static const char *const off_or_on[] = {"off", "on", NULL};
static const char *const tangent_or_mean_axis[] = {"tangent", "mean-axis", NULL};

static const char *const modal_or_exact[] = {"modal", "exact", NULL};

static const rt_template templates[] = {
    {"rotor-stator",
     "A rotor spinning in a stator on soft mounts: whirling modes split with speed.",
     {{"spin", "pi", false, -1e6, 1e6, "spin of the rotor, rad/s", NULL}},
     rt_write_rotor_stator},
    {"four-bar",
     "N four-bar loops side by side, standing on springs: a planar mechanism of 3-D bodies.",
     {{"N", "1", true, 1, 100000, "number of loops", NULL},
      {"c", "0", false, 0, 1e9, "damping of each spring, N s/m", NULL},
      {"k", "25", false, 0, 1e9, "stiffness of each spring, N/m", NULL}},
     rt_write_four_bar},
    {"slider-pendulum",
     "A pendulum hung from a slider on a spring.",
     {{"c", "0", false, 0, 1e9, "damping of the slider, N s/m", NULL}},
     rt_write_slider_pendulum},
    {"rotating-pendulum",
     "A ball on a rod circling steadily, seen from a turntable that rotates with it.",
     {{NULL, NULL, false, 0, 0, NULL, NULL}},
     rt_write_rotating_pendulum},
    {"spatial-four-bar",
     "Two hanging cranks and a coupler with revolute, universal and spherical joints.",
     {{"a", "1", false, 1e-3, 1e3, "length of the first crank, m", NULL},
      {"b", "1", false, 1e-3, 1e3, "length of the second crank, m", NULL}},
     rt_write_spatial_four_bar},
    {"pendulum-chain",
     "A chain of n equal rods hanging from the ceiling.",
     {{"n", "5", true, 1, 100000, "number of rods", NULL},
      {"k", "0", false, 0, 1e12, "stiffness in each hinge, N m/rad", NULL},
      {"kp", "0", false, 0, 1e12, "gain of a PID controller in each hinge, N m/rad", NULL},
      {"angle", "0", false, -3.1416, 3.1416,
       "of the chain from the vertical where it is let go, rad", NULL}},
     rt_write_pendulum_chain},
    {"humanoid",
     "A limp humanoid of 30 hinges, for joint coordinates.",
     {{"floating", "0", true, 0, 1, "1: the pelvis floats", NULL}},
     rt_write_humanoid},
    {"mcpherson",
     "A quarter of a car on a McPherson strut: body bounce and wheel hop.",
     {{NULL, NULL, false, 0, 0, NULL, NULL}},
     rt_write_mcpherson},
    {"flexible-double-pendulum",
     "Two elastic links hanging one below the other, swinging in a plane.",
     {{.name = "elements",
       .fallback = "10",
       .whole = true,
       .least = 1,
       .most = 100000,
       .about = "finite elements of each link"},
      {.name = "stiffening",
       .fallback = "on",
       .words = off_or_on,
       .about = "on or off: axial forces stiffen the bending; off with frame=mean-axis"},
      {.name = "frame",
       .fallback = "tangent",
       .words = tangent_or_mean_axis,
       .about = "floating frame of the links: tangent to the upper end, or mean-axis"}},
     rt_write_flexible_double_pendulum},
    {"blade-segments",
     "A helicopter blade of flexible segments, fixed one to the next, on a rotating hub.",
     {{.name = "segments",
       .fallback = "4",
       .whole = true,
       .least = 1,
       .most = 1000,
       .about = "uniform segments of the blade"},
      {.name = "modes",
       .fallback = "0",
       .whole = true,
       .least = 0,
       .most = 10000,
       .about = "free modes of each segment, 0: all"},
      {.name = "elements",
       .fallback = "1",
       .whole = true,
       .least = 1,
       .most = 1000,
       .about = "finite elements of each segment"},
      {.name = "rpm", .fallback = "660", .least = 0, .most = 1e4, .about = "speed of the rotor"},
      {.name = "blade",
       .fallback = "modal",
       .words = modal_or_exact,
       .about = "modal: flexible segments, or exact: one exact beam of the same sections"}},
     rt_write_blade_segments},
};
enum { N_TEMPLATES = sizeof templates / sizeof templates[0] };

const char *routh_template_name(size_t index)
{
    return index < N_TEMPLATES ? templates[index].name : NULL;
}

const char *routh_template_about(size_t index)
{
    return index < N_TEMPLATES ? templates[index].about : NULL;
}

static const rt_template *find_template(const char *name)
{
    for (size_t k = 0; k < N_TEMPLATES; k++)
        if (!strcmp(templates[k].name, name)) return &templates[k];
    return NULL;
}

static routh_status fail_unknown_template(const char *name, routh_error *error)
{
    const char *names[N_TEMPLATES + 1];
    char all[300];
    size_t length = 0;
    for (size_t k = 0; k < N_TEMPLATES; k++) {
        names[k] = templates[k].name;
        length +=
            (size_t)snprintf(all + length, sizeof all - length, "%s%s", k ? ", " : "", names[k]);
    }
    names[N_TEMPLATES] = NULL;
    const char *near = rt_suggest(name, names);
    return rt_fail(error, ROUTH_BAD_ARGUMENT,
                   "template '%.60s' is not defined%s%s%s The templates are %s.", name,
                   near ? "; did you mean '" : ".", near ? near : "", near ? "'?" : "", all);
}

static int find_setting(const rt_template *t, const char *name)
{
    for (int k = 0; k < RT_TEMPLATE_SETTINGS && t->settings[k].name; k++)
        if (!strcmp(t->settings[k].name, name)) return k;
    return -1;
}

static routh_status fail_unknown_setting(const rt_template *t, const char *name, routh_error *error)
{
    char all[400] = "";
    const char *names[RT_TEMPLATE_SETTINGS + 1] = {NULL};
    size_t length = 0;
    for (int k = 0; k < RT_TEMPLATE_SETTINGS && t->settings[k].name; k++)
        names[k] = t->settings[k].name;
    for (int k = 0; k < RT_TEMPLATE_SETTINGS && t->settings[k].name; k++)
        length += (size_t)snprintf(all + length, sizeof all - length, "%s%s (%s)", k ? ", " : "",
                                   t->settings[k].name, t->settings[k].about);
    if (!all[0])
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the template %s has no settings, so '%.60s' cannot be set", t->name, name);
    const char *near = rt_suggest(name, names);
    return rt_fail(error, ROUTH_BAD_ARGUMENT,
                   "the template %s has no setting '%.60s'; %s%s%s settings are %s", t->name, name,
                   near ? "did you mean '" : "its", near ? near : "", near ? "'? Its" : "", all);
}

/* The value of an expression without names, such as 2*pi*0.5. */
static routh_status template_evaluate(const char *text, double *value, routh_error *error)
{
    rt_graph *graph = rt_graph_create();
    rt_expr e;
    if (!graph) return rt_fail_memory(error);
    routh_status status = rt_parse(graph, text, NULL, &e, error);
    if (!status && !rt_is_constant(graph, e, value))
        status = rt_fail(error, ROUTH_BAD_ARGUMENT, "the value is not a number");
    rt_graph_free(graph);
    return status;
}

static routh_status take_word(const rt_template *t, const rt_template_setting *s, const char *text,
                              rt_template_value *value, routh_error *error)
{
    char all[200] = "";
    size_t length = 0;
    value->text = text;
    for (int k = 0; s->words[k]; k++) {
        value->number = k;
        if (!strcmp(text, s->words[k])) return ROUTH_OK;
        length +=
            (size_t)snprintf(all + length, sizeof all - length, "%s%s", k ? ", " : "", s->words[k]);
    }
    return rt_fail(error, ROUTH_BAD_ARGUMENT, "%s=%.60s for the template %s must be one of %s",
                   s->name, text, t->name, all);
}

static routh_status take_setting(const rt_template *t, const rt_template_setting *s,
                                 const char *text, rt_template_value *value, routh_error *error)
{
    routh_error problem = {0};
    if (s->words) return take_word(t, s, text, value, error);
    const routh_status status = template_evaluate(text, &value->number, &problem);
    if (status == ROUTH_OUT_OF_MEMORY) return rt_fail_memory(error);
    if (status)
        return rt_fail(error, ROUTH_BAD_ARGUMENT, "%s=%.60s for the template %s: %.600s", s->name,
                       text, t->name, problem.message);
    value->text = text;
    if (!(value->number >= s->least && value->number <= s->most))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "%s=%.60s for the template %s is out of range; it must lie between %g and "
                       "%g",
                       s->name, text, t->name, s->least, s->most);
    if (s->whole && value->number != floor(value->number))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "%s=%.60s for the template %s must be a whole number", s->name, text,
                       t->name);
    return ROUTH_OK;
}

static routh_status take_settings(const rt_template *t, const routh_setting *settings, size_t n,
                                  rt_template_value *values, routh_error *error)
{
    routh_status status = ROUTH_OK;
    for (int k = 0; k < RT_TEMPLATE_SETTINGS && t->settings[k].name && !status; k++)
        status = take_setting(t, &t->settings[k], t->settings[k].fallback, &values[k], error);
    for (size_t k = 0; k < n && !status; k++) {
        const char *name = settings[k].name ? settings[k].name : "";
        const int s = find_setting(t, name);
        if (s < 0) return fail_unknown_setting(t, name, error);
        status = take_setting(t, &t->settings[s], settings[k].value ? settings[k].value : "",
                              &values[s], error);
    }
    return status;
}

routh_status routh_template_write(const char *name, const routh_setting *settings,
                                  size_t n_settings, routh_text *text, routh_error *error)
{
    rt_template_value values[RT_TEMPLATE_SETTINGS] = {{0}};
    rt_text out = {0};
    if (!text || !name || (!settings && n_settings))
        return rt_fail(error, ROUTH_BAD_ARGUMENT, "name, text or settings is NULL");
    *text = (routh_text){0};
    const rt_template *t = find_template(name);
    if (!t) return fail_unknown_template(name, error);
    const routh_status status = take_settings(t, settings, n_settings, values, error);
    if (status) return status;
    t->write(&out, values);
    text->length = out.length;
    text->bytes = rt_text_take(&out);
    return text->bytes ? ROUTH_OK : rt_fail_memory(error);
}
