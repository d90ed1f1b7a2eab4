/* The surface of a mesh, in triangles, and its lines. */
#ifndef RT_FLEXIBLE_FEM_SURFACE_H
#define RT_FLEXIBLE_FEM_SURFACE_H

#include "flexible/fem_mesh.h"
#include "flexible/reduced.h"

/* Fills lines and triangles of fe; the faces of the mesh are put in order. */
routh_status rt_fe_surface(rt_fe_model *fe, rt_fe_mesh *mesh, rt_arena *arena, routh_error *error);

#endif
