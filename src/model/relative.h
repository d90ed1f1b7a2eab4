/* How two markers stand and move relative to each other, as expressions; what joints and loads that
 * the reader writes out are made of. Axes are fixed in markers. */
#ifndef RT_MODEL_RELATIVE_H
#define RT_MODEL_RELATIVE_H

#include "model/reader.h"

/* Axis k of a marker, of a triad in it, or any direction given by its components there. */
rt_vector rt_marker_axis(int marker, int k);
rt_vector rt_triad_axis(int marker, const double triad[9], int k);
rt_vector rt_fixed_axis(int marker, const double components[3]);

/* The difference of two markers: r_i - r_j and the like. */
rt_vector rt_between_markers(rt_vector_kind kind, int i, int j);

/* a . (r_i - r_j) */
rt_expr rt_relative_position(rt_reader *r, const rt_vector *a, int i, int j);

/* a . (v_i - v_j - w_j x (r_i - r_j)): the velocity of i seen from j, along a. */
rt_expr rt_relative_velocity(rt_reader *r, const rt_vector *a, int i, int j);

/* a . (w_i - w_j) */
rt_expr rt_relative_omega(rt_reader *r, const rt_vector *a, int i, int j);

/* The angle about z of the triad, from x in j to x in i, within half a turn. */
rt_expr rt_relative_angle(rt_reader *r, const double triad[9], int i, int j);

/* The component along a of the force, or torque, that a joint exerts on its first marker. */
rt_expr rt_reaction_along(rt_reader *r, int joint, bool torque, const rt_vector *a);

#endif
