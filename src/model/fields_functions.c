/* The descriptor table of functions of the caller. */
#include "model/fields.h"

#define FUNCTION(member) offsetof(rt_written_function, member)

static const rt_field function_fields[] = {
    {"arguments", RT_FIELD_COUNT, FUNCTION(arguments), .required = true, .range = RT_POSITIVE,
     .sense = RT_SCALAR, .unit = RT_UNIT_NONE, .doc = "how many it has, at most 8"},
    {"library", RT_FIELD_WORD, FUNCTION(library), .unit = "", .fallback = "the caller gives it",
     .doc = "a plug-in that has it, loaded only where the caller allows it (--allow-plugins)",
     .file = true}};
static const rt_kind function_kinds[] = {{"a function", 0, .fields = function_fields, .n_fields = 2,
                                          .doc = "A function whose formula is not in the file."}};
const rt_section rt_function_section = {
    "functions", "function", function_kinds, 1,
    .doc = "Functions that expressions call and whose formula is not in the file, each under its "
           "name: the program that reads the model gives them, or a plug-in, a library whose "
           "header is `routh/plugin.h`."};
