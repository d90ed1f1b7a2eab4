/* zeta and its rates by the states of a linear model. With s = c - r from a body to the point of
 * its axis that is beside it, the point of the body there moves by
 *     p = dr + dtheta x s,      s' = -v,  s'' = -a,
 * what a blade carries moves in axes E that turn with it, E' = -E w~, by
 *     b = E p,   b' = E (p' - w x p),   b'' = E (p'' - 2 w x p' + w x (w x p)),
 * and zeta = sum over blades of t_k b_k, t_k(psi) the inverse of the multi-blade transformation. */
#include <stdio.h>
#include <stdlib.h>

#include "base/rotation.h"
#include "linear/rotor.h"

/* ---- rows ------------------------------------------------------------------------------------ */

static int rotor_elastic_rows(const rt_rotor *r) { return rt_first_user_candidate(r->m); }

int rt_rotor_count_rows(const rt_rotor *r) { return rotor_elastic_rows(r); }

double rt_rotor_row_size(const rt_rotor *r, int row) { return rt_candidate_size(r->m, NULL, row); }

/* The body of a row, and which of its coordinates it is: 0 to 5, elastic ones from 6 on. */
static int rotor_row_body(const rt_rotor *r, int row, int *coordinate)
{
    const int e = row - rt_first_elastic_candidate(r->m);
    int body = row / 6;
    *coordinate = row % 6;
    if (e < 0) return body;
    (void)rt_elastic_coordinate(r->m, e, &body);
    *coordinate = 6 + e - r->m->elastic_start[body];
    return body;
}

/* The row of a coordinate of a body. */
static int rotor_row_of(const rt_rotor *r, int body, int coordinate)
{
    return coordinate < 6
               ? 6 * body + coordinate
               : rt_first_elastic_candidate(r->m) + r->m->elastic_start[body] + coordinate - 6;
}

/* The body of a row, and the name of its coordinate. */
static int rotor_row_words(const rt_rotor *r, int row, const char **coordinate)
{
    static const char *const world[] = {"x", "y", "z", "rx", "ry", "rz"};
    static const char *const turning[] = {"radial",  "tangential",  "axial",
                                          "rradial", "rtangential", "raxial"};
    int c, owner;
    const int body = rotor_row_body(r, row, &c), e = row - rt_first_elastic_candidate(r->m);
    *coordinate = e >= 0 ? rt_elastic_coordinate(r->m, e, &owner)->name
                         : (r->of[body].part == RT_ROTOR_BLADE ? turning : world)[c];
    return body;
}

const char *rt_rotor_row_body_name(const rt_rotor *r, int row, char text[RT_STATE_NAME])
{
    const char *coordinate;
    const int body = rotor_row_words(r, row, &coordinate);
    snprintf(text, RT_STATE_NAME, "%.90s.%.90s", r->m->model->bodies[body].name, coordinate);
    return text;
}

const char *rt_rotor_row_name(const rt_rotor *r, int row, char text[RT_STATE_NAME])
{
    char which[RT_MULTIBLADE_NAME];
    const char *coordinate;
    const rt_rotor_body *of = &r->of[rotor_row_words(r, row, &coordinate)];
    if (of->part != RT_ROTOR_BLADE) return rt_rotor_row_body_name(r, row, text);
    const char *first = r->m->model->bodies[r->body[of->place]].name;
    snprintf(text, RT_STATE_NAME, "blades%.80s.%.80s %s", rt_multiblade_rest(first, r->blades[0]),
             coordinate, rt_multiblade_name(r->n_blades, of->blade, which));
    return text;
}

const char *rt_rotor_row_unit(const rt_rotor *r, int row)
{
    const int e = row - rt_first_elastic_candidate(r->m);
    int body;
    if (e < 0) return row % 6 >= 3 ? "rad" : "m";
    const rt_elastic_kind kind = rt_elastic_coordinate(r->m, e, &body)->kind;
    return kind == RT_ELASTIC_ANGLE ? "rad" : kind == RT_ELASTIC_LENGTH ? "m" : "";
}

/* ---- xi and its rates ------------------------------------------------------------------------ */

static double *view_at(const rt_rotor_view *v, int level, int row)
{
    return v->level[level] + (size_t)row * (size_t)(v->n + 1);
}

/* xi = s_x xi, xi' = s_x u + w_x xi, xi'' = s_x u' + a_u u + a_x xi of one candidate. */
static routh_status view_fill_row(rt_rotor_view *v, int row, rt_arena *arena, routh_error *error)
{
    const rt_response *x = &v->task.x.response;
    rt_state_row s;
    const routh_status status = rt_state_row_take(&v->task.search, NULL, row, arena, &s, error);
    if (status) return status;
    rt_state_row_fill(&v->task.search, &v->task.observer, NULL, row, &s);
    double *p[] = {view_at(v, 0, row), view_at(v, 1, row), view_at(v, 2, row)};
    for (int j = 0; j < v->n; j++) {
        const size_t at = (size_t)x->n * (size_t)j;
        p[0][j] = rt_state_row_times(&s, s.s_x, x->xi + at);
        p[1][j] =
            rt_state_row_times(&s, s.s_x, x->u + at) + rt_state_row_times(&s, s.w_x, x->xi + at);
        p[2][j] = rt_state_row_times(&s, s.s_x, x->udot + at) +
                  rt_state_row_times(&s, s.a_u, x->u + at) +
                  rt_state_row_times(&s, s.a_x, x->xi + at);
    }
    return ROUTH_OK;
}

/* exp(-2 pi k/N e~), which brings blade k to where the first one is. */
static void view_turn_back(const rt_rotor *r, int k, double R[9])
{
    double theta[3];
    rt_v3_scale(theta, -RT_TWO_PI * k / r->n_blades, r->axis);
    rt_rotation_exp(R, theta);
}

/* Body `place` of blade k turned back to the first blade: its place from the axis, and its rotation
 * from that of the first one. */
static void view_turned_back(const rt_rotor_view *v, const rt_rotor *r, int k, int place,
                             double dr[6])
{
    const rt_frame *all = v->task.search.w->bodies;
    const rt_frame *f = &all[r->body[k * r->n_each + place]], *first = &all[r->body[place]];
    double R[9], A[9], C[9], B[9];
    view_turn_back(r, k, R);
    rt_v3_sub(dr, f->r, r->centre);
    rt_m3_mul_v(dr, R, dr);
    rt_m3_mul(A, R, f->A);
    rt_m3_mul_t(C, A, r->frames + 9 * (k * r->n_each + place));
    rt_m3_mul_t(B, C, first->A);
    rt_rotation_log(dr + 3, B);
}

/* How the bodies of the blades stand against their mean, into level 0 of the last column. */
static void view_fill_places(rt_rotor_view *v, const rt_rotor *r)
{
    const routh_mechanism *m = r->m;
    const int N = r->n_blades;
    for (int i = 0; i < r->n_each; i++) {
        double mean[6] = {0}, dr[6], R[9];
        for (int k = 0; k < N; k++) {
            view_turned_back(v, r, k, i, dr);
            for (int c = 0; c < 6; c++) mean[c] += dr[c] / N;
        }
        for (int k = 0; k < N; k++) {
            const int body = r->body[k * r->n_each + i];
            view_turned_back(v, r, k, i, dr);
            view_turn_back(r, k, R);
            for (int c = 0; c < 6; c++) dr[c] -= mean[c];
            rt_m3_tmul_v(dr, R, dr);
            rt_m3_tmul_v(dr + 3, R, dr + 3);
            for (int c = 0; c < 6; c++) view_at(v, 0, 6 * body + c)[v->n] = dr[c];
        }
        const int first = m->elastic_start[r->body[i]],
                  n = m->elastic_start[r->body[i] + 1] - first;
        for (int e = 0; e < n; e++) {
            const double *q = v->task.search.state->q + m->first_elastic_q;
            double sum = 0;
            for (int k = 0; k < N; k++)
                sum += q[m->elastic_start[r->body[k * r->n_each + i]] + e] / N;
            for (int k = 0; k < N; k++) {
                const int at = m->elastic_start[r->body[k * r->n_each + i]] + e;
                view_at(v, 0, rt_first_elastic_candidate(m) + at)[v->n] = q[at] - sum;
            }
        }
    }
}

/* Where the blades' bodies move against the reference motion of their mean place. */
static void view_reference(const rt_rotor_view *v, const rt_rotor *r, int body, rt_frame *g)
{
    rt_frame f = v->task.search.w->bodies[body];
    if (r->frames && r->of[body].part == RT_ROTOR_BLADE)
        for (int c = 0; c < 3; c++) f.r[c] -= view_at(v, 0, 6 * body + c)[v->n];
    rt_rotor_reference(r, body, &f, g);
}

/* The point's own motion against the reference motion, in the last column: with xi = (d, theta)
 *     d' = v - v_0,   theta' = w - w_0 + w_0 x theta,
 *     d'' = a - a_0,  theta'' = al - al_0 + w_0 x theta'. */
static void view_fill_own(rt_rotor_view *v, const rt_rotor *r)
{
    const rt_search *s = &v->task.search;
    const routh_mechanism *m = r->m;
    if (r->frames) view_fill_places(v, r);
    for (int b = 0; b < m->n_bodies; b++) {
        const rt_frame *f = &s->w->bodies[b];
        rt_frame g;
        double theta[3], rate[6], second[6];
        view_reference(v, r, b, &g);
        for (int c = 0; c < 3; c++) theta[c] = view_at(v, 0, 6 * b + 3 + c)[v->n];
        rt_v3_sub(rate, f->v, g.v);
        rt_v3_sub(rate + 3, f->w, g.w);
        rt_v3_cross_add(rate + 3, g.w, theta);
        rt_v3_sub(second, f->a, g.a);
        rt_v3_sub(second + 3, f->al, g.al);
        rt_v3_cross_add(second + 3, g.w, rate + 3);
        for (int c = 0; c < 6; c++) {
            view_at(v, 1, 6 * b + c)[v->n] = rate[c];
            view_at(v, 2, 6 * b + c)[v->n] = second[c];
        }
    }
    for (int e = 0; e < m->n_elastic; e++) {
        const int row = rt_first_elastic_candidate(m) + e;
        view_at(v, 1, row)[v->n] = s->state->u[m->first_elastic + e];
        view_at(v, 2, row)[v->n] = s->state->udot[m->first_elastic + e];
    }
}

/* ---- to the axis, and to the blade's axes ---------------------------------------------------- */

static void view_read(const rt_rotor_view *v, int row, int j, double p[3][3])
{
    for (int d = 0; d < 3; d++)
        for (int c = 0; c < 3; c++) p[d][c] = view_at(v, d, row + c)[j];
}

static void view_write(const rt_rotor_view *v, int row, int j, double p[3][3])
{
    for (int d = 0; d < 3; d++)
        for (int c = 0; c < 3; c++) view_at(v, d, row + c)[j] = p[d][c];
}

/* dr of the point on the axis: p += theta x s and its rates. */
static void view_carry_to_axis(const rt_rotor_view *v, const rt_rotor *r, int body)
{
    const rt_rotor_body *of = &r->of[body];
    const rt_frame *f = &v->task.search.w->bodies[body];
    rt_frame g;
    double s[3][3], e[3];
    rt_rotor_reference(r, body, f, &g);
    rt_v3_scale(e, 1 / rt_v3_norm(of->rate), of->rate);
    rt_v3_sub(s[0], of->centre, f->r);
    rt_v3_add_scaled(s[0], -rt_v3_dot(e, s[0]), e);
    rt_v3_scale(s[1], -1, g.v);
    rt_v3_scale(s[2], -1, g.a);
    for (int j = 0; j <= v->n; j++) {
        double p[3][3], t[3][3], twice[3];
        view_read(v, 6 * body, j, p);
        view_read(v, 6 * body + 3, j, t);
        rt_v3_cross_add(p[0], t[0], s[0]);
        rt_v3_cross_add(p[1], t[1], s[0]);
        rt_v3_cross_add(p[1], t[0], s[1]);
        rt_v3_cross_add(p[2], t[2], s[0]);
        rt_v3_scale(twice, 2, t[1]);
        rt_v3_cross_add(p[2], twice, s[1]);
        rt_v3_cross_add(p[2], t[0], s[2]);
        view_write(v, 6 * body, j, p);
    }
}

/* Three components from `row` on in the axes of the blade at its azimuth. */
static void view_turn(const rt_rotor_view *v, const rt_rotor *r, int row, const double E[9])
{
    double w[3];
    rt_v3_scale(w, r->speed, r->axis);
    for (int j = 0; j <= v->n; j++) {
        double p[3][3], b[3][3], twice[3], across[3];
        view_read(v, row, j, p);
        rt_v3_cross(across, w, p[0]);
        rt_v3_cross(twice, w, p[1]);
        rt_v3_copy(b[0], p[0]);
        rt_v3_sub(b[1], p[1], across);
        rt_v3_copy(b[2], p[2]);
        rt_v3_add_scaled(b[2], -2, twice);
        rt_v3_cross_add(b[2], w, across);
        for (int d = 0; d < 3; d++) rt_m3_mul_v(b[d], E, b[d]);
        view_write(v, row, j, b);
    }
}

/* E = triad exp(-psi_k e~) */
static void view_blade_axes(const rt_rotor *r, double psi_k, double E[9])
{
    double theta[3], R[9];
    rt_v3_scale(theta, -psi_k, r->axis);
    rt_rotation_exp(R, theta);
    rt_m3_mul(E, r->triad, R);
}

/* The N rows of one coordinate of all blades: zeta_c = sum of t_kc b_k, column by column. */
static void view_mix(const rt_rotor_view *v, const rt_rotor *r, const int *row, double *room)
{
    const int N = r->n_blades;
    const double W = r->speed;
    double *t = room, *b = room + 3 * (size_t)N * (size_t)N; /* N x N x 3, N x 3 */
    for (int c = 0; c < N; c++)
        for (int k = 0; k < N; k++) {
            double *at = t + 3 * (c * N + k);
            rt_multiblade_inverse(N, v->psi, k, c, at);
            at[1] *= W, at[2] *= W * W;
        }
    for (int j = 0; j <= v->n; j++) {
        for (int k = 0; k < N; k++)
            for (int d = 0; d < 3; d++) b[3 * k + d] = view_at(v, d, row[k])[j];
        for (int c = 0; c < N; c++) {
            double sum[3] = {0};
            for (int k = 0; k < N; k++) {
                const double *x = t + 3 * (c * N + k), *y = b + 3 * k;
                sum[0] += x[0] * y[0];
                sum[1] += x[0] * y[1] + x[1] * y[0];
                sum[2] += x[0] * y[2] + 2 * x[1] * y[1] + x[2] * y[0];
            }
            for (int d = 0; d < 3; d++) view_at(v, d, row[c])[j] = sum[d];
        }
    }
}

static void view_turn_blades(const rt_rotor_view *v, const rt_rotor *r)
{
    for (int k = 0; k < r->n_blades; k++)
        for (int i = 0; i < r->n_each; i++) {
            double E[9];
            const int own = r->body[k * r->n_each + i];
            view_blade_axes(r, v->psi + RT_TWO_PI * k / r->n_blades, E);
            view_turn(v, r, 6 * own, E);
            view_turn(v, r, 6 * own + 3, E);
        }
}

static void view_keep_moves(const rt_rotor_view *v)
{
    for (int d = 0; d < 2; d++)
        for (int i = 0; i < v->n_rows; i++) v->moves[d][i] = view_at(v, d + 1, i)[v->n];
}

static void view_mix_blades(const rt_rotor_view *v, const rt_rotor *r, int *row, double *room)
{
    const int N = r->n_blades;
    for (int i = 0; i < r->n_each; i++) {
        const int body = r->body[i],
                  n = 6 + r->m->elastic_start[body + 1] - r->m->elastic_start[body];
        for (int c = 0; c < n; c++) {
            for (int k = 0; k < N; k++) row[k] = rotor_row_of(r, r->body[k * r->n_each + i], c);
            view_mix(v, r, row, room);
        }
    }
}

/* States of controllers: level 0 is X itself, level 1 its rate. */
static void view_fill_signals(const rt_rotor_view *v, const rt_rotor *r)
{
    const rt_response *x = &v->task.x.response;
    const double *signal = v->task.search.state->signal;
    for (int k = 0; k < x->n_x; k++) {
        const int row = rotor_elastic_rows(r) + k;
        view_at(v, 0, row)[2 * v->z + k] = 1;
        for (int j = 0; j < v->n; j++) view_at(v, 1, row)[j] = x->rate[j * x->n_x + k];
        view_at(v, 1, row)[v->n] = signal[x->n_x + k];
    }
}

static void view_mix_signals(const rt_rotor_view *v, const rt_rotor *r, int *row, double *room)
{
    for (int i = 0; i < r->n_states_each; i++) {
        for (int k = 0; k < r->n_blades; k++)
            row[k] = rotor_elastic_rows(r) + r->state[k * r->n_states_each + i];
        view_mix(v, r, row, room);
    }
}

/* ---- all of it ------------------------------------------------------------------------------- */

static routh_status view_check(const rt_rotor *r, routh_error *error)
{
    for (int b = 0; b < r->m->n_bodies; b++)
        if (r->m->model->bodies[b].flexible &&
            (r->of[b].part == RT_ROTOR_HUB || r->of[b].part == RT_ROTOR_SPIN))
            return rt_fail(error, ROUTH_NOT_SUPPORTED,
                           "body %s is flexible and rotates, but is no blade's; multi-blade "
                           "coordinates need it to be one of each blade, at rest, or rigid",
                           r->m->model->bodies[b].name);
    return ROUTH_OK;
}

static routh_status view_transform(rt_rotor_view *v, const rt_rotor *r, routh_error *error)
{
    const size_t N = (size_t)r->n_blades;
    int *row = RT_TAKE(&v->task.arena, int, N);
    double *room = RT_TAKE(&v->task.arena, double, 3 * N * (N + 1));
    if (!row || !room) return rt_fail_memory(error);
    for (int b = 0; b < r->m->n_bodies; b++)
        if (r->of[b].part == RT_ROTOR_HUB || r->of[b].part == RT_ROTOR_SPIN)
            view_carry_to_axis(v, r, b);
    view_turn_blades(v, r);
    view_keep_moves(v);
    view_mix_blades(v, r, row, room);
    view_mix_signals(v, r, row, room);
    return ROUTH_OK;
}

static routh_status view_fill(rt_rotor_view *v, const rt_rotor *r, routh_error *error)
{
    rt_arena rows = {0};
    routh_status status = ROUTH_OK;
    const size_t size = (size_t)v->n_rows * (size_t)(v->n + 1);
    for (int d = 0; d < 3 && !status; d++) {
        v->level[d] = RT_TAKE(&v->task.arena, double, size);
        if (!v->level[d]) status = rt_fail_memory(error);
    }
    for (int d = 0; d < 2 && !status; d++) {
        v->moves[d] = RT_TAKE(&v->task.arena, double, v->n_rows);
        if (!v->moves[d]) status = rt_fail_memory(error);
    }
    for (int i = 0; i < rotor_elastic_rows(r) && !status; i++) {
        status = view_fill_row(v, i, &rows, error);
        rt_arena_free(&rows);
    }
    if (status) return status;
    view_fill_own(v, r);
    view_fill_signals(v, r);
    return view_transform(v, r, error);
}

routh_status rt_rotor_view_create(rt_rotor_view *v, const rt_rotor *r,
                                  const routh_operating_point *point, double psi,
                                  const routh_linear_options *options, rt_progress *progress,
                                  routh_error *error)
{
    *v = (rt_rotor_view){.psi = psi};
    routh_linear_options o = *options;
    o.reference = "ground";
    o.states = NULL, o.blades = NULL;
    o.extended = 0;
    v->task.whole = v->task.first_order = true;
    v->holder = rt_kept_calloc(NULL, 1, sizeof *v->holder);
    if (!v->holder) return rt_fail_memory(error);
    routh_status status = view_check(r, error);
    if (!status)
        status = rt_linear_linearize(v->holder, &v->task, r->m, point, &o, progress, error);
    if (status) return status;
    v->n = v->holder->linear.n_states;
    v->z = v->holder->linear.n_position;
    v->n_rows = rotor_elastic_rows(r) + r->m->model->n_control_states;
    status = rt_evaluate(r->m, v->task.search.w, v->task.search.state, RT_EVALUATE_ALL, error);
    return status ? status : view_fill(v, r, error);
}

void rt_rotor_view_release(rt_rotor_view *v)
{
    rt_linear_task_release(&v->task);
    if (v->holder) routh_linear_free(&v->holder->linear);
    v->holder = NULL;
}
