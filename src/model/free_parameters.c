/* Parameters that are free in the steady motion: they become inputs. */
#include "model/reader.h"

#include <stdio.h>

/* The name of an entry of a list, or "". */
static const char *free_name_of(const rt_yaml *entry)
{
    return entry->kind == RT_YAML_SCALAR && entry->text ? entry->text : "";
}

static const rt_yaml *first_free(const rt_reader *r)
{
    return r->free && r->free->kind == RT_YAML_LIST ? r->free->first : NULL;
}

int rt_free_parameter(const rt_reader *r, int k)
{
    int n = 0;
    for (const rt_yaml *entry = first_free(r); entry; entry = entry->next) {
        const int other = rt_names_find(&r->index->parameters, free_name_of(entry));
        if (other == k) return n;
        n += other >= 0;
    }
    return -1;
}

int rt_count_free_parameters(const rt_reader *r)
{
    int n = 0;
    for (const rt_yaml *entry = first_free(r); entry; entry = entry->next)
        n += rt_names_find(&r->index->parameters, free_name_of(entry)) >= 0;
    return n;
}

int rt_input_of_parameter(const rt_reader *r, int k)
{
    return r->model->n_inputs - rt_count_free_parameters(r) + rt_free_parameter(r, k);
}

bool rt_resolve_free(rt_reader *r, int k, rt_expr *out, char *problem)
{
    if (r->allowed != RT_ALLOW_ALL && r->allowed != RT_ALLOW_TIME) {
        snprintf(problem, 256,
                 "the parameter '%.60s' is free in the steady motion and so an input, which "
                 "constraints and states cannot use",
                 r->model->parameters[k].name);
        return false;
    }
    *out = rt_signal_expr(r, RT_QUANTITY_INPUT, rt_input_of_parameter(r, k));
    return true;
}

routh_status rt_add_free_inputs(rt_reader *r)
{
    routh_model *m = r->model;
    for (const rt_yaml *entry = first_free(r); entry; entry = entry->next) {
        const int k = rt_names_find(&r->index->parameters, free_name_of(entry));
        if (k < 0) continue;
        m->inputs[rt_input_of_parameter(r, k)] = (rt_named_input){.name = m->parameters[k].name,
                                                                  .place = m->parameters[k].place,
                                                                  .unit = "",
                                                                  .value = m->parameters[k].number,
                                                                  .history = {.expr = RT_NO_EXPR}};
    }
    return ROUTH_OK;
}
