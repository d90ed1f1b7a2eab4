/* A scalar function of the configuration for each column of u, whose rate begins with that column:
 * coordinates of a state-space form.
 *
 * Numbers of q are their own functions. Of a turn, with p the unit quaternion from a reference to
 * the present orientation and w its body-fixed angular velocity, one axis k is the turn's first:
 * that about which it turns fastest at the reference, z where it rests. With i, j the other two in
 * cyclic order the functions are the twist about k, through any number of turns, and the tilt of
 * axis k that goes before it (p = tilt o twist),
 *     D   = p_0^2 + p_k^2,
 *     v_k = 2 atan2(p_k, p_0),
 *     v_i = 2 atan2(N_i, D),   N_i = p_0 p_i - p_k p_j,
 *     v_j = 2 atan2(N_j, D),   N_j = p_0 p_j + p_k p_i.
 * Of each v = 2 atan2(N, E), quadratic or linear forms of p alike,
 *     v'  = 2 (E N' - N E') / r,          r = N^2 + E^2,
 *     v'' = 2 (E N'' - N E'') / r - v' r' / r,
 *     p_0' = -p.w / 2,                    p' = (p_0 w + p x w) / 2,
 * where the parts -w^2/4 p of p'' drop out of E N'' - N E''. At the reference v_k' = w_k, likewise
 * i and j. Only where D = 0 axis k has turned over, and the functions end. */
#ifndef RT_MOTION_CHART_H
#define RT_MOTION_CHART_H

#include "system/system.h"

typedef struct rt_turn {
    int column; /* the first of three */
    int q;      /* where its quaternion is in q; -1: it is the orientation of the body */
    int body;
    double reference[4];
    int first;   /* 0 to 2: the axis that it may turn about without end */
    double p[4]; /* from the reference to the present orientation */
} rt_turn;

typedef struct rt_coordinate_chart {
    const routh_mechanism *m;
    int n_turns;
    rt_turn *turn;
    int *place; /* n_u: which number of q the column moves; of turns -1 - turn */
} rt_coordinate_chart;

/* v of one column: v' = sum over i < n of row[i] u[first + i], v'' = the same of u' + bend. */
typedef struct rt_chart_value {
    double value, rate, bend;
    int n, first;
    double row[3];
    double room; /* D; 1 for numbers of q */
} rt_chart_value;

/* Its memory is the arena's. */
routh_status rt_chart_create(rt_coordinate_chart *chart, const routh_mechanism *m, rt_arena *arena,
                             routh_error *error);

/* The present orientations become the references; frames must be evaluated. */
void rt_chart_refer(rt_coordinate_chart *chart, const rt_workspace *w, const rt_state *state);

/* The present orientations, before values are asked for; frames must be evaluated. */
void rt_chart_look(rt_coordinate_chart *chart, const rt_workspace *w, const rt_state *state);
void rt_chart_value_of(const rt_coordinate_chart *chart, const rt_state *state, int column,
                       rt_chart_value *out);

/* target - v; of turns without whole turns. */
double rt_chart_lack(const rt_coordinate_chart *chart, int column, double target, double value);

#endif
