#include "studies/optimise_study_fields.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pi.h"
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
const rt_study_unit rt_study_frequency = {.dimension = {.known = true, .unit = {1, 0, {0, 0, -1}}},
                                          .frequency = true};
const rt_study_unit rt_study_time = {.dimension = {.known = true, .unit = {1, 0, {0, 0, 1}}}};

static const rt_study_unit plain_number = {.dimension = {.known = true, .unit = {.mantissa = 1}}};

static bool is_of_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Behind the next such word of the text, which may follow a number at once; NULL: there is none. */
static const char *after_word(const char *text, const char *word)
{
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
        const char *end = at + strlen(word);
        if (!is_of_name(*end) &&
            (at == text || !is_of_name(at[-1]) || isdigit((unsigned char)at[-1])))
            return end + strspn(end, " ");
    }
    return NULL;
}

/* Has the text a unit of angular velocity: rpm, or an angle over a time? */
static bool names_angular(const char *text)
{
    static const char *const angles[] = {"rad", "mrad", "deg", "rev", "°"};
    bool found = after_word(text, "rpm") != NULL;
    for (int k = 0; k < 5; k++)
        for (const char *at = after_word(text, angles[k]); at; at = after_word(at, angles[k]))
            found = found || *at == '/';
    return found;
}

/* 20 rad/s is a frequency of 20/(2 pi) Hz. In an expression only one with pi is taken for one. */
static routh_status take_frequency(const rt_study_reader *r, const rt_yaml *node, const char *what,
                                   double *number)
{
    char *end = NULL;
    rt_unit unit;
    bool alone = false;
    if (!names_angular(node->text)) return ROUTH_OK;
    (void)strtod(node->text, &end);
    while (*end == ' ') end++;
    if (end != node->text && rt_unit_of(end, &unit, &alone)) return rt_fail_memory(r->error);
    if (alone) *number /= RT_TWO_PI;
    if (alone || after_word(node->text, "pi")) return ROUTH_OK;
    return rt_study_fail(r, node->place,
                         "`%s`: '%.60s' is an angular velocity, and a frequency in Hz is needed; "
                         "divide it by 2*pi, or write a number with its unit alone, such as 90 rpm",
                         what, node->text);
}

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
    if (status) return rt_study_fail(r, node->place, "`%s`: %.400s", what, problem.message);
    return of && of->frequency ? take_frequency(r, node, what, number) : ROUTH_OK;
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
