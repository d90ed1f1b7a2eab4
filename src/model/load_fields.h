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

#endif
