/* A modal body: a reduced body read from its file, or matrices of finite elements read and reduced.
 */
#include "model/scope.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "flexible/fem.h"
#include "flexible/reflect.h"

const char *const rt_length_units[] = {"m", "cm", "mm", "in", "ft", NULL};
const char *const rt_mass_units[] = {"kg", "g", "t", NULL};
const char *const rt_time_units[] = {"s", "ms", NULL};
const char *const rt_normal_modes[] = {"held", "free", NULL};
const double rt_length_values[] = {1, 1e-2, 1e-3, 0.0254, 0.3048};
static const double masses[] = {1, 1e-3, 1e3};
static const double times[] = {1, 1e-3};

/* ---- files ----------------------------------------------------------------------------------- */

/* Paths are from the folder of the model file, or of the part file; of standard input, from the
 * working directory. */
const char *rt_file_beside(rt_reader *r, rt_word word)
{
    if (!word.text) return NULL;
    const char *file = r->scope && r->scope->file ? r->scope->file->path : r->file;
    const char *slash = word.text[0] == '/' ? NULL : strrchr(file, '/');
    const size_t folder = slash ? (size_t)(slash - file) + 1 : 0, length = strlen(word.text);
    char *path = rt_arena_take(&r->scratch, folder + length + 1, 1);
    if (!path) {
        rt_fail_memory(r->error);
        return NULL;
    }
    memcpy(path, file, folder);
    memcpy(path + folder, word.text, length + 1);
    return path;
}

/* What another room says of its file, at the place of the model file that names it. */
routh_status rt_pass_on(rt_reader *r, rt_word word, const routh_error *problem)
{
    char where[512] = "";
    routh_error inner = *problem;
    if (problem->status == ROUTH_OUT_OF_MEMORY) return rt_fail_memory(r->error);
    if (!inner.file[0]) strncpy(inner.file, word.text, sizeof inner.file - 1);
    routh_error_text(&inner, where, sizeof where);
    return rt_reader_fail(r, word.place, "%s", where);
}

static routh_status modal_body_load(rt_reader *r, const rt_written_modal *w,
                                    const rt_flexible **out)
{
    routh_error problem = {0};
    const char *path = rt_file_beside(r, w->file);
    if (!path) return ROUTH_OUT_OF_MEMORY;
    const routh_status status = rt_flexible_load(out, path, &r->model->arena, &problem);
    return status ? rt_pass_on(r, w->file, &problem) : ROUTH_OK;
}

/* ---- interfaces ------------------------------------------------------------------------------ */

static routh_status modal_body_take_set(rt_reader *r, const rt_yaml *entry, const char *set,
                                        const char *path, rt_interface *face)
{
    routh_error problem = {0};
    int *nodes = NULL;
    if (!path)
        return rt_reader_fail(r, entry->place,
                              "interface %.60s: a set of nodes is in a file of nodes; give nodes: "
                              "FILE.inp",
                              entry->text);
    if (rt_fe_node_set(path, set, &nodes, &face->n, &r->scratch, &problem))
        return rt_pass_on(r, (rt_word){path, entry->place}, &problem);
    if (!face->n)
        return rt_reader_fail(r, entry->place, "interface %.60s: there is no *NSET with NSET=%.40s",
                              entry->text, set);
    face->nodes = nodes;
    return ROUTH_OK;
}

/* NODE or NUMBER=SET. */
static routh_status take_interface(rt_reader *r, const rt_yaml *entry, const char *path,
                                   rt_interface *face)
{
    char found[96], *end = NULL;
    errno = 0;
    const bool digits =
        entry->kind == RT_YAML_SCALAR && entry->text[0] >= '0' && entry->text[0] <= '9';
    const long number = digits ? strtol(entry->text, &end, 10) : 0;
    if (errno || number < 1 || number > INT_MAX || (*end && (*end != '=' || !end[1])))
        return rt_reader_fail(r, entry->place,
                              "interface must be a list of nodes, such as [12, 40], or of NUMBER="
                              "SET for the mean of a set of nodes, not %s",
                              rt_yaml_describe(entry, found, sizeof found));
    face->number = (int)number;
    face->n = 1;
    face->nodes = &face->number;
    return *end ? modal_body_take_set(r, entry, end + 1, path, face) : ROUTH_OK;
}

static routh_status modal_body_take_interfaces(rt_reader *r, const rt_written_modal *w,
                                               const char *path, rt_reduction *how)
{
    char found[96];
    const rt_yaml *list = w->interface;
    routh_status status = ROUTH_OK;
    if (!list) return ROUTH_OK;
    if (list->kind != RT_YAML_LIST || !list->count)
        return rt_reader_fail(r, list->place,
                              "interface must be a list of nodes, such as [12, 40], not %s",
                              rt_yaml_describe(list, found, sizeof found));
    rt_interface *faces = RT_TAKE(&r->scratch, rt_interface, list->count);
    if (!faces) return rt_fail_memory(r->error);
    for (const rt_yaml *entry = list->first; entry && !status; entry = entry->next)
        status = take_interface(r, entry, path, &faces[how->n_interfaces++]);
    how->kind = RT_REDUCE_CRAIG_BAMPTON;
    how->interfaces = faces;
    return status;
}

/* ---- reduction ------------------------------------------------------------------------------- */

static rt_reduction modal_body_settings(const rt_written_modal *w)
{
    rt_reduction how = {.kind = RT_REDUCE_FREE,
                        .n_modes = w->modes,
                        .cut = w->cut.value,
                        .below = w->below.value,
                        .accuracy = w->accuracy.value,
                        .free_modes = w->normal_modes == 1,
                        .damping_ratio = w->damping_ratio.value};
    const bool chosen = how.n_modes || how.cut > 0 || how.below > 0;
    if (!chosen && w->shapes.text && !w->interface)
        how.kind = RT_REDUCE_USER;
    else if (!chosen)
        how.n_modes = 10;
    return how;
}

static routh_status take_file_units(rt_reader *r, const rt_written_modal *w, rt_reduction *how)
{
    int length = w->length_unit, mass = w->mass_unit, time = w->time_unit;
    routh_status status = rt_file_unit(r, w->stiffness, "length_unit", 0, &length);
    if (!status) status = rt_file_unit(r, w->mass, "mass_unit", 1, &mass);
    if (!status) status = rt_file_unit(r, w->mass, "time_unit", 2, &time);
    if (status) return status;
    how->unit = rt_length_values[length];
    how->unit_mass = masses[mass];
    how->unit_time = times[time];
    return ROUTH_OK;
}

static routh_status read_shapes(rt_reader *r, const rt_written_modal *w, const rt_fe_model *fe,
                                rt_reduction *how)
{
    routh_error problem = {0};
    if (!w->shapes.text) return ROUTH_OK;
    const char *path = rt_file_beside(r, w->shapes);
    if (!path) return ROUTH_OUT_OF_MEMORY;
    return rt_fe_shapes(path, fe, &how->n_shapes, &how->shapes, &r->scratch, &problem)
               ? rt_pass_on(r, w->shapes, &problem)
               : ROUTH_OK;
}

static routh_status modal_body_reduce(rt_reader *r, const rt_written_modal *w,
                                      const rt_flexible **out)
{
    routh_error problem = {0};
    rt_fe_model *fe = NULL;
    rt_reduction how = modal_body_settings(w);
    const rt_fe_files files = {.stiffness = rt_file_beside(r, w->stiffness),
                               .mass = rt_file_beside(r, w->mass),
                               .nodes = rt_file_beside(r, w->nodes),
                               .dofs = rt_file_beside(r, w->dofs)};
    if (!files.stiffness || !files.mass || (w->nodes.text && !files.nodes) ||
        (w->dofs.text && !files.dofs))
        return ROUTH_OUT_OF_MEMORY;
    routh_status status = take_file_units(r, w, &how);
    if (!status) status = modal_body_take_interfaces(r, w, files.nodes, &how);
    if (status) return status;
    if (rt_fe_read(&fe, &files, &r->scratch, &problem))
        return rt_pass_on(r, w->stiffness, &problem);
    status = read_shapes(r, w, fe, &how);
    if (status) return status;
    status = rt_flexible_reduce(out, NULL, fe, &how, &r->model->arena, &problem);
    return status ? rt_pass_on(r, w->stiffness, &problem) : ROUTH_OK;
}

void rt_default_modal(rt_written_modal *w)
{
    *w = (rt_written_modal){.length_unit = -1, .mass_unit = -1, .time_unit = -1};
    w->cut = w->below = w->accuracy = w->damping_ratio = rt_plain(0);
}

routh_status rt_build_modal(rt_reader *r, const rt_written_modal *w, const rt_flexible **out)
{
    const routh_status status =
        w->file.text ? modal_body_load(r, w, out) : modal_body_reduce(r, w, out);
    const int D[3] = {rt_polar_sign(r, 0), rt_polar_sign(r, 1), rt_polar_sign(r, 2)};
    if (status || (D[0] > 0 && D[1] > 0 && D[2] > 0)) return status;
    return rt_flexible_reflect(out, *out, D, &r->model->arena, r->error);
}
