/* The error of an eigenvalue of the whole system, by its left vector w: one rounding of each entry
 * of the pencil changes it by
 *
 *     eps |w|'(|A| + |lambda| |E|)|y| / |w' E y|
 *
 * at most, to first order, and what the pair leaves in the equations by |w'(A y - lambda E y)| /
 * |w' E y|. Among copies w is the part of y's own that the projector on all of them gives, so that
 * w' E y is none that vanishes. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "answers/wanted_parts.h"

enum { PASSES = 3, ROUNDINGS = 8 };

/* w by inverse iteration beside lambda, from y. */
static routh_status find_left(rt_shifted_complex *s, const rt_candidate *c, double _Complex lambda,
                              double _Complex *w, bool *singular, routh_error *error)
{
    const int n = s->pencil->n, order = s->pencil->order;
    routh_status status =
        rt_shifted_complex_factor(s, lambda * (1 + 1e-7) + 1e-10, singular, error);
    for (int i = 0; i < n; i++) w[i] = c->re[i] - I * c->im[i];
    for (int pass = 0; pass < PASSES && !status && !*singular; pass++) {
        double size = 0;
        for (int i = 0; i < n; i++) size = fmax(size, cabs(w[i]));
        for (int i = 0; i < n; i++) w[i] /= size;
        memset(w + n, 0, (size_t)(order - n) * sizeof *w);
        status = rt_complex_factor_solve_transposed(s->factor, s->values, w, s->work, error);
    }
    return status;
}

routh_status rt_wanted_bound(rt_wanted_search *q, rt_shifted_complex *s, rt_candidate *c,
                             routh_error *error)
{
    const rt_shifted *p = q->pencil;
    const double _Complex lambda = c->lambda[0] + I * c->lambda[1];
    bool singular;
    double _Complex *w = RT_TAKE(&q->arena, double _Complex, p->order), off = 0, by = 0;
    double size = 0;
    if (!w) return rt_fail_memory(error);
    const routh_status status = find_left(s, c, lambda, w, &singular, error);
    if (status || singular) return status;
    for (int k = 0; k < p->order; k++) {
        const double _Complex y = c->re[k] + I * c->im[k];
        for (int e = p->pattern.start[k]; e < p->pattern.start[k + 1]; e++) {
            const double _Complex left = w[p->pattern.row[e]];
            off += left * (p->A[e] - lambda * p->E[e]) * y;
            by += left * p->E[e] * y;
            size += cabs(left) * (fabs(p->A[e]) + cabs(lambda) * p->E[e]) * cabs(y);
        }
    }
    c->error = (ROUNDINGS * DBL_EPSILON * size + cabs(off)) / cabs(by);
    return ROUTH_OK;
}
