/* Which of the wanted states were dropped and why, and which others were added.
 *
 * A dropped state s follows from the kept ones: on the tangent of the manifold, X with
 * P X = [0; I], it is s_x xi = (s_x X) S. Its coefficients s_x X, counted in the sizes of the
 * states, say what it follows from; where there are none it is constant. */
#include <stdio.h>

#include "base/text.h"
#include "linear/holder.h"
#include "methods/manifold.h"

enum { MOST_NAMES = 4, MOST_ADDED = 6 };
static const double negligible = 1e-9; /* of a coefficient: as the tolerance of the rank */

/* States or rates, kept and wanted. */
typedef struct state_report_group {
    rt_linear_task *t;
    rt_search *s; /* that they were chosen in */
    rt_manifold_level level;
    const rt_wanted_states *wanted;
    const int *kept;
    int n_kept, n_preferred;
    const char *mark, *what; /* "'" and "velocity" of rates */
    int n_dropped;
    int *dropped;
    rt_state_row *rows;   /* n_dropped */
    double *coefficients; /* n_dropped x n_kept */
} state_report_group;

static bool state_report_is_listed(const int *list, int n, int item)
{
    for (int k = 0; k < n; k++)
        if (list[k] == item) return true;
    return false;
}

static routh_status list_dropped(state_report_group *g, routh_error *error)
{
    rt_arena *arena = &g->t->arena;
    g->dropped = RT_TAKE(arena, int, g->wanted->n);
    if (!g->dropped) return rt_fail_memory(error);
    for (int k = 0; k < g->wanted->n; k++) {
        const int candidate = g->wanted->candidates[k];
        if (!state_report_is_listed(g->kept, g->n_kept, candidate) &&
            !state_report_is_listed(g->dropped, g->n_dropped, candidate))
            g->dropped[g->n_dropped++] = candidate;
    }
    g->rows = RT_TAKE(arena, rt_state_row, g->n_dropped);
    g->coefficients = RT_TAKE(arena, double, (size_t)g->n_dropped *(size_t)g->n_kept);
    if (!g->rows || !g->coefficients) return rt_fail_memory(error);
    const rt_states *states = &g->t->states;
    for (int k = 0; k < g->n_dropped; k++) {
        const routh_status status =
            rt_state_row_take(g->s, states->user, g->dropped[k], arena, &g->rows[k], error);
        if (status) return status;
        rt_state_row_fill(g->s, &g->t->observer, states->user, g->dropped[k], &g->rows[k]);
    }
    return ROUTH_OK;
}

/* Column by column of X, so that X need not be kept. */
static routh_status state_report_find_coefficients(state_report_group *g, routh_error *error)
{
    const rt_method_task work = {
        .search = g->s, .observer = &g->t->observer, .states = &g->t->states};
    rt_arena arena = {.kept = g->s->m->analyses};
    rt_manifold P = {0};
    double *x = RT_TAKE(&arena, double, g->s->m->n_u);
    routh_status status =
        x ? rt_manifold_create(&P, &work, g->level, &arena, error) : rt_fail_memory(error);
    if (!status) status = rt_manifold_factor(&P, &work, error);
    for (int k = 0; k < g->n_kept && !status; k++) {
        memset(x, 0, (size_t)P.n * sizeof *x);
        x[P.n_kept + k] = 1;
        status = rt_factor_solve(P.factor, x, 1, NULL, error);
        for (int i = 0; i < g->n_dropped && !status; i++)
            g->coefficients[(size_t)i * (size_t)g->n_kept + (size_t)k] =
                rt_state_row_times(&g->rows[i], g->rows[i].s_x, x);
    }
    rt_manifold_release(&P);
    rt_arena_free(&arena);
    return status;
}

/* How much kept state k moves dropped state i, both in their sizes. */
static double state_report_share(const state_report_group *g, int i, int k)
{
    const rt_user_states *user = g->t->states.user;
    const double to = rt_candidate_size(g->s->m, user, g->dropped[i]);
    const double from = rt_candidate_size(g->s->m, user, g->kept[k]);
    return fabs(g->coefficients[(size_t)i * (size_t)g->n_kept + (size_t)k]) * from / to;
}

/* The kept states that dropped state i follows from, those that move it most first. Returns how
 * many there are; at most MOST_NAMES are listed. */
static int list_sources(const state_report_group *g, int i, int sources[MOST_NAMES])
{
    int n = 0, listed = 0;
    for (int k = 0; k < g->n_kept; k++) {
        if (!(state_report_share(g, i, k) > negligible)) continue;
        n++;
        int at = listed < MOST_NAMES ? listed++ : MOST_NAMES;
        for (; at > 0 && state_report_share(g, i, sources[at - 1]) < state_report_share(g, i, k);
             at--)
            if (at < MOST_NAMES) sources[at] = sources[at - 1];
        if (at < MOST_NAMES) sources[at] = k;
    }
    return n;
}

/* "a", "a and b", "a, b, c, d and 3 more" */
static const char *name_sources(const state_report_group *g, int n, const int *sources, char *text,
                                size_t room)
{
    const int listed = n < MOST_NAMES ? n : MOST_NAMES;
    size_t at = 0;
    *text = 0;
    for (int k = 0; k < listed && at < room; k++) {
        char name[RT_STATE_NAME];
        const char *join = k == 0 ? "" : k == n - 1 ? " and " : ", ";
        rt_linear_candidate_name(g->t, g->kept[sources[k]], g->mark, name);
        at += (size_t)snprintf(text + at, room - at, "%s%s", join, name);
    }
    if (n > listed && at < room) snprintf(text + at, room - at, " and %d more", n - listed);
    return text;
}

static routh_status report_dropped(rt_linear_holder *h, const state_report_group *g, int i,
                                   routh_error *error)
{
    char name[RT_STATE_NAME], names[MOST_NAMES * RT_STATE_NAME + 64];
    int sources[MOST_NAMES];
    rt_linear_candidate_name(g->t, g->dropped[i], g->mark, name);
    if (rt_candidate_size(g->s->m, g->t->states.user, g->dropped[i]) == 0)
        return rt_linear_warn(h, error,
                              "%s %s was dropped: it is constant, its derivative is zero at the "
                              "operating point",
                              g->what, name);
    const int n = list_sources(g, i, sources);
    if (n == 0 && *g->mark)
        return rt_linear_warn(h, error,
                              "%s %s was dropped: the joints leave it no freedom of its own",
                              g->what, name);
    if (n == 0)
        return rt_linear_warn(h, error,
                              "%s %s was dropped: it is constant, the joints leave it no freedom "
                              "here",
                              g->what, name);
    return rt_linear_warn(h, error, "%s %s was dropped: it follows from %s", g->what, name,
                          name_sources(g, n, sources, names, sizeof names));
}

/* One line for all of them, "a, b and c", or the first ones "and 60 more". */
static routh_status report_added(rt_linear_holder *h, const state_report_group *g, int n_added,
                                 routh_error *error)
{
    const char *many = *g->mark ? "velocities" : "states";
    const int most = g->t->details || n_added == MOST_ADDED + 1 ? n_added : MOST_ADDED;
    rt_text names = {0};
    for (int k = 0; k < n_added && k < most; k++) {
        char name[RT_STATE_NAME];
        rt_linear_candidate_name(g->t, g->kept[g->n_preferred + k], g->mark, name);
        rt_text_append(&names, "%s%s", k == 0 ? "" : k == n_added - 1 ? " and " : ", ", name);
    }
    if (n_added > most)
        rt_text_append(&names, " and %d more, which `details` names", n_added - most);
    const routh_status status =
        names.failed ? rt_fail_memory(error)
        : n_added == 1
            ? rt_linear_warn(h, error,
                             "%s %s was added: the %s asked for leave 1 degree of freedom open",
                             g->what, rt_text_string(&names), many)
            : rt_linear_warn(h, error,
                             "the %s set was completed by %d %s, as those asked for leave %d "
                             "degrees of freedom open: %s",
                             *g->mark ? "velocity" : "state", n_added, many, n_added,
                             rt_text_string(&names));
    rt_text_free(&names);
    return status;
}

static routh_status report_group(rt_linear_holder *h, state_report_group *g, routh_error *error)
{
    if (g->wanted->n == 0) return ROUTH_OK;
    const int n_added = g->n_kept - g->n_preferred;
    routh_status status = list_dropped(g, error);
    if (!status && g->n_dropped) status = state_report_find_coefficients(g, error);
    for (int i = 0; i < g->n_dropped && !status; i++) status = report_dropped(h, g, i, error);
    return status || n_added <= 0 ? status : report_added(h, g, n_added, error);
}

/* Without nonholonomic joints W = S', whatever velocities are asked for. */
static routh_status report_useless(rt_linear_holder *h, const rt_linear_task *t, routh_error *error)
{
    const rt_states *states = &t->states;
    routh_status status = ROUTH_OK;
    for (int k = 0; k < t->wanted_rates.n && !status; k++) {
        if (state_report_is_listed(states->rate, states->z1, t->wanted_rates.candidates[k]))
            continue;
        const char *name = t->wanted_rates.names[k];
        status = rt_linear_warn(h, error,
                                "velocity %s' was dropped: no joint is nonholonomic, so that the "
                                "velocities are the rates of the states; ask for the state %s",
                                name, name);
    }
    return status;
}

routh_status rt_linear_report_states(rt_linear_holder *h, rt_linear_task *t, routh_error *error)
{
    const rt_states *states = &t->states;
    rt_search *s = t->base.m ? &t->base : &t->search;
    state_report_group positions = {.t = t,
                                    .s = s,
                                    .level = RT_MANIFOLD_POSITION,
                                    .wanted = &t->wanted,
                                    .kept = states->candidate,
                                    .n_kept = states->z,
                                    .n_preferred = states->n_preferred,
                                    .mark = "",
                                    .what = "state"};
    state_report_group rates = {.t = t,
                                .s = s,
                                .level = RT_MANIFOLD_VELOCITY,
                                .wanted = &t->wanted_rates,
                                .kept = states->rate,
                                .n_kept = states->z1,
                                .n_preferred = states->n_preferred_rates,
                                .mark = "'",
                                .what = "velocity"};
    const routh_status status = report_group(h, &positions, error);
    if (status) return status;
    return states->z1 < states->z ? report_group(h, &rates, error) : report_useless(h, t, error);
}
