#include "poses.h"

#include <math.h>

#include "base/vec3.h"

double random_number(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

void random_frame(frame *f, uint64_t *seed)
{
    double axis[3], *lists[] = {f->r, f->v, f->a, f->w, f->al, axis};
    for (int k = 0; k < 6; k++)
        for (int i = 0; i < 3; i++) lists[k][i] = random_number(seed);
    const double angle = 3 * random_number(seed), length = rt_v3_norm(axis), c = cos(angle),
                 s = sin(angle);
    double skew[9];
    rt_v3_scale(axis, 1 / length, axis);
    rt_m3_skew(skew, axis);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            f->A[3 * i + j] = (i == j) * c + (1 - c) * axis[i] * axis[j] + s * skew[3 * i + j];
}

void random_frames(frame *frames, int n, uint64_t *seed)
{
    frames[0] = (frame){0};
    rt_m3_identity(frames[0].A);
    for (int k = 1; k < n; k++) random_frame(&frames[k], seed);
}

void vector_value(const frame *frames, const rt_vector *u, double out[3])
{
    const frame *i = &frames[u->i + 1], *j = &frames[u->j + 1], *l = &frames[u->l + 1];
    double d[3];
    switch (u->kind) {
    case RT_VECTOR_AXIS: rt_m3_mul_v(out, i->A, u->local); return;
    case RT_VECTOR_DISPLACEMENT: rt_v3_sub(out, i->r, j->r); return;
    case RT_VECTOR_VELOCITY: rt_v3_sub(out, i->v, j->v); return;
    case RT_VECTOR_ACCELERATION: rt_v3_sub(out, i->a, j->a); return;
    case RT_VECTOR_OMEGA: rt_v3_sub(out, i->w, j->w); return;
    case RT_VECTOR_ALPHA: rt_v3_sub(out, i->al, j->al); return;
    case RT_VECTOR_TRANSPORT:
        rt_v3_sub(d, i->r, j->r);
        rt_v3_cross(out, l->w, d);
        return;
    }
}

double dot_value(const frame *frames, const rt_quantity *dot)
{
    double a[3], b[3];
    vector_value(frames, &dot->a, a);
    vector_value(frames, &dot->b, b);
    return rt_v3_dot(a, b);
}
