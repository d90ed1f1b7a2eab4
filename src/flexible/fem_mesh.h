/* Nodes and what is drawn between them. */
#ifndef RT_FLEXIBLE_FEM_MESH_H
#define RT_FLEXIBLE_FEM_MESH_H

#include "flexible/fem_text.h"

typedef enum rt_fe_shape {
    RT_FE_LINE,
    RT_FE_TRIANGLE,
    RT_FE_QUADRANGLE,
    RT_FE_TETRAHEDRON,
    RT_FE_WEDGE,
    RT_FE_HEXAHEDRON,
    RT_FE_OTHER, /* not drawn */
} rt_fe_shape;

/* Numbers of the file. A face of a solid that two elements share is not on the surface. */
typedef struct rt_fe_face {
    int node[4]; /* the last 0 for a triangle */
    int key[4];  /* the same, ascending */
    bool solid;
} rt_fe_face;

typedef struct rt_fe_mesh {
    const char *path;
    int n_nodes, room_nodes;
    int *number;
    double *X;
    int n_lines, room_lines;
    int *lines; /* pairs of numbers */
    int n_faces, room_faces;
    rt_fe_face *faces;
} rt_fe_mesh;

routh_status rt_fe_add_node(rt_fe_mesh *mesh, int number, const double X[3], routh_error *error);
routh_status rt_fe_add_element(rt_fe_mesh *mesh, rt_fe_shape shape, const int *corners,
                               routh_error *error);
int rt_fe_corners(rt_fe_shape shape);
void rt_fe_mesh_free(rt_fe_mesh *mesh);

routh_status rt_fe_input(rt_fe_text *text, rt_fe_mesh *mesh, routh_error *error); /* Abaqus */
routh_status rt_fe_frd(rt_fe_text *text, rt_fe_mesh *mesh, routh_error *error);
routh_status rt_fe_bulk(rt_fe_text *text, rt_fe_mesh *mesh, routh_error *error); /* Nastran */
routh_status rt_fe_plain(rt_fe_text *text, rt_fe_mesh *mesh, routh_error *error);

/* By the kind of file; nodes ascending afterwards. MODEL_ERROR where a number comes twice. */
routh_status rt_fe_mesh_read(const char *path, rt_fe_mesh *mesh, routh_error *error);

#endif
