/* Natural sizes of the unknowns and equations of a steady motion, by which errors and steps are
 * judged.
 *
 * While a motion is looked for, all forces are measured by the largest single one. At its end
 * (k->own) those on a body by the largest that acts on this body: a light body beside a heavy one
 * is in balance by its own. Where that is nothing but rounding, the search measures it by what it
 * rounds; what is found is judged by what there is (steady_rounding.c). */
#include <float.h>

#include "operating/steady.h"

/* The fastest of the state as it is, or what is prescribed; without u: what is known beforehand. */
static double known_rate(const rt_steady_search *k)
{
    double rate = sqrt(rt_v3_norm(k->s->m->gravity) / k->s->m->length);
    if (k->asked->turn_rate_given) rate = fmax(rate, fabs(k->asked->turn_rate.value));
    for (int i = 0; i < k->asked->n_spins; i++)
        if (k->asked->spins[i].rate_given) rate = fmax(rate, fabs(k->asked->spins[i].rate.value));
    return rate;
}

static double rate_now(const rt_steady_search *k)
{
    const rt_search *s = k->s;
    double rate = 0;
    for (int c = 0; c < s->m->n_u; c++)
        rate = fmax(rate, fabs(s->state->u[c]) / (s->unit[c] * s->m->length));
    return rate;
}

void rt_steady_set_least_rate(rt_steady_search *k)
{
    k->least_rate = fmax(known_rate(k), rate_now(k));
}

/* No less than a part of what it takes to move the body as fast as the file says: not as it moves
 * now, or any force would be small where a search runs away. */
static void measure_forces(rt_steady_search *k)
{
    static const double PART = 1e-6;
    rt_search *s = k->s;
    double largest = 0;
    rt_largest_force_by_body(s, k->force);
    rt_rounding_force_by_body(s, k->rounding);
    for (int b = 0; b < s->m->n_bodies; b++) largest = fmax(largest, k->force[b]);
    for (int b = 0; b < s->m->n_bodies; b++) {
        const double moving = PART * rt_steady_mass(k, b) * s->m->length * pow(k->least_rate, 2);
        k->largest[b] = fmax(k->force[b], moving);
        if (k->largest[b] == 0) k->largest[b] = largest > 0 ? largest : 1;
        /* nothing but rounding, 4 eps |K| d: what it rounds, as of stiff elements without a load */
        if (!k->plain && k->force[b] <= k->rounding[b])
            k->force[b] = fmax(k->force[b], k->rounding[b] / (4 * DBL_EPSILON));
        k->force[b] = fmax(k->force[b], moving);
        if (k->force[b] == 0) k->force[b] = largest > 0 ? largest : 1;
    }
    for (int b = 0; b < s->m->n_bodies; b++) largest = fmax(largest, k->force[b]);
    for (int b = 0; b < s->m->n_bodies && !k->own; b++) k->force[b] = largest;
}

/* The size of what a prescription adds up, where signals and forces are as large as they are. */
static double prescription_size(const rt_steady_search *k, int i)
{
    const rt_search *s = k->s;
    const rt_sensor_row *row = &k->prescribed[i];
    const double speed = k->rate * s->m->length;
    double size = fabs(k->asked->prescribed[i].value.value);
    for (int j = 0; j < row->n_columns; j++) {
        const double unit = s->unit[row->columns[j]];
        size = fmax(size, fabs(row->by_x[j]) * unit * s->m->length);
        size = fmax(size, fabs(row->by_u[j]) * unit * speed);
        size = fmax(size, fabs(row->by_a[j]) * unit * speed * k->rate);
    }
    for (int j = 0; j < row->n_signals; j++)
        size = fmax(size, fabs(row->by_signal[j] * s->state->signal[row->signals[j]]));
    return size > 0 ? size : 1;
}

/* Of the equation of a signal: the size of its terms, but of a variable no less than a part of what
 * makes a natural force, speed or length (k->column_unit, of the step before): a variable that is
 * zero has terms of rounding only. */
static double signal_unit(const rt_steady_search *k, int row)
{
    static const double PART = 1e-4;
    const rt_search *s = k->s;
    const int variable = row - k->in_signals - s->m->model->n_control_states;
    double size = rt_signals_size(s, row - k->in_signals);
    if (variable >= 0) size = fmax(size, PART * k->column_unit[k->at_variable + variable]);
    return size > 0 ? size : 1;
}

/* The least of the forces that bodies are measured by, of those that the row acts on: of all where
 * it acts on none. */
static void force_units_of_rows(rt_steady_search *k, const double *size)
{
    const rt_search *s = k->s;
    const rt_pattern *G = &s->m->pattern_G;
    double *unit = k->column_unit + k->at_lambda, largest = 0;
    for (int r = 0; r < s->m->n_rows; r++) unit[r] = INFINITY;
    for (int b = 0; b < s->m->n_bodies; b++) largest = fmax(largest, k->force[b]);
    for (int c = 0; c < s->m->n_u; c++)
        for (int p = G->start[c]; p < G->start[c + 1]; p++)
            unit[G->row[p]] = fmin(unit[G->row[p]], k->force[rt_steady_body_of(k, c)]);
    for (int r = 0; r < s->m->n_rows; r++)
        unit[r] = (isfinite(unit[r]) ? unit[r] : largest) / size[r];
}

/* An acceleration is measured by free fall, so that fast spins do not make it cheaper than moving
 * bodies. */
static void units_of_motion(rt_steady_search *k)
{
    const double speed = k->rate * k->s->m->length, g = rt_v3_norm(k->s->m->gravity);
    for (int j = 0; j < k->n_motion; j++)
        k->column_unit[k->at_motion + j] = j < RT_MOTION_RATE ? speed : k->rate;
    for (int j = k->acceleration; j < k->n_motion && j >= 0; j++)
        k->column_unit[k->at_motion + j] = j >= k->acceleration + 3 ? k->rate * k->rate
                                           : g > 0                  ? g
                                                                    : speed * k->rate;
}

static void fill_units(rt_steady_search *k)
{
    const rt_search *s = k->s;
    const double length = s->m->length;
    double *unit = k->filled->row_unit;
    for (int c = 0; c < s->m->n_u; c++) {
        const int body = rt_steady_body_of(k, c);
        unit[c] = k->force[body] / s->unit[c];
        k->filled->own[c] = k->largest[body] / s->unit[c];
        k->column_unit[c] = length * s->unit[c];
    }
    rt_row_sizes(s, s->y);
    for (int r = 0; r < s->m->n_rows; r++) {
        if (!(s->y[r] > 0)) s->y[r] = 1;
        unit[k->in_phi + r] = s->y[r] * length;
        unit[k->in_rates + r] = s->y[r] * k->rate * length;
    }
    force_units_of_rows(k, s->y);
    units_of_motion(k);
    for (int i = k->in_signals; i < k->in_prescribed; i++) unit[i] = signal_unit(k, i);
    for (int i = 0; i < k->asked->n_prescribed; i++)
        unit[k->in_prescribed + i] = prescription_size(k, i);
    for (int i = k->in_turn; i < k->in_gauge; i++) unit[i] = k->rate;
    for (int i = k->in_gauge; i < k->in_felt; i++) unit[i] = 1;
    for (int i = k->in_felt; i < k->n_equations; i++)
        unit[i] = k->column_unit[k->at_motion + k->acceleration + i - k->in_felt];
}

/* By which the forces would move the bodies, sqrt(f / (m L)). */
static double rate_of_forces(const rt_steady_search *k)
{
    double square = 0;
    for (int b = 0; b < k->s->m->n_bodies; b++) {
        const double mass = rt_steady_mass(k, b), rounds = k->rounding[b] / (4 * DBL_EPSILON);
        const double force = k->force[b] <= k->rounding[b] ? rounds : k->force[b];
        if (mass > 0) square = fmax(square, force / (mass * k->s->m->length));
    }
    return sqrt(square);
}

/* At rest, with nothing to measure rates by, those that rounding leaves are none. */
static void measure_rate(rt_steady_search *k)
{
    static const double NONE = 1e-9;
    double rate = fmax(known_rate(k), rate_now(k));
    rate = fmax(rate, sqrt(rt_v3_norm(rt_steady_acceleration(k)) / k->s->m->length));
    for (int i = 0; i < k->asked->n_spins; i++)
        rate = fmax(rate, sqrt(fabs(rt_steady_spin_acceleration(k, i))));
    const double natural = rate_of_forces(k);
    if (!(rate > NONE * natural)) rate = natural;
    k->rate = rate > 0 ? rate : 1;
}

void rt_steady_measure(rt_steady_search *k)
{
    measure_forces(k);
    measure_rate(k);
    fill_units(k);
}
