/* Parts of the exact response (extended.h). */
#ifndef RT_METHODS_EXTENDED_PARTS_H
#define RT_METHODS_EXTENDED_PARTS_H

#include "methods/extended.h"
#include "methods/whole.h"
#include "system/wide.h"

/* A factored matrix. */
typedef struct rt_extended_factor {
    int n;
    rt_dd *a;
    int *pivots;
} rt_extended_factor;

/* Rows of states, or of sensors: which columns they have, and their numbers. */
typedef struct rt_extended_rows {
    int n;
    const rt_state_row *at; /* columns */
    rt_dd **row;            /* 4 n each */
} rt_extended_rows;

typedef struct rt_extended_sensors {
    int n;
    rt_sensor_kind kind;
    rt_sensor_row *at; /* columns and places */
    rt_dd *value, **row;
} rt_extended_sensors;

typedef struct rt_extended_work {
    const rt_method_task *task;
    const routh_mechanism *m;
    rt_arena *arena;
    rt_wide *wide;
    int n, n_x, n_v, order;
    int n_held, n_rows;    /* independent rows of position level, and all */
    int *held_slot, *slot; /* n_rows of the mechanism: place among these, or -1 */
    rt_extended_rows states, rates;
    rt_extended_sensors equations, variables, outputs;
    rt_dd *M, *K, *D, *G, *Vx, *Au, *Ax, *L, *drive, *residual, *phi[3];
    rt_extended_factor position, velocity, motion; /* velocity may be position's */
    rt_dd *full;                                   /* rows of the mechanism */
    rt_dd *column;                                 /* z + z1 + n_x */
} rt_extended_work;

/* Columns as of rt_response (methods/method.h). */
typedef struct rt_extended_response {
    int n_columns;
    rt_cause *causes;
    rt_dd *xi, *u; /* n each */
    rt_dd *y;      /* order each: u', lambda of the independent rows, X', V */
} rt_extended_response;

/* Numbers of the state as it stands: everything evaluated, matrices factored. */
routh_status rt_extended_evaluate(rt_extended_work *work, routh_error *error);

/* The state made consistent, and evaluated. */
routh_status rt_extended_settle(rt_extended_work *work, routh_error *error);

/* The same by the factors at hand, of a state that lies near; nothing is evaluated but what that
 * asks for. */
routh_status rt_extended_follow(rt_extended_work *work, routh_error *error);

/* The state settled in equilibrium, or in the steady motion of a frame that turns at `turn`, with
 * all digits; left as it is where it is not near one. */
routh_status rt_extended_balance(rt_extended_work *work, const double turn[3], routh_error *error);

/* Of a state: of the configuration, of velocities, and of signals. */
typedef struct rt_extended_motion {
    rt_dd *xi, *u, *signal;
} rt_extended_motion;

enum { RT_EXTENDED_STEPS = 8 };

/* Factors of a state that samples about it are balanced by (extended_fine.c). */
typedef struct rt_extended_fine {
    const double *turn;
    int rows, columns, rank; /* z1 + n_x, z + n_x; pivots */
    rt_dd *J;                /* its factors, rows x columns */
    double *by_row, *by_column;
    int *row, *column; /* which are in place k */
    double least;      /* residual that rounding leaves */
    double near;       /* the longest step, typical lengths or radians */
    rt_dd *residual, *solution, *step, *udot, *signal;
    rt_extended_motion motion[RT_EXTENDED_STEPS]; /* of each step */
} rt_extended_fine;

/* The state balanced with all digits however stiff some of its parts are, its response, and factors
 * for others: NUMERIC_ERROR where it is not near a balance. */
routh_status rt_extended_fine_balance(rt_extended_fine *fine, rt_extended_work *work,
                                      const double turn[3], rt_extended_response *response,
                                      routh_error *error);

/* A state with other numbers, near that of the factors: consistent, balanced, and evaluated.
 * NUMERIC_ERROR where its balance is not near. */
routh_status rt_extended_fine_sample(rt_extended_fine *fine, rt_extended_work *work,
                                     rt_extended_response *response, routh_error *error);

routh_status rt_extended_respond(rt_extended_work *work, rt_extended_response *response,
                                 routh_error *error);

/* y (rows of the pattern) += sign (values on the pattern) x */
void rt_extended_add(const rt_pattern *pattern, const rt_dd *values, double sign, const rt_dd *x,
                     rt_dd *y);

/* One of the four lists of a row (part 0 .. 3) times x. */
rt_dd rt_extended_row_times(const rt_extended_rows *rows, int k, int part, const rt_dd *x);

/* A sensor's change in a column of the response (rt_sensor_change). */
rt_dd rt_extended_sensor_change(const rt_extended_work *work, const rt_extended_sensors *sensors,
                                int k, const rt_extended_response *response, int column,
                                bool closed);

/* A sample of the noise of A, from the response with numbers that are changed a little. */
void rt_extended_compare(const rt_extended_work *work, const rt_extended_response *response,
                         int sample, rt_extended *x);

/* The matrices, in the arena. */
routh_status rt_extended_state_space(const rt_extended_work *work,
                                     const rt_extended_response *response, rt_arena *arena,
                                     rt_extended *out, routh_error *error);

#endif
