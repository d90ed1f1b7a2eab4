/* Static equilibrium: r(q, lambda) = G'lambda - f = 0 and Phi = 0 at u = u' = 0.
 *
 * Newton's method in pseudo-time: implicit Euler steps of the overdamped mechanism M q' = -r,
 *     [K + sigma M  G'; G 0] [xi; dlambda] = -[r; Phi],
 * whose flow runs downhill to a stable equilibrium; sigma falls with the residual (switched
 * evolution relaxation), so that the last steps are Newton's. A step that is too long or goes
 * uphill is taken again with a larger sigma. At the end the reduced stiffness R'KR is looked at:
 * where it has a negative eigenvalue the search leaves along it. Where forces have no potential the
 * linear motion about it decides (circulatory.c).
 *
 * Nonholonomic rows have no Phi: steps keep A_n xi = 0, so that of the many equilibria such joints
 * make (what they hold may rest in many places) one near the configuration written is met.
 *
 * With controllers and variables the step is static_signals.c's: their equations are part of it,
 * nothing is downhill, and an equilibrium is examined by the eigenvalues of the closed loop. */
#include <float.h>
#include <stdio.h>

#include "base/kept_memory.h"
#include "operating/static_signals.h"
#include "operating/twists.h"

typedef struct static_walk {
    rt_search *s;
    rt_kkt *kkt; /* [K + sigma M  G'; G 0]; NULL where there are signals, and then: */
    rt_static_signals *signals;
    double force;    /* a typical one, to measure equations of signals by */
    double longest;  /* step that is taken */
    double *X;       /* K + sigma M on pattern_K */
    double *q0, *l0; /* where the step started */
    double sigma, sigma_floor;
    double hold;   /* sigma begins at least here: away from an unstable equilibrium of a loop */
    double extent; /* largest distance from the origin at the start */
    double last;   /* length of the step taken last */
    bool plain;    /* Newton's own steps alone, to what is near, stable or not */
} static_walk;

enum {
    WHAT = RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN | RT_EVALUATE_RESIDUAL | RT_EVALUATE_MASS |
           RT_EVALUATE_TANGENT
};

static routh_status static_evaluate(rt_search *s, routh_error *error)
{
    const routh_status status = s->held.n ? rt_evaluate(s->m, s->w, s->state, WHAT, error)
                                          : rt_evaluate_once(s->m, s->w, s->state, WHAT, error);
    if (!status) rt_take_held(s);
    return !status && s->signals ? rt_signals_evaluate(s, true, error) : status;
}

/* The body or elastic coordinate that is most out of balance, in words; its body. */
static int largest_residual(const rt_search *s, char *text, size_t room)
{
    double worst = -1;
    int item = 0, component = 0;
    for (int k = 0; k < s->m->n_bodies + s->m->n_elastic; k++) {
        int at;
        const double x = rt_equilibrium_residual(s, k, &at);
        if (x > worst) worst = x, item = k, component = at;
    }
    rt_equilibrium_residual_words(s, item, component, text, room);
    return rt_equilibrium_residual_body(s->m, item);
}

/* Where a controller or a variable is further from rest than the bodies. */
static routh_status no_rest(const rt_search *s, int equation, const char *why, routh_error *error)
{
    char element[192], name[256];
    rt_place place;
    int number;
    const rt_sensor_kind kind = rt_signals_kind(s->signals, equation, &number);
    rt_sensor_describe(s->m, kind, number, element, &place);
    rt_signals_name(s, &equation, 1, name, sizeof name);
    return rt_fail_at(error, ROUTH_NO_EQUILIBRIUM, s->m->model->file, place, element,
                      "no static equilibrium was found: %s; the equation of %s has the residual "
                      "%.3g %s. Check that it can be at rest, check references and signs of the "
                      "loop, give initial values nearer to the equilibrium, or use the initial "
                      "state (operating_point type: given)",
                      why, name, s->signals->rows[equation].value,
                      kind == RT_SENSOR_STATE ? "where the rate is zero" : "at rest");
}

static routh_status no_equilibrium(const rt_search *s, const char *why, routh_error *error)
{
    int column, equation;
    const rt_load *wound = rt_stopped_by_twist(s);
    if (wound) return rt_fail_wound(s, wound, ROUTH_NO_EQUILIBRIUM, error);
    if (rt_signals_error(s, &equation) > rt_relative_residual(s, &column))
        return no_rest(s, equation, why, error);
    const double relative = rt_relative_residual(s, &column);
    char element[192], left[160];
    if (!rt_deformation_is_covered(s)) return rt_fail_deformed(s, why, error);
    const rt_body *b = &s->m->model->bodies[largest_residual(s, left, sizeof left)];
    snprintf(element, sizeof element, "body %s", b->name);
    return rt_fail_at(error, ROUTH_NO_EQUILIBRIUM, s->m->model->file, b->place, element,
                      "no static equilibrium was found: %s; this body stays out of balance %s "
                      "(%.2g of the largest force on it). Add the support or spring that is "
                      "missing in that direction, or use the initial state (operating_point type: "
                      "given)",
                      why, left, relative);
}

static double step_length(const rt_search *s, const double *xi)
{
    double worst = 0;
    for (int c = 0; c < s->m->n_u; c++) worst = fmax(worst, fabs(xi[c]) / s->unit[c]);
    return worst;
}

/* Of turns alone. */
static double turn_length(const rt_search *s, const double *xi)
{
    double worst = 0;
    for (int c = 0; c < s->m->n_u; c++) {
        int body;
        bool angle;
        double per_radian;
        rt_column(s->m, c, &body, &angle, &per_radian);
        if (angle) worst = fmax(worst, fabs(xi[c]) / s->unit[c]);
    }
    return worst;
}

/* What is left of the balance, as a fraction; of controllers and variables too. */
static double relative_residual(const rt_search *s)
{
    int at;
    const double relative = rt_relative_residual(s, &at);
    return s->signals ? fmax(relative, rt_signals_error(s, &at)) : relative;
}

/* |r| in units of length per force: sqrt(r' r) with torques divided by the typical length. */
static double residual_norm(const static_walk *k)
{
    const rt_search *s = k->s;
    double sum = 0;
    for (int c = 0; c < s->m->n_u; c++) {
        const double a = s->w->residual[c] * s->unit[c];
        sum += a * a;
    }
    int equation;
    return sqrt(sum) + (s->signals ? k->force * rt_signals_error(s, &equation) : 0);
}

static routh_status solve_step(static_walk *k, routh_error *error)
{
    rt_search *s = k->s;
    const int n = s->m->n_u;
    if (k->signals) return rt_static_signals_step(k->signals, s, k->sigma, error);
    memcpy(k->X, s->w->K, (size_t)s->m->pattern_K.start[n] * sizeof(double));
    for (int e = 0; e < s->m->pattern_M.start[n]; e++)
        k->X[s->m->mass_in_K[e]] += k->sigma * s->w->M[e];
    routh_status status = rt_kkt_factor(k->kkt, k->X, s->w->G, s->w->L, 0, error);
    if (status) return status;
    for (int c = 0; c < n; c++) s->x[c] = -s->w->residual[c];
    for (int r = 0; r < s->m->n_rows; r++) s->y[r] = -s->w->phi[0][r];
    return rt_kkt_solve(k->kkt, s->x, s->y, error);
}

/* Beside the stiffest motion, nothing: what moves freely has no stiffness, and no force on a branch
 * of equilibria, so that this alone keeps it where it is. */
static double nearly_free(const rt_search *s)
{
    const rt_pattern *M = &s->m->pattern_M;
    double most = 0;
    for (int c = 0; c < s->m->n_u; c++)
        for (int e = M->start[c]; e < M->start[c + 1]; e++)
            if (M->row[e] == c && s->w->M[e] > 0)
                most = fmax(most, fabs(s->w->K[s->m->mass_in_K[e]]) / s->w->M[e]);
    return 1e-8 * most;
}

/* r'xi < 0 for the part of the step that is along the constraints. Controllers know no hills. */
static bool goes_uphill(const static_walk *k)
{
    const rt_search *s = k->s;
    double work = 0;
    if (k->signals) return false;
    for (int c = 0; c < s->m->n_u; c++) work += s->w->residual[c] * s->x[c];
    return work > 0;
}

static void static_restore(static_walk *k)
{
    memcpy(k->s->state->q, k->q0, (size_t)k->s->m->n_q * sizeof(double));
    memcpy(k->s->state->lambda, k->l0, (size_t)k->s->m->n_rows * sizeof(double));
    if (k->signals) rt_static_signals_restore(k->signals, k->s);
}

static void static_move(static_walk *k)
{
    rt_search *s = k->s;
    rt_advance(s->m, s->state->q, s->x);
    for (int r = 0; r < s->m->n_rows; r++) s->state->lambda[r] += s->y[r];
    if (k->signals) rt_static_signals_move(k->signals, s);
}

/* A reference may be far away: while steps bring controllers nearer, bodies may go farther, though
 * not turn more. */
static bool too_long(const static_walk *k, double length)
{
    const double shortest = 0.3 * k->s->m->length;
    return !isfinite(length) || length > k->longest ||
           (k->signals && length > shortest && turn_length(k->s, k->s->x) > shortest);
}

static void adapt_longest(static_walk *k, double ratio)
{
    const double shortest = 0.3 * k->s->m->length;
    if (!k->signals) return;
    k->longest = ratio < 1 ? 2 * k->longest : k->longest / 4;
    k->longest = fmin(fmax(k->longest, shortest), 1e3 * shortest);
}

/* One accepted step; sigma is raised until the step is short enough and downhill. It falls with the
 * residual, and where steps are short; it does not grow with the residual, which grows at first on
 * the way down from an unstable equilibrium. */
static routh_status static_take_step(static_walk *k, bool closed, routh_error *error)
{
    rt_search *s = k->s;
    const double before = residual_norm(k), longest = 0.3 * s->m->length;
    memcpy(k->q0, s->state->q, (size_t)s->m->n_q * sizeof(double));
    memcpy(k->l0, s->state->lambda, (size_t)s->m->n_rows * sizeof(double));
    rt_begin_step(s);
    for (int tries = 0; tries < 60; tries++, k->sigma *= 4) {
        routh_status status = rt_progress_ask(s->progress, 1, error);
        if (status) return status;
        status = solve_step(k, error);
        if (status == ROUTH_OUT_OF_MEMORY) return status;
        const double length = status ? 0 : step_length(s, s->x);
        const bool leads_nowhere = k->plain && (status || too_long(k, length));
        if (leads_nowhere && k->sigma == 0 && nearly_free(s) > 0) {
            k->sigma = nearly_free(s);
            continue;
        }
        const bool near = length < 1e-6 * s->m->length || k->plain;
        if (leads_nowhere) return no_equilibrium(s, "none is near where it was looked for", error);
        if (status || too_long(k, length) || (closed && !near && goes_uphill(k))) {
            if (k->sigma == 0) k->sigma = k->sigma_floor;
            continue;
        }
        static_move(k);
        status = static_evaluate(s, error);
        if (status && status != ROUTH_NUMERIC_ERROR) return status;
        const bool winds = !status && rt_step_winds(s);
        if (!status && !winds) {
            const double after = residual_norm(k);
            rt_angles_settle(s->m, s->w, s->state, true);
            k->last = length;
            const double ratio = before > 0 ? after / before : 1;
            adapt_longest(k, ratio);
            k->sigma *= fmin(fmax(ratio, 0.03), length < 0.3 * longest ? 0.5 : 1);
            if (k->sigma < k->sigma_floor) k->sigma = k->sigma_floor;
            if (k->plain) k->sigma = 0;
            return ROUTH_OK;
        }
        static_restore(k);
        status = static_evaluate(s, error);
        if (status) return status;
        if (k->plain && winds) return no_equilibrium(s, "none is near", error);
        if (k->sigma == 0) k->sigma = k->sigma_floor;
    }
    return no_equilibrium(s, "every step leads away from balance", error);
}

/* First sigma: the step of the first second of pseudo-time is a fifth of the typical length. */
static routh_status first_sigma(static_walk *k, routh_error *error)
{
    rt_search *s = k->s;
    routh_status status = ROUTH_OK;
    if (s->signals) rt_static_signals_start(s, false);
    if (!k->plain) status = rt_find_release(s, error);
    if (status) return status;
    const double a = k->plain ? 0 : step_length(s, s->state->udot);
    memset(s->state->udot, 0, (size_t)s->m->n_u * sizeof(double));
    k->sigma = fmax(a / (0.2 * s->m->length), k->hold);
    k->sigma_floor = 1e-13 * fmax(k->sigma, 1);
    if (s->signals) rt_static_signals_start(s, true);
    status = static_evaluate(s, error);
    k->force = rt_largest_force(s) > 0 ? rt_largest_force(s) : 1;
    return status;
}

/* Of the largest force: what is left of the residual where rounding is not coarse. */
static const double FINE = 1e-11;

typedef struct static_patience {
    double best;
    int waited, next; /* steps without progress, and after how many it is looked at again */
} static_patience;

/* In balance to rounding: small, and no longer falling. Where rounding is coarse (far from the
 * origin, very unlike masses) a residual that rounding explains is taken where ten further steps
 * could not improve the best, and is told. One that is small only beside large forces that cancel,
 * as stretch does in a bent element, is none. Where nothing is strained, all forces are rounding
 * and balance means nothing more: along each direction, as a force that nothing balances may be as
 * small. That is looked at again after twice as many steps. */
static routh_status balanced(rt_search *s, double relative, static_patience *p, bool *balances,
                             routh_error *error)
{
    static const double coarse = 1e-7, OWN = 1e-6;
    int equation;
    *balances = false;
    if (relative < 0.5 * p->best) {
        p->best = relative;
        p->waited = p->next = 0;
        *balances = relative <= (s->signals ? DBL_EPSILON : 0);
        return ROUTH_OK;
    }
    ++p->waited;
    s->coarse = relative > FINE && relative <= coarse ? relative : 0;
    if (relative <= FINE) {
        *balances = rt_own_residual(s) <= OWN;
        if (*balances || p->waited < p->next) return ROUTH_OK;
        p->next = 2 * p->waited;
        return rt_within_own_rounding(s, balances, error);
    }
    if (!rt_forces_are_rounding(s)) return ROUTH_OK;
    if (relative <= coarse) {
        *balances = p->waited >= 10;
        return ROUTH_OK;
    }
    if (p->waited < p->next || rt_signals_error(s, &equation) > FINE) return ROUTH_OK;
    p->next = 2 * p->waited;
    return rt_within_rounding(s, balances, error);
}

/* Beyond the end of a branch of equilibria the residual is small too, but steps stay long: as the
 * root of the distance from the end. */
static bool arrives(const static_walk *k, double relative)
{
    return !k->plain || relative == 0 || k->last <= 1e-6 * k->s->m->length;
}

/* Far beyond its own size and the world it was written in. */
static bool runs_away(const static_walk *k)
{
    const rt_search *s = k->s;
    for (int b = 0; b < s->m->n_bodies; b++)
        if (rt_v3_norm(s->w->bodies[b].r) > 20 * k->extent) return true;
    return false;
}

/* So far beyond small deformations that what is met there means nothing. */
static bool bends_away(const rt_search *s)
{
    rt_deformation d;
    return rt_most_deformed(s, &d) >= 0 && rt_deformation_error(&d) > 4;
}

static double extent_of(const rt_search *s)
{
    double extent = s->m->length;
    for (int k = 0; k < s->m->n_markers; k++) extent = fmax(extent, rt_v3_norm(s->w->markers[k].r));
    return extent;
}

/* Springs may have many turns to be wound: a long step that brings balance nearer than any before
 * is none of those that are counted, for a hundred times as many. */
static bool counts(const static_walk *k, double relative, double best, int spared)
{
    const rt_search *s = k->s;
    return s->m->model->n_angles == 0 || k->last < 0.01 * s->m->length || relative >= best ||
           spared >= 100 * s->max_iterations;
}

static routh_status relax(static_walk *k, routh_error *error)
{
    rt_search *s = k->s;
    k->extent = extent_of(s);
    routh_status status = first_sigma(k, error);
    double nearest = INFINITY;
    static_patience patience = {.best = INFINITY};
    k->last = INFINITY;
    for (int i = 0, spared = 0; !status; s->iterations++) {
        int row;
        const bool closed = rt_constraint_error(s, &row) <= 1e-9 * s->m->length;
        const double relative = relative_residual(s);
        bool balances = false;
        if (closed) status = balanced(s, relative, &patience, &balances, error);
        if (status || (balances && arrives(k, relative))) return status;
        if (counts(k, relative, nearest, spared))
            i++;
        else
            spared++;
        nearest = fmin(nearest, relative);
        if (i > s->max_iterations)
            return no_equilibrium(s, "the number of iterations allowed was used up", error);
        if (!k->signals && runs_away(k)) return no_equilibrium(s, "the mechanism runs away", error);
        if (bends_away(s)) return no_equilibrium(s, "the search leads on and on", error);
        status = static_take_step(k, closed, error);
        /* in balance as well as any step can make it: only rounding leads uphill */
        if (status == ROUTH_NO_EQUILIBRIUM && closed && relative <= FINE) return ROUTH_OK;
    }
    return status;
}

/* Leaves an unstable equilibrium along its softest direction. */
static routh_status leave(rt_search *s, routh_error *error)
{
    for (int c = 0; c < s->m->n_u; c++) s->z[c] = 0.1 * s->m->length * s->x[c];
    rt_begin_step(s);
    rt_advance(s->m, s->state->q, s->z);
    rt_evaluate_frames(s->m, s->w, s->state);
    if (rt_step_winds(s)) return rt_fail_wound(s, s->wound, ROUTH_NO_EQUILIBRIUM, error);
    return rt_assemble(s, error);
}

/* What a row asks for where nothing moves must be rest: Phi' = Phi_t and Phi'' = Phi_tt vanish, of
 * motions along time and of joints that hold velocities. */
static routh_status check_rest(const rt_search *s, routh_error *error)
{
    static const char *const asked[] = {"", "a velocity", "an acceleration"};
    for (int r = 0; r < s->m->n_rows; r++)
        for (int level = 1; level <= 2; level++) {
            const double x = fabs(s->w->phi[level][r]);
            if (x <= 1e-9 * fmax(1, s->m->length)) continue;
            char element[192];
            const char *label;
            rt_place place;
            rt_row_describe(s->m, r, element, &place, &label);
            return rt_fail_at(
                error, ROUTH_NO_EQUILIBRIUM, s->m->model->file, place, element,
                "there is no static equilibrium: \"%s\" prescribes %s (%.3g) at t = %g s. Use a "
                "steady motion (operating_point type: steady), the initial state (type: given), or "
                "let it prescribe rest",
                label, asked[level], x, rt_re(s->state->t));
        }
    return ROUTH_OK;
}

static routh_status walk_create(static_walk *k, rt_search *s, routh_error *error)
{
    *k = (static_walk){.s = s, .longest = 0.3 * s->m->length};
    const size_t n_X = (size_t)s->m->pattern_K.start[s->m->n_u];
    k->X = rt_kept_malloc(s->m->analyses,
                          (n_X + (size_t)s->m->n_q + (size_t)s->m->n_rows + 1) * sizeof *k->X);
    if (!k->X) return rt_fail_memory(error);
    k->q0 = k->X + n_X;
    k->l0 = k->q0 + s->m->n_q;
    if (s->signals) return rt_static_signals_create(&k->signals, s, error);
    return rt_kkt_create(&k->kkt, s->m, &s->m->pattern_K, s->rank->row_step, error);
}

static void walk_release(static_walk *k)
{
    rt_kkt_free(k->kkt);
    rt_static_signals_free(k->signals);
    rt_kept_free(k->X);
}

routh_status rt_follow_equilibrium(rt_search *s, routh_error *error)
{
    memset(s->state->u, 0, (size_t)s->m->n_u * sizeof(double));
    static_walk k;
    routh_status status = walk_create(&k, s, error);
    k.plain = true;
    if (!status) status = relax(&k, error);
    walk_release(&k);
    s->arrival = "by Newton's method from the start, which is near";
    if (!status) status = check_rest(s, error);
    return status ? status : rt_find_rank(s, error);
}

/* ---- motions beyond half a revolution -------------------------------------------------------- */

static routh_status lead_relax(rt_search *s, routh_error *error)
{
    static_walk k;
    memset(s->state->u, 0, (size_t)s->m->n_u * sizeof(double));
    routh_status status = walk_create(&k, s, error);
    k.plain = s->followed;
    if (!status) status = relax(&k, error);
    walk_release(&k);
    return status ? status : rt_find_rank(s, error);
}

/* By parts of the way, shorter ones where an equilibrium is not met. */
static routh_status lead_steps(rt_search *s, rt_state *kept, routh_error *error)
{
    static const double MOST = 0.25, LEAST = 0x1p-10;
    const double longest = s->held.longest;
    double gone = 0, by = MOST;
    routh_status status = lead_relax(s, error);
    while (!status && gone < longest) {
        const double next = fmin(gone + by, longest);
        rt_state_copy(s->m, kept, s->state);
        s->held.part = 1 - next / longest;
        s->wound = NULL;
        status = lead_relax(s, error);
        if (!status) {
            gone = next;
            by = fmin(2 * by, MOST);
        } else if (status == ROUTH_NO_EQUILIBRIUM && by > LEAST) {
            by /= 4;
            rt_state_copy(s->m, s->state, kept);
            status = static_evaluate(s, error);
        }
    }
    return status;
}

static routh_status lead_along(rt_search *s, routh_error *error)
{
    rt_state *kept = NULL;
    routh_status status = rt_state_create(&kept, s->m, error);
    if (!status) status = lead_steps(s, kept, error);
    rt_state_free(kept);
    return status;
}

/* To where the search began, with all motions of angles held back. */
static routh_status lead_begin(rt_search *s, routh_error *error)
{
    rt_state_copy(s->m, s->state, s->begin);
    s->wound = NULL;
    s->iterations = 0;
    routh_status status = rt_hold_motions(s, error);
    if (!status) status = rt_assemble(s, error);
    return status ? status : rt_find_rank(s, error);
}

routh_status rt_lead_equilibrium(rt_search *s, routh_error *error)
{
    routh_status status = lead_begin(s, error);
    if (!status && s->held.n) status = lead_along(s, error);
    rt_release_held(s);
    memcpy(s->state->u, s->begin->u, (size_t)s->m->n_u * sizeof *s->state->u);
    rt_state_free(s->begin);
    s->begin = NULL;
    return status;
}

routh_status rt_find_equilibrium(rt_search *s, bool accept_unstable, routh_error *error)
{
    memset(s->state->u, 0, (size_t)s->m->n_u * sizeof(double));
    double growth = 0;
    for (int attempt = 0;; attempt++) {
        static_walk k;
        bool stable = true;
        routh_status status = walk_create(&k, s, error);
        k.hold = 2 * growth * growth;
        if (!status) status = relax(&k, error);
        walk_release(&k);
        if (!status) status = check_rest(s, error);
        if (!status) status = rt_find_rank(s, error);
        if (!status) status = rt_examine_equilibrium(s, &stable, &growth, error);
        if (status) return status;
        /* a loop that oscillates stands between no two others */
        if (stable || accept_unstable || s->oscillates) {
            s->unstable = !stable;
            s->arrival = attempt > 0 ? "by descent from the start, past unstable equilibria"
                                     : "by descent from the start";
            return ROUTH_OK;
        }
        if (attempt >= 8)
            return no_equilibrium(
                s, "only unstable ones were met (accept_unstable under operating_point takes one)",
                error);
        status = leave(s, error);
        if (!status) status = rt_find_rank(s, error);
        if (status) return status;
    }
}
