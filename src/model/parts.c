/* Parts written out: the sections of all part files in one tree, before anything of them is read.
 *
 * An entry of a part file becomes an entry of the model under its whole name. What is in it stays
 * the part file's, shared by all parts made of it, and its names mean what the entry's scope says.
 */
#include "model/parts.h"

#include <stdio.h>
#include <string.h>

enum { MOST_DEEP = 32, MOST_PARTS = 1000000, LONGEST_PREFIX = 200 };

/* Places among rt_part_sections. */
enum { PARAMETERS = 0, MARKERS = 3, INPUTS = 6, VARIABLES = 8, SECTIONS = 11 };

typedef struct expansion {
    rt_reader *r;
    rt_part_set *set;
    rt_yaml *section[SECTIONS];
    rt_yaml *last[SECTIONS];
    rt_yaml *ground; /* the fields of a marker on the ground */
    int depth;
    int n_nodes;
} expansion;

static void part_element(rt_reader *r, const rt_scope *outer, const char *name)
{
    char full[LONGEST_PREFIX + 120];
    snprintf(full, sizeof full, "%s%.100s", outer->prefix, name);
    rt_reader_element(r, "part", full);
}

/* ---- what is added --------------------------------------------------------------------------- */

static routh_status add_entry(expansion *x, int k, const rt_yaml *of, const char *key,
                              const rt_scope *scope)
{
    if (x->n_nodes++ >= RT_YAML_COUNT_LIMIT)
        return rt_reader_fail(x->r, of->key_place,
                              "the parts have more than 10 million entries, the most that is read");
    rt_yaml *entry = RT_TAKE(&x->r->scratch, rt_yaml, 1);
    if (!entry) return rt_fail_memory(x->r->error);
    if (!x->section[k]) {
        rt_yaml *section = x->section[k] = RT_TAKE(&x->r->scratch, rt_yaml, 1);
        if (!section) return rt_fail_memory(x->r->error);
        section->kind = RT_YAML_MAPPING;
        section->key = rt_part_sections[k];
        section->place = section->key_place = of->key_place;
    }
    *entry = *of;
    entry->key = key;
    entry->scope = scope;
    entry->next = NULL;
    if (x->last[k])
        x->last[k]->next = entry;
    else
        x->section[k]->first = entry;
    x->last[k] = entry;
    x->section[k]->count++;
    return ROUTH_OK;
}

static const char *whole_name(expansion *x, const char *prefix, size_t length, const char *name)
{
    const size_t n = strlen(name);
    char *text = rt_arena_take(&x->r->scratch, length + n + 1, 1);
    if (!text) return NULL;
    memcpy(text, prefix, length);
    memcpy(text + length, name, n + 1);
    return text;
}

/* ---- names that clash ------------------------------------------------------------------------ */

/* A part's name is that of nothing else in its file: then all whole names are different. */
static routh_status check_clashes(expansion *x, const rt_yaml *root, const rt_scope *scope)
{
    const rt_yaml *parts = rt_section_of(root, "parts");
    rt_names names;
    int n = 0;
    if (!parts || !rt_names_init(&names, parts->count, &x->r->scratch))
        return parts ? rt_fail_memory(x->r->error) : ROUTH_OK;
    for (const rt_yaml *e = parts->first; e; e = e->next) rt_names_add(&names, e->key, n++);
    for (int k = 0; rt_part_sections[k]; k++)
        for (const rt_yaml *e = rt_first_in(rt_section_of(root, rt_part_sections[k])); e;
             e = e->next) {
            if (rt_names_find(&names, e->key) < 0) continue;
            part_element(x->r, scope, e->key);
            return rt_reader_fail(x->r, e->key_place,
                                  "the name '%.60s' is that of a part and of one of the %s; "
                                  "choose another for one of them",
                                  e->key, rt_part_sections[k]);
        }
    for (const rt_yaml *port = rt_first_in(rt_yaml_find(root, "connections")); port;
         port = port->next) {
        const bool clash = rt_part_has(root, port->text, strlen(port->text));
        if (!clash) continue;
        part_element(x->r, scope, "");
        return rt_reader_fail(x->r, port->place,
                              "the connection '%.60s' has the name of something in the file; "
                              "choose another",
                              port->text);
    }
    return ROUTH_OK;
}

/* ---- one part -------------------------------------------------------------------------------- */

static routh_status add_instance(expansion *x, const rt_scope *scope)
{
    rt_part_set *set = x->set;
    if (set->n >= MOST_PARTS)
        return rt_reader_fail(x->r, scope->entry->key_place,
                              "the model has more than a million parts");
    if (set->n == set->room) {
        const int room = set->room ? 4 * set->room : 64;
        const rt_scope **scopes = RT_TAKE(&x->r->scratch, const rt_scope *, room);
        if (!scopes || !rt_names_init(&set->instances, room, &x->r->scratch))
            return rt_fail_memory(x->r->error);
        if (set->n) memcpy(scopes, set->scopes, (size_t)set->n * sizeof *scopes);
        set->scopes = scopes;
        set->room = room;
        for (int k = 0; k < set->n; k++) {
            const char *name = whole_name(x, scopes[k]->prefix, scopes[k]->length - 1, "");
            if (!name) return rt_fail_memory(x->r->error);
            rt_names_add(&set->instances, name, k);
        }
    }
    const char *name = whole_name(x, scope->prefix, scope->length - 1, "");
    if (!name) return rt_fail_memory(x->r->error);
    set->scopes[set->n] = scope;
    rt_names_add(&set->instances, name, set->n++);
    return ROUTH_OK;
}

/* The name behind "previous." of the part before, which must export it; NULL: no such part. */
static routh_status connect_previous(expansion *x, const rt_part_entry *p, const rt_yaml *to,
                                     const rt_scope *before, const char **full)
{
    char name[LONGEST_PREFIX + 120], problem[256];
    rt_reader *r = x->r;
    if (!before)
        return rt_reader_fail(r, to->place,
                              "'%.60s': the first part of an array has none before it; say what "
                              "it is connected to: first: {%.60s: ..}",
                              to->text, to->key);
    snprintf(name, sizeof name, "%.*s%.100s", (int)(before->length - p->outer->length),
             before->prefix + p->outer->length, to->text + strlen("previous."));
    r->scope = p->outer;
    const char *found = rt_full_name(r, name, problem);
    r->scope = NULL;
    if (!found) return rt_reader_fail(r, to->place, "%s: %.250s", to->key, problem);
    *full = whole_name(x, found, strlen(found), "");
    return *full ? ROUTH_OK : rt_fail_memory(r->error);
}

static routh_status connect_port(expansion *x, const rt_part_entry *p, const rt_yaml *port,
                                 const rt_scope *before, rt_port *out)
{
    char problem[256];
    rt_reader *r = x->r;
    const rt_yaml *to = rt_yaml_find(p->connect, port->text);
    const rt_yaml *first = before || !p->first ? NULL : rt_yaml_find(p->first, port->text);
    if (first) to = first;
    out->name = port->text;
    if (p->count && !strncmp(to->text, "previous.", strlen("previous.")))
        return connect_previous(x, p, to, before, &out->full);
    r->scope = p->outer;
    const char *found = rt_full_name(r, to->text, problem);
    r->scope = NULL;
    if (!found) return rt_reader_fail(r, to->place, "%s: %.250s", to->key, problem);
    out->full = whole_name(x, found, strlen(found), "");
    return out->full ? ROUTH_OK : rt_fail_memory(r->error);
}

static routh_status connect_ports(expansion *x, const rt_part_entry *p, const rt_scope *before,
                                  rt_scope *scope)
{
    const int n = p->ports ? p->ports->count : 0;
    rt_port *ports = RT_TAKE(&x->r->scratch, rt_port, n);
    routh_status status = ports ? ROUTH_OK : rt_fail_memory(x->r->error);
    int k = 0;
    for (const rt_yaml *port = rt_first_in(p->ports); port && !status; port = port->next)
        status = connect_port(x, p, port, before, &ports[k++]);
    scope->ports = ports;
    scope->n_ports = n;
    return status;
}

/* The scope in which the numbers of an array's part are read: with the index. */
static const rt_scope *calling_scope(expansion *x, const rt_part_entry *p, int position)
{
    if (!p->index) return p->outer;
    rt_scope *scope = RT_TAKE(&x->r->scratch, rt_scope, 1);
    if (!scope) return NULL;
    *scope = *p->outer;
    scope->index = p->index;
    scope->index_value = position + 1;
    return scope;
}

static routh_status make_prefix(expansion *x, const rt_part_entry *p, int position, rt_scope *scope)
{
    char text[LONGEST_PREFIX + 140];
    const int n = p->count
                      ? snprintf(text, sizeof text, "%s%.100s.%d.", p->outer->prefix, p->node->key,
                                 position + 1)
                      : snprintf(text, sizeof text, "%s%.100s.", p->outer->prefix, p->node->key);
    if (n > LONGEST_PREFIX)
        return rt_reader_fail(x->r, p->node->key_place,
                              "the whole name is longer than %d letters; shorten names, or nest "
                              "parts less deep",
                              (int)LONGEST_PREFIX);
    scope->prefix = rt_arena_text(&x->r->scratch, text, (size_t)n);
    scope->length = (size_t)n;
    return scope->prefix ? ROUTH_OK : rt_fail_memory(x->r->error);
}

/* A frame of its own has a marker on the ground, unless nothing of the part speaks of it. */
static routh_status add_ground(expansion *x, const rt_part_entry *p, rt_scope *scope)
{
    scope->ground = p->outer->ground;
    if ((!p->placed && !scope->outer->ground) || !p->file->of_ground) {
        return ROUTH_OK;
    }
    if (!p->placed) return ROUTH_OK;
    const char *name = whole_name(x, scope->prefix, scope->length - 1, "@ground");
    if (!name) return rt_fail_memory(x->r->error);
    scope->ground = name;
    x->ground->place = x->ground->key_place = p->node->key_place;
    return add_entry(x, MARKERS, x->ground, name, scope);
}

/* An entry with what is given in place of its own, as it is read in `in`. */
static routh_status add_given(expansion *x, int k, const rt_yaml *given, const rt_scope *in,
                              const rt_yaml *own, const char *key, const rt_scope *scope)
{
    rt_replaced *replaced = RT_TAKE(&x->r->scratch, rt_replaced, 1);
    const routh_status status =
        replaced ? add_entry(x, k, given, key, in) : rt_fail_memory(x->r->error);
    if (status) return status;
    *replaced = (rt_replaced){own, scope};
    x->last[k]->replaces = replaced;
    return ROUTH_OK;
}

/* A parameter, with the value that the file's variant gives it. */
static routh_status add_parameter(expansion *x, const rt_yaml *own, const char *key,
                                  const rt_yaml *variant, const rt_scope *scope)
{
    const rt_yaml *given = rt_value_of_variant(variant, own->key);
    return given ? add_given(x, PARAMETERS, given, scope, own, key, scope)
                 : add_entry(x, PARAMETERS, own, key, scope);
}

static routh_status add_sections(expansion *x, const rt_part_entry *p, const rt_scope *scope)
{
    routh_status status = ROUTH_OK;
    for (int k = 0; rt_part_sections[k] && !status; k++)
        for (const rt_yaml *e = rt_first_in(rt_section_of(p->file->root, rt_part_sections[k]));
             e && !status; e = e->next) {
            const rt_yaml *given = k == PARAMETERS && p->set  ? rt_yaml_find(p->set, e->key)
                                   : k == INPUTS && p->inputs ? rt_yaml_find(p->inputs, e->key)
                                                              : NULL;
            const char *key = whole_name(x, scope->prefix, scope->length, e->key);
            if (!key) return rt_fail_memory(x->r->error);
            if (given)
                status =
                    add_given(x, k == INPUTS ? VARIABLES : k, given, scope->called, e, key, scope);
            else
                status = k == PARAMETERS ? add_parameter(x, e, key, p->variant, scope)
                                         : add_entry(x, k, e, key, scope);
            if (!status && given && k == INPUTS) x->last[VARIABLES]->of_input = true;
        }
    return status;
}

static routh_status expand_all(expansion *x, const rt_scope *scope, const rt_yaml *root);

static routh_status expand_part(expansion *x, const rt_part_entry *p, int position,
                                const rt_scope *before, const rt_scope **made)
{
    rt_scope *scope = RT_TAKE(&x->r->scratch, rt_scope, 1);
    if (!scope) return rt_fail_memory(x->r->error);
    *made = scope;
    scope->outer = p->outer;
    scope->file = p->file;
    scope->entry = p->node;
    scope->variant = p->variant;
    scope->position = position;
    for (int k = 0; k < 3; k++) scope->D[k] = p->outer->D[k] * (k == p->mirror ? -1 : 1);
    for (int k = 0; k < 3; k++) scope->mirrored = scope->mirrored || scope->D[k] < 0;
    scope->called = calling_scope(x, p, position);
    if (!scope->called) return rt_fail_memory(x->r->error);
    routh_status status = make_prefix(x, p, position, scope);
    if (!status) status = connect_ports(x, p, before, scope);
    if (!status) status = add_instance(x, scope);
    if (!status) status = add_ground(x, p, scope);
    if (!status) status = add_sections(x, p, scope);
    return status ? status : expand_all(x, scope, p->file->root);
}

static routh_status expand_entry(expansion *x, const rt_scope *outer, const rt_yaml *node)
{
    rt_part_entry all, one;
    const rt_scope *scope = NULL;
    part_element(x->r, outer, node->key);
    routh_status status = rt_read_part_entry(x->r, node, outer, -1, &all);
    const bool own = all.count && rt_may_have_own_choices(x->r, outer);
    if (!status && own) status = rt_check_own_choices(x->r, outer, node, all.count);
    for (int k = 0; k < (all.count ? all.count : 1) && !status; k++) {
        const rt_part_entry *p = &all;
        part_element(x->r, outer, node->key);
        if (own && rt_has_own_choice(x->r, outer, node, k)) {
            status = rt_read_part_entry(x->r, node, outer, k, &one);
            p = &one;
        }
        if (!status) status = expand_part(x, p, k, scope, &scope);
    }
    return status;
}

static routh_status expand_all(expansion *x, const rt_scope *scope, const rt_yaml *root)
{
    routh_status status = check_clashes(x, root, scope);
    if (!status && ++x->depth > MOST_DEEP)
        status =
            rt_reader_fail(x->r, root->place, "parts are nested more than %d deep", (int)MOST_DEEP);
    for (const rt_yaml *e = rt_first_in(rt_section_of(root, "parts")); e && !status; e = e->next)
        status = expand_entry(x, scope, e);
    x->depth--;
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* The model's own entries, then those of parts; what is no section of things stays. */
static routh_status write_flat(expansion *x, const rt_yaml *root, const rt_yaml **flat)
{
    rt_yaml *out = RT_TAKE(&x->r->scratch, rt_yaml, 1), **end;
    if (!out) return rt_fail_memory(x->r->error);
    *out = *root;
    out->first = NULL;
    end = &out->first;
    for (const rt_yaml *e = root->first; e; e = e->next) {
        bool ours = false;
        for (int k = 0; rt_part_sections[k]; k++)
            ours = ours || !strcmp(e->key, rt_part_sections[k]);
        if (ours) continue;
        rt_yaml *copy = RT_TAKE(&x->r->scratch, rt_yaml, 1);
        if (!copy) return rt_fail_memory(x->r->error);
        *copy = *e;
        copy->next = NULL;
        *end = copy;
        end = &copy->next;
    }
    for (int k = 0; rt_part_sections[k]; k++)
        if (x->section[k]) *end = x->section[k], end = &x->section[k]->next;
    *flat = out;
    return ROUTH_OK;
}

/* The model's sections as they are, to be added to. */
static routh_status copy_sections(expansion *x, const rt_yaml *root)
{
    routh_status status = ROUTH_OK;
    for (int k = 0; rt_part_sections[k] && !status; k++) {
        const rt_yaml *section;
        status = rt_read_mapping(x->r, root, rt_part_sections[k], &section);
        if (status || !section) continue;
        rt_yaml *copy = x->section[k] = RT_TAKE(&x->r->scratch, rt_yaml, 1);
        if (!copy) return rt_fail_memory(x->r->error);
        *copy = *section;
        copy->first = copy->next = NULL;
        copy->count = 0;
        for (const rt_yaml *e = section->first; e && !status; e = e->next)
            status = k == PARAMETERS ? add_parameter(x, e, e->key, x->set->model.variant, NULL)
                                     : add_entry(x, k, e, e->key, NULL);
    }
    return status;
}

static bool make_ground(expansion *x)
{
    rt_yaml *marker = RT_TAKE(&x->r->scratch, rt_yaml, 1);
    rt_yaml *body = RT_TAKE(&x->r->scratch, rt_yaml, 1);
    if (!marker || !body) return false;
    *body = (rt_yaml){.kind = RT_YAML_SCALAR, .key = "body", .text = "ground"};
    *marker = (rt_yaml){.kind = RT_YAML_MAPPING, .count = 1, .first = body};
    x->ground = marker;
    return true;
}

routh_status rt_expand_parts(rt_reader *r, const rt_yaml *root, const rt_yaml **flat)
{
    *flat = root;
    if (root->kind != RT_YAML_MAPPING) return ROUTH_OK;
    const rt_yaml *parts, *connections = rt_yaml_find(root, "connections");
    if (connections)
        return rt_reader_fail(r, connections->key_place,
                              "a file with connections is a part, to be used under `parts` of "
                              "another file");
    routh_status status = rt_read_mapping(r, root, "parts", &parts);
    if (status || (!parts && !rt_yaml_find(root, "variants"))) return status;
    rt_part_set *set = r->parts = RT_TAKE(&r->scratch, rt_part_set, 1);
    if (!set || !rt_names_init(&set->instances, 0, &r->scratch)) return rt_fail_memory(r->error);
    set->model = (rt_scope){.prefix = "", .D = {1, 1, 1}};
    set->taken = RT_TAKE(&r->scratch, bool, r->n_settings);
    if (!set->taken) return rt_fail_memory(r->error);
    status = rt_choose_of_model(r, root, &set->model.variant);
    if (status) return status;
    expansion x = {.r = r, .set = set};
    if (!make_ground(&x)) return rt_fail_memory(r->error);
    status = copy_sections(&x, root);
    if (!status) status = expand_all(&x, &set->model, root);
    if (!status) status = rt_check_connections(r, (const rt_yaml *const *)x.section);
    rt_reader_element(r, "", "");
    return status ? status : write_flat(&x, root, flat);
}
