#include "coordinates/body_fixed.h"

int rt_body_fixed_count_u(const routh_model *model) { return 6 * model->n_bodies; }

int rt_body_fixed_columns(const routh_model *model, int body, int *columns)
{
    (void)model;
    for (int k = 0; k < 6; k++) columns[k] = 6 * body + k;
    return 6;
}

void rt_body_fixed_map(int body, const rt_scalar *q, const rt_scalar *u, const rt_scalar *udot,
                       const rt_frame *frame, rt_map *out)
{
    (void)q, (void)udot;
    const rt_scalar *w = u + 6 * body + 3;
    *out = (rt_map){.n = 6, .still = rt_v3_is_zero(w)};
    rt_scalar w_skew[9], Aw[9];
    for (int i = 0; i < 3; i++) {
        out->J[7 * i] = 1;
        for (int j = 0; j < 3; j++) out->J[6 * (3 + i) + 3 + j] = frame->A[3 * i + j];
    }
    if (out->still) return;
    rt_m3_skew(w_skew, w);
    rt_m3_mul(Aw, frame->A, w_skew);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out->J2u[6 * (3 + i) + 3 + j] = Aw[3 * i + j];
}

/* d(A' t) eta = -A'((A eta) x t) = (A't)~ eta */
void rt_body_fixed_geometric(int body, const rt_scalar *q, const rt_frame *frame,
                             const rt_scalar wrench[6], rt_scalar *K, int width)
{
    (void)body, (void)q;
    rt_scalar t[3], S[9];
    rt_m3_tmul_v(t, frame->A, wrench + 3);
    rt_m3_skew(S, t);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) K[(3 + i) * width + 3 + j] += S[3 * i + j];
}

void rt_body_fixed_column(const routh_model *model, int k, int *body, int *component)
{
    (void)model;
    *body = k / 6;
    *component = k % 6;
}

void rt_body_fixed_rates(rt_frame *f, const rt_scalar *u, const rt_scalar *udot)
{
    rt_v3_copy(f->v, u);
    rt_m3_mul_v(f->w, f->A, u + 3);
    rt_v3_copy(f->a, udot);
    rt_m3_mul_v(f->al, f->A, udot + 3);
}

void rt_body_fixed_take(const rt_frame *f, rt_scalar *u)
{
    rt_v3_copy(u, f->v);
    rt_m3_tmul_v(u + 3, f->A, f->w);
}
