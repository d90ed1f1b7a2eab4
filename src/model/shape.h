/* The shapes of rigid bodies: how they are drawn, and mass and inertia of those that are filled. */
#ifndef RT_MODEL_SHAPE_H
#define RT_MODEL_SHAPE_H

#include "model/mesh.h"
#include "model/number.h"

typedef enum rt_shape_kind {
    RT_SHAPE_BOX,       /* sides along x, y, z */
    RT_SHAPE_CYLINDER,  /* radius, length */
    RT_SHAPE_TUBE,      /* radius, inner radius, length */
    RT_SHAPE_SPHERE,    /* radius */
    RT_SHAPE_CAPSULE,   /* radius, length between the centres of its half spheres */
    RT_SHAPE_CONE,      /* radius of its base, length; the origin at its centre of mass */
    RT_SHAPE_WHEEL,     /* radius, width */
    RT_SHAPE_PLATE,     /* length, width, thickness along x, y, z */
    RT_SHAPE_EXTRUSION, /* length along z of an outline in x and y */
    RT_SHAPE_MESH,      /* 1 or -1 along x, y, z: in a mirrored part */
    RT_SHAPE_KINDS
} rt_shape_kind;

/* Round shapes stand about their z, centred in their origin, which is their centre of mass. So is
 * that of an extrusion, and of a mesh unless it is placed by the origin of its file. */
typedef struct rt_shape {
    rt_shape_kind kind;
    rt_number size[3];        /* m, as the kind says */
    rt_number position[3];    /* of its origin from the centre of mass, body axes, m */
    rt_number orientation[9]; /* its axes as columns, body axes */
    const char *color;        /* "#rrggbb", or NULL */
    rt_number *outline;       /* of an extrusion: x and y of each corner */
    int n_outline;
    const rt_mesh *mesh; /* of a mesh */
    double origin[3];    /* the point of the file's axes that is in the shape's origin, m */
} rt_shape;

/* "box", ..; NULL: not a kind. */
const char *rt_shape_name(int kind);

/* How many of its sizes the kind has, 1 to 3. */
int rt_shape_sizes(int kind);

/* A solid that is filled evenly, in its axes: its volume, and its inertia about its centre of mass
 * over its mass, row-major (shape_fill.c). */
typedef struct rt_fill {
    rt_number volume, over_mass[9];
} rt_fill;

rt_fill rt_shape_fill(rt_calculator *c, const rt_shape *shape);

/* Moves the corners of an extrusion so that their origin is the centre of its area. */
void rt_centre_outline(rt_calculator *c, rt_shape *shape);

#endif
