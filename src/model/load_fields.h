/* For the tables of fields of loads (fields.h, load_class.h). */
#ifndef RT_MODEL_LOAD_FIELDS_H
#define RT_MODEL_LOAD_FIELDS_H

#include "model/load_class.h"

/* Where the reader puts a field. */
#define LOAD(member) offsetof(rt_written_load, member)
#define LOAD_FIELDS(array) .fields = (array), .n_fields = (int)(sizeof(array) / sizeof((array)[0]))

#define LOAD_TYPE                                                                                  \
    {                                                                                              \
        "type", RT_FIELD_TYPE, 0, .required = true, .unit = "", .doc = "the kind of load"          \
    }
#define LOAD_BETWEEN(text)                                                                         \
    {                                                                                              \
        "between", RT_FIELD_BETWEEN, LOAD(between), .required = true, .unit = "", .doc = text      \
    }
#define LOAD_AT                                                                                    \
    {                                                                                              \
        "at", RT_FIELD_VECTOR, LOAD(at),                                                           \
            .sense = RT_POINT, .unit = "m",                                                        \
            .doc =                                                                                 \
                "a point in the world; `between` then names bodies (or ground), and markers are "  \
                "made there on both, with axes as the world's"                                     \
    }
/* Of a beam element by its section. */
#define LOAD_SIDE(mean)                                                                            \
    {                                                                                              \
        "side", RT_FIELD_VECTOR, LOAD(side),                                                       \
            .sense = RT_POLAR, .unit = "", .fallback = mean,                                       \
            .doc = "a direction in the world towards which the section's y points, as near as it " \
                   "can; the axes of the markers do not matter then"                               \
    }
#define LOAD_SECTION_STIFFNESS                                                                     \
    {                                                                                              \
        "stiffness", RT_FIELD_MATRIX6, LOAD(load.stiffness6),                                      \
            .required = true, .sense = RT_SECTION_WRENCH, .unit = "N, N m, N m^2",                 \
            .doc = "of its section, 6 rows of 6 numbers, symmetric: force and moment (x, y, z) "   \
                   "from strain (stretch, two shears) and curvature (twist, two bendings)"         \
    }
#define LOAD_SECTION_DAMPING                                                                       \
    {                                                                                              \
        "damping", RT_FIELD_MATRIX6, LOAD(load.damping6),                                          \
            .sense = RT_SECTION_WRENCH, .unit = "N s, N m s, N m^2 s", .fallback = "0",            \
            .doc = "the same from the rates of strain and curvature"                               \
    }

#endif
