/* Reads mappings by the tables of fields. */
#include "model/read_values.h"
#include "model/scope.h"

#include <ctype.h>
#include <string.h>

static routh_status expect_mapping(rt_reader *r, const rt_yaml *node, const char *what)
{
    char found[96];
    if (node->kind == RT_YAML_MAPPING) return ROUTH_OK;
    return rt_reader_fail(r, node->place, "%s must be a mapping, lines of `name: value`, not %s",
                          what, rt_yaml_describe(node, found, sizeof found));
}

static bool is_one_word(const char *text)
{
    const char *p = text;
    while (isalnum((unsigned char)*p) || *p == '_') p++;
    return isalpha((unsigned char)*text) && !*p;
}

static routh_status fail_unknown_word(rt_reader *r, const rt_yaml *node, const rt_field *field)
{
    const char *names[33];
    char hint[128], all[500];
    int n = 0;
    for (; field->named[n].name && n < 32; n++) names[n] = field->named[n].name;
    names[n] = NULL;
    rt_did_you_mean(node->text, names, hint, sizeof hint);
    return rt_reader_fail(
        r, node->place, "%s: '%.60s' is no parameter and no word that has a value here%s%s%s",
        field->name, node->text, hint,
        hint[0] ? " The words are " : "; these have: ", rt_join_words(names, all, sizeof all));
}

/* A number, or a word of the field's that stands for one and is no parameter. */
static routh_status read_named_number(rt_reader *r, const rt_yaml *node, const rt_field *field,
                                      rt_number *out)
{
    const bool word = field->named && node->kind == RT_YAML_SCALAR && is_one_word(node->text) &&
                      !rt_is_parameter(r, node->text);
    if (!word) return rt_read_number(r, node, field->name, field->range, out);
    for (const rt_named_number *n = field->named; n->name; n++)
        if (!strcmp(n->name, node->text)) {
            *out = rt_plain(n->value);
            return ROUTH_OK;
        }
    return fail_unknown_word(r, node, field);
}

static routh_status read_field(rt_reader *r, const rt_field *field, const rt_yaml *node,
                               void *target)
{
    void *out = (char *)target + field->offset;
    rt_given inside;
    switch (field->type) {
    case RT_FIELD_TYPE: return ROUTH_OK;
    case RT_FIELD_TEXT: return rt_read_text(r, node, field->name, out);
    case RT_FIELD_TRUTH: return rt_read_truth(r, node, field->name, out);
    case RT_FIELD_CHOICE: return rt_read_choice(r, node, field, out);
    case RT_FIELD_CHOICES: return rt_read_choices(r, node, field, out);
    case RT_FIELD_NUMBER: return read_named_number(r, node, field, out);
    case RT_FIELD_COUNT: return rt_read_count(r, node, field->name, field->range, out);
    case RT_FIELD_VECTOR:
        return field->unit[0] ? rt_read_numbers(r, node, field->name, 3, out)
                              : rt_read_direction(r, node, field->name, out);
    case RT_FIELD_VECTOR6: return rt_read_numbers(r, node, field->name, 6, out);
    case RT_FIELD_MATRIX6: return rt_read_matrix6(r, node, field->name, out);
    case RT_FIELD_RATIOS: return rt_read_ratios(r, node, field->name, out);
    case RT_FIELD_INERTIA: return rt_read_inertia(r, node, out);
    case RT_FIELD_ORIENTATION: return rt_read_orientation(r, node, out);
    case RT_FIELD_AXIS: return rt_read_axis(r, node, out);
    case RT_FIELD_TRIPLE: return rt_read_triple(r, node, field->name, out);
    case RT_FIELD_WORD:
    case RT_FIELD_BODY:
    case RT_FIELD_MARKER:
    case RT_FIELD_JOINT: return rt_read_word(r, node, field->name, out);
    case RT_FIELD_BETWEEN: return rt_read_between(r, node, out);
    case RT_FIELD_JOINTS: return rt_read_word_list(r, node, field->name, out);
    case RT_FIELD_GROUP:
        return rt_read_fields(r, rt_section_kind(field->inside, 0), node, target, &inside);
    case RT_FIELD_PARAMETERS:
    case RT_FIELD_WORDS:
    case RT_FIELD_SECTION:
        *(const rt_yaml **)out = node;
        return expect_mapping(r, node, field->name);
    case RT_FIELD_FUNCTION:
    case RT_FIELD_FUNCTIONS:
    case RT_FIELD_SOME_FUNCTIONS:
    case RT_FIELD_ANY_FUNCTIONS:
    case RT_FIELD_PROFILE:
    case RT_FIELD_LIST:
    case RT_FIELD_MATRIX:
    case RT_FIELD_NAMES:
    case RT_FIELD_TABLE:
    case RT_FIELD_SIGNALS:
    case RT_FIELD_NODE:
    case RT_FIELD_NODES:
    case RT_FIELD_MARKERS:
    case RT_FIELD_STATES: *(const rt_yaml **)out = node; return ROUTH_OK;
    }
    return ROUTH_OK;
}

static int field_index(const rt_kind *kind, const char *name)
{
    for (int k = 0; k < kind->n_fields; k++)
        if (!strcmp(kind->fields[k].name, name)) return k;
    return -1;
}

static routh_status fail_unknown_field(rt_reader *r, const rt_kind *kind, const rt_yaml *entry)
{
    const char *names[33];
    char hint[128], all[500];
    const bool typed = kind->fields[0].type == RT_FIELD_TYPE;
    for (int k = 0; k < kind->n_fields; k++) names[k] = kind->fields[k].name;
    names[kind->n_fields] = NULL;
    rt_did_you_mean(entry->key, names, hint, sizeof hint);
    return rt_reader_fail(r, entry->key_place, "'%.60s' is not a field of %s%s%s%s%s", entry->key,
                          typed ? "the type " : "", kind->name, hint,
                          hint[0] ? " Its fields are " : "; its fields are ",
                          rt_join_words(names, all, sizeof all));
}

/* One entry's key; which field it is, -1 after a failure. */
static routh_status check_key(rt_reader *r, const rt_kind *kind, const rt_yaml *entry, int *k)
{
    *k = field_index(kind, entry->key);
    if (*k < 0) return fail_unknown_field(r, kind, entry);
    if (!rt_yaml_is_null(entry)) return ROUTH_OK;
    return rt_reader_fail(r, entry->key_place, "%s has no value; give one or remove the line",
                          entry->key);
}

static routh_status check_beside(rt_reader *r, const rt_kind *kind, const rt_yaml *node,
                                 rt_given given)
{
    for (int k = 0; k < kind->n_fields; k++) {
        const rt_field *f = &kind->fields[k];
        const bool is_given = given >> k & 1u;
        if (f->required && !is_given)
            return rt_reader_fail(r, node->key ? node->key_place : node->place,
                                  "%s is missing: %.200s", f->name, f->doc);
        if (f->unless && !is_given && !rt_is_given(kind, given, f->unless))
            return rt_reader_fail(r, node->key ? node->key_place : node->place,
                                  "%s is missing: give it, or %s, from which it follows", f->name,
                                  f->unless);
        if (!is_given) continue;
        const rt_place place = rt_yaml_find(node, f->name)->key_place;
        if (f->excludes && rt_is_given(kind, given, f->excludes))
            return rt_reader_fail(r, place, "%s and %s are both given; give one of them", f->name,
                                  f->excludes);
        if (f->needs && !rt_is_given(kind, given, f->needs))
            return rt_reader_fail(r, place, "%s is given without %s; give both", f->name, f->needs);
    }
    return ROUTH_OK;
}

static routh_status check_one_of(rt_reader *r, const rt_kind *kind, const rt_yaml *node,
                                 rt_given given)
{
    char all[200];
    if (!kind->one_of[0]) return ROUTH_OK;
    for (int k = 0; kind->one_of[k]; k++)
        if (rt_is_given(kind, given, kind->one_of[k])) return ROUTH_OK;
    return rt_reader_fail(r, node->key ? node->key_place : node->place,
                          "one of these must be given: %s",
                          rt_join_words(kind->one_of, all, sizeof all));
}

routh_status rt_read_fields(rt_reader *r, const rt_kind *kind, const rt_yaml *node, void *target,
                            rt_given *given)
{
    *given = 0;
    const char *what = node->key ? node->key : "the file";
    if (node->kind == RT_YAML_SCALAR && kind->n_fields > 0 && !strcmp(kind->fields[0].name, "type"))
        return rt_reader_fail(r, node->place, "%s must be a mapping, such as {type: %.40s}", what,
                              node->text[0] ? node->text : "..");
    routh_status status = expect_mapping(r, node, what);
    if (status) return status;
    for (const rt_yaml *entry = node->first; entry; entry = entry->next) {
        int k;
        status = check_key(r, kind, entry, &k);
        if (status) return status;
        const bool before = r->values_only, varies = r->varies;
        const char *unit = r->unit;
        r->values_only = before && !kind->fields[k].moves;
        r->varies = kind->fields[k].varies;
        r->unit = kind->fields[k].unit;
        status = read_field(r, &kind->fields[k], entry, target);
        r->values_only = before;
        r->varies = varies;
        r->unit = unit;
        if (status) return status;
        *given |= 1u << k;
    }
    rt_place_fields(r, kind, *given, target);
    status = check_beside(r, kind, node, *given);
    return status ? status : check_one_of(r, kind, node, *given);
}

routh_status rt_check_keys(rt_reader *r, const rt_kind *kind, const rt_yaml *node)
{
    routh_status status = ROUTH_OK;
    int k;
    for (const rt_yaml *entry = node->first; entry && !status; entry = entry->next)
        status = check_key(r, kind, entry, &k);
    return status;
}

routh_status rt_check_fields(rt_reader *r, const rt_kind *kind, const rt_yaml *node)
{
    rt_given given = 0;
    routh_status status = expect_mapping(r, node, node->key);
    for (const rt_yaml *entry = node->first; entry && !status; entry = entry->next) {
        int k;
        status = check_key(r, kind, entry, &k);
        if (!status) given |= 1u << k;
    }
    return status ? status : check_beside(r, kind, node, given);
}

routh_status rt_read_entry(rt_reader *r, const rt_section *section, const rt_yaml *node,
                           void *target, rt_given *given)
{
    const rt_kind *kind = rt_section_kind(section, 0);
    if (node->kind == RT_YAML_MAPPING || !section->shorthand)
        return rt_read_fields(r, kind, node, target, given);
    if (rt_yaml_is_null(node))
        return rt_reader_fail(r, node->key_place, "%.60s has no value; give one or remove the line",
                              node->key);
    const int k = field_index(kind, section->shorthand);
    const bool varies = r->varies;
    *given = 1u << k;
    r->varies = kind->fields[k].varies;
    const routh_status status = read_field(r, &kind->fields[k], node, target);
    r->varies = varies;
    return status;
}

routh_status rt_read_type(rt_reader *r, const rt_section *section, const rt_yaml *node,
                          const rt_kind **kind)
{
    char hint[128], all[500];
    const char *names[33];
    routh_status status = expect_mapping(r, node, node->key);
    if (status) return status;
    for (int k = 0; k < section->n_kinds; k++) names[k] = rt_section_kind(section, k)->name;
    names[section->n_kinds] = NULL;
    const rt_yaml *type = rt_yaml_find(node, "type");
    if (!type && section->optional_type) {
        *kind = rt_section_kind(section, 0);
        return ROUTH_OK;
    }
    if (!type)
        return rt_reader_fail(r, node->key_place, "type is missing; it is one of %s",
                              rt_join_words(names, all, sizeof all));
    rt_word word;
    status = rt_read_word(r, type, "type", &word);
    if (status) return status;
    const int k = rt_word_position(word.text, names);
    rt_did_you_mean(word.text, names, hint, sizeof hint);
    if (k < 0)
        return rt_reader_fail(r, word.place, "'%.60s' is not a type of %s%s%s%s", word.text,
                              section->element, hint,
                              hint[0] ? " The types are " : "; the types are ",
                              rt_join_words(names, all, sizeof all));
    *kind = rt_section_kind(section, k);
    return ROUTH_OK;
}
