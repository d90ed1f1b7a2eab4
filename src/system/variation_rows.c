/* Rows of states along a variation (variation.h; methods/state_rows.c). */
#ifndef RT_VARIATION
#error "compiled for variations only"
#endif

#include "system/compile.h"
#include "system/joined.h"
#include "system/varies.h"
#include "system/variation_work.h"

routh_status rt_variation_compile_rows(rt_variation *v, routh_error *error)
{
    const int n = v->model->n_user_states;
    size_t work = 0;
    v->row = RT_TAKE(&v->arena, rt_scalar, 4 * (size_t)v->m->n_u);
    v->states = RT_TAKE(&v->arena, rt_program, n);
    if (!v->row || !v->states) return rt_fail_memory(error);
    for (int j = 0; j < n; j++) {
        const routh_status status =
            rt_program_compile(&v->states[j], v->m->graph, v->model,
                               v->model->user_states[j].value.expr, false, &v->arena, error);
        if (status) return status;
        const size_t needed = rt_program_work(&v->states[j]);
        work = needed > work ? needed : work;
    }
    v->state_work = RT_TAKE(&v->arena, rt_scalar, work);
    return v->state_work ? ROUTH_OK : rt_fail_memory(error);
}

static void variation_rows_add_frame(rt_variation *v, int marker, int first, int count,
                                     const rt_scalar *p, const rt_scalar *p1, const rt_scalar *p2,
                                     const int *columns, int n)
{
    rt_motion map;
    int to = 0;
    rt_marker_motion(v->m, v->w, v->state, marker, &map);
    for (int c = 0; c < map.n; c++) {
        while (columns[to] != map.columns[c]) to++;
        rt_scalar *s_x = v->row + to, *w_x = s_x + n, *a_u = w_x + n, *a_x = a_u + n;
        for (int i = 0; i < count; i++) {
            const int at = (first + i) * map.n + c;
            *s_x += p[i] * map.J[at];
            *w_x += p[i] * map.J1[at] + p1[i] * map.J[at];
            *a_u += p[i] * map.J2u[at] + 2 * p1[i] * map.J[at];
            *a_x += p[i] * map.J2x[at] + 2 * p1[i] * map.J1[at] + p2[i] * map.J[at];
        }
    }
}

static void variation_rows_read_row(const rt_variation *v, int n, double *out)
{
    for (int k = 0; k < 4 * n; k++) out[k] = rt_im(v->row[k]) * rt_variation_per_h;
}

void rt_variation_turn(rt_variation *v, const double w[3], const double by[3])
{
    for (int k = 0; k < 3; k++) v->turn[k] = rt_complex(w[k], rt_variation_h * by[k]);
}

static rt_frame moving_frame(const rt_variation *v)
{
    rt_frame frame = {0};
    rt_m3_identity(frame.A);
    rt_v3_copy(frame.w, v->turn);
    return frame;
}

/* e, e' = w x e, e'' = al x e + w x e' of the observer's axis */
void rt_variation_component(rt_variation *v, int body, int component, int observer,
                            const int *columns, int n, double *out)
{
    const rt_frame moving = moving_frame(v);
    const rt_frame *frame = observer < RT_GROUND ? &moving : rt_frame_of(v->w->markers, observer);
    rt_scalar e[3], e1[3], e2[3];
    if (!rt_marker_varies(v->m, v->w, body) && !rt_frame_varies(frame)) {
        memset(out, 0, 4 * (size_t)n * sizeof *out);
        return;
    }
    memset(v->row, 0, 4 * (size_t)n * sizeof *v->row);
    rt_m3_column(e, frame->A, component % 3);
    rt_v3_cross(e1, frame->w, e);
    rt_v3_cross(e2, frame->al, e);
    rt_v3_cross_add(e2, frame->w, e1);
    variation_rows_add_frame(v, body, component / 3 * 3, 3, e, e1, e2, columns, n);
    variation_rows_read_row(v, n, out);
}

void rt_variation_user_state(rt_variation *v, int j, const int *columns, int n, double *out)
{
    const rt_program_input in = rt_input_at(v->m, v->w->markers, v->state, v->state_work);
    rt_scalar value[3];
    rt_gradient phi;
    memset(v->row, 0, 4 * (size_t)n * sizeof *v->row);
    rt_program_jets(&v->states[j], &in, value, &phi);
    for (int k = 0; k < phi.n; k++)
        variation_rows_add_frame(v, phi.frame[k], 0, 6, phi.p[0][k], phi.p[1][k], phi.p[2][k],
                                 columns, n);
    variation_rows_read_row(v, n, out);
}
