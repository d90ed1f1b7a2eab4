/* What an entry of `parts` says, and what its file must have for it. */
#include "model/parts.h"

#include <string.h>

#include "base/suggest.h"
#include "model/read_values.h"

/* ---- what an entry of `parts` says ----------------------------------------------------------- */

/* Keys that are not among those of the other mapping. */
static routh_status check_keys(rt_reader *r, const rt_yaml *given, const rt_yaml *known,
                               const char *what, const char *path)
{
    char hint[128];
    for (const rt_yaml *e = rt_first_in(given); e; e = e->next) {
        if (known && rt_yaml_find(known, e->key)) continue;
        const char *const *names = rt_reader_keys(r, known);
        if (!names) return rt_fail_memory(r->error);
        return rt_reader_fail(r, e->key_place, "%.200s has no %s '%.60s'%s", path, what, e->key,
                              rt_did_you_mean(e->key, names, hint, sizeof hint));
    }
    return ROUTH_OK;
}

static bool is_port(const rt_yaml *ports, const char *name)
{
    for (const rt_yaml *e = rt_first_in(ports); e; e = e->next)
        if (!strcmp(e->text, name)) return true;
    return false;
}

static routh_status check_connect(rt_reader *r, const rt_part_entry *p, const rt_yaml *given)
{
    char found[96], hint[128];
    for (const rt_yaml *e = rt_first_in(given); e; e = e->next) {
        if (!is_port(p->ports, e->key)) {
            const int n = p->ports ? p->ports->count : 0;
            const char **names = RT_TAKE(&r->scratch, const char *, n + 1);
            int k = 0;
            if (!names) return rt_fail_memory(r->error);
            for (const rt_yaml *port = rt_first_in(p->ports); port; port = port->next)
                names[k++] = port->text;
            return rt_reader_fail(r, e->key_place, "%.200s has no connection '%.60s'%s",
                                  p->file->path, e->key,
                                  rt_did_you_mean(e->key, names, hint, sizeof hint));
        }
        if (e->kind != RT_YAML_SCALAR || rt_yaml_is_null(e) || !e->text[0])
            return rt_reader_fail(r, e->place,
                                  "a connection is made to a body or marker by its name, not to %s",
                                  rt_yaml_describe(e, found, sizeof found));
    }
    return ROUTH_OK;
}

/* Every connection has something it is connected to. */
static routh_status check_ports(rt_reader *r, const rt_part_entry *p)
{
    for (const rt_yaml *port = rt_first_in(p->ports); port; port = port->next)
        if (!p->connect || !rt_yaml_find(p->connect, port->text))
            return rt_reader_fail(r, p->node->key_place,
                                  "the connection '%.60s' of %.200s is not connected; name a body "
                                  "or marker for it: connect: {%.60s: ..}",
                                  port->text, p->file->path, port->text);
    return ROUTH_OK;
}

/* Lists of names in a part file: connections, exports. */
static routh_status check_name_list(rt_reader *r, const rt_yaml *list, const char *what)
{
    char found[96];
    if (list && list->kind != RT_YAML_LIST)
        return rt_reader_fail(r, list->place, "%s must be a list of names, not %s", what,
                              rt_yaml_describe(list, found, sizeof found));
    for (const rt_yaml *e = rt_first_in(list); e; e = e->next)
        if (e->kind != RT_YAML_SCALAR || !e->text[0])
            return rt_reader_fail(r, e->place, "%s must be a list of names; one is %s", what,
                                  rt_yaml_describe(e, found, sizeof found));
    return ROUTH_OK;
}

/* A word that becomes a name of the file's: as those of its bodies. */
static routh_status check_new_name(rt_reader *r, const rt_yaml *word)
{
    rt_yaml entry = *word;
    entry.key = word->text;
    entry.key_place = word->place;
    return rt_check_quantity_name(r, &entry);
}

static routh_status check_connections(rt_reader *r, const rt_yaml *list)
{
    routh_status status = check_name_list(r, list, "connections");
    for (const rt_yaml *e = status ? NULL : rt_first_in(list); e && !status; e = e->next) {
        status = check_new_name(r, e);
        for (const rt_yaml *before = list->first; before != e && !status; before = before->next)
            if (!strcmp(before->text, e->text))
                status =
                    rt_reader_fail(r, e->place, "the connection '%.60s' is named twice", e->text);
    }
    return status;
}

static routh_status check_cycle(rt_reader *r, const rt_part_entry *p)
{
    for (const rt_scope *s = p->outer; s; s = s->outer)
        if (s->file && !strcmp(s->file->real, p->file->real)) {
            const int n = s->length > 1 ? (int)(s->length - 1 < 100 ? s->length - 1 : 100) : 0;
            return rt_reader_fail(r, p->node->place,
                                  "%.200s is a part of itself, through part '%.*s'; a part "
                                  "cannot be in its own file",
                                  p->file->path, n, s->prefix);
        }
    return ROUTH_OK;
}

/* What rotates the parts of an array against each other: these fields need one another too, which
 * is all that their table can say. */
static routh_status check_array_rotation(rt_reader *r, const rt_yaml *node)
{
    static const char *const of_arrays[] = {"axis", "angle", "about", NULL};
    for (int k = 0; of_arrays[k]; k++) {
        const rt_yaml *given = rt_yaml_find(node, of_arrays[k]);
        if (given && !rt_yaml_find(node, "count"))
            return rt_reader_fail(r, given->key_place,
                                  "%s is given without count; it rotates the parts of an array "
                                  "against each other, and one part is rotated by orientation: "
                                  "{axis: [0, 0, 1], angle: 30 deg}",
                                  of_arrays[k]);
    }
    return ROUTH_OK;
}

static routh_status read_count(rt_reader *r, const rt_yaml *node, rt_part_entry *p)
{
    const rt_yaml *count = rt_yaml_find(node, "count"), *index = rt_yaml_find(node, "index");
    routh_status status = ROUTH_OK;
    rt_word word;
    if (count) {
        const char *text = count->kind == RT_YAML_SCALAR ? count->text : "";
        if (text[0] == '\0' || text[strspn(text, "0123456789.eE+-")] != '\0')
            return rt_reader_fail(r, count->place,
                                  "count must be a whole number written out, such as 12: parts are "
                                  "made before parameters have values");
        status = rt_read_count(r, count, "count", RT_POSITIVE, &p->count);
    }
    if (!status && index) {
        status = rt_read_word(r, index, "index", &word);
        if (!status) status = check_new_name(r, index);
        if (!status) p->index = word.text;
    }
    return status;
}

static routh_status read_mirror(rt_reader *r, const rt_yaml *node, rt_part_entry *p)
{
    const rt_yaml *mirror = rt_yaml_find(node, "mirror");
    const rt_kind *kind = &rt_part_section.kinds[0];
    p->mirror = -1;
    for (int k = 0; k < kind->n_fields && mirror; k++)
        if (!strcmp(kind->fields[k].name, "mirror"))
            return rt_read_choice(r, mirror, &kind->fields[k], &p->mirror);
    return ROUTH_OK;
}

static routh_status check_file(rt_reader *r, const rt_part_entry *p)
{
    char found[96];
    const rt_yaml *root = p->file->root;
    if (root->kind != RT_YAML_MAPPING)
        return rt_reader_fail(r, root->place, "a part file must be a mapping, not %s",
                              rt_yaml_describe(root, found, sizeof found));
    routh_status status = rt_check_keys(r, &rt_model_kind, root);
    if (!status) status = rt_check_file_variants(r, root, p->file->path);
    for (int k = 0; rt_part_sections[k] && !status; k++) {
        const rt_yaml *section;
        status = rt_read_mapping(r, root, rt_part_sections[k], &section);
    }
    if (!status) status = check_connections(r, rt_yaml_find(root, "connections"));
    return status ? status : check_name_list(r, rt_yaml_find(root, "exports"), "exports");
}

/* ---- exports that are there ------------------------------------------------------------------ */

static routh_status check_exports(rt_reader *r, const rt_part_entry *p)
{
    for (const rt_yaml *e = rt_first_in(rt_yaml_find(p->file->root, "exports")); e; e = e->next)
        if (!rt_part_has(p->file->root, e->text, strcspn(e->text, ".")))
            return rt_reader_fail(r, e->place, "the file exports '%.60s', which it does not have",
                                  e->text);
    return ROUTH_OK;
}

/* ---- the entry ------------------------------------------------------------------------------- */

routh_status rt_read_part_entry(rt_reader *r, const rt_yaml *node, const rt_scope *outer,
                                int position, rt_part_entry *p)
{
    rt_word word, variant = {0};
    *p = (rt_part_entry){.node = node, .outer = outer};
    routh_status status = rt_check_quantity_name(r, node);
    if (!status) status = rt_check_fields(r, &rt_part_section.kinds[0], node);
    if (!status) status = rt_choose_of_entry(r, outer, node, position, &p->node, &variant);
    if (!status && p->node != node) status = rt_check_fields(r, &rt_part_section.kinds[0], p->node);
    node = p->node;
    const rt_yaml *file = status ? NULL : rt_yaml_find(node, "file");
    if (!status) status = rt_read_word(r, file, "file", &word);
    if (!status) status = rt_find_part_file(r, outer, file, &p->file);
    if (!status) status = check_cycle(r, p);
    if (!status) status = check_file(r, p);
    if (!status) status = rt_choose_of_file(r, p->file->root, p->file->path, variant, &p->variant);
    if (!status) status = check_array_rotation(r, node);
    if (!status) status = read_mirror(r, node, p);
    if (!status) status = read_count(r, node, p);
    if (!status) status = rt_read_mapping(r, node, "set", &p->set);
    if (!status) status = rt_read_mapping(r, node, "connect", &p->connect);
    if (!status) status = rt_read_mapping(r, node, "first", &p->first);
    if (!status) status = rt_read_mapping(r, node, "inputs", &p->inputs);
    if (status) return status;
    const rt_yaml *root = p->file->root;
    p->ports = rt_yaml_find(root, "connections");
    p->placed = rt_yaml_find(node, "at") || rt_yaml_find(node, "orientation") ||
                rt_yaml_find(node, "step") || rt_yaml_find(node, "axis");
    status = check_keys(r, p->set, rt_section_of(root, "parameters"), "parameter", p->file->path);
    if (!status)
        status = check_keys(r, p->inputs, rt_section_of(root, "inputs"), "input", p->file->path);
    if (!status) status = check_connect(r, p, p->connect);
    if (!status) status = check_connect(r, p, p->first);
    if (!status) status = check_ports(r, p);
    return status ? status : check_exports(r, p);
}
