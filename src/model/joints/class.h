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
