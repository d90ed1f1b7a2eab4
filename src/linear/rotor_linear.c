/* The linear model of a rotor in multi-blade coordinates: that of the operating point, its states
 * exchanged, and how much it changes with the azimuth. */
#include <stdio.h>
#include <stdlib.h>

#include "base/lapack.h"
#include "base/pi.h"
#include "linear/rotor.h"

/* Azimuths beside that of the point, over the angle between two blades: no simple fraction. */
static const double ASIDE = 0.3819660112501051;
static const double MOST_VARIATION = 1e-6;

typedef struct rotor_work {
    rt_rotor rotor;
    rt_rotor_view view;
    const routh_operating_point *point;
    const routh_linear_options *options;
    rt_progress *progress;
    int *rows;
    double *A, *T, *own, *rate, *size;
    double *there, *change; /* n x n: A at an azimuth, and its change */
    rt_rotor_modes modes;
    double variation;
    int worst[2]; /* where A changes most, over the sizes of the states */
    int n_azimuths;
} rotor_work;

/* ---- names ----------------------------------------------------------------------------------- */

static routh_status rotor_name_state(rt_linear_holder *h, const rotor_work *k, int i, bool rate,
                                     routh_state_name *name, routh_error *error)
{
    char text[RT_STATE_NAME];
    const char *unit = rt_rotor_row_unit(&k->rotor, k->rows[i]);
    name->name =
        rt_linear_text(h, "%s%s", rt_rotor_row_name(&k->rotor, k->rows[i], text), rate ? "'" : "");
    name->unit = rt_linear_text(h, "%s%s", unit, rate && *unit ? "/s" : "");
    name->frame = rt_linear_text(h, "%s", "");
    name->value = 0;
    return name->name && name->unit && name->frame ? ROUTH_OK : rt_fail_memory(error);
}

static routh_status rotor_name_signal(rt_linear_holder *h, const rotor_work *k, int place,
                                      routh_state_name *name, routh_error *error)
{
    const rt_rotor *r = &k->rotor;
    char which[RT_MULTIBLADE_NAME];
    for (int i = 0; i < r->n_blades * r->n_states_each; i++) {
        if (r->state[i] != place) continue;
        const char *own = r->m->model->control_states[r->state[i % r->n_states_each]].name;
        name->name = rt_linear_text(h, "blades%s %s", rt_multiblade_rest(own, r->blades[0]),
                                    rt_multiblade_name(r->n_blades, i / r->n_states_each, which));
        if (!name->name) return rt_fail_memory(error);
    }
    return ROUTH_OK;
}

static routh_status rotor_name_states(rt_linear_holder *h, const rotor_work *k, routh_error *error)
{
    routh_linear *out = &h->linear;
    const int z = k->view.z;
    routh_status status = ROUTH_OK;
    for (int i = 0; i < z && !status; i++) {
        status = rotor_name_state(h, k, i, false, &out->states[i], error);
        if (!status) status = rotor_name_state(h, k, i, true, &out->states[z + i], error);
    }
    for (int i = 2 * z; i < k->view.n && !status; i++)
        status = rotor_name_signal(h, k, i - 2 * z, &out->states[i], error);
    out->reference = rt_linear_text(h, "multi-blade");
    return status || out->reference ? status : rt_fail_memory(error);
}

/* ---- how much A changes ---------------------------------------------------------------------- */

static routh_status rotor_take_room(rotor_work *k, routh_error *error)
{
    rt_arena *arena = &k->view.task.arena;
    const size_t n = (size_t)k->view.n;
    double **const squares[] = {&k->A, &k->T, &k->there, &k->change};
    double **const lists[] = {&k->own, &k->rate, &k->size};
    for (size_t i = 0; i < sizeof squares / sizeof *squares; i++)
        if (!(*squares[i] = RT_TAKE(arena, double, n *n))) return rt_fail_memory(error);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (!(*lists[i] = RT_TAKE(arena, double, n))) return rt_fail_memory(error);
    return ROUTH_OK;
}

static void rotor_find_worst(rotor_work *k)
{
    const int n = k->view.n;
    double most = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double c = fabs(k->change[i * n + j]) * k->size[j] / k->size[i];
            if (c > most) most = c, k->worst[0] = i, k->worst[1] = j;
        }
}

/* The point moves as the rotor does, at the azimuth of the view, where A is that. */
static routh_status rotor_check_motion(const rotor_work *k, const rt_rotor_view *view,
                                       const double *A, routh_error *error)
{
    char name[RT_STATE_NAME];
    int state, row;
    const double states =
        rt_rotor_states_deviate(&k->rotor, view, A, k->size, k->own, k->rate, &state);
    const double rows = rt_rotor_rows_deviate(&k->rotor, view, A, k->size, &row);
    if (fmax(states, rows) <= RT_ROTOR_MOST_DEVIATION) return ROUTH_OK;
    if (rows >= states)
        rt_rotor_row_body_name(&k->rotor, row, name);
    else
        rt_rotor_state_words(&k->rotor, view, k->rows, state, name);
    return rt_fail(error, ROUTH_NO_EQUILIBRIUM,
                   "the rotor is in no steady motion in which the blades keep their shape and the "
                   "support rests: after a rotation by %.4g rad %s moves or accelerates against "
                   "that (%.2g); loads by time, drives whose speed changes and gravity across the "
                   "axis of the rotor do so; use routh floquet",
                   view->psi, name, fmax(states, rows));
}

/* The point after a turn; joints and drives do not fit it where the rotor does not go on as it
 * moves now. */
static routh_status rotor_turn_on(const rotor_work *k, double psi, routh_operating_point **point,
                                  routh_error *error)
{
    routh_error cause = {0};
    const routh_status status = rt_rotor_turn(&k->rotor, k->point, psi, point, &cause);
    if (!status || status == ROUTH_OUT_OF_MEMORY) return status ? rt_fail_memory(error) : status;
    return rt_fail(error, ROUTH_NO_EQUILIBRIUM,
                   "the rotor does not go on as it moves at t = %g s, at %.4g rad/s with the "
                   "support at rest: after a rotation by %.4g rad the state is none of the model. "
                   "Drives whose speed changes do so, as do joints that move the support; use "
                   "routh floquet. (%.200s)",
                   rt_re(k->point->state->t), k->rotor.speed, psi, cause.message);
}

/* At another azimuth. */
static routh_status rotor_compare_at(rotor_work *k, double psi, routh_error *error)
{
    const size_t n = (size_t)k->view.n;
    routh_linear_options o = *k->options;
    o.shares = o.markers = 0;
    routh_operating_point *point = NULL;
    rt_rotor_view view = {0};
    routh_status status = rotor_turn_on(k, psi, &point, error);
    if (!status)
        status = rt_rotor_view_create(&view, &k->rotor, point, psi, &o, k->progress, error);
    if (!status)
        status = rt_rotor_matrix(&k->rotor, &view, k->rows, k->there, NULL, k->own, k->rate, error);
    if (!status) status = rotor_check_motion(k, &view, k->there, error);
    for (size_t i = 0; i < n * n && !status; i++) k->change[i] = k->there[i] - k->A[i];
    const double shift = status ? 0 : rt_rotor_modes_shift(&k->modes, k->change);
    if (shift > k->variation) k->variation = shift, rotor_find_worst(k);
    k->n_azimuths++;
    rt_rotor_view_release(&view);
    routh_operating_point_free(point);
    return status;
}

/* State i is a controller's that no blade is known to have. */
static bool rotor_is_common(const rotor_work *k, int i)
{
    const rt_rotor *r = &k->rotor;
    bool blade = false;
    for (int j = 0; j < r->n_blades * r->n_states_each; j++)
        blade = blade || r->state[j] == i - 2 * k->view.z;
    return i >= 2 * k->view.z && !blade;
}

static routh_status rotor_refuse(const rt_linear_holder *h, const rotor_work *k, routh_error *error)
{
    char hint[RT_STATE_NAME] = "";
    for (int j = 0; j < 2 && !*hint; j++)
        if (rotor_is_common(k, k->worst[j]))
            snprintf(hint, sizeof hint,
                     " (of a controller that belongs to a blade the states are known by its name: "
                     "call it %.40s_%.40s)",
                     k->rotor.blades[0], h->linear.states[k->worst[j]].name);
    return rt_fail(error, ROUTH_BAD_ARGUMENT,
                   "in multi-blade coordinates the linear model still changes with the azimuth: an "
                   "eigenvalue by %.2g of itself or of the speed, and most that of %s by %s; the "
                   "blades or the hub are not alike all around, or gravity acts across the axis: "
                   "use routh floquet%s",
                   k->variation, h->linear.states[k->worst[0]].name,
                   h->linear.states[k->worst[1]].name, hint);
}

/* At one azimuth with the blades nearly where they are, and one with each near the place of the
 * next. */
static routh_status rotor_look_around(rotor_work *k, routh_error *error)
{
    const double step = RT_TWO_PI / k->rotor.n_blades;
    k->n_azimuths = 1;
    if (k->rotor.speed == 0) return ROUTH_OK;
    routh_status status =
        rt_rotor_modes_find(&k->modes, &k->rotor, k->A, k->view.n, &k->view.task.arena, error);
    for (int j = 0; j < 2 && !status; j++)
        status = rotor_compare_at(k, step * (j + (j + 1) * ASIDE), error);
    return status;
}

/* ---- the model ------------------------------------------------------------------------------- */

/* rows (n_rows x n) := rows T */
static routh_status rotor_exchange(double *rows, int n_rows, const double *T, int n,
                                   routh_error *error)
{
    double *room = malloc((size_t)(n + 1) * sizeof *room);
    if (!room) return rt_fail_memory(error);
    for (int i = 0; i < n_rows; i++) {
        double *row = rows + (size_t)i * (size_t)n;
        memset(room, 0, (size_t)n * sizeof *room);
        for (int l = 0; l < n; l++) {
            if (row[l] == 0) continue;
            for (int j = 0; j < n; j++) room[j] += row[l] * T[(size_t)l * (size_t)n + (size_t)j];
        }
        memcpy(row, room, (size_t)n * sizeof *room);
    }
    free(room);
    return ROUTH_OK;
}

static routh_status rotor_exchange_all(routh_linear *l, const double *T, routh_error *error)
{
    const int n = l->n_states;
    routh_status status = ROUTH_OK;
    for (int k = 0; k < l->n_markers && !status; k++)
        status = rotor_exchange(l->markers[k].motion, 6, T, n, error);
    for (int k = 0; k < l->n_flexible && !status; k++)
        status = rotor_exchange(l->flexible[k].elastic, l->flexible[k].n, T, n, error);
    for (int k = 0; k < l->n_shares && !status; k++)
        status = rotor_exchange(l->shares[k].rows, l->shares[k].n_rows, T, n, error);
    return status;
}

/* mass = T_w' M T_w, damping = -mass A_21, .. as rt_linear_fill_matrices has them. */
static void rotor_fill_second_order(routh_linear *l, const double *M, const double *T, double *room)
{
    const size_t n = (size_t)l->n_states, z = (size_t)l->n_position, x = (size_t)l->n_control;
    for (size_t i = 0; i < z; i++)
        for (size_t j = 0; j < z; j++) {
            double sum = 0;
            for (size_t a = 0; a < z; a++) sum += M[i * z + a] * T[(z + a) * n + z + j];
            room[i * z + j] = sum;
        }
    memset(l->mass, 0, z * z * sizeof *l->mass);
    memset(l->damping, 0, z * z * sizeof *l->damping);
    memset(l->stiffness, 0, z * z * sizeof *l->stiffness);
    memset(l->coupling, 0, z * x * sizeof *l->coupling);
    for (size_t i = 0; i < z; i++)
        for (size_t a = 0; a < z; a++)
            for (size_t j = 0; j < z; j++)
                l->mass[i * z + j] += T[(z + a) * n + z + i] * room[a * z + j];
    for (size_t i = 0; i < z; i++)
        for (size_t a = 0; a < z; a++) {
            const double m = l->mass[i * z + a], *A = l->A + (z + a) * n;
            for (size_t j = 0; j < z; j++) {
                l->stiffness[i * z + j] -= m * A[j];
                l->damping[i * z + j] -= m * A[z + j];
            }
            for (size_t j = 0; j < x; j++) l->coupling[i * x + j] += m * A[2 * z + j];
        }
}

/* The blades' rows at the azimuth of the point, by sqrt of the diagonal of the mass matrix: zeta
 * mixed back. */
static routh_status rotor_fill_blades(rt_linear_holder *h, const rotor_work *k, routh_rotor *out,
                                      routh_error *error);

static routh_status rotor_fill(rt_linear_holder *h, rotor_work *k, routh_error *error)
{
    routh_linear *l = &h->linear;
    const size_t n = (size_t)l->n_states, z = (size_t)l->n_position;
    double *room = malloc((2 * z * z + 1) * sizeof *room);
    if (!room) return rt_fail_memory(error);
    memcpy(room, l->mass, z * z * sizeof *room);
    memcpy(l->A, k->A, n * n * sizeof *l->A);
    for (size_t i = 0; i < z; i++)
        for (size_t j = 0; j < n; j++) l->A[i * n + j] = j == z + i;
    rotor_fill_second_order(l, room, k->T, room + z * z);
    free(room);
    memset(l->affine, 0, n * sizeof *l->affine);
    l->n_inputs = l->n_outputs = 0;
    l->A_rest = l->A_error = NULL;
    l->drift = k->variation;
    l->steady = 1;
    l->rotor = RT_TAKE(&h->arena, routh_rotor, 1);
    if (!l->rotor) return rt_fail_memory(error);
    *l->rotor = (routh_rotor){.n_blades = k->rotor.n_blades,
                              .speed = k->rotor.speed,
                              .n_azimuths = k->n_azimuths,
                              .variation = k->variation};
    rt_v3_copy(l->rotor->axis, k->rotor.axis);
    rt_v3_copy(l->rotor->centre, k->rotor.centre);
    routh_status status = rotor_fill_blades(h, k, l->rotor, error);
    return status ? status : rotor_exchange_all(l, k->T, error);
}

static const double *rotor_row_at(const rt_rotor_view *v, int level, int row)
{
    return v->level[level] + (size_t)row * (size_t)(v->n + 1);
}

/* What row `place` of a body counts by: the root of its mass, of its mean moment of inertia. */
static double rotor_weight(const rt_rotor *r, const rt_search *s, int row)
{
    const routh_mechanism *m = r->m;
    const int e = row - rt_first_elastic_candidate(m);
    if (e >= 0) {
        const int c = m->first_elastic + e;
        for (int p = m->pattern_M.start[c]; p < m->pattern_M.start[c + 1]; p++)
            if (m->pattern_M.row[p] == c) return sqrt(fmax(0, s->w->M[p]));
        return 0;
    }
    const rt_body_block *b = &m->bodies[row / 6];
    if (row % 6 < 3) return sqrt(b->mass);
    return sqrt((b->inertia[0] + b->inertia[4] + b->inertia[8]) / 3);
}

/* Row i of those of a blade. */
static int rotor_blade_row(const rt_rotor *r, int blade, int i)
{
    for (int p = 0; p < r->n_each; p++) {
        const int body = r->body[blade * r->n_each + p], start = r->m->elastic_start[body],
                  n = 6 + r->m->elastic_start[body + 1] - start;
        if (i < n) return i < 6 ? 6 * body + i : rt_first_elastic_candidate(r->m) + start + i - 6;
        i -= n;
    }
    return -1;
}

static routh_status rotor_fill_blades(rt_linear_holder *h, const rotor_work *k, routh_rotor *out,
                                      routh_error *error)
{
    const rt_rotor *r = &k->rotor;
    const int N = r->n_blades, n = k->view.n;
    while (rotor_blade_row(r, 0, out->n_rows) >= 0) out->n_rows++;
    out->rows = RT_TAKE(&h->arena, double, (size_t)N *(size_t)out->n_rows *(size_t)n);
    if (!out->rows) return rt_fail_memory(error);
    for (int b = 0; b < N; b++)
        for (int i = 0; i < out->n_rows; i++) {
            double *to = out->rows + (size_t)(b * out->n_rows + i) * (size_t)n;
            const double weight = rotor_weight(r, &k->view.task.search, rotor_blade_row(r, 0, i));
            for (int c = 0; c < N; c++) {
                double t[3];
                rt_multiblade_entry(N, k->view.psi, b, c, t);
                const double *from = rotor_row_at(&k->view, 0, rotor_blade_row(r, c, i));
                for (int j = 0; j < n; j++) to[j] += weight * t[0] * from[j];
            }
        }
    return rotor_exchange(out->rows, N * out->n_rows, k->T, n, error);
}

static routh_status rotor_check(const rotor_work *k, routh_error *error)
{
    if (k->options->reference && strcmp(k->options->reference, "ground") != 0)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "multi-blade coordinates are those of the ground; leave out the reference "
                       "frame");
    return ROUTH_OK;
}

static routh_status rotor_run(rotor_work *k, const routh_mechanism *m, routh_error *error)
{
    routh_status status = rotor_check(k, error);
    if (!status) status = rt_rotor_find(&k->rotor, m, k->point, k->options->blades, NULL, error);
    if (!status)
        status =
            rt_rotor_view_create(&k->view, &k->rotor, k->point, 0, k->options, k->progress, error);
    if (!status) status = rotor_take_room(k, error);
    if (!status)
        status = rt_rotor_choose_rows(&k->rotor, &k->view, k->options->states, &k->view.task.arena,
                                      &k->rows, error);
    if (!status)
        status = rt_rotor_matrix(&k->rotor, &k->view, k->rows, k->A, k->T, k->own, k->rate, error);
    if (status) return status;
    rt_rotor_state_sizes(&k->rotor, &k->view, k->rows, k->size);
    status = rotor_name_states(k->view.holder, k, error);
    if (!status) status = rotor_check_motion(k, &k->view, k->A, error);
    if (!status) status = rotor_look_around(k, error);
    if (!status && k->variation > MOST_VARIATION) status = rotor_refuse(k->view.holder, k, error);
    return status ? status : rotor_fill(k->view.holder, k, error);
}

routh_status rt_rotor_linearize(rt_linear_holder **holder, const routh_mechanism *m,
                                const routh_operating_point *point,
                                const routh_linear_options *options, rt_progress *progress,
                                routh_error *error)
{
    rotor_work k = {.point = point, .options = options, .progress = progress};
    const routh_status status = rotor_run(&k, m, error);
    if (!status) {
        *holder = k.view.holder;
        k.view.holder = NULL;
    }
    rt_rotor_view_release(&k.view);
    rt_rotor_release(&k.rotor);
    return status;
}
