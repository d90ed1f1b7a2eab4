/* What a variation is made of, for the sources that make it (variation.h): its direction
 * (variation_slopes.c), the rows of states (variation_rows.c), all else (variation.c). */
#ifndef RT_SYSTEM_VARIATION_WORK_H
#define RT_SYSTEM_VARIATION_WORK_H

#include "flexible/damping_slope.h"
#include "model/made.h"
#include "system/sensor.h"
#include "system/variation.h"

/* Imaginary parts are derivatives times this: far below rounding, far above underflow, and a power
 * of two, so that they are read without rounding. */
static const double rt_variation_h = 0x1p-133, rt_variation_per_h = 0x1p133;

/* Numbers that are made: derivatives of what goes in, for which those of what comes out are in
 * by_parameter; and of what goes in now. */
typedef struct rt_variation_making {
    double *done, *in, *out;
} rt_variation_making;

struct rt_variation {
    rt_arena arena;
    const routh_model *model;
    routh_mechanism *m;
    rt_workspace *w;
    rt_state *state, *start;
    rt_slopes along;
    double *by_expr, *by_parameter, by_length;
    bool still;
    bool start_varied; /* what is taken from the configuration as written, along the last one */
    int n_found;       /* inputs that are found, not as written */
    const int *found;
    rt_scalar turn[3];            /* of the moving frame */
    rt_variation_making *makings; /* of the model's */
    rt_beam_slopes **beams;       /* by body; NULL: its shape depends on no parameter */
    rt_damping_slope **damped;    /* by body: a reduced one with a damping ratio; else NULL */
    const rt_flexible **shapes;   /* by body: derivatives; NULL: there are none */
    void *making_work;
    /* the expressions in parameters and made numbers alone, as one tape */
    int n_expr;
    rt_expr *expr;
    const rt_tape *tape;
    rt_scalar *inputs, *outputs, *work;
    /* the place */
    double t, *q, *u, *udot, *lambda, *signal;
    rt_sensor_row *rows[RT_SENSOR_KINK]; /* of the kinds that have partials */
    rt_program *states;                  /* the user's */
    rt_scalar *state_work, *row;
};

/* Numbers with derivatives; along -1 after it. */
routh_status rt_variation_compile_slopes(rt_variation *v, routh_error *error);
routh_status rt_variation_compile_rows(rt_variation *v, routh_error *error);

/* xi (n_u) by which q changes. */
void rt_variation_read_place(const routh_mechanism *m, const rt_scalar *q, double *xi);

#endif
