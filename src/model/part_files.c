/* Finding and reading part files: from the folder of the file that names them, or from those of
 * libraries, which the environment variable ROUTH_LIBRARY lists; from nowhere else. */
#define _XOPEN_SOURCE 700
#include "model/scope.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"

/* ---- folders --------------------------------------------------------------------------------- */

/* folder[n] + name; NULL when out of memory. */
static const char *path_joined(rt_reader *r, const char *folder, size_t n, const char *name)
{
    const size_t length = strlen(name);
    const bool slash = n && folder[n - 1] != '/';
    char *path = rt_arena_take(&r->model->arena, n + slash + length + 1, 1);
    if (!path) return NULL;
    memcpy(path, folder, n);
    if (slash) path[n] = '/';
    memcpy(path + n + slash, name, length + 1);
    return path;
}

/* How long the folder of a file is in its path, the slash included. */
static size_t folder_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? (size_t)(slash - file) + 1 : 0;
}

/* The next of folders parted by colons; false after the last. */
static bool next_folder(const char **list, const char **folder, size_t *length)
{
    while (*list && **list == ':') ++*list;
    if (!*list || !**list) return false;
    *folder = *list;
    *length = strcspn(*list, ":");
    *list += *length;
    return true;
}

/* The path without links, in the model's memory; NULL: there is no such file, or no memory. */
static const char *real_path(rt_reader *r, const char *path)
{
    char *real = realpath(path, NULL);
    const char *kept = real ? rt_arena_text(&r->model->arena, real, strlen(real)) : NULL;
    free(real);
    return kept;
}

static bool lies_in(const char *real, const char *folder)
{
    const size_t n = strlen(folder);
    return !strncmp(real, folder, n) && (real[n] == '/' || (n && folder[n - 1] == '/'));
}

/* The file is in a folder that parts may be in: the model's, or a library's. */
static bool is_allowed_path(rt_reader *r, const char *real)
{
    const char *list = getenv("ROUTH_LIBRARY"), *folder;
    size_t n = folder_of(r->file);
    const char *own = n ? path_joined(r, r->file, n, "") : ".";
    const char *known = own ? real_path(r, own) : NULL;
    if (known && lies_in(real, known)) return true;
    while (next_folder(&list, &folder, &n)) {
        const char *path = rt_arena_text(&r->scratch, folder, n);
        known = path ? real_path(r, path) : NULL;
        if (known && lies_in(real, known)) return true;
    }
    return false;
}

/* ---- looking for one ------------------------------------------------------------------------- */

static routh_status fail_not_found(rt_reader *r, const rt_yaml *name)
{
    const char *list = getenv("ROUTH_LIBRARY");
    return rt_reader_fail(r, name->place,
                          "the part file '%.200s' is not found: neither from the folder of this "
                          "file nor in a library%s%.300s",
                          name->text, list && *list ? ", of " : "; ROUTH_LIBRARY names none",
                          list ? list : "");
}

static routh_status find_path(rt_reader *r, const char *from, const rt_yaml *name,
                              const char **path, const char **real)
{
    const char *list = getenv("ROUTH_LIBRARY"), *folder;
    const bool absolute = name->text[0] == '/';
    size_t n = absolute ? 0 : folder_of(from);
    *path = path_joined(r, from, n, name->text);
    if (!*path) return rt_fail_memory(r->error);
    *real = real_path(r, *path);
    while (!*real && !absolute && next_folder(&list, &folder, &n)) {
        *path = path_joined(r, folder, n, name->text);
        if (!*path) return rt_fail_memory(r->error);
        *real = real_path(r, *path);
    }
    if (!*real) return fail_not_found(r, name);
    if (is_allowed_path(r, *real)) return ROUTH_OK;
    return rt_reader_fail(r, name->place,
                          "the part file '%.200s' leads out of the model's folder and is in no "
                          "library; move it there, or give its folder as a library (--library, or "
                          "ROUTH_LIBRARY)",
                          name->text);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Places in a part file name it. */
static void set_file(rt_yaml *node, const char *path)
{
    for (; node; node = node->next) {
        node->place.file = node->key_place.file = path;
        if (node->first) set_file(node->first, path);
    }
}

/* Whether the ground may be meant: by name, in a measure, in the axes of a force, or in a part. */
static bool speaks_of_ground(const rt_yaml *node)
{
    static const char *const keys[] = {"components", "parts", NULL};
    for (; node; node = node->next) {
        for (int k = 0; node->key && keys[k]; k++)
            if (!strcmp(node->key, keys[k])) return true;
        if (node->kind == RT_YAML_SCALAR &&
            (strstr(node->text, "ground") || strchr(node->text, '(')))
            return true;
        if (node->first && speaks_of_ground(node->first)) return true;
    }
    return false;
}

static routh_status read_text(rt_reader *r, const rt_yaml *name, const char *path, rt_file *file)
{
    routh_error problem = {0};
    const routh_status status = rt_file_read(path, file, &problem);
    if (!status || status == ROUTH_OUT_OF_MEMORY)
        return status ? rt_fail_memory(r->error) : ROUTH_OK;
    return rt_reader_fail(r, name->place, "the part file '%.200s': %.300s", path, problem.message);
}

/* All nodes of the file are made here, and changed nowhere else. */
static routh_status read_part_file(rt_reader *r, const rt_yaml *name, rt_part_file *part)
{
    rt_file file;
    routh_error problem = {0};
    routh_status status = read_text(r, name, part->path, &file);
    if (status) return status;
    status = rt_yaml_parse(&part->root, file.bytes, file.length, part->path, &r->scratch, &problem);
    free(file.bytes);
    if (status == ROUTH_OUT_OF_MEMORY) return rt_fail_memory(r->error);
    if (status) {
        rt_place place = rt_place_at(problem.line, problem.column);
        place.file = part->path;
        return rt_fail_at(r->error, status, part->path, place, r->element, "%s", problem.message);
    }
    set_file((rt_yaml *)part->root, part->path);
    part->of_ground = speaks_of_ground(part->root);
    status = rt_read_units(r, part->root, &part->units);
    r->parts->mixed = r->parts->mixed || !rt_same_units(part->units, r->model->units);
    return status;
}

routh_status rt_find_part_file(rt_reader *r, const rt_scope *scope, const rt_yaml *name,
                               const rt_part_file **file)
{
    const char *path = NULL, *real = NULL;
    const char *from = scope->file ? scope->file->path : r->file;
    routh_status status = find_path(r, from, name, &path, &real);
    if (status) return status;
    for (const rt_part_file *known = r->parts->files; known; known = known->next)
        if (!strcmp(known->real, real)) {
            *file = known;
            return ROUTH_OK;
        }
    rt_part_file *part = RT_TAKE(&r->scratch, rt_part_file, 1);
    if (!part) return rt_fail_memory(r->error);
    *part = (rt_part_file){.path = path, .real = real, .next = r->parts->files};
    status = read_part_file(r, name, part);
    if (status) return status;
    r->parts->files = *file = part;
    return ROUTH_OK;
}
