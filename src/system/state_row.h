/* The rows of states on xi, u, u' (methods/method.h, rt_state_row), of rt_scalar. */
#ifndef RT_SYSTEM_STATE_ROW_H
#define RT_SYSTEM_STATE_ROW_H

#include "system/system.h"

/* A covector on a marker's frame, components `first` to `first` + `count` - 1 of six, with its two
 * time derivatives: S = p xi_frame. */
typedef struct rt_covector {
    int first, count;
    const rt_scalar *p, *p1, *p2;
} rt_covector;

/* row (s_x, w_x, a_u, a_x one after another, n each on ascending columns) +=
 *     s_x: p J,                  w_x: p J1 + p' J,
 *     a_u: p J2u + 2 p' J,       a_x: p J2x + 2 p' J1 + p'' J */
void rt_state_row_add(const routh_mechanism *m, const rt_workspace *w, const rt_state *state,
                      int marker, const rt_covector *covector, const int *columns, int n,
                      rt_scalar *row);

/* The row of component `component` (0 .. 5) of a body along the axes of the observer's frame. */
void rt_component_row(const routh_mechanism *m, const rt_workspace *w, const rt_state *state,
                      const rt_frame *observer, int body, int component, const int *columns, int n,
                      rt_scalar *row);

/* The row of a user's state; work: of its program. */
void rt_user_state_row(const routh_mechanism *m, const rt_workspace *w, const rt_state *state,
                       const rt_program *program, rt_scalar *work, const int *columns, int n,
                       rt_scalar *row);

#endif
