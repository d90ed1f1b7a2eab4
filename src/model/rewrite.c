/* A model file with other values of its parameters, all else as it stands, but for the names of
 * files where the text goes into another folder. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/folder.h"
#include "base/text.h"
#include "model/fields.h"
#include "model/model.h"
#include "model/rewrite_units.h"
#include "model/rewrite_variants.h"
#include "model/yaml.h"

/* A piece of the file and what comes in its place. */
typedef struct rewrite_change {
    size_t begin, end;
    const char *value;
} rewrite_change;

static size_t offset_of(const rt_file *file, rt_place place)
{
    size_t at = 0;
    for (int line = 1; line < place.line && at < file->length; at++)
        line += file->bytes[at] == '\n';
    for (int column = 1; column < place.column && at < file->length; column++) do
            at++; /* a character of several bytes is one column */
        while (at < file->length && ((unsigned char)file->bytes[at] & 0xC0) == 0x80);
    return at;
}

/* Where the scalar that begins there ends; 0: it is not all on this line. */
static size_t rewrite_end_of(const rt_file *file, size_t begin, const rt_yaml *node)
{
    const char quote = node->quoted ? file->bytes[begin] : '\0';
    const size_t length = strlen(node->text);
    if (!node->quoted)
        return begin + length <= file->length &&
                       memcmp(file->bytes + begin, node->text, length) == 0
                   ? begin + length
                   : 0;
    if (quote != '"' && quote != '\'') return 0;
    for (size_t at = begin + 1; at < file->length && file->bytes[at] != '\n'; at++) {
        const bool pair = quote == '\'' && file->bytes[at] == quote && at + 1 < file->length &&
                          file->bytes[at + 1] == quote;
        if (pair || (quote == '"' && file->bytes[at] == '\\'))
            at++;
        else if (file->bytes[at] == quote)
            return at + 1;
    }
    return 0;
}

/* What is written in the place of a scalar; `what` and its name for messages. */
static routh_status place_change(const rt_file *file, const char *path, const rt_yaml *node,
                                 const char *value, const char *what, rewrite_change *c,
                                 routh_error *error)
{
    c->value = value;
    c->begin = offset_of(file, node->place);
    c->end = c->begin < file->length ? rewrite_end_of(file, c->begin, node) : 0;
    return c->end ? ROUTH_OK
                  : rt_fail_at(error, ROUTH_NOT_SUPPORTED, path, node->place, NULL,
                               "the value of '%.60s' is not written on one line, and so no other "
                               "is put in its place",
                               what);
}

static const rt_yaml *find_in(const rt_yaml *node, const char *name)
{
    return node && node->kind == RT_YAML_MAPPING ? rt_yaml_find(node, name) : NULL;
}

/* The entry of a section that a setting such as crank.angle begins with; NULL: there is none. */
static const rt_yaml *find_owner(const rt_yaml *root, const char *section, const char *name)
{
    const rt_yaml *all = find_in(root, section);
    const char *dot = strrchr(name, '.');
    const rt_yaml *owner = all && all->kind == RT_YAML_MAPPING && dot ? all->first : NULL;
    for (; owner; owner = owner->next)
        if (strlen(owner->key) == (size_t)(dot - name) &&
            !strncmp(owner->key, name, (size_t)(dot - name)))
            return owner;
    return NULL;
}

/* A value that a mapping `set` has, of the variant before that of the part or file itself. */
static const rt_yaml *find_set(const rt_yaml *variant, const rt_yaml *own, const char *name)
{
    const rt_yaml *node = find_in(find_in(variant, "set"), name);
    return node ? node : find_in(own, name);
}

/* Where the value of a setting is written: a parameter, a field of a joint, what a part sets;
 * NULL: nowhere. */
static const rt_yaml *find_value(const rt_choices *c, const char *name)
{
    const char *dot = strrchr(name, '.');
    const rt_yaml *parameters = find_in(c->root, "parameters"), *part;
    const rt_yaml *node = find_in(parameters, name);
    if (node) node = find_set(rt_variant_of_file(c), parameters, name);
    if (node || !dot) return node;
    node = find_in(find_owner(c->root, "joints", name), dot + 1);
    part = find_owner(c->root, "parts", name);
    if (node || !part) return node;
    return find_set(rt_variant_of_part(c, part), find_in(part, "set"), dot + 1);
}

static routh_status refuse_unwritten(const char *path, const rt_yaml *root, const char *name,
                                     routh_error *error)
{
    const rt_yaml *section = find_in(root, "parameters"), *part = find_owner(root, "parts", name);
    char element[96];
    snprintf(element, sizeof element, "part %.80s", part ? part->key : "");
    if (part)
        return rt_fail_at(error, ROUTH_MODEL_ERROR, path, part->place, element,
                          "its `set` has no '%.60s' whose value could be written; put one there, "
                          "such as that of the part's file",
                          strrchr(name, '.') + 1);
    return rt_fail_at(error, ROUTH_MODEL_ERROR, path, section ? section->place : root->place, NULL,
                      "the file has no parameter '%.60s' to write", name);
}

/* Where it is written, and that it means the same there. */
static routh_status find_written(const char *path, const rt_choices *c,
                                 const routh_setting *setting, const rt_yaml **node,
                                 routh_error *error)
{
    const rt_yaml *root = c->root;
    if (rt_is_choice(c, setting)) return rt_find_written_choice(c, path, setting, node, error);
    *node = find_value(c, setting->name);
    if (!*node || (*node)->kind != RT_YAML_SCALAR)
        return refuse_unwritten(path, root, setting->name, error);
    const rt_yaml *part = find_owner(root, "parts", setting->name);
    const bool of_part = !find_in(find_in(root, "parameters"), setting->name) &&
                         !find_owner(root, "joints", setting->name) && part;
    return of_part ? rt_check_written_units(path, root, part, rt_field_of_part(c, part, "file"),
                                            setting, error)
                   : ROUTH_OK;
}

static routh_status find_change(const rt_file *file, const char *path, const rt_choices *choices,
                                const routh_setting *setting, rt_arena *arena, rewrite_change *c,
                                routh_error *error)
{
    const rt_yaml *node = NULL;
    const char *value = setting->value;
    if (!setting->name || !setting->value)
        return rt_fail(error, ROUTH_BAD_ARGUMENT, "a setting needs a name and a value, not NULL");
    routh_status status = find_written(path, choices, setting, &node, error);
    if (!status) status = rt_write_in_unit(choices->root, node->text, &value, arena, error);
    return status ? status : place_change(file, path, node, value, setting->name, c, error);
}

/* Of two settings of the same parameter the last one counts. */
static routh_status add_change(const rt_file *file, const char *path, const rt_choices *choices,
                               const routh_setting *setting, rt_arena *arena,
                               rewrite_change *changes, size_t *n, routh_error *error)
{
    rewrite_change *c = &changes[*n];
    const routh_status status = find_change(file, path, choices, setting, arena, c, error);
    if (status) return status;
    for (size_t k = 0; k < *n; k++)
        if (changes[k].begin == c->begin) {
            changes[k] = *c;
            return ROUTH_OK;
        }
    ++*n;
    return ROUTH_OK;
}

/* ---- names of files -------------------------------------------------------------------------- */

static bool names_file(const rt_section *section, const char *type, const char *field)
{
    for (int k = 0; k < section->n_kinds; k++) {
        const rt_kind *kind = rt_section_kind(section, k);
        for (int f = 0; f < kind->n_fields; f++)
            if (kind->fields[f].file && strcmp(kind->name, type) == 0 &&
                strcmp(kind->fields[f].name, field) == 0)
                return true;
    }
    return false;
}

static size_t add_name(const rt_yaml *node, const rt_yaml **nodes, size_t n)
{
    if (node->kind != RT_YAML_SCALAR || rt_yaml_is_null(node) || node->text[0] == '/') return n;
    if (nodes) nodes[n] = node;
    return n + 1;
}

/* The name of a part's file, where that lies there; others are in libraries. */
static size_t find_part_name(const char *path, const rt_yaml *part, const rt_yaml **nodes, size_t n)
{
    const rt_yaml *file = find_in(part, "file");
    const char *slash = strrchr(path, '/');
    rt_text at = {0};
    size_t size;
    if (!file || file->kind != RT_YAML_SCALAR) return n;
    rt_text_bytes(&at, path, slash ? (size_t)(slash - path) + 1 : 0);
    rt_text_bytes(&at, file->text, strlen(file->text));
    if (!rt_file_size(rt_text_string(&at), &size, NULL)) n = add_name(file, nodes, n);
    rt_text_free(&at);
    return n;
}

/* Those of all parts, and of their variants. */
static size_t find_part_names(const char *path, const rt_yaml *root, const rt_yaml **nodes,
                              size_t n)
{
    const rt_yaml *parts = find_in(root, rt_part_section.name);
    if (!parts || parts->kind != RT_YAML_MAPPING) return n;
    for (const rt_yaml *part = parts->first; part; part = part->next) {
        const rt_yaml *variants = find_in(part, "variants");
        const bool some = variants && variants->kind == RT_YAML_MAPPING;
        n = find_part_name(path, part, nodes, n);
        for (const rt_yaml *v = some ? variants->first : NULL; v; v = v->next)
            n = find_part_name(path, v, nodes, n);
    }
    return n;
}

/* Names of files of bodies that are not from the root, into nodes where there is room. */
static size_t find_body_names(const rt_yaml *root, const rt_yaml **nodes)
{
    const rt_yaml *bodies =
        root->kind == RT_YAML_MAPPING ? rt_yaml_find(root, rt_body_section.name) : NULL;
    size_t n = 0;
    if (bodies && bodies->kind != RT_YAML_MAPPING) bodies = NULL;
    for (const rt_yaml *body = bodies ? bodies->first : NULL; body; body = body->next) {
        const rt_yaml *type = body->kind == RT_YAML_MAPPING ? rt_yaml_find(body, "type") : NULL;
        if (!type || type->kind != RT_YAML_SCALAR) continue;
        for (const rt_yaml *node = body->first; node; node = node->next)
            if (names_file(&rt_body_section, type->text, node->key)) n = add_name(node, nodes, n);
    }
    return n;
}

/* And those of libraries of functions. */
static size_t find_own_names(const rt_yaml *root, const rt_yaml **nodes)
{
    const rt_yaml *functions =
        root->kind == RT_YAML_MAPPING ? rt_yaml_find(root, rt_function_section.name) : NULL;
    size_t n = find_body_names(root, nodes);
    if (functions && functions->kind != RT_YAML_MAPPING) functions = NULL;
    for (const rt_yaml *f = functions ? functions->first : NULL; f; f = f->next) {
        const rt_yaml *library = f->kind == RT_YAML_MAPPING ? rt_yaml_find(f, "library") : NULL;
        if (library) n = add_name(library, nodes, n);
    }
    return n;
}

/* And of parts, where they are wanted. */
static size_t find_names(const char *path, const rt_yaml *root, bool parts, const rt_yaml **nodes)
{
    const size_t n = find_own_names(root, nodes);
    return parts ? find_part_names(path, root, nodes, n) : n;
}

/* Parts are looked for below the folder of the model alone. */
static routh_status parts_lead_out(const char *path, const rt_yaml *part, const char *to,
                                   routh_error *error)
{
    return rt_fail_at(
        error, ROUTH_NOT_SUPPORTED, path, part->place, NULL,
        "the part file '%.200s' would lie outside of the folder of %.200s, where parts "
        "are not looked for; write the model into its own folder",
        part->text, to);
}

static routh_status find_way(const char *from, const char *to, rt_arena *arena, const char **way,
                             routh_error *error)
{
    rt_text text = {0};
    const routh_status status = rt_folder_way(from, to, &text, error);
    *way = status ? NULL : rt_arena_text(arena, rt_text_string(&text), text.length);
    rt_text_free(&text);
    return status || *way ? status : rt_fail_memory(error);
}

/* Changes of them that lead from the other folder to where they are. */
static routh_status move_names(const rt_file *file, const char *path, const char *to,
                               const rt_yaml *root, rt_arena *arena, rewrite_change *changes,
                               size_t n, routh_error *error)
{
    const char *way = NULL;
    const rt_yaml **nodes = RT_TAKE(arena, const rt_yaml *, n + 1);
    if (!nodes) return rt_fail_memory(error);
    const size_t n_own = find_own_names(root, nodes);
    if (n > n_own) find_part_names(path, root, nodes, n_own);
    routh_status status = find_way(path, to, arena, &way, error);
    if (!status && n > n_own && strncmp(way, "../", 3) == 0)
        return parts_lead_out(path, nodes[n_own], to, error);
    const size_t length = status ? 0 : strlen(way);
    for (size_t k = 0; k < n && !status; k++) {
        const char *own = nodes[k]->text; /* "./libtyre.so" */
        while (length > 0 && strncmp(own, "./", 2) == 0) own += 2;
        const size_t rest = strlen(own) + 1;
        char *name = rt_arena_take(arena, length + rest, 1);
        if (!name) return rt_fail_memory(error);
        memcpy(name, way, length);
        memcpy(name + length, own, rest);
        status = place_change(file, path, nodes[k], name, nodes[k]->key, &changes[k], error);
    }
    return status;
}

/* ---- the text -------------------------------------------------------------------------------- */

/* The value, in quotes where YAML might read it otherwise. */
static void rewrite_put_value(rt_text *text, const char *value)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_.+-*/^() ";
    const bool simple = value[0] && !strchr("*- ", value[0]) &&
                        value[strspn(value, plain)] == '\0' && value[strlen(value) - 1] != ' ';
    const bool negative = value[0] == '-' && value[1] >= '0' && value[1] <= '9' &&
                          value[strspn(value, plain)] == '\0';
    if (simple || negative) {
        rt_text_bytes(text, value, strlen(value));
        return;
    }
    rt_text_bytes(text, "'", 1);
    for (const char *at = value; *at; at++)
        rt_text_bytes(text, *at == '\'' ? "''" : at, *at == '\'' ? 2 : 1);
    rt_text_bytes(text, "'", 1);
}

static int rewrite_compare(const void *a, const void *b)
{
    const rewrite_change *p = a, *q = b;
    return (p->begin > q->begin) - (p->begin < q->begin);
}

static routh_status rewrite(const rt_file *file, rewrite_change *changes, size_t n,
                            routh_text *text, routh_error *error)
{
    rt_text out = {0};
    size_t at = 0;
    qsort(changes, n, sizeof *changes, rewrite_compare);
    for (size_t k = 0; k < n; k++) {
        rt_text_bytes(&out, file->bytes + at, changes[k].begin - at);
        rewrite_put_value(&out, changes[k].value);
        at = changes[k].end;
    }
    rt_text_bytes(&out, file->bytes + at, file->length - at);
    text->length = out.length;
    if (!out.failed) text->bytes = rt_text_take(&out);
    if (text->bytes) return ROUTH_OK;
    rt_text_free(&out);
    *text = (routh_text){0};
    return rt_fail_memory(error);
}

static routh_status rewrite_file(const rt_file *file, const char *path, const char *to, bool parts,
                                 const routh_setting *settings, size_t n_settings, routh_text *text,
                                 routh_error *error)
{
    rt_arena arena = {0};
    const rt_yaml *root = NULL;
    rewrite_change *changes = NULL;
    routh_status status = rt_yaml_parse(&root, file->bytes, file->length, path, &arena, error);
    const size_t n_names = status || !to ? 0 : find_names(path, root, parts, NULL);
    if (!status) changes = RT_TAKE(&arena, rewrite_change, n_settings + n_names + 1);
    if (!status && !changes) status = rt_fail_memory(error);
    size_t n = 0;
    const rt_choices choices = {root, settings, n_settings};
    for (size_t k = 0; k < n_settings && !status; k++)
        status = add_change(file, path, &choices, &settings[k], &arena, changes, &n, error);
    if (!status && n_names)
        status = move_names(file, path, to, root, &arena, changes + n, n_names, error);
    if (!status) status = rewrite(file, changes, n + n_names, text, error);
    rt_arena_free(&arena);
    return status;
}

routh_status routh_model_rewrite(const char *path, const char *to, const routh_setting *settings,
                                 size_t n_settings, routh_text *text, routh_error *error)
{
    rt_file file = {0};
    *text = (routh_text){0};
    routh_status status = rt_file_read(path, &file, error);
    if (!status) status = rewrite_file(&file, path, to, true, settings, n_settings, text, error);
    free(file.bytes);
    return status;
}

routh_status routh_model_move(const char *content, size_t length, const char *path, const char *to,
                              routh_text *text, routh_error *error)
{
    *text = (routh_text){0};
    rt_file file = {.bytes = malloc(length + 1), .length = length};
    if (!file.bytes) return rt_fail_memory(error);
    memcpy(file.bytes, content, length);
    file.bytes[length] = '\0';
    const routh_status status = rewrite_file(&file, path, to, false, NULL, 0, text, error);
    free(file.bytes);
    return status;
}
