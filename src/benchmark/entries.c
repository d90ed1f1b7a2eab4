/* Reads problems.yaml. */
#include "benchmark/entries.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/suggest.h"
#include "model/yaml.h"

typedef struct reader {
    rt_benchmark_entries *entries;
    const char *file;
    const rt_yaml *sources;
    char element[160]; /* "problem bicycle" */
    routh_error *error;
} reader;

static routh_status entries_fail(const reader *r, rt_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static routh_status entries_fail(const reader *r, rt_place place, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return rt_fail_at(r->error, ROUTH_MODEL_ERROR, r->file, place,
                      r->element[0] ? r->element : NULL, "%s", text);
}

/* ---- fields ---------------------------------------------------------------------------------- */

static routh_status entries_keys(const reader *r, const rt_yaml *node, const char *const *keys)
{
    char found[96];
    if (node->kind != RT_YAML_MAPPING)
        return entries_fail(r, node->place, "this must be a mapping, not %s",
                            rt_yaml_describe(node, found, sizeof found));
    for (const rt_yaml *at = node->first; at; at = at->next) {
        int k = 0;
        while (keys[k] && strcmp(keys[k], at->key) != 0) k++;
        if (keys[k]) continue;
        const char *near = rt_suggest(at->key, keys);
        return entries_fail(r, at->key_place, "'%.60s' is not a field here%s%s%s", at->key,
                            near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    return ROUTH_OK;
}

/* A text; it stays NULL where the key is not there. */
static routh_status entries_text(const reader *r, const rt_yaml *node, const char *key,
                                 const char **text)
{
    const rt_yaml *at = rt_yaml_find(node, key);
    char found[96];
    if (!at) return ROUTH_OK;
    if (at->kind != RT_YAML_SCALAR || !at->text[0])
        return entries_fail(r, at->place, "`%s` must be a text, not %s", key,
                            rt_yaml_describe(at, found, sizeof found));
    *text = at->text;
    return ROUTH_OK;
}

static routh_status entries_number(const reader *r, const rt_yaml *at, double low, double high,
                                   double *number)
{
    if (at->kind == RT_YAML_SCALAR && rt_number_read(at->text, strlen(at->text), number) &&
        *number >= low && *number <= high)
        return ROUTH_OK;
    return entries_fail(r, at->place, "`%s` must be a number from %g to %g", at->key ? at->key : "",
                        low, high);
}

static routh_status entries_count(const reader *r, const rt_yaml *at, int low, int *count)
{
    double x;
    const routh_status status = entries_number(r, at, low, 1000, &x);
    if (!status) *count = (int)x;
    return status;
}

/* ---- one number ------------------------------------------------------------------------------ */

static const char *const kinds[RT_QUANTITY_KINDS] = {"frequency",
                                                     "growth",
                                                     "real",
                                                     "square",
                                                     "mass",
                                                     "damping",
                                                     "stiffness",
                                                     "output",
                                                     "degrees of freedom",
                                                     "redundant constraints",
                                                     "branch",
                                                     "limit"};

static const char *const units[RT_QUANTITY_KINDS] = {"rad/s", "1/s", "1/s", "1/s^2", "",      "",
                                                     "",      "",    "",    "",      "rad/s", ""};

static bool has_name(rt_benchmark_kind kind)
{
    return kind == RT_QUANTITY_OUTPUT || kind == RT_QUANTITY_LIMIT;
}

static bool is_count(rt_benchmark_kind kind)
{
    return kind == RT_QUANTITY_FREEDOM || kind == RT_QUANTITY_REDUNDANT;
}

/* The kind, which is the one key that names one, and what stands there. */
static routh_status entries_kind(const reader *r, const rt_yaml *node, rt_benchmark_quantity *q)
{
    const rt_yaml *at = NULL;
    for (int k = 0; k < RT_QUANTITY_KINDS; k++) {
        const rt_yaml *found = rt_yaml_find(node, kinds[k]);
        if (!found) continue;
        if (at)
            return entries_fail(r, found->key_place, "`%s` and `%s` exclude each other", at->key,
                                kinds[k]);
        at = found;
        q->kind = (rt_benchmark_kind)k;
    }
    if (!at) return entries_fail(r, node->place, "what is computed is missing, as frequency: 1");
    q->unit = units[q->kind];
    q->index[0] = q->index[1] = 1;
    if (is_count(q->kind)) return ROUTH_OK;
    if (has_name(q->kind)) return entries_text(r, node, kinds[q->kind], &q->name);
    if (q->kind < RT_QUANTITY_MASS || q->kind > RT_QUANTITY_STIFFNESS)
        return entries_count(r, at, 1, &q->index[0]);
    if (at->kind != RT_YAML_LIST || at->count != 2)
        return entries_fail(r, at->place, "`%s` must be [row, column]", at->key);
    const routh_status status = entries_count(r, at->first, 1, &q->index[0]);
    return status ? status : entries_count(r, at->first->next, 1, &q->index[1]);
}

static routh_status entries_read_quantity(const reader *r, const rt_yaml *node,
                                          rt_benchmark_quantity *q)
{
    static const char *const keys[] = {"quantity",
                                       "unit",
                                       "from",
                                       "to",
                                       "time",
                                       "per",
                                       "published",
                                       "formula",
                                       "reference",
                                       "digits",
                                       "misprint",
                                       "note",
                                       "power",
                                       "frequency",
                                       "growth",
                                       "real",
                                       "square",
                                       "mass",
                                       "damping",
                                       "stiffness",
                                       "output",
                                       "degrees of freedom",
                                       "redundant constraints",
                                       "branch",
                                       "limit",
                                       NULL};
    const char *misprint = NULL, *formula = NULL;
    q->place = node->place;
    routh_status status = entries_keys(r, node, keys);
    if (!status) status = entries_kind(r, node, q);
    const struct {
        const char *key, **text;
    } texts[] = {{"quantity", &q->quantity},
                 {"unit", &q->unit},
                 {"from", &q->from},
                 {"to", &q->to},
                 {"time", &q->time},
                 {"per", &q->per},
                 {"published", &q->published},
                 {"formula", &formula},
                 {"reference", &q->reference},
                 {"misprint", &misprint},
                 {"note", &q->note}};
    for (size_t k = 0; k < sizeof texts / sizeof *texts && !status; k++)
        status = entries_text(r, node, texts[k].key, texts[k].text);
    q->power = 1;
    if (!status && rt_yaml_find(node, "power"))
        status = entries_number(r, rt_yaml_find(node, "power"), -4, 4, &q->power);
    if (!status && rt_yaml_find(node, "digits"))
        status = entries_count(r, rt_yaml_find(node, "digits"), 1, &q->digits);
    if (status) return status;
    if (formula && q->reference)
        return entries_fail(r, node->place, "`formula` and `reference` exclude each other");
    if (!formula && !q->reference && !q->published)
        return entries_fail(r, node->place, "`published` or `formula` is missing");
    if (misprint && (!q->published || (!formula && !q->reference)))
        return entries_fail(r, node->place, "`misprint` needs `published` and what is right");
    if (q->kind == RT_QUANTITY_LIMIT && (!q->from || !q->to))
        return entries_fail(r, node->place, "`limit` needs `from` and `to`");
    if (!q->quantity) q->quantity = kinds[q->kind];
    if (formula) q->reference = formula, q->is_formula = 1;
    if (misprint) q->misprint = 1, q->note = misprint;
    if (!q->digits && q->reference) q->digits = 10;
    return ROUTH_OK;
}

/* ---- cases ----------------------------------------------------------------------------------- */

/* NAME: VALUE of the problem, then of its case. */
static routh_status entries_settings(const reader *r, const rt_yaml *problem, const rt_yaml *node,
                                     const char *key, routh_setting **settings, int *count)
{
    const rt_yaml *given[2] = {rt_yaml_find(problem, key),
                               node == problem ? NULL : rt_yaml_find(node, key)};
    int n = 0;
    for (int k = 0; k < 2; k++) n += given[k] ? given[k]->count : 0;
    *settings = RT_TAKE(&r->entries->arena, routh_setting, n + 1);
    if (!*settings) return rt_fail_memory(r->error);
    for (int k = 0; k < 2; k++) {
        if (given[k] && given[k]->kind != RT_YAML_MAPPING)
            return entries_fail(r, given[k]->place, "`%s` must be a mapping", key);
        for (const rt_yaml *at = given[k] ? given[k]->first : NULL; at; at = at->next) {
            if (at->kind != RT_YAML_SCALAR)
                return entries_fail(r, at->place, "`%s` must be a number or a word", at->key);
            (*settings)[(*count)++] = (routh_setting){at->key, at->text};
        }
    }
    return ROUTH_OK;
}

static routh_status entries_read_case(const reader *r, const rt_yaml *problem, const rt_yaml *node,
                                      rt_benchmark_case *c)
{
    static const char *const keys[] = {"label", "set", "shape", "values", NULL};
    const rt_yaml *values = rt_yaml_find(node, "values");
    c->label = "";
    routh_status status = node == problem ? ROUTH_OK : entries_keys(r, node, keys);
    if (!status) status = entries_text(r, node, "label", &c->label);
    if (!status) status = entries_settings(r, problem, node, "set", &c->settings, &c->n_settings);
    if (!status) status = entries_settings(r, problem, node, "shape", &c->shape, &c->n_shape);
    if (status) return status;
    if (!values || values->kind != RT_YAML_LIST)
        return entries_fail(r, node->place, "`values` is missing: a list of numbers");
    c->quantities = RT_TAKE(&r->entries->arena, rt_benchmark_quantity, values->count);
    if (!c->quantities) return rt_fail_memory(r->error);
    for (const rt_yaml *at = values->first; at && !status; at = at->next)
        status = entries_read_quantity(r, at, &c->quantities[c->n_quantities++]);
    return status;
}

static routh_status entries_read_cases(const reader *r, const rt_yaml *node, rt_benchmark_entry *e)
{
    const rt_yaml *cases = rt_yaml_find(node, "cases");
    routh_status status = ROUTH_OK;
    if (cases && cases->kind != RT_YAML_LIST)
        return entries_fail(r, cases->place, "`cases` must be a list");
    const int n = cases ? cases->count : 1;
    e->cases = RT_TAKE(&r->entries->arena, rt_benchmark_case, n);
    if (!e->cases) return rt_fail_memory(r->error);
    if (!cases) status = entries_read_case(r, node, node, &e->cases[e->n_cases++]);
    for (const rt_yaml *at = cases ? cases->first : NULL; at && !status; at = at->next)
        status = entries_read_case(r, node, at, &e->cases[e->n_cases++]);
    for (int k = 0; k < e->n_cases; k++) e->n_quantities += e->cases[k].n_quantities;
    return status;
}

/* ---- problems -------------------------------------------------------------------------------- */

static const char *entries_print(const reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static const char *entries_print(const reader *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = rt_arena_print(&r->entries->arena, format, arguments);
    va_end(arguments);
    return text;
}

static routh_status entries_read_model(const reader *r, const rt_yaml *node, rt_benchmark_entry *e)
{
    static const char *const names[] = {"template", "example", "model"};
    int n = 0;
    for (int k = 0; k < 3; k++) {
        if (!rt_yaml_find(node, names[k])) continue;
        const routh_status status = entries_text(r, node, names[k], &e->model);
        if (status) return status;
        e->from = (rt_benchmark_from)k;
        n++;
    }
    if (n != 1)
        return entries_fail(r, node->key_place,
                            "a problem needs one of `template`, `example` and `model`");
    e->described =
        e->from == RT_FROM_TEXT ? "its own" : entries_print(r, "%s %s", names[e->from], e->model);
    return e->described ? ROUTH_OK : rt_fail_memory(r->error);
}

static routh_status entries_read_source(const reader *r, const rt_yaml *node, rt_benchmark_entry *e)
{
    const char *key = NULL;
    const routh_status status = entries_text(r, node, "source", &key);
    if (status) return status;
    const rt_yaml *source = key ? rt_yaml_find(r->sources, key) : NULL;
    if (!source || source->kind != RT_YAML_SCALAR || !source->text[0])
        return entries_fail(r, node->key_place, "`source` must be one of those under `sources`");
    e->source = source->text;
    return ROUTH_OK;
}

static routh_status entries_read_problem(reader *r, const rt_yaml *node, rt_benchmark_entry *e)
{
    static const char *const keys[] = {
        "title",      "source",    "where", "template", "example",     "model",
        "set",        "shape",     "cases", "values",   "coordinates", "method",
        "integrator", "tolerance", "step",  "append",   "frame",       NULL};
    const rt_yaml *tolerance, *step;
    snprintf(r->element, sizeof r->element, "problem %.100s", node->key);
    e->name = e->title = node->key;
    e->where = "";
    routh_status status = entries_keys(r, node, keys);
    if (status) return status;
    tolerance = rt_yaml_find(node, "tolerance"), step = rt_yaml_find(node, "step");
    status = entries_text(r, node, "title", &e->title);
    if (!status) status = entries_text(r, node, "where", &e->where);
    if (!status) status = entries_text(r, node, "coordinates", &e->coordinates);
    if (!status) status = entries_text(r, node, "method", &e->method);
    if (!status) status = entries_text(r, node, "integrator", &e->integrator);
    if (!status) status = entries_text(r, node, "append", &e->append);
    if (!status) status = entries_text(r, node, "frame", &e->frame);
    if (!status && tolerance) status = entries_number(r, tolerance, 1e-15, 1, &e->tolerance);
    if (!status && step) status = entries_number(r, step, 1e-12, 1e3, &e->step);
    if (!status) status = entries_read_source(r, node, e);
    if (!status) status = entries_read_model(r, node, e);
    return status ? status : entries_read_cases(r, node, e);
}

routh_status rt_benchmark_read(rt_benchmark_entries *entries, const char *text, size_t length,
                               const char *file, routh_error *error)
{
    static const char *const keys[] = {"sources", "problems", NULL};
    const rt_yaml *root = NULL;
    reader r = {.entries = entries, .file = file, .error = error};
    *entries = (rt_benchmark_entries){0};
    routh_status status = rt_yaml_parse(&root, text, length, file, &entries->arena, error);
    if (!status) status = entries_keys(&r, root, keys);
    if (status) return status;
    const rt_yaml *problems = rt_yaml_find(root, "problems");
    r.sources = rt_yaml_find(root, "sources");
    if (!r.sources || r.sources->kind != RT_YAML_MAPPING)
        return entries_fail(&r, root->place, "`sources` is missing: a mapping of citations");
    if (!problems || problems->kind != RT_YAML_MAPPING)
        return entries_fail(&r, root->place, "`problems` is missing: a mapping by name");
    entries->entries = RT_TAKE(&entries->arena, rt_benchmark_entry, problems->count + 1);
    if (!entries->entries) return rt_fail_memory(error);
    for (const rt_yaml *at = problems->first; at && !status; at = at->next)
        status = entries_read_problem(&r, at, &entries->entries[entries->n++]);
    return status;
}

void rt_benchmark_entries_free(rt_benchmark_entries *entries)
{
    rt_arena_free(&entries->arena);
    *entries = (rt_benchmark_entries){0};
}
