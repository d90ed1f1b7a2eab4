/* Modes of candidates. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/eigenvalue.h"
#include "base/identity.h"
#include "answers/order.h"
#include "answers/shape.h"
#include "answers/wanted_parts.h"

/* (S, W) of y = scale * scaled y */
static void states_of(const rt_shifted *s, const double *scaled, double *out)
{
    const routh_sparse *T = &s->descriptor->states;
    memset(out, 0, (size_t)T->n_rows * sizeof *out);
    for (int c = 0; c < T->n_columns; c++)
        for (int e = T->start[c]; e < T->start[c + 1]; e++)
            out[T->row[e]] += T->value[e] * s->scale[c] * scaled[c];
}

static void wanted_modes_fill_mode(double rate, const rt_candidate *c, int sign, routh_mode *mode)
{
    const double lambda[2] = {c->rigid ? 0 : rate * c->lambda[0],
                              c->rigid ? 0 : sign * rate * c->lambda[1]};
    mode->eigenvalue[0] = lambda[0], mode->eigenvalue[1] = lambda[1];
    mode->undamped_frequency_hz = rt_undamped_hz(lambda);
    mode->damped_frequency_hz = rt_damped_hz(lambda);
    mode->damping_ratio = rt_damping_ratio(lambda);
    mode->condition = NAN;
    mode->error_bound = rate * c->error;
    mode->rigid = c->rigid;
    mode->residual = c->errors.residual;
}

static void wanted_modes_fill(const rt_shifted *s, const rt_candidate *kept, int n_kept,
                              routh_modes *m)
{
    const routh_linear *linear = s->descriptor->linear;
    const size_t n = (size_t)linear->n_states;
    int at = 0;
    for (int k = 0; k < n_kept; k++) {
        const rt_candidate *c = &kept[k];
        const int n_values = rt_values_of(c);
        double *shape = m->storage + 2 * n * (size_t)at;
        states_of(s, c->re, shape);
        states_of(s, c->im, shape + n);
        rt_shape_normalise(linear, shape, shape + n);
        for (int i = 0; i < n_values; i++) {
            wanted_modes_fill_mode(s->rate, c, i ? -1 : 1, &m->modes[at + i]);
            m->modes[at + i].shape = shape + 2 * n * (size_t)i;
            m->modes[at + i].n_states = linear->n_states;
            m->modes[at + i].conjugate = c->rigid || n_values == 1 ? at + i : at + 1 - i;
        }
        if (n_values == 2) {
            memcpy(shape + 2 * n, shape, n * sizeof *shape);
            for (size_t i = 0; i < n; i++) shape[3 * n + i] = -shape[n + i];
        }
        m->n_zero += c->rigid ? n_values : 0;
        m->wanted.violation = fmax(m->wanted.violation, c->errors.violation);
        at += n_values;
    }
}

/* Modes of which more are equal than are there. */
static void wanted_modes_mark_equal(double rate, const rt_candidate *kept, int n_kept,
                                    routh_modes *m)
{
    for (int k = 0; k < n_kept; k++)
        for (int i = 0; kept[k].n_equal && i < m->n; i++) {
            routh_mode *mode = &m->modes[i];
            const double size = kept[k].rigid ? 0 : rate;
            if (mode->eigenvalue[0] == size * kept[k].lambda[0] &&
                fabs(mode->eigenvalue[1]) == fabs(size * kept[k].lambda[1]) &&
                mode->multiplicity < kept[k].n_equal)
                mode->multiplicity = kept[k].n_equal;
        }
}

routh_status rt_wanted_modes(const rt_shifted *s, const rt_candidate *kept, int n_kept,
                             const routh_selection *how, routh_modes **modes, routh_error *error)
{
    const size_t n_states = (size_t)s->descriptor->linear->n_states,
                 n_regions = (size_t)how->n_regions;
    size_t n = 0;
    for (int k = 0; k < n_kept; k++) n += (size_t)rt_values_of(&kept[k]);
    routh_modes *m = rt_kept_calloc(NULL, 1, sizeof *m);
    routh_mode *scratch = malloc((n + 1) * sizeof *scratch);
    int *places = malloc((2 * n + 1) * sizeof *places);
    if (m) {
        m->n = (int)n;
        m->of = rt_identity_of_linear(s->descriptor->linear);
        m->origin = s->descriptor->linear->origin;
        m->modes = rt_kept_calloc(NULL, n + 1, sizeof *m->modes);
        m->storage = rt_kept_calloc(NULL, 2 * n * n_states + 1, sizeof *m->storage);
        m->wanted = *how;
        m->wanted.regions = rt_kept_calloc(NULL, n_regions + 1, sizeof *m->wanted.regions);
    }
    const bool ok = m && scratch && places && m->modes && m->storage && m->wanted.regions;
    if (ok) {
        if (n_regions) memcpy(m->wanted.regions, how->regions, n_regions * sizeof *how->regions);
        wanted_modes_fill(s, kept, n_kept, m);
        rt_order_modes(m->n, m->modes, scratch, places);
        wanted_modes_mark_equal(s->rate, kept, n_kept, m);
    } else
        routh_modes_free(m);
    free(scratch);
    free(places);
    *modes = ok ? m : NULL;
    return ok ? ROUTH_OK : rt_fail_memory(error);
}
