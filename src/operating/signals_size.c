/* Values and sizes of the equations of controllers and variables. */
#include "operating/signals.h"

#include <float.h>

/* Rates at rest are no better than rounding of what they are the sum of. In the equations of states
 * these stand by themselves. */
static double signal_size(const rt_signals *k, int equation, int place)
{
    const bool rate = place >= k->n_x && place < 2 * k->n_x;
    if (place >= k->n_x + k->n || (rate && equation < k->n_x)) return 0;
    return k->magnitude[place];
}

/* sum |dg/dy| |y| but for signal `without` (-1: all), whose partial goes into *slope */
static double terms_of(const rt_search *s, int equation, int without, double *slope)
{
    const rt_signals *k = s->signals;
    const rt_sensor_row *row = &k->rows[equation];
    double sum = 0;
    for (int i = 0; i < row->n_columns; i++) {
        const int c = row->columns[i];
        sum += fabs(row->by_x[i]) * s->m->length * s->unit[c] +
               fabs(row->by_u[i] * s->state->u[c]) +
               fabs(row->by_a[i]) * fmax(k->acceleration[c], fabs(s->state->udot[c]));
    }
    for (int i = 0; i < row->n_lambda; i++)
        sum += fabs(row->by_lambda[i]) * fmax(k->force, fabs(s->state->lambda[row->lambda[i]]));
    for (int i = 0; i < row->n_signals; i++) {
        const int place = row->signals[i];
        const double size = signal_size(k, equation, place);
        if (place == without)
            *slope = fabs(row->by_signal[i]);
        else
            sum += fabs(row->by_signal[i]) * fmax(size, fabs(s->state->signal[place]));
    }
    return sum;
}

static void find_magnitude_of(const rt_search *s, int equation, int place)
{
    const rt_signals *k = s->signals;
    double slope = 0;
    const double sum = terms_of(s, equation, place, &slope);
    k->magnitude[place] = fabs(s->state->signal[place]);
    if (slope > 0) k->magnitude[place] = fmax(k->magnitude[place], sum / slope);
}

/* Of the signal that stands in equation k for it: v, or x, and x'. */
static void find_magnitude(const rt_search *s, int equation)
{
    const int n_x = s->signals->n_x;
    find_magnitude_of(s, equation, equation < n_x ? equation : n_x + equation);
    if (equation < n_x) find_magnitude_of(s, equation, n_x + equation);
}

/* Forces that cancel leave rounding of this size. */
static void signals_size_find_forces(const rt_search *s)
{
    rt_signals *k = s->signals;
    const rt_pattern *M = &s->m->pattern_M;
    k->force = rt_largest_force(s) * fmax(1, s->m->length);
    for (int c = 0; c < s->m->n_u; c++) {
        double mass = 0;
        for (int p = M->start[c]; p < M->start[c + 1]; p++)
            if (M->row[p] == c) mass = fabs(s->w->M[p]);
        k->acceleration[c] = mass > 0 ? s->w->scale[c] / mass : 0;
    }
}

/* Twice: through a state each time. What is in loops is not followed round. */
static void find_magnitudes(const rt_search *s)
{
    const rt_signals *k = s->signals;
    signals_size_find_forces(s);
    for (int i = 0; i < k->n_x + k->n; i++) k->magnitude[i] = fabs(s->state->signal[i]);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < k->n_explicit; i++)
            if (k->explicit_order[i] >= k->n_x) find_magnitude(s, k->explicit_order[i]);
        for (int i = 0; i < k->n; i++) find_magnitude(s, i);
    }
}

double rt_signals_size(const rt_search *s, int equation)
{
    double unused;
    return terms_of(s, equation, -1, &unused);
}

routh_status rt_signals_evaluate(rt_search *s, bool partials, routh_error *error)
{
    rt_signals *k = s->signals;
    routh_status status = ROUTH_OK;
    for (int i = 0; i < k->n && !status; i++) {
        int number;
        const rt_sensor_kind kind = rt_signals_kind(k, i, &number);
        status =
            rt_sensor_evaluate(s->m, s->w, s->state, kind, number, partials, &k->rows[i], error);
    }
    if (!status && partials) find_magnitudes(s);
    return status;
}

int rt_count_rounded_signals(const rt_search *s)
{
    return s->signals ? s->signals->n_x + s->signals->n : 0;
}

double rt_rounding_of_signal(const rt_search *s, int signal)
{
    return 4 * DBL_EPSILON * s->signals->magnitude[signal];
}

void rt_add_signal_rounding(const rt_search *s, double *force)
{
    const rt_signals *k = s->signals;
    const rt_pattern *R = &s->m->pattern_R;
    for (int i = 0; i < k->n_x + k->n; i++)
        for (int p = R->start[i]; p < R->start[i + 1]; p++)
            force[R->row[p]] += fabs(s->w->L[p]) * rt_rounding_of_signal(s, i);
}

double rt_signals_error(const rt_search *s, int *equation)
{
    double worst = 0;
    *equation = -1;
    for (int i = 0; s->signals && i < s->signals->n; i++) {
        const double off = fabs(s->signals->rows[i].value);
        const double e = off > 0 ? off / (off + rt_signals_size(s, i)) : 0;
        if (e > worst) worst = e, *equation = i;
    }
    return worst;
}

double rt_signals_rate_part(const rt_search *s, int state)
{
    const rt_signals *k = s->signals;
    double part = 0;
    for (int j = 0; j < k->rows[state].n_signals; j++) {
        const int place = k->rows[state].signals[j];
        if (place >= k->n_x && place < 2 * k->n_x)
            part += fabs(k->rows[state].by_signal[j] * s->state->signal[place]);
    }
    return part > 0 ? part / rt_signals_size(s, state) : 0;
}

double rt_signals_motion(const rt_search *s)
{
    double worst = 0;
    for (int i = 0; s->signals && i < s->signals->n_x; i++)
        worst = fmax(worst, rt_signals_rate_part(s, i));
    return worst;
}
