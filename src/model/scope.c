/* What names mean in a part. */
#include "model/parts.h"

#include <stdio.h>
#include <string.h>

/* ---- exports --------------------------------------------------------------------------------- */

/* rest is a name that the part exports, or of something that such a name has: blade.first. */
static bool is_exported(const rt_scope *part, const char *rest)
{
    const rt_yaml *exports = rt_yaml_find(part->file->root, "exports");
    for (const rt_yaml *e = exports ? exports->first : NULL; e; e = e->next) {
        const size_t n = strlen(e->text);
        if (!strncmp(rest, e->text, n) && (!rest[n] || rest[n] == '.')) return true;
    }
    return false;
}

/* The part that a whole name lies in, seen from outside: the text to one of its dots behind
 * `from`. */
static const rt_scope *part_of_name(const rt_reader *r, char *full, size_t from, const char **rest)
{
    for (char *dot = strchr(full + from, '.'); dot; dot = strchr(dot + 1, '.')) {
        *dot = '\0';
        const int k = rt_names_find(&r->parts->instances, full);
        *dot = '.';
        *rest = dot + 1;
        if (k >= 0) return r->parts->scopes[k];
    }
    return NULL;
}

static void write_not_exported(const rt_scope *part, const char *rest, char *problem)
{
    const int n = (int)(part->length - 1) < 60 ? (int)(part->length - 1) : 60;
    if (rt_part_has(part->file->root, rest, strcspn(rest, ".")))
        snprintf(problem, 256,
                 "'%.60s' is not among the exports of part '%.*s'; add it to `exports` in %.90s",
                 rest, n, part->prefix, part->file->path);
    else
        snprintf(problem, 256, "part '%.*s' has no '%.60s' (%.100s)", n, part->prefix, rest,
                 part->file->path);
}

/* Every part on the way exports the rest of the name: m.leaf.k goes through m and m.leaf. */
static const char *check_export(rt_reader *r, size_t from, char *problem)
{
    const char *rest = NULL;
    for (const rt_scope *part; (part = part_of_name(r, r->full, from, &rest)) != NULL;
         from = (size_t)(rest - r->full)) {
        if (is_exported(part, rest)) continue;
        write_not_exported(part, rest, problem);
        return NULL;
    }
    return r->full;
}

/* ---- names ----------------------------------------------------------------------------------- */

static const char *port_of(const rt_scope *scope, const char *name)
{
    for (int k = 0; k < scope->n_ports; k++)
        if (!strcmp(scope->ports[k].name, name)) return scope->ports[k].full;
    return NULL;
}

const char *rt_full_name(rt_reader *r, const char *name, char *problem)
{
    const rt_scope *scope = r->scope;
    if (!r->parts) return name;
    if (!scope) scope = &r->parts->model;
    if (!strcmp(name, "ground")) return scope->ground ? scope->ground : name;
    const char *port = port_of(scope, name);
    if (port) return port;
    if (scope->length + strlen(name) >= sizeof r->full) {
        snprintf(problem, 256, "the name '%.60s...' is too long", name);
        return NULL;
    }
    memcpy(r->full, scope->prefix, scope->length);
    strcpy(r->full + scope->length, name);
    return check_export(r, scope->length, problem);
}

const char *rt_full_name_or_none(rt_reader *r, const char *name)
{
    char problem[256];
    const char *full = rt_full_name(r, name, problem);
    return full ? full : "";
}

bool rt_is_connection(const rt_reader *r, const char *name)
{
    return r->scope && port_of(r->scope, name);
}

bool rt_scope_index(const rt_reader *r, const char *name, double *value)
{
    if (!r->scope || !r->scope->index || strcmp(r->scope->index, name) != 0) return false;
    *value = r->scope->index_value;
    return true;
}

const char *rt_name_in_scope(const rt_reader *r, const char *full)
{
    const rt_scope *scope = r->scope;
    if (!scope || strncmp(full, scope->prefix, scope->length) != 0) return full;
    return full + scope->length;
}

int rt_ground_of_scope(rt_reader *r)
{
    const char *name = r->scope ? r->scope->ground : NULL;
    return name ? rt_names_find(&r->index->points, name) : RT_GROUND;
}

bool rt_is_ground_name(const char *full)
{
    const char *at = strchr(full, '@');
    return at && !strcmp(at, "@ground");
}
