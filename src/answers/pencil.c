#include "answers/pencil.h"

#include <math.h>

bool rt_pencil_exists(const routh_linear *l)
{
    return l->mass && l->damping && l->stiffness && (l->coupling || l->n_control == 0);
}

static double entry_of_E(const routh_linear *l, int i, int j)
{
    const int z = l->n_position, z1 = l->n_velocity;
    if (i < z || i >= z + z1) return i == j;
    return j < z || j >= z + z1 ? 0 : l->mass[(size_t)(i - z) * (size_t)z1 + (size_t)(j - z)];
}

static double entry_of_F(const routh_linear *l, int i, int j)
{
    const int z = l->n_position, z1 = l->n_velocity;
    if (i < z || i >= z + z1) return l->A[(size_t)i * (size_t)l->n_states + (size_t)j];
    const size_t row = (size_t)(i - z);
    if (j < z) return -l->stiffness[row * (size_t)z + (size_t)j];
    if (j < z + z1) return -l->damping[row * (size_t)z1 + (size_t)(j - z)];
    return l->coupling[row * (size_t)l->n_control + (size_t)(j - z - z1)];
}

typedef double (*pencil_entry)(const routh_linear *l, int i, int j);

static routh_status pencil_take(rt_row_matrix *m, const routh_linear *l, pencil_entry of,
                                bool transposed, rt_arena *arena, routh_error *error)
{
    const int n = l->n_states;
    size_t count = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) count += of(l, i, j) != 0;
    *m = (rt_row_matrix){n, RT_TAKE(arena, int, n + 1), RT_TAKE(arena, int, count),
                         RT_TAKE(arena, double, count)};
    if (!m->start || !m->column || !m->value) return rt_fail_memory(error);
    int at = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            const double value = transposed ? of(l, j, i) : of(l, i, j);
            if (value != 0) m->column[at] = j, m->value[at++] = value;
        }
        m->start[i + 1] = at;
    }
    return ROUTH_OK;
}

routh_status rt_pencil_make(rt_pencil *p, const routh_linear *l, rt_arena *arena,
                            routh_error *error)
{
    p->n = l->n_states;
    routh_status status = pencil_take(&p->E, l, entry_of_E, false, arena, error);
    if (!status) status = pencil_take(&p->F, l, entry_of_F, false, arena, error);
    if (!status) status = pencil_take(&p->Et, l, entry_of_E, true, arena, error);
    return status ? status : pencil_take(&p->Ft, l, entry_of_F, true, arena, error);
}

static void pencil_row_times(const rt_row_matrix *m, int i, rt_complex_vector x, long double out[2])
{
    long double re = 0, im = 0;
    for (int e = m->start[i]; e < m->start[i + 1]; e++) {
        const long double a = m->value[e];
        re += a * x.re[m->column[e]], im += a * x.im[m->column[e]];
    }
    out[0] = re, out[1] = im;
}

void rt_pencil_residual(const rt_pencil *p, bool transposed, const double lambda[2],
                        rt_complex_vector x, rt_complex_vector r, rt_complex_vector e)
{
    const rt_row_matrix *E = transposed ? &p->Et : &p->E, *F = transposed ? &p->Ft : &p->F;
    for (int i = 0; i < p->n; i++) {
        long double f[2], g[2];
        pencil_row_times(F, i, x, f);
        pencil_row_times(E, i, x, g);
        r.re[i] = (double)(f[0] - (lambda[0] * g[0] - lambda[1] * g[1]));
        r.im[i] = (double)(f[1] - (lambda[0] * g[1] + lambda[1] * g[0]));
        if (e.re) e.re[i] = (double)g[0], e.im[i] = (double)g[1];
    }
}

double rt_pencil_size(const rt_pencil *p, double size, rt_complex_vector y, rt_complex_vector x)
{
    const rt_row_matrix *const matrices[] = {&p->F, &p->E};
    double sum = 0;
    for (int i = 0; i < p->n; i++) {
        double row = 0;
        for (int k = 0; k < 2; k++)
            for (int e = matrices[k]->start[i]; e < matrices[k]->start[i + 1]; e++) {
                const int j = matrices[k]->column[e];
                row += (k ? size : 1) * fabs(matrices[k]->value[e]) * hypot(x.re[j], x.im[j]);
            }
        sum += row * hypot(y.re[i], y.im[i]);
    }
    return sum;
}
