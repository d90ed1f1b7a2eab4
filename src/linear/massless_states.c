/* Which states are left, and what everything is on them. */
#include <math.h>
#include <stdio.h>

#include "linear/massless_parts.h"

static int massless_inputs_of(const rt_massless_work *k) { return RT_INPUT_ORDERS * k->e->n_in; }

/* ---- independent v -------------------------------------------------------------------------- */

/* Those that are wanted stay; states of position go before those of velocity, and of controllers
 * none goes. */
static routh_status choose_dependent(rt_massless_work *k, routh_error *error)
{
    const rt_massless_equations *e = k->e;
    const rt_sized_rows *C = &k->index.constraints;
    const int n = k->index.n_constraints;
    int *pivot = RT_TAKE(k->arena, int, n);
    double *weight = RT_TAKE(k->arena, double, e->n_v);
    k->place = RT_TAKE(k->arena, int, e->n_v);
    k->kept = RT_TAKE(k->arena, int, e->n_v);
    k->row_of = RT_TAKE(k->arena, int, e->n_v);
    if (!pivot || !weight || !k->place || !k->kept || !k->row_of) return rt_fail_memory(error);
    for (int c = 0; c < e->n_v; c++) {
        weight[c] = c >= e->z + e->r ? 0 : c >= e->z ? 1e-6 : 1;
        if (c < k->t->states.n_preferred) weight[c] = 1e-3;
        k->row_of[c] = -1;
    }
    rt_sized_eliminate(C, n, 0, e->n_v, weight, e->tolerance, pivot, NULL);
    for (int i = 0; i < n; i++) {
        if (pivot[i] >= 0) {
            k->row_of[pivot[i]] = i;
            continue;
        }
        for (int c = e->n_v + e->n_w; c < e->width; c++)
            if (!rt_sized_is_zero(C, i, c, e->tolerance))
                return rt_massless_fail_unbalanced(k, (c - e->n_v - e->n_w) % e->n_in, error);
    }
    for (int c = 0; c < e->n_v; c++) {
        k->place[c] = k->row_of[c] < 0 ? k->n_free : -1;
        if (k->row_of[c] < 0) k->kept[k->n_free++] = c;
        k->n_y += k->row_of[c] < 0 && c >= e->z && c < e->z + e->r;
    }
    return ROUTH_OK;
}

/* to += scale from, from a row on (v, w, inputs), to one on the independent v and the inputs. */
static void massless_add_row(const rt_massless_work *k, const rt_sized_rows *to, int row,
                             double scale, const rt_sized_rows *from, int from_row)
{
    const rt_massless_equations *e = k->e;
    const double *x = rt_sized_value(from, from_row), *s = rt_sized_size(from, from_row);
    for (int c = 0; c < e->n_v; c++) rt_sized_add(to, row, scale * x[c], &k->V, c);
    for (int c = 0; c < e->n_w; c++) rt_sized_add(to, row, scale * x[e->n_v + c], &k->w, c);
    for (int c = 0; c < massless_inputs_of(k); c++) {
        rt_sized_value(to, row)[k->n_free + c] += scale * x[e->n_v + e->n_w + c];
        rt_sized_size(to, row)[k->n_free + c] += fabs(scale) * s[e->n_v + e->n_w + c];
    }
}

static bool express(rt_massless_work *k)
{
    const rt_massless_equations *e = k->e;
    const int width = k->n_free + massless_inputs_of(k);
    bool ok = rt_sized_take(&k->V, e->n_v, width, k->arena);
    ok = ok && rt_sized_take(&k->w, e->n_w, width, k->arena);
    ok = ok && rt_sized_take(&k->W, e->z1, width, k->arena);
    ok = ok && rt_sized_take(&k->rate, k->n_free, width, k->arena);
    ok = ok && rt_sized_take(&k->acceleration, e->z1, width, k->arena);
    if (!ok) return false;
    for (int c = 0; c < k->n_free; c++) rt_sized_set(&k->V, k->kept[c], c, 1);
    for (int c = 0; c < e->n_v; c++) {
        if (k->row_of[c] < 0) continue;
        const double *x = rt_sized_value(&k->index.constraints, k->row_of[c]);
        const double *s = rt_sized_size(&k->index.constraints, k->row_of[c]);
        double *V = rt_sized_value(&k->V, c), *size = rt_sized_size(&k->V, c);
        for (int i = 0; i < width; i++) {
            const int from = i < k->n_free ? k->kept[i] : e->n_v + e->n_w + i - k->n_free;
            V[i] = -x[from];
            size[i] = s[from];
        }
    }
    for (int f = 0; f < k->index.n_free; f++) /* held */
        for (int c = 0; c < e->n_w; c++) rt_sized_set(&k->index.w, c, e->n_v + k->index.free[f], 0);
    for (int c = 0; c < e->n_w; c++) massless_add_row(k, &k->w, c, 1, &k->index.w, c);
    for (int i = 0; i < e->r; i++) {
        rt_sized_add(&k->W, e->pivot[i], 1, &k->V, e->z + i);
        for (int c = 0; c < e->n_w; c++)
            rt_sized_add(&k->W, e->pivot[i], -e->Z[i * e->n_w + c], &k->w, c);
    }
    for (int c = 0; c < e->n_w; c++) rt_sized_add(&k->W, e->null[c], 1, &k->w, c);
    for (int i = 0; i < k->n_free; i++) massless_add_row(k, &k->rate, i, 1, &e->F, k->kept[i]);
    return true;
}

/* W' of all W; false: an input's rate of too high an order comes in. */
static bool differentiate_velocities(const rt_massless_work *k)
{
    const int n_in = k->e->n_in, first = k->n_free, last = first + massless_inputs_of(k) - n_in;
    bool ok = true;
    for (int i = 0; i < k->e->z1; i++) {
        const double *x = rt_sized_value(&k->W, i), *s = rt_sized_size(&k->W, i);
        for (int c = 0; c < k->n_free; c++) rt_sized_add(&k->acceleration, i, x[c], &k->rate, c);
        for (int c = first; c < last; c++) {
            rt_sized_value(&k->acceleration, i)[c + n_in] += x[c];
            rt_sized_size(&k->acceleration, i)[c + n_in] += s[c];
        }
        for (int c = last; c < last + n_in; c++)
            ok = ok && rt_sized_is_zero(&k->W, i, c, k->e->tolerance);
    }
    return ok;
}

/* ---- the states ----------------------------------------------------------------------------- */

/* n_y of W that are independent in y; those that have inertia of their own first. */
static routh_status choose_velocities(rt_massless_work *k, int first, routh_error *error)
{
    const rt_massless_equations *e = k->e;
    rt_sized_rows T;
    int *pivot = RT_TAKE(k->arena, int, k->n_y);
    double *weight = RT_TAKE(k->arena, double, e->z1);
    if (!pivot || !weight || !rt_sized_take(&T, k->n_y, e->z1, k->arena))
        return rt_fail_memory(error);
    for (int i = 0; i < e->z1; i++) weight[i] = i < k->t->states.n_preferred_rates ? 1e3 : 1e-3;
    for (int i = 0; i < e->r; i++) weight[e->pivot[i]] *= 1e3;
    for (int i = 0; i < k->n_y; i++)
        for (int c = 0; c < e->z1; c++) {
            rt_sized_value(&T, i)[c] = rt_sized_value(&k->W, c)[first + i];
            rt_sized_size(&T, i)[c] = rt_sized_size(&k->W, c)[first + i];
        }
    const int rank = rt_sized_eliminate(&T, k->n_y, 0, e->z1, weight, e->tolerance, pivot, NULL);
    if (rank < k->n_y)
        return rt_fail(error, ROUTH_SINGULAR,
                       "the motions without inertia leave no independent velocities");
    for (int c = 0; c < e->z1; c++)
        for (int i = 0; i < k->n_y; i++)
            if (pivot[i] == c) k->out->velocity[k->out->n_velocity++] = c;
    return ROUTH_OK;
}

/* y on (S, W, X, inputs), from the rows of the W that are states */
static routh_status solve_momenta(rt_massless_work *k, int first, routh_error *error)
{
    const int n_y = k->n_y, width = k->W.width;
    rt_sized_rows E;
    int *pivot = RT_TAKE(k->arena, int, n_y);
    if (!pivot || !rt_sized_take(&E, n_y, n_y + width, k->arena) ||
        !rt_sized_take(&k->y, n_y, width, k->arena))
        return rt_fail_memory(error);
    for (int i = 0; i < n_y; i++) {
        const double *x = rt_sized_value(&k->W, k->out->velocity[i]);
        const double *s = rt_sized_size(&k->W, k->out->velocity[i]);
        for (int c = 0; c < width; c++) {
            const bool is_y = c >= first && c < first + n_y;
            const int to = is_y ? c - first : n_y + c;
            rt_sized_value(&E, i)[to] = x[c];
            rt_sized_size(&E, i)[to] = s[c];
        }
        rt_sized_set(&E, i, n_y + first + i, -1);
    }
    if (rt_sized_eliminate(&E, n_y, 0, n_y, NULL, k->e->tolerance, pivot, NULL) < n_y)
        return rt_fail(error, ROUTH_SINGULAR,
                       "the motions without inertia leave no independent velocities");
    for (int i = 0; i < n_y; i++)
        for (int c = 0; c < width; c++) {
            rt_sized_value(&k->y, pivot[i])[c] = -rt_sized_value(&E, i)[n_y + c];
            rt_sized_size(&k->y, pivot[i])[c] = rt_sized_size(&E, i)[n_y + c];
        }
    return ROUTH_OK;
}

/* A row on the independent v becomes one on the states. */
static void massless_put_row(const rt_massless_work *k, int first, const rt_sized_rows *to, int row,
                             const rt_sized_rows *from, int from_row)
{
    const double *x = rt_sized_value(from, from_row), *s = rt_sized_size(from, from_row);
    for (int c = 0; c < from->width; c++) {
        if (c >= first && c < first + k->n_y) continue;
        rt_sized_value(to, row)[c] += x[c];
        rt_sized_size(to, row)[c] += s[c];
    }
    for (int i = 0; i < k->n_y; i++) rt_sized_add(to, row, x[first + i], &k->y, i);
}

static routh_status massless_fill_states(rt_massless_work *k, int first, routh_error *error)
{
    rt_massless_states *out = k->out;
    const rt_massless_equations *e = k->e;
    out->n = k->n_free, out->width = k->W.width;
    if (!rt_sized_take(&out->S, e->z, out->width, k->arena) ||
        !rt_sized_take(&out->W, e->z1, out->width, k->arena) ||
        !rt_sized_take(&out->rate, out->n, out->width, k->arena) ||
        !rt_sized_take(&out->acceleration, e->z1, out->width, k->arena))
        return rt_fail_memory(error);
    for (int i = 0; i < e->z; i++) massless_put_row(k, first, &out->S, i, &k->V, i);
    for (int i = 0; i < e->z1; i++) {
        massless_put_row(k, first, &out->W, i, &k->W, i);
        massless_put_row(k, first, &out->acceleration, i, &k->acceleration, i);
    }
    for (int i = 0; i < out->n_velocity; i++) { /* exactly themselves */
        for (int c = 0; c < out->width; c++)
            rt_sized_set(&out->W, out->velocity[i], c, c == first + i);
    }
    for (int i = 0; i < out->n; i++) {
        const bool is_y = i >= first && i < first + k->n_y;
        if (is_y)
            rt_sized_add(&out->rate, i, 1, &out->acceleration, out->velocity[i - first]);
        else
            massless_put_row(k, first, &out->rate, i, &k->rate, i);
    }
    return ROUTH_OK;
}

routh_status rt_massless_states_make(rt_massless_states *out, const rt_massless_equations *e,
                                     const rt_linear_task *t, rt_arena *arena, routh_error *error)
{
    *out = (rt_massless_states){0};
    rt_massless_work k = {.e = e, .t = t, .out = out, .arena = arena};
    out->position = RT_TAKE(arena, int, e->z);
    out->velocity = RT_TAKE(arena, int, e->z1);
    if (!out->position || !out->velocity || !rt_sized_take(&k.H, e->n_w, e->width, arena))
        return rt_fail_memory(error);
    for (int i = 0; i < e->n_w; i++) rt_sized_add(&k.H, i, 1, &e->H, i);
    const rt_differential_algebraic system = {e->n_v, e->n_w, e->n_in, e->F, e->H, e->tolerance};
    routh_status status = rt_reduce_index(&system, &k.index, arena, error);
    if (status) return status;
    if (k.index.unbalanced >= 0) return rt_massless_fail_unbalanced(&k, k.index.unbalanced, error);
    if (k.index.too_high)
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "the motions without inertia do not follow from their balances; give the "
                       "bodies a mass and an inertia");
    if (k.index.stiff)
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "the damping of a motion without inertia is next to nothing beside that of "
                       "others, so that its rate is out of all proportion; leave this damping out, "
                       "or give the body a mass and an inertia");
    if (k.index.unclear)
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "whether the motions without inertia have a stiffness or a damping is not "
                       "clear, as it is no more than rounding of the largest ones there are; give "
                       "the bodies a mass and an inertia, or the springs and dampers at them "
                       "values that differ less");
    status = rt_massless_hold_free(&k, error);
    if (!status) status = choose_dependent(&k, error);
    if (status) return status;
    for (int c = 0; c < k.n_free && k.kept[c] < e->z; c++)
        out->position[out->n_position++] = k.kept[c];
    if (!express(&k)) return rt_fail_memory(error);
    if (!differentiate_velocities(&k))
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "an input moves a motion without inertia by derivatives of an order that "
                       "a linear model does not have; give the body a mass and an inertia");
    status = choose_velocities(&k, out->n_position, error);
    if (!status) status = solve_momenta(&k, out->n_position, error);
    return status ? status : massless_fill_states(&k, out->n_position, error);
}
