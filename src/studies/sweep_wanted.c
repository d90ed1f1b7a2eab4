#include "studies/sweep_wanted.h"

#include <math.h>

static double discriminant_noise(const rt_solution *s, int i, int j)
{
    double highest = 0;
    for (int k = 0; k < s->n; k++) highest = fmax(highest, cabs(s->lambda[k]));
    /* exact zeros are told from slow modes down to about 1e-7 of the highest frequency */
    const double zero = s->rigid[i] || s->rigid[j] ? 1e-14 * highest * highest : 0;
    return cabs(s->lambda[i] - s->lambda[j]) * (s->bound[i] + s->bound[j]) / 2 + zero;
}

void rt_wanted_measure(const rt_sweep_task *t, const rt_wanted *w, const rt_solution *s,
                       const int at[2], rt_zero_sample *out)
{
    const int i = at[0], j = at[1];
    const double _Complex x = s->lambda[i], y = j >= 0 ? s->lambda[j] : 0;
    out->value = s->value;
    out->slope = NAN;
    out->lambda[0] = x, out->lambda[1] = y;
    out->noise = s->bound[i] + (j >= 0 ? s->bound[j] : 0);
    switch (w->kind) {
    case ROUTH_SWEEP_CRITICAL:
        out->f = w->order == 0 ? cimag(x) : fabs(cimag(x)) - w->order * fabs(s->speed);
        break;
    case ROUTH_SWEEP_DAMPING: out->f = creal(x) + t->options.damping_ratio * cabs(x); break;
    case ROUTH_SWEEP_CROSSING: out->f = fabs(cimag(x)) - fabs(cimag(y)); break;
    case ROUTH_SWEEP_MEETING:
        out->f = creal(rt_discriminant(x, y));
        out->noise = discriminant_noise(s, i, j);
        break;
    case ROUTH_SWEEP_FLUTTER:
    case ROUTH_SWEEP_DIVERGENCE:
    case ROUTH_SWEEP_VEERING:
    case ROUTH_SWEEP_AMBIGUOUS:
    case ROUTH_SWEEP_LOST:
    case ROUTH_SWEEP_UNRESOLVED: out->f = creal(x); break;
    }
}

double rt_wanted_slope(const rt_sweep_task *t, const rt_wanted *w, const rt_solution *s,
                       const int at[2], int parameter, double speed_by)
{
    const double _Complex *by = s->slope[parameter];
    if (!by) return NAN;
    const double _Complex x = s->lambda[at[0]], y = at[1] >= 0 ? s->lambda[at[1]] : 0,
                          u = by[at[0]], v = at[1] >= 0 ? by[at[1]] : 0;
    const double side = cimag(x) < 0 ? -1 : 1, other = cimag(y) < 0 ? -1 : 1;
    switch (w->kind) {
    case ROUTH_SWEEP_CRITICAL:
        return w->order == 0 ? cimag(u) : side * cimag(u) - w->order * speed_by;
    case ROUTH_SWEEP_DAMPING:
        return creal(u) + t->options.damping_ratio * creal(conj(x) * u) / cabs(x);
    case ROUTH_SWEEP_CROSSING: return side * cimag(u) - other * cimag(v);
    case ROUTH_SWEEP_MEETING: return creal((x - y) * (u - v)) / 2;
    case ROUTH_SWEEP_FLUTTER:
    case ROUTH_SWEEP_DIVERGENCE:
    case ROUTH_SWEEP_VEERING:
    case ROUTH_SWEEP_AMBIGUOUS:
    case ROUTH_SWEEP_LOST:
    case ROUTH_SWEEP_UNRESOLVED: break;
    }
    return creal(u);
}
