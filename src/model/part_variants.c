/* Variants. An entry of `parts` may list some: fields that go before its own, under a name. A model
 * file may list some: values of its parameters and variants of its parts. What chooses one is, of
 * the first that says something: the caller, by a setting with the name of the part; the variant of
 * the file that the part stands in; the entry, or the file. */
#include "model/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/read_values.h"

/* Mappings that are joined name by name; other fields are replaced. */
static const char *const joined[] = {"set", "connect", "first", "inputs", NULL};

static bool is_joined(const char *field)
{
    for (int k = 0; joined[k]; k++)
        if (!strcmp(field, joined[k])) return true;
    return false;
}

static const rt_yaml *in_mapping(const rt_yaml *mapping, const char *name)
{
    return mapping && mapping->kind == RT_YAML_MAPPING ? rt_yaml_find(mapping, name) : NULL;
}

static const char *file_of(const rt_reader *r, const rt_scope *outer)
{
    return outer->file ? outer->file->path : r->file;
}

/* ---- their form ------------------------------------------------------------------------------ */

/* The names and keys of all, whether they are chosen or not. */
static routh_status check_list(rt_reader *r, const rt_yaml *variants, const rt_kind *kind)
{
    char found[96];
    routh_status status = ROUTH_OK;
    if (variants->kind != RT_YAML_MAPPING)
        return rt_reader_fail(r, variants->place,
                              "variants must be a mapping, lines of `name: {..}`, not %s",
                              rt_yaml_describe(variants, found, sizeof found));
    if (!variants->count)
        return rt_reader_fail(r, variants->key_place,
                              "variants has none; give one, such as winter: {set: {..}}");
    for (const rt_yaml *v = variants->first; v && !status; v = v->next) {
        status = rt_check_name(r, v);
        if (!status && v->kind != RT_YAML_MAPPING)
            status = rt_reader_fail(r, rt_yaml_is_null(v) ? v->key_place : v->place,
                                    "the variant '%.60s' must be a mapping, not %s; one that "
                                    "changes nothing is {}",
                                    v->key, rt_yaml_describe(v, found, sizeof found));
        if (!status) status = rt_check_keys(r, kind, v);
    }
    return status;
}

static routh_status check_words(rt_reader *r, const rt_yaml *node, const char *name)
{
    const rt_yaml *words;
    rt_word word;
    routh_status status = rt_read_mapping(r, node, name, &words);
    for (const rt_yaml *e = status ? NULL : rt_first_in(words); e && !status; e = e->next)
        status = rt_read_word(r, e, e->key, &word);
    return status;
}

static routh_status check_values(rt_reader *r, const rt_yaml *node, const char *name)
{
    char found[96];
    const rt_yaml *values;
    const routh_status status = rt_read_mapping(r, node, name, &values);
    for (const rt_yaml *e = status ? NULL : rt_first_in(values); e; e = e->next)
        if (e->kind != RT_YAML_SCALAR || rt_yaml_is_null(e) || !e->text[0])
            return rt_reader_fail(r, e->place, "'%.60s' must be a number or an expression, not %s",
                                  e->key, rt_yaml_describe(e, found, sizeof found));
    return status;
}

static routh_status check_of_part(rt_reader *r, const rt_yaml *v)
{
    const rt_yaml *file = rt_yaml_find(v, "file"), *variant = rt_yaml_find(v, "variant");
    rt_word word;
    routh_status status = file ? rt_read_word(r, file, "file", &word) : ROUTH_OK;
    if (!status && variant) status = rt_read_word(r, variant, "variant", &word);
    if (!status) status = check_values(r, v, "set");
    if (!status) status = check_values(r, v, "inputs");
    if (!status) status = check_words(r, v, "connect");
    return status ? status : check_words(r, v, "first");
}

static routh_status check_of_entry(rt_reader *r, const rt_yaml *node)
{
    const rt_yaml *variants = in_mapping(node, "variants"), *unread;
    routh_status status = check_list(r, variants, &rt_part_variant_section.kinds[0]);
    for (int k = 0; joined[k] && !status; k++)
        status = rt_read_mapping(r, node, joined[k], &unread);
    for (const rt_yaml *v = variants->first; v && !status; v = v->next)
        status = check_of_part(r, v);
    return status;
}

/* ---- one of a list --------------------------------------------------------------------------- */

/* what: ends in what has no such variant, "tyre.yaml". */
static routh_status variant_named(rt_reader *r, const rt_yaml *variants, rt_word word,
                                  const char *what, const rt_yaml **variant)
{
    char hint[128], all[500];
    *variant = in_mapping(variants, word.text);
    if (*variant) return ROUTH_OK;
    const char *const *names = rt_reader_keys(r, variants);
    if (!names) return rt_fail_memory(r->error);
    rt_did_you_mean(word.text, names, hint, sizeof hint);
    return rt_reader_fail(r, word.place, "%.300s has no variant '%.60s'%s%s%s", what, word.text,
                          hint, hint[0] ? " Its variants are " : "; its variants are ",
                          rt_join_words(names, all, sizeof all));
}

/* ---- who chooses ----------------------------------------------------------------------------- */

/* What the caller sets under this name; false: nothing. Of two settings the last one counts. */
static bool set_by_caller(rt_reader *r, const char *name, rt_word *word)
{
    bool found = false;
    for (size_t k = 0; k < r->n_settings; k++)
        if (r->settings[k].name && !strcmp(r->settings[k].name, name)) {
            *word = (rt_word){r->settings[k].value ? r->settings[k].value : "", (rt_place){0}};
            r->parts->taken[k] = found = true;
        }
    return found;
}

static bool set_by_mapping(const rt_yaml *mapping, const char *name, rt_word *word)
{
    const rt_yaml *e = in_mapping(mapping, name);
    if (e) *word = (rt_word){e->text, e->place};
    return e != NULL;
}

/* In an array a part's own choice goes before that of all. */
static routh_status choice_of_part(rt_reader *r, const rt_scope *outer, const rt_yaml *node,
                                   int position, rt_word *word)
{
    char all[520], one[540] = "";
    const rt_yaml *variant = rt_yaml_find(node, "variant");
    const rt_yaml *chosen = in_mapping(outer->variant, "parts");
    const size_t n = outer->length;
    snprintf(all, sizeof all, "%s%.100s", outer->prefix, node->key);
    if (position >= 0) snprintf(one, sizeof one, "%s.%d", all, position + 1);
    *word = (rt_word){0};
    const bool by_all = set_by_caller(r, all, word);
    const bool by_one = one[0] && set_by_caller(r, one, word);
    if (by_all || by_one) return ROUTH_OK;
    if (one[0] && set_by_mapping(chosen, one + n, word)) return ROUTH_OK;
    if (set_by_mapping(chosen, node->key, word) || !variant) return ROUTH_OK;
    return rt_read_word(r, variant, "variant", word);
}

bool rt_has_own_choice(rt_reader *r, const rt_scope *outer, const rt_yaml *node, int position)
{
    char name[540];
    rt_word word;
    snprintf(name, sizeof name, "%s%.100s.%d", outer->prefix, node->key, position + 1);
    return set_by_mapping(in_mapping(outer->variant, "parts"), name + outer->length, &word) ||
           set_by_caller(r, name, &word);
}

bool rt_may_have_own_choices(const rt_reader *r, const rt_scope *outer)
{
    return r->n_settings > 0 || in_mapping(outer->variant, "parts");
}

/* ---- an entry with its variant --------------------------------------------------------------- */

static rt_yaml **put_copy(rt_reader *r, rt_yaml *into, rt_yaml **end, const rt_yaml *of)
{
    rt_yaml *copy = RT_TAKE(&r->scratch, rt_yaml, 1);
    if (!copy) return NULL;
    *copy = *of;
    copy->next = NULL;
    *end = copy;
    into->count++;
    return &copy->next;
}

/* One mapping with the entries of both; where both have a name, that of `over`, and where it is a
 * mapping that is joined, in turn both. */
static rt_yaml *join_entries(rt_reader *r, const rt_yaml *node, const rt_yaml *over, bool fields)
{
    rt_yaml *out = RT_TAKE(&r->scratch, rt_yaml, 1), **end;
    if (!out) return NULL;
    *out = fields ? *node : *over;
    out->first = out->next = NULL;
    out->count = 0;
    end = &out->first;
    for (const rt_yaml *e = node->first; e && end; e = e->next) {
        const rt_yaml *other = rt_yaml_find(over, e->key), *of = other ? other : e;
        const bool both = fields && other && is_joined(e->key);
        if (fields && !strncmp(e->key, "variant", strlen("variant"))) continue;
        if (both) of = join_entries(r, e, other, false);
        end = of ? put_copy(r, out, end, of) : NULL;
    }
    for (const rt_yaml *e = over->first; e && end; e = e->next)
        if ((fields && !strcmp(e->key, "variant")) || !rt_yaml_find(node, e->key))
            end = put_copy(r, out, end, e);
    return end ? out : NULL;
}

static routh_status fail_no_file(rt_reader *r, const rt_yaml *node, rt_word word)
{
    char all[500];
    const char *const *names = rt_reader_keys(r, in_mapping(node, "variants"));
    if (!names) return rt_fail_memory(r->error);
    if (word.text)
        return rt_reader_fail(r, rt_yaml_find(in_mapping(node, "variants"), word.text)->key_place,
                              "file is missing: the variant '%.60s' has none, and the part has "
                              "none of its own",
                              word.text);
    return rt_reader_fail(r, node->key_place,
                          "file is missing: the part has none of its own, and none of its variants "
                          "is chosen; give `variant`, one of %s",
                          rt_join_words(names, all, sizeof all));
}

routh_status rt_choose_of_entry(rt_reader *r, const rt_scope *outer, const rt_yaml *node,
                                int position, const rt_yaml **with, rt_word *of_file)
{
    static const rt_yaml none = {.kind = RT_YAML_MAPPING};
    const rt_yaml *variants = in_mapping(node, "variants"), *variant = &none, *inner;
    char what[400];
    rt_word word;
    *with = node;
    routh_status status = choice_of_part(r, outer, node, position, &word);
    *of_file = word;
    if (status || !variants) return status;
    *of_file = (rt_word){0};
    status = check_of_entry(r, node);
    if (status) return status;
    snprintf(what, sizeof what, "the part in %.300s", file_of(r, outer));
    if (word.text) status = variant_named(r, variants, word, what, &variant);
    if (status) return status;
    inner = rt_yaml_find(variant, "variant");
    if (inner) *of_file = (rt_word){inner->text, inner->place};
    *with = join_entries(r, node, variant, true);
    if (!*with) return rt_fail_memory(r->error);
    return rt_yaml_find(*with, "file") ? ROUTH_OK : fail_no_file(r, node, word);
}

/* ---- variants of a file ---------------------------------------------------------------------- */

/* The entry of a part or, with its number behind a point, of an array; NULL: there is none. */
static const rt_yaml *entry_named(const rt_yaml *root, const char *name)
{
    const rt_yaml *parts = rt_section_of(root, "parts"), *entry = in_mapping(parts, name);
    const char *dot = strchr(name, '.');
    for (const rt_yaml *e = dot ? rt_first_in(parts) : NULL; e && !entry; e = e->next)
        if (strlen(e->key) == (size_t)(dot - name) &&
            !strncmp(e->key, name, (size_t)(dot - name)) && dot[1] >= '1' && dot[1] <= '9' &&
            !dot[1 + strspn(dot + 1, "0123456789")] && in_mapping(e, "count"))
            entry = e;
    return entry;
}

static routh_status check_chosen_part(rt_reader *r, const rt_yaml *root, const char *path,
                                      const rt_yaml *e)
{
    char hint[128], what[400];
    const rt_yaml *entry = entry_named(root, e->key), *variants = in_mapping(entry, "variants"),
                  *one;
    if (!entry) {
        const char *const *names = rt_reader_keys(r, rt_section_of(root, "parts"));
        if (!names) return rt_fail_memory(r->error);
        return rt_reader_fail(r, e->key_place, "%.200s has no part '%.60s'%s", path, e->key,
                              rt_did_you_mean(e->key, names, hint, sizeof hint));
    }
    if (!variants || variants->kind != RT_YAML_MAPPING) return ROUTH_OK;
    snprintf(what, sizeof what, "the part '%.60s'", entry->key);
    return variant_named(r, variants, (rt_word){e->text, e->place}, what, &one);
}

static routh_status check_of_file(rt_reader *r, const rt_yaml *root, const char *path,
                                  const rt_yaml *v)
{
    char hint[128];
    const rt_yaml *parameters = rt_section_of(root, "parameters");
    routh_status status = check_values(r, v, "set");
    if (!status) status = check_words(r, v, "parts");
    for (const rt_yaml *e = status ? NULL : rt_first_in(in_mapping(v, "set")); e; e = e->next) {
        if (in_mapping(parameters, e->key)) continue;
        const char *const *names = rt_reader_keys(r, parameters);
        if (!names) return rt_fail_memory(r->error);
        return rt_reader_fail(r, e->key_place, "%.200s has no parameter '%.60s'%s", path, e->key,
                              rt_did_you_mean(e->key, names, hint, sizeof hint));
    }
    for (const rt_yaml *e = status ? NULL : rt_first_in(in_mapping(v, "parts")); e && !status;
         e = e->next)
        status = check_chosen_part(r, root, path, e);
    return status;
}

routh_status rt_check_file_variants(rt_reader *r, const rt_yaml *root, const char *path)
{
    const rt_yaml *variants = rt_yaml_find(root, "variants"), *own = rt_yaml_find(root, "variant");
    if (!variants && own)
        return rt_reader_fail(r, own->key_place, "variant is given without variants; give both");
    if (!variants) return ROUTH_OK;
    routh_status status = check_list(r, variants, &rt_file_variant_section.kinds[0]);
    for (const rt_yaml *v = status ? NULL : variants->first; v && !status; v = v->next)
        status = check_of_file(r, root, path, v);
    return status;
}

routh_status rt_choose_of_file(rt_reader *r, const rt_yaml *root, const char *path, rt_word word,
                               const rt_yaml **variant)
{
    const rt_yaml *variants = rt_yaml_find(root, "variants"), *own = rt_yaml_find(root, "variant");
    *variant = NULL;
    if (!variants && word.text)
        return rt_reader_fail(r, word.place,
                              "the variant '%.60s' is asked for, and neither the part nor %.200s "
                              "has `variants`",
                              word.text, path);
    routh_status status = !word.text && own ? rt_read_word(r, own, "variant", &word) : ROUTH_OK;
    return status || !word.text ? status : variant_named(r, variants, word, path, variant);
}

/* ---- the model itself ------------------------------------------------------------------------ */

/* What a setting `variant` would mean must be clear. */
static routh_status check_own_name(rt_reader *r, const rt_yaml *root)
{
    static const char *const sections[] = {"parameters", "parts", NULL};
    for (int k = 0; sections[k]; k++) {
        const rt_yaml *e = in_mapping(rt_section_of(root, sections[k]), "variant");
        if (e)
            return rt_reader_fail(r, e->key_place,
                                  "'variant' under `%s` has the name by which a variant of the "
                                  "file is chosen; choose another",
                                  sections[k]);
    }
    return ROUTH_OK;
}

routh_status rt_choose_of_model(rt_reader *r, const rt_yaml *root, const rt_yaml **variant)
{
    rt_word word = {0};
    routh_status status = rt_check_file_variants(r, root, r->file);
    *variant = NULL;
    if (status || !rt_yaml_find(root, "variants")) return status;
    status = check_own_name(r, root);
    set_by_caller(r, "variant", &word);
    return status ? status : rt_choose_of_file(r, root, r->file, word, variant);
}

const rt_yaml *rt_value_of_variant(const rt_yaml *variant, const char *parameter)
{
    return in_mapping(in_mapping(variant, "set"), parameter);
}

routh_status rt_check_own_choices(rt_reader *r, const rt_scope *outer, const rt_yaml *node,
                                  int count)
{
    const size_t n = strlen(node->key);
    for (const rt_yaml *e = rt_first_in(in_mapping(outer->variant, "parts")); e; e = e->next) {
        if (strncmp(e->key, node->key, n) || e->key[n] != '.') continue;
        const long number = strlen(e->key + n + 1) < 8 ? strtol(e->key + n + 1, NULL, 10) : 0;
        if (number < 1 || number > count)
            return rt_reader_fail(r, e->key_place, "the array has no part '%.60s'; it has %d",
                                  e->key, count);
    }
    return ROUTH_OK;
}
