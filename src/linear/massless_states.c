/* Which states are left, and what everything is on them. */
#include <math.h>
#include <stdio.h>

#include "linear/massless_parts.h"

typedef struct massless_work {
    const rt_massless_equations *e;
    const rt_linear_task *t;
    rt_massless_states *out;
    rt_arena *arena;
    rt_reduced_index index;
    rt_sized_rows H;                     /* as it was before the reduction */
    int n_free, n_y;                     /* of v: independent ones; and of these, of y */
    int *place, *kept;                   /* v -> its place among the independent, or -1; and back */
    int *row_of;                         /* v that depends -> its constraint */
    rt_sized_rows V, w, W;               /* on the independent v and inputs */
    rt_sized_rows rate, acceleration, y; /* y: on the states in its place */
} massless_work;

static int massless_inputs_of(const massless_work *k) { return RT_INPUT_ORDERS * k->e->n_in; }

/* ---- what nothing determines ---------------------------------------------------------------- */

/* The twist of a marker by xi. */
static void marker_twist(const massless_work *k, int marker, const double *xi, double y[6])
{
    const rt_search *s = &k->t->search;
    rt_motion map;
    rt_marker_motion(s->m, s->w, s->state, marker, &map);
    for (int i = 0; i < 6; i++) {
        y[i] = 0;
        for (int c = 0; c < map.n; c++) y[i] += map.J[i * map.n + c] * xi[map.columns[c]];
    }
}

/* xi of a motion of the states; its body that moves most, and how: a point in its twist. */
static int moved_body(const massless_work *k, const double *xi, double twist[6])
{
    const rt_search *s = &k->t->search;
    int body = 0;
    double most = -1;
    for (int b = 0; b < s->m->n_bodies; b++) {
        double y[6];
        marker_twist(k, b, xi, y);
        const double size = fmax(rt_v3_norm(y), s->m->length * rt_v3_norm(y + 3));
        if (size <= most) continue;
        most = size, body = b;
        memcpy(twist, y, sizeof y);
    }
    return body;
}

static bool may_bring_moment(const rt_load *load)
{
    if (load->type == RT_LOAD_SPRING || load->type == RT_LOAD_FORCE) return false;
    if (load->type != RT_LOAD_BUSHING) return true;
    for (int i = 0; i < 6; i++) {
        if (i >= 3 && load->preload6[i].value != 0) return true;
        for (int j = 0; j < 6; j++) {
            const int at = 6 * i + j;
            if ((i >= 3 || j >= 3) &&
                (load->stiffness6[at].value != 0 || load->damping6[at].value != 0))
                return true;
        }
    }
    return false;
}

/* Does a load that may bring a moment act on a body that rotates? However small it is beside others,
 * the rotation is not nothing to it. */
static bool feels_moment(const massless_work *k, const double *xi, double turns)
{
    const routh_model *model = k->t->search.m->model;
    for (int i = 0; i < model->n_loads; i++) {
        const rt_load *load = &model->loads[i];
        if (!may_bring_moment(load)) continue;
        for (int end = 0; end < 2; end++) {
            double y[6];
            if (load->markers[end] < 0) continue;
            marker_twist(k, load->markers[end], xi, y);
            if (rt_v3_norm(y + 3) > 1e-9 * turns) return true;
        }
    }
    return false;
}

/* Does no place move that an element looks at? Then it is a spin that nothing feels, unless a row
 * that holds velocities turns with it. */
static bool is_unfelt(const massless_work *k, const double *xi)
{
    const rt_search *s = &k->t->search;
    const routh_mechanism *m = s->m->base ? s->m->base : s->m;
    double moves = 0, turns = 0;
    if (m->n_nonholonomic > 0) return false;
    for (int u = 0; u < m->n_used; u++) {
        double y[6];
        marker_twist(k, m->used[u], xi, y);
        moves = fmax(moves, rt_v3_norm(y));
        turns = fmax(turns, rt_v3_norm(y + 3));
    }
    return moves <= 1e-9 * s->m->length * turns && !feels_moment(k, xi, turns);
}

static void words_of(const massless_work *k, const double *xi, int *body, char *text, size_t room)
{
    double v[6];
    *body = moved_body(k, xi, v);
    const double length = k->t->search.m->length;
    const bool turns = length * rt_v3_norm(v + 3) > rt_v3_norm(v);
    double *x = turns ? v + 3 : v;
    const double size = rt_v3_norm(x);
    for (int i = 0; i < 3; i++) x[i] = fabs(x[i]) < 1e-12 * size ? 0 : x[i] / size;
    snprintf(text, room, "the %s of body %.160s %s [%.3g, %.3g, %.3g]",
             turns ? "rotation" : "displacement", k->t->search.m->model->bodies[*body].name,
             turns ? "about" : "along", x[0], x[1], x[2]);
}

static routh_status fail_undetermined(const massless_work *k, const double *xi, routh_error *error)
{
    char motion[256], element[192];
    int body;
    const routh_model *model = k->t->search.m->model;
    words_of(k, xi, &body, motion, sizeof motion);
    snprintf(element, sizeof element, "body %.180s", model->bodies[body].name);
    return rt_fail_at(error, ROUTH_NOT_SUPPORTED, model->file, model->bodies[body].place, element,
                      "%s has no inertia, and neither stiffness, damping nor a joint determines "
                      "it, or none that is more than rounding of the largest ones there are; give "
                      "the body a mass and an inertia, or add a spring, a damper or a joint that "
                      "acts on this motion",
                      motion);
}

static routh_status fail_unbalanced(const massless_work *k, int input, routh_error *error)
{
    const routh_model *model = k->t->search.m->model;
    char element[192];
    snprintf(element, sizeof element, "input %.180s", model->inputs[input].name);
    return rt_fail_at(error, ROUTH_NOT_SUPPORTED, model->file, model->inputs[input].place, element,
                      "this input acts on a motion that has no inertia, and nothing balances it; "
                      "add a spring or a damper there, or give the body a mass and an inertia");
}

/* The motion of the free w number j: of w, of S, and xi. */
static bool free_motion(const massless_work *k, int j, double **p, double **S, double **xi)
{
    const rt_massless_equations *e = k->e;
    const rt_sensitivity *x = &k->t->x;
    *p = RT_TAKE(k->arena, double, e->n_w);
    *S = RT_TAKE(k->arena, double, e->z);
    *xi = RT_TAKE(k->arena, double, x->n);
    if (!*p || !*S || !*xi) return false;
    for (int i = 0; i < e->n_w; i++) (*p)[i] = rt_sized_value(&k->index.w, i)[e->n_v + j];
    (*p)[j] = 1;
    for (int i = 0; i < e->z; i++)
        for (int c = 0; c < e->n_w; c++) (*S)[i] += rt_sized_value(&e->F, i)[e->n_v + c] * (*p)[c];
    for (int i = 0; i < e->z; i++)
        for (int c = 0; c < x->n; c++) (*xi)[c] += (*S)[i] * x->X[(size_t)x->n * i + c];
    return true;
}

/* Is the row free of the motion? */
static bool row_is_free(const massless_work *k, const rt_sized_rows *rows, int row, const double *p,
                        const double *S)
{
    const rt_massless_equations *e = k->e;
    double by_w = 0, size_w = 0, by_S = 0, size_S = 0;
    for (int c = 0; c < e->n_w; c++) {
        by_w += rt_sized_value(rows, row)[e->n_v + c] * p[c];
        size_w += rt_sized_size(rows, row)[e->n_v + c] * fabs(p[c]);
    }
    for (int c = 0; c < e->z; c++) {
        by_S += rt_sized_value(rows, row)[c] * S[c];
        size_S += rt_sized_size(rows, row)[c] * fabs(S[c]);
    }
    return fabs(by_w) <= e->tolerance * size_w && fabs(by_S) <= e->tolerance * size_S;
}

/* The state whose rate is w number j; -1: none. */
static int state_of_rate(const massless_work *k, int j)
{
    const rt_states *states = &k->t->states;
    const int candidate = states->rate[k->e->null[j]];
    for (int i = 0; i < states->z; i++)
        if (states->candidate[i] == candidate) return i;
    return -1;
}

/* Holds the free w: constraints S = 0. */
static routh_status hold_free(massless_work *k, routh_error *error)
{
    const rt_massless_equations *e = k->e;
    for (int f = 0; f < k->index.n_free; f++) {
        const int j = k->index.free[f], state = state_of_rate(k, j);
        double *p, *S, *xi;
        if (!free_motion(k, j, &p, &S, &xi)) return rt_fail_memory(error);
        bool alone = state >= 0 && is_unfelt(k, xi);
        for (int i = e->z; i < e->n_v && alone; i++) alone = row_is_free(k, &e->F, i, p, S);
        for (int i = 0; i < e->n_w && alone; i++) alone = row_is_free(k, &k->H, i, p, S);
        if (!alone) return fail_undetermined(k, xi, error);
        const int to = k->index.n_constraints++;
        for (int c = 0; c < e->width; c++) rt_sized_set(&k->index.constraints, to, c, c == state);
        k->out->n_held++;
    }
    return ROUTH_OK;
}

/* ---- independent v -------------------------------------------------------------------------- */

/* Those that are wanted stay; states of position go before those of velocity, and of controllers
 * none goes. */
static routh_status choose_dependent(massless_work *k, routh_error *error)
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
                return fail_unbalanced(k, (c - e->n_v - e->n_w) % e->n_in, error);
    }
    for (int c = 0; c < e->n_v; c++) {
        k->place[c] = k->row_of[c] < 0 ? k->n_free : -1;
        if (k->row_of[c] < 0) k->kept[k->n_free++] = c;
        k->n_y += k->row_of[c] < 0 && c >= e->z && c < e->z + e->r;
    }
    return ROUTH_OK;
}

/* to += scale from, from a row on (v, w, inputs), to one on the independent v and the inputs. */
static void massless_add_row(const massless_work *k, const rt_sized_rows *to, int row, double scale,
                             const rt_sized_rows *from, int from_row)
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

static bool express(massless_work *k)
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
static bool differentiate_velocities(const massless_work *k)
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
static routh_status choose_velocities(massless_work *k, int first, routh_error *error)
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
static routh_status solve_momenta(massless_work *k, int first, routh_error *error)
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
static void massless_put_row(const massless_work *k, int first, const rt_sized_rows *to, int row,
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

static routh_status massless_fill_states(massless_work *k, int first, routh_error *error)
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
    massless_work k = {.e = e, .t = t, .out = out, .arena = arena};
    out->position = RT_TAKE(arena, int, e->z);
    out->velocity = RT_TAKE(arena, int, e->z1);
    if (!out->position || !out->velocity || !rt_sized_take(&k.H, e->n_w, e->width, arena))
        return rt_fail_memory(error);
    for (int i = 0; i < e->n_w; i++) rt_sized_add(&k.H, i, 1, &e->H, i);
    const rt_differential_algebraic system = {e->n_v, e->n_w, e->n_in, e->F, e->H, e->tolerance};
    routh_status status = rt_reduce_index(&system, &k.index, arena, error);
    if (status) return status;
    if (k.index.unbalanced >= 0) return fail_unbalanced(&k, k.index.unbalanced, error);
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
    status = hold_free(&k, error);
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
