/* The reference page of model files in Markdown, from the descriptor tables. */
#include "base/text.h"
#include "expression/builtin.h"
#include "expression/unit.h"
#include "model/fields.h"
#include "model/measure_class.h"

#include <string.h>

static const char head[] = "# Model files\n\n"
                           "<!-- Written by the program from its tables; change "
                           "src/model/fields.c, not this page. -->\n\n"
                           "A model file is YAML. Units are SI, angles are in radians. Any number "
                           "may be an expression of the\n"
                           "parameters: `2*k`, `sqrt(g/l)`, `30 deg`, `12 mm`, `1500 rpm`. Names "
                           "are made of letters, digits and `_`\n"
                           "and do not begin with a digit; `ground`, `time`, `pi` and `e` have "
                           "meanings of their own. Aliases, tags\n"
                           "and names given twice are refused.\n\n";

static const char expressions[] =
    "## Expressions\n\n"
    "`+ - * / ^` (or `**`), parentheses, the constants `pi` and `e`, numbers with units, and "
    "functions, in any letter\n"
    "case.\n\n"
    "A unit stands behind a number, a closed parenthesis, or a power of them, and multiplies it. "
    "Powers behind a unit are\n"
    "powers of the unit. Products of units are written with a blank, `*` or `·`, quotients with "
    "one `/`. Texts that have\n"
    "two readings are refused:\n\n"
    "| written | value |\n"
    "|---|---|\n"
    "| `100 mm^2`, `100 mm²` | 1e-4 m^2 |\n"
    "| `8.3e4 mm^4` | 8.3e-8 m^4 |\n"
    "| `10^3 mm`, `(1 + 2) mm`, `-3 mm` | 1 m, 3e-3 m, -3e-3 m |\n"
    "| `(2 mm)^2` | 4e-6 m^2 |\n"
    "| `28 kN/m`, `28 N/mm`, `28 N mm^-1` | 28e3 N/m |\n"
    "| `3 N m`, `3 N*m`, `3 Nm`, `3 N m/rad` | 3 N m |\n"
    "| `5 N s/m`, `5 N/(m/s)`, `9.81 m/s^2`, `9.81 m s^-2` | 5 N s/m, 9.81 m/s^2 |\n"
    "| `40 N/m*x`, `40 N/(2 m)`, `40 N/x` | the number with its unit, times or divided by another "
    "|\n"
    "| `1/2 mm` | refused: `(1/2) mm` or `1/(2 mm)` |\n"
    "| `5 N/m/s`, `5 N/m s` | refused: `5 N/(m s)` or `5 N s/m` |\n"
    "| `2 g` where the model has a parameter or signal `g` | refused: the unit, or `2*g` |\n"
    "| `40 N/m` where it has an `m` | refused: the unit, or `(40 N)/m` |\n"
    "| `x^2 mm` of a name | refused: `(x^2) mm` or `x^(2 mm)` |\n"
    "| `9.81 m s-2` | refused: `9.81 m s^-2` or `9.81 m s - 2` |\n"
    "| `3/s`, `2 mm2` | refused: no unit; write `3 s^-1`, `2 mm^2` |\n\n"
    "The units and their values in SI. `1 Hz` is 1/s and `60 rpm` 2 pi rad/s:\n\n"
    "| dimension | units |\n"
    "|---|---|\n";

static const char measures[] =
    "Functions of the state (the force of a spring, the components of a force, a constraint, an "
    "output) may also use\n"
    "`time` and these measures, of arguments of which all but the first may be left out:\n\n";

static const char signals[] =
    "Signals go by their names: inputs, variables, states and outputs of controllers (`push`, "
    "`error`, `plant.x1`).\n"
    "Expressions of loads, variables, controllers and outputs may use them.\n\n"
    "The history of an input may use `time` and parameters only; a motion inputs too; a "
    "constraint, and a state of your\n"
    "own, positions, angles, time and parameters; a `nonholonomic` joint velocities as well.\n\n"
    "## Orientations\n\n"
    "| written | meaning |\n"
    "|---|---|\n"
    "| `{axis: [x, y, z], angle: a}` | a rotation about a direction |\n"
    "| `{euler: [psi, theta, phi]}` | rotations about z, then the new x, then the new z |\n"
    "| `{rpy: [roll, pitch, yaw]}` | roll about x, then pitch about y, then yaw about z, all about "
    "fixed axes |\n"
    "| `{z: [..], x: [..]}` | the direction of z, and x as near to the given one as it can be |\n"
    "| `{matrix: [[..], [..], [..]]}` | the rotation matrix, row by row; its columns are the "
    "rotated axes |\n";

static const char *reference_words_of(rt_field_type type)
{
    switch (type) {
    case RT_FIELD_TEXT: return "text";
    case RT_FIELD_TYPE: return "word";
    case RT_FIELD_TRUTH: return "true or false";
    case RT_FIELD_CHOICE: return "one of ";
    case RT_FIELD_CHOICES: return "list of ";
    case RT_FIELD_COUNT: return "whole number";
    case RT_FIELD_NODE: return "number of a node, `first` or `last`";
    case RT_FIELD_NODES: return "list of nodes, or `NUMBER=SET`";
    case RT_FIELD_NUMBER: return "number";
    case RT_FIELD_VECTOR: return "3 numbers";
    case RT_FIELD_VECTOR6: return "6 numbers";
    case RT_FIELD_MATRIX6: return "6 rows of 6 numbers";
    case RT_FIELD_RATIOS: return "2 or 3 numbers";
    case RT_FIELD_INERTIA: return "3 or 6 numbers";
    case RT_FIELD_ORIENTATION: return "orientation";
    case RT_FIELD_AXIS: return "axis";
    case RT_FIELD_TRIPLE: return "1 or 3 numbers";
    case RT_FIELD_WORD: return "word";
    case RT_FIELD_BODY: return "body or ground";
    case RT_FIELD_MARKER: return "marker, body or ground";
    case RT_FIELD_BETWEEN: return "[name, name]";
    case RT_FIELD_MARKERS: return "list of names";
    case RT_FIELD_JOINT: return "joint";
    case RT_FIELD_JOINTS: return "2 or 3 joints";
    case RT_FIELD_FUNCTION: return "expression";
    case RT_FIELD_FUNCTIONS: return "3 expressions";
    case RT_FIELD_SOME_FUNCTIONS: return "1 to 3 expressions";
    case RT_FIELD_ANY_FUNCTIONS: return "list of expressions";
    case RT_FIELD_PROFILE: return "number or list of numbers";
    case RT_FIELD_LIST: return "list of numbers";
    case RT_FIELD_MATRIX: return "rows of numbers";
    case RT_FIELD_NAMES: return "list of new names";
    case RT_FIELD_TABLE: return "list of pairs";
    case RT_FIELD_STATES:
    case RT_FIELD_SIGNALS: return "list of names";
    case RT_FIELD_GROUP: return "mapping";
    case RT_FIELD_PARAMETERS: return "name: number";
    case RT_FIELD_WORDS: return "name: name";
    case RT_FIELD_SECTION: return "name: mapping";
    }
    return "";
}

static const char *words_of_range(rt_range range)
{
    return range == RT_POSITIVE       ? ", positive"
           : range == RT_NOT_NEGATIVE ? ", not negative"
           : range == RT_NOT_ZERO     ? ", not zero"
                                      : "";
}

static const char *words_of_section(const rt_section *section)
{
    if (!section->shorthand) return reference_words_of(RT_FIELD_SECTION);
    return section == &rt_input_section ? "name: number or mapping" : "name: expression or mapping";
}

static void reference_write_field(rt_text *t, const rt_field *f)
{
    rt_text_append(t, "| `%s` | %s%s", f->name,
                   f->type == RT_FIELD_SECTION ? words_of_section(f->inside)
                                               : reference_words_of(f->type),
                   words_of_range(f->range));
    for (int k = 0; f->choices && f->choices[k]; k++)
        rt_text_append(t, "%s`%s`", k ? ", " : "", f->choices[k]);
    rt_text_append(t, " | %s | %s | %s", f->unit,
                   f->required   ? "**required**"
                   : f->fallback ? f->fallback
                                 : "",
                   f->doc);
    if (f->excludes) rt_text_append(t, " (not beside `%s`)", f->excludes);
    if (f->needs) rt_text_append(t, " (beside `%s`)", f->needs);
    rt_text_append(t, " |\n");
}

static void write_fields(rt_text *t, const rt_kind *kind)
{
    rt_text_append(t, "\n| field | value | unit | default | meaning |\n|---|---|---|---|---|\n");
    for (int k = 0; k < kind->n_fields; k++)
        if (kind->fields[k].type != RT_FIELD_TYPE) reference_write_field(t, &kind->fields[k]);
    if (kind->one_of[0]) rt_text_append(t, "\nAt least one of");
    for (int k = 0; kind->one_of[k]; k++)
        rt_text_append(t, "%s `%s`", k ? "," : "", kind->one_of[k]);
    rt_text_append(t, "%s\n", kind->one_of[0] ? " must be given.\n" : "");
}

/* Fields of groups, and of sections inside of them or of elements. */
static void write_groups(rt_text *t, const rt_kind *kind)
{
    for (int k = 0; k < kind->n_fields; k++) {
        const rt_field *f = &kind->fields[k];
        const bool section = f->type == RT_FIELD_SECTION && kind != &rt_model_kind;
        if (f->type != RT_FIELD_GROUP && !section) continue;
        const char *alone = section ? f->inside->shorthand : NULL;
        rt_text_append(t, section ? "Each of `%s`" : "In `%s`", f->name);
        if (alone) rt_text_append(t, " (alone, a value is its `%s`)", alone);
        rt_text_append(t, ":\n");
        write_fields(t, rt_section_kind(f->inside, 0));
        write_groups(t, rt_section_kind(f->inside, 0));
    }
}

static void reference_write_kind(rt_text *t, const rt_section *section, const rt_kind *kind)
{
    if (kind->fields[0].type == RT_FIELD_TYPE)
        rt_text_append(t, "### %s `%s`\n\n%s\n", section->element, kind->name, kind->doc);
    write_fields(t, kind);
    write_groups(t, kind);
}

/* Neighbours with the same text share a line. */
static void write_measures(rt_text *t)
{
    char usage[RT_MEASURE_USAGE], doc[RT_MEASURE_DOC];
    const rt_measure_class *class, *last = NULL;
    rt_text_append(t, "| measure | meaning | unit |\n|---|---|---|\n");
    for (int k = 0; (class = rt_measure_at(k)) != NULL; last = class, k++) {
        if (last && !strcmp(last->doc, class->doc)) {
            rt_text_append(t, " `%s`", class->name);
        } else {
            if (last)
                rt_text_append(t, " | %s | %s |\n", rt_measure_doc(last, true, doc), last->unit);
            rt_text_append(t, "| `%s`", rt_measure_usage(class, usage));
        }
    }
    if (last) rt_text_append(t, " | %s | %s |\n", rt_measure_doc(last, true, doc), last->unit);
    rt_text_append(t, "\n| argument | meaning |\n|---|---|\n");
    for (int k = 0; k < RT_MEASURE_ARGUMENT_KINDS; k++) {
        const rt_measure_argument *argument = rt_measure_argument_at((rt_measure_argument_kind)k);
        rt_text_append(t, "| `%s` | %s |\n", argument->name, argument->doc);
    }
    rt_text_append(t, "\n");
}

/* The units of the dimension of unit k, all in one row; those of an earlier row not again. */
static void write_units_like(rt_text *t, int k)
{
    rt_unit like, unit;
    char text[64];
    rt_unit_find(rt_unit_names[k], &like);
    for (int j = 0; j < k; j++)
        if (rt_unit_find(rt_unit_names[j], &unit) && rt_unit_same_dimension(&unit, &like)) return;
    rt_unit_dimension(&like, text);
    rt_text_append(t, "| %s |", strcmp(text, "no dimension") ? text : "angle (no dimension)");
    for (int j = k; rt_unit_names[j]; j++) {
        if (!rt_unit_find(rt_unit_names[j], &unit) || !rt_unit_same_dimension(&unit, &like))
            continue;
        rt_text_append(t, "%s `%s` ", j == k ? "" : ",", rt_unit_names[j]);
        rt_text_digits(t, rt_unit_value(&unit, 1), 14);
    }
    rt_text_append(t, " |\n");
}

static void write_units(rt_text *t)
{
    for (int k = 0; rt_unit_names[k]; k++) write_units_like(t, k);
}

static void write_expressions(rt_text *t)
{
    rt_text_append(t, "%s", expressions);
    write_units(t);
    rt_text_append(t, "\nFunctions:\n\n| function | value |\n|---|---|\n");
    for (const rt_builtin *b = rt_builtins; b->name; b++)
        rt_text_append(t, "| `%s` | %s |\n", b->usage, b->doc);
    rt_text_append(t, "\n%s", measures);
    write_measures(t);
    rt_text_append(t, "%s", signals);
}

static void reference_write_section(rt_text *t, const rt_section *section)
{
    rt_text_append(t, "## `%s`\n\n%s\n", section->name, section->doc);
    if (rt_section_kind(section, 0)->fields[0].type == RT_FIELD_TYPE) rt_text_append(t, "\n");
    for (int k = 0; k < section->n_kinds; k++)
        reference_write_kind(t, section, rt_section_kind(section, k));
}

routh_status routh_model_reference(routh_text *text, routh_error *error)
{
    rt_text out = {0};
    if (!text) return rt_fail(error, ROUTH_BAD_ARGUMENT, "the place for the text is NULL");
    *text = (routh_text){0};
    rt_text_append(&out, "%s## The file\n", head);
    write_fields(&out, &rt_model_kind);
    write_groups(&out, &rt_model_kind);
    for (int k = 0; k < rt_model_kind.n_fields; k++)
        if (rt_model_kind.fields[k].type == RT_FIELD_SECTION)
            reference_write_section(&out, rt_model_kind.fields[k].inside);
    write_expressions(&out);
    text->length = out.length;
    text->bytes = rt_text_take(&out);
    return text->bytes ? ROUTH_OK : rt_fail_memory(error);
}
