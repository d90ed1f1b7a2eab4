/* A configuration moved by a mode, and brought back onto the constraints.
 *
 * Gauss-Newton with the smallest change of configuration, as assembly takes it
 * (operating/assemble.c), but by whole steps: the point reached is a smooth function of where it
 * began, and its derivative in a direction along the constraints is that direction. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "studies/animation.h"
#include "base/rotation.h"

/* What the frame of `rest` becomes: its origin moved by d, its axes turned by exp(th). */
static void move_frame(rt_frame *out, const rt_frame *rest, const double motion[6])
{
    double R[9];
    *out = *rest;
    rt_rotation_exp(R, motion + 3);
    rt_m3_mul(out->A, R, rest->A);
    for (int i = 0; i < 3; i++) out->r[i] = rest->r[i] + motion[i];
}

/* The ground as a rigid motion x -> p + d + R (x - p); back: its inverse. */
static void carry_by_ground(const rt_closing *c, const double ground[6], bool back, rt_frame *frame)
{
    if (c->ground < 0) return;
    const double *p = c->linear->markers[c->ground].position;
    double R[9], A[9], x[3], turned[3];
    const double th[3] = {back ? -ground[3] : ground[3], back ? -ground[4] : ground[4],
                          back ? -ground[5] : ground[5]};
    rt_rotation_exp(R, th);
    for (int i = 0; i < 3; i++) x[i] = frame->r[i] - p[i] - (back ? ground[i] : 0);
    rt_m3_mul_v(turned, R, x);
    for (int i = 0; i < 3; i++) frame->r[i] = p[i] + turned[i] + (back ? 0 : ground[i]);
    rt_m3_mul(A, R, frame->A);
    memcpy(frame->A, A, sizeof A);
}

/* |Phi| of the state, or INFINITY. */
static routh_status animation_closing_evaluate(rt_closing *c, double *open, routh_error *error)
{
    rt_search *s = &c->search;
    int row;
    *open = INFINITY;
    const routh_status status =
        rt_evaluate(s->m, s->w, s->state, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN, error);
    if (status == ROUTH_NUMERIC_ERROR) return ROUTH_OK;
    if (status) return status;
    *open = rt_constraint_error(s, &row);
    return ROUTH_OK;
}

routh_status rt_closing_place(rt_closing *c, const double *numbers, const double ground[6],
                              double *open, routh_error *error)
{
    const routh_mechanism *m = c->search.m;
    for (int b = 0; b < m->n_bodies; b++) {
        move_frame(&c->place[b], &c->rest[b], numbers + 6 * b);
        carry_by_ground(c, ground, true, &c->place[b]);
    }
    rt_take_frames(m, c->search.w, c->place, c->search.state);
    for (int e = 0; e < m->n_elastic; e++)
        c->search.state->q[m->first_elastic_q + e] = c->elastic[e] + numbers[6 * c->n_markers + e];
    return animation_closing_evaluate(c, open, error);
}

/* ---- Newton's method ------------------------------------------------------------------------ */

/* [W G'; G -delta] [xi; y] = [0; -Phi], q <- q + xi */
static routh_status animation_closing_step(rt_closing *c, routh_error *error)
{
    rt_search *s = &c->search;
    routh_status status = rt_kkt_factor(c->kkt, c->weight, s->w->G, NULL, RT_ASSEMBLY_DELTA, error);
    if (status) return status;
    memset(s->x, 0, (size_t)s->m->n_u * sizeof *s->x);
    for (int r = 0; r < s->m->n_rows; r++) s->y[r] = -s->w->phi[0][r];
    status = rt_kkt_solve(c->kkt, s->x, s->y, error);
    if (!status) rt_advance(s->m, s->state->q, s->x);
    return status;
}

/* Where markers and elastic coordinates are now, as the observer sees them. */
static bool animation_closing_read_numbers(rt_closing *c, const double ground[6], double *numbers)
{
    const routh_mechanism *m = c->search.m;
    bool small = true;
    for (int k = 0; k < c->n_markers; k++) {
        const routh_marker_motion *rest = &c->linear->markers[c->markers[k]];
        rt_frame now = c->search.w->markers[c->markers[k]];
        double turn[9];
        carry_by_ground(c, ground, false, &now);
        for (int i = 0; i < 3; i++) numbers[6 * k + i] = now.r[i] - rest->position[i];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                turn[3 * i + j] = rt_v3_dot(now.A + 3 * i, rest->orientation + 3 * j);
        small &= rt_rotation_log(numbers + 6 * k + 3, turn);
    }
    for (int e = 0; e < m->n_elastic; e++)
        numbers[6 * c->n_markers + e] = c->search.state->q[m->first_elastic_q + e] - c->elastic[e];
    return small;
}

routh_status rt_closing_close(rt_closing *c, double *numbers, const double ground[6], bool *closed,
                              routh_error *error)
{
    enum { MOST_STEPS = 15 };
    static const double tight = 1e-12, of_opening = 1e-5;
    double open, before = INFINITY;
    *closed = false;
    routh_status status = rt_closing_place(c, numbers, ground, &open, error);
    const double enough = fmax(tight * c->search.m->length, of_opening * open);
    for (int k = 0; !status && open > enough; k++) {
        if (k == MOST_STEPS || !(open < 2 * before)) return ROUTH_OK;
        before = open;
        c->steps++;
        status = animation_closing_step(c, error);
        if (status == ROUTH_SINGULAR || status == ROUTH_NUMERIC_ERROR) return ROUTH_OK;
        if (!status) status = animation_closing_evaluate(c, &open, error);
    }
    if (!status) *closed = animation_closing_read_numbers(c, ground, numbers);
    return status;
}

/* ---- what they need ------------------------------------------------------------------------- */

static bool animation_closing_is_listed(const routh_linear *linear, int k)
{
    const routh_marker_motion *marker = &linear->markers[k];
    if (strcmp(marker->name, marker->body) == 0) return true;
    for (int b = 0; b < linear->n_flexible; b++)
        if (strcmp(linear->flexible[b].name, marker->body) == 0) return true;
    return false;
}

/* Seen from the ground it stands still; else any marker on it tells how it moves. */
static void find_ground(rt_closing *c)
{
    c->ground = -1;
    if (strcmp(c->linear->reference, "ground") == 0) return;
    for (int k = 0; k < c->linear->n_markers && c->ground < 0; k++)
        if (strcmp(c->linear->markers[k].body, "ground") == 0) c->ground = k;
}

/* The state of the point in absolute coordinates. */
static routh_status animation_closing_take_point(rt_closing *c, const rt_state *point,
                                                 routh_error *error)
{
    rt_search *s = &c->search;
    rt_state_copy(s->m, s->state, point);
    memset(s->state->u, 0, (size_t)s->m->n_u * sizeof *s->state->u);
    memset(s->state->udot, 0, (size_t)s->m->n_u * sizeof *s->state->udot);
    const routh_status status = rt_evaluate(s->m, s->w, s->state, RT_EVALUATE_PHI, error);
    if (status) return status;
    memcpy(c->rest, s->w->bodies, (size_t)s->m->n_bodies * sizeof *c->rest);
    memcpy(c->elastic, s->state->q + s->m->first_elastic_q,
           (size_t)s->m->n_elastic * sizeof *c->elastic);
    return ROUTH_OK;
}

static routh_status animation_closing_take_room(rt_closing *c, routh_error *error)
{
    const routh_mechanism *m = c->search.m;
    c->rest = RT_TAKE(&c->arena, rt_frame, m->n_bodies);
    c->place = RT_TAKE(&c->arena, rt_frame, m->n_bodies);
    c->elastic = RT_TAKE(&c->arena, double, m->n_elastic);
    c->keep = RT_TAKE(&c->arena, int, m->n_rows);
    c->markers = RT_TAKE(&c->arena, int, c->linear->n_markers);
    if (!c->rest || !c->place || !c->elastic || !c->keep || !c->markers)
        return rt_fail_memory(error);
    for (int r = 0; r < m->n_rows; r++) c->keep[r] = m->nonholonomic[r] ? -1 : r;
    for (int k = 0; k < c->linear->n_markers; k++)
        if (k < m->n_bodies || animation_closing_is_listed(c->linear, k))
            c->markers[c->n_markers++] = k;
    c->n_numbers = 6 * c->n_markers + m->n_elastic;
    return ROUTH_OK;
}

/* W is diagonal, however the elastic coordinates share their mass; nothing else is in the block. */
static routh_status make_matrix(rt_closing *c, routh_error *error)
{
    const routh_mechanism *m = c->search.m;
    const int n = m->n_u;
    int *numbers = RT_TAKE(&c->arena, int, n + 1);
    int *none = RT_TAKE(&c->arena, int, m->n_rows + 1);
    c->weight = RT_TAKE(&c->arena, double, n);
    if (!numbers || !none || !c->weight) return rt_fail_memory(error);
    for (int k = 0; k <= n; k++) numbers[k] = k;
    for (int k = 0; k < n; k++) c->weight[k] = 1 / (c->search.unit[k] * c->search.unit[k]);
    const rt_pattern W = {.n_rows = n, .n_columns = n, .start = numbers, .row = numbers};
    const rt_pattern L = {.n_rows = n, .n_columns = m->n_rows, .start = none, .row = none};
    return rt_kkt_create_of(&c->kkt, &W, &m->pattern_G, &L, c->keep, error);
}

routh_status rt_closing_create(rt_closing *c, const routh_mechanism *mechanism,
                               const routh_operating_point *point, const routh_linear *linear,
                               routh_error *error)
{
    enum { STEPS = 20 };
    const routh_mechanism *m = mechanism->base ? mechanism->base : mechanism;
    *c = (rt_closing){.linear = linear};
    routh_status status = rt_search_create(&c->search, m, 1e-12, STEPS, error);
    if (!status) status = animation_closing_take_room(c, error);
    if (!status)
        status = animation_closing_take_point(c, mechanism->base ? point->base_state : point->state,
                                              error);
    if (!status && m->n_rows > 0) status = make_matrix(c, error);
    find_ground(c);
    return status;
}

void rt_closing_free(rt_closing *c)
{
    rt_kkt_free(c->kkt);
    rt_state_free(c->search.state);
    rt_search_release(&c->search);
    rt_arena_free(&c->arena);
    *c = (rt_closing){0};
}
