#include "system/state_row.h"

#include <string.h>

void rt_state_row_add(const routh_mechanism *m, const rt_workspace *w, const rt_state *state,
                      int marker, const rt_covector *v, const int *columns, int n, rt_scalar *row)
{
    rt_motion map;
    int to = 0;
    rt_marker_motion(m, w, state, marker, &map);
    for (int c = 0; c < map.n; c++) {
        while (columns[to] != map.columns[c]) to++;
        rt_scalar *s_x = row + to, *w_x = s_x + n, *a_u = w_x + n, *a_x = a_u + n;
        for (int i = 0; i < v->count; i++) {
            const int at = (v->first + i) * map.n + c;
            *s_x += v->p[i] * map.J[at];
            *w_x += v->p[i] * map.J1[at] + v->p1[i] * map.J[at];
            *a_u += v->p[i] * map.J2u[at] + 2 * v->p1[i] * map.J[at];
            *a_x += v->p[i] * map.J2x[at] + 2 * v->p1[i] * map.J1[at] + v->p2[i] * map.J[at];
        }
    }
}

/* e, e' = w x e, e'' = al x e + w x e' of the observer's axis */
void rt_component_row(const routh_mechanism *m, const rt_workspace *w, const rt_state *state,
                      const rt_frame *observer, int body, int component, const int *columns, int n,
                      rt_scalar *row)
{
    rt_scalar e[3], e1[3], e2[3];
    const rt_covector v = {component / 3 * 3, 3, e, e1, e2};
    memset(row, 0, 4 * (size_t)n * sizeof *row);
    rt_m3_column(e, observer->A, component % 3);
    rt_v3_cross(e1, observer->w, e);
    rt_v3_cross(e2, observer->al, e);
    rt_v3_cross_add(e2, observer->w, e1);
    rt_state_row_add(m, w, state, body, &v, columns, n, row);
}

void rt_user_state_row(const routh_mechanism *m, const rt_workspace *w, const rt_state *state,
                       const rt_program *program, rt_scalar *work, const int *columns, int n,
                       rt_scalar *row)
{
    const rt_program_input in = rt_input_at(m, w, state, work);
    rt_scalar value[3];
    rt_gradient phi;
    memset(row, 0, 4 * (size_t)n * sizeof *row);
    rt_program_jets(program, &in, value, &phi);
    for (int k = 0; k < phi.n; k++) {
        const rt_covector v = {0, 6, phi.p[0][k], phi.p[1][k], phi.p[2][k]};
        rt_state_row_add(m, w, state, phi.frame[k], &v, columns, n, row);
    }
}
