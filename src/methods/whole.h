/* The whole response: how everything moves with states, controllers and inputs (EQUATIONS.md).
 *
 * Causes p move the mechanism through three levels, each with its right-hand side:
 *     position   G xi = -a in,                                     s_x xi = S    (holonomic rows)
 *     velocity   G du + V_x xi = -(a' in + a in'),                 w_u du + w_x xi = W
 *     motion     M u' + (G'+L) lambda = -(D du + K xi + R signal)
 *     rows       G u' = -(A_u du + A_x xi + a'' in + 2 a' in' + a in'')
 * with a = dPhi/din (workspace->drive). */
#ifndef RT_METHODS_WHOLE_H
#define RT_METHODS_WHOLE_H

#include "methods/manifold.h"
#include "system/sensor.h"

typedef enum rt_cause_kind {
    RT_CAUSE_S,
    RT_CAUSE_W,
    RT_CAUSE_SIGNAL, /* a state of a controller; in an open loop also its rate, or a variable */
    RT_CAUSE_IN,     /* moves the input's signal too */
    RT_CAUSE_IN1,
    RT_CAUSE_IN2,
} rt_cause_kind;

typedef struct rt_cause {
    rt_cause_kind kind;
    int k; /* state, velocity state, place among the signals, or input */
} rt_cause;

/* Where the columns of a response begin; those of an open loop are followed by the rates of control
 * states and the variables, held fixed one by one. */
typedef struct rt_layout {
    int S, W, X, in, in1, in2, rate, variable;
    int n; /* closed: up to `rate` */
} rt_layout;

rt_layout rt_response_layout(const rt_method_task *task);

/* A response with room for the columns, zero; causes: of each column. */
routh_status rt_response_take(rt_response *response, const rt_method_task *task, bool open,
                              rt_cause **causes, rt_arena *arena, routh_error *error);

/* xi and du of every column, by the two manifolds (position; velocity, which may be one and the
 * same where all rows are holonomic). */
routh_status rt_response_motion(rt_response *response, const rt_cause *causes,
                                const rt_method_task *task, const rt_manifold *position,
                                const rt_manifold *velocity, routh_error *error);

/* b (n) += the right-hand side of motion, rows (by slots of the manifold) += that of G u'. */
void rt_response_forces(const rt_response *response, const rt_cause *cause, int column,
                        const rt_method_task *task, double *b);
void rt_response_rows(const rt_response *response, const rt_cause *cause, int column,
                      const rt_method_task *task, const rt_manifold *velocity, double *rows);

/* Does any function of the model use the force of a joint? Else a method may leave the multipliers
 * of the response zero. */
bool rt_uses_joint_forces(const routh_mechanism *mechanism);

/* A sensor's change in a column: by motion, multipliers and the cause's own signal; rates and
 * variables of the response (closed) counted where with_signals. */
double rt_sensor_change(const rt_sensor_row *row, const rt_response *response,
                        const rt_cause *cause, int column, const rt_method_task *task,
                        bool with_signals);

/* A method's way from the two manifolds to the closed response. */
typedef routh_status (*rt_whole_solver)(const rt_method_task *task, const rt_manifold *position,
                                        const rt_manifold *velocity, rt_response *response,
                                        rt_arena *arena, routh_error *error);

routh_status rt_whole_augmented(const rt_method_task *task, const rt_manifold *position,
                                const rt_manifold *velocity, rt_response *response, rt_arena *arena,
                                routh_error *error);
routh_status rt_whole_minimal(const rt_method_task *task, const rt_manifold *position,
                              const rt_manifold *velocity, rt_response *response, rt_arena *arena,
                              routh_error *error);

/* Makes the manifolds, runs the solver, and fills the sensitivity. */
routh_status rt_whole_run(const rt_method_task *task, rt_whole_solver solver, rt_arena *arena,
                          rt_sensitivity *out, routh_error *error);

/* The parts of a sensitivity that follow from its response. */
routh_status rt_whole_finish(const rt_method_task *task, rt_arena *arena, rt_sensitivity *out,
                             routh_error *error);

/* The loop closed: of an open response, with (X', V) found from the equations of controllers and
 * variables,
 *     J [X'; V] = -e,     J = columns of the equations by X' and V,
 * the closed one. SINGULAR names the elements of an algebraic loop. */
routh_status rt_close_loop(const rt_response *open, const rt_cause *causes,
                           const rt_method_task *task, rt_response *closed, rt_arena *arena,
                           routh_error *error);

/* Explains a singular loop: `null`, n_x + n_v, its null vector. */
routh_status rt_fail_loop(const rt_method_task *task, const double *null, routh_error *error);

#endif
