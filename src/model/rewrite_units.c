/* Numbers that a rewritten file would say in other units than they are in: those of parameters of a
 * part whose file is in units of its own. */
#include "model/rewrite_units.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "model/scope.h"

/* The part's file from one folder; false: it is not there. */
static bool read_from(const char *folder, size_t n, const char *name, rt_file *file)
{
    char path[4096];
    routh_error unheard = {0};
    const int length = n ? snprintf(path, sizeof path, "%.*s/%s", (int)n, folder, name)
                         : snprintf(path, sizeof path, "%s", name);
    return length > 0 && (size_t)length < sizeof path && !rt_file_read(path, file, &unheard);
}

/* From the folder of the model, then from those of libraries (part_files.c). */
static bool rewrite_read_part(const char *model, const char *name, rt_file *file)
{
    const char *slash = strrchr(model, '/'), *list = getenv("ROUTH_LIBRARY");
    if (name[0] == '/') return read_from("", 0, name, file);
    if (read_from(model, slash ? (size_t)(slash - model) : 0, name, file)) return true;
    while (list && *list) {
        const size_t n = strcspn(list, ":");
        if (n && read_from(list, n, name, file)) return true;
        list += n + (list[n] == ':');
    }
    return false;
}

static bool names_unit(const rt_yaml *units, const char *name, const char *otherwise)
{
    const bool list = units && units->kind == RT_YAML_LIST;
    for (const rt_yaml *e = list ? units->first : NULL; e; e = e->next)
        if (e->kind == RT_YAML_SCALAR && !strcmp(e->text, name)) return true;
    return !list && !strcmp(name, otherwise);
}

/* Two lists of units, where none is [m, kg, s], and a time that is left out s. */
static bool units_differ(const rt_yaml *a, const rt_yaml *b)
{
    static const char *const si[] = {"m", "kg", "s"};
    bool differ = false;
    for (int side = 0; side < 2; side++) {
        const rt_yaml *one = side ? b : a, *other = side ? a : b;
        const bool list = one && one->kind == RT_YAML_LIST;
        for (const rt_yaml *e = list ? one->first : NULL; e; e = e->next) {
            bool found = !strcmp(e->text ? e->text : "", "s");
            for (int k = 0; k < 3 && e->kind == RT_YAML_SCALAR; k++)
                found = found || names_unit(other, e->text, si[k]);
            differ = differ || !found;
        }
    }
    return differ;
}

/* A number with its unit alone means the same in any file; numbers in expressions need not. */
static bool is_with_unit(const char *value)
{
    char *at = NULL;
    (void)strtod(value, &at);
    while (at != value && *at == ' ') at++;
    if (at == value || !isalpha((unsigned char)*at)) return false;
    for (; *at; at++) {
        const bool power = *at == '^' && isdigit((unsigned char)at[at[1] == '-' ? 2 : 1]);
        if (power) at += at[1] == '-' ? 2 : 1;
        if (!power && !isalpha((unsigned char)*at) && !strchr(" */()", *at)) return false;
    }
    return true;
}

/* The units of the file; those that are none its reader refuses. */
static void file_units(const rt_yaml *root, rt_unit_system *system)
{
    static const char *const si[] = {"m", "kg", "s"};
    const rt_yaml *units = root->kind == RT_YAML_MAPPING ? rt_yaml_find(root, "units") : NULL;
    const bool list = units && units->kind == RT_YAML_LIST;
    for (int k = 0; k < 3; k++) rt_unit_find(si[k], &system->base[k]);
    for (const rt_yaml *e = list ? units->first : NULL; e; e = e->next) {
        rt_unit unit;
        if (e->kind != RT_YAML_SCALAR || !rt_unit_find(e->text, &unit)) continue;
        system->base[unit.powers[0] != 0 ? 0 : unit.powers[1] != 0 ? 1 : 2] = unit;
    }
}

static bool is_bare(const char *value, double *number)
{
    char *end = NULL;
    *number = strtod(value, &end);
    return end != value && !end[strspn(end, " ")];
}

/* The shortest text that is the number. */
static int rewrite_number_text(char *text, size_t size, double number)
{
    int length = 0;
    for (int digits = 15; digits <= 17; digits++) {
        length = snprintf(text, size, "%.*g", digits, number);
        if (strtod(text, NULL) == number) break;
    }
    return length;
}

routh_status rt_write_in_unit(const rt_yaml *root, const char *old, const char **value,
                              rt_arena *arena, routh_error *error)
{
    enum { SIZE = 32 };
    char *name = NULL;
    double number;
    rt_unit_system system;
    rt_unit unit;
    bool is_unit;
    if (!is_with_unit(old) || !is_bare(*value, &number)) return ROUTH_OK;
    (void)strtod(old, &name);
    name += strspn(name, " ");
    if (rt_unit_of(name, &unit, &is_unit)) return rt_fail_memory(error);
    if (!is_unit) return ROUTH_OK;
    file_units(root, &system);
    const rt_unit own = rt_unit_in_system(&system, &unit), over = rt_unit_over(&own, &unit);
    const size_t size = SIZE + strlen(name) + 2;
    char *text = rt_arena_take(arena, size, 1);
    if (!text) return rt_fail_memory(error);
    const int n = rewrite_number_text(text, SIZE, rt_unit_value(&over, number));
    snprintf(text + n, size - (size_t)n, " %s", name);
    *value = text;
    return ROUTH_OK;
}

routh_status rt_check_written_units(const char *path, const rt_yaml *root, const rt_yaml *part,
                                    const rt_yaml *name, const routh_setting *setting,
                                    routh_error *error)
{
    const rt_yaml *own = NULL;
    rt_arena arena = {0};
    rt_file file = {0};
    routh_error unheard = {0};
    if (!name || name->kind != RT_YAML_SCALAR || is_with_unit(setting->value)) return ROUTH_OK;
    const bool read = rewrite_read_part(path, name->text, &file) &&
                      !rt_yaml_parse(&own, file.bytes, file.length, name->text, &arena, &unheard);
    const bool differ = read && own->kind == RT_YAML_MAPPING &&
                        units_differ(rt_yaml_find(root, "units"), rt_yaml_find(own, "units"));
    rt_arena_free(&arena);
    free(file.bytes);
    if (!differ) return ROUTH_OK;
    return rt_fail_at(
        error, ROUTH_NOT_SUPPORTED, path, part->place, NULL,
        "'%.60s' is %.40s in the units of %.200s, and `set` is in those of this file: "
        "write the value there yourself, with its unit",
        setting->name, setting->value, name->text);
}
