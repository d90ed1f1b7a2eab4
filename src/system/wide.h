/* A mechanism in absolute coordinates whose equations are evaluated with numbers of 113 bits
 * (base/scalar.h, RT_WIDE): the same sources, the same patterns, the numbers of the model exact as
 * they are written in double, all that follows from them rounded at 1e-34. It is given and read as
 * sums of two doubles.
 *
 * It belongs to one thread. This is what other sources see of it. Where a compiler has no such
 * numbers rt_wide_create gives NOT_SUPPORTED. */
#ifndef RT_SYSTEM_WIDE_H
#define RT_SYSTEM_WIDE_H

#include "base/double_double.h"
#include "system/variation.h"

typedef struct rt_wide rt_wide;

bool rt_wide_exists(void);
routh_status rt_wide_create(rt_wide **wide, const routh_model *model, routh_error *error);
void rt_wide_free(rt_wide *wide); /* NULL is allowed */

/* Where it stands; signals with their rates. held (n_inputs; NULL: none): inputs whose histories
 * are over. Inputs with histories take the values of these, and their rates where they have any. */
routh_status rt_wide_place(rt_wide *wide, const rt_varied_state *at, const bool *held,
                           routh_error *error);

/* The state as it stands is kept, and taken again. */
void rt_wide_keep(rt_wide *wide);
void rt_wide_return(rt_wide *wide);

/* The configuration moves along xi (n_u). */
void rt_wide_advance(rt_wide *wide, const rt_dd *xi);

typedef enum rt_wide_part {
    RT_WIDE_U,
    RT_WIDE_UDOT,
    RT_WIDE_LAMBDA, /* n_rows */
    RT_WIDE_SIGNAL, /* n_signals: values */
} rt_wide_part;

/* A part of the state += change. */
void rt_wide_add(rt_wide *wide, rt_wide_part part, const rt_dd *change);

/* Every number of bodies, markers and loads, and the state, changed as much as rounding to doubles
 * may, by a fixed sequence that goes on from *seed: to learn what that rounding does. Its numbers
 * stay so. */
void rt_wide_shake(rt_wide *wide, unsigned long long *seed);

/* The same for states that are balanced then, so that places alone do not say what rounding does:
 * also what follows from places, far from the origin, as lengths of elements; axes within an
 * element rotate as a whole, as rigid motions strain nothing. The state has been evaluated, or one
 * that lies near. */
void rt_wide_shake_all(rt_wide *wide, unsigned long long *seed);

/* RT_EVALUATE_... of system.h. */
routh_status rt_wide_evaluate(rt_wide *wide, int what, routh_error *error);

/* One of the arrays as evaluated; how many there are. */
int rt_wide_read(const rt_wide *wide, rt_varied_array which, rt_dd *out);

/* Sensor k of a kind (system/sensor.h), after RT_EVALUATE_RESIDUAL: its value and (partials NULL:
 * not) by_x, by_u, by_a, by_lambda, by_signal in a row. */
routh_status rt_wide_sensor(rt_wide *wide, int kind, int k, rt_dd *value, rt_dd *partials,
                            routh_error *error);

/* By how much the motion as evaluated accelerates against one that is carried by a frame which
 * turns at w and whose origin moves uniformly (n_u, as u'): of each body a - w x v and al - w x
 * omega, the latter in its own axes, and of elastic coordinates their accelerations. */
void rt_wide_unsteadiness(const rt_wide *wide, const double w[3], rt_dd *udot);

/* The moving frame of a steady motion, its axes the world's at present. */
void rt_wide_turn(rt_wide *wide, const double w[3]);

/* The row (4 n: s_x, w_x, a_u, a_x) of a component of a body along the axes of the observer's
 * marker (-1: ground, below that the moving frame), or of user state j. */
void rt_wide_component(rt_wide *wide, int body, int component, int observer, const int *columns,
                       int n, rt_dd *row);
void rt_wide_user_state(rt_wide *wide, int j, const int *columns, int n, rt_dd *row);

#endif
