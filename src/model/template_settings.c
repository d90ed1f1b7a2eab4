/* What the user sets of a template, checked against the settings that it declares. */
#include "model/template_program.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/suggest.h"

routh_status rt_template_evaluate(const char *text, double *value, routh_error *error)
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

static int find_setting(const rt_template_program *p, const char *name)
{
    for (int k = 0; k < p->n_settings; k++)
        if (!strcmp(p->settings[k].name, name)) return k;
    return -1;
}

/* The nearest setting's name, and what settings there are. */
static routh_status say_settings(const rt_template_program *p, const char *name, const char **names,
                                 routh_error *error)
{
    rt_text all = {0};
    for (int k = 0; k < p->n_settings; k++) {
        names[k] = p->settings[k].name;
        rt_text_append(&all, "%s%s (%s)", k ? ", " : "", names[k], p->settings[k].about);
    }
    const char *near = rt_suggest(name, names);
    const routh_status status =
        all.failed ? rt_fail_memory(error)
                   : rt_fail(error, ROUTH_BAD_ARGUMENT,
                             "the template %s has no setting '%.60s'; %s%s%s settings are %s",
                             p->name, name, near ? "did you mean '" : "its", near ? near : "",
                             near ? "'? Its" : "", rt_text_string(&all));
    rt_text_free(&all);
    return status;
}

static routh_status fail_unknown_setting(const rt_template_program *p, const char *name,
                                         routh_error *error)
{
    rt_arena arena = {0};
    if (p->n_settings == 0)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the template %s has no settings, so '%.60s' cannot be set", p->name, name);
    const char **names = RT_TAKE(&arena, const char *, p->n_settings + 1);
    const routh_status status = names ? say_settings(p, name, names, error) : rt_fail_memory(error);
    rt_arena_free(&arena);
    return status;
}

static routh_status take_word(const rt_template_program *p, const rt_template_setting *s,
                              const char *text, rt_template_value *value, routh_error *error)
{
    rt_text all = {0};
    value->text = text;
    for (int k = 0; s->words[k]; k++)
        if (!strcmp(text, s->words[k])) return ROUTH_OK;
    for (int k = 0; s->words[k]; k++) rt_text_append(&all, "%s%s", k ? ", " : "", s->words[k]);
    const routh_status status =
        all.failed
            ? rt_fail_memory(error)
            : rt_fail(error, ROUTH_BAD_ARGUMENT, "%s=%.60s for the template %s must be one of %s",
                      s->name, text, p->name, rt_text_string(&all));
    rt_text_free(&all);
    return status;
}

static routh_status take_setting(const rt_template_program *p, const rt_template_setting *s,
                                 const char *text, rt_template_value *value, routh_error *error)
{
    routh_error problem = {0};
    if (s->words) return take_word(p, s, text, value, error);
    const routh_status status = rt_template_evaluate(text, &value->number, &problem);
    if (status == ROUTH_OUT_OF_MEMORY) return rt_fail_memory(error);
    if (status)
        return rt_fail(error, ROUTH_BAD_ARGUMENT, "%s=%.60s for the template %s: %.600s", s->name,
                       text, p->name, problem.message);
    value->text = text;
    if (!(value->number >= s->least && value->number <= s->most))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "%s=%.60s for the template %s is out of range; it must lie between %g and "
                       "%g",
                       s->name, text, p->name, s->least, s->most);
    if (s->whole && value->number != floor(value->number))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "%s=%.60s for the template %s must be a whole number", s->name, text,
                       p->name);
    return ROUTH_OK;
}

/* A default that the setting itself would refuse is the template's fault. */
static routh_status take_default(const rt_template_program *p, const rt_template_setting *s,
                                 rt_template_value *value, routh_error *error)
{
    routh_error problem = {0};
    const routh_status status = take_setting(p, s, s->fallback, value, &problem);
    if (!status) return ROUTH_OK;
    if (status == ROUTH_OUT_OF_MEMORY) return rt_fail_memory(error);
    return rt_fail_at(error, ROUTH_SYNTAX_ERROR, p->file, rt_place_at(s->line, 0), NULL, "%.900s",
                      problem.message);
}

routh_status rt_template_settings(const rt_template_program *program, const routh_setting *given,
                                  size_t n, rt_template_value *values, routh_error *error)
{
    routh_status status = ROUTH_OK;
    for (int k = 0; k < program->n_settings && !status; k++)
        status = take_default(program, &program->settings[k], &values[k], error);
    for (size_t k = 0; k < n && !status; k++) {
        const char *name = given[k].name ? given[k].name : "";
        const int s = find_setting(program, name);
        if (s < 0) return fail_unknown_setting(program, name, error);
        status = take_setting(program, &program->settings[s], given[k].value ? given[k].value : "",
                              &values[s], error);
    }
    return status;
}
