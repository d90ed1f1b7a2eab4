/* Sensors: scalar functions of the mechanism, with first partials.
 *
 *     g = g(frames at three levels, lambda, signals, t),
 *     dg = g_x xi + g_u du + g_a du' + g_lambda dlambda + g_signal dsignal
 *
 * The equations of controllers, the values of variables, outputs, kinks and events are sensors,
 * those from kinks on without partials. They need a workspace in which r was evaluated at the state
 * (the maps of frames), and fill rows of their own. In coordinates that bodies share they are read
 * on the inner mechanism's frames. */
#ifndef RT_SYSTEM_SENSOR_H
#define RT_SYSTEM_SENSOR_H

#include "system/system.h"

typedef enum rt_sensor_kind {
    RT_SENSOR_STATE,    /* d(x', x, ...) of control state k */
    RT_SENSOR_VARIABLE, /* v - value(...) of variable k */
    RT_SENSOR_OUTPUT,
    RT_SENSOR_PRESCRIBED, /* a measure that must have a value in a steady motion */
    /* the ones from here on have no partials */
    RT_SENSOR_KINK,        /* its distance */
    RT_SENSOR_JUMP,        /* of kink k: whether it is one at the state (rt_kink.jump) */
    RT_SENSOR_STEP,        /* of kink k: by how much values differ on its sides (rt_kink.step) */
    RT_SENSOR_ARGUMENT,    /* of a function of the caller: model->function_arguments */
    RT_SENSOR_EVENT,       /* what crosses zero */
    RT_SENSOR_EVENT_VALUE, /* what it sets */
    RT_SENSOR_N_KINDS
} rt_sensor_kind;

/* A sensor's value and partials. Columns of u ascending; entries of g_x, g_u, g_a on them. Places
 * of lambda are rows of Phi, of signal places among the signals. */
typedef struct rt_sensor_row {
    rt_scalar value;
    int n_columns;
    int *columns;
    rt_scalar *by_x, *by_u, *by_a;
    int n_lambda;
    int *lambda;
    rt_scalar *by_lambda;
    int n_signals;
    int *signals;
    rt_scalar *by_signal;
} rt_sensor_row;

/* How many of a kind; 0 .. count - 1 in the model's order. */
int rt_sensor_count(const routh_mechanism *mechanism, rt_sensor_kind kind);

/* Does it depend on accelerations, on joint forces or on forces of loads? */
bool rt_sensor_feels(const routh_mechanism *mechanism, rt_sensor_kind kind, int k);

/* Is the signal at that place an argument of its expression? Of a variable: of its value. */
bool rt_sensor_reads(const routh_mechanism *mechanism, rt_sensor_kind kind, int k, int place);

/* Is time itself an argument of its expression? */
bool rt_sensor_reads_time(const routh_mechanism *mechanism, rt_sensor_kind kind, int k);

/* Rows with room for count sensors of that kind, in the arena; columns and places are filled. */
routh_status rt_sensor_rows(const routh_mechanism *mechanism, rt_sensor_kind kind,
                            rt_sensor_row **rows, rt_arena *arena, routh_error *error);

/* Numbers of sensor k of the kind into row (partials: those too). NUMERIC_ERROR names the element
 * where one is not finite. Allocates nothing. */
routh_status rt_sensor_evaluate(const routh_mechanism *mechanism, rt_workspace *workspace,
                                const rt_state *state, rt_sensor_kind kind, int k, bool partials,
                                rt_sensor_row *row, routh_error *error);

/* The value as it is, finite or not; false where it uses the force of a load that has no direction
 * here. Of a variable value(...). Allocates nothing. */
bool rt_sensor_value(const routh_mechanism *mechanism, rt_workspace *workspace,
                     const rt_state *state, rt_sensor_kind kind, int k, rt_scalar *value);

/* The element to name ("controller pid") and its place. */
void rt_sensor_describe(const routh_mechanism *mechanism, rt_sensor_kind kind, int k,
                        char element[192], rt_place *place);

#endif
