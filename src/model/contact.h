/* What friction, contact and limits share while they are read. Each becomes a force and a torque
 * between two markers whose components are expressions of measures, so that every derivative,
 * coordinate set and method is that of such expressions. */
#ifndef RT_MODEL_CONTACT_H
#define RT_MODEL_CONTACT_H

#include "model/relative.h"

/* One load that is being written out. */
typedef struct rt_contact_writing {
    rt_reader *r;
    const rt_kind *kind;
    rt_given given;
    const rt_yaml *node;
    rt_written_contact *w;
    rt_load *load;
} rt_contact_writing;

void rt_default_contact(rt_written_contact *w);

/* Fill the load (friction.c, contact.c, limit.c). */
routh_status rt_expand_friction(const rt_contact_writing *x);
routh_status rt_expand_contact(const rt_contact_writing *x);
routh_status rt_expand_limit(const rt_contact_writing *x);

/* ---- for them (contact_laws.c) --------------------------------------------------------------- */

bool rt_contact_has(const rt_contact_writing *x, const char *field);
rt_expr rt_contact_number(const rt_contact_writing *x, rt_number number);

/* The place of a field, of the load where the field is not given. */
rt_place rt_contact_place(const rt_contact_writing *x, const char *field);

/* Fails where a field that was given is known to be of another dimension than this unit; else its
 * number is taken out of the model's, where the field alone does not say which that is. */
routh_status rt_contact_take_unit(const rt_contact_writing *x, const char *field, const char *unit,
                                  rt_number *number);
/* Stiffness and damping, of an exponent that is known: of displacements, or of angles. */
routh_status rt_contact_take_units(const rt_contact_writing *x, bool angle);

/* The joint that the load is of; its markers become the load's, and the components are counted in
 * the axes of the second. */
routh_status rt_contact_joint(const rt_contact_writing *x, const rt_joint **joint, int *index);

/* The law of friction: its numbers, checked and with their defaults; at_rest and sliding are
 * coefficients, or levels; turns: of torques, the slip an angular velocity. */
typedef struct rt_rubbing {
    rt_number at_rest, sliding, stiction_velocity, dynamic_velocity;
} rt_rubbing;
routh_status rt_read_rubbing(const rt_contact_writing *x, bool turns, rt_rubbing *rubbing);

/* phi of s.s, s the slip: the force is -phi N s. */
rt_expr rt_rubbing_ratio(const rt_contact_writing *x, const rt_rubbing *rubbing,
                         rt_expr slip_squared);

/* The force of a compression of that depth, negative where there is none, and its rate. */
rt_expr rt_compression(const rt_contact_writing *x, rt_expr depth, rt_expr rate);
routh_status rt_check_exponent(const rt_contact_writing *x);

/* Adds value times fixed components to the force (part 0) or the torque (3) on the first marker;
 * `finish` fails where one could not be made. */
void rt_add_along(const rt_contact_writing *x, int part, const double components[3], rt_expr value);
routh_status rt_finish_components(const rt_contact_writing *x);

#endif
