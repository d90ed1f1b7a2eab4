#include "output/exchange_fields.h"

#include <stddef.h>
#include <string.h>

#define MODEL(member) RT_OF_MODEL, RT_INSIDE, offsetof(routh_linear, member)
#define BEHIND(member) RT_OF_MODEL, RT_BEHIND, offsetof(routh_linear, member)
#define STATE(member) RT_OF_STATE, RT_INSIDE, offsetof(routh_state_name, member)
#define INPUT(member) RT_OF_INPUT, RT_INSIDE, offsetof(routh_signal_name, member)
#define OUTPUT(member) RT_OF_OUTPUT, RT_INSIDE, offsetof(routh_signal_name, member)
#define BODY(member) RT_OF_BODY, RT_INSIDE, offsetof(routh_body_pose, member)
#define MARKER(member, store) RT_OF_MARKER, store, offsetof(routh_marker_motion, member)
#define SHARE(member, store) RT_OF_SHARE, store, offsetof(routh_energy_fraction, member)
#define POINT(member) RT_OF_MODEL, RT_INSIDE, offsetof(routh_linear, point.member)

#define PLACE(owner, store, offset) owner, store, offset
#define NAME_TOP(name) #name
#define NAME_FREEDOM(name) "degrees_of_freedom." #name
#define NAME_POINT(name) "operating_point." #name
#define NAME_RATES(name) "rates." #name
#define NAME_BOUNDS(name) "bounds." #name
#define NAME_MARKERS(name) "markers." #name
#define NAME_SHARES(name) "shares." #name

static const rt_exchange_field table[] = {
#define GROUP(group, name, when, meaning)
#define FIELD(group, name, kind, rows, columns, place, need, unit, meaning)                        \
    {NAME_##group(name), RT_##kind, RT_##rows, RT_##columns, place, need},
#define READ(group, name, kind, rows, columns, place, need)                                        \
    {NAME_##group(name), RT_##kind, RT_##rows, RT_##columns, place, need},
#include "output/exchange_list.h"
};

enum { N_FIELDS = sizeof table / sizeof *table };
_Static_assert(N_FIELDS <= (int)RT_MOST_VALUES, "a record has room for every field");

const rt_exchange_field *rt_field_at(int k) { return k < N_FIELDS ? &table[k] : NULL; }

const rt_exchange_field *rt_field_find(const char *name)
{
    for (int k = 0; k < N_FIELDS; k++)
        if (rt_same_name(table[k].name, name)) return &table[k];
    return NULL;
}

bool rt_name_is_known(const char *name)
{
    return strcmp(name, "members") == 0 || rt_field_find(name) != NULL;
}

const double *rt_field_reals(const rt_exchange_field *field, const routh_linear *linear)
{
    return *(double *const *)(const void *)((const char *)linear + field->offset);
}

int rt_field_rank(const rt_exchange_field *field)
{
    return field->columns != RT_ONE ? 2 : field->rows != RT_ONE ? 1 : 0;
}

static size_t share_sum(const routh_linear *l, bool squares)
{
    size_t sum = 0;
    for (int k = 0; k < l->n_shares; k++) {
        const size_t n = (size_t)l->shares[k].n_rows;
        sum += squares ? n * n : n;
    }
    return sum;
}

size_t rt_axis_size(const routh_linear *l, rt_exchange_axis axis)
{
    switch (axis) {
    case RT_ONE: return 1;
    case RT_THREE: return 3;
    case RT_NINE: return 9;
    case RT_STATES: return (size_t)l->n_states;
    case RT_SAMPLE_ROWS: return ROUTH_ERROR_SAMPLES * (size_t)l->n_states;
    case RT_POSITION: return (size_t)l->n_position;
    case RT_VELOCITY: return (size_t)l->n_velocity;
    case RT_CONTROL: return (size_t)l->n_control;
    case RT_INPUTS: return (size_t)l->n_inputs;
    case RT_OUTPUTS: return (size_t)l->n_outputs;
    case RT_BODIES: return (size_t)l->point.n_bodies;
    case RT_MARKERS: return (size_t)l->n_markers;
    case RT_MARKER_ROWS: return 6 * (size_t)l->n_markers;
    case RT_SHARES: return (size_t)l->n_shares;
    case RT_SHARE_ROWS: return share_sum(l, false);
    case RT_SHARE_WEIGHTS: return share_sum(l, true);
    case RT_BOUNDS: return (size_t)l->n_bounds;
    case RT_WARNINGS: break;
    }
    return (size_t)l->n_warnings;
}

rt_items rt_items_of(const routh_linear *l, rt_owner owner)
{
    switch (owner) {
    case RT_OF_MODEL: break;
    case RT_OF_STATE: return (rt_items){(char *)l->states, sizeof *l->states, l->n_states};
    case RT_OF_INPUT: return (rt_items){(char *)l->inputs, sizeof *l->inputs, l->n_inputs};
    case RT_OF_OUTPUT: return (rt_items){(char *)l->outputs, sizeof *l->outputs, l->n_outputs};
    case RT_OF_BODY:
        return (rt_items){(char *)l->point.bodies, sizeof *l->point.bodies, l->point.n_bodies};
    case RT_OF_MARKER: return (rt_items){(char *)l->markers, sizeof *l->markers, l->n_markers};
    case RT_OF_SHARE: return (rt_items){(char *)l->shares, sizeof *l->shares, l->n_shares};
    }
    return (rt_items){(char *)l, sizeof *l, 1};
}

size_t rt_item_count(const routh_linear *l, const rt_exchange_field *field, int k)
{
    const size_t n = (size_t)l->n_states;
    if (field->owner == RT_OF_MODEL)
        return rt_axis_size(l, field->rows) * rt_axis_size(l, field->columns);
    if (field->rows == RT_MARKER_ROWS) return 6 * n;
    const size_t rows = field->owner == RT_OF_SHARE ? (size_t)l->shares[k].n_rows : 0;
    if (field->rows == RT_SHARE_ROWS) return rows * n;
    if (field->rows == RT_SHARE_WEIGHTS) return rows * rows;
    return rt_axis_size(l, field->columns);
}
