/* The descriptor tables of variants: of an entry of `parts`, and of a model file. What is read is
 * the part with the chosen one put into it (part_variants.c), so nothing is stored by these. */
#include "model/parts.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static const char *const mirrors[] = {"x", "y", "z", NULL};

#define AS_PART .unit = "", .fallback = "that of the part"
#define JOINED .unit = "", .fallback = "those of the part"

static const rt_field of_part_fields[] = {
    {"file", RT_FIELD_WORD, 0, AS_PART, .doc = "another part file"},
    {"variant", RT_FIELD_WORD, 0, .unit = "", .fallback = "as its file says",
     .doc = "one of the `variants` of that file"},
    {"set", RT_FIELD_PARAMETERS, 0, JOINED,
     .doc = "values of parameters, beside those of the part and in place of them"},
    {"connect", RT_FIELD_WORDS, 0, JOINED, .doc = "connections, likewise"},
    {"first", RT_FIELD_WORDS, 0, JOINED,
     .doc = "connections of the first part of an array, likewise"},
    {"inputs", RT_FIELD_PARAMETERS, 0, JOINED, .doc = "expressions for inputs, likewise"},
    {"at", RT_FIELD_VECTOR, 0, .sense = RT_READ_LATER, .unit = "m", .fallback = "that of the part",
     .doc = "where the origin of its frame lies"},
    {"orientation", RT_FIELD_ORIENTATION, 0, .sense = RT_READ_LATER, AS_PART,
     .doc = "how its frame stands"},
    {"mirror", RT_FIELD_CHOICE, 0, AS_PART, .choices = mirrors,
     .doc = "the axis across which it is reflected"},
};
static const rt_kind of_part[] = {{"a variant of a part", 0, of_part_fields, COUNT(of_part_fields),
                                   .doc = "Fields of a part, under a name."}};
const rt_section rt_part_variant_section = {
    "variants", "variant", of_part, COUNT(of_part),
    .doc = "Of a part: its fields in other words, each set of them under a name."};

static const rt_field of_file_fields[] = {
    {"set", RT_FIELD_PARAMETERS, 0, .unit = "", .fallback = "as `parameters` says",
     .doc = "values of parameters of this file, in place of those under `parameters`"},
    {"parts", RT_FIELD_WORDS, 0, .unit = "", .fallback = "as `parts` says",
     .doc = "for parts of this file the variant of each; of an array that of all, or, as NAME.3, "
            "of one"},
};
static const rt_kind of_file[] = {{"a variant of a model file", 0, of_file_fields,
                                   COUNT(of_file_fields),
                                   .doc = "Values of parameters and variants of parts."}};
const rt_section rt_file_variant_section = {
    "variants", "variant", of_file, COUNT(of_file),
    .doc = "Values of parameters and variants of parts, each set of them under a name. `variant` "
           "chooses one: here, where the file is used as a part, or `--variant`."};
