/* The descriptor table of parts: model files used in a model. */
#include "model/parts.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define PART(member) offsetof(rt_written_part, member)

static const char *const mirrors[] = {"x", "y", "z", NULL};

static const rt_field part_fields[] = {
    {"file", RT_FIELD_WORD, PART(file), .unless = "variants", .unit = "",
     .doc = "the part file: a path from the folder of this file, or in a folder of ROUTH_LIBRARY"},
    {"at", RT_FIELD_VECTOR, PART(at), .sense = RT_READ_LATER, .unit = "m", .fallback = "[0, 0, 0]",
     .doc = "where the origin of its frame lies"},
    {"orientation", RT_FIELD_ORIENTATION, PART(orientation), .sense = RT_READ_LATER, .unit = "",
     .fallback = "as the frame around it", .doc = "how its frame stands"},
    {"mirror", RT_FIELD_CHOICE, PART(mirror), .unit = "", .fallback = "none", .choices = mirrors,
     .doc = "the axis of its own frame across which it is reflected before it is placed: y makes a "
            "left part of a right one where x points forward and z up"},
    {"spin", RT_FIELD_GROUP, 0, .unit = "", .fallback = "none",
     .doc = "the rotation of its frame at the beginning: of all its bodies, and velocities written "
            "in its file are relative to it",
     .inside = &rt_part_turning_group},
    {"set", RT_FIELD_PARAMETERS, PART(set), .unit = "", .fallback = "as its file says",
     .doc = "values of its parameters, each a number or an expression of parameters here"},
    {"connect", RT_FIELD_WORDS, PART(connect), .unit = "", .fallback = "none",
     .doc = "for each of its `connections` a body or marker here; in an array previous.NAME is "
            "NAME of the part before"},
    {"first", RT_FIELD_WORDS, PART(first), .unit = "", .fallback = "none", .needs = "count",
     .doc = "connections of the first part of an array, where they differ"},
    {"inputs", RT_FIELD_PARAMETERS, PART(inputs), .unit = "", .fallback = "none",
     .doc = "for inputs of the part an expression of signals and measures here; others stay inputs "
            "of the model, NAME.INPUT"},
    {"count", RT_FIELD_COUNT, PART(count), .range = RT_POSITIVE, .sense = RT_SCALAR,
     .unit = RT_UNIT_NONE, .fallback = "one part, no array",
     .doc = "how many: parts name.1, name.2, ..; a whole number"},
    {"step", RT_FIELD_VECTOR, PART(step), .sense = RT_READ_LATER, .unit = "m",
     .fallback = "[0, 0, 0]", .needs = "count", .doc = "from one part of an array to the next"},
    {"axis", RT_FIELD_VECTOR, PART(axis), .sense = RT_READ_LATER, .unit = "", .needs = "angle",
     .doc = "the direction about which each part of an array is rotated against the one before"},
    {"about", RT_FIELD_VECTOR, PART(about), .sense = RT_READ_LATER, .unit = "m",
     .fallback = "[0, 0, 0]", .needs = "axis", .doc = "a point of that axis"},
    {"angle", RT_FIELD_NUMBER, PART(angle), .sense = RT_READ_LATER, .unit = "rad", .needs = "axis",
     .doc = "that rotation, such as 360 deg/12"},
    {"index", RT_FIELD_WORD, PART(index), .unit = "", .fallback = "none", .needs = "count",
     .doc = "a name that stands for 1, 2, .. in the numbers and expressions of this part"},
    {"variants", RT_FIELD_SECTION, PART(variants), .unit = "", .fallback = "those of its file",
     .doc = "other files, values and places, each set of them under a name",
     .inside = &rt_part_variant_section},
    {"variant", RT_FIELD_WORD, PART(variant), .unit = "", .fallback = "none",
     .doc = "which of its `variants` it is; where it has none, which of those of its file"},
};
static const rt_kind part_kinds[] = {
    {"a part", 0, part_fields, COUNT(part_fields), .doc = "A model file used as a part."}};
const rt_section rt_part_section = {
    "parts", "part", part_kinds, COUNT(part_kinds),
    .doc =
        "Model files used as parts, each under its name. What a part has is called name.its_name "
        "here. Only what its file lists under `exports` may be named from outside."};
