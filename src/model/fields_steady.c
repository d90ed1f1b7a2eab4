/* The descriptor tables of what is said of a steady motion. */
#include "model/fields.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define STEADY(member) offsetof(rt_written_model, steady.member)
#define SPIN(member) offsetof(rt_written_spin, member)
#define SIGNAL(member) offsetof(rt_written_signal, member)
#define FIELDS(array) .fields = (array), .n_fields = COUNT(array)

static const rt_field spin_fields[] = {
    {"axis", RT_FIELD_AXIS, SPIN(axis), .required = true, .sense = RT_AXIS_AXIAL, .unit = "",
     .doc = "the axis it rotates about, in the body's own axes, through its centre of mass"},
    {"rate", RT_FIELD_NUMBER, SPIN(rate), .sense = RT_SCALAR, .varies = true, .unit = "rad/s",
     .fallback = "found", .doc = "of the rotation against the moving frame"}};
static const rt_kind spin_kinds[] = {{"a spin", 0, FIELDS(spin_fields), .doc = "A spinning body."}};
const rt_section rt_spin_section = {"spins",           "spin",    spin_kinds,
                                    COUNT(spin_kinds), .doc = "", .shorthand = "axis"};

static const rt_field prescribed_fields[] = {
    {"expression", RT_FIELD_FUNCTION, SIGNAL(function), .required = true, .sense = RT_SCALAR,
     .unit = "",
     .doc = "a measure of the motion, or any expression of measures, signals and parameters"},
    {"value", RT_FIELD_NUMBER, SIGNAL(value), .sense = RT_SCALAR, .varies = true, .unit = "",
     .fallback = "0", .doc = "what it must be"},
    {"unit", RT_FIELD_TEXT, SIGNAL(unit), .unit = "", .fallback = "none",
     .doc = "its unit, of those that `units` makes, for tables; nothing is converted"}};
static const rt_kind prescribed_kinds[] = {
    {"a prescription", 0, FIELDS(prescribed_fields), .doc = "What the motion must be."}};
const rt_section rt_prescribed_section = {"prescribed",     "prescription",
                                          prescribed_kinds, COUNT(prescribed_kinds),
                                          .doc = "",        .shorthand = "expression"};

static const rt_field steady_fields[] = {
    {"axis", RT_FIELD_AXIS, STEADY(axis), .sense = RT_AXIS_AXIAL, .unit = "",
     .fallback = "against gravity, else z", .doc = "the axis of the rotation, in world axes"},
    {"turn_rate", RT_FIELD_NUMBER, STEADY(turn_rate), .sense = RT_SCALAR, .varies = true,
     .unit = "rad/s", .fallback = "found",
     .doc = "the rate at which the moving frame rotates about it; 0 for motion straight on"},
    {"accelerated", RT_FIELD_TRUTH, STEADY(accelerated), .unit = "", .fallback = "false",
     .doc = "the moving frame has a constant acceleration, which is found; of prescribed motions "
            "with an acceleration it always has"},
    {"spins", RT_FIELD_SECTION, STEADY(spins), .unit = "", .fallback = "none",
     .doc = "bodies that rotate steadily in the moving frame, each under its name: wheels, rotors",
     .inside = &rt_spin_section},
    {"prescribed", RT_FIELD_SECTION, STEADY(prescribed), .unit = "", .fallback = "none",
     .doc = "what the motion must be, such as a speed, each under a name of your own",
     .inside = &rt_prescribed_section},
    {"free", RT_FIELD_SIGNALS, STEADY(free), .unit = "", .fallback = "none",
     .doc = "inputs and parameters of expressions that are looked for; a parameter becomes an "
            "input by it"},
    {"drifting", RT_FIELD_SIGNALS, STEADY(drifting), .unit = "", .fallback = "none",
     .doc = "states of controllers whose rates need not be zero, such as a distance driven"}};
static const rt_kind steady_kind[] = {
    {"steady", 0, FIELDS(steady_fields), .doc = "The steady motion that is looked for."}};
const rt_section rt_steady_group = {"steady", "steady", steady_kind, 1, .doc = ""};
