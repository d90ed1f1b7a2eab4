/* The JSON Schema (draft 7) of model files, from the descriptor tables. */
#include "base/text.h"
#include "model/fields.h"
#include "model/measure_class.h"

#include <string.h>

static const char head[] =
    "{\n"
    "  \"$schema\": \"http://json-schema.org/draft-07/schema#\",\n"
    "  \"title\": \"Routh model\",\n"
    "  \"description\": \"A multibody model: bodies, markers, joints, loads. SI units, angles in "
    "radians; any "
    "number may be an expression of the parameters, such as \\\"30 deg\\\" or 2*k.\",\n"
    "  \"definitions\": {\n"
    "    \"number\": {\"anyOf\": [{\"type\": \"number\"}, {\"type\": \"string\", \"minLength\": "
    "1}]},\n"
    "    \"positive\": {\"anyOf\": [{\"type\": \"number\", \"exclusiveMinimum\": 0}, {\"type\": "
    "\"string\", "
    "\"minLength\": 1}]},\n"
    "    \"notNegative\": {\"anyOf\": [{\"type\": \"number\", \"minimum\": 0}, {\"type\": "
    "\"string\", "
    "\"minLength\": 1}]},\n"
    "    \"notZero\": {\"anyOf\": [{\"type\": \"number\", \"not\": {\"const\": 0}}, {\"type\": "
    "\"string\", "
    "\"minLength\": 1}]},\n"
    "    \"text\": {\"type\": [\"string\", \"number\", \"boolean\"]},\n"
    "    \"word\": {\"type\": \"string\", \"minLength\": 1},\n"
    "    \"vector\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/definitions/number\"}, "
    "\"minItems\": 3, "
    "\"maxItems\": 3},\n"
    "    \"vector6\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/definitions/number\"}, "
    "\"minItems\": 6, "
    "\"maxItems\": 6},\n"
    "    \"matrix3\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/definitions/vector\"}, "
    "\"minItems\": 3, "
    "\"maxItems\": 3},\n"
    "    \"matrix6\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/definitions/vector6\"}, "
    "\"minItems\": 6, "
    "\"maxItems\": 6},\n"
    "    \"ratios\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/definitions/notZero\"}, "
    "\"minItems\": 2, "
    "\"maxItems\": 3},\n"
    "    \"inertia\": {\"anyOf\": [{\"$ref\": \"#/definitions/vector\"}, {\"$ref\": "
    "\"#/definitions/vector6\"}]},\n"
    "    \"triple\": {\"anyOf\": [{\"$ref\": \"#/definitions/number\"}, {\"$ref\": "
    "\"#/definitions/vector\"}]},\n"
    "    \"axis\": {\"anyOf\": [{\"enum\": [\"x\", \"y\", \"z\", \"-x\", \"-y\", \"-z\"]}, "
    "{\"$ref\": "
    "\"#/definitions/vector\"}]},\n"
    "    \"orientation\": {\n"
    "      \"type\": \"object\",\n"
    "      \"oneOf\": [\n"
    "        {\"required\": [\"axis\", \"angle\"], \"properties\": {\"axis\": {\"$ref\": "
    "\"#/definitions/axis\"}, \"angle\": {\"$ref\": \"#/definitions/number\"}}, "
    "\"additionalProperties\": "
    "false},\n"
    "        {\"required\": [\"euler\"], \"properties\": {\"euler\": {\"$ref\": "
    "\"#/definitions/vector\"}}, "
    "\"additionalProperties\": false},\n"
    "        {\"required\": [\"rpy\"], \"properties\": {\"rpy\": {\"$ref\": "
    "\"#/definitions/vector\"}}, "
    "\"additionalProperties\": false},\n"
    "        {\"required\": [\"z\"], \"properties\": {\"z\": {\"$ref\": \"#/definitions/axis\"}, "
    "\"x\": "
    "{\"$ref\": \"#/definitions/axis\"}}, \"additionalProperties\": false},\n"
    "        {\"required\": [\"matrix\"], \"properties\": {\"matrix\": {\"$ref\": "
    "\"#/definitions/matrix3\"}}, "
    "\"additionalProperties\": false}\n"
    "      ]\n"
    "    },\n"
    "    \"between\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/definitions/word\"}, "
    "\"minItems\": 2, "
    "\"maxItems\": 2},\n"
    "    \"markers\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/definitions/word\"}, "
    "\"minItems\": 1},\n"
    "    \"joints\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/definitions/word\"}, "
    "\"minItems\": 2, "
    "\"maxItems\": 3},\n"
    "    \"functions\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/definitions/number\"}, "
    "\"minItems\": 3, "
    "\"maxItems\": 3},\n"
    "    \"table\": {\"type\": \"array\", \"items\": {\"type\": \"array\", \"items\": {\"$ref\": "
    "\"#/definitions/number\"}, \"minItems\": 2, \"maxItems\": 2}, \"minItems\": 2},\n"
    "    \"states\": {\"type\": \"array\", \"uniqueItems\": true, \"items\": {\"type\": "
    "\"string\", \"pattern\": "
    "\"^[A-Za-z_][A-Za-z0-9_]*([.][A-Za-z0-9_]+)*([.]mode [0-9]+)?$\"}},\n"
    "    \"signals\": {\"type\": \"array\", \"uniqueItems\": true, \"items\": {\"type\": "
    "[\"string\", \"boolean\"], \"pattern\": "
    "\"^[A-Za-z_][A-Za-z0-9_]*([.][A-Za-z0-9_]+)*$\"}},\n"
    "    \"someFunctions\": {\"type\": \"array\", \"items\": {\"$ref\": "
    "\"#/definitions/number\"}, \"minItems\": 1, \"maxItems\": 3},\n"
    "    \"list\": {\"type\": \"array\", \"items\": {\"$ref\": "
    "\"#/definitions/number\"}, "
    "\"minItems\": 1},\n"
    "    \"profile\": {\"anyOf\": [{\"$ref\": \"#/definitions/number\"}, "
    "{\"$ref\": \"#/definitions/list\"}]},\n"
    "    \"matrix\": {\"type\": \"array\", \"items\": {\"$ref\": "
    "\"#/definitions/list\"}, "
    "\"minItems\": 1},\n"
    "    \"names\": {\"type\": \"array\", \"items\": {\"allOf\": [{\"type\": "
    "[\"string\", \"boolean\"]}, "
    "{\"$ref\": \"#/definitions/name\"}]}, \"minItems\": 1, \"uniqueItems\": true},\n"
    "    \"parameters\": {\"type\": \"object\", \"additionalProperties\": {\"$ref\": "
    "\"#/definitions/number\"}, "
    "\"propertyNames\": {\"$ref\": \"#/definitions/name\"}},\n";

static const char rest_of_head[] =
    "    \"wholeName\": {\"pattern\": \"^[A-Za-z_][A-Za-z0-9_]*([.][A-Za-z0-9_]+)*$\"},\n"
    "    \"words\": {\"type\": \"object\", \"additionalProperties\": {\"$ref\": "
    "\"#/definitions/word\"}, \"propertyNames\": {\"$ref\": \"#/definitions/wholeName\"}},\n"
    "    \"name\": {\"pattern\": \"^[A-Za-z_][A-Za-z0-9_]{0,99}$\", \"not\": {\"enum\": "
    "[\"ground\", "
    "\"time\", \"TIME\", \"Time\", \"pi\", \"PI\"]}},\n"
    "    \"elementName\": {\"pattern\": \"^[A-Za-z_][A-Za-z0-9_]{0,99}$\", \"not\": {\"const\": "
    "\"ground\"}}";

static void indent(rt_text *t, int depth) { rt_text_append(t, "\n%*s", 2 * depth, ""); }

/* Text as a JSON string; the tables hold plain ASCII. */
static void quote(rt_text *t, const char *text)
{
    rt_text_bytes(t, "\"", 1);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') rt_text_bytes(t, "\\", 1);
        rt_text_bytes(t, text, 1);
    }
    rt_text_bytes(t, "\"", 1);
}

static const char *number_name(rt_range range)
{
    return range == RT_POSITIVE       ? "positive"
           : range == RT_NOT_NEGATIVE ? "notNegative"
           : range == RT_NOT_ZERO     ? "notZero"
                                      : "number";
}

static const char *definition_of(const rt_field *f)
{
    switch (f->type) {
    case RT_FIELD_TEXT: return "text";
    case RT_FIELD_NUMBER: return number_name(f->range);
    case RT_FIELD_VECTOR: return "vector";
    case RT_FIELD_VECTOR6: return "vector6";
    case RT_FIELD_MATRIX6: return "matrix6";
    case RT_FIELD_RATIOS: return "ratios";
    case RT_FIELD_INERTIA: return "inertia";
    case RT_FIELD_ORIENTATION: return "orientation";
    case RT_FIELD_AXIS: return "axis";
    case RT_FIELD_TRIPLE: return "triple";
    case RT_FIELD_WORD:
    case RT_FIELD_BODY:
    case RT_FIELD_MARKER:
    case RT_FIELD_JOINT: return "word";
    case RT_FIELD_BETWEEN: return "between";
    case RT_FIELD_MARKERS: return "markers";
    case RT_FIELD_JOINTS: return "joints";
    case RT_FIELD_FUNCTION: return "number";
    case RT_FIELD_FUNCTIONS: return "functions";
    case RT_FIELD_SOME_FUNCTIONS: return "someFunctions";
    case RT_FIELD_ANY_FUNCTIONS:
    case RT_FIELD_PROFILE: return "profile";
    case RT_FIELD_LIST: return "list";
    case RT_FIELD_MATRIX: return "matrix";
    case RT_FIELD_NAMES: return "names";
    case RT_FIELD_TABLE: return "table";
    case RT_FIELD_STATES: return "states";
    case RT_FIELD_SIGNALS: return "signals";
    case RT_FIELD_PARAMETERS: return "parameters";
    case RT_FIELD_WORDS: return "words";
    default: return NULL;
    }
}

static void write_choices(rt_text *t, const char *const *choices)
{
    rt_text_append(t, "\"enum\": [");
    for (int k = 0; choices[k]; k++) {
        if (k) rt_text_append(t, ", ");
        quote(t, choices[k]);
    }
    rt_text_append(t, "]");
}

/* A whole number, or an expression that may give one. */
static void write_count(rt_text *t, rt_range range)
{
    rt_text_append(t,
                   "\"anyOf\": [{\"type\": \"integer\", \"minimum\": %d, \"maximum\": %d}, "
                   "{\"type\": \"string\", \"minLength\": 1}]",
                   range == RT_POSITIVE, RT_MOST_COUNTED);
}

/* Nodes, or NUMBER=SET. */
static void write_nodes(rt_text *t)
{
    rt_text_append(t, "\"type\": \"array\", \"minItems\": 1, \"items\": {\"anyOf\": "
                      "[{\"type\": \"integer\", \"minimum\": 1, \"maximum\": 2147483647}, "
                      "{\"type\": \"string\", \"pattern\": \"^0*[1-9][0-9]*(=.+)?$\"}]}");
}

static void schema_write_kind(rt_text *t, const rt_kind *kind, int depth);
static void schema_write_section(rt_text *t, const rt_section *section, int depth);

/* "description": what it is, unit, default */
static void write_description(rt_text *t, const rt_field *f)
{
    rt_text about = {0};
    rt_text_append(&about, "%s", f->doc);
    if (f->unit[0]) rt_text_append(&about, " [%s]", f->unit);
    if (f->fallback) rt_text_append(&about, "; default: %s", f->fallback);
    rt_text_append(t, "\"description\": ");
    quote(t, rt_text_string(&about));
    if (about.failed) t->failed = true;
    rt_text_free(&about);
}

static void schema_write_field(rt_text *t, const rt_kind *kind, const rt_field *f, int depth)
{
    indent(t, depth);
    quote(t, f->name);
    rt_text_append(t, ": {");
    write_description(t, f);
    rt_text_append(t, ", ");
    if (f->type == RT_FIELD_TYPE) {
        rt_text_append(t, "\"const\": ");
        quote(t, kind->name);
    } else if (f->type == RT_FIELD_TRUTH) {
        rt_text_append(t, "\"type\": \"boolean\"");
    } else if (f->type == RT_FIELD_COUNT || f->type == RT_FIELD_NODE) {
        write_count(t, f->range);
    } else if (f->type == RT_FIELD_NODES) {
        write_nodes(t);
    } else if (f->type == RT_FIELD_CHOICE) {
        write_choices(t, f->choices);
    } else if (f->type == RT_FIELD_CHOICES) {
        rt_text_append(t, "\"type\": \"array\", \"minItems\": 2, \"maxItems\": 3, \"items\": {");
        write_choices(t, f->choices);
        rt_text_append(t, "}");
    } else if (f->type == RT_FIELD_GROUP) {
        schema_write_kind(t, rt_section_kind(f->inside, 0), depth);
    } else if (f->type == RT_FIELD_SECTION) {
        schema_write_section(t, f->inside, depth);
    } else {
        rt_text_append(t, "\"allOf\": [{\"$ref\": \"#/definitions/%s\"}]", definition_of(f));
    }
    rt_text_append(t, "}");
}

static void write_required(rt_text *t, const rt_kind *kind, int depth)
{
    const char *separator = "";
    for (int k = 0; k < kind->n_fields; k++) {
        if (!kind->fields[k].required) continue;
        if (!separator[0]) {
            rt_text_append(t, ",");
            indent(t, depth);
            rt_text_append(t, "\"required\": [");
        }
        rt_text_append(t, "%s", separator);
        quote(t, kind->fields[k].name);
        separator = ", ";
    }
    if (separator[0]) rt_text_append(t, "]");
}

/* Fields that exclude each other, or of which one must be there. */
static void write_beside(rt_text *t, const rt_kind *kind, int depth)
{
    const char *separator = "";
    rt_text rules = {0};
    for (int k = 0; k < kind->n_fields; k++) {
        const rt_field *f = &kind->fields[k];
        if (!f->excludes) continue;
        rt_text_append(&rules, "%s{\"not\": {\"required\": [\"%s\", \"%s\"]}}", separator, f->name,
                       f->excludes);
        separator = ", ";
    }
    for (int k = 0; k < kind->n_fields; k++) {
        const rt_field *f = &kind->fields[k];
        if (!f->unless) continue;
        rt_text_append(&rules,
                       "%s{\"anyOf\": [{\"required\": [\"%s\"]}, {\"required\": [\"%s\"]}]}",
                       separator, f->name, f->unless);
        separator = ", ";
    }
    if (kind->one_of[0]) {
        rt_text_append(&rules, "%s{\"anyOf\": [", separator);
        for (int k = 0; kind->one_of[k]; k++)
            rt_text_append(&rules, "%s{\"required\": [\"%s\"]}", k ? ", " : "", kind->one_of[k]);
        rt_text_append(&rules, "]}");
        separator = ", ";
    }
    if (separator[0]) {
        rt_text_append(t, ",");
        indent(t, depth);
        rt_text_append(t, "\"allOf\": [%s]", rt_text_string(&rules));
    }
    if (rules.failed) t->failed = true;
    rt_text_free(&rules);
}

static void write_needs(rt_text *t, const rt_kind *kind, int depth)
{
    const char *separator = "";
    for (int k = 0; k < kind->n_fields; k++) {
        const rt_field *f = &kind->fields[k];
        if (!f->needs) continue;
        if (!separator[0]) {
            rt_text_append(t, ",");
            indent(t, depth);
            rt_text_append(t, "\"dependencies\": {");
        }
        rt_text_append(t, "%s\"%s\": [\"%s\"]", separator, f->name, f->needs);
        separator = ", ";
    }
    if (separator[0]) rt_text_append(t, "}");
}

/* The members of an object schema, braces left to the caller. */
static void schema_write_kind(rt_text *t, const rt_kind *kind, int depth)
{
    indent(t, depth + 1);
    rt_text_append(t, "\"type\": \"object\",");
    indent(t, depth + 1);
    rt_text_append(t, "\"additionalProperties\": false,");
    indent(t, depth + 1);
    rt_text_append(t, "\"properties\": {");
    for (int k = 0; k < kind->n_fields; k++) {
        if (k) rt_text_append(t, ",");
        schema_write_field(t, kind, &kind->fields[k], depth + 2);
    }
    indent(t, depth + 1);
    rt_text_append(t, "}");
    write_required(t, kind, depth + 1);
    write_beside(t, kind, depth + 1);
    write_needs(t, kind, depth + 1);
    indent(t, depth);
}

/* Several kinds: `type` must name one, and that one's fields hold; where it may be left out, those
 * of the first do. */
static void write_kinds(rt_text *t, const rt_section *section, int depth)
{
    indent(t, depth);
    rt_text_append(t, "\"type\": \"object\",%s",
                   section->optional_type ? "" : " \"required\": [\"type\"],");
    indent(t, depth);
    rt_text_append(t, "\"properties\": {\"type\": {\"enum\": [");
    for (int k = 0; k < section->n_kinds; k++)
        rt_text_append(t, "%s\"%s\"", k ? ", " : "", rt_section_kind(section, k)->name);
    rt_text_append(t, "]}},");
    indent(t, depth);
    rt_text_append(t, "\"allOf\": [");
    for (int k = 0; k < section->n_kinds; k++) {
        if (k) rt_text_append(t, ",");
        indent(t, depth + 1);
        rt_text_append(t, "{\"if\": {\"properties\": {\"type\": {\"const\": \"%s\"}}%s}, ",
                       rt_section_kind(section, k)->name,
                       k || !section->optional_type ? ", \"required\": [\"type\"]" : "");
        rt_text_append(t, "\"then\": {\"description\": ");
        quote(t, rt_section_kind(section, k)->doc);
        rt_text_append(t, ",");
        schema_write_kind(t, rt_section_kind(section, k), depth + 1);
        rt_text_append(t, "}}");
    }
    indent(t, depth);
    rt_text_append(t, "]");
}

/* The field that a bare value stands for; NULL where there is none. */
static const rt_field *shorthand_of(const rt_section *section)
{
    const rt_kind *kind = rt_section_kind(section, 0);
    for (int k = 0; section->shorthand && k < kind->n_fields; k++)
        if (!strcmp(kind->fields[k].name, section->shorthand)) return &kind->fields[k];
    return NULL;
}

static void schema_write_section(rt_text *t, const rt_section *section, int depth)
{
    const bool several = rt_section_kind(section, 0)->fields[0].type == RT_FIELD_TYPE;
    const rt_field *plain = shorthand_of(section);
    rt_text_append(t,
                   "\"type\": \"object\", \"propertyNames\": {\"$ref\": \"#/definitions/%s\"},%s",
                   section == &rt_history_section || section == &rt_spin_section ? "wholeName"
                   : several && !section->signals                                ? "elementName"
                                                                                 : "name",
                   section == &rt_body_section || section == &rt_general_state_section
                       ? " \"minProperties\": 1,"
                       : "");
    indent(t, depth + 1);
    rt_text_append(t, "\"additionalProperties\": {");
    if (plain)
        rt_text_append(t, "\"anyOf\": [{\"$ref\": \"#/definitions/%s\"}, {", definition_of(plain));
    if (several)
        write_kinds(t, section, depth + 2);
    else
        schema_write_kind(t, rt_section_kind(section, 0), depth + 1);
    rt_text_append(t, plain ? "}]}" : "}");
    indent(t, depth);
}

/* A word of expressions, for programs that write or read them: no field is one by itself. */
static void schema_write_measures(rt_text *t)
{
    char usage[RT_MEASURE_USAGE], doc[RT_MEASURE_DOC];
    const rt_measure_class *class;
    rt_text_append(t, ",\n    \"measure\": {\"description\": \"a function of the state, in "
                      "expressions; all arguments but the first may be left out\", \"anyOf\": [");
    for (int k = 0; (class = rt_measure_at(k)) != NULL; k++)
        rt_text_append(t,
                       "%s\n      {\"const\": \"%s\", \"title\": \"%s\", \"description\": "
                       "\"%s [%s]\"}",
                       k ? "," : "", class->name, rt_measure_usage(class, usage),
                       rt_measure_doc(class, false, doc), class->unit);
    rt_text_append(t, "\n    ]},\n    \"measureArgument\": {\"anyOf\": [");
    for (int k = 0; k < RT_MEASURE_ARGUMENT_KINDS; k++) {
        const rt_measure_argument *argument = rt_measure_argument_at((rt_measure_argument_kind)k);
        rt_text_append(t, "%s\n      {\"const\": \"%s\", \"description\": \"%s\"}", k ? "," : "",
                       argument->name, argument->doc);
    }
    rt_text_append(t, "\n    ]}");
}

routh_status routh_model_schema(routh_text *text, routh_error *error)
{
    rt_text out = {0};
    if (!text) return rt_fail(error, ROUTH_BAD_ARGUMENT, "the place for the text is NULL");
    *text = (routh_text){0};
    rt_text_append(&out, "%s%s", head, rest_of_head);
    schema_write_measures(&out);
    rt_text_append(&out, "\n  },"); /* the kind begins with a new line */
    schema_write_kind(&out, &rt_model_kind, 0);
    rt_text_append(&out, "}\n");
    text->length = out.length;
    text->bytes = rt_text_take(&out);
    return text->bytes ? ROUTH_OK : rt_fail_memory(error);
}
