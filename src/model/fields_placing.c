/* The descriptor tables of what moves a body or a part from where it is written. */
#include "model/parts.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define BODY(member) offsetof(rt_written_body, member)
#define PART(member) offsetof(rt_written_part, member)
#define FIELDS(array) .fields = (array), .n_fields = COUNT(array)

static const rt_field moved_fields[] = {
    {"about", RT_FIELD_VECTOR, BODY(moved.about), .sense = RT_READ_LATER, .unit = "m",
     .fallback = "[0, 0, 0]", .moves = true,
     .doc = "the point that it is rotated about, in the axes and from the origin of `position`"},
    {"orientation", RT_FIELD_ORIENTATION, BODY(moved.orientation), .sense = RT_READ_LATER,
     .unit = "", .fallback = "no rotation", .moves = true,
     .doc = "the rotation, in the axes of `position`"},
    {"displacement", RT_FIELD_VECTOR, BODY(moved.displacement), .sense = RT_READ_LATER, .unit = "m",
     .fallback = "[0, 0, 0]", .moves = true, .doc = "by which it is moved then"},
};
static const rt_kind moved_kind[] = {
    {"moved", 0, FIELDS(moved_fields), .doc = "A rotation about a point, and a displacement."}};
const rt_section rt_moved_group = {"moved", "moved", moved_kind, 1, .doc = ""};

static const rt_field turning_fields[] = {
    {"axis", RT_FIELD_AXIS, BODY(spin.axis), .required = true, .sense = RT_READ_LATER, .unit = "",
     .moves = true, .doc = "the direction of the axis, in the axes of `position`"},
    {"rate", RT_FIELD_NUMBER, BODY(spin.rate), .required = true, .sense = RT_READ_LATER,
     .unit = "rad/s", .moves = true, .doc = "the rate of rotation about it"},
    {"about", RT_FIELD_VECTOR, BODY(spin.about), .sense = RT_READ_LATER, .unit = "m",
     .fallback = "where the body is", .moves = true, .doc = "a point of the axis"},
};
static const rt_kind turning_kind[] = {
    {"spin", 0, FIELDS(turning_fields), .doc = "A rotation about an axis."}};
const rt_section rt_turning_group = {"spin", "spin", turning_kind, 1, .doc = ""};

static const rt_field part_turning_fields[] = {
    {"axis", RT_FIELD_AXIS, PART(spin.axis), .required = true, .sense = RT_READ_LATER, .unit = "",
     .doc = "the direction of the axis, in the axes of `at`"},
    {"rate", RT_FIELD_NUMBER, PART(spin.rate), .required = true, .sense = RT_READ_LATER,
     .unit = "rad/s", .doc = "the rate of rotation about it"},
    {"about", RT_FIELD_VECTOR, PART(spin.about), .sense = RT_READ_LATER, .unit = "m",
     .fallback = "the origin of its frame", .doc = "a point of the axis, in the frame of `at`"},
};
static const rt_kind part_turning_kind[] = {
    {"spin", 0, FIELDS(part_turning_fields), .doc = "A rotation about an axis."}};
const rt_section rt_part_turning_group = {"spin", "spin", part_turning_kind, 1, .doc = ""};
