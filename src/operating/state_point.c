/* An operating point of a state that is given.
 *
 * q, u, x and t stay bit for bit where the constraints hold,
 *     |Phi_r| <= tolerance L,      |Phi'_r| <= tolerance max(speed, L per second)
 * rows in units of length, L the typical length; else q and u are changed least. u', lambda, x' and
 * v follow from the equations of motion. What is said of the point comes from the same state in
 * absolute coordinates, as always. */
#include <float.h>
#include <stdio.h>

#include "base/kept_memory.h"
#include "operating/massless.h"
#include "operating/point.h"
#include "operating/twists.h"

routh_initial_state_options routh_initial_state_defaults(void)
{
    return (routh_initial_state_options){
        .tolerance = 1e-11, .allowed = 1e-6, .max_iterations = 200};
}

/* ---- onto the constraints ------------------------------------------------------------------- */

static double largest_speed(const rt_search *s)
{
    double speed = 0;
    for (int c = 0; c < s->m->n_u; c++) speed = fmax(speed, fabs(s->state->u[c]) / s->unit[c]);
    return speed;
}

static bool velocities_hold(const rt_search *s, double tolerance)
{
    const double most = tolerance * fmax(largest_speed(s), s->m->length);
    double *size = s->y;
    rt_row_sizes(s, size);
    for (int r = 0; r < s->m->n_rows; r++)
        if (!(fabs(s->w->phi[1][r]) <= most * (size[r] > 0 ? size[r] : 1))) return false;
    return true;
}

static routh_status make_consistent(rt_search *s, double tolerance, routh_error *error)
{
    s->all_velocities = true;
    routh_status status =
        rt_evaluate(s->m, s->w, s->state, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN, error);
    if (!status && !rt_is_assembled(s, tolerance)) {
        status = rt_find_winding(s, error);
        if (!status) status = rt_watch_twists(s, error);
        if (!status) status = rt_assemble(s, error);
        rt_ignore_twists(s);
    }
    if (!status) status = rt_find_rank(s, error);
    if (!status && !velocities_hold(s, tolerance)) status = rt_find_velocities(s, error);
    return status;
}

/* ---- how far that was ----------------------------------------------------------------------- */

/* |A - B|_F = 2 sqrt(2) sin(angle / 2) */
static double angle_between(const double A[9], const double B[9])
{
    double sum = 0;
    for (int i = 0; i < 9; i++) sum += (A[i] - B[i]) * (A[i] - B[i]);
    return 2 * asin(fmin(1, sqrt(sum / 8)));
}

static double state_point_distance(const double a[3], const double b[3])
{
    double d[3];
    rt_v3_sub(d, a, b);
    return rt_v3_norm(d);
}

/* From the frames `before` to those of the search. */
static void measure_change(const rt_search *s, const rt_frame *before, routh_body_state *change)
{
    for (int b = 0; b < s->m->n_bodies; b++) {
        const rt_frame *f = &s->w->bodies[b], *g = &before[b];
        change[b].moved = state_point_distance(f->r, g->r);
        change[b].turned = angle_between(f->A, g->A);
        change[b].velocity_change = state_point_distance(f->v, g->v);
        change[b].angular_velocity_change = state_point_distance(f->w, g->w);
    }
}

/* Changes over typical sizes: of the pose, and of the velocities. */
static void relative_change(const rt_search *s, const routh_body_state *change, double speed,
                            double size[2])
{
    const double length = s->m->length;
    size[0] = fmax(change->moved / length, change->turned);
    size[1] = fmax(change->velocity_change, change->angular_velocity_change * length) / speed;
}

static double speed_of(const rt_search *s, const rt_frame *before)
{
    double speed = DBL_MIN;
    for (int b = 0; b < s->m->n_bodies; b++) {
        const rt_frame *both[] = {&before[b], &s->w->bodies[b]};
        for (int i = 0; i < 2; i++)
            speed =
                fmax(speed, fmax(rt_v3_norm(both[i]->v), rt_v3_norm(both[i]->w) * s->m->length));
    }
    return speed;
}

/* One stands in the mechanism's own coordinates, where these are not absolute, `found` in absolute
 * ones. before: the frames that were given. */
typedef struct state_point_work {
    const routh_mechanism *m;
    routh_initial_state_options options;
    rt_search found, own;
    bool begins; /* a search begins at it, which finds the balance */
    rt_frame *before;
    routh_body_state *change;
    double worst; /* change over typical sizes, and the body that has it */
    int body;
} state_point_work;

static routh_status state_point_refuse(const rt_search *s, const routh_body_state *c, int body,
                                       int level, double allowed, routh_error *error)
{
    const rt_body *b = &s->m->model->bodies[body];
    char element[192];
    snprintf(element, sizeof element, "body %.180s", b->name);
    if (level == 0)
        return rt_fail_at(error, ROUTH_NOT_ASSEMBLED, s->m->model->file, b->place, element,
                          "the state does not satisfy the joints: this body needs the largest "
                          "correction, %.3g m and %.3g rad, but %.3g of the typical length (%.3g "
                          "m) or radians are allowed; correct the state, or allow more (--fit)",
                          c->moved, c->turned, allowed, s->m->length);
    return rt_fail_at(error, ROUTH_NOT_ASSEMBLED, s->m->model->file, b->place, element,
                      "the velocities do not satisfy the joints: this body needs the largest "
                      "correction, %.3g m/s and %.3g rad/s, but %.3g of the largest speed is "
                      "allowed; correct the velocities, or allow more (--fit)",
                      c->velocity_change, c->angular_velocity_change, allowed);
}

/* The body with the largest change of pose (0), of velocity (1); no more than allowed. */
static routh_status state_point_judge(state_point_work *k, const rt_search *s, routh_error *error)
{
    const double speed = speed_of(s, k->before);
    double worst[2] = {0, 0};
    int at[2] = {0, 0};
    for (int b = 0; b < s->m->n_bodies; b++) {
        double size[2];
        relative_change(s, &k->change[b], speed, size);
        for (int level = 0; level < 2; level++)
            if (size[level] > worst[level]) worst[level] = size[level], at[level] = b;
    }
    for (int level = 0; level < 2; level++)
        if (!(worst[level] <= k->options.allowed))
            return state_point_refuse(s, &k->change[at[level]], at[level], level,
                                      k->options.allowed, error);
    const int most = worst[1] > worst[0];
    k->worst = worst[most];
    k->body = at[most];
    return ROUTH_OK;
}

/* What was changed, into the point. */
static bool state_point_tell(const state_point_work *k, routh_operating_point *p)
{
    for (int b = 0; b < p->n_bodies; b++) {
        p->bodies[b].moved = k->change[b].moved;
        p->bodies[b].turned = k->change[b].turned;
        p->bodies[b].velocity_change = k->change[b].velocity_change;
        p->bodies[b].angular_velocity_change = k->change[b].angular_velocity_change;
    }
    if (k->worst == 0) return true;
    char text[512];
    const routh_body_state *c = &k->change[k->body];
    snprintf(text, sizeof text,
             "the state given does not fit the joints exactly and was changed, body %.200s most: "
             "by %.3g m, %.3g rad, %.3g m/s and %.3g rad/s",
             k->m->model->bodies[k->body].name, c->moved, c->turned, c->velocity_change,
             c->angular_velocity_change);
    return rt_point_say(p, text);
}

/* ---- the two searches ----------------------------------------------------------------------- */

static routh_status state_point_begin(state_point_work *k, rt_search *s, const routh_mechanism *m,
                                      routh_error *error)
{
    return rt_search_create(s, m, k->options.tolerance, k->options.max_iterations, error);
}

static void take_state(rt_search *s, const rt_state *from)
{
    const routh_mechanism *m = s->m;
    s->state->t = from->t;
    memcpy(s->state->q, from->q, (size_t)m->n_q * sizeof *from->q);
    memcpy(s->state->u, from->u, (size_t)m->n_u * sizeof *from->u);
    rt_take_signals(m, s->state, from);
    rt_take_angles(m, s->state, from);
}

/* The search at the given state, brought onto the constraints. */
static routh_status stand(state_point_work *k, rt_search *s, const rt_state *state,
                          routh_error *error)
{
    take_state(s, state);
    rt_evaluate_frames(s->m, s->w, s->state);
    memcpy(k->before, s->w->bodies, (size_t)s->m->n_bodies * sizeof *k->before);
    const routh_status status = make_consistent(s, k->options.tolerance, error);
    if (status) return status;
    rt_evaluate_frames(s->m, s->w, s->state);
    measure_change(s, k->before, k->change);
    return state_point_judge(k, s, error);
}

/* The search in absolute coordinates where the other one stands. */
static routh_status state_point_follow(state_point_work *k, routh_error *error)
{
    rt_search *s = &k->found;
    s->state->t = k->own.state->t;
    rt_take_signals(s->m, s->state, k->own.state);
    rt_take_angles(s->m, s->state, k->own.state);
    rt_take_frames(s->m, s->w, k->own.w->bodies, s->state);
    rt_take_elastic(s->m, s->state, k->own.m, k->own.state);
    return make_consistent(s, k->options.tolerance, error);
}

/* Where motions without inertia are free, the search is one for the auxiliary mechanism. */
static bool is_over(const rt_search *s, const routh_operating_point *p)
{
    return p->massless && !s->m->plain;
}

static routh_status find_rest(const state_point_work *k, rt_search *s, routh_operating_point *p,
                              routh_error *error)
{
    routh_status status = ROUTH_OK;
    if (k->options.follow_settings) status = rt_check_set_coordinates(s, error);
    if (!status) status = rt_look_for_massless(s, &p->massless, error);
    if (status || is_over(s, p)) return status;
    if (k->options.follow_settings) status = rt_point_say_followed(p, s, error);
    if (!status) status = rt_find_accelerations(s, error);
    if (!status && p->massless && !k->begins) status = rt_check_massless_rest(s, error);
    return status ? status : rt_find_rank_nearby(s, error);
}

/* The state is of m's own coordinates. */
static routh_status from_own(state_point_work *k, routh_operating_point *p, const rt_state *state,
                             routh_error *error)
{
    const bool two = k->m->base != NULL;
    routh_status status = state_point_begin(k, &k->found, two ? k->m->base : k->m, error);
    if (!status && two) status = state_point_begin(k, &k->own, k->m, error);
    if (!status) status = stand(k, two ? &k->own : &k->found, state, error);
    if (!status && two) status = state_point_follow(k, error);
    if (!status) status = find_rest(k, &k->found, p, error);
    if (status || is_over(&k->found, p)) return status;
    if (!status) status = rt_point_fill(p, &k->found, ROUTH_OPERATING_STATE, error);
    if (!status && two) {
        rt_take_signals(k->m, k->own.state, k->found.state);
        rt_take_angles(k->m, k->own.state, k->found.state);
        status = rt_carry_forces(&k->found, &k->own, false, error);
    }
    p->state = two ? k->own.state : k->found.state;
    p->base_state = two ? k->found.state : NULL;
    k->own.state = k->found.state = NULL;
    return status;
}

/* The state is in absolute coordinates, m's are others. */
static routh_status from_absolute(state_point_work *k, routh_operating_point *p,
                                  const rt_state *state, routh_error *error)
{
    routh_status status = state_point_begin(k, &k->found, k->m->base, error);
    if (!status) status = stand(k, &k->found, state, error);
    if (!status) status = find_rest(k, &k->found, p, error);
    if (status || is_over(&k->found, p)) return status;
    if (!status) status = rt_point_fill(p, &k->found, ROUTH_OPERATING_STATE, error);
    if (!status) status = rt_carry_over(&k->found, k->m, false, &p->state, error);
    p->base_state = k->found.state;
    k->found.state = NULL;
    return status;
}

static routh_status state_point_make(state_point_work *k, routh_operating_point *p,
                                     const rt_state *state, bool absolute, routh_error *error)
{
    const size_t n = (size_t)k->m->n_bodies + 1;
    k->before = rt_kept_calloc(k->m->analyses, n, sizeof *k->before);
    k->change = rt_kept_calloc(k->m->analyses, n, sizeof *k->change);
    if (!k->before || !k->change) return rt_fail_memory(error);
    routh_status status =
        absolute && k->m->base ? from_absolute(k, p, state, error) : from_own(k, p, state, error);
    if (!status && p->massless && !k->m->plain) return ROUTH_OK; /* again */
    if (!status && (!state_point_tell(k, p) || !rt_point_warn_of_coordinates(p, k->m)))
        status = rt_fail_memory(error);
    return status;
}

static void state_point_release(state_point_work *k)
{
    rt_state_free(k->found.state);
    rt_state_free(k->own.state);
    rt_search_release(&k->found);
    rt_search_release(&k->own);
    rt_kept_free(k->before);
    rt_kept_free(k->change);
}

static routh_status state_point_make_point(routh_operating_point **point, const routh_mechanism *m,
                                           const rt_state *state,
                                           const routh_initial_state_options *options,
                                           bool absolute, bool begins, routh_error *error)
{
    *point = NULL;
    state_point_work k = {
        .m = m, .options = options ? *options : routh_initial_state_defaults(), .begins = begins};
    if (!(k.options.tolerance > 0) || !(k.options.allowed >= 0) || k.options.max_iterations < 1)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "tolerance and max_iterations of a state must be positive, and allowed not "
                       "negative");
    routh_operating_point *p = rt_kept_calloc(m->analyses, 1, sizeof *p);
    if (!p) return rt_fail_memory(error);
    routh_status status = state_point_make(&k, p, state, absolute, error);
    state_point_release(&k);
    if (!status && p->massless) { /* the auxiliary mechanism has states of the same sizes */
        k = (state_point_work){.m = m->auxiliary, .options = k.options, .begins = begins};
        status = state_point_make(&k, p, state, absolute, error);
        state_point_release(&k);
    }
    if (status)
        routh_operating_point_free(p);
    else
        *point = p;
    return status;
}

routh_status rt_point_from_state(routh_operating_point **point, const routh_mechanism *m,
                                 const rt_state *state, const routh_initial_state_options *options,
                                 routh_error *error)
{
    return state_point_make_point(point, m, state, options, false, false, error);
}

routh_status rt_point_from_given(routh_operating_point **point, const routh_mechanism *m,
                                 const rt_state *state, const routh_initial_state_options *options,
                                 bool absolute, bool begins, routh_error *error)
{
    return state_point_make_point(point, m, state, options, absolute, begins, error);
}
