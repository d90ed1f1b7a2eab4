/* Any bytes as the file of a mesh: refused with one message, or a mesh whose triangles name points
 * that it has, and that has a volume only where it is closed. The first byte selects the format.
 * Seeds: tests/fuzz/seeds.py. */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "model/mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 100000, N_FORMATS = 4 };

static void check_mesh(const rt_mesh *mesh)
{
    assert(mesh->n_points >= 0 && mesh->n_triangles >= 0);
    for (int i = 0; i < 3 * mesh->n_triangles; i++)
        assert(mesh->triangles[i] >= 0 && mesh->triangles[i] < mesh->n_points);
    for (int i = 0; i < 3 * mesh->n_points; i++) assert(isfinite(mesh->points[i]));
    assert(mesh->volume >= 0 && (mesh->closed || mesh->volume == 0));
    if (!(mesh->volume > 0)) return;
    for (int k = 0; k < 3; k++) assert(isfinite(mesh->centre[k]));
}

static routh_status read_mesh(rt_mesh_corners *corners, const uint8_t *data, size_t size,
                              routh_error *error)
{
    rt_mesh_format *const formats[N_FORMATS] = {rt_mesh_stl, rt_mesh_obj, rt_mesh_gltf,
                                                rt_mesh_glb};
    return formats[data[0] % N_FORMATS](corners, "/none/mesh", (const char *)data + 1, size - 1,
                                        error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2 || size > MOST_BYTES) return 0;
    rt_arena keep = {0}, scratch = {0};
    routh_error error = {0};
    rt_mesh_corners corners = {.scratch = &scratch};
    rt_mesh mesh = {0};
    const routh_status status = read_mesh(&corners, data, size, &error);
    assert(status == ROUTH_OK || (error.status == status && error.message[0]));
    if (!status) {
        assert(rt_mesh_join(&corners, 1, &keep, &mesh, &error) == ROUTH_OK);
        assert(rt_mesh_measure(&mesh, &scratch, &error) == ROUTH_OK);
        check_mesh(&mesh);
    }
    rt_arena_free(&keep);
    rt_arena_free(&scratch);
    return 0;
}
