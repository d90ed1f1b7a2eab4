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

/* name, kind, rows, columns, where it is, what is asked of it */
static const rt_exchange_field table[] = {
    {"schema", RT_TEXTS, RT_ONE, RT_ONE, RT_OF_MODEL, RT_AS_SCHEMA, 0, RT_ESSENTIAL},
    {"program", RT_TEXTS, RT_ONE, RT_ONE, RT_OF_MODEL, RT_AS_PROGRAM,
     offsetof(routh_linear, version), 0},
    {"title", RT_TEXTS, RT_ONE, RT_ONE, MODEL(title), 0},
    {"file", RT_TEXTS, RT_ONE, RT_ONE, MODEL(file), 0},
    {"coordinates", RT_TEXTS, RT_ONE, RT_ONE, MODEL(coordinates), 0},
    {"method", RT_TEXTS, RT_ONE, RT_ONE, MODEL(method), 0},
    {"method_by_auto", RT_FLAGS, RT_ONE, RT_ONE, MODEL(method_by_auto), RT_UNLESS_ZERO},
    {"reference", RT_TEXTS, RT_ONE, RT_ONE, MODEL(reference), 0},
    {"degrees_of_freedom.position", RT_INTEGERS, RT_ONE, RT_ONE, MODEL(n_position), RT_ESSENTIAL},
    {"degrees_of_freedom.velocity", RT_INTEGERS, RT_ONE, RT_ONE, MODEL(n_velocity), RT_ESSENTIAL},
    {"degrees_of_freedom.control", RT_INTEGERS, RT_ONE, RT_ONE, MODEL(n_control), 0},
    {"infinite_eigenvalues", RT_INTEGERS, RT_ONE, RT_ONE, MODEL(n_infinite), 0},
    {"residual", RT_REALS, RT_ONE, RT_ONE, MODEL(residual), 0},
    {"at_rest", RT_FLAGS, RT_ONE, RT_ONE, MODEL(at_rest), 0},
    {"steady", RT_FLAGS, RT_ONE, RT_ONE, MODEL(steady), 0},
    {"drift", RT_REALS, RT_ONE, RT_ONE, MODEL(drift), RT_MAY_BE_INFINITE},
    {"error_estimate", RT_REALS, RT_ONE, RT_ONE, MODEL(error_estimate), 0},
    {"operating_point.type", RT_TEXTS, RT_ONE, RT_ONE, POINT(type), 0},
    {"operating_point.time", RT_REALS, RT_ONE, RT_ONE, POINT(time), 0},
    {"operating_point.tolerance", RT_REALS, RT_ONE, RT_ONE, POINT(tolerance), 0},
    {"operating_point.constraint_error", RT_REALS, RT_ONE, RT_ONE, POINT(constraint_error), 0},
    {"operating_point.bodies", RT_TEXTS, RT_BODIES, RT_ONE, BODY(name), 0},
    {"operating_point.positions", RT_REALS, RT_BODIES, RT_THREE, BODY(position), 0},
    {"operating_point.orientations", RT_REALS, RT_BODIES, RT_NINE, BODY(orientation), 0},
    {"operating_point.velocities", RT_REALS, RT_BODIES, RT_THREE, BODY(velocity), 0},
    {"operating_point.angular_velocities", RT_REALS, RT_BODIES, RT_THREE, BODY(angular_velocity),
     0},
    {"warnings", RT_TEXTS, RT_WARNINGS, RT_ONE, BEHIND(warnings), 0},
    {"states", RT_TEXTS, RT_STATES, RT_ONE, STATE(name), RT_ESSENTIAL},
    {"units", RT_TEXTS, RT_STATES, RT_ONE, STATE(unit), 0},
    {"frames", RT_TEXTS, RT_STATES, RT_ONE, STATE(frame), 0},
    {"values", RT_REALS, RT_STATES, RT_ONE, STATE(value), 0},
    {"inputs", RT_TEXTS, RT_INPUTS, RT_ONE, INPUT(name), 0},
    {"input_units", RT_TEXTS, RT_INPUTS, RT_ONE, INPUT(unit), 0},
    {"input_values", RT_REALS, RT_INPUTS, RT_ONE, INPUT(value), 0},
    {"outputs", RT_TEXTS, RT_OUTPUTS, RT_ONE, OUTPUT(name), 0},
    {"output_units", RT_TEXTS, RT_OUTPUTS, RT_ONE, OUTPUT(unit), 0},
    {"output_values", RT_REALS, RT_OUTPUTS, RT_ONE, OUTPUT(value), 0},
    {"output_felt", RT_REALS, RT_OUTPUTS, RT_ONE, OUTPUT(felt), 0},
    {"E", RT_REALS, RT_STATES, RT_STATES, RT_OF_MODEL, RT_AS_E, 0, RT_UNLESS_EMPTY},
    {"A", RT_REALS, RT_STATES, RT_STATES, BEHIND(A), RT_WHERE_SIZED},
    {"B", RT_REALS, RT_STATES, RT_INPUTS, BEHIND(B), RT_WHERE_SIZED},
    {"B1", RT_REALS, RT_STATES, RT_INPUTS, BEHIND(B1), RT_UNLESS_EMPTY},
    {"B2", RT_REALS, RT_STATES, RT_INPUTS, BEHIND(B2), RT_UNLESS_EMPTY},
    {"C", RT_REALS, RT_OUTPUTS, RT_STATES, BEHIND(C), RT_WHERE_SIZED},
    {"D", RT_REALS, RT_OUTPUTS, RT_INPUTS, BEHIND(D), RT_WHERE_SIZED},
    {"D1", RT_REALS, RT_OUTPUTS, RT_INPUTS, BEHIND(D1), RT_UNLESS_EMPTY},
    {"D2", RT_REALS, RT_OUTPUTS, RT_INPUTS, BEHIND(D2), RT_UNLESS_EMPTY},
    {"affine", RT_REALS, RT_STATES, RT_ONE, BEHIND(affine), 0},
    {"mass", RT_REALS, RT_VELOCITY, RT_VELOCITY, BEHIND(mass), 0},
    {"damping", RT_REALS, RT_VELOCITY, RT_VELOCITY, BEHIND(damping), 0},
    {"stiffness", RT_REALS, RT_VELOCITY, RT_POSITION, BEHIND(stiffness), 0},
    {"coupling", RT_REALS, RT_VELOCITY, RT_CONTROL, BEHIND(coupling), RT_UNLESS_EMPTY},
    {"force", RT_REALS, RT_VELOCITY, RT_INPUTS, BEHIND(force), RT_UNLESS_EMPTY},
    {"force1", RT_REALS, RT_VELOCITY, RT_INPUTS, BEHIND(force1), RT_UNLESS_EMPTY},
    {"force2", RT_REALS, RT_VELOCITY, RT_INPUTS, BEHIND(force2), RT_UNLESS_EMPTY},
    {"bounds.bound", RT_REALS, RT_BOUNDS, RT_ONE, BEHIND(bound),
     RT_UNLESS_EMPTY | RT_MAY_BE_INFINITE},
    {"bounds.real", RT_REALS, RT_BOUNDS, RT_ONE, BEHIND(bound_re),
     RT_UNLESS_EMPTY | RT_WHERE_SIZED},
    {"bounds.imaginary", RT_REALS, RT_BOUNDS, RT_ONE, BEHIND(bound_im),
     RT_UNLESS_EMPTY | RT_WHERE_SIZED},
    {"markers.names", RT_TEXTS, RT_MARKERS, RT_ONE, MARKER(name, RT_INSIDE), RT_UNLESS_EMPTY},
    {"markers.bodies", RT_TEXTS, RT_MARKERS, RT_ONE, MARKER(body, RT_INSIDE), RT_UNLESS_EMPTY},
    {"markers.positions", RT_REALS, RT_MARKERS, RT_THREE, MARKER(position, RT_INSIDE),
     RT_UNLESS_EMPTY},
    {"markers.orientations", RT_REALS, RT_MARKERS, RT_NINE, MARKER(orientation, RT_INSIDE),
     RT_UNLESS_EMPTY},
    {"markers.motions", RT_REALS, RT_MARKER_ROWS, RT_STATES, MARKER(motion, RT_BEHIND),
     RT_UNLESS_EMPTY | RT_WHERE_SIZED},
    {"shares.names", RT_TEXTS, RT_SHARES, RT_ONE, SHARE(name, RT_INSIDE), RT_UNLESS_EMPTY},
    {"shares.kinds", RT_TEXTS, RT_SHARES, RT_ONE, SHARE(kind, RT_AS_KIND),
     RT_UNLESS_EMPTY | RT_WHERE_SIZED},
    {"shares.sizes", RT_INTEGERS, RT_SHARES, RT_ONE, SHARE(n_rows, RT_INSIDE),
     RT_UNLESS_EMPTY | RT_WHERE_SIZED},
    {"shares.rows", RT_REALS, RT_SHARE_ROWS, RT_STATES, SHARE(rows, RT_BEHIND),
     RT_UNLESS_EMPTY | RT_WHERE_SIZED},
    {"shares.weights", RT_REALS, RT_SHARE_WEIGHTS, RT_ONE, SHARE(weight, RT_BEHIND),
     RT_UNLESS_EMPTY | RT_WHERE_SIZED},
};

enum { N_FIELDS = sizeof table / sizeof *table };

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

const char *rt_energy_kind_name(int kind)
{
    static const char *const names[] = {"kinetic", "strain", "dissipation"};
    return kind >= 0 && kind < 3 ? names[kind] : NULL;
}
