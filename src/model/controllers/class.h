/* What the files of this folder write their classes with. */
#ifndef RT_MODEL_CONTROLLERS_CLASS_H
#define RT_MODEL_CONTROLLERS_CLASS_H

#include "model/controller_class.h"

/* Where the reader puts a field. Numbers and nodes go by places that a class numbers itself. */
#define FIELDS(array) .fields = (array), .n_fields = (int)(sizeof(array) / sizeof((array)[0]))
#define CONTROLLER(member) offsetof(rt_written_controller, member)
#define NUMBER(k) offsetof(rt_written_controller, number[k])
#define NODE(k) offsetof(rt_written_controller, node[k])

#define CONTROLLER_TYPE                                                                            \
    {                                                                                              \
        "type", RT_FIELD_TYPE, 0, .required = true, .unit = "", .doc = "the kind of controller"    \
    }
#define CONTROLLER_UNIT                                                                            \
    {                                                                                              \
        "unit", RT_FIELD_TEXT, CONTROLLER(unit),                                                   \
            .unit = "", .fallback = "none",                                                        \
            .doc = "its unit, of those that `units` makes, for tables; nothing is converted"       \
    }
#define CONTROLLER_INPUT                                                                           \
    {                                                                                              \
        "input", RT_FIELD_FUNCTION, CONTROLLER(function),                                          \
            .required = true, .sense = RT_SCALAR, .unit = "",                                      \
            .doc = "an expression of measures, signals, time and parameters"                       \
    }
#define CONTROLLER_INITIAL                                                                         \
    {                                                                                              \
        "initial", RT_FIELD_NUMBER, CONTROLLER(initial),                                           \
            .sense = RT_SCALAR, .varies = true, .unit = "",                                        \
            .fallback = "found, so that the state rests",                                          \
            .doc = "the state at the operating point"                                              \
    }
#define CONTROLLER_INITIALS(place, text)                                                           \
    {                                                                                              \
        "initial", RT_FIELD_LIST, NODE(place), .sense = RT_SCALAR, .unit = "",                     \
                                               .fallback = "found, so that the states rest",       \
                                               .doc = text                                         \
    }

#endif
