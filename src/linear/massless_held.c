/* Motions without inertia that nothing determines: held where nothing feels them, else refused. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "linear/massless_parts.h"
#include "model/load_class.h"

/* The twist of a marker by xi. */
static void marker_twist(const rt_massless_work *k, int marker, const double *xi, double y[6])
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
static int moved_body(const rt_massless_work *k, const double *xi, double twist[6])
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

/* By its matrices: are all rotations and moments zero in them? */
static bool is_of_forces(const rt_load *load)
{
    for (int i = 0; i < 6; i++) {
        if (i >= 3 && load->preload6[i].value != 0) return false;
        for (int j = 0; j < 6; j++) {
            const double k = load->stiffness6[6 * i + j].value, c = load->damping6[6 * i + j].value;
            if ((i >= 3 || j >= 3) && (k != 0 || c != 0)) return false;
        }
    }
    return true;
}

/* Does a load to which axes matter act on a body that rotates? However small it is beside others,
 * the rotation is not nothing to it. */
static bool feels_moment(const rt_massless_work *k, const double *xi, double turns)
{
    const routh_model *model = k->t->search.m->model;
    for (int i = 0; i < model->n_loads; i++) {
        const rt_load *load = &model->loads[i];
        const rt_load_class *class = rt_load_class_of(load->type);
        if (class->closed_form == RT_CLOSED_BUSHING && is_of_forces(load)) continue;
        const int *on, n_on = rt_markers_of_load(load, &on);
        for (int end = class->points; end < n_on; end++) {
            double y[6];
            if (on[end] < 0) continue;
            marker_twist(k, on[end], xi, y);
            if (rt_v3_norm(y + 3) > 1e-9 * turns) return true;
        }
    }
    return false;
}

/* Does no place move that an element looks at? Then it is a spin that nothing feels, unless a row
 * that holds velocities turns with it. */
static bool is_unfelt(const rt_massless_work *k, const double *xi)
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

static void words_of(const rt_massless_work *k, const double *xi, int *body, char *text,
                     size_t room)
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

static routh_status fail_undetermined(const rt_massless_work *k, const double *xi,
                                      routh_error *error)
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

routh_status rt_massless_fail_unbalanced(const rt_massless_work *k, int input, routh_error *error)
{
    const routh_model *model = k->t->search.m->model;
    char element[192];
    snprintf(element, sizeof element, "input %.180s", model->inputs[input].name);
    return rt_fail_at(error, ROUTH_NOT_SUPPORTED, model->file, model->inputs[input].place, element,
                      "this input acts on a motion that has no inertia, and nothing balances it; "
                      "add a spring or a damper there, or give the body a mass and an inertia");
}

/* The motion of the free w number j: of w, of S, and xi. */
static bool free_motion(const rt_massless_work *k, int j, double **p, double **S, double **xi)
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
static bool row_is_free(const rt_massless_work *k, const rt_sized_rows *rows, int row,
                        const double *p, const double *S)
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
static int state_of_rate(const rt_massless_work *k, int j)
{
    const rt_states *states = &k->t->states;
    const int candidate = states->rate[k->e->null[j]];
    for (int i = 0; i < states->z; i++)
        if (states->candidate[i] == candidate) return i;
    return -1;
}

/* Holds the free w: constraints S = 0. */
routh_status rt_massless_hold_free(rt_massless_work *k, routh_error *error)
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
