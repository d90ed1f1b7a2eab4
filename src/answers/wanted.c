/* Eigenvalues near numbers, of a descriptor system too large for full matrices: about each number
 * in turn, and put together. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pi.h"
#include "answers/shifted_symmetric.h"
#include "answers/wanted_parts.h"

enum { MOST_NUMBERS = 1000 };

const char *routh_count_name(routh_count count)
{
    static const char *const names[] = {"not counted", "inertia", "winding number", "all found"};
    return (size_t)count < sizeof names / sizeof *names ? names[count] : "";
}

/* All numbers. */
typedef struct wanted_search {
    const routh_selection_request *request;
    const routh_eigensolver *solver;
    rt_shifted pencil;
    bool symmetric;
    rt_arena arena; /* what is kept */
    rt_candidate *kept;
    int n_kept, room;
    routh_selection how; /* its regions, in 1/rate until the end */
} wanted_search;

/* ---- checks --------------------------------------------------------------------------------- */

static routh_status check_descriptor(const routh_descriptor *d, routh_error *error)
{
    const int order = d->n_differential ? d->A.n_columns : 2 * d->n_coordinates + d->n_constraints;
    if (d->E.n_columns == order && d->A.n_columns == order && d->linear &&
        d->states.n_columns == order && d->states.n_rows == d->linear->n_states)
        return ROUTH_OK;
    return rt_fail(error, ROUTH_BAD_ARGUMENT,
                   "a descriptor of %d coordinates and %d constraints needs square matrices of "
                   "order %d and the rows of its states",
                   d->n_coordinates, d->n_constraints, order);
}

static routh_status check_nearest(const routh_descriptor *d, const routh_selection_request *r,
                                  routh_error *error)
{
    if (r->n_near < 0 || r->n_near > MOST_NUMBERS || (r->n_near && !r->near))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "eigenvalues near %d numbers are requested; give from 1 to %d numbers, or "
                       "none for 0",
                       r->n_near, MOST_NUMBERS);
    for (int k = 0; k < (r->n_near ? r->n_near : 1); k++) {
        const double *near = r->n_near ? r->near + 2 * k : (const double[]){0, 0};
        if (r->count < 1 || !isfinite(near[0]) || !isfinite(near[1]))
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "%d eigenvalues near %g %+gi are requested; give a number of 1 or more "
                           "(--wanted) and finite numbers (--near)",
                           r->count, near[0], near[1]);
    }
    if (r->count <= d->linear->n_states) return ROUTH_OK;
    return rt_fail(error, ROUTH_BAD_ARGUMENT,
                   "%d eigenvalues are requested, but the mechanism has %d; request at most that "
                   "many",
                   r->count, d->linear->n_states);
}

static routh_status check_arguments(const routh_descriptor *d, const routh_selection_request *r,
                                    routh_error *error)
{
    const routh_status status = check_descriptor(d, error);
    if (status || !r->between) return status ? status : check_nearest(d, r, error);
    if (r->low < r->high && isfinite(r->low) && isfinite(r->high)) return ROUTH_OK;
    return rt_fail(error, ROUTH_BAD_ARGUMENT,
                   "eigenvalues between %g and %g Hz are requested; give two finite frequencies, "
                   "the smaller first",
                   r->low, r->high);
}

static routh_status check_answers(const rt_wanted_search *q, int n, int least, routh_error *error)
{
    const double rate = q->pencil->rate;
    int values = 0;
    for (int k = 0; k < n; k++) values += rt_values_of(&q->found[k]);
    if (values < least)
        return rt_fail(error, ROUTH_NUMERIC_ERROR,
                       "of %d eigenvalues requested near %g %+gi 1/s, %d converged within %d "
                       "solves; request more or fewer (--wanted), or give a number nearer to them "
                       "(--near)",
                       least, q->near[0] * rate, q->near[1] * rate, values, q->n_solves);
    for (int k = 0; k < n; k++) {
        const rt_candidate *c = &q->found[k];
        if (c->errors.residual <= RT_WORST_RESIDUAL) continue;
        return rt_fail(error, ROUTH_NUMERIC_ERROR,
                       "the eigenvalue %.6g %+.6gi 1/s found near %g %+gi 1/s leaves a residual of "
                       "%.1e in the equations and %.1e in the constraints; request fewer "
                       "(--wanted), or give a number nearer to them (--near)",
                       c->lambda[0] * rate, c->lambda[1] * rate, q->near[0] * rate,
                       q->near[1] * rate, c->errors.residual, c->errors.violation);
    }
    return ROUTH_OK;
}

/* ---- what is kept --------------------------------------------------------------------------- */

static routh_status wanted_keep(wanted_search *s, const rt_candidate *c, routh_error *error)
{
    const size_t n = (size_t)s->pencil.order;
    if (s->n_kept == s->room) {
        const int room = 2 * s->room + 16;
        rt_candidate *more = RT_TAKE(&s->arena, rt_candidate, room);
        if (!more) return rt_fail_memory(error);
        if (s->n_kept) memcpy(more, s->kept, (size_t)s->n_kept * sizeof *more);
        s->kept = more, s->room = room;
    }
    rt_candidate copy = *c;
    copy.re = RT_TAKE(&s->arena, double, n);
    copy.im = RT_TAKE(&s->arena, double, n);
    if (!copy.re || !copy.im) return rt_fail_memory(error);
    memcpy(copy.re, c->re, n * sizeof *copy.re);
    memcpy(copy.im, c->im, n * sizeof *copy.im);
    s->kept[s->n_kept++] = copy;
    return ROUTH_OK;
}

/* Inside the region of a number before? Then it is kept already; so no copy is lost or doubled. */
static bool kept_before(const wanted_search *s, const rt_candidate *c)
{
    for (int k = 0; k < s->how.n_regions; k++) {
        const routh_selection_region *r = &s->how.regions[k];
        if (hypot(c->lambda[0] - r->near[0], c->lambda[1] - r->near[1]) < r->radius) return true;
    }
    return false;
}

static routh_status keep_all(wanted_search *s, const rt_wanted_search *q, int n, routh_error *error)
{
    routh_status status = ROUTH_OK;
    for (int k = 0; k < n && !status; k++)
        if (!kept_before(s, &q->found[k])) status = wanted_keep(s, &q->found[k], error);
    s->how.regions[s->how.n_regions++] =
        (routh_selection_region){.near = {q->near[0], q->near[1]},
                                 .shift = {q->shift[0], q->shift[1]},
                                 .radius = q->radius,
                                 .counted = q->counted};
    s->how.n_solves += q->n_solves;
    s->how.n_restarts += q->n_restarts;
    return status;
}

/* ---- the search ----------------------------------------------------------------------------- */

static bool by_symmetry(const wanted_search *s, const rt_wanted_search *q)
{
    return s->symmetric && (!s->solver || s->solver->factors) && q->near[0] == 0;
}

static routh_status find_near(wanted_search *s, const double near[2], routh_error *error)
{
    const double rate = s->pencil.rate;
    rt_wanted_search q = {.pencil = &s->pencil,
                          .solver = s->solver,
                          .count = s->request->count,
                          .near = {near[0] / rate, fabs(near[1]) / rate}};
    bool symmetric = by_symmetry(s, &q);
    routh_status status = symmetric ? rt_wanted_symmetric(&q, error) : ROUTH_OK;
    if (!status && q.doubtful && !s->solver) {
        symmetric = false;
        rt_arena_free(&q.arena);
        q = (rt_wanted_search){
            .pencil = q.pencil, .count = q.count, .near = {q.near[0], q.near[1]}};
    }
    if (!status && !symmetric) status = rt_wanted_general(&q, s->request->uncounted, error);
    const int n = rt_wanted_enough(&q);
    if (!status) status = check_answers(&q, n, q.count, error);
    if (!status) {
        /* where nothing was counted: what is nearer than the last */
        if (q.counted == ROUTH_COUNT_NONE && n > 0) q.radius = q.found[n - 1].distance * (1 + 1e-7);
        status = keep_all(s, &q, n, error);
    }
    rt_arena_free(&q.arena);
    return status;
}

static routh_status wanted_not_symmetric(routh_error *error)
{
    return rt_fail(error, ROUTH_NOT_SUPPORTED,
                   "all eigenvalues between two frequencies (--between) need a mechanism without "
                   "damping and with symmetric stiffness; request a number of them near a point "
                   "instead (--wanted N --near X+Yi)");
}

static routh_status wanted_find_between(wanted_search *s, routh_error *error)
{
    const double by = RT_TWO_PI / s->pencil.rate;
    rt_wanted_search q = {.pencil = &s->pencil};
    if (!s->symmetric || s->solver) return wanted_not_symmetric(error);
    routh_status status = rt_wanted_between(&q, by * s->request->low, by * s->request->high, error);
    if (!status && q.doubtful) status = wanted_not_symmetric(error);
    if (!status) status = check_answers(&q, q.n_found, 0, error);
    if (!status) status = keep_all(s, &q, q.n_found, error);
    rt_arena_free(&q.arena);
    return status;
}

static routh_status wanted_find_all(wanted_search *s, routh_error *error)
{
    static const double zero[2];
    const routh_selection_request *r = s->request;
    const int n = r->n_near ? r->n_near : 1;
    s->how =
        (routh_selection){.count = r->count, .between = r->between, .low = r->low, .high = r->high};
    s->how.regions = RT_TAKE(&s->arena, routh_selection_region, n);
    if (!s->how.regions) return rt_fail_memory(error);
    if (r->between) return wanted_find_between(s, error);
    routh_status status = ROUTH_OK;
    for (int k = 0; k < n && !status; k++)
        status = find_near(s, r->n_near ? r->near + 2 * k : zero, error);
    return status;
}

static void wanted_set_units(wanted_search *s)
{
    const double rate = s->pencil.rate;
    for (int k = 0; k < s->how.n_regions; k++) {
        routh_selection_region *r = &s->how.regions[k];
        const bool given = !s->request->between && s->request->n_near > 0;
        r->near[0] = given ? s->request->near[2 * k] : 0;
        r->near[1] = given ? fabs(s->request->near[2 * k + 1]) : 0;
        r->shift[0] *= rate, r->shift[1] *= rate;
        r->radius = r->counted == ROUTH_COUNT_NONE ? 0 : r->radius * rate;
    }
}

static routh_status wanted_find_modes(routh_modes **modes, const routh_descriptor *descriptor,
                                      const routh_selection_request *request,
                                      const routh_eigensolver *solver, routh_error *error)
{
    *modes = NULL;
    wanted_search s = {.request = request, .solver = solver};
    routh_status status = check_arguments(descriptor, request, error);
    if (!status) status = rt_shifted_create(&s.pencil, descriptor, error);
    if (status) return status;
    rt_progress progress = {.on_progress = request->on_progress, .data = request->data};
    s.pencil.progress = &progress;
    s.symmetric = !s.pencil.whole && rt_shifted_is_symmetric(&s.pencil);
    status = rt_progress_end(&progress, wanted_find_all(&s, error), error);
    if (!status) {
        wanted_set_units(&s);
        status = rt_wanted_modes(&s.pencil, s.kept, s.n_kept, &s.how, modes, error);
    }
    rt_arena_free(&s.arena);
    rt_shifted_free(&s.pencil);
    return status;
}

/* ---- entries -------------------------------------------------------------------------------- */

routh_status routh_modes_search(routh_modes **modes, const routh_descriptor *descriptor,
                                const routh_selection_request *request, routh_error *error)
{
    return wanted_find_modes(modes, descriptor, request, NULL, error);
}

routh_status routh_modes_select(routh_modes **modes, const routh_descriptor *descriptor, int count,
                                double near, routh_error *error)
{
    const double at[2] = {near, 0};
    const routh_selection_request request = {.count = count, .n_near = 1, .near = at};
    return wanted_find_modes(modes, descriptor, &request, NULL, error);
}

routh_status routh_modes_select_by(routh_modes **modes, const routh_descriptor *descriptor,
                                   int count, double near, const routh_eigensolver *solver,
                                   routh_error *error)
{
    const double at[2] = {near, 0};
    const routh_selection_request request = {.count = count, .n_near = 1, .near = at};
    *modes = NULL;
    if (!solver || !solver->solve)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the external solver has no solve function (NULL); set it");
    if (descriptor->n_differential)
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "an external solver finds eigenvalues about a state of rest and without "
                       "controllers, variables or joints that hold velocities only; leave it out "
                       "(--distributed)");
    return wanted_find_modes(modes, descriptor, &request, solver, error);
}
