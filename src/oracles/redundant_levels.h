/* The levels of the redundant method's pencil in motion, and with signals; of redundant_levels.c,
 * redundant_sizes.c and redundant_fill.c alone. */
#ifndef RT_ORACLES_REDUNDANT_LEVELS_H
#define RT_ORACLES_REDUNDANT_LEVELS_H

#include <math.h>

#include "methods/redundant_parts.h"
#include "system/sensor.h"

/* What the basis carries beside what varies (rt_varied). */
enum {
    RT_PART_S = RT_VARIED_N,
    RT_PART_W,
    RT_PART_X,
    RT_PART_IN,
    RT_PART_IN1,
    RT_PART_IN2,
    RT_N_PARTS
};

typedef struct rt_redundant_levels {
    rt_parts p;
    const rt_method_task *task;
    const rt_state_row *rates;                   /* z1 rows */
    int z1, n_x, n_v, n_in, n_signals, n_driven; /* of signals 0 but for whole responses */
    int m_position;                              /* independent rows of position level */
    int *position_slot;
    double *in_size;             /* n_in */
    double *x_size;              /* n_x */
    double *v_size;              /* n_v */
    double *size;                /* z + z1: of states and rates */
    double by_mass, lambda_size; /* motion rows are divided by rate^2 / by_mass */
    double *work;
    int n_c;                   /* columns of the basis */
    rt_dense part[RT_N_PARTS]; /* columns 0 where not reached */
    rt_arena *arena;
} rt_redundant_levels;

/* The equation of control state k, or of variable k - n_x. */
static inline const rt_sensor_row *rt_levels_sensor(const rt_redundant_levels *q, int k)
{
    return k < q->n_x ? &q->task->equations[k] : &q->task->variables[k - q->n_x];
}

/* The size of signal j of the mechanism's list, with time counted in 1/rate. */
static inline double rt_levels_signal_size(const rt_redundant_levels *q, int j)
{
    if (j < q->n_x) return q->x_size[j];
    if (j < 2 * q->n_x) return q->x_size[j - q->n_x] * q->p.rate;
    j -= 2 * q->n_x;
    return j < q->n_v ? q->v_size[j] : q->in_size[j - q->n_v];
}

/* A power of two, so that nothing is rounded. */
static inline double rt_power_of_two(double x)
{
    return x > 0 && isfinite(x) ? exp2(round(log2(x))) : 1;
}

/* What everything is counted in: states, forces, signals (redundant_sizes.c). */
routh_status rt_levels_find_sizes(rt_redundant_levels *q, routh_error *error);

/* The pencil, once all levels are done (redundant_fill.c). */
routh_status rt_levels_fill(rt_redundant_levels *q, rt_finite_pencil *out, routh_error *error);

#endif
