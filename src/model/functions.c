/* Functions of the caller: those that are given with the model, and the section `functions`. */
#include <stdio.h>
#include <string.h>

#include "expression/builtin.h"
#include "model/measure_class.h"
#include "model/scope.h"

/* ---- what is given --------------------------------------------------------------------------- */

static bool functions_is_name(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char more[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    const size_t n = strlen(name);
    return n > 0 && n <= 60 && strchr(letters, name[0]) && strspn(name, more) == n;
}

/* What a function of this name would hide. */
static const char *functions_taken(const char *name)
{
    if (rt_builtin_find(name)) return "a function of every expression";
    if (rt_measure_find(name)) return "a measure";
    if (!strcmp(name, "if") || !strcmp(name, "IF")) return "a word of expressions";
    return NULL;
}

static routh_status functions_refuse(rt_reader *r, size_t k, const char *name, const char *what)
{
    return rt_fail(r->error, ROUTH_BAD_ARGUMENT, "functions[%zu] (%.60s): %s", k,
                   name ? name : "without a name", what);
}

static routh_status functions_check(rt_reader *r, const rt_given_functions *given, size_t k)
{
    const routh_function *f = &given->list[k];
    char text[160];
    if (!f->name || !functions_is_name(f->name))
        return functions_refuse(r, k, f->name,
                                "a name is letters, digits and underscores, 60 at most, and begins "
                                "with no digit");
    const char *taken = functions_taken(f->name);
    snprintf(text, sizeof text, "this is the name of %s; give it another name", taken ? taken : "");
    if (taken) return functions_refuse(r, k, f->name, text);
    for (size_t i = 0; i < k; i++)
        if (!strcmp(given->list[i].name, f->name))
            return functions_refuse(r, k, f->name,
                                    "it is there twice; give one of them another "
                                    "name");
    if (f->n_arguments < 1 || f->n_arguments > RT_USER_ARGUMENTS)
        return functions_refuse(r, k, f->name, "n_arguments must be between 1 and 8");
    if (!f->value)
        return functions_refuse(r, k, f->name, "value is NULL; give what computes the function");
    for (int i = 0; i < f->n_arguments && f->scales; i++)
        if (!(f->scales[i] >= 0 && f->scales[i] <= 1e300))
            return functions_refuse(r, k, f->name, "scales must be positive, or 0: not known");
    return ROUTH_OK;
}

static void functions_take(rt_model_function *to, const routh_function *from)
{
    to->of = (rt_user_function){.name = from->name,
                                .n = from->n_arguments,
                                .value = from->value,
                                .gradient = from->gradient,
                                .hessian = from->hessian,
                                .complex_value = from->complex_value,
                                .user = from->user};
    for (int i = 0; i < from->n_arguments && from->scales; i++) to->of.scale[i] = from->scales[i];
}

routh_status rt_keep_functions(rt_reader *r, const rt_given_functions *given)
{
    routh_model *m = r->model;
    routh_function *list = RT_TAKE(&m->arena, routh_function, given->n);
    m->functions = RT_TAKE(&m->arena, rt_model_function, given->n);
    if (!list || !m->functions) return rt_fail_memory(r->error);
    for (size_t k = 0; k < given->n; k++) {
        const routh_status status = functions_check(r, given, k);
        if (status) return status;
        const routh_function *f = &given->list[k];
        double *scales = f->scales ? RT_TAKE(&m->arena, double, f->n_arguments) : NULL;
        list[k] = *f;
        list[k].name = rt_arena_text(&m->arena, f->name, strlen(f->name));
        if (!list[k].name || (f->scales && !scales)) return rt_fail_memory(r->error);
        if (scales) memcpy(scales, f->scales, (size_t)f->n_arguments * sizeof *scales);
        list[k].scales = scales;
        functions_take(&m->functions[m->n_functions++], &list[k]);
    }
    m->given = (rt_given_functions){list, given->n, given->plugins};
    return ROUTH_OK;
}

/* ---- the section ----------------------------------------------------------------------------- */

static routh_status functions_read_entry(rt_reader *r, const rt_yaml *entry)
{
    routh_model *m = r->model;
    rt_written_function w = {0};
    rt_given given;
    routh_status status = rt_check_name(r, entry);
    if (!status) status = rt_read_fields(r, rt_function_section.kinds, entry, &w, &given);
    if (status) return status;
    const char *taken = functions_taken(entry->key);
    if (taken)
        return rt_reader_fail(r, entry->key_place,
                              "'%.60s' is the name of %s; give the function another name",
                              entry->key, taken);
    if (w.arguments > RT_USER_ARGUMENTS)
        return rt_reader_fail(r, entry->key_place, "a function has at most %d arguments, not %d",
                              RT_USER_ARGUMENTS, w.arguments);
    rt_model_function *f = rt_find_function(m, entry->key);
    if (f && f->of.n != w.arguments)
        return rt_reader_fail(r, entry->key_place,
                              "it is declared with %d argument%s, and given with %d; make the two "
                              "agree",
                              w.arguments, w.arguments == 1 ? "" : "s", f->of.n);
    if (f && (!w.library.text || (f->of.value && !f->library))) return ROUTH_OK;
    if (f) return rt_load_plugin(r, w.library, f);
    f = &m->functions[m->n_functions++];
    f->place = entry->key_place;
    f->of.n = w.arguments;
    f->of.name = rt_arena_text(&m->arena, entry->key, strlen(entry->key));
    if (!f->of.name) return rt_fail_memory(r->error);
    return w.library.text ? rt_load_plugin(r, w.library, f) : ROUTH_OK;
}

/* The section of the file of part k, the first part that has it; NULL: none, or read before. */
static const rt_yaml *functions_of_part(const rt_reader *r, int k)
{
    const rt_part_file *file = r->parts->scopes[k]->file;
    for (int i = 0; i < k; i++)
        if (r->parts->scopes[i]->file == file) return NULL;
    const rt_yaml *section = rt_yaml_find(file->root, "functions");
    return section && section->kind == RT_YAML_MAPPING ? section : NULL;
}

static routh_status functions_read_section(rt_reader *r, const rt_yaml *section,
                                           const rt_scope *scope)
{
    routh_model *m = r->model;
    routh_status status = ROUTH_OK;
    const size_t n = (size_t)m->n_functions;
    rt_model_function *all = RT_TAKE(&m->arena, rt_model_function, n + (size_t)section->count);
    if (!all) return rt_fail_memory(r->error);
    if (n) memcpy(all, m->functions, n * sizeof *all);
    m->functions = all;
    for (const rt_yaml *entry = section->first; entry && !status; entry = entry->next) {
        rt_reader_enter(r, "function", entry);
        r->scope = scope;
        status = functions_read_entry(r, entry);
    }
    return status;
}

/* Those that are given stay first. Names of functions are the same in the model and its parts. */
routh_status rt_read_functions(rt_reader *r, const rt_yaml *section)
{
    routh_status status = ROUTH_OK;
    if (section && section->kind == RT_YAML_MAPPING) /* else the fields refuse it */
        status = functions_read_section(r, section, r->parts ? &r->parts->model : NULL);
    for (int k = 0; r->parts && k < r->parts->n && !status; k++) {
        const rt_yaml *of_part = functions_of_part(r, k);
        if (of_part) status = functions_read_section(r, of_part, r->parts->scopes[k]);
    }
    return status;
}
