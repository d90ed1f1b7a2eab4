/* The pieces a beam is put together from. */
#ifndef RT_FLEXIBLE_BEAM_PARTS_H
#define RT_FLEXIBLE_BEAM_PARTS_H

#include "flexible/beam.h"

/* Directions of a node, along the beam's axes: u v w displacements, turns about x, y, z; in a plane
 * u, v and the turn about z. */
enum { RT_BEAM_NODE = 6, RT_BEAM_ELEMENT = 12 };

/* Moments, stiffness and shortening of one element; all elements of a beam are equal. Vectors in
 * the frame's axes; a, b = 0 .. 5 its left node, 6 .. 11 its right node. */
typedef struct rt_beam_element {
    rt_scalar length;
    rt_scalar axes[9];                                /* of the beam, columns */
    rt_scalar a[RT_BEAM_ELEMENT][3];                  /* int S_a dm */
    rt_scalar b[RT_BEAM_ELEMENT][3];                  /* int x S_a dm, x from the left end */
    rt_scalar h[RT_BEAM_ELEMENT][3];                  /* int j R_a dm */
    rt_scalar N[RT_BEAM_ELEMENT][RT_BEAM_ELEMENT][9]; /* int S_a S_b' dm */
    rt_scalar M[RT_BEAM_ELEMENT][RT_BEAM_ELEMENT];    /* int R_a.j R_b dm */
    /* of second order (section_turn.h) */
    rt_scalar J1[RT_BEAM_ELEMENT][9], J2[RT_BEAM_ELEMENT][RT_BEAM_ELEMENT][9];
    rt_scalar H_even[RT_BEAM_ELEMENT][RT_BEAM_ELEMENT][3];
    rt_scalar H_odd[RT_BEAM_ELEMENT][RT_BEAM_ELEMENT][3];
    rt_scalar K[RT_BEAM_ELEMENT][RT_BEAM_ELEMENT];    /* bending and torsion */
    rt_scalar stretch;                                /* E A l */
    rt_scalar c[RT_BEAM_ELEMENT];                     /* mean strain u', by q_a */
    rt_scalar g[RT_BEAM_ELEMENT][RT_BEAM_ELEMENT];    /* 1/l int v'v' + w'w' */
    /* what evens out the strain (beam_element.c), along the axis: int G_ab dm, int x G_ab dm */
    rt_scalar a2[RT_BEAM_ELEMENT][RT_BEAM_ELEMENT], b2[RT_BEAM_ELEMENT][RT_BEAM_ELEMENT];
    rt_scalar section[9]; /* int j dm over the element */
} rt_beam_element;

/* The beam's axes: x along it, y towards side, z = x cross y. */
void rt_beam_axes(rt_scalar axes[9], const rt_beam *beam);
rt_scalar rt_beam_length(const rt_beam *beam);
void rt_beam_element_make(rt_beam_element *element, const rt_beam *beam);

/* How many directions a node has, and which; of a plane beam the list is shorter. */
int rt_beam_directions(const rt_beam *beam, const int **directions);

/* Every node free or the first one fixed, coordinates those of the nodes. */
routh_status rt_beam_assemble(const rt_flexible **flexible, const rt_beam *beam,
                              bool first_node_fixed, rt_arena *arena, routh_error *error);

/* The same of other numbers, again and again without an allocation; where it is compiled for
 * variations it holds derivatives instead of values, where it is compiled for extended precision
 * what the numbers of `of` (else NULL), the same beam in doubles, leave. Everything lies in the
 * arena. */
typedef struct rt_beam_assembly rt_beam_assembly;
routh_status rt_beam_assembly_create(rt_beam_assembly **made, const rt_beam *beam,
                                     bool first_node_fixed, const rt_flexible *of, rt_arena *arena,
                                     routh_error *error);
const rt_flexible *rt_beam_assembly_fill(rt_beam_assembly *assembly, const rt_beam *beam);

/* The free beam in its free-free modes; rigid ones are dropped. */
routh_status rt_beam_mean_axes(const rt_flexible **flexible, const rt_beam *beam, rt_arena *arena,
                               routh_error *error);

#endif
