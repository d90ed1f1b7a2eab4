/* Triangle meshes of the shapes of rigid bodies: read from STL, OBJ and glTF files. */
#ifndef RT_MODEL_MESH_H
#define RT_MODEL_MESH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

enum { RT_MOST_TRIANGLES = 200000 };

/* A surface of triangles. */
typedef struct rt_mesh rt_mesh;
struct rt_mesh {
    const char *path; /* by which it is known */
    int number;       /* among those that a model has read, from 0 */
    double unit;      /* m, of the file's lengths */
    int n_points, n_triangles;
    const double *points; /* 3 each, m, in the file's axes */
    const int *triangles; /* 3 points each */
    bool closed;          /* every edge belongs to two triangles, once in either direction */
    double open_edge[6];  /* two points of one that does not, m; where it is not closed */
    const char *fault;    /* what is wrong with the pieces of a closed one; NULL */
    double fault_at[3];   /* and where, m */
    double volume;        /* m^3, of what a closed one encloses */
    double centre[3];     /* of it, m */
    double over_mass[9];  /* its inertia about the centre, over its mass, m^2 */
    const rt_mesh *next;  /* the one that the model has read before it */
};

/* The corners of triangles while a file is read, 9 numbers each. */
typedef struct rt_mesh_corners {
    double *numbers;
    size_t n, room; /* triangles */
    rt_arena *scratch;
} rt_mesh_corners;

/* LIMIT_EXCEEDED beyond RT_MOST_TRIANGLES, OUT_OF_MEMORY. */
routh_status rt_mesh_add(rt_mesh_corners *corners, const double a[3], const double b[3],
                         const double c[3], routh_error *error);

/* The triangles of a file of length bytes, by the format that its name ends with; errors name what
 * of the file is wrong. mesh_obj.c, mesh_gltf.c, mesh_stl.c */
typedef routh_status rt_mesh_format(rt_mesh_corners *corners, const char *path, const char *bytes,
                                    size_t length, routh_error *error);
rt_mesh_format rt_mesh_stl, rt_mesh_obj, rt_mesh_gltf, rt_mesh_glb;

/* Reads path, in lengths of unit m, into keep. FILE_ERROR, SYNTAX_ERROR, LIMIT_EXCEEDED,
 * OUT_OF_MEMORY; scratch is what may be thrown away afterwards. */
routh_status rt_mesh_read(const char *path, double unit, rt_arena *keep, rt_arena *scratch,
                          rt_mesh *mesh, routh_error *error);

/* Points of equal coordinates made one, and triangles without area left out. OUT_OF_MEMORY. */
routh_status rt_mesh_join(const rt_mesh_corners *corners, double unit, rt_arena *keep,
                          rt_mesh *mesh, routh_error *error);

/* Triangles t and u belong to one piece; above[t], of each triangle one of its piece that does not
 * come after it, is t before any is united. */
void rt_mesh_unite(int *above, int t, int u);

/* fault, of a closed mesh with the pieces that above tells. OUT_OF_MEMORY. (mesh_pieces.c) */
routh_status rt_mesh_look_at_pieces(rt_mesh *mesh, int *above, rt_arena *scratch,
                                    routh_error *error);

/* closed or open_edge; fault; volume, centre and over_mass, where none. OUT_OF_MEMORY. */
routh_status rt_mesh_measure(rt_mesh *mesh, rt_arena *scratch, routh_error *error);

#endif
