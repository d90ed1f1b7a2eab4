/* States of loads' own, named before anything is read (load_class.h). */
#include <string.h>

#include "model/load_class.h"
#include "model/reader.h"

/* By what the load's `type` says, right or wrong; NULL: no type of load. */
static const rt_load_class *load_states_class_of(const rt_yaml *entry)
{
    const rt_yaml *type = entry->kind == RT_YAML_MAPPING ? rt_yaml_find(entry, "type") : NULL;
    if (!type || type->kind != RT_YAML_SCALAR) return NULL;
    for (int k = 0; k < RT_LOAD_N_TYPES; k++)
        if (!strcmp(type->text, rt_load_class_of((rt_load_type)k)->kind.name))
            return rt_load_class_of((rt_load_type)k);
    return NULL;
}

void rt_count_load_states(const rt_yaml *loads, int *n_states, int *n_kinks)
{
    for (const rt_yaml *entry = loads ? loads->first : NULL; entry; entry = entry->next) {
        const rt_load_class *class = load_states_class_of(entry);
        for (int k = 0; class && k < RT_LOAD_STATES && class->states[k].field; k++)
            *n_states += rt_yaml_find(entry, class->states[k].field) != NULL;
        if (class && class->kink_field) *n_kinks += rt_yaml_find(entry, class->kink_field) != NULL;
    }
}

static routh_status name_load_state(rt_reader *r, const rt_yaml *entry, const rt_yaml *field,
                                    const char *name, int index)
{
    rt_control_state *x = &r->model->control_states[index];
    *x = (rt_control_state){.name = rt_dotted_name(r, entry->key, name),
                            .element =
                                rt_arena_text(&r->model->arena, r->element, strlen(r->element)),
                            .place = field->key_place,
                            .unit = "",
                            .initial = rt_plain(0)};
    if (!x->name || !x->element) return rt_fail_memory(r->error);
    const routh_status status =
        rt_name_signal(r, field->key_place, x->name, "a state", RT_QUANTITY_STATE, index);
    /* forwards is across the axle, which a reflection takes to the other side */
    if (!status) rt_note_signal(r, "1", NULL, r->scope); /* angles and ratios of slip */
    if (!status && !strcmp(name, "longitudinal_slip"))
        r->index->named[r->index->n_named - 1].odd = true;
    return status;
}

routh_status rt_name_load_states(rt_reader *r, const rt_yaml *loads, int first)
{
    r->next_load_state = first;
    for (const rt_yaml *entry = loads ? loads->first : NULL; entry; entry = entry->next) {
        const rt_load_class *class = load_states_class_of(entry);
        for (int k = 0; class && k < RT_LOAD_STATES && class->states[k].field; k++) {
            const rt_yaml *field = rt_yaml_find(entry, class->states[k].field);
            if (!field) continue;
            rt_reader_enter(r, "load", entry);
            const routh_status status =
                name_load_state(r, entry, field, class->states[k].name, first++);
            if (status) return status;
        }
    }
    return ROUTH_OK;
}
