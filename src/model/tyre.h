/* Tyres while they are read: the contact of wheel and road, and the forces, as expressions. */
#ifndef RT_MODEL_TYRE_H
#define RT_MODEL_TYRE_H

#include "model/reader.h"

/* A wheel (centre c, axle e) and a road (axes t1, t2, n; e1, e2, e3 are e's components in them).
 * The heading of the wheel is x = e x n / s, its side y = (e - e3 n)/s, s = sqrt(e1^2 + e2^2). */
typedef struct rt_contact {
    rt_expr e[3], s;
    rt_expr height; /* of c over the road */
    rt_expr loaded; /* from c down the wheel's plane to the road, less the tube */
    rt_expr loaded_rate;
    rt_expr arm[3];        /* from c to the contact point */
    rt_expr lean;          /* camber: to the side of e positive */
    rt_expr forward;       /* velocity of c along x, seen from the road as all are */
    rt_expr speed;         /* |forward|, kept from zero */
    rt_expr sense;         /* forward/speed: its sign, but for low speeds */
    rt_expr sliding_along; /* velocity of the tread along x and y */
    rt_expr sliding_across;
} rt_contact;

/* The slips and forces in the contact. */
typedef struct rt_tyre_forces {
    rt_expr normal;
    rt_expr slip[2]; /* of the road under the wheel over its speed: longitudinal, lateral */
    rt_expr along, across, aligning;
} rt_tyre_forces;

/* effective_radius: a plain zero where the loaded one counts. Expressions that could not be made
 * are RT_NO_EXPR, and so is what is made of them. */
void rt_build_contact(rt_reader *r, const rt_written_load *w, const int markers[2], rt_contact *c);

/* along (but for a drive force), across and aligning from normal and slip. */
void rt_linear_tyre(rt_reader *r, const rt_written_tyre *t, const rt_contact *c, rt_tyre_forces *f);
void rt_magic_tyre(rt_reader *r, const rt_written_tyre *t, bool longitudinal, const rt_contact *c,
                   rt_tyre_forces *f);

#endif
