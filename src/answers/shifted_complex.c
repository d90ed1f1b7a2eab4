#include "answers/shifted_complex.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

routh_status rt_shifted_complex_create(rt_shifted_complex *c, rt_shifted *s, routh_error *error)
{
    *c = (rt_shifted_complex){.pencil = s};
    routh_status status = rt_shifted_reduce(s, error);
    if (!status) status = rt_complex_factor_create(&c->factor, &s->reduced, error);
    if (status) return status;
    c->values = RT_TAKE(&c->arena, double _Complex, s->reduced.start[s->reduced.n_columns]);
    c->part = RT_TAKE(&c->arena, double _Complex, s->reduced.n_columns);
    c->work = RT_TAKE(&c->arena, double _Complex, s->reduced.n_columns);
    c->full = RT_TAKE(&c->arena, double _Complex, s->order);
    c->room = RT_TAKE(&c->arena, double, 3 * (size_t)s->n);
    if (c->values && c->part && c->work && c->full && c->room) return ROUTH_OK;
    rt_shifted_complex_free(c);
    return rt_fail_memory(error);
}

void rt_shifted_complex_free(rt_shifted_complex *c)
{
    rt_complex_factor_free(c->factor);
    rt_arena_free(&c->arena);
    *c = (rt_shifted_complex){0};
}

/* A10 + s A11 - s^2 E11, with A12, A20 */
static void shifted_complex_fill_reduced(rt_shifted_complex *c, double _Complex shift)
{
    const rt_shifted *s = c->pencil;
    const int n = s->n / 2;
    if (s->whole) {
        for (int e = 0; e < s->pattern.start[s->order]; e++)
            c->values[e] = s->A[e] - shift * s->E[e];
        return;
    }
    memset(c->values, 0, (size_t)s->reduced.start[s->reduced.n_columns] * sizeof(double _Complex));
    for (int k = 0; k < s->order; k++) {
        const double _Complex by = k >= n && k < s->n ? shift : 1;
        for (int e = s->pattern.start[k]; e < s->pattern.start[k + 1]; e++)
            if (s->reduced_at[e] >= 0)
                c->values[s->reduced_at[e]] += by * (s->A[e] - shift * s->E[e]);
    }
}

routh_status rt_shifted_complex_factor(rt_shifted_complex *c, double _Complex shift, bool *singular,
                                       routh_error *error)
{
    routh_error why;
    *singular = false;
    routh_status status = rt_progress_ask(c->pencil->progress, 1, error);
    if (status) return status;
    c->shift = shift;
    c->real = false;
    c->n_factors++;
    shifted_complex_fill_reduced(c, shift);
    status = rt_complex_factor_numeric(c->factor, c->values, &why);
    *singular = status == ROUTH_SINGULAR;
    if (!status || *singular) return ROUTH_OK;
    if (error) *error = why;
    return status;
}

static routh_status apply_real(rt_shifted_complex *c, const double _Complex *x, double _Complex *y,
                               routh_error *error)
{
    rt_shifted *s = c->pencil;
    const int n = s->n;
    double *in = c->room, *out = in + n;
    bool any = true;
    memset(c->full, 0, (size_t)s->order * sizeof *c->full);
    for (int part = 0; part < 2 && any; part++) {
        any = false;
        for (int i = 0; i < n; i++) {
            in[i] = part ? cimag(x[i]) : creal(x[i]);
            any = any || in[i] != 0 || part == 0;
        }
        const routh_status status = any ? rt_shifted_apply(s, in, out, error) : ROUTH_OK;
        if (status) return status;
        for (int i = 0; i < s->order && any; i++) c->full[i] += part ? I * s->full[i] : s->full[i];
    }
    memcpy(y, c->full, (size_t)n * sizeof *y);
    return ROUTH_OK;
}

static routh_status apply_whole(rt_shifted_complex *o, const double _Complex *x, double _Complex *y,
                                routh_error *error)
{
    const size_t n = (size_t)o->pencil->n;
    memset(o->full, 0, (size_t)o->pencil->order * sizeof *o->full);
    memcpy(o->full, x, n * sizeof *x);
    const routh_status status =
        rt_complex_factor_solve_refined(o->factor, o->values, o->full, o->work, error);
    if (!status) memcpy(y, o->full, n * sizeof *y);
    return status;
}

/* As rt_shifted_apply. */
routh_status rt_shifted_complex_apply(void *context, const double _Complex *x, double _Complex *y,
                                      routh_error *error)
{
    rt_shifted_complex *o = context;
    const rt_shifted *s = o->pencil;
    const int n = s->n / 2;
    if (o->real) return apply_real(o, x, y, error);
    routh_status status = rt_progress_ask(s->progress, 1, error);
    if (status) return status;
    if (s->whole) return apply_whole(o, x, y, error);
    memset(o->full, 0, (size_t)s->order * sizeof *o->full);
    for (int c = 0; c < s->n; c++)
        for (int e = s->pattern.start[c]; e < s->pattern.start[c + 1]; e++)
            o->full[s->pattern.row[e]] += s->E[e] * x[c];
    memcpy(o->part, o->full + n, (size_t)(s->order - n) * sizeof *o->part);
    for (int c = n; c < s->n; c++)
        for (int e = s->pattern.start[c]; e < s->pattern.start[c + 1]; e++)
            if (s->reduced_at[e] >= 0)
                o->part[s->pattern.row[e] - n] -= (s->A[e] - o->shift * s->E[e]) * o->full[c - n];
    status = rt_complex_factor_solve_refined(o->factor, o->values, o->part, o->work, error);
    if (status) return status;
    for (int k = 0; k < n; k++) {
        o->full[n + k] = o->full[k] + o->shift * o->part[k];
        o->full[k] = o->part[k];
    }
    memcpy(o->full + s->n, o->part + n, (size_t)(s->order - s->n) * sizeof *o->part);
    memcpy(y, o->full, (size_t)s->n * sizeof *y);
    return ROUTH_OK;
}
