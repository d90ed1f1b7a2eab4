/* What the files of this folder write their classes with. */
#ifndef RT_MODEL_JOINTS_CLASS_H
#define RT_MODEL_JOINTS_CLASS_H

#include "base/pi.h"
#include "model/joint_class.h"
#include "model/relative.h"
#include "model/scope.h"

enum { X, Y, Z };

/* ---- fields ---------------------------------------------------------------------------------- */

#define FIELDS(array) .fields = (array), .n_fields = (int)(sizeof(array) / sizeof((array)[0]))
#define JOINT(member) offsetof(rt_written_joint, member)

/* A number of the joint, by the slot under which its rows find it. */
#define NUMBER(slot) offsetof(rt_written_joint, joint.number[(slot)-1])

#define JOINT_TYPE                                                                                 \
    {                                                                                              \
        "type", RT_FIELD_TYPE, 0, .required = true, .unit = "", .doc = "the kind of joint"         \
    }
#define JOINT_BETWEEN_AS(text)                                                                     \
    {                                                                                              \
        "between", RT_FIELD_BETWEEN, JOINT(between), .required = true, .unit = "", .doc = text     \
    }
#define JOINT_BETWEEN                                                                              \
    JOINT_BETWEEN_AS("the two markers it joins; with `at`, the two bodies (or ground)")
#define JOINT_AT                                                                                   \
    {                                                                                              \
        "at", RT_FIELD_VECTOR, JOINT(at),                                                          \
            .sense = RT_POINT, .unit = "m",                                                        \
            .doc = "the joint's point in the world, in the reference configuration; markers are "  \
                   "then made there on both bodies, with axes as the world's"                      \
    }
#define JOINT_AXIS(text, sense_)                                                                   \
    {                                                                                              \
        "axis", RT_FIELD_AXIS, JOINT(joint.axis), .sense = sense_, .unit = "", .fallback = "z",    \
                                                  .doc = text                                      \
    }
#define JOINT_CUT                                                                                  \
    {                                                                                              \
        "cut", RT_FIELD_TRUTH, JOINT(joint.cut),                                                   \
            .unit = "", .fallback = "false",                                                       \
            .doc =                                                                                 \
                "true: in relative coordinates the joint stays a constraint, so that a loop is "   \
                "cut here; without effect in other coordinates"                                    \
    }
/* Coordinates and their rates at the beginning, of step k of the joint's chain. */
#define JOINT_BEGINS(name_, member, unit_, doc_)                                                   \
    {                                                                                              \
        name_, RT_FIELD_NUMBER, JOINT(start.member), .sense = RT_READ_LATER, .unit = unit_,        \
                                                     .fallback = "none", .doc = doc_               \
    }
#define JOINT_ANGLE_AS(name, k, text) JOINT_BEGINS(name, value[k], "rad", text)
#define JOINT_RATE_AS(name, k, text) JOINT_BEGINS(name, rate[k], "rad/s", text)
#define JOINT_PLACE_AS(name, k, text) JOINT_BEGINS(name, value[k], "m", text)
#define JOINT_SPEED_AS(name, k, text) JOINT_BEGINS(name, rate[k], "m/s", text)
#define AT_FIRST " of the first body or marker relative to the second at the beginning; "
#define JOINT_ANGLE(k)                                                                             \
    JOINT_ANGLE_AS("angle", k,                                                                     \
                   "rotation about the axis," AT_FIRST "zero where the markers' axes agree")
#define JOINT_RATE(k) JOINT_RATE_AS("rate", k, "its rate")
#define JOINT_DISPLACEMENT(k)                                                                      \
    JOINT_PLACE_AS("displacement", k, "along the axis," AT_FIRST "zero where the markers coincide")
#define JOINT_VELOCITY(k) JOINT_SPEED_AS("velocity", k, "its rate")
#define JOINT_PLACES_XY                                                                            \
    JOINT_PLACE_AS("x", 0,                                                                         \
                   "displacement along the joint's x axis," AT_FIRST "zero where the "             \
                   "markers coincide"),                                                            \
        JOINT_PLACE_AS("y", 1, "the same along its y axis")
#define JOINT_SPEEDS_XY                                                                            \
    JOINT_SPEED_AS("vx", 0, "the rate of x"), JOINT_SPEED_AS("vy", 1, "the rate of y")
#define IN_AXES                                                                                    \
    " in the markers' own axes (with `at`: in the world): x, y, z, -x, -y, -z or a vector"

/* The joints that this one names. */
#define JOINT_COUPLED                                                                              \
    {                                                                                              \
        "joints", RT_FIELD_JOINTS, JOINT(joints), .required = true, .unit = "",                    \
                                                  .doc = "the two or three joints it couples"      \
    }

/* ---- rows ------------------------------------------------------------------------------------ */

/* The kind without RT_JOINT_ROW_, the axes, what the row keeps in words. */
#define ROW(what, a, b, text)                                                                      \
    {                                                                                              \
        .kind = RT_JOINT_ROW_##what, .p = (a), .q = (b), .label = (text)                           \
    }

/* The same with more: what it keeps, the number, the terms. */
#define ROW_WITH(what, a, b, text, ...)                                                            \
    {                                                                                              \
        .kind = RT_JOINT_ROW_##what, .p = (a), .q = (b), .label = (text), __VA_ARGS__              \
    }

#define ROW_POINTS                                                                                 \
    ROW(POINT, X, 0, "origins coincide along x"), ROW(POINT, Y, 0, "origins coincide along y"),    \
        ROW(POINT, Z, 0, "origins coincide along z")
#define ROW_PARALLEL                                                                               \
    ROW(DOT1, Z, X, "joint axes parallel: no tilt about y"),                                       \
        ROW(DOT1, Z, Y, "joint axes parallel: no tilt about x")
#define ROW_NO_TURN ROW(DOT1, X, Y, "no rotation about the joint axis")
#define ROW_ON_LINE                                                                                \
    ROW(DOT2, 0, X, "on the joint axis: no offset along x"),                                       \
        ROW(DOT2, 0, Y, "on the joint axis: no offset along y")
#define ROW_IN_PLANE ROW(DOT2, 0, Z, "in the plane: no offset along z")
#define ROW_FUNCTIONS ROW(FUNCTIONS, 0, 0, "the expression is zero")

/* ---- chains ---------------------------------------------------------------------------------- */

#define STEP_TURN(axis)                                                                            \
    {                                                                                              \
        RT_STEP_TURN, axis                                                                         \
    }
#define STEP_SLIDE(axis)                                                                           \
    {                                                                                              \
        RT_STEP_SLIDE, axis                                                                        \
    }
#define STEP_BALL                                                                                  \
    {                                                                                              \
        RT_STEP_BALL, Z                                                                            \
    }

#endif
