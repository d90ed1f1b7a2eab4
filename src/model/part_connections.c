/* What parts are connected to, looked for when all parts are written out. */
#include <string.h>

#include "base/suggest.h"
#include "model/parts.h"

/* Names of all entries of all sections. */
static routh_status connections_take_names(rt_reader *r, const rt_yaml *const *sections,
                                           rt_names *names, const char ***list)
{
    int n = 0, k = 0;
    for (int s = 0; rt_part_sections[s]; s++) n += sections[s] ? sections[s]->count : 0;
    *list = RT_TAKE(&r->scratch, const char *, n + 2);
    if (!*list || !rt_names_init(names, n, &r->scratch)) return rt_fail_memory(r->error);
    for (int s = 0; rt_part_sections[s]; s++)
        for (const rt_yaml *e = rt_first_in(sections[s]); e; e = e->next) {
            rt_names_add(names, e->key, k);
            (*list)[k++] = e->key;
        }
    (*list)[k] = "ground";
    return ROUTH_OK;
}

/* A name, or one of what it has: node 3 of a beam is beam.3. */
static bool is_there(const rt_names *names, const char *full)
{
    char text[520];
    if (!strcmp(full, "ground") || rt_is_ground_name(full) || rt_names_find(names, full) >= 0)
        return true;
    const char *dot = strrchr(full, '.');
    const size_t n = dot ? (size_t)(dot - full) : 0;
    if (!n || n >= sizeof text) return false;
    memcpy(text, full, n);
    text[n] = '\0';
    return rt_names_find(names, text) >= 0;
}

/* Where the entry says what it is connected to; NULL: `previous`, which is checked already. */
static const rt_yaml *written_connection(const rt_scope *scope, const char *port)
{
    const rt_yaml *first = rt_yaml_find(scope->entry, "first");
    const rt_yaml *of_first = first && !scope->position ? rt_yaml_find(first, port) : NULL;
    const rt_yaml *to =
        of_first ? of_first : rt_yaml_find(rt_yaml_find(scope->entry, "connect"), port);
    const bool array = rt_yaml_find(scope->entry, "count") != NULL;
    return to && !(array && !strncmp(to->text, "previous.", strlen("previous."))) ? to : NULL;
}

static routh_status check_port(rt_reader *r, const rt_scope *scope, const rt_port *port,
                               const rt_names *names, const char *const *list)
{
    char hint[128], problem[256];
    const rt_yaml *to = written_connection(scope, port->name);
    if (!to) return ROUTH_OK;
    r->scope = scope->outer;
    const char *full = rt_full_name(r, to->text, problem);
    rt_did_you_mean(to->text, list, hint, sizeof hint);
    r->scope = NULL;
    if (full && is_there(names, port->full)) return ROUTH_OK;
    char part[256];
    const size_t n = scope->length - 1 < sizeof part ? scope->length - 1 : sizeof part - 1;
    memcpy(part, scope->prefix, n);
    part[n] = '\0';
    rt_reader_element(r, "part", part);
    if (!full) return rt_reader_fail(r, to->place, "%.60s: %.250s", port->name, problem);
    if (!strncmp(to->text, "previous.", strlen("previous.")))
        return rt_reader_fail(r, to->place,
                              "the connection '%.60s' is made to '%.60s', and this part has no "
                              "part before it: `previous` is for arrays, which have a `count`",
                              port->name, to->text);
    return rt_reader_fail(r, to->place,
                          "the connection '%.60s' is made to '%.60s', which is not defined here%s",
                          port->name, to->text, hint);
}

routh_status rt_check_connections(rt_reader *r, const rt_yaml *const *sections)
{
    rt_names names;
    const char **list;
    routh_status status = connections_take_names(r, sections, &names, &list);
    for (int k = 0; k < r->parts->n && !status; k++) {
        const rt_scope *scope = r->parts->scopes[k];
        for (int i = 0; i < scope->n_ports && !status; i++)
            status = check_port(r, scope, &scope->ports[i], &names, list);
    }
    return status;
}
