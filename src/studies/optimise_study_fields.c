#include "studies/optimise_study_fields.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"

routh_status rt_study_fail(const rt_study_reader *r, rt_place place, const char *format, ...)
{
    char text[600];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return rt_fail_at(r->error, ROUTH_MODEL_ERROR, r->study->file, place,
                      r->element[0] ? r->element : NULL, "%s", text);
}

static routh_status optimise_study_fields_wrong(const rt_study_reader *r, const rt_yaml *node,
                                                const char *what, const char *wanted)
{
    char found[96];
    return rt_study_fail(r, node->place, "`%s` must be %s, not %s", what, wanted,
                         rt_yaml_describe(node, found, sizeof found));
}

routh_status rt_study_keys(const rt_study_reader *r, const rt_yaml *node, const char *const *keys)
{
    char found[96];
    if (node->kind != RT_YAML_MAPPING)
        return rt_study_fail(r, node->place, "this must be a mapping, not %s",
                             rt_yaml_describe(node, found, sizeof found));
    for (const rt_yaml *at = node->first; at; at = at->next) {
        int k = 0;
        while (keys[k] && strcmp(keys[k], at->key) != 0) k++;
        if (keys[k]) continue;
        const char *near = rt_suggest(at->key, keys);
        return rt_study_fail(r, at->key_place, "'%.60s' is not a field here%s%s%s", at->key,
                             near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    return ROUTH_OK;
}

routh_status rt_study_word(const rt_study_reader *r, const rt_yaml *node, const char *what,
                           const char **text)
{
    if (node->kind != RT_YAML_SCALAR || !node->text[0])
        return optimise_study_fields_wrong(r, node, what, "a text");
    *text = node->text;
    return ROUTH_OK;
}

routh_status rt_study_truth(const rt_study_reader *r, const rt_yaml *node, const char *what,
                            bool *truth)
{
    static const char *const names[] = {"no", "yes", "false", "true", NULL};
    for (int k = 0; node->kind == RT_YAML_SCALAR && names[k]; k++)
        if (strcmp(node->text, names[k]) == 0) return *truth = k % 2, ROUTH_OK;
    return optimise_study_fields_wrong(r, node, what, "yes or no");
}

const rt_study_unit rt_study_rate = {.dimension = {.known = true, .unit = {1, 0, {0, 0, -1}}}};
const rt_study_unit rt_study_time = {.dimension = {.known = true, .unit = {1, 0, {0, 0, 1}}}};

static const rt_study_unit plain_number = {.dimension = {.known = true, .unit = {.mantissa = 1}}};

routh_status rt_study_number(const rt_study_reader *r, const rt_yaml *node, const char *what,
                             const rt_study_unit *of, double *number)
{
    routh_error problem = {0};
    rt_dimension dimension = of ? of->dimension : plain_number.dimension;
    if (node->kind != RT_YAML_SCALAR || !node->text[0])
        return optimise_study_fields_wrong(r, node, what,
                                           "a number or an expression of the model's parameters");
    const routh_status status = rt_model_evaluate_in(r->model, node->text, of ? of->units : NULL,
                                                     &dimension, number, &problem);
    if (status == ROUTH_OUT_OF_MEMORY) return rt_fail_memory(r->error);
    if (!status && of && of->bare && dimension.known)
        return rt_study_fail(r, node->place,
                             "`%s`: nobody knows the units of '%.60s' here, since files of the "
                             "model are in different ones; write a number without a unit, output "
                             "per input as they are",
                             what, node->text);
    return status ? rt_study_fail(r, node->place, "`%s`: %.400s", what, problem.message) : ROUTH_OK;
}

routh_status rt_study_numbers(const rt_study_reader *r, const rt_yaml *node, const char *what,
                              const rt_study_unit *of, int n, double *numbers)
{
    char wanted[40];
    snprintf(wanted, sizeof wanted, "a list of %d numbers", n);
    if (node->kind != RT_YAML_LIST || node->count != n)
        return optimise_study_fields_wrong(r, node, what, wanted);
    for (const rt_yaml *at = node->first; at; at = at->next) {
        const routh_status status = rt_study_number(r, at, what, of, numbers++);
        if (status) return status;
    }
    return ROUTH_OK;
}

routh_status rt_study_count(const rt_study_reader *r, const rt_yaml *node, const char *what,
                            int least, int most, int *count)
{
    double x;
    const routh_status status = rt_study_number(r, node, what, NULL, &x);
    if (status) return status;
    if (!(x >= least && x <= most) || x != (double)(int)x)
        return rt_study_fail(r, node->place, "`%s` must be a whole number from %d to %d, not %g",
                             what, least, most, x);
    *count = (int)x;
    return ROUTH_OK;
}

routh_status rt_study_choice(const rt_study_reader *r, const rt_yaml *node, const char *what,
                             const char *const *names, int *choice)
{
    char list[200] = "";
    size_t length = 0;
    if (!node) return ROUTH_OK;
    for (int k = 0; names[k]; k++) {
        if (node->kind == RT_YAML_SCALAR && names[k][0] && strcmp(node->text, names[k]) == 0)
            return *choice = k, ROUTH_OK;
        if (names[k][0])
            length += (size_t)snprintf(list + length, sizeof list - length, "%s%s",
                                       length ? ", " : "", names[k]);
    }
    char wanted[240];
    snprintf(wanted, sizeof wanted, "one of %s", list);
    return optimise_study_fields_wrong(r, node, what, wanted);
}
