/* Rows of states along a variation (variation.h; state_row.h). */
#ifndef RT_VARIATION
#error "compiled for variations only"
#endif

#include "system/compile.h"
#include "system/joined.h"
#include "system/state_row.h"
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

void rt_variation_component(rt_variation *v, int body, int component, int observer,
                            const int *columns, int n, double *out)
{
    const rt_frame moving = moving_frame(v);
    const rt_frame *frame = observer < RT_GROUND ? &moving : rt_frame_of(v->w->markers, observer);
    if (!rt_marker_varies(v->m, v->w, body) && !rt_frame_varies(frame)) {
        memset(out, 0, 4 * (size_t)n * sizeof *out);
        return;
    }
    rt_component_row(v->m, v->w, v->state, frame, body, component, columns, n, v->row);
    variation_rows_read_row(v, n, out);
}

void rt_variation_user_state(rt_variation *v, int j, const int *columns, int n, double *out)
{
    rt_user_state_row(v->m, v->w, v->state, &v->states[j], v->state_work, columns, n, v->row);
    variation_rows_read_row(v, n, out);
}
