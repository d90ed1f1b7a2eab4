/* What inputs do to the states: forces on W, rates of S and X. */
#include <string.h>

#include "answers/pencil.h"
#include "base/lapack.h"
#include "answers/response_transfer.h"

static routh_status check_mass(const routh_linear *l, const rt_channel *c, routh_error *error)
{
    if (rt_pencil_exists(l) && l->n_position == l->n_velocity) return ROUTH_OK;
    return rt_fail(error, ROUTH_NOT_SUPPORTED, "%s: %s; use an input of the model instead", c->name,
                   rt_pencil_exists(l)
                       ? "there are fewer velocities than positions (a nonholonomic joint), and a "
                         "force on a state or the ground's motion is not defined by the states"
                       : "the linear model holds no mass matrix");
}

static void copy_column(double *to, int n_in, int j, const double *from, int n_from, int k, int n)
{
    for (int i = 0; from && i < n; i++) to[(size_t)i * n_in + j] = from[(size_t)i * n_from + k];
}

/* The ground accelerates by a: the bodies, seen from it, feel - weight (e, 0, ..) a. Of the energy
 * 1/2 v' weight v with v = rows y, the force on W is - rows_W' weight (e, 0, ..) a. */
static routh_status base_force(double *force, int n_in, int j, const routh_linear *l, int axis,
                               routh_error *error)
{
    bool any = false;
    for (int k = 0; k < l->n_shares; k++) {
        const routh_energy_fraction *s = &l->shares[k];
        if (s->kind != ROUTH_ENERGY_KINETIC) continue;
        any = true;
        for (int r = 0; r < s->n_rows; r++) {
            const double p = s->weight[(size_t)r * s->n_rows + axis];
            const double *row = s->rows + (size_t)r * l->n_states + l->n_position;
            for (int i = 0; i < l->n_velocity && p != 0; i++)
                force[(size_t)i * n_in + j] -= row[i] * p;
        }
    }
    return any ? ROUTH_OK
               : rt_fail(error, ROUTH_NOT_SUPPORTED,
                         "the response to base motion needs the masses of the bodies, which a "
                         "saved linear model does not contain; give the model file");
}

static routh_status response_loads_fill(rt_loads *out, const routh_linear *l, const rt_channel *c,
                                        int n_in, int j, routh_error *error)
{
    const double *force[3] = {l->force, l->force1, l->force2}, *rate[3] = {l->B, l->B1, l->B2};
    const bool mass = rt_pencil_exists(l);
    routh_status status = ROUTH_OK;
    if (c->kind == RT_CHANNEL_OWN) {
        for (int k = 0; k < 3; k++) {
            if (mass)
                copy_column(out->force[k], n_in, j, force[k], l->n_inputs, c->index, l->n_velocity);
            copy_column(out->rate[k], n_in, j, rate[k], l->n_inputs, c->index, l->n_states);
            for (int i = 0; mass && i < l->n_velocity; i++)
                out->rate[k][(size_t)(l->n_position + i) * n_in + j] = 0;
        }
        return ROUTH_OK;
    }
    status = check_mass(l, c, error);
    if (status) return status;
    if (c->kind == RT_CHANNEL_BASE) return base_force(out->force[2], n_in, j, l, c->index, error);
    out->force[0][(size_t)c->index * n_in + j] = 1;
    return ROUTH_OK;
}

routh_status rt_loads_find(rt_loads *loads, const routh_linear *l, const rt_channels *c,
                           rt_arena *arena, routh_error *error)
{
    routh_status status = ROUTH_OK;
    for (int k = 0; k < 3; k++) {
        loads->force[k] = RT_TAKE(arena, double, (size_t)l->n_velocity *(size_t)c->n_in);
        loads->rate[k] = RT_TAKE(arena, double, (size_t)l->n_states *(size_t)c->n_in);
        if (!loads->force[k] || !loads->rate[k]) return rt_fail_memory(error);
    }
    for (int j = 0; j < c->n_in && !status; j++)
        status = response_loads_fill(loads, l, &c->in[j], c->n_in, j, error);
    return status;
}

/* Forces on W become rates: M^-1 f. */
routh_status rt_rates_find(double *const B[3], const routh_linear *l, const rt_loads *loads,
                           int n_in, rt_arena *arena, routh_error *error)
{
    const int n = l->n_states, w = l->n_velocity;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n_in; j++)
                B[k][i + (size_t)n * j] = loads->rate[k][(size_t)i * n_in + j];
    if (!rt_pencil_exists(l) || w == 0) return ROUTH_OK;
    double *M = RT_TAKE(arena, double, (size_t)w *(size_t)w);
    double *f = RT_TAKE(arena, double, (size_t)w * 3 * (size_t)n_in);
    int *pivots = RT_TAKE(arena, int, w);
    if (!M || !f || !pivots) return rt_fail_memory(error);
    for (int i = 0; i < w; i++)
        for (int j = 0; j < w; j++) M[i + (size_t)w * j] = l->mass[(size_t)i * w + j];
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < n_in; j++)
            for (int i = 0; i < w; i++)
                f[i + (size_t)w * (k * n_in + j)] = loads->force[k][(size_t)i * n_in + j];
    routh_status status = rt_lu_factor(w, M, pivots, error);
    if (!status) status = rt_lu_solve(w, M, pivots, 3 * n_in, f, 0, error);
    for (int k = 0; k < 3 && !status; k++)
        for (int j = 0; j < n_in; j++)
            for (int i = 0; i < w; i++)
                B[k][l->n_position + i + (size_t)n * j] = f[i + (size_t)w * (k * n_in + j)];
    return status;
}
