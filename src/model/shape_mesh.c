/* Shapes whose surface is in a file. */
#define _POSIX_C_SOURCE 200809L /* strcasecmp */
#include <string.h>
#include <strings.h>

#include "model/scope.h"
#include "model/shape.h"

/* The mesh of the file, which is read once. */
static routh_status shape_find_mesh(rt_reader *r, rt_word file, double unit, const rt_mesh **out)
{
    routh_error problem = {0};
    routh_model *model = r->model;
    const char *path = rt_file_beside(r, file);
    if (!path) return ROUTH_OUT_OF_MEMORY;
    for (*out = model->meshes; *out; *out = (*out)->next)
        if (!strcmp((*out)->path, path) && (*out)->unit == unit) return ROUTH_OK;
    rt_mesh *mesh = RT_TAKE(&model->arena, rt_mesh, 1);
    if (!mesh) return rt_fail_memory(r->error);
    if (rt_mesh_read(path, unit, &model->arena, &r->scratch, mesh, &problem))
        return rt_pass_on(r, file, &problem);
    mesh->path = rt_arena_text(&model->arena, path, strlen(path));
    if (!mesh->path) return rt_fail_memory(r->error);
    mesh->number = model->meshes ? model->meshes->number + 1 : 0;
    mesh->next = model->meshes;
    model->meshes = *out = mesh;
    return ROUTH_OK;
}

/* That it encloses no solid, and what to do. */
static routh_status fail_not_solid(rt_reader *r, rt_place place, const rt_mesh *mesh,
                                   const char *remedy)
{
    const double *a = mesh->open_edge, *b = a + 3;
    const double *x = mesh->fault_at;
    if (mesh->fault)
        return rt_reader_fail(r, place, "mesh: %s, at [%.6g, %.6g, %.6g] m; %s", mesh->fault, x[0],
                              x[1], x[2], remedy);
    if (mesh->closed)
        return rt_reader_fail(r, place, "mesh: what its triangles enclose has no volume; %s",
                              remedy);
    return rt_reader_fail(
        r, place,
        "mesh: it is not closed: the edge from [%.6g, %.6g, %.6g] to [%.6g, %.6g, "
        "%.6g] m does not belong to two triangles that face the same way; %s",
        a[0], a[1], a[2], b[0], b[1], b[2], remedy);
}

/* glTF is, by its specification. */
static bool is_in_metres(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && (!strcasecmp(dot, ".gltf") || !strcasecmp(dot, ".glb"));
}

routh_status rt_take_mesh(rt_reader *r, const rt_written_shape *w, rt_shape *shape)
{
    const rt_mesh *mesh = NULL;
    int unit = w->mesh_unit < 0 && is_in_metres(w->mesh.text) ? 0 : w->mesh_unit;
    routh_status status = rt_file_unit(r, w->mesh, "length_unit", 0, &unit);
    if (!status) status = shape_find_mesh(r, w->mesh, rt_length_values[unit], &mesh);
    if (status) return status;
    shape->mesh = mesh;
    for (int k = 0; k < 3; k++) shape->size[k] = rt_plain(rt_polar_sign(r, k));
    if (w->mesh_origin == 1) return ROUTH_OK;
    if (!(mesh->volume > 0))
        return fail_not_solid(r, w->mesh.place, mesh,
                              "to draw it only, place it by the origin of its file (origin: file)");
    memcpy(shape->origin, mesh->centre, sizeof shape->origin);
    return ROUTH_OK;
}

/* Up to the rounding of the points of a file in single precision. */
static bool is_at_centre(const double x[3], const rt_mesh *mesh)
{
    double away = 0, square = 0;
    for (int k = 0; k < 3; k++) {
        away += (x[k] - mesh->centre[k]) * (x[k] - mesh->centre[k]);
        square += mesh->over_mass[4 * k];
    }
    return away <= 1e-14 * square;
}

routh_status rt_check_solid(rt_reader *r, const rt_yaml *node, const rt_shape *shape)
{
    const rt_mesh *mesh = shape->mesh;
    if (!(mesh->volume > 0))
        return fail_not_solid(r, node->place, mesh,
                              "give the body's mass and inertia, and no density");
    if (!is_at_centre(shape->origin, mesh))
        return rt_reader_fail(r, node->place,
                              "mesh: its centre of mass is at [%.6g, %.6g, %.6g] m of its file, "
                              "not in the body's, so inertia cannot follow from it; leave out "
                              "origin, or give the body's mass and inertia and no density",
                              mesh->centre[0], mesh->centre[1], mesh->centre[2]);
    return ROUTH_OK;
}
