/* Calls of functions of the caller in expressions. */
#include <stdio.h>
#include <string.h>

#include "expression/builtin.h"
#include "model/reader.h"

rt_model_function *rt_find_function(const routh_model *m, const char *name)
{
    for (int k = 0; k < m->n_functions; k++)
        if (!strcmp(m->functions[k].of.name, name)) return &m->functions[k];
    return NULL;
}

/* ---- in expressions -------------------------------------------------------------------------- */

bool rt_call_function(rt_reader *r, const char *name, const rt_call_argument *arguments, int n,
                      rt_expr *out, char *problem)
{
    const rt_model_function *f = rt_find_function(r->model, name);
    rt_expr values[RT_USER_ARGUMENTS];
    double value;
    if (!f) return false;
    if (!f->of.value) {
        snprintf(problem, RT_PROBLEM_SIZE,
                 "the function %.60s of %d argument%s, declared in line %d, is missing: whoever "
                 "reads the file gives it, in C in routh_model_options.functions, in Python in "
                 "functions=; or its entry names a library",
                 name, f->of.n, f->of.n == 1 ? "" : "s", f->place.line);
        return false;
    }
    if (n != f->of.n) {
        snprintf(problem, RT_PROBLEM_SIZE, "the function %.60s has %d argument%s, not %d", name,
                 f->of.n, f->of.n == 1 ? "" : "s", n);
        return false;
    }
    for (int k = 0; k < n; k++) {
        values[k] = arguments[k].value;
        if (values[k] >= 0) continue;
        snprintf(problem, RT_PROBLEM_SIZE,
                 "argument %d of %.60s, '%.60s', is no quantity; give an expression", k + 1, name,
                 arguments[k].name ? arguments[k].name : "");
        return false;
    }
    *out = rt_user_call(r->model->graph, &f->of, values);
    if (!rt_is_constant(r->model->graph, *out, &value) || value - value == 0) return true;
    snprintf(problem, RT_PROBLEM_SIZE, "the function %.60s has no finite value here", name);
    return false;
}

/* ---- calls to look at ------------------------------------------------------------------------ */

/* Grows as `grown` of n items of this size to the double where it is full. */
static bool functions_grow(rt_arena *arena, void **list, size_t size, int n, int more, int *room)
{
    if (n + more <= *room) return true;
    const int wanted = 2 * (n + more);
    void *grown = rt_arena_take(arena, (size_t)wanted, size);
    if (!grown) return false;
    if (n) memcpy(grown, *list, (size_t)n * size);
    *list = grown;
    *room = wanted;
    return true;
}

static bool functions_add_use(rt_reader *r, const rt_function_use *use, const rt_user_use *call)
{
    routh_model *m = r->model;
    const int n = call->function->n;
    void *uses = m->function_uses, *arguments = m->function_arguments;
    if (!functions_grow(&m->arena, &uses, sizeof *use, m->n_function_uses, 1, &r->use_list_room) ||
        !functions_grow(&m->arena, &arguments, sizeof *call->argument, m->n_function_arguments, n,
                        &r->use_argument_room))
        return false;
    m->function_uses = uses;
    m->function_arguments = arguments;
    memcpy(m->function_arguments + m->n_function_arguments, call->argument,
           (size_t)n * sizeof *call->argument);
    m->function_uses[m->n_function_uses++] = *use;
    m->n_function_arguments += n;
    return true;
}

/* Is the same call of the same element, whose calls come one after another, there already? */
static bool functions_has_use(const routh_model *m, const char *element, const rt_user_use *call)
{
    for (int k = m->n_function_uses - 1; k >= 0; k--) {
        const rt_function_use *use = &m->function_uses[k];
        if (strcmp(use->element, element)) return false;
        if (use->function == call->function &&
            !memcmp(m->function_arguments + use->first, call->argument,
                    (size_t)call->function->n * sizeof *call->argument))
            return true;
    }
    return false;
}

bool rt_note_function_uses(rt_reader *r, const char *element, const rt_function *function)
{
    routh_model *m = r->model;
    rt_user_use *list;
    const int n = rt_user_uses_of(m->graph, function->expr, &list, &r->scratch);
    for (int k = 0; k < n; k++) {
        const rt_function_use use = {.element = element,
                                     .place = function->place,
                                     .function = list[k].function,
                                     .first = m->n_function_arguments};
        if (functions_has_use(m, element, &list[k])) continue;
        if (!functions_add_use(r, &use, &list[k])) return false;
    }
    return n >= 0;
}
