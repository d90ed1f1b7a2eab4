/* A mechanism in absolute coordinates with all its numbers, and a direction along which they
 * change: its equations are evaluated with numbers that carry the derivative along it
 * (base/scalar.h), so that the derivative of r, Phi and of every matrix of system.h comes out
 * exactly to rounding.
 *
 *     y(p + h dp, x + h dx) = y + i h dy,     h so small that h^2 is beneath any rounding
 *
 * A variation belongs to one thread; patterns are those of the mechanism of the same model in
 * absolute coordinates. This is what other sources see of it, which know no varied numbers. */
#ifndef RT_SYSTEM_VARIATION_H
#define RT_SYSTEM_VARIATION_H

#include "model/model.h"
#include "routh/mechanism.h"

typedef struct rt_variation rt_variation;

routh_status rt_variation_create(rt_variation **variation, const routh_model *model,
                                 routh_error *error);
void rt_variation_free(rt_variation *variation); /* NULL is allowed */

/* A state of the mechanism in absolute coordinates, or a change of one: `xi` instead of q. NULL in
 * a change: zero. Signals: values and their first and second rates. */
typedef struct rt_varied_state {
    double t;
    const double *q, *xi, *u, *udot, *lambda, *signal;
    const double *near; /* of a state: as rt_state has it */
} rt_varied_state;

/* A change of state that is found: xi, u, u' (n_u), lambda (n_rows), values of signals. */
typedef struct rt_moved {
    double *xi, *u, *udot, *lambda, *signal;
} rt_moved;

/* Where it stands. Its numbers are copied. still: inputs with histories stand still. */
void rt_variation_place(rt_variation *variation, const rt_varied_state *at, bool still);

/* The direction: along one parameter, those written in terms of it with it; -1: none changes. What
 * is written in the model as the configuration changes along it by xi and u (n_u each; NULL: not
 * wanted). NUMERIC_ERROR names a parameter without finite derivative. */
routh_status rt_variation_along(rt_variation *variation, int parameter, double *xi, double *u,
                                routh_error *error);

/* The same along the sum of n parameters, none of which is written in terms of another. */
routh_status rt_variation_along_all(rt_variation *variation, const int *parameters, int n,
                                    double *xi, double *u, routh_error *error);

/* What rt_variation_slope and rt_variation_uses need of it, and nothing more. */
routh_status rt_variation_find_slopes(rt_variation *variation, int parameter, routh_error *error);

/* What the typical length changes along it, which weighs turns against displacements. */
double rt_variation_length(const rt_variation *variation);

/* What the unit of an amplitude (rt_column_unit) changes along it, over itself; of other columns 0.
 */
double rt_variation_unit(const rt_variation *variation, int c);

/* A configuration q (n_q) takes a step (n_u; moved there). It changed by xi, which becomes what it
 * changes by after the step, where the step changes by `by`. */
void rt_variation_step(rt_variation *variation, double *q, double *xi, const double *step,
                       const double *by);

/* Inputs (n, by number) that are found and not as written: their changes are those of a change of
 * state. */
void rt_variation_find_inputs(rt_variation *variation, const int *inputs, int n);

/* Does a number of the model change along the direction? Of an expression of parameters. */
double rt_variation_slope(const rt_variation *variation, rt_expr e);
bool rt_variation_uses(const rt_variation *variation, rt_expr e);

/* The change of state beside the direction of parameters; inputs, time and what their histories
 * make of it change by themselves. */
routh_status rt_variation_move(rt_variation *variation, const rt_varied_state *by,
                               routh_error *error);

/* After rt_variation_move by nothing: which bodies (n_bodies; others are left as they are) have
 * numbers that change along the direction, by elements that act on them or by the axes of the
 * observer's marker (-1: ground), on ground itself. Rigid bodies. */
void rt_variation_touched(const rt_variation *variation, int observer, bool *bodies);

/* RT_EVALUATE_... of system.h. */
routh_status rt_variation_evaluate(rt_variation *variation, int what, routh_error *error);

typedef enum rt_varied_array {
    RT_VARIED_RESIDUAL, /* n_u */
    RT_VARIED_PHI,      /* n_rows; of the rates the next two */
    RT_VARIED_PHI1,
    RT_VARIED_PHI2,
    RT_VARIED_M, /* on pattern_M */
    RT_VARIED_K, /* on pattern_K */
    RT_VARIED_D,
    RT_VARIED_G, /* on pattern_G */
    RT_VARIED_VX,
    RT_VARIED_AU,
    RT_VARIED_AX,
    RT_VARIED_L,      /* on pattern_L, then on pattern_R */
    RT_VARIED_DRIVE,  /* n_driven x 3 */
    RT_VARIED_SIGNAL, /* n_signals: their change as moved */
    RT_VARIED_ARRAYS
} rt_varied_array;

/* The derivative of sensor k of a kind (system/sensor.h), after RT_EVALUATE_RESIDUAL: of its value
 * and, partials wanted (NULL: not), of by_x, by_u, by_a, by_lambda, by_signal in a row. */
routh_status rt_variation_sensor(rt_variation *variation, int kind, int k, double *value,
                                 double *partials, routh_error *error);

/* The derivative of what is shown of each body (n_bodies), in world axes, after
 * rt_variation_evaluate: centre of mass, rotation, and of its frame v and w. */
typedef struct rt_varied_body {
    double position[3], rotation[3], velocity[3], angular_velocity[3];
} rt_varied_body;

void rt_variation_bodies(const rt_variation *variation, rt_varied_body *bodies);

/* That of force and torque on the first marker of each constraint, then of each load, in world
 * axes: n_constraints + n_loads of them. */
void rt_variation_wrenches(rt_variation *variation, double (*wrenches)[6]);

/* The moving frame of a steady motion, with the world's axes at present: its turn w, and what that
 * changes by. */
void rt_variation_turn(rt_variation *variation, const double w[3], const double by[3]);

/* The derivative of a row of methods/method.h's rt_state_row on its columns (ascending, n), s_x,
 * w_x, a_u, a_x one after another (4 n): of component `component` (0 .. 5) of a body along the
 * axes of the observer's marker (-1: ground, below that
 * the moving frame), or of user state j. */
void rt_variation_component(rt_variation *variation, int body, int component, int observer,
                            const int *columns, int n, double *out);
void rt_variation_user_state(rt_variation *variation, int j, const int *columns, int n,
                             double *out);

/* The derivative of one of them along direction and change. Returns how many there are. */
int rt_variation_read(const rt_variation *variation, rt_varied_array which, double *out);

#endif
